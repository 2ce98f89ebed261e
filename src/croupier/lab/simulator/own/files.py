"""Strategies in users' Python files."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from croupier.lab.sessions import SessionError
from croupier.lab.sessions.strategy import is_function
from croupier.lab.simulator.compiler import one_line
from croupier.rules.notation import shown, suggestion

_SUFFIX = ".py"
MODULE = "croupier_own_"
"""The prefix of the module names of users' files."""


def load_own(text: str, *, is_chooser: bool = False) -> Any:
    """Load the function, strategy or strategy class that `FILE.py:NAME` names.

    A chooser of wagers must be a function. Raises `SessionError`.
    """
    file, _, name = text.rpartition(":")
    if not file.endswith(_SUFFIX):
        raise SessionError(
            f"{shown(text)} does not say what to take from the file: write FILE.py:NAME"
        )
    module = _load(Path(file))
    found = getattr(module, name, None)
    if found is None:
        close = suggestion(name, [each for each in vars(module) if each[0] != "_"])
        hint = f"; did you mean {close}?" if close else ""
        raise SessionError(f"{file} has no {shown(name)}{hint}")
    if isinstance(found, type):
        found = _made(found, text)
    if is_chooser:
        if is_function(found):
            return found
        raise SessionError(
            f"{text} is not a function of a seat: a strategy with states needs a"
            " --wager"
        )
    if is_function(found) or all(
        hasattr(found, each) for each in ("start", "stake", "after")
    ):
        return found
    raise SessionError(
        f"{text} is not a strategy: it must be a function, or have start, stake and"
        " after"
    )


def _made(strategy_class: type, text: str) -> Any:
    try:
        return strategy_class()
    except Exception as error:
        raise SessionError(f"{text} can't be made: {one_line(error)}") from error


def _load(path: Path) -> ModuleType:
    """Run the user's file as a module of its own, and return it."""
    name = f"{MODULE}{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SessionError(f"{path}: there is no such file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise SessionError(f"{path}: {one_line(error)}") from error
    return module
