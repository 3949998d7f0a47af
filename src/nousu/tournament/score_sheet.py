"""The Tuppi score sheet (pöytäkirja): a match hand by hand, and its winner (T-CATT, T-WIKT).

A hand is written as one word. Sides are A and B, kinds r (rami) and n (nolo), also h (high) and l (low):

* ``A8``: A scores 8;
* ``B``: B scores while A is rising, which topples A; the points do not matter;
* ``rA9``: A bid rami and took 9 tricks (``rA4``: A bid it and took 4, so B took 9);
* ``nA5``: nolo, A took 5 tricks.

The arithmetic is the game's own (`nousu.games.whist`): its points for tricks and its tally.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

from nousu.engine.errors import BadRules
from nousu.engine.game import Result, Setup
from nousu.engine.messages import Note, sentence
from nousu.games.whist import GAME, Outcome, Rise, Rules, payoffs, target_clause
from nousu.tournament.drive_families.whist import BY_TRICKS, trick_points
from nousu.tournament.messages import Refusal, refusal_of

_POINTS = re.compile(r"([AB])(\d*)")


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A hand on the sheet and the score after it."""

    hand: int
    word: str
    scorer: int
    """The scoring side, 0 = A, 1 = B; the side that topples scores too, without points."""
    points: int
    """Points booked; 0 for a topple."""
    riser: int | None
    """The side that is rising (nousussa) now."""
    score: int
    """The riser's points."""
    total: tuple[int, int]
    peak: tuple[int, int]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class SheetMatch:
    """A finished match as the tournament counts it."""

    winner: int
    """The winner: 0 = A, 1 = B, -1 = drawn."""
    total: tuple[int, int]
    peak: tuple[int, int]
    hands: int
    reason: Note


@cache
def whist_rules(preset: str) -> Rules:
    """The rules named ``preset+option=value``; `Refusal` says what is wrong."""
    try:
        rules: Rules = GAME.rules_named(preset)
    except BadRules as error:
        raise refusal_of(error) from None
    return rules


@cache
def hand_points(rules: Rules) -> tuple[int, ...]:
    """The points one hand can bring a side, in rising order."""
    values = {points for both in payoffs(rules) for points in both if points > 0}
    if rules.sooli:
        values.add(rules.sooli_points)
    return tuple(sorted(values))


def play_sheet(rules: Rules, words: Sequence[str]) -> tuple[tuple[SheetLine, ...], SheetMatch]:
    """The match of these words. `Refusal` names an impossible hand, or says what is missing."""
    lines, tally = sheet_so_far(rules, words)
    if tally.end is None:
        raise _not_over(rules, tally)
    winners, reason = tally.end
    return lines, SheetMatch(winners[0] if winners else -1, tally.total, tally.peak, tally.hands, reason)


def sheet_so_far(rules: Rules, words: Sequence[str]) -> tuple[tuple[SheetLine, ...], Rise]:
    """The hands of these words, of a match that need not be over, and its standing.

    `Refusal` names an impossible hand.
    """
    tally, lines = Rise(rules), []
    for hand, word in enumerate(words, 1):
        where = f"hand {hand}"
        if tally.end is not None:
            raise Refusal(
                "the match was over after hand {last}: {why}",
                values={"last": hand - 1, "why": with_names(tally.end[1], "A", "B")},
                where=where,
                clause=tally.end[1].clause,
            )
        scorer, points = _read(rules, tally, word, where)
        result = Result(points=(points, 0) if scorer == 0 else (0, points), outcome=Outcome(scorer=scorer))
        before = tally
        tally = tally.add(result, Setup(4, 0, before, hand))
        lines.append(
            SheetLine(
                hand,
                word,
                scorer,
                sum(tally.total) - sum(before.total),
                tally.riser,
                tally.points,
                tally.total,
                tally.peak,
                tally.notes(),
            )
        )
    return tuple(lines), tally


def hand_word(result: Result) -> str:
    """A hand that was played, as the sheet has it.

    A hand that topples keeps its points in the word, but none are booked.
    """
    scorer = Outcome.of(result.outcome).scorer
    assert scorer is not None, "at a tournament every hand is somebody's"
    points = max(result.points)
    return "AB"[scorer] + (str(points) if points else "")


def _not_over(rules: Rules, tally: Rise) -> Refusal:
    """The reason why the sheet cannot end here."""
    values: dict[str, int | str] = {"hands": tally.hands, "limit": rules.max_hands or 0}
    if tally.extra:
        return Refusal(
            sentence(
                "after {hands} hand everything is equal; an extra hand decides",
                "after {hands} hands everything is equal; an extra hand decides",
            ),
            values=values,
            clause="A-T-21",
        )
    if rules.max_hands is not None and tally.hands >= rules.max_hands:
        values |= {"side": "AB"[tally.riser or 0], "points": tally.points}
        return Refusal(
            sentence(
                "after {hands} hand {side} is rising with {points}; play goes on until it loses a hand",
                "after {hands} hands {side} is rising with {points}; play goes on until it loses a hand",
            ),
            values=values,
            clause="T-WIKT-04",
        )
    return Refusal(
        sentence(
            "the match is not over after {hands} hand: nobody has {target} and the limit is {limit}",
            "the match is not over after {hands} hands: nobody has {target} and the limit is {limit}",
        ),
        values={**values, "target": rules.target},
        clause="T-WIKT-02",
    )


def _read(rules: Rules, tally: Rise, word: str, where: str) -> tuple[int, int]:
    """The scoring side of a hand and its points."""
    if BY_TRICKS.fullmatch(word):
        both = trick_points(rules, word, where)
        return (0, both[0]) if both[0] > 0 else (1, both[1])
    if not (parts := _POINTS.fullmatch(word.upper())):
        raise Refusal(
            "{word} is not a hand; write A8 (A scores 8), B (B topples A), rA9 (A bid rami, 9 tricks) or nA5",
            values={"word": word},
            where=where,
        )
    side = parts[1]
    scorer = "AB".index(side)
    topples = tally.riser == 1 - scorer
    if not parts[2]:
        if topples or tally.extra:
            return scorer, 0
        raise Refusal(
            "{side} topples nobody here; write the points, for example {side}8",
            values={"side": side},
            where=where,
            clause="5.1",
        )
    points = int(parts[2])
    if points not in hand_points(rules):
        raise Refusal(
            sentence(
                "no hand scores {points} point; the possible scores are {possible}",
                "no hand scores {points} points; the possible scores are {possible}",
            ),
            values={"points": points, "possible": ", ".join(map(str, hand_points(rules)))},
            where=where,
            clause="T-WIK-17",
        )
    return scorer, points


def from_totals(
    rules: Rules, total: tuple[int, int], peak: tuple[int, int], hands: int, winner: int | None
) -> SheetMatch:
    """A match known by its totals only.

    `winner` (0, 1) is asked for only where an extra hand decided. `Refusal` says which figures cannot be.
    """
    _check_figures(rules, total, peak, hands)
    done = [side for side in (0, 1) if peak[side] >= rules.target]
    if len(done) == 2:
        raise Refusal(
            "two winners: both rose to {target}",
            values={"target": rules.target},
            where="peaks",
            clause=target_clause(rules),
        )
    if done:
        note = Note(
            target_clause(rules),
            sentence("{side} wins with {points} point", "{side} wins with {points} points"),
            {"side": done[0], "points": peak[done[0]]},
        )
        return _check_winner(SheetMatch(done[0], total, peak, hands, note), winner)
    limit = rules.max_hands
    if limit is None or hands < limit:
        raise Refusal(
            sentence(
                "the match has at least {limit} hand, not {hands}, because nobody has reached {target}",
                "the match has at least {limit} hands, not {hands}, because nobody has reached {target}",
            ),
            values={"target": rules.target, "limit": limit or 0, "hands": hands},
            where="hands",
            clause="T-WIKT-02",
        )
    before = Rise(rules, riser=0, points=gcd(*hand_points(rules)), total=total, peak=peak, hands=limit - 1)
    end = before.add(Result(points=(0, 0), outcome=Outcome(scorer=1)), Setup(4, 0, before, limit))
    if end.extra:
        if winner is None or hands <= limit:
            raise Refusal(
                "sums and highest rises are equal: give the extra hands too, and winner=A or winner=B",
                clause="A-T-21",
                where="winner",
            )
        note = Note("A-T-21", "{side} won the extra hand", {"side": winner})
        return SheetMatch(winner, total, peak, hands, note)
    assert end.end is not None
    if hands > limit and not rules.extension:
        raise Refusal(
            sentence(
                "the match ends after {limit} hand, there is no extension",
                "the match ends after {limit} hands, there is no extension",
            ),
            values={"limit": limit},
            where="hands",
            clause="T-CATT-04",
        )
    winners, reason = end.end
    return _check_winner(SheetMatch(winners[0] if winners else -1, total, peak, hands, reason), winner)


def _check_figures(rules: Rules, total: tuple[int, int], peak: tuple[int, int], hands: int) -> None:
    """Raise `Refusal` if so many hands cannot give these sums and highest rises."""
    unit = gcd(*hand_points(rules))
    for side in (0, 1):
        name = "AB"[side]
        values: dict[str, int | str] = {"side": name, "sum": total[side], "peak": peak[side], "unit": unit}
        if peak[side] > total[side]:
            raise Refusal(
                "{side} cannot have risen to {peak} with only {sum} in all", values=values, where="peaks"
            )
        if bool(peak[side]) != bool(total[side]):
            raise Refusal("{side} has {sum} in all but rose to {peak}", values=values, where="peaks")
        if total[side] % unit or peak[side] % unit:
            raise Refusal(
                "all points are multiples of {unit}; {side} has {sum} and rose to {peak}",
                values=values,
                where="totals",
            )
        most = hands * max(hand_points(rules))
        if total[side] > most:
            raise Refusal(
                sentence("{hands} hand scores at most {most}", "{hands} hands score at most {most}"),
                values={"hands": hands, "most": most},
                where="totals",
            )
    if not any(total):
        raise Refusal(
            "hand 1 always makes somebody rise, so the sums cannot both be 0", clause="5.1", where="totals"
        )


def _check_winner(match: SheetMatch, winner: int | None) -> SheetMatch:
    """The match, unless the slip names another winner."""
    if winner is not None and winner != match.winner:
        raise Refusal(
            "the slip names {named} as winner, but: {why}",
            values={"named": "AB"[winner], "why": with_names(match.reason, "A", "B")},
            where="winner",
            clause=match.reason.clause,
        )
    return match


def with_names(note: Note, a: str, b: str) -> Note:
    """The note with names in place of side numbers."""
    return Note(
        note.clause,
        note.message,
        {
            key: (a, b)[value] if value in (0, 1) and key == "side" else value
            for key, value in note.values.items()
        },
    )
