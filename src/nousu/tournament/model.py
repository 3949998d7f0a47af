"""The state of a tournament at one moment: people, numbers, rounds, slips, rulings. Frozen values.

Everything here is computed from the log (`history`); nothing is stored elsewhere.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, Protocol, TypeVar

from nousu.engine.match import Match
from nousu.engine.messages import Note, sentence
from nousu.tournament.form_fields import Field, Form
from nousu.tournament.messages import Address, Refusal, Speech, Todo
from nousu.tournament.people import name_key

Json = Mapping[str, Any]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person or a pair that entered, in the order of entering."""

    id: int
    """The id, from 1 in the order of entering; never given twice."""
    members: tuple[str, ...]
    team: str = ""
    struck: bool = False
    """True if taken off the list before the draw, or joined to a pair."""
    lone: bool = False
    """True for a person who plays in a pair and has no partner yet."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Further columns of the list, by their headings."""

    @property
    def name(self) -> str:
        """The name in lists and on slips."""
        return " & ".join(self.members)


@dataclass(frozen=True, slots=True)
class Round:
    """Round of the plan: a label and its tables of numbers in seat order.

    Labels are 1, 2 … for the plan, C1 … for the cup, S1 … for a play-off (Stechen). A table of one number (of
    a side, where sides meet) sits out.
    """

    label: str
    tables: tuple[tuple[int, ...], ...]

    def names(self) -> tuple[str, ...]:
        """Names of its tables: ``1.1``, ``1.2`` and so on."""
        return tuple(f"{self.label}.{at}" for at in range(1, len(self.tables) + 1))

    def named_tables(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Its tables with their names."""
        return zip(self.names(), self.tables, strict=True)


@dataclass(frozen=True, slots=True)
class SlipChange:
    """A line of the trail of a slip."""

    entry: int
    at: str
    by: str
    what: str
    """The step: printed, seated, entered, repeated, confirmed, accepted, corrected, forfeited, and online or
    paper: the place of play from now on."""
    reason: str = ""
    changes: tuple[Note, ...] = ()
    """Changes of a result: old and new values."""


STATES = ("open", "printed", "entered", "confirmed", "accepted")


@dataclass(frozen=True, slots=True)
class Slip:
    """The slip of one table: its state, its result, and its trail."""

    table: str
    state: str = "open"
    result: "SlipResult | None" = None
    by: str = ""
    """The author of the result that counts."""
    unplayed: bool = False
    """True for a result by a withdrawal alone: nobody sat down, and a new plan may drop the table."""
    device: str = ""
    """The phone that entered the result, by a fingerprint of its session; empty: entered at the desk."""
    repeated: bool = False
    """True if a second person typed the same on that phone too: another device confirms it."""
    begins: bool = False
    """True if printed by an earlier version, for which printed slips began their round."""
    online: Json | None = None
    """The source of a result played at Nousu's tables: ``tables`` (their ids, game by game) and ``stood_in``
    (number, game and hands in which a computer player acted for them)."""
    trail: tuple[SlipChange, ...] = ()

    def __post_init__(self) -> None:
        assert self.state in STATES


@dataclass(frozen=True, slots=True)
class Online:
    """A table of the plan that is played at Nousu's tables, or was until it was taken on paper."""

    key: str
    """The beginning of its tables' ids; the number of the game follows."""
    on: bool = True
    so_far: tuple[str, ...] = ()
    """The words of a slip when the game was taken on paper."""


@dataclass(frozen=True, slots=True)
class TournamentPenalty:
    """A ruling against a person or pair, by rule number."""

    entry: int
    number: int
    rule: str
    table: str = ""
    game: int = 0
    points: int = 0
    """Points taken from (or, above 0, given to) the sum of the tournament; 0 for a penalty point that was
    paid on the die."""
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The round and game from which on a number no longer plays."""

    round: str
    game: int = 1
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Substitute:
    """A person that plays on for another one; the seat keeps its number and its points."""

    entry: int
    round: str
    """The first round that the person plays."""
    member: int
    """The replaced member of the pair (from 0)."""
    name: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A ruling made after publishing that waits for a second person."""

    entry: int
    by: str
    body: Json


@dataclass(frozen=True, slots=True)
class Publication:
    """The result as published, or as published again after a ruling that two people made."""

    entry: int
    at: str
    by: str
    revision: int
    digest: str
    contest: str = ""
    """Local time until which the result can be contested, ``22:15``; empty: none was set."""


APART_WORDS = {
    "must": sentence("they must not meet"),
    "rather": sentence("they should preferably not meet"),
    "free": sentence("they may meet"),
}
APART = tuple(APART_WORDS)
"""The way in which two people are kept apart: they must not meet, rather not, or may again."""

PROJECTOR = "beamer"
"""The role of the projector's link, as logs store it."""
ROLE_NAMES = {
    "direction": sentence("director"),
    "entry": sentence("entering slips"),
    "table": sentence("phones at the tables"),
    PROJECTOR: sentence("the screen on the wall"),
    "read": sentence("reading only"),
}
ROLES = tuple(ROLE_NAMES)
"""Roles of links."""


@dataclass(frozen=True, slots=True)
class Link:
    """The right of a helper or a screen, given by a link: the log keeps only a fingerprint of its secret."""

    entry: int
    role: str
    who: str
    key: str
    """SHA-256 of the secret, in hexadecimal digits."""


Chair = tuple[int, int]
"""A person at a table: the number, and the member of the pair (from 0)."""
Seated = tuple[tuple[Chair, ...], Match]
"""The people at the seats of a match, and the match."""


Called = Literal["series", "round"]


class SlipResult(Protocol):
    """The content of a table's slip: one frozen value for words, form, log and check, however written."""

    @property
    def winner(self) -> int | None:
        """The side (0, 1) that wins a match, -1 where it is drawn; None where a slip holds no match."""
        ...

    def to_json(self) -> Json:
        """The result as the log stores it; `SlipKind.load` reads it back."""
        ...

    def words(self) -> tuple[str, ...]:
        """The result as it is typed; `SlipKind.parse` reads it back. Empty where nothing was played."""
        ...

    def fields(self) -> dict[str, str]:
        """The result as it stands in the form, by names of fields."""
        ...

    def figures(self) -> object:
        """The figures that count: two entries of a slip agree if these are equal."""
        ...


Result = TypeVar("Result", bound=SlipResult)


class SlipKind(Protocol[Result]):
    """The slips of a format: how to write, read, check and print them, and fill them in at Nousu's tables."""

    @property
    def paper(self) -> str:
        """The name of their paper: slips or sheets."""
        ...

    @property
    def has_assistant(self) -> bool:
        """Whether the table assistant can follow the games."""
        ...

    def games_at(self, table: str) -> int:
        """Number of games on the slip of a table."""
        ...

    def lines_at(self, table: str) -> int:
        """Number of hands with a line on the slip of a table; 0: their number is open."""
        ...

    def parse(self, tournament: "Tournament", table: str, words: tuple[str, ...]) -> Result:
        """The result that the words tell. `Refusal` says what is impossible."""
        ...

    def load(self, tournament: "Tournament", table: str, result: Json) -> Result:
        """The result that a log holds."""
        ...

    def check(self, tournament: "Tournament", table: str, result: Result) -> None:
        """Raise `Refusal` if a result is impossible."""
        ...

    def forfeit(self, tournament: "Tournament", table: str, loser: int) -> Result:
        """The result when one side of a table gives up or does not come."""
        ...

    def after_withdrawal(self, tournament: "Tournament", table: str, number: int) -> Result | None:
        """The result of a table that a withdrawal leaves unplayed; None if the others play on."""
        ...

    def describe(self, tournament: "Tournament", table: str, result: Result) -> tuple[Note, ...]:
        """A result in words, with the reasons."""
        ...

    def progress(self, tournament: "Tournament", table: str, words: tuple[str, ...]) -> tuple[Note, ...]:
        """The progress of a game that the words leave open; nothing if they end it, or it is not known."""
        ...

    def form(self, tournament: "Tournament", table: str, typed: Mapping[str, str]) -> Form:
        """The form of a slip, with what has been typed."""
        ...

    def typed_words(self, tournament: "Tournament", table: str, typed: Mapping[str, str]) -> tuple[str, ...]:
        """The text typed into the form, as words. `Refusal` says what is missing or doubled."""
        ...

    def fields(self, tournament: "Tournament", table: str, words: tuple[str, ...]) -> dict[str, str]:
        """The form filled with words of `match_words`, of which there may be too few for a result."""
        ...

    def text_lines(self, tournament: "Tournament", table: str, say: Callable[..., str]) -> list[str]:
        """The lines of a slip for a terminal: the seats, with room for the result."""
        ...

    def pdf(
        self,
        tournament: "Tournament",
        tables: Sequence[str],
        speech: Speech,
        paper: str,
        address: Address | None,
    ) -> bytes:
        """The slips of these tables as a PDF on that paper; `address` gives what the code of a slip holds."""
        ...

    def card_columns(self, say: Callable[..., str]) -> tuple[tuple[str, ...], bool]:
        """The columns of a person's own card for a round, and whether it names partners and opponents."""
        ...

    def table_rules(self, table: str) -> str:
        """The rules by which a table of the plan can be played at Nousu's tables; empty: it cannot."""
        ...

    def chairs(self, tournament: "Tournament", table: str, game: int) -> tuple[Chair, ...]:
        """People at Nousu's table in a game, seat by seat; none if there is nothing to play."""
        ...

    def match_words(
        self, tournament: "Tournament", table: str, games: Mapping[int, Seated]
    ) -> tuple[str, ...]:
        """The words of the slip, game by game or hand by hand, as far as the matches have come."""
        ...

    def seat_points(self, table: str, result: Result) -> Iterator[tuple[int, float]]:
        """Seats or sides (from 0) with their points, game by game: for simulations."""
        ...


class Format(Protocol):
    """The kind of event: pairings, slips, ranking. A frozen value with options."""

    @property
    def name(self) -> str:
        """tuppen, tuppi or drive."""
        ...

    @property
    def title(self) -> str:
        """The common name, as a message."""
        ...

    @property
    def about(self) -> str:
        """One sentence about it, as a message."""
        ...

    @property
    def fields(self) -> tuple[Field, ...]:
        """The options that a page asks for, in this order."""
        ...

    @property
    def texts(self) -> dict[str, str]:
        """The options as the form of `fields` shows them."""
        ...

    @property
    def pairs(self) -> bool:
        """Whether pairs enter (or single people)."""
        ...

    @property
    def preset(self) -> str:
        """The rules the tables play by."""
        ...

    @property
    def slips(self) -> SlipKind[Any]:
        """The rules for writing and checking slips."""
        ...

    @property
    def called(self) -> Called:
        """The name of a round of the plan."""
        ...

    @property
    def everybody_meets(self) -> bool:
        """Whether everybody meets everybody of a pool.

        People cannot be kept apart then, not everybody plays in each round, and a pair that has gone
        forfeits.
        """
        ...

    @property
    def length_option(self) -> str:
        """The option with the number of rounds; empty if the number follows from the entrants."""
        ...

    def to_json(self) -> Json:
        """The options as plain values; `formats.make` reads them back."""
        ...

    def from_texts(self, texts: Mapping[str, str]) -> "Format":
        """The format of this kind in a filled form. `Refusal` names the option that cannot be."""
        ...

    def facts(self, people: int, say: Callable[..., str]) -> list[str]:
        """Consequences of the format for this many people or pairs. `Refusal` if it is impossible."""
        ...

    def check_choice(self, before: "Format | None") -> None:
        """Refuse options that older files may have but that cannot be chosen now.

        `before` are those in force, if there are any: they are not refused.
        """
        ...

    def check_round(self, tournament: "Tournament", played: Round, *, all_sit: bool = True) -> None:
        """Raise `Refusal` if the tables of a round do not fit this format.

        With `all_sit`, everybody who plays needs a seat.
        """
        ...

    def check_table(self, tournament: "Tournament", table: str) -> None:
        """Raise `Refusal` if no slip of a table counts now, because its round no longer stands."""
        ...

    def plan(self, tournament: "Tournament", *, start: str, seed: int, seconds: float) -> tuple[Round, ...]:
        """The rounds that can be planned now, from label `start` on (empty: the first one not begun)."""
        ...

    def with_newcomers(
        self, tables: Sequence[tuple[int, ...]], newcomers: Sequence[int]
    ) -> tuple[tuple[int, ...], ...] | None:
        """The tables of a round with newcomers added, the others unchanged; None where none has room."""
        ...

    def stechen(self, tournament: "Tournament") -> Round:
        """The next round that decides about the cup. `Refusal` if nothing is left to decide."""
        ...

    def void(self, tournament: "Tournament") -> frozenset[str]:
        """The labels of rounds that were planned and decide nothing any more."""
        ...

    def check_change(self, tournament: "Tournament", new: "Format") -> None:
        """Raise `Refusal` if the options of `new`, a format of this kind, cannot be taken now."""
        ...

    def closed(self, tournament: "Tournament") -> Note | None:
        """The reason for a closed list of the event; None while people can join."""
        ...

    def unfinished(self, tournament: "Tournament") -> tuple[Todo, ...]:
        """Steps still to be planned or decided before the end; missing slips not included."""
        ...

    def standings(self, tournament: "Tournament") -> "Standings":
        """The tables of results as far as confirmed slips reach."""
        ...

    def rules(self) -> Mapping[str, Note]:
        """The rule numbers a penalty may name, with their texts."""
        ...


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One line of the standings. `why` explains the rank wherever it is shared or decided by a tie-break."""

    rank: int
    number: int
    """The number; 0 for a team."""
    name: str
    team: str
    cells: tuple[int | str, ...]
    why: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the standings: all, a pool, the cup, the teams."""

    title: Note
    columns: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    key: str = ""
    """The name of this table in a seal, whatever words its title takes later; empty: the title as it is."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The result at this point."""

    sections: tuple[Section, ...]
    notes: tuple[Note, ...] = ()
    cup: tuple[int, ...] = ()
    """The holder of the cup, if several were level and it is settled (several, if they share it)."""

    def core(self) -> list[Any]:
        """Ranks and figures alone, without any words: a publication is sealed with them."""
        core: list[Any] = [
            [
                section.key or section.title.message,
                [[row.rank, row.number, row.name, list(row.cells)] for row in section.rows],
            ]
            for section in self.sections
        ]
        return [*core, ["cup", list(self.cup)]] if self.cup else core


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament at one moment."""

    name: str
    format: Format
    entrants: tuple[Entrant, ...] = ()
    arrived: frozenset[int] = frozenset()
    """Ids of entrants ticked at the door; nothing depends on it."""
    numbers: tuple[int, ...] = ()
    """Number n belongs to the entrant with the id `numbers[n - 1]`; empty before the draw."""
    seed: str = ""
    drawn: tuple[str, ...] = ()
    """The names in the order in which they went into the draw."""
    rounds: Mapping[str, Round] = field(default_factory=dict)
    by_cards: bool = False
    """True if the numbers were drawn with cards and typed in; `seed` is only for lots."""
    plan_seed: int = 0
    """The seed of the search that made the plan in force."""
    apart: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Pairs kept apart, by ids (lower first): must or rather."""
    apart_teams: str = ""
    """Whether all of one team are kept apart: must, rather or not (empty)."""
    links: Mapping[int, Link] = field(default_factory=dict)
    """The links in force, by the entry that made them."""
    plan: int = 0
    """The number of the plan in force; every change of a plan gets the next one."""
    plans: Mapping[str, int] = field(default_factory=dict)
    """The plan that seated each table. Slips of an earlier plan are void."""
    earlier: Mapping[str, Format] = field(default_factory=dict)
    """Rounds that began under other options, with the format they are played by."""
    slips: Mapping[str, Slip] = field(default_factory=dict)
    penalties: tuple[TournamentPenalty, ...] = ()
    withdrawals: Mapping[int, Withdrawal] = field(default_factory=dict)
    substitutes: Mapping[int, tuple[Substitute, ...]] = field(default_factory=dict)
    """The people that took over a seat, one after the other, by number."""
    picked: Mapping[int, int] = field(default_factory=dict)
    """Numbers drawn at the door so far: id → number. Nothing depends on them before all are put in force."""
    paid: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Payments by id: the time, and the person who noted it. Nothing depends on them."""
    prizes: tuple[tuple[str, str], ...] = ()
    """Groups with a ranking of their own: a column of the list and the value in it."""
    clocks: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """Times at which the clock was started on a side that had not come: (table, number) → time."""
    online: Mapping[str, Online] = field(default_factory=dict)
    """The tables of the plan that are, or were, played at Nousu's tables."""
    seated: Mapping[str, str] = field(default_factory=dict)
    """Times at which people first sat down at Nousu's table: table → time."""
    cards_out: frozenset[str] = frozenset()
    """The rounds whose cards are out, as the director said; a round whose tables change has not begun."""
    starts: Mapping[str, str] = field(default_factory=dict)
    """Announced beginnings of rounds: label → local time, ``19:45``."""
    programme: tuple[tuple[str, str], ...] = ()
    """Programme of the evening: local times and texts."""
    renewed: Mapping[Chair, int] = field(default_factory=dict)
    """Number of new personal links: (id of the entrant, member) → count."""
    proposals: Mapping[int, Proposal] = field(default_factory=dict)
    publications: tuple[Publication, ...] = ()

    @property
    def frozen(self) -> bool:
        """Whether the result is published: from then on every change needs two people."""
        return bool(self.publications)

    def active(self) -> tuple[Entrant, ...]:
        """Entrants on the list, in the order of entering."""
        return tuple(entrant for entrant in self.entrants if not entrant.struck and not entrant.lone)

    def lone(self) -> tuple[Entrant, ...]:
        """People who wait for a partner, in the order of entering."""
        return tuple(entrant for entrant in self.entrants if entrant.lone and not entrant.struck)

    def absent(self) -> tuple[Entrant, ...]:
        """Entrants who have not arrived; none as long as nobody is ticked at the door."""
        people = (*self.active(), *self.lone())
        return tuple(person for person in people if person.id not in self.arrived) if self.arrived else ()

    def kept_apart(self) -> dict[tuple[int, int], str]:
        """The numbers (lower first) that are kept apart: must or rather."""
        if not (self.apart or self.apart_teams):
            return {}
        ids = list(self.numbers) or [entrant.id for entrant in self.active()]
        pairs: dict[tuple[int, int], str] = {}
        for (i, a), (j, b) in combinations(enumerate(ids, 1), 2):
            how = self.apart.get((min(a, b), max(a, b)), "")
            team = name_key(self.entrants[a - 1].team)
            if not how and team and team == name_key(self.entrants[b - 1].team):
                how = self.apart_teams
            if how:
                pairs[i, j] = how
        return pairs

    def playing(self, label: str = "") -> tuple[int, ...]:
        """The numbers that have not withdrawn before a round (or at all)."""
        count = len(self.numbers) or len(self.active())
        return tuple(n for n in range(1, count + 1) if not self.has_withdrawn(n, label))

    def has_withdrawn(self, number: int, label: str = "", game: int = 1) -> bool:
        """Whether a number has withdrawn before that game of that round (before any, if no label)."""
        left = self.withdrawals.get(number)
        if left is None:
            return False
        return not label or (order(left.round), left.game) <= (order(label), game)

    def entrant(self, number: int) -> Entrant:
        """The entrant with that number. `Refusal` if there is none."""
        if not 1 <= number <= (len(self.numbers) or len(self.active())):
            raise Refusal("there is no number {number}", values={"number": number}, where="player")
        if self.numbers:
            return self.entrants[self.numbers[number - 1] - 1]
        return self.active()[number - 1]

    def members(self, number: int) -> tuple[str, ...]:
        """The person or pair that has a seat now."""
        members = list(self.entrant(number).members)
        for substitute in self.substitutes.get(number, ()):
            members[substitute.member] = substitute.name
        return tuple(members)

    def who(self, number: int) -> str:
        """Name of the person or pair that has a seat now."""
        return " & ".join(self.members(number))

    def holders(self, number: int) -> str:
        """Name of the person or pair that entered, each followed by those who took over: ``Ada → Dag``."""
        chains = [[name] for name in self.entrant(number).members]
        for substitute in self.substitutes.get(number, ()):
            chains[substitute.member].append(substitute.name)
        return " & ".join(map(" → ".join, chains))

    def at_round(self, label: str) -> "Tournament":
        """The tournament with the people that sat there in a round (or in the round of a table)."""
        return _with_substitutes(self, lambda one: order(one.round) <= order(round_of(label)))

    def before_entry(self, entry: int) -> "Tournament":
        """The tournament with the people that sat there before an entry of the log."""
        return _with_substitutes(self, lambda one: one.entry < entry)

    def tables(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Tables that play, in the order of the plan."""
        for played in self.rounds.values():
            for key, seats in played.named_tables():
                if len(seats) > 1:
                    yield key, seats

    def seats(self, table: str) -> tuple[int, ...]:
        """The numbers at a table in seat order. `Refusal` if the plan has no such table."""
        label, _, at = table.partition(".")
        played = self.rounds.get(label)
        if played is None or table not in played.names():
            planned = ", ".join(self.rounds) or "-"
            raise Refusal(
                "there is no table {table}; write round.table, for example 1.3 (rounds planned: {planned})",
                values={"table": table, "planned": planned},
                where="table",
            )
        seats = played.tables[int(at) - 1]
        if not seats:
            raise Refusal("nobody sits at table {table}", values={"table": table}, where="table")
        if len(seats) < 2:
            raise Refusal(
                "{name} sits out in round {round}", values={"name": self.who(seats[0]), "round": label}
            )
        return seats

    def check_everybody_sits(self, played: Round) -> None:
        """Raise a `Refusal` that names a person who plays in that round and has no seat there."""
        seated = {number for table in played.tables for number in table}
        for number in self.playing(played.label):
            if number not in seated:
                raise Refusal(
                    "{name} has no seat in round {round}",
                    values={"name": self.who(number), "round": played.label},
                )

    def slip(self, table: str) -> Slip:
        """The slip of a table, open if nothing happened to it yet."""
        return self.slips.get(table, Slip(table))

    def is_online(self, table: str) -> bool:
        """Whether a table is played at Nousu's tables, and its slip is to come from there."""
        online = self.online.get(table)
        return online is not None and online.on and self.slip(table).result is None

    def counted_results(self) -> Iterator[tuple[str, tuple[int, ...], SlipResult]]:
        """Tables whose result counts: confirmed by a second person."""
        for key, seats in self.tables():
            slip = self.slip(key)
            if slip.result is not None and slip.state in ("confirmed", "accepted"):
                yield key, seats, slip.result

    def kind(self, label: str) -> Format:
        """The format a round (or the round of a table) is played by."""
        return self.earlier.get(round_of(label), self.format)

    def due(self) -> Iterator[str]:
        """The tables whose slips are needed: all that play but those of void rounds."""
        void = self.format.void(self)
        for key, _ in self.tables():
            if round_of(key) not in void:
                yield key

    def waiting(self, state: str) -> tuple[str, ...]:
        """The tables whose slip is in that state."""
        return tuple(key for key in self.due() if self.slip(key).state == state)

    def next_round(self) -> str:
        """The label of the first round of the plan that has not begun."""
        begun = [order(label)[1] for label in self.rounds if label[0].isdigit() and self.has_begun(label)]
        return str(max(begun, default=0) + 1)

    def missing(self) -> tuple[str, ...]:
        """The tables without an entered slip."""
        return tuple(key for key in self.due() if self.slip(key).state in ("open", "printed"))

    def rounds_with_results(self) -> frozenset[str]:
        """The labels of rounds of which a result is entered, withdrawals apart."""
        played = (key for key, slip in self.slips.items() if slip.result is not None and not slip.unplayed)
        return frozenset(round_of(key) for key in played)

    def has_begun(self, label: str) -> bool:
        """Whether a round has begun.

        It, or one after it, has a result, a running clock or people at Nousu's table, or its cards are out.
        Slips printed by an earlier version begin a round too, once every round before it has begun.
        """
        labels = sorted(self.rounds, key=order)
        busy = set(self.rounds_with_results() | self.cards_out)
        busy |= {round_of(key) for key, _ in self.clocks}
        busy |= {round_of(key) for key in self.seated}
        last = max((at for at, label in enumerate(labels) if label in busy), default=-1)
        if last + 1 < len(labels):
            slips = map(self.slip, self.rounds[labels[last + 1]].names())
            last += any(slip.state == "printed" and slip.begins for slip in slips)
        return last >= 0 and order(label) <= order(labels[last])

    def round_to_find(self) -> str:
        """The label of the round for which people look for their tables: no result of it is entered.

        The last round once it has one too; empty without a plan.
        """
        void, results = self.format.void(self), self.rounds_with_results()
        labels = [label for label in sorted(self.rounds, key=order) if label not in void]
        played = max((at for at, label in enumerate(labels) if label in results), default=-1)
        return labels[min(played + 1, len(labels) - 1)] if labels else ""

    def current_round(self) -> str:
        """The label of the round that is played now, or is next before the first card; empty without a plan.

        The last round begun or, once all its slips are entered, the round that follows.
        """
        begun = [label for label in self.rounds if self.has_begun(label)]
        missing = any(round_of(key) in begun for key in self.missing())
        return begun[-1] if missing else self.round_to_find()

    def unseated(self) -> tuple[int, ...]:
        """Numbers that play but are in no round of the existing plan (late arrivals)."""
        if not self.rounds:
            return ()
        seated = {number for played in self.rounds.values() for table in played.tables for number in table}
        return tuple(number for number in self.playing() if number not in seated)

    def person(self, text: str) -> Entrant:
        """The person that `text` means: a lone player by name, or anybody as `find` does."""
        alone = [person for person in self.lone() if name_key(person.name) == name_key(text)]
        return alone[0] if alone else self.entrant(self.find(text))

    def find(self, text: str) -> int:
        """The number that `text` means: a number, a name or the only name that begins like that.

        `Refusal` if nobody or more than one is meant.
        """
        text = text.strip()
        if text.lstrip("#").isdecimal() and len(text) < 20:
            number = int(text.lstrip("#"))
            if self.numbers and 1 <= number <= len(self.numbers):
                return number
            raise Refusal(
                sentence("there is no number {number}")
                if self.numbers
                else sentence("the numbers have not been drawn yet; give the name"),
                values={"number": number},
                where="player",
            )
        key = name_key(text)
        count = len(self.numbers) or len(self.active())
        people = [(n, self.entrant(n)) for n in range(1, count + 1)]
        names = {n: {name_key(person.name), *map(name_key, person.members)} for n, person in people}
        for n, chain in self.substitutes.items():
            names[n] |= {name_key(self.who(n)), *(name_key(substitute.name) for substitute in chain)}
        exact = [n for n in names if key in names[n]]
        numbers = exact or [n for n in names if any(name.startswith(key) for name in names[n])]
        if len(numbers) == 1:
            return numbers[0]
        if numbers:
            listed = ", ".join(self.who(n) for n in numbers)
            raise Refusal(
                "{text} may be {names}; write more of the name",
                values={"text": text, "names": listed},
                where="player",
            )
        raise Refusal("there is no player {text}", values={"text": text}, where="player")


def _with_substitutes(tournament: Tournament, keep: Callable[[Substitute], bool]) -> Tournament:
    """The tournament with only some of its substitutes."""
    if not tournament.substitutes:
        return tournament
    kept = {number: tuple(filter(keep, chain)) for number, chain in tournament.substitutes.items()}
    return replace(tournament, substitutes=kept)


def order(label: str) -> tuple[int, int]:
    """The place of a round in time: the plan, then the cup, then the Stechen.

    `Refusal` if it is not a round.
    """
    stage = {"C": 1, "S": 2}.get(label[:1], 0)
    number = label[1:] if stage else label
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Refusal(
            "{round} is not a round; write 1, 2 …, C1 … or S1 …", values={"round": label}, where="round"
        )
    return stage, int(number)


def round_of(table: str) -> str:
    """The label of the round of a table: ``C1`` for ``C1.3``. A label is returned as it is."""
    return table.partition(".")[0]


_TABLE = re.compile(r"\s*([CcSs]?\d{1,3})\s*[.,:-]\s*(\d{1,3})\s*(?:/\s*(\d{1,4}))?\s*")


def table_named(text: str) -> tuple[str, int | None]:
    """Table that ``1.4``, ``1,4``, ``1-4`` or ``1.4/3`` means, and the number of the plan (None: not given).

    Slips carry the number of their plan. Other texts are returned as they are; `Tournament.seats`
    refuses them.
    """
    parts = _TABLE.fullmatch(text)
    if parts is None:
        return text, None
    label, at, plan = parts.groups()
    return f"{label.upper()}.{int(at)}", int(plan) if plan else None
