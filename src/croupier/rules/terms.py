"""The terms of a table, limits by wager type and settings: read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from croupier.errors import texts_of
from croupier.rules.cents import write_cents
from croupier.rules.game import CompleteDozen, FinaleZero, Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.notation import (
    NotationError,
    read_cents,
    read_number,
    shown,
    suggestion,
)
from croupier.rules.reasons import NotationReason, did_you_mean
from croupier.rules.wheel import Number

T = TypeVar("T")
_ANY = "*"
_TYPES = {each.value: each for each in WagerType}
_CHOICES = {
    "complete_dozen": [each.value for each in CompleteDozen],
    "finale_zero": [each.value for each in FinaleZero],
    "close_on_drop": ["on", "off"],
}


def add_limit(limits: Limits, words: Sequence[str], game: Game | None = None) -> Limits:
    """Add a line such as `* 5 1000` or `straight_up 5 100`."""
    if len(words) != 3:
        raise NotationError(NotationReason.WRITE_LIMITS(), min(len(words), 3))
    wager_type = _read_type(words[0], 0, game)
    minimum = _read(words, 1, partial(read_cents, least=0))
    maximum = _read(words, 2, read_cents)
    if minimum > maximum:
        raise NotationError(NotationReason.MINIMUM_ABOVE_MAXIMUM(), 1)
    limit = Limit(minimum, maximum)
    given = limits.general if wager_type is None else limits.by_type.get(wager_type)
    if given is not None:
        raise NotationError(NotationReason.LIMITS_GIVEN(type=words[0]))
    if wager_type is None:
        return replace(limits, general=limit)
    return replace(limits, by_type={**limits.by_type, wager_type: limit})


def read_limits(lines: Limits | Iterable[str], game: Game | None = None) -> Limits:
    """Read lines of limits; without `game`, any wager type is accepted."""
    if isinstance(lines, Limits):
        return lines
    limits = Limits()
    for line in texts_of("limits", "lines of text, such as ['* 5 1000']", lines):
        limits = add_limit(limits, line.split(), game)
    return limits


def write_limits(limits: Limits) -> tuple[str, ...]:
    """Write lines that `read_limits` reads back."""
    named = [(kind.value, limit) for kind, limit in limits.by_type.items()]
    if limits.general is not None:
        named.insert(0, (_ANY, limits.general))
    return tuple(
        f"{name} {write_cents(limit.minimum_cents)} {write_cents(limit.maximum_cents)}"
        for name, limit in named
    )


def add_setting(
    game: Game,
    settings: Settings,
    words: Sequence[str],
    *,
    given: set[str] | None = None,
    is_recorded: bool = False,
) -> Settings:
    """Add `complete_dozen inside`, `area_maximum straight_up 500`, `ring 0 000 …`.

    `given` collects the names so far; a repeated setting raises `NotationError`.
    """
    if not words:
        raise NotationError(
            NotationReason.SETTING_MISSING(names=", ".join(game.settings))
        )
    name = words[0]
    if name not in game.settings:
        raise NotationError(
            NotationReason.NO_SUCH_SETTING(
                game=game.name, text=shown(name), names=", ".join(game.settings)
            )
        )
    if given is not None:
        _note_setting(words, given)
    if name == "area_maximum":
        return _area_maximum(settings, words, None if is_recorded else game)
    if name == "ring":
        return replace(settings, ring=_ring(game, words))
    choices = _CHOICES[name]
    if len(words) != 2 or words[1] not in choices:
        raise NotationError(
            NotationReason.NOT_A_CHOICE(setting=name, names=", ".join(choices)), 1
        )
    if name == "complete_dozen":
        return replace(settings, complete_dozen=CompleteDozen(words[1]))
    if name == "close_on_drop":
        return replace(settings, close_on_drop=words[1] == "on")
    return replace(settings, finale_zero=FinaleZero(words[1]))


def read_settings(
    game: Game, lines: Settings | Iterable[str], *, is_recorded: bool = False
) -> Settings:
    """Read lines of settings; those of a journal may cap types that the game lacks."""
    if isinstance(lines, Settings):
        return lines
    settings, wanted = Settings(), "lines of text, such as ['complete_dozen inside']"
    given: set[str] = set()
    for line in texts_of("settings", wanted, lines):
        settings = add_setting(
            game, settings, line.split(), given=given, is_recorded=is_recorded
        )
    return settings


def _note_setting(words: Sequence[str], given: set[str]) -> None:
    name = words[0]
    if name == "area_maximum" and len(words) > 2 and words[1] != _ANY:
        name = f"{name} {words[1]}"
    if name in given:
        raise NotationError(NotationReason.SETTING_GIVEN(setting=shown(name)))
    given.add(name)


def write_settings(settings: Settings) -> tuple[str, ...]:
    """Write lines that `read_settings` reads back, without the defaults."""
    usual = Settings()
    lines = [
        f"area_maximum {kind.value if kind else _ANY} {write_cents(cents)}"
        for kind, cents in settings.area_maximum_cents.items()
    ]
    if settings.complete_dozen is not usual.complete_dozen:
        lines.append(f"complete_dozen {settings.complete_dozen.value}")
    if settings.finale_zero is not usual.finale_zero:
        lines.append(f"finale_zero {settings.finale_zero.value}")
    if not settings.close_on_drop:
        lines.append("close_on_drop off")
    if settings.ring is not None:
        lines.append(f"ring {' '.join(settings.ring)}")
    return tuple(lines)


def _read_type(text: str, place: int, game: Game | None) -> WagerType | None:
    """Read a wager type, or None for `*`; the game, if given, must have the type."""
    if text == _ANY:
        return None
    if text not in _TYPES:
        reason = NotationReason.NOT_A_WAGER_TYPE(text=shown(text))
        raise NotationError(did_you_mean(reason, suggestion(text, _TYPES)), place)
    if game is not None and _TYPES[text] not in game.pay_table:
        reason = NotationReason.NO_SUCH_TYPE(game=game.title, type=text)
        raise NotationError(reason, place)
    return _TYPES[text]


def _read(words: Sequence[str], place: int, read: Callable[[str], T]) -> T:
    """Read the word at `place`; raise its error with the place."""
    try:
        return read(words[place])
    except NotationError as error:
        raise NotationError(error.reason, place) from error


def _area_maximum(
    settings: Settings, words: Sequence[str], game: Game | None
) -> Settings:
    if len(words) not in {2, 3}:
        raise NotationError(NotationReason.WRITE_AREA_MAXIMUM(), len(words))
    last = len(words) - 1
    wager_type = _read_type(words[1], 1, game) if last > 1 else None
    caps = {**settings.area_maximum_cents, wager_type: _read(words, last, read_cents)}
    return replace(settings, area_maximum_cents=caps)


def _ring(game: Game, words: Sequence[str]) -> tuple[Number, ...]:
    read = partial(read_number, numbers=game.numbers)
    ring = tuple(_read(words, place, read) for place in range(1, len(words)))
    if sorted(ring) != sorted(game.numbers):
        reason = NotationReason.RING_INCOMPLETE(game=game.name)
        raise NotationError(game.naming_numbers(reason), 1)
    return ring


@dataclass(frozen=True, slots=True)
class Limit:
    """The minimum and maximum of a Player's total on one area."""

    minimum_cents: int
    maximum_cents: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The displayed limits: those of a type, else the general ones, else none."""

    general: Limit | None = None
    by_type: Mapping[WagerType, Limit] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def of(self, wager_type: WagerType) -> Limit | None:
        return self.by_type.get(wager_type, self.general)

    def missing(self, game: Game) -> tuple[WagerType, ...]:
        """Return the wager types of the game that have no limits."""
        published = {area.wager_type for area in game.areas}
        return tuple(
            kind for kind in WagerType if kind in published and self.of(kind) is None
        )

    @property
    def table_minimum_cents(self) -> int | None:
        """The general minimum, else the lowest; colour chips above it need a marker."""
        if self.general is not None:
            return self.general.minimum_cents
        lowest = [limit.minimum_cents for limit in self.by_type.values()]
        return min(lowest, default=None)
