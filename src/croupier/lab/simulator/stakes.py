"""The rules by which a bankroll ends a session or cuts a stake, for every engine.

The compiled engines compile these functions, so they make no calls and use only whole
numbers.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class SessionEnd(IntEnum):
    """The ends of a session, in the order of a tally's words."""

    RUINED = 0
    """The bankroll can't pay the next wager."""
    REACHED = 1
    """The target has been reached, or passed."""
    STOPPED = 2
    """The strategy, or the Player's own bound on losses, has left the table."""
    PLAYING = 3
    """The rounds are over, and the session could go on."""


RUINED, REACHED = int(SessionEnd.RUINED), int(SessionEnd.REACHED)
STOPPED, PLAYING = int(SessionEnd.STOPPED), int(SessionEnd.PLAYING)
NO_END = -1
NO_TARGET = 2**62


class StakeRules(NamedTuple):
    """The bounds of a bankroll and of a stake."""

    unit: int
    target: int
    floor: int
    greatest: int
    """The table's maximum, in units."""
    stops_over_maximum: bool
    stops_over_bankroll: bool
    starts_again: bool
    """Whether a stake above the bankroll starts the play again."""


def end_by_bankroll(bankroll: int, rules: StakeRules) -> int:
    """Return the end that follows from the bankroll, or `NO_END`."""
    if bankroll >= rules.target:
        return REACHED
    if bankroll < rules.unit:
        return RUINED
    return STOPPED if bankroll <= rules.floor else NO_END


def next_stake(
    wanted: int, first: int, bankroll: int, rules: StakeRules
) -> tuple[int, int, bool]:
    """Return the units staked, an end or `NO_END`, and whether the play starts again.

    `first` is the first stake of a play that starts again; 0 if the play is at its
    start. The bankroll has not ended the session.
    """
    if wanted <= 0 or (wanted > rules.greatest and rules.stops_over_maximum):
        return 0, STOPPED, False
    units = min(wanted, rules.greatest)
    if units * rules.unit <= bankroll:
        return units, NO_END, False
    if rules.stops_over_bankroll:
        return 0, STOPPED, False
    if not rules.starts_again:
        return bankroll // rules.unit, NO_END, False
    if first == 0 or first * rules.unit > bankroll:
        return 0, RUINED, False
    return first, NO_END, True
