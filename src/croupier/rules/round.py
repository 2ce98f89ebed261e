"""A round of play: its state, and the one table of what may follow what.

Laws of this file:
- `apply` is pure: a state and an event in, a new state out;
- an event that `NEXT_PHASE` does not list for the phase is a mistake of ours;
- no rule is judged here: `decide` judges, and what it lets through is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from types import MappingProxyType

from croupier.rules import events as ev
from croupier.rules.bonus import Outcome
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.clause import Clause
from croupier.rules.game import Game, Settings
from croupier.rules.layout import BettingArea
from croupier.rules.reasons import Reason
from croupier.rules.terms import Limits
from croupier.rules.wagers import Layer, Wager
from croupier.rules.wheel import Number


@unique
class Phase(Enum):
    """Where a round of play stands."""

    AWAITING = "awaiting"
    BETTING = "betting"
    CLOSED = "closed"
    DECIDED = "decided"
    VOID = "void"
    HELD = "held"
    ENDED = "ended"


_AWAITING, _BETTING, _CLOSED = Phase.AWAITING, Phase.BETTING, Phase.CLOSED
_DECIDED, _VOID, _HELD, _ENDED = Phase.DECIDED, Phase.VOID, Phase.HELD, Phase.ENDED

# A spin is no phase: the betting may close before it or during it (v3 6.1).
_TABLE: tuple[tuple[type[ev.RoundEvent], Mapping[Phase, Phase]], ...] = (
    (ev.PlaceYourBetsAnnounced, {_AWAITING: _BETTING}),
    (ev.WagerPlaced, {_BETTING: _BETTING}),
    (ev.WagerIncreased, {_BETTING: _BETTING}),
    (ev.WagerWithdrawn, {_BETTING: _BETTING}),
    (ev.EarlyCloseAllowed, {_BETTING: _BETTING}),
    (ev.BallSpun, {_BETTING: _BETTING, _CLOSED: _CLOSED}),
    (ev.BallDropped, {_BETTING: _BETTING, _CLOSED: _CLOSED}),
    (ev.BallAtRest, {_BETTING: _BETTING, _CLOSED: _CLOSED}),
    (ev.NoMoreBetsAnnounced, {_BETTING: _CLOSED}),
    (ev.LayoutFrozen, {_CLOSED: _CLOSED}),
    (ev.BonusNumbersDrawn, {_CLOSED: _CLOSED}),
    (ev.BonusNumberUnlit, {_CLOSED: _CLOSED}),
    (ev.OutcomeAnnounced, {_CLOSED: _DECIDED}),
    (ev.DollyPlaced, {_DECIDED: _DECIDED, _ENDED: _ENDED}),
    (ev.ResultSent, {_DECIDED: _DECIDED, _ENDED: _ENDED}),
    (
        ev.WagerMarkedUnclear,
        {_BETTING: _BETTING, _CLOSED: _CLOSED, _DECIDED: _DECIDED},
    ),
    (ev.WagerRuled, {_DECIDED: _DECIDED, _HELD: _HELD}),
    (
        ev.IrregularityReported,
        {_BETTING: _BETTING, _CLOSED: _CLOSED, _DECIDED: _DECIDED},
    ),
    (ev.NoSpinAnnounced, {_BETTING: _BETTING, _CLOSED: _CLOSED, _DECIDED: _DECIDED}),
    (ev.PowerFailed, {_BETTING: _BETTING, _CLOSED: _CLOSED, _DECIDED: _DECIDED}),
    (ev.RoundInterrupted, {_BETTING: _BETTING, _CLOSED: _CLOSED, _DECIDED: _DECIDED}),
    (
        ev.TerminalsInterrupted,
        {_BETTING: _BETTING, _CLOSED: _CLOSED, _DECIDED: _DECIDED},
    ),
    (
        ev.RoundVoided,
        {
            _BETTING: _VOID,
            _CLOSED: _VOID,
            _DECIDED: _VOID,
            _HELD: _VOID,
            _ENDED: _VOID,
        },
    ),
    (ev.RoundHeld, {_BETTING: _HELD, _CLOSED: _HELD, _DECIDED: _HELD}),
    (ev.OutcomeDecided, {_HELD: _DECIDED}),
    (ev.RoundSettled, {_DECIDED: _ENDED, _VOID: _ENDED, _ENDED: _ENDED}),
    (ev.OutcomeCorrected, {_DECIDED: _DECIDED, _ENDED: _ENDED}),
    (ev.LaterRoundsStand, {_DECIDED: _DECIDED, _ENDED: _ENDED}),
    (
        ev.DisplayShown,
        {phase: phase for phase in Phase if phase is not _VOID},
    ),
)
NEXT_PHASE: Mapping[tuple[Phase, type[ev.RoundEvent]], Phase] = {
    (phase, event): after for event, steps in _TABLE for phase, after in steps.items()
}


@dataclass(frozen=True)
class Facts:
    """What has been announced and seen in the round so far."""

    early_close_allowed: bool = False
    spun: bool = False
    closed: bool = False
    dropped: bool = False
    at_rest: Number | None = None
    wagered_after_drop: bool = False
    power_failed_before_drop: bool = False
    bonus_numbers: tuple[Number, ...] | None = None
    frozen_cents: int | None = None
    interrupted_terminals: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Board:
    """The chips on the layout."""

    wagers: BucketMap[str, Wager] = field(default_factory=BucketMap)
    player_cents: BucketMap[tuple[str, str], int] = field(default_factory=BucketMap)
    """What a Player has on an area, plain, by racetrack or by complete wager (A8)."""
    area_cents: BucketMap[str, int] | None = None
    """What all Players have on an area, at a table that caps it (A8)."""
    stake_cents: int = 0
    """Everything on the layout, registered or not."""
    layers: int = 0
    withdrawn: frozenset[str] = frozenset()
    """Ids that have been used and are not to be used again in the round."""

    def player_on(self, player: str, area: BettingArea) -> int:
        return self.player_cents.get((player, area.name)) or 0

    def all_on(self, area: BettingArea) -> int:
        return 0 if self.area_cents is None else self.area_cents.get(area.name) or 0

    def has_used(self, wager_id: str) -> bool:
        return wager_id in self.wagers or wager_id in self.withdrawn

    def in_order(self) -> list[Wager]:
        """Return the wagers in the order of placing."""
        return sorted(self.wagers.values(), key=lambda wager: wager.layers[0].order)

    def with_layer(self, wager: Wager, cents: tuple[int, ...]) -> Board:
        """Lay a further layer of chips on the wager's pieces."""
        layered = replace(wager, layers=(*wager.layers, Layer(self.layers, cents)))
        return self.with_wager(layered)

    def with_wager(self, wager: Wager) -> Board:
        """Lay the wager; only its last layer of chips is new."""
        wagers = self.wagers.with_entry(wager.wager_id, wager)
        return self._counting(wager, wager.layers[-1].cents, wagers, self.layers + 1)

    def without(self, wager: Wager) -> Board:
        lifted = tuple(-cents for cents in wager.piece_cents)
        wagers = self.wagers.without(wager.wager_id)
        board = self._counting(wager, lifted, wagers, self.layers)
        return changed(board, withdrawn=self.withdrawn | {wager.wager_id})

    def _counting(
        self,
        wager: Wager,
        cents: tuple[int, ...],
        wagers: BucketMap[str, Wager],
        layers: int,
    ) -> Board:
        by_player, by_area = self.player_cents, self.area_cents
        if wager.registered:
            for area, added in zip(wager.areas, cents, strict=True):
                key = (wager.player, area.name)
                by_player = by_player.with_entry(key, (by_player.get(key) or 0) + added)
                if by_area is not None:
                    on_area = (by_area.get(area.name) or 0) + added
                    by_area = by_area.with_entry(area.name, on_area)
        stake_cents = self.stake_cents + sum(cents)
        return changed(
            self,
            wagers=wagers,
            player_cents=by_player,
            area_cents=by_area,
            stake_cents=stake_cents,
            layers=layers,
        )


@dataclass(frozen=True, slots=True)
class ColourChips:
    """A colour at the table: whose it is and what one chip is worth."""

    player: str
    value_cents: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The clause by which a round is void or held, and why."""

    clause: Clause
    reason: Reason


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
    rulings: Mapping[str, ev.WagerRuled] = field(
        default_factory=lambda: MappingProxyType({})
    )
    winning_number: Number | None = None
    standing: Standing | None = None
    settled: ev.RoundSettled | None = None

    @property
    def outcome(self) -> Outcome:
        assert self.winning_number is not None
        drawn = self.facts.bonus_numbers or ()
        return Outcome(self.winning_number, frozenset(drawn))

    def allows(self, event: type[ev.RoundEvent]) -> bool:
        """Whether the table lets this event follow in this phase."""
        return (self.phase, event) in NEXT_PHASE

    def is_in_play(self) -> bool:
        """From the opening until settlement."""
        return self.phase in {Phase.BETTING, Phase.CLOSED, Phase.DECIDED}


def apply(state: RoundOfPlay, event: ev.RoundEvent) -> RoundOfPlay:
    """Return the round after the event."""
    kind = type(event)
    phase = NEXT_PHASE[state.phase, kind]
    change = _CHANGES.get(kind)
    if change is not None:
        state = change(state, event)
    if state.phase is phase:
        return state
    return changed(state, phase=phase)


_Change = Callable[[RoundOfPlay, ev.RoundEvent], RoundOfPlay]
_CHANGES: dict[type[ev.RoundEvent], _Change] = {}


def _changes(
    *kinds: type[ev.RoundEvent],
) -> Callable[[Callable[..., RoundOfPlay]], Callable[..., RoundOfPlay]]:
    """Register how an event changes the state beyond its phase."""

    def register(change: Callable[..., RoundOfPlay]) -> Callable[..., RoundOfPlay]:
        for kind in kinds:
            _CHANGES[kind] = change
        return change

    return register


def _noting(state: RoundOfPlay, **facts: object) -> RoundOfPlay:
    return changed(state, facts=changed(state.facts, **facts))


@_changes(ev.WagerPlaced)
def _placed(state: RoundOfPlay, event: ev.WagerPlaced) -> RoundOfPlay:
    areas = state.game.area_by_name
    cents = tuple([piece.cents for piece in event.pieces])
    wager = Wager(
        wager_id=event.wager_id,
        player=event.player,
        name=event.wager,
        areas=tuple([areas[piece.area] for piece in event.pieces]),
        layers=(Layer(state.board.layers, cents),),
        electronic=event.electronic,
        registered=event.registered,
        terminal=event.terminal,
        colour=event.colour,
    )
    return _laid(state, state.board.with_wager(wager))


@_changes(ev.WagerIncreased)
def _increased(state: RoundOfPlay, event: ev.WagerIncreased) -> RoundOfPlay:
    wager = state.board.wagers.get(event.wager_id)
    assert wager is not None
    added = (event.piece_cents,) * len(wager.areas)
    return _laid(state, state.board.with_layer(wager, added))


def _laid(state: RoundOfPlay, board: Board) -> RoundOfPlay:
    state = changed(state, board=board)
    if state.facts.dropped and not state.facts.wagered_after_drop:
        return _noting(state, wagered_after_drop=True)
    return state


@_changes(ev.WagerWithdrawn)
def _withdrawn(state: RoundOfPlay, event: ev.WagerWithdrawn) -> RoundOfPlay:
    wager = state.board.wagers.get(event.wager_id)
    assert wager is not None
    return changed(
        state,
        board=state.board.without(wager),
        unclear=state.unclear - {event.wager_id},
    )


@_changes(ev.EarlyCloseAllowed)
def _early(state: RoundOfPlay, _: ev.EarlyCloseAllowed) -> RoundOfPlay:
    return _noting(state, early_close_allowed=True)


@_changes(ev.BallSpun)
def _spun(state: RoundOfPlay, _: ev.BallSpun) -> RoundOfPlay:
    return _noting(state, spun=True)


@_changes(ev.NoMoreBetsAnnounced)
def _closed(state: RoundOfPlay, _: ev.NoMoreBetsAnnounced) -> RoundOfPlay:
    return _noting(state, closed=True)


@_changes(ev.LayoutFrozen)
def _frozen(state: RoundOfPlay, event: ev.LayoutFrozen) -> RoundOfPlay:
    return _noting(state, frozen_cents=event.stake_cents)


@_changes(ev.BonusNumbersDrawn)
def _drawn(state: RoundOfPlay, event: ev.BonusNumbersDrawn) -> RoundOfPlay:
    return _noting(state, bonus_numbers=event.numbers)


@_changes(ev.BallDropped)
def _dropped(state: RoundOfPlay, _: ev.BallDropped) -> RoundOfPlay:
    return _noting(state, dropped=True)


@_changes(ev.BallAtRest)
def _at_rest(state: RoundOfPlay, event: ev.BallAtRest) -> RoundOfPlay:
    return _noting(state, dropped=True, at_rest=event.number)


@_changes(ev.OutcomeAnnounced, ev.OutcomeDecided)
def _decided(
    state: RoundOfPlay, event: ev.OutcomeAnnounced | ev.OutcomeDecided
) -> RoundOfPlay:
    state = _noting(state, closed=True, dropped=True, at_rest=event.number)
    return changed(state, winning_number=event.number, standing=None)


@_changes(ev.OutcomeCorrected)
def _corrected(state: RoundOfPlay, event: ev.OutcomeCorrected) -> RoundOfPlay:
    return changed(state, winning_number=event.corrected_to)


@_changes(ev.WagerMarkedUnclear)
def _unclear(state: RoundOfPlay, event: ev.WagerMarkedUnclear) -> RoundOfPlay:
    return changed(state, unclear=state.unclear | {event.wager_id})


@_changes(ev.WagerRuled)
def _ruled(state: RoundOfPlay, event: ev.WagerRuled) -> RoundOfPlay:
    rulings = {**state.rulings, event.wager_id: event}
    unclear = state.unclear - {event.wager_id}
    return changed(state, rulings=rulings, unclear=unclear)


@_changes(ev.PowerFailed)
def _power_failed(state: RoundOfPlay, _: ev.PowerFailed) -> RoundOfPlay:
    facts = state.facts
    before_drop = facts.power_failed_before_drop or not facts.dropped
    return _noting(state, power_failed_before_drop=before_drop)


@_changes(ev.TerminalsInterrupted)
def _terminals(state: RoundOfPlay, event: ev.TerminalsInterrupted) -> RoundOfPlay:
    failed = state.facts.interrupted_terminals.union(event.terminals)
    return _noting(state, interrupted_terminals=failed)


@_changes(ev.RoundVoided, ev.RoundHeld)
def _stands(state: RoundOfPlay, event: ev.RoundVoided | ev.RoundHeld) -> RoundOfPlay:
    return changed(state, standing=Standing(event.clause, event.reason))


@_changes(ev.RoundSettled)
def _settled(state: RoundOfPlay, event: ev.RoundSettled) -> RoundOfPlay:
    return changed(state, settled=event)
