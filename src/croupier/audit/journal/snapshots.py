"""A stored snapshot, held against what the auditor's own fold has at that event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.audit.journal.findings import FindingKind
from croupier.audit.journal.replay import Replay


def judge_snapshot(fold: Replay, body: str) -> None:
    """Say every field of the snapshot that the events do not bear out."""
    try:
        kept = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.MsgspecError:
        fold.say(FindingKind.SNAPSHOT, "it can't be read")
        return
    fold.resettling.compare()
    expected = _expected(fold)
    for name, value in expected.items():
        if kept.get(name) != value:
            problem = f"its {name} are not what the events give"
            fold.say(FindingKind.SNAPSHOT, problem)
    _judge_meters(fold, kept.get("meters"))


def _expected(fold: Replay) -> dict[str, object]:
    limits, settings = fold.in_force.lines if fold.in_force else ((), ())
    return {
        "game": fold.game.name if fold.game else None,
        "limits": list(limits),
        "settings": list(settings),
        "last": fold.last,
        "stood": fold.stood,
        "colours": {colour: list(chips) for colour, chips in fold.colours.items()},
        "is_open": fold.is_open,
        "virtual_wheel": fold.virtual_wheel,
    }


def _judge_meters(fold: Replay, stored: object) -> None:
    """Each meter over all days: on which gaming day it counts, the house knows."""
    found: Counter[str] = Counter()
    if isinstance(stored, Mapping):
        for key, amount in stored.items():
            _, _, meter = str(key).partition("/")
            found[meter] += amount if isinstance(amount, int) else 0
    expected = fold.resettling.meters
    for meter in sorted(found.keys() | expected.keys()):
        if found[meter] != expected[meter]:
            problem = f"the meter {meter} is {found[meter]}, not {expected[meter]}"
            sums = (expected[meter], found[meter])
            fold.say(FindingKind.METERS, problem, None, *sums)
