"""A house for real money is not served to a network in clear, or under any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.records.house_record import now_ms
from croupier.journal.stores import open_store
from tests.cli.running import Ran, run
from tests.web.a_house import REAL

ANYWHERE = ("--host", "192.0.2.1", "--port", "0")
"""An address that no machine has: nothing is ever served there."""
REFUSED = "a house for real money listens beyond this machine only with TLS"
HOST = ("--allowed-host", "casino.example")


def served(folder: Path, *options: str) -> Ran:
    return run("serve", "--database", f"sqlite:{folder}/house.db", *options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a house for real money."""
    (tmp_path / "house.toml").write_text(REAL, "utf-8")
    with open_store(f"sqlite:{tmp_path}/house.db") as store:
        prepare(store, now_ms, read_house(REAL, "house.toml"))
    return tmp_path


@pytest.mark.parametrize("options", [(), HOST, ("--proxy", "192.0.2.9")])
def test_it_is_not_served_to_a_network(options: tuple[str, ...], folder: Path) -> None:
    file = str(folder / "house.toml")

    for words in ((), ("--house", file)):
        ran = served(folder, *words, "--host", "0.0.0.0", "--port", "0", *options)

        assert ran.code == 2
        assert REFUSED in ran.stderr


def test_one_behind_a_named_proxy_goes_on_to_its_address(folder: Path) -> None:
    ran = served(folder, *ANYWHERE, *HOST, "--proxy", "192.0.2.9")

    assert "192.0.2.1:0 can't be served" in ran.stderr


def test_it_is_begun_only_with_its_first_password(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(REAL, "utf-8")

    ran = served(tmp_path, "--create", "--house", str(file), "--port", "0")

    assert ran.code == 2
    assert "is begun with croupier house create, which sets its first" in ran.stderr
    assert not (tmp_path / "house.db").exists()
