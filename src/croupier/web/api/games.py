"""Games: their documents, layouts and clauses, and the pieces of wagers."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.games import all_games, find_game, is_approved
from croupier.odds.chips import Chips, LayoutTerms
from croupier.odds.layouts import lay_chips
from croupier.rules.clause import WagerRefused
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Role
from croupier.web.api.base import Cents, HouseApi, Name, forbidden, show_as
from croupier.web.api.layout import LayoutShown, layout_shown, pays_shown
from croupier.web.endpoint import Body
from croupier.web.security.authentication import HouseRequest

api = HouseApi("games")


class GameShown(msgspec.Struct, frozen=True):
    game: str
    title: str
    document: str
    operator: str
    effective: str
    """The day on which the document took effect."""
    numbers: tuple[str, ...]
    """The compartments, in layout order."""
    areas: int
    approved: bool
    """Its document is one of Croupier's own approved ones."""


@api("GET /api/games")
async def list_games(request: HouseRequest) -> list[GameShown]:  # noqa: ARG001
    """List the games that are installed."""
    return [
        show_as(
            GameShown,
            game,
            game=game.name,
            operator=game.operator.name,
            areas=len(game.areas),
            approved=is_approved(game),
        )
        for game in all_games()
    ]


@api("GET /api/games/{game}/layout", is_large=True)
async def show_layout(request: HouseRequest, *, game: Name) -> LayoutShown:  # noqa: ARG001
    """Show every betting area with its pay and place, and data to draw the table."""
    return layout_shown(find_game(game))


class OddsShown(msgspec.Struct, frozen=True):
    """Exact, per unit staked; the percentages are rounded for reading."""

    wager: str
    wager_type: str
    win_probability: str
    return_to_player: str
    house_edge: str
    win_percent: str
    edge_percent: str


@api("GET /api/games/{game}/odds")
async def show_odds(request: HouseRequest, *, game: Name) -> list[OddsShown]:  # noqa: ARG001
    """Show exact odds of every betting area: information only."""
    return await asyncio.to_thread(_odds_of, find_game(game).name)


@cache
def returns_of(game: Game) -> dict[str, Fraction]:
    """Return the return to Player by wager type."""
    from croupier.odds import par_sheet

    areas = game.area_by_name
    return {
        areas[odds.name].wager_type.value: odds.return_to_player
        for odds in par_sheet(game).wagers
    }


@cache
def _odds_of(game: str) -> list[OddsShown]:
    from croupier.odds import par_sheet

    areas = find_game(game).area_by_name
    return [
        OddsShown(
            wager=odds.name,
            wager_type=areas[odds.name].wager_type.value,
            win_probability=str(odds.win_probability),
            return_to_player=str(odds.return_to_player),
            house_edge=str(odds.house_edge),
            win_percent=f"{float(odds.win_probability):.2%}",
            edge_percent=f"{float(odds.house_edge):.2%}",
        )
        for odds in par_sheet(game).wagers
    ]


class ClauseShown(msgspec.Struct, frozen=True):
    """A clause in our own words."""

    clause: str
    asks: str
    of_software: bool
    by: tuple[Role, ...]
    """The positions that it names."""
    pays: dict[str, int | dict[str, int]]
    """To one, by wager type."""
    rules: tuple[str, ...]
    """The rules that it provides, such as `no_spin` or `ruling`."""
    voids: Irregularity | None
    """The irregularity for which it voids the round."""


@api("GET /api/games/{game}/clauses")
async def list_clauses(request: HouseRequest, *, game: Name) -> list[ClauseShown]:  # noqa: ARG001
    """List the clauses in our own words."""
    return [
        ClauseShown(
            clause=row.number,
            asks=row.says,
            of_software=row.asks_of_software,
            by=tuple(row.by),
            pays={kind.value: pays_shown(pays) for kind, pays in row.pays.items()},
            rules=tuple(rule.name.lower() for rule in row.rules),
            voids=row.voids,
        )
        for row in find_game(game).clauses
    ]


class WagerBody(Body, frozen=True):
    """A wager in notation."""

    wager: Annotated[str, Meta(min_length=1, max_length=120)]
    stake_cents: Cents | None = None
    """On each piece; none for a complete maximum wager."""


class PieceShown(msgspec.Struct, frozen=True):
    area: str
    stake_cents: int


class PiecesShown(msgspec.Struct, frozen=True):
    """The chips of a wager on the layout."""

    wager: str
    pieces: tuple[PieceShown, ...]
    total_cents: int


@api("POST /api/tables/{table}/pieces", errors={409}, tag="tables")
async def take_to_pieces(
    request: HouseRequest, body: WagerBody, *, table: Name
) -> PiecesShown:
    """Show the pieces and the total of a wager by a table's limits and settings."""
    series = request.floor.table(table).state.series
    terms = LayoutTerms(series.limits, series.settings, laid=False)
    try:
        laid = lay_chips(series.game, [Chips(body.wager, body.stake_cents)], terms)
    except WagerRefused as refused:
        raise forbidden(refused) from refused
    [wager] = laid.board.in_order()
    pieces = zip(wager.areas, wager.piece_cents, strict=True)
    return PiecesShown(
        wager.name,
        tuple(PieceShown(area.name, cents) for area, cents in pieces),
        wager.stake_cents,
    )
