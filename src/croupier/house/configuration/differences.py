"""Differences between two plans of a house, setting by setting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from croupier.errors import CroupierError
from croupier.house.configuration.settings import (
    CLOSE_ON_DROP,
    NONE,
    SETTINGS,
    ChangedBy,
    Facts,
    closes_on_drop,
)
from croupier.journal.events.plan import (
    HousePlan,
    HouseSettings,
    StaffPlan,
    TablePlan,
)

Part = HouseSettings | TablePlan | StaffPlan
P = TypeVar("P", TablePlan, StaffPlan)


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
    """Yield each changed setting of the house and its tables, with its `ChangedBy`.

    A new or removed table takes two people.
    """
    for name, before, after in _parts(old, new):
        if before is None or after is None:
            yield name, ChangedBy.TWO
            if isinstance(after, TablePlan) and after.rules_file is not None:
                yield f"{name}: rules file", ChangedBy.MACHINE
            continue
        for key, setting in SETTINGS[type(before)].items():
            if getattr(before, key) != getattr(after, key):
                yield f"{name}: {key.replace('_', ' ')}", setting.changed_by
        if isinstance(before, TablePlan) and isinstance(after, TablePlan):
            closing = {closes_on_drop(each.settings) for each in (before, after)}
            if len(closing) > 1:
                yield f"{name}: {CLOSE_ON_DROP}", ChangedBy.TWO


def changes_of(name: str, old: HouseSettings | TablePlan, new: Part) -> tuple[str, ...]:
    """Return each difference between two states of the house or of a table."""
    where = name if isinstance(old, HouseSettings) else _named_table(name)
    return tuple(str(change) for change, _ in _compared(where, old, new))


def differences(old: HousePlan, new: HousePlan) -> tuple[Difference, ...]:
    """Return every difference; raise `ImpossibleChange` for a lasting setting."""
    found: list[tuple[Difference, bool]] = []
    for name, before, after in _parts(old, new):
        is_house = isinstance(after, HouseSettings)
        found += _compared(name if is_house else _named_table(name), before, after)
    for name, was, becomes in _paired(old.staff, new.staff):
        found += _compared(f"staff {name}", was, becomes)
    lasting = [f"can't change: {change}" for change, lasts in found if lasts]
    if lasting:
        raise ImpossibleChange("\n".join(lasting))
    return tuple(change for change, _ in found)


def _named_table(name: str) -> str:
    return name if name.startswith("table ") else f"table {name}"


def _parts(
    old: HousePlan, new: HousePlan
) -> Iterator[tuple[str, HouseSettings | TablePlan | None, Part | None]]:
    """Yield the house and each table by name, before and after."""
    yield "house", old.house, new.house
    yield from _paired(old.tables, new.tables)


def _paired(
    old: Iterable[P], new: Iterable[P]
) -> Iterator[tuple[str, P | None, P | None]]:
    before = {each.name: each for each in old}
    after = {each.name: each for each in new}
    for name in {**before, **after}:
        yield name, before.get(name), after.get(name)


def _compared(
    where: str, old: Part | None, new: Part | None
) -> Iterator[tuple[Difference, bool]]:
    """Yield each difference, and whether the setting is lasting.

    A new or removed part is one difference.
    """
    if old is None or new is None:
        yield Difference(where, _summary(old), _summary(new)), False
        return
    for key, setting in SETTINGS[type(old)].items():
        values = getattr(old, key), getattr(new, key)
        was, becomes = (setting.facts(key, value) for value in values)
        for label in {**was, **becomes}:
            facts = _fact(was, label), _fact(becomes, label)
            if facts[0] != facts[1]:
                yield Difference(f"{where}: {label}", *facts), setting.lasts(*values)


def _fact(facts: Facts, label: str) -> str:
    """Return the text of a label, or a default if the plan does not state it."""
    if label in facts:
        return facts[label]
    if label.startswith(("setting ", "authority ")):
        return "as usual"
    return "as *" if label.startswith("limits ") and "limits *" in facts else NONE


def _summary(part: Part | None) -> str:
    facts = (
        fact
        for key, setting in SETTINGS[type(part)].items()
        for fact in setting.facts(key, getattr(part, key)).items()
    )
    return "; ".join(f"{label} {text}" for label, text in facts if text != NONE) or NONE
