"""A table's state: its rounds, money, meters and interruptions.

`advance` is pure: a state, a record and its entries in, the next state out. A snapshot
keeps the facts that a replay of the last round can't restore. Meters count stakes,
winnings and movements of money, by gaming day and wager type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

import msgspec

from croupier.games import find_game
from croupier.journal.chain import digest
from croupier.journal.events import table as table_events
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import accounts, money
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.money import MONEY_EVENTS
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.commands import MarkerPlace, ValueMarker
from croupier.rules.events import Event, RoundBegun, RoundSettled, SettledWager
from croupier.rules.game import Settings
from croupier.rules.round import ColourChips, Phase, RoundOfPlay
from croupier.rules.sensors import is_ball_disputed
from croupier.rules.series import Recorded, Series, apply_beside, apply_recorded
from croupier.rules.terms import (
    Limits,
    read_limits,
    read_settings,
    write_limits,
    write_settings,
)
from croupier.rules.wheel import Number

STAFF_WORDS = frozenset(
    {
        table_events.NoticeAnswered,
        table_events.LightsConfirmed,
        table_events.BallStated,
        table_events.BallConfirmed,
        table_events.InterpretationRecorded,
    }
)
"""Statements of staff beside acts of play; they count as acts in the round (A42)."""


@dataclass(frozen=True, slots=True)
class Stay:
    """An anonymous Player at a terminal, from the first credit to the last cash-out."""

    number: int
    in_force: bool


@dataclass(frozen=True, slots=True)
class LightsSeen:
    """The Bonus Numbers that were seen lit in the round in play (A15)."""

    lit: tuple[Number, ...] = ()
    all_seen: bool = False
    """The Dealer has seen all of them lit."""

    def are_known(self, drawn: tuple[Number, ...] | None) -> bool:
        return self.all_seen or (drawn is not None and set(drawn) <= set(self.lit))


@dataclass(frozen=True)
class TableState:
    series: Series
    balances: BucketMap[Account, int] = field(default_factory=BucketMap)
    is_open: bool = True
    virtual_wheel: bool = False
    is_interrupted: bool = False
    """True from a start with a round in play until its ball is confirmed."""
    stays: Mapping[str, Stay] = field(default_factory=lambda: MappingProxyType({}))
    """The latest anonymous stay at each seat (A37)."""
    ball_stated: table_events.BallStated | None = None
    """The Dealer's statement of the ball, until it is confirmed (A38, A45)."""
    lights: LightsSeen = field(default_factory=LightsSeen)
    meters: Meters = field(default_factory=lambda: MappingProxyType({}))
    begun_day: str = ""
    """The gaming day begun by the last close; empty before the first."""

    def balance(self, account: Account) -> int:
        return self.balances.get(account) or 0

    @property
    def phase(self) -> Phase:
        latest = self.series.in_play
        return Phase.AWAITING if latest is None else latest.phase

    @property
    def drawn(self) -> tuple[Number, ...] | None:
        latest = self.series.in_play
        return None if latest is None else latest.facts.bonus_numbers

    def credit(self, seat: str) -> int:
        return self.balance(accounts.seat(seat))

    def claim(self, seat: str) -> int:
        stay = self.stay_at(seat)
        own = accounts.claim(seat if stay is None else accounts.stay_name(seat, stay))
        return -self.balance(own)

    def stay_at(self, seat: str) -> int | None:
        stay = self.stays.get(seat)
        return stay.number if stay is not None and stay.in_force else None

    def is_present(self, number: int, wager: SettledWager) -> bool:
        """Return whether the owner of a round's wager is still at that seat (A37)."""
        found = self.series.find(number)
        lying = found.board.wagers.get(wager.wager_id) if found is not None else None
        if lying is None or lying.stay is None:
            return True
        return lying.player != wager.player or lying.stay == self.stay_at(wager.player)

    def holder_of(self, colour: str) -> str | None:
        chips = self.series.colours.get(colour)
        return chips.player if chips is not None else None

    def is_at_stake(self, seat: str) -> bool:
        """Return whether the seat has wagers that are not settled."""
        if self.phase in {Phase.AWAITING, Phase.ENDED}:
            return False
        wagers = self.series.current.board.wagers.values()
        return any(wager.player == seat and wager.electronic for wager in wagers)

    def day(self, by_clock: str) -> str:
        """Return the gaming day of new records, never one that is closed."""
        return max(by_clock, self.begun_day)

    @property
    def is_in_play(self) -> bool:
        latest = self.series.in_play
        return latest is not None and latest.is_in_play()

    @property
    def is_ball_disputed(self) -> bool:
        """True if the round is held until two people state the ball (A45)."""
        is_held = self.phase is Phase.HELD
        return is_held and is_ball_disputed(self.series.current)

    @property
    def is_at_rest(self) -> bool:
        return not self.is_in_play or self.is_interrupted

    @property
    def is_between_rounds(self) -> bool:
        return self.phase is Phase.ENDED


def opened(event: table_events.TableOpened) -> TableState:
    """Return the state of a table whose stream begins with this event."""
    game = find_game(event.game)
    series = Series(
        game,
        read_limits(event.limits),
        read_settings(game, event.settings, is_recorded=True),
    )
    return TableState(series, virtual_wheel=event.virtual_wheel)


class TermsDigest:
    """The digest of the current round's terms, computed only when they change."""

    def __init__(self) -> None:
        self._terms: tuple[Limits, Settings] | None = None
        self._digest = ""

    def of(self, state: TableState) -> str:
        series = state.series
        judged = series.in_play or series
        limits, settings = terms = judged.limits, judged.settings
        known = self._terms
        if known is None or known[0] is not limits or known[1] is not settings:
            lines = (*write_limits(limits), *write_settings(settings))
            self._terms, self._digest = terms, digest("\n".join(lines))[:16]
        return self._digest


def advance(
    state: TableState,
    number: int,
    event: JournalEvent,
    entries: tuple[Entry, ...],
    day: str,
) -> TableState:
    """Return the state after an event of round `number` and its entries."""
    kind = type(event)
    if kind is RoundSettled:
        before = state.series.find(number)
        assert before is not None
        added = _settled(cast(RoundSettled, event), before)
        state = changed(state, meters=_metered(state.meters, added, day))
    elif kind in _METERS:
        added = {_METERS[kind]: cast(Any, event).cents}
        state = changed(state, meters=_metered(state.meters, added, day))
    if entries:
        balances = state.balances
        for account, cents in entries:
            after = (balances.get(account) or 0) + cents
            balances = balances.with_entry(account, after)
        state = changed(state, balances=balances)
    if kind in table_events.OPERATION_EVENTS:
        return _happened(state, cast(table_events.OperationEvent, event))
    if kind in MONEY_EVENTS:
        return _stayed(state, cast(money.MoneyEvent, event))
    record = Recorded(number, cast(Event, event))
    state = changed(state, series=apply_recorded(state.series, record))
    if kind is RoundBegun:
        return changed(state, lights=LightsSeen())
    if state.is_interrupted or state.ball_stated is not None:
        return _no_longer_stopped(state)
    return state


def _no_longer_stopped(state: TableState) -> TableState:
    """Clear an interruption, or a statement of the ball, that the round has ended."""
    is_held = state.series.current.phase is Phase.HELD
    goes_on = state.is_in_play if state.is_interrupted else is_held
    if goes_on:
        return state
    return changed(state, is_interrupted=False, ball_stated=None)


def _stayed(state: TableState, event: money.MoneyEvent) -> TableState:
    match event:
        case money.StayBegun(seat=seat, stay=number):
            return changed(state, stays={**state.stays, seat: Stay(number, True)})
        case money.StayEnded(seat=seat, stay=number):
            return changed(state, stays={**state.stays, seat: Stay(number, False)})
    return state


def _happened(state: TableState, event: table_events.OperationEvent) -> TableState:
    if type(event) in STAFF_WORDS and state.series.last:
        current = apply_beside(state.series.current, event)
        state = changed(state, series=state.series.remembering(current))
    match event:
        case table_events.TableOpened():
            return changed(state, is_open=True)
        case table_events.TableClosed():
            return changed(state, is_open=False)
        case table_events.GamingDayBegun(gaming_day=day):
            return changed(state, begun_day=day)
        case table_events.TermsChanged(limits=limits, settings=settings):
            series = changed(
                state.series,
                limits=read_limits(limits),
                settings=read_settings(state.series.game, settings, is_recorded=True),
            )
            return changed(state, series=series)
    return _stopped(state, event)


def _stopped(state: TableState, event: table_events.OperationEvent) -> TableState:
    """Apply an event of an interruption, the ball or the lights."""
    match event:
        case table_events.TableInterrupted():
            return changed(state, is_interrupted=True)
        case table_events.BallStated() as stated:
            return changed(state, ball_stated=stated)
        case table_events.BallConfirmed():
            return changed(state, is_interrupted=False, ball_stated=None)
        case table_events.LightReported(number=number) if state.series.last:
            lit = dict.fromkeys((*state.lights.lit, number))
            return changed(state, lights=replace(state.lights, lit=tuple(lit)))
        case table_events.LightsConfirmed():
            return changed(state, lights=replace(state.lights, all_seen=True))
        case table_events.SnapshotTaken():  # a snapshot keeps no lights
            return changed(state, lights=LightsSeen())
    return state


def write_snapshot(state: TableState) -> str:
    """Write the state as JSON, without its current round and balances."""
    series = state.series
    body = {
        "game": series.game.name,
        "limits": write_limits(series.limits),
        "settings": write_settings(series.settings),
        "last": series.last,
        "stood": dict(sorted(series.stood.items())),
        "colours": {
            colour: [chips.player, chips.value_cents]
            for colour, chips in sorted(series.colours.items())
        },
        "stays": {
            seat: [stay.number, stay.in_force]
            for seat, stay in sorted(state.stays.items())
        },
        "is_open": state.is_open,
        "virtual_wheel": state.virtual_wheel,
        "meters": dict(sorted(state.meters.items())),
        "begun_day": state.begun_day,
        "markers": {
            colour: [chips.marker, chips.stands_on]
            for colour, chips in sorted(series.colours.items())
            if chips.marker is not None
        },
    }
    return msgspec.json.encode(body).decode()


def read_snapshot(body: str) -> TableState:
    """Read the state without its current round and balances."""
    kept: dict[str, Any] = msgspec.json.decode(body)
    game = find_game(kept["game"])
    colours = {}
    for colour, (player, cents) in kept["colours"].items():
        marked = msgspec.convert(kept["markers"].get(colour, (None, None)), _Marked)
        colours[colour] = ColourChips(player, cents, *marked)
    series = Series(
        game=game,
        limits=read_limits(kept["limits"]),
        settings=read_settings(game, kept["settings"], is_recorded=True),
        last=kept["last"],
        stood=kept["stood"],
        colours=colours,
    )
    return TableState(
        series,
        is_open=kept["is_open"],
        virtual_wheel=kept["virtual_wheel"],
        stays={seat: Stay(*stay) for seat, stay in kept["stays"].items()},
        meters=kept["meters"],
        begun_day=kept["begun_day"],
    )


_Marked = tuple[ValueMarker | None, MarkerPlace | None]
_METERS: Mapping[type[JournalEvent], str] = {
    money.BoughtIn: "bought_in",
    money.VoucherRedeemed: "bought_in",
    money.ColourChipsBought: "colour_sold",
    money.CashedOut: "cashed_out",
    money.VoucherIssued: "cashed_out",
}
Meters = Mapping[str, int]
"""Cents or counts by `day/meter` and `day/meter/wager type`."""


def _metered(meters: Meters, added: Mapping[str, int], day: str) -> Meters:
    """Return the meters with these amounts added to a day."""
    after = dict(meters)
    for name, amount in added.items():
        key = f"{day}/{name}"
        after[key] = after.get(key, 0) + amount
    return after


def _settled(event: RoundSettled, state: RoundOfPlay) -> Mapping[str, int]:
    """Return the amounts of a settlement, less those of the one that it replaces."""
    added = _sums(event, state)
    if state.settled is not None:
        added.subtract(_sums(state.settled, state))
    return {name: amount for name, amount in added.items() if amount}


def _sums(settled: RoundSettled, state: RoundOfPlay) -> Counter[str]:
    """Return the sums of a settlement: `staked` was at risk, the House keeps `hold`.

    A void round adds only to `voids`.
    """
    sums: Counter[str] = Counter()
    if settled.winning_number is None:
        sums["voids"] += 1
        return sums
    sums["rounds"] += 1
    areas = state.game.area_by_name
    for wager in settled.wagers:
        for piece in wager.pieces:
            kind = areas[piece.area].wager_type.value
            for name, cents in (
                ("staked", piece.at_risk_cents),
                ("won", piece.paid_cents),
                ("hold", piece.collected_cents - piece.paid_cents),
            ):
                sums[name] += cents
                sums[f"{name}/{kind}"] += cents
    return sums
