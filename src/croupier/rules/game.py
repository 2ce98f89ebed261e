"""A game: one approved document as data, row by row.

A game knows only its rows. `without` removes one clause and leaves the rest; tests use
it to show the effect of each row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from functools import cached_property
from types import MappingProxyType

from croupier.rules.clause import Clause, Rule
from croupier.rules.layout import (
    INSIDE,
    BettingArea,
    Layout,
    WagerType,
    derive_areas,
)
from croupier.rules.operator import Operator, Person, Role
from croupier.rules.reasons import PlainReason, Reason, RuleReason
from croupier.rules.wheel import Number, list_numbers

READINGS = "readings"
"""The “document” that a citation of our own readings names: A1 to A53, W1, N1 …"""


@unique
class Irregularity(Enum):
    """A way in which ball or wheel can go wrong."""

    BALL_SAME_DIRECTION = "ball_same_direction"
    BALL_DROPPED_WITHOUT_SPIN = "ball_dropped_without_spin"
    FEWER_THAN_FOUR_REVOLUTIONS = "fewer_than_four_revolutions"
    FOREIGN_OBJECT = "foreign_object"
    BALL_NOT_IN_COMPARTMENT = "ball_not_in_compartment"
    BALL_OUT_OF_WHEEL = "ball_out_of_wheel"
    BALL_BROKE = "ball_broke"
    WHEEL_STOPPED = "wheel_stopped"
    WHEEL_NOT_ROTATING = "wheel_not_rotating"
    PERSON_INTERFERED = "person_interfered"
    UNLISTED = "unlisted"

    @property
    def reason(self) -> Reason:
        return RuleReason[self.name]()


@unique
class Status(Enum):
    """The status that Bonus Numbers give a winning number; only the highest counts."""

    NON_BONUS = "non_bonus"
    BONUS = "bonus"
    SUPER_BONUS = "super_bonus"


Pays = int | Mapping[Status, int]
"""The pay to one; by status if the outcome's status matters (Fast Action 4.1)."""


@dataclass(frozen=True, slots=True)
class FixedPieces:
    """A multiple-piece wager on the same areas every time; doubled areas twice."""

    word: str
    areas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Straight-ups on a number and its neighbours on the ring (readings A23)."""

    radii: tuple[int, ...]
    word: str = "neighbours"

    @property
    def usual_radius(self) -> int:
        """The radius of a wager that states none: the only one, or 2."""
        return self.radii[0] if len(self.radii) == 1 else 2


@dataclass(frozen=True, slots=True)
class Finales:
    """Straight-ups on the numbers that end in one digit (readings A19)."""

    word: str = "finales"


@dataclass(frozen=True, slots=True)
class Complete:
    """Every inside area of a number, or of a dozen's numbers (A6, A7)."""

    word: str = "complete"
    at_maximum: bool = False


MultiplePiece = FixedPieces | Neighbours | Finales | Complete


@unique
class CompleteDozen(Enum):
    """Readings A7: the areas that touch the dozen, or those wholly inside it."""

    TOUCHING = "touching"
    INSIDE = "inside"


@unique
class FinaleZero(Enum):
    """Readings A19: Finale 0 with every zero, or with the single zero alone."""

    ALL = "all"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices that the readings leave to a table."""

    complete_dozen: CompleteDozen = CompleteDozen.TOUCHING
    finale_zero: FinaleZero = FinaleZero.ALL
    area_maximum_cents: Mapping[WagerType | None, int] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """A8: the cap on an area over all Players, by type; None stands for other types."""
    ring: tuple[Number, ...] | None = None
    """W1: another order of the compartments; None is the game's own."""
    close_on_drop: bool = True
    """A28: if set, a sensor's report of the drop closes the betting."""


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause of a document or one reading of ours, with the rules it provides."""

    number: str
    rules: tuple[Rule, ...]
    says: str
    by: tuple[Role, ...] = ()
    or_above: bool = False
    areas: tuple[WagerType, ...] = ()
    pays: Mapping[WagerType, Pays] = field(default_factory=dict)
    voids: Irregularity | None = None
    multiple: MultiplePiece | None = None
    numbers: tuple[Number, ...] = ()
    amount: int = 0
    """Four revolutions; ten Bonus Numbers."""
    draws: tuple[str, ...] = ()
    """The clauses that a diagram or an appendix only draws."""

    @property
    def asks_of_software(self) -> bool:
        return bool(self.rules or self.draws)


def row(
    number: str,
    *rules: Rule,
    says: str = "",
    by: tuple[Role, ...] = (),
    or_above: bool = False,
    areas: tuple[WagerType, ...] = (),
    pays: Mapping[WagerType, Pays] | None = None,
    voids: Irregularity | None = None,
    multiple: MultiplePiece | None = None,
    numbers: tuple[Number, ...] = (),
    amount: int = 0,
    draws: tuple[str, ...] = (),
) -> ClauseRow:
    """Make a row; `says` defaults to the texts of its rules."""
    if voids is not None:
        rules = (Rule.IRREGULARITY, *rules)
        says = says or f"The round is void if {voids.reason}."
    return ClauseRow(
        number=number,
        rules=rules,
        says=says or " ".join(rule.value for rule in rules),
        by=by,
        or_above=or_above,
        areas=areas,
        pays=pays or {},
        voids=voids,
        multiple=multiple,
        numbers=numbers,
        amount=amount,
        draws=draws,
    )


@dataclass(frozen=True, eq=False)
class Game:
    """One approved document, compiled from its rows."""

    name: str
    title: str
    document: str
    effective: str
    """The day it took effect, ISO 8601."""
    operator: Operator
    layout: Layout
    ring: tuple[Number, ...]
    clauses: tuple[ClauseRow, ...]
    settings: tuple[str, ...] = ("area_maximum", "close_on_drop")
    """The settings of `Settings` that mean something in this game."""
    illustrative_ring: bool = False
    """W2: the ring is for pictures only."""

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.document}>"

    def without(self, number: str) -> Game:
        """Return this game without the row of one clause."""
        kept = tuple(row for row in self.clauses if row.number != number)
        assert len(kept) < len(self.clauses), number
        return replace(self, clauses=kept)

    @cached_property
    def document_rows(self) -> tuple[ClauseRow, ...]:
        """The rows of the document itself, without readings of ours."""
        return tuple(
            each for each in self.clauses if self.cite(each.number).document != READINGS
        )

    @cached_property
    def _first_row(self) -> Mapping[Rule, ClauseRow]:
        first: dict[Rule, ClauseRow] = {}
        for each in self.clauses:
            for rule in each.rules:
                first.setdefault(rule, each)
        return first

    def provides(self, rule: Rule) -> bool:
        return rule in self._first_row

    def row(self, rule: Rule) -> ClauseRow:
        """Return the row that provides the rule, which must exist."""
        return self._first_row[rule]

    def rows(self, rule: Rule) -> list[ClauseRow]:
        """Return all rows that provide the rule."""
        return [each for each in self.clauses if rule in each.rules]

    def clause(self, rule: Rule) -> Clause:
        """Return the citation of a rule; A12 if no row provides it."""
        return self._citations[rule]

    @cached_property
    def _citations(self) -> Mapping[Rule, Clause]:
        rows = self._first_row
        numbers = {rule: rows[rule].number if rule in rows else "A12" for rule in Rule}
        return {rule: self.cite(number) for rule, number in numbers.items()}

    def cite(self, number: str) -> Clause:
        is_reading = number[0] in "AWSN" and number[1:].isdecimal()
        return Clause(READINGS if is_reading else self.document, number)

    def may(self, person: Person, rule: Rule) -> bool:
        """Return whether the rule's row names the person's position or one below it."""
        found = self._first_row.get(rule)
        if found is None:
            return False
        if person.acting and not self._may_act(person.role):
            return False
        if person.role in found.by:
            return True
        climbs = found.or_above or self.provides(Rule.HIGHER_POSITIONS)
        return climbs and any(
            self.operator.is_above(person.role, position) for position in found.by
        )

    def _may_act(self, role: Role) -> bool:
        found = self._first_row.get(Rule.ACTING)
        return found is not None and role in found.by

    def is_staff(self, person: Person) -> bool:
        """Return whether the person holds or may act in a position of the operator."""
        if person.acting and not self._may_act(person.role):
            return False
        return person.role in self.operator.ladder

    def is_supervisor(self, person: Person) -> bool:
        """Return whether the person is staff, as Pit Supervisor or above."""
        supervisor = Role.PIT_SUPERVISOR
        return self.is_staff(person) and (
            person.role is supervisor or self.operator.is_above(person.role, supervisor)
        )

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers in layout order."""
        return tuple(n for each in self.rows(Rule.NUMBERS) for n in each.numbers)

    def naming_numbers(self, reason: Reason) -> Reason:
        """Add the game's numbers to a reason about a number that it lacks."""
        return PlainReason.NUMBERS_ARE(
            reason=reason, numbers=list_numbers(self.numbers)
        )

    def no_compartment(self, number: str) -> Reason:
        """Return the reason to refuse a number that the wheel lacks."""
        return self.naming_numbers(
            RuleReason.NO_COMPARTMENT(game=self.title, number=number)
        )

    @cached_property
    def areas(self) -> tuple[BettingArea, ...]:
        """The published betting areas, by type and in layout order."""
        if not self.provides(Rule.LAYOUT):
            return ()
        rows = self.rows(Rule.BETTING_AREA)
        published = frozenset(kind for each in rows for kind in each.areas)
        known = frozenset(self.numbers)
        areas = derive_areas(self.layout, published)
        return tuple(area for area in areas if area.numbers <= known)

    @cached_property
    def area_by_name(self) -> Mapping[str, BettingArea]:
        return {area.name: area for area in self.areas}

    @cached_property
    def area_by_numbers(self) -> Mapping[frozenset[Number], BettingArea]:
        """The areas that are named by their numbers alone, such as `1/2`."""
        named = INSIDE | {WagerType.TOP_LINE}
        found = [area for area in self.areas if area.wager_type in named]
        return {area.numbers: area for area in reversed(found)}

    @cached_property
    def pay_table(self) -> Mapping[WagerType, Pays]:
        tables = [each.pays for each in self.rows(Rule.PAY_TABLE)]
        return {kind: pays for table in tables for kind, pays in table.items()}

    @cached_property
    def pay_clauses(self) -> Mapping[str, str]:
        """The number of the pay table's clause, by the name of the area."""
        listed = {
            kind: each.number
            for each in self.rows(Rule.PAY_TABLE)
            for kind in each.pays
        }
        unlisted = self.clause(Rule.PAY_TABLE).number
        return {area.name: listed.get(area.wager_type, unlisted) for area in self.areas}

    @cached_property
    def multiples(self) -> Mapping[str, tuple[ClauseRow, MultiplePiece]]:
        """The multiple-piece wagers by their first word, each with its row."""
        return {
            each.multiple.word: (each, each.multiple)
            for each in self.rows(Rule.MULTIPLE_PIECE)
            if each.multiple is not None
        }

    @cached_property
    def voiding(self) -> Mapping[Irregularity, Clause]:
        """The irregularities that void the round, each with its clause."""
        return {
            each.voids: self.cite(each.number)
            for each in self.rows(Rule.IRREGULARITY)
            if each.voids is not None
        }
