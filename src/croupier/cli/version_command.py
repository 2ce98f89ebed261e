"""`croupier version`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from croupier import __version__
from croupier.cli.options import PATH, json_option, open_journal, read_text
from croupier.cli.output import print_columns, print_json
from croupier.house.records.fingerprint import fingerprint, wheel_differences
from croupier.house.records.house_record import now_ms
from croupier.house.records.software_note import (
    NotSigned,
    SoftwareWord,
    expect_software,
    sign_software,
)
from croupier.journal.log.notes import VerifierKey, log_key
from croupier.journal.signing_keys import read_private_key
from croupier.tabular.figures import counted

_WORD = click.Choice([each.value for each in SoftwareWord])
_LARGEST_FILE = 10_000_000
_NO_RECORD = "not compared with the wheel: croupier was not installed from one"


@click.command("version")
@click.option(
    "--verify",
    is_flag=True,
    help="Print the hashes, and compare the code with the wheel it came from.",
)
@click.option(
    "--against",
    type=PATH,
    metavar="FILE",
    help="Compare all hashes with a file that --json printed.",
)
@click.option(
    "--database", metavar="URL", help="Also hash the terms in force at its tables."
)
@click.option(
    "--sign",
    nargs=3,
    type=(_WORD, PATH, str),
    metavar="WORD KEYFILE NAME",
    help="Sign that this version is released, approved or installed. Prints the note"
    " and, on standard error, the key to check it with.",
)
@click.option(
    "--signed",
    nargs=3,
    type=(_WORD, PATH, str),
    metavar="WORD FILE KEY",
    help="Compare the code with a signed note.",
)
@json_option
@click.pass_context
def version_command(
    ctx: click.Context,
    *,
    verify: bool,
    against: Path | None,
    database: str | None,
    sign: tuple[str, Path, str] | None,
    signed: tuple[str, Path, str] | None,
    as_json: bool,
) -> None:
    """Print the version, and hashes of code, games and terms.

    Without an option it prints only the version.

    Exit status 1 with differences. Example: croupier version --verify
    """
    if sign is not None:
        _sign(*sign)
        return
    if not (verify or against or database or signed or as_json):
        click.echo(f"croupier {__version__}")
        return
    found = _found(database)
    said: list[str] = []
    differences: list[str] = []
    if verify:
        of_wheel = wheel_differences()
        said.append(_NO_RECORD if of_wheel is None else "compared with the wheel")
        differences += of_wheel or []
    if against is not None:
        differences += _differences(_read(against), found)
        said.append(f"compared with {against}")
    if signed is not None:
        said.append(f"compared with {signed[1]}")
        differences += _unless_signed(*signed)
    if as_json:
        print_json({**found, "compared": said, "differences": differences})
    else:
        _print(found, said, differences)
    if differences:
        ctx.exit(1)


def _sign(word: str, file: Path, name: str) -> None:
    key = read_private_key(file)
    click.echo(sign_software(SoftwareWord(word), name, key, now_ms()), nl=False)
    click.echo(log_key(name, key.public_key()).text, err=True)


def _unless_signed(word: str, path: Path, key: str) -> Iterator[str]:
    try:
        expect_software(SoftwareWord(word), path, VerifierKey.read(key))
    except NotSigned as error:
        yield str(error)


def _found(database: str | None) -> dict[str, Any]:
    if database is None:
        return fingerprint()
    with open_journal(database) as store:
        return fingerprint(store)


def _read(path: Path) -> dict[str, Any]:
    text = read_text(path, largest=_LARGEST_FILE)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{path} is not what --json prints") from error
    is_ours = isinstance(value, dict) and {"version", "code", "games"} <= value.keys()
    if not is_ours:
        raise click.UsageError(f"{path} is not what --json prints")
    return value  # type: ignore[no-any-return]


def _differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    if "tables" in expected and "tables" not in found:
        raise click.UsageError("the file has tables too: give --database")
    was, now = dict(_named(expected)), dict(_named(found))
    if "tables" not in expected:
        now = {name: each for name, each in now.items() if name[:6] != "table "}
    return [
        f"{name}: expected {was.get(name, 'none')}, is {now.get(name, 'none')}"
        for name in sorted({*was, *now})
        if was.get(name) != now.get(name)
    ]


def _named(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every hash of the document with a name of its own."""
    try:
        yield "version", str(document["version"])
        for name, digest in document["code"]["packages"].items():
            yield f"code {name}", str(digest)
        for name, digest in document["games"].items():
            yield f"game {name}", str(digest)
        for name, table in document.get("tables", {}).items():
            yield f"table {name}", str(table["digest"])
    except (AttributeError, KeyError, TypeError) as error:
        raise click.UsageError("the file is not what --json prints") from error


def _print(found: Mapping[str, Any], said: list[str], differences: list[str]) -> None:
    hashes = [each for each in _named(found) if each[0] != "version"]
    click.echo(f"croupier {found['version']}")
    print_columns(("what", "SHA-256"), [("code", found["code"]["digest"]), *hashes])
    for sentence in said:
        click.echo(sentence)
    for difference in differences:
        click.echo(f"- {difference}")
    if said and said != [_NO_RECORD]:
        count = len(differences)
        told = counted(count, "difference") if count else "the same"
        click.echo(click.style(told, bold=True))
