"""The curve of a match: the chance to win it before the first hand and after each."""

from collections.abc import Sequence

from nousu.engine.match import Played
from nousu.engine.messages import Note
from nousu.engine.seats import Seat, side
from nousu.players.equity import win_chances
from nousu.review.families import NoParReason, ParReview, review_extension

_NO_PAR = Note("", "Hands by these rules have no par.")


def win_curve(played: Sequence[Played], seat: Seat) -> tuple[float, ...]:
    """The chance of the side of `seat` to win the match, when all play equally well.

    Returns:
        The chance before the first of these hands and after each of them. Empty where no hands by these rules
        were measured, or where every player plays alone.
    """
    if not played:
        return ()
    family = win_chances(played[0].hand.view(None).game)
    if family is None:
        return ()
    tallies = [played[0].hand.setup.tally, *(hand.tally for hand in played)]
    chances = [chance for chance in map(family.win_chance, tallies) if chance is not None]
    if len(chances) < len(tallies):
        return ()
    return tuple(1 - chance if side(seat) else chance for chance in chances)


def no_par_reason(game: str) -> Note | None:
    """The reason why hands of this game family have no par; None if they have one."""
    if review_extension(ParReview, game) is not None:
        return None
    family = review_extension(NoParReason, game)
    return _NO_PAR if family is None else family.NO_PAR
