"""`croupier rulebook GAME`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from croupier.cli.options import (
    EXISTING_FILE,
    OutputFile,
    game_argument,
    json_option,
    read_text,
)
from croupier.cli.output import print_columns, print_json, tell, write_text
from croupier.rulebook.agreement import disagreements
from croupier.rulebook.document import RuleDocument, UnreadableDocument, read_document
from croupier.rulebook.page import rulebook_page
from croupier.rulebook.rulebook import rulebook_of
from croupier.rulebook.sentences import Mark
from croupier.rules.game import Game

_LARGEST_DOCUMENT = 4_000_000
"""Bytes; the longest of the five documents has 12,000."""


def read_rule_document(game: Game, path: Path) -> RuleDocument:
    """Return the file's text by clauses; refuse a file that is no rule document."""
    known = [row.number for row in game.clauses]
    with path.open("rb") as file:
        is_pdf = file.read(4) == b"%PDF"
    try:
        text = "%PDF" if is_pdf else read_text(path, largest=_LARGEST_DOCUMENT)
        return read_document(text, known)
    except UnreadableDocument as error:
        raise click.UsageError(f"{path}: {error}") from error


@click.command("rulebook")
@game_argument
@click.option(
    "--document",
    "file",
    type=EXISTING_FILE,
    metavar="FILE",
    help="The document's text, to be quoted and compared with the rows.",
)
@click.option(
    "--output", type=OutputFile(".html"), metavar="FILE.html", help="Write the page."
)
@json_option
def rulebook_command(
    game: Game, file: Path | None, *, output: Path | None, as_json: bool
) -> None:
    """Write the rulebook of GAME: each clause beside the software.

    Each sentence is marked: carried out by the software, duty of a person, read by us,
    information, or not covered. Without --output, print the count of each mark. Exit
    with 1 if the document's text and the rows of the game differ.

    Example: croupier rulebook mbs-roulette-v3
    """
    document = read_rule_document(game, file) if file else None
    book = rulebook_of(game, document)
    found = disagreements(game, document) if document else []
    if as_json:
        print_json({**book.json(), "differences": list(map(str, found))})
    elif output is None:
        counts = [(str(book.counts[mark]), mark.value) for mark in Mark]
        silent = (str(book.silent), "silent, read by us")
        print_columns((">sentences", "mark"), [*counts, silent])
    if output is not None:
        write_text(output, rulebook_page(game, document).html)
    for each in found:
        tell(str(each))
    if found:
        sys.exit(1)
