"""A house served as a PostgreSQL role that can add events, but change none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import psycopg
import pytest

from croupier.journal.store import JournalError
from croupier.journal.stores import grant_server, open_store
from croupier.journal.tables import TABLES
from tests.cli.running import run_here
from tests.house_server.nodes import served_by, start_node
from tests.house_server.server import (
    PASSWORD,
    House,
    new_database,
    prepare_house,
)
from tests.waiting import wait_for

_roles = count(1)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, str]]:
    """A house whose server has its own role; and the address for the owner."""
    folder = tmp_path_factory.mktemp("role")
    owner = new_database("postgresql", folder)
    house = prepare_house(owner, folder)
    role = f"server_{next(_roles)}"
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
    said = run_here("journal", "grant", owner, role)
    assert said.stdout == (
        f"{role} may serve this journal: add to it, and change no event\n"
    )
    house.url = owner.replace("user=postgres", f"user={role}")
    yield house, owner
    if house.process is not None:
        house.end()


def test_the_server_runs_as_it(served: tuple[House, str], tmp_path: Path) -> None:
    house, _ = served
    key = tmp_path / "house.key"
    assert run_here("journal", "key", str(key)).code == 0

    house.start("--signing-key", str(key))
    house.buy_in("v3", "Anna-v3")
    path = "/api/tables/v3/seats/Anna-v3/voucher"
    issued = house.ask("POST", path, {"id": "v1", "cents": 700}, by="Carl")
    path = "/api/tables/v2/seats/Ben-v2/redeem"
    house.ask("POST", path, {"id": "r1", "code": issued["voucher"]}, by="Carl")
    house.deal("v3")
    house.ask("POST", "/api/gaming-day/close?early=true", {}, by="Mira")
    house.ask(
        "PUT",
        "/api/me/password",
        {"password": PASSWORD, "new_password": "one of her own, and long"},
        by="Ines",
    )

    house.stop()  # this also verifies its journal as the same role


def test_a_node_runs_as_it(served: tuple[House, str]) -> None:
    house, _ = served
    node = replace(house, folder=house.folder / "N", _sessions={})
    start_node(node)
    try:
        wait_for(lambda: served_by(node).get("v3") == "N", 60)
        node.buy_in("v3", "Cara-v3")
        listed = run_here("house", "nodes", "--database", node.url)
    finally:
        node.stop()

    assert (listed.code, "v3" in listed.stdout) == (0, True), listed


@pytest.mark.parametrize(
    "table", ["events", "entries", "answers", "snapshots", "checkpoints"]
)
def test_what_is_written_stays(served: tuple[House, str], table: str) -> None:
    house, _ = served
    column = next(iter(TABLES[table].columns))

    for statement in (
        f"UPDATE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
        f"TRUNCATE {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE {table} ADD COLUMN more INTEGER",
    ):
        with (
            psycopg.connect(house.url, autocommit=True) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM log_entries",
        "UPDATE log_entries SET salt = ''",
        "UPDATE vouchers SET cents = 1",
        "DELETE FROM vouchers",
        "DELETE FROM balances",
        "DELETE FROM streams",
        "UPDATE croupier_journal SET version = 1",
    ],
)
def test_nor_is_anything_else_more_than_a_server_needs(
    served: tuple[House, str], statement: str
) -> None:
    house, _ = served

    with (
        psycopg.connect(house.url, autocommit=True) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement.encode())


def test_only_the_owner_grants_and_not_to_itself(served: tuple[House, str]) -> None:
    house, owner = served

    with pytest.raises(JournalError, match="only the owner"):
        grant_server(house.url, "postgres")
    with pytest.raises(JournalError, match="serve it as another"):
        grant_server(owner, "postgres")
    with pytest.raises(JournalError, match="no role nobody_there"):
        grant_server(owner, "nobody_there")
    with pytest.raises(JournalError, match="a file has no roles"):
        grant_server("sqlite:house.db", "server")
    with open_store(owner) as store:
        assert store.heads()
