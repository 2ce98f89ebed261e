"""Frozen values of either kind, dataclasses and Structs, taken alike."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def field_names(value: Any) -> tuple[str, ...]:
    """Return the names of a value's fields, in order; () if it has none."""
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    if dataclasses.is_dataclass(value):
        return tuple(each.name for each in dataclasses.fields(value))
    return ()


def replaced(value: T, **changes: Any) -> T:
    """Return a copy with some fields changed."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **changes)
    return dataclasses.replace(value, **changes)  # type: ignore[type-var]
