"""No secret is ever logged, whoever logs it and wherever it stands."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
import sys
import time
import warnings
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
import structlog
import uvicorn
from hypothesis import given
from hypothesis import strategies as st

from croupier.web.monitoring import (
    LEVELS,
    REDACTED,
    bound,
    configure_logging,
    is_secret,
    redact,
    redact_text,
)

PLANTED = "hunter2-Xq7"
TOKEN = secrets.token_urlsafe(32)


pytestmark = pytest.mark.usefixtures("logs_as_before")


def logged(
    log: Callable[[], object], *, form: str = "json", level: str = "debug"
) -> str:
    """What stands on the stream after something was logged."""
    stream = io.StringIO()
    configure_logging(form=form, level=level, stream=stream)
    log()
    return stream.getvalue()


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_is_one_json_object() -> None:
    text = logged(lambda: structlog.get_logger("a.b").info("two\nlines", count=3))

    [line] = lines(text)
    assert (line["event"], line["count"]) == ("two\nlines", 3)
    assert (line["level"], line["logger"]) == ("info", "a.b")
    assert line["timestamp"].endswith("Z")


def test_a_console_line_can_be_read() -> None:
    def log() -> None:
        structlog.get_logger("a").warning("bets closed", table="t1")

    text = logged(log, form="console")

    assert "bets closed" in text
    assert "table=t1" in text
    assert "\x1b" not in text


def test_what_is_bound_stands_in_every_line_of_its_own_task() -> None:
    async def work(table: str) -> None:
        with bound(table=table, round_number=7, request_id=f"r-{table}"):
            await asyncio.sleep(0)
            structlog.get_logger().info("one")
            logging.getLogger("library").info("two")
        structlog.get_logger().info("three")

    async def both() -> None:
        await asyncio.gather(work("t1"), work("t2"))

    written = lines(logged(lambda: asyncio.run(both())))

    named = [line for line in written if line["event"] in {"one", "two"}]
    assert len(named) == 4
    for line in named:
        assert line["request_id"] == f"r-{line['table']}"
        assert line["round"] == 7
    assert all("table" not in e for e in written if e["event"] == "three")


@pytest.mark.parametrize("level", LEVELS)
def test_only_what_is_grave_enough_is_logged(level: str) -> None:
    def log() -> None:
        for each in LEVELS:
            getattr(structlog.get_logger(), each)(each)
            getattr(logging.getLogger("library"), each)(each)

    written = [line["event"] for line in lines(logged(log, level=level))]

    expected = LEVELS[LEVELS.index(level) :]
    assert written == [each for each in expected for _ in range(2)]


def test_configuring_again_writes_no_line_twice() -> None:
    configure_logging(form="json", stream=io.StringIO())

    assert len(lines(logged(lambda: logging.getLogger("x").info("once")))) == 1


def test_warnings_are_logged() -> None:
    def warn() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            logging.captureWarnings(True)
            warnings.warn(f"token={PLANTED}", stacklevel=1)

    text = logged(warn)

    assert "py.warnings" in text
    assert PLANTED not in text


@pytest.mark.parametrize("form", ["json", "console"])
def test_uvicorn_logs_through_it(form: str) -> None:
    def log() -> None:
        uvicorn.Config(app="x", log_config=None)
        access = logging.getLogger("uvicorn.access")
        access.info(
            '%s - "%s %s HTTP/%s" %d',
            "192.0.2.1:5",
            "GET",
            f"/play?table=t1&token={PLANTED}&last=4",
            "1.1",
            101,
        )

    text = logged(log, form=form)

    assert PLANTED not in text
    assert "/play?table=t1&token=***&last=4" in text


SECRET_NAMES = (
    "password",
    "Password",
    "new_password",
    "token",
    "csrf_token",
    "csrfToken",
    "X-CSRF-Token",
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "set-cookie",
    "code",
    "pairing_code",
    "voucherCode",
    "pin",
    "PIN",
    "secret",
    "api_key",
    "private_key",
)


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_a_secret_name_hides_its_value(name: str) -> None:
    assert is_secret(name)
    assert redact({name: PLANTED}) == {name: REDACTED}
    assert redact({name: {"a": [PLANTED]}}) == {name: REDACTED}
    assert redact([(name.encode(), PLANTED.encode())]) == [[name, REDACTED]]


@pytest.mark.parametrize(
    "name", ["table", "round", "status_code", "spinning", "pinned", "encoded", "key"]
)
def test_another_name_hides_nothing(name: str) -> None:
    assert not is_secret(name)
    assert redact({name: 17}) == {name: 17}


@dataclass
class Form:
    name: str
    password: str


class Message(msgspec.Struct):
    kind: str
    token: str


TEXTS = [
    "Bearer {}",
    "authorization: bearer {}",
    "Authorization: Basic {}",
    "authorization: Token {} more",
    "cookie: a=b; croupier_session={}; c=d",
    "Set-Cookie: croupier_session={}; HttpOnly",
    "(b'cookie', b'croupier_session={}')",
    "[(b'authorization', b'Digest {}')]",
    "/play?token={}",
    "/play?last=1&access_token={}&x=2",
    "GET /play?token={} HTTP/1.1",
    "token%3D{}",
    'the body was {{"name": "Anna", "password": "{}"}}',
    "the body was {{'pin':'{}', 'x': 1}}",
    'escaped {{\\"password\\": \\"{}\\"}}',
    "password={}",
    "password = '{} and more'",
    "LogOn(name='Anna', password='{}', again=True)",
    "croupier_csrf={}",
    "X-CSRF-Token: {}",
    "the token {} has expired",
    "wrong password '{}'",
    "the pairing code is {}",
    "pairing_code={};",
    "postgresql://house:{}@localhost/house",
    "could not connect to postgresql://house:{}@db:5432/house?sslmode=require",
    "secret: {}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_secret_in_a_text_is_taken_out(text: str) -> None:
    for secret in (PLANTED, TOKEN, "4711", "p4ss/w+rd=="):
        written = redact_text(text.format(secret))

        assert secret not in written
        assert REDACTED in written
        assert redact_text(written) == written


@pytest.mark.parametrize(
    "text",
    [
        "no more bets at table t1",
        "the wager split:17/20 was refused [5.13]",
        "GET /api/tables/t1/rounds?after=5",
        "status_code=500 close_code=1006",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "postgresql://house@localhost/house",
        "http://127.0.0.1:8000/",
        "a token was refused",
        "src/croupier/web/security/middleware.py, line 123, in _check_csrf",
    ],
)
def test_an_innocent_text_stays_as_it_is(text: str) -> None:
    assert redact_text(text) == text


@given(st.binary(min_size=32, max_size=32))
def test_a_token_of_ours_is_known_wherever_it_stands(raw: bytes) -> None:
    token = urlsafe_b64encode(raw).decode().rstrip("=")

    looks_random = token.lower() != token and token.upper() != token
    for text in (token, f"x {token}", f"<{token}>", f"{{'a': {token!r}}}"):
        assert (token in redact_text(text)) != looks_random


def _values(secret: str) -> list[Any]:
    """A secret in everything that somebody may hand to a logger."""
    return [
        {"password": secret},
        {"outer": {"inner": [{"token": secret}]}},
        {"headers": [(b"authorization", f"Bearer {secret}".encode())]},
        {"headers": {b"cookie": f"croupier_session={secret}".encode()}},
        {"form": Form("Anna", secret)},
        {"message": Message("log-on", secret)},
        {"error": ValueError(f"wrong token {secret}")},
        {"request": f"/play?token={secret}"},
        {"raw": f"Bearer {secret}".encode()},
        {"texts": {f"pin={secret}"}},
        {f"token={secret}": 1},
        {"deep": _deep(secret)},
    ]


def _deep(secret: str) -> Any:
    value: Any = {"name": f"password={secret}"}
    for _ in range(50):
        value = [value]
    return value


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("place", range(len(_values(""))))
def test_a_planted_secret_never_comes_out(form: str, place: int) -> None:
    def log() -> None:
        fields = _values(PLANTED)[place]
        structlog.get_logger().info("asked", **{str(k): v for k, v in fields.items()})
        logging.getLogger("library").info("asked %s", fields)
        with structlog.contextvars.bound_contextvars(token=PLANTED):
            logging.getLogger("library").info("bound")

    text = logged(log, form=form)

    assert text.count("asked") == 2
    assert PLANTED not in text


@pytest.mark.parametrize("form", ["json", "console"])
def test_an_exception_is_logged_without_the_secret_in_its_message(form: str) -> None:
    def fail() -> None:
        try:
            raise KeyError(f"no session for Bearer {PLANTED}")
        except KeyError as error:
            raise RuntimeError(f"password='{PLANTED}'") from error

    def log() -> None:
        try:
            fail()
        except RuntimeError as error:
            error.add_note(f"cookie: croupier_session={PLANTED}")
            structlog.get_logger().exception("failed")
            structlog.get_logger().error("failed", exc_info=error)
            logging.getLogger("library").exception("failed: %s", error)
            structlog.get_logger().error("failed", stack_info=True)

    text = logged(log, form=form)

    assert text.count("Traceback (most recent call last)") >= 6
    assert "in fail" in text
    assert PLANTED not in text


def test_a_group_of_exceptions_is_logged_without_secrets() -> None:
    def log() -> None:
        errors = [ValueError(f"token={PLANTED}"), TypeError(f"pin: {PLANTED}")]
        structlog.get_logger().error("failed", exc_info=ExceptionGroup("two", errors))

    text = logged(log)

    assert "ExceptionGroup" in text
    assert PLANTED not in text


def test_a_line_that_can_not_be_written_is_told_without_what_it_holds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def log() -> None:
        logging.getLogger("x").info("%d %s", "one", PLANTED)

    said = "a line of x was not logged: TypeError"

    assert logged(log, form="console") == f"{said}\n"
    assert json.loads(logged(log)) == {"event": said, "level": "error"}
    assert PLANTED not in "".join(capsys.readouterr())


def test_hostile_values_do_not_stop_the_log() -> None:
    class Broken:
        def __repr__(self) -> str:
            return f"Broken(token='{PLANTED}')"

    class Silent:
        def __repr__(self) -> str:
            raise ValueError(PLANTED)

    itself: list[Any] = []
    itself.append(itself)

    def log() -> None:
        structlog.get_logger().info(
            "asked",
            a=Broken(),
            b=itself,
            c="\ud800",
            d=b"\xff",
            e={1: {2, 3}},
            f=Silent(),
        )

    [line] = lines(logged(log))

    assert line["a"] == "Broken(token=***)"
    assert line["f"] == "<Silent: ValueError>"
    assert line["e"] == {"1": [2, 3]}


@pytest.mark.parametrize(
    "text",
    [
        "token ",
        "a",
        "_",
        "-_",
        "1_",
        "password=",
        "'\\",
        "://a:",
        "cookie",
        "token\\",
        " ",
    ],
)
def test_a_long_text_is_redacted_in_little_time(text: str) -> None:
    began = time.process_time()

    written = redact_text(text * (1_000_000 // len(text)))

    assert len(written) < 30_000
    assert time.process_time() - began < 2


def test_the_usual_stream_is_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(form="json", level="info", stream=sys.stderr)
    structlog.get_logger().info("here")

    out, err = capsys.readouterr()
    assert out == ""
    assert json.loads(err)["event"] == "here"


@pytest.mark.parametrize(
    "text",
    [
        "/api/vouchers/MFRGGZDFMZTWQ2LK",
        "/api/vouchers/mfrggzdfmztwq2lk/lost",
        "voucher MFRGGZDFMZTWQ2LK can't be redeemed",
    ],
)
def test_the_code_of_a_voucher_is_never_logged(text: str) -> None:
    def refuse() -> None:
        structlog.get_logger("croupier.web").info("refused", path=text)

    line = logged(refuse)

    assert "mfrggzdf" not in line.lower()
    assert REDACTED in line


def test_the_paths_of_all_vouchers_are_logged_as_they_are() -> None:
    for path in ("/api/vouchers/find", "/api/vouchers/lost", "/api/vouchers/expire"):
        assert redact_text(path) == path
