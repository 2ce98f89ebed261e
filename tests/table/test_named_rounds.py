"""A terminal's message names its round; an old one is not registered (A39)."""

from __future__ import annotations

import pytest

from croupier.rules.commands import (
    IncreaseWager,
    PlaceWager,
    ReportTerminalsInterrupted,
    WithdrawWager,
)
from croupier.rules.events import WagerIncreased, WagerPlaced
from croupier.rules.notation import read_wager
from croupier.table import Accepted, Answer, Refused
from croupier.table.commands import AnyCommand, Submission, Together
from tests.simulation.one_table import ANNA, OneTable

STALE = {
    "mbs-roulette-v2": ("5.11", "5.12"),
    "mbs-roulette-v3": ("5.13", "5.14"),
    "mbs-complete-bet-v2": ("5.11", "5.12"),
    "mbs-fast-action-v2": ("5.14", "5.15"),
    "rws-triple-zero": ("5.2.2", "5.2.2"),
}
"""The clauses that refuse placing and withdrawing for another round."""


def _send(
    table: OneTable, command_id: str, command: AnyCommand, round_number: int | None
) -> Answer:
    submission = Submission(command_id, (ANNA,), command, round_number)
    [answer] = table.table.handle([submission])
    return answer


def _place(wager_id: str, terminal: str | None = None) -> PlaceWager:
    wager = read_wager("17")
    return PlaceWager(
        wager_id, "Anna", wager, 1_000, electronic=True, terminal=terminal
    )


def _clause(answer: Answer) -> str:
    assert isinstance(answer, Refused), answer
    return answer.refusal.clause.number


@pytest.mark.parametrize("game", STALE)
def test_a_wager_for_the_round_before_is_not_registered_in_this_one(game: str) -> None:
    table = OneTable(game).bought_in(100_000)
    table.play_round("17", 1_000, "18")
    credit = table.credit()
    table.opened()
    table.place("w1", "17", 1_000)

    placed = _send(table, "late", _place("w9"), 1)
    increased = _send(table, "more", IncreaseWager("w1", "Anna", 100), 1)
    withdrawn = _send(table, "back", WithdrawWager("w1", "Anna"), 1)
    together = _send(table, "both", Together((_place("w8"), _place("w7"))), 1)

    placing, withdrawing = STALE[game]
    assert _clause(placed) == placing
    assert _clause(increased) == placing
    assert _clause(withdrawn) == withdrawing
    assert _clause(together) == placing
    assert table.credit() == credit - 1_000
    assert [w.wager_id for w in table.table.state.series.current.board.in_order()] == [
        "w1"
    ]
    refused = [row for row in table.store.events("t1") if row.kind == "ActRefused"]
    assert len(refused) == 4, "each is on record"


@pytest.mark.parametrize("named", [0, 3])
def test_wagers_for_a_round_that_is_not_in_play_are_refused(named: int) -> None:
    table = OneTable().bought_in(10_000).opened()

    assert _clause(_send(table, "odd", _place("w1"), named)) == "5.2.2"


def test_the_first_answer_comes_again_also_in_the_next_round() -> None:
    table = OneTable().bought_in(100_000).opened()
    first = _send(table, "m1", _place("w1"), 1)
    table.conclude("18")
    table.opened()

    again = _send(table, "m1", _place("w1"), 1)

    assert isinstance(first, Accepted)
    assert isinstance(again, Accepted)
    assert again.first == first.first
    assert not list(table.table.state.series.current.board.in_order())


def test_a_registered_wager_is_recorded_with_the_round_it_named() -> None:
    table = OneTable().bought_in(10_000).opened()

    placed = _send(table, "m1", _place("w1"), 1)
    more = _send(table, "m2", IncreaseWager("w1", "Anna", 100), 1)

    assert isinstance(placed, Accepted)
    assert isinstance(more, Accepted)
    [one], [other] = placed.events, more.events
    assert isinstance(one, WagerPlaced)
    assert isinstance(other, WagerIncreased)
    assert (one.for_round, other.for_round) == (1, 1)


def test_after_the_close_of_its_own_round_a_wager_is_late() -> None:
    table = OneTable().bought_in(10_000).opened()
    table.close_betting()

    assert _clause(_send(table, "m1", _place("w1", "T1"), 1)) == "3.5"


def test_a_late_wager_of_a_lost_terminal_was_not_registered() -> None:
    table = OneTable().bought_in(10_000).opened()
    table.do(ReportTerminalsInterrupted(("T1",)))
    table.close_betting()

    assert _clause(_send(table, "m1", _place("w1", "T1"), 1)) == "5.2.2"
    assert _clause(_send(table, "m2", _place("w2", "T2"), 1)) == "3.5"


def test_the_wagers_that_remain_after_withdrawals_are_judged_together() -> None:
    """A36: of two wagers of 5 under a minimum of 10, both are withdrawn or neither."""
    table = OneTable("rws-triple-zero", "* 10 1000").bought_in(10_000).opened()
    table.place("w1", "17", 1_000)
    for wager_id in ("w2", "w3"):
        wager = read_wager("17")
        placing = PlaceWager(wager_id, "Anna", wager, 500, electronic=True)
        table.do(placing, ANNA)
    table.do(WithdrawWager("w1", "Anna"), ANNA)
    one, other = (WithdrawWager(each, "Anna") for each in ("w2", "w3"))

    alone = _send(table, "m1", one, 1)
    both = _send(table, "m2", Together((one, other)), 1)

    assert _clause(alone) == "3.3"
    assert isinstance(both, Accepted)
    assert table.credit() == 10_000
