"""Strategies of the user's own: functions, classes, files, and mistakes in them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier.lab.sessions import SessionError
from croupier.lab.simulator import Simulation, load_own, simulate

FILE = '''
from __future__ import annotations
from dataclasses import dataclass

TRIPLE = 3


def tripling(round, bankroll, net, units, memory):
    """Three times as much after a loss."""
    return units * TRIPLE if net < 0 else 1


def counting(round, bankroll, net, units, memory):
    """Leaves the table after three losses."""
    if net < 0:
        memory[0] += 1
    return 0 if memory[0] == 3 else 1


@dataclass(frozen=True)
class TwoStep:
    name: str = "two-step"
    start: int = 1

    def stake(self, state):
        return state

    def after(self, state, net):
        return 2 if net < 0 and state == 1 else 1


class Demanding:
    def __init__(self, what):
        self.what = what


mine = TwoStep("mine")
number = 5


def failing(round, bankroll, net, units, memory):
    return 1 if round < 200 else 1 // 0


def fraction(round, bankroll, net, units, memory):
    return 1 if round < 3 else 1.5


def nothing(round, bankroll, net, units, memory):
    return 0


def few(round, bankroll):
    return 1
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def played(strategy: Any, **more: Any) -> Simulation:
    usual = {"bankroll": 60, "rounds": 20, "sessions": 300, "seed": 3}
    return simulate("mbs-roulette-v3", "red@1", strategy=strategy, **{**usual, **more})


def doubling(round_: int, bankroll: int, net: int, units: int, memory: object) -> int:
    return 2 * units if net < 0 else 1


@pytest.mark.parametrize("target", [None, 70])
def test_a_function_that_doubles_is_a_martingale(target: int | None) -> None:
    words = {"over_maximum": "stake-allowed", "limits": ["* 1 16"], "target": target}

    mine, known = played(doubling, **words), played("martingale", **words)

    assert mine.strategy == "doubling"
    assert np.array_equal(mine.tally.words, known.tally.words)
    assert mine.histogram.cents.tolist() == known.histogram.cents.tolist()


def test_a_function_has_no_exact_answer_but_the_edge() -> None:
    found = played(doubling, limits=["* 1 16"])

    assert found.exact is None
    assert found.beside.why_not == "a function has no states to calculate with"
    assert float(found.return_rate.exact or 0) == pytest.approx(-1 / 37)
    assert found.return_rate.is_inside


def test_a_function_may_keep_numbers(file: Path) -> None:
    found = played(load_own(f"{file}:counting"))

    rounds = found.tally.total(0) / 300
    # Three losses, of which each takes 37/19 rounds.
    assert found.stopped.value > 0.99
    assert 3 * 37 / 19 - 1 < rounds < 3 * 37 / 19 + 1


def test_a_function_from_a_file_sees_what_the_file_has(file: Path) -> None:
    found = played(load_own(f"{file}:tripling"), over_bankroll="stop")

    assert found.strategy == "tripling"
    assert found.stopped.value > 0
    assert found.json()["over_bankroll"] == "stop"


@pytest.mark.parametrize(("what", "name"), [("TwoStep", "two-step"), ("mine", "mine")])
def test_a_class_or_an_object_from_a_file_is_a_strategy(
    file: Path, what: str, name: str
) -> None:
    found = played(load_own(f"{file}:{what}"))

    assert found.strategy == name
    assert found.exact is not None
    assert found.exact.strategy == name


@pytest.mark.parametrize("engine", ["plain", "cpu"])
def test_an_error_in_a_late_round_is_told_in_one_sentence(
    file: Path, engine: str
) -> None:
    with pytest.raises(SessionError, match="failing failed: ZeroDivisionError"):
        played(load_own(f"{file}:failing"), bankroll=900, rounds=300, engine=engine)


def breaking(round_: int, bankroll: int, net: int, units: int, memory: object) -> int:
    raise ValueError("not\ntoday")


def lavish(_round: int, _bankroll: int, _net: int, _units: int, _memory: object) -> int:
    return 10**6


BAD: list[tuple[Callable[..., Any] | str, dict[str, Any], str]] = [
    (
        lavish,
        {"over_bankroll": "stop"},
        "lavish asks at the start for more than is allowed, and stops there",
    ),
    ("fraction", {}, "fraction must return a whole number of units, not 1.5"),
    ("nothing", {}, "nothing stakes nothing at the start"),
    ("few", {}, "few must take five arguments: round, bankroll, net, units, memory"),
    (breaking, {}, "breaking failed: ValueError: not today"),
    (lambda *_: True, {}, "must take five arguments"),
    (
        doubling,
        {"over_bankroll": "start-again"},
        "doubling is a function, and has no first state to start again from",
    ),
    (doubling, {"over_maximum": "start-again"}, "choose stake-allowed or stop"),
]


@pytest.mark.parametrize(("function", "words", "said"), BAD)
def test_a_function_that_makes_no_sense_is_refused(
    function: Any, words: dict[str, Any], said: str, file: Path
) -> None:
    own = load_own(f"{file}:{function}") if isinstance(function, str) else function

    with pytest.raises(SessionError) as refused:
        played(own, **words)

    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{file}", "does not say what to take from the file: write FILE.py:NAME"),
        ("{file}:triplin", "did you mean tripling?"),
        ("{file}:number", "is not a strategy: it must be a function, or have start"),
        ("{file}:Demanding", "can't be made: TypeError"),
        ("{file}x.py:f", "x.py: there is no such file"),
    ],
)
def test_what_a_file_does_not_have_is_told(text: str, said: str, file: Path) -> None:
    with pytest.raises(SessionError) as refused:
        load_own(text.format(file=file))

    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:\n", "SyntaxError"),
        ("import no_such_thing\n", "ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
    ],
)
def test_a_file_that_can_not_be_run_is_told(
    text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)

    with pytest.raises(SessionError) as refused:
        load_own(f"{path}:f")

    assert f"{path}: " in str(refused.value)
    assert said in str(refused.value)


def test_a_strategy_by_name_loads_nothing_of_own_strategies() -> None:
    code = (
        "import sys, croupier\n"
        "played = croupier.simulate('mbs-roulette-v3', 'red@1', bankroll=9, rounds=9,\n"
        "    sessions=9, seed=1, strategy='martingale')\n"
        "str(played), played.json(extremes=True)\n"
        "print([name for name in sys.modules if 'simulator.own' in name\n"
        "    or name.endswith(('own_loops', 'cluster'))])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"
