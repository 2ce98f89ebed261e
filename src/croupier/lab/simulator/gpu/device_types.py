"""A Player's seat as a type of the CUDA device, derived from `Seat`.

Laws of this file:
- A seat's methods are the functions of `Seat`, compiled once more for the device.
- Numba does not check indices on the device, and an index outside would read another
  session's number. So the arrays of a seat have a type that checks them, as on the CPU.

It needs numba-cuda: numba's own CUDA target is no longer maintained.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda import types
from numba.cuda.core.imputils import lower_setattr_generic
from numba.cuda.datamodel.models import StructModel
from numba.cuda.extending import (
    intrinsic,
    make_attribute_wrapper,
    overload,
    overload_attribute,
    overload_method,
    register_model,
)
from numba.cuda.typing.templates import signature as call_signature

from croupier.lab.simulator.own.seat import COUNTS, FLAGS, ROOMS, TABLES, Seat

_COUNTS = "counts"
_SCALARS = (*COUNTS, *FLAGS)
COUNTED = len(_SCALARS)
"""The length of a seat's array of changing numbers."""


class CheckedType(types.Type):
    """An array of numbers whose indices are checked."""

    def __init__(self, array: Any) -> None:
        self.array = array
        super().__init__(f"Checked({array})")


class SeatType(types.Type):
    """A seat: its tables and rooms, and an array of the numbers that change."""

    def __init__(self, members: tuple[Any, ...]) -> None:
        self.members = members
        super().__init__(f"Seat{members}")


@register_model(CheckedType)
class _CheckedModel(StructModel):
    def __init__(self, manager: Any, kind: CheckedType) -> None:
        super().__init__(manager, kind, [("array", kind.array)])


@register_model(SeatType)
class _SeatModel(StructModel):
    def __init__(self, manager: Any, kind: SeatType) -> None:
        names = (*TABLES, *ROOMS, _COUNTS)
        super().__init__(manager, kind, list(zip(names, kind.members, strict=True)))


def _made(kind: Any, given: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """Return signature and code of an intrinsic that fills a struct."""

    def code(context: Any, builder: Any, _: Any, values: Any) -> Any:
        made = context.make_helper(builder, kind)
        for name, value in zip(names, values, strict=True):
            setattr(made, name, value)
        return made._getvalue()  # noqa: SLF001 - how numba has it

    return call_signature(kind, *given), code


@intrinsic
def checked(_: Any, array: Any) -> Any:
    return _made(CheckedType(array), (array,), ("array",))


@intrinsic
def _seat_of(  # noqa: PLR0917 - numba takes no keywords
    _: Any,
    pays: Any,
    numbers: Any,
    least: Any,
    most: Any,
    memory: Any,
    areas: Any,
    cents: Any,
    history: Any,
    counts: Any,
) -> Any:
    given = (pays, numbers, least, most, memory, areas, cents, history, counts)
    return _made(SeatType(given), given, (*TABLES, *ROOMS, _COUNTS))


make_attribute_wrapper(CheckedType, "array", "array")
for _name in (*TABLES, *ROOMS, _COUNTS):
    make_attribute_wrapper(SeatType, _name, _name)


@cuda.jit(device=True)
def _checked_place(place: int, length: int) -> Any:
    """Return the place, counted from the end if it is negative."""
    at = np.int64(place)
    if at < 0:
        at += length
    if at < 0 or at >= length:
        raise IndexError("index is out of bounds")
    return at


def _is_item(numbers: Any, place: Any) -> bool:
    return isinstance(numbers, CheckedType) and isinstance(place, types.Integer)


@overload(len)
def _length(numbers: Any) -> Any:
    def length(numbers: Any) -> Any:
        return len(numbers.array)

    return length if isinstance(numbers, CheckedType) else None


@overload(operator.getitem)
def _item(numbers: Any, place: Any) -> Any:
    def item(numbers: Any, place: Any) -> Any:
        return numbers.array[_checked_place(place, len(numbers.array))]

    return item if _is_item(numbers, place) else None


@overload(operator.setitem)
def _set_item(numbers: Any, place: Any, value: Any) -> Any:  # noqa: ARG001
    def set_item(numbers: Any, place: Any, value: Any) -> Any:
        numbers.array[_checked_place(place, len(numbers.array))] = value

    return set_item if _is_item(numbers, place) else None


def _reader(at: int, *, is_flag: bool) -> Callable[[Any], Any]:
    if is_flag:
        return lambda seat: seat.counts[at] != 0
    return lambda seat: seat.counts[at]


def _writer(at: int) -> Callable[[Any, Any], None]:
    def write(seat: Any, value: Any) -> None:
        seat.counts[at] = value

    return write


def _typed(code: Callable[..., Any]) -> Callable[..., Any]:
    """Return an overload for numba that gives this code for all argument types."""

    def typed(*_: Any) -> Any:
        return code

    typed.__signature__ = signature(code)  # type: ignore[attr-defined]
    return typed


_WRITERS = {name: _writer(at) for at, name in enumerate(_SCALARS)}
for _at, _name in enumerate(_SCALARS):
    _read = _reader(_at, is_flag=_name in FLAGS)
    overload_attribute(SeatType, _name)(_typed(_read))


@lower_setattr_generic(SeatType)
def _set_attribute(context: Any, builder: Any, sig: Any, args: Any, name: str) -> Any:
    return context.compile_internal(builder, _WRITERS[name], sig, args)


for _name, _method in vars(Seat).items():
    if not _name.startswith("_"):
        overload_method(SeatType, _name)(_typed(_method))


def seat_at(  # noqa: PLR0917 - numba takes no keywords
    pays: Any,
    numbers: Any,
    least: Any,
    most: Any,
    is_limited: Any,
    memory: Any,
    areas: Any,
    cents: Any,
    history: Any,
    counts: Any,
) -> Any:
    """Return a seat with these tables and rooms; only for the device."""
    seat = _seat_of(
        pays,
        numbers,
        least,
        most,
        checked(memory),
        checked(areas),
        checked(cents),
        checked(history),
        counts,
    )
    seat.is_limited = is_limited
    return seat


def memory_type() -> CheckedType:
    return CheckedType(types.Array(types.int64, 1, "C"))


def seat_type() -> SeatType:
    whole = types.Array(types.int64, 1, "C")
    rooms = (memory_type(),) * len(ROOMS)
    return SeatType((*(whole,) * len(TABLES), *rooms, whole))
