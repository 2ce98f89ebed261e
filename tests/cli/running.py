"""Running the command: as a process of its own, or quickly in this one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from croupier.cli.group import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def is_one_sentence(self) -> bool:
        """Whether all it said is a sentence on standard error, with exit status 2."""
        return (
            (self.code, self.stdout) == (2, "")
            and self.stderr.startswith("croupier: ")
            and self.stderr.count("\n") == 1
            and self.stderr.endswith("\n")
            and len(self.stderr) < 400
        )

    def json(self) -> Any:
        """The one document on standard output, of a command that went well."""
        assert (self.code, self.stderr) == (0, "")
        return json.loads(self.stdout)

    def table(self) -> list[list[str]]:
        """The lines of standard output, split where two spaces or more stand."""
        assert (self.code, self.stderr) == (0, "")
        return [
            [cell.strip() for cell in line.split("  ") if cell.strip()]
            for line in self.stdout.splitlines()
        ]


def run(
    *args: str | os.PathLike[str],
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """`croupier ARGS…`, as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *args],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        timeout=60,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


class _Text(io.TextIOWrapper):
    """Standard output, kept."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="\n")

    def text(self) -> str:
        self.flush()
        kept = self.buffer
        assert isinstance(kept, io.BytesIO)
        return kept.getvalue().decode()


def run_here(*args: str | os.PathLike[str], stdin: bytes = b"") -> Ran:
    """`croupier ARGS…` in this process: the same `main`, a hundred times quicker."""
    words = ["croupier", *(os.fspath(each) for each in args)]
    out, err = _Text(), _Text()
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    code: object = None
    with (
        patch.object(sys, "argv", words),
        patch.object(sys, "stdin", given),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code
    assert isinstance(code, int)
    return Ran(code, out.text(), err.text())
