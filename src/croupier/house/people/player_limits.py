"""Stakes, wins and deposits of each seat in its session, and of Players in the day.

The sums are updated by committed events, and rebuilt from the journal at a start. A
corrected round counts as corrected. The house can change the beginning of the gaming
day, so the sums are kept by quarter of an hour.

Tables of other nodes are read only if necessary: before a Player with a loss limit
stakes, or one with a deposit limit buys in. A Player sits at one table at a time, so
nothing is staked elsewhere meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import NamedTuple, cast

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_state import Player
from croupier.journal.events.plan import HouseSettings
from croupier.journal.store import JournalFailed, Store
from croupier.ledger import money
from croupier.ledger.accounts import seat as seat_account
from croupier.rules.clause import Clause, Refusal
from croupier.rules.commands import IncreaseWager, WagerCommand
from croupier.rules.events import Event, RoundSettled
from croupier.rules.game import READINGS
from croupier.rules.pieces import find_placement
from croupier.rules.reasons import Reason
from croupier.table.answers import event_of
from croupier.table.state import TableState

Seat = tuple[str, str]
"""Table and seat."""
_SETTLED = (RoundSettled.__name__,)
_DEPOSITS: Mapping[type[Event | money.MoneyEvent], tuple[int, int]] = {
    money.BoughtIn: (1, 1),
    money.VoucherRedeemed: (0, 1),
    money.CashedOut: (0, -1),
    money.VoucherIssued: (0, -1),
}
"""The factors of an event's cents in the deposits and in the net deposits."""
_COUNTED = (*_SETTLED, *(kind.__name__ for kind in _DEPOSITS))
_QUARTER_MS = 15 * 60_000
"""Gaming days of every time zone begin and end on a quarter of an hour."""
_KEPT_MS = 26 * 60 * 60_000
"""Longer than any gaming day, including the day on which clocks are put back."""


class PlayerTally(NamedTuple):
    """Sums of a Player, in cents: stakes, wins, net result and deposits."""

    staked_cents: int = 0
    paid_cents: int = 0
    net_cents: int = 0
    deposited_cents: int = 0
    """Cash that became credit."""
    net_deposits_cents: int = 0
    """Cash and vouchers that became credit, less cash and vouchers paid out."""


_Sums = list[int]
"""The fields of a `PlayerTally` that still grows."""
Deposit = money.BoughtIn | money.VoucherRedeemed | money.CashedOut | money.VoucherIssued


class _TableTally:
    """The sums of one table by Player: of the session, and of each quarter of an hour.

    It is not thread-safe.
    """

    def __init__(self) -> None:
        self.session: dict[str, _Sums] = {}
        self.quarters: dict[str, dict[int, _Sums]] = {}

    def count(
        self,
        event: RoundSettled,
        at_ms: int,
        sign: int = 1,
        began: Mapping[str, int] | None = None,
    ) -> None:
        """Count a settlement; `began` has the sessions to count, None counts all."""
        for wager in event.wagers:
            sums = self._sums(wager.player, at_ms, began)
            for piece in wager.pieces:
                paid = piece.paid_cents
                for mine in sums:
                    mine[0] += sign * piece.at_risk_cents
                    mine[1] += sign * paid
                    mine[2] += sign * (paid - piece.collected_cents)

    def deposit(
        self, event: Deposit, at_ms: int, began: Mapping[str, int] | None = None
    ) -> None:
        deposited, net = _DEPOSITS[type(event)]
        for mine in self._sums(event.seat, at_ms, began):
            mine[3] += deposited * event.cents
            mine[4] += net * event.cents

    def _sums(
        self, player: str, at_ms: int, began: Mapping[str, int] | None
    ) -> list[_Sums]:
        """Return the sums of a Player to which an event at this time belongs."""
        quarter, oldest = at_ms // _QUARTER_MS, (at_ms - _KEPT_MS) // _QUARTER_MS
        kept = self.quarters.setdefault(player, {})
        if quarter not in kept:
            for old in [each for each in kept if each < oldest]:
                del kept[old]
        sums = [kept.setdefault(quarter, [0] * len(PlayerTally._fields))]
        if began is None or began.get(player, at_ms + 1) <= at_ms:
            session = self.session.setdefault(player, [0] * len(PlayerTally._fields))
            sums.append(session)
        return sums


class PlayerTallies:
    """The sums of each seat in its session, and in the gaming day."""

    def __init__(self, store: Store, *, follows: bool = False) -> None:
        """With `follows`, tables of other nodes are read as well."""
        self._store, self._follows = store, follows
        self._lock, self._following = Lock(), Lock()
        self._here: set[str] = set()
        """The tables of this node, whose events are counted when they are committed."""
        self._followed: dict[str, tuple[int, int]] = {}
        """For each other table, the last event read and the last event counted."""
        self._tables: dict[str, _TableTally] = {}
        self._latest_ms = 0
        """The latest recorded time: a clock behind it does not change the day."""

    def session(self, table: str, seat: str) -> PlayerTally:
        with self._lock:
            return PlayerTally(*self._of(table).session.get(seat, ()))

    def today(self, settings: HouseSettings, seat: Seat, now: int) -> PlayerTally:
        """Return the sums of the current gaming day, by the current settings."""
        table, player = seat
        day = settings.gaming_day(max(now, self._latest_ms))
        with self._lock:
            counted = [
                sums
                for quarter, sums in self._of(table).quarters.get(player, {}).items()
                if settings.gaming_day(quarter * _QUARTER_MS) == day
            ]
            return PlayerTally(*map(sum, zip(*counted, strict=True)))

    def _of(self, table: str) -> _TableTally:
        return self._tables.setdefault(table, _TableTally())

    def begin(self, table: str, seat: str) -> None:
        with self._lock:
            self._of(table).session.pop(seat, None)

    def settled(
        self, table: str, event: RoundSettled, replaced: RoundSettled | None, at_ms: int
    ) -> None:
        with self._lock:
            self._latest_ms = max(self._latest_ms, at_ms)
            self._of(table).count(event, at_ms)
            if replaced is not None:
                self._of(table).count(replaced, at_ms, -1)

    def deposited(self, table: str, event: Deposit, at_ms: int) -> None:
        with self._lock:
            self._latest_ms = max(self._latest_ms, at_ms)
            self._of(table).deposit(event, at_ms)

    def rebuild(self, table: str, sessions: Mapping[str, int], now: int) -> None:
        """Read a table's sums from the journal; `sessions` has their beginnings.

        From then on the table's events are counted when they are committed.
        """
        with self._following:
            self._here.add(table)
            self._followed.pop(table, None)
            self._read(table, sessions, now)

    def let_go(self, table: str) -> None:
        self._here.discard(table)

    def follow(self, player: str, now: int) -> None:
        """Read a Player's events at other nodes; raises `JournalFailed`."""
        if not self._follows:
            return
        with self._following:
            for table, end, _ in self._store.streams_of_account(seat_account(player)):
                read_to, settled = self._followed.get(table, (None, 0))
                if table in self._here or read_to == end:
                    continue
                if read_to is None:
                    settled = self._read(table, {}, now)
                else:
                    settled = self._read_on(table, settled)
                self._followed[table] = (end, settled)

    def _read_on(self, table: str, after: int) -> int:
        """Count a table's events after the event `after`; return the last one."""
        for row in self._store.events(table, after=after, kinds=_COUNTED):
            event = event_of(row)
            if isinstance(event, RoundSettled):
                replaced = settlement_before(
                    self._store, table, row.round_number, row.sequence
                )
                self.settled(table, event, replaced, row.at_ms)
            elif isinstance(event, Deposit):
                self.deposited(table, event, row.at_ms)
            after = row.sequence
        return after

    def _read(self, table: str, sessions: Mapping[str, int], now: int) -> int:
        """Replace a table's sums by those of recent events; return the last event."""
        since = min((*sessions.values(), now - _KEPT_MS))
        after = self._store.sequence_before(table, since)
        standing: dict[int, tuple[RoundSettled, int]] = {}
        tally, latest_ms = _TableTally(), 0
        for row in self._store.events(table, after=after, kinds=_COUNTED):
            event = event_of(row)
            if isinstance(event, RoundSettled):
                standing[row.round_number] = event, row.at_ms
            elif isinstance(event, Deposit):
                tally.deposit(event, row.at_ms, began=sessions)
            after, latest_ms = row.sequence, max(latest_ms, row.at_ms)
        for settled, at_ms in standing.values():
            tally.count(settled, at_ms, began=sessions)
        with self._lock:
            self._tables[table] = tally
            self._latest_ms = max(self._latest_ms, latest_ms)
        return after


def settlement_before(
    store: Store, table: str, number: int, sequence: int
) -> RoundSettled | None:
    """Return the settlement that the one at `sequence` replaced, or None."""
    last = sequence - 1
    rows = store.events(table, round_number=number, until=last, kinds=_SETTLED)
    replaced = [*rows][-1:]
    return cast(RoundSettled, event_of(replaced[0])) if replaced else None


def refuse_by_limits(
    record: HouseRecord,
    tallies: PlayerTallies,
    state: TableState,
    command: WagerCommand,
) -> Refusal | None:
    """Return the refusal of a wager by a named Player's limits, or None."""
    player = record.state.players.get(command.player or "")
    if player is None:
        return None
    if not record.is_current():  # another node may have excluded or limited them
        return _refusal(HouseReason.NODE_BEHIND())
    if record.clock() < player.excluded_until_ms:
        return _refusal(HouseReason.PLAYER_EXCLUDED(player=player.name))
    if player.stake_cents is None and player.loss_cents is None:
        return None
    staked = staked_cents(state, player.name) + _added(state, command)
    return _refuse_stake(record, tallies, player, staked)


def _refuse_stake(
    record: HouseRecord, tallies: PlayerTallies, player: Player, staked: int
) -> Refusal | None:
    if player.stake_cents is not None and staked > player.stake_cents:
        limit = player.stake_cents
        return _refusal(HouseReason.STAKE_LIMIT(player=player.name, limit_cents=limit))
    if player.loss_cents is None:
        return None
    today = _today(record, tallies, player.name)
    if today is None:
        return _refusal(HouseReason.JOURNAL_SERVER_AWAY())
    if staked - today.net_cents > player.loss_cents:
        limit = player.loss_cents
        return _refusal(HouseReason.LOSS_LIMIT(player=player.name, limit_cents=limit))
    return None


def refuse_deposit(
    record: HouseRecord, tallies: PlayerTallies, seat: str, cents: int
) -> Refusal | None:
    """Return the refusal of a buy-in by a named Player's deposit limit, or None."""
    player = record.state.players.get(seat)
    if player is None or (limit := player.deposit_cents) is None:
        return None
    if not record.is_current():
        return _refusal(HouseReason.NODE_BEHIND())
    today = _today(record, tallies, seat)
    if today is None:
        return _refusal(HouseReason.JOURNAL_SERVER_AWAY())
    if today.deposited_cents + cents > limit:
        return _refusal(HouseReason.DEPOSIT_LIMIT(player=seat, limit_cents=limit))
    return None


def _today(
    record: HouseRecord, tallies: PlayerTallies, player: str
) -> PlayerTally | None:
    """Return a Player's sums of the day at all tables; None without the journal."""
    now = record.clock()
    try:
        tallies.follow(player, now)
    except JournalFailed:
        return None
    tables, settings = record.state.tables, record.settings
    sums = (tallies.today(settings, (table, player), now) for table in tables)
    return PlayerTally(*map(sum, zip(*sums, strict=True)))


def staked_cents(state: TableState, player: str) -> int:
    if not state.is_in_play:
        return 0
    wagers = state.series.current.board.wagers.values()
    return sum(wager.stake_cents for wager in wagers if wager.player == player)


def _added(state: TableState, command: WagerCommand) -> int:
    """Return the stake that a wager would add to the layout, over all its pieces."""
    if not state.is_in_play:
        return 0
    current = state.series.current
    if isinstance(command, IncreaseWager):
        wager = current.board.wagers.get(command.wager_id)
        return command.stake_cents * len(wager.areas) if wager else 0
    placement = find_placement(current.game, current.settings, command.wager)
    if isinstance(placement, Refusal):
        return 0
    if command.stake_cents is not None:
        return command.stake_cents * len(placement.areas)
    limits = [current.limits.of(area.wager_type) for area in placement.areas]
    return sum(limit.maximum_cents for limit in limits if limit is not None)


def _refusal(reason: Reason) -> Refusal:
    # A Player's limit is in no document; reading A12 covers it.
    return Refusal(Clause(READINGS, "A12"), reason)
