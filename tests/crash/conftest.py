"""Launchers that stay, for every test here: each imports the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.launcher import Launcher


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    with Launcher() as launcher:
        yield launcher


@pytest.fixture(scope="session")
def second_launcher() -> Iterator[Launcher]:
    with Launcher() as launcher:
        yield launcher
