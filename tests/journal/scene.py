"""A small house whose journal holds one of everything."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import (
    close_gaming_day,
    expire_vouchers,
    report_lost,
)
from croupier.journal.log.publishing import publish
from croupier.journal.store import Store
from croupier.ledger import money
from croupier.ledger.accounts import claim
from croupier.ledger.commands import (
    Adjust,
    BuyIn,
    CashOut,
    Fill,
    IssueVoucher,
    PayClaim,
    RedeemVoucher,
    TakeCredit,
)
from croupier.rules.commands import (
    AnnounceOutcome,
    CorrectOutcome,
    NoMoreBets,
    PlaceWager,
    PlaceYourBets,
    ReportBallAtRest,
    Settle,
    SpinBall,
)
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table.commands import CloseTable, ConfirmBall, ReportShown, StateBall
from tests.simulation.one_table import ANNA, OneTable
from tests.simulation.seeded import SimulatedClock

DEALER = Person("Dora", Role.DEALER)
SUPERVISOR = Person("Piet", Role.PIT_SUPERVISOR)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
DAY_MS = 86_400_000
START_MS = 1_700_000_000_000


class Clock(SimulatedClock):
    """A clock that advances at each look; a test can add days."""

    def __init__(self) -> None:
        super().__init__(START_MS, tick_ms=7)


class Driver(OneTable):
    """A table of Triple Zero on a shared store."""

    def __init__(
        self,
        store: Store,
        stream: str,
        clock: SimulatedClock,
        *,
        snapshot_every: int = 40,
        asked: int = 0,
    ) -> None:
        super().__init__(
            "rws-triple-zero",
            "* 1 10000",
            stream=stream,
            open_store=lambda: store,
            snapshot_every=snapshot_every,
            clock=clock,
            asked=asked,
            dealer=DEALER,
        )

    def voucher(self, seat: str, cents: int) -> str:
        """Issue a voucher; return its code."""
        answer = self.do(IssueVoucher(seat, cents))
        [issued] = [e for e in answer.events if isinstance(e, money.VoucherIssued)]
        return issued.code

    def round(self, number: str, *wagers: tuple[str, int]) -> None:
        """Play a round with electronic wagers of Anna's."""
        self.ask(PlaceYourBets())
        self.lay(*wagers)
        self.ask(SpinBall())
        self.ask(NoMoreBets())
        self.ask(ReportBallAtRest(Number(number)))
        self.ask(AnnounceOutcome(Number(number)))
        self.ask(Settle())

    def lay(self, *wagers: tuple[str, int]) -> None:
        """Ask for wagers of Anna's, which may be refused."""
        for wager, cents in wagers:
            name = f"w{self._asked}"
            text = read_wager(wager)
            self.ask(PlaceWager(name, "Anna", text, cents, electronic=True), ANNA)


def play(store: Store) -> None:
    """Play at two tables: rounds, refusals, money of every kind, checkpoints."""
    clock = Clock()
    first = Driver(store, "t1", clock)
    second = Driver(store, "t2", clock, snapshot_every=25)
    first.ask(BuyIn("Anna", 100_000))
    first.ask(CashOut("Anna", 10**9))
    first.round("17", ("17", 1_000), ("red", 500_000_000), ("black", 5_000))
    publish(store, KEY, clock(), "")
    lost, _, spent = (first.voucher("Anna", cents) for cents in (700, 800, 900))
    second.ask(RedeemVoucher("Ben", spent))
    second.ask(RedeemVoucher("Ben", spent))
    first.round("0", ("red", 2_000))
    first.ask(CashOut("Anna", 50_000))
    first.round("32", ("17/20", 300), ("dozen:2", 4_000))
    _interrupt(first)
    _correct(first)
    _run_float(second)
    publish(store, KEY, clock(), "")
    _end_vouchers(store, clock, lost)
    first.voucher("Anna", 1_100)
    claimed = first.voucher("Anna", 1_200)
    store.claim_voucher(claimed, "t2")
    publish(store, KEY, clock(), "")


def _interrupt(driver: Driver) -> None:
    """Crash in the middle of a round; the staff state and confirm the ball."""
    driver.ask(PlaceYourBets())
    driver.lay(("17", 1_500))
    driver.restart()
    driver.ask(StateBall(Number("4")))
    driver.ask(ConfirmBall(), SUPERVISOR)
    driver.ask(NoMoreBets())
    driver.ask(AnnounceOutcome(Number("4")))
    driver.ask(Settle())


def _correct(driver: Driver) -> None:
    """Correct an outcome after the Player has cashed out the winnings."""
    driver.ask(CashOut("Anna", driver.credit() - 5_000))
    driver.ask(CorrectOutcome(1, Number("5")), DEALER, SUPERVISOR)
    driver.ask(PayClaim("Anna", 100))
    driver.ask(BuyIn("Anna", 20_000))
    driver.ask(CashOut("Anna", 5_000))
    driver.ask(PayClaim("Anna", -driver.table.state.balance(claim("Anna"))))


def _run_float(driver: Driver) -> None:
    driver.ask(Fill(1_000_000))
    driver.ask(Adjust("Ben", 250, "counted twice"), DEALER, SUPERVISOR)
    driver.round("00", ("1", 100))
    driver.ask(TakeCredit(400_000))
    driver.ask(ReportShown("terminal 4", "no more bets", START_MS))
    driver.round("1")
    driver.ask(CloseTable())


def _end_vouchers(store: Store, clock: Clock, lost: str) -> None:
    record = HouseRecord(store, clock)
    report_lost(record, SUPERVISOR, lost)
    clock.now_ms += 40 * DAY_MS
    expire_vouchers(record, SUPERVISOR)
    close_gaming_day(record, SUPERVISOR)
