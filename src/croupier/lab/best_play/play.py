"""Best play: the greatest probability of turning a bankroll into a target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, unique
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from croupier.errors import texts_of
from croupier.extras import needing
from croupier.lab.best_play.area_kinds import (
    AreaKind,
    StakedArea,
    check_bankroll,
    check_edge,
    families,
    find_kinds,
    least_loss,
    named_areas,
    outcomes,
)
from croupier.lab.sessions.report import model_notes
from croupier.lab.sessions.request import check_bounds
from croupier.lab.sessions.result import Progress, silent
from croupier.lab.sessions.solvers.exact_solver import (
    QUICK_PRODUCTS,
    Eliminated,
    TooLong,
    eliminate,
)
from croupier.lab.sessions.strategy import SessionError
from croupier.numeric.figure import Figure
from croupier.odds.chips import Chips, read_terms
from croupier.odds.model import Model, model_of
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.notation import Amount, read_amount
from croupier.rules.terms import Limits
from croupier.tabular import Plot, Tabled, TextTable, data_frame
from croupier.tabular.figure_formats import (
    figure_count,
    figure_json,
    figure_money,
    figure_percent,
    fraction_text,
    rounded_up,
)

if TYPE_CHECKING:
    from croupier.lab.best_play.search import Optimum

_SHOWN = 24
_STRAIGHT_UP = f"{WagerType.STRAIGHT_UP.value}:"


@unique
class Over(Enum):
    ONE_AREA = "one-area"
    SEVERAL_AREAS = "several-areas"


_MOST_CHIPS = {Over.ONE_AREA: 5_000, Over.SEVERAL_AREAS: 500}


@dataclass(frozen=True, repr=False)
class BestPlay(Tabled):
    """The best plan towards a target, from any bankroll below it."""

    model: Model
    over: Over
    kinds: tuple[AreaKind, ...]
    chip_cents: int
    bankroll_cents: int
    target_cents: int
    optimum: Optimum

    @property
    def base_cents(self) -> int:
        """The remainder of the bankroll below a chip; never staked."""
        return self.bankroll_cents % self.chip_cents

    @property
    def start(self) -> int:
        """The bankroll in chips."""
        return self.bankroll_cents // self.chip_cents

    @cached_property
    def _absorbed(self) -> Eliminated | None:
        """The plan's exact ends; None if fractions would take too long."""
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
            return eliminate(self.start, follow, silent, QUICK_PRODUCTS)
        except TooLong:
            return None

    @cached_property
    def attained(self) -> Fraction | None:
        """The plan's exact probability of the target; None if it takes too long."""
        if self._absorbed is None:
            return None
        goal = len(self.optimum.plan)
        return sum(
            (chance for at, chance in self._absorbed.ends.items() if at >= goal),
            Fraction(0),
        )

    @cached_property
    def rounds_played(self) -> Figure:
        """The expected rounds of the plan."""
        if self._absorbed is not None:
            return Figure(self._absorbed.rounds)
        return self.durations[self.start]

    @cached_property
    def staked_cents(self) -> Figure:
        """The expected stakes of the plan."""
        if self._absorbed is not None:
            return Figure(self._absorbed.units * self.chip_cents)
        staked = self._sums(lambda pieces: sum(piece.chips for piece in pieces))
        return staked[self.start].times(self.chip_cents)

    @cached_property
    def durations(self) -> tuple[Figure, ...]:
        """The expected rounds of the plan, by bankroll in chips."""
        return self._sums(lambda pieces: int(bool(pieces)))

    def _sums(
        self, gain: Callable[[tuple[StakedArea, ...]], int]
    ) -> tuple[Figure, ...]:
        """Return the expected sum of gains over the plan's wagers, by bankroll."""
        from croupier.lab.best_play.search import expected_sums

        plan = self.optimum.plan
        return expected_sums(
            plan, [gain(pieces) for pieces in plan], least_loss(self.kinds)
        )

    @property
    def probability(self) -> Figure:
        """The greatest probability of the target, by any searched play.

        In a game with an edge it is at most bankroll / target.
        """
        excess = self.optimum.excess * max(self.start, 1)
        value = Fraction(self.optimum.values[self.start])
        if self.attained is None:
            return Figure(value, excess)
        fair = Fraction(self.start, len(self.optimum.plan))
        most = max(min(value + excess, fair), self.attained)
        return Figure(self.attained, most - self.attained)

    def wager(self, bankroll_cents: int) -> tuple[Chips, ...]:
        """Return the wagers at this bankroll; none if no play can reach the target.

        Raises `SessionError` for a bankroll that has no place in the plan.
        """
        return self._chips(self.optimum.plan[self._chips_of(bankroll_cents)])

    def value_at(self, bankroll_cents: int) -> Figure:
        """Return the greatest probability of the target from this bankroll."""
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
        """Yield each bankroll below the target with its wager and its probability."""
        for chips, pieces in enumerate(self.optimum.plan):
            cents = self.base_cents + chips * self.chip_cents
            yield cents, self._chips(pieces), self.optimum.values[chips]

    @cached_property
    def on_the_way(self) -> frozenset[int]:
        """The bankrolls in cents that the plan can reach from the start."""
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
        """The compared plays, in words."""
        count = sum(len(kind.areas) for kind in self.kinds)
        if self.over is Over.SEVERAL_AREAS:
            return (
                f"any of {count} betting areas at once of which no two can win"
                " together, each with any stake in whole chips that the limits allow"
            )
        if count > 1:
            return (
                f"one of {count} betting areas a round, with any stake in whole chips"
                " that the limits allow"
            )
        [kind] = self.kinds
        least = write_cents(kind.least * self.chip_cents)
        if kind.most is None:
            return f"{kind.areas[0]}, with any stake from {least} up, in whole chips"
        most = write_cents(kind.most * self.chip_cents)
        return f"{kind.areas[0]}, with any stake from {least} to {most}, in whole chips"

    @property
    def head(self) -> str:
        start, target, chip = map(
            write_cents, (self.bankroll_cents, self.target_cents, self.chip_cents)
        )
        title = self.model.game.title
        return f"{title}: best play from {start} to {target} in chips of {chip}"

    def json(self) -> dict[str, Any]:
        """Return the JSON document of `croupier best-play --json`."""
        attained = self.attained
        return {
            **self.model.document(),
            "over": self.over.value,
            "searched": self.searched,
            "bankroll_cents": self.bankroll_cents,
            "target_cents": self.target_cents,
            "chip_cents": self.chip_cents,
            "reached": figure_json(self.probability),
            "attained": None if attained is None else fraction_text(attained),
            "rounds_played": figure_json(self.rounds_played),
            "staked_cents": figure_json(self.staked_cents),
            "plan": [
                {
                    "bankroll_cents": cents,
                    "wagers": [
                        {"wager": each.wager, "stake_cents": each.stake_cents}
                        for each in chips
                    ],
                    "reached": value,
                    "reached_error": float(self.value_at(cents).error),
                    "rounds_played": float(rounds),
                    "rounds_error": float(rounds.error),
                }
                for (cents, chips, value), rounds in self._rows()
            ],
        }

    def _rows(self) -> Iterator[tuple[tuple[int, tuple[Chips, ...], float], Figure]]:
        return zip(self.plan(), self.durations, strict=True)

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each bankroll below the target."""
        return data_frame(
            {
                "bankroll_cents": cents,
                "wager": " + ".join(map(str, chips)),
                "staked_cents": sum(each.stake_cents or 0 for each in chips),
                "reached": reached,
                "rounds_played": float(rounds),
            }
            for (cents, chips, reached), rounds in self._rows()
        )

    def plot(self) -> Plot:
        """Draw the probability, the stake and the rounds by bankroll."""
        from croupier.lab.best_play.plots import plot_best_play

        return Plot(plot_best_play(self))

    def __repr__(self) -> str:
        return (
            f"<BestPlay of {self.model.game.name} from"
            f" {write_cents(self.bankroll_cents)} to {write_cents(self.target_cents)}:"
            f" {float(self.value_at(self.bankroll_cents)):.4%}>"
        )

    def table(self) -> TextTable:
        """Return wagers and probabilities at the bankrolls that the plan can reach."""
        rows = [
            (write_cents(cents), _wagers(chips), figure_percent(self.value_at(cents)))
            for cents, chips, _ in self.plan()
            if cents in self.on_the_way and chips
        ]
        return TextTable(
            f"{self.head}: {figure_percent(self.probability.value)}",
            (">bankroll", "wager", ">target reached"),
            rows,
            tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        yield from model_notes(self.model)
        yield f"Searched: {self.searched}."
        off, rounds = rounded_up(self.probability.error), self.rounds_played
        if self.attained is None:
            yield (
                f"Calculated in float64: the probability is within {off},"
                f" the expected rounds within {rounded_up(rounds.error)}."
            )
        else:
            yield (
                "What the plan attains is exact; nothing that was searched does better"
                f" by more than {off}."
            )

    def __str__(self) -> str:
        table, exact = self.table(), self.attained
        reached = self.probability if exact is None else Figure(exact)
        figures = [
            ("target reached", figure_percent(reached)),
            ("rounds played, expected", figure_count(self.rounds_played)),
            ("staked, expected", figure_money(self.staked_cents)),
        ]
        more = len(table.rows) - _SHOWN
        return "\n".join(
            [
                self.head,
                "",
                *TextTable("", ("", ""), figures).lines(),
                "",
                *replace(table, rows=table.rows[:_SHOWN]).lines(),
                *([f"… and {more} more bankrolls"] if more > 0 else []),
                "",
                *table.notes,
            ]
        )


def _wagers(chips: tuple[Chips, ...]) -> str:
    """Return the wagers; if all are straight-ups, the count of numbers by stake."""
    numbers = [each for each in chips if each.wager.startswith(_STRAIGHT_UP)]
    if len(numbers) == 1:
        return " + ".join(map(str, chips))
    stakes = Counter(each.stake_cents or 0 for each in numbers)
    return " + ".join(
        [
            *(str(each) for each in chips if each not in numbers),
            *(
                f"{write_cents(cents)} on {count} number{'s' * (count > 1)}"
                for cents, count in stakes.items()
            ),
        ]
    )


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
    """Return the play with the greatest probability of the target before ruin.

    `over` is `"one-area"`, one betting area a round, of `areas` if given; or
    `"several-areas"`, any set of areas of the layout that never win together.
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
    if not kinds:
        raise SessionError("the limits leave no area on which these chips may lie")
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.best_play.exclusive import ExclusiveAreas
        from croupier.lab.best_play.search import OneArea, bold_plan, optimise
    tell, least = progress or silent, least_loss(kinds)
    optimum = optimise([OneArea(kinds, goal)], bold_plan(kinds, goal), least, tell)
    if wanted is Over.SEVERAL_AREAS:
        wheel = len(model.game.numbers)
        several = [ExclusiveAreas(group, goal, wheel) for group in families(kinds)]
        optimum = optimise(several, optimum.plan, least, tell)
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
    """Return the target in chips; raise `SessionError` if it can't be searched."""
    check_bounds(bankroll_cents, target_cents)
    check_bankroll(bankroll_cents, chip_cents)
    goal = -(-(target_cents - bankroll_cents % chip_cents) // chip_cents)
    if goal > _MOST_CHIPS[over]:
        raise SessionError(
            f"{goal:,} chips are too many to search; choose a chip unit with which the"
            f" target is {_MOST_CHIPS[over]:,} or fewer"
        )
    return goal
