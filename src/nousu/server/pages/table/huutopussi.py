"""Huutopussi on the page: auction, exchange, the contract with the points taken, trumps and their history."""

from dataclasses import dataclass, replace

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import SUITS, TEN_BELOW_ACE
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import partner, side
from nousu.games.huutopussi import AskHalf, Bid, Contract, Facts, Played, call_of, said
from nousu.i18n import Signed, Translate, numeral, signed_number
from nousu.i18n.sentences import Voice, card_words, suit_words
from nousu.server.pages.table.common import bars, base, button, match_winner, people, reasons
from nousu.server.pages.table.picture import Ask, Later, More, Outcome, Picture, Plate, Press, Sheet
from nousu.server.pages.table.seat_names import People
from nousu.server.table.view import Seen

STRENGTH = TEN_BELOW_ACE
"""How the cards of a hand are ordered."""
QUICK = 4
"""So many of the lowest bids have buttons of their own; the others are in a list."""
FEW = 2
"""So many questions for half a marriage have buttons of their own; more of them are a list."""


@dataclass(frozen=True, slots=True)
class Trump:
    """A declared marriage in the history of trumps."""

    symbol: str
    label: str
    points: int
    now: bool
    """Whether this suit is trump at present."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The points the declarer's side has taken, on the way to its contract."""

    points: int
    contract: int
    share: float
    us: bool
    label: str


def _numbers(view: View) -> tuple[tuple[Press, ...], tuple[tuple[str, str], ...]]:
    """The numbers one may say: buttons for the lowest, a list of the others."""
    found = [
        (str(action), str(word.points))
        for action in view.legal
        if isinstance(action, Call) and isinstance(word := said(action), Bid | Contract)
    ]
    quick = tuple(
        Press(act=act, label=label, main=index == 0) for index, (act, label) in enumerate(found[:QUICK])
    )
    return quick, tuple(found[QUICK:])


def _attempts(view: View, say: Translate) -> tuple[tuple[Press, ...], tuple[tuple[str, str], ...]]:
    """Marriages, questions and demands as buttons, passing first; the questions for the other half of a
    marriage in a list of their own where they are many."""
    calls = [action for action in view.legal if isinstance(action, Call)]
    spoken = [action for action in calls if not isinstance(said(action), Bid | Contract)]
    halves = [action for action in spoken if isinstance(said(action), AskHalf)]
    listed = halves if len(halves) > FEW else []
    presses = tuple(button(action, say) for action in spoken if action not in listed)
    return presses, tuple((str(action), button(action, say).label) for action in listed)


def _more(
    phase: str, numbers: tuple[tuple[str, str], ...], halves: tuple[tuple[str, str], ...], say: Translate
) -> More | None:
    """What does not fit on buttons: the higher numbers, or the halves of marriages to ask for."""
    if halves:
        return More(label=say("The other half"), choices=halves)
    if not numbers:
        return None
    label = say("Another contract") if phase == "contract" else say("A higher bid")
    return More(label=label, choices=numbers)


def _ask(seen: Seen, who: People, say: Translate) -> Ask | None:
    """The partner's question for a marriage."""
    view = seen.view
    question = view.question
    facts = Facts.of(view.facts)
    if facts.phase != "answer" or question is None or seen.seat not in view.owed:
        return None
    name = who.name(question.by if question.by is not None else partner(seen.seat or 0))
    if facts.asked is None:
        title = say("{name} asks: do you hold a marriage?", name=name)
    else:
        card = card_words(facts.asked, say)
        title = say("{name} holds the {card}: do you hold the other half?", name=name, card=card)
    answers = [button(action, say) for action in view.legal if isinstance(action, Call)]
    presses = tuple(replace(press, main=index == 0) for index, press in enumerate(answers))
    return Ask(title=title, presses=presses)


def _line(seen: Seen, table: Picture, who: People, say: Translate) -> tuple[str, str]:
    """The line of speech: what the auction, the exchange and the three duties ask for."""
    view, phase, mine = seen.view, table.phase, table.my_turn
    facts = Facts.of(view.facts)
    if not view.owed or view.owed[0] < 0:
        return table.line, ""
    name = who.name(view.owed[0])
    if phase == "auction":
        bid, bidder = facts.bid, facts.bidder
        if mine and bidder is not None:
            return say("{name} bids {bid}. Your bid?", name=who.name(bidder), bid=bid), ""
        return (say("Your bid"), "") if mine else (say("{name} is thinking about a bid", name=name), "")
    if phase in ("give", "return"):
        count = view.rules.exchange_cards
        if not mine:
            return say("{name} passes cards to the partner", name=name), ""
        return say(
            sentence("Choose {count} card for your partner", "Choose {count} cards for your partner"),
            count=count,
        ), ""
    if phase == "contract":
        return (say("Name your contract"), "") if mine else (say("{name} names the contract", name=name), "")
    if phase == "answer":
        return say("{name} is asked for a marriage", name=name), ""
    if phase == "play" and mine and view.trick:
        return _duty(view, say)
    if phase == "play" and mine and facts.may_declare:
        return say("Make trumps, or lead"), ""
    return table.line, table.line_suit


def _duty(view: View, say: Translate) -> tuple[str, str]:
    """Which of follow, beat and trump binds the viewer now."""
    led = view.trick[0][1].suit
    allowed = {action.card for action in view.legal if isinstance(action, Play)}
    suit, symbol = suit_words(led, say), "shdc"[led]
    same = {card for card in view.cards if card.suit == led}
    if same:
        if allowed < same:
            return say("Your turn: follow {suit} and beat the card", suit=suit), symbol
        return say("Your turn: {suit} were led", suit=suit), symbol
    if allowed == set(view.cards):
        return say("Your turn: no {suit}, play any card", suit=suit), symbol
    trumps = {card for card in view.cards if card.suit == Facts.of(view.facts).trump}
    if allowed < trumps:
        return say("Your turn: no {suit}, beat with a trump", suit=suit), symbol
    return say("Your turn: no {suit}, play a trump", suit=suit), symbol


def _plates(view: View, table: Picture, who: People, say: Translate) -> dict[str, Plate]:
    """The latest bid of everybody during the auction, then who declares."""
    facts = Facts.of(view.facts)
    bids = dict(facts.auction)
    found = {}
    for place, plate in table.plates.items():
        note = plate.note
        if table.phase == "auction" and plate.seat in bids:
            note = button(call_of(bids[plate.seat]), say).label
        elif plate.seat == facts.declarer:
            note = say("declarer")
        elif plate.lead:
            note = say("led")
        found[place] = plate._replace(note=note)
    return found


def _trumps(view: View, who: People, say: Translate) -> tuple[Trump, ...]:
    """Every marriage so far, the present trump last."""
    marriages = Facts.of(view.facts).marriages
    return tuple(
        Trump(
            symbol=SUITS[one.suit].lower(),
            label=say(
                sentence("{name}: {suit}, {points} point", "{name}: {suit}, {points} points"),
                name=who.name(one.by),
                suit=suit_words(one.suit, say),
                points=one.points,
            ),
            points=one.points,
            now=one is marriages[-1],
        )
        for one in marriages
    )


def _progress(view: View, who: People, say: Translate) -> Progress | None:
    """How far the declarer's side is on the way to its contract."""
    facts = Facts.of(view.facts)
    if facts.declarer is None or facts.contract is None:
        return None
    declaring, contract = side(facts.declarer), facts.contract
    points = facts.taken[declaring]
    share = min(1.0, points / contract) if contract else 1.0
    name = who.side_name(declaring, say)
    label = say("{side}: {points} of {contract}", side=name, points=points, contract=contract)
    return Progress(points, contract, share, who.ours(facts.declarer), label)


def _sheet(seen: Seen, who: People, say: Translate) -> Sheet:
    us = who.our_side()
    rows = []
    for done in seen.match.played:
        outcome = done.result.outcome
        score = done.tally.score()
        total = f"{numeral(score[us])} : {numeral(score[1 - us])}"
        if not isinstance(outcome, Played):
            rows.append((str(done.number), say("void"), "–", "–", total))
            continue
        game = "–"
        if outcome.declarer is not None:
            game = f"{outcome.contract} {who.name(outcome.declarer)}"
        earned = f"{outcome.earned[us]}–{outcome.earned[1 - us]}"
        points = f"{signed_number(done.result.points[us])} {signed_number(done.result.points[1 - us])}"
        rows.append((str(done.number), game, earned, points, total))
    heads = (say("Hand"), say("Contract"), say("Taken"), say("Points"), say("Score"))
    return Sheet(heads=heads, rows=tuple(rows), wide=2)


def _outcome(seen: Seen, who: People, say: Translate) -> Outcome:
    done = seen.match.played[-1]
    outcome, result, us = done.result.outcome, done.result, who.our_side()
    why = reasons((*result.notes, *(() if result.void else done.tally.notes())), who, say)
    if not isinstance(outcome, Played):
        return Outcome(
            index=done.index, bid=None, lead="", title=say("The deal is void"), accent="", reasons=why,
            waits=seen.waiting,
        )  # fmt: skip
    lead = say("Nobody bid: no contract")
    title = say("No contract:")
    if outcome.declarer is not None:
        name, bid = who.name(outcome.declarer), outcome.bid
        lead = say("{name} bid {bid} and named {contract}", name=name, bid=bid, contract=outcome.contract)
        title = say("Contract made:") if outcome.made else say("Contract missed:")
    cards, weddings = outcome.cards, outcome.marriages
    bonus = say("Us") if outcome.last_trick == us else say("Them")
    return Outcome(
        index=done.index,
        bid=None,
        lead=lead,
        title=title,
        accent=say(sentence("{points} point", "{points} points"), points=Signed(result.points[us])),
        theirs=result.points[us] < 0 or result.points[us] == 0 < result.points[1 - us],
        reasons=why,
        facts=(
            (say("Card points"), f"{cards[us]} – {cards[1 - us]}"),
            (say("Marriages"), f"{weddings[us]} – {weddings[1 - us]}"),
            (say("Last trick"), bonus),
            (say("Score"), f"{numeral(done.score[us])} : {numeral(done.score[1 - us])}"),
            (say("Next dealer"), "–" if seen.over else who.name(done.tally.dealer(seen.view.setup))),
        ),
        match=match_winner(seen, who, say) if seen.over else "",
        waits=seen.waiting,
    )


def table(seen: Seen, say: Translate, lang: str) -> Picture:
    """The picture of a Huutopussi table for one viewer."""
    view, who = seen.view, people(seen)
    facts = Facts.of(view.facts)
    plain = base(seen, say, lang, STRENGTH)
    text, suit = _line(seen, plain, who, say)
    quick, more = _numbers(view)
    attempts, halves = _attempts(view, say)
    ask = _ask(seen, who, say)
    gifts = [action for action in view.legal if isinstance(action, Give)]
    many = plain.many
    if many is not None and gifts:
        many = replace(
            many,
            label=say(
                sentence("Pass {count} card to {name}", "Pass {count} cards to {name}"),
                count=many.many,
                name=who.name(gifts[0].to or 0),
            ),
        )
    return plain.filled(
        template="table/huutopussi.html",
        plates=_plates(view, plain, who, say),
        line=text,
        line_suit=suit,
        ask=ask,
        acts=() if ask else (*quick, *attempts),
        many=many,
        more=_more(plain.phase, more, halves, say),
        bars=bars(seen, view.rules.target, say),
        sheet=Later(lambda: _sheet(seen, who, say), seen.match.played, who, say),
        outcome=_outcome(seen, who, say) if seen.resting and seen.match.played else None,
        extra={
            "trumps": _trumps(view, who, say),
            "progress": _progress(view, who, say),
            "bid": facts.bid if plain.phase == "auction" else 0,
            "bidder": who.name(facts.bidder) if facts.bidder is not None else "",
        },
    )


def meant(view: View, who: People, say: Translate) -> tuple[str, ...]:
    """What a seat should keep in mind now: the contract and what it lacks."""
    facts = Facts.of(view.facts)
    if facts.declarer is None or facts.contract is None:
        return ()
    left = max(0, facts.contract - facts.taken[side(facts.declarer)])
    name = who.name(facts.declarer)
    text = sentence(
        "{name} is {points} point short of the contract.",
        "{name} is {points} points short of the contract.",
    )
    return (say(text, points=left, name=name),)


def state_words(view: View, voice: Voice, say: Translate) -> tuple[str, ...]:
    """Contract, points so far and trumps, in sentences."""
    facts = Facts.of(view.facts)
    if facts.declarer is None or facts.contract is None or view.seat is None:
        return ()
    us = side(view.seat)
    name, (ours, theirs) = voice.name(facts.declarer), (facts.taken[us], facts.taken[1 - us])
    listed = [say("{name} plays for {contract}.", name=name, contract=facts.contract)]
    if view.tricks:
        listed.append(say("Points so far: we {ours}, they {theirs}.", ours=ours, theirs=theirs))
    if facts.trump is not None:
        listed.append(say("Trumps: {suit}.", suit=suit_words(facts.trump, say)))
    return tuple(listed)
