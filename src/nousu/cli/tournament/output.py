"""Output of the command: tables for people, JSON for programs."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from nousu.engine.messages import Note, sentence
from nousu.i18n import translator
from nousu.i18n.office import (
    column_words,
    done_words,
    event_words,
    local_time,
    note_words,
    role_words,
    where_words,
)
from nousu.i18n.sentences import Voice
from nousu.i18n.series import series_translator
from nousu.tournament.export import standings_json
from nousu.tournament.history import changes, undone_entries
from nousu.tournament.letters import letter_notes, printed_texts
from nousu.tournament.messages import Refusal, Todo, plain
from nousu.tournament.model import SlipChange, Standings, Tournament
from nousu.tournament.office import Opened
from nousu.tournament.people import People
from nousu.tournament.season_file import OpenedSeason, describe_entry, season_states
from nousu.tournament.seating.quality import figures
from nousu.tournament.slip_text import slip_lines
from nousu.tournament.ties import ties
from nousu.tournament.todo import todo
from nousu.tournament.verify import Check

WIDE = 160
"""Columns where the output is no terminal, unless COLUMNS or --width say otherwise."""

COMMANDS = {
    "draw": "nousu tournament draw",
    "pair": "nousu tournament pair",
    "plan": "nousu tournament plan",
    "stechen": "nousu tournament stechen",
    "correct": "nousu tournament correct --reason",
    "withdraw": "nousu tournament withdraw",
    "new": "nousu tournament new",
    "second": "nousu tournament confirm --entry",
}
"""The command that removes a hindrance; the office itself names only the action."""

FIELDS = {"by": "--by", "reason": "--reason", "to": "--to"}
"""The option in which a missing field is given."""


class Screen:
    """The output of a command: in the reader's language, or a JSON object in English printed at the end."""

    def __init__(self, as_json: bool, language: str = "en", width: int = 0, called: str = "round") -> None:
        self.as_json = as_json
        in_series = called == "series" and not as_json
        self.words = series_translator(language) if in_series else translator("en" if as_json else language)
        self.voice = Voice((), 0, None, self.words)
        self.answer: dict[str, Any] = {}
        asked = os.environ.get("COLUMNS", "")
        piped = int(asked) if asked.isdecimal() and int(asked) else WIDE
        wide = width or (None if sys.stdout.isatty() else piped)
        self.console = Console(width=wide, highlight=False, emoji=False, markup=False)

    def say(self, message: str, **values: int | str | Note) -> None:
        """Print a sentence."""
        text = self.voice.note(Note("", message, values))
        if self.as_json:
            self.answer.setdefault("messages", []).append(text)
        else:
            self.console.print(text)

    def note(self, note: Note) -> None:
        """Print a note."""
        self.say(note.message, **note.values)

    def letters(self, state: Tournament) -> None:
        """Print the names with letters that paper cannot draw."""
        for note in letter_notes(printed_texts(state)):
            self.note(note)

    def read(self, people: People) -> None:
        """Print the entries of a list, before it is entered."""
        for note in people.notes():
            self.note(note)
        if self.as_json:
            self.answer["read"] = [
                {"line": entry.line, "name": entry.name, "team": entry.team} for entry in people.given
            ]
            return
        table = self._table(self.words("What will be entered"), "#line", "name", "team")
        for entry in people.given:
            table.add_row(str(entry.line), entry.name, entry.team)
        self.console.print(table)

    def phrase(self, note: Note) -> str:
        """A note in the reader's language, its clause in brackets behind it."""
        return self.voice.note(note) + (f" [{note.clause}]" if note.clause else "")

    def done(self, opened: Opened | OpenedSeason, message: str, **values: int | str | Note) -> None:
        """Print the change that was made, and its entry number."""
        for notice in opened.notices:
            self.say(notice.message, **notice.values)
        self.say(message, **values)
        self.answer |= {"entries": len(opened.log.events), "head": opened.log.head}

    def ruling(self, opened: Opened, message: str, **values: int | str | Note) -> None:
        """Print the ruling; after the freeze it waits for a second person."""
        self.done(opened, message, **values)
        if len(opened.log.events) in opened.tournament.proposals:
            self.say("The result is published: this counts when a second person confirms it.")

    def flush(self) -> None:
        """Let readers of a pipe see the answers so far."""
        sys.stdout.flush()

    def refuse(self, refusal: Refusal, where: str = "") -> None:
        """Print a refusal and its reason."""
        if self.as_json:
            lines = [f"{where}: {line}" if where else line for line in str(refusal).splitlines()]
            self.answer.setdefault("errors", []).extend(lines)
            return
        for fault in (refusal, *refusal.more):
            places = ", ".join(filter(None, (where, fault.where)))
            clause = f" [{fault.clause}]" if fault.clause else ""
            remedy = COMMANDS.get(fault.remedy) or FIELDS.get(fault.where, "")
            phrase = (
                f"{where_words(places, self.words)}: {self.voice.phrase(fault.note)}"
                if places
                else self.voice.note(fault.note)
            )
            print(phrase + clause + (f"  ({remedy})" if remedy else ""), file=sys.stderr)

    def raw(self, text: str) -> None:
        """Print text as it is."""
        sys.stdout.write(text)

    def end(self, opened: Opened) -> None:
        """Print the steps that are still missing, at the end of every command."""
        tasks = todo(opened.tournament)
        if opened.damage is not None:
            self.answer["damaged_line"] = opened.damage.line
            if not self.as_json:
                for notice in opened.notices:
                    print(self.voice.note(notice), file=sys.stderr)
        if self.as_json:
            self.answer |= {
                "entries": len(opened.log.events),
                "head": opened.log.head,
                "published": opened.tournament.frozen,
                "missing": list(opened.tournament.missing()),
                "to_do": [plain(task.said) for task in tasks],
            }
            return
        self.console.print()
        for task in tasks:
            self.console.print(self.phrase(task.said) + _command(task), style="yellow", soft_wrap=True)
        if not tasks and opened.tournament.frozen:
            self.say("Nothing is missing; the result is published.")
        elif not tasks:
            self.say("Nothing is missing; the result can be published.")
        values = {"count": len(opened.log.events), "head": opened.log.short}
        self.console.print(
            self.words(sentence("{count} entry, state {head}", "{count} entries, state {head}"), **values),
            style="dim",
        )

    def close(self) -> None:
        """Print the JSON answer."""
        if self.as_json and self.answer:
            print(json.dumps(self.answer, ensure_ascii=False, indent=1))

    # tables

    def _table(self, title: str, *columns: str) -> Table:
        table = Table(title=title, title_justify="left")
        for column in columns:
            numeric = column.startswith("#") or column in ("rank", "points")
            heading = column_words(column.lstrip("#"), self.words)
            table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
        return table

    def people(self, state: Tournament) -> None:
        """Print the list: by number once drawn, else in the order of entering."""
        count = len(state.numbers) or len(state.active())
        people = [(number, state.entrant(number)) for number in range(1, count + 1)]
        if self.as_json:
            self.answer["people"] = [
                {
                    "number": number if state.numbers else None,
                    "name": person.name,
                    "team": person.team,
                    "withdrawn_from": state.withdrawals[number].round
                    if number in state.withdrawals
                    else None,
                }
                for number, person in people
            ]
            if state.seed:
                self.answer |= {"seed": state.seed, "drawn": list(state.drawn)}
            return
        table = self._table(state.name, "#no" if state.numbers else "#entered", "name", "team", "")
        for number, person in people:
            gone = state.withdrawals.get(number)
            left = self.words("withdrawn from round {round} on", round=gone.round) if gone else ""
            table.add_row(str(number), person.name, person.team, left)
        for person in state.lone():
            table.add_row("–", person.name, person.team, self.words("looking for a partner"))
        self.console.print(table)

    def plan(self, state: Tournament, labels: list[str]) -> None:
        """Print rounds with their tables, and the quality of the plan."""
        rounds = [state.rounds[label] for label in labels]
        if self.as_json:
            self.answer["rounds"] = {
                played.label: [
                    {"table": key, "numbers": list(seats), "names": [state.who(number) for number in seats]}
                    for key, seats in played.named_tables()
                ]
                for played in rounds
            }
            facts = figures(state)
            self.answer["plan"] = {
                "number": state.plan,
                "repeats": facts.repeats,
                "lower_bound": facts.lower_bound,
                "small": {str(number): count for number, count in facts.small.items()},
                "unwanted": [list(meeting) for meeting in facts.unwanted],
                "seed": facts.seed,
            }
            return
        for played in rounds:
            table = self._table(self.words("Round {round}", round=played.label), "table", "seats")
            for key, seats in played.named_tables():
                names = "   ".join(f"{number} {state.who(number)}" for number in seats)
                table.add_row(key, names if len(seats) > 1 else self.words("{name} sits out", name=names))
            self.console.print(table)
        if any(label.isdigit() for label in labels) and not state.format.everybody_meets:
            self._plan_facts(state)

    def _plan_facts(self, state: Tournament) -> None:
        facts = figures(state)
        self.say(
            "Repeated meetings: {repeats} (no plan with these tables has fewer than {bound}).",
            repeats=facts.repeats,
            bound=facts.lower_bound,
        )
        counts: dict[int, list[int]] = {}
        for number, count in sorted(facts.small.items()):
            counts.setdefault(count, []).append(number)
        if set(counts) != {0}:
            for count, numbers in sorted(counts.items()):
                self.say(
                    sentence(
                        "{people} person, {count} × at a smaller table ({numbers})",
                        "{people} people, {count} × at a smaller table ({numbers})",
                    ),
                    count=count,
                    people=len(numbers),
                    numbers=" ".join(map(str, numbers)),
                )
        for a, b, table in facts.unwanted:
            self.say(
                "{name} and {other} should preferably not meet, but do at table {table}.",
                name=state.who(a),
                other=state.who(b),
                table=table,
            )
        self.say("Plan {number}; slips of earlier plans are void.", number=state.plan)
        self.say("Seed of the plan: {seed}", seed=facts.seed)

    def slips(self, state: Tournament, tables: list[str]) -> None:
        """Print slips to be filled in at the tables."""
        if self.as_json:
            self.answer["slips"] = {key: slip_lines(state, key, self.words) for key in tables}
        else:
            for key in tables:
                self.console.print("\n".join(slip_lines(state, key, self.words)), soft_wrap=True)
                self.console.print()

    def result(self, state: Tournament, table: str) -> None:
        """Print the result of a slip, present or proposed to a second person."""
        slip = state.slip(table)
        slips = state.kind(table).slips
        proposed = [
            slips.load(state, table, proposal.body["result"])
            for proposal in state.proposals.values()
            if proposal.body.get("table") == table and "result" in proposal.body
        ]
        result = proposed[-1] if proposed else slip.result
        if result is None:
            return
        lines = [self.phrase(note) for note in slips.describe(state, table, result)]
        if self.as_json:
            about = {"state": "proposed" if proposed else slip.state, "told": lines}
            self.answer.setdefault("results", {})[table] = about
        else:
            for line in lines:
                self.console.print("  " + line, soft_wrap=True)

    def slip(self, state: Tournament, table: str) -> None:
        """Print a slip with its trail."""
        seats, slip = state.seats(table), state.slip(table)
        trail = [
            {"entry": one.entry, "at": one.at, "by": one.by, "what": one.what, "reason": one.reason}
            for one in slip.trail
        ]
        penalties = [
            f"{state.who(one.number)}: {one.rule} ({self.voice.note(state.format.rules()[one.rule])})"
            for one in state.penalties
            if one.table == table
        ]
        if self.as_json:
            self.answer |= {
                "table": table,
                "state": slip.state,
                "seats": [{"number": number, "name": state.who(number)} for number in seats],
                "result": dict(slip.result.to_json()) if slip.result is not None else None,
                "trail": trail,
                "penalties": penalties,
            }
        else:
            self.console.print("\n".join(slip_lines(state, table, self.words)), soft_wrap=True)
            for line in (*penalties, *self._trail_lines(slip.trail)):
                self.console.print(line, soft_wrap=True)
        self.result(state, table)

    def standings(self, opened: Opened) -> None:
        """Print ranks, figures and reasons."""
        state = opened.tournament
        standings = state.format.standings(state)
        if self.as_json:
            self.answer["standings"] = standings_json(state, standings, opened.log)
            return
        self.results(standings)
        if state.publications:
            last = state.publications[-1]
            self.say(
                "Published, revision {revision}, {at}, by {by}.",
                revision=last.revision,
                at=local_time(last.at),
                by=last.by,
            )
        else:
            counted = sum(1 for _ in state.counted_results())
            self.say(
                "Not final: slips that count so far: {counted} of {tables}.",
                counted=counted,
                tables=sum(1 for _ in state.tables()),
            )

    def ties(self, state: Tournament) -> None:
        """Print the ties and their tie-breaks."""
        shown = ties(state.format.standings(state))
        if self.as_json:
            self.answer["ties"] = [
                {
                    "table": plain(tie.title),
                    "figure": tie.figure,
                    "names": [{"rank": rank, "name": name} for rank, name in tie.names],
                    "why": [plain(note) for note in tie.notes],
                }
                for tie in shown
            ]
            return
        if not shown:
            self.say("Nobody is equal.")
        for tie in shown:
            names = ", ".join(f"{rank}. {name}" for rank, name in tie.names)
            self.console.print(f"{self.voice.note(tie.title)}: {names} ({tie.figure})")
            for note in tie.notes:
                self.console.print("  " + self.phrase(note), soft_wrap=True)

    def results(self, standings: Standings) -> None:
        """Print tables of results, with the notes below them."""
        for section in standings.sections:
            why = any(row.why for row in section.rows)
            columns = [f"#{column}" for column in section.columns]
            heads = ["rank", "#no", "name", "team", *columns, *(["why"] if why else [])]
            if not any(row.team for row in section.rows):
                heads.remove("team")
            if not any(row.number for row in section.rows):
                heads.remove("#no")
            table = self._table(self.voice.note(section.title), *heads)
            for row in section.rows:
                cells = [str(row.rank)]
                cells += [str(row.number)] if "#no" in heads else []
                cells += [row.name] + ([row.team] if "team" in heads else [])
                cells += [str(cell) for cell in row.cells]
                cells += [" ".join(map(self.phrase, row.why))] if why else []
                table.add_row(*cells)
            self.console.print(table)
        for note in standings.notes:
            self.console.print(self.phrase(note))

    def online(self, tables: Sequence[str], links: Sequence[tuple[str, str]]) -> None:
        """Print the tables that are played at Nousu's tables, and everybody's own link."""
        if self.as_json:
            self.answer |= {"online": list(tables), "links": [{"name": a, "address": b} for a, b in links]}
            return
        self.say("Played at Nousu’s tables: {tables}", tables=", ".join(tables) or "–")
        for name, address in links:
            self.console.print(f"{name}: {address}", soft_wrap=True)

    def links(self, links: Sequence[tuple[int, str, str, str]]) -> None:
        """Print the links in force: entry, role, owner, and the address of those that may be shown."""
        if self.as_json:
            names = ("entry", "role", "who", "address")
            self.answer["links"] = [dict(zip(names, row, strict=True)) for row in links]
            return
        for entry, role, who, address in links:
            self.console.print(
                f"{entry:>4}  {role_words(role, self.words)}  {who}  {address}".rstrip(), soft_wrap=True
            )

    def checks(self, opened: Opened | OpenedSeason, checks: tuple[Check, ...]) -> None:
        """Print the outcome of a verification; raise `Refusal` if one check failed."""
        if self.as_json:
            self.answer |= {
                "entries": len(opened.log.events),
                "head": opened.log.head,
                "checks": [{"ok": check.good, "said": plain(check.said)} for check in checks],
            }
        else:
            for check in checks:
                mark = self.words("ok") if check.good else self.words("WRONG")
                self.console.print(f"{mark:<6}{self.phrase(check.said)}", soft_wrap=True)
        bad = [check for check in checks if not check.good]
        if bad:
            raise Refusal.of(bad[0].said)

    def log(self, opened: Opened) -> None:
        """Print the log, one entry a line."""
        undone, notes = undone_entries(opened.log.events), changes(opened.log.events)
        if self.as_json:
            self.answer |= {"log": list(opened.log.events), "undone": sorted(undone), "head": opened.log.head}
            return
        table = self._table(opened.tournament.name, "#entry", "time", "by", "what", "")
        for event in opened.log.events:
            lines = [event_words(event, opened.tournament, self.words)]
            lines += [note_words(note, self.words) for note in notes.get(event["n"], ())]
            state = self.words("undone") if event["n"] in undone else ""
            table.add_row(str(event["n"]), local_time(event["at"]), event["by"], "\n".join(lines), state)
        self.console.print(table)
        self.console.print(self.words("state {head}", head=opened.log.head))

    def season_log(self, opened: OpenedSeason) -> None:
        """Print the log of a season, one entry a line."""
        if self.as_json:
            self.answer |= {"log": list(opened.log.events), "head": opened.log.head}
            return
        table = self._table(opened.season.name, "#entry", "time", "by", "what")
        events = opened.log.events
        for event, before in zip(events, (None, *season_states(events)), strict=False):
            what = note_words(describe_entry(event, before or opened.state), self.words)
            table.add_row(str(event["n"]), local_time(event["at"]), event["by"], what)
        self.console.print(table)
        self.console.print(self.words("state {head}", head=opened.log.head))

    def lost(self, lines: Sequence[tuple[int, str]], opened: Opened | OpenedSeason) -> None:
        """Print unproven lines of a damaged file, for entering anew by hand."""
        if self.as_json:
            self.answer["lost"] = [{"line": number, "text": text} for number, text in lines]
            return
        for number, text in lines:
            start = text.find('",')
            try:
                event = json.loads("{" + text[start + 2 :])
                if isinstance(opened, Opened):
                    what = event_words(event, opened.tournament, self.words)
                else:
                    what = note_words(describe_entry(event, opened.state), self.words)
                what = f"{event.get('by', '')}: {what}"
            except (LookupError, TypeError, ValueError, AttributeError):
                what = text
            self.say(
                "line {line} could not be verified; enter it again if it is right: {what}",
                line=number,
                what=what,
            )

    def _trail_lines(self, trail: Sequence[SlipChange]) -> list[str]:
        """Lines of a slip's trail: each step with its author and reason."""
        return [
            f"{change.entry:>4} {local_time(change.at)} {done_words(change.what, self.words)}, {change.by}"
            + (f": {change.reason}" if change.reason else "")
            for change in trail
        ]


def _command(task: Todo) -> str:
    """The command for a todo."""
    words = COMMANDS.get(task.action, "")
    if not words:
        return ""
    return (
        f"  ({words}{f' --from {task.start}' if task.start else ''}{f' {task.entry}' if task.entry else ''})"
    )
