"""Reads a house file: TOML in, a plan out, every fault with its path.

A house file holds no password, and its sums of money never become floats.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from zoneinfo import available_timezones

from msgspec import Meta

from croupier.games import find_game, is_approved
from croupier.house.configuration.differences import NONE
from croupier.house.configuration.faults import (
    Faults,
    HouseFileError,
    WrittenNumber,
    is_plain,
    said,
    whole,
)
from croupier.house.people.authority import HOLDINGS, POSITIONS, HouseAct, never_both
from croupier.house.people.names import check_name
from croupier.journal.events.plan import (
    NO_THRESHOLDS,
    REAL_MONEY_SUMS_BY_PERSON,
    REAL_MONEY_THRESHOLDS,
    ActHolders,
    Authority,
    Duty,
    HousePlan,
    HouseSettings,
    Lights,
    Money,
    StaffPlan,
    TablePlan,
    ThresholdAct,
    Thresholds,
    WheelSource,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.notation import read_cents, shown, suggestion
from croupier.rules.operator import Role
from croupier.rules.terms import (
    Limits,
    add_limit,
    add_setting,
    write_limits,
    write_settings,
)

__all__ = ["HouseFileError", "read_house", "read_house_file"]

MOST_CHARACTERS = 500_000
MOST_TABLES = 200
MOST_STAFF = 1_000
_MOST_BYTES = 4 * MOST_CHARACTERS
_NO_ZONES = frozenset({"localtime", "Factory"})
"""Names in the zone database that are no place: the machine's own setting, and none."""
_ANY = "*"
_SUMS = {
    "thresholds": REAL_MONEY_THRESHOLDS,
    "sums_by_person": REAL_MONEY_SUMS_BY_PERSON,
}
"""The tables of sums, and the usual ones for real money."""
_OWN_TABLES = (*_SUMS, "authority")
"""Settings of the house with a table of their own."""
_NEVER_TOGETHER = "never_together"
_ROLE_WORDS = frozenset(role.value.casefold() for role in Role)
# tomllib takes quadratic time for such a key: minutes.
_DEEP_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){50}"""
)
_TITLE = Annotated[str, Meta(min_length=1, max_length=80)]
_NAME = Annotated[str, Meta(min_length=1, max_length=40)]
_FILE_NAME = Annotated[str, Meta(min_length=1, max_length=250)]
_CURRENCY = Annotated[
    str, Meta(pattern="^[A-Z]{3}$", description="three capital letters, such as SGD")
]
_VIDEO = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^(https://[A-Za-z0-9.-]+(:[1-9][0-9]{0,4})?)?/[^/\s\\][^\s\\]*$",
        description="an https address, or a path at this house such as /wheel.mp4",
    ),
]
_POSITION_WORDS = tuple(role.value for role in POSITIONS)
_KINDS: Mapping[type[Any], Mapping[str, Any]] = {
    HouseSettings: {
        "name": _TITLE,
        "operator": _TITLE,
        "currency": _CURRENCY,
        "gaming_day_begins": whole(0, 23),
        "voucher_days": whole(1, 3650),
        "idle_minutes": whole(1, 1440),
        "proposal_minutes": whole(1, 1440),
        "reality_check_minutes": whole(0, 1440),
        "help_text": Annotated[str, Meta(min_length=1, max_length=500)],
    },
    TablePlan: {
        "name": _NAME,
        "game": _FILE_NAME,
        "lights": Lights,
        "countdown_seconds": whole(0, 600),
        "chips": Annotated[list[Any], Meta(min_length=1, max_length=12)],
        "seats": whole(1, 1000),
        "rounds_per_hour": whole(1, 3600),
        "rules_file": _FILE_NAME,
        "video": _VIDEO,
        "limits": dict[str, Any],
        "settings": dict[str, Any],
    },
    StaffPlan: {
        "name": _NAME,
        "positions": list[Literal[_POSITION_WORDS]],  # type: ignore[valid-type]
    },
}
"""The types in the file that differ from a plan's own, with their bounds."""
_Given = dict[str, Any]
"""A table of the file, or the valid fields of a plan."""
_Found = Iterator[tuple[str, str]]
"""Faults of a table: the key and a sentence."""


def read_house_file(path: str | Path) -> HousePlan:
    """Return the plan in a file; raises `HouseFileError` with all of its faults."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise HouseFileError([f"{path}: the file can't be read: {reason}"]) from error
    if len(data) > _MOST_BYTES:
        raise _too_long(str(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HouseFileError([f"{path}: line {line} is not UTF-8 text"]) from error
    return read_house(text, str(path))


def read_house(text: str, name: str) -> HousePlan:
    """Return the plan in a text; `name` is the file's name in messages.

    Raises `HouseFileError`.
    """
    if len(text) > MOST_CHARACTERS:
        raise _too_long(name)
    if _DEEP_KEY.search(text):
        raise HouseFileError([f"{name}: a key has too many parts"])
    try:
        values = tomllib.loads(text, parse_float=WrittenNumber)
    except RecursionError as error:
        raise HouseFileError([f"{name}: it is nested too deeply"]) from error
    except ValueError as error:
        raise HouseFileError([f"{name}: this is no TOML: {error}"]) from error
    return _read_plan(values, Faults(name))


def _too_long(name: str) -> HouseFileError:
    most = f"{MOST_CHARACTERS} characters"
    return HouseFileError([f"{name}: a house file has at most {most}"])


def _read_plan(values: _Given, faults: Faults) -> HousePlan:
    faults.check_keys("the file", values, ("house", *_OWN_TABLES, "tables", "staff"))
    house = _read_settings_of_house(faults, values)
    tables = [
        _read_table(faults, path, each, house.get("money"))
        for path, each in faults.items("tables", values.get("tables", []))
    ]
    if not 1 <= len(tables) <= MOST_TABLES:
        faults.note("tables", f"a house has 1 to {MOST_TABLES}, each a [[tables]]")
    staff = [
        _read_person(faults, path, each)
        for path, each in faults.items("staff", values.get("staff", []))
    ]
    if len(staff) > MOST_STAFF:
        faults.note("staff", f"a house has at most {MOST_STAFF}")
    _note_twins(faults, "tables", tables)
    _note_twins(faults, "staff", staff)
    for place, person in enumerate(staff):
        pair = never_both(house["authority"], (*person["positions"], *person["duties"]))
        if pair is not None:
            sentence = f"one person can't be {pair[0]} and {pair[1]} (authority)"
            faults.note(f"staff[{place}]", sentence)
    faults.raise_if_any()
    return HousePlan(
        house=HouseSettings(**house),
        tables=tuple(TablePlan(**each) for each in tables),
        staff=tuple(StaffPlan(**each) for each in staff),
    )


def _convert(faults: Faults, path: str, value: object, plan: type[Any]) -> _Given:
    """Return the valid fields of a plan in a table of the file."""
    hints = {**get_type_hints(plan), **_KINDS[plan]}
    kinds = {name: kind for name, kind in hints.items() if name not in _OWN_TABLES}
    needed = [each.name for each in fields(plan) if each.default is MISSING]
    return faults.table(path, value, kinds, needed)


def _read_settings_of_house(faults: Faults, values: _Given) -> _Given:
    """Return the valid settings of the house."""
    house = _convert(faults, "house", values.get("house", {}), HouseSettings)
    zone = house.get("time_zone")
    if zone is not None and zone not in _time_zones():
        close = suggestion(zone, _time_zones())
        hint = f"did you mean {close}?" if close else "write one such as Asia/Singapore"
        faults.note("house.time_zone", f"there is no time zone {shown(zone)}; {hint}")
    is_real = house.get("money") is Money.REAL
    for key, usual in _SUMS.items():
        sums = values.get(key, {})
        house[key] = _read_sums(faults, key, sums, usual if is_real else NO_THRESHOLDS)
    house["authority"] = _read_authority(faults, values.get("authority", {}))
    return house


def _read_sums(
    faults: Faults, path: str, given: object, usual: Thresholds
) -> Thresholds:
    """Return the sums of the file, with the usual sums for missing ones."""
    read: dict[str, int | None] = {}
    kinds = {act.value: Any for act in ThresholdAct}
    for name, value in faults.table(path, given, kinds).items():
        with faults.noted(f"{path}.{name}", f'; or "{NONE}"'):
            cents = None if value == NONE else read_cents(_amount_word(value))
            read[f"{name}_cents"] = cents
    return replace(usual, **read)


def _read_authority(faults: Faults, given: object) -> Authority:
    """Return the file's table of authority, without the acts that it leaves out."""
    words = list[Literal[HOLDINGS]]  # type: ignore[valid-type]
    kinds: dict[str, Any] = {act.name.lower(): words for act in HouseAct}
    found = faults.table("authority", given, {**kinds, _NEVER_TOGETHER: list[words]})
    given_pairs = found.pop(_NEVER_TOGETHER, None)
    pairs = {}
    for place, pair in enumerate(given_pairs or ()):
        if len({*pair}) == len(pair) == 2:
            one, other = sorted(pair, key=HOLDINGS.index)
            pairs[one, other] = True
        else:
            sentence = 'must be a pair, such as ["cashier", "inspector"]'
            faults.note(f"authority.{_NEVER_TOGETHER}[{place}]", sentence)
    acts = (
        ActHolders(
            act,
            tuple(role for role in POSITIONS if role.value in held),
            tuple(duty for duty in Duty if duty.value in held),
        )
        for act, held in found.items()
    )
    never = None if given_pairs is None else tuple(pairs)
    return Authority(acts=tuple(acts), never_together=never)


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones()) - _NO_ZONES


def _note_twins(faults: Faults, path: str, parts: Iterable[_Given]) -> None:
    """Note a name that another part has, ignoring case."""
    seen: set[str] = set()
    for place, part in enumerate(parts):
        name = part.get("name", "")
        if name and name.casefold() in seen:
            faults.note(f"{path}[{place}].name", f"{shown(name)} is taken already")
        seen.add(name.casefold())


def _read_table(
    faults: Faults, path: str, value: object, money: Money | None
) -> _Given:
    """Return the valid fields of a table's plan."""
    table = _convert(faults, path, value, TablePlan)
    game: Game | None = None
    for key, sentence in _table_faults(table, money):
        faults.note(f"{path}.{key}", sentence)
    if "chips" in table:
        table["chips"] = _read_chips(faults, f"{path}.chips", table["chips"])
    name = table.pop("game", None)
    if name is not None:
        with faults.noted(f"{path}.game"):
            game = find_game(name)
    if game is not None:
        table["game"] = name
        for key, sentence in _game_faults(table, game, money):
            faults.note(f"{path}.{key}", sentence)
        if game.provides(Rule.BONUS_DRAW):
            table.setdefault("lights", Lights.DEALER)
        assert isinstance(value, dict)
        if "limits" in table or "limits" not in value:
            table["limits"] = _read_limits(faults, f"{path}.limits", table, game)
        table["settings"] = _read_settings(faults, f"{path}.settings", table, game)
    return table


def _table_faults(table: _Given, money: Money | None) -> _Found:
    """Yield the faults of a table that do not depend on its game."""
    name, wheel, is_real = (
        table.get("name", ""),
        table.get("wheel"),
        money is Money.REAL,
    )
    is_virtual = wheel is WheelSource.VIRTUAL
    if "/" in name:
        yield "name", "a table's name has no /"
    if name.casefold() == HOUSE_STREAM:
        yield "name", f"no table can be named {name}: the house itself is"
    if is_real and is_virtual:
        yield "wheel", "a virtual wheel is no document's wheel: no real money"
    if is_virtual and "video" in table:
        yield "video", "a virtual wheel is drawn: it has no video"
    if table.get("automatic_dealer"):
        yield from _dealer_faults(table, is_real=is_real)
    elif "rounds_per_hour" in table:
        yield "rounds_per_hour", "it limits an automatic dealer: there is none"


def _dealer_faults(table: _Given, *, is_real: bool) -> _Found:
    if is_real:
        yield "automatic_dealer", "an automatic dealer deals for no real money"
    if table.get("wheel") not in {None, WheelSource.VIRTUAL}:
        yield "automatic_dealer", 'an automatic dealer needs wheel = "virtual"'
    if table.get("countdown_seconds") == 0:
        yield "countdown_seconds", "an automatic dealer needs a countdown"


def _game_faults(table: _Given, game: Game, money: Money | None) -> _Found:
    """Yield the faults of a table that depend on its game.

    A game that is not approved takes real money only if the file says so.
    """
    known = table.get("unapproved_game", False)
    if is_approved(game) and known:
        yield "unapproved_game", f"{game.name} is approved: leave it out"
    elif not is_approved(game) and money is Money.REAL and not known:
        wanted = "for real money add unapproved_game = true to this table"
        yield "game", f"{game.name} is not an approved game; {wanted}"
    if "lights" in table and not game.provides(Rule.BONUS_DRAW):
        yield "lights", f"{game.name} draws no Bonus Numbers: it has no lights"


def _read_chips(faults: Faults, path: str, given: list[Any]) -> tuple[int, ...]:
    """Return the denominations in cents, lowest first."""
    chips: set[int] = set()
    for where, value in faults.items(path, given):
        with faults.noted(where):
            cents = read_cents(_amount_word(value))
            if cents in chips:
                faults.note(where, f"a chip of {said(value)} is named twice")
            chips.add(cents)
    return tuple(sorted(chips))


def _read_limits(
    faults: Faults, path: str, table: _Given, game: Game
) -> tuple[str, ...]:
    """Return the limits as `rules.terms` writes them."""
    given, names = table.get("limits", {}), (_ANY, *_wager_types(game))
    faults.check_keys(path, given, names)
    limits = Limits()
    for key in filter(given.__contains__, names):
        value, where = given[key], f"{path}.{key}"
        if not isinstance(value, list) or len(value) != 2:
            faults.note(where, "must be a minimum and a maximum, such as [5, 100]")
            continue
        with faults.noted(where):
            limits = add_limit(limits, (key, *map(_amount_word, value)))
    unlimited = [kind.value for kind in limits.missing(game) if kind.value not in given]
    if _ANY not in given and unlimited:
        some = f" for {', '.join(unlimited)}" if given else ""
        rest = 'give each wager type its own, or the rest theirs by "*"'
        faults.note(path, f"there are no limits{some}: {rest}")
    return write_limits(limits)


def _read_settings(
    faults: Faults, path: str, table: _Given, game: Game
) -> tuple[str, ...]:
    """Return the settings as `rules.terms` writes them."""
    given = table.get("settings", {})
    faults.check_keys(path, given, game.settings)
    settings = Settings()
    for key in filter(given.__contains__, game.settings):
        lines = _setting_words(faults, f"{path}.{key}", key, given[key], game)
        for where, words in lines:
            with faults.noted(where):
                settings = add_setting(game, settings, words)
    return write_settings(settings)


def _setting_words(
    faults: Faults, path: str, key: str, value: object, game: Game
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lines of one setting as words, each with its path."""
    if key == "area_maximum" and isinstance(value, dict):
        names = (_ANY, *_wager_types(game))
        faults.check_keys(path, value, names)
        for name in filter(value.__contains__, names):
            yield f"{path}.{name}", (key, name, _amount_word(value[name]))
    elif key == "area_maximum":
        yield path, (key, _ANY, _amount_word(value))
    elif isinstance(value, str):
        yield path, (key, *value.split())
    else:
        faults.note(path, f"must be a text, not {said(value)}")


def _amount_word(value: object) -> str:
    return value if isinstance(value, str) else said(value)


def _wager_types(game: Game) -> list[str]:
    published = {area.wager_type for area in game.areas}
    return [kind.value for kind in WagerType if kind in published]


def _read_person(faults: Faults, path: str, value: object) -> _Given:
    """Return the valid fields of a person's plan."""
    person = _convert(faults, path, value, StaffPlan)
    name = person.get("name", "")
    if name and is_plain(name):
        with faults.noted(f"{path}.name"):
            check_name(name)
    if name.casefold() in _ROLE_WORDS:
        faults.note(f"{path}.name", f"{shown(name)} is a position: name a person")
    if isinstance(value, dict) and not (value.get("positions") or value.get("duties")):
        faults.note(path, "give positions, duties, or both")
    for key, all_of_them in (("positions", Role), ("duties", Duty)):
        given = {all_of_them(each) for each in person.get(key, ())}
        person[key] = tuple(each for each in all_of_them if each in given)
    return person
