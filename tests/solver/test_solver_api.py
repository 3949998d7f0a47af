"""What callers rely on: limits, cancelling, determinism, words for what is wrong, life without a compiler."""

import os
import signal
import threading
import time
import warnings
from dataclasses import replace
from random import Random

import pytest

from nousu.engine.cards import ACE_LOW, DECK_36, DECK_52, TEN_BELOW_ACE, Card, card_set, cards_of, parse_card
from nousu.solver import (
    Cancel,
    Declaration,
    Goal,
    Huutopussi,
    Marriages,
    Nolo,
    Position,
    Rami,
    SolveStopped,
    Sooli,
    Tuppen,
    api,
    compiled,
    huutopussi_position,
    native,
    parse_deal,
    replay,
    rollouts,
    solve,
    solve_leaders,
    solve_many,
    sooli_position,
    tuppen_position,
)
from nousu.solver.position import stretches

needs_core = pytest.mark.skipif(compiled() is None, reason="no compiled core")
HEARTS = huutopussi_position(tuple(1 << 16 + rank for rank in (4, 5, 6, 7)), 0)
HP_440 = "N:AKQ.AKQT.A.A 98.98.J98.98 JT.J.KQT.KQT 76.76.76.J76"  # all the points there are


def deals(count: int, size: int, seed: int = 1, pack: tuple[Card, ...] = DECK_52) -> list[Position]:
    dice = Random(seed)
    found = []
    for _ in range(count):
        cards = dice.sample(pack, 4 * size)
        hands = tuple(card_set(cards[size * seat : size * seat + size]) for seat in range(4))
        found.append(Position(hands=hands, turn=dice.randrange(4)))
    return found


@needs_core
@pytest.mark.native
def test_hp_440_is_worth_440() -> None:
    """No defence holds the declarers of HP-440 to less, and the line found shows it."""
    position = parse_deal(HP_440)
    position = huutopussi_position(position.hands, 0)
    solution = solve(position, Huutopussi(), want="one", line=True)
    assert solution.value == 440
    assert replay(position, Huutopussi(), solution.line) == 440
    assert Declaration("marriage", parse_card("HK")) in solution.line
    assert solve(position, Huutopussi(contract=440), want="value").value == 1
    assert solve(position, Huutopussi(side=1), want="value").value == 0


def test_known_partner_is_asked_for_the_other_half() -> None:
    """HP-GR-25: with the king opposite the queen, asking for the half is the best there is."""
    hands = tuple(card_set(map(parse_card, hand.split())) for hand in ("SK S6", "D6 D7", "SQ S7", "C6 C7"))
    position = Position(hands=hands, turn=0, strength=TEN_BELOW_ACE, marriages=Marriages(open=True))
    solution = solve(position, Huutopussi(), line=True)
    assert solution.value == 40 + 10 + 20
    assert solution.best == (Declaration("half", parse_card("SK")),)


def test_named_contract_is_made_or_not() -> None:
    hands = tuple(card_set([parse_card(card)]) for card in ("SA", "S6", "S10", "S7"))
    position = Position(hands=hands, turn=0, strength=TEN_BELOW_ACE, won=(60, 0))
    assert solve(position, Huutopussi()).value == 100
    assert solve(position, Huutopussi(contract=100)).value == 1
    assert solve(position, Huutopussi(contract=105)).value == 0


def test_sooli_both_orders() -> None:
    """A-T-09: last to every trick, the soloist sees the higher card come; in rotation he does not."""
    written = ("S7 S5 H8", "S8 S6 D4", "", "S3 H6 D5")
    hands = tuple(card_set(map(parse_card, hand.split())) for hand in written)
    last = solve(sooli_position(hands, 0, "always_last"), Sooli(0), want="value").value
    rotation = solve(sooli_position(hands, 0, "rotation"), Sooli(0), want="value").value
    assert (last, rotation) == (1, 0)


def test_soloist_may_throw_from_a_safe_suit() -> None:
    """He throws his ace of diamonds and waits which of hearts and clubs the opponents unburden."""
    written = ("", "H7 H5 D6 C6 C4", "H3 H2 DA C3 C2", "S5 S3 HA D2 CA")
    hands = tuple(card_set(map(parse_card, hand.split())) for hand in written)
    position = Position(hands=hands, turn=3, active=(1, 2, 3), last=2, strength=ACE_LOW)
    assert solve(position, Sooli(2), want="value").value == 1


def test_tuppen_is_the_last_trick() -> None:
    hands = tuple(card_set(map(parse_card, hand.split())) for hand in ("S10 H7", "S9 H8", "S8 H9"))
    solution = solve(tuppen_position(hands, 0), Tuppen(0))
    assert solution.value == 1
    assert solution.best == (parse_card("H7"),)
    assert solve(tuppen_position(hands, 0), Tuppen(2)).value == 0


@needs_core
@pytest.mark.native
def test_limits_stop_and_name_the_reason() -> None:
    position = deals(1, 13)[0]
    with pytest.raises(SolveStopped, match="node limit"):
        solve(position, Nolo(), nodes=2000)
    with pytest.raises(SolveStopped, match="time limit"):
        solve(position, Nolo(), seconds=0.001)
    assert solve_many([(position, Nolo())], nodes=2000) == [None]
    assert solve_many([(position, Nolo())], nodes=2000, line=True, threads=2) == [None]


@needs_core
@pytest.mark.native
def test_another_thread_cancels_within_50_ms_of_work() -> None:
    """The interpreter is free while the core searches, and the flag is seen at once. What is measured is the
    processor time of both threads from the flag to the end: a busy machine does not lengthen it."""
    cancel = Cancel()
    spent = []
    problems = [(position, Nolo()) for position in deals(4, 13, seed=3)]

    def search() -> None:
        found = solve_many(problems, want="all", threads=2, cancel=cancel)
        spent.append(time.process_time() - raised)
        assert found[-1] is None

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.1)
    raised = time.process_time()
    cancel.set()
    thread.join()
    assert cancel.is_set()
    assert spent[0] <= 2 * 0.05


@needs_core
@pytest.mark.native
def test_answers_do_not_depend_on_threads_or_company() -> None:
    problems: list[tuple[Position, Goal]] = [
        (position, goal) for position in deals(12, 8) for goal in (Rami(), Nolo())
    ]
    problems += [
        (huutopussi_position(position.hands, position.turn), Huutopussi())
        for position in deals(6, 8, pack=DECK_36)
    ]
    alone = [solve(position, goal, line=True) for position, goal in problems]
    assert solve_many(problems, line=True) == alone
    assert solve_many(problems[::-1], line=True, threads=2) == alone[::-1]


@needs_core
@pytest.mark.native
def test_node_signature() -> None:
    """Fifty fixed deals. A change that is meant to change nothing leaves these counts alone."""
    nodes = {
        "rami": sum(solve(position, Rami(), want="value").nodes for position in deals(50, 9, seed=50)),
        "nolo": sum(solve(position, Nolo(), want="value").nodes for position in deals(50, 7, seed=50)),
        "sooli": sum(
            solve(sooli_position(position.hands, 0), Sooli(0), want="value").nodes
            for position in deals(50, 9, seed=50)
        ),
        "huutopussi": sum(
            solve(huutopussi_position(position.hands, position.turn), Huutopussi(), want="value").nodes
            for position in deals(50, 7, seed=50, pack=DECK_36)
        ),
    }
    assert nodes == SIGNATURE


SIGNATURE = {
    "rami": 62498,
    "nolo": 122970,
    "sooli": 1321,
    "huutopussi": 368298,
}


@needs_core
@pytest.mark.native
def test_leaders_share_what_is_learnt() -> None:
    positions = deals(6, 9, seed=4)
    together = solve_leaders(positions, Rami())
    for position, answers in zip(positions, together, strict=True):
        for leader, answer in enumerate(answers):
            led = Position(hands=position.hands, turn=leader)
            assert answer is not None
            assert answer.value == solve(led, Rami(), want="value").value
    with pytest.raises(ValueError, match="card is on the table"):
        solve_leaders([Position(hands=(0, 2, 4, 8), turn=1, trick=((0, parse_card("S2")),))], Rami())


def test_rollouts_have_the_mean_of_random_play() -> None:
    """A hand of two cards has few enough plays to say the mean exactly."""
    position = parse_deal("N:A2... KQ... JT... 98...")
    assert rollouts([(position, Rami())], 500, 1) == rollouts([(position, Rami())], 500, 1)
    assert rollouts([(position, Rami())], 4000, 2)[0] == pytest.approx(1.0, abs=0.06)
    pack = Random(5).sample(DECK_36, 36)
    hands = tuple(card_set(pack[9 * seat : 9 * seat + 9]) for seat in range(4))
    points = rollouts([(huutopussi_position(hands, 0), Huutopussi())], 200, 3)[0]
    assert 0 <= points <= 160
    with pytest.raises(ValueError, match="at least one"):
        rollouts([(position, Rami())], 0, 1)


def test_impossible_positions_are_explained(subtests: pytest.Subtests) -> None:
    for position, goal, reason in [
        (Position(hands=(1, 2, 4), turn=0, active=(0, 1, 2)), Rami(), "four hands, not 3"),
        (Position(hands=(1, 1, 4, 8), turn=0), Rami(), "also in another hand"),
        (Position(hands=(1, 2, 4, 24), turn=0), Rami(), "equally many"),
        (Position(hands=(0, 0, 0, 0), turn=0), Rami(), "no card is left"),
        (Position(hands=(1, 2, 4, 8), turn=2, active=(0, 1, 3)), Sooli(0), "takes no part"),
        (Position(hands=(1, 2, 4, 8), turn=0, strength=TEN_BELOW_ACE), Huutopussi(), "order of ranks"),
        (Position(hands=(-1, 0, 0, 0), turn=0), Rami(), "seat 0 holds a rank"),
        (Position(hands=(1, 2, 4, 1 << 14), turn=0), Rami(), "seat 3 holds a rank"),
        (Position(hands=(1, 2, 4, 8), turn=0, strength=(0, 1)), Rami(), "no order of ranks"),
        (Position(hands=(1, 2, 4, 8), turn=0, strength=(0,) * 13), Rami(), "no order of ranks"),
        (Position(hands=(1, 2, 4, 8), turn=0, active=(3, 2, 1, 0)), Rami(), "not in seat order"),
        (Position(hands=(1, 2, 4, 8), turn=0, trump=5), Rami(), "trump 5 is no suit"),
        (Position(hands=(1, 2, 4, 8), turn=0, last=9), Rami(), "seat 9 is to play last"),
        (Position(hands=(1, 2, 4, 0), turn=0, trick=((3, Card(2)),)), Rami(), "twice on the table"),
        (Position(hands=(1, 2, 4, 0), turn=0, trick=((9, Card(5)),)), Rami(), "no such seat"),
        (Position(hands=(1, 2, 4, 0), turn=0, trick=((3, Card(15)),)), Rami(), "none that this order"),
        (Position(hands=(1, 2, 4, 0), turn=1, trick=((3, Card(5)),)), Rami(), "seat 1 is not next"),
        (Position(hands=(0, 2, 4, 0), turn=2, trick=((3, Card(5)), (0, Card(6)))), Rami(), "not next"),
        (Position(hands=(1, 2, 4, 8), turn=0), Rami, "is not a goal"),
        (HEARTS, Huutopussi(side=2), "side 2 is none"),
        (
            replace(HEARTS, marriages=Marriages(asked=True)),
            Huutopussi(),
            "seat 0 is asked for a marriage but",
        ),
        (replace(HEARTS, marriages=Marriages(asked=True)), Nolo(), "nobody is asked for a marriage in nolo"),
        (replace(HEARTS, marriages=Marriages(declared=frozenset({7}))), Huutopussi(), "from 0 to 3"),
        (HEARTS, Huutopussi(last_trick=-20), "cannot be worth -20"),
        (HEARTS, Huutopussi(aim="wins"), "aim is points or difference, not 'wins'"),  # type: ignore[arg-type]
        (HEARTS, Huutopussi(card_values=(10, 5)), "card_values are 13 numbers from 0 to 120"),
        (HEARTS, Huutopussi(marriage_values=(40, 100, 80, 600)), "marriage_values are 4 numbers"),
        (HEARTS, Huutopussi(declare_right="x"), "declare_right is led_and_won"),  # type: ignore[arg-type]
    ]:
        with subtests.test(reason), pytest.raises(ValueError, match=reason):
            solve(position, goal)


def test_impossible_position_among_possible_ones_is_explained() -> None:
    """Neighbours that differ only in their hands share what is checked about the rest, the hands do not."""
    good = deals(3, 4)
    fine: list[tuple[Position, Goal]] = [(replace(position, turn=0), Rami()) for position in good]
    twice = replace(fine[1][0], hands=(good[1].hands[0], *good[1].hands[:3]))
    uneven = replace(fine[1][0], hands=(good[1].hands[0] & good[1].hands[0] - 1, *good[1].hands[1:]))
    turned = replace(fine[1][0], turn=4)
    for wrong, reason in (
        (twice, "a card of seat 1 is also in another hand"),
        (uneven, "do not hold equally many cards: seat 0 3, seat 1 4"),
        (turned, "seat 4 is on turn but takes no part"),
    ):
        with pytest.raises(ValueError, match=reason):
            solve_many([fine[0], (wrong, Rami()), fine[2]])
    with pytest.raises(ValueError, match="soloist, seat 7"):
        solve_many([*fine, (fine[0][0], Sooli(7))])


@needs_core
@pytest.mark.native
def test_record_does_not_depend_on_its_neighbours() -> None:
    """What follows the hands is made once for neighbours that agree in it: not for those that differ in one
    thing."""
    first, second = (huutopussi_position(deal.hands, 0) for deal in deals(2, 6, pack=DECK_36))
    table = [((0, card),) for card in cards_of(first.hands[0])]
    led = [replace(first, hands=(0, *first.hands[1:]), turn=1, trick=trick) for trick in table]
    scored, points = replace(first, won=(20, 0)), Huutopussi(contract=60)
    five = replace(first, hands=(*first.hands, 0))
    pairs: list[tuple[tuple[Position, Goal], tuple[Position, Goal]]] = [
        ((first, Huutopussi()), (second, Huutopussi())),
        ((first, Huutopussi()), (first, Huutopussi(side=1))),
        ((first, Rami()), (first, Nolo())),
        ((first, Rami()), (replace(first, turn=1), Rami())),
        ((led[0], Rami()), (led[1], Rami())),
        ((first, Tuppen(0)), (replace(first, active=(0, 1, 2)), Tuppen(0))),
        ((first, Rami()), (replace(first, last=3), Rami())),
        ((first, Rami()), (replace(first, trump=2), Rami())),
        ((first, Rami()), (replace(first, strength=ACE_LOW), Rami())),
        ((first, points), (scored, points)),
        ((first, Huutopussi()), (replace(first, marriages=Marriages(open=True)), Huutopussi())),
        ((first, Tuppen(0)), (five, Tuppen(0))),
    ]
    for pair in pairs:
        one, other = (native.records([[problem]]) for problem in pair)
        assert one != other and len(one) == len(other) == native.RECORD
        assert native.records(stretches([*pair, *pair[::-1]])) == one + other + other + one


def test_impossible_limits_are_explained() -> None:
    position = parse_deal("N:A2... KQ... JT... 98...")
    with pytest.raises(ValueError, match="want is one of value, one, all"):
        solve(position, Rami(), want="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nodes must be 1 or more"):
        solve(position, Rami(), nodes=0)
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        solve_many([(position, Rami())], threads=0)
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        rollouts([(position, Rami())], 1, 1, threads=-1)
    with pytest.raises(ValueError, match="no leader"):
        solve_leaders([position], Rami(), ())


@needs_core
@pytest.mark.native
def test_no_time_left_is_no_time_at_all() -> None:
    """What is left of a deadline may be 0 or less; that must not mean without limit."""
    for seconds in (0.0, -1.0):
        with pytest.raises(SolveStopped, match="time limit"):
            solve(deals(1, 13)[0], Nolo(), seconds=seconds)


@needs_core
@pytest.mark.native
def test_interrupt_from_the_keyboard_ends_a_long_call_at_once() -> None:
    """Signals are handled in the main thread, which must not be waiting inside the core."""
    problems = [(position, Nolo()) for position in deals(40, 13, seed=3)]
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        solve_many(problems)
    assert time.process_time() - begun < 2  # all of them would take half a minute of work


@needs_core
@pytest.mark.native
def test_an_interrupt_ends_a_long_row_of_rollouts() -> None:
    position = deals(1, 13)[0]
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        rollouts([(position, Rami())], 10**12, 1)
    assert time.process_time() - begun < 2
    stop = Cancel()
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(SolveStopped, match="cancelled"):
        rollouts([(position, Rami()), (position, Rami())], 10**12, 1, threads=2, cancel=stop)


def test_arguments_that_cannot_be_are_refused() -> None:
    position = parse_deal("N:A2... KQ... JT... 98...")
    with pytest.raises(TypeError, match="a position is wanted, not a str; position_of"):
        solve("N:A2... KQ... JT... 98...", Rami())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="seconds must be a number, not 'x'"):
        solve(position, Rami(), seconds="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seconds must be a number, not nan"):
        solve(position, Rami(), seconds=float("nan"))
    with pytest.raises(TypeError, match=r"nodes must be a whole number, not 1\.5"):
        solve(position, Rami(), nodes=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="are more than"):
        rollouts([(position, Rami())], 10**20, 1)
    assert solve(position, Rami(), nodes=10**30, seconds=float("inf")).value == 1
    assert solve_many([(position, Rami())], threads=10**12)[0] is not None


def test_solver_without_the_compiled_core_is_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an installation without a compiler; the warning comes once."""
    monkeypatch.setattr(native, "core", None)
    monkeypatch.setattr(api, "_warned", False)
    position = parse_deal("N:A2... K3... Q4... J5...")
    with pytest.warns(RuntimeWarning, match="without its compiled core"):
        assert solve(position, Nolo(), line=True).value == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(solve(position, Nolo(), want="one").moves.values()) == [1]
        assert solve(position, Rami(), want="value").moves == {}
        with pytest.raises(SolveStopped):
            solve(position, Rami(), nodes=2)
        cancel = Cancel()
        cancel.set()
        assert rollouts([(position, Rami())], 10, 1)[0] >= 0
        assert len(solve_leaders([position], Rami())[0]) == 4
