"""The command line: arguments in, text out; every command one call."""

import atexit
import gc
from typing import NoReturn

# A command makes little garbage: collecting as rarely as this saves a twentieth of its
# start, and a long-running one is still collected.
gc.set_threshold(50_000)

from croupier.cli import group  # noqa: E402

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command as all that this process does."""
    # At the end all memory is given back: looking for garbage in it first would cost a
    # tenth of a PAR sheet.
    atexit.register(gc.freeze)
    group.main()
