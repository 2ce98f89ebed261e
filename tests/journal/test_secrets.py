"""Secrets outside the chain: found by their digests, and in no export."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from croupier.journal.export import (
    backup_journal,
    export_journal,
    import_journal,
    restore_journal,
)
from croupier.journal.store import JournalError, JournalFailed, NotAJournal, Store
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.verification import verify
from tests.journal.batches import everything
from tests.journal.scene import play
from tests.journal.stores import run_sql
from tests.journal.texts import TEXTS

HASH = "$scrypt$ln=17$c2FsdA$aGFzaA"
FORMATS = ("journal.jsonl", "journal")
SHORT_TEXTS = {name: text for name, text in TEXTS.items() if len(text) <= 1_000}


def _count(url: str) -> int:
    [(count,)] = run_sql(url, "SELECT count(*) FROM secrets")
    assert isinstance(count, int)
    return count


def test_a_secret_is_found_by_its_digest_after_closing(store_url: str) -> None:
    with open_store(store_url) as store:
        key = store.keep_secret(HASH)

    with open_store(store_url) as store:
        assert key == sha256(HASH.encode()).hexdigest()
        assert store.secret(key) == HASH
        assert store.secret(key.upper()) is None
        assert store.secret("0" * 64) is None


def test_a_secret_is_committed_when_it_is_acknowledged(store_url: str) -> None:
    with open_store(store_url) as one, open_store(store_url) as two:
        key = one.keep_secret(HASH)
        seen_by_another = two.secret(key)
        two.drop_secret(key)

        assert seen_by_another == HASH
        assert one.secret(key) is None


@pytest.mark.parametrize("text", SHORT_TEXTS.values(), ids=SHORT_TEXTS.keys())
def test_a_secret_comes_back_exactly(store: Store, text: str) -> None:
    assert store.secret(store.keep_secret(text)) == text


def test_the_same_secret_twice_is_kept_once(store: Store, store_url: str) -> None:
    keys = {store.keep_secret(HASH), store.keep_secret(HASH)}

    [key] = keys
    assert store.secret(key) == HASH
    assert _count(store_url) == 1


def test_a_dropped_secret_is_gone_and_others_stay(store_url: str) -> None:
    with open_store(store_url) as store:
        gone, kept = store.keep_secret("gone"), store.keep_secret("kept")
        store.drop_secret(gone)
        store.drop_secret(gone)
        store.drop_secret("f" * 64)

    with open_store(store_url) as store:
        assert store.secret(gone) is None
        assert store.secret(kept) == "kept"
        assert _count(store_url) == 1
        assert store.secret(store.keep_secret("gone")) == "gone"


@pytest.mark.parametrize(
    "text",
    ["passw\0rd", "passw\ud83crd", "password" * 125 + "!", "password" * 100_000],
    ids=["NUL", "half a character", "too long by one", "far too long"],
)
def test_a_secret_that_cant_be_stored_is_refused_and_not_repeated(
    store: Store, store_url: str, text: str
) -> None:
    with pytest.raises(JournalError) as refusal:
        store.keep_secret(text)

    assert not isinstance(refusal.value, JournalFailed)
    assert "can't be written" in str(refusal.value)
    assert "passw" not in str(refusal.value)
    assert _count(store_url) == 0
    assert store.secret(store.keep_secret(HASH)) == HASH


@pytest.mark.parametrize("character", ["x", "é", "🎲"])
def test_a_thousand_characters_of_any_script_are_kept(
    store: Store, character: str
) -> None:
    text = character * 1_000

    assert store.secret(store.keep_secret(text)) == text


@pytest.mark.parametrize("key", ["", "a\0b", "a\ud83c", "' OR 1=1 --", "x" * 10_000])
def test_a_malformed_digest_finds_and_drops_nothing(store: Store, key: str) -> None:
    kept = store.keep_secret(HASH)

    store.drop_secret(key)

    assert store.secret(key) is None
    assert store.secret(kept) == HASH


def test_an_edited_secret_is_not_returned(store: Store, store_url: str) -> None:
    key = store.keep_secret(HASH)

    run_sql(store_url, "UPDATE secrets SET value = 'a hash of another password'")

    assert store.secret(key) is None


def test_heads_and_verifications_name_no_secrets(store: Store) -> None:
    play(store)
    before, report = everything(store), verify(store)

    store.drop_secret(store.keep_secret("another"))
    store.keep_secret(HASH)

    assert everything(store) == before
    assert verify(store) == report
    assert report.is_clean
    assert "secrets" not in report.checked


@pytest.mark.parametrize("name", FORMATS)
def test_no_export_holds_a_secret(store: Store, name: str, tmp_path: Path) -> None:
    play(store)
    without, path = tmp_path / f"without-{name}", tmp_path / name
    export_journal(store, without)
    key = store.keep_secret(HASH)

    export_journal(store, path)

    if path.is_file():
        assert path.read_bytes() == without.read_bytes()
    for file in [path] if path.is_file() else path.iterdir():
        assert "secret" not in file.name
        assert HASH.encode() not in file.read_bytes()
        assert key.encode() not in file.read_bytes()


def test_an_imported_journal_has_only_its_own_secrets(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / FORMATS[0]
    with SqliteStore(tmp_path / "other.db") as other:
        play(other)
        key = other.keep_secret(HASH)
        export_journal(other, path)
    own = store.keep_secret("own")

    import_journal(store, path)

    assert store.secret(key) is None
    assert store.secret(own) == "own"


def test_a_restored_journal_has_only_its_own_secrets(
    store: Store, tmp_path: Path
) -> None:
    with SqliteStore(tmp_path / "backup.db") as backup:
        play(backup)
        key = backup.keep_secret(HASH)

    restore_journal(store, tmp_path / "backup.db")

    assert store.secret(key) is None
    assert verify(store).is_clean


def test_no_backup_holds_a_current_or_replaced_secret(
    store: Store, tmp_path: Path
) -> None:
    play(store)
    for number in range(50):
        replaced = store.keep_secret(f"{HASH} {number} replaced")
        store.keep_secret(f"{HASH} {number} in use")
        store.drop_secret(replaced)

    report = backup_journal(store, tmp_path / "backup.db")

    assert report.is_clean
    assert HASH.encode() not in (tmp_path / "backup.db").read_bytes()
    with SqliteStore(tmp_path / "backup.db") as backup:
        assert everything(backup) == everything(store)


def test_a_dropped_secret_leaves_nothing_in_the_file(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        for number in range(50):
            store.drop_secret(store.keep_secret(f"{HASH} {number}"))

    assert HASH.encode() not in Path(sqlite_url.removeprefix("sqlite:///")).read_bytes()


def test_a_journal_without_its_secrets_is_refused(store_url: str) -> None:
    open_store(store_url).close()
    run_sql(store_url, "DROP TABLE secrets")

    with pytest.raises(NotAJournal, match=r"damaged: it has no .*secrets"):
        open_store(store_url)


def test_a_closed_store_keeps_and_drops_nothing(store: Store) -> None:
    key = store.keep_secret(HASH)
    store.close()

    with pytest.raises(JournalFailed, match="the journal can't be written: "):
        store.keep_secret("another")
    with pytest.raises(JournalFailed, match="the journal can't be written: "):
        store.drop_secret(key)
    with pytest.raises(JournalFailed, match="the journal can't be read: "):
        store.secret(key)
