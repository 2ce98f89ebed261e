"""Best play: the greatest probability of turning a bankroll into a target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from croupier.errors import texts_of
from croupier.lab.best_play.area_kinds import (
    AreaKind,
    StakedArea,
    check_edge,
    families,
    find_kinds,
    named_areas,
    outcomes,
)
from croupier.lab.best_play.exclusive import ExclusiveAreas
from croupier.lab.best_play.search import (
    CombinedSearch,
    OneArea,
    Optimum,
    bold_plan,
    expected_sums,
    optimise,
)
from croupier.lab.sessions.result import Figure, Progress, silent
from croupier.lab.sessions.solvers.exact_solver import Eliminated, TooLong, eliminate
from croupier.lab.sessions.strategy import SessionError
from croupier.odds.chips import Chips, read_terms
from croupier.odds.model import Model, model_of
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.notation import Amount, read_amount
from croupier.rules.terms import Limits
from croupier.tabular import Plot

_EXACT_PRODUCTS = 400_000


@unique
class Over(Enum):
    """The plays that are searched."""

    ONE_AREA = "one-area"
    SEVERAL_AREAS = "several-areas"


_MOST_CHIPS = {Over.ONE_AREA: 5_000, Over.SEVERAL_AREAS: 500}


@dataclass(frozen=True)
class BestPlay:
    """The best plan for a target, in money, from any bankroll on the way."""

    model: Model
    over: Over
    kinds: tuple[AreaKind, ...]
    chip_cents: int
    bankroll_cents: int
    target_cents: int
    optimum: Optimum

    @property
    def base_cents(self) -> int:
        """The rest of the bankroll that is no whole chip; never staked."""
        return self.bankroll_cents % self.chip_cents

    @property
    def start(self) -> int:
        """The bankroll in chips."""
        return self.bankroll_cents // self.chip_cents

    @cached_property
    def _absorbed(self) -> Eliminated | None:
        """The plan's ends, exactly; None if fractions would take too long."""
        goal = len(self.optimum.plan)

        def follow(chips: int) -> tuple[Mapping[int, Fraction], int] | None:
            if chips >= goal or not self.optimum.plan[chips]:
                return None
            pieces = self.optimum.plan[chips]
            after: dict[int, Fraction] = {}
            for then, chance in outcomes(chips, pieces):
                after[then] = after.get(then, Fraction(0)) + chance
            return after, sum(piece.chips for piece in pieces)

        if follow(self.start) is None:
            return Eliminated({self.start: Fraction(1)}, Fraction(0), Fraction(0))
        try:
            return eliminate(self.start, follow, silent, _EXACT_PRODUCTS)
        except TooLong:
            return None

    @cached_property
    def attained(self) -> Fraction | None:
        """The probability that the plan attains; None if fractions take too long."""
        if self._absorbed is None:
            return None
        goal = len(self.optimum.plan)
        return sum(
            (chance for at, chance in self._absorbed.ends.items() if at >= goal),
            Fraction(0),
        )

    @cached_property
    def rounds_played(self) -> Figure:
        """The rounds that the plan takes until it ends, expected."""
        if self._absorbed is not None:
            return Figure(self._absorbed.rounds)
        return self.durations[self.start]

    @cached_property
    def staked_cents(self) -> Figure:
        """The plan's stakes until it ends, expected."""
        if self._absorbed is not None:
            return Figure(self._absorbed.units * self.chip_cents)
        staked = expected_sums(
            self.optimum.plan,
            [sum(piece.chips for piece in pieces) for pieces in self.optimum.plan],
            self._falls,
        )
        return staked[self.start].times(self.chip_cents)

    @cached_property
    def durations(self) -> tuple[Figure, ...]:
        """The rounds that the plan takes on average, from each bankroll in chips."""
        ones = [int(bool(pieces)) for pieces in self.optimum.plan]
        return expected_sums(self.optimum.plan, ones, self._falls)

    @property
    def _falls(self) -> Fraction:
        """The least average loss of a round, in chips."""
        return min(kind.edge * kind.least for kind in self.kinds)

    @property
    def probability(self) -> Figure:
        """The greatest probability of the target: at least what the plan attains.

        In no game with an edge is it more than the bankroll's part of the target.
        """
        excess = self.optimum.excess * max(self.start, 1)
        value = Fraction(self.optimum.values[self.start])
        if self.attained is None:
            return Figure(value, excess)
        fair = Fraction(self.start, len(self.optimum.plan))
        most = max(min(value + excess, fair), self.attained)
        return Figure(self.attained, most - self.attained)

    def wager(self, bankroll_cents: int) -> tuple[Chips, ...]:
        """Return the wagers at this bankroll; none if no play can win.

        Raises `SessionError` if the bankroll is not on the way.
        """
        return self._chips(self.optimum.plan[self._chips_of(bankroll_cents)])

    def winning_chance(self, bankroll_cents: int) -> Fraction:
        """Return how likely some piece of the wager is to win."""
        pieces = self.optimum.plan[self._chips_of(bankroll_cents)]
        won = (chance for piece in pieces for chance in piece.kind.chances)
        return sum(won, Fraction(0))

    def value_at(self, bankroll_cents: int) -> Figure:
        """Return the greatest probability of the target from a bankroll on the way."""
        chips = self._chips_of(bankroll_cents)
        value = Fraction(self.optimum.values[chips])
        return Figure(value, self.optimum.excess * chips)

    def _chips_of(self, bankroll_cents: int) -> int:
        chips, rest = divmod(bankroll_cents - self.base_cents, self.chip_cents)
        if rest or not 0 <= chips < len(self.optimum.plan):
            raise SessionError(
                f"{write_cents(bankroll_cents)} is no bankroll on the way to"
                f" {write_cents(self.target_cents)} in chips of"
                f" {write_cents(self.chip_cents)}"
            )
        return chips

    def _chips(self, pieces: tuple[StakedArea, ...]) -> tuple[Chips, ...]:
        return tuple(
            Chips(piece.area, piece.chips * self.chip_cents) for piece in pieces
        )

    def plan(self) -> Iterator[tuple[int, tuple[Chips, ...], float]]:
        """Yield each bankroll below the target, its wager and its probability."""
        for chips, pieces in enumerate(self.optimum.plan):
            cents = self.base_cents + chips * self.chip_cents
            yield cents, self._chips(pieces), self.optimum.values[chips]

    @cached_property
    def on_the_way(self) -> frozenset[int]:
        """The bankrolls, in cents, that the plan can come to from the start."""
        found, open_ = {self.start}, [self.start]
        while open_:
            at = open_.pop()
            for after, _ in outcomes(at, self.optimum.plan[at]):
                if after < len(self.optimum.plan) and after not in found:
                    found.add(after)
                    open_.append(after)
        return frozenset(self.base_cents + at * self.chip_cents for at in found)

    @property
    def searched(self) -> str:
        """The plays that were compared, in words."""
        from croupier.lab.best_play.best_play_report import searched_plays

        return searched_plays(self)

    def json(self) -> dict[str, Any]:
        """Return what `croupier best-play --json` prints."""
        from croupier.lab.best_play.best_play_report import best_play_json

        return best_play_json(self)

    def plot(self) -> Plot:
        """Return the stake at each bankroll, its probability and its rounds."""
        from croupier.lab.best_play.best_play_plot import plot_best_play

        return Plot(plot_best_play(self))

    def __repr__(self) -> str:
        return (
            f"<BestPlay of {self.model.game.name} from"
            f" {write_cents(self.bankroll_cents)} to {write_cents(self.target_cents)}:"
            f" {float(self.value_at(self.bankroll_cents)):.4%}>"
        )

    def __str__(self) -> str:
        from croupier.lab.best_play.best_play_report import best_play_text

        return best_play_text(self)

    def _repr_html_(self) -> str:
        from croupier.lab.best_play.best_play_report import best_play_table

        return best_play_table(self)._repr_html_()


def best_play(
    game: str | Game | Model,
    *,
    bankroll: Amount,
    target: Amount,
    over: str | Over = Over.ONE_AREA,
    areas: Iterable[str] = (),
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: Amount = 1,
    progress: Progress | None = None,
) -> BestPlay:
    """Return the play with the greatest probability of reaching the target before ruin.

    `over` is `"one-area"`: one betting area a round, of `areas` if some are named; or
    `"several-areas"`: any set of areas of the layout of which no two win together.
    Raises `SessionError`, `NotationError` and `WagerRefused`.
    """
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings)
    wanted, chip_cents = _read_over(over), read_amount(chip)
    bankroll_cents, target_cents = read_amount(bankroll), read_amount(target)
    goal = _goal(bankroll_cents, target_cents, chip_cents, wanted)
    names = texts_of("areas", "names of areas, such as ['red', '17']", areas)
    if wanted is Over.SEVERAL_AREAS and names:
        raise SessionError(
            "several-areas searches the whole layout: leave out the areas, or search"
            " them over one-area"
        )
    among = named_areas(model, terms, names) if names else list(model.game.areas)
    kinds = find_kinds(model, among, terms, chip_cents)
    check_edge(kinds)
    wheel = len(model.game.numbers)
    optimum = _optimum(wanted, kinds, wheel, goal, progress or silent)
    return BestPlay(
        model, wanted, tuple(kinds), chip_cents, bankroll_cents, target_cents, optimum
    )


def _read_over(word: str | Over) -> Over:
    try:
        return Over(word)
    except ValueError:
        choices = ", ".join(each.value for each in Over)
        raise SessionError(f"the search is over one of: {choices}") from None


def _goal(bankroll_cents: int, target_cents: int, chip_cents: int, over: Over) -> int:
    """Return the target in chips; raise `SessionError` if it makes no sense."""
    if target_cents <= bankroll_cents:
        raise SessionError(
            f"the target of {write_cents(target_cents)} is not above the bankroll of"
            f" {write_cents(bankroll_cents)}"
        )
    if bankroll_cents < chip_cents:
        raise SessionError(
            f"the bankroll of {write_cents(bankroll_cents)} is below the chip unit of"
            f" {write_cents(chip_cents)}"
        )
    goal = -(-(target_cents - bankroll_cents % chip_cents) // chip_cents)
    if goal > _MOST_CHIPS[over]:
        raise SessionError(
            f"{goal:,} chips are too many to search; choose a chip unit with which the"
            f" target is {_MOST_CHIPS[over]:,} or fewer"
        )
    if find_spec("numpy") is None or find_spec("scipy") is None:
        raise SessionError(
            "best play needs numpy and scipy: pip install 'croupier[odds]'"
        )
    return goal


def _optimum(
    over: Over, kinds: list[AreaKind], wheel: int, goal: int, progress: Progress
) -> Optimum:
    if not kinds:
        raise SessionError("the limits leave no area on which these chips may lie")
    falls = min(kind.edge * kind.least for kind in kinds)
    best = optimise(OneArea(kinds, goal), bold_plan(kinds, goal), falls, progress)
    if over is Over.ONE_AREA:
        return best
    several = [ExclusiveAreas(group, goal, wheel) for group in families(kinds)]
    return optimise(CombinedSearch(several), best.plan, falls, progress)
