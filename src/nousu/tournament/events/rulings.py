"""The director's events: penalties, withdrawals, substitutes, prize groups, publishing."""

from dataclasses import replace
from typing import Any

from nousu.engine.messages import Note, sentence
from nousu.tournament.events.plans import check_time
from nousu.tournament.events.registry import event, from_to
from nousu.tournament.events.slips import change_slip, name_or_number, needs_reason
from nousu.tournament.formats import digest
from nousu.tournament.messages import Refusal
from nousu.tournament.model import (
    Json,
    Publication,
    Substitute,
    Tournament,
    TournamentPenalty,
    Withdrawal,
    order,
    round_of,
)
from nousu.tournament.people import clean, name_key

MOST_GROUPS = 12
"""Greatest number of prize groups of an event."""
RULINGS = frozenset({"I6", "5.1"})
"""Rules under which the direction may change tournament points, with a reason."""


def _changed_points(event: Json, state: Tournament) -> tuple[Note, ...]:
    """The points that rulings give or take, before and after this one."""
    if not event.get("points"):
        return ()
    before = sum(penalty.points for penalty in state.penalties if penalty.number == event["number"])
    values = (before, before + event["points"])
    return (from_to(*(f"{points:+d}".replace("-", "−") if points else 0 for points in values)),)


@event(
    "penalty",
    lambda event, state: Note(
        "",
        "booked {rule} against {name}",
        {"rule": event["rule"], "name": name_or_number(state, event["number"])},
    ),
    needs_numbers=True,
    after_publishing="two people",
    changes=_changed_points,
)
def _penalize(state: Tournament, event: Json) -> Tournament:
    """Handle ``penalty``, with the fields number, rule, table, game, points, reason."""
    number, rule, table = event["number"], event["rule"], event.get("table", "")
    rules = state.format.rules()
    if rule not in rules:
        raise Refusal(
            "{rule} is not a rule a penalty can name here; these are: {rules}",
            values={"rule": rule, "rules": ", ".join(rules)},
            where="rule",
        )
    state.who(number)
    if table and number not in state.seats(table):
        raise Refusal(
            "{name} does not sit at table {table}",
            values={"name": state.who(number), "table": table},
            where="player",
        )
    game = event.get("game", 0)
    if game and (not table or not 1 <= game <= state.kind(table).slips.games_at(table)):
        raise Refusal(
            "there is no game {game} on the slip; name the table and one of its games",
            values={"game": game},
            where="game",
        )
    points = event.get("points", 0)
    if points and rule not in RULINGS:
        raise Refusal(
            "a penalty by {rule} is paid at the table; only a ruling ({rulings}) changes tournament points",
            values={"rule": rule, "rulings": ", ".join(sorted(RULINGS & rules.keys()))},
            clause="TU-ZK-IV1",
            where="points",
        )
    if rule in RULINGS:
        needs_reason(event)
    elif not table:
        raise Refusal("say at which table: round.table", where="table")
    penalty = TournamentPenalty(
        event["n"], number, rule, table, game, points, event.get("reason", ""), event["by"]
    )
    return replace(state, penalties=(*state.penalties, penalty))


@event(
    "withdrawn",
    lambda event, state: Note(
        "",
        sentence("noted that {name} no longer plays from round {round}, game {game} on")
        if event.get("game", 1) > 1
        else sentence("noted that {name} no longer plays from round {round} on"),
        {
            "name": name_or_number(state, event["number"]),
            "round": event["round"],
            "game": event.get("game", 1),
        },
    ),
    needs_numbers=True,
    after_publishing="two people",
    for_play_off=True,
)
def _withdraw(state: Tournament, event: Json) -> Tournament:
    """Handle ``withdrawn``, with the fields number, round, game, reason."""
    number, label = event["number"], event["round"]
    name = state.who(number)
    if number in state.withdrawals:
        raise Refusal("{name} has already withdrawn", values={"name": name}, where="player")
    order(label)
    game = event.get("game", 1)
    if not 1 <= game <= state.kind(label).slips.games_at(f"{label}.1"):
        raise Refusal(
            "there is no game {game} on the slip; name the table and one of its games",
            values={"game": game},
            where="game",
        )
    for key, seats in state.tables():
        at = round_of(key)
        slip = state.slip(key)
        played = number in seats and slip.result is not None and not slip.unplayed
        if played and (order(at) > order(label) or (at == label and game == 1)):
            raise Refusal(
                "{name} has already played at table {table}; name a later round",
                values={"name": name, "table": key},
                where="round",
            )
    left = Withdrawal(label, game, event.get("reason", ""))
    gone = replace(state, withdrawals={**state.withdrawals, number: left})
    for key, seats in state.tables():
        if number not in seats or not gone.has_withdrawn(number, round_of(key), game):
            continue
        if state.slip(key).result is None:
            result = state.kind(key).slips.after_withdrawal(gone, key, number)
            if result is not None:
                changes: dict[str, Any] = {"result": result, "by": event["by"], "unplayed": True}
                gone = change_slip(gone, event, "forfeited", gone.slip(key), state="accepted", **changes)
    return gone


@event(
    "substituted",
    lambda event, state: Note(
        "",
        "noted that {other} takes over the seat of {name} from round {round} on",
        {
            "name": name_or_number(state.before_entry(event["n"]), event["number"]),
            "other": event["name"],
            "round": event["round"],
        },
    ),
    needs_numbers=True,
)
def _substitute(state: Tournament, event: Json) -> Tournament:
    """Handle ``substituted``, with the fields number, member (from 0), round, name, reason.

    The seat keeps its number, its tables and its points; what has been played stays under the old name. The
    personal link of the seat is a new one.
    """
    number, member, label, name = event["number"], event["member"], event["round"], clean(event["name"])
    entrant = state.entrant(number)
    if not 0 <= member < len(entrant.members):
        raise Refusal("there is no player {text}", values={"text": str(number)}, where="player")
    order(label)
    if state.has_withdrawn(number, label):
        raise Refusal("{name} has already withdrawn", values={"name": state.who(number)}, where="player")
    chain = state.substitutes.get(number, ())
    if any(order(earlier.round) > order(label) for earlier in chain):
        raise Refusal("somebody takes over this seat later already; undo that first", where="round")
    for key, seats in state.tables():
        at = round_of(key)
        slip = state.slip(key)
        if number in seats and order(at) >= order(label) and slip.result is not None and not slip.unplayed:
            raise Refusal(
                "{name} has already played at table {table}; name a later round",
                values={"name": state.who(number), "table": key},
                where="round",
            )
    playing = [person for n in state.playing(label) for person in state.members(n)]
    if name_key(name) in map(name_key, (*playing, *(person.name for person in state.lone()))):
        raise Refusal("{name} is already entered", values={"name": name}, where="player")
    chair = (entrant.id, member)
    substitute = Substitute(event["n"], label, member, name)
    return replace(
        state,
        substitutes={**state.substitutes, number: (*chain, substitute)},
        renewed={**state.renewed, chair: state.renewed.get(chair, 0) + 1},
    )


@event(
    "prizes",
    lambda event, state: Note(
        "",
        "set prize groups: {names}",
        {"names": ", ".join(f"{column}: {value}" for column, value in event["groups"]) or "–"},
    ),
)
def _set_prizes(state: Tournament, event: Json) -> Tournament:
    """Handle ``prizes``, with the fields groups = [[column of the list, value] …], which replace others."""
    groups = tuple((clean(column), clean(value)) for column, value in event["groups"])
    if groups and state.format.everybody_meets:
        raise Refusal("prize groups need one ranking of all; this event has pools or a cup")
    if len(groups) > MOST_GROUPS:
        raise Refusal("there are at most {most} prize groups", values={"most": MOST_GROUPS})
    for column, value in groups:
        if all(name_key(entrant.columns.get(column, "")) != name_key(value) for entrant in state.active()):
            raise Refusal(
                "nobody on the list has {value} in the column {column}",
                values={"column": column, "value": value},
                where="option",
            )
    if len(set(groups)) < len(groups):
        raise Refusal("the same prize group is named twice", where="option")
    if groups == state.prizes:
        raise Refusal("these options are already in force", where="option")
    return replace(state, prizes=groups)


@event(
    "published",
    lambda event, state: Note("", "published the result"),
    needs_numbers=True,
    after_publishing="allowed",
    publishes=True,
    undoable=False,
)
def _publish(state: Tournament, event: Json) -> Tournament:
    """Handle ``published``, with the fields digest and contest (the time until which people may object)."""
    if missing := state.missing():
        raise Refusal(
            sentence("{count} slip is missing: {tables}", "{count} slips are missing: {tables}"),
            values={"count": len(missing), "tables": ", ".join(missing)},
            clause="TU-ZK-I5",
        )
    for waiting, message in (
        (
            "entered",
            sentence(
                "{count} slip waits for a second person: {tables}",
                "{count} slips wait for a second person: {tables}",
            ),
        ),
        (
            "confirmed",
            sentence(
                "{count} slip waits to be accepted: {tables}", "{count} slips wait to be accepted: {tables}"
            ),
        ),
    ):
        if tables := state.waiting(waiting):
            raise Refusal(message, values={"count": len(tables), "tables": ", ".join(tables)})
    if open_ends := state.format.unfinished(state):
        raise Refusal.of(open_ends[0].said, remedy=open_ends[0].action)
    if not state.active() or not any(True for _ in state.counted_results()):
        raise Refusal("there is nothing to publish: nobody has played")
    if state.publications and state.publications[-1].digest in (publication_digest(state), event["digest"]):
        raise Refusal("this result is already published; nothing has changed since")
    if event.get("contest"):
        check_time(event["contest"])
    return with_publication(state, event)


def with_publication(state: Tournament, event: Json) -> Tournament:
    """The state with a publication of its standings."""
    before = state.publications[-1].contest if state.publications else ""
    contest = event.get("contest", before)
    revision = len(state.publications) + 1
    publication = Publication(event["n"], event["at"], event["by"], revision, event["digest"], contest)
    return replace(state, publications=(*state.publications, publication))


def publication_digest(state: Tournament) -> str:
    """The digest of the standings of this moment."""
    return digest(state.format.standings(state))
