"""`make test` stops at the first thing that is wrong, and says it in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = ("ruff", "mypy", "lint-imports", "pytest", "chromium", "npm")


def test_a_wrong_import_ends_before_the_tests_begin(tmp_path: Path) -> None:
    wrong = 'src/croupier/a.py:1: error: Module "b" has no attribute "c"'
    tools = {name: f'echo {name} >> "{tmp_path}/ran"\n' for name in TOOLS}
    tools["mypy"] += f"echo '{wrong}'; exit 1\n"
    for name, does in tools.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}")
        (tmp_path / name).chmod(0o755)
    made = [f"{name}={tmp_path / name.lower()}" for name in ("VENV", "READY", "PAGES")]
    for name in ("venv", "ready", "pages", "checked"):
        (tmp_path / name).touch()

    done = subprocess.run(
        [
            *("make", "--no-print-directory", "test", f"BIN={tmp_path}", *made),
            *(f"PAGES_READY={tmp_path}/pages", f"PAGES_CHECKED={tmp_path}/checked"),
            "PAGE_SOURCES=",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )

    told = [line for line in done.stdout.splitlines() if str(tmp_path) not in line]
    assert done.returncode != 0
    assert told == [wrong]
    assert (tmp_path / "ran").read_text().split() == ["ruff", "mypy"]


def test_one_wrong_import_is_one_line_however_many_need_it(tmp_path: Path) -> None:
    package = tmp_path / "many"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "wheel.py").write_text("from many.ring import RING, Pocket\n")
    (package / "ring.py").write_text("RING = (1, 2)\n")
    for number in range(20):
        text = "from many.wheel import RING, Pocket\n\nseen: list[Pocket] = [*RING]\n"
        (package / f"module_{number}.py").write_text(text)

    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml"),
            *("--cache-dir", os.devnull, "--no-error-summary", "--implicit-reexport"),
            package,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )

    [line] = done.stdout.splitlines()
    assert 'Module "many.ring" has no attribute "Pocket"' in line
