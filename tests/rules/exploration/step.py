"""One act of the search with what came of it, and the clauses that laws ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal
from croupier.rules.operator import Role
from croupier.rules.series import Answer, Series
from tests.rules.exploration.record import Notes, Record


@dataclass(frozen=True)
class Step:
    """One act, with what came of it."""

    act: do.Act
    answer: Answer
    before: Series
    after: Series
    record_before: Record
    record_after: Record

    @property
    def game(self) -> str:
        return self.before.game.name

    @property
    def command(self) -> do.Command:
        return self.act.command

    @property
    def accepted(self) -> bool:
        return not isinstance(self.answer, Refusal)

    @property
    def refused_by(self) -> str | None:
        return self.answer.clause.number if isinstance(self.answer, Refusal) else None

    @property
    def was(self) -> Notes:
        return self.record_before.current

    @property
    def now(self) -> Notes:
        return self.record_after.current

    def rounds(self) -> Iterator[tuple[Notes, Notes]]:
        """Yield each round as it was and as it is."""
        return zip(self.record_before.rounds, self.record_after.rounds, strict=True)

    def events(self, kind: type[ev.Event]) -> list[ev.Event]:
        answer = () if isinstance(self.answer, Refusal) else self.answer
        return [each.event for each in answer if isinstance(each.event, kind)]


@dataclass(frozen=True)
class Breach:
    """A step against a law, with the acts that led to it."""

    law: str
    why: str
    game: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        lines = "".join(f"\n    {line}" for line in self.path)
        return f"{self.game}: {self.law}: {self.why}{lines}"


@dataclass(frozen=True)
class Cited:
    """The clauses that a document gives for what several laws ask."""

    outcome: str
    late_wager: str
    late_withdrawal: str
    held: str
    unprovided: str
    spin: str
    no_spin: tuple[str, str] | None
    """Plainly, and after a power failure before the drop."""
    foreign_object: str
    ball_broke: str
    few_revolutions: str
    interference: str


CITED = {
    "mbs-roulette-v2": Cited(
        "3.7", "5.11", "5.12", "A12", "A12", "3.5", None, "5.4", "5.7", "5.3", "5.10"
    ),
    "mbs-roulette-v3": Cited(
        *("3.8", "5.13", "5.14", "6.2", "6.2", "3.6", ("5.12", "5.11.1")),
        *("5.4", "5.7", "5.3", "5.10"),
    ),
    "mbs-complete-bet-v2": Cited(
        "3.9", "5.11", "5.12", "A12", "A12", "3.7", None, "5.4", "5.7", "5.3", "5.10"
    ),
    "mbs-fast-action-v2": Cited(
        *("3.8", "5.14", "5.15", "6.2", "6.2", "3.6", ("5.13", "5.12.1")),
        *("5.4", "5.7", "5.3", "5.10"),
    ),
    "rws-triple-zero": Cited(
        *("3.7", "3.5", "5.7", "5.10", "A12", "3.6", None),
        *("5.3.7", "5.4", "5.3.2", "5.3.8"),
    ),
}
LADDER = (
    Role.DEALER,
    Role.PIT_SUPERVISOR,
    Role.PIT_MANAGER,
    Role.GAMING_SHIFT_MANAGER,
    Role.TABLE_GAMES_SHIFT_MANAGER,
)
WAGERING = (do.PlaceWager, do.IncreaseWager, do.WithdrawWager)
NAMES_A_ROUND = (
    do.CorrectOutcome,
    do.CorrectBonusNumbers,
    do.DecideRound,
    do.VoidRounds,
)


Law = Callable[[Step], Iterator[str]]
"""Yields why a step breaks it; its clauses and readings stand in its docstring."""
