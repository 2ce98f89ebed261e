"""The HTTP requests of a client before it connects to a table.

They use the standard library in a thread, so that a terminal needs no other package.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TypeVar
from urllib.parse import quote

import msgspec

from croupier.protocol.errors import HouseUnreachable, HttpRefused, read_address

T = TypeVar("T")
_LARGEST_ANSWER = 16 * 1024 * 1024


class GivenToken(msgspec.Struct, frozen=True):
    """The token of a new terminal, an enrolled device or a session of the staff."""

    token: str


class HouseClient:
    """The requests to a house before a client connects to a table.

    Every method raises `HttpRefused` with the house's sentence, or `HouseUnreachable`.
    """

    def __init__(self, url: str, *, timeout_s: float = 10.0) -> None:
        """Raise `HouseUnreachable` if `url` is not an address."""
        parts = read_address(url)
        self.url = url
        is_secure = parts.scheme in {"https", "wss"}
        self._connection = HTTPSConnection if is_secure else HTTPConnection
        self._netloc = parts.netloc.rpartition("@")[2]
        self._timeout_s = timeout_s

    async def log_on(
        self, name: str, password: str, *, device: str | None = None
    ) -> GivenToken:
        """Log on; for real money give the token of a console or station."""
        body = {"name": name, "password": password, "device": device}
        return await self._token("/api/log-on", body, device)

    async def log_off(self, session: str, *, device: str | None = None) -> None:
        """Log off; give the token of the device used to log on, if there was one."""
        await self._send("POST", "/api/log-off", token=session, device=device)

    async def pair(self, code: str) -> GivenToken:
        return await self._token("/api/pair", {"code": code})

    async def demonstration_seat(self, table: str) -> GivenToken:
        return await self._token(table_path(table, "guests"))

    async def demonstration_staff(self, name: str) -> GivenToken:
        return await self._token("/api/demonstration/staff", {"name": name})

    async def come_to_table(
        self, table: str, *, session: str, device: str | None = None
    ) -> None:
        """Take over a table as its Dealer, at the device used to log on."""
        await self._send(
            "POST", table_path(table, "dealer"), token=session, device=device
        )

    async def go_from_table(
        self, table: str, *, session: str, device: str | None = None
    ) -> None:
        await self._send(
            "DELETE", table_path(table, "dealer"), token=session, device=device
        )

    async def post(
        self, path: str, body: msgspec.Struct, kind: type[T], *, token: str
    ) -> T:
        """Send a request that has no method here; return its answer."""
        return self._read(await self._send("POST", path, body, token=token), kind)

    async def _token(
        self, path: str, body: object = None, device: str | None = None
    ) -> GivenToken:
        told = await self._send("POST", path, body, device=device)
        return self._read(told, GivenToken)

    def _read(self, told: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(told, type=kind)
        except msgspec.MsgspecError as error:
            raise HouseUnreachable(f"{self.url} is not a Croupier house") from error

    async def _send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        device: str | None = None,
    ) -> bytes:
        headers = {"Accept": "application/json", "Connection": "close"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if device is not None:
            headers["X-Device-Token"] = device
        if body is not None:
            headers["Content-Type"] = "application/json"
        raw = b"" if body is None else msgspec.json.encode(body)
        try:
            status, told = await asyncio.to_thread(
                self._request, method, path, raw, headers
            )
        except (OSError, HTTPException) as error:
            raise HouseUnreachable.by(self.url, error) from error
        if status >= 300:
            raise _refusal(status, told)
        return told

    def _request(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        """Send a request and wait; call it in a thread."""
        made = self._connection(self._netloc, timeout=self._timeout_s)
        with closing(made) as connection:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(_LARGEST_ANSWER)


class _Problem(msgspec.Struct, frozen=True):
    error: str
    clause: str | None = None


def _refusal(status: int, told: bytes) -> HttpRefused:
    try:
        problem = msgspec.json.decode(told, type=_Problem)
    except msgspec.MsgspecError:
        return HttpRefused(status, f"the house answered with status {status}")
    return HttpRefused(status, problem.error, problem.clause)


def table_path(table: str, what: str) -> str:
    return f"/api/tables/{quote(table, safe='')}/{what}"
