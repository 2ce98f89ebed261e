"""The rulebook: each sentence has a mark, and a broken row is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.games import all_games, find_game
from croupier.games.readings import READINGS
from croupier.rulebook.agreement import disagreements
from croupier.rulebook.document import read_document
from croupier.rulebook.rulebook import rulebook_of
from croupier.rulebook.sentences import Mark, clauses_read
from croupier.rulebook.tables import meanings
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game, row
from croupier.rules.layout import WagerType
from tests.rulebook.invented import GAME, ROWS, TEXT, WITH_LINKS

KNOWN = [each.number for each in ROWS]
LINK_A = "\nAppendix “B”\n0	00	S	MBS	a\n1	2	3	4	b\n"


def differing(game: Game, text: str) -> list[str]:
    document = read_document(text, [each.number for each in game.clauses])
    return [str(each) for each in disagreements(game, document)]


def with_row(changed: ClauseRow) -> Game:
    rows = [changed if each.number == changed.number else each for each in ROWS]
    return replace(GAME, clauses=tuple(rows))


def of(game: Game, number: str) -> tuple[str, ...]:
    [entry] = [each for each in rulebook_of(game).entries if each.number == number]
    return tuple(each.said for each in entry.sentences)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_clause_and_reading_of_a_game_has_its_place(game: Game) -> None:
    book = rulebook_of(game)

    shown = [entry.number for entry in book.entries]
    silent = [each.number for entry in book.entries for each in entry.silent]
    assert set(shown) | set(silent) >= {each.number for each in game.clauses}
    assert len(silent) == len(set(silent))
    assert set(silent).isdisjoint(shown)
    assert book.counts[Mark.NOT_COVERED] == 0
    for entry in book.entries:
        assert entry.sentences
        assert all(each.words for each in entry.sentences)
        assert bool(entry.leading) is bool(entry.code), entry.number


def test_every_reading_is_in_a_rulebook() -> None:
    read = [clause for game in all_games() for clause in clauses_read(game).values()]

    placed = {each for clause in read for each in clause.silent}
    placed |= {each.reading for clause in read for each in clause.sentences}
    assert {each.id for each in READINGS} - placed == set()


def test_sentences_are_marked_as_the_documents_ask() -> None:
    v3 = find_game("mbs-roulette-v3")

    assert of(v3, "3.5") == ("carried out by the software", "duty of a person")
    assert of(v3, "5.15") == ("read as A9", "read as A9")
    assert of(v3, "5.11") == ("information",)
    assert of(find_game("rws-triple-zero"), "3.8") == ("read as A17",)
    [ruling] = [each for each in rulebook_of(v3).entries if each.number == "3.9"]
    assert ruling.may == "Pit Supervisor or above"
    assert [each.number for each in ruling.silent] == ["A30", "A31", "A48"]


def test_every_rule_has_a_meaning_for_at_least_one_party() -> None:
    assert {rule for rule, _ in meanings()} == set(Rule)
    assert {who for _, who in meanings()} == {"player", "dealer", "house"}


def test_a_document_that_agrees_is_quoted_sentence_by_sentence() -> None:
    document = read_document(TEXT, KNOWN)

    book = rulebook_of(GAME, document)

    entry = book.entries[0]
    assert [each.quote for each in entry.sentences] == ["In this text:"]
    assert book.is_quoted
    assert book.missing == ()


def test_a_sentence_without_a_mark_is_not_covered() -> None:
    text = TEXT + "\n4.7 Dogs sit.\n"
    book = rulebook_of(GAME, read_document(text, KNOWN))

    [entry] = [each for each in book.entries if each.number == "4.7"]
    assert [each.said for each in entry.sentences] == ["not covered"]
    # A second sentence of 1.1.1, and one each of 3.1 and Appendix A: Split as well.
    assert book.counts[Mark.NOT_COVERED] == 4


def test_a_missing_row_is_noticed_without_the_document() -> None:
    book = rulebook_of(find_game("mbs-roulette-v3").without("5.13"))

    assert book.counts[Mark.NOT_COVERED] == 1
    assert book.entries[-1].number == "5.13"


def test_a_broken_row_is_noticed() -> None:
    table = {WagerType.STRAIGHT_UP: 36, WagerType.RED: 1}
    broken = with_row(row("3.1", Rule.PAY_TABLE, pays=table))
    three_laps = with_row(row("2.1", Rule.SPIN, amount=3))

    assert (
        "3.1: the text pays One number (Straight Up) 35 to 1, the game 36 to 1"
        in differing(broken, TEXT)
    )
    assert "2.1: the text does not say 3" in differing(three_laps, TEXT)
    assert "2.2.1: the text has this clause, the game has no row" in differing(
        GAME.without("2.2.1"), TEXT
    )
    assert "2.2.2: the game has this row, the text no clause" in differing(
        GAME, TEXT.replace("2.2.2 the wheel", "the wheel")
    )


def test_a_swapped_link_is_noticed() -> None:
    links = list(WITH_LINKS.layout.links)
    links[1] = (*links[1][:3], links[2][0])
    layout = replace(WITH_LINKS.layout, links=tuple(links))
    numbers = row("0", Rule.NUMBERS, numbers=find_game("mbs-fast-action-v2").numbers)
    right = replace(WITH_LINKS, clauses=(*ROWS, numbers))

    said = "links: the text has 1 2 3 4 in link b, the game 1 2 3 5"
    assert said in differing(replace(right, layout=layout), TEXT + LINK_A)
    assert said not in differing(right, TEXT + LINK_A)
