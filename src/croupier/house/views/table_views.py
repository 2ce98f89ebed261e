"""The views of one table: the public one, for boards, for staff, and for a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.house.people.devices import is_guest
from croupier.house.people.player_limits import PlayerTallies
from croupier.house.records.house_record import HouseRecord
from croupier.house.views import parts
from croupier.house.views.listeners import (
    Audience,
    fields_of,
)
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import Lights, WheelSource
from croupier.protocol import answers
from croupier.rules import commands
from croupier.rules.clause import Refusal
from croupier.rules.events import (
    IrregularityReported,
    RoundEvent,
    RoundSettled,
    WagerMarkedUnclear,
)
from croupier.rules.layout import BettingArea
from croupier.rules.operator import Person, Role
from croupier.rules.round import RoundOfPlay
from croupier.rules.terms import write_settings
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number, colour_of
from croupier.table import Submission
from croupier.table.commands import AnyCommand, ConfirmLights
from croupier.table.decisions import NO_CHANCE, judge
from croupier.table.state import TableState

if TYPE_CHECKING:
    from croupier.house.floor.table import FloorTable
    from croupier.house.views.connection import Connection

_MOST_WAGERS = 1_000
"""Wagers in one message; the API has all of them."""


_MadeWager = tuple[Wager, answers.WagerView, tuple[BettingArea, ...]]


class _Settlement:
    """The views of a round's settlement, made once."""

    def __init__(self, event: RoundSettled | None) -> None:
        self.event = event
        wagers = event.wagers if event else ()
        self.count = len(wagers)
        self.shown = parts.settled_shown(wagers[:_MOST_WAGERS])
        self.totals = parts.totals_of(wagers) if event else None
        self.by_player = parts.by_player(wagers)


class TableViews:
    """Makes the views of one table in its present state."""

    def __init__(
        self, table: FloorTable, record: HouseRecord, tallies: PlayerTallies
    ) -> None:
        self._table = table
        self._record, self._tallies, self.clock = record, tallies, record.clock
        self._settlement = _Settlement(None)
        self._made: dict[tuple[str, str], _MadeWager] = {}
        self._made_in = 0
        self._dependent: dict[str, set[str]] = {}
        """By Player, the wagers that need other chips on the area to meet a minimum."""

    @property
    def name(self) -> str:
        return self._table.plan.name

    @property
    def _current(self) -> RoundOfPlay | None:
        return self._table.state.series.in_play

    def place(self) -> tuple[str, int, int]:
        return self.name, self._table.told, self.clock()

    def snapshot(
        self, audience: Audience, seat: str | None = None, prefix: str = ""
    ) -> answers.TableSnapshot:
        """Return all views of an audience, with the seat of a terminal."""
        house = self._record.state.house
        assert house is not None
        is_staff = audience is Audience.STAFF
        view = self.table()
        if not is_staff:
            view = replace(view, colours=parts.without_players(view.colours))
        return answers.TableSnapshot(
            *self.place(),
            currency=house.currency,
            money=house.money.value,
            view=view,
            stakes=None if audience is Audience.SEAT else self.stakes(),
            seat=None if seat is None else self.seat(seat, prefix),
            staff=self.staff(self.wagers()) if is_staff else None,
        )

    def event(
        self, sequence: int, number: int, event: JournalEvent, audience: Audience
    ) -> answers.TableEvent:
        """Return an event that was just committed, for an audience."""
        fields = fields_of(event, audience)
        is_past = number != self._table.state.series.last  # no view shows a past round
        is_staff = audience is Audience.STAFF
        if isinstance(event, RoundSettled) and is_past and is_staff:
            fields["wagers"] = parts.settled_shown(event.wagers[:_MOST_WAGERS])
        return answers.TableEvent(
            event=type(event).__name__,
            round=number,
            sequence=sequence,
            at_ms=self.clock(),
            fields=fields,
        )

    def own_event(
        self, sequence: int, number: int, event: JournalEvent, listener: Connection
    ) -> answers.TableEvent:
        """Return an event of a listener's own seat, with its own wager id."""
        shown = self.event(sequence, number, event, Audience.SEAT)
        if "wager_id" in shown.fields:
            wager_id = shown.fields["wager_id"].removeprefix(listener.prefix)
            shown.fields["wager_id"] = wager_id
        if isinstance(event, RoundSettled):
            state = self._table.state
            own = [
                wager
                for wager in event.wagers
                if wager.player == listener.seat and state.is_present(number, wager)
            ]
            shown.fields["wagers"] = parts.settled_shown(own, listener.prefix)
        return shown

    def table(self) -> answers.TableView:
        table, state, current = self._table, self._table.state, self._current
        transient, plan, series = table.transient, table.plan, state.series
        facts = current.facts if current else None
        limits = current.limits if current else series.limits
        winning = current.winning_number if current else None
        bonus = state.drawn or ()
        lights_confirmed = state.lights.are_known(state.drawn)
        dealer = self._record.state.dealers.get(self.name)
        return answers.TableView(
            table=self.name,
            game=table.game.name,
            title=table.game.title,
            document=table.game.document,
            is_open=state.is_open,
            interrupted=state.is_interrupted,
            virtual_wheel=plan.wheel is WheelSource.VIRTUAL,
            wheel=plan.wheel.value,
            lights=plan.lights and plan.lights.value,
            round=series.last,
            phase=state.phase.value,
            status=parts.status_of(state),
            status_since_ms=transient.status_since_ms,
            takes_wagers=parts.takes_wagers(state),
            steps=parts.steps_of(
                state, transient.times, lights_confirmed=lights_confirmed
            ),
            standing=parts.standing_of(current),
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
            sections=() if winning is None else parts.sections_of(table.game, winning),
            bonus_status=parts.bonus_status(current) if current else None,
            bonus=bonus,
            super_bonus=parts.super_bonus_shown(current) if current else (),
            limits=parts.limits_shown(table.game, limits),
            next_limits=None
            if limits == series.limits
            else parts.limits_shown(table.game, series.limits),
            settings=write_settings(series.settings),
            chips=plan.chips,
            dealer=dealer,
            colours={
                colour: parts.colour_shown(chips)
                for colour, chips in series.colours.items()
            },
            history=table.history.rounds,
            video=plan.video,
            automatic_dealer=plan.automatic_dealer,
            next_round=parts.next_round_of(
                state,
                transient.status_since_ms,
                by_hand=dealer is not None or not plan.automatic_dealer,
                least_round_ms=plan.least_round_ms,
            ),
        )

    def _lit(self, bonus: tuple[Number, ...]) -> tuple[str, ...]:
        if self._table.plan.lights is not Lights.DEVICE:
            return bonus
        lit = self._table.state.lights.lit
        return tuple(each for each in lit if each in bonus)

    def stakes(self) -> answers.StakesView:
        board = self._current.board if self._current else None
        return answers.StakesView(
            stake_cents=board.stake_cents if board else 0,
            wager_count=len(board.wagers) if board else 0,
            terminals=self._table.listeners.terminals,
        )

    def staff(self, wagers: tuple[answers.WagerView, ...] = ()) -> answers.StaffView:
        """Return the staff's view, with the given wagers."""
        state, transient, current = (
            self._table.state,
            self._table.transient,
            self._current,
        )
        stated = state.ball_stated
        settlement = self._settled()
        lying = len(current.board.wagers) if current else 0
        return answers.StaffView(
            keyed=transient.keyed,
            notices=transient.shown_notices(),
            ball_stated=stated.at_rest or "nowhere" if stated else None,
            spin_stated=stated is not None and stated.spun,
            is_ball_wanted=state.is_interrupted or state.is_ball_disputed,
            wheel_seen=parts.wheel_seen(current),
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
        """Return the staff's acts that the table would accept now."""
        state, game, current = self._table.state, self._table.game, self._current
        at_rest = current.facts.at_rest if current else None
        acts = dict(_STAFF_ACTS)
        if not self._table.awaits_lights(state):
            acts["outcome"] = commands.AnnounceOutcome(at_rest or game.numbers[0])
        people = [
            Person("staff", role) for role in (Role.DEALER, *game.operator.ladder)
        ]
        may = [
            words
            for words, command in acts.items()
            if any(_would_take(state, person, command) for person in people)
        ]
        is_running = state.is_open and not state.is_interrupted
        if is_running and current is not None and current.settled is None:
            may += [act for act, kind in _BY_PHASE.items() if current.allows(kind)]
        return tuple(may)

    def wagers(
        self, player: str | None = None, prefix: str = ""
    ) -> tuple[answers.WagerView, ...]:
        """Return the wagers on the layout: of one Player, or up to a thousand of all.

        Their ids lack the `prefix`.
        """
        current = self._current
        if current is None:
            return ()
        lying: Iterable[Wager]
        if player is None:
            lying = list(current.board.in_order())[:_MOST_WAGERS]
        else:
            lying = self._table.transient.lying(player, current.board)
        return tuple(self.wager(each, current, prefix) for each in lying)

    def wager(
        self, wager: Wager, current: RoundOfPlay, prefix: str = ""
    ) -> answers.WagerView:
        """Return a wager's view, made again only if the wager has changed."""
        number = self._table.state.series.last
        if self._made_in != number:
            self._made, self._dependent, self._made_in = {}, {}, number
        key = (prefix, wager.wager_id)
        known = self._made.get(key)
        if known is not None and known[0] is wager:
            return parts.shown_again(wager, known[1], current, known[2])
        low = parts.low_areas(wager, current.limits)
        shown = parts.wager_shown(wager, current, low, prefix)
        self._made[key] = (wager, shown, low)
        if low:
            self._dependent.setdefault(wager.player, set()).add(wager.wager_id)
        return shown

    def seat(self, name: str, prefix: str) -> answers.SeatView:
        transient = self._table.transient
        player = self._record.state.players.get(name)
        settled = self._settled().by_player.get(name, ())
        wagers = self.wagers(name, prefix)
        return answers.SeatView(
            name=name,
            player=player.name if player else None,
            notices=tuple(e for e in transient.shown_notices() if e.seat == name),
            settled=parts.settled_shown(settled[:_MOST_WAGERS], prefix),
            totals=parts.totals_of(settled) if settled else None,
            last_totals=transient.last_totals.get(name),
            credit_cents=self._table.state.credit(name),
            claim_cents=self._table.state.claim(name),
            session=self.session(name),
            may=self.seat_may(name),
            stake_cents=sum([wager.stake_cents for wager in wagers]),
            wagers=wagers,
            colour=self._colour_of(name),
        )

    def _colour_of(self, seat: str) -> str | None:
        colours = self._table.state.series.colours
        return next((c for c, chips in colours.items() if chips.player == seat), None)

    def seat_after(
        self, listener: Connection, wager_ids: Iterable[str]
    ) -> tuple[answers.SeatChanges, tuple[answers.WagerView, ...], tuple[str, ...]]:
        """Return the changes of a listener's seat after a change of only these wagers.

        Also returns the new and changed wagers, and the ids of those gone. All of it
        counts as sent.
        """
        told, current, prefix = listener.told, self._current, listener.prefix
        assert told is not None
        assert current is not None
        known, stake_cents = listener.wagers, told.stake_cents
        changed: dict[str, answers.WagerView] = {}
        gone: dict[str, None] = {}
        lying = current.board.wagers
        for wager_id in (*wager_ids, *self._dependent.get(told.name, ())):
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
        credit_cents = state.credit(told.name)
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
        return answers.SeatChanges(**new), tuple(changed.values()), tuple(gone)

    def session(self, seat: str) -> answers.SessionView:
        """Return the present session at a seat."""
        state, now = self._record.state, self.clock()
        session, player = state.sitting.get(seat), state.players.get(seat)
        tally = self._tallies.session(self.name, seat)
        today = self._tallies.today(self._record.settings, (self.name, seat), now)
        return answers.SessionView(
            began_ms=session.began_ms
            if session
            else self._table.began.setdefault(seat, now),
            staked_cents=tally.staked_cents,
            paid_cents=tally.paid_cents,
            net_cents=tally.net_cents,
            stake_limit_cents=player.stake_cents if player else None,
            loss_limit_cents=player.loss_cents if player else None,
            lost_today_cents=max(0, -today.net_cents),
            deposit_limit_cents=player.deposit_cents if player else None,
            deposited_today_cents=today.deposited_cents,
            net_deposits_today_cents=today.net_deposits_cents,
        )

    def seat_may(self, seat: str) -> tuple[str, ...]:
        has_credit = self._table.state.credit(seat) > 0
        is_named = seat in self._record.state.players
        return _seat_acts(has_credit, is_named, self.has_wagers(seat))

    def has_wagers(self, player: str) -> bool:
        if not self._table.state.is_in_play:
            return False
        board = self._table.state.series.current.board
        return any(self._table.transient.lying(player, board))


@cache
def _seat_acts(has_credit: bool, is_named: bool, has_wagers: bool) -> tuple[str, ...]:
    may = {
        "collect": has_credit,
        "redeem": True,
        "buy_in": True,
        "sit": not is_named and not has_credit and not has_wagers,
        "leave": is_named and not has_wagers,
    }
    return tuple(act for act, is_so in may.items() if is_so)


_STAFF_ACTS: Mapping[str, AnyCommand] = {
    "place your bets": commands.PlaceYourBets(),
    "allow early close": commands.AllowEarlyClose(),
    "spin": commands.SpinBall(),
    "no more bets": commands.NoMoreBets(),
    "confirm lights": ConfirmLights(),
    "no spin": commands.AnnounceNoSpin(),
    "power failure": commands.ReportPowerFailure(),
}


# Judging a settlement would compute it, and the other acts need a wager or an
# irregularity: for these, only the transition table is asked.
_BY_PHASE: Mapping[str, type[RoundEvent]] = {
    "settle": RoundSettled,
    "irregularity": IrregularityReported,
    "unclear": WagerMarkedUnclear,
}


def _would_take(state: TableState, person: Person, command: AnyCommand) -> bool:
    submission = Submission("may", (person,), command)
    return not isinstance(judge(state, submission, NO_CHANCE), Refusal)
