"""``nousu tournament``: a hall evening from the first name to the cup, and the answers for programs."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nousu.cli import app
from nousu.i18n import LANGUAGES, translator
from nousu.tournament.links import link_of, person_keys
from nousu.tournament.office import Office
from tools import collect_messages
from tournament_fixtures import evening, settle_all

T9 = "A8 A8 B B12 B8 A A8 B B4 A A4 B A4 B B4 A"
NAMES = "Aino\nEino\n\nVäinö;Kemi\nÄrnst Groß\nÅsa\nUwe\nKalle\nIlma\n"


class Desk:
    """The command, run again and again on one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runner = CliRunner(env={"NOUSU_BY": "Ellen", "COLUMNS": "160"})

    def run(self, command: str, *words: str, input: str | None = None, ok: bool = True) -> Result:
        """Run one command on the file; it must succeed, or fail with exit code 1 and a reason."""
        result = self.runner.invoke(app, ["tournament", command, str(self.path), *words], input=input)
        assert result.exit_code == (0 if ok else 1), result.output + result.stderr
        if not ok:
            assert result.stderr.strip()
        return result

    def json(self, command: str, *words: str, ok: bool = True) -> Any:
        """The answer in JSON."""
        result = self.runner.invoke(app, ["tournament", command, str(self.path), *words, "--json"])
        assert result.exit_code == (0 if ok else 1), result.output
        return json.loads(result.stdout)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "evening.tournament")


def _begin(desk: Desk, *options: str) -> None:
    desk.run("new", "--name", "ZK Tuppen", *options)
    desk.run("players", "--paste", input=NAMES)
    desk.run("draw", "--seed", "3 5 1")
    desk.run("plan", "--seconds", "0.2")


def test_evening_from_the_first_name_to_the_cup(desk: Desk) -> None:
    assert (
        "ZK Tuppen is open"
        in desk.run("new", "--name", "ZK Tuppen", "-o", "series=2", "-o", "games=1").stdout
    )
    outcome = desk.run("players", "--paste", input=NAMES).stdout
    assert "Empty lines ignored: 3" in outcome and "8 entered." in outcome
    assert "numbers have not been drawn yet" in outcome
    assert "Drawn by the seed: 3 5 1" in desk.run("draw", "--seed", "3 5 1").stdout
    outcome = desk.run("plan").stdout
    assert "Repeated meetings: 4 (no plan with these tables has fewer than 4)." in outcome
    outcome = desk.run("slips", "--round", "1").stdout
    assert "ZK Tuppen   table 1.1" in outcome and "Missing slips (2): 1.1, 1.2" in outcome
    outcome = desk.run("enter", "1.1", "bdac").stdout
    assert "Stored 1.1" in outcome and "Missing slips (1): 1.2" in outcome
    assert "out by a penalty (IV7)" in desk.run("enter", "1.2", "-c!IV7,b=d").stdout
    assert "a second person must confirm it" in desk.run("confirm", "1.1", ok=False).stderr
    desk.run("confirm", "1.1", "--by", "Uwe")
    assert "this differs" in desk.run("confirm", "1.2", "abcd", "--by", "Uwe", ok=False).stderr
    desk.run("confirm", "1.2", "--by", "Uwe")
    assert "Accepted: 1.1, 1.2" in desk.run("accept").stdout
    assert "2 slips are missing: 2.1, 2.2" in desk.run("publish", ok=False).stderr
    many = desk.run("enter", input="2.1 abcd\n\n2.2 abcc\n2.2 5,3,2,1\n9.9 abc\n", ok=False)
    assert "Stored 2.1" in many.stdout and "Stored 2.2" in many.stdout
    assert "line 3, game 1: " in many.stderr and "line 5, table: there is no table 9.9" in many.stderr
    for table in ("2.1", "2.2"):
        desk.run("confirm", table, "--by", "Uwe")
    desk.run("accept", "2.1", "2.2")
    if "A play-off (Stechen) among" in desk.run("standings").stdout:
        seats = desk.json("stechen")["rounds"]["S1"][0]["numbers"]
        desk.run("enter", "S1.1", "abcdefgh"[: len(seats)])
        desk.run("confirm", "S1.1", "--by", "Uwe")
        desk.run("accept")
    outcome = desk.run("publish").stdout
    assert "Published, revision 1" in outcome and "The cup goes to" in outcome
    outcome = desk.run("correct", "1.1", "abcd", "--reason", "upside down").stdout
    assert "this counts when a second person confirms it" in outcome
    outcome = desk.run("table", "1.1").stdout
    assert outcome.count("Game 1:") == 1
    entry = desk.json("log")["log"][-1]["n"]
    desk.run("confirm", "--entry", str(entry), ok=False)
    assert "counts now" in desk.run("confirm", "--entry", str(entry), "--by", "Uwe").stdout
    assert "Published, revision 2" in desk.run("standings").stdout
    assert "upside down" in desk.run("table", "1.1").stdout
    outcome = desk.run("verify").stdout
    assert outcome.count("ok   ") == 4 and "WRONG" not in outcome
    assert "second person" not in desk.run("log").stdout.splitlines()[0]


def test_answers_for_programs(desk: Desk, tmp_path: Path) -> None:
    """Every command speaks JSON: what was done, what is missing, the state of the file."""
    _begin(desk, "-o", "series=1")
    answer = desk.json("players")
    assert [one["name"] for one in answer["people"]][:1] != [] and answer["seed"] == "3 5 1"
    plan = desk.json("plan", "--show")
    assert plan["missing"] == ["1.1", "1.2"] and plan["plan"]["repeats"] == 0
    assert sorted(n for table in plan["rounds"]["1"] for n in table["numbers"]) == list(range(1, 9))
    answer = desk.json("enter", "1.1", "abcd", "abcd")
    assert answer["results"]["1.1"]["state"] == "entered" and answer["to_do"]
    answer = desk.json("enter", "1.1", "abcd", "abcd", ok=False)
    assert answer["errors"] == [
        "table: the slip of table 1.1 was already entered by Ellen; a correction with a reason can change it"
    ]
    answer = desk.json("table", "1.1")
    assert [one["what"] for one in answer["trail"]] == ["entered"] and len(answer["seats"]) == 4
    standings = desk.json("standings")["standings"]
    assert standings["sections"][0]["columns"] == ["points", "1"]
    assert len(desk.json("slips")["slips"]) == 2
    head = desk.json("log")["head"]
    assert all(check["ok"] for check in desk.json("verify", "--head", head[:12])["checks"])
    answer = desk.json("verify", "--head", "feedfeedfeed", ok=False)
    assert [check["ok"] for check in answer["checks"]][-1] is False and answer["errors"]
    answer = desk.json("publish", ok=False)
    assert answer["errors"]
    out = tmp_path / "out.json"
    assert desk.json("export", "--to", str(out))["messages"] == [f"Written: {out}"]
    again = Desk(tmp_path / "again")
    again.run("new", "--from", str(out))
    assert again.run("standings", "--csv").stdout == desk.run("standings", "--csv").stdout


def test_people_come_and_go(desk: Desk, tmp_path: Path) -> None:
    desk.run("new")
    desk.run("players", "Aino", "Eino;Kemi")
    listed = tmp_path / "list.csv"
    listed.write_bytes("Name,Verein\r\nÄrnst,ZK\r\nUwe,\r\n".encode("cp1252"))
    outcome = desk.run("players", "--list", str(listed)).stdout
    assert "read as Windows-1252" in outcome and "Line 1 was read as a heading" in outcome
    assert (
        "line 2: aino is already entered"
        in desk.run("players", "--paste", input="Ida\naino\n", ok=False).stderr
    )
    assert "Aino is now Aina" in desk.run("players", "--rename", "aino", "--to", "Aina").stdout
    assert "Eino is off the list" in desk.run("players", "--strike", "Eino").stdout
    assert "there is no player Zoe" in desk.run("players", "--strike", "Zoe", ok=False).stderr
    assert "give one new name" in desk.run("players", "--rename", "uwe", "--to", "A\nB", ok=False).stderr
    desk.run("draw")
    desk.run("plan", "--seconds", "0.1")
    desk.run("slips", "--round", "1")
    desk.run("begin-round", "1")
    assert "no longer plays from series 2 on" in desk.run("withdraw", "Uwe", "--reason", "ill").stdout
    desk.run("players", "Ina", "Ole")
    outcome = desk.run("plan", "--seconds", "0.1").stdout
    assert "Planned: 2, 3, 4, 5" in outcome and "Series 1 " not in outcome
    outcome = desk.run("undo").stdout
    assert "is undone" in outcome and "no longer fits from series 2 on (Uwe, Ina, Ole)" in outcome
    assert "withdrawn from series 2" in desk.run("players").stdout


def test_penalties_and_forfeits(desk: Desk) -> None:
    _begin(desk)
    seat = desk.json("plan", "--show")["rounds"]["1"][0]["names"][0]
    outcome = desk.run("penalty", seat, "IV2", "--table", "1.1", "--game", "1").stdout
    assert "IV2 (die not turned down" in outcome
    assert "say why" in desk.run("penalty", "1", "I6", "--points", "-3", ok=False).stderr
    desk.run("penalty", "1", "I6", "--points", "-3", "--reason", "rude")
    assert "Director’s ruling: −3 (rude)." in desk.run("standings").stdout
    assert "IV2" in desk.run("table", "1.1").stdout
    assert "nobody forfeits" in desk.run("forfeit", "1.1", seat, "--reason", "x", ok=False).stderr


def test_championship_on_the_command_line(desk: Desk) -> None:
    desk.run("new", "--format", "tuppi", "-o", "preset=tuppi_tournament", "-o", "pools=1", "-o", "through=2")
    desk.run("players", "Aino & Eino", "Väinö;Ilma", "Olli ja Olga")
    desk.run("draw", "--seed", "x")
    desk.run("plan")
    outcome = desk.run("slips", "--round", "1").stdout
    assert "16 ____" in outcome and "highest rises A ____ B ____" in outcome
    tables = desk.json("plan", "--show")["missing"]
    assert "late" not in desk.run("late", tables[0], "1" if _sits(desk, tables[0], 1) else "2").stderr
    for table in tables:
        desk.run("enter", table, *T9.split())
        desk.run("confirm", table, "32:24", "peaks=16:20", "hands=16", "--by", "Uwe", ok=False)
        desk.run("confirm", table, "32:28", "peaks=16:20", "hands=16", "--by", "Uwe")
    desk.run("plan")
    assert "hand 2: no hand scores 5 points" in desk.run("enter", "C1.1", "A8", "A5", ok=False).stderr
    first = desk.json("plan", "--show")["rounds"]["C1"][0]["names"][0]
    desk.run("forfeit", "C1.1", first, "--reason", "went home")
    desk.run("confirm", "C1.1", "--by", "Uwe")
    desk.run("accept")
    assert "Lost to" in desk.run("publish").stdout


def _sits(desk: Desk, table: str, number: int) -> bool:
    return any(one["number"] == number for one in desk.json("table", table)["seats"])


def test_drive_on_the_command_line(desk: Desk) -> None:
    desk.run(
        "new", "--format", "drive", "-o", "preset=norwegian_catsatcards", "-o", "rounds=1", "-o", "lowest=yes"
    )
    desk.run("players", "A & B", "C & D", "E & F")
    desk.run("draw")
    desk.run("plan")
    assert "sits out" in desk.run("plan", "--show").stdout
    outcome = desk.run("enter", "1.1", "12", "-3").stdout
    assert "12" in outcome and "−3" in outcome
    desk.run("confirm", "1.1", "12", "-3", "--by", "Uwe")
    assert "-3" in desk.run("standings").stdout
    assert "points ________" in desk.run("slips").stdout


def test_draw_script_is_handed_out(desk: Desk) -> None:
    result = desk.runner.invoke(app, ["tournament", "draw", "--script"])
    assert result.exit_code == 0 and result.stdout.startswith('"""Drawing by a public seed')
    compile(result.stdout, "draw.py", "exec")
    assert desk.runner.invoke(app, ["tournament", "draw"]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "skat"), "format: there is no format skat; the formats are tuppen, tuppi, drive"),
        (("-o", "series=many"), "option: series cannot be many; it is written like 5"),
        (("-o", "colour=red"), "option: there is no option colour=red here"),
        (("-o", "lowest=perhaps"), "option: lowest cannot be perhaps"),
        (("-o", "place_points=5,3"), "place_points: a table of 5 needs as many place points; given: 2"),
        (("--format", "tuppi", "-o", "preset=skat"), "rule set: there is no preset ‘skat’"),
        (("--name", "\u202e"), "name: "),
    ],
)
def test_bad_options_are_named(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.run("new", *words, ok=False).stderr
    assert not desk.path.exists()


def test_errors_of_files_and_names(desk: Desk, tmp_path: Path) -> None:
    assert "There is no tournament file" in desk.run("standings", ok=False).stderr
    desk.path.write_bytes(b"not a tournament\n")
    assert "line 1: this line is not as it was written" in desk.run("standings", ok=False).stderr
    desk.path.unlink()
    _begin(desk)
    desk.run("new", ok=False)
    nobody = CliRunner(env={"NOUSU_BY": ""})
    result = nobody.invoke(app, ["tournament", "enter", str(desk.path), "1.1", "abcd", "abcd"])
    assert result.exit_code == 1 and "say who is doing this" in result.stderr
    assert "No slip was given" in desk.run("confirm", ok=False).stderr
    assert "No slip is waiting" in desk.run("accept", ok=False).stderr
    assert "no table is planned" in desk.run("slips", "--round", "9", ok=False).stderr
    assert "is a folder" in Desk(tmp_path).run("standings", ok=False).stderr


def test_simulating_events(tmp_path: Path) -> None:
    """The command plays real cards, draws the picture, and says what it cannot do."""
    runner = CliRunner()
    plot = tmp_path / "events.svg"
    words = [
        "tournament",
        "simulate",
        "tuppen",
        "--players",
        "4",
        "--runs",
        "2",
        "-o",
        "series=1",
        "-o",
        "games=1",
    ]
    outcome = runner.invoke(app, [*words, "--plot", str(plot)])
    assert (
        outcome.exit_code == 0
        and "2 events in" in outcome.stdout
        and plot.read_text("utf-8").startswith("<svg")
    )
    first, again = (json.loads(runner.invoke(app, [*words, "--json"]).stdout) for _ in range(2))
    assert first | {"seconds": 0} == again | {"seconds": 0}
    assert first["runs"] == 2 and first["points_by_table_size"]["4"]["mean"] == 2.75
    for wrong, said in (
        (["--strong", "deepthought"], "there is no player"),
        (["-o", "colour=red"], "there is no option"),
        (["--plot", str(tmp_path / "no" / "where.svg")], "cannot be written"),
    ):
        result = runner.invoke(app, [*words, *wrong])
        assert result.exit_code == 1 and said in result.stderr


def output_in(desk: Desk, language: str, *words: str, input: str | None = None) -> str:
    """All that a command says in that language."""
    command, *rest = words
    arguments = ["tournament", "--lang", language, command, str(desk.path), *rest]
    result = desk.runner.invoke(app, arguments, input=input)
    assert result.exit_code in (0, 1), result.output
    return result.stdout + result.stderr


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_evening_in_the_language_of_the_club(desk: Desk, language: str, tmp_path: Path) -> None:
    """Every sentence, heading and refusal is translated; what programs and other clubs read is not."""
    say = translator(language)
    outcome = [
        output_in(desk, language, *words, input=text)
        for words, text in (
            (("standings",), None),
            (("new", "--name", "ZK", "-o", "series=1", "-o", "games=1"), None),
            (("players", "--paste"), NAMES),
            (("players", "--paste"), "Aino\nBo;x;y;z\n"),
            (("players", "--strike", "Zoe"), None),
            (("draw", "--seed", "3 5 1"), None),
            (("plan",), None),
            (("plan", "--from", "9"), None),
            (("slips",), None),
            (("enter",), "1.1 abcd\n1.2 abcc\n1.2 5,3,2,1\n9.9 abc\n1.2 abcd\n"),
            (("publish",), None),
            (("confirm", "1.1"), None),
            (("confirm", "1.1", "--by", "Uwe"), None),
            (("confirm", "1.2", "--by", "Uwe", "bacd"), None),
            (("confirm", "1.2", "--by", "Uwe"), None),
            (("accept",), None),
            (("accept",), None),
            (("penalty", "1", "IV2", "--table", "1.1"), None),
            (("penalty", "1", "IX"), None),
            (("withdraw", "2"), None),
            (("table", "1.1"), None),
            (("standings",), None),
            (("publish",), None),
            (("stechen",), None),
            (("undo", "99"), None),
            (("verify", "--head", "abc"), None),
            (("log",), None),
        )
    ]
    plain = {
        one for (one, *_) in collect_messages.said() if " " in one and "{" not in one and say(one) != one
    }
    for text in outcome:
        assert "{" not in text.replace('{"', "")
        lines = {part.strip(" .") for line in text.splitlines() for part in re.split(r"[:;│┃\[(]", line)}
        assert lines & plain == set()
    whole = "\n".join(outcome)
    for message in (
        "Standings",
        "rank",
        "Series {round}",
        "ok",
        "line {number}",
        "Missing slips ({count}): {listed}",
    ):
        assert say(message).split("{")[0] in whole, message
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    output_in(desk, language, "export", "--to", str(one))
    output_in(desk, "en", "export", "--to", str(other))
    assert one.read_bytes() == other.read_bytes()
    assert desk.json("standings")["standings"]["sections"][0]["title"].startswith("Standings")


def test_language_comes_from_the_environment_too(desk: Desk) -> None:
    desk.runner.env["NOUSU_LANG"] = "de"
    assert desk.run("standings", ok=False).stderr.startswith("Es gibt keine Turnierdatei")
    desk.runner.env = {"LANG": "sv_FI.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}
    assert desk.run("standings", ok=False).stderr.startswith("Turneringsfilen")
    wrong = desk.runner.invoke(app, ["tournament", "--lang", "xx", "standings", str(desk.path)])
    assert wrong.exit_code == 2 and "the languages are fi, en, sv, nb, de" in wrong.stderr


def test_log_speaks_in_words_and_local_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _begin(desk, "-o", "series=1")
    desk.run("enter", "1,1", "5321", "1235")
    desk.run("undo", "--reason", "wrong table")
    outcome = desk.run("log").stdout
    assert "entered the slip of table 1.1" in outcome and "took entry 5 back (reason: wrong table)" in outcome
    assert "put plan 1 into force for series 1" in outcome and '{"' not in outcome and "+00:00" not in outcome
    desk.runner.env["NOUSU_LANG"] = "fi"
    assert "kirjasi pöydän 1.1 lipukkeen" in desk.run("log").stdout


def test_output_is_as_wide_as_asked(desk: Desk) -> None:
    _begin(desk, "-o", "series=1")
    for words, env, wide in (((), "70", 70), (("--width", "50"), "70", 50)):
        desk.runner.env["COLUMNS"] = env
        result = desk.runner.invoke(app, ["tournament", *words, "log", str(desk.path)])
        lines = [line for line in result.stdout.splitlines() if line.startswith(("│", "┃", "┏"))]
        assert lines and max(map(len, lines)) <= wide


def test_batches_copies_and_salvage_by_command(desk: Desk, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    _begin(desk, "-o", "series=1")
    desk.runner.env["NOUSU_COPY"] = str(stick)
    desk.run("enter", input="1,1 abcd dcba\n1,2 5321 abcd\n")
    assert "Confirmed 1.1, 1.2" in desk.run("confirm", "--all", "--by", "Uwe").stdout
    assert (stick / desk.path.name).read_bytes() == desk.path.read_bytes()
    desk.runner.env.pop("NOUSU_COPY")
    data = bytearray(desk.path.read_bytes())
    data[-200] ^= 1
    desk.path.write_bytes(bytes(data))
    outcome = desk.run("standings")
    assert "nothing can be added" in outcome.stderr
    assert "is not as it was written" in desk.run("undo", ok=False).stderr
    desk.run("verify", ok=False)
    desk.run("salvage", "--to", str(tmp_path / "saved"), "--from", str(stick / desk.path.name))
    assert (tmp_path / "saved").read_bytes() == (stick / desk.path.name).read_bytes()
    answer = desk.json("salvage", "--to", str(tmp_path / "other"))
    assert answer["entries"] and isinstance(answer["lost"], list)


def test_paper_is_written_and_slips_are_noted_as_printed(desk: Desk, tmp_path: Path) -> None:
    _begin(desk, "-o", "series=2")
    out = tmp_path / "out.pdf"
    for kind in ("plan", "cards", "own", "results"):
        assert f"Written: {out}" in desk.run(
            "print", kind, "-o", str(out), "--paper", "letter"
        ).stdout.replace("\n", "")
        assert out.read_bytes().startswith(b"%PDF-")
    entries = desk.json("log")["log"]
    desk.run("print", "slips", "-o", str(out), "--round", "1", "--address", "http://hall/{table}/{plan}")
    assert [one["do"] for one in desk.json("log")["log"][len(entries) :]] == ["printed"]
    assert (
        "Missing slips (2): 1.1, 1.2" in desk.run("print", "slips", "-o", str(out), "--table", "1,2").stdout
    )
    assert len(desk.json("log")["log"]) == len(entries) + 1  # a second print of a slip changes nothing
    outcome = desk.run("print", "flags", "-o", str(out), ok=False).stderr
    assert "what to print: there is no paper called flags" in outcome
    outcome = desk.run("print", "plan", "-o", str(out), "--language", "xx", ok=False).stderr
    assert "xx is not one of our languages; choose one of fi, en, sv, nb, de" in outcome
    assert (
        "round: round 7 is not planned"
        in desk.run("print", "slips", "-o", str(out), "--round", "7", ok=False).stderr
    )
    outcome = desk.run("print", "plan", "-o", str(tmp_path / "none" / "out.pdf"), ok=False).stderr
    assert "cannot be written" in outcome


def test_door_is_kept_by_command_and_who_is_missing_is_struck_off(desk: Desk) -> None:
    desk.run("new")
    desk.run("players", "--paste", input=NAMES)
    names = [one["name"] for one in desk.json("players")["people"]]
    assert "Not here yet: –" in desk.run("door").stdout
    assert f"Not here yet: {', '.join(names[2:])}" in desk.run("door", *names[:2]).stdout
    desk.run("door", *names[2:-1])
    assert f"Not here yet: {names[0]}, {names[-1]}" in desk.run("door", names[0], "--not").stdout
    assert "there is no player Nobody" in desk.run("door", "Nobody", ok=False).stderr
    assert f"Taken off the list: {names[0]}, {names[-1]}" in desk.run("door", "--strike").stdout
    assert [one["name"] for one in desk.json("players")["people"]] == names[1:-1]


def test_command_sets_the_start_of_a_round(desk: Desk) -> None:
    _begin(desk)
    assert "Series 2 begins at 19:45." in desk.run("start-time", "2", "19:45").stdout
    assert Office(desk.path).open().tournament.starts == {"2": "19:45"}
    assert "is not a time; write it like 19:45" in desk.run("start-time", "2", "7 pm", ok=False).stderr
    assert "series 9 is not planned" in desk.run("start-time", "9", "19:45", ok=False).stderr
    desk.run("starts", "2")  # the name of earlier versions
    assert Office(desk.path).open().tournament.starts == {}
    assert "Series 1 has begun." in desk.run("begin", "1").stdout
    assert Office(desk.path).open().tournament.next_round() == "2"


def test_programme_is_set_shown_and_cleared_by_command(desk: Desk) -> None:
    desk.run("new")
    said = "Programme of the evening: 19:30 Series 1, 21:15 Break"
    assert said in desk.run("programme", "19:30 Series 1", "21.15 Uhr Break").stdout
    assert said in desk.run("programme").stdout
    assert "is not a time; write it like 19:45" in desk.run("programme", "later", ok=False).stderr
    assert Office(desk.path).open().tournament.programme == (("19:30", "Series 1"), ("21:15", "Break"))
    desk.run("programme", "--clear")
    assert Office(desk.path).open().tournament.programme == ()


def test_protest_time_is_set_where_the_result_is_published(desk: Desk) -> None:
    office = evening(desk.path, "ABCD", series=1, games=1, cup=False)
    settle_all(office)
    assert "is not a time" in desk.run("publish", "--contest", "soon", ok=False).stderr
    said = desk.run("publish", "--contest", "22:15").stdout
    assert "The result can be contested until 22:15." in said
    assert Office(desk.path).open().tournament.publications[-1].contest == "22:15"


def test_season_is_directed_by_a_second_person_with_a_link(desk: Desk) -> None:
    season = str(desk.path.with_name("zk.season"))

    def run(*words: str) -> str:
        result = desk.runner.invoke(app, ["tournament", "season", words[0], season, *words[1:]])
        assert result.exit_code == 0, result.output
        return result.stdout

    run("new")
    found = re.search(
        r"http://hall:8000/season/zk/in/(\S+)", run("link", "--for", "Uwe", "--address", "http://hall:8000/")
    )
    assert found is not None
    links = json.loads(run("link", "--json"))["links"]
    assert [one["who"] for one in links] == ["Uwe"] and found[1] not in str(links)
    run("link", "--revoke", str(links[0]["entry"]))
    assert json.loads(run("link", "--json"))["links"] == []


def test_a_season_is_salvaged_like_an_evening(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "zk.season")
    runner, path = desk.runner, desk.path

    def season(*words: str) -> str:
        result = runner.invoke(app, ["tournament", "season", words[0], str(path), *words[1:]])
        assert result.exit_code == 0, result.output
        return result.stdout

    season("new")
    season("rule", "--best", "3")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\n", b"\r\n"))
    assert "Another program has changed the line ends" in season("show")
    assert "were taken out" in desk.run("salvage", "--to", str(tmp_path / "saved")).stdout
    assert (tmp_path / "saved").read_bytes() == whole
    path.write_bytes(whole.replace(b'"best":3', b'"best":77'))
    assert "Line 2 is not as it was written" in season("show")
    said = desk.run("salvage", "--to", str(tmp_path / "less")).stdout
    assert "Line 2 could not be verified; enter it again if it is right: Ellen: " in said
    assert (tmp_path / "less").read_bytes() == whole.splitlines(keepends=True)[0]


def test_links_are_made_shown_and_ended_by_command(desk: Desk) -> None:
    _begin(desk)
    made = desk.run("link", "entry", "--for", "Ina", "--address", "http://hall:8000/").stdout
    found = re.search(r"http://hall:8000/tournament/evening/in/(\S+)", made)
    assert found is not None
    one = link_of(Office(desk.path).open().tournament, found[1])
    assert one is not None and (one.role, one.who) == ("entry", "Ina")
    assert found[1] not in desk.run("link").stdout, "a secret is shown once"
    screen = desk.json("link", "beamer", "--address", "http://hall:8000")["links"][-1]
    assert screen["role"] == "beamer"
    shown = link_of(Office(desk.path).open().tournament, screen["address"].rpartition("/")[2])
    assert shown is not None and shown.role == "beamer"
    desk.run("link", "--revoke", str(one.entry))
    assert link_of(Office(desk.path).open().tournament, found[1]) is None
    assert "there is no role boss" in desk.run("link", "boss", "--for", "Uwe", ok=False).stderr
    assert "is not a link in force" in desk.run("link", "--revoke", "1", ok=False).stderr


def test_tables_go_online_by_command_and_everybody_has_a_link_of_their_own(desk: Desk) -> None:
    _begin(desk)
    assert desk.json("online")["links"] == [], "phones are not let in"
    outcome = desk.json("online", "1.1", "1,2", "--address", "http://hall:8000")
    assert outcome["online"] == ["1.1", "1.2"]
    names = [one["name"] for one in desk.json("players")["people"]]
    links = {one["name"]: one["address"] for one in outcome["links"]}
    assert sorted(links) == sorted(names)
    state = Office(desk.path).open().tournament
    for name, address in links.items():
        assert address.startswith("http://hall:8000/tournament/evening/me/")
        found = person_keys(state).get(address.rpartition("/")[2])
        assert found is not None and state.entrants[found[1][0] - 1].name == name
    assert "is already played at Nousu’s tables" in desk.run("online", "1.1", ok=False).stderr
    after = desk.json("online", "--renew", names[0], "--address", "http://hall:8000")["links"]
    fresh = {one["name"]: one["address"] for one in after}
    assert [name for name in names if fresh[name] != links[name]] == names[:1]
    assert "Played with cards again: 1.1" in desk.run("online", "1.1", "--paper").stdout
    assert desk.json("online")["online"] == ["1.2"]


def test_drive_whose_game_cannot_end_so_is_refused_by_command(desk: Desk) -> None:
    desk.run("new", "--format", "drive", "-o", "preset=huutopussi")
    desk.run("players", "--paste", input="A & B\nC & D\n")
    desk.run("draw")
    desk.run("plan")
    assert "with hands=0 a round is a whole match" in desk.run("online", "1.1", ok=False).stderr
    desk.run("change", "-o", "hands=0", "--reason", "online")
    desk.run("online", "1.1")


def _packed_list(folder: Path, name: str, *files: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as packed:
        for file, data in files:
            packed.writestr(file, data)
    return folder / name


def test_lists_that_are_too_much_are_refused_as_uploads_are(desk: Desk, tmp_path: Path) -> None:
    """Checked before they are read, spreadsheets in a process with limits of time and memory."""
    desk.run("new", "--name", "ZK Tuppen")
    bomb = _packed_list(tmp_path, "bomb.xlsx", ("xl/worksheets/sheet1.xml", b" " * (40 << 20)))
    laughs = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'
    declared = _packed_list(tmp_path, "declared.xlsx", ("xl/worksheets/sheet1.xml", laughs))
    long, large = tmp_path / "long.txt", tmp_path / "large.csv"
    long.write_text("Uwe\n" + "x" * 10_000 + "\n")
    large.write_text("Uwe;A\n" * 900_000)
    for path, expected in (
        (bomb, "bomb.xlsx is too large for a list of names"),
        (declared, "declared.xlsx is not a readable spreadsheet"),
        (long, "line 2: a name has at most 60 characters"),
        (large, "large.csv is too large for a list of names"),
        (tmp_path, "cannot be read"),
    ):
        assert expected in desk.run("players", "--list", str(path), ok=False).stderr
    assert "too large" in desk.run("players", "--paste", input="Uwe\n" * 150_000, ok=False).stderr
    assert "too large" in desk.run("plan", "--list", str(bomb), ok=False).stderr
    assert len(desk.path.read_bytes().splitlines()) == 1
