"""Matches: hands in a row, booked one after another, until somebody has won."""

from random import Random

import pytest

from nousu.engine.actions import Deal
from nousu.engine.cards import DECK_52, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.game import Dealing, Game
from nousu.engine.laws import random_match
from nousu.engine.match import Match, shuffled
from nousu.engine.seats import CHANCE
from nousu.games import find


def test_match_begins_waiting_for_the_cards(last_trick: Game) -> None:
    match = Match.start(last_trick, last_trick.presets["last_trick"], 3, dealer=2)
    assert (match.hand.owed(), match.hand.setup.dealer, match.hand.setup.number) == ((CHANCE,), 2, 1)
    assert match.winner is None and match.played == ()


@pytest.mark.parametrize("seats", [1, 7])
def test_number_of_players_is_checked(last_trick: Game, seats: int) -> None:
    with pytest.raises(ValueError, match=f"last_trick is for 2 to 6 players, not {seats}"):
        Match.start(last_trick, last_trick.presets["last_trick"], seats)


@pytest.mark.parametrize("dealer", [-1, 3, 7])
def test_dealer_sits_at_the_table(last_trick: Game, dealer: int) -> None:
    with pytest.raises(ValueError, match=f"‘{dealer}’ is not a seat; the seats are 0 1 2"):
        Match.start(last_trick, last_trick.presets["last_trick"], 3, dealer)


def test_view_of_a_seat_that_does_not_exist_is_refused(subtests: pytest.Subtests) -> None:
    """West's cards are not those of "the last seat" of a list."""
    for preset in ["tuppi", "huutopussi", "tuppen_zk"]:
        for seat in [-1, 4, 7]:
            with subtests.test(preset=preset, seat=seat):
                match = Match.start(*find(preset), 4)
                for hand in (match.hand, match.deal(Random(1)).hand):
                    with pytest.raises(ValueError, match=f"‘{seat}’ is not a seat; the seats are 0 1 2 3"):
                        hand.view(seat)


def test_action_of_an_unknown_kind_is_named(last_trick: Game, subtests: pytest.Subtests) -> None:
    for preset in ["tuppi", "huutopussi", "tuppen_zk", "last_trick"]:
        for wrong in ["play SA", None, 7, ("play", "SA")]:
            with subtests.test(preset=preset, wrong=wrong):
                game, rules = (
                    (last_trick, last_trick.presets[preset]) if preset == "last_trick" else find(preset)
                )
                match = Match.start(game, rules, 4)
                for now in (match, match.deal(Random(1))):
                    for seat in (CHANCE, *range(4)):
                        with pytest.raises(TypeError, match="an action is a Deal, Call, Seal, Show") as found:
                            now.apply(seat, wrong)
                assert ("parse_action('play SA') reads one" in str(found.value)) == (wrong == "play SA")


def test_finished_hand_is_booked_and_the_deal_moves(last_trick: Game) -> None:
    steps = [match for match, _ in random_match(last_trick, last_trick.presets["last_trick"], 4, Random(5))]
    last = steps[-1]
    assert last.winner is not None
    points = [0] * 4
    for at, played in enumerate(last.played):
        setup = played.hand.setup
        assert (setup.number, setup.dealer) == (at + 1, (last.dealer + at) % 4)
        points = [had + won for had, won in zip(points, played.result.points, strict=True)]
        assert played.tally.score() == tuple(points)
    assert last.tally == last.played[-1].tally
    assert last.hand == last.played[-1].hand
    assert last.winner == (max(range(4), key=points.__getitem__),)


def test_match_refuses_actions_after_the_end(last_trick: Game) -> None:
    rules = last_trick.rules_named("last_trick+target=1")
    *_, (match, _) = random_match(last_trick, rules, 2, Random(1))
    assert match.winner is not None
    with pytest.raises(IllegalAction):
        match.deal(Random(2))


def test_match_is_a_value(last_trick: Game) -> None:
    match = Match.start(last_trick, last_trick.presets["last_trick"], 2)
    one, two = match.deal(Random(3)), match.deal(Random(3))
    assert one == two and one != match
    assert match.hand.owed() == (CHANCE,)


def test_drawing_names_the_first_dealer(last_trick: Game) -> None:
    pack = parse_hand("S:2 H:K D:9") + tuple(card for card in DECK_52 if card.rank == 1)
    match = Match.draw(last_trick, last_trick.presets["last_trick"], 3, pack)
    assert match.dealer == 1
    assert match.drawn == pack[:3]
    assert match.seating is not None and match.seating.places == (0, 1, 2)


@pytest.mark.parametrize(("batch", "first"), [(1, "S:AQT H:K"), (2, "S:AKT H:A"), (4, "S:AKQJ")])
@pytest.mark.clause("TU-ZK-II2d")
def test_cards_are_dealt_in_batches_from_the_start_seat(batch: int, first: str) -> None:
    pack = parse_hand("S:AKQJT H:AKQ")
    deal = Dealing(pack, (4, 4), start=0, batch=batch).dealt(pack)
    assert deal.stock == ()
    assert Dealing(pack, (4, 4), start=1, batch=batch).dealt(pack).hands == deal.hands[::-1]
    assert deal.hands[0] == parse_hand(first)


def test_deal_must_fill_its_order_form() -> None:
    pack = parse_hand("S:AKQJ")
    form = Dealing(pack, (1, 1))
    one, two, three, four = pack
    form.check(form.dealt(pack), "X-1")
    for wrong, said in (
        (Deal(((one, two), ()), (three, four)), "the hands must hold these numbers of cards: 1 1"),
        (Deal(((one,), (two,)), (two, four)), "SK is dealt twice"),
        (Deal(((one,), (two,)), (three,)), "SJ is missing"),
        (Deal(((one,), (two,)), (three, four, *parse_hand("H:2"))), "H2 is not in this pack"),
    ):
        with pytest.raises(IllegalAction, match=f"X-1: {said}"):
            form.check(wrong, "X-1")


def test_shuffled_deal_uses_the_whole_pack() -> None:
    deal = shuffled(Dealing(DECK_52, (5, 5, 5), batch=2), Random(9))
    assert sorted((*deal.hands[0], *deal.hands[1], *deal.hands[2], *deal.stock)) == list(DECK_52)
