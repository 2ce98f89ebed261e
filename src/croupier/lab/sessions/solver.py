"""`session`: a session asked for in words, solved exactly where that is feasible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec
from typing import Unpack

from croupier.lab.sessions.advice import too_long
from croupier.lab.sessions.chain import (
    TOO_MANY,
    Chain,
    compile_chain,
    most_until_the_end,
)
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
    TooLong,
    exact_steps,
    solve_by_elimination,
    solve_exactly,
)
from croupier.lab.sessions.solvers.passage_solver import (
    can_pass,
    is_flat,
    solve_passage,
)
from croupier.lab.sessions.strategy import SessionError
from croupier.odds.model import Model
from croupier.rules.game import Game

_EXACT_STEPS = 4_000_000
"""Steps in whole numbers that are done without asking: some two seconds."""
_EXACT_PRODUCTS = 400_000
"""Products of words in fractions that are tried without asking."""
_FLAT_POSITIONS = 2_000
"""Flat play between more positions goes another way, which is quicker."""
_MOST_LOST = Fraction(1, 10**9)
"""A session until its end of which more is not accounted for is refused."""
_PATIENCE = 20
"""How much longer it may take in fractions where numpy is not installed."""
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
    """Return what becomes of a Player's bankroll, over some rounds or until it ends.

    `wager` is one unit of what is staked, such as `"red@10"` or `"17@5 + dozen:1@10"`.
    Of the words, `bankroll` is needed, and `target` or `rounds` to end the session,
    which `stop_loss` ends too when so much is lost, or more; `strategy` says how many
    units to stake next, and `over_maximum` and `over_bankroll` replace its rules for a
    stake that is not allowed; `limits` and `settings` are the table's, and `chip` its
    smallest. `arithmetic` is `"exact"` or `"float64"`; left out, it is exact where that
    takes no more than seconds. What would take long is refused, after so many seconds
    at most; with `patience` it may take so many times as long. Raises `SessionError`,
    `NotationError` for text that is none, and `WagerRefused`.
    """
    if not 1 <= patience <= _MOST_PATIENCE:
        raise SessionError(f"the patience is a whole number from 1 to {_MOST_PATIENCE}")
    request = replace(read_request(game, wager, **words), patience=patience)
    return solve_session(request, arithmetic=arithmetic, progress=progress)


def solve_session(
    request: SessionRequest,
    *,
    arithmetic: str | Arithmetic | None = None,
    progress: Progress | None = None,
) -> SessionResult:
    """Return the figures of a session that has been read and checked."""
    wanted = None if arithmetic is None else _read_arithmetic(arithmetic)
    chain = compile_chain(request)
    solved = _Solver(chain, request, progress or silent).solve(wanted)
    return SessionResult(request, solved)


def _read_arithmetic(word: str | Arithmetic) -> Arithmetic:
    if word in {"exact", "float64", Arithmetic.EXACT, Arithmetic.FLOAT64}:
        return Arithmetic(word)
    raise SessionError("the arithmetic is one of: exact, float64")


def course_of(result: SessionResult) -> tuple[SessionSnapshot, ...]:
    """Return how the session stands after up to a hundred of its rounds.

    For one that is played until it ends, they are the rounds in which it mostly does.
    Raises `SessionError` where it takes longer to follow the rounds than to solve it.
    """
    likely = min(4 * int(result.rounds_played.value) + 4, MAXIMUM_ROUNDS)
    rounds = result.request.rounds
    request = replace(result.request, rounds=rounds or likely)
    try:
        solver = _Solver(compile_chain(request), request, silent, with_course=True)
        return solver.solve(result.arithmetic if rounds else None).snapshots
    except SessionError as error:
        raise SessionError(
            "the rounds of this session take too long to follow one by one"
        ) from error


@dataclass(frozen=True, slots=True)
class _Solver:
    """Chooses how to calculate a chain, and does it."""

    chain: Chain
    request: SessionRequest
    progress: Progress
    with_course: bool = False

    def solve(self, wanted: Arithmetic | None) -> Solution:
        rounds = self.request.rounds
        if rounds is None:
            return self._to_the_end(wanted)
        if wanted is None:
            wanted = Arithmetic.EXACT if self._is_quick(rounds) else Arithmetic.FLOAT64
        looks = checkpoints(rounds) if self.with_course else ()
        if wanted is Arithmetic.EXACT:
            return solve_exactly(self.chain, rounds, looks, self.progress)
        need_numpy()
        from croupier.lab.sessions.solvers.flat_solver import solve_flat, takes_blocks
        from croupier.lab.sessions.solvers.float_solver import solve_in_floats

        if takes_blocks(self.chain):
            return solve_flat(self.chain, rounds, looks, self.progress)
        try:
            return solve_in_floats(
                self.chain, rounds, looks, self.progress, self.request.patience
            )
        except TooLong as error:
            raise too_long(self.request, TOO_MANY) from error

    def _is_quick(self, rounds: int) -> bool:
        """Return whether whole numbers take seconds, or minutes without numpy."""
        allowed = _EXACT_STEPS * (1 if has_numpy() else _PATIENCE)
        return exact_steps(self.chain, rounds) <= allowed

    def _to_the_end(self, wanted: Arithmetic | None) -> Solution:
        if wanted is not Arithmetic.FLOAT64:
            try:
                return self._in_fractions(wanted)
            except TooLong:
                pass
        if wanted is None and can_pass(self.chain):
            return solve_passage(self.chain)
        need_numpy()
        from croupier.lab.sessions.solvers.linear_solver import solve_linear

        if self.chain.live_size > most_until_the_end(self.request):
            raise too_long(self.request, TOO_MANY)
        solved = solve_linear(self.chain, _longest(self.chain, self.request.wager))
        if solved.lost_mass > _MOST_LOST:
            raise too_long(self.request, "the session takes too long until it ends")
        return solved

    def _in_fractions(self, wanted: Arithmetic | None) -> Solution:
        """Solve to the end in fractions; raise `TooLong` if nobody wanted to wait."""
        if wanted is not None:
            return solve_by_elimination(self.chain, self.progress)
        if is_flat(self.chain) and self.chain.live_size > _FLAT_POSITIONS:
            raise TooLong
        allowed = _EXACT_PRODUCTS * (1 if has_numpy() else _PATIENCE)
        return solve_by_elimination(self.chain, self.progress, allowed)


def _longest(chain: Chain, wager: UnitWager) -> Fraction:
    """Return a bound on the units that are staked until the end, from any bankroll.

    What is staked times the edge is what is lost on average, and no more can be lost
    than there is; nor won, where the edge is the Player's. In a fair game the squares
    of the stakes times the variance are what the bankroll's square grows by.
    """
    most = max(row.high for row in chain.rows)
    highest = Fraction(chain.lattice.cents(most), wager.stake_cents)
    if wager.edge:
        return highest / abs(wager.edge)
    return highest**2 * wager.stake_cents**2 / wager.result.variance


def has_numpy() -> bool:
    """Return whether numpy is installed."""
    return find_spec("numpy") is not None


def need_numpy() -> None:
    """Raise `SessionError` where numpy is not installed."""
    if not has_numpy():
        raise SessionError(
            "this session is too long for fractions and needs numpy: pip install"
            " 'croupier[odds]'"
        )
