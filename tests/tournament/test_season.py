"""Seasons: what evenings are worth, who stands where and why, joined names, corrections, the file.

`NOUSU_FLIPS=10000 pytest tests/tournament/test_season.py -k flipped` runs the long form.
"""

import errno
import os
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nousu.tournament.export import season_to_json, to_csv, to_xlsx, write, write_season
from nousu.tournament.log_file import Damaged
from nousu.tournament.messages import Refusal, plain
from nousu.tournament.office import Office
from nousu.tournament.season import (
    EveningResult,
    Season,
    SeasonEvening,
    SeasonRule,
    core,
    doubts,
    evening_results,
    figure,
    may_be_one,
    ranking,
    season_standings,
    values_of,
    with_join,
)
from nousu.tournament.season_file import (
    EveningLog,
    OpenedSeason,
    SeasonFile,
    evening_file,
    evening_log,
    is_season,
    season_states,
)
from nousu.tournament.verify import verify, verify_season
from tournament_fixtures import evening, settle, settle_all

NAMES = ["Ada", "Åsa", "Cid", "Dag"]


def an_evening(entry: int, *points: str, pairs: bool = False) -> SeasonEvening:
    """An evening from ``Ada 12`` and the like; the most points win."""
    made = [(text.rpartition(" ")[0], int(text.rpartition(" ")[2])) for text in points]
    results = tuple(
        EveningResult(
            tuple(name.split(" & ")) if pairs else (name,), 1 + sum(other > own for _, other in made), own
        )
        for name, own in sorted(made, key=lambda row: -row[1])
    )
    return SeasonEvening(entry, f"2026-{entry:02d}-07", f"Evening {entry}", results)


def a_season(*evenings: SeasonEvening, **rule: object) -> Season:
    return Season(name="ZK", rule=SeasonRule.from_json(rule), evenings=evenings)


def table(season: Season) -> list[str]:
    """The ranking as people read it: ``1 Ada 30: 20 (3) –``."""
    return [
        f"{row[0]} {row[1]} {row[2]}: {' '.join(map(str, row[3]))}"
        for section in season_standings(season).sections
        for row in ((line.rank, line.name, line.cells[0], line.cells[1:]) for line in section.rows)
    ]


def reasons(season: Season) -> dict[str, str]:
    return {row.name: " ".join(map(plain, row.why)) for row in ranking(season) if row.why}


# what an evening is worth


def test_season_points_are_those_of_the_evening() -> None:
    season = a_season(an_evening(1, "Ada 30", "Cid 20", "Dag 20"), an_evening(2, "Cid 9", "Ada 1"))
    assert table(season) == ["1 Ada 31: 30 1", "2 Cid 29: 20 9", "3 Dag 20: 20 –"]


@pytest.mark.parametrize(
    ("points", "values"),
    [
        (("A 9", "B 8", "C 7", "D 6", "E 5", "F 4", "G 3"), [20, 17, 15, 13, 12, 11, 10]),
        (("A 9", "B 9", "C 7"), [Fraction(37, 2), Fraction(37, 2), 15]),
        (("A 9", "B 8", "C 8", "D 8"), [20, 15, 15, 15]),
        (("A 9", "B 9", "C 9", "D 8"), [Fraction(52, 3)] * 3 + [13]),
        (tuple(f"P{at} {99 - at}" for at in range(20)), [20, 17, 15, *range(13, 0, -1), 1, 1, 1, 1]),
    ],
)
def test_season_points_by_place_are_shared_by_equals(points: tuple[str, ...], values: list[object]) -> None:
    assert list(values_of(SeasonRule(counts="place"), an_evening(1, *points))) == values


def test_season_points_of_people_beaten() -> None:
    """One for everybody behind, one half for everybody level: their sum is that of all pairs."""
    worth = values_of(SeasonRule(counts="beaten"), an_evening(1, "A 9", "B 8", "C 8", "D 1"))
    assert worth == (3, Fraction(3, 2), Fraction(3, 2), 0)
    assert sum(worth) == 6


def test_figures_are_written_as_people_write_them() -> None:
    shown = [figure(Fraction(*of)) for of in ((17,), (37, 2), (52, 3), (1, 2), (-5, 2), (22, 7))]
    assert shown == [17, "18½", "17⅓", "½", "−2½", "3.14"]


def test_pair_gives_its_points_to_both() -> None:
    season = a_season(
        an_evening(1, "Ada & Cid 30", "Dag & Ian 20", pairs=True),
        an_evening(2, "Ada & Dag 10", "Cid & Ian 30", pairs=True),
    )
    assert table(season)[0] == "1 Cid 60: 30 30"
    assert {line.split()[1] for line in table(season)} == {"Ada", "Cid", "Dag", "Ian"}


# best of so many


def test_season_drops_the_lowest_and_of_equals_the_later() -> None:
    season = a_season(
        an_evening(1, "Ada 30"),
        an_evening(2, "Ada 20"),
        an_evening(3, "Ada 40"),
        an_evening(4, "Ada 20"),
        best=3,
    )
    assert table(season) == ["1 Ada 90: 30 20 40 (20)"]
    twice = a_season(*season.evenings, best=2)
    assert table(twice) == ["1 Ada 70: 30 (20) 40 (20)"]
    assert table(a_season(*season.evenings)) == ["1 Ada 110: 30 20 40 20"]


# ties


def test_equal_totals_are_decided_by_the_best_evenings() -> None:
    """The case of the drawn season: both 260, the best alike, the second-best decides."""
    season = a_season(
        an_evening(1, "Rolf 43", "Bea 36", "Uwe 39"),
        an_evening(2, "Rolf 38", "Bea 43", "Uwe 40"),
        an_evening(3, "Rolf 19", "Bea 21", "Uwe 21"),
    )
    assert [line[:10] for line in table(season)] == ["1 Rolf 100", "2 Bea 100:", "3 Uwe 100:"]
    assert reasons(season) == {
        "Rolf": "Level with Uwe on 100; the best evening decides: 43 against 40. "
        "Level with Bea on 100; the second-best evening decides: 38 against 36.",
        "Bea": "Level with Uwe on 100; the best evening decides: 43 against 40. "
        "Level with Rolf on 100; the second-best evening decides: 36 against 38.",
        "Uwe": "Level with Rolf, Bea on 100; the best evening decides: 40 against 43, 43.",
    }


def test_wholly_equal_people_share_a_place_and_the_next_is_empty() -> None:
    season = a_season(an_evening(1, "Ada 9", "Cid 5", "Dag 5", "Ian 1"))
    assert [line[:5] for line in table(season)] == ["1 Ada", "2 Cid", "2 Dag", "4 Ian"]
    assert reasons(season)["Cid"] == "Shares place 2 with Dag: the same total, evening for evening."


def test_dropped_evenings_decide_no_tie() -> None:
    season = a_season(an_evening(1, "Ada 9", "Cid 9"), an_evening(2, "Ada 5"), best=1)
    assert [line[:5] for line in table(season)] == ["1 Ada", "1 Cid"]


def test_a_missing_evening_counts_as_nothing_in_a_tie() -> None:
    season = a_season(an_evening(1, "Ada 10", "Cid 6"), an_evening(2, "Cid 4", "Dag -1"))
    assert [line[:8] for line in table(season)] == ["1 Ada 10", "2 Cid 10", "3 Dag -1"]
    assert "the best evening decides: 6 against 10" in reasons(season)["Cid"]


# moves


def test_moves_are_against_the_places_before_the_newest_evening() -> None:
    season = a_season(an_evening(1, "Ada 9", "Cid 5", "Dag 1"), an_evening(2, "Dag 9", "Ian 3"))
    assert {row.name: (row.before, row.rank) for row in ranking(season)} == {
        "Dag": (3, 1), "Ada": (1, 2), "Cid": (2, 3), "Ian": (0, 4),
    }  # fmt: skip
    assert all(row.before == 0 for row in ranking(season.before_newest()))


# guests


def test_guests_have_a_list_of_their_own_where_the_rule_says_so() -> None:
    season = a_season(an_evening(1, "Gus 30", "Ada 20", "Cid 10"), counts="place")
    with_guest = replace(season, guests=frozenset({"gus"}))
    assert table(with_guest) == ["1 Gus 20: 20", "2 Ada 17: 17", "3 Cid 15: 15"]
    apart = replace(with_guest, rule=replace(season.rule, guests="apart"))
    assert table(apart) == ["1 Ada 17: 17", "2 Cid 15: 15", "1 Gus 20: 20"]
    assert [section.key for section in season_standings(apart).sections] == ["season", "guests"]


# names


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Jörg Müller", "Joerg Mueller", True),
        ("Jörg Müller", "Jorg Muller", True),
        ("Jörg Müller", "Jörg M.", True),
        ("J. Groß", "Julia Gross", True),
        ("Åsa Öberg", "Aasa Oberg", True),
        ("Bjørn Dahl", "Bjorn Dahl", True),
        ("Hans Peter Meier", "Hans Meier", True),
        ("Karl-Heinz Groß", "karl heinz GROSS", True),
        ("Karl-Heinz Groß", "Karlheinz Groß", True),
        ("Ada Groß-Bär", "Ada Gross Baer", True),
        ("Jörg Müller", "Käthe Müller", False),
        ("Jörg Müller", "Jörg Weiß", False),
        ("Jörg", "Jörg Müller", False),
        ("Jörg M.", "Jörg Weiß", False),
    ],
)
def test_spellings_that_may_be_one_person(one: str, other: str, same: bool) -> None:
    assert may_be_one(one, other) is same and may_be_one(other, one) is same


def test_names_that_differ_in_case_and_spaces_are_one_person() -> None:
    season = a_season(an_evening(1, "jörg  müller 9"), an_evening(2, "Jörg Müller 5"))
    assert table(season) == ["1 Jörg Müller 14: 9 5"]


def test_doubts_show_what_joining_would_change_and_never_join_by_themselves() -> None:
    season = a_season(
        an_evening(1, "Joerg Müller 9", "Ada Berg 12"),
        an_evening(2, "Jörg M. 5", "Ada Berg 1"),
        an_evening(3, "Jörg Weiß 5", "Joerg Müller 1"),
    )
    (doubt,) = doubts(season)
    assert {doubt.one, doubt.other} == {"Joerg Müller", "Jörg M."}
    assert (doubt.together.total, doubt.together.rank) == (15, 1)
    assert sorted((row.total, row.rank) for row in doubt.apart) == [(5, 3), (10, 2)]
    assert len(table(season)) == 4
    decided = replace(season, different=frozenset({frozenset({"joerg müller", "jörg m."})}))
    assert doubts(decided) == ()
    joined = with_join(season, 9, "Jörg Müller", ["Jörg M.", "Joerg Müller"])
    assert doubts(joined) == () and table(joined)[0] == "1 Jörg Müller 15: 9 5 1"


def test_people_of_one_evening_are_never_asked_about() -> None:
    season = a_season(an_evening(1, "Jörg Müller 9", "Joerg Mueller 5"))
    assert doubts(season) == ()


def test_joins_grow_together() -> None:
    season = a_season(an_evening(1, "A B 1"), an_evening(2, "A C 2"), an_evening(3, "A D 4"))
    first = with_join(season, 7, "A B", ["A B", "A C"])
    both = with_join(first, 8, "A D", ["A C", "A D"])
    assert table(both) == ["1 A D 7: 1 2 4"] and [join.entry for join in both.joins] == [8]


# rules that cannot be


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"counts": "luck"}, "counts is points or place or beaten, not luck"),
        ({"guests": "out"}, "guests is ranked or apart, not out"),
        ({"best": -1}, "best is -1; it must be between 0 and 100"),
        ({"best": True}, "best is True"),
        ({"scale": []}, "whole numbers that do not rise"),
        ({"scale": [3, 5]}, "whole numbers that do not rise"),
        ({"bonus": 3}, "there is no option bonus here"),
    ],
)
def test_rules_that_cannot_be_are_refused(rule: dict[str, object], said: str) -> None:
    with pytest.raises(Refusal, match=said):
        SeasonRule.from_json(rule)


# the evenings' own files


def published_evening(
    path: Path, people: list[str] | None = None, word: str = "abcd", **options: object
) -> Office:
    """A published evening of one series, its numbers drawn by its own name."""
    settings = {"series": 1, "games": 1, "cup": False, **options}
    office = evening(path, people or NAMES, plan=False, **settings)  # type: ignore[arg-type]
    office.draw("Ellen", path.name)
    office.plan("Ellen", seconds=0.1)
    settle_all(office, word)
    office.act("Ellen", "published")
    return office


def log_of(office: Office) -> EveningLog:
    return evening_log(office.log_bytes())


def started(path: Path, *offices: Office, **rule: object) -> SeasonFile:
    season = SeasonFile(path / "zk.season")
    season.begin("ZK 2026", SeasonRule.from_json(rule), "Ellen")
    for at, office in enumerate(offices, 1):
        season.add("Ellen", log_of(office), f"2026-{at:02d}-07")
    return season


def test_an_evening_is_recomputed_from_its_own_log(tmp_path: Path) -> None:
    office = published_evening(tmp_path / "one")
    state = office.open().tournament
    rows = state.format.standings(state).sections[0].rows
    assert [(result.names, result.place, result.points) for result in evening_results(state)] == [
        ((row.name,), row.rank, row.cells[0]) for row in rows
    ]


def test_withdrawal_before_the_first_game_is_no_evening(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", [*NAMES, "Eve", "Fay", "Gus"], series=2, games=1, cup=False, plan=False)
    office.withdraw("Ellen", office.open().tournament.find("Gus"), "1")
    office.plan("Ellen", seconds=0.1)
    office.withdraw("Ellen", office.open().tournament.find("Fay"), "2", reason="home")
    state = office.open().tournament
    names = {name for result in evening_results(state) for name in result.names}
    assert names == {*NAMES, "Eve", "Fay"}


def test_a_cup_ranks_those_of_the_pools_behind(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", [f"{a}1 & {a}2" for a in "ABCD"], "tuppi", pools=1, through=2)
    for key in office.open().tournament.missing():
        settle(office, key, "A56")
    office.plan("Ellen")
    settle(office, "C1.1", "B56")
    results = evening_results(office.open().tournament)
    assert [result.place for result in results] == [1, 2, 3, 4]
    assert all(result.points is not None for result in results)


def test_an_evening_whose_lowest_sum_wins_has_no_season_points(tmp_path: Path) -> None:
    office = published_evening(tmp_path / "low", lowest=True, place_points=(0, 1, 2, 3, 4))
    with pytest.raises(Refusal, match="let places count, or people beaten"):
        started(tmp_path, office)
    (tmp_path / "zk.season").unlink()
    season = started(tmp_path, office, counts="place").open().season
    assert [row.total for row in ranking(season)] == [20, 17, 15, 13]


def test_evening_is_added_only_when_published(tmp_path: Path) -> None:
    office = evening(tmp_path / "t", NAMES, series=1, games=1)
    with pytest.raises(Refusal, match="the result of Evening is not published yet"):
        log_of(office)


def test_the_same_evening_twice_is_refused_and_another_version_too(tmp_path: Path) -> None:
    office = published_evening(tmp_path / "one")
    season = started(tmp_path, office)
    with pytest.raises(Refusal, match="already in the season, and nothing was added"):
        season.add("Ellen", log_of(office))
    fork = Office(tmp_path / "fork")
    fork.take(office.open().log.events[:-1])
    fork.act("Ina", "published")
    with pytest.raises(Refusal, match="another version of an evening in the season; it differs from line"):
        season.add("Ellen", log_of(fork))


def test_corrections_of_an_evening_are_followed(tmp_path: Path) -> None:
    office = published_evening(tmp_path / "one")
    season = started(tmp_path, office)
    before = table(season.open().season)
    office.correct("Uwe", "1.1", ("dcba",), "misread")
    office.act("Ellen", "seconded", entry=len(office.open().log.events))
    season.add("Ellen", log_of(office))
    opened = season.open()
    assert table(opened.season) != before and opened.season.evenings[0].revision == 2
    assert opened.season.evenings[0].date == "2026-01-07"
    assert len(opened.state.logs) == 1
    assert all(check.good for check in verify_season(opened, evenings=[log_of(office)]))


def test_exported_evenings_are_read_like_their_files(tmp_path: Path) -> None:
    office = published_evening(tmp_path / "one")
    write(tmp_path / "one.json", office.open())
    assert evening_file(tmp_path / "one.json").lines == log_of(office).lines
    data = (tmp_path / "one.json").read_bytes()
    (tmp_path / "one.json").write_bytes(data.replace("Åsa".encode(), "Äsa".encode()))
    with pytest.raises(Damaged) as damaged:
        evening_file(tmp_path / "one.json")
    assert damaged.value.where.endswith("one.json, line 2")
    (tmp_path / "one.json").write_bytes(data[:200])
    with pytest.raises(Refusal, match="not a complete export"):
        evening_file(tmp_path / "one.json")


def test_joined_names_that_meet_at_an_evening_are_two_people(tmp_path: Path) -> None:
    one, two = (
        published_evening(tmp_path / "one"),
        published_evening(tmp_path / "two", ["Ada Berg", "Åsa", "Cid", "Dag"]),
    )
    season = started(tmp_path, one, two)
    season.act("Ellen", "joined", name="Ada Berg", spellings=["Ada", "Ada Berg"])
    with pytest.raises(
        Refusal, match=r"(Cid and Dag|Dag and Cid) both played on 2026-01-07; they are two people"
    ):
        season.act("Ellen", "joined", name="Cid", spellings=["Cid", "Dag"])
    three = published_evening(tmp_path / "three", ["Ada Berg", "Ada", "Cid", "Dag"])
    with pytest.raises(Refusal, match="both played on 2026-03-07"):
        season.add("Ellen", log_of(three), "2026-03-07")
    season.act("Ellen", "separated", entry=4)
    season.add("Ellen", log_of(three), "2026-03-07")
    with pytest.raises(Refusal, match="entry 4 joins nobody"):
        season.act("Ellen", "separated", entry=4)


@pytest.mark.parametrize(
    ("do", "fields", "said"),
    [
        ("joined", {"name": "X", "spellings": ["Ada", "Nobody"]}, "there is no player Nobody"),
        ("joined", {"name": "X", "spellings": ["Ada", "ADA"]}, "name two people who are one"),
        ("different", {"names": ["Ada", "ada"]}, "name two people"),
        ("guests", {"names": ["Nobody"], "on": True}, "there is no player Nobody"),
        ("removed", {"entry": 9}, "entry 9 is not an evening"),
        ("revoked", {"entry": 9}, "entry 9 is not a link in force"),
        ("rule", {"rule": {}}, "these options are already in force"),
        ("flown", {}, "this version does not know the event flown"),
        ("evening", {"date": "yesterday", "lines": ["x"]}, "yesterday is not a day"),
    ],
)
def test_season_refuses_impossible_entries(
    tmp_path: Path, do: str, fields: dict[str, object], said: str
) -> None:
    season = started(tmp_path, published_evening(tmp_path / "one"))
    size = season.path.stat().st_size
    with pytest.raises(Refusal, match=said):
        season.act("Ellen", do, **fields)
    assert season.path.stat().st_size == size


def full_season(tmp_path: Path) -> OpenedSeason:
    season = started(
        tmp_path,
        published_evening(tmp_path / "one"),
        published_evening(tmp_path / "two", word="badc"),
        counts="place",
        best=1,
    )
    season.act("Ellen", "guests", names=["Dag"], on=True)
    season.act("Ellen", "different", names=["Ada", "Cid"])
    _, secret = season.admit("Ellen", "Ellen")
    assert secret.encode() not in season.path.read_bytes()
    return season.open()


def test_a_season_file_is_found_out_by_every_flipped_bit(tmp_path: Path) -> None:
    opened = full_season(tmp_path)
    path = tmp_path / "zk.season"
    data, rng = path.read_bytes(), random.Random(7)
    for _ in range(int(os.environ.get("NOUSU_FLIPS", "400"))):
        at = rng.randrange(len(data))
        changed = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        path.write_bytes(changed)
        try:
            found = SeasonFile(path).open()
        except Refusal:
            continue
        assert found.damage is not None or len(found.log.events) < len(opened.log.events) or found.log.unended
    path.write_bytes(data)
    assert all(check.good for check in verify_season(opened))


def test_full_disk_speaks_of_no_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = full_season(tmp_path)
    season = SeasonFile(tmp_path / "zk.season")
    for number, why in ((errno.ENOSPC, ", because the disk is full"), (errno.EIO, ": Input/output error")):

        def failing(handle: int, error: OSError = OSError(number, "Input/output error")) -> None:
            raise error

        with monkeypatch.context() as patch, pytest.raises(Refusal) as raised:
            patch.setattr(os, "fsync", failing)
            season.admit("Ellen", "Uwe")
        said = f"nothing was stored in {season.path}{why}; everything is as it was before"
        assert str(raised.value) == said and season.open() == opened


def test_verify_finds_a_ranking_that_the_evenings_do_not_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = full_season(tmp_path)
    monkeypatch.setattr("nousu.tournament.season_file.core", lambda season: [*core(season), "planted"])
    bad = [check for check in verify_season(opened) if not check.good]
    assert [plain(check.said) for check in bad] == [
        "the ranking is not what the evenings give: 1, 2, 3, 4, 5, 6"
    ]


def test_verify_knows_which_files_are_in_a_season(tmp_path: Path) -> None:
    opened = full_season(tmp_path)
    other = log_of(published_evening(tmp_path / "three"))
    bad = [check for check in verify_season(opened, evenings=[other]) if not check.good]
    assert "this file is not in the season" in plain(bad[0].said)
    head = opened.log.head
    assert all(check.good for check in verify_season(opened, head[:12]))
    assert not all(check.good for check in verify_season(opened, "0" * 12))


def test_other_readers_refuse_a_season_and_a_season_refuses_other_files(tmp_path: Path) -> None:
    full_season(tmp_path)
    path = tmp_path / "zk.season"
    assert is_season(path.read_bytes()) and not is_season((tmp_path / "one").read_bytes())
    with pytest.raises(Refusal, match="does not begin as a tournament of this version does"):
        Office(path).open()
    with pytest.raises(Refusal, match="does not begin as a season of this version does"):
        SeasonFile(tmp_path / "one").open()
    with pytest.raises(Refusal, match="not begin as a tournament"):
        evening_file(path)
    assert verify(Office(tmp_path / "one").open())


def test_a_season_is_the_same_after_every_reading(tmp_path: Path) -> None:
    opened = full_season(tmp_path)
    states = list(season_states(opened.log.events))
    assert len(states) == 6 and core(states[-1].season) == core(opened.season)


def test_exports_of_a_season(tmp_path: Path) -> None:
    opened = full_season(tmp_path)
    shown = to_csv(season_standings(opened.season)).splitlines()
    assert shown[0] == "rank;number;name;team;points;2026-01-07;2026-02-07;why"
    assert shown[1].startswith("1;;Ada;;20;(17);20;Shares place 1 with Dag")
    assert to_xlsx(season_standings(opened.season)).startswith(b"PK")
    assert '"guest": true' in season_to_json(opened)
    for ending in ("csv", "xlsx", "json"):
        write_season(tmp_path / f"zk.{ending}", opened)
        assert (tmp_path / f"zk.{ending}").stat().st_size > 200
    with pytest.raises(Refusal, match=r"a \.csv, \.xlsx or \.json file"):
        write_season(tmp_path / "zk.pdf", opened)
