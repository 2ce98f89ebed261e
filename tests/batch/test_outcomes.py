"""Outcomes in bulk are the outcomes of the plain core."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.batch.compiled import ColumnError, CompiledGame, compile_game
from croupier.batch.decoder import outcome_rows
from croupier.games import all_games, find_game
from croupier.rules.bonus import Outcome
from croupier.rules.game import Game
from croupier.rules.wheel import Number

FAST = compile_game(find_game("mbs-fast-action-v2"))
LINKS = FAST.game.layout.links


def draws() -> st.SearchStrategy[frozenset[Number]]:
    """Ten numbers; whole links and scatters come up often."""
    anything = st.sets(st.sampled_from(FAST.game.numbers), min_size=10, max_size=10)
    links = st.lists(st.sampled_from(LINKS), max_size=2, unique=True)
    one_of_each = st.tuples(*(st.sampled_from(sorted(link)) for link in LINKS))
    return st.one_of(
        st.builds(lambda some, more: _ten(some, [*more]), links, anything),
        st.builds(lambda some, more: _ten([some], [*more]), one_of_each, anything),
    )


def _ten(first: object, then: list[Number]) -> frozenset[Number]:
    chosen: list[Number] = []
    assert isinstance(first, list)
    for number in [*(each for group in first for each in group), *then]:
        if number not in chosen and len(chosen) < 10:
            chosen.append(number)
    return frozenset(chosen)


def mask(compiled: CompiledGame, drawn: frozenset[Number]) -> int:
    return sum(1 << compiled.number_index[number] for number in drawn)


@settings(max_examples=150, deadline=None)
@given(drawn=draws())
def test_every_number_of_a_draw_has_the_outcome_the_core_gives_it(
    drawn: frozenset[Number],
) -> None:
    numbers = FAST.game.numbers
    masks = np.full(len(numbers), mask(FAST, drawn), np.uint64)

    rows = outcome_rows(FAST, np.arange(len(numbers)), masks)

    assert rows.tolist() == [
        FAST.outcome_index(Outcome(number, drawn)) for number in numbers
    ]


def test_the_draws_of_the_test_reach_every_status_with_and_without_a_scatter() -> None:
    link = LINKS[0]
    scatter = frozenset(min(each) for each in LINKS)
    plain = _ten([[*link]], [*FAST.game.numbers])

    rows = outcome_rows(
        FAST,
        np.array([FAST.number_index[number] for number in (*link, min(LINKS[1]))]),
        np.full(len(link) + 1, mask(FAST, plain), np.uint64),
    )
    scattered = FAST.outcome_index(Outcome(min(LINKS[0]), scatter))

    assert len(scatter) == len(LINKS)
    assert {int(row) % 6 // 2 for row in rows[:-1]} == {2}
    assert scattered % 2 == 1


@pytest.mark.parametrize("number", ["1.1.11", "1.1.8"])
def test_without_its_clause_there_is_no_super_bonus_and_no_scatter(number: str) -> None:
    game = FAST.game.without(number)
    compiled = compile_game(game)
    for drawn in (_ten([[*LINKS[0]]], [*game.numbers]), _one_of_each(game)):
        masks = np.full(len(game.numbers), mask(compiled, drawn), np.uint64)

        rows = outcome_rows(compiled, np.arange(len(game.numbers)), masks)

        assert rows.tolist() == [
            compiled.outcome_index(Outcome(each, drawn)) for each in game.numbers
        ]


def _one_of_each(game: Game) -> frozenset[Number]:
    return _ten([[min(link) for link in LINKS]], [*game.numbers])


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_game_without_a_draw_has_an_outcome_for_each_number(game: Game) -> None:
    compiled = compile_game(game)
    numbers = np.arange(len(game.numbers))
    if compiled.draws_bonus_numbers:
        with pytest.raises(ColumnError, match="needs draws of Bonus Numbers"):
            outcome_rows(compiled, numbers, None)
        return

    assert outcome_rows(compiled, numbers, None).tolist() == numbers.tolist()
    with pytest.raises(ColumnError, match="has no draws of Bonus Numbers"):
        outcome_rows(compiled, numbers, np.zeros(len(numbers), np.uint64))


@pytest.mark.parametrize("number", [-1, 40])
def test_a_number_outside_the_game_is_refused(number: int) -> None:
    with pytest.raises(ColumnError, match="a number is none of the 40"):
        outcome_rows(FAST, np.array([number]), np.zeros(1, np.uint64))
