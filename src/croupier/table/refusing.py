"""What is recorded of a refused command; and refusals of what can't be recorded."""

from __future__ import annotations

from croupier.journal.events.codec import (
    SCHEMA,
    JournalEvent,
    UnreadableEvent,
    decode,
    encode,
)
from croupier.journal.events.table import ActRefused
from croupier.rules.clause import Refusal
from croupier.rules.commands import PlaceWager
from croupier.rules.notation import AreaText, MultipleText, is_amount
from croupier.table import commands as ask
from croupier.table.cashing import refuse
from croupier.table.judging import Judgement, Numbered
from croupier.table.state import TableState

_MOST_PARTS_TOLD = 20


def refusal_event(submission: ask.Submission, refusal: Refusal) -> ActRefused:
    command = submission.command
    is_sound = ask.has_sound_texts(command)
    act = _act_of(command) if is_sound else type(command).__name__
    person = submission.people[0]
    return ActRefused(person, act, refusal.clause, refusal.reason)


def _act_of(command: ask.AnyCommand) -> str:
    """What was asked, for who disputes the refusal: of a wager, where and how much."""
    name = type(command).__name__
    match command:
        case PlaceWager(wager=AreaText() | MultipleText() as wager):
            cents = command.stake_cents if is_amount(command.stake_cents) else ""
            return f"{name} {wager.name} {cents}".rstrip()
        case ask.Together(parts=parts):
            return ", ".join(map(_act_of, parts[:_MOST_PARTS_TOLD])) or name
    return name


def readable(state: TableState, events: tuple[Numbered, ...]) -> Judgement:
    """Refused where a value of the wrong kind would make an event unreadable."""
    if all(_is_readable(each.event) for each in events):
        return events
    return refuse(state, "a value is not of the kind that the command takes")


def _is_readable(event: JournalEvent) -> bool:
    """What is not a number is written as null: only the same event will do."""
    try:
        return decode(SCHEMA, type(event).__name__, encode(event)) == event
    except (UnreadableEvent, ValueError):  # of more digits than Python writes
        return False
