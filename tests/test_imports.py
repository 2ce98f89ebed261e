"""What two modules need lives in a module that is not a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def imported(source: str) -> Iterator[str]:
    """Yield each name that a module imports, with its package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)


def imported_tests(source: str) -> list[str]:
    words = (name.split(".") for name in imported(source) if "tests" in name)
    return [".".join(each) for each in words if any(w[:5] == "test_" for w in each)]


def test_an_import_of_a_test_module_is_found() -> None:
    for source in (
        "import tests.house.test_floor",
        "from tests.house import test_floor as floor",
        "def play():\n    from tests.house.test_floor import deal",
    ):
        assert imported_tests(source), source
    assert not imported_tests("from tests.house.connecting import deal")


def test_no_module_imports_a_test_module() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): names
        for folder in ("tests", "tools", "benchmarks", "src")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (names := imported_tests(path.read_text("utf-8")))
    }

    assert found == {}
