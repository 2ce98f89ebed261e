"""`croupier journal key` and similar: the keys that sign the log of a house."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.options import PATH, json_option, open_journal
from croupier.cli.output import print_columns, print_json
from croupier.house.records.copies import house_not_served
from croupier.house.records.house_record import read_house_state
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.house_state import HouseState
from croupier.house.records.key_rotation import (
    check_signing_key,
    revoke_key,
    rotate_key,
)
from croupier.journal.commit_key import VARIABLE, make_commit_key
from croupier.journal.findings import table_line
from croupier.journal.log.check import KeyState
from croupier.journal.log.notes import log_key
from croupier.journal.log.publishing import origin_of
from croupier.journal.signing_keys import (
    fingerprint,
    key_id,
    make_key,
    public_pem,
    read_private_key,
    read_public_key,
)
from croupier.journal.store import Store
from croupier.journal.stores import open_leased
from croupier.journal.verification import verify

_database = click.argument("database", metavar="DATABASE")
_by = click.option(
    "--by", required=True, metavar="NAME", help="The member of staff who does it."
)


@click.command("key")
@click.argument("file", type=PATH, metavar="FILE")
def key_command(file: Path) -> None:
    """Make a key that signs a log: FILE, and the public half in FILE.pub.

    Example: croupier journal key house.key
    """
    public = make_key(file)
    file.with_name(f"{file.name}.pub").write_text(public_pem(public), "utf-8")
    written = fingerprint(public)
    click.echo(f"wrote {file} and {file}.pub: {written}, id {key_id(written)}")


@click.command("commit-key")
@click.argument("file", type=PATH, metavar="FILE")
def commit_key_command(file: Path) -> None:
    """Make the key that seals each commit.

    Set CROUPIER_COMMIT_KEY to the file for the server, and for every other command that
    writes the journal.

    Example: croupier journal commit-key commit.key
    """
    make_commit_key(file)
    click.echo(f"wrote {file}: set {VARIABLE} to its path")


@click.command("seal")
@_database
def seal_command(database: str) -> None:
    """Verify a journal, then seal the ends of its streams with the commit key.

    Use it for a journal that was written without the key. The house must not be served
    meanwhile. Example: croupier journal seal house.db
    """
    with open_leased(database) as (store, _):
        if store.commit_key is None:
            raise click.UsageError(f"{VARIABLE} names no commit key")
        with store.all_or_nothing():
            count = store.seal_ends()
            findings = verify(store, folds=house_folds()).findings
            if findings:
                raise click.ClickException(
                    f"this journal does not verify ({table_line(findings[0])})"
                )
    click.echo(f"the ends of {count} streams are sealed")


@click.command("keys")
@_database
@json_option
def keys_command(database: str, *, as_json: bool) -> None:
    """List the keys that the house has signed its log with, and which are revoked.

    Example: croupier journal keys house.db
    """
    with open_journal(database) as store:
        state = read_house_state(store)
        origin = origin_of(store, state.incarnation)
    keys = [
        {
            "id": key,
            "public_key": taken.public_key,
            "verifier_key": log_key(origin, taken.public_key).text,
            "state": _state_of(state, key).value,
            "replaces": taken.replaces,
            "why": state.revoked_keys[key].why if key in state.revoked_keys else None,
        }
        for key, taken in state.signing_keys.items()
    ]
    if as_json:
        print_json({"keys": keys})
    elif keys:
        rows = [tuple(each[name] or "" for name in _SHOWN) for each in keys]
        print_columns(_SHOWN, rows)
        for each in keys:
            click.echo(f"{each['id']} in one line: {each['verifier_key']}")
    else:
        click.echo("the house has recorded no key yet")


_SHOWN = ("id", "state", "replaces", "why")


def _state_of(state: HouseState, key: str) -> KeyState:
    if key in state.revoked_keys:
        return KeyState.REVOKED
    return KeyState.IN_USE if key == state.signing_key else KeyState.REPLACED


@click.command("rotate-key")
@_database
@click.option(
    "--new",
    "new_file",
    type=PATH,
    required=True,
    metavar="FILE",
    help="The private key that signs from now on (croupier journal key).",
)
@click.option(
    "--key",
    "old_file",
    type=PATH,
    metavar="FILE",
    help="The private key that signed until now: it vouches for the new one.",
)
@_by
def rotate_command(
    database: str, *, new_file: Path, old_file: Path | None, by: str
) -> None:
    """Let a house sign with another key from now on; its journal records it.

    The house must not be served meanwhile.

    Example: croupier journal rotate-key house.db --key old.key --new new.key --by Mira
    """
    new = read_private_key(new_file)
    before = None if old_file is None else read_private_key(old_file)
    with house_not_served(database, by) as record:
        rotate_key(record, by, new, before)
    name = key_id(fingerprint(new.public_key()))
    click.echo(f"the log is signed with {name} from now on")
    if before is None:
        click.echo(
            "no earlier key vouches for it: give its public half to all verifiers"
        )


@click.command("revoke-key")
@_database
@click.argument("key", metavar="KEY")
@click.option("--why", required=True, metavar="TEXT", help="Why, for the record.")
@click.option(
    "--key",
    "signer_file",
    type=PATH,
    metavar="FILE",
    help="The private key that signs now: it vouches for the revocation.",
)
@_by
def revoke_command(
    database: str, key: str, *, why: str, signer_file: Path | None, by: str
) -> None:
    """Revoke a key: its later signatures prove nothing.

    KEY is its id, or the file of its public half. The house must not be served
    meanwhile.

    Example: croupier journal revoke-key house.db old.key.pub --why lost --by Mira
    """
    if Path(key).is_file():
        key = key_id(fingerprint(read_public_key(Path(key))))
    signer = None if signer_file is None else read_private_key(signer_file)
    with house_not_served(database, by) as record:
        revoke_key(record, by, key, why, signer)
    click.echo(f"{key} is revoked: what it signs from now on is no proof")


def check_key(store: Store, key_file: Path) -> HouseState:
    """Return the house's state; refuse a key that it does not sign with."""
    state = read_house_state(store)
    check_signing_key(state, read_private_key(key_file))
    return state
