"""The page that teaches Tuppen and its relatives."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from nousu.engine.cards import parse_card
from nousu.engine.match import Match
from nousu.engine.messages import Note, sentence
from nousu.games.tuppen import GAME
from nousu.games.tuppen.facts import Facts
from nousu.games.tuppen.rules import Rules, leaving_costs, losing_costs
from nousu.teaching.page import Block, CardPicture, Examples, NumberRow, NumberTable, PageSection
from nousu.teaching.tip_figures import FIGURES
from nousu.teaching.worked_hand import Comments

_STAKES = (2, 3, 4, 5)
"""The stakes of the table of costs."""


def sections(rules: Rules, preset: str) -> tuple[PageSection, ...]:
    """The page by these rules."""
    letter = rules.game_form == "eight_cards"
    poor = () if letter else tuple(_poor(rules))
    raising = PageSection("bidding", tuple(_raising(rules)), sentence("Raising and leaving"))
    costs = PageSection("scoring", tuple(_scoring(rules)), sentence("What a hand costs"))
    origin = _ORIGINS.get(preset)
    return (
        PageSection("aim", tuple(_aim(rules))),
        PageSection("need", tuple(_need(rules, preset))),
        PageSection("deal", tuple(_deal(rules))),
        PageSection("play", tuple(_play(rules))),
        *(() if letter else (raising,)),
        *((PageSection("special", poor, sentence("The poor man")),) if poor else ()),
        PageSection("hand", ()),
        *(() if letter else (costs,)),
        PageSection("end", tuple(_end(rules)), sentence("The end of the game")),
        *(() if letter else (PageSection("tips", tuple(_tips(rules))),)),
        PageSection("talk", tuple(_conduct(rules)), sentence("Conduct and penalties"), folded=True),
        PageSection("words", tuple(_words(rules)), folded=True),
        PageSection("origin", (_ORIGIN, _SIMPLE) if origin is None else (_HOME, origin), folded=True),
    )


def _aim(rules: Rules) -> Iterator[Block]:
    if rules.game_form == "eight_cards":
        yield Note(
            "A-U-37", "A hand has eight tricks, and only the last one counts: whoever takes it wins the hand."
        )
        yield Note(
            "A-U-37",
            "Everybody plays alone and without points. The winner of a hand drops out with the "
            "best place left; "
            "the last player left has lost.",
        )
        return
    yield Note(
        "TU-ZK-III1c",
        "A hand has four tricks, and only the last one counts: whoever takes it wins the hand.",
    )
    if rules.game_form == "halves":
        yield Note(
            "A-U-36",
            sentence(
                "Everybody plays alone and starts each of two halves with {points} point. The "
                "winner of a hand keeps "
                "all points, everybody else loses at least one; whoever is first without points "
                "loses the half.",
                "Everybody plays alone and starts each of two halves with {points} points. The "
                "winner of a hand keeps "
                "all points, everybody else loses at least one; whoever is first without points "
                "loses the half.",
            ),
            {"points": rules.start_points},
        )
        return
    yield Note(
        "TU-ZK-II1a TU-ZK-II1b TU-ZK-II1c A-U-01",
        sentence(
            "Everybody plays alone and starts with {points} point. The winner of a hand keeps all points, "
            "everybody else loses at least one; the last player with points wins the game.",
            "Everybody plays alone and starts with {points} points. The winner of a hand keeps all points, "
            "everybody else loses at least one; the last player with points wins the game.",
        ),
        {"points": rules.start_points},
    )


def _need(rules: Rules, preset: str) -> Iterator[Block]:
    takes = GAME.seats_for(preset)
    yield Note("", "From {least} to {most} players.", {"least": takes.start, "most": takes.stop - 1})
    yield Note("TU-ZK-II2a", "A pack of 32 cards, from seven to ace.")
    if rules.start_points == 7 and rules.game_form != "eight_cards":
        yield Note(
            "TU-ZK-II1a A-U-02",
            "A die for each player, showing their points; the one stands for seven at the start and for one "
            "at the end.",
        )
    cards = tuple(map(parse_card, ("C10", "C9", "C8", "C7", "CA", "CK", "CQ", "CJ")))
    yield CardPicture(
        cards,
        Note("TU-ZK-II2a", "From the highest to the lowest: the ten is at the top, the jack at the bottom."),
    )


_PICTURES = {
    "claim_challenge": Note(
        "TU-ZK-II2b TU-ZK-IV9 A-U-03 A-U-04",
        "Four pictures (ace, king, queen, jack) may be laid face down for four new cards. Anyone may "
        "challenge them; whoever was wrong loses {penalty}.",
    ),
    "claim_honest": Note(
        "TU-ZK-II2b A-U-03",
        "Four pictures (ace, king, queen, jack) may be laid face down for four new cards, true ones only.",
    ),
    "compulsory": Note(
        "A-U-30",
        "Four pictures (ace, king, queen, jack) must be laid face down for four new cards.",
    ),
    "redeal": Note("A-U-03", "A player with four pictures (ace, king, queen, jack) may demand a new deal."),
}


def _deal(rules: Rules) -> Iterator[Block]:
    yield (
        Note(
            "TU-ZK-II2c A-U-19 A-U-20",
            "The player who draws the highest card deals first; after that the winner of each hand deals.",
        )
        if rules.next_dealer == "hand_winner"
        else Note(
            "A-U-20", "The player who draws the highest card deals first; after that the deal moves round."
        )
    )
    if rules.game_form == "eight_cards":
        yield Note("A-U-37", "Everybody gets eight cards, two at a time; more than four players get four.")
        return
    yield (
        Note("TU-ZK-II2d", "Everybody gets four cards, two at a time.")
        if rules.deal_batches == "2x2"
        else Note("A-U-23", "Everybody gets four cards at once.")
    )
    if rules.eight_card_endgame:
        yield Note(
            "A-U-18", "The last two players get eight cards each and play eight tricks without raises."
        )
    elif rules.game_form == "survivor":
        yield Note("TU-ZK-V5", "There are always four cards, for the last two players too.")
    rule = _PICTURES.get(rules.four_pictures)
    if rule is not None:
        yield rule._replace(
            values={"penalty": rules.penalty_points} if "{penalty}" in rule.message else rule.values
        )
        if rules.white_wash:
            yield Note("A-U-31", "Three pictures and a seven count like four pictures.")


def _play(rules: Rules) -> Iterator[Block]:
    yield Note(
        "TU-ZK-III1a A-U-14",
        "The player on the dealer’s left leads; there are no trumps but the suit that was led.",
    )
    yield Note(
        "TU-ZK-II3",
        "Going clockwise, everybody adds a card: follow suit if you can, otherwise play any card.",
    )
    yield Note(
        "TU-ZK-III1b TU-ZK-II4",
        "The highest card of the suit led takes the trick and its player leads to the next; cards stay face "
        "up in front of their players.",
    )
    if rules.game_form == "eight_cards":
        return
    yield (
        Note(
            "TU-ZK-III1d A-U-12 A-U-13",
            "Cards of players who have left win nothing: the trick goes to the best card of the suit among "
            "the others; if none of them followed, to the highest rank, clubs before spades, hearts and "
            "diamonds.",
        )
        if rules.leaver_cards == "excluded"
        else Note("A-U-12", "Cards of players who have left still win any trick but the last.")
    )


_CAP = {
    "points_plus_one": Note(
        "TU-ZK-III2f A-U-06 A-U-07",
        "You may raise to one more than the points you have; going along is always allowed.",
    ),
    "points": Note("A-U-06 A-U-07", "You may raise to the points you have; going along is always allowed."),
    "none": Note(
        "A-U-06 A-U-07",
        "You may raise to whatever somebody in the hand can lose; going along is always allowed.",
    ),
}


def _raising(rules: Rules) -> Iterator[Block]:
    yield (
        Note(
            "TU-ZK-III2a A-U-08 A-U-27",
            "The stake of a hand is one point. At any moment a player in the hand may raise it by one: that "
            "is tuppen.",
        )
        if rules.raise_timing == "any_time"
        else Note(
            "A-U-08",
            "The stake of a hand is one point. On your turn, before you play a card, you may raise it by "
            "one: that is tuppen.",
        )
    )
    yield (
        Note(
            "TU-ZK-III2b TU-ZK-III2d",
            "Beginning on the raiser’s left each of the others goes along for the new stake, or leaves.",
        )
        if rules.raise_in_answer
        else Note(
            "TU-ZK-III2b TU-ZK-III2d TU-ZK-V2 A-U-10",
            "Beginning on the raiser’s left each of the others goes along for the new stake, or "
            "leaves; nobody "
            "raises again before all have answered.",
        )
    )
    yield (
        Note(
            "TU-ZK-III2c A-U-05",
            "Leaving costs the stake before the raise; the cards are laid face down with the die on top.",
        )
        if rules.leave_cost == "previous_stake"
        else Note(
            "TU-ZK-III2c",
            "Leaving always costs one point; the cards are laid face down with the die on top.",
        )
    )
    if rules.raise_in_answer:
        yield Note(
            "A-U-34",
            "Whoever is asked may go along and raise at once: then all the others are asked for "
            "the higher stake, and "
            "who leaves pays what they had gone along with.",
        )
    yield Note("TU-ZK-III2e A-U-09", "Nobody raises twice running.")
    yield _CAP[rules.raise_cap]
    yield (
        Note(
            "TU-ZK-V3 A-U-09",
            "Raising only to leave afterwards is bad form; but when somebody else raises, you are free to "
            "leave.",
        )
        if rules.raiser_may_leave
        else Note("A-U-09", "Once you have raised, you stay to the end of the hand.")
    )
    if rules.blind_raise and rules.two_to_three:
        yield Note(
            "A-U-35",
            "Before the deal one player may raise blind: all play for two, and whoever did it may "
            "go to three.",
        )
    else:
        yield (
            Note("A-U-06", "Before the deal you may commit to raising blind, one higher than otherwise.")
            if rules.blind_raise
            else Note("TU-ZK-V4", "Nobody raises blind.")
        )
    if rules.voluntary_leave:
        yield Note("A-U-22", "You may also leave unasked, for the stake.")


_POOR = {
    "ask_two": Note(
        "TU-ZK-III3a A-U-15",
        "A player with one point left is the poor man, and whoever plays against him plays for two. Before "
        "the first lead he asks the others, from his left, who goes along; refusing costs one.",
    ),
    "fixed_two": Note(
        "A-U-15", "A player with one point left is the poor man: in a hand with him everybody plays for two."
    ),
    "per_poor": Note(
        "A-U-15",
        "A player with one point left is the poor man: every poor man in a hand makes its stake one higher.",
    ),
}
_POOR_PLAYOFF = {
    "simultaneous": Note(
        "TU-ZK-III3b A-U-16",
        "Players who become poor in the same hand play one hand among themselves: only its winner stays in.",
    ),
    "any": Note(
        "A-U-16",
        "Whenever there are two poor men, they play one hand among themselves: only its winner stays in.",
    ),
}


def _poor(rules: Rules) -> Iterator[Block]:
    if rules.poor_man not in _POOR:
        return
    yield _POOR[rules.poor_man]
    if rules.poor_man_raises == "barred":
        yield Note("A-U-15", "Nobody raises while a poor man is in the hand.")
    if rules.poor_playoff in _POOR_PLAYOFF:
        yield _POOR_PLAYOFF[rules.poor_playoff]
    if rules.poor_man_leads_always and rules.poor_man == "ask_two":
        yield Note("A-U-32", "The poor man who asks leads to the first trick.")
    elif rules.poor_man_leads_first and rules.poor_man == "ask_two":
        yield Note("A-U-15", "The first time he asks, the poor man leads.")


@lru_cache(64)
def _stakes(rules: Rules) -> tuple[int, ...]:
    """The stakes of the table of costs that a player may raise to with all points."""
    cap = max(_facts(rules).raise_cap)
    return tuple(stake for stake in _STAKES if stake <= cap)


@lru_cache(64)
def _facts(rules: Rules) -> Facts:
    """The state of a hand of four before its first card."""
    facts = Match.start(GAME, rules, 4).hand.view(None).facts
    assert isinstance(facts, Facts)
    return facts


def _costs(rules: Rules, stake: int) -> tuple[int, int]:
    """Costs, for a player with all points, of losing with the stake asked for, and of leaving."""
    facts = replace(_facts(rules), phase="raise", stake=stake - 1)
    return losing_costs(facts, 1), leaving_costs(rules, facts, 1)


def _scoring(rules: Rules) -> Iterator[Block]:
    stakes = _stakes(rules)
    costs = [_costs(rules, stake) for stake in stakes]
    if stakes:
        yield NumberTable(
            Note("", "What it costs when the stake is raised to …"),
            stakes,
            (
                NumberRow(Note("TU-ZK-III2d A-U-07", "go along and lose"), tuple(lost for lost, _ in costs)),
                NumberRow(
                    Note("A-U-05" if rules.leave_cost == "previous_stake" else "TU-ZK-III2c", "leave"),
                    tuple(left for _, left in costs),
                ),
            ),
        )
    if rules.last_jack:
        yield Note("A-U-33", "Whoever takes the last trick with a jack gets a point back.")
    yield Examples(tuple(_examples(rules)))


def _examples(rules: Rules) -> Iterator[Note]:
    """Examples without a raise, with one too many, and with an accepted one, as far as stakes go."""
    stakes = _stakes(rules)
    plain = replace(_facts(rules), phase="raise", stake=0)
    yield Note(
        "TU-ZK-II1b",
        sentence(
            "Nobody raises: the winner keeps all points, the others lose {points} point each.",
            "Nobody raises: the winner keeps all points, the others lose {points} points each.",
        ),
        {"points": losing_costs(plain, 1)},
    )
    if 3 in stakes:
        yield Note(
            "",
            "The stake goes to {first} and you go along; it goes to {second} and you leave: that "
            "costs {points}.",
            {"first": 2, "second": 3, "points": _costs(rules, 3)[1]},
        )
    if stakes:
        stake = min(4, stakes[-1])
        yield Note(
            "",
            "The stake goes to {stake}, you go along and another takes the last trick: that costs {points}.",
            {"stake": stake, "points": _costs(rules, stake)[0]},
        )


def _end(rules: Rules) -> Iterator[Block]:
    if rules.game_form == "eight_cards":
        yield Note("A-U-37", "The winner of a hand deals the next one to those who are left.")
        return
    if rules.game_form == "halves":
        yield Note(
            "A-U-36", "Players who lose their last point together play off which of them loses the half."
        )
        yield Note(
            "A-U-36",
            "The loser of the first half leads to the second. The losers of both halves play one "
            "hand of eight cards; "
            "whoever does not win it has lost the game. Losing both halves loses it at once.",
        )
        return
    yield Note(
        "TU-ZK-III4a A-U-26",
        "The first player without points takes the last place, the next one the place above it, and so on.",
    )
    yield (
        Note(
            "TU-ZK-III4b A-U-17",
            "Players who lose their last point together play off to decide which of them is last.",
        )
        if rules.dead_playoff
        else Note("A-U-17", "Players who lose their last point together share the better place.")
    )
    if rules.same_hand_deaths == "in_order":
        yield Note(
            "A-U-29",
            "A player who leaves with nothing left is out at once, before anyone else who goes out in that "
            "hand.",
        )


def _tips(rules: Rules) -> Iterator[Block]:
    yield Note(
        "",
        "Count tens and nines. With two or more of them a player won {two}% of hands at a table of four "
        "computer players, with one {one}%, with none {none}%.",
        {
            "two": FIGURES["win_two"].percent,
            "one": FIGURES["win_one"].percent,
            "none": FIGURES["win_none"].percent,
        },
    )
    yield Note("", "Only the last trick counts: keep a high card of a suit that the others have thrown away.")
    yield Note(
        "",
        "A raise can win by itself: in {alone}% of the hands with a raise everybody else left.",
        {"alone": FIGURES["alone"].percent},
    )
    yield (
        Note("", "Leave early or not at all: each raise that you follow makes leaving dearer.")
        if rules.leave_cost == "previous_stake"
        else Note("", "Leaving is cheap: with nothing in your hand leave at the first raise.")
    )
    yield Note("", "Watch the others’ points: a player with few left is less ready to go along.")


def _conduct(rules: Rules) -> Iterator[Block]:
    yield (
        Note(
            "TU-ZK-IV1 A-U-23",
            "At these tables the following cannot happen; with real cards it costs {penalty} at once, before "
            "anything else.",
            {"penalty": rules.penalty_points},
        )
        if rules.conduct == "enforced"
        else Note(
            "TU-ZK-IV1 A-U-21 A-U-23",
            "The director books penalties: each of these costs {penalty} at once, before anything else.",
            {"penalty": rules.penalty_points},
        )
    )
    yield Note(
        "TU-ZK-II4 TU-ZK-IV6",
        "Looking at face-down cards or at another player’s, or taking face-up cards away too early.",
    )
    yield Note(
        "TU-ZK-IV2 TU-ZK-IV3",
        "A die that is not turned down by the first lead of the next hand, or pointing out somebody else’s.",
    )
    yield Note(
        "TU-ZK-IV4 TU-ZK-IV5",
        "A misdeal, after which the cards are dealt again, and cutting the pack; knocking on it is free.",
    )
    yield Note("TU-ZK-IV8 TU-ZK-V1", "Playing out of turn, such as throwing a ten before it is your turn.")
    yield Note("TU-ZK-IV7", "A revoke costs the stake as well, and the hand is over for the player.")


def _words(rules: Rules) -> Iterator[Block]:
    yield Note("TU-ZK-III2a", "To raise, tuppen: to make the stake one higher.")
    yield Note("TU-ZK-III2d", "To go along: to play on for the higher stake.")
    if rules.poor_man in _POOR:
        yield Note("A-U-15", "Poor man: a player with one point left.")
    yield Note("TU-ZK-II2b", "Pictures: jacks, queens, kings and aces.")
    yield Note("A-U-17", "Play-off: a hand that decides between players who went out together.")


_ORIGIN = Note(
    "",
    "Tuppen is at home in the Rhineland; Siebenschräm in the Eifel and Toepen in the Netherlands are its "
    "relatives. These rules follow the rule sheet of a club tournament in December 2024.",
)
_HOME = Note(
    "",
    "Tuppen is at home in the Rhineland; Siebenschräm in the Eifel and Toepen in the Netherlands are its "
    "relatives.",
)
_ORIGINS = {
    "toepen_netherlands": Note(
        "A-U-31 A-U-32 A-U-33 A-U-34",
        "These rules follow the descriptions of Toepen at pagat.com, in Wikipedia and Wikibooks, "
        "and at spelenboek.nl.",
    ),
    "tuppen_blind": Note("A-U-35", "These rules follow the rule page of a round of friends (piccobros)."),
    "siebenschraem_halves": Note("A-U-36", "These rules follow a club of the Eifel."),
    "eight_card_letter": Note(
        "A-U-37", "These rules follow the tournament of a riflemen’s club in Dormagen."
    ),
}
_SIMPLE = Note(
    "TU-ZK-V6", "They are kept simple because newcomers keep joining: nothing more complicated is allowed."
)

COMMENTS: Comments = {
    (1, "HK", "HK"): Note(
        "", "A king is not a high card here, but nobody can follow suit, so it takes the trick."
    ),
    (4, "DA", "DA"): Note(
        "", "The last trick decides the hand: the suit was kept for it, and nobody else has one."
    ),
}
"""The teacher's remarks on the worked hand."""
