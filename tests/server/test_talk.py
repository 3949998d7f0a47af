"""Talk at a table: what may be said when, who reads it in which language, and that no decision feels it."""

import random
from dataclasses import replace

import pytest

from nousu.games import find
from nousu.i18n import LANGUAGES
from nousu.i18n.reader import Reader
from nousu.players.whist.signals import CARD
from nousu.server.errors import KeyReused, NotYours, RequestError, Stale
from nousu.server.live.driver import _answer_time
from nousu.server.live.room import Room
from nousu.server.pages.table.chat import chat_panel
from nousu.server.pages.table.live_region import announcement
from nousu.server.table import commands, seating
from nousu.server.table.chat import SHOWN
from nousu.server.table.events import (
    ChatLineReported,
    ChatLineSaid,
    PersonMuted,
    SignalsAgreed,
    from_row,
    to_row,
)
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import due_steps
from nousu.server.table.table import Change, Table
from nousu.server.table.view import ChatView
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

KEY = "talk-0001"


def after_chat_line(sitting: Sitting, session: str, word: str = "", text: str = "") -> None:
    """Somebody says something; the event is the same when it comes back from the disk."""
    change = commands.write_chat_line(sitting.table, session, word, text, sitting.key(), sitting.now)
    assert isinstance(change, Change)
    assert from_row(to_row(change.event, 4), 4) == change.event
    sitting.add(change)


def bidding_table(preset: str = "tuppi", **options: str) -> Sitting:
    """Four persons, asked for their bids."""
    sitting = Sitting(preset, options=options)
    sitting.until_asked()
    return sitting


def talk(table: Table, session: str | None) -> ChatView:
    """What that person may read and say."""
    found = view_of(table, session, 0.0, "en").chat
    assert found is not None
    return found


@pytest.mark.clause("A-T-16")
def test_chat_during_a_hand_follows_the_rules(subtests: pytest.Subtests) -> None:
    for preset, ready, free in [
        ("tuppi", True, False),
        ("tuppi+table_talk=free", True, True),
        ("minnesota", True, False),
        ("huutopussi", True, False),
        ("tuppen_zk", True, True),
    ]:
        with subtests.test(preset=preset, ready=ready, free=free):
            sitting = bidding_table(preset)
            after_chat_line(sitting, "p1", "played")
            if free:
                after_chat_line(sitting, "p1", text="What a hand")
            else:
                with pytest.raises(Stale, match="only the ready-made phrases"):
                    after_chat_line(sitting, "p1", text="What a hand")
            assert talk(sitting.table, "p0").writes is free
            assert [line.word for line in talk(sitting.table, "p0").lines][:1] == ["played"]


def test_chat_between_hands_is_free_at_every_table() -> None:
    sitting = Sitting("minnesota")
    sitting.until_asked()
    while not sitting.table.between_hands:
        sitting.played(random.Random(1), 1)
    after_chat_line(sitting, "p2", text="  That was \u202e close \x07 ")
    assert talk(sitting.table, "p0").lines[-1].text == "That was close"


def test_chat_that_is_too_long_empty_or_unknown_is_refused_and_named() -> None:
    sitting = Sitting("tuppen_zk")
    for text, why in (("x" * 141, "at most 140 letters"), (" \u200b ", "Write something first")):
        with pytest.raises(RequestError, match=why):
            after_chat_line(sitting, "p0", text=text)
    with pytest.raises(RequestError, match="cannot be said"):
        after_chat_line(sitting, "p0", "strong")
    with pytest.raises(NotYours):
        after_chat_line(sitting, "nobody", "hello")


def test_chat_with_the_same_key_is_said_once() -> None:
    sitting = Sitting()
    first = commands.write_chat_line(sitting.table, "p0", "hello", "", KEY, 0.0)
    assert isinstance(first, Change)
    assert commands.write_chat_line(first.table, "p0", "hello", "", KEY, 0.0) == first.event.seq
    with pytest.raises(KeyReused):
        commands.write_chat_line(first.table, "p0", "bye", "", KEY, 0.0)


def test_chat_makes_no_decision_stale_and_moves_no_clock() -> None:
    sitting = bidding_table()
    before, seat = sitting.table, sitting.match.hand.owed()[0]
    sitting.now += 5
    after_chat_line(sitting, "p3", "luck")
    assert sitting.table.since == before.since
    assert [step.at for step in due_steps(sitting.table)] == [step.at for step in due_steps(before)]
    legal = sitting.view(seat).legal[0]
    change = commands.act(
        sitting.table, sitting.session(seat), str(legal), before.seq, "key-late-1", sitting.now
    )
    assert isinstance(change, Change)


def test_chat_keeps_the_last_lines_and_a_table_has_its_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting()
    monkeypatch.setattr(commands, "MOST_CHAT_LINES", SHOWN + 3)
    for _ in range(SHOWN + 3):
        after_chat_line(sitting, "p0", "laugh")
    assert len(sitting.table.chat.lines) == SHOWN
    with pytest.raises(Stale, match="has reached its limit for talk"):
        after_chat_line(sitting, "p0", "laugh")
    assert sitting.folded().chat == sitting.table.chat


def test_muted_person_is_not_shown_and_does_not_learn_of_it() -> None:
    sitting = bidding_table()
    seat = next(seat for seat in range(4) if sitting.session(seat) == "p1")
    change = commands.mute(sitting.table, "p0", seat, False, 0.0)
    assert isinstance(change, Change)
    assert from_row(to_row(change.event, 4), 4).what == PersonMuted(0, 1)
    other = view_of(replace(sitting.table, seq=sitting.table.seq + 1), "p1", 0.0, "en")
    assert view_of(change.table, "p1", 0.0, "en") == other
    sitting.add(change)
    after_chat_line(sitting, "p1", "hello")
    assert talk(sitting.table, "p0").lines == ()
    assert len(talk(sitting.table, "p2").lines) == len(talk(sitting.table, None).lines) == 1
    again = commands.mute(sitting.table, "p0", seat, True, 0.0)
    assert isinstance(again, Change)
    assert len(talk(again.table, "p0").lines) == 1
    with pytest.raises(RequestError):
        commands.mute(sitting.table, "p1", seat, False, 0.0)


def test_line_is_shown_to_the_operator_once() -> None:
    sitting = Sitting()
    after_chat_line(sitting, "p1", "hello")
    number = sitting.table.seq
    with pytest.raises(Stale):
        commands.report_chat_line(sitting.table, "p1", number, 0.0)
    change = commands.report_chat_line(sitting.table, "p0", number, 0.0)
    assert isinstance(change, Change)
    assert from_row(to_row(change.event, 4), 4).what == ChatLineReported(0, number)
    assert talk(change.table, "p0").lines[0].reported
    assert commands.report_chat_line(change.table, "p2", number, 0.0) == change.table.seq


@pytest.mark.clause("T-CAT-38")
def test_signals_are_agreed_on_before_a_hand_read_by_all_and_given_by_the_pair_alone() -> None:
    sitting = Sitting(options={"seats": "chosen"})
    change = commands.set_signals(sitting.table, "p0", ["strong", "even", "nonsense"], " We  knock ", 0.0)
    assert isinstance(change, Change)
    assert from_row(to_row(change.event, 4), 4).what == SignalsAgreed(0, ("even", "strong"), "We knock")
    sitting.add(change)
    sitting.until_asked()
    for session in ("p0", "p1", "p2", "p3", None):
        assert talk(sitting.table, session).cards[0].signals == ("even", "strong")
    assert [talk(sitting.table, f"p{n}").gestures for n in range(4)] == [("strong",), (), ("strong",), ()]
    after_chat_line(sitting, "p2", "strong")
    with pytest.raises(RequestError, match="cannot be said"):
        after_chat_line(sitting, "p1", "strong")
    with pytest.raises(Stale, match="before a hand"):
        commands.set_signals(sitting.table, "p0", [], "", 0.0)
    assert sitting.folded().chat == sitting.table.chat


@pytest.mark.clause("T-CATT-06")
def test_signal_card_is_missing_where_signals_are_forbidden() -> None:
    sitting = Sitting("tuppi_tournament", options={"seats": "chosen"})
    with pytest.raises(Stale):
        commands.set_signals(sitting.table, "p0", ["strong"], "", 0.0)
    assert talk(sitting.table, "p0").cards == ()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_card_of_signals_of_computers_is_shown_where_signals_are_agreed(lang: str) -> None:
    """Alone with computers too, from the words of the code itself."""
    reader = Reader.of(lang)
    for preset, shown in (("tuppi", CARD), ("tuppi+table_talk=none", ()), ("tuppi_tournament", ())):
        sitting = Sitting(preset, persons=1, computers=3)
        sitting.until_asked()
        panel = chat_panel(view_of(sitting.table, "p0", 0.0, lang), reader)
        assert (panel.code if panel else ()) == tuple(map(reader.say, shown)), preset
    assert lang == "en" or not set(map(reader.say, CARD)) & set(CARD)


def test_mutes_and_signals_go_along_to_the_rematch() -> None:
    sitting = Sitting(options={"seats": "chosen"})
    for ask in (
        lambda table: commands.mute(table, "p0", 1, False, 0.0),
        lambda table: commands.set_signals(table, "p1", ["lead"], "", 0.0),
    ):
        change = ask(sitting.table)
        assert isinstance(change, Change)
        sitting.add(change)
    empty = Table.new("again", "tuppi", 4, bytes(32), TableOptions.parse({"seats": "chosen"}), find, 0.0)
    table = seating.rematch(sitting.table, empty, 0.0)[-1].table
    assert table.chat.mutes == {("p0", "p1")}
    assert table.chat.signals[1].signals == ("lead",)


def test_chat_view_is_in_the_language_of_its_reader_and_announces_new_lines() -> None:
    sitting = bidding_table()
    before = sitting.table
    after_chat_line(sitting, "p1", "thanks")
    texts = {}
    for lang in ("en", "fi"):
        seen = view_of(sitting.table, "p0", 0.0, lang)
        drawn = chat_panel(seen, Reader.of(lang))
        assert drawn is not None
        texts[lang] = drawn.lines[-1].words
        heard = announcement(view_of(before, "p0", 0.0, lang), seen, Reader.of(lang))
        assert heard.endswith(texts[lang])
    assert texts == {"en": "Thank you!", "fi": "Kiitos!"}
    own = view_of(sitting.table, "p1", 0.0, "en")
    assert announcement(view_of(before, "p1", 0.0, "en"), own, Reader.of("en")) == ""


def test_quiet_tables_share_their_chat_view() -> None:
    """Kept for each table, it filled a cache for an hour (P2)."""
    seen, reader = view_of(bidding_table().table, "p0", 0.0, "en"), Reader.of("en")
    other = replace(seen, table_id="other")
    assert chat_panel(seen, reader) is chat_panel(other, reader)


@pytest.mark.promise("P8")
def test_chat_does_not_show_when_a_thinking_computer_has_decided() -> None:
    assert [_answer_time(10.0, now) for now in (9.0, 10.0, 10.01, 10.25, 10.3)] == [
        10,
        10,
        10.25,
        10.25,
        10.5,
    ]


def test_silent_computer_is_not_asked_again_because_of_chat() -> None:
    sitting = bidding_table()
    room = Room(sitting.table, None, None, lambda: 0.0)  # type: ignore[arg-type]
    room._driver._declined = frozenset({2})
    room._become(sitting.table.change(ChatLineSaid(0, word="hello"), 0.0).table)
    assert room._driver._declined == {2}
