"""Computer players in processes of their own: same answer, and no harm when one fails."""

import asyncio
import logging
import os
import random
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from applications import app_on
from nousu import players
from nousu.engine.actions import Action, Call
from nousu.engine.game import View
from nousu.players import Budget, Choice, claims
from nousu.server.live.workers import Workers, choose
from table_fixtures import Sitting


def views(preset: str = "tuppi", count: int = 12) -> list[View]:
    """Positions in which somebody has to act."""
    sitting = Sitting(preset, persons=4 if preset != "tuppen_zk" else 3, options={"pace": "0"})
    rng = random.Random(1)
    found: list[View] = []
    while len(found) < count:
        sitting.played(rng, 5)
        owed = sitting.match.hand.owed()
        if owed and owed[0] >= 0:
            found.append(sitting.view(owed[0]))
    return found


@pytest.mark.parametrize("preset", ["tuppi", "huutopussi", "tuppen_zk"])
def test_process_gives_the_same_answer_as_a_call(preset: str) -> None:
    async def asked() -> list[Action | None]:
        thinkers = Workers(1)
        try:
            return [await thinkers.choose("random", view, seed) for seed, view in enumerate(views(preset))]
        finally:
            thinkers.close()

    assert asyncio.run(asked()) == [
        choose("random", view, Budget(), seed) for seed, view in enumerate(views(preset))
    ]


class Failing:
    """Raises."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        raise RuntimeError(f"lost my glasses and my {view.cards}")


class Cheating:
    """A player that chooses an illegal action."""

    def choose(self, view: View, budget: Budget, seed: int) -> Choice:
        return Choice(Call("I win"))


@pytest.mark.parametrize("player", [Failing(), Cheating()])
def test_failing_player_is_replaced_by_rules(
    player: players.Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    known = {**players.players(), "broken": player}
    monkeypatch.setattr("nousu.players.players", lambda: known)
    view = views(count=1)[0]
    with caplog.at_level(logging.ERROR):
        action = asyncio.run(Workers(0).choose("broken", view, 1))
    assert action in view.legal
    assert "broken" in caplog.text
    assert not any(str(card) in caplog.text for card in view.cards), "no card is ever logged"


def test_silent_player_keeps_silent_out_of_turn() -> None:
    view = next(view for view in views() if len(view.owed) == 1)
    assert choose("random", view, Budget(), 1) is not None
    out_of_turn = replace(view, owed=((view.owed[0] + 1) % 4,))
    assert choose("random", out_of_turn, Budget(), 1) is None


def test_killed_worker_is_replaced() -> None:
    async def asked() -> None:
        thinkers = Workers(1)
        try:
            view = views(count=1)[0]
            assert await thinkers.choose("random", view, 1) in view.legal
            assert thinkers._pools
            for pid in list(thinkers._pools["quick"]._processes):
                os.kill(pid, 9)
            for seed in range(3):
                assert await thinkers.choose("random", view, seed) in view.legal
            assert thinkers._pools
        finally:
            thinkers.close()

    asyncio.run(asked())


def test_claim_that_takes_long_holds_no_player_up() -> None:
    """The search for an order of cards that makes a claim true takes a second or more where there is none."""
    sitting, rng = Sitting("tuppi"), random.Random(1)
    sitting.until_asked()
    while not claims.kinds(sitting.view(sitting.match.hand.owed()[0])):
        sitting.played(rng, 1)
        sitting.until_asked()
    hand, view = sitting.match.hand, views(count=1)[0]

    async def asked() -> None:
        thinkers = Workers(1)
        try:
            await thinkers.choose("random", view, 1)
            ending = asyncio.create_task(thinkers.play_out(hand, hand.owed()[0], "theirs"))
            await asyncio.sleep(0)
            await thinkers.choose("random", view, 2)
            assert not ending.done()
            assert await ending
        finally:
            thinkers.close()

    asyncio.run(asked())


def test_claims_are_played_out_with_less_effort_when_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conceding takes a second of the one process, and another's claim waits behind it."""
    nodes: list[int] = []
    thinkers, sitting = Workers(0), Sitting("tuppi", persons=4, options={"pace": "0"})
    sitting.played(random.Random(1), 5)

    async def run(self: Workers, where: str, work: object, *args: object) -> tuple[()]:
        nodes.append(int(str(args[-1])))
        await asyncio.sleep(0)
        return ()

    async def flood() -> None:
        await asyncio.gather(*(thinkers.play_out(sitting.match.hand, 0, "theirs") for _ in range(40)))
        await thinkers.play_out(sitting.match.hand, 0, "theirs")

    monkeypatch.setattr(Workers, "_run", run)
    asyncio.run(flood())
    assert nodes[0] == nodes[-1] == claims.NODES and nodes[1] == claims.NODES // 2
    assert min(nodes) == nodes[-2] == claims.FEWEST_NODES


def test_slow_player_is_replaced_by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under load a strong player threw a random card; now the one called rules chooses."""

    class Slow:
        def choose(self, view: View, budget: Budget, seed: int) -> Choice:
            time.sleep(0.4)
            return Choice(view.legal[-1])

    async def asked(view: View) -> Action | None:
        thinkers = Workers(0)
        thinkers._answered.add("search")  # its first answer has come long ago
        return await thinkers.choose("slow", view, 1)

    known = {**players.players(), "slow": Slow()}
    monkeypatch.setattr("nousu.players.players", lambda: known)
    monkeypatch.setattr("nousu.server.live.workers._GRACE", -0.9)
    found = [(asyncio.run(asked(view)), choose("rules", view, Budget(), 1)) for view in views(count=5)]
    assert all(action == rules for action, rules in found)


def test_crowded_workers_keep_the_wait_short_and_log_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hold = threading.Event()

    class Slow:
        def choose(self, view: View, budget: Budget, seed: int) -> Choice:
            hold.wait(30)
            return Choice(view.legal[-1])

    async def asked(view: View) -> Action | None:
        thinkers = Workers(0)
        thinkers._answered.add("search")
        thinkers._busy = 5
        found = [await thinkers.choose("slow", view, 1) for _ in range(3)]
        hold.set()
        return found[-1]

    known = {**players.players(), "slow": Slow()}
    monkeypatch.setattr("nousu.players.players", lambda: known)
    monkeypatch.setattr("nousu.server.live.workers._GRACE", 3600.0)
    monkeypatch.setattr("nousu.server.live.workers._CROWDED", 0.01)
    (view,) = views(count=1)
    assert asyncio.run(asked(view)) == choose("rules", view, Budget(), 1)
    assert [
        record.getMessage() for record in caplog.records if record.name == "nousu.server.live.workers"
    ] == ["players that took too long: 1; players that think: 5"], (
        "what is to be expected under load fills no log"
    )


def test_rules_player_chooses_even_where_no_worker_answers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """When the whole machine stood still for seconds, the first legal card was thrown."""

    async def asked(view: View) -> Action | None:
        thinkers = Workers(1)
        monkeypatch.setattr(thinkers, "_run", lambda *_: asyncio.sleep(3600))
        thinkers._answered |= {"search", "quick"}
        thinkers._busy = 5
        return await thinkers.choose("searcher", view, 1)

    monkeypatch.setattr("nousu.server.live.workers._CROWDED", 0.01)
    monkeypatch.setattr("nousu.server.live.workers._STAND_IN_SECONDS", 0.01)
    found = [(asyncio.run(asked(view)), choose("rules", view, Budget(), 1)) for view in views(count=8)]
    assert all(action == rules for action, rules in found)
    assert "failed" not in caplog.text


def test_rules_player_chooses_at_once_where_the_wait_would_be_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked_for: list[int] = []

    class Noting:
        def choose(self, view: View, budget: Budget, seed: int) -> Choice:
            asked_for.append(seed)
            return Choice(view.legal[-1])

    async def asked(view: View, busy: int, takes: float) -> Action | None:
        thinkers = Workers(0)
        thinkers._answered.add("search")
        thinkers._seconds, thinkers._busy = takes, busy
        return await thinkers.choose("noting", view, busy)

    known = {**players.players(), "noting": Noting()}
    monkeypatch.setattr("nousu.players.players", lambda: known)
    (view,) = views(count=1)
    assert asyncio.run(asked(view, 200, 0.1)) == choose("rules", view, Budget(), 1)
    assert asked_for == []
    for busy, takes in ((0, 0.1), (200, 0.001), (3, 5.0)):
        assert asyncio.run(asked(view, busy, takes)) == view.legal[-1], "alone, or in a crowd that is quick"


def test_answer_times_are_learned_from_past_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(view: View) -> list[float]:
        thinkers = Workers(0)
        assert await thinkers.choose("slow", view, 1), "the first, for which a worker starts, is not counted"
        learned = [thinkers._seconds]
        await asyncio.gather(*(thinkers.choose("slow", view, seed) for seed in range(8)))
        return [*learned, thinkers._seconds]

    class Slow:
        def choose(self, view: View, budget: Budget, seed: int) -> Choice:
            time.sleep(0.02)
            return Choice(view.legal[0])

    known = {**players.players(), "slow": Slow()}
    monkeypatch.setattr("nousu.players.players", lambda: known)
    (view,) = views(count=1)
    learned = asyncio.run(asked(view))
    assert learned[0] == 0.0 < learned[1]


def test_effort_is_less_when_many_think() -> None:
    thinkers = Workers(2, Budget(1.0, 40))
    assert thinkers.budget() == Budget(1.0, 40)
    thinkers._busy = 8
    assert thinkers.budget() == Budget(0.25, 10)
    thinkers._busy = 800
    assert thinkers.budget().worlds == 4


def test_searching_players_are_limited_for_one_person(tmp_path: Path) -> None:
    """A finished match, and players that do not search, count for nothing."""
    with TestClient(app_on(tmp_path / "n.db", pace=60)) as client:
        tokens = [client.post("/api/v1/session", json={"name": name}).json()["token"] for name in "AB"]
        mine, other = ({"authorization": f"Bearer {token}"} for token in tokens)

        def asks(player: str, who: dict[str, str] = mine) -> int:
            body = {"preset": "tuppi", "players": [player, "rules", "open"]}
            return client.post("/api/v1/tables", json=body, headers=who).status_code

        assert [asks("searcher") for _ in range(5)] == [201] * 4 + [400]
        assert asks("strong") == 400, "whichever of them"
        assert asks("rules") == 201, "others are free"
        assert asks("searcher", other) == 201, "and so is everybody else"
        open_ended = {"preset": "tuppi", "players": ["open"] * 3}
        table = client.post("/api/v1/tables", json=open_ended, headers=mine).json()["table"]
        filled = client.post(f"/api/v1/tables/{table}/fill", json={"player": "strong"}, headers=mine)
        assert filled.status_code == 400 and "already think" in filled.json()["error"], (
            "nor by filling places"
        )
