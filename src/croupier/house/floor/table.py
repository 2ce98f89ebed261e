"""A table on the floor: its actor, its transient state, and its listeners.

Laws of this file:
- it runs on the event loop, but for what is said to run in the table's turn, on the
  thread that takes it;
- answers leave before the events of the same commit are told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

from croupier.games import find_game
from croupier.house.connection import views
from croupier.house.connection.broadcast import Broadcast, Committed
from croupier.house.connection.first_answers import UnrecordedAnswers, repeated
from croupier.house.connection.listeners import (
    WAGER_EVENTS,
    Listeners,
)
from croupier.house.connection.table_views import TableViews
from croupier.house.floor.observer import Observer
from croupier.house.floor.pending_command import (
    CallbackCommand,
    OnAnswer,
    PendingCommand,
)
from croupier.house.floor.seats import (
    check_handles_money,
    refuse_unknown_seat,
    refuse_unknown_terminals,
)
from croupier.house.floor.timers import NamedTimers, TableTimers
from croupier.house.floor.transient_state import (
    DeviceProposal,
    TransientState,
)
from croupier.house.people.authority import Caller
from croupier.house.people.player_limits import (
    PlayerTallies,
    refuse_by_limits,
    settlement_before,
)
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, IdUsed
from croupier.house.records.past_rounds import recent_rounds
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import TablePlan
from croupier.journal.store import JournalFailed
from croupier.ledger import money
from croupier.protocol.answers import Notice
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.notation import WagerText, read_wager
from croupier.rules.operator import Person
from croupier.rules.round import Phase
from croupier.table import Accepted, Answer, Submission, Table, TableActor
from croupier.table import commands as ask
from croupier.table.answers import event_of, stored_answer
from croupier.table.commands import check_submission
from croupier.table.judgements import SYSTEM, Judgement, judge_act
from croupier.table.shared_turns import SharedTurns
from croupier.table.state import TableState
from croupier.table.table import Permit

_STAKES_EVERY_S = 0.25
_AGAIN_S = 1.0
_JOURNAL_AWAY_S = 15.0
"""So long commands wait for a journal that can't be written, before they are told."""

_RECALLED = frozenset(kind.__name__ for kind in (ev.WagerPlaced, *views.STEP_OF))

_PLACES = frozenset({do.PlaceWager, ask.Together})


_Done = tuple[PendingCommand, Answer]


class FloorTable:
    """One table, and everybody who listens to it."""

    def __init__(
        self,
        plan: TablePlan,
        record: HouseRecord,
        tallies: PlayerTallies,
        open_table: Callable[[Permit], Table],
        observer: Observer,
        *,
        turns: SharedTurns,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Open the table, on any thread; `begin` lets it take commands."""
        self.plan = plan
        self.name = plan.name
        self.game: Game = find_game(plan.game)
        self.read_wager = _wager_reader(self.game)
        self.transient = TransientState()
        self.listeners = Listeners()
        self.history, self.transient.last_totals = recent_rounds(
            record.store, self.name, self.game
        )
        self._record, self._tallies = record, tallies
        self._observer = observer
        self._loop = loop
        self._queued: list[tuple[Submission, PendingCommand]] = []
        self._done: list[_Done] = []
        self.leaves: Callable[[FloorTable], None] | None = None
        """Called after a commit when it is at rest: the table is to be left."""
        self._named_timers = NamedTimers(loop)
        self.table = open_table(self._permit)
        self.state: TableState = self.table.state
        self.told = self.table.head.sequence
        self.views = TableViews(self, record, tallies)
        self.broadcast = Broadcast(self, self.views)
        self.unrecorded = UnrecordedAnswers()
        self.timers = TableTimers(self, record, self._named_timers)
        self.began: dict[str, int] = {}
        """When an anonymous seat was first seen with what it has now."""
        self._counted = self.told
        self._last_settled = max(
            (each.round for each in self.history.rounds), default=0
        )
        self._recall()
        self.actor = TableActor(
            self.table, self._committed, patience_s=_JOURNAL_AWAY_S, turns=turns
        )

    def begin(self) -> None:
        """Begin again what the time before has cut short."""
        self.timers.begin_anew()

    def _recall(self) -> None:
        """Recall what a start needs of the round in play, and no state has."""
        last = self.state.series.last
        if last:
            for row in self._record.store.events(self.name, round_number=last):
                if row.kind in _RECALLED:
                    self._note_facts(event_of(row), row.at_ms)

        latest = max(self.transient.times.values(), default=None)
        self.transient.note_status(views.status_of(self.state), latest)

    def _note_facts(self, event: JournalEvent, at_ms: int) -> None:
        """Note whose wagers lie there, and when steps were taken."""
        step = views.STEP_OF.get(type(event))
        if step is not None:
            self.transient.times[step] = at_ms
        if isinstance(event, ev.WagerPlaced | ev.WagerWithdrawn):
            self.transient.note_wager(event)

    # What is asked of the table

    def post(self, submission: Submission, on_answer: OnAnswer) -> None:
        """Queued now; `on_answer` is called on the loop once it is on disk."""
        self.queue(submission, CallbackCommand(self, submission.command, on_answer))

    def queue(self, submission: Submission, pending: PendingCommand) -> None:
        """Do as `post`; what comes in one turn of the loop is handed over together.

        The sender has its answer, and is not told of its own wagers besides.
        """
        check_submission(submission)
        pending.sent = submission.sent
        if not self._queued:
            self._loop.call_soon(self._hand_over)
        self._queued.append((submission, pending))

    def _hand_over(self) -> None:
        queued, self._queued = self._queued, []
        for submission, pending in queued:
            self.actor.queue(submission, pending)

    def insist(self, submission: Submission) -> None:
        """Post what the house asks for by itself, until its table has answered."""

        def again(answer: Answer | Exception) -> None:
            if isinstance(answer, JournalFailed):
                self._loop.call_later(_AGAIN_S, self.insist, submission)

        if self.actor.is_alive:
            self.post(submission, again)

    def keep(self, pending: PendingCommand, answer: Answer | Exception) -> None:
        """Keep an answer until its commit is told; in the table's turn."""
        if isinstance(answer, Exception):
            self._loop.call_soon_threadsafe(self._fail, pending, answer)
        else:
            self._done.append((pending, answer))

    def _fail(self, pending: PendingCommand, error: Exception) -> None:
        took, kind = perf_counter() - pending.since, type(pending.command).__name__
        self._observer.answered(self.name, kind, False, [took])
        pending.tell(error)

    async def submit(self, submission: Submission) -> Answer:
        """Do as `post`, for who waits for the answer."""
        promised: asyncio.Future[Answer] = self._loop.create_future()

        def keep(answer: Answer | Exception) -> None:
            if promised.done():
                return
            if isinstance(answer, Exception):
                promised.set_exception(answer)
            else:
                promised.set_result(answer)

        self.post(submission, keep)
        return await promised

    def answer_before(self, command_id: str) -> Answer | None:
        """Return what a command was answered before, or None; on any thread."""
        found = stored_answer(self._record.store, self.name, command_id)
        return found and self._repeated(found)

    def _repeated(self, answer: Answer) -> Answer:
        return repeated(answer, self.table.state, self._record.state)

    def preview(self, submission: Submission) -> Judgement:
        """On any thread: the table's state is never changed in place."""
        return self.table.preview(submission)

    def person(
        self, by: Caller, command: ask.AnyCommand, position: str | None = None
    ) -> Person:
        """Return who acts: in the position they say, or in the lowest that may."""
        deals = self._record.state.deals(by.name, self.name)
        if isinstance(command, ask.MoneyCommand):
            check_handles_money(by, self.name, deals=deals)
        people = by.people(self.game, deals=deals) if position is None else ()
        if len(people) > 1:
            if isinstance(command, ask.MoneyCommand):
                return people[0]  # any of the staff takes and pays money
            for person in people:
                if self.table.would_take(Submission("may", (person,), command)):
                    return person
        return by.person(self.game, position, deals=deals)

    def _permit(self, state: TableState, submission: Submission) -> Refusal | None:
        """Judge for the house itself, in the table's turn and in its order."""
        command = submission.command
        if (reason := do.reason_of(command)) is not None and not reason.strip():
            return Refusal(self.game.cite("A43"), HouseReason.REASON_MISSING())
        if isinstance(command, do.AnnounceOutcome) and self.awaits_lights(state):
            clause = self.game.clause(Rule.BONUS_DRAW)
            return Refusal(clause, HouseReason.LIGHTS_NOT_CONFIRMED())
        if isinstance(command, do.ReportTerminalsInterrupted):
            judged = judge_act(state, submission.people, command)
            if not isinstance(judged, Refusal):  # the rules' own refusal comes first
                house, names = self._record.state, command.terminals
                return refuse_unknown_terminals(house, self.name, self.game, names)
        if isinstance(command, do.WagerCommand):
            return refuse_by_limits(self._record, self._tallies, state, command)
        return refuse_unknown_seat(self._record.state, self.name, state, command)

    def lose_terminal(self, name: str) -> None:
        """Record a terminal that was lost while a round is in play (5.2)."""
        if not self.game.provides(Rule.TERMINALS_INTERRUPTED):
            return
        if not self.state.is_in_play:
            return
        command_id = f"lost:{name}:{self.table.head.sequence}"
        report = do.ReportTerminalsInterrupted((name,))
        self.insist(Submission(command_id, (SYSTEM,), report))

    def awaits_lights(self, state: TableState) -> bool:
        """Return whether Bonus Numbers are drawn, and not all are known to be lit."""
        if self.plan.lights is None or views.phase_of(state) is not Phase.CLOSED:
            return False
        drawn = views.drawn_of(state)
        return drawn is not None and not state.lights.are_known(drawn)

    # What has been committed

    def _committed(self, answers: Sequence[Answer]) -> None:
        """In the table's turn, after each commit."""
        done, self._done = self._done, []
        for answer in answers:
            if isinstance(answer, Accepted) and answer.first > self._counted:
                self._count(answer)
        self._counted = self.table.head.sequence
        self._loop.call_soon_threadsafe(
            self._deliver, done, answers, self.table.state, self._counted
        )

    def _count(self, answer: Accepted) -> None:
        """Settlements into the tallies, before the next command is judged."""
        for number, event in zip(answer.rounds, answer.events, strict=True):
            if isinstance(event, ev.RoundSettled):
                replaced = None
                if number <= self._last_settled:
                    replaced = settlement_before(
                        self._record.store, self.name, number, answer.first
                    )
                self._last_settled = max(number, self._last_settled)
                self._tallies.settled(
                    self.name,
                    self._of_those_present(number, event),
                    replaced and self._of_those_present(number, replaced),
                    self.table.recorded_ms,
                )

    def _of_those_present(self, number: int, event: ev.RoundSettled) -> ev.RoundSettled:
        """Return a settlement without the wagers of stays that have ended (A37)."""
        state = self.table.state
        there = [w for w in event.wagers if views.is_present(state, number, w)]
        return replace(event, wagers=tuple(there))

    def _deliver(
        self,
        done: list[_Done],
        answers: Sequence[Answer],
        state: TableState,
        head: int,
    ) -> None:
        began = perf_counter()
        self.state = state
        self._observer.committed()
        self._observer.queued(self.name, self.actor.waiting)
        self.broadcast.hold()
        told = self._told_of(done, answers)
        last, note_wager = state.series.last, self.transient.note_wager
        for each in told:
            if type(each.event) is not ev.WagerPlaced:
                self._note(each.round, each.event)
            elif each.round == last:
                note_wager(each.event)
        self.transient.note_status(views.status_of(state), self._record.clock())
        self.broadcast.expect(told)
        self._measure(done, began)
        for pending, answer in done:
            pending.tell(self._to_sender(pending.sent, answer))
        self.told = head
        self.broadcast.commit(told)
        if any(type(each.event) in WAGER_EVENTS for each in told):
            self.tell_stakes()
        self._observer.told(self.name, len(self.listeners), perf_counter() - began)
        if self.leaves is not None and state.is_at_rest:
            self.leaves(self)

    def _to_sender(self, sent: str, answer: Answer) -> Answer | IdUsed:
        """Return the answer for a sender: the first one, if it is to the same."""
        if answer.sent != sent:
            return IdUsed()
        is_repeated = isinstance(answer, Accepted) and answer.last <= self.told
        return self._repeated(answer) if is_repeated else answer

    def _told_of(self, done: list[_Done], answers: Sequence[Answer]) -> list[Committed]:
        """Return the events of a commit that nobody has been told of, once each."""
        senders = {answer.command_id: pending.sender for pending, answer in done}
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

    def _measure(self, done: list[_Done], now: float) -> None:
        """Tell the observer of a commit's answers: once for each kind of them."""
        seconds: dict[tuple[str, bool], list[float]] = {}
        wagers = {False: 0, True: 0}
        for pending, answer in done:
            command, registered = pending.command, type(answer) is Accepted
            kind = (type(command).__name__, registered)
            seconds.setdefault(kind, []).append(now - pending.since)
            if type(command) in _PLACES:
                wagers[registered] += _wagers_in(command)
        for (name, registered), took in seconds.items():
            self._observer.answered(self.name, name, registered, took)
        for registered, count in wagers.items():
            if count:
                self._observer.wagers(self.name, registered, count)

    def _end_session(self, seat: str) -> None:
        """End an anonymous session when everything has been collected."""
        is_named = seat in self._record.state.sitting
        if not is_named and not views.credit_of(self.state, seat):
            self.began.pop(seat, None)
            self._tallies.begin(self.name, seat)

    def tell_stakes(self) -> None:
        """Soon, to staff and boards: what lies there, and who is connected or lost."""
        if "stakes" not in self._named_timers:
            self._named_timers.after("stakes", _STAKES_EVERY_S, self._send_stakes)

    def _send_stakes(self) -> None:
        if self.broadcast.stakes():
            self.tell_stakes()

    # Transient state

    def _note(self, number: int, event: JournalEvent) -> None:
        if isinstance(event, money.VoucherIssued | money.CashedOut | money.StayEnded):
            self._end_session(event.seat)
        if isinstance(event, ev.RoundVoided):
            self._observer.voided(self.name)
        is_in_play = number == self.state.series.last
        if isinstance(event, ev.RoundSettled):
            drawn = views.drawn_of(self.state) if is_in_play else None
            self.history.note(number, event.winning_number, drawn or ())
        if is_in_play:  # a past one leaves the one in play alone
            self._note_in_play(event)
            self.timers.happened(event)

    def _note_in_play(self, event: JournalEvent) -> None:
        if isinstance(event, ev.RoundBegun):
            self.transient.begin_round()
        self._note_facts(event, self._record.clock())
        match event:
            case (
                ev.OutcomeAnnounced()
                | ev.OutcomeDecided()
                | ev.PlayContinued()
                | ev.RoundSettled()
            ):
                self.transient.keyed = None
                self.transient.drop_notices()
            case ev.WheelDisputed():
                self.transient.keyed = None
        if isinstance(event, ev.RoundSettled):
            self.transient.last_totals |= views.totals_by_player(event)

    def reseat(self, terminal: str, seat: str) -> None:
        """Show who sits at a terminal now to all that listen there."""
        for listener in list(self.listeners):
            is_there = listener.device == terminal and listener.seat is not None
            if is_there and listener.seat != seat:
                self.listeners.reseat(listener, seat)
                self.broadcast.welcome(listener)

    def propose(
        self,
        proposal: DeviceProposal,
        seat: str | None = None,
        cents: int | None = None,
    ) -> None:
        """Add a notice to the staff of this table."""
        if self.transient.propose(proposal, seat, cents):
            self._notices_changed(seat)

    def drop_notice(self, notice: Notice) -> None:
        if self.transient.drop_notice(notice.id):
            self._notices_changed(notice.seat)

    def _notices_changed(self, seat: str | None) -> None:
        self.broadcast.changed()
        if seat is not None:
            self.broadcast.seat(seat)

    @property
    def is_alive(self) -> bool:
        """Whether a thread still takes its commands."""
        return self.actor.is_alive

    def close(self) -> None:
        """Finish the commits; the timers stop."""
        self._named_timers.cancel_all()
        self._hand_over()
        self.actor.close()

    def leave(self) -> Future[bool]:
        """Take no more commands, if the table is at rest once those that wait are done.

        The future says whether that is so; on any thread.
        """
        self._hand_over()
        return self.actor.leave(lambda state: state.is_at_rest)


def _wager_reader(game: Game) -> Callable[[str], WagerText]:
    """Return what reads a wager's words: Players name the same ones all the time."""

    @lru_cache(10_000)
    def read(text: str) -> WagerText:
        return read_wager(text, game.multiples, game.numbers)

    return read


def _wagers_in(command: ask.AnyCommand) -> int:
    """Return how many wagers a command would place."""
    if type(command) is do.PlaceWager:
        return 1
    parts = command.parts if isinstance(command, ask.Together) else (command,)
    return sum(isinstance(part, do.PlaceWager) for part in parts)
