"""`croupier audit`: what people and programs get, and what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.journal.findings import FindingKind
from croupier.journal.log.publishing import publish
from croupier.journal.signing_keys import make_key, public_pem, read_private_key
from croupier.journal.stores.sqlite import SqliteStore
from tests.audit.floor import play
from tests.audit.journal.faults import FAULTS
from tests.audit.journal.forging import Forgery
from tests.cli.running import ROOT, Ran, run, run_here
from tools.docs.pages import DOCS, files_of

PAGE = (DOCS / "audit.md").read_text("utf-8")
SAMPLE = ROOT / "samples" / "house.jsonl"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path_factory.mktemp("played") / "house.db") as store:
        play(store)
        yield store


@pytest.fixture
def forged(played: SqliteStore, tmp_path: Path) -> Path:
    """A journal with one correction by one person, and one wager by other terms."""
    forgery = Forgery(played)
    FAULTS["correction_by_one"](forgery)
    FAULTS["terms_digest"](forgery)
    return forgery.write(tmp_path / "forged.db")


def audit(*args: str | Path) -> Ran:
    return run_here("audit", *args)


def test_a_clean_journal_is_told_in_a_few_lines() -> None:
    ran = audit(SAMPLE)

    first, second, *rest = ran.stdout.splitlines()
    assert (ran.code, ran.stderr) == (0, "")
    assert first == f"{SAMPLE}: clean"
    assert second.startswith("looked at: 5 tables, ")
    assert "53 wagers" in second
    assert rest[0].startswith("house head: ")
    assert rest[1] == "not proven:"


def test_findings_are_told_by_kind_and_the_exit_status_is_1(forged: Path) -> None:
    ran = audit(forged)

    assert (ran.code, ran.stderr) == (1, "")
    assert ran.stdout.startswith(f"{forged}: 2 findings of 2 kinds\n")
    assert "\nterms (1): limits or settings are not those in force\n" in ran.stdout
    assert "\ncorrection (1): a correction was not made as" in ran.stdout
    assert " round 5: it was not made by two people who may\n" in ran.stdout


def test_a_wrong_payment_is_told_with_its_cents(
    played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    FAULTS["pays_36"](forgery)

    ran = audit(forgery.write(tmp_path / "forged.db"))

    assert "\nsettlement (1): the amounts paid" in ran.stdout
    assert "wager w1: straight_up:17: paid 360.00, not 350.00\n" in ran.stdout
    assert "\nbalance (2): " in ran.stdout


def test_json_holds_the_same_whole(forged: Path) -> None:
    ran = audit(forged, "--json")

    told = json.loads(ran.stdout)
    assert ran.code == 1
    assert told["clean"] is False
    assert told["counts"] == {"terms": 1, "correction": 1}
    terms, correction = told["findings"]
    assert (terms["stream"], terms["round"]) == ("v3", 1)
    assert (correction["kind"], correction["round"]) == ("correction", 5)
    assert correction["expected_cents"] is None
    assert told["looked_at"]["tables"] == 5
    assert len(told["unproven"]) == 4


def test_every_finding_is_written_to_a_table(forged: Path, tmp_path: Path) -> None:
    path = tmp_path / "findings.csv"

    ran = audit(forged, "--findings", path)

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (ran.code, ran.stderr) == (1, f"wrote {path}\n")
    assert [row["kind"] for row in rows] == ["terms", "correction"]
    assert [row["stream"] for row in rows] == ["v3", "v3"]


def test_a_checkpoint_from_outside_and_its_key_are_held_against_the_journal(
    forged: Path, tmp_path: Path
) -> None:
    make_key(tmp_path / "house.key")
    key = read_private_key(tmp_path / "house.key")
    public = tmp_path / "house.key.pub"
    public.write_text(public_pem(key.public_key()), "utf-8")
    with SqliteStore(forged) as store:
        signed = publish(store, key, 1_800_000_000_000, "")
    (tmp_path / "a.checkpoint").write_text(signed, "utf-8")

    kept = ("--checkpoint", tmp_path / "a.checkpoint")
    ran = audit(forged, *kept, "--public-key", public)
    other = audit(SAMPLE, *kept)

    assert "Without a checkpoint" not in ran.stdout
    assert "journal_" not in ran.stdout
    assert other.code == 1
    assert "journal_" in other.stdout


def test_several_sources_are_audited_one_after_the_other(forged: Path) -> None:
    ran = audit(SAMPLE, forged, "--json")

    clean, dirty = map(json.loads, ran.stdout.splitlines())
    assert ran.code == 1
    assert (clean["clean"], dirty["clean"]) == (True, False)
    assert (clean["source"], dirty["source"]) == (str(SAMPLE), str(forged))


def test_workers_of_their_own_processes_give_the_same_text(forged: Path) -> None:
    alone = audit(forged)

    together = run("audit", forged, "--workers", "2")

    assert together == alone


def test_the_page_s_table_paid_in_full_is_told_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = files_of(DOCS / "audit.md")["wagers.csv"]
    more = text.replace("3000,17,1000,0,3000", "3000,17,3000,0,3000")
    (tmp_path / "paid-in-full.csv").write_text(more, "utf-8")
    monkeypatch.chdir(tmp_path)
    command, _, shown = PAGE.partition("$ croupier audit paid-in-full.csv")[
        2
    ].partition("\n")

    ran = audit("paid-in-full.csv", "--game", "mbs-roulette-v3", "--limits", "* 5 100")

    assert command == " --game mbs-roulette-v3 --limits '* 5 100'"
    assert ran.code == 1
    assert shown.startswith(ran.stdout)


def test_the_page_lists_every_kind_of_finding() -> None:
    for kind in FindingKind:
        assert f"| `{kind.code}` | {kind.value} |\n" in PAGE
