"""Events about people: entering, names, single players, numbers, people kept apart, links for helpers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nousu.engine.messages import Note, sentence
from nousu.tournament.draw import draw
from nousu.tournament.events.registry import event, from_to
from nousu.tournament.list_columns import MOST_KEPT
from nousu.tournament.messages import Refusal
from nousu.tournament.model import APART, APART_WORDS, ROLE_NAMES, ROLES, Entrant, Json, Link, Tournament
from nousu.tournament.people import clean, name_key

PAIRS_LABEL = "pairs"
"""The label of the draw that joins lone players to pairs."""


def _with_entrants(state: Tournament, new: Sequence[Entrant]) -> Tournament:
    """The tournament with more entrants; once numbers are drawn, each newcomer gets the next one."""
    if state.numbers and (closed := state.format.closed(state)):
        raise Refusal.of(closed)
    numbers = state.numbers
    if numbers:
        numbers = (*numbers, *(entrant.id for entrant in new if not entrant.lone))
    return replace(state, entrants=(*state.entrants, *new), numbers=numbers)


def _names(event: Json) -> str:
    return ", ".join(" & ".join(person["members"]) for person in event["people"])


@event("entered", lambda event, state: Note("", "entered on the list: {names}", {"names": _names(event)}))
def _enter(state: Tournament, event: Json) -> Tournament:
    """Handle ``entered``, with the fields people = [{members, team, line, columns}].

    Columns are further columns of the list, by their headings; earlier versions lack them.
    """
    return _listed(state, event, 2 if state.format.pairs else 1, lone=False)


@event(
    "lone", lambda event, state: Note("", "entered, looking for a partner: {names}", {"names": _names(event)})
)
def _enter_lone(state: Tournament, event: Json) -> Tournament:
    """Handle ``lone``, with the fields people = [{members, team, line}], one member each."""
    if not state.format.pairs:
        raise Refusal("here everybody plays alone; enter the names as players")
    return _listed(state, event, 1, lone=True)


def _listed(state: Tournament, event: Json, size: int, *, lone: bool) -> Tournament:
    taken = {name_key(name) for entrant in state.entrants if not entrant.struck for name in entrant.members}
    taken |= {name_key(substitute.name) for chain in state.substitutes.values() for substitute in chain}
    new: list[Entrant] = []
    for person in event["people"]:
        members = tuple(clean(name) for name in person["members"])
        if len(members) != size:
            raise Refusal(_wrong_size(size))
        for name in members:
            if name_key(name) in taken:
                raise Refusal(
                    "{name} is already entered",
                    values={"name": name},
                    where=f"line {person['line']}" if person.get("line") else "player",
                )
            taken.add(name_key(name))
        number, team = len(state.entrants) + len(new) + 1, person.get("team", "")
        new.append(Entrant(number, members, team, lone=lone, columns=dict(person.get("columns", {}))))
    return _with_entrants(state, new)


def _wrong_size(size: int) -> str:
    return sentence("a pair has two names") if size == 2 else sentence("a player has one name")


@event(
    "joined",
    lambda event, state: Note("", "joined single players into pairs, seed {seed}", {"seed": event["seed"]}),
)
def _join_pairs(state: Tournament, event: Json) -> Tournament:
    """Handle ``joined``, with the fields seed, names and pairs.

    Names are those of lone players in the order of entering, pairs their ids, two and two.
    """
    people = state.lone()
    if len(people) < 2 or len(people) % 2:
        raise Refusal(
            sentence("{count} single players cannot be joined into pairs; one more or one fewer is needed")
            if people
            else sentence("nobody is waiting for a partner"),
            values={"count": len(people)},
        )
    names = [person.name for person in people]
    drawn = [people[at].id for at in draw(event["seed"], names, PAIRS_LABEL)]
    if [drawn[at : at + 2] for at in range(0, len(drawn), 2)] != [list(pair) for pair in event["pairs"]]:
        raise Refusal("these are not the pairs that the seed gives")
    if names != list(event["names"]):
        raise Refusal("these are not the pairs that the seed gives")
    new: list[Entrant] = []
    for a, b in event["pairs"]:
        first, other = state.entrants[a - 1], state.entrants[b - 1]
        team = first.team if name_key(first.team) == name_key(other.team) else ""
        members, number = (*first.members, *other.members), len(state.entrants) + len(new) + 1
        new.append(Entrant(number, members, team, columns={**other.columns, **first.columns}))
    entrants = tuple(replace(one, struck=True) if one in people else one for one in state.entrants)
    return _with_entrants(replace(state, entrants=entrants), new)


def _renaming(event: Json, entrant: Entrant) -> tuple[Note, ...]:
    new = (" & ".join(event["members"]), event.get("team", entrant.team))
    pairs = zip((entrant.name, entrant.team), new, strict=True)
    return tuple(from_to(before or None, after or None) for before, after in pairs if before != after)


@event(
    "renamed",
    lambda event, state: Note(
        "", "renamed entry no {id} to {name}", {"id": event["id"], "name": " & ".join(event["members"])}
    ),
    after_publishing="two people",
    changes=lambda event, state: _renaming(event, state.entrants[event["id"] - 1]),
)
def _rename(state: Tournament, event: Json) -> Tournament:
    """Handle ``renamed``, with the fields id, members, team."""
    entrant = state.entrants[event["id"] - 1]
    members = tuple(clean(name) for name in event["members"])
    if len(members) != len(entrant.members):
        raise Refusal(_wrong_size(len(entrant.members)))
    for other in state.entrants:
        for name in members:
            if other.id != entrant.id and not other.struck and name_key(name) in map(name_key, other.members):
                raise Refusal("{name} is already entered", values={"name": name}, where="player")
    changed = replace(entrant, members=members, team=event.get("team", entrant.team))
    return _replaced(state, changed)


def _replaced(state: Tournament, one: Entrant) -> Tournament:
    return replace(state, entrants=tuple(one if other.id == one.id else other for other in state.entrants))


@event(
    "struck",
    lambda event, state: Note("", "took {name} off the list", {"name": state.entrants[event["id"] - 1].name}),
)
def _strike(state: Tournament, event: Json) -> Tournament:
    """Handle ``struck``, with the fields id."""
    entrant = state.entrants[event["id"] - 1]
    if (state.numbers or state.rounds) and not entrant.lone:
        raise Refusal(
            "there are already numbers or a plan; {name} can only withdraw",
            values={"name": entrant.name},
            remedy="withdraw",
        )
    return _replaced(state, replace(entrant, struck=True))


def _listed_entrant(state: Tournament, number: int) -> Entrant:
    """Find an entrant on the list by id. `Refusal` if there is none."""
    if not 1 <= number <= len(state.entrants) or state.entrants[number - 1].struck:
        raise Refusal("there is no player {text}", values={"text": str(number)}, where="player")
    return state.entrants[number - 1]


@event(
    "arrived",
    lambda event, state: Note(
        "",
        sentence("ticked at the door: {names}") if event["here"] else sentence("took the tick off: {names}"),
        {"names": ", ".join(state.entrants[number - 1].name for number in event["ids"])},
    ),
)
def _tick(state: Tournament, event: Json) -> Tournament:
    """Handle ``arrived``, with the fields ids, here (whether they have come).

    It notes arrivals at the door, before the draw.
    """
    ids = frozenset(_listed_entrant(state, number).id for number in event["ids"])
    return replace(state, arrived=state.arrived | ids if event["here"] else state.arrived - ids)


@event(
    "paid",
    lambda event, state: Note(
        "",
        sentence("noted as paid: {names}") if event["paid"] else sentence("noted as not paid: {names}"),
        {"names": ", ".join(state.entrants[number - 1].name for number in event["ids"])},
    ),
    after_publishing="allowed",
)
def _mark_paid(state: Tournament, event: Json) -> Tournament:
    """Handle ``paid``, with the fields ids, paid (whether they have paid)."""
    ids = [_listed_entrant(state, number).id for number in event["ids"]]
    rest = {number: mark for number, mark in state.paid.items() if number not in ids}
    marks = {number: (event["at"], event["by"]) for number in ids} if event["paid"] else {}
    return replace(state, paid={**rest, **marks})


@event(
    "noted",
    lambda event, state: Note(
        "",
        "wrote {column} of {name}: {text}",
        {
            "column": event["column"],
            "name": state.entrants[event["id"] - 1].name,
            "text": event["text"] or "–",
        },
    ),
    after_publishing="two people",
    changes=lambda event, state: (
        from_to(state.entrants[event["id"] - 1].columns.get(event["column"]) or None, event["text"] or None),
    ),
)
def _write_column(state: Tournament, event: Json) -> Tournament:
    """Handle ``noted``, with the fields id, column, text: a cell of a further column of the list."""
    entrant, column = _listed_entrant(state, event["id"]), clean(event["column"], "column")
    text = clean(event["text"], "column") if event["text"] else ""
    if entrant.columns.get(column, "") == text:
        raise Refusal("nothing has changed", where="column")
    rest = {name: cell for name, cell in entrant.columns.items() if name != column}
    if text and len(rest) >= MOST_KEPT:
        raise Refusal("a list has at most {most} further columns", values={"most": MOST_KEPT})
    return _replaced(state, replace(entrant, columns={**rest, column: text} if text else rest))


@event(
    "picked",
    lambda event, state: Note(
        "TU-ZK-I2",
        sentence("{name} drew number {number} at the door")
        if event["number"]
        else sentence("took the number of {name} back"),
        {"name": state.entrants[event["id"] - 1].name, "number": event["number"]},
    ),
)
def _pick(state: Tournament, event: Json) -> Tournament:
    """Handle ``picked``, with the fields id, number (0: it is taken back).

    They count once `numbered` puts all of them into force.
    """
    entrant, number = _listed_entrant(state, event["id"]), event["number"]
    if state.numbers:
        raise Refusal("the numbers have already been drawn", clause="TU-ZK-I2")
    last = len(state.active()) + len(state.lone())
    if number and not 1 <= number <= last:
        raise Refusal(
            "{name} cannot have number {number}; there are 1 to {last}",
            values={"name": entrant.name, "number": number, "last": last},
            clause="TU-ZK-I2",
        )
    for other, taken in state.picked.items():
        if number and taken == number and other != entrant.id and not state.entrants[other - 1].struck:
            raise Refusal(
                "{name} and {other} both have number {number}",
                values={"name": state.entrants[other - 1].name, "other": entrant.name, "number": number},
                clause="TU-ZK-I2",
            )
    rest = {other: taken for other, taken in state.picked.items() if other != entrant.id}
    return replace(state, picked={**rest, entrant.id: number} if number else rest)


def _ready_to_draw(state: Tournament) -> tuple[Entrant, ...]:
    """Entrants who get a number. `Refusal` if it is too late or too early for numbers."""
    if any(slip.result is not None for slip in state.slips.values()):
        raise Refusal("slips have already been entered, so the numbers stay as they were drawn")
    if state.withdrawals:
        raise Refusal("somebody has already withdrawn, so the numbers stay as they were drawn")
    if state.lone():
        raise Refusal(
            "{names} have no partner yet; join them into pairs first",
            values={"names": ", ".join(person.name for person in state.lone())},
            remedy="pair",
        )
    people = state.active()
    if len(people) < 2:
        raise Refusal("nobody has been entered yet; a draw needs at least two")
    return people


@event("drawn", lambda event, state: Note("", "drew the numbers, seed {seed}", {"seed": event["seed"]}))
def _draw(state: Tournament, event: Json) -> Tournament:
    """Handle ``drawn``, with the fields seed, names, numbers (ids in the order drawn)."""
    people = _ready_to_draw(state)
    names = tuple(person.name for person in people)
    numbers = tuple(people[at].id for at in draw(event["seed"], names))
    if list(numbers) != list(event["numbers"]) or list(names) != list(event["names"]):
        raise Refusal("this is not the draw that the seed gives", clause="TU-ZK-I2")
    return replace(state, seed=event["seed"], numbers=numbers, drawn=names, by_cards=False)


@event("numbered", lambda event, state: Note("", "entered the numbers drawn with cards"))
def _number(state: Tournament, event: Json) -> Tournament:
    """Handle ``numbered``, with the fields numbers and seed (for lots).

    Numbers are ids in the order of the numbers that people drew by cards.
    """
    people = _ready_to_draw(state)
    numbers = tuple(event["numbers"])
    if sorted(numbers) != sorted(person.id for person in people):
        raise Refusal("everybody on the list needs a number of their own", clause="TU-ZK-I2")
    names = tuple(person.name for person in people)
    return replace(state, seed=event["seed"], numbers=numbers, drawn=names, by_cards=True)


def _describe_apart(event: Json, state: Tournament) -> Note:
    how = Note("", APART_WORDS.get(event["how"], str(event["how"])))
    if event.get("teams"):
        return Note("", "kept members of the same team apart: {how}", {"how": how})
    names = {"name": state.entrants[event["a"] - 1].name, "other": state.entrants[event["b"] - 1].name}
    return Note("", "kept {name} and {other} apart: {how}", {**names, "how": how})


@event("apart", _describe_apart)
def _keep_apart(state: Tournament, event: Json) -> Tournament:
    """Handle ``apart``, with the fields how (must, rather, free), a and b (ids).

    Or, in place of a and b, teams=True for all members of the same team.
    """
    how = event["how"]
    if how not in APART:
        raise Refusal("people are kept apart by must or rather; free lets them meet", where="how")
    if state.format.everybody_meets:
        raise Refusal("in a pool everybody meets everybody; nobody can be kept apart")
    if event.get("teams"):
        return replace(state, apart_teams="" if how == "free" else how)
    a, b = sorted((event["a"], event["b"]))
    if a == b or not 1 <= a <= b <= len(state.entrants):
        raise Refusal("name two people to keep apart", where="player")
    rest = {pair: kept for pair, kept in state.apart.items() if pair != (a, b)}
    return replace(state, apart=rest if how == "free" else {**rest, (a, b): how})


@event(
    "admitted",
    lambda event, state: Note(
        "",
        "gave {name} a link: {role}",
        {"name": event["who"], "role": Note("", ROLE_NAMES.get(event["role"], str(event["role"])))},
    ),
    after_publishing="allowed",
    undoable=False,
)
def _admit(state: Tournament, event: Json) -> Tournament:
    """Handle ``admitted``, with the fields role, who, key, table (for the role table).

    The key is the SHA-256 of the link's secret.
    """
    if event["role"] not in ROLES:
        raise Refusal(
            "there is no role {role}; the roles are {roles}",
            values={"role": str(event["role"]), "roles": ", ".join(ROLES)},
            where="role",
        )
    link = Link(event["n"], event["role"], clean(event["who"], "who"), event["key"])
    if any(other.key == link.key for other in state.links.values()):
        raise Refusal("this link already exists")
    return replace(state, links={**state.links, link.entry: link})


def without_link(links: Mapping[int, Link], entry: int) -> dict[int, Link]:
    """The links in force but that of an entry. `Refusal` if it is none of them."""
    if entry not in links:
        raise Refusal("entry {entry} is not a link in force", values={"entry": entry}, where="entry")
    return {other: link for other, link in links.items() if other != entry}


@event(
    "revoked",
    lambda event, state: Note("", "revoked the link of entry {entry}", {"entry": event["entry"]}),
    after_publishing="allowed",
    undoable=False,
)
def _revoke(state: Tournament, event: Json) -> Tournament:
    """Handle ``revoked``, with the fields entry (of the link)."""
    return replace(state, links=without_link(state.links, event["entry"]))


@event(
    "relinked",
    lambda event, state: Note(
        "",
        "gave {name} a new personal link",
        {"name": state.entrants[event["id"] - 1].members[event["member"]]},
    ),
    after_publishing="allowed",
    undoable=False,
)
def _renew_link(state: Tournament, event: Json) -> Tournament:
    """Handle ``relinked``, with the fields id, member (from 0).

    The former personal link ends.
    """
    id, member = event["id"], event["member"]
    if not (1 <= id <= len(state.entrants) and 0 <= member < len(state.entrants[id - 1].members)):
        raise Refusal("there is no player {text}", values={"text": str(id)}, where="player")
    return replace(state, renewed={**state.renewed, (id, member): state.renewed.get((id, member), 0) + 1})
