"""The same flat sessions by a package from the registry: pyroulette 0.0.5.

It is looked for in the folder that the environment variable PYROULETTE names:

    uv pip install --no-deps --target FOLDER pyroulette==0.0.5

Its wheel has 38 numbers, and its players keep to flat wagers.
"""

from __future__ import annotations

import os
import sys


def flat(bankroll: int, rounds: int, sessions: int) -> int:
    """How many rounds were played."""
    from pyroulette.roulette import Placement, Player, Strategy, play_roulette

    played = 0
    for _ in range(sessions):
        wager = Strategy(budget=1, placements=[Placement(1, 1, "red")])
        play_roulette([Player(budget=bankroll, strategy=wager)], rounds)
        played += rounds
    return played


def is_there() -> bool:
    """Whether the package can be imported; puts its folder on the path."""
    folder = os.environ.get("PYROULETTE")
    if folder:
        sys.path.insert(0, folder)
    try:
        import pyroulette  # noqa: F401
    except ImportError:
        return False
    return True
