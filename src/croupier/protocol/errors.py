"""Errors for those who play, deal or watch over the protocol."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from croupier.errors import CroupierError
from croupier.protocol.answers import Answered


class HouseError(CroupierError):
    """Base of the errors that keep the house from doing what was asked."""


class CommandRefused(HouseError):
    """The house judged the command and refused it; nothing has changed."""

    def __init__(self, answer: Answered) -> None:
        """`answer` is as the house sent it."""
        self.answer = answer
        refusal = answer.refusal
        self.clause = refusal.clause if refusal else None
        self.reason = refusal.text if refusal else "refused"
        where = f" [{self.clause}]" if self.clause else ""
        super().__init__(f"{self.reason}{where}")


class ProtocolProblem(HouseError):
    """The message could not be taken: unreadable, or not this sender's to send."""


class HouseUnreachable(HouseError):
    """Nobody answers at the address, or no longer."""


class HouseEnded(HouseError):
    """The house ended the connection and does not want it back."""


class HttpRefused(HouseError):
    """The house answered a request over HTTP with a refusal."""

    def __init__(self, status: int, reason: str, clause: str | None = None) -> None:
        """`reason` is the house's sentence; `clause` the one that forbids it."""
        super().__init__(f"{reason} [{clause}]" if clause else reason)
        self.status = status
        self.reason = reason
        self.clause = clause


def read_address(url: str) -> SplitResult:
    """Read the address of a house; raise `HouseUnreachable` where it is none."""
    try:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname:
            return parts
    except ValueError:
        pass
    raise HouseUnreachable(
        f"{url[:100]!r} is no address of a house, such as http://127.0.0.1:8000"
    )
