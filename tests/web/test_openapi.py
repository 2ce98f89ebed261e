"""The API keeps to its document: it refuses wrong requests, and answers right ones."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
import pytest
import schemathesis
from hypothesis import settings
from msgspec import Meta
from structlog.contextvars import get_contextvars
from structlog.testing import capture_logs

from croupier.web.api import whole_api
from croupier.web.endpoint import Api, ApiRequest, Body
from croupier.web.openapi import document
from croupier.web.routing import api_routes, application
from tests.web.asking import Answer, ask, post
from tests.web.sample import TOKEN, api, authenticate, make
from tests.web.strict_types import check_request_type

APP = make()
DOCUMENT = document(api.endpoints, version="1")
ROUNDS = "/api/tables/a-1/rounds"
ACTS: dict[str, Any] = {
    "acts": [{"type": "place", "wager": "red", "stake_cents": 500}],
    "sequence": 7,
}

schema = schemathesis.openapi.from_asgi("/api/openapi.json", APP)


@schema.parametrize()
@settings(max_examples=60)
def test_every_operation_behaves_as_documented(
    case: schemathesis.Case[Any],
) -> None:
    is_open = "security" not in case.operation.definition.raw

    case.call_and_validate(headers={} if is_open else {"Authorization": TOKEN})


def _act(body: bytes | object, **headers: str) -> Answer:
    return post(APP, ROUNDS, body, authorization=TOKEN, **headers)


def test_a_right_request_is_answered() -> None:
    answer = _act(ACTS)

    assert answer.status == 201
    assert answer.headers["set-cookie"].startswith("seen=1; HttpOnly")
    assert answer.json() == {
        "table": "a-1",
        "count": 1,
        "sequence": 7,
        "note": None,
        "seats": {},
    }


def test_a_refusal_of_the_handler_cites_its_clause() -> None:
    answer = post(APP, "/api/tables/closed/rounds", ACTS, authorization=TOKEN)

    assert answer.status == 409
    assert answer.json() == {
        "error": "no more bets",
        "clause": "5.13",
        "reason": {"code": "recorded", "values": {"text": "no more bets"}},
    }


def _changed(**fields: object) -> bytes:
    return json.dumps({**ACTS, **fields}).encode()


WRONG_BODIES = {
    b"": "truncated",
    b"{": "truncated",
    b"[]": "Expected `object`",
    b"\xff": "not JSON",
    b'"\xff"': "not",
    b'{"sequence": 1}': "missing required field `acts`",
    b'{"acts": "\xff"}': "not",
    b"[" * 100_000: "nested too deeply",
    b'{"x":' * 100_000: "nested too deeply",
    _changed(more=1): "unknown field `more`",
    _changed(sequence="7"): "Expected `int`, got `str` - at `$.sequence`",
    _changed(sequence=7.5): "at `$.sequence`",
    _changed(sequence=True): "at `$.sequence`",
    _changed(sequence=None): "at `$.sequence`",
    _changed(sequence=2**63): "at `$.sequence`",
    _changed(sequence=-(2**63) - 1): "at `$.sequence`",
    _changed(sequence=10**4000): "at `$.sequence`",
    _changed(sequence=1e300): "at `$.sequence`",
    _changed(note="a\0b"): "NUL in a text",
    _changed(seats={"a\0": 1}): "NUL in a text",
    _changed(note="\ud800"): "not JSON",
    _changed(acts=[]): "length >= 1",
    _changed(acts=[{"type": "void"}]): "`$.acts[0]",
    _changed(acts=[{"type": "place", "wager": "red"}]): "`stake_cents`",
    _changed(acts=ACTS["acts"] * 6): "length <= 5",
    _changed(factor="nan"): "at `$.factor`",
    _changed(factor=float("nan")): "not JSON",
}


@pytest.mark.parametrize(
    ("body", "why"), WRONG_BODIES.items(), ids=map(str, range(len(WRONG_BODIES)))
)
def test_a_wrong_body_is_refused_with_the_path_of_the_field(
    body: bytes, why: str
) -> None:
    answer = _act(body)

    assert answer.status == 400
    assert why in answer.error


@pytest.mark.parametrize("sequence", [2**63 - 1, -(2**63)])
def test_an_integer_may_have_64_bits(sequence: int) -> None:
    assert _act(_changed(sequence=sequence)).json()["sequence"] == sequence


@pytest.mark.parametrize("number", ["7", "7.0", "7e0", "70e-1", "0.7e1"])
def test_an_integral_number_is_an_integer(number: str) -> None:
    body = json.dumps(ACTS).replace("7", number).encode()

    assert _act(body).json()["sequence"] == 7


def test_a_text_may_look_like_nul_or_a_large_number() -> None:
    note = "\\u0000 " + "9" * 40

    assert _act(_changed(note=note)).json()["note"] == note


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "application/json; charset=latin-1", ""]
)
def test_another_content_type_is_refused(kind: str) -> None:
    assert _act(ACTS, content_type=kind).status == 415


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON ; charset=UTF-8"]
)
def test_json_may_say_its_charset(kind: str) -> None:
    assert _act(ACTS, content_type=kind).status == 201


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("after=x", "neither an integer"),
        ("after=-1", ">= 0"),
        ("after=", "neither an integer"),
        ("after=+1", "neither an integer"),
        ("after=1_0", "neither an integer"),
        ("after=%D9%A1", "neither an integer"),
        ("after=9007199254740993", "<= 9007199254740992"),
        ("after=1&after=2", "more than once"),
        ("after=1&after=1", "more than once"),
        ("phase=spun", "phase"),
        ("after=true", "Expected `int`"),
        ("after=null", "neither an integer"),
        ("day=2026-02-30", "day"),
        ("flag=1", "Expected `bool`"),
        ("flag=True", "nor true or false"),
        ("sort=sideways", "sort"),
        ("sort=up%00", "NUL"),
        ("limit=1", "no parameter 'limit'"),
    ],
    ids=lambda each: each[:40],
)
def test_a_wrong_query_is_refused(query: str, why: str) -> None:
    answer = ask(APP, "GET", f"{ROUNDS}?{query}")

    assert answer.status == 400
    assert why in answer.error


def test_a_right_query_is_read() -> None:
    query = "after=5.0&phase=betting&day=2026-11-15&flag=true&sort=down"

    assert ask(APP, "GET", f"{ROUNDS}?{query}").json() == {
        "table": "a-1",
        "after": 5,
        "phase": "betting",
        "day": "2026-11-15",
        "flag": True,
        "sort": "down",
    }


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 404),
        ("/api", 404),
        ("/api/health/", 404),
        ("/api/tables//rounds", 404),
        ("/api/tables/A/rounds", 400),
        ("/api/tables/a%0A/rounds", 400),
        ("/api/tables/a%00/rounds", 400),
        ("/api/tables/a;b/rounds", 400),
        (f"/api/tables/{'a' * 5000}/rounds", 400),
    ],
    ids=lambda each: str(each)[:40],
)
def test_a_wrong_path_is_a_problem(path: str, status: int) -> None:
    answer = ask(APP, "GET", path)

    assert answer.status == status
    assert answer.error


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "get", "X"])
def test_another_method_is_refused_with_all_that_are_allowed(method: str) -> None:
    answer = ask(APP, method, ROUNDS)

    assert answer.status == 405
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert answer.error


def test_who_is_not_logged_on_learns_nothing_about_the_body() -> None:
    answer = post(APP, ROUNDS, b"{")

    assert (answer.status, answer.error) == (401, "you are not logged on")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_body_without_its_type_is_refused() -> None:
    assert ask(APP, "PUT", "/api/seats/b/2").status == 400
    assert ask(APP, "PUT", "/api/seats/b/2", body=b"{}").status == 415


def test_a_failure_tells_its_number_and_the_log_the_rest() -> None:
    with capture_logs() as logs:
        answer = ask(APP, "GET", "/api/broken")

    assert answer.status == 500
    assert "secret" not in answer.error
    [line] = logs
    assert line["request_id"] in answer.error
    assert str(line["exc_info"]) == "the secret of the house"


def test_what_a_handler_logs_has_the_id_of_the_request() -> None:
    own = Api("own")
    seen: list[tuple[str, object]] = []

    async def look(request: ApiRequest) -> None:
        seen.append((request.request_id, get_contextvars()["request_id"]))

    own("GET /x")(look)
    app = application(api_routes(own.endpoints, authenticate))
    for _ in range(2):
        assert ask(app, "GET", "/x").status == 204

    assert all(given == bound for given, bound in seen)
    assert seen[0] != seen[1]


def test_the_document_is_strict() -> None:
    acts = DOCUMENT["components"]["schemas"]["Acts"]
    [table] = DOCUMENT["paths"]["/api/tables/{table}/rounds"]["post"]["parameters"]
    seat, _ = DOCUMENT["paths"]["/api/seats/{seat}/{number}"]["put"]["parameters"]

    assert DOCUMENT["openapi"] == "3.1.0"
    assert acts["additionalProperties"] is False
    assert acts["properties"]["sequence"] == {
        "type": "integer",
        "minimum": -(2**63),
        "maximum": 2**63 - 1,
    }
    assert acts["properties"]["seats"]["propertyNames"] == {"pattern": r"^[^\x00]*$"}
    assert table["schema"]["pattern"] == "^[a-z0-9-]{1,20}$"
    assert seat["schema"]["pattern"] == r"^[^\x00/]+$"


def test_the_document_lists_security_and_refusals() -> None:
    act = DOCUMENT["paths"]["/api/tables/{table}/rounds"]["post"]

    assert act["operationId"] == "act"
    assert act["security"] == [{"session": []}]
    assert set(act["responses"]) >= {"201", "400", "401", "403", "409", "413", "415"}
    assert "security" not in DOCUMENT["paths"]["/api/health"]["get"]
    for status, answer in act["responses"].items():
        if status != "201":
            [kind] = answer["content"].values()
            assert kind["schema"] == {"$ref": "#/components/schemas/ApiProblem"}


def test_a_cookie_goes_with_the_csrf_token_where_something_changes() -> None:
    own = Api("own")

    async def change(request: ApiRequest) -> None: ...

    async def look(request: ApiRequest) -> None: ...

    own("POST /x", auth=frozenset({"cookie", "session"}))(change)
    own("GET /x", auth=frozenset({"cookie"}))(look)
    path = document(own.endpoints, version="1")["paths"]["/x"]

    assert path["post"]["security"] == [{"cookie": [], "csrf": []}, {"session": []}]
    assert path["get"]["security"] == [{"cookie": []}]


class _Loose(msgspec.Struct):
    a: bool


class _Around(Body, frozen=True):
    inner: list[_Loose]


class _Unbounded(Body, frozen=True):
    a: Annotated[int, Meta(ge=0)]


class _Tagged(Body, frozen=True, tag="one"):
    a: bool


@pytest.mark.parametrize(
    "type_",
    [
        _Loose,
        _Around,
        dict[str, _Loose],
        _Loose | None,
        _Unbounded,
        _Tagged,
        _Tagged | None,
        list[_Tagged],
        Annotated[str, Meta(pattern="^a$")],
        tuple[Annotated[str, Meta(pattern="^a$")], bool],
    ],
    ids=str,
)
def test_a_type_that_is_read_loosely_can_not_be_declared(type_: Any) -> None:
    with pytest.raises(AssertionError):
        check_request_type(type_)


def test_every_operation_reads_strictly() -> None:
    for endpoint in whole_api().endpoints:
        for type_ in (endpoint.body, *(each.type for each in endpoint.parameters)):
            check_request_type(type_)


def test_an_operation_that_contradicts_its_path_can_not_be_declared() -> None:
    async def look(request: ApiRequest) -> None: ...

    async def look_at(request: ApiRequest, *, table: str = "a") -> None: ...

    for handler in (look, look_at):
        with pytest.raises(AssertionError):
            Api("own")("GET /api/{table}")(handler)


def test_an_operation_is_declared_once() -> None:
    own = Api("own")

    async def look(request: ApiRequest) -> None: ...

    own("GET /a")(look)

    for path in ("/a", "/b"):
        with pytest.raises(AssertionError):
            own(f"GET {path}")(look)
