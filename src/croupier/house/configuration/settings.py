"""The table of settings of a house: type, people that a change takes, text.

House files are read by this table, and plans compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta

from croupier.house.configuration.faults import whole
from croupier.house.people.authority import POSITIONS
from croupier.journal.events.plan import (
    Authority,
    HouseSettings,
    Lights,
    StaffPlan,
    TablePlan,
    ThresholdAct,
    Thresholds,
    WheelSource,
)
from croupier.rules.cents import write_cents

MOST_CHIPS = 12
NONE = "none"
Facts = Mapping[str, str]
_WORDS = tuple(role.value for role in POSITIONS)
_POSITIONS = list[Literal[_WORDS]]  # type: ignore[valid-type]
Title = Annotated[str, Meta(min_length=1, max_length=80)]
HelpText = Annotated[str, Meta(min_length=1, max_length=500)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
FileName = Annotated[str, Meta(min_length=1, max_length=250)]
Currency = Annotated[
    str,
    Meta(pattern="^[A-Z]{3}$", description="three capital letters, such as SGD"),
]
Video = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^(https://[A-Za-z0-9.-]+(:[1-9][0-9]{0,4})?)?/[^/\s\\][^\s\\]*$",
        description="an https address, or a path at this house such as /wheel.mp4",
    ),
]


@unique
class ChangedBy(Enum):
    """The people that a change of a setting takes over the network."""

    ONE = 1
    TWO = 2
    MACHINE = 3
    """It can be changed only at the machine."""


def written(value: Any) -> str:
    """Return a value of a plan as text."""
    match value:
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(written, value)) or NONE
    return NONE if value is None else str(value)


def short(cents: int) -> str:
    return write_cents(cents).removesuffix(".00")


def _one_fact(write: Callable[[Any], str], name: str, value: Any) -> Facts:
    return {name.removesuffix("_seconds").replace("_", " "): write(value)}


def _limits(_: str, lines: Iterable[str]) -> Facts:
    rows = (line.replace(".00", "").split() for line in lines)
    return {f"limits {kind}": f"{low}–{high}" for kind, low, high in rows}


def _settings(_: str, lines: Iterable[str]) -> Facts:
    """Return the maximum of each wager type's areas, and the other settings."""
    facts = {}
    for name, *words in map(str.split, lines):
        if name == "area_maximum":
            facts[f"setting {name} {words[0]}"] = words[1].removesuffix(".00")
        else:
            facts[f"setting {name}"] = " ".join(words)
    return facts


def _authority(_: str, authority: Authority) -> Facts:
    facts = {
        f"authority {each.act}": written((*each.positions, *each.duties))
        for each in authority.acts
    }
    if authority.never_together is not None:
        pairs = tuple(map(" with ".join, authority.never_together))
        facts["authority never_together"] = written(pairs)
    return facts


def _sums(label: str, _: str, thresholds: Thresholds) -> Facts:
    sums = ((act.value.replace("_", " "), thresholds.of(act)) for act in ThresholdAct)
    return {
        f"{label} {act}": NONE if cents is None else short(cents) for act, cents in sums
    }


_AS_IT_IS = partial(_one_fact, written)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a house file."""

    changed_by: ChangedBy
    kind: Any = None
    """The type of its value in the file, with bounds; None for the plan's own type."""
    facts: Callable[[str, Any], Facts] = _AS_IT_IS
    """Returns labels and texts for a name and a value."""
    lasts: Callable[[Any, Any], bool] = lambda *_: False
    """Returns whether a journal forbids the change from one value to the other."""


def _always(*_: object) -> bool:
    return True


def _is_virtual(*sources: WheelSource) -> bool:
    return WheelSource.VIRTUAL in sources


_ONE, _TWO, _MACHINE = ChangedBy
SETTINGS: Mapping[type[Any], Mapping[str, Setting]] = {
    type(None): {},
    HouseSettings: {
        "name": Setting(_ONE, Title),
        "operator": Setting(_ONE, Title),
        "money": Setting(_TWO, lasts=_always),
        "currency": Setting(_TWO, Currency, lasts=_always),
        "time_zone": Setting(_TWO),
        "gaming_day_begins": Setting(
            _TWO, whole(0, 23), partial(_one_fact, lambda hour: f"{hour}:00")
        ),
        "voucher_days": Setting(_TWO, whole(1, 3650)),
        "idle_minutes": Setting(_TWO, whole(1, 1440)),
        "proposal_minutes": Setting(_TWO, whole(1, 1440)),
        "autoplay": Setting(_TWO),
        "reality_check_minutes": Setting(_TWO, whole(0, 1440)),
        "help_text": Setting(_TWO, HelpText),
        "second_factor": Setting(_MACHINE),
        "thresholds": Setting(_MACHINE, facts=partial(_sums, "threshold")),
        "sums_by_person": Setting(_MACHINE, facts=partial(_sums, "sum by person")),
        "authority": Setting(_MACHINE, facts=_authority),
    },
    TablePlan: {
        "name": Setting(_ONE, Name, facts=lambda *_: {}),
        "game": Setting(_TWO, FileName, lasts=_always),
        "wheel": Setting(_TWO, lasts=_is_virtual),
        "unapproved_game": Setting(_TWO),
        "lights": Setting(_TWO, Lights),
        "countdown_seconds": Setting(
            _TWO, whole(0, 600), partial(_one_fact, lambda count: f"{count} seconds")
        ),
        "chips": Setting(
            _ONE,
            Annotated[list[Any], Meta(min_length=1, max_length=MOST_CHIPS)],
            partial(_one_fact, lambda chips: ", ".join(map(short, chips))),
        ),
        "seats": Setting(_ONE, whole(1, 1000)),
        "automatic_dealer": Setting(_TWO),
        "rounds_per_hour": Setting(_TWO, whole(1, 3600)),
        "rules_file": Setting(_MACHINE, FileName),
        "video": Setting(_TWO, Video),
        # One person may change these: all Players see them, and they are in force with
        # the next round only. `close_on_drop` takes two people: see `closes_on_drop`.
        "limits": Setting(_ONE, dict[str, Any], _limits),
        "settings": Setting(_ONE, dict[str, Any], _settings),
    },
    StaffPlan: {
        "name": Setting(_TWO, Name, facts=lambda *_: {}),
        "positions": Setting(_TWO, _POSITIONS),
        "duties": Setting(_TWO),
    },
}
"""A change that weakens a control, or changes money or play, takes two people."""
CLOSE_ON_DROP = "close on drop"


def closes_on_drop(settings: Iterable[str]) -> bool:
    """Return whether a sensor's drop closes the betting (A28)."""
    return not any(line.split() == ["close_on_drop", "off"] for line in settings)
