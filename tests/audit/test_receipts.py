"""Receipts of every kind of round, and receipts that were altered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.audit.receipts import ReceiptCheck, check_receipt
from croupier.journal.log.entries import canonical
from croupier.journal.log.notes import (
    Checkpoint,
    VerifierKey,
    cosign,
    log_key,
    sign_note,
    witness_key,
)
from croupier.journal.log.publishing import origin_of, publish
from croupier.journal.log.receipts import (
    LogProof,
    NoReceipt,
    Receipt,
    make_receipt,
    read_receipt,
)
from croupier.journal.store import Store
from tests.audit.floor import play, play_transcript
from tests.audit.receipts import (
    KEY,
    WITNESS,
    WITNESS_NAME,
    seats_settled,
    seats_with_receipts,
)
from tests.expectations import TRANSCRIPTS as FOLDER
from tests.journal.scene import Clock
from tests.robustness.stores import MemoryStore

TRANSCRIPTS = sorted(FOLDER.glob("*/*.txt"))


@pytest.fixture(scope="module")
def house() -> Iterator[Store]:
    """The log of a house with rounds of all games, signed and witnessed."""
    with closing(MemoryStore()) as store:
        play(store)
        publish(store, KEY, 1, "")
        number, whole = store.last_checkpoint() or (0, "")
        text = whole.partition("\n\n")[0] + "\n"
        line = cosign(text, WITNESS_NAME, WITNESS, 1_700_000_000)
        store.add_cosignature(number, line.name, line.line)
        yield store


def _key(store: Store) -> VerifierKey:
    return log_key(origin_of(store, ""), KEY.public_key())


def _failed(store: Store, receipt: Receipt) -> set[ReceiptCheck]:
    witnesses = [witness_key(WITNESS_NAME, WITNESS.public_key())]
    results = check_receipt(receipt, [_key(store)], witnesses)
    return {each.check for each in results if not each.passed}


def test_a_receipt_of_each_seat_in_each_round_passes_every_check(house: Store) -> None:
    checked = 0
    for table, number, seat in set(seats_settled(house)):
        receipt = read_receipt(make_receipt(house, table, number, seat).text)

        assert _failed(house, receipt) == set()
        checked += 1
    assert checked > 20


@pytest.mark.parametrize("game", sorted({path.parent.name for path in TRANSCRIPTS}))
def test_every_kind_of_round_of_a_game_has_receipts(game: str) -> None:
    statuses: set[tuple[str, str]] = set()
    with closing(MemoryStore()) as store:
        clock = Clock()
        for path in (each for each in TRANSCRIPTS if each.parent.name == game):
            play_transcript(store, path.stem, path, clock)
        publish(store, KEY, 1, "")
        for table, number, seat in seats_with_receipts(store):
            receipt = make_receipt(store, table, number, seat)
            results = check_receipt(receipt, [_key(store)])

            assert all(each.passed for each in results), (table, number, results)
            entry = receipt.round
            statuses.add((entry["kind"], entry["status"]))
    assert statuses >= {("round", "settled"), ("round", "void")}


def test_a_corrected_round_shows_both_entries(house: Store) -> None:
    receipts = [make_receipt(house, *each) for each in set(seats_settled(house))]
    corrected = [each for each in receipts if each.corrects]

    assert corrected
    for each in corrected:
        assert each.round["kind"] == "correction"
        earlier = json.loads(each.corrects[-1].entry)
        assert each.round["corrects"] == earlier["sequence"]
        without = msgspec.structs.replace(each, corrects=())
        assert _failed(house, without) == {ReceiptCheck.INCLUSION}


def test_nothing_of_another_seat_is_in_a_receipt(house: Store) -> None:
    for table, number, seat in set(seats_settled(house)):
        others = {
            s for t, n, s in seats_settled(house) if (t, n) == (table, number)
        } - {seat}
        text = make_receipt(house, table, number, seat).text

        assert not any(f'"{other}"' in text for other in others)


def test_a_round_that_is_not_signed_yet_has_no_receipt(house: Store) -> None:
    table, number, _ = next(seats_settled(house))

    with pytest.raises(NoReceipt, match="had no wager"):
        make_receipt(house, table, number, "Nemo")
    with pytest.raises(NoReceipt, match="has not settled"):
        make_receipt(house, table, 999, "Anna")
    with closing(MemoryStore()) as store:
        play(store)
        with pytest.raises(NoReceipt, match="not in the signed log yet"):
            make_receipt(store, table, number, "Anna")


def test_a_signature_of_another_key_is_noticed(house: Store) -> None:
    receipt = make_receipt(house, *next(seats_settled(house)))
    proof = LogProof.read(receipt.proof)
    origin = Checkpoint.read(proof.note.text).origin
    line = sign_note(proof.note.text, origin, WITNESS)
    forged = msgspec.structs.replace(
        receipt,
        proof=receipt.proof.replace(proof.note.signatures[0].line, line.line),
    )

    assert _failed(house, forged) == {ReceiptCheck.SIGNATURE}


def test_a_missing_witness_is_noticed(house: Store) -> None:
    receipt = make_receipt(house, *next(seats_settled(house)))
    proof = LogProof.read(receipt.proof)
    [_, line] = proof.note.signatures
    alone = msgspec.structs.replace(
        receipt, proof=receipt.proof.replace(f"{line.line}\n", "")
    )

    assert _failed(house, alone) == {ReceiptCheck.WITNESSES}


def _in_proof(receipt: Receipt, random: Random) -> tuple[Receipt, set[ReceiptCheck]]:
    lines = receipt.proof.split("\n")
    place = random.choice([n for n, line in enumerate(lines) if _is_hash(line)])
    lines[place] = _other(lines[place], random)
    changed = msgspec.structs.replace(receipt, proof="\n".join(lines))
    in_text = place > lines.index("")
    check = ReceiptCheck.SIGNATURE if in_text else ReceiptCheck.INCLUSION
    return changed, {check}


def _is_hash(line: str) -> bool:
    return len(line) == 44 and line.endswith("=")


def _other(text: str, random: Random) -> str:
    place = random.randrange(len(text) - 2)
    letter = "A" if text[place] != "A" else "B"
    return text[:place] + letter + text[place + 1 :]


def _in_entry(receipt: Receipt, random: Random) -> tuple[Receipt, set[ReceiptCheck]]:
    entry = dict(receipt.round)
    name = random.choice(["at_ms", "round", "seat_count", "sequence"])
    entry[name] += random.choice([1, 2, 1_000])
    return msgspec.structs.replace(receipt, entry=canonical(entry)), {
        ReceiptCheck.INCLUSION
    }


def _in_seat(receipt: Receipt, random: Random) -> tuple[Receipt, set[ReceiptCheck]]:
    seat: dict[str, Any] = json.loads(json.dumps(receipt.seat))
    piece = random.choice(random.choice(seat["wagers"])["pieces"])
    piece[random.choice([name for name in piece if name.endswith("_cents")])] += 100
    return msgspec.structs.replace(receipt, seat=seat), {ReceiptCheck.SEAT}


def _in_salt(receipt: Receipt, random: Random) -> tuple[Receipt, set[ReceiptCheck]]:
    salt = bytearray.fromhex(receipt.salt)
    salt[random.randrange(len(salt))] ^= 1 << random.randrange(8)
    return msgspec.structs.replace(receipt, salt=salt.hex()), {ReceiptCheck.SEAT}


def _in_path(receipt: Receipt, random: Random) -> tuple[Receipt, set[ReceiptCheck]]:
    path = [*receipt.path, "A" * 43 + "="]
    place = random.randrange(len(path))
    path[place] = _other(path[place], random)
    return msgspec.structs.replace(receipt, path=tuple(path)), {ReceiptCheck.SEAT}


def test_a_thousand_altered_receipts_fail_the_check_that_should_notice(
    house: Store,
) -> None:
    random = Random(2026)
    receipts = [make_receipt(house, *each) for each in seats_with_receipts(house)]
    ways: list[Callable[[Receipt, Random], tuple[Receipt, set[ReceiptCheck]]]]
    ways = [_in_proof, _in_entry, _in_seat, _in_salt, _in_path]

    for number in range(1_000):
        receipt, expected = ways[number % 5](random.choice(receipts), random)
        failed = _failed(house, receipt)

        assert failed & expected, (number, receipt.text)


def test_a_house_that_signs_a_wrong_settlement_is_noticed(house: Store) -> None:
    """All hashes are the house's own; only the rules give it away."""
    receipt = make_receipt(house, *next(seats_settled(house)))
    seat: dict[str, Any] = json.loads(json.dumps(receipt.seat))
    piece = seat["wagers"][0]["pieces"][0]
    piece["paid_cents"] += 100

    failed = _failed(house, msgspec.structs.replace(receipt, seat=seat))

    assert ReceiptCheck.SETTLEMENT in failed


def test_a_round_judged_by_other_rules_is_not_settled_by_those_installed(
    house: Store,
) -> None:
    receipt = make_receipt(house, *next(seats_settled(house)))
    entry = {**receipt.round, "rules": "0" * 64}

    failed = _failed(house, msgspec.structs.replace(receipt, entry=canonical(entry)))

    assert ReceiptCheck.SETTLEMENT in failed
    assert ReceiptCheck.SETTLEMENT not in _failed(house, receipt)
