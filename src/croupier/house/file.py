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

from croupier.games import all_games, find_game
from croupier.house.plan import Duty, HousePlan, Money, StaffPlan, TablePlan
from croupier.house.section import HouseFileError, Problems, Section, Written
from croupier.house.table_in_file import read_table
from croupier.house.toml_lines import TooMuch, key_lines
from croupier.rules.notation import shown, suggestion
from croupier.rules.operator import Role

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
    problems = Problems(name, lines)
    plan = _read_plan(Section(problems, (), values, _PARTS), folder)
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


def _read_plan(top: Section, folder: Path | None) -> HousePlan:
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


def _read_house(top: Section) -> HousePlan:
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


def _whole(house: Section, key: str, least: int, most: int) -> int:
    return house.whole(key, getattr(_USUAL, key), least=least, most=most)


def _read_currency(house: Section) -> str:
    currency = house.text("currency")
    if currency and not _CURRENCY.fullmatch(currency):
        example = "three capital letters, such as SGD"
        house.note(f"currency must be {example}, not {shown(currency)}", "currency")
    return currency


def _read_time_zone(house: Section) -> str:
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


def _read_person(person: Section, positions: Iterable[Role]) -> StaffPlan:
    name = person.text("name")
    if name.casefold() in _ROLE_WORDS:
        person.note(f"{shown(name)} is a position: name a person", "name")
    held = person.choices("positions", positions)
    duties = person.choices("duties", Duty)
    if not person.has("positions") and not person.has("duties"):
        person.note("give positions, duties, or both")
    return StaffPlan(name, held, duties)


_ROLE_WORDS = frozenset(role.value.casefold() for role in Role)


def _note_twins(sections: Iterable[Section], names: Iterable[str]) -> None:
    """A name that another has, whatever its capitals."""
    seen: set[str] = set()
    for section, name in zip(sections, names, strict=True):
        if name and name.casefold() in seen:
            section.note(f"the name {shown(name)} is taken already", "name")
        seen.add(name.casefold())
