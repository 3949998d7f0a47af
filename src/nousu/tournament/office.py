"""Tournament office: the actions of a director and helpers in a tournament file, one change at a time.

Commands and pages both use this interface. Every method that changes something takes the name of the person
(`by`), checks the change against the file at that moment, stores it, and returns the tournament after it. A
`Refusal` says what is impossible and what would help. `todo` lists the steps still to do,
`seating.quality` rates a plan.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nousu.engine.messages import sentence
from nousu.ids import new_id
from nousu.tournament.draw import draw
from nousu.tournament.events.people import PAIRS_LABEL
from nousu.tournament.events.slips import void_slip
from nousu.tournament.formats import make
from nousu.tournament.history import after
from nousu.tournament.messages import Refusal
from nousu.tournament.model import (
    PROJECTOR,
    Format,
    Json,
    Link,
    Round,
    SlipResult,
    Tournament,
    order,
    table_named,
)
from nousu.tournament.people import Given, name_key
from nousu.tournament.seating.planner import SECONDS
from nousu.tournament.seating.quality import Figures, figures
from nousu.tournament.tournament_file import EXPORT, Opened, TournamentFile, event_body

__all__ = ["EXPORT", "Office", "Opened", "fingerprint", "holder", "make_format"]


MOST_PEOPLE = 600
"""Greatest number of people or pairs on the list; as many again may have been struck."""
MOST_LINKS = 200
"""Greatest number of links in force."""
MOST_SHOWN = 5
"""Greatest number of links in force of one role that anybody in the hall may see."""
MOST_ROUNDS = 100
"""Greatest number of rounds of a plan."""
SHOWN = ("table", PROJECTOR, "read")
"""The roles whose link anybody in the hall may see."""


class Office(TournamentFile):
    """Actions in one tournament file. Everything is on disk before a method returns."""

    # people

    def enter(self, by: str, people: Iterable[Given], *, lone: bool = False) -> Opened:
        """Put people on the list; `lone` ones wait for a partner to be drawn.

        `Refusal` if nobody is named, or a person who is already on it.
        """
        listed_people = list(people)
        listed = [
            {"members": list(person.members), "team": person.team, "line": person.line}
            | ({"columns": dict(person.columns)} if person.columns else {})
            for person in listed_people
        ]
        if not listed:
            raise Refusal("the list is empty")

        def fields(state: Tournament) -> Json:
            here = len(state.active()) + len(state.lone()) + len(listed)
            if here > MOST_PEOPLE or len(state.entrants) + len(listed) > 2 * MOST_PEOPLE:
                raise Refusal(
                    sentence("the list has at most {most} entry", "the list has at most {most} entries"),
                    values={"most": MOST_PEOPLE},
                )
            return {"people": listed}

        opened = self.act_on(by, "lone" if lone else "entered", fields)
        paid = [person.members[0] for person in listed_people if person.paid]
        if paid:
            ids = [opened.tournament.person(name).id for name in paid]
            opened = self.act(by, "paid", ids=ids, paid=True)
        return opened

    def strike_absent(self, by: str) -> Opened:
        """Strike all who have not arrived off the list."""
        return self.act_each(by, "struck", lambda state: [{"id": person.id} for person in state.absent()])

    def pair_up(self, by: str, seed: str | None = None) -> Opened:
        """Join all single players into pairs, by a seed (a random one, if none is given)."""
        used = _seed(seed)

        def fields(state: Tournament) -> Json:
            people = state.lone()
            names = [person.name for person in people]
            drawn = [people[at].id for at in draw(used, names, PAIRS_LABEL)]
            return {
                "seed": used,
                "names": names,
                "pairs": [drawn[at : at + 2] for at in range(0, len(drawn), 2)],
            }

        return self.act_on(by, "joined", fields)

    def draw(self, by: str, seed: str | None = None) -> Opened:
        """Draw numbers for everybody on the list, by a seed (a random one, if none is given)."""
        used = _seed(seed)

        def fields(state: Tournament) -> Json:
            people = state.active()
            names = [person.name for person in people]
            return {"seed": used, "names": names, "numbers": [people[at].id for at in draw(used, names)]}

        return self.act_on(by, "drawn", fields)

    def number(self, by: str, drawn: Mapping[int, int]) -> Opened:
        """The numbers that people drew with cards: for every entrant's id the number (TU-ZK-I2)."""
        return self.act_on(by, "numbered", lambda state: _drawn_by_cards(state, drawn))

    def number_from_door(self, by: str) -> Opened:
        """Put the numbers into force that people drew at the door, one by one (TU-ZK-I2)."""
        return self.act_on(by, "numbered", lambda state: _drawn_by_cards(state, state.picked))

    def keep_apart(self, by: str, how: str, one: str = "", other: str = "") -> Opened:
        """Keep two people apart: they must not meet, or rather not (`free`: they may meet again).

        Without names, keep all who share a team apart.
        """

        def fields(state: Tournament) -> Json:
            if not one and not other:
                return {"how": how, "teams": True}
            a, b = (state.entrant(state.find(name)).id for name in (one, other))
            return {"how": how, "a": a, "b": b}

        return self.act_on(by, "apart", fields)

    # helpers and screens

    def admit(self, by: str, role: str, who: str) -> tuple[Opened, str]:
        """Make a link for a helper or a screen, valid until it is revoked.

        Return the tournament and the link's secret, which is stored nowhere.
        """
        secret = new_id(18)

        def fields(state: Tournament) -> Json:
            same = sum(link.role == role for link in state.links.values())
            if len(state.links) >= MOST_LINKS or (role in SHOWN and same >= MOST_SHOWN):
                raise Refusal(
                    sentence(
                        "there is at most {most} such link; revoke one first",
                        "there are at most {most} such links; revoke one first",
                    ),
                    values={"most": MOST_SHOWN if role in SHOWN else MOST_LINKS},
                )
            return {"role": role, "who": who, "key": fingerprint(secret)}

        return self.act_on(by, "admitted", fields), secret

    # plans

    def propose(
        self, *, start: str = "", seed: int = 1, seconds: float = SECONDS
    ) -> tuple[tuple[Round, ...], Figures]:
        """Propose a plan of the rounds that can be planned now; nothing is stored.

        It begins at `start` (empty: the first not begun). Returned with it is the quality of the whole event.
        """
        opened = self.open()
        state = opened.tournament
        rounds = state.format.plan(state, start=start, seed=seed, seconds=seconds)
        number, fields = len(opened.log.events) + 1, {"rounds": _tables(rounds), "seed": seed}
        body = event_body(self.clock(), number, "-", "planned", fields)
        return rounds, figures(after(state, body))

    def plan(self, by: str, *, start: str = "", seed: int = 1, seconds: float = SECONDS) -> Opened:
        """Plan the rounds that can be planned now, from `start` on (empty: the first not begun)."""
        state = self.open().tournament
        rounds = state.format.plan(state, start=start, seed=seed, seconds=seconds)
        return self.seat(by, rounds, seed=seed)

    def seat(self, by: str, rounds: Iterable[Round], *, seed: int = 0) -> Opened:
        """Put a plan into force: a proposed one, or one made by hand."""
        tables = _tables(rounds)

        def fields(state: Tournament) -> Json:
            if len({*state.rounds, *tables}) > MOST_ROUNDS:
                raise Refusal(
                    sentence("a plan has at most {most} round", "a plan has at most {most} rounds"),
                    values={"most": MOST_ROUNDS},
                )
            return {"rounds": tables, "seed": seed}

        return self.act_on(by, "planned", fields)

    def seat_newcomers(self, by: str) -> Opened:
        """Seat those without a seat in the rounds not begun; all other tables stay as they are.

        `Refusal` where that cannot be, and a plan must be made again.
        """
        return self.act_on(by, "planned", lambda state: {"rounds": _tables(with_newcomers(state))})

    def swap(self, by: str, label: str, one: str, other: str) -> Opened:
        """Let two people change seats in one round."""
        return self.act_on(
            by, "swapped", lambda state: {"round": label, "a": state.find(one), "b": state.find(other)}
        )

    def stechen(self, by: str) -> Opened:
        """Plan the next round of the Stechen for the cup."""
        return self.act_on(by, "planned", lambda state: {"rounds": _tables([state.format.stechen(state)])})

    def withdraw(self, by: str, number: int, label: str = "", game: int = 1, reason: str = "") -> Opened:
        """Withdraw a number from a round on, before a game of it.

        Without a label from the first round not begun: a planned one, or the next of plan, cup or Stechen.
        """

        def fields(state: Tournament) -> Json:
            start = label or state.next_round()
            stage, at = order(start)
            planned = [order(other)[1] for other in state.rounds if order(other)[0] == stage]
            coming = max(planned, default=0) + 1 if stage else int(state.next_round())
            if at > max([coming, *planned]):
                raise Refusal("round {round} is not planned", values={"round": start}, where="round")
            return {"number": number, "round": start, "game": game, "reason": reason}

        return self.act_on(by, "withdrawn", fields)

    def substitute(self, by: str, whom: str, name: str, label: str = "", reason: str = "") -> Opened:
        """Let another person play on for a number, from a round on (empty: the first that is not played)."""

        def fields(state: Tournament) -> Json:
            number = state.find(whom)
            members = [name_key(member) for member in state.members(number)]
            member = members.index(name_key(whom)) if name_key(whom) in members else 0
            start = label or state.current_round() or "1"
            return {"number": number, "member": member, "round": start, "name": name, "reason": reason}

        return self.act_on(by, "substituted", fields)

    def add_to_round(self, by: str, label: str, people: Sequence[str], table: int = 0) -> Opened:
        """Seat people in one round, at a table that has no result or (0) at a new one."""
        return self.act_on(
            by,
            "added",
            lambda state: {"round": label, "table": table, "numbers": [state.find(one) for one in people]},
        )

    # Nousu's tables

    def play_online(self, by: str, tables: Iterable[str]) -> Opened:
        """Move tables of the plan to Nousu's tables; their slips come from there."""
        named = [table_named(table)[0] for table in tables]
        if not named:
            raise Refusal("tick the tables first", where="table")
        return self.act(by, "online", on=True, tables=named, key={table: new_id(12) for table in named})

    def play_on_paper(
        self, by: str, tables: Iterable[str], so_far: Mapping[str, Sequence[str]] | None = None
    ) -> Opened:
        """Move tables to real cards and paper; `so_far` is their play so far in the words of slips."""
        named = [table_named(table)[0] for table in tables]
        if not named:
            raise Refusal("tick the tables first", where="table")
        return self.act(by, "online", on=False, tables=named, so_far=so_far or {})

    # slips

    def slip(
        self, by: str, table: str, words: Iterable[str], online: Json | None = None, device: str = ""
    ) -> Opened:
        """Enter the slip of a table, written ``1.4``, ``1,4`` or, with the plan of the paper, ``1.4/3``.

        A slip of another plan is void. `online` is its source at Nousu's tables (see `Slip.online`),
        `device` the phone (see `Slip.device`).
        """
        key, plan = table_named(table)
        words = tuple(words)

        def fields(state: Tournament) -> Json:
            about: dict[str, Any] = {"table": key} if plan is None else {"table": key, "plan": plan}
            if online is not None:
                about["online"] = online
            if device:
                about["device"] = device
            return {**about, "result": self._parsed(state, key, words, plan)}

        return self.act_on(by, "slip", fields)

    def confirm(self, by: str, table: str, words: Iterable[str] = (), device: str = "") -> Opened:
        """Confirm a slip as the second person; `words`, if given, must say the same.

        `Refusal` (remedy ``desk``) on the phone that entered it, if `device` says so; `repeat` marks it.
        """
        key, plan = table_named(table)
        words = tuple(words)

        def fields(state: Tournament) -> Json:
            result = self._parsed(state, key, words, plan) if words else None
            return {"table": key, "result": result} | ({"device": device} if device else {})

        return self.act_on(by, "confirmed", fields)

    def repeat(self, by: str, table: str, words: Iterable[str]) -> Opened:
        """Note that a second person typed the same on the phone that entered a slip: the desk looks at it."""
        key, plan = table_named(table)
        words = tuple(words)
        return self.act_on(
            by, "repeated", lambda state: {"table": key, "result": self._parsed(state, key, words, plan)}
        )

    def confirm_all(self, by: str, tables: Iterable[str]) -> Opened:
        """Confirm several slips as they are: all of them or, if one cannot be, none (`Refusal`)."""
        keys = [table_named(table)[0] for table in tables]
        if not keys:
            raise Refusal("no slip is waiting for you to confirm it")
        return self.act(by, "confirmed", tables=keys)

    def correct(self, by: str, table: str, words: Iterable[str], reason: str) -> Opened:
        """Replace the result of a slip, with a reason."""
        key, plan = table_named(table)
        words = tuple(words)
        return self.act_on(
            by,
            "corrected",
            lambda state: {"table": key, "result": self._parsed(state, key, words, plan), "reason": reason},
        )

    def _parsed(self, state: Tournament, table: str, words: tuple[str, ...], plan: int | None) -> Json:
        seats = state.seats(table)
        if plan is not None and plan != state.plans.get(table):
            raise void_slip(state, table, seats, plan)
        result: SlipResult = state.kind(table).slips.parse(state, table, words)
        return result.to_json()


def with_newcomers(state: Tournament) -> tuple[Round, ...]:
    """The rounds not begun, with a seat for everybody. `Refusal` where a plan must be made again."""
    rounds = []
    for label, played in state.rounds.items():
        if label[0].isdigit() and not state.has_begun(label):
            seated = {number for table in played.tables for number in table}
            newcomers = [number for number in state.playing(label) if number not in seated]
            tables = state.format.with_newcomers(played.tables, newcomers)
            if tables is None or any(state.has_withdrawn(number, label) for number in seated):
                raise Refusal("newcomers cannot be added to these tables; plan again", remedy="plan")
            rounds.append(Round(label, tables))
    return tuple(rounds)


def fingerprint(secret: str) -> str:
    """The hash of a link's secret, as the log stores it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def holder(state: Tournament, secret: str) -> Link | None:
    """The link with that secret; None if there is none or it is revoked."""
    key = fingerprint(secret)
    return next((link for link in state.links.values() if secrets.compare_digest(link.key, key)), None)


def _seed(given: str | None) -> str:
    """A seed as typed, its spaces made single; by chance if none is given."""
    return " ".join((given or "").split()) or secrets.token_hex(16)


def _drawn_by_cards(state: Tournament, drawn: Mapping[int, int]) -> Json:
    """The fields of ``numbered``."""
    return {"numbers": _by_number(state, drawn), "seed": _seed(None)}


def _by_number(state: Tournament, drawn: Mapping[int, int]) -> list[int]:
    """The ids in the order of numbers. `Refusal` names those without one, and doubled numbers."""
    people = {entrant.id: entrant.name for entrant in state.active()}
    missing = [name for entrant, name in people.items() if entrant not in drawn]
    if missing:
        raise Refusal("{names} have no number yet", values={"names": ", ".join(missing)}, clause="TU-ZK-I2")
    by_number: dict[int, int] = {}
    for entrant, number in drawn.items():
        name = people.get(entrant, str(entrant))
        if not 1 <= number <= len(people) or entrant not in people:
            raise Refusal(
                "{name} cannot have number {number}; there are 1 to {last}",
                values={"name": name, "number": number, "last": len(people)},
                clause="TU-ZK-I2",
            )
        if number in by_number:
            raise Refusal(
                "{name} and {other} both have number {number}",
                values={"name": people[by_number[number]], "other": name, "number": number},
                clause="TU-ZK-I2",
            )
        by_number[number] = entrant
    return [by_number[number] for number in sorted(by_number)]


def _tables(rounds: Iterable[Round]) -> dict[str, list[list[int]]]:
    return {played.label: [list(table) for table in played.tables] for played in rounds}


def propose_plan(path: Path, start: str, seed: int, seconds: float) -> tuple[tuple[Round, ...], Figures]:
    """A plan of a tournament file; see `Office.propose`. A process of its own can call it."""
    return Office(path).propose(start=start, seed=seed, seconds=seconds)


def make_format(name: str, **options: Any) -> Format:
    """A format by name with some options changed."""
    return make({"name": name, **options})
