"""`croupier compare OLD [NEW]`."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.model_options import model_for, what_if_option
from croupier.cli.options import GameName, OutputFile, json_option
from croupier.cli.output import print_json, print_label, print_table, write_text
from croupier.odds.model import model_of
from croupier.rulebook.comparison import (
    ClauseChange,
    DocumentComparison,
    compare_documents,
    odds_table,
)
from croupier.rulebook.page import comparison_page
from croupier.rules.game import Game

_WIDTH = 100
_INDENT = " " * 12


@click.command("compare")
@click.argument("old", type=GameName(), metavar="OLD")
@click.argument("new", type=GameName(), required=False, metavar="[NEW]")
@what_if_option
@click.option(
    "--output", type=OutputFile(".html"), metavar="FILE.html", help="Write a page."
)
@json_option
def compare_command(
    old: Game,
    new: Game | None,
    *,
    what_if: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Compare two documents: clauses, rounds, odds.

    Clauses are matched by subject, not by number; each is unchanged, reworded, moved,
    new or gone. A change of meaning is shown by a short round that ends differently,
    if one is found. Without NEW, OLD is compared with OLD under --what-if.

    Example: croupier compare mbs-roulette-v2 mbs-roulette-v3
    """
    if new is None and what_if is None:
        raise click.UsageError("name a second game, or give a --what-if")
    both = compare_documents(model_of(old), model_for(new or old, what_if))
    if output is not None:
        write_text(output, comparison_page(both).html)
    if as_json:
        print_json(both.json())
    elif output is None:
        _print(both)


def _print(both: DocumentComparison) -> None:
    for model in (both.one, both.two):
        print_label(model)
    counts = ", ".join(f"{n} {kind.value}" for kind, n in both.counts.items())
    click.echo(f"\n{counts}")
    for change in both.changes:
        if not change.is_unchanged:
            _print_change(change)
    click.echo()
    print_table(odds_table(both))


def _print_change(change: ClauseChange) -> None:
    number = change.after or change.before
    was = change.before if change.after and change.before != change.after else ""
    head = f"{number}  {change.said}{f', was {was}' if was else ''}"
    click.echo(f"\n{click.style(head, bold=True)}")
    _tell("", change.says_after or change.says_before)
    for word in ("player", "dealer", "house", "odds"):
        for point in getattr(change.effect, word):
            _tell(word, point)
    if change.story:
        story = change.story
        acts = [each for each in story.lines if each != "round"]
        _tell("round", " / ".join(acts))
        _tell("first", story.told(story.before))
        _tell("second", story.told(story.after))


def _tell(word: str, text: str) -> None:
    begin = f"    {word}".ljust(len(_INDENT))
    click.echo(click.wrap_text(text, _WIDTH, begin, _INDENT))
