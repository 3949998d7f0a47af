"""The review of Tuppen: imagined hands played by the rules of thumb, raises answered by each hand's chance.

Playing by them (low cards first, the best one in the last trick but one) takes microseconds. Deals count by
how well they fit the raises, answers and silences heard, as for the searching player. After a raise every
other seat goes along when its cards are worth it; nobody raises again. But where three or more play, raises
and answers are compared with more raises to come (`nousu.players.tuppen.playouts`). Packets are believed as
far as the rule-based player believes them, and doubted by others when it would doubt them.
"""

from collections.abc import Sequence
from random import Random

from nousu.engine.actions import Action, Call, Give, Play, Show
from nousu.engine.cards import DECK_32, TEN_HIGH, CardSet, card_set, cards_of
from nousu.engine.game import Result, View
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import Seat
from nousu.games.tuppen import (
    Facts,
    asked_stake,
    calls,
    is_true_claim,
    leaving_costs,
    losing_costs,
    may_bluff,
    refusing_costs,
)
from nousu.players.seat_loop import derive_seed, view_seed
from nousu.players.tuppen import playouts, policy
from nousu.players.tuppen.inference import likelihoods
from nousu.players.tuppen.playouts import (
    TIMES,
    count_wins,
    last_trick_winner,
    moment_of,
    needed_to_hold,
    spite,
)
from nousu.players.tuppen.rules import DOUBT_BELOW, LIES, honesty
from nousu.players.tuppen.worlds import worlds_with_lies
from nousu.players.worlds import World, Worlds, played_by
from nousu.review.model import ReviewEffort, ReviewOption
from nousu.solver import native

NO_PAR = Note("", "Hands have no par here: the result depends on who raises and who leaves.")


def strength(cards: CardSet) -> float:
    """About the chance of four cards to win against three other hands.

    Least squares over 700 hands as the rule-based player estimates them (R² 0.62).
    """
    held = cards_of(cards)
    ranks = sorted((TEN_HIGH[card.rank] for card in held), reverse=True)
    best = max(held, key=lambda card: TEN_HIGH[card.rank], default=None)
    company = sum(best is not None and card.suit == best.suit for card in held) - 1
    total = sum(share * rank for share, rank in zip((0.062, 0.042, 0.021, 0.011), ranks, strict=False))
    return total - 0.21 - 0.025 * company - 0.049 * len({card.suit for card in held})


def slow(view: View) -> bool:
    """True without the core, which estimates the chances of all seats."""
    return native.core is None


def unit(view: View) -> float:
    """The counterpart of a trick: a point."""
    return 1.0


OFTEN = 0.2
"""The share of times from which what is said by odds counts as said often."""

EVEN = 0.5
"""The chance to win from which on it speaks for a raise."""

RAISED_WITH = (0.0, 0.2, 0.3, 0.4, 0.5, 1.0)
"""`strength` from which on a seat that has looked may raise: always, sometimes, never."""


class _Undealt:
    """Possible deals before the cards are dealt."""

    def __init__(self, view: View) -> None:
        self._sizes = [4 * (seat in Facts.of(view.facts).in_hand) for seat in range(len(view.counts))]

    def sample(self, rng: Random) -> World:
        """Draw a deal."""
        cards = list(DECK_32)
        rng.shuffle(cards)
        hands = []
        for size in self._sizes:
            hands.append(card_set(cards[:size]))
            cards = cards[size:]
        return World(tuple(hands), tuple(hands), tuple(cards))


def possible_deals(view: View) -> Worlds | _Undealt:
    """Worlds in which packets of others hold four pictures unless the seat lied; any deal before the deal."""
    if Facts.of(view.facts).phase == "blind":
        return _Undealt(view)
    return worlds_with_lies(view, (round(100 * LIES), 100))


def options(view: View, taken: Action) -> list[Action | None]:
    """The actions to compare: cards, and a raise or a doubt before them; other actions with their opposite.

    Going along with leaving; a raise or a doubt with silence; a blind raise with looking first; changing four
    pictures with keeping them. No lie is recommended, but one that was told is measured.
    """
    doubts: list[Action | None] = [action for action in view.legal if _doubted(view, action) is not None]
    if isinstance(taken, Play):
        # Between two a raise could nearly always still be said at the next card: only the last one misses it.
        late = len(view.cards) == 1 or len(Facts.of(view.facts).group) > 2
        raises = [action for action in view.legal if action == calls.RAISE and late]
        return [action for action in view.legal if isinstance(action, Play)] + raises + doubts
    for answers in ((calls.HOLD, calls.LEAVE), (calls.LOOK, calls.BLIND)):
        if taken in answers:
            return [action for action in view.legal if action in answers]
    if (taken == calls.RAISE and calls.HOLD not in view.legal) or taken in doubts:
        return [taken, None]
    if calls.KEEP in view.legal and (taken == calls.KEEP or isinstance(taken, Give | Show)):
        claims: list[Action | None] = [action for action in view.legal if isinstance(action, Give | Show)]
        ways = [
            calls.KEEP,
            *(claims if taken != calls.KEEP or is_true_claim(view.rules, card_set(view.cards)) else ()),
            *doubts,
        ]
        return ways if len(ways) > 1 else []
    return []


def _doubted(view: View, action: Action) -> int | None:
    """The number of the doubted packet among all packets; None without a doubt."""
    word = calls.said(action, len(view.counts)) if isinstance(action, Call) else None
    if not isinstance(word, calls.Challenge):
        return None
    packets = Facts.of(view.facts).packets
    laid = [at for at, packet in enumerate(packets) if packet.owner == word.owner]
    return laid[(word.number or 1) - 1]


def same(view: View, one: Action | None, other: Action | None) -> bool:
    """Whether two actions mean the same: only if they are the same."""
    return one == other


def comparable(view: View, one: Action, other: Action) -> bool:
    """Whether two actions can be played out beside each other: cards, or going along and leaving."""
    return (isinstance(one, Play) and isinstance(other, Play)) or {one, other} == {calls.HOLD, calls.LEAVE}


def kind(view: View, action: Action) -> str:
    """An answer to a raise, a raise, a blind one, a change of pictures, a doubt, or a card by its turn."""
    if action in (calls.HOLD, calls.LEAVE, calls.RAISE):
        return str(action)
    if action in (calls.LOOK, calls.BLIND):
        return "blind"
    if action == calls.KEEP or isinstance(action, Give | Show):
        return "pictures"
    if not isinstance(action, Play):
        return "say" if _doubted(view, action) is None else "doubt"
    return "follow" if view.trick else "lead"


def measure(
    view: View, actions: Sequence[Action | None], worlds: Sequence[World], seed: int
) -> list[list[float]]:
    """Values of each action, one for each world: points lost, or the others' losses times `spite`.

    A seat that looks first raises then with such cards as gain most by it.
    """
    rows = []
    for action in actions:
        if _raised_again(view, actions) and (
            action in (None, calls.HOLD, calls.RAISE) or isinstance(action, Play)
        ):
            rows.append(
                [_later(view, action, world, derive_seed(seed, at)) for at, world in enumerate(worlds)]
            )
            continue
        ways = RAISED_WITH if action == calls.LOOK else RAISED_WITH[:1]
        rows.append(max(([_worth(view, action, world, way) for world in worlds] for way in ways), key=sum))
    return rows


first_values = measure


def counting_note(view: View) -> str:
    """The explanation of the figures of this hand."""
    if len(Facts.of(view.facts).group) == 2:
        return sentence("What the opponent loses counts as won.")
    return sentence("Three tenths of what the others lose on average are counted as won.")


def hand_outcome(result: Result, view: View) -> float:
    """The value of a hand for the viewer, as `measure` counts it; 0 for a player out of the game."""
    facts = Facts.of(view.facts)
    assert view.seat is not None
    own = result.points[view.seat]
    lost = [points for at, points in enumerate(result.points) if at != view.seat and points < 0]
    if own < 0 or not lost or view.seat not in facts.group:
        return float(own)
    return -spite(facts) * sum(lost) / len(lost)


def _raised_again(view: View, actions: Sequence[Action | None]) -> bool:
    """Whether more raises matter to a choice.

    Between two, where raises are by odds, they say little, and cards are compared with each other at the
    stake as it is.
    """
    facts = Facts.of(view.facts)
    answers = {calls.HOLD, calls.RAISE} & {action for action in actions if isinstance(action, Call)}
    return (
        bool(answers)
        and len(facts.group) > 2
        and facts.kind == "regular"
        and facts.phase in ("raise", "play")
    )


def _later(view: View, action: Action | None, world: World, seed: int) -> float:
    """The value of an action where there may be more raises."""
    match action:
        case calls.HOLD:
            lost = playouts.losses_if_holding(view, world.hands, seed)
        case calls.RAISE:
            lost = playouts.losses_if_raising(view, world.hands, seed)
        case _:
            first = int(action.card) if isinstance(action, Play) else None
            lost = playouts.losses_if_silent(view, world.hands, seed, first)
    assert view.seat is not None
    if view.seat in lost:
        return -float(lost[view.seat])
    return spite(Facts.of(view.facts)) * sum(lost.values()) / len(lost)


def _worth(view: View, action: Action | None, world: World, raised_with: float) -> float:
    facts, me = Facts.of(view.facts), view.seat
    assert me is not None
    if action == calls.LEAVE:
        return -float(leaving_costs(view.rules, facts, me))
    if action == calls.HOLD:
        return _won(view, world.hands, facts.in_hand, asked_stake(facts))
    if action in (calls.RAISE, calls.BLIND) or (
        action == calls.LOOK and strength(world.hands[me]) >= raised_with
    ):
        playing = _company(view, world.hands, facts.stake + 1)
        if playing == (me,):
            return _gained(view, facts.in_hand, refusing_costs(view.rules, facts.stake), facts.points)
        return _won(view, world.hands, playing, facts.stake + 1)
    if isinstance(action, Show):  # four pictures for a new deal: everybody's chance is the same then
        share = 1 / len(facts.in_hand)
        gained = _gained(view, facts.in_hand, facts.stake, facts.points)
        return share * gained - (1 - share) * min(facts.points[me], facts.stake)
    if isinstance(action, Give):
        return _changed(view, world)
    doubted = None if action is None else _doubted(view, action)
    if doubted is not None:
        return _turned_up(view, world, doubted)
    first = int(action.card) if isinstance(action, Play) else None
    return _won(view, world.hands, facts.in_hand, facts.stake, first)


def _won(
    view: View,
    hands: Sequence[CardSet],
    playing: Sequence[Seat],
    stake: int,
    first: int | None = None,
    points: Sequence[int] = (),
) -> float:
    """The value of the stake to the viewer; `points` are those left after a penalty."""
    points = points or Facts.of(view.facts).points
    if _wins(view, hands, playing, first):
        return _gained(view, playing, stake, points)
    assert view.seat is not None
    return -float(min(points[view.seat], stake))


def _gained(view: View, playing: Sequence[Seat], stake: int, points: Sequence[int]) -> float:
    """The viewer's gain by winning against seats that play on and lose the stake, or what is left to them.

    The dead, who have nothing left, play for places: these count as the stake does.
    """
    facts = Facts.of(view.facts)
    others = [seat for seat in playing if seat != view.seat]
    lost = [stake if facts.kind == "dead" else min(points[seat], stake) for seat in others]
    return spite(facts) * sum(lost) / len(lost)


def _paying(points: Sequence[int], seat: Seat, due: int) -> tuple[int, ...]:
    """The points of all seats after that seat has paid a penalty."""
    return tuple(had - due * (at == seat) for at, had in enumerate(points))


def _changed(view: View, world: World) -> float:
    """The value of laying four cards down for the next four of the stock.

    The others doubt it as the rule-based player would; the new cards stay either way (A-U-04).
    """
    facts, me = Facts.of(view.facts), view.seat
    assert me is not None
    top = len(world.stock) - facts.stock
    hands = tuple(
        card_set(world.stock[top : top + 4]) if seat == me else hand for seat, hand in enumerate(world.hands)
    )
    due: int = view.rules.penalty_points
    times = 1 + sum(packet.owner == me for packet in facts.packets)
    white = view.rules.white_wash
    doubters = [
        seat
        for seat in facts.in_hand
        if seat != me and facts.points[seat] > due and honesty(world.hands[seat], times, white) < DOUBT_BELOW
    ]
    if not doubters or not may_bluff(view.rules, facts.kind):
        return _won(view, hands, facts.in_hand, facts.stake)
    if is_true_claim(view.rules, card_set(view.cards)):
        points = _paying(facts.points, doubters[0], due)
        return spite(facts) * due + _won(view, hands, facts.in_hand, facts.stake, points=points)
    if facts.points[me] <= due:
        return -float(facts.points[me])
    return _won(view, hands, facts.in_hand, facts.stake, points=_paying(facts.points, me, due)) - due


def _turned_up(view: View, world: World, at: int) -> float:
    """The value of turning a packet up (TU-ZK-IV9).

    The seat in the wrong pays, and is out of the hand with nothing left.
    """
    facts, me = Facts.of(view.facts), view.seat
    assert me is not None
    due: int = view.rules.penalty_points
    owner = facts.packets[at].owner
    if is_true_claim(view.rules, card_set(world.given[at])):
        if facts.points[me] <= due:
            return -float(facts.points[me])
        points = _paying(facts.points, me, due)
        return _won(view, world.hands, facts.in_hand, facts.stake, points=points) - due
    gain = spite(facts) * min(facts.points[owner], due)
    playing = tuple(seat for seat in facts.in_hand if seat != owner or facts.points[owner] > due)
    if playing == (me,):
        return gain
    points = _paying(facts.points, owner, due)
    return gain + _won(view, world.hands, playing, facts.stake, points=points)


def _wins(view: View, hands: Sequence[CardSet], playing: Sequence[Seat], first: int | None) -> bool:
    """Whether the viewer wins the last trick by the rules of thumb."""
    turn = Facts.of(view.facts).turn
    assert view.seat is not None
    if turn is None:  # before the deal: the seat left of the dealer will lead
        turn = next((seat for seat in playing if seat > view.setup.dealer), playing[0])
    if first is not None:
        turn = view.seat
    return last_trick_winner(list(hands), playing, turn, view.trick, first) == view.seat


def _company(view: View, hands: Sequence[CardSet], stake: int) -> tuple[Seat, ...]:
    """The seats that go along with a raise to `stake`: the viewer, and others whose cards are worth it."""
    facts, company = Facts.of(view.facts), []
    for seat in facts.in_hand:
        losing = min(facts.points[seat], stake)
        leaving = min(facts.points[seat], refusing_costs(view.rules, facts.stake))
        needed = needed_to_hold(leaving, losing, spite(facts))
        if seat == view.seat or _chance(view, facts, seat, hands[seat]) >= needed:
            company.append(seat)
    return tuple(company)


def _chance(view: View, facts: Facts, seat: Seat, hand: CardSet) -> float:
    """The chance to win that another seat sees with this hand."""
    if facts.turn is None:  # nobody has cards yet
        others = max(1, len(facts.in_hand) - 1)
        return strength(hand) * 3 / (others + (3 - others) * 0.25)
    moment, played = moment_of(facts, view.trick), sum(played_by(view))
    return count_wins(moment, seat, played, view.counts, [hand], TIMES, seat)[0] / TIMES


def weights(view: View, worlds: Sequence[World]) -> list[float]:
    """Likelihood of each world by the raises, answers and silences heard (`inference`)."""
    return likelihoods(view, worlds, view_seed(view))


def solved(
    view: View, actions: Sequence[Action | None], worlds: Sequence[World], effort: ReviewEffort
) -> list[list[float]] | None:
    """Values of the true deal by rules of thumb: there is no alliance to solve against."""
    return measure(view, actions, worlds, 0) if len(worlds) == 1 else None


def is_often_mixed(view: View, action: Action, best: Action | None) -> bool:
    """Whether a strong player often does that too: between two, words (not cards) are by odds (`policy`).

    Cards are another matter.
    """
    if isinstance(action, Play) and isinstance(best, Play):
        return False
    often = policy.action_share(view, action, view_seed(view))
    return often is not None and often >= OFTEN


def reason(view: View, best: Action | None, options: Sequence[ReviewOption]) -> Note | None:
    """The reason for an answer to a raise: the chance to win that going along needs, and the one it has.

    For a raise or silence the chance without a raise. None where that chance speaks for the other action: a
    raise may drive others out, and going along may be right because one can leave later.
    """
    facts, me = Facts.of(view.facts), view.seat
    if best in (calls.RAISE, None) and any(option.action == calls.RAISE for option in options):
        wins = max((option.wins for option in options if option.action != calls.RAISE), default=0.0)
        if (wins < EVEN) == (best == calls.RAISE):
            return None
        return Note("", "The chance to win the hand is {chance}%", {"chance": round(100 * wins)})
    if best not in (calls.HOLD, calls.LEAVE) or me is None:
        return None
    wins = max((option.wins for option in options if option.action == calls.HOLD), default=0.0)
    leaving, losing = leaving_costs(view.rules, facts, me), losing_costs(facts, me)
    winning = _gained(view, facts.in_hand, asked_stake(facts), facts.points)
    needed = max(0, losing - leaving) / max(1, losing + winning)
    values = {"needed": round(100 * needed), "chance": round(100 * wins)}
    if wins >= needed and best == calls.LEAVE:
        message = sentence("Too weak if others raise again: the chance to win is {chance}%")
        return Note("", message, values) if _raised_again(view, (calls.HOLD,)) else None
    if wins < needed and best == calls.HOLD:
        return None
    return Note("", "Going along needs a chance of {needed}% to win; these cards have {chance}%", values)
