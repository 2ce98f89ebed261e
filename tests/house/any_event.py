"""Events of the house, made at random."""

from __future__ import annotations

from random import Random
from typing import Any, get_type_hints

from croupier.house.records.house_state import DeviceKind
from croupier.journal.events import house as house_events
from tests.journal.examples import example
from tests.values import replaced

NAMES = ("Anna", "T1", "t1")
KINDS = sorted(house_events.HouseEvent.__subclasses__(), key=lambda kind: kind.__name__)


def any_event(random: Random, kind: type[Any] | None = None) -> house_events.HouseEvent:
    """Of a kind or any, about one of a few names, so that events meet each other."""
    kind = kind or random.choice(KINDS)
    event: Any = example(kind, random)
    named = {
        name: random.choice(NAMES)
        for name, hint in get_type_hints(kind).items()
        if hint in {str, str | None}
    }
    if "kind" in named and random.random() < 0.9:
        named["kind"] = random.choice(list(DeviceKind)).value
    return replaced(event, **named)  # type: ignore[no-any-return]
