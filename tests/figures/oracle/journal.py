"""What a journal tells of its rounds and its money, read once more from an export."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from tests.figures.oracle.settlement import Piece

BUY_INS = ("BoughtIn", "VoucherRedeemed", "ColourChipsBought")
"""What brings money to a table: cash, vouchers, colour chips."""


@dataclass(frozen=True)
class Clock:
    """The time zone and the hour at which a gaming day begins."""

    zone: str = "UTC"
    hour: int = 0

    def day(self, at_ms: int) -> str:
        there = datetime.fromtimestamp(at_ms / 1000, ZoneInfo(self.zone))
        began = there.replace(tzinfo=None) - timedelta(hours=self.hour)
        return began.date().isoformat()


@dataclass(frozen=True)
class RecordedWager:
    """A wager as its settlement has it."""

    pieces: tuple[Piece, ...]
    paid: int
    collected: int
    returned: int

    @property
    def at_risk(self) -> int:
        return sum(piece.at_risk for piece in self.pieces)


@dataclass(frozen=True)
class Settlement:
    """A settlement of a round; of a void one there is no winning number."""

    at_ms: int
    winning_number: str | None
    wagers: tuple[RecordedWager, ...]

    @property
    def at_risk(self) -> int:
        return sum(wager.at_risk for wager in self.wagers)

    @property
    def paid(self) -> int:
        return sum(wager.paid for wager in self.wagers)

    @property
    def win(self) -> int:
        return sum(wager.collected for wager in self.wagers) - self.paid


@dataclass
class RecordedRound:
    """A round of a journal: who spun the ball, what was lit, how it was settled."""

    place: str
    number: int
    dealer: str = ""
    lit: tuple[str, ...] = ()
    settlements: list[Settlement] = field(default_factory=list)

    @property
    def last(self) -> Settlement:
        return self.settlements[-1]


@dataclass(frozen=True)
class Recorded:
    """All rounds that were settled, and what was bought in at each table, and when."""

    rounds: list[RecordedRound]
    bought: Mapping[str, list[tuple[int, int]]]


def read_journal(file: Path) -> Recorded:
    """Read the events of an export, in the order of each table's stream."""
    rounds: dict[tuple[str, int], RecordedRound] = {}
    bought: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for event in _events(file):
        place, number = event["stream"], event["round_number"]
        body = json.loads(event["body"])
        here = rounds.setdefault((place, number), RecordedRound(place, number))
        match event["kind"]:
            case "BallSpun":
                here.dealer = body["by"]["name"]
            case "BonusNumbersDrawn":
                here.lit = tuple(body["numbers"])
            case "RoundSettled":
                here.settlements.append(_settlement(event["at_ms"], body))
            case kind if kind in BUY_INS:
                bought[place].append((event["at_ms"], body["cents"]))
    return Recorded([one for one in rounds.values() if one.settlements], bought)


def _events(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["table"] == "events" and record["stream"] != "house":
                yield record


def _settlement(at_ms: int, body: Mapping[str, Any]) -> Settlement:
    """Read a settlement: area, stake, paid, collected, returned, at risk, clause."""
    wagers = []
    for _, _, _, pieces in body["wagers"]:
        paid, collected, returned = (sum(p[at] for p in pieces) for at in (2, 3, 4))
        laid = tuple(Piece(p[0], p[1], p[5]) for p in pieces)
        wagers.append(RecordedWager(laid, paid, collected, returned))
    return Settlement(at_ms, body["winning_number"], tuple(wagers))
