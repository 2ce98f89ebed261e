"""`croupier receipt`: write the receipt of a seat's round, and check one."""

from __future__ import annotations

from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.audit.receipt_page import receipt_page
from croupier.audit.receipts import CheckResult, ReceiptCheck, check_receipt
from croupier.cli.options import (
    EXISTING_FILE,
    PATH,
    json_option,
    open_journal,
    read_text,
)
from croupier.cli.output import print_json, write_text
from croupier.journal.log.notes import (
    COSIGNATURE,
    BadNote,
    VerifierKey,
    log_key,
)
from croupier.journal.log.receipts import LogProof, Receipt, make_receipt, read_receipt
from croupier.journal.signing_keys import read_public_key

_LARGEST = 10_000_000
_keys = click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="KEY",
    help="The house's public key: a file, or one line. May be repeated.",
)
_witnesses = click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="KEY",
    help="The key of a witness in one line. May be repeated.",
)


@click.group("receipt")
def receipt_command() -> None:
    """Write a Player's receipt of a round, or check one.

    Example: croupier receipt verify --help
    """


@receipt_command.command("write")
@click.argument("database", metavar="DATABASE")
@click.option("--table", required=True, metavar="NAME", help="The table.")
@click.option(
    "--round", "number", type=click.IntRange(1), required=True, help="The round."
)
@click.option("--seat", required=True, metavar="NAME", help="The seat.")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Write it to a file.")
def write_command(
    database: str, *, table: str, number: int, seat: str, output: Path | None
) -> None:
    """Write the receipt of a seat in a round that is in the signed log.

    Example: croupier receipt write house.db --table t1 --round 1 --seat Anna
    -o round-1.receipt
    """
    with open_journal(database) as store:
        receipt = make_receipt(store, table, number, seat)
    if output is None:
        click.echo(receipt.text, nl=False)
    else:
        write_text(output, receipt.text)


@receipt_command.command("page")
@click.option("-o", "--output", type=PATH, required=True, metavar="FILE.html")
@_keys
@_witnesses
def page_command(
    output: Path, *, keys: tuple[str, ...], witnesses: tuple[str, ...]
) -> None:
    """Write the page that checks receipts in a browser, without a network.

    Example: croupier receipt page -o verify.html
    """
    named = [_key(text, "--key") for text in keys]
    named += [_witness_key(text) for text in witnesses]
    write_text(output, receipt_page(named))


@receipt_command.command("verify")
@click.argument("file", type=EXISTING_FILE, metavar="FILE")
@_keys
@_witnesses
@click.option(
    "--quorum",
    type=click.IntRange(0),
    metavar="COUNT",
    help="The number of witnesses that must have signed; all if not given.",
)
@json_option
@click.pass_context
def verify_command(
    ctx: click.Context,
    file: Path,
    *,
    keys: tuple[str, ...],
    witnesses: tuple[str, ...],
    quorum: int | None,
    as_json: bool,
) -> None:
    """Check a receipt by itself: signature, log, witnesses, wagers, settlement.

    Exit status 1 if a check fails. Example: croupier receipt verify round-1.receipt
    --key house.key.pub
    """
    if not keys:
        raise click.UsageError("a receipt is checked with the --key of its house")
    receipt = read_receipt(read_text(file, largest=_LARGEST))
    origin = _origin_of(receipt)
    results = check_receipt(
        receipt,
        [_house_key(text, origin) for text in keys],
        [_witness_key(text) for text in witnesses],
        quorum,
    )
    if as_json:
        print_json({each.check.name.lower(): each.problem or None for each in results})
    else:
        for each in results:
            click.echo(_line(each, has_witnesses=bool(witnesses)))
    if not all(each.passed for each in results):
        ctx.exit(1)


def _line(result: CheckResult, *, has_witnesses: bool) -> str:
    if result.check is ReceiptCheck.WITNESSES and not has_witnesses:
        return "none    no witness is named: the house could show others another log"
    if result.passed:
        return f"ok      {result.check.value}"
    return f"failed  {result.check.value}: {result.problem}"


def _origin_of(receipt: Receipt) -> str:
    """Return the log that the receipt names; the empty text if it names none."""
    try:
        return LogProof.read(receipt.proof).note.checkpoint.origin
    except BadNote:
        return ""


def _house_key(text: str, origin: str) -> VerifierKey:
    """Read a key of one line, or the file of a key, for the log of that name."""
    if Path(text).is_file():
        key: Ed25519PublicKey = read_public_key(Path(text))
        return log_key(origin, key)
    return _key(text, "--key")


def _witness_key(text: str) -> VerifierKey:
    key = _key(text, "--witness")
    if key.type != COSIGNATURE:
        raise click.UsageError(f"--witness {text}: this is not the key of a witness")
    return key


def _key(text: str, option: str) -> VerifierKey:
    try:
        return VerifierKey.read(text)
    except BadNote as error:
        raise click.UsageError(f"{option} {text}: {error}") from error
