"""The conformance kit: laws for every game, also for those of other packages.

``check(game, rules, seats, rng)`` plays random matches and tests every law at every step; a broken law raises
`LawBroken`, which names the law and the position. The caller supplies the source of chance.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, Protocol

from nousu.engine.actions import Action, Deal, Give, Play, Seal, Show, heard, parse_action
from nousu.engine.cards import DECK_52, HIDDEN, Card
from nousu.engine.errors import BadRecord, IllegalAction
from nousu.engine.game import Game, Hand, View
from nousu.engine.match import Match, shuffled
from nousu.engine.options import options
from nousu.engine.record import Record, read, write
from nousu.engine.seats import CHANCE, DIRECTOR, Seat


class Chance(Protocol):
    """The part of `random.Random` the kit uses."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle `x` in place."""

    def choice(self, seq: Sequence[Any], /) -> Any:
        """One element, each as likely."""

    def random(self) -> float:
        """A number from 0 up to 1."""
        ...


class LawBroken(AssertionError):
    """A game broke a law of the kit."""

    def __init__(self, law: str, message: str) -> None:
        self.law = law
        super().__init__(f"{law}: {message}")


def _hold(law: str, kept: bool, message: str) -> None:
    if not kept:
        raise LawBroken(law, message)


def swap_cards(action: Action, swap: dict[Card, Card]) -> Action:
    """The action with its cards exchanged according to `swap`."""

    def cards(listed: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(swap.get(card, card) for card in listed)

    match action:
        case Deal(hands, stock):
            return Deal(tuple(cards(hand) for hand in hands), cards(stock))
        case Seal(Card() as card):
            return Seal(swap.get(card, card))
        case Play(card):
            return Play(swap.get(card, card))
        case Show(shown):
            return Show(cards(shown))
        case Give(given, to):
            return Give(cards(given), to)
    return action


def known_cards(view: View) -> set[Card]:
    """The cards whose place a viewer has seen at any time in this hand."""
    known = set(view.cards)
    for _, action in view.heard:
        match action:
            case Deal(hands, stock):
                known.update(card for hand in (*hands, stock) for card in hand)
            case Show(cards) | Give(cards, _):
                known.update(cards)
            case Play(card) | Seal(Card() as card):
                known.add(card)
    return {card for card in known if card >= 0}


def replay_in_world(hand: Hand, start: Callable[[], Hand], swap: dict[Card, Card]) -> Hand | None:
    """Replay the history in another world; None if it could not have happened there."""
    other = start()
    for seat, action in hand.log:
        try:
            other = other.apply(seat, swap_cards(action, swap))
        except IllegalAction:
            return None
    return other


def other_world(hand: Hand, start: Callable[[], Hand], viewer: Seat | None, rng: Chance) -> Hand | None:
    """A world that `viewer` cannot tell from this one, or None if three random attempts find none.

    The attempts shuffle the cards that the viewer has never seen, exchange two of them, and exchange two of
    one suit (which breaks no rule of following suit). The whole history must be legal again. Whether the hand
    is over is public, so both worlds agree on it: the table may end a hand by a claim.
    """
    known = known_cards(hand.view(viewer))
    unknown = [card for card in _pack(hand) if card not in known]
    if len(unknown) < 2:
        return None
    first = rng.choice(unknown)
    mates = [card for card in unknown if card.suit == first.suit and card != first]
    shuffled_targets = list(unknown)
    rng.shuffle(shuffled_targets)
    pairs = ((first, second) for second in (rng.choice(unknown), rng.choice(mates or unknown)))
    swaps = [dict(zip(unknown, shuffled_targets, strict=True)), *({a: b, b: a} for a, b in pairs)]
    for swap in swaps if rng.random() < 0.5 else swaps[::-1]:
        other = replay_in_world(hand, start, swap)
        if other is not None and (other.result() is None) == (hand.result() is None):
            return other
    return None


def _pack(hand: Hand) -> tuple[Card, ...]:
    for _, action in hand.log:
        if isinstance(action, Deal):
            return tuple(card for cards in (*action.hands, action.stock) for card in cards)
    return ()


def every_owed_seat_has_a_legal_action(hand: Hand, seats: int, rng: Chance) -> None:
    """Every seat that the table waits for can act, and the table waits until there is a result."""
    owed = hand.owed()
    _hold("owed", bool(owed) == (hand.result() is None), f"owed {owed}, result {hand.result()}")
    for seat in owed:
        if seat != CHANCE:
            _hold("owed", bool(hand.legal(seat)), f"seat {seat} owes an action and has none")


def over_means_nobody_may_act(hand: Hand, seats: int, rng: Chance) -> None:
    """After the result nothing is legal; before the deal nobody but chance acts."""
    if hand.result() is not None or hand.owed() == (CHANCE,):
        for seat in range(seats):
            _hold("over", not hand.legal(seat), f"seat {seat} may still act")


def only_legal_actions_apply(hand: Hand, seats: int, rng: Chance) -> None:
    """An illegal action is refused with the legal set, and leaves no trace."""
    if hand.owed() == (CHANCE,):
        return
    seat = rng.choice(range(seats))
    legal = hand.legal(seat)
    wrong: list[Action] = [Play(rng.choice(DECK_52)), Seal(rng.choice(DECK_52)), Give((rng.choice(DECK_52),))]
    for action in wrong:
        if action in legal:
            continue
        try:
            hand.apply(seat, action)
        except IllegalAction as error:
            _hold("refusal", error.legal == legal, "a refusal must carry the legal set")
            _hold("refusal", bool(error.clause), "a refusal must name its clause")
        else:
            raise LawBroken("only legal", f"seat {seat} could {action} though legal is {legal}")


def action_text_round_trips(hand: Hand, seats: int, rng: Chance) -> None:
    """``parse_action(str(a)) == a`` for every legal action, and none is listed twice."""
    for seat in range(seats):
        legal = hand.legal(seat)
        _hold("text", len(set(legal)) == len(legal), f"seat {seat} has an action twice")
        for action in legal:
            try:
                again: Action | None = parse_action(str(action))
            except ValueError:
                again = None
            _hold("text", again == action, f"{action!r} does not round-trip")


def forced_shows_are_single(hand: Hand, seats: int, rng: Chance) -> None:
    """Turning up a sealed card is not a choice: the owed `Show` is the only legal action of its seat."""
    sealed = {seat for seat, action in hand.log if isinstance(action, Seal)}
    for seat in hand.owed():
        legal = hand.legal(seat) if seat >= 0 else ()
        if seat in sealed and any(isinstance(action, Show) for action in legal):
            _hold("forced show", len(legal) == 1, f"seat {seat} has {legal}")


def views_hold_nothing_unheard(hand: Hand, seats: int, rng: Chance) -> None:
    """A view agrees with the hand on owed and legal, and hears exactly what `heard` lets through."""
    for viewer in (*range(seats), None):
        view = hand.view(viewer)
        cut = tuple((by, heard(viewer, action, by)) for by, action in hand.log)
        _hold("view", view.heard == cut, f"seat {viewer} hears another log")
        _hold("view", view.owed == hand.owed(), f"seat {viewer} sees other seats owed")
        legal = () if viewer is None else hand.legal(viewer)
        _hold("view", view.legal == legal, f"seat {viewer} sees another legal set")
        held = 0 if viewer is None or not view.counts else view.counts[viewer]
        _hold("view", len(view.cards) == held, f"seat {viewer} is shown {len(view.cards)} cards, not {held}")
        foreign = set(view.cards) - _reachable(hand, viewer) - {HIDDEN}
        _hold("view", not foreign, f"seat {viewer} is shown {sorted(foreign)}, which it never got")


def only_seats_have_views(hand: Hand, seats: int, rng: Chance) -> None:
    """A seat that does not exist has no view: -1 is chance, not the last seat of a list.

    The director is refused too, or hears what a spectator hears and holds no cards.
    """
    for seat in (CHANCE, seats):
        try:
            hand.view(seat)
        except ValueError:
            continue
        except LookupError:
            pass
        raise LawBroken("view", f"there is no seat {seat}, and it is not refused; call check_viewer first")
    try:
        view = hand.view(DIRECTOR)
    except ValueError:
        return
    _hold("view", not view.cards, f"the director is shown {view.cards}")
    _hold("view", view.heard == hand.view(None).heard, "the director hears more than a spectator")


def worlds_a_seat_cannot_tell_apart_look_the_same(
    hand: Hand, start: Callable[[], Hand], seats: int, rng: Chance
) -> int:
    """The leak law: two worlds equal for a viewer give equal views, legal sets and owed flags.

    Returns:
        The number of pairs of worlds compared.
    """
    compared = 0
    for viewer in (*range(seats), None):
        other = other_world(hand, start, viewer, rng)
        if other is None:
            continue
        compared += 1
        one, two = hand.view(viewer), other.view(viewer)
        if (known := _known(one)) != (other_known := _known(two)):
            raise LawBroken("leak", f"seat {viewer} can tell these worlds apart:\n{known}\n{other_known}")
    return compared


def _known(view: View) -> str:
    """All fields of a view as text; its own `repr` leaves most of them out."""
    return ", ".join(f"{field.name}={getattr(view, field.name)!r}" for field in fields(view))


def _reachable(hand: Hand, viewer: Seat | None) -> set[Card]:
    """The cards that may have come into a seat's hand: dealt, from the stock, or given to it."""
    cards: set[Card] = set()
    for _, action in hand.log:
        match action:
            case Deal(hands, stock) if viewer is not None:
                cards.update(hands[viewer], stock)
            case Give(given, to) if to is not None and to == viewer:
                cards.update(given)
    return cards


def sealed_answers_commute(hand: Hand, seats: int, rng: Chance) -> None:
    """Check that the order of simultaneous answers leaves no trace but the log."""
    owed = [seat for seat in hand.owed() if seat != CHANCE]
    if len(owed) < 2:
        return
    first, second = owed[0], owed[-1]
    one, two = rng.choice(hand.legal(first)), rng.choice(hand.legal(second))
    if not isinstance(one, Seal) or not isinstance(two, Seal):
        return
    here = hand.apply(first, one).apply(second, two)
    there = hand.apply(second, two).apply(first, one)
    for seat in range(seats):
        _hold("commute", here.legal(seat) == there.legal(seat), f"seat {seat} acts otherwise")
        a, b = here.view(seat), there.view(seat)
        _hold("commute", a.question == b.question and a.facts == b.facts, f"seat {seat}")


STEP_LAWS: tuple[Callable[[Hand, int, Chance], None], ...] = (
    every_owed_seat_has_a_legal_action,
    over_means_nobody_may_act,
    only_legal_actions_apply,
    action_text_round_trips,
    forced_shows_are_single,
    views_hold_nothing_unheard,
    only_seats_have_views,
    sealed_answers_commute,
)


def every_rule_field_is_documented(game: Game) -> None:
    """Each option names its clause, says what it does and has its default among its values."""
    for item in options(game.rules):
        _hold("rules", bool(item.clauses and item.doc and item.group), f"{item.name} undocumented")
        _hold("rules", item.accepts(item.default), f"{item.name}: default not allowed")
    for name, rules in game.presets.items():
        text = game.name_of(rules, name)
        _hold("rules", game.rules_named(text) == rules, f"{text} does not round-trip")


def random_actor(hand: Hand, seats: int, rng: Chance) -> tuple[Seat, Action]:
    """A seat that may act and one of its legal actions; now and then an interrupt."""
    owed = hand.owed()
    if owed == (CHANCE,):
        booked = hand.legal(DIRECTOR)
        if booked and rng.random() < 0.1:
            return DIRECTOR, rng.choice(booked)
        return CHANCE, shuffled(hand.dealing(), rng)
    seat = rng.choice(owed)
    if rng.random() < 0.1:
        free = [other for other in (*range(seats), DIRECTOR) if other not in owed and hand.legal(other)]
        if free:
            seat = rng.choice(free)
    return seat, rng.choice(hand.legal(seat))


def random_match(
    game: Game, rules: Any, seats: int, rng: Chance, hands: int = 10_000
) -> Iterator[tuple[Match, Hand]]:
    """A random match, step by step: (the match, the hand after the step — finished hands too)."""
    match = Match.start(game, rules, seats, rng.choice(range(seats)))
    yield match, match.hand
    while match.winner is None and len(match.played) < hands:
        finished = len(match.played)
        seat, action = random_actor(match.hand, seats, rng)
        match = match.apply(seat, action)
        yield match, match.played[-1].hand if len(match.played) > finished else match.hand


def check(game: Game, rules: Any, seats: int, rng: Chance, hands: int = 5, worlds: float = 0.2) -> int:
    """Play random hands under every law.

    Args:
        game: The game to check.
        rules: One of its rule sets.
        seats: The number of players.
        rng: The source of chance.
        hands: The number of hands.
        worlds: The fraction of steps at which the leak law is tested, 0 to 1.

    Returns:
        The number of pairs of worlds compared by the leak law.

    Raises:
        LawBroken: The first law that does not hold.
    """
    every_rule_field_is_documented(game)
    compared = 0
    match = Match.start(game, rules, seats)
    for match, hand in random_match(game, rules, seats, rng, hands):  # noqa: B007 (the last one is replayed)
        for law in STEP_LAWS:
            law(hand, seats, rng)
        if hand.log and rng.random() < worlds:
            start = partial(game.start, rules, hand.setup)
            compared += worlds_a_seat_cannot_tell_apart_look_the_same(hand, start, seats, rng)
    replay_gives_the_same_match(game, rules, match)
    return compared


def replay_gives_the_same_match(game: Game, rules: Any, match: Match) -> None:
    """Writing and reading the record gives the match back: state is always a replay."""
    text = write(Record(match))
    try:
        again = read(text, lambda _: (game, rules))
    except BadRecord as error:
        raise LawBroken("replay", f"the record cannot be read back: {error}\n{text}") from None
    _hold("replay", again.match == match, f"the record reads back as another match:\n{text}")
    _hold("replay", write(Record(again.match)) == text, "the record is not stable")


def leaves(hand: Hand, depth: int) -> int:
    """Count the ways in which the next `depth` actions can go (perft); no deal may be owed."""
    if depth == 0 or not hand.owed():
        return 1
    seats = hand.setup.seats
    total = 0
    for seat in range(seats):
        for action in hand.legal(seat):
            total += leaves(hand.apply(seat, action), depth - 1)
    return total
