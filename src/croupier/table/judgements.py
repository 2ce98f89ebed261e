"""The parts of a judgement at a table: records, refusals, and who acts by itself."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from croupier.journal.events.codec import JournalEvent
from croupier.ledger.accounts import Entry
from croupier.rules import commands as do
from croupier.rules.buckets import changed
from croupier.rules.clause import Refusal, Rule
from croupier.rules.decisions import decide_act
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.rules.series import Recorded, apply_recorded
from croupier.table.state import TableState

SYSTEM = Person("system", Role.SYSTEM)
GENERATOR = Person("RNG", Role.RNG)


class TableRecord(NamedTuple):
    """An event, the round it belongs to, and its entries once they are posted."""

    round_number: int
    event: JournalEvent
    entries: tuple[Entry, ...] = ()


Judgement = tuple[TableRecord, ...] | Refusal


def table_records(records: tuple[Recorded, ...]) -> tuple[TableRecord, ...]:
    return tuple(TableRecord(record.round_number, record.event) for record in records)


def refuse_by(state: TableState, rule: Rule, reason: Reason) -> Refusal:
    """Refuse by the clause of the act that the table's own is part of."""
    return Refusal(state.series.game.clause(rule), reason)


def after(state: TableState, records: tuple[TableRecord, ...]) -> TableState:
    """Return the state with the rounds as these events of play leave them."""
    series = state.series
    for record in records:
        recorded = Recorded(record.round_number, cast(Any, record.event))
        series = apply_recorded(series, recorded)
    return changed(state, series=series)


def judge_act(
    state: TableState, people: tuple[Person, ...], command: do.Command
) -> Judgement:
    """Judge an act of play by the rules alone."""
    answer = decide_act(state.series, do.Act(people, command))
    return answer if isinstance(answer, Refusal) else table_records(answer)
