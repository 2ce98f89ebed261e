"""The audit of a journal: verified, settled again stream by stream, and told whole.

Streams are independent of each other, so several processes may share them; each opens
the journal itself. Whatever their number, the report is the same.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from croupier.audit.journal.findings import (
    MOST_KEPT,
    Finding,
    FindingKind,
    Findings,
    in_order,
)
from croupier.audit.journal.sources import OpenedJournal, open_source
from croupier.audit.journal.stream import StreamAudit, StreamResult
from croupier.audit.journal.vouchers import VoucherSpool, judge_vouchers
from croupier.journal.address import open_store
from croupier.journal.findings import VerificationReport as Verification
from croupier.journal.signed_heads import read_public_key
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import BALANCES, STREAMS, HeadRow
from croupier.journal.verification import verify
from croupier.ledger.accounts import Account

_UNPROVEN = (
    "What was never recorded: that the ball came to rest where the Dealer said.",
    "On which gaming day money was counted: the meters are compared over all days, and"
    " a voucher counts as late two days after its last one.",
)
_LAST = 2**63 - 1
Progress = Callable[[int, int], None]
"""Told how many events have been looked at, of how many."""


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """How an audit is made."""

    workers: int = 1
    most_kept: int | None = MOST_KEPT
    """Findings of a kind that are listed; None: all."""
    outside_head: str | None = None
    public_keys: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What was looked at, what is wrong, and what can't be proven."""

    findings: tuple[Finding, ...]
    counts: Mapping[FindingKind, int]
    """How many findings of each kind there are, listed or not."""
    looked_at: Mapping[str, int]
    house_head: str
    unproven: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        return not self.counts


@dataclass(frozen=True, slots=True)
class _Task:
    """One part of an audit, for whichever process has time."""

    address: str
    folder: Path
    options: AuditOptions
    head: HeadRow | None
    """The stream to audit up to here; None: verify the whole journal."""


_Done = Verification | StreamResult


def audit_journal(
    source: str, options: AuditOptions | None = None, progress: Progress | None = None
) -> AuditReport:
    """Audit a database or an export; raises `JournalError` where it can't be opened."""
    options = options or AuditOptions()
    with open_source(source) as opened, TemporaryDirectory() as name:
        folder = Path(name)
        heads, balances = _ends(opened.store)
        tasks = [_Task(opened.address, folder, options, None)]
        largest_first = sorted(heads, key=lambda head: -head.sequence)
        tasks += [
            _Task(opened.address, folder, options, each) for each in largest_first
        ]
        events = sum(head.sequence for head in heads if head.sequence < _LAST)
        verification: Verification | None = None
        results: list[StreamResult] = []
        with closing(_done(opened.store, tasks, options.workers)) as done:
            for each in done:
                if not isinstance(each, StreamResult):
                    verification = each
                    continue
                results.append(each)
                if progress is not None:
                    progress(sum(r.events for r in results), events)
        assert verification is not None
        findings = _gathered(opened, verification, results, balances, options)
        judge_vouchers(folder, findings.add)
        return _report(findings, verification, results)


def _ends(store: Store) -> tuple[list[HeadRow], dict[str, dict[Account, int]]]:
    """Where each stream ends and its balances, of one moment.

    A stream that has lost its end is read as far as it goes.
    """
    balances: dict[str, dict[Account, int]] = {}
    with store.at_one_moment():
        heads = [
            HeadRow(stream, sequence, end)
            for stream, _, sequence, end in store.rows_of(STREAMS)
        ]
        for stream, account, cents in store.rows_of(BALANCES):
            balances.setdefault(stream, {})[account] = cents
    known = {head.stream for head in heads}
    heads += [HeadRow(name, _LAST, "") for name in balances if name not in known]
    return heads, balances


def _done(
    store: Store, tasks: list[_Task], workers: int
) -> Generator[_Done, None, None]:
    """What each task came to, in any order."""
    if workers <= 1:
        for task in tasks:
            yield _carry_out(store, task)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from pool.map(_carry_out_elsewhere, tasks)


def _carry_out_elsewhere(task: _Task) -> _Done:
    with open_store(task.address) as store:
        return _carry_out(store, task)


def _carry_out(store: Store, task: _Task) -> _Done:
    options, head = task.options, task.head
    if head is None:
        keys = [read_public_key(path) for path in options.public_keys]
        return verify(store, outside_head=options.outside_head, public_keys=keys)
    with _spooling(task.folder, head.stream) as spool, _without_collector():
        findings = Findings(options.most_kept)
        return StreamAudit(store, head, spool, findings).run()


@contextmanager
def _without_collector() -> Iterator[None]:
    """An audit leaves no cycles behind; to look for them takes a fifth of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _spooling(folder: Path, stream: str) -> Iterator[VoucherSpool]:
    spool = VoucherSpool(folder, sha256(stream.encode()).hexdigest())
    try:
        yield spool
    finally:
        spool.close()


def _gathered(
    opened: OpenedJournal,
    verification: Verification,
    results: list[StreamResult],
    balances: dict[str, dict[Account, int]],
    options: AuditOptions,
) -> Findings:
    """All findings, stream by stream in the order of their names."""
    findings = Findings(options.most_kept)
    for fault in opened.faults:
        findings.add(Finding(FindingKind.EXPORT, "", None, fault))
    _add_verification(verification, findings)
    for result in sorted(results, key=lambda each: each.stream):
        findings.merge(result.findings)
        stored = balances.get(result.stream, {})
        for finding in _differing_balances(result, stored):
            findings.add(finding)
    return findings


def _report(
    findings: Findings, verification: Verification, results: list[StreamResult]
) -> AuditReport:
    return AuditReport(
        findings=tuple(in_order(findings.kept)),
        counts={
            kind: findings.counts[kind] for kind in FindingKind if findings.counts[kind]
        },
        looked_at=_looked_at(results),
        house_head=verification.house_head,
        unproven=(*verification.unproven, *_UNPROVEN),
    )


def _add_verification(verification: Verification, findings: Findings) -> None:
    for each in verification.findings:
        kind = FindingKind[f"JOURNAL_{each.table.upper()}"]
        findings.add(Finding(kind, each.stream, each.sequence, each.problem))
    if verification.more_findings:
        findings.counts[FindingKind.JOURNAL_EVENTS] += verification.more_findings


def _differing_balances(
    result: StreamResult, stored: Mapping[Account, int]
) -> Iterator[Finding]:
    expected = result.balances
    for account in sorted(expected.keys() | stored.keys()):
        should, was = expected.get(account, 0), stored.get(account, 0)
        if should != was:
            problem = f"{account} is {was} cents, the rebuilt ledger has {should}"
            yield Finding(
                FindingKind.BALANCE,
                result.stream,
                None,
                problem,
                expected_cents=should,
                found_cents=was,
            )


def _looked_at(results: Iterable[StreamResult]) -> Mapping[str, int]:
    sums: Counter[str] = Counter()
    for result in results:
        sums["tables"] += result.stream != HOUSE_STREAM
        sums["events"] += result.events
        sums["rounds"] += result.meters["rounds"]
        sums["void_rounds"] += result.meters["voids"]
        sums["wagers"] += result.wagers
        sums["staked_cents"] += result.meters["staked"]
        sums["paid_cents"] += result.meters["won"]
        sums["house_win_cents"] += result.meters["hold"]
    names = (
        "tables events rounds void_rounds wagers staked_cents paid_cents"
        " house_win_cents"
    )
    return {name: sums[name] for name in names.split()}
