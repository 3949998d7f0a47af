"""The table view of Tuppen: mats with dice and open cards, stake, questions, the raise button."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nousu.engine.actions import Action, Call, Give, Show
from nousu.engine.cards import TEN_HIGH, Strength, card_set
from nousu.engine.game import View
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat, clockwise
from nousu.games.tuppen import (
    Facts,
    Rules,
    Standing,
    Won,
    asked_stake,
    calls,
    die_face,
    eight_cards,
    four_pictures,
    is_true_claim,
    leaving_costs,
    losing_costs,
)
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice
from nousu.server.pages.table.common import (
    base_view,
    card_actions,
    decided,
    hand_cards,
    people,
    reasons,
    winning_seats,
)
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.table.table_view import (
    Button,
    ChoiceList,
    HandOutcome,
    Prompt,
    ScoreSheet,
    TableView,
)
from nousu.server.table.view import SeatView

STRENGTH = TEN_HIGH
"""The usual order of the cards."""
FEW = 2
"""The most challenges that have buttons of their own; more of them are a list."""


@dataclass(frozen=True, slots=True)
class Die:
    """The die that shows a player's points; one pip stands for seven points, and for one."""

    points: int
    face: int
    """The number of pips, 1 … 6; 0 if a die cannot show the points."""
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mat:
    """A player's mat: die, name, state, cards played face up."""

    seat: Seat
    name: str
    die: Die
    column: int
    row: int
    turn: bool
    dealer: bool
    lead: bool
    away: bool
    out: bool
    state: str
    """The words below the name."""
    mood: str
    """The look of the state: ask, yes, no, wait or empty."""
    icon: str
    spent: tuple[str, ...]
    """Cards of earlier tricks."""
    now: tuple[str, ...]
    """The card in the present trick."""
    backs: int
    """Cards laid face down on leaving."""


@dataclass(frozen=True, slots=True)
class PicturePile:
    """Cards laid down as four pictures."""

    label: str
    cards: tuple[str, ...]
    """The cards, if they were turned up."""
    count: int = 1
    """The number of closed packets of four."""


@dataclass(slots=True, kw_only=True)
class TuppenView(TableView):
    """The view of a Tuppen table; mats take the place of plates and trick."""

    drawing: Literal["tuppen"] = "tuppen"
    mats: tuple[Mat, ...] = ()
    """The mats of the others, clockwise from the viewer's left."""
    me: Mat | None = None
    """The viewer's own mat; a spectator sees the table from seat 0."""
    crowded: bool = False
    """True for more than five players."""
    stake: int = 0
    """The stake of the hand; 0 where no points count."""
    asked_stake: int = 0
    """The stake of the raise that is answered now; 0 for none."""
    trick_number: int = 0
    kind: str = ""
    """The name of an unusual hand; empty for an ordinary one."""
    kind_about: str = ""
    piles: tuple[PicturePile, ...] = ()
    """The packets laid down as pictures."""


def die(points: int, reader: Reader) -> Die:
    """The die for a number of points."""
    return Die(
        points,
        die_face(points),
        reader.say(sentence("die: {points} point", "die: {points} points"), points=points),
    )


def _answers(view: View) -> dict[Seat, calls.Word | None]:
    """The answers to the open question, by seat."""
    if view.question is None:
        return {}
    answers = [(seat, action) for seat, action in view.question.answers if isinstance(action, Call)]
    return {seat: calls.said(call, len(view.counts)) for seat, call in answers}


def _answer(word: calls.Word | None, reader: Reader) -> tuple[str, str, str]:
    """An answer as words, mood and icon."""
    say = reader.say
    match word:
        case calls.Hold():
            return say("goes along"), "yes", "yes"
        case calls.Leave():
            return say("leaves"), "no", "no"
        case calls.Keep():
            return say("keeps"), "wait", ""
        case calls.Look():
            return say("looks"), "wait", ""
        case calls.Blind():
            return say("raises blind"), "ask", "rami"
    return "", "", ""


def _state(view: View, seat: Seat, thinking: bool, reader: Reader) -> tuple[str, str, str]:
    """The state of a player: words, mood, icon."""
    say = reader.say
    facts, answers = Facts.of(view.facts), _answers(view)
    if seat not in facts.in_hand:
        return _absence(facts, seat, reader)
    if facts.phase == "raise" and seat == facts.asker:
        return say("raises to {stake}", stake=asked_stake(facts)), "ask", "rami"
    if facts.phase == "poor" and seat == facts.asker:
        return say("asks for two"), "ask", "rami"
    if seat in answers:
        return _answer(answers[seat], reader)
    text = ""
    if seat in view.owed:
        text = say("thinking") if thinking else say("to play") if facts.phase == "play" else say("is asked")
    elif seat in facts.asked:
        text = say("still to answer")
    elif seat in facts.poor:
        text = say("poor man")
    return text, "wait" if text else "", ""


def _absence(facts: Facts, seat: Seat, reader: Reader) -> tuple[str, str, str]:
    """The state of a player that is not in the hand."""
    say, place, paid = reader.say, facts.places[seat], facts.paid[seat]
    if place and facts.kind == "eight" and seat in facts.alive:
        return say("place {place}", place=place), "yes", "yes"
    if seat not in facts.alive:
        return (say("out, place {place}", place=place) if place else say("out")), "no", "no"
    if seat not in facts.group:
        return say("sits out"), "wait", ""
    return (say("has left, −{points}", points=paid) if paid else say("has left")), "no", "no"


def _mats(seen: SeatView, who: SeatNames, reader: Reader) -> tuple[Mat, ...]:
    """The mats clockwise from the viewer's left, the viewer's last."""
    view, facts, seats = seen.view, Facts.of(seen.view.facts), len(seen.names)
    me = seen.seat or 0
    others = [seat for seat in clockwise(me, seats) if seat != me]
    left = (len(others) + 1) // 2
    leader = view.trick[0][0] if view.trick else None
    mats = []
    for step, seat in enumerate((*others, me), 1):
        earlier = [card for trick in view.tricks for by, card in trick.plays if by == seat]
        present = [card for by, card in view.trick if by == seat]
        away = seat not in facts.in_hand and seat in facts.group
        state, mood, icon = _state(view, seat, seat in seen.thinking, reader)
        if seat in seen.away and seat in facts.alive and not state:
            state, mood = reader.say("away, computer plays"), "wait"
        mats.append(
            Mat(
                seat=seat,
                name=who.name(seat),
                die=die(facts.points[seat], reader),
                column=1 if step <= left else 3,
                row=left - step + 1 if step <= left else step - left,
                turn=seat in view.owed,
                dealer=seat == view.setup.dealer,
                lead=seat == leader,
                away=away,
                out=seat not in facts.alive or (facts.kind == "eight" and facts.places[seat] > 0),
                state=state,
                mood=mood,
                icon=icon,
                spent=tuple(map(str, earlier)),
                now=tuple(map(str, present)),
                backs=view.counts[seat] if away else 0,
            )
        )
    return tuple(mats)


def _cost(view: View, seat: Seat) -> int:
    """The points that leaving costs this seat now."""
    rules: Rules = view.rules
    return leaving_costs(rules, Facts.of(view.facts), seat)


def _ask(seen: SeatView, who: SeatNames, reader: Reader) -> Prompt | None:
    """The question to the viewer."""
    say = reader.say
    view, facts, seat = seen.view, Facts.of(seen.view.facts), seen.seat
    phase = facts.phase
    if seat is None or seat not in view.owed or phase == "play":
        return None
    if phase == "doubt":
        return Prompt(title=say("Your pictures are challenged"), presses=_shows(view.legal, reader))
    if phase == "pictures":
        return Prompt(
            title=say("Four pictures?"), note=_bluff(view, reader), presses=_pictures(view.legal, reader)
        )
    if phase == "blind":
        note = say("all play for two") if view.rules.two_to_three else say("the stake grows by one")
        return Prompt(
            title=say("Raise before seeing your cards?"),
            presses=(
                Button(act=str(calls.LOOK), label=say("Look at the cards"), main=True),
                Button(act=str(calls.BLIND), label=say("Raise blind"), note=note),
            ),
        )
    points, cost = facts.points[seat], _cost(view, seat)
    asker = who.name(facts.asker) if facts.asker is not None else "–"
    title = say("{name} raises. Do you go along?", name=asker)
    if phase == "poor":
        title = say("{name} has one point left. Do you play for two?", name=asker)
    presses = [
        Button(
            act=str(calls.HOLD),
            label=say("Go along"),
            note=say("a loss costs {points}", points=losing_costs(facts, seat)),
            main=True,
        )
    ]
    if calls.LEAVE in view.legal:
        note = say("costs {points}, leaves {rest}", points=cost, rest=points - cost)
        presses.append(Button(act=str(calls.LEAVE), label=say("Leave"), note=note, sure=_sure(cost, reader)))
    if calls.RAISE in view.legal:
        presses.append(_raising(seen, asked_stake(facts) + 1, reader, main=False))
    return Prompt(title=title, presses=tuple(presses))


def _raising(seen: SeatView, stake: int, reader: Reader, *, main: bool) -> Button:
    """The button that raises to this stake; it asks once where losing would end the viewer's game."""
    say, points = reader.say, Facts.of(seen.view.facts).points
    deadly = seen.seat is not None and stake >= points[seen.seat]
    sure = say("Raise to {stake}? Losing would end your game", stake=stake) if deadly else ""
    return Button(act=str(calls.RAISE), label=say("Raise to {stake}", stake=stake), main=main, sure=sure)


def _sure(cost: int, reader: Reader) -> str:
    """The question before leaving; none if it costs one point."""
    return reader.say("Leave for {points}?", points=cost) if cost > 1 else ""


def _shows(legal: Sequence[Action], reader: Reader) -> tuple[Button, ...]:
    return tuple(
        Button(act=str(action), label=reader.say("Turn them up"), main=True)
        for action in legal
        if isinstance(action, Show)
    )


def _pictures(legal: Sequence[Action], reader: Reader) -> tuple[Button, ...]:
    say = reader.say
    keep = Button(act=str(calls.KEEP), label=say("Keep my cards"), main=True)
    offers = [keep] if calls.KEEP in legal else []
    for action in legal:
        if isinstance(action, Give):
            note = say("for four new cards")
            offers.append(Button(act=str(action), label=say("Lay them down"), note=note, main=not offers))
        elif isinstance(action, Show):
            offers.append(Button(act=str(action), label=say("Show them"), note=say("for a new deal")))
    return tuple(offers)


def _bluff(view: View, reader: Reader) -> str:
    if four_pictures(card_set(view.cards)):
        return reader.say("You hold four pictures.")
    if is_true_claim(view.rules, card_set(view.cards)):
        return reader.say("You hold three pictures and a seven.")
    if any(isinstance(action, Give) for action in view.legal):
        return reader.say(
            "You do not hold four pictures; a player caught bluffing loses {points}.",
            points=view.rules.penalty_points,
        )
    return ""


def _interrupts(seen: SeatView, who: SeatNames, reader: Reader) -> tuple[Button, ...]:
    """The calls that are legal at any moment, raising first."""
    say = reader.say
    view, facts = seen.view, Facts.of(seen.view.facts)
    if facts.phase not in ("play", "pictures"):
        return ()
    offers = []
    for action in view.legal:
        match calls.said(action, len(seen.names)) if isinstance(action, Call) else None:
            case calls.Raise():
                offers.append(_raising(seen, asked_stake(facts), reader, main=seen.window is not None))
            case calls.Leave():
                cost = _cost(view, seen.seat or 0)
                note = say("costs {points}", points=cost)
                offers.append(
                    Button(act=str(calls.LEAVE), label=say("Leave"), note=note, sure=_sure(cost, reader))
                )
            case calls.Challenge(owner, number):
                note = say("packet {number}", number=number) if number is not None else ""
                label = say("Challenge {name}’s pictures", name=who.name(owner))
                offers.append(Button(act=str(action), label=label, note=note))
    return tuple(offers)


def _split_challenges(
    view: View, presses: tuple[Button, ...], reader: Reader
) -> tuple[tuple[Button, ...], ChoiceList | None]:
    """The buttons, and the challenges as a list if there are many."""
    seats = len(view.counts)
    challenges = [
        press for press in presses if isinstance(calls.said(Call(press.act), seats), calls.Challenge)
    ]
    if len(challenges) <= FEW:
        return presses, None
    named = tuple((press.act, f"{press.label}, {press.note}".removesuffix(", ")) for press in challenges)
    rest = tuple(press for press in presses if press not in challenges)
    return rest, ChoiceList(label=reader.say("Challenges"), choices=named)


def _line(seen: SeatView, plain: TableView, who: SeatNames, reader: Reader) -> str:
    say = reader.say
    view, facts = seen.view, Facts.of(seen.view.facts)
    phase = facts.phase
    if phase == "play" or not view.owed or view.owed[0] < 0:
        return plain.line
    name = who.name(view.owed[0])
    if phase == "raise" and facts.asker is not None:
        return say("{name} is asked: go along?", name=name)
    if phase == "poor":
        return say("{name} is asked: for two?", name=name)
    if phase == "pictures":
        return say("{name} is asked: four pictures?", name=name)
    if phase == "doubt":
        return say("{name} turns up four cards", name=name)
    return plain.line


def _kind(view: View, reader: Reader) -> tuple[str, str]:
    """The name of an unusual hand and its meaning; empty for an ordinary one."""
    say = reader.say
    facts, rules = Facts.of(view.facts), view.rules
    match facts.kind:
        case "dead":
            return say("play-off for places"), say("Whoever takes the last trick gets the best place.")
        case "eight":
            about = say("The winner drops out; the last one left has lost.")
            return say("eight cards without points"), about
        case "poor":
            return say("deciding hand of poor men"), say(
                "Only the player who takes the last trick stays in the game."
            )
    if eight_cards(rules, facts.kind, len(facts.group)):
        return say("eight-card end game"), say("Eight tricks; nobody raises.")
    return "", ""


def _piles(view: View, who: SeatNames, reader: Reader) -> tuple[PicturePile, ...]:
    """The packets laid down as pictures; the closed ones of an owner are one pile."""
    piles: list[PicturePile] = []
    packets = Facts.of(view.facts).packets
    closed = Counter(packet.owner for packet in packets if not packet.open)
    for packet in packets:
        label = reader.say("{name}: four pictures", name=who.name(packet.owner))
        if packet.open:
            piles.append(PicturePile(label, tuple(map(str, packet.cards))))
        elif count := closed.pop(packet.owner, 0):
            piles.append(PicturePile(label, (), count))
    return tuple(piles)


def _after(seen: SeatView) -> tuple[tuple[int, ...], ...]:
    """The points of all seats after each hand, those of a half at its end included."""
    before = (seen.match.rules.start_points,) * len(seen.names)
    scores = []
    for done in seen.match.played:
        scores.append(tuple(had + change for had, change in zip(before, done.result.points, strict=True)))
        before = Standing.of(done.tally).points
    return tuple(scores)


def score_sheet(seen: SeatView, reader: Reader) -> ScoreSheet:
    """The score sheet: the points of all players after each hand."""
    played = zip(seen.match.played, _after(seen), strict=True)
    rows = tuple((str(done.number), *map(str, points)) for done, points in played)
    return ScoreSheet(heads=(reader.say("Hand"), *seen.names), rows=rows)


def _outcome(seen: SeatView, who: SeatNames, reader: Reader) -> HandOutcome:
    say = reader.say
    done = seen.match.played[-1]
    outcome, points = done.result.outcome, done.result.points
    title = say("Hand {number}", number=done.number)
    if isinstance(outcome, Won):
        winner = outcome.ladder[0]
        mine = seen.seat == winner
        title = say("You win the hand:") if mine else say("{name} wins the hand:", name=who.name(winner))
    change = points[seen.seat] if seen.seat is not None else 0
    accent = _accent(seen, change, reader)
    if not accent:
        title = title.removesuffix(":")
    scores = ((seen.match.rules.start_points,) * len(seen.names), *_after(seen))
    after = scores[-1]
    rows = tuple(
        (
            who.name(seat),
            f"{after[seat] - points[seat]} → {after[seat]}" if points[seat] else str(after[seat]),
        )
        for seat in range(len(seen.names))
    )
    match = ""
    winners = seen.match.winner or ()
    if seen.over and len(winners) > 1 and seen.match.rules.game_form == "halves":
        (loser,) = set(range(len(seen.names))) - set(winners)
        mine = seen.seat == loser
        match = say("You lose the game") if mine else say("{name} loses the game", name=who.name(loser))
    elif seen.over:
        match = (
            say("You win the game")
            if seen.seat is not None and seen.seat in winners
            else say("{name} wins the game", name=who.name(winners[0]) if winners else "–")
        )
    return HandOutcome(
        index=done.index,
        bid=None,
        lead="",
        title=title,
        accent=accent,
        theirs=change < 0,
        reasons=reasons(done, who, reader),
        facts=rows,
        match=match,
        winners=winning_seats(seen) if seen.over else (),
        decided=decided(seen, scores, who, reader) if seen.over else "",
        waits=seen.waiting,
    )


def _accent(seen: SeatView, change: int, reader: Reader) -> str:
    """The loss of the viewer in the hand; empty for a viewer that sat it out."""
    if seen.seat is None or seen.seat not in Facts.of(seen.view.facts).group:
        return ""
    if change > 0:
        return reader.say("you get a point back")
    return reader.say("you lose {points}", points=-change) if change < 0 else reader.say("you lose nothing")


def table(seen: SeatView, reader: Reader) -> TuppenView:
    """The view of a Tuppen table for one viewer."""
    view, facts, who = seen.view, Facts.of(seen.view.facts), people(seen)
    playing = facts.phase == "play"
    acts = card_actions(view.legal, view.cards) if playing else {}
    plain = base_view(TuppenView, seen, reader, hand=hand_cards(view, acts=acts, strength=STRENGTH))
    mats = _mats(seen, who, reader)
    ask = _ask(seen, who, reader)
    asked = facts.phase == "raise"
    kind, about = _kind(view, reader)
    spoken, more = _split_challenges(view, _interrupts(seen, who, reader), reader)
    plain.flat = True
    plain.line = _line(seen, plain, who, reader)
    plain.ask = ask
    plain.acts = spoken
    plain.many = None
    plain.more = more
    if seen.learning:
        plain.tip = reader.say("The last trick alone decides the hand: keep a high card for it.")
    plain.outcome = _outcome(seen, who, reader) if seen.resting and seen.match.played else None
    tricks = 8 if eight_cards(view.rules, facts.kind, len(facts.group)) else 4
    plain.mats = mats[:-1]
    plain.me = mats[-1]
    plain.crowded = len(mats) > 5
    plain.stake = 0 if facts.kind == "eight" else facts.stake
    plain.asked_stake = asked_stake(facts) if asked else 0
    plain.trick_number = min(len(view.tricks) + 1, tricks)
    plain.kind = kind
    plain.kind_about = about
    plain.piles = _piles(view, who, reader)
    return plain


def state_words(view: View, voice: Voice) -> tuple[str, ...]:
    """Sentences about points, stake, and the open cards of earlier tricks."""
    say = voice.say
    facts = Facts.of(view.facts)
    dice = ", ".join(f"{voice.name(seat)} {points}" for seat, points in enumerate(facts.points))
    listed = [say("Points: {players}", players=dice), say("Stake: {stake}", stake=facts.stake)]
    for seat in range(len(view.counts)) if view.tricks else ():
        cards = tuple(card for trick in view.tricks for by, card in trick.plays if by == seat)
        if cards and seat == view.seat:
            listed.append(say("You have played {cards}.", cards=voice.cards(cards)))
        elif cards:
            listed.append(say("{name} has played {cards}.", name=voice.name(seat), cards=voice.cards(cards)))
    return tuple(listed)


def reminders(view: View, who: SeatNames, reader: Reader) -> tuple[str, ...]:
    """The trick that counts, and the stake."""
    facts = Facts.of(view.facts)
    if facts.kind == "eight":
        return (reader.say("Only the last trick wins the hand."),)
    stake = facts.stake
    return (reader.say("Only the last trick wins the hand; the stake is {stake}.", stake=stake),)


def strength_of(view: View) -> Strength:
    """The order of the cards, the same in every hand."""
    return STRENGTH
