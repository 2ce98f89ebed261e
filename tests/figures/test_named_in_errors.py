"""Errors name what this game has, and say of a large amount that it is large."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.command import croupier

FAST = "mbs-fast-action-v2"
V3 = "mbs-roulette-v3"
NUMBERS = {
    "mbs-roulette-v2": "0 1 … 36",
    V3: "0 1 … 36",
    "mbs-complete-bet-v2": "0 1 … 36",
    FAST: "0 00 1 … 36 S MBS",
    "rws-triple-zero": "0 00 000 1 … 36",
}
SESSION = ("--bankroll", "100", "--rounds", "5")
DRAWN = ("--sessions", "5", "--seed", "1", "--engine", "plain")
LARGE = "9" * 23


def write_wagers(folder: Path) -> dict[str, Path]:
    """Write a file of one wager, and one of the same, settled."""
    wagers, settled = folder / "wagers.csv", folder / "settled.csv"
    head, row = (
        "round,area,stake,outcome,bonus_numbers",
        "1,17,5,17,1 2 3 4 5 6 7 8 9 10",
    )
    wagers.write_text(f"{head}\n{row}\n", encoding="utf-8")
    sums = "paid_cents,collected_cents,returned_cents"
    settled.write_text(f"{head},{sums}\n{row},17500,0,500\n", encoding="utf-8")
    return {"wagers": wagers, "settled": settled, "out": folder / "out.csv"}


@pytest.mark.parametrize("game", NUMBERS)
@pytest.mark.parametrize(
    "words",
    [
        ("odds", "{game}", "37"),
        ("settle", "{game}", "17", "37@5"),
        ("exposure", "{game}", "Anna:37@5"),
        ("session", "{game}", "-w", "37@5", *SESSION),
        ("simulate", "{game}", "-w", "37@5", *SESSION, *DRAWN),
        ("best-play", "{game}", "--bankroll", "5", "--target", "9", "--area", "37"),
    ],
    ids=lambda words: words[0],
)
def test_the_numbers_are_those_of_the_game(game: str, words: tuple[str, ...]) -> None:
    answer = croupier(*(word.format(game=game) for word in words))

    assert answer.status == 2
    assert f"they are {NUMBERS[game]}\n" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("odds", FAST, "17@5"),
        ("settle", FAST, "17", "17@5", "--bonus", "1,2,3,4,5,6,7,8,9,10"),
        ("exposure", FAST, "Anna:17@5"),
        ("session", FAST, "-w", "17@5", *SESSION),
        ("simulate", FAST, "-w", "17@5", *SESSION, *DRAWN),
        ("best-play", FAST, "--bankroll", "5", "--target", "9", "--area", "17"),
        ("settle-file", "{wagers}", "-o", "{out}", "--game", FAST),
        ("report", "{settled}", "--game", FAST),
        ("audit", "{settled}", "--game", FAST),
    ],
    ids=lambda words: words[0],
)
def test_limits_of_a_type_that_the_game_lacks_are_refused(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    files = write_wagers(tmp_path)
    asked = [word.format(**files) for word in words]

    known = croupier(*asked, "--limits", "* 1 100")
    answer = croupier(*asked, "--limits", "* 1 100", "--limits", "red 1 100")

    assert known.status == 0, known.err
    assert answer.status == 2
    assert answer.err == ("croupier: Sands Fast Action Roulette has no wager red\n")
    assert not answer.out


@pytest.mark.parametrize(
    "words",
    [
        ("odds", V3, f"17@{LARGE}"),
        ("settle", V3, "17", f"17@{LARGE}"),
        ("exposure", V3, f"Anna:17@{LARGE}"),
        ("session", V3, "-w", f"17@{LARGE}", *SESSION),
        ("session", V3, "-w", "17@5", "--rounds", "5", "--bankroll", LARGE),
        ("session", V3, "-w", "17@5", *SESSION, "--target", LARGE),
        ("session", V3, "-w", "17@5", *SESSION, "--stop-loss", LARGE),
        ("session", V3, "-w", "17@5", *SESSION, "--limits", f"* 5 {LARGE}"),
        ("simulate", V3, "-w", "17@5", *DRAWN, "--rounds", "5", "--bankroll", LARGE),
        ("best-play", V3, "--bankroll", LARGE, "--target", "9"),
        ("best-play", V3, "--bankroll", "5", "--target", LARGE),
    ],
    ids=" ".join,
)
def test_a_large_amount_is_out_of_range(words: tuple[str, ...]) -> None:
    answer = croupier(*words)

    assert answer.status == 2
    assert f"'{LARGE}' is out of range" in answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rounds", LARGE, "--sessions", "5"), "1 to 1,000,000 rounds"),
        (("--rounds", "5", "--sessions", LARGE), "1 to 1,000,000,000,000 sessions"),
        (("--rounds", "5", "--seed", LARGE), "from 0 to 18446744073709551615"),
    ],
)
def test_a_large_count_is_told_its_range(words: tuple[str, ...], said: str) -> None:
    answer = croupier("simulate", V3, "-w", "17@5", "--bankroll", "100", *words)

    assert answer.status == 2
    assert said in answer.err
