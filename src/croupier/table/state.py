"""A table's state: its rounds, its money, its meters, and whether it is interrupted.

`advance` is pure: a state, a record and its entries in, the next state out. What a
snapshot keeps is what can't be recalled round by round. Meters count what has been
staked, won and moved, by gaming day and wager type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

import msgspec

from croupier.games import find_game
from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.heads import digest
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.money import MONEY_EVENTS
from croupier.rules import events as ev
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.commands import MarkerPlace, ValueMarker
from croupier.rules.events import Event
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
        hap.NoticeAnswered,
        hap.LightsConfirmed,
        hap.BallStated,
        hap.BallConfirmed,
        hap.InterpretationRecorded,
    }
)
"""Statements of staff in a round besides acts of play: they act in it (A42)."""


@dataclass(frozen=True, slots=True)
class Interruption:
    """A round found in the middle of play, and the Dealer's word on the ball."""

    stated: hap.BallStated | None = None


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
    """By the Dealer."""

    def are_known(self, drawn: tuple[Number, ...] | None) -> bool:
        """Return whether the Dealer, or the device for each number drawn, saw them."""
        return self.all_seen or (drawn is not None and set(drawn) <= set(self.lit))


@dataclass(frozen=True)
class TableState:
    series: Series
    balances: BucketMap[Account, int] = field(default_factory=BucketMap)
    is_open: bool = True
    virtual_wheel: bool = False
    interruption: Interruption | None = None
    stays: Mapping[str, Stay] = field(default_factory=lambda: MappingProxyType({}))
    """By seat, the latest anonymous Player's stay there (A37)."""
    ball_stated: hap.BallStated | None = None
    """The Dealer's word on the ball of a round that is held over it (A45)."""
    lights: LightsSeen = field(default_factory=LightsSeen)
    meters: Meters = field(default_factory=lambda: MappingProxyType({}))
    begun_day: str = ""
    """The gaming day that began when the one before it was closed, if any was."""

    def balance(self, account: Account) -> int:
        return self.balances.get(account) or 0

    def stay_at(self, seat: str) -> int | None:
        """Return the number of the anonymous stay at a seat, if there is one now."""
        stay = self.stays.get(seat)
        return stay.number if stay is not None and stay.in_force else None

    def holder_of(self, colour: str) -> str | None:
        """Return the Player who has a colour now."""
        chips = self.series.colours.get(colour)
        return chips.player if chips is not None else None

    def is_at_stake(self, seat: str) -> bool:
        """Return whether the seat has wagers that are not settled yet."""
        series = self.series
        if not series.last or series.current.phase is Phase.ENDED:
            return False
        wagers = series.current.board.wagers.values()
        return any(wager.player == seat and wager.electronic for wager in wagers)

    def round_before(self, number: int) -> RoundOfPlay | None:
        return self.series.find(number)

    def day(self, by_clock: str) -> str:
        """Return the gaming day of what is recorded now: never one that is closed."""
        return max(by_clock, self.begun_day)

    @property
    def is_in_play(self) -> bool:
        """Whether a round of play has begun and is not over."""
        series = self.series
        return series.last > 0 and series.current.is_in_play()

    @property
    def is_ball_disputed(self) -> bool:
        """Whether the round is held until two people state the ball (A45)."""
        series = self.series
        is_held = series.last > 0 and series.current.phase is Phase.HELD
        return is_held and is_ball_disputed(series.current)

    @property
    def is_at_rest(self) -> bool:
        """Whether it could be opened anew just as it is: no round would be stopped."""
        return not self.is_in_play or self.interruption is not None

    @property
    def is_between_rounds(self) -> bool:
        series = self.series
        return series.last > 0 and series.current.phase is Phase.ENDED


def opened(event: hap.TableOpened) -> TableState:
    """Return the state of a table whose stream begins with this event."""
    game = find_game(event.game)
    series = Series(
        game,
        read_limits(event.limits),
        read_settings(game, event.settings, is_recorded=True),
    )
    return TableState(series, virtual_wheel=event.virtual_wheel)


class TermsDigest:
    """A digest of what the current round is judged by, made anew when that changes."""

    def __init__(self) -> None:
        self._terms: tuple[Limits, Settings] | None = None
        self._digest = ""

    def of(self, state: TableState) -> str:
        series = state.series
        judged = series.current if series.last else series
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
    """Return the table after an event of round `number` and its entries."""
    if type(event) in METERED:
        before = state.round_before(number)
        state = changed(state, meters=metered(state.meters, event, before, day))
    if entries:
        balances = state.balances
        for account, cents in entries:
            after = (balances.get(account) or 0) + cents
            balances = balances.with_entry(account, after)
        state = changed(state, balances=balances)
    kind = type(event)
    if kind in hap.OPERATION_EVENTS:
        return _happened(state, cast(hap.OperationEvent, event))
    if kind in MONEY_EVENTS:
        return _stayed(state, cast(money.MoneyEvent, event))
    record = Recorded(number, cast(Event, event))
    state = changed(state, series=apply_recorded(state.series, record))
    if kind is ev.RoundBegun:
        return changed(state, lights=LightsSeen())
    if state.interruption is None and state.ball_stated is None:
        return state
    return _no_longer_stopped(state)


def _no_longer_stopped(state: TableState) -> TableState:
    """Forget an interruption whose round is held or over, and a word on the ball."""
    if not state.is_in_play and state.interruption is not None:
        state = changed(state, interruption=None)
    if state.series.current.phase is not Phase.HELD and state.ball_stated is not None:
        state = changed(state, ball_stated=None)
    return state


def _stayed(state: TableState, event: money.MoneyEvent) -> TableState:
    match event:
        case money.StayBegun(seat=seat, stay=number):
            return changed(state, stays={**state.stays, seat: Stay(number, True)})
        case money.StayEnded(seat=seat, stay=number):
            return changed(state, stays={**state.stays, seat: Stay(number, False)})
    return state


def _happened(state: TableState, event: hap.OperationEvent) -> TableState:
    if type(event) in STAFF_WORDS and state.series.last:
        current = apply_beside(state.series.current, event)
        state = changed(state, series=state.series.remembering(current))
    match event:
        case hap.TableOpened():
            return changed(state, is_open=True)
        case hap.TableClosed():
            return changed(state, is_open=False)
        case hap.GamingDayBegun(gaming_day=day):
            return changed(state, begun_day=day)
        case hap.TermsChanged(limits=limits, settings=settings):
            series = changed(
                state.series,
                limits=read_limits(limits),
                settings=read_settings(state.series.game, settings, is_recorded=True),
            )
            return changed(state, series=series)
    return _stopped(state, event)


def _stopped(state: TableState, event: hap.OperationEvent) -> TableState:
    """Follow an interruption, the words on the ball, and the lights."""
    match event:
        case hap.TableInterrupted():
            return changed(state, interruption=Interruption())
        case hap.BallStated() as stated if state.interruption is None:
            return changed(state, ball_stated=stated)
        case hap.BallStated() as stated:
            return changed(state, interruption=Interruption(stated))
        case hap.BallConfirmed():
            return changed(state, interruption=None, ball_stated=None)
        case hap.LightReported(number=number) if state.series.last:
            lit = dict.fromkeys((*state.lights.lit, number))
            return changed(state, lights=replace(state.lights, lit=tuple(lit)))
        case hap.LightsConfirmed():
            return changed(state, lights=replace(state.lights, all_seen=True))
        case hap.SnapshotTaken():  # between rounds, and no snapshot keeps them
            return changed(state, lights=LightsSeen())
    return state


def write_snapshot(state: TableState) -> str:
    """Write what a start needs besides the current round and the balances, as JSON."""
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
    series = Series(
        game=game,
        limits=read_limits(kept["limits"]),
        settings=read_settings(game, kept["settings"], is_recorded=True),
        last=kept["last"],
        stood=kept["stood"],
        colours=_read_colours(kept["colours"], kept["markers"]),
    )
    return TableState(
        series,
        is_open=kept["is_open"],
        virtual_wheel=kept["virtual_wheel"],
        stays={seat: Stay(*stay) for seat, stay in kept["stays"].items()},
        meters=kept["meters"],
        begun_day=kept["begun_day"],
    )


def _read_colours(
    colours: Mapping[str, list[Any]], markers: Mapping[str, list[str | None]]
) -> dict[str, ColourChips]:
    """Read the colours of a snapshot; few have markers."""
    return {
        colour: ColourChips(
            player, cents, *msgspec.convert(markers.get(colour, (None, None)), _Marked)
        )
        for colour, (player, cents) in colours.items()
    }


_Marked = tuple[ValueMarker | None, MarkerPlace | None]
METERED = frozenset(
    {
        ev.RoundSettled,
        money.BoughtIn,
        money.VoucherRedeemed,
        money.ColourChipsBought,
        money.CashedOut,
        money.VoucherIssued,
    }
)
Meters = Mapping[str, int]
"""Cents or counts by `day/meter` and `day/meter/wager type`."""


def metered(
    meters: Meters, event: object, state: RoundOfPlay | None, day: str
) -> Meters:
    """Return the meters after an event, `state` being its round just before it."""
    added = _added(event, state)
    if not added:
        return meters
    after = dict(meters)
    for name, amount in added.items():
        key = f"{day}/{name}"
        after[key] = after.get(key, 0) + amount
    return after


def _added(event: object, state: RoundOfPlay | None) -> Mapping[str, int]:
    match event:
        case ev.RoundSettled():
            assert state is not None
            return _settled(event, state)
        case money.BoughtIn(cents=cents) | money.VoucherRedeemed(cents=cents):
            return {"bought_in": cents}
        case money.ColourChipsBought(cents=cents):
            return {"colour_sold": cents}
        case money.CashedOut(cents=cents) | money.VoucherIssued(cents=cents):
            return {"cashed_out": cents}
    return {}


def _settled(event: ev.RoundSettled, state: RoundOfPlay) -> Mapping[str, int]:
    """Count a settlement, less what the one before it had added."""
    added = _sums(event, state)
    if state.settled is not None:
        added.subtract(_sums(state.settled, state))
    return {name: amount for name, amount in added.items() if amount}


def _sums(settled: ev.RoundSettled, state: RoundOfPlay) -> Counter[str]:
    """Sum up a settlement: staked is what was at risk, `hold` what the House kept.

    Void rounds count as such and stake nothing.
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
