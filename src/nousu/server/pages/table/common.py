"""The part of a table view that all games share: plates, trick, hand, turn.

Every legal action gets a place: single cards in the hand, several cards as a choice with one button, all
others as buttons. The module of a family replaces what it shows better.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from nousu.engine.actions import Action, Call, Deal, Give, Play, Seal, Show, single
from nousu.engine.cards import ACE_HIGH, Card, Strength
from nousu.engine.game import View
from nousu.engine.messages import Note, sentence
from nousu.engine.options import differences
from nousu.engine.seats import CHANCE, Seat, side
from nousu.extensions import Point, extension_module
from nousu.games import find, games
from nousu.i18n import numeral
from nousu.i18n.names import option_name, preset_name, value_words
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import card_words, suit_words
from nousu.server.pages.table.cards import hand_layout, suit_symbol
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.table.table_view import (
    Button,
    ClauseReason,
    HandCard,
    HandOutcome,
    Plate,
    PlayedCard,
    ScoreBar,
    TableView,
)
from nousu.server.table.chat import FACES
from nousu.server.table.view import HandSummary, SeatView

V = TypeVar("V", bound=TableView)


def people(seen: SeatView) -> SeatNames:
    """The players around the table as seen from the viewer's chair."""
    return _people(seen.names, seen.seat, games()[seen.view.game].sides)


_people = lru_cache(4096)(SeatNames)


def dealt_cards(view: View) -> tuple[Card, ...]:
    """The viewer's cards as dealt."""
    if view.seat is not None:
        for by, action in view.heard:
            if by == CHANCE and isinstance(action, Deal):
                return action.hands[view.seat]
    return view.cards


def card_actions(legal: Sequence[Action], cards: Sequence[Card]) -> dict[Card, str]:
    """The action of each card of the hand that has one."""
    acts: dict[Card, str] = {}
    for action in legal:
        card = single(action)
        if card is not None and card in cards:
            acts.setdefault(card, str(action))
    return acts


def hand_cards(
    view: View,
    *,
    acts: Mapping[Card, str],
    choose: frozenset[Card] = frozenset(),
    shapes: Mapping[Card, str] | None = None,
    strength: Strength = ACE_HIGH,
) -> tuple[HandCard, ...]:
    """The viewer's hand.

    Args:
        view: The viewer's view.
        acts: The action of each card.
        choose: Cards that are chosen together.
        shapes: The bid that each card stands for.
        strength: The order of the cards.
    """
    if not view.cards:
        return ()
    marks: tuple[tuple[str, str, bool], ...] = (("", "", False),) * len(view.cards)
    if acts or choose or shapes:
        of = shapes or {}
        marks = tuple([(acts.get(card, ""), of.get(card, ""), card in choose) for card in view.cards])
    return _hand_cards(view.cards, dealt_cards(view), strength, marks)


@lru_cache(4096)
def _hand_cards(
    cards: tuple[Card, ...],
    dealt: tuple[Card, ...],
    strength: Strength,
    marks: tuple[tuple[str, str, bool], ...],
) -> tuple[HandCard, ...]:
    """The hand, cached for all events until it changes; `marks` are act, shape and choice of each card."""
    marked = dict(zip(cards, marks, strict=True))
    laid = []
    for spot in hand_layout(cards, dealt, strength):
        act, shape, choose = marked[spot.card]
        laid.append(HandCard(str(spot.card), spot.row, spot.x, spot.y, act, shape, choose))
    return tuple(laid)


def card_group_actions(legal: Sequence[Action]) -> dict[str, tuple[int, frozenset[Card]]]:
    """Actions of several cards: action text with ``{}`` → number of cards, and the cards to choose from."""
    groups: dict[str, tuple[int, set[Card]]] = {}
    for action in legal:
        if isinstance(action, Show | Give) and len(action.cards) > 1:
            cards = " ".join(map(str, action.cards))
            text = str(action).replace(cards, "{}", 1)
            _, members = groups.setdefault(f"{len(action.cards)}:{text}", (len(action.cards), set()))
            members.update(action.cards)
    return {key.partition(":")[2]: (count, frozenset(members)) for key, (count, members) in groups.items()}


def other_actions(legal: Sequence[Action], cards: Sequence[Card]) -> tuple[Action, ...]:
    """The legal actions that are no cards of the hand: calls, and showing the whole hand."""
    if not legal:
        return ()
    held = set(cards)
    return tuple(
        action
        for action in legal
        if (single(action) not in held or isinstance(action, Call))
        and not (isinstance(action, Give) and len(action.cards) > 1)
    )


def button(action: Action, reader: Reader) -> Button:
    """A plain button for an action."""
    match action:
        case Call(spoken):
            return Button(act=str(action), label=reader.voice.word(spoken))
        case Seal(str() as bid):
            return Button(act=str(action), label=reader.voice.word(bid))
        case Show(cards):
            if len(cards) == 1:
                return Button(
                    act=str(action), label=reader.say("Show {card}", card=card_words(cards[0], reader.say))
                )
            return Button(act=str(action), label=reader.say("Show the hand"))
        case Play(card):
            return Button(act=str(action), label=card_words(card, reader.say))
    return Button(act=str(action), label=str(action))


def plates(seen: SeatView, reader: Reader) -> tuple[Plate, ...]:
    """The name plates, by seat."""
    view = seen.view
    leader = view.trick[0][0] if view.trick else None
    turns = () if seen.resting else view.owed
    who, faces = people(seen), seen.faces or ("",) * len(seen.names)
    players = tuple(zip(seen.computers, faces, strict=True))
    return _plates(who, players, seen.away, turns, view.setup.dealer, leader, view.game, reader)


@cache
def _face(name: str) -> str:
    """The face of a computer player: always the same for one name."""
    return FACES[sum(map(ord, name)) % len(FACES)]


@lru_cache(4096)
def _plates(
    who: SeatNames,
    players: tuple[tuple[bool, str], ...],
    away: tuple[Seat, ...],
    turns: tuple[Seat, ...],
    dealer: Seat,
    leader: Seat | None,
    game: str,
    reader: Reader,
) -> tuple[Plate, ...]:
    """The plates, cached until one of these values changes; `players`: computer or not, and the face."""
    say = reader.say
    plates = []
    for seat, (computer, face) in enumerate(players):
        place = who.place(seat) if len(who.names) <= 4 else str(who.step(seat))
        note = ""
        if seat == who.seat:
            note = say("you")
        elif who.sides and who.seat is not None and who.ours(seat):
            note = say("partner")
        elif computer:
            chance = extension_module(Point.PLAYERS, game, "rules") is None
            note = say("computer, plays at random") if chance else say("computer")
        if seat in turns and seat != who.seat:
            note = say("thinking")
        if seat in away:
            note = say("away, computer plays")
        plates.append(
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
                face=face or (_face(who.name(seat)) if computer else ""),
            )
        )
    return tuple(plates)


def result_notes(hand: HandSummary) -> tuple[Note, ...]:
    """The notes of the rules about a finished hand, and about the score if it counted."""
    return hand.result.notes if hand.result.void else (*hand.result.notes, *hand.tally.notes())


def reasons(hand: HandSummary, who: SeatNames, reader: Reader) -> tuple[ClauseReason, ...]:
    """The reasons of a result as sentences with their clauses."""
    return tuple(ClauseReason(text=who.note(note, reader), clause=note.clause) for note in result_notes(hand))


def void_outcome(seen: SeatView, who: SeatNames, reader: Reader) -> HandOutcome:
    """The outcome of a void deal."""
    hand = seen.match.played[-1]
    why, title = reasons(hand, who, reader), reader.say("The deal is void")
    return HandOutcome(
        index=hand.index, bid=None, lead="", title=title, accent="", reasons=why, waits=seen.waiting
    )


def speech_line(seen: SeatView, reader: Reader) -> tuple[str, str, bool]:
    """The speech line: text, suit symbol, and whether it is the viewer's turn."""
    say = reader.say
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
            return say("Your turn: {suit} were led", suit=suit), suit_symbol(led), True
        return say("Your turn: no {suit}, play any card", suit=suit), suit_symbol(led), True
    if view.owed:
        return say("Waiting for {name}", name=who.name(view.owed[0])), "", False
    return "", "", False


def score_bars(seen: SeatView, target: int, reader: Reader) -> tuple[ScoreBar, ...]:
    """Points on the way to the target, one bar a side or player, the viewer's first."""
    return _score_bars(tuple(seen.match.tally.score()), target, people(seen), reader)


@lru_cache(4096)
def _score_bars(score: tuple[int, ...], target: int, who: SeatNames, reader: Reader) -> tuple[ScoreBar, ...]:
    bars = []
    for number, points in enumerate(score):
        ours = number == who.our_side()
        share = max(0.0, min(1.0, points / target)) if target else 0.0
        bars.append(ScoreBar(name=who.side_short(number, reader), points=points, share=share, us=ours))
    return tuple(sorted(bars, key=lambda bar: not bar.us)) if who.sides else tuple(bars)


def match_winner(seen: SeatView, who: SeatNames, reader: Reader) -> str:
    """The winner of the match in a sentence."""
    say = reader.say
    winner = seen.match.winner
    if not winner:
        return say("The match is drawn")
    if seen.seat is None:
        return say("{side} win the match", side=who.side_name(winner[0], reader))
    return say("You win the match") if winner[0] == who.our_side() else say("They win the match")


class Swing(NamedTuple):
    """The change of one side's score in a hand."""

    hand: int
    """The index of the hand, from 0."""
    side: int
    """The side, or the seat where everybody plays alone."""
    before: int
    after: int


def largest_swing(scores: Sequence[Sequence[int]], winner: int) -> Swing | None:
    """The hand in which the winner's lead over the best of the others grew most; the last of equal ones.

    Args:
        scores: The scores before the first hand and after each.
        winner: The winning side, or seat.

    Returns:
        The gain of the winner in that hand, or the loss of the best of the others if that was greater; None
        if the winner does not have the highest score.

    >>> largest_swing([(0, 0), (0, 12), (0, 44), (0, 0), (24, 0), (52, 0)], 0)
    Swing(hand=2, side=1, before=44, after=0)
    """
    rivals = [
        max((other for other in range(len(score)) if other != winner), key=score.__getitem__)
        for score in scores
    ]
    leads = [score[winner] - score[rival] for score, rival in zip(scores, rivals, strict=True)]
    if leads[-1] <= 0:
        return None
    _, hand = max((after - before, at) for at, (before, after) in enumerate(pairwise(leads)))
    before, after = scores[hand], scores[hand + 1]
    rival = rivals[hand]
    lost = before[rival] - after[rival] > after[winner] - before[winner]
    mover = rival if lost else winner
    return Swing(hand, mover, before[mover], after[mover])


def decided(seen: SeatView, scores: Sequence[Sequence[int]], who: SeatNames, reader: Reader) -> str:
    """A sentence about the hand that moved the score most towards the winner, with its reason.

    Args:
        seen: A table whose match is over.
        scores: The scores before the first hand and after each.
        who: The players.
        reader: The language.
    """
    winner = seen.match.winner
    if not winner or len(winner) > 1 or (swing := largest_swing(scores, winner[0])) is None:
        return ""
    hand, change = seen.match.played[swing.hand], swing.after - swing.before
    values = {"number": hand.number, "side": who.side_name(swing.side, reader)}
    if change < 0:
        before, after = numeral(swing.before), numeral(swing.after)
        text = reader.say(
            "Hand {number} decided: {side} fell from {before} to {after}.",
            before=before,
            after=after,
            **values,
        )
    else:
        total = f"{numeral(swing.before)} + {change} = {numeral(swing.after)}"
        text = reader.say("Hand {number} decided: {total} for {side}.", total=total, **values)
    reasons = hand.result.notes[:1] if hand is not seen.match.played[-1] else ()  # the last hand stands below
    why = [f"{who.note(note, reader)}." for note in reasons]
    return " ".join((text, *why))


def winning_seats(seen: SeatView) -> tuple[Seat, ...]:
    """The seats that have won the match; none while it goes on, or if it is drawn."""
    who, winner = people(seen), seen.match.winner or ()
    return tuple(seat for seat in range(len(seen.names)) if (side(seat) if who.sides else seat) in winner)


def base_view(
    kind: type[V],
    seen: SeatView,
    reader: Reader,
    strength: Strength = ACE_HIGH,
    hand: tuple[HandCard, ...] | None = None,
) -> V:
    """The view of any game, to be completed by the family.

    Args:
        kind: The family's own kind of view.
        seen: The table as the viewer may see it.
        reader: The language.
        strength: The order of the cards in the hand.
        hand: The viewer's hand if the family lays it out itself.
    """
    say = reader.say
    view = seen.view
    who = people(seen)
    round_table = len(seen.names) <= 4
    text, suit, mine = speech_line(seen, reader)
    acts = card_actions(view.legal, view.cards) if hand is None else {}
    groups = card_group_actions(view.legal)
    many = None
    choose: frozenset[Card] = frozenset()
    for template, (count, members) in groups.items():
        if template.startswith("give"):
            choose = members
            many = Button(
                act=template,
                label=say(sentence("Give {count} card", "Give {count} cards"), count=count),
                many=count,
                main=True,
            )
    taken, trick = "", view.trick
    if not trick and view.tricks and view.phase == "play":
        trick, taken = view.tricks[-1].plays, who.place(view.tricks[-1].winner) if round_table else ""
    last = view.tricks[-1] if view.tricks else None
    return kind(
        id=seen.table_id,
        seq=seen.seq,
        preset=seen.preset,
        base=seen.base_preset,
        title=preset_name(seen.preset, say),
        hand_number=view.setup.number,
        seat=seen.seat,
        phase=view.phase,
        counts=tuple(view.counts),
        trick=tuple([PlayedCard(who.place(seat), str(card)) for seat, card in trick]) if round_table else (),
        taken=taken,
        slot=who.place(view.owed[0])
        if round_table and view.owed and view.owed[0] >= 0 and view.phase == "play" and not taken
        else "",
        tricks=_tricks(view, who),
        tricks_label=say("tricks"),
        won_tricks=_won_tricks(view, who) if who.sides else (),
        last=tuple([str(card) for _, card in last.plays]) if last and round_table else (),
        last_note=say("{name} took it", name=who.name(last.winner)) if last else "",
        line=text,
        line_suit=suit,
        my_turn=mine,
        acts=tuple([button(action, reader) for action in other_actions(view.legal, view.cards)]),
        many=many,
        hand=hand_cards(view, acts=acts, choose=choose, strength=strength) if hand is None else hand,
        lost=seen.seat is not None and who.our_side() not in (seen.match.winner or (who.our_side(),)),
        leaves=seen.seat is not None
        and not seen.over
        and any([not computer for seat, computer in enumerate(seen.computers) if seat != seen.seat]),
        rules=table_rules(seen, reader),
    )


def _won_tricks(view: View, who: SeatNames) -> tuple[int, int]:
    """The tricks of the viewer's side and of the other."""
    ours = sum([who.ours(trick.winner) for trick in view.tricks])
    return ours, len(view.tricks) - ours


def _tricks(view: View, who: SeatNames) -> str:
    """The tricks of both sides, the viewer's first; of the viewer alone in games without sides."""
    won = [0] * len(who.names)
    for done in view.tricks:
        won[done.winner] += 1
    if not who.sides:
        return str(won[view.seat or 0])
    us = who.our_side()
    return f"{sum(won[us::2])} – {sum(won[1 - us :: 2])}"


def table_rules(seen: SeatView, reader: Reader) -> tuple[tuple[str, str], ...]:
    """The rules of a table in short: option and value, those that differ from the preset first."""
    rules = _rules(seen.match.rules, seen.base_preset, reader)
    return (
        (*rules, (reader.say("Learning table"), reader.say("hints may be asked for")))
        if seen.learning
        else rules
    )


@lru_cache(256)
def _rules(rules: Any, base: str, reader: Reader) -> tuple[tuple[str, str], ...]:
    game, usual = find(base)
    changed = tuple(differences(rules, usual))
    shown = changed + tuple(name for name in game.key_options if name not in changed)
    return tuple(
        (option_name(name, reader.say), value_words(name, getattr(rules, name), reader.say)) for name in shown
    )
