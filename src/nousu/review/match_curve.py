"""How a match went: the chance to win it before the first hand and after each."""

from collections.abc import Sequence

from nousu.engine.match import Played
from nousu.engine.messages import Note
from nousu.engine.seats import Seat, side
from nousu.games import part


def win_curve(played: Sequence[Played], seat: Seat) -> tuple[float, ...]:
    """The chance of the side of `seat` to win the match: before the first of these hands and after each of
    them, when all play equally well. Empty where no hands by these rules were measured, or where everybody
    plays alone."""
    if not played:
        return ()
    family = part("nousu.players", played[0].hand.view(None).game, "equity")
    chance = getattr(family, "chance", None)
    if chance is None:
        return ()
    found = [chance(tally) for tally in (played[0].hand.setup.tally, *(one.tally for one in played))]
    if None in found:
        return ()
    return tuple(1 - one if side(seat) else one for one in found)


def no_par_reason(game: str) -> Note | None:
    """Why hands of this game family have no par; None where they have one."""
    family = part("nousu.review.families", game)
    if hasattr(family, "par"):
        return None
    why: Note = getattr(family, "NO_PAR", Note("", "Hands by these rules have no par."))
    return why
