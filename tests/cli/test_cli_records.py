"""``nousu replay``, ``nousu simulate`` and ``nousu export``."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nousu.cli import app
from nousu.engine.pbn import read_boards
from nousu.engine.record import read
from nousu.games import find, games

run = CliRunner().invoke


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of some matches of a preset without any exchange of cards."""
    folder = tmp_path_factory.mktemp("records")
    found = run(app, ["simulate", "minnesota", "--hands", "40", "--seed", "3", "--records", str(folder)])
    assert found.exit_code == 0, found.stderr
    return folder


def test_simulate_totals_add_up(folder: Path) -> None:
    command = ["simulate", "minnesota", "--hands", "40", "--seed", "3", "--json"]
    found = json.loads(run(app, command).stdout)
    records = [read(path.read_text(), find) for path in sorted(folder.glob("*.nousu"))]
    played = [one for record in records for one in record.match.played]
    assert found["hands"] == len(played) == 40
    assert sum(found["outcomes"]["kind"].values()) == 40
    assert found["points"] == [sum(one.result.points[side] for one in played) for side in (0, 1)]
    assert found["matches"] == sum(record.match.winner is not None for record in records)
    assert found["won"] == [sum(record.match.winner == (side,) for record in records) for side in (0, 1)]
    assert found["hands_per_second"] > 0
    assert all(record.names == ("random",) * 4 and record.preset == "minnesota" for record in records)


def test_simulate_repeats_hands_of_the_same_seed() -> None:
    def found(seed: int) -> dict[str, object]:
        out = run(app, ["simulate", "tuppi", "--hands", "6", "--seed", str(seed), "--json"])
        return {k: v for k, v in json.loads(out.stdout).items() if "second" not in k}

    assert found(5) == found(5)
    assert found(5) != found(6) | {"seed": 5}


def test_simulate_plays_every_preset(subtests: pytest.Subtests) -> None:
    for preset in [preset for game in games().values() for preset in game.presets]:
        with subtests.test(preset=preset):
            found = run(app, ["simulate", preset, "--hands", "3"])
            assert found.exit_code == 0, found.stderr
            assert found.stdout.startswith(f"{preset}: 3 hands, seed 1, players random")
            assert "hands/s" in found.stdout and found.stderr == ""


def test_simulate_with_players_by_seat_and_rules_by_option() -> None:
    found = run(app, ["simulate", "tuppi+sooli=off", "--hands", "5", "--players", "rules,random"])
    assert found.stdout.startswith("tuppi+sooli=off: 5 hands, seed 1, players rules random rules random\n")


def test_records_commands_refuse_bad_input_in_a_sentence(subtests: pytest.Subtests) -> None:
    for command, said in [
        (["simulate", "tarot"], "there is no preset ‘tarot’; the presets are"),
        (["simulate", "tuppi", "--player", "oracle"], "there is no player ‘oracle’; choose one of"),
        (["simulate", "tuppi", "--seats", "5"], "tuppi is for 4 players, not 5"),
        (["simulate", "toepen", "--seats", "2"], "toepen is for 3 to 8 players, not 2"),
        (["simulate", "tuppi", "--deals", "none.pbn"], "none.pbn: No such file or directory"),
        (["replay", "none.nousu"], "none.nousu: No such file or directory"),
        (["export", "none.nousu"], "name the format: nousu export FILE --pbn"),
    ]:
        with subtests.test(command=command, said=said):
            found = run(app, command)
            assert found.exit_code != 0 and found.stdout == ""
            assert said in found.stderr and found.stderr.count("\n") == 1


def test_replay_has_hands_scores_and_reasons(folder: Path) -> None:
    path = min(folder.glob("*.nousu"))
    record = read(path.read_text(), find)
    text = run(app, ["replay", str(path)]).stdout
    assert text.startswith("minnesota, 4 players: N random, E random, S random, W random\n")
    for played in record.match.played:
        assert f"Hand {played.hand.setup.number}, dealer " in text
        assert "  score " + " ".join(map(str, played.tally.score())) in text
        assert all(f"  {note.clause}: " in text for note in played.result.notes)
    assert "{" not in text
    assert text.strip().splitlines()[-1].startswith("Won by ")


def test_replay_for_a_seat_hides_secrets(folder: Path) -> None:
    path = min(folder.glob("*.nousu"))
    whole, east, nobody = (
        run(app, ["replay", str(path), *seat]).stdout
        for seat in ([], ["--seat", "E"], ["--seat", "spectator"])
    )
    assert "?13" not in whole
    deal = next(line for line in east.splitlines() if line.startswith("  deal"))
    assert "E S:" in deal and "N ?13" in deal and deal.count("?13") == 3
    assert "N ?13 / E ?13 / S ?13 / W ?13" in nobody and "seal ??" in nobody
    found = run(app, ["replay", str(path), "--seat", "Q"])
    assert found.exit_code == 2 and "the seats are N E S W; or write spectator" in found.stderr


def test_replay_as_json(folder: Path) -> None:
    path = min(folder.glob("*.nousu"))
    record = read(path.read_text(), find)
    found = json.loads(run(app, ["replay", str(path), "--json"]).stdout)
    assert found["rules"] == "minnesota"
    assert [hand["score"] for hand in found["hands"]] == [list(p.tally.score()) for p in record.match.played]
    assert found["winner"] == (None if record.match.winner is None else list(record.match.winner))
    assert all(note["text"] and note["clause"] for hand in found["hands"] for note in hand["notes"])


def test_replay_of_an_unfinished_match(folder: Path, tmp_path: Path) -> None:
    lines = min(folder.glob("*.nousu")).read_text().splitlines()
    part = tmp_path / "part.nousu"
    part.write_text("\n".join(lines[:20]))
    found = run(app, ["replay", str(part)])
    assert found.exit_code == 0
    assert found.stdout.endswith("  (not finished)\n\nNot finished: 0 hands played\n")


def test_replay_names_the_line_of_damage(folder: Path, tmp_path: Path) -> None:
    text = min(folder.glob("*.nousu")).read_text()
    bad = tmp_path / "bad.nousu"
    bad.write_text(text.replace("score 0", "score 7", 1))
    number = next(n for n, line in enumerate(bad.read_text().splitlines(), 1) if line.startswith("score 7"))
    found = run(app, ["replay", str(bad)])
    assert (found.exit_code, found.stdout) == (1, "")
    assert f"bad.nousu: line {number}: the score is 0" in found.stderr
    bad.write_bytes(b"nousu record 1\n\xff\xfe")
    assert "line 2: this is no UTF-8 text" in run(app, ["replay", str(bad)]).stderr


def test_pbn_export_and_import_round_trip(folder: Path, tmp_path: Path) -> None:
    path, pbn = min(folder.glob("*.nousu")), tmp_path / "hands.pbn"
    record = read(path.read_text(), find)
    assert run(app, ["export", str(path), "--pbn", "--to", str(pbn)]).exit_code == 0
    boards = read_boards(pbn.read_text())
    assert len(boards) == len(record.match.played)
    for board, played in zip(boards, record.match.played, strict=True):
        assert board.deal.hands == played.hand.log[0][1].hands  # type: ignore[union-attr]
        assert board.tags["Dealer"] == "NESW"[played.hand.setup.dealer]
    assert run(app, ["export", str(path), "--pbn"]).stdout == pbn.read_text()
    listed = run(app, ["replay", str(pbn)]).stdout
    assert f"{len(boards)} deals; play them with" in listed
    assert len(json.loads(run(app, ["replay", str(pbn), "--json"]).stdout)) == len(boards)
    piped = run(app, ["replay", "-"], input=pbn.read_text()).stdout
    assert piped.splitlines()[:-1] == listed.splitlines()[:-1]  # the last line names the file
    assert run(app, ["replay", "-"], input=path.read_text()).stdout == run(app, ["replay", str(path)]).stdout
    again = tmp_path / "again"
    found = run(app, ["simulate", "tuppi", "--deals", str(pbn), "--records", str(again)])
    assert f"tuppi: {len(boards)} hands" in found.stdout
    first = read(min(again.glob("*.nousu")).read_text(), find)
    assert first.match.played[0].hand.log[0][1].hands == boards[0].deal.hands  # type: ignore[union-attr]


def test_pbn_play_section_has_a_line_for_each_trick(folder: Path) -> None:
    text = run(app, ["export", str(min(folder.glob("*.nousu"))), "--pbn"]).stdout
    block = text.split("[Play ")[1].splitlines()
    assert block[0][1] in "NESW"
    assert len(block[1:14]) == 13 and all(len(line.split()) == 4 for line in block[1:14])
    assert block[14] == "*"


def test_pbn_export_leaves_out_what_pbn_cannot_hold(tmp_path: Path) -> None:
    found = run(app, ["simulate", "tuppi", "--hands", "12", "--records", str(tmp_path)])
    assert found.exit_code == 0
    found = run(app, ["export", str(min(tmp_path.glob("*.nousu"))), "--pbn"])
    assert "left out: hand 1: cards changed hands after the deal" in found.stderr
    run(app, ["simulate", "toepen", "--hands", "3", "--records", str(tmp_path)])
    found = run(app, ["export", str(min(tmp_path.glob("toepen*"))), "--pbn"])
    assert found.exit_code == 1 and "no finished hand fits into PBN" in found.stderr


def test_pbn_deals_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    small = tmp_path / "small.pbn"
    small.write_text('[Deal "N:A... K... Q... J..."]\n')
    found = run(app, ["simulate", "tuppi", "--deals", str(small)])
    assert found.exit_code == 1 and "the hands must hold these numbers of cards: 13 13 13 13" in found.stderr
