"""Messages from devices to the house.

One WebSocket carries one table. The first message is `hello`. Every command after it
has an `id`, and a repetition gets the same answer. Acts of play are written as in a
transcript, but without a person: the house knows the sender.
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
TimeMs = Annotated[int, Meta(ge=0, le=2**53)]
NumberText = Annotated[str, Meta(min_length=1, max_length=3)]
PositionName = Annotated[str, Meta(max_length=40)]
Sentence = Annotated[str, Meta(min_length=1, max_length=400)]
WagerId = Annotated[str, Meta(min_length=1, max_length=20)]
LARGEST = 64 * 1024
"""Bytes of one message to the house; a longer one ends the connection."""


BY_COOKIE = "cookie"
"""In place of a session's token, if the browser sends that as a cookie."""


class _Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class _Command(_Message, frozen=True, gc=False):
    id: MessageId


class Hello(_Message, frozen=True, tag="hello"):
    """The first message, which names the sender; the answer is a snapshot."""

    device: Annotated[str, Meta(max_length=100)] | None = None
    """A device's token."""
    session: Annotated[str, Meta(max_length=100)] | None = None
    """The token of a session of the staff, or `cookie`."""


class NewWager(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A wager in notation, with the terminal's own id for this round."""

    id: Annotated[str, Meta(min_length=1, max_length=20, pattern=r"^[A-Za-z0-9_-]+$")]
    wager: Annotated[str, Meta(min_length=1, max_length=120)]
    stake_cents: Cents | None = None
    """On each piece; none for a complete maximum wager."""


class MoreStake(Struct, frozen=True, forbid_unknown_fields=True):
    """An increase on each piece of a wager."""

    id: WagerId
    stake_cents: Cents


class ChangeWagers(_Command, frozen=True, tag="wagers"):
    """Wagers placed, increased and taken back: registered whole, or refused whole."""

    round: RoundNumber
    """The round of the wagers; in any other one they are not registered."""
    place: Annotated[tuple[NewWager, ...], Meta(max_length=200)] = ()
    increase: Annotated[tuple[MoreStake, ...], Meta(max_length=200)] = ()
    withdraw: Annotated[tuple[WagerId, ...], Meta(max_length=200)] = ()


class PerformAct(_Command, frozen=True, tag="act"):
    """An act of play in the words of a transcript, such as `no more bets`."""

    act: Sentence
    """A reason, if the act takes one, follows the word `because`."""
    position: PositionName | None = None
    """The sender's position for the act; None for the lowest that may do it."""
    player: Name | None = None
    """The Player whose chips the Dealer lays or records."""
    on_request: bool = False
    """True if staff place the chips on request, False if the Player laid them."""
    round: RoundNumber | None = None
    """The round of the wagers; in any other one they are refused."""


class KeyOutcome(_Command, frozen=True, tag="outcome"):
    """The Dealer keys the outcome, sees it read back, and confirms it."""

    number: NumberText
    confirmed: bool = False


class ConfirmLightsSeen(_Command, frozen=True, tag="confirm_lights"):
    """The Dealer has seen all ten Bonus Numbers lit, if no device reports them."""


class BallWas(_Command, frozen=True, tag="ball_was"):
    """The ball's rest after an interruption or in a dispute; None for nowhere."""

    at_rest: NumberText | None
    spun: bool = False
    """The ball was spun in this round, but no spin is on record."""


class ConfirmBallStated(_Command, frozen=True, tag="confirm_ball"):
    """A second person confirms the statement of the ball."""


class Interpret(_Command, frozen=True, tag="interpret"):
    """The answer to a question about the rules, and the rounds that it covers."""

    question: Sentence
    answer: Sentence
    rounds: Annotated[tuple[RoundNumber, ...], Meta(min_length=1, max_length=100)]
    position: PositionName | None = None


class ReplyToNotice(_Command, frozen=True, tag="answer_notice"):
    """The reply to a notice: accept it, which does the proposed act, or dismiss it."""

    notice: Annotated[int, Meta(ge=1, le=2**53)]
    accept: bool


class Redeem(_Command, frozen=True, tag="redeem"):
    """A voucher becomes credit at this seat."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class Collect(_Command, frozen=True, tag="collect"):
    """Credit leaves this seat as a voucher: all of it if `cents` is None."""

    cents: Cents | None = None


class AskBuyIn(_Command, frozen=True, tag="ask_buy_in"):
    """Ask an attendant to take cash for credit; nothing is credited yet."""

    cents: Cents


class Sit(_Command, frozen=True, tag="sit"):
    """A named Player takes this seat."""

    player: Name
    pin: Annotated[str, Meta(min_length=4, max_length=64)]


class Leave(_Command, frozen=True, tag="leave"):
    """The Player leaves the seat; credit stays until it is collected."""


class ReportAnnouncement(_Command, frozen=True, tag="shown"):
    """The time at which this terminal showed an announcement, by its own clock."""

    announcement: Annotated[str, Meta(min_length=1, max_length=40)]
    at_ms: TimeMs


class WheelFact(_Command, frozen=True, tag="wheel_fact"):
    """A report of a wheel's sensor; never the outcome by itself."""

    fact: Annotated[str, Meta(min_length=1, max_length=40)]
    """`spun`, `dropped`, `at_rest`, or the name of an irregularity."""
    number: NumberText | None = None
    revolutions: Annotated[int, Meta(ge=0, le=1000)] | None = None
    against_wheel: bool | None = None


class ReportLit(_Command, frozen=True, tag="lit"):
    """The layout device has lit a number."""

    number: NumberText


class Ping(_Message, frozen=True, tag="ping"):
    """Answered by `pong` at once."""

    at_ms: TimeMs = 0


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
    """Return the id of a message that is otherwise unreadable, if it has one."""
    try:
        return _read_identified(raw).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
