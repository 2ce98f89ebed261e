"""Wagers at a table, judged for the round that their sender names.

While betting is open, a Player's placing changes only the board and the balances. Most
commands are placings and many share one commit, so a run of placings changes a draft of
the state in place. Laws of a draft:
- it has one owner; others see it only frozen;
- it equals the state that `state.advance` makes of the same events, one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from croupier.journal.events.codec import encode
from croupier.ledger.accounts import Account, Entry
from croupier.rules.board import DraftBoard
from croupier.rules.buckets import DraftSums, changed
from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import IncreaseWager, PlaceWager, WithdrawWager
from croupier.rules.decisions import PlacingJudge, decide
from croupier.rules.events import WagerPlaced
from croupier.rules.operator import Person, Role
from croupier.rules.refusals import Verdict
from croupier.rules.round import Phase, RoundOfPlay, placed_wager
from croupier.table.batches import Entries, post_placing
from croupier.table.cashier import refuse
from croupier.table.commands import Submission, WagerPart, has_sound_texts, is_plain
from croupier.table.interruption import judge_interrupted
from croupier.table.judgements import Judgement, TableRecord, judge_act, refuse_by
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def judge_wager(
    state: TableState, submission: Submission, command: WagerPart
) -> Judgement:
    """Judge a wager for the round that its sender names, if any (A39)."""
    last, people = state.series.last, submission.people
    if not last:
        refusal = _not_taken(state, submission, command)
        return refusal or judge_act(state, people, command)
    verdict = decide_wager(state, submission, command, decide)
    if isinstance(verdict, Refusal):
        return verdict
    return tuple([TableRecord(last, event) for event in verdict])


def decide_wager(
    state: TableState,
    submission: Submission,
    command: WagerPart,
    decide_it: Callable[[RoundOfPlay, Person, Any], Verdict],
) -> Verdict:
    """Return the events of a wager in the round, which `decide_it` judges."""
    refusal = _not_taken(state, submission, command)
    if refusal is not None:
        return refusal
    sent = _as_sent(state, command, submission.round_number)
    verdict = decide_it(state.series.current, submission.people[0], sent)
    if isinstance(verdict, Refusal):
        return _if_cut_off(state, command, verdict)
    return verdict


def _not_taken(
    state: TableState, submission: Submission, command: WagerPart
) -> Refusal | None:
    """Refuse a wager of another round, or at a table that takes none now."""
    named = submission.round_number
    if named is not None and named != state.series.last:
        return _of_another_round(state, command, named)
    if state.is_interrupted:
        refusal = judge_interrupted(state, submission.people, command)
        assert isinstance(refusal, Refusal)
        return refusal
    if not state.is_open:
        return refuse_by(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    return None


def _as_sent(state: TableState, command: WagerPart, named: int | None) -> WagerPart:
    """Return the wager with its stay (A37) and the round that was named (A39)."""
    if isinstance(command, PlaceWager):
        stay = command.stay
        if command.electronic and command.player:
            stay = state.stay_at(command.player)
        if stay != command.stay or named is not None:
            return replace(command, stay=stay, for_round=named)
    elif isinstance(command, IncreaseWager) and named is not None:
        return replace(command, for_round=named)
    return command


def _of_another_round(state: TableState, command: WagerPart, named: int) -> Refusal:
    """Refuse a wager of another round: a stake never moves to one (5.2.2)."""
    rule = Rule.UNREGISTERED_RETURNED
    if not state.series.game.provides(rule):
        withdraws = isinstance(command, WithdrawWager)
        rule = Rule.LATE_WITHDRAWAL if withdraws else Rule.LATE_WAGER
    return refuse_by(state, rule, TableReason.WAGER_OF_ANOTHER_ROUND(named=named))


def _if_cut_off(state: TableState, command: WagerPart, refusal: Refusal) -> Refusal:
    """Refuse by 5.2.2 a wager that a lost terminal sent after the close."""
    series, rule = state.series, Rule.UNREGISTERED_RETURNED
    if not series.last or not series.current.facts.closed:
        return refusal
    terminal = command.terminal if isinstance(command, PlaceWager) else None
    lost = terminal in series.current.facts.interrupted_terminals
    if not lost or not series.game.provides(rule):
        return refusal
    return refuse_by(state, rule, TableReason.NOT_REGISTERED_IN_TIME())


class DraftState(TableState):
    """A state in which one owner places wagers; shared only when frozen."""

    balances: DraftSums[Account]
    judge: PlacingJudge
    _board: DraftBoard

    def __init__(self, state: TableState, judge: PlacingJudge | None) -> None:
        """Draft the state; `judge` is used again if it is for this round."""
        current = state.series.current
        if judge is None or not judge.is_for(current):
            judge = PlacingJudge(current)
        board = DraftBoard(current.board)
        series = changed(state.series, in_play=changed(current, board=board))
        self.__dict__.update(
            state.__dict__,
            series=series,
            balances=state.balances.draft_sums(),
            judge=judge,
            _board=board,
        )

    def place(self, event: WagerPlaced, entries: tuple[Entry, ...]) -> None:
        balances, board = self.balances, self._board
        for account, cents in entries:
            balances.add(account, cents)
        board.lay(placed_wager(self.series.game, board, event))

    def frozen(self) -> TableState:
        """Return the state; the draft must not change after this."""
        current = changed(self.series.current, board=self._board.frozen())
        known = self.__dict__.copy()
        del known["_board"], known["judge"]
        known["series"] = changed(self.series, in_play=current)
        known["balances"] = self.balances.frozen()
        state = object.__new__(TableState)
        state.__dict__.update(known)
        return state


def in_run(
    state: TableState, submission: Submission, judge: PlacingJudge | None
) -> TableState:
    """Return a draft of the state for a placing, the frozen state for other commands.

    `judge` judged the last placing; it is used again if it is for this round.
    """
    command, person = submission.command, submission.people[0]
    if type(command) is not PlaceWager or person.role is not Role.PLAYER:
        return frozen(state)
    if type(state) is DraftState:
        return state
    return DraftState(state, judge) if _takes_placings(state) else state


def frozen(state: TableState) -> TableState:
    return state.frozen() if type(state) is DraftState else state


def _takes_placings(state: TableState) -> bool:
    """Return whether a placing would change only the board and the balances."""
    current = state.series.in_play
    if current is None or state.is_interrupted:
        return False
    return current.phase is Phase.BETTING and not current.facts.dropped


Placing = tuple[WagerPlaced, str, Entries]
"""The event of a placing, its JSON, and its entries."""


def place(draft: DraftState, submission: Submission) -> Placing | Refusal:
    """Lay a wager on the draft, or refuse it.

    Unsound texts are refused before anything else. All texts of the command, except
    words of the game, are in the event: if its JSON is plain, they are sound.
    """
    command = cast(PlaceWager, submission.command)
    placing = _judge(draft, submission, command)
    if isinstance(placing, Refusal) or not is_plain(placing[1]):
        if not has_sound_texts(command):
            return refuse(draft, TableReason.TEXT_UNSOUND())
        if isinstance(placing, Refusal):
            return placing
    event, _, entries = placing
    draft.place(event, entries)
    return placing


def _judge(
    draft: DraftState, submission: Submission, command: PlaceWager
) -> Placing | Refusal:
    verdict = decide_wager(draft, submission, command, draft.judge.decide)
    if isinstance(verdict, Refusal):
        return verdict
    (event,) = cast(tuple[WagerPlaced], verdict)
    entries = post_placing(draft, event)
    if isinstance(entries, Refusal):
        return entries
    try:
        return event, encode(event), entries
    except UnicodeEncodeError:  # a text with half a character
        return refuse(draft, TableReason.TEXT_UNSOUND())
