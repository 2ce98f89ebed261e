"""`settle`: chips at random on outcomes at random, settled a second time."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.figures.choices import some_chips, some_limits
from tests.figures.command import croupier
from tests.figures.oracle.chance import drawn_case
from tests.figures.oracle.games import TABLES
from tests.figures.oracle.settlement import Refused, lay, settle


def check_settlement(seed: int) -> bool:
    """Hold one settlement against the second one; say whether it was lawful."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    chips = some_chips(chance, table)
    limits = some_limits(chance, table)
    number = chance.choice(table.numbers)
    lit = chance.sample(table.numbers, table.bonus_numbers)

    answer = croupier(
        "settle",
        table.name,
        number,
        *map(str, chips),
        *limits.options(),
        *(["--bonus", ",".join(lit)] if lit else []),
        "--json",
    )

    try:
        laid = lay(table, chips, limits)
    except Refused:
        assert answer.status == 2, (chips, limits)
        return False
    told = answer.json
    case = drawn_case(table, number, lit)
    totals: Counter[str] = Counter()
    for row, wager, named in zip(told["wagers"], laid, chips, strict=True):
        rows = settle(table, wager, case)
        sums = {
            "stake_cents": sum(one.stake for one in rows),
            "paid_cents": sum(one.paid for one in rows),
            "collected_cents": sum(one.collected for one in rows),
            "returned_cents": sum(one.returned for one in rows),
        }
        assert row["wager"] == named.wager
        assert {key: row[key] for key in sums} == sums
        assert Counter(tuple(one.values()) for one in row["pieces"]) == Counter(
            (one.place, one.stake, one.paid, one.collected, one.returned)
            for one in rows
        )
        totals.update(sums)
    assert {key: told[key] for key in totals} == dict(totals)
    assert (told["game"], told["round"], told["status"]) == (table.name, 1, "settled")
    assert told["winning_number"] == number
    assert told["bonus_numbers"] == sorted(lit, key=table.numbers.index)
    assert told["refused"] == []
    return True
