"""The command line, called in process: arguments in, text or JSON out."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from croupier.cli.group import main
from tests.figures.read_keys import track


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit status."""

    command: str
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.status == 0, self.err
        return self.told

    @property
    def told(self) -> Any:
        """The JSON document, also if the status is 1 because of findings."""
        return track(self.command, json.loads(self.out))


def croupier(*words: str) -> Answer:
    """Run `croupier` with the words as its arguments."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with (
        patch.object(sys, "argv", ["croupier", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(bool(end.code))
    return Answer(words[0], status, out.getvalue(), err.getvalue())


def figures(*words: str) -> Any:
    """Return what `croupier … --json` prints, read."""
    return croupier(*words, "--json").json
