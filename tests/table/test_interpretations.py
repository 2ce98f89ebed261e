"""Interpretations of the rules (Triple Zero 5.10 b): person, question and rounds."""

from __future__ import annotations

import pytest

from croupier.journal.events.table import InterpretationRecorded
from croupier.rules.clause import Rule
from croupier.table.commands import RecordInterpretation
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

ASKED = RecordInterpretation(
    "is a ball on the rim at rest?", "no: it has to lie in a compartment", (1,)
)


def test_the_shift_managers_interpretation_is_recorded() -> None:
    table = OneTable().opened()

    answer = table.do(ASKED, RWS_MANAGER)

    assert answer.events == (
        InterpretationRecorded(
            RWS_MANAGER,
            table.table.state.series.game.clause(Rule.INTERPRETATION),
            ASKED.question,
            ASKED.answer,
            (1,),
        ),
    )


@pytest.mark.parametrize("person", [ANNA, DEALER, SUPERVISOR])
def test_a_position_below_the_shift_manager_interprets_nothing(person: object) -> None:
    table = OneTable().opened()

    refusal = table.refusal(ASKED, person)  # type: ignore[arg-type]

    assert refusal.clause.number == "5.10"


@pytest.mark.parametrize("rounds", [(), (0,), (2,), (1, 2)])
def test_an_interpretation_names_rounds_that_were_played(
    rounds: tuple[int, ...],
) -> None:
    table = OneTable().opened()
    command = RecordInterpretation("a", "b", rounds)

    assert table.refusal(command, RWS_MANAGER).clause.number == "5.10"


@pytest.mark.parametrize(("question", "answer"), [("", "b"), ("a", " ")])
def test_an_interpretation_needs_a_question_and_an_answer(
    question: str, answer: str
) -> None:
    table = OneTable().opened()
    command = RecordInterpretation(question, answer, (1,))

    table.refusal(command, RWS_MANAGER)


def test_a_document_without_a_clause_for_interpretations_records_none() -> None:
    table = OneTable("mbs-roulette-v3").opened()

    assert table.refusal(ASKED, MBS_MANAGER).clause.number == "A12"


def test_an_interpretation_may_come_while_the_table_is_interrupted_or_closed() -> None:
    table = OneTable().opened()
    table.reopen()

    table.do(ASKED, RWS_MANAGER)
