"""The views of one table: for everybody, for boards, for staff, and for a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Protocol

from msgspec.structs import replace

from croupier.house.connection import views
from croupier.house.connection.listeners import (
    Audience,
    Listener,
    Listeners,
    fields_of,
)
from croupier.house.floor.transient_state import TransientState
from croupier.house.people.devices import is_guest
from croupier.house.people.player_limits import PlayerTallies
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.past_rounds import RecentRounds
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import Lights, TablePlan, WheelSource
from croupier.protocol import answers as say
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal
from croupier.rules.game import Game
from croupier.rules.operator import Person, Role
from croupier.rules.round import RoundOfPlay
from croupier.rules.terms import write_settings
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number, colour_of
from croupier.table import Submission
from croupier.table import commands as ask
from croupier.table.decisions import OutsideFacts, judge
from croupier.table.state import TableState

_MOST_WAGERS = 1_000
"""Wagers that one message lists; all of them are in the API."""
NO_CHANCE = OutsideFacts(draw=lambda _: (), spin=lambda _: Number("0"))
"""For judging beforehand what draws nothing."""


class ViewedTable(Protocol):
    """The parts of a table that views are made of."""

    plan: TablePlan
    game: Game
    state: TableState
    transient: TransientState
    told: int
    listeners: Listeners
    history: RecentRounds
    began: dict[str, int]

    def awaits_lights(self, state: TableState) -> bool: ...


class _Settlement:
    """The settlement of a round, arranged once, for it does not change."""

    def __init__(self, event: ev.RoundSettled | None) -> None:
        self.event = event
        wagers = event.wagers if event else ()
        self.count = len(wagers)
        self.shown = views.settled_shown(wagers[:_MOST_WAGERS])
        self.totals = views.totals_of(wagers) if event else None
        self.by_player = views.by_player(wagers)


class TableViews:
    """Makes the views of one table as it stands at the moment."""

    def __init__(
        self, table: ViewedTable, record: HouseRecord, tallies: PlayerTallies
    ) -> None:
        self._table = table
        self._record, self._tallies, self.clock = record, tallies, record.clock
        self._settlement = _Settlement(None)
        self._made: dict[tuple[str, str], tuple[Wager, say.WagerView, bool]] = {}
        self._made_in = 0
        self._leaning: dict[str, set[str]] = {}
        """By Player, the wagers under a minimum but for what lies beside them."""

    @property
    def name(self) -> str:
        return self._table.plan.name

    @property
    def _current(self) -> RoundOfPlay | None:
        series = self._table.state.series
        return series.current if series.last else None

    def snapshot(self, listener: Listener) -> say.TableSnapshot:
        """Return all that a listener may see."""
        house = self._record.state.house
        assert house is not None
        is_staff = listener.audience is Audience.STAFF
        view = self.table()
        if not is_staff:
            view = replace(view, colours=views.without_players(view.colours))
        return say.TableSnapshot(
            table=self.name,
            sequence=self._table.told,
            at_ms=self.clock(),
            currency=house.currency,
            money=house.money.value,
            view=view,
            stakes=None if listener.audience is Audience.SEAT else self.stakes(),
            seat=self.seat(listener),
            staff=self.staff(self.wagers()) if is_staff else None,
        )

    def event(
        self, sequence: int, number: int, event: JournalEvent, audience: Audience
    ) -> say.TableEvent:
        """Return an event that has just been committed, as an audience may see it."""
        fields = fields_of(event, audience)
        is_past = number != self._table.state.series.last  # in no view, then
        is_staff = audience is Audience.STAFF
        if isinstance(event, ev.RoundSettled) and is_past and is_staff:
            fields["wagers"] = views.settled_shown(event.wagers[:_MOST_WAGERS])
        return say.TableEvent(
            event=type(event).__name__,
            round=number,
            sequence=sequence,
            at_ms=self.clock(),
            fields=fields,
        )

    def own_event(
        self, sequence: int, number: int, event: JournalEvent, listener: Listener
    ) -> say.TableEvent:
        """Return an event of a listener's own, with the id that it gave a wager."""
        shown = self.event(sequence, number, event, Audience.SEAT)
        if "wager_id" in shown.fields:
            wager_id = shown.fields["wager_id"].removeprefix(listener.prefix)
            shown.fields["wager_id"] = wager_id
        if isinstance(event, ev.RoundSettled):
            state = self._table.state
            own = [
                wager
                for wager in event.wagers
                if wager.player == listener.seat
                and views.is_present(state, number, wager)
            ]
            shown.fields["wagers"] = views.settled_shown(own, listener.prefix)
        return shown

    def table(self) -> say.TableView:
        """Return what everybody may see."""
        table, state, current = self._table, self._table.state, self._current
        transient, plan, series = table.transient, table.plan, state.series
        facts = current.facts if current else None
        limits = current.limits if current else series.limits
        winning = current.winning_number if current else None
        bonus = views.drawn_of(state) or ()
        lights_confirmed = state.lights.are_known(views.drawn_of(state))
        dealer = self._record.state.dealers.get(self.name)
        return say.TableView(
            table=self.name,
            game=table.game.name,
            title=table.game.title,
            document=table.game.document,
            is_open=state.is_open,
            interrupted=state.interruption is not None,
            virtual_wheel=plan.wheel is WheelSource.VIRTUAL,
            wheel=plan.wheel.value,
            lights=plan.lights and plan.lights.value,
            round=series.last,
            phase=views.phase_of(state).value,
            status=views.status_of(state),
            status_since_ms=transient.status_since_ms,
            takes_wagers=views.takes_wagers(state),
            steps=views.steps_of(
                state, transient.times, lights_confirmed=lights_confirmed
            ),
            standing=views.standing_of(current),
            opened_at_ms=transient.times.get("open"),
            closes_at_ms=transient.closes_at_ms,
            closed_at_ms=transient.times.get("close"),
            countdown_seconds=plan.countdown_seconds,
            spun=bool(facts and facts.spun),
            dropped=bool(facts and facts.dropped),
            at_rest=facts.at_rest if facts else None,
            lights_confirmed=lights_confirmed,
            lit=self._lit(bonus),
            winning_number=winning,
            colour=None if winning is None else colour_of(winning).value,
            sections=() if winning is None else views.sections_of(table.game, winning),
            bonus_status=views.bonus_status(current) if current else None,
            bonus=bonus,
            super_bonus=views.super_bonus_shown(current) if current else (),
            limits=views.limits_shown(table.game, limits),
            next_limits=None
            if limits == series.limits
            else views.limits_shown(table.game, series.limits),
            settings=write_settings(series.settings),
            chips=plan.chips,
            dealer=dealer,
            colours={
                colour: views.colour_shown(chips)
                for colour, chips in series.colours.items()
            },
            history=table.history.rounds,
            video=plan.video,
            automatic_dealer=plan.automatic_dealer,
            next_round=views.next_round_of(
                state,
                transient.status_since_ms,
                by_hand=dealer is not None or not plan.automatic_dealer,
            ),
        )

    def _lit(self, bonus: tuple[Number, ...]) -> tuple[str, ...]:
        if self._table.plan.lights is not Lights.DEVICE:
            return bonus
        lit = self._table.state.lights.lit
        return tuple(each for each in lit if each in bonus)

    def stakes(self) -> say.StakesView:
        """Return what boards and staff see of the layout."""
        board = self._current.board if self._current else None
        return say.StakesView(
            stake_cents=board.stake_cents if board else 0,
            wager_count=len(board.wagers) if board else 0,
            terminals=self._table.listeners.terminals,
        )

    def staff(self, wagers: tuple[say.WagerView, ...] = ()) -> say.StaffView:
        """Return what only the staff see, with the wagers that were listed for it."""
        state, transient, current = (
            self._table.state,
            self._table.transient,
            self._current,
        )
        crash = state.interruption
        stated = crash.stated if crash else state.ball_stated
        settlement = self._settled()
        lying = len(current.board.wagers) if current else 0
        return say.StaffView(
            keyed=transient.keyed,
            notices=tuple(transient.notices.values()),
            ball_stated=stated.at_rest or "nowhere" if stated else None,
            spin_stated=stated is not None and stated.spun,
            is_ball_wanted=crash is not None or state.is_ball_disputed,
            wheel_seen=views.wheel_seen(current),
            terminals_lost=tuple(
                each
                for each in sorted(self._table.listeners.lost)
                if not is_guest(each)
            ),
            may=self._staff_may(),
            wagers=wagers,
            settled=settlement.shown,
            totals=settlement.totals,
            more=max(lying, settlement.count) > _MOST_WAGERS,
        )

    def _settled(self) -> _Settlement:
        settled = self._current.settled if self._current else None
        if self._settlement.event is not settled:
            self._settlement = _Settlement(settled)
        return self._settlement

    def _staff_may(self) -> tuple[str, ...]:
        """Return the acts that the table would take, by its own judgement."""
        state, game, current = self._table.state, self._table.game, self._current
        at_rest = current.facts.at_rest if current else None
        acts = dict(_STAFF_ACTS)
        if not self._table.awaits_lights(state):
            acts["outcome"] = do.AnnounceOutcome(at_rest or game.numbers[0])
        people = [
            Person("staff", role) for role in (Role.DEALER, *game.operator.ladder)
        ]
        may = [
            words
            for words, command in acts.items()
            if any(_would_take(state, person, command) for person in people)
        ]
        is_running = state.is_open and state.interruption is None
        if is_running and current is not None and current.settled is None:
            may += [act for act, kind in _BY_PHASE.items() if current.allows(kind)]
        return tuple(may)

    def wagers(self, player: str | None = None) -> tuple[say.WagerView, ...]:
        """Return the wagers on the layout, of one Player or up to a thousand of all."""
        current = self._current
        if current is None:
            return ()
        lying: Iterable[Wager]
        if player is None:
            lying = list(current.board.in_order())[:_MOST_WAGERS]
        else:
            lying = self._table.transient.lying(player, current.board)
        return tuple(self.wager(each, current) for each in lying)

    def own_wagers(self, listener: Listener) -> tuple[say.WagerView, ...]:
        """Return the wagers of a listener's own seat, with the ids it gave them."""
        current = self._current
        if current is None or listener.seat is None:
            return ()
        prefix = listener.prefix
        lying = self._table.transient.lying(listener.seat, current.board)
        return tuple(self.wager(each, current, prefix) for each in lying)

    def wager(
        self, wager: Wager, current: RoundOfPlay, prefix: str = ""
    ) -> say.WagerView:
        """Return a wager's view, made once as long as the wager lies as it does."""
        number = self._table.state.series.last
        if self._made_in != number:
            self._made, self._leaning, self._made_in = {}, {}, number
        key = (prefix, wager.wager_id)
        known = self._made.get(key)
        if known is not None and known[0] is wager:
            return views.shown_again(wager, known[1], current, stands_alone=known[2])
        alone = views.stands_alone(wager, current.limits)
        shown = views.wager_shown(wager, current, prefix, stands_alone=alone)
        self._made[key] = (wager, shown, alone)
        if not alone:
            self._leaning.setdefault(wager.player, set()).add(wager.wager_id)
        return shown

    def seat(self, listener: Listener) -> say.SeatView | None:
        """Return a listener's own seat."""
        name = listener.seat
        if name is None:
            return None
        transient = self._table.transient
        player = self._record.state.players.get(name)
        settled = self._settled().by_player.get(name, ())
        wagers = self.own_wagers(listener)
        return say.SeatView(
            name=name,
            player=player.name if player else None,
            notices=tuple(e for e in transient.notices.values() if e.seat == name),
            settled=views.settled_shown(settled[:_MOST_WAGERS], listener.prefix),
            totals=views.totals_of(settled) if settled else None,
            last_totals=transient.last_totals.get(name),
            credit_cents=views.credit_of(self._table.state, name),
            claim_cents=views.claim_of(self._table.state, name),
            session=self.session(name),
            may=self._seat_may(name),
            stake_cents=sum([wager.stake_cents for wager in wagers]),
            wagers=wagers,
            colour=self._colour_of(name),
        )

    def _colour_of(self, seat: str) -> str | None:
        colours = self._table.state.series.colours
        return next((c for c, chips in colours.items() if chips.player == seat), None)

    def seat_after(
        self, listener: Listener, wager_ids: Iterable[str]
    ) -> tuple[say.SeatChanges, tuple[say.WagerView, ...], tuple[str, ...]]:
        """Return what is new at a listener's seat, where only these wagers changed.

        With it those that are new or changed, and the ids of those gone; the listener
        is taken to be told of all of it.
        """
        told, current, prefix = listener.told, self._current, listener.prefix
        assert told is not None
        assert current is not None
        known, stake_cents = listener.wagers, told.stake_cents
        changed: dict[str, say.WagerView] = {}
        gone: dict[str, None] = {}
        lying = current.board.wagers
        for wager_id in (*wager_ids, *self._leaning.get(told.name, ())):
            wager = lying.get(wager_id)
            if wager is None:
                before = known.pop(wager_id.removeprefix(prefix), None)
                if before is not None:
                    stake_cents -= before.stake_cents
                    gone[before.id] = None
                continue
            shown = self.wager(wager, current, prefix)
            before = known.get(shown.id)
            if before is None or before != shown:
                stake_cents += shown.stake_cents - (before.stake_cents if before else 0)
                known[shown.id] = changed[shown.id] = shown
        state = self._table.state
        credit_cents = views.credit_of(state, told.name)
        is_named = told.name in self._record.state.players
        has_wagers = bool(known) and state.is_in_play
        may = _seat_acts(credit_cents > 0, is_named, has_wagers)
        new: dict[str, object] = {}
        if credit_cents != told.credit_cents:
            new["credit_cents"] = credit_cents
        if may != told.may:
            new["may"] = may
        if stake_cents != told.stake_cents:
            new["stake_cents"] = stake_cents
        if new:
            listener.told = replace(told, **new)
        return say.SeatChanges(**new), tuple(changed.values()), tuple(gone)

    def session(self, seat: str) -> say.SessionView:
        """Return the session of who is at a seat now."""
        state, now = self._record.state, self.clock()
        session, player = state.sitting.get(seat), state.players.get(seat)
        tally = self._tallies.session(self.name, seat)
        today = self._tallies.today(self._record.settings, (self.name, seat), now)
        return say.SessionView(
            began_ms=session.began_ms
            if session
            else self._table.began.setdefault(seat, now),
            staked_cents=tally.staked_cents,
            paid_cents=tally.paid_cents,
            net_cents=tally.net_cents,
            stake_limit_cents=player.stake_cents if player else None,
            loss_limit_cents=player.loss_cents if player else None,
            lost_today_cents=max(0, -today.net_cents),
        )

    def _seat_may(self, seat: str) -> tuple[str, ...]:
        has_credit = views.credit_of(self._table.state, seat) > 0
        is_named = seat in self._record.state.players
        return _seat_acts(has_credit, is_named, self.has_wagers(seat))

    def may_be_taken(self, seat: str) -> bool:
        """Return whether a named Player may sit down at an anonymous seat."""
        has_credit = views.credit_of(self._table.state, seat) > 0
        return not has_credit and not self.has_wagers(seat)

    def has_wagers(self, player: str) -> bool:
        """Return whether a Player has wagers on the layout of the round in play."""
        if not self._table.state.is_in_play:
            return False
        board = self._table.state.series.current.board
        return any(self._table.transient.lying(player, board))


@cache
def _seat_acts(has_credit: bool, is_named: bool, has_wagers: bool) -> tuple[str, ...]:
    """Return what a seat may ask for."""
    may = {
        "collect": has_credit,
        "redeem": True,
        "buy_in": True,
        "sit": not is_named and not has_credit and not has_wagers,
        "leave": is_named and not has_wagers,
    }
    return tuple(act for act, is_so in may.items() if is_so)


_STAFF_ACTS: Mapping[str, ask.AnyCommand] = {
    "place your bets": do.PlaceYourBets(),
    "allow early close": do.AllowEarlyClose(),
    "spin": do.SpinBall(),
    "no more bets": do.NoMoreBets(),
    "confirm lights": ask.ConfirmLights(),
    "no spin": do.AnnounceNoSpin(),
    "power failure": do.ReportPowerFailure(),
}


# Judging a settlement would make it, and the others need to know which wager or what
# happened: of these the transition table alone is asked.
_BY_PHASE: Mapping[str, type[ev.RoundEvent]] = {
    "settle": ev.RoundSettled,
    "irregularity": ev.IrregularityReported,
    "unclear": ev.WagerMarkedUnclear,
}


def _would_take(state: TableState, person: Person, command: ask.AnyCommand) -> bool:
    submission = Submission("may", (person,), command)
    return not isinstance(judge(state, submission, NO_CHANCE), Refusal)
