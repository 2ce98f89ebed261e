"""Strategies that choose their wagers: held against the rules, and compiled."""

from __future__ import annotations

import subprocess
import sys
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from croupier import session as exact_session
from croupier.lab.sessions import SessionError
from croupier.lab.simulator import Seat, area_codes, number_codes, play_strategy
from croupier.lab.simulator.own.plan import OwnPlan, read_plan
from croupier.lab.simulator.plain import PlainEngine, course
from croupier.lab.simulator.session_records import COLUMNS
from croupier.odds import odds_of
from croupier.odds.model import Model, model_of
from croupier.rules.clause import WagerRefused
from croupier.rules.notation import NotationError
from croupier.transcript import PracticeTable
from tests.cli.running import run_here
from tests.lab.simulator.own.strategies import (
    FAST,
    FIRST,
    GAMES,
    LIMITED,
    RED,
    SEATS,
    TRIPLE,
    USUAL,
    V3,
    ZERO,
    chasing,
    growing,
    streaks,
    wandering,
)


def cases(plan: OwnPlan, count: int) -> list[int]:
    """The first cases that come up in the first session, by their places."""
    outcomes = islice(plan.dice.outcomes(plan.seed, 0), count)
    return [bisect_right(plan.ends, outcome) for outcome in outcomes]


def record(plan: OwnPlan, session: int = 0) -> dict[str, int]:
    into = np.zeros((len(COLUMNS), 1), np.int64)
    PlainEngine().record(plan, session, into)
    return dict(zip(COLUMNS, into[:, 0].tolist(), strict=True))


def plan_of(choose: Any, game: str | Model = V3, **words: Any) -> OwnPlan:
    usual = {"bankroll": 100, "rounds": 60, "sessions": 40, "seed": 3}
    more = {"target": None, "stop_loss": None}
    return read_plan(game, choose, **{**usual, **more, **words})


@pytest.mark.parametrize("game", GAMES)
def test_rounds_bring_what_the_rules_settle(game: str) -> None:
    names, codes = list(area_codes(game)), number_codes(game)
    seen: list[tuple[int, int, list[tuple[str, int]], int]] = []
    choose = wandering(len(names))

    def watched(seat: Seat) -> None:
        choose(seat)
        laid = [
            (names[seat.areas[wager]], seat.cents[wager])
            for wager in range(seat.wagers)
        ]
        seen.append((seat.bankroll_cents, seat.net_cents, laid, seat.outcome(1)))

    plan = plan_of(watched, game, bankroll=10_000, rounds=25)
    record(plan)

    table, bankroll = PracticeTable(game), 1_000_000
    drawn = [plan.cases[case].outcome for case in cases(plan, 25)]
    rounds = zip(drawn, pairwise(seen), strict=True)
    for outcome, ((before, _, laid, _), (after, net, _, last)) in rounds:
        assert before == bankroll
        table.place_your_bets()
        for name, cents in laid:
            place = table.lay if game == FAST else table.place
            place("Anna", name, f"{cents // 100}")
        table.spin()
        table.no_more_bets()
        if outcome.bonus_numbers:
            table.act(f"RNG: bonus numbers {' '.join(sorted(outcome.bonus_numbers))}")
        table.outcome(outcome.winning_number)
        settled = table.settle()
        pieces = [piece for wager in settled for piece in wager.pieces]
        won = sum(piece.paid_cents - piece.collected_cents for piece in pieces)
        bankroll += won
        assert (after, net) == (bankroll, won)
        assert last == codes[outcome.winning_number]


def test_the_limits_are_those_of_the_rules() -> None:
    """Where the document has what is outside them refused as it is placed (A11)."""
    limits = ["* 2 9", "straight_up 1 3"]
    names = list(area_codes(TRIPLE))
    choose = wandering(len(names))
    said: list[tuple[str, int, bool]] = []

    class Watched:
        """A seat at which what is laid, and the answer, are written down."""

        def __init__(self, seat: Seat) -> None:
            self.seat = seat

        def __getattr__(self, name: str) -> Any:
            return getattr(self.seat, name)

        def lay(self, area: int, cents: int) -> None:
            twice = [self.seat.lay(area, cents) for _ in range(2)]
            said.extend((names[area], cents, is_laid) for is_laid in twice)

    def watched(seat: Seat) -> None:
        table = PracticeTable(TRIPLE, limits=limits)
        table.place_your_bets()
        said.clear()
        choose(cast("Seat", Watched(seat)))
        for name, cents, is_laid in said:
            if is_laid:
                table.place("Anna", name, f"{cents // 100}")
            else:
                with pytest.raises(WagerRefused):
                    table.place("Anna", name, f"{cents // 100}")
        answers.extend(is_laid for _, _, is_laid in said)

    answers: list[bool] = []
    plan = plan_of(watched, TRIPLE, bankroll=10_000, rounds=60, limits=limits)
    record(plan)

    assert min(answers.count(True), answers.count(False)) > 20


def test_the_most_on_an_area_is_also_that_of_the_house() -> None:
    settings = ["area_maximum red 4", "area_maximum * 6"]
    plan = plan_of(growing, TRIPLE, limits=["* 2 9"], settings=settings)

    red, dozen = (area_codes(TRIPLE)[name] for name in ("red", "dozen:1"))

    assert (plan.least[red], plan.most[red]) == (200, 400)
    assert (plan.least[dozen], plan.most[dozen]) == (200, 600)


@pytest.mark.parametrize(("game", "choose", "words"), SEATS)
def test_compiled_sessions_are_the_plain_ones(
    game: str, choose: Callable[[Seat], None], words: dict[str, Any]
) -> None:
    asked = {**USUAL, "sessions": 150, **words}

    compiled = play_strategy(game, choose, **asked)
    plain = play_strategy(game, choose, engine="plain", **asked)

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
    drawn = cases(plan, 2_000)
    compiled = play_strategy(model, zeros, **asked)
    plain = play_strategy(model, zeros, engine="plain", **asked)

    assert abs(drawn.count(0) / 2_000 - 5 / 41) < 0.03
    assert np.array_equal(compiled.records.columns, plain.records.columns)


def test_records_are_those_of_the_course() -> None:
    bankrolls: list[int] = []

    def watched(seat: Seat) -> None:
        bankrolls.append(seat.bankroll_cents)
        streaks(seat)

    plan = plan_of(watched)
    for session in range(20):
        bankrolls.clear()
        found = record(plan, session)
        # The strategy is not asked where the bankroll has ended the session.
        seen = [*bankrolls, found["bankroll_cents"]]
        peaks = np.maximum.accumulate(seen)
        below = peaks - seen
        longest = run = 0
        for depth in below[: found["rounds"] + 1]:
            run = run + 1 if depth > 0 else 0
            longest = max(longest, run)
        assert found["peak_cents"] == peaks[-1]
        assert found["low_cents"] == min(seen)
        assert found["drawdown_cents"] == max(below)
        assert found["drawdown_rounds"] == longest


def test_a_course_is_the_bankroll_round_by_round() -> None:
    plan = plan_of(streaks, target=102, stop_loss=30)

    for session in range(20):
        found = record(plan, session)
        cents = [step.bankroll for step in course(plan, session)]

        assert len(cents) == found["rounds"] + 1
        assert (cents[0], cents[-1]) == (10_000, found["bankroll_cents"])
        assert (max(cents), min(cents)) == (found["peak_cents"], found["low_cents"])


def test_sessions_are_drawn_with_all_their_ends() -> None:
    played = play_strategy(
        V3, streaks, bankroll=100, target=110, stop_loss=9, engine="plain", **FEW
    )

    courses, ends = played.plot().figure.axes

    assert len(courses.lines) == 30 + 2
    assert courses.get_legend_handles_labels()[1][-1] == "the first 30 sessions"
    bars: list[Any] = list(ends.patches)
    assert sum(bar.get_height() for bar in bars) == pytest.approx(100)
    assert played.plot()._repr_svg_().startswith("<?xml")


def test_net_result_and_return_have_intervals() -> None:
    flat: dict[str, Any] = {"bankroll": 100, "rounds": 30, "sessions": 400}

    def on_red(seat: Seat) -> None:
        seat.lay(RED, 1000)

    exact = exact_session(V3, "red@10", bankroll=100, rounds=30)
    inside = 0
    for seed in range(40):
        played = play_strategy(V3, on_red, seed=seed, engine="plain", **flat)
        net, staked, rate = played.net_cents, played.staked_cents, played.return_rate
        assert rate is not None
        assert rate.exact is not None
        assert rate.exact.value == Fraction(-1, 37)
        assert rate.is_inside
        inside += net.low <= float(exact.net_cents) <= net.high
        assert staked.low <= float(exact.staked_cents) <= staked.high
        assert net.high - net.low < 4_000
        assert staked.high - staked.low < 200_000
    assert inside >= 39


def test_the_return_lies_between_the_edges_of_the_areas() -> None:
    game = "mbs-fast-action-v2"
    codes = area_codes(game)

    def mixed(seat: Seat) -> None:
        seat.lay(codes["straight_up:17"], 100)
        seat.lay(codes["bonus_win"], 300)

    played = play_strategy(
        game, mixed, bankroll=500, rounds=50, sessions=300, seed=1, engine="plain"
    )

    edges, rate = played.plan.edges, played.return_rate
    assert rate is not None
    assert rate.exact is None
    mix = -(edges[codes["straight_up:17"]] + 3 * edges[codes["bonus_win"]]) / 4
    assert rate.low <= mix <= rate.high
    assert -max(edges) <= rate.high
    document = played.json()
    assert document["return"]["low"] == rate.low
    assert document["net_cents"]["high"] == played.net_cents.high


def test_without_a_stake_there_is_no_return() -> None:
    played = play_strategy(
        V3, Seat.leave, bankroll=5, rounds=5, sessions=9, seed=1, engine="plain"
    )

    assert played.return_rate is None
    assert played.json()["return"] is None
    assert "of what is staked" not in str(played)


def test_the_house_keeps_its_edge_of_what_is_staked() -> None:
    played = play_strategy(
        V3, streaks, bankroll=100, rounds=60, sessions=20_000, seed=11
    )

    staked, ends = (
        played.records.column(name).mean()
        for name in ("staked_cents", "bankroll_cents")
    )
    net = ends - 10_000
    deviation = float(played.records.column("bankroll_cents").std()) / 20_000**0.5
    assert abs(net + staked / 37) < 4 * deviation
    every = (played.ruined, played.reached, played.stopped, played.playing)
    assert sum(each.value for each in every) == pytest.approx(1)


def test_records_are_a_frame_of_a_row_each() -> None:
    played = play_strategy(
        V3, streaks, bankroll=100, rounds=9, sessions=50, seed=1, engine="plain"
    )

    frame = played.records.to_frame()

    assert frame.columns == ["session", *COLUMNS]
    assert frame.height == played.records.arrow().num_rows == 50
    assert set(frame["end"].to_list()) <= {"ruined", "reached", "stopped", "playing"}
    assert frame["rounds"].sum() == played.spins


FEW: dict[str, Any] = {"rounds": 50, "sessions": 30, "seed": 4}


def half_a_cent(seat: Seat) -> None:
    seat.lay(RED, 0.5)  # type: ignore[arg-type]


def nowhere(seat: Seat) -> None:
    seat.lay(500, 100)


def by_chance(seat: Seat) -> None:
    seat.lay(Random(seat.round).choice([RED, FIRST]), 100)


@pytest.mark.parametrize(
    ("choose", "words", "said"),
    [
        (half_a_cent, {}, "half_a_cent failed: TypeError"),
        (nowhere, {}, "there is no such area: take its code from area_codes"),
        (by_chance, {}, "can't be compiled: .*; the engine plain plays it as it is"),
        (growing, {"engine": "abacus"}, "there are cpu, gpu, plain"),
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
    said = "import sys, croupier.lab.simulator; sys.exit('pyarrow' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", said], check=False)

    assert done.returncode == 0


def test_money_is_no_float() -> None:
    with pytest.raises(NotationError, match="float"):
        play_strategy(V3, growing, bankroll=100.5, rounds=9)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["bonus_win", "scatter_bonus", "straight_up:17"])
def test_bonus_numbers_come_as_often_as_the_odds_say(name: str) -> None:
    area, odds = area_codes(FAST)[name], odds_of(FAST, name)

    def always(seat: Seat) -> None:
        seat.lay(area, 100)

    played = play_strategy(
        FAST, always, bankroll=100_000, rounds=50, sessions=4_000, seed=5
    )

    spins = played.spins
    ends = played.records.column("bankroll_cents")
    net = (ends - 10_000_000).sum() / 100
    assert spins == 200_000
    assert abs(net / spins - odds.mean) < 4 * odds.standard_deviation / spins**0.5


def test_limits_keep_stakes_within_them() -> None:
    played = play_strategy(
        V3, chasing, bankroll=100, sessions=200, seed=2, engine="plain", **LIMITED
    )

    staked, rounds = (
        played.records.column(each) for each in ("staked_cents", "rounds")
    )
    assert staked.sum() > 0
    assert (staked <= rounds * (800 + 300)).all()
    assert "Limits: * 1.00 8.00; straight_up 1.00 5.00. What they forbid" in str(played)
    assert played.json()["limits"] == ["* 1.00 8.00", "straight_up 1.00 5.00"]
    with pytest.raises(NotationError):
        play_strategy(V3, chasing, bankroll=100, rounds=9, limits=["red 1"])


FILE = """
from croupier.lab.simulator import area_codes

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
    records, plot = tmp_path / "r.csv", tmp_path / "p.svg"

    told = run_here(
        *words, *strategy, "--seed", "1", "--records", records, "--plot", plot
    )
    document = run_here(*words, *strategy, "--seed", "1", "--json").json()

    assert told.code == 0
    assert "deepest drawdown, 95% quantile" in told.stdout
    assert len(records.read_text("utf-8").splitlines()) == 31
    assert "doubling, from 50.00, 20 rounds, 30 sessions" in plot.read_text("utf-8")
    assert document["quantiles"]["drawdown_rounds"][0]["level"] == 0.05
    limited = run_here(*words, *strategy, "--seed", "1", "--limits", "* 1 1", "--json")
    assert limited.json()["limits"] == ["* 1.00 1.00"]
    assert limited.json()["means"]["staked_cents"] < document["means"]["staked_cents"]
    refused = {
        ("--strategy", "martingale"): "name a wager with its stake",
        (*strategy, "--chip", "5"): "--chip goes with a --wager",
        ("--strategy", f"{tmp_path / 'mine.py'}:States"): "not a function of a seat",
        (*strategy, "--records", "r.txt"): "must end in .parquet or .csv",
    }
    for more, said in refused.items():
        ran = run_here(*words, *more)
        assert (ran.code, ran.stdout) == (2, "")
        assert said in ran.stderr
