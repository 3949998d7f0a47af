"""Claims in the whist family: the tricks of a side in rami and nolo, the soloist's in sooli."""

from collections.abc import Sequence

from nousu.engine.actions import Action, Give, Play
from nousu.engine.cards import ACE_HIGH, ACE_LOW, DECK_52, Card, Strength
from nousu.engine.game import Hand, View
from nousu.engine.seats import Seat, partner, side
from nousu.games.whist import TRICKS, Facts
from nousu.players.claims import KINDS, Kind
from nousu.players.whist.searcher import problem_of
from nousu.players.worlds import World
from nousu.solver import Goal, Position


def kinds(view: View) -> tuple[Kind, ...]:
    """Claims of all tricks or of none; in a sooli only the soloist, who wants none, has a claim."""
    facts = Facts.of(view.facts)
    if facts.soloist is None:
        return KINDS
    return ("theirs",) if facts.soloist == view.seat and not facts.caught else ()


def is_obvious(view: View, kind: Kind) -> bool:
    """In a rami, leads that nobody can beat; in a sooli, cards under all that can be led."""
    facts = Facts.of(view.facts)
    if facts.soloist is None:
        if facts.kind != "high" or kind != "mine" or len(view.trick) not in (0, 3):
            return False
        taking = [card for card in view.cards if _takes(view, card)] if view.trick else [None]
        rests = [[other for other in view.cards if other != card] for card in taking]
        return any(all(_top(*suit) for suit in _suits(view, rest, ACE_HIGH)) for rest in rests)
    return any(_safe(view, action.card) for action in view.legal if isinstance(action, Play))


def _suits(view: View, cards: Sequence[Card], strength: Strength) -> list[tuple[list[int], list[int]]]:
    """Ranks of `cards` and of the cards the viewer has not seen, by suit, the lowest first."""
    known = {*view.cards, *(card for _, card in view.trick)}
    known.update(card for trick in view.tricks for _, card in trick.plays)
    for by, action in view.heard:
        if by == view.seat and isinstance(action, Give):
            known.update(action.cards)
    hidden = [card for card in DECK_52 if card not in known]
    return [(_ranks(cards, suit, strength), _ranks(hidden, suit, strength)) for suit in range(4)]


def _ranks(cards: Sequence[Card], suit: int, strength: Strength) -> list[int]:
    return sorted(strength[card & 15] for card in cards if card >> 4 == suit)


def _top(mine: list[int], hidden: list[int]) -> bool:
    """Whether cards led from the top all win, although one hand may hold all that are hidden in the suit.

    Nothing above them is out, or all of it has fallen under the earlier ones.
    """
    high = hidden[-1] if hidden else -1
    return all(rank > high or led >= len(hidden) for led, rank in enumerate(reversed(mine)))


def _takes(view: View, card: Card) -> bool:
    """Whether this card, the last one of a trick, wins it."""
    led = view.trick[0][1].suit
    best = max(ACE_HIGH[other & 15] for _, other in view.trick if other.suit == led)
    return card.suit == led and ACE_HIGH[card & 15] > best


def _safe(view: View, card: Card) -> bool:
    """Whether this card takes no trick now, and those left never need to.

    The soloist's lowest card of each suit lies under the lowest that can be led, the second under the second,
    and so on.
    """
    if not view.trick:
        return False
    led = view.trick[0][1].suit
    best = max(ACE_LOW[other & 15] for _, other in view.trick if other.suit == led)
    if card.suit == led and ACE_LOW[card & 15] > best:
        return False
    rest = [other for other in view.cards if other != card]
    return all(
        low < out
        for mine, hidden in _suits(view, rest, ACE_LOW)
        for low, out in zip(mine, hidden, strict=False)
    )


def problem(view: View, kind: Kind, world: World) -> tuple[Position, Goal]:
    """The position in a world, and the goal of the hand."""
    return problem_of(view, world.hands)


def holds(view: View, kind: Kind, value: int) -> bool:
    """Whether the claimer's side gets all tricks that are left, or none, when everybody plays their best."""
    facts = Facts.of(view.facts)
    if facts.soloist is not None:
        return value == 1
    assert view.seat is not None
    ours = side(view.seat)
    taken = value if ours == 0 else TRICKS - value
    return taken == (TRICKS - facts.tricks[1 - ours] if kind == "mine" else facts.tricks[ours])


def concession(view: View) -> Kind | None:
    """All tricks for the others in a high hand, all for one's own side in a low one; none in a sooli."""
    kind = Facts.of(view.facts).kind
    return {"high": "theirs", "low": "mine"}.get(kind or "")  # type: ignore[return-value]  # both are kinds


def lost(hand: Hand, seat: Seat, kind: Kind) -> Sequence[int]:
    """Tricks of the side that is to have no more."""
    wrong = 1 - side(seat) if kind == "mine" else side(seat)
    return (Facts.of(hand.view(None).facts).tricks[wrong],)


def order(hand: Hand, seat: Seat, kind: Kind, legal: Sequence[Play]) -> Sequence[Action]:
    """High cards first for the side that is to take the tricks, until the trick is its own; else low ones."""
    view = hand.view(None)
    facts = Facts.of(view.facts)
    strength = ACE_HIGH if facts.soloist is None else ACE_LOW
    turn = view.owed[0]
    takes = (side(turn) == side(seat)) == (kind == "mine")
    if view.trick:
        led = view.trick[0][1].suit
        winner = max(
            (play for play in view.trick if play[1].suit == led),
            key=lambda play: strength[play[1] & 15],
        )[0]
        takes = takes and winner != partner(turn)
    return sorted(legal, key=lambda play: strength[play.card & 15], reverse=takes)
