"""Strategies that choose their wagers: held against the rules, and compiled."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.odds.model import Model, model_of
from croupier.odds.sessions import SessionError
from croupier.rules.notation import NotationError
from croupier.simulator import Seat, area_codes, number_codes, play_strategy
from croupier.simulator.own.plain import PlainTable, outcomes
from croupier.simulator.own.plan import OwnPlan, read_plan
from croupier.simulator.plan import SessionEnd
from croupier.simulator.session_records import COLUMNS
from croupier.transcript import PracticeTable
from tests.cli.running import run_here

V3 = "mbs-roulette-v3"
PLAIN_GAMES = ("mbs-roulette-v2", V3, "mbs-complete-bet-v2", "rws-triple-zero")
AREAS = area_codes(V3)
RED, FIRST, ZERO = AREAS["red"], AREAS["dozen:1"], AREAS["straight_up:0"]


def streaks(seat: Seat) -> None:
    """After two reds five on a dozen and one on 0; else red, more after a loss."""
    if seat.came(RED, 1) and seat.came(RED, 2):
        seat.lay(FIRST, 500)
        seat.lay(ZERO, 100)
    elif seat.net_cents < 0:
        seat.memory[0] += 1
        seat.lay(RED, 100 + 100 * (seat.memory[0] % 3))
    elif seat.outcome(5) != 17:
        seat.lay(RED, 100)
    if seat.memory[0] == 40 and seat.bankroll_cents > 9_000:
        seat.leave()


def wandering(areas: int) -> Callable[[Seat], None]:
    """Return a strategy that lays on areas by a congruence of its own."""

    def choose(seat: Seat) -> None:
        drawn = 7_919 * (seat.round + 1) + max(seat.outcome(1), 0)
        for wager in range(drawn % 5):
            drawn = (1_103_515_245 * drawn + 12_345 + wager) % 2**31
            seat.lay(drawn // 7 % areas, 100 * (1 + drawn % 9))

    return choose


def plan_of(choose: Any, game: str | Model = V3, **words: Any) -> OwnPlan:
    usual = {"bankroll": 100, "rounds": 60, "sessions": 40, "seed": 3}
    more = {"target": None, "stop_loss": None}
    return read_plan(game, choose, **{**usual, **more, **words})


@pytest.mark.parametrize("game", PLAIN_GAMES)
def test_rounds_bring_what_the_rules_settle(game: str) -> None:
    names, numbers = list(area_codes(game)), list(number_codes(game))
    seen: list[tuple[int, int, list[tuple[str, int]]]] = []
    choose = wandering(len(names))

    def watched(seat: Seat) -> None:
        choose(seat)
        laid = [
            (names[seat.areas[wager]], seat.cents[wager])
            for wager in range(seat.wagers)
        ]
        seen.append((seat.bankroll_cents, seat.net_cents, laid))

    plan = plan_of(watched, game, bankroll=10_000, rounds=25)
    PlainTable(plan).record(0)

    table, bankroll = PracticeTable(game), 1_000_000
    drawn = [numbers[code] for code in islice(outcomes(plan, 0), 25)]
    rounds = zip(drawn, pairwise(seen), strict=True)
    for number, ((before, _, laid), (after, net, _)) in rounds:
        assert before == bankroll
        table.place_your_bets()
        for name, cents in laid:
            table.place("Anna", name, f"{cents // 100}")
        table.spin()
        table.no_more_bets()
        table.outcome(number)
        settled = table.settle()
        pieces = [piece for wager in settled for piece in wager.pieces]
        won = sum(piece.paid_cents - piece.collected_cents for piece in pieces)
        bankroll += won
        assert (after, net) == (bankroll, won)


@pytest.mark.parametrize(
    "words", [{}, {"target": 110}, {"stop_loss": 30, "rounds": 200}]
)
def test_compiled_sessions_are_the_plain_ones(words: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"bankroll": 100, "rounds": 80, "sessions": 150, "seed": 7}
    asked |= words

    compiled = play_strategy(V3, streaks, **asked)
    plain = play_strategy(V3, streaks, engine="plain", **asked)

    assert np.array_equal(compiled.records.columns, plain.records.columns)
    assert compiled.json() == plain.json()
    assert str(compiled) == str(plain)


def test_a_wheel_with_other_chances_is_drawn_by_them() -> None:
    game = model_of(V3).game
    weights = {number: 5 if number == "0" else 1 for number in game.numbers}
    model = Model(game, weights, changes=("0 is five times as likely",))
    asked: dict[str, Any] = {"bankroll": 100, "rounds": 50, "sessions": 40, "seed": 1}

    def zeros(seat: Seat) -> None:
        seat.memory[0] += int(seat.outcome(1) == 0)
        seat.lay(ZERO, 1)

    plan = plan_of(zeros, model, rounds=2_000)
    drawn = list(islice(outcomes(plan, 0), 2_000))
    compiled = play_strategy(model, zeros, **asked)
    plain = play_strategy(model, zeros, engine="plain", **asked)

    assert abs(drawn.count(0) / 2_000 - 5 / 41) < 0.03
    assert np.array_equal(compiled.records.columns, plain.records.columns)


def test_records_are_those_of_the_course() -> None:
    bankrolls: list[int] = []

    def watched(seat: Seat) -> None:
        bankrolls.append(seat.bankroll_cents)
        streaks(seat)

    table = PlainTable(plan_of(watched))
    for session in range(20):
        bankrolls.clear()
        found = dict(zip(COLUMNS, table.record(session), strict=True))
        # The strategy is not asked where the bankroll has ended the session.
        course = [*bankrolls, found["bankroll_cents"]]
        peaks = np.maximum.accumulate(course)
        below = peaks - course
        longest = run = 0
        for depth in below[: found["rounds"] + 1]:
            run = run + 1 if depth > 0 else 0
            longest = max(longest, run)
        assert found["peak_cents"] == peaks[-1]
        assert found["low_cents"] == min(course)
        assert found["drawdown_cents"] == max(below)
        assert found["drawdown_rounds"] == longest


def test_the_house_keeps_its_edge_of_what_is_staked() -> None:
    played = play_strategy(
        V3, streaks, bankroll=100, rounds=60, sessions=20_000, seed=11
    )

    net = played.mean("bankroll_cents") - 10_000
    deviation = float(played.records.column("bankroll_cents").std()) / 20_000**0.5
    assert abs(net + played.mean("staked_cents") / 37) < 4 * deviation
    ends = [played.ended(end).value for end in SessionEnd]
    assert sum(ends) == pytest.approx(1)


def test_records_are_a_frame_of_a_row_each() -> None:
    played = play_strategy(
        V3, streaks, bankroll=100, rounds=9, sessions=50, seed=1, engine="plain"
    )

    frame = played.records.polars()

    assert frame.columns == ["session", *COLUMNS]
    assert frame.height == played.records.arrow().num_rows == 50
    assert set(frame["end"].to_list()) <= {"ruined", "reached", "stopped", "playing"}
    assert frame["rounds"].sum() == played.rounds_played


def half_a_cent(seat: Seat) -> None:
    seat.lay(RED, 0.5)  # type: ignore[arg-type]


def nowhere(seat: Seat) -> None:
    seat.lay(500, 100)


def by_chance(seat: Seat) -> None:
    seat.lay(Random(seat.round).choice([RED, FIRST]), 100)


def growing(seat: Seat) -> None:
    seat.lay(RED, max(seat.bankroll_cents // 2, 1))


@pytest.mark.parametrize(
    ("choose", "words", "said"),
    [
        (half_a_cent, {}, "half_a_cent failed: TypeError"),
        (nowhere, {}, "there is no such area: take its code from area_codes"),
        (by_chance, {}, "can't be compiled: .*; the engine plain plays it as it is"),
        (growing, {"engine": "gpu"}, "which the engines cpu and plain play, and not"),
        (growing, {"target": 50}, "is not above the bankroll"),
        (growing, {"rounds": 0}, "a session has 1 to 1,000,000 rounds, not '0'"),
        (growing, {"sessions": 10**8}, "a simulation has 1 to 10,000,000 sessions"),
        (growing, {"seed": -1}, "a seed is a whole number"),
        (growing, {"stop_loss": 500}, "is above the bankroll"),
        ("martingale", {}, "is a function of a seat"),
    ],
)
def test_mistakes_are_one_sentence(
    choose: Any, words: dict[str, Any], said: str
) -> None:
    asked = {"bankroll": 100, "rounds": 9, "sessions": 5, "seed": 1, **words}

    with pytest.raises(SessionError, match=said):
        play_strategy(V3, choose, **asked)


def test_the_simulator_is_imported_without_pyarrow() -> None:
    said = "import sys, croupier.simulator; sys.exit('pyarrow' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", said], check=False)

    assert done.returncode == 0


def test_money_is_no_float() -> None:
    with pytest.raises(NotationError, match="float"):
        play_strategy(V3, growing, bankroll=100.5, rounds=9)  # type: ignore[arg-type]


def test_a_game_with_bonus_numbers_is_refused() -> None:
    with pytest.raises(SessionError, match="draws Bonus Numbers"):
        play_strategy("mbs-fast-action-v2", growing, bankroll=100, rounds=9)


FILE = """
from croupier.simulator import area_codes

RED = area_codes("mbs-roulette-v3")["red"]


def doubling(seat):
    seat.lay(RED, 100 if seat.net_cents >= 0 else 200)


class States:
    start = 1
"""


def test_the_command_plays_a_strategy_that_chooses_its_wagers(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    strategy = ("--strategy", f"{tmp_path / 'mine.py'}:doubling", "--engine", "plain")
    words = ("simulate", V3, "--bankroll", "50", "--rounds", "20", "--sessions", "30")
    records = tmp_path / "r.csv"

    told = run_here(*words, *strategy, "--seed", "1", "--records", records)
    document = run_here(*words, *strategy, "--seed", "1", "--json").json()

    assert told.code == 0
    assert "deepest drawdown, 95% quantile" in told.stdout
    assert len(records.read_text("utf-8").splitlines()) == 31
    assert document["quantiles"]["drawdown_rounds"][0]["level"] == 0.05
    refused = {
        ("--strategy", "martingale"): "name a wager with its stake",
        (*strategy, "--limits", "* 1 9"): "--limits goes with a --wager",
        ("--strategy", f"{tmp_path / 'mine.py'}:States"): "no function of a seat",
        (*strategy, "--records", "r.txt"): "must end in .parquet or .csv",
    }
    for more, said in refused.items():
        ran = run_here(*words, *more)
        assert (ran.code, ran.stdout) == (2, "")
        assert said in ran.stderr
