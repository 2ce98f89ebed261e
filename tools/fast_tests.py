"""The fast tests: golden tables and transcripts, then the tests of the changed files.

The files that differ from the last commit (or, if none does, those of that commit) name
the tests: changed test files first, then a package's own and the examples of a page,
then each test that imports a changed module. If the time is up, the run fails and lists
the files it left out.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_SECONDS = 30
_ALWAYS = (
    "tests/test_golden.py",
    "tests/test_transcripts.py",
    "tests/rules",
    "tests/test_clause_sources.py",
    "tests/docs/test_pages.py::test_a_table_is_what_the_code_says",
    "tests/docs/test_pages.py::test_a_drawing_is_what_the_code_says",
)
"""Golden tables, transcripts, the rules, and the output of `make generated`."""
_PAGE_TYPES = "tests/web/test_page_types.py"
"""Also run if the tools of the pages are installed."""


class Stopwatch:
    """Ends the run when its time is up, and knows the tests that were not run."""

    def __init__(self) -> None:
        self._until = time.monotonic() + _SECONDS
        self.left: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        self.left = [item.nodeid for item in session.items]
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        yield
        self.left.remove(item.nodeid)
        if time.monotonic() > self._until:
            item.session.shouldstop = "the time is up"


def changed_files() -> list[str]:
    """Return the paths that differ from the last commit, or those that it changed."""
    found = _git("diff", "--name-only", "HEAD") + _git(
        "ls-files", "--others", "--exclude-standard"
    )
    return found or _git("diff", "--name-only", "HEAD~1", "HEAD")


def _git(*words: str) -> list[str]:
    done = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def chosen_tests(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the tests of these files: changed ones, the nearest, then by import."""
    first = sorted(paths, key=lambda path: not path.startswith("tests/"))
    return list(dict.fromkeys([*nearest_tests(first, root), *importers(first, root)]))


def nearest_tests(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the tests that are named after these files or their packages."""
    found = [each for path in paths for each in _candidates(Path(path), root)]
    return list(dict.fromkeys(each for each in found if (root / each).exists()))


def importers(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the tests outside the browser that import one of these modules."""
    modules = {
        ".".join(Path(path).with_suffix("").parts).removeprefix("src.")
        for path in paths
        if path.endswith(".py")
    }
    return [
        path.relative_to(root).as_posix()
        for path in sorted((root / "tests").rglob("test_*.py"))
        if "e2e" not in path.parts and _imports(path.read_text("utf-8"), modules)
    ]


def _imports(source: str, modules: Set[str]) -> bool:
    """Return whether a source imports one of the modules, or a name from it."""
    if not any(module.rpartition(".")[2] in source for module in modules):
        return False  # most files: reading them as Python takes much longer
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{n.name}" for n in node.names)}
    return not modules.isdisjoint(found)


def _candidates(path: Path, root: Path) -> Iterator[str]:
    """Yield tests that may exist: a module's own, then those of its packages."""
    match path.parts:
        case ("tests", "e2e", *_):
            return
        case ("tests", *_) if path.name.startswith("test_"):
            yield path.as_posix()
        case ("tests", folder, *_) if (root / "tests" / folder).is_dir():
            yield f"tests/{folder}"
        case ("docs", *_) | ("README.md",) if path.suffix == ".md":
            yield path.as_posix()
        case ("src", "croupier", "samples", *_):
            yield "tests/docs"
        case ("src", "croupier", _):
            yield "tests/test_surface.py"
        case ("src", "croupier", *packages, name):
            stem = Path(name).stem
            for depth in range(len(packages), 0, -1):
                folder = Path("tests", *packages[:depth]).as_posix()
                yield from (f"{folder}/test_{stem}.py", folder)


def main() -> int:
    always = [*_ALWAYS]
    if (ROOT / "pages" / "node_modules").is_dir():
        always.append(_PAGE_TYPES)
    golden = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-n", "auto", *always],
        cwd=ROOT,
        check=False,
    )
    if golden.returncode:
        return golden.returncode
    tests = chosen_tests(changed_files())
    if not tests:
        sys.stdout.write("no other test is named after the changed files\n")
        return 0
    sys.stdout.write(f"the tests of the changed files: {' '.join(tests)}\n")
    stopwatch = Stopwatch()
    status = pytest.main(["-q", "-x", *tests], plugins=[stopwatch])
    if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return 0
    if status == pytest.ExitCode.INTERRUPTED and stopwatch.left:
        files = dict.fromkeys(each.partition("::")[0] for each in stopwatch.left)
        sys.stdout.write(
            f"incomplete: {len(stopwatch.left)} tests of these files were not run, "
            f"`make test` runs them: {' '.join(files)}\n"
        )
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
