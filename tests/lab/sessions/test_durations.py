"""How many rounds a session takes, against every path and a system solved by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.lab.sessions import Figure, SessionError, session
from croupier.lab.sessions import durations as module
from croupier.lab.sessions.durations import SessionDurations, find_durations
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.result import LEVELS
from croupier.lab.sessions.solver import solve_session
from croupier.lab.sessions.solvers import flat_solver
from tests.lab.sessions.questions import Tree, random_requests

V3 = "mbs-roulette-v3"
P, Q = Fraction(18, 37), Fraction(19, 37)


def in_floats(
    request: SessionRequest, mean: Figure, monkeypatch: pytest.MonkeyPatch
) -> SessionDurations:
    with monkeypatch.context() as patch:
        patch.setattr(module, "QUICK_STEPS", 0)
        return find_durations(request, mean)


@pytest.mark.parametrize("request_", random_requests(29, 30))
def test_every_path_is_counted(
    request_: SessionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [(chance, len(course) - 1) for chance, course in Tree(request_).paths]
    mean = sum((chance * n for chance, n in paths), Fraction(0))
    variance = sum((chance * (n - mean) ** 2 for chance, n in paths), Fraction(0))
    result = solve_session(request_, arithmetic="exact")

    exact = result.durations
    floats = in_floats(request_, result.rounds_played, monkeypatch)

    assert exact.is_exact
    assert not floats.is_exact
    assert exact.mean == Figure(mean)
    assert exact.variance == Figure(variance)
    assert floats.variance.least <= variance <= floats.variance.greatest
    assert floats.variance.error < Fraction(1, 10**9)
    assert request_.rounds is not None
    for rounds in range(request_.rounds + 1):
        ended = sum((c for c, n in paths if n <= rounds), Fraction(0))
        found = floats.ended(rounds)
        assert exact.ended(rounds) == Figure(ended)
        assert found.least <= ended <= found.greatest
    for level in LEVELS:
        true = min(
            n
            for n in range(request_.rounds + 1)
            if sum((c for c, m in paths if m <= n), Fraction(0)) >= level
        )
        assert exact.quantile_bounds[level] == (true, true)
        least, greatest = floats.quantile_bounds[level]
        assert least <= true <= greatest


def moments_by_hand(bankroll: int, target: int) -> tuple[Fraction, Fraction]:
    """The mean and the variance of the rounds of flat red@1, by elimination."""

    def solved(costs: list[Fraction]) -> list[Fraction]:
        # x[i] = costs[i] + P x[i + 1] + Q x[i - 1], from below: x[i] = a + b x[i + 1].
        lines = [(Fraction(0), Fraction(0))]
        for cost in costs:
            a, b = lines[-1]
            lines.append(((cost + Q * a) / (1 - Q * b), P / (1 - Q * b)))
        values = [Fraction(0)]
        for a, b in reversed(lines[1:]):
            values.append(a + b * values[-1])
        return values[:0:-1]

    rounds = solved([Fraction(1)] * (target - 1))
    squares = solved([2 * each - 1 for each in rounds])
    mean = rounds[bankroll - 1]
    return mean, squares[bankroll - 1] - mean**2


@pytest.mark.parametrize(("bankroll", "target"), [(1, 2), (2, 4), (7, 20), (50, 80)])
def test_the_variance_until_it_ends(bankroll: int, target: int) -> None:
    mean, variance = moments_by_hand(bankroll, target)

    result = session(V3, "red@1", bankroll=bankroll, target=target)

    found = result.durations
    assert result.rounds_played.value == mean
    assert found.variance.least <= variance <= found.variance.greatest
    assert found.variance.error < variance / 10**8 + Fraction(1, 10**12)


def test_the_variance_of_a_long_martingale_until_it_ends() -> None:
    result = session(V3, "red@1", bankroll=1000, target=2000, strategy="martingale")

    variance = result.durations.variance

    assert 0 < variance.error < variance.value / 10**6


@pytest.mark.parametrize(
    ("wager", "words"),
    [
        ("red@1", {"bankroll": 60, "target": 90, "rounds": 1500}),
        ("red@1", {"bankroll": 40, "rounds": 1001}),
        ("dozen:1@1", {"bankroll": 200, "target": 260, "stop_loss": 50, "rounds": 999}),
        ("17@1", {"bankroll": 100, "target": 300, "rounds": 700}),
        ("red@1", {"bankroll": 60, "target": 90}),
        ("17@1 + red@2", {"bankroll": 50, "target": 120}),
    ],
)
def test_blocks_of_rounds_equal_single_rounds(
    wager: str, words: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = session(V3, wager, **words)
    with monkeypatch.context() as patch:
        patch.setattr(flat_solver, "_MAXIMUM_NEAR", 0)
        singly = in_floats(result.request, result.rounds_played, patch)

    found = in_floats(result.request, result.rounds_played, monkeypatch)

    assert isinstance(found.survival, module._BlockSurvival)
    assert found.last == singly.last
    assert found.quantile_bounds == singly.quantile_bounds
    for rounds in range(0, found.last + 1, 7):
        ours, other = found.ended(rounds), singly.ended(rounds)
        assert abs(ours.value - other.value) <= ours.error + other.error < 1e-9
    off = found.variance.error + singly.variance.error
    assert abs(found.variance.value - singly.variance.value) <= off
    assert off < singly.variance.value / 10**7 + Fraction(1, 10**7)


def test_blocks_calculate_very_many_rounds() -> None:
    """A walk that never turns back takes 37 rounds for each unit that it loses."""
    result = session(V3, "red@1", bankroll=2_000, target=9_000, rounds=300_000)

    found = result.durations

    assert found.mean.value == pytest.approx(74_000)
    # The variance of a round over the cube of the edge, for each unit to lose.
    assert float(found.variance.value) == pytest.approx(
        2_000 * (1 - 1 / 37**2) * 37**3, rel=1e-6
    )
    median, _ = found.quantile_bounds[Fraction(1, 2)]
    assert 73_000 < median < 74_000


def test_a_session_that_ends_with_the_first_win(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A martingale that can lose nine times: geometric, and cut off at nine."""
    words: dict[str, Any] = {"bankroll": 511, "target": 512, "strategy": "martingale"}
    result = session(V3, "red@1", **words)

    exact = result.durations
    floats = in_floats(result.request, result.rounds_played, monkeypatch)

    for rounds in range(1, exact.last + 1):
        assert exact.ended(rounds).value == 1 - Q**rounds
        found = floats.ended(rounds)
        assert found.least <= 1 - Q**rounds <= found.greatest
    # 1 - q^n reaches 95 % with n = 5.
    assert exact.quantile_bounds[Fraction(19, 20)] == (5, 5)
    assert exact.quantile_bounds[Fraction(1, 2)] == (2, 2)


def test_no_session_ends_before_the_rounds_do() -> None:
    found = session(V3, "red@1", bankroll=50, rounds=20).durations

    assert {*found.quantile_bounds.values()} == {(20, 20)}
    assert found.variance == found.deviation == Figure(Fraction(0))


def test_durations_that_take_too_long_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paroli = session(V3, "red@1", bankroll=50, target=100, strategy="paroli")
    flat = session(V3, "red@1", bankroll=500, target=1000)
    monkeypatch.setattr(module, "_PATIENCE", 0)
    monkeypatch.setattr(module, "_MOST_BLOCK_ROUNDS", 10**4)

    for result in (paroli, flat):
        with pytest.raises(SessionError, match="take too long to calculate"):
            _ = result.durations


def test_a_system_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    result = session(V3, "red@1", bankroll=5, target=10)
    monkeypatch.setattr(module, "most_until_the_end", lambda _: 3)

    with pytest.raises(SessionError, match="choose a nearer target"):
        _ = result.durations


def test_json_has_the_course_and_the_quantiles() -> None:
    result = session(V3, "red@1", bankroll=5, target=10, rounds=30)

    found = result.json(durations=True)["durations"]

    assert "durations" not in result.json()
    assert [each["rounds"] for each in found["ended"]] == list(range(1, 31))
    assert found["ended"][-1]["fraction"] == "1/1"
    assert [each["level"] for each in found["quantiles"]] == [float(x) for x in LEVELS]
    assert found["variance"]["value"] == pytest.approx(found["deviation"]["value"] ** 2)


def test_rounding_takes_no_probability_below_zero_or_above_one() -> None:
    result = session(V3, "red@1", bankroll=100, rounds=1000)

    chances = [result.durations.ended(rounds) for rounds in range(99)]
    chances += result.drawdown.at_least.values()

    assert all(0 <= chance.value <= 1 for chance in chances)
