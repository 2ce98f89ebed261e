"""What a mistake is told: the numbers of this game, what is wrong with an amount."""

from __future__ import annotations

import pytest

from croupier.games import find_game
from croupier.rules.notation import NotationError, read_cents
from croupier.rules.reasons import NotationReason
from croupier.rules.wheel import Number, list_numbers
from tests.cli.running import run_here

V3, FAST, TRIPLE = "mbs-roulette-v3", "mbs-fast-action-v2", "rws-triple-zero"
NUMBERS = {
    V3: "0 1 … 36",
    "mbs-roulette-v2": "0 1 … 36",
    "mbs-complete-bet-v2": "0 1 … 36",
    FAST: "0 00 1 … 36 S MBS",
    TRIPLE: "0 00 000 1 … 36",
}
WITH_A_NUMBER = [
    ("odds", "{game}", "{number}"),
    ("odds", "{game}", "{number}@5", "--limits", "* 1 10"),
    ("layout", "{game}", "1/{number}"),
    ("settle", "{game}", "{number}", "17@5"),
    ("settle", "{game}", "17", "{number}@5"),
    ("exposure", "{game}", "Anna:{number}@5"),
    ("session", "{game}", "-w", "{number}@5", "--bankroll", "50", "--rounds", "2"),
    ("best-play", "{game}", "--bankroll", "5", "--target", "9", "--area", "{number}"),
]


@pytest.mark.parametrize("game", NUMBERS)
@pytest.mark.parametrize("words", WITH_A_NUMBER, ids=" ".join)
def test_the_numbers_named_are_those_of_the_game(
    game: str, words: tuple[str, ...]
) -> None:
    ran = run_here(*(word.format(game=game, number=40) for word in words))

    assert ran.code == 2
    assert f"'40' is not a number: they are {NUMBERS[game]}\n" in ran.stderr


@pytest.mark.parametrize("game", NUMBERS)
def test_numbers_in_a_row_are_listed_by_their_ends(game: str) -> None:
    assert list_numbers(find_game(game).numbers) == NUMBERS[game]


def test_a_wheel_with_gaps_is_listed_with_them() -> None:
    some = [Number(text) for text in ("5", "36", "1", "2", "3", "S", "00", "6")]

    assert list_numbers(some) == "00 1 … 3 5 6 36 S"
    assert list_numbers([]) == ""


TOO_LARGE = ["1" * 23, "10000000000000.01", "9" * 5000, "1" * 23 + ".50"]
TOO_SMALL = ["0", "0.00", "-5", "-0.01"]
TOO_PRECISE = ["0.001", "1.234", "12345678901234567890123.456"]


@pytest.mark.parametrize("text", [*TOO_LARGE, *TOO_SMALL], ids=range(8))
def test_an_amount_of_the_wrong_size_is_out_of_range(text: str) -> None:
    with pytest.raises(NotationError, match=r"at least 0\.01 and at most") as raised:
        read_cents(text)

    assert raised.value.reason.code == NotationReason.AMOUNT_OUT_OF_RANGE.code


@pytest.mark.parametrize("text", [*TOO_PRECISE, "1e5", "1,000", "05", "", "--5"])
def test_what_is_not_written_as_an_amount_is_told_how_to_write_one(text: str) -> None:
    with pytest.raises(NotationError, match="at most two decimals") as raised:
        read_cents(text)

    assert raised.value.reason.code == NotationReason.NOT_AN_AMOUNT.code


@pytest.mark.parametrize(
    "words",
    [
        ("odds", V3, "red@{amount}"),
        ("settle", V3, "17", "red@{amount}"),
        ("exposure", V3, "Anna:red@{amount}"),
        ("odds", V3, "red@5", "--limits", "* 5 {amount}"),
        ("session", V3, "-w", "red@5", "--bankroll", "{amount}", "--rounds", "5"),
    ],
    ids=" ".join,
)
def test_a_stake_of_23_digits_is_too_large(words: tuple[str, ...]) -> None:
    ran = run_here(*(word.format(amount="1" * 23) for word in words))

    assert ran.code == 2
    assert "is out of range" in ran.stderr
    assert "decimals" not in ran.stderr


def test_an_edge_says_what_it_is_of() -> None:
    args = ("odds", V3, "17@100", "red@20", "17@1", "--limits", "* 5 50")

    told = run_here(*args).table()
    found = run_here(*args, "--json").json()

    # 50 of the 101 on 17 and 20 on red are at risk, each with the edge 1/37.
    assert ["house edge", "0.0156355 (70/4477) of the chips laid"] in told
    assert ["edge at risk", "0.027027 (1/37) of the chips at risk"] in told
    assert found["layout"]["house_edge"] == "70/4477"
    assert found["layout"]["house_edge_at_risk"] == "1/37"
    rows = [
        (row["at_risk"], row["house_edge"], row["house_edge_at_risk"])
        for row in found["wagers"]
    ]
    assert rows == [("1/2", "1/74", "1/37"), ("1", "1/37", "1/37"), ("0", "0", None)]


def test_where_nothing_is_at_risk_there_is_no_edge_on_it() -> None:
    args = ("odds", V3, "red@2", "--limits", "* 5 50", "--warned")

    assert ["edge at risk", "nothing is at risk"] in run_here(*args).table()
    layout = run_here(*args, "--json").json()["layout"]
    assert layout["house_edge_at_risk"] is None


def test_a_place_that_no_layout_has_is_none_of_the_game() -> None:
    assert "no betting area column:12345" in run_here("odds", V3, "column:12345").stderr
    assert "needs its place, such as column:2" in run_here("odds", V3, "column").stderr
