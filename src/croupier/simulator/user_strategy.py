"""Strategies of the user's own: a Python function, or a name in a Python file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any

from croupier.odds.sessions import SessionError, Strategy
from croupier.odds.sessions.strategy import is_function
from croupier.rules.notation import shown, suggestion
from croupier.simulator.plan import OwnFunction, SimulationPlan

SUFFIX = ".py"
MODULE = "croupier_own_"
"""What the names of modules begin with that are users' files."""
_TRIED_ROUNDS = 100


def load_own(text: str) -> Strategy | Callable[..., Any]:
    """Load what `FILE.py:NAME` names: a function, a strategy, or a class of them."""
    file, _, name = text.rpartition(":")
    if not file.endswith(SUFFIX):
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
    if is_function(found) or all(
        hasattr(found, each) for each in ("start", "stake", "after")
    ):
        return found  # type: ignore[no-any-return]
    raise SessionError(
        f"{text} is no strategy: it must be a function, or have start, stake and after"
    )


def _made(strategy_class: type, text: str) -> Any:
    try:
        return strategy_class()
    except Exception as error:
        raise SessionError(f"{text} can't be made: {one_line(error)}") from error


def _load(path: Path) -> ModuleType:
    """Return the user's file, run as a module of its own."""
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


def try_function(plan: SimulationPlan, own: OwnFunction) -> None:
    """Play a few rounds with a function; raise `SessionError` where it goes wrong."""
    from dataclasses import replace

    from croupier.simulator.plain import course

    def checked(*given: Any) -> int:
        try:
            units: object = own.function(*given)
        except Exception as error:
            raise SessionError(f"{own.name} failed: {one_line(error)}") from error
        if isinstance(units, bool) or not isinstance(units, Integral):
            raise SessionError(
                f"{own.name} must return a whole number of units, not {units!r:.40}"
            )
        if given[0] == 0 and units <= 0:
            raise SessionError(f"{own.name} stakes nothing at the start")
        return int(units)

    tried = replace(plan, machine=replace(own, function=checked))
    for _ in islice(course(tried, 0), _TRIED_ROUNDS):
        pass


def one_line(error: BaseException) -> str:
    """Return an error of the user's code, on one line."""
    said = " ".join(f"{error}".split())[:200]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
