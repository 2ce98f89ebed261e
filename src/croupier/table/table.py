"""One table over its journal: commands are judged, committed, and only then answered.

Laws of this file:
- no answer before the commit; many commands share one commit;
- a command sent again gets the first answer and changes nothing;
- from the look at a person's sums to the commit of their payment the table has the
  payment turn of the house: no payment elsewhere comes between;
- where a commit fails, the state stays as it was and the table takes nothing until
  `resume` has read whether that commit is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache, partial

from msgspec import structs

from croupier.chance import (
    Entropy,
    SystemEntropy,
    draw_bonus_numbers,
    self_test,
    spin_virtual_wheel,
)
from croupier.journal.events import table as hap
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.store import (
    JournalError,
    JournalFailed,
    JournalFrozen,
    Store,
    WriterConflict,
)
from croupier.journal.tables import EventRow, HeadRow, StreamBatch, VoucherState
from croupier.journal.vouchers import is_as_recorded
from croupier.rules import commands as do
from croupier.rules.buckets import changed
from croupier.rules.clause import Refusal
from croupier.rules.decisions import PlacingJudge
from croupier.rules.notation import shown
from croupier.rules.operator import Person
from croupier.table import commands as ask
from croupier.table.answers import Accepted, Answer, Refused, stored_answer
from croupier.table.batches import BatchBuilder, post, time_on_record
from croupier.table.cashier import Voucher, new_code, refuse
from croupier.table.commits import Append, JudgedCommands, UnsureCommits
from croupier.table.decisions import (
    OutsideFacts,
    judge,
    readable,
    refusal_event,
)
from croupier.table.drafts import DraftState, frozen, in_run, place
from croupier.table.handled_sums import (
    HANDLED_EVENTS,
    HANDLED_FOR_MS,
    HandledSums,
    handled,
)
from croupier.table.interruption import interrupted
from croupier.table.judgements import Judgement, TableRecord
from croupier.table.reasons import StreamError, TableReason
from croupier.table.replay import recall_round, recover
from croupier.table.state import LightsSeen, TableState, TermsDigest, opened
from croupier.table.thresholds import HandledBy, confirm_sums

Clock = Callable[[], int]
"""Milliseconds since 1970, from wherever the shell takes its time."""
Permit = Callable[[TableState, ask.Submission], Refusal | None]
"""The house's objection to a command, judged in the table's own order."""
_DRAWS = ask.DrawNow | ask.SpinVirtualWheel
PaymentTurn = AbstractContextManager[object]
"""Held by one table of the house at a time; a thread may enter it again."""
_OF_A_PAST_ROUND = do.CorrectOutcome | do.CorrectBonusNumbers | do.DecideRound
_HANDLED = frozenset(kind.__name__ for kind in HANDLED_EVENTS)
SNAPSHOT_EVERY = 2_000
"""Events between two snapshots, at least; they are taken between rounds."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """The terms that a table's stream begins with."""

    by: Person
    game: str
    limits: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    virtual_wheel: bool = False


@cache
def _tested_entropy() -> Entropy:
    """Return the system's generator, tested once before anything is drawn from it."""
    entropy = SystemEntropy()
    self_test(entropy)
    return entropy


class Table:
    """A table; one writer at a time may have it."""

    def __init__(
        self,
        store: Store,
        stream: str,
        *,
        clock: Clock,
        new: NewTable | None = None,
        house: HouseSettings = DEFAULT_HOUSE,
        entropy: Entropy | None = None,
        append: Append | None = None,
        permit: Permit | None = None,
        is_anonymous: Callable[[str], bool] = lambda _seat: False,
        payment_turn: PaymentTurn | None = None,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        """Open the stream's table, or begin it as `new` says.

        `append` commits in the store's stead, shared with others; `permit` is asked
        before each command; `is_anonymous` whether a seat is a terminal's own, where
        Players come and go unnamed. Raises `JournalError` where there is no such table.
        """
        self.stream = stream
        self._store = store
        self._append = append
        self._permit = permit or (lambda _state, _submission: None)
        self._clock = clock
        self.settings = house
        """Of the house; whoever opened the table tells it when they change."""
        self._entropy = entropy or _tested_entropy()
        self._around = OutsideFacts(
            draw=lambda game: draw_bonus_numbers(game, self._entropy),
            spin=lambda game: spin_virtual_wheel(game, self._entropy),
            is_anonymous=is_anonymous,
        )
        self._payment_turn = payment_turn or nullcontext()
        self._snapshot_every = snapshot_every
        self._placing_judge: PlacingJudge | None = None
        self._failure: JournalError | None = None
        self._unsure, self._terms = UnsureCommits(), TermsDigest()
        if new is None and store.head(stream) is None:
            raise StreamError(TableReason.NO_TABLE_HERE(text=shown(stream)))
        self._epoch = store.claim_stream(stream)
        store.release_vouchers(stream)
        head = store.head(stream)
        assert head is not None
        self._head: HeadRow = head
        self._since_snapshot = 0
        self._recorded_ms = time_on_record(store, head)
        if head.sequence == 0:
            self._state = self._begin(new)
        else:
            recovered = recover(store, stream, self.settings)
            self._state = recovered.state
            self._since_snapshot = recovered.events_since_snapshot
            if not recovered.is_at_rest:
                self._interrupt()

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def head(self) -> HeadRow:
        return self._head

    @property
    def recorded_ms(self) -> int:
        """The time of the last event on record."""
        return self._recorded_ms

    @property
    def failure(self) -> JournalError | None:
        """Why the table takes nothing, until it resumes."""
        return self._failure

    @property
    def is_unsure(self) -> bool:
        """Whether a commit failed of which nobody knows if it is on disk for ever."""
        return self._failure is not None or bool(self._unsure)

    @property
    def epoch(self) -> int:
        return self._epoch

    def handle(self, submissions: Sequence[ask.Submission]) -> list[Answer]:
        """Judge the commands in order, commit them together and answer them.

        Raises `JournalError` if the commit failed. Then no command is acknowledged,
        whether it is on disk or not, and the table refuses more until it resumes.
        """
        outcome: list[Answer] | JudgedCommands = self.judge(submissions)
        while isinstance(outcome, JudgedCommands):
            problem = outcome.commit_alone(self.append)
            outcome = self.conclude(outcome, problem)
        return outcome

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        """Commit batches: shared with others if the table was given a way to do so."""
        return (self._append or self._store.append)(batches)

    def judge(self, submissions: Sequence[ask.Submission]) -> JudgedCommands:
        """Judge the commands in order; `conclude` must follow, on the same thread.

        Placings are judged as if none had been answered before, because nearly all are
        new and need not be looked up. A second answer breaks a key of the journal, so
        that nothing is written, and a placing can be judged again.
        """
        if self._failure is not None:
            raise self._failure
        for submission in submissions:
            ask.check_submission(submission)
        are_placings = {type(each.command) for each in submissions} == {do.PlaceWager}
        try:
            if are_placings:
                return self._judge(submissions, frozenset(), are_looked_up=False)
            return self._judge(submissions, self._known(submissions))
        except JournalError as error:
            self._failure = error
            raise

    def conclude(
        self, judged: JudgedCommands, problem: Exception | None
    ) -> list[Answer] | JudgedCommands:
        """Return the answers, now that the batch is on disk or left out.

        Returns commands to commit instead if a placing was answered before. Raises
        the problem if the commit failed.
        """
        try:
            with judged.payment_turn:
                return self._conclude(judged, problem)
        except JournalError as error:
            self._failure = error
            raise

    def _conclude(
        self, judged: JudgedCommands, problem: Exception | None
    ) -> list[Answer] | JudgedCommands:
        if problem is None:
            if judged.batch is not None:
                self._adopt(judged)
            return judged.answers
        if isinstance(problem, JournalFailed):
            self._unsure.add(judged)
            raise problem
        if isinstance(problem, JournalError):
            if self._unsure:
                self._expect_own_head()
            if not judged.are_looked_up and not isinstance(problem, WriterConflict):
                known = self._known(judged.submissions)
                if known:
                    return self._judge(judged.submissions, known)
        raise problem

    def _known(self, submissions: Sequence[ask.Submission]) -> AbstractSet[str]:
        """Return which were answered before; the state is not behind any of them."""
        ids = [submission.command_id for submission in submissions]
        known = self._store.answered(self.stream, ids)
        if known and self._unsure:
            self._expect_own_head()
        return known

    def _judge(
        self,
        submissions: Sequence[ask.Submission],
        before: AbstractSet[str],
        *,
        are_looked_up: bool = True,
    ) -> JudgedCommands:
        state, builder = self._state, self._builder()
        answers: list[Answer] = []
        now: dict[str, Answer] = {}
        with ExitStack() as held:
            handled_by = partial(self._handled_by, builder.events, held)
            for submission in submissions:
                command_id = submission.command_id
                answer = now.get(command_id)
                if command_id in before:
                    answer = self._answered(command_id)
                if answer is None:
                    state = in_run(state, submission, self._placing_judge)
                    if isinstance(state, DraftState):
                        answer = self._place(state, submission, builder)
                    else:
                        state, answer = self._judge_one(
                            state, submission, builder, handled_by
                        )
                    now[command_id] = answer
                answers.append(answer)
            state, batch, count = self._batch(frozen(state), builder)
            return JudgedCommands(
                submissions, answers, batch, state, count, held.pop_all(), are_looked_up
            )

    def _handled_by(
        self, uncommitted: Sequence[EventRow], held: ExitStack, person: str
    ) -> HandledSums:
        """Return what a person moved alone lately; `held` keeps the payment turn."""
        held.enter_context(self._payment_turn)
        rows = self._store.handled_by(person, self._now() - HANDLED_FOR_MS)
        rows += [each for each in uncommitted if each.kind in _HANDLED]
        return handled(rows, person, self.stream)

    def resume(self) -> list[Answer]:
        """Go on after a failure, by what is on disk; also where that comes late.

        Returns the answers of the commit that failed if it is there after all: nobody
        has heard them. Raises `JournalFailed` as long as the journal can't be read, and
        `WriterConflict` where somebody else has written to the stream.
        """
        if not self.is_unsure:
            return []
        head = self._store.head(self.stream)
        found = self._unsure.found_at(head)
        if found is None and head != self._head:
            self._failure = WriterConflict(self.stream)
            raise self._failure
        if self._failure is not None or found is not None:
            self._store.release_vouchers(self.stream)
            self._failure = None
        if found is None:
            return []
        self._adopt(found)
        return found.answers

    def _expect_own_head(self) -> None:
        """Raise `JournalFailed` where a commit that was held for lost has come."""
        if self._store.head(self.stream) != self._head:
            raise JournalFailed(f"{self.stream} has a commit that came late")

    def _answered(self, command_id: str) -> Answer | None:
        return stored_answer(self._store, self.stream, command_id)

    def preview(self, submission: ask.Submission) -> Judgement:
        """Return what wagers or an act of two would record and post if done now."""
        assert isinstance(submission.command, ask.PreviewedCommand)
        day = self._state.day(self.settings.gaming_day(self._now()))
        with ExitStack() as held:
            handled_by = partial(self._handled_by, (), held)
            outcome = self._outcome(self._state, submission, day, handled_by)
        return outcome if isinstance(outcome, Refusal) else tuple(outcome[1])

    def would_take(self, submission: ask.Submission) -> bool:
        """Return whether a command that neither draws nor moves money is taken now."""
        assert not isinstance(submission.command, _DRAWS | ask.MoneyCommand)
        state = self._recalling(self._state, submission.command)
        return not isinstance(judge(state, submission, self._around), Refusal)

    def _judge_one(
        self,
        state: TableState,
        submission: ask.Submission,
        builder: BatchBuilder,
        handled_by: HandledBy,
    ) -> tuple[TableState, Answer]:
        command_id, day = submission.command_id, state.day(builder.day)
        outcome = self._outcome(state, submission, day, handled_by)
        if not isinstance(outcome, Refusal):
            outcome = self._unclaimed(state, submission.command) or outcome
        if isinstance(outcome, Refusal):
            return state, self._refuse(state, submission, outcome, builder)
        before, (state, posted) = state, outcome
        if state.series.last != before.series.last:  # by new terms from here on
            builder.terms = self._terms.of(state)
        sent = submission.sent
        first, last = builder.add(command_id, posted, sent), builder.sequence
        events = tuple(each.event for each in posted)
        rounds = tuple(each.round_number for each in posted)
        return state, Accepted(command_id, first, last, events, rounds, sent)

    def _place(
        self, draft: DraftState, submission: ask.Submission, builder: BatchBuilder
    ) -> Answer:
        """Judge and lay one placing of a run, as `_judge_one` would."""
        self._placing_judge = draft.judge
        refusal = self._permit(draft, submission)
        if refusal is not None:
            return self._refuse(draft, submission, refusal, builder)
        placing = place(draft, submission)
        if isinstance(placing, Refusal):
            return self._refuse(draft, submission, placing, builder)
        event, body, entries = placing
        command_id, number = submission.command_id, draft.series.last
        at = builder.add_placing(submission, number, body, entries)
        return Accepted(command_id, at, at, (event,), (number,), submission.sent)

    def _refuse(
        self,
        state: TableState,
        submission: ask.Submission,
        refusal: Refusal,
        builder: BatchBuilder,
    ) -> Refused:
        """Record that a command was refused; nothing else has changed."""
        command_id, sent = submission.command_id, submission.sent
        refused = refusal_event(submission, refusal)
        record = TableRecord(state.series.last, refused)
        first = builder.add(command_id, (record,), sent)
        return Refused(command_id, refusal, first, sent)

    def _outcome(
        self,
        state: TableState,
        submission: ask.Submission,
        day: str,
        handled_by: HandledBy,
    ) -> tuple[TableState, list[TableRecord]] | Refusal:
        """Return the state after a command and what it posts, or why it is refused."""
        command = submission.command
        if isinstance(command, ask.Together):
            return self._together(state, submission, command, day, handled_by)
        state = self._recalling(state, command)
        verdict = self._permit(state, submission) or self._verdict(state, submission)
        people, house = submission.people, self.settings
        verdict = confirm_sums(state, people, verdict, house, handled_by)
        if isinstance(verdict, Refusal):
            return verdict
        if type(command) in ask.TABLE_COMMANDS:
            verdict = readable(state, verdict)
        return verdict if isinstance(verdict, Refusal) else post(state, verdict, day)

    def _together(
        self,
        state: TableState,
        submission: ask.Submission,
        command: ask.Together,
        day: str,
        handled_by: HandledBy,
    ) -> tuple[TableState, list[TableRecord]] | Refusal:
        """Judge each part after the ones before it; one refusal refuses all."""
        if not command.parts:
            return refuse(state, TableReason.NOTHING_ASKED())
        posted: list[TableRecord] = []
        for part in ask.withdrawn_together(command.parts):
            one = structs.replace(submission, command=part)
            outcome = self._outcome(state, one, day, handled_by)
            if isinstance(outcome, Refusal):
                return outcome
            state, more = outcome
            posted += more
        return state, posted

    def _verdict(self, state: TableState, submission: ask.Submission) -> Judgement:
        if not ask.has_sound_texts(submission.command):
            return refuse(state, TableReason.TEXT_UNSOUND())
        return judge(state, submission, self._surroundings(submission.command))

    def _recalling(self, state: TableState, command: ask.AnyCommand) -> TableState:
        """Recall the rounds that an act which reaches back names."""
        wanted: Iterable[int] = ()
        if isinstance(command, _OF_A_PAST_ROUND):
            wanted = (command.round_number,)
        elif isinstance(command, do.VoidRounds):
            wanted = command.round_numbers
        series = state.series
        for number in wanted:
            if 0 < number <= series.last and series.find(number) is None:
                past = recall_round(self._store, self.stream, series.game, number)
                series = series.remembering(past)
        return state if series is state.series else changed(state, series=series)

    def _surroundings(self, command: ask.AnyCommand) -> OutsideFacts:
        if isinstance(command, ask.IssueVoucher):
            expires = self.settings.voucher_expires(self._now())
            voucher = Voucher(self._new_code(), command.cents, expires)
            return replace(self._around, voucher=voucher)
        if isinstance(command, ask.VoucherUse):
            return replace(self._around, voucher=self._redeemable(command.code))
        return self._around

    def _new_code(self) -> str:
        """Draw a code of no voucher that was ever issued."""
        code = new_code(self._entropy)
        while self._store.voucher(code) is not None:
            code = new_code(self._entropy)
        return code

    def _unclaimed(self, state: TableState, command: ask.AnyCommand) -> Refusal | None:
        """Refuse a voucher that can't be claimed for this table until its commit."""
        if not isinstance(command, ask.VoucherUse):
            return None
        if self._store.claim_voucher(command.code, self.stream, self._epoch) is None:
            return refuse(state, TableReason.VOUCHER_REDEEMED())
        return None

    def _redeemable(self, code: str) -> Voucher | None:
        found = self._store.voucher(code)
        if found is None or found.state is not VoucherState.OUTSTANDING:
            return None
        if found.expires < self.settings.gaming_day(self._now()):
            return None
        if not is_as_recorded(self._store, found):
            return None
        return Voucher(found.code, found.cents, found.expires)

    def _now(self) -> int:
        """Return the time that goes on record: it never goes back, as clocks may."""
        return max(self._clock(), self._recorded_ms)

    def _builder(self) -> BatchBuilder:
        series, clock_ms = self._state.series, self._clock()
        now = max(clock_ms, self._recorded_ms)
        return BatchBuilder(
            stream=self.stream,
            epoch=self._epoch,
            head=self._head,
            document=series.game.document,
            terms=self._terms.of(self._state),
            at_ms=now,
            clock_ms=clock_ms,
            day=self.settings.gaming_day(now),
        )

    def _batch(
        self, state: TableState, builder: BatchBuilder
    ) -> tuple[TableState, StreamBatch | None, int]:
        """Return the state after the commit, its batch, and events since a snapshot."""
        if not builder.events:
            return state, None, self._since_snapshot
        builder.keep_clock(state.series.last)
        count = self._since_snapshot + len(builder.events)
        if count >= self._snapshot_every and state.is_between_rounds:
            builder.take_snapshot(state)
            state = changed(
                state,
                series=state.series.forgetting_past(),
                lights=LightsSeen(),
            )
            count = 0
        return state, builder.build(state.balance), count

    def _adopt(self, commit: JudgedCommands) -> None:
        """Take over the state of a commit that is on disk."""
        assert commit.batch is not None
        self._unsure.clear()
        self._state, self._head = commit.state, commit.head
        self._since_snapshot = commit.since_snapshot
        self._recorded_ms = commit.batch.events[-1].at_ms

    def _begin(self, new: NewTable | None) -> TableState:
        if new is None:
            raise StreamError(TableReason.NO_TABLE_HERE(text=shown(self.stream)))
        event = hap.TableOpened(
            new.by, new.game, new.limits, new.settings, new.virtual_wheel
        )
        self._state = opened(event)
        self._record("table:opened", (TableRecord(0, event),))
        return self._state

    def _interrupt(self) -> None:
        """Stop a round found in play until staff say what the ball did."""
        sequence = self._head.sequence
        with suppress(JournalFrozen):  # where nothing is written, nothing is played
            self._record(
                f"table:interrupted:{sequence}", interrupted(self._state, sequence)
            )

    def _record(self, command_id: str, events: tuple[TableRecord, ...]) -> None:
        """Commit events of the table's own."""
        builder = self._builder()
        after = post(self._state, events, self._state.day(builder.day))
        assert not isinstance(after, Refusal)
        state, posted = after
        builder.add(command_id, posted)
        state, batch, count = self._batch(state, builder)
        recorded = JudgedCommands((), [], batch, state, count, ExitStack())
        self._conclude(recorded, recorded.commit_alone(self.append))
