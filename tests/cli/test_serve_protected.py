"""A house for real money is not served to a network in clear, or under any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.journal.stores import open_store
from croupier.web.server import now_ms
from tests.cli.running import Ran, run
from tests.web.a_house import REAL

ANYWHERE = ("--host", "192.0.2.1", "--port", "0")
"""An address that no machine has: nothing is ever served there."""
REFUSED = "a house for real money listens beyond this machine only with TLS"
HOST = ("--allowed-host", "casino.example")


def served(folder: Path, *options: str) -> Ran:
    return run("serve", "--database", f"sqlite:{folder}/house.db", *options)


@pytest.mark.parametrize("options", [(), HOST, ("--proxy", "192.0.2.9")])
def test_a_new_house_is_not_begun(options: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(REAL, "utf-8")

    ran = served(tmp_path, "--create", "--house", str(file), *ANYWHERE, *options)

    assert ran.code == 2
    assert REFUSED in ran.stderr
    assert not (tmp_path / "house.db").exists()


def test_one_behind_a_named_proxy_goes_on_to_its_address(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(REAL, "utf-8")
    proxy = ("--proxy", "192.0.2.9")

    ran = served(tmp_path, "--create", "--house", str(file), *ANYWHERE, *HOST, *proxy)

    assert "192.0.2.1:0 can't be served" in ran.stderr


def test_a_house_that_is_there_is_asked_itself(tmp_path: Path) -> None:
    with open_store(f"sqlite:{tmp_path}/house.db") as store:
        prepare(store, now_ms, read_house(REAL, "house.toml"))

    ran = served(tmp_path, "--host", "0.0.0.0", "--port", "0")

    assert ran.code == 2
    assert REFUSED in ran.stderr
