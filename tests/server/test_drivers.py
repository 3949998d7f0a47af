"""Drivers of ``bench``: the actions they read from a page, and the faults they find in a log."""

import sqlite3
from pathlib import Path

from bench.page_client import Page
from bench.soak.duplicates import UNANSWERED, Account


def test_page_offers_an_action_on_several_cards() -> None:
    page = Page()
    cards = ["SA", "H10", "D7"]
    hand = [{"card": card, "act": "", "choose": True} for card in cards]
    view = {"drawing": "huutopussi", "ask": None, "more": None, "outcome": None, "bids": [], "acts": []}
    give = {"act": "give {} to W", "many": 2}
    page.update({"seq": 4, "view": {**view, "hand": hand, "many": give}})
    (act,) = page.actions
    verb, one, other, *rest = act.split()
    assert (verb, rest) == ("give", ["to", "W"])
    assert one != other and {one, other} <= set(cards)
    page.update({"seq": 5, "set": {"many": None, "acts": [{"act": "play SA"}]}})
    assert page.actions == ["play SA"], "nothing is given once the button is gone"


def _stored(path: Path, *rows: tuple[str, int, str | None]) -> None:
    with sqlite3.connect(path) as database:
        database.execute("create table events (table_id, seq, key)")
        database.executemany("insert into events values (?, ?, ?)", rows)
    database.close()


def _answered(*events: int) -> Account:
    """This many actions at table A; each was answered by the event of that number, or refused (0)."""
    account = Account(len(events))
    account.tables.append("A")
    account.events[:] = type(account.events)("q", events)
    return account


def _wrong(path: Path, account: Account, *rows: tuple[str, int, str | None]) -> list[str]:
    _stored(path, *rows)
    account.compare(path)
    return account.problems


def test_log_as_answered_has_no_fault(tmp_path: Path) -> None:
    rows = ("A", 1, None), ("A", 2, "double-00000000"), ("A", 3, "double-00000002")
    assert _wrong(tmp_path / "n.db", _answered(2, 0, 3), *rows) == []


def test_unanswered_action_may_be_in_the_log_once(tmp_path: Path) -> None:
    first = ("A", 1, "double-00000000")
    assert _wrong(tmp_path / "done.db", _answered(UNANSWERED), first) == []
    assert _wrong(tmp_path / "not.db", _answered(UNANSWERED)) == []
    assert _wrong(tmp_path / "twice.db", _answered(UNANSWERED), first, ("A", 2, first[2])) != []


def test_log_faults_are_reported(tmp_path: Path) -> None:
    first, second = ("A", 1, "double-00000000"), ("A", 2, "double-00000001")
    cases = {
        "lost": (_answered(1, 2), [first], "double-00000001 was acknowledged as event 2"),
        "twice": (_answered(1), [first, ("A", 2, first[2])], "event 2 of table A has key double-00000000"),
        "elsewhere": (_answered(1), [("B", 1, first[2])], "event 1 of table B"),
        "another number": (_answered(2), [first], "event 1 of table A"),
        "refused": (_answered(1, 0), [first, second], "event 2 of table A has key double-00000001"),
        "unknown": (_answered(1), [first, ("A", 2, "other-00000000")], "other-00000000"),
        "a hole": (_answered(1, 3), [first, ("A", 3, second[2])], "numbers are missing at table A"),
    }
    for name, (account, rows, told) in cases.items():
        problems = _wrong(tmp_path / f"{name}.db", account, *rows)
        assert any(told in problem for problem in problems), (name, problems)
