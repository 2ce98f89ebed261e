"""The log of the server, without secrets.

`configure_logging` sends structlog, uvicorn and the standard library through the same
processors; the last one redacts secrets, after exceptions have become text.

A value is redacted if a word of its field's name is secret (`pairing_code`,
`X-CSRF-Token`): log secrets in fields of such names, or not at all. In a text only
passwords in addresses, voucher codes and long random words are redacted.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Mapping
from typing import Any, TextIO

import structlog
from structlog.contextvars import merge_contextvars
from structlog.typing import EventDict, Processor, WrappedLogger

FORMS = ("json", "console")
LEVELS = ("debug", "info", "warning", "error")


class _Handler(logging.StreamHandler[TextIO]):
    """A handler that, unlike the standard one, never prints a failed line's content."""

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
    """Send every log line of the process to the stream, by default standard error."""
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
    redacted: EventDict = redact(event)
    return redacted


REDACTED = "***"
_DEEPEST = 8
_LONGEST = 20_000
_SECRET_WORDS = {
    *("authorization", "code", "cookie", "credential", "csrf", "passphrase"),
    *("password", "pin", "secret", "token"),
}
_HARMLESS = frozenset({"close_code", "exit_code", "status_code"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SECRET_TEXT = re.compile(
    r"(?<=:)[^\s:/@\"']{1,200}(?=@)"  # postgresql://house:PASSWORD@host
    r"|(?<![\w-])[A-Z2-7]{16}(?![\w-])"  # a voucher
    r"|(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[A-Za-z0-9_-]{32,}"  # a token
)


def is_secret(name: str) -> bool:
    """Return whether the value of a field of this name is never logged."""
    if name.lower() in _HARMLESS:
        return False
    words = {word.lower().removesuffix("s") for word in _WORD.findall(name)}
    return bool(words & _SECRET_WORDS) or ("key" in words and len(words) > 1)


def redact(value: Any, depth: int = 0) -> Any:
    """Return the value without its secrets; values that are not JSON become text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {str(name): _field(str(name), value[name], depth) for name in value}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [redact(each, depth + 1) for each in value]
    names = getattr(type(value), "__match_args__", ())
    if names:  # a dataclass or a Struct
        return {name: _field(name, getattr(value, name), depth) for name in names}
    text = value if isinstance(value, str) else _shown(value)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return _SECRET_TEXT.sub(REDACTED, text)


def _field(name: str, value: Any, depth: int) -> Any:
    return REDACTED if is_secret(name) else redact(value, depth + 1)


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - the line is written after any error
        return f"<{type(value).__name__}: {type(error).__name__}>"
