"""`croupier serve`: a house of tables over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, Self, TypeVar

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier import __version__
from croupier.cli.house_command import read_plan
from croupier.cli.options import (
    EXISTING_FILE,
    EXISTING_FOLDER,
    heads_from_option,
)
from croupier.cli.server_log import with_server_log
from croupier.house.configuration.setup import (
    apply_file,
    demonstration_plan,
    has_house,
    prepare,
)
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.people.second_factor import FactorKey, read_factor_key
from croupier.house.reasons import HouseReason
from croupier.house.records.copies import check_copy
from croupier.house.records.head_delivery import HeadPlace, read_latest_heads
from croupier.house.records.house_record import read_house_state
from croupier.house.records.key_rotation import check_signing_key
from croupier.house.records.start_check import check_start
from croupier.journal.events.plan import HousePlan, HouseSettings, Money
from croupier.journal.findings import table_line
from croupier.journal.heads import SignedHead
from croupier.journal.signing_keys import read_private_key
from croupier.journal.store import NoSuchJournal, ServerAway, Store
from croupier.journal.stores import open_leased, open_node, open_store
from croupier.web.security.hosts import is_loopback
from croupier.web.security.middleware import SecurityOptions
from croupier.web.server import (
    ServedJournal,
    ServerOptions,
    address_of,
    listen,
    now_ms,
    serve,
)
from croupier.web.stop_deadline import STATUS_CANT_GO_ON

T = TypeVar("T")
_FIRST_PORT = 8000
_WAIT_S, _WAIT_EVERY_S = 60.0, 2.0
"""So long a start waits for the server of its database."""
_FIRST_ROUNDS = 10
"""Of each table of the demonstration, so that its first visitor sees outcomes."""
_FILE = EXISTING_FILE
_HOUSE_IS_THERE = "there is a house here already: start it without --create"
_HEADS_OF_ANOTHER = "{} has the heads of another house: name another file"
_NOT_PROTECTED = (
    "a house for real money listens beyond this machine only with TLS"
    " (--tls-certificate) or behind a named --proxy, and with an --allowed-host"
)
_NOT_CREATED = (
    "a house for real money is begun with croupier house create, which sets its first"
    " password"
)
_NO_FACTOR_KEY = (
    "this house asks for a second factor: give the key that seals them"
    " (--second-factor-key, made by croupier house second-factor key)"
)
_NO_STANDBY = (
    "the database has no synchronous standby: what was acknowledged is lost with its"
    " disk (docs: operating, PostgreSQL fails over)"
)
_NO_HOUSE = "this journal has no house: --create begins one"
_NODE_ALONE = (
    "a node serves a house that is there: --house, --create, --apply and"
    " --demonstration are for one process alone"
)
_NODE_ADDRESS = (
    "a --node has an --address at which the others reach it: http:// or https://, a"
    " host and a port"
)
_NODE_FROZEN = (
    "the journal does not verify, and a node writes it: without --node it can be read"
)
_ADDRESS = re.compile(r"https?://[^/\s?#@]+/?")
_ANYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - no address at which anybody is reached


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
    "--create",
    is_flag=True,
    help="Begin a new house from its file, if there is none and no real money in it.",
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
    help="Signs heads of the journal, at least at the end of a gaming day"
    " (croupier journal key).",
)
@click.option(
    "--second-factor-key",
    type=_FILE,
    metavar="FILE",
    help="Seals the secrets of second factors (croupier house second-factor key).",
)
@click.option(
    "--heads-to",
    multiple=True,
    metavar="PLACE",
    help="Hand signed heads out: to a file, an address that takes a POST, or - for"
    " standard output. May be repeated.",
)
@heads_from_option
@click.option(
    "--heads-every",
    type=click.FloatRange(0.01, 24 * 60),
    default=10,
    show_default=True,
    metavar="MINUTES",
    help="How often a head is signed for --heads-to, if anything was recorded.",
)
@click.option(
    "--missing-to",
    type=EXISTING_FOLDER,
    default=".",
    show_default=True,
    metavar="FOLDER",
    help="Keep acknowledged events here that a promoted PostgreSQL server lacks.",
)
@click.option(
    "--node",
    metavar="NAME",
    help="Serve the house as one of several nodes, on PostgreSQL: each has some of the"
    " tables.",
)
@click.option(
    "--address",
    metavar="URL",
    help="Where the other nodes and clients reach this one; without it, where it"
    " listens.",
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
@with_server_log
def serve_command(  # noqa: PLR0917 - one for each option
    database: str | None,
    house: Path | None,
    create: bool,
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
    second_factor_key: Path | None,
    heads_to: tuple[str, ...],
    heads_from: tuple[Path, ...],
    heads_every: float,
    missing_to: Path,
    node: str | None,
    address: str | None,
    tell: Callable[[str], None],
) -> None:
    """Serve a house: many tables, Players, staff and devices.

    For a house to try: croupier serve --demonstration

    Example: croupier serve --help
    """
    if (tls_certificate is None) is not (tls_key is None):
        raise click.UsageError("TLS needs both a certificate and its key")
    if database is None and not demonstration:
        raise click.UsageError("name a database, or ask for a --demonstration")
    if heads_to and signing_key is None:
        raise click.UsageError("heads are signed: --heads-to needs a --signing-key")
    if create and (house is None or database is None):
        raise click.UsageError("a new house needs a --database and its --house file")
    if node is not None and (house or apply_by or demonstration or create):
        raise click.UsageError(_NODE_ALONE)
    if address is not None and (node is None or not _ADDRESS.fullmatch(address)):
        raise click.UsageError(_NODE_ADDRESS)
    plan = _plan(house, demonstration, tell)
    if create and plan is not None and plan.house.money is Money.REAL:
        raise click.UsageError(_NOT_CREATED)
    options = ServerOptions(
        host=host,
        port=_FIRST_PORT if port is None else port,
        or_any_port=port is None,
        tls_certificate=str(tls_certificate) if tls_certificate else None,
        tls_key=str(tls_key) if tls_key else None,
        proxy=proxy,
        signing_key=_key(signing_key),
        factor_key=_factor_key(second_factor_key),
        heads_to=tuple(map(HeadPlace, heads_to)),
        heads_seconds=heads_every * 60,
        missing_to=missing_to,
        security=SecurityOptions(public_url=public_url, allowed_hosts=allowed_hosts),
        pace=Pace(first_rounds=_FIRST_ROUNDS if demonstration else 0),
    )
    if plan is not None:
        _check_options(plan.house, options)
    start = _HouseStart(
        plan=plan,
        folder=house.parent if house else None,
        apply_by=apply_by,
        create=None if demonstration else create,
        tell=tell,
        node=node,
        address=address,
        heads_from=heads_from,
    )
    if database is not None:
        _serve(database, start, options)
        return
    with TemporaryDirectory(prefix="croupier-") as folder:
        _serve(f"sqlite:{folder}/house.db", start, options)


def _key(file: Path | None) -> Ed25519PrivateKey | None:
    return None if file is None else read_private_key(file)


def _factor_key(file: Path | None) -> FactorKey | None:
    return None if file is None else read_factor_key(file)


def _plan(
    house: Path | None, demonstration: bool, tell: Callable[[str], None]
) -> HousePlan | None:
    if house is None:
        return demonstration_plan() if demonstration else None
    if demonstration:
        raise click.UsageError("a house file, or the demonstration, but not both")
    return read_plan(house, tell)


@dataclass(frozen=True, slots=True, kw_only=True)
class _HouseStart:
    """The house to serve, and what to do with its file first."""

    plan: HousePlan | None
    folder: Path | None
    """Where the rules files of its tables are looked for."""
    apply_by: str | None
    create: bool | None
    """Whether there must be no house yet, or must be one; None: either will do."""
    tell: Callable[[str], None]
    """Says a sentence to whoever starts it."""
    node: str | None = None
    """The name of this process among several that serve the house."""
    address: str | None = None
    """Where the others reach it, if not where it listens."""
    heads_from: tuple[Path, ...] = ()
    """Copies of the heads that the house has handed out."""


def _serve(database: str, start: _HouseStart, options: ServerOptions) -> None:
    """Serve a house; what stands in the way is found out before anything is changed.

    First the address, then the lease, then the house; only then are streams claimed.
    """
    heads = _handed_out(start, options)
    try:
        listener = listen(options)
    except OSError as error:
        where = f"{options.host}:{options.port}"
        raise click.ClickException(f"{where} can't be served: {error.strerror}") from (
            error
        )
    with (
        listener,
        _UntilOpen(start.tell) as until_open,
        _opened(database, start, options, listener) as served,
    ):
        store = served.store
        check_copy(store, heads)
        is_only_read = _is_only_read(store, is_node=start.node is not None)
        if served.node is not None and is_only_read:
            raise click.ClickException(_NODE_FROZEN)
        if served.node is None and not is_only_read:
            _prepare(store, start)
        if store.lacks_standby():
            getLogger(__name__).warning(_NO_STANDBY)
        state = read_house_state(store)
        _check_options(state.house, options)
        if options.signing_key is not None:
            check_signing_key(state, options.signing_key)
        lost = _run(serve(served, listener, options, until_open.announce))
    if lost is not None:
        sys.exit(STATUS_CANT_GO_ON)


def _handed_out(
    start: _HouseStart, options: ServerOptions
) -> dict[str, list[SignedHead]]:
    """Read the heads that have left the house, by file."""
    files = [each.file for each in options.heads_to if each.file is not None]
    files += start.heads_from
    heads = {str(file): read_latest_heads(file) for file in files}
    for name, signed in heads.items():
        if start.create and signed:
            raise click.ClickException(_HEADS_OF_ANOTHER.format(name))
    return heads


def _is_only_read(store: Store, *, is_node: bool) -> bool:
    """Check the journal; one that does not verify is not written any more."""
    # Other nodes write while it is checked.
    with store.at_one_moment() if is_node else nullcontext():
        findings = check_start(store)
    if findings:
        store.freeze(HouseReason.READ_ONLY(finding=table_line(findings[0])))
        getLogger(__name__).error(str(store.frozen))
    return bool(findings)


def _is_unprotected(options: ServerOptions) -> bool:
    """Return whether a network is served in clear, or under any name."""
    has_tls = options.tls_certificate is not None or options.proxy is not None
    is_safe = has_tls and bool(options.security.allowed_hosts)
    return not is_safe and not is_loopback(options.host)


def _check_options(house: HouseSettings | None, options: ServerOptions) -> None:
    """Refuse to serve a house without what it needs."""
    if house is None:
        return
    if house.money is Money.REAL and _is_unprotected(options):
        raise click.ClickException(_NOT_PROTECTED)
    if house.second_factor and options.factor_key is None:
        raise click.ClickException(_NO_FACTOR_KEY)


class _UntilOpen:
    """Lets SIGTERM end a start with a sentence; an open house stops in its own way."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._is_open = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGTERM, self._stop)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGTERM, self._before)

    def announce(self, address: str) -> None:
        self._is_open = True
        click.echo(f"The house is open at {address}")

    def _stop(self, *_: object) -> None:
        if not self._is_open:
            self._tell("croupier: stopped before the house was open")
            sys.exit(0)


@contextmanager
def _opened(
    database: str, start: _HouseStart, options: ServerOptions, listener: socket
) -> Iterator[ServedJournal]:
    try:
        with ExitStack() as stack:
            if start.node is None:
                served = _opened_alone(
                    stack, database, create=start.create is not False
                )
            else:
                address = _node_address(start, options, listener)
                served = _opened_as_node(stack, database, start.node, address)
            is_there = start.create is not None and has_house(served.store)
            if start.create and is_there:
                raise click.ClickException(_HOUSE_IS_THERE)
            if start.create is False and not is_there:
                raise click.ClickException(_NO_HOUSE)
            yield served
    except NoSuchJournal as error:
        raise click.ClickException(f"{error}: --create begins a new house") from error


def _opened_alone(stack: ExitStack, database: str, *, create: bool) -> ServedJournal:
    store, lease = _entered_once_there(
        stack, lambda: open_leased(database, create=create)
    )
    return ServedJournal(store, lease, lambda: open_store(database, create=False))


def _opened_as_node(
    stack: ExitStack, database: str, name: str, address: str
) -> ServedJournal:
    node = _entered_once_there(
        stack, lambda: open_node(database, name, address=address, version=__version__)
    )
    return ServedJournal(node.store, None, node.open_again, node)


def _node_address(start: _HouseStart, options: ServerOptions, listener: socket) -> str:
    """Return where the other nodes reach this one."""
    if start.address is not None:
        return start.address.rstrip("/")
    if options.host in _ANYWHERE:
        raise click.UsageError(_NODE_ADDRESS)
    return address_of(listener, options)


def _entered_once_there(
    stack: ExitStack, open_it: Callable[[], AbstractContextManager[T]]
) -> T:
    """Open a journal; wait for its server where that does not answer, and say so."""
    log = getLogger(__name__)
    end = monotonic() + _WAIT_S
    while True:
        try:
            return stack.enter_context(open_it())
        except ServerAway as error:
            if monotonic() > end:
                raise
            log.warning("waiting for the database: %s", error)
        sleep(_WAIT_EVERY_S)


def _prepare(store: Store, start: _HouseStart) -> None:
    """Begin the house, or change it as its file says; warn of what is otherwise.

    Staff and limits change by recorded acts: the house has the last word.
    """
    plan = start.plan
    if start.apply_by is not None and plan is not None and has_house(store):
        for change in apply_file(store, now_ms, plan, start.apply_by):
            click.echo(f"applied: {change}")
    for change in prepare(store, now_ms, plan, start.folder):
        getLogger(__name__).warning(
            "the house is not as its file has it, and stays as it is: %s", change
        )


def _run(main: Coroutine[Any, Any, T]) -> T:
    """Run by uvloop where there is one."""
    run: Callable[[Coroutine[Any, Any, T]], T]
    try:
        from uvloop import run
    except ImportError:
        from asyncio import run
    try:
        return run(main)
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
