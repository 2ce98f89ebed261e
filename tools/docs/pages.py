"""Reading the documentation: pages, generated blocks, console examples."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = tuple(sorted(DOCS.glob("*.md")))

_BLOCK = re.compile(
    r"<!-- generated: (?P<name>[\w -]+) -->\n(?P<body>.*?)<!-- end -->\n", re.DOTALL
)
_HELP = re.compile(
    r"^```text title=\"croupier (?P<name>[\w-]+ )?--help\"\n(?P<body>.*?)^```\n",
    re.DOTALL | re.MULTILINE,
)
_CONSOLE = re.compile(r"^```console\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(
    r"^```(?:text|toml) title=\"(?P<name>[\w.-]+)\"\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)
ANYTHING = "…"
"""In an example, left-out text: part of a line, or whole lines if it is alone."""


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a console block, and its output."""

    page: str
    command: str
    output: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.command)

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern that the whole output must match."""
        lines = self.output.splitlines(keepends=True)
        parts = [
            r"(?:.*\n)*"
            if line.rstrip() == ANYTHING
            else re.escape(line).replace(ANYTHING, ".*")
            for line in lines
        ]
        return re.compile("".join(parts))


def blocks(text: str) -> dict[str, str]:
    """Return the generated blocks of a page, by name."""
    helps = {_help_name(found): found["body"] for found in _HELP.finditer(text)}
    return helps | {found["name"]: found["body"] for found in _BLOCK.finditer(text)}


def _help_name(found: re.Match[str]) -> str:
    return f"help {found['name'] or ''}".strip()


def with_blocks(text: str, bodies: dict[str, str]) -> str:
    """Return the page with new bodies in its blocks."""

    def replaced(found: re.Match[str]) -> str:
        name = found["name"]
        return f"<!-- generated: {name} -->\n{bodies[name]}<!-- end -->\n"

    def helped(found: re.Match[str]) -> str:
        head, _, _ = found[0].partition("\n")
        return f"{head}\n{bodies[_help_name(found)]}```\n"

    return _HELP.sub(helped, _BLOCK.sub(replaced, text))


def examples(page: Path) -> Iterator[Example]:
    """Yield the commands of the page's console blocks, in order."""
    for block in _CONSOLE.finditer(page.read_text("utf-8")):
        for part in _PROMPT.split(block["body"]):
            command, _, output = part.partition("\n")
            if command:
                yield Example(page.name, command, output)


def files_of(page: Path) -> dict[str, str]:
    """Return the files that the page shows, by name."""
    text = page.read_text("utf-8")
    return {found["name"]: found["body"] for found in _FILE.finditer(text)}


_PYTHON = re.compile(r"^```pycon\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def statements(page: Path) -> str:
    """Return the Python of the page's examples, without prompts and output."""
    blocks_of_page = _PYTHON.finditer(page.read_text("utf-8"))
    lines = [line for found in blocks_of_page for line in found["body"].splitlines()]
    return "".join(
        f"{line[4:]}\n" for line in lines if line.startswith((">>> ", "... "))
    )
