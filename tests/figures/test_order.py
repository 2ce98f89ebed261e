"""The verdict on a layout: the same in whatever order its chips are named."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

from tests.figures.choices import some_wager
from tests.figures.command import croupier
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.settlement import Chips, Limits, Refused, lay


def few_chips(chance: Random, table: Table) -> list[Chips]:
    """Return chips on one or two wagers, several times on the same, near the limits."""
    wagers = [some_wager(chance, table) for _ in range(chance.randint(1, 2))]
    return [
        Chips(chance.choice(wagers), 100 * chance.choice((1, 2, 4, 6, 9, 11)))
        for _ in range(chance.randint(2, 4))
    ]


def check_order(seed: int) -> bool:
    """Ask three commands about chips in two orders; say whether they may lie so."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    limits = Limits({"*": (500, 100 * chance.randint(9, 30))})
    chips = few_chips(chance, table)
    shuffled = chance.sample(chips, len(chips))
    placed = chance.random() < 0.5
    try:
        lay(table, chips, limits, placed=placed)
        may_lie = True
    except Refused:
        may_lie = False
    odds = [
        croupier(
            *("odds", table.name, *map(str, order), *limits.options(), "--json"),
            *(["--placed"] if placed else []),
        )
        for order in (chips, shuffled)
    ]
    houses = [
        croupier(
            *("exposure", table.name, *(f"Anna:{one}" for one in order)),
            *(*limits.options(), "--json", *(["--placed"] if placed else [])),
        )
        for order in (chips, shuffled)
    ]
    assert {answer.status for answer in odds + houses} == {0 if may_lie else 2}, chips
    if may_lie:
        means = [Fraction(one.json["layout"]["mean_net_cents"]) for one in odds]
        worst = [one.json["exposure"]["worst"]["net_cents"] for one in houses]
        assert means[0] == means[1]
        assert worst[0] == worst[1]
    return may_lie


def test_chips_in_two_orders() -> None:
    lawful = [check_order(seed) for seed in range(120)]

    assert 20 < sum(lawful) < 100, "both sides of the limits are tried"


def test_the_settlement_in_every_order_of_three_chips() -> None:
    table = TABLES["mbs-roulette-v2"]
    amounts = (100, 300, 1000)
    for order in permutations(amounts):
        chips = [Chips("straight_up:12", cents) for cents in order]
        answer = croupier(
            *("settle", table.name, "12", *map(str, chips)),
            *("--limits", "* 5 50", "--json"),
        )
        assert answer.json["paid_cents"] == 35 * sum(amounts)


def test_sessions_and_simulations_in_every_order_of_three_chips() -> None:
    terms = ("--bankroll", "60", "--rounds", "4", "--json")
    several = ("12@1", "12@3", "12@10")
    for limits, status in (("* 5 50", 0), ("* 5 13", 2)):
        answers = []
        for order in permutations(several):
            wagers = [word for one in order for word in ("-w", one)]
            asked = ("mbs-roulette-v2", *wagers, *terms, "--limits", limits)
            drawn = ("--sessions", "20", "--seed", "1", "--engine", "plain")
            reckoned = croupier("session", *asked)
            simulated = croupier("simulate", *asked, *drawn)
            assert (reckoned.status, simulated.status) == (status, status), order
            if status == 0:
                answers.append((reckoned.json["ahead"], simulated.json["ahead"]))
        assert all(answer == answers[0] for answer in answers)
