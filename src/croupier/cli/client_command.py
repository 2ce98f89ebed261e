"""`croupier client`: plays a seat, deals or watches from a terminal window."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from croupier.cli.client_script import ClientScript, LineError
from croupier.cli.client_text import ClientText
from croupier.cli.options import EXISTING_FILE, FILE, read_text
from croupier.protocol.answers import write_answer
from croupier.protocol.client import (
    HouseClient,
    TableConnection,
    connect,
)
from croupier.protocol.errors import (
    CommandRefused,
    HouseError,
    HttpRefused,
    ProtocolProblem,
)

_SECRET_BYTES = 1_000


@dataclass(frozen=True, slots=True)
class _ClientOptions:
    url: str
    table: str
    seat: bool
    deal: bool
    as_name: str | None
    password_file: Path | None
    token_file: Path | None
    pair: str | None
    script: Path | None
    patience: float
    strict: bool
    as_json: bool


@click.command("client")
@click.argument("url", metavar="URL")
@click.option("--table", required=True, metavar="NAME", help="The table.")
@click.option("--seat", is_flag=True, help="Play a seat.")
@click.option("--deal", is_flag=True, help="Take over the table and deal.")
@click.option("--as", "as_name", metavar="NAME", help="Log on as this member of staff.")
@click.option(
    "--password-file",
    type=EXISTING_FILE,
    metavar="FILE",
    help="Their password; asked if not given.",
)
@click.option(
    "--device-token-file",
    "token_file",
    type=FILE,
    metavar="FILE",
    help="The token of this terminal, console or board.",
)
@click.option(
    "--pair", metavar="CODE", help="Enrol; the token is kept in --device-token-file."
)
@click.option(
    "--script", type=EXISTING_FILE, metavar="FILE", help="Read the lines from a file."
)
@click.option(
    "--patience",
    type=click.FloatRange(0, 86_400),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Try to reconnect for this long.",
)
@click.option("--strict", is_flag=True, help="End at the first refusal, with status 1.")
@click.option(
    "--json", "as_json", is_flag=True, help="Each message as JSON, one a line."
)
@click.pass_context
def client_command(ctx: click.Context, /, **options: Any) -> None:
    """Play a seat, deal or watch at a table of the house at URL.

    Each line is sent at once. At a seat: 17@5 red@10 (all or nothing),
    increase w1 5, withdraw w1, clear, collect, redeem CODE, buy-in 100.
    Staff type the acts of a transcript: place your bets, spin, no more bets,
    outcome 17, settle. Anyone: wait betting, wait settled, quit.

    In a demonstration house a seat needs no token and has credit.

    Example: croupier client http://127.0.0.1:8000 --table 'table 1' --seat
    """
    asked = _ClientOptions(**options)
    _check(asked)
    went_well = asyncio.run(_play(asked))
    if not went_well and asked.strict:
        ctx.exit(1)


def _check(asked: _ClientOptions) -> None:
    if asked.seat and (asked.deal or asked.as_name):
        raise click.UsageError("--seat goes without --deal and --as")
    if asked.deal and not asked.as_name:
        raise click.UsageError("--deal needs --as NAME: who deals?")
    if asked.password_file and not asked.as_name:
        raise click.UsageError("--password-file needs --as NAME: whose is it?")


async def _play(asked: _ClientOptions) -> bool:
    """Play until the end; return whether nothing was refused."""
    house = HouseClient(asked.url)
    device = await _device(asked, house)
    async with (
        _session(asked, house, device) as session,
        connect(
            asked.url,
            asked.table,
            device=device,
            session=session,
            patience_s=asked.patience,
        ) as table,
    ):
        return await _converse(asked, table)


async def _device(asked: _ClientOptions, house: HouseClient) -> str | None:
    """Return this device's token, or None without one."""
    if asked.pair is not None:
        paired = await house.pair(asked.pair)
        if asked.token_file is not None:
            keep_token(asked.token_file, paired.token)
        return paired.token
    if asked.token_file is not None:
        return read_token(asked.token_file)
    if asked.seat:
        return (await house.demonstration_seat(asked.table)).token
    return None


@asynccontextmanager
async def _session(
    asked: _ClientOptions, house: HouseClient, device: str | None
) -> AsyncIterator[str | None]:
    """Log a member of staff on; at the end a Dealer also leaves the table."""
    if asked.as_name is None:
        yield None
        return
    token = await _log_on(asked, asked.as_name, house, device)
    try:
        if asked.deal:
            await house.come_to_table(asked.table, session=token, device=device)
        yield token
    finally:
        with suppress(HouseError):
            if asked.deal:
                await house.go_from_table(asked.table, session=token, device=device)
        with suppress(HouseError):
            await house.log_off(token, device=device)


async def _log_on(
    asked: _ClientOptions, name: str, house: HouseClient, device: str | None
) -> str:
    if asked.password_file is not None:
        password = read_token(asked.password_file)
    else:
        try:
            return (await house.demonstration_staff(name)).token
        except HttpRefused as error:
            if error.status != 403:
                raise
        password = click.prompt(f"Password of {name}", hide_input=True, err=True)
    return (await house.log_on(name, password, device=device)).token


def read_token(path: Path) -> str:
    return read_text(path, largest=_SECRET_BYTES).strip()


def keep_token(path: Path, token: str) -> None:
    """Write the token so that only its owner can read it."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{token}\n")
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from error


async def _converse(asked: _ClientOptions, table: TableConnection) -> bool:
    """Print the house's messages and send the lines, until the end."""
    printing = asyncio.create_task(_print(asked, table))
    working = asyncio.create_task(_work(asked, table))
    try:
        await asyncio.wait({printing, working}, return_when=asyncio.FIRST_COMPLETED)
        if printing.done():
            printing.result()
        went_well = await working
        await table.caught_up()
        await table.close()
        await printing
        return went_well
    finally:
        printing.cancel()
        working.cancel()


async def _print(asked: _ClientOptions, table: TableConnection) -> None:
    teller = ClientText()
    async for message in table.messages():
        line = write_answer(message).decode() if asked.as_json else teller.tell(message)
        if line is not None:
            click.echo(line)


async def _work(asked: _ClientOptions, table: TableConnection) -> bool:
    lines = ClientScript(table, is_seat=asked.seat)
    went_well = True
    number = 0
    async for raw in _lines(asked.script):
        number += 1
        line = raw.partition("#")[0].strip()
        if line == "quit":
            break
        try:
            if line:
                await lines.do(line)
        except (CommandRefused, ProtocolProblem, LineError) as error:
            went_well = False
            if not isinstance(error, CommandRefused):
                click.echo(f"croupier: line {number}: {error}", err=True)
            if asked.strict:
                break
    return went_well


async def _lines(script: Path | None) -> AsyncIterator[str]:
    """Yield the lines of a file, or typed lines that a thread reads."""
    if script is not None:
        for line in (await asyncio.to_thread(script.read_text, "utf-8")).splitlines():
            yield line
        return
    waiting: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(line: str | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(waiting.put_nowait, line)

    threading.Thread(target=_read, args=(put,), daemon=True).start()
    while (typed := await waiting.get()) is not None:
        yield typed


def _read(put: Callable[[str | None], None]) -> None:
    """Put each typed line; Python does not wait for this file when it exits."""
    try:
        stream: TextIO = open(  # noqa: SIM115
            sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False
        )
    except OSError:
        stream = sys.stdin
    for line in stream:
        put(line)
    put(None)
