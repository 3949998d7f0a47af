"""Extension points keep the names by which other packages know them; their modules follow the protocols."""

from importlib.metadata import EntryPoint
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol

import pytest

from nousu import extensions
from nousu.extensions import GAMES, Point, extension, extension_module, members
from nousu.games import games
from nousu.players import claims
from nousu.players.whist import rules


def test_groups_keep_the_names_that_other_packages_use() -> None:
    assert GAMES == "nousu.games"
    assert {point.value for point in Point} == {
        "nousu.players",
        "nousu.server.pages",
        "nousu.terminal",
        "nousu.review",
        "nousu.datasets.par",
        "nousu.env",
        "nousu.solver.views",
        "nousu.tournament.totals",
        "nousu.words.teach",
    }


def test_point_has_a_package(subtests: pytest.Subtests) -> None:
    for point in Point:
        with subtests.test(point=point):
            assert find_spec(point.package) is not None


@pytest.mark.parametrize("family", games())
def test_claims_follow_their_protocol(family: str) -> None:
    module = extension(claims.ClaimsFamily, Point.PLAYERS, family, "claims")
    assert module is extension_module(Point.PLAYERS, family, "claims")
    assert members(claims.ClaimsFamily) == [
        *("concession", "holds", "is_obvious", "kinds", "lost", "order", "problem")
    ]


class Half(Protocol):
    def choose(self) -> None: ...
    def choose_twice(self) -> None: ...


class Nothing(Protocol):
    unheard_of: int


def test_module_has_all_of_a_protocol_or_nothing() -> None:
    assert isinstance(extension_module(Point.PLAYERS, "whist", "rules"), ModuleType)
    assert extension(Nothing, Point.PLAYERS, "whist", "rules") is None
    assert extension(Nothing, Point.PLAYERS, "whist", "no_such_module") is None
    assert extension(Nothing, Point.PLAYERS, "no_such_game", "rules") is None
    with pytest.raises(TypeError, match=r"nousu\.players\.whist\.rules lacks choose_twice of Half"):
        extension(Half, Point.PLAYERS, "whist", "rules")


def test_another_package_registers_its_module_in_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever nousu keeps its own modules for that point."""
    entry = EntryPoint("last_trick.rules", "nousu.players.whist.rules", "nousu.players")
    registered = {entry.group: [entry]}
    monkeypatch.setattr("nousu.extensions.entry_points", lambda group: registered.get(group, []))
    monkeypatch.setitem(extensions._PACKAGES, Point.PLAYERS, "nousu.moved")
    extension_module.cache_clear()
    try:
        assert extension_module(Point.PLAYERS, "last_trick", "rules") is rules
        assert extension_module(Point.TERMINAL, "last_trick") is None
        assert extension_module(Point.PLAYERS, "whist", "rules") is None, "nothing stands there"
    finally:
        extension_module.cache_clear()
