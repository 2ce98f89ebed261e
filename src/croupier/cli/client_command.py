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
from typing import TYPE_CHECKING, Any, TextIO

import click

from croupier.cli.options import FILE
from croupier.extras import needing

if TYPE_CHECKING:
    import ssl

    from croupier.protocol.client import HouseClient, TableConnection

_SECRET_BYTES = 1_000


@dataclass(frozen=True, slots=True)
class _ClientOptions:
    """The options."""

    url: str
    table: str
    seat: bool
    deal: bool
    as_name: str | None
    password_file: Path | None
    token_file: Path | None
    pair: str | None
    script: Path | None
    tls_ca: Path | None
    patience: float
    strict: bool
    as_json: bool


@click.command("client")
@click.argument("url", metavar="URL")
@click.option("--table", required=True, metavar="NAME", help="The table.")
@click.option("--seat", is_flag=True, help="Play a seat.")
@click.option("--deal", is_flag=True, help="Take over the table and deal.")
@click.option("--as", "as_name", metavar="NAME", help="Who of the staff it is.")
@click.option(
    "--password-file", type=FILE, metavar="FILE", help="Their password; else asked."
)
@click.option(
    "--device-token-file",
    "token_file",
    type=FILE,
    metavar="FILE",
    help="The token of this terminal, console or board.",
)
@click.option(
    "--pair", metavar="CODE", help="Enrol; the token is kept in that file, if named."
)
@click.option(
    "--script", type=FILE, metavar="FILE", help="Read lines there, not as typed."
)
@click.option(
    "--tls-ca", type=FILE, metavar="FILE", help="Who signs the house's certificate."
)
@click.option(
    "--patience",
    type=click.FloatRange(0, 86_400),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Come back for so long when the connection breaks.",
)
@click.option("--strict", is_flag=True, help="End at the first refusal: status 1.")
@click.option(
    "--json", "as_json", is_flag=True, help="Each message as JSON, one a line."
)
@click.pass_context
def client_command(ctx: click.Context, /, **options: Any) -> None:
    """Play a seat, deal or watch at a table of the house at URL.

    Each line typed is asked at once. At a seat: 17@5 red@10 (all or nothing),
    increase w1 5, withdraw w1, clear, rebet, collect, redeem CODE, buy-in 100.
    For the staff the acts of a transcript: place your bets, spin, no more bets,
    outcome 17, settle. For all: wait betting, wait settled, quit.

    Without a token, in a demonstration house, a seat is taken with credit.

    Example: croupier client http://127.0.0.1:8000 --table 'table 1' --seat
    """
    asked = _ClientOptions(**options)
    _check(asked)
    with needing("server"):
        went_well = asyncio.run(_play(asked))
    if not went_well and asked.strict:
        ctx.exit(1)


def _check(asked: _ClientOptions) -> None:
    if asked.seat and (asked.deal or asked.as_name):
        raise click.UsageError("play a seat, or be of the staff, but not both")
    if asked.deal and not asked.as_name:
        raise click.UsageError("--deal needs --as NAME: who deals?")
    if asked.password_file and not asked.as_name:
        raise click.UsageError("--password-file needs --as NAME: whose is it?")
    for path in (asked.password_file, asked.script, asked.tls_ca):
        if path is not None and not path.is_file():
            raise click.UsageError(f"{path}: there is no such file")


async def _play(asked: _ClientOptions) -> bool:
    """Play until the end; return whether nothing was refused."""
    from croupier.protocol.client import ConnectionOptions, HouseClient, connect

    tls = _tls(asked.tls_ca)
    house = HouseClient(asked.url, tls=tls)
    options = ConnectionOptions(patience_s=asked.patience, tls=tls)
    device = await _device(asked, house)
    async with (
        _session(asked, house, device) as session,
        connect(
            asked.url, asked.table, device=device, session=session, options=options
        ) as table,
    ):
        return await _converse(asked, table)


def _tls(authority: Path | None) -> ssl.SSLContext | None:
    if authority is None:
        return None
    from ssl import SSLError, create_default_context

    try:
        return create_default_context(cafile=authority)
    except (OSError, SSLError) as error:
        raise click.UsageError(f"{authority} is no certificate in PEM") from error


async def _device(asked: _ClientOptions, house: HouseClient) -> str | None:
    """Return the token that says which device this is."""
    if asked.pair is not None:
        paired = await house.pair(asked.pair)
        if asked.token_file is not None:
            _keep(asked.token_file, paired.token)
        return paired.token
    if asked.token_file is not None:
        return _secret(asked.token_file)
    if asked.seat:
        return (await house.demonstration_seat(asked.table)).token
    return None


@asynccontextmanager
async def _session(
    asked: _ClientOptions, house: HouseClient, device: str | None
) -> AsyncIterator[str | None]:
    """Log somebody of the staff on until the end; they go from the table too."""
    if asked.as_name is None:
        yield None
        return
    from croupier.protocol.errors import HouseError

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
    from croupier.protocol.errors import HttpRefused

    if asked.password_file is not None:
        password = _secret(asked.password_file)
    else:
        try:
            return (await house.demonstration_staff(name)).token
        except HttpRefused as error:
            if error.status != 403:
                raise
        password = click.prompt(f"Password of {name}", hide_input=True, err=True)
    return (await house.log_on(name, password, device=device)).token


def _secret(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_SECRET_BYTES).decode().strip()
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise click.UsageError(f"{path}: {why}") from error


def _keep(path: Path, token: str) -> None:
    """Write the token for nobody else to read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{token}\n")
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from error


async def _converse(asked: _ClientOptions, table: TableConnection) -> bool:
    """Print what the house says and ask what the lines say, until the end."""
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
    from croupier.cli.client_text import ClientText
    from croupier.protocol.answers import write_answer

    teller = ClientText()
    async for message in table.messages():
        line = write_answer(message).decode() if asked.as_json else teller.tell(message)
        if line is not None:
            click.echo(line)


async def _work(asked: _ClientOptions, table: TableConnection) -> bool:
    from croupier.cli.client_script import ClientScript, LineError
    from croupier.protocol.errors import CommandRefused, ProtocolProblem

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
    """Yield lines of a file, or as typed; a thread waits for those, not the loop."""
    if script is not None:
        for line in (await asyncio.to_thread(script.read_text, "utf-8")).splitlines():
            yield line
        return
    waiting: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(line: str | None) -> None:
        with suppress(RuntimeError):  # the loop is over
            loop.call_soon_threadsafe(waiting.put_nowait, line)

    threading.Thread(target=_read, args=(put,), daemon=True).start()
    while (typed := await waiting.get()) is not None:
        yield typed


def _read(put: Callable[[str | None], None]) -> None:
    """Put each line typed; Python's end does not wait for this file object."""
    try:
        stream: TextIO = open(  # noqa: SIM115
            sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False
        )
    except OSError:
        stream = sys.stdin
    for line in stream:
        put(line)
    put(None)
