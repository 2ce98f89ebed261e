"""The results of one seat's chips at each number, and their exact edge; pure."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from croupier.odds.layouts import net_cents, pieces_of, settled_at, settled_cases
from croupier.odds.model import model_of, total_weight
from croupier.rules.board import Board
from croupier.rules.bonus import Outcome
from croupier.rules.buckets import changed
from croupier.rules.events import RoundSettled
from croupier.rules.round import RoundOfPlay
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number


class NumberResult(Struct, frozen=True):
    """The net result of the chips at one number: paid less collected."""

    number: str
    least_cents: int
    most_cents: int
    """More than the least if Bonus Numbers decide the payment."""
    paid: dict[str, int]
    """By area, in cents, at the least."""


class SeatResults(Struct, frozen=True):
    """The chips of a seat, settled at each number."""

    round: int
    stake_cents: int = 0
    numbers: tuple[NumberResult, ...] = ()
    """In layout order; empty without chips."""
    ahead: int = 0
    """Count of numbers at which the chips win for every draw of Bonus Numbers."""
    house_edge: str | None = None
    """Of each unit staked, as an exact fraction; None without chips."""
    edge_percent: str | None = None
    cost_cents: int = 0
    """The part of the stake that the House keeps on average, to the nearest cent."""


def seat_results(current: RoundOfPlay, wagers: Iterable[Wager]) -> SeatResults:
    """Return the results of the wagers, settled as the rules settle them."""
    facts = changed(current.facts, frozen_cents=None)  # it covers all wagers
    state = changed(current, board=_board_of(current, wagers), facts=facts)
    stake = state.board.stake_cents
    if not stake:
        return SeatResults(current.number)
    model = model_of(current.game)
    by_number: dict[Number, list[RoundSettled]] = {}
    mean = Fraction(0)
    for settled, cases in settled_cases(model, state):
        weight = sum(case.weight for case in cases)
        mean += Fraction(net_cents(pieces_of(settled)) * weight, total_weight(model))
        for case in cases:
            by_number.setdefault(case.number, []).append(settled)
    if current.facts.bonus_numbers is not None:
        drawn = frozenset(current.facts.bonus_numbers)
        by_number = {n: [settled_at(state, Outcome(n, drawn))] for n in by_number}
    numbers = tuple(
        _number_result(number, by_number[number])
        for number in current.game.numbers
        if number in by_number
    )
    edge = -mean / stake
    return SeatResults(
        round=current.number,
        stake_cents=stake,
        numbers=numbers,
        ahead=sum(each.least_cents > 0 for each in numbers),
        house_edge=str(edge),
        edge_percent=f"{float(edge):.2%}",
        cost_cents=round(-mean),
    )


def _board_of(current: RoundOfPlay, wagers: Iterable[Wager]) -> Board:
    """Return a board with only these wagers, each increase in its place (A10)."""
    board = Board()
    for wager in wagers:
        if wager.registered and wager.wager_id not in current.board.lifted:
            for count in range(1, len(wager.layers) + 1):
                board = board.with_wager(replace(wager, layers=wager.layers[:count]))
    return board


def _number_result(number: Number, ways: Iterable[RoundSettled]) -> NumberResult:
    nets = {net_cents(pieces_of(settled)): settled for settled in ways}
    least = min(nets)
    paid: dict[str, int] = {}
    for piece in pieces_of(nets[least]):
        if piece.paid_cents:
            paid[piece.area] = paid.get(piece.area, 0) + piece.paid_cents
    return NumberResult(number, least, max(nets), paid)
