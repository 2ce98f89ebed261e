"""Rows of whole rounds decoded to columns; rows that can't be read are rejected.

A draw of Bonus Numbers becomes a mask: a bit for each number's index in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from croupier.batch.compiled import (
    Cents,
    Column,
    ColumnError,
    CompiledGame,
    Flags,
    Masks,
    check_columns,
)
from croupier.batch.game_words import MISTAKES, BatchReason, GameWords
from croupier.batch.kernels import compiled_loop
from croupier.batch.rounds import is_told_alike, reason_of
from croupier.batch.table_format import (
    AREA,
    BONUS_NUMBERS,
    ORDER,
    OUTCOME,
    PLAYER,
    STAKE,
    STAKE_CENTS,
    TABLE,
    VOID,
    is_text,
    is_whole,
)
from croupier.batch.text_columns import (
    MISSING,
    ReadColumn,
    TextReader,
    Texts,
    coded_texts,
    look_up,
    may_lack_text,
    texts_of,
    whole_numbers,
)
from croupier.rules.cents import MAXIMUM_CENTS
from croupier.rules.clause import Rule
from croupier.rules.notation import NotationError, read_cents, shown

_UNUSUAL = {VOID, BONUS_NUMBERS, ORDER, STAKE}
"""Columns that most tables don't have."""

_MOST_CELLS = 1 << 15
"""The most cells of a table of pays that stays in the nearest caches."""


class Rejects:
    """The rejected rows of a part, with their reasons."""

    def __init__(self, rows: int) -> None:
        self.reasons: dict[int, str] = {}
        self._rows = rows

    def __len__(self) -> int:
        return len(self.reasons)

    @cached_property
    def accepted(self) -> Flags:
        """True for each accepted row; plain rows are settled without this."""
        return np.ones(self._rows, np.bool_)

    def add(self, some: Flags, reason: str | Callable[[int], str]) -> None:
        """Reject the flagged rows that are still accepted."""
        new = some & self.accepted
        if new.any():
            self.add_rows(np.flatnonzero(new).tolist(), reason)

    def add_rows(self, rows: Iterable[int], reason: str | Callable[[int], str]) -> None:
        for row in rows:
            if self.accepted[row]:
                self.accepted[row] = False
                self.reasons[row] = reason if isinstance(reason, str) else reason(row)


@dataclass(frozen=True, slots=True, eq=False)
class WagerColumns:
    """Rows of wagers as numbers; those of a rejected row have no meaning."""

    ordinal: Cents
    wager: Column
    """The index of an area, or of a multiple-piece wager after the areas."""
    stake_cents: Cents
    """`MISSING` on a complete maximum wager, which has none (A6)."""
    outcome: Column
    void: Flags | None
    order: Cents | None
    players: Texts | None
    tables: Texts | None

    def __len__(self) -> int:
        return len(self.ordinal)

    def take(self, rows: Column) -> WagerColumns:
        """Return the rows at these places, which may repeat."""
        return WagerColumns(
            *(_taken(getattr(self, f.name), rows) for f in fields(self))
        )


def _taken(column: Any, rows: Column) -> Any:
    if isinstance(column, Texts):
        return replace(column, codes=column.codes[rows])
    return None if column is None else column[rows]


class RowDecoder:
    """Reads the rows of one table of wagers, piece by piece."""

    def __init__(self, compiled: CompiledGame, words: GameWords) -> None:
        self._compiled = compiled
        self._words = words

        def reader(read: Callable[[str], int], missing: str) -> TextReader:
            return TextReader(read, f"the row has no {missing}", *MISTAKES)

        self._wagers = reader(words.wager, AREA)
        self._numbers = reader(words.number, OUTCOME)
        self._whole_numbers = reader(words.whole_number, OUTCOME)
        self._draws = reader(words.draw, "Bonus Numbers")
        self._money = reader(read_cents, STAKE)
        self._flags = reader(_read_flag, VOID)

    def decode(self, batch: Any, ordinal: Cents, rejects: Rejects) -> WagerColumns:
        """Return the columns of whole rounds; reject bad rows and contradictions."""
        if len(ordinal) and ordinal.min() < 0:
            rejects.add(ordinal < 0, lambda row: reason_of(int(ordinal[row])))
        wager = self._wager(batch, rejects)
        stake = self._stake(batch, wager, rejects)
        players = _texts(batch, PLAYER)
        if players is not None and players.may_miss:
            rejects.add(players.codes == MISSING, "the row has no Player")
        order = _column(batch, ORDER)
        if order is not None and len(order) and order.min() < 0:
            rejects.add(order < 0, "the order of placing is not a whole number")
        void = self._void(batch, rejects)
        outcome = self._outcome(batch, ordinal, void, rejects)
        tables = _texts(batch, TABLE)
        return WagerColumns(
            ordinal, wager, stake, outcome, void, order, players, tables
        )

    def decode_plain(
        self, batch: Any, ordinal: Cents, *, by_area: bool
    ) -> tuple[CompiledGame, WagerColumns] | None:
        """Return rows if they are all of the usual kind, else None.

        With `by_area`, rows name areas of the game and have checked stakes; otherwise
        they have codes of areas, and the settlement checks stakes. The returned game's
        pays are arranged by the codes, so no text is looked up row by row.
        """
        names = set(batch.schema.names)
        if names & _UNUSUAL or self._compiled.draws_bonus_numbers:
            return None
        stake, outcome = batch.column(STAKE_CENTS), batch.column(OUTCOME)
        area, told = coded_texts(batch.column(AREA)), coded_texts(outcome)
        pays = self._compiled.pays
        areas = self._wagers.meanings(area, below=pays.shape[1])
        outcomes = self._outcome_reader(outcome).meanings(told, below=pays.shape[0])
        if (
            areas is None
            or outcomes is None
            or areas.size * outcomes.size > _MOST_CELLS
            or stake.type != pa.int64()
            or stake.null_count
            or (by_area and not _are_stakes(stake.to_numpy()))
            or (PLAYER in names and may_lack_text(batch.column(PLAYER)))
            or not is_told_alike(ordinal, told.codes)
        ):
            return None
        wager, players, tables = area.codes, None, None
        pays = pays[outcomes]
        if by_area:
            wager = look_up(areas, wager)
            players, tables = _texts(batch, PLAYER), _texts(batch, TABLE)
        else:
            pays = np.ascontiguousarray(pays[:, areas])
        rows = WagerColumns(
            ordinal, wager, stake.to_numpy(), told.codes, None, None, players, tables
        )
        return replace(self._compiled, pays=pays), rows

    def _outcome_reader(self, array: Any) -> TextReader:
        return self._whole_numbers if is_whole(array.type) else self._numbers

    def _wager(self, batch: Any, rejects: Rejects) -> Column:
        read = self._wagers.read(texts_of(batch.column(AREA)), np.int16)
        _reject_missing(read, rejects)
        return read.values

    def _stake(self, batch: Any, wager: Column, rejects: Rejects) -> Cents:
        at_maximum = self._at_maximum(wager)
        if STAKE in batch.schema.names:
            array = batch.column(STAKE)
            read = self._money.read(texts_of(_plain_money(array)), np.int64)
            stake, reason = read.values, read.reason
        else:
            array = batch.column(STAKE_CENTS)
            stake, reason = whole_numbers(array), partial(_no_cents, array)
        if not _are_stakes(stake):
            bad = (stake < 1) | (stake > MAXIMUM_CENTS)
            rejects.add(bad if at_maximum is None else bad & ~at_maximum, reason)
        if at_maximum is not None:
            self._refuse_stakes(array, at_maximum, rejects)
        return stake

    def _at_maximum(self, wager: Column) -> Flags | None:
        """Flag the complete maximum wagers, which have no stake of their own (A6)."""
        codes = [
            self._words.areas + place
            for place, multiple in enumerate(self._words.multiples)
            if multiple.is_at_maximum
        ]
        return np.isin(wager, codes) if codes else None

    def _refuse_stakes(self, array: Any, some: Flags, rejects: Rejects) -> None:
        given = [row for row in np.flatnonzero(some).tolist() if array[row].as_py()]
        clause = self._words.at_maximum_clause
        rejects.add_rows(given, f"a complete maximum wager has no stake [{clause}]")

    def _void(self, batch: Any, rejects: Rejects) -> Flags | None:
        """Flag the rows of void rounds; None if there are none."""
        if VOID not in batch.schema.names:
            return None
        array = batch.column(VOID)
        if is_text(array.type):
            texts = texts_of(array)
            read = self._flags.read(texts, np.int8)
            unclear = (read.values == MISSING) & (texts.codes != MISSING)
            rejects.add(unclear, read.reason)
            void: Flags = read.values == 1
        else:
            void = array.fill_null(False).to_numpy(zero_copy_only=False)
        return void if void.any() else None

    def _outcome(
        self, batch: Any, ordinal: Cents, void: Flags | None, rejects: Rejects
    ) -> Column:
        """Return the outcome of each row; the rows of one round must agree."""
        array = batch.column(OUTCOME)
        told = self._outcome_reader(array).read(texts_of(array), np.int16)
        _reject_missing(told, rejects, void)
        number, drawn = told.values, self._drawn(batch, void, rejects)
        if void is not None:
            number[void] = MISSING
        if void is not None and drawn is not None:
            drawn[void] = MISSING
        _reject_contradictions(ordinal, number, drawn, rejects)
        if told.may_miss or void is not None:
            number = np.maximum(number, 0)
        if drawn is None:
            return number
        return outcome_rows(self._compiled, number, np.maximum(drawn, 0))

    def _drawn(self, batch: Any, void: Flags | None, rejects: Rejects) -> Column | None:
        """Return the draw of each row as a mask; None if the game draws none."""
        texts = _texts(batch, BONUS_NUMBERS)
        if self._compiled.draws_bonus_numbers:
            assert texts is not None
            read = self._draws.read(texts, np.int64)
            _reject_missing(read, rejects, void)
            return read.values
        if texts is not None:
            title = self._compiled.game.title
            rejects.add(texts.codes != MISSING, f"{title} draws no Bonus Numbers")
        return None


def _reject_missing(
    read: ReadColumn, rejects: Rejects, but: Flags | None = None
) -> None:
    """Reject the rows that have no value, unless they need none."""
    if read.may_miss:
        missing = read.values == MISSING
        rejects.add(missing if but is None else missing & ~but, read.reason)


def _reject_contradictions(
    ordinal: Cents, number: Column, drawn: Column | None, rejects: Rejects
) -> None:
    """Reject every row of a round whose rows have different outcomes."""
    told = number if drawn is None else drawn
    columns = (number,) if drawn is None else (number, drawn)
    if not len(rejects) and all(is_told_alike(ordinal, each) for each in columns):
        return
    differing = np.zeros(len(ordinal), np.bool_)
    if _find_contradictions(ordinal, number, told, rejects.accepted, differing):
        rejects.add(
            np.isin(ordinal, ordinal[differing]),
            "the rows of the round tell different outcomes",
        )


@compiled_loop
def _find_contradictions(
    ordinal: Cents, number: Column, drawn: Column, accepted: Flags, differing: Flags
) -> bool:
    """Flag the rows that differ from the first good row of their round."""
    found, first = False, 0
    round_ = np.int64(-1)
    for row in range(len(ordinal)):
        if not accepted[row]:
            continue
        if ordinal[row] != round_:
            round_, first = ordinal[row], row
        elif number[row] != number[first] or drawn[row] != drawn[first]:
            differing[row] = found = True
    return found


@compiled_loop
def _are_stakes(cents: Cents) -> bool:
    """Return whether 1 <= cents <= MAXIMUM_CENTS on each row, in few steps."""
    signs = np.int64(0)
    for row in range(len(cents)):
        signs |= (cents[row] - 1) | (MAXIMUM_CENTS - cents[row])
    return bool(signs >= 0)


def _texts(batch: Any, name: str) -> Texts | None:
    return texts_of(batch.column(name)) if name in batch.schema.names else None


def _column(batch: Any, name: str) -> Cents | None:
    return whole_numbers(batch.column(name)) if name in batch.schema.names else None


def _read_flag(text: str) -> int:
    words = {"true": 1, "false": 0}
    if text.lower() not in words:
        raise NotationError(BatchReason.NOT_TRUE_OR_FALSE(text=shown(text)))
    return words[text.lower()]


def _plain_money(array: Any) -> Any:
    """Return decimals as text, without zeros after the cents."""
    if not pa.types.is_decimal(array.type):
        return array
    text = array.cast(pa.string())
    return pc.replace_substring_regex(text, r"(\.[0-9]{2})0+$", r"\1")


def _no_cents(array: Any, row: int) -> str:
    value = array[row].as_py()
    told = "no stake" if value in {None, ""} else f"the stake {shown(str(value))}"
    return (
        f"the row has {told}; it must be whole cents,"
        f" at least 1 and at most {MAXIMUM_CENTS}"
    )


_OutcomeRows = np.ndarray[Any, np.dtype[np.int16]]

_ONE = np.uint64(1)
_NONE = np.uint64(0)


class _Draws(NamedTuple):
    links: Masks
    has_supers: bool
    has_scatter: bool


def outcome_rows(
    compiled: CompiledGame, number_index: Column, draw_masks: Masks | None
) -> _OutcomeRows:
    """Return the row of each outcome in the table of pays.

    Raises `ColumnError` if draws are missing, or given to a game that draws none.
    """
    check_columns(
        {"number_index": number_index, "draw_masks": draw_masks}, len(number_index)
    )
    if compiled.draws_bonus_numbers is not (draw_masks is not None):
        needs = "needs" if draw_masks is None else "has no"
        raise ColumnError(f"{compiled.game.title} {needs} draws of Bonus Numbers")
    numbers = len(compiled.game.numbers)
    if (
        len(number_index)
        and not 0 <= number_index.min() <= number_index.max() < numbers
    ):
        raise ColumnError(f"a number is none of the {numbers} of the game")
    if draw_masks is None:
        return number_index.astype(np.int16)
    game = compiled.game
    linked = game.provides(Rule.LINKS)
    draws = _Draws(
        compiled.link_masks,
        has_supers=linked and game.provides(Rule.SUPER_BONUS),
        has_scatter=linked and game.provides(Rule.SCATTER),
    )
    rows = np.empty(len(number_index), np.int16)
    _fill(number_index, draw_masks.astype(np.uint64, copy=False), draws, rows)
    return rows


@compiled_loop
def _fill(number: Column, drawn: Masks, draws: _Draws, rows: _OutcomeRows) -> None:
    """Fill in six outcomes to a number: by status, then without and with scatter."""
    for row in range(len(number)):
        bit, lit = _ONE << np.uint64(number[row]), drawn[row]
        scatter, is_super = draws.has_scatter, False
        for link in draws.links:
            scatter = scatter and (lit & link) != _NONE
            is_super = is_super or ((lit & link) == link and (link & bit) != _NONE)
        status = 0
        if lit & bit:
            status = 2 if is_super and draws.has_supers else 1
        rows[row] = number[row] * 6 + status * 2 + scatter
