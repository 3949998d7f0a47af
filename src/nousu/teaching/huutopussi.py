"""The page that teaches Huutopussi."""

from collections.abc import Iterator

from nousu.engine.cards import parse_card
from nousu.engine.messages import Note, sentence
from nousu.games.huutopussi.rules import Rules, marriage_values, rank_values
from nousu.games.huutopussi.standing import score
from nousu.teaching.page import Block, CardPicture, Examples, NumberRow, NumberTable, PageSection
from nousu.teaching.tip_figures import FIGURES
from nousu.teaching.worked_hand import Comments

_RANKS = {"A": 12, "10": 8, "K": 11, "Q": 10, "J": 9}
"""The cards that may count, by the letter on their corner, with their place in the pack."""
_SUITS = {"♠": 0, "♣": 3, "♦": 2, "♥": 1}
_MARRIAGES = 280
"""The four marriages, however they are valued."""


def sections(rules: Rules, preset: str) -> tuple[PageSection, ...]:
    """The page by these rules."""
    return (
        PageSection("aim", tuple(_aim(rules))),
        PageSection("need", tuple(_need())),
        PageSection("deal", tuple(_deal(rules))),
        PageSection("bidding", tuple(_bidding(rules)), sentence("Auction and exchange")),
        PageSection("play", tuple(_play(rules))),
        PageSection("special", tuple(_trumps(rules)), sentence("Trumps and marriages")),
        PageSection("hand", ()),
        PageSection("scoring", tuple(_scoring(rules))),
        PageSection("end", tuple(_end(rules))),
        PageSection("tips", tuple(_tips(rules))),
        PageSection("words", tuple(_words()), folded=True),
        PageSection("origin", (_ORIGIN,), folded=True),
    )


def _aim(rules: Rules) -> Iterator[Block]:
    yield Note(
        "HP-GR-01 HP-GR-09",
        "Two pairs bid against each other: the higher bidder promises points and must win them, with high "
        "cards and with marriages, the king and queen of a suit.",
    )
    yield (
        Note(
            "HP-GR-01 HP-GR-34 A-H-17",
            sentence(
                "The first side with {points} point wins the match.",
                "The first side with {points} points wins the match.",
            ),
            {"points": rules.target},
        )
        if rules.win_condition == "reach"
        else Note(
            "A-H-17",
            sentence(
                "The first side with more than {points} point wins the match.",
                "The first side with more than {points} points wins the match.",
            ),
            {"points": rules.target},
        )
    )


def _need() -> Iterator[Block]:
    yield Note("HP-GR-01", "Four players; partners sit opposite each other.")
    yield Note("HP-GR-02", "A pack of 36 cards, from six to ace.")
    yield Note("", "Pencil and paper for the score.")
    cards = tuple(map(parse_card, ("HA", "H10", "HK")))
    yield CardPicture(
        cards,
        Note("HP-GR-12", "The 10 ranks between ace and king; below it king, queen, jack, 9, 8, 7, 6."),
    )


_REDEAL = {
    ("three_sixes_or_none_above_jack", "first_turn"): Note(
        "HP-GR-11 A-H-06",
        "If you hold three sixes, or nothing above a jack, you may demand a new deal on your first turn to "
        "bid.",
    ),
    ("three_sixes_or_none_above_jack", "any_turn"): Note(
        "HP-GR-11 A-H-06",
        "If you hold three sixes, or nothing above a jack, you may demand a new deal on any turn to bid.",
    ),
    ("three_sixes_or_none_above_jack", "bid_and_exchange"): Note(
        "HP-GR-11 A-H-06",
        "If you hold three sixes, or nothing above a jack, you may demand a new deal, in the exchange too.",
    ),
    ("four_sixes_pair", "first_turn"): Note(
        "A-H-06",
        "If you and your partner hold all four sixes, you may demand a new deal on your first turn to bid.",
    ),
    ("four_sixes_pair", "any_turn"): Note(
        "A-H-06", "If you and your partner hold all four sixes, you may demand a new deal on any turn to bid."
    ),
    ("four_sixes_pair", "bid_and_exchange"): Note(
        "A-H-06",
        "If you and your partner hold all four sixes, you may demand a new deal, in the exchange too.",
    ),
}


def _deal(rules: Rules) -> Iterator[Block]:
    yield Note(
        "HP-GR-03",
        "The first dealer is chosen at random, and after each hand the deal moves one place to the left. The "
        "dealer shuffles, the player on the right cuts, and everybody gets nine cards, clockwise.",
    )
    demand = _REDEAL.get((rules.redeal_rule, rules.redeal_window))
    if demand is not None:
        yield demand


def _bidding(rules: Rules) -> Iterator[Block]:
    least = {"bid": rules.min_bid}
    yield (
        Note("HP-GR-04", "The player on the dealer’s left has to open; the lowest bid is {bid}.", least)
        if rules.forced_opening
        else Note("A-H-07", "The player on the dealer’s left may open; the lowest bid is {bid}.", least)
    )
    yield Note(
        "HP-GR-05 HP-GR-06",
        "Going clockwise, everybody bids more, in steps of {step}, or passes and is out of the auction.",
        {"step": rules.bid_step},
    )
    yield (
        Note("HP-GR-07 A-H-01", "When three have passed, the last bidder is the declarer.")
        if rules.ceiling is None
        else Note(
            "HP-GR-07 A-H-01",
            "When three have passed, or somebody bids {most}, the last bidder is the declarer.",
            {"most": rules.ceiling},
        )
    )
    if not rules.forced_opening:
        yield (
            Note("A-H-19", "If nobody bids, the hand is played without a contract.")
            if rules.all_pass == "no_contract"
            else Note("A-H-19", "If nobody bids, the same dealer deals again.")
        )
    yield Note(
        "HP-GR-08 A-H-18",
        sentence(
            "The partner chooses {count} card and gives it to the declarer.",
            "The partner chooses {count} cards and gives them to the declarer.",
        ),
        {"count": rules.exchange_cards},
    )
    yield (
        Note(
            "HP-GR-09 HP-GR-10 A-H-04",
            "The declarer looks at them, names the contract – at least the last bid – and gives the same "
            "number back.",
        )
        if rules.contract_timing == "before_return"
        else Note(
            "A-H-05 A-H-04",
            "The declarer looks at them, gives the same number back and then names the contract: at least "
            "the last bid.",
        )
    )
    if rules.bid_ban != "off":
        ban = {"points": rules.bid_ban}
        yield (
            Note(
                "HP-GR-33 A-H-07", "A side at {points} or less may not bid, except when it has to open.", ban
            )
            if rules.forced_opening
            else Note("A-H-07", "A side at {points} or less may not bid.", ban)
        )


def _play(rules: Rules) -> Iterator[Block]:
    yield (
        Note("HP-GR-15", "The declarer leads any card to the first trick.")
        if rules.first_trick == "free"
        else Note(
            "A-H-21",
            "The first lead is an ace, or a spade from a hand without one; the ace of the suit led must be "
            "played.",
        )
    )
    yield Note(
        "HP-GR-16 A-H-14",
        "Follow suit, and beat the best card of the trick if you can – even your partner’s.",
    )
    yield Note(
        "HP-GR-17 HP-GR-18 HP-GR-19 A-H-14",
        "There are no trumps at first. Once there are, a player who cannot follow must trump, higher than a "
        "trump in the trick if possible; otherwise any card will do.",
    )
    yield Note(
        "HP-GR-20",
        "The highest trump takes the trick or, if there is none, the highest card of the suit led; its "
        "player leads to the next.",
    )


def _trumps(rules: Rules) -> Iterator[Block]:
    yield (
        Note(
            "HP-GR-21 HP-GR-22 A-H-08 A-H-09",
            "If you led to a trick and won it, you have one attempt to declare trumps before you lead again.",
        )
        if rules.declare_right == "led_and_won"
        else Note(
            "HP-GR-22 A-H-08 A-H-09",
            "If you won a trick, you have one attempt to declare trumps before you lead to the next.",
        )
    )
    yield CardPicture(
        tuple(map(parse_card, ("HK", "HQ"))),
        Note("HP-GR-22 HP-GR-23", "A marriage in your own hand: name the suit, and it is trumps."),
    )
    yield Note(
        "HP-GR-22 HP-GR-24",
        "Or ask your partner for a marriage; a partner who holds one may name it, and its suit is trumps.",
    )
    if rules.lockouts == "ladder":
        yield Note(
            "HP-GR-24 A-H-12",
            "After that you may not declare from your own hand, and your partner may not ask you for a "
            "marriage.",
        )
    yield Note(
        "HP-GR-22 HP-GR-25 A-H-11",
        "Or name a king or queen of yours and ask for its other half; with a yes the suit is trumps.",
    )
    if rules.lockouts == "ladder":
        yield Note("HP-GR-25 A-H-12", "After that, either of you may ask only for halves.")
    yield (
        Note("A-H-10", "The partner must answer truthfully.")
        if rules.answers == "truthful"
        else Note("HP-GR-24 HP-GR-25 A-H-10", "The partner may always say no.")
    )
    yield Note(
        "HP-GR-26 HP-GR-27 A-H-13",
        "Both cards must still be in hand, each suit counts once, and the newest marriage makes the trumps.",
    )


_FAILED_CONTRACT = {
    "minus_contract": Note("HP-GR-32 A-H-02 A-H-22", "If it falls short, it loses the contract."),
    "zero": Note("HP-GR-31 A-H-02", "If it does not reach the contract, it scores nothing."),
}
_TRICKLESS = {
    "minus_contract": Note("HP-GR-32", "Without a single trick it loses the contract."),
    "minus_double_contract": Note("A-H-02", "Without a single trick it loses twice the contract."),
}
_DEFENDERS = {
    "minus_bid": Note("A-H-03", "Without a trick they lose the bid."),
    "minus_contract": Note("A-H-03", "Without a trick they lose the contract."),
    "minus_double_contract": Note("A-H-03", "Without a trick they lose twice the contract."),
}


def _scoring(rules: Rules) -> Iterator[Block]:
    worth = rank_values(rules)
    cards = NumberRow(
        Note("HP-GR-13 A-H-15", "What the cards count"), tuple(worth[rank] for rank in _RANKS.values())
    )
    yield NumberTable(None, tuple(_RANKS), (cards,))
    couples = marriage_values(rules)
    married = NumberRow(
        Note("HP-GR-14 HP-GR-28 A-H-16", "What marriages count"),
        tuple(couples[suit] for suit in _SUITS.values()),
    )
    yield NumberTable(None, tuple(_SUITS), (married,))
    yield Note(
        "HP-GR-14 HP-GR-29 A-H-15",
        "The last trick counts {last}. Each side adds up its cards, its marriages and the last trick.",
        {"last": rules.last_trick},
    )
    yield Note("HP-GR-31", "The declarer’s side scores the contract if it has reached it, and never more.")
    yield _FAILED_CONTRACT[rules.failed_contract]
    if rules.failed_contract == "zero" or rules.trickless_declarer != "minus_contract":
        yield _TRICKLESS[rules.trickless_declarer]
    yield (
        Note("HP-GR-30", "The others score what they have earned.")
        if rules.defender_rounding == "none"
        else Note("HP-GR-30 A-H-20", "The others score what they have earned, to the nearest five.")
    )
    if rules.trickless_defenders in _DEFENDERS:
        yield _DEFENDERS[rules.trickless_defenders]
    yield Examples(tuple(_examples(rules)))


def _examples(rules: Rules) -> Iterator[Note]:
    """A contract made, one missed, one without a trick, scored by the engine."""
    plain = rules.total - _MARRIAGES
    made, missed, trickless = (max(points, rules.min_bid) for points in (120, 150, 80))
    enough = plain // 2
    for value in sorted(marriage_values(rules), reverse=True):
        if enough < made or enough == plain // 2:
            enough += value
    for contract, own, message in (
        (
            made,
            enough,
            sentence(
                "Contract {contract}, and the declarer’s side has {own}: it scores {us}, the others {them}."
            ),
        ),
        (
            missed,
            plain // 2,
            sentence(
                "Contract {contract}, but the declarer’s side has {own}: it scores {us}, the others {them}."
            ),
        ),
    ):
        rest = plain - plain // 2
        us, them = score(rules, 0, contract, contract, (own, rest), (5, 4))
        yield Note("", message, {"contract": contract, "own": own, "us": us, "them": them})
    us, them = score(rules, 0, trickless, trickless, (0, plain), (0, 9))
    yield Note(
        "",
        "Contract {contract}, but the declarer’s side takes no trick: it scores {us}, the others {them}.",
        {"contract": trickless, "us": us, "them": them},
    )


def _end(rules: Rules) -> Iterator[Block]:
    yield (
        Note("HP-GR-34 A-H-17", "If both sides reach the target in the same hand, the higher total wins.")
        if rules.both_reach == "higher"
        else Note("A-H-17", "If both sides reach the target in the same hand, the declarer’s side wins.")
    )
    yield (
        Note("HP-GR-34 A-H-17", "Equal totals are decided by another hand.")
        if rules.equal == "play_on"
        else Note("HP-GR-34 A-H-17", "Equal totals are a draw.")
    )
    yield Note("HP-GR-33", "A total may fall below zero.")
    yield Note("", "Partners tell each other nothing about their cards, by word or by sign.")


def _tips(rules: Rules) -> Iterator[Block]:
    yield Note(
        "",
        "One hand holds a marriage in {own}% of deals, two partners together in {pair}%: give your declarer "
        "kings and queens that fit, and ask.",
        {"own": FIGURES["marriage_own"].percent, "pair": FIGURES["marriage_pair"].percent},
    )
    if (rules.card_values, rules.last_trick) == ("simple", 20):
        yield Note(
            "",
            "Among computer players the declarer’s side averaged {earned} before marriages: bid more only "
            "if you can see one.",
            {"earned": FIGURES["declarer_cards"].average},
        )
    else:
        yield Note("", "Bid high only when you see a marriage: cards alone seldom make much more than half.")
    yield Note("", "Lead an ace early: a trick that you lead and win opens the way to trumps.")
    if rules.lockouts == "ladder":
        yield Note("", "Declare your own marriages before you ask: asking closes your own hand.")
    else:
        yield Note("", "Ask for a marriage as soon as you can: nothing is lost by asking.")
    yield Note(
        "", "Keep a sure winner for the end: the last trick alone counts {last}.", {"last": rules.last_trick}
    )


def _words() -> Iterator[Block]:
    yield Note("HP-GR-07", "Declarer: the player who bid most.")
    yield Note("HP-GR-09", "Contract: the points the declarer’s side has to reach.")
    yield Note("HP-GR-23", "Marriage: the king and queen of a suit.")
    yield Note("HP-GR-25", "Half a marriage: one of the two, with the other one in the partner’s hand.")
    yield Note("HP-GR-18", "To trump: to play a trump where you cannot follow suit.")


_ORIGIN = Note(
    "HP-GR-01",
    "Huutopussi is Finnish, a relative of Marjapussi; huuto is the bid that gave it its name.",
)

COMMENTS: Comments = {
    (1, "DA", "DA"): Note(
        "", "An ace is the safest lead: it was led and it won, so that trumps may be declared."
    ),
    (2, "CA", "CA"): Note(
        "", "The marriage is declared before this lead: its points count, and its suit is trumps."
    ),
    (3, "CQ", "SJ"): Note(
        "",
        "The second marriage has made spades trumps: a player without a club must trump, even the partner’s "
        "queen.",
    ),
    (9, "CK", "CK"): Note(
        "", "The last trick has points of its own: a card that nobody can beat was kept for it."
    ),
}
"""The teacher's remarks on the worked hand."""
