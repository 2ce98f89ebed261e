"""Sessions until they end as a linear system: the residual bounds what is off."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.sessions import STRATEGIES, SessionError, session
from croupier.lab.sessions.request import SessionWords
from croupier.lab.sessions.solver import _longest
from croupier.lab.sessions.solvers.exact_solver import solve_by_elimination
from croupier.lab.sessions.solvers.linear_solver import series_order, solve_linear
from croupier.odds import read_what_if
from tests.lab.sessions.questions import asked, assert_within_the_bound, chain_of, quiet

V3 = "mbs-roulette-v3"
SOLVERS = "croupier.lab.sessions.solvers"
SESSIONS = [
    ("flat", "17@1", 9, 145, ()),
    ("flat", "17@1 + dozen:2@1", 30, 75, ()),
    ("martingale", "red@1", 30, 44, ("* 1 16",)),
    ("grand-martingale", "column:1@1", 20, 34, ("* 1 8",)),
    ("d-alembert", "red@1", 17, 30, ("* 1 6",)),
    ("fibonacci", "red@1", 25, 40, ("* 1 13",)),
    ("oscars-grind", "red@1", 12, 20, ()),
    ("1-3-2-6", "red@1", 30, 50, ()),
    ("paroli", "street:1/2/3@1", 12, 60, ()),
    ("labouchere", "red@1", 14, 30, ()),
]


@pytest.mark.parametrize(("name", "wager", "bankroll", "target", "limits"), SESSIONS)
@pytest.mark.parametrize("way", ["as it chooses", "long and narrow", "any chain"])
def test_it_stays_within_its_bound(
    name: str,
    wager: str,
    bankroll: int,
    target: int,
    limits: tuple[str, ...],
    way: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if way != "as it chooses":
        monkeypatch.setattr(f"{SOLVERS}.linear_solver._MOST_BEGINNINGS", 0)
        few = {"long and narrow": 10_000, "any chain": 0}[way]
        monkeypatch.setattr(f"{SOLVERS}.linear_solver._FEW_ROWS", few)
    request = asked(
        STRATEGIES[name],
        wager=wager,
        bankroll=bankroll,
        target=target,
        rounds=None,
        limits=limits,
    )
    chain = chain_of(request)

    solved = solve_linear(chain, _longest(chain, request.wager))

    assert_within_the_bound(request, solve_by_elimination(chain, quiet), solved)
    assert solved.lost_mass < Fraction(1, 10**12)
    assert solved.relative_error < Fraction(1, 10**12)


@pytest.mark.parametrize(
    ("name", "wager", "words"),
    [
        ("oscars-grind", "red@1", {"bankroll": 60, "target": 90}),
        ("oscars-grind", "red@1", {"bankroll": 40, "target": 70, "stop_loss": 25}),
        ("oscars-grind", "red@1", {"bankroll": 40, "target": 60, "limits": "red 1 7"}),
        ("oscars-grind", "dozen:1@1", {"bankroll": 40, "target": 70}),
        ("oscars-grind", "red@1 + dozen:1@1", {"bankroll": 40, "target": 70}),
        ("labouchere", "red@1", {"bankroll": 60, "target": 90}),
        ("martingale", "red@1", {"bankroll": 90, "target": 120}),
        ("flat", "red@1", {"bankroll": 40, "target": 60}),
        *(
            (
                "oscars-grind",
                "red@1",
                {"bankroll": 40, "target": 60, "over_bankroll": rule},
            )
            for rule in ("stake-allowed", "start-again", "stop")
        ),
    ],
)
def test_series_are_factored_whole(
    name: str, wager: str, words: SessionWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They give what the whole system gives, and no other way is asked."""
    words["strategy"] = name
    with monkeypatch.context() as patch:
        patch.setattr(f"{SOLVERS}.linear_solver._MOST_BEGINNINGS", 0)
        whole = session(V3, wager, **words, arithmetic="float64")
    monkeypatch.delattr(f"{SOLVERS}.linear_solver.spilu")

    found = session(V3, wager, **words, arithmetic="float64")

    for figure in ("reached", "ruined", "rounds_played", "staked_cents"):
        one, other = getattr(found, figure), getattr(whole, figure)
        assert abs(one.value - other.value) <= one.error + other.error
        assert one.error < Fraction(1, 10**5)


@pytest.mark.parametrize("limit", ["_MOST_BEGINNINGS", "_MOST_FILL"])
def test_series_that_would_fill_too_much_are_not_factored_whole(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = chain_of(
        asked(STRATEGIES["oscars-grind"], bankroll=12, target=20, rounds=None)
    )
    assert series_order(chain) is not None

    monkeypatch.setattr(f"{SOLVERS}.linear_solver.{limit}", 0)

    assert series_order(chain) is None


@pytest.mark.parametrize("name", ["d-alembert", "fibonacci"])
def test_a_state_met_after_different_results_belongs_to_no_series(name: str) -> None:
    chain = chain_of(asked(STRATEGIES[name], bankroll=17, target=30, rounds=None))

    assert series_order(chain) is None


def test_a_favourable_game_is_bounded_too() -> None:
    model = read_what_if(V3, "[pays]\nred = 2\n")
    words: SessionWords = {"bankroll": 5, "target": 12, "strategy": "martingale"}

    exact = session(model, "red@1", **words)
    floats = session(model, "red@1", **words, arithmetic="float64")

    for name in ("reached", "ruined", "rounds_played", "staked_cents"):
        true, found = getattr(exact, name), getattr(floats, name)
        assert abs(true.value - found.value) <= found.error < Fraction(1, 10**6)


def test_sessions_without_a_bound_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = f"{SOLVERS}.linear_solver"
    monkeypatch.setattr(f"{SOLVERS}.linear_solver._MOST_BEGINNINGS", 0)
    monkeypatch.setattr(f"{module}.gmres", lambda _, costs, **_given: (0 * costs, 1))

    with pytest.raises(SessionError, match="too long until it ends"):
        session(V3, "red@1", bankroll=30, target=60, arithmetic="float64")
