"""Tables served in either way: on a thread of their own, and in turns with others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from croupier.table import Table, TableActor
from croupier.table.shared_turns import SharedTurns

ServeTable = Callable[..., TableActor]
"""Takes what `TableActor` takes, but for the turns."""


@pytest.fixture(params=["alone", "in turns"])
def serve(request: pytest.FixtureRequest) -> Iterator[ServeTable]:
    """Return what serves a table in one way or the other."""
    begun: list[SharedTurns] = []

    def serve_table(table: Table, *listeners: object, **options: object) -> TableActor:
        turns = None
        if request.param == "in turns":
            turns = SharedTurns(table.append)
            begun.append(turns)
        return TableActor(table, *listeners, turns=turns, **options)  # type: ignore[arg-type]

    yield serve_table
    for turns in begun:
        turns.close()
