"""Names that a package loads when they are first used: importing it stays cheap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], extras: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return a `__getattr__` that loads a package's names when they are first used.

    `homes` maps each module of the package to its names, separated by blanks; `extras`
    maps a module to the extra that it needs and the packages to look for.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Imported here: most imports of the package use no name.
        from importlib import import_module

        if extras is None or home not in extras:
            return getattr(import_module(f"{package}.{home}"), name)
        from croupier.extras import needing

        with needing(*extras[home].split()):
            return getattr(import_module(f"{package}.{home}"), name)

    return load
