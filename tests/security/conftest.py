"""The served house of the tests in this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house_server.server import House, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A real server, shared by a module."""
    with open_house("sqlite", tmp_path_factory.mktemp("house")) as served:
        yield served
