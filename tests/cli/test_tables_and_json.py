"""Each command: a table for people, one JSON document for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.games.readings import READINGS
from tests.cli.running import run, run_here
from tests.golden_tables import GAMES

# What a person reads in the documents: numbers, areas, the day it took effect.
LISTED = {
    "mbs-roulette-v2": ("Roulette (MBS) v2", "MBS", "2012-12-19", 37, 157),
    "mbs-roulette-v3": ("Roulette (MBS) v3", "MBS", "2019-08-14", 37, 157),
    "mbs-complete-bet-v2": (
        "Roulette Complete Bet (MBS) v2",
        "MBS",
        "2012-12-19",
        37,
        157,
    ),
    "mbs-fast-action-v2": (
        "Sands Fast Action Roulette (MBS) v2",
        "MBS",
        "2020-09-17",
        40,
        43,
    ),
    "rws-triple-zero": ("Roulette Triple Zero (RWS)", "RWS", "2023-04-06", 39, 166),
}


def test_games_are_listed_for_people() -> None:
    heading, *rows = run("games").table()

    columns = "game,document,in effect from,compartments,areas,approved"
    assert heading == columns.split(",")
    assert rows == [
        [name, document, date, str(numbers), str(areas), "yes"]
        for name, (document, _, date, numbers, areas) in LISTED.items()
    ]


def test_games_are_listed_for_programs() -> None:
    listed = run("games", "--json").json()

    assert list(listed) == ["games"]
    assert [
        (
            game["document"],
            game["operator"],
            game["effective"],
            game["compartments"],
            game["areas"],
        )
        for game in listed["games"]
    ] == list(LISTED.values())
    assert [game["game"] for game in listed["games"]] == list(LISTED)


@pytest.mark.parametrize("game", GAMES)
def test_the_layout_is_the_same_for_people_and_programs(game: str) -> None:
    listed = run_here("layout", game, "--json").json()
    shown = run_here("layout", game).stdout.partition("\n\n")[0].splitlines()

    areas = listed["areas"]
    assert list(listed) == ["game", "areas"]
    assert listed["game"] == game
    assert len(areas) == LISTED[game][-1]
    assert {tuple(area) for area in areas} == {("area", "type", "numbers", "pays")}
    assert [line.split()[0] for line in shown] == ["area", *(a["area"] for a in areas)]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (
            "mbs-roulette-v3",
            {
                "area": "split:17/20",
                "type": "split",
                "numbers": ["17", "20"],
                "pays": 17,
            },
        ),
        (
            "rws-triple-zero",
            {
                "area": "top_line",
                "type": "top_line",
                "numbers": ["0", "00", "000", "1", "2", "3"],
                "pays": 5,
            },
        ),
        (
            "mbs-fast-action-v2",
            {
                "area": "straight_up:MBS",
                "type": "straight_up",
                "numbers": ["MBS"],
                "pays": {"non_bonus": 35, "bonus": 40, "super_bonus": 80},
            },
        ),
        (
            "mbs-fast-action-v2",
            {
                "area": "scatter_bonus",
                "type": "scatter_bonus",
                "numbers": [],
                "pays": 700,
            },
        ),
    ],
)
def test_an_area_is_listed_as_the_contract_says(game: str, expected: object) -> None:
    assert expected in run_here("layout", game, "--json").json()["areas"]


def test_the_multiple_piece_wagers_are_listed_with_their_pieces() -> None:
    _, _, multiples = run("layout", "mbs-complete-bet-v2").stdout.partition("\n\n")

    assert "orphelins                  5  1 6/9 14/17 17/20 31/34" in multiples
    assert "neighbours:…" in multiples
    assert "complete_maximum:…" in multiples


def test_the_pieces_of_a_wager_are_shown_before_it_is_staked() -> None:
    asked = run_here("layout", "mbs-complete-bet-v2", "zero_spiel", "red", "--json")

    assert [area["area"] for area in asked.json()["areas"]] == [
        "straight_up:26",
        "split:0/3",
        "split:12/15",
        "split:32/35",
        "red",
    ]


def _sums(stake: int, paid: int, collected: int, returned: int) -> dict[str, int]:
    return {
        "stake_cents": stake,
        "paid_cents": paid,
        "collected_cents": collected,
        "returned_cents": returned,
    }


def _plain(area: str, *sums: int) -> dict[str, Any]:
    """A wager of one piece, as `settle --json` gives it."""
    pieces = [{"area": area, **_sums(*sums)}]
    return {"wager": area, **_sums(*sums), "pieces": pieces}


def test_wagers_are_settled_for_programs() -> None:
    settled = run(
        "settle", "mbs-roulette-v3", "17", "17@10", "red@2.50", "20/17@5", "--json"
    ).json()

    assert settled == {
        "game": "mbs-roulette-v3",
        "round": 1,
        "status": "settled",
        "winning_number": "17",
        "bonus_numbers": [],
        "refused": [],
        "wagers": [
            _plain("straight_up:17", 1000, 35000, 0, 1000),
            _plain("red", 250, 0, 250, 0),
            _plain("split:17/20", 500, 8500, 0, 500),
        ],
        **_sums(1750, 43500, 250, 1500),
    }


def test_wagers_are_settled_for_people() -> None:
    rows = run("settle", "mbs-complete-bet-v2", "17", "orphelins@1", "red@2.50").table()

    assert rows == [
        ["wager", "stake", "paid", "collected", "returned", "clause"],
        ["orphelins", "5.00", "34.00", "3.00", "2.00"],
        ["straight_up:1", "1.00", "0.00", "1.00", "0.00", "4.1"],
        ["split:6/9", "1.00", "0.00", "1.00", "0.00", "4.1"],
        ["split:14/17", "1.00", "17.00", "0.00", "1.00", "4.1"],
        ["split:17/20", "1.00", "17.00", "0.00", "1.00", "4.1"],
        ["split:31/34", "1.00", "0.00", "1.00", "0.00", "4.1"],
        ["red", "2.50", "0.00", "2.50", "0.00", "4.1"],
        ["total", "7.50", "34.00", "5.50", "2.00"],
    ]


def test_bonus_numbers_are_given_and_come_back_in_layout_order() -> None:
    settled = run_here(
        "settle",
        "mbs-fast-action-v2",
        "MBS",
        "MBS@10",
        "bonus_win@10",
        "super_bonus_win@1",
        "--bonus",
        "MBS,S,36,00,0,5,4,3,2,1",
        "--json",
    ).json()

    drawn = ["0", "00", "1", "2", "3", "4", "5", "36", "S", "MBS"]
    assert settled["bonus_numbers"] == drawn
    assert [wager["paid_cents"] for wager in settled["wagers"]] == [80000, 2000, 35000]


def test_limits_and_settings_are_taken_as_in_a_transcript() -> None:
    over = ("settle", "mbs-roulette-v3", "17", "17@500")
    dozen = ("settle", "mbs-complete-bet-v2", "0", "complete:dozen:1@1", "--json")
    maximum = ("settle", "mbs-complete-bet-v2", "17", "complete_maximum:17", "--json")

    capped = run_here(*over, "--limits", "* 5 1000", "--limits", "straight_up 5 100")
    touching = run_here(*dozen).json()
    inside = run_here(*dozen, "--setting", "complete_dozen inside").json()
    at_maximum = run_here(
        *maximum, "--limits", "* 1 40", "--limits", "straight_up 1 10"
    ).json()

    assert capped.table()[1] == [
        *("straight_up:17", "500.00", "3500.00", "0.00", "500.00", "5.16")
    ]
    assert touching["stake_cents"] == 5400
    assert inside["stake_cents"] == 4200
    assert at_maximum["stake_cents"] == 1000 + 11 * 4000


def test_the_readings_are_printed() -> None:
    told = run("readings")
    listed = run("readings", "--json").json()

    assert list(listed) == ["readings"]
    assert listed["readings"] == [
        {"id": r.id, "question": r.question, "answer": r.answer, "setting": r.setting}
        for r in READINGS
    ]
    assert told.code == 0
    for reading in READINGS:
        assert f"{reading.id}  {reading.question}" in told.stdout
    assert "  [setting complete_dozen]" in told.stdout


def test_one_reading_is_printed_by_its_id() -> None:
    told = run_here("readings", "A28").stdout
    listed = run_here("readings", "A28", "--json").json()

    asked = "A28  Until when may Players bet before “No more bets”?"
    assert told.startswith(f"{asked}  [setting close_on_drop]\n    Until")
    assert told.count("?") == 1
    assert [each["id"] for each in listed["readings"]] == ["A28"]


def test_a_reading_that_is_not_there_is_named() -> None:
    told = run_here("readings", "A99")

    assert told.code == 2
    assert "there is no reading 'A99'" in told.stderr
    assert told.stdout == ""


@pytest.mark.parametrize(
    "args",
    [
        ("games",),
        ("layout", "rws-triple-zero"),
        ("settle", "mbs-roulette-v3", "0", "low@1"),
        ("transcript", "samples/mbs-roulette-v3.txt"),
        ("rules", "mbs-roulette-v2"),
        ("readings",),
    ],
    ids=lambda args: args[0],
)
def test_json_is_one_document_and_nothing_else(args: tuple[str, ...]) -> None:
    ran = run(*args, "--json")

    document, end = json.JSONDecoder().raw_decode(ran.stdout)
    assert (ran.code, ran.stderr) == (0, "")
    assert isinstance(document, dict)
    assert ran.stdout[end:] == "\n"


def test_what_goes_to_a_pipe_is_utf_8_and_has_no_colours() -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    told = run("transcript", "samples/rws-triple-zero.txt", environment=plain)

    assert told.code == 0
    assert "✗ refused:" in told.stdout
    assert "\x1b" not in told.stdout
