"""What holds of every session, and of sessions that are played out by chance."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.lab.best_play import best_play
from croupier.lab.sessions import STRATEGIES, SessionResult, Shortfall, session
from croupier.lab.sessions.progressions import StateRow, StateTable

V3 = "mbs-roulette-v3"
WAGERS = [
    ("mbs-roulette-v2", "red@1"),
    ("mbs-roulette-v3", "dozen:1@2"),
    ("mbs-roulette-v3", "17@1 + red@2"),
    ("mbs-complete-bet-v2", "orphelins@1"),
    ("mbs-fast-action-v2", "17@1"),
    ("mbs-fast-action-v2", "bonus_win@1"),
    ("rws-triple-zero", "zero_spiel@1"),
]
NAMES = st.sampled_from(["a", "b", "c"])


@st.composite
def tables(draw: st.DrawFn) -> StateTable:
    """A strategy of three states, leading anywhere."""
    states = {
        name: StateRow(draw(st.integers(1, 4)), draw(NAMES), draw(NAMES), draw(NAMES))
        for name in ("a", "b", "c")
    }
    rules = st.sampled_from(Shortfall)
    return StateTable("drawn", "a", states, draw(rules), draw(rules))


def is_one(chances: Iterable[Fraction], error: Fraction) -> bool:
    return 1 - error <= sum(chances, Fraction(0)) <= 1 + error


def mean_cents(result: SessionResult) -> Fraction:
    return sum(
        (cents * chance for cents, chance in result.bankrolls.items()), Fraction(0)
    )


@settings(max_examples=60, deadline=None)
@given(
    tables(),
    st.sampled_from(WAGERS),
    st.integers(20, 40),
    st.integers(1, 60),
    st.one_of(st.none(), st.integers(1, 12)),
)
def test_chances_add_up_and_money_is_lost_at_the_edge(
    strategy: StateTable,
    wager: tuple[str, str],
    bankroll: int,
    more: int,
    rounds: int | None,
) -> None:
    result = session(
        *wager,
        bankroll=bankroll,
        target=bankroll + more,
        rounds=rounds,
        strategy=strategy,
        arithmetic="exact" if rounds else None,
    )

    ends = [result.reached, result.ruined, result.stopped, result.playing]
    error = result.error
    assert is_one([end.value for end in ends], 4 * error)
    assert is_one(result.bankrolls.values(), 4 * error)
    net = mean_cents(result) - bankroll * 100
    assert abs(net - result.net_cents.value) <= (
        result.net_cents.error + error * 100 * 40 * (bankroll + more)
    )
    if result.is_exact:
        edge = result.request.wager.edge
        assert net == -edge * result.staked_cents.value
    assert result.ahead.value >= result.reached.value
    assert all(cents >= 0 for cents in result.bankrolls)


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(WAGERS), st.integers(1, 12), st.integers(20, 30))
def test_the_errors_of_float64_are_bounds(
    strategy: StateTable, wager: tuple[str, str], rounds: int, bankroll: int
) -> None:
    terms = {
        "bankroll": bankroll,
        "target": bankroll + 9,
        "rounds": rounds,
        "strategy": strategy,
    }
    exact = session(*wager, **terms, arithmetic="exact")  # type: ignore[arg-type]
    floats = session(*wager, **terms, arithmetic="float64")  # type: ignore[arg-type]

    names = (
        "reached",
        "ruined",
        "stopped",
        "playing",
        "ahead",
        "rounds_played",
        "staked_cents",
        "net_cents",
    )
    for name in names:
        true, found = getattr(exact, name), getattr(floats, name)
        assert true.is_exact
        assert found.least <= true.value <= found.greatest
    assert exact.quantiles == floats.quantiles


def test_a_larger_bankroll_is_ruined_less_often() -> None:
    ruined = [
        session(V3, "17@1", bankroll=bankroll, target=60).ruined.value
        for bankroll in range(1, 60)
    ]

    assert all(more > less for more, less in pairwise(ruined))


def test_more_rounds_end_more_sessions() -> None:
    results = [
        session(V3, "red@1", bankroll=5, target=9, rounds=n, strategy="fibonacci")
        for n in range(1, 30)
    ]

    ended = [result.ruined.value + result.reached.value for result in results]
    course = results[-1].snapshots
    assert ended == sorted(ended)
    assert [each.ruined + each.reached for each in course] == ended


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("wager", ["red@1", "dozen:1@1", "17@1"])
def test_no_strategy_beats_the_best_play(name: str, wager: str) -> None:
    best = best_play(V3, bankroll=20, target=30, limits=["* 1 10"])

    result = session(
        V3, wager, bankroll=20, target=30, strategy=name, limits=["* 1 10"]
    )

    assert result.reached.least <= best.probability.greatest
