"""A document with any marks is cut into clauses and sentences."""

from __future__ import annotations

import pytest

from croupier.rulebook.document import UnreadableDocument, fingerprint, read_document
from tests.rulebook.invented import GAME, TEXT

KNOWN = [row.number for row in GAME.clauses]


def test_clauses_and_sentences_are_those_a_reader_sees() -> None:
    document = read_document(TEXT, KNOWN)

    assert document.clauses == {
        "1.1": ("In this text:",),
        "1.1.1": ("Lap is one way round the track.", "It ends where it began."),
        "2.1": ("The wheel turns for four laps, and then the ball rests.",),
        "2.2": ("In the event that: the round is void and wagers go back.",),
        "2.2.1": ("the ball is lost; or",),
        "2.2.2": ("the wheel is lost,",),
        "3.1": (
            "Wagers pay:",
            "Name\tPays\nOne number (Straight Up)\t35 to 1\nRed\t1 to 1",
        ),
        "Appendix A": ("Kind\tWhere",),
        "Appendix A: Split": ("On two numbers.", "On the line between them."),
    }
    [outside] = document.outside
    assert outside.endswith("by Harbour Ltd. (“HL”), for its own tables.")


def test_the_text_of_a_pdf_has_its_cells_apart_by_spaces() -> None:
    indented = "\n".join(f"    {line}" for line in TEXT.splitlines())

    document = read_document(indented.replace("\t", "        "), KNOWN)

    assert document == read_document(TEXT, KNOWN)


def test_a_clause_that_no_row_has_is_found_too() -> None:
    document = read_document(TEXT + "\n4.7 Dogs sit.\n", KNOWN)

    assert document.clauses["4.7"] == ("Dogs sit.",)


def test_a_fingerprint_depends_only_on_letters_and_digits() -> None:
    assert fingerprint("“No more bets”, says A.") == fingerprint("no more  BETS says a")
    assert fingerprint("It pays 35 to 1.") != fingerprint("It pays 36 to 1.")


@pytest.mark.parametrize("text", ["", "no clause here", "%PDF-1.7 1.1 Words."])
def test_a_file_without_clauses_is_refused(text: str) -> None:
    with pytest.raises(UnreadableDocument):
        read_document(text, KNOWN)
