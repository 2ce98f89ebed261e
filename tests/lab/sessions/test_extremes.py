"""Peak and drawdown, against every path and the books."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.lab.sessions import (
    STRATEGIES,
    Figure,
    SessionError,
    extremes,
    session,
)
from croupier.lab.sessions import extreme_sweep as module
from croupier.lab.sessions.chain import Chain
from croupier.lab.sessions.extreme_sweep import ExtremeSweep
from croupier.lab.sessions.extremes import ExtremeDistribution
from croupier.lab.sessions.flat_drawdowns import FlatDrawdowns
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.result import LEVELS
from croupier.lab.sessions.solver import solve_session
from croupier.lab.sessions.solvers.exact_solver import exact_extremes, mark_drawdown
from tests.lab.sessions.questions import Tree, asked, chain_of, random_requests

V3 = "mbs-roulette-v3"
P, Q = Fraction(18, 37), Fraction(19, 37)
R = Q / P


def holds(figure: Figure, true: Fraction) -> bool:
    return figure.least <= true <= figure.greatest


def drawdown_of(course: list[int]) -> int:
    """The deepest fall below what came before, by its definition."""
    return max(max(course[: place + 1]) - cents for place, cents in enumerate(course))


def assert_same(
    found: ExtremeDistribution, amounts: list[tuple[Fraction, int]]
) -> None:
    chances: dict[int, Fraction] = {}
    for chance, cents in amounts:
        chances[cents] = chances.get(cents, Fraction(0)) + chance
    for cents, figure in found.at_least.items():
        true = sum((c for each, c in chances.items() if each >= cents), Fraction(0))
        assert holds(figure, true), cents
        assert figure.error < Fraction(1, 10**12)
    below = Fraction(0)
    for cents, chance in sorted(chances.items()):
        for level in LEVELS:
            if below < level <= below + chance:
                least, greatest = found.quantile_bounds[level]
                assert least <= cents <= greatest
        below += chance
    assert below == 1


@pytest.mark.parametrize("request_", random_requests(48, 14))
def test_every_path_has_its_peak_and_its_drawdown(
    request_: SessionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = Tree(request_).paths
    drawdowns = [(chance, drawdown_of(course)) for chance, course in paths]
    result = solve_session(request_)

    assert_same(result.peak, [(chance, max(course)) for chance, course in paths])
    assert_same(result.drawdown, drawdowns)
    assert result.drawdown.is_whole
    assert all(figure.is_exact for figure in result.drawdown.at_least.values())
    monkeypatch.setattr(extremes, "QUICK_STEPS", 0)
    assert_same(solve_session(request_).drawdown, drawdowns)
    floats = solve_session(request_, arithmetic="float64")
    assert_same(floats.peak, [(chance, max(course)) for chance, course in paths])


def test_the_peak_of_flat_play_is_ruin_with_a_nearer_target() -> None:
    found = session(V3, "red@1", bankroll=10, target=30).peak

    assert found.is_whole
    assert list(found.at_least) == [100 * cents for cents in range(10, 31)]
    for cents, figure in found.at_least.items():
        reached = (1 - R**10) / (1 - R ** (cents // 100))
        assert figure == Figure(reached)


@pytest.mark.parametrize("rounds", [None, 60])
@pytest.mark.parametrize("name", ["oscars-grind", "fibonacci", "labouchere"])
def test_the_chain_is_compiled_once_for_all_peaks(
    name: str, rounds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sweep finds what a session with each peak as its target finds."""
    words: dict[str, Any] = {"bankroll": 12, "rounds": rounds, "strategy": name}
    result = session(V3, "dozen:1@1", target=24, arithmetic="float64", **words)
    monkeypatch.setattr(extremes, "QUICK_STEPS", 0)
    compiled: list[SessionRequest] = []

    def counted(request: SessionRequest) -> Chain:
        compiled.append(request)
        return chain_of(request)

    monkeypatch.setattr(extremes, "compile_chain", counted)
    monkeypatch.setattr(extremes, "solve_session", lambda *_: pytest.fail("solved"))

    found = result.peak.at_least

    assert len(compiled) == 1
    for cents in range(1300, 2400, 100):
        target = session(V3, "dozen:1@1", target=cents // 100, **words).reached
        apart = abs(found[cents].value - target.value)
        assert apart <= found[cents].error + target.error
        assert found[cents].error < Fraction(1, 10**11)


def test_a_peak_may_lie_beyond_the_target() -> None:
    found = session(V3, "17@1", bankroll=1, target=10).peak

    assert found.at_least[3600] == Figure(Fraction(1, 37))
    assert max(found.at_least) == 3600


def test_the_drawdown_of_a_session_to_a_target_one_unit_away() -> None:
    """From 10 to 11: it falls by d if it loses d units before it has won one."""
    found = session(V3, "red@1", bankroll=10, target=11).drawdown

    for depth in range(1, 11):
        true = 1 - (1 - R**depth) / (1 - R ** (depth + 1))
        assert holds(found.at_least[depth * 100], true)


def test_the_drawdown_of_flat_play_until_it_ends() -> None:
    """From each peak it goes up before it falls so far, up to the target."""
    found = session(V3, "red@1", bankroll=20, target=30).drawdown

    for depth in range(1, 21):
        up = (1 - R**depth) / (1 - R ** (depth + 1))
        true = 1 - up**10
        assert holds(found.at_least[depth * 100], true)
        assert found.at_least[depth * 100].error < Fraction(1, 10**11)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_session_until_its_end_is_the_limit_of_many_rounds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a linear system, and followed for more rounds than it ever takes."""
    monkeypatch.setattr(extremes, "QUICK_STEPS", 0)
    words: dict[str, Any] = {"bankroll": 12, "target": 16, "strategy": name}
    exact = session(V3, "red@1", **words).drawdown
    long = session(V3, "red@1", rounds=1_500, **words).drawdown

    assert exact.is_whole
    for cents, figure in exact.at_least.items():
        other = long.at_least[cents]
        apart = abs(figure.value - other.value)
        assert apart <= figure.error + other.error + Fraction(1, 10**12)
        assert other.error < Fraction(1, 10**9)


def test_a_drawdown_that_takes_too_long_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = session(V3, "red@1", bankroll=30, target=60, rounds=100)
    monkeypatch.setattr(extremes, "QUICK_STEPS", 0)
    monkeypatch.setattr(module, "MOST_STEPS", 700)

    with pytest.raises(SessionError, match="takes too long to calculate: choose"):
        _ = result.drawdown


def test_a_session_of_too_many_bankrolls_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = session(V3, "red@1", bankroll=30, target=60, rounds=100)
    monkeypatch.setattr(extremes, "QUICK_STEPS", 0)
    for bound in ("_MAXIMUM_SIZE", "_MAXIMUM_PLACES", "MOST_STEPS"):
        with monkeypatch.context() as patch:
            patch.setattr(module, bound, 10)
            with pytest.raises(SessionError, match="too long to calculate: choose"):
                _ = result.drawdown
    until_it_ends = session(V3, "red@1", bankroll=30, target=60, strategy="paroli")
    monkeypatch.setattr(module, "_MAXIMUM_SIZE", 10)
    with pytest.raises(SessionError, match="takes too long to calculate: choose"):
        _ = until_it_ends.drawdown


def test_greater_depths_are_followed_again() -> None:
    request = asked(STRATEGIES["paroli"], bankroll=12, target=30, rounds=25)
    chain = chain_of(request)
    true = exact_extremes(chain, 25, mark_drawdown, 10**9)
    assert true is not None
    drawdowns = ExtremeSweep(chain, 25, Fraction(25), of_depths=True)

    for depth in (4, 2, 9, 3, drawdowns.most):
        chance = sum((c for each, c in true.items() if each >= depth), Fraction(0))
        [found] = drawdowns.at_least([depth])
        assert holds(found, chance), depth
        assert found.error < Fraction(1, 10**12)
    assert drawdowns.at_least([drawdowns.most + 1])[0].value == 0


def test_stakes_that_grow_without_limits_have_their_drawdown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All depths at once in fractions, and each followed in float64."""
    result = session(V3, "red@1", bankroll=25, rounds=22, strategy="d-alembert")
    monkeypatch.setattr(extremes, "QUICK_STEPS", 10**9)
    exact = result.drawdown
    monkeypatch.setattr(extremes, "QUICK_STEPS", 0)

    found = solve_session(result.request).drawdown

    assert exact.is_whole
    assert len(found.at_least) > 20
    for cents, figure in found.at_least.items():
        deeper = [each for each in exact.at_least if each >= cents]
        true = exact.at_least[min(deeper)].value if deeper else Fraction(0)
        assert holds(figure, true)
        assert figure.error < Fraction(1, 10**12)
    assert found.quantile_bounds == exact.quantile_bounds


@pytest.mark.parametrize(
    ("game", "wager", "bankroll", "target", "stop_loss"),
    [
        ("mbs-roulette-v3", "red@1", 8, 20, None),
        ("mbs-roulette-v3", "red@1", 20, 24, 15),
        ("mbs-roulette-v3", "dozen:1@1", 9, 15, None),
        ("mbs-roulette-v3", "dozen:1@2 + red@1", 12, 20, None),
        ("mbs-roulette-v3", "red@1 + 17@1 + low@1", 12, 20, 8),
        ("rws-triple-zero", "17@1", 6, 40, None),
        ("mbs-fast-action-v2", "17@1", 6, 60, None),
    ],
)
def test_flat_play_from_peak_to_peak_is_the_whole_system(
    game: str, wager: str, bankroll: int, target: int, stop_loss: int | None
) -> None:
    """The same chain, with every position and every depth at once."""
    request = asked(
        STRATEGIES["flat"], game=game, wager=wager, bankroll=bankroll, target=target,
        rounds=None, stop_loss=stop_loss,
    )  # fmt: skip
    chain = chain_of(request)
    depths = range(1, chain.rows[0].high + 2)

    flat = FlatDrawdowns(chain).at_least(depths)
    longest = solve_session(request).rounds_played.value
    whole = ExtremeSweep(chain, None, longest, of_depths=True).at_least(depths)

    for one, other in zip(flat, whole, strict=True):
        assert abs(one.value - other.value) <= one.error + other.error
        assert one.error < Fraction(1, 10**10)


def test_a_short_session_of_far_jumps_is_calculated_in_fractions() -> None:
    found = session(
        "mbs-fast-action-v2",
        "2@1",
        bankroll=19,
        strategy="labouchere",
        limits=["* 1 19"],
        rounds=8,
        over_maximum="stake-allowed",
        over_bankroll="stop",
    ).drawdown

    assert found.is_whole
    assert all(figure.is_exact for figure in found.at_least.values())


def test_peak_and_drawdown_are_in_the_json_on_demand() -> None:
    result = session(V3, "red@1", bankroll=5, target=10, rounds=30)

    found = result.json(peak=True, drawdown=True)

    assert not {"peak", "drawdown"} & result.json().keys()
    assert found["peak"]["is_whole"]
    assert found["peak"]["at_least"][0] == {
        "peak_cents": 500, "value": 1.0, "error": 0.0, "fraction": "1/1",
    }  # fmt: skip
    assert [each["level"] for each in found["drawdown"]["quantiles"]] == [
        float(level) for level in LEVELS
    ]
    _, _, amounts = result.plot(peak=True, drawdown=True).figure.axes
    assert [line.get_label() for line in amounts.lines] == [
        "bankroll at the end",
        "peak",
        "drawdown",
    ]
