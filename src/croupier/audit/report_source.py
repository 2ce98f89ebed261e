"""What a source is: a journal, or a file of rows; and the rows of such a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.journal.opening import file_of
from croupier.journal.records import END, FIELDS
from croupier.journal.store import JournalError

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

_SQLITE = b"SQLite format 3\x00"
_PARQUET = ".parquet"
_LONGEST_LINE = 100_000
_ROWS_AT_ONCE = 1 << 17


class SourceError(Exception):
    """The file can't be read; the message says why, in a sentence."""


def is_journal(source: str) -> bool:
    """Whether it is a journal or an export of one; raises `SourceError`."""
    try:
        path = file_of(source)
    except JournalError:
        return False
    if path is None or str(path) != source or path.is_dir():
        return True
    if path.suffix.lower() == _PARQUET:
        return FIELDS[END].keys() <= set(parquet_columns(path))
    if path.suffix.lower() == ".jsonl":
        return b'"outcome"' not in _first_line(path)
    return _first_line(path).startswith(_SQLITE)


def _first_line(path: Path) -> bytes:
    with _file_told(path), path.open("rb") as file:
        return file.readline(_LONGEST_LINE)


@contextmanager
def _file_told(path: Path) -> Iterator[None]:
    """A file that the disk does not give, in a sentence."""
    try:
        yield
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def parquet_columns(path: Path) -> list[str]:
    """The names of a Parquet file's columns."""
    with _parquet_told(path) as pq:
        return list(pq.read_schema(path).names)


def parquet_batches(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The file's rows, some at a time; of these columns."""
    with _parquet_told(path) as pq, pq.ParquetFile(path, pre_buffer=False) as file:
        yield from file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=list(columns))


@contextmanager
def _parquet_told(path: Path) -> Iterator[Any]:
    """The reader; what it says of a bad file becomes a sentence of ours."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError as error:
        raise SourceError(
            "Parquet needs pyarrow: pip install 'croupier[batch]'"
        ) from error
    with _file_told(path):
        try:
            yield pq
        except pa.ArrowException as error:
            raise SourceError(f"{path} is no whole Parquet file") from error
