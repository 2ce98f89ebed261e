"""The format of a table of wagers: its columns, and the checks of a given table.

`docs/batch.md` describes each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from croupier.batch.compiled import CompiledGame
from croupier.errors import CroupierError

TABLE, ROUND, PLAYER, ORDER = "table", "round", "player", "order"
AREA, STAKE_CENTS, STAKE = "area", "stake_cents", "stake"
OUTCOME, BONUS_NUMBERS, VOID = "outcome", "bonus_numbers", "void"
SETTLED = ("paid_cents", "collected_cents", "returned_cents")
"""The columns of a stake's settlement."""
AT_RISK_CENTS = "at_risk_cents"
ADDED = (*SETTLED, AT_RISK_CENTS)
"""The columns that settlement adds."""

TEXTS = (TABLE, ROUND, PLAYER, AREA, STAKE, OUTCOME, BONUS_NUMBERS)
"""Columns whose texts repeat."""


class TableError(CroupierError):
    """The table can't be settled at all; one sentence says why."""


@contextmanager
def errors_named_by(path: Path | str) -> Iterator[None]:
    """Turn errors of a file into a `TableError` that names it."""
    try:
        yield
    except TableError as error:
        raise TableError(f"{path}: {error}") from error
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
        said = getattr(error, "strerror", None)
        quoted = "".join(each if each.isprintable() else " " for each in str(error))
        told = said or f"it is no such table: {' '.join(quoted.split())[:200]}"
        raise TableError(f"{path}: {told}") from error


def is_text(kind: Any) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or (pa.types.is_dictionary(kind) and is_text(kind.value_type))
        or pa.types.is_null(kind)
    )


def is_whole(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind))


_NAME = (is_text, is_whole)
_KINDS: dict[str, tuple[tuple[Callable[[Any], bool], ...], str]] = {
    TABLE: (_NAME, "text or whole numbers"),
    ROUND: (_NAME, "whole numbers or text"),
    PLAYER: (_NAME, "text or whole numbers"),
    ORDER: (_NAME, "whole numbers"),
    AREA: ((is_text,), "text such as red or split:17/20"),
    STAKE_CENTS: (_NAME, "whole cents"),
    STAKE: (
        (*_NAME, pa.types.is_decimal),
        "money as text, as whole numbers or as decimals",
    ),
    OUTCOME: (_NAME, "numbers as text, such as 17 or 00"),
    BONUS_NUMBERS: ((is_text,), "ten numbers as text, with spaces between them"),
    VOID: ((is_text, pa.types.is_boolean), "true or false"),
}
"""The types that fit each column, and a description of them."""


def check_format(compiled: CompiledGame, schema: Any) -> None:
    """Raise `TableError` unless it is a table of wagers at this game."""
    names = list(schema.names)
    check_named_once(names)
    _check_names(compiled, names)
    for name in filter(_KINDS.__contains__, names):
        fitting, wanted = _KINDS[name]
        kind = schema.field(name).type
        if not any(fits(kind) for fits in fitting):
            raise TableError(f"the column {name} holds {kind}; it must hold {wanted}")


def check_named_once(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"there are two columns {name}")


def _check_names(compiled: CompiledGame, names: list[str]) -> None:
    for name in names:
        if name in ADDED:
            raise TableError(f"there is a column {name} already: settlement adds it")
    needed = [ROUND, AREA, OUTCOME]
    if compiled.draws_bonus_numbers:
        needed.append(BONUS_NUMBERS)
    for name in needed:
        if name not in names:
            raise TableError(f"there is no column {name}; {_there_are(names)}")
    if (STAKE in names) is (STAKE_CENTS in names):
        what = "both stake and" if STAKE in names else "no column stake or"
        raise TableError(f"there is {what} stake_cents; write one of them")


def _there_are(names: list[str]) -> str:
    shown = ", ".join(names[:20]) or "none"
    return f"the columns are {shown}{' …' if len(names) > 20 else ''}"
