"""`croupier serve`: a house of tables over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from croupier.cli.house_command import read_plan
from croupier.cli.mistakes import needing
from croupier.cli.options import EXISTING_FILE
from croupier.journal.stores import open_store

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from croupier.journal.events.plan import HousePlan
    from croupier.web.server import ServerOptions

_FIRST_PORT = 8000
_FILE = EXISTING_FILE


@click.command("serve")
@click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://…; without it, a file that is thrown away.",
)
@click.option(
    "--house",
    type=_FILE,
    metavar="FILE",
    help="The house file that seeds a new house.",
)
@click.option(
    "--apply",
    "apply_by",
    metavar="NAME",
    help="Apply an edited house file, as the act of this person of the staff.",
)
@click.option(
    "--demonstration",
    is_flag=True,
    help="A table of each game, virtual wheels and automatic dealers.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Without it 8000, or any that is free; 0: any that is free.",
)
@click.option("--tls-certificate", type=_FILE, metavar="FILE", help="PEM, with chain.")
@click.option("--tls-key", type=_FILE, metavar="FILE", help="Its private key, PEM.")
@click.option(
    "--public-url", metavar="URL", help="The address that browsers use, behind a proxy."
)
@click.option("--proxy", metavar="ADDRESS", help="The proxy whose word on it is taken.")
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="HOST",
    help="A host the server answers for. May be repeated.",
)
@click.option(
    "--signing-key",
    type=_FILE,
    metavar="FILE",
    help="Signs the house head at the end of a gaming day (croupier journal key).",
)
@click.option(
    "--log",
    "log_form",
    type=click.Choice(["console", "json"]),
    default="console",
    show_default=True,
    help="How the log on standard error is written.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="The least that is logged.",
)
def serve_command(  # noqa: PLR0917 - one for each option
    database: str | None,
    house: Path | None,
    apply_by: str | None,
    demonstration: bool,
    host: str,
    port: int | None,
    tls_certificate: Path | None,
    tls_key: Path | None,
    public_url: str | None,
    proxy: str | None,
    allowed_hosts: tuple[str, ...],
    signing_key: Path | None,
    log_form: str,
    log_level: str,
) -> None:
    """Serve a house: many tables, Players, staff and devices.

    For a house to try: croupier serve --demonstration

    Example: croupier serve --help
    """
    with needing("server"):
        from croupier.web.monitoring import configure_logging
        from croupier.web.security.middleware import SecurityOptions
        from croupier.web.server import ServerOptions
    if (tls_certificate is None) is not (tls_key is None):
        raise click.UsageError("TLS needs both a certificate and its key")
    if database is None and not demonstration:
        raise click.UsageError("name a database, or ask for a --demonstration")
    plan = _plan(house, demonstration)
    configure_logging(form=log_form, level=log_level)
    options = ServerOptions(
        host=host,
        port=_FIRST_PORT if port is None else port,
        or_any_port=port is None,
        tls_certificate=str(tls_certificate) if tls_certificate else None,
        tls_key=str(tls_key) if tls_key else None,
        proxy=proxy,
        signing_key=_key(signing_key),
        security=SecurityOptions(public_url=public_url, allowed_hosts=allowed_hosts),
    )
    if database is not None:
        _serve(database, plan, apply_by, options, house.parent if house else None)
        return
    with TemporaryDirectory(prefix="croupier-") as folder:
        _serve(f"sqlite:{folder}/house.db", plan, apply_by, options)


def _key(file: Path | None) -> Ed25519PrivateKey | None:
    from croupier.journal.heads import read_private_key

    return None if file is None else read_private_key(file)


def _plan(house: Path | None, demonstration: bool) -> HousePlan | None:
    from croupier.house.configuration.setup import demonstration_plan

    if house is None:
        return demonstration_plan() if demonstration else None
    if demonstration:
        raise click.UsageError("a house file, or the demonstration, but not both")
    return read_plan(house)


def _serve(
    database: str,
    plan: HousePlan | None,
    apply_by: str | None,
    options: ServerOptions,
    folder: Path | None = None,
) -> None:
    from croupier.house.configuration.setup import apply_file, has_house, prepare
    from croupier.web.server import now_ms, serve

    with open_store(database) as store:
        if apply_by is not None and plan is not None and has_house(store):
            for change in apply_file(store, now_ms, plan, apply_by):
                click.echo(f"applied: {change}")
        prepare(store, now_ms, plan, folder)
    try:
        _run(serve(database, options, _announce))
    except OSError as error:
        where = f"{options.host}:{options.port}"
        raise click.ClickException(f"{where} can't be served: {error.strerror}") from (
            error
        )


def _run(main: object) -> None:
    """Run by uvloop where there is one."""
    try:
        from uvloop import run
    except ImportError:
        from asyncio import run  # type: ignore[assignment]
    try:
        run(main)  # type: ignore[arg-type]
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)


def _announce(address: str) -> None:
    click.echo(f"The house is open at {address}")
