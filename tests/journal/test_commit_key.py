"""The commit key reveals events that were appended by hand, even if well chained."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from croupier.house.records.start_check import check_start
from croupier.journal.chain import event_hash
from croupier.journal.commit_key import (
    VARIABLE,
    commit_key_of,
    make_commit_key,
    read_commit_key,
)
from croupier.journal.export import (
    backup_journal,
    export_journal,
    import_journal,
    restore_journal,
)
from croupier.journal.findings import table_line
from croupier.journal.log.publishing import publish
from croupier.journal.mirror import Mirror, MirrorPlace, read_part
from croupier.journal.private_files import BadKey
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import ANSWERS, EVENTS, EventRow
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import KEY, Clock, Driver, play

_KEY = bytes(range(32))


@pytest.fixture
def sealed(store: Store) -> Store:
    """A journal whose commits were all sealed."""
    store.commit_key = _KEY
    play(store)
    return store


def _found(store: Store) -> list[str]:
    return [table_line(each) for each in verify(store).findings]


def _append_by_hand(store: Store, stream: str) -> None:
    """Append a copy of a refusal, with its own sequence, hash and answer."""
    rows = [EventRow(*row) for row in tamper.rows(store, EVENTS) if row[0] == stream]
    refused = next(row for row in rows if row.kind == "ActRefused")
    last = rows[-1]
    columns = refused._replace(
        sequence=last.sequence + 1, at_ms=last.at_ms, command_id="by-hand"
    )
    hashed = event_hash(last.hash, columns, [])
    with store.all_or_nothing():
        tamper.insert(store, EVENTS, columns._replace(hash=hashed))
        place = (stream, "by-hand", last.sequence + 1, last.sequence + 1)
        tamper.insert(store, ANSWERS, place)
        tamper.execute(
            store,
            "UPDATE streams SET sequence = ?, hash = ? WHERE stream = ?",
            (last.sequence + 1, hashed, stream),
        )


def test_every_commit_of_the_house_is_sealed(sealed: Store) -> None:
    assert verify(sealed).is_clean
    assert check_start(sealed) == ()
    assert all(len(mac) == 64 for mac in sealed.macs().values())


def test_a_well_chained_event_appended_by_hand_is_found(sealed: Store) -> None:
    _append_by_hand(sealed, "t1")

    [found] = _found(sealed)

    assert found.startswith("streams t1 ")
    assert "was not sealed with the commit key" in found
    assert [table_line(each) for each in check_start(sealed)] == [found]
    sealed.commit_key = None
    assert verify(sealed).is_clean
    assert any("appended by hand" in str(each) for each in verify(sealed).unproven)


def test_a_write_without_the_key_or_with_another_is_found(
    sealed: Store,
) -> None:
    for key in (None, bytes(32)):
        sealed.commit_key = key
        Driver(sealed, "t9" if key is None else "t8", Clock())
    sealed.commit_key = _KEY

    assert [line.split(":")[0] for line in _found(sealed)] == [
        "streams t8 1",
        "streams t9 1",
    ]


def test_a_journal_is_sealed_as_it_is(store: Store) -> None:
    play(store)
    store.commit_key = _KEY
    assert len(_found(store)) == len(store.heads())

    assert store.seal_ends() == len(store.heads())

    assert _found(store) == []


def test_each_copy_is_sealed_with_the_key_of_its_command(
    sealed: Store, tmp_path: Path
) -> None:
    with SqliteStore(tmp_path / "copy.db") as mirrored:
        mirrored.commit_key = _KEY
        Mirror(mirrored, KEY.public_key()).take(
            read_part(sealed, MirrorPlace({}, 0, 0))
        )
        assert verify(mirrored).is_clean
    backup, export = tmp_path / "backup.db", tmp_path / "journal.jsonl"
    export_journal(sealed, export)
    backup_journal(sealed, backup)

    for path, fill in ((backup, restore_journal), (export, import_journal)):
        with SqliteStore(tmp_path / f"{path.stem}-filled.db") as filled:
            filled.commit_key = _KEY
            fill(filled, path)
            assert filled.macs() == sealed.macs()
    with SqliteStore(backup) as copy:
        assert copy.macs() == sealed.macs()


def test_a_checkpoint_alone_does_not_seal(sealed: Store) -> None:
    _append_by_hand(sealed, "t2")
    publish(sealed, KEY, 1, "")

    assert len(_found(sealed)) == 1


def test_the_environment_names_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "commit.key"
    make_commit_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert commit_key_of({}) is None
    assert commit_key_of({VARIABLE: str(path)}) == read_commit_key(path)
    monkeypatch.setenv(VARIABLE, str(path))

    with open_store(str(tmp_path / "house.db")) as store:
        assert store.commit_key == read_commit_key(path)
        Driver(store, "t1", Clock())
        assert verify(store).is_clean

    monkeypatch.setenv(VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(BadKey, match="nowhere"):
        open_store(str(tmp_path / "house.db"))


def test_a_file_that_is_no_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "commit.key"
    for text in ("", "00", "no key", "00" * 33):
        path.write_text(text)
        with pytest.raises(BadKey, match="holds no commit key"):
            read_commit_key(path)
    with pytest.raises(BadKey, match="not overwritten"):
        make_commit_key(path)
