"""A house in this process: a journal in a folder, a floor, the API, a clock to move."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import DEMONSTRATION_PASSWORD, prepare
from croupier.house.floor.floor import Floor, FloorOptions
from croupier.house.people.log_on import choose_password
from croupier.house.people.second_factor import FactorKey
from croupier.house.records.house_record import HouseRecord
from croupier.house.views.messages import read_act_of
from croupier.journal.events.house import SeatLeft, SeatTaken
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.ledger.commands import BuyIn
from croupier.rules.commands import Command, PlaceWager
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Submission
from croupier.table.commands import AnyCommand
from croupier.transcript import read_line
from croupier.web.api import build_api
from croupier.web.security.authentication import ApiResources
from tests.house_files import house_lines, staff_lines, table_lines
from tests.reasons import with_reason
from tests.web.asking import Answer, exchange, receiving, scope_of

NOON = 1_800_000_000_000
PASSWORD = DEMONSTRATION_PASSWORD
STAFF = ("Dana", "Dora", "Sam", "Mira", "Max", "Carl", "Ines", "Ada")
_BY_HAND = "countdown_seconds = 0"
_LIMITS = '"*" = [1, 1000]'
TEXT = house_lines() + "".join(
    (
        table_lines("t1", "rws-triple-zero", _BY_HAND, limits=_LIMITS),
        table_lines("t2", "mbs-roulette-v3", _BY_HAND, limits=_LIMITS),
        staff_lines(*STAFF),
    )
)
REAL = TEXT.replace('"demonstration"', '"real"')
DEALER = Person("Dana", Role.DEALER)
SYSTEM = Person("system", Role.SYSTEM)
_PAYS_IN = re.compile("/api/tables/([^/]+)/seats/([^/]+)/(?:buy-in|redeem)")


class House:
    """A floor, the application over it, and a client."""

    def __init__(self, folder: Path, text: str) -> None:
        self.begin(open_store(str(folder / "house.db")))
        plan = read_house(text, "house.toml")
        prepare(self.store, self.clock, plan)
        record = HouseRecord(self.store, self.clock)
        for member in plan.staff:  # a demonstration house has them already
            if record.state.account(member.name).password is None:
                choose_password(record, member.name, PASSWORD)
        options = FloorOptions(
            clock=self.clock, steady=self.steady, factor_key=FactorKey(bytes(32))
        )
        self.serve(Floor(self.store, options))

    def begin(self, store: Store) -> None:
        """Begin at noon, with no session known."""
        self.now_ms = NOON
        self._ids = count(1)
        self._devices: dict[str, str] = {}
        """By session token, the token of the device that opened the session."""
        self.store = store

    def serve(self, floor: Floor) -> None:
        self.floor = floor
        self.app = build_api(ApiResources(floor))

    def clock(self) -> int:
        return self.now_ms

    def steady(self) -> float:
        return self.now_ms / 1000

    def pass_minutes(self, minutes: float) -> None:
        self.now_ms += round(minutes * 60_000)

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        named = dict(headers or {})
        if token is not None:
            named["authorization"] = f"Bearer {token}"
            if token in self._devices:
                named.setdefault("x-device-token", self._devices[token])
        content = b""
        if body is not None:
            named["content-type"] = "application/json"
            content = json.dumps(body).encode()
        target, mark, query = path.partition("?")
        scope = scope_of("http", method, quote(target) + mark + query, named)
        return await exchange(self.app, scope, receiving([content]))

    async def get(self, path: str, token: str | None = None) -> Any:
        """Return the JSON of a successful answer."""
        answer = await self.ask("GET", path, token=token)
        assert answer.status == 200, answer.body
        return answer.json()

    async def post(
        self, path: str, body: object = None, token: str | None = None
    ) -> Any:
        if pays_in := _PAYS_IN.fullmatch(path):
            self.seat(*pays_in.groups())
        answer = await self.ask("POST", path, body, token=token)
        assert answer.status in {200, 201, 204}, answer.body
        told: Any = answer.json() if answer.body else None
        if path == "/api/log-on" and isinstance(body, dict) and body.get("device"):
            self._devices[told["token"]] = body["device"]
        return told

    async def refused(
        self,
        status: int,
        method: str,
        path: str,
        body: object = None,
        token: str | None = None,
    ) -> str:
        """Return the sentence of a refusal with this status."""
        answer = await self.ask(method, path, body, token=token)
        assert answer.status == status, (answer.status, answer.body)
        return answer.error

    async def log_on(self, name: str) -> str:
        answer = await self.post("/api/log-on", {"name": name, "password": PASSWORD})
        return str(answer["token"])

    def new_id(self) -> str:
        return f"test-{next(self._ids)}"

    async def act(self, table: str, command: AnyCommand, *people: Person) -> Accepted:
        """Submit a command straight to the table, past the API."""
        if isinstance(command, BuyIn):
            self.seat(table, command.seat)
        command = with_reason(command)
        submission = Submission(self.new_id(), people or (DEALER,), command)
        answer = await self.floor.table(table).submit(submission)
        assert isinstance(answer, Accepted), answer
        return answer

    def seat(self, table: str, name: str) -> None:
        """Seat the Player whom a test gives money; a terminal needs no seat."""
        state = self.floor.record.state
        sits = state.sitting.get(name)
        if name in state.devices or (sits is not None and sits.table == table):
            return
        left = [] if sits is None else [SeatLeft(sits.table, sits.terminal, name)]
        self.floor.record.write(*left, SeatTaken(table, f"seat of {name}", name))

    async def say(self, table: str, *lines: str) -> None:
        """Do the acts of these lines of a transcript."""
        game = self.floor.table(table).game
        for line in lines:
            act = read_line(game, line).act
            await self.act(table, act.command, *act.people)

    def wager(self, player: str, wager: str, cents: int) -> PlaceWager:
        """Return an electronic wager with an id of its own."""
        return PlaceWager(
            self.new_id(), player, read_wager(wager), cents, electronic=True
        )

    def act_of(self, table: str, text: str) -> Command:
        return read_act_of(self.floor.table(table).game, text)

    async def play_round(self, table: str, *wagers: str, outcome: str) -> None:
        """Play a round from “Place your bets” to its settlement."""
        await self.say(table, "Dealer: place your bets", *wagers)
        await self.finish_round(table, outcome)

    async def finish_round(self, table: str, outcome: str) -> None:
        await self.say(
            table,
            "Dealer: spin",
            "Dealer: no more bets",
            f"Dealer: outcome {outcome}",
            "Dealer: settle",
        )


@asynccontextmanager
async def opened(folder: Path, text: str = TEXT) -> AsyncIterator[House]:
    house = House(folder, text)
    try:
        yield house
    finally:
        await house.floor.close()
        house.store.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def house(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house for one test, from the file of its `house_file` mark or the usual one."""
    mark = request.node.get_closest_marker("house_file")
    async with opened(tmp_path, *(mark.args if mark else ())) as house:
        yield house


def in_house(
    folder: Path, scenario: Callable[[House], Awaitable[None]], text: str = TEXT
) -> None:
    """Run a scenario against a house of its own."""

    async def run() -> None:
        async with opened(folder, text) as house:
            await scenario(house)

    asyncio.run(run())
