"""The command line: arguments in, text out; every command one call."""

import gc

# A command makes little garbage: collecting as rarely as this saves a twentieth of its
# start, and a long-running one is still collected.
gc.set_threshold(50_000)

from croupier.cli.group import main  # noqa: E402

__all__ = ["main"]
