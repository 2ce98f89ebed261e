"""Which passwords and PINs are taken.

By NIST SP 800-63B: they are long enough, none of those that everybody tries first, and
not the one before; nothing is asked of which characters they are made of, and they do
not expire.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from croupier.house.people.names import skeletons
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone

SHORTEST = 10
SHORTEST_PIN = 4
LONGEST = 200
_LONGEST_PIN = 64
_FEWEST_DIFFERENT = 4
_RUNS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_DIGITS = "01234567890"
_DRESS = "0123456789.,;:!?#*+-_/&%$@()= "
_WRITTEN = str.maketrans("013457@$!", "oieastasi")
"""Digits and signs that stand for letters."""


def check_password(password: str, *names: str) -> None:
    """Raise `NotDone` for a password that is too short or too easily guessed.

    It is none of these names, such as that of whose it is.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise NotDone(HouseReason.PASSWORD_LENGTH(low=SHORTEST, high=LONGEST))
    if len(set(password)) < _FEWEST_DIFFERENT or _is_common(password, names):
        raise NotDone(HouseReason.PASSWORD_COMMON())


def _is_common(password: str, names: tuple[str, ...]) -> bool:
    """Whether it is a common word or a run of keys, dressed with digits and signs."""
    core = password.casefold().strip(_DRESS)
    known = _common() | {_letters(each) for name in names for each in skeletons(name)}
    for text in (_letters(core), _letters(core.translate(_WRITTEN))):
        word = text[: len(text) // 2] if _is_doubled(text) else text
        if not word or word in known:
            return True
        if any(word in run * 2 or word in run[::-1] * 2 for run in _RUNS):
            return True
    return False


@cache
def _common() -> frozenset[str]:
    """Return the words that the commonest passwords are made of."""
    file = files("croupier.house.people") / "common-passwords.txt"
    return frozenset(file.read_text("utf-8").split())


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _is_doubled(text: str) -> bool:
    half = len(text) // 2
    return len(text) % 2 == 0 and text[:half] == text[half:]


def check_pin(pin: str) -> None:
    """Raise `NotDone` for a PIN that is too short, one sign or a run of digits."""
    if not SHORTEST_PIN <= len(pin) <= _LONGEST_PIN:
        raise NotDone(HouseReason.PIN_LENGTH(low=SHORTEST_PIN))
    runs = (_DIGITS * 8, _DIGITS[::-1] * 8)
    if len(set(pin)) == 1 or any(pin in run for run in runs):
        raise NotDone(HouseReason.PIN_COMMON())
