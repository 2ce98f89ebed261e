"""Reading `[authority]` of a house file: who may do what, and who may not be both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.house.configuration.faults import Faults, said
from croupier.house.people.authority import (
    HOLDINGS,
    POSITIONS,
    HouseAct,
    never_both,
)
from croupier.journal.events.plan import ActHolders, Authority, Duty

_PATH = "authority"
_NEVER_TOGETHER = "never_together"
_ACTS = tuple(act.name.lower() for act in HouseAct)


def read_authority(faults: Faults, given: object) -> Authority:
    """Return the table as far as it is right; what it leaves out is as usual."""
    if not isinstance(given, dict):
        faults.note(_PATH, f"must be a table, not {said(given)}")
        return Authority()
    faults.check_keys(_PATH, given, (*_ACTS, _NEVER_TOGETHER))
    acts = tuple(
        _holders(act, _read_words(faults, f"{_PATH}.{act}", given[act]))
        for act in _ACTS
        if act in given
    )
    if _NEVER_TOGETHER not in given:
        return Authority(acts=acts)
    pairs = _read_pairs(faults, f"{_PATH}.{_NEVER_TOGETHER}", given[_NEVER_TOGETHER])
    return Authority(acts=acts, never_together=pairs)


def _holders(act: str, words: set[str]) -> ActHolders:
    return ActHolders(
        act,
        tuple(role for role in POSITIONS if role.value in words),
        tuple(duty for duty in Duty if duty.value in words),
    )


def _read_words(faults: Faults, path: str, value: object) -> set[str]:
    """Return the positions and duties of a list."""
    words: set[str] = set()
    for where, word in faults.items(path, value):
        if word not in HOLDINGS:
            choose = ", ".join(HOLDINGS)
            faults.note(where, f"can't be {said(word)}; choose {choose}")
        elif word in words:
            faults.note(where, f"{word} is named twice")
        else:
            words.add(word)
    return words


def _read_pairs(
    faults: Faults, path: str, value: object
) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for where, each in faults.items(path, value):
        named = _read_words(faults, where, each)
        if len(named) == 2:
            one, other = (word for word in HOLDINGS if word in named)
            pairs.append((one, other))
        elif isinstance(each, list):
            faults.note(where, 'must be a pair, such as ["cashier", "inspector"]')
    return tuple(dict.fromkeys(pairs))


def note_never_together(
    faults: Faults, authority: Authority, staff: Iterable[dict[str, Any]]
) -> None:
    """Note whoever holds two of which nobody holds both."""
    for place, member in enumerate(staff):
        held = (*member.get("positions", ()), *member.get("duties", ()))
        pair = never_both(authority, held)
        if pair is not None:
            sentence = f"nobody is both {pair[0]} and {pair[1]} (authority)"
            faults.note(f"staff[{place}]", sentence)
