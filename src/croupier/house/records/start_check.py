"""The verification of a journal before its house opens, in bounded time.

A house pays out by what it finds when it starts. So these are checked, however long its
past is: the events of each stream since its last snapshot and the last signed head, but
no more than so many, with their entries and answers; the balances, taken back to that
snapshot, where the chain holds their digest; and the vouchers that can still be paid.
All the rest is left to the verification that runs once the house is open.
"""

from __future__ import annotations

from croupier.house.records.house_record import read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.house_state import HouseState
from croupier.journal.findings import (
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.heads import BadHead, SignedHead, read_head
from croupier.journal.known_heads import KnownHeads, compare_ends
from croupier.journal.signing_keys import key_id
from croupier.journal.store import JournalError, ServerAway, Store
from croupier.journal.stream_check import CheckedBefore, StreamCheck
from croupier.journal.tables import GENESIS, HeadRow, answered_id
from croupier.journal.verification import verify
from croupier.journal.vouchers import compare_open_voucher

MOST_EVENTS = 30_000
"""Of all streams together: about half a second."""
_FEWEST_EVENTS = 3_000
"""Of each stream, however many there are: more than lie between two snapshots."""
_MOST_VOUCHERS = 5_000
_CODE_LENGTH = 16


def check_start(store: Store, *, most_events: int = MOST_EVENTS) -> tuple[Finding, ...]:
    """Return what is found wrong with a journal that a house is to be opened on.

    Where a verification has found something before, all of it is verified. Raises
    `NotAJournal` where the house itself can't be read.
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
        if len(voucher.code) == _CODE_LENGTH:  # others are not found by their code
            events = store.voucher_events(voucher.code)
            compare_open_voucher(voucher, events, streams, findings)
    with store.at_one_moment():
        heads = KnownHeads()
        for stream, before in parts:
            for _ in StreamCheck(store, stream, heads, findings, before).events():
                pass


def _signed_ends(store: Store, state: HouseState, findings: Findings) -> dict[str, int]:
    """Return where the last published head saw each stream end, if it is still so."""
    head = _last_head(store, state, findings)
    if head is None:
        return {}
    for stream, sequence, known in head.streams:
        rows = store.few_events(stream, sequence, sequence)
        found = rows[0].hash if rows else None
        end = (stream, sequence, known, "the last published head")
        compare_ends(iter([end]), sequence, found, findings)
    return {stream: sequence for stream, sequence, _ in head.streams}


def _last_head(
    store: Store, state: HouseState, findings: Findings
) -> SignedHead | None:
    """Return the last published head, if a key of the house has signed it."""
    with store.at_one_moment():
        last = store.last_head()
    if last is None:
        return None
    number, text = last
    try:
        head = read_head(text)
    except BadHead as error:
        problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
    else:
        key = key_id(head.public_key)
        if not state.signing_keys or key in state.signing_keys:
            return head
        problem = VerificationProblem.HEAD_OTHER_KEY(key=key)
    kind = FindingKind.JOURNAL_PUBLISHED_HEADS
    findings.add(Finding(kind, "", number, problem))
    return None


def _checked_before(
    store: Store, end: HeadRow, signed: int, most: int
) -> CheckedBefore:
    """Return where the check of a stream begins.

    That is before the last snapshot, which whoever opens it reads, and not after the
    last signed head; and it is where a command begins.
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
    for account, cents in since.items():
        balances[account] = balances.get(account, 0) - cents
    return CheckedBefore(after, rows[0].hash if rows else GENESIS, balances)
