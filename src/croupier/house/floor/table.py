"""A table on the floor: its journal, transient state, timers and listeners.

Laws of this file:
- methods run on the event loop, unless their docstring says that they run in the
  table's turn at the writer;
- answers leave before the events of the same commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.games import find_game
from croupier.house.configuration.changes import terms_change
from croupier.house.floor.automatic_dealer import AutomaticDealer
from croupier.house.floor.seats import (
    check_handles_money,
    refuse_for_house,
)
from croupier.house.floor.timers import TableTimers
from croupier.house.floor.transient_state import (
    DeviceProposal,
    TransientState,
)
from croupier.house.floor.wheel_watch import WheelWatch
from croupier.house.history.past_rounds import recent_rounds
from croupier.house.people.authority import Caller
from croupier.house.people.player_limits import (
    Deposit,
    refuse_by_limits,
    refuse_deposit,
    settlement_before,
)
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import IdUsed
from croupier.house.views import parts
from croupier.house.views.broadcast import Broadcast, Committed
from croupier.house.views.first_answers import UnrecordedAnswers, repeated
from croupier.house.views.listeners import (
    WAGER_EVENTS,
    Listeners,
)
from croupier.house.views.table_views import TableViews
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import TablePlan, WheelSource
from croupier.journal.store import JournalFailed
from croupier.ledger import money
from croupier.ledger.commands import BuyIn, EndStay, MoneyCommand
from croupier.protocol.answers import Notice
from croupier.rules import events
from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import (
    AnnounceOutcome,
    ReportTerminalsInterrupted,
    WagerCommand,
)
from croupier.rules.game import Game
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.table import (
    Accepted,
    Answer,
    NewTable,
    Submission,
    Table,
    TableQueue,
)
from croupier.table.answers import event_of, stored_answer
from croupier.table.commands import AnyCommand
from croupier.table.judgements import SYSTEM, Judgement
from croupier.table.state import TableState
from croupier.table.writer import Outcome, PendingCommand

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.views.connection import Connection

_STAKES_EVERY_S = 0.25
_AGAIN_S = 1.0
_JOURNAL_AWAY_S = 15.0
"""Commands wait this long for a journal that can't be written."""
_RECALLED = tuple(kind.__name__ for kind in (events.WagerPlaced, *parts.STEP_OF))
_DECIDE = (
    events.OutcomeAnnounced
    | events.OutcomeDecided
    | events.PlayContinued
    | events.RoundSettled
)
"""Events that end a keyed outcome and the notices of the round."""
_ANSWER_WITHIN_S = 30
_HOUSE_FILE = Person("house file", Role.SYSTEM)
_HOUSE = Person("house", Role.SYSTEM)


class FloorCommand(PendingCommand):
    """A command in the queue, with its sender and time.

    `tell` is called on the event loop: with the answer once it is on disk, or with an
    error.
    """

    __slots__ = ("sender", "since", "tell")

    def __init__(
        self,
        submission: Submission,
        tell: Callable[[Answer | Exception], None],
        sender: Connection | None = None,
    ) -> None:
        super().__init__(submission)
        self.tell, self.sender, self.since = tell, sender, perf_counter()


_Done = tuple[FloorCommand, Answer]


class FloorTable:
    """One table and its listeners."""

    def __init__(
        self, floor: Floor, plan: TablePlan, left_at: int | None = None
    ) -> None:
        """Open the table, on any thread; `begin` starts play.

        A round in play goes on if the stream ends at `left_at`, where the last owner
        handed it over. Raises `WriterConflict` if another node owns the table.
        """
        record = floor.record
        self.plan = plan
        self.name = plan.name
        self.game: Game = find_game(plan.game)
        game = self.game
        self.read_wager = lru_cache(10_000)(
            lambda text: read_wager(text, game.multiples, game.numbers)
        )
        """Reads a wager's words; cached, because Players repeat their wagers."""
        self.transient = TransientState()
        self.listeners = Listeners()
        self.history, self.transient.last_totals = recent_rounds(
            record.store, self.name, self.game
        )
        self._floor, self._record, self._tallies = floor, record, floor.tallies
        self._measured, self._loop = floor.options.measurements, floor.loop
        self._handed_in: list[FloorCommand] = []
        self._dealing: asyncio.Task[None] | None = None
        self.table = self._opened(left_at)
        self.state: TableState = self.table.state
        self.told = self.table.head.sequence
        self.views = TableViews(self, record, floor.tallies)
        self.broadcast = Broadcast(self, self.views)
        self.unrecorded = UnrecordedAnswers()
        self.timers = TableTimers(self, record, floor.loop)
        self.began: dict[str, int] = {}
        """The time at which each anonymous seat began its present session."""
        self._counted = self.told
        self._last_settled = max(
            (each.round for each in self.history.rounds), default=0
        )
        self._recall()
        self.wheel = WheelWatch(game)
        self.wheel.read(record.store, self.name, self.state.series.last)
        self.queue = TableQueue(
            floor.writer, self.table, self._committed, patience_s=_JOURNAL_AWAY_S
        )
        began = {
            session.player: session.began_ms
            for session in record.state.sitting.values()
            if session.table == self.name
        }
        self._tallies.rebuild(self.name, began, floor.clock())

    def _opened(self, left_at: int | None) -> Table:
        new, plan, floor = None, self.plan, self._floor
        head = floor.store.head(self.name)
        if head is None or head.sequence == 0:  # new, or its first start was cut short
            is_virtual = plan.wheel is WheelSource.VIRTUAL
            new = NewTable(
                _HOUSE_FILE, plan.game, plan.limits, plan.settings, is_virtual
            )
        return Table(
            floor.store,
            self.name,
            clock=floor.clock,
            new=new,
            house=floor.record.settings,
            append=floor.writer.append,
            permit=self._permit,
            is_anonymous=self._is_anonymous,
            payment_turn=floor.payment_turn,
            left_at=left_at,
        )

    def begin(self) -> None:
        """Start timers and the automatic dealer; end stays; on the event loop."""
        self.timers.restart()
        self.end_stays()
        floor = self._floor
        if self.plan.wheel is WheelSource.VIRTUAL and floor.store.frozen is None:
            dealer = AutomaticDealer(floor, self, floor.options.pace)
            self._dealing = asyncio.ensure_future(dealer.deal())
            floor.spawn(self._dealing)

    def _is_anonymous(self, seat: str) -> bool:
        """Return whether a seat is that of a terminal's unnamed Player."""
        return seat in self._record.state.devices

    def end_stays(self) -> None:
        """End the stays at revoked terminals: their seats open empty again (A37)."""
        for seat in self.state.stays:
            stay = self.state.stay_at(seat)
            if stay is not None and not self._is_anonymous(seat):
                command_id = f"revoked:{seat}:{stay}"
                self.insist(Submission(command_id, (_HOUSE,), EndStay(seat)))

    def define_terms(self) -> None:
        """Put the terms of the latest house file in force, once."""
        state = self._record.state
        if self.name not in state.terms:
            return
        asked = terms_change(state, self.name, self.game, self._floor.clock())
        if asked is not None and self.answer_before(asked.command_id) is None:
            self.insist(asked)

    def _recall(self) -> None:
        """Read transient facts of the round in play from the journal."""
        last = self.state.series.last
        if last:
            rows = self._record.store.events(
                self.name, round_number=last, kinds=_RECALLED
            )
            for row in rows:
                self._note_facts(event_of(row), row.at_ms)
        latest = max(self.transient.times.values(), default=None)
        self.transient.note_status(parts.status_of(self.state), latest)

    def _note_facts(self, event: JournalEvent, at_ms: int) -> None:
        """Note the owner of a wager, or the time of a step."""
        step = parts.STEP_OF.get(type(event))
        if step is not None:
            self.transient.times[step] = at_ms
        if isinstance(event, events.WagerPlaced | events.WagerWithdrawn):
            self.transient.note_wager(event)

    # Commands

    def put(self, command: FloorCommand) -> None:
        """Queue a command; all commands of one loop turn reach the writer together."""
        if not self._handed_in:
            self._loop.call_soon(self._hand_over)
        self._handed_in.append(command)

    def _hand_over(self) -> None:
        handed_in, self._handed_in = self._handed_in, []
        for command in handed_in:
            self.queue.put(command)

    def insist(self, submission: Submission) -> None:
        """Post a command of the house, and repeat it after each journal failure."""

        def again(answer: Answer | Exception) -> None:
            if isinstance(answer, JournalFailed):
                self._loop.call_later(_AGAIN_S, self.insist, submission)

        if self.is_alive:
            self.put(FloorCommand(submission, again))

    def _fail(self, commands: Sequence[PendingCommand], error: Exception) -> None:
        now = perf_counter()
        for each in commands:
            if isinstance(each, FloorCommand):
                asked = each.submission.command, each.since, None
                self._measured.answered(self.name, (asked,), now)
                each.tell(error)

    def handle(self, submission: Submission) -> Answer:
        """Wait for the answer, off the loop; raise `JournalFailed` if it is late.

        The answer comes from the table's turn. The event loop can't delay it, and the
        lock of the house's record, which the waiting thread holds, can't either.
        """
        try:
            return self.queue.submit(submission).result(_ANSWER_WITHIN_S)
        except TimeoutError as error:
            raise JournalFailed(f"{self.name} has not answered yet") from error

    async def submit(self, submission: Submission) -> Answer:
        """Queue a command and wait for its answer."""
        promised: asyncio.Future[Answer] = self._loop.create_future()

        def keep(answer: Answer | Exception) -> None:
            if promised.done():
                return
            if isinstance(answer, Exception):
                promised.set_exception(answer)
            else:
                promised.set_result(answer)

        self.put(FloorCommand(submission, keep))
        return await promised

    def answer_before(self, command_id: str) -> Answer | None:
        """Return the first answer to a command, if it has one; on any thread."""
        found = stored_answer(self._record.store, self.name, command_id)
        return found and self._repeated(found)

    def _repeated(self, answer: Answer) -> Answer:
        return repeated(answer, self.table.state, self._record.state)

    def preview(self, submission: Submission) -> Judgement:
        return self.table.preview(submission)

    def person(
        self, by: Caller, command: AnyCommand, position: str | None = None
    ) -> Person:
        """Return the caller in the given position, or in the lowest that may."""
        deals = self._record.state.deals(by.name, self.name)
        if isinstance(command, MoneyCommand):
            check_handles_money(by, self.name, deals=deals)
        people = by.people(self.game, deals=deals) if position is None else ()
        if len(people) > 1:
            if isinstance(command, MoneyCommand):
                return people[0]  # in any position staff take and pay money
            for person in people:
                if self.table.would_take(Submission("may", (person,), command)):
                    return person
        return by.person(self.game, position, deals=deals)

    def _permit(self, state: TableState, submission: Submission) -> Refusal | None:
        """Return the house's own refusal, if any; in the table's turn."""
        command = submission.command
        if isinstance(command, AnnounceOutcome) and self.awaits_lights(state):
            clause = self.game.clause(Rule.BONUS_DRAW)
            return Refusal(clause, HouseReason.LIGHTS_NOT_CONFIRMED())
        if isinstance(command, WagerCommand):
            return refuse_by_limits(self._record, self._tallies, state, command)
        if isinstance(command, BuyIn):
            refusal = refuse_deposit(
                self._record, self._tallies, command.seat, command.cents
            )
            if refusal is not None:
                return refusal
        house = self._record.state
        return refuse_for_house(house, self.name, state, submission)

    def lose_terminal(self, name: str) -> None:
        """Record a terminal that was lost while a round is in play (5.2)."""
        has_clause = self.game.provides(Rule.TERMINALS_INTERRUPTED)
        if has_clause and self.state.is_in_play:
            command_id = f"lost:{name}:{self.table.head.sequence}"
            report = ReportTerminalsInterrupted((name,))
            self.insist(Submission(command_id, (SYSTEM,), report))

    def awaits_lights(self, state: TableState) -> bool:
        """Return whether a drawn Bonus Number may still be dark."""
        if self.plan.lights is None or state.phase is not Phase.CLOSED:
            return False
        drawn = state.drawn
        return drawn is not None and not state.lights.are_known(drawn)

    # Commits

    def _committed(self, commands: Sequence[PendingCommand], outcome: Outcome) -> None:
        """Count a commit; pass it or a failure to the loop; in the table's turn."""
        if isinstance(outcome, Exception):
            self._loop.call_soon_threadsafe(self._fail, commands, outcome)
            return
        for answer in outcome:
            if isinstance(answer, Accepted) and answer.first > self._counted:
                self._count(answer)
        self._counted = self.table.head.sequence
        self._loop.call_soon_threadsafe(
            self._deliver, commands, outcome, self.table.state, self._counted
        )

    def _count(self, answer: Accepted) -> None:
        """Update the Players' tallies before the next command is judged."""
        for number, event in zip(answer.rounds, answer.events, strict=True):
            if isinstance(event, Deposit):
                self._tallies.deposited(self.name, event, self.table.recorded_ms)
            if isinstance(event, events.RoundSettled):
                replaced = None
                if number <= self._last_settled:
                    replaced = settlement_before(
                        self._record.store, self.name, number, answer.first
                    )
                self._last_settled = max(number, self._last_settled)
                self._tallies.settled(
                    self.name,
                    self._of_present_players(number, event),
                    replaced and self._of_present_players(number, replaced),
                    self.table.recorded_ms,
                )

    def _of_present_players(
        self, number: int, event: events.RoundSettled
    ) -> events.RoundSettled:
        """Return a settlement without the wagers of ended stays (A37)."""
        state = self.table.state
        there = [w for w in event.wagers if state.is_present(number, w)]
        return replace(event, wagers=tuple(there))

    def _deliver(
        self,
        commands: Sequence[PendingCommand],
        answers: Sequence[Answer],
        state: TableState,
        head: int,
    ) -> None:
        began = perf_counter()
        done = [
            (each, answer)
            for each, answer in zip(commands, answers, strict=False)
            if isinstance(each, FloorCommand)
        ]
        self.state = state
        self._measured.add("commits_total", 1)
        self._measured.set("queue_depth", self.queue.waiting, self.name)
        self.broadcast.hold()
        told = self._told_of(done, answers)
        last, note_wager = state.series.last, self.transient.note_wager
        for each in told:
            if type(each.event) is not events.WagerPlaced:
                self._note(each.round, each.event)
            elif each.round == last:
                note_wager(each.event)
        self.transient.note_status(parts.status_of(state), self._record.clock())
        self.broadcast.expect(told)
        sent = [(each.submission.command, each.since, answer) for each, answer in done]
        self._measured.answered(self.name, sent, began)
        for command, answer in done:
            command.tell(self._to_sender(command.submission.sent, answer))
        self.told = head
        self.broadcast.commit(told)
        if any(type(each.event) in WAGER_EVENTS for each in told):
            self.tell_stakes()
        if len(self.listeners):
            took = perf_counter() - began
            self._measured.observe("fan_out_seconds", self.name, (took,))

    def _to_sender(self, sent: str, answer: Answer) -> Answer | IdUsed:
        """Return the answer, or `IdUsed` if another command had the same id."""
        if answer.sent != sent:
            return IdUsed()
        is_repeated = isinstance(answer, Accepted) and answer.last <= self.told
        return self._repeated(answer) if is_repeated else answer

    def _told_of(
        self, done: Sequence[_Done], answers: Sequence[Answer]
    ) -> list[Committed]:
        """Return the events of a commit that listeners have not received."""
        senders = {answer.command_id: command.sender for command, answer in done}
        told: list[Committed] = []
        reached = self.told
        for answer in answers:
            if type(answer) is Accepted and answer.first > reached:
                sender, sequence = senders.get(answer.command_id), answer.first
                for number, event in zip(answer.rounds, answer.events, strict=True):
                    told.append(Committed(sequence, number, event, sender))
                    sequence += 1
                reached = answer.last
        return told

    def _end_session(self, seat: str) -> None:
        """End an anonymous session if the seat has no credit left."""
        is_named = seat in self._record.state.sitting
        if not is_named and not self.state.credit(seat):
            self.began.pop(seat, None)
            self._tallies.begin(self.name, seat)

    def tell_stakes(self) -> None:
        if "stakes" not in self.timers:
            self.timers.after("stakes", _STAKES_EVERY_S, self._send_stakes)

    def _send_stakes(self) -> None:
        if self.broadcast.stakes():
            self.tell_stakes()

    # Transient state

    def _note(self, number: int, event: JournalEvent) -> None:
        if isinstance(event, money.VoucherIssued | money.CashedOut | money.StayEnded):
            self._end_session(event.seat)
        if isinstance(event, events.RoundVoided):
            self._measured.add("void_rounds_total", 1, self.name)
        if isinstance(event, events.OutcomeAnnounced):
            alarm = self.wheel.note(self.name, number, event.number)
            if alarm is not None:
                self._floor.notice(alarm)
        is_in_play = number == self.state.series.last
        if isinstance(event, events.RoundSettled):
            drawn = self.state.drawn if is_in_play else None
            self.history.note(number, event.winning_number, drawn or ())
        if is_in_play:  # a past round does not change the one in play
            self._note_in_play(event)
            self.timers.happened(event)

    def _note_in_play(self, event: JournalEvent) -> None:
        if isinstance(event, events.RoundBegun):
            self.transient.begin_round()
        self._note_facts(event, self._record.clock())
        if isinstance(event, _DECIDE | events.WheelDisputed):
            self.transient.keyed = None
        if isinstance(event, _DECIDE):
            self.transient.drop_notices()
        if isinstance(event, events.RoundSettled):
            self.transient.last_totals |= parts.totals_by_player(event)

    def reseat(self, terminal: str, seat: str) -> None:
        """Send the listeners at a terminal a snapshot of their new seat."""
        for listener in list(self.listeners):
            is_there = listener.device == terminal and listener.seat is not None
            if is_there and listener.seat != seat:
                self.listeners.reseat(listener, seat)
                self.broadcast.welcome(listener)

    def propose(self, proposal: DeviceProposal) -> None:
        if self.transient.propose(proposal):
            self._notices_changed(proposal.seat)

    def drop_notice(self, notice: Notice) -> None:
        if self.transient.notices.pop(notice.id, None) is not None:
            self._notices_changed(notice.seat)

    def _notices_changed(self, seat: str | None) -> None:
        self.broadcast.changed()
        if seat is not None:
            self.broadcast.seat(seat)

    @property
    def is_interrupted(self) -> bool:
        return self.table.state.is_interrupted

    @property
    def is_alive(self) -> bool:
        return self.queue.is_alive

    def stop_dealing(self) -> None:
        if self._dealing is not None:
            self._dealing.cancel()

    def close(self) -> None:
        self.timers.cancel_all()
        self._hand_over()
        self.queue.close()

    def leave(self) -> Future[bool]:
        """Finish the commands that wait and take no more.

        The future is false if a commit is in doubt: then the table goes on.
        """
        self._hand_over()
        return self.queue.leave()
