"""Vouchers across all streams: each issued once, used once, whole and in time.

What events say of vouchers is spooled to files by the voucher's code and looked at a
file at a time, so that a house may have issued any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec

from croupier.audit.journal.findings import Finding, FindingKind
from croupier.journal.events.codec import JournalEvent
from croupier.journal.tables import EventRow
from croupier.ledger import money

_FILES = 32
_ISSUED, _REDEEMED, _EXPIRED, _LOST = "issued", "redeemed", "expired", "lost"
_SAID: dict[str, str] = {
    "VoucherIssued": _ISSUED,
    "VoucherRedeemed": _REDEEMED,
    "VoucherExpired": _EXPIRED,
    "VoucherReportedLost": _LOST,
}
_LONGEST_DAY = timedelta(days=2)
"""A gaming day may end so long after the same date has ended in UTC."""


class VoucherFact(msgspec.Struct, array_like=True, frozen=True):
    """What one event says of a voucher."""

    code: str
    said: str
    cents: int
    expires: str
    stream: str
    sequence: int
    at_ms: int


class VoucherSpool:
    """Files of what is said of vouchers; several spools may share a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._encode = msgspec.json.Encoder().encode
        self._open: dict[int, BinaryIO] = {}

    def note(self, row: EventRow, event: JournalEvent) -> None:
        """Remember the event, if it concerns a voucher."""
        said = _SAID.get(row.kind)
        if said is None:
            return
        assert isinstance(
            event,
            money.VoucherIssued
            | money.VoucherRedeemed
            | money.VoucherExpired
            | money.VoucherReportedLost,
        )
        line = VoucherFact(
            event.code,
            said,
            getattr(event, "cents", 0),
            getattr(event, "expires", ""),
            row.stream,
            row.sequence,
            row.at_ms,
        )
        self._file(event.code).write(self._encode(line) + b"\n")

    def _file(self, code: str) -> BinaryIO:
        part = sha256(code.encode()).digest()[0] % _FILES
        if part not in self._open:
            path = self._folder / f"{part}.{self._name}"
            self._open[part] = path.open("ab")
        return self._open[part]

    def close(self) -> None:
        for file in self._open.values():
            file.close()


def judge_vouchers(folder: Path, report: Callable[[Finding], None]) -> None:
    """Everything that was spooled in the folder, voucher by voucher."""
    found: list[Finding] = []
    for part in range(_FILES):
        by_code: dict[str, list[VoucherFact]] = {}
        for said in _read(sorted(folder.glob(f"{part}.*"))):
            by_code.setdefault(said.code, []).append(said)
        for facts in by_code.values():
            found += _judged(facts)
    for finding in sorted(found, key=lambda each: (each.stream, each.sequence or 0)):
        report(finding)


def _read(paths: Iterable[Path]) -> Iterator[VoucherFact]:
    decode = msgspec.json.Decoder(VoucherFact).decode
    for path in paths:
        with path.open("rb") as file:
            yield from map(decode, file)


def _judged(facts: list[VoucherFact]) -> Iterator[Finding]:
    """One voucher: issued once, and redeemed or expired once."""
    facts.sort(key=lambda said: (said.said != _ISSUED, said.at_ms, said.stream))
    issued = [said for said in facts if said.said == _ISSUED]
    uses = [said for said in facts if said.said in {_REDEEMED, _EXPIRED}]
    for again in issued[1:]:
        yield _finding(FindingKind.VOUCHER_TWICE, again, "it had been issued before")
    for again in uses[1:]:
        yield _finding(
            FindingKind.VOUCHER_TWICE, again, f"it had been {uses[0].said} before"
        )
    if not issued:
        for said in facts:
            yield _finding(FindingKind.VOUCHER_UNKNOWN, said, "nobody issued it")
        return
    lost = next((said for said in facts if said.said == _LOST), None)
    for said in uses:
        yield from _used(issued[0], said, lost)


def _used(
    issued: VoucherFact, used: VoucherFact, lost: VoucherFact | None
) -> Iterator[Finding]:
    if used.cents != issued.cents:
        yield _finding(
            FindingKind.VOUCHER_AMOUNT,
            used,
            f"it was issued for {issued.cents} cents",
            (issued.cents, used.cents),
        )
    if used.said != _REDEEMED:
        return
    if lost is not None and lost.at_ms < used.at_ms:
        yield _finding(FindingKind.VOUCHER_TWICE, used, "it had been reported lost")
    if _is_late(issued.expires, used.at_ms):
        problem = f"its last day was {issued.expires}"
        yield _finding(FindingKind.VOUCHER_EXPIRED, used, problem)


def _is_late(expires: str, at_ms: int) -> bool:
    """Whether its last gaming day was over, wherever the house is."""
    try:
        last = date.fromisoformat(expires)
        moment = datetime.fromtimestamp(at_ms / 1_000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return True
    return moment > last + _LONGEST_DAY


def _finding(
    kind: FindingKind,
    said: VoucherFact,
    problem: str,
    sums: tuple[int, int] | None = None,
) -> Finding:
    text = f"voucher {said.code[:40]}: {problem}"
    expected, found = sums or (None, None)
    return Finding(
        kind,
        said.stream,
        said.sequence,
        text,
        expected_cents=expected,
        found_cents=found,
    )
