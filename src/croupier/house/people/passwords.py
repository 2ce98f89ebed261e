"""Rules for passwords and PINs.

By NIST SP 800-63B: a password has a minimum length, is no common one and differs from
the one before. There are no rules on kinds of characters, and passwords do not expire.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from croupier.house.people.names import skeletons
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone

SHORTEST = 10
SHORTEST_PIN = 4
LONGEST = 200
_LONGEST_PIN = 64
_ROWS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_COLUMNS = ("1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "8ik", "9ol", "0p")
_RUNS = tuple(
    text
    for run in (*_ROWS, "1234567890", *_COLUMNS)
    for text in (run * 2, run[::-1] * 2)
)
_SHORTEST_PIECE, _LONGEST_PIECE = 3, 40
_FEWEST_WORDS = 4
"""A password of this many different common words is accepted."""
_REPEATED = re.compile(r"(.)\1{2,}|(..+?)\2+", re.DOTALL)
"""Immediate repetitions: `aaaa` and `bcbc` in `aaaabcbc`."""
_DIGITS = "01234567890"
_DRESS = "0123456789.,;:!?#*+-_/&%$@()= "
_WRITTEN = str.maketrans("013457@$!", "oieastasi")
"""Digits and signs that stand for letters."""


def check_password(password: str, *names: str) -> None:
    """Raise `NotDone` for a password that is too short or too easily guessed.

    `names` are those of its owner and the house; they are easily guessed.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise NotDone(HouseReason.PASSWORD_LENGTH(low=SHORTEST, high=LONGEST))
    once = _REPEATED.sub(r"\1\2", password.casefold())
    if len(once) < SHORTEST or _is_common(password, names):
        raise NotDone(HouseReason.PASSWORD_COMMON())


def _is_common(password: str, names: tuple[str, ...]) -> bool:
    """Return whether it is a few common words or keyboard runs, with digits around.

    A repeated word counts once.
    """
    core = password.casefold().strip(_DRESS)
    known = _common() | {_letters(each) for name in names for each in skeletons(name)}
    keys = "".join(filter(str.isalnum, core))
    return any(
        text in known or _is_run(text) or _words_in(text, known) < _FEWEST_WORDS
        for text in (_letters(core), _letters(core.translate(_WRITTEN)), keys)
    )


def _words_in(text: str, known: frozenset[str]) -> int:
    """Return the fewest different words that make up the text; runs are free."""
    fewest: list[frozenset[str] | None] = [frozenset()]
    for end in range(1, len(text) + 1):
        found = []
        for start in range(max(0, end - _LONGEST_PIECE), end - _SHORTEST_PIECE + 1):
            piece, before = text[start:end], fewest[start]
            if before is not None and _is_run(piece):
                found.append(before)
            elif before is not None and piece in known:
                found.append(before | {piece})
        fewest.append(min(found, key=len, default=None))
    words = fewest[-1]
    return LONGEST if words is None else len(words)


def _is_run(text: str) -> bool:
    return any(text in run for run in _RUNS)


@cache
def _common() -> frozenset[str]:
    file = files("croupier.house.people") / "common-passwords.txt"
    return frozenset(file.read_text("utf-8").split())


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def check_pin(pin: str) -> None:
    """Raise `NotDone` for a short PIN, one repeated sign or a run of digits."""
    if not SHORTEST_PIN <= len(pin) <= _LONGEST_PIN:
        raise NotDone(HouseReason.PIN_LENGTH(low=SHORTEST_PIN))
    runs = (_DIGITS * 8, _DIGITS[::-1] * 8)
    if len(set(pin)) == 1 or any(pin in run for run in runs):
        raise NotDone(HouseReason.PIN_COMMON())
