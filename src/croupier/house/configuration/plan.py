"""What a house is planned to be: its money, its day, its tables and its staff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeVar

from croupier.rules.cents import write_cents
from croupier.rules.operator import Role
from croupier.table.house import HouseSettings


@unique
class Money(Enum):
    """What is played for; the two kinds never share a house."""

    DEMONSTRATION = "demonstration"
    REAL = "real"


@unique
class WheelSource(Enum):
    """Where a table's outcomes come from."""

    CONSOLE = "console"
    """The Dealer keys the outcome and confirms it."""
    SENSOR = "sensor"
    """A wheel device posts what it saw; the Dealer confirms."""
    VIRTUAL = "virtual"
    """Drawn by the house: for demonstration and practice, no document's wheel."""


@unique
class Lights(Enum):
    """Who says that a Bonus Number is lit."""

    DEVICE = "device"
    DEALER = "dealer"


@unique
class Duty(Enum):
    """What staff do beside the documents' positions."""

    CASHIER = "cashier"
    INSPECTOR = "inspector"
    ADMINISTRATOR = "administrator"
    ATTENDANT = "attendant"


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """One table: its game, its wheel, and the terms it is played on."""

    name: str
    """Also the name of its stream in the journal."""
    game: str
    wheel: WheelSource
    lights: Lights | None = None
    """None where the game draws no Bonus Numbers."""
    countdown_seconds: int = 20
    """From “Place your bets” to “No more bets”; 0 leaves it to the Dealer."""
    limits: tuple[str, ...] = ()
    """As `rules.terms.read_limits` reads them."""
    settings: tuple[str, ...] = ()
    """As `rules.terms.read_settings` reads them."""
    chips: tuple[int, ...] = (100, 500, 2_500, 10_000, 50_000, 100_000)
    """The denominations that the rail offers, in cents, lowest first."""
    seats: int = 8
    """How many terminals it has."""
    automatic_dealer: bool = False
    rules_file: str | None = None
    """The operator's approved rules document: a path, from the house file's folder."""


@dataclass(frozen=True, slots=True)
class StaffPlan:
    """One person: the documents' positions they hold, and their further duties."""

    name: str
    positions: tuple[Role, ...] = ()
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HousePlan:
    """A house as its file states it."""

    name: str
    operator: str
    """Whose house it is, as shown; each game knows its own operator."""
    money: Money
    currency: str
    time_zone: str
    gaming_day_begins: int = 6
    """The hour at which a gaming day begins."""
    voucher_days: int = 30
    idle_minutes: int = 15
    """A staff session that does nothing ends after these."""
    proposal_minutes: int = 10
    """A two-person act that nobody confirms expires after these."""
    tables: tuple[TablePlan, ...] = ()
    staff: tuple[StaffPlan, ...] = ()

    @property
    def settings(self) -> HouseSettings:
        """What its tables need to know of it."""
        return HouseSettings(
            currency=self.currency,
            time_zone=self.time_zone,
            gaming_day_begins=self.gaming_day_begins,
            voucher_days=self.voucher_days,
        )


class ImpossibleChange(Exception):
    """What a house began with and keeps; the message has a line for each change."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that one plan has otherwise than another."""

    where: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}: {self.before} → {self.after}"


def differences(old: HousePlan, new: HousePlan) -> tuple[Difference, ...]:
    """What becomes different; raises `ImpossibleChange` where that can't be."""
    found = _compared("house", _of_house(old), _of_house(new))
    for name, before, after in _paired(old.tables, new.tables):
        where = name if name.startswith("table ") else f"table {name}"
        found += _compared(where, _of_table(before), _of_table(after))
    for name, was, becomes in _paired(old.staff, new.staff):
        found += _compared(f"staff {name}", _of_person(was), _of_person(becomes))
    lasting = [f"can't change: {each}" for key, each in found if _is_lasting(key, each)]
    if lasting:
        raise ImpossibleChange("\n".join(lasting))
    return tuple(change for _, change in found)


_NONE = "none"
_Facts = Mapping[str, str]
_Part = TypeVar("_Part", TablePlan, StaffPlan)


def _is_lasting(key: str, change: Difference) -> bool:
    """Whether a journal that has begun depends on it."""
    if key == "wheel":
        return WheelSource.VIRTUAL.value in {change.before, change.after}
    return key in {"money", "currency", "game"}


def _paired(
    old: Iterable[_Part], new: Iterable[_Part]
) -> list[tuple[str, _Part | None, _Part | None]]:
    """By name, what the old plan has and what the new one."""
    before = {each.name: each for each in old}
    after = {each.name: each for each in new}
    return [(name, before.get(name), after.get(name)) for name in {**before, **after}]


def _compared(
    where: str, before: _Facts, after: _Facts
) -> list[tuple[str, Difference]]:
    """The facts that differ, each by its key; none for something new or gone."""
    if not before or not after:
        return [("", Difference(where, _summary(before), _summary(after)))]
    changes = []
    for key in {**before, **after}:
        was, becomes = _fact(before, key), _fact(after, key)
        if was != becomes:
            changes.append((key, Difference(f"{where}: {key}", was, becomes)))
    return changes


def _fact(facts: _Facts, key: str) -> str:
    """What holds, also where nothing is said of it."""
    if key in facts:
        return facts[key]
    if key.startswith("setting "):
        return "as usual"
    return "as *" if key.startswith("limits ") and "limits *" in facts else _NONE


def _summary(facts: _Facts) -> str:
    said = [f"{key} {fact}" for key, fact in facts.items() if fact != _NONE]
    return "; ".join(said) or _NONE


def _of_house(plan: HousePlan) -> _Facts:
    return {
        "name": plan.name,
        "operator": plan.operator,
        "money": plan.money.value,
        "currency": plan.currency,
        "time zone": plan.time_zone,
        "gaming day begins": f"{plan.gaming_day_begins}:00",
        "voucher days": str(plan.voucher_days),
        "idle minutes": str(plan.idle_minutes),
        "proposal minutes": str(plan.proposal_minutes),
    }


def _of_table(table: TablePlan | None) -> _Facts:
    if table is None:
        return {}
    return {
        "game": table.game,
        "wheel": table.wheel.value,
        "lights": table.lights.value if table.lights else _NONE,
        "countdown": f"{table.countdown_seconds} seconds",
        "chips": ", ".join(_short(write_cents(cents)) for cents in table.chips),
        "seats": str(table.seats),
        "automatic dealer": "yes" if table.automatic_dealer else "no",
        "rules file": table.rules_file or _NONE,
        **dict(map(_limit_fact, table.limits)),
        **dict(map(_setting_fact, table.settings)),
    }


def _of_person(person: StaffPlan | None) -> _Facts:
    if person is None:
        return {}
    return {
        "positions": ", ".join(each.value for each in person.positions) or _NONE,
        "duties": ", ".join(each.value for each in person.duties) or _NONE,
    }


def _limit_fact(line: str) -> tuple[str, str]:
    kind, minimum, maximum = line.split()
    return f"limits {kind}", f"{_short(minimum)}–{_short(maximum)}"


def _setting_fact(line: str) -> tuple[str, str]:
    """A cap is one for each wager type; any other setting is one for the table."""
    name, *words = line.split()
    if name == "area_maximum":
        return f"setting {name} {words[0]}", _short(words[1])
    return f"setting {name}", " ".join(words)


def _short(amount: str) -> str:
    return amount.removesuffix(".00")
