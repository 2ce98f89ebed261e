"""Play a transcript over sockets, act by act, and compare it with the engine."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from croupier.protocol.answers import Answered, MessageProblem
from croupier.rules.clause import Refusal
from croupier.transcript import PlayedTranscript, play, played_json, read_transcript
from tests.house_server.line import Line, clause_of, line_to
from tests.house_server.server import GAMES, LIMITS, SEATS, House

STAFF = {
    "Dealer": "Dana",
    "Pit Supervisor": "Sam",
    "Pit Manager": "Mira",
    "Gaming Shift Manager": "Mira",
    "Table Games Shift Manager": "Mira",
}
_PLACE = re.compile(r"place (\S+)(?: ([0-9.]+))? as (\w+)")


@dataclass
class Floor:
    """The connections at one table: the terminals, the Dealer and the pit."""

    house: House
    table: str
    lines: dict[str, Line] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    """The transcript of the acts so far."""
    answers: list[str] = field(default_factory=list)
    """`ok` or the refusing clause, for each act."""
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Floor:
        self.house.deal(self.table)
        for seat in SEATS:
            name = f"{seat}-{self.table}"
            line = line_to(self.house, self.table, device=name)
            self.lines[seat] = await self._stack.enter_async_context(line)
        for name in dict.fromkeys(STAFF.values()):
            line = line_to(self.house, self.table, staff=name)
            self.lines[name] = await self._stack.enter_async_context(line)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def dealer(self) -> Line:
        return self.lines["Dana"]

    # Playing

    async def play(self, *lines: str) -> None:
        for text in lines:
            if text == "round":
                self.written.append(text)
            elif text == "draw":
                await self._draw()
            else:
                await self._do(text)

    async def _draw(self) -> None:
        """Note the house's draw at “No more bets”, and confirm the lights."""
        number = self.written.count("round")
        drawn = await self.dealer.event("BonusNumbersDrawn", round_number=number)
        self._note(f"RNG: bonus numbers {' '.join(drawn.fields['numbers'])}", "ok")
        await self.dealer.done("confirm_lights")

    async def _do(self, text: str) -> None:
        who, _, act = text.partition(": ")
        doer, _, player = who.partition(" for ")
        if "+" in doer:
            self._note(text, self._proposed(act))
        elif doer in SEATS and act.split()[0] in {"place", "increase", "withdraw"}:
            answer = await self._at_terminal(doer, act)
            self._note(self._in_engine(doer, text), _cell(answer))
        elif doer in STAFF:
            self._note(text, _cell(await self._by_staff(doer, act, player)))
        else:
            laid = self.dealer.ask("act", act=act, player=doer)
            self._note(text, _cell(await laid))

    def _note(self, text: str, answer: str) -> None:
        self.written.append(text)
        self.answers.append(answer)

    def _in_engine(self, seat: str, text: str) -> str:
        """Write seats and wager ids as the engine knows them, by terminal."""
        text = re.sub(r"\b(w\d+)\b", rf"{seat}-{self.table}_\1", text)
        return text.replace(f"{seat}: ", f"{seat}-{self.table}: ", 1)

    def _proposed(self, act: str) -> str:
        reply = self.house.propose(self.table, act, by=("Sam", "Mira"))
        return "ok" if reply.status == 200 else str(reply.json.get("clause"))

    async def _at_terminal(self, seat: str, act: str) -> Answered | MessageProblem:
        line = self.lines[seat]
        match act.split():
            case ["increase", wager_id, amount]:
                more = {"id": wager_id, "stake_cents": int(amount) * 100}
                return await line.ask("wagers", increase=[more])
            case ["withdraw", wager_id]:
                return await line.ask("wagers", withdraw=[wager_id])
        placed = _PLACE.fullmatch(act)
        assert placed is not None, act
        wager: dict[str, Any] = {"id": placed[3], "wager": placed[1]}
        if placed[2]:
            wager["stake_cents"] = int(placed[2]) * 100
        return await line.ask("wagers", place=[wager])

    async def _by_staff(
        self, position: str, act: str, player: str
    ) -> Answered | MessageProblem:
        line = self.lines[STAFF[position]]
        further: dict[str, Any] = {"position": position}
        if player:
            further |= {"player": player, "on_request": True}
        answer = await line.ask("act", act=act, **further)
        if act == "place your bets" and _cell(answer) == "ok":  # wagers name the round
            assert isinstance(answer, Answered)
            await line.heard(answer.sequence)
        if act.startswith("outcome") and _cell(answer) == "ok":
            number = act.removeprefix("outcome ")
            return await line.ask("outcome", number=number, confirmed=True)
        return answer

    # Comparing with the engine

    def engine(self) -> PlayedTranscript:
        head = [f"game {GAMES[self.table]}", *(f"limits {line}" for line in LIMITS)]
        return play(read_transcript([*head, *self.written]))

    def check_answers(self, played: PlayedTranscript) -> None:
        """Check that house and engine took and refused the same acts."""
        judged = [line for lines in played.lines for line in lines]
        for line, told in zip(judged, self.answers, strict=True):
            refused = isinstance(line.answer, Refusal)
            wanted = line.answer.clause.number if refused else "ok"  # type: ignore[union-attr]
            assert told == wanted, line.line.text


def rounds_of(played: PlayedTranscript) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = played_json(played)["rounds"]
    return rounds


def _cell(answer: Answered | MessageProblem) -> str:
    assert isinstance(answer, Answered), answer
    return "ok" if answer.registered else str(clause_of(answer))
