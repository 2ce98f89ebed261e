"""Tables in memory: Polars in, Polars out; Arrow in, Arrow out."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.batch import TableError, settle_frame
from croupier.batch.table_format import ADDED, AT_RISK_CENTS
from croupier.games import find_game
from croupier.rules.notation import NotationError
from tests.batch.plain_rounds import DRAWN

V3, V2 = "mbs-roulette-v3", "mbs-roulette-v2"
COMPLETE, FAST, TRIPLE = "mbs-complete-bet-v2", "mbs-fast-action-v2", "rws-triple-zero"
PAID, COLLECTED, RETURNED = "paid_cents", "collected_cents", "returned_cents"


def wagers(
    *rows: Sequence[Any], names: str = "round area stake outcome"
) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=names.split(), orient="row", strict=False)


def money(frame: Any) -> list[tuple[int, int, int]]:
    return list(frame.select(PAID, COLLECTED, RETURNED).iter_rows())


def reasons(frame: Any) -> list[tuple[int, str]]:
    return list(frame.select("row", "reason").iter_rows())


def test_a_polars_frame_comes_back_with_the_settlement() -> None:
    frame = wagers((1, "17", "10", "17"), (1, "red", "50", "17"))

    done = settle_frame(V3, frame)

    assert done.settled.columns == [*frame.columns, *ADDED]
    assert money(done.settled) == [(35000, 0, 1000), (0, 5000, 0)]
    assert done.settled[AT_RISK_CENTS].to_list() == [1000, 5000]
    assert done.rejects.is_empty()


def test_a_lazy_frame_comes_back_lazy() -> None:
    done = settle_frame(V3, wagers((1, "17", "10", "17"), (1, "no", "1", "17")).lazy())

    assert isinstance(done.settled, pl.LazyFrame)
    assert money(done.settled.collect()) == [(35000, 0, 1000)]
    assert done.rejects.collect().height == 1


@pytest.mark.parametrize("rows", [[(1, "17", "10", "17")], []])
def test_arrow_tables_and_batches_keep_their_kind(rows: list[Any]) -> None:
    schema = pa.schema(
        {"round": pa.int64()} | dict.fromkeys(("area", "stake", "outcome"), pa.string())
    )
    listed = [dict(zip(schema.names, row, strict=True)) for row in rows]
    batch = pa.RecordBatch.from_pylist(listed, schema=schema)

    of_batch = settle_frame(V3, batch)
    of_table = settle_frame(V3, pa.Table.from_batches([batch]))

    assert isinstance(of_batch.settled, pa.RecordBatch)
    assert isinstance(of_table.settled, pa.Table)
    expected = [35000] * len(rows)
    assert of_batch.settled.column(PAID).to_pylist() == expected
    assert of_table.settled.column(PAID).to_pylist() == expected
    assert of_batch.rejects.num_rows == of_table.rejects.num_rows == 0


def test_texts_kept_as_categories_are_read_as_texts() -> None:
    frame = wagers((1, "17", "10", "17"), (2, "17", "10", "16")).with_columns(
        pl.col("area", "outcome").cast(pl.Categorical)
    )

    done = settle_frame(V3, frame)

    assert money(done.settled) == [(35000, 0, 1000), (0, 1000, 0)]
    assert done.settled["area"].dtype == pl.Categorical


def test_dictionaries_that_repeat_a_text_do_not_part_a_players_total() -> None:
    repeated = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["A", "A"]))
    table = pa.table(
        {
            "round": [1, 1],
            "player": repeated,
            "area": ["red", "red"],
            "stake": ["15", "15"],
            "outcome": ["2", "2"],
        }
    )

    done = settle_frame(V3, table, limits=["* 5 20"])

    assert done.settled.column(COLLECTED).to_pylist() == [1500, 500]


@pytest.mark.parametrize("stake", [["2.50"], [Decimal("2.50")], [Decimal("2.5000")]])
def test_money_is_read_from_text_and_from_decimals(stake: list[Any]) -> None:
    frame = pl.DataFrame(
        {"round": [1], "area": ["17"], "stake": stake, "outcome": ["17"]}
    )

    assert money(settle_frame(V3, frame).settled) == [(8750, 0, 250)]


def test_short_forms_are_areas_and_the_column_keeps_them_as_they_were() -> None:
    done = settle_frame(V3, wagers((1, "20/17", "1", "17"), (1, "2/3/1", "1", "17")))

    assert money(done.settled) == [(1700, 0, 100), (0, 100, 0)]
    assert done.settled["area"].to_list() == ["20/17", "2/3/1"]


@pytest.mark.parametrize(
    ("game", "area", "outcome", "expected"),
    [
        # Orphelins: 1, 6/9, 14/17, 17/20, 31/34; two splits win on 17.
        (COMPLETE, "orphelins", "17", (3400, 300, 200)),
        # Voisins: two pieces on the trio, one on five splits, two on the corner.
        (COMPLETE, "voisins_du_zero", "25", (1600, 700, 200)),
        (COMPLETE, "complete:17", "17", (15600, 0, 1200)),
        (TRIPLE, "finales:7", "17", (3500, 200, 100)),  # 7, 17 and 27
    ],
)
def test_a_multiple_piece_wager_is_one_row_with_the_sums_of_its_pieces(
    game: str, area: str, outcome: str, expected: tuple[int, int, int]
) -> None:
    done = settle_frame(game, wagers((1, area, "1", outcome)))

    assert done.rejects.is_empty()
    assert money(done.settled) == [expected]


def test_a_complete_maximum_wager_has_each_type_at_its_own_maximum() -> None:
    limits = [
        "straight_up 1 10",
        "split 1 20",
        "street 1 30",
        "corner 1 40",
        "six_line 1 60",
    ]
    frame = wagers((1, "complete_maximum:17", None, "17"), (1, "red", "7", "17"))

    done = settle_frame(COMPLETE, frame, limits=limits)

    # Readings: 40 units and 392 won where the maxima stand 1:2:3:4:6.
    assert money(done.settled)[0] == (392 * 1000, 0, 40 * 1000)


def test_a_complete_maximum_wager_needs_stated_maxima_and_has_no_stake() -> None:
    frame = wagers((1, "complete_maximum:17", None, "17"))
    staked = wagers((1, "complete_maximum:17", "5", "17"))

    without = settle_frame(COMPLETE, frame)
    with_stake = settle_frame(COMPLETE, staked, limits=["* 1 100"])

    assert "the table states no maximum" in without.rejects["reason"][0]
    assert "has no stake" in with_stake.rejects["reason"][0]


def test_a_setting_changes_the_pieces_of_a_dozen() -> None:
    frame = wagers((1, "complete:dozen:1", "1", "0"))

    touching = settle_frame(COMPLETE, frame)
    inside = settle_frame(COMPLETE, frame, settings=["complete_dozen inside"])

    staked = [sum(money(done.settled)[0][1:]) for done in (touching, inside)]
    assert staked == [54 * 100, 42 * 100]


def test_a_piece_outside_the_limits_rejects_the_whole_wager_and_counts_nowhere() -> (
    None
):
    rows = [(1, "17", "8", "0"), (1, "orphelins", "5", "0"), (1, "17/20", "5", "0")]

    done = settle_frame(COMPLETE, wagers(*rows[1:], rows[0]), limits=["split 1 5"])

    assert [row for row, _ in reasons(done.rejects)] == [2]
    assert done.settled["area"].to_list() == ["orphelins", "17"]


@pytest.mark.parametrize(
    ("game", "clause"), [(V2, "[A11]"), (COMPLETE, "[A11]"), (TRIPLE, "[3.3]")]
)
def test_a_breach_without_a_clause_is_rejected_by_the_limit_clause(
    game: str, clause: str
) -> None:
    rows = [(1, "red", "15", "1"), (1, "red", "15", "1"), (2, "red", "2", "1")]

    done = settle_frame(game, wagers(*rows), limits=["* 5 20"])

    assert [row for row, _ in reasons(done.rejects)] == [2, 3]
    assert all(reason.endswith(clause) for _, reason in reasons(done.rejects))
    assert done.settled.height == 1


def test_bonus_numbers_make_the_status_of_the_winning_number() -> None:
    names = "round area stake outcome bonus_numbers"
    lit = DRAWN.split()
    link = "0 00 1 5 9 13 17 21 S MBS"
    rows = [
        (1, "17", "1", "17", DRAWN),
        (1, "bonus_win", "1", "17", " ".join(reversed(lit))),
        (2, "S", "1", "S", link),
        (3, "18", "1", "18", DRAWN),
    ]

    done = settle_frame(FAST, wagers(*rows, names=names))

    # 4.1: 40 on a bonus number, 80 on a super bonus number, 35 on any other.
    assert [paid for paid, _, _ in money(done.settled)] == [4000, 200, 8000, 3500]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ("1 2 3", "is not a draw of 10 different Bonus Numbers"),
        ("1 1 5 9 13 17 21 25 29 33", "is not a draw of 10 different"),
        ("000 2 5 9 13 17 21 25 29 33", "has no number 000"),
        (None, "the row has no Bonus Numbers"),
    ],
)
def test_a_malformed_draw_rejects_the_row(drawn: str | None, said: str) -> None:
    names = "round area stake outcome bonus_numbers"

    done = settle_frame(FAST, wagers((1, "17", "1", "17", drawn), names=names))

    [(row, reason)] = reasons(done.rejects)
    assert (row, said in reason) == (1, True)


def test_bonus_numbers_in_a_game_without_a_draw_reject_the_row() -> None:
    frame = wagers(
        (1, "17", "1", "17", DRAWN),
        (1, "17", "1", "17", ""),
        names="round area stake outcome bonus_numbers",
    )

    done = settle_frame(V3, frame)

    assert reasons(done.rejects) == [(1, "Roulette draws no Bonus Numbers")]
    assert done.settled.height == 1


@pytest.mark.parametrize("yes", [True, "true", "TRUE"])
def test_a_void_round_returns_everything_and_needs_no_outcome(yes: bool | str) -> None:
    no = False if yes is True else "false"
    frame = wagers(
        (1, "17", "10", None, yes),
        (1, "red", "10", "nonsense", yes),
        (2, "17", "10", "17", no),
        names="round area stake outcome void",
    )

    done = settle_frame(V3, frame)

    assert done.rejects.is_empty()
    assert money(done.settled) == [(0, 0, 1000), (0, 0, 1000), (35000, 0, 1000)]


def test_a_round_with_void_and_valid_rows_is_rejected_whole() -> None:
    frame = wagers(
        (1, "17", "10", "17", True),
        (1, "17", "10", "17", False),
        (2, "17", "10", "17", False),
        names="round area stake outcome void",
    )

    done = settle_frame(V3, frame)

    assert {reason for _, reason in reasons(done.rejects)} == {
        "the rows of the round tell different outcomes"
    }
    assert done.settled["round"].to_list() == [2]


def test_unambiguous_whole_numbers_are_outcomes() -> None:
    single = settle_frame(V3, wagers((1, "0", "1", 0), (2, "17", "1", 17)))
    triple = settle_frame(TRIPLE, wagers((1, "0", "1", 0), (2, "17", "1", 17)))

    assert [paid for paid, _, _ in money(single.settled)] == [3500, 3500]
    assert [paid for paid, _, _ in money(triple.settled)] == [3500]
    assert "may be any of 0, 00, 000" in triple.rejects["reason"][0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((1, "no_such", "1", "17"), "is not a wager"),
        ((1, "18/20", "1", "17"), "has no betting area 18/20"),
        ((1, "tiers", "1", "17"), "has no tiers"),
        ((1, None, "1", "17"), "the row has no area"),
        ((1, "", "1", "17"), "the row has no area"),
        ((1, "17", "0", "17"), "out of range"),
        ((1, "17", "-1", "17"), "is out of range"),
        ((1, "17", "1.005", "17"), "is not an amount"),
        ((1, "17", None, "17"), "the row has no stake"),
        ((1, "17", "1", None), "the row has no outcome"),
        ((1, "17", "1", "37"), "is not a number"),
        ((1, "17", "1", "00"), "has no number 00"),
        ((None, "17", "1", "17"), "the row has no round"),
        ((-1, "17", "1", "17"), "the row has no round"),
    ],
)
def test_a_bad_row_is_rejected_with_its_number_and_reason(
    row: tuple[Any, ...], said: str
) -> None:
    done = settle_frame(V3, wagers((0, "17", "1", "17"), row, (2, "17", "1", "17")))

    [(number, reason)] = reasons(done.rejects)
    assert number == 2
    assert said in reason
    assert done.settled.height == 2
    assert done.totals.rows == 3


@pytest.mark.parametrize("cents", [0, -5, 10**15 + 1, None])
def test_a_malformed_stake_in_cents_is_rejected(cents: int | None) -> None:
    frame = wagers((1, "17", cents, "17"), names="round area stake_cents outcome")

    done = settle_frame(V3, frame.with_columns(pl.col("stake_cents").cast(pl.Int64)))

    assert "at least 1 and at most 1000000000000000" in done.rejects["reason"][0]


def test_a_rejected_row_does_not_count_in_its_players_total() -> None:
    frame = wagers(
        (1, "A", "red", "15", "2"),
        (1, "A", "red", "15", "x"),
        (1, "A", "red", "5", "2"),
        names="round player area stake outcome",
    )

    done = settle_frame(V3, frame, limits=["* 5 20"])

    assert [lost for _, lost, _ in money(done.settled)] == [1500, 500]


def test_rounds_of_one_table_are_not_those_of_another_and_tables_are_in_order() -> None:
    names = "table round player area stake outcome"
    rows = [
        ("T1", 1, "A", "red", "3", "2"),
        ("T1", 2, "A", "red", "3", "2"),
        ("T2", 1, "A", "red", "3", "2"),
        ("T1", 3, "A", "red", "3", "2"),
    ]

    done = settle_frame(V3, wagers(*rows, names=names), limits=["* 5 20"])

    # The first round of A under the minimum stands at each table (A9).
    assert [lost for _, lost, _ in money(done.settled)] == [300, 0, 300]
    assert reasons(done.rejects) == [
        (4, "the row is out of order: a later round stands before it")
    ]


def test_rounds_named_by_text_are_in_the_order_of_the_text() -> None:
    rows = [("a9", "17", "1", "17"), ("a10", "17", "1", "17"), ("b1", "17", "1", "17")]

    done = settle_frame(V3, wagers(*rows))

    assert [row for row, _ in reasons(done.rejects)] == [2]


def test_rounds_counted_in_text_are_in_the_order_of_the_numbers() -> None:
    rows = [("9", "17", "1", "17"), ("10", "17", "1", "17"), ("x", "17", "1", "17")]

    done = settle_frame(V3, wagers(*rows))

    assert [row for row, _ in reasons(done.rejects)] == [3]


def test_the_order_of_placing_uses_up_the_maximum() -> None:
    frame = wagers(
        (1, 2, "red", "15", "2"),
        (1, 1, "red", "15", "2"),
        names="round order area stake outcome",
    )

    done = settle_frame(V3, frame, limits=["* 5 20"])

    assert [lost for _, lost, _ in money(done.settled)] == [500, 1500]


@pytest.mark.parametrize(
    ("drop", "rename", "said"),
    [
        ("round", {}, "there is no column round; the columns are area, stake, outcome"),
        ("stake", {}, "there is no column stake or stake_cents"),
        (None, {"round": "paid_cents"}, "there is a column paid_cents already"),
    ],
)
def test_a_table_without_its_columns_is_refused_in_one_sentence(
    drop: str | None, rename: dict[str, str], said: str
) -> None:
    frame = wagers((1, "17", "1", "17")).rename(rename)

    with pytest.raises(TableError, match=said):
        settle_frame(V3, frame.drop(drop) if drop else frame)


def test_a_game_with_a_draw_needs_the_column_of_bonus_numbers() -> None:
    with pytest.raises(TableError, match="there is no column bonus_numbers"):
        settle_frame(FAST, wagers((1, "17", "1", "17")))


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("round", [1.5], "the column round holds double; it must hold whole numbers"),
        ("stake", [2.5], "the column stake holds double; it must hold money as text"),
        ("area", [17], "the column area holds int64; it must hold text"),
    ],
)
def test_a_column_of_the_wrong_kind_is_refused_in_one_sentence(
    column: str, values: list[Any], said: str
) -> None:
    frame = wagers((1, "17", "1", "17")).with_columns(pl.Series(column, values))

    with pytest.raises(TableError, match=said):
        settle_frame(V3, frame)


def test_malformed_tables_and_terms_are_refused() -> None:
    with pytest.raises(TableError, match="give a frame of Polars"):
        settle_frame(V3, [1, 2])
    with pytest.raises(NotationError, match="the minimum is above the maximum"):
        settle_frame(V3, wagers((1, "17", "1", "17")), limits=["* 5 1"])


messy = st.sampled_from(["17", "red", "tiers", "18/20", "no", "", "00", "37", None])
rows_of_anything = st.lists(
    st.tuples(
        st.none() | st.integers(-1, 4),
        st.none() | st.sampled_from(["A", "B", ""]),
        messy,
        st.none() | st.sampled_from(["1", "30", "0", "2.505", "x"]),
        messy,
        st.none() | st.booleans(),
    ),
    max_size=25,
)


@settings(max_examples=150, deadline=None)
@given(rows=rows_of_anything, game=st.sampled_from([V3, V2, COMPLETE]))
def test_every_row_is_settled_or_rejected_and_no_cent_is_lost(
    rows: list[tuple[Any, ...]], game: str
) -> None:
    kinds = {"round": pl.Int64} | dict.fromkeys(
        ("player", "area", "stake", "outcome"), pl.String
    )
    frame = pl.DataFrame(rows, schema={**kinds, "void": pl.Boolean}, orient="row")

    done = settle_frame(game, frame, limits=["* 5 20"])

    accepted, rejected = done.settled, done.rejects
    assert accepted.height + rejected.height == len(rows)
    numbers = rejected["row"].to_list()
    assert numbers == sorted(set(numbers))
    kept = [row for place, row in enumerate(rows, start=1) if place not in numbers]
    assert [row[:6] for row in accepted.iter_rows()] == kept
    assert done.totals.settled == accepted.height
    assert done.totals.rejected == rejected.height
    assert done.totals.stake_cents == (accepted[COLLECTED] + accepted[RETURNED]).sum()
    plain = accepted.filter(pl.col("area") != "tiers")
    staked = plain["stake"].cast(pl.Int64) * 100
    assert ((plain[COLLECTED] + plain[RETURNED]) == staked).all()


def test_a_wager_that_the_game_lacks_is_rejected_with_its_clause() -> None:
    done = settle_frame(V3, wagers((1, "tiers", "1", "17")))

    [(_, reason)] = reasons(done.rejects)
    assert reason == "Roulette has no tiers [3.4]"
    assert find_game(V3).title == "Roulette"
