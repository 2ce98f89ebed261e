"""A session's request: the arguments, read and checked once, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from inspect import Parameter, signature
from math import gcd
from typing import Any, Required, TypedDict, TypeVar, cast

from croupier.errors import WrongArgument, items_of, plain_int
from croupier.lab.sessions.progressions import find_strategy
from croupier.lab.sessions.strategy import (
    AnyStrategy,
    SessionError,
    Shortfall,
    Strategy,
    function_strategy,
    is_function,
    with_rules,
)
from croupier.odds.chips import PLAYER, WAGERS, Chips, LayoutTerms, as_chips, read_terms
from croupier.odds.distribution import Distribution
from croupier.odds.layouts import lay_chips, round_result
from croupier.odds.model import Model, model_of
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.notation import Amount, read_amount, shown
from croupier.rules.terms import Limits

MAXIMUM_ROUNDS = 1_000_000

_Function = TypeVar("_Function", bound=Callable[..., Any])
Wager = str | Iterable[str | Chips]
"""One unit to stake: `"17@5 + dozen:1@10"`, or chips."""


class SessionWords(TypedDict, total=False):
    """The keyword arguments of `croupier.session` that describe a session."""

    bankroll: Required[Amount]
    target: Amount | None
    stop_loss: Amount | None
    rounds: int | None
    strategy: str | Strategy | Callable[..., Any]
    over_maximum: str | Shortfall | None
    over_bankroll: str | Shortfall | None
    limits: Limits | Iterable[str] | None
    settings: Settings | Iterable[str] | None
    chip: Amount


@dataclass(frozen=True, slots=True)
class Lattice:
    """Bankrolls `base + step × point`, in cents."""

    base_cents: int
    step_cents: int

    def cents(self, point: int) -> int:
        return self.base_cents + self.step_cents * point

    def first_at(self, cents: int) -> int:
        return -((self.base_cents - cents) // self.step_cents)


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """A session to calculate: the wager, the strategy, the bankroll and the ends."""

    model: Model
    wager: UnitWager
    strategy: AnyStrategy
    bankroll_cents: int
    target_cents: int | None = None
    rounds: int | None = None
    stop_loss_cents: int | None = None
    patience: int = 1
    """The permitted time of calculation, as a multiple of the usual one."""

    @property
    def nets(self) -> list[int]:
        """The possible net results of one unit, in cents."""
        return [int(value) for value in self.wager.result.values]

    @property
    def floor_cents(self) -> int:
        """The stop-loss ends the session at this bankroll or less; -1 without one."""
        lost = self.stop_loss_cents
        return -1 if lost is None else self.bankroll_cents - lost

    @property
    def lattice(self) -> Lattice:
        step = gcd(*self.nets) or 1
        return Lattice(self.bankroll_cents % step, step)


_STRATEGY = "a name, such as 'martingale', or have start, stake and after"


def read_request(
    game: str | Game | Model,
    wager: Wager,
    *,
    bankroll: Amount,
    target: Amount | None = None,
    stop_loss: Amount | None = None,
    rounds: int | None = None,
    strategy: str | Strategy | Callable[..., Any] = "flat",
    over_maximum: str | Shortfall | None = None,
    over_bankroll: str | Shortfall | None = None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: Amount = 1,
) -> SessionRequest:
    """Read and check a session's arguments; raise the errors of `croupier.session`."""
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings)
    chosen: Any = find_strategy(strategy) if isinstance(strategy, str) else strategy
    if not is_function(chosen) and not hasattr(chosen, "start"):
        raise WrongArgument("strategy", _STRATEGY, strategy)
    with_its_rules = function_strategy if is_function(chosen) else with_rules
    request = SessionRequest(
        model,
        unit_wager(model, wager, terms, read_amount(chip)),
        with_its_rules(chosen, over_maximum, over_bankroll),
        read_amount(bankroll),
        None if target is None else read_amount(target),
        plain_int(rounds),
        None if stop_loss is None else read_amount(stop_loss),
    )
    _check(request)
    return request


def with_session_words(function: _Function) -> _Function:
    """Show the arguments of a session in the signature of a function with `**words`.

    A missing or unknown argument is a `TypeError` that names the function.
    """
    own, words = signature(function), signature(read_request).parameters.values()
    named = [each for each in words if each.kind is Parameter.KEYWORD_ONLY]
    whole = own.replace(parameters=[*own.parameters.values()][:-1] + named)

    @wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        try:
            whole.bind(*args, **given)
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        return function(*args, **given)

    vars(checked)["__signature__"] = whole
    return cast("_Function", checked)


def check_bounds(bankroll: int, target: int | None, lost: int | None = None) -> None:
    """Check target and stop-loss against the bankroll; raise `SessionError`."""
    if target is not None and target <= bankroll:
        raise SessionError(
            f"the target of {write_cents(target)} is not above the bankroll of"
            f" {write_cents(bankroll)}"
        )
    if lost is not None and lost > bankroll:
        raise SessionError(
            f"the stop-loss of {write_cents(lost)} is above the bankroll of"
            f" {write_cents(bankroll)}"
        )


def _check(request: SessionRequest) -> None:
    """Raise `SessionError` if the session can't be played."""
    bankroll, target = request.bankroll_cents, request.target_cents
    rounds = request.rounds
    check_bounds(bankroll, target, request.stop_loss_cents)
    if target is None and rounds is None:
        raise SessionError(
            "the session never ends: give it a target, a number of rounds, or both"
        )
    is_number = type(rounds) is int and 1 <= rounds <= MAXIMUM_ROUNDS
    if rounds is not None and not is_number:
        raise SessionError(
            f"a session has 1 to {MAXIMUM_ROUNDS:,} rounds, not {shown(str(rounds))}"
        )
    stake = request.wager.stake_cents
    if bankroll < stake:
        raise SessionError(
            f"the bankroll of {write_cents(bankroll)} does not pay for"
            f" {request.wager.text}, which is {write_cents(stake)}"
        )


@dataclass(frozen=True)
class UnitWager:
    """One unit of a wager, or of several wagers that are always placed together."""

    text: str
    stake_cents: int
    result: Distribution
    """The net result in cents of one round with one unit."""
    maximum_units: int | None
    """The most units within the table's limits; None without limits."""

    @property
    def edge(self) -> Fraction:
        """The House's expected gain from a cent staked."""
        return -self.result.mean / self.stake_cents


def unit_wager(
    model: Model,
    wagers: str | Iterable[str | Chips],
    terms: LayoutTerms,
    chip_cents: int,
) -> UnitWager:
    """Return one unit of the wagers, within the limits and in whole chips.

    Raises `SessionError` and the errors of `lay_chips`.
    """
    chips = _read(wagers)
    state = lay_chips(model.game, chips, terms)
    totals = {
        area: cents
        for (player, area), cents in state.board.player_cents.items()
        if player == PLAYER
    }
    for area, cents in totals.items():
        _check_chip(area, cents, chip_cents)
    result = round_result(
        model, chips, limits=terms.limits, settings=terms.settings, laid=terms.laid
    )
    units = [_maximum_units(model.game, terms, *each) for each in totals.items()]
    most = min((each for each in units if each is not None), default=None)
    return UnitWager(" + ".join(map(str, chips)), sum(totals.values()), result, most)


def _read(wagers: str | Iterable[str | Chips]) -> list[Chips]:
    if isinstance(wagers, str):
        chips = [as_chips(one) for one in wagers.split("+")]
    else:
        chips = [as_chips(one) for one in items_of("wager", WAGERS, wagers)]
    if not chips:
        raise SessionError("name a wager with its stake, such as red@10")
    return chips


def _check_chip(area: str, cents: int, chip_cents: int) -> None:
    stake, chip = f"{write_cents(cents)} on {area}", write_cents(chip_cents)
    if cents < chip_cents:
        raise SessionError(f"{stake} is below the chip unit of {chip}")
    if cents % chip_cents:
        raise SessionError(f"{stake} can't be laid in chips of {chip}")


def _maximum_units(game: Game, terms: LayoutTerms, area: str, cents: int) -> int | None:
    """Return the most units within the area's maximum; raise `SessionError`."""
    wager_type, stake = game.area_by_name[area].wager_type, f"{write_cents(cents)} on"
    limit = terms.limits.of(wager_type)
    if limit is not None and cents < limit.minimum_cents:
        least = write_cents(limit.minimum_cents)
        raise SessionError(f"{stake} {area} is below the table's minimum of {least}")
    maximum = maximum_cents(terms, wager_type)
    if maximum is None:
        return None
    if cents > maximum:
        most = write_cents(maximum)
        raise SessionError(f"{stake} {area} is above the table's maximum of {most}")
    return maximum // cents


def maximum_cents(terms: LayoutTerms, wager_type: WagerType) -> int | None:
    """Return the most that one Player may have on an area: by limits and cap (A8)."""
    caps = terms.settings.area_maximum_cents
    limit = terms.limits.of(wager_type)
    known = [
        limit.maximum_cents if limit else None,
        caps.get(wager_type, caps.get(None)),
    ]
    return min((cents for cents in known if cents is not None), default=None)
