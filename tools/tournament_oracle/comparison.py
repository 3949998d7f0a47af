"""Differences between the office and the second, plain computation."""

from collections.abc import Iterator

from nousu.tournament.history import tournament
from nousu.tournament.log_file import read
from nousu.tournament.model import Tournament
from tools.tournament_oracle import replay
from tools.tournament_oracle.book import lines_of


def differences(data: bytes) -> tuple[str, ...]:
    """Lines that the office and the plain computation give differently for a log; none where they agree.

    Args:
        data: The log, byte for byte.

    Returns:
        One line for each difference.

    Raises:
        Refusal: The office cannot read the log.
        Damaged: A byte of the log was changed.
    """
    state = tournament(read(data).events)
    book = replay.replay(lines_of(data))
    return (*_compared(state.format.standings(state).core(), replay.core(book)), *_rest(state, book))


def _rest(state: Tournament, book: replay.Replay) -> Iterator[str]:
    yield from book.wrong
    states = {key: slip.state for key, slip in state.slips.items() if slip.result is not None}
    others = {key: slip["state"] for key, slip in book.slips.items()}
    for what, ours, other in (
        ("rounds", {label: list(map(list, one.tables)) for label, one in state.rounds.items()}, book.rounds),
        ("slips", states, others),
        ("missing slips", list(state.missing()), replay.missing(book)),
        ("publications", len(state.publications), book.published),
        ("withdrawn", sorted(state.withdrawals), sorted(book.gone)),
        ("waiting for a second person", sorted(state.proposals), sorted(book.waiting)),
    ):
        if ours != other:
            yield f"{what}: {ours!r} against {other!r}"


def _compared(office: list[object], other: list[object]) -> Iterator[str]:
    """Standings section by section, row by row."""
    if len(office) != len(other):
        yield f"sections: {len(office)} against {len(other)}"
    for one, two in zip(office, other, strict=False):
        if one == two:
            continue
        assert isinstance(one, list) and isinstance(two, list)
        if one[0] != two[0] or len(one[1]) != len(two[1]):
            yield f"{one!r} against {two!r}"
            continue
        for row, against in zip(one[1], two[1], strict=True):
            if row != against:
                yield f"{one[0]}: {row!r} against {against!r}"
