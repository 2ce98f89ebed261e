"""`croupier rng GAME`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from shutil import which
from subprocess import PIPE, STDOUT, Popen
from typing import IO

import click

from croupier.chance import (
    Entropy,
    SystemEntropy,
    draw_distinct_rounds,
    draw_number_rounds,
    self_test,
)
from croupier.cli.options import FILE, game_argument, json_option
from croupier.cli.output import print_json, print_table, progress_shown
from croupier.extras import needing
from croupier.numeric.randomness import DrawCounts, RandomnessTest, least_draws
from croupier.rules.bonus import draw_size
from croupier.rules.game import Game
from croupier.rules.wheel import Number
from croupier.tabular import TextTable
from croupier.tabular.figures import counted, p_text, percent

_STANDARD_OUTPUT = Path("-")
_AMOUNT = click.IntRange(1, 10**12)
_BYTES_AT_ONCE = 65_536
_ROUNDS_AT_ONCE = 16_384
_REPORTED_DRAWS = 1_000_000
_PRACTRAND = "RNG_test"
_LEVEL = 0.99
"""The probability that a sound generator passes a test of a report."""


@click.command("rng")
@game_argument
@click.option("--raw", type=_AMOUNT, metavar="BYTES", help="The number of raw bytes.")
@click.option("--draws", type=_AMOUNT, metavar="N", help="The number of draws.")
@click.option(
    "--kind",
    type=click.Choice(["wheel", "bonus"]),
    help="With --draws: spins of the virtual wheel (default), or Bonus Numbers.",
)
@click.option(
    "--output",
    type=FILE,
    default=_STANDARD_OUTPUT,
    metavar="FILE",
    help="Write to a file; - is standard output (default).",
)
@click.option(
    "--report",
    is_flag=True,
    help="Test spins of the virtual wheel: a million, or --draws N.",
)
@json_option
@click.pass_context
def rng_command(
    ctx: click.Context,
    game: Game,
    *,
    raw: int | None,
    draws: int | None,
    kind: str | None,
    output: Path,
    report: bool,
    as_json: bool,
) -> None:
    """Write raw bytes or draws from the generator, or test them.

    With --json and --output FILE, prints a summary.

    With --report, prints each test's statistic, p-value and verdict at 99 %, and
    ends with status 1 if one fails. A sound generator fails one of the four in about
    4 of 100 reports. PractRand tests 64 MB of raw bytes too, if its RNG_test is
    installed. --output FILE keeps the draws that were tested.

    Example: croupier rng mbs-fast-action-v2 --draws 3 --kind bonus
    """
    if report:
        if raw or kind == "bonus":
            raise click.UsageError(
                "--report tests spins: without --raw or --kind bonus"
            )
        if not _print_report(game, draws or _REPORTED_DRAWS, output, as_json=as_json):
            ctx.exit(1)
        return
    amount = _asked_amount(game, raw, draws, kind)
    if as_json and output == _STANDARD_OUTPUT:
        raise click.UsageError(
            "--json needs --output FILE: the summary takes standard output"
        )
    kind = "raw" if raw else kind or "wheel"
    entropy = SystemEntropy()
    self_test(entropy)
    is_standard = output == _STANDARD_OUTPUT
    size, digest, counts = 0, sha256(), Counter[str]()
    with (
        _opened(output) as file,
        progress_shown(is_hidden=is_standard and sys.stdout.isatty()) as progress,
    ):
        for done, piece in _pieces(game, kind, amount, entropy):
            file.write(piece)
            size += len(piece)
            digest.update(piece)
            if as_json and not raw:
                counts.update(piece.decode().split())
            progress(done, amount)
        file.flush()
    if as_json:
        drawn = {"counts": {number: counts[number] for number in game.numbers}}
        print_json(
            {
                "game": game.name,
                "kind": kind,
                **({} if raw else {"draws": amount}),
                "bytes": size,
                "sha256": digest.hexdigest(),
                **({} if raw else drawn),
            }
        )
    elif not is_standard:
        click.echo(f"wrote {output}", err=True)


def _asked_amount(
    game: Game, raw: int | None, draws: int | None, kind: str | None
) -> int:
    """Return the number of bytes or draws; refuse contradictory options."""
    amount = raw or draws
    if amount is None or (raw and draws):
        raise click.UsageError("say either --raw BYTES or --draws N")
    if raw and kind:
        raise click.UsageError("--kind goes with --draws: raw bytes have none")
    if kind == "bonus" and not draw_size(game):
        raise click.UsageError(f"{game.document} draws no Bonus Numbers")
    return amount


def _print_report(game: Game, draws: int, output: Path, *, as_json: bool) -> bool:
    """Test new draws and print the results; return whether all tests passed."""
    least = least_draws(len(game.numbers))
    if draws < least:
        raise click.UsageError(f"--report needs at least {least:,} draws of this game")
    counts = DrawCounts(game.numbers)
    entropy = SystemEntropy()
    is_kept = output != _STANDARD_OUTPUT
    with needing("odds", "scipy"):
        self_test(entropy)
        with (
            _opened(output) if is_kept else nullcontext() as file,
            progress_shown() as progress,
        ):
            for done, piece in _pieces(game, "wheel", draws, entropy):
                counts.add([Number(line) for line in piece.decode().split()])
                if file:
                    file.write(piece)
                progress(done, draws)
        tests = [*counts.tests()]
    practrand = _practrand(entropy)
    if as_json:
        print_json({**_report_json(game, draws, tests), "practrand": practrand})
    else:
        table = _report_table(game, draws, tests)
        click.echo(f"{table.title}\n")
        print_table(table)
        if practrand is not None:
            click.echo(f"\n{practrand.rstrip()}")
    return all(test.passes(_LEVEL) for test in tests)


def _practrand(entropy: Entropy) -> str | None:
    """Return the text of PractRand on raw bytes, or None if it is not installed."""
    path = which(_PRACTRAND)
    if path is None:
        return None
    command = [path, "stdin8", "-tlmax", "64MB"]
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=STDOUT) as suite:  # noqa: S603 - fixed
        assert suite.stdin is not None
        assert suite.stdout is not None
        with ThreadPoolExecutor(1) as reader:
            said = reader.submit(suite.stdout.read)
            with suppress(BrokenPipeError):  # PractRand has read enough
                while suite.poll() is None:
                    suite.stdin.write(entropy.read(_BYTES_AT_ONCE))
            with suppress(BrokenPipeError):
                suite.stdin.close()
            return said.result().decode("utf-8", "replace")


def _report_json(
    game: Game, draws: int, tests: Sequence[RandomnessTest]
) -> dict[str, object]:
    return {
        "game": game.name,
        "draws": draws,
        "level": _LEVEL,
        "tests": [
            {
                "name": test.name,
                "statistic": test.statistic,
                "p_value": test.p_value,
                "verdict": _verdict(test),
            }
            for test in tests
        ],
    }


def _report_table(game: Game, draws: int, tests: Sequence[RandomnessTest]) -> TextTable:
    return TextTable.of(
        f"{game.document}: {counted(draws, 'draw')}, each test at {percent(_LEVEL, 0)}",
        tests,
        {
            "test": lambda test: test.name,
            ">statistic": lambda test: f"{test.statistic:,.2f}",
            ">p-value": lambda test: p_text(test.p_value),
            "verdict": _verdict,
        },
    )


def _verdict(test: RandomnessTest) -> str:
    return "passed" if test.passes(_LEVEL) else "failed"


def _pieces(
    game: Game, kind: str, amount: int, entropy: Entropy
) -> Iterator[tuple[int, bytes]]:
    """Yield the output in pieces, each with the amount up to its end."""
    at_once = _BYTES_AT_ONCE if kind == "raw" else _ROUNDS_AT_ONCE
    for start in range(0, amount, at_once):
        part = min(at_once, amount - start)
        yield start + part, _piece(game, kind, part, entropy)


def _piece(game: Game, kind: str, amount: int, entropy: Entropy) -> bytes:
    if kind == "raw":
        return entropy.read(amount)
    if kind == "wheel":
        drawn = "\n".join(draw_number_rounds(game.numbers, amount, entropy))
    else:
        count = draw_size(game)
        rounds = draw_distinct_rounds(game.numbers, count, amount, entropy)
        drawn = "\n".join(map(" ".join, rounds))
    return f"{drawn}\n".encode()


@contextmanager
def _opened(output: Path) -> Iterator[IO[bytes]]:
    """Open the output; refuse one that can't be written, by its name."""
    is_standard = output == _STANDARD_OUTPUT
    try:
        with (
            nullcontext(sys.stdout.buffer) if is_standard else output.open("wb") as file
        ):
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if is_standard else output
        reason = error.strerror or "it can't be written"
        raise click.UsageError(f"{name}: {reason}") from error
