"""The served house of the tests in this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house_files import STAFF
from tests.house_server.server import House, open_house
from tests.web.a_house import anyio_backend

__all__ = ["anyio_backend"]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A real server, shared by all tests that bear each other.

    Everybody is logged on first: log-ons are limited.
    """
    with open_house("sqlite", tmp_path_factory.mktemp("house")) as served:
        for name in STAFF:
            served.session(name)
        yield served
