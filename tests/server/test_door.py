"""What is stopped at the door, before it costs anything: cookies, hosts, addresses, origins, numbers."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from applications import app_on
from nousu.ids import new_id
from nousu.server.http import middleware, rate_limits
from nousu.server.http.addresses import BadAddress, PublicAddress, host_in_url, parse_networks
from nousu.server.http.middleware import SECURITY_HEADERS
from nousu.server.http.rate_limits import RateLimits, TooManyRequests, client_key
from nousu.server.pages.table.live_view import groups_of
from nousu.server.people import cookies
from nousu.server.settings import load_settings

ORIGIN = {"origin": "http://testserver"}
QUADRATIC = 'nousu="' + "\\a" * 30_000 + '"'
"""5.9 seconds in the cookie module of the standard library before its patch levels 3.11.10 and 3.12.6."""


def come(browser: TestClient) -> TestClient:
    """A browser that has a session, as choosing a language gives it one."""
    assert browser.post("/look", data={"lang": "en", "back": "/"}).status_code == 200
    return browser


def opened(browser: TestClient, **values: Any) -> str:
    """A table for this browser and three computer players that wait for it."""
    body = {"preset": "tuppi", "players": ["random"] * 3, "name": "Aino", "options": {"pace": "60"}} | values
    answer = browser.post("/api/v1/tables", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


# ------------------------------------------------------------------------------------------ cookies


def test_cookie_that_is_long_cannot_stop_the_server(browser: TestClient) -> None:
    """The standard library's parser must never see it: `http.cookies` takes quadratic time for this."""
    for path in ("/", "/static/js/site.js", "/api/v1/players", "/t/none/record"):
        answer = browser.get(path, headers={"cookie": QUADRATIC})
        assert answer.status_code == 431, path
    within = QUADRATIC[: cookies.MAX_LENGTH - 1] + '"'
    assert browser.get("/", headers={"cookie": within}).status_code == 200


def test_cookies_are_read_by_one_pattern_alone(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> str:
        raise AssertionError("the standard library read a cookie")

    monkeypatch.setattr("http.cookies._unquote", never)
    monkeypatch.setattr("http.cookies.BaseCookie.load", never)
    headers = {"cookie": 'nousu="\\101"; nousu_theme="dark\\"; other="\\141"', "accept-encoding": "identity"}
    for path in ("/", "/new", "/rules/tuppi", "/none"):
        assert browser.get(path, headers=headers).status_code in (200, 404), path


def test_token_is_taken_only_whole() -> None:
    token = "a" * 22
    assert cookies.session_token([f"a=b; nousu={token}"], False) == token
    assert cookies.session_token([f"nousu={token}; nousu={'b' * 22}"], False) == token
    assert cookies.session_token([f"xnousu={token}", f'nousu="{token}"', f"nousu={token}x"], False) == ""


def test_cookie_over_https_is_locked_to_the_host() -> None:
    token = "a" * 22
    assert cookies.session_cookie(token, True).startswith(f"__Host-nousu={token}; Path=/; ")
    assert "; Secure" in cookies.session_cookie(token, True)
    assert "Domain" not in cookies.session_cookie(token, True)
    assert cookies.session_token([f"nousu={token}"], True) == "", "a neighbour's http page could have set it"
    assert cookies.session_token([f"__Host-nousu={token}"], True) == token


# ----------------------------------------------------------------------------------- public address


@pytest.fixture
def public(tmp_path: Path) -> Iterator[TestClient]:
    """A server that knows its address, asked by a proxy under another name."""
    app = app_on(str(tmp_path / "n.db"), pace=0, public="https://cards.example", proxies="")
    with TestClient(app, base_url="http://10.0.0.7:8000") as client:
        yield client


def test_public_address_is_what_counts(public: TestClient) -> None:
    assert public.post("/look", data={"lang": "fi"}, headers=ORIGIN).status_code == 403
    here = {"origin": "http://10.0.0.7:8000"}
    assert public.post("/look", data={"lang": "fi"}, headers=here).status_code == 403
    assert public.post("/look", headers={"origin": "http://cards.example"}).status_code == 403
    right = {"origin": "https://cards.example"}
    answer = public.post("/look", data={"lang": "fi"}, headers=right, follow_redirects=False)
    assert answer.status_code == 303 and "__Host-nousu=" in answer.headers["set-cookie"]
    assert answer.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
    page = public.get("/new", headers={"host": "evil.example"})
    assert "https://cards.example/new?rules=" in page.text and "evil.example" not in page.text


def test_fragment_does_not_depend_on_the_host_header(browser: TestClient) -> None:
    """It was kept for every Host somebody made up: 17 KiB a connection."""
    table = opened(come(browser), players=["open"] * 3)
    app: Any = browser.app
    room = app.state.server.tables._rooms[table]
    for number in range(20):
        headers = {"host": f"h{number}.example", "origin": f"http://h{number}.example"}
        with browser.websocket_connect(f"/t/{table}/live", headers=headers) as connection:
            assert f"h{number}.example" not in connection.receive_text()
            assert len(groups_of(room)) <= 2


@pytest.mark.parametrize("host", ["", "a b", "evil.example/x", "x" * 300, "a@b", "[::1", "a:b", 'a"b'])
def test_host_header_that_names_no_host_is_refused(browser: TestClient, host: str) -> None:
    assert browser.get("/", headers={"host": host}).status_code == 400


def test_public_addresses_are_read_or_refused() -> None:
    assert str(PublicAddress.parse("https://Cards.Example:443/")) == "https://cards.example"
    assert str(PublicAddress.parse("http://cards.example:8080")) == "http://cards.example:8080"
    assert str(PublicAddress.parse("http://[::1]:8080")) == "http://[::1]:8080"
    assert PublicAddress.parse("https://Kärten.example/").host == "xn--krten-gra.example"
    assert PublicAddress.parse("https://faß.example:8443").host == "xn--fa-hia.example:8443"
    assert PublicAddress.parse("https://[2001:DB8:0:0:0:0:0:1]:443").host == "[2001:db8::1]"
    for wrong in (
        "https://[::1",
        "https://[::g]",
        "https://ä..example",
        "cards.example",
        "ftp://x.example",
        "https://x/y",
        "https://",
        "https://x:99999",
        "http://a b",
    ):
        with pytest.raises(BadAddress, match="is no public address; write for example https://"):
            PublicAddress.parse(wrong)
    with pytest.raises(BadAddress, match="is no address; write for example 127"):
        parse_networks(["localhost"])


# ------------------------------------------------------------------------------------------ proxies


def limited(tmp_path: Path, proxies: list[str], peer: str) -> TestClient:
    app = app_on(tmp_path / "n.db", pace=0, rates={"request": "3/hour"}, proxies=",".join(proxies))
    return TestClient(app, headers=ORIGIN, client=(peer, 4711))


def answers(client: TestClient, visitors: list[str]) -> list[int]:
    asked = [client.get("/api/v1/players", headers={"x-forwarded-for": one}) for one in visitors]
    return [answer.status_code for answer in asked]


def test_people_behind_a_trusted_proxy_are_counted_each(tmp_path: Path) -> None:
    with limited(tmp_path, ["10.0.0.0/8"], "10.0.0.1") as client:
        assert answers(client, [f"192.0.2.{n}" for n in range(8)]) == [200] * 8
        assert answers(client, ["198.51.100.7"] * 4) == [200, 200, 200, 429]
        forged = [f"203.0.113.{n}, 198.51.100.7" for n in range(3)]
        assert answers(client, forged) == [429] * 3, "what a visitor writes before the proxy does not count"


def test_forwarded_header_of_an_untrusted_peer_is_ignored(tmp_path: Path) -> None:
    for proxies in ([], ["10.0.0.1"]):
        with limited(tmp_path, proxies, "192.0.2.9") as client:
            assert answers(client, [f"192.0.2.{n}" for n in range(4)]) == [200, 200, 200, 429]


def test_proxy_decides_whether_cookies_are_secure_only_if_trusted(tmp_path: Path) -> None:
    for proxies, name in (([], "nousu="), (["10.0.0.1"], "__Host-nousu=")):
        app = app_on(tmp_path / "n.db", pace=0, proxies=",".join(proxies))
        with TestClient(app, headers=ORIGIN, client=("10.0.0.1", 1)) as client:
            sent = {"x-forwarded-proto": "https"}
            answer = client.post("/look", data={"lang": "fi"}, headers=sent, follow_redirects=False)
            assert answer.headers["set-cookie"].startswith(name)


# ------------------------------------------------------------------------------------------- limits


def test_clock_set_back_locks_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answered 429 for thirty days."""
    limits = RateLimits({"act": "2/minute"})
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
    asyncio.run(limits.hit("act", "a"))
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0 - 30 * 86400)
    asyncio.run(limits.hit("act", "a"))
    with pytest.raises(TooManyRequests):
        asyncio.run(limits.hit("act", "a"))


def test_bucket_is_refilled_evenly_and_says_when() -> None:
    now = [0.0]
    limits = RateLimits({"act": "2/minute"}, lambda: now[0])

    def hit() -> int:
        """0, or the seconds one is told to wait."""
        try:
            asyncio.run(limits.hit("act", "a"))
        except TooManyRequests as error:
            return error.retry_after
        return 0

    assert [hit(), hit(), hit()] == [0, 0, 30]
    now[0] = 29.0
    assert hit() == 1
    now[0] = 30.0
    assert [hit(), hit()] == [0, 30]


@pytest.mark.parametrize("size", [1, 3, 7, 60])
def test_full_bucket_holds_what_it_says_at_any_time(size: int) -> None:
    """Sums of times are rounded: at one time in ten the only request of an hour was refused."""
    now = [0.0]
    limits = RateLimits({"act": f"{size}/hour"}, lambda: now[0])

    async def hit() -> None:
        for at in range(2000):
            now[0] = at * 17.37
            for _ in range(size):
                await limits.hit("act", str(at))
            with pytest.raises(TooManyRequests):
                await limits.hit("act", str(at))

    asyncio.run(hit())


def test_buckets_are_forgotten_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "_MAX_BUCKETS", 100)
    now = [0.0]
    limits = RateLimits({"act": "2/second"}, lambda: now[0])
    for number in range(5000):
        now[0] = number
        asyncio.run(limits.hit("act", str(number)))
    assert len(limits._full_at) <= 101


def test_network_of_one_customer_has_one_bucket() -> None:
    assert client_key("2001:db8:1:2:3:4:5:6") == client_key("2001:db8:1:2::1")
    assert client_key("2001:db8:1:2::1") != client_key("2001:db8:1:3::1")
    assert client_key("::ffff:192.0.2.1") == client_key("192.0.2.1") != client_key("192.0.2.2")


def test_several_rates_hold_at_once() -> None:
    now = [0.0]
    limits = RateLimits({"session": "2/minute 5/day"}, lambda: now[0])

    def count() -> int:
        for number in range(10):
            try:
                asyncio.run(limits.hit("session", "192.0.2.1"))
            except TooManyRequests:
                return number
        raise AssertionError

    counts = []
    for minute in range(1, 5):
        now[0] = minute * 60.0
        counts.append(count())
    assert counts == [2, 2, 1, 0]
    now[0] = 6 * 3600.0
    assert count() == 1, "a day has so many, spread evenly once they are used up"


def test_customer_with_many_addresses_has_one_limit(tmp_path: Path) -> None:
    app = app_on(tmp_path / "n.db", rates={"session": "3/hour", "tables": "2/hour"})
    codes = []
    with TestClient(app, headers={"origin": "http://testserver"}) as first:
        for number in range(6):
            client = TestClient(app, headers=first.headers, client=(f"2001:db8::{number:x}", 50000))
            client.portal = first.portal
            answer = client.post("/api/v1/session", json={})
            if answer.is_success:
                client.headers["authorization"] = f"Bearer {answer.json()['token']}"
                form = {"preset": "tuppi", "players": ["rules"] * 3}
                answer = client.post("/api/v1/tables", json=form)
            codes.append(answer.status_code)
    assert codes == [201, 201, 429, 429, 429, 429], "tables count by address, since sessions are free"


# ---------------------------------------------------------------------------------------- eight 500s


NUMBERS = ("²", "٣", "9" * 5000, "-" + "9" * 5000, "1e3", "0x1", "--5", "")


def whole(answer: Any) -> None:
    """Whatever was asked, this is an answer: below 500, with every header."""
    assert answer.status_code < 500, answer.text[:200]
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers.get(name) == value


def test_number_of_any_size_breaks_no_page(browser: TestClient) -> None:
    table = opened(come(browser))
    key = "12345678"
    for number in NUMBERS:
        for path in (
            f"/t/{table}/hand/{number}",
            f"/api/v1/tables/{table}/hands/{number}",
        ):
            whole(browser.get(path))
        whole(browser.post(f"/t/{table}/remove", data={"remove": number}))
        body = f'{{"act": "pass", "seq": {number or 1}, "key": "{key}"}}'
        whole(browser.post(f"/api/v1/tables/{table}/actions", content=body))
        whole(browser.post("/new", data={"preset": "tuppi", "shown": "tuppi", "seats": number}))
        text = "nousu record 1\ngame tuppi\nseats 4\ndealer N\n# shuffle secret " + "0" * 64
        share = f"# shuffle share {number} {'a' * 64} {'b' * 32}"
        for line in (
            f"# shuffle chance {number} 0 {'a' * 32} own",
            share,
            f"hand {number}",
            f"score {number}",
        ):
            whole(browser.post("/api/v1/verify", content=f"{text}\n{line}\n", headers=PLAIN))
        seats = text.replace("seats 4", f"seats {number}")
        whole(browser.post("/api/v1/verify", content=seats, headers=PLAIN))


PLAIN = {"content-type": "text/plain"}


def test_number_of_any_size_breaks_no_rules(browser: TestClient) -> None:
    for number in NUMBERS:
        for path in (
            f"/rules/tuppi+target={number}",
            f"/new?rules=tuppi+target={number}",
            f"/api/v1/presets/tuppi+target={number}",
        ):
            whole(browser.get(path))
        whole(browser.post("/new", data={"preset": "tuppi", "shown": "tuppi", "o.target": number}))


def test_program_needs_no_origin_and_a_foreign_page_gains_nothing(browser: TestClient) -> None:
    """A program had to forge an Origin to get its session; a browser always sends one, or Sec-Fetch-Site."""
    del browser.headers["origin"]
    assert browser.post("/api/v1/session", json={"name": "Robot"}).status_code == 201
    for marks in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert browser.post("/api/v1/session", json={}, headers=marks).status_code == 403
    assert browser.post("/look", data={"lang": "fi"}).status_code == 403, "forms are for browsers"
    browser.cookies.set("nousu", "a" * 22)
    assert browser.post("/api/v1/session", json={}).status_code == 403, "a cookie is a browser's"


def test_surrogate_breaks_no_answer(browser: TestClient) -> None:
    """A lone surrogate is JSON, but no text that can be sent."""
    table = opened(come(browser))
    half = '"\\ud800"'
    api = "/api/v1"
    for path, body in (
        (f"{api}/session", f'{{"name": {half}}}'),
        (f"{api}/session", f"{{{half}: 1}}"),
        (f"{api}/tables", f'{{"preset": {half}, "players": []}}'),
        (f"{api}/tables", f'{{"preset": "tuppi", "players": [{half}, "rules", "rules"]}}'),
        (f"{api}/tables", f'{{"preset": "tuppi", "players": ["rules"], "options": {{{half}: {half}}}}}'),
        (f"{api}/tables/{table}/actions", f'{{"act": {half}, "seq": 1, "key": "12345678"}}'),
        (f"{api}/tables/{table}/actions", f'{{"act": "pass", "seq": 1, "key": {half}}}'),
        (f"{api}/tables/{table}/fill", f'{{"player": {half}}}'),
        (f"{api}/verify", half),
    ):
        for kind in ("application/json", "text/plain"):
            whole(browser.post(path, content=body, headers={"content-type": kind}))
    whole(browser.post(f"{api}/verify", content=b"\xff\xfe", headers=PLAIN))
    with browser.websocket_connect(f"/t/{table}/live") as connection:
        connection.receive_json()
        for text in (
            f'{{"act": "pass", "seq": 1, "key": {half}}}',
            f'{{"act": {half}, "seq": 1, "key": "12345678"}}',
            f'{{"act": "pass", "seq": {"9" * 1900}, "key": "12345678"}}',
            f"{{{half}: 1}}",
        ):
            connection.send_text(text)
            result = connection.receive_json()
            while "error" not in result:
                result = connection.receive_json()


def test_static_files_are_counted_and_whoever_floods_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stylesheet took 3.5 ms of the processor, as often as anybody asked."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    rates = {"file": "3/hour", "request": "1/hour"}
    with TestClient(app_on(tmp_path / "n.db", rates=rates)) as client:
        monkeypatch.setattr(middleware, "asyncio", SimpleNamespace(sleep=sleep))
        codes = [
            client.get(f"/static/{name}").status_code
            for name in ("nousu.css", "none", "js/site.js", "knit.svg")
        ]
        assert codes == [200, 404, 200, 429]
        assert [client.get("/offline").status_code for _ in range(3)] == [200, 429, 429]
    assert waited == [middleware.DELAY] * 3


def test_stylesheet_is_compressed_once(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = browser.get("/static/nousu.css", headers={"accept-encoding": "identity"})
    assert browser.get("/static/nousu.css").text == plain.text and "content-encoding" not in plain.headers
    monkeypatch.delattr("zlib.compressobj")
    monkeypatch.delattr("zlib.compress")
    again = browser.get("/static/nousu.css")
    assert again.headers["content-encoding"] == "gzip" and again.text == plain.text


def test_internal_failure_is_answered_and_logged_without_user_text(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """500 has every header too, and no log says more than where it was."""

    async def fails(*_: object) -> None:
        raise RuntimeError("the partner holds " + "".join(("H", "A")))

    table = opened(come(browser))
    app: Any = browser.app
    server = app.state.server
    parts = (
        (server.views, "view"),
        (server.sessions, "find"),
        (server.views, "record"),
        (server.tables, "room"),
    )
    for part, name in parts:
        monkeypatch.setattr(part, name, fails)
    for path in (f"/t/{table}", f"/api/v1/tables/{table}", f"/t/{table}/record"):
        answer = browser.get(path)
        assert answer.status_code == 500 and "HA" not in answer.text
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get(name) == value, (path, name)
        if path.startswith("/api"):
            assert json.loads(answer.text)["error"].startswith("Something went wrong here")
        else:
            assert "Something went wrong here" in answer.text
    with pytest.raises(Exception), browser.websocket_connect(f"/t/{table}/live") as connection:  # noqa: B017
        connection.receive_text()
    assert "RuntimeError" in caplog.text and "HA" not in caplog.text


def test_hosts_of_ipv6_are_taken_with_brackets_and_shown_with_them() -> None:
    for text in ("::1", "[::1]", " [::1] "):
        assert load_settings({"host": text}).host == "::1"
    assert [host_in_url(host) for host in ("::1", "[::1]", "127.0.0.1")] == ["[::1]", "[::1]", "127.0.0.1"]


@pytest.mark.parametrize("sign", [".", ",", ";", ":", ")", "]", ">", "'", '"', ").", "%E2%80%9D"])
def test_sign_behind_a_link_is_forgiven(browser: TestClient, sign: str) -> None:
    table = opened(come(browser), players=["open"] * 3)
    page = browser.get(f"/t/{table}{sign}")
    assert (page.status_code, page.url.path) == (200, f"/t/{table}")
    assert browser.get(f"/rules/tuppi{sign}").status_code == 200
    assert browser.get(f"/static/none{sign}", follow_redirects=False).status_code == 404
    assert browser.get(f"http://testserver//evil{sign}", follow_redirects=False).status_code == 404


def test_ids_begin_and_end_with_a_letter_or_digit() -> None:
    for size in (3, 12, 18):
        ids = [new_id(size) for _ in range(2000)]
        assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*[A-Za-z0-9]", one) for one in ids)
        assert len(set(ids)) == 2000 or size == 3
