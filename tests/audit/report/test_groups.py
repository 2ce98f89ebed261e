"""Groups: what is counted of each, and that fair play stays within their bounds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from croupier.audit.report.groups import Groups, judge_groups
from croupier.audit.report.rounds import Block, Dimension, game_table
from croupier.games import find_game
from croupier.numeric.probability import least_above

GROUPS = 100
TYPES = (Dimension.TYPE,)


def _played(game: Any, rng: Any, rounds: int = 40, pieces: int = 5) -> Block:
    """Chips anywhere, and outcomes as likely as they are."""
    table = game_table(game)
    chances = np.array(table.weights) / table.total
    round_of = np.repeat(np.arange(rounds), pieces)
    area = rng.integers(0, len(table.type_of), rounds * pieces)
    stake = 500 * rng.integers(1, 10, rounds * pieces)
    pays = table.pays[area, rng.choice(len(chances), rounds, p=chances)[round_of]]
    won = pays >= 0
    amounts = (stake, stake, stake * pays * won, stake * ~won, stake * won)
    return Block(
        table,
        ["A"] * rounds,
        [None] * rounds,
        [""] * rounds,
        np.full(rounds, pieces),
        round_of,
        area,
        np.stack(amounts, axis=1),
    )


@pytest.mark.parametrize(
    ("name", "rounds"),
    [("mbs-roulette-v3", 40), ("rws-triple-zero", 40), ("mbs-fast-action-v2", 12)],
)
def test_fair_play_lies_outside_no_more_often_than_it_should(
    name: str, rounds: int
) -> None:
    rng = np.random.default_rng(20)
    outside: Counter[str] = Counter()
    for _ in range(GROUPS):
        groups = Groups([(), TYPES])
        groups.add(_played(find_game(name), rng, rounds))
        whole, one_type = groups.by[()][()], groups.by[TYPES]["straight_up",]
        for told, group in (("whole", whole), ("type", one_type)):
            [judged] = judge_groups((), {(): group}).groups
            outside[f"{told} win"] += judged.win.says != "within 95 %"
            outside[f"{told} hits"] += judged.hits.says != "within 95 %"

    # More are outside once in ten thousand times.
    too_many = least_above(GROUPS, 0.05, 1e-4)
    assert {told: n for told, n in outside.items() if n >= too_many} == {}


def test_the_types_together_are_the_whole() -> None:
    groups = Groups([(), TYPES])

    groups.add(_played(find_game("mbs-roulette-v3"), np.random.default_rng(3)))

    whole, types = groups.by[()][()], groups.by[TYPES].values()
    columns = zip(*(each.amounts for each in types), strict=True)
    assert whole.amounts == [sum(column) for column in columns]
    assert whole.hits == sum(each.hits for each in types)
    assert whole.wagers == sum(each.wagers for each in types)
    assert whole.win.mean == sum(each.win.mean for each in types)
    assert whole.hit.mean == sum(each.hit.mean for each in types)
