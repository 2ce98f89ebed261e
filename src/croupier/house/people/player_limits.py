"""Stakes and wins of each seat in its session, and of Players in the gaming day.

Kept from settlements as they are committed, and rebuilt from the journal at a start; a
corrected round counts as it stands after the correction. When a gaming day begins is
asked each time, for the house may change it.

Tables of other nodes are followed where it matters: before a Player with a limit on
losses stakes, what was settled at each table where they have ever played is read. A
Player sits at one table at a time, so that nothing is staked elsewhere meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.past_rounds import sequence_before
from croupier.journal.events.codec import decode
from croupier.journal.events.plan import HouseSettings
from croupier.journal.store import JournalFailed, Store
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import seat as seat_account
from croupier.rules import commands as do
from croupier.rules.clause import Clause, Refusal
from croupier.rules.events import RoundSettled, SettledWager
from croupier.rules.game import READINGS
from croupier.rules.pieces import find_placement
from croupier.rules.reasons import Reason
from croupier.table.state import TableState

Seat = tuple[str, str]
"""Table and seat."""
_QUARTER_MS = 15 * 60_000
"""Gaming days of every time zone begin and end on a quarter of an hour."""
_KEPT_MS = 26 * 60 * 60_000
"""Longer than any gaming day, also the one on which clocks are put back."""


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """In cents: what was at stake, and what was paid on top."""

    staked_cents: int = 0
    paid_cents: int = 0
    net_cents: int = 0

    def plus(self, other: PlayerTally, sign: int = 1) -> PlayerTally:
        return PlayerTally(
            self.staked_cents + sign * other.staked_cents,
            self.paid_cents + sign * other.paid_cents,
            self.net_cents + sign * other.net_cents,
        )


_NOTHING = PlayerTally()


class PlayerTallies:
    """By seat since its session began, and by seat for the gaming day."""

    def __init__(self, store: Store, *, follows: bool = False) -> None:
        """With `follows`, tables that this process does not have are read as well."""
        self._store, self._follows = store, follows
        self._lock, self._following = Lock(), Lock()
        self._here: set[str] = set()
        """The tables whose settlements this process counts as they are committed."""
        self._followed: dict[str, tuple[int, int]] = {}
        """Of each other table: where it ended, and its last settlement by then."""
        self._session: dict[Seat, PlayerTally] = {}
        self._quarters: dict[Seat, dict[int, PlayerTally]] = {}
        """The sums settled lately, by the quarter of an hour."""
        self._latest_ms = 0
        """The latest time on record: a clock that is behind it begins no day anew."""

    def session(self, table: str, seat: str) -> PlayerTally:
        return self._session.get((table, seat), _NOTHING)

    def today(self, settings: HouseSettings, seat: Seat, now: int) -> PlayerTally:
        """In the gaming day of this moment, by the settings in force."""
        day, total = settings.gaming_day(max(now, self._latest_ms)), _NOTHING
        with self._lock:
            for quarter, tally in self._quarters.get(seat, {}).items():
                if settings.gaming_day(quarter * _QUARTER_MS) == day:
                    total = total.plus(tally)
        return total

    def begin(self, table: str, seat: str) -> None:
        """Begin a new session; the day goes on."""
        with self._lock:
            self._session.pop((table, seat), None)

    def settled(
        self, table: str, event: RoundSettled, replaced: RoundSettled | None, at_ms: int
    ) -> None:
        """Count a settlement, less the one it replaces."""
        with self._lock:
            self._latest_ms = max(self._latest_ms, at_ms)
            self._add(table, event, at_ms)
            if replaced is not None:
                self._add(table, replaced, at_ms, -1)

    def rebuild(self, table: str, sessions: Mapping[str, int], now: int) -> None:
        """From the journal: sessions by their beginning, and the gaming day so far.

        From then on the table's settlements are counted as they are committed.
        """
        with self._following:
            self._here.add(table)
            self._followed.pop(table, None)
            self._read(table, sessions, now)

    def let_go(self, table: str) -> None:
        """Count a table no more: another node has it."""
        self._here.discard(table)

    def follow(self, player: str, now: int) -> None:
        """Count what other nodes have settled for a Player; raises `JournalFailed`."""
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
        """Count a table's settlements after one; return the last of them."""
        for row in self._store.settlements(table, after=after):
            replaced = settlement_before(
                self._store, table, row.round_number, row.sequence
            )
            self.settled(table, _settlement(row), replaced, row.at_ms)
            after = row.sequence
        return after

    def _read(self, table: str, sessions: Mapping[str, int], now: int) -> int:
        """Count a table's settlements of lately, in place of what was counted.

        Returns the last of them.
        """
        since = min((*sessions.values(), now - _KEPT_MS))
        after = sequence_before(self._store, table, since)
        settlements = self._store.settlements(table, after=after)
        standing = {row.round_number: row for row in settlements}
        stays: _Sums = {}
        quarters: dict[int, _Sums] = {}
        for row in standing.values():
            self._latest_ms = max(self._latest_ms, row.at_ms)
            event = _settlement(row)
            _add_up(quarters.setdefault(row.at_ms // _QUARTER_MS, {}), event.wagers)
            present = {name for name, began in sessions.items() if began <= row.at_ms}
            if present:
                _add_up(stays, (w for w in event.wagers if w.player in present))
        with self._lock:
            for counted in (self._session, self._quarters):
                for place in [each for each in counted if each[0] == table]:
                    del counted[place]
            for player, mine in stays.items():
                self._session[table, player] = PlayerTally(*mine)
            for quarter, sums in quarters.items():
                for player, mine in sums.items():
                    kept = self._quarters.setdefault((table, player), {})
                    kept[quarter] = PlayerTally(*mine)
        return max((row.sequence for row in standing.values()), default=after)

    def _add(self, table: str, event: RoundSettled, at_ms: int, sign: int = 1) -> None:
        for player, tally in by_player(event).items():
            seat = (table, player)
            self._session[seat] = self.session(*seat).plus(tally, sign)
            self._add_to_day(seat, tally, at_ms, sign)

    def _add_to_day(
        self, seat: Seat, tally: PlayerTally, at_ms: int, sign: int = 1
    ) -> None:
        kept = self._quarters.setdefault(seat, {})
        quarter = at_ms // _QUARTER_MS
        if quarter not in kept:
            for old in [each for each in kept if each * _QUARTER_MS < at_ms - _KEPT_MS]:
                del kept[old]
        kept[quarter] = kept.get(quarter, _NOTHING).plus(tally, sign)


def settlement_before(
    store: Store, table: str, number: int, sequence: int
) -> RoundSettled | None:
    """Return the settlement of a round that a later one replaced, if one did."""
    found = None
    for row in store.events(table, round_number=number):
        if row.kind == RoundSettled.__name__ and row.sequence < sequence:
            found = _settlement(row)
    return found


def _settlement(row: EventRow) -> RoundSettled:
    event = decode(row.schema, row.kind, row.body)
    assert isinstance(event, RoundSettled)
    return event


def by_player(event: RoundSettled) -> dict[str, PlayerTally]:
    """Return what a settlement was for each Player; nothing where it was void."""
    sums: _Sums = {}
    _add_up(sums, event.wagers)
    return {player: PlayerTally(*mine) for player, mine in sums.items()}


_Sums = dict[str, list[int]]
"""The fields of each Player's tally; a start adds up too many for a tally each."""


def _add_up(sums: _Sums, wagers: Iterable[SettledWager]) -> None:
    for wager in wagers:
        mine = sums.get(wager.player)
        if mine is None:
            mine = sums[wager.player] = [0, 0, 0]
        for piece in wager.pieces:
            paid = piece.paid_cents
            mine[0] += piece.at_risk_cents
            mine[1] += paid
            mine[2] += paid - piece.collected_cents


def refuse_by_limits(
    record: HouseRecord,
    tallies: PlayerTallies,
    state: TableState,
    command: do.WagerCommand,
) -> Refusal | None:
    """Why a named Player may not stake this; nobody else has such limits."""
    player = record.state.players.get(command.player or "")
    if player is None:
        return None
    if not record.is_current():  # another node may have excluded or limited them
        return _refusal(HouseReason.NODE_BEHIND())
    now = record.clock()
    if now < player.excluded_until_ms:
        return _refusal(HouseReason.PLAYER_EXCLUDED(player=player.name))
    if player.stake_cents is None and player.loss_cents is None:
        return None
    staked = staked_cents(state, player.name) + _added(state, command)
    if player.stake_cents is not None and staked > player.stake_cents:
        limit = player.stake_cents
        return _refusal(HouseReason.STAKE_LIMIT(player=player.name, limit_cents=limit))
    if player.loss_cents is not None:
        try:
            tallies.follow(player.name, now)
        except JournalFailed:  # it is not known, and nothing could be written either
            return _refusal(HouseReason.JOURNAL_SERVER_AWAY())
    settings = record.settings
    lost = -sum(
        tallies.today(settings, (each, player.name), now).net_cents
        for each in record.state.tables
    )
    if player.loss_cents is not None and lost + staked > player.loss_cents:
        limit = player.loss_cents
        return _refusal(HouseReason.LOSS_LIMIT(player=player.name, limit_cents=limit))
    return None


def staked_cents(state: TableState, player: str) -> int:
    """Return what a Player has on the layout of the round in play."""
    if not state.is_in_play:
        return 0
    wagers = state.series.current.board.wagers.values()
    return sum(wager.stake_cents for wager in wagers if wager.player == player)


def _added(state: TableState, command: do.WagerCommand) -> int:
    """Return what a wager would put on the layout, over all its pieces."""
    if not state.is_in_play:
        return 0
    current = state.series.current
    if isinstance(command, do.IncreaseWager):
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
    """By the Player's own word, or the house's for them: no clause of a document."""
    return Refusal(Clause(READINGS, "A12"), reason)
