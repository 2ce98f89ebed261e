"""A compiled strategy plays exactly as the rules say, sequence by sequence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.lab.sessions import (
    STRATEGIES,
    SessionError,
    Shortfall,
    StateTable,
    Strategy,
    read_strategy,
    session,
)
from croupier.lab.sessions.progressions import StateRow
from croupier.lab.sessions.request import SessionRequest, read_request
from croupier.lab.sessions.strategy import with_rules
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stream import Dice
from tests.lab.sessions.own_strategies import TABLE, Counting, Plain
from tests.lab.sessions.questions import Tree

RULES = list(Shortfall)


@dataclass(frozen=True)
class InTurn(Dice):
    """Not by chance: the digits of the session's number are its results."""

    ends: tuple[int, ...] = ()

    def outcomes(self, seed: int, session: int) -> Iterator[int]:
        while True:
            session, digit = divmod(session, len(self.ends))
            yield self.ends[digit] - 1


class Every:
    """How a plan's sessions end, in cents, and what they take on average."""

    def __init__(self, plan: SimulationPlan) -> None:
        self.ends: defaultdict[tuple[str, int], Fraction] = defaultdict(Fraction)
        self.rounds = self.staked_units = Fraction(0)
        kinds = len(plan.nets)
        weights = [after - before for before, after in pairwise((0, *plan.ends))]
        plan = replace(plan, dice=InTurn(plan.dice.sides, plan.ends))
        for number in range(kinds**plan.rounds):
            chance = Fraction(1)
            for place in range(plan.rounds):
                weight = weights[number // kinds**place % kinds]
                chance *= Fraction(weight, plan.dice.sides)
            *_, played = course(plan, number)
            cents = played.bankroll * plan.grain_cents
            self.ends[played.end.name.lower(), cents] += chance
            self.rounds += chance * played.rounds
            self.staked_units += chance * played.staked


class Compiled(NamedTuple):
    """A request, and the plan that comes of it."""

    request: SessionRequest
    plan: SimulationPlan


def asked_for(strategy: str | Strategy, wager: str = "red@1", **words: Any) -> Compiled:
    game, numbers = words.pop("game", "mbs-roulette-v3"), {"sessions": 1, "seed": 0}
    numbers |= {key: words.pop(key) for key in list(numbers) if key in words}
    usual: dict[str, Any] = {"bankroll": 10, "rounds": 6}
    request = read_request(game, wager, strategy=strategy, **{**usual, **words})
    return Compiled(request, compile_plan(request, **numbers))


def machine_of(asked: Compiled) -> Machine:
    assert isinstance(asked.plan.machine, Machine)
    return asked.plan.machine


def assert_same_as_the_tree(asked: Compiled) -> None:
    tree, every = Tree(asked.request), Every(asked.plan)

    assert every.ends == tree.ends
    assert every.rounds == tree.rounds
    assert every.staked_units * asked.request.wager.stake_cents == tree.staked_cents


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("limits", [(), ("* 1 4",)], ids=["no limits", "1 to 4"])
@pytest.mark.parametrize("target", [None, 14])
def test_every_strategy_on_an_even_chance(
    name: str, limits: tuple[str, ...], target: int | None
) -> None:
    over = "stake-allowed" if name == "labouchere" and limits else None
    strategy = with_rules(STRATEGIES[name], over, None)

    assert_same_as_the_tree(asked_for(strategy, rounds=9, target=target, limits=limits))


@pytest.mark.parametrize(("over_maximum", "over_bankroll"), [*product(RULES, RULES)])
@pytest.mark.parametrize("name", ["martingale", "d-alembert", "oscars-grind"])
def test_every_rule_for_stakes_that_are_not_allowed(
    name: str, over_maximum: Shortfall, over_bankroll: Shortfall
) -> None:
    assert_same_as_the_tree(
        asked_for(
            name,
            over_maximum=over_maximum,
            over_bankroll=over_bankroll,
            bankroll=7,
            target=12,
            rounds=9,
            limits=("* 1 3",),
        )
    )


@pytest.mark.parametrize(
    ("game", "wager", "bankroll", "target"),
    [
        ("mbs-roulette-v2", "17@1", 5, 60),
        ("mbs-roulette-v3", "dozen:1@2", 9, 20),
        ("mbs-roulette-v3", "17@1 + dozen:2@1", 8, 40),
        ("mbs-roulette-v3", "red@1 + black@1", 6, 9),
        ("mbs-complete-bet-v2", "orphelins@1", 12, 40),
        ("mbs-fast-action-v2", "S@1", 3, 50),
        ("mbs-fast-action-v2", "bonus_win@1", 4, 9),
        ("rws-triple-zero", "grand_series@1", 21, 40),
        ("rws-triple-zero", "green@2", 7, None),
    ],
)
@pytest.mark.parametrize("name", ["flat", "martingale", "paroli", "oscars-grind"])
def test_wagers_of_every_game(
    game: str, wager: str, bankroll: int, target: int | None, name: str
) -> None:
    asked = asked_for(
        name, wager, game=game, bankroll=bankroll, target=target, rounds=4
    )

    assert_same_as_the_tree(asked)


@pytest.mark.parametrize("strategy", [Plain(), Counting(), read_strategy(TABLE)])
def test_strategies_of_ones_own(strategy: Strategy) -> None:
    assert_same_as_the_tree(asked_for(strategy, bankroll=4, target=9, rounds=8))


def test_a_bankroll_that_no_unit_divides() -> None:
    assert_same_as_the_tree(
        asked_for("martingale", "red@3", bankroll=16, target=26, rounds=8)
    )


class ByAmount:
    """What comes next depends on how much was lost."""

    start = (3, 0)

    def stake(self, state: tuple[int, int]) -> int:
        return state[0]

    def after(self, state: tuple[int, int], net: Fraction) -> tuple[int, int]:
        return (1 + abs(int(net)) % 5, (state[1] + int(net)) % 3)


def test_a_stake_that_the_bankroll_cuts_may_lead_elsewhere() -> None:
    asked = asked_for(ByAmount(), bankroll=8, rounds=9)

    machine = machine_of(asked)

    assert max(machine.short) >= len(machine.units)
    assert len(machine.after) > len(machine.units)
    assert_same_as_the_tree(asked)


@pytest.mark.parametrize("name", STRATEGIES)
def test_cut_stakes_need_rows_only_where_the_amount_counts(name: str) -> None:
    asked = asked_for(name, over_bankroll="stake-allowed", bankroll=9, rounds=9)

    by_amount = name in {"oscars-grind", "labouchere"}

    assert (max(machine_of(asked).short) >= 0) == by_amount
    assert_same_as_the_tree(asked)


def test_a_strategy_is_asked_only_about_states_that_can_be_met() -> None:
    class Careful:
        """Fails where two losses of two units are not to be paid for."""

        start = 2

        def stake(self, state: int) -> int:
            assert state >= -2, "met without money"
            return 2

        def after(self, state: int, net: Fraction) -> int:
            return state + int(net)

    asked = asked_for(Careful(), bankroll=4, target=9, rounds=50)

    assert set(machine_of(asked).units) == {2}
    assert len(machine_of(asked).units) == 4


def test_bankrolls_are_bounded_by_what_the_strategy_can_win() -> None:
    asked = asked_for("martingale", bankroll=100, rounds=1000)

    # A unit a round is the most that a martingale wins.
    assert asked.plan.highest == 1100
    assert asked.plan.bin_shift == 0


def test_a_long_session_of_few_states_is_compiled_all_the_same() -> None:
    asked = asked_for("martingale", rounds=1_000_000, limits=("* 1 500",))

    assert machine_of(asked).units == (1, 2, 4, 8, 16, 32, 64, 128, 256)
    assert asked.plan.rounds == 1_000_000


def test_a_long_session_of_many_states_is_compiled_too() -> None:
    asked = asked_for("oscars-grind", bankroll=100, target=200, rounds=1000)

    # A series is up to 200 units down, and stakes what these leave it.
    assert 5_000 < len(machine_of(asked).units) < 20_000
    assert max(machine_of(asked).units) <= 200


def test_a_stop_loss_ends_the_session_where_it_says() -> None:
    asked = asked_for("flat", bankroll=10, stop_loss=3, rounds=9)

    every = Every(asked.plan)

    # The flat stake is lost one by one: it stops with exactly 7.
    stopped = {cents for (end, cents) in every.ends if end == "stopped"}
    assert stopped == {700}
    assert not any(end == "ruined" for end, _ in every.ends)
    loses = Fraction(19, 37)
    assert every.ends["stopped", 700] > loses**3


def test_a_stop_loss_of_everything_is_ruin() -> None:
    bare = asked_for("flat", bankroll=3, rounds=6)
    bound = asked_for("flat", bankroll=3, rounds=6, stop_loss=3)

    assert Every(bare.plan).ends == Every(bound.plan).ends


def test_a_what_if_with_one_result_alone_can_be_drawn() -> None:
    from croupier.games import find_game
    from croupier.odds.what_if import read_what_if

    numbers = "\n".join(f"{number} = 0" for number in range(36))
    model = read_what_if(
        find_game("mbs-roulette-v3"), f"[chances]\n{numbers}\n36 = 1\n"
    )

    asked = asked_for("flat", "36@1", game=model, bankroll=5, rounds=3)

    assert asked.plan.dice.sides == 2
    assert dict(Every(asked.plan).ends) == {("playing", 500 + 3 * 3500): 1}


@pytest.mark.parametrize("stop_loss", [None, 1, 4, 10])
@pytest.mark.parametrize("name", ["fibonacci", "oscars-grind"])
def test_a_small_plan_agrees_with_the_calculated_session(
    name: str, stop_loss: int | None
) -> None:
    words: dict[str, Any] = {"bankroll": 10, "target": 15, "rounds": 10}
    words["stop_loss"] = stop_loss

    every = Every(asked_for(name, **words).plan)
    exact = session("mbs-roulette-v3", "red@1", strategy=name, **words)

    for wanted in ("ruined", "stopped", "reached", "playing"):
        found = sum(c for (end, _), c in every.ends.items() if end == wanted)
        assert found == getattr(exact, wanted).value
    assert every.rounds == exact.rounds_played.value


@st.composite
def machines(draw: st.DrawFn) -> StateTable:
    """Any table of up to four states."""
    names = "abcd"[: draw(st.integers(1, 4))]
    one_of = st.sampled_from(names)
    states = {
        name: StateRow(
            draw(st.integers(1 if name == "a" else 0, 6)),
            *(draw(one_of) for _ in range(3)),
        )
        for name in names
    }
    return StateTable("drawn", "a", states)


class NotBySign:
    """The same table, without the promise that only winning or losing counts."""

    def __init__(self, table: StateTable) -> None:
        self.start, self.stake, self._after = table.start, table.stake, table.after

    def after(self, state: str, net: Fraction) -> str:
        return self._after(state, net if abs(net) > 1 else -net)


@given(
    table=machines(),
    rules=st.tuples(st.sampled_from(RULES), st.sampled_from(RULES)),
    wager=st.sampled_from(["red@1", "17@1 + dozen:2@2", "red@3 + dozen:1@2"]),
    bankroll=st.integers(20, 40),
    target=st.one_of(st.none(), st.integers(41, 60)),
    most=st.sampled_from([None, 18, 24]),
    by_sign=st.booleans(),
)
def test_any_table_under_any_rules(
    table: StateTable,
    rules: tuple[Shortfall, Shortfall],
    wager: str,
    bankroll: int,
    target: int | None,
    most: int | None,
    by_sign: bool,
) -> None:
    strategy: Strategy = table if by_sign else NotBySign(table)

    assert_same_as_the_tree(
        asked_for(
            with_rules(strategy, *rules),
            wager,
            bankroll=bankroll,
            target=target,
            rounds=5,
            limits=() if most is None else (f"* 1 {most}",),
        )
    )


BAD: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 0}, "a session has 1 to 1,000,000 rounds, not '0'"),
    ({"rounds": 1.5}, "a session has 1 to 1,000,000 rounds, not '1.5'"),
    ({"rounds": None, "target": 20}, "a simulation needs a number of rounds"),
    ({"sessions": 0}, "a simulation has 1 to 1,000,000,000,000 sessions, not '0'"),
    ({"sessions": 10**12 + 1}, "a simulation has 1 to"),
    ({"sessions": 2.5}, "not '2.5'"),
    ({"seed": -1}, "a seed is a whole number from 0 to 18446744073709551615"),
    ({"seed": 2**64}, "a seed is a whole number"),
    ({"seed": "abc"}, "a seed is a whole number"),
    ({"stop_loss": 11}, "the stop-loss of 11.00 is above the bankroll of 10.00"),
    ({"target": 9}, "the target of 9.00 is not above the bankroll"),
    ({"bankroll": "0.50"}, "does not pay for red@1"),
    ({"strategy": "labouchere", "bankroll": 4}, "does not pay for the first wager"),
    ({"strategy": "martingail"}, "did you mean martingale?"),
    (
        {"strategy": "labouchere", "limits": ["* 1 4"]},
        "labouchere begins with 5 units, and the table's limits allow 4",
    ),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=str)
def test_what_makes_no_sense_is_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(SessionError) as refused:
        asked_for(words.pop("strategy", "flat"), **words)

    assert said in str(refused.value)


def test_a_strategy_with_too_many_states_is_refused() -> None:
    with pytest.raises(SessionError, match="more than 50,000 states in 60,000 rounds"):
        asked_for(Counting(), bankroll=1_000_000, rounds=60_000)


def test_too_many_stakes_that_the_bankroll_may_cut_are_refused() -> None:
    class Large(ByAmount):
        def stake(self, state: tuple[int, int]) -> int:
            return 1_000_000 + state[0]

    with pytest.raises(SessionError, match="stakes that the bankroll may cut"):
        asked_for(Large(), bankroll=900_000, rounds=90)


def test_bankrolls_beyond_all_bounds_are_refused() -> None:
    with pytest.raises(SessionError, match="too large to be counted"):
        asked_for(
            lambda round_, bankroll, net, units, memory: 1,  # type: ignore[arg-type]
            "17@1",
            bankroll="10.01",
            rounds=1_000_000,
        )


def test_a_class_that_fails_is_told_in_one_sentence() -> None:
    class Failing(Plain):
        def after(self, state: Any, net: Fraction) -> Any:
            raise KeyError("no such state")

    with pytest.raises(SessionError) as refused:
        asked_for(Failing())

    assert str(refused.value) == (
        "the strategy Failing failed in `after`: KeyError: 'no such state'"
    )
