"""The money of a table in a house file: its limits, its settings, its chips."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.house.section import Section, Written, said
from croupier.rules.game import Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.limits import Limits
from croupier.rules.notation import NotationError, read_cents
from croupier.rules.terms import (
    add_limit,
    add_setting,
    write_limits,
    write_settings,
)

MOST_CHIPS = 12
_ANY = "*"


def read_limits_in(table: Section, game: Game) -> tuple[str, ...]:
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


def read_settings_in(table: Section, game: Game) -> tuple[str, ...]:
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


def read_chips_in(table: Section, usual: tuple[int, ...]) -> tuple[int, ...]:
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


def _with_limit(section: Section, limits: Limits, key: str, value: object) -> Limits:
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
    section: Section, game: Game, settings: Settings, value: object
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
    section: Section, game: Game, settings: Settings, words: Iterable[str], key: str
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
