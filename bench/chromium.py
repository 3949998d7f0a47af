"""One Chromium beside one server, for measurements of pages."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.results import ROOT
from bench.server_process import Server

sys.path.insert(0, str(ROOT / "tests" / "support"))


def find_chromium() -> str | None:
    """The path of Chromium; None, and a line that says so, where there is none."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        print("no Chromium here; name one in CHROMIUM")
    return path


@contextmanager
def chromium_and_server(path: str, pace: str) -> Iterator[tuple[Any, Server]]:
    """Start Chromium and a server without workers, and stop both in the end.

    Args:
        path: The path of Chromium.
        pace: Seconds that a computer player seems to think.
    """
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server.real(f"{folder}/tables.db", NOUSU_PACE=pace, NOUSU_WORKERS="0")
        try:
            chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            yield chromium, server
            chromium.close()
        finally:
            server.stop()
