"""Outcomes from lists, tables and journals; and files that are none."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from croupier.batch import table_files
from croupier.games import find_game
from croupier.journal.export import export_journal
from croupier.journal.stores import open_store
from croupier.lab.wheel.outcomes import read_wheel
from croupier.lab.wheel.record import WheelError, WheelRecord
from croupier.rules.notation import NotationError
from croupier.table import Accepted
from tests.lab.wheel.wheels import FAST, V3
from tests.table.a_table import NOON, Played

ZEROS = find_game("rws-triple-zero")


def _numbers(record: WheelRecord) -> list[str]:
    return [record.ring[place] for place in record.places]


def _file(tmp_path: Path, text: str, name: str = "wheel.csv") -> str:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def test_a_list_has_one_number_a_line(tmp_path: Path) -> None:
    source = _file(tmp_path, "# Monday\n17\n0\n\n 00 \n000\n17\n", "wheel.txt")

    record = read_wheel(source, game=ZEROS)

    assert _numbers(record) == ["17", "0", "00", "000", "17"]
    assert record.times_ms is None
    assert record.source == source


def test_a_table_names_its_columns(tmp_path: Path) -> None:
    source = _file(tmp_path, "dealer,outcome,note\nAnn,17,\nBo,0,late\n")

    assert _numbers(read_wheel(source, game=V3)) == ["17", "0"]


_OUTCOMES = ["17", "0", "00", "000", "17"]
DATA: dict[str, Any] = {
    "a list": _OUTCOMES,
    "an array": np.array(_OUTCOMES),
    "an array of Arrow": pa.array(_OUTCOMES),
    "a Series of Polars": pl.Series(_OUTCOMES),
    "a Series of pandas": pl.Series(_OUTCOMES).to_pandas(),
    "a frame of Polars": pl.DataFrame({"outcome": _OUTCOMES, "note": [1] * 5}),
    "a frame of pandas": pl.DataFrame({"outcome": _OUTCOMES}).to_pandas(),
    "a table of Arrow": pa.table({"outcome": _OUTCOMES, "round": [1, 2, 3, 4, 5]}),
}


@pytest.mark.parametrize("kind", DATA)
def test_outcomes_in_memory_are_read_as_a_file_is(kind: str) -> None:
    record = read_wheel(DATA[kind], game=ZEROS)

    assert _numbers(record) == _OUTCOMES
    assert record.source == ""


def test_data_that_are_no_outcomes_are_refused_in_a_sentence() -> None:
    with pytest.raises(WheelError, match=r"^row 2: the outcome is missing"):
        read_wheel(["1", None], game=V3)
    with pytest.raises(WheelError, match="a column can't be read"):
        read_wheel([[1]], game=V3)
    with pytest.raises(WheelError, match="the whole number 0 may be any of"):
        read_wheel(np.array([17, 0]), game=ZEROS)
    with pytest.raises(WheelError, match="there is no column outcome"):
        read_wheel(pl.DataFrame({"number": ["1"]}), game=V3)
    with pytest.raises(WheelError, match="name the game"):
        read_wheel(["1"])


def test_a_round_of_many_wagers_has_one_outcome(tmp_path: Path) -> None:
    source = _file(
        tmp_path,
        "round,player,area,outcome\n1,Ann,red,17\n1,Bo,17,17\n2,Ann,red,17\n3,Bo,17,4\n",
    )

    assert _numbers(read_wheel(source, game=V3)) == ["17", "17", "4"]


def test_times_put_outcomes_in_order(tmp_path: Path) -> None:
    source = _file(
        tmp_path,
        "time,outcome\n"
        "2026-11-15 20:00:00,1\n"
        "2026-11-15T19:00:00+00:00,2\n"
        "2026-11-15 21:30:00+02:00,3\n",
    )

    record = read_wheel(source, game=V3)

    assert _numbers(record) == ["2", "3", "1"]
    assert record.when(0) == "outcome 1 (2026-11-15 19:00 UTC)"


def test_void_rounds_are_left_out(tmp_path: Path) -> None:
    source = _file(tmp_path, "round,outcome,void\n1,17,false\n2,,true\n3,5,0\n")

    assert _numbers(read_wheel(source, game=V3)) == ["17", "5"]


def test_one_of_several_tables_is_named(tmp_path: Path) -> None:
    source = _file(tmp_path, "table,round,outcome\nA,1,17\nB,1,5\nA,2,0\n")

    record = read_wheel(source, game=V3, table="A")

    assert _numbers(record) == ["17", "0"]
    assert record.source == f"{source}, table A"
    with pytest.raises(WheelError, match=r"several tables.*--table A, B"):
        read_wheel(source, game=V3)


@pytest.mark.parametrize("encoded", [False, True])
def test_a_parquet_file_is_a_table_too(tmp_path: Path, encoded: bool) -> None:
    outcomes = pa.array(["17", "17", "00", "5", None])
    if encoded:
        outcomes = outcomes.dictionary_encode()
    table = pa.table(
        {
            "round": [1, 1, 2, 3, 4],
            "outcome": outcomes,
            "void": [False, False, False, False, True],
            "at_ms": [10, 10, 30, 20, 40],
            "stake_cents": [5, 5, 5, 5, 5],
        }
    )
    pq.write_table(table, tmp_path / "wheel.parquet")

    record = read_wheel(str(tmp_path / "wheel.parquet"), game=ZEROS)

    assert _numbers(record) == ["17", "5", "00"]


def test_a_parquet_file_in_pieces_gives_each_round_once(tmp_path: Path) -> None:
    rounds = [n for n in range(1, 2_001) for _ in range(3)]
    names = [V3.ring[n % 37] for n in rounds]
    table = pa.table({"round": rounds, "outcome": names})
    pq.write_table(table, tmp_path / "wheel.parquet", row_group_size=1_000)

    record = read_wheel(str(tmp_path / "wheel.parquet"), game=V3)

    assert _numbers(record) == [V3.ring[n % 37] for n in range(1, 2_001)]


def _journal(url: str, game: str = "rws-triple-zero") -> None:
    """Four rounds: the second void, the third corrected from 8 to 0."""
    with open_store(url) as store:
        played = Played(store, game)
        played.buy_in("Anna", 100_000)
        played.play_round("17", ["Anna: place 17 10 as w1"])
        played.now_ms += 60_000
        played.say("Dealer: place your bets", "Dealer: irregularity ball_broke")
        played.say("Dealer: settle")
        played.play_round("8")
        played.now_ms += 60_000
        played.play_round("20")
        [answer] = played.say("Dealer + Pit Supervisor: correct round 3 to 0")
        assert isinstance(answer, Accepted), answer


def test_a_journal_gives_each_round_as_it_was_settled_last(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    _journal(f"sqlite:///{path}")

    record = read_wheel(str(path))

    assert _numbers(record) == ["17", "0", "20"]
    assert record.game is ZEROS
    assert record.times_ms is not None
    assert list(record.times_ms) == [NOON, NOON + 60_000, NOON + 120_000]
    assert record.source == f"{path}, table t1"


def test_an_export_of_a_journal_is_read_like_it(tmp_path: Path) -> None:
    url, export = f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "export.jsonl"
    _journal(url)
    with open_store(url) as store:
        export_journal(store, export)

    assert _numbers(read_wheel(str(export))) == ["17", "0", "20"]


def test_another_ring_is_a_setting_of_the_table(tmp_path: Path) -> None:
    source = _file(tmp_path, "17\n0\n")
    ring = ("0", "00", "000", *ZEROS.ring[3:])

    record = read_wheel(source, game=ZEROS, settings=[f"ring {' '.join(ring)}"])

    assert record.ring == ring
    assert _numbers(record) == ["17", "0"]
    with pytest.raises(NotationError, match="has no setting 'ring'"):
        read_wheel(source, game=V3, settings=["ring 0 1"])


def test_a_cell_over_several_lines_is_of_one_row(tmp_path: Path) -> None:
    source = _file(tmp_path, 'note,outcome\n"a\nb",5\n\nc,99\n')

    with pytest.raises(WheelError, match=r"wheel\.csv: row 2: "):
        read_wheel(source, game=V3)


def test_a_round_may_go_on_in_the_next_piece_of_a_file(tmp_path: Path) -> None:
    rows = [f"{row // 3},{V3.ring[row // 3 % 37]}" for row in range(200_003)]
    source = _file(tmp_path, "round,outcome\n" + "\n".join(rows))

    record = read_wheel(source, game=V3)

    assert record.spins == 66_668
    assert _numbers(record)[:3] == list(V3.ring[:3])


BAD = {
    "no file": (None, "No such file"),
    "an empty file": ("", "has no outcome"),
    "a head alone": ("round,outcome\n", "has no outcome"),
    "no number": ("17\nseventeen\n", "line 2: 'seventeen' is not a number"),
    "a number of another game": (
        "17\n00\n",
        "line 2: Roulette has no number 00: its numbers are 0 1 … 36 [2.1]",
    ),
    "two numbers a line": ("17,18\n", "line 1 has several cells where one number"),
    "cells that are missing": ("round,outcome\n1\n", "Expected 2 columns, got 1"),
    "no outcome": ("round,outcome\n1,\n", "row 1: the outcome is missing"),
    "two outcomes": ("round,outcome\n1,5\n1,6\n", "row 2: round '1' has two outcomes"),
    "no time": ("time,outcome\nnoon,5\n", "row 1: 'noon' is no time"),
    "a time before all": ("at_ms,outcome\n-5,5\n", "row 1: -5 is no time"),
    "a time beyond all": ("at_ms,outcome\n" + "9" * 30 + ",5\n", "is no time"),
    "perhaps void": ("outcome,void\n5,maybe\n", "row 1: void is true or false"),
    "semicolons": ("round;outcome\n1;5\n", "it has semicolons between its cells"),
    "tabs": ("round\toutcome\n1\t5\n", "it has tabs between its cells"),
    "a NUL": ("17\n\0\n", "is not a number"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_record_is_told_in_a_sentence(
    tmp_path: Path, name: str
) -> None:
    text, said = BAD[name]
    source = str(tmp_path / "wheel.csv")
    if text is not None:
        source = _file(tmp_path, text)

    with pytest.raises(WheelError) as raised:
        read_wheel(source, game=V3)

    assert said in str(raised.value)
    assert source in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_needs_its_game(tmp_path: Path) -> None:
    with pytest.raises(WheelError, match="say which game its outcomes are of"):
        read_wheel(_file(tmp_path, "17\n"))


def test_bytes_are_no_list(tmp_path: Path) -> None:
    path = tmp_path / "wheel.txt"
    path.write_bytes(b"17\n\xff\xfe\n")

    with pytest.raises(WheelError, match="is not UTF-8 text"):
        read_wheel(str(path), game=V3)


def test_a_truncated_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wheel.parquet"
    pq.write_table(pa.table({"outcome": ["17"] * 1_000}), path)
    whole = path.read_bytes()

    for length in (0, 4, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(WheelError, match="it is no such table"):
            read_wheel(str(path), game=V3)


def test_whole_numbers_are_outcomes_where_they_are_clear(tmp_path: Path) -> None:
    path = tmp_path / "wheel.parquet"
    pq.write_table(pa.table({"outcome": [17, 0]}), path)

    assert _numbers(read_wheel(str(path), game=V3)) == ["17", "0"]
    with pytest.raises(WheelError, match="row 2: the whole number 0 may be any of"):
        read_wheel(str(path), game=ZEROS)


def test_json_lines_are_a_table_too(tmp_path: Path) -> None:
    lines = '{"round": 1, "outcome": "17"}\n\n{"round": 2, "outcome": "00"}\n'
    source = _file(tmp_path, lines, "wheel.jsonl")
    broken = _file(tmp_path, lines + '{"outcome": ', "broken.jsonl")

    assert _numbers(read_wheel(source, game=ZEROS)) == ["17", "00"]
    with pytest.raises(WheelError, match="line 4 is not a JSON object"):
        read_wheel(broken, game=ZEROS)


def test_a_parquet_file_without_outcomes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wheel.parquet"
    pq.write_table(pa.table({"number": ["17"]}), path)

    with pytest.raises(WheelError, match="has no column outcome"):
        read_wheel(str(path), game=V3)


def test_a_journal_without_outcomes_or_with_another_game_is_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "house.db"
    _journal(f"sqlite:///{path}")
    empty = tmp_path / "empty.db"
    with open_store(str(empty)) as store:
        Played(store)

    with pytest.raises(WheelError, match="rounds of rws-triple-zero: a wheel is"):
        read_wheel(str(path), game=FAST)
    with pytest.raises(WheelError, match=r"there is no table 't9'.*it has t1"):
        read_wheel(str(path), table="t9")
    with pytest.raises(WheelError, match="has no outcome of the table t1"):
        read_wheel(str(empty))


def test_a_journal_of_several_tables_asks_which_wheel(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with open_store(str(path)) as store:
        Played(store, stream="t1").play_round("5")
        Played(store, stream="t2").play_round("7")

    assert _numbers(read_wheel(str(path), table="t2")) == ["7"]
    with pytest.raises(WheelError, match=r"several tables.*--table t1, t2"):
        read_wheel(str(path))


def _in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables be read some rows at a time."""
    monkeypatch.setattr(table_files, "_BYTES_AT_ONCE", 500)
    monkeypatch.setattr(table_files, "_FEW_ROWS", 1)


def test_lines_are_read_alike_with_and_without_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(8)
    rows = [f"{row}, {chance.choice(V3.numbers)}, a" for row in range(900)]
    quoted = [f'"{row.split(",")[0]}",{row.split(",")[1]}," a"' for row in rows]
    texts = {
        "plain": rows,
        "quoted": quoted,
        "late": [*rows[:700], *quoted[700:]],
        "gaps": [*rows[:300], "", *rows[300:]],
    }
    _in_pieces(monkeypatch)
    found = {}
    for name, lines in texts.items():
        path = tmp_path / f"{name}.csv"
        path.write_text("round,outcome,wheel\r\n" + "\r\n".join(lines), newline="")
        found[name] = read_wheel(str(path), game=V3).places.tolist()

    assert len(found["plain"]) == 900
    assert all(places == found["plain"] for places in found.values())


@pytest.mark.parametrize("again", [3, 150, 249])
def test_a_round_that_comes_again_is_known_among_ascending_ones(
    again: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["round,outcome", *(f"{row},{row % 37}" for row in range(250))]
    same = _file(tmp_path, "\n".join([*lines, f"{again},{again % 37}", "300,1"]))
    other = "\n".join([*lines, f"{again},{(again + 1) % 37}"])
    _in_pieces(monkeypatch)

    assert len(read_wheel(same, game=V3).places) == 251
    with pytest.raises(WheelError, match=f"row 251: round '{again}' has two outcomes"):
        read_wheel(_file(tmp_path, other, "other.csv"), game=V3)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "round,round,outcome\n1,1,17\n")

    with pytest.raises(WheelError, match=r"there are two columns round$") as refused:
        read_wheel(path, game=V3)

    assert str(refused.value).startswith(f"{path}: there")


def test_a_row_without_its_time_is_named(tmp_path: Path) -> None:
    path = _file(tmp_path, "outcome,time\n1,2026-01-01 10:00:00\n2,\n")

    with pytest.raises(WheelError, match=r"row 2: the time is missing$"):
        read_wheel(path, game=V3)
