"""Columns are settled as the plain core settles, and nothing else is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from croupier.batch.column_settlement import (
    Settled,
    exact_sum,
    settle_columns,
    settle_into,
)
from croupier.batch.compiled import ColumnError, compile_game, pooled_column
from croupier.games import all_games, find_game
from croupier.odds.chips import Chips, read_terms
from croupier.odds.layouts import lay_chips, settled_at
from croupier.odds.model import cases_of, model_of
from croupier.rules.game import Game

V3 = compile_game(find_game("mbs-roulette-v3"))


def column(*values: int, kind: Any = np.int64) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=kind)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_area_at_every_outcome_is_settled_as_the_plain_core_settles(
    game: Game,
) -> None:
    compiled = compile_game(game)
    chips = [Chips(area.name, 300 + i) for i, area in enumerate(game.areas)]
    state = lay_chips(game, chips, read_terms(game))
    area = np.arange(len(game.areas), dtype=np.int16)
    stake = np.array([chip.stake_cents for chip in chips], np.int32)

    for case in cases_of(model_of(game)):
        row = compiled.outcome_index(case.outcome)
        settled = settle_columns(
            compiled, area, np.full(len(area), row, np.int16), stake
        )
        pieces = [wager.pieces[0] for wager in settled_at(state, case.outcome).wagers]
        by_area = {
            piece.area: (piece.paid_cents, piece.collected_cents, piece.returned_cents)
            for piece in pieces
        }
        found = zip(
            settled.paid_cents.tolist(),
            settled.collected_cents.tolist(),
            settled.returned_cents.tolist(),
            strict=True,
        )
        assert [by_area[each.name] for each in game.areas] == list(found), case.name


def test_chips_not_at_risk_come_back_in_any_case() -> None:
    area = column(*(V3.area_index["straight_up:17"],) * 4)
    outcome = column(17, 17, 16, 16)

    settled = settle_columns(
        V3, area, outcome, column(900, 900, 900, 900), column(500, 0, 500, 0)
    )

    assert settled.paid_cents.tolist() == [17500, 0, 0, 0]
    assert settled.collected_cents.tolist() == [0, 0, 500, 0]
    assert settled.returned_cents.tolist() == [900, 900, 400, 900]


def test_columns_of_any_width_give_the_same_cents() -> None:
    wide = settle_columns(V3, column(3, 150), column(3, 4), column(700, 800))

    narrow = settle_columns(
        V3,
        column(3, 150, kind=np.uint8),
        column(3, 4, kind=np.int16),
        column(700, 800, kind=np.int32),
    )

    assert narrow.paid_cents.tolist() == wide.paid_cents.tolist()
    assert narrow.collected_cents.tolist() == wide.collected_cents.tolist()


def test_many_rows_are_settled_as_each_alone_by_several_threads() -> None:
    rng = np.random.default_rng(7)
    rows = 300_001
    area = rng.integers(0, len(V3.game.areas), rows).astype(np.int16)
    outcome = rng.integers(0, len(V3.game.numbers), rows).astype(np.int16)
    stake = rng.integers(1, 10**6, rows)

    settled = settle_columns(V3, area, outcome, stake)

    pays = V3.pays[outcome, area].astype(np.int64)
    assert (settled.paid_cents == np.where(pays < 0, 0, pays * stake)).all()
    assert (settled.collected_cents == np.where(pays < 0, stake, 0)).all()
    assert (settled.returned_cents + settled.collected_cents == stake).all()
    half = settle_columns(V3, area, outcome, stake, stake // 2)
    assert (half.paid_cents == np.where(pays < 0, 0, pays * (stake // 2))).all()
    assert (half.collected_cents == np.where(pays < 0, stake // 2, 0)).all()
    assert (half.returned_cents + half.collected_cents == stake).all()


def test_no_rows_are_settled_into_no_rows() -> None:
    settled = settle_columns(V3, column(), column(), column())

    assert settled.paid_cents.tolist() == []


@pytest.mark.parametrize(
    ("area", "outcome", "stake", "at_risk", "said"),
    [
        ([157], [0], [100], None, "an area is none of the 157"),
        ([-1], [0], [100], None, "an area is none of the 157"),
        ([0], [37], [100], None, "an outcome is none of the 37"),
        ([0], [-1], [100], None, "an outcome is none of the 37"),
        ([0], [0], [-1], None, "an amount is below 0"),
        ([0], [0], [100], [101], "above the stake"),
        ([0], [0], [100], [-1], "an amount is below 0"),
        ([0], [0], [2**62], None, "above 263524915338707880 cents"),
        ([0, 1], [0], [100], None, "the column area has 2 rows"),
        ([0], [0, 1], [100], None, "the column outcome has 2 rows"),
        ([0], [0], [100], [1, 2], "the column at_risk_cents has 2 rows"),
    ],
)
def test_columns_that_are_no_wagers_are_refused(
    area: list[int],
    outcome: list[int],
    stake: list[int],
    at_risk: list[int] | None,
    said: str,
) -> None:
    risked = None if at_risk is None else column(*at_risk)

    with pytest.raises(ColumnError, match=said):
        settle_columns(V3, column(*area), column(*outcome), column(*stake), risked)


def test_a_column_of_floats_is_refused() -> None:
    with pytest.raises(ColumnError, match="the column area must hold whole numbers"):
        settle_columns(V3, column(0, kind=np.float64), column(0), column(100))


@pytest.mark.parametrize("large", [[], [3], [300, 301, 999], [*range(1000)]])
def test_the_sums_are_those_of_the_columns_however_large(large: list[int]) -> None:
    rows = 1000
    area = np.arange(rows) % len(V3.game.areas)
    outcome = np.arange(rows) % len(V3.pays)
    stake = np.arange(rows) * 500
    stake[large] = np.iinfo(np.int64).max // 35
    into = Settled(*(pooled_column(rows, np.int64) for _ in range(3)))

    sums = settle_into(V3, area, outcome, stake, into=into)

    assert list(sums) == [sum(column.tolist()) for column in into]
    assert sums.collected_cents + sums.returned_cents == sum(stake.tolist())


def test_sums_that_64_bits_cannot_hold_are_exact() -> None:
    most = 2**63 // 36
    area = column(*(V3.area_index["straight_up:17"],) * 40)

    settled = settle_columns(V3, area, column(*(17,) * 40), column(*(most,) * 40))

    assert [*map(exact_sum, settled)] == [40 * 35 * most, 0, 40 * most]


@pytest.mark.parametrize("row", [0, 255, 256, 131_071, 199_999])
@pytest.mark.parametrize("wrong", ["area", "outcome", "stake"])
def test_one_bad_row_among_many_is_found(wrong: str, row: int) -> None:
    rows = 200_000
    columns = {name: np.zeros(rows, np.int16) for name in ("area", "outcome")}
    columns["stake"] = np.ones(rows, np.int32)
    columns[wrong][row] = -1

    with pytest.raises(ColumnError, match=r"an (area|outcome|amount) is"):
        settle_columns(V3, columns["area"], columns["outcome"], columns["stake"])


@pytest.mark.parametrize("rows", [300, 200_000])
@pytest.mark.parametrize("stake", [-(2**63), 0, 4, 101, 2**63 - 1])
def test_a_stake_outside_given_bounds_is_found(stake: int, rows: int) -> None:
    into = Settled(*(pooled_column(rows, np.int64) for _ in range(3)))
    zeros, stakes = np.zeros(rows, np.int16), np.full(rows, 5)
    stakes[1::2] = 100
    settle_into(V3, zeros, zeros, stakes, into=into, stakes=(5, 100))
    stakes[rows // 2] = stake

    with pytest.raises(ColumnError, match="below 5, above the stake, or above 100"):
        settle_into(V3, zeros, zeros, stakes, into=into, stakes=(5, 100))
