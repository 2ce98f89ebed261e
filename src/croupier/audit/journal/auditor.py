"""The audit of a journal: every stream is verified and settled again in one walk.

Streams are independent of each other, so several processes may share them; each opens
the journal itself. The report does not depend on their number.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from croupier.audit.journal.problems import AuditProblem, BeyondAudit, finding_of
from croupier.audit.journal.stream import StreamAudit, StreamResult
from croupier.audit.journal.vouchers import judge_voucher
from croupier.journal.chain import house_head
from croupier.journal.findings import (
    MOST_KEPT,
    Finding,
    FindingKind,
    Findings,
    in_order,
)
from croupier.journal.signing_keys import read_public_key
from croupier.journal.sources import OpenedJournal, open_source
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.stores import open_store
from croupier.journal.tables import BALANCES, STREAMS
from croupier.journal.verification import JournalCheck
from croupier.journal.vouchers import VoucherFact
from croupier.ledger.accounts import Account
from croupier.rules.reasons import Reason

_UNPROVEN = (BeyondAudit.BALL_ON_THE_WHEEL(), BeyondAudit.DAY_OF_MONEY())
_LAST = 2**63 - 1
Progress = Callable[[int, int], None]
"""Called with the number of events read, and of all."""


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """Options of an audit."""

    workers: int = 1
    most_kept: int | None = MOST_KEPT
    """Findings of a kind that are listed; None: all."""
    outside: str | None = None
    public_keys: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The counts of rows read, the findings, and the claims that can't be proven."""

    findings: tuple[Finding, ...]
    counts: Mapping[FindingKind, int]
    """The number of findings of each kind, listed or not."""
    looked_at: Mapping[str, int]
    house_head: str
    unproven: tuple[Reason, ...]

    @classmethod
    def of(
        cls,
        findings: Findings,
        looked_at: Mapping[str, int],
        unproven: tuple[Reason, ...],
        house_head: str = "",
    ) -> AuditReport:
        counts = findings.counts
        by_kind = {kind: counts[kind] for kind in FindingKind if counts[kind]}
        kept = tuple(in_order(findings.kept))
        return cls(kept, by_kind, looked_at, house_head, unproven)

    @property
    def is_clean(self) -> bool:
        return not self.counts


@dataclass(frozen=True, slots=True)
class _Task:
    """The audit of one stream, for any of the processes."""

    address: str
    most_kept: int | None
    stream: str
    last: int
    """The event to audit up to."""


def audit_journal(
    source: str, options: AuditOptions | None = None, progress: Progress | None = None
) -> AuditReport:
    """Audit a database or an export; raises `JournalError` if it can't be opened."""
    options = options or AuditOptions()
    findings = Findings(options.most_kept)

    def report(fault: Reason) -> None:
        findings.add(Finding(FindingKind.EXPORT, "", None, fault))

    with open_source(source, report) as opened:
        check = JournalCheck(
            opened.store,
            findings,
            options.outside,
            [read_public_key(path) for path in options.public_keys],
        )
        # Each process reads at a moment of its own: all of them audit a stream up to
        # its end in this process.
        with opened.store.at_one_moment():
            check.begin()
            results = _results(opened, check, options, progress)
            for result in results:
                findings.merge(result.findings)
                for finding in _differing_balances(result, opened.store):
                    findings.add(finding)
            check.check_seals(result.end for result in results)
            _end(check, results, findings)
        head = house_head(result.end for result in results)
        unproven = (*check.unproven(), *_UNPROVEN)
        return AuditReport.of(findings, _looked_at(results), unproven, head)


def _results(
    opened: OpenedJournal,
    check: JournalCheck,
    options: AuditOptions,
    progress: Progress | None,
) -> list[StreamResult]:
    """Audit every stream; return the results in the order of their names."""
    last = {stream: end for stream, _, end, _ in opened.store.rows_of(STREAMS)}
    # A stream that has lost its end is read as far as it goes.
    tasks = [
        _Task(opened.address, options.most_kept, stream, last.get(stream, _LAST))
        for stream in check.streams()
    ]
    tasks.sort(key=lambda task: -task.last)
    events = sum(last.values())
    results = []
    with closing(_done(opened.store, tasks, options.workers)) as done:
        for result in done:
            results.append(result)
            if progress is not None:
                progress(sum(each.events for each in results), events)
    return sorted(results, key=lambda result: result.stream)


def _done(
    store: Store, tasks: list[_Task], workers: int
) -> Generator[StreamResult, None, None]:
    """Return the result of each task, in any order."""
    if workers <= 1:
        for task in tasks:
            yield _carry_out(store, task)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from pool.map(_carry_out_elsewhere, tasks)


def _carry_out_elsewhere(task: _Task) -> StreamResult:
    with open_store(task.address, create=False) as store, store.at_one_moment():
        return _carry_out(store, task)


def _carry_out(store: Store, task: _Task) -> StreamResult:
    findings = Findings(task.most_kept)
    with _without_collector():
        return StreamAudit(store, task.stream, findings).run(task.last)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Turn the garbage collector off: no cycles arise, and it costs a fifth."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _end(check: JournalCheck, results: list[StreamResult], findings: Findings) -> None:
    """Verify and audit the vouchers of all streams."""
    judged: list[Finding] = []

    def judge(facts: list[VoucherFact]) -> None:
        judged.extend(judge_voucher(facts))

    check.end({result.stream for result in results}, judge)
    for finding in sorted(judged, key=lambda each: (each.stream, each.sequence or 0)):
        findings.add(finding)


def _differing_balances(result: StreamResult, store: Store) -> Iterator[Finding]:
    """Compare the stored balances with the rebuilt ledger."""
    expected = result.balances
    stored: dict[Account, int] = {
        account: cents for _, account, cents in store.rows_of(BALANCES, result.stream)
    }
    for account in sorted(expected.keys() | stored.keys()):
        should, was = expected.get(account, 0), stored.get(account, 0)
        if should != was:
            place, problem = (result.stream, None, None), AuditProblem.LEDGER_BALANCE
            sums = {"found": was, "expected": should}
            yield finding_of(place, problem, account=account, **sums)


def _looked_at(results: Iterable[StreamResult]) -> Mapping[str, int]:
    every = list(results)
    meters: Counter[str] = Counter()
    for result in every:
        meters.update(result.meters)
    return {
        "tables": sum(r.events > 0 and r.stream != HOUSE_STREAM for r in every),
        "events": sum(result.events for result in every),
        "rounds": meters["rounds"],
        "void_rounds": meters["voids"],
        "wagers": sum(result.wagers for result in every),
        "staked_cents": meters["staked"],
        "paid_cents": meters["won"],
        "house_win_cents": meters["hold"],
    }
