"""Columns of text by their distinct values, and columns of whole numbers.

Each distinct text is read once, not each row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from croupier.batch.compiled import Cents, Column, pooled_column
from croupier.batch.kernels import compiled_loop, compiled_now, is_compiled_for
from croupier.batch.table_format import is_whole

MISSING = -1
"""The code of a row that has no value."""


_MOST_KNOWN = 1 << 12
"""The most distinct texts of a column that are kept for the next piece."""

_DIGITS = "^[0-9]{1,18}$"


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The distinct texts of a column, and the code of each row's text."""

    distinct: Any
    """An Arrow array without nulls and without repetitions."""
    codes: Column
    """The place of each row's text in `distinct`, or `MISSING`."""
    may_miss: bool
    """Whether a row may have none."""

    def at(self, row: int) -> str | None:
        code = int(self.codes[row])
        return None if code == MISSING else self.distinct[code].as_py()


def texts_of(array: Any) -> Texts:
    """Return a column by its distinct texts; an empty text is no value."""
    if not pa.types.is_dictionary(array.type):
        text = array if pa.types.is_string(array.type) else array.cast(pa.string())
        array = text.dictionary_encode()
    distinct, codes = array.dictionary, array.indices
    if not pa.types.is_string(distinct.type):
        distinct = distinct.cast(pa.string())
    if distinct.null_count or len(pc.unique(distinct)) < len(distinct):
        return texts_of(distinct.take(codes))
    may_miss = bool(codes.null_count)
    if may_miss:
        codes = codes.fill_null(MISSING)
    found = codes.to_numpy()
    empty = pc.index(distinct, "").as_py()
    if empty >= 0:
        may_miss = True
        found = np.where(found == empty, MISSING, found)
    return Texts(distinct, found, may_miss)


def coded_texts(array: Any) -> Texts:
    """Return the same, but with repeated texts and with empty ones as texts."""
    if (
        pa.types.is_dictionary(array.type)
        and pa.types.is_string(array.type.value_type)
        and not array.null_count
        and not array.dictionary.null_count
    ):
        return Texts(array.dictionary, array.indices.to_numpy(), may_miss=False)
    return texts_of(array)


def may_lack_text(array: Any) -> bool:
    texts = coded_texts(array)
    return texts.may_miss or pc.index(texts.distinct, "").as_py() >= 0


def look_up(table: Column, codes: Column) -> Column:
    """Return the table's value at each row's code; `MISSING` for `MISSING`."""
    found = pooled_column(len(codes), table.dtype)
    # A code of -1 is the first place.
    places = np.append([MISSING], table).astype(table.dtype)
    if is_compiled_for(len(codes)):
        compiled_now(_look_up)(places, codes, found)
    else:
        found[:] = places[codes.astype(np.intp) + 1]
    return found


@compiled_loop
def _look_up(table: Column, codes: Column, found: Column) -> None:
    for row in range(len(codes)):
        found[row] = table[np.uint64(np.int64(codes[row]) + 1)]


@dataclass(frozen=True, slots=True, eq=False)
class ReadColumn:
    """A column's texts as numbers, row by row."""

    values: Column
    """A number from 0 up, or `MISSING`."""
    may_miss: bool
    """Whether a row may have none."""
    reason: Callable[[int], str]
    """The reason why a row has none."""


class TextReader:
    """Reads distinct texts; remembers those of earlier columns."""

    def __init__(
        self, read: Callable[[str], int], missing: str, *mistakes: type[Exception]
    ) -> None:
        """Read by `read`, which returns a number from 0 up or raises a mistake.

        `missing` is the reason for a row without text.
        """
        self._read = read
        self._missing = missing
        self._mistakes = mistakes
        self._known: dict[str, int] = {}

    def read(self, texts: Texts, kind: type[np.generic]) -> ReadColumn:
        """Return the number of each row's text."""
        values, reasons = self._read_distinct(texts.distinct)
        found = look_up(np.array(values, kind), texts.codes)

        def reason(row: int) -> str:
            return reasons.get(int(texts.codes[row]), self._missing)

        return ReadColumn(found, texts.may_miss or bool(reasons), reason)

    def meanings(self, texts: Texts, *, below: int) -> Column | None:
        """Return each code's number; None unless all exist and are below `below`."""
        values, reasons = self._read_distinct(texts.distinct)
        if texts.may_miss or reasons or max(values, default=0) >= below:
            return None
        return np.array(values, np.int16)

    def _read_distinct(self, distinct: Any) -> tuple[list[int], dict[int, str]]:
        texts = distinct.to_pylist()
        values = [self._known.get(text, MISSING) for text in texts]
        reasons = {}
        for place, value in enumerate(values):
            if value == MISSING:
                try:
                    values[place] = self._read(texts[place])
                except self._mistakes as error:
                    reasons[place] = str(error)
        if len(texts) <= _MOST_KNOWN:
            self._known = dict(zip(texts, values, strict=True))
        return values, reasons


def whole_numbers(array: Any) -> Cents:
    """Return a number on each row; `MISSING` if there is none, or it is below 0."""
    if not is_whole(array.type):
        return whole_texts(texts_of(array))
    numbers = numbers_of(array)
    if len(numbers) and numbers.min() < MISSING:
        numbers = np.maximum(numbers, MISSING)
    return numbers


def numbers_of(array: Any) -> Cents:
    """Return the numbers of a column of whole numbers; `MISSING` if there is none.

    A number too large for 64 bits with a sign counts as none.
    """
    if pa.types.is_uint64(array.type):
        largest = np.iinfo(np.int64).max
        array = pc.if_else(pc.less_equal(array, largest), array, None)
    if array.type != pa.int64():
        array = array.cast(pa.int64())
    if array.null_count:
        array = array.fill_null(MISSING)
    numbers: Cents = array.to_numpy()
    return numbers


def is_whole_text(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def whole_texts(texts: Texts) -> Cents:
    """Return a column's texts as numbers; `MISSING` for other texts."""
    good = pc.match_substring_regex(texts.distinct, _DIGITS)
    values = pc.if_else(good, texts.distinct, "0").cast(pa.int64()).to_numpy()
    table = np.where(good.to_numpy(zero_copy_only=False), values, MISSING)
    return look_up(table, texts.codes)
