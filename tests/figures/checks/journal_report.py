"""`report` on journals: groups, meters, hold and drop, read once more from events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from tests.figures.command import figures
from tests.figures.groups import (
    ReportedRound,
    check_ratio,
    check_sections,
    check_whole,
)
from tests.figures.journals import some_journal
from tests.figures.oracle.games import Table
from tests.figures.oracle.journal import (
    Clock,
    Recorded,
    RecordedRound,
    Settlement,
    read_journal,
)

CLOCKS = (
    Clock(),
    Clock("Asia/Singapore", 6),
    Clock("America/New_York", 4),
    Clock("UTC", 13),
)


def reported(
    games: Mapping[str, Table], rounds: list[RecordedRound], clock: Clock
) -> list[ReportedRound]:
    """Return the rounds that count: as settled last, on the day they were first."""
    return [
        ReportedRound(
            games[one.place],
            {
                "table": one.place,
                "day": clock.day(one.settlements[0].at_ms),
                "dealer": one.dealer,
            },
            one.last.winning_number,
            one.lit,
            tuple(wager.pieces for wager in one.last.wagers),
        )
        for one in rounds
        if one.last.winning_number is not None
    ]


def meters_of(recorded: Recorded, clock: Clock) -> dict[tuple[str, str], Counter[str]]:
    """Return the meters by table and day: each settlement on the day it was made.

    One that follows another counts on its own day, with what it changes.
    """
    meters: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in recorded.rounds:
        before: Counter[str] = Counter()
        for at, settlement in enumerate(one.settlements):
            here = meters[one.place, clock.day(settlement.at_ms)]
            now = _counted(settlement)
            here.update(now)
            here.subtract(before)
            here["corrections"] += at > 0
            before = now
    for place, money in recorded.bought.items():
        for at_ms, cents in money:
            meters[place, clock.day(at_ms)]["drop_cents"] += cents
    return meters


def _counted(settlement: Settlement) -> Counter[str]:
    if settlement.winning_number is None:
        return Counter(voids=1)
    return Counter(
        rounds=1,
        handle_cents=settlement.at_risk,
        paid_cents=settlement.paid,
        win_cents=settlement.win,
    )


def check_meters(
    mine: dict[tuple[str, str], Counter[str]], meters: list[dict[str, Any]]
) -> None:
    told = {(meter["table"], meter["day"]): meter for meter in meters}
    assert set(told) == set(mine)
    for key, meter in told.items():
        for name in ("rounds", "voids", "corrections", "drop_cents"):
            assert meter[name] == mine[key][name], (key, name)
        for name in ("handle_cents", "paid_cents", "win_cents"):
            assert meter[name] == mine[key][name], (key, name)
        win = mine[key]["win_cents"]
        check_ratio(meter["hold"], win, meter["handle_cents"])
        check_ratio(meter["hold_of_drop"], win, meter["drop_cents"])


def check_journal(
    file: str | Path, games: Mapping[str, Table], export: Path, seed: int
) -> None:
    """Report a journal, and hold every group and meter against its events."""
    chance = Random(seed)
    clock = chance.choice(CLOCKS)
    by = chance.choice(("dealer", "day", "table,day", "type", "dealer,day"))
    words = ["report", str(file), "--by", by]
    if clock != Clock() or chance.random() < 0.5:
        words += ["--time-zone", clock.zone, "--day-start", str(clock.hour)]

    told = figures(*words)

    recorded = read_journal(export)
    mine = reported(games, recorded.rounds, clock)
    check_whole(mine, told["all"])
    check_sections(mine, told["sections"])
    check_meters(meters_of(recorded, clock), told["meters"])
    assert (told["rows_checked"], told["rows_differing"]) == (None, None)
    assert (told["time_zone"], told["day_start"]) == (clock.zone, clock.hour)
    assert set(told["games"]) == {games[one.place].name for one in recorded.rounds}


def check_some_journal(seed: int, folder: Path, *, rounds: int = 8) -> None:
    file = folder / f"journal-{seed}.jsonl"
    games = some_journal(seed, file, rounds=rounds)
    check_journal(file, games, file, seed)


def check_days(seed: int, folder: Path) -> None:
    """Report only some days: rounds by their first day, meters by their own."""
    file = folder / f"days-{seed}.jsonl"
    games = some_journal(seed, file, rounds=10)
    recorded, clock = read_journal(file), Clock()
    mine = reported(games, recorded.rounds, clock)
    days = sorted({one.keys["day"] for one in mine})
    first, last = sorted(Random(seed).choices(days, k=2))

    told = figures("report", str(file), "--from", first, "--to", last)

    assert (told["from"], told["to"]) == (first, last)
    here = [one for one in mine if first <= one.keys["day"] <= last]
    check_whole(here, told["all"])
    check_sections(here, told["sections"])
    meters = {
        key: meter
        for key, meter in meters_of(recorded, clock).items()
        if first <= key[1] <= last
    }
    check_meters(meters, told["meters"])
