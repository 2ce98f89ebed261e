"""The verification of a journal before its house opens, in bounded time.

A house pays out by the state that it reads at the start. However long its past is, the
start therefore checks:
- the last checkpoint;
- the events of each stream since its last snapshot and since the last ends in the log,
  up to a bound, with their entries and answers;
- the balances since that snapshot, whose digest is in the chain;
- the vouchers that can still be paid.

The verification that runs once the house is open checks the rest.
"""

from __future__ import annotations

from croupier.house.records.house_record import read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.house_state import HouseState
from croupier.journal.findings import (
    CheckpointSource,
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.log.check import compare_ends
from croupier.journal.log.notes import BadNote, Note, log_key
from croupier.journal.log.publishing import last_ends
from croupier.journal.log.stored_log import StoredLog
from croupier.journal.store import JournalError, ServerAway, Store
from croupier.journal.stream_check import CheckedBefore, StreamCheck
from croupier.journal.tables import GENESIS, HeadRow, answered_id
from croupier.journal.verification import unsealed, verify
from croupier.journal.vouchers import compare_open_voucher
from croupier.rules.reasons import Reason

MOST_EVENTS = 30_000
"""Of all streams together; this takes about half a second."""
_FEWEST_EVENTS = 3_000
"""Of each stream: more events than lie between two snapshots."""
_MOST_VOUCHERS = 5_000
_CODE_LENGTH = 16


def check_start(store: Store, *, most_events: int = MOST_EVENTS) -> tuple[Finding, ...]:
    """Return the faults of a journal before its house opens.

    If an earlier verification found a fault, the whole journal is verified. Raises
    `NotAJournal` if the house's own stream can't be read.
    """
    state = read_house_state(store)
    if state.doubt is not None:
        return verify(store, folds=house_folds()).findings
    findings = Findings()
    try:
        _check(store, _signed_ends(store, state, findings), most_events, findings)
    except ServerAway:
        raise
    except JournalError as error:
        problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
        findings.add(Finding(FindingKind.JOURNAL_STREAMS, "", None, problem))
    return tuple(findings.kept)


def _check(
    store: Store, signed: dict[str, int], most_events: int, findings: Findings
) -> None:
    ends = store.heads()
    most = max(_FEWEST_EVENTS, most_events // max(1, len(ends)))
    parts = [
        (end.stream, _checked_before(store, end, signed.get(end.stream, 0), most))
        for end in ends
    ]
    streams = {end.stream for end in ends}
    for voucher in store.open_vouchers(_MOST_VOUCHERS):
        if len(voucher.code) == _CODE_LENGTH:  # a command reads no other code
            events = store.voucher_events(voucher.code)
            compare_open_voucher(voucher, events, streams, findings)
    for finding in unsealed(store, ends):
        findings.add(finding)
    with store.at_one_moment():
        for stream, before in parts:
            for _ in StreamCheck(store, stream, findings, before).events():
                pass


def _signed_ends(store: Store, state: HouseState, findings: Findings) -> dict[str, int]:
    """Return the ends of streams in the log's last list; note those that differ."""
    last = None
    if _expect_signed_log(store, state, findings):
        last = last_ends(store)
    if last is None:
        return {}
    leaf, ends = last
    compare_ends(store, leaf, ends.streams, findings)
    return {stream: sequence for stream, sequence, _ in ends.streams}


def _expect_signed_log(store: Store, state: HouseState, findings: Findings) -> bool:
    """Return whether the last checkpoint matches the log; note the fault if not."""
    stored = store.last_checkpoint()
    if stored is None:
        return False
    number, text = stored
    problem: Reason | None = None
    try:
        note = Note.read(text)
        checkpoint = note.checkpoint
    except BadNote as error:
        problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
    else:
        log = StoredLog(store)
        source, size = CheckpointSource.STORED(), checkpoint.size
        if size > log.size:
            problem = VerificationProblem.CHECKPOINT_BEYOND(
                source=source, size=size, count=log.size
            )
        elif log.root(size) != checkpoint.root:
            problem = VerificationProblem.CHECKPOINT_OTHER_ROOT(
                source=source, size=size
            )
        elif not has_signed(state, checkpoint.origin, note):
            problem = VerificationProblem.CHECKPOINT_UNKNOWN_KEY()
    if problem is not None:
        kind = FindingKind.JOURNAL_CHECKPOINTS
        findings.add(Finding(kind, "", number, problem))
    return problem is None


def has_signed(state: HouseState, origin: str, note: Note) -> bool:
    """Return whether a key of the house signed; True if the house has no key."""
    keys = [log_key(origin, each.public_key) for each in state.signing_keys.values()]
    return not keys or any(key.has_signed(note) for key in keys)


def _checked_before(
    store: Store, end: HeadRow, signed: int, most: int
) -> CheckedBefore:
    """Return the place at which the check of a stream begins.

    It is before the last snapshot, which a start reads, and not after the last signed
    end. A command begins there.
    """
    stream = end.stream
    snapshot = store.snapshot(stream)
    read_from = 0 if snapshot is None else snapshot.sequence - 1
    after = max(min(signed, read_from), end.sequence - most, 0)
    following = store.few_events(stream, after + 1, after + 1)
    if following:
        answer = store.answer(stream, answered_id(following[0].command_id))
        if answer is not None and 0 < answer.first <= after:
            after = answer.first - 1
    if after == 0:
        return CheckedBefore()
    rows = store.few_events(stream, after, after)
    balances, since = store.balances(stream), store.entry_sums(stream, after=after)
    for account, moved in since.items():
        balances[account] = balances.get(account, 0) - sum(moved)
    return CheckedBefore(after, rows[0].hash if rows else GENESIS, balances)
