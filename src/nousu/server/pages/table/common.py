"""The part of a table's picture that is the same in every game: plates, trick, hand, whose turn it is.

Every legal action finds a place here, whatever the game: single cards on the hand, several cards as a choice
with one button, everything else as buttons. A game's own module then replaces what it draws better.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from nousu.engine.actions import Action, Call, Deal, Give, Play, Seal, Show, single
from nousu.engine.cards import ACE_HIGH, Card, Strength
from nousu.engine.game import View
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import CHANCE, Seat
from nousu.games import games, part
from nousu.i18n import Translate
from nousu.i18n.names import preset_name
from nousu.i18n.sentences import card_words, suit_words
from nousu.server.pages.table.cards import arranged, face
from nousu.server.pages.table.picture import Bar, HandCard, Later, Picture, Plate, Press, Reason
from nousu.server.pages.table.seat_names import People
from nousu.server.pages.words import table_rules, word
from nousu.server.table.view import SeatView


def people(seen: SeatView) -> People:
    """The people around the table from the viewer's chair."""
    return _people(seen.names, seen.seat, games()[seen.view.game].sides)


_people = lru_cache(4096)(People)


def dealt(view: View) -> tuple[Card, ...]:
    """The viewer's cards as they were dealt."""
    if view.seat is not None:
        for by, action in view.heard:
            if by == CHANCE and isinstance(action, Deal):
                return action.hands[view.seat]
    return view.cards


def on_cards(legal: Sequence[Action], cards: Sequence[Card]) -> dict[Card, str]:
    """The action each card of the hand stands for."""
    found: dict[Card, str] = {}
    for action in legal:
        card = single(action)
        if card is not None and card in cards:
            found.setdefault(card, str(action))
    return found


def hand_cards(
    view: View,
    say: Translate,
    lang: str,
    *,
    acts: Mapping[Card, str],
    choose: frozenset[Card] = frozenset(),
    shapes: Mapping[Card, str] | None = None,
    strength: Strength = ACE_HIGH,
) -> tuple[HandCard, ...]:
    """The viewer's hand as it is drawn, with what each card may do now."""
    if not view.cards:
        return ()
    marks: tuple[tuple[str, str, bool], ...] = (("", "", False),) * len(view.cards)
    if acts or choose or shapes:
        of = shapes or {}
        marks = tuple([(acts.get(card, ""), of.get(card, ""), card in choose) for card in view.cards])
    return _hand_cards(view.cards, dealt(view), strength, marks, say, lang)


@lru_cache(4096)
def _hand_cards(
    cards: tuple[Card, ...],
    dealt: tuple[Card, ...],
    strength: Strength,
    marks: tuple[tuple[str, str, bool], ...],
    say: Translate,
    lang: str,
) -> tuple[HandCard, ...]:
    """A hand that is held for several events is laid out once; `marks` are act, shape and choice of each."""
    marked = dict(zip(cards, marks, strict=True))
    found = []
    for spot in arranged(cards, dealt, strength):
        act, shape, choose = marked[spot.card]
        drawn = face(spot.card, say, lang)
        found.append(
            HandCard(face=drawn, row=spot.row, x=spot.x, y=spot.y, act=act, shape=shape, choose=choose)
        )
    return tuple(found)


def several(legal: Sequence[Action]) -> dict[str, tuple[int, frozenset[Card]]]:
    """Actions about several cards: template text → how many cards, and which may be among them."""
    found: dict[str, tuple[int, set[Card]]] = {}
    for action in legal:
        if isinstance(action, Show | Give) and len(action.cards) > 1:
            cards = " ".join(map(str, action.cards))
            text = str(action).replace(cards, "{}", 1)
            _, members = found.setdefault(f"{len(action.cards)}:{text}", (len(action.cards), set()))
            members.update(action.cards)
    return {key.partition(":")[2]: (count, frozenset(members)) for key, (count, members) in found.items()}


def others(legal: Sequence[Action], cards: Sequence[Card]) -> tuple[Action, ...]:
    """The legal actions that are not cards of the hand: words, and showing the whole hand."""
    if not legal:
        return ()
    held = set(cards)
    return tuple(
        action
        for action in legal
        if (single(action) not in held or isinstance(action, Call))
        and not (isinstance(action, Give) and len(action.cards) > 1)
    )


def button(action: Action, say: Translate) -> Press:
    """A plain button for an action no game module knows better."""
    match action:
        case Call(spoken):
            return Press(act=str(action), label=word(spoken, say))
        case Seal(str() as bid):
            return Press(act=str(action), label=word(bid, say))
        case Show(cards):
            if len(cards) == 1:
                return Press(act=str(action), label=say("Show {card}", card=card_words(cards[0], say)))
            return Press(act=str(action), label=say("Show the hand"))
        case Play(card):
            return Press(act=str(action), label=card_words(card, say))
    return Press(act=str(action), label=str(action))


def plates(seen: SeatView, say: Translate) -> dict[str, Plate]:
    """The name plates by place (or by chair number where there are more than four)."""
    view = seen.view
    leader = view.trick[0][0] if view.trick else None
    turns = () if seen.resting else view.owed
    found = _plates(people(seen), seen.computers, seen.away, turns, view.setup.dealer, leader, view.game, say)
    return {plate.place: plate for plate in found}


@lru_cache(4096)
def _plates(
    who: People,
    computers: tuple[bool, ...],
    away: tuple[Seat, ...],
    turns: tuple[Seat, ...],
    dealer: Seat,
    leader: Seat | None,
    game: str,
    say: Translate,
) -> tuple[Plate, ...]:
    """Made once for each round of turns."""
    found = []
    for seat in range(len(who.names)):
        place = who.place(seat) if len(who.names) <= 4 else str(who.step(seat))
        note = ""
        if seat == who.seat:
            note = say("you")
        elif who.sides and who.seat is not None and who.ours(seat):
            note = say("partner")
        elif computers[seat]:
            chance = part("nousu.players", game, "rules") is None
            note = say("computer, plays at random") if chance else say("computer")
        if seat in away:
            note = say("away, computer plays")
        found.append(
            Plate(
                seat=seat,
                place=place,
                name=who.name(seat),
                us=who.ours(seat),
                me=seat == who.seat,
                turn=seat in turns,
                dealer=seat == dealer,
                lead=seat == leader,
                note=note,
                away=seat in away,
            )
        )
    return tuple(found)


def reasons(notes: Sequence[Note], who: People, say: Translate) -> tuple[Reason, ...]:
    """Notes of the rules as sentences."""
    return tuple(Reason(text=who.note(note, say), clause=note.clause) for note in notes)


def line(seen: SeatView, say: Translate) -> tuple[str, str, bool]:
    """The one line of speech: text, suit symbol, whether it is the viewer's turn."""
    view, who = seen.view, people(seen)
    if CHANCE in view.owed:
        return say("The cards are dealt"), "", False
    if seen.seat is not None and seen.seat in view.owed:
        if not any(isinstance(action, Play) for action in view.legal):
            return say("Your turn"), "", True
        if not view.trick:
            return say("Your lead: any card"), "", True
        led = view.trick[0][1].suit
        suit = suit_words(led, say)
        if any(card.suit == led for card in view.cards):
            return say("Your turn: {suit} were led", suit=suit), "shdc"[led], True
        return say("Your turn: no {suit}, play any card", suit=suit), "shdc"[led], True
    if view.owed:
        return say("Waiting for {name}", name=who.name(view.owed[0])), "", False
    return "", "", False


def bars(seen: SeatView, target: int, say: Translate) -> tuple[Bar, ...]:
    """Points on the way to the target, one bar a side (or player)."""
    who = people(seen)
    found = []
    for number, points in enumerate(seen.match.tally.score()):
        ours = number == who.our_side()
        share = max(0.0, min(1.0, points / target)) if target else 0.0
        found.append(Bar(name=who.side_short(number, say), points=points, share=share, us=ours))
    return tuple(sorted(found, key=lambda bar: not bar.us)) if who.sides else tuple(found)


def match_winner(seen: SeatView, who: People, say: Translate) -> str:
    """Who won the match, said to this viewer."""
    winner = seen.match.winner
    if not winner:
        return say("The match is drawn")
    if seen.seat is None:
        return say("{side} win the match", side=who.side_name(winner[0], say))
    return say("You win the match") if winner[0] == who.our_side() else say("They win the match")


def base(
    seen: SeatView,
    say: Translate,
    lang: str,
    strength: Strength = ACE_HIGH,
    hand: tuple[HandCard, ...] | None = None,
) -> Picture:
    """The picture of any game: complete enough to play it, plain enough to be improved. `hand` is the
    viewer's, where the game lays it out itself."""
    view = seen.view
    who = people(seen)
    round_table = len(seen.names) <= 4
    text, suit, mine = line(seen, say)
    acts = on_cards(view.legal, view.cards) if hand is None else {}
    groups = several(view.legal)
    many = None
    choose: frozenset[Card] = frozenset()
    for template, (count, members) in groups.items():
        if template.startswith("give"):
            choose = members
            many = Press(
                act=template,
                label=say(sentence("Give {count} card", "Give {count} cards"), count=count),
                many=count,
                main=True,
            )
    taken, trick = "", view.trick
    if not trick and view.tricks and view.phase == "play":
        trick, taken = view.tricks[-1].plays, who.place(view.tricks[-1].winner) if round_table else ""
    last = view.tricks[-1] if view.tricks else None
    won = [0] * len(seen.names)
    for done in view.tricks:
        won[done.winner] += 1
    sides = [sum(won[one::2]) for one in (0, 1)] if who.sides else []
    if sides and who.our_side() == 1:
        sides.reverse()
    tricks = " – ".join(map(str, sides)) if sides else str(won[view.seat or 0])
    target = int(getattr(view.rules, "target", 0) or 0)
    return Picture(
        id=seen.table_id,
        seq=seen.seq,
        preset=seen.preset,
        base=seen.base_preset,
        title=preset_name(seen.preset, say),
        hand_number=view.setup.number,
        plates=plates(seen, say),
        phase=view.phase,
        trick=tuple([(who.place(seat), face(card, say, lang)) for seat, card in trick])
        if round_table
        else (),
        taken=taken,
        slot=who.place(view.owed[0])
        if round_table and view.owed and view.owed[0] >= 0 and view.phase == "play" and not taken
        else "",
        tricks=tricks,
        tricks_label=say("tricks"),
        last=tuple([face(card, say, lang) for _, card in last.plays]) if last and round_table else (),
        last_note=say("{name} took it", name=who.name(last.winner)) if last else "",
        line=text,
        line_suit=suit,
        my_turn=mine,
        acts=tuple(button(action, say) for action in others(view.legal, view.cards)),
        many=many,
        hand=hand_cards(view, say, lang, acts=acts, choose=choose, strength=strength)
        if hand is None
        else hand,
        target=target,
        bars=Later(lambda: bars(seen, target, say), seen.match.tally, target, who, say),
        window=seen.window,
        sits=seen.seat is not None,
        lost=seen.seat is not None and who.our_side() not in (seen.match.winner or (who.our_side(),)),
        leaves=seen.seat is not None
        and not seen.over
        and any([not computer for seat, computer in enumerate(seen.computers) if seat != seen.seat]),
        refused=who.note(seen.refused, say) if seen.refused else "",
        refused_clause=seen.refused.clause if seen.refused else "",
        rules=table_rules(seen, say),
    )
