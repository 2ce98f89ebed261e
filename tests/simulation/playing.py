"""What Players do next: wagers, mostly; and their credit from table to table."""

from __future__ import annotations

from croupier.ledger.accounts import seat
from croupier.ledger.commands import IssueVoucher, PayVoucher, RedeemVoucher
from croupier.rules import commands
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase, RoundOfPlay
from croupier.table import commands as table_commands
from croupier.table.state import TableState
from tests.rules.random_play import COLOURS, PLAYERS, TERMINALS, wager_names
from tests.simulation.dealing import CASHIER, Act
from tests.simulation.seeded import Dice

Wagering = commands.PlaceWager | commands.IncreaseWager | commands.WithdrawWager
STAKES = (50, 100, 500, 1_000, 2_500, 20_000)


class Playing:
    """One Player at one table, with the house's vouchers in sight."""

    def __init__(self, game: Game, name: str, dice: Dice, vouchers: list[str]) -> None:
        assert name in PLAYERS
        self.game = game
        self.name = name
        self.person = Person(name, Role.PLAYER)
        self.dice = dice
        self._vouchers = vouchers
        self._placed = 0

    def next_act(self, state: TableState) -> Act | None:
        if state.is_interrupted and not self.dice.is_one_in(20):
            return None
        match self.dice.below(40):
            case 0:
                return self._issue(state)
            case 1 if self._vouchers:
                return self._redeem()
        if state.series.last == 0:
            return None
        current = state.series.current
        if current.phase is not Phase.BETTING and not self.dice.is_one_in(40):
            return None
        if self.dice.is_one_in(6):
            return (self.person,), self._together(state, current)
        return (self.person,), self._wager(state, current)

    def _together(
        self, state: TableState, current: RoundOfPlay
    ) -> table_commands.Together:
        """As a Player asks for the wagers of the last round again."""
        count = 1 + self.dice.below(4)
        return table_commands.Together(
            tuple(self._wager(state, current) for _ in range(count))
        )

    def _issue(self, state: TableState) -> Act:
        credit = state.balance(seat(self.name))
        cents = credit // self.dice.one((1, 2, 3)) + self.dice.one((0, 0, 0, 1))
        return (self.person,), IssueVoucher(self.name, cents)

    def _redeem(self) -> Act:
        """Often a recent one; sometimes one that was used before."""
        recent = self._vouchers[-4:] if self.dice.is_one_in(2) else self._vouchers
        code = self.dice.one(recent)
        if self.dice.is_one_in(4):
            return (CASHIER,), PayVoucher(code)
        return (self.person,), RedeemVoucher(self.name, code)

    def _wager(self, state: TableState, current: RoundOfPlay) -> Wagering:
        own = [w for w in current.board.in_order() if w.player == self.name]
        if own and self.dice.is_one_in(6):
            wager_id = self.dice.one(own).wager_id
            return commands.IncreaseWager(wager_id, self.name, self.dice.one(STAKES))
        if own and self.dice.is_one_in(10):
            return commands.WithdrawWager(self.dice.one(own).wager_id, self.name)
        return self._place(state)

    def _place(self, state: TableState) -> commands.PlaceWager:
        self._placed += 1
        names = wager_names(self.game.name)
        few = names[:6] if self.dice.is_one_in(2) else names
        on_felt = self.game.provides(Rule.CHIPS_ON_LAYOUT) and self.dice.is_one_in(3)
        colour = self._own_colour(state) if on_felt else None
        wager = self.dice.one(few)
        at_maximum = wager.startswith("complete_maximum")
        stake = None if at_maximum or colour else self.dice.one(STAKES)
        return commands.PlaceWager(
            wager_id=f"{self.name}{self._placed}",
            player=self.name,
            wager=read_wager(wager),
            stake_cents=stake,
            electronic=not on_felt,
            registered=on_felt or not self.dice.is_one_in(20),
            terminal=None if on_felt else self.dice.one(TERMINALS),
            colour=colour,
            colour_chips=1 + self.dice.below(5) if colour else 0,
        )

    def _own_colour(self, state: TableState) -> str | None:
        colours = state.series.colours
        own = [c for c in COLOURS if c in colours and colours[c].player == self.name]
        return self.dice.one(own) if own else None
