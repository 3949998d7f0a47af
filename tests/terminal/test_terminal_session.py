"""One person's match: reproducible, saved after every action, resumed from its file."""

from pathlib import Path
from random import Random

import pytest

from nousu.engine.actions import Call
from nousu.engine.errors import BadRecord, BadRules, IllegalAction
from nousu.engine.record import read
from nousu.games import find
from nousu.i18n.reader import Reader
from nousu.terminal.session import TerminalMatch, latest_path, saved_path, state_folder
from nousu.terminal.text import hint_sentence


def go_on(session: TerminalMatch, rng: Random) -> None:
    """Until the match is over, the person choosing at random."""
    while not session.is_over():
        if not session.advance():
            session.act(rng.choice(session.view().legal))


def test_match_begins_with_a_draw_of_seats(tmp_path: Path) -> None:
    session = TerminalMatch.begin("tuppi_catsatcards", "Maija", "random", 4, path=tmp_path / "a.nousu")
    assert session.match.seating is not None
    assert session.me == session.match.seating.places[0]
    assert session.names[session.me] == "Maija"
    assert sorted(session.names) == ["Aino", "Eero", "Kaisa", "Maija"]
    assert (tmp_path / "a.nousu").exists()


def test_match_gives_no_computer_player_the_persons_name() -> None:
    assert sorted(TerminalMatch.begin("tuppi", "Aino", "random").names) == ["Aino", "Eero", "Kaisa", "Onni"]


@pytest.mark.parametrize(
    ("preset", "seats"), [("tuppi", 0), ("huutopussi", 0), ("tuppen_zk", 5), ("toepen", 3)]
)
def test_match_of_the_same_seed_is_the_same(preset: str, seats: int) -> None:
    def played() -> str:
        session = TerminalMatch.begin(preset, "Maija", "random", 11, seats)
        rng = Random(1)
        for _ in range(200):
            if not session.is_over() and not session.advance():
                session.act(rng.choice(session.view().legal))
        return session.text()

    assert played() == played()


def test_match_resumes_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    """Every action of the person is on disk when it is done; what the others did since is played again."""
    path = tmp_path / "tuppi.nousu"
    whole = TerminalMatch.begin("tuppi", "Maija", "random", 7)
    go_on(whole, Random(3))
    rng = Random(3)
    session = TerminalMatch.begin("tuppi", "Maija", "random", 7, path=path)
    while not session.is_over():
        if not session.advance():
            session.act(rng.choice(session.view().legal))
            if path.exists():
                again = TerminalMatch.resume(path)
                assert (again.match, again.names, again.me) == (session.match, session.names, session.me)
                session = again
    assert session.text() == whole.text()


def test_match_file_moves_when_it_is_finished(tmp_path: Path) -> None:
    path = saved_path("minnesota", tmp_path)
    session = TerminalMatch.begin("minnesota", "Maija", "random", 2, path=path)
    assert latest_path(tmp_path) == path
    go_on(session, Random(2))
    done = session.finished_path()
    assert done == tmp_path / "finished" / "minnesota-2.nousu"
    assert done is not None and read(done.read_text(), find).match == session.match
    assert not path.exists() and latest_path(tmp_path) is None


def test_match_file_is_one_for_each_rule_set(tmp_path: Path) -> None:
    text = "tuppi+limit_tiebreak=[draw]"
    path = saved_path(text, tmp_path)
    assert path.parent == tmp_path and path.name == "tuppi+limit_tiebreak=_draw_.nousu"
    TerminalMatch.begin(text, "Maija", "random", path=path)
    assert TerminalMatch.resume(path).preset == text


def test_match_file_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "nousu"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder() == tmp_path / ".local" / "state" / "nousu"


def test_match_file_with_damage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.nousu"
    session = TerminalMatch.begin("tuppi", "Maija", "random", path=path)
    text = session.text()
    for wrong, said in (
        (text.replace("# seed 1\n", ""), "line 2: expected the remarks"),
        (text.replace("# player random", "# player oracle"), "line 2: expected the remarks"),
        (text.replace("# seat N", "# seat P9"), "line 2: expected the remarks"),
        (text.replace("game tuppi", "game tupi"), "there is no preset ‘tupi’"),
    ):
        path.write_text(wrong)
        with pytest.raises(BadRecord, match=said):
            TerminalMatch.resume(path)
    path.write_bytes(b"\xff\xff")
    with pytest.raises(BadRecord, match="no UTF-8"):
        TerminalMatch.resume(path)


def test_match_with_wrong_arguments_is_refused() -> None:
    with pytest.raises(BadRules, match="there is no preset"):
        TerminalMatch.begin("tarot", "Maija")
    with pytest.raises(ValueError, match="there is no player"):
        TerminalMatch.begin("tuppi", "Maija", "oracle")
    with pytest.raises(ValueError, match="for 4 players, not 3"):
        TerminalMatch.begin("tuppi", "Maija", "random", 1, 3)


def test_illegal_action_changes_nothing(tmp_path: Path) -> None:
    session = TerminalMatch.begin("tuppi", "Maija", "random", path=tmp_path / "a.nousu")
    while session.advance():
        pass
    before = session.match
    with pytest.raises(IllegalAction):
        session.act(Call("sooli"))
    assert session.match == before


def test_turning_up_a_bid_is_no_choice() -> None:
    """The table never waits for a person whose only action is to show a sealed card."""
    session = TerminalMatch.begin("tuppi", "Maija", "random", 5)
    rng = Random(5)
    for _ in range(300):
        if session.is_over():
            break
        if not session.advance():
            assert session.view().facts.phase != "expose"
            session.act(rng.choice(session.view().legal))


def test_advice_is_legal_and_has_a_reason() -> None:
    session = TerminalMatch.begin("tuppi", "Maija", "rules", 5)
    while session.advance():
        pass
    advice = session.advice()
    assert advice is not None and advice.action in session.view().legal and advice.reason is not None


def test_hint_out_of_turn_is_a_players_choice_or_silence() -> None:
    """Who may raise (or doubt) is not told to, only because nothing else can be said just then."""
    session = TerminalMatch.begin("tuppen_zk", "Maija", seed=0, seats=4)
    hints = set()
    for _ in range(120):
        if session.may_interrupt():
            result = hint_sentence(session, session.voice(Reader.of("en")))
            hints.add(result)
            assert result == "I would say nothing now." or result.count(". ") == 1, result  # a reason follows
        if not session.advance():
            session.act(session.view().legal[0])
    assert "I would say nothing now." in hints
