"""The audit of one stream, on the same rows that its verification reads.

Memory has the balances of the stream, the round in play and the settlements to compare;
nothing grows with the length of the stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.replay import Replay
from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.findings import Findings
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.stream_check import StreamCheck
from croupier.journal.tables import GENESIS, EventRow, HeadRow
from croupier.ledger.accounts import Account, Entry, is_players


@dataclass(slots=True)
class StreamResult:
    """The result of one stream: its counts, findings, and rebuilt ledger."""

    end: HeadRow
    """The last event that was audited."""
    findings: Findings
    events: int
    wagers: int
    meters: Counter[str]
    balances: dict[Account, int]

    @property
    def stream(self) -> str:
        return self.end.stream


class StreamAudit:
    """Audits the events of a stream while they are verified."""

    def __init__(
        self,
        store: Store,
        stream: str,
        findings: Findings,
    ) -> None:
        self._store = store
        self._stream = stream
        self._check = StreamCheck(store, stream, findings)
        self._findings = findings
        self._replay = Replay(stream, findings.add, self._recall)
        self._is_house = stream == HOUSE_STREAM
        self._terms_seen: set[str] = set()
        self._events = 0
        self._end = HeadRow(stream, 0, GENESIS)

    def run(self, last: int) -> StreamResult:
        """Check the whole stream, and audit it up to its event `last`."""
        replay = self._replay
        for row, event, entries, snapshot in self._check.events():
            if row.sequence > last:
                continue
            self._events += 1
            replay.row = row
            self._end = HeadRow(row.stream, row.sequence, row.hash)
            if isinstance(event, UnreadableEvent):
                replay.say(AuditProblem.EVENT_UNREADABLE, text=event)
                self._post(None, entries)
                continue
            self._post(replay.note(row, event), entries)
            if snapshot is not None and not self._is_house:
                _judge_snapshot(replay, snapshot)
            if not self._is_house:
                self._judge_terms(row)
            if replay.resettlement.is_full:
                replay.resettlement.compare()
        replay.end()
        return self._result()

    def _result(self) -> StreamResult:
        """Return the result; its ledger has wrong settlements corrected."""
        replay = self._replay
        balances: Counter[Account] = Counter(replay.credit)
        for account, cents in replay.resettlement.differences().items():
            balances[account] += cents
        return StreamResult(
            self._end,
            self._findings,
            self._events,
            replay.wagers,
            replay.resettlement.meters,
            dict(balances),
        )

    def _post(self, expected: list[Entry] | None, stored: list[Entry]) -> None:
        """Compare the stored entries with those expected, and post the latter."""
        if expected is None:  # the event can't be read: take its stored entries
            expected = stored
        elif stored != expected and sorted(stored) != sorted(expected):
            self._report_entries(expected, stored)
        if not expected:
            return
        credit = self._replay.credit
        for account, cents in expected:
            credit[account] = credit.get(account, 0) + cents
        for account, _ in expected:
            if credit[account] < 0 and is_players(account):
                problem, found = AuditProblem.ACCOUNT_BELOW_ZERO, credit[account]
                self._replay.say(
                    problem, None, (0, found), account=account, found=found
                )

    def _report_entries(self, expected: list[Entry], stored: list[Entry]) -> None:
        say = self._replay.say
        total = sum(cents for _, cents in stored)
        if total:
            say(AuditProblem.ENTRIES_TOTAL, None, (0, total), total=total)
        should, was = _by_account(expected), _by_account(stored)
        for account in sorted(should.keys() | was.keys()):
            if should[account] != was[account]:
                sums = {"found": was[account], "expected": should[account]}
                say(AuditProblem.ENTRIES_OF_ACCOUNT, account=account, **sums)
        if should == was:
            say(AuditProblem.ENTRIES_BY_LINE)

    def _judge_terms(self, row: EventRow) -> None:
        """Check the document and the digest of the terms beside the event."""
        replay = self._replay
        document, current = replay.document, replay.current
        if document is None:
            return
        if row.document != document:
            document = repr(row.document[:60])
            replay.say(AuditProblem.DOCUMENT_BESIDE, document=document)
        if current is not None:
            if row.terms != current.terms.digest:
                replay.say(AuditProblem.DIGEST_OF_ROUND)
            return
        assert replay.in_force is not None
        self._terms_seen.add(replay.in_force.digest)
        if row.terms not in self._terms_seen:
            replay.say(AuditProblem.DIGEST_IN_FORCE)

    def _recall(
        self, number: int, before: int
    ) -> Iterator[tuple[EventRow, JournalEvent]]:
        for row in self._store.events(self._stream, round_number=number):
            if row.sequence >= before:
                return
            try:
                yield row, decode(row.schema, row.kind, row.body)
            except UnreadableEvent:
                continue


def _by_account(entries: list[Entry]) -> Counter[Account]:
    sums: Counter[Account] = Counter()
    for account, cents in entries:
        sums[account] += cents
    return sums


def _judge_snapshot(replay: Replay, body: str) -> None:
    """Report every field of the snapshot that the events contradict."""
    try:
        kept = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.MsgspecError:
        replay.say(AuditProblem.SNAPSHOT_UNREADABLE)
        return
    replay.resettlement.compare()
    expected = _expected(replay)
    for name, value in expected.items():
        if kept.get(name) != value:
            replay.say(AuditProblem.SNAPSHOT_FIELD, field=name)
    _judge_meters(replay, kept.get("meters"))


def _expected(replay: Replay) -> dict[str, object]:
    limits, settings = replay.in_force.lines if replay.in_force else ((), ())
    return {
        "game": replay.game.name if replay.game else None,
        "limits": list(limits),
        "settings": list(settings),
        "last": replay.last,
        "stood": replay.stood,
        "colours": {c: list(chips) for c, chips in replay.holders.colours.items()},
        "stays": {seat: list(stay) for seat, stay in replay.holders.stays.items()},
        "is_open": replay.is_open,
        "virtual_wheel": replay.virtual_wheel,
    }


def _judge_meters(replay: Replay, stored: object) -> None:
    """Compare each meter's sum over all days: only the house knows its gaming days."""
    found: Counter[str] = Counter()
    if isinstance(stored, Mapping):
        for key, amount in stored.items():
            _, _, meter = str(key).partition("/")
            found[meter] += amount if isinstance(amount, int) else 0
    expected = replay.resettlement.meters
    for meter in sorted(found.keys() | expected.keys()):
        if found[meter] != expected[meter]:
            sums = {"found": found[meter], "expected": expected[meter]}
            replay.say(AuditProblem.SNAPSHOT_METER, meter=meter, **sums)
