"""A strategy's states as they are played under the table's maximum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.odds.sessions.strategy import (
    SessionError,
    Shortfall,
    Strategy,
    name_of,
    rule_over_bankroll,
    rule_over_maximum,
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A state as it is played: by itself, or as the first one after a rule."""

    state: Any
    units: int
    """After the rule for the table's maximum; 0 leaves the table."""


class Seats:
    """Asks a strategy about its states, each once; raises `SessionError`."""

    def __init__(self, strategy: Strategy, maximum_units: int | None) -> None:
        self._strategy = strategy
        self._most = maximum_units
        self._rule = rule_over_maximum(strategy)
        self._seats: dict[Any, Seat] = {}
        self.first = self._first()

    def check_bankroll(self, units: int) -> None:
        """The bankroll, of so many whole units, must pay for the first wager."""
        is_short = rule_over_bankroll(self._strategy) is Shortfall.STAKE_ALLOWED
        if units < (1 if is_short else self.first.units):
            raise SessionError("the bankroll does not pay for the first wager")

    def seat(self, state: Any) -> Seat:
        """The state as it is played under the table's maximum."""
        try:
            found = self._seats.get(state)
        except TypeError as error:
            raise SessionError(
                f"{self.name} has a state that can't be kept in a set: {error}"
            ) from error
        if found is None:
            found = self._seats[state] = self._new(state)
        return found

    def after(self, state: Any, net: Fraction) -> Seat:
        """What is played after the round's net result, in units."""
        try:
            following = self._strategy.after(state, net)
        except Exception as error:
            raise self._failed("after", error) from error
        return self.seat(following)

    @property
    def name(self) -> str:
        return f"the strategy {name_of(self._strategy)}"

    def _first(self) -> Seat:
        state, most = self._strategy.start, self._most
        units = self._asked(state)
        if units == 0:
            raise SessionError(f"{self.name} stakes nothing at the start")
        if most is not None and units > most:
            if self._rule is not Shortfall.STAKE_ALLOWED:
                raise SessionError(
                    f"{self.name} begins with {units} units, and the table's limits"
                    f" allow {most}"
                )
            units = most
        seat = self._seats[state] = Seat(state, units)
        return seat

    def _new(self, state: Any) -> Seat:
        units, most = self._asked(state), self._most
        if most is None or units <= most:
            return Seat(state, units)
        if self._rule is Shortfall.START_AGAIN:
            return self.first
        return Seat(state, 0 if self._rule is Shortfall.STOP else most)

    def _asked(self, state: Any) -> int:
        try:
            units = self._strategy.stake(state)
        except Exception as error:
            raise self._failed("stake", error) from error
        if type(units) is not int or units < 0:
            raise SessionError(
                f"{self.name} must stake whole units, 0 or more, not {units!r:.40}"
            )
        return units

    def _failed(self, method: str, error: Exception) -> SessionError:
        if isinstance(error, SessionError):
            return error
        return SessionError(
            f"{self.name} failed in `{method}`: {type(error).__name__}: {error!s:.200}"
        )
