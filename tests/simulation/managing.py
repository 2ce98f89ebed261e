"""What the pit does around the rounds: money, colours, corrections, the float."""

from __future__ import annotations

from collections.abc import Callable

from croupier.journal.events.plan import day_after
from croupier.ledger.accounts import claim, seat
from croupier.ledger.commands import (
    Adjust,
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    CountFloat,
    EndStay,
    Fill,
    PayClaim,
    PayOwed,
    TakeCredit,
)
from croupier.ledger.money import Count
from croupier.rules import commands as rule_commands
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import commands as table_commands
from croupier.table.state import TableState
from tests.rules.random_play import COLOURS, PLAYERS, TERMINALS
from tests.simulation.dealing import (
    CASHIER,
    DEALER,
    SUPERVISOR,
    Act,
    Dealing,
    boss_of,
)
from tests.simulation.seeded import Dice

SYSTEM = Person("system", Role.SYSTEM)
_SENSED = (
    rule_commands.ReportSensor("spun", None, 3),
    rule_commands.ReportSensor("spun", None, 6),
    rule_commands.ReportSensor("dropped", None, 5),
    rule_commands.ReportSensor("at_rest", Number("17")),
    rule_commands.ReportSensor("foreign_object"),
)
ANONYMOUS = PLAYERS[-1:]
"""The seats at which Players come and go unnamed."""
_POOR = 20_000
_BEFORE_ALL = "2027-01-14"


class Managing:
    """Everybody at one table who is neither Player nor deals the round."""

    def __init__(self, game: Game, dice: Dice, dealing: Dealing) -> None:
        self.game = game
        self.dice = dice
        self._dealing = dealing
        self._choices: tuple[tuple[int, Callable[[TableState], Act | None]], ...] = (
            (9, self._buy_in),
            (5, self._cash_out),
            (5, self._correct),
            (2, self._void_rounds),
            (3, self._colour),
            (4, self._colour_chips),
            (3, self._float),
            (2, self._adjust),
            (2, self._correct_record),
            (4, self._pay_claim),
            (1, self._interpret),
            (1, self._begin_day),
            (2, self._end_stay),
            (2, self._pay_owed),
            (3, self._reported),
            (2, lambda _: self._dealing.odd_act()),
        )

    def next_act(self, state: TableState) -> Act | None:
        waits = state.is_interrupted or self.dice.is_one_in(2)
        if waits and not self.dice.is_one_in(20):
            return None
        weights = [weight for weight, _ in self._choices]
        [(_, choice)] = self.dice.random.choices(self._choices, weights)
        return choice(state)

    def _buy_in(self, state: TableState) -> Act | None:
        name = self.dice.one(PLAYERS)
        if state.balance(seat(name)) > _POOR:
            return None
        return (self._cashier(),), BuyIn(name, 1_000 * (1 + self.dice.below(100)))

    def _cash_out(self, state: TableState) -> Act | None:
        """All of it, usually: what is gone can't be taken back by a correction."""
        name = self.dice.one(PLAYERS)
        credit = state.balance(seat(name))
        wanted = self.dice.one((credit, credit, credit, credit // 2, credit + 1))
        return ((self._cashier(),), CashOut(name, wanted)) if wanted else None

    def _cashier(self) -> Person:
        return self.dice.one((DEALER, CASHIER))

    def _correct(self, state: TableState) -> Act | None:
        last = state.series.last
        if last == 0:
            return None
        back = self.dice.below(3) if self.dice.is_one_in(2) else self.dice.below(last)
        number = self.dice.one(self.game.numbers[:6])
        correct = rule_commands.CorrectOutcome(max(1, last - back), number)
        return (DEALER, boss_of(self.game)), correct

    def _correct_record(self, state: TableState) -> Act | None:
        """The compartment before the announcement, or a draw of any round."""
        if not state.series.last:
            return None
        people = (DEALER, boss_of(self.game))
        drawn = state.series.current.facts.bonus_numbers
        if drawn is None or self.dice.is_one_in(2):
            return people, rule_commands.CorrectBall(
                self.dice.one(self.game.numbers[:6])
            )
        first = self.dice.below(len(self.game.numbers) - len(drawn))
        other = self.game.numbers[first : first + len(drawn)]
        return people, rule_commands.CorrectBonusNumbers(state.series.last, other)

    def _void_rounds(self, state: TableState) -> Act:
        last = max(1, state.series.last)
        rounds = tuple(1 + self.dice.below(last) for _ in range(self.dice.one((1, 2))))
        voiding = rule_commands.VoidRounds(rounds, Irregularity.BALL_BROKE)
        return (boss_of(self.game),), voiding

    def _colour(self, state: TableState) -> Act:
        colour, player = self.dice.one(COLOURS), self.dice.one(PLAYERS)
        if colour in state.series.colours and self.dice.is_one_in(3):
            player = state.series.colours[colour].player
            return (DEALER,), rule_commands.ReturnColour(colour, player)
        marker, place = (
            rule_commands.ValueMarker.MARKER,
            rule_commands.MarkerPlace.STAND,
        )
        value = self.dice.one((100, 500))
        return (DEALER,), rule_commands.IssueColour(
            colour, player, value, marker, place
        )

    def _colour_chips(self, state: TableState) -> Act | None:
        colours = state.series.colours
        held = [colour for colour in COLOURS if colour in colours]
        if not held:
            return None
        colour, chips = self.dice.one(held), 1 + self.dice.below(40)
        player = colours[colour].player
        if self.dice.is_one_in(2):
            return (DEALER,), BuyColourChips(player, colour, chips)
        return (DEALER,), BuyBackColourChips(player, colour, chips)

    def _float(self, _: TableState) -> Act:
        cents = 1_000 * (1 + self.dice.below(500))
        commands: tuple[table_commands.AnyCommand, ...] = (
            Fill(cents),
            TakeCredit(cents),
            CountFloat(self.dice.one(list(Count)), cents),
        )
        people = (SUPERVISOR, CASHIER) if self.dice.is_one_in(3) else (SUPERVISOR,)
        return people, self.dice.one(commands)

    def _begin_day(self, state: TableState) -> Act:
        """Close a gaming day early, with or without authority."""
        begin = table_commands.BeginGamingDay(day_after(state.begun_day or _BEFORE_ALL))
        return (self.dice.one((SYSTEM, DEALER)),), begin

    def _adjust(self, state: TableState) -> Act:
        name = self.dice.one(PLAYERS)
        cents = self.dice.one((500, -500, 1, -state.balance(seat(name)), 0))
        people = self.dice.one(((DEALER, SUPERVISOR), (DEALER, DEALER)))
        return people, Adjust(name, cents, self.dice.one(("miscounted", "")))

    def _pay_claim(self, state: TableState) -> Act | None:
        owing = [p for p in PLAYERS if state.balance(claim(p)) < 0]
        if not owing:
            return None
        player = self.dice.one(owing)
        owed = -state.balance(claim(player))
        paid = self.dice.one((owed, (owed + 1) // 2, owed + 1))
        return (DEALER,), PayClaim(player, paid)

    def _interpret(self, state: TableState) -> Act:
        rounds = (state.series.last,) if state.series.last else ()
        said = table_commands.RecordInterpretation(
            "where is 0/2?", "on the line", rounds
        )
        return (boss_of(self.game),), said

    def _end_stay(self, state: TableState) -> Act | None:
        stays = [name for name in ANONYMOUS if state.stay_at(name) is not None]
        return ((SYSTEM,), EndStay(self.dice.one(stays))) if stays else None

    def _pay_owed(self, state: TableState) -> Act | None:
        kept = [
            (account.partition(":")[2], cents)
            for account, cents in state.balances.items()
            if account.startswith("owed:") and cents
        ]
        if not kept:
            return None
        player, cents = self.dice.one(kept)
        paid = self.dice.one((cents, (cents + 1) // 2, cents + 1))
        return (CASHIER,), PayOwed(player, paid)

    def _reported(self, state: TableState) -> Act:
        """What devices say, and what was said to them."""
        number = self.dice.one(self.game.numbers)
        commands: tuple[table_commands.AnyCommand, ...] = (
            table_commands.ReportShown(self.dice.one(TERMINALS), "NoMoreBets", 17),
            _SENSED[sum(map(ord, number)) % len(_SENSED)],
            table_commands.ReportLight("L1", number),
            table_commands.AnswerNotice(
                "no spin", "5.1", accepted=self.dice.is_one_in(2)
            ),
        )
        command = self.dice.one(commands)
        if not isinstance(command, rule_commands.ReportSensor):
            return (SYSTEM,), command
        series = state.series
        waiting = series.current.facts.sensor.pending if series.last else ()
        if waiting:
            upheld = number == self.game.numbers[0]
            return (DEALER, SUPERVISOR), rule_commands.AnswerReport(waiting[0], upheld)
        return (Person("W1", Role.SENSOR),), command
