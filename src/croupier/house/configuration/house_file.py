"""Reading a house file: TOML in, a plan out, every fault told by its path.

No password stands in a house file, and no sum of money in it becomes a float.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from msgspec import Meta

from croupier.games import UnknownGame, all_games, find_game, is_approved
from croupier.house.configuration.authority_table import (
    note_never_together,
    read_authority,
)
from croupier.house.configuration.faults import (
    Faults,
    HouseFileError,
    WrittenNumber,
    is_plain,
    said,
    whole,
)
from croupier.house.people.names import check_name
from croupier.house.records.house_record import NotDone
from croupier.journal.events.plan import (
    NO_THRESHOLDS,
    REAL_MONEY_SUMS_BY_PERSON,
    REAL_MONEY_THRESHOLDS,
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
from croupier.rules.notation import NotationError, read_cents, shown, suggestion
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
MOST_CHIPS = 12
_MOST_BYTES = 4 * MOST_CHARACTERS
_NO_ZONES = frozenset({"localtime", "Factory"})
"""The setting of a machine, and the mark of one that has none: no zone of a house."""
_ANY = "*"
_NONE = "none"
_SUMS = {
    "thresholds": REAL_MONEY_THRESHOLDS,
    "sums_by_person": REAL_MONEY_SUMS_BY_PERSON,
}
"""The tables of sums, and the usual ones for real money."""
_PARTS = ("house", *_SUMS, "authority", "tables", "staff")
# A key of so many words would keep tomllib busy for minutes: its time is quadratic.
_DEEP_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){50}"""
)

_Title = Annotated[str, Meta(min_length=1, max_length=80)]
_Name = Annotated[str, Meta(min_length=1, max_length=40)]
_Path = Annotated[str, Meta(min_length=1, max_length=250)]
_Currency = Annotated[
    str,
    Meta(pattern="^[A-Z]{3}$", description="three capital letters, such as SGD"),
]
_Video = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^(https://[A-Za-z0-9.-]+(:[1-9][0-9]{0,4})?)?/[^/\s\\][^\s\\]*$",
        description="an https address, or a path at this house such as /wheel.mp4",
    ),
]
_HOUSE = {
    "name": _Title,
    "operator": _Title,
    "currency": _Currency,
    "gaming_day_begins": whole(0, 23),
    "voucher_days": whole(1, 3650),
    "idle_minutes": whole(1, 1440),
    "proposal_minutes": whole(1, 1440),
    "reality_check_minutes": whole(0, 1440),
}
_TABLE = {
    "name": _Name,
    "game": _Path,
    "rules_file": _Path,
    "video": _Video,
    "lights": Lights,
    "countdown_seconds": whole(0, 600),
    "seats": whole(1, 1000),
    "chips": Annotated[list[Any], Meta(min_length=1, max_length=MOST_CHIPS)],
    "limits": dict[str, Any],
    "settings": dict[str, Any],
}
_Given = dict[str, Any]
"""A table of the file, or the fields of a plan that are right so far."""


def read_house_file(path: str | Path) -> HousePlan:
    """Return the plan in the file; raises `HouseFileError` with all of its faults."""
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
    return read_house(text, str(path), folder=path.parent)


def read_house(text: str, name: str, *, folder: Path | None = None) -> HousePlan:
    """Return the plan in a text; `name` stands for its file in messages.

    With the file's folder, the files it names are looked for. Raises `HouseFileError`.
    """
    if len(text) > MOST_CHARACTERS:
        raise _too_long(name)
    return _read_plan(_parsed(text, name), Faults(name), folder)


def _too_long(name: str) -> HouseFileError:
    most = f"{MOST_CHARACTERS} characters"
    return HouseFileError([f"{name}: a house file has at most {most}"])


def _parsed(text: str, name: str) -> _Given:
    if _DEEP_KEY.search(text):
        raise HouseFileError([f"{name}: a key has too many parts"])
    try:
        return tomllib.loads(text, parse_float=WrittenNumber)
    except RecursionError as error:
        raise HouseFileError([f"{name}: it is nested too deeply"]) from error
    except ValueError as error:
        raise HouseFileError([f"{name}: this is no TOML: {error}"]) from error


def _read_plan(values: _Given, faults: Faults, folder: Path | None) -> HousePlan:
    faults.check_keys("the file", values, _PARTS)
    house = _read_settings_of_house(faults, values)
    tables = [
        _read_table(faults, path, each, house.get("money"), folder)
        for path, each in faults.items("tables", values.get("tables", []))
    ]
    if not 1 <= len(tables) <= MOST_TABLES:
        faults.note("tables", f"a house has 1 to {MOST_TABLES}, each a [[tables]]")
    positions = _positions(table.get("game") for table in tables)
    staff = [
        _read_person(faults, path, each, positions)
        for path, each in faults.items("staff", values.get("staff", []))
    ]
    if len(staff) > MOST_STAFF:
        faults.note("staff", f"a house has at most {MOST_STAFF}")
    _note_twins(faults, "tables", tables)
    _note_twins(faults, "staff", staff)
    note_never_together(faults, house["authority"], staff)
    faults.raise_if_any()
    return HousePlan(
        house=HouseSettings(**house),
        tables=tuple(TablePlan(**each) for each in tables),
        staff=tuple(StaffPlan(**each) for each in staff),
    )


def _read_settings_of_house(faults: Faults, values: _Given) -> _Given:
    """Return the fields of the house's settings, as far as they are right."""
    given = values.get("house", {})
    for key in (*_SUMS, "authority") if isinstance(given, dict) else ():
        if key in given:
            faults.note("house", f"{key} stands in a table of its own, [{key}]")
            given = {name: value for name, value in given.items() if name != key}
    house = faults.convert("house", given, HouseSettings, _HOUSE)
    _check_time_zone(faults, house)
    is_real = house.get("money") is Money.REAL
    for key, usual in _SUMS.items():
        sums = values.get(key, {})
        house[key] = _read_sums(faults, key, sums, usual if is_real else NO_THRESHOLDS)
    house["authority"] = read_authority(faults, values.get("authority", {}))
    return house


def _read_sums(
    faults: Faults, path: str, given: object, usual: Thresholds
) -> Thresholds:
    """Return the sums of the file, and the usual ones for those it leaves out."""
    names = [act.value for act in ThresholdAct]
    if not isinstance(given, dict):
        faults.note(path, f"must be a table, not {said(given)}")
        return usual
    faults.check_keys(path, given, names)
    read: dict[str, int | None] = {}
    for name in names:
        if name in given and given[name] != _NONE:
            try:
                read[f"{name}_cents"] = read_cents(_amount_word(given[name]))
            except NotationError as error:
                faults.note(f"{path}.{name}", f'{error}; or "{_NONE}"')
        elif name in given:
            read[f"{name}_cents"] = None
    return replace(usual, **read)


def _check_time_zone(faults: Faults, house: _Given) -> None:
    zone = house.get("time_zone")
    if zone is not None and zone not in _time_zones():
        close = suggestion(zone, _time_zones())
        hint = f"did you mean {close}?" if close else "write one such as Asia/Singapore"
        path = "house.time_zone"
        faults.note(path, f"there is no time zone {shown(zone)}; {hint}")


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones()) - _NO_ZONES


def _note_twins(faults: Faults, path: str, parts: Iterable[_Given]) -> None:
    """Note a name that another has, whatever its capitals."""
    seen: set[str] = set()
    for place, part in enumerate(parts):
        name = part.get("name", "")
        if name and name.casefold() in seen:
            faults.note(f"{path}[{place}].name", f"{shown(name)} is taken already")
        seen.add(name.casefold())


def _read_table(
    faults: Faults, path: str, value: object, money: Money | None, folder: Path | None
) -> _Given:
    """Return the fields of a table's plan, as far as they are right."""
    table = faults.convert(path, value, TablePlan, _TABLE)
    _check_name(faults, path, table)
    _check_wheel(faults, path, table, money)
    _check_rules_file(faults, path, table, folder)
    if "chips" in table:
        table["chips"] = _read_chips(faults, f"{path}.chips", table["chips"])
    game = _read_game(faults, path, table)
    if game is not None:
        _check_approved(faults, path, table, game, money)
        _check_lights(faults, path, table, game)
        assert isinstance(value, dict)
        if "limits" in table or "limits" not in value:
            table["limits"] = _read_limits(faults, f"{path}.limits", table, game)
        table["settings"] = _read_settings(faults, f"{path}.settings", table, game)
    return table


def _check_name(faults: Faults, path: str, table: _Given) -> None:
    name = table.get("name", "")
    if "/" in name:
        faults.note(f"{path}.name", "a table's name has no /")
    if name.casefold() == HOUSE_STREAM:
        faults.note(f"{path}.name", f"no table is named {name}: the house itself is")


def _check_wheel(faults: Faults, path: str, table: _Given, money: Money | None) -> None:
    wheel = table.get("wheel")
    if money is Money.REAL and wheel is WheelSource.VIRTUAL:
        sentence = "a virtual wheel is no document's wheel: no real money"
        faults.note(f"{path}.wheel", sentence)
    if wheel is WheelSource.VIRTUAL and "video" in table:
        faults.note(f"{path}.video", "a virtual wheel is drawn: it has no video")
    if not table.get("automatic_dealer"):
        return
    where = f"{path}.automatic_dealer"
    if money is Money.REAL:
        faults.note(where, "an automatic dealer deals for no real money")
    if wheel not in {None, WheelSource.VIRTUAL}:
        faults.note(where, 'an automatic dealer needs wheel = "virtual"')
    if table.get("countdown_seconds") == 0:
        where = f"{path}.countdown_seconds"
        faults.note(where, "an automatic dealer needs a countdown")


def _check_rules_file(
    faults: Faults, path: str, table: _Given, folder: Path | None
) -> None:
    name = table.get("rules_file")
    if name is None:
        return
    if folder is not None and not _is_file(folder / name):
        faults.note(f"{path}.rules_file", f"there is no file {shown(name)}")
    elif not is_below(folder, name):
        sentence = "is not below the house file's folder, by its name and its links"
        faults.note(f"{path}.rules_file", f"{shown(name)} {sentence}")


def is_below(folder: Path | None, name: str) -> bool:
    """Return whether a name leads to a place below a folder, without `..`.

    Its links are followed, if the folder is known.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts:
        return False
    return folder is None or (folder / name).resolve().is_relative_to(folder.resolve())


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _read_game(faults: Faults, path: str, table: _Given) -> Game | None:
    try:
        return find_game(table["game"]) if "game" in table else None
    except UnknownGame as error:
        faults.note(f"{path}.game", str(error))
        del table["game"]
        return None


def _check_approved(
    faults: Faults, path: str, table: _Given, game: Game, money: Money | None
) -> None:
    """Take real money in another game only if the file says that it is known."""
    known = table.get("unapproved_game", False)
    if is_approved(game) and known:
        faults.note(f"{path}.unapproved_game", f"{game.name} is approved: leave it out")
    elif not is_approved(game) and money is Money.REAL and not known:
        wanted = "for real money add unapproved_game = true to this table"
        faults.note(f"{path}.game", f"{game.name} is not an approved game; {wanted}")


def _check_lights(faults: Faults, path: str, table: _Given, game: Game) -> None:
    """Let the Dealer confirm the lights, unless the file says the device."""
    if game.provides(Rule.BONUS_DRAW):
        table.setdefault("lights", Lights.DEALER)
    elif "lights" in table:
        sentence = f"{game.name} draws no Bonus Numbers: it has no lights"
        faults.note(f"{path}.lights", sentence)


def _read_chips(faults: Faults, path: str, given: list[Any]) -> tuple[int, ...]:
    """Return the denominations in cents, lowest first."""
    chips: set[int] = set()
    for where, value in faults.items(path, given):
        try:
            cents = read_cents(_amount_word(value))
        except NotationError as error:
            faults.note(where, str(error))
            continue
        if cents in chips:
            faults.note(where, f"a chip of {said(value)} is named twice")
        chips.add(cents)
    return tuple(sorted(chips))


def _read_limits(
    faults: Faults, path: str, table: _Given, game: Game
) -> tuple[str, ...]:
    """Return the limits as `rules.terms` writes them."""
    given, names = table.get("limits", {}), _wager_types(game)
    faults.check_keys(path, given, (_ANY, *names))
    limits = Limits()
    for key in (_ANY, *names):
        value, where = given.get(key), f"{path}.{key}"
        if key not in given:
            continue
        if not isinstance(value, list) or len(value) != 2:
            faults.note(where, "must be a minimum and a maximum, such as [5, 100]")
            continue
        try:
            limits = add_limit(limits, (key, *map(_amount_word, value)))
        except NotationError as error:
            faults.note(where, str(error))
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
    for key in game.settings:
        if key not in given:
            continue
        for where, words in _setting_words(
            faults, f"{path}.{key}", key, given[key], game
        ):
            try:
                settings = add_setting(game, settings, words)
            except NotationError as error:
                faults.note(where, str(error))
    return write_settings(settings)


def _setting_words(
    faults: Faults, path: str, key: str, value: object, game: Game
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lines of one setting as words, each with its path."""
    if key == "area_maximum" and isinstance(value, dict):
        names = (_ANY, *_wager_types(game))
        faults.check_keys(path, value, names)
        for name in names:
            if name in value:
                yield f"{path}.{name}", (key, name, _amount_word(value[name]))
    elif key == "area_maximum":
        yield path, (key, _ANY, _amount_word(value))
    elif isinstance(value, str):
        yield path, (key, *value.split())
    else:
        faults.note(path, f"must be a text, not {said(value)}")


def _amount_word(value: object) -> str:
    """Return the value as a word; what is no amount is no word of the notation."""
    return value if isinstance(value, str) else said(value)


def _wager_types(game: Game) -> list[str]:
    """Return the wager types that the game has, in the order of lists."""
    published = {area.wager_type for area in game.areas}
    return [kind.value for kind in WagerType if kind in published]


def _positions(games: Iterable[str | None]) -> tuple[Role, ...]:
    """Return the positions of these games, or of all where one of them is unknown."""
    named = list(games)
    known = [find_game(each) for each in named if each is not None]
    ours = known if known and len(known) == len(named) else all_games()
    held = {role for game in ours for role in game.operator.ladder}
    return tuple(role for role in Role if role in held)


def _read_person(
    faults: Faults, path: str, value: object, positions: tuple[Role, ...]
) -> _Given:
    """Return the fields of somebody's plan, as far as they are right."""
    words = tuple(role.value for role in positions)
    types = {"name": _Name, "positions": list[Literal[words]]}  # type: ignore[valid-type]
    person = faults.convert(path, value, StaffPlan, types)
    _check_person_name(faults, path, person.get("name", ""))
    if person.get("name", "").casefold() in _ROLE_WORDS:
        name = shown(person["name"])
        faults.note(f"{path}.name", f"{name} is a position: name a person")
    if (
        isinstance(value, dict)
        and not value.get("positions")
        and not value.get("duties")
    ):
        faults.note(path, "give positions, duties, or both")
    for key, kind in (("positions", Role), ("duties", Duty)):
        given = [kind(each) for each in person.get(key, ())]
        for place, each in enumerate(given):
            if each in given[:place]:
                faults.note(f"{path}.{key}[{place}]", f"{each.value} is named twice")
        person[key] = tuple(each for each in kind if each in given)
    return person


def _check_person_name(faults: Faults, path: str, name: str) -> None:
    """Note a name that nobody could be given in the house either."""
    if not name or not is_plain(name):
        return  # that it is none has been noted
    try:
        check_name(name)
    except NotDone as error:
        faults.note(f"{path}.name", str(error))


_ROLE_WORDS = frozenset(role.value.casefold() for role in Role)
