"""A played transcript as a person reads it: what is late, replaced or misdisplayed."""

from __future__ import annotations

import pytest

from croupier.transcript import play, read_transcript
from croupier.transcript.results import result_lines

ROUND = """\
game {game}
round
Dealer: place your bets
Anna: {word} 17 10 as w1
Ben: {word} red 5 as w2
Dealer: spin
Dealer: no more bets
Dealer: outcome 17
"""
PLAYED = ROUND.format(game="mbs-roulette-v3", word="lay")
GAMES = {
    "mbs-roulette-v2": "",
    "mbs-roulette-v3": " [6.4]",
    "mbs-complete-bet-v2": "",
    "rws-triple-zero": " [5.8]",
}


def told(text: str) -> list[str]:
    return [line.text for line in result_lines(play(read_transcript(text.split("\n"))))]


def test_a_corrected_settlement_stands_beside_the_one_that_it_replaces() -> None:
    corrected = "Dealer: settle\nDealer + Pit Supervisor: correct round 1 to 32\n"

    lines = told(PLAYED + corrected)

    assert lines[-5:] == [
        "  Outcome 32 red",
        "    Anna     straight_up:17              10.00   collected 10.00 [4.1];"
        " was paid 350.00, returned 10.00 [4.1]",
        "    Ben      red                          5.00   paid 5.00, returned 5.00"
        " [4.1]; was collected 5.00 [4.1]",
        "  Net: Anna -10.00, Ben +5.00",
        "  Net before, at 17: Anna +350.00, Ben -5.00",
    ]


def test_replaced_settlements_are_listed_in_order() -> None:
    decided = (
        "Dealer: settle\n"
        "Gaming Shift Manager: decide round 1 void\n"
        "Gaming Shift Manager: decide round 1 outcome 32\n"
    )

    lines = told(PLAYED + decided)

    assert lines[-3:] == [
        "  Net: Anna -10.00, Ben +5.00",
        "  Net before, at 17: Anna +350.00, Ben -5.00",
        "  Net before, void: Anna 0.00, Ben 0.00",
    ]


def test_a_round_settled_once_tells_nothing_of_before() -> None:
    lines = told(PLAYED)

    assert [line for line in lines if "before" in line or "was" in line] == []


@pytest.mark.parametrize(("game", "clause"), GAMES.items())
def test_a_display_that_differs_from_the_outcome_is_named(
    game: str, clause: str
) -> None:
    word = "place" if game == "rws-triple-zero" else "lay"

    lines = told(ROUND.format(game=game, word=word) + "system: display 5\n")

    assert f"  The display shows 5, not 17: it is information only{clause}" in lines


@pytest.mark.parametrize(
    "displays", ["", "system: display 17\n", "system: display 5\nsystem: display 17\n"]
)
def test_a_display_that_shows_the_outcome_needs_no_word(displays: str) -> None:
    assert [line for line in told(PLAYED + displays) if "information" in line] == []


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        ("mbs-roulette-v2", "3.6"),
        ("mbs-roulette-v3", "3.7"),
        ("mbs-complete-bet-v2", "3.8"),
        ("rws-triple-zero", "A28"),
    ],
)
def test_a_close_after_the_drop_is_flagged(game: str, clause: str) -> None:
    word = "place" if game == "rws-triple-zero" else "lay"
    text = ROUND.format(game=game, word=word)

    late = told(
        text.replace("Dealer: no more", "Dealer: ball dropped\nDealer: no more")
    )

    assert [line for line in late if "late" in line] == [
        f"        ⚑ late: the ball had dropped [{clause}]"
    ]
    assert [line for line in told(text) if "late" in line] == []


@pytest.mark.parametrize(
    ("game", "word", "lines", "said"),
    [
        ("mbs-roulette-v3", "lay", ("system: power failure",), "play goes on [5.11.2]"),
        (
            "mbs-roulette-v3",
            "lay",
            ("Dealer: ball at rest 17", "system: power failure"),
            "play goes on [A26]",
        ),
        (
            "rws-triple-zero",
            "place",
            ("Dealer: ball at rest 17", "system: interruption round"),
            "play goes on [5.1.1]",
        ),
        (
            "rws-triple-zero",
            "place",
            ("system: interruption terminals T1",),
            "play goes on [5.2]",
        ),
        (
            "mbs-roulette-v3",
            "lay",
            ("Dealer: outcome 17", "Dealer + Pit Supervisor: correct round 1 to 18"),
            "corrected to 18 [6.4]",
        ),
    ],
)
def test_a_continued_or_corrected_round_cites_its_clause(
    game: str, word: str, lines: tuple[str, ...], said: str
) -> None:
    acts = [
        "Dealer: place your bets",
        f"Anna: {word} 17 10 as w1",
        "Dealer: spin",
        "Dealer: no more bets",
        *lines,
    ]
    shown = told("\n".join([f"game {game}", "round", *acts]))

    assert f"        ↳ {said}" in shown


def test_a_held_round_does_not_say_that_play_goes_on() -> None:
    shown = told(
        "game mbs-roulette-v2\nround\nDealer: place your bets\nsystem: power failure"
    )

    assert not any("play goes on" in line for line in shown)
