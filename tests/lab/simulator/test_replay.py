"""The seed alone replays a simulation: on any engine, in any chunks, by any workers."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest

from croupier.extras import MissingExtra
from croupier.lab.sessions import SessionError
from croupier.lab.sessions.request import read_request
from croupier.lab.simulator import Simulation, simulate
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.engines import Chunks
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import SessionTally, SimulationPlan

WORDS: dict[str, dict[str, Any]] = {
    "martingale": {"wager": "red@10", "strategy": "martingale", "target": 200},
    "start again": {"wager": "red@5", "strategy": "labouchere", "limits": ["* 5 90"]},
    "cut by the amount": {
        "wager": "red@5",
        "strategy": "oscars-grind",
        "over_bankroll": "stake-allowed",
    },
    "stop-loss": {"wager": "dozen:1@5", "strategy": "d-alembert", "stop_loss": 40},
    "many results": {
        "game": "mbs-fast-action-v2",
        "wager": "17@5 + bonus_win@5",
        "strategy": "paroli",
    },
}


def played(words: dict[str, Any], **more: Any) -> Simulation:
    usual = {"game": "mbs-roulette-v3", "bankroll": 100, "rounds": 30}
    return simulate(**{**usual, "sessions": 700, "seed": 9, **words, **more})


@pytest.mark.parametrize("name", WORDS)
def test_every_engine_and_number_of_workers_gives_the_same_document(name: str) -> None:
    words = WORDS[name]

    documents = {
        json.dumps(played(words, **how).json())
        for how in (
            {"engine": "plain"},
            {"engine": "cpu"},
            {"engine": "cpu", "workers": 1},
            {"engine": "cpu", "workers": 3},
        )
    }

    assert len(documents) == 1


def test_another_seed_gives_other_figures() -> None:
    one, other = (played(WORDS["martingale"], seed=seed) for seed in (1, 2))

    assert not np.array_equal(one.tally.words, other.tally.words)


def test_a_seed_that_was_drawn_is_told_and_replays() -> None:
    drawn = played(WORDS["martingale"], seed=None)
    again = played(WORDS["martingale"], seed=drawn.seed)
    other = played(WORDS["martingale"], seed=None)

    assert again.json() == drawn.json()
    assert other.seed != drawn.seed
    assert 0 <= drawn.seed < 2**48


def test_a_longer_simulation_begins_with_the_sessions_of_a_shorter_one() -> None:
    engine = PlainEngine()
    request = read_request("mbs-roulette-v3", "red@10", bankroll=50, rounds=9)
    long = compile_plan(request, sessions=90, seed=4)

    whole = engine.run(long, 0, 90)
    parts = engine.run(long, 0, 25) + engine.run(long, 25, 1) + engine.run(long, 26, 64)

    assert parts.sessions == whole.sessions == 90
    assert np.array_equal(parts.words, whole.words)
    assert np.array_equal(parts.bins, whole.bins)


def a_plan(sessions: int, rounds: int) -> SimulationPlan:
    request = read_request("mbs-roulette-v3", "red@10", bankroll=50, rounds=rounds)
    return compile_plan(request, sessions=sessions)


@pytest.mark.parametrize("seconds", [0.0, 1e-6, 0.3, 50.0])
def test_chunks_are_all_sessions_each_once(seconds: float) -> None:
    chunks = Chunks(a_plan(30_000, 500))

    taken: list[int] = []
    while chunks.left:
        first, count = chunks.next()
        assert count >= 1
        taken.extend(range(first, first + count))
        chunks.took(count, seconds)

    assert taken == list(range(30_000))


def test_sums_of_many_chunks_do_not_overflow() -> None:
    plan = a_plan(10, 5)
    full = SessionTally(
        2**31, np.full(17, 2**64 - 1, np.uint64), np.zeros(plan.bins, "u8")
    )

    total = sum((full for _ in range(5)), SessionTally.empty(plan))

    assert total.total(0) == 5 * (2**64 - 1) * (1 + 2**32)
    assert total.sessions == 5 * 2**31


def test_progress_is_told_after_each_chunk() -> None:
    told: list[tuple[int, int]] = []

    played(WORDS["martingale"], progress=lambda done, of: told.append((done, of)))

    assert told[-1] == (700, 700)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_an_interrupt_ends_it() -> None:
    def interrupt(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(WORDS["martingale"], progress=interrupt)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            {"engine": "abacus"},
            "there is no engine 'abacus'; there are cpu, gpu, plain",
        ),
        ({"workers": 0}, "at least one worker is needed, not '0'"),
        ({"workers": 0, "cluster": "local"}, "at least one worker is needed"),
        ({"level": 1.0}, "a level of confidence is from 0.5 to less than 1, not '1.0'"),
        ({"level": 0.2}, "a level of confidence"),
        ({"cluster": "tcp://127.0.0.1"}, "there is no cluster at 'tcp://127.0.0.1'"),
    ],
)
def test_what_can_not_be_played_is_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(SessionError) as refused:
        played(WORDS["martingale"], **words)

    assert said in str(refused.value)


def test_without_numba_the_engine_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)

    with pytest.raises(MissingExtra) as refused:
        played(WORDS["martingale"])

    assert str(refused.value) == "this needs numba: pip install 'croupier[simulator]'"


def test_without_distributed_a_cluster_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(MissingExtra, match=r"pip install 'croupier\[cluster\]'"):
        played(WORDS["martingale"], cluster="local")
