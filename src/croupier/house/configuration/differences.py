"""Changes that an edited house file makes: two plans compared field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum, unique
from functools import partial
from typing import Any

from croupier.errors import CroupierError
from croupier.journal.events.plan import (
    Authority,
    HousePlan,
    HouseSettings,
    StaffPlan,
    TablePlan,
    ThresholdAct,
    Thresholds,
    WheelSource,
)
from croupier.rules.cents import write_cents

_NONE = "none"
_Facts = Mapping[str, str]
_Part = HouseSettings | TablePlan | StaffPlan


class ImpossibleChange(CroupierError):
    """A change of what a house keeps for good; the message has a line for each."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that one plan has otherwise than another."""

    where: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}: {self.before} → {self.after}"


@unique
class ChangedBy(Enum):
    """The people that a change of a field takes, if it does not come by the machine."""

    ONE = 1
    TWO = 2
    MACHINE = 3
    """Nobody who is logged on: it is applied at the machine."""


_ONE, _TWO, _MACHINE = ChangedBy
CHANGED_BY: Mapping[type[HouseSettings | TablePlan], Mapping[str, ChangedBy]] = {
    HouseSettings: {
        "name": _ONE,
        "operator": _ONE,
        "money": _TWO,
        "currency": _TWO,
        "time_zone": _TWO,
        "gaming_day_begins": _TWO,
        "voucher_days": _TWO,
        "idle_minutes": _TWO,
        "proposal_minutes": _TWO,
        "autoplay": _TWO,
        "reality_check_minutes": _TWO,
        "second_factor": _MACHINE,
        "thresholds": _MACHINE,
        "sums_by_person": _MACHINE,
        "authority": _MACHINE,
    },
    TablePlan: {
        "name": _ONE,
        "game": _TWO,
        "wheel": _TWO,
        "unapproved_game": _TWO,
        "lights": _TWO,
        "countdown_seconds": _TWO,
        "chips": _ONE,
        "seats": _ONE,
        "automatic_dealer": _TWO,
        "rules_file": _MACHINE,
        "video": _TWO,
        # Shown to every Player and in force with the next round only; their own act.
        # Of the settings `close_on_drop` takes two: see `closes_on_drop`.
        "limits": _ONE,
        "settings": _ONE,
    },
}
"""Whatever weakens a control, or changes money or play, takes two people at least."""


def changers(old: HousePlan, new: HousePlan) -> Iterator[tuple[str, ChangedBy]]:
    """Yield each changed field of the house and its tables, and who may change it.

    A table that joins the house or leaves it takes two people.
    """
    pairs: list[tuple[str, _Part | None, _Part | None]]
    pairs = [("house", old.house, new.house)]
    for name, before, after in pairs + _paired(old.tables, new.tables):
        if before is None or after is None:
            yield name, ChangedBy.TWO
            if isinstance(after, TablePlan) and after.rules_file is not None:
                yield f"{name}: rules file", ChangedBy.MACHINE
            continue
        assert isinstance(before, HouseSettings | TablePlan)
        for field, who in CHANGED_BY[type(before)].items():
            if getattr(before, field) != getattr(after, field):
                yield f"{name}: {field.replace('_', ' ')}", who
        if isinstance(before, TablePlan) and isinstance(after, TablePlan):
            closing = {closes_on_drop(each.settings) for each in (before, after)}
            if len(closing) > 1:
                yield f"{name}: {CLOSE_ON_DROP}", ChangedBy.TWO


CLOSE_ON_DROP = "close on drop"


def closes_on_drop(settings: Iterable[str]) -> bool:
    """Return whether a sensor's drop closes the betting by these lines (A28)."""
    return not any(line.split() == ["close_on_drop", "off"] for line in settings)


def changes_of(where: str, old: _Part, new: _Part) -> tuple[str, ...]:
    """Return what becomes different of one part, from what to what."""
    return tuple(str(change) for _, change in _compared(where, old, new))


def named_table(name: str) -> str:
    return name if name.startswith("table ") else f"table {name}"


def differences(old: HousePlan, new: HousePlan) -> tuple[Difference, ...]:
    """Return what becomes different; raises `ImpossibleChange` where that can't be."""
    found = _compared("house", old.house, new.house)
    for name, before, after in _paired(old.tables, new.tables):
        found += _compared(named_table(name), before, after)
    for name, was, becomes in _paired(old.staff, new.staff):
        found += _compared(f"staff {name}", was, becomes)
    lasting = [f"can't change: {each}" for key, each in found if _is_lasting(key, each)]
    if lasting:
        raise ImpossibleChange("\n".join(lasting))
    return tuple(change for _, change in found)


def _is_lasting(key: str, change: Difference) -> bool:
    """Return whether a journal that has begun depends on it."""
    if key == "wheel":
        return WheelSource.VIRTUAL.value in {change.before, change.after}
    return key in {"money", "currency", "game"}


def _paired(
    old: Iterable[TablePlan | StaffPlan], new: Iterable[TablePlan | StaffPlan]
) -> list[tuple[str, _Part | None, _Part | None]]:
    """Return, by name, what the old plan has and what the new one has."""
    before = {each.name: each for each in old}
    after = {each.name: each for each in new}
    return [(name, before.get(name), after.get(name)) for name in {**before, **after}]


def _compared(
    where: str, old: _Part | None, new: _Part | None
) -> list[tuple[str, Difference]]:
    """Return the facts that differ, each by its key; one for something new or gone."""
    before, after = _facts(old), _facts(new)
    if old is None or new is None:
        return [("", Difference(where, _summary(before), _summary(after)))]
    changes = []
    for key in {**before, **after}:
        was, becomes = _fact(before, key), _fact(after, key)
        if was != becomes:
            changes.append((key, Difference(f"{where}: {key}", was, becomes)))
    return changes


def _fact(facts: _Facts, key: str) -> str:
    """Return what holds, also where the plan says nothing of it."""
    if key in facts:
        return facts[key]
    if key.startswith(("setting ", "authority ")):
        return "as usual"
    return "as *" if key.startswith("limits ") and "limits *" in facts else _NONE


def _summary(facts: _Facts) -> str:
    said = [f"{key} {fact}" for key, fact in facts.items() if fact != _NONE]
    return "; ".join(said) or _NONE


def _facts(part: _Part | None) -> _Facts:
    """Return every field as a label and a text; a table's terms line by line."""
    facts: dict[str, str] = {}
    for name in (each.name for each in fields(part)) if part else ():
        value = getattr(part, name)
        if name in _LINES:
            facts.update(map(_LINES[name], value))
        elif isinstance(value, Authority):
            facts.update(_authority_facts(value))
        elif isinstance(value, Thresholds):
            facts.update(map(partial(_threshold_fact, name, value), ThresholdAct))
        elif name != "name" or isinstance(part, HouseSettings):
            label = name.removesuffix("_seconds").replace("_", " ")
            facts[label] = _FORMATS.get(name, _written)(value)
    return facts


def _written(value: Any) -> str:
    match value:
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(_written, value)) or _NONE
    return _NONE if value is None else str(value)


def _limit_fact(line: str) -> tuple[str, str]:
    kind, minimum, maximum = line.split()
    return f"limits {kind}", f"{_short(minimum)}–{_short(maximum)}"


def _setting_fact(line: str) -> tuple[str, str]:
    """Return a cap for each wager type, and any other setting for the table."""
    name, *words = line.split()
    if name == "area_maximum":
        return f"setting {name} {words[0]}", _short(words[1])
    return f"setting {name}", " ".join(words)


def _authority_facts(authority: Authority) -> Iterator[tuple[str, str]]:
    """Yield what is not as usual."""
    for each in authority.acts:
        yield f"authority {each.act}", _written((*each.positions, *each.duties))
    if authority.never_together is not None:
        pairs = (" with ".join(pair) for pair in authority.never_together)
        yield "authority never_together", ", ".join(pairs) or _NONE


def _threshold_fact(
    name: str, thresholds: Thresholds, act: ThresholdAct
) -> tuple[str, str]:
    cents = thresholds.of(act)
    label = f"{_SUM_LABELS[name]} {act.value.replace('_', ' ')}"
    return label, _NONE if cents is None else _short(write_cents(cents))


def _short(amount: str) -> str:
    return amount.removesuffix(".00")


_SUM_LABELS = {"thresholds": "threshold", "sums_by_person": "sum by person"}
_LINES: Mapping[str, Callable[[str], tuple[str, str]]] = {
    "limits": _limit_fact,
    "settings": _setting_fact,
}
_FORMATS: Mapping[str, Callable[[Any], str]] = {
    "gaming_day_begins": lambda hour: f"{hour}:00",
    "countdown_seconds": lambda seconds: f"{seconds} seconds",
    "chips": lambda chips: ", ".join(_short(write_cents(cents)) for cents in chips),
}
