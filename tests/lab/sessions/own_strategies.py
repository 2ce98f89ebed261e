"""Strategies that a user could have written."""

from __future__ import annotations

from fractions import Fraction


class Plain:
    """As little as a strategy can have."""

    start = 0

    def stake(self, state: int) -> int:
        return 1 + state

    def after(self, state: int, net: Fraction) -> int:
        return 1 - state if net > 0 else state


TABLE = """
name = "up one"
start = "one"
over_maximum = "start-again"

[states.one]
stake = 1
win = "two"
loss = "one"

[states.two]
stake = 2
win = "out"
loss = "one"
push = "one"

[states.out]
stake = 0
"""


class Counting:
    """Never in the same state twice: as many states as rounds."""

    start = 0

    def stake(self, state: int) -> int:
        return 1 + state % 3

    def after(self, state: int, net: Fraction) -> int:
        return state + 1
