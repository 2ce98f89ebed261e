"""A WebSocket by hand, for bytes that no library would send."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from tests.house_server.server import House

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class RawSocket:
    """After the handshake: bytes in, bytes out."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.reader, self.writer = reader, writer

    async def send(
        self, opcode: int, payload: bytes, *, fin: bool = True, masked: bool = True
    ) -> None:
        self.writer.write(frame(opcode, payload, fin=fin, masked=masked))
        await self.writer.drain()

    async def over(self, seconds: float = 10) -> bytes:
        """Return everything until the house hangs up; it must do so in time."""
        read = bytearray()
        async with asyncio.timeout(seconds):
            try:
                while chunk := await self.reader.read(65_536):
                    read += chunk
            except ConnectionError:
                pass
        return bytes(read)


def frame(
    opcode: int, payload: bytes, *, fin: bool = True, masked: bool = True
) -> bytes:
    head = bytes([(0x80 if fin else 0) | opcode])
    flag, length = (0x80 if masked else 0), len(payload)
    if length < 126:
        head += bytes([flag | length])
    elif length < 65_536:
        head += bytes([flag | 126]) + length.to_bytes(2)
    else:
        head += bytes([flag | 127]) + length.to_bytes(8)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    veiled = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return head + mask + veiled


@asynccontextmanager
async def raw_socket(house: House, table: str = "v3") -> AsyncIterator[RawSocket]:
    """Open a socket and do the handshake."""
    parts = urlsplit(house.address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        writer.write(
            f"GET /api/tables/{table}/play HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            f"Sec-WebSocket-Key: {_KEY}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        yield RawSocket(reader, writer)
    finally:
        writer.transport.abort()
