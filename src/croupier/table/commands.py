"""Commands to a table beyond the acts of play: money, opening, recovery, reports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import cast, get_args

import msgspec

from croupier.ledger.money import Count
from croupier.rules.commands import (
    AnswerReport,
    Command,
    CorrectBall,
    CorrectBonusNumbers,
    CorrectOutcome,
    IncreaseWager,
    PlaceWager,
    VoidRounds,
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
    """The gaming day before it is closed, also where the clock is still in that one."""

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
class BuyIn:
    seat: str
    cents: int


@dataclass(frozen=True, slots=True)
class CashOut:
    seat: str
    cents: int


@dataclass(frozen=True, slots=True)
class IssueVoucher:
    seat: str
    cents: int


@dataclass(frozen=True, slots=True)
class RedeemVoucher:
    seat: str
    code: str


@dataclass(frozen=True, slots=True)
class PayVoucher:
    """Pay a voucher in cash to whoever brings it."""

    code: str


@dataclass(frozen=True, slots=True)
class CountFloat:
    count: Count
    cents: int


@dataclass(frozen=True, slots=True)
class Fill:
    cents: int


@dataclass(frozen=True, slots=True)
class TakeCredit:
    cents: int


@dataclass(frozen=True, slots=True)
class BuyColourChips:
    player: str
    colour: str
    chips: int


@dataclass(frozen=True, slots=True)
class BuyBackColourChips:
    player: str
    colour: str
    chips: int


@dataclass(frozen=True, slots=True)
class Adjust:
    """Credit set right by two people: the initiator acts first, then the authoriser."""

    seat: str
    cents: int
    reason: str


@dataclass(frozen=True, slots=True)
class PayClaim:
    player: str
    cents: int


@dataclass(frozen=True, slots=True)
class PayOwed:
    """Pay what is kept for a Player, or for a stay that has ended, as `3@T1`."""

    player: str
    cents: int


@dataclass(frozen=True, slots=True)
class EndStay:
    """End an anonymous stay, as where its terminal is revoked (A37)."""

    seat: str


@dataclass(frozen=True, slots=True)
class StateBall:
    """A word on the ball at rest, where that has to be said; None: nowhere."""

    at_rest: Number | None
    spun: bool = False
    """It was spun in this round, though no spin is on record (A38)."""


@dataclass(frozen=True, slots=True)
class ConfirmBall:
    pass


WagerPart = PlaceWager | IncreaseWager | WithdrawWager


@dataclass(frozen=True, slots=True)
class Together:
    """Wagers placed, increased and withdrawn: all of it is taken, or none."""

    parts: tuple[WagerPart, ...]


def withdrawn_together(parts: tuple[WagerPart, ...]) -> tuple[WagerPart, ...]:
    """Tell each withdrawal of the others: what they leave is judged as a whole."""
    going = tuple(e.wager_id for e in parts if isinstance(e, WithdrawWager))
    if len(going) < 2:
        return parts
    return tuple(
        msgspec.structs.replace(each, beside=going)
        if isinstance(each, WithdrawWager)
        else each
        for each in parts
    )


@dataclass(frozen=True, slots=True)
class ReportLight:
    """A number that the layout device has lit, for the record."""

    device: str
    number: Number


@dataclass(frozen=True, slots=True)
class AnswerNotice:
    """The answer to a proposal of a device, for the record."""

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
    """A question about the rules and how it is decided (Triple Zero 5.10 b)."""

    question: str
    answer: str
    rounds: tuple[int, ...]


MoneyCommand = (
    BuyIn
    | CashOut
    | IssueVoucher
    | RedeemVoucher
    | PayVoucher
    | CountFloat
    | Fill
    | TakeCredit
    | BuyColourChips
    | BuyBackColourChips
    | Adjust
    | PayClaim
    | PayOwed
    | EndStay
)
Payment = (
    BuyIn
    | CashOut
    | IssueVoucher
    | PayVoucher
    | CountFloat
    | PayClaim
    | Fill
    | TakeCredit
    | BuyColourChips
    | BuyBackColourChips
    | PayOwed
)
"""Payments that one of the staff makes alone up to the house's thresholds."""
VoucherUse = RedeemVoucher | PayVoucher
"""Commands that end a voucher, for credit or for cash."""
Correction = CorrectOutcome | CorrectBall | CorrectBonusNumbers | AnswerReport
TwoPersonCommand = Correction | VoidRounds | Adjust | Payment
"""Commands that one person proposes and another confirms."""
PreviewedCommand = TwoPersonCommand | WagerPart | Together
"""Commands that can be judged and posted as if they were done."""
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
"""The same as a set of types, which is quicker to ask."""


_LONGEST_ID = 100
OWN_IDS = "table:"
"""How the ids of a table's own records begin; no sender may choose such a one."""


class Submission(msgspec.Struct, frozen=True, gc=False):
    """A command with the id its sender chose: sent again, it gets the first answer."""

    command_id: str
    people: tuple[Person, ...]
    command: AnyCommand
    round_number: int | None = None
    """The round that wagers are meant for, where their sender names it (A39)."""
    sent: str = ""
    """Digest of the message and of its sender: the id stands for nothing else."""


def sent_digest(message: object, token: str = "") -> str:
    """Return the digest of a message, or of a command, and of its sender's token."""
    return blake2b(
        _encoder.encode((type(message).__name__, message)),
        digest_size=8,
        key=token.encode()[:64],
    ).hexdigest()


def check_submission(submission: Submission) -> None:
    """Raise `StreamError` where the sender's id is none, or nobody is named."""
    command_id = submission.command_id
    if not 0 < len(command_id) <= _LONGEST_ID or not command_id.isprintable():
        raise StreamError(TableReason.NOT_A_COMMAND_ID(text=shown(command_id)))
    if command_id.startswith(OWN_IDS):
        raise StreamError(TableReason.TABLES_OWN_IDS(text=OWN_IDS))
    if not submission.people or not _are_named(submission.people):
        raise StreamError(TableReason.NOBODY_NAMED())


@lru_cache(10_000)
def _are_named(people: tuple[Person, ...]) -> bool:
    return has_sound_texts(people)


def has_sound_texts(value: object) -> bool:
    """Say whether every text in it is short and printable: a journal is for reading."""
    try:
        text = _encoder.encode(value).decode()
    except (msgspec.MsgspecError, OverflowError, ValueError):
        return _are_sound(value)
    return is_plain(text) or _are_sound(value)


def is_plain(json: str) -> bool:
    """Return whether a JSON text shows at once that every text in it is sound.

    Nearly all are short ASCII, and what is not printable is escaped there.
    """
    return (
        json.isascii()
        and len(json) < _LONGEST_TEXT
        and "\\" not in json
        and "\x7f" not in json
    )


_encoder = msgspec.json.Encoder()


def _are_sound(value: object) -> bool:
    kind = type(value)
    if kind is str:
        text = cast(str, value)
        return len(text) <= _LONGEST_TEXT and text.isprintable()
    if kind is tuple:
        return all(map(_are_sound, cast(tuple[object, ...], value)))
    names = getattr(kind, "__slots__", ())
    return all(_are_sound(getattr(value, name)) for name in names)


_LONGEST_TEXT = 1_000
