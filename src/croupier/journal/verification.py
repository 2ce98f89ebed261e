"""Verification: everything that a journal stores, held against its events and heads.

Laws of this file:
- every row of every table is read, in order, in constant memory, as of one moment;
- all findings are reported, not the first;
- what can't be proven from what was given is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.chain import house_head
from croupier.journal.findings import Finding, Findings, RowCursor, VerificationReport
from croupier.journal.known_heads import OUTSIDE, KnownHeads
from croupier.journal.signed_heads import SignedHead, read_head
from croupier.journal.store import Store
from croupier.journal.stream_check import StreamCheck
from croupier.journal.tables import PUBLISHED_HEADS, STREAMS, TABLES, VOUCHERS, HeadRow
from croupier.journal.vouchers import VoucherFold

__all__ = ["Finding", "VerificationReport", "verify"]


def verify(
    store: Store,
    *,
    outside_head: str | None = None,
    public_keys: Collection[Ed25519PublicKey] = (),
) -> VerificationReport:
    """What is wrong with a journal; raises `BadHead` where the outside head is none.

    With public keys, each head must be signed by one of them: keys change over time.
    """
    outside = None if outside_head is None else read_head(outside_head, public_keys)
    with store.at_one_moment():
        return _verified(store, outside, public_keys)


def _verified(
    store: Store,
    outside: SignedHead | None,
    public_keys: Collection[Ed25519PublicKey],
) -> VerificationReport:
    findings = Findings()
    for line in store.damage():
        findings.add(STREAMS, "", None, f"the database is damaged: {line}")
    rows = {
        name: RowCursor(table, store.rows_of(table), findings)
        for name, table in TABLES.items()
    }
    heads = KnownHeads(findings)
    if outside is not None:
        heads.add(outside, OUTSIDE)
    heads.read_published(rows[PUBLISHED_HEADS.name].rest(), public_keys, outside)
    vouchers = VoucherFold()
    ends = _check_streams(rows, heads.ends(), vouchers, findings)
    streams = {end.stream for end in ends}
    claims = vouchers.compare(rows[VOUCHERS.name], streams, findings)
    return VerificationReport(
        findings=tuple(findings.kept),
        more_findings=findings.more,
        checked={name: table.count for name, table in rows.items()},
        house_head=house_head(ends),
        unproven=tuple(_unproven(outside, heads.last, public_keys, claims)),
    )


def _check_streams(
    rows: dict[str, RowCursor],
    ends: RowCursor,
    vouchers: VoucherFold,
    findings: Findings,
) -> list[HeadRow]:
    """Every stream that any table or head names; where their events end."""
    found = []
    sources = [rows[table.name] for table in TABLES.values() if "stream" in table.order]
    while names := [each.next[0] for each in (*sources, ends) if each.next is not None]:
        stream = min(names)
        check = StreamCheck(stream, rows, ends, vouchers, findings)
        found.append(HeadRow(stream, *check.run()))
    return found


def _unproven(
    outside: SignedHead | None,
    last: SignedHead | None,
    public_keys: Collection[Ed25519PublicKey],
    claims: int,
) -> Iterator[str]:
    if outside is None:
        yield (
            "Without a head from outside: that no stream was cut short, and that the"
            " whole journal was not written anew."
        )
    else:
        yield "What the streams held after the head from outside, if it was cut off."
    if last is not None and not public_keys:
        yield "Without the house's public key: who signed the heads."
    if claims:
        yield (
            f"Whether the tables that claimed {claims} voucher(s) still want to redeem"
            " them: a claim is no event."
        )
