"""A house opened on a journal: seeded from its file, or as it was left."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from secrets import token_hex

from croupier.house.applying import (
    NewTerms,
    apply_plan,
    changed_terms,
    check_may_apply,
    current_plan,
    seed,
)
from croupier.house.authority import caller
from croupier.house.file import read_house
from croupier.house.passwords import set_password
from croupier.house.plan import Difference, HousePlan, Money, differences
from croupier.house.record import Clock, HouseRecord, NotDone, read_house_state
from croupier.house.rules_files import attach_rules
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.rules.terms import write_limits, write_settings
from croupier.table import HouseSettings, Refused, Submission, Table
from croupier.table.commands import ChangeTerms
from croupier.table.replay import recover

SEEDED_BY = "house file"
DEMONSTRATION_PASSWORD = "demonstration"  # noqa: S105 - it is printed for everybody


def demonstration_plan() -> HousePlan:
    """A table of each game, virtual wheels, automatic dealers: ready to play."""
    return read_house(demonstration_text(), "demonstration.toml")


def demonstration_text() -> str:
    return (files("croupier.house") / "demonstration.toml").read_text("utf-8")


def has_house(store: Store) -> bool:
    return store.head(HOUSE_STREAM) is not None and (
        read_house_state(store).defined is not None
    )


def prepare(
    store: Store,
    clock: Clock,
    plan: HousePlan | None,
    folder: Path | None = None,
) -> dict[str, NewTerms]:
    """A house that can be opened; the terms that its new tables begin with.

    The rules files that the plan names are looked for in `folder`, and attached.
    Raises `NotDone` where there is no house, or another than the file's.
    """
    terms = _prepare_house(store, clock, plan)
    if folder is not None and plan is not None:
        attach_rules(HouseRecord(store, clock), folder, SEEDED_BY)
    return terms


def _prepare_house(
    store: Store, clock: Clock, plan: HousePlan | None
) -> dict[str, NewTerms]:
    if not has_house(store):
        if plan is None:
            raise NotDone("this journal has no house yet: give it a house file")
        record = HouseRecord(store, clock)
        seed(record, plan, SEEDED_BY)
        if plan.money is Money.DEMONSTRATION:
            for member in plan.staff:
                set_password(record, SEEDED_BY, member.name, DEMONSTRATION_PASSWORD)
        return _terms(plan)
    if plan is None:
        return {}
    changed = differences(plan_of(store, _terms(plan)), plan)
    if changed:
        lines = "\n".join(f"  {each}" for each in changed)
        raise NotDone(f"the house differs from its file:\n{lines}")
    return _terms(plan)


def plan_of(store: Store, unopened: Mapping[str, NewTerms] | None = None) -> HousePlan:
    """The house as it stands; `unopened` has the terms of tables not yet begun."""
    state = read_house_state(store)
    terms = dict(unopened or {})
    for name in state.tables:
        if store.head(name) is not None:
            series = recover(store, name, HouseSettings()).state.series
            limits, settings = write_limits(series.limits), series.settings
            terms[name] = NewTerms(limits, write_settings(settings))
    return current_plan(state, terms)


def apply_file(
    store: Store, clock: Clock, plan: HousePlan, by: str
) -> tuple[Difference, ...]:
    """An edited file, recorded as the act of somebody of the staff."""
    record = HouseRecord(store, clock)
    person = caller(record.state, by, clock())
    current = plan_of(store, _terms(plan))
    terms = changed_terms(plan, current)
    check_may_apply(person, plan, current)
    changed = apply_plan(record, plan, current, by)
    for name, new in terms.items():
        table = Table(store, name, clock=clock, house=record.settings)
        who = person.person(table.state.series.game, None, deals=False)
        command = ChangeTerms(new.limits, new.settings)
        [answer] = table.handle([Submission(f"file:{token_hex(8)}", (who,), command)])
        if isinstance(answer, Refused):
            raise NotDone(f"{name}: {answer.refusal.reason}")
    return changed


def _terms(plan: HousePlan) -> dict[str, NewTerms]:
    return {table.name: NewTerms(table.limits, table.settings) for table in plan.tables}
