"""Named Players: limits, exclusion and favourites, by the staff or at their seat."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.table import FloorTable
from croupier.house.people import players
from croupier.house.people.authority import HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone, NotThere
from croupier.house.records.house_state import Player
from croupier.journal.events.house import FavouriteKept
from croupier.rules.notation import shown
from croupier.web.api.base import Cents, HouseApi, Name, TimeMs, show_as
from croupier.web.endpoint import Body
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, STAFF_OR_DEVICE, HouseRequest

api = HouseApi("players", STAFF_OR_DEVICE)
Pin = Annotated[str, Meta(min_length=4, max_length=64)]
WagerAndStake = Annotated[str, Meta(min_length=1, max_length=150)]


class PlayerShown(msgspec.Struct, frozen=True):
    name: str
    stake_limit_cents: int | None
    loss_limit_cents: int | None
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
    """Register a Player, who sits down with a PIN."""
    await request.with_password(players.register, body.name, body.pin)
    return _shown(request, request.record.state.players[body.name])


class PinBody(Body, frozen=True):
    pin: Pin


@api("PUT /api/players/{name}/pin", auth=STAFF)
async def reset_pin(request: HouseRequest, body: PinBody, *, name: Name) -> None:
    """Give a Player who forgot it a new PIN."""
    await request.with_password(players.reset_pin, name, body.pin)


def _own(request: HouseRequest, name: str) -> Player:
    """Return the Player, for staff who may see it or the terminal of their seat."""
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


class PlayerSeatBody(Body, frozen=True):
    terminal: Name
    """Of any table of the house; nobody else has credit or sits there."""


@api("PUT /api/players/{name}/seat", auth=STAFF)
async def seat_player(
    request: HouseRequest, body: PlayerSeatBody, *, name: Name
) -> PlayerShown:
    """Seat a Player at a terminal, as where the one they sat at was revoked."""
    table, terminal = _table_of(request, body.terminal), body.terminal
    if table is not None and not table.views.may_be_taken(terminal):
        raise NotDone(HouseReason.COLLECT_FIRST())
    await request.in_house(players.seat_by_staff, name, terminal)
    return _shown(request, players.find_player(request.record, name))


def _table_of(request: HouseRequest, terminal: str) -> FloorTable | None:
    state = request.record.state
    device = state.devices.get(terminal)
    at = "" if device is None else device.table or ""
    return request.floor.table(at) if at in state.tables else None


class PlayerLimitsBody(Body, frozen=True):
    """Null: no such limit. At the terminal a limit is only made lower."""

    stake_cents: Cents | None
    """In a round."""
    loss_cents: Cents | None
    """In a gaming day."""


@api("PUT /api/players/{name}/limits")
async def limit_player(
    request: HouseRequest, body: PlayerLimitsBody, *, name: Name
) -> PlayerShown:
    """Limit what a Player stakes in a round and loses in a gaming day."""
    _own(request, name)
    record, staff = request.record, request.staff
    stake, loss = body.stake_cents, body.loss_cents

    def limit() -> None:
        if staff is None:
            players.limit_oneself(record, name, stake_cents=stake, loss_cents=loss)
        else:
            players.limit(record, staff.name, name, stake_cents=stake, loss_cents=loss)

    await request.floor.in_house(limit)
    return _shown(request, players.find_player(record, name))


class ExclusionBody(Body, frozen=True):
    """From now until then; it is never made shorter."""

    until_ms: TimeMs


@api("POST /api/players/{name}/exclusion")
async def exclude_player(
    request: HouseRequest, body: ExclusionBody, *, name: Name
) -> PlayerShown:
    """Exclude a Player from play, by their own wish or the house's."""
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


@api("GET /api/players/{name}/favourites/{favourite}")
async def show_favourite(
    request: HouseRequest, *, name: Name, favourite: Name
) -> FavouriteShown:
    """Show one favourite layout of a Player."""
    return show_as(FavouriteShown, _favourite(_own(request, name), favourite))


class FavouriteBody(Body, frozen=True):
    """Wagers and their stakes, each as `straight_up:17@1000`, in cents."""

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
