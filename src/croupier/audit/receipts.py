"""The check of a receipt: five questions, answered separately.

It needs the house's key, the witnesses' keys and the rules, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any

from croupier.games import UnknownGame, game_of_document
from croupier.games.digest import game_digest
from croupier.journal.log.notes import BadNote, VerifierKey
from croupier.journal.log.receipts import (
    BadReceipt,
    LoggedEntry,
    LogProof,
    Receipt,
    commitment_of,
    seats_path,
)
from croupier.journal.log.tree import BadProof, included_root, leaf_hash
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.wheel import Number


@unique
class ReceiptCheck(Enum):
    """The five questions about a receipt."""

    SIGNATURE = "the house has signed the checkpoint"
    INCLUSION = "the round is in the signed log"
    WITNESSES = "witnesses have signed the checkpoint too"
    SEAT = "the round stands by this seat's wagers"
    SETTLEMENT = "the settlement follows from the rules"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The answer to one question; `problem` is empty if it passed."""

    check: ReceiptCheck
    problem: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


class _Failed(Exception):
    """A check has failed; the text says why."""


def check_receipt(
    receipt: Receipt,
    keys: Sequence[VerifierKey],
    witnesses: Sequence[VerifierKey] = (),
    quorum: int | None = None,
) -> list[CheckResult]:
    """Return the result of each check, in order.

    `quorum` is the number of witnesses that must have signed; None: all.
    """
    needed = len(witnesses) if quorum is None else quorum
    logged = (LoggedEntry(entry=receipt.entry, proof=receipt.proof), *receipt.corrects)
    checks: dict[ReceiptCheck, Callable[[], None]] = {
        ReceiptCheck.SIGNATURE: lambda: _check_signature(logged, keys),
        ReceiptCheck.INCLUSION: lambda: _check_inclusion(receipt, logged),
        ReceiptCheck.WITNESSES: lambda: _check_witnesses(logged, witnesses, needed),
        ReceiptCheck.SEAT: lambda: _check_seat(receipt),
        ReceiptCheck.SETTLEMENT: lambda: _check_settlement(receipt),
    }
    results = []
    for check, ask in checks.items():
        try:
            ask()
        except (_Failed, BadNote, BadProof, BadReceipt) as error:
            results.append(CheckResult(check, str(error)))
        else:
            results.append(CheckResult(check))
    return results


def _check_signature(
    logged: Sequence[LoggedEntry], keys: Sequence[VerifierKey]
) -> None:
    for each in logged:
        note = LogProof.read(each.proof).note
        origin = note.checkpoint.origin
        if not any(key.name == origin and key.has_signed(note) for key in keys):
            raise _Failed(f"no key of {origin} that you trust has signed it")


def _check_inclusion(receipt: Receipt, logged: Sequence[LoggedEntry]) -> None:
    for each in logged:
        proof = LogProof.read(each.proof)
        checkpoint = proof.note.checkpoint
        leaf = leaf_hash(each.entry.encode())
        if checkpoint.root != included_root(
            leaf, proof.number, checkpoint.size, proof.path
        ):
            raise _Failed("the path does not lead from the round to the root")
    corrected = receipt.round.get("kind") == "correction"
    if corrected is not bool(receipt.corrects):
        raise _Failed("the earlier entry of a corrected round is missing")


def _check_witnesses(
    logged: Sequence[LoggedEntry], witnesses: Sequence[VerifierKey], needed: int
) -> None:
    for each in logged:
        note = LogProof.read(each.proof).note
        count = sum(witness.has_signed(note) for witness in witnesses)
        if count < needed:
            raise _Failed(f"{count} of {needed} witnesses have signed it")


def _check_seat(receipt: Receipt) -> None:
    entry = receipt.round
    names = ("table", "round", "sequence")
    if any(entry.get(name) != receipt.seat.get(name) for name in names):
        raise _Failed("the wagers are of another round")
    count = entry.get("seat_count")
    if not isinstance(count, int):
        raise _Failed("the round does not say how many seats it had")
    leaf = leaf_hash(commitment_of(receipt))
    root = included_root(leaf, receipt.place, count, seats_path(receipt))
    if root.hex() != entry.get("seats"):
        raise _Failed("the wagers are not those that the round was settled with")


def _check_settlement(receipt: Receipt) -> None:
    """Settle again, from the rules and the outcome."""
    entry = receipt.round
    try:
        game = game_of_document(str(entry.get("document")))
    except UnknownGame as error:
        raise _Failed(f"the rules are not installed: {error}") from error
    if entry.get("rules") != game_digest(game):
        raise _Failed("the round was judged by other rules than those installed")
    wins: dict[str, int] | None = None
    if entry.get("status") != "void":
        bonus = frozenset(map(Number, entry.get("bonus", ())))
        outcome = Outcome(Number(str(entry.get("outcome"))), bonus)
        if not {outcome.winning_number, *bonus} <= set(game.numbers):
            raise _Failed("the outcome is no compartment of the wheel")
        wins = dict(winning_areas(game, outcome))
    try:
        for wager in receipt.seat["wagers"]:
            for piece in wager["pieces"]:
                _check_piece(piece, wins, game.area_by_name)
    except (KeyError, TypeError) as error:
        raise _Failed(f"the wagers lack {error}") from error


def _check_piece(
    piece: dict[str, Any], wins: dict[str, int] | None, areas: Mapping[str, object]
) -> None:
    area, stake, at_risk = piece["area"], piece["stake_cents"], piece["at_risk_cents"]
    paid, collected = piece["paid_cents"], piece["collected_cents"]
    if area not in areas:
        raise _Failed(f"the game has no area {area}")
    if wins is None:
        should = (0, 0)
    elif area in wins:
        should = (at_risk * wins[area], 0)
    else:
        should = (0, at_risk)
    if (paid, collected) != should:
        raise _Failed(
            f"{area} should pay {should[0]} and collect {should[1]} cents, not {paid}"
            f" and {collected}"
        )
    returned = piece["returned_cents"]
    is_whole = stake == collected + returned
    if not is_whole or not 0 <= at_risk <= stake:
        raise _Failed(f"the stake on {area} does not add up")
