"""A small house with everything in its journal that a journal can hold."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import count

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.heads import publish
from croupier.journal.store import Store
from croupier.ledger import money
from croupier.rules import commands as do
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.answers import Accepted, Answer
from croupier.table.house import HouseBook
from croupier.table.table import NewTable, Table

DEALER = Person("Dora", Role.DEALER)
SUPERVISOR = Person("Piet", Role.PIT_SUPERVISOR)
ANNA = Person("Anna", Role.PLAYER)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
DAY_MS = 86_400_000
START_MS = 1_700_000_000_000


class Clock:
    """Time that passes when it is looked at, and by days when it is told to."""

    def __init__(self) -> None:
        self.now = START_MS

    def __call__(self) -> int:
        self.now += 7
        return self.now


class CountedEntropy:
    """The same bytes in every run, so that a journal is the same in every run."""

    def __init__(self, seed: str) -> None:
        self._blocks = (sha256(f"{seed} {n}".encode()).digest() for n in count())

    def read(self, size: int) -> bytes:
        read = b""
        while len(read) < size:
            read += next(self._blocks)
        return read[:size]


class Driver:
    """Sends commands to one table, each with an id of its own."""

    def __init__(
        self,
        store: Store,
        stream: str,
        clock: Callable[[], int],
        *,
        snapshot_every: int = 40,
        first_id: int = 1,
    ) -> None:
        self.store = store
        self.stream = stream
        self.clock = clock
        self._snapshot_every = snapshot_every
        self._ids = count(first_id)
        self._entropy = CountedEntropy(stream)
        game = NewTable(DEALER, "rws-triple-zero", ("* 1 10000",))
        self.table = self._opened(game)

    def _opened(self, new: NewTable | None) -> Table:
        return Table(
            self.store,
            self.stream,
            clock=self.clock,
            new=new,
            entropy=self._entropy,
            snapshot_every=self._snapshot_every,
        )

    def restart(self) -> None:
        self.table = self._opened(None)

    def send(self, command: ask.AnyCommand, *people: Person) -> Answer:
        command_id = f"{self.stream}-{next(self._ids)}"
        submission = ask.Submission(command_id, people or (DEALER,), command)
        [answer] = self.table.handle([submission])
        return answer

    def voucher(self, seat: str, cents: int) -> str:
        """The code of a new voucher."""
        answer = self.send(ask.IssueVoucher(seat, cents))
        assert isinstance(answer, Accepted)
        [issued] = [e for e in answer.events if isinstance(e, money.VoucherIssued)]
        return issued.code

    def round(self, number: str, *wagers: tuple[str, int]) -> None:
        """A round of play with electronic wagers of Anna's."""
        self.send(do.PlaceYourBets())
        self.place(*wagers)
        self.send(do.SpinBall())
        self.send(do.NoMoreBets())
        self.send(do.ReportBallAtRest(Number(number)))
        self.send(do.AnnounceOutcome(Number(number)))
        self.send(do.Settle())

    def settle_interrupted(self, number: str) -> None:
        """What staff say of a round that was found in the middle of play."""
        self.send(ask.StateBall(Number(number)))
        self.send(ask.ConfirmBall(), SUPERVISOR)
        self.send(do.NoMoreBets())
        self.send(do.AnnounceOutcome(Number(number)))
        self.send(do.Settle())

    def place(self, *wagers: tuple[str, int]) -> None:
        for wager, cents in wagers:
            name = f"w{next(self._ids)}"
            self.send(
                do.PlaceWager(name, "Anna", read_wager(wager), cents, electronic=True),
                ANNA,
            )


def play(store: Store) -> None:
    """Two tables and the house: rounds, refusals, money of every kind, heads."""
    clock = Clock()
    first = Driver(store, "t1", clock)
    second = Driver(store, "t2", clock, snapshot_every=25)
    first.send(ask.BuyIn("Anna", 100_000))
    first.send(ask.CashOut("Anna", 10**9))
    first.round("17", ("17", 1_000), ("red", 500_000_000), ("black", 5_000))
    publish(store, KEY, clock(), "")
    lost, _, spent = (first.voucher("Anna", cents) for cents in (700, 800, 900))
    second.send(ask.RedeemVoucher("Ben", spent))
    second.send(ask.RedeemVoucher("Ben", spent))
    first.round("0", ("red", 2_000))
    first.send(ask.CashOut("Anna", 50_000))
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
    """A crash in the middle of a round, and what staff say of it."""
    driver.send(do.PlaceYourBets())
    driver.place(("17", 1_500))
    driver.restart()
    driver.settle_interrupted("4")


def _correct(driver: Driver) -> None:
    """Winnings taken away again, after the money has left."""
    credit = driver.table.state.balances.get("seat:Anna")  # type: ignore[arg-type]
    assert credit is not None
    driver.send(ask.CashOut("Anna", credit - 5_000))
    driver.send(do.CorrectOutcome(1, Number("5")), DEALER, SUPERVISOR)
    driver.send(ask.PayClaim("Anna", 100))
    driver.send(ask.BuyIn("Anna", 20_000))
    driver.send(ask.CashOut("Anna", 5_000))
    owed = driver.table.state.balances.get("claim:Anna")  # type: ignore[arg-type]
    assert owed is not None
    driver.send(ask.PayClaim("Anna", -owed))


def _run_float(driver: Driver) -> None:
    driver.send(ask.Fill(1_000_000))
    driver.send(ask.Adjust("Ben", 250, "counted twice"), DEALER, SUPERVISOR)
    driver.round("00", ("1", 100))
    driver.send(ask.TakeCredit(400_000))
    driver.send(ask.ReportShown("terminal 4", "no more bets", START_MS))
    driver.round("1")
    driver.send(ask.CloseTable())


def _end_vouchers(store: Store, clock: Clock, lost: str) -> None:
    book = HouseBook(store, clock=clock)
    book.report_lost(SUPERVISOR, lost)
    clock.now += 40 * DAY_MS
    book.expire_vouchers(SUPERVISOR)
    book.close_gaming_day(SUPERVISOR)
