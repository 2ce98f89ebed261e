"""Servers of the tests in this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house_server.server import House, open_house
from tests.web.a_house import anyio_backend

__all__ = ["anyio_backend"]

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(scope="module", params=DATABASES)
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A served house, once on each database, shared by a module."""
    with open_house(request.param, tmp_path_factory.mktemp("house")) as served:
        yield served


@pytest.fixture(scope="module")
def lite_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A served house on SQLite, for tests to which the database makes no difference."""
    with open_house("sqlite", tmp_path_factory.mktemp("house")) as served:
        yield served
