"""Reasons for acts of tests: the house takes some acts only with one (A43)."""

from __future__ import annotations

from typing import Any

from croupier.rules import commands as do

_TAKE_REASON = (
    "no spin",
    "irregularity unlisted",
    "rule ",
    "decide ",
    "correct ",
    "void rounds ",
    "uphold ",
    "reject ",
)


def reasoned(act: str) -> str:
    """Return an act's words with a reason, if it takes one and has none."""
    wanted = act.startswith(_TAKE_REASON) and " because " not in act
    return f"{act} because the test says so" if wanted else act


def with_reason(command: Any) -> Any:
    """Return a command with a reason, if it takes one and has none."""
    if do.reason_of(command) != "":
        return command
    return do.with_reason(command, "the test says so")
