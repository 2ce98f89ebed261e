"""The log of the server: JSON lines or a console's, one way for everybody's lines.

`configure_logging` sends structlog, uvicorn and the standard library through the same
processors; the last of them takes secrets out, after exceptions have become text. What
`bound` binds (`round`, `table`, `request_id`) stands in every line logged within it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.typing import EventDict, Processor, WrappedLogger

from croupier.web.redaction import redact

FORMS = ("json", "console")
LEVELS = ("debug", "info", "warning", "error")
_UVICORN = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")


_UNFOUNDED = "ASGI callable returned without completing handshake."


def _is_founded(record: logging.LogRecord) -> bool:
    """Uvicorn 0.54 calls it an error that a WebSocket was refused with an answer."""
    return record.msg != _UNFOUNDED


class _Handler(logging.StreamHandler[TextIO]):
    """The standard one would print a line that it can't write, secrets and all."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        kind = sys.exc_info()[0]
        name = "nothing" if kind is None else kind.__name__
        self.stream.write(f"a line of {record.name} was not logged: {name}\n")


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
    handler.setFormatter(_formatter(shared, form, colors=output.isatty()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    for name in _UVICORN:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.addFilter(_is_founded)


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
    """A processor of structlog; after it every value is plain and without secrets."""
    redacted: EventDict = redact(event)
    return redacted


@contextmanager
def bound(
    *,
    table: str | None = None,
    round_number: int | None = None,
    request_id: str | None = None,
) -> Iterator[None]:
    """Every line within says which table, round and request it is about."""
    given = {"table": table, "round": round_number, "request_id": request_id}
    named = {name: value for name, value in given.items() if value is not None}
    with bound_contextvars(**named):
        yield
