"""`--what-if`: other pay tables, wheels and draws, enumerated a second time."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random

from tests.figures.choices import some_chips, some_wager
from tests.figures.command import figures
from tests.figures.oracle.chance import Likely, cases
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.moments import (
    central,
    hit_frequency,
    layout_spread,
    mean,
    moment,
)
from tests.figures.oracle.sessions import Plan, play
from tests.figures.oracle.settlement import Chips, Limits, lay, write
from tests.figures.oracle.strategies import STRATEGIES
from tests.figures.plans import unit_of
from tests.figures.told import check_figure, ends_told


@dataclass(frozen=True)
class Change:
    """What is different from a game: as TOML, and as a second computation has it."""

    table: Table
    pays: dict[str, int] = field(default_factory=dict)
    bonus_pays: dict[str, int] = field(default_factory=dict)
    chances: dict[str, Fraction] = field(default_factory=dict)
    bonus_numbers: int | None = None
    numbers: tuple[str, ...] = ()

    def rate(self, kind: str, status: str) -> int:
        if kind == "straight_up" and self.table.links:
            usual = self.table.pays(kind, status)
            return self.bonus_pays.get(status or "non_bonus", usual)
        return self.pays.get(kind, self.table.pays(kind))

    def likely(self) -> Likely:
        return cases(
            self.table,
            chances=self.chances,
            bonus_numbers=self.bonus_numbers,
            numbers=self.numbers,
        )

    def toml(self) -> str:
        lines = ['title = "Another game"']
        if self.numbers:
            lines.append(f'numbers = "{" ".join(self.numbers)}"')
        if self.bonus_numbers is not None:
            lines.append(f"bonus_numbers = {self.bonus_numbers}")
        lines.append("[pays]")
        lines += [f"{kind} = {pays}" for kind, pays in self.pays.items()]
        if self.bonus_pays:
            lines.append("[pays.straight_up]")
            lines += [f"{status} = {pays}" for status, pays in self.bonus_pays.items()]
        lines.append("[chances]")
        lines += [f'{number} = "{weight}"' for number, weight in self.chances.items()]
        return "\n".join(lines) + "\n"


def some_change(chance: Random, table: Table) -> Change:
    kinds = sorted({place.type for place in table.places.values()})
    plain = [kind for kind in kinds if not (table.links and kind == "straight_up")]
    statuses = ("non_bonus", "bonus", "super_bonus")
    return Change(
        table,
        pays={
            kind: chance.randint(0, 40)
            for kind in chance.sample(plain, min(2, len(plain)))
        },
        bonus_pays={
            status: chance.randint(30, 90)
            for status in chance.sample(statuses, chance.randint(0, 3))
        }
        if table.links
        else {},
        chances={
            number: Fraction(chance.randint(0, 9), chance.randint(1, 7))
            for number in chance.sample(table.numbers, chance.randint(0, 4))
        },
        bonus_numbers=chance.choice((None, 1, 4, 12, 25)) if table.links else None,
    )


def check_change(seed: int, folder: Path) -> None:
    """Hold the odds of a changed game against the enumeration of it."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    change = some_change(chance, table)
    file = folder / f"{seed}.toml"
    file.write_text(change.toml(), encoding="utf-8")
    chips = some_chips(chance, table, most=4)
    wager = some_wager(chance, table)
    check_wager(change, wager, file)
    check_chips(change, chips, file)


def check_wager(change: Change, wager: str, file: Path) -> None:
    table, likely = change.table, change.likely()
    told = figures("odds", table.name, wager, "--what-if", str(file))
    laid = lay(table, [Chips(wager, 1)], Limits())
    pieces = len(table.places_of(wager))
    nets = layout_spread(table, likely, laid, change.rate)
    [row] = told["wagers"]
    assert told["approved"] is False
    assert Fraction(row["return"]) == 1 + mean(nets) / pieces
    assert Fraction(row["variance"]) == central(nets, 2) / pieces**2
    assert Fraction(row["third_central_moment"]) == central(nets, 3) / pieces**3
    assert Fraction(row["maximum_win"]) == Fraction(max(nets), pieces)


def check_chips(change: Change, chips: list[Chips], file: Path) -> None:
    table, likely = change.table, change.likely()
    laid = lay(table, chips, Limits())
    nets = layout_spread(table, likely, laid, change.rate)
    told = figures("odds", table.name, *map(str, chips), "--what-if", str(file))
    layout = told["layout"]
    assert Fraction(layout["mean_net_cents"]) == mean(nets)
    assert {
        row["net_cents"]: Fraction(row["probability"]) for row in layout["distribution"]
    } == nets
    if all(change.pays.values()):
        assert Fraction(layout["hit_frequency"]) == hit_frequency(table, likely, laid)


def check_session(seed: int, folder: Path) -> bool:
    """Hold a session at a changed game against the dynamic program of its results."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    change = some_change(chance, table)
    file = folder / f"session-{seed}.toml"
    file.write_text(change.toml(), encoding="utf-8")
    chips = [Chips(some_wager(chance, table), 500)]
    unit, nets = unit_of(table, chips, change.likely(), change.rate)
    if len(nets) > 4:
        return False
    name = chance.choice(("flat", "martingale", "paroli", "fibonacci"))
    plan = Plan(
        unit_cents=unit,
        nets=nets,
        bankroll=unit * chance.randint(2, 9),
        strategy=STRATEGIES[name],
        rounds=chance.randint(1, 6),
    )

    told = figures(
        *("session", table.name, "--wager", str(chips[0]), "--strategy", name),
        *("--bankroll", write(plan.bankroll), "--rounds", str(plan.rounds)),
        *("--what-if", str(file)),
    )

    mine = play(plan)
    for end, probability in ends_told(mine.ends).items():
        check_figure(told[end], probability)
    check_figure(told["staked_cents"], mine.staked_cents)
    check_figure(told["net_cents"], moment(mine.bankrolls, 1) - plan.bankroll)
    assert told["approved"] is False
    return True
