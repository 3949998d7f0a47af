"""Pages whose reviews come one by one."""

import time

from starlette.testclient import TestClient


def settled(browser: TestClient, address: str) -> str:
    """The page once all reviews it needs are there."""
    for _ in range(600):
        page = browser.get(address)
        assert page.status_code == 200, page.text
        if "being worked out" not in page.text:
            return page.text
        time.sleep(0.1)
    raise AssertionError("the reviews never came")
