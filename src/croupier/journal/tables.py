"""The stored tables by name and column, and stores that are read or filled whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from croupier.journal.store import Store

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table: its columns in order, and the columns it is read in order of."""

    name: str
    columns: Mapping[str, type[int] | type[str]]
    order: tuple[str, ...]

    @property
    def written(self) -> tuple[str, ...]:
        """The columns that are filled; a `number` is the database's own."""
        return tuple(name for name in self.columns if name != "number")


def _table(name: str, order: str, **columns: type[int] | type[str]) -> StoredTable:
    return StoredTable(name, MappingProxyType(columns), tuple(order.split()))


STREAMS = _table("streams", "stream", stream=str, epoch=int, sequence=int, hash=str)
EVENTS = _table(
    "events",
    "stream sequence",
    stream=str,
    sequence=int,
    round_number=int,
    command_id=str,
    at_ms=int,
    schema=int,
    document=str,
    terms=str,
    kind=str,
    body=str,
    hash=str,
)
ENTRIES = _table(
    "entries",
    "stream sequence line",
    stream=str,
    sequence=int,
    line=int,
    account=str,
    cents=int,
)
ANSWERS = _table(
    "answers",
    "stream first command_id",
    stream=str,
    command_id=str,
    first=int,
    last=int,
)
BALANCES = _table("balances", "stream account", stream=str, account=str, cents=int)
SNAPSHOTS = _table(
    "snapshots", "stream sequence", stream=str, sequence=int, body=str, digest=str
)
VOUCHERS = _table(
    "vouchers",
    "code",
    code=str,
    cents=int,
    state=str,
    expires=str,
    issuer=str,
    holder=str,
)
PUBLISHED_HEADS = _table("published_heads", "number", number=int, signed=str)

TABLES: Mapping[str, StoredTable] = MappingProxyType(
    {
        table.name: table
        for table in (
            STREAMS,
            EVENTS,
            ENTRIES,
            ANSWERS,
            BALANCES,
            SNAPSHOTS,
            VOUCHERS,
            PUBLISHED_HEADS,
        )
    }
)
TABLE_NAMES = frozenset(TABLES) | {"secrets"}
"""Those and the one that is no part of the chain, of exports or of verification."""


class WholeStore(Store, Protocol):
    """A store that can be read as one moment, and filled in one commit."""

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Whatever is read inside is of one moment, while others go on writing."""

    def all_or_nothing(self) -> AbstractContextManager[None]:
        """Whatever is written inside is one commit; an exception undoes it."""

    def rows_of(self, table: StoredTable) -> Iterator[Row]:
        """Every row as it is stored, text by its code points; constant memory.

        Only inside `at_one_moment` or `all_or_nothing`. Raises `NotAJournal` where
        a row can't be read.
        """

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        """Rows of the `written` columns; only inside `all_or_nothing`."""

    def damage(self) -> Iterator[str]:
        """What the database itself finds wrong with its pages and indexes."""
