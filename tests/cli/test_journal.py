"""`croupier journal`: what people and programs get, and what is refused."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import StaffDefined
from croupier.journal.events.plan import StaffPlan
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import TABLES
from tests.cli.running import Ran, run, run_here
from tests.journal import tampering as tamper
from tests.journal.scene import DAY_MS, START_MS, Clock, Driver, play
from tests.journal.stores import postgres_server, postgres_url, unguarded
from tests.journal.tampering import content
from tools.docs.pages import DOCS, Example

__all__ = ["postgres_server", "postgres_url"]

PAGE = (DOCS / "journal.md").read_text("utf-8")
SESSION = re.compile(r"^```sh\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
SUBCOMMANDS = (
    *("verify", "key", "keys", "rotate-key", "revoke-key", "checkpoint"),
    *("commit-key", "seal"),
    *("export", "import", "backup", "restore", "grant", "log", "recall"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal to copy."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    with SqliteStore(path) as store:
        play(store)
        record = HouseRecord(store, lambda: START_MS + 90 * DAY_MS)
        record.write(StaffDefined("the test", StaffPlan("Mira")))
    return path


@pytest.fixture
def house(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal of one's own, in the current folder."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(played, tmp_path / "house.db"))


def journal(*args: str | Path) -> Ran:
    return run_here("journal", *args)


def spoil(path: Path, sql: str) -> None:
    connection = unguarded(apsw.Connection(str(path)))
    connection.execute(sql)
    connection.close()


def forget_log(path: Path) -> None:
    with SqliteStore(path) as store, store.all_or_nothing():
        tamper.forget_log(store)


def sentence(ran: Ran) -> str:
    """The one sentence of a command that was refused."""
    assert (ran.code, ran.stdout) == (2, ""), ran
    assert ran.stderr.startswith("croupier: ")
    assert ran.stderr.count("\n") == 1
    return ran.stderr


def test_a_clean_journal_is_told_with_what_was_checked(house: Path) -> None:
    ran = journal("verify", house)

    assert (ran.code, ran.stderr) == (0, "")
    assert re.match(r"clean: 3 streams, \d+ events, \d+ entries, ", ran.stdout)
    assert "\nnot proven:\n- Without a checkpoint from outside: " in ran.stdout


def test_a_program_gets_json(house: Path) -> None:
    told = journal("verify", house, "--json").json()

    assert (told["clean"], told["findings"], told["more_findings"]) == (True, [], 0)
    assert told["checked"].keys() == TABLES.keys()
    assert re.fullmatch(r"[0-9a-f]{64}", told["house_head"])
    assert len(told["unproven"]) == 4


def test_findings_are_listed_and_the_exit_status_is_one(house: Path) -> None:
    spoil(house, "UPDATE balances SET cents = cents + 1 WHERE account = 'cash'")
    spoil(house, "UPDATE events SET at_ms = 5 WHERE stream = 't2' AND sequence = 7")

    ran = journal("verify", house)
    told = journal("verify", house, "--json")

    assert (ran.code, told.code) == (1, 1)
    assert "events t2 7: its hash does not follow from what is stored\n" in ran.stdout
    assert "\n3 findings: " in ran.stdout
    assert json.loads(told.stdout)["findings"][1] == {
        "table": "events",
        "stream": "t2",
        "sequence": 7,
        "problem": "its hash does not follow from what is stored",
    }


def test_a_process_of_its_own_ends_with_the_same_status(house: Path) -> None:
    clean = run("journal", "verify", house)
    spoil(house, "DELETE FROM vouchers")
    spoiled = run("journal", "verify", house)

    assert (clean.code, spoiled.code) == (0, 1)


def test_a_checkpoint_kept_elsewhere_finds_a_journal_put_back(house: Path) -> None:
    """The whole file of yesterday is put in place of today's."""
    journal("key", "house.key")
    yesterday = shutil.copy(house, "yesterday.db")
    with SqliteStore(house) as store:
        Driver(store, "t1", Clock(), asked=1_000).round("17")
    journal("checkpoint", house, "--key", "house.key", "--output", "today.checkpoint")
    kept = ("--checkpoint", "today.checkpoint")

    honest = journal("verify", house, *kept)
    alone = journal("verify", yesterday)
    told = journal("verify", yesterday, *kept)

    assert (honest.code, alone.code, told.code) == (0, 0, 1)
    assert "entries, and the log has" in told.stdout


def test_a_public_key_tells_who_signed(house: Path) -> None:
    for name in ("house.key", "other.key"):
        journal("key", name)
    forget_log(house)
    journal("checkpoint", house, "--key", "house.key")
    signed = journal("checkpoint", house, "--key", "other.key").stdout
    Path("other.checkpoint").write_text(signed)
    ours, both = ("--public-key", "house.key.pub"), ("--public-key", "other.key.pub")

    one = journal("verify", house, *ours)
    two = journal("verify", house, *ours, *both)

    assert (one.code, two.code) == (1, 0)
    assert "checkpoints 2: it was signed with another key" in one.stdout
    assert "another key" in sentence(
        journal("verify", house, *ours, "--checkpoint", "other.checkpoint")
    )


def test_an_export_is_imported_again(house: Path) -> None:
    exported = journal("export", house, "-o", "out.jsonl")
    imported = journal("import", "out.jsonl", "copy.db")

    assert (exported.code, exported.stderr) == (0, "wrote out.jsonl\n")
    assert imported.code == 0
    assert re.fullmatch(r"imported 3 streams, .*; it is clean\n", imported.stdout)
    with SqliteStore(house) as one, SqliteStore("copy.db") as two:
        assert content(one) == content(two)


def test_a_folder_of_parquet_files_is_not_imported(house: Path) -> None:
    assert journal("export", house, "-o", "out").code == 0

    assert "out: Is a directory" in sentence(journal("import", "out", "copy.db"))
    assert not Path("copy.db").exists()


def test_a_backup_is_restored(house: Path) -> None:
    backup = journal("backup", house, "backup.db")
    restored = journal("restore", "backup.db", "new.db")

    assert (backup.code, backup.stderr) == (0, "wrote backup.db\n")
    assert backup.stdout.startswith("clean: 3 streams, ")
    assert re.fullmatch(r"restored 3 streams, .*; it is clean\n", restored.stdout)
    assert sorted(path.name for path in Path().iterdir()) == [
        "backup.db",
        "house.db",
        "new.db",
    ]


def test_a_tampered_journal_is_backed_up_and_told(house: Path) -> None:
    spoil(house, "DELETE FROM answers WHERE first = 3")

    ran = journal("backup", house, "backup.db")

    assert ran.code == 1
    assert "answers" in ran.stdout
    assert "there already" in sentence(journal("backup", house, "backup.db"))


def test_every_command_takes_a_postgresql_database(
    house: Path, postgres_url: str
) -> None:
    journal("key", "house.key")
    steps: list[tuple[str | Path, ...]] = [
        ("export", house, "-o", "house.jsonl"),
        ("import", "house.jsonl", postgres_url),
        ("checkpoint", postgres_url, "--key", "house.key", "--output", "a.checkpoint"),
        ("verify", postgres_url, "--checkpoint", "a.checkpoint"),
        ("backup", postgres_url, "backup.db"),
        ("export", postgres_url, "-o", "again"),
        ("restore", "backup.db", "new.db"),
    ]

    ran = [journal(*step) for step in steps]

    assert [each.code for each in ran] == [0] * len(steps), ran
    with open_store(postgres_url) as one, SqliteStore("new.db") as two:
        assert content(one) == content(two)


def _sessions() -> Iterator[tuple[str, str]]:
    """The commands of the page, in order, each with what it prints."""
    for block in SESSION.finditer(PAGE):
        for part in re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def test_the_examples_of_the_page_print_what_it_shows(house: Path) -> None:
    """Run them one after the other in one folder."""
    for command, output in _sessions():
        if command.startswith("sqlite3 "):
            _, file, *_, sql = shlex.split(command)
            spoil(Path(file), sql)
            continue
        program, *args = shlex.split(command)
        ran = run_here(*args)

        shown = Example("journal.md", command, output).pattern
        assert program == "croupier"
        assert shown.fullmatch(ran.stdout + ran.stderr), (command, ran)
        assert ran.code in ({2} if {"grant", "seal"} & set(args) else {0, 1})


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_command_has_an_example_and_help(name: str) -> None:
    ran = journal(name, "--help")

    assert f"Example: croupier journal {name} " in " ".join(ran.stdout.split())
    assert any(f"croupier journal {name} " in command for command, _ in _sessions())


def test_a_key_is_rotated_and_revoked_and_the_house_keeps_to_it(house: Path) -> None:
    for name in ("first.key", "second.key"):
        journal("key", name)
    forget_log(house)
    by = ("--by", "Mira")
    first = [*("--key", "first.key"), *by]
    assert journal("keys", house).stdout == "the house has recorded no key yet\n"

    rotated = journal("rotate-key", house, "--new", "second.key", *first)
    listed = json.loads(journal("keys", house, "--json").stdout)["keys"]
    ids = [each["id"] for each in listed]
    second = [*("--key", "second.key"), *by]
    revoked = journal("revoke-key", house, "first.key.pub", "--why", "lost", *second)

    assert rotated.stdout == f"the log is signed with {ids[1]} from now on\n"
    assert [each["state"] for each in listed] == ["replaced", "in use"]
    assert f"{ids[0]} is revoked" in revoked.stdout
    assert "revoked   " in journal("keys", house).stdout
    assert "is revoked" in sentence(journal("checkpoint", house, "--key", "first.key"))
    assert journal("checkpoint", house, "--key", "second.key").code == 0
    verified = journal("verify", house, "--public-key", "first.key.pub")
    assert verified.code == 0, verified.stdout
    assert f"checkpoints signed with: {ids[0]} (1, revoked), {ids[1]} (3, in use)" in (
        verified.stdout
    )
    assert "not on the staff" in sentence(
        journal("revoke-key", house, ids[1], "--why", "x", "--by", "Nobody")
    )
