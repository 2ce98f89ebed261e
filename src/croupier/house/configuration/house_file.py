"""Reading a house file: TOML in, a plan out, every problem with its line.

No password stands in a house file, and no sum of money in it becomes a float.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from zoneinfo import available_timezones

from croupier.games import UnknownGame, all_games, find_game
from croupier.house.configuration.plan import (
    Duty,
    HousePlan,
    Lights,
    Money,
    StaffPlan,
    TablePlan,
    WheelSource,
)
from croupier.house.configuration.toml_sections import (
    HouseFileError,
    HouseFileProblems,
    TomlSection,
    TooMuch,
    Written,
    key_lines,
    said,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.limits import Limits
from croupier.rules.notation import NotationError, read_cents, shown, suggestion
from croupier.rules.operator import Role
from croupier.rules.terms import (
    add_limit,
    add_setting,
    write_limits,
    write_settings,
)

__all__ = ["HouseFileError", "read_house", "read_house_file"]

MOST_CHARACTERS = 500_000
MOST_TABLES = 200
MOST_STAFF = 1_000
LONGEST_TITLE = 80
_MOST_BYTES = 4 * MOST_CHARACTERS

_PARTS = ("house", "tables", "staff")
_HOUSE_KEYS = [each.name for each in fields(HousePlan) if each.name not in _PARTS]
_TABLE_KEYS = [each.name for each in fields(TablePlan)]
_STAFF_KEYS = [each.name for each in fields(StaffPlan)]
_CURRENCY = re.compile("[A-Z]{3}")
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_house_file(path: str | Path) -> HousePlan:
    """The plan in the file; raises `HouseFileError` with all of its problems."""
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
        raise HouseFileError([f"{path}:{line}: this is not UTF-8 text"]) from error
    return read_house(text, str(path), folder=path.parent)


def read_house(text: str, name: str, *, folder: Path | None = None) -> HousePlan:
    """The plan in a text; `name` stands for its file in messages.

    With the file's folder, the files it names are looked for. Raises `HouseFileError`.
    """
    if len(text) > MOST_CHARACTERS:
        raise _too_long(name)
    try:
        lines = key_lines(text)
        values = tomllib.loads(text, parse_float=Written)
    except TooMuch as error:
        raise HouseFileError([f"{name}:{error.line}: {error}"]) from error
    except ValueError as error:
        raise HouseFileError([_syntax_error(text, name, str(error))]) from error
    problems = HouseFileProblems(name, lines)
    plan = _read_plan(TomlSection(problems, (), values, _PARTS), folder)
    problems.raise_if_any()
    return plan


def _too_long(name: str) -> HouseFileError:
    most = f"{MOST_CHARACTERS} characters"
    return HouseFileError([f"{name}:1: a house file has at most {most}"])


def _syntax_error(text: str, name: str, message: str) -> str:
    """What tomllib says, its line first; no line of its own means the last."""
    found = _PLACE.search(message)
    line = found.group(1) if found else None
    sentence = _PLACE.sub("", message)
    return f"{name}:{line or text.count(chr(10)) + 1}: this is no TOML: {sentence}"


def _read_plan(top: TomlSection, folder: Path | None) -> HousePlan:
    house = _read_house(top)
    sections = list(top.sections("tables", _TABLE_KEYS))
    tables = [read_table(each, house.money, folder) for each in sections]
    _note_twins(sections, [each.name for each in tables])
    if not 1 <= len(tables) <= MOST_TABLES:
        top.note(f"a house has 1 to {MOST_TABLES} tables, each a [[tables]]", "tables")
    positions = _positions(tables)
    people = list(top.sections("staff", _STAFF_KEYS))
    staff = [_read_person(each, positions) for each in people]
    _note_twins(people, [each.name for each in staff])
    if len(staff) > MOST_STAFF:
        top.note(f"a house has at most {MOST_STAFF} staff", "staff")
    return replace(house, tables=tuple(tables), staff=tuple(staff))


def _read_house(top: TomlSection) -> HousePlan:
    if "house" not in top:
        top.note("the table [house] is missing")
        return _USUAL
    house = top.section("house", _HOUSE_KEYS)
    if house is None:
        return _USUAL
    return HousePlan(
        name=house.text("name", most=LONGEST_TITLE),
        operator=house.text("operator", most=LONGEST_TITLE),
        money=house.choice("money", Money) or _USUAL.money,
        currency=_read_currency(house),
        time_zone=_read_time_zone(house),
        gaming_day_begins=_whole(house, "gaming_day_begins", 0, 23),
        voucher_days=_whole(house, "voucher_days", 1, 3650),
        idle_minutes=_whole(house, "idle_minutes", 1, 1440),
        proposal_minutes=_whole(house, "proposal_minutes", 1, 1440),
    )


_USUAL = HousePlan(
    name="", operator="", money=Money.DEMONSTRATION, currency="", time_zone=""
)


def _whole(house: TomlSection, key: str, least: int, most: int) -> int:
    return house.whole(key, getattr(_USUAL, key), least=least, most=most)


def _read_currency(house: TomlSection) -> str:
    currency = house.text("currency")
    if currency and not _CURRENCY.fullmatch(currency):
        example = "three capital letters, such as SGD"
        house.note(f"currency must be {example}, not {shown(currency)}", "currency")
    return currency


def _read_time_zone(house: TomlSection) -> str:
    zone = house.text("time_zone")
    if zone and zone not in _time_zones():
        close = suggestion(zone, _time_zones())
        hint = f"did you mean {close}?" if close else "write one such as Asia/Singapore"
        house.note(f"there is no time zone {shown(zone)}; {hint}", "time_zone")
    return zone


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _positions(tables: Iterable[TablePlan]) -> list[Role]:
    """The positions of the games at the tables; of all games where one is unknown."""
    named = [find_game(each.game) for each in tables if each.game]
    games = named if named and all(each.game for each in tables) else all_games()
    held = {role for game in games for role in game.operator.ladder}
    return [role for role in Role if role in held]


def _read_person(person: TomlSection, positions: Iterable[Role]) -> StaffPlan:
    name = person.text("name")
    if name.casefold() in _ROLE_WORDS:
        person.note(f"{shown(name)} is a position: name a person", "name")
    held = person.choices("positions", positions)
    duties = person.choices("duties", Duty)
    if not person.has("positions") and not person.has("duties"):
        person.note("give positions, duties, or both")
    return StaffPlan(name, held, duties)


_ROLE_WORDS = frozenset(role.value.casefold() for role in Role)


def _note_twins(sections: Iterable[TomlSection], names: Iterable[str]) -> None:
    """A name that another has, whatever its capitals."""
    seen: set[str] = set()
    for section, name in zip(sections, names, strict=True):
        if name and name.casefold() in seen:
            section.note(f"the name {shown(name)} is taken already", "name")
        seen.add(name.casefold())


MOST_SEATS = 1_000
LONGEST_COUNTDOWN = 600
LONGEST_PATH = 250
_USUAL_TABLE = TablePlan(name="", game="", wheel=WheelSource.CONSOLE)


def read_table(table: TomlSection, money: Money, folder: Path | None) -> TablePlan:
    """The table's plan; its game is empty where there is none of that name."""
    game = _read_game(table)
    wheel = table.choice("wheel", WheelSource)
    automatic = table.flag("automatic_dealer")
    countdown = table.whole(
        "countdown_seconds",
        _USUAL_TABLE.countdown_seconds,
        least=0,
        most=LONGEST_COUNTDOWN,
    )
    _check_wheel(table, money, wheel)
    if automatic:
        _check_automatic_dealer(table, money, wheel, countdown)
    return TablePlan(
        name=_read_name(table),
        game=game.name if game else "",
        wheel=wheel or _USUAL_TABLE.wheel,
        lights=_read_lights(table, game) if game else None,
        countdown_seconds=countdown,
        limits=read_limits_in(table, game) if game else (),
        settings=read_settings_in(table, game) if game else (),
        chips=read_chips_in(table, _USUAL_TABLE.chips),
        seats=table.whole("seats", _USUAL_TABLE.seats, least=1, most=MOST_SEATS),
        automatic_dealer=automatic,
        rules_file=_read_rules_file(table, folder),
    )


def _read_name(table: TomlSection) -> str:
    name = table.text("name")
    if "/" in name:
        table.note("a table's name has no /", "name")
    if name.casefold() == HOUSE_STREAM:
        table.note(f"no table is named {HOUSE_STREAM}: the house itself is", "name")
    return name


def _read_game(table: TomlSection) -> Game | None:
    name = table.text("game", most=LONGEST_PATH)
    if not name:
        return None
    try:
        return find_game(name)
    except UnknownGame as error:
        table.note(str(error), "game")
        return None


def _read_lights(table: TomlSection, game: Game) -> Lights | None:
    """Who confirms the lights; the Dealer, unless the file says the device."""
    if game.provides(Rule.BONUS_DRAW):
        return table.choice("lights", Lights) if "lights" in table else Lights.DEALER
    if "lights" in table:
        table.note(f"{game.name} draws no Bonus Numbers: it has no lights", "lights")
    return None


def _check_wheel(table: TomlSection, money: Money, wheel: WheelSource | None) -> None:
    if money is Money.REAL and wheel is WheelSource.VIRTUAL:
        table.note("a virtual wheel is no document's wheel: no real money", "wheel")


def _check_automatic_dealer(
    table: TomlSection, money: Money, wheel: WheelSource | None, countdown: int
) -> None:
    key = "automatic_dealer"
    if money is Money.REAL:
        table.note("an automatic dealer deals for no real money", key)
    if wheel not in {None, WheelSource.VIRTUAL}:
        table.note('an automatic dealer needs wheel = "virtual"', key)
    if countdown == 0:
        table.note("an automatic dealer needs a countdown", "countdown_seconds")


def _read_rules_file(table: TomlSection, folder: Path | None) -> str | None:
    if "rules_file" not in table:
        return None
    name = table.text("rules_file", most=LONGEST_PATH)
    if name and folder is not None and not _is_file(folder / name):
        table.note(f"there is no file {shown(name)}", "rules_file")
    return name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


MOST_CHIPS = 12
_ANY = "*"


def read_limits_in(table: TomlSection, game: Game) -> tuple[str, ...]:
    """The limits under `limits`, as `rules.terms` writes them."""
    section = table.section("limits", (_ANY, *_names(game)))
    if section is None:
        return ()
    limits = Limits()
    for key, value in section:
        limits = _with_limit(section, limits, key, value)
    unlimited = [name for name in _names(game) if name not in section]
    if _ANY not in section and unlimited:
        some = f" for {', '.join(unlimited)}" if table.has("limits") else ""
        rest = 'give each wager type its own, or the rest theirs by "*"'
        table.note(f"there are no limits{some}: {rest}", "limits")
    return write_limits(limits)


def read_settings_in(table: TomlSection, game: Game) -> tuple[str, ...]:
    """The settings under `settings`, as `rules.terms` writes them."""
    section = table.section("settings", game.settings)
    if section is None:
        return ()
    settings = Settings()
    for key, value in section:
        if key == "area_maximum":
            settings = _with_area_maximum(section, game, settings, value)
        elif isinstance(value, str):
            words = (key, *value.split())
            settings = _with_setting(section, game, settings, words, key)
        else:
            section.note(f"{key} must be a text, not {said(value)}", key)
    return write_settings(settings)


def read_chips_in(table: TomlSection, usual: tuple[int, ...]) -> tuple[int, ...]:
    """The denominations under `chips` in cents, lowest first."""
    if "chips" not in table:
        return usual
    given = table.items("chips")
    if given is None:
        return usual
    if not 1 <= len(given) <= MOST_CHIPS:
        table.note(f"chips must name 1 to {MOST_CHIPS} denominations", "chips")
    chips: set[int] = set()
    for place, value in given:
        try:
            cents = read_cents(_amount_word(value))
        except NotationError as error:
            table.note(str(error), "chips", place)
            continue
        if cents in chips:
            table.note(f"a chip of {said(value)} is named twice", "chips", place)
        chips.add(cents)
    return tuple(sorted(chips))


def _with_limit(
    section: TomlSection, limits: Limits, key: str, value: object
) -> Limits:
    if not isinstance(value, list) or len(value) != 2:
        section.note(f"{key} must be a minimum and a maximum, such as [5, 100]", key)
        return limits
    try:
        return add_limit(limits, (key, *map(_amount_word, value)))
    except NotationError as error:
        # The first word is the key, and what is wrong is one of the two amounts.
        section.note(str(error), key, error.place - 1)
        return limits


def _with_area_maximum(
    section: TomlSection, game: Game, settings: Settings, value: object
) -> Settings:
    """One cap for every type, or a table of caps."""
    key = "area_maximum"
    if not isinstance(value, dict):
        everywhere = (key, _ANY, _amount_word(value))
        return _with_setting(section, game, settings, everywhere, key)
    caps = section.section(key, (_ANY, *_names(game)))
    assert caps is not None
    for name, cap in caps:
        words = (key, name, _amount_word(cap))
        settings = _with_setting(caps, game, settings, words, name)
    return settings


def _with_setting(
    section: TomlSection, game: Game, settings: Settings, words: Iterable[str], key: str
) -> Settings:
    try:
        return add_setting(game, settings, tuple(words))
    except NotationError as error:
        section.note(str(error), key)
        return settings


def _amount_word(value: object) -> str:
    """The value as a word of the notation; what is no amount is no word of it."""
    if isinstance(value, Written):
        return value.text
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    return said(value)


def _names(game: Game) -> list[str]:
    """The wager types that the game has, in the order in which lists give them."""
    published = {area.wager_type for area in game.areas}
    return [kind.value for kind in WagerType if kind in published]
