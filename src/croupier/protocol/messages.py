"""Messages from devices to the house.

One WebSocket carries one table. The first message is `hello`; everything after it is
answered by its `id`, once, however often it is sent. Acts of play are written as in a
transcript, without who does them: the house knows who has logged on.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

MessageId = Annotated[str, Meta(min_length=1, max_length=50, pattern=r"^[!-~]+(?!\n)$")]
"""Chosen by the sender; the same id again gets the first answer."""
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Cents = Annotated[int, Meta(ge=1, le=10**12)]
RoundNumber = Annotated[int, Meta(ge=0, le=2**53)]
LARGEST = 64 * 1024
"""Bytes of one message to the house; a longer one ends the connection."""


BY_COOKIE = "cookie"
"""In place of a session's token, where the browser sends it by itself."""


class _Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Hello(_Message, frozen=True, tag="hello"):
    """The first message: who speaks, and at which table. A snapshot is the answer."""

    table: Name
    device: Annotated[str, Meta(max_length=100)] | None = None
    """A device's token."""
    session: Annotated[str, Meta(max_length=100)] | None = None
    """The token of somebody of the staff who has logged on, or `cookie`."""


class NewWager(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A wager in notation, with the id its terminal gives it for this round."""

    id: Annotated[str, Meta(min_length=1, max_length=20, pattern=r"^[A-Za-z0-9_-]+$")]
    wager: Annotated[str, Meta(min_length=1, max_length=120)]
    stake_cents: Cents | None = None
    """On each piece; none for a complete maximum wager."""


class MoreStake(Struct, frozen=True, forbid_unknown_fields=True):
    """An increase on each piece of a wager."""

    id: Annotated[str, Meta(min_length=1, max_length=20)]
    stake_cents: Cents


class ChangeWagers(_Message, frozen=True, tag="wagers", gc=False):
    """Wagers placed, increased and taken back: registered whole, or refused whole."""

    id: MessageId
    round: RoundNumber
    """The round they are meant for: in another one they are not registered."""
    place: Annotated[tuple[NewWager, ...], Meta(max_length=200)] = ()
    increase: Annotated[tuple[MoreStake, ...], Meta(max_length=200)] = ()
    withdraw: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=20)], ...],
        Meta(max_length=200),
    ] = ()


class PerformAct(_Message, frozen=True, tag="act"):
    """An act of play in the words of a transcript, such as `no more bets`."""

    id: MessageId
    act: Annotated[str, Meta(min_length=1, max_length=400)]
    """Where it takes a reason, the words after `because`."""
    position: Annotated[str, Meta(max_length=40)] | None = None
    """In which of their positions they act; None: the lowest that may."""
    player: Name | None = None
    """Whose chips a Dealer lays, by their own hand or on their request."""
    on_request: bool = False
    """Staff place for the Player on request, rather than record what they laid."""
    round: RoundNumber | None = None
    """The round that wagers are meant for: in another one they are refused."""


class KeyOutcome(_Message, frozen=True, tag="outcome"):
    """The Dealer keys the outcome, sees it read back, and confirms it."""

    id: MessageId
    number: Annotated[str, Meta(min_length=1, max_length=3)]
    confirmed: bool = False


class ConfirmLightsSeen(_Message, frozen=True, tag="confirm_lights"):
    """The Dealer has seen all ten Bonus Numbers lit, where no device tells."""

    id: MessageId


class BallWas(_Message, frozen=True, tag="ball_was"):
    """After an interruption or in a dispute: where the ball is at rest, or nowhere."""

    id: MessageId
    at_rest: Annotated[str, Meta(min_length=1, max_length=3)] | None
    spun: bool = False
    """It was spun in this round, though no spin is on record."""


class ConfirmBallStated(_Message, frozen=True, tag="confirm_ball"):
    """The second person's word on what the ball did."""

    id: MessageId


class Interpret(_Message, frozen=True, tag="interpret"):
    """A decided question about the rules, and its rounds."""

    id: MessageId
    question: Annotated[str, Meta(min_length=1, max_length=400)]
    answer: Annotated[str, Meta(min_length=1, max_length=400)]
    rounds: Annotated[tuple[RoundNumber, ...], Meta(min_length=1, max_length=100)]
    position: Annotated[str, Meta(max_length=40)] | None = None


class ReplyToNotice(_Message, frozen=True, tag="answer_notice"):
    """The reply to a device's proposal, such as a void: done, or dismissed."""

    id: MessageId
    notice: Annotated[int, Meta(ge=1, le=2**53)]
    accept: bool


class Redeem(_Message, frozen=True, tag="redeem"):
    """A voucher becomes credit at this seat."""

    id: MessageId
    code: Annotated[str, Meta(min_length=1, max_length=40)]


class Collect(_Message, frozen=True, tag="collect"):
    """Credit leaves this seat as a voucher: all of it, unless a sum is named."""

    id: MessageId
    cents: Cents | None = None


class AskBuyIn(_Message, frozen=True, tag="ask_buy_in"):
    """An attendant is asked to take cash for credit; nothing is credited yet."""

    id: MessageId
    cents: Cents


class Sit(_Message, frozen=True, tag="sit"):
    """A named Player takes this seat; leaving is by `leave`."""

    id: MessageId
    player: Name
    pin: Annotated[str, Meta(min_length=4, max_length=64)]


class Leave(_Message, frozen=True, tag="leave"):
    """The Player leaves the seat; credit stays until it is collected."""

    id: MessageId


class ReportAnnouncement(_Message, frozen=True, tag="shown"):
    """The time at which this terminal showed an announcement, by its own clock."""

    id: MessageId
    announcement: Annotated[str, Meta(min_length=1, max_length=40)]
    at_ms: Annotated[int, Meta(ge=0, le=2**53)]


class WheelFact(_Message, frozen=True, tag="wheel_fact"):
    """A report of a wheel's sensor; never the outcome by itself."""

    id: MessageId
    fact: Annotated[str, Meta(min_length=1, max_length=40)]
    """`spun`, `dropped`, `at_rest`, or the name of an irregularity."""
    number: Annotated[str, Meta(min_length=1, max_length=3)] | None = None
    revolutions: Annotated[int, Meta(ge=0, le=1000)] | None = None
    against_wheel: bool | None = None


class ReportLit(_Message, frozen=True, tag="lit"):
    """The layout device has lit a number."""

    id: MessageId
    number: Annotated[str, Meta(min_length=1, max_length=3)]


class Ping(_Message, frozen=True, tag="ping"):
    """Answered by `pong` at once."""

    at_ms: Annotated[int, Meta(ge=0, le=2**53)] = 0


Command = (
    ChangeWagers
    | PerformAct
    | KeyOutcome
    | ConfirmLightsSeen
    | BallWas
    | ConfirmBallStated
    | Interpret
    | ReplyToNotice
    | Redeem
    | Collect
    | AskBuyIn
    | Sit
    | Leave
    | ReportAnnouncement
    | WheelFact
    | ReportLit
)
"""A message that the house answers by its id."""
ToHouse = Hello | Command | Ping
read_message = msgspec.json.Decoder(ToHouse).decode
"""A message to the house; raises `msgspec.MsgspecError`."""


class _Identified(Struct):
    id: MessageId | None = None


_read_identified = msgspec.json.Decoder(_Identified).decode


def read_id(raw: bytes | str) -> str | None:
    """Return the id of a message that can't be read otherwise, if it has one."""
    try:
        return _read_identified(raw).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
