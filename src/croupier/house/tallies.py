"""What each seat has staked and won in its session, and Players in the gaming day.

Kept from settlements as they are committed, and rebuilt from the journal at a start; a
corrected round counts as it stands after the correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock

from croupier.journal.codec import decode
from croupier.journal.rows import EventRow
from croupier.journal.store import Store
from croupier.rules.events import RoundSettled
from croupier.table.house import HouseSettings

Seat = tuple[str, str]
"""Table and seat."""
_FEW = 64


@dataclass(frozen=True, slots=True)
class Tally:
    """In cents: what was at stake, and what was paid on top."""

    staked_cents: int = 0
    paid_cents: int = 0
    net_cents: int = 0

    def plus(self, other: Tally, sign: int = 1) -> Tally:
        return Tally(
            self.staked_cents + sign * other.staked_cents,
            self.paid_cents + sign * other.paid_cents,
            self.net_cents + sign * other.net_cents,
        )


_NOTHING = Tally()


class Tallies:
    """By seat since its session began, and by seat for the gaming day."""

    def __init__(self, store: Store, settings: HouseSettings) -> None:
        self._store = store
        self._settings = settings
        self._lock = Lock()
        self._session: dict[Seat, Tally] = {}
        self._day: dict[tuple[str, Seat], Tally] = {}

    def session(self, table: str, seat: str) -> Tally:
        return self._session.get((table, seat), _NOTHING)

    def of_day(self, day: str, seat: Seat) -> Tally:
        return self._day.get((day, seat), _NOTHING)

    def begin(self, table: str, seat: str) -> None:
        """A new session; the day goes on."""
        with self._lock:
            self._session.pop((table, seat), None)

    def settled(
        self, table: str, event: RoundSettled, replaced: RoundSettled | None, at_ms: int
    ) -> None:
        """Count a settlement, less the one it replaces."""
        with self._lock:
            self._add(table, event, at_ms)
            if replaced is not None:
                self._add(table, replaced, at_ms, -1)

    def rebuild(self, table: str, sessions: Mapping[str, int], now: int) -> None:
        """From the journal: sessions by their beginning, and the gaming day so far."""
        today = self._settings.gaming_day(now)
        since = min(sessions.values(), default=now)
        standing: dict[int, EventRow] = {}
        for row in self._settlements_since(table, since, today):
            standing[row.round_number] = row
        for row in standing.values():
            event = decode(row.schema, row.kind, row.body)
            assert isinstance(event, RoundSettled)
            for player, tally in by_player(event).items():
                if row.at_ms >= sessions.get(player, now + 1):
                    seat = (table, player)
                    self._session[seat] = self.session(*seat).plus(tally)
                if self._settings.gaming_day(row.at_ms) == today:
                    key = (today, (table, player))
                    self._day[key] = self._day.get(key, _NOTHING).plus(tally)

    def _settlements_since(
        self, table: str, since: int, today: str
    ) -> Iterable[EventRow]:
        count = _FEW
        while True:
            rows = self._store.latest_settlements(table, count)
            whole = len(rows) < count
            if whole or not self._is_wanted(rows[0], since, today):
                return [row for row in rows if self._is_wanted(row, since, today)]
            count *= 4

    def _is_wanted(self, row: EventRow, since: int, today: str) -> bool:
        return row.at_ms >= since or self._settings.gaming_day(row.at_ms) == today

    def _add(self, table: str, event: RoundSettled, at_ms: int, sign: int = 1) -> None:
        day = self._settings.gaming_day(at_ms)
        for player, tally in by_player(event).items():
            seat = (table, player)
            self._session[seat] = self.session(*seat).plus(tally, sign)
            key = (day, seat)
            self._day[key] = self._day.get(key, _NOTHING).plus(tally, sign)


def by_player(event: RoundSettled) -> dict[str, Tally]:
    """What a settlement was for each Player; a void round is nothing to anybody."""
    sums: dict[str, list[int]] = {}
    for wager in event.wagers:
        mine = sums.setdefault(wager.player, [0, 0, 0])
        for piece in wager.pieces:
            at_risk = piece.collected_cents or (
                piece.stake_cents if piece.paid_cents else 0
            )
            mine[0] += at_risk
            mine[1] += piece.paid_cents
            mine[2] += piece.paid_cents - piece.collected_cents
    return {player: Tally(*mine) for player, mine in sums.items()}
