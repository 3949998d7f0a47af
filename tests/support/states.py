"""The rare moments of every game, each as a table in a database that a browser can open and look at.

`STATES` names the moments; `reach` plays at random from the state's seed until some seat is in it. All seats
are persons, so the page stays as it is while it is open.
"""

import asyncio
import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from nousu.engine.actions import Call, Play
from nousu.engine.cards import card_set
from nousu.engine.game import View
from nousu.games import huutopussi
from nousu.games.tuppen import is_true_claim
from nousu.players import DEFAULT_BUDGET, find_player
from nousu.review import HandReview, codec
from nousu.review.model import ChoiceCost
from nousu.server.storage.people import ReviewRow
from nousu.server.storage.store import SessionRow, Store, TableRow, database_url
from nousu.server.table.events import to_row
from nousu.server.table.table import Table
from nousu.server.table.view import SeatView
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

NAMES = ("Sanni", "Väinö", "Maximiliane Wintersteller", "Bo", "Kerttu", "Ásgerður", "Onni", "Wilhelmiina")
"""Short and long ones, as people have them."""


@dataclass(frozen=True, kw_only=True)
class State:
    """A moment at a table."""

    rules: str
    when: Callable[[SeatView], bool]
    seats: int = 4
    seed: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    shy: tuple[str, ...] = ()
    """Words that are said one time in eight only, so that the hand goes on."""
    eager: tuple[str, ...] = ()
    """Words that are said whenever they may be."""
    sensible: bool = False
    """True if all others play as the computer player ``rules`` does."""


def _facts(view: View, **wanted: object) -> bool:
    return all(view.facts.plain().get(name) == value for name, value in wanted.items())


def _mine(seen: SeatView) -> bool:
    return seen.seat in seen.view.owed and not seen.resting


def asked(phase: str, **facts: object) -> Callable[[SeatView], bool]:
    """A condition: the viewer is asked in that phase."""
    return lambda seen: _mine(seen) and _facts(seen.view, phase=phase, **facts)


def says(start: str) -> Callable[[SeatView], bool]:
    """A condition: the viewer, who is asked, may say a word that starts so."""
    return lambda seen: (
        _mine(seen)
        and any(isinstance(action, Call) and action.word.startswith(start) for action in seen.view.legal)
    )


def both(*parts: Callable[[SeatView], bool]) -> Callable[[SeatView], bool]:
    """A condition that holds if all of these do."""
    return lambda seen: all(part(seen) for part in parts)


def resting(seen: SeatView) -> bool:
    """A condition: the viewer looks at a finished hand."""
    return seen.waiting and not seen.over


def over(seen: SeatView) -> bool:
    """A condition: the match is over."""
    return seen.over


def _fact(test: Callable[[View], bool]) -> Callable[[SeatView], bool]:
    return lambda seen: test(seen.view)


def _playing(seen: SeatView) -> bool:
    return _mine(seen) and any(isinstance(action, Play) for action in seen.view.legal)


def _late(tricks: int) -> Callable[[SeatView], bool]:
    return lambda seen: len(seen.view.tricks) >= tricks and _playing(seen)


_QUIET = ("leave", "give", "show", "challenge", "raise")
_ZK = "tuppen_zk"

STATES: dict[str, State] = {
    # whist
    "bid": State(rules="tuppi", when=asked("bid")),
    "bid cards": State(
        rules="norwegian_catsatcards+bid_mode=bid_card+single_colour_hand=verbal", when=asked("bid")
    ),
    "bid word": State(
        rules="tuppi+bid_ranks=3-10",
        seed=6,
        when=both(
            asked("bid"), _fact(lambda v: any(isinstance(getattr(a, "bid", None), str) for a in v.legal))
        ),
    ),
    "expose": State(rules="tuppi", when=_fact(lambda v: v.facts.phase == "expose")),
    "sooli": State(rules="tuppi", when=asked("sooli"), seed=1),
    "sooli, lay aside": State(rules="tuppi", when=asked("discard"), seed=2),
    "sooli, give": State(rules="tuppi", when=asked("give"), seed=2),
    "sooli, return": State(
        rules="tuppi_catsatcards+sooli_exchange=receive_then_return", when=asked("return"), seed=2
    ),
    "sooli, play": State(rules="tuppi", when=both(_late(2), _fact(lambda v: v.facts.kind == "sooli"))),
    "sooli, sitting out": State(
        rules="tuppi",
        when=both(
            lambda seen: not seen.resting,
            _fact(lambda v: v.facts.out == v.seat is not None and len(v.trick) == 2),
        ),
        seed=2,
    ),
    "spoken": State(rules="norwegian_parlett", when=asked("auction")),
    "may end": State(rules="tuppi+early_end=offer", seed=4, when=both(_playing, says("end"))),
    "play, late": State(rules="tuppi", when=_late(6)),
    "whist result": State(rules="tuppi", when=resting),
    "whist result, three mistakes": State(rules="tuppi", when=resting, seed=5),
    "whist result, sooli": State(
        rules="tuppi",
        when=lambda seen: resting(seen) and seen.match.played[-1].result.outcome.kind == "sooli",
        seed=2,
    ),
    "whist over": State(rules="minnesota+target=3", when=over),
    "tuppi over": State(rules="tuppi", when=over),
    # huutopussi
    "auction": State(rules="huutopussi", when=asked("auction")),
    "auction, may pass": State(rules="huutopussi", when=says("pass")),
    "redeal demand": State(
        rules="huutopussi", when=both(asked("auction"), says("redeal")), seed=5, shy=("redeal",)
    ),
    "give three": State(rules="huutopussi", when=asked("give"), shy=("redeal",)),
    "return four": State(rules="huutopussi+exchange_cards=4", when=asked("return"), shy=("redeal",)),
    "contract": State(rules="huutopussi", when=asked("contract"), shy=("redeal",)),
    "declare": State(rules="huutopussi", when=both(says("marriage"), _late(1)), sensible=True),
    "ask half": State(rules="huutopussi", when=both(says("ask half"), _late(1)), shy=("redeal",)),
    "answer": State(rules="huutopussi", when=asked("answer"), shy=("redeal",)),
    "answer half": State(
        rules="huutopussi",
        when=both(asked("answer"), _fact(lambda v: huutopussi.Facts.of(v.facts).asked is not None)),
        shy=("redeal",),
    ),
    "trump history": State(
        rules="huutopussi",
        seed=5,
        when=both(_late(3), _fact(lambda v: len(huutopussi.Facts.of(v.facts).marriages) > 1)),
        shy=("redeal",),
        eager=("marriage", "ask", "yes"),
        sensible=True,
    ),
    "huutopussi result": State(
        rules="huutopussi",
        when=lambda seen: resting(seen) and not seen.match.played[-1].result.void,
        shy=("redeal",),
    ),
    "both over": State(
        rules="huutopussi+target=150",
        seed=5,
        when=lambda seen: over(seen) and min(seen.match.tally.score()) >= 150,
        sensible=True,
    ),
    "huutopussi over": State(rules="huutopussi+target=300", when=over, shy=("redeal",), sensible=True),
    # tuppen
    "pictures": State(rules=_ZK, when=asked("pictures")),
    "packets, doubting": State(
        rules=_ZK,
        when=lambda seen: (
            any(str(action).startswith("challenge") for action in seen.view.legal)
            and len(seen.view.facts.packets) > 1
            and seen.view.facts.phase == "pictures"
        ),
    ),
    "packets, stock out": State(
        rules=_ZK,
        seed=1,
        when=lambda seen: (
            seen.view.facts.phase in ("pictures", "play")
            and seen.view.facts.stock < 4
            and len(seen.view.facts.packets) > 2
        ),
    ),
    "packet open": State(
        rules=_ZK,
        when=both(
            _playing,
            _fact(lambda v: any(p.open for p in v.facts.packets)),
        ),
        shy=("leave", "raise"),
    ),
    "raise asked": State(rules=_ZK, when=asked("raise"), shy=("give", "show", "challenge")),
    "poor question": State(rules=_ZK, seed=1, when=asked("poor"), shy=_QUIET),
    "poor men": State(
        rules=_ZK, seed=7, when=both(_playing, _fact(lambda v: v.facts.kind == "poor")), shy=_QUIET
    ),
    "play-off": State(
        rules=_ZK,
        seed=2,
        when=both(_playing, _fact(lambda v: v.facts.kind == "dead")),
        shy=("give", "show", "challenge"),
    ),
    "away": State(
        rules=_ZK,
        when=both(_late(1), _fact(lambda v: 2 <= len(v.facts.in_hand) < len(v.facts.group))),
        shy=("give", "show", "challenge"),
    ),
    "raise window": State(
        rules=_ZK,
        when=lambda seen: bool(seen.window) and len(seen.view.tricks) == 1,
        shy=_QUIET,
        options={"window": "60"},
    ),
    "out": State(
        rules=_ZK,
        when=both(
            lambda seen: not seen.resting,
            _fact(lambda v: v.seat not in v.facts.alive and v.facts.phase == "play" and len(v.tricks) == 2),
        ),
        shy=("give", "show", "challenge"),
    ),
    "blind": State(rules="siebenschraem", when=asked("blind")),
    "blind raise": State(rules="siebenschraem", when=asked("raise")),
    "eight cards": State(
        rules="siebenschraem",
        seats=2,
        when=both(_late(5)),
    ),
    "raise in answer": State(
        rules="toepen_netherlands",
        when=both(asked("raise"), _fact(lambda v: Call("raise") in v.legal)),
        shy=("give", "challenge"),
    ),
    "pictures and a seven": State(
        rules="toepen_netherlands",
        when=both(asked("pictures"), _fact(lambda v: is_true_claim(v.rules, card_set(v.cards)))),
        seed=4,
    ),
    "eight-card letter": State(
        rules="eight_card_letter",
        when=both(_late(3), _fact(lambda v: len(v.facts.group) == 3)),
    ),
    "halves over": State(rules="siebenschraem_halves+start_points=1", seats=3, when=over),
    "eight at the table": State(
        rules="toepen",
        seats=8,
        when=both(_late(2)),
        shy=_QUIET,
    ),
    "eight asked": State(
        rules=_ZK,
        seats=8,
        when=both(asked("raise"), lambda s: len(s.view.facts.in_hand) < 8),
        shy=("give", "show", "challenge"),
    ),
    "eight packets": State(
        rules=_ZK,
        seats=7,
        when=lambda s: len(s.view.facts.packets) > 0 and _playing(s),
        shy=("challenge", "raise"),
    ),
    "tuppen result": State(rules=_ZK, when=resting, shy=_QUIET),
    "tuppen over": State(rules=_ZK + "+start_points=2", seats=8, when=over, shy=_QUIET),
}


def token(person: int) -> str:
    """The cookie of the person of that number."""
    return f"somebody-{person:013}"


def session(person: int) -> str:
    """The session of the person of that number."""
    return hashlib.sha256(token(person).encode()).hexdigest()


def reach(state: State, steps: int = 4000) -> tuple[Sitting, int]:
    """The table in that state, and the number of the person who sees it."""
    rng = random.Random(state.seed)
    people = {session(number): NAMES[number] for number in range(state.seats)}
    secret = state.seed.to_bytes(32, "big")
    sitting = Sitting(state.rules, state.seats, 0, state.options, secret, people)
    for _ in range(steps):
        for person, key in enumerate(people):
            if sitting.table.match is not None and state.when(view_of(sitting.table, key, sitting.now, "en")):
                return sitting, person
        if sitting.table.over:
            break
        step(sitting, rng, state)
    raise AssertionError(f"{state} is not reached")


def step(sitting: Sitting, rng: random.Random, state: State) -> None:
    table, shy = sitting.table, state.shy
    unasked = [seat for seat in table.seats.persons() if seat not in table.ready]
    if table.between_hands and unasked:
        sitting.does(unasked[0], "next")
    elif not sitting.self_done():
        hand = sitting.match.hand
        free = [seat for seat in range(len(table.seats)) if hand.legal(seat) and seat not in hand.owed()]
        seats = list(hand.owed()) if not free or rng.random() < 0.8 else free
        seat = rng.choice([seat for seat in seats if seat >= 0])
        legal = hand.legal(seat)
        legal = tuple(action for action in legal if str(action).startswith(state.eager)) or legal
        bold = [action for action in legal if not str(action).startswith(shy)] if shy else legal
        if (bold or seat not in hand.owed()) and rng.random() < 0.875:
            legal = tuple(bold)
        if legal and state.sensible and not (state.eager and str(legal[0]).startswith(state.eager)):
            choice = find_player("rules").choose(hand.view(seat), DEFAULT_BUDGET, table.seq)
            legal = (choice.action,)
        if legal:
            sitting.does(seat, rng.choice(legal))


def put(database: Path, name: str, sitting: Sitting, *, theirs: bool = False) -> str:
    """Store the table and its people's sessions; return the table's id. With `theirs` it is on everybody's
    list of tables."""
    (id,) = put_all(database, {name: sitting}, theirs=theirs)
    return id


def review_of_habit(seat: int, costs: Sequence[float]) -> HandReview:
    """The review of a hand of Tuppen in which a seat went along with this many raises at these costs."""
    return HandReview(
        game="tuppen",
        number=1,
        seat=seat,
        points=4.0,
        unit=4.0,
        curve=(),
        judged=(),
        choices=len(costs),
        refined=True,
        weighed=tuple(ChoiceCost(step, "hold", cost) for step, cost in enumerate(costs)),
    )


def put_review(database: Path, table: str, number: int, review: HandReview) -> None:
    """Store a review of that person's choices in the first hand of a table."""

    async def write() -> None:
        store = await Store.open(database_url(str(database)))
        body = codec.encode(review)
        row = ReviewRow(table, 1, review.seat, True, session(number), codec.VERSION, body, 0.0)
        await store.people.add_review(row)
        await store.close()

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, write()).result()


def put_all(database: Path, sittings: Mapping[str, Sitting], *, theirs: bool = False) -> list[str]:
    """Put many tables at once, like `put`, by their names."""
    ids = ["-".join(name.replace(",", "").split()) for name in sittings]

    async def write() -> None:
        store = await Store.open(database_url(str(database)))
        for id, sitting in zip(ids, sittings.values(), strict=True):
            table: Table = sitting.table
            for number in range(len(table.seats)):
                if await store.session(session(number)) is None:
                    await store.add_session(SessionRow(session(number), NAMES[number], "", bytes(32)))
            options = json.dumps(dict(sitting.options))
            row = TableRow(id, sitting.preset, len(table.seats), options, sitting.secret, table.over)
            await store.add_table(row, [to_row(event, len(table.seats)) for event in sitting.events])
            for number in range(len(table.seats)) if theirs else ():
                await store.people.add_table(session(number), id)
        await store.close()

    with ThreadPoolExecutor(1) as apart:  # Playwright keeps an event loop in the thread of the test
        apart.submit(asyncio.run, write()).result()
    return ids
