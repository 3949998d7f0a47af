"""How a match went, hand by hand, and which games have no par."""

import pytest

from nousu.engine.match import Match
from nousu.games import find
from nousu.i18n import LANGUAGES, translator
from nousu.players import find_player
from nousu.players.seat_loop import advance
from nousu.review import no_par_reason, win_curve


def played_out(preset: str) -> Match:
    """A whole match of computer players."""
    match = Match.start(*find(preset), 4)
    while (after := advance(match, [find_player("rules")] * 4, 4)) is not None:
        match = after
    return match


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi"])
def test_match_curve_begins_even_and_ends_decided(preset: str) -> None:
    match = played_out(preset)
    (winner,) = match.winner or ()
    ours, theirs = win_curve(match.played, winner), win_curve(match.played, 1 - winner)
    assert len(ours) == len(match.played) + 1
    assert ours[0] == pytest.approx(0.5, abs=0.02) and ours[-1] == 1
    assert [one + two for one, two in zip(ours, theirs, strict=True)] == pytest.approx([1.0] * len(ours))
    assert win_curve(match.played[:2], winner) == ours[:3], "a match may go on"


def test_match_curve_needs_measured_hands_and_partners() -> None:
    assert win_curve((), 0) == ()
    assert win_curve(played_out("tuppi+sooli=off").played, 0) == ()
    assert win_curve(played_out("tuppen_zk").played, 0) == ()


def test_game_without_par_says_why_in_every_language() -> None:
    assert no_par_reason("whist") is None
    for game in ("huutopussi", "tuppen", "a game from elsewhere"):
        why = no_par_reason(game)
        assert why is not None
        assert len({translator(code)(why.message) for code in LANGUAGES}) == len(LANGUAGES)
