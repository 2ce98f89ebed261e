"""The long run: bodies, frames and bytes that are almost right, against a real server.

`python -m tools.soak.security` prints its seed and its counts. It ends with status 1 at
the first answer that is the server's own failure, at a message without an answer, or
if the journal and the log are not sound in the end.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import click
from websockets.exceptions import ConnectionClosed

from tests.house_files import STAFF
from tests.house_server.line import dial, hello
from tests.house_server.server import House, Reply, open_house
from tests.security.fields import FIELDS
from tests.security.mutation import Mutation
from tests.security.operations import Operation, served_operations

SENDERS: tuple[dict[str, str], ...] = (
    {"device": "Anna-v3"},
    {"device": "board-v3"},
    {"staff": "Dana"},
    {"staff": "Mira"},
    {"staff": "Carl"},
)
ACTS = (
    "place your bets",
    "spin",
    "no more bets",
    "settle",
    "lay 17 5 as w1",
    "no spin",
)
MESSAGES = (*FIELDS.items(), *(("act", {"act": act}) for act in ACTS))
FRAMES = 40
"""Over one connection."""
ANSWER_S = 20.0
_HEAD = "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n"


class Campaign:
    """A served house, and a client that breaks the protocol."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.random = house, Random(seed)
        self.mutation = Mutation(self.random)
        self.counts: Counter[str] = Counter()
        self.operations = list(served_operations(house).values())
        house.deal("v3", by="Dana")
        house.buy_in("v3", "Anna-v3")

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.send_body()
            if self.random.random() < 0.1:
                self.send_bytes()
            if self.random.random() < 0.05:
                asyncio.run(self.send_frames())
        assert self.house.http("GET", "/health").status == 200

    # Bodies

    def send_body(self) -> None:
        operation = self.random.choice(self.operations)
        body: object = operation.body(self.house)
        for _ in range(self.random.choice((0, 1, 1, 2))):
            body = self.mutation.of(body)
        content = self.mutation.of_bytes(json.dumps(body).encode("utf-8", "replace"))
        reply = self._asked(operation, content)
        self.counts[f"bodies answered {reply.status}"] += 1
        assert reply.status < 500, (operation.name, content, reply)
        if reply.status >= 400:
            assert reply.json.keys() == {"error", "clause", "reason"}, reply

    def _asked(self, operation: Operation, content: bytes) -> Reply:
        who = self.random.choice(("", *STAFF))
        token = self.random.choice(list(self.house.devices.values()))
        if who and operation.name not in {"log_off", "change_my_password"}:
            token = self.house.session(who)
        sent = content if operation.method != "GET" else None
        return self.house.http(operation.method, operation.target(), sent, token=token)

    # Frames

    async def send_frames(self) -> None:
        """Send frames: each is answered, or ends the connection, and another opens."""
        line = await dial(self.house)
        named = self.random.choice(SENDERS)
        await line.send(json.dumps(hello(self.house, **named)))
        try:
            await self._answer(line, "snapshot")
            for number in range(FRAMES):
                await line.send(self._frame(number))
                await line.send(json.dumps({"type": "ping", "at_ms": number}))
                await self._answer(line, "pong")
        except ConnectionClosed:
            self.counts["connections ended"] += 1
        finally:
            await line.close()

    def _frame(self, number: int) -> str | bytes:
        kind, fields = self.random.choice(MESSAGES)
        message: object = {"type": kind, "id": f"s{number}", **fields}
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            message = self.mutation.of(message)
        self.counts["frames"] += 1
        text = json.dumps(message)
        if self.random.random() < 0.9:
            return text
        return self.mutation.of_bytes(text.encode("utf-8", "replace"))

    async def _answer(self, line: Any, wanted: str) -> None:
        async with asyncio.timeout(ANSWER_S):
            while True:
                told = json.loads(await line.recv())
                self.counts[f"frames told {told['type']}"] += 1
                if told["type"] == wanted:
                    return

    # Bytes

    def send_bytes(self) -> None:
        """Send a request with some bytes changed: it is answered, or cut off."""
        operation, where = self.random.choice(self.operations), self.house.address
        parts = urlsplit(where)
        head = _HEAD.format(
            method=operation.method,
            path=operation.target().replace(" ", "%20"),
            host=parts.netloc,
            length=self.random.choice((0, 0, 2, 10)),
        )
        content = self.mutation.of_bytes(head.encode(), times=3)
        with socket.create_connection((parts.hostname, parts.port), timeout=20) as sock:
            sock.sendall(content)
            sock.shutdown(socket.SHUT_WR)
            read = sock.recv(20)
        status = read[9:12].decode("latin-1") or "no answer"
        self.counts[f"bytes answered {status}"] += 1
        assert status[0] != "5" or status == "503", (content, read)


@click.command()
@click.option("--minutes", default=10.0, help="How long.")
@click.option("--seed", default=None, type=int, help="That of an earlier run.")
def soak(minutes: float, seed: int | None) -> None:
    """Send what is almost right for so long, and print what became of it."""
    seed = secrets.randbelow(2**32) if seed is None else seed
    click.echo(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        with open_house("sqlite", Path(folder)) as house:
            campaign = Campaign(house, seed)
            campaign.run(minutes * 60)
        for what, number in sorted(campaign.counts.items()):
            click.echo(f"{number:>9,} {what}")
        click.echo("the journal verifies, and the log has no error")


if __name__ == "__main__":
    soak()
