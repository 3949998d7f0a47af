"""The page that teaches Tuppi and its cousins."""

from collections.abc import Iterator

from nousu.engine.cards import parse_card
from nousu.engine.messages import Note, sentence
from nousu.games.whist import TRICKS, Rules, ink, score
from nousu.games.whist.rules import EXPERIMENTAL, pay_clause
from nousu.teaching.page import Block, CardPicture, Examples, NumberRow, NumberTable, PageSection
from nousu.teaching.tip_figures import FIGURES
from nousu.teaching.worked_hand import Comments

_COLUMNS = (7, 8, 9, 10, 13)
"""Tricks of the side that took more, as columns of the table of scores."""
_EMIGRANTS = ("minnesota", "minnesota_pagat", "norwegian_catsatcards", "south_dakota")
"""The presets of the game that Norwegian immigrants brought along."""


def sections(rules: Rules, preset: str) -> tuple[PageSection, ...]:
    """The page by these rules."""
    return (
        PageSection("aim", tuple(_aim(rules))),
        PageSection("need", tuple(_need(rules))),
        PageSection("deal", tuple(_deal(rules))),
        PageSection("bidding", tuple(_bidding(rules))),
        PageSection("play", tuple(_play(rules))),
        *((PageSection("solo", tuple(_sooli(rules)), sentence("Sooli")),) if rules.sooli else ()),
        PageSection("hand", ()),
        PageSection("scoring", tuple(_scoring(rules))),
        PageSection("end", tuple(_end(rules))),
        PageSection("talk", (_TALK[rules.table_talk],)),
        PageSection("tips", tuple(_tips(rules))),
        PageSection("words", tuple(_words(rules)), folded=True),
        PageSection("origin", tuple(_origin(rules, preset)), folded=True),
    )


def _is_tuppi(rules: Rules) -> bool:
    return rules.score_model == "single_riser"


def _aim(rules: Rules) -> Iterator[Block]:
    target = Note(
        "T-WIK-25 T-CAT-36 MW-WIK-17 NW-CAT-15 A-T-14 A-M-05",
        sentence(
            "The first side with {points} point after a hand wins the match.",
            "The first side with {points} points after a hand wins the match.",
        ),
        {"points": rules.target},
    )
    if _is_tuppi(rules):
        yield Note(
            "T-WIK-01 T-WIK-23 T-CAT-35 T-CAT-37",
            "Two pairs climb out of the same valley. Only one side can hold points – it is rising, nousussa "
            "– and when the other side scores, both are back at zero.",
        )
        yield target
        return
    yield Note(
        "MW-WIK-01 NW-CAT-01",
        "A plain whist for two pairs: thirteen tricks, no trumps, and the bids decide whether tricks are "
        "wanted or not.",
    )
    yield Note(
        "MW-WIK-08 MW-WIK-09 NW-CAT-02 NW-CAT-08",
        "In a grand a side wants seven tricks or more, in a low hand six or fewer.",
    )
    yield target


def _origin(rules: Rules, preset: str) -> Iterator[Block]:
    if _is_tuppi(rules):
        yield Note(
            "T-WIK-01 T-WIK-02 T-WIK-26 T-WIK-27",
            "Tuppi comes from northern Finland. It was the game for those who could not afford the stakes of "
            "Sökö, and it is still played for honour: losing a match is a disgrace, and the clubs of Lapland "
            "hold a Finnish championship.",
        )
    if preset in _EMIGRANTS:
        yield Note(
            "MW-WIK-02",
            "Norwegian immigrants brought the game to the Upper Midwest, which is why it is called both "
            "Minnesota whist and Norwegian whist.",
        )
    if preset in EXPERIMENTAL:
        yield Note("A-N-05", "Some of the figures for this variant appear in no source.")


def _need(rules: Rules) -> Iterator[Block]:
    yield Note("T-WIK-03 T-CAT-01 MW-WIK-01 NW-CAT-01", "Four players; partners sit opposite each other.")
    yield Note(
        "T-WIK-03 T-WIK-20 T-CAT-01 T-CAT-02 MW-WIK-01 A-N-06",
        "A pack of 52 cards. In each suit the ace is highest, then king, queen, jack and 10 down to 2; there "
        "are no trumps.",
    )
    if rules.bid_mode == "bid_card":
        yield Note("T-CATT-03 T-WIKT-05", "A red and a black bidding card for each player.")
    if _is_tuppi(rules):
        yield Note("", "Pencil and paper for the score.")
    else:
        yield Note("MW-WIK-02", "Pencil and paper: the scorer’s own side is Us, the other one Them.")


_FIRST_DEALER = {
    "draw_high": Note(
        "T-CAT-03 T-CAT-06 MW-WIK-03 A-T-23 A-T-24 A-M-06",
        "Everybody draws a card, and players with equal ranks draw again; the player with the highest card "
        "deals first.",
    ),
    "first_jack": Note(
        "A-T-23", "Cards are dealt face up until the first jack falls; its owner deals first."
    ),
    "random": Note("A-T-23", "The first dealer is chosen at random."),
}


def _deal(rules: Rules) -> Iterator[Block]:
    yield _FIRST_DEALER[rules.first_dealer]
    if rules.partners == "drawn":
        yield Note(
            "T-CAT-03 T-CAT-04 T-CAT-05 A-T-23 A-N-06",
            "The two players with the highest cards play against the other two, and the one with the "
            "highest of all chooses a seat.",
        )
    yield (
        Note(
            "T-WIK-04 T-CAT-08 MW-WIK-04 A-T-01",
            "The dealer shuffles, the player on the right cuts, and all cards are dealt one by one, "
            "clockwise from the dealer’s left: thirteen each.",
        )
        if rules.deal_start == "left"
        else Note(
            "T-CAT-08 T-CAT-09 NW-CAT-01 A-T-01",
            "The dealer shuffles, the player on the right cuts, and all cards are dealt one by one, "
            "clockwise, the first to the dealer’s right: thirteen each.",
        )
    )
    yield Note("T-CAT-07 MW-WIK-13 A-N-06", "After each hand the deal moves one place to the left.")


_MEANING = {
    (True, True, "red"): Note("T-WIK-05 T-CAT-13", "Red says rami: you want many tricks."),
    (True, True, "black"): Note("T-WIK-05 T-CAT-13", "Black says rami: you want many tricks."),
    (True, False, "red"): Note("T-WIK-05 T-CAT-12", "Red says nolo: you want few tricks."),
    (True, False, "black"): Note("T-WIK-05 T-CAT-12", "Black says nolo: you want few tricks."),
    (False, True, "red"): Note("MW-WIK-05 NW-CAT-03", "Red says grand: you want many tricks."),
    (False, True, "black"): Note("MW-WIK-05 NW-CAT-03", "Black says grand: you want many tricks."),
    (False, False, "red"): Note("MW-WIK-05 NW-CAT-03", "Red says low: you want few tricks."),
    (False, False, "black"): Note("MW-WIK-05 NW-CAT-03", "Black says low: you want few tricks."),
}
"""The meaning of a bid card: at a Tuppi table or another, high or low, by its colour."""
_SAMPLES = {"red": ("H4", "D7"), "black": ("S5", "C8")}
_RANKS = {
    "3-10": Note("T-WIK-06 T-CAT-14 A-T-03", "Only a card from 3 to 10 may be laid as a bid."),
    "3-10,A": Note("A-T-03", "Only a card from 3 to 10 or an ace may be laid as a bid."),
    "any": Note("NW-CAT-03 MW-WIK-05", "Any card of the colour will do; a low one tells the others least."),
}
_MISSING_BID_CARD = {
    "verbal": Note(
        "T-WIK-11 T-CAT-15 A-T-04 A-N-04",
        "If you hold no card for the bid you want, say it aloud when it is your turn to show.",
    ),
    "may_void": Note(
        "NW-CAT-07 A-N-04",
        "A hand of one colour may be shown: then nobody scores, and the same dealer deals again.",
    ),
    "forced": Note("A-N-04", "If you hold no card of the colour you want, you bid the other one."),
}
_EXPOSURE = {
    (True, "left"): Note(
        "T-WIK-07 T-WIK-08 T-CAT-16 T-CAT-17 A-T-02",
        "From the dealer’s left the bids are turned up one by one. The first rami ends it: the hand is a "
        "rami, and the other bids stay secret.",
    ),
    (True, "right"): Note(
        "T-WIK-07 T-WIK-08 T-CAT-17 A-T-02",
        "Beginning on the dealer’s right the bids are turned up clockwise. The first rami ends it: the hand "
        "is a rami, and the other bids stay secret.",
    ),
    (False, "left"): Note(
        "MW-WIK-06 MW-WIK-07 MW-WIK-08 A-N-02 A-M-03",
        "From the dealer’s left the bids are turned up one by one. The first grand ends it: the hand is a "
        "grand, and the other bids stay secret.",
    ),
    (False, "right"): Note(
        "NW-CAT-04 NW-CAT-05 A-N-02 A-M-03",
        "Beginning on the dealer’s right the bids are turned up clockwise. The first grand ends it: the hand "
        "is a grand, and the other bids stay secret.",
    ),
}


def _bidding(rules: Rules) -> Iterator[Block]:
    tuppi = _is_tuppi(rules)
    if rules.bid_mode == "spoken":
        yield Note(
            "MW-WIK-18 A-M-02",
            "From the dealer’s left everybody says a bid aloud: grand for many tricks, or pass.",
        )
        if rules.spoken_bids == "pass_grand_nullo":
            yield Note("A-N-05", "Nullo, for few tricks, may be bid too. The first grand or nullo decides.")
        else:
            yield Note("MW-WIK-18 A-M-02", "The first grand ends the bidding.")
        yield Note("MW-WIK-18 A-M-02", "Four passes make a low hand.")
    else:
        yield (
            Note(
                "T-WIK-05 T-CAT-10 T-CAT-11 MW-WIK-05 NW-CAT-03",
                "Everybody looks at their cards and lays one of them face down as a bid, in silence.",
            )
            if rules.bid_mode == "hand_card"
            else Note(
                "T-CATT-03 T-WIKT-05 T-CAT-10 T-CAT-11 T-WIK-05",
                "Everybody looks at their cards and lays a bidding card face down, in silence.",
            )
        )
        for high in (True, False):
            colour = ink(high, rules)
            cards = tuple(map(parse_card, _SAMPLES[colour]))
            yield CardPicture(cards, _MEANING[tuppi, high, colour])
        if rules.bid_mode == "hand_card":
            yield _RANKS[rules.bid_ranks]
            yield _MISSING_BID_CARD[rules.single_colour_hand]
        yield _EXPOSURE[tuppi, rules.expose_start]
        yield (
            Note("T-WIK-08 T-CAT-19", "If all four bid nolo, the hand is a nolo.")
            if tuppi
            else Note("MW-WIK-09 NW-CAT-06 A-N-01", "Four low bids make a low hand.")
        )
        if rules.bid_mode == "hand_card":
            yield Note("T-WIK-12 T-CAT-20 NW-CAT-09", "Bid cards go back into the hands.")
    if rules.sooli:
        yield Note(
            "T-WIK-09 T-CAT-18 T-CAT-27 A-T-08",
            "After a rami either opponent of its bidder may call sooli, to play alone against two and take "
            "no trick at all.",
        )


_HIGH_LEAD = {
    (True, "right_of_bidder"): Note(
        "T-WIK-13 T-CAT-23", "In rami the player on the bidder’s right leads first."
    ),
    (True, "left_of_bidder"): Note("A-M-04", "In rami the player on the bidder’s left leads first."),
    (True, "forehand"): Note("A-M-04", "In rami the player on the dealer’s left leads first."),
    (False, "right_of_bidder"): Note(
        "MW-WIK-10 NW-CAT-10 MW-WIK-18", "In a grand the player on the bidder’s right leads first."
    ),
    (False, "left_of_bidder"): Note("A-M-04", "In a grand the player on the bidder’s left leads first."),
    (False, "forehand"): Note("A-M-04", "In a grand the player on the dealer’s left leads first."),
}
_EXCHANGE = {
    "discard_then_receive": Note(
        "T-WIK-10 A-T-07", "In sooli the soloist lays one card aside, then gets one from the partner."
    ),
    "receive_then_return": Note(
        "A-T-07", "In sooli the partner gives the soloist one card, then receives one back."
    ),
}
_SOOLI_ORDER = {
    "always_last": Note(
        "T-WIK-16 A-T-09 A-T-10",
        "The soloist’s left neighbour leads first, and the soloist plays last to every trick.",
    ),
    "rotation": Note(
        "T-CAT-29 A-T-09 A-T-10",
        "The soloist’s left neighbour leads first, so that the soloist is last to the first trick; then play "
        "goes round as usual.",
    ),
}
_EARLY_END = {
    "offer": Note(
        "T-WIK-24 A-T-15", "A hand in which the rising side can no longer score may be broken off."
    ),
    "auto": Note("T-WIK-24 A-T-15", "A hand in which the rising side can no longer score is broken off."),
}


def _play(rules: Rules) -> Iterator[Block]:
    tuppi = _is_tuppi(rules)
    yield _HIGH_LEAD[tuppi, rules.high_lead]
    if rules.low_lead == "right_of_bidder_or_dealer":
        yield Note(
            "A-N-05",
            "In a low hand the player on the right of its bidder leads first; if nobody bid it, the player "
            "on the dealer’s right.",
        )
    elif tuppi:
        yield Note("T-WIK-14 T-CAT-21", "In nolo the player on the dealer’s left leads first.")
    else:
        yield Note("MW-WIK-10 NW-CAT-11", "In a low hand the player on the dealer’s left leads first.")
    yield Note(
        "T-WIK-15 T-CAT-32 T-CAT-33 MW-WIK-11 NW-CAT-12",
        "Any card may be led; going clockwise, everybody adds one. Follow suit if you can, otherwise play "
        "any card.",
    )
    yield Note(
        "T-CAT-34 T-WIK-20 MW-WIK-11 NW-CAT-12",
        "The highest card of the suit led takes the trick, and its player leads to the next.",
    )
    if not tuppi:
        yield Note("MW-WIK-12", "Partners pool their tricks, until all cards are played.")
    if rules.early_end in _EARLY_END:
        yield _EARLY_END[rules.early_end]


def _sooli(rules: Rules) -> Iterator[Block]:
    if rules.sooli_exchange in _EXCHANGE:
        yield _EXCHANGE[rules.sooli_exchange]
    yield Note("T-WIK-16 T-CAT-26", "The soloist’s partner lays their cards face down and sits out.")
    cards = tuple(map(parse_card, ("HK", "H3", "H2", "HA")))
    yield CardPicture(cards, Note("T-WIK-16 T-CAT-28 A-T-12", "In sooli the ace is lowest, below the 2."))
    yield _SOOLI_ORDER[rules.sooli_order]
    yield (
        Note("T-CAT-31 A-T-11", "The soloist’s first trick ends the hand.")
        if rules.sooli_stop
        else Note(
            "A-T-11",
            "The soloist’s first trick decides the hand, but it is played to the end; a soloist who wins a "
            "trick leads to the next.",
        )
    )


def _points(rules: Rules, high: bool, tricks: int, winners_bid: bool) -> tuple[int, int]:
    """The points of the side that took more tricks, and of the other side, by the engine's scoring."""
    return score(rules, "high" if high else "low", 0 if winners_bid else 1, (tricks, TRICKS - tricks))


def _scoring(rules: Rules) -> Iterator[Block]:
    tuppi = _is_tuppi(rules)
    made = [_points(rules, True, tricks, True) for tricks in _COLUMNS]
    failed = [_points(rules, True, tricks, False) for tricks in _COLUMNS]
    low = [_points(rules, False, tricks, True) for tricks in _COLUMNS]

    def row(clause: str, label: Note, cells: list[tuple[int, int]], side: int) -> Iterator[NumberRow]:
        if any(pair[side] for pair in cells):
            yield NumberRow(label._replace(clause=clause), tuple(pair[side] for pair in cells))

    credit = rules.low_mode == "credit_winner"
    low_clause = pay_clause(rules, "low" if credit else "lost", rules.low_points)
    rows = [
        *row(pay_clause(rules, "high", rules.high_points), _ROWS[tuppi, "made"], made, 0),
        *row(pay_clause(rules, "failed", rules.high_fail_points), _ROWS[tuppi, "failed"], failed, 0),
        *row("A-N-03", _ROWS[tuppi, "debit"], failed, 1),
        *row(low_clause, _ROWS[tuppi, "low" if credit else "lost"], low, 1 if credit else 0),
    ]
    yield NumberTable(
        Note("", "What a hand pays, by the tricks of the side that took more"), _COLUMNS, tuple(rows)
    )
    if rules.sooli:
        yield Note(
            "T-WIK-21 T-WIK-22 T-CAT-30 T-CAT-31 A-T-28",
            sentence(
                "Sooli pays {points} point: to the soloist’s side without a trick, to the opponents with "
                "one.",
                "Sooli pays {points} points: to the soloist’s side without a trick, to the opponents with "
                "one.",
            ),
            {"points": rules.sooli_points},
        )
    yield Examples(tuple(_examples(rules)))


_ROWS = {
    (True, "made"): Note("", "Rami, taken by its bidders"),
    (True, "failed"): Note("", "Rami, taken by the others"),
    (True, "debit"): Note("", "Rami, lost by its bidders"),
    (True, "low"): Note("", "Nolo, to the side with fewer"),
    (True, "lost"): Note("", "Nolo, from the side with more"),
    (False, "made"): Note("", "Grand, taken by its bidders"),
    (False, "failed"): Note("", "Grand, taken by the others"),
    (False, "debit"): Note("", "Grand, lost by its bidders"),
    (False, "low"): Note("", "Low, to the side with fewer"),
    (False, "lost"): Note("", "Low, from the side with more"),
}


def _examples(rules: Rules) -> Iterator[Note]:
    """Three hands, scored by the engine for us and for them."""
    tuppi = _is_tuppi(rules)
    good, bad = (9, 9) if tuppi else (10, 8)
    us, them = _points(rules, True, good, True)
    first = (
        sentence("We bid rami and take {tricks} of 13 tricks: we score {us}, they score {them}.")
        if tuppi
        else sentence("We bid grand and take {tricks} of 13 tricks: we score {us}, they score {them}.")
    )
    yield Note("", first, {"tricks": good, "us": us, "them": them})
    them, us = _points(rules, True, bad, False)
    second = (
        sentence("We bid rami and take only {tricks}: we score {us}, they score {them}.")
        if tuppi
        else sentence("We bid grand and take only {tricks}: we score {us}, they score {them}.")
    )
    yield Note("", second, {"tricks": 13 - bad, "us": us, "them": them})
    us, them = _points(rules, False, 8 if tuppi else 9, True)
    third = (
        sentence("In a nolo we take {tricks} and they {other}: we score {us}, they score {them}.")
        if tuppi
        else sentence("In a low hand we take {tricks} and they {other}: we score {us}, they score {them}.")
    )
    tricks = 8 if tuppi else 9
    yield Note("", third, {"tricks": tricks, "other": 13 - tricks, "us": us, "them": them})


def _end(rules: Rules) -> Iterator[Block]:
    if _is_tuppi(rules):
        yield Note(
            "T-WIK-23 T-WIK-25 T-CAT-35 T-CAT-36 A-T-13",
            "Points are gathered in one unbroken rise. A side that topples the other scores nothing for it, "
            "and the climb starts again for both.",
        )
    else:
        yield Note("MW-WIK-17 NW-CAT-15 A-M-05", "Both sides add up their points, hand after hand.")
        if rules.low_mode == "debit_loser" or rules.high_fail_debit:
            yield Note("NW-CAT-14 A-N-03", "A total may fall below zero.")
    if rules.max_hands is None:
        return
    yield Note(
        "T-WIKT-02 T-CATT-04 A-T-18",
        sentence(
            "If nobody has won by then, the match ends after {hands} hand.",
            "If nobody has won by then, the match ends after {hands} hands.",
        ),
        {"hands": rules.max_hands},
    )
    if not _is_tuppi(rules):
        yield Note("A-T-21", "Then the higher total wins.")
    elif rules.limit_criterion == "sum":
        yield Note("T-WIKT-03 A-T-20", "Then the side that gathered more points in all its rises wins.")
    else:
        yield Note("T-CATT-05 A-T-20", "Then the side that stood highest while it was rising wins.")
    if rules.extension:
        yield Note(
            "T-WIKT-04 A-T-19", "But if a side is rising at that moment, play goes on until it loses a hand."
        )


_TALK = {
    "agreed_signals": Note(
        "T-CAT-38 A-T-16",
        "Partners may signal, if all four know the signals beforehand; the opponents read them too.",
    ),
    "none": Note(
        "T-WIKT-06 T-CATT-06 A-T-16",
        "Partners tell each other nothing about their cards, by word or by sign.",
    ),
    "free": Note("A-T-16", "Talk is free."),
}


def _tips(rules: Rules) -> Iterator[Block]:
    tuppi = _is_tuppi(rules)
    tips = ("rami_weak", "rami_good", "rami_strong", "nolo_few", "nolo_many", "sooli_called")
    percent = {name: FIGURES[name].percent for name in tips}
    yield Note(
        "",
        "Count 4 for an ace, 3 for a king, 2 for a queen, 1 for a jack. With 12 to 14 in your hand your side "
        "takes seven tricks in {good}% of deals when computer players play on, with 15 or more in "
        "{strong}%: bid high.",
        {"good": percent["rami_good"], "strong": percent["rami_strong"]},
    )
    yield Note(
        "",
        "With 8 or less it makes it in only {weak}%: bid low, and leave the high bid to your partner.",
        {"weak": percent["rami_weak"]},
    )
    yield Note(
        "",
        "Small cards win a low hand. With six or more from 2 to 5 your side takes fewer tricks than the "
        "other in {many}% of deals, with three or fewer in {few}%.",
        {"many": percent["nolo_many"], "few": percent["nolo_few"]},
    )
    yield Note("", "In a low hand play the highest card that stays below the trick, and lead low ones.")
    if rules.sooli:
        yield Note(
            "",
            "Sooli is harder than it looks: computer players make {called}% of those that they call. Call it "
            "when there is much to save.",
            {"called": percent["sooli_called"]},
        )
    elif tuppi:
        yield Note("", "When the others are rising, a single point of yours takes all of theirs away.")
    else:
        yield Note("", "When your partner’s card is winning the trick in a grand, keep your high card.")


def _words(rules: Rules) -> Iterator[Block]:
    if _is_tuppi(rules):
        yield Note("T-WIK-05 T-CAT-13", "Rami: a hand in which tricks are wanted.")
        yield Note("T-WIK-05 T-CAT-12", "Nolo: a hand in which they are not.")
        if rules.sooli:
            yield Note("T-WIK-09 T-CAT-18", "Sooli: one player alone against a rami, taking no trick.")
        yield Note("T-WIK-23 T-CAT-37", "Rising, nousussa: the side that has points.")
        yield Note("T-WIK-23 T-CAT-35", "To topple: to score while the others are rising.")
    else:
        yield Note("MW-WIK-08 NW-CAT-02", "Grand: a high hand, in which tricks are wanted.")
        yield Note("MW-WIK-09 NW-CAT-02", "Low, nullo, nula: a hand in which they are not.")
    yield Note("", "To follow suit: to play a card of the suit that was led.")


COMMENTS: Comments = {
    (1, "CK", "CA"): Note(
        "", "The first lead comes from a long and strong suit, but the bidder holds its ace."
    ),
    (2, "DA", "DA"): Note(
        "", "A long suit is played at once, high cards first, so that its small cards win tricks in the end."
    ),
    (3, "D2", "DK"): Note("", "Now the king is gone: all diamonds that the bidder still holds are high."),
    (5, "SQ", "SA"): Note(
        "", "The partner’s ace and the king fall together: one trick fewer than they could take."
    ),
    (8, "D8", "D8"): Note("", "Nobody else has a diamond: each of these small cards takes a trick."),
    (13, "CQ", "CQ"): Note("", "The last trick counts no more than any other."),
}
"""The teacher's remarks on the worked hand."""
