"""How often intervals hold the exact answer: strategies × wagers × sessions.

Run from the repository's root: `python -m tests.lab.simulator.coverage`. It prints the
table of `docs/methods.md`: the share of simulations whose interval holds the exact
answer, by sessions and figure: the least of all strategies and wagers, and the mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from croupier.lab.sessions import STRATEGIES
from croupier.lab.sessions.request import SessionRequest, read_request
from croupier.lab.sessions.solver import solve_session
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.simulation import ExactAnswer, Simulation

FIGURES = ("net_cents", "return_rate", "staked_cents", "rounds_played")
SIZES = (5, 20, 100, 1_000)
WAGERS = (
    ("mbs-roulette-v3", "red@10"),
    ("mbs-roulette-v3", "17@10"),
    ("rws-triple-zero", "street:1/2/3@10"),
)
BOUNDS: tuple[dict[str, Any], ...] = (
    {"bankroll": 50, "rounds": 3},
    {"bankroll": 200, "target": 400, "rounds": 30, "limits": ["* 10 100"]},
)


@dataclass(frozen=True)
class Question:
    """A session that is asked about, and its exact answer."""

    name: str
    request: SessionRequest
    exact: ExactAnswer

    def simulations(
        self, sessions: int, runs: int, level: float
    ) -> Iterator[Simulation]:
        """Yield simulations of other sessions each time."""
        plan = compile_plan(self.request, sessions=sessions, seed=1)
        engine = CpuEngine(1)
        for run in range(runs):
            tally = engine.run(plan, run * sessions, sessions)
            drawn = Simulation(
                request=self.request,
                plan=plan,
                tally=tally,
                level=level,
                engine="cpu",
                seconds=0.0,
            )
            drawn.__dict__["beside"] = self.exact
            yield drawn


def questions(
    strategies: Sequence[str], wagers: Sequence[tuple[str, str]]
) -> Iterator[Question]:
    for strategy in strategies:
        for game, wager in wagers:
            for words in BOUNDS:
                request = read_request(game, wager, strategy=strategy, **words)
                name = f"{strategy}, {wager} ({game}), {words['rounds']} rounds"
                yield Question(name, request, ExactAnswer(solve_session(request)))


def shares_inside(
    question: Question, sessions: int, runs: int, level: float
) -> dict[str, float]:
    """Return by figure the share of the simulations whose interval holds."""
    inside = dict.fromkeys(FIGURES, 0)
    for drawn in question.simulations(sessions, runs, level):
        for figure in FIGURES:
            inside[figure] += bool(getattr(drawn, figure).is_inside)
    return {figure: count / runs for figure, count in inside.items()}


@click.command()
@click.option("--runs", default=1_000, help="Simulations of each size.")
@click.option("--level", default=0.95, help="Of the intervals.")
@click.option("--worst", default=0, help="Name so many questions with the least.")
def main(runs: int, level: float, worst: int) -> None:
    """Print the least and the mean share for each size and figure."""
    found: dict[int, list[tuple[str, dict[str, float]]]] = {size: [] for size in SIZES}
    for question in questions([*STRATEGIES], WAGERS):
        for size in SIZES:
            shares = shares_inside(question, size, runs, level)
            found[size].append((question.name, shares))
    click.echo(f"| sessions | {' | '.join(FIGURES)} |")
    click.echo("|---|" + "---|" * len(FIGURES))
    for size, each in found.items():
        cells = []
        for figure in FIGURES:
            shares_of = [shares[figure] for _, shares in each]
            mean = sum(shares_of) / len(shares_of)
            cells.append(f"{min(shares_of):.1%} ({mean:.1%})")
        click.echo(f"| {size:,} | {' | '.join(cells)} |")
    ranked = sorted(
        (share, figure, size, name)
        for size, each in found.items()
        for name, shares in each
        for figure, share in shares.items()
    )
    for share, figure, size, name in ranked[:worst]:
        click.echo(f"{share:.1%} {figure}, {size:,} sessions: {name}")


if __name__ == "__main__":
    main()
