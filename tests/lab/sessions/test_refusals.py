"""Sessions that take too long: refused before the work is done, with other ways."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from croupier.lab.sessions import SessionError, chain, exploration, session
from croupier.lab.sessions.chain import _ChainCompiler, compile_chain
from croupier.lab.sessions.exploration import PointBits, StateWalk
from croupier.lab.sessions.request import read_request
from croupier.lab.simulator.compiler import compile_plan

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
def test_what_is_refused_has_not_been_worked_at_for_long(
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
        bits = sum(
            each.points.bits.bit_length()
            for each in walk.found
            if isinstance(each.points, PointBits)
        )
        assert bits // 8 < 2**23


@pytest.mark.parametrize(
    ("game", "wager"),
    [(V3, "17@1"), (V3, "red@1"), ("rws-triple-zero", "17@1"), (V3, "red@1 + 17@1")],
)
def test_points_that_are_copied_count_as_steps(
    game: str, wager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows grow with the rounds: a refusal comes before they are long."""
    copied = 0
    join = PointBits.joined

    def counted(points: PointBits, other: PointBits) -> PointBits:
        nonlocal copied
        joined = join(points, other)
        copied += joined.bits.bit_length()
        return joined

    monkeypatch.setattr(PointBits, "joined", counted)
    request = read_request(game, wager, strategy="paroli", bankroll=100, rounds=100_000)

    with pytest.raises(SessionError, match="too many bankrolls and states"):
        compile_chain(request)

    assert copied < 2 * STEPS * exploration._WIDE


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_given_is_not_advised(words: dict[str, Any]) -> None:
    said = refusal(words)

    assert ("a maximum" in said) == ("limits" not in words)
    assert ("set a target" in said) == ("target" not in words)
    assert ("fewer rounds" in said) == ("rounds" in words)
    assert ("a number of rounds" in said) == ("rounds" not in words)
    assert "come back to states" not in said


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_to_be_simulated_can_be(words: dict[str, Any]) -> None:
    assert "play it with `simulate`" in refusal(words)
    request = read_request(V3, "red@1", **{**words, "rounds": 60})

    plan = compile_plan(request, sessions=10, seed=1)

    assert plan.rounds == 60


def test_a_line_that_can_outgrow_any_bankroll_is_to_be_simulated_too() -> None:
    request = read_request(
        V3, "17@1", strategy="labouchere", bankroll=1000, rounds=1000
    )

    with pytest.raises(SessionError) as reckoned:
        compile_chain(request)

    assert "play it with `simulate`" in str(reckoned.value)
    assert compile_plan(request, sessions=10, seed=1).rounds == 1000


def test_who_is_patient_is_answered_with_the_same_figures() -> None:
    words: dict[str, Any] = {"strategy": "d-alembert", "bankroll": 150, "target": 300}
    assert "wait longer for it" in refusal(words)

    result = session(V3, "red@1", patience=100, **words)

    with pytest.MonkeyPatch.context() as usual:
        usual.setattr(chain, "MOST_STEPS", 1 << 62)
        assert result.reached == session(V3, "red@1", **words).reached


@pytest.mark.parametrize("patience", [0, -1, 1001])
def test_no_other_patience_is_taken(patience: int) -> None:
    with pytest.raises(SessionError, match="whole number from 1 to 1000"):
        session(V3, "red@1", bankroll=9, rounds=9, patience=patience)


def test_who_was_patient_is_not_asked_to_be() -> None:
    words: dict[str, Any] = {"strategy": "labouchere", "bankroll": 1000, "rounds": 500}

    with pytest.raises(SessionError) as refused:
        session(V3, "red@1", patience=2, **words)

    assert "patience" not in str(refused.value)


def test_advice_that_was_taken_is_not_given_again() -> None:
    words: dict[str, Any] = {"strategy": "oscars-grind", "bankroll": 1000}
    steps: list[dict[str, Any]] = [
        {"rounds": 1000},
        {"rounds": 1000, "target": 2000},
        {"rounds": 1000, "target": 2000, "limits": ["* 1 500"]},
    ]

    said = [refusal({**words, **step}) for step in steps]

    for before, after in pairwise(said):
        assert before != after
