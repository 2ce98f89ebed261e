"""Rounds that go wrong in a real house: a crash, an old bet, a sensor's word."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from croupier.table.answers import event_of
from tests.house_server.conftest import DATABASES
from tests.house_server.line import Line, clause_of, eventually, line_to
from tests.house_server.server import CREDIT, House, open_house

SHIFT_MANAGER = "Table Games Shift Manager"


def _credit(house: House, table: str, seat: str) -> int:
    seats = house.ask("GET", f"/api/tables/{table}/seats", by="Carl")["seats"]
    [found] = [each["credit_cents"] for each in seats if each["seat"] == seat]
    return int(found)


def _events(house: House, table: str, round_number: int, kind: str) -> list[Any]:
    return [
        event_of(row)
        for row in house.rows(table)
        if (row.round_number, row.kind) == (round_number, kind)
    ]


async def _until_phase(line: Line, phase: str) -> None:
    await line.until(lambda: line.view.phase == phase, phase)


async def _two_say(dealer: Line, house: House, number: str | None) -> None:
    """The Dealer and a Pit Supervisor look at the wheel."""
    await dealer.done("ball_was", at_rest=number)
    async with line_to(house, dealer.table, staff="Sam") as pit:
        await pit.done("confirm_ball")


@pytest.mark.parametrize("kind", DATABASES)
def test_a_kill_with_the_betting_open_pays_nobody_on_last_rounds_number(
    kind: str, tmp_path: Path
) -> None:
    """Triple Zero 5.1.2: no spin of this round, so no outcome of it."""

    async def before(house: House) -> None:
        house.deal("triple")
        house.buy_in("triple", "Anna-triple")
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", device="Anna-triple") as anna,
        ):
            await dealer.acts("place your bets", "spin", "no more bets")
            await dealer.acts("outcome 17", "settle", "place your bets")
            await anna.place("w1=straight_up:17@1000")

    async def after(house: House) -> None:
        house.deal("triple")
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", device="Anna-triple") as anna,
        ):
            assert dealer.view.interrupted
            assert dealer.view.phase == "closed", "recovery closes the betting first"
            wager = {"id": "w2", "wager": "17", "stake_cents": 50_000}
            assert clause_of(await anna.refused("wagers", place=[wager])) == "3.5"
            assert clause_of(await anna.refused("wagers", withdraw=["w1"])) == "5.7"
            collected = await anna.done("collect", cents=5_000)
            assert collected.voucher, "what is not at stake is paid out"
            await _two_say(dealer, house, "17")
            await _until_phase(dealer, "void")
            assert dealer.view.standing is not None
            assert dealer.view.standing.clause == "5.1.2"
            await dealer.acts("settle")

    with open_house(kind, tmp_path) as house:
        asyncio.run(before(house))
        house.end(signal.SIGKILL)
        house.start()
        asyncio.run(after(house))
        assert _events(house, "triple", 2, "BallSpun") == []
        assert _events(house, "triple", 2, "BallAtRest") == []
        assert _credit(house, "triple", "Anna-triple") == CREDIT - 5_000


@pytest.mark.parametrize("kind", DATABASES)
def test_what_a_sensor_saw_before_a_kill_is_shown_and_binds(
    kind: str, tmp_path: Path
) -> None:
    async def before(house: House) -> None:
        house.deal("watched")
        async with (
            line_to(house, "watched", staff="Dana") as dealer,
            line_to(house, "watched", device="sensor-watched") as sensor,
        ):
            await dealer.acts("place your bets", "spin")
            await sensor.done("wheel_fact", fact="at_rest", number="17")

    async def after(house: House) -> None:
        house.deal("watched")
        async with line_to(house, "watched", staff="Dana") as dealer:
            seen = dealer.staff.wheel_seen
            assert seen is not None
            assert seen.at_rest == "17"
            await _two_say(dealer, house, "18")
            await _until_phase(dealer, "held")
            assert dealer.view.standing is not None
            assert dealer.view.standing.clause == "5.10"
            async with line_to(house, "watched", staff="Mira") as boss:
                against = await boss.refused(
                    "act", act="decide outcome 18", position=SHIFT_MANAGER
                )
                assert clause_of(against) == "3.7"
                await boss.done("act", act="decide outcome 17", position=SHIFT_MANAGER)
            await dealer.acts("settle")

    with open_house(kind, tmp_path) as house:
        asyncio.run(before(house))
        house.end(signal.SIGKILL)
        house.start()
        asyncio.run(after(house))


@pytest.mark.parametrize("kind", DATABASES)
def test_no_spin_after_a_kill_goes_by_the_tables_own_document(
    kind: str, tmp_path: Path
) -> None:
    async def before(house: House) -> None:
        for table in ("v3", "v2"):
            house.deal(table)
            async with line_to(house, table, staff="Dana") as dealer:
                await dealer.acts("place your bets", "spin")

    async def after(house: House) -> None:
        for table, phase, clause in (("v3", "void", "5.11.1"), ("v2", "held", "A12")):
            house.deal(table)
            async with line_to(house, table, staff="Dana") as dealer:
                assert dealer.view.interrupted
                await dealer.acts("no spin")
                await _until_phase(dealer, phase)
                assert dealer.view.standing is not None
                assert dealer.view.standing.clause == clause

    with open_house(kind, tmp_path) as house:
        asyncio.run(before(house))
        house.end(signal.SIGKILL)
        house.start()
        asyncio.run(after(house))


def test_a_bet_for_the_round_before_is_answered_with_5_2_2(house: House) -> None:
    async def play() -> None:
        house.deal("triple")
        house.buy_in("triple", "Anna-triple")
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", device="Anna-triple") as anna,
        ):
            await dealer.acts("place your bets")
            number = house.round_of("triple")
            await dealer.acts("spin", "no more bets", "outcome 18", "settle")
            await dealer.acts("place your bets")
            credit = _credit(house, "triple", "Anna-triple")
            wager = {"id": "w1", "wager": "17", "stake_cents": 1_000}

            late = await anna.refused("wagers", place=[wager], round=number, id="old")
            again = await anna.refused("wagers", place=[wager], round=number, id="old")

            assert clause_of(late) == "5.2.2"
            assert again.refusal == late.refusal
            assert anna.seat.wagers == ()
            assert _credit(house, "triple", "Anna-triple") == credit
            assert _events(house, "triple", number + 1, "WagerPlaced") == []
            [refused] = _events(house, "triple", number + 1, "ActRefused")
            assert refused.clause.number == "5.2.2"
            await anna.place("w1=straight_up:17@1000")
            [placed] = _events(house, "triple", number + 1, "WagerPlaced")
            assert placed.for_round == number + 1
            await dealer.acts("spin", "no more bets", "outcome 18", "settle")

    asyncio.run(play())


def test_a_sensor_against_the_console_holds_and_alarms(house: House) -> None:
    async def play() -> None:
        house.deal("watched")
        house.buy_in("watched", "Anna-watched")
        async with (
            line_to(house, "watched", staff="Dana") as dealer,
            line_to(house, "watched", device="sensor-watched") as sensor,
            line_to(house, "watched", device="Anna-watched") as anna,
        ):
            await dealer.acts("place your bets")
            await anna.place("w1=straight_up:18@1000")
            await dealer.acts("spin", "no more bets")
            await sensor.done("wheel_fact", fact="at_rest", number="17")
            await dealer.announce("18")
            await _until_phase(anna, "held")
            assert anna.view.winning_number is None
            assert anna.view.standing is not None
            assert anna.view.standing.clause == "5.10"
            await dealer.refused("act", act="settle")
            assert dealer.staff.is_ball_wanted

            await _two_say(dealer, house, "17")
            await _until_phase(dealer, "closed")
            await dealer.acts("outcome 17", "settle")
            await anna.until(lambda: anna.view.phase == "ended", "the settlement")
            assert anna.seat.totals is not None
            assert anna.seat.totals.collected_cents == 1_000

    asyncio.run(play())
    log = house.ask("GET", "/api/log?count=500", by="Sam")["events"]
    disputed = [each for each in log if each["event"] == "WheelDisputed"]
    assert [each["is_alarm"] for each in disputed] == [True]


def test_a_report_that_nobody_answered_holds_at_the_outcome(house: House) -> None:
    async def play() -> None:
        house.deal("watched")
        async with (
            line_to(house, "watched", staff="Dana") as dealer,
            line_to(house, "watched", device="sensor-watched") as sensor,
        ):
            await dealer.acts("place your bets", "spin")
            await sensor.done("wheel_fact", fact="foreign_object")
            await dealer.acts("no more bets")
            await dealer.announce("17")
            await _until_phase(dealer, "held")
            assert not dealer.staff.is_ball_wanted, "where it rests is no answer"
            answer = "reject foreign_object"
            assert house.propose("watched", answer, by=("Dana", "Sam")).status == 200
            await _until_phase(dealer, "closed")
            await dealer.acts("outcome 17", "settle")

    asyncio.run(play())


def test_a_rest_before_the_spin_is_an_alarm_and_no_outcome(house: House) -> None:
    async def play() -> None:
        house.deal("watched")
        async with (
            line_to(house, "watched", staff="Dana") as dealer,
            line_to(house, "watched", device="sensor-watched") as sensor,
        ):
            await dealer.acts("place your bets", "no more bets")
            await sensor.done("wheel_fact", fact="at_rest", number="17")
            await dealer.until(lambda: dealer.staff.notices, "the alarm")
            [notice] = dealer.staff.notices
            assert (notice.kind, notice.reason.clause) == ("alarm", "A40")
            assert dealer.view.at_rest is None
            await dealer.done("answer_notice", notice=notice.id, accept=True)
            await dealer.acts("spin")
            await dealer.announce("17")
            await _until_phase(dealer, "held")
            async with line_to(house, "watched", staff="Mira") as boss:
                await boss.done("act", act="decide void", position=SHIFT_MANAGER)
            await dealer.acts("settle")

    asyncio.run(play())


def test_a_sensors_drop_closes_the_betting_unless_the_house_says_not(
    house: House,
) -> None:
    async def play(table: str, phase: str, clause: str) -> None:
        house.deal(table)
        house.buy_in(table, f"Anna-{table}")
        async with (
            line_to(house, table, staff="Dana") as dealer,
            line_to(house, table, device=f"sensor-{table}") as sensor,
            line_to(house, table, device=f"Anna-{table}") as anna,
        ):
            await dealer.acts("place your bets", "spin")
            await sensor.done("wheel_fact", fact="dropped", revolutions=6)
            state = house.ask("GET", f"/api/tables/{table}/state", by="Sam")
            assert state["view"]["phase"] == phase
            await sensor.done("wheel_fact", fact="at_rest", number="17")
            wager = {"id": "w1", "wager": "17", "stake_cents": 1_000}
            assert clause_of(await anna.refused("wagers", place=[wager])) == clause
            await dealer.acts("no more bets", "outcome 17", "settle")

    asyncio.run(play("watched", "closed", "3.5"))
    asyncio.run(play("unhurried", "betting", "3.7"))


def test_a_rest_while_the_round_is_held_closes_and_binds(house: House) -> None:
    async def play() -> None:
        house.deal("watched")
        house.buy_in("watched", "Anna-watched")
        async with (
            line_to(house, "watched", staff="Dana") as dealer,
            line_to(house, "watched", staff="Mira") as boss,
            line_to(house, "watched", device="sensor-watched") as sensor,
            line_to(house, "watched", device="Anna-watched") as anna,
        ):
            await dealer.acts("place your bets", "spin", "irregularity unlisted")
            await sensor.done("wheel_fact", fact="at_rest", number="17")
            decide = {"position": SHIFT_MANAGER}
            await boss.done("act", act="decide continue", **decide)
            wager = {"id": "w1", "wager": "17", "stake_cents": 1_000}
            assert clause_of(await anna.refused("wagers", place=[wager])) == "3.7"
            await dealer.acts("irregularity unlisted")
            other = await boss.refused("act", act="decide outcome 18", **decide)
            assert clause_of(other) == "3.7"
            await boss.done("act", act="decide outcome 17", **decide)
            again = await boss.refused("act", act="decide outcome 18", **decide)
            assert clause_of(again) == "3.7"
            await dealer.acts("settle")

    asyncio.run(play())


def test_the_house_records_a_lost_terminal_and_none_that_does_not_exist(
    house: House,
) -> None:
    async def play() -> None:
        house.deal("triple")
        house.buy_in("triple", "Cara-triple")
        async with line_to(house, "triple", staff="Dana") as dealer:
            async with line_to(house, "triple", device="Cara-triple") as cara:
                await dealer.acts("place your bets")
                await cara.place("w1=straight_up:17@1000")
                await cara.cut()
            number = house.round_of("triple")

            def lost() -> list[Any]:
                told = _events(house, "triple", number, "TerminalsInterrupted")
                return [each for each in told if "Cara-triple" in each.terminals]

            [told] = await eventually(lost)
            assert (told.by.name, told.terminals) == ("system", ("Cara-triple",))
            for words in ("T9", "Cara-triple T9", "Anna-v3"):
                refused = await dealer.refused(
                    "act", act=f"interruption terminals {words}"
                )
                assert clause_of(refused) == "5.2"
            await dealer.acts("spin", "no more bets")
            async with line_to(house, "triple", device="Cara-triple") as cara:
                wager = {"id": "w2", "wager": "17", "stake_cents": 1_000}
                late = await cara.refused("wagers", place=[wager])
                assert clause_of(late) == "5.2.2"
                await dealer.acts("outcome 17", "settle")
                await cara.until(lambda: cara.seat.settled, "the settlement")
                assert [each.paid_cents for each in cara.seat.settled] == [35_000]

    asyncio.run(play())


def test_a_shift_managers_interpretation_is_kept(house: House) -> None:
    async def play() -> None:
        question = {"question": "is it at rest?", "answer": "no", "rounds": [1]}
        async with (
            line_to(house, "triple", staff="Mira") as boss,
            line_to(house, "triple", staff="Sam") as pit,
        ):
            assert clause_of(await pit.refused("interpret", **question)) == "5.10"
            await boss.done("interpret", position=SHIFT_MANAGER, **question)
        [kept] = house.events("triple", "InterpretationRecorded")
        assert (kept.by.name, kept.rounds) == ("Mira", (1,))
        assert (kept.question, kept.answer) == ("is it at rest?", "no")

    asyncio.run(play())
