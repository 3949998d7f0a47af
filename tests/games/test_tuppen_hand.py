"""A hand of Tuppen by clause: cards, pictures and challenges, raises, leaving, the poor man, the ladder."""

from typing import Any

import pytest

from hands import filled, played
from nousu.engine.actions import Call, Deal, Give, Show
from nousu.engine.cards import DECK_32, parse_hand
from nousu.engine.errors import IllegalAction
from nousu.engine.seats import CHANCE
from nousu.games.tuppen import Laid
from tuppen_table import SWEEP, cards, course, dealt, match_at, played_out, said, table

FOUR = {0: SWEEP, 1: "D:T98 H:9", 2: "D:KQJ S:T", 3: "S:AKQ H:8"}


def words(hand: Any, seat: int) -> list[str]:
    return [str(action) for action in hand.legal(seat) if isinstance(action, Call)]


def legal(hand: Any, seat: int) -> str:
    return " ".join(str(action)[5:] for action in hand.legal(seat) if str(action).startswith("play"))


# ---- the deal


@pytest.mark.clause("TU-ZK-II2a", "TU-ZK-II2d", "TU-ZK-V5")
def test_four_cards_each_in_batches_of_two() -> None:
    match = match_at(points=3)
    dealing = match.hand.dealing()
    assert (dealing.sizes, dealing.batch, dealing.start, len(dealing.deck)) == ((4, 4, 4), 2, 0, 32)
    deal = dealing.dealt(DECK_32)
    assert set(deal.hands[0]) == {DECK_32[at] for at in (0, 1, 6, 7)}
    assert len(deal.stock) == 20
    assert match_at("tuppen_zk+deal_batches=1x4").hand.dealing().batch == 4


@pytest.mark.clause("TU-ZK-II2a")
def test_deal_of_the_wrong_size_is_refused() -> None:
    match = match_at(points=2)
    with pytest.raises(IllegalAction, match="must hold these numbers of cards: 4 4"):
        match.apply(CHANCE, filled((5, 4), {}, DECK_32))


@pytest.mark.clause("TU-ZK-II2a", "TU-ZK-III1b")
def test_ten_is_high_and_the_jack_low() -> None:
    hand = table({0: "H:7 S:9", 1: "H:T", 2: "H:A", 3: "H:9"})
    assert said(hand, "N play H7; E play H10; S play HA; W play H9").owed() == (1,)
    hand = table({0: "H:J S:9", 1: "H:K", 2: "H:Q", 3: "H:A"})
    assert said(hand, "N play HJ; E play HK; S play HQ; W play HA").owed() == (3,)


@pytest.mark.clause("TU-ZK-III1a", "TU-ZK-II3", "A-U-14")
def test_left_of_the_dealer_leads_and_the_others_follow_suit() -> None:
    hand = table({0: "H:7 S:9", 1: "H:TJ S:A C:9", 2: "S:T87 D:7"}, dealer=3)
    assert hand.owed() == (0,)
    hand = said(hand, "N play H7")
    assert legal(hand, 1) == "HJ H10"
    with pytest.raises(IllegalAction, match=r"TU-ZK-II3: follow suit"):
        said(hand, "E play SA")
    with pytest.raises(IllegalAction, match="this card is not in the hand"):
        said(hand, "E play C8")
    hand = table({0: "S:7 H:J", 1: "H:TQ D:A C:9"}, dealer=3)
    assert legal(said(hand, "N play S7"), 1) == "HQ H10 DA C9", "who cannot follow throws any card"


@pytest.mark.clause("TU-ZK-IV8", "TU-ZK-V1", "A-U-23")
def test_play_ahead_of_turn_is_refused() -> None:
    hand = table({0: "H:7", 2: "H:T"})
    with pytest.raises(IllegalAction, match="TU-ZK-IV8"):
        said(hand, "S play H10")


@pytest.mark.clause("TU-ZK-III1c", "TU-ZK-II1b")
def test_last_trick_wins_the_hand_and_the_others_lose_the_stake() -> None:
    """Five at seven, no raise."""
    match = played_out(dealt(match_at(points=5), {0: SWEEP}))
    assert match.tally.score() == (7, 6, 6, 6, 6)
    notes = [(note.clause, note.values["seat"]) for note in match.played[0].result.notes]
    assert notes[0] == ("TU-ZK-III1c", 0)
    assert sorted(notes[1:]) == [("TU-ZK-II1b", seat) for seat in (1, 2, 3, 4)]
    assert match.played[0].result.points == (0, -1, -1, -1, -1)


@pytest.mark.clause("TU-ZK-III1c")
def test_first_three_tricks_are_worth_nothing() -> None:
    match = dealt(match_at(points=2), {0: "C:T98 D:J", 1: "S:AKQ D:Q"})
    match = course(match, "P1 play CT; P2 play SA; P1 play C9; P2 play SK; P1 play C8; P2 play SQ")
    assert course(match, "P1 play DJ; P2 play DQ").tally.score() == (6, 7)


# ---- four pictures


@pytest.mark.clause("TU-ZK-II2b", "A-U-03")
def test_claim_question_goes_from_the_dealers_left_and_to_a_claimant_again() -> None:
    match = match_at(points=3, dealer=0)
    match = match.apply(CHANCE, cards(match, {1: "S:A H:K D:Q C:J", 2: "S:T987"}))
    hand: Any = match.hand
    assert (hand.phase, hand.owed()) == ("pictures", (1,))
    give = Give(parse_hand("S:A H:K D:Q C:J"))
    assert hand.legal(1) == (Call("keep"), give)
    stock = hand.stock
    hand = hand.apply(1, give)
    assert hand.owed() == (1,), "asked again"
    assert hand.view(1).cards == Deal((stock[:4],)).hands[0]
    assert hand.stock == stock[4:]
    hand = said(hand, "P2 keep")
    assert hand.legal(2) == (Call("keep"), Give(parse_hand("S:T987")), Call("challenge P2"))
    hand = said(hand, "P3 keep; P1 keep")
    assert hand.phase == "play"


@pytest.mark.clause("A-U-03", "A-U-25")
def test_phase_ends_when_the_stock_is_short() -> None:
    match = match_at(points=7)
    deal = cards(match)
    hand: Any = match.apply(CHANCE, deal).hand
    assert (hand.phase, len(hand.stock)) == ("pictures", 4)
    hand = hand.apply(0, Give(deal.hands[0]))
    assert (hand.phase, hand.owed(), len(hand.stock)) == ("play", (0,), 0)
    eight: Any = dealt(match_at(points=8)).hand
    assert eight.phase == "play", "with eight players nothing is left to swap"
    match = match_at(points=8)
    assert match.apply(CHANCE, cards(match)).hand.phase == "play"  # type: ignore[attr-defined]


@pytest.mark.clause("TU-ZK-IV9", "A-U-04")
@pytest.mark.parametrize(
    ("packet", "loser"), [("S:A H:K D:Q C:J", 2), ("S:7 H:K D:Q C:J", 0)], ids=["honest", "bluff"]
)
def test_challenged_packet_is_turned_up_and_the_wrong_side_pays(packet: str, loser: int) -> None:
    """The claimant keeps the new cards either way; a packet is challenged once."""
    match = match_at(points=3)
    match = match.apply(CHANCE, cards(match, {0: packet}))
    hand: Any = match.hand.apply(0, Give(parse_hand(packet)))
    new = hand.view(0).cards
    hand = said(hand, "P1 keep; P2 keep")
    hand = said(hand, "P3 challenge P1")
    assert (hand.phase, hand.owed(), hand.legal(1), hand.legal(2)) == ("doubt", (0,), (), ())
    assert hand.legal(0) == (Show(parse_hand(packet)),)
    hand = hand.apply(0, hand.legal(0)[0])
    assert hand.points == tuple(6 if seat == loser else 7 for seat in range(3))
    assert (hand.phase, hand.owed()) == ("pictures", (2,)), "the phase goes on where it was"
    assert hand.view(0).cards == new
    assert hand.view(1).facts.packets == (Laid(0, True, parse_hand(packet)),)
    assert "challenge P1" not in words(hand, 1)
    result = played(said(hand, "P3 keep")).result()
    assert (result.notes[0].clause, result.notes[0].values) == ("TU-ZK-IV1", {"seat": loser, "points": 1})


@pytest.mark.clause("A-U-04")
def test_packets_of_one_owner_are_numbered() -> None:
    match = match_at(points=2)
    hand: Any = match.apply(CHANCE, cards(match, {0: "S:AKQJ"})).hand
    hand = hand.apply(0, Give(parse_hand("S:AKQJ")))
    second = hand.view(0).cards
    hand = said(hand.apply(0, Give(second)), "P1 keep")
    assert words(hand, 1) == ["keep", "challenge P1 1", "challenge P1 2"]
    hand = said(hand, "P2 challenge P1 2")
    assert hand.legal(0) == (Show(second),)


@pytest.mark.clause("A-U-04")
def test_challenge_is_open_to_these_seats_until_then() -> None:
    match = match_at(points=3)
    hand: Any = match.apply(CHANCE, cards(match, {0: "S:AKQJ", 1: "H:T987", 2: "D:T987"})).hand
    hand = said(hand.apply(0, Give(parse_hand("S:AKQJ"))), "P1 keep; P2 keep; P3 keep")
    assert "challenge P1" not in words(hand, 0), "not one's own packet"
    raised = said(hand, "P2 raise")
    assert words(raised, 2) == ["hold", "leave"], "never while a question is open"
    away = said(raised, "P3 leave; P1 hold")
    assert words(away, 2) == [], "nor who has left"
    gone = said(raised, "P3 hold; P1 leave")
    assert "challenge P1" not in words(gone, 1), "nor a packet whose owner has left"
    while len(hand.view(1).cards):
        assert "challenge P1" in words(hand, 1)
        seat = hand.owed()[0]
        hand = hand.apply(seat, hand.legal(seat)[0])
    assert words(hand, 1) == [], "nor who has played the fourth card"


@pytest.mark.clause("A-U-03")
def test_claims_must_be_true_without_challenges(subtests: pytest.Subtests) -> None:
    for value, held, allowed in [
        ("claim_honest", "S:AKQJ", "keep; give SA SK SQ SJ away"),
        ("claim_honest", "S:AKQ7", "keep"),
        ("redeal", "S:AKQJ", "keep; show SA SK SQ SJ"),
        ("redeal", "S:AKQ7", "keep"),
    ]:
        with subtests.test(value=value, held=held, allowed=allowed):
            match = match_at(f"tuppen_zk+four_pictures={value}", points=3)
            hand = match.apply(CHANCE, cards(match, {0: held})).hand
            assert "; ".join(map(str, hand.legal(0))) == allowed
            assert hand.owed() == (0,), "everybody is asked: silence would tell"


@pytest.mark.clause("A-U-03")
def test_honest_packet_cannot_be_challenged() -> None:
    match = match_at("tuppen_zk+four_pictures=claim_honest", points=3)
    hand: Any = match.apply(CHANCE, cards(match, {0: "S:AKQJ"})).hand
    hand = said(hand.apply(0, Give(parse_hand("S:AKQJ"))), "P1 keep")
    assert words(hand, 1) == ["keep"] or isinstance(hand.legal(1)[-1], Give)
    assert not any("challenge" in word for word in words(hand, 1))


@pytest.mark.clause("A-U-03")
def test_four_pictures_for_a_new_deal() -> None:
    match = match_at("tuppen_zk+four_pictures=redeal", points=3)
    again = match.apply(CHANCE, cards(match, {0: "S:AKQJ"})).apply(0, Show(parse_hand("S:AKQJ")))
    assert again.played[0].result.void
    assert (again.hand.setup.number, again.hand.setup.dealer) == (1, 2), "the same dealer, without a penalty"
    assert again.tally.score() == (7, 7, 7)


@pytest.mark.clause("A-U-03")
def test_claim_question_is_absent_without_the_picture_rule() -> None:
    match = match_at("tuppen_zk+four_pictures=off", points=3)
    assert match.apply(CHANCE, cards(match)).hand.phase == "play"  # type: ignore[attr-defined]


# ---- raising


@pytest.mark.clause("TU-ZK-III2a", "TU-ZK-III2b", "TU-ZK-III2c", "TU-ZK-III2d", "A-U-05")
def test_two_raises_and_what_leaving_costs() -> None:
    match = dealt(match_at(points=5), {0: SWEEP})
    match = course(match, "P2 raise")
    assert match.hand.view(None).facts.asked == (2, 3, 4, 0), "from the raiser's own left"
    match = course(match, "P3 leave; P4 hold; P5 hold; P1 hold; P4 raise; P5 leave; P1 hold; P2 hold")
    facts = match.hand.view(None).facts
    assert (facts.stake, facts.last_raiser, facts.in_hand) == (3, 3, (0, 1, 3))
    match = played_out(match)
    assert match.tally.score() == (7, 4, 6, 4, 5)
    left = [note for note in match.played[0].result.notes if note.clause == "TU-ZK-III2c"]
    assert [(note.values["seat"], note.values["points"]) for note in left] == [(2, 1), (4, 2)]


@pytest.mark.clause("TU-ZK-III2f", "A-U-06")
def test_raise_cap(subtests: pytest.Subtests) -> None:
    """Without a cap raising ends where nobody could lose more."""
    for cap, points, stakes in [
        ("points_plus_one", "1 7 7", 2),
        ("points_plus_one", "3 7 7", 4),
        ("points", "3 7 7", 3),
        ("none", "2 5 4", 5),
    ]:
        with subtests.test(cap=cap, points=points, stakes=stakes):
            hand = table({}, f"tuppen_zk+raise_cap={cap}+poor_man=off", points=points)
            assert hand.view(None).facts.raise_cap[0] == stakes
            stake = 1
            while "raise" in words(hand, 0):
                hand = said(hand, "P1 raise; P2 hold; P3 hold")
                stake += 1
                if stake < stakes:
                    hand = said(hand, "P2 raise; P3 hold; P1 hold")
                    stake += 1
            assert hand.stake <= stakes
            if hand.last_raiser != 0:
                with pytest.raises(IllegalAction, match="TU-ZK-III2f"):
                    said(hand, "P1 raise")


@pytest.mark.clause("TU-ZK-III2e", "A-U-09")
def test_raise_twice_running_is_refused() -> None:
    hand = said(table({}, points=3), "P2 raise; P3 hold; P1 hold")
    with pytest.raises(IllegalAction, match="TU-ZK-III2e: nobody raises twice running"):
        said(hand, "P2 raise")
    assert "raise" in words(said(hand, "P3 raise; P1 hold; P2 hold"), 1)


@pytest.mark.clause("TU-ZK-V2", "A-U-10")
def test_open_question_leaves_only_answers_legal() -> None:
    hand = said(table({0: "S:7"}, points=3), "P2 raise")
    assert (words(hand, 0), words(hand, 1), words(hand, 2)) == ([], [], ["hold", "leave"])
    with pytest.raises(IllegalAction, match="TU-ZK-V2: nobody raises while a question is open"):
        said(hand, "P1 raise")
    with pytest.raises(IllegalAction, match="TU-ZK-V2"):
        said(hand, "P1 play S7")


@pytest.mark.clause("A-U-08", "A-U-27", "TU-ZK-III2a")
def test_raise_at_any_time_or_on_ones_own_turn() -> None:
    hand = table(FOUR)
    assert all("raise" in words(hand, seat) for seat in range(4)), "before the first lead, out of turn too"
    hand = said(hand, "N play C10; E play D10")
    assert "raise" in words(hand, 0), "also after one has played"
    own = said(table(FOUR, "tuppen_zk+raise_timing=own_turn"), "N play C10; E play D10")
    assert [seat for seat in range(4) if "raise" in words(own, seat)] == [2]
    with pytest.raises(IllegalAction, match="A-U-08"):
        said(own, "N raise")
    last = hand
    while len(last.table.done) < 3 or len(last.table.plays) < 3:
        last = last.apply(last.owed()[0], last.legal(last.owed()[0])[0])
    assert "raise" in words(last, 0), "until the last card of the last trick lies"


@pytest.mark.clause("TU-ZK-V3", "A-U-09")
@pytest.mark.parametrize(("value", "answers"), [("on", ["hold", "leave"]), ("off", ["hold"])])
def test_whether_a_raiser_may_leave_later(value: str, answers: list[str]) -> None:
    hand = table({}, f"tuppen_zk+raiser_may_leave={value}", points=3)
    hand = said(hand, "P2 raise; P3 hold; P1 hold; P3 raise; P1 hold")
    assert words(hand, 1) == answers


@pytest.mark.clause("A-U-05")
def test_leaving_may_always_cost_one() -> None:
    hand = table({0: SWEEP}, "tuppen_zk+leave_cost=one", points=3)
    hand = said(hand, "P2 raise; P3 hold; P1 hold; P1 raise; P2 hold; P3 leave")
    assert hand.points == (7, 7, 6)


@pytest.mark.clause("A-U-07", "A-U-05")
def test_loss_is_never_more_than_the_score() -> None:
    hand = table({0: SWEEP}, points="7 7 2 1 7", game="tuppen_zk+poor_man=off")
    hand = said(
        hand, "P1 raise; P2 hold; P3 hold; P4 hold; P5 hold; P2 raise; P3 hold; P4 hold; P5 hold; P1 hold"
    )
    hand = said(hand, "P5 raise; P1 hold; P2 hold; P3 leave; P4 hold")
    assert hand.points == (7, 7, 0, 1, 7), "leaving costs at most what is there"
    assert 3 in hand.in_hand, "who could lose nothing more plays on"


@pytest.mark.clause("A-U-11")
def test_last_one_in_the_hand_wins_at_once() -> None:
    """In the middle of trick 2."""
    match = dealt(match_at(points=3), {0: SWEEP, 1: "S:T987", 2: "H:T987"})
    match = course(match, "P1 play C10; P2 play S10; P3 play H10; P1 play C9; P2 raise; P3 leave; P1 leave")
    assert match.tally.score() == (6, 7, 6)
    assert match.played[0].result.notes[-1].clause == "A-U-11"
    assert match.hand.setup.dealer == 1


@pytest.mark.clause("A-U-22")
def test_leaving_unasked() -> None:
    with pytest.raises(IllegalAction, match="A-U-22"):
        said(table({}, points=3), "P2 leave")
    hand = table({}, "tuppen_zk+voluntary_leave=on", points=3)
    hand = said(hand, "P1 raise; P2 hold; P3 hold; P2 leave")
    assert (hand.points, hand.in_hand) == ((7, 5, 7), (0, 2)), "for the stake as it is"
    bound = table({}, "tuppen_zk+voluntary_leave=on+raiser_may_leave=off", points=3)
    assert "leave" not in words(said(bound, "P1 raise; P2 hold; P3 hold"), 0)


@pytest.mark.clause("TU-ZK-V4")
def test_blind_raise_is_promised_before_the_deal_and_asked_before_the_lead() -> None:
    match = match_at("siebenschraem", points="2 7 7")
    assert (match.hand.phase, match.hand.owed()) == ("blind", (0,))  # type: ignore[attr-defined]
    match = course(match, "P1 blind; P2 look; P3 look")
    assert match.hand.owed() == (CHANCE,)
    match = match.apply(CHANCE, cards(match))
    hand: Any = match.hand
    assert (hand.phase, hand.question.by, hand.owed()) == ("raise", 0, (1,))
    hand = said(hand, "P2 hold; P3 leave")
    assert (hand.stake, hand.points, hand.phase) == (2, (2, 7, 6), "play")
    assert match_at("tuppen_zk").hand.owed() == (CHANCE,), "TU-ZK-V4: not in ZK Tuppen"


@pytest.mark.clause("TU-ZK-V4")
def test_cap_of_a_blind_raise_is_one_higher() -> None:
    plain = "tuppen_zk+raise_cap=points+poor_man=off"
    assert "raise" not in words(table({}, plain, points="1 3 3"), 0)
    match = match_at(plain + "+blind_raise=on", points="1 3 3")
    assert match.hand.owed() == (0,)
    both = course(match, "P1 blind; P2 blind; P3 look")
    hand: Any = both.apply(CHANCE, cards(both)).hand
    while hand.phase == "pictures":
        assert hand.owed() == (2,), "who has not looked cannot claim"
        hand = said(hand, "P3 keep")
    assert hand.question.by == 0
    hand = said(hand, "P2 hold; P3 hold")
    assert (hand.question.by, hand.stake) == (1, 2)
    assert said(hand, "P3 hold; P1 hold").stake == 3


# ---- the ladder


@pytest.mark.clause("TU-ZK-III1d", "A-U-12", "A-U-13")
@pytest.mark.parametrize(
    ("hands", "course_", "leader"),
    [
        ({0: "H:T S:7", 1: "H:9", 2: "S:T", 3: "H:8"}, "N play H10; E play H9; S play S10; W play H8", 1),
        ({0: "H:7 S:7", 1: "S:K", 2: "D:T", 3: "S:T"}, "N play H7; E play SK; S play D10; W play S10", 3),
        ({0: "H:7 S:7", 1: "S:K", 2: "C:9", 3: "S:T"}, "N play H7; E play SK; S play C9; W play S10", 3),
    ],
)
def test_next_lead_when_the_winner_has_left(hands: dict[int, str], course_: str, leader: int) -> None:
    void = {1: " D:987", 2: " C:JQK", 3: " D:JQK"}
    suits = {seat: text + (void.get(seat, "") if "H" not in text else "") for seat, text in hands.items()}
    hand = said(table(suits), course_)
    assert hand.owed() == (0,)
    assert said(hand, "E raise; S hold; W hold; N leave").owed() == (leader,)


@pytest.mark.clause("A-U-12", "A-U-27")
def test_answers_may_complete_the_last_trick() -> None:
    """C and D leave, A goes along: complete, A wins."""
    hands = {0: "C:T98 H:T", 1: "D:T98 H:9", 2: "D:KQJ S:T", 3: "S:AKQ H:8"}
    tricks = (
        "N play C10; E play D10; S play DK; W play SA; N play C9; E play D9; S play DQ; W play SK;"
        "N play C8; E play D8; S play DJ; W play SQ; N play H10; E play H9; S play S10; E raise"
    )
    match = course(dealt(match_at(), hands), tricks)
    won = course(match, "S leave; W leave; N hold")
    assert won.tally.score() == (7, 5, 6, 6)
    other = course(match, "S leave; W hold; N leave")
    assert other.hand.owed() == (3,)
    assert legal(other.hand, 3) == "H8", "the suit of a leader who has left still binds"
    assert course(other, "W play H8").tally.score() == (6, 7, 6, 5)


@pytest.mark.clause("A-U-12")
def test_all_who_leave_on_one_question_leave_together() -> None:
    """D's leaving completes the last trick only when everybody has answered: A's ten is gone by then."""
    hands = {0: "C:T98 H:T", 1: "D:T98 H:9", 2: "D:KQJ S:T", 3: "S:AKQ S:9", 4: "H:AKQ H:8"}
    tricks = (
        "P1 play C10; P2 play D10; P3 play DK; P4 play SA; P5 play HA; P1 play C9; P2 play D9; P3 play DQ;"
        "P4 play SK; P5 play HK; P1 play C8; P2 play D8; P3 play DJ; P4 play SQ; P5 play HQ;"
        "P1 play H10; P2 play H9; P3 play S10; P2 raise; P3 hold; P4 leave; P5 leave; P1 leave"
    )
    match = course(dealt(match_at(points=5), hands), tricks)
    assert match.tally.score() == (6, 7, 5, 6, 6)
    assert match.played[0].result.outcome.ladder == (1, 2)


@pytest.mark.clause("A-U-13")
def test_first_leader_leaves_before_leading() -> None:
    hand = said(table({}, points=4), "S raise; W hold; N leave; E hold")
    assert hand.owed() == (1,)


@pytest.mark.clause("A-U-12")
def test_cards_of_leavers_may_still_win() -> None:
    hands = {0: "H:T98 S:7", 1: "H:7AK D:7", 2: "S:T98 C:J", 3: "D:T98 C:K"}
    hand = said(table(hands, "tuppen_zk+leaver_cards=still_win"), "N play H10; E play H7; E raise")
    hand = said(hand, "S hold; W hold; N leave; S play S10; W play D10")
    assert hand.table.done[0].winner == 0
    assert hand.owed() == (1,), "the next one still in leads for him"
    excluded = said(
        table(hands), "N play H10; E play H7; E raise; S hold; W hold; N leave; S play S10; W play D10"
    )
    assert excluded.table.done[0].winner == 1
    last = {0: "C:T98 H:T", 1: "D:T98 H:9", 2: "D:KQJ S:T"}
    tricks = (
        "P1 play C10; P2 play D10; P3 play DK; P1 play C9; P2 play D9; P3 play DQ;"
        "P1 play C8; P2 play D8; P3 play DJ; P1 play H10; P2 play H9;"
        "P3 raise; P1 leave; P2 hold; P3 play S10"
    )
    match = course(dealt(match_at("tuppen_zk+leaver_cards=still_win", points=3), last), tricks)
    assert match.tally.score() == (6, 7, 5), "but never the last trick"


# ---- the poor man


@pytest.mark.clause("TU-ZK-III3a", "A-U-15")
@pytest.mark.parametrize(("winner", "score"), [(0, (1, 3, 2)), (2, (0, 3, 4))])
def test_poor_man_asks_for_two(winner: int, score: tuple[int, ...]) -> None:
    """X refuses, Y goes along."""
    match = dealt(match_at(points="1 4 4"), {0: SWEEP if winner == 0 else "C:J S:J H:J D:J", 2: "C:AKQ H:T"})
    hand: Any = match.hand
    assert (hand.phase, hand.question.by, hand.owed()) == ("poor", 0, (1,))
    match = course(match, "P2 leave; P3 hold")
    assert match.hand.view(None).facts.stake == 2
    assert match.hand.view(None).facts.last_raiser == 0, "the question counts as his raise"
    match = course(match, "P1 play C10" if winner == 0 else "P1 play CJ")
    assert played_out(match).tally.score() == score


@pytest.mark.clause("TU-ZK-III3a")
def test_poor_man_is_not_asked_and_not_gone_along_with() -> None:
    match = course(dealt(match_at(points="1 3 2")), "P2 leave; P3 leave")
    assert match.tally.score() == (1, 2, 1)
    assert match.hand.setup.dealer == 0


@pytest.mark.clause("A-U-16", "TU-ZK-III3a")
def test_one_joint_question_by_the_first_poor_man() -> None:
    hand = table({}, points="3 1 4 1", dealer=1)
    assert (hand.question.by, hand.question.to) == (3, (0, 2)), "the first poor man from the dealer's left"
    assert said(hand, "N hold; S leave").in_hand == (0, 1, 3)
    alone = table({}, points="1 1 1")
    assert (alone.stake, alone.phase, alone.last_raiser) == (2, "play", None), "all poor: nobody is asked"


@pytest.mark.clause("A-U-15")
@pytest.mark.parametrize(("value", "stake"), [("fixed_two", 2), ("per_poor", 3), ("off", 1)])
def test_other_ways_with_poor_men(value: str, stake: int) -> None:
    hand = table({}, f"tuppen_zk+poor_man={value}", points="1 4 1")
    assert (hand.phase, hand.stake, hand.last_raiser) == ("play", stake, None)


@pytest.mark.clause("A-U-15")
def test_raises_against_a_poor_man() -> None:
    hand = said(table({}, points="1 4 4"), "P2 hold; P3 hold")
    assert "raise" in words(hand, 1)
    assert "raise" not in words(hand, 0), "three is more than one and one"
    barred = said(table({}, "tuppen_zk+poor_man_raises=barred", points="1 4 4"), "P2 hold; P3 hold")
    assert "raise" not in words(barred, 1)
    with pytest.raises(IllegalAction, match="A-U-15"):
        said(barred, "P2 raise")


@pytest.mark.clause("A-U-15")
def test_seat_that_sinks_to_one_in_the_hand_does_not_ask() -> None:
    match = match_at(points="2 5 5")
    hand: Any = match.apply(CHANCE, cards(match, {0: "S:T987"})).hand
    hand = said(hand.apply(0, Give(parse_hand("S:T987"))), "P1 keep; P2 keep; P3 keep")
    hand = said(hand, "P2 challenge P1; P1 show S10 S9 S8 S7")
    assert (hand.points, hand.phase) == ((1, 5, 5), "play")
    assert "raise" in words(hand, 0), "one to two is within his cap"
    early: Any = match.apply(CHANCE, cards(match, {0: "S:T987"})).hand
    early = said(early.apply(0, Give(parse_hand("S:T987"))), "P1 keep; P2 challenge P1; P1 show S10 S9 S8 S7")
    assert said(early, "P2 keep; P3 keep").phase == "poor", "poor is who stands at one when the phase ends"


@pytest.mark.clause("A-U-15")
def test_poor_man_leads_the_first_time() -> None:
    match = dealt(course(match_at("siebenschraem", points="3 1 3"), "P1 look; P3 look"))
    match = course(match, "P3 hold; P1 hold")
    assert match.hand.owed() == (1,)
    again = played_out(match)
    assert again.tally.been_poor == (1,)  # type: ignore[attr-defined]


# ---- the end game and what a page shows


@pytest.mark.clause("TU-ZK-V5")
def test_last_two_may_play_with_eight_cards() -> None:
    match = match_at("siebenschraem", points="1 0 3")
    assert match.hand.dealing().sizes == (8, 0, 8)
    match = match.apply(CHANCE, cards(match, {0: "C:T987AKQJ"}))
    assert match.hand.phase == "play"  # type: ignore[attr-defined]
    assert words(match.hand, 0) == []
    with pytest.raises(IllegalAction, match="TU-ZK-V5"):
        course(match, "P1 raise")
    assert played_out(match).tally.score() == (1, 0, 1), "always for two against a poor man"


@pytest.mark.clause("TU-ZK-V5", "TU-ZK-III3a", "A-U-15")
def test_eight_cards_with_a_poor_man_are_played_for_two_and_nobody_is_asked(
    subtests: pytest.Subtests,
) -> None:
    for options, points, stake in [
        ("", "1 0 3", 2),
        ("", "2 0 3", 1),
        ("+poor_man=per_poor", "1 0 1", 2),
        ("+poor_man=fixed_two", "3 0 1", 2),
        ("+poor_man=off", "1 0 3", 1),
    ]:
        with subtests.test(options=options, points=points, stake=stake):
            match = match_at("siebenschraem" + options, points=points)
            facts = match.apply(CHANCE, cards(match, {})).hand.view(None).facts
            assert (facts.phase, facts.stake, facts.asked) == ("play", stake, ())


@pytest.mark.clause("TU-ZK-II4", "TU-ZK-IV6")
def test_public_knowledge_of_packets_and_laid_down_cards() -> None:
    match = match_at(points=3)
    hand: Any = match.apply(CHANCE, cards(match, {0: "S:A H:K D:Q C:J"})).hand
    hand = said(
        hand.apply(0, Give(parse_hand("S:A H:K D:Q C:J"))), "P1 keep; P2 keep; P3 keep; P2 raise; P3 leave"
    )
    view = hand.view(1)
    assert view.facts.packets == (Laid(0, False, ()),)
    assert view.counts == (4, 4, 4), "who has left still has his cards before him"
    assert hand.view(2).cards, "and may look at them"
    assert "SA" not in str(view) and str(hand.view(0).heard).count("SA") == 2


# ---- refusals say what is true


UNASKED = "nobody has asked this player that"


@pytest.mark.clause("TU-ZK-II2a", "TU-ZK-V2", "A-U-23", "TU-ZK-V3")
def test_refusal_says_what_is_true() -> None:
    match = match_at(points=3)
    undealt: Any = match.hand
    hand = table({0: SWEEP}, points=3)
    done = played(hand)
    bound = said(table({0: SWEEP}, "tuppen_zk+raiser_may_leave=off", points=3), "P1 raise; P2 hold; P3 hold")
    bound = said(bound, "P2 raise; P3 hold")
    asked: Any = match.apply(CHANCE, cards(match)).hand
    for here, entry, clause, message in (
        (undealt, "P1 play C10", "TU-ZK-II2a", "the cards have not been dealt"),
        (undealt, "P1 raise", "TU-ZK-II2a", "the cards have not been dealt"),
        (undealt, "P1 keep", "TU-ZK-II2a", "the cards have not been dealt"),
        (asked, "P1 play C10", "TU-ZK-V2", "a question is open; no card is played meanwhile"),
        (done, "P1 play C10", "TU-ZK-III1c", "the hand is over"),
        (done, "P1 raise", "TU-ZK-III1c", "the hand is over"),
        (hand, "director penalty IV3 P1", "A-U-23", "nobody books penalties at this table"),
        (bound, "P1 leave", "TU-ZK-V3", "a player who has raised stays in the hand"),
        (asked, f"P{(asked.owed()[0] + 1) % 3 + 1} keep", "TU-ZK-II2b", UNASKED),
        (asked, f"P{asked.owed()[0] + 1} hold", "TU-ZK-III2b", UNASKED),
        (hand, "P1 keep", "TU-ZK-II2b", UNASKED),
        (hand, "P1 look", "TU-ZK-V4", UNASKED),
    ):
        with pytest.raises(IllegalAction) as refused:
            said(here, entry)
        assert (refused.value.note.clause, refused.value.note.message) == (clause, message), entry
    deal = cards(match)
    for here in (asked, hand, done):
        with pytest.raises(IllegalAction) as refused:
            here.apply(CHANCE, deal)
        expected = "the hand is over" if here is done else "the cards have already been dealt"
        assert refused.value.note.message == expected


@pytest.mark.clause("TU-ZK-II2a")
def test_cards_that_come_before_the_blind_raises_are_refused_with_what_is_owed() -> None:
    match = match_at("siebenschraem", points="3 1 3")
    pack = match.hand.dealing()
    with pytest.raises(IllegalAction, match="first everybody who may raise blind is asked"):
        match.apply(CHANCE, pack.dealt(pack.deck))
