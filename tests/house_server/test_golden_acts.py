"""Every role, act and state of the golden tables, over sockets.

What the house adds to the documents, and is not in the tables:
- a round begins with “Place your bets”: before the first there is none to act on, and
  after each the next may be opened;
- an outcome is keyed, then confirmed; rounds are voided by proposal;
- a Player wagers at a terminal; what a Player lays, the Dealer records.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import Any, NamedTuple

import pytest

from croupier.games import find_game
from croupier.protocol import answers as say
from croupier.rules.clause import Rule
from tests.golden_tables import golden_rows
from tests.house_server.line import Line, clause_of, line_to
from tests.house_server.server import GAMES, House

STATES = ("awaiting", "betting", "spun", "closed", "decided", "void", "held", "ended")
ROLES = {
    "P": None,
    "D": ("Dana", "Dealer"),
    "PS": ("Sam", "Pit Supervisor"),
    "PM": ("Mira", "Pit Manager"),
    "acting PM": ("Sue", "Pit Manager"),
    "GSM": ("Mira", "Gaming Shift Manager"),
    "TGSM": ("Mira", "Table Games Shift Manager"),
}
"""Who does it, in which position; nobody is the system or the generator."""
_STEPS = {
    "betting": (),
    "spun": ("spin",),
    "closed": ("spin", "no more bets"),
    "decided": ("spin", "no more bets", "outcome 17"),
    "void": ("spin", "no more bets", "irregularity foreign_object"),
    "held": ("spin", "no more bets", "irregularity unlisted"),
    "ended": ("spin", "no more bets", "outcome 17", "settle"),
}
_MILLISECONDS_OF_A_DAY = 86_400_000


class Cell(NamedTuple):
    act: str
    role: str
    wanted: str
    """`ok`, or the clause."""


def cells(game: str, state: str) -> Iterator[Cell]:
    for row in golden_rows(f"{game}.acts"):
        act, roles, answers = (part.strip() for part in row.split("|"))
        wanted = answers.split()[STATES.index(state)]
        for role in roles.split(","):
            if role in ROLES:
                yield Cell(act, role, wanted)
            if role == "PM" and find_game(game).provides(Rule.ACTING):
                yield Cell(act, "acting PM", wanted)


class Scene:
    """Everybody at one table, and the round in play."""

    def __init__(self, house: House, table: str) -> None:
        self.house, self.table = house, table
        self.game = find_game(GAMES[table])
        self.lines: dict[str, Line] = {}
        self._count = count(1)

    async def fill(self, stack: AsyncExitStack) -> None:
        self.house.deal(self.table)
        for role, who in ROLES.items():
            named: dict[str, Any] = {"device": f"Anna-{self.table}"}
            if who is not None:
                named = {"staff": who[0]}
            line = line_to(self.house, self.table, **named)
            self.lines[role] = await stack.enter_async_context(line)

    @property
    def dealer(self) -> Line:
        return self.lines["D"]

    async def ask(self, cell: Cell) -> say.Answered | say.MessageProblem:
        line, act = self.lines[cell.role], self._written(cell.act)
        if cell.role == "P":
            return await self._by_player(line, act)
        position = ROLES[cell.role][1]  # type: ignore[index]
        named: dict[str, Any] = {"position": position}
        if act.startswith("for Anna "):
            act = act.removeprefix("for Anna ")
            named |= {"player": f"Anna-{self.table}", "on_request": True}
        return await line.ask("act", act=act, **named)

    def _written(self, act: str) -> str:
        """With the ids of this table; the golden table plays one round."""
        round_number = max(self.dealer.view.round, 1)
        act = act.replace("round 1 ", f"round {round_number} ")
        act = act.replace("rounds 1 ", f"rounds {round_number} ")
        act = act.replace(" w1", f" Anna-{self.table}.w1")
        act = act.replace("colour blue", f"colour {_letters(next(self._count))}")
        act = act.replace("terminals T1", f"terminals Anna-{self.table}")
        lit = self.dealer.view.bonus
        if lit:
            act = act.replace("unlit 13", f"unlit {lit[0]}")
        return act.replace("w9", f"n{next(self._count)}")

    async def _by_player(
        self, line: Line, act: str
    ) -> say.Answered | say.MessageProblem:
        match act.split():
            case ["place", wager, "10", "as", wager_id]:
                placed = {"id": wager_id, "wager": wager, "stake_cents": 1000}
                return await line.ask("wagers", place=[placed])
            case ["increase", *_]:
                more = {"id": "w1", "stake_cents": 500}
                return await line.ask("wagers", increase=[more])
            case ["withdraw", *_]:
                return await line.ask("wagers", withdraw=["w1"])
            case ["lay", *_]:
                player = f"Anna-{self.table}"
                return await self.dealer.ask("act", act=act, player=player)
        return await line.ask("act", act=act)

    async def refuse_all(self, state: str) -> None:
        """Everything that the table refuses in this state, and nothing has changed."""
        before = self.house.head(self.table)
        refused = [c for c in cells(self.game.name, state) if _is_refused(c, state)]
        by_role: dict[str, list[Cell]] = {role: [] for role in ROLES}
        for cell in refused:
            by_role[cell.role].append(cell)
        await asyncio.gather(*(self._refuse(c, state) for c in by_role.values()))
        kinds = {row.kind for row in self.house.rows(self.table)[before:]}
        assert kinds <= {"ActRefused", "SnapshotTaken"}, (state, kinds)

    async def _refuse(self, refused: list[Cell], state: str) -> None:
        for cell in refused:
            answer = await self.ask(cell)
            if cell.act.startswith("void rounds") and cell.role != "P":
                assert isinstance(answer, say.MessageProblem), (state, cell, answer)
                continue
            assert isinstance(answer, say.Answered), (state, cell, answer)
            allowed = {cell.wanted}
            if state == "awaiting":
                allowed.add(self.game.clause(Rule.OPENING).number)
            assert not answer.registered, (state, cell, answer)
            assert clause_of(answer) in allowed, (state, cell, answer)

    # Bringing a round into a state, and to its end

    async def open(self) -> None:
        await self.dealer.acts("place your bets")
        await self.lines["P"].place("w1=straight_up:17@1000")

    async def step(self, act: str, *, confirms_lights: bool = True) -> None:
        before = len(self.dealer.told)
        await self.dealer.acts(act)
        if act == "no more bets" and self.dealer.view.lights:
            await self.dealer.event("BonusNumbersDrawn", after=before)
            if confirms_lights:
                await self.dealer.done("confirm_lights")

    async def bring(self, state: str, *, confirms_lights: bool = True) -> None:
        if state == "awaiting":
            return
        await self.open()
        for act in _STEPS[state]:
            await self.step(act, confirms_lights=confirms_lights)

    async def end(self) -> None:
        """Whatever has become of the round, it is over."""
        state = self.house.ask("GET", f"/api/tables/{self.table}/state", by="Sam")
        phase = state["view"]["phase"]
        if phase == "decided":
            settled = await self.dealer.ask("act", act="settle")
            if isinstance(settled, say.Answered) and settled.registered:
                return
        if phase in {"betting", "closed", "decided"}:
            done = await self.dealer.done("act", act="irregularity foreign_object")
            await self.dealer.heard(done.sequence)
            phase = self.dealer.view.phase
        if phase == "held":
            boss = "GSM" if self.table != "triple" else "TGSM"
            await self.ask_ok(Cell("decide void", boss, "ok"))
        if phase not in {"awaiting", "ended"}:
            await self.dealer.acts("settle")

    def void_current_round(self) -> None:
        """By two people, of whom one may."""
        act = f"void rounds {self.dealer.view.round} ball_broke"
        reply = self.house.propose(self.table, act, by=("Mira", "Sam"))
        assert reply.status == 200, reply

    async def ask_ok(self, cell: Cell) -> None:
        answer = await self.ask(cell)
        assert isinstance(answer, say.Answered), (cell, answer)
        assert answer.registered, (cell, answer)
        if cell.act.startswith("outcome"):
            number = cell.act.split()[1]
            await self.lines[cell.role].done("outcome", number=number, confirmed=True)


def _is_refused(cell: Cell, state: str) -> bool:
    """After a round the next is opened, which the table, of one round, refuses."""
    opens_next = cell.act == "place your bets" and state == "ended"
    return cell.wanted != "ok" and not opens_next


def _letters(number: int) -> str:
    return "blue" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _act_as_manager(house: House) -> None:
    """Sue, a Pit Supervisor, acts as Pit Manager for a day."""
    now = house.ask("GET", "/api/house")["at_ms"]
    assigned = {
        "position": "Pit Manager",
        "from_ms": now - 1000,
        "until_ms": now + _MILLISECONDS_OF_A_DAY,
    }
    staff = house.ask("GET", "/api/staff", by="Mira")
    if not any(each["acting"] for each in staff if each["name"] == "Sue"):
        house.ask("POST", "/api/staff/Sue/acting", assigned, by="Mira")


async def _at(house: House, table: str, allowed: bool) -> None:
    _act_as_manager(house)
    house.buy_in(table, f"Anna-{table}", cents=100_000_000)
    scene = Scene(house, table)
    async with AsyncExitStack() as stack:
        await scene.fill(stack)
        await (_allow_everywhere(scene) if allowed else _refuse_everywhere(scene))


async def _refuse_everywhere(scene: Scene) -> None:
    await scene.refuse_all("awaiting")
    await scene.open()
    await scene.refuse_all("betting")
    for act, state in (
        ("spin", "spun"),
        ("no more bets", "closed"),
        ("outcome 17", "decided"),
        ("settle", "ended"),
    ):
        await scene.step(act)
        await scene.refuse_all(state)
    for state in ("void", "held"):
        await scene.bring(state)
        await scene.refuse_all(state)
        await scene.end()


@pytest.mark.parametrize("table", GAMES)
def test_what_the_golden_table_refuses_is_refused_and_changes_nothing(
    table: str, house: House
) -> None:
    asyncio.run(_at(house, table, allowed=False))


async def _allow_everywhere(scene: Scene) -> None:
    for state in STATES[1:]:
        for cell in cells(scene.game.name, state):
            is_unlit = cell.act.startswith("unlit")
            if cell.wanted != "ok" or (is_unlit and state == "decided"):
                continue  # with all lights confirmed no darkness counts any more (A15)
            await scene.bring(state, confirms_lights=not is_unlit)
            if cell.act.startswith("void rounds"):
                scene.void_current_round()
            else:
                await scene.ask_ok(cell)
            await scene.end()
    for cell in cells(scene.game.name, "awaiting"):
        if cell.wanted == "ok" and cell.act == "place your bets":
            await scene.ask_ok(cell)
            await scene.end()


@pytest.mark.parametrize("table", GAMES)
def test_what_the_golden_table_allows_is_registered(
    table: str, lite_house: House
) -> None:
    asyncio.run(_at(lite_house, table, allowed=True))


def test_nobody_is_the_system_or_the_generator(lite_house: House) -> None:
    async def pretend() -> None:
        lite_house.deal("fast")
        async with line_to(lite_house, "fast", staff="Dana") as dealer:
            head = lite_house.head("fast")
            for position in ("system", "RNG", "Player", "cashier", "", "Pit Manager"):
                for act in ("no more bets", "bonus numbers 1 2 5 9 13 17 21 25 29 33"):
                    await dealer.denied("act", act=act, position=position)
            assert lite_house.head("fast") == head

    asyncio.run(pretend())
