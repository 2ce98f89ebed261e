"""Interpretations of the rules (Triple Zero 5.10 b): who, on what, for which rounds."""

from __future__ import annotations

import pytest

from croupier.journal.events import table as hap
from croupier.rules.clause import Rule
from croupier.table import commands as ask
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

ASKED = ask.RecordInterpretation(
    "is a ball on the rim at rest?", "no: it has to lie in a compartment", (1,)
)


def test_the_shift_managers_interpretation_is_recorded() -> None:
    table = OneTable().opened()

    answer = table.do(ASKED, RWS_MANAGER)

    assert answer.events == (
        hap.InterpretationRecorded(
            RWS_MANAGER,
            table.table.state.series.game.clause(Rule.INTERPRETATION),
            ASKED.question,
            ASKED.answer,
            (1,),
        ),
    )


@pytest.mark.parametrize("person", [ANNA, DEALER, SUPERVISOR])
def test_nobody_below_interprets(person: object) -> None:
    table = OneTable().opened()

    refusal = table.refusal(ASKED, person)  # type: ignore[arg-type]

    assert refusal.clause.number == "5.10"


@pytest.mark.parametrize("rounds", [(), (0,), (2,), (1, 2)])
def test_the_rounds_must_be_there(rounds: tuple[int, ...]) -> None:
    table = OneTable().opened()
    command = ask.RecordInterpretation("a", "b", rounds)

    assert table.refusal(command, RWS_MANAGER).clause.number == "5.10"


@pytest.mark.parametrize(("question", "answer"), [("", "b"), ("a", " ")])
def test_both_sides_are_said(question: str, answer: str) -> None:
    table = OneTable().opened()
    command = ask.RecordInterpretation(question, answer, (1,))

    table.refusal(command, RWS_MANAGER)


def test_a_document_without_such_a_clause_does_not_borrow_it() -> None:
    table = OneTable("mbs-roulette-v3").opened()

    assert table.refusal(ASKED, MBS_MANAGER).clause.number == "A12"


def test_it_may_come_while_the_table_is_interrupted_or_closed() -> None:
    table = OneTable().opened()
    table.reopen()

    table.do(ASKED, RWS_MANAGER)
