"""Columns of whole numbers, kept as numbers or written as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from croupier.batch.columns import Cents
from croupier.batch.table_format import is_whole
from croupier.batch.texts import MISSING, Texts, look_up, texts_of

_DIGITS = "^[0-9]{1,18}$"


def whole_numbers(array: Any) -> Cents:
    """A number on each row; `MISSING` where there is none, or one below 0."""
    if not is_whole(array.type):
        return whole_texts(texts_of(array))
    if pa.types.is_uint64(array.type):
        largest = np.iinfo(np.int64).max
        array = pc.if_else(pc.less_equal(array, largest), array, None)
    if array.type != pa.int64():
        array = array.cast(pa.int64())
    if array.null_count:
        array = array.fill_null(MISSING)
    numbers: Cents = array.to_numpy()
    if len(numbers) and numbers.min() < MISSING:
        numbers = np.maximum(numbers, MISSING)
    return numbers


def is_whole_text(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def whole_texts(texts: Texts) -> Cents:
    """The numbers that the texts of a column are; `MISSING` where one is none."""
    good = pc.match_substring_regex(texts.distinct, _DIGITS)
    values = pc.if_else(good, texts.distinct, "0").cast(pa.int64()).to_numpy()
    table = np.where(good.to_numpy(zero_copy_only=False), values, MISSING)
    return look_up(table, texts.codes)
