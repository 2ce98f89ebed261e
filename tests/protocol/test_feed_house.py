"""A client's views equal the house's, after random acts in every game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from croupier.house.floor.table import FloorTable
from croupier.house.people import devices
from croupier.house.records.house_state import DeviceKind
from croupier.house.views.connection import Connection
from croupier.ledger.commands import BuyIn
from croupier.protocol.answers import read_answer, write_answer
from croupier.protocol.client import TableConnection
from croupier.protocol.messages import ChangeWagers, Hello, MoreStake, NewWager, ToHouse
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table import Submission
from croupier.table.commands import AnyCommand, ChangeTerms, ConfirmLights, ReportShown
from croupier.transcript import read_line
from tests.golden_tables import GAMES
from tests.house_files import house_lines, staff_lines, table_lines
from tests.web.a_house import House, in_house

STEPS = 120
TABLE = "t1"
SYSTEM = Person("system", Role.SYSTEM)
DEALER = Person("Dana", Role.DEALER)
CASHIER = Person("Carl", Role.CASHIER)
USUAL = {
    "awaiting": ("Dealer: place your bets",),
    "betting": ("Dealer: spin", "Dealer: ball dropped", "Dealer: no more bets"),
    "closed": ("Dealer: outcome 17", "Dealer: outcome 0", "Dealer: outcome 32"),
    "decided": ("Dealer: settle",),
    "void": ("Dealer: settle",),
    "held": (
        "Gaming Shift Manager: decide void",
        "Gaming Shift Manager: decide outcome 32",
        "Table Games Shift Manager: decide outcome 32",
    ),
    "ended": ("Dealer: place your bets",),
}
"""Acts that move the round on."""
UNUSUAL = (
    "Dealer: spin 3",
    "Dealer: no spin",
    "Dealer: irregularity foreign_object",
    "Dealer: irregularity unlisted",
    "Dealer: unclear T1.w1",
    "Pit Supervisor: rule T1.w1 return",
    "Pit Manager: allow early close",
    "Dealer + Pit Supervisor: correct round 1 to 32",
    "Dealer + Pit Supervisor: correct round 2 to 0",
    "Gaming Shift Manager: correct round 2 to 5",
    "Table Games Shift Manager: void rounds 1 ball_broke",
    "Table Games Shift Manager: void rounds 2 ball_broke",
    "Dealer for T1: lay red 5 as staff1",
    "Dealer for T1: increase T1.w1 5",
    "Dealer for T1: withdraw T1.w2",
    "T1: increase T1.w1 5",
    "T1: withdraw T1.w2",
    "Dealer: colour blue to T1 5",
    "Dealer: colour blue from T1",
    "system: power failure",
    "system: interruption terminals T1",
)
STRAIGHT = "straight_up 10 50"
LIMITS = (("* 5 1000",), ("* 5 1000", STRAIGHT), (STRAIGHT,), ())
WAGERS = ("17", "red", "black", "17/20", "split:17/20", "tiers", "complete:17")


@dataclass(eq=False)
class Reader:
    """A connection as the house knows it, and the client at its other end."""

    house: House
    hello: Hello
    connection: Connection | None = None
    client: TableConnection = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        # A session keeps the client from reporting what it showed: nobody is there.
        hello = replace(self.hello, session="somebody")
        self.client = TableConnection(
            "http://house", TABLE, hello, None, self.house.clock
        )

    def put(self, message: bytes) -> None:
        self.client._heard(read_answer(message))

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        raise AssertionError(reason)

    def come(self) -> None:
        self.connection = self.house.floor.connections.connect(TABLE, self.hello, self)

    def go(self) -> None:
        assert self.connection is not None
        self.house.floor.connections.gone(self.connection)
        self.connection = None

    def say(self, message: ToHouse) -> None:
        assert self.connection is not None
        self.connection.take(write_answer(message))

    def new_id(self) -> str:
        self.count += 1
        return f"{self.hello.device}-{self.count}"


def _reader(house: House, kind: DeviceKind, name: str) -> Reader:
    record = house.floor.record
    code = devices.invite_unasked(record, "test", name, kind, TABLE)
    token, _ = devices.enrol(record, code)
    return Reader(house, Hello(device=token))


async def _submit(
    house: House, table: FloorTable, command: AnyCommand, *people: Person
) -> None:
    await table.submit(Submission(house.new_id(), people, command))


async def _play(chance: Random, house: House, readers: list[Reader]) -> None:
    """Do one step of a terminal, of the staff, or of a connection."""
    table = house.floor.table(TABLE)
    phase = table.state.phase.value
    terminal = chance.choice(readers[:2])
    dice = chance.randrange(20)
    if phase == "betting" and dice < 10 and terminal.connection is not None:
        terminal.say(_wagers(chance, terminal))
    elif dice in {10, 11, 12}:
        _come_or_go(chance, chance.choice(readers))
    elif dice == 13:
        await _submit(house, table, ChangeTerms(chance.choice(LIMITS), ()), DEALER)
    elif dice == 14:
        seat = chance.choice(("T1", "T2"))
        await _submit(house, table, BuyIn(seat, 50_000), CASHIER)
    else:
        if phase == "closed":
            await _submit(house, table, ConfirmLights(), DEALER)
        lines = UNUSUAL if dice == 15 else USUAL[phase]
        act = read_line(table.game, chance.choice(lines)).act
        await _submit(house, table, act.command, *act.people)


def _come_or_go(chance: Random, reader: Reader) -> None:
    """Often at once, with a snapshot."""
    if reader.connection is not None:
        reader.go()
    if chance.random() < 0.7:
        reader.come()


def _wagers(chance: Random, terminal: Reader) -> ChangeWagers:
    own = [wager.id for wager in terminal.client.own_wagers]
    name, round_ = terminal.new_id(), terminal.client.view.round
    if own and chance.random() < 0.4:
        wager_id = chance.choice(own)
        if chance.random() < 0.5:
            return ChangeWagers(name, round_, withdraw=(wager_id,))
        return ChangeWagers(name, round_, increase=(MoreStake(wager_id, 300),))
    new = [
        NewWager(
            terminal.client._next_id(), chance.choice(WAGERS), chance.choice((200, 500))
        )
        for _ in range(chance.randint(1, 3))
    ]
    return ChangeWagers(name, round_, place=tuple(new))


async def _settled_down(house: House, table: FloorTable) -> None:
    """Wait until every command is answered."""
    shown = ReportShown("T1", "no more bets", 5)
    for _ in range(2):
        await _submit(house, table, shown, SYSTEM)
    table.broadcast.stakes()


def _differences(reader: Reader, table: FloorTable) -> dict[str, object]:
    """Return the fields in which the client's view and the house's differ."""
    assert reader.connection is not None
    at = reader.connection
    shown = table.views.snapshot(at.audience, at.seat, at.prefix)
    kept = reader.client._known
    found: dict[str, object] = {}
    for part in ("view", "stakes", "seat", "staff"):
        one, other = getattr(kept, part), getattr(shown, part)
        assert (one is None) == (other is None), part
        for name in other.__struct_fields__ if other is not None else ():
            pair = [getattr(each, name) for each in (one, other)]
            if name == "wagers":  # kept by their ids, in any order
                pair = [{wager.id: wager for wager in each} for each in pair]
            if pair[0] != pair[1]:
                found[f"{part}.{name}"] = pair
    return found


async def _go_on(chance: Random, house: House) -> None:
    table = house.floor.table(TABLE)
    readers = [
        _reader(house, DeviceKind.TERMINAL, "T1"),
        _reader(house, DeviceKind.TERMINAL, "T2"),
        _reader(house, DeviceKind.BOARD, "B1"),
        Reader(house, Hello(session=await house.log_on("Sam"))),
    ]
    for reader in readers:
        reader.come()
    for step in range(STEPS):
        await _play(chance, house, readers)
        await _settled_down(house, table)
        for reader in readers:
            if reader.connection is not None:
                assert _differences(reader, table) == {}, step


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_the_kept_views_are_what_the_house_shows(
    game: str, seed: int, tmp_path: Path
) -> None:
    lights = ['lights = "dealer"'] if game == "mbs-fast-action-v2" else []
    countdown = f"countdown_seconds = {600 * (seed % 2)}"
    at = table_lines(TABLE, game, countdown, *lights, limits='"*" = [5, 1000]')
    text = house_lines() + at + staff_lines("Dana", "Sam")

    async def scenario(house: House) -> None:
        await _go_on(Random(f"{game} {seed}"), house)

    in_house(tmp_path, scenario, text)
