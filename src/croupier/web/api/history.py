"""What came before at a table: information only, the next spin knows nothing of it."""

from __future__ import annotations

from collections import Counter

import msgspec

from croupier.protocol.answers import PastRound
from croupier.rules.layout import INSIDE
from croupier.rules.wheel import Number
from croupier.web.api.base import HouseRequest, Name, TagApi

api = TagApi("tables")
LABEL = "Information only: each spin is independent of the spins before it."
_FEW = 5


class CountShown(msgspec.Struct, frozen=True):
    number: str
    times: int


class HistoryShown(msgspec.Struct, frozen=True):
    """The last rounds, and how often each number and box came in them."""

    label: str
    rounds: tuple[PastRound, ...]
    """Oldest first; without a number: void."""
    decided: int
    """How many of them had a number."""
    numbers: tuple[CountShown, ...]
    hot: tuple[CountShown, ...]
    cold: tuple[CountShown, ...]
    boxes: dict[str, int]
    """By the outside area: `red`, `dozen:2`, `column:1` …"""
    colours: dict[str, int]


@api.get(
    "/api/tables/{table}/history",
    summary="The last 200 rounds with their counts, for information only.",
)
async def show_history(request: HouseRequest, *, table: Name) -> HistoryShown:
    found = request.caller.floor.table(table)
    rounds = tuple(found.history)
    came = Counter(Number(each.number) for each in rounds if each.number is not None)
    counted = [CountShown(number, came[number]) for number in found.game.numbers]
    often = sorted(counted, key=lambda each: -each.times)
    colours = Counter(each.colour for each in rounds if each.colour is not None)
    return HistoryShown(
        label=LABEL,
        rounds=rounds,
        decided=came.total(),
        numbers=tuple(counted),
        hot=tuple(often[:_FEW]) if came else (),
        cold=tuple(often[: -_FEW - 1 : -1]) if came else (),
        boxes={
            area.name: sum(came[number] for number in area.numbers)
            for area in found.game.areas
            if area.wager_type not in INSIDE and area.numbers
        },
        colours=dict(colours),
    )
