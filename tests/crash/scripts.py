"""What the killed processes were doing: scripts with every kind of command in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from croupier.ledger.money import Count, VoucherIssued
from croupier.rules import commands as do
from croupier.rules.events import BallAtRest
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number, numbers
from croupier.table import commands as ask
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
    submission: ask.Submission


class Reopen(NamedTuple):
    """Everything is closed and opened again, where the step stands."""


@dataclass(frozen=True, slots=True)
class Script:
    """Two tables of a game in one journal, and what is sent to them, in order."""

    game: str
    steps: tuple[Step | Reopen, ...]
    virtual_wheel: bool = False
    together: int = 1
    """So many commands in a row to one table share a commit."""
    snapshot_every: int = 2_000
    checkpoint_pages: int = 1_000
    """A WAL of so many pages is written back to the file."""

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
    return isinstance(command, ask.VoucherUse | do.AnnounceOutcome)


def resolved(step: Step, answers: Mapping[str, Answer]) -> ask.Submission:
    """With `@id` replaced by the code or the number in the answer to that id."""
    submission, command = step.submission, step.submission.command
    match command:
        case ask.RedeemVoucher(code=code) | ask.PayVoucher(code=code) if (
            code.startswith("@")
        ):
            found = _in_answer(answers.get(code[1:]))
            return replaced(submission, command=replace(command, code=found))
        case do.AnnounceOutcome(number=number) if number.startswith("@"):
            found = _in_answer(answers.get(number[1:]))
            return replaced(submission, command=do.AnnounceOutcome(Number(found)))
    return submission


def _in_answer(answer: Answer | None) -> str:
    """A voucher's code or where the virtual wheel stopped, if the answer has it."""
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

    def send(self, command: ask.AnyCommand, *people: Person, table: str = MAIN) -> str:
        command_id = f"{table[0]}{len(self.steps) + 1}"
        submission = ask.Submission(command_id, people or (DEALER,), command)
        self.steps.append(Step(table, submission))
        return command_id

    def deal(self, *commands: ask.AnyCommand, table: str = MAIN) -> None:
        """By the Dealer, one after the other."""
        for command in commands:
            self.send(command, table=table)

    def place(self, player: Person, text: str, cents: int, table: str = MAIN) -> str:
        placing = self._placing(player, text, cents)
        self.send(placing, player, table=table)
        return placing.wager_id

    def _placing(self, player: Person, text: str, cents: int) -> do.PlaceWager:
        self._wagers += 1
        return do.PlaceWager(
            f"w{self._wagers}",
            player.name,
            read_wager(text),
            cents,
            electronic=self._electronic,
            terminal="T1" if self._electronic else None,
        )

    def buy_in(self) -> None:
        self.send(ask.CountFloat(Count.OPENING, 500_000), SUPERVISOR)
        self.send(ask.BuyIn("Anna", 200_000))
        self.send(ask.BuyIn("Ben", 50_000))
        self.send(ask.BuyIn("Ben", 30_000), CASHIER, table=SECOND)

    def wagering(self, *texts: str) -> None:
        """Placed, increased, withdrawn; some beyond the credit or the limits."""
        first = self.place(ANNA, "17", 1_000)
        self.place(BEN, "red" if "red" in texts else texts[0], 2_000)
        for text in texts:
            self.place(ANNA, text, 500)
        self.send(do.IncreaseWager(first, "Anna", 700), ANNA)
        gone = self.place(BEN, "17", 300)
        self.send(do.WithdrawWager(gone, "Ben"), BEN)
        self.place(BEN, "17", 50_000_000)
        self.place(BEN, "17", 0)
        self.send(do.IncreaseWager(first, "Ben", 700), BEN)
        self.wagering_together(first)

    def wagering_together(self, wager_id: str) -> None:
        """Several at once: once taken whole, once refused whole by the last."""
        increased = do.IncreaseWager(wager_id, "Anna", 300)
        placed = [self._placing(ANNA, "17", cents) for cents in (400, 600, 800)]
        gone = do.WithdrawWager(placed[0].wager_id, "Anna")
        self.send(ask.Together((placed[0], increased, placed[1], gone)), ANNA)
        self.send(ask.Together((placed[2], increased, gone)), ANNA)

    def close(self, *, draws: bool) -> None:
        self.deal(do.SpinBall(), do.NoMoreBets())
        self.place(BEN, "17", 1_000)
        if draws:
            self.send(ask.ConfirmLights())
            self.send(ask.DrawNow(), GENERATOR)
            self.send(ask.DrawNow(), GENERATOR)
            self.send(ask.ReportLight("L1", Number("5")), SYSTEM)
            self.send(ask.ConfirmLights())

    def vouchers(self) -> None:
        """One redeemed elsewhere, one at home, one twice, one paid, one kept."""
        away = self.send(ask.IssueVoucher("Anna", 5_000), ANNA)
        home = self.send(ask.IssueVoucher("Anna", 2_500), ANNA)
        paid = self.send(ask.IssueVoucher("Ben", 1_700), BEN)
        self.send(ask.IssueVoucher("Ben", 1_000), BEN)
        self.send(ask.IssueVoucher("Ben", 90_000_000), BEN)
        self.send(ask.RedeemVoucher("Ben", f"@{away}"), BEN, table=SECOND)
        self.send(ask.RedeemVoucher("Anna", f"@{home}"), ANNA)
        self.send(ask.RedeemVoucher("Ben", f"@{home}"), BEN, table=SECOND)
        self.send(ask.PayVoucher(f"@{paid}"), CASHIER, table=SECOND)
        self.send(ask.PayVoucher(f"@{paid}"), CASHIER)
        self.send(ask.RedeemVoucher("Ben", "NOSUCHVOUCHER"), BEN)
        self.send(ask.CashOut("Ben", 1_500), table=SECOND)

    def money(self) -> None:
        self.vouchers()
        self.deal(ask.Fill(70_000), ask.TakeCredit(20_000), ask.CashOut("Anna", 4_000))
        self.send(ask.CashOut("Anna", 99_000_000))
        adjusted = ask.Adjust("Ben", 1_200, "a chip fell off the table")
        self.send(adjusted, DEALER, SUPERVISOR)
        self.send(adjusted, DEALER)
        self.send(ask.ReportShown("T1", "No more bets", 1_700_000_000_000), SYSTEM)
        sensor = Person("W1", Role.SENSOR)
        self.send(do.ReportSensor("spun", None, 5), sensor)
        answer = do.AnswerReport(Irregularity.FOREIGN_OBJECT, upheld=False)
        self.send(answer, DEALER, SUPERVISOR)
        self.send(ask.AnswerNotice("no spin", "5.1", accepted=False))
        self.send(ask.BeginGamingDay("2099-01-01"), SYSTEM)

    def colours(self) -> None:
        issue = do.IssueColour(
            "blue", "Anna", 500, do.ValueMarker.MARKER, do.MarkerPlace.BANK
        )
        self.deal(issue, ask.BuyColourChips("Anna", "blue", 20))
        self.deal(ask.BuyBackColourChips("Anna", "blue", 5))

    def short_round(self, number: str, *, draws: bool = False) -> None:
        self.send(do.PlaceYourBets())
        self.place(ANNA, "17", 1_000)
        self.place(BEN, "17", 400)
        self.close(draws=draws)
        self.deal(do.AnnounceOutcome(Number(number)), do.Settle())

    def owe_and_pay(self, round_number: int) -> None:
        """Anna takes her winnings away; the correction leaves a claim."""
        self.send(ask.CashOut("Anna", 255_000))
        corrected = do.CorrectOutcome(round_number, Number("5"))
        self.send(corrected, DEALER)
        self.send(corrected, DEALER, SUPERVISOR)
        self.deal(ask.PayClaim("Anna", 900_000_000), ask.PayClaim("Anna", 100))
        self.send(ask.BuyIn("Anna", 20_000))

    def run_down(self) -> None:
        self.send(ask.ChangeTerms(("* 2 600",), ()), SUPERVISOR)
        self.send(ask.ChangeTerms(("* x 600",), ()), SUPERVISOR)
        self.send(ask.CloseTable(), SUPERVISOR)
        self.send(ask.BuyIn("Anna", 100))
        self.send(ask.ReopenTable(), SUPERVISOR)
        self.send(ask.CountFloat(Count.CLOSING, 549_000), SUPERVISOR)

    def restated_and_decided(self) -> None:
        """A wrong compartment, a hold that is lifted, a decision after the end."""
        self.send(do.PlaceYourBets())
        wager = self.place(BEN, "odd", 1_000)
        self.deal(do.SpinBall(), do.NoMoreBets(), do.ReportBallAtRest(Number("17")))
        self.send(do.CorrectBall(Number("18"), "misread"), DEALER, SUPERVISOR)
        self.send(do.ReportIrregularity(Irregularity.UNLISTED))
        self.send(do.DecideContinue("seen by all"), GAMING_BOSS)
        self.deal(do.AnnounceOutcome(Number("18")), do.Settle())
        decided = do.DecideRound(4, do.DecideWager(wager, do.ReturnIt()))
        self.send(decided, GAMING_BOSS)

    def second_round(self) -> None:
        self.send(do.PlaceYourBets(), table=SECOND)
        self.place(BEN, "17", 900, table=SECOND)

    def interrupted(self, ball: Number | None) -> None:
        """A restart in the middle of a round, and what staff say of the ball."""
        self.steps.append(Reopen())
        self.send(do.Settle())
        self.send(ask.StateBall(ball))
        self.send(ask.ConfirmBall())
        self.send(ask.ConfirmBall(), SUPERVISOR)


def _triple_zero() -> tuple[Step | Reopen, ...]:
    play = _Play(electronic=True)
    play.buy_in()
    play.send(do.PlaceYourBets())
    play.wagering("red", "grand_series", "neighbours:21:3")
    play.second_round()
    play.close(draws=False)
    play.send(do.ReportTerminalsInterrupted(("T2",)), SYSTEM)
    play.deal(do.ReportBallDropped(), do.ReportBallAtRest(Number("17")))
    play.send(do.ShowDisplay(Number("4")), SYSTEM)
    play.deal(do.AnnounceOutcome(Number("17")), do.Settle(), do.Settle())
    play.money()
    play.owe_and_pay(1)
    play.send(ask.PayOwed("Anna", 100), CASHIER)
    play.send(ask.EndStay("Ben"), SYSTEM)
    meant = ask.RecordInterpretation("Does a slip count?", "As registered.", (1,))
    play.send(meant, TABLES_BOSS)
    play.short_round("000")
    play.send(do.VoidRounds((1, 2), Irregularity.BALL_BROKE), TABLES_BOSS)
    play.run_down()
    play.send(do.PlaceYourBets())
    play.place(ANNA, "17", 600)
    play.interrupted(None)
    play.send(do.Settle())
    return tuple(play.steps)


def _roulette_v3() -> tuple[Step | Reopen, ...]:
    play = _Play(electronic=False)
    play.buy_in()
    play.colours()
    play.send(do.PlaceYourBets())
    play.wagering("red", "split:17/20", "dozen:2")
    blue = do.PlaceWager(
        "b1", "Anna", read_wager("black"), None, colour="blue", colour_chips=3
    )
    play.send(blue, ANNA)
    play.send(do.AllowEarlyClose(), MANAGER)
    play.close(draws=False)
    play.send(do.MarkUnclear("w2"))
    play.deal(do.AnnounceOutcome(Number("17")), do.Settle())
    play.send(do.RuleOnWager("w2", do.GiveAmount(100)), SUPERVISOR)
    play.send(do.RuleOnWager("w3", do.ReturnIt()), DEALER)
    play.deal(do.Settle(), ask.BuyBackColourChips("Anna", "blue", 1))
    play.deal(do.ReturnColour("blue", "Anna"))
    play.send(do.PlaceYourBets())
    play.place(ANNA, "17", 1_000)
    play.deal(do.SpinBall(), do.ReportPowerFailure(), do.AnnounceNoSpin(), do.Settle())
    play.send(do.PlaceYourBets())
    play.place(BEN, "odd", 1_000)
    play.deal(do.ReportIrregularity(Irregularity.FOREIGN_OBJECT), do.Settle())
    play.restated_and_decided()
    play.send(do.PlaceYourBets())
    play.place(BEN, "odd", 1_000)
    play.deal(do.SpinBall(), do.NoMoreBets())
    play.interrupted(Number("17"))
    play.deal(do.AnnounceOutcome(Number("17")), do.Settle())
    return tuple(play.steps)


def _fast_action() -> tuple[Step | Reopen, ...]:
    play = _Play(electronic=True)
    play.buy_in()
    play.send(do.PlaceYourBets())
    play.wagering("bonus_win", "scatter_bonus")
    play.close(draws=True)
    play.deal(do.AnnounceOutcome(Number("17")), do.Settle())
    ten = numbers("0 00 S MBS 1 2 3 4 5 6")
    play.send(do.CorrectBonusNumbers(1, ten), DEALER, SUPERVISOR)
    play.send(do.PlaceYourBets())
    play.place(BEN, "super_bonus_win", 1_000)
    play.deal(do.SpinBall(), do.NoMoreBets())
    play.send(do.DrawBonusNumbers(ten), GENERATOR)
    play.deal(do.ReportUnlit(Number("5")), do.Settle())
    play.vouchers()
    play.send(do.PlaceYourBets())
    play.place(ANNA, "17", 600)
    play.close(draws=True)
    play.interrupted(None)
    play.deal(do.AnnounceOutcome(Number("8")), do.Settle())
    return tuple(play.steps)


def _held(first: str, second: str, *, electronic: bool) -> tuple[Step | Reopen, ...]:
    """What the documents of 2012 leave open is held and decided."""
    play = _Play(electronic=electronic)
    play.buy_in()
    play.send(do.PlaceYourBets())
    play.wagering(first, second, "red")
    play.deal(do.SpinBall(), do.NoMoreBets(), do.ReportPowerFailure())
    play.send(do.DecideWager("w1", do.GiveAmount(600)), GAMING_BOSS)
    play.send(do.DecideOutcome(Number("17")), DEALER)
    play.send(do.DecideOutcome(Number("17")), GAMING_BOSS)
    play.deal(do.Settle())
    play.send(do.PlaceYourBets())
    play.place(BEN, first, 200)
    play.send(do.ReportRoundInterrupted(), SYSTEM)
    play.send(do.DecideVoid(), GAMING_BOSS)
    play.deal(do.Settle())
    play.vouchers()
    play.short_round("17")
    play.send(do.PlaceYourBets())
    play.place(BEN, second, 200)
    play.interrupted(Number("20"))
    play.send(do.DecideOutcome(Number("20")), GAMING_BOSS)
    play.deal(do.Settle())
    return tuple(play.steps)


def _virtual() -> tuple[Step | Reopen, ...]:
    """Triple Zero on a virtual wheel, through two restarts and several snapshots."""
    play = _Play(electronic=True)
    play.buy_in()
    for restarts in (False, True, False):
        play.send(do.PlaceYourBets())
        play.place(ANNA, "red", 1_000)
        play.place(BEN, "tiers", 100)
        play.deal(do.SpinBall(), do.NoMoreBets())
        spun = play.send(ask.SpinVirtualWheel())
        play.send(do.ReportBallAtRest(Number("3")))
        if restarts:
            play.steps.append(Reopen())
        play.deal(do.AnnounceOutcome(Number(f"@{spun}")), do.Settle())
    play.vouchers()
    play.send(do.VoidRounds((1,), Irregularity.BALL_BROKE), TABLES_BOSS)
    play.send(do.PlaceYourBets())
    play.place(ANNA, "red", 1_000)
    play.steps.append(Reopen())
    play.deal(do.Settle(), do.SpinBall())
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
