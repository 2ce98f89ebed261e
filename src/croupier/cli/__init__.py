"""The command line: arguments in, text out; every command one call."""

import atexit
import gc
from typing import NoReturn

# Commands make little garbage. This high threshold makes them start a twentieth faster.
# A long-running command is still collected.
gc.set_threshold(50_000)

from croupier.cli import group  # noqa: E402

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line, then exit."""
    # The process ends and frees all memory. A last collection would add a tenth to the
    # time of a PAR sheet.
    atexit.register(gc.freeze)
    group.main()
