"""The draw: the same seed gives the same numbers, with the script that anybody can run, and fairly."""

import subprocess
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import nousu.tournament.draw as checker
from nousu.tournament.draw import draw
from nousu.tournament.office import Office, make_format
from nousu.tournament.people import from_text

NAMES = ["Ärnst", "Uwe", "Väinö", "Åsa", "Kalle O'Hara", "Ellen"]


@given(st.text(max_size=40), st.lists(st.text(min_size=1, max_size=8), max_size=60, unique=True))
def test_a_draw_is_a_permutation_and_repeatable(seed: str, names: list[str]) -> None:
    order = draw(seed, names)
    assert sorted(order) == list(range(len(names)))
    assert draw(seed, names) == order


def test_seed_list_and_label_all_matter() -> None:
    names = [f"P{number}" for number in range(30)]
    assert draw("a", names) != draw("b", names)
    assert draw("a", names) != draw("a", names, "lot")
    assert [names[at] for at in draw("a", names)] != [names[::-1][at] for at in draw("a", names[::-1])]


def test_all_orders_are_equally_likely() -> None:
    """Chi-square over the 24 orders of four people, 24,000 seeds: below the 1 in 10,000 bound (58.6)."""
    counts = Counter(draw(str(seed), "abcd") for seed in range(24_000))
    assert set(counts) == set(permutations(range(4)))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 58.6


def test_the_draw_is_pinned() -> None:
    """A draw made years ago must verify for ever."""
    assert draw("dice 3 5 1", ["Aino", "Eino", "Väinö", "Ärnst", "Olaf", "Uwe", "Kalle"]) == (
        3,
        5,
        6,
        4,
        0,
        2,
        1,
    )


def test_the_script_alone_reproduces_the_draw(tmp_path: Path) -> None:
    """The file, copied elsewhere and run without the package, prints the office's numbers."""
    office = Office(tmp_path / "t")
    office.begin("Evening", make_format("tuppen"), "Ellen")
    office.enter("Ellen", from_text("\n".join(NAMES)).given)
    state = office.draw("Ellen", "3 5 1 6").tournament
    script = tmp_path / "elsewhere" / "verify.py"
    script.parent.mkdir()
    script.write_text(Path(checker.__file__).read_text("utf-8"), "utf-8")
    (tmp_path / "names.txt").write_text("\n".join(NAMES) + "\n", "utf-8")
    result = subprocess.run(
        [sys.executable, "-I", "-S", str(script), state.seed, str(tmp_path / "names.txt")],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
    ).stdout.splitlines()
    assert result == [f"{number}\t{state.who(number)}" for number in range(1, len(NAMES) + 1)]


def test_a_seed_by_chance_is_long_and_new_every_time(tmp_path: Path) -> None:
    office = Office(tmp_path / "t")
    office.begin("Evening", make_format("tuppen"), "Ellen")
    office.enter("Ellen", from_text("\n".join(NAMES)).given)
    seeds = {office.draw("Ellen").tournament.seed for _ in range(3)}
    assert len(seeds) == 3 and all(len(seed) == 32 for seed in seeds)
