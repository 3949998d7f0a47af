"""Card play without a game: duties, who takes a trick, who leads, and seats that leave."""

import pytest

from nousu.engine.cards import (
    ACE_LOW,
    SUITS,
    TEN_BELOW_ACE,
    TEN_HIGH,
    card_set,
    cards_of,
    parse_card,
    parse_hand,
)
from nousu.engine.tricks import Duties, TrickPlay

PLAIN = Duties()
SOOLI = Duties(strength=ACE_LOW, last=0)
HUUTO = Duties(strength=TEN_BELOW_ACE, beat=True, trump=True)
TUPPEN = Duties(strength=TEN_HIGH)


def table(*hands: str, turn: int = 0, duties: Duties = PLAIN, out: tuple[int, ...] = ()) -> TrickPlay:
    """A table with these hands; seats in `out` sit out."""
    active = tuple(seat for seat in range(len(hands)) if seat not in out)
    return TrickPlay(tuple(card_set(parse_hand(hand)) for hand in hands), active, turn, duties)


def after(play: TrickPlay, cards: str) -> TrickPlay:
    """The table after these cards have been played, each checked to be legal."""
    for word in cards.split():
        card = parse_card(word)
        assert play.legal() >> card & 1, f"{card} is not legal for seat {play.turn}"
        play = play.play(card)
    return play


def legal(play: TrickPlay) -> str:
    return " ".join(map(str, cards_of(play.legal())))


@pytest.mark.clause("T-CAT-33", "T-WIK-15", "NW-CAT-12", "MW-WIK-11")
def test_follow_suit_or_play_anything() -> None:
    play = table("H:K", "S:2 H:A4 D:3", "S:9 D:Q", "C:2")
    assert legal(after(play, "HK")) == "HA H4"
    assert legal(after(play, "HK H4")) == "S9 DQ"


@pytest.mark.clause("T-CAT-32", "T-CAT-34", "T-WIK-20")
def test_highest_card_of_the_led_suit_wins_and_leads() -> None:
    play = after(table("H:4 C:2", "S:A C:3", "H:Q C:4", "H:J C:5"), "H4 SA HQ HJ")
    assert (play.turn, play.plays, play.done[-1].winner, play.done[-1].leader) == (2, (), 2, 0)
    assert [play.won(seat) for seat in range(4)] == [0, 0, 1, 0]
    assert play.taken(2) == card_set(parse_hand("S:A H:QJ4"))


@pytest.mark.clause("T-CAT-28", "T-WIK-16")
def test_ace_low_and_the_soloist_always_last() -> None:
    """Seat 0 alone, its partner 2 out; the opponents are 1 and 3."""
    play = table("H:2 C:3", "H:A C:5", "D:AK", "H:K C:4", turn=1, duties=SOOLI, out=(2,))
    play = after(play, "HA HK H2")
    assert (play.done[0].winner, play.turn) == (3, 3)
    assert [seat for seat, _ in after(play, "C4 C5 C3").done[1].plays] == [3, 1, 0]


def test_ace_low_beats_nothing() -> None:
    play = after(table("H:A", "H:2", "S:K", "S:Q", duties=Duties(strength=ACE_LOW)), "HA H2 SK SQ")
    assert play.done[0].winner == 1


@pytest.mark.clause("HP-GR-16", "HP-GR-18", "HP-GR-19")
def test_duties_to_beat_and_to_trump(subtests: pytest.Subtests) -> None:
    """Seat by seat the cards played, then what the next hand may play."""
    for trump, played, hand, allowed in [
        (None, "HK", "H:TJ S:A", "H10"),
        (None, "D8 HA H7", "H:T6 D:6", "D6"),
        ("S", "H9 S7", "H:A6 S:A", "HA H6"),
        ("S", "H9 ST", "S:K6 D:A", "SK S6"),
        ("S", "HA", "S:6 D:A", "S6"),
        ("S", "H9 S7", "S:K6", "SK"),
        ("S", "H9 S7", "D:A C:6", "DA C6"),
    ]:
        with subtests.test(trump=trump, played=played, hand=hand, allowed=allowed):
            cards = played.split()
            hands = [f"{card[0]}:{card[1]}" for card in cards] + [hand]
            play = table(*hands, *["C:9"] * (4 - len(hands)), duties=HUUTO)
            if trump is not None:
                play = play.with_trump(SUITS.index(trump))
            for card in cards:
                play = play.play(parse_card(card))
            assert legal(play) == allowed


@pytest.mark.clause("HP-GR-16")
def test_partners_card_must_be_beaten_too() -> None:
    play = after(table("H:J", "H:7", "H:K6", "H:8", duties=HUUTO), "HJ H7")
    assert legal(play) == "HK"


@pytest.mark.clause("HP-GR-20")
def test_highest_trump_wins() -> None:
    play = table("H:A", "S:6", "S:7", "H:T", duties=HUUTO).with_trump(0)
    assert after(play, "HA S6 S7 HT").done[0].winner == 2


@pytest.mark.clause("TU-ZK-III1d")
def test_ladder_when_the_winner_leaves(subtests: pytest.Subtests) -> None:
    """The highest card of the suit, else the rank, else clubs, spades, hearts, diamonds."""
    for led, cards, leaves, leads in [
        ("HT", "HT H9 ST H8", (0,), 1),
        ("HT", "HT H9 ST H8", (0, 1), 3),
        ("H7", "H7 SK DT ST", (0,), 3),
        ("H7", "H7 SK C9 ST", (0,), 3),
        ("H7", "H7 CK SK D9", (0, 3), 1),
    ]:
        with subtests.test(led=led, cards=cards, leaves=leaves, leads=leads):
            hands = [f"{card[0]}:{card[1]}" for card in cards.split()]
            filler = ["S:J", "C:J", "D:J", "H:J"]
            play = table(*(f"{one} {two}" for one, two in zip(hands, filler, strict=True)), duties=TUPPEN)
            for card in cards.split():
                play = play.play(parse_card(card))
            assert play.turn == 0 and str(play.done[0].plays[0][1]) == str(parse_card(led))
            for seat in leaves:
                play = play.without(seat)
            assert play.turn == leads


def test_leaving_completes_a_trick() -> None:
    """A, B, C have played and D leaves; or the winner and the last leave and the suit still binds."""
    play = after(table("H:T", "H:9", "S:T", "H:8 C:8", duties=TUPPEN), "HT H9 ST")
    assert play.without(2).without(3).done[0].winner == 0
    bound = play.without(2).without(0)
    assert (bound.turn, legal(bound)) == (3, "H8")
    assert after(bound, "H8").done[0].winner == 1


def test_leaving_on_turn_passes_the_turn_on() -> None:
    play = table("H:7", "H:8", "H:9", "H:T", turn=3, duties=TUPPEN)
    assert play.without(3).turn == 0
    assert play.without(1).turn == 3
    led = after(play, "HT")
    assert led.without(0).turn == 1
    assert led.without(1).turn == 0


def test_last_one_may_leave_an_empty_table() -> None:
    play = table("H:7", "H:8", duties=TUPPEN).without(0)
    assert play.active == (1,)
    assert play.without(1).active == ()


@pytest.mark.clause("A-U-12")
def test_several_seats_leave_together() -> None:
    """One by one the trick would have gone to the ten; together it goes to the nine."""
    play = after(table("H:T S:7", "H:9 S:8", "H:8 S:9", "D:7 S:T", duties=TUPPEN), "HT H9 H8")
    assert (play.without(3).done[0].winner, play.without(0, 3).done[0].winner) == (0, 1)
    assert play.without(0, 3).turn == 1


@pytest.mark.clause("A-U-12")
def test_leavers_card_may_still_win_any_trick_but_the_last() -> None:
    duties = Duties(strength=TEN_HIGH, still_win=True)
    play = after(table("H:T S:7", "H:9 S:8", "H:8 S:9", duties=duties), "HT").without(0)
    play = after(play, "H9 H8")
    assert (play.done[0].winner, play.turn) == (0, 1)
    last = after(play, "S8 S9")
    assert last.done[1].winner == 2
    full = after(table("H:T S:7", "H:9 S:8", "H:8 S:9", duties=duties), "HT H9 H8")
    assert full.without(0).turn == 1, "who was to lead is followed by the next one in"
    end = after(table("H:T", "H:9", "H:8", duties=duties), "HT").without(0)
    assert after(end, "H9 H8").done[0].winner == 1


def test_card_played_is_one_pair_for_all_tricks() -> None:
    """As in the log, a bare number in a card's place stands in no other trick."""
    begun = table(*[""] * 8, "H:9", "H:10", turn=8)  # seats that no other test has
    bare = begun.play(int(parse_card("H9")))  # type: ignore[arg-type]
    one, other = (after(begun, "H9").plays[0] for _ in range(2))
    assert one is other and bare.plays[0] == one and str(one[1]) == "H9"
