"""`croupier serve`: a house of tables over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, Self, TypeVar

import click

from croupier import __version__
from croupier.cli.house_command import read_plan
from croupier.cli.options import (
    EXISTING_FILE,
    EXISTING_FOLDER,
    checkpoints_from_option,
)
from croupier.cli.server_log import with_server_log
from croupier.house.configuration.changes import apply_file
from croupier.house.configuration.setup import (
    demonstration_plan,
    has_house,
    prepare,
)
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.people.second_factor import read_factor_key
from croupier.house.reasons import HouseReason
from croupier.house.records.copies import check_copy
from croupier.house.records.house_record import now_ms, read_house_state
from croupier.house.records.key_rotation import check_signing_key
from croupier.house.records.log_signing import (
    SigningOptions,
    WitnessPlace,
    read_latest_checkpoints,
)
from croupier.house.records.software_note import (
    NotSigned,
    SoftwareWord,
    expect_software,
)
from croupier.house.records.start_check import check_start
from croupier.journal.events.plan import HousePlan, HouseSettings, Money
from croupier.journal.findings import table_line
from croupier.journal.log.notes import COSIGNATURE, BadNote, Note, VerifierKey
from croupier.journal.signing_keys import read_private_key
from croupier.journal.store import NoSuchJournal, ServerAway, Store
from croupier.journal.stores import open_leased, open_node, open_store
from croupier.web.security.hosts import is_loopback
from croupier.web.security.middleware import SecurityOptions
from croupier.web.server import (
    STATUS_CANT_GO_ON,
    ServedJournal,
    ServerOptions,
    listen,
    serve,
)

T = TypeVar("T")
_FIRST_PORT = 8000
_WAIT_S, _WAIT_EVERY_S = 60.0, 2.0
"""A start waits this long for the server of its database."""
_FIRST_ROUNDS = 10
"""Rounds played at each demonstration table before it opens: it has outcomes."""
_FILE = EXISTING_FILE
_HOUSE_IS_THERE = "there is a house here already: start it without --create"
_CHECKPOINTS_OF_ANOTHER = "{} has the checkpoints of another house: name another file"
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
    "the database has no synchronous standby: acknowledged events are lost with its"
    " disk (docs: operating, PostgreSQL fails over)"
)
_NO_HOUSE = "this journal has no house: --create begins one"
_NODE_ALONE = (
    "a node serves an existing house: --house, --create, --apply and --demonstration"
    " go without --node"
)
_NODE_FROZEN = "{}. A node writes the journal: without --node it can be read"


@click.command("serve")
@click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://…; without it, a temporary file.",
)
@click.option(
    "--house", type=_FILE, metavar="FILE", help="The house file that seeds a new house."
)
@click.option(
    "--create",
    is_flag=True,
    help="Create the house from its file, if there is none; not for real money.",
)
@click.option(
    "--apply",
    "apply_by",
    metavar="NAME",
    help="Apply an edited house file, as an act of this member of staff.",
)
@click.option(
    "--demonstration",
    is_flag=True,
    help="A table of each game, virtual wheels and automatic dealers.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="8000, or any free port, if not given; 0 is any free port.",
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
    help="Signs the log of the house every few seconds (croupier journal key).",
)
@click.option(
    "--approved",
    nargs=2,
    type=(_FILE, str),
    metavar="FILE KEY",
    help="Open for reading only unless a laboratory's note approves the software.",
)
@click.option(
    "--installed",
    nargs=2,
    type=(_FILE, str),
    metavar="FILE KEY",
    help="The signed record of who installed the software, for the journal.",
)
@click.option(
    "--second-factor-key",
    type=_FILE,
    metavar="FILE",
    help="Seals the secrets of second factors (croupier house second-factor key).",
)
@click.option(
    "--checkpoints-to",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Keep checkpoints of the log in this file too. May be repeated.",
)
@checkpoints_from_option
@click.option(
    "--checkpoints-every",
    type=click.FloatRange(0.01, 24 * 60),
    default=10,
    show_default=True,
    metavar="MINUTES",
    help="Write the ends of all streams to the log this often, if anything changed.",
)
@click.option(
    "--public-log", is_flag=True, help="Publish the log under /log/, without a log-on."
)
@click.option(
    "--witness",
    "witnesses",
    nargs=2,
    multiple=True,
    metavar="KEY URL",
    help="Ask this witness to sign every checkpoint. May be repeated.",
)
@click.option(
    "--quorum",
    type=click.IntRange(0),
    metavar="COUNT",
    help="The number of witnesses that must sign; all if not given.",
)
@click.option(
    "--missing-to",
    type=EXISTING_FOLDER,
    default=".",
    show_default=True,
    metavar="FOLDER",
    help="Keep here the acknowledged events that a promoted PostgreSQL server lacks.",
)
@click.option(
    "--node",
    metavar="NAME",
    help="Serve the house as one of several nodes, on PostgreSQL: each has some of the"
    " tables.",
)
@click.option(
    "--log",
    "log_form",
    type=click.Choice(["console", "json"]),
    default="console",
    show_default=True,
    help="The form of the log on standard error.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="The lowest level that is logged.",
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
    approved: tuple[Path, str] | None,
    installed: tuple[Path, str] | None,
    second_factor_key: Path | None,
    checkpoints_to: tuple[Path, ...],
    checkpoints_from: tuple[Path, ...],
    checkpoints_every: float,
    witnesses: tuple[tuple[str, str], ...],
    quorum: int | None,
    public_log: bool,
    missing_to: Path,
    node: str | None,
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
    if (checkpoints_to or witnesses) and signing_key is None:
        raise click.UsageError(
            "checkpoints are signed: --checkpoints-to and --witness need a"
            " --signing-key"
        )
    if create and (house is None or database is None):
        raise click.UsageError("a new house needs a --database and its --house file")
    if node is not None and (house or apply_by or demonstration or create):
        raise click.UsageError(_NODE_ALONE)
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
        signing_key=None if signing_key is None else read_private_key(signing_key),
        factor_key=None
        if second_factor_key is None
        else read_factor_key(second_factor_key),
        public_log=public_log,
        signing=SigningOptions(
            files=checkpoints_to,
            ends_every_s=checkpoints_every * 60,
            witnesses=tuple(_witness(key, url) for key, url in witnesses),
            quorum=_quorum(quorum, len(witnesses)),
        ),
        approved_by=None if approved is None else _signer(approved).name,
        installed_by=None if installed is None else _installer(installed),
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
        checkpoints_from=checkpoints_from,
        approved=approved,
    )
    if database is not None:
        _serve(database, start, options)
        return
    with TemporaryDirectory(prefix="croupier-") as folder:
        _serve(f"sqlite:{folder}/house.db", start, options)


def _plan(
    house: Path | None, demonstration: bool, tell: Callable[[str], None]
) -> HousePlan | None:
    if house is None:
        return demonstration_plan() if demonstration else None
    if demonstration:
        raise click.UsageError("choose one of --house and --demonstration")
    return read_plan(house, tell)


@dataclass(frozen=True, slots=True, kw_only=True)
class _HouseStart:
    """The house to serve, and the way to apply its file first."""

    plan: HousePlan | None
    folder: Path | None
    """The folder of the rules files of its tables."""
    apply_by: str | None
    create: bool | None
    """True: there must be no house yet. False: there must be one. None: either."""
    tell: Callable[[str], None]
    """Prints a sentence for the operator."""
    node: str | None = None
    """The name of this process among several that serve the house."""
    checkpoints_from: tuple[Path, ...] = ()
    """Files with checkpoints kept outside the house."""
    approved: tuple[Path, str] | None = None
    """A note on the approved software, and its signer's key."""


def _serve(database: str, start: _HouseStart, options: ServerOptions) -> None:
    """Serve a house, or fail before anything is changed.

    First the address, then the lease, then the house; only then are streams claimed.
    """
    checkpoints = _handed_out(start, options)
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
        _opened(database, start) as served,
    ):
        store = served.store
        check_copy(store, checkpoints)
        _freeze_if_unsound(store, start)
        if served.node is not None and store.frozen is not None:
            raise click.ClickException(_NODE_FROZEN.format(store.frozen))
        if served.node is None and store.frozen is None:
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


def _witness(key: str, url: str) -> WitnessPlace:
    try:
        read = VerifierKey.read(key)
    except BadNote as error:
        raise click.UsageError(f"--witness {key}: {error}") from error
    if read.type != COSIGNATURE or not url.startswith(("http://", "https://")):
        raise click.UsageError(
            f"--witness {key}: the key of a witness and its address are wanted"
        )
    return WitnessPlace(read, url.rstrip("/"))


def _quorum(quorum: int | None, witnesses: int) -> int:
    if quorum is not None and quorum > witnesses:
        raise click.UsageError(f"--quorum {quorum}: there are {witnesses} witnesses")
    return witnesses if quorum is None else quorum


def _handed_out(start: _HouseStart, options: ServerOptions) -> dict[str, list[Note]]:
    """Read the checkpoints kept outside the house, by file."""
    files = [*options.signing.files, *start.checkpoints_from]
    found = {str(file): read_latest_checkpoints(file) for file in files}
    for name, signed in found.items():
        if start.create and signed:
            raise click.ClickException(_CHECKPOINTS_OF_ANOTHER.format(name))
    return found


def _freeze_if_unsound(store: Store, start: _HouseStart) -> None:
    """Freeze the journal if the software is not approved, or it does not verify."""
    if start.approved is not None:
        try:
            path, _ = start.approved
            expect_software(SoftwareWord.APPROVED, path, _signer(start.approved))
        except NotSigned as error:
            store.freeze(HouseReason.NOT_APPROVED(problem=str(error)))
    # Other nodes write while it is checked.
    with nullcontext() if start.node is None else store.at_one_moment():
        findings = check_start(store)
    if findings:
        store.freeze(HouseReason.READ_ONLY(finding=table_line(findings[0])))
    if store.frozen is not None:
        getLogger(__name__).error(str(store.frozen))


def _signer(note: tuple[Path, str]) -> VerifierKey:
    path, key = note
    try:
        return VerifierKey.read(key)
    except BadNote as error:
        raise click.UsageError(f"{path} {key}: {error}") from error


def _installer(installed: tuple[Path, str]) -> str:
    """Return the name of the installer; raises `NotSigned`."""
    signer = _signer(installed)
    expect_software(SoftwareWord.INSTALLED, installed[0], signer)
    return signer.name


def _is_unprotected(options: ServerOptions) -> bool:
    has_tls = options.tls_certificate is not None or options.proxy is not None
    is_safe = has_tls and bool(options.security.allowed_hosts)
    return not is_safe and not is_loopback(options.host)


def _check_options(house: HouseSettings | None, options: ServerOptions) -> None:
    """Refuse to serve real money unprotected, or second factors without their key."""
    if house is None:
        return
    if house.money is Money.REAL and _is_unprotected(options):
        raise click.ClickException(_NOT_PROTECTED)
    if house.second_factor and options.factor_key is None:
        raise click.ClickException(_NO_FACTOR_KEY)


class _UntilOpen:
    """Ends a start at SIGTERM with a sentence; an open house handles it itself."""

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
def _opened(database: str, start: _HouseStart) -> Iterator[ServedJournal]:
    try:
        with ExitStack() as stack:
            served = _served_journal(stack, database, start)
            is_there = start.create is not None and has_house(served.store)
            if start.create and is_there:
                raise click.ClickException(_HOUSE_IS_THERE)
            if start.create is False and not is_there:
                raise click.ClickException(_NO_HOUSE)
            yield served
    except NoSuchJournal as error:
        raise click.ClickException(f"{error}: --create begins a new house") from error


def _served_journal(
    stack: ExitStack, database: str, start: _HouseStart
) -> ServedJournal:
    name, create = start.node, start.create is not False
    if name is not None:
        node = _entered_once_there(
            stack, lambda: open_node(database, name, version=__version__)
        )
        history = stack.enter_context(node.open_again())
        return ServedJournal(node.store, None, history, node.open_again, node)
    store, lease = _entered_once_there(
        stack, lambda: open_leased(database, create=create)
    )
    again = partial(open_store, database, create=False)
    return ServedJournal(store, lease, stack.enter_context(again()), again)


def _entered_once_there(
    stack: ExitStack, open_it: Callable[[], AbstractContextManager[T]]
) -> T:
    """Open a journal; wait for its server if that does not answer, and log it."""
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
    """Begin the house, or apply its file; warn of other differences from the file.

    Staff and limits change only by recorded acts.
    """
    plan, changes = start.plan, None
    if start.apply_by is not None and plan is not None and has_house(store):
        changes = apply_file(store, now_ms, plan, start.apply_by)
        for change in changes:
            click.echo(f"applied: {change}")
    differences = prepare(store, now_ms, plan, start.folder)
    for change in differences if changes is None else ():
        getLogger(__name__).warning(
            "the house differs from its file, and stays as it is: %s", change
        )


def _run(main: Coroutine[Any, Any, T]) -> T:
    """Run by uvloop if it is installed."""
    run: Callable[[Coroutine[Any, Any, T]], T]
    try:
        from uvloop import run
    except ImportError:
        from asyncio import run
    try:
        return run(main)
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
