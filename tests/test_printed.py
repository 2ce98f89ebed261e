"""What `print` shows of a result is what its attributes say, to the last digit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.lab.simulator import Seat, area_codes, play_strategy

V3 = "mbs-roulette-v3"
SAMPLES = Path(croupier.__file__).parent / "samples"
_CELLS = re.compile(r"  +")
_QUANTILE = re.compile(r"bankroll at the end, (\d+)% quantile")


def _cells(printed: object) -> Iterator[list[str]]:
    """Return the columns of each line that has any."""
    for line in str(printed).splitlines():
        cells = _CELLS.split(line.strip())
        if len(cells) > 1:
            yield cells


def _is(shown: str, value: Any, unit: int = 1) -> bool:
    """Whether a figure is the value, rounded where its digits end."""
    figure = shown.replace(",", "")
    scale = 100 if figure.endswith(" %") else Fraction(1, unit)
    digits = Decimal(figure.removesuffix(" %"))
    exponent = digits.as_tuple().exponent
    assert isinstance(exponent, int)
    half: Fraction = Fraction(10) ** exponent / 2
    return abs(Fraction(digits) - _known(value) * scale) <= half


def _known(value: Any) -> Fraction:
    """Return a number as it is, or what a figure holds."""
    return Fraction(getattr(value, "value", value))


def _ends_in(attribute: str) -> int:
    return 100 if attribute.endswith("_cents") else 1


ODDS = {
    "return": "return_to_player",
    "house edge": "house_edge",
    "win probability": "win_probability",
    "ahead probability": "ahead_probability",
    "variance": "variance",
    "standard deviation": "standard_deviation",
    "skewness": "skewness",
    "maximum win": "maximum_win",
}
SESSION = {
    "target reached": "reached",
    "ruined": "ruined",
    "still playing": "playing",
    "ahead at the end": "ahead",
    "rounds played, expected": "rounds_played",
    "staked, expected": "staked_cents",
    "net result, expected": "net_cents",
    "net result, standard deviation": "net_deviation_cents",
}
SIMULATION = {
    "target reached": "reached",
    "ruined": "ruined",
    "still playing": "playing",
    "ahead at the end": "ahead",
    "rounds played, mean": "rounds_played",
    "staked, mean": "staked_cents",
    "net result, mean": "net_cents",
    "net result of what is staked": "return_rate",
}


@pytest.mark.parametrize("wager", ["17/20", "red", "complete:17", "tiers"])
def test_odds(wager: str) -> None:
    odds = croupier.odds("mbs-complete-bet-v2", wager)

    shown = dict(_cells(odds))

    assert shown.keys() == ODDS.keys()
    for label, attribute in ODDS.items():
        decimal, _, fraction = shown[label].partition(" (")
        value = getattr(odds.per_unit, attribute)
        assert _is(decimal, value), (label, shown[label], value)
        if fraction:
            assert Fraction(fraction.removesuffix(")")) == value, label


@pytest.mark.parametrize("strategy", ["flat", "martingale"])
def test_a_session(strategy: str) -> None:
    result = croupier.session(
        V3, "red@10", bankroll=100, target=200, rounds=30, strategy=strategy
    )

    quantiles = {}
    shown = {}
    for label, figure in _cells(result):
        found = _QUANTILE.fullmatch(label)
        if found:
            quantiles[Fraction(int(found[1]), 100)] = figure
        else:
            shown[label] = figure

    assert shown.keys() == SESSION.keys()
    for label, attribute in SESSION.items():
        value = getattr(result, attribute)
        assert _is(shown[label], value, _ends_in(attribute)), (label, value)
    assert quantiles.keys() == result.quantiles.keys()
    for share, figure in quantiles.items():
        assert _is(figure, result.quantiles[share], 100)


def test_a_simulation() -> None:
    simulation = croupier.simulate(
        V3,
        "red@10",
        bankroll=100,
        target=200,
        rounds=30,
        sessions=500,
        seed=7,
        engine="plain",
    )

    head, *rows = _cells(simulation)

    assert head[1] == "drawn"
    labels = {row[0] for row in rows if not _QUANTILE.fullmatch(row[0])}
    assert labels == SIMULATION.keys()
    for label, drawn, low, high, exact, inside in rows:
        found = _QUANTILE.fullmatch(label)
        estimate: Any
        if found:
            estimate = simulation.quantiles[Fraction(int(found[1]), 100)]
            ends = (estimate.cents, estimate.low_cents, estimate.high_cents)
            values, unit = (*ends, estimate.exact_cents), 100
        else:
            attribute = SIMULATION[label]
            estimate, unit = getattr(simulation, attribute), _ends_in(attribute)
            values = (estimate.value, estimate.low, estimate.high, estimate.exact)
        for figure, value in zip((drawn, low, high, exact), values, strict=True):
            assert _is(figure, value, unit), (label, figure, value)
        is_inside = values[1] <= _known(values[3]) <= values[2]
        assert inside == ("yes" if is_inside else "no"), label
    assert f"Seed {simulation.seed}: {simulation.spins:,} spins drawn." in str(
        simulation
    )


def test_sessions_of_an_own_strategy() -> None:
    def on_red(seat: Seat) -> None:
        seat.lay(area_codes(V3)["red"], 1000)

    played = play_strategy(
        V3, on_red, bankroll=100, rounds=30, sessions=100, seed=7, engine="plain"
    )

    shown = {row[0]: row[1:] for row in _cells(played)}

    estimates = {"ruined": played.ruined, "still playing": played.playing}
    assert played.return_rate is not None
    for name, estimate, unit in [
        *((name, estimate, 1) for name, estimate in estimates.items()),
        ("ahead at the end", played.ahead, 1),
        ("rounds played, mean", played.rounds_played, 1),
        ("staked, mean", played.staked_cents, 100),
        ("net result, mean", played.net_cents, 100),
        ("net result of what is staked", played.return_rate, 1),
    ]:
        values = (estimate.value, estimate.low, estimate.high)
        for figure, value in zip(shown[name], values, strict=True):
            assert _is(figure, value, unit), (name, figure, value)
    assert f"Seed 7: {played.spins:,} spins drawn." in str(played)


def test_a_report_and_a_wheel_check() -> None:
    report = croupier.make_report(SAMPLES / "settled.csv", game=V3)
    check = croupier.check_wheel(SAMPLES / "wheel.csv", game="rws-triple-zero")

    assert f"{report}" == f"<ReturnReport of {report.source}: {report.whole.win.says}>"
    spins, verdict = check.record.spins, check.verdict.value
    assert f"{check}" == f"<WheelCheck of {spins:,} outcomes: {verdict}>"
