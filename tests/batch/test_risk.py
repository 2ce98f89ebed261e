"""What is at risk is what the plain core puts at risk, round by round (A8 to A11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.batch.column_settlement import settle_columns
from croupier.batch.compiled import ColumnError, compile_game
from croupier.batch.risk import AREA_FULL, OUTSIDE_LIMITS, Risk, risk_columns
from croupier.games import find_game
from croupier.rules.bonus import Outcome
from croupier.rules.game import Game
from croupier.rules.notation import read_wager
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.terms import Limits, read_limits, read_settings
from croupier.rules.wheel import Number, numbers
from tests.batch.plain_rounds import DRAWN, Act, Money, PlayedRound, play_out

V3 = find_game("mbs-roulette-v3")
PLAYERS = ("Anna", "Ben", "Cara")
LIMITS = ("* 5 20", "straight_up 2 10", "red 8 30")
WAGERS = {
    "mbs-roulette-v2": ("17", "17/20", "red", "dozen:2"),
    "mbs-roulette-v3": ("17", "17/20", "red", "dozen:2"),
    "mbs-complete-bet-v2": ("17", "17/20", "red", "voisins_du_zero", "complete:17"),
    "mbs-fast-action-v2": ("17", "S", "bonus_win", "scatter_bonus"),
    "rws-triple-zero": ("17", "green", "red", "grand_series", "finales:7"),
}


@dataclass(frozen=True)
class Row:
    """A piece of a wager, as a row of the columns."""

    round_: int
    act: int
    player: int
    area: str
    cents: int
    void: bool


def acts(wagers: Sequence[str]) -> st.SearchStrategy[Act]:
    return st.builds(
        Act,
        st.sampled_from(PLAYERS),
        st.sampled_from(wagers),
        st.sampled_from([100, 200, 500, 700, 1000, 1900, 3000]),
        st.none() | st.integers(0, 6),
    )


def rounds(name: str) -> st.SearchStrategy[list[PlayedRound]]:
    outcomes = st.sampled_from(["17", "20", "0"]) | st.none()
    wagers = st.lists(acts(WAGERS[name]), max_size=7).map(_increasing)
    return st.lists(st.builds(PlayedRound, wagers, outcomes), min_size=1, max_size=5)


def _increasing(given: list[Act]) -> tuple[Act, ...]:
    """Increases that name an earlier wager of the Player become its increases."""
    found: list[Act] = []
    for act in given:
        place = act.increases
        earlier = found[place] if place is not None and place < len(found) else None
        if earlier is None or earlier.increases is not None:
            found.append(Act(act.player, act.wager, act.cents))
        else:
            found.append(Act(earlier.player, earlier.wager, act.cents, place))
    return tuple(found)


def rows_of(game: Game, played: Sequence[PlayedRound]) -> list[Row]:
    """The pieces of each act; a multiple-piece wager has several."""
    rows = []
    for place, each in enumerate(played):
        for number, act in enumerate(each.acts):
            placement = find_placement(
                game, read_settings(game, ()), read_wager(act.wager)
            )
            assert isinstance(placement, Placement)
            rows += [
                Row(
                    place,
                    number,
                    PLAYERS.index(act.player),
                    area.name,
                    act.cents,
                    each.outcome is None,
                )
                for area in placement.areas
            ]
    return rows


def judged(
    game: Game, limits: Limits, rows: Sequence[Row], warned: Sequence[int] = ()
) -> Risk:
    """The rows as columns, judged; the order of placing is not that of the rows."""
    compiled = compile_game(game)
    turned = sorted(rows, key=lambda row: (row.round_, -row.act))
    risk = risk_columns(
        compiled,
        limits,
        round_=np.array([row.round_ for row in turned], np.int64),
        player=np.array([row.player for row in turned], np.int64),
        order=np.array([row.act for row in turned], np.int64),
        area=np.array([compiled.area_index[row.area] for row in turned], np.int16),
        stake_cents=np.array([row.cents for row in turned], np.int64),
        void=np.array([row.void for row in turned], np.bool_),
        wager=np.array([row.act for row in turned], np.int64),
        warned=warned,
    )
    back = [turned.index(row) for row in rows]
    seen: Counter[Row] = Counter()
    for place, row in enumerate(rows):
        back[place] += seen[row]
        seen[row] += 1
    return Risk(risk.at_risk_cents[back], risk.stood, risk.refusals[back])


def settled_sums(
    game: Game, played: Sequence[PlayedRound], rows: Sequence[Row], risk: Risk
) -> list[dict[int, Money | None]]:
    """By round and first act, as `play_out` tells it."""
    compiled = compile_game(game)
    lit = frozenset(numbers(DRAWN)) if compiled.draws_bonus_numbers else frozenset()
    outcomes = [
        compiled.outcome_index(
            Outcome(Number(played[row.round_].outcome or played_any(game)), lit)
        )
        for row in rows
    ]
    settled = settle_columns(
        compiled,
        np.array([compiled.area_index[row.area] for row in rows], np.int16),
        np.array(outcomes, np.int16),
        np.array([row.cents for row in rows], np.int64),
        risk.at_risk_cents,
    )
    found: list[dict[int, Money | None]] = [{} for _ in played]
    for place, row in enumerate(rows):
        act = played[row.round_].acts[row.act]
        into = found[row.round_]
        if risk.unlawful[place]:
            into[row.act] = None
            continue
        first = row.act if act.increases is None else act.increases
        before = into.get(first) or (0, 0, 0)
        into[first] = (
            before[0] + int(settled.paid_cents[place]),
            before[1] + int(settled.collected_cents[place]),
            before[2] + int(settled.returned_cents[place]),
        )
    return found


def played_any(game: Game) -> str:
    return game.numbers[0]


def without_orphans(
    game: Game, limits: Sequence[str], played: list[PlayedRound]
) -> list[PlayedRound]:
    """The rounds without increases of wagers that were refused: no rows know them."""
    found = play_out(game, limits, played)
    return [
        PlayedRound(
            tuple(
                Act(act.player, act.wager, act.cents)
                if act.increases is not None and sums.get(act.increases) is None
                else act
                for act in each.acts
            ),
            each.outcome,
        )
        for each, sums in zip(played, found, strict=True)
    ]


@pytest.mark.parametrize("name", WAGERS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_rounds_are_settled_to_the_cent_as_the_practice_table_settles_them(
    name: str, data: st.DataObject
) -> None:
    game = find_game(name)
    drawn = data.draw(st.sampled_from([LIMITS, LIMITS[:1], LIMITS[1:], ()]))
    types = {"*", *(kind.value for kind in game.pay_table)}
    limits = [line for line in drawn if line.split()[0] in types]
    played = data.draw(rounds(name))
    while (plain := without_orphans(game, limits, played)) != played:
        played = plain
    rows = rows_of(game, played)

    risk = judged(game, read_limits(limits), rows)

    assert settled_sums(game, played, rows, risk) == play_out(game, limits, played)


def test_a_maximum_is_used_up_in_the_order_of_placing_not_of_the_rows() -> None:
    risk = v3_risk("* 5 20", [(0, 0, 2, "red", 1500), (0, 0, 1, "red", 1500)])

    assert risk.at_risk_cents.tolist() == [500, 1500]


def test_one_players_total_is_not_anothers_nor_another_areas() -> None:
    rows = [(0, 0, 1, "red", 1500), (0, 1, 2, "red", 1500), (0, 0, 3, "black", 1500)]

    risk = v3_risk("* 5 20", rows)

    assert risk.at_risk_cents.tolist() == [1500, 1500, 1500]


def test_chips_under_the_minimum_stand_in_one_round_for_all_types() -> None:
    rows = [
        (0, 0, 1, "red", 100),
        (0, 0, 2, "black", 100),
        (1, 0, 1, "even", 100),
        (1, 1, 2, "even", 100),
        (2, 0, 1, "straight_up:17", 100),
        (2, 0, 2, "odd", 500),
    ]

    risk = v3_risk("* 5 20", rows)

    assert risk.at_risk_cents.tolist() == [100, 100, 0, 100, 0, 500]
    assert risk.stood == {0, 1}


def test_a_void_round_does_not_use_up_what_stands_once() -> None:
    rows = [(0, 0, 1, "red", 100), (1, 0, 1, "red", 100), (2, 0, 1, "red", 100)]

    risk = v3_risk("* 5 20", rows, void=[True, False, False])

    assert risk.at_risk_cents.tolist() == [0, 100, 0]


def test_a_player_who_was_warned_before_has_nothing_under_the_minimum_at_risk() -> None:
    rows = [(0, 7, 1, "red", 100), (0, 8, 2, "red", 100)]

    risk = v3_risk("* 5 20", rows, warned={7})

    assert risk.at_risk_cents.tolist() == [0, 100]
    assert risk.stood == {8}


def test_without_limits_everything_is_at_risk_but_in_a_void_round() -> None:
    rows = [(0, 0, 1, "red", 1), (1, 0, 1, "red", 10**15)]

    risk = v3_risk(None, rows, void=[True, False])

    assert risk.at_risk_cents.tolist() == [0, 10**15]
    assert not risk.unlawful.any()


def test_an_area_that_is_full_over_all_players_refuses_the_next_one() -> None:
    rows = [
        (0, 0, 1, "red", 1500),
        (0, 1, 2, "red", 1500),
        (0, 2, 3, "red", 500),
        (1, 1, 1, "red", 1500),
    ]

    risk = v3_risk(None, rows, setting="area_maximum 20")

    assert risk.refusals.tolist() == [0, AREA_FULL, 0, 0]
    assert risk.at_risk_cents.tolist() == [1500, 0, 500, 1500]


def test_a_refused_wager_does_not_count_in_the_next_ones_total() -> None:
    compiled = compile_game(find_game("mbs-roulette-v2"))

    risk = risk_columns(
        compiled,
        read_limits(["* 5 20"]),
        round_=np.zeros(4, np.int64),
        player=np.zeros(4, np.int64),
        order=None,
        area=np.zeros(4, np.int16),
        stake_cents=np.array([400, 1500, 600, 500]),
    )

    assert risk.refusals.tolist() == [OUTSIDE_LIMITS, 0, OUTSIDE_LIMITS, 0]
    assert risk.at_risk_cents.tolist() == [0, 1500, 0, 500]


@pytest.mark.parametrize(
    ("area", "stake", "said"),
    [
        ([157], [100], "an area is none of"),
        ([-1], [100], "an area is none of"),
        ([0], [-100], "a stake is below 0"),
        ([0, 0, 0], [2**61] * 3, "too large to be added up"),
        ([0, 0], [100], "the column stake_cents has 1 rows where another has 2"),
    ],
)
def test_columns_that_are_no_wagers_are_refused(
    area: list[int], stake: list[int], said: str
) -> None:
    zeros = np.zeros(len(area), np.int64)

    with pytest.raises(ColumnError, match=said):
        risk_columns(
            compile_game(V3),
            read_limits(["* 5 20"]),
            round_=zeros,
            player=zeros,
            order=None,
            area=np.array(area),
            stake_cents=np.array(stake),
        )


def test_many_rounds_shared_out_among_threads_are_judged_as_one_by_one() -> None:
    rng = np.random.default_rng(3)
    rows = 200_000
    columns: dict[str, Any] = {
        "round_": np.sort(rng.integers(0, 40_000, rows)),
        "player": rng.integers(0, 3, rows),
        "area": rng.integers(0, 4, rows).astype(np.int16),
        "stake_cents": rng.integers(1, 3000, rows),
    }
    compiled, limits = compile_game(V3), read_limits(["* 5 20"])

    risk = risk_columns(compiled, limits, order=None, **columns)

    warned: set[int] = set()
    for number in (0, 1, 2, 20_000, 39_998, 39_999):
        some = columns["round_"] == number
        part = {name: values[some] for name, values in columns.items()}
        if number > 2:
            warned = {0, 1, 2}
        alone = risk_columns(compiled, limits, order=None, warned=warned, **part)
        warned |= alone.stood
        assert risk.at_risk_cents[some].tolist() == alone.at_risk_cents.tolist()


def v3_risk(
    limits: str | None,
    rows: Sequence[tuple[int, int, int, str, int]],
    *,
    warned: set[int] | None = None,
    void: Sequence[bool] | None = None,
    setting: str | None = None,
) -> Risk:
    """Rows of round, Player, order, area and cents at a table of v3."""
    compiled = compile_game(V3)
    round_, player, order, area, cents = zip(*rows, strict=True)
    return risk_columns(
        compiled,
        read_limits([] if limits is None else [limits]),
        round_=np.array(round_),
        player=np.array(player),
        order=np.array(order),
        area=np.array([compiled.area_index[name] for name in area]),
        stake_cents=np.array(cents),
        warned=warned or (),
        void=None if void is None else np.array(void),
        settings=read_settings(V3, [] if setting is None else [setting]),
    )
