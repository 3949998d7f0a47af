"""The rules of Tuppen as values: every option, the presets, and their answers.

The answers: the cost of leaving, the cards that count as pictures, the name of a penalty.

Source: TU-ZK and resolutions A-U (``nousu clauses``); docs/play/rules/tuppen.md lists all options.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from nousu.engine.cards import DECK_32, CardSet, card_set
from nousu.engine.messages import Note, sentence
from nousu.engine.options import check_values, option
from nousu.engine.seats import Seat
from nousu.games.tuppen.facts import Facts, Kind

PICTURES: CardSet = card_set(card for card in DECK_32 if card.rank >= 9)
"""Jacks, queens, kings and, in this game, aces (TU-ZK-II2b)."""
JACK = 9
"""The rank of the jack."""
SEVENS: CardSet = card_set(card for card in DECK_32 if card.rank == 5)
BATCHES = {"2x2": 2, "1x4": 4}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Every option of the family; the values of `tuppen_zk` are the defaults."""

    # fmt: off
    start_points: int = option(
        7, group="points", low=1, high=20, clause="TU-ZK-II1a A-U-01 A-U-02",
        doc="Points everybody starts a game with.")
    deal_batches: Literal["2x2", "1x4"] = option(
        "2x2", group="deal", values=("2x2", "1x4"), clause="TU-ZK-II2d",
        doc="Whether cards are dealt in two rounds of two or in one round of four.")
    four_pictures: Literal["claim_challenge", "claim_honest", "compulsory", "redeal", "off"] = option(
        "claim_challenge", group="deal",
        values=("claim_challenge", "claim_honest", "compulsory", "redeal", "off"),
        clause="TU-ZK-II2b A-U-03 A-U-04 TU-ZK-IV9 A-U-30",
        doc="What four pictures allow: laying down any four cards, which may be challenged; laying down "
            "true ones only; demanding a new deal; nothing. Compulsory: they must be laid down.")
    white_wash: bool = option(
        False, group="deal", clause="A-U-31",
        doc="Three pictures and a seven may be laid down like four pictures.")
    raise_timing: Literal["any_time", "own_turn"] = option(
        "any_time", group="raises", values=("any_time", "own_turn"), clause="TU-ZK-III2a A-U-08 A-U-27",
        doc="Whether a raise is allowed at any moment, or only on your own turn before playing a card.")
    raise_cap: Literal["points_plus_one", "points", "none"] = option(
        "points_plus_one", group="raises", values=("points_plus_one", "points", "none"),
        clause="TU-ZK-III2f A-U-06 A-U-07",
        doc="The highest stake a player may raise to: one more than their points, their points, or any that "
        "somebody in the hand could still lose.")
    raiser_may_leave: bool = option(
        True, group="raises", clause="TU-ZK-V3 A-U-09",
        doc="A player who has raised may leave when another raises later.")
    blind_raise: bool = option(
        False, group="raises", clause="TU-ZK-V4",
        doc="Before the deal each player in turn may commit to raising blind, with a cap one higher.")
    two_to_three: bool = option(
        False, group="raises", clause="A-U-35",
        doc="A blind raise makes the stake two without a question, and whoever raised may go to three.")
    raise_in_answer: bool = option(
        False, group="raises", clause="A-U-34 A-U-10",
        doc="A player who is asked to go along may raise again at once; all the others are then asked anew.")
    leave_cost: Literal["previous_stake", "one"] = option(
        "previous_stake", group="raises", values=("previous_stake", "one"), clause="TU-ZK-III2c A-U-05",
        doc="Whether a player who drops out on a raise pays the stake before it, or always one point.")
    voluntary_leave: bool = option(
        False, group="raises", clause="A-U-22 TU-ZK-IV8",
        doc="A player may leave without being asked, for the stake.")
    leaver_cards: Literal["excluded", "still_win"] = option(
        "excluded", group="raises", values=("excluded", "still_win"),
        clause="TU-ZK-III1d A-U-12 A-U-13",
        doc="Whether cards of players who have left win no trick, or still win any but the last.")
    poor_man: Literal["ask_two", "fixed_two", "per_poor", "off"] = option(
        "ask_two", group="poor man", values=("ask_two", "fixed_two", "per_poor", "off"),
        clause="TU-ZK-III3a A-U-15",
        doc="What happens with a poor man in the hand: the others are asked to play for two, all play for "
        "two, the stake grows by the number of poor men, or nothing.")
    poor_man_raises: Literal["allowed", "barred"] = option(
        "allowed", group="poor man", values=("allowed", "barred"), clause="A-U-15",
        doc="Whether raises are allowed while a poor man is in the hand.")
    poor_playoff: Literal["simultaneous", "any", "off"] = option(
        "simultaneous", group="poor man", values=("simultaneous", "any", "off"),
        clause="TU-ZK-III3b A-U-16 A-U-18",
        doc="Which poor men play a deciding hand that only its winner survives: those who become poor in "
        "one hand, or all of them whenever there are two.")
    poor_man_leads_first: bool = option(
        False, group="poor man", clause="A-U-15",
        doc="The poor man who asks leads to the first trick when he is poor for the first time.")
    poor_man_leads_always: bool = option(
        False, group="poor man", clause="A-U-32",
        doc="The poor man who asks leads to the first trick every time.")
    game_form: Literal["survivor", "halves", "eight_cards"] = option(
        "survivor", group="points", values=("survivor", "halves", "eight_cards"), clause="A-U-36 A-U-37",
        doc="Whether the last player with points wins; or whoever is first without points loses a half, and "
            "the losers of two halves play eight cards; or all play eight cards without points, "
            "and the winner "
            "of each hand drops out.")
    last_jack: bool = option(
        False, group="points", clause="A-U-33",
        doc="Whoever takes the last trick with a jack gets a point back.")
    same_hand_deaths: Literal["together", "in_order"] = option(
        "together", group="places", values=("together", "in_order"), clause="TU-ZK-III4b A-U-29",
        doc="Whether players who go out in the same hand count as going out together, or a leaver without "
            "points takes the worst open place at once.")
    dead_playoff: bool = option(
        True, group="places", clause="TU-ZK-III4b A-U-17 A-U-18",
        doc="Whether players who go out together play off their places; otherwise they share the best of "
            "them.")
    next_dealer: Literal["hand_winner", "rotate"] = option(
        "hand_winner", group="deal", values=("hand_winner", "rotate"), clause="TU-ZK-II2c A-U-19",
        doc="Whether the winner of a hand deals the next one, or the deal moves round.")
    eight_card_endgame: bool = option(
        False, group="deal", clause="TU-ZK-V5",
        doc="The last two players get eight cards each and play eight tricks without questions or raises.")
    conduct: Literal["enforced", "director"] = option(
        "enforced", group="table", values=("enforced", "director"), clause="A-U-23 A-U-21 TU-ZK-IV1",
        doc="Whether the software makes irregularities impossible, or a director books penalties by rule "
            "number.")
    penalty_points: int = option(
        1, group="table", low=1, high=10, clause="TU-ZK-IV1 TU-ZK-IV9",
        doc="Points lost by a penalty, a wrong claim or a wrong challenge.")
    # fmt: on

    def __post_init__(self) -> None:
        check_values(self)


_SIEBENSCHRAEM = Rules(
    four_pictures="off",
    raise_cap="points",
    blind_raise=True,
    poor_playoff="off",
    poor_man_leads_first=True,
    eight_card_endgame=True,
)
PRESETS: dict[str, Rules] = {
    "tuppen_zk": Rules(),
    "tuppen_zk_tournament": Rules(),
    "siebenschraem": _SIEBENSCHRAEM,
    "toepen": Rules(
        start_points=10, raise_cap="none", poor_man="off", poor_playoff="off", dead_playoff=False
    ),
    "toepen_netherlands": Rules(
        start_points=15,
        white_wash=True,
        raise_cap="points",
        raise_in_answer=True,
        poor_playoff="off",
        poor_man_leads_always=True,
        last_jack=True,
        dead_playoff=False,
    ),
    "siebenschraem_halves": replace(_SIEBENSCHRAEM, eight_card_endgame=False, game_form="halves"),
    "eight_card_letter": Rules(four_pictures="off", game_form="eight_cards"),
    "tuppen_blind": Rules(
        four_pictures="redeal",
        raise_timing="own_turn",
        raise_cap="points",
        blind_raise=True,
        two_to_three=True,
        poor_playoff="off",
    ),
}

# ------------------------------------------------------------------------------ what the rules answer


class Offence(NamedTuple):
    """Misconduct that costs a penalty (TU-ZK-IV1)."""

    clause: str
    message: str
    """The misconduct: a message about ``{seat}``."""
    listed: str
    """The misconduct in a list, with its price: a message."""


PENALTIES: Mapping[str, Offence] = {
    "II4": Offence(
        "TU-ZK-II4",
        sentence("{seat} looked at face-down cards or took away face-up ones"),
        sentence("looked at face-down cards, or took face-up cards away early: −1"),
    ),
    "IV2": Offence(
        "TU-ZK-IV2",
        sentence("{seat} has not turned the die down"),
        sentence("die not turned down by the first lead of the next hand: −1"),
    ),
    "IV3": Offence(
        "TU-ZK-IV3",
        sentence("{seat} pointed out a wrong die"),
        sentence("pointed out another player’s wrong die: −1"),
    ),
    "IV4": Offence(
        "TU-ZK-IV4", sentence("{seat} misdealt"), sentence("misdeal: −1, the cards are dealt again")
    ),
    "IV5": Offence(
        "TU-ZK-IV5", sentence("{seat} cut the pack"), sentence("cut the pack before the deal: −1")
    ),
    "IV6": Offence(
        "TU-ZK-IV6",
        sentence("{seat} looked at another player’s cards"),
        sentence("looked at another player’s cards: −1"),
    ),
    "IV7": Offence(
        "TU-ZK-IV7", sentence("{seat} revoked"), sentence("revoke: −1 and the stake, out of the hand")
    ),
    "IV8": Offence("TU-ZK-IV8", sentence("{seat} played out of turn"), sentence("played out of turn: −1")),
}
"""Penalties a director can book, by the number of the rule (TU-ZK-IV1)."""
WRONG_CLAIM = Note("TU-ZK-IV9", "wrong claim of four pictures, or wrong challenge: −1")
"""The penalty that the cards decide, as it stands in a list; at the table nobody books it."""


def penalty_note(clause: str, rule: str, seat: Seat) -> Note:
    """A penalty by that rule, told under the clause."""
    return Note(clause, PENALTIES[rule].message, {"seat": seat})


def may_bluff(rules: Rules, kind: Kind) -> bool:
    """Whether any four cards may be laid down as pictures, and be challenged.

    A bluff costs nothing to a player without points, so play-offs allow true claims only (A-U-03).
    """
    return rules.four_pictures == "claim_challenge" and kind == "regular"


def four_pictures(cards: CardSet) -> bool:
    """Whether all these cards count as pictures."""
    return not cards & ~PICTURES


def is_true_claim(rules: Rules, cards: CardSet) -> bool:
    """Whether these four cards may be laid down in truth: pictures, or three and a seven (A-U-31)."""
    others = cards & ~PICTURES
    return not others or (rules.white_wash and not others & ~SEVENS and others.bit_count() == 1)


def eight_cards(rules: Rules, kind: Kind, players: int) -> bool:
    """Whether this many players get eight cards: in the end game, or without points (TU-ZK-V5, A-U-37)."""
    if kind == "eight":
        return players <= 4
    return rules.eight_card_endgame and kind == "regular" and players == 2


def die_face(points: int) -> int:
    """The face of the die that shows this many points, 0 if none does: the 1 stands for 7 too (A-U-02)."""
    return 1 if points == 7 else points if 0 < points <= 6 else 0


def asked_stake(facts: Facts) -> int:
    """The stake of a seat that goes along with the open question (TU-ZK-III2d, TU-ZK-III3a)."""
    return 2 if facts.phase == "poor" else facts.stake + 1


def refusing_costs(rules: Rules, stake: int) -> int:
    """Cost in points of refusing to go along with more than this stake (A-U-05, A-U-22)."""
    return 1 if rules.leave_cost == "one" else stake


def leaving_costs(rules: Rules, facts: Facts, seat: Seat) -> int:
    """Cost in points of leaving now for `seat`, never more than it has (A-U-05, A-U-22)."""
    asked = facts.phase in ("raise", "poor")
    along = facts.stake - (facts.behind[seat] if facts.behind else 0)
    return min(facts.points[seat], refusing_costs(rules, along) if asked else facts.stake)


def losing_costs(facts: Facts, seat: Seat) -> int:
    """Cost in points of losing the hand after going along for `seat`, never more than it has (A-U-07)."""
    return min(facts.points[seat], asked_stake(facts))
