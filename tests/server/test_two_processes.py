"""P15 in small: two servers on one PostgreSQL, each driving the table; what one does the other shows."""

import random
import uuid
from typing import Any

from starlette.testclient import TestClient

from applications import app_on

ORIGIN = {"origin": "http://testserver"}


def test_servers_on_one_database_play_one_match(postgres_url: str) -> None:
    rng = random.Random(4)
    apps = [app_on(postgres_url, pace=0) for _ in range(2)]
    with TestClient(apps[0], headers=ORIGIN) as one, TestClient(apps[1], headers=ORIGIN) as two:
        one.post("/look", data={"lang": "en"})
        two.cookies.set("nousu", one.cookies["nousu"])
        table = {"preset": "tuppi+target=4", "players": ["random"] * 3, "name": "Aino"}
        address = "/api/v1/tables/" + one.post("/api/v1/tables", json=table).json()["table"]
        assert two.get(address).json()["seat"] == one.get(address).json()["seat"]
        while not (now := seen_by_both(one, two, address))["over"]:
            server = rng.choice((one, two))
            key = uuid.uuid4().hex
            if now["waiting"]:
                answer = server.post(f"{address}/next", json={"key": key})
            else:
                body = {"act": rng.choice(now["view"]["legal"]), "seq": now["seq"], "key": key}
                answer = server.post(f"{address}/actions", json=body)
                again = (two if server is one else one).post(f"{address}/actions", json=body)
                assert again.json() == answer.json(), "the other server gives the same answer to the same key"
            assert answer.status_code == 200, answer.text
        assert two.get(f"{address}/verify").json()["ok"]
        assert one.get(f"{address}/record").text == two.get(f"{address}/record").text


def seen_by_both(one: TestClient, two: TestClient, address: str) -> dict[str, Any]:
    """The table once both servers show that it waits for us, without anything being asked of the second
    one that would make it look into the database."""
    for _ in range(3000):
        first, second = (server.get(address).json() for server in (one, two))
        mine = first["seat"] in first["view"]["owed"] and not first["view"]["legal"][0].startswith("show")
        if first == second and (first["over"] or first["waiting"] or mine):
            found: dict[str, Any] = first
            return found
    raise AssertionError("the two servers never agreed")
