"""The table view of Huutopussi: auction, exchange, contract with points taken, trumps."""

from dataclasses import dataclass, replace
from typing import Literal

from nousu.engine.actions import Call, Give, Play
from nousu.engine.cards import TEN_BELOW_ACE, Strength
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import partner, side
from nousu.games.huutopussi import (
    OTHER_HALF,
    AskHalf,
    AskSuit,
    Bid,
    Contract,
    Doubling,
    Facts,
    PlayedHand,
    call_of,
    said,
)
from nousu.i18n import Signed, Translate, numeral, signed_number
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice, card_words, suit_words
from nousu.server.pages.table.cards import suit_symbol
from nousu.server.pages.table.common import (
    base_view,
    button,
    decided,
    match_winner,
    people,
    plates,
    reasons,
    score_bars,
    void_outcome,
    winning_seats,
)
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.table.table_view import (
    Button,
    ChoiceList,
    HandOutcome,
    Plate,
    Prompt,
    ScoreSheet,
    TableView,
)
from nousu.server.table.view import SeatView

STRENGTH = TEN_BELOW_ACE
"""The usual order of the cards."""
QUICK = 4
"""The number of lowest bids that have buttons of their own; the others are a list."""
FEW = 2
"""The most questions for half a marriage that have buttons of their own; more of them are a list."""


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
    times: int
    """Factor of the contract after kontra and re."""


@dataclass(slots=True, kw_only=True)
class HuutopussiView(TableView):
    """The view of a Huutopussi table."""

    drawing: Literal["huutopussi"] = "huutopussi"
    trumps: tuple[Trump, ...] = ()
    """The marriages so far, the present trump last."""
    progress: Progress | None = None
    highest_bid: int = 0
    """The highest bid; 0 outside the auction."""
    bidder: str = ""
    """The bidder's name."""


def _numbers(view: View) -> tuple[tuple[Button, ...], tuple[tuple[str, str], ...]]:
    """The legal bids or contracts: buttons for the lowest, a list of the others."""
    numbers = [
        (str(action), str(word.points))
        for action in view.legal
        if isinstance(action, Call) and isinstance(word := said(action), Bid | Contract)
    ]
    quick = tuple(
        Button(act=act, label=label, main=index == 0) for index, (act, label) in enumerate(numbers[:QUICK])
    )
    return quick, tuple(numbers[QUICK:])


def _attempts(view: View, reader: Reader) -> tuple[tuple[Button, ...], tuple[tuple[str, str], ...]]:
    """The other calls as buttons, and the questions for half a marriage as a list if there are many."""
    calls = [action for action in view.legal if isinstance(action, Call)]
    spoken = [action for action in calls if not isinstance(said(action), Bid | Contract)]
    halves = [action for action in spoken if isinstance(said(action), AskHalf | AskSuit)]
    listed = halves if len(halves) > FEW else []
    presses = tuple(_press(action, reader) for action in spoken if action not in listed)
    return presses, tuple((str(action), button(action, reader).label) for action in listed)


def _press(action: Call, reader: Reader) -> Button:
    """Button of a call; what doubles the contract asks once whether it is meant."""
    sure = reader.say("Really double the contract?") if isinstance(said(action), Doubling) else ""
    return replace(button(action, reader), sure=sure)


def _more(
    phase: str, numbers: tuple[tuple[str, str], ...], halves: tuple[tuple[str, str], ...], reader: Reader
) -> ChoiceList | None:
    """The list of the other calls: halves of marriages, or higher numbers."""
    say = reader.say
    if halves:
        return ChoiceList(label=say("The other half"), choices=halves)
    if not numbers:
        return None
    label = say("Another contract") if phase == "contract" else say("A higher bid")
    return ChoiceList(label=label, choices=numbers)


def _ask(seen: SeatView, who: SeatNames, reader: Reader) -> Prompt | None:
    """The partner's question for a marriage, if it is put to the viewer."""
    view = seen.view
    question = view.question
    facts = Facts.of(view.facts)
    if facts.phase != "answer" or question is None or seen.seat not in view.owed:
        return None
    name = who.name(question.by if question.by is not None else partner(seen.seat or 0))
    if facts.asked_suit is not None:
        suit = suit_words(facts.asked_suit, reader.say)
        text = sentence("{name} asks: do you hold half a marriage in {suit}?")
        if question.topic == OTHER_HALF:
            text = sentence("{name} holds half a marriage in {suit}: do you hold the other half?")
        title = reader.say(text, name=name, suit=suit)
    elif facts.asked is None:
        title = reader.say("{name} asks: do you hold a marriage?", name=name)
    else:
        card = card_words(facts.asked, reader.say)
        title = reader.say("{name} holds the {card}: do you hold the other half?", name=name, card=card)
    answers = [button(action, reader) for action in view.legal if isinstance(action, Call)]
    presses = tuple(replace(press, main=index == 0) for index, press in enumerate(answers))
    return Prompt(title=title, presses=presses)


def _line(seen: SeatView, table: TableView, who: SeatNames, reader: Reader) -> tuple[str, str]:
    """The speech line and its suit symbol."""
    say = reader.say
    view, phase, mine = seen.view, table.phase, table.my_turn
    facts = Facts.of(view.facts)
    if not view.owed or view.owed[0] < 0:
        return table.line, ""
    name = who.name(view.owed[0])
    if phase == "auction":
        if not mine:
            text = say("{name} is thinking about a bid", name=name)
        elif facts.bidder is None:
            text = say("Your bid")
        else:
            text = say("{name} bids {bid}. Your bid?", name=who.name(facts.bidder), bid=facts.bid)
        return text, ""
    if phase in ("give", "return"):
        choose = sentence("Choose {count} card for your partner", "Choose {count} cards for your partner")
        if mine:
            return say(choose, count=view.rules.exchange_cards), ""
        return say("{name} passes cards to the partner", name=name), ""
    if phase == "contract" and mine:
        return say("Name your contract"), ""
    if phase in ("contract", "answer"):
        text = sentence("{name} names the contract")
        if phase == "answer":
            text = sentence("{name} is asked for a marriage")
        return say(text, name=name), ""
    if phase == "play" and mine and (view.trick or facts.may_declare):
        return _duty(view, reader) if view.trick else (say("Make trumps, or lead"), "")
    return table.line, table.line_suit


def _duty(view: View, reader: Reader) -> tuple[str, str]:
    """The duty that binds the viewer: follow suit, beat, trump."""
    say = reader.say
    led = view.trick[0][1].suit
    allowed = {action.card for action in view.legal if isinstance(action, Play)}
    suit, symbol = suit_words(led, say), suit_symbol(led)
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


def _plates(seen: SeatView, reader: Reader) -> tuple[Plate, ...]:
    """The plates with the latest bids, and with the declarer after the auction."""
    facts = Facts.of(seen.view.facts)
    bids = dict(facts.auction)
    noted = []
    for plate in plates(seen, reader):
        note = plate.note
        if seen.view.phase == "auction" and plate.seat in bids:
            note = button(call_of(bids[plate.seat]), reader).label
        elif plate.seat == facts.declarer:
            note = reader.say("declarer")
        elif plate.lead:
            note = reader.say("led")
        noted.append(plate if note == plate.note else replace(plate, note=note))
    return tuple(noted)


def _trumps(view: View, who: SeatNames, reader: Reader) -> tuple[Trump, ...]:
    """The marriages so far, the present trump last."""
    marriages = Facts.of(view.facts).marriages
    return tuple(
        Trump(
            symbol=suit_symbol(marriage.suit),
            label=reader.say(
                sentence("{name}: {suit}, {points} point", "{name}: {suit}, {points} points"),
                name=who.name(marriage.by),
                suit=suit_words(marriage.suit, reader.say),
                points=marriage.points,
            ),
            points=marriage.points,
            now=marriage is marriages[-1],
        )
        for marriage in marriages
    )


def _progress(view: View, who: SeatNames, reader: Reader) -> Progress | None:
    """The points of the declarer's side on the way to its contract."""
    facts = Facts.of(view.facts)
    if facts.declarer is None or facts.contract is None:
        return None
    declaring, contract = side(facts.declarer), facts.contract
    points = facts.taken[declaring]
    share = min(1.0, points / contract) if contract else 1.0
    name = who.side_name(declaring, reader)
    label = reader.say("{side}: {points} of {contract}", side=name, points=points, contract=contract)
    times = 1 << facts.doublings
    if times > 1:
        label += f" ×{times}"
    return Progress(points, contract, share, who.ours(facts.declarer), label, times)


def score_sheet(seen: SeatView, reader: Reader) -> ScoreSheet:
    """The score sheet: contract, card points, points and score of each hand."""
    say, who = reader.say, people(seen)
    us = who.our_side()
    rows = []
    for done in seen.match.played:
        outcome = done.result.outcome
        score = done.tally.score()
        total = f"{numeral(score[us])} : {numeral(score[1 - us])}"
        if not isinstance(outcome, PlayedHand):
            rows.append((str(done.number), say("void"), "–", "–", total))
            continue
        game = "–"
        if outcome.declarer is not None:
            times = f" ×{1 << outcome.doublings}" if outcome.doublings else ""
            game = f"{outcome.contract}{times} {who.name(outcome.declarer)}"
        earned = f"{outcome.earned[us]}–{outcome.earned[1 - us]}"
        points = f"{signed_number(done.result.points[us])} {signed_number(done.result.points[1 - us])}"
        rows.append((str(done.number), game, earned, points, total))
    heads = (say("Hand"), say("Contract"), say("Taken"), say("Points"), say("Score"))
    return ScoreSheet(heads=heads, rows=tuple(rows), wide=2)


def _outcome(seen: SeatView, who: SeatNames, reader: Reader) -> HandOutcome:
    say = reader.say
    done = seen.match.played[-1]
    outcome, result, us = done.result.outcome, done.result, who.our_side()
    if not isinstance(outcome, PlayedHand):
        return void_outcome(seen, who, reader)
    lead = say("Nobody bid: no contract")
    title = say("No contract:")
    if outcome.declarer is not None:
        name, bid = who.name(outcome.declarer), outcome.bid
        lead = say("{name} bid {bid} and named {contract}", name=name, bid=bid, contract=outcome.contract)
        title = say("Contract made:") if outcome.made else say("Contract missed:")
    cards, weddings = outcome.cards, outcome.marriages
    bonus = say("Us") if outcome.last_trick == us else say("Them")
    return HandOutcome(
        index=done.index,
        bid=None,
        lead=lead,
        title=title,
        accent=say(sentence("{points} point", "{points} points"), points=Signed(result.points[us])),
        theirs=result.points[us] < 0 or result.points[us] == 0 < result.points[1 - us],
        reasons=reasons(done, who, reader),
        facts=(
            (say("Card points"), f"{cards[us]} – {cards[1 - us]}"),
            (say("Marriages"), f"{weddings[us]} – {weddings[1 - us]}"),
            (say("Last trick"), bonus),
            (say("Score"), f"{numeral(done.score[us])} : {numeral(done.score[1 - us])}"),
            (say("Next dealer"), who.name(done.tally.dealer(seen.view.setup))),
        ),
        match=match_winner(seen, who, reader) if seen.over else "",
        winners=winning_seats(seen) if seen.over else (),
        decided=decided(seen, [(0, 0), *[hand.score for hand in seen.match.played]], who, reader)
        if seen.over
        else "",
        final=f"{numeral(done.score[us])} – {numeral(done.score[1 - us])}" if seen.over else "",
        dealer=who.name(done.tally.dealer(seen.view.setup)),
        waits=seen.waiting,
    )


def table(seen: SeatView, reader: Reader) -> HuutopussiView:
    """The view of a Huutopussi table for one viewer."""
    view, who = seen.view, people(seen)
    facts = Facts.of(view.facts)
    plain = base_view(HuutopussiView, seen, reader, STRENGTH)
    text, suit = _line(seen, plain, who, reader)
    quick, more = _numbers(view)
    attempts, halves = _attempts(view, reader)
    ask = _ask(seen, who, reader)
    gifts = [action for action in view.legal if isinstance(action, Give)]
    many = plain.many
    if many is not None and gifts:
        many = replace(
            many,
            label=reader.say(
                sentence("Pass {count} card to {name}", "Pass {count} cards to {name}"),
                count=many.many,
                name=who.name(gifts[0].to or 0),
            ),
        )
    plain.plates = _plates(seen, reader)
    plain.line = text
    plain.line_suit = suit
    plain.ask = ask
    plain.acts = () if ask else (*quick, *attempts)
    plain.many = many
    plain.more = _more(plain.phase, more, halves, reader)
    plain.target = view.rules.target
    plain.bars = score_bars(seen, view.rules.target, reader)
    if seen.learning and plain.phase == "auction":
        plain.tip = reader.say(
            "The highest bid says how many points its pair must reach. Aces and tens count most; king and"
            " queen of one suit are a marriage."
        )
    plain.outcome = _outcome(seen, who, reader) if seen.resting and seen.match.played else None
    plain.trumps = _trumps(view, who, reader)
    plain.progress = _progress(view, who, reader)
    plain.highest_bid = facts.bid if plain.phase == "auction" else 0
    plain.bidder = who.name(facts.bidder) if facts.bidder is not None else ""
    return plain


def reminders(view: View, who: SeatNames, reader: Reader) -> tuple[str, ...]:
    """The points that the contract lacks."""
    facts = Facts.of(view.facts)
    if facts.declarer is None or facts.contract is None:
        return ()
    left = max(0, facts.contract - facts.taken[side(facts.declarer)])
    name = who.name(facts.declarer)
    text = sentence(
        "{name} is {points} point short of the contract.",
        "{name} is {points} points short of the contract.",
    )
    doubled = (_doubled(facts.doublings, reader.say),) if facts.doublings else ()
    return (reader.say(text, points=left, name=name), *doubled)


def _doubled(doublings: int, say: Translate) -> str:
    """Sentence for how often the contract counts after kontra and re."""
    return say("The contract counts {times} times.", times=1 << doublings)


def state_words(view: View, voice: Voice) -> tuple[str, ...]:
    """Sentences about contract, points so far and trumps."""
    say = voice.say
    facts = Facts.of(view.facts)
    if facts.declarer is None or facts.contract is None or view.seat is None:
        return ()
    us = side(view.seat)
    name, (ours, theirs) = voice.name(facts.declarer), (facts.taken[us], facts.taken[1 - us])
    listed = [say("{name} plays for {contract}.", name=name, contract=facts.contract)]
    if facts.doublings:
        listed.append(_doubled(facts.doublings, say))
    if view.tricks:
        listed.append(say("Points so far: we {ours}, they {theirs}.", ours=ours, theirs=theirs))
    if facts.trump is not None:
        listed.append(say("Trumps: {suit}.", suit=suit_words(facts.trump, say)))
    return tuple(listed)


def strength_of(view: View) -> Strength:
    """The order of the cards, the same in every hand."""
    return STRENGTH
