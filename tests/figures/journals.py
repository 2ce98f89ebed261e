"""Journals at random, written as exports: rounds, corrections, voids and buy-ins.

An export is a line of JSON for each record. The hashes in it are made up: who reports
on an export takes it as recorded, and does not verify it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from tests.figures.choices import some_limits
from tests.figures.oracle.chance import drawn_case
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.settlement import Limits, settle
from tests.figures.rounds import Row, some_rounds

DEALERS = ("Dana", "Dora", "Dev")
DOCUMENTS = {
    "mbs-roulette-v2": "Roulette (MBS) v2",
    "mbs-roulette-v3": "Roulette (MBS) v3",
    "mbs-complete-bet-v2": "Roulette Complete Bet (MBS) v2",
    "mbs-fast-action-v2": "Sands Fast Action Roulette (MBS) v2",
    "rws-triple-zero": "Roulette Triple Zero (RWS)",
}
_BEGINS_MS = 1_790_000_000_000
_NO_HASH = "0" * 64
_SUPERVISOR = {"name": "Sam", "role": "Pit Supervisor", "acting": False}


@dataclass
class Stream:
    """The events of one table, as they are recorded."""

    name: str
    table: Table
    chance: Random
    now_ms: int = _BEGINS_MS
    records: list[dict[str, Any]] = field(default_factory=list)

    def record(self, kind: str, number: int = 0, /, **body: Any) -> None:
        self.now_ms += self.chance.randint(1, 40_000)
        place = len(self.records) + 1
        self.records.append(
            {
                "table": "events",
                "stream": self.name,
                "sequence": place,
                "round_number": number,
                "command_id": f"{self.name}-{place}",
                "at_ms": self.now_ms,
                "schema": 1,
                "document": DOCUMENTS[self.table.name],
                "terms": "0" * 16,
                "kind": kind,
                "body": json.dumps(body),
                "hash": _NO_HASH,
            }
        )

    def settled(self, number: int, rows: Sequence[Row], outcome: str | None) -> None:
        """Record the settlement of a round: of a void one, all is returned."""
        wagers = [
            [f"w{at}", row.player, row.chips.wager, _pieces(self.table, row, outcome)]
            for at, row in enumerate(rows, 1)
        ]
        self.record(
            "RoundSettled",
            number,
            winning_number=outcome,
            wagers=wagers,
            under_minimum=[],
        )


def _pieces(table: Table, row: Row, outcome: str | None) -> list[list[object]]:
    if outcome is None:
        return [[p.place, p.stake, 0, 0, p.stake, 0, "5.9"] for p in row.pieces]
    rows = settle(table, row.pieces, drawn_case(table, outcome, row.lit))
    return [
        [one.place, one.stake, one.paid, one.collected, one.returned, p.at_risk, "4.1"]
        for one, p in zip(rows, row.pieces, strict=True)
    ]


def _by(name: str) -> dict[str, Any]:
    return {"name": name, "role": "Dealer", "acting": False}


def some_journal(
    seed: int,
    file: Path,
    *,
    tables: Mapping[str, Table] | None = None,
    rounds: int = 12,
) -> dict[str, Table]:
    """Write an export at random; return the game of each of its tables."""
    chance = Random(seed)
    games = dict(tables or _some_tables(chance))
    streams = [_played(chance, name, table, rounds) for name, table in games.items()]
    lines = [
        {
            "table": "streams",
            "stream": stream.name,
            "sequence": len(stream.records),
            "hash": _NO_HASH,
        }
        for stream in streams
    ]
    lines += [record for stream in streams for record in stream.records]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    digest = hashlib.sha256(text.encode()).hexdigest()
    end = {"table": "end", "version": 1, "records": len(lines), "digest": digest}
    file.write_text(text + json.dumps(end) + "\n", encoding="utf-8")
    return games


def _some_tables(chance: Random) -> dict[str, Table]:
    many = chance.randint(1, 3)
    games = chance.choices(list(TABLES.values()), k=many)
    return {f"table {at}": table for at, table in enumerate(games, 1)}


def _played(chance: Random, name: str, table: Table, rounds: int) -> Stream:
    """Play rounds at a table, and correct or void some of them afterwards."""
    stream = Stream(name, table, chance, _BEGINS_MS + chance.randint(0, 10**8))
    stream.record(
        "TableOpened",
        by=_by(DEALERS[0]),
        game=table.name,
        limits=["* 0.01 100000"],
        settings=[],
        virtual_wheel=False,
    )
    played: list[tuple[int, list[Row]]] = []
    for number, rows in enumerate(_rounds(chance, table, rounds), 1):
        _buy_in(stream)
        if chance.random() < 0.15:
            stream.now_ms += chance.randint(1, 40) * 3_600_000
        _play_round(stream, number, rows)
        if rows and not rows[0].void:
            played.append((number, rows))
        if played and chance.random() < 0.2:
            _correct(stream, *chance.choice(played))
    return stream


def _rounds(chance: Random, table: Table, rounds: int) -> Iterator[list[Row]]:
    """Yield the rows of each round; now and then without a wager."""
    limits = some_limits(chance, table) if table.lies_outside_limits else Limits()
    rows = some_rounds(chance, table, limits, tables=1, rounds=rounds)
    for _, group in groupby(rows, key=lambda row: row.round):
        if chance.random() < 0.1:
            yield []
        yield [row for row in group if row.paid is not None]


def _play_round(stream: Stream, number: int, rows: Sequence[Row]) -> None:
    dealer, table = _by(stream.chance.choice(DEALERS)), stream.table
    stream.record(
        "RoundBegun",
        number,
        round_number=number,
        document=DOCUMENTS[table.name],
        limits=["* 0.01 100000.00"],
        settings=[],
        warned=[],
    )
    stream.record("PlaceYourBetsAnnounced", number, by=_by(DEALERS[0]))
    for at, row in enumerate(rows, 1):
        _place(stream, number, f"w{at}", row)
    stream.record("BallSpun", number, by=dealer, revolutions=None, against_wheel=None)
    stream.record("NoMoreBetsAnnounced", number, by=_by(DEALERS[1]), late=False)
    lit = list(rows[0].lit) if rows else table.numbers[: table.bonus_numbers]
    if lit:
        stream.record("BonusNumbersDrawn", number, numbers=list(lit))
    if rows and rows[0].void:
        _void(stream, number)
        stream.settled(number, rows, None)
        return
    outcome = rows[0].outcome if rows else stream.chance.choice(table.numbers)
    stream.record("OutcomeAnnounced", number, by=dealer, number=outcome)
    stream.settled(number, rows, outcome)


def _place(stream: Stream, number: int, wager_id: str, row: Row) -> None:
    pieces = [{"area": piece.place, "cents": piece.stake} for piece in row.pieces]
    stream.record(
        "WagerPlaced",
        number,
        by={"name": row.player, "role": "Player", "acting": False},
        wager_id=wager_id,
        player=row.player,
        wager=row.chips.wager,
        pieces=pieces,
        electronic=stream.table.is_electronic,
        registered=True,
        terminal=None,
        colour=None,
        marker=None,
        stay=None,
        for_round=None,
    )


def _void(stream: Stream, number: int) -> None:
    document = DOCUMENTS[stream.table.name]
    stream.record(
        "RoundVoided",
        number,
        clause={"document": document, "number": "5.4"},
        reason={"code": "ball_broke", "values": {}},
        because="",
    )


def _correct(stream: Stream, number: int, rows: Sequence[Row]) -> None:
    """Settle a round again: with another number, or as void."""
    if stream.chance.random() < 0.3:
        _void(stream, number)
        stream.settled(number, rows, None)
        return
    outcome = stream.chance.choice(stream.table.numbers)
    stream.record(
        "OutcomeCorrected",
        number,
        by=[_by(DEALERS[2]), _SUPERVISOR],
        number=rows[0].outcome,
        corrected_to=outcome,
        clause={"document": DOCUMENTS[stream.table.name], "number": "6.4"},
        because="",
    )
    stream.settled(number, rows, outcome)


def _buy_in(stream: Stream) -> None:
    """Now and then record money that is brought or taken away."""
    by, cents = _by(DEALERS[0]), 100 * stream.chance.randint(1, 900)
    match stream.chance.randrange(8):
        case 0:
            stream.record("BoughtIn", by=by, seat="Anna", cents=cents)
        case 1:
            code = f"CODE{len(stream.records)}"
            stream.record("VoucherRedeemed", by=by, seat="Ben", cents=cents, code=code)
        case 2:
            stream.record(
                "ColourChipsBought",
                by=by,
                player="Cara",
                colour="blue",
                chips=cents // 100,
                cents=cents,
            )
        case 3:
            stream.record("CashedOut", by=by, seat="Anna", cents=cents)
        case 4:
            stream.record("Filled", by=by, cents=cents)
