"""Named Players: limits, exclusion and favourites, by the staff or at their seat."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people import players
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_record import Denied, NotThere
from croupier.house.records.house_state import Player
from croupier.journal.events.house import FavouriteKept
from croupier.rules.notation import shown
from croupier.web.api.base import Cents, HouseRequest, Name, TagApi, TimeMs
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF, STAFF_OR_DEVICE, Requester

api = TagApi("players")
Pin = Annotated[str, Meta(min_length=4, max_length=64)]
WagerAndStake = Annotated[str, Meta(min_length=1, max_length=150)]


class FavouriteShown(msgspec.Struct, frozen=True):
    name: str
    game: str
    wagers: tuple[str, ...]
    """Each as `WAGER@CENTS`."""


class PlayerShown(msgspec.Struct, frozen=True):
    name: str
    stake_limit_cents: int | None
    loss_limit_cents: int | None
    excluded_until_ms: int | None
    sits_at: str | None
    """The table."""
    terminal: str | None


@api.get("/api/players", summary="The named Players.", auth=STAFF)
async def list_players(request: HouseRequest) -> list[PlayerShown]:
    request.caller.must(HouseAct.MANAGE_PLAYERS)
    return [
        _shown(request.caller, each)
        for each in request.caller.floor.record.state.players.values()
    ]


def _shown(asker: Requester, player: Player) -> PlayerShown:
    floor = asker.floor
    session = floor.record.state.sitting.get(player.name)
    until = player.excluded_until_ms
    return PlayerShown(
        name=player.name,
        stake_limit_cents=player.stake_cents,
        loss_limit_cents=player.loss_cents,
        excluded_until_ms=until if until > floor.clock() else None,
        sits_at=session.table if session else None,
        terminal=session.terminal if session else None,
    )


class PlayerBody(Body, frozen=True):
    name: Name
    pin: Pin


@api.post(
    "/api/players",
    summary="Register a Player, who sits down with a PIN.",
    auth=STAFF,
    status=201,
    errors=(409,),
)
async def register_player(request: HouseRequest, body: PlayerBody) -> PlayerShown:
    floor, by = request.caller.floor, request.caller.member
    record = floor.record
    await floor.in_house(lambda: players.register(record, by, body.name, body.pin))
    return _shown(request.caller, record.state.players[body.name])


@api.get(
    "/api/players/{name}",
    summary="A Player, for the staff or at the Player's own seat.",
    auth=STAFF_OR_DEVICE,
)
async def show_player(request: HouseRequest, *, name: Name) -> PlayerShown:
    _check_own(request.caller, name)
    player = players.find_player(request.caller.floor.record, name)
    return _shown(request.caller, player)


def _check_own(asker: Requester, name: str) -> None:
    """Of the staff who may, or the terminal at which the Player sits."""
    if asker.device is None:
        asker.must(HouseAct.MANAGE_PLAYERS)
        return
    session = asker.floor.record.state.sitting.get(name)
    if session is None or session.terminal != asker.device.name:
        raise Denied(f"{shown(name)} does not sit at {asker.device.name}")


class PlayerLimitsBody(Body, frozen=True):
    """Null: no such limit. At the terminal a limit is only made lower."""

    stake_cents: Cents | None
    """In a round."""
    loss_cents: Cents | None
    """In a gaming day."""


@api.put(
    "/api/players/{name}/limits",
    summary="Limit what a Player stakes in a round and loses in a gaming day.",
    auth=STAFF_OR_DEVICE,
    errors=(409,),
)
async def limit_player(
    request: HouseRequest, body: PlayerLimitsBody, *, name: Name
) -> PlayerShown:
    asker, record = request.caller, request.caller.floor.record
    _check_own(asker, name)
    stake, loss = body.stake_cents, body.loss_cents

    def limit() -> None:
        if asker.staff is None:
            players.limit_oneself(record, name, stake_cents=stake, loss_cents=loss)
        else:
            by = asker.staff.name
            players.limit(record, by, name, stake_cents=stake, loss_cents=loss)

    await asker.floor.in_house(limit)
    return _shown(asker, players.find_player(record, name))


class ExclusionBody(Body, frozen=True):
    """From now until then; it is never made shorter."""

    until_ms: TimeMs


@api.post(
    "/api/players/{name}/exclusion",
    summary="Exclude a Player from play, by their own wish or the house's.",
    auth=STAFF_OR_DEVICE,
    errors=(409,),
)
async def exclude_player(
    request: HouseRequest, body: ExclusionBody, *, name: Name
) -> PlayerShown:
    asker, record = request.caller, request.caller.floor.record
    _check_own(asker, name)
    by = name if asker.staff is None else asker.staff.name
    await asker.floor.in_house(lambda: players.exclude(record, by, name, body.until_ms))
    return _shown(asker, players.find_player(record, name))


@api.get(
    "/api/players/{name}/favourites",
    summary="The layouts of chips that a Player keeps.",
    auth=STAFF_OR_DEVICE,
)
async def list_favourites(request: HouseRequest, *, name: Name) -> list[FavouriteShown]:
    _check_own(request.caller, name)
    kept = players.find_player(request.caller.floor.record, name).favourites
    return [_favourite(each) for each in kept.values()]


def _favourite(kept: FavouriteKept) -> FavouriteShown:
    return FavouriteShown(kept.name, kept.game, kept.wagers)


def _find_favourite(asker: Requester, name: str, favourite: str) -> FavouriteKept:
    kept = players.find_player(asker.floor.record, name).favourites.get(favourite)
    if kept is None:
        raise NotThere(f"{shown(name)} keeps no favourite {shown(favourite)}")
    return kept


@api.get(
    "/api/players/{name}/favourites/{favourite}",
    summary="One favourite layout of a Player.",
    auth=STAFF_OR_DEVICE,
)
async def show_favourite(
    request: HouseRequest, *, name: Name, favourite: Name
) -> FavouriteShown:
    _check_own(request.caller, name)
    return _favourite(_find_favourite(request.caller, name, favourite))


class FavouriteBody(Body, frozen=True):
    """Wagers and their stakes, each as `straight_up:17@1000`, in cents."""

    game: Name
    wagers: Annotated[tuple[WagerAndStake, ...], Meta(min_length=1, max_length=200)]


@api.put(
    "/api/players/{name}/favourites/{favourite}",
    summary="Keep a layout of chips under a name.",
    auth=STAFF_OR_DEVICE,
    errors=(409,),
)
async def keep_favourite(
    request: HouseRequest, body: FavouriteBody, *, name: Name, favourite: Name
) -> FavouriteShown:
    asker, record = request.caller, request.caller.floor.record
    _check_own(asker, name)
    await asker.floor.in_house(
        lambda: players.keep_favourite(record, name, favourite, body.game, body.wagers)
    )
    return _favourite(_find_favourite(asker, name, favourite))


@api.delete(
    "/api/players/{name}/favourites/{favourite}",
    summary="Drop a favourite layout.",
    auth=STAFF_OR_DEVICE,
    errors=(409,),
)
async def drop_favourite(request: HouseRequest, *, name: Name, favourite: Name) -> None:
    asker, record = request.caller, request.caller.floor.record
    _check_own(asker, name)

    def drop() -> None:
        kept = _find_favourite(asker, name, favourite)
        players.keep_favourite(record, name, favourite, kept.game, ())

    await asker.floor.in_house(drop)
