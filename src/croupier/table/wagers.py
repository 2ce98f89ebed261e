"""Wagers at a table: for the round that is meant, by a table that takes them now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.rules import commands as do
from croupier.rules.clause import Refusal, Rule
from croupier.rules.decisions import decide
from croupier.rules.operator import Person
from croupier.rules.refusals import Verdict
from croupier.rules.round import RoundOfPlay
from croupier.table import commands as ask
from croupier.table.interruption import judge_interrupted
from croupier.table.judgements import Judgement, TableRecord, judge_act, refuse_by
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def judge_wager(
    state: TableState, submission: ask.Submission, command: ask.WagerPart
) -> Judgement:
    """Judge a wager for the round that its sender names, where one is named (A39)."""
    series = state.series
    if not series.last:
        return _not_taken(state, submission, command) or judge_act(
            state, submission.people, command
        )
    verdict = decide_wager(state, submission, command, decide)
    if isinstance(verdict, Refusal):
        return verdict
    return tuple([TableRecord(series.last, event) for event in verdict])


def decide_wager(
    state: TableState,
    submission: ask.Submission,
    command: ask.WagerPart,
    decide_it: Callable[[RoundOfPlay, Person, Any], Verdict],
) -> Verdict:
    """Return the events of a wager in a round; `decide_it` judges it by the rules."""
    refusal = _not_taken(state, submission, command)
    if refusal is not None:
        return refusal
    sent = _as_sent(state, command, submission.round_number)
    verdict = decide_it(state.series.current, submission.people[0], sent)
    if isinstance(verdict, Refusal):
        return _if_cut_off(state, command, verdict)
    return verdict


def _not_taken(
    state: TableState, submission: ask.Submission, command: ask.WagerPart
) -> Refusal | None:
    """Refuse a wager of another round, or at a table that takes none now."""
    named = submission.round_number
    if named is not None and named != state.series.last:
        return _of_another_round(state, command, named)
    if state.interruption is not None:
        refusal = judge_interrupted(state, submission.people, command)
        assert isinstance(refusal, Refusal)
        return refusal
    if not state.is_open:
        return refuse_by(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    return None


def _as_sent(
    state: TableState, command: ask.WagerPart, named: int | None
) -> ask.WagerPart:
    """Add whose stay the wager is of (A37), and the round that was named (A39)."""
    if isinstance(command, do.PlaceWager):
        stay = command.stay
        if command.electronic and command.player:
            stay = state.stay_at(command.player)
        if stay != command.stay or named is not None:
            return replace(command, stay=stay, for_round=named)
    elif isinstance(command, do.IncreaseWager) and named is not None:
        return replace(command, for_round=named)
    return command


def _of_another_round(state: TableState, command: ask.WagerPart, named: int) -> Refusal:
    """Register nothing: a stake never moves to another round (5.2.2)."""
    rule = Rule.UNREGISTERED_RETURNED
    if not state.series.game.provides(rule):
        withdraws = isinstance(command, do.WithdrawWager)
        rule = Rule.LATE_WITHDRAWAL if withdraws else Rule.LATE_WAGER
    return refuse_by(state, rule, TableReason.WAGER_OF_ANOTHER_ROUND(named=named))


def _if_cut_off(state: TableState, command: ask.WagerPart, refusal: Refusal) -> Refusal:
    """Refuse by 5.2.2 what came after the close from a terminal that was lost."""
    series, rule = state.series, Rule.UNREGISTERED_RETURNED
    if not series.last or not series.current.facts.closed:
        return refusal
    terminal = command.terminal if isinstance(command, do.PlaceWager) else None
    lost = terminal in series.current.facts.interrupted_terminals
    if not lost or not series.game.provides(rule):
        return refusal
    return refuse_by(state, rule, TableReason.NOT_REGISTERED_IN_TIME())
