"""What presets, options and spoken words are called on the pages."""

from typing import Any

from nousu.engine.options import differences, options, value_text
from nousu.games import find
from nousu.server.seen import Seen
from nousu.words import Translate


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


def word(spoken: str, say: Translate) -> str:
    """A word of the table as it stands on a button."""
    known = {
        "pass": say("Pass"),
        "rami": say("rami"),
        "nolo": say("nolo"),
        "sooli": say("sooli"),
        "grand": say("grand"),
        "nullo": say("nullo"),
        "end": say("Break off the hand"),
    }
    return known.get(spoken, spoken)


def differing(seen: Seen, say: Translate) -> tuple[tuple[str, str], ...]:
    """The options in which a table differs from its preset, as sentences with their values."""
    return changes(seen.match.rules, seen.base_preset, say)


def changes(rules: Any, base: str, say: Translate) -> tuple[tuple[str, str], ...]:
    """The options in which `rules` differ from the preset `base`: what the option means, and its value."""
    about = {item.name: say(item.doc) for item in options(rules)}
    found = differences(rules, find(base)[1])
    return tuple((about[name], value_words(value, say)) for name, value in found.items())


def value_words(value: Any, say: Translate) -> str:
    """The value of an option for people."""
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if value is None:
        return say("none")
    if isinstance(value, tuple):
        return ", ".join(value_words(item, say) for item in value) or say("none")
    text = value_text(value)
    known = value_names(say)
    return known.get(text, text.replace("_", " "))


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
        "forced": say("bids what he has"),
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
        "off": say("no"),
        "offer": say("offered"),
        "auto": say("by itself"),
        "free": say("free"),
        "agreed_signals": say("agreed signals"),
        "none": say("none"),
        "draw_high": say("highest card drawn"),
        "first_jack": say("first jack"),
        "random": say("by lot"),
        "preset": say("as seated"),
        "drawn": say("drawn"),
    }


def option_name(name: str, say: Translate) -> str:
    """The short name of an option; its sentence says the rest."""
    known = option_names(say)
    return known.get(name, name.replace("_", " ").capitalize())


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
        "high_points": say("High made"),
        "high_fail_points": say("High failed, others gain"),
        "high_fail_debit": say("High failed, bidders lose"),
        "low_mode": say("Low hand counts for"),
        "low_points": say("Low hand"),
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
    }
