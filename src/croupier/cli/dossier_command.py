"""`croupier dossier GAME`: a folder of evidence on a game for a laboratory."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path

import click

from croupier.cli.group import croupier
from croupier.cli.options import EXISTING_FILE, game_argument
from croupier.rules.game import Game

_PRINTED = {
    "game.txt": "games --check {game}",
    "layout.json": "layout {game} --json",
    "layout.svg": "layout {game} --svg",
    "rows-and-traces.json": "rules {game} --json",
    "rows-and-traces.txt": "rules {game}",
    "readings.json": "readings --json",
    "odds.json": "odds {game} --json",
    "hashes.json": "version --json",
}
"""The command whose output each file holds."""
_WRITTEN = {
    "par-sheet.html": "odds {game} --html",
    "outcomes.csv": "odds {game} --payments",
    "rulebook.html": "rulebook {game} --output",
    "draws.txt": "rng {game} --report --draws {draws} --json --output",
}
"""Commands that write the file themselves."""
_REPORT = "rng-report.json"
"""The verdicts on the draws: a sound generator fails some of them by chance."""


@click.command("dossier")
@game_argument
@click.option(
    "--document",
    type=EXISTING_FILE,
    metavar="FILE",
    help="The rule document: its digest, and its text in the rulebook.",
)
@click.option(
    "--draws",
    type=click.IntRange(20_000, 10**9),
    default=1_000_000,
    show_default=True,
    help="Spins of the virtual wheel that are tested.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="A new folder; without it, GAME-dossier.",
)
@click.pass_context
def dossier_command(
    ctx: click.Context,
    game: Game,
    document: Path | None,
    *,
    draws: int,
    output: Path | None,
) -> None:
    """Write a folder of evidence on GAME for a test laboratory.

    It has the rows with code and tests, readings, rulebook, PAR sheet, table of
    outcomes, a test of the virtual wheel, hashes and an SBOM. SHA256SUMS lists them.

    Exit status 1 if the game has faults or differs from the document.

    Example: croupier dossier --help
    """
    folder = output or Path(f"{game.name}-dossier")
    try:
        folder.mkdir()
    except OSError as error:
        raise click.UsageError(f"{folder}: {error.strerror}") from error
    failed = []
    for name, words in (_PRINTED | _WRITTEN).items():
        more = [str(folder / name)] if name in _WRITTEN else []
        if document is not None and name == "rulebook.html":
            more += ["--document", str(document)]
        status, printed = _run(words.format(game=game.name, draws=draws), *more)
        if name in _PRINTED or name == "draws.txt":
            place = _REPORT if name == "draws.txt" else name
            (folder / place).write_text(printed, "utf-8")
        if status and name != "draws.txt":
            failed.append(name)
    _write_json(folder / "document.json", _document(game, document))
    _write_json(folder / "sbom.cdx.json", software_bill())
    _write_sums(folder)
    click.echo(f"wrote {folder}")
    for name in failed:
        click.echo(f"- {name}: a check has failed")
    if failed:
        ctx.exit(1)


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


def _run(words: str, *more: str) -> tuple[int, str]:
    """Return the exit status of a command and its output."""
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()):
        try:
            status = croupier.main([*words.split(), *more], standalone_mode=False)
        except SystemExit as end:
            status = end.code
    return int(status or 0), printed.getvalue()


def _document(game: Game, file: Path | None) -> dict[str, str | None]:
    return {
        "game": game.name,
        "document": game.document,
        "date": game.effective,
        "sha256": sha256(file.read_bytes()).hexdigest() if file else None,
    }


def software_bill() -> dict[str, object]:
    """Return an SBOM (CycloneDX) of the packages that are installed."""
    found = sorted(distributions(), key=lambda each: each.name.lower())
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "components": [_component(each) for each in found],
    }


def _component(installed: Distribution) -> dict[str, object]:
    name = installed.name.lower().replace("_", "-")
    licence = installed.metadata.json.get("license_expression")
    component: dict[str, object] = {
        "type": "library",
        "name": name,
        "version": installed.version,
        "purl": f"pkg:pypi/{name}@{installed.version}",
    }
    if licence:
        component["licenses"] = [{"expression": licence}]
    record = installed.read_text("RECORD")
    if record is not None:
        digest = sha256(record.encode()).hexdigest()
        component["properties"] = [{"name": "sha256 of RECORD", "value": digest}]
    return component


def _write_sums(folder: Path) -> None:
    """Write the hashes as `sha256sum --check` reads them."""
    lines = [
        f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))
