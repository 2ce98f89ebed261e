"""`croupier witness`: sign the checkpoints of houses; refuse a second history."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import time
from typing import Any

import click

from croupier.cli.options import FILE, PATH
from croupier.journal.log.notes import (
    ED25519,
    BadNote,
    VerifierKey,
    is_key_name,
    witness_key,
)
from croupier.journal.log.witness import Witness, WitnessAnswer
from croupier.journal.signing_keys import read_private_key

_LARGEST = 100_000
_WITHIN_S = 10


@click.command("witness")
@click.argument("state", type=FILE, metavar="FILE")
@click.option(
    "--key", type=PATH, required=True, metavar="FILE", help="The private key."
)
@click.option(
    "--name",
    required=True,
    metavar="NAME",
    help="The witness's name in each signature, such as regulator.example/w1.",
)
@click.option(
    "--log",
    "logs",
    required=True,
    multiple=True,
    metavar="KEY",
    help="A log's key in one line (croupier journal keys). May be repeated.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
def witness_command(
    state: Path, *, key: Path, name: str, logs: tuple[str, ...], host: str, port: int
) -> None:
    """Sign the checkpoints of houses; refuse a second history.

    FILE keeps the last checkpoint of each log. A house asks this witness with
    croupier serve --witness KEY URL; the key is printed at the start.

    Example: croupier witness --help
    """
    if not is_key_name(name):
        raise click.UsageError(f"--name {name}: a name has no spaces and no +")
    private = read_private_key(key)
    with closing(Witness(state, name, private, map(_log, logs), time)) as witness:
        try:
            server = ThreadingHTTPServer((host, port), _handler(witness))
        except OSError as error:
            where = f"{host}:{port}"
            raise click.ClickException(
                f"{where} can't be served: {error.strerror}"
            ) from error
        with server:
            address = f"http://{host}:{server.server_port}"
            public = witness_key(name, private.public_key()).text
            click.echo(f"The witness {public} is at {address}")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                return


def _log(text: str) -> VerifierKey:
    try:
        found = VerifierKey.read(text)
    except BadNote as error:
        raise click.UsageError(f"--log {text}: {error}") from error
    if found.type != ED25519:
        raise click.UsageError(f"--log {text}: this is not the key of a log")
    return found


def _handler(witness: Witness) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers `POST /add-checkpoint`."""

        timeout = _WITHIN_S

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint":
                self.send_error(404)
            elif not length.isdecimal() or int(length) > _LARGEST:
                self.send_error(413)
            else:
                body = self.rfile.read(int(length)).decode(errors="replace")
                self._answer(witness.add_checkpoint(body))

        def _answer(self, answer: WitnessAnswer) -> None:
            content = answer.text.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Write nothing to standard error."""

    return Handler
