"""`croupier rng GAME`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import click

from croupier.chance import (
    Entropy,
    SystemEntropy,
    bonus_count,
    draw_distinct_rounds,
    draw_number_rounds,
    self_test,
)
from croupier.cli.options import FILE, game_argument, json_option
from croupier.cli.output import print_json
from croupier.rules.game import Game

_STANDARD_OUTPUT = Path("-")
_AMOUNT = click.IntRange(1, 10**12)
_BYTES_AT_ONCE = 65_536
_ROUNDS_AT_ONCE = 16_384


@click.command("rng")
@game_argument
@click.option("--raw", type=_AMOUNT, metavar="BYTES", help="The number of raw bytes.")
@click.option("--draws", type=_AMOUNT, metavar="N", help="The number of draws.")
@click.option(
    "--kind",
    type=click.Choice(["wheel", "bonus"]),
    help="With --draws: spins of the virtual wheel (usual), or Bonus Numbers.",
)
@click.option(
    "--output",
    type=FILE,
    default=_STANDARD_OUTPUT,
    metavar="FILE",
    help="Write to a file; - is standard output (usual).",
)
@json_option
def rng_command(
    game: Game,
    *,
    raw: int | None,
    draws: int | None,
    kind: str | None,
    output: Path,
    as_json: bool,
) -> None:
    """Write raw bytes or draws of the generator, to be tested.

    With --json and --output FILE, prints a summary.

    Example: croupier rng mbs-fast-action-v2 --draws 3 --kind bonus
    """
    amount = raw or draws
    if amount is None or (raw and draws):
        raise click.UsageError("say either --raw BYTES or --draws N")
    if raw and kind:
        raise click.UsageError("--kind goes with --draws: raw bytes have none")
    if kind == "bonus" and not bonus_count(game):
        raise click.UsageError(f"{game.document} draws no Bonus Numbers")
    if as_json and output == _STANDARD_OUTPUT:
        raise click.UsageError("--json needs --output FILE, to tell the two apart")
    written = _WrittenDraws("raw" if raw else kind or "wheel", counting=as_json)
    entropy = SystemEntropy()
    self_test(entropy)
    written.write(_pieces(game, written.kind, amount, entropy), amount, output)
    if as_json:
        print_json({"game": game.name, **written.json(game, amount)})
    elif output != _STANDARD_OUTPUT:
        click.echo(f"wrote {output}", err=True)


def _pieces(
    game: Game, kind: str, amount: int, entropy: Entropy
) -> Iterator[tuple[int, bytes]]:
    """Yield the output in pieces, each with its part of the amount."""
    at_once = _BYTES_AT_ONCE if kind == "raw" else _ROUNDS_AT_ONCE
    for start in range(0, amount, at_once):
        part = min(at_once, amount - start)
        yield part, _piece(game, kind, part, entropy)


def _piece(game: Game, kind: str, amount: int, entropy: Entropy) -> bytes:
    if kind == "raw":
        return entropy.read(amount)
    if kind == "wheel":
        drawn = "\n".join(draw_number_rounds(game.numbers, amount, entropy))
    else:
        count = bonus_count(game)
        rounds = draw_distinct_rounds(game.numbers, count, amount, entropy)
        drawn = "\n".join(map(" ".join, rounds))
    return f"{drawn}\n".encode()


class _WrittenDraws:
    """The draws written so far: their bytes, digest and counts."""

    def __init__(self, kind: str, *, counting: bool) -> None:
        self.kind = kind
        self._counting = counting and kind != "raw"
        self._bytes = 0
        self._digest = sha256()
        self._counts: Counter[str] = Counter()

    def write(
        self, pieces: Iterator[tuple[int, bytes]], amount: int, output: Path
    ) -> None:
        is_standard = output == _STANDARD_OUTPUT
        try:
            with (
                _opened(output) as file,
                _progress(amount, hidden=is_standard and sys.stdout.isatty()) as bar,
            ):
                for part, piece in pieces:
                    file.write(piece)
                    self._note(piece)
                    bar.update(part)
                file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            name = "standard output" if is_standard else output
            reason = error.strerror or "it can't be written"
            raise click.UsageError(f"{name}: {reason}") from error

    def _note(self, piece: bytes) -> None:
        self._bytes += len(piece)
        self._digest.update(piece)
        if self._counting:
            self._counts.update(piece.decode().split())

    def json(self, game: Game, amount: int) -> dict[str, Any]:
        known = {"bytes": self._bytes, "sha256": self._digest.hexdigest()}
        if self.kind == "raw":
            return {"kind": self.kind, **known}
        counts = {number: self._counts[number] for number in game.numbers}
        return {"kind": self.kind, "draws": amount, **known, "counts": counts}


def _opened(output: Path) -> AbstractContextManager[IO[bytes]]:
    if output == _STANDARD_OUTPUT:
        return nullcontext(sys.stdout.buffer)
    return output.open("wb")


def _progress(amount: int, *, hidden: bool) -> Any:
    """Return a bar on standard error if it is a terminal."""
    hidden = hidden or not sys.stderr.isatty()
    return click.progressbar(length=amount, file=sys.stderr, hidden=hidden)
