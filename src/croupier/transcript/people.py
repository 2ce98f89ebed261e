"""People: the part of an act's line before the colon."""

from __future__ import annotations

import re
from dataclasses import dataclass

from croupier.rules.notation import shown
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import did_you_mean
from croupier.transcript.reasons import TranscriptReason
from croupier.transcript.words import TranscriptError

_ROLES = {role.value: role for role in Role if role not in {Role.PLAYER, Role.CASHIER}}
_ALMOST = {name.casefold(): name for name in _ROLES}
_NAME = re.compile(r"[^\W_][\w .'-]{0,39}")


@dataclass(frozen=True, slots=True)
class Who:
    """The people of an act, and the Player it is done for."""

    people: tuple[Person, ...]
    player: str | None
    """Whose wager is meant: the Player's own, or whom staff place it for."""


def read_who(text: str, line: int) -> Who:
    """`Anna`, `Dealer for Ben`, `Ann acting Pit Manager`, `Dealer + Pit Supervisor`."""
    doers, is_for, player = text.partition(" for ")
    people = tuple(_read_person(part.strip(), line) for part in doers.split("+"))
    if is_for:
        return Who(people, read_name(player.strip(), line))
    first = people[0]
    return Who(people, first.name if first.role is Role.PLAYER else None)


def _read_person(text: str, line: int) -> Person:
    name, is_acting, position = text.partition(" acting ")
    if not is_acting:
        if text in _ROLES:
            return Person(text, _ROLES[text])
        return Person(read_name(text, line), Role.PLAYER)
    if position not in _ROLES:
        raise TranscriptError(
            TranscriptReason.NOT_A_POSITION(text=shown(position)), line
        )
    return Person(read_name(name, line), _ROLES[position], acting=True)


def read_name(text: str, line: int) -> str:
    """Read a Player's or a person's name, no position's."""
    almost = _ALMOST.get(text.casefold())
    if almost is not None:
        reason = TranscriptReason.NOT_A_PLAYERS_NAME(text=shown(text))
        raise TranscriptError(did_you_mean(reason, almost), line)
    ends_early = text.rpartition(" ")[2] in {"for", "acting"}
    if ends_early or not _NAME.fullmatch(text):
        raise TranscriptError(TranscriptReason.NOT_A_NAME(text=shown(text)), line)
    return text
