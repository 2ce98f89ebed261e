"""Sessions until they end as a linear system: the residual bounds what is off."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.odds import read_what_if
from croupier.odds.sessions import STRATEGIES, SessionError, session
from croupier.odds.sessions.request import SessionWords
from croupier.odds.sessions.solver import _longest
from croupier.odds.sessions.solvers.exact_solver import solve_absorbing
from croupier.odds.sessions.solvers.linear_solver import solve_linear
from tests.odds.sessions.questions import asked, chain_of, quiet
from tests.odds.sessions.solvers.test_float_solver import assert_within_the_bound

V3 = "mbs-roulette-v3"
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
@pytest.mark.parametrize("apart", [False, True])
def test_it_stays_within_its_bound(
    name: str,
    wager: str,
    bankroll: int,
    target: int,
    limits: tuple[str, ...],
    *,
    apart: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if apart:  # as if there were many rows, and all of them hubs but a few
        for limit, value in (("_FEW_ROWS", 0), ("_HUB", 3)):
            monkeypatch.setattr(
                f"croupier.odds.sessions.solvers.linear_solver.{limit}", value
            )
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

    assert_within_the_bound(request, solve_absorbing(chain, quiet), solved)
    assert solved.lost_mass < Fraction(1, 10**12)
    assert solved.relative_error < Fraction(1, 10**12)


def test_series_that_begin_anew_fall_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oscar's grind and Labouchère are solved in an order that serves all bankrolls."""
    monkeypatch.setattr("croupier.odds.sessions.solvers.linear_solver._FEW_ROWS", 0)
    for name in ("oscars-grind", "labouchere"):
        request = asked(STRATEGIES[name], bankroll=60, target=90, rounds=None)
        chain = chain_of(request)

        solved = solve_linear(chain, _longest(chain, request.wager))

        chances = [chance for ends in solved.ended.values() for chance in ends.values()]
        assert (
            abs(sum(chances, Fraction(-1)))
            <= 2 * solved.relative_error + solved.lost_mass
        )


def test_a_favourable_game_is_bounded_too() -> None:
    model = read_what_if(V3, "[pays]\nred = 2\n")
    words: SessionWords = {"bankroll": 5, "target": 12, "strategy": "martingale"}

    exact = session(model, "red@1", **words)
    floats = session(model, "red@1", **words, arithmetic="float64")

    for name in ("reached", "ruined", "rounds_played", "staked_cents"):
        true, found = getattr(exact, name), getattr(floats, name)
        assert abs(true.value - found.value) <= found.error < Fraction(1, 10**6)


def test_what_can_not_be_bounded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "croupier.odds.sessions.solvers.linear_solver"
    monkeypatch.setattr(f"{module}._ROUNDS_OF_GMRES", 0)
    monkeypatch.setattr(f"{module}._DROPPED", 1.0)

    with pytest.raises(SessionError, match="too long until it ends"):
        session(V3, "red@1", bankroll=30, target=60, arithmetic="float64")
