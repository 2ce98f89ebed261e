"""One table over a store in memory or on a file, asked one thing at a time."""

from __future__ import annotations

from collections.abc import Callable

from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.store import Store
from croupier.ledger.accounts import Account
from croupier.ledger.commands import BuyIn
from croupier.rules import commands
from croupier.rules.clause import Refusal, Rule
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table.answers import Accepted, Answer, Refused
from croupier.table.commands import AnyCommand, DrawNow, Submission
from croupier.table.table import NewTable, Permit, Table
from tests.robustness.stores import MemoryStore
from tests.simulation.seeded import SeededEntropy, SimulatedClock

DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
RWS_MANAGER = Person("Shift Manager", Role.TABLE_GAMES_SHIFT_MANAGER)
MBS_MANAGER = Person("Shift Manager", Role.GAMING_SHIFT_MANAGER)
ANNA, BEN = Person("Anna", Role.PLAYER), Person("Ben", Role.PLAYER)


class OneTable:
    """A table and its store; `reopen` is a crash and a start."""

    def __init__(
        self,
        game: str = "rws-triple-zero",
        *limits: str,
        stream: str = "t1",
        virtual_wheel: bool = False,
        open_store: Callable[[], Store] | None = None,
        snapshot_every: int = 2_000,
        permit: Permit | None = None,
        is_anonymous: Callable[[str], bool] = lambda _seat: False,
        clock: SimulatedClock | None = None,
        asked: int = 0,
        dealer: Person = DEALER,
    ) -> None:
        """`asked` counts the ids that the store's commands have already."""
        self.stream = stream
        self.clock = clock or SimulatedClock()
        self.open_store = open_store or MemoryStore().again
        self.store = self.open_store()
        self.snapshot_every = snapshot_every
        self._permit, self._is_anonymous = permit, is_anonymous
        self._asked = asked
        self._dealer = dealer
        self._new = NewTable(dealer, game, limits, (), virtual_wheel)
        self.table = self._open()

    def _open(self) -> Table:
        return Table(
            self.store,
            self.stream,
            clock=self.clock,
            new=self._new,
            house=DEFAULT_HOUSE,
            entropy=SeededEntropy(self.stream),
            salts=SeededEntropy(f"salts {self.stream}"),
            snapshot_every=self.snapshot_every,
            permit=self._permit,
            is_anonymous=self._is_anonymous,
        )

    def reopen(self, store: Store | None = None) -> None:
        """Everything in memory is lost; another store may stand before the disk."""
        self.store.close()
        self.store = store or self.open_store()
        self.restart()

    def restart(self) -> None:
        """Open the table once more on the same store."""
        self.table = self._open()

    def ask(self, command: AnyCommand, *people: Person) -> Answer:
        self._asked += 1
        return self.send(f"{self.stream} {self._asked}", command, *people)

    def send(self, command_id: str, command: AnyCommand, *people: Person) -> Answer:
        submission = Submission(command_id, people or (self._dealer,), command)
        [answer] = self.table.handle([submission])
        return answer

    def do(self, command: AnyCommand, *people: Person) -> Accepted:
        """Something that is accepted."""
        answer = self.ask(command, *people)
        assert isinstance(answer, Accepted), answer
        return answer

    def refusal(self, command: AnyCommand, *people: Person) -> Refusal:
        """Something that is refused."""
        answer = self.ask(command, *people)
        assert isinstance(answer, Refused), answer
        return answer.refusal

    def place(
        self, wager_id: str, wager: str, cents: int, player: Person = ANNA
    ) -> Accepted:
        """A wager placed electronically."""
        placing = commands.PlaceWager(
            wager_id, player.name, read_wager(wager), cents, electronic=True
        )
        return self.do(placing, player)

    def bought_in(self, cents: int, player: Person = ANNA) -> OneTable:
        self.do(BuyIn(player.name, cents))
        return self

    def opened(self) -> OneTable:
        self.do(commands.PlaceYourBets())
        return self

    def close_betting(self) -> None:
        self.do(commands.SpinBall())
        self.do(commands.NoMoreBets())
        if self.table.state.series.game.provides(Rule.BONUS_DRAW):
            self.do(DrawNow())

    def conclude(self, number: str) -> Accepted:
        """From the spin to the last payment."""
        self.close_betting()
        self.do(commands.AnnounceOutcome(Number(number)))
        return self.do(commands.Settle())

    def play_round(self, wager: str, cents: int, number: str) -> None:
        """A whole round with one wager of Anna's."""
        self.opened()
        self.place("w1", wager, cents)
        self.conclude(number)

    def correct(self, round_number: int, number: str) -> Accepted:
        correction = commands.CorrectOutcome(round_number, Number(number))
        return self.do(correction, DEALER, SUPERVISOR, MBS_MANAGER)

    def credit(self, player: str = "Anna") -> int:
        return self.table.state.balance(Account(f"seat:{player}"))

    def entries_of(self, answer: Accepted) -> list[tuple[str, int]]:
        """The entries that a command made, in order."""
        return [
            (str(entry.account), entry.cents)
            for sequence, _, entry in self.store.entries(self.stream)
            if answer.first <= sequence <= answer.last
        ]
