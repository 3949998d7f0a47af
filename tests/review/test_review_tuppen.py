"""Reviews of Tuppen beyond cards: pictures changed or kept, doubts, blind raises."""

from random import Random

import pytest

from nousu.engine.actions import Action, Deal, Give, Play
from nousu.engine.cards import DECK_32, card_set, parse_card
from nousu.engine.game import Hand, View
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, Seat
from nousu.games import find
from nousu.games.tuppen import BLIND, HOLD, KEEP, LEAVE, LOOK, PICTURES, RAISE, Challenge, Facts, call_of
from nousu.players import Budget, find_player
from nousu.players.seat_loop import advance, derive_seed
from nousu.players.tuppen.rules import LIES
from nousu.players.tuppen.worlds import worlds, worlds_with_lies
from nousu.review import FULL, QUICK, JudgedChoice, ReviewOption, codec, playouts, review_hand
from nousu.review.families import tuppen
from nousu.review.playouts import play_on
from tuppen_table import cards, dealt, match_at, played_out, said, table

HOLDS = {1: "H7 D7 C7 S8", 2: "HT D9 CT S9", 3: "HQ DA CK SJ", 0: "HA D8 C9 S7"}
"""What the seats hold unless a test says otherwise; the dealer is seat 0, so seat 1 is asked first."""


def four_dealt(preset: str, *before: tuple[Seat, Action], **held: str) -> Hand:
    """A hand of four with these cards (``p1="HJ DJ CJ SJ"``), the stock shuffled."""
    hand = Match.start(*find(preset), 4, dealer=0).hand
    for seat, action in before:
        hand = hand.apply(seat, action)
    wanted = HOLDS | {int(name[1:]): text for name, text in held.items()}
    hands = tuple(tuple(map(parse_card, wanted[seat].split())) for seat in range(4))
    left = [card for card in DECK_32 if not any(card in some for some in hands)]
    Random(5).shuffle(left)
    return hand.apply(CHANCE, Deal(hands, tuple(left)))


def review_of_action(hand: Hand, seat: Seat, action: Action) -> JudgedChoice | None:
    """What is said of that action, the hand being played to its end by the rules of thumb."""
    done = play_on(hand, 3)
    assert done.result() is not None
    return next((one for one in review_hand(done, seat, FULL).judged if one.action == action), None)


def after_pictures(hand: Hand, seat: Seat) -> Hand:
    """The seat lays its four cards down as pictures, and keeps the new ones."""
    return hand.apply(seat, Give(hand.view(seat).cards)).apply(seat, KEEP)


def test_pictures_kept_as_four_jacks_are_a_mistake_and_changing_them_is_none() -> None:
    jacks = four_dealt("tuppen_zk", p1="HJ DJ CJ SJ", p3="HQ DA CK SK")
    kept = review_of_action(jacks.apply(1, KEEP), 1, KEEP)
    assert kept is not None and kept.verdict in ("mistake", "lucky") and isinstance(kept.best, Give)
    give = Give(jacks.view(1).cards)
    right = review_of_action(after_pictures(jacks, 1), 1, give)
    assert right is None or right.verdict not in ("mistake", "lucky")


def test_doubting_a_likely_honest_packet_is_a_mistake_even_if_it_lied() -> None:
    doubt = call_of(Challenge(1), 4)
    for held, lucky in (("HJ DJ CJ SJ", False), ("H7 D7 C7 S8", True)):
        hand = after_pictures(four_dealt("tuppen_zk", p1=held, p3="HQ DA CK SK"), 1).apply(2, doubt)
        found = review_of_action(hand.apply(1, hand.legal(1)[0]), 2, doubt)
        assert found is not None and found.best is None, "silence is better"
        assert found.verdict == ("lucky" if lucky else "mistake") and found.cost.low > 0.15


def test_doubting_an_unlikely_packet_is_no_mistake() -> None:
    """Three packets running, while the doubter holds four pictures: twelve of the others cannot be there."""
    hand = four_dealt("tuppen_zk", p1="H7 D7 C7 S8", p2="HJ DJ CJ SJ", p3="HT D9 CT S9", p0="HA D8 C9 S7")
    for _ in range(3):
        hand = hand.apply(1, Give(hand.view(1).cards))
    hand = hand.apply(1, KEEP)
    doubt = call_of(Challenge(1, 1), 4)
    found = review_of_action(hand.apply(2, doubt).apply(1, hand.apply(2, doubt).legal(1)[0]), 2, doubt)
    assert found is None or found.verdict not in ("mistake", "lucky")


def test_packets_of_others_are_believed_as_far_as_people_lie() -> None:
    """Three of a hundred hands that are not four pictures are laid down for such: most packets are honest."""
    hand = after_pictures(four_dealt("tuppen_zk"), 1)
    view, rng = hand.view(2), Random(1)

    def honest(some: object) -> float:
        drawn = [card_set(some.sample(rng).given[0]) for _ in range(400)]  # type: ignore[attr-defined]
        return sum(not cards & ~PICTURES for cards in drawn) / len(drawn)

    assert honest(worlds(view)) < 0.15
    assert 0.5 < honest(worlds_with_lies(view, (round(100 * LIES), 100))) < 0.85


@pytest.mark.parametrize("action", [BLIND, LOOK])
def test_blind_raise_is_weighed_against_looking_first(action: Action) -> None:
    """Nobody wins more by raising blind: who has looked may raise as well, and with good cards only."""
    preset = "tuppen_zk+blind_raise=on"
    hand = Match.start(*find(preset), 4, dealer=0).hand
    view, rng = hand.view(1), Random(2)
    drawn = [tuppen.possible_deals(view).sample(rng) for _ in range(400)]
    look, blind = (sum(row) for row in tuppen.measure(view, (LOOK, BLIND), drawn, 0))
    assert look >= blind
    answers = [(1, action)]
    hand = hand.apply(1, action)
    while hand.owed() != (CHANCE,):
        answers.append((hand.owed()[0], LOOK))
        hand = hand.apply(*answers[-1])
    done = play_on(four_dealt(preset, *answers), 3)
    found = review_hand(done, 1, FULL)
    assert found.weighed[0].kind == "blind"


def test_player_silent_instead_of_raising_is_taken_to_hold_less() -> None:
    hand = four_dealt("tuppen_zk")
    for seat in (1, 2, 3, 0):
        hand = hand.apply(seat, KEEP) if KEEP in hand.legal(seat) else hand
    quiet = hand.apply(hand.owed()[0], next(one for one in hand.legal(1) if isinstance(one, Play)))
    view, rng = quiet.view(2), Random(4)
    drawn = [tuppen.possible_deals(view).sample(rng) for _ in range(400)]
    good = [float(tuppen.strength(world.hands[3]) > 0.3) for world in drawn]
    likely = tuppen.weights(view, drawn)
    answer = sum(one * two for one, two in zip(good, likely, strict=True)) / sum(likely)
    assert answer < 0.9 * sum(good) / len(good)


def test_pictures_and_doubts_are_habits_of_their_own() -> None:
    """Whatever is done in Tuppen has a kind that habits can name."""
    kinds = set()
    hand = after_pictures(four_dealt("tuppen_zk", p1="HJ DJ CJ SJ", p3="HQ DA CK SK"), 1)
    doubt = call_of(Challenge(1), 4)
    hand = hand.apply(0, doubt)
    done = play_on(hand.apply(1, hand.legal(1)[0]), 3)
    for seat in range(4):
        kinds |= {one.kind for one in review_hand(done, seat, FULL).weighed}
    assert {"pictures", "doubt"} <= kinds and "say" not in kinds


def between_two(course: str, points: str = "5 5", game: str = "tuppen_zk+poor_man=off") -> View:
    """What the player knows who has to speak after that course, seat 0 leading."""
    hand = said(table({0: "C:J S:K H:A D:A", 1: "C:T S:7 H:8 D:Q"}, game, points=points), course)
    return hand.view(hand.owed()[0])  # type: ignore[no-any-return]


def values(view: View, action: Action | None) -> set[float]:
    """What that action comes to in the deals that fit."""
    rng = Random(3)
    drawn = [tuppen.possible_deals(view).sample(rng) for _ in range(150)]
    return {round(value, 6) for value in tuppen.measure(view, [action], drawn, 0)[0]}


def test_losses_of_the_other_count_in_full_between_two(subtests: pytest.Subtests) -> None:
    """Nobody can lose more lives than are left; who was asked for more and leaves loses the stake before."""
    for points, course, action, come_to in [
        ("5 5", "P2 raise", HOLD, {2.0, -2.0}),
        ("5 1", "", None, {1.0, -1.0}),
        ("5 1", "", RAISE, {1.0, -2.0}),
        ("5 1", "P1 raise", HOLD, {2.0, -1.0}),
        ("5 1 1", "", None, {0.3, -1.0}),
    ]:
        with subtests.test(points=points, course=course, action=action, come_to=come_to):
            assert values(between_two(course, points), action) == come_to


def test_stake_may_rise_further_after_going_along_among_three() -> None:
    """Lost is what it came to by then; three tenths of what the others lose on average count as won."""
    found = values(between_two("P2 raise; P3 hold", "5 5 5"), HOLD)
    assert {value for value in found if value < 0} == {-2.0, -3.0, -4.0, -5.0}
    assert {value for value in found if value > 0} <= {round(0.15 * lost, 6) for lost in range(3, 11)}


def test_lie_turned_up_between_two_wins_all_that_its_owner_pays() -> None:
    """The doubter wins or loses the life of the penalty and that of the stake; who has only one is out."""
    for points, come_to in (("5 5", {2.0, 0.0, -2.0}), ("1 5", {1.0, 0.0, -2.0})):
        match = match_at("tuppen_zk+poor_man=off", points=points)
        hand = match.apply(CHANCE, cards(match)).hand
        lied = hand.apply(0, Give(hand.view(0).cards))
        assert values(lied.view(1), call_of(Challenge(0), 2)) == come_to


def test_raise_that_drives_the_last_one_out_of_the_last_trick_is_weighed() -> None:
    """Where seat 2 leaves, the cards of the others decide at once."""
    hand = table({0: "C:T", 1: "C:9", 2: "S:J H:J D:J C:7"}, points=3)
    while any(count > 1 for count in hand.view(0).counts) or len(hand.view(0).trick) < 2:
        seat = hand.owed()[0]
        hand = hand.apply(seat, next(one for one in hand.legal(seat) if isinstance(one, Play)))
    assert values(hand.view(0), RAISE) and values(hand.view(1), RAISE)


def test_sure_last_trick_goes_along_though_the_cards_were_weak() -> None:
    """A ten and three low cards are little before the first card, and everything when the ten is led last."""
    hand = table({0: "C:9 S:7 H:7 D:J", 1: "C:T S:J H:J D:Q"}, points="5 5")
    view = said(hand, "P1 play S7; P2 play SJ; P1 play H7; P2 play HJ; P1 play DJ; P2 play DQ").view(0)
    (drawn,) = [tuppen.possible_deals(view).sample(Random(1))]
    world = drawn._replace(hands=tuple(card_set([parse_card(card)]) for card in ("C9", "CT")))
    assert tuppen.measure(view, [RAISE, None], [world], 0) == [[-2.0], [-1.0]]


def test_chance_of_a_quarter_is_enough_to_go_along_between_two() -> None:
    needed = {}
    for points in ("5 5", "5 5 5", "2 5"):
        course = "P2 raise; P3 hold" if points == "5 5 5" else "P2 raise"
        note = tuppen.reason(between_two(course, points), LEAVE, [])
        needed[points] = note and note.values["needed"]
    assert needed == {"5 5": 25, "5 5 5": 38, "2 5": 25}


def test_review_says_how_the_lives_of_others_count() -> None:
    found = {}
    for seats in (2, 3):
        hand = played_out(dealt(match_at(points=seats))).played[0].hand
        result = hand.result()
        assert result is not None
        winner = result.points.index(0)
        review = review_hand(hand, winner, QUICK)
        assert codec.decode(codec.encode(review)) == review and review.plain()["counted"] == review.counted
        found[seats] = review.points, review.counted
    assert found == {
        2: (1.0, "What the opponent loses counts as won."),
        3: (pytest.approx(0.3), "Three tenths of what the others lose on average are counted as won."),
    }


def test_player_out_of_the_game_wins_nothing() -> None:
    hands, won, out = [], 0, 0
    for seed in range(6, 9):
        match = match_at(points="2 4 4")
        while (after := advance(match, [find_player("easy")] * 3, seed)) is not None:
            match = after
        hands += [played.hand for played in match.played]
    for hand in hands:
        for seat in range(3):
            review = review_hand(hand, seat, QUICK)
            won += review.points > 0
            if seat not in Facts.of(hand.view(None).facts).group:
                out += 1
                assert review.points == 0
    assert won > 3 and out > 1


def test_raise_that_can_still_come_is_not_missed_between_two() -> None:
    """Who is silent may raise at the next card; only the last card leaves no time for it."""
    for points, before, late in (("5 5", False, True), ("5 5 5", True, True)):
        hand = table({0: "C:9 S:7 H:7 D:T"}, points=points)
        first, *_, last = _leading(hand)
        for view, expected in ((first, before), (last, late)):
            card = next(one for one in view.legal if isinstance(one, Play))
            assert (RAISE in tuppen.options(view, card)) == expected


def _leading(hand: Hand) -> list[View]:
    """What seat 0 sees before each of its cards."""
    views = []
    while hand.owed():
        seat = hand.owed()[0]
        view = hand.view(seat)
        views += [view] * (seat == 0)
        hand = hand.apply(seat, next(one for one in view.legal if isinstance(one, Play)))
    return views


def test_raise_is_explained_by_the_chance_to_win_without_it() -> None:
    """Not where it speaks for the other way: few chances for a raise that drives others out."""
    view = between_two("")
    for best, chance, shown in (
        (RAISE, 0.7, True),
        (None, 0.3, True),
        (RAISE, 0.3, False),
        (None, 0.7, False),
    ):
        options = [ReviewOption(RAISE, 0.4, 0.9), ReviewOption(None, 0.3, chance)]
        note = tuppen.reason(view, best, options)
        assert (note is not None) == shown
        assert note is None or note.english == f"The chance to win the hand is {chance:.0%}"
        assert tuppen.reason(view, None, options[1:]) is None


def test_chance_that_speaks_against_the_best_answer_is_no_reason_for_it() -> None:
    """With three at the table more raises may come, so that a chance above the price is too little."""
    three, two = between_two("P2 raise; P3 hold", "5 5 5"), between_two("P2 raise", "5 5")
    told = {}
    for best, chance in ((LEAVE, 0.2), (LEAVE, 0.45), (HOLD, 0.45), (HOLD, 0.2)):
        options = [ReviewOption(HOLD, -1.0, chance), ReviewOption(LEAVE, -1.0, 0.0)]
        told[best, chance] = tuppen.reason(three, best, options)
    assert told[HOLD, 0.2] is None
    too_weak = told[LEAVE, 0.45]
    assert too_weak is not None
    assert too_weak.english == "Too weak if others raise again: the chance to win is 45%"
    for note in (told[LEAVE, 0.2], told[HOLD, 0.45]):
        assert note is not None and note.english.startswith("Going along needs a chance of 38% to win")
    assert tuppen.reason(two, LEAVE, [ReviewOption(HOLD, -1.0, 0.45)]) is None


@pytest.mark.native
def test_call_by_odds_between_two_is_a_matter_of_style(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody leaves who would gain by going along if the other had raised by the rules of thumb. The odds
    that nobody can lean on leave here, too, in one case of five or more."""
    match = Match.start(*find("tuppen_zk"), 2, dealer=1)
    while not match.played:
        after = advance(
            match, [find_player("searcher")] * 2, derive_seed(7003, "tuppen_zk", 2), Budget(1.0, 20)
        )
        assert after is not None
        match = after
    hand = match.played[0].hand
    step = next(at for at, (by, action) in enumerate(hand.log) if (by, action) == (1, LEAVE))
    assert tuppen.is_often_mixed(playouts.hand_before(hand, step).view(1), LEAVE, HOLD)

    def said() -> str:
        return next(one.verdict for one in review_hand(hand, 1, FULL, 1).judged if one.step == step)

    assert said() == "style"
    monkeypatch.setattr(tuppen, "is_often_mixed", lambda *_: False)
    assert said() in ("mistake", "lucky")


@pytest.mark.native
def test_cards_and_hands_of_three_are_judged_by_what_they_cost() -> None:
    assert not tuppen.is_often_mixed(between_two("P2 raise; P3 hold", "5 5 5"), LEAVE, HOLD)
    view = between_two("P2 raise; P1 hold")
    low, high = [action for action in view.legal if isinstance(action, Play)][:2]
    assert not tuppen.is_often_mixed(view, low, high)


def test_poor_hand_that_goes_along_is_raised_again_and_pays_for_it() -> None:
    """Nobody raised again in reviews, so that leaving seemed to be worth hardly more than going along."""
    view = said(table({3: "S:J H:T7 D:7"}, points="7 7 7 7"), "N raise; E hold; S leave").view(3)
    found, rng = tuppen.possible_deals(view), Random(1)
    drawn = [found.sample(rng) for _ in range(400)]
    left, along = (sum(row) / len(drawn) for row in tuppen.measure(view, (LEAVE, HOLD), drawn, 0))
    assert left == -1 and along < -1.15
