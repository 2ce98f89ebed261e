"""Houses on both databases for the tests in this folder, seeded once and copied."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from tests.faults.databases import RestartingServer, locked_file
from tests.faults.hooks import die_after
from tests.faults.house_process import HOUSE_FILE, HouseProcess
from tests.faults.proxy import Fault, PostgresProxy, Where

DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True)
class Mortal:
    """A house that dies at one of its steps to come.

    On a file a step is a write or a sync. On a server each commit has two: before it,
    and after it.
    """

    house: HouseProcess
    proxy: PostgresProxy | None = None

    @property
    def steps(self) -> int:
        """How many it has taken."""
        if self.proxy is not None:
            return 2 * self.proxy.commits
        return (self.house.folder / "passed").stat().st_size

    def die_at(self, step: int) -> None:
        if self.proxy is None:
            die_after(self.house.folder, step)
            return
        skip, is_after = divmod(step - 1, 2)
        where = Where.AFTER if is_after else Where.BEFORE
        self.proxy.arm(Fault(where, skip=skip, also=self._kill))

    def live(self) -> None:
        """Die no more."""
        (self.house.folder / "die").unlink(missing_ok=True)
        if self.proxy is not None:
            self.proxy.disarm()

    def _kill(self) -> None:
        if self.house.process is not None:
            self.house.process.kill()


class Houses:
    """Makes houses, and ends those that a test leaves behind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[HouseProcess] = []
        self._stack = ExitStack()

    @cached_property
    def server(self) -> RestartingServer:
        server = RestartingServer()
        self._stack.callback(server.stop)
        return server

    @cached_property
    def _seeded_file(self) -> Path:
        file = self.folder / "seeded.db"
        self._seed(f"sqlite:///{file}")
        return file

    @cached_property
    def _seeded_database(self) -> str:
        name = self.server.new_database()
        self._seed(self.server.address(name))
        return name

    def _seed(self, url: str) -> None:
        house = HouseProcess(url, self.folder / "seeding")
        house.start("--create")
        assert house.terminate() == 0, house.said

    def new(
        self,
        kind: str,
        folder: Path,
        *,
        is_hooked: bool = False,
        is_seeded: bool = True,
        file: str = HOUSE_FILE,
    ) -> HouseProcess:
        """A house that is not served yet."""
        folder.mkdir(exist_ok=True)
        if kind == "sqlite":
            url = f"sqlite:///{folder / 'house.db'}"
            if is_seeded:
                copy_database(self._seeded_file, folder / "house.db")
        else:
            like = self._seeded_database if is_seeded else "template0"
            url = self.server.address(self.server.new_database(like))
        return self.served_from(url, folder, is_hooked=is_hooked, file=file)

    def locked(self, house: HouseProcess) -> AbstractContextManager[None]:
        """Keep a house from writing to its database, for a while."""
        if house.url.startswith("sqlite"):
            return locked_file(house.folder / "house.db")
        return self.server.locked(house.database)

    def behind_proxy(
        self,
        folder: Path,
        *,
        is_hooked: bool = False,
        like: str | None = None,
        file: str = HOUSE_FILE,
    ) -> tuple[HouseProcess, PostgresProxy]:
        """A house that reaches PostgreSQL through a proxy only; a copy of another."""
        proxy = PostgresProxy(self.server.socket)
        self._stack.enter_context(proxy)
        name = self.server.new_database(like or self._seeded_database)
        url = proxy.address(name)
        return self.served_from(url, folder, is_hooked=is_hooked, file=file), proxy

    def mortal(
        self,
        kind: str,
        folder: Path,
        *,
        like: HouseProcess | None = None,
        is_seeded: bool = True,
        file: str = HOUSE_FILE,
    ) -> Mortal:
        """A house that can be let die at a step: a seeded one, or a copy of another."""
        if kind == "postgresql":
            source = None if is_seeded else "template0"
            source = source if like is None else like.database
            return Mortal(
                *self.behind_proxy(folder, is_hooked=True, like=source, file=file)
            )
        house = self.new(
            kind, folder, is_hooked=True, is_seeded=is_seeded and not like, file=file
        )
        if like is not None:
            copy_database(like.folder / "house.db", folder / "house.db")
        return Mortal(house)

    def served_from(
        self,
        url: str,
        folder: Path,
        *,
        is_hooked: bool = False,
        file: str = HOUSE_FILE,
    ) -> HouseProcess:
        house = HouseProcess(url, folder, is_hooked=is_hooked, file=file)
        self.made.append(house)
        return house

    def end_all(self) -> None:
        while self.made:
            self.made.pop().close()

    def close(self) -> None:
        self._stack.close()


@pytest.fixture(scope="session")
def all_houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    houses = Houses(tmp_path_factory.mktemp("houses"))
    yield houses
    houses.close()


@pytest.fixture
def houses(all_houses: Houses) -> Iterator[Houses]:
    """Makes the houses of one test, and leaves none of them running."""
    yield all_houses
    all_houses.end_all()


def copy_database(source: Path, target: Path) -> None:
    """Copy an SQLite file at rest, with its log."""
    with (
        closing(sqlite3.connect(source)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
