"""Broadcast of a table's changes to its listeners, encoded once for each audience.

Laws of this file:
- no listener waits for a slow one;
- one commit is one update: all listeners of an audience get the same bytes;
- a seat's own changes go only to that seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import UNSET
from msgspec.structs import replace

from croupier.house.views import parts
from croupier.house.views.listeners import (
    WAGER_EVENTS,
    Audience,
    WagerEvent,
    may_see,
    owner_of,
)
from croupier.house.views.table_views import TableViews
from croupier.journal.events.codec import JournalEvent
from croupier.protocol import answers
from croupier.protocol.changes import difference, has_changes
from croupier.rules.events import (
    OutcomeDecided,
    RoundBegun,
    RoundHeld,
    RoundSettled,
    RoundVoided,
)

if TYPE_CHECKING:
    from croupier.house.floor.table import FloorTable
    from croupier.house.views.connection import Connection

_MOST_WAGERS = 200
"""Changed wagers in one message to the staff; the rest are in the next."""
_OF_THE_ROUND = frozenset(
    {RoundBegun, RoundSettled, RoundVoided, RoundHeld, OutcomeDecided}
)
"""Events that change the views of all seats with wagers in the round."""


class Committed(NamedTuple):
    """One event of a commit, and the listener whose command it answers."""

    sequence: int
    round: int
    event: JournalEvent
    sender: Connection | None


class SeatWagers(NamedTuple):
    """Wagers of a seat that have changed, and those that are gone, by id."""

    changed: dict[str, answers.WagerView]
    gone: dict[str, None]


_NO_WAGERS = SeatWagers({}, {})


class Broadcast:
    """Tells the listeners of one table the changes since the last message."""

    def __init__(self, table: FloorTable, table_views: TableViews) -> None:
        self._table = table
        self._views = table_views
        self._view = table_views.table()
        self._staff = table_views.staff()
        self._changed_players: dict[str, None] = {}
        """Players whose wagers have changed since the last message to the staff."""
        self._wagers: dict[str, tuple[answers.WagerView, ...]] = {}
        """By Player, the wagers as last sent to the staff."""
        self._is_held = self._is_due = False
        self.laid: dict[str, list[Committed]] | None = None
        """By Player, the events of the commit to tell, if it changes only wagers.

        A seat's view is then made from the last one sent, not from all its wagers.
        """
        self._untold: dict[Connection, SeatWagers] = {}
        """By connection, changed wagers still to be sent; an answer has sent the other
        changes of the seat."""

    def welcome(self, listener: Connection) -> None:
        """Send a snapshot to a listener, and every change after it."""
        self.update()
        is_staff = listener.audience is Audience.STAFF
        while is_staff and self.stakes():
            pass
        self._table.listeners.join(listener)
        seat, prefix = listener.seat, listener.prefix
        snapshot = self._views.snapshot(listener.audience, seat, prefix)
        self._view = snapshot.view if is_staff else self._views.table()
        if snapshot.seat is not None:
            listener.told = replace(snapshot.seat, wagers=())
            listener.wagers = {wager.id: wager for wager in snapshot.seat.wagers}
        if snapshot.staff is not None:
            self._staff = replace(snapshot.staff, wagers=())
            self._wagers = {}
            for wager in snapshot.staff.wagers:
                known = self._wagers.get(wager.player, ())
                self._wagers[wager.player] = (*known, wager)
        listener.outlet.put(answers.write_answer(snapshot))

    def hold(self) -> None:
        self._is_held = True

    def expect(self, events: Sequence[Committed]) -> None:
        """Note the wagers of a commit that changes only wagers, before its answers."""
        laid: dict[str, list[Committed]] = {}
        owners = self._table.transient.owners
        for each in events:
            if type(each.event) not in WAGER_EVENTS:
                return
            owner = owner_of(each.event, owners)
            if owner is not None:
                laid.setdefault(owner, []).append(each)
        self.laid = laid or None
        self._untold.clear()

    def changed(self) -> None:
        """Send a change that is in no event, such as a keyed outcome."""
        if self._is_held:
            self._is_due = True
        else:
            self.update()

    def commit(self, events: Sequence[Committed]) -> None:
        """Send the events of one commit, and the changes of the views."""
        laid, is_due = self.laid, self._is_due
        self._is_held = self._is_due = False
        if laid is not None:
            self._commit_of_wagers(laid)
        else:
            self._commit_of_any(events)
            is_due = is_due or any(type(e.event) not in WAGER_EVENTS for e in events)
        self.laid = None
        self._untold.clear()
        if is_due:
            self.update(events)

    def _commit_of_wagers(self, laid: dict[str, list[Committed]]) -> None:
        """Send seats their changed wagers, unless their answers had them all."""
        at_seat = self._table.listeners.at_seat
        for seat, events in laid.items():
            self._changed_players[seat] = None
            for listener in at_seat(seat):
                untold = self._untold.get(listener)
                others = [each for each in events if each.sender is not listener]
                if others or untold is None or untold.changed or untold.gone:
                    self._tell_seat(listener, events)

    def _commit_of_any(self, events: Sequence[Committed]) -> None:
        own: dict[str, list[Committed]] = {seat: [] for seat in self._concerned(events)}
        in_play = self._table.state.series.last
        for each in events:
            if isinstance(each.event, RoundSettled) and each.round != in_play:
                for seat in self._seats_in(each.round, each.event):
                    own[seat].append(each)  # the seat's view has the round in play
            owner = owner_of(each.event, self._table.transient.owners)
            if owner is not None:
                own.setdefault(owner, []).append(each)
            if owner is not None and type(each.event) in WAGER_EVENTS:
                self._changed_players[owner] = None
        # Seats come first: a Player who sees the settlement must see the credit.
        for seat, its_own in own.items():
            self.seat(seat, its_own)

    def _concerned(self, events: Sequence[Committed]) -> set[str]:
        """Return the seats whose views change with an event of the round."""
        found: set[str] = set()
        for each in events:
            if isinstance(each.event, RoundSettled):  # also of a corrected round
                found |= self._seats_in(each.round, each.event)
        if any(type(each.event) in _OF_THE_ROUND for each in events):
            for seat in self._table.listeners.seats:
                there = self._table.listeners.at_seat(seat)
                if any(
                    each.wagers or (each.told and each.told.settled) for each in there
                ):
                    found.add(seat)
        return found

    def _seats_in(self, number: int, event: RoundSettled) -> set[str]:
        """Return the seats of Players who had wagers in a round and still sit there."""
        state = self._table.state
        return {
            wager.player for wager in event.wagers if state.is_present(number, wager)
        }

    def update(self, events: Sequence[Committed] = ()) -> None:
        """Send the public changes to all, and the staff's changes to the staff."""
        listeners = self._table.listeners
        if not len(listeners):
            return
        before, self._view = self._view, self._views.table()
        known, changes = set(before.history), difference(before, self._view)
        public = self._update(
            events,
            Audience.BOARD,
            view=_without_players(changes),
            rounds=tuple(e for e in self._view.history if e not in known)
            if self._view.history is not before.history
            else (),
        )
        if public.happened or public.rounds or has_changes(public.view):
            self._to(listeners.of(Audience.BOARD, Audience.SEAT), public)
        staff = listeners.of(Audience.STAFF)
        if not staff:
            return
        was, self._staff = self._staff, self._views.staff()
        begins = any(isinstance(each.event, RoundBegun) for each in events)
        if begins:
            self._wagers.clear()
            self._changed_players.clear()
        theirs = difference(was, self._staff, also=("wagers",) if begins else ())
        message = self._update(events, Audience.STAFF, changes, public.rounds, theirs)
        if (
            message.happened
            or message.rounds
            or any(map(has_changes, (message.view, theirs)))
        ):
            self._to(staff, message)

    def _update(
        self,
        events: Sequence[Committed],
        audience: Audience,
        view: answers.TableChanges,
        rounds: tuple[answers.PastRound, ...],
        staff: answers.StaffChanges | None = None,
    ) -> answers.TableUpdate:
        return answers.TableUpdate(
            *self._views.place(),
            happened=tuple(
                self._views.event(each.sequence, each.round, each.event, audience)
                for each in events
                if may_see(audience, each.event)
            ),
            view=view,
            rounds=rounds,
            staff=staff,
        )

    def seat(self, seat: str, events: Sequence[Committed] = ()) -> None:
        for listener in self._table.listeners.at_seat(seat):
            self._tell_seat(listener, events)

    def _tell_seat(self, listener: Connection, events: Sequence[Committed]) -> None:
        happened = tuple(
            self._views.own_event(each.sequence, each.round, each.event, listener)
            for each in events
            # The sender of a command has its wagers in the answer.
            if each.sender is not listener or type(each.event) not in WAGER_EVENTS
        )
        untold = self._untold.pop(listener, _NO_WAGERS) if events else _NO_WAGERS
        changes, wagers, gone = self.seat_changes(listener, whole=not events)
        wagers, gone = (*untold.changed.values(), *wagers), (*untold.gone, *gone)
        if happened or wagers or gone or has_changes(changes):
            message = answers.SeatUpdate(
                *self._views.place(),
                happened=happened,
                seat=changes,
                wagers=wagers,
                gone=gone,
            )
            listener.outlet.put(answers.write_answer(message))

    def seat_changes(
        self, listener: Connection, *, whole: bool = False
    ) -> tuple[answers.SeatChanges, tuple[answers.WagerView, ...], tuple[str, ...]]:
        """Return the changes of a listener's seat, and mark them as sent."""
        before, laid = listener.told, self.laid
        assert before is not None
        if not whole and laid is not None and listener.seat is not None:
            events = laid.get(listener.seat, ())
            changed_ids = [cast(WagerEvent, each.event).wager_id for each in events]
            return self._views.seat_after(listener, changed_ids)
        assert listener.seat is not None
        seat = self._views.seat(listener.seat, listener.prefix)
        changed, gone = parts.wager_changes(listener.wagers.values(), seat.wagers)
        listener.wagers = {wager.id: wager for wager in seat.wagers}
        listener.told = after = replace(seat, wagers=())
        return difference(before, after), changed, gone

    def answer_changes(
        self, listener: Connection
    ) -> tuple[answers.SeatChanges | None, SeatWagers]:
        """Return the changes of a seat for an answer, and its wagers not sent yet.

        All answers to one commit leave together. The first has the changes of the seat;
        each takes its own wagers from those not sent yet.
        """
        untold = self._untold.get(listener)
        if untold is not None:
            return None, untold
        changes, wagers, gone = self.seat_changes(listener)
        changed = {wager.id: wager for wager in wagers}
        self._untold[listener] = untold = SeatWagers(changed, dict.fromkeys(gone))
        return changes, untold

    def stakes(self) -> bool:
        """Send the stakes on the layout; return whether there is more to send."""
        listeners = self._table.listeners
        boards, staff = listeners.of(Audience.BOARD), listeners.of(Audience.STAFF)
        if not staff:
            self._changed_players.clear()
            self._wagers.clear()
        message = answers.StakesUpdate(
            *self._views.place(),
            stakes=self._views.stakes(),
        )
        if boards:
            self._to(boards, message)
        if staff:
            changed, gone = self._wager_changes()
            self._to(staff, replace(message, wagers=changed, gone=gone))
        return bool(self._changed_players)

    def _wager_changes(self) -> tuple[tuple[answers.WagerView, ...], tuple[str, ...]]:
        changed: list[answers.WagerView] = []
        gone: list[str] = []
        while self._changed_players and len(changed) < _MOST_WAGERS:
            player = next(iter(self._changed_players))
            del self._changed_players[player]
            before, after = self._wagers.get(player, ()), self._views.wagers(player)
            self._wagers[player] = after
            changed_now, gone_now = parts.wager_changes(before, after)
            changed += changed_now
            gone += gone_now
        return tuple(changed), tuple(gone)

    @staticmethod
    def _to(listeners: Iterable[Connection], answer: answers.FromHouse) -> None:
        message = answers.write_answer(answer)
        for listener in listeners:
            listener.outlet.put(message)


def _without_players(changes: answers.TableChanges) -> answers.TableChanges:
    """Return the changes of a table's view for boards and seats."""
    colours = getattr(changes, "colours", UNSET)  # its type is made at run time
    if colours is UNSET:
        return changes
    return replace(changes, colours=parts.without_players(colours))
