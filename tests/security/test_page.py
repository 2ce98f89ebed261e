"""The pages on security, the journal and standards name tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "security.md"
JOURNAL = PAGE.with_name("journal.md")
STANDARDS = PAGE.with_name("standards.md")
_TEST = ast.FunctionDef | ast.AsyncFunctionDef
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(e.name for e in tree.body if isinstance(e, _TEST))


@pytest.mark.parametrize(
    ("page", "fewest"), [(PAGE, 60), (JOURNAL, 25), (STANDARDS, 50)]
)
def test_every_control_names_a_test_that_is_there(page: Path, fewest: int) -> None:
    named = NAMED.findall(page.read_text("utf-8"))
    missing = [
        f"{file}::{name}"
        for file, name in named
        if name not in functions_of(TESTS / file) or not name.startswith("test_")
    ]

    assert len(named) > fewest
    assert missing == []


def test_every_attack_test_is_named_by_the_page() -> None:
    named = set(NAMED.findall(PAGE.read_text("utf-8")))
    ours = {
        (f"security/{path.name}", name)
        for path in Path(__file__).parent.glob("test_*.py")
        if path != Path(__file__)
        for name in functions_of(path)
        if name.startswith("test_") and "has_a_row" not in name
    }

    assert ours <= named, ours - named
