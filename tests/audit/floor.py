"""Real journals to audit: five games at tables, with all that can happen there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import close_gaming_day, expire_vouchers
from croupier.journal.store import Store
from croupier.ledger.commands import (
    Adjust,
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    CountFloat,
    Fill,
    IssueVoucher,
    PayClaim,
    RedeemVoucher,
    TakeCredit,
)
from croupier.ledger.money import Count
from croupier.rules.cents import MAXIMUM_CENTS
from croupier.rules.clause import Rule
from croupier.rules.commands import Settle
from croupier.rules.operator import Person, Role
from croupier.rules.terms import Limit, write_limits, write_settings
from croupier.table import Accepted, Answer, NewTable, Submission, Table
from croupier.table.commands import AnyCommand, ChangeTerms, CloseTable
from croupier.transcript import Transcript, read_line, read_transcript
from tests.journal.scene import Clock
from tests.reasons import with_reason
from tests.simulation.seeded import SeededEntropy

DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
DAY_MS = 86_400_000
DRAW = "RNG: bonus numbers 1 2 5 9 13 17 21 25 29 33"


class Seated:
    """A table, and somebody who talks to it in the words of transcripts."""

    def __init__(
        self,
        store: Store,
        stream: str,
        game: str,
        clock: Clock,
        *,
        limits: Sequence[str] = ("* 5 1000", "straight_up 5 100"),
        settings: Sequence[str] = (),
        terminals: Collection[str] = (),
        snapshot_every: int = 25,
    ) -> None:
        self._ids = count(1)
        new = NewTable(DEALER, game, tuple(limits), tuple(settings))
        self.table = Table(
            store,
            stream,
            clock=clock,
            new=new,
            entropy=SeededEntropy(stream),
            salts=SeededEntropy(f"salts {stream}"),
            is_anonymous=lambda seat: seat in terminals,
            snapshot_every=snapshot_every,
        )

    def answer(self, command: AnyCommand, *people: Person) -> Answer:
        name = f"{self.table.stream}-{next(self._ids)}"
        [answer] = self.table.handle([Submission(name, people or (DEALER,), command)])
        return answer

    def done(self, command: AnyCommand, *people: Person) -> Accepted:
        answer = self.answer(command, *people)
        assert isinstance(answer, Accepted), answer
        return answer

    def say(self, *lines: str) -> None:
        """Acts that must be accepted."""
        game = self.table.state.series.game
        for line in lines:
            act = read_line(game, line).act
            self.done(act.command, *act.people)

    def round(
        self, number: str, *lines: str, before_settling: Sequence[str] = ()
    ) -> None:
        """A round of play with these acts between its announcements."""
        draws = self.table.state.series.game.provides(Rule.BONUS_DRAW)
        self.say(
            "Dealer: place your bets",
            *lines,
            "Dealer: spin",
            "Dealer: no more bets",
            *([DRAW] if draws else []),
            f"Dealer: outcome {number}",
            *before_settling,
            "Dealer: settle",
        )

    def voucher(self, seat: str, cents: int) -> str:
        [event] = self.done(IssueVoucher(seat, cents)).events
        return str(event.code)  # type: ignore[union-attr]


def play_transcript(store: Store, stream: str, path: Path, clock: Clock) -> None:
    """The acts of a transcript at a table, as far as a table takes them."""
    play_acts(
        store, stream, read_transcript(path.read_text("utf-8").splitlines()), clock
    )


def play_acts(store: Store, stream: str, read: Transcript, clock: Clock) -> None:
    """The acts of a transcript that has been read, at a table."""
    game = read.game.name
    limits, settings = _limits_of(read), write_settings(read.settings)
    table = Seated(store, stream, game, clock, limits=limits, settings=settings).table
    asked: list[tuple[AnyCommand, tuple[Person, ...]]] = [
        (BuyIn(name, 10_000_000), (DEALER,)) for name in ("Anna", "Ben", "Cara")
    ]
    for lines in read.rounds:
        asked += [(with_reason(line.act.command), line.act.people) for line in lines]
        asked.append((Settle(), (DEALER,)))
    table.handle(
        [
            Submission(f"{stream} {number}", people, command)
            for number, (command, people) in enumerate(asked)
        ]
    )


def _limits_of(read: Transcript) -> tuple[str, ...]:
    """The limits of a transcript; what it leaves open nearly any stake keeps to."""
    wide = Limit(1, MAXIMUM_CENTS)
    return write_limits(replace(read.limits, general=read.limits.general or wide))


def play(store: Store) -> None:
    """A house of five tables, a day of play, and every kind of trouble."""
    clock = Clock()
    voucher = play_v3(store, clock)
    _play_v2(store, clock, voucher)
    _play_complete(store, clock)
    _play_fast(store, clock)
    _play_triple(store, clock)
    record = HouseRecord(store, clock)
    clock.now_ms += 40 * DAY_MS
    expire_vouchers(record, SUPERVISOR)
    close_gaming_day(record, SUPERVISOR)


def play_v3(store: Store, clock: Clock) -> str:
    """Limits at the outcome, rulings, colour chips, voids, a correction; a voucher."""
    v3 = Seated(store, "v3", "mbs-roulette-v3", clock, settings=["area_maximum 5000"])
    v3.done(BuyIn("Anna", 200_000))
    v3.done(BuyIn("Ben", 100_000))
    v3.round("17", "Anna: place 17 10 as w1", "Ben: lay red 50 as w2")
    v3.round(
        "17",
        "Anna: lay 17 90 as w1",
        "Anna: lay 17 20 as w2",
        "Anna: increase w2 5",
        "Ben: lay 17/20 2 as w3",
    )
    v3.round(
        "20",
        "Ben: lay 20 2 as w1",
        "Anna: lay 20/23 10 as w2",
        "Anna: lay black 10 as w3",
        "Dealer: unclear w2",
        before_settling=[
            "Pit Supervisor: rule w2 split:17/20",
            "Pit Supervisor: rule w3 amount 6",
        ],
    )
    v3.say(
        "Dealer: place your bets",
        "Anna: place red 20 as w1",
        "Dealer: irregularity foreign_object",
        "Dealer: settle",
        "Dealer: colour blue to Anna 5",
    )
    v3.done(BuyColourChips("Anna", "blue", 20))
    v3.round(
        "5",
        "Anna: lay 17 2 blue as w1",
        "Ben: place even 30 as w2",
        "Anna: place dozen:2 25 as w3",
        "Anna: withdraw w3",
    )
    v3.done(BuyBackColourChips("Anna", "blue", 3))
    v3.round("0", "Ben: place odd 10 as w1", "Anna: lay 0/1/2/3 10 as w2")
    v3.say("Dealer + Pit Supervisor: correct round 5 to 17")
    v3.done(ChangeTerms(("* 10 2000",), ()))
    v3.round("36", "Ben: place high 10 as w1", "Anna: lay red 5 as w2")
    v3.voucher("Ben", 1_500)
    return v3.voucher("Anna", 2_500)


def _play_v2(store: Store, clock: Clock, voucher: str) -> None:
    """Chips alone, limits at placing, a round held and decided; the float."""
    v2 = Seated(store, "v2", "mbs-roulette-v2", clock)
    v2.done(RedeemVoucher("Anna", voucher))
    v2.done(CashOut("Anna", 2_000))
    v2.done(Fill(500_000))
    v2.round("32", "Anna: lay 32 10 as w1", "Ben: lay low 10 as w2")
    v2.round("8", "Anna: lay 5/8 10 as w1", "Anna: withdraw w1", "Ben: lay 8 9 as w2")
    v2.say(
        "Dealer: place your bets",
        "Anna: lay red 10 as w1",
        "Dealer: spin",
        "system: power failure",
        "Gaming Shift Manager: decide outcome 1",
        "Dealer: settle",
    )
    v2.done(TakeCredit(100_000))
    v2.done(CountFloat(Count.CLOSING, 399_000))
    v2.done(CloseTable())


def _play_complete(store: Store, clock: Clock) -> None:
    """Wagers of several pieces."""
    complete = Seated(
        store,
        "complete",
        "mbs-complete-bet-v2",
        clock,
        limits=["* 5 1000"],
        settings=["complete_dozen inside"],
    )
    complete.round("17", "Anna: lay orphelins 5 as w1", "Ben: lay tiers 10 as w2")
    complete.round(
        "0", "Anna: lay voisins_du_zero 5 as w1", "Ben: lay complete:0 5 as w2"
    )
    complete.round(
        "29",
        "Anna: lay neighbours:7 5 as w1",
        "Anna: increase w1 5",
        "Ben: lay complete_maximum:35 as w2",
    )
    complete.round("2", "Ben: lay complete:dozen:1 5 as w1", "Anna: lay red 5 as w2")


def _play_fast(store: Store, clock: Clock) -> None:
    """Bonus Numbers, the three statuses, and the wagers on the draw."""
    fast = Seated(store, "fast", "mbs-fast-action-v2", clock, limits=["* 5 1000"])
    wagers = (
        "Anna: lay 17 10 as w1",
        "Anna: lay bonus_win 10 as w2",
        "Ben: lay scatter_bonus 5 as w3",
        "Ben: lay super_bonus_win 2 as w4",
    )
    for number in ("17", "S", "13", "36"):
        fast.round(number, *wagers)


def _play_triple(store: Store, clock: Clock) -> None:
    """Terminals: credit, unregistered wagers, claims, and settled rounds voided."""
    triple = Seated(store, "triple", "rws-triple-zero", clock, limits=["* 1 500"])
    triple.done(BuyIn("Anna", 100_000))
    triple.done(BuyIn("Cara", 50_000))
    triple.round(
        "17",
        "Anna: place 17 10 as w1",
        "Cara: place grand_series 2 as w2",
        "Cara: place 17 10 as w3 unregistered",
        "system: interruption terminals T1 T2",
    )
    triple.round("000", "Anna: place green 5 as w1", "Cara: place red 5 as w2")
    triple.round("32", "Anna: place finales:2 5 as w1")
    credit = triple.table.state.balance("seat:Anna")  # type: ignore[arg-type]
    triple.done(CashOut("Anna", credit - 1_000))
    triple.say("Dealer + Pit Supervisor: correct round 1 to 5")
    triple.done(PayClaim("Anna", 700))
    triple.say("Table Games Shift Manager: void rounds 2 3 ball_broke")
    triple.done(Adjust("Cara", 250, "counted twice"), DEALER, SUPERVISOR)
    triple.round("1", "Cara: place 1 10 as w1", "Cara: place 1/2/3 4 as w2")
