"""Broadcast of a table's changes to its listeners, encoded once for each audience.

Laws of this file:
- slow listeners are not waited for;
- one commit is one update: the same bytes go to all of an audience;
- what concerns one seat goes to that seat alone, and only when it has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from msgspec import UNSET
from msgspec.structs import replace

from croupier.house.connection import views
from croupier.house.connection.listeners import (
    WAGER_EVENTS,
    Audience,
    Listener,
    WagerEvent,
    may_see,
    owner_of,
)
from croupier.house.connection.table_views import TableViews, ViewedTable
from croupier.journal.events.codec import JournalEvent
from croupier.protocol import answers as say
from croupier.protocol.changes import difference, has_changes
from croupier.rules import events as ev

_MOST_WAGERS = 200
"""Changed wagers that one message lists to the staff; the rest are in the next."""
_OF_THE_ROUND = frozenset(
    {ev.RoundBegun, ev.RoundSettled, ev.RoundVoided, ev.RoundHeld, ev.OutcomeDecided}
)
"""Events that change what the seats with wagers in the round see of themselves."""


class Committed(NamedTuple):
    """One event of a commit, and the listener whose command it answers."""

    sequence: int
    round: int
    event: JournalEvent
    sender: Listener | None


class SeatWagers(NamedTuple):
    """Wagers of a seat that have changed, and those that are gone, by their ids."""

    changed: dict[str, say.WagerView]
    gone: dict[str, None]


_NO_WAGERS = SeatWagers({}, {})


class Broadcast:
    """Tells the listeners of one table what has changed since they were last told."""

    def __init__(self, table: ViewedTable, table_views: TableViews) -> None:
        self._table = table
        self._views = table_views
        self._view = table_views.table()
        self._staff = table_views.staff()
        self._stirred: dict[str, None] = {}
        """Players whose wagers have changed since the staff were told of them."""
        self._wagers: dict[str, tuple[say.WagerView, ...]] = {}
        """By Player, the wagers that the staff were told of."""
        self._is_held = self._is_due = False
        self._laid: dict[str, list[Committed]] | None = None
        """By Player, the events of the commit to be told, if it changes wagers alone.

        A seat's view is then made from what was told, and not anew for each wager.
        """
        self._untold: dict[Listener, SeatWagers] = {}
        """Of those whom answers to that commit have told of their seat, the wagers that
        have changed beside those of their own commands."""

    def welcome(self, listener: Listener) -> None:
        """Send a snapshot to a listener, who hears of every change after it."""
        self.update()
        is_staff = listener.audience is Audience.STAFF
        while is_staff and self.stakes():
            pass
        self._table.listeners.join(listener)
        snapshot = self._views.snapshot(listener)
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
        listener.outlet.put(say.write_answer(snapshot))

    def hold(self) -> None:
        """Keep changes back until the commit that brings them is told."""
        self._is_held = True

    def expect(self, events: Sequence[Committed]) -> None:
        """Note which wagers alone the commit has changed, before it is answered."""
        laid: dict[str, list[Committed]] = {}
        owners = self._table.transient.owners
        for each in events:
            if type(each.event) not in WAGER_EVENTS:
                return
            owner = owner_of(each.event, owners)
            if owner is not None:
                laid.setdefault(owner, []).append(each)
        self._laid = laid or None
        self._untold.clear()

    @property
    def is_of_wagers(self) -> bool:
        """Whether the commit to be told changes nothing but Players' wagers."""
        return self._laid is not None

    def changed(self) -> None:
        """Tell of a change that no event says, such as a keyed outcome."""
        if self._is_held:
            self._is_due = True
        else:
            self.update()

    def commit(self, events: Sequence[Committed]) -> None:
        """Tell of the events of one commit, and of what they changed."""
        laid, is_due = self._laid, self._is_due
        self._is_held = self._is_due = False
        if laid is not None:
            self._commit_of_wagers(laid)
        else:
            self._commit_of_any(events)
            is_due = is_due or any(type(e.event) not in WAGER_EVENTS for e in events)
        self._laid = None
        self._untold.clear()
        if is_due:
            self.update(events)

    def _commit_of_wagers(self, laid: dict[str, list[Committed]]) -> None:
        """Tell seats of their wagers, but for those whose answers have told it all."""
        at_seat = self._table.listeners.at_seat
        for seat, events in laid.items():
            self._stirred[seat] = None
            for listener in at_seat(seat):
                untold = self._untold.get(listener)
                others = [each for each in events if each.sender is not listener]
                if others or untold is None or untold.changed or untold.gone:
                    self._tell_seat(listener, events)

    def _commit_of_any(self, events: Sequence[Committed]) -> None:
        own: dict[str, list[Committed]] = {seat: [] for seat in self._concerned(events)}
        in_play = self._table.state.series.last
        for each in events:
            if isinstance(each.event, ev.RoundSettled) and each.round != in_play:
                for seat in self._seats_in(each.round, each.event):
                    own[seat].append(each)  # the seat's view has the round in play
            owner = owner_of(each.event, self._table.transient.owners)
            if owner is not None:
                own.setdefault(owner, []).append(each)
            if owner is not None and type(each.event) in WAGER_EVENTS:
                self._stirred[owner] = None
        # The seat first: whoever sees that a round is settled knows their credit.
        for seat, its_own in own.items():
            self.seat(seat, its_own)

    def _concerned(self, events: Sequence[Committed]) -> set[str]:
        """Return the seats of which an event of the round changes what they see."""
        found: set[str] = set()
        for each in events:
            if isinstance(each.event, ev.RoundSettled):  # also of a corrected round
                found |= self._seats_in(each.round, each.event)
        if any(type(each.event) in _OF_THE_ROUND for each in events):
            for seat in self._table.listeners.seats:
                there = self._table.listeners.at_seat(seat)
                if any(
                    each.wagers or (each.told and each.told.settled) for each in there
                ):
                    found.add(seat)
        return found

    def _seats_in(self, number: int, event: ev.RoundSettled) -> set[str]:
        """Return the seats whose Players had wagers in a round, and sit there still."""
        state = self._table.state
        return {
            wager.player
            for wager in event.wagers
            if views.is_present(state, number, wager)
        }

    def update(self, events: Sequence[Committed] = ()) -> None:
        """Send what has changed for everybody, and to the staff what is theirs."""
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
        begins = any(isinstance(each.event, ev.RoundBegun) for each in events)
        if begins:
            self._wagers.clear()
            self._stirred.clear()
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
        view: say.TableChanges,
        rounds: tuple[say.PastRound, ...],
        staff: say.StaffChanges | None = None,
    ) -> say.TableUpdate:
        return say.TableUpdate(
            table=self._views.name,
            sequence=self._table.told,
            at_ms=self._views.clock(),
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
        """Send to the terminals of one seat what has changed there."""
        for listener in self._table.listeners.at_seat(seat):
            self._tell_seat(listener, events)

    def _tell_seat(self, listener: Listener, events: Sequence[Committed]) -> None:
        happened = tuple(
            self._views.own_event(each.sequence, each.round, each.event, listener)
            for each in events
            # Who sent a command has its wagers in the answer.
            if each.sender is not listener or type(each.event) not in WAGER_EVENTS
        )
        untold = self._untold.pop(listener, _NO_WAGERS) if events else _NO_WAGERS
        changes, wagers, gone = self.seat_changes(listener, whole=not events)
        wagers, gone = (*untold.changed.values(), *wagers), (*untold.gone, *gone)
        if happened or wagers or gone or has_changes(changes):
            message = say.SeatUpdate(
                table=self._views.name,
                sequence=self._table.told,
                at_ms=self._views.clock(),
                happened=happened,
                seat=changes,
                wagers=wagers,
                gone=gone,
            )
            listener.outlet.put(say.write_answer(message))

    def seat_changes(
        self, listener: Listener, *, whole: bool = False
    ) -> tuple[say.SeatChanges, tuple[say.WagerView, ...], tuple[str, ...]]:
        """Return what a listener has not been told of its seat; now it is told."""
        before, laid = listener.told, self._laid
        assert before is not None
        if not whole and laid is not None and listener.seat is not None:
            events = laid.get(listener.seat, ())
            changed_ids = [cast(WagerEvent, each.event).wager_id for each in events]
            return self._views.seat_after(listener, changed_ids)
        seat = self._views.seat(listener)
        assert seat is not None
        changed, gone = views.wager_changes(listener.wagers.values(), seat.wagers)
        listener.wagers = {wager.id: wager for wager in seat.wagers}
        listener.told = after = replace(seat, wagers=())
        return difference(before, after), changed, gone

    def answer_changes(
        self, listener: Listener
    ) -> tuple[say.SeatChanges | None, SeatWagers]:
        """Return what is new at a seat for an answer, and the wagers not told yet.

        All the answers to one commit leave together; the first tells of the seat, and
        each of its own wagers, which it takes from those.
        """
        untold = self._untold.get(listener)
        if untold is not None:
            return None, untold
        changes, wagers, gone = self.seat_changes(listener)
        changed = {wager.id: wager for wager in wagers}
        self._untold[listener] = untold = SeatWagers(changed, dict.fromkeys(gone))
        return changes, untold

    def stakes(self) -> bool:
        """Send what lies on the layout; return whether there is more to send."""
        listeners = self._table.listeners
        boards, staff = listeners.of(Audience.BOARD), listeners.of(Audience.STAFF)
        if not staff:
            self._stirred.clear()
            self._wagers.clear()
        message = say.StakesUpdate(
            table=self._views.name,
            sequence=self._table.told,
            at_ms=self._views.clock(),
            stakes=self._views.stakes(),
        )
        if boards:
            self._to(boards, message)
        if staff:
            changed, gone = self._stirred_wagers()
            self._to(staff, replace(message, wagers=changed, gone=gone))
        return bool(self._stirred)

    def _stirred_wagers(self) -> tuple[tuple[say.WagerView, ...], tuple[str, ...]]:
        changed: list[say.WagerView] = []
        gone: list[str] = []
        while self._stirred and len(changed) < _MOST_WAGERS:
            player = next(iter(self._stirred))
            del self._stirred[player]
            before, after = self._wagers.get(player, ()), self._views.wagers(player)
            self._wagers[player] = after
            changed_now, gone_now = views.wager_changes(before, after)
            changed += changed_now
            gone += gone_now
        return tuple(changed), tuple(gone)

    @staticmethod
    def _to(listeners: Iterable[Listener], answer: say.FromHouse) -> None:
        message = say.write_answer(answer)
        for listener in listeners:
            listener.outlet.put(message)


def _without_players(changes: say.TableChanges) -> say.TableChanges:
    """Return the changes of a table's view as boards and seats may see them."""
    colours = getattr(changes, "colours", UNSET)  # its type is made at run time
    if colours is UNSET:
        return changes
    return replace(changes, colours=views.without_players(colours))
