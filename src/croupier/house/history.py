"""The last rounds of a table, as they are shown to who comes to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import cast

from croupier.house import views
from croupier.journal.store import Store
from croupier.journal.tables import EventRow
from croupier.protocol.answers import PastRound
from croupier.protocol.folding import HISTORY
from croupier.rules.clause import Rule
from croupier.rules.events import BonusNumbersDrawn, RoundSettled
from croupier.rules.game import Game
from croupier.rules.wheel import Number
from croupier.table.answers import event_of


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


def recall_history(store: Store, stream: str, game: Game) -> History:
    """As it was when the house stopped."""
    history = History()
    for row in store.latest_settlements(stream, HISTORY):
        winning = cast(RoundSettled, event_of(row)).winning_number
        history.note(row.round_number, winning, _drawn_in(store, row, game))
    return history


def _drawn_in(store: Store, settled: EventRow, game: Game) -> tuple[Number, ...]:
    """The Bonus Numbers stand in the round's own events, not in its settlement."""
    if not game.provides(Rule.BONUS_DRAW):
        return ()
    for row in store.events(settled.stream, round_number=settled.round_number):
        if row.kind == BonusNumbersDrawn.__name__:
            return cast(BonusNumbersDrawn, event_of(row)).numbers
    return ()
