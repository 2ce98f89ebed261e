"""A strategy: how many units to stake next, as a machine with states or a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, Protocol

from croupier.errors import CroupierError, plain_int

_ARGUMENTS = ("round", "bankroll", "net", "units", "memory")


class SessionError(CroupierError):
    """A session that can't be calculated; the message says what would be right."""


@unique
class Shortfall(Enum):
    """The way out of a stake that the table or the bankroll does not allow."""

    STAKE_ALLOWED = "stake-allowed"
    """Stake as many units as are allowed."""
    START_AGAIN = "start-again"
    """Go back to the first state, and stake what that asks for."""
    STOP = "stop"
    """Leave the table."""


def read_rule(word: str | Shortfall, key: str) -> Shortfall:
    """Return the rule that the word names; raise `SessionError` if it is none."""
    try:
        return Shortfall(word)
    except ValueError:
        choices = ", ".join(each.value for each in Shortfall)
        raise SessionError(f"{key} is one of: {choices}") from None


class Strategy(Protocol):
    """A progression as a machine: a first state, a stake in each, a next state.

    A strategy may also have a `name`, and say by `over_maximum` and `over_bankroll`
    what it does about a stake that the table's maximum or the bankroll does not allow
    (a `Shortfall`; left out, it stakes what is allowed). `few_states` promises that
    every state can be asked about whatever the bankroll, which makes long rows quick;
    left out, a state is only asked about where it can be met. `by_sign` promises that
    the next state depends on whether the round was won or lost, and not on how much.
    """

    @property
    def start(self) -> Any:
        """The first state; states are values that can be kept in a set."""

    def stake(self, state: Any) -> int:
        """Return how many units of the base wager to stake; 0 leaves the table."""

    def after(self, state: Any, net: Fraction) -> Any:
        """Return the next state, once the round's net result is known, in units."""


def name_of(strategy: Strategy) -> str:
    return str(getattr(strategy, "name", type(strategy).__name__))


def rule_over_maximum(strategy: Strategy) -> Shortfall:
    return Shortfall(getattr(strategy, "over_maximum", Shortfall.STAKE_ALLOWED))


def rule_over_bankroll(strategy: Strategy) -> Shortfall:
    return Shortfall(getattr(strategy, "over_bankroll", Shortfall.STAKE_ALLOWED))


def has_few_states(strategy: Strategy) -> bool:
    return bool(getattr(strategy, "few_states", False))


def goes_by_sign(strategy: Strategy) -> bool:
    return bool(getattr(strategy, "by_sign", False))


@dataclass(frozen=True, slots=True)
class WithRules:
    """A strategy with other rules for the stakes that are not allowed."""

    strategy: Strategy
    over_maximum: Shortfall
    over_bankroll: Shortfall

    @property
    def name(self) -> str:
        return name_of(self.strategy)

    @property
    def few_states(self) -> bool:
        return has_few_states(self.strategy)

    @property
    def by_sign(self) -> bool:
        return goes_by_sign(self.strategy)

    @property
    def start(self) -> Any:
        return self.strategy.start

    def stake(self, state: Any) -> int:
        return self.strategy.stake(state)

    def after(self, state: Any, net: Fraction) -> Any:
        return self.strategy.after(state, net)


def with_rules(
    strategy: Strategy,
    over_maximum: str | Shortfall | None,
    over_bankroll: str | Shortfall | None,
) -> Strategy:
    """Return the strategy with the rules that are given; its own, where none is."""
    if over_maximum is None and over_bankroll is None:
        return strategy
    return WithRules(
        strategy,
        read_rule(over_maximum or rule_over_maximum(strategy), "over_maximum"),
        read_rule(over_bankroll or rule_over_bankroll(strategy), "over_bankroll"),
    )


@dataclass(frozen=True, slots=True)
class FunctionStrategy:
    """A function instead of a strategy: it can be played, but not calculated."""

    function: Callable[..., Any]
    over_maximum: Shortfall = Shortfall.STAKE_ALLOWED
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", "function"))

    @property
    def start(self) -> Any:
        raise SessionError(
            f"{self.name} is a function, and has no states to reckon with"
        )

    def stake(self, state: Any) -> int:
        raise NotImplementedError(state)

    def after(self, state: Any, net: Any) -> Any:
        raise NotImplementedError(state, net)


def function_strategy(
    function: Callable[..., Any],
    over_maximum: str | Shortfall | None,
    over_bankroll: str | Shortfall | None,
) -> FunctionStrategy:
    """Return a function with its rules; raise `SessionError`."""
    usual = Shortfall.STAKE_ALLOWED
    made = FunctionStrategy(
        function,
        read_rule(over_maximum or usual, "over_maximum"),
        read_rule(over_bankroll or usual, "over_bankroll"),
    )
    if Shortfall.START_AGAIN in {made.over_maximum, made.over_bankroll}:
        raise SessionError(
            f"{made.name} is a function, and has no first state to start again from:"
            " choose stake-allowed or stop"
        )
    _check_arguments(made)
    return made


def _check_arguments(made: FunctionStrategy) -> None:
    try:
        parameters = signature(made.function).parameters.values()
    except (TypeError, ValueError):
        return
    kinds = {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
    if [each.kind in kinds for each in parameters] != [True] * len(_ARGUMENTS):
        raise SessionError(
            f"{made.name} must take five arguments: {', '.join(_ARGUMENTS)}"
        )


def is_function(strategy: object) -> bool:
    """Return whether it is a function, and no machine with states."""
    return callable(strategy) and not hasattr(strategy, "after")


@dataclass(frozen=True, slots=True, eq=False)
class PlayedState:
    """A state as it is played: by itself, or as the first one after a rule.

    Each state has one, so that it is told apart by identity, which is quick.
    """

    state: Any
    units: int
    """After the rule for the table's maximum; 0 leaves the table."""


class PlayedStates:
    """Asks a strategy about its states, each once; raise `SessionError`."""

    def __init__(self, strategy: Strategy, maximum_units: int | None) -> None:
        self._strategy = strategy
        self._most = maximum_units
        self._rule = rule_over_maximum(strategy)
        self._seats: dict[Any, PlayedState] = {}
        self.first = self._first()

    def check_bankroll(self, units: int) -> None:
        """Check that so many units, the bankroll, pay for the first wager."""
        is_short = rule_over_bankroll(self._strategy) is Shortfall.STAKE_ALLOWED
        if units < (1 if is_short else self.first.units):
            raise SessionError("the bankroll does not pay for the first wager")

    def seat(self, state: Any) -> PlayedState:
        """Return the state as it is played under the table's maximum."""
        try:
            found = self._seats.get(state)
        except TypeError as error:
            raise SessionError(
                f"{self.name} has a state that can't be kept in a set: {error}"
            ) from error
        if found is None:
            found = self._seats[state] = self._new(state)
        return found

    def after(self, state: Any, net: Fraction) -> PlayedState:
        """Return what is played after the round's net result, in units."""
        try:
            following = self._strategy.after(state, net)
        except Exception as error:
            raise self._failed("after", error) from error
        return self.seat(following)

    @property
    def name(self) -> str:
        return f"the strategy {name_of(self._strategy)}"

    def _first(self) -> PlayedState:
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
        seat = self._seats[state] = PlayedState(state, units)
        return seat

    def _new(self, state: Any) -> PlayedState:
        units, most = self._asked(state), self._most
        if most is None or units <= most:
            return PlayedState(state, units)
        if self._rule is Shortfall.START_AGAIN:
            return self.first
        return PlayedState(state, 0 if self._rule is Shortfall.STOP else most)

    def _asked(self, state: Any) -> int:
        try:
            units = plain_int(self._strategy.stake(state))
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
