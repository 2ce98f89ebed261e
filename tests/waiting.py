"""Waiting for what another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(what: Callable[[], T | None], seconds: float = 30) -> T:
    """Return the first thing it finds; a deadline, never a hope."""
    end = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        assert time.monotonic() < end, f"not within {seconds} seconds: {what}"
        time.sleep(0.02)
