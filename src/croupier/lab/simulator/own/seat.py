"""A Player's seat at a simulated table: what is seen there, and the chips laid.

The same class is played plainly, with lists, and compiled, with arrays, for the CPU and
for the GPU: so it keeps to what numba compiles for both, and whatever it holds is a
whole number or many of them.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence

from croupier.lab.simulator.plan import MEMORY
from croupier.odds.model import model_of
from croupier.rules.game import Game

SEEN = 64
"""How many of the last outcomes it can look back to."""
MOST_WAGERS = 512
"""In one round."""
MOST_CENTS = 10**12
"""In one wager, and of a bankroll: sums of them stay within 64 bits."""
NO_MAXIMUM = MOST_WAGERS * MOST_CENTS
"""On an area without a maximum: more can't be laid."""
TABLES = ("wins", "numbers", "least", "most")
"""Of a seat, by their names: what the table tells all Players."""
ROOMS = {
    "memory": MEMORY,
    "areas": MOST_WAGERS,
    "cents": MOST_WAGERS,
    "history": SEEN,
}
"""Its own numbers, and how many there are of each."""
COUNTS = ("round", "bankroll_cents", "net_cents", "wagers", "laid_cents")
FLAGS = ("has_left", "is_limited")


class Seat:
    """A Player's seat before a round: what it shows, and the wagers laid from it.

    `round` is how many have been played, `bankroll_cents` what is left, `net_cents`
    what the last round won or lost, `memory` 16 whole numbers of the Player's own, all
    0 at the start of a session.
    """

    def __init__(  # noqa: PLR0917 - numba takes no keywords
        self,
        wins: Sequence[bool],
        numbers: Sequence[int],
        least: Sequence[int],
        most: Sequence[int],
        is_limited: bool,
        memory: MutableSequence[int],
        areas: MutableSequence[int],
        cents: MutableSequence[int],
        history: MutableSequence[int],
    ) -> None:
        self.wins = wins
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
        """Return the code of the number so many rounds back, from 1; -1: none seen."""
        if back < 1 or back > self.round or back > len(self.history):
            return -1
        return self.numbers[self.history[(self.round - back) % len(self.history)]]

    def came(self, area: int, back: int) -> bool:
        """Return whether an area has won so many rounds back, from 1."""
        if back < 1 or back > self.round or back > len(self.history):
            return False
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        case = self.history[(self.round - back) % len(self.history)]
        return self.wins[area * len(self.numbers) + case]

    def minimum(self, area: int) -> int:
        """Return the least cents that may lie on an area: 1 where nothing limits it."""
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        return self.least[area]

    def maximum(self, area: int) -> int:
        """Return the most cents that may lie on an area; very many: no maximum."""
        if area < 0 or area >= len(self.most):
            raise ValueError("there is no such area: take its code from area_codes")
        return self.most[area]

    def lay(self, area: int, cents: int) -> bool:
        """Lay chips on an area for the next round; False where the limits forbid it.

        They judge what lies there altogether; what they forbid is not laid.
        """
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
        """Leave the table: the session is over."""
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

    def settle(self, case: int, net_cents: int) -> None:
        """Take what a round has brought, and clear the layout; called by the engine."""
        self.history[self.round % len(self.history)] = case
        self.round += 1
        self.bankroll_cents += net_cents
        self.net_cents = net_cents
        self.wagers = 0
        self.laid_cents = 0


def area_codes(game: str | Game) -> Mapping[str, int]:
    """Return the code of each betting area by its name: `area_codes(game)["red"]`."""
    areas = model_of(game).game.areas
    return {area.name: code for code, area in enumerate(areas)}


def number_codes(game: str | Game) -> Mapping[str, int]:
    """Return the code of each number by its name: `number_codes(game)["17"]`."""
    return {number: code for code, number in enumerate(model_of(game).game.numbers)}
