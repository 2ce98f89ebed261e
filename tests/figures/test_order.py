"""The verdict on a layout does not depend on the order of its chips."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

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
            calculated = croupier("session", *asked)
            simulated = croupier("simulate", *asked, *drawn)
            assert (calculated.status, simulated.status) == (status, status), order
            if status == 0:
                answers.append((calculated.json["ahead"], simulated.json["ahead"]))
        assert all(answer == answers[0] for answer in answers)


def test_a_what_if_in_every_order_of_three_chips(tmp_path: Path) -> None:
    file = tmp_path / "loose.toml"
    file.write_text("[pays]\nstraight_up = 34\n", encoding="utf-8")

    found = [
        croupier(
            *("odds", "mbs-roulette-v2", *order, "--limits", "* 5 50"),
            *("--what-if", str(file), "--json"),
        ).json["layout"]["mean_net_cents"]
        for order in permutations(("12@1", "12@4", "red@10"))
    ]

    assert len(set(found)) == 1
    refused = [
        croupier("odds", "mbs-roulette-v2", *order, "--limits", "* 5 50").status
        for order in permutations(("12@1", "12@3", "red@4"))
    ]
    assert set(refused) == {2}


def test_best_play_in_every_order_of_its_areas() -> None:
    found = [
        croupier(
            *("best-play", "mbs-roulette-v3", "--bankroll", "3", "--target", "9"),
            *(word for area in order for word in ("--area", area)),
            "--json",
        ).out
        for order in permutations(("17", "red", "dozen:1"))
    ]

    assert len(set(found)) == 1
    assert found[0]


PLACED = ("1", "3", "10")
"""Stakes on one number: the first two are under the minimum of 5 by themselves."""
OVER = ("30", "1", "40")
"""Beyond a maximum of 50 together."""


def settled_file(folder: Path, game: str, stakes: tuple[str, ...]) -> dict[str, int]:
    """Settle a file that has the stakes on 12 in this order, and 12 comes up."""
    source, target = folder / "in.csv", folder / "out.csv"
    rows = "".join(f"1,12,{stake},12\n" for stake in stakes)
    source.write_text(f"round,area,stake,outcome\n{rows}", encoding="utf-8")
    told = croupier(
        *("settle-file", str(source), "-o", str(target), "--game", game, "--force"),
        *("--limits", "* 5 50", "--allow-rejected", "--json"),
    ).json
    return {name: told[name] for name in ("settled", "paid_cents", "returned_cents")}


def played_out(folder: Path, game: str, stakes: tuple[str, ...]) -> dict[str, int]:
    """Play the same as a transcript, one chip after the other."""
    file = folder / "round.txt"
    laid = "".join(f"Anna: lay 12 {s} as w{n}\n" for n, s in enumerate(stakes))
    file.write_text(
        f"game {game}\nlimits * 5 50\nround\nDealer: place your bets\n{laid}"
        "Dealer: spin\nDealer: no more bets\nDealer: outcome 12\nDealer: settle\n",
        encoding="utf-8",
    )
    (played,) = croupier("transcript", str(file), "--json").json["rounds"]
    sums = played["players"].get("Anna", {"paid_cents": 0, "returned_cents": 0})
    return {
        "settled": len(played["wagers"]),
        "paid_cents": sums["paid_cents"],
        "returned_cents": sums["returned_cents"],
    }


@pytest.mark.parametrize("stakes", [PLACED, OVER])
def test_chips_that_may_lie_outside_the_limits_do_so_in_any_order(
    tmp_path: Path, stakes: tuple[str, ...]
) -> None:
    """Version 3 judges what lies there at the outcome (5.15, 5.16)."""
    at_risk = min(50, sum(map(int, stakes)))
    for order in permutations(stakes):
        for settle in (settled_file, played_out):
            assert settle(tmp_path, "mbs-roulette-v3", order) == {
                "settled": 3,
                "paid_cents": 3500 * at_risk,
                "returned_cents": 100 * sum(map(int, stakes)),
            }, order


@pytest.mark.parametrize("stakes", [PLACED, OVER])
def test_a_record_of_placings_is_judged_placing_by_placing(
    tmp_path: Path, stakes: tuple[str, ...]
) -> None:
    """Version 2 refuses at placing (A11): what a file and a transcript record."""
    for order in permutations(map(int, stakes)):
        lies, count = 0, 0
        for stake in order:
            if 5 <= lies + stake <= 50:
                lies, count = lies + stake, count + 1
        expected = {
            "settled": count,
            "paid_cents": 3500 * lies,
            "returned_cents": 100 * lies,
        }
        words = tuple(map(str, order))
        for settle in (settled_file, played_out):
            assert settle(tmp_path, "mbs-roulette-v2", words) == expected, order
