"""One placing of a run: judged, posted and laid on the draft of the table's state."""

from __future__ import annotations

from typing import cast

from croupier.journal.events.codec import encode
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal
from croupier.table.batches import Entries, post_placing
from croupier.table.cashier import refuse
from croupier.table.commands import Submission, has_sound_texts, is_plain
from croupier.table.drafts import DraftState
from croupier.table.reasons import TableReason
from croupier.table.wagers import decide_wager

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
