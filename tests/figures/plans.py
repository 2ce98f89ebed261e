"""Plans of a session at random, and the command line's words for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tests.figures.choices import some_wager
from tests.figures.oracle.chance import Likely, cases
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.sessions import Plan
from tests.figures.oracle.settlement import Chips, Limits, Pays, lay, net, write
from tests.figures.oracle.strategies import STRATEGIES

RULES = ("stake-allowed", "start-again", "stop")


@dataclass(frozen=True)
class Asked:
    """A plan, and how the command line is asked for it."""

    table: Table
    words: tuple[str, ...]
    plan: Plan
    question: Mapping[str, object]
    """What the answer repeats of the question, by its keys."""


def unit_of(
    table: Table,
    chips: list[Chips],
    likely: Likely | None = None,
    pays: Pays | None = None,
) -> tuple[int, dict[int, int]]:
    """Return the stake of one unit, and the weight of each of its net results."""
    laid = lay(table, chips, Limits())
    weights: Counter[int] = Counter()
    for case, weight in (likely or cases(table)).weights.items():
        weights[net(table, laid, case, pays)] += weight
    return sum(piece.stake for wager in laid for piece in wager), dict(weights)


def maximum_units(table: Table, chips: list[Chips], limits: Limits) -> int | None:
    """Return how many units lie within every maximum."""
    totals: Counter[str] = Counter()
    for wager in lay(table, chips, Limits()):
        for piece in wager:
            totals[piece.place] += piece.stake
    bounds = [
        greatest // total
        for place, total in totals.items()
        for _, greatest in [limits.of(table.places[place].type)]
        if greatest is not None
    ]
    return min(bounds) if bounds else None


def some_plan(
    seed: int,
    *,
    most_rounds: int | None,
    units: tuple[int, int] = (1, 40),
    most_results: int = 4,
) -> Asked:
    """Return a plan at random: any game, wager and strategy, with limits or without."""
    chance = Random(seed)
    name = chance.choice(sorted(STRATEGIES))
    strategy = STRATEGIES[name]
    while True:
        table = chance.choice(list(TABLES.values()))
        count = 2 if chance.random() < 0.2 else 1
        cents = chance.choice((100, 500, 1000))
        chips = [Chips(some_wager(chance, table), cents) for _ in range(count)]
        unit, nets = unit_of(table, chips)
        if len(nets) <= most_results and _is_whole(name, unit, nets):
            break
    limits, most = Limits(), None
    if chance.random() < 0.7:
        # Doubled pieces count together, so twice the piece is the least maximum.
        limits = Limits({"*": (cents, cents * chance.randint(4, 60))})
        most = maximum_units(table, chips, limits)
        if most is not None and most < strategy.units(strategy.start):
            limits, most = Limits(), None
    bankroll = unit * chance.randint(*units) + chance.choice((0, 0, 100))
    target = None
    if most_rounds is None or chance.random() < 0.7:
        target = bankroll + chance.choice((100, unit)) * chance.randint(1, 12)
    rounds = None if most_rounds is None else chance.randint(1, most_rounds)
    stop_loss = None
    if chance.random() < 0.4:
        stop_loss = min(bankroll, chance.choice((100, unit)) * chance.randint(1, 12))
    over_maximum = chance.choice((*RULES, "", ""))
    over_bankroll = chance.choice((*RULES, "", ""))
    words = [
        table.name,
        "--wager",
        " + ".join(map(str, chips)),
        "--bankroll",
        write(bankroll),
        "--strategy",
        name,
        *limits.options(),
    ]
    for option, value in (
        ("--target", target and write(target)),
        ("--rounds", rounds and str(rounds)),
        ("--stop-loss", stop_loss and write(stop_loss)),
        ("--over-maximum", over_maximum),
        ("--over-bankroll", over_bankroll),
    ):
        words += [option, value] if value else []
    plan = Plan(
        unit_cents=unit,
        nets=nets,
        bankroll=bankroll,
        strategy=strategy,
        target=target,
        rounds=rounds,
        maximum_units=most,
        over_maximum=over_maximum,
        over_bankroll=over_bankroll,
        stop_loss=stop_loss,
    )
    question = {
        "game": table.name,
        "wager": " + ".join(map(str, chips)),
        "unit_cents": unit,
        "maximum_units": most,
        "strategy": name,
        "over_maximum": over_maximum or strategy.over_maximum,
        "over_bankroll": over_bankroll or strategy.over_bankroll,
        "bankroll_cents": bankroll,
        "target_cents": target,
        "rounds": rounds,
        "stop_loss_cents": stop_loss,
    }
    return Asked(table, tuple(words), plan, question)


def _is_whole(name: str, unit: int, nets: dict[int, int]) -> bool:
    """Say whether a strategy that counts units won or lost has whole ones to count."""
    if name not in {"oscars-grind", "labouchere"}:
        return True
    return all(Fraction(value, unit).denominator == 1 for value in nets)
