"""Sessions that take too long: refused before the work is done, with other ways."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.lab.sessions import (
    SessionError,
    chain,
    session,
)
from croupier.lab.sessions.chain import _ChainCompiler, compile_chain
from croupier.lab.sessions.exploration import StateWalk
from croupier.lab.sessions.request import read_request

V3 = "mbs-roulette-v3"
REFUSED: list[dict[str, Any]] = [
    {"strategy": "martingale", "bankroll": 100_000, "target": 200_000},
    {"strategy": "d-alembert", "bankroll": 1000, "target": 2000},
    {"strategy": "d-alembert", "bankroll": 1000, "target": 2000, "rounds": 100_000},
    {"strategy": "oscars-grind", "bankroll": 1000, "rounds": 1000},
    {"strategy": "oscars-grind", "bankroll": 1000, "target": 2000},
    {
        "strategy": "oscars-grind",
        "bankroll": 1000,
        "target": 2000,
        "limits": ["* 1 100"],
    },
    {"strategy": "labouchere", "bankroll": 1000, "rounds": 500, "limits": ["* 1 100"]},
    {"strategy": "fibonacci", "bankroll": 10_000_000, "target": 20_000_000},
    {"strategy": "paroli", "bankroll": 100, "rounds": 100_000},
]


STEPS = 20_000


@pytest.fixture(autouse=True)
def _few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse after fewer steps than the program does, for quick tests."""
    monkeypatch.setattr(chain, "MOST_STEPS", STEPS)
    monkeypatch.setattr(chain, "_FEW_STEPS", STEPS)


def refusal(words: dict[str, Any]) -> str:
    with pytest.raises(SessionError) as refused:
        session(V3, "red@1", **words)
    return str(refused.value)


@pytest.mark.parametrize("words", REFUSED)
def test_long_sessions_are_refused_quickly(
    words: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[StateWalk] = []
    begin = StateWalk.__init__

    def kept(walk: StateWalk, *given: Any) -> None:
        walks.append(walk)
        begin(walk, *given)

    monkeypatch.setattr(StateWalk, "__init__", kept)
    monkeypatch.setattr(_ChainCompiler, "compile", lambda _: pytest.fail("compiled"))

    with pytest.raises(SessionError):
        compile_chain(read_request(V3, "red@1", **words))

    assert walks
    for walk in walks:
        assert walk.steps <= STEPS + 2_000


def test_patience_gives_the_same_figures() -> None:
    words: dict[str, Any] = {"strategy": "d-alembert", "bankroll": 150, "target": 300}
    assert "`patience` allows more time" in refusal(words)

    result = session(V3, "red@1", patience=100, **words)

    with pytest.MonkeyPatch.context() as usual:
        usual.setattr(chain, "MOST_STEPS", 1 << 62)
        assert result.reached == session(V3, "red@1", **words).reached


@pytest.mark.parametrize("patience", [0, -1, 1001, 1.5, "2", True])
def test_other_values_of_patience_are_refused(patience: Any) -> None:
    with pytest.raises(SessionError, match="whole number from 1 to 1000"):
        session(V3, "red@1", bankroll=9, rounds=9, patience=patience)
