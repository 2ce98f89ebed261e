"""Refusals of one source: the first at once, the rest counted."""

from __future__ import annotations

from croupier.house.floor.noticed_events import GatheredRefusals
from croupier.house.reasons import HouseReason
from croupier.journal.events.house import AskedBy, AuthorityRefused


def test_a_thousand_refusals_are_two_events_a_minute() -> None:
    recorded: list[AuthorityRefused] = []
    now = 0.0
    gathered = GatheredRefusals(recorded.append, lambda: now)
    reason = HouseReason.ONLY_SEAT_DOES()

    for second in range(180):
        now = float(second)
        for _ in range(100):
            gathered.note("board", AskedBy.MESSAGE, "Collect", reason)
        gathered.record_due()
    gathered.note("Dana", AskedBy.MESSAGE, "Collect", reason)
    gathered.record_all()

    assert [each.times for each in recorded if each.name == "Dana"] == [1]
    times = [each.times for each in recorded if each.name == "board"]
    assert times[0] == 1
    assert len(times) == 4
    assert sum(times) == 18_000


def test_who_stops_is_forgotten_and_recorded_at_once_later() -> None:
    recorded: list[AuthorityRefused] = []
    now = 0.0
    gathered = GatheredRefusals(recorded.append, lambda: now)
    reason = HouseReason.ONLY_SEAT_DOES()

    gathered.note("board", AskedBy.MESSAGE, "Collect", reason)
    now = 60.0
    gathered.record_due()
    gathered.note("board", AskedBy.MESSAGE, "Collect", reason)

    assert [each.times for each in recorded] == [1, 1]
