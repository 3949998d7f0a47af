"""What rule sets, options and their values are called."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from nousu.engine.game import Game
from nousu.engine.options import value_text
from nousu.i18n import Translate


@lru_cache(256)
def preset_name(text: str, say: Translate) -> str:
    """The name of a rule set: its preset in words, with a star if options were changed."""
    base, plus, _ = text.partition("+")
    names = {
        "tuppi": say("Tuppi"),
        "tuppi_catsatcards": say("Tuppi, CatsAtCards rules"),
        "tuppi_tournament": say("Tuppi, tournament"),
        "tuppi_tournament_catsatcards": say("Tuppi, tournament, CatsAtCards rules"),
        "minnesota": say("Minnesota Whist"),
        "minnesota_pagat": say("Minnesota Whist, loser pays"),
        "norwegian_catsatcards": say("Norwegian Whist"),
        "south_dakota": say("South Dakota Whist"),
        "norwegian_parlett": say("Norwegian Whist, spoken, to 50"),
        "norwegian_spoken": say("Norwegian Whist, spoken"),
        "swedish": say("Swedish Whist"),
        "huutopussi": say("Huutopussi"),
        "huutopussi_gamerules_literal": say("Huutopussi, GameRules"),
        "huutopussi_finnish": say("Huutopussi, Finnish values"),
        "huutopussi_illisoft": say("Huutopussi, Illisoft rules"),
        "tuppen_zk": say("Tuppen"),
        "tuppen_zk_tournament": say("Tuppen, tournament"),
        "siebenschraem": say("Siebenschräm"),
        "toepen": say("Toepen"),
    }
    name = names.get(base, base)
    return say("{name} with house rules", name=name) if plus else name


def family_name(game: Game, say: Translate) -> str:
    """What a family of games is called."""
    names = {"whist": say("Tuppi and its cousins"), "huutopussi": say("Huutopussi"), "tuppen": say("Tuppen")}
    return names.get(game.name, game.name)


def group_name(group: str, say: Translate) -> str:
    """The heading of a group of options."""
    names = {
        "bidding": say("Bidding"),
        "play": say("Play"),
        "sooli": say("Sooli"),
        "scoring": say("Scoring"),
        "match": say("Match"),
        "table": say("Seats and talk"),
        "auction": say("Auction"),
        "exchange": say("Exchange of cards"),
        "trumps": say("Trumps and marriages"),
        "deal": say("Dealing and pictures"),
        "points": say("Points"),
        "raises": say("Raising and leaving"),
        "poor man": say("Poor man"),
        "places": say("Places"),
    }
    return names.get(group, group.capitalize())


def value_words(option: str, value: Any, say: Translate) -> str:
    """The value of an option for people; a list item by item."""
    if isinstance(value, tuple):
        return ", ".join(value_words(option, item, say) for item in value) or say("none")
    text = value_text(value)
    own = _OWN.get(f"{option}={text}")
    return own(say) if own is not None else value_names(say).get(text, text.replace("_", " "))


_OWN: Mapping[str, Callable[[Translate], str]] = {
    "max_bid=auto": lambda say: say("all points there are"),
    "max_bid=none": lambda say: say("no limit"),
    "max_hands=none": lambda say: say("no limit"),
    "raise_cap=none": lambda say: say("what anybody can lose"),
    "bid_ban=off": lambda say: say("never"),
    "redeal_rule=off": lambda say: say("no hand"),
    "poor_playoff=any": lambda say: say("any two play off"),
    "poor_playoff=simultaneous": lambda say: say("poor together play off"),
    "poor_playoff=off": lambda say: say("no play-off"),
}
"""Words that fit one option only."""


def preset_words(preset: str, say: Translate) -> str:
    """A preset in words, with what is typed for it in brackets."""
    return _with_writing(preset_name(preset, say), preset)


def setting_words(text: str, say: Translate) -> str:
    """An option as it is written, alone or ``option=value``, in words, with the writing in brackets:
    ``Target: 52 (target=52)``."""
    option, equals, value = text.partition("=")
    if not equals:
        return _with_writing(option_name(option, say), text)
    parts = value[1:-1].split(",") if value.startswith("[") else [value]
    words = ", ".join(value_words(option, one, say) for one in parts) or say("none")
    return _with_writing(f"{option_name(option, say)}: {words}", text)


def allowed_words(option: str, values: str, say: Translate) -> str:
    """Values of an option, written with a comma and a space between them, each in words."""
    return ", ".join(_with_writing(value_words(option, one, say), one) for one in values.split(", "))


def _with_writing(words: str, writing: str) -> str:
    return words if words.casefold() == writing.casefold() else f"{words} ({writing})"


@lru_cache(8)
def value_names(say: Translate) -> dict[str, str]:
    """The words among the values of options."""
    return {
        "red": say("red"),
        "black": say("black"),
        "hand_card": say("a card of the hand"),
        "bid_card": say("a bidding card"),
        "spoken": say("spoken"),
        "any": say("any"),
        "pass_grand": say("pass, grand"),
        "pass_grand_nullo": say("pass, grand, nullo"),
        "left": say("left neighbour"),
        "right": say("right neighbour"),
        "verbal": say("says it aloud"),
        "may_void": say("may void the deal"),
        "forced": say("bids what they have"),
        "right_of_bidder": say("right of the bidder"),
        "left_of_bidder": say("left of the bidder"),
        "forehand": say("forehand"),
        "right_of_bidder_or_dealer": say("right of the bidder or dealer"),
        "discard_then_receive": say("lays one aside, then receives one"),
        "receive_then_return": say("receives one, then gives one back"),
        "always_last": say("always last"),
        "rotation": say("in turn"),
        "credit_winner": say("the winners gain"),
        "debit_loser": say("the losers pay"),
        "single_riser": say("only one side rises"),
        "cumulative": say("both add up"),
        "sum": say("sum"),
        "peak": say("peak"),
        "other_criterion": say("the other criterion"),
        "extra_hands": say("extra hands"),
        "draw": say("draw"),
        "on": say("yes"),
        "off": say("no"),
        "offer": say("offered"),
        "auto": say("automatic"),
        "free": say("free"),
        "agreed_signals": say("agreed signals"),
        "none": say("none"),
        "draw_high": say("highest card drawn"),
        "first_jack": say("first jack"),
        "random": say("by lot"),
        "preset": say("as seated"),
        "drawn": say("drawn"),
        "3-10": say("3 to 10"),
        "3-10,A": say("3 to 10 and the ace"),
        "simple": say("simple"),
        "classic": say("classic"),
        "matrix": say("without jacks"),
        "hearts_high": say("hearts highest"),
        "spades_high": say("spades highest"),
        "no_contract": say("no contract"),
        "redeal": say("new deal"),
        "sixes": say("four sixes?"),
        "before_return": say("before giving back"),
        "after_return": say("after giving back"),
        "three_sixes_or_none_above_jack": say("three sixes, or nothing above a jack"),
        "four_sixes_pair": say("four sixes, also in a pair"),
        "first_turn": say("on the first turn"),
        "any_turn": say("on any turn"),
        "bid_and_exchange": say("in bidding and exchange"),
        "led_and_won": say("led and won"),
        "won": say("won"),
        "ladder": say("step by step"),
        "truthful": say("truthful"),
        "optional": say("at will"),
        "ace_or_spade": say("ace or spade"),
        "minus_contract": say("minus the contract"),
        "minus_double_contract": say("minus twice the contract"),
        "minus_bid": say("minus the bid"),
        "zero": say("nothing"),
        "nearest5": say("to the nearest five"),
        "reach": say("reached"),
        "exceed": say("exceeded"),
        "higher": say("the higher total"),
        "declarer_first": say("the declarer’s side"),
        "play_on": say("play on"),
        "2x2": say("two and two"),
        "1x4": say("four at once"),
        "claim_challenge": say("may be doubted"),
        "claim_honest": say("true ones only"),
        "any_time": say("at any moment"),
        "own_turn": say("on your turn"),
        "points_plus_one": say("points plus one"),
        "points": say("points left"),
        "previous_stake": say("the stake before"),
        "one": say("one point"),
        "excluded": say("win nothing"),
        "still_win": say("still win"),
        "ask_two": say("asks for two"),
        "fixed_two": say("always for two"),
        "per_poor": say("one more each"),
        "allowed": say("allowed"),
        "barred": say("not allowed"),
        "simultaneous": say("poor together"),
        "together": say("together"),
        "in_order": say("one after another"),
        "hand_winner": say("winner of the hand"),
        "rotate": say("moves round"),
        "enforced": say("impossible"),
        "director": say("a director books them"),
    }


def option_name(name: str, say: Translate) -> str:
    """The short name of an option; its sentence says the rest."""
    known = option_names(say)
    return known.get(name, name.replace("_", " ").capitalize())


@lru_cache(8)
def option_names(say: Translate) -> dict[str, str]:
    """The short names of options."""
    return {
        "high_colour": say("High colour"),
        "bid_mode": say("Way of bidding"),
        "bid_ranks": say("Bid cards"),
        "spoken_bids": say("Spoken bids"),
        "expose_start": say("First to show"),
        "single_colour_hand": say("Hand of one colour"),
        "high_lead": say("Lead, high hand"),
        "low_lead": say("Lead, low hand"),
        "sooli": say("Sooli"),
        "sooli_exchange": say("Sooli exchange"),
        "sooli_order": say("Soloist plays"),
        "sooli_points": say("Sooli points"),
        "high_points": say("High hand made, per trick"),
        "high_fail_points": say("High hand failed, defenders per trick"),
        "high_fail_debit": say("High hand failed, bidders lose per trick"),
        "low_mode": say("Low hand counts for"),
        "low_points": say("Low hand, per trick"),
        "score_model": say("Score"),
        "target": say("Target"),
        "max_hands": say("Hand limit"),
        "extension": say("Extension"),
        "limit_criterion": say("At the limit"),
        "limit_tiebreak": say("If equal"),
        "early_end": say("Breaking off"),
        "table_talk": say("Talk"),
        "deal_start": say("First card to"),
        "first_dealer": say("First dealer"),
        "partners": say("Partners"),
        "card_values": say("Card values"),
        "last_trick": say("Last trick"),
        "marriage_values": say("Marriage values"),
        "min_bid": say("Lowest bid"),
        "bid_step": say("Bid step"),
        "max_bid": say("Highest bid"),
        "forced_opening": say("Forced opening"),
        "all_pass": say("If all pass"),
        "exchange_cards": say("Cards exchanged"),
        "contract_timing": say("Contract is named"),
        "redeal_rule": say("New deal for"),
        "redeal_window": say("New deal when"),
        "declare_right": say("Right to declare"),
        "lockouts": say("Lost rights"),
        "half_requires_card": say("Half needs the card"),
        "answers": say("Answers"),
        "first_trick": say("First trick"),
        "failed_contract": say("Contract missed"),
        "trickless_declarer": say("Declarers without a trick"),
        "trickless_defenders": say("Defenders without a trick"),
        "defender_rounding": say("Rounding"),
        "bid_ban": say("Barred from bidding at"),
        "reopen_if_barred": say("Barred side may bid after all"),
        "win_condition": say("Target is to be"),
        "both_reach": say("Both reach the target"),
        "equal": say("Equal at the end"),
        "start_points": say("Points at the start"),
        "deal_batches": say("Deal"),
        "four_pictures": say("Four pictures"),
        "raise_timing": say("Raising"),
        "raise_cap": say("Highest raise"),
        "raiser_may_leave": say("Raiser may leave later"),
        "blind_raise": say("Blind raise"),
        "leave_cost": say("Leaving costs"),
        "voluntary_leave": say("Leaving unasked"),
        "leaver_cards": say("Cards of players who dropped out"),
        "poor_man": say("Poor man"),
        "poor_man_raises": say("Raises against a poor man"),
        "poor_playoff": say("Several poor men"),
        "poor_man_leads_first": say("Poor man leads"),
        "same_hand_deaths": say("Knocked out in the same hand"),
        "dead_playoff": say("Play-off for places"),
        "next_dealer": say("Next dealer"),
        "eight_card_endgame": say("Eight-card end game"),
        "conduct": say("Irregularities"),
        "penalty_points": say("Penalty"),
    }
