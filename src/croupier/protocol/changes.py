"""Changes of a view: the fields that differ, made by the house, applied by clients."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import fields, replace

V = TypeVar("V", bound=Struct)
T = TypeVar("T")
_CHANGES: dict[type[Struct], tuple[type[Struct], attrgetter[tuple[Any, ...]]]] = {}
"""By type of view: the type of its changes, and a reader of their fields."""


def changes_of(view: type[Struct], without: Iterable[str] = ()) -> type[Struct]:
    """Make the type of a view's changes: its fields, each of which may be left out."""
    changes = defstruct(
        view.__name__.removesuffix("View") + "Changes",
        [
            (field.name, field.type | UnsetType, UNSET)
            for field in fields(view)
            if field.name not in without
        ],
        frozen=True,
        module=view.__module__,
    )
    _CHANGES[view] = changes, attrgetter(*changes.__struct_fields__)
    return changes


def difference(before: V, after: V, also: Container[str] = ()) -> Struct:
    """Return the fields of a view that have changed, and those named in `also`."""
    kind, values_of = _CHANGES[type(after)]
    names, known, values = kind.__struct_fields__, values_of(before), values_of(after)
    changed = {
        name: value
        for name, was, value in zip(names, known, values, strict=True)
        if (value is not was and value != was) or name in also
    }
    return kind(**changed)


def has_changes(changes: Struct) -> bool:
    return any(
        getattr(changes, name) is not UNSET for name in changes.__struct_fields__
    )


def apply_changes(view: V, changes: Struct) -> V:
    """Return the view with the fields that `changes` names."""
    named = {
        name: value
        for name in changes.__struct_fields__
        if (value := getattr(changes, name)) is not UNSET
    }
    return replace(view, **named)


def merge(
    entries: Iterable[T],
    changed: Iterable[T],
    key: Callable[[T], Hashable],
    gone: Iterable[Hashable] = (),
) -> tuple[T, ...]:
    """Return a list kept by key: changed entries in place, new ones last."""
    merged = {key(entry): entry for entry in entries}
    merged.update((key(entry), entry) for entry in changed)
    for each in gone:
        merged.pop(each, None)
    return tuple(merged.values())
