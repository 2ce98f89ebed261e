"""A run of placings: the table's state changed in place, and frozen at the end of it.

A Player's placing, while betting is open, changes the board and the balances and
nothing else. Most commands are such, and many share one commit; of the states between
them nobody keeps any. Laws of this file:
- a draft has one owner, and nobody sees it changed: what others see is frozen;
- what a draft becomes is what `state.advance` makes of the same events, one by one.
"""

from __future__ import annotations

from typing import cast

from croupier.journal.events.codec import encode
from croupier.ledger.accounts import Account, Entry
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.board import DraftBoard
from croupier.rules.buckets import DraftSums, changed
from croupier.rules.clause import Refusal
from croupier.rules.decisions import PlacingJudge
from croupier.rules.operator import Role
from croupier.rules.round import Phase, placed_wager
from croupier.table.batches import Entries, post_placing
from croupier.table.cashier import refuse
from croupier.table.commands import Submission, has_sound_texts, is_plain
from croupier.table.reasons import TableReason
from croupier.table.state import TableState
from croupier.table.wagers import decide_wager


class DraftState(TableState):
    """A state in which one owner places wagers; shared only once it is frozen."""

    balances: DraftSums[Account]
    judge: PlacingJudge
    _board: DraftBoard

    def __init__(self, state: TableState, judge: PlacingJudge | None) -> None:
        """Draft the state; `judge` judges its placings, if it is for this round."""
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

    def place(self, event: ev.WagerPlaced, entries: tuple[Entry, ...]) -> None:
        """Lay the wager, and book its stake."""
        balances, board = self.balances, self._board
        for account, cents in entries:
            balances.add(account, cents)
        board.lay(placed_wager(self.series.game, board, event))

    def frozen(self) -> TableState:
        """Return the state as it is now; the draft is not to be changed any more."""
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
    """Return the state as the command needs it: a draft for a placing, else frozen.

    `judge` judged the placings before it, and is kept as long as it is for the round.
    """
    command, person = submission.command, submission.people[0]
    if type(command) is not do.PlaceWager or person.role is not Role.PLAYER:
        return frozen(state)
    if type(state) is DraftState:
        return state
    return DraftState(state, judge) if _takes_placings(state) else state


def frozen(state: TableState) -> TableState:
    """Return the state frozen, if it is a draft."""
    return state.frozen() if type(state) is DraftState else state


def _takes_placings(state: TableState) -> bool:
    """Return whether a placing that is taken changes only board and balances."""
    series = state.series
    if not series.last or state.interruption is not None:
        return False
    current = series.current
    return current.phase is Phase.BETTING and not current.facts.dropped


Placing = tuple[ev.WagerPlaced, str, Entries]
"""The event of a placing, the same as JSON, and its entries."""


def place(draft: DraftState, submission: Submission) -> Placing | Refusal:
    """Lay a wager on the draft, or refuse it and change nothing.

    Unsound texts refuse it before anything else, as they do any command. The event has
    all texts of the command that are not words of the game: if its JSON is plain, they
    are sound.
    """
    command = cast(do.PlaceWager, submission.command)
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
    draft: DraftState, submission: Submission, command: do.PlaceWager
) -> Placing | Refusal:
    verdict = decide_wager(draft, submission, command, draft.judge.decide)
    if isinstance(verdict, Refusal):
        return verdict
    (event,) = cast(tuple[ev.WagerPlaced], verdict)
    entries = post_placing(draft, event)
    if isinstance(entries, Refusal):
        return entries
    try:
        return event, encode(event), entries
    except UnicodeEncodeError:  # half a character
        return refuse(draft, TableReason.TEXT_UNSOUND())
