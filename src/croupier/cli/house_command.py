"""`croupier house`: a house's file and its passwords, at the machine of its journal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum
from pathlib import Path
from typing import TypeVar

import click

from croupier.cli.node_commands import nodes_command
from croupier.cli.options import (
    EXISTING_FILE,
    PATH,
    checkpoints_from_option,
)
from croupier.cli.output import tell
from croupier.games import find_game, is_approved
from croupier.house.configuration.changes import plan_of
from croupier.house.configuration.differences import differences
from croupier.house.configuration.house_file import HouseFileError, read_house_file
from croupier.house.configuration.setup import (
    FirstLogOn,
    check_first,
    create_house,
    demonstration_text,
)
from croupier.house.people import staff
from croupier.house.people.authority import (
    POSITIONS,
)
from croupier.house.people.devices import CODE_MINUTES, invite_unasked
from croupier.house.people.limited_accounts import is_limited, without_reset
from croupier.house.people.second_factor import make_factor_key, reset_unasked
from croupier.house.people.staff import (
    remove_unasked,
    set_password_unasked,
    unlock_unasked,
)
from croupier.house.records.copies import (
    check_staff,
    expect_same_house,
    house_not_served,
    restore_house,
)
from croupier.house.records.house_record import HouseRecord, now_ms, read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.house.records.log_signing import read_latest_checkpoints
from croupier.journal.events.plan import Duty, HousePlan, Money
from croupier.journal.findings import table_line
from croupier.journal.store import Store
from croupier.journal.stores import open_leased, open_store
from croupier.journal.verification import verify

_WordT = TypeVar("_WordT", bound=Enum)
_file = click.argument("file", type=EXISTING_FILE, metavar="FILE")
_database = click.option(
    "--database", required=True, metavar="URL", help="sqlite:///FILE or postgresql://…"
)


@click.group("house")
def house_command() -> None:
    """Check a house file; create and manage a house on its machine.

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
    """Check a house file and print its faults, by path.

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
    click.echo("the house matches its file")


@house_command.command("create")
@_file
@_database
@click.option(
    "--first",
    "first",
    required=True,
    multiple=True,
    metavar="NAME",
    help="A person who logs on first. The first one named manages staff and devices.",
)
@click.option(
    "--station",
    default="station 1",
    show_default=True,
    metavar="NAME",
    help="The desk where they log on.",
)
def create(file: Path, database: str, first: tuple[str, ...], station: str) -> None:
    """Create a house from its file, ready for the first log-on.

    The first people type their own passwords, one after another, or standard input has
    a line for each. Name two who manage staff and a third who vouches: these three can
    let all others in. The pairing code that is printed enrols the station at which it
    is used, once the house is served.

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
@click.option("--by", required=True, metavar="NAME", help="The person who restores it.")
@click.option("--why", required=True, metavar="TEXT", help="What happened.")
@click.option(
    "--retires",
    metavar="URL",
    help="The old database of the house: it will not open again.",
)
@checkpoints_from_option
def restore(
    database: str,
    by: str,
    why: str,
    retires: str | None,
    checkpoints_from: tuple[Path, ...],
) -> None:
    """Declare a restored journal to be the house, and no other copy.

    The journal is verified first. The restore is recorded, and the log goes on
    under a new name. Stop the servers of both databases first.

    Example: croupier house restore --by Mira --why "disk lost"
    --checkpoints-from house.checkpoints --retires sqlite:///old.db
    --database sqlite:///house.db
    """
    checkpoints = [
        each for file in checkpoints_from for each in read_latest_checkpoints(file)
    ]
    with open_leased(database) as (store, _), ExitStack() as opened:
        check_staff(_verified_state(store), by)
        before = None
        if retires is not None:
            old, _ = opened.enter_context(open_leased(retires))
            expect_same_house(store, old)
            before = HouseRecord(old, now_ms)
        restored = restore_house(
            HouseRecord(store, now_ms), by, why, checkpoints, before
        )
    lacks = (
        f", and its log lacks {restored.missing:,} entries" if restored.missing else ""
    )
    click.echo(f"this journal is the house now, as {restored.incarnation}{lacks}")
    if retires is not None:
        click.echo("the old database will not open again")


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
@click.option(
    "--by", required=True, metavar="NAME", help="The person who gives it out."
)
def station(name: str, database: str, by: str) -> None:
    """Print a pairing code for a station, if no other station can ask for one.

    It is refused while a server has the house open.

    Example: croupier house station "station 2" --by Mira --database sqlite:///house.db
    """
    _invite(name, DeviceKind.STATION, database, by)


@house_command.command("mirror")
@click.argument("name")
@_database
@click.option(
    "--by", required=True, metavar="NAME", help="The person who gives it out."
)
def mirror(name: str, database: str, by: str) -> None:
    """Print a pairing code for a mirror, which reads the whole journal.

    It is refused while a server has the house open.

    Example: croupier house mirror regulator --by Mira --database sqlite:///house.db
    """
    _invite(name, DeviceKind.MIRROR, database, by)


def _invite(name: str, kind: DeviceKind, database: str, by: str) -> None:
    with house_not_served(database, by) as record:
        code = invite_unasked(record, by, name, kind, None)
    _tell_code(name, code)


def _tell_code(station: str, code: str) -> None:
    within = f"within {CODE_MINUTES} minutes"
    click.echo(f"the pairing code of {station}, to be used {within}: {code}")


@house_command.command("password")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="The person who sets it.")
def password(name: str, database: str, by: str) -> None:
    """Set a person's temporary password, typed or read from standard input.

    Use it if the house has too few people to do this while it is served. It is refused
    while a server has the house open. The account is limited until its owner has chosen
    a password beside another manager. If the owner sets it and no one is left to vouch,
    as after a restore, it is not limited.

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
@click.option("--by", required=True, metavar="NAME", help="The person who unlocks it.")
def unlock(name: str, database: str, by: str) -> None:
    """Unlock an account after too many wrong passwords or PINs.

    Use it if no one in the house can do this. It is refused while a server has the
    house open; in a served house a lock ends by itself after half an hour at most.

    Example: croupier house unlock Mira --by Mira --database sqlite:///house.db
    """
    with house_not_served(database, by) as record:
        unlock_unasked(record, by, name)
    click.echo(f"{name} is unlocked")


@house_command.group("second-factor")
def second_factor() -> None:
    """Make the key of second factors, or reset a lost second factor.

    Example: croupier house second-factor reset --help
    """


@second_factor.command("key")
@click.argument("path", type=PATH, metavar="FILE")
def make_key(path: Path) -> None:
    """Make the key that seals the secrets of second factors.

    Only its owner can read the file. Keep it apart from the journal.

    Example: croupier house second-factor key factors.key
    """
    make_factor_key(path)
    click.echo(f"wrote {path}: croupier serve --second-factor-key {path}")


@second_factor.command("reset")
@click.argument("name")
@_database
@click.option("--by", required=True, metavar="NAME", help="The person who resets it.")
def reset_second_factor(name: str, database: str, by: str) -> None:
    """Reset a person's second factor, so that they can enrol another.

    Use it if a phone is lost. At the next log-on, its owner first chooses a password
    beside another manager. It is refused while a server has the house open.

    Example: croupier house second-factor reset Mira --by Max --database
    sqlite:///house.db
    """
    with house_not_served(database, name, by) as record:
        reset_unasked(record, by, name)
    click.echo(f"the second factor of {name} is reset: they enrol another")


@house_command.group("staff")
def staff_group() -> None:
    """Define or remove staff without a second person.

    Example: croupier house staff define Nina --position Dealer --by Mira \
    --database sqlite:///house.db
    """


@staff_group.command("define")
@click.argument("name")
@_database
@click.option(
    "--by", required=True, metavar="NAME", help="The person who defines them."
)
@click.option(
    "--position",
    "positions",
    multiple=True,
    metavar="POSITION",
    help='Such as Dealer or "Pit Supervisor". May be repeated.',
)
@click.option(
    "--duty",
    "duties",
    multiple=True,
    metavar="DUTY",
    help="cashier, inspector, administrator or attendant. May be repeated.",
)
def define(
    name: str,
    database: str,
    by: str,
    positions: tuple[str, ...],
    duties: tuple[str, ...],
) -> None:
    """Define a member of staff, new or known, without a second person.

    Use it if only one person manages staff: in the served house it takes two. It is
    refused while a server has the house open.

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
@click.option(
    "--by", required=True, metavar="NAME", help="The person who removes them."
)
def remove(name: str, database: str, by: str) -> None:
    """Remove a member of staff. It is refused while a server has the house open.

    Example: croupier house staff remove Nina --by Mira --database sqlite:///house.db
    """
    with house_not_served(database, by) as record:
        remove_unasked(record, by, name)
    click.echo(f"{name} is removed from the staff")


def _word(text: str, known: tuple[_WordT, ...]) -> _WordT:
    """Return the position or duty that a word names."""
    for each in known:
        if each.value == text:
            return each
    words = ", ".join(each.value for each in known)
    raise click.UsageError(f"{text!r} is none of: {words}")


house_command.add_command(nodes_command)


def _asked_password(name: str) -> str:
    """Ask twice, or read a line if standard input is not a terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    asked: str = click.prompt(
        f"Password of {name}", hide_input=True, confirmation_prompt=True, err=True
    )
    return asked


def read_plan(file: Path, tell: Callable[[str], None] = tell) -> HousePlan:
    """Return the plan in a house file, or print its faults by path and exit with 2."""
    try:
        return read_house_file(file)
    except HouseFileError as error:
        for fault in error.faults:
            tell(fault)
        sys.exit(2)
