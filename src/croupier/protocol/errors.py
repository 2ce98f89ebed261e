"""Errors of clients of the protocol."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from croupier.errors import CroupierError
from croupier.protocol.answers import Answered


class HouseError(CroupierError):
    """Base of the errors of a request to a house."""


class CommandRefused(HouseError):
    """The house judged the command and refused it; nothing has changed."""

    def __init__(self, answer: Answered) -> None:
        self.answer = answer
        refusal = answer.refusal
        self.clause = refusal.clause if refusal else None
        self.reason = refusal.text if refusal else "refused"
        super().__init__(str(refusal or self.reason))


class ProtocolProblem(HouseError):
    """The house can't read the message, or does not take it from this sender."""


class HouseUnreachable(HouseError):
    """No house answers at the address."""

    @classmethod
    def by(cls, url: str, error: Exception) -> HouseUnreachable:
        """Return the error of a failed connection or request."""
        why = getattr(error, "strerror", None) or str(error) or "it does not answer"
        return cls(f"the house at {url} can't be reached: {why}")


class HouseEnded(HouseError):
    """The house ended the connection, and the client must not connect again."""


class HttpRefused(HouseError):
    """The house answered a request over HTTP with a refusal."""

    def __init__(self, status: int, reason: str, clause: str | None = None) -> None:
        super().__init__(f"{reason} [{clause}]" if clause else reason)
        self.status = status
        self.reason = reason
        self.clause = clause


def read_address(url: str) -> SplitResult:
    """Read the address of a house; raise `HouseUnreachable` if it is not an address."""
    try:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname:
            return parts
    except ValueError:
        pass
    raise HouseUnreachable(
        f"{url[:100]!r} is no address of a house, such as http://127.0.0.1:8000"
    )
