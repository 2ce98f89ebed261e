"""What the killed processes were doing: scripts with every kind of command in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from croupier.ledger.commands import (
    Adjust,
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    CountFloat,
    EndStay,
    Fill,
    IssueVoucher,
    PayClaim,
    PayOwed,
    PayVoucher,
    RedeemVoucher,
    TakeCredit,
    VoucherUse,
)
from croupier.ledger.money import Count, VoucherIssued
from croupier.rules import commands as rule_commands
from croupier.rules.events import BallAtRest
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number, numbers
from croupier.table import commands as table_commands
from croupier.table.answers import Accepted, Answer
from croupier.table.table import NewTable
from tests.values import replaced

DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
MANAGER = Person("Pit Manager", Role.PIT_MANAGER)
GAMING_BOSS = Person("Gaming Shift Manager", Role.GAMING_SHIFT_MANAGER)
TABLES_BOSS = Person("Table Games Shift Manager", Role.TABLE_GAMES_SHIFT_MANAGER)
CASHIER = Person("Cashier", Role.CASHIER)
SYSTEM = Person("system", Role.SYSTEM)
GENERATOR = Person("RNG", Role.RNG)
ANNA = Person("Anna", Role.PLAYER)
BEN = Person("Ben", Role.PLAYER)

LIMITS = ("* 1 500",)
MAIN, SECOND = "main", "second"


class Step(NamedTuple):
    """A command that is sent to one of the tables."""

    table: str
    submission: table_commands.Submission


class Reopen(NamedTuple):
    """Everything is closed and opened again at this step."""


@dataclass(frozen=True, slots=True)
class Script:
    """Two tables of a game in one journal, and what is sent to them, in order."""

    game: str
    steps: tuple[Step | Reopen, ...]
    virtual_wheel: bool = False
    together: int = 1
    """The most commands in a row to one table that share a commit."""
    snapshot_every: int = 2_000
    checkpoint_pages: int = 1_000
    """The pages of a WAL that is written back to the file."""

    def new_table(self) -> NewTable:
        return NewTable(DEALER, self.game, LIMITS, (), virtual_wheel=self.virtual_wheel)

    def batches(self) -> list[list[Step] | Reopen]:
        """The steps as they are handed to a table: alone, or several together."""
        batches: list[list[Step] | Reopen] = []
        for step in self.steps:
            last = batches[-1] if batches else None
            if isinstance(step, Reopen):
                batches.append(step)
            elif (
                isinstance(last, list)
                and len(last) < self.together
                and last[0].table == step.table
                and not _needs_an_answer(step)
            ):
                last.append(step)
            else:
                batches.append([step])
        return batches

    def sent(self) -> list[Step]:
        return [step for step in self.steps if isinstance(step, Step)]


def _needs_an_answer(step: Step) -> bool:
    command = step.submission.command
    return isinstance(command, VoucherUse | rule_commands.AnnounceOutcome)


def resolved(step: Step, answers: Mapping[str, Answer]) -> table_commands.Submission:
    """With `@id` replaced by the code or the number in the answer to that id."""
    submission, command = step.submission, step.submission.command
    match command:
        case RedeemVoucher(code=code) | PayVoucher(code=code) if code.startswith("@"):
            found = _in_answer(answers.get(code[1:]))
            return replaced(submission, command=replaced(command, code=found))
        case rule_commands.AnnounceOutcome(number=number) if number.startswith("@"):
            found = _in_answer(answers.get(number[1:]))
            return replaced(
                submission, command=rule_commands.AnnounceOutcome(Number(found))
            )
    return submission


def _in_answer(answer: Answer | None) -> str:
    """A voucher's code, or the number of the virtual wheel, if the answer has it."""
    if isinstance(answer, Accepted):
        for event in answer.events:
            if isinstance(event, VoucherIssued):
                return event.code
            if isinstance(event, BallAtRest):
                return event.number
    return "none"


class _Play:
    """Writes a script; command ids are the table's letter and a number."""

    def __init__(self, *, electronic: bool) -> None:
        self.steps: list[Step | Reopen] = []
        self._electronic = electronic
        self._wagers = 0

    def send(
        self, command: table_commands.AnyCommand, *people: Person, table: str = MAIN
    ) -> str:
        command_id = f"{table[0]}{len(self.steps) + 1}"
        submission = table_commands.Submission(command_id, people or (DEALER,), command)
        self.steps.append(Step(table, submission))
        return command_id

    def deal(self, *commands: table_commands.AnyCommand, table: str = MAIN) -> None:
        """By the Dealer, one after the other."""
        for command in commands:
            self.send(command, table=table)

    def place(self, player: Person, text: str, cents: int, table: str = MAIN) -> str:
        placing = self._placing(player, text, cents)
        self.send(placing, player, table=table)
        return placing.wager_id

    def _placing(
        self, player: Person, text: str, cents: int
    ) -> rule_commands.PlaceWager:
        self._wagers += 1
        return rule_commands.PlaceWager(
            f"w{self._wagers}",
            player.name,
            read_wager(text),
            cents,
            electronic=self._electronic,
            terminal="T1" if self._electronic else None,
        )

    def buy_in(self) -> None:
        self.send(CountFloat(Count.OPENING, 500_000), SUPERVISOR)
        self.send(BuyIn("Anna", 200_000))
        self.send(BuyIn("Ben", 50_000))
        self.send(BuyIn("Ben", 30_000), CASHIER, table=SECOND)

    def wagering(self, *texts: str) -> None:
        """Placed, increased, withdrawn; some beyond the credit or the limits."""
        first = self.place(ANNA, "17", 1_000)
        self.place(BEN, "red" if "red" in texts else texts[0], 2_000)
        for text in texts:
            self.place(ANNA, text, 500)
        self.send(rule_commands.IncreaseWager(first, "Anna", 700), ANNA)
        gone = self.place(BEN, "17", 300)
        self.send(rule_commands.WithdrawWager(gone, "Ben"), BEN)
        self.place(BEN, "17", 50_000_000)
        self.place(BEN, "17", 0)
        self.send(rule_commands.IncreaseWager(first, "Ben", 700), BEN)
        self.wagering_together(first)

    def wagering_together(self, wager_id: str) -> None:
        """Several at once: once taken whole, once refused whole by the last."""
        increased = rule_commands.IncreaseWager(wager_id, "Anna", 300)
        placed = [self._placing(ANNA, "17", cents) for cents in (400, 600, 800)]
        gone = rule_commands.WithdrawWager(placed[0].wager_id, "Anna")
        self.send(
            table_commands.Together((placed[0], increased, placed[1], gone)), ANNA
        )
        self.send(table_commands.Together((placed[2], increased, gone)), ANNA)

    def close(self, *, draws: bool) -> None:
        self.deal(rule_commands.SpinBall(), rule_commands.NoMoreBets())
        self.place(BEN, "17", 1_000)
        if draws:
            self.send(table_commands.ConfirmLights())
            self.send(table_commands.DrawNow(), GENERATOR)
            self.send(table_commands.DrawNow(), GENERATOR)
            self.send(table_commands.ReportLight("L1", Number("5")), SYSTEM)
            self.send(table_commands.ConfirmLights())

    def vouchers(self) -> None:
        """One redeemed elsewhere, one at home, one twice, one paid, one kept."""
        away = self.send(IssueVoucher("Anna", 5_000), ANNA)
        home = self.send(IssueVoucher("Anna", 2_500), ANNA)
        paid = self.send(IssueVoucher("Ben", 1_700), BEN)
        self.send(IssueVoucher("Ben", 1_000), BEN)
        self.send(IssueVoucher("Ben", 90_000_000), BEN)
        self.send(RedeemVoucher("Ben", f"@{away}"), BEN, table=SECOND)
        self.send(RedeemVoucher("Anna", f"@{home}"), ANNA)
        self.send(RedeemVoucher("Ben", f"@{home}"), BEN, table=SECOND)
        self.send(PayVoucher(f"@{paid}"), CASHIER, table=SECOND)
        self.send(PayVoucher(f"@{paid}"), CASHIER)
        self.send(RedeemVoucher("Ben", "NOSUCHVOUCHER"), BEN)
        self.send(CashOut("Ben", 1_500), table=SECOND)

    def money(self) -> None:
        self.vouchers()
        self.deal(Fill(70_000), TakeCredit(20_000), CashOut("Anna", 4_000))
        self.send(CashOut("Anna", 99_000_000))
        adjusted = Adjust("Ben", 1_200, "a chip fell off the table")
        self.send(adjusted, DEALER, SUPERVISOR)
        self.send(adjusted, DEALER)
        self.send(
            table_commands.ReportShown("T1", "No more bets", 1_700_000_000_000), SYSTEM
        )
        sensor = Person("W1", Role.SENSOR)
        self.send(rule_commands.ReportSensor("spun", None, 5), sensor)
        answer = rule_commands.AnswerReport(Irregularity.FOREIGN_OBJECT, upheld=False)
        self.send(answer, DEALER, SUPERVISOR)
        self.send(table_commands.AnswerNotice("no spin", "5.1", accepted=False))
        self.send(table_commands.BeginGamingDay("2099-01-01"), SYSTEM)

    def colours(self) -> None:
        issue = rule_commands.IssueColour(
            "blue",
            "Anna",
            500,
            rule_commands.ValueMarker.MARKER,
            rule_commands.MarkerPlace.BANK,
        )
        self.deal(issue, BuyColourChips("Anna", "blue", 20))
        self.deal(BuyBackColourChips("Anna", "blue", 5))

    def short_round(self, number: str, *, draws: bool = False) -> None:
        self.send(rule_commands.PlaceYourBets())
        self.place(ANNA, "17", 1_000)
        self.place(BEN, "17", 400)
        self.close(draws=draws)
        self.deal(rule_commands.AnnounceOutcome(Number(number)), rule_commands.Settle())

    def owe_and_pay(self, round_number: int) -> None:
        """Anna takes her winnings away; the correction leaves a claim."""
        self.send(CashOut("Anna", 255_000))
        corrected = rule_commands.CorrectOutcome(round_number, Number("5"))
        self.send(corrected, DEALER)
        self.send(corrected, DEALER, SUPERVISOR)
        self.deal(PayClaim("Anna", 900_000_000), PayClaim("Anna", 100))
        self.send(BuyIn("Anna", 20_000))

    def run_down(self) -> None:
        self.send(table_commands.ChangeTerms(("* 2 600",), ()), SUPERVISOR)
        self.send(table_commands.ChangeTerms(("* x 600",), ()), SUPERVISOR)
        self.send(table_commands.CloseTable(), SUPERVISOR)
        self.send(BuyIn("Anna", 100))
        self.send(table_commands.ReopenTable(), SUPERVISOR)
        self.send(CountFloat(Count.CLOSING, 549_000), SUPERVISOR)

    def restated_and_decided(self) -> None:
        """A wrong compartment, a hold that is lifted, a decision after the end."""
        self.send(rule_commands.PlaceYourBets())
        wager = self.place(BEN, "odd", 1_000)
        self.deal(
            rule_commands.SpinBall(),
            rule_commands.NoMoreBets(),
            rule_commands.ReportBallAtRest(Number("17")),
        )
        self.send(
            rule_commands.CorrectBall(Number("18"), because="misread"),
            DEALER,
            SUPERVISOR,
        )
        self.send(rule_commands.ReportIrregularity(Irregularity.UNLISTED))
        self.send(rule_commands.DecideContinue("seen by all"), GAMING_BOSS)
        self.deal(rule_commands.AnnounceOutcome(Number("18")), rule_commands.Settle())
        decided = rule_commands.DecideRound(
            4, rule_commands.DecideWager(wager, rule_commands.ReturnIt())
        )
        self.send(decided, GAMING_BOSS)

    def second_round(self) -> None:
        self.send(rule_commands.PlaceYourBets(), table=SECOND)
        self.place(BEN, "17", 900, table=SECOND)

    def interrupted(self, ball: Number | None) -> None:
        """A restart in the middle of a round, and what staff say of the ball."""
        self.steps.append(Reopen())
        self.send(rule_commands.Settle())
        self.send(table_commands.StateBall(ball))
        self.send(table_commands.ConfirmBall())
        self.send(table_commands.ConfirmBall(), SUPERVISOR)


def _triple_zero() -> tuple[Step | Reopen, ...]:
    play = _Play(electronic=True)
    play.buy_in()
    play.send(rule_commands.PlaceYourBets())
    play.wagering("red", "grand_series", "neighbours:21:3")
    play.second_round()
    play.close(draws=False)
    play.send(rule_commands.ReportTerminalsInterrupted(("T2",)), SYSTEM)
    play.deal(
        rule_commands.ReportBallDropped(), rule_commands.ReportBallAtRest(Number("17"))
    )
    play.send(rule_commands.ShowDisplay(Number("4")), SYSTEM)
    play.deal(
        rule_commands.AnnounceOutcome(Number("17")),
        rule_commands.Settle(),
        rule_commands.Settle(),
    )
    play.money()
    play.owe_and_pay(1)
    play.send(PayOwed("Anna", 100), CASHIER)
    play.send(EndStay("Ben"), SYSTEM)
    meant = table_commands.RecordInterpretation(
        "Does a slip count?", "As registered.", (1,)
    )
    play.send(meant, TABLES_BOSS)
    play.short_round("000")
    play.send(rule_commands.VoidRounds((1, 2), Irregularity.BALL_BROKE), TABLES_BOSS)
    play.run_down()
    play.send(rule_commands.PlaceYourBets())
    play.place(ANNA, "17", 600)
    play.interrupted(None)
    play.send(rule_commands.Settle())
    return tuple(play.steps)


def _roulette_v3() -> tuple[Step | Reopen, ...]:
    play = _Play(electronic=False)
    play.buy_in()
    play.colours()
    play.send(rule_commands.PlaceYourBets())
    play.wagering("red", "split:17/20", "dozen:2")
    blue = rule_commands.PlaceWager(
        "b1", "Anna", read_wager("black"), None, colour="blue", colour_chips=3
    )
    play.send(blue, ANNA)
    play.send(rule_commands.AllowEarlyClose(), MANAGER)
    play.close(draws=False)
    play.send(rule_commands.MarkUnclear("w2"))
    play.deal(rule_commands.AnnounceOutcome(Number("17")), rule_commands.Settle())
    play.send(
        rule_commands.RuleOnWager("w2", rule_commands.GiveAmount(100)), SUPERVISOR
    )
    play.send(rule_commands.RuleOnWager("w3", rule_commands.ReturnIt()), DEALER)
    play.deal(rule_commands.Settle(), BuyBackColourChips("Anna", "blue", 1))
    play.deal(rule_commands.ReturnColour("blue", "Anna"))
    play.send(rule_commands.PlaceYourBets())
    play.place(ANNA, "17", 1_000)
    play.deal(
        rule_commands.SpinBall(),
        rule_commands.ReportPowerFailure(),
        rule_commands.AnnounceNoSpin(),
        rule_commands.Settle(),
    )
    play.send(rule_commands.PlaceYourBets())
    play.place(BEN, "odd", 1_000)
    play.deal(
        rule_commands.ReportIrregularity(Irregularity.FOREIGN_OBJECT),
        rule_commands.Settle(),
    )
    play.restated_and_decided()
    play.send(rule_commands.PlaceYourBets())
    play.place(BEN, "odd", 1_000)
    play.deal(rule_commands.SpinBall(), rule_commands.NoMoreBets())
    play.interrupted(Number("17"))
    play.deal(rule_commands.AnnounceOutcome(Number("17")), rule_commands.Settle())
    return tuple(play.steps)


def _fast_action() -> tuple[Step | Reopen, ...]:
    play = _Play(electronic=True)
    play.buy_in()
    play.send(rule_commands.PlaceYourBets())
    play.wagering("bonus_win", "scatter_bonus")
    play.close(draws=True)
    play.deal(rule_commands.AnnounceOutcome(Number("17")), rule_commands.Settle())
    ten = numbers("0 00 S MBS 1 2 3 4 5 6")
    play.send(rule_commands.CorrectBonusNumbers(1, ten), DEALER, SUPERVISOR)
    play.send(rule_commands.PlaceYourBets())
    play.place(BEN, "super_bonus_win", 1_000)
    play.deal(rule_commands.SpinBall(), rule_commands.NoMoreBets())
    play.send(rule_commands.DrawBonusNumbers(ten), GENERATOR)
    play.deal(rule_commands.ReportUnlit(Number("5")), rule_commands.Settle())
    play.vouchers()
    play.send(rule_commands.PlaceYourBets())
    play.place(ANNA, "17", 600)
    play.close(draws=True)
    play.interrupted(None)
    play.deal(rule_commands.AnnounceOutcome(Number("8")), rule_commands.Settle())
    return tuple(play.steps)


def _held(first: str, second: str, *, electronic: bool) -> tuple[Step | Reopen, ...]:
    """What the documents of 2012 leave open is held and decided."""
    play = _Play(electronic=electronic)
    play.buy_in()
    play.send(rule_commands.PlaceYourBets())
    play.wagering(first, second, "red")
    play.deal(
        rule_commands.SpinBall(),
        rule_commands.NoMoreBets(),
        rule_commands.ReportPowerFailure(),
    )
    play.send(
        rule_commands.DecideWager("w1", rule_commands.GiveAmount(600)), GAMING_BOSS
    )
    play.send(rule_commands.DecideOutcome(Number("17")), DEALER)
    play.send(rule_commands.DecideOutcome(Number("17")), GAMING_BOSS)
    play.deal(rule_commands.Settle())
    play.send(rule_commands.PlaceYourBets())
    play.place(BEN, first, 200)
    play.send(rule_commands.ReportRoundInterrupted(), SYSTEM)
    play.send(rule_commands.DecideVoid(), GAMING_BOSS)
    play.deal(rule_commands.Settle())
    play.vouchers()
    play.short_round("17")
    play.send(rule_commands.PlaceYourBets())
    play.place(BEN, second, 200)
    play.interrupted(Number("20"))
    play.send(rule_commands.DecideOutcome(Number("20")), GAMING_BOSS)
    play.deal(rule_commands.Settle())
    return tuple(play.steps)


def _virtual() -> tuple[Step | Reopen, ...]:
    """Triple Zero on a virtual wheel, through two restarts and several snapshots."""
    play = _Play(electronic=True)
    play.buy_in()
    for restarts in (False, True, False):
        play.send(rule_commands.PlaceYourBets())
        play.place(ANNA, "red", 1_000)
        play.place(BEN, "tiers", 100)
        play.deal(rule_commands.SpinBall(), rule_commands.NoMoreBets())
        spun = play.send(table_commands.SpinVirtualWheel())
        play.send(rule_commands.ReportBallAtRest(Number("3")))
        if restarts:
            play.steps.append(Reopen())
        play.deal(
            rule_commands.AnnounceOutcome(Number(f"@{spun}")), rule_commands.Settle()
        )
    play.vouchers()
    play.send(rule_commands.VoidRounds((1,), Irregularity.BALL_BROKE), TABLES_BOSS)
    play.send(rule_commands.PlaceYourBets())
    play.place(ANNA, "red", 1_000)
    play.steps.append(Reopen())
    play.deal(rule_commands.Settle(), rule_commands.SpinBall())
    return tuple(play.steps)


SCRIPTS: Mapping[str, Script] = {
    "triple-zero": Script("rws-triple-zero", _triple_zero()),
    "v3": Script(
        "mbs-roulette-v3", _roulette_v3(), snapshot_every=15, checkpoint_pages=12
    ),
    "fast-action": Script("mbs-fast-action-v2", _fast_action(), together=3),
    "complete-bet": Script(
        "mbs-complete-bet-v2",
        _held("tiers", "complete:17", electronic=False),
        snapshot_every=25,
        checkpoint_pages=40,
    ),
    "v2": Script(
        "mbs-roulette-v2",
        _held("split:17/20", "street:16/17/18", electronic=True),
        together=4,
        snapshot_every=30,
    ),
    "virtual": Script(
        "rws-triple-zero",
        _virtual(),
        virtual_wheel=True,
        snapshot_every=10,
        checkpoint_pages=20,
    ),
}
