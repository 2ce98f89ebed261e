"""`croupier journal key` and its like: the keys that sign the heads of a journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.options import FilePath, json_option, open_journal
from croupier.cli.output import print_columns, print_json
from croupier.journal.known_heads import KeyState
from croupier.journal.signing_keys import (
    fingerprint,
    key_id,
    make_key,
    public_pem,
    read_private_key,
    read_public_key,
)

if TYPE_CHECKING:
    from croupier.house.records.house_state import HouseState
    from croupier.journal.store import Store

_PATH = FilePath()
_database = click.argument("database", metavar="DATABASE")
_by = click.option(
    "--by", required=True, metavar="NAME", help="Who of the staff does it."
)


@click.command("key")
@click.argument("file", type=_PATH, metavar="FILE")
def key_command(file: Path) -> None:
    """Make a key for signing heads: FILE, and the public half in FILE.pub.

    Example: croupier journal key house.key
    """
    public = make_key(file)
    file.with_name(f"{file.name}.pub").write_text(public_pem(public), "utf-8")
    written = fingerprint(public)
    click.echo(f"wrote {file} and {file}.pub: {written}, id {key_id(written)}")


@click.command("keys")
@_database
@json_option
def keys_command(database: str, *, as_json: bool) -> None:
    """List the keys that the house has signed its heads with, and which are revoked.

    Example: croupier journal keys house.db
    """
    from croupier.house.records.house_record import read_house_state

    with open_journal(database) as store:
        state = read_house_state(store)
    keys = [
        {
            "id": key,
            "public_key": taken.public_key,
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
    type=_PATH,
    required=True,
    metavar="FILE",
    help="The private key that signs from now on (croupier journal key).",
)
@click.option(
    "--key",
    "old_file",
    type=_PATH,
    metavar="FILE",
    help="The private key that signed until now: it vouches for the new one.",
)
@_by
def rotate_command(
    database: str, *, new_file: Path, old_file: Path | None, by: str
) -> None:
    """Let a house sign with another key from now on; it stands in its journal.

    The house must not be served meanwhile.

    Example: croupier journal rotate-key house.db --key old.key --new new.key --by Mira
    """
    from croupier.cli.house_command import house_not_served
    from croupier.house.records.key_rotation import rotate_key

    new = read_private_key(new_file)
    before = None if old_file is None else read_private_key(old_file)
    with house_not_served(database, by) as record:
        rotate_key(record, by, new, before)
    name = key_id(fingerprint(new.public_key()))
    click.echo(f"heads are signed with {name} from now on")
    if before is None:
        click.echo(
            "no key before vouches for it: give its public half to whoever verifies"
        )


@click.command("revoke-key")
@_database
@click.argument("key", metavar="KEY")
@click.option("--why", required=True, metavar="TEXT", help="Why, for the record.")
@click.option(
    "--key",
    "signer_file",
    type=_PATH,
    metavar="FILE",
    help="The private key that signs now: it vouches for the revocation.",
)
@_by
def revoke_command(
    database: str, key: str, *, why: str, signer_file: Path | None, by: str
) -> None:
    """Revoke a key: heads that it signs from now on are no proof.

    KEY is its id, or the file of its public half. The house must not be served
    meanwhile.

    Example: croupier journal revoke-key house.db old.key.pub --why lost --by Mira
    """
    from croupier.cli.house_command import house_not_served
    from croupier.house.records.key_rotation import revoke_key

    if Path(key).is_file():
        key = key_id(fingerprint(read_public_key(Path(key))))
    signer = None if signer_file is None else read_private_key(signer_file)
    with house_not_served(database, by) as record:
        revoke_key(record, by, key, why, signer)
    click.echo(f"{key} is revoked: heads that it signs from now on are no proof")


def check_key(store: Store, key_file: Path) -> HouseState:
    """Return the house; refuse a key that it does not sign with."""
    from croupier.house.records.house_record import read_house_state
    from croupier.house.records.key_rotation import check_signing_key

    state = read_house_state(store)
    check_signing_key(state, read_private_key(key_file))
    return state
