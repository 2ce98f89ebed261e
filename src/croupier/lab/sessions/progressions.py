"""The well-known progressions by name, and tables of states from TOML.

A round with a net result above zero is a win, one below zero a loss; at zero the state
stays. Above the table's maximum, progressions that raise the stake after a loss start
again; the others stake the maximum, and so does Oscar's grind, which never asks for
more than its series needs. Above the bankroll, all stake the units that are left,
except Oscar's grind and Labouchère, which start again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import Any, ClassVar

from croupier.lab.sessions.strategy import (
    SessionError,
    Shortfall,
    Strategy,
    read_rule,
)
from croupier.rules.notation import shown, suggestion

_EXAMPLE = '[states.one] with stake = 1, win = "one" and loss = "one"'
_KEYS = frozenset({"name", "start", "over_maximum", "over_bankroll", "states"})
_STATE_KEYS = frozenset({"stake", "win", "loss", "push"})
_MAXIMUM_STAKE = 10**9


class _Series:
    """A progression with the stake as its state; wins and losses change it."""

    __slots__ = ()
    few_states: ClassVar[bool] = True
    by_sign: ClassVar[bool] = True

    def stake(self, state: Any) -> int:
        return int(state)

    def after(self, state: Any, net: Fraction) -> Any:
        if net == 0:
            return state
        return self.won(state) if net > 0 else self.lost(state)

    def won(self, state: Any) -> Any:
        return state

    def lost(self, state: Any) -> Any:
        return state


@dataclass(frozen=True, slots=True)
class Flat(_Series):
    name: str = "flat"
    start: int = 1
    over_maximum: Shortfall = Shortfall.STAKE_ALLOWED
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED


@dataclass(frozen=True, slots=True)
class Martingale(_Series):
    """Double the stake after a loss (and add to it); one unit after a win."""

    name: str = "martingale"
    start: int = 1
    added: int = 0
    """Units added to the doubled stake; 1 for the grand martingale."""
    over_maximum: Shortfall = Shortfall.START_AGAIN
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED

    def won(self, state: int) -> int:  # noqa: ARG002
        return self.start

    def lost(self, state: int) -> int:
        return 2 * state + self.added


@dataclass(frozen=True, slots=True)
class WinningRun(_Series):
    """A stake for each win in a row; it begins again after a loss or the last stake."""

    name: str
    stakes: tuple[int, ...]
    start: int = 0
    over_maximum: Shortfall = Shortfall.STAKE_ALLOWED
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED

    def stake(self, state: int) -> int:
        return self.stakes[state]

    def won(self, state: int) -> int:
        return (state + 1) % len(self.stakes)

    def lost(self, state: int) -> int:  # noqa: ARG002
        return 0


@dataclass(frozen=True, slots=True)
class DAlembert(_Series):
    """One unit more after a loss, one less after a win, at least one."""

    name: str = "d-alembert"
    start: int = 1
    over_maximum: Shortfall = Shortfall.START_AGAIN
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED

    def won(self, state: int) -> int:
        return max(1, state - 1)

    def lost(self, state: int) -> int:
        return state + 1


@dataclass(frozen=True, slots=True)
class Fibonacci(_Series):
    """The stakes 1 1 2 3 5 8 …: one step on after a loss, two back after a win."""

    name: str = "fibonacci"
    start: tuple[int, int] = (0, 1)
    """Two successive numbers of the series; the second one is the stake."""
    over_maximum: Shortfall = Shortfall.START_AGAIN
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED

    def stake(self, state: tuple[int, int]) -> int:
        return state[1]

    def won(self, state: tuple[int, int]) -> tuple[int, int]:
        return self._back(self._back(state))

    def lost(self, state: tuple[int, int]) -> tuple[int, int]:
        before, stake = state
        return stake, before + stake

    def _back(self, state: tuple[int, int]) -> tuple[int, int]:
        before, stake = state
        return self.start if before == 0 else (stake - before, before)


@dataclass(frozen=True, slots=True)
class OscarsGrind:
    """Win one unit in a series: one unit more after a win, the same after a loss.

    No stake is larger than the series needs to win its unit.
    """

    name: str = "oscars-grind"
    start: tuple[Fraction, int] = (Fraction(0), 1)
    """The series' net result in units, and the stake."""
    over_maximum: Shortfall = Shortfall.STAKE_ALLOWED
    over_bankroll: Shortfall = Shortfall.START_AGAIN

    def stake(self, state: tuple[Fraction, int]) -> int:
        return state[1]

    def after(self, state: tuple[Fraction, int], net: Fraction) -> tuple[Fraction, int]:
        won, stake = state[0] + net, state[1]
        if won >= 1:
            return self.start
        if net > 0:
            stake += 1
        return won, min(stake, ceil(1 - won))


@dataclass(frozen=True, slots=True)
class Labouchere:
    """A line of numbers: stake the first plus the last; a win crosses both out.

    A loss is written at the end. If the line is used up or would grow beyond `longest`,
    it starts again.
    """

    name: str = "labouchere"
    start: tuple[int, ...] = (1, 2, 3, 4)
    longest: int = 8
    over_maximum: Shortfall = Shortfall.START_AGAIN
    over_bankroll: Shortfall = Shortfall.START_AGAIN

    def stake(self, state: tuple[int, ...]) -> int:
        return state[0] + state[-1] if len(state) > 1 else state[0]

    def after(self, state: tuple[int, ...], net: Fraction) -> tuple[int, ...]:
        if net == 0:
            return state
        if net > 0:
            return state[1:-1] or self.start
        line = (*state, ceil(-net))
        return line if len(line) <= self.longest else self.start


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "flat": Flat(),
        "martingale": Martingale(),
        "grand-martingale": Martingale("grand-martingale", added=1),
        "paroli": WinningRun("paroli", (1, 2, 4)),
        "d-alembert": DAlembert(),
        "fibonacci": Fibonacci(),
        "oscars-grind": OscarsGrind(),
        "1-3-2-6": WinningRun("1-3-2-6", (1, 3, 2, 6)),
        "labouchere": Labouchere(),
    }
)


def find_strategy(name: str) -> Strategy:
    """Return the strategy of that name; raise `SessionError` with a suggestion."""
    found = STRATEGIES.get(name)
    if found is None:
        close = suggestion(name, STRATEGIES)
        known = ", ".join(STRATEGIES)
        hint = f"did you mean {close}?" if close else f"there are {known}"
        raise SessionError(f"there is no strategy {shown(name)}; {hint}")
    return found


@dataclass(frozen=True, slots=True)
class StateRow:
    """The units to stake, and the state after a win, a loss, or neither."""

    stake: int
    win: str
    loss: str
    push: str


@dataclass(frozen=True, slots=True)
class StateTable:
    """A strategy given as a table of its states."""

    few_states: ClassVar[bool] = True
    by_sign: ClassVar[bool] = True
    name: str
    start: str
    states: Mapping[str, StateRow]
    over_maximum: Shortfall = Shortfall.STAKE_ALLOWED
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED

    def stake(self, state: str) -> int:
        return self.states[state].stake

    def after(self, state: str, net: Fraction) -> str:
        here = self.states[state]
        if net == 0:
            return here.push
        return here.win if net > 0 else here.loss


def read_strategy(text: str) -> StateTable:
    """Return a table of states from TOML; raise `SessionError`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SessionError(f"the table of states is not TOML: {error}") from error
    _only(table, _KEYS, "the table of states")
    states = table.get("states")
    if not isinstance(states, dict) or not states:
        raise SessionError(f"the table has no states; write {_EXAMPLE}")
    read = {name: _read_state(name, row) for name, row in states.items()}
    for name, state in read.items():
        for after in (state.win, state.loss, state.push):
            _known(after, read, f"state {shown(name)} leads to")
    start = table.get("start", next(iter(read)))
    _known(start, read, "the table starts with")
    return StateTable(
        str(table.get("name", "table of states")),
        start,
        read,
        *(
            read_rule(table.get(key, Shortfall.STAKE_ALLOWED), key)
            for key in ("over_maximum", "over_bankroll")
        ),
    )


def _read_state(name: str, row: Any) -> StateRow:
    if not isinstance(row, dict):
        raise SessionError(f"state {shown(name)} is no table; write {_EXAMPLE}")
    _only(row, _STATE_KEYS, f"state {shown(name)}")
    stake = row.get("stake")
    if type(stake) is not int or not 0 <= stake <= _MAXIMUM_STAKE:
        raise SessionError(
            f"state {shown(name)} needs a stake in whole units, such as stake = 1"
        )
    if stake and not {"win", "loss"} <= row.keys():
        raise SessionError(
            f"state {shown(name)} needs the states after a win and after a loss"
        )
    after = (row.get(key, name) for key in ("win", "loss", "push"))
    return StateRow(stake, *after)


def _only(table: Mapping[str, Any], keys: frozenset[str], what: str) -> None:
    for key in table:
        if key not in keys:
            raise SessionError(
                f"{what} has no place for {shown(key)}; it takes"
                f" {', '.join(sorted(keys))}"
            )


def _known(state: Any, states: Mapping[str, StateRow], what: str) -> None:
    if not isinstance(state, str) or state not in states:
        raise SessionError(
            f"{what} {shown(str(state))}, which is not one of its states"
        )
