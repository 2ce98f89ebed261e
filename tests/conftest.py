"""How the tests run: the same examples every time, and with arrays checked."""

from __future__ import annotations

import gc
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.quick_passwords import quick_passwords

# Read when numba is first imported, by these tests or by a program that they start.
os.environ["NUMBA_BOUNDSCHECK"] = "1"
# An image of a container may set it; then each of hundreds of started programs would
# compile itself and its libraries.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30


def _files_lie_in_memory() -> None:
    """Keep files in memory, if it has room and programs may run from it."""
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    found = os.statvfs(_MEMORY)
    if found.f_bavail * found.f_frsize >= _ROOM and not found.f_flag & os.ST_NOEXEC:
        # The first for programs that tests start, the second for this one.
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


_files_lie_in_memory()

_WAITING = {
    Path(__file__).parent / name for name in ("faults", "house_server", "nodes")
}

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with tests that mostly wait for processes of their own.

    So one worker waits, while others keep the processors busy to the end.
    """
    items.sort(key=lambda item: item.path.parent not in _WAITING)


def pytest_collection_finish() -> None:
    """Let no later garbage collection look through all that was collected.

    Nor let one begin at every few hundred values: most are gone by themselves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


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
