"""A random file settled by Croupier, and again by joins in Polars and DuckDB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from croupier.batch import settle_file, settle_frame
from croupier.games import all_games
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.wheel import Number, numbers

SETTLED = ["paid_cents", "collected_cents", "returned_cents"]
DRAWN = "1 2 5 9 13 17 21 25 29 33"
ROWS = 20_000


def random_wagers(game: Game, seed: int) -> pl.DataFrame:
    """Wagers in rounds of about seven rows, on every area, of every outcome."""
    rng = np.random.default_rng(seed)
    rounds = np.sort(rng.integers(0, ROWS // 7, ROWS))
    outcomes = rng.integers(0, len(game.numbers), ROWS)
    columns: dict[str, Any] = {
        "round": rounds,
        "player": [f"P{code}" for code in rng.integers(0, 40, ROWS)],
        "area": [
            game.areas[place].name for place in rng.integers(0, len(game.areas), ROWS)
        ],
        "stake_cents": rng.integers(1, 10**6, ROWS),
        "outcome": [str(game.numbers[outcomes[place]]) for place in rounds],
    }
    if game.provides(Rule.BONUS_DRAW):
        columns["bonus_numbers"] = [DRAWN] * ROWS
    return pl.DataFrame(columns)


def pay_table(game: Game) -> pl.DataFrame:
    """What pays at each number, from the plain core."""
    lit = frozenset(numbers(DRAWN)) if game.provides(Rule.BONUS_DRAW) else frozenset()
    rows = [
        (str(number), name, pays)
        for number in game.numbers
        for name, pays in winning_areas(game, Outcome(number, lit)).items()
    ]
    return pl.DataFrame(rows, schema=["outcome", "area", "pays"], orient="row")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_file_is_settled_as_a_join_in_polars_settles_it(
    game: Game, tmp_path: Path
) -> None:
    wagers, source = random_wagers(game, 5), tmp_path / "wagers.parquet"
    wagers.write_parquet(source, row_group_size=3000)

    settle_file(game, source, tmp_path / "settled.parquet")

    joined = wagers.join(
        pay_table(game), on=["outcome", "area"], how="left", maintain_order="left"
    ).select(
        *wagers.columns,
        paid_cents=(pl.col("stake_cents") * pl.col("pays")).fill_null(0),
        collected_cents=pl.when(pl.col("pays").is_null())
        .then(pl.col("stake_cents"))
        .otherwise(0),
        returned_cents=pl.when(pl.col("pays").is_null())
        .then(0)
        .otherwise(pl.col("stake_cents")),
        at_risk_cents=pl.col("stake_cents"),
    )
    settled = pl.read_parquet(tmp_path / "settled.parquet")
    assert settled.to_dicts() == joined.to_dicts()


def test_amounts_at_risk_agree_with_windows_in_duckdb() -> None:
    game = next(game for game in all_games() if game.provides(Rule.OVER_MAXIMUM))
    wagers = random_wagers(game, 6).with_columns(
        area=pl.col("round").mod(3).replace_strict({0: "red", 1: "17", 2: "17/20"}),
        stake_cents=pl.col("stake_cents").mod(900) + 1,
    )

    settled = settle_frame(game, wagers, limits=["* 5 10"]).settled

    counted = duckdb.sql(
        """
        with numbered as (
            select *, row_number() over () as place from wagers
        ), sums as (
            select *,
                sum(stake_cents) over (partition by round, player, area) as total,
                sum(stake_cents) over (
                    partition by round, player, area order by place
                ) - stake_cents as before
            from numbered
        ), firsts as (
            select *, min(case when total < 500 then round end)
                over (partition by player) as stands
            from sums
        )
        select case
            when total < 500 and round > stands then 0
            when total < 500 then stake_cents
            else greatest(0, least(stake_cents, 1000 - before))
        end as at_risk
        from firsts order by place
        """
    )
    assert counted is not None
    risked = counted.fetchnumpy()["at_risk"]
    pays = np.array(
        [_pays(game, *row) for row in settled.select("area", "outcome").iter_rows()]
    )
    assert settled["at_risk_cents"].to_list() == risked.tolist()
    assert settled["paid_cents"].to_list() == (risked * pays).tolist()
    lost = np.where(pays == 0, risked, 0)
    assert settled["collected_cents"].to_list() == lost.tolist()
    returned = settled["stake_cents"].to_numpy() - lost
    assert settled["returned_cents"].to_list() == returned.tolist()


def _pays(game: Game, area: str, outcome: str) -> int:
    names = {"red": "red", "17": "straight_up:17", "17/20": "split:17/20"}
    found = game.area_by_name[names[area]]
    pays = {"red": 1, "17": 35, "17/20": 17}
    return pays[area] if Number(outcome) in found.numbers else 0
