"""Clocks: seconds for an action, a bank for a hand; a computer player acts once when both are over."""

from nousu.server.live.presence import RATES, Clocks, awaited_seats
from nousu.server.live.room import Room
from nousu.server.table import commands, seating
from nousu.server.table.events import ActionDone
from nousu.server.table.schedule import due_steps
from table_fixtures import Sitting

EACH, BANK = RATES["quick"]


def playing(clock: str = "quick", **options: str) -> tuple[Sitting, Clocks, int]:
    """A table at which one seat has to play a card, its clock just begun."""
    sitting = Sitting("tuppi", options={"clock": clock, **options})
    sitting.until_asked()
    while len(sitting.match.hand.owed()) != 1:
        seat = sitting.match.hand.owed()[0]
        sitting.does(seat, sitting.view(seat).legal[0])
        sitting.until_asked()
    begun = Clocks()
    begun.update(sitting.table, 0.0)
    return sitting, begun, awaited_seats(sitting.table)[0]


def test_seconds_of_an_action_come_first_and_then_the_bank() -> None:
    sitting, clock, seat = playing()
    (one,) = clock.running(sitting.table, 5.0)
    assert (one.seat, one.left, one.bank) == (seat, EACH - 5, BANK)
    (one,) = clock.running(sitting.table, EACH + 10)
    assert (one.left, one.bank) == (0.0, BANK - 10)
    assert clock.expired(sitting.table, EACH + BANK - 1) == ()
    assert clock.expired(sitting.table, EACH + BANK) == (sitting.session(seat),)


def test_time_drawn_from_the_bank_is_gone_for_this_hand_and_each_action_begins_anew() -> None:
    sitting, clock, seat = playing()
    now = EACH + 15
    for _ in range(60):
        mover = awaited_seats(sitting.table)[0]
        sitting.does(mover, sitting.view(mover).legal[0])
        clock.update(sitting.table, now)
        sitting.until_asked()
        clock.update(sitting.table, now)
        if awaited_seats(sitting.table) == (seat,):
            break
    (one,) = clock.running(sitting.table, now)
    assert (one.seat, one.left, one.bank) == (seat, EACH, BANK - 15)


def test_clock_stands_while_the_server_is_held_up_or_a_question_is_open() -> None:
    sitting, clock, seat = playing(undo="yes")
    clock.forgive(30.0)
    (one,) = clock.running(sitting.table, 31.0)
    assert (one.left, one.bank) == (EACH - 1, BANK)
    sitting.does(seat, sitting.view(seat).legal[0])
    change = commands.ask(sitting.table, sitting.session(seat), "undo", sitting.table.seq, False, 31.0)
    clock.update(change.table, 31.0)
    assert clock.running(change.table, 90.0) == ()


def test_table_without_a_clock_has_none() -> None:
    sitting, clock, _ = playing("off")
    assert clock.running(sitting.table, 900.0) == ()
    assert clock.expired(sitting.table, 900.0) == ()


def test_time_that_is_up_lets_a_computer_player_do_one_action() -> None:
    sitting, _, seat = playing()
    now = [0.0]
    room = Room(sitting.table, None, None, lambda: now[0])  # type: ignore[arg-type]
    session, page = sitting.session(seat), object()
    room.connect(session, page)
    now[0] = EACH + BANK + 1
    room.beat(session, page)
    assert room.check_presence() == (session,)
    away = seating.leave(sitting.table, session, "rules", now[0]).table
    room._become(away)
    assert room.returned() == ()
    (step,) = due_steps(away)
    assert (step.what, step.seat) == ("choose", seat)
    assert away.match is not None
    room._become(away.change(ActionDone(seat, away.match.hand.legal(seat)[0]), now[0]).table)
    assert room.returned() == (session,)
