"""Both databases refuse the same batches, and change nothing."""

from __future__ import annotations

from contextlib import closing

import apsw
import psycopg
import pytest

from croupier.journal.store import JournalError, Store
from croupier.journal.stores import open_store
from croupier.journal.verification import verify
from croupier.ledger.accounts import seat
from tests.journal.batches import (
    append,
    balance,
    batch,
    everything,
    snapshot,
    voucher,
)
from tests.journal.scene import play

UNWRITABLE = {
    "a seat below zero": {"balances": balance(seat("Anna"), -1)},
    "more than 64 bits": {"balances": balance("house", 2**63)},
    "less than 64 bits": {"balances": balance("house", -(2**63) - 1)},
    "far more than 64 bits": {"balances": balance("house", 10**30)},
    "NUL in a body": {"bodies": ["{}", "a\0b"]},
    "half a character in a body": {
        "events": (batch("one", after=1).events[0]._replace(body="a\ud83cb"),)
    },
    "half a character in an account": {"balances": balance("\udfff", 1)},
    "NUL in an account": {"balances": balance("a\0", 1)},
    "an account too long": {"balances": balance("a" * 201, 1)},
    "NUL in a snapshot": {"snapshot": snapshot("one", 1, "")._replace(body="\0")},
    "a voucher of nothing": {"vouchers": (voucher("A", 0),)},
    "NUL in a voucher": {"vouchers": (voucher("A\0"),)},
    "a voucher's code too long": {"vouchers": (voucher("A" * 201),)},
    "the same answer twice": {"answers": (("one", "twice", 1, 1),) * 2},
    "an answer given before": {"answers": (("one", "before", 2, 2),)},
    "a command's id too long": {"answers": (("one", "a" * 201, 1, 1),)},
    "NUL in a command's id": {"answers": (("one", "a\0", 1, 1),)},
}


@pytest.mark.parametrize("changes", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_nothing_of_a_refused_batch_is_visible_and_others_are_written(
    store: Store, changes: dict[str, object]
) -> None:
    for stream in ("one", "two", "three"):
        store.claim_stream(stream)
    answers = (("one", "before", 1, 1),)
    append(store, batch("one", vouchers=(voucher("old"),), answers=answers))
    before = everything(store)
    bad = batch("one", after=1, **changes)  # type: ignore[arg-type]

    alone = store.append([bad])
    after_it = everything(store)
    together = store.append([batch("two"), bad, batch("three")])

    assert [type(problem) for problem in alone] == [JournalError]
    assert str(alone[0]).startswith("'one' has a batch that can't be written: ")
    assert "\n" not in str(alone[0])
    assert after_it == before
    assert [type(problem) for problem in together] == [
        type(None),
        JournalError,
        type(None),
    ]
    assert [head.sequence for head in store.heads()] == [1, 1, 1]
    append(store, batch("one", after=1))


@pytest.mark.parametrize("account", ["house", "claim:Anna", "SEAT:Anna", "seat"])
def test_other_accounts_than_seats_may_go_below_zero(
    store: Store, account: str
) -> None:
    store.claim_stream("one")

    append(store, batch("one", balances=balance(account, -(2**63))))

    assert store.balances("one") == {account: -(2**63)}


@pytest.mark.parametrize("name", ["a\0b", "a\ud83c", "a" * 201])
def test_a_name_that_cant_be_stored_is_refused_or_not_found(
    store: Store, name: str
) -> None:
    with pytest.raises(JournalError, match="can't be written"):
        store.claim_stream(name)

    assert store.heads() == []
    assert store.head(name) is None
    assert list(store.events(name)) == []
    assert store.answer("one", name) is None
    assert store.voucher(name) is None
    assert store.claim_voucher(name, "one") is None
    assert store.release_vouchers(name) == 0


def test_numbers_beyond_64_bits_are_found_nowhere(store: Store) -> None:
    store.claim_stream("one")
    append(store, batch("one"))

    assert list(store.events("one", round_number=2**63)) == []
    assert list(store.events("one", after=10**30)) == []


@pytest.mark.parametrize("table", ["events", "entries"])
@pytest.mark.parametrize("change", ["UPDATE {} SET stream = 'x'", "DELETE FROM {}"])
def test_triggers_prevent_accidental_changes_of_the_record(
    store_url: str, change: str, table: str
) -> None:
    with open_store(store_url) as journal:
        play(journal)

    with pytest.raises(
        (apsw.ConstraintError, psycopg.errors.RaiseException), match="never changed"
    ):
        _execute(store_url, change.format(table))
    with open_store(store_url) as journal:
        assert verify(journal).is_clean


def _execute(url: str, statement: str) -> None:
    """Run a statement as any database tool would."""
    if url.startswith("sqlite:///"):
        with closing(apsw.Connection(url.removeprefix("sqlite:///"))) as connection:
            connection.execute(statement)
    else:
        with psycopg.connect(url) as server:
            server.execute(statement.encode())
