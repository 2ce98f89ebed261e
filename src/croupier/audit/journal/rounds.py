"""A round as the auditor sees it: its terms, its announcements, its wagers."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Protocol

import numpy as np

from croupier.audit.journal.money import SeatHolders
from croupier.audit.journal.problems import AuditProblem
from croupier.batch.compiled import Column, CompiledGame, compile_game
from croupier.journal.events.table import BallStated
from croupier.rules.clause import Clause, Rule
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.game import Game, Irregularity, Settings
from croupier.rules.notation import NotationError, read_wager
from croupier.rules.operator import Person
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.reasons import Reason
from croupier.rules.terms import (
    Limit,
    Limits,
    read_limits,
    read_settings,
    write_limits,
    write_settings,
)
from croupier.rules.wheel import Number

_DIGEST = 16


class Reporter(Protocol):
    """Reports a problem at the event that is being read."""

    def __call__(
        self,
        problem: AuditProblem,
        wager: str | None = None,
        sums: tuple[int | None, int | None] | None = None,
        /,
        **values: object,
    ) -> None: ...


@dataclass(frozen=True, eq=False)
class RoundTerms:
    """The terms a round is judged by, looked up by the index of an area."""

    game: Game
    limits: Limits
    settings: Settings

    @cached_property
    def compiled(self) -> CompiledGame:
        return compile_game(self.game)

    @cached_property
    def lines(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return write_limits(self.limits), write_settings(self.settings)

    @cached_property
    def digest(self) -> str:
        """The digest that each event judged by these terms carries."""
        limits, settings = self.lines
        text = "\n".join((*limits, *settings))
        return sha256(text.encode()).hexdigest()[:_DIGEST]

    @cached_property
    def limit_of(self) -> tuple[Limit | None, ...]:
        return tuple(self.limits.of(area.wager_type) for area in self.game.areas)

    @cached_property
    def unlimited(self) -> tuple[str, ...]:
        kinds = [area.wager_type.value for area in self.game.areas]
        without = zip(kinds, self.limit_of, strict=True)
        return tuple(sorted({kind for kind, limit in without if limit is None}))

    @cached_property
    def minimum_cents(self) -> Column:
        least = [0 if each is None else each.minimum_cents for each in self.limit_of]
        return np.array(least, np.int64)

    @cached_property
    def cap_of(self) -> tuple[int | None, ...] | None:
        """The cap on each area over all Players; None if the table has none (A8)."""
        caps = self.settings.area_maximum_cents
        if not caps or not self.game.provides(Rule.AREA_MAXIMUM):
            return None
        general = caps.get(None)
        return tuple(caps.get(area.wager_type, general) for area in self.game.areas)

    @cached_property
    def lays_below(self) -> bool:
        """Whether chips laid under the minimum wait for the outcome (A11)."""
        return self.game.provides(Rule.UNDER_MINIMUM)

    @cached_property
    def lays_above(self) -> bool:
        return self.game.provides(Rule.OVER_MAXIMUM)

    @cached_property
    def ways(self) -> frozenset[bool]:
        """The ways of placing wagers: True electronically, False with chips."""
        rules = {True: Rule.ELECTRONIC_PLACING, False: Rule.CHIPS_ON_LAYOUT}
        provides = self.game.provides
        return frozenset(way for way, rule in rules.items() if provides(rule))

    @cached_property
    def pay_clauses(self) -> tuple[str, ...]:
        """The clause that pieces cite, by area index."""
        listed = self.game.pay_clauses
        return tuple(listed[area.name] for area in self.game.areas)

    @cached_property
    def zero_clauses(self) -> tuple[str, ...]:
        """The clause that pieces cite if a zero came up, by area index."""
        if not self.game.provides(Rule.ZERO):
            return self.pay_clauses
        return (self.game.clause(Rule.ZERO).number,) * len(self.game.areas)

    @cached_property
    def judges_at_outcome(self) -> bool:
        has_limits = bool(self.limits.general or self.limits.by_type)
        return has_limits and (self.lays_below or self.lays_above)


@lru_cache(maxsize=4_096)
def pieces_of(terms: RoundTerms, name: str) -> tuple[str, ...]:
    """Return the areas of a wager's pieces; none if the game lacks it."""
    try:
        text = read_wager(name, terms.game.multiples)
    except NotationError:
        return ()
    placement = find_placement(terms.game, terms.settings, text)
    if not isinstance(placement, Placement) or placement.name != name:
        return ()
    return tuple(area.name for area in placement.areas)


@lru_cache(maxsize=256)
def read_terms(
    game: Game, limits: tuple[str, ...], settings: tuple[str, ...]
) -> RoundTerms | None:
    """Return the terms in the lines; None if they can't be read."""
    try:
        known = read_settings(game, settings, is_recorded=True)
        return RoundTerms(game, read_limits(limits), known)
    except NotationError:
        return None


@dataclass(slots=True)
class PlacedWager:
    """A wager on the layout."""

    wager_id: str
    player: str
    name: str
    areas: tuple[int, ...]
    """The index of each piece's area."""
    cents: tuple[int, ...]
    """The stake on each piece, with every increase."""
    order: int
    registered: bool
    electronic: bool
    terminal: str | None
    colour: str | None
    stay: int | None
    """The stay of an anonymous Player at the terminal; None: a named Player."""
    lifted: bool = False
    """Withdrawn after the drop: it stays listed, and is returned (A28)."""
    increases: tuple[tuple[int, int], ...] = ()
    """Each increase: its place in the order, and the cents added to each piece."""


@dataclass(frozen=True, slots=True)
class AuditedRuling:
    """The sum of the rulings and decisions on a wager (A31)."""

    by: Person
    """The person who made the last of them."""
    clause: Clause
    is_decision: bool
    returned: bool = False
    area: str | None = None
    cents: int | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Consequence:
    """A round that a report must make void, or hold, at once (A32)."""

    is_void: bool
    clause: Clause
    over: Reason | None = None
    """The sensor's report that holds the round."""


_TOLD_BY_REST = frozenset(
    {Irregularity.BALL_NOT_IN_COMPARTMENT, Irregularity.BALL_OUT_OF_WHEEL}
)
"""Reports that two people answer by confirming the ball's rest (A45)."""


@dataclass(slots=True)
class _DeviceRecord:
    """Reports of devices in a round, and their answers."""

    spun: bool = False
    revolutions: int = 0
    """The highest count of the sensor."""
    closes: bool = False
    """The sensor reported a drop, or a rest in this spin: it closes the betting."""
    just_dropped: bool = False
    """The sensor's last report was the first one of the drop."""
    unannounced: bool = False
    """The house closed the betting by the sensor; the Dealer may still announce it."""
    at_rest: Number | None = None
    """The compartment that the sensor reported last in this spin."""
    rest_confirmed: bool = False
    """Two people have confirmed the ball since then."""
    stray: Number | None = None
    """A rest that the sensor reported before the spin, without an answer."""
    confirmed: Number | None = None
    """The compartment that two people confirmed (A46)."""
    pending: set[Irregularity] = field(default_factory=set)
    """Reports without an answer."""
    count_grows: bool = False
    """Too few revolutions are pending, and a count of four or more clears them."""
    rejected: set[Irregularity] = field(default_factory=set)
    disputed: frozenset[Irregularity] | None = None
    """The reports over which the round is held; None: it is not held over reports."""
    number_disputed: bool = False
    lit: set[Number] = field(default_factory=set)
    interrupted: bool = False
    """The table was found in the middle of this round (A38)."""
    stated: BallStated | None = None
    recovery: BallStated | None = None
    """The confirmed statement whose facts are being recorded."""

    @property
    def standing_rest(self) -> Number | None:
        """The sensor's compartment, unless two people have confirmed the ball since."""
        return None if self.rest_confirmed else self.at_rest

    @property
    def is_ball_disputed(self) -> bool:
        """Whether two people who confirm the ball answer a report (A45)."""
        is_open = self.number_disputed or self.stray is not None
        return is_open or bool(self.pending & _TOLD_BY_REST)

    @property
    def is_dispute_over(self) -> bool:
        """Whether every report that the round is held over has an answer (A45)."""
        disputed = self.disputed
        return (
            disputed is not None
            and not self.number_disputed
            and not disputed & self.pending
        )

    def confirm(self, number: Number) -> None:
        """Accept two people's word on the ball's place, not on how it got there."""
        self.confirmed, self.rest_confirmed = number, True
        self.stray, self.number_disputed = None, False
        self.answer(_TOLD_BY_REST)

    def answer(self, reports: AbstractSet[Irregularity]) -> None:
        self.pending -= reports
        few = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
        self.count_grows = self.count_grows and few in self.pending

    def go_on(self) -> None:
        self.disputed, self.number_disputed, self.just_dropped = None, False, False


@dataclass(slots=True)
class AuditedRound:
    """The state of a round after the events so far."""

    number: int
    terms: RoundTerms
    holders: SeatHolders
    """The people at the table now: one object for all rounds."""
    say: Reporter
    warned: frozenset[str] = frozenset()
    """Players whose under-minimum wagers stood in an earlier round (A47)."""
    opened: bool = False
    closed: bool = False
    spun: bool = False
    revolutions: int | None = None
    early_close: bool = False
    frozen: bool = False
    dropped: bool = False
    touched: bool = False
    """A wager was placed, increased or withdrawn after the drop (A28)."""
    at_rest: Number | None = None
    """The ball's compartment, seen or announced."""
    compartment: Number | None = None
    """The compartment where it was seen: no decision goes against it (A33)."""
    keyed: Number | None = None
    """The compartment that staff keyed."""
    drawn: tuple[Number, ...] | None = None
    outcome: Number | None = None
    decided_by: Person | None = None
    """The person who decided the outcome: no lower position changes it (A33)."""
    held: bool = False
    void: Clause | None = None
    """The clause that voided the round."""
    due: Consequence | None = None
    """The consequence of the last report, until the next event."""
    devices: _DeviceRecord = field(default_factory=_DeviceRecord)
    power_failed: bool = False
    interrupted: bool = False
    failed_terminals: set[str] = field(default_factory=set)
    staff: set[str] = field(default_factory=set)
    """The staff who acted in the round (A42)."""
    players: set[str] = field(default_factory=set)
    """The Players who have or had a wager in it."""
    wagers: dict[str, PlacedWager] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    layers: int = 0
    """The times that chips were laid: the order of placing."""
    on_area: dict[tuple[str, int], int] = field(default_factory=dict)
    """The stake of each Player on each area (A8)."""
    over_all: dict[int, int] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    rulings: dict[str, AuditedRuling] = field(default_factory=dict)
    settled: RoundSettled | None = None
    posted: list[tuple[PlacedWager, str, tuple[SettledPiece, ...]]] | None = None
    """The settlement that stands: each wager, its Player, and its pieces."""
    settlement_due: bool = False
    """A settled round was corrected or voided: it must be settled again."""

    @property
    def is_over(self) -> bool:
        return self.settled is not None and not self.settlement_due

    @property
    def is_under_way(self) -> bool:
        return self.opened and self.settled is None

    @property
    def ball_spun(self) -> bool:
        """Whether a spin is on record, the Dealer's or one that a sensor saw (A52)."""
        return self.spun or self.devices.spun

    @property
    def least_revolutions(self) -> int:
        game = self.terms.game
        return game.row(Rule.SPIN).amount if game.provides(Rule.SPIN) else 0

    def rest(self, number: Number) -> None:
        """Put a rest on record, unless another one is there already."""
        if self.at_rest in {None, number}:
            self.dropped = True
            self.at_rest = self.compartment = number

    def cites(self, clause: Clause, rule: Rule) -> None:
        """Report a citation other than the rule's clause in this game."""
        self.cites_clause(clause, self.terms.game.clause(rule))

    def cites_clause(self, clause: Clause, expected: Clause) -> None:
        if clause != expected:
            self.say(AuditProblem.CITED_CLAUSE, found=clause, expected=expected)

    @property
    def stake_cents(self) -> int:
        return sum(sum(wager.cents) for wager in self.wagers.values())

    @property
    def result(self) -> Number | None:
        """The number a settlement must name; None for a void round of some games."""
        if self.void is not None and self.terms.game.provides(Rule.VOID_WITHOUT_RESULT):
            return None
        return self.outcome
