"""The page that checks a receipt: a file in a real browser without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Page, expect

from croupier.audit.receipt_page import page_policy, receipt_page
from croupier.journal.log.notes import (
    Checkpoint,
    Note,
    cosign,
    log_key,
    sign_note,
    witness_key,
)
from croupier.journal.log.publishing import origin_of, publish
from croupier.journal.log.receipts import LogProof, Receipt, make_receipt, read_receipt
from croupier.journal.store import Store
from tests.audit.floor import play
from tests.audit.receipts import KEY, WITNESS, WITNESS_NAME, seats_with_receipts
from tests.robustness.stores import MemoryStore

STRANGE = Ed25519PrivateKey.from_private_bytes(bytes([7] * 32))


@pytest.fixture(scope="module")
def house() -> Iterator[Store]:
    with closing(MemoryStore()) as store:
        play(store)
        text = Note.read(publish(store, KEY, 1, "")).text
        line = cosign(text, WITNESS_NAME, WITNESS, 1_700_000_000)
        store.add_cosignature(1, line.name, line.line)
        yield store


@pytest.fixture
def page(browser: Browser, house: Store, tmp_path: Path) -> Iterator[Page]:
    keys = [
        log_key(origin_of(house, ""), KEY.public_key()),
        witness_key(WITNESS_NAME, WITNESS.public_key()),
    ]
    file = tmp_path / "verify.html"
    file.write_text(receipt_page(keys), "utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    yield page
    context.close()


def _check(page: Page, receipt: Receipt, tmp_path: Path) -> list[str]:
    """Choose a file; return the names of the checks that fail."""
    file = tmp_path / f"{len(list(tmp_path.iterdir()))}.receipt"
    file.write_text(receipt.text, "utf-8")
    page.evaluate("document.getElementById('checks').replaceChildren()")
    page.set_input_files("#file", file)
    expect(page.locator("#checks li")).to_have_count(5)
    return page.locator("#checks li.fails h2").all_inner_texts()


def _changed(receipt: Receipt, **fields: Any) -> Receipt:
    return read_receipt(json.dumps({**json.loads(receipt.text), **fields}))


def test_receipts_of_all_games_hold(page: Page, house: Store, tmp_path: Path) -> None:
    for each in seats_with_receipts(house):
        receipt = make_receipt(house, *each)

        assert _check(page, receipt, tmp_path) == [], each
        assert page.locator("#verdict h1").inner_text() == (
            "The round was settled as the rules say"
        )


def test_each_check_notices_what_it_is_for(
    page: Page, house: Store, tmp_path: Path
) -> None:
    receipt = make_receipt(house, *seats_with_receipts(house)[0])
    proof = LogProof.read(receipt.proof)
    ours, witness = proof.note.signatures
    origin = Checkpoint.read(proof.note.text).origin
    forged = sign_note(proof.note.text, origin, STRANGE)
    seat = json.loads(json.dumps(receipt.seat))
    seat["wagers"][0]["pieces"][0]["paid_cents"] += 100

    def told(**fields: Any) -> list[str]:
        return _check(page, _changed(receipt, **fields), tmp_path)

    assert told(proof=receipt.proof.replace(ours.line, forged.line)) == ["Signature"]
    assert told(proof=receipt.proof.replace(f"{witness.line}\n", "")) == ["Witnesses"]
    assert told(entry=receipt.entry.replace('"at_ms":1', '"at_ms":2')) == ["Log"]
    assert told(salt="00" * 32) == ["Wagers"]
    assert told(seat=seat) == ["Wagers", "Settlement"]
    assert page.locator("#verdict h1").inner_text() == "This receipt does not agree"


def test_what_is_no_receipt_is_said_in_a_sentence(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "none.receipt"
    file.write_text("{}")

    page.set_input_files("#file", file)

    expect(page.locator("#verdict h1")).to_have_text("This can't be checked")


def test_the_policy_lets_nothing_else_run() -> None:
    policy = page_policy(receipt_page())

    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
