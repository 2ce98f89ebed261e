"""`croupier transcript`: the contract's example, several files, standard input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, run, run_here

CONTRACT = """\
game mbs-roulette-v3
limits * 5 1000                    # minimum maximum; a type's own line wins over *
limits straight_up 5 100

round
Dealer: place your bets
Anna: lay straight_up:17 10 as w1  # chips on the layout (limits: readings A11)
Ben: place red 50 as w2            # electronic: checked, then registered or refused
Dealer for Ben: lay 17/20 5 as w3  # staff place on request
Anna: increase w1 5
Ben: withdraw w2
Dealer: spin
Dealer: no more bets
Anna: lay 20 10 as w4              # refused: 5.13
Dealer: outcome 17
Pit Supervisor: rule w3 split:14/17    # or: rule w3 return · rule w3 amount 3
Dealer: settle
"""
ANNA = {
    "stake_cents": 1500,
    "paid_cents": 52500,
    "collected_cents": 0,
    "returned_cents": 1500,
}
BEN = {
    "stake_cents": 500,
    "paid_cents": 8500,
    "collected_cents": 0,
    "returned_cents": 500,
}
EXPECTED = {
    "game": "mbs-roulette-v3",
    "rounds": [
        {
            "round": 1,
            "status": "settled",
            "winning_number": "17",
            "bonus_numbers": [],
            "wagers": [
                {
                    "id": "w1",
                    "player": "Anna",
                    "wager": "straight_up:17",
                    **ANNA,
                    "pieces": [{"area": "straight_up:17", **ANNA}],
                },
                {
                    "id": "w3",
                    "player": "Ben",
                    "wager": "split:14/17",
                    **BEN,
                    "pieces": [{"area": "split:14/17", **BEN}],
                },
            ],
            "players": {"Anna": ANNA, "Ben": BEN},
            "refused": [
                {
                    "line": 14,
                    "act": "lay",
                    "wager": "w4",
                    "clause": "5.13",
                    "reason": "the betting is closed",
                }
            ],
        }
    ],
}
EVERY_ENDING = """\
game mbs-roulette-v3
round
Dealer: place your bets
Anna: lay red 10 as w1
Dealer: spin 3
round
Dealer: place your bets
Anna: lay red 10 as w1
Dealer: irregularity unlisted
round
Dealer: place your bets
Anna: lay red 10 as w1
Dealer: settle
round
Dealer: place your bets
Anna: lay red 10 as w1
Dealer: spin
Dealer: no more bets
Dealer: outcome 2
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.txt"
    path.write_text(CONTRACT, "utf-8")
    return path


def test_the_contracts_example_gives_the_contracts_json(example: Path) -> None:
    assert run("transcript", example, "--json").json() == EXPECTED


def test_the_keys_come_in_the_contracts_order(example: Path) -> None:
    given = run_here("transcript", example, "--json").json()

    assert json.dumps(given) == json.dumps(EXPECTED)


def test_a_person_reads_what_was_refused_and_who_won(example: Path) -> None:
    told = run("transcript", example)

    assert told.code == 0
    lines = told.stdout.splitlines()
    assert lines[0] == "Roulette (MBS) v3, in effect from 2019-08-14"
    assert "        ✗ refused: the betting is closed [5.13]" in lines
    assert "  Outcome 17 black" in lines
    assert lines[-1] == "  Net: Anna +525.00, Ben +85.00"


def test_a_dash_reads_standard_input(example: Path) -> None:
    given = run("transcript", "-", "--json", stdin=CONTRACT.encode())

    assert given.json() == EXPECTED


def test_line_ends_and_a_mark_at_the_start_do_not_matter() -> None:
    text = "\ufeff" + CONTRACT.replace("\n", "\r\n")

    assert run_here("transcript", "-", "--json", stdin=text.encode()).json() == EXPECTED


def test_several_files_give_one_object_a_line_in_order(example: Path) -> None:
    samples = sorted((ROOT / "samples").glob("*.txt"))

    ran = run("transcript", *samples, example, "--json")

    objects = [json.loads(line) for line in ran.stdout.splitlines()]
    assert (ran.code, ran.stderr) == (0, "")
    assert [each["game"] for each in objects[:-1]] == [path.stem for path in samples]
    assert objects[-1] == EXPECTED


def test_several_files_are_told_one_after_the_other(example: Path) -> None:
    told = run_here("transcript", example, example).stdout

    assert told.split("\n\nRoulette (MBS) v3, ")[1:]
    assert told.count("Net: Anna +525.00") == 2


def test_every_ending_of_a_round_has_its_status_and_clause() -> None:
    given = run_here("transcript", "-", "--json", stdin=EVERY_ENDING.encode()).json()

    endings = [_ending(each) for each in given["rounds"]]
    assert endings == [
        ("void", "5.3", None, 1000, 0, 1000),
        ("referred", "6.2", None, 1000, 0, 0),
        ("open", None, None, 1000, 0, 0),
        ("settled", None, "2", 1000, 1000, 0),
    ]
    assert given["rounds"][2]["refused"][0]["wager"] is None
    assert given["rounds"][2]["refused"][0]["act"] == "settle"


def _ending(state: dict[str, Any]) -> tuple[object, ...]:
    [wager] = state["wagers"]
    return (
        state["status"],
        state.get("clause"),
        state["winning_number"],
        wager["stake_cents"],
        wager["collected_cents"],
        wager["returned_cents"],
    )
