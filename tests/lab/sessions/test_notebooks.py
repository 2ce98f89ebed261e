"""Results as frames, pictures and tables, and many sessions in one call."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from croupier.lab.sessions import Figure, SessionError, session, sweep_sessions
from croupier.odds import odds_of, read_what_if
from croupier.odds.distribution import OddsError

V3 = "mbs-roulette-v3"


def test_a_session_has_its_bankrolls_in_a_frame() -> None:
    result = session(V3, "red@10", bankroll=20, target=50, rounds=7)

    frame = result.to_frame()

    assert frame["bankroll_cents"].to_list() == list(result.bankrolls)
    assert frame["net_cents"].to_list() == list(result.nets)
    assert frame["probability"].sum() == pytest.approx(1)
    assert frame["error"].max() == 0


@pytest.mark.parametrize("name", ["durations", "peak", "drawdown"])
def test_details_show_themselves(name: str) -> None:
    details = getattr(session(V3, "red@10", bankroll=50, target=90), name)

    frame = details.to_frame()

    assert frame.height >= 5
    assert frame["error"].max() < 1e-9
    assert "<svg" in details.plot().svg
    assert "95% quantile" in str(details)
    assert "<table" in details._repr_html_()
    assert len(repr(details)) < 80


def test_a_sweep_has_a_session_for_each_choice() -> None:
    over: dict[str, list[Any]] = {
        "strategy": ["flat", "martingale"],
        "bankroll": [5, 7, 9],
    }

    sweep = sweep_sessions(V3, "red@1", over=over, target=12)

    assert len(sweep.results) == 6
    assert sweep.results["martingale", 7].reached == (
        session(V3, "red@1", strategy="martingale", bankroll=7, target=12).reached
    )
    frame = sweep.to_frame()
    assert frame.columns[:2] == ["strategy", "bankroll"]
    assert frame.height == len(sweep.table().rows) == 6
    assert "martingale" in str(sweep)
    [axes] = sweep.plot("ruined").figure.axes
    assert [line.get_label() for line in axes.lines] == ["5", "7", "9"]


def test_a_sweep_over_an_array_has_a_column_of_numbers() -> None:
    sweep = sweep_sessions(V3, "red@1", over={"bankroll": np.array([5, 7])}, target=12)

    assert sweep.to_frame()["bankroll"].to_list() == [5, 7]


def test_games_and_wagers_can_be_swept_too() -> None:
    changed = read_what_if(V3, "[pays]\nred = 2\n")
    over: dict[str, list[Any]] = {
        "game": [V3, changed],
        "wager": ["red@1", ["17@1", "red@1"]],
    }

    sweep = sweep_sessions(V3, "red@1", over=over, bankroll=5, rounds=3)

    net = {values: result.net_cents.value for values, result in sweep.results.items()}
    assert net[changed, "red@1"] > 0 > net[V3, "red@1"]
    assert "17@1, red@1" in sweep.table().csv()
    assert "what-if" in sweep.to_frame()["game"][2]


def test_a_sweep_needs_values_and_plots_its_figures() -> None:
    with pytest.raises(SessionError, match="name a parameter"):
        sweep_sessions(V3, "red@1", over={}, bankroll=5, rounds=3)
    sweep = sweep_sessions(V3, "red@1", over={"rounds": [2, 3]}, bankroll=5)
    with pytest.raises(SessionError, match="a plot shows one of"):
        sweep.plot("luck")


def test_an_hour_of_a_session() -> None:
    result = session(V3, "red@10", bankroll=50, target=90)

    hour = result.by_hour(30)

    assert hour["hours"].value == result.rounds_played.value / 30
    assert hour["staked_cents"] == Figure(Fraction(30_000))
    assert hour["net_cents"] == Figure(Fraction(-30_000, 37))


def test_a_quotient_of_figures_contains_the_true_value() -> None:
    top, bottom = Figure(Fraction(10), Fraction(1)), Figure(Fraction(4), Fraction(1))

    found = top.over(bottom)

    assert found.least <= Fraction(9, 5)
    assert found.greatest >= Fraction(11, 3)


@pytest.mark.parametrize("pace", [0, -1, 2.5])
def test_an_hour_without_a_round_is_refused(pace: Any) -> None:
    result = session(V3, "red@1", bankroll=5, rounds=3)

    with pytest.raises(SessionError, match="one round or more"):
        result.by_hour(pace)
    with pytest.raises(OddsError, match="one round or more"):
        odds_of(V3, "red").by_hour(pace)
