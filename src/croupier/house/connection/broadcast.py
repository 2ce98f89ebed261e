"""Telling a table's listeners: the same bytes to all who hear the same."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.house.connection import views
from croupier.house.connection.listeners import (
    Audience,
    Listener,
    Listeners,
    WagerEvent,
    hears,
    owner_of,
)
from croupier.house.connection.table_views import TableViews, ViewedTable
from croupier.journal.events.codec import JournalEvent
from croupier.protocol import answers as say
from croupier.rules import events as ev

_MOST_WAGERS = 200
"""Changed wagers that one message lists to the staff."""


class Broadcast:
    """Nobody's ear is waited for."""

    def __init__(self, table: ViewedTable, views: TableViews) -> None:
        self._table = table
        self._listeners: Listeners = table.listeners
        self._views = views
        self._changed: dict[str, str] = {}

    def event(self, sequence: int, number: int, event: JournalEvent) -> None:
        owner = owner_of(event, self._table.now.owners)
        written: dict[Audience, bytes] = {}
        for listener in self._listeners:
            audience = listener.audience
            is_own = owner is not None and listener.seat == owner
            if not hears(audience, event, is_own=is_own):
                continue
            message = written.get(audience)
            if message is None or is_own:
                shown = self._views.event(sequence, number, event, listener)
                message = say.write_answer(shown)
                if not is_own:
                    written[audience] = message
            listener.send(message)

    def wager(
        self, sequence: int, number: int, event: WagerEvent, sender: Listener | None
    ) -> None:
        """To the seat whose wager it is; the staff hear of many at once."""
        owner = owner_of(event, self._table.now.owners) or ""
        self._changed[event.wager_id] = owner
        for listener in self._listeners.at_seat(owner):
            if listener is not sender:
                shown = self._views.event(sequence, number, event, listener)
                listener.send(say.write_answer(shown))

    def settled(self, sequence: int, number: int, event: ev.RoundSettled) -> None:
        by_player: dict[str, list[ev.SettledWager]] = {}
        for wager in event.wagers:
            by_player.setdefault(wager.player, []).append(wager)
        for listener in self._listeners:
            mine: Sequence[ev.SettledWager] = by_player.get(listener.seat or "", ())
            if listener.audience is Audience.STAFF:
                mine = event.wagers
            message = self._views.settled(
                sequence, number, event.winning_number, mine, listener
            )
            listener.send(say.write_answer(message))

    def stakes(self) -> None:
        """What lies on the layout and who is there, a few times a second."""
        changed, self._changed = self._changed, {}
        series = self._table.state.series
        current = series.current if series.last else None
        shown = []
        for wager_id, owner in list(changed.items())[:_MOST_WAGERS]:
            wager = current.board.wagers.get(wager_id) if current else None
            shown.append(
                views.withdrawn_shown(wager_id, owner)
                if wager is None or current is None
                else views.wager_shown(wager, current)
            )
        message = say.Stakes(
            table=self._views.name,
            sequence=self._table.told,
            stake_cents=current.board.stake_cents if current else 0,
            wager_count=len(current.board.wagers) if current else 0,
            wagers=tuple(shown),
            more=len(changed) > _MOST_WAGERS,
            terminals=self._listeners.terminals,
            terminals_lost=tuple(sorted(self._listeners.lost)),
        )
        self._to(self._listeners.heard_by(Audience.STAFF), message)
        public = replace(message, wagers=(), more=False, terminals_lost=())
        self._to(self._listeners.heard_by(Audience.BOARD), public)

    def changed(self) -> None:
        """What no event says, to everybody."""
        written: dict[Audience, bytes] = {}
        for listener in self._listeners:
            is_own = listener.audience is Audience.SEAT and bool(
                self._table.now.notices_for(listener)
            )
            message = written.get(listener.audience)
            if message is None or is_own:
                message = say.write_answer(self._views.changed(listener))
                if not is_own:
                    written[listener.audience] = message
            listener.send(message)

    @staticmethod
    def _to(listeners: Sequence[Listener], answer: say.FromHouse) -> None:
        message = say.write_answer(answer)
        for listener in listeners:
            listener.send(message)
