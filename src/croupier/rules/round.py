"""A round of play: its state, and the table of the events that may follow.

Laws of this file:
- `apply` is pure: a state and an event in, a new state out;
- an event that `NEXT_PHASE` does not list for the phase is a mistake of ours;
- no rule is judged here: `decide` judges an act, and `apply` takes its events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from types import MappingProxyType

from msgspec.structs import replace

from croupier.rules import events
from croupier.rules.board import Board
from croupier.rules.bonus import Outcome
from croupier.rules.buckets import changed
from croupier.rules.clause import Clause, Rule
from croupier.rules.commands import MarkerPlace, ValueMarker
from croupier.rules.game import Game, Settings
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.sensor_facts import (
    SensorFacts,
    all_answered,
    answered,
    confirmed,
    sensed,
)
from croupier.rules.terms import Limits
from croupier.rules.wagers import Layer, Wager
from croupier.rules.wheel import Number


@unique
class Phase(Enum):
    AWAITING = "awaiting"
    BETTING = "betting"
    CLOSED = "closed"
    DECIDED = "decided"
    VOID = "void"
    HELD = "held"
    ENDED = "ended"


_AWAITING, _BETTING, _CLOSED = Phase.AWAITING, Phase.BETTING, Phase.CLOSED
_DECIDED, _VOID, _HELD, _ENDED = Phase.DECIDED, Phase.VOID, Phase.HELD, Phase.ENDED
_IN_PLAY = (_BETTING, _CLOSED, _DECIDED)
_OUTSIDE_PLAY = (_AWAITING, _ENDED)


def _staying(*phases: Phase) -> Mapping[Phase, Phase]:
    return {phase: phase for phase in phases}


# A spin is no phase: the betting may close before it or during it (v3 6.1).
_TABLE: tuple[tuple[type[events.RoundEvent], Mapping[Phase, Phase]], ...] = (
    (events.PlaceYourBetsAnnounced, {_AWAITING: _BETTING}),
    (events.WagerPlaced, _staying(_BETTING)),
    (events.WagerIncreased, _staying(_BETTING)),
    (events.WagerWithdrawn, _staying(_BETTING)),
    (events.EarlyCloseAllowed, _staying(_BETTING)),
    (events.BallSpun, _staying(_BETTING, _CLOSED)),
    (events.BallDropped, _staying(_BETTING, _CLOSED)),
    (events.BallAtRest, _staying(_BETTING, _CLOSED)),
    # Also while held: the ball doesn't wait for the decision.
    (events.SensorReported, _staying(*_IN_PLAY, _HELD, _ENDED)),
    (events.ReportAnswered, _staying(*_IN_PLAY, _HELD)),
    (events.WheelDisputed, _staying(*_IN_PLAY, _ENDED)),
    # From closed, if a sensor's drop closed the betting before the Dealer did.
    (events.NoMoreBetsAnnounced, {_BETTING: _CLOSED, _CLOSED: _CLOSED}),
    (events.LayoutFrozen, _staying(_CLOSED)),
    (events.BallRestated, _staying(_BETTING, _CLOSED, _HELD)),
    (events.BonusNumbersDrawn, _staying(_CLOSED, _HELD)),
    (events.BonusNumberUnlit, _staying(_CLOSED, _DECIDED)),
    # In betting, if the draw came during a hold (A35) and play went on.
    (events.BonusNumbersCorrected, _staying(*_IN_PLAY, _ENDED)),
    (events.OutcomeAnnounced, {_CLOSED: _DECIDED}),
    (events.DollyPlaced, _staying(_DECIDED, _HELD, _ENDED)),
    (events.ResultSent, _staying(_DECIDED, _HELD, _ENDED)),
    (events.WagerMarkedUnclear, _staying(*_IN_PLAY)),
    (events.WagerRuled, _staying(*_IN_PLAY, _HELD, _ENDED)),
    (events.IrregularityReported, _staying(*_IN_PLAY)),
    (events.NoSpinAnnounced, _staying(*_IN_PLAY)),
    (events.PowerFailed, _staying(*_IN_PLAY)),
    (events.RoundInterrupted, _staying(*_IN_PLAY)),
    (events.TerminalsInterrupted, _staying(*_IN_PLAY)),
    (events.RoundVoided, dict.fromkeys((*_IN_PLAY, _HELD, _ENDED), _VOID)),
    (events.RoundHeld, dict.fromkeys(_IN_PLAY, _HELD)),
    # `apply` replaces this by the phase before the hold.
    (events.PlayContinued, _staying(_HELD)),
    (events.OutcomeDecided, {_HELD: _DECIDED, _DECIDED: _DECIDED, _ENDED: _ENDED}),
    (events.RoundSettled, dict.fromkeys((_DECIDED, _VOID, _ENDED), _ENDED)),
    # While held, if two people confirm another number than was announced (A45).
    (events.OutcomeCorrected, _staying(_DECIDED, _HELD, _ENDED)),
    (events.LaterRoundsStand, _staying(_DECIDED, _ENDED)),
    (events.DisplayShown, _staying(*(phase for phase in Phase if phase is not _VOID))),
)
NEXT_PHASE: Mapping[tuple[Phase, type[events.RoundEvent]], Phase] = {
    (phase, event): after for event, steps in _TABLE for phase, after in steps.items()
}


@dataclass(frozen=True)
class Facts:
    """Announcements and observations of the round so far."""

    early_close_allowed: bool = False
    spun: bool = False
    """The Dealer spun; a sensor's spin is in `sensor`."""
    revolutions: int | None = None
    closed: bool = False
    closed_by_sensor: bool = False
    """A sensor's drop or rest closed it, and the Dealer has not announced it."""
    closed_late: bool = False
    """“No more bets” came after the drop (A28)."""
    dropped: bool = False
    at_rest: Number | None = None
    """The compartment, seen or announced."""
    compartment: Number | None = None
    """The compartment that was seen; no decision may contradict it (A33)."""
    touched_after_drop: bool = False
    """A wager was placed, increased or withdrawn after the drop (A28)."""
    power_failed_before_drop: bool = False
    bonus_numbers: tuple[Number, ...] | None = None
    frozen_cents: int | None = None
    interrupted: bool = False
    interrupted_terminals: frozenset[str] = frozenset()
    keyed_rest: Number | None = None
    """The compartment that staff reported."""
    sensor: SensorFacts = field(default_factory=SensorFacts)

    @property
    def closed_by_rest(self) -> bool:
        """Return whether only the sensor's rest has closed the betting (A28)."""
        return self.closed_by_sensor and not self.sensor.dropped

    @property
    def ball_spun(self) -> bool:
        """Return whether the Dealer or a sensor has recorded a spin (A52)."""
        return self.spun or self.sensor.spun


@dataclass(frozen=True, slots=True)
class ColourChips:
    """A colour at the table: its Player, and the value of one chip."""

    player: str
    value_cents: int
    marker: ValueMarker | None = None
    """The marker of its value, if that is above the minimum (v3 1.1.1)."""
    stands_on: MarkerPlace | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The clause and the reason of a void or hold, and the phase before it."""

    clause: Clause
    reason: Reason
    before: Phase


@dataclass(frozen=True, slots=True)
class Ruling:
    """The sum of the rulings and decisions on a wager (A31)."""

    by: Person
    """The person of the last one."""
    clause: Clause
    returned: bool = False
    area: str | None = None
    piece_cents: int | None = None
    player: str | None = None


@dataclass(frozen=True)
class RoundOfPlay:
    """One round at a table, from “Place your bets” to the last payment."""

    game: Game
    number: int = 1
    limits: Limits = field(default_factory=Limits)
    settings: Settings = field(default_factory=Settings)
    warned: frozenset[str] = frozenset()
    """Players whose under-minimum wagers have stood once already (A9)."""
    colours: Mapping[str, ColourChips] = field(
        default_factory=lambda: MappingProxyType({})
    )
    phase: Phase = Phase.AWAITING
    facts: Facts = field(default_factory=Facts)
    board: Board = field(default_factory=Board)
    unclear: frozenset[str] = frozenset()
    rulings: Mapping[str, Ruling] = field(default_factory=lambda: MappingProxyType({}))
    winning_number: Number | None = None
    standing: Standing | None = None
    decided_by: Person | None = None
    """The person who decided the outcome; lower positions can't change it (A33)."""
    staff: frozenset[str] = frozenset()
    """Everyone who acted as staff in the round (A42)."""
    settled: events.RoundSettled | None = None

    @property
    def outcome(self) -> Outcome:
        assert self.winning_number is not None
        drawn = self.facts.bonus_numbers or ()
        return Outcome(self.winning_number, frozenset(drawn))

    def allows(self, event: type[events.RoundEvent]) -> bool:
        return (self.phase, event) in NEXT_PHASE

    def is_in_play(self) -> bool:
        """Return whether the round is open and neither void, held nor settled."""
        return self.phase in _IN_PLAY

    @property
    def takes_wagers(self) -> bool:
        """Return whether betting is open; the ball at rest closes it, too (A28)."""
        return self.phase is Phase.BETTING and self.facts.at_rest is None

    @property
    def is_under_way(self) -> bool:
        """Return whether the round is open and not settled; it may be void or held."""
        return self.phase not in _OUTSIDE_PLAY


def apply(state: RoundOfPlay, event: events.RoundEvent) -> RoundOfPlay:
    kind = type(event)
    phase = NEXT_PHASE[state.phase, kind]
    if kind is events.PlayContinued:
        assert state.standing is not None
        phase = state.standing.before
    change = _CHANGES.get(kind)
    if change is not None:
        state = change(state, event)
    state = with_staff(state, event)
    if state.phase is phase:
        return state
    return changed(state, phase=phase)


def with_staff(state: RoundOfPlay, event: object) -> RoundOfPlay:
    """Add the people of the event to the staff of the round (A42)."""
    by = getattr(event, "by", None)
    if by is None:
        return state
    people = by if isinstance(by, tuple) else (by,)
    new = {
        each.name
        for each in people
        if each.is_of_house and each.name not in state.staff
    }
    return changed(state, staff=state.staff | new) if new else state


_Change = Callable[[RoundOfPlay, events.RoundEvent], RoundOfPlay]
_CHANGES: dict[type[events.RoundEvent], _Change] = {}


def _changes(
    *kinds: type[events.RoundEvent],
) -> Callable[[Callable[..., RoundOfPlay]], Callable[..., RoundOfPlay]]:
    """Register a function that changes the state by an event, beyond its phase."""

    def register(change: Callable[..., RoundOfPlay]) -> Callable[..., RoundOfPlay]:
        for kind in kinds:
            _CHANGES[kind] = change
        return change

    return register


def _noting(state: RoundOfPlay, **facts: object) -> RoundOfPlay:
    return changed(state, facts=changed(state.facts, **facts))


def placed_wager(game: Game, board: Board, event: events.WagerPlaced) -> Wager:
    """Return the wager that the event puts on the board."""
    areas, pieces = game.area_by_name, event.pieces
    return Wager(
        wager_id=event.wager_id,
        player=event.player,
        name=event.wager,
        areas=tuple([areas[piece.area] for piece in pieces]),
        layers=(Layer(board.layers, tuple([piece.cents for piece in pieces])),),
        electronic=event.electronic,
        registered=event.registered,
        terminal=event.terminal,
        stay=event.stay,
        colour=event.colour,
        marker=event.marker,
    )


@_changes(events.WagerPlaced)
def _placed(state: RoundOfPlay, event: events.WagerPlaced) -> RoundOfPlay:
    wager = placed_wager(state.game, state.board, event)
    return _laid(state, state.board.with_wager(wager))


@_changes(events.WagerIncreased)
def _increased(state: RoundOfPlay, event: events.WagerIncreased) -> RoundOfPlay:
    wager = state.board.wagers.get(event.wager_id)
    assert wager is not None
    if event.marker is not None:
        wager = replace(wager, marker=event.marker)
    added = (event.piece_cents,) * len(wager.areas)
    return _laid(state, state.board.with_layer(wager, added))


def _laid(state: RoundOfPlay, board: Board) -> RoundOfPlay:
    state = changed(state, board=board)
    if state.facts.dropped and not state.facts.touched_after_drop:
        return _noting(state, touched_after_drop=True)
    return state


@_changes(events.WagerWithdrawn)
def _withdrawn(state: RoundOfPlay, event: events.WagerWithdrawn) -> RoundOfPlay:
    wager = state.board.wagers.get(event.wager_id)
    assert wager is not None
    state = changed(state, unclear=state.unclear - {event.wager_id})
    if event.late:
        return _laid(state, state.board.lifting(wager))
    return changed(state, board=state.board.without(wager))


@_changes(events.EarlyCloseAllowed)
def _early(state: RoundOfPlay, _: events.EarlyCloseAllowed) -> RoundOfPlay:
    return _noting(state, early_close_allowed=True)


@_changes(events.BallSpun)
def _spun(state: RoundOfPlay, event: events.BallSpun) -> RoundOfPlay:
    return _noting(state, spun=True, revolutions=event.revolutions)


@_changes(events.NoMoreBetsAnnounced)
def _closed(state: RoundOfPlay, event: events.NoMoreBetsAnnounced) -> RoundOfPlay:
    facts, setting = state.facts, state.settings.close_on_drop
    by_sensor = setting and facts.sensor.has_dropped and not facts.closed
    return _noting(
        state, closed=True, closed_late=event.late, closed_by_sensor=by_sensor
    )


@_changes(events.LayoutFrozen)
def _frozen(state: RoundOfPlay, event: events.LayoutFrozen) -> RoundOfPlay:
    return _noting(state, frozen_cents=event.stake_cents)


@_changes(events.BonusNumbersDrawn)
def _drawn(state: RoundOfPlay, event: events.BonusNumbersDrawn) -> RoundOfPlay:
    return _noting(state, bonus_numbers=event.numbers)


@_changes(events.BallDropped)
def _dropped(state: RoundOfPlay, _: events.BallDropped) -> RoundOfPlay:
    return _noting(state, dropped=True)


@_changes(events.BallAtRest)
def _at_rest(state: RoundOfPlay, event: events.BallAtRest) -> RoundOfPlay:
    state = _noting(state, keyed_rest=event.number)
    if event.confirmed_by is not None:
        sensor = confirmed(state.facts.sensor, event.number)
        state = _noting(state, sensor=sensor)
    return _seen(state, event.number)


def _seen(state: RoundOfPlay, number: Number) -> RoundOfPlay:
    """Put a rest on record, unless another one is there already."""
    if state.facts.at_rest not in {None, number}:
        return state
    return _noting(state, dropped=True, at_rest=number, compartment=number)


@_changes(events.SensorReported)
def _sensed(state: RoundOfPlay, event: events.SensorReported) -> RoundOfPlay:
    is_of_spin = state.facts.ball_spun
    sensor = sensed(state.facts.sensor, state.game, event, spun=is_of_spin)
    state = _noting(state, sensor=sensor)
    if event.fact == "dropped" and is_of_spin:
        return _noting(state, dropped=True)
    if event.fact == "at_rest" and is_of_spin and event.number is not None:
        return _seen(state, event.number)
    return state


@_changes(events.ReportAnswered)
def _answered(state: RoundOfPlay, event: events.ReportAnswered) -> RoundOfPlay:
    return _noting(state, sensor=answered(state.facts.sensor, event))


@_changes(events.WheelDisputed)
def _disputed(state: RoundOfPlay, event: events.WheelDisputed) -> RoundOfPlay:
    return _noting(state, sensor=changed(state.facts.sensor, dispute=event))


@_changes(events.BallRestated)
def _restated(state: RoundOfPlay, event: events.BallRestated) -> RoundOfPlay:
    number = event.corrected_to
    return _noting(
        state,
        dropped=True,
        at_rest=number,
        compartment=number,
        keyed_rest=number,
        sensor=confirmed(state.facts.sensor, number),
    )


@_changes(events.OutcomeAnnounced, events.OutcomeDecided)
def _decided(
    state: RoundOfPlay, event: events.OutcomeAnnounced | events.OutcomeDecided
) -> RoundOfPlay:
    state = _noting(state, closed=True, dropped=True, at_rest=event.number)
    if isinstance(event, events.OutcomeDecided):
        state = changed(state, decided_by=event.by)
    return changed(state, winning_number=event.number, standing=None)


@_changes(events.PlayContinued)
def _continued(state: RoundOfPlay, event: events.PlayContinued) -> RoundOfPlay:
    sensor = changed(state.facts.sensor, dispute=None)
    if event.clause == state.game.clause(Rule.REFERRAL):
        sensor = all_answered(sensor)
    return changed(_noting(state, sensor=sensor), standing=None)


@_changes(events.OutcomeCorrected)
def _corrected(state: RoundOfPlay, event: events.OutcomeCorrected) -> RoundOfPlay:
    number = event.corrected_to
    if state.facts.compartment is not None:
        state = _noting(state, compartment=number)
    if state.facts.keyed_rest is not None:
        state = _noting(state, keyed_rest=number)
    return changed(_noting(state, at_rest=number), winning_number=number)


@_changes(events.BonusNumbersCorrected)
def _redrawn(state: RoundOfPlay, event: events.BonusNumbersCorrected) -> RoundOfPlay:
    return _noting(state, bonus_numbers=event.corrected_to)


@_changes(events.WagerMarkedUnclear)
def _unclear(state: RoundOfPlay, event: events.WagerMarkedUnclear) -> RoundOfPlay:
    return changed(state, unclear=state.unclear | {event.wager_id})


@_changes(events.WagerRuled)
def _ruled(state: RoundOfPlay, event: events.WagerRuled) -> RoundOfPlay:
    rulings = {**state.rulings, event.wager_id: _added_up(state, event)}
    unclear = state.unclear - {event.wager_id}
    board = state.board
    if event.player is not None:  # A41: the wager is this Player's now (A42)
        players = board.players.with_entry(event.player, True)
        board = changed(board, players=players)
    return changed(state, rulings=rulings, unclear=unclear, board=board)


def _added_up(state: RoundOfPlay, event: events.WagerRuled) -> Ruling:
    """Add a ruling to the earlier ones; a return cancels those before it (A31)."""
    if event.returns:
        return Ruling(event.by, event.clause, returned=True)
    before = state.rulings.get(event.wager_id)
    if before is None or before.returned:
        before = Ruling(event.by, event.clause)
    return Ruling(
        event.by,
        event.clause,
        area=event.area or before.area,
        piece_cents=event.piece_cents or before.piece_cents,
        player=event.player or before.player,
    )


@_changes(events.PowerFailed)
def _power_failed(state: RoundOfPlay, _: events.PowerFailed) -> RoundOfPlay:
    facts = state.facts
    before_drop = facts.power_failed_before_drop or not facts.dropped
    return _noting(state, power_failed_before_drop=before_drop)


@_changes(events.RoundInterrupted)
def _interrupted(state: RoundOfPlay, _: events.RoundInterrupted) -> RoundOfPlay:
    return _noting(state, interrupted=True)


@_changes(events.TerminalsInterrupted)
def _terminals(state: RoundOfPlay, event: events.TerminalsInterrupted) -> RoundOfPlay:
    failed = state.facts.interrupted_terminals.union(event.terminals)
    return _noting(state, interrupted_terminals=failed)


@_changes(events.RoundVoided, events.RoundHeld)
def _stands(
    state: RoundOfPlay, event: events.RoundVoided | events.RoundHeld
) -> RoundOfPlay:
    before = state.phase
    return changed(state, standing=Standing(event.clause, event.reason, before))


@_changes(events.RoundSettled)
def _settled(state: RoundOfPlay, event: events.RoundSettled) -> RoundOfPlay:
    return changed(state, settled=event)
