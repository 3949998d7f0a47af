"""The worlds of the whist family: every sample could have been, and none is missing or favoured."""

from collections import Counter
from functools import cache
from itertools import permutations
from random import Random

import pytest

from hands import placements
from nousu.engine.actions import Call, Deal, Give, Seal
from nousu.engine.cards import card_set, cards_of, parse_card, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.laws import random_match
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find, games
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.players.worlds import World, replay_world, worlds

PRESETS = [
    *games()["whist"].presets,
    "tuppi+sooli_exchange=receive_then_return",
    "tuppi_catsatcards+sooli_exchange=discard_then_receive",
]
SOOLI_DEAL = (
    "S:AK6 H:KQJ D:KQ3 C:KQJT / S:2345 H:A23 D:A24 C:A35 / "
    "S:QJT9 H:T94 D:JT9 C:987 / S:87 H:8765 D:8765 C:642"
)


def test_samples_are_possible_deals(subtests: pytest.Subtests):
    """Replaying what was heard in a sampled world is legal and looks the same to the viewer."""
    for preset in PRESETS:
        with subtests.test(preset=preset):
            rng = Random(preset)
            game, rules = find(preset)
            seen = 0
            for _ in range(3):
                for _, hand in random_match(game, rules, 4, rng, hands=4):
                    if not hand.log or hand.result() is not None or rng.random() > 0.08:
                        continue
                    for seat in (0, 1, 2, 3, None):
                        view = hand.view(seat)
                        if view.facts.phase == "bid" and seat is None:
                            continue
                        found = worlds(view)
                        assert found.count > 0
                        world = found.sample(rng)
                        other = replay_world(view, world)
                        assert repr(other.view(seat)) == repr(view)
                        table = other.table.hands if other.table else other.hands
                        assert tuple(table) == world.hands
                        seen += 1
            assert seen > 30


def late_views(preset, tricks_left, count, seed):
    """Views of hands played by chance until few tricks are left, without a soloist."""
    rng = Random(seed)
    game, rules = find(preset)
    found = []
    while len(found) < count:
        for _, hand in random_match(game, rules, 4, rng, hands=1):
            view = hand.view(rng.randrange(4))
            if len(view.tricks) == 13 - tricks_left and view.facts.kind != "sooli" and not view.trick:
                if hand.result() is None:
                    found.append(view)
                break
    return found


def possible(view):
    """All worlds by trying to put every hidden card everywhere and replaying the hand."""
    played = [
        card_set(card for trick in view.tricks for by, card in trick.plays if by == seat) for seat in range(4)
    ]
    hidden = cards_of((card_set(games()["whist"].deck) & ~sum(played)) & ~card_set(view.cards))
    found = []
    for hands in placements(view, hidden):
        dealt = tuple(hand | past for hand, past in zip(hands, played, strict=True))
        world = World(hands, dealt)
        try:
            if repr(replay_world(view, world).view(view.seat)) == repr(view):
                found.append(world)
        except IllegalAction:
            continue
    return found


@pytest.mark.parametrize("preset", ["tuppi+sooli=off", "minnesota", "norwegian_parlett"])
def test_worlds_are_complete_and_equally_likely(preset):
    """With two tricks left: the count is that of enumeration, and samples are uniform by chi-square."""
    for view in late_views(preset, 2, 6, seed=8):
        expected = possible(view)
        found = worlds(view)
        assert found.count == len(expected)
        rng = Random(3)
        assert found.layouts == len(expected)
        assert sorted(found.every(rng)) == sorted((world, 1) for world in expected)
        draws = 60 * len(expected)
        seen = Counter(found.sample(rng) for _ in range(draws))
        assert set(seen) == set(expected)
        freedom = len(expected) - 1
        square = sum((seen[world] - 60) ** 2 / 60 for world in expected)
        assert square <= freedom + 4 * (2 * freedom) ** 0.5 + 5


@cache
def sooli_hand(preset):
    """A sooli that the rule-based players carry to the last trick."""
    game, rules = find(preset)
    hand = Match.start(game, rules, 4, 3).hand
    hand = hand.apply(CHANCE, Deal(tuple(parse_hand(one) for one in SOOLI_DEAL.split(" / "))))
    hands = [hand]
    while hand.result() is None:
        seat = hand.owed()[0]
        action = find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, 1).action
        if hand.view(None).facts.phase == "bid" and seat == 3:
            action = Seal(parse_card("S7"))
        hand = hand.apply(seat, action)
        hands.append(hand)
    return hands


def sooli_possible(view):
    """All (deal, gifts) an opponent of the soloist must reckon with, by direct reasoning card by card."""
    played = [card_set(card for by, card in view.trick if by == seat) for seat in range(4)]
    for trick in view.tricks:
        for by, card in trick.plays:
            played[by] |= 1 << card
    shown = {}
    for by, action in view.heard:
        if type(action).__name__ == "Show":
            shown[action.cards[0]] = by
    hidden = cards_of(card_set(games()["whist"].deck) & ~sum(played) & ~card_set(view.cards))
    soloist = view.facts.soloist
    mate = (soloist + 2) % 4
    third = next(seat for seat in range(4) if seat not in (soloist, mate, view.seat))
    voids = {seat: set() for seat in range(4)}
    for trick in view.tricks:
        for by, card in trick.plays:
            if card.suit != trick.plays[0][1].suit:
                voids[by].add(trick.plays[0][1].suit)
    found = set()
    assert view.counts[soloist] == 1 and view.counts[third] in (0, 1)
    names = ("solo", "aside") if view.counts[third] == 0 else ("solo", "aside", "third")
    for picked in permutations(hidden, len(names)):
        lying = dict(zip(names, picked, strict=True))
        if lying["solo"].suit in voids[soloist]:
            continue
        if "third" in lying and lying["third"].suit in voids[third]:
            continue
        mates = card_set(hidden) & ~card_set(picked)
        solo_now = played[soloist] | 1 << lying["solo"]
        for gift in cards_of(solo_now):
            dealt = {
                soloist: solo_now & ~(1 << gift) | 1 << lying["aside"],
                mate: mates | 1 << gift,
                third: played[third] | (1 << lying["third"] if "third" in lying else 0),
            }
            if all(by == view.seat or dealt[by] >> card & 1 for card, by in shown.items()):
                found.add((dealt[soloist], dealt[mate], dealt[third], lying["aside"], gift))
    return found


def test_exchange_of_a_sooli_is_reckoned_with():
    """An opponent before the last trick: deals, the card thrown away and the card given, all enumerated."""
    hands = [hand for hand in sooli_hand("tuppi") if hand.table and len(hand.table.done) == 12]
    checked = 0
    for hand in hands:
        seat = hand.owed()[0] if hand.result() is None else None
        if seat is None or seat == hand.soloist:
            continue
        view = hand.view(seat)
        expected = sooli_possible(view)
        found = worlds(view)
        assert found.count == len(expected)
        rng = Random(1)
        for _ in range(300):
            world = found.sample(rng)
            solo, mate = hand.soloist, (hand.soloist + 2) % 4
            third = next(one for one in range(4) if one not in (solo, mate, seat))
            key = (world.dealt[solo], world.dealt[mate], world.dealt[third], *world.given[0], *world.given[1])
            assert key in expected
            assert repr(replay_world(view, world).view(seat)) == repr(view)
        checked += 1
    assert checked


@pytest.mark.parametrize("exchange", ["none", "discard_then_receive", "receive_then_return"])
def test_worlds_at_every_moment_of_a_sooli(exchange):
    rng = Random(2)
    for hand in sooli_hand(f"tuppi+sooli_exchange={exchange}"):
        if hand.result() is not None:
            continue
        for seat in range(4):
            view = hand.view(seat)
            for _ in range(4):
                world = worlds(view).sample(rng)
                assert repr(replay_world(view, world).view(seat)) == repr(view)


def test_bid_for_want_of_a_card_tells_what_was_not_dealt():
    """West says rami aloud: it holds no 3–10 of hearts or diamonds, and the worlds know it."""
    north, east = "S:AK6 H:KQ3 D:KQ3 C:KQJT", "S:2345 H:987 D:T987 C:54"
    south, west = "S:QJT987 H:T654 D:654", "H:AJ2 D:AJ2 C:A987632"
    hand = Match.start(*find("tuppi"), 4, 2).hand
    hand = hand.apply(CHANCE, Deal(tuple(map(parse_hand, (north, east, south, west)))))
    for seat, bid in ((0, "S6"), (1, "S3"), (2, "S7")):
        hand = hand.apply(seat, Seal(parse_card(bid)))
    hand = hand.apply(3, Seal("rami")).apply(3, Call("rami"))
    usable = card_set(parse_hand("H:T9876543 D:T9876543"))
    rng = Random(5)
    for _ in range(50):
        assert not worlds(hand.view(0)).sample(rng).dealt[3] & usable


def test_gifts_stay_known():
    """The soloist's partner knows the card it gave; the soloist knows what it threw away."""
    hands = [hand for hand in sooli_hand("tuppi") if hand.table]
    given = next(
        action.cards[0] for _, action in hands[0].log if isinstance(action, Give) and action.to is not None
    )
    thrown = next(
        action.cards[0] for _, action in hands[0].log if isinstance(action, Give) and action.to is None
    )
    rng = Random(6)
    for _ in range(30):
        assert worlds(hands[0].view(3)).sample(rng).hands[1] >> given & 1
        assert not any(cards >> thrown & 1 for cards in worlds(hands[0].view(1)).sample(rng).hands)


@pytest.mark.parametrize(("preset", "seats"), [("tuppi", 4), ("huutopussi", 4), ("tuppen_zk", 5)])
def test_worlds_do_not_exist_before_the_deal(preset, seats):
    with pytest.raises(ValueError, match="nothing has been dealt yet"):
        worlds(Match.start(*find(preset), seats).hand.view(0))
