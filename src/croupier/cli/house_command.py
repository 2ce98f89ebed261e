"""`croupier house`: a house's file and its passwords, at the machine of its journal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import TypeVar

import click

from croupier.cli.mistakes import check_staff
from croupier.cli.node_commands import drain_command, move_command, nodes_command
from croupier.cli.options import (
    EXISTING_FILE,
    FilePath,
    heads_from_option,
    json_option,
)
from croupier.cli.output import print_columns, print_json, tell
from croupier.games import find_game, is_approved
from croupier.house.configuration.differences import differences
from croupier.house.configuration.house_file import HouseFileError, read_house_file
from croupier.house.configuration.setup import (
    FirstLogOn,
    check_first,
    create_house,
    demonstration_text,
    plan_of,
)
from croupier.house.people import staff
from croupier.house.people.authority import (
    HOLDINGS,
    POSITIONS,
    authority_of,
    separations_of,
    table_of,
    who_may,
)
from croupier.house.people.devices import CODE_MINUTES, invite_unasked
from croupier.house.people.limited_accounts import is_limited, without_reset
from croupier.house.people.second_factor import make_factor_key, reset_unasked
from croupier.house.people.staff import (
    remove_unasked,
    set_password_unasked,
    unlock_unasked,
)
from croupier.house.records.copies import check_copy, expect_same_house, restore_house
from croupier.house.records.head_delivery import read_latest_heads
from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.journal.events.plan import Authority, Duty, HousePlan, Money
from croupier.journal.findings import table_line
from croupier.journal.store import Store
from croupier.journal.stores import open_leased, open_store
from croupier.journal.verification import verify
from croupier.web.server import now_ms

WordT = TypeVar("WordT", bound=Enum)
_file = click.argument("file", type=EXISTING_FILE, metavar="FILE")
_database = click.option(
    "--database", required=True, metavar="URL", help="sqlite:///FILE or postgresql://…"
)


@click.group("house")
def house_command() -> None:
    """Check a house file, create a house, manage it at its machine.

    Example: croupier house sample
    """


@house_command.command("sample")
def sample() -> None:
    """Print the house file of the demonstration house, to start from.

    Example: croupier house sample
    """
    click.echo(demonstration_text(), nl=False)


@house_command.command("check")
@_file
def check(file: Path) -> None:
    """Read a house file and name everything that is wrong with it, by path.

    Example: croupier house check house.toml
    """
    plan = read_plan(file)
    tables, staff = len(plan.tables), len(plan.staff)
    house = f"{plan.house.name}: {plan.house.money.value} money"
    click.echo(f"{house}, {tables} tables, {staff} staff")
    for table in plan.tables:
        if not is_approved(find_game(table.game)):
            click.echo(f"{table.name} plays {table.game}: not an approved game")
    names = ", ".join(without_reset(plan))
    if names and plan.house.money is Money.REAL:
        click.echo(
            f"too few people to set the password of {names}: it takes two others who"
            " manage staff, and a third who vouches; without them it is set at the"
            " machine (croupier house password)"
        )


@house_command.command("compare")
@_file
@_database
def compare(file: Path, database: str) -> None:
    """Show how an edited house file differs from the house; exit 1 if it does.

    Example: croupier house compare house.toml --database sqlite:///house.db
    """
    plan = read_plan(file)
    with open_store(database, create=False) as store:
        changes = differences(plan_of(store), plan)
    for change in changes:
        click.echo(str(change))
    if changes:
        sys.exit(1)
    click.echo("the house is as its file has it")


@house_command.command("create")
@_file
@_database
@click.option(
    "--first",
    "first",
    required=True,
    multiple=True,
    metavar="NAME",
    help="Somebody who logs on first. The first of them manages staff and devices.",
)
@click.option(
    "--station",
    default="station 1",
    show_default=True,
    metavar="NAME",
    help="The desk where they do.",
)
def create(file: Path, database: str, first: tuple[str, ...], station: str) -> None:
    """Begin a house from its file, up to its first log-on.

    The first people type their own passwords, one after another, or they are read from
    standard input, a line each. Name two who manage staff and a third who vouches:
    these three can let everybody else in. The pairing code that is printed enrols the
    station at which it is used, once the house is served.

    Example: croupier house create house.toml --first Mira --first Noor --first Omar
    --database sqlite:///house.db
    """
    plan = read_plan(file)
    log_on = FirstLogOn({name: _asked_password(name) for name in first}, station)
    check_first(plan, log_on)  # before there is a file of a journal
    with open_leased(database, create=True) as (store, _):
        code = create_house(store, now_ms, plan, file.parent, log_on)
    click.echo(f"{plan.house.name} is created; {', '.join(first)} can log on")
    _tell_code(station, code)


@house_command.command("restore")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who restores it.")
@click.option("--why", required=True, metavar="TEXT", help="What happened.")
@click.option(
    "--retires",
    metavar="URL",
    help="The database that was the house: it does not open any more.",
)
@heads_from_option
def restore(
    database: str, by: str, why: str, retires: str | None, heads_from: tuple[Path, ...]
) -> None:
    """Make a restored journal the house, and no other copy of it.

    The journal is verified first. The restore is recorded, and every head is signed
    under a new incarnation from then on. Servers of both databases are stopped before.

    Example: croupier house restore --by Mira --why "disk lost" --heads-from house.heads
    --retires sqlite:///old.db --database sqlite:///house.db
    """
    heads = [head for file in heads_from for head in read_latest_heads(file)]
    with open_leased(database) as (store, _), ExitStack() as opened:
        check_staff(_verified_state(store), by)
        before = None
        if retires is not None:
            old, _ = opened.enter_context(open_leased(retires))
            expect_same_house(store, old)
            before = _record_of(old)
        restored = restore_house(_record_of(store), by, why, heads, before)
    lacks = f", and lacks {restored.missing:,} events" if restored.missing else ""
    click.echo(f"this journal is the house now, as {restored.incarnation}{lacks}")
    if retires is not None:
        click.echo("the database before it does not open any more")


def _verified_state(store: Store) -> HouseState:
    findings = verify(store, folds=house_folds()).findings
    if findings:
        raise click.ClickException(
            f"this journal does not verify ({table_line(findings[0])}): restore one"
            " that does"
        )
    return read_house_state(store)


@house_command.command("station")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who gives it out.")
def station(name: str, database: str, by: str) -> None:
    """Print a pairing code for a station, where none is left to ask for one.

    It is refused while a server has the house open.

    Example: croupier house station "station 2" --by Mira --database sqlite:///house.db
    """
    with house_not_served(database, by) as record:
        code = invite_unasked(record, by, name, DeviceKind.STATION, None)
    _tell_code(name, code)


def _tell_code(station: str, code: str) -> None:
    within = f"within {CODE_MINUTES} minutes"
    click.echo(f"the pairing code of {station}, to be used {within}: {code}")


@house_command.command("password")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who sets it.")
def password(name: str, database: str, by: str) -> None:
    """Set somebody's temporary password, asked for or read from standard input.

    For a house with too few people to do it while it is served; it is refused while a
    server has the house open. The account is limited until its owner has chosen a
    password beside a manager other than who set it. If the owner sets it and nobody is
    left who could vouch, as after a restore, it is their own at once.

    Example: croupier house password Mira --by Mira --database sqlite:///house.db
    """
    with house_not_served(database, name, by) as record:
        set_password_unasked(record, by, name, _asked_password(name))
        limited = is_limited(record.state, name)
    until = ": they choose their own beside a manager" if limited else ""
    click.echo(f"the password of {name} is set{until}")


@house_command.command("unlock")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who unlocks it.")
def unlock(name: str, database: str, by: str) -> None:
    """Unlock an account after too many wrong passwords or PINs.

    For when nobody is left who could in the house itself. It is refused while a server
    has the house open; there a lock ends by itself, after half an hour at most.

    Example: croupier house unlock Mira --by Mira --database sqlite:///house.db
    """
    with house_not_served(database, by) as record:
        unlock_unasked(record, by, name)
    click.echo(f"{name} is unlocked")


@house_command.group("second-factor")
def second_factor() -> None:
    """Make the key of second factors, or take away somebody's that is lost.

    Example: croupier house second-factor reset --help
    """


@second_factor.command("key")
@click.argument("path", type=FilePath(), metavar="FILE")
def make_key(path: Path) -> None:
    """Make the key with which a house seals the secrets of second factors.

    It is read by its owner alone. Keep it apart from the journal.

    Example: croupier house second-factor key factors.key
    """
    make_factor_key(path)
    click.echo(f"wrote {path}: croupier serve --second-factor-key {path}")


@second_factor.command("reset")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who resets it.")
def reset_second_factor(name: str, database: str, by: str) -> None:
    """Take away somebody's second factor, so that they can enrol another.

    For a phone that is lost. Before they do anything else, they choose a password
    beside a manager other than who resets it. It is refused while a server has the
    house open.

    Example: croupier house second-factor reset Mira --by Max --database
    sqlite:///house.db
    """
    with house_not_served(database, name, by) as record:
        reset_unasked(record, by, name)
    click.echo(f"the second factor of {name} is reset: they enrol another")


@house_command.group("staff")
def staff_group() -> None:
    """Define or remove staff where there is no second person.

    Example: croupier house staff define Nina --position Dealer --by Mira \
    --database sqlite:///house.db
    """


@staff_group.command("define")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who defines them.")
@click.option(
    "--position",
    "positions",
    multiple=True,
    metavar="POSITION",
    help='Such as Dealer or "Pit Supervisor"; as often as needed.',
)
@click.option(
    "--duty",
    "duties",
    multiple=True,
    metavar="DUTY",
    help="cashier, inspector, administrator or attendant; as often as needed.",
)
def define(
    name: str,
    database: str,
    by: str,
    positions: tuple[str, ...],
    duties: tuple[str, ...],
) -> None:
    """Define somebody of the staff, new or known, without a second person.

    For a house in which one person alone manages staff: in the house itself it takes
    two. It is refused while a server has the house open.

    Example: croupier house staff define Nina --position Dealer --by Mira \
    --database sqlite:///house.db
    """
    member = staff.plan_of(
        name,
        [_word(each, POSITIONS) for each in positions],
        [_word(each, tuple(Duty)) for each in duties],
    )
    with house_not_served(database, by) as record:
        staff.define_unasked(record, by, member)
    held = ", ".join(each.value for each in (*member.positions, *member.duties))
    click.echo(f"{name} is on the staff: {held}")


@staff_group.command("remove")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="Who removes them.")
def remove(name: str, database: str, by: str) -> None:
    """Remove somebody from the staff. It is refused while a server has the house open.

    Example: croupier house staff remove Nina --by Mira --database sqlite:///house.db
    """
    with house_not_served(database, by) as record:
        remove_unasked(record, by, name)
    click.echo(f"{name} is removed from the staff")


def _word(text: str, known: tuple[WordT, ...]) -> WordT:
    """Return the position or duty that a word names."""
    for each in known:
        if each.value == text:
            return each
    words = ", ".join(each.value for each in known)
    raise click.UsageError(f"{text!r} is none of: {words}")


@house_command.command("authority")
@_database
@click.option(
    "--table", is_flag=True, help="By position and duty, and who may not be both."
)
@json_option
def authority(database: str, *, table: bool, as_json: bool) -> None:
    """Show who may do what in a house at this moment.

    Example: croupier house authority --database sqlite:///house.db
    """
    with open_store(database, create=False) as store:
        state = read_house_state(store)
    if table:
        _show_table(authority_of(state), as_json=as_json)
        return
    people = who_may(state, now_ms())
    if as_json:
        print_json({act.name.lower(): names for act, names in people.items()})
        return
    rows = [(act.value, ", ".join(names) or "nobody") for act, names in people.items()]
    print_columns(("act", "who"), rows)


def _show_table(authority: Authority, *, as_json: bool) -> None:
    rows = {}
    for act, (positions, duties) in table_of(authority).items():
        held = {each.value for each in (*positions, *duties)}
        rows[act] = [word for word in HOLDINGS if word in held]
    pairs = separations_of(authority)
    if as_json:
        acts = {act.name.lower(): words for act, words in rows.items()}
        print_json({"acts": acts, "never_together": pairs})
        return
    shown = [(act.value, ", ".join(words) or "nobody") for act, words in rows.items()]
    together = ", ".join(" with ".join(pair) for pair in pairs)
    print_columns(("act", "who"), [*shown, ("never together", together or "none")])


for _each in (nodes_command, move_command, drain_command):
    house_command.add_command(_each)


def _asked_password(name: str) -> str:
    """Ask for it twice, or read it from standard input where nobody can be asked."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    asked: str = click.prompt(
        f"Password of {name}", hide_input=True, confirmation_prompt=True, err=True
    )
    return asked


@contextmanager
def house_not_served(database: str, *staff: str) -> Iterator[HouseRecord]:
    """Open the record of a house that no server has open, for people of its staff."""
    with open_leased(database) as (store, _):
        check_copy(store, {})
        record = _record_of(store)
        check_staff(record.state, *staff)
        yield record


def _record_of(store: Store) -> HouseRecord:
    return HouseRecord(store, now_ms)


def read_plan(file: Path, tell: Callable[[str], None] = tell) -> HousePlan:
    """Return the file's house; tell what is wrong with it by path, and exit 2."""
    try:
        return read_house_file(file)
    except HouseFileError as error:
        for fault in error.faults:
            tell(fault)
        sys.exit(2)
