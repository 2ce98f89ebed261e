"""The floor by itself: clocks that jump, tallies, houses that stopped in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.house.configuration.changes import plan_of
from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.floor import timers
from croupier.house.people.player_limits import PlayerTallies, PlayerTally
from croupier.house.views.listeners import prefix_of
from croupier.journal.events.house import DealerCame, HouseDefined
from croupier.journal.stores import open_store
from croupier.ledger.commands import BuyIn, IssueVoucher
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers, messages
from croupier.rules import commands
from croupier.rules.events import BonusNumbersDrawn
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import Submission
from croupier.table import commands as table_commands
from croupier.table.answers import event_of
from tests.house.connecting import ask_for, deal
from tests.web.a_house import DEALER, NOON, TEXT, House, in_house, opened

pytestmark = pytest.mark.anyio

SUPERVISOR = Person("Sam", Role.PIT_SUPERVISOR)
FAST = TEXT.replace('game = "mbs-roulette-v3"', 'game = "mbs-fast-action-v2"')


async def _until(house: House, kind: str) -> None:
    async with asyncio.timeout(10):
        while kind not in [row.kind for row in house.store.events("house")]:
            await asyncio.sleep(0.02)


@patch.object(House, "steady", lambda _: 0.0)
async def test_a_clock_that_jumps_is_recorded(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        await house.log_on("Dana")  # the watch has begun
        house.pass_minutes(1)
        await _until(house, "ClockChanged")


async def test_a_clock_that_runs_with_the_steady_one_is_not(house: House) -> None:
    house.pass_minutes(30)  # sessions end: the watch has looked
    await house.log_on("Dana")
    house.pass_minutes(30)
    await _until(house, "LoggedOff")
    kinds = [row.kind for row in house.store.events("house")]
    assert "ClockChanged" not in kinds


async def test_tallies_rebuilt_are_those_that_were_kept(house: House) -> None:
    for seat in ("Anna", "Ben"):
        await house.act("t2", BuyIn(seat, 100_000))
    for number, outcome in enumerate(("17", "1", "0", "20"), 1):
        await house.play_round(
            "t2",
            f"Anna: place red 10 as a{number}",
            f"Ben: place 17/20 5 as b{number}",
            outcome=outcome,
        )
        house.pass_minutes(1)
    await house.say("t2", "Dealer + Pit Supervisor: correct round 1 to 20")
    await house.say("t2", "Dealer + Pit Supervisor: correct round 4 to 1")
    kept = house.floor.tallies
    anew = PlayerTallies(house.store)

    anew.rebuild("t2", {"Anna": NOON, "Ben": NOON}, house.clock())

    for seat in ("Anna", "Ben"):
        assert anew.session("t2", seat) == kept.session("t2", seat)
        assert _today(house, anew, seat) == _today(house, kept, seat)
    assert kept.session("t2", "Anna").net_cents == (-10 + 10 - 10 + 10) * 100
    assert kept.session("t2", "Ben").net_cents == (17 - 1 - 1 - 1) * 5 * 100


CAPPED = TEXT.replace(
    'limits = { "*" = [1, 1000] }\n\n[[staff]]',
    'limits = { "*" = [1, 1000], straight_up = [1, 100] }\n\n[[staff]]',
    1,
)


@pytest.mark.parametrize("outcome", ["17", "18"])
@pytest.mark.house_file(CAPPED)
async def test_what_is_staked_is_one_number(
    house: House, outcome: str, tmp_path: Path
) -> None:
    """v3 5.16: 100 of 150 are at risk, for tallies, meters, day and audit alike."""

    await house.act("t2", BuyIn("Anna", 100_000))
    await house.play_round("t2", "Anna: lay 17 150 as w1", outcome=outcome)
    ines = await house.log_on("Ines")

    [meter] = [
        each for each in await house.get("/api/meters", ines) if each["table"] == "t2"
    ]
    staked = {
        house.floor.tallies.session("t2", "Anna").staked_cents,
        _today(house, house.floor.tallies, "Anna").staked_cents,
        meter["staked_cents"],
    }

    assert staked == {10_000}
    report = audit_journal(str(tmp_path / "house.db"))
    assert report.findings == ()


def _today(house: House, tallies: PlayerTallies, seat: str) -> PlayerTally:
    settings = house.floor.record.settings
    return tallies.today(settings, ("t2", seat), house.clock())


def test_another_gaming_day_is_in_force_at_once(tmp_path: Path) -> None:
    """16:00 and 07:00 are two gaming days that begin at 06:00, and one from noon on."""

    async def change(house: House) -> None:
        record, tallies = house.floor.record, house.floor.tallies
        await house.act("t2", BuyIn("Anna", 100_000))
        first = await _lose(house, 10, "a1")  # in Singapore it is 16:00
        house.pass_minutes(15 * 60)
        second = await _lose(house, 20, "a2")
        before = _today(house, tallies, "Anna")
        defined = record.state.house
        assert defined is not None

        from_noon = HouseDefined("Mira", replace(defined, gaming_day_begins=12))
        await house.floor.in_house(lambda: record.write(from_noon))
        issued = await house.act("t2", IssueVoucher("Anna", 100))

        assert before.net_cents == -second
        assert _today(house, tallies, "Anna").net_cents == -(first + second)
        [voucher] = issued.events
        assert isinstance(voucher, VoucherIssued)
        assert voucher.expires == "2027-02-14"  # at 07:00 thirty days after 16 January

    in_house(tmp_path, change)


async def _lose(house: House, stake: int, wager: str) -> int:
    """In cents."""
    placed = f"Anna: place red {stake} as {wager}"
    await house.play_round("t2", placed, outcome="20")
    return stake * 100


def test_a_house_killed_before_its_tables_began_opens_by_its_file(
    tmp_path: Path,
) -> None:
    plan = read_house(TEXT, "house.toml")

    with open_store(str(tmp_path / "house.db")) as store:
        prepare(store, lambda: NOON, plan)
        prepare(store, lambda: NOON, plan)

        assert plan_of(store) == plan
    assert plan.tables[0].limits


def test_a_draw_that_a_kill_came_before_is_made_afterwards(tmp_path: Path) -> None:
    async def close(house: House) -> None:
        await house.say("t2", "Dealer: place your bets", "Dealer: spin")
        submission = Submission("close", (DEALER,), commands.NoMoreBets())
        house.floor.table("t2").table.handle([submission])  # and nobody hears of it

    async def resume(house: House) -> None:
        table = house.floor.table("t2")
        assert table.state.is_interrupted
        await house.act("t2", table_commands.StateBall(None))
        await house.act("t2", table_commands.ConfirmBall(), SUPERVISOR)
        await _drawn_and_lit(house)

    async def conclude(house: House) -> None:
        table = house.floor.table("t2")
        drawn = table.state.series.current.facts.bonus_numbers
        assert table.state.lights.are_known(drawn), "confirmed before the kill"
        await house.act("t2", table_commands.StateBall(Number("17")))
        await house.act("t2", table_commands.ConfirmBall(), SUPERVISOR)
        await house.act("t2", commands.AnnounceOutcome(Number("17")))
        await house.act("t2", commands.Settle())
        assert table.state.series.current.phase is Phase.ENDED

    for scenario in (close, resume, conclude):
        # Ids are the sender's own: a new one's are not those of the one before.
        with patch.object(House, "new_id", _ids_of(scenario.__name__)):
            in_house(tmp_path, scenario, FAST)


async def _drawn_and_lit(house: House) -> None:
    """The Bonus Numbers are drawn by the house, and seen by the Dealer."""
    await _drawn(house)
    await house.act("t2", table_commands.ConfirmLights())


async def _drawn(house: House) -> None:
    table = house.floor.table("t2")
    async with asyncio.timeout(10):
        while table.state.series.current.facts.bonus_numbers is None:
            await asyncio.sleep(0.01)


def test_the_history_has_its_bonus_numbers_after_a_restart(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        for outcome in ("17", "20"):
            await house.say("t2", "Dealer: place your bets", "Dealer: spin")
            await house.say("t2", "Dealer: no more bets")
            await _drawn_and_lit(house)
            await house.say("t2", f"Dealer: outcome {outcome}", "Dealer: settle")

    async def look(house: House) -> None:
        shown = _history(house)
        await house.say("t2", "Dealer + Pit Supervisor: correct round 1 to 20")
        drawn = [
            tuple(event.numbers)
            for event in map(event_of, house.store.events("t2"))
            if isinstance(event, BonusNumbersDrawn)
        ]
        assert [len(numbers) for numbers in drawn] == [10, 10]
        assert shown == [(1, "17", drawn[0]), (2, "20", drawn[1])]
        assert _history(house) == [(1, "20", drawn[0]), (2, "20", drawn[1])]

    for scenario in (play, look):
        with patch.object(House, "new_id", _ids_of(scenario.__name__)):
            in_house(tmp_path, scenario, FAST)


def _history(house: House) -> list[tuple[int, str | None, tuple[str, ...]]]:
    history = house.floor.table("t2").history.rounds
    return [(each.round, each.number, each.bonus) for each in history]


def _ids_of(sender: str) -> Callable[[House], str]:
    numbers = count(1)
    return lambda _: f"{sender}-{next(numbers)}"


def test_no_two_terminals_have_the_same_ids() -> None:
    names = (
        *(f"table 1 terminal {number}" for number in range(30)),
        *("seat 1", "seat-1", "seat.1", "Größe", "Gr--e", "x" * 18, "x" * 19),
    )

    prefixes = {prefix_of(name) for name in names}

    assert len(prefixes) == len(names)
    assert max(map(len, prefixes)) <= 19


def _restarted(
    folder: Path, text: str, *scenarios: Callable[[House], Awaitable[None]]
) -> None:
    """Run each scenario in a house that is started for it, one after the other."""
    for scenario in scenarios:
        with patch.object(House, "new_id", _ids_of(scenario.__name__)):
            in_house(folder, scenario, text)


def test_a_countdown_that_a_stop_cut_short_begins_again(tmp_path: Path) -> None:
    async def bet(house: House) -> None:
        await house.say("t2", "Dealer: place your bets")
        closes = house.floor.table("t2").transient.closes_at_ms
        assert closes == house.clock() + 40_000

    async def confirm(house: House) -> None:
        house.pass_minutes(5)
        transient = house.floor.table("t2").transient
        assert transient.closes_at_ms is None, "the table is interrupted"
        await house.act("t2", table_commands.StateBall(None))
        await house.act("t2", table_commands.ConfirmBall(), SUPERVISOR)
        assert transient.closes_at_ms == house.clock() + 40_000

    counting = TEXT.replace("countdown_seconds = 0", "countdown_seconds = 40")
    _restarted(tmp_path, counting, bet, confirm)


async def test_a_held_round_that_goes_on_has_its_countdown_again(
    tmp_path: Path,
) -> None:
    counting = TEXT.replace("countdown_seconds = 0", "countdown_seconds = 40")

    async with opened(tmp_path, counting) as house:
        transient = house.floor.table("t2").transient
        await house.say("t2", "Dealer: place your bets")
        await house.act("t2", commands.ReportIrregularity(Irregularity.UNLISTED))
        assert transient.closes_at_ms is None
        await house.say("t2", "Gaming Shift Manager: decide continue")
        assert transient.closes_at_ms == house.clock() + 40_000


def test_lights_that_a_stop_came_before_are_waited_for_again(tmp_path: Path) -> None:
    async def draw(house: House) -> None:
        await house.say("t2", "Dealer: place your bets", "Dealer: spin")
        await house.say("t2", "Dealer: no more bets")
        await _drawn(house)

    async def wait(house: House) -> None:
        table = house.floor.table("t2")
        with patch.object(timers, "_LIGHTS_WITHIN_S", 0.01):
            await house.act("t2", table_commands.StateBall(None))
            await house.act("t2", table_commands.ConfirmBall(), SUPERVISOR)
        async with asyncio.timeout(10):
            while len(table.transient.notices) < 10:
                await asyncio.sleep(0.02)
        assert {each.kind for each in table.transient.shown_notices()} == {"unlit"}

    lit = FAST.replace(
        'game = "mbs-fast-action-v2"', 'game = "mbs-fast-action-v2"\nlights = "device"'
    )
    _restarted(tmp_path, lit, draw, wait)


def test_what_was_keyed_before_a_stop_is_keyed_again(tmp_path: Path) -> None:
    async def key(house: House) -> None:
        dana = await deal(house)
        await house.say("t2", "Dealer: place your bets", "Dealer: spin")
        await house.say("t2", "Dealer: no more bets")
        await ask_for(dana, messages.KeyOutcome("o1", "17"))
        assert house.floor.table("t2").transient.keyed == "17"

    async def confirm(house: House) -> None:
        table = house.floor.table("t2")
        assert table.state.is_interrupted, "and everybody sees it"
        dana = await deal(house)
        await house.act("t2", table_commands.StateBall(Number("17")))
        await house.act("t2", table_commands.ConfirmBall(), SUPERVISOR)
        told = await ask_for(dana, messages.KeyOutcome("o2", "17", confirmed=True))
        assert isinstance(told, answers.MessageProblem)
        assert "has not been keyed" in told.reason.text

    _restarted(tmp_path, TEXT, key, confirm)


def test_a_virtual_ball_that_a_stop_came_before_rests_by_itself(tmp_path: Path) -> None:
    async def spin(house: House) -> None:
        house.floor.record.write(DealerCame("Dana", "t2"))
        await house.say("t2", "Dealer: place your bets", "Dealer: spin")
        await house.say("t2", "Dealer: no more bets")
        assert house.floor.table("t2").state.series.current.facts.at_rest is None

    async def rest(house: House) -> None:
        async with asyncio.timeout(10):
            while house.floor.table("t2").state.series.current.facts.at_rest is None:
                await asyncio.sleep(0.02)

    virtual = TEXT.replace(
        'game = "mbs-roulette-v3"\nwheel = "console"',
        'game = "mbs-roulette-v3"\nwheel = "virtual"',
    )
    with patch.object(timers, "_BALL_ROLLS_S", 0.4):
        _restarted(tmp_path, virtual, spin, rest)
