"""Differences between two plans of a house, and the people that each change takes.

A change that weakens a control, or changes money or play, takes two people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any

import msgspec

from croupier.errors import CroupierError
from croupier.journal.events.plan import (
    HousePlan,
    HouseSettings,
    StaffPlan,
    TablePlan,
    WheelSource,
)
from croupier.rules.cents import write_cents

NONE = "none"
Part = HouseSettings | TablePlan | StaffPlan


@unique
class ChangedBy(Enum):
    """The people needed to change a setting over the network."""

    ONE = 1
    TWO = 2
    MACHINE = 3
    """It can be changed only at the machine."""


# One person may change limits and settings: all Players see them, and they take effect
# with the next round. The setting by which a sensor's drop closes the betting takes two
# people (A28).
BY_ONE = frozenset({"name", "operator", "chips", "seats", "limits", "settings"})
_BY_TWO = "setting close_on_drop"
AT_THE_MACHINE = frozenset(
    {"second_factor", "thresholds", "sums_by_person", "authority", "rules_file"}
)
_LASTING = frozenset({"money", "currency", "game"})
"""Settings that are fixed when a journal begins; so is the choice of virtual wheels."""


class ImpossibleChange(CroupierError):
    """Lasting settings were changed; the message has a line for each."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that two plans state differently."""

    where: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}: {self.before} → {self.after}"


def changers(old: HousePlan, new: HousePlan) -> Iterator[tuple[str, ChangedBy]]:
    """Yield each changed fact of the house and its tables, with its `ChangedBy`.

    A new or removed table takes two people.
    """
    for before, after in _paired(old, new):
        if isinstance(before or after, StaffPlan):
            continue
        for change, key in _compared(before, after):
            yield change.where, _changed_by(change, key)
        if before is None and isinstance(after, TablePlan) and after.rules_file:
            yield f"{_where(after)}: rules file", ChangedBy.MACHINE


def taking_two(old: TablePlan, new: TablePlan) -> str | None:
    """Return a changed fact of a table that takes two people, or None."""
    changed = (
        change.where
        for change, key in _compared(old, new)
        if _changed_by(change, key) is ChangedBy.TWO
    )
    return next(changed, None)


def _changed_by(change: Difference, key: str) -> ChangedBy:
    if key in AT_THE_MACHINE:
        return ChangedBy.MACHINE
    is_for_one = key in BY_ONE and not change.where.endswith(_BY_TWO)
    return ChangedBy.ONE if is_for_one else ChangedBy.TWO


def changes_of(old: Part, new: Part) -> tuple[str, ...]:
    return tuple(str(change) for change, _ in _compared(old, new))


def differences(old: HousePlan, new: HousePlan) -> tuple[Difference, ...]:
    """Return every difference; raise `ImpossibleChange` for a lasting setting."""
    found = [each for parts in _paired(old, new) for each in _compared(*parts)]
    lasting = [f"can't change: {each}" for each, key in found if _lasts(each, key)]
    if lasting:
        raise ImpossibleChange("\n".join(lasting))
    return tuple(change for change, _ in found)


def _lasts(change: Difference, key: str) -> bool:
    is_virtual = WheelSource.VIRTUAL.value in {change.before, change.after}
    return key in _LASTING or (key == "wheel" and is_virtual)


def _paired(
    old: HousePlan, new: HousePlan
) -> Iterator[tuple[Part | None, Part | None]]:
    """Yield the house, each table and each person, before and after."""
    yield old.house, new.house
    for parts in ((old.tables, new.tables), (old.staff, new.staff)):
        before, after = ({each.name: each for each in part} for part in parts)
        for name in {**before, **after}:
            yield before.get(name), after.get(name)


def _where(part: Part | None) -> str:
    match part:
        case TablePlan(name=name):
            return name if name.startswith("table ") else f"table {name}"
        case StaffPlan(name=name):
            return f"staff {name}"
    return "house"


def _compared(old: Part | None, new: Part | None) -> Iterator[tuple[Difference, str]]:
    """Yield each difference with its field; a new or removed part is one difference."""
    where, was, becomes = _where(old or new), _facts(old), _facts(new)
    if old is None or new is None:
        yield Difference(where, *map(_summary, (was, becomes))), ""
        return
    for key, label in {**was, **becomes}:
        texts = [_fact(facts, (key, label)) for facts in (was, becomes)]
        if texts[0] != texts[1]:
            yield Difference(f"{where}: {label}", *texts), key


_Facts = dict[tuple[str, str], str]
"""Texts by field and label."""


def _facts(part: Part | None) -> _Facts:
    plain = {} if part is None else msgspec.to_builtins(part)
    if not isinstance(part, HouseSettings):
        plain.pop("name", None)
    return {
        (key, label): text
        for key, value in plain.items()
        for label, text in _told(key, value)
    }


def _fact(facts: _Facts, place: tuple[str, str]) -> str:
    """Return the text of a label, or a default if the plan does not state it."""
    key, _ = place
    if place in facts:
        return facts[place]
    if key in {"settings", "authority"}:
        return "as usual"
    return "as *" if ("limits", "limits *") in facts and key == "limits" else NONE


def _summary(facts: _Facts) -> str:
    told = (f"{label} {text}" for (_, label), text in facts.items() if text != NONE)
    return "; ".join(told) or NONE


def _told(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the facts of a field's plain value: labels and texts."""
    label = key.replace("_", " ")
    match key:
        case "limits":
            for kind, low, high in map(str.split, value):
                yield f"limits {kind}", f"{low}–{high}".replace(".00", "")
        case "settings":
            yield from filter(None, map(_setting, value))
        case "authority":
            for act in value["acts"]:
                held = (*act["positions"], *act["duties"])
                yield f"authority {act['act']}", _text(held)
            if (pairs := value["never_together"]) is not None:
                yield "authority never_together", _text(map(" with ".join, pairs))
        case "thresholds" | "sums_by_person":
            for act, cents in value.items():
                name = act.removesuffix("_cents").replace("_", " ")
                yield f"{label} {name}", _text(cents and _amount(cents))
        case "chips":
            yield label, _text(map(_amount, value))
        case _:
            yield label, _text(value)


def _setting(line: str) -> tuple[str, str] | None:
    count = 2 if line.startswith("area_maximum ") else 1
    *named, rest = line.split(maxsplit=count) or [""]
    is_usual = (*named, rest) == ("close_on_drop", "on")
    return None if is_usual else (" ".join(("setting", *named)), rest)


def _amount(cents: int) -> str:
    return write_cents(cents).removesuffix(".00")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, str | int):
        return NONE if value is None else str(value)
    return ", ".join(value) or NONE
