"""Tables with a wheel sensor, lights and a crash: all that devices can say."""

from __future__ import annotations

from typing import Any

from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.ledger.commands import BuyIn
from croupier.rules.commands import AnswerReport, ReportSensor
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Submission, Table
from croupier.table.commands import (
    AnyCommand,
    ChangeTerms,
    ConfirmBall,
    ReportLight,
    StateBall,
)
from croupier.transcript import read_line
from tests.audit.floor import DEALER, DRAW, SUPERVISOR, Seated
from tests.journal.scene import Clock

SENSOR, LIGHTS = "wheel-1", "lights-1"
SENSOR_PERSON = Person(SENSOR, Role.SENSOR)


def play_with_sensors(store: Store) -> None:
    """Three tables: a sensor that is obeyed, lights, and a table that crashes."""
    clock = Clock()
    _play_wheel(store, clock)
    _play_lights(store, clock)
    _play_crash(store, clock)


def _play_wheel(store: Store, clock: Clock) -> None:
    """A spin as the sensor sees it, a dispute that two end, a report answered."""
    table = Seated(store, "wheel", "rws-triple-zero", clock)
    table.done(BuyIn("Anna", 100_000))
    table.say("Dealer: place your bets")
    place(table, 1, "Anna: place 17 10 as w1 at T1")
    table.say("Dealer: spin")
    table.done(ReportSensor("dropped", revolutions=7), SENSOR_PERSON)
    table.done(ReportSensor("at_rest", Number("17")), SENSOR_PERSON)
    table.say("Dealer: outcome 17", "Dealer: settle")
    table.say("Dealer: place your bets")
    place(table, 2, "Anna: place 5 10 as w1 at T1")
    table.say("Dealer: spin")
    table.done(ReportSensor("at_rest", Number("5")), SENSOR_PERSON)
    table.say("Dealer: outcome 6")
    table.done(StateBall(Number("5")))
    table.done(ConfirmBall(), SUPERVISOR)
    table.say("Dealer: outcome 5", "Dealer: settle")
    table.say("Dealer: place your bets", "Dealer: spin")
    table.done(ReportSensor("foreign_object"), SENSOR_PERSON)
    answer = AnswerReport(Irregularity.FOREIGN_OBJECT, False, "a shadow")
    table.done(answer, DEALER, SUPERVISOR)
    table.say("Dealer: no more bets", "Dealer: outcome 8", "Dealer: settle")


def _play_lights(store: Store, clock: Clock) -> None:
    """A draw whose lights the device tells, each."""
    table = Seated(store, "lights", "mbs-fast-action-v2", clock)
    table.say("Dealer: place your bets", "Dealer: spin", "Dealer: no more bets", DRAW)
    for number in DRAW.split()[3:]:
        table.done(ReportLight(LIGHTS, Number(number)))
    table.say("Dealer: outcome 17", "Dealer: settle")


def _play_crash(store: Store, clock: Clock) -> None:
    """A round found in play: two people state a spin and where the ball rests."""
    table = Seated(store, "crash", "rws-triple-zero", clock)
    table.done(BuyIn("Anna", 100_000))
    table.say("Dealer: place your bets")
    place(table, 1, "Anna: place 17 10 as w1 at T1")
    table.table = Table(store, "crash", clock=clock)
    table.done(StateBall(Number("17"), spun=True))
    table.done(ConfirmBall(), SUPERVISOR)
    table.say("Dealer: outcome 17", "Dealer: settle")


def place(table: Seated, number: int, line: str) -> None:
    """Place a wager that names its round, as a terminal does (A39)."""
    act = read_line(table.table.state.series.game, line).act
    name = f"{table.table.stream} {number} {line}"
    table.table.handle([Submission(name, act.people, act.command, number)])


class Watched:
    """A table with a sensor, and who speaks there."""

    def __init__(self, store: SqliteStore, game: str = "rws-triple-zero") -> None:
        self._store, self._clock = store, Clock()
        self._seated = Seated(store, "t1", game, self._clock, snapshot_every=1_000)
        self._seated.done(BuyIn("Anna", 100_000))

    def play(self, scene: str) -> bool:
        """Do what is said, as far as it is taken; return whether all of it was."""
        return all(self._takes(words) for words in scene.split(" | "))

    def _takes(self, words: str) -> bool:
        first, _, rest = words.partition(" ")
        if first == "crash":
            self._seated.table = Table(self._store, "t1", clock=self._clock)
            return True
        if first == "stated":
            self._seated.done(StateBall(Number(rest)))
            return self._is_taken(ConfirmBall(), SUPERVISOR)
        if first == "dropped":
            laps = int(rest) if rest else None
            return self._is_taken(ReportSensor(first, None, laps), SENSOR_PERSON)
        if first in {"at_rest", "foreign_object", "spun"}:
            number = Number(rest) if rest else None
            return self._is_taken(ReportSensor(first, number), SENSOR_PERSON)
        if words == "no limits":
            return self._is_taken(ChangeTerms((), ()))
        if first == "of":
            return self._is_registered(int(rest.removeprefix("round ")))
        line = words if ": " in words else f"Dealer: {words}"
        act = read_line(self._seated.table.state.series.game, line).act
        return self._is_taken(act.command, *act.people)

    def _is_taken(self, command: AnyCommand, *people: Any) -> bool:
        return isinstance(self._seated.answer(command, *people), Accepted)

    def _is_registered(self, round_number: int) -> bool:
        table = self._seated.table
        act = read_line(table.state.series.game, "Anna: place 17 10 as w9").act
        [answer] = table.handle(
            [Submission("old", act.people, act.command, round_number)]
        )
        return isinstance(answer, Accepted)
