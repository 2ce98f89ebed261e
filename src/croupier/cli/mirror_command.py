"""`croupier mirror`: a verified copy of a house's journal, audited elsewhere."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from subprocess import DEVNULL, Popen
from time import monotonic, sleep
from typing import NoReturn

import click

from croupier.cli.client_command import keep_token, read_token
from croupier.cli.options import EXISTING_FILE, FILE
from croupier.cli.output import tell
from croupier.extras import needing
from croupier.journal.commit_key import commit_key_of
from croupier.journal.mirror import JournalPart, Mirror, MirrorBroken, MirrorPlace
from croupier.journal.signing_keys import read_public_key
from croupier.journal.stores.sqlite import SqliteStore
from croupier.protocol.errors import HouseUnreachable, HttpRefused
from croupier.protocol.http import HouseClient

_PATH = "/api/journal/part"
_LATER = frozenset({429, 502, 503, 504})
"""Statuses after which the mirror asks again."""


@click.command("mirror")
@click.argument("url", metavar="URL")
@click.argument("copy", type=FILE, metavar="FILE")
@click.option(
    "--public-key",
    type=EXISTING_FILE,
    required=True,
    metavar="FILE",
    help="The key that the house signed its log with when the mirror began.",
)
@click.option(
    "--device-token-file",
    "token_file",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The token of this mirror.",
)
@click.option(
    "--pair", metavar="CODE", help="Enrol (croupier house mirror); keep the token."
)
@click.option(
    "--every",
    type=click.FloatRange(0.05, 3_600),
    default=1,
    show_default=True,
    metavar="SECONDS",
    help="The pause between two requests.",
)
@click.option(
    "--audit-every",
    type=click.FloatRange(0.05, 24 * 60),
    default=10,
    show_default=True,
    metavar="MINUTES",
    help="The pause between two audits.",
)
@click.pass_context
def mirror_command(
    ctx: click.Context,
    url: str,
    copy: Path,
    *,
    public_key: Path,
    token_file: Path,
    pair: str | None,
    every: float,
    audit_every: float,
) -> None:
    """Keep a verified copy of the journal of the house at URL.

    FILE is a journal that every other command can read. The mirror takes no event that
    is unsigned or does not continue the copy, and it audits the copy at intervals.

    Exit status 1 if the house shows another history, or an audit has findings.
    Example: croupier mirror --help
    """
    with needing("audit", "numpy"):
        house = HouseClient(url)
    if pair is not None:
        keep_token(token_file, asyncio.run(house.pair(pair)).token)
    token, key = read_token(token_file), read_public_key(public_key)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with SqliteStore(copy) as store, _Audits(copy, audit_every * 60) as audits:
            store.commit_key = commit_key_of()
            _follow(house, Mirror(store, key), token, audits, every)
    except MirrorBroken as error:
        tell(f"croupier: {error}")
        ctx.exit(1)


def _follow(
    house: HouseClient, mirror: Mirror, token: str, audits: _Audits, every_s: float
) -> NoReturn:
    told = ""
    while True:
        try:
            asked = house.post(_PATH, mirror.place(), JournalPart, token=token)
            part = asyncio.run(asked)
        except (HouseUnreachable, HttpRefused) as error:
            if isinstance(error, HttpRefused) and error.status not in _LATER:
                raise
            if str(error) != told:
                tell(f"croupier: {error}")
            told = str(error)
            sleep(every_s)
            continue
        told = ""
        mirror.take(part)
        if not part.has_more:
            if part.streams:
                _tell_place(mirror.place())
            sleep(every_s)
        audits.go_on()


def _tell_place(place: MirrorPlace) -> None:
    count = sum(place.streams.values())
    click.echo(f"the copy has {count} events, {place.log_size} entries of the log")


class _Audits:
    """Audits the copy in a process of its own, one audit after the other."""

    def __init__(self, copy: Path, every_s: float) -> None:
        self._copy, self._every_s = copy, every_s
        self._running: Popen[bytes] | None = None
        self._due = monotonic()

    def __enter__(self) -> _Audits:
        return self

    def __exit__(self, *_: object) -> None:
        if self._running is not None:
            self._running.terminate()
            self._running.wait()

    def go_on(self) -> None:
        """Begin an audit if one is due; raise `MirrorBroken` if one was not clean."""
        if self._running is None and monotonic() >= self._due:
            command = (sys.executable, "-m", "croupier", "audit", str(self._copy))
            self._running = Popen(command, stdout=DEVNULL)  # noqa: S603
        elif self._running is not None and self._running.poll() is not None:
            status, self._running = self._running.returncode, None
            self._due = monotonic() + self._every_s
            if status != 0:
                raise MirrorBroken(f"croupier audit {self._copy} is not clean")
            click.echo("audited: clean")
