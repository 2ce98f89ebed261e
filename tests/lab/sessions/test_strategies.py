"""Each progression stakes as its common definition says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.sessions import (
    STRATEGIES,
    Labouchere,
    SessionError,
    Shortfall,
    find_strategy,
    read_strategy,
)
from croupier.lab.sessions.strategy import (
    with_rules,
)
from tests.lab.sessions.own_strategies import TABLE, Plain

# W, L: an even chance won or lost; -: neither. The stakes are typed from the books.
COURSES = [
    ("flat", "WLLW", [1, 1, 1, 1, 1]),
    ("martingale", "LLLLWLW", [1, 2, 4, 8, 16, 1, 2, 1]),
    ("martingale", "LL-L", [1, 2, 4, 4, 8]),
    ("grand-martingale", "LLLLW", [1, 3, 7, 15, 31, 1]),
    ("paroli", "WWWWL", [1, 2, 4, 1, 2, 1]),
    ("d-alembert", "LLLWWWWL", [1, 2, 3, 4, 3, 2, 1, 1, 2]),
    ("fibonacci", "LLLLLLW", [1, 1, 2, 3, 5, 8, 13, 5]),
    ("fibonacci", "LWLLLW", [1, 1, 1, 1, 2, 3, 1]),
    ("fibonacci", "LLWL", [1, 1, 2, 1, 1]),
    ("oscars-grind", "LLLLWWW", [1, 1, 1, 1, 1, 2, 2, 1]),
    ("oscars-grind", "LLWLWWWW", [1, 1, 1, 2, 2, 2, 1, 1, 1]),
    ("oscars-grind", "LLLLLLWWWWW", [1, 1, 1, 1, 1, 1, 1, 2, 3, 1, 1, 1]),
    ("oscars-grind", "WW", [1, 1, 1]),
    ("1-3-2-6", "WWWWWL", [1, 3, 2, 6, 1, 3, 1]),
    ("labouchere", "WW", [5, 5, 5]),
    ("labouchere", "LLW", [5, 6, 7, 7]),
    ("labouchere", "LWLWW", [5, 6, 6, 8, 7, 5]),
]


@pytest.mark.parametrize(("name", "course", "stakes"), COURSES)
def test_strategies_have_the_textbook_stakes(
    name: str, course: str, stakes: list[int]
) -> None:
    strategy = find_strategy(name)
    sign = {"W": 1, "L": -1, "-": 0}

    state = strategy.start
    staked = [strategy.stake(state)]
    for letter in course:
        state = strategy.after(state, Fraction(sign[letter] * strategy.stake(state)))
        staked.append(strategy.stake(state))

    assert staked == stakes


def test_a_labouchere_line_is_bounded() -> None:
    strategy = Labouchere(start=(1, 1), longest=4)

    state = strategy.start
    lines = []
    for _ in range(4):
        state = strategy.after(state, Fraction(-strategy.stake(state)))
        lines.append(state)

    assert lines == [(1, 1, 2), (1, 1, 2, 3), (1, 1), (1, 1, 2)]


def test_every_strategy_has_its_own_name() -> None:
    assert [with_rules(each).name for each in STRATEGIES.values()] == list(STRATEGIES)


def test_an_unknown_strategy_is_refused_with_the_closest_one() -> None:
    with pytest.raises(SessionError, match=r"'martingal'; did you mean martingale\?"):
        find_strategy("martingal")
    with pytest.raises(SessionError, match="there are flat, martingale"):
        find_strategy("qqq")


def test_a_strategy_class_needs_three_names() -> None:
    strategy = with_rules(Plain())

    assert strategy.name == "Plain"
    assert strategy.over_maximum is Shortfall.STAKE_ALLOWED
    assert strategy.over_bankroll is Shortfall.STAKE_ALLOWED


def test_rules_can_be_replaced_one_by_one() -> None:
    strategy = with_rules(find_strategy("martingale"), "stop", None)

    assert strategy.over_maximum is Shortfall.STOP
    assert strategy.over_bankroll is Shortfall.STAKE_ALLOWED
    assert strategy.name == "martingale"
    assert strategy.stake(strategy.after(strategy.start, Fraction(-1))) == 2
    assert with_rules(strategy) == strategy


def test_a_table_of_states_is_read() -> None:
    strategy = read_strategy(TABLE)

    assert (strategy.name, strategy.start) == ("up one", "one")
    assert strategy.over_maximum is Shortfall.START_AGAIN
    assert strategy.over_bankroll is Shortfall.STAKE_ALLOWED
    assert [strategy.stake(state) for state in ("one", "two", "out")] == [1, 2, 0]
    assert strategy.after("one", Fraction(1)) == "two"
    assert strategy.after("one", Fraction(0)) == "one"
    assert strategy.after("two", Fraction(0)) == "one"
    assert strategy.after("two", Fraction(-2)) == "one"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("states = [", "is not TOML"),
        ("", "has no states"),
        ("states = 3", "has no states"),
        ("[states]\none = 1", "state 'one' is no table"),
        ("[states.one]\nstake = 1", "needs the states after a win and after a loss"),
        ("[states.one]\nstake = 1.5", "needs a stake in whole units"),
        ("[states.one]\nstake = -1", "needs a stake in whole units"),
        ("[states.one]\nstake = true", "needs a stake in whole units"),
        (
            "[states.one]\nstake = 1\nwin = 'two'\nloss = 'one'",
            "state 'one' leads to 'two', which is not one of its states",
        ),
        ("start = 'x'\n[states.one]\nstake = 0", "starts with 'x'"),
        ("over_maximum = 'x'\n[states.one]\nstake = 0", "over_maximum is one of"),
        ("stak = 'x'\n[states.one]\nstake = 0", "has no place for 'stak'"),
        ("[states.one]\nstake = 0\nwon = 'one'", "has no place for 'won'"),
    ],
)
def test_a_bad_table_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(SessionError, match=said):
        read_strategy(text)
