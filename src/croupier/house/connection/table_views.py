"""A table as one reader may see it: snapshots, seats, and what has just happened."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Protocol

from croupier.house.connection import views
from croupier.house.connection.listeners import (
    Audience,
    Listener,
    Listeners,
    fields_of,
    hears,
    owner_of,
)
from croupier.house.floor.transient_state import TransientState
from croupier.house.people.player_limits import PlayerTallies
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import TablePlan, WheelSource
from croupier.journal.tables import EventRow
from croupier.protocol import answers as say
from croupier.rules import events as ev
from croupier.rules.game import Game
from croupier.rules.terms import write_settings
from croupier.table.answers import event_of
from croupier.table.state import TableState

_LONGEST_PREFIX = 18
_MOST_WAGERS = 1_000
"""To the staff in one message; all of them are in the API."""


class ViewedTable(Protocol):
    """What is shown of a table."""

    defined: TablePlan
    game: Game
    state: TableState
    now: TransientState
    told: int
    listeners: Listeners
    began: dict[str, int]

    @property
    def history(self) -> Iterable[say.PastRound]: ...


class TableViews:
    """Makes the messages of one table."""

    def __init__(
        self, table: ViewedTable, record: HouseRecord, tallies: PlayerTallies
    ) -> None:
        self._table = table
        self._record, self._tallies, self._clock = record, tallies, record.clock

    @property
    def name(self) -> str:
        return self._table.defined.name

    def event(
        self, sequence: int, number: int, event: JournalEvent, listener: Listener
    ) -> say.TableEvent:
        """An event that has just been committed."""
        fields = fields_of(event, listener.audience)
        owner = owner_of(event, self._table.now.owners)
        is_own = listener.audience is Audience.SEAT and owner == listener.seat
        if is_own and "wager_id" in fields:
            fields["wager_id"] = fields["wager_id"].removeprefix(prefix_of(listener))
        if isinstance(event, ev.BonusNumbersDrawn):
            current = self._table.state.series.current
            fields["super_bonus"] = views.super_bonus_shown(current)
        seat = self.seat(listener.seat) if is_own else None
        return say.TableEvent(
            table=self.name,
            sequence=sequence,
            round=number,
            at_ms=self._clock(),
            event=type(event).__name__,
            fields=fields,
            seat=seat,
        )

    def settled(
        self,
        sequence: int,
        number: int,
        winning: str | None,
        wagers: Iterable[ev.SettledWager],
        listener: Listener,
    ) -> say.TableEvent:
        """A settlement with the wagers that are this reader's to see."""
        mine = tuple(wagers)[:_MOST_WAGERS]
        fields = {
            "winning_number": winning,
            "wagers": views.settled_shown(mine, prefix_of(listener)),
        }
        return say.TableEvent(
            table=self.name,
            sequence=sequence,
            round=number,
            at_ms=self._clock(),
            event=ev.RoundSettled.__name__,
            fields=fields,
            seat=self.seat(listener.seat),
        )

    def past(self, row: EventRow, listener: Listener) -> say.TableEvent | None:
        """An event that a returning reader has missed, if it is for them."""
        event = event_of(row)
        owner = owner_of(event, self._table.now.owners)
        is_own = owner is not None and owner == listener.seat
        if not hears(listener.audience, event, is_own=is_own):
            return None
        if isinstance(event, ev.RoundSettled):
            mine = [e for e in event.wagers if _may_see(listener, e.player)]
            winning = event.winning_number
            return self.settled(row.sequence, row.round_number, winning, mine, listener)
        return self.event(row.sequence, row.round_number, event, listener)

    def seat(self, seat: str | None) -> say.SeatView | None:
        if seat is None:
            return None
        state, now = self._record.state, self._clock()
        session, player = state.sitting.get(seat), state.players.get(seat)
        tally = self._tallies.session(self.name, seat)
        settings = self._record.settings
        lost = -self._tallies.today(settings, (self.name, seat), now).net_cents
        return say.SeatView(
            name=seat,
            player=player.name if player else None,
            credit_cents=views.credit_of(self._table.state, seat),
            claim_cents=views.claim_of(self._table.state, seat),
            session=say.SessionView(
                began_ms=session.began_ms
                if session
                else self._table.began.setdefault(seat, now),
                staked_cents=tally.staked_cents,
                paid_cents=tally.paid_cents,
                net_cents=tally.net_cents,
                stake_limit_cents=player.stake_cents if player else None,
                loss_limit_cents=player.loss_cents if player else None,
                lost_today_cents=max(0, lost),
            ),
        )

    def changed(self, listener: Listener) -> say.Changed:
        now = self._table.now
        is_staff = listener.audience is Audience.STAFF
        return say.Changed(
            table=self.name,
            sequence=self._table.told,
            at_ms=self._clock(),
            closes_at_ms=now.closes_at_ms,
            keyed=now.keyed if is_staff else None,
            notices=now.notices_for(listener),
            lit=tuple(now.lit),
            lights_confirmed=now.lights_confirmed(views.drawn_of(self._table.state)),
            dealer=self._record.state.dealers.get(self.name),
        )

    def snapshot(self, listener: Listener) -> say.TableSnapshot:
        defined = self._record.state.defined
        assert defined is not None
        return say.TableSnapshot(
            table=self.name,
            sequence=self._table.told,
            at_ms=self._clock(),
            currency=defined.currency,
            money=defined.money.value,
            view=self.view(listener),
            seat=self.seat(listener.seat),
        )

    def view(self, listener: Listener) -> say.TableView:
        table, state = self._table, self._table.state
        now, defined, series = table.now, table.defined, state.series
        current = series.current if series.last else None
        facts = current.facts if current else None
        is_staff = listener.audience is Audience.STAFF
        stated = state.interruption.stated if state.interruption else None
        limits = current.limits if current else series.limits
        winning = current.winning_number if current else None
        wagers, settled = self._wagers(listener)
        board = current.board if current else None
        stake_cents = board.stake_cents if board else 0
        wager_count = len(board.wagers) if board else 0
        terminals = table.listeners.terminals
        if listener.audience is Audience.SEAT:  # who follows its own alone
            stake_cents = sum(wager.stake_cents for wager in wagers)
            wager_count, terminals = len(wagers), 0
        return say.TableView(
            table=self.name,
            game=table.game.name,
            title=table.game.title,
            document=table.game.document,
            is_open=state.is_open,
            interrupted=state.interruption is not None,
            ball_stated=stated.at_rest or "nowhere" if stated and is_staff else None,
            virtual_wheel=defined.wheel is WheelSource.VIRTUAL,
            wheel=defined.wheel.value,
            lights=defined.lights and defined.lights.value,
            round=series.last,
            phase=views.phase_of(state).value,
            standing=views.standing_shown(current),
            closes_at_ms=now.closes_at_ms,
            countdown_seconds=defined.countdown_seconds,
            spun=bool(facts and facts.spun),
            dropped=bool(facts and facts.dropped),
            at_rest=facts.at_rest if facts else None,
            keyed=now.keyed if is_staff else None,
            lights_confirmed=now.lights_confirmed(views.drawn_of(state)),
            lit=tuple(now.lit),
            winning_number=winning,
            colour=views.past_round(0, winning, ()).colour,
            bonus=tuple(facts.bonus_numbers or ()) if facts else (),
            super_bonus=views.super_bonus_shown(current) if current else (),
            limits=views.limits_shown(state, limits),
            next_limits=None
            if limits == series.limits
            else views.limits_shown(state, series.limits),
            settings=write_settings(series.settings),
            chips=defined.chips,
            dealer=self._record.state.dealers.get(self.name),
            wagers=wagers,
            settled=settled,
            stake_cents=stake_cents,
            wager_count=wager_count,
            terminals=terminals,
            terminals_lost=tuple(sorted(table.listeners.lost)) if is_staff else (),
            notices=now.notices_for(listener),
            colours={c: (e.player, e.value_cents) for c, e in series.colours.items()},
            history=tuple(table.history),
        )

    def _wagers(
        self, listener: Listener
    ) -> tuple[tuple[say.WagerView, ...], tuple[say.SettledWagerView, ...]]:
        """The reader's own, or everybody's to the staff, up to a thousand."""
        series, prefix = self._table.state.series, prefix_of(listener)
        if not series.last or listener.audience is Audience.BOARD:
            return (), ()
        current = series.current
        lying = [e for e in current.board.in_order() if _may_see(listener, e.player)]
        every = current.settled.wagers if current.settled else ()
        settled = [each for each in every if _may_see(listener, each.player)]
        return (
            tuple(views.wager_shown(e, current, prefix) for e in lying[:_MOST_WAGERS]),
            views.settled_shown(settled[:_MOST_WAGERS], prefix),
        )


def _may_see(listener: Listener, player: str) -> bool:
    return listener.audience is Audience.STAFF or listener.seat == player


def prefix_of(listener: Listener) -> str:
    """What the ids of a terminal's own wagers begin with."""
    if listener.device is None or listener.audience is not Audience.SEAT:
        return ""
    name = listener.device
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name)
    if kept != name or len(kept) > _LONGEST_PREFIX:  # no two devices have the same
        kept = f"{kept[:11]}-{sha256(name.encode()).hexdigest()[:6]}"
    return f"{kept}."
