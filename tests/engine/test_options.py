"""Rule sets: fields with clauses, values checked, text both ways."""

from dataclasses import dataclass

import pytest

from nousu.engine.errors import BadRules
from nousu.engine.game import Game
from nousu.engine.options import check_values, differences, option, options, override, value_text


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One option of each kind."""

    solo: bool = option(True, clause="X-1 X-2", doc="A switch.", group="play")
    points: int = option(4, clause="X-3", doc="A number.", group="score", low=0, high=8)
    limit: int | None = option(
        None, clause="X-4", doc="A number or none.", group="end", low=1, high=9, none=True
    )
    lead: str = option("left", clause="X-5", doc="A word.", group="play", values=("left", "right"))
    ties: tuple[str, ...] = option(
        ("a", "b"), clause="X-6", doc="A list.", group="end", items=("a", "b", "c")
    )

    def __post_init__(self) -> None:
        check_values(self)


def test_value_is_read_as_it_is_written(subtests: pytest.Subtests) -> None:
    for name, text, value in [
        ("solo", "off", False),
        ("points", "0", 0),
        ("limit", "none", None),
        ("limit", "9", 9),
        ("lead", "right", "right"),
        ("ties", "[c,a]", ("c", "a")),
        ("ties", "b", ("b",)),
        ("ties", "[]", ()),
    ]:
        with subtests.test(name=name, text=text, value=value):
            changed = override(Rules(), {name: text})
            assert getattr(changed, name) == value
            assert override(Rules(), {name: value_text(value)}) == changed
            assert differences(changed, Rules()) == ({} if changed == Rules() else {name: value})


def test_wrong_value_is_told_with_the_right_ones(subtests: pytest.Subtests) -> None:
    for name, text, said in [
        ("solo", "maybe", "solo=maybe is not allowed; the allowed values are on, off"),
        ("points", "9", "write a whole number from 0 to 8$"),
        ("points", "none", "write a whole number from 0 to 8$"),
        ("points", "x", "write a whole number"),
        ("points", "--5", "points=--5 is not allowed; write a whole number"),
        ("points", "²", "points=² is not allowed; write a whole number"),
        ("points", "٣", "points=٣ is not allowed; write a whole number"),
        ("points", "9" * 5000, "points=9{50,60}… is not allowed; write a whole number"),
        ("limit", "-" * 5000, "limit=-{50,60}… is not allowed"),
        ("limit", "0", "from 1 to 9, or none"),
        ("lead", "up", "the allowed values are left, right"),
        ("ties", "[a,a]", "write a list of a, b, c"),
        ("ties", "d", "write a list of a, b, c"),
        ("nothing", "1", "there is no option nothing; the options are solo, points, limit, lead, ties"),
        ("point", "1", "there is no option point; did you mean points?"),
    ]:
        with subtests.test(name=name, text=text, said=said):
            with pytest.raises(BadRules, match=said) as result:
                override(Rules(), {name: text})
            assert result.value.field == name


def test_wrong_value_in_code_is_refused_too(subtests: pytest.Subtests) -> None:
    for wrong in [
        {"points": 9},
        {"points": True},
        {"solo": 1},
        {"lead": "up"},
        {"ties": "a"},
        {"points": None},
    ]:
        with subtests.test(wrong=wrong), pytest.raises(BadRules, match="is not allowed"):
            Rules(**wrong)  # type: ignore[arg-type]


def test_option_knows_its_clauses() -> None:
    assert {item.name: item.clauses for item in options(Rules)}["solo"] == ("X-1", "X-2")


def test_rule_set_is_a_preset_and_its_differences(last_trick: Game) -> None:
    rules = last_trick.rules_named("last_trick+target=3+doubling=off")
    assert (rules.target, rules.doubling) == (3, False)
    assert last_trick.name_of(rules) == "last_trick_plain+target=3"
    assert last_trick.name_of(rules, "last_trick") == "last_trick+doubling=off+target=3"


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("tarot", "preset", "there is no preset ‘tarot’; the presets are last_trick, last_trick_plain"),
        ("last_trick+target", "target", "write an option as name=value"),
        ("last_trick+aim=3", "aim", "there is no option aim"),
        ("last_trick+target=3+target=4", "target", "target is given twice"),
        ("last_trick+target=3+ target =3", "target", "target is given twice"),
        ("x" * 5000, "preset", "there is no preset ‘x{59}…’"),
        ("last_trick+target=0", "target", "from 1 to 99"),
    ],
)
def test_wrong_rule_set_is_told(last_trick: Game, text: str, field: str, said: str) -> None:
    with pytest.raises(BadRules, match=said) as result:
        last_trick.rules_named(text)
    assert result.value.field == field
