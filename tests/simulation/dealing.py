"""What the Dealer and those above do next, by what they see of their table."""

from __future__ import annotations

from croupier.rules import commands as rule_commands
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.wheel import Number
from croupier.table import commands as table_commands
from croupier.table.state import TableState
from tests.rules.random_play import TERMINALS, wild_plan
from tests.simulation.seeded import Dice

Act = tuple[tuple[Person, ...], table_commands.AnyCommand]
DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
PIT_MANAGER = Person("Pit Manager", Role.PIT_MANAGER)
CASHIER = Person("Cashier", Role.CASHIER)
TERMS = (
    (),
    ("* 1 10000",),
    ("* 5 200", "straight_up 5 50"),
    ("straight_up 1 100", "red 10 5000"),
)
CAPS = ((), ("area_maximum 5000",), ("area_maximum straight_up 300",))


def boss_of(game: Game) -> Person:
    """The highest position, who decides what is referred."""
    role = game.operator.ladder[-1]
    return Person(role.value, role)


class Dealing:
    """The staff around one wheel."""

    def __init__(self, game: Game, dice: Dice) -> None:
        self.game = game
        self.dice = dice
        self._odd_acts: list[Act] = []

    def next_act(self, state: TableState) -> Act | None:
        """Mostly the course of the round; None: they wait a little."""
        if state.is_interrupted:
            return self._after_interruption(state)
        if not state.is_open:
            return (DEALER,), table_commands.ReopenTable()
        if self.dice.is_one_in(30):
            return self.odd_act()
        if self.dice.is_one_in(25):
            return self.mishap()
        if state.series.last == 0 or state.is_between_rounds:
            return self._between_rounds()
        return self._course(state, state.series.current)

    def odd_act(self) -> Act:
        """Mishaps by those who may report them, and anything by anybody."""
        if not self._odd_acts:
            seed = self.dice.random.getrandbits(48)
            plan = wild_plan(self.game.name, seed)
            self._odd_acts = [
                (act.people, act.command) for acts in plan.rounds for act in acts
            ]
        return self._odd_acts.pop()

    def mishap(self) -> Act:
        """What may go wrong or come out of turn."""
        commands: list[table_commands.AnyCommand] = [
            rule_commands.ReportIrregularity(self.dice.one(list(Irregularity))),
            rule_commands.AnnounceNoSpin(),
            rule_commands.ShowDisplay(self._number()),
            rule_commands.ReportBallDropped(),
            rule_commands.ReportTerminalsInterrupted(TERMINALS[:1]),
            rule_commands.ReportTerminalsInterrupted(TERMINALS),
            rule_commands.ReportPowerFailure(),
            rule_commands.ReportRoundInterrupted(),
            table_commands.SpinVirtualWheel(),
            table_commands.DrawNow(),
            table_commands.ConfirmLights(),
            table_commands.StateBall(self._number()),
            table_commands.ConfirmBall(),
            table_commands.ReopenTable(),
        ]
        return (self.dice.one((DEALER, SUPERVISOR)),), self.dice.one(commands)

    def _after_interruption(self, state: TableState) -> Act:
        assert state.is_interrupted
        if self.dice.is_one_in(10):
            return self.odd_act()
        if state.ball_stated is not None and not self.dice.is_one_in(10):
            return (SUPERVISOR,), table_commands.ConfirmBall()
        at_rest = state.series.current.facts.at_rest
        if at_rest is None and self.dice.is_one_in(2):
            at_rest = self._number()
        return (DEALER,), table_commands.StateBall(at_rest)

    def _between_rounds(self) -> Act:
        match self.dice.below(40):
            case 0:
                return (SUPERVISOR,), table_commands.CloseTable()
            case 1 | 2:
                return (SUPERVISOR,), table_commands.ChangeTerms(
                    self.dice.one(TERMS), self.dice.one(CAPS)
                )
        if self.dice.is_one_in(20):
            return (DEALER,), rule_commands.Settle()
        return (DEALER,), rule_commands.PlaceYourBets()

    def _course(self, state: TableState, current: RoundOfPlay) -> Act | None:
        match current.phase:
            case Phase.AWAITING:
                return (DEALER,), rule_commands.PlaceYourBets()
            case Phase.BETTING:
                return self._betting(state, current)
            case Phase.CLOSED:
                return self._closed(state, current)
            case Phase.HELD:
                return self._held(current)
            case Phase.DECIDED if current.unclear:
                wager_id = min(current.unclear)
                return (SUPERVISOR,), rule_commands.RuleOnWager(
                    wager_id, rule_commands.ReturnIt()
                )
        return (DEALER,), rule_commands.Settle()

    def _betting(self, state: TableState, current: RoundOfPlay) -> Act | None:
        if not self.dice.is_one_in(2):
            return None
        if not current.facts.spun:
            if self.dice.is_one_in(12):
                return (PIT_MANAGER,), rule_commands.AllowEarlyClose()
            return (DEALER,), rule_commands.SpinBall()
        if current.board.wagers and self.dice.is_one_in(12):
            return (DEALER,), rule_commands.MarkUnclear(self._wager_id(current))
        if state.virtual_wheel and self.dice.is_one_in(5):
            return (DEALER,), table_commands.SpinVirtualWheel()
        return (DEALER,), rule_commands.NoMoreBets()

    def _closed(self, state: TableState, current: RoundOfPlay) -> Act:
        facts = current.facts
        if not facts.spun:
            return (DEALER,), rule_commands.SpinBall()
        if self.game.provides(Rule.BONUS_DRAW):
            if facts.bonus_numbers is None:
                return (DEALER,), table_commands.DrawNow()
            if self.dice.is_one_in(25):
                lit = self.dice.one(facts.bonus_numbers)
                return (DEALER,), rule_commands.ReportUnlit(lit)
            if self.dice.is_one_in(6):
                return (DEALER,), table_commands.ConfirmLights()
        if facts.at_rest is None and state.virtual_wheel:
            return (DEALER,), table_commands.SpinVirtualWheel()
        if not facts.dropped and self.dice.is_one_in(10):
            return (DEALER,), rule_commands.ReportBallDropped()
        if facts.at_rest is None and self.dice.is_one_in(6):
            return (DEALER,), rule_commands.ReportBallAtRest(self._number())
        return (DEALER,), rule_commands.AnnounceOutcome(facts.at_rest or self._number())

    def _held(self, current: RoundOfPlay) -> Act:
        boss = (boss_of(self.game),)
        match self.dice.below(5):
            case 0:
                return boss, rule_commands.DecideVoid()
            case 2:
                return boss, rule_commands.DecideContinue()
            case 1 if current.board.wagers:
                treatment = rule_commands.ReturnIt()
                return boss, rule_commands.DecideWager(
                    self._wager_id(current), treatment
                )
        return boss, rule_commands.DecideOutcome(
            current.facts.at_rest or self._number()
        )

    def _wager_id(self, current: RoundOfPlay) -> str:
        return self.dice.one(current.board.in_order()).wager_id

    def _number(self) -> Number:
        """Few of them come often, so that Players win."""
        numbers = self.game.numbers
        return self.dice.one(numbers[:6] if self.dice.is_one_in(2) else numbers)
