"""Free memory is returned, and no visitor fills it."""

import asyncio
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from nousu.server import memory
from nousu.server.live import tables
from routes import plain_routes


def _resident() -> int:
    """KiB of memory that this process has."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such function")
def test_memory_freed_between_live_objects_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty MiB between texts that are still used."""
    monkeypatch.setattr(memory, "_TRIM_INTERVAL", 0.05)
    texts: list[bytes | None] = [bytes(2000) for _ in range(20_000)]
    for at in range(len(texts)):
        if at // 100 % 2 == 0:
            texts[at] = None
    before = _resident()

    async def main() -> None:
        sweeping = asyncio.create_task(memory.trim_regularly())
        async with asyncio.timeout(60):
            while before - _resident() <= 15_000:
                await asyncio.sleep(0.05)
        sweeping.cancel()

    asyncio.run(main())


def test_tables_that_nobody_uses_leave_a_full_memory_sooner(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.post("/look", data={"lang": "en"})
    body = {"preset": "tuppi", "players": ["open"] * 3, "name": "Aino"}
    for _ in range(3):
        assert browser.post("/api/v1/tables", json=body).status_code == 201
    held, call = browser.app.state.server.tables, browser.portal.call  # type: ignore[attr-defined, union-attr]
    monkeypatch.setattr(tables, "_CROWDED_IDLE", -1.0)
    call(held.release)
    assert len(held.rooms()) == 3
    monkeypatch.setattr(tables, "_CROWDED", 3)
    call(held.release)
    assert held.rooms() == []


def unbounded_caches() -> Iterator[tuple[str, Any]]:
    """The caches of the product that grow with every new argument."""
    for name, module in list(sys.modules.items()):
        if name.startswith("nousu."):
            for value in list(vars(module).values()):
                parameters = getattr(value, "cache_parameters", lambda: {"maxsize": 0})()
                if parameters["maxsize"] is None and value.__module__ == name:
                    yield f"{name}.{value.__name__}", value


def test_addresses_that_lead_nowhere_fill_no_cache(browser: TestClient) -> None:
    """12,000 letters in an address below `/learn` stayed in the memory for good: 3 GB an hour."""
    assert isinstance(browser.app, Starlette)
    paths = [route.path for method, route in plain_routes(list(browser.app.routes)) if method == "GET"]
    walked = [*(path for path in paths if "{" in path), "/rules/tuppi+target={int}", "/new?rules={name}"]
    walked += ["/rules/tuppen_zk+lives={int}", "/static/scripts-{name}/table.js", "/static/{name}"]
    assert {"/problems/{theme}/{number:int}", "/learn/{game}"} <= set(walked)
    grown: dict[str, list[str]] = {}
    for path in walked:
        before: dict[str, int] = {}
        for number in range(10):
            if number == 2:  # the first ones read what everybody needs
                before = {name: cache.cache_info().currsize for name, cache in unbounded_caches()}
            filled = re.sub(r"{(int|\w+:int|index)}", str(20 + number), path)
            browser.get(re.sub(r"{\w+}", f"none{number}", filled), follow_redirects=False)
        for name, cache in unbounded_caches():
            if cache.cache_info().currsize - before.get(name, 0) >= 8:
                grown.setdefault(path, []).append(name)
    assert grown == {}
