"""Names that a package loads when they are first used: importing it stays cheap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], extras: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose names are loaded late.

    `homes` has the modules of the package, each with the names that live there, apart
    by blanks; `extras` has the extra that a module needs, and packages to look for.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Imported here: most who import the package ask for no name.
        from importlib import import_module

        if extras is None or home not in extras:
            return getattr(import_module(f"{package}.{home}"), name)
        from croupier.extras import needing

        with needing(*extras[home].split()):
            return getattr(import_module(f"{package}.{home}"), name)

    return load
