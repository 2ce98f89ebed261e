"""A strategy of one's own as a table of states, in TOML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from croupier.odds.sessions.strategy import SessionError, Shortfall
from croupier.rules.notation import shown

_EXAMPLE = '[states.one] with stake = 1, win = "one" and loss = "one"'
_KEYS = frozenset({"name", "start", "over_maximum", "over_bankroll", "states"})
_STATE_KEYS = frozenset({"stake", "win", "loss", "push"})
_MAXIMUM_STAKE = 10**9


@dataclass(frozen=True, slots=True)
class TableState:
    """The units to stake, and the state after a win, a loss, or neither."""

    stake: int
    win: str
    loss: str
    push: str


@dataclass(frozen=True, slots=True)
class StateTable:
    """A strategy that has been written down as its states."""

    few_states: ClassVar[bool] = True
    by_sign: ClassVar[bool] = True
    name: str
    start: str
    states: Mapping[str, TableState]
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
    """A table of states from TOML; raises `SessionError`."""
    import tomllib

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
        _rule(table, "over_maximum"),
        _rule(table, "over_bankroll"),
    )


def _read_state(name: str, row: Any) -> TableState:
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
    return TableState(stake, *after)


def _only(table: Mapping[str, Any], keys: frozenset[str], what: str) -> None:
    for key in table:
        if key not in keys:
            raise SessionError(
                f"{what} has no place for {shown(key)}; it takes"
                f" {', '.join(sorted(keys))}"
            )


def _known(state: Any, states: Mapping[str, TableState], what: str) -> None:
    if not isinstance(state, str) or state not in states:
        raise SessionError(
            f"{what} {shown(str(state))}, which is not one of its states"
        )


def _rule(table: Mapping[str, Any], key: str) -> Shortfall:
    given = table.get(key, Shortfall.STAKE_ALLOWED.value)
    try:
        return Shortfall(given)
    except ValueError:
        choices = ", ".join(each.value for each in Shortfall)
        raise SessionError(f"{key} is one of: {choices}") from None
