"""The end of a process that was told to stop, in order or by a deadline."""

from __future__ import annotations

import os
import sys
from threading import Timer

import structlog

STOP_WITHIN_S = 20
"""A process that was told to stop has ended by then, whatever its database does."""
STATUS_CANT_GO_ON = 3
"""The exit status of a house that could not go on, or not stop in order."""
_log = structlog.get_logger("croupier.server")


class StopDeadline:
    """Ends the process where stopping in order takes too long.

    Nothing that was acknowledged is lost by it: an answer is given after its commit.
    """

    def __init__(self, seconds: float = STOP_WITHIN_S) -> None:
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True
        self._seconds = seconds
        self._is_running = False

    def start(self) -> None:
        """Let the time begin; once."""
        if not self._is_running:
            self._is_running = True
            self._timer.start()

    def cancel(self) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        _log.critical(
            f"not stopped in order within {self._seconds:.0f} seconds: ended, and"
            " nothing acknowledged is lost"
        )
        sys.stderr.flush()
        os._exit(STATUS_CANT_GO_ON)
