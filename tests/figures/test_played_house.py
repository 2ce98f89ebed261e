"""`report` and `wheel-check` on the journal that a real house wrote in play."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.figures.checks.journal_report import check_meters, meters_of, reported
from tests.figures.checks.wheel_check import check_record
from tests.figures.choices import some_wager
from tests.figures.command import croupier, figures
from tests.figures.groups import check_sections, check_whole
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.journal import Clock, read_journal
from tests.figures.wheels import Looks
from tests.house_server.playing import Floor
from tests.house_server.server import GAMES, House, open_house

PLAYED = ("v3", "fast", "triple")
CLOCK = Clock("Asia/Singapore", 6)
"""When the gaming day of the house of these tests begins."""


def round_of_play(chance: Random, table: Table) -> Iterator[str]:
    """Yield the acts of a round: wagers at terminals, and a spin."""
    yield "round"
    yield "Dealer: place your bets"
    for player in ("Anna", "Ben", "Cara")[: chance.randint(0, 3)]:
        wager, stake = some_wager(chance, table), 5 * chance.randint(1, 4)
        yield f"{player}: place {wager} {stake} as w1"
    if table.lies_outside_limits and chance.random() < 0.5:
        # Above the maximum: what is too much is not at risk (A10).
        number = chance.choice(table.numbers)
        yield f"Vera: lay straight_up:{number} {chance.choice((30, 700))} as w9"
    yield "Dealer: spin"
    yield "Dealer: no more bets"
    if table.bonus_numbers:
        yield "draw"
    yield f"Dealer: outcome {chance.choice(table.numbers)}"
    yield "Dealer: settle"


async def play(house: House, rounds: int) -> None:
    chance = Random(1)
    for name in PLAYED:
        table = TABLES[GAMES[name]]
        async with Floor(house, name) as floor:
            for _ in range(rounds):
                await floor.play(*round_of_play(chance, table))
    act = "correct round 2 to 34"
    assert house.propose("v3", act, by=("Sam", "Mira")).status == 200


def test_the_report_and_the_wheel_of_a_house(tmp_path: Path) -> None:
    with open_house("sqlite", tmp_path) as house:
        asyncio.run(play(house, rounds=10))
    export = tmp_path / "export.jsonl"
    exported = croupier("journal", "export", house.url, "-o", str(export))
    assert exported.status == 0, exported.err

    told = figures("report", house.url, "--by", "table", "--by", "dealer,type")
    wheel = figures("wheel-check", house.url, "--table", "v3")

    recorded = read_journal(export)
    games = {name: TABLES[GAMES[name]] for name in PLAYED}
    mine = reported(games, recorded.rounds, CLOCK)
    assert len(mine) == 30
    check_whole(mine, told["all"])
    check_sections(mine, told["sections"])
    meters = {k: v for k, v in meters_of(recorded, CLOCK).items() if k[0] in PLAYED}
    rows = [meter for meter in told["meters"] if meter["table"] in PLAYED]
    check_meters(meters, rows)
    record = [one.outcome for one in mine if one.keys["table"] == "v3"]
    check_record(games["v3"], record, wheel, Looks(len(wheel["tests"])))
