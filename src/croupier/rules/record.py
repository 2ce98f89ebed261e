"""Events as plain JSON values and back: what a journal writes, in one form.

An object names its event and holds its fields: `{"event": "BallAtRest", …}`. Money
is whole cents, a person an object, a number text. What does not fit is refused whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from croupier.rules import events as ev

EVENT_TYPES: Mapping[str, type[ev.Event]] = {
    kind.__name__: kind for kind in get_args(ev.Event)
}


class RecordError(Exception):
    """The value is no record of an event."""


def event_to_json(event: ev.Event) -> dict[str, Any]:
    """The event as a JSON object."""
    return {"event": type(event).__name__, **_object(event)}


def event_from_json(record: object) -> ev.Event:
    """The event that the object records; raises `RecordError`."""
    if not isinstance(record, dict):
        raise RecordError("a record is an object")
    kind = EVENT_TYPES.get(str(record.get("event")))
    if kind is None:
        raise RecordError(f"there is no event {str(record.get('event'))[:40]!r}")
    event = _read_object(kind, {k: v for k, v in record.items() if k != "event"})
    assert isinstance(event, kind)
    return event


def _object(value: Any) -> dict[str, Any]:
    return {name: _plain(getattr(value, name)) for name in _hints(type(value))}


def _is_object(kind: type[Any]) -> bool:
    """Whether it has fields: a dataclass or a named tuple."""
    return is_dataclass(kind) or hasattr(kind, "_fields")


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if _is_object(type(value)):
        return _object(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


_HINTS: dict[type[Any], Mapping[str, Any]] = {}


def _hints(kind: type[Any]) -> Mapping[str, Any]:
    """The fields and their types; looking them up afresh each time is slow."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _read_object(kind: type[Any], record: object) -> Any:
    hints = _hints(kind)
    if not isinstance(record, dict) or record.keys() != hints.keys():
        raise RecordError(f"{kind.__name__} has the fields {', '.join(hints)}")
    return kind(**{name: _read(hint, record[name]) for name, hint in hints.items()})


def _read(hint: Any, value: object) -> Any:
    if get_origin(hint) in {Union, UnionType}:  # every union here is X or None
        if value is None:
            return None
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if isinstance(hint, NewType):
        hint = hint.__supertype__
    if get_origin(hint) is tuple:
        return _read_tuple(get_args(hint)[0], value)
    if _is_object(hint):
        return _read_object(hint, value)
    if issubclass(hint, Enum):
        return _read_choice(hint, value)
    if type(value) is not hint:
        raise RecordError(f"{str(value)[:40]!r} is not of type {hint.__name__}")
    return value


def _read_tuple(hint: Any, value: object) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise RecordError("a list belongs here")
    return tuple(_read(hint, each) for each in value)


def _read_choice(hint: type[Enum], value: object) -> Enum:
    try:
        return hint(value)
    except ValueError as error:
        raise RecordError(f"{str(value)[:40]!r} is no {hint.__name__}") from error
