"""A table for tests: staff, Players, a clock, and whole rounds in few words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from croupier.journal.store import Store
from croupier.ledger.commands import BuyIn
from croupier.rules.commands import PlaceWager
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, NewTable, Refused, Submission, Table
from croupier.table.commands import AnyCommand
from croupier.transcript import read_line

DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
ANNA = Person("Anna", Role.PLAYER)
BEN = Person("Ben", Role.PLAYER)
LIMITS = ("* 1 10000",)
NOON = 1_800_000_000_000
"""Milliseconds; the clock of the tests stands still unless a test moves it."""


class Played:
    """A table, and commands to it."""

    def __init__(self, store: Store, game: str = "rws-triple-zero", **options: object):
        self.now_ms = NOON
        self.store = store
        self._ids = count(1)
        self.game = game
        new = NewTable(DEALER, game, LIMITS)
        stream = str(options.pop("stream", "t1"))
        self.table = Table(
            store,
            stream,
            clock=lambda: self.now_ms,
            new=new,
            **options,  # type: ignore[arg-type]
        )

    def ask(self, command: AnyCommand, *people: Person) -> Answer:
        submission = Submission(f"c{next(self._ids)}", people or (DEALER,), command)
        [answer] = self.table.handle([submission])
        return answer

    def done(self, command: AnyCommand, *people: Person) -> Accepted:
        answer = self.ask(command, *people)
        assert isinstance(answer, Accepted), answer
        return answer

    def refused(self, command: AnyCommand, *people: Person) -> Refused:
        answer = self.ask(command, *people)
        assert isinstance(answer, Refused), answer
        return answer

    def say(self, *lines: str) -> list[Answer]:
        """Do the acts of these lines of a transcript."""
        answers = []
        for line in lines:
            act = read_line(self.table.state.series.game, line).act
            answers.append(self.ask(act.command, *act.people))
        return answers

    def play_round(self, number: str, wagers: Sequence[str] = ()) -> None:
        """Play a whole round; every act must be accepted."""
        for answer in self.say(
            "Dealer: place your bets",
            *wagers,
            "Dealer: spin",
            "Dealer: no more bets",
            f"Dealer: outcome {number}",
            "Dealer: settle",
        ):
            assert isinstance(answer, Accepted), answer

    def buy_in(self, name: str, cents: int) -> None:
        self.done(BuyIn(name, cents))

    def credit(self, name: str) -> int:
        return self.store.balances(self.table.stream).get(f"seat:{name}", 0)  # type: ignore[call-overload,no-any-return]


def placing(
    wager_id: str, text: str = "17", cents: int = 100, player: str = "Anna"
) -> PlaceWager:
    return PlaceWager(wager_id, player, read_wager(text), cents, electronic=True)
