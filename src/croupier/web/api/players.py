"""Named Players: limits, exclusion and favourites, for the staff or at their seat."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.history.past_rounds import RoundShown
from croupier.house.history.seat_play import rounds_of_player
from croupier.house.people import players
from croupier.house.people.authority import HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone, NotThere
from croupier.house.records.house_state import Player
from croupier.journal.events.house import FavouriteKept, PlayerLimited
from croupier.rules.notation import shown
from croupier.web.api.base import Cents, HouseApi, Name, TimeMs, show_as
from croupier.web.endpoint import Body
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, STAFF_OR_DEVICE, HouseRequest

api = HouseApi("players", STAFF_OR_DEVICE)
Pin = Annotated[str, Meta(min_length=4, max_length=64)]
_DAY_MS = 24 * 60 * 60 * 1000
WagerAndStake = Annotated[str, Meta(min_length=1, max_length=150)]


class PlayerShown(msgspec.Struct, frozen=True):
    name: str
    stake_limit_cents: int | None
    loss_limit_cents: int | None
    deposit_limit_cents: int | None
    excluded_until_ms: int | None
    sits_at: str | None
    """The table."""
    terminal: str | None


def _shown(request: HouseRequest, player: Player) -> PlayerShown:
    session = request.record.state.sitting.get(player.name)
    until = player.excluded_until_ms
    return PlayerShown(
        name=player.name,
        stake_limit_cents=player.stake_cents,
        loss_limit_cents=player.loss_cents,
        deposit_limit_cents=player.deposit_cents,
        excluded_until_ms=until if until > request.floor.clock() else None,
        sits_at=session.table if session else None,
        terminal=session.terminal if session else None,
    )


@api("GET /api/players", auth=STAFF)
async def list_players(request: HouseRequest) -> list[PlayerShown]:
    """List the named Players."""
    request.must(HouseAct.MANAGE_PLAYERS)
    return [_shown(request, each) for each in request.record.state.players.values()]


class PlayerBody(Body, frozen=True):
    name: Name
    pin: Pin


@api("POST /api/players", auth=STAFF, status=201)
async def register_player(request: HouseRequest, body: PlayerBody) -> PlayerShown:
    """Register a named Player with a PIN."""
    await request.with_password(players.register, body.name, body.pin)
    return _shown(request, request.record.state.players[body.name])


class PinBody(Body, frozen=True):
    pin: Pin


@api("PUT /api/players/{name}/pin", auth=STAFF)
async def reset_pin(request: HouseRequest, body: PinBody, *, name: Name) -> None:
    """Replace a Player's PIN."""
    await request.with_password(players.reset_pin, name, body.pin)


def _own(request: HouseRequest, name: str) -> Player:
    """Return the Player, for staff with the right or the terminal where they sit."""
    if request.device is None:
        request.must(HouseAct.MANAGE_PLAYERS)
    else:
        session = request.record.state.sitting.get(name)
        if session is None or session.terminal != request.device.name:
            raise Denied(
                WebReason.PLAYER_SITS_ELSEWHERE(
                    player=shown(name), device=request.device.name
                )
            )
    return players.find_player(request.record, name)


@api("GET /api/players/{name}")
async def show_player(request: HouseRequest, *, name: Name) -> PlayerShown:
    """Show a Player, for the staff or at the Player's own seat."""
    return _shown(request, _own(request, name))


class PlayerRounds(msgspec.Struct, frozen=True):
    """A Player's rounds at all tables."""

    rounds: tuple[RoundShown, ...]
    """Latest first."""
    has_more: bool


@api("GET /api/players/{name}/rounds")
async def list_rounds_of_player(
    request: HouseRequest,
    *,
    name: Name,
    days: Annotated[int, Meta(ge=1, le=366)] = 92,
    before_ms: TimeMs | None = None,
    count: Annotated[int, Meta(ge=1, le=50)] = 20,
) -> PlayerRounds:
    """List a Player's rounds of three months, or of up to a year.

    For the next page give the last round's `began_ms` as `before_ms`.
    """
    _own(request, name)
    now = request.floor.clock()
    rounds, has_more = await asyncio.to_thread(
        lambda: rounds_of_player(
            request.floor.history,
            name,
            since_ms=now - days * _DAY_MS,
            before_ms=now + 1 if before_ms is None else before_ms,
            count=count,
        )
    )
    return PlayerRounds(tuple(rounds), has_more)


class SeatedPlayerBody(Body, frozen=True):
    player: Name


@api("PUT /api/tables/{table}/seats/{terminal}/player", auth=STAFF)
async def seat_player(
    request: HouseRequest, body: SeatedPlayerBody, *, table: Name, terminal: Name
) -> PlayerShown:
    """Seat a Player at a free terminal, for example if theirs was revoked."""
    found = request.floor.table(table)
    device = request.record.state.devices.get(terminal)
    if device is not None and device.table != table:
        raise NotThere(WebReason.NOT_A_TERMINAL_OF(device=terminal, table=table))
    if device is not None and "sit" not in found.views.seat_may(terminal):
        raise NotDone(HouseReason.COLLECT_FIRST())
    await request.in_house(players.seat_by_staff, body.player, terminal)
    return _shown(request, players.find_player(request.record, body.player))


class PlayerLimitsBody(Body, frozen=True):
    """Null removes a limit; at the terminal a limit can only become lower."""

    stake_cents: Cents | None
    """For a round."""
    loss_cents: Cents | None
    """For a gaming day."""
    deposit_cents: Cents | None
    """Cash for credit, for a gaming day."""


@api("PUT /api/players/{name}/limits")
async def limit_player(
    request: HouseRequest, body: PlayerLimitsBody, *, name: Name
) -> PlayerShown:
    """Limit a Player's stake in a round, and loss and deposits in a gaming day."""
    _own(request, name)
    record, staff = request.record, request.staff
    by, limits = name if staff is None else staff.name, msgspec.structs.asdict(body)
    limited = PlayerLimited(by, name, **limits)
    await request.floor.in_house(lambda: players.limit(record, limited))
    return _shown(request, players.find_player(record, name))


class ExclusionBody(Body, frozen=True):
    """The end of an exclusion that begins now; it can't be shortened."""

    until_ms: TimeMs


@api("POST /api/players/{name}/exclusion")
async def exclude_player(
    request: HouseRequest, body: ExclusionBody, *, name: Name
) -> PlayerShown:
    """Exclude a Player from play, at their terminal or by the staff."""
    _own(request, name)
    record, by = request.record, name if request.staff is None else request.staff.name
    until = body.until_ms
    await request.floor.in_house(lambda: players.exclude(record, by, name, until))
    return _shown(request, players.find_player(record, name))


class FavouriteShown(msgspec.Struct, frozen=True):
    name: str
    game: str
    wagers: tuple[str, ...]
    """Each as `WAGER@CENTS`."""


@api("GET /api/players/{name}/favourites")
async def list_favourites(request: HouseRequest, *, name: Name) -> list[FavouriteShown]:
    """List the layouts of chips that a Player keeps."""
    kept = _own(request, name).favourites
    return [show_as(FavouriteShown, each) for each in kept.values()]


def _favourite(player: Player, favourite: str) -> FavouriteKept:
    if favourite not in player.favourites:
        raise NotThere(
            WebReason.NO_SUCH_FAVOURITE(
                player=shown(player.name), favourite=shown(favourite)
            )
        )
    return player.favourites[favourite]


class FavouriteBody(Body, frozen=True):
    """Wagers and their stakes in cents, each such as `straight_up:17@1000`."""

    game: Name
    wagers: Annotated[tuple[WagerAndStake, ...], Meta(min_length=1, max_length=200)]


@api("PUT /api/players/{name}/favourites/{favourite}")
async def keep_favourite(
    request: HouseRequest, body: FavouriteBody, *, name: Name, favourite: Name
) -> FavouriteShown:
    """Keep a layout of chips under a name."""
    _own(request, name)
    record, game, wagers = request.record, body.game, body.wagers
    await request.floor.in_house(
        lambda: players.keep_favourite(record, name, favourite, game, wagers)
    )
    player = players.find_player(record, name)
    return show_as(FavouriteShown, _favourite(player, favourite))


@api("DELETE /api/players/{name}/favourites/{favourite}")
async def drop_favourite(request: HouseRequest, *, name: Name, favourite: Name) -> None:
    """Drop a favourite layout."""
    _own(request, name)
    record = request.record

    def drop() -> None:
        kept = _favourite(players.find_player(record, name), favourite)
        players.keep_favourite(record, name, favourite, kept.game, ())

    await request.floor.in_house(drop)
