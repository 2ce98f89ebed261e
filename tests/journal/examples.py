"""Examples of every kind of event, made from its types."""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.rules.reasons import Reason

TEXTS = ("", "17", "Zoë “the\tcroupier”\n\\", "\u2028", "x" * 300)


NUMBERS = (0, 1, -1, 2**63 - 1, -(2**63))


def example(hint: Any, random: Random) -> Any:
    """Return a value of the type; some are odd."""
    if get_origin(hint) is Annotated:
        return _within_bounds(hint, random)
    if get_origin(hint) in {Union, UnionType}:
        return example(random.choice(get_args(hint)), random)
    if isinstance(hint, NewType):
        return example(hint.__supertype__, random)
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        if kinds[-1] is Ellipsis:
            kinds = kinds[:1] * random.randrange(3)
        return tuple(example(each, random) for each in kinds)
    if get_origin(hint) is dict:
        values = [each for each in get_args(get_args(hint)[1]) if each is not Reason]
        return {text: example(random.choice(values), random) for text in TEXTS[:2]}
    if _has_fields(hint):
        fields = get_type_hints(hint, include_extras=True)
        return hint(**{name: example(each, random) for name, each in fields.items()})
    if issubclass(hint, Enum):
        return random.choice(list(hint))
    plain = {NoneType: (None,), bool: (True, False), int: NUMBERS, str: TEXTS}
    return random.choice(plain[hint])


def _within_bounds(hint: Any, random: Random) -> Any:
    while True:
        value = example(get_args(hint)[0], random)
        try:
            return msgspec.convert(value, hint)
        except msgspec.ValidationError:
            continue


def _has_fields(kind: Any) -> bool:
    named = ("_fields", "__struct_fields__")
    return is_dataclass(kind) or any(getattr(kind, name, ()) for name in named)
