"""A stored snapshot, held against what the auditor's own replay has at that event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.replay import Replay
from croupier.journal.findings import FindingKind


def judge_snapshot(replay: Replay, body: str) -> None:
    """Say every field of the snapshot that the events do not bear out."""
    try:
        kept = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.MsgspecError:
        replay.say(FindingKind.SNAPSHOT, AuditProblem.SNAPSHOT_UNREADABLE())
        return
    replay.resettlement.compare()
    expected = _expected(replay)
    for name, value in expected.items():
        if kept.get(name) != value:
            problem = AuditProblem.SNAPSHOT_FIELD(field=name)
            replay.say(FindingKind.SNAPSHOT, problem)
    _judge_meters(replay, kept.get("meters"))


def _expected(replay: Replay) -> dict[str, object]:
    limits, settings = replay.in_force.lines if replay.in_force else ((), ())
    return {
        "game": replay.game.name if replay.game else None,
        "limits": list(limits),
        "settings": list(settings),
        "last": replay.last,
        "stood": replay.stood,
        "colours": {colour: list(chips) for colour, chips in replay.colours.items()},
        "is_open": replay.is_open,
        "virtual_wheel": replay.virtual_wheel,
    }


def _judge_meters(replay: Replay, stored: object) -> None:
    """Each meter over all days: on which gaming day it counts, the house knows."""
    found: Counter[str] = Counter()
    if isinstance(stored, Mapping):
        for key, amount in stored.items():
            _, _, meter = str(key).partition("/")
            found[meter] += amount if isinstance(amount, int) else 0
    expected = replay.resettlement.meters
    for meter in sorted(found.keys() | expected.keys()):
        if found[meter] != expected[meter]:
            problem = AuditProblem.SNAPSHOT_METER(
                meter=meter, found=found[meter], expected=expected[meter]
            )
            sums = (expected[meter], found[meter])
            replay.say(FindingKind.METERS, problem, None, *sums)
