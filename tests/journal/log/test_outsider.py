"""An outsider with the public key and one cosigned checkpoint finds every forgery.

The forger has the house's database and its private key: all hashes are computed again,
the log is numbered and signed again, and the forged journal verifies by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.log.notes import Note, cosign, witness_key
from croupier.journal.log.publishing import publish
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import ANSWERS, EVENTS
from croupier.journal.verification import verify
from croupier.ledger.commands import BuyIn
from tests.journal import tampering as tamper
from tests.journal.scene import KEY, Clock, Driver

WITNESS, NAME = Ed25519PrivateKey.generate(), "regulator.example/w1"
PUBLIC = [KEY.public_key()]


def _play(store: Store, last: str) -> None:
    """Play two rounds at one table, and sign the log after each."""
    clock = Clock()
    table = Driver(store, "t1", clock, snapshot_every=10**6)
    table.ask(BuyIn("Anna", 100_000))
    for number in ("17", last):
        table.round(number, ("17", 1_000), ("black", 5_000))
        publish(store, KEY, clock(), "")


def _edit(store: Store) -> None:
    rows = [row for row in tamper.rows(store, EVENTS) if row[8] == "OutcomeAnnounced"]
    body = rows[-1][9]
    tamper.change(store, EVENTS, rows[-1], body=body.replace('"20"', '"17"'))


def _insert(store: Store) -> None:
    """Insert an event with its own command after the command of the first close."""
    close = next(r for r in tamper.rows(store, EVENTS) if r[8] == "NoMoreBetsAnnounced")
    place = next(r[3] for r in tamper.rows(store, ANSWERS) if close[1] <= r[3])
    for table, column in (
        *(("events", "sequence"), ("entries", "sequence"), ("log_entries", "sequence")),
        *(("answers", "first"), ("answers", "last")),
    ):
        behind = f"stream = 't1' AND {column} > ?"
        moved = f"UPDATE {table} SET {column} = -{column} - 1 WHERE {behind}"
        tamper.execute(store, moved, (place,))
        back = f"UPDATE {table} SET {column} = -{column} WHERE {column} < 0"
        tamper.execute(store, back)
    forged = (*close[:1], place + 1, close[2], "forged", *close[4:])
    tamper.insert(store, EVENTS, forged)
    tamper.insert(store, ANSWERS, ("t1", "forged", place + 1, place + 1))


def _forged(path: Path, forge: Callable[[Store], None] | None) -> SqliteStore:
    """Return an edited journal, or without an edit one with another last round."""
    store = SqliteStore(path)
    _play(store, "20" if forge else "21")
    if forge is not None:
        with store.all_or_nothing():
            tamper.forget_log(store)
            forge(store)
            tamper.write_anew(store, "t1")
        publish(store, KEY, Clock()(), "")
        publish(store, KEY, Clock()(), "")
    return store


@pytest.mark.parametrize(
    "forge", [_edit, _insert, None], ids=["edited", "inserted", "forked"]
)
def test_a_forgery_that_verifies_by_itself_is_found_by_one_checkpoint(
    tmp_path: Path, forge: Callable[[Store], None] | None
) -> None:
    with SqliteStore(tmp_path / "house.db") as house:
        _play(house, "20")
        note = Note.read(house.checkpoints(0)[-1])
    kept = note.with_signatures([cosign(note.text, NAME, WITNESS, 1)])

    with _forged(tmp_path / "forged.db", forge) as forged:
        alone = verify(forged, public_keys=PUBLIC)
        against = verify(forged, outside=kept.whole, public_keys=PUBLIC)

    assert witness_key(NAME, WITNESS.public_key()).has_signed(kept)
    assert alone.findings == ()
    assert any(
        "the checkpoint from outside" in each.problem for each in against.findings
    )
    assert against.proven is None


def test_the_house_itself_is_proven_by_that_checkpoint(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "house.db") as house:
        _play(house, "20")
        report = verify(house, outside=house.checkpoints(0)[-1], public_keys=PUBLIC)

    assert report.findings == ()
    assert report.proven is not None
