"""A strategy decides the units of the next stake: a state machine or a function."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, ClassVar, Protocol

from croupier.errors import CroupierError, plain_int

_ARGUMENTS = ("round", "bankroll", "net", "units", "memory")


class SessionError(CroupierError):
    """The session can't be calculated; the message says what would be right."""


def too_large(why: str) -> SessionError:
    """Return a refusal of too much work, with advice on how to reduce it."""
    less = "choose a nearer target, lower limits, fewer rounds or a larger unit"
    return SessionError(f"{why}: {less}")


def too_long(why: str) -> SessionError:
    """Return a refusal of too much work that mentions `simulate` and `patience`."""
    refused = too_large(why)
    return SessionError(
        f"{refused}; `simulate` plays most sessions of some rounds, and `patience`"
        " allows more time"
    )


@unique
class Shortfall(Enum):
    """The rule for a stake that the table or the bankroll does not allow."""

    STAKE_ALLOWED = "stake-allowed"
    """Stake the most units that are allowed."""
    START_AGAIN = "start-again"
    """Go back to the first state and its stake."""
    STOP = "stop"


_USUAL = Shortfall.STAKE_ALLOWED


def read_rule(word: str | Shortfall, key: str) -> Shortfall:
    """Return the rule of that name; raise `SessionError` if there is none."""
    try:
        return Shortfall(word)
    except ValueError:
        choices = ", ".join(each.value for each in Shortfall)
        raise SessionError(f"{key} is one of: {choices}") from None


class Strategy(Protocol):
    """A progression as a state machine: a first state, stakes, and next states.

    A strategy may also have a `name`, and in `over_maximum` and `over_bankroll` its
    `Shortfall` for stakes that the table's maximum or the bankroll does not allow; by
    default it stakes the most that is allowed. `few_states` promises that every state
    works at any bankroll, which makes long rows quick; without it, only states that can
    be met are asked. `by_sign` promises that the next state depends only on the sign of
    the round's net result.
    """

    @property
    def start(self) -> Any:
        """The first state; states must be hashable."""

    def stake(self, state: Any) -> int:
        """Return the units of the base wager to stake; 0 leaves the table."""

    def after(self, state: Any, net: Fraction) -> Any:
        """Return the next state, given the round's net result in units."""


@dataclass(frozen=True, slots=True)
class RuledStrategy:
    """A strategy with all optional attributes filled in."""

    own: Strategy
    name: str
    over_maximum: Shortfall
    over_bankroll: Shortfall
    few_states: bool
    by_sign: bool

    @property
    def start(self) -> Any:
        return self.own.start

    def stake(self, state: Any) -> int:
        return self.own.stake(state)

    def after(self, state: Any, net: Fraction) -> Any:
        return self.own.after(state, net)


def with_rules(
    strategy: Strategy,
    over_maximum: str | Shortfall | None = None,
    over_bankroll: str | Shortfall | None = None,
) -> RuledStrategy:
    """Return the strategy with these rules; None keeps its own."""
    own: Any = strategy.own if isinstance(strategy, RuledStrategy) else strategy
    at_maximum: Any = over_maximum or getattr(strategy, "over_maximum", _USUAL)
    at_bankroll: Any = over_bankroll or getattr(strategy, "over_bankroll", _USUAL)
    return RuledStrategy(
        own,
        str(getattr(own, "name", type(own).__name__)),
        read_rule(at_maximum, "over_maximum"),
        read_rule(at_bankroll, "over_bankroll"),
        few_states=bool(getattr(own, "few_states", False)),
        by_sign=bool(getattr(own, "by_sign", False)),
    )


@dataclass(frozen=True, slots=True)
class FunctionStrategy:
    """A function as a strategy: it can be simulated, but not calculated."""

    function: Callable[..., Any]
    over_maximum: Shortfall = Shortfall.STAKE_ALLOWED
    over_bankroll: Shortfall = Shortfall.STAKE_ALLOWED
    few_states: ClassVar[bool] = False
    by_sign: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", "function"))

    @property
    def start(self) -> Any:
        raise SessionError(f"{self.name} is a function, and has no states to calculate")

    def stake(self, state: Any) -> int:
        raise NotImplementedError(state)

    def after(self, state: Any, net: Any) -> Any:
        raise NotImplementedError(state, net)


AnyStrategy = RuledStrategy | FunctionStrategy


def function_strategy(
    function: Callable[..., Any],
    over_maximum: str | Shortfall | None,
    over_bankroll: str | Shortfall | None,
) -> FunctionStrategy:
    """Return the function as a strategy; raise `SessionError`."""
    made = FunctionStrategy(
        function,
        read_rule(over_maximum or _USUAL, "over_maximum"),
        read_rule(over_bankroll or _USUAL, "over_bankroll"),
    )
    if Shortfall.START_AGAIN in {made.over_maximum, made.over_bankroll}:
        raise SessionError(
            f"{made.name} is a function, and has no first state to start again from:"
            " choose stake-allowed or stop"
        )
    # Some functions have no signature to inspect.
    with suppress(TypeError, ValueError):
        parameters = signature(function).parameters.values()
        kinds = {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
        if [each.kind in kinds for each in parameters] != [True] * len(_ARGUMENTS):
            raise SessionError(
                f"{made.name} must take five arguments: {', '.join(_ARGUMENTS)}"
            )
    return made


def is_function(strategy: object) -> bool:
    return callable(strategy) and not hasattr(strategy, "after")


@dataclass(frozen=True, slots=True, eq=False)
class PlayedState:
    """A state with its stake within the table's maximum.

    There is one for each state, so comparison by identity, which is quick, is enough.
    """

    state: Any
    units: int
    """After the rule for the table's maximum; 0 leaves the table."""


class PlayedStates:
    """Asks a strategy about each state once; raises `SessionError` for its faults."""

    def __init__(self, strategy: AnyStrategy, maximum_units: int | None) -> None:
        self._strategy = strategy
        self._own = strategy.own if isinstance(strategy, RuledStrategy) else strategy
        self._most = maximum_units
        self._rule = strategy.over_maximum
        self._seats: dict[Any, PlayedState] = {}
        self.first = self._first()

    def check_bankroll(self, units: int) -> None:
        is_short = self._strategy.over_bankroll is Shortfall.STAKE_ALLOWED
        if units < (1 if is_short else self.first.units):
            raise SessionError("the bankroll does not pay for the first wager")

    def seat(self, state: Any) -> PlayedState:
        """Return the state as played under the table's maximum."""
        try:
            found = self._seats.get(state)
        except TypeError as error:
            raise SessionError(
                f"{self.name} has a state that is not hashable: {error}"
            ) from error
        if found is None:
            found = self._seats[state] = self._new(state)
        return found

    def after(self, state: Any, net: Fraction) -> PlayedState:
        """Return the state after a round with this net result in units."""
        try:
            following = self._own.after(state, net)
        except Exception as error:
            raise self._failed("after", error) from error
        return self.seat(following)

    @property
    def name(self) -> str:
        return f"the strategy {self._strategy.name}"

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
            units = plain_int(self._own.stake(state))
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
