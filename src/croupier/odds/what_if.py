"""Read a what-if: a game with another pay table, ring, wheel or draw, from TOML.

The result is not an approved game. Its name and its document say so, on every output.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from croupier.errors import CroupierError
from croupier.odds.model import NO_APPROVED_GAME, Model, model_of, whole_weights
from croupier.rules.bonus import draw_size
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game, Neighbours, Pays, Status
from croupier.rules.layout import WagerType
from croupier.rules.notation import NotationError, read_number, shown, suggestion
from croupier.rules.wheel import Number, in_layout_order, list_numbers

_KEYS = ("title", "pays", "chances", "numbers", "ring", "bonus_numbers")
_MOST_PAYS = 1_000_000
_MOST_FIGURES = 30
_LONGEST_TITLE = 120
_AT = re.compile(r"^(?P<said>.*?) \(at (?:line (?P<line>\d+).*|end of document)\)$")
_FRACTION = re.compile(r"[0-9]+(?:\.[0-9]+|/0*[1-9][0-9]*)?")


_EXAMPLE = '"0 32 15 19 4"'


class WhatIfError(CroupierError):
    """The file is no what-if; `line` is the line of the error, None if unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def read_what_if(game: str | Game, text: str) -> Model:
    """Return the game with the changes of the TOML text; raise `WhatIfError`."""
    game = model_of(game).game
    try:
        read = tomllib.loads(text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(error, text) from error
    except ValueError as error:
        raise WhatIfError("a number has too many digits") from error
    except RecursionError as error:
        raise WhatIfError("this is nested too deeply to be a what-if") from error
    file = _File(text, read)
    file.check(read, _KEYS, "a what-if")
    changed = _Changed(game, file)
    changed.numbers()
    changed.ring()
    changed.pays()
    changed.draw()
    weights = changed.weights()
    changed.check_playable()
    if not changed.said:
        raise WhatIfError(f"nothing is changed; give one of: {', '.join(_KEYS[1:])}")
    title = file.text_of("title", "")
    if not title.isprintable() or len(title) > _LONGEST_TITLE:
        raise file.error("a title is one line of text, not too long", "title")
    label = f"what-if, {NO_APPROVED_GAME}"
    named = replace(
        changed.game,
        name=f"{game.name} ({label})",
        title=f"{game.title} ({label})",
        document=f"{game.document}, changed: {NO_APPROVED_GAME}",
    )
    return Model(named, weights, tuple(changed.said), title, game.name)


def _decimal(text: str) -> Fraction:
    plain = text.replace("_", "")
    if not _FRACTION.fullmatch(plain):
        raise WhatIfError(f"{shown(text)} is not a plain number, such as 1.05")
    if len(plain) > _MOST_FIGURES:
        raise WhatIfError(f"{shown(text)} has more than {_MOST_FIGURES} figures")
    return Fraction(plain)


def _not_toml(error: ValueError, text: str) -> WhatIfError:
    found = _AT.match(str(error))
    said = found["said"] if found else str(error)
    line = int(found["line"]) if found and found["line"] else text.count("\n") + 1
    return WhatIfError(f"this is not TOML: {said[:1].lower()}{said[1:]}", line)


@dataclass(frozen=True, slots=True)
class _File:
    """The file's text and values; errors name the line of a key."""

    text: str
    read: Mapping[str, Any]

    def error(self, message: str, *keys: str) -> WhatIfError:
        """Return an error at the line of the last key; the others are its parents."""
        line, lines = 0, self.text.splitlines()
        for key in keys:
            word = rf"""["']?{re.escape(key)}\b"""
            for named in (rf"\s*(?:\[[^\]]*)?{word}", rf"[^#]*[{{,.]\s*{word}"):
                below = range(line, len(lines))
                further = [i for i in below if re.match(named, lines[i])]
                if further:
                    line = further[0]
                    break
        return WhatIfError(message, line + 1 if lines else None)

    def check(self, table: Mapping[str, Any], known: Iterable[str], what: str) -> None:
        """Raise an error for an unknown key of the table."""
        names = list(known)
        for key in table:
            if key not in names:
                close = suggestion(key, names)
                hint = f"did you mean {close}?" if close else ", ".join(names)
                raise self.error(f"{shown(key)} is not part of {what}; {hint}", key)

    def table_of(self, key: str) -> Mapping[str, Any]:
        value = self.read.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{key} is a table: write [{key}]", key)
        return value

    def text_of(self, key: str, usual: str) -> str:
        value = self.read.get(key, usual)
        if not isinstance(value, str):
            raise self.error(f"{key} is a text in quotes", key)
        return value

    def numbers_of(self, key: str) -> tuple[Number, ...]:
        """Read numbers from one text, `"0 32 15"`; each may occur once."""
        try:
            some = tuple(map(read_number, self.text_of(key, "").split()))
        except NotationError as error:
            raise self.error(str(error), key) from error
        if not some or len(set(some)) < len(some):
            raise self.error(f"{key} names each number once, as in {_EXAMPLE}", key)
        return some


class _Changed:
    """Applies the changes step by step, and describes each in words."""

    def __init__(self, game: Game, file: _File) -> None:
        self.game = game
        self.said: list[str] = []
        self._file = file

    def numbers(self) -> None:
        if "numbers" not in self._file.read:
            return
        given = in_layout_order(self._file.numbers_of("numbers"))
        self._rows(Rule.NUMBERS, numbers=given)
        ring = [n for n in self.game.ring if n in given]
        rest = [n for n in given if n not in ring]
        self.game = replace(self.game, ring=(*ring, *rest))
        self.said.append(f"the numbers are {' '.join(given)}")
        if rest and self._uses_ring() and "ring" not in self._file.read:
            raise self._file.error(
                f"{rest[0]} has no place on the ring: give a ring too", "numbers"
            )

    def ring(self) -> None:
        if "ring" not in self._file.read:
            return
        ring = self._file.numbers_of("ring")
        if sorted(ring) != sorted(self.game.numbers):
            raise self._file.error("a ring names each number of the game once", "ring")
        self.game = replace(self.game, ring=ring)
        self.said.append(f"the ring is {' '.join(ring)}")

    def _uses_ring(self) -> bool:
        multiples = self.game.multiples.values()
        return any(isinstance(multiple, Neighbours) for _, multiple in multiples)

    def _rows(self, rule: Rule, **changes: Any) -> None:
        """Change and mark the first row of the rule, no other."""
        first = self.game.row(rule)
        altered = replace(first, says=_marked(first), **changes)
        rows = tuple(
            altered
            if row is first
            else replace(row, numbers=())
            if rule is Rule.NUMBERS and rule in row.rules
            else row
            for row in self.game.clauses
        )
        self.game = replace(self.game, clauses=rows)

    def pays(self) -> None:
        given = self._file.table_of("pays")
        types = {kind.value: kind for kind in self.game.pay_table}
        self._file.check(given, types, "the pay table")
        new = {types[name]: self._pays(types[name], name) for name in given}
        for kind, pays in new.items():
            before = _pays_text(self.game.pay_table[kind])
            self.said.append(
                f"{kind.value} pays {_pays_text(pays)} to 1, not {before} to 1"
            )
        if new:
            rows = tuple(_repaid(row, new) for row in self.game.clauses)
            self.game = replace(self.game, clauses=rows)

    def _pays(self, kind: WagerType, name: str) -> Pays:
        value = self._file.table_of("pays")[name]
        before = self.game.pay_table[kind]
        if not isinstance(value, dict):
            return self._to_one(value, "pays", name)
        if isinstance(before, int):
            raise self._file.error(f"{name} pays one sum at every outcome", name)
        statuses = {status.value: status for status in before}
        self._file.check(value, statuses, f"what {name} pays")
        new = {
            statuses[word]: self._to_one(to_one, name, word)
            for word, to_one in value.items()
        }
        return {**before, **new}

    def _to_one(self, value: object, *keys: str) -> int:
        if type(value) is not int or not 0 <= value <= _MOST_PAYS:
            raise self._file.error(
                f"{keys[-1]} pays a whole number to one, up to {_MOST_PAYS}", *keys
            )
        return value

    def draw(self) -> None:
        value = self._file.read.get("bonus_numbers")
        if value is None:
            return
        if not self.game.provides(Rule.BONUS_DRAW):
            raise self._file.error(
                f"{self.game.title} draws no Bonus Numbers", "bonus_numbers"
            )
        most = len(self.game.numbers)
        if type(value) is not int or not 1 <= value <= most:
            raise self._file.error(
                f"bonus_numbers is a whole number from 1 to {most}", "bonus_numbers"
            )
        self._rows(Rule.BONUS_DRAW, amount=value)
        self.said.append(f"{value} Bonus Numbers are drawn")

    def check_playable(self) -> None:
        """Check that betting areas are left, and enough numbers for the draw."""
        if not self.game.areas:
            raise self._file.error("no betting area has all its numbers", "numbers")
        drawn, most = draw_size(self.game), len(self.game.numbers)
        if drawn > most:
            raise self._file.error(
                f"{drawn} Bonus Numbers can't be drawn from {most}", "numbers"
            )

    def weights(self) -> Mapping[Number, int]:
        given = self._file.table_of("chances")
        for name in given:
            if name not in self.game.numbers:
                numbers = list_numbers(self.game.numbers)
                raise self._file.error(
                    f"{shown(name)} is not a number: they are {numbers}", name
                )
        weights = dict.fromkeys(self.game.numbers, Fraction(1))
        for name, value in given.items():
            weights[Number(name)] = self._weight(name, value)
        if not any(weights.values()):
            raise self._file.error("some number must have a chance", "chances")
        whole = whole_weights(weights)
        total = sum(whole.values())
        self.said += [
            f"{name} has the chance {Fraction(whole[Number(name)], total)}"
            for name in given
        ]
        return whole

    def _weight(self, name: str, value: object) -> Fraction:
        weight = _weight(value)
        if weight is None or weight > _MOST_PAYS:
            raise self._file.error(
                f"{name} has a weight beside the 1 of the others, such as 1.05 or"
                ' "1/3"',
                "chances",
                name,
            )
        return weight


def _weight(value: object) -> Fraction | None:
    """Return a weight from a TOML number or a quoted fraction; None for others."""
    if isinstance(value, str):
        is_one = len(value) <= _MOST_FIGURES and _FRACTION.fullmatch(value)
        return Fraction(value) if is_one else None
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value < 0:
        return None
    return Fraction(value)


def _repaid(row: ClauseRow, new: Mapping[WagerType, Pays]) -> ClauseRow:
    if not any(kind in new for kind in row.pays):
        return row
    pays = {kind: new.get(kind, before) for kind, before in row.pays.items()}
    return replace(row, pays=pays, says=_marked(row))


def _marked(row: ClauseRow) -> str:
    return f"{row.says} Changed here."


def _pays_text(pays: Pays) -> str:
    if isinstance(pays, int):
        return str(pays)
    return " / ".join(str(pays[status]) for status in Status if status in pays)
