"""What the House would pay at worst, for what lies on a layout now."""

from __future__ import annotations

import msgspec

from croupier.house.floor.exposure import exposure_at
from croupier.house.people.authority import HouseAct
from croupier.web.api.base import HouseRequest, Name, TagApi
from croupier.web.security.authentication import STAFF

api = TagApi("tables")


class ExposureShown(msgspec.Struct, frozen=True):
    """By number what the House pays less what it collects; below zero it wins."""

    round: int
    stake_cents: int
    worst_number: str | None
    """None where no round of play has begun."""
    pays_cents: int
    by_number: dict[str, int]


@api.get(
    "/api/tables/{table}/exposure",
    summary="What the House would pay at each outcome, and at the worst.",
    auth=STAFF,
    errors=(404,),
)
async def show_exposure(request: HouseRequest, *, table: Name) -> ExposureShown:
    request.caller.must(HouseAct.WATCH)
    series = request.caller.floor.table(table).state.series
    if not series.last:
        return ExposureShown(0, 0, None, 0, {})
    current = series.current
    by_number = exposure_at(current)
    worst = max(by_number, key=lambda number: by_number[number])
    return ExposureShown(
        round=series.last,
        stake_cents=current.board.stake_cents,
        worst_number=worst,
        pays_cents=by_number[worst],
        by_number={str(number): cents for number, cents in by_number.items()},
    )
