"""A journal as a sequence of records, the same for every file format.

Tables follow each other in one order, each in the order of its key. The last record
has the number and the hash of those before it, so that a cut or changed file is
noticed. The epochs of writers are left out: they end with their database.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import groupby, islice
from typing import Annotated, Any, Union

import msgspec

from croupier.journal.findings import VerificationProblem, table_line
from croupier.journal.store import JournalError, Store
from croupier.journal.tables import STREAMS, TABLES, Row, StoredTable
from croupier.journal.verification import VerificationReport, verify
from croupier.rules.reasons import Reason

VERSION = 1
END = "end"
_PIECE = 10_000
_Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_LEFT_OUT = {STREAMS.name: "epoch"}

FIELDS: Mapping[str, Mapping[str, type[int] | type[str]]] = {
    **{
        name: {
            column: table.columns[column]
            for column in table.written
            if column != _LEFT_OUT.get(name)
        }
        for name, table in TABLES.items()
    },
    END: {"version": int, "records": int, "digest": str},
}
"""The fields of each kind of record."""

_KINDS: Mapping[str, type[msgspec.Struct]] = {
    name: msgspec.defstruct(
        f"{name}_record",
        [(field, _Whole if kind is int else str) for field, kind in fields.items()],
        tag_field="table",
        tag=name,
        forbid_unknown_fields=True,
    )
    for name, fields in FIELDS.items()
}
_Record: Any = Union[tuple(_KINDS.values())]  # noqa: UP007
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Record)


class BadExport(JournalError):
    """The files are not a complete export of a journal."""


def records(store: Store) -> Generator[msgspec.Struct, None, None]:
    """Yield all records of a journal as of one moment, the end last."""
    so_far = _SoFar()
    with store.at_one_moment():
        for name, table in TABLES.items():
            kind, fields = _KINDS[name], FIELDS[name]
            places = [list(table.columns).index(field) for field in fields]
            for row in store.rows_of(table):
                record = kind(*(row[place] for place in places))
                so_far.add(record)
                yield record
    yield so_far.end()


def import_records(store: Store, given: Iterable[msgspec.Struct]) -> VerificationReport:
    """Fill an empty journal; all of it, verified, or nothing.

    Raises `BadExport` for records that make no sound journal.
    """
    with store.all_or_nothing():
        if any(next(store.rows_of(table), None) for table in TABLES.values()):
            raise JournalError("the database is not empty; import into a new one")
        for table, rows in pieces(before_end(given, _refuse)):
            store.load(table, rows)
        store.seal_ends()
        report = verify(store)
        if not report.is_clean:
            first = table_line(report.findings[0])
            raise BadExport(f"the export is damaged: {first}")
        return report


def pieces(given: Iterable[msgspec.Struct]) -> Iterator[tuple[StoredTable, list[Row]]]:
    """Yield the records as rows, up to 10,000 of one table at a time."""
    for name, group in groupby(given, key=table_of):
        rows = (_row_of(name, record) for record in group)
        while piece := list(islice(rows, _PIECE)):
            yield TABLES[name], piece


def _row_of(name: str, record: msgspec.Struct) -> Row:
    """Return the record as a row; a stream's epoch, which exports lack, is 0."""
    values = msgspec.structs.astuple(record)
    if name == STREAMS.name:
        stream, *rest = values
        return (stream, 0, *rest)
    return values


def before_end(
    given: Iterable[msgspec.Struct], report: Callable[[Reason], None]
) -> Iterator[msgspec.Struct]:
    """Yield the records before the end; report a missing or wrong end."""
    so_far = _SoFar()
    end: msgspec.Struct | None = None
    for record in given:
        if end is not None:
            report(VerificationProblem.EXPORT_GOES_ON())
        if table_of(record) == END:
            end = record
            continue
        so_far.add(record)
        yield record
    if end is None:
        report(VerificationProblem.EXPORT_WITHOUT_END())
    else:
        so_far.compare(end, report)


def _refuse(fault: Reason) -> None:
    raise BadExport(str(fault))


def table_of(record: msgspec.Struct) -> str:
    return type(record).__struct_config__.tag  # type: ignore[return-value]


def to_line(record: msgspec.Struct) -> bytes:
    return _encoder.encode(record) + b"\n"


def from_line(line: bytes) -> msgspec.Struct:
    return _decoder.decode(line)  # type: ignore[no-any-return]


def from_values(table: str, values: Iterable[Any]) -> msgspec.Struct:
    """Return a record of the table from its fields in order."""
    fields = dict(zip(FIELDS[table], values, strict=True))
    return msgspec.convert({"table": table, **fields}, _KINDS[table])


class _SoFar:
    """The count of records so far, and their hash."""

    def __init__(self) -> None:
        self._count = 0
        self._digest = sha256()

    def add(self, record: msgspec.Struct) -> None:
        self._count += 1
        self._digest.update(to_line(record))

    def end(self) -> msgspec.Struct:
        return _KINDS[END](VERSION, self._count, self._digest.hexdigest())

    def compare(self, end: msgspec.Struct, report: Callable[[Reason], None]) -> None:
        version, count, _ = msgspec.structs.astuple(end)
        if version != VERSION:
            report(VerificationProblem.EXPORT_VERSION(found=version, expected=VERSION))
        elif end != self.end():
            report(VerificationProblem.EXPORT_OTHER_RECORDS(count=count))
