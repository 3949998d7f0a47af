"""The live line is described for other clients: a schema that every message meets, and two examples."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from starlette.testclient import TestClient

from nousu.server.pages.table.live_view import ViewerClass, ViewerGroups
from nousu.server.pages.table.messages import VERSION, live_line_schema
from nousu.server.people.commands import DoAction, LetStandIn, WriteChatLine, parse_command
from table_fixtures import Sitting

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NODE = shutil.which("node")


def _validator(part: str) -> jsonschema_rs.Validator:
    schema = live_line_schema()
    return jsonschema_rs.validator_for({"$ref": f"#/$defs/{part}", "$defs": schema["$defs"]})


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi", "tuppen_zk", "toepen"])
def test_views_and_changes_meet_the_schema(preset: str) -> None:
    sitting, rng = Sitting(preset, persons=4, options={"pace": "0", "window": "0"}), random.Random(6)
    whole, changes = _validator("WholeView"), _validator("FromServer")
    group, last = ViewerGroups().enter(ViewerClass(0, "en", "")), None
    for _ in range(40):
        sitting.played(rng, 3)
        shown = group.live_view(sitting.table, sitting.table.seats.by_seat[0].session, 0.0)
        whole.validate(json.loads(shown.message(None, 1.5)))
        changes.validate(json.loads(shown.message(last, None)))
        last = shown


def test_schema_tells_a_wrong_message() -> None:
    message = json.loads(
        ViewerGroups()
        .enter(ViewerClass(None, "en", ""))
        .live_view(Sitting("tuppi").table, None, 0.0)
        .message(None, None)
    )
    whole = _validator("WholeView")
    assert whole.is_valid(message) and message["version"] == VERSION
    assert not whole.is_valid({**message, "view": {**message["view"], "seq": "one"}})
    assert not _validator("FromClient").is_valid({"act": "play H9", "seq": 3})


def test_schema_is_served_and_every_message_of_a_line_meets_it(browser: TestClient) -> None:
    schema = browser.get("/live/schema.json").json()
    assert schema == json.loads(json.dumps(live_line_schema()))
    server, client = _validator("FromServer"), _validator("FromClient")
    browser.post("/look", data={"lang": "en"})
    body = {"preset": "tuppi", "players": ["rules"] * 3}
    table = browser.post("/api/v1/tables", json=body).json()["table"]
    sent = [
        {"act": "play H9", "seq": 1, "key": "0123456789"},
        {"say": "hello", "key": "a-key-of-its-own"},
        {"whole": True},
    ]
    with browser.websocket_connect(f"/t/{table}/live") as connection:
        for message in sent:
            client.validate(message)
            connection.send_json(message)
        connection.send_json({"nothing": 1})
        kinds = set()
        while not {"view", "set", "ok", "error"} <= kinds:
            answer = connection.receive_json()
            server.validate(answer)
            kinds |= answer.keys()


def test_acknowledgement_comes_before_the_view(browser: TestClient) -> None:
    browser.post("/look", data={"lang": "en"})
    body = {"preset": "tuppi", "players": ["rules"] * 3, "options": {"pace": "5"}}
    table = browser.post("/api/v1/tables", json=body).json()["table"]
    with browser.websocket_connect(f"/t/{table}/live") as connection:
        acts: list[str] = []
        while not acts:  # the computer players are still taking their seats
            connection.send_json({"whole": True})
            while "view" not in (message := connection.receive_json()):
                pass
            view = message["view"]
            acts = [card["act"] for card in view.get("hand", ()) if card["act"]]
        connection.send_json({"act": acts[0], "seq": view["seq"], "key": "0123456789"})
        answers = [connection.receive_json()]
        while "ok" not in answers[-1]:
            answers.append(connection.receive_json())
        *earlier, accepted = answers
        assert all(answer.get("seq", 0) < accepted["seq"] for answer in earlier), answers


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ({"next": True, "key": "k"}, DoAction("next", 0, "k")),
        ({"next": False, "key": "k"}, None),
        ({"act": "play H9", "seq": 3, "key": "k"}, DoAction("play H9", 3, "k")),
        ({"act": "play H9", "key": "k"}, None),
        ({"stand_in": 2, "key": "k"}, LetStandIn(2)),
        ({"say": "hello", "key": "k"}, WriteChatLine("hello", "", "k")),
        ({"say": "", "key": "k"}, None),
        ({"write": "", "key": "k"}, WriteChatLine("", "", "k")),
        ({}, None),
    ],
)
def test_message_is_one_command_or_none(message: dict[str, Any], command: object) -> None:
    assert parse_command(message) == command


@pytest.mark.parametrize(
    ("client", "preset"),
    [
        ([sys.executable, "live_client.py"], "minnesota+target=2"),
        ([sys.executable, "live_client.py"], "huutopussi+target=60"),
        pytest.param(
            [NODE or "", "--experimental-websocket", "live_client.js"],
            "tuppen_zk+start_points=2",
            marks=pytest.mark.skipif(NODE is None, reason="node is not installed"),
        ),
    ],
)
def test_example_plays_a_match(serve: Callable[..., Any], client: list[str], preset: str) -> None:
    served = serve()
    with served.client() as http:
        del http.headers["origin"]
        token = http.post("/api/v1/session", json={"name": "Aino"}).json()["token"]
        http.headers["authorization"] = f"Bearer {token}"
        options = {"pace": "0", "window": "0"}
        body = {"preset": preset, "players": ["rules"] * 3, "options": options}
        table = http.post("/api/v1/tables", json=body).json()["table"]
        command = [*client[:-1], str(EXAMPLES / client[-1]), served.base, table, token]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert ended.returncode == 0, ended.stderr
        assert "leads" in ended.stdout or "plays" in ended.stdout
        assert http.get(f"/api/v1/tables/{table}").json()["over"]


def test_examples_are_fifty_lines() -> None:
    for name in ("live_client.py", "live_client.js"):
        assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 55
