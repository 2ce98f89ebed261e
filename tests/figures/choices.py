"""Wagers, stakes and limits at random, the same ones every time."""

from __future__ import annotations

from random import Random

from tests.figures.oracle.games import Table
from tests.figures.oracle.settlement import Chips, Limits


def some_wager(chance: Random, table: Table) -> str:
    """Return a wager: each type as likely, and one of several pieces half the time."""
    if table.pieces and chance.random() < 0.5:
        heads = sorted({name.partition(":")[0] for name in table.pieces})
        head = chance.choice(heads)
        return chance.choice(
            [name for name in table.pieces if name.partition(":")[0] == head]
        )
    kinds = sorted({place.type for place in table.places.values()})
    kind = chance.choice(kinds)
    return chance.choice(
        [name for name, place in table.places.items() if place.type == kind]
    )


def some_chips(
    chance: Random, table: Table, *, most: int = 6, greatest: int = 6000
) -> list[Chips]:
    """Return chips on a few wagers, now and then twice on the same one."""
    wagers = [some_wager(chance, table) for _ in range(chance.randint(1, most))]
    if len(wagers) > 2 and chance.random() < 0.4:
        wagers[-1] = wagers[0]
    unit = chance.choice((1, 25, 100, 500))
    return [
        Chips(wager, unit * chance.randint(1, max(1, greatest // unit)))
        for wager in wagers
    ]


def some_limits(chance: Random, table: Table, *, strict: bool = True) -> Limits:
    """Return limits for all types, and of some their own; perhaps none."""
    if chance.random() < 0.2:
        return Limits()
    highest = 3000 if strict else 100_000
    kinds = sorted({place.type for place in table.places.values()})
    wanted = ["*", *chance.sample(kinds, min(2, len(kinds)))]
    return Limits(
        {
            kind: (100 * chance.randint(0, 5) or 100, 100 * chance.randint(5, 10 * 6))
            if chance.random() < 0.5
            else (100, highest)
            for kind in wanted
        }
    )
