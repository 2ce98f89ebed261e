"""The parts of the pages that are written from the code.

`make generated` writes them again; a test compares them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import click
from click.testing import CliRunner

from croupier.cli.group import croupier
from tools.docs import reference, tables
from tools.docs.pages import PAGES, blocks, with_blocks

_TABLES: dict[str, Callable[[], str]] = {
    "package table": tables.package_table,
    "phase table": tables.phase_table,
    "act table": tables.act_table,
    "irregularity table": tables.irregularity_table,
    "game table": tables.game_table,
    "area table": tables.area_table,
    "multiple table": tables.multiple_table,
    "rule table": tables.rule_table,
    "setting table": tables.setting_table,
    "reading table": tables.reading_table,
    "house authority": tables.house_authority,
    "house acts": tables.house_acts,
    "event actions": tables.event_actions,
    "reference": reference.reference,
}

# Left out of the page: it shows an example of its own, and each command has --help.
_EXAMPLE = re.compile(r"^\n  Example: .*\n", re.MULTILINE)
_HELP_OPTION = re.compile(r"^  -h, --help .*\n", re.MULTILINE)


def block_names() -> list[str]:
    """Return the name of every block that some page must have."""
    return [*_TABLES, "help", *(f"help {name}" for name in command_names())]


def command_names() -> list[str]:
    return croupier.list_commands(click.Context(croupier))


def render(name: str) -> str:
    """Return the block of that name as the code has it now."""
    if name in _TABLES:
        return _TABLES[name]()
    word, *command = name.split()
    assert word == "help", name
    asked = CliRunner().invoke(
        croupier, [*command, "--help"], prog_name="croupier", terminal_width=100
    )
    assert asked.exit_code == 0, asked.output
    text = _EXAMPLE.sub("", asked.output).replace("\n\n", "\n", 1)
    if name != "help":
        text = _HELP_OPTION.sub("", text).removesuffix("\nOptions:\n")
        text = text.replace("\nOptions:\n\n", "\n")
    return text


def main() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        bodies = {name: render(name) for name in blocks(text)}
        page.write_text(with_blocks(text, bodies), "utf-8")


if __name__ == "__main__":
    main()
