"""Rows in which nothing is unusual are settled as they are the long way."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from croupier.batch import TableError, settle_file, settle_frame
from croupier.batch.decoder import RowDecoder
from croupier.games import find_game

V3, TRIPLE = "mbs-roulette-v3", "rws-triple-zero"
ROWS = 1500


def plain_table(game: str, seed: int) -> dict[str, list[Any]]:
    """Return rounds of one to six wagers, at one table and each with an outcome."""
    chance, found = random.Random(seed), find_game(game)
    rounds = sorted(chance.randrange(ROWS // 3) for _ in range(ROWS))
    numbers = [str(number) for number in found.numbers]
    outcomes = {round_: chance.choice(numbers) for round_ in rounds}
    areas = [area.name for area in found.areas]
    return {
        "round": rounds,
        "player": [f"P{chance.randrange(9)}" for _ in rounds],
        "area": [chance.choice(areas) for _ in rounds],
        "stake_cents": [chance.randrange(1, 10_000) for _ in rounds],
        "outcome": [outcomes[round_] for round_ in rounds],
    }


def arrow(columns: dict[str, list[Any]], **added: list[Any]) -> Any:
    table = pa.table({**columns, **added})
    for place, name in enumerate(table.schema.names):
        if name in {"player", "area", "outcome"}:
            codes = table.column(name).combine_chunks().dictionary_encode()
            table = table.set_column(place, name, codes)
    return table


def is_same_the_long_way(game: str, columns: dict[str, list[Any]]) -> bool:
    """Settle with a column of rounds that are not void too, which goes the long way."""
    short = settle_frame(game, arrow(columns))
    long = settle_frame(game, arrow(columns, void=[False] * ROWS))
    assert short.settled.num_rows + short.rejects.num_rows == ROWS
    return (
        short.totals == long.totals
        and short.settled.equals(long.settled.drop_columns("void"))
        and short.rejects.equals(long.rejects.drop_columns("void"))
    )


@pytest.mark.parametrize("game", [V3, TRIPLE])
def test_plain_rows_are_settled_like_others(game: str) -> None:
    assert all(is_same_the_long_way(game, plain_table(game, seed)) for seed in range(5))


def test_plain_rows_are_not_looked_up_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(RowDecoder, "decode")

    done = settle_frame(V3, arrow(plain_table(V3, seed=9)))

    assert done.totals.settled == ROWS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("round", None),
        ("round", -5),
        ("round", 0),
        ("player", None),
        ("player", ""),
        ("area", None),
        ("area", "tiers"),
        ("area", "Red"),
        ("area", "nonsense"),
        ("stake_cents", None),
        ("stake_cents", 0),
        ("stake_cents", -(2**63)),
        ("stake_cents", 10**15 + 1),
        ("outcome", None),
        ("outcome", ""),
        ("outcome", "99"),
        ("outcome", "0"),
    ],
)
@pytest.mark.parametrize("row", [0, 700, ROWS - 1])
def test_one_unusual_row_is_reported_as_usual(name: str, value: Any, row: int) -> None:
    columns = plain_table(V3, seed=row)
    columns[name][row] = value

    assert is_same_the_long_way(V3, columns)


def test_a_text_that_has_two_codes_is_one_text() -> None:
    columns = plain_table(V3, seed=1)
    table = arrow(columns)
    texts = table.column("outcome").combine_chunks()
    half = len(texts.dictionary)
    twice = pa.DictionaryArray.from_arrays(
        pa.array(
            [
                code + half * (row % 2)
                for row, code in enumerate(texts.indices.to_pylist())
            ]
        ),
        pa.concat_arrays([texts.dictionary, texts.dictionary]),
    )

    done = settle_frame(V3, table.set_column(4, "outcome", twice))

    assert done.totals == settle_frame(V3, table).totals
    assert done.rejects.num_rows == 0


def test_a_code_without_a_text_is_a_damaged_file(tmp_path: Path) -> None:
    table = pa.table(plain_table(V3, seed=2))
    path = tmp_path / "wagers.parquet"
    pq.write_table(table, path, compression="none")
    column = pq.ParquetFile(path).metadata.row_group(0).column(4)
    damaged = bytearray(path.read_bytes())
    middle = column.data_page_offset + column.total_compressed_size // 4
    # Codes of six bits; there are 37 texts and no 64th.
    damaged[middle : middle + 9] = b"\xff" * 9
    path.write_bytes(damaged)

    with pytest.raises(TableError, match="the column outcome is damaged"):
        settle_file(find_game(V3), path, tmp_path / "settled.parquet")
