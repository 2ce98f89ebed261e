"""The command line, called in process: arguments in, text or JSON out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.cli.running import run_here
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
    ran = run_here(*words)
    return Answer(words[0], ran.code, ran.stdout, ran.stderr)


def figures(*words: str) -> Any:
    """Return what `croupier … --json` prints, read."""
    return croupier(*words, "--json").json
