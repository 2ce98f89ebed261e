"""Frozen values of either kind, dataclasses and Structs, taken alike."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields of values of a kind, in order; () if none."""
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if dataclasses.is_dataclass(kind):
        return tuple(each.name for each in dataclasses.fields(kind))
    return ()


def replaced(value: T, **changes: Any) -> T:
    """Return a copy with some fields changed."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **changes)
    return dataclasses.replace(value, **changes)  # type: ignore[type-var]
