"""A stored voucher has one claim and one redemption, also under concurrent requests."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import expire_vouchers, report_lost
from croupier.journal.store import Store, WriterConflict
from croupier.journal.stores import open_store
from croupier.journal.tables import VoucherState
from croupier.ledger.commands import BuyIn, PayVoucher, RedeemVoucher
from croupier.table.answers import Accepted
from croupier.table.reasons import StreamError
from tests.journal.batches import append, batch, voucher
from tests.journal.scene import DAY_MS, DEALER, Clock, Driver
from tests.journal.stores import run_sql


def issued(store: Store, *codes: str) -> None:
    """Issue the vouchers in the first event of the stream `one`."""
    store.claim_stream("one")
    append(store, batch("one", vouchers=tuple(voucher(code) for code in codes)))


def test_a_voucher_is_found_by_its_code(store: Store) -> None:
    issued(store, "A1", "a1", "Ä1")

    assert store.voucher("a1") == voucher("a1")
    assert store.voucher("A") is None
    assert [row.code for row in store.vouchers()] == ["A1", "a1", "Ä1"]


def test_a_claimed_voucher_names_its_holder_and_is_claimed_once(store: Store) -> None:
    issued(store, "A1")

    first = store.claim_voucher("A1", "two")
    second = store.claim_voucher("A1", "three")
    same = store.claim_voucher("A1", "two")

    claimed = voucher("A1", state=VoucherState.CLAIMED, holder="two")
    assert first == claimed
    assert (second, same) == (None, None)
    assert store.voucher("A1") == claimed


def test_only_an_outstanding_voucher_can_be_claimed(store: Store) -> None:
    store.claim_stream("one")
    ended = [state for state in VoucherState if state is not VoucherState.OUTSTANDING]
    rows = tuple(voucher(state.value, state=state, holder="x") for state in ended)
    append(store, batch("one", vouchers=rows))

    claims = [store.claim_voucher(row.code, "two") for row in rows]

    assert claims == [None] * 4
    assert sorted(store.vouchers()) == sorted(rows)
    assert store.claim_voucher("unknown", "two") is None


def test_only_the_present_writer_of_a_stream_claims_for_it(store: Store) -> None:
    issued(store, "A1")
    for _ in range(2):
        store.claim_stream("two")

    late = store.claim_voucher("A1", "two", 1)
    nobody = store.claim_voucher("A1", "three", 1)
    before = store.voucher("A1")
    present = store.claim_voucher("A1", "two", 2)

    assert (late, nobody, before) == (None, None, voucher("A1"))
    assert present == voucher("A1", state=VoucherState.CLAIMED, holder="two")


def test_only_unused_claims_are_released(store: Store) -> None:
    issued(store, "A1", "B2", "C3", "D4")
    for code, holder in (("A1", "two"), ("B2", "two"), ("C3", "three")):
        store.claim_voucher(code, holder)
    redeemed = voucher("B2", state=VoucherState.REDEEMED, holder="two")
    append(store, batch("one", after=1, vouchers=(redeemed,)))

    released = store.release_vouchers("two")

    assert released == 1
    assert list(store.vouchers()) == [
        voucher("A1"),
        redeemed,
        voucher("C3", state=VoucherState.CLAIMED, holder="three"),
        voucher("D4"),
    ]
    assert store.release_vouchers("two") == 0
    assert store.claim_voucher("A1", "three") is not None


def test_a_redeemed_voucher_keeps_what_it_was_issued_with(store: Store) -> None:
    issued(store, "A1")
    change = voucher("A1", 1, state=VoucherState.REDEEMED, expires="", holder="two")
    append(store, batch("one", after=1, vouchers=(change._replace(issuer=""),)))

    assert store.voucher("A1") == voucher(
        "A1", state=VoucherState.REDEEMED, holder="two"
    )


def test_a_voucher_written_twice_in_one_commit_has_its_last_state(
    store: Store,
) -> None:
    for stream in ("one", "two"):
        store.claim_stream(stream)
    lost = voucher("A1", 1, state=VoucherState.LOST, expires="")
    redeemed = voucher("B2", 1, state=VoucherState.REDEEMED, holder="two")

    append(
        store,
        batch("one", vouchers=(voucher("A1"), lost, voucher("B2"))),
        batch("two", vouchers=(redeemed,)),
    )

    assert list(store.vouchers()) == [
        voucher("A1", state=VoucherState.LOST),
        voucher("B2", state=VoucherState.REDEEMED, holder="two"),
    ]


def test_a_writer_that_lost_its_stream_issues_no_voucher(store: Store) -> None:
    store.claim_stream("one")
    late = replace(batch("one", vouchers=(voucher("A1"),)), epoch=9)

    [problem] = store.append([late])

    assert isinstance(problem, WriterConflict)
    assert list(store.vouchers()) == []


def test_many_threads_claim_each_voucher_once(store_url: str) -> None:
    codes = [f"code {number:02}" for number in range(40)]
    with open_store(store_url) as one, open_store(store_url) as two:
        issued(one, *codes)

        def claim_all(number: int) -> list[str]:
            store, holder = (one, two)[number % 2], f"holder {number}"
            return [code for code in codes if store.claim_voucher(code, holder)]

        with ThreadPoolExecutor(8) as pool:
            claims = list(pool.map(claim_all, range(8)))

        holders = {row.code: row.holder for row in one.vouchers()}
    assert sorted(code for mine in claims for code in mine) == codes
    assert all(
        holders[code] == f"holder {number}"
        for number, mine in enumerate(claims)
        for code in mine
    )


CLAIMING = """
import sys
from croupier.journal.stores import open_store

url, holder, *codes = sys.argv[1:]
with open_store(url) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    print(*[code for code in codes if store.claim_voucher(code, holder)])
"""


def test_two_processes_claim_each_voucher_once(store: Store, store_url: str) -> None:
    codes = [f"C{number:02}" for number in range(60)]
    issued(store, *codes)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIMING, store_url, holder, *codes],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for holder in ("two", "three")
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"

    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    claims = [process.communicate()[0].split() for process in processes]

    assert sorted(claims[0] + claims[1]) == codes
    held = {row.code: row.holder for row in store.vouchers()}
    assert held == dict.fromkeys(claims[0], "two") | dict.fromkeys(claims[1], "three")


FORGED = "FORGED2345672345"


def _redeems(driver: Driver, code: str) -> bool:
    """Whether the table redeems or pays it."""
    asked = (RedeemVoucher("Ben", code), PayVoucher(code))
    answers = [driver.ask(each) for each in asked]
    return any(isinstance(answer, Accepted) for answer in answers)


FORGED_EVENT = (
    "INSERT INTO events SELECT stream, {}, round_number, 'forged', at_ms, schema,"
    " document, terms, kind, replace(body, '{}', '{}'), hash FROM events"
    " WHERE kind = 'VoucherIssued'"
)
FORGED_ROW = (
    "INSERT INTO vouchers SELECT '{}', cents, 'outstanding', expires, issuer, ''"
    " FROM vouchers"
)


@pytest.mark.parametrize("sequence", [None, -1, 0, 9_999])
def test_a_voucher_that_no_stream_has_issued_is_no_money(
    store: Store, store_url: str, sequence: int | None
) -> None:
    """The voucher has no event, or one outside its stream's sequence."""
    clock = Clock()
    driver = Driver(store, "t1", clock)
    driver.ask(BuyIn("Anna", 10_000))
    real = driver.voucher("Anna", 700)
    if sequence is not None:
        run_sql(store_url, FORGED_EVENT.format(sequence, real, FORGED))
    run_sql(store_url, FORGED_ROW.format(FORGED))

    assert not _redeems(driver, FORGED)
    clock.now_ms += 400 * DAY_MS
    record = HouseRecord(store, clock)
    with pytest.raises(StreamError):
        report_lost(record, DEALER, FORGED)
    assert expire_vouchers(record, DEALER) == 1


@pytest.mark.parametrize("column", ["cents = 70000", "expires = '2099-01-01'"])
def test_a_voucher_that_was_changed_is_no_money(
    store: Store, store_url: str, column: str
) -> None:
    driver = Driver(store, "t1", Clock())
    driver.ask(BuyIn("Anna", 10_000))
    code = driver.voucher("Anna", 700)
    run_sql(store_url, f"UPDATE vouchers SET {column}")

    assert not _redeems(driver, code)


@pytest.mark.parametrize("end", ["redeemed", "paid", "lost"])
def test_a_voucher_that_is_set_back_is_not_redeemed_again(
    store: Store, store_url: str, end: str
) -> None:
    clock = Clock()
    driver = Driver(store, "t1", clock)
    driver.ask(BuyIn("Anna", 10_000))
    code = driver.voucher("Anna", 700)
    match end:
        case "redeemed":
            driver.ask(RedeemVoucher("Ben", code))
        case "paid":
            driver.ask(PayVoucher(code))
        case _:
            report_lost(HouseRecord(store, clock), DEALER, code)
    run_sql(store_url, "UPDATE vouchers SET state = 'outstanding', holder = ''")

    assert not _redeems(driver, code)
