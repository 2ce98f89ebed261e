"""The table of events: who is told of each, and what stops."""

from __future__ import annotations

from collections import Counter

from croupier.house.history.event_actions import ACTION_OF, EVENT_ACTIONS, Stops
from croupier.journal.events import house
from croupier.ledger import money
from croupier.rules.operator import Person, Role

_SAM = Person("Sam", Role.PIT_SUPERVISOR)


def test_every_event_is_in_one_row() -> None:
    names = Counter(each.__name__ for act in EVENT_ACTIONS for each in act.events)
    assert set(names.values()) == {1}


def test_some_events_are_alarms_by_their_fields() -> None:
    counted = ACTION_OF["FloatCounted"]
    even = money.FloatCounted(_SAM, money.Count.CLOSING, 5, 5)
    short = money.FloatCounted(_SAM, money.Count.CLOSING, 4, 5)
    assert (counted.is_alarm(even), counted.is_alarm(short)) == (False, True)
    lost = ACTION_OF["DeviceLost"]
    assert lost.is_alarm(house.DeviceLost("T1", "t1", needed=True))
    assert not lost.is_alarm(house.DeviceLost("T1", "t1", needed=False))


def test_events_that_end_play_say_what_stops() -> None:
    stopping = ("RoundHeld", "TableInterrupted", "JournalDoubted", "LockedOut")
    assert [ACTION_OF[name].stops for name in stopping] == [
        Stops.UNTIL_DECIDED,
        Stops.UNTIL_BALL,
        Stops.NEXT_START,
        Stops.ACCOUNT,
    ]
