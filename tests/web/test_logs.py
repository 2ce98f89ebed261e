"""No secret is ever logged, by any code and in any place of a message."""

from __future__ import annotations

import io
import json
import logging
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

from croupier.web.server_log import (
    LEVELS,
    REDACTED,
    configure_logging,
    is_secret,
    redact,
)

PLANTED = "hunter2-Xq7"
TOKEN = "KYf7OZPyhJgXg18vNgYBLbt_uBBX00vyVco61p7V2P4"


pytestmark = pytest.mark.usefixtures("logs_as_before")


def logged(
    log: Callable[[], object], *, form: str = "json", level: str = "debug"
) -> str:
    """Return the text that a call logs."""
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


@pytest.mark.parametrize("level", LEVELS)
def test_only_lines_of_the_chosen_level_are_logged(level: str) -> None:
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
            warnings.warn("old", stacklevel=1)

    text = logged(warn)

    assert "py.warnings" in text


@pytest.mark.parametrize("form", ["json", "console"])
def test_uvicorn_logs_through_it(form: str) -> None:
    def log() -> None:
        uvicorn.Config(app="x", log_config=None)
        access = logging.getLogger("uvicorn.access")
        access.info(
            '%s - "%s %s HTTP/%s" %d',
            "192.0.2.1:5",
            "GET",
            "/play?table=t1&last=4",
            "1.1",
            101,
        )

    text = logged(log, form=form)

    assert "/play?table=t1&last=4" in text


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


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (f"postgresql://house:{PLANTED}@db/house", "postgresql://house:***@db/house"),
        (f"Bearer {TOKEN}", "Bearer ***"),
        ("/api/vouchers/MFRGGZDFMZTWQ2LK", "/api/vouchers/***"),
        ("voucher MFRGGZDFMZTWQ2LK is unknown", "voucher *** is unknown"),
    ],
)
def test_a_secret_in_a_text_is_taken_out(text: str, written: str) -> None:
    assert redact(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "no more bets at table t1",
        "the wager split:17/20 was refused [5.13]",
        "GET /api/tables/t1/rounds?after=5",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "postgresql://house@localhost/house",
        "http://127.0.0.1:8000/",
        "src/croupier/web/security/middleware.py, line 123, in _check_csrf",
    ],
)
def test_an_innocent_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@given(st.binary(min_size=32, max_size=32))
def test_a_token_of_ours_is_known_wherever_it_stands(raw: bytes) -> None:
    token = urlsafe_b64encode(raw).decode().rstrip("=")

    looks_random = token.lower() != token and token.upper() != token
    for text in (token, f"x {token}", f"<{token}>", f"{{'a': {token!r}}}"):
        assert (token in redact(text)) != looks_random


def _values(secret: str) -> list[Any]:
    """Return a secret in each kind of value that has named fields."""
    return [
        {"password": secret},
        {"outer": {"inner": [{"token": secret}]}},
        {"headers": {"cookie": f"croupier_session={secret}"}},
        {"form": Form("Anna", secret)},
        {"message": Message("log-on", secret)},
    ]


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("place", range(len(_values(""))))
def test_a_planted_secret_never_comes_out(form: str, place: int) -> None:
    def log() -> None:
        structlog.get_logger().info("asked", **_values(PLANTED)[place])
        with structlog.contextvars.bound_contextvars(token=PLANTED):
            logging.getLogger("library").info("asked")

    text = logged(log, form=form)

    assert text.count("asked") == 2
    assert PLANTED not in text


def test_an_exception_is_logged_without_a_token() -> None:
    def log() -> None:
        errors = [ValueError(f"no session {TOKEN}"), TypeError("other")]
        structlog.get_logger().error("failed", exc_info=ExceptionGroup("two", errors))
        logging.getLogger("library").error("failed", exc_info=errors[0])

    text = logged(log)

    assert text.count("no session ***") == 2
    assert TOKEN not in text


def test_a_line_that_cannot_be_written_is_reported_without_its_content(
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
            return f"Broken({TOKEN!r})"

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

    assert line["a"] == "Broken('***')"
    assert line["f"] == "<Silent: ValueError>"
    assert line["e"] == {"1": [2, 3]}


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "_",
        "-_",
        "1_",
        "://a:",
        " ",
    ],
)
def test_a_long_text_is_redacted_in_little_time(text: str) -> None:
    began = time.process_time()

    written = redact(text * (1_000_000 // len(text)))

    assert len(written) < 30_000
    assert time.process_time() - began < 2


def test_the_usual_stream_is_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(form="json", level="info", stream=sys.stderr)
    structlog.get_logger().info("here")

    out, err = capsys.readouterr()
    assert out == ""
    assert json.loads(err)["event"] == "here"
