"""Reads a house file: TOML in, a plan out.

Each part of the file, such as a table, is read by itself, so that one reading finds
a fault in each. A house file holds no password, and its sums of money never become
floats.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import msgspec
from msgspec import Meta, Struct

from croupier.errors import CroupierError
from croupier.games import UnknownGame, find_game, is_approved
from croupier.house.configuration.differences import NONE
from croupier.house.people.authority import HOLDINGS, POSITIONS, HouseAct, never_both
from croupier.house.people.names import check_name
from croupier.house.records.house_record import NotDone
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
    SensitiveAct,
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
from croupier.rules.notation import NotationError, read_cents, shown, suggestion
from croupier.rules.operator import Role
from croupier.rules.terms import (
    Limits,
    add_limit,
    add_setting,
    write_limits,
    write_settings,
)

MOST_CHARACTERS = 500_000
MOST_TABLES = 200
MOST_STAFF = 1_000
_MOST_BYTES = 4 * MOST_CHARACTERS
_NO_ZONES = frozenset({"localtime", "posixrules", "Factory"})
"""Names in the zone database that are not places, such as the machine's own zone."""
_ANY = "*"
_ROLE_WORDS = frozenset(role.value.casefold() for role in Role)
# tomllib takes quadratic time for such a key, which can be minutes.
_DEEP_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){50}"""
)
_VIDEO = re.compile(
    r"(https://[A-Za-z0-9.-]+(:[1-9][0-9]{0,4})?)?/[^/\s\\][^\s\\]{0,400}"
)
_WORDS = {
    "Object missing required field ": "it lacks ",
    "Invalid enum value ": "can't be ",
    "Expected ": "must be ",
    ", got ": ", not ",
    " | null`": "`",
    "`object`": "a table",
    "`array`": "a list",
    "`str`": "a text",
    "`int`": "a whole number",
    "`bool`": "true or false",
    "`decimal`": "a decimal number",
}
"""Words in msgspec's messages, and our words for them."""
T = TypeVar("T")
P = TypeVar("P", bound="_Part")
_Faults = Iterator[tuple[str, str]]
"""Each fault is a key and a sentence."""


class HouseFileError(CroupierError):
    """The house file is wrong; the message has a line for each fault."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


_Title = Annotated[str, Meta(min_length=1, max_length=80)]
_Name = Annotated[str, Meta(min_length=1, max_length=40)]
_FileName = Annotated[str, Meta(min_length=1, max_length=250)]
_Text = Annotated[str, Meta(min_length=1, max_length=500)]
_Minutes = Annotated[int, Meta(ge=1, le=1440)]
_Seconds = Annotated[int, Meta(ge=0, le=600)]
_POSITION_WORDS = tuple(role.value for role in POSITIONS)
_Holding = Literal[HOLDINGS]  # type: ignore[valid-type]


class _Part(Struct, kw_only=True):
    """A table of the file; None stands for a missing key."""

    def given(self) -> dict[str, Any]:
        fields = msgspec.structs.asdict(self)
        return {key: value for key, value in fields.items() if value is not None}


class _House(_Part):
    name: _Title
    operator: _Title
    money: Money
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    time_zone: str
    gaming_day_begins: Annotated[int, Meta(ge=0, le=23)] | None = None
    voucher_days: Annotated[int, Meta(ge=1, le=3650)] | None = None
    idle_minutes: _Minutes | None = None
    proposal_minutes: _Minutes | None = None
    autoplay: bool | None = None
    reality_check_minutes: Annotated[int, Meta(ge=0, le=1440)] | None = None
    help_text: _Text | None = None
    second_factor: tuple[SensitiveAct, ...] | None = None


class _Table(_Part):
    name: _Name
    game: _FileName
    wheel: WheelSource
    unapproved_game: bool | None = None
    lights: Lights | None = None
    countdown_seconds: _Seconds | None = None
    chips: Annotated[list[Any], Meta(min_length=1, max_length=12)] | None = None
    seats: Annotated[int, Meta(ge=1, le=1000)] | None = None
    automatic_dealer: bool | None = None
    rounds_per_hour: Annotated[int, Meta(ge=1, le=3600)] | None = None
    rules_file: _FileName | None = None
    video: _Text | None = None
    limits: dict[str, Any] | None = None
    settings: dict[str, Any] | None = None


class _Person(_Part):
    name: _Name
    positions: list[Literal[_POSITION_WORDS]] = []  # type: ignore[valid-type]
    duties: list[Duty] = []


class _File(_Part):
    house: dict[str, Any]
    tables: Annotated[list[Any], Meta(min_length=1, max_length=MOST_TABLES)]
    thresholds: dict[str, Any] = {}
    sums_by_person: dict[str, Any] = {}
    authority: dict[str, Any] = {}
    staff: Annotated[list[Any], Meta(max_length=MOST_STAFF)] = []


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
        values = tomllib.loads(text, parse_float=Decimal)
    except RecursionError as error:
        raise HouseFileError([f"{name}: it is nested too deeply"]) from error
    except ArithmeticError as error:
        raise HouseFileError([f"{name}: a number is out of range"]) from error
    except ValueError as error:
        raise HouseFileError([f"{name}: this is no TOML: {error}"]) from error
    try:
        return _read_plan(values)
    except HouseFileError as error:
        raise HouseFileError(f"{name}: {each}" for each in error.faults) from error


def _too_long(name: str) -> HouseFileError:
    most = f"{MOST_CHARACTERS} characters"
    return HouseFileError([f"{name}: a house file has at most {most}"])


def _fault(path: str, sentence: str) -> HouseFileError:
    return HouseFileError([f"{path}: {sentence}"])


@contextmanager
def _at(path: str) -> Iterator[None]:
    """Turn a refusal by the types, the rules or the house into a fault."""
    try:
        yield
    except msgspec.ValidationError as error:
        message, *inner = re.split(r" - at `(?:key` in `)?\$", str(error))
        for word, plain in _WORDS.items():
            message = message.replace(word, plain)
        where = "".join([path, *inner]).rstrip("`").lstrip(".")
        raise _fault(where or "the file", message[:200]) from error
    except (NotationError, UnknownGame, NotDone, ValueError) as error:
        raise _fault(path, str(error)) from error


def _convert(path: str, value: object, kind: type[P]) -> P:
    if isinstance(value, dict):
        _check_keys(path or "the file", value, kind.__struct_fields__)
    with _at(path):
        part = msgspec.convert(value, kind)
    for name, text in part.given().items():
        if isinstance(text, str):
            is_plain = text.isprintable() and " ".join(text.split()) == text
            if not is_plain:
                sentence = "must be printable, without spare spaces"
                raise _fault(f"{path}.{name}", sentence)
    return part


def _read_plan(values: dict[str, Any]) -> HousePlan:
    file, faults = _convert("", values, _File), list[str]()
    house = _noted(faults, lambda: _read_house(file))
    money = None if house is None else house.money
    tables = [
        _noted(faults, partial(_read_table, f"tables[{place}]", each, money))
        for place, each in enumerate(file.tables)
    ]
    staff = [
        _noted(faults, partial(_read_person, f"staff[{place}]", each))
        for place, each in enumerate(file.staff)
    ]
    if house is None or faults:
        raise HouseFileError(faults)
    plan = HousePlan(
        house=house,
        tables=tuple(filter(None, tables)),
        staff=tuple(filter(None, staff)),
    )
    faults += _twins("tables", [table.name for table in plan.tables])
    faults += _twins("staff", [person.name for person in plan.staff])
    for place, person in enumerate(plan.staff):
        pair = never_both(house.authority, (*person.positions, *person.duties))
        if pair is not None:
            sentence = f"one person can't be {pair[0]} and {pair[1]} (authority)"
            faults.append(f"staff[{place}]: {sentence}")
    if faults:
        raise HouseFileError(faults)
    return plan


def _noted(faults: list[str], read: Callable[[], T]) -> T | None:
    """Return the part that is read; if it is wrong, add its faults."""
    try:
        return read()
    except HouseFileError as error:
        faults += error.faults
        return None


def _twins(path: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the faults of names that another part has, ignoring case."""
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name.casefold() in seen:
            yield f"{path}[{place}].name: {shown(name)} is taken already"
        seen.add(name.casefold())


def _read_house(file: _File) -> HouseSettings:
    house = _convert("house", file.house, _House)
    zone, is_real = house.time_zone, house.money is Money.REAL
    if not _is_time_zone(zone):
        close = suggestion(zone, available_timezones() - _NO_ZONES)
        hint = f"did you mean {close}?" if close else "write one such as Asia/Singapore"
        raise _fault("house.time_zone", f"there is no time zone {shown(zone)}; {hint}")
    usual = REAL_MONEY_THRESHOLDS if is_real else NO_THRESHOLDS
    by_person = REAL_MONEY_SUMS_BY_PERSON if is_real else NO_THRESHOLDS
    return HouseSettings(
        **house.given(),
        thresholds=_read_sums("thresholds", file.thresholds, usual),
        sums_by_person=_read_sums("sums_by_person", file.sums_by_person, by_person),
        authority=_read_authority(file.authority),
    )


def _is_time_zone(name: str) -> bool:
    if name in _NO_ZONES or name.startswith(("posix/", "right/")):
        return False
    try:
        ZoneInfo(name)  # listing all zones takes 8,000 more calls
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return False
    return True


def _read_sums(path: str, given: Mapping[str, Any], usual: Thresholds) -> Thresholds:
    """Return the sums of the file, with the usual sums for missing ones."""
    read: dict[str, int | None] = {}
    _check_keys(path, given, [act.value for act in ThresholdAct])
    for name, value in given.items():
        with _at(f"{path}.{name}"):
            read[f"{name}_cents"] = None if value == NONE else read_cents(str(value))
    return replace(usual, **read)


def _read_authority(given: dict[str, Any]) -> Authority:
    """Return the file's table of authority, which may leave acts out."""
    pairs = given.pop("never_together", None)
    _check_keys("authority", given, [act.name.lower() for act in HouseAct])
    found = {}
    for act, held in given.items():
        with _at(f"authority.{act}"):
            found[act] = msgspec.convert(held, list[_Holding])
    acts = (
        ActHolders(
            act,
            tuple(role for role in POSITIONS if role.value in held),
            tuple(duty for duty in Duty if duty.value in held),
        )
        for act, held in found.items()
    )
    if pairs is None:
        return Authority(acts=tuple(acts))
    with _at("authority.never_together"):
        words = msgspec.convert(pairs, list[tuple[_Holding, _Holding]])
    never = {tuple(sorted(pair, key=HOLDINGS.index)) for pair in words}
    return Authority(acts=tuple(acts), never_together=tuple(sorted(never)))


def _check_keys(path: str, given: Iterable[str], known: Collection[str]) -> None:
    for key in given:
        if key not in known:
            close = suggestion(key, known)
            hint = f"did you mean {close}?" if close else f"known: {', '.join(known)}"
            raise _fault(path, f"{shown(key)} is no key here; {hint}")


def _read_table(path: str, value: object, money: Money | None) -> TablePlan:
    table = _convert(path, value, _Table)
    with _at(f"{path}.game"):
        game = find_game(table.game)
    wrong = (*_table_faults(table, money), *_game_faults(table, game, money))
    if wrong:
        raise HouseFileError(f"{path}.{key}: {sentence}" for key, sentence in wrong)
    given = table.given()
    if game.provides(Rule.BONUS_DRAW):
        given.setdefault("lights", Lights.DEALER)
    if table.chips is not None:
        given["chips"] = _read_chips(f"{path}.chips", table.chips)
    given["limits"] = _read_limits(f"{path}.limits", table.limits or {}, game)
    given["settings"] = _read_settings(f"{path}.settings", table.settings or {}, game)
    return TablePlan(**given)


def _table_faults(table: _Table, money: Money | None) -> _Faults:
    """Yield the faults of a table that do not depend on its game."""
    is_real, is_virtual = money is Money.REAL, table.wheel is WheelSource.VIRTUAL
    if "/" in table.name:
        yield "name", "a table's name has no /"
    if table.name.casefold() == HOUSE_STREAM:
        yield "name", f"no table can be named {table.name}: the house itself is"
    if is_real and is_virtual:
        yield "wheel", "a virtual wheel is no document's wheel: no real money"
    if is_virtual and table.video is not None:
        yield "video", "a virtual wheel is drawn: it has no video"
    if table.video is not None and not _VIDEO.fullmatch(table.video):
        kinds = "an https address, or a path at this house such as /wheel.mp4"
        yield "video", f"must be {kinds}, not {shown(table.video)}"
    if not table.automatic_dealer and table.rounds_per_hour is not None:
        yield "rounds_per_hour", "it limits an automatic dealer: there is none"
    if table.automatic_dealer and is_real:
        yield "automatic_dealer", "an automatic dealer deals for no real money"
    if table.automatic_dealer and not is_virtual:
        yield "automatic_dealer", 'an automatic dealer needs wheel = "virtual"'
    if table.automatic_dealer and table.countdown_seconds == 0:
        yield "countdown_seconds", "an automatic dealer needs a countdown"


def _game_faults(table: _Table, game: Game, money: Money | None) -> _Faults:
    """Yield the faults of a table that depend on its game.

    A game that is not approved takes real money only if the file says so.
    """
    known = table.unapproved_game
    if is_approved(game) and known:
        yield "unapproved_game", f"{game.name} is approved: leave it out"
    elif not is_approved(game) and money is Money.REAL and not known:
        wanted = "for real money add unapproved_game = true to this table"
        yield "game", f"{game.name} is not an approved game; {wanted}"
    if table.lights is not None and not game.provides(Rule.BONUS_DRAW):
        yield "lights", f"{game.name} draws no Bonus Numbers: it has no lights"


def _read_chips(path: str, given: Iterable[Any]) -> tuple[int, ...]:
    """Return the denominations in cents, lowest first."""
    chips = set()
    for place, value in enumerate(given):
        with _at(f"{path}[{place}]"):
            chips.add(read_cents(str(value)))
    return tuple(sorted(chips))


def _read_limits(path: str, given: Mapping[str, Any], game: Game) -> tuple[str, ...]:
    """Return the limits as `rules.terms` writes them."""
    names = (_ANY, *_wager_types(game))
    _check_keys(path, given, names)
    limits = Limits()
    for key in filter(given.__contains__, names):
        value, where = given[key], f"{path}.{key}"
        if not isinstance(value, list) or len(value) != 2:
            raise _fault(where, "must be a minimum and a maximum, such as [5, 100]")
        with _at(where):
            limits = add_limit(limits, (key, *map(str, value)))
    unlimited = [kind.value for kind in limits.missing(game) if kind.value not in given]
    if _ANY not in given and unlimited:
        some = f" for {', '.join(unlimited)}" if given else ""
        rest = 'give each wager type its own, or the rest theirs by "*"'
        raise _fault(path, f"there are no limits{some}: {rest}")
    return write_limits(limits)


def _read_settings(path: str, given: Mapping[str, Any], game: Game) -> tuple[str, ...]:
    """Return the settings as `rules.terms` writes them."""
    _check_keys(path, given, game.settings)
    settings = Settings()
    for key in filter(given.__contains__, game.settings):
        for where, words in _setting_words(f"{path}.{key}", key, given[key], game):
            with _at(where):
                settings = add_setting(game, settings, words)
    return write_settings(settings)


def _setting_words(
    path: str, key: str, value: object, game: Game
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lines of one setting as words, each with its path."""
    if key == "area_maximum" and isinstance(value, dict):
        names = (_ANY, *_wager_types(game))
        _check_keys(path, value, names)
        for name in filter(value.__contains__, names):
            yield f"{path}.{name}", (key, name, str(value[name]))
    elif key == "area_maximum":
        yield path, (key, _ANY, str(value))
    elif isinstance(value, str):
        yield path, (key, *value.split())
    else:
        raise _fault(path, f"must be a text, not {shown(str(value))}")


def _wager_types(game: Game) -> list[str]:
    published = {area.wager_type for area in game.areas}
    return [kind.value for kind in WagerType if kind in published]


def _read_person(path: str, value: object) -> StaffPlan:
    person = _convert(path, value, _Person)
    with _at(f"{path}.name"):
        check_name(person.name)
    if person.name.casefold() in _ROLE_WORDS:
        sentence = f"{shown(person.name)} is a position: name a person"
        raise _fault(f"{path}.name", sentence)
    if not person.positions and not person.duties:
        raise _fault(path, "give positions, duties, or both")
    return StaffPlan(
        person.name,
        tuple(role for role in Role if role.value in person.positions),
        tuple(duty for duty in Duty if duty in person.duties),
    )
