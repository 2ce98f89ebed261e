"""The base of the errors that a caller may want to catch; each package has its own.

Python users may pass any type to a public function. If it can't be used, the error
names the argument and says what to pass instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any


class CroupierError(Exception):
    """Base of the errors for a request that can't be done; the message says why."""


class WrongArgument(CroupierError, TypeError):
    """An argument has a type that it can't have."""

    def __init__(self, argument: str, wanted: str, given: object) -> None:
        name = "None" if given is None else f"a value of type {type(given).__name__}"
        super().__init__(f"{argument} must be {wanted}, not {name}")


def check_type(argument: str, wanted: str, given: object, *kinds: type[object]) -> None:
    if not isinstance(given, kinds):
        raise WrongArgument(argument, wanted, given)


def plain_int(given: Any) -> Any:
    """Return a whole number, such as one of numpy's, as an int; other values as is."""
    if isinstance(given, bool):
        return given
    try:
        return index(given)
    except TypeError:
        return given


def items_of(argument: str, wanted: str, given: object) -> tuple[object, ...]:
    """Return an iterable as a tuple; raise `WrongArgument` for anything else."""
    if isinstance(given, Mapping | bytes) or not isinstance(given, Iterable):
        raise WrongArgument(argument, wanted, given)
    return tuple(given)


def texts_of(argument: str, wanted: str, given: object) -> tuple[str, ...]:
    """Return the texts of an argument, which may be one text or several."""
    if isinstance(given, str):
        return (given,)
    texts: list[str] = []
    for each in items_of(argument, wanted, given):
        if not isinstance(each, str):
            raise WrongArgument(f"each of {argument}", wanted, each)
        texts.append(each)
    return tuple(texts)
