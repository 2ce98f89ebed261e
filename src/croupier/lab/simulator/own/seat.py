"""A Player's seat at a simulated table: its view of the play, and its chips.

The same class runs in plain Python, with lists, and compiled, with arrays. So it uses
only whole numbers and arrays, which numba compiles.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence

from croupier.lab.simulator.plan import MEMORY
from croupier.lab.simulator.stakes import NO_END, RUINED, STOPPED
from croupier.odds.model import model_of
from croupier.rules.game import Game

_SEEN = 64
"""The last outcomes that a seat remembers."""
_MOST_WAGERS = 512
"""The most wagers in one round."""
MOST_CENTS = 10**12
"""The largest wager and bankroll: their sums stay within 64 bits."""
NO_MAXIMUM = _MOST_WAGERS * MOST_CENTS
"""The maximum of an area without one: more can't be laid."""
TABLES = ("pays", "numbers", "least", "most")
"""The arrays of a seat that all Players share."""
ROOMS = {
    "memory": MEMORY,
    "areas": _MOST_WAGERS,
    "cents": _MOST_WAGERS,
    "history": _SEEN,
}
"""The arrays of a seat's own, and their lengths."""
COUNTS = ("round", "bankroll_cents", "net_cents", "wagers", "laid_cents")
FLAGS = ("has_left", "is_limited")


class Seat:
    """A Player's seat before a round.

    `round` is the number of rounds played, `bankroll_cents` the bankroll, `net_cents`
    the net result of the last round. `memory` has 16 whole numbers for the Player's own
    use, all 0 at the start of a session.
    """

    def __init__(  # noqa: PLR0917 - numba takes no keywords
        self,
        pays: Sequence[int],
        numbers: Sequence[int],
        least: Sequence[int],
        most: Sequence[int],
        is_limited: bool,
        memory: MutableSequence[int],
        areas: MutableSequence[int],
        cents: MutableSequence[int],
        history: MutableSequence[int],
    ) -> None:
        self.pays = pays
        self.numbers = numbers
        self.least = least
        self.most = most
        self.memory = memory
        self.areas = areas
        self.cents = cents
        self.history = history
        self.round = 0
        self.bankroll_cents = 0
        self.net_cents = 0
        self.wagers = 0
        self.laid_cents = 0
        self.has_left = False
        self.is_limited = is_limited

    def outcome(self, back: int) -> int:
        """Return the code of the number `back` rounds ago, from 1; -1 if not seen."""
        if back < 1 or back > self.round or back > len(self.history):
            return -1
        return self.numbers[self.history[(self.round - back) % len(self.history)]]

    def came(self, area: int, back: int) -> bool:
        """Return whether an area won `back` rounds ago, from 1."""
        if back < 1 or back > self.round or back > len(self.history):
            return False
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        case = self.history[(self.round - back) % len(self.history)]
        return self.pays[area * len(self.numbers) + case] >= 0

    def minimum(self, area: int) -> int:
        """Return the minimum on an area in cents: 1 without a limit."""
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        return self.least[area]

    def maximum(self, area: int) -> int:
        """Return the maximum on an area in cents, or `NO_MAXIMUM`."""
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        return self.most[area]

    def lay(self, area: int, cents: int) -> bool:
        """Lay chips on an area; return False if the limits forbid the sum there."""
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        if cents <= 0 or cents > MOST_CENTS:
            raise ValueError("a stake is above 0, and no more than a bankroll can be")
        if self.wagers == len(self.areas):
            raise ValueError("more than 512 wagers are laid in one round")
        if self.is_limited:
            total = cents
            for wager in range(self.wagers):
                if self.areas[wager] == area:
                    total += self.cents[wager]
            if total < self.least[area] or total > self.most[area]:
                return False
        self.areas[self.wagers] = area
        self.cents[self.wagers] = cents
        self.wagers += 1
        self.laid_cents += cents
        return True

    def leave(self) -> None:
        self.has_left = True

    def sit_down(self, bankroll_cents: int) -> None:
        """Begin a session; called by the engine."""
        self.round = 0
        self.bankroll_cents = bankroll_cents
        self.net_cents = 0
        self.has_left = False
        self.wagers = 0
        self.laid_cents = 0
        for place in range(len(self.memory)):
            self.memory[place] = 0

    def stake(self) -> tuple[int, int]:
        """Return the cents laid, and an end or `NO_END`; called by the engine."""
        if self.has_left:
            return 0, STOPPED
        if self.laid_cents > self.bankroll_cents or self.bankroll_cents == 0:
            return 0, RUINED
        return self.laid_cents, NO_END

    def settle(self, case: int) -> int:
        """Pay the wagers and clear the layout; called by the engine."""
        areas, cents, pays = self.areas, self.cents, self.pays
        net_cents, cases = 0, len(self.numbers)
        for wager in range(self.wagers):
            net_cents += cents[wager] * pays[areas[wager] * cases + case]
        self.history[self.round % len(self.history)] = case
        self.round += 1
        self.bankroll_cents += net_cents
        self.net_cents = net_cents
        self.wagers = 0
        self.laid_cents = 0
        return net_cents


def area_codes(game: str | Game) -> Mapping[str, int]:
    """Return the code of each betting area by its name: `area_codes(game)["red"]`."""
    areas = model_of(game).game.areas
    return {area.name: code for code, area in enumerate(areas)}


def number_codes(game: str | Game) -> Mapping[str, int]:
    """Return the code of each number by its name: `number_codes(game)["17"]`."""
    return {number: code for code, number in enumerate(model_of(game).game.numbers)}
