"""No act of two people is done by fewer than two humans, in whatever order.

All orders of up to six steps of four people are explored: an account is set or opened
by two, a password is chosen, an owner is vouched for, an act is proposed and confirmed,
the day is closed. The house's own functions decide each step, and its own fold makes
the next state. Humans are the model's: who knows which password, and who typed it.

What is assumed: a human types the passwords that they know; a manager who vouches is
attentive, and vouches for nobody who has another account. What a manager and a setter
who collude can do is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

import pytest

from croupier.house.people import limited_accounts, staff
from croupier.house.people.authority import caller
from croupier.house.records import house_state
from croupier.house.records.house_record import NotDone
from croupier.house.records.house_state import HouseState, LogOnAccount, apply
from croupier.journal.events import house as house_events
from croupier.journal.events.plan import DEFAULT_HOUSE, Money, StaffPlan
from croupier.journal.events.table import GamingDayClosed
from croupier.journal.events.two_person_acts import (
    PasswordSetting,
    StaffAct,
    StaffDefinition,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.ledger.commands import Adjust
from croupier.rules.operator import Person, Role

STEPS = 6
FOUR = ("A", "B", "C", "D")
NEW = "E"
"""Whom two of them can let in."""
MANAGES = (Role.GAMING_SHIFT_MANAGER,)
ADJUST = Adjust("seat", 1, "why")


@dataclass(frozen=True)
class World:
    """The house, and what humans know of it. A human has a small letter."""

    state: HouseState
    knows: tuple[tuple[str, str], ...]
    """Accounts, and each human who knows the password of one."""
    proposer: str = ""
    """The human who proposed the act that waits."""
    met: int = 0
    """How many of the four have had a part: they are alike until then."""

    @property
    def key(self) -> object:
        accounts = tuple(
            (name, each.no_vouchers) for name, each in self.state.accounts.items()
        )
        waits = tuple(each.by for each in self.state.proposals.values())
        day = self.state.closed_day
        return accounts, waits, day, self.knows, self.proposer, self.met

    def after(self, *events: house_events.HouseEvent | GamingDayClosed) -> World:
        state = self.state
        for event in events:
            state = apply(state, event, 0)
        proposer = self.proposer if state.proposals else ""
        return replace(self, state=state, proposer=proposer)

    def told(self, account: str, *humans: str) -> World:
        others = {each for each in self.knows if each[0] != account}
        new = {(account, human) for human in humans}
        return replace(self, knows=tuple(sorted(others | new)))

    def humans_of(self, account: str) -> list[str]:
        """The humans who can do more than choose a password with this account."""
        if account not in self.state.staff:
            return []
        try:
            limited_accounts.check_not_limited(self.state, account)
        except NotDone:
            return []
        return [human for known, human in self.knows if known == account]

    def seen(self, *accounts: str) -> World | None:
        """The world that has met these; None if another order stands for it."""
        met = self.met
        for each in accounts:
            if each == FOUR[min(met, 3)] and met < 4:
                met += 1
            elif each in FOUR[met:]:
                return None
        return replace(self, met=met)


@dataclass(frozen=True)
class Step:
    words: str
    before: World
    events: tuple[house_events.HouseEvent | GamingDayClosed, ...]
    by_one: bool = False
    """Whether one human did what takes two."""
    now_knows: tuple[str, ...] = ()
    """An account, and the humans who know its password from now on."""
    proposer: str | None = None

    @property
    def after(self) -> World:
        world = self.before.after(*self.events)
        if self.now_knows:
            world = world.told(*self.now_knows)
        return (
            world if self.proposer is None else replace(world, proposer=self.proposer)
        )


def beginning() -> World:
    house = replace(DEFAULT_HOUSE, money=Money.REAL)
    plans = {name: StaffPlan(name, MANAGES) for name in FOUR}
    accounts = {name: LogOnAccount(password=name) for name in FOUR}
    state = HouseState(
        house=house,
        staff=MappingProxyType(plans),
        accounts=MappingProxyType(accounts),
    )
    return World(state, tuple((name, name.lower()) for name in FOUR))


def steps(world: World) -> Iterator[Step]:
    yield from settings(world)
    yield from choices(world)
    yield from vouchings(world)
    yield from proposals(world)
    if world.state.closed_day is None:
        closed = GamingDayClosed(Person("A", MANAGES[0]), "2026-01-01", "", "{}")
        yield Step("day closed", world, (closed,))


def last_steps(world: World) -> Iterator[Step]:
    """Steps that could break the law; after the last one nothing else matters."""
    yield from settings(world, by_one=True)
    if world.proposer:
        yield from proposals(world)


def pairs(world: World) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Two accounts, or one twice, and who uses them; their order changes nothing."""
    for first, second in combinations_with_replacement((*FOUR, NEW), 2):
        yield from product(
            ((first, each) for each in world.humans_of(first)),
            ((second, each) for each in world.humans_of(second)),
        )


def settings(world: World, *, by_one: bool = False) -> Iterator[Step]:
    for (first, one), (second, other) in pairs(world):
        if by_one and one != other:
            continue
        for act in acts(world):
            met = world.seen(first, second, act.name)
            if met is None:
                continue
            given = house_events.Proposed(1, first, "", False, HOUSE_STREAM, act, (), 0)
            try:
                events = staff.events_by_two(world.state, given, second)
            except NotDone:
                continue
            words = f"{one} as {first} and {other} as {second}: {act}"
            told = (act.name, one, other)
            yield Step(words, met, events, by_one=one == other, now_knows=told)


def acts(world: World) -> Iterator[StaffAct]:
    """The settings of each account; a temporary password is known to both setters."""
    yield StaffDefinition(NEW, MANAGES, (), "temporary")
    for name in (*FOUR, NEW):
        yield PasswordSetting(name, "temporary")


def choices(world: World) -> Iterator[Step]:
    for account in (*FOUR, NEW):
        for human in world.humans_of(account):
            met = world.seen(account)
            if met is not None:
                changed = (house_events.PasswordSet(account, account, "own"),)
                told = (account, human)
                yield Step(f"{human} changed {account}", met, changed, now_knows=told)


def vouchings(world: World) -> Iterator[Step]:
    for account, voucher in permutations(world.state.staff, 2):
        by = caller(world.state, voucher, 0)
        met = world.seen(account, voucher)
        try:
            limited_accounts.check_voucher(world.state, by, account)
        except NotDone:
            continue
        if met is None:
            continue
        events = (
            house_events.PasswordSet(account, account, "own"),
            house_events.AccountVouched(voucher, account),
        )
        for vouches, owner in product(known(world, voucher), map(str.lower, FOUR)):
            if may_be_owner(world, account, owner, vouches):
                words = f"{vouches} as {voucher} vouched for {owner} as {account}"
                yield Step(words, met, events, now_knows=(account, owner))


def known(world: World, account: str) -> list[str]:
    return [human for each, human in world.knows if each == account]


def may_be_owner(world: World, account: str, owner: str, vouches: str) -> bool:
    """A human alone types what they know; another is looked at by who vouches."""
    if owner == vouches:
        return owner in known(world, account)
    others = {*FOUR, NEW} - {account}
    return all(owner not in world.humans_of(each) for each in others)


def proposals(world: World) -> Iterator[Step]:
    waiting = world.state.proposals.get(1)
    for account in (*FOUR, NEW):
        for human in world.humans_of(account):
            met = world.seen(account)
            if met is None:
                continue
            if waiting is None:
                event = house_events.Proposed(1, account, "", False, "t", ADJUST, (), 0)
                words = f"{human} proposed as {account}"
                yield Step(words, met, (event,), proposer=human)
                continue
            try:
                limited_accounts.check_are_two(world.state, waiting.by, account)
            except NotDone:
                continue
            given = house_events.ConfirmationGiven(1, account, "", False)
            done = (given, house_events.ProposalConfirmed(1, account, ""))
            words = f"{human} confirmed as {account}"
            yield Step(words, met, done, by_one=human == world.proposer)


def broken(most: int) -> list[str] | None:
    """The shortest way to an act of two people by one human, or None."""
    worlds: list[tuple[World, list[str]]] = [(beginning(), [])]
    seen: set[object] = set()
    for number in range(1, most + 1):
        found = []
        for world, way in worlds:
            for step in steps(world) if number < most else last_steps(world):
                if step.by_one:
                    return [*way, step.words]
                if number < most and (key := (after := step.after).key) not in seen:
                    seen.add(key)
                    found.append((after, [*way, step.words]))
        worlds = found
    return None


def test_no_act_of_two_people_is_done_by_fewer_than_two_humans() -> None:
    assert broken(STEPS) is None


@contextmanager
def planted(module: ModuleType, law: str, weaker: str) -> Iterator[None]:
    """Let the module's functions run its own source with one of its laws weakened."""
    source = Path(str(module.__file__)).read_text("utf-8")
    assert source.count(law) == 1, law
    changed: dict[str, Any] = {"__name__": module.__name__}
    exec(compile(source.replace(law, weaker), law, "exec"), changed)
    codes = {
        each: each.__code__
        for each in vars(module).values()
        if isinstance(each, FunctionType) and each.__module__ == module.__name__
    }
    for each in codes:
        each.__code__ = changed[each.__name__].__code__
    try:
        yield
    finally:
        for each, code in codes.items():
            each.__code__ = code


WEAKER = {
    "one act": (
        limited_accounts,
        "    if is_limited(state, name):\n",
        "    if False:\n",
    ),
    "no part in the setting": (
        limited_accounts,
        "{name, *state.account(name).no_vouchers}",
        "{name}",
    ),
    "withdraws": (
        limited_accounts,
        "AccountSet(by, name, what, second), *withdrawn",
        "(AccountSet(by, name, what, second),)",
    ),
    "opening counts": (
        staff,
        "    if member.name in state.staff:\n        return (event,)\n",
        "    return (event,)\n",
    ),
    "two people": (staff, "    check_are_two(state, by, second)\n", ""),
    "never the same": (limited_accounts, "    if one == other:\n", "    if False:\n"),
    "cannot vouch": (
        house_state,
        "    parts = {event.by, event.second or event.by, *limited}\n",
        "    parts = {event.by, event.second or event.by}\n",
    ),
}


@pytest.mark.parametrize("law", WEAKER)
def test_without_any_of_its_laws_one_human_does_it_alone(law: str) -> None:
    with planted(*WEAKER[law]):
        assert broken(STEPS) is not None
