"""Bugs to plant: each breaks one promise, and the simulation must see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from croupier.journal.chain import event_hash
from croupier.journal.store import JournalError
from croupier.journal.stores import sqlite
from croupier.journal.tables import StreamBatch, VoucherRow
from croupier.ledger import money, posting
from croupier.rules import commands, course, events, placement
from croupier.rules.operator import Person, Role
from croupier.rules.round import NEXT_PHASE, Phase
from croupier.table import batches, decisions, replay, state, table
from croupier.table.answers import Refused
from croupier.table.batches import BatchBuilder
from croupier.table.commands import Together
from croupier.table.judgements import judge_act
from croupier.table.state import write_snapshot
from tests.robustness.stores import MemoryStore
from tests.values import replaced

Patch = pytest.MonkeyPatch
_ANSWERS = sqlite._INSERTS["answers"]


def forgets_a_reversal(patch: Patch) -> None:
    def settled(
        event: events.RoundSettled, state: Any, credit: Any, holders: Any
    ) -> Any:
        new = posting._settlement(event.wagers, state, holders)
        return new if state.settled is None else []

    patch.setattr(posting, "_settled", settled)


def makes_no_claim(patch: Patch) -> None:
    patch.setattr(posting, "_claims", lambda net, credit_of, holders: [])


def posts_a_buy_in_twice(patch: Patch) -> None:
    right = posting._money_entries

    def posted(event: object) -> Any:
        twice = 2 if isinstance(event, money.BoughtIn) else 1
        return right(event) * twice

    patch.setattr(posting, "_money_entries", posted)


def posts_one_side_only(patch: Patch) -> None:
    right = posting._money_entries
    patch.setattr(posting, "check_entries", lambda entries: None)
    patch.setattr(posting, "_money_entries", lambda event: right(event)[:1])


def lets_credit_below_zero(patch: Patch) -> None:
    patch.setattr(batches, "_short_of_credit", lambda state, entries: None)
    _lets_the_store_take_all(patch)


def _lets_the_store_take_all(patch: Patch) -> None:
    """Take the store's own checks away, which would refuse the batch first."""
    patch.setattr(
        MemoryStore,
        "_make_durable",
        lambda self, path: self._run("PRAGMA ignore_check_constraints = ON"),
    )
    answers = [(n, sql.replace("INTO", "OR REPLACE INTO")) for n, sql in _ANSWERS]
    patch.setitem(sqlite._INSERTS, "answers", answers)


def settles_a_round_twice(patch: Patch) -> None:
    right = course.conclude

    def conclude(state: Any) -> Any:
        if state.phase is Phase.ENDED:
            return (state.settled,)
        return right(state)

    patch.setattr(course, "conclude", conclude)


def takes_a_late_wager(patch: Patch) -> None:
    right = placement.refuse_now

    def not_now(state: Any, person: Person, command: Any) -> Any:
        if state.phase is Phase.CLOSED and isinstance(command, commands.PlaceWager):
            return None
        return right(state, person, command)

    patch.setattr(placement, "refuse_now", not_now)
    assert isinstance(NEXT_PHASE, dict)
    patch.setitem(NEXT_PHASE, (Phase.CLOSED, events.WagerPlaced), Phase.CLOSED)


def spins_before_the_close(patch: Patch) -> None:
    def spun(state: Any, around: decisions.OutsideFacts) -> Any:
        number = around.spin(state.series.game)
        wheel = Person("virtual wheel", Role.DEALER)
        return judge_act(state, (wheel,), commands.ReportBallAtRest(number))

    patch.setattr(decisions, "_spun", spun)


def executes_a_command_twice(patch: Patch) -> None:
    patch.setattr(table, "stored_answer", lambda store, stream, command_id: None)
    _lets_the_store_take_all(patch)


def stores_no_answer(patch: Patch) -> None:
    _change_batches(patch, lambda batch: replace(batch, answers=()))


def stores_no_balance(patch: Patch) -> None:
    _change_batches(patch, lambda batch: replace(batch, balances=batch.balances[1:]))


def loses_the_last_entry(patch: Patch) -> None:
    _change_batches(patch, lambda batch: replace(batch, entries=batch.entries[:-1]))


def loses_the_snapshot(patch: Patch) -> None:
    _change_batches(patch, lambda batch: replace(batch, snapshot=None))


def _change_batches(patch: Patch, change: Callable[[StreamBatch], StreamBatch]) -> None:
    right = BatchBuilder.build

    def build(self: BatchBuilder, balance: Any) -> StreamBatch:
        return change(right(self, balance))

    patch.setattr(BatchBuilder, "build", build)


def acknowledges_before_the_commit(patch: Patch) -> None:
    right = table.Table._conclude

    def conclude(self: table.Table, judged: Any, problem: Any) -> Any:
        try:
            return right(self, judged, problem)
        except JournalError:  # the sender is told that all is well
            return judged.answers

    patch.setattr(table.Table, "_conclude", conclude)


def takes_a_part_of_what_was_asked_for_together(patch: Patch) -> None:
    right = table.Table._outcome

    def together(
        self: table.Table, state: Any, submission: Any, command: Any, *given: Any
    ) -> Any:
        posted: list[Any] = []
        refusal: Any = None
        for part in command.parts:
            outcome = right(self, state, replaced(submission, command=part), *given)
            if not isinstance(outcome, tuple):
                refusal = outcome
                continue
            state = outcome[0]
            posted += outcome[1]
        return (state, posted) if posted else refusal

    patch.setattr(table.Table, "_together", together)


def keeps_the_state_of_parts_that_were_refused(patch: Patch) -> None:
    right = table.Table._judge_one

    def judge_one(
        self: table.Table, state: Any, submission: Any, builder: Any, handled_by: Any
    ) -> Any:
        after, answer = right(self, state, submission, builder, handled_by)
        if isinstance(answer, Refused) and isinstance(submission.command, Together):
            for part in submission.command.parts:
                one = replaced(submission, command=part)
                outcome = self._outcome(after, one, builder.day, handled_by)
                after = outcome[0] if isinstance(outcome, tuple) else after
        return after, answer

    patch.setattr(table.Table, "_judge_one", judge_one)


def records_no_refusal(patch: Patch) -> None:
    right = table.Table._judge_one

    def judge_one(
        self: table.Table, state: Any, submission: Any, builder: Any, handled_by: Any
    ) -> Any:
        kept = len(builder.events), len(builder.answers)
        after, answer = right(self, state, submission, builder, handled_by)
        if isinstance(answer, Refused):
            del builder.events[kept[0] :], builder.answers[kept[1] :]
        return after, answer

    patch.setattr(table.Table, "_judge_one", judge_one)


def leaves_a_redeemed_voucher_open(patch: Patch) -> None:
    patch.delitem(batches._VOUCHER_EVENTS, money.VoucherRedeemed)


def redeems_any_code(patch: Patch) -> None:
    def claim(
        self: MemoryStore, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        return self.voucher(code)

    def redeemable(self: table.Table, code: str) -> Any:
        return self._store.voucher(code)

    patch.setattr(MemoryStore, "claim_voucher", claim)
    patch.setattr(table.Table, "_redeemable", redeemable)


def chains_without_the_entries(patch: Patch) -> None:
    right = event_hash
    patch.setattr(
        batches, "event_hash", lambda before, row, entries: right(before, row, ())
    )


def lets_two_writers_write(patch: Patch) -> None:
    right = MemoryStore.append

    def append(self: MemoryStore, batches: Sequence[StreamBatch]) -> Any:
        epochs = self.epochs()
        ends = {head.stream: head.sequence for head in self.heads()}
        return right(
            self,
            [
                replace(each, epoch=epochs[each.stream], after=ends[each.stream])
                for each in batches
            ],
        )

    patch.setattr(MemoryStore, "append", append)


def forgets_colours_in_a_snapshot(patch: Patch) -> None:
    right = write_snapshot

    def write(state: Any) -> str:
        return right(replace(state, series=replace(state.series, colours={})))

    patch.setattr(batches, "write_snapshot", write)


def forgets_meters_in_a_snapshot(patch: Patch) -> None:
    right = write_snapshot
    patch.setattr(
        batches, "write_snapshot", lambda state: right(replace(state, meters={}))
    )


def does_not_reach_behind_a_snapshot(patch: Patch) -> None:
    patch.setattr(replay, "_reaching_back", lambda store, state, row: state)


def goes_on_after_a_crash(patch: Patch) -> None:
    patch.setattr(table.Table, "_interrupt", lambda self: None)


def counts_a_correction_twice(patch: Patch) -> None:
    patch.setattr(state, "_settled", state._sums)


def lets_time_go_back(patch: Patch) -> None:
    right = table.Table._builder

    def builder(self: table.Table) -> BatchBuilder:
        built = right(self)
        built.at_ms = built.clock_ms
        return built

    patch.setattr(table.Table, "_builder", builder)


PLANTED: Mapping[str, Callable[[Patch], None]] = {
    plant.__name__: plant
    for plant in (
        forgets_a_reversal,
        makes_no_claim,
        posts_a_buy_in_twice,
        posts_one_side_only,
        lets_credit_below_zero,
        settles_a_round_twice,
        takes_a_late_wager,
        spins_before_the_close,
        executes_a_command_twice,
        stores_no_answer,
        stores_no_balance,
        loses_the_last_entry,
        loses_the_snapshot,
        acknowledges_before_the_commit,
        takes_a_part_of_what_was_asked_for_together,
        keeps_the_state_of_parts_that_were_refused,
        records_no_refusal,
        leaves_a_redeemed_voucher_open,
        redeems_any_code,
        chains_without_the_entries,
        lets_two_writers_write,
        forgets_colours_in_a_snapshot,
        forgets_meters_in_a_snapshot,
        does_not_reach_behind_a_snapshot,
        goes_on_after_a_crash,
        counts_a_correction_twice,
        lets_time_go_back,
    )
}
