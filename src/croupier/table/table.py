"""One table over its journal: commands are judged, committed, and only then answered.

Laws of this file:
- no answer before the commit; many commands share one commit;
- a command sent again gets the first answer and changes nothing;
- the table holds the payment turn of the house from reading a person's sums to the
  commit of their payment, so that no other payment comes between;
- if a commit fails, the state stays as it was and the table takes nothing until
  `resume` has read the journal.
"""

from __future__ import annotations

from collections import deque
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
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.events.table import TableOpened
from croupier.journal.log.entries import SALT_BYTES
from croupier.journal.store import (
    Append,
    JournalError,
    JournalFailed,
    JournalFrozen,
    Store,
    WriterConflict,
)
from croupier.journal.tables import EventRow, HeadRow, StreamBatch
from croupier.journal.vouchers import redeemable
from croupier.ledger.commands import IssueVoucher, MoneyCommand, VoucherUse
from croupier.rules.buckets import changed
from croupier.rules.clause import Refusal
from croupier.rules.commands import (
    CorrectBonusNumbers,
    CorrectOutcome,
    DecideRound,
    PlaceWager,
    VoidRounds,
)
from croupier.rules.decisions import PlacingJudge
from croupier.rules.notation import shown
from croupier.rules.operator import Person
from croupier.table.answers import Accepted, Answer, Refused, stored_answer
from croupier.table.batches import (
    BatchBuilder,
    JudgedCommands,
    post,
    time_on_record,
)
from croupier.table.cashier import Voucher, new_code, refuse
from croupier.table.commands import (
    TABLE_COMMANDS,
    AnyCommand,
    DrawNow,
    PreviewedCommand,
    SpinVirtualWheel,
    Submission,
    Together,
    has_sound_texts,
    withdrawn_together,
)
from croupier.table.decisions import (
    OutsideFacts,
    judge,
    readable,
    refusal_event,
)
from croupier.table.interruption import interrupted
from croupier.table.judgements import Judgement, TableRecord
from croupier.table.reasons import StreamError, TableReason
from croupier.table.replay import recall_round, recover
from croupier.table.state import LightsSeen, TableState, TermsDigest, opened
from croupier.table.thresholds import (
    HANDLED_EVENTS,
    HANDLED_FOR_MS,
    HandledBy,
    HandledSums,
    confirm_sums,
    handled,
)
from croupier.table.wagers import DraftState, frozen, in_run, place

Clock = Callable[[], int]
"""Returns milliseconds since 1970."""
Permit = Callable[[TableState, Submission], Refusal | None]
"""Returns the house's own refusal of a command, if any; called in the table's turn."""
_DRAWS = DrawNow | SpinVirtualWheel
PaymentTurn = AbstractContextManager[object]
"""Held by one table of the house at a time; a thread may enter it again."""
_OF_A_PAST_ROUND = CorrectOutcome | CorrectBonusNumbers | DecideRound
_HANDLED = frozenset(kind.__name__ for kind in HANDLED_EVENTS)
_MOST_UNSURE = 16
"""Commits that may still be in doubt; older ones have long succeeded or failed."""
SNAPSHOT_EVERY = 2_000
"""Minimum of events between two snapshots, which are taken between rounds."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """The opening of a table's stream."""

    by: Person
    game: str
    limits: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    virtual_wheel: bool = False


@cache
def _tested_entropy() -> Entropy:
    entropy = SystemEntropy()
    self_test(entropy)
    return entropy


class Table:
    """A table over its stream; one process at a time may write it."""

    def __init__(
        self,
        store: Store,
        stream: str,
        *,
        clock: Clock,
        new: NewTable | None = None,
        house: HouseSettings = DEFAULT_HOUSE,
        entropy: Entropy | None = None,
        salts: Entropy | None = None,
        append: Append | None = None,
        permit: Permit | None = None,
        is_anonymous: Callable[[str], bool] = lambda _seat: False,
        payment_turn: PaymentTurn | None = None,
        left_at: int | None = None,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        """Open the stream's table, or begin it with `new`.

        `append` commits instead of the store and may share commits; `permit` is asked
        before each command; `is_anonymous` tells if a seat is that of a terminal's
        unnamed Player. A round in play is interrupted, unless the stream ends at
        `left_at`, where another process handed the table over (A38). Raises
        `JournalError` if there is no such table.
        """
        self.stream = stream
        self._store = store
        self._append = append
        self._permit = permit or (lambda _state, _submission: None)
        self._clock = clock
        self.settings = house
        """The settings of the house; the caller replaces them when they change."""
        self._entropy = entropy or _tested_entropy()
        self._salts = salts or self._entropy
        """The source of the log's salts; reading one must not shift the draws."""
        self._around = OutsideFacts(
            draw=lambda game: draw_bonus_numbers(game, self._entropy),
            spin=lambda game: spin_virtual_wheel(game, self._entropy),
            is_anonymous=is_anonymous,
        )
        self._payment_turn = payment_turn or nullcontext()
        self._snapshot_every = snapshot_every
        self._placing_judge: PlacingJudge | None = None
        self.failure: JournalError | None = None
        """The error after which the table takes nothing until it resumes."""
        self._terms = TermsDigest()
        self._unsure: deque[JudgedCommands] = deque(maxlen=_MOST_UNSURE)
        """Commits that failed since the last success; any may be on disk after all."""
        if new is None and store.head(stream) is None:
            raise StreamError(TableReason.NO_TABLE_HERE(text=shown(stream)))
        self.epoch = store.claim_stream(stream)
        store.release_vouchers(stream)
        head = store.head(stream)
        assert head is not None
        self.head: HeadRow = head
        self._since_snapshot = 0
        self.recorded_ms = time_on_record(store, head)
        self.state: TableState
        if head.sequence == 0:
            self._begin(new)
        else:
            recovered = recover(store, stream, self.settings)
            self.state = recovered.state
            self._since_snapshot = recovered.events_since_snapshot
            if not self.state.is_at_rest and head.sequence != left_at:
                self._interrupt()

    @property
    def is_unsure(self) -> bool:
        """True if a failed commit may be on disk, or arrive there later."""
        return self.failure is not None or bool(self._unsure)

    def handle(self, submissions: Sequence[Submission]) -> list[Answer]:
        """Judge the commands in order, commit them together and answer them.

        Raises `JournalError` if the commit failed. Then no command is acknowledged,
        even if it is on disk, and the table refuses more until it resumes.
        """
        outcome: list[Answer] | JudgedCommands = self.judge(submissions)
        while isinstance(outcome, JudgedCommands):
            outcome = self.conclude(outcome, self._commit(outcome.batch))
        return outcome

    def _commit(self, batch: StreamBatch | None) -> Exception | None:
        """Commit one batch; return the error if that failed."""
        if batch is None:
            return None
        try:
            [problem] = (self._append or self._store.append)([batch])
        except Exception as error:  # noqa: BLE001 - `_conclude` judges it
            return error
        return problem

    def judge(self, submissions: Sequence[Submission]) -> JudgedCommands:
        """Judge the commands in order; `conclude` must follow, on the same thread.

        Placings are judged without looking up earlier answers, because nearly all are
        new. If one was answered before, its second answer breaks a key of the journal:
        nothing is written, and the placings can be judged again.
        """
        if self.failure is not None:
            raise self.failure
        are_placings = {type(each.command) for each in submissions} == {PlaceWager}
        try:
            if are_placings:
                return self._judge(submissions, frozenset(), are_looked_up=False)
            return self._judge(submissions, self._known(submissions))
        except JournalError as error:
            self.failure = error
            raise

    def conclude(
        self, judged: JudgedCommands, problem: Exception | None
    ) -> list[Answer] | JudgedCommands:
        """Return the answers after the commit of the batch.

        If a placing was answered before, returns commands to commit instead. Raises the
        problem if the commit failed.
        """
        try:
            with judged.payment_turn:
                return self._conclude(judged, problem)
        except JournalError as error:
            self.failure = error
            raise

    def _conclude(
        self, judged: JudgedCommands, problem: Exception | None
    ) -> list[Answer] | JudgedCommands:
        if problem is None:
            if judged.batch is not None:
                self._adopt(judged)
            return judged.answers
        if isinstance(problem, JournalFailed):
            self._unsure.append(judged)
            raise problem
        if isinstance(problem, JournalError):
            if self._unsure:
                self._expect_own_head()
            if not judged.are_looked_up and not isinstance(problem, WriterConflict):
                known = self._known(judged.submissions)
                if known:
                    return self._judge(judged.submissions, known)
        raise problem

    def _known(self, submissions: Sequence[Submission]) -> AbstractSet[str]:
        """Return the ids that were answered before.

        Raises `JournalFailed` if one was answered by a commit that came late.
        """
        ids = [submission.command_id for submission in submissions]
        known = self._store.answered(self.stream, ids)
        if known and self._unsure:
            self._expect_own_head()
        return known

    def _judge(
        self,
        submissions: Sequence[Submission],
        before: AbstractSet[str],
        *,
        are_looked_up: bool = True,
    ) -> JudgedCommands:
        state, builder = self.state, self._builder()
        answers: list[Answer] = []
        now: dict[str, Answer] = {}
        with ExitStack() as held:
            handled_by = partial(self._handled_by, builder.events, held)
            for submission in submissions:
                command_id = submission.command_id
                answer = now.get(command_id)
                if command_id in before:
                    answer = stored_answer(self._store, self.stream, command_id)
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
        """Return the sums that a person moved alone; `held` takes the payment turn."""
        held.enter_context(self._payment_turn)
        rows = self._store.handled_by(person, self._now() - HANDLED_FOR_MS)
        rows += [each for each in uncommitted if each.kind in _HANDLED]
        return handled(rows, person, self.stream)

    def resume(self) -> list[Answer]:
        """Read the journal after a failed commit, and go on from its state.

        Returns the answers of the failed commit if it is on disk after all; they have
        not been sent. Raises `JournalFailed` as long as the journal can't be read, and
        `WriterConflict` if another writer has written to the stream.
        """
        if not self.is_unsure:
            return []
        head = self._store.head(self.stream)
        found = next((each for each in self._unsure if each.head == head), None)
        if found is None and head != self.head:
            self.failure = WriterConflict(self.stream)
            raise self.failure
        if self.failure is not None or found is not None:
            self._store.release_vouchers(self.stream)
            self.failure = None
        if found is None:
            return []
        self._adopt(found)
        return found.answers

    def _expect_own_head(self) -> None:
        """Raise `JournalFailed` if a commit that seemed lost is on disk."""
        if self._store.head(self.stream) != self.head:
            raise JournalFailed(f"{self.stream} has a commit that came late")

    def preview(self, submission: Submission) -> Judgement:
        """Return the records that wagers or an act of two people would make now."""
        assert isinstance(submission.command, PreviewedCommand)
        day = self.state.day(self.settings.gaming_day(self._now()))
        with ExitStack() as held:
            handled_by = partial(self._handled_by, (), held)
            outcome = self._outcome(self.state, submission, day, handled_by)
        return outcome if isinstance(outcome, Refusal) else tuple(outcome[1])

    def would_take(self, submission: Submission) -> bool:
        """Return whether a command would be accepted; it may not draw or move money."""
        assert not isinstance(submission.command, _DRAWS | MoneyCommand)
        state = self._recalling(self.state, submission.command)
        return not isinstance(judge(state, submission, self._around), Refusal)

    def _judge_one(
        self,
        state: TableState,
        submission: Submission,
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
        if state.series.last != before.series.last:  # the next rows have new terms
            builder.terms = self._terms.of(state)
        sent = submission.sent
        first, last = builder.add(command_id, posted, sent), builder.sequence
        events = tuple(each.event for each in posted)
        rounds = tuple(each.round_number for each in posted)
        return state, Accepted(command_id, first, last, events, rounds, sent)

    def _place(
        self, draft: DraftState, submission: Submission, builder: BatchBuilder
    ) -> Answer:
        """Judge one placing of a run, as `_judge_one` judges other commands."""
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
        submission: Submission,
        refusal: Refusal,
        builder: BatchBuilder,
    ) -> Refused:
        """Record a refusal; it changes nothing else."""
        command_id, sent = submission.command_id, submission.sent
        refused = refusal_event(submission, refusal)
        record = TableRecord(state.series.last, refused)
        first = builder.add(command_id, (record,), sent)
        return Refused(command_id, refusal, first, sent)

    def _outcome(
        self,
        state: TableState,
        submission: Submission,
        day: str,
        handled_by: HandledBy,
    ) -> tuple[TableState, list[TableRecord]] | Refusal:
        """Return the state after a command and its records, or its refusal."""
        command = submission.command
        if isinstance(command, Together):
            return self._together(state, submission, command, day, handled_by)
        state = self._recalling(state, command)
        verdict = self._permit(state, submission) or self._verdict(state, submission)
        people, house = submission.people, self.settings
        verdict = confirm_sums(state, people, verdict, house, handled_by)
        if isinstance(verdict, Refusal):
            return verdict
        if type(command) in TABLE_COMMANDS:
            verdict = readable(state, verdict)
        return verdict if isinstance(verdict, Refusal) else post(state, verdict, day)

    def _together(
        self,
        state: TableState,
        submission: Submission,
        command: Together,
        day: str,
        handled_by: HandledBy,
    ) -> tuple[TableState, list[TableRecord]] | Refusal:
        """Judge each part after the ones before it; one refusal refuses all."""
        if not command.parts:
            return refuse(state, TableReason.NOTHING_ASKED())
        posted: list[TableRecord] = []
        for part in withdrawn_together(command.parts):
            one = structs.replace(submission, command=part)
            outcome = self._outcome(state, one, day, handled_by)
            if isinstance(outcome, Refusal):
                return outcome
            state, more = outcome
            posted += more
        return state, posted

    def _verdict(self, state: TableState, submission: Submission) -> Judgement:
        if not has_sound_texts(submission.command):
            return refuse(state, TableReason.TEXT_UNSOUND())
        return judge(state, submission, self._surroundings(submission.command))

    def _recalling(self, state: TableState, command: AnyCommand) -> TableState:
        """Recall the past rounds that a command names."""
        wanted: Iterable[int] = ()
        if isinstance(command, _OF_A_PAST_ROUND):
            wanted = (command.round_number,)
        elif isinstance(command, VoidRounds):
            wanted = command.round_numbers
        series = state.series
        for number in wanted:
            if 0 < number <= series.last and series.find(number) is None:
                past = recall_round(self._store, self.stream, series.game, number)
                series = series.remembering(past)
        return state if series is state.series else changed(state, series=series)

    def _surroundings(self, command: AnyCommand) -> OutsideFacts:
        if isinstance(command, IssueVoucher):
            expires = self.settings.voucher_expires(self._now())
            voucher = Voucher(self._new_code(), command.cents, expires)
            return replace(self._around, voucher=voucher)
        if isinstance(command, VoucherUse):
            return replace(self._around, voucher=self._redeemable(command.code))
        return self._around

    def _new_code(self) -> str:
        """Draw a code that no voucher has had."""
        code = new_code(self._entropy)
        while self._store.voucher(code) is not None:
            code = new_code(self._entropy)
        return code

    def _unclaimed(self, state: TableState, command: AnyCommand) -> Refusal | None:
        """Claim a voucher for this table until its commit, or refuse the command."""
        if not isinstance(command, VoucherUse):
            return None
        if self._store.claim_voucher(command.code, self.stream, self.epoch) is None:
            return refuse(state, TableReason.VOUCHER_REDEEMED())
        return None

    def _redeemable(self, code: str) -> Voucher | None:
        found = redeemable(self._store, code, self.settings.gaming_day(self._now()))
        return found and Voucher(found.code, found.cents, found.expires)

    def _now(self) -> int:
        """Return the time to record, which never goes back."""
        return max(self._clock(), self.recorded_ms)

    def _builder(self) -> BatchBuilder:
        series, clock_ms = self.state.series, self._clock()
        now = max(clock_ms, self.recorded_ms)
        return BatchBuilder(
            stream=self.stream,
            epoch=self.epoch,
            head=self.head,
            document=series.game.document,
            terms=self._terms.of(self.state),
            at_ms=now,
            clock_ms=clock_ms,
            day=self.settings.gaming_day(now),
            salt=lambda: self._salts.read(SALT_BYTES).hex(),
        )

    def _batch(
        self, state: TableState, builder: BatchBuilder
    ) -> tuple[TableState, StreamBatch | None, int]:
        """Return the next state, the batch, and the event count since a snapshot."""
        if not builder.events:
            return state, None, self._since_snapshot
        builder.keep_clock(state.series.last)
        count = self._since_snapshot + len(builder.events)
        if count >= self._snapshot_every and state.is_between_rounds:
            builder.take_snapshot(state)
            series = state.series.forgetting_past()
            state = changed(state, series=series, lights=LightsSeen())
            count = 0
        return state, builder.build(state.balance), count

    def _adopt(self, commit: JudgedCommands) -> None:
        """Take over the state of a commit that is on disk."""
        assert commit.batch is not None
        self._unsure.clear()
        self.state, self.head = commit.state, commit.head
        self._since_snapshot = commit.since_snapshot
        self.recorded_ms = commit.batch.events[-1].at_ms

    def _begin(self, new: NewTable | None) -> None:
        if new is None:
            raise StreamError(TableReason.NO_TABLE_HERE(text=shown(self.stream)))
        event = TableOpened(
            new.by, new.game, new.limits, new.settings, new.virtual_wheel
        )
        self.state = opened(event)
        self._record("table:opened", (TableRecord(0, event),))

    def _interrupt(self) -> None:
        """Interrupt a round found in play, until staff have stated the ball."""
        sequence = self.head.sequence
        with suppress(JournalFrozen):  # a frozen journal is only read
            self._record(
                f"table:interrupted:{sequence}", interrupted(self.state, sequence)
            )

    def _record(self, command_id: str, events: tuple[TableRecord, ...]) -> None:
        """Commit the table's own events."""
        builder = self._builder()
        after = post(self.state, events, self.state.day(builder.day))
        assert not isinstance(after, Refusal)
        state, posted = after
        builder.add(command_id, posted)
        state, batch, count = self._batch(state, builder)
        recorded = JudgedCommands((), [], batch, state, count, ExitStack())
        self._conclude(recorded, self._commit(batch))
