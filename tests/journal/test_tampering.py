"""Thousands of edits of every stored table: verification finds them all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    CHECKPOINTS,
    ENTRIES,
    EVENTS,
    STREAMS,
    TABLES,
    VOUCHERS,
    StoredTable,
)
from croupier.journal.verification import VerificationReport, verify
from tests.journal import tampering as tamper
from tests.journal.scene import KEY, play
from tests.journal.stored import checkpoints

PUBLIC = [KEY.public_key()]
STREAMS_BY_NAME = ("house", "t1", "t2")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One journal for all tests: each undoes its edits."""
    path: Path = tmp_path_factory.mktemp("tampering") / "journal.db"
    with SqliteStore(path) as opened:
        play(opened)
        yield opened


def is_found(store: Store) -> bool:
    return not verify(store, public_keys=PUBLIC).is_clean


def with_outside(store: Store, checkpoint: str) -> VerificationReport:
    return verify(store, outside=checkpoint, public_keys=PUBLIC)


def test_the_untouched_journal_is_clean(store: Store) -> None:
    play(store)

    alone = verify(store)
    helped = with_outside(store, checkpoints(store)[-1])

    assert (alone.findings, helped.findings) == ((), ())
    assert {name for name, count in alone.checked.items() if count == 0} == set()


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_every_edit_of_every_column_of_every_row_is_found(
    journal: Store, table: StoredTable
) -> None:
    random = Random(f"edits {table.name}")
    before = tamper.content(journal)
    done = 0

    for row in tamper.rows(journal, table):
        for column, value in zip(table.columns, row, strict=True):
            for _ in range(2):
                new = tamper.other_value(value, random)
                with tamper.undone(journal):
                    try:
                        tamper.change(journal, table, row, **{column: new})
                    except tamper.RefusedByDatabase:
                        continue
                    found = is_found(journal)
                    assert found or tamper.content(journal) == before, (row, new)
                    done += found

    written = len(table.columns) - sum(t == table.name for t, _ in tamper.NO_CONTENT)
    assert done >= len(before[table.name]) * written


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_every_deletion_of_a_row_is_found(journal: Store, table: StoredTable) -> None:
    for row in tamper.rows(journal, table):
        with tamper.undone(journal):
            tamper.delete(journal, table, row)

            assert is_found(journal), row


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_every_copy_of_a_row_under_another_key_is_found(
    journal: Store, table: StoredTable
) -> None:
    random = Random(f"copies {table.name}")
    done = 0

    for row in tamper.rows(journal, table):
        for _ in range(3):
            with tamper.undone(journal):
                try:
                    copy = tamper.copied(table, row, random)
                    tamper.insert(journal, table, copy)
                except tamper.RefusedByDatabase:
                    continue
                done += 1
                assert is_found(journal), copy

    assert done


@pytest.mark.parametrize(
    "table", [t for t in TABLES.values() if t is not STREAMS], ids=lambda t: t.name
)
def test_swaps_of_two_rows_contents_are_found(
    journal: Store, table: StoredTable
) -> None:
    random = Random(f"swaps {table.name}")
    before, stored = tamper.content(journal), tamper.rows(journal, table)
    done = 0

    for _ in range(100):
        one, two = random.sample(stored, 2)
        with tamper.undone(journal):
            try:
                tamper.swap(journal, table, one, two)
            except tamper.RefusedByDatabase:  # two entries never share a place
                continue
            found = is_found(journal)
            assert found or tamper.content(journal) == before, (one, two)
            done += found

    assert done


def test_several_random_changes_at_once_are_found(journal: Store) -> None:
    random = Random(20_261_115)
    before = tamper.content(journal)
    outside = checkpoints(journal)[-1]
    found = 0

    for _ in range(1_000):
        with tamper.undone(journal):
            done = _change(journal, random, random.randrange(1, 5))
            if is_found(journal):
                found += 1
                continue
            unchanged = tamper.content(journal) == before
            assert unchanged or not with_outside(journal, outside).is_clean, done

    assert found > 900


def test_random_changes_are_found_on_both_databases(store: Store) -> None:
    play(store)
    random = Random(7)
    before = tamper.content(store)
    outside = checkpoints(store)[-1]
    found = 0

    for _ in range(100):
        with tamper.undone(store):
            done = _change(store, random, 1)
            if is_found(store):
                found += 1
                continue
            unchanged = tamper.content(store) == before
            assert unchanged or not with_outside(store, outside).is_clean, done

    assert found > 70


def _change(store: Store, random: Random, count: int) -> list[str]:
    done: list[str] = []
    while len(done) < count:
        try:
            done.append(tamper.random_change(store, random))
        except tamper.RefusedByDatabase:
            continue
    return done


def test_columns_without_content_may_differ(journal: Store) -> None:
    [claimed] = [r for r in tamper.rows(journal, VOUCHERS) if r[2] == "claimed"]

    with tamper.undone(journal):
        tamper.execute(journal, "UPDATE streams SET epoch = epoch + 7")
        tamper.execute(journal, "UPDATE checkpoints SET number = number + 50")
        tamper.change(journal, VOUCHERS, claimed, state="outstanding", holder="")

        assert not is_found(journal)


def test_a_claim_by_a_table_that_does_not_exist_is_found(journal: Store) -> None:
    [claimed] = [r for r in tamper.rows(journal, VOUCHERS) if r[2] == "claimed"]

    with tamper.undone(journal):
        tamper.change(journal, VOUCHERS, claimed, holder="t3")

        assert is_found(journal)


@pytest.mark.parametrize(
    ("state", "holder"), [("outstanding", ""), ("claimed", "t1"), ("claimed", "t2")]
)
def test_a_spent_voucher_can_not_be_made_good_again(
    journal: Store, state: str, holder: str
) -> None:
    stored = tamper.rows(journal, VOUCHERS)
    spent = [row for row in stored if row[2] in {"redeemed", "expired"}]

    for row in spent:
        with tamper.undone(journal):
            tamper.change(journal, VOUCHERS, row, state=state, holder=holder)

            assert is_found(journal)
    assert len(spent) == 3


def test_malformed_text_is_found(journal: Store) -> None:
    with tamper.undone(journal):
        tamper.execute(
            journal, "UPDATE events SET body = CAST(x'ff00fe' AS TEXT) WHERE sequence=3"
        )
        found = verify(journal).findings

    assert any(
        each.table == "events" and "can't be read" in each.problem for each in found
    )


@pytest.mark.parametrize("name", STREAMS_BY_NAME)
def test_a_tail_that_was_cut_off_neatly_is_found_by_the_checkpoint_from_outside(
    journal: Store, name: str
) -> None:
    outside = checkpoints(journal)[-1]
    answers = [r for r in tamper.rows(journal, ANSWERS) if r[0] == name]
    cuts = 0

    for answer in answers[-8:]:
        with tamper.undone(journal):
            if not _cut(journal, name, answer[2]):
                continue
            cuts += 1

            assert not is_found(journal), answer
            told = with_outside(journal, outside)
            assert any("and the log has" in each.problem for each in told.findings)

    assert cuts


def _cut(store: Store, name: str, first: int) -> bool:
    """Remove a stream's end with its rows; False if other streams need its vouchers."""
    gone = [r for r in tamper.rows(store, EVENTS) if r[0] == name and r[1] >= first]
    touched = [row for row in gone if row[8].startswith("Voucher")]
    if any(row[8] != "VoucherIssued" for row in touched):
        return False
    for row in touched:
        code = json.loads(row[9])["code"]
        tamper.execute(store, "DELETE FROM vouchers WHERE code = ?", (code,))
    for table, column in (
        ("events", "sequence"),
        ("entries", "sequence"),
        ("answers", "first"),
        ("log_entries", "sequence"),
    ):
        tamper.execute(
            store,
            f"DELETE FROM {table} WHERE stream = ? AND {column} >= ?",
            (name, first),
        )
    tamper.execute(
        store,
        "DELETE FROM snapshots WHERE stream = ? AND sequence >= ?",
        (name, first - 1),
    )
    _sum_balances(store, name)
    tamper.forget_log(store)
    tamper.write_anew(store, name)
    return True


def _sum_balances(store: Store, name: str) -> None:
    tamper.execute(store, "DELETE FROM balances WHERE stream = ?", (name,))
    tamper.execute(
        store,
        "INSERT INTO balances SELECT stream, account, sum(cents) FROM entries"
        " WHERE stream = ? GROUP BY stream, account",
        (name,),
    )


@pytest.mark.parametrize("name", STREAMS_BY_NAME)
def test_a_neatly_cut_tail_is_found_by_the_log_that_was_left_in_place(
    journal: Store, name: str
) -> None:
    heads = tamper.rows(journal, CHECKPOINTS)
    last = [r for r in tamper.rows(journal, ANSWERS) if r[0] == name][-1]

    with tamper.undone(journal):
        _cut(journal, name, last[2])
        for row in heads:
            tamper.insert(journal, CHECKPOINTS, row)

        assert is_found(journal)


@pytest.mark.parametrize("name", ["t1", "t2"])
def test_a_rewritten_stream_is_found_by_the_checkpoint_from_outside(
    journal: Store, name: str
) -> None:
    outside = checkpoints(journal)[-1]
    settled = [
        r
        for r in tamper.rows(journal, EVENTS)
        if (r[0], r[8]) == (name, "PlaceYourBetsAnnounced")
    ]

    for row in settled:
        with tamper.undone(journal):
            tamper.change(journal, EVENTS, row, body=row[9].replace("Dora", "Doris"))
            tamper.write_anew(journal, name)
            tamper.forget_log(journal)

            assert not is_found(journal)
            told = with_outside(journal, outside)
            assert any("and the log has" in each.problem for each in told.findings)
    assert settled


@pytest.mark.parametrize("name", STREAMS_BY_NAME)
def test_a_stream_that_was_removed_whole_is_found(journal: Store, name: str) -> None:
    outside = checkpoints(journal)[-1]

    with tamper.undone(journal):
        for table in TABLES.values():
            if "stream" in table.columns:
                tamper.execute(
                    journal, f"DELETE FROM {table.name} WHERE stream = ?", (name,)
                )

        left = verify(journal).findings
        tamper.forget_log(journal)
        gone = with_outside(journal, outside).findings

    assert any(
        each.stream == name and "it is not there" in each.problem for each in left
    )
    assert any("and the log has" in each.problem for each in gone)


@pytest.mark.parametrize("name", STREAMS_BY_NAME)
def test_a_missing_row_of_a_stream_is_found(journal: Store, name: str) -> None:
    with tamper.undone(journal):
        tamper.forget_log(journal)
        tamper.execute(journal, "DELETE FROM streams WHERE stream = ?", (name,))

        found = verify(journal).findings

    assert ("streams", name) in {(each.table, each.stream) for each in found}


def test_entries_can_not_be_joined_into_one(journal: Store) -> None:
    """A hash over lines stays the same if an account's text swallows earlier entries.

    A correction's reversal sums to zero: no sum changes if it is swallowed whole.
    """
    corrected = next(
        row[1] for row in tamper.rows(journal, EVENTS) if row[8] == "OutcomeCorrected"
    )
    entries = [
        row
        for row in tamper.rows(journal, ENTRIES)
        if row[0] == "t1" and row[1] == _next_settlement(journal, corrected)
    ]
    sums = list(accumulate(row[4] for row in entries))
    count = sums.index(0) + 1
    swallowed, target, rest = entries[:count], entries[count], entries[count + 1 :]

    with tamper.undone(journal):
        for row in swallowed:
            tamper.delete(journal, ENTRIES, row)
        account = "\n".join([*(f"{r[3]} {r[4]}" for r in swallowed), target[3]])
        tamper.change(journal, ENTRIES, target, account=account)
        for line, row in enumerate((target, *rest)):
            tamper.change(journal, ENTRIES, row, line=line)
        _sum_balances(journal, "t1")
        found = verify(journal).findings

    assert {each.table for each in found} >= {"entries"}
    assert any("more than one line" in each.problem for each in found)


def _next_settlement(store: Store, after: int) -> int:
    return next(
        int(row[1])
        for row in tamper.rows(store, EVENTS)
        if row[0] == "t1" and row[1] > after and row[8] == "RoundSettled"
    )


def test_a_gap_with_fitted_hashes_is_found(
    journal: Store,
) -> None:
    refused = next(
        row for row in tamper.rows(journal, EVENTS) if row[8] == "ActRefused"
    )

    with tamper.undone(journal):
        tamper.delete(journal, EVENTS, refused)
        tamper.execute(
            journal,
            "DELETE FROM answers WHERE stream = ? AND first = ?",
            (refused[0], refused[1]),
        )
        tamper.forget_log(journal)
        tamper.write_anew(journal, refused[0])
        [found] = verify(journal).findings

    assert (found.table, found.sequence) == ("events", refused[1] + 1)


def test_a_balance_with_its_entries_left_alone_is_found(journal: Store) -> None:
    for row in tamper.rows(journal, BALANCES):
        with tamper.undone(journal):
            tamper.change(journal, BALANCES, row, cents=row[2] + 100)
            [found] = verify(journal).findings

            assert (found.table, found.stream) == ("balances", row[0])
            assert row[1] in found.problem
