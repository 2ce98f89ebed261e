"""Whose money a correction is (A37): the audit's own books of stays and claims."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.journal.auditor import AuditReport, audit_journal
from croupier.journal.findings import FindingKind
from croupier.journal.stores.sqlite import SqliteStore
from croupier.ledger import accounts, money, posting
from croupier.ledger.commands import Adjust, BuyIn, CashOut, EndStay, PayClaim
from croupier.rules.commands import PlaceWager
from croupier.rules.events import WagerPlaced
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from tests.audit.floor import DEALER, SUPERVISOR, Seated
from tests.audit.journal.forging import Forgery, Item
from tests.audit.journal.reported import told
from tests.journal.scene import Clock

Patch = pytest.MonkeyPatch


def play_stays(store: SqliteStore) -> None:
    """Somebody wins and leaves, a stranger comes, and the round is corrected."""
    table = Seated(store, "t1", "rws-triple-zero", Clock(), terminals={"T1"})
    table.done(BuyIn("T1", 1_000))
    _round(table, "17", "17")
    table.done(CashOut("T1", 36_000))
    table.done(BuyIn("T1", 50_000))
    _round(table, "5", "red")
    table.say("Dealer + Pit Supervisor: correct round 1 to 18")
    _round(table, "8", "8")
    table.done(CashOut("T1", 1_000))
    table.done(Adjust("T1", 250, "counted twice"), DEALER, SUPERVISOR)
    table.say("Dealer + Pit Supervisor: correct round 3 to 9")
    table.done(EndStay("T1"))
    table.answer(PayClaim("1@T1", 100))
    _owe_and_return(table)


def _owe_and_return(table: Seated) -> None:
    """A known Player wins, leaves, owes after a correction, and comes back."""
    table.done(BuyIn("Anna", 1_000))
    _round(table, "17", "17", "Anna")
    table.answer(CashOut("Anna", 36_000))
    table.say("Dealer + Pit Supervisor: correct round 4 to 18")
    table.done(BuyIn("Anna", 50_000))
    table.answer(CashOut("Anna", 50_000))


def _round(table: Seated, number: str, area: str, seat: str = "T1") -> None:
    wager = PlaceWager(
        "w1", seat, read_wager(area), 1_000, electronic=True, terminal="T1"
    )
    table.say("Dealer: place your bets")
    table.done(wager, Person(seat, Role.PLAYER))
    table.say("Dealer: spin", "Dealer: no more bets")
    table.say(f"Dealer: outcome {number}", "Dealer: settle")


def _audited(
    path: Path, plant: Callable[[Forgery], Item] | None = None
) -> tuple[AuditReport, Item | None]:
    with SqliteStore(path / "house.db") as store:
        play_stays(store)
        forgery = Forgery(store)
        item = None if plant is None else plant(forgery)
        return audit_journal(str(forgery.write(path / "forged.db"))), item


def test_stays_claims_and_corrections_are_clean(tmp_path: Path) -> None:
    report, _ = _audited(tmp_path)

    assert report.findings == (), told(report)
    assert report.looked_at["rounds"] == 4


def charges_the_seat(patch: Patch) -> None:
    """A correction takes from whoever sits there now."""
    patch.setattr(posting, "_source", lambda wager, _: accounts.seat(wager.player))


def charges_the_stranger_s_claim(patch: Patch) -> None:
    """What a stay owes is set off against the next stay's winnings."""
    patch.setattr(posting, "_debtor", lambda *_: accounts.claim("1@T1"))


@pytest.mark.parametrize("bug", [charges_the_seat, charges_the_stranger_s_claim])
def test_a_stranger_who_is_charged_is_found(
    bug: Callable[[Patch], None], monkeypatch: Patch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        bug(patch)
        report, _ = _audited(tmp_path)

    assert FindingKind.ENTRIES in report.counts, told(report)


def _two_dealers(f: Forgery) -> Item:
    other = Person("Other Dealer", Role.DEALER)
    return f.one("t1", money.Adjusted).change(authoriser=other)


def _stay_called_again(f: Forgery) -> Item:
    return f.all("t1", money.StayBegun)[1].change(stay=1)


def _another_stay_ended(f: Forgery) -> Item:
    return f.all("t1", money.StayEnded)[-1].change(stay=1)


def _wager_of_the_stay_before(f: Forgery) -> Item:
    return f.one("t1", WagerPlaced, 2).change(stay=1)


def _claim_overpaid(f: Forgery) -> Item:
    return f.one("t1", money.ClaimPaid).change(cents=99_999)


def _set_off_for_another(f: Forgery) -> Item:
    paid = f.all("t1", money.CashedOut)[1]
    return f.insert(paid, money.ClaimSetOff(DEALER, "T1", "1@T1", 10))


def _stay_never_begun(f: Forgery) -> Item:
    f.drop(f.all("t1", money.StayBegun)[1])
    return f.all("t1", money.BoughtIn)[1]


def _paid_out_before_the_claim(f: Forgery) -> Item:
    f.drop(f.all("t1", money.ClaimSetOff)[-1])
    return f.all("t1", money.CashedOut)[-1]


FAULTS: tuple[tuple[Callable[[Forgery], Item], FindingKind], ...] = (
    (_two_dealers, FindingKind.POSITION),
    (_stay_called_again, FindingKind.STAY),
    (_another_stay_ended, FindingKind.STAY),
    (_wager_of_the_stay_before, FindingKind.STAY),
    (_claim_overpaid, FindingKind.MONEY),
    (_set_off_for_another, FindingKind.STAY),
    (_stay_never_begun, FindingKind.STAY),
    (_paid_out_before_the_claim, FindingKind.MONEY),
)


def _name(value: Any) -> str:
    return getattr(value, "__name__", "").strip("_")


@pytest.mark.parametrize(("plant", "kind"), FAULTS, ids=_name)
def test_a_fault_about_stays_is_reported_where_it_is(
    plant: Callable[[Forgery], Item], kind: FindingKind, tmp_path: Path
) -> None:
    report, item = _audited(tmp_path, plant)

    assert item is not None
    found = {(each.kind, each.sequence) for each in report.findings}
    assert (kind, item.sequence) in found, told(report)
