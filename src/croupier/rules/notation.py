"""The notation of numbers, money, areas and wagers: text in, values out.

Reading is strict and knows no game: text outside the notation raises `NotationError`.
`pieces` looks the words up in a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.rules.cents import MAXIMUM_CENTS
from croupier.rules.layout import INSIDE, WagerType
from croupier.rules.reasons import NotationReason, Reason, did_you_mean
from croupier.rules.wheel import LAYOUT_ORDER, Number, in_layout_order, list_numbers

MULTIPLE_WORDS = (
    "tiers",
    "orphelins",
    "voisins_du_zero",
    "zero_spiel",
    "grand_series",
    "finales",
    "neighbours",
    "complete",
    "complete_maximum",
)
_MAXIMUM_SHOWN = 40
_UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"

_KNOWN_NUMBERS = frozenset(LAYOUT_ORDER)
_TYPES = {wager_type.value: wager_type for wager_type in WagerType}
_MONEY = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?")
_MOST_DIGITS = 15
_INDEXED = frozenset({WagerType.COLUMN, WagerType.DOZEN})


class NotationError(CroupierError):
    """The text is not of the notation; the message says what to write."""

    def __init__(self, reason: Reason, place: int = 0) -> None:
        """`place` counts the words before the one that is wrong."""
        super().__init__(str(reason))
        self.reason = reason
        self.place = place


class AreaText(Struct, frozen=True, gc=False):
    """An area as written: a type, numbers, or both."""

    wager_type: WagerType | None
    numbers: tuple[Number, ...]
    index: str = ""

    @property
    def name(self) -> str:
        """The name in the notation, even if no game has the area."""
        detail = self.index or "/".join(self.numbers)
        word = self.wager_type.value if self.wager_type else ""
        return f"{word}:{detail}" if word and detail else word or detail


class MultipleText(Struct, frozen=True, gc=False):
    """A multiple-piece wager as written: its word and arguments."""

    word: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        return ":".join((self.word, *self.arguments))


WagerText = AreaText | MultipleText


def shown(text: str) -> str:
    """Quote a given text, cut short enough for a sentence."""
    return repr("".join(c if c.isprintable() else _UNPRINTABLE for c in cut(text)))


def cut(text: str) -> str:
    return text if len(text) <= _MAXIMUM_SHOWN else text[:_MAXIMUM_SHOWN] + "…"


def read_number(text: str, numbers: Iterable[Number] = LAYOUT_ORDER) -> Number:
    """Read a number of any game; the error for other text lists `numbers`."""
    if text not in _KNOWN_NUMBERS:
        raise NotationError(
            NotationReason.NOT_A_NUMBER(text=shown(text), numbers=list_numbers(numbers))
        )
    return Number(text)


def read_cents(text: str, *, least: int = 1) -> int:
    """Read an amount of at least `least` cents: units with at most two decimals."""
    found = _MONEY.fullmatch(text)
    if found is None:
        raise NotationError(NotationReason.NOT_AN_AMOUNT(text=shown(text)))
    sign, units, decimals = found.groups(default="")
    # More digits than any amount has are not worth reading.
    is_long = len(units) > _MOST_DIGITS
    cents = 0 if is_long else int(units) * 100 + int(decimals.ljust(2, "0"))
    if sign or is_long or not least <= cents <= MAXIMUM_CENTS:
        raise NotationError(
            NotationReason.AMOUNT_OUT_OF_RANGE(
                text=shown(text), least_cents=least, most_cents=MAXIMUM_CENTS
            )
        )
    return cents


Amount = int | str | Decimal
"""Money as a Python user gives it: currency units."""


def amount_text(amount: Amount) -> str:
    """Return the amount as text; raise `NotationError` for a float.

    `0.1 + 0.2` is no sum of money.
    """
    if isinstance(amount, float):
        raise NotationError(NotationReason.FLOAT_AMOUNT(text=str(amount)))
    if isinstance(amount, Decimal) and amount.is_finite():
        return f"{amount.normalize():f}"
    return str(amount)


def read_amount(amount: Amount) -> int:
    return read_cents(amount_text(amount))


def is_at_maximum(text: str) -> bool:
    """Return whether the text is a complete maximum wager, which has no stake (A6)."""
    return text.partition(":")[0] == "complete_maximum"


def split_stake(text: str) -> tuple[str, str]:
    """Split `WAGER@STAKE`; the stake is empty if the wager has none."""
    wager, at, stake = text.partition("@")
    if not wager or (at and not stake):
        raise NotationError(NotationReason.NOT_WAGER_AT_STAKE(text=shown(text)))
    if not at and not is_at_maximum(wager):
        raise NotationError(NotationReason.STAKE_MISSING(text=shown(text)))
    return wager, stake


def read_wager(
    text: str,
    further_words: Iterable[str] = (),
    numbers: Iterable[Number] = LAYOUT_ORDER,
) -> WagerText:
    """Read an area or a multiple-piece wager.

    `further_words` are a game's own; the error for another number lists `numbers`.
    """
    word, *arguments = text.split(":")
    if word in MULTIPLE_WORDS or word in further_words:
        return _read_multiple(word, arguments, text, numbers)
    if word in _TYPES:
        return _read_area(_TYPES[word], arguments, text, numbers)
    if arguments or not _looks_like_numbers(text):
        raise NotationError(_unknown_wager(text, (*MULTIPLE_WORDS, *further_words)))
    return AreaText(None, _read_numbers(text, numbers))


def _read_multiple(
    word: str, arguments: list[str], text: str, numbers: Iterable[Number]
) -> MultipleText:
    is_dozen = word.startswith("complete") and arguments[:1] == ["dozen"]
    if word in _ON_A_NUMBER and arguments and not is_dozen:
        read_number(arguments[0], numbers)
    pattern, example = _ARGUMENTS.get(word, ("", word))
    if not re.fullmatch(pattern, ":".join(arguments)):
        raise NotationError(
            NotationReason.NOT_A_WAGER_WRITE(text=shown(text), form=example)
        )
    return MultipleText(word, tuple(arguments))


_ON_A_NUMBER = frozenset({"neighbours", "complete", "complete_maximum"})
_ARGUMENTS = {
    "finales": ("[0-9]", "finales:4"),
    "neighbours": ("[0-9A-Z]+(:[0-9])?", "neighbours:17 or neighbours:17:3"),
    "complete": ("[0-9A-Z]+|dozen:[0-9]", "complete:17 or complete:dozen:1"),
    "complete_maximum": (
        "[0-9A-Z]+|dozen:[0-9]",
        "complete_maximum:17 or complete_maximum:dozen:1",
    ),
}
"""By word, a pattern of its arguments and an example; other words take none."""


def _read_area(
    wager_type: WagerType, arguments: list[str], text: str, numbers: Iterable[Number]
) -> AreaText:
    if len(arguments) > 1:
        raise NotationError(NotationReason.TOO_MANY_COLONS(text=shown(text)))
    detail = arguments[0] if arguments else ""
    if wager_type in _INDEXED:
        if not re.fullmatch(r"[0-9]{1,9}", detail):
            raise NotationError(
                NotationReason.PLACE_MISSING(text=shown(text), type=wager_type.value)
            )
        return AreaText(wager_type, (), detail)
    if wager_type not in INSIDE:
        if arguments:
            raise NotationError(
                NotationReason.WRITTEN_WITHOUT_NUMBERS(type=wager_type.value)
            )
        return AreaText(wager_type, ())
    if not detail:
        raise NotationError(
            NotationReason.NUMBERS_MISSING(text=shown(text), type=wager_type.value)
        )
    return AreaText(wager_type, _read_numbers(detail, numbers))


def _read_numbers(text: str, numbers: Iterable[Number]) -> tuple[Number, ...]:
    if text.count("/") >= len(LAYOUT_ORDER):
        raise NotationError(NotationReason.TOO_MANY_NUMBERS(text=shown(text)))
    read = [read_number(word, numbers) for word in text.split("/")]
    if len(set(read)) < len(read):
        raise NotationError(NotationReason.NUMBER_TWICE(text=shown(text)))
    return in_layout_order(read)


def _looks_like_numbers(text: str) -> bool:
    return text[:1].isdigit() or text.split("/", maxsplit=1)[0] in _KNOWN_NUMBERS


def _unknown_wager(text: str, words: tuple[str, ...]) -> Reason:
    close = suggestion(text[:_MAXIMUM_SHOWN].partition(":")[0], (*_TYPES, *words))
    if close is None:
        return NotationReason.NOT_A_WAGER_SEE_LAYOUT(text=shown(text))
    return did_you_mean(NotationReason.NOT_A_WAGER(text=shown(text)), close)


def suggestion(text: str, known: Iterable[str]) -> str | None:
    """Return the known word closest to a mistyped one, if any is close."""
    from difflib import get_close_matches

    close = get_close_matches(text[:_MAXIMUM_SHOWN], list(known), n=1)
    return close[0] if close else None
