"""The table as a value: places, drawing, acting, waiting, and what it does by itself and when."""

import random
from dataclasses import replace

import pytest

from nousu.engine.actions import Call, Show
from nousu.engine.cards import hand_text
from nousu.engine.errors import BadRules, IllegalAction
from nousu.games import find
from nousu.server.errors import KeyReused, NotYours, RequestError, Stale
from nousu.server.table import commands, record, seating, shuffle
from nousu.server.table.events import ActionDone, PackDrawn
from nousu.server.table.options import TableOptions
from nousu.server.table.schedule import NEXT_WAIT, due_steps
from nousu.server.table.seating import join
from nousu.server.table.table import Change, Table
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting


def dealt(preset: str = "tuppi", persons: int = 4, computers: int = 0, **options: str) -> Sitting:
    """A table with the first cards dealt."""
    sitting = Sitting(preset, persons, computers, options)
    while sitting.table.match is None or not sitting.match.hand.log:
        assert sitting.self_done()
    return sitting


def legal(sitting: Sitting, seat: int) -> str:
    return str(sitting.view(seat).legal[0])


# --------------------------------------------------------------------------------- places and the draw


def test_table_waits_while_a_place_is_open() -> None:
    table = Table.new("t", "tuppi", 4, bytes(32), TableOptions(), find)
    for number in range(3):
        table = join(table, f"p{number}", "A", "", 0.0).table
    assert table.seats.open_places() == (3,)
    assert due_steps(table) == ()
    seen = view_of(table, "p1", 0.0, "en")
    assert (seen.started, seen.seat, seen.view.legal, seen.names) == (False, 1, (), ("A", "A 2", "A 3", ""))
    with pytest.raises(NotYours, match="already sit"):
        join(table, "p1", "B", "", 0.0)
    with pytest.raises(Stale, match="not begun"):
        commands.act(table, "p1", "play H9", 3, "k" * 8, 0.0)
    full = seating.invite(table, "random", 5.0).table
    assert [step.what for step in due_steps(full)] == ["start"]
    with pytest.raises(NotYours, match="taken"):
        join(full, "p9", "B", "", 5.0)


@pytest.mark.clause("T-CAT-03", "T-CAT-04", "T-CAT-05", "T-CAT-06")
def test_seats_are_drawn_from_the_stored_pack() -> None:
    sitting = dealt("tuppi_catsatcards")
    table = sitting.table
    assert table.match is not None and table.match.seating is not None
    drawn = next(event.what for event in sitting.events if isinstance(event.what, PackDrawn))
    assert drawn.pack == table.shuffles.pack(table.game)
    for person in range(4):
        seat = table.match.seating.places[person]
        assert table.seats.by_seat[seat].session == f"p{person}"
        assert table.seats.names[seat] == f"Person {person}"
        assert table.seats.seat_of(f"p{person}") == seat


def test_tables_with_wrong_options_are_refused_in_a_sentence() -> None:
    with pytest.raises(BadRules, match="there is no preset"):
        Table.new("t", "snap", 4, bytes(32), TableOptions(), find)
    with pytest.raises(ValueError, match="for 4 players, not 3"):
        Table.new("t", "tuppi", 3, bytes(32), TableOptions(), find)
    with pytest.raises(ValueError, match="window=soon is not allowed; write seconds from 0 to 60"):
        Table.new("t", "tuppi", 4, bytes(32), TableOptions.parse({"window": "soon"}), find)


# ----------------------------------------------------------------------------------------- what acts do


def test_key_repeated_gives_the_same_answer_and_is_refused_for_another_action() -> None:
    sitting = dealt()
    table, session = sitting.table, sitting.session(0)
    act, other = map(str, sitting.view(0).legal[:2])
    change = commands.act(table, session, act, table.seq, "one-and-only", 1.0)
    assert not isinstance(change, int)
    event, after = change
    assert after == table.after(event, 1.0), "what is answered is the fold of what is stored"
    assert commands.act(after, session, act, table.seq, "one-and-only", 1.0) == event.seq
    for text, seq in ((other, table.seq), (act, after.seq)):
        with pytest.raises(KeyReused):
            commands.act(after, session, text, seq, "one-and-only", 1.0)
    with pytest.raises(KeyReused):
        commands.act(after, sitting.session(1), act, table.seq, "one-and-only", 1.0)
    with pytest.raises(RequestError, match="8 to 64 plain characters"):
        commands.act(table, session, act, table.seq, "short", 1.0)


def test_decision_with_an_old_number_is_stale_but_sealed_answers_do_not_disturb_each_other() -> None:
    sitting = dealt()
    seq = sitting.table.seq
    sitting.does(0, legal(sitting, 0))
    sitting.does(1, legal(sitting, 1))
    late = commands.act(sitting.table, sitting.session(2), legal(sitting, 2), seq, sitting.key(), sitting.now)
    assert isinstance(late, Change)
    sitting.add(late)
    sitting.does(3, legal(sitting, 3))
    sitting.until_asked()
    (seat,) = sitting.match.hand.owed()
    for wrong in (seq, sitting.table.seq + 1, -1):
        with pytest.raises(Stale, match="moved on"):
            commands.act(
                sitting.table, sitting.session(seat), legal(sitting, seat), wrong, sitting.key(), sitting.now
            )


@pytest.mark.parametrize("preset", ["tuppi", "norwegian_catsatcards", "tuppen_zk", "toepen", "huutopussi"])
def test_decisions_grow_old_by_everything_but_answers_of_others_to_the_same_question(preset: str) -> None:
    sitting = dealt(preset, persons=4)
    rng, kept = random.Random(8), 0
    while sitting.table.seq < 400 and not sitting.table.over:
        seq, settled = sitting.table.seq, sitting.table.fresh
        sitting.played(rng, 1)
        if not isinstance(sitting.events[-1].what, ActionDone) or sitting.table.between_hands:
            continue
        question = sitting.match.hand.view(None).question
        same = question is not None and question.at_once and bool(question.answers)
        assert sitting.table.fresh == (settled if same else seq + 1)
        kept += same
    assert kept or preset in ("tuppen_zk", "huutopussi", "toepen")


def test_action_is_checked_against_rules_and_seat() -> None:
    sitting = dealt()
    with pytest.raises(IllegalAction) as refusal:
        commands.act(
            sitting.table, sitting.session(0), "play S2", sitting.table.seq, sitting.key(), sitting.now
        )
    assert refusal.value.clause and refusal.value.legal == sitting.view(0).legal
    with pytest.raises(RequestError, match="is not a card"):
        commands.act(
            sitting.table, sitting.session(0), "play S1O", sitting.table.seq, sitting.key(), sitting.now
        )
    with pytest.raises(NotYours, match="watching"):
        commands.act(sitting.table, "stranger", "pass", sitting.table.seq, sitting.key(), sitting.now)


def test_deal_cannot_be_sent_by_a_person() -> None:
    sitting = dealt()
    deal = str(sitting.match.hand.log[0][1])
    with pytest.raises(IllegalAction):
        commands.act(sitting.table, sitting.session(0), deal, sitting.table.seq, sitting.key(), sitting.now)


# ------------------------------------------------------------------------------------ what it does itself


def one_hand(sitting: Sitting, seed: int = 1) -> Sitting:
    rng = random.Random(seed)
    while not sitting.table.between_hands:
        sitting.played(rng, 1)
    return sitting


def test_next_hand_waits_for_the_persons() -> None:
    sitting = one_hand(dealt())
    table = sitting.table
    assert due_steps(table) == ()
    seen = view_of(table, "p0", 0.0, "en")
    assert seen.waiting and not seen.view.owed and not seen.view.legal
    assert seen.finished and seen.view == sitting.match.played[-1].hand.view(0)
    for seat in range(3):
        sitting.does(seat, "next")
        with pytest.raises(Stale, match="already been asked"):
            commands.act(sitting.table, sitting.session(seat), "next", 0, sitting.key(), sitting.now)
    (step,) = due_steps(sitting.table)
    assert (step.what, step.at) == ("deal", sitting.now + NEXT_WAIT)
    early = view_of(sitting.table, "p0", 0.0, "en")
    assert early.resting and not early.waiting, "who has gone on still sees the result, not the old hand"
    sitting.does(3, "next")
    assert due_steps(sitting.table)[0].at == sitting.now
    sitting.self_done()
    assert not sitting.table.between_hands and sitting.table.ready == ()
    assert not view_of(sitting.table, "p0", 0.0, "en").resting


def test_bid_cards_are_turned_up_one_by_one_at_the_pace_of_people() -> None:
    sitting = dealt("tuppi", pace="0.5")
    for seat in range(4):
        sitting.does(seat, next(a for a in sitting.view(seat).legal if str(a)[5] in "SC" or "nolo" in str(a)))
    times = []
    while [step.what for step in due_steps(sitting.table)] == ["turn up"]:
        before = sitting.now
        sitting.self_done()
        times.append(round(sitting.now - before, 3))
    assert times == [0.5] * 4
    assert all(isinstance(action, Show | Call) for _, action in sitting.match.hand.log[-4:])


def test_computer_players_take_their_time_and_let_a_trick_lie() -> None:
    sitting = dealt(persons=1, computers=3, pace="0.5")
    rng = random.Random(5)
    seen = set()
    while not sitting.table.between_hands:
        todo = due_steps(sitting.table)
        if todo and sitting.view(0).facts.phase == "play" and len(sitting.view(0).tricks) < 13:
            gathered = bool(sitting.view(0).tricks) and not sitting.view(0).trick
            assert todo[0].at - sitting.now == pytest.approx(1.0 if gathered else 0.5)
            seen.add(gathered)
        sitting.played(rng, 1)
    assert seen == {True, False}


def test_pace_of_nothing_waits_for_nothing() -> None:
    sitting = dealt(persons=1, computers=3, pace="0")
    one_hand(sitting)
    assert sitting.now == 100.0


@pytest.mark.clause("TU-ZK-III3a")
def test_window_to_raise_is_open_to_all_and_computers_are_never_faster() -> None:
    """Two persons and a computer player at Tuppen: after a card the table leaves a window for raises."""
    sitting = dealt("tuppen_zk", persons=2, computers=1, pace="0.5")
    rng = random.Random(2)
    windows = 0
    for _ in range(400):
        hand = sitting.match.hand
        todo = due_steps(sitting.table)
        persons = sitting.table.seats.persons()
        free = [seat for seat in persons if seat not in hand.owed() and hand.legal(seat)]
        if free and todo and hand.owed() != (-1,):
            windows += 1
            assert all(step.at >= sitting.now + 2.0 for step in todo)
            session = sitting.session(free[0])
            assert view_of(sitting.table, session, sitting.now + 0.5, "en").window == 1.5
            assert view_of(sitting.table, session, sitting.now + 2.5, "en").window is None
            assert view_of(sitting.table, None, sitting.now, "en").window is None
        if sitting.table.over:
            break
        sitting.played(rng, 1)
    assert windows > 5


def test_window_is_an_option_of_the_table() -> None:
    assert dealt("tuppen_zk", persons=3).table.window == 2.0
    assert dealt("tuppen_zk", persons=3, window="0").table.window == 0.0
    assert dealt("tuppi").table.window == 0.0


def test_computer_player_is_asked_once_whether_it_interrupts() -> None:
    sitting = dealt("tuppen_zk", persons=1, computers=2)
    rng = random.Random(4)
    for _ in range(200):
        asked = [step for step in due_steps(sitting.table) if step.what == "interrupt"]
        if asked:
            declined = frozenset(step.seat for step in asked)
            assert all(step.what != "interrupt" for step in due_steps(sitting.table, declined))
            return
        sitting.played(rng, 1)
    raise AssertionError("nobody could ever interrupt")


def test_computer_players_are_asked_clockwise_from_the_seat_on_turn() -> None:
    """As everywhere else: whoever has the lowest seat number has no better right to speak."""
    sitting = dealt("tuppen_zk", persons=1, computers=4)
    rng, turned = random.Random(1), 0
    for _ in range(200):
        asked = [step.seat for step in due_steps(sitting.table) if step.what == "interrupt"]
        assert sitting.table.match is not None
        if asked:
            turn = sitting.table.match.hand.owed()[0]
            assert asked == sorted(asked, key=lambda seat: (seat - turn) % 5)
            turned += asked != sorted(asked)
        sitting.played(rng, 1)
    assert turned


# --------------------------------------------------------------------------------- replay and the record


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "tuppen_zk", "huutopussi"])
def test_table_is_the_fold_of_its_events(preset: str) -> None:
    sitting = dealt(preset, persons=2, computers=2)
    sitting.played(random.Random(3), 150)
    again = sitting.folded(sitting.now)
    assert replace(again, since=sitting.table.since) == sitting.table


def test_events_come_in_order_or_not_at_all() -> None:
    sitting = dealt()
    with pytest.raises(ValueError, match="cannot follow"):
        sitting.table.after(sitting.events[-1], 0.0)


def test_deals_are_those_of_the_secret_and_the_record_verifies() -> None:
    sitting = dealt(persons=2, computers=2)
    rng = random.Random(6)
    while not sitting.table.over:
        sitting.played(rng, 40)
    assert sitting.table.secret == sitting.secret.hex()
    found = shuffle.verify(record.record(sitting.table, None), find)
    assert found.problems == () and found.shuffles == sitting.table.deals + 1


def test_running_record_is_cut_to_the_seat() -> None:
    sitting = dealt()
    own, public = record.record(sitting.table, "p0"), record.record(sitting.table, None)
    assert sitting.table.secret is None and "secret" not in own
    seat = sitting.table.seats.seat_of("p0")
    assert seat is not None
    assert own.count("?13") == 3 and public.count("?13") == 4
    assert hand_text(sitting.view(seat).cards) in own
