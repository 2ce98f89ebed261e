"""Named Players: their seats, limits, exclusion and favourite layouts."""

from __future__ import annotations

from croupier.games import find_game
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import Sessions, keep_password, replace_password
from croupier.house.people.names import check_name, check_new_name
from croupier.house.people.passwords import check_pin
from croupier.house.people.player_limits import staked_cents
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import DeviceKind, Player
from croupier.journal.events.house import (
    FavouriteKept,
    PlayerDefined,
    PlayerExcluded,
    PlayerLimited,
    SeatLeft,
    SeatTaken,
    Unlocked,
)
from croupier.ledger.accounts import seat as seat_account
from croupier.rules.cents import is_amount
from croupier.rules.notation import NotationError, read_wager, shown
from croupier.table.replay import recover

_MOST_FAVOURITES = 20
_MOST_WAGERS = 200
_EXCLUSION_YEARS = 10
_LONGEST_EXCLUSION_MS = _EXCLUSION_YEARS * 366 * 24 * 60 * 60 * 1000
"""A longer exclusion is a typing error; an exclusion can be extended before it ends."""


def register(record: HouseRecord, by: Caller, name: str, pin: str) -> None:
    """Register a named Player with a PIN."""
    by.must(HouseAct.MANAGE_PLAYERS)
    check_new_name(record.state, name)
    check_pin(pin)
    kept = keep_password(record, by.name, name, pin)  # slow: outside the lock
    with record.lock:
        check_new_name(record.state, name)
        record.write(PlayerDefined(by.name, name), kept)


def reset_pin(record: HouseRecord, by: Caller, name: str, pin: str) -> None:
    """Replace a Player's PIN, and unlock their account."""
    by.must(HouseAct.MANAGE_PLAYERS)
    find_player(record, name)
    check_pin(pin)
    kept = keep_password(record, by.name, name, pin)  # slow: outside the lock
    replace_password(record, kept)
    with record.lock:
        if record.state.account(name).locked:
            record.write(Unlocked(by.name, name))


def limit(record: HouseRecord, limits: PlayerLimited) -> None:
    """Limit a Player's stake in a round, and loss and deposits in a gaming day.

    Raises `NotDone` if Players raise a limit of their own.
    """
    new = limits.stake_cents, limits.loss_cents, limits.deposit_cents
    if not all(cents is None or is_amount(cents) for cents in new):
        raise NotDone(HouseReason.LIMIT_NOT_AN_AMOUNT())
    with record.lock:
        player = find_player(record, limits.name)
        known = player.stake_cents, player.loss_cents, player.deposit_cents
        for before, after in zip(known, new, strict=True):
            is_raised = before is not None and (after is None or after > before)
            if is_raised and limits.by == limits.name:
                raise NotDone(HouseReason.LIMIT_RAISED_BY_STAFF())
        record.write(limits)


def exclude(record: HouseRecord, by: str, name: str, until_ms: int) -> None:
    """Exclude a Player from play; an exclusion can't be shortened."""
    with record.lock:
        player, now = find_player(record, name), record.clock()
        if until_ms <= max(now, player.excluded_until_ms):
            raise NotDone(HouseReason.EXCLUSION_NOT_SHORTER())
        if until_ms > now + _LONGEST_EXCLUSION_MS:
            raise NotDone(HouseReason.EXCLUSION_TOO_LONG(years=_EXCLUSION_YEARS))
        record.write(PlayerExcluded(by, name, until_ms))


def sit(
    record: HouseRecord, sessions: Sessions, place: tuple[str, str], name: str, pin: str
) -> None:
    """Seat a named Player at a table's terminal by their PIN."""
    sessions.check_pin(name, pin, place[1])
    with record.lock:
        find_player(record, name)
        _seat(record, place, name)


def seat_by_staff(record: HouseRecord, by: Caller, name: str, terminal: str) -> None:
    """Seat a Player without a PIN, also if the terminal they sat at is revoked."""
    by.must(HouseAct.MANAGE_PLAYERS)
    with record.lock:
        find_player(record, name)
        device = record.state.devices.get(terminal)
        if device is None or device.kind is not DeviceKind.TERMINAL:
            raise NotThere(HouseReason.NO_SUCH_DEVICE(name=shown(terminal)))
        assert device.table is not None
        session = record.state.sitting.get(name)
        if session is not None and session.terminal not in record.state.devices:
            record.write(SeatLeft(session.table, session.terminal, name))
        _seat(record, (device.table, terminal), name)


def _seat(record: HouseRecord, place: tuple[str, str], name: str) -> None:
    """Seat a Player at a free terminal; one seat at a time."""
    table, terminal = place
    state = record.state
    if record.clock() < state.players[name].excluded_until_ms:
        raise Denied(HouseReason.PLAYER_EXCLUDED(player=name))
    if state.seated.get(place) == name:
        return  # a repeated request: the Player sits there
    if name in state.sitting:
        raise NotDone(
            HouseReason.SITS_ALREADY(player=name, table=state.sitting[name].table)
        )
    if place in state.seated:
        raise NotDone(
            HouseReason.SEAT_IS_TAKEN(player=state.seated[place], terminal=terminal)
        )
    if state.players[name].loss_cents is not None:
        _check_nothing_in_play(record, name, besides=table)
    record.write(SeatTaken(table, terminal, name))


def _check_nothing_in_play(record: HouseRecord, name: str, *, besides: str) -> None:
    """Raise `NotDone` if a Player has wagers on another table, at any node.

    The Player's terminal may have been revoked there. Those wagers would count for the
    loss limit here only once they are settled.
    """
    for head in record.store.streams_of_account(seat_account(name)):
        if head.stream != besides:
            there = recover(record.store, head.stream, record.settings).state
            if staked_cents(there, name):
                raise NotDone(HouseReason.STILL_IN_PLAY())


def leave_seat(record: HouseRecord, player: str) -> None:
    with record.lock:
        session = record.state.sitting.get(player)
        if session is not None:
            record.write(SeatLeft(session.table, session.terminal, player))


def keep_favourite(
    record: HouseRecord, player: str, name: str, game: str, wagers: tuple[str, ...]
) -> None:
    """Keep a layout of chips under a name; drop it if it has no wagers."""
    check_name(name)
    if len(wagers) > _MOST_WAGERS:
        raise NotDone(HouseReason.FAVOURITE_TOO_LARGE(count=_MOST_WAGERS))
    for text in wagers:
        _check_wager(game, text)
    with record.lock:
        kept = find_player(record, player).favourites
        if wagers and name not in kept and len(kept) >= _MOST_FAVOURITES:
            raise NotDone(HouseReason.TOO_MANY_FAVOURITES(count=_MOST_FAVOURITES))
        record.write(FavouriteKept(player, name, game, wagers))


def _check_wager(game: str, text: str) -> None:
    wager, at, stake = text.partition("@")
    if not at or not stake.isdecimal() or not is_amount(int(stake)):
        raise NotDone(HouseReason.NOT_WAGER_AT_CENTS(text=shown(text)))
    try:
        played = find_game(game)
        read_wager(wager, played.multiples, played.numbers)
    except NotationError as error:
        raise NotDone(error.reason) from error


def find_player(record: HouseRecord, name: str) -> Player:
    player = record.state.players.get(name)
    if player is None:
        raise NotThere(HouseReason.NO_SUCH_PLAYER(name=shown(name)))
    return player
