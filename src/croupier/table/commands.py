"""Commands to a table other than acts of play: money, opening, recovery, reports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import cast, get_args

import msgspec
from msgspec.structs import replace

from croupier.journal.events.two_person_acts import TwoPersonCommand
from croupier.ledger.commands import MoneyCommand
from croupier.rules.commands import (
    Command,
    IncreaseWager,
    PlaceWager,
    WithdrawWager,
)
from croupier.rules.notation import shown
from croupier.rules.operator import Person
from croupier.rules.wheel import Number
from croupier.table.reasons import StreamError, TableReason


@dataclass(frozen=True, slots=True)
class CloseTable:
    pass


@dataclass(frozen=True, slots=True)
class ReopenTable:
    pass


@dataclass(frozen=True, slots=True)
class BeginGamingDay:
    """Begin the next gaming day after a close, perhaps before the clock does."""

    gaming_day: str


@dataclass(frozen=True, slots=True)
class ChangeTerms:
    """Limits and settings as text; in force with the next round."""

    limits: tuple[str, ...]
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawNow:
    """The table's own generator draws the Bonus Numbers."""


@dataclass(frozen=True, slots=True)
class SpinVirtualWheel:
    """The virtual wheel comes to rest: for demonstration and practice."""


@dataclass(frozen=True, slots=True)
class StateBall:
    """The Dealer's statement of the ball's rest; None if it rests nowhere."""

    at_rest: Number | None
    spun: bool = False
    """The ball was spun in this round, but no spin is on record (A38)."""


@dataclass(frozen=True, slots=True)
class ConfirmBall:
    pass


WagerPart = PlaceWager | IncreaseWager | WithdrawWager


@dataclass(frozen=True, slots=True)
class Together:
    """Wagers placed, increased and withdrawn: all are taken, or none."""

    parts: tuple[WagerPart, ...]


def withdrawn_together(parts: tuple[WagerPart, ...]) -> tuple[WagerPart, ...]:
    """Return the parts; each withdrawal lists the ids of all withdrawals.

    The wagers that remain are then judged as a whole.
    """
    going = tuple(e.wager_id for e in parts if isinstance(e, WithdrawWager))
    if len(going) < 2:
        return parts
    return tuple(
        replace(each, beside=going) if isinstance(each, WithdrawWager) else each
        for each in parts
    )


@dataclass(frozen=True, slots=True)
class ReportLight:
    """The layout device reports a number that it has lit."""

    device: str
    number: Number


@dataclass(frozen=True, slots=True)
class AnswerNotice:
    """Record the answer to a proposal of a device."""

    notice: str
    clause: str | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class ConfirmLights:
    """The Dealer has seen every Bonus Number lit."""


@dataclass(frozen=True, slots=True)
class ReportShown:
    """A terminal reports when it showed an announcement."""

    terminal: str
    announcement: str
    shown_at_ms: int


@dataclass(frozen=True, slots=True)
class RecordInterpretation:
    """Record the answer to a question about the rules (Triple Zero 5.10 b)."""

    question: str
    answer: str
    rounds: tuple[int, ...]


PreviewedCommand = TwoPersonCommand | WagerPart | Together
"""Commands that can be judged and posted without a commit."""
TableCommand = (
    CloseTable
    | ReopenTable
    | BeginGamingDay
    | ChangeTerms
    | DrawNow
    | SpinVirtualWheel
    | StateBall
    | ConfirmBall
    | ReportLight
    | AnswerNotice
    | ConfirmLights
    | ReportShown
    | RecordInterpretation
    | MoneyCommand
)
AnyCommand = Command | TableCommand | Together
TABLE_COMMANDS = frozenset(get_args(TableCommand))
"""The types of `TableCommand` as a set, for a quick check."""


_LONGEST_ID = 100
OWN_IDS = "table:"
"""The ids of a table's own records begin with this; no sender may choose one."""


class Submission(msgspec.Struct, frozen=True, gc=False):
    """A command with its sender's id; sent again, it gets the first answer."""

    command_id: str
    people: tuple[Person, ...]
    command: AnyCommand
    round_number: int | None = None
    """The round that wagers are meant for, if their sender names it (A39)."""
    sent: str = ""
    """Digest of the message and its sender; no other may have the same id."""

    def __post_init__(self) -> None:
        """Raise `StreamError` if the id is not allowed or there is no person."""
        command_id = self.command_id
        if not 0 < len(command_id) <= _LONGEST_ID or not command_id.isprintable():
            raise StreamError(TableReason.NOT_A_COMMAND_ID(text=shown(command_id)))
        if command_id.startswith(OWN_IDS):
            raise StreamError(TableReason.TABLES_OWN_IDS(text=OWN_IDS))
        if not self.people or not _are_named(self.people):
            raise StreamError(TableReason.NOBODY_NAMED())


def sent_digest(message: object, token: str = "") -> str:
    """Return a digest of a message or command, keyed by its sender's token."""
    return blake2b(
        _encoder.encode((type(message).__name__, message)),
        digest_size=8,
        key=token.encode()[:64],
    ).hexdigest()


@lru_cache(10_000)
def _are_named(people: tuple[Person, ...]) -> bool:
    return has_sound_texts(people)


def has_sound_texts(value: object) -> bool:
    """Return whether every text in a value is short and printable."""
    try:
        text = _encoder.encode(value).decode()
    except (msgspec.MsgspecError, OverflowError, ValueError):
        return _are_sound(value)
    return is_plain(text) or _are_sound(value)


def is_plain(json: str) -> bool:
    """Return whether a JSON text is short, plain ASCII, so that its texts are sound.

    JSON escapes unprintable characters. A quick check for nearly all commands.
    """
    is_short = json.isascii() and len(json) < _LONGEST_TEXT
    return is_short and "\\" not in json and "\x7f" not in json


_encoder = msgspec.json.Encoder()


def _are_sound(value: object) -> bool:
    kind = type(value)
    if kind is str:
        text = cast(str, value)
        return len(text) <= _LONGEST_TEXT and text.isprintable()
    if kind is tuple:
        return all(map(_are_sound, cast(tuple[object, ...], value)))
    names = getattr(kind, "__match_args__", ())
    return all(_are_sound(getattr(value, name)) for name in names)


_LONGEST_TEXT = 1_000
