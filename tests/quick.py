"""The tests of what a change touches, for as long as a contributor likes to wait.

The files that differ from the last commit (or, where none does, those of that commit)
name the tests: a package's own, the test files themselves, the examples of a page. What
the time does not suffice for is said; `make test` runs everything.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_SECONDS = 30


class Stopwatch:
    """Ends the run when its time is up."""

    def __init__(self) -> None:
        self._until = time.monotonic() + _SECONDS
        self.is_over = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        yield
        self.is_over = time.monotonic() > self._until
        if self.is_over:
            item.session.shouldstop = "the time is up: `make test` runs the rest"


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
    """Return the tests of these files, the nearest first."""
    found = [each for path in paths for each in _candidates(Path(path), root)]
    return list(dict.fromkeys(each for each in found if (root / each).exists()))


def _candidates(path: Path, root: Path) -> Iterator[str]:
    """Yield what may be there: a module's own tests, then its packages'."""
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
    tests = chosen_tests(changed_files())
    if not tests:
        sys.stdout.write("no test is named after what was changed\n")
        return 0
    sys.stdout.write(f"the tests of what was changed: {' '.join(tests)}\n")
    stopwatch = Stopwatch()
    status = pytest.main(["-q", "-x", *tests], plugins=[stopwatch])
    is_cut = status == pytest.ExitCode.INTERRUPTED and stopwatch.is_over
    return 0 if is_cut else int(status)


if __name__ == "__main__":
    sys.exit(main())
