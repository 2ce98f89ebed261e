"""The assessed round: robots get the marks that their answers deserve."""

from __future__ import annotations

from random import Random

import pytest

from croupier.learn import (
    DrillAnswer,
    GivenAnswer,
    NoSuchQuestion,
    assessment,
    mark_round,
)
from tests.golden_tables import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_robot_that_is_always_right_gets_full_marks(game: str) -> None:
    moments = assessment(game, 1, 20)

    result = mark_round(
        game, 1, 20, [GivenAnswer(each.task.due, 900) for each in moments]
    )

    assert result.percent == 100
    assert result.mistakes == ()
    for criterion in ("irregularities", "late_wagers", "limits", "people"):
        assert result.marks[criterion].right >= 2


@pytest.mark.parametrize("game", GAMES)
def test_a_robot_that_errs_gets_the_marks_of_its_errors(game: str) -> None:
    random = Random(2)
    moments = assessment(game, 2, 20)
    wrong = {at for at in range(len(moments)) if random.random() < 0.3}
    slow = {at for at in range(len(moments)) if random.random() < 0.2} - wrong
    given = [
        GivenAnswer(
            DrillAnswer(choice=99) if at in wrong else each.task.due,
            60_000 if at in slow else 900,
        )
        for at, each in enumerate(moments)
    ]

    result = mark_round(game, 2, 20, given)

    assert {each.moment for each in result.mistakes} == wrong
    assert sum(each.wrong for each in result.marks.values()) == len(wrong)
    assert sum(each.late for each in result.marks.values()) == len(slow)
    due = 100 * (len(moments) - len(wrong) - len(slow) / 2) / len(moments)
    assert result.percent == pytest.approx(due)


def test_the_same_answers_have_the_same_digest_and_others_another() -> None:
    moments = assessment("mbs-roulette-v3", 3, 2)
    given = [GivenAnswer(each.task.due, 900) for each in moments]

    first = mark_round("mbs-roulette-v3", 3, 2, given)
    changed = mark_round(
        "mbs-roulette-v3", 3, 2, [GivenAnswer(DrillAnswer(), 900), *given[1:]]
    )

    assert first == mark_round("mbs-roulette-v3", 3, 2, given)
    assert first.digest != changed.digest


def test_a_missing_answer_and_too_many_spins_are_refused() -> None:
    with pytest.raises(NoSuchQuestion, match="moments, and 0 were answered"):
        mark_round("mbs-roulette-v3", 1, 1, [])
    with pytest.raises(NoSuchQuestion, match="1 to 60 spins"):
        assessment("mbs-roulette-v3", 1, 61)
