"""What must hold of a journal after a crash, read row by row from its tables.

A second opinion: everything is added up anew from events and entries, and held
against what the store keeps beside them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.heads import event_hash
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import GENESIS, EventRow, VoucherState
from croupier.ledger import money
from croupier.ledger.accounts import LAYOUT, VOUCHERS, Account, Entry, is_seat
from croupier.rules import events as ev
from tests.journal.stored import stored_answers

REACHES_BACK = (
    ev.OutcomeCorrected,
    ev.OutcomeDecided,
    ev.BonusNumbersCorrected,
    ev.WagerRuled,
    ev.RoundVoided,
)


def check_journal(store: SqliteStore) -> None:
    """Chain, ledger, answers and vouchers of every stream."""
    for head in store.heads():
        check_chain(store, head.stream)
        check_ledger(store, head.stream)
        check_answers(store, head.stream)
        check_dispositions(store, head.stream)
    check_vouchers(store)


def check_chain(store: SqliteStore, stream: str) -> None:
    entries = entries_by_sequence(store, stream)
    before = GENESIS
    sequence = 0
    for row in store.events(stream):
        sequence += 1
        assert row.sequence == sequence, f"{stream} lacks event {sequence}"
        before = event_hash(before, row, entries.pop(sequence, []))
        assert row.hash == before, f"{stream} {sequence} has another hash"
    head = store.head(stream)
    assert head is not None
    assert (head.sequence, head.hash) == (sequence, before), "the head is elsewhere"
    assert not entries, f"{stream} has entries without an event"


def check_ledger(store: SqliteStore, stream: str) -> None:
    """Each event's entries sum to zero, and the balances are their sums."""
    totals: Counter[Account] = Counter()
    for sequence, entries in entries_by_sequence(store, stream).items():
        assert sum(entry.cents for entry in entries) == 0, (stream, sequence)
        for account, cents in entries:
            totals[account] += cents
        seats = [a for a, _ in entries if is_seat(a) and totals[a] < 0]
        assert not seats, f"{seats} below zero after {stream} {sequence}"
    stored = {a: cents for a, cents in store.balances(stream).items() if cents}
    assert stored == {a: cents for a, cents in totals.items() if cents}, stream


def check_answers(store: SqliteStore, stream: str) -> None:
    """The events of a command stand together, under exactly one answer."""
    answers = stored_answers(store, stream)
    assert len({answer.command_id for answer in answers}) == len(answers)
    answered = {
        sequence: answer.command_id
        for answer in answers
        for sequence in range(answer.first, answer.last + 1)
    }
    for row in store.events(stream):
        if row.kind == "SnapshotTaken":
            assert answered.pop(row.sequence, None) is None
        else:
            found = answered.pop(row.sequence, None)
            assert found == row.command_id, (stream, row.sequence, found)
    assert not answered, f"{stream} answers for events that are not there"


def check_vouchers(store: SqliteStore) -> None:
    """Each is issued once and redeemed at most once; the accounts say the same."""
    issued: dict[str, int] = {}
    redeemed: dict[str, tuple[str, int]] = {}
    owed = 0
    for head in store.heads():
        owed += store.balances(head.stream).get(VOUCHERS, 0)
        for _, event in events_of(store, head.stream):
            if isinstance(event, money.VoucherIssued):
                assert event.code not in issued, "a code was issued twice"
                issued[event.code] = event.cents
            elif isinstance(event, money.VoucherRedeemed | money.VoucherPaid):
                assert event.code not in redeemed, f"{event.code} redeemed twice"
                redeemed[event.code] = head.stream, event.cents
    rows = {row.code: row for row in store.vouchers()}
    assert {code: row.cents for code, row in rows.items()} == issued
    for code, row in rows.items():
        is_redeemed = row.state is VoucherState.REDEEMED
        assert is_redeemed == (code in redeemed), row
        if is_redeemed:
            assert redeemed[code] == (row.holder, row.cents), row
    waiting = sum(cents for code, cents in issued.items() if code not in redeemed)
    assert owed == waiting, f"{owed} owed, {waiting} outstanding"


def check_dispositions(store: SqliteStore, stream: str) -> None:
    """Every registered wager that was not withdrawn is settled, once a settlement."""
    rounds: dict[int, list[JournalEvent]] = defaultdict(list)
    for row, event in events_of(store, stream):
        rounds[row.round_number].append(event)
    for number, events in rounds.items():
        _check_round(f"{stream} round {number}", events)


def _check_round(where: str, events: list[JournalEvent]) -> None:
    lying: dict[str, int] = {}
    settlements, reopened = 0, 0
    for event in events:
        match event:
            case ev.WagerPlaced():
                assert event.wager_id not in lying, where
                lying[event.wager_id] = sum(piece.cents for piece in event.pieces)
            case ev.WagerIncreased(wager_id=wager_id, piece_cents=cents):
                lying[wager_id] += cents * _pieces(events, wager_id)
            case ev.WagerWithdrawn(wager_id=wager_id):
                del lying[wager_id]
            case ev.RoundSettled():
                settlements += 1
                _check_settled(where, event, lying)
            case _ if isinstance(event, REACHES_BACK) and settlements:
                reopened += 1
    assert settlements in {0, 1 + reopened}, f"{where}: settled {settlements} times"


def _pieces(events: list[JournalEvent], wager_id: str) -> int:
    placed = [e for e in events if isinstance(e, ev.WagerPlaced)]
    return next(len(e.pieces) for e in placed if e.wager_id == wager_id)


def _check_settled(where: str, settled: ev.RoundSettled, lying: dict[str, int]) -> None:
    ids = [wager.wager_id for wager in settled.wagers]
    assert sorted(ids) == sorted(lying), f"{where}: {ids} settled, {lying} lay there"
    for wager in settled.wagers:
        pieces = wager.pieces
        assert sum(piece.stake_cents for piece in pieces) == lying[wager.wager_id]
        for piece in pieces:
            kept = piece.returned_cents + piece.collected_cents
            assert piece.stake_cents == kept, f"{where}: {wager}"


def check_finished(store: SqliteStore) -> None:
    """Nothing lies on a layout, every round is settled, no voucher is in between."""
    for head in store.heads():
        assert store.balances(head.stream).get(LAYOUT, 0) == 0, head.stream
        begun, settled = set(), set()
        for row, event in events_of(store, head.stream):
            if isinstance(event, ev.RoundBegun):
                begun.add(row.round_number)
            elif isinstance(event, ev.RoundSettled):
                settled.add(row.round_number)
        assert begun == settled, f"{head.stream}: {begun - settled} not settled"
    claimed = [v for v in store.vouchers() if v.state is VoucherState.CLAIMED]
    assert not claimed, "a voucher is neither here nor there"


def events_of(
    store: SqliteStore, stream: str
) -> Iterator[tuple[EventRow, JournalEvent]]:
    for row in store.events(stream):
        yield row, decode(row.schema, row.kind, row.body)


def entries_by_sequence(store: SqliteStore, stream: str) -> dict[int, list[Entry]]:
    """In the order of their lines, which are numbered from nought."""
    found: dict[int, list[Entry]] = defaultdict(list)
    for sequence, line, entry in store.entries(stream):
        assert line == len(found[sequence]), (stream, sequence, line)
        found[sequence].append(entry)
    return dict(found)
