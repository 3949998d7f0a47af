"""The rules of a table as lines of text: clauses by phase, and the options that differ."""

from collections.abc import Collection, Iterator, Sequence

from nousu.engine.match import Match
from nousu.engine.options import differences, options, value_text
from nousu.i18n import Translate, titles
from nousu.i18n.names import preset_name, setting_words, value_words
from nousu.teaching.clauses import PHASES, Clause, clauses_in, rule_sources


def phase_words(phase: str, say: Translate, groups: Collection[str]) -> str:
    """The heading of a phase.

    Args:
        phase: One of `nousu.teaching.clauses.PHASES` except ``flavour``.
        say: Translates messages.
        groups: The groups of the game's options, which may call bidding an auction.
    """
    if phase in groups and phase == "auction":
        return say("Auction")
    return {
        "about": say("The game"),
        "seats": say("Seats"),
        "deal": say("Dealing"),
        "auction": say("Bidding"),
        "exchange": say("Exchange"),
        "play": say("Play"),
        "score": say("Scoring"),
        "match": say("The match"),
        "tournament": say("Tournaments"),
        "conduct": say("Conduct"),
    }[phase]


def rule_lines(match: Match, preset: str, say: Translate) -> Iterator[str]:
    """The title, the options that differ from the sources, then the clauses of the sources by phase."""
    base = preset.split("+")[0]
    standard, files = rule_sources(match.game.name, base)
    yield f"{preset_name(preset, say)} ({preset})"
    described = match.game.presets.get(standard, match.game.presets[base])
    changed = differences(match.rules, described)
    about = {item.name: item for item in options(match.rules)}
    if changed:
        yield ""
        yield say("Different at this table from the clauses below:")
        for name, value in changed.items():
            shown = setting_words(f"{name}={value_text(value)}", say)
            usual = say("instead of {value}", value=value_words(name, getattr(described, name), say))
            yield f"  {shown}, {usual}. {say(about[name].doc)}"
    touched = {id for name in changed for id in about[name].clauses}
    for file in files:
        yield ""
        yield say(titles()[file])
        yield from _chapter(clauses_in(file), touched, say, {item.group for item in about.values()})
    if not files:
        for item in about.values():
            shown = setting_words(f"{item.name}={value_text(getattr(match.rules, item.name))}", say)
            yield f"  {shown}. {say(item.doc)}"


def _chapter(
    listed: Sequence[Clause], changed: set[str], say: Translate, groups: Collection[str]
) -> Iterator[str]:
    for phase in PHASES:
        chosen = [clause for clause in listed if clause.phase == phase and clause.kind != "flavour"]
        if chosen:
            yield phase_words(phase, say, groups)
        for clause in chosen:
            mark = " " + say("(changed here)") if clause.id in changed else ""
            yield f"  {clause.id}{mark} {say(clause.text)}"
