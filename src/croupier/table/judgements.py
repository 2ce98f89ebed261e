"""Parts of judgements at a table: records, refusals, and acts of play."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from croupier.journal.events.codec import JournalEvent
from croupier.ledger.accounts import Entry
from croupier.rules.buckets import changed
from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import Act, Command
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
    return Refusal(state.series.game.clause(rule), reason)


def after(state: TableState, records: tuple[TableRecord, ...]) -> TableState:
    """Return the state after these events of play; balances stay as they are."""
    series = state.series
    for record in records:
        recorded = Recorded(record.round_number, cast(Any, record.event))
        series = apply_recorded(series, recorded)
    return changed(state, series=series)


def judge_act(
    state: TableState, people: tuple[Person, ...], command: Command
) -> Judgement:
    answer = decide_act(state.series, Act(people, command))
    return answer if isinstance(answer, Refusal) else table_records(answer)


def judge_acts(
    state: TableState, *acts: tuple[tuple[Person, ...], Command]
) -> Judgement:
    """Judge each act after the ones before it; one refusal refuses all."""
    records: tuple[TableRecord, ...] = ()
    for people, command in acts:
        judged = judge_act(state, people, command)
        if isinstance(judged, Refusal):
            return judged
        records, state = (*records, *judged), after(state, judged)
    return records
