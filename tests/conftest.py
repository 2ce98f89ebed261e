"""How the tests run: the same examples every time, and with arrays checked."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.quick_passwords import quick_passwords

# Read when numba is first imported, by these tests or by a program that they start.
os.environ["NUMBA_BOUNDSCHECK"] = "1"
# Whatever a container's image says: hundreds of tests start the program, and would have
# it and its libraries compiled each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile(
    "croupier",
    derandomize=True,
    deadline=None,
    print_blob=True,
    max_examples=40,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("croupier")


def pytest_collection_finish() -> None:
    """Let no later garbage collection look through all that was collected."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let everything go at the end, as libraries expect that look for leaks then."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def passwords_are_quick() -> Iterator[None]:
    """Hash no password for long; `test_passwords_are_hashed_for_long` does."""
    with quick_passwords():
        yield


@pytest.fixture
def logs_as_before() -> Iterator[None]:
    """Undo what a test does to the log of this process."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
