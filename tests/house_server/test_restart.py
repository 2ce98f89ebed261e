"""A server killed or stopped in the middle of each phase, and started again."""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from croupier.protocol.answers import Answered, Bye, Pong
from tests.house_server.conftest import DATABASES
from tests.house_server.line import Line, clause_of, dial, hello, line_to
from tests.house_server.server import CREDIT, House, open_house

_BETTING = ("place your bets",)
_SPUN = (*_BETTING, "spin")
_CLOSED = (*_SPUN, "no more bets")
_DECIDED = (*_CLOSED, "outcome 17")
STEPS = {
    "betting": _BETTING,
    "spun": _SPUN,
    "closed": _CLOSED,
    "decided": _DECIDED,
    "void": (*_CLOSED, "irregularity foreign_object"),
    "held": (*_CLOSED, "irregularity unlisted"),
    "ended": (*_DECIDED, "settle"),
}
ARRANGEMENTS = (
    {"v2": "betting", "v3": "spun", "complete": "closed", "fast": "closed"}
    | {"triple": "decided", "sensed": "void", "lit": "betting"},
    {"v2": "decided", "v3": "closed", "complete": "spun", "fast": "decided"}
    | {"triple": "closed", "sensed": "held", "lit": "ended"},
)
"""The phase of each table at each restart."""
_WHO_DECIDES = {"triple": "Table Games Shift Manager"}
_FIRED = 40


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
@pytest.mark.parametrize("kind", DATABASES)
def test_nothing_acknowledged_is_lost_in_any_phase(
    kind: str, how: signal.Signals, tmp_path: Path
) -> None:
    with open_house(kind, tmp_path) as house:
        for table in ARRANGEMENTS[0]:
            house.buy_in(table, f"Anna-{table}", f"Ben-{table}")
        for number, phases in enumerate(ARRANGEMENTS, 1):
            answers = asyncio.run(_interrupted(house, phases, how))
            house.start()
            asyncio.run(_resumed(house, phases, answers, number))


async def _interrupted(
    house: House, phases: dict[str, str], how: signal.Signals
) -> dict[str, dict[str, Answered]]:
    """Bring each table to its phase, fire wagers, and end the server."""
    async with AsyncExitStack() as stack:
        fired: dict[str, Line] = {}
        for table, phase in phases.items():
            await _bring(house, table, phase)
            if phase in {"betting", "spun"}:
                ben = line_to(house, table, device=f"Ben-{table}")
                fired[table] = await stack.enter_async_context(ben)
        await asyncio.gather(*map(_fire, fired.values()))
        if how is signal.SIGTERM:  # wait until it has read all wagers
            for line in fired.values():
                await line.socket.send('{"type": "ping"}')
                await line.next(Pong)
        status = await asyncio.to_thread(house.end, how)
        for line in fired.values():
            await line.ended()
        answers = {
            table: {each.id: each for each in line.of(Answered)}
            for table, line in fired.items()
        }
        if how is signal.SIGTERM:
            assert status == 0
            assert {table: len(told) for table, told in answers.items()} == (
                dict.fromkeys(fired, _FIRED)
            )
            for line in fired.values():
                assert isinstance(line.told[-1], Bye)
                assert line.told[-1].come_back
        return answers


async def _bring(house: House, table: str, phase: str) -> None:
    house.deal(table)
    async with (
        line_to(house, table, staff="Dana") as dealer,
        line_to(house, table, device=f"Anna-{table}") as anna,
    ):
        for act in STEPS[phase]:
            if act.startswith("outcome") and dealer.view.lights:
                await dealer.done("confirm_lights")
            await dealer.acts(act)
            if act == "place your bets":
                await anna.place("w1=straight_up:17@1000", sent_id=f"first-{phase}")
            if act == "no more bets" and dealer.view.lights:
                await dealer.event("BonusNumbersDrawn")


async def _fire(line: Line) -> None:
    """Send many wagers without waiting for answers."""
    for number in range(_FIRED):
        wager = {
            "id": f"b{number}",
            "wager": "straight_up:5",
            "stake_cents": 500 + number,
        }
        await line.send("wagers", id=f"fired-{number}", place=[wager])
    await line.until(lambda: len(line.of(Answered)) > 4, "a few answers")


async def _resumed(
    house: House,
    phases: dict[str, str],
    answers: dict[str, dict[str, Answered]],
    number: int,
) -> None:
    for table, phase in phases.items():
        house.deal(table)
        async with (
            line_to(house, table, staff="Dana") as dealer,
            line_to(house, table, staff="Sam") as pit,
            line_to(house, table, device=f"Anna-{table}") as anna,
        ):
            assert dealer.view.round == number
            assert dealer.view.interrupted == (
                phase in {"betting", "spun", "closed", "decided"}
            )
            assert [(w.id, w.stake_cents) for w in anna.own.wagers] == [("w1", 1000)]
            await anna.place("w1=straight_up:17@1000", sent_id=f"first-{phase}")
            assert [wager.wager for wager in anna.own.wagers] == ["straight_up:17"]
            if table in answers:
                await _check_fired(house, table, answers[table])
            if dealer.view.interrupted:
                await _say_what_the_ball_did(dealer, pit, phase)
            await _finish(house, dealer, table)
            await anna.until(lambda: anna.view.phase == "ended", "the settlement")
            assert [(each.id, each.stake_cents) for each in anna.own.settled] == [
                ("w1", 1000)
            ]
        _check_money(house, table)


async def _check_fired(house: House, table: str, before: dict[str, Answered]) -> None:
    """Check that answers still hold, and that just the registered wagers lie there."""
    async with line_to(house, table, device=f"Ben-{table}") as ben:
        lying = {wager.id: wager.stake_cents for wager in ben.own.wagers}
        registered = {}
        for number in range(_FIRED):
            wager = {
                "id": f"b{number}",
                "wager": "straight_up:5",
                "stake_cents": 500 + number,
            }
            answer = await ben.ask("wagers", id=f"fired-{number}", place=[wager])
            assert isinstance(answer, Answered)
            if answer.registered:
                registered[f"b{number}"] = 500 + number
            told = before.get(f"fired-{number}")
            if told is not None:
                assert told.registered
                assert answer.registered
                assert answer.sequence == told.sequence
        assert registered == lying
        assert [wager.id for wager in ben.own.wagers] == list(lying)


async def _say_what_the_ball_did(dealer: Line, pit: Line, phase: str) -> None:
    """State and confirm the ball by two people; nothing else is taken before."""
    own = {"v3": "5.11.2", "fast": "5.12.2", "lit": "5.12.2", "triple": "A20"}
    expected = own.get(dealer.table, "A12")
    assert clause_of(await dealer.refused("act", act="settle")) == expected
    await pit.refused("confirm_ball")
    where = "17" if phase == "decided" else None
    await dealer.done("ball_was", at_rest=where)
    assert (await pit.event("BallStated")).fields["at_rest"] == where
    await dealer.refused("confirm_ball")
    confirmed = await pit.done("confirm_ball")
    await dealer.until(lambda: dealer.sequence >= confirmed.sequence, "what it does")
    assert not dealer.view.interrupted


async def _finish(house: House, dealer: Line, table: str) -> None:
    """Bring the round to its settlement by the document's rules for interruptions."""
    if dealer.view.phase == "held":
        async with line_to(house, table, staff="Mira") as boss:
            position = _WHO_DECIDES.get(table, "Gaming Shift Manager")
            decision = "outcome 17" if dealer.view.spun else "void"  # A44
            await boss.done("act", act=f"decide {decision}", position=position)
        await dealer.until(lambda: dealer.view.phase != "held", "the decision")
    if dealer.view.phase == "betting":
        if not dealer.view.spun:
            await dealer.acts("spin")
        await dealer.acts("no more bets")
        await dealer.until(lambda: dealer.view.phase == "closed", "the close")
    if dealer.view.phase == "closed":
        if dealer.view.lights:
            await dealer.until(lambda: dealer.view.bonus, "the draw")
            await dealer.done("confirm_lights")
        await dealer.acts("outcome 17")
    if dealer.view.phase != "ended":
        await dealer.acts("settle")


def _check_money(house: House, table: str) -> None:
    """Check both seats' credit against the settlements, to the cent."""
    credit = {f"Anna-{table}": CREDIT, f"Ben-{table}": CREDIT}
    history = house.ask("GET", f"/api/tables/{table}/history")["rounds"]
    settlements = house.events(table, "RoundSettled")
    for settled in settlements:
        for wager in settled.wagers:
            for piece in wager.pieces:
                credit[wager.player] += piece.paid_cents - piece.collected_cents
    seats = house.ask("GET", f"/api/tables/{table}/seats", by="Carl")["seats"]
    assert {each["seat"]: each["credit_cents"] for each in seats} == credit
    assert len(history) == len(settlements)


@pytest.mark.parametrize("kind", DATABASES)
def test_a_virtual_wheel_goes_on_by_itself(kind: str, tmp_path: Path) -> None:
    async def watch(house: House, *, is_back: bool) -> None:
        async with line_to(house, "virtual", device="Anna-virtual") as anna:
            if not is_back:
                house.buy_in("virtual", "Anna-virtual")
                await anna.event("PlaceYourBetsAnnounced")
                await anna.place("w1=straight_up:17@500")
                return
            assert anna.view.virtual_wheel
            assert not anna.view.interrupted
            assert [wager.id for wager in anna.own.wagers] == ["w1"]
            await anna.until(lambda: anna.settlements().get(1), "the settlement")
            assert anna.settlements()[1][0]["returned_cents"] == 500

    with open_house(kind, tmp_path) as house:
        asyncio.run(watch(house, is_back=False))
        house.end(signal.SIGKILL)
        house.start()
        asyncio.run(watch(house, is_back=True))


def test_a_stopping_house_takes_nothing_new_and_says_so(tmp_path: Path) -> None:
    async def stop(house: House) -> None:
        house.buy_in("v3", "Anna-v3")
        silent = await dial(house)  # never says hello
        await silent.send(json.dumps(hello(house, device="Cara-v3")))
        async with line_to(house, "v3", device="Anna-v3") as anna:
            ending = asyncio.create_task(asyncio.to_thread(house.end))
            bye = await anna.next(Bye)
            assert await ending == 0
            assert await anna.ended() != 1006
            assert bye.come_back
        await silent.close()

    with open_house("sqlite", tmp_path) as house:
        asyncio.run(stop(house))
        house.check()
        assert [row.kind for row in house.rows("house")][-1] == "ServerStopped"
