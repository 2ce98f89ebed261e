"""Monitoring of the server: its log, without secrets, and its metrics.

`configure_logging` sends structlog, uvicorn and the standard library through the same
processors; the last of them takes secrets out, after exceptions have become text. What
`bound` binds (`round`, `table`, `request_id`) stands in every line logged within it.

A name is secret by one of its words (`pairing_code`, `X-CSRF-Token`). In a text, what
follows such a name is taken out (`?token=…`, `"password": "…"`, `pin=…`), and so is
what looks like a token of ours: a long random word.

The registry of metrics is the server's own, so that two servers in one process stay
apart. Labels are names that the house gives (tables) or closed sets: their number is
bounded.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO, TypeVar

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    ProcessCollector,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.typing import EventDict, Processor, WrappedLogger

import croupier
from croupier.web.frequent_metrics import FrequentSeconds, FrequentValues

FORMS = ("json", "console")
LEVELS = ("debug", "info", "warning", "error")
_UVICORN = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")


class _Handler(logging.StreamHandler[TextIO]):
    """A handler that, unlike the standard one, prints no line that it can't write."""

    is_json = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        kind = sys.exc_info()[0]
        name = "nothing" if kind is None else kind.__name__
        event = f"a line of {record.name} was not logged: {name}"
        line = json.dumps({"event": event, "level": "error"}) if self.is_json else event
        self.stream.write(f"{line}\n")


def configure_logging(
    *, form: str = "console", level: str = "info", stream: TextIO | None = None
) -> None:
    """Send every line of the process to the stream, standard error unless given."""
    assert form in FORMS, form
    assert level in LEVELS, level
    output = stream or sys.stderr
    shared: list[Processor] = [
        merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = _Handler(output)
    handler.is_json = form == "json"
    handler.setFormatter(_formatter(shared, form, colors=output.isatty()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    for name in _UVICORN:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True


def _formatter(
    shared: list[Processor], form: str, *, colors: bool
) -> structlog.stdlib.ProcessorFormatter:
    renderer: Processor
    if form == "json":
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=colors)
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            redact_secrets,
            renderer,
        ],
    )


def redact_secrets(
    _logger: WrappedLogger | None, _method: str, event: EventDict
) -> EventDict:
    """Take out secrets, as a processor of structlog; every value is plain after it."""
    redacted: EventDict = redact(event)
    return redacted


@contextmanager
def bound(
    *,
    table: str | None = None,
    round_number: int | None = None,
    request_id: str | None = None,
) -> Iterator[None]:
    """Add to every line within which table, round and request it is about."""
    given = {"table": table, "round": round_number, "request_id": request_id}
    named = {name: value for name, value in given.items() if value is not None}
    with bound_contextvars(**named):
        yield


REDACTED = "***"
_DEEPEST = 8
_LONGEST = 20_000
_SECRET_HEADERS = frozenset({"authorization", "cookie", "cookies"})
_SECRET_WORDS = _SECRET_HEADERS | {
    *("code", "codes", "credential", "credentials", "csrf", "passphrase", "passwd"),
    *("password", "passwords", "pin", "pins", "secret", "secrets", "token", "tokens"),
}
_HARMLESS = frozenset({"close_code", "exit_code", "status_code"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_NAMES = "|".join(sorted(_SECRET_WORDS - _SECRET_HEADERS))
# What stands before the name is not part of the match: a prefix that may have any
# length is tried from each of its letters, which made a long path dear to log.
_NOT_HARMLESS = "".join(
    rf"(?<!{name.removesuffix('code')})" for name in sorted(_HARMLESS)
)
_NAME = rf"(?<![A-Za-z]){_NOT_HARMLESS}(?:{_NAMES})(?:[_-](?:hash|header|value))?"
_QUOTED = r"""\\*"(?:[^"\\]|\\.)*"?|\\*'(?:[^'\\]|\\.)*'?"""
_HEADERS = re.compile(
    r"(?i)\b(?P<name>(?:set-|proxy-)?(?:cookies?|authorization))"
    r"(?P<sign>\\*[\"']?\s*(?:[:=]|,(?=\s*b?[\"']))\s*)[^\r\n]*"
)
_FIELDS = re.compile(
    rf"(?i)(?P<name>{_NAME})(?P<sign>\\*[\"']?\s*(?:%3D|[:=]|,(?=\s*b?[\"']))\s*)"
    rf"(?P<value>b?(?:{_QUOTED})|[^\s&;,\"'}})\]]+)"
)
_PROSE = re.compile(
    rf"(?i)(?P<name>{_NAME})(?P<sign>\s+(?:(?:is|was)\s+)?)"
    rf"(?P<value>{_QUOTED}|(?=\S*\d)[\w./+=-]{{4,}})"
)
_BEARER = re.compile(r"(?i)\b(?P<name>bearer|basic)(?P<sign>\s+)[\w.~+/=-]+")
_ADDRESS = re.compile(r"(?P<name>://[^\s:/@\"']{0,100})(?P<sign>:)[^\s\"']{0,200}(?=@)")
_RANDOM = re.compile(
    r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?P<name>)(?P<sign>)[A-Za-z0-9_-]{32,}"
)
# Sixteen letters and digits of base 32, as a voucher has them; and a code in any
# spelling that a client puts into the path, where no operation takes one.
_VOUCHER = re.compile(
    r"(?P<name>/api/vouchers/)(?P<sign>)(?!(?:find|lost|expire)\b)[^/?\s\"']+"
    r"|(?<![\w-])[A-Z2-7]{16}(?![\w-])"
)
_PATTERNS = (_VOUCHER, _BEARER, _HEADERS, _FIELDS, _PROSE, _ADDRESS, _RANDOM)


def is_secret(name: str) -> bool:
    """Tell whether a field of that name is never logged."""
    if name.lower() in _HARMLESS:
        return False
    words = {word.lower() for word in _WORD.findall(name)}
    return bool(words & _SECRET_WORDS) or ("key" in words and len(words) > 1)


def redact_text(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    for pattern in _PATTERNS:
        text = pattern.sub(_replaced, text)
    return text


def _replaced(match: re.Match[str]) -> str:
    return f"{match['name'] or ''}{match['sign'] or ''}{REDACTED}"


def redact(value: Any, depth: int = 0) -> Any:
    """Return the value without its secrets; what is no JSON is written as text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, (bytes, bytearray)):
        return redact_text(bytes(value).decode("utf-8", "replace"))
    if isinstance(value, Mapping):
        return {
            redact_text(_text(key)): _field(_text(key), each, depth)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return _items(list(value), depth)
    return redact_text(_shown(value))


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - whatever it is, the line is written
        return f"<{type(value).__name__}: {type(error).__name__}>"


def _field(name: str, value: Any, depth: int) -> Any:
    return REDACTED if is_secret(name) else redact(value, depth + 1)


def _items(items: list[Any], depth: int) -> list[Any]:
    """Redact a list; of two things the first may be the name of a header."""
    if len(items) == 2 and isinstance(items[0], (str, bytes)):
        name = _text(items[0])
        if is_secret(name):
            return [name, REDACTED]
    return [redact(each, depth + 1) for each in items]


def _text(name: object) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


CONTENT_TYPE: str = CONTENT_TYPE_LATEST
_MetricT = TypeVar("_MetricT", Counter, Gauge)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """The measurements of a floor; each method reports one thing that happened."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(namespace="croupier", registry=registry)

        def add(kind: type[_MetricT], name: str, about: str, *labels: str) -> _MetricT:
            return kind(f"croupier_{name}", about, labels, registry=registry)

        def counter(name: str, about: str, *labels: str) -> FrequentValues:
            kind, full_name = CounterMetricFamily, f"croupier_{name}"
            registry.register(found := FrequentValues(kind, full_name, about, *labels))
            return found

        def seconds(name: str, about: str) -> FrequentSeconds:
            found = FrequentSeconds(f"croupier_{name}", about, _SECONDS)
            registry.register(found)
            return found

        self._commands = counter(
            "commands_total",
            "Commands answered, by table, kind and answer.",
            *("table", "kind", "answer"),
        )
        self._answer_seconds = seconds(
            "answer_seconds",
            "From reading a command to its answer, which is after the commit.",
        )
        self._wagers = counter(
            "wagers_total", "Wagers registered and refused.", "table", "answer"
        )
        self._devices = add(
            Gauge,
            "devices",
            "Devices connected now, by table and kind.",
            "table",
            "kind",
        )
        self._fan_out_seconds = seconds(
            "fan_out_seconds",
            "From a commit until all devices of the table have been told.",
        )
        self._cut_off = add(
            Counter,
            "slow_readers_cut_total",
            "Devices cut off because they read too slowly.",
            "table",
        )
        self._commits = counter("commits_total", "Commits to the journal.")
        self._queue_depth = FrequentValues(
            GaugeMetricFamily,
            "croupier_queue_depth",
            "Commands that wait for their commit.",
            "table",
        )
        registry.register(self._queue_depth)
        self._void_rounds = add(Counter, "void_rounds_total", "Rounds voided.", "table")
        self._proposals_waiting = add(
            Gauge,
            "proposals_waiting",
            "Acts of two persons that wait for the second.",
        )
        self._log_on_failures = add(
            Counter, "log_on_failures_total", "Log-ons and pairings refused.", "kind"
        )
        self._refused = add(
            Counter,
            "refused_total",
            "Requests and connections refused before anybody was asked, by why.",
            "why",
        )
        self._heads_waiting = add(
            Gauge, "heads_waiting", "Signed heads that could not be handed out yet."
        )
        self._journal_findings = add(
            Gauge,
            "journal_findings",
            "What the last verification of the journal found wrong; -1: none yet.",
        )
        self._journal_findings.set(-1)
        self._read_only = add(
            Gauge,
            "read_only",
            "1 where the house is only read, because its journal does not verify.",
        )
        info = add(Gauge, "info", "The version that runs; always 1.", "version")
        info.labels(croupier.__version__).set(1)

    def answered(
        self, table: str, kind: str, registered: bool, seconds: Sequence[float]
    ) -> None:
        """Count commands of a kind, each answered so many seconds after it was read."""
        self._commands.add((table, kind, _answer(registered)), len(seconds))
        self._answer_seconds.observe(table, seconds)

    def wagers(self, table: str, registered: bool, count: int = 1) -> None:
        self._wagers.add((table, _answer(registered)), count)

    def told(self, table: str, listeners: int, seconds: float) -> None:
        """Measure how long it took to tell all listeners, if there are any."""
        if listeners:
            self._fan_out_seconds.observe(table, (seconds,))

    def connected(self, table: str, kind: str, change: int) -> None:
        """Count devices that came (+1) or went (-1)."""
        self._devices.labels(table, kind).inc(change)

    def cut_off(self, table: str) -> None:
        self._cut_off.labels(table).inc()

    def committed(self, count: int = 1) -> None:
        self._commits.add((), count)

    def queued(self, table: str, depth: int) -> None:
        """Set how many commands wait now."""
        self._queue_depth.set((table,), depth)

    def voided(self, table: str) -> None:
        self._void_rounds.labels(table).inc()

    def proposals(self, waiting: int) -> None:
        """Set how many acts wait for their second person now."""
        self._proposals_waiting.set(waiting)

    def log_on_failed(self, kind: str = "staff") -> None:
        """Count a refused log-on; the kind is `device` for a pairing code."""
        self._log_on_failures.labels(kind).inc()

    def heads(self, waiting: int) -> None:
        """Set how many signed heads wait to be handed out."""
        self._heads_waiting.set(waiting)

    def journal_findings(self, count: int) -> None:
        """Set what a verification of the whole journal has found."""
        self._journal_findings.set(count)

    def read_only(self, is_so: bool) -> None:
        self._read_only.set(int(is_so))

    def refused(self, why: str) -> None:
        """Count what was refused at the door: a status, or why a connection was cut."""
        self._refused.labels(why).inc()

    def exposition(self) -> bytes:
        """Return all of it as text, of the type `CONTENT_TYPE`."""
        return generate_latest(self.registry)


def _answer(registered: bool) -> str:
    return "registered" if registered else "refused"
