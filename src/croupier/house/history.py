"""The last rounds of a table, as they are shown to who comes to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from croupier.house import views
from croupier.protocol.answers import PastRound
from croupier.protocol.folding import HISTORY
from croupier.rules.wheel import Number


class History:
    """Settled rounds, oldest first; a corrected one stands as corrected."""

    def __init__(self) -> None:
        self._rounds: deque[PastRound] = deque(maxlen=HISTORY)

    def __iter__(self) -> Iterator[PastRound]:
        return iter(self._rounds)

    def note(
        self, number: int, winning: Number | None, drawn: tuple[Number, ...] = ()
    ) -> None:
        """A settlement; a corrected round keeps its Bonus Numbers."""
        for place, each in enumerate(self._rounds):
            if each.round == number:
                self._rounds[place] = views.past_round(number, winning, each.bonus)
                return
        self._rounds.append(views.past_round(number, winning, drawn))
