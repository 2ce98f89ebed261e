"""The digest of a game: a hash of all the data that judges a round."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from croupier.games.readings import READINGS
from croupier.rules.game import Game


@lru_cache(maxsize=64)
def game_digest(game: Game) -> str:
    """Return the SHA-256 of a game's rows, areas, pay table, ring and the readings.

    The hash is over canonical JSON (RFC 8785), so anyone can calculate it again.
    """
    return value_digest(
        {
            "document": game.document,
            "effective": game.effective,
            "operator": game.operator,
            "ring": game.ring,
            "illustrative_ring": game.illustrative_ring,
            "settings": game.settings,
            "clauses": game.clauses,
            "areas": tuple(
                (area.name, area.wager_type, area.numbers) for area in game.areas
            ),
            "pay_table": game.pay_table,
            "readings": {each.id: each.answer for each in READINGS},
        }
    )


def value_digest(value: Any) -> str:
    """Return the SHA-256 of a value of the rules as canonical JSON."""
    if isinstance(value, dict):
        value = {name: _plain(each) for name, each in value.items()}
    else:
        value = _plain(value)
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return the value in JSON's own types, the same in every process."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(kind):
        named = {name: _plain(getattr(value, name)) for name in _names(kind)}
        return {"kind": kind.__name__, **named}
    if isinstance(value, Mapping):
        return sorted(([_plain(k), _plain(v)] for k, v in value.items()), key=str)
    if isinstance(value, frozenset):
        return sorted(map(_plain, value), key=str)
    raise AssertionError(value)


_PLAIN = frozenset({str, int, bool, type(None)})


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))
