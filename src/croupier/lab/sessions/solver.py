"""`session`: a session asked for in words, solved exactly if that is feasible."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Unpack

from croupier.errors import plain_int
from croupier.extras import MissingExtra, needing
from croupier.lab.sessions.chain import Chain, compile_chain, most_until_the_end
from croupier.lab.sessions.exploration import TOO_MANY
from croupier.lab.sessions.request import (
    MAXIMUM_ROUNDS,
    SessionRequest,
    SessionWords,
    UnitWager,
    Wager,
    read_request,
    with_session_words,
)
from croupier.lab.sessions.result import (
    Arithmetic,
    Progress,
    SessionResult,
    SessionSnapshot,
    Solution,
    checkpoints,
    silent,
)
from croupier.lab.sessions.solvers.exact_solver import (
    QUICK_PRODUCTS,
    TooLong,
    exact_steps,
    solve_by_elimination,
    solve_exactly,
)
from croupier.lab.sessions.solvers.passage_solver import (
    can_pass,
    solve_passage,
)
from croupier.lab.sessions.strategy import SessionError, too_long
from croupier.odds.model import Model
from croupier.rules.game import Game

_EXACT_STEPS = 4_000_000
"""Steps in whole numbers that are permitted by default: some two seconds."""
_FLAT_POSITIONS = 2_000
"""With more positions, flat play is solved by passages, which is quicker."""
_MOST_LOST = Fraction(1, 10**9)
"""A session until its end is refused if its error is greater."""
_MOST_PATIENCE = 1_000


@with_session_words
def session(
    game: str | Game | Model,
    wager: Wager,
    *,
    arithmetic: str | Arithmetic | None = None,
    patience: int = 1,
    progress: Progress | None = None,
    **words: Unpack[SessionWords],
) -> SessionResult:
    """Calculate a session of some rounds or until it ends.

    `wager` is one unit to stake, such as `"red@10"` or `"17@5 + dozen:1@10"`, and
    `strategy` decides the units of the next stake. A session needs `bankroll`, and
    `target` or `rounds` to end it; `stop_loss` ends it after that loss or a greater
    one. `over_maximum` and `over_bankroll` replace the strategy's rules for stakes that
    are not allowed. `limits` and `settings` are the table's; `chip` is its smallest
    chip. `arithmetic` is `"exact"` or `"float64"`; by default it is exact if that takes
    at most seconds. A long calculation is refused within seconds; `patience` multiplies
    the permitted time. Raises `SessionError`, `NotationError` for text that is no
    wager, and `WagerRefused`.
    """
    longer = plain_int(patience)
    if type(longer) is not int or not 1 <= longer <= _MOST_PATIENCE:
        raise SessionError(f"the patience is a whole number from 1 to {_MOST_PATIENCE}")
    request = replace(read_request(game, wager, **words), patience=longer)
    return solve_session(request, arithmetic=arithmetic, progress=progress)


def solve_session(
    request: SessionRequest,
    *,
    arithmetic: str | Arithmetic | None = None,
    progress: Progress | None = None,
) -> SessionResult:
    """Calculate the session of a request."""
    wanted = None if arithmetic is None else _read_arithmetic(arithmetic)
    chain, tell = compile_chain(request), progress or silent
    if request.rounds is None:
        return SessionResult(request, _to_the_end(chain, request, wanted, tell))
    return SessionResult(request, _by_rounds(chain, request, wanted, (), tell))


def _read_arithmetic(word: str | Arithmetic) -> Arithmetic:
    if word in {"exact", "float64", Arithmetic.EXACT, Arithmetic.FLOAT64}:
        return Arithmetic(word)
    raise SessionError("the arithmetic is one of: exact, float64")


def course_of(result: SessionResult) -> tuple[SessionSnapshot, ...]:
    """Return the course of the session: snapshots of up to a hundred rounds.

    For a session until its end, they cover the rounds in which it probably ends.
    Raises `SessionError` if it takes longer to follow the rounds than to solve it.
    """
    rounds = result.request.rounds
    wanted = result.arithmetic if rounds else None
    rounds = rounds or min(4 * int(result.rounds_played.value) + 4, MAXIMUM_ROUNDS)
    request = replace(result.request, rounds=rounds)
    try:
        chain = compile_chain(request)
        solved = _by_rounds(chain, request, wanted, checkpoints(rounds), silent)
    except (SessionError, MissingExtra) as error:
        raise SessionError(
            "the rounds of this session take too long to follow one by one"
        ) from error
    return solved.snapshots


def _by_rounds(
    chain: Chain,
    request: SessionRequest,
    wanted: Arithmetic | None,
    looks: Sequence[int],
    progress: Progress,
) -> Solution:
    """Solve a number of rounds: exactly if that is quick or requested."""
    rounds = request.rounds
    assert rounds is not None
    is_quick = exact_steps(chain, rounds) <= _EXACT_STEPS
    if wanted is Arithmetic.EXACT or (wanted is None and is_quick):
        return solve_exactly(chain, rounds, looks, progress)
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.sessions.solvers.flat_solver import solve_flat, takes_blocks
        from croupier.lab.sessions.solvers.float_solver import solve_in_floats

    if takes_blocks(chain):
        return solve_flat(chain, rounds, looks, progress)
    return solve_in_floats(chain, rounds, looks, progress, request.patience)


def _to_the_end(
    chain: Chain,
    request: SessionRequest,
    wanted: Arithmetic | None,
    progress: Progress,
) -> Solution:
    """Solve a session until it ends: in fractions, by passages, or as a system."""
    if wanted is Arithmetic.EXACT:
        return solve_by_elimination(chain, progress)
    if wanted is None:
        if not chain.is_flat or chain.live_size <= _FLAT_POSITIONS:
            with suppress(TooLong):
                return solve_by_elimination(chain, progress, QUICK_PRODUCTS)
        if can_pass(chain):
            return solve_passage(chain)
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.sessions.solvers.linear_solver import solve_linear

    if chain.live_size > most_until_the_end(request):
        raise too_long(TOO_MANY)
    solved = solve_linear(chain, _longest(chain, request.wager))
    if solved.lost_mass > _MOST_LOST:
        raise too_long("the session takes too long until it ends")
    return solved


def _longest(chain: Chain, wager: UnitWager) -> Fraction:
    """Bound the expected units staked until the end, from any bankroll.

    The stakes times the edge are the expected loss, which is at most the bankroll; if
    the edge is the Player's, they are the expected win, which the target bounds. In a
    fair game the square of the bankroll grows by the squares of the stakes times the
    variance.
    """
    most = max(row.high for row in chain.rows)
    highest = Fraction(chain.lattice.cents(most), wager.stake_cents)
    if wager.edge:
        return highest / abs(wager.edge)
    return highest**2 * wager.stake_cents**2 / wager.result.variance
