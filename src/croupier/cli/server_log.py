"""The log of a server, from its first line to why it ended.

With `--log json` every line on standard error is JSON: also the sentence with which a
command ends, and what nobody caught.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from logging import getLogger
from typing import Any

import click

from croupier.cli.output import tell
from croupier.errors import CroupierError
from croupier.web.monitoring import configure_logging

_log = getLogger("croupier.server")


def with_server_log(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that logs as its options `log_form` and `log_level` say."""

    @wraps(command)
    def run(*, log_form: str, log_level: str, **options: Any) -> None:
        configure_logging(form=log_form, level=log_level)
        if log_form != "json":
            command(**options, tell=tell)
            return
        with _end_logged():
            command(**options, tell=_log.error)

    return run


@contextmanager
def _end_logged() -> Iterator[None]:
    """Log why the command ends, and what a thread of it failed with."""
    before, threading.excepthook = threading.excepthook, _log_failed_thread
    try:
        yield
    except click.ClickException as error:
        _end(error.format_message())
    except (OSError, CroupierError) as error:
        _end(str(error))
    except Exception:  # noqa: BLE001 - whatever it is, the last line says it
        _log.critical("the server failed", exc_info=True)
        sys.exit(1)
    finally:
        threading.excepthook = before


def _end(sentence: str) -> None:
    _log.critical(" ".join(sentence.split()))
    sys.exit(2)


def _log_failed_thread(raised: threading.ExceptHookArgs) -> None:
    if raised.exc_value is not None and raised.exc_type is not SystemExit:
        _log.error("a thread failed", exc_info=raised.exc_value)
