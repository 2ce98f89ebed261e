"""Packages of the optional extras: the error for a missing one names its extra."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from croupier.errors import CroupierError

_NAME = re.compile(r"^[\w-]+")


class MissingExtra(CroupierError, ImportError):
    """A package of an extra is not installed."""


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """Raise `MissingExtra` if a package, or one imported in the block, is missing."""
    from importlib.util import find_spec

    try:
        for package in packages:
            # Loading numba takes half a second, which small files do not need.
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
        yield
    except ImportError as error:
        is_ours = root_package(error) == "croupier"
        if isinstance(error, MissingExtra) or is_ours or is_base_missing(error):
            raise
        raise MissingExtra(
            f"this needs {error.name}: pip install 'croupier[{extra}]'"
        ) from error


def is_base_missing(error: ImportError) -> bool:
    """Return whether a package is missing that every installation should have."""
    from importlib.metadata import requires

    base = {
        words[0]
        for requirement in requires("croupier") or ()
        if "extra ==" not in requirement and (words := _NAME.findall(requirement))
    }
    return root_package(error) in base


def root_package(error: ImportError) -> str:
    return (error.name or "").partition(".")[0]
