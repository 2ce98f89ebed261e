"""Bonus Numbers stay in the order in which they were drawn."""

from __future__ import annotations

from croupier.games import find_game
from croupier.rules.events import BonusNumbersDrawn
from tests.rules.tables import Table

DRAWN = ("17", "3", "S", "36", "25", "MBS", "8", "00", "20", "1")


def test_the_event_keeps_the_order_of_the_draw() -> None:
    table = Table(find_game("mbs-fast-action-v2"))

    table.play((), "17", DRAWN)

    events = [record.event for record in table.records]
    [drawn] = [each for each in events if isinstance(each, BonusNumbersDrawn)]
    assert drawn.numbers == DRAWN
    assert table.current.facts.bonus_numbers == DRAWN
