"""Tuppen on the page: dice, stake, cards face up before everybody, questions, the raise always in reach."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nousu.engine.actions import Action, Call, Give, Show
from nousu.engine.cards import TEN_HIGH, card_set
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
    leaving_costs,
    losing_costs,
)
from nousu.i18n import Translate
from nousu.i18n.sentences import Voice
from nousu.server.pages.table.cards import Face, face
from nousu.server.pages.table.common import base, hand_cards, on_cards, people, reasons
from nousu.server.pages.table.picture import Ask, Later, More, Outcome, Picture, Press, Sheet
from nousu.server.pages.table.seat_names import People
from nousu.server.table.view import SeatView

STRENGTH = TEN_HIGH
"""How the cards of a hand are ordered."""
FEW = 2
"""So many packets can be doubted by buttons of their own; more of them are a list."""
PIPS = {
    1: ((12, 12),),
    2: ((7, 7), (17, 17)),
    3: ((7, 7), (12, 12), (17, 17)),
    4: ((7, 7), (17, 7), (7, 17), (17, 17)),
    5: ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)),
    6: ((7, 6.5), (17, 6.5), (7, 12), (17, 12), (7, 17.5), (17, 17.5)),
}


@dataclass(frozen=True, slots=True)
class Die:
    """The die that shows a player's points: one pip stands for seven, and for one."""

    points: int
    pips: tuple[tuple[float, float], ...]
    """Empty where a die cannot show the points."""
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mat:
    """A player's place: die, name, what is going on, cards played face up."""

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
    """What is said below the name."""
    mood: str
    """ask, yes, no, wait or empty: how it is said."""
    icon: str
    spent: tuple[Face, ...]
    """Cards of earlier tricks."""
    now: tuple[Face, ...]
    """The card in the present trick."""
    backs: int
    """Cards laid face down on leaving."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards laid down as four pictures."""

    label: str
    faces: tuple[Face, ...]
    """The cards, once they were turned up."""
    count: int = 1
    """How many closed packets of four lie here."""


def die(points: int, say: Translate) -> Die:
    """The die of a player with so many points."""
    return Die(
        points,
        PIPS.get(die_face(points), ()),
        say(sentence("die: {points} point", "die: {points} points"), points=points),
    )


def _answers(view: View) -> dict[Seat, calls.Word | None]:
    """What has been answered to the open question."""
    if view.question is None:
        return {}
    answers = [(seat, action) for seat, action in view.question.answers if isinstance(action, Call)]
    return {seat: calls.said(call, len(view.counts)) for seat, call in answers}


def _answer(word: calls.Word | None, say: Translate) -> tuple[str, str, str]:
    """An answer below a name: words, mood, icon."""
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


def _state(view: View, seat: Seat, thinking: bool, say: Translate) -> tuple[str, str, str]:
    """What a player is doing: words, mood, icon."""
    facts, answers = Facts.of(view.facts), _answers(view)
    places = facts.places
    if seat not in facts.alive:
        return (say("out, place {place}", place=places[seat]) if places[seat] else say("out")), "no", "no"
    if seat not in facts.in_hand:
        paid = facts.paid[seat]
        if seat not in facts.group:
            return say("sits out"), "wait", ""
        return (say("away, −{points}", points=paid) if paid else say("away")), "no", "no"
    if facts.phase == "raise" and seat == facts.asker:
        return say("raises to {stake}", stake=asked_stake(facts)), "ask", "rami"
    if facts.phase == "poor" and seat == facts.asker:
        return say("asks for two"), "ask", "rami"
    if seat in answers:
        return _answer(answers[seat], say)
    if seat in view.owed:
        return (
            (say("thinking") if thinking else say("to play") if facts.phase == "play" else say("is asked")),
            "wait",
            "",
        )
    if seat in facts.asked:
        return say("still to answer"), "wait", ""
    if seat in facts.poor:
        return say("poor man"), "wait", ""
    return "", "", ""


def _mats(seen: SeatView, who: People, say: Translate, lang: str) -> tuple[Mat, ...]:
    """The opponents from the viewer's left around the table, then the viewer."""
    view, facts, seats = seen.view, Facts.of(seen.view.facts), len(seen.names)
    me = seen.seat or 0
    others = [seat for seat in clockwise(me, seats) if seat != me]
    left = (len(others) + 1) // 2
    leader = view.trick[0][0] if view.trick else None
    found = []
    for step, seat in enumerate((*others, me), 1):
        earlier = [card for trick in view.tricks for by, card in trick.plays if by == seat]
        present = [card for by, card in view.trick if by == seat]
        away = seat not in facts.in_hand and seat in facts.group
        state, mood, icon = _state(view, seat, seat in seen.thinking, say)
        if seat in seen.away and seat in facts.alive and not state:
            state, mood = say("away, computer plays"), "wait"
        found.append(
            Mat(
                seat=seat,
                name=who.name(seat),
                die=die(facts.points[seat], say),
                column=1 if step <= left else 3,
                row=left - step + 1 if step <= left else step - left,
                turn=seat in view.owed,
                dealer=seat == view.setup.dealer,
                lead=seat == leader,
                away=away,
                out=seat not in facts.alive,
                state=state,
                mood=mood,
                icon=icon,
                spent=tuple(face(card, say, lang) for card in earlier),
                now=tuple(face(card, say, lang) for card in present),
                backs=view.counts[seat] if away else 0,
            )
        )
    return tuple(found)


def _cost(view: View, seat: Seat) -> int:
    """What leaving would cost this seat now."""
    rules: Rules = view.rules
    return leaving_costs(rules, Facts.of(view.facts), seat)


def _ask(seen: SeatView, who: People, say: Translate) -> Ask | None:
    """The question put to the viewer."""
    view, facts, seat = seen.view, Facts.of(seen.view.facts), seen.seat
    phase = facts.phase
    if seat is None or seat not in view.owed or phase == "play":
        return None
    if phase == "doubt":
        return Ask(title=say("Your pictures are doubted"), presses=_shows(view.legal, say))
    if phase == "pictures":
        return Ask(title=say("Four pictures?"), note=_bluff(view, say), presses=_pictures(view.legal, say))
    if phase == "blind":
        return Ask(
            title=say("Raise before seeing your cards?"),
            presses=(
                Press(act=str(calls.LOOK), label=say("Look at the cards"), main=True),
                Press(act=str(calls.BLIND), label=say("Raise blind"), note=say("the stake grows by one")),
            ),
        )
    points, cost = facts.points[seat], _cost(view, seat)
    asker = who.name(facts.asker) if facts.asker is not None else "–"
    title = say("{name} raises. Do you go along?", name=asker)
    if phase == "poor":
        title = say("{name} has one point left. Do you play for two?", name=asker)
    presses = [
        Press(
            act=str(calls.HOLD),
            label=say("Go along"),
            note=say("a loss costs {points}", points=losing_costs(facts, seat)),
            main=True,
        )
    ]
    if calls.LEAVE in view.legal:
        note = say("costs {points}, leaves {rest}", points=cost, rest=points - cost)
        presses.append(Press(act=str(calls.LEAVE), label=say("Leave"), note=note, sure=_sure(cost, say)))
    return Ask(title=title, presses=tuple(presses))


def _sure(cost: int, say: Translate) -> str:
    """Leaving for one point is done at once; more is asked once more."""
    return say("Leave for {points}?", points=cost) if cost > 1 else ""


def _shows(legal: Sequence[Action], say: Translate) -> tuple[Press, ...]:
    return tuple(
        Press(act=str(action), label=say("Turn them up"), main=True)
        for action in legal
        if isinstance(action, Show)
    )


def _pictures(legal: Sequence[Action], say: Translate) -> tuple[Press, ...]:
    found = [Press(act=str(calls.KEEP), label=say("Keep my cards"), main=True)]
    for action in legal:
        if isinstance(action, Give):
            found.append(Press(act=str(action), label=say("Lay them down"), note=say("for four new cards")))
        elif isinstance(action, Show):
            found.append(Press(act=str(action), label=say("Show them"), note=say("for a new deal")))
    return tuple(found)


def _bluff(view: View, say: Translate) -> str:
    if four_pictures(card_set(view.cards)):
        return say("You hold four pictures.")
    if any(isinstance(action, Give) for action in view.legal):
        return say(
            "You do not hold four pictures; a player caught bluffing loses {points}.",
            points=view.rules.penalty_points,
        )
    return ""


def _interrupts(seen: SeatView, who: People, say: Translate) -> tuple[Press, ...]:
    """What may be said at any moment: raising first."""
    view, facts = seen.view, Facts.of(seen.view.facts)
    if facts.phase not in ("play", "pictures"):
        return ()
    found = []
    for action in view.legal:
        match calls.said(action, len(seen.names)) if isinstance(action, Call) else None:
            case calls.Raise():
                stake = asked_stake(facts)
                label = say("Raise to {stake}", stake=stake)
                deadly = seen.seat is not None and stake >= facts.points[seen.seat]
                sure = say("Raise to {stake}? Losing would end your game", stake=stake) if deadly else ""
                found.append(
                    Press(act=str(calls.RAISE), label=label, main=seen.window is not None, sure=sure)
                )
            case calls.Leave():
                cost = _cost(view, seen.seat or 0)
                note = say("costs {points}", points=cost)
                found.append(
                    Press(act=str(calls.LEAVE), label=say("Leave"), note=note, sure=_sure(cost, say))
                )
            case calls.Challenge(owner, number):
                note = say("packet {number}", number=number) if number is not None else ""
                label = say("Doubt {name}’s pictures", name=who.name(owner))
                found.append(Press(act=str(action), label=label, note=note))
    return tuple(found)


def _listed(view: View, presses: tuple[Press, ...], say: Translate) -> tuple[tuple[Press, ...], More | None]:
    """Doubts as a list of their own where they are many."""
    seats = len(view.counts)
    doubts = [press for press in presses if isinstance(calls.said(Call(press.act), seats), calls.Challenge)]
    if len(doubts) <= FEW:
        return presses, None
    named = tuple((press.act, f"{press.label}, {press.note}".removesuffix(", ")) for press in doubts)
    rest = tuple(press for press in presses if press not in doubts)
    return rest, More(label=say("Doubts"), choices=named)


def _line(seen: SeatView, plain: Picture, who: People, say: Translate) -> str:
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


def _kind(view: View, say: Translate) -> tuple[str, str]:
    """What this hand is where it is not an ordinary one, and what that means."""
    facts, rules = Facts.of(view.facts), view.rules
    match facts.kind:
        case "dead":
            return say("play-off for places"), say("Whoever takes the last trick gets the best place.")
        case "poor":
            return say("deciding hand of poor men"), say(
                "Only the player who takes the last trick stays in the game."
            )
    if eight_cards(rules, facts.kind, len(facts.group)):
        return say("eight-card end game"), say("Eight tricks; nobody raises.")
    return "", ""


def _piles(view: View, who: People, say: Translate, lang: str) -> tuple[Pile, ...]:
    """The packets laid down as pictures, those of one owner that are still closed together."""
    found: list[Pile] = []
    packets = Facts.of(view.facts).packets
    closed = Counter(packet.owner for packet in packets if not packet.open)
    for packet in packets:
        label = say("{name}: four pictures", name=who.name(packet.owner))
        if packet.open:
            found.append(Pile(label, tuple(face(card, say, lang) for card in packet.cards)))
        elif count := closed.pop(packet.owner, 0):
            found.append(Pile(label, (), count))
    return tuple(found)


def _sheet(seen: SeatView, say: Translate) -> Sheet:
    rows = []
    for done in seen.match.played:
        points = Standing.of(done.tally).points
        rows.append((str(done.number), *(str(one) for one in points)))
    return Sheet(heads=(say("Hand"), *seen.names), rows=tuple(rows))


def _outcome(seen: SeatView, who: People, say: Translate) -> Outcome:
    done = seen.match.played[-1]
    outcome, points = done.result.outcome, done.result.points
    why = reasons((*done.result.notes, *(() if done.result.void else done.tally.notes())), who, say)
    title = say("Hand {number}", number=done.number)
    if isinstance(outcome, Won):
        winner = outcome.ladder[0]
        mine = seen.seat == winner
        title = say("You win the hand:") if mine else say("{name} wins the hand:", name=who.name(winner))
    change = points[seen.seat] if seen.seat is not None else 0
    accent = _accent(seen, change, say)
    if not accent:
        title = title.removesuffix(":")
    after = Standing.of(done.tally).points
    rows = tuple(
        (
            who.name(seat),
            f"{after[seat] - points[seat]} → {after[seat]}" if points[seat] else str(after[seat]),
        )
        for seat in range(len(seen.names))
    )
    match = ""
    if seen.over:
        winners = seen.match.winner or ()
        match = (
            say("You win the game")
            if seen.seat is not None and seen.seat in winners
            else say("{name} wins the game", name=who.name(winners[0]) if winners else "–")
        )
    return Outcome(
        index=done.index,
        bid=None,
        lead="",
        title=title,
        accent=accent,
        theirs=change < 0,
        reasons=why,
        facts=rows,
        match=match,
        waits=seen.waiting,
    )


def _accent(seen: SeatView, change: int, say: Translate) -> str:
    """What the hand cost the viewer, who may have sat it out."""
    if seen.seat is None or seen.seat not in Facts.of(seen.view.facts).group:
        return ""
    return say("you lose {points}", points=-change) if change < 0 else say("you lose nothing")


def table(seen: SeatView, say: Translate, lang: str) -> Picture:
    """The picture of a Tuppen table for one viewer."""
    view, facts, who = seen.view, Facts.of(seen.view.facts), people(seen)
    playing = facts.phase == "play"
    acts = on_cards(view.legal, view.cards) if playing else {}
    plain = base(seen, say, lang, hand=hand_cards(view, say, lang, acts=acts, strength=STRENGTH))
    mats = _mats(seen, who, say, lang)
    ask = _ask(seen, who, say)
    asked = facts.phase == "raise"
    kind, about = _kind(view, say)
    spoken, more = _listed(view, _interrupts(seen, who, say), say)
    return plain.filled(
        template="table/tuppen.html",
        flat=True,
        line=_line(seen, plain, who, say),
        my_turn=plain.my_turn,
        ask=ask,
        acts=spoken,
        many=None,
        more=more,
        bars=(),
        sheet=Later(lambda: _sheet(seen, say), seen.match.played, who, say),
        outcome=_outcome(seen, who, say) if seen.resting and seen.match.played else None,
        extra={
            "mats": mats[:-1],
            "me": mats[-1],
            "many": len(mats) > 5,
            "stake": facts.stake,
            "asked": asked_stake(facts) if asked else 0,
            "trick": min(
                len(view.tricks) + 1, 8 if eight_cards(view.rules, facts.kind, len(facts.group)) else 4
            ),
            "kind": kind,
            "kind_about": about,
            "piles": _piles(view, who, say, lang),
        },
    )


def state_words(view: View, voice: Voice, say: Translate) -> tuple[str, ...]:
    """What lies on the table, in sentences: dice, the stake, the open cards of earlier tricks."""
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


def meant(view: View, who: People, say: Translate) -> tuple[str, ...]:
    """What a seat should keep in mind now: which trick counts, and for how much."""
    stake = Facts.of(view.facts).stake
    return (say("Only the last trick wins the hand; the stake is {stake}.", stake=stake),)
