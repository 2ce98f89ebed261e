"""A session: asked for in words, reckoned exactly where that is feasible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec

from croupier.odds.chips import Chips, read_terms
from croupier.odds.model import Model, model_of
from croupier.odds.sessions.chain import Chain
from croupier.odds.sessions.exact_solver import TooLong, solve_absorbing, solve_exactly
from croupier.odds.sessions.exploration import SessionTerms, compile_chain
from croupier.odds.sessions.progressions import find_strategy
from croupier.odds.sessions.result import SessionResult
from croupier.odds.sessions.solution import (
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    checkpoints,
)
from croupier.odds.sessions.strategy import (
    SessionError,
    Shortfall,
    Strategy,
    with_rules,
)
from croupier.odds.sessions.unit_wager import UnitWager, unit_wager
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.limits import Limits
from croupier.rules.notation import read_cents, shown

MAXIMUM_ROUNDS = 1_000_000
_EXACT_STEPS = 4_000_000
"""Steps in whole numbers that are done without asking: some two seconds."""
_EXACT_PRODUCTS = 400_000
"""Products of words in fractions that are tried without asking."""
_BITS = 4_000
"""A number of so many bits takes about twice as long as a small one."""
_PATIENCE = 20
"""How much longer it may take in fractions where numpy is not installed."""


def session(
    game: str | Game | Model,
    wager: str | Iterable[str | Chips],
    *,
    bankroll: int | str,
    target: int | str | None = None,
    rounds: int | None = None,
    strategy: str | Strategy = "flat",
    over_maximum: str | Shortfall | None = None,
    over_bankroll: str | Shortfall | None = None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: int | str = 1,
    arithmetic: str | Arithmetic | None = None,
    progress: Progress | None = None,
) -> SessionResult:
    """What becomes of a Player's bankroll, over `rounds` rounds or until it ends.

    `wager` is one unit of what is staked, such as `"red@10"` or `"17@5 + dozen:1@10"`;
    `strategy` says how many units to stake next, and `over_maximum` and `over_bankroll`
    replace its rules for a stake that is not allowed. `arithmetic` is `"exact"` or
    `"float64"`; left out, it is exact where that takes no more than seconds. Raises
    `SessionError`, `NotationError` for text that is none, and `WagerRefused`.
    """
    model = model_of(game)
    asked = session_terms(
        model,
        wager,
        bankroll=bankroll,
        target=target,
        rounds=rounds,
        strategy=strategy,
        over_maximum=over_maximum,
        over_bankroll=over_bankroll,
        limits=limits,
        settings=settings,
        chip=chip,
    )
    wanted = None if arithmetic is None else Arithmetic(arithmetic)
    return solve_session(model, asked, arithmetic=wanted, progress=progress)


def session_terms(
    model: Model,
    wager: str | Iterable[str | Chips],
    *,
    bankroll: int | str,
    target: int | str | None = None,
    rounds: int | None = None,
    strategy: str | Strategy = "flat",
    over_maximum: str | Shortfall | None = None,
    over_bankroll: str | Shortfall | None = None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: int | str = 1,
) -> SessionTerms:
    """What is asked, read and checked, with what `session` raises."""
    terms = read_terms(model.game, limits=limits, settings=settings)
    chosen = find_strategy(strategy) if isinstance(strategy, str) else strategy
    asked = SessionTerms(
        read_cents(str(bankroll)),
        None if target is None else read_cents(str(target)),
        rounds,
        unit_wager(model, wager, terms, read_cents(str(chip))),
        with_rules(chosen, over_maximum, over_bankroll),
    )
    _check(asked)
    return asked


def solve_session(
    model: Model,
    asked: SessionTerms,
    *,
    arithmetic: Arithmetic | None = None,
    progress: Progress | None = None,
) -> SessionResult:
    """The figures of a session that has been read and checked."""
    chain = compile_chain(asked)
    solved = _Solver(chain, asked, progress or _silent).solve(arithmetic)
    return SessionResult(model, asked, chain.lattice, solved)


def course_of(result: SessionResult) -> tuple[SessionSnapshot, ...]:
    """How the session stands after up to a hundred of its rounds.

    For one that is played until it ends, they are the rounds in which it mostly does.
    """
    likely = min(4 * int(result.rounds_played.value) + 4, MAXIMUM_ROUNDS)
    asked = replace(result.terms, rounds=result.terms.rounds or likely)
    solver = _Solver(compile_chain(asked), asked, _silent, with_course=True)
    return solver.solve(result.arithmetic if result.terms.rounds else None).snapshots


def _silent(_done: int, _of: int) -> None:
    """No progress is shown."""


def _check(asked: SessionTerms) -> None:
    """Raises `SessionError` where the session makes no sense."""
    bankroll, target, rounds = asked.bankroll_cents, asked.target_cents, asked.rounds
    if target is not None and target <= bankroll:
        raise SessionError(
            f"the target of {write_cents(target)} is not above the bankroll of"
            f" {write_cents(bankroll)}"
        )
    if target is None and rounds is None:
        raise SessionError(
            "the session never ends: give it a target, a number of rounds, or both"
        )
    if rounds is not None and not _is_number_of_rounds(rounds):
        raise SessionError(
            f"a session has 1 to {MAXIMUM_ROUNDS:,} rounds, not {shown(str(rounds))}"
        )
    stake = asked.wager.stake_cents
    if bankroll < stake:
        raise SessionError(
            f"the bankroll of {write_cents(bankroll)} does not pay for"
            f" {asked.wager.text}, which is {write_cents(stake)}"
        )


def _is_number_of_rounds(rounds: object) -> bool:
    return type(rounds) is int and 1 <= rounds <= MAXIMUM_ROUNDS


@dataclass(frozen=True, slots=True)
class _Solver:
    """Chooses how to reckon a chain, and does it."""

    chain: Chain
    asked: SessionTerms
    progress: Progress
    with_course: bool = False

    def solve(self, wanted: Arithmetic | None) -> Solution:
        rounds = self.asked.rounds
        if rounds is None:
            return self._to_the_end(wanted)
        if wanted is None:
            wanted = Arithmetic.EXACT if self._is_quick(rounds) else Arithmetic.FLOAT64
        looks = checkpoints(rounds) if self.with_course else ()
        if wanted is Arithmetic.EXACT:
            return solve_exactly(self.chain, rounds, looks, self.progress)
        _need_numpy()
        from croupier.odds.sessions.float_solver import solve_in_floats

        return solve_in_floats(self.chain, rounds, looks, self.progress)

    def _is_quick(self, rounds: int) -> bool:
        """Whether whole numbers take seconds; or minutes, where there is no choice."""
        bits = rounds * self.chain.denominator.bit_length()
        steps = self.chain.edges * rounds * (1 + bits // _BITS)
        return steps <= _EXACT_STEPS * (1 if _has_numpy() else _PATIENCE)

    def _to_the_end(self, wanted: Arithmetic | None) -> Solution:
        if wanted is not Arithmetic.FLOAT64:
            allowed = _EXACT_PRODUCTS * (1 if _has_numpy() else _PATIENCE)
            try:
                return solve_absorbing(
                    self.chain, self.progress, None if wanted else allowed
                )
            except TooLong:
                pass
        _need_numpy()
        from croupier.odds.sessions.float_solver import solve_to_the_end

        longest = _longest(self.chain, self.asked.wager)
        return solve_to_the_end(self.chain, longest, self.progress)


def _longest(chain: Chain, wager: UnitWager) -> Fraction:
    """A bound on the units that are staked until the end, from any bankroll.

    What is staked times the edge is what is lost on average, and no more can be lost
    than there is; nor won, where the edge is the Player's. In a fair game the squares
    of the stakes times the variance are what the bankroll's square grows by.
    """
    most = max(row.high for row in chain.rows)
    highest = Fraction(chain.lattice.cents(most), wager.stake_cents)
    if wager.edge:
        return highest / abs(wager.edge)
    return highest**2 * wager.stake_cents**2 / wager.result.variance


def _has_numpy() -> bool:
    return find_spec("numpy") is not None


def _need_numpy() -> None:
    if not _has_numpy():
        raise SessionError(
            "this session is too long for fractions and needs numpy: pip install"
            " 'croupier[odds]'"
        )
