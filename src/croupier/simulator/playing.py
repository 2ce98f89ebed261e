"""A simulation: asked for in words, played in chunks, added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from croupier.odds.chips import Chips
from croupier.odds.model import Model
from croupier.odds.sessions import SessionError, Shortfall, Strategy
from croupier.odds.sessions.solution import Progress
from croupier.rules.game import Game, Settings
from croupier.rules.limits import Limits
from croupier.rules.notation import shown
from croupier.simulator.chunks import Chunks
from croupier.simulator.compiling import compile_plan
from croupier.simulator.engines import (
    Engine,
    check_workers,
    engine_named,
    run_engine,
)
from croupier.simulator.plan import Plan
from croupier.simulator.result import Simulation
from croupier.simulator.tally import Tally

SESSIONS = 100_000
"""Where no number is given."""
LEVEL = 0.99


def simulate(
    game: str | Game | Model,
    wager: str | Iterable[str | Chips],
    *,
    bankroll: int | str,
    rounds: int,
    sessions: int = SESSIONS,
    strategy: str | Strategy | Callable[..., Any] = "flat",
    target: int | str | None = None,
    stop_loss: int | str | None = None,
    seed: int | None = None,
    over_maximum: str | Shortfall | None = None,
    over_bankroll: str | Shortfall | None = None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: int | str = 1,
    level: float = LEVEL,
    engine: str | Engine = "cpu",
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Sessions drawn by the seed: what becomes of a Player's bankroll in each.

    The words are those of `croupier.session`. `strategy` may also be a function of
    one's own, and `stop_loss` ends a session that has lost so much. The seed alone
    replays the simulation, on any `engine` (`"cpu"`, `"gpu"`, `"plain"`), with any
    number of `workers`, and on a `cluster`. `level` is that of the intervals. Raises
    `SessionError`, `NotationError` for text that is none, and `WagerRefused`.
    """
    asked = compile_plan(
        game,
        wager,
        bankroll=bankroll,
        rounds=rounds,
        sessions=sessions,
        strategy=strategy,
        target=target,
        stop_loss=stop_loss,
        seed=seed,
        over_maximum=over_maximum,
        over_bankroll=over_bankroll,
        limits=limits,
        settings=settings,
        chip=chip,
    )
    _check_level(level)
    check_workers(workers)
    tell = progress or _silent
    begun = perf_counter()
    if cluster is None:
        chosen = engine_named(engine, workers) if isinstance(engine, str) else engine
        tally = _play(asked.plan, chosen, tell)
    else:
        from croupier.simulator.cluster import play_on_cluster

        tally = play_on_cluster(asked.plan, cluster, engine, workers, tell)
    name = engine if isinstance(engine, str) else type(engine).__name__
    return Simulation(asked, tally, level, name, perf_counter() - begun)


def _silent(_done: int, _of: int) -> None:
    """No progress is shown."""


def _check_level(level: float) -> None:
    if not 0.5 <= level < 1:
        raise SessionError(
            f"a level of confidence is from 0.5 to less than 1, not {shown(str(level))}"
        )


def _play(plan: Plan, engine: Engine, tell: Progress) -> Tally:
    """All sessions, in chunks of about a second; how they are cut changes nothing."""
    total = Tally.empty(plan)
    chunks = Chunks(plan)
    while chunks.left:
        first, count = chunks.next()
        begun = perf_counter()
        total += run_engine(engine, plan, first, count)
        chunks.took(count, perf_counter() - begun)
        tell(total.sessions, plan.sessions)
    return total
