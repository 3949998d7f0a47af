"""P13: the API does what its description says, whoever asks: nobody, a stranger, somebody at the table.

Schemathesis makes requests of the OpenAPI description, right ones and wrong ones, and every check it knows
looks at the answers.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from applications import app_on
from nousu.server.http.middleware import SECURITY_HEADERS
from soaking import report, times

ORIGIN = {"origin": "http://testserver"}
IDENTITIES = ("nobody", "stranger", "seated")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path = tmp_path_factory.mktemp("contract") / "n.db"
    app = app_on(path, pace=60)
    with TestClient(app, base_url="http://testserver", raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def known(browser: TestClient) -> dict[str, Any]:
    """A table, and who asks for it: headers by identity."""
    tokens = [
        browser.post("/api/v1/session", json={"name": name}).json()["token"] for name in ("Aino", "Eero")
    ]
    mine, other = ({"authorization": f"Bearer {token}"} for token in tokens)
    body = {"preset": "tuppi", "players": ["random"] * 3}
    table = browser.post("/api/v1/tables", json=body, headers=mine).json()["table"]
    return {"table": table, "nobody": {}, "stranger": other, "seated": mine}


@pytest.mark.parametrize("where", ["nothing", "presets/\u00c6%0A", "presets/a%0Ab", "presets/tuppi/more"])
def test_api_unknown_address(browser: TestClient, where: str) -> None:
    answer = browser.get(f"/api/v1/{where}", headers={"accept-language": "fi"})
    assert answer.status_code == 404
    assert answer.json() == {"error": "Sellaista sivua ei ole.", "clause": ""}


def described() -> Any:
    app = app_on(":memory:")
    raw = TestClient(app).get("/api/v1/openapi.json").json()
    raw["servers"] = [{"url": "/api/v1"}]
    return schemathesis.openapi.from_dict(raw)


SCHEMA = described()
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]


@pytest.mark.promise("P13")
@pytest.mark.parametrize("who", IDENTITIES)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"{one.method.upper()} {one.path}")
def test_api_keeps_to_its_description(
    browser: TestClient, known: dict[str, Any], who: str, operation: Any
) -> None:
    """Every operation, asked as its description allows; every check."""
    examples = times(3, 1000)

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def asked(case: Any) -> None:
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = known["table"]
        own = known[who]
        if own and (operation.method.upper(), operation.path) == (
            "DELETE",
            "/session",
        ):  # not that of the others
            token = browser.post("/api/v1/session", json={"name": "Kaisa"}).json()["token"]
            own = {"authorization": f"Bearer {token}"}
        case.headers = {**dict(case.headers or {}), **own}
        values = case.as_transport_kwargs(base_url="http://testserver/api/v1")
        values["headers"] = dict(values["headers"])
        if "data" in values:
            values["content"] = values.pop("data")
        if not values.get("cookies"):
            values.pop("cookies", None)
        answer = browser.request(**{name: value for name, value in values.items() if value is not None})
        assert answer.status_code < 500
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get(name) == value
        # That there is no such preset, that a text is no record, or that a key has been used before, is a
        # refusal no description can foresee.
        error = answer.json().get("error", "") if answer.status_code in (400, 422) else ""
        foreseen = not error or (answer.status_code == 422 and not error.startswith("This key was used"))
        case.validate_response(answer, excluded_checks=[] if foreseen else [positive_data_acceptance])

    asked()
    report(f"P13: {examples} requests {operation.method.upper()} {operation.path} as {who}, no failure")
