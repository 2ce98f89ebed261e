"""Bodies of requests, read whole before anything is done: no larger, no slower."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Scope

from croupier.web.problems import ApiError

_CLOSE = {"Connection": "close"}
_WITHOUT_BODY = {"GET", "HEAD", "OPTIONS"}


class ClientGone(Exception):
    """The caller went away before the body was there; nobody waits for an answer."""


async def read_body(
    scope: Scope, receive: Receive, *, bytes_max: int, seconds_max: float
) -> Receive:
    """A `receive` with the body read; raises `ApiError` 400, 408 or 413."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    is_chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    if not lengths and not is_chunked and scope["method"] in _WITHOUT_BODY:
        return receive
    if lengths and not lengths[0].isdigit():
        raise ApiError(400, "the length of the body is not a number", headers=_CLOSE)
    if lengths and (len(lengths[0]) > 18 or int(lengths[0]) > bytes_max):
        raise _too_large(bytes_max)
    try:
        async with asyncio.timeout(seconds_max):
            body = await _read(receive, bytes_max)
    except TimeoutError as error:
        raise ApiError(
            408, f"the body did not come within {seconds_max:g} seconds", headers=_CLOSE
        ) from error
    return _replaying(body, receive)


async def _read(receive: Receive, bytes_max: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += message.get("body", b"")
        if len(body) > bytes_max:
            raise _too_large(bytes_max)
        if not message.get("more_body", False):
            return bytes(body)


def _too_large(bytes_max: int) -> ApiError:
    return ApiError(413, f"a body has at most {bytes_max} bytes", headers=_CLOSE)


def _replaying(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [
        {"type": "http.request", "body": body, "more_body": False}
    ]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
