"""The log of a server, from its start to the reason of its end.

With `--log json` every line on standard error is JSON, also the sentence that ends a
command, and uncaught errors.
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
from croupier.web.server_log import configure_logging

_log = getLogger("croupier.server")


def with_server_log(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command: its options `log_form` and `log_level` configure the log."""

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
    """Log the reason of the command's end, and the errors of its threads."""
    before, threading.excepthook = threading.excepthook, _log_failed_thread
    try:
        yield
    except click.ClickException as error:
        _end(error.format_message())
    except (OSError, CroupierError) as error:
        _end(str(error))
    except Exception:  # noqa: BLE001 - the last line of the log names any error
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
