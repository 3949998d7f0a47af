"""Reasons of reviews: what a choice has spoiled is proved by the cards; only cards are praised."""

from collections import Counter
from random import Random

import pytest

from nousu.engine.actions import Play
from nousu.engine.cards import SUIT_SETS, Card, card_set, cards_of
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import partner
from nousu.games import find
from nousu.i18n import translator
from nousu.i18n.review import choice_words, evening_words
from nousu.i18n.sentences import Voice
from nousu.players import find_player
from nousu.players.seat_loop import advance
from nousu.players.whist.rules import danger_left, high_strength
from nousu.review import FULL, QUICK, HandReview, review_hand
from nousu.review.families import huutopussi, whist
from nousu.review.playouts import hand_before, play_on


def hands_of(preset: str, count: int, player: str = "rules") -> list[Hand]:
    """The first hands of matches of that player."""
    found = []
    for number in range(count):
        match = Match.start(*find(preset), 4, dealer=number % 4)
        while not match.played:
            after = advance(match, [find_player(player)] * 4, number)
            assert after is not None
            match = after
        found.append(match.played[0].hand)
    return found


def higher_unseen(view: View, hands: list[int], card: Card) -> bool:
    """Whether another seat holds a higher card of the suit."""
    others = sum(held for seat, held in enumerate(hands) if seat != view.seat)
    return bool(others & SUIT_SETS[card.suit] & ~((2 << card) - 1))


def _check(said: str, here: Hand, view: View, taken: Play, best: Play) -> None:
    """Hold a reason against the true cards."""
    seat, hands = view.seat, [card_set(here.view(at).cards) for at in range(4)]
    assert seat is not None
    others = sum(held for at, held in enumerate(hands) if at != seat) & SUIT_SETS[taken.card.suit]
    rest = card_set(view.cards) & ~(1 << taken.card)
    if said.startswith("Partner wins"):
        after = here.apply(seat, best)
        while len(after.view(None).tricks) == len(view.tricks):
            turn = after.owed()[0]
            after = after.apply(turn, max(after.legal(turn), key=lambda one: one.card))  # type: ignore[union-attr]
        trick = after.view(None).tricks[-1]
        winning = max(card for _, card in trick.plays if card.suit == trick.plays[0][1].suit)
        assert winning < taken.card and dict((card, by) for by, card in trick.plays)[winning] == partner(seat)
    elif "last sure exit" in said:
        assert others and not others & ((1 << taken.card) - 1), "whoever has the suit must win it"
        for card in view.cards:
            held = sum(held for at, held in enumerate(hands) if at != seat) & SUIT_SETS[card.suit]
            exits = bool(held) and not held & ((1 << card) - 1)
            assert not exits or not rest >> card & 1
    elif "blocked" in said:
        left = [card for card in view.cards if rest >> card & 1 and card.suit == taken.card.suit]
        assert left and not any(higher_unseen(view, hands, card) for card in left)
    elif "only cards are left" in said:
        left = [card for card in view.cards if rest >> card & 1 and card.suit == taken.card.suit]
        assert left and not any(higher_unseen(view, hands, card) for card in left)
        assert others & ((1 << min(left)) - 1), "somebody has a lower one"
    elif "put on partner" in said:
        lying = max(card for at, card in view.trick if at == partner(seat))
        (last,) = (hands[at] for at in range(4) if at != seat and at not in dict(view.trick))
        assert not any(lying < card < taken.card for card in cards_of(last & SUIT_SETS[lying.suit]))
    elif "not needed" in said:
        assert len(view.trick) == 3
        winners = {here.apply(seat, card).view(None).tricks[-1].winner for card in (taken, best)}
        assert winners == {seat} and best.card < taken.card
    elif "highest of its suit" in said:
        assert not higher_unseen(view, hands, best.card) and higher_unseen(view, hands, taken.card)
    elif "low lead" in said:
        above = sum(held for at, held in enumerate(hands) if at != seat) & SUIT_SETS[best.card.suit]
        assert above and not above & ((1 << best.card) - 1), "whoever has the suit must win it"
    else:
        assert "last sure entry" in said and not higher_unseen(view, hands, taken.card)
        assert all(higher_unseen(view, hands, card) for card in view.cards if rest >> card & 1)


def test_reasons_are_true_of_the_cards() -> None:
    rng, said = Random(1), Counter[str]()
    for hand in hands_of("tuppi", 40):
        for step, (seat, action) in enumerate(hand.log):
            if not isinstance(action, Play):
                continue
            here = hand_before(hand, step)
            view = here.view(seat)
            cards = [one for one in view.legal if isinstance(one, Play)]
            for _ in range(4 if len(cards) > 1 else 0):
                taken, best = rng.sample(cards, 2)
                flaw = whist.flaw(view, taken, best)
                if flaw is not None:
                    said[flaw.message] += 1
                    _check(flaw.english, here, view, taken, best)
    assert len(said) == 9, said


def test_marriage_is_called_broken_where_it_could_have_been_declared() -> None:
    said = 0
    for hand in hands_of("huutopussi", 30):
        for step, (seat, action) in enumerate(hand.log):
            if not isinstance(action, Play):
                continue
            view = hand_before(hand, step).view(seat)
            for taken in view.legal:
                best = next((one for one in view.legal if one != taken), None)
                flaw = huutopussi.flaw(view, taken, best)
                if flaw is not None and isinstance(taken, Play):
                    said += 1
                    pair = {card.letter for card in view.cards if card.suit == taken.card.suit}
                    assert {"K", "Q"} <= pair and taken.card.letter in ("K", "Q")
    assert said > 3


@pytest.mark.native
def test_only_card_is_praised_where_rules_of_thumb_miss_it() -> None:
    voice, praised = Voice(("N", "E", "S", "W"), 2, 0, translator("en")), 0
    for hand in hands_of("tuppi", 4, "expert"):
        for seat in range(4):
            review = review_hand(hand, seat, QUICK)
            for one in review.praised:
                praised += 1
                assert max(one.cost.high, one.uniform.high) < 0 and one.best == one.action
                assert one not in review.mattered()
                words = choice_words(one, voice, "en", hand.view(None).rules)
                assert words.title == "only card" and words.amount.startswith("+")
    assert praised


@pytest.mark.native
def test_solved_deals_have_no_say_about_the_leads_of_a_nolo() -> None:
    leads = 0
    for hand in hands_of("tuppi", 6, "easy"):
        steps = [
            (number, seat)
            for number, (seat, action) in enumerate(hand.log)
            if isinstance(action, Play) and whist.is_solving_misleading(hand_before(hand, number).view(seat))
        ]
        for number, seat in steps[:6]:
            for one in review_hand(hand, seat, FULL._replace(nodes=10_000), only=[number]).judged:
                leads += 1
                assert one.second is None and not hand_before(hand, number).view(seat).trick
    assert leads > 2


@pytest.mark.native
def test_sooli_on_a_safe_hand_without_top_cards_is_no_mistake() -> None:
    calls = 0
    for number in range(400):
        match = Match.start(*find("tuppi"), 4, dealer=number % 4).deal(Random(number))
        while (facts := match.hand.view(None).facts).phase not in ("play", "sooli"):
            after = advance(match, [find_player("rules")] * 4, number)
            assert after is not None
            match = after
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        cards = card_set(view.cards)
        if facts.phase != "sooli" or danger_left(cards, view.rules) > 1.2 or high_strength(cards) > 9:
            continue
        calls += 1
        sooli = next(one for one in view.legal if str(one) == "sooli")
        step = len(match.hand.log)
        review = review_hand(play_on(match.hand.apply(seat, sooli), 1), seat, FULL, only=[step])
        assert all(one.verdict not in ("mistake", "lucky") for one in review.judged)
    assert calls > 2


def _evening(*given: float) -> list[HandReview]:
    """Reviews of hands in which so many points were given away."""
    hand = hands_of("tuppi", 1)[0]
    reviews = [review_hand(hand, seat, QUICK) for seat in range(4)]
    (empty, *_) = (review for review in reviews if not review.given_away)
    costly = max(reviews, key=lambda review: review.given_away)
    return [costly if points else empty for points in given]


@pytest.mark.native
def test_evening_is_one_figure_beside_the_own_mean() -> None:
    voice = Voice(("Aino", "E", "S", "W"), 2, None, translator("en"))
    assert evening_words([], [], voice, "en") == ""
    alone = evening_words(_evening(0), _evening(0, 0), voice, "en")
    assert ": 0.0." in alone and "earlier" not in alone
    beside = evening_words(_evening(0), _evening(*[0] * 9), voice, "en")
    assert beside.endswith("in earlier hands: 0.0.")
