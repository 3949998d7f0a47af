"""Settings of whoever hosts: one table for flags, environment, file and documentation; figures; doctor."""

import logging
import re
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from typer.main import get_command
from typer.testing import CliRunner, Result

import states
from applications import app_on
from nousu.cli import app, serve
from nousu.server.settings import (
    CONFIG_VARIABLE,
    BadSetting,
    Settings,
    load_settings,
    option,
    table,
    variable,
)

DOCS = Path(__file__).parents[2] / "docs"


def nousu(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*map(variable, Settings.model_fields), CONFIG_VARIABLE):
        monkeypatch.delenv(name, raising=False)


def test_flag_overrides_the_environment_and_that_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = load_settings()
    assert (plain.host, plain.port, plain.workers, plain.public) == ("127.0.0.1", 8000, None, None)
    assert plain.sources == {}
    file = tmp_path / "nousu.toml"
    file.write_text(
        'port = 1111\nhost = "::1"\nproxies = ["10.0.0.0/8", "::1"]\nlimits = false\npace = 0.5\n'
    )
    monkeypatch.setenv("NOUSU_CONFIG", str(file))
    assert load_settings().port == 1111
    monkeypatch.delenv("NOUSU_CONFIG")
    monkeypatch.setenv("NOUSU_HOST", "0.0.0.0")
    monkeypatch.setenv("NOUSU_PORT", "2222")
    monkeypatch.setenv("NOUSU_PACE", "")
    settings = load_settings({"port": "3333"}, file)
    assert (settings.port, settings.host, settings.limits, settings.pace) == (3333, "0.0.0.0", False, 0.5)
    assert [str(network) for network in settings.proxies] == ["10.0.0.0/8", "::1/128"]
    assert settings.sources == {
        "port": "--port",
        "host": "NOUSU_HOST",
        "proxies": str(file),
        "limits": str(file),
        "pace": str(file),
    }
    monkeypatch.setenv("NOUSU_PORT", "many")
    with pytest.raises(BadSetting, match="NOUSU_PORT: port: 'many' is not a whole number"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("port = 70000", "port: '70000' is not a whole number from 0 to 65535"),
        ("prot = 80", "there is no setting 'prot'; did you mean port?"),
        ("[server]\nport = 80", "there is no setting 'server'; the settings are host, port, database"),
        ("port = \nhost = '::'", "at line 1"),
        ("pace = 'quick'", "pace: 'quick' is not a number of seconds from 0 to 60"),
        ("limits = 'no'", "neither 'on' nor 'off'"),
        ("public = 'cards'", "'cards' is no public address"),
        ("proxies = [1]", "proxies: write a text, a number or a list of texts"),
        ("metrics_token = 'short'", "at least 16 plain characters"),
    ],
)
def test_wrong_file_is_named_with_what_would_be_right(tmp_path: Path, text: str, wanted: str) -> None:
    file = tmp_path / "nousu.toml"
    file.write_text(text)
    with pytest.raises(BadSetting) as wrong:
        load_settings({}, file)
    assert wanted in str(wrong.value) and str(file) in str(wrong.value)
    for command in ("serve", "doctor"):
        result = nousu(command, "--config", str(file))
        assert result.exit_code == 1 and wanted in result.output and "Traceback" not in result.output
    with pytest.raises(BadSetting, match="No such file"):
        load_settings({}, tmp_path / "none.toml")
    file.write_bytes(b"host = '\xff'")
    with pytest.raises(BadSetting, match="this is no UTF-8 text"):
        load_settings({}, file)


def test_settings_are_all_documented_and_every_flag_is_an_option() -> None:
    assert table() in (DOCS / "host" / "hosting.md").read_text()
    for command in ("serve", "doctor"):
        options = {
            flag: getattr(parameter, "help", "") or ""
            for parameter in get_command(app).commands[command].params  # type: ignore[attr-defined]
            for flag in parameter.opts
        }
        for name in Settings.model_fields:
            flag, about = option(name)
            assert not flag or options[flag] == f"{about} Otherwise {variable(name)} or the file."
        assert "--config" in options


def test_doctor_looks_at_settings_disk_and_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "nousu.toml"
    file.write_text(f'database = "{tmp_path / "n.db"}"\nport = 0\nmetrics_token = "{"x" * 20}"\n')
    file.chmod(0o644)
    well = nousu("doctor", "--config", str(file))
    assert well.exit_code == 0 and f"database ({file})" in well.output and "free on the disk" in well.output
    assert f"chmod 600 {file}" in well.output and "the clock says" in well.output
    names = ("--public", "https://cards.example")
    assert "no proxy is trusted" in nousu("doctor", "--config", str(file), *names).output
    wide = nousu("doctor", "--config", str(file), "--trusted-proxy", "0.0.0.0/0").output
    assert "--public" in wide and "can escape the limits" in wide
    full = type("Usage", (), {"free": 5 << 20})
    monkeypatch.setattr(serve.shutil, "disk_usage", lambda _: full)
    ill = nousu("doctor", "--config", str(file))
    assert ill.exit_code == 1 and "wrong  5 MiB free" in ill.output


def test_clock_that_stands_before_what_is_stored_is_wrong() -> None:
    later = 1_900_000_000.0
    assert serve.clock(later, later - 5)[0] == "ok"
    assert serve.clock(later - 3600, later)[0] == "wrong"
    assert serve.clock(1_000_000_000.0, 0.0)[0] == "wrong"


def test_metrics_need_their_token_and_hold_no_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "figures-for-the-watchman"
    monkeypatch.setenv("NOUSU_METRICS_TOKEN", token)
    database = tmp_path / "n.db"
    sitting, _ = states.reach(states.STATES["play, late"])
    states.put(database, "some-table", sitting)
    with TestClient(app_on(database), client=("10.0.0.5", 1)) as client:
        assert client.get("/t/some-table").status_code == 200
        assert client.get("/metrics").status_code == 404
        wrong = {"authorization": "Bearer " + token[:-1] + "x"}
        assert client.get("/metrics", headers=wrong).status_code == 404
        answer = client.get("/metrics", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith(
        "text/plain; version=0.0.4"
    )
    lines = [line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#")]
    figures = {name: float(value) for name, value in lines}
    assert figures['nousu_tables{state="playing"}'] == 1
    assert figures['nousu_requests_total{status="2xx"}'] == 1
    assert figures['nousu_requests_total{status="4xx"}'] == 2
    assert figures["nousu_request_seconds_count"] == figures['nousu_request_seconds_bucket{le="+Inf"}'] == 3
    names = {name.partition("{")[0] for name in figures}
    assert names == {
        "nousu_info",
        "nousu_live_lines",
        "nousu_request_seconds_bucket",
        "nousu_request_seconds_count",
        "nousu_request_seconds_sum",
        "nousu_requests_total",
        "nousu_tables",
        *(name for name in names if name.startswith("process_")),
    }
    assert sys.platform != "linux" or {"process_resident_memory_bytes", "process_open_fds"} < names
    for word in ("some-table", *states.NAMES, "10.0.0.5", *map(str, sitting.match.hand.view(0).cards)):
        assert word not in re.sub(r"python=\S+|le=\S+", "", answer.text), word
    monkeypatch.setenv("NOUSU_METRICS_FROM", "10.0.0.0/24")
    with TestClient(app_on(database), client=("10.0.0.5", 1)) as client:
        assert client.get("/metrics").status_code == 200
    with TestClient(app_on(database), client=("10.0.1.5", 1)) as client:
        assert client.get("/metrics").status_code == 404


def test_log_lines_hold_no_card(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Everything is logged that can be, while a match is played and a table is broken on purpose."""
    database = tmp_path / "n.db"
    sitting, person = states.reach(states.STATES["play, late"])
    states.put(database, "t", sitting)
    with (
        caplog.at_level(logging.DEBUG, "nousu"),
        TestClient(app_on(database, pace=0), headers={"origin": "http://testserver"}) as client,
    ):
        client.cookies.set("nousu", states.token(person))
        room = client.app.state.server.tables._rooms["t"] if client.get("/t/t").status_code == 200 else None
        assert room is not None
        with client.websocket_connect("/t/t/live") as connection:
            for card in sitting.match.hand.view(person).cards:
                connection.send_json({"act": f"play {card}", "seq": room.table.seq, "key": f"key-{card}-123"})
            connection.send_json({"act": "play XX", "seq": 0, "key": "y" * 100})
            while connection.receive_json().get("key") != "y" * 100:
                pass
            object.__setattr__(room.table, "keys", None)  # whatever is done now fails inside
            connection.send_json({"act": "next", "seq": 1, "key": "12345678"})
            with pytest.raises(WebSocketDisconnect):
                while True:
                    connection.receive_json()
    text = caplog.text
    assert "TypeError" in text, "something was logged"
    cards = {str(card) for seat in range(4) for card in sitting.match.hand.view(seat).cards}
    assert not [line for line in text.splitlines() if any(re.search(rf"\b{card}\b", line) for card in cards)]
