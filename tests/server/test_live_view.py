"""Views are made once for all who see the same, and the fields that are sent make the whole view."""

import json
import random
from typing import Any

import pytest

from live_page import LivePage
from nousu.i18n import LANGUAGES
from nousu.i18n.reader import Reader
from nousu.server.pages.table import chat, common, whist
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.live_view import LiveView, ViewerClass, ViewerGroups, encode
from nousu.server.pages.table.page_view import page_view
from nousu.server.table import commands
from nousu.server.table.table import Change
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

PRESETS = ("tuppi", "minnesota", "huutopussi", "tuppen_zk", "toepen")
QUIET = {"pace": "0", "window": "0"}


@pytest.mark.parametrize("events", [70, pytest.param(220, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", PRESETS)
def test_fields_sent_make_the_whole_view(preset: str, events: int) -> None:
    """Pages that see every change, and pages that miss some, all hold the whole present view."""
    sitting = Sitting(preset, persons=4, options=QUIET)
    rng, groups, reader = random.Random(5), ViewerGroups(), Reader.of("fi")
    pages = {(session, misses): LivePage() for session in ("p0", "p1", None) for misses in (0.0, 0.6)}
    last: dict[tuple[str | None, float], LiveView] = {}
    classes = {}
    sent = whole = 0
    for _ in range(events):
        sitting.played(rng, 1)
        table = sitting.table
        for (session, misses), page in pages.items():
            if rng.random() < misses:
                continue
            who = ViewerClass(table.seats.seat_of(session), "fi", "http://x")
            group = classes.setdefault(who, groups.enter(who))
            shown, before = group.live_view(table, session, 0.0), last.get((session, misses))
            text = shown.message(before, None)
            message = page.heard(text)
            last[session, misses] = shown
            seen = view_of(table, session, 0.0, "fi")
            made = encode(page_view(seen, reader, "http://x"))
            assert page.view == json.loads(made)
            if before is not None and before.drawn.seen.seq != seen.seq:
                assert message["say"] == announcement(before.drawn.seen, seen, reader)
            sent += len(text)
            whole += len(made)
    assert sent < whole * 0.5, "what hardly changes is hardly sent"


@pytest.mark.parametrize("preset", PRESETS)
def test_values_are_never_shown_to_other_viewers(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every seat, to spectators, and in every language, what all share is what would be made for one."""
    sitting = Sitting(preset, persons=4, options=QUIET)
    rng, groups = random.Random(8), ViewerGroups()
    sessions = ("p0", "p1", "p2", "p3", None)
    shown: dict[ViewerClass, LiveView] = {}
    for step in range(25):
        sitting.played(rng, 1 + step % 3)
        table = sitting.table
        for number, session in enumerate(sessions * 2):
            lang = LANGUAGES[(number + step * (number >= len(sessions))) % len(LANGUAGES)]
            who = ViewerClass(table.seats.seat_of(session), lang, "http://x", "low" if number == 3 else "")
            shown[who] = groups.enter(who).live_view(table, session, 0.0)
        for cached in (
            common._plates,
            common._hand_cards,
            whist._plates_with_notes,
            whist._hill,
            chat._chat_panel,
        ):
            cached.cache_clear()
        for who, live in shown.items():
            if live.drawn.seen.seq != table.seq:
                continue
            session = None if who.seat is None else table.seats.by_seat[who.seat].session
            seen = view_of(table, session, 0.0, who.lang)
            assert live.drawn.seen == seen
            assert live.drawn.view == page_view(seen, Reader.of(who.lang), who.origin, who.order)


def test_chat_is_shown_at_once() -> None:
    """Values cached from one state of a table to the next equal fresh ones."""
    sitting = Sitting("tuppi", persons=4)
    groups, rng = ViewerGroups(), random.Random(2)
    for step in range(12):
        sitting.played(rng, 1)
        if step % 3 == 1:
            for change in (
                commands.write_chat_line(sitting.table, "p1", "thanks", "", f"say-{step:05}", 0.0),
                commands.mute(
                    sitting.table, "p0", sitting.table.seats.seat_of("p1") or 0, step % 2 == 0, 0.0
                ),
            ):
                if isinstance(change, Change) and change.event.seq == sitting.table.seq + 1:
                    sitting.add(change)
        table = sitting.table
        for session in ("p0", "p1", None):
            group = groups.enter(ViewerClass(table.seats.seat_of(session), "en", ""))
            assert group.live_view(table, session, 0.0).drawn.seen == view_of(table, session, 0.0, "en")


def test_view_is_made_once_for_viewers_alike() -> None:
    sitting = Sitting("tuppi").played(random.Random(1), 30)
    groups = ViewerGroups()
    who = ViewerClass(None, "en", "http://x")
    one, two = groups.enter(who), groups.enter(who)
    assert one is two
    first = one.live_view(sitting.table, None, 0.0)
    assert two.live_view(sitting.table, None, 0.0) is first
    assert first.message(None, None) is not None
    assert groups.enter(who._replace(lang="fi")) is not one
    groups.leave(one)
    assert len(groups) == 2
    groups.leave(one)
    assert len(groups) == 1, "a class without members keeps no view"


def _news(preset: str, events: int, seed: int) -> list[tuple[dict[str, Any], LiveView | None, LiveView]]:
    """The messages to the player of seat 0, each with the view before and the present one."""
    sitting = Sitting(preset, persons=4, options=QUIET)
    rng, group = random.Random(seed), ViewerGroups().enter(ViewerClass(0, "en", ""))
    last: LiveView | None = None
    found: list[tuple[dict[str, Any], LiveView | None, LiveView]] = []
    for _ in range(events):
        sitting.played(rng, 1)
        session = sitting.table.seats.by_seat[0].session
        shown = group.live_view(sitting.table, session, 0.0)
        found.append((json.loads(shown.message(last, None)), last, shown))
        last = shown
    return found


def test_card_played_sends_no_chat_score_sheet_or_rules() -> None:
    cards = 0
    for message, before, shown in _news("tuppi", 60, 3):
        if before is not None and before.drawn.view.phase == shown.drawn.view.phase == "play":
            cards += 1
            assert not {"talk", "sheet", "hill", "rules", "title"} & message["set"].keys()
            assert len(json.dumps(message)) < 3500
    assert cards > 10


def test_score_sheet_is_kept_while_no_hand_ends_and_made_anew_then() -> None:
    seen = [shown.drawn for _, _, shown in _news("minnesota", 160, 4)]
    rows = [len(view.sheet.rows) for _, view in seen if getattr(view, "sheet", None)]
    assert rows == [len(drawn.match.played) for drawn, view in seen if getattr(view, "sheet", None)]
    assert rows[-1] > 1


def test_first_message_and_another_seat_bring_the_whole_view() -> None:
    sitting = Sitting("tuppi", persons=4, options=QUIET).played(random.Random(1), 20)
    groups = ViewerGroups()
    guest = groups.enter(ViewerClass(None, "en", "")).live_view(sitting.table, None, 0.0)
    player = groups.enter(ViewerClass(0, "en", "")).live_view(
        sitting.table, sitting.table.seats.by_seat[0].session, 0.0
    )
    assert "view" in json.loads(guest.message(None, None))
    assert json.loads(player.message(guest, None))["view"]["seat"] == 0
    assert json.loads(player.message(player, 1.5))["set"] == {}
    assert json.loads(player.message(player, 1.5))["window"] == 1.5
