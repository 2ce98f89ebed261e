"""Tables with a wheel sensor, lights and a crash: all that devices can say."""

from __future__ import annotations

from croupier.journal.store import Store
from croupier.rules import commands as do
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Submission, Table
from croupier.table import commands as ask
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
    table.done(ask.BuyIn("Anna", 100_000))
    table.say("Dealer: place your bets")
    place(table, 1, "Anna: place 17 10 as w1 at T1")
    table.say("Dealer: spin")
    table.done(do.ReportSensor("dropped", revolutions=7), SENSOR_PERSON)
    table.done(do.ReportSensor("at_rest", Number("17")), SENSOR_PERSON)
    table.say("Dealer: outcome 17", "Dealer: settle")
    table.say("Dealer: place your bets")
    place(table, 2, "Anna: place 5 10 as w1 at T1")
    table.say("Dealer: spin")
    table.done(do.ReportSensor("at_rest", Number("5")), SENSOR_PERSON)
    table.say("Dealer: outcome 6")
    table.done(ask.StateBall(Number("5")))
    table.done(ask.ConfirmBall(), SUPERVISOR)
    table.say("Dealer: outcome 5", "Dealer: settle")
    table.say("Dealer: place your bets", "Dealer: spin")
    table.done(do.ReportSensor("foreign_object"), SENSOR_PERSON)
    answer = do.AnswerReport(Irregularity.FOREIGN_OBJECT, False, "a shadow")
    table.done(answer, DEALER, SUPERVISOR)
    table.say("Dealer: no more bets", "Dealer: outcome 8", "Dealer: settle")


def _play_lights(store: Store, clock: Clock) -> None:
    """A draw whose lights the device tells, each."""
    table = Seated(store, "lights", "mbs-fast-action-v2", clock)
    table.say("Dealer: place your bets", "Dealer: spin", "Dealer: no more bets", DRAW)
    for number in DRAW.split()[3:]:
        table.done(ask.ReportLight(LIGHTS, Number(number)))
    table.say("Dealer: outcome 17", "Dealer: settle")


def _play_crash(store: Store, clock: Clock) -> None:
    """A round found in play: two people state a spin and where the ball rests."""
    table = Seated(store, "crash", "rws-triple-zero", clock)
    table.done(ask.BuyIn("Anna", 100_000))
    table.say("Dealer: place your bets")
    place(table, 1, "Anna: place 17 10 as w1 at T1")
    table.table = Table(store, "crash", clock=clock)
    table.done(ask.StateBall(Number("17"), spun=True))
    table.done(ask.ConfirmBall(), SUPERVISOR)
    table.say("Dealer: outcome 17", "Dealer: settle")


def place(table: Seated, number: int, line: str) -> None:
    """Place a wager that names its round, as a terminal does (A39)."""
    act = read_line(table.table.state.series.game, line).act
    name = f"{table.table.stream} {number} {line}"
    table.table.handle([Submission(name, act.people, act.command, number)])
