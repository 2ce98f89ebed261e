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


LACKING = {"mbs-roulette-v2": "00", V3: "S", FAST: "000", "rws-triple-zero": "MBS"}
"""By game a number that another game has."""


@pytest.mark.parametrize("game", LACKING)
@pytest.mark.parametrize(
    "words",
    [
        ("odds", "{game}", "{number}"),
        ("odds", "{game}", "0/{number}"),
        ("settle", "{game}", "{number}", "17@5", "--bonus", "1,2,3,4,5,6,7,8,9,10"),
        ("settle", "{game}", "17", "{number}@5"),
        ("settle", "{game}", "17", "straight_up:{number}@5"),
        ("exposure", "{game}", "Anna:{number}@5"),
        ("session", "{game}", "-w", "{number}@5", *SESSION),
        ("simulate", "{game}", "-w", "{number}@5", *SESSION, *DRAWN),
        (
            "best-play",
            "{game}",
            "--bankroll",
            "5",
            "--target",
            "9",
            "--area",
            "{number}",
        ),
        ("transcript", "{outcome}", "--json"),
        ("transcript", "{wager}", "--json"),
        ("wheel-check", "{outcomes}", "--game", "{game}"),
        ("report", "{settled}", "--game", "{game}"),
    ],
    ids=" ".join,
)
def test_a_number_of_another_game_is_refused_with_those_of_this_one(
    game: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    number = LACKING[game]
    files = write_files_of_a_number(tmp_path, game, number)
    if words[0] == "settle" and game != FAST:
        words = words[:4]

    answer = croupier(
        *(word.format(game=game, number=number, **files) for word in words)
    )

    said = answer.out if words[0] == "transcript" else answer.err
    assert answer.status == (0 if words[0] == "transcript" else 2)
    assert f"{number}: its numbers are {NUMBERS[game]}" in said.replace("\\u2026", "…")


def write_files_of_a_number(folder: Path, game: str, number: str) -> dict[str, Path]:
    """Write files in which the number is a winning number, or is wagered on."""
    place = "Anna: place" if game == "rws-triple-zero" else "Anna: lay"
    drawn = "RNG: bonus numbers 1 2 3 4 5 6 7 8 9 10\n" if game == FAST else ""
    begun = f"game {game}\nround\nDealer: place your bets\n"
    spun = f"Dealer: spin\nDealer: no more bets\n{drawn}"
    head = "round,area,stake,outcome,bonus_numbers"
    row = f"1,17,5,{number},1 2 3 4 5 6 7 8 9 10"
    sums = "paid_cents,collected_cents,returned_cents"
    texts = {
        "outcome": f"{begun}{spun}Dealer: outcome {number}\n",
        "wager": f"{begun}{place} {number} 5 as w1\n",
        "outcomes": f"outcome\n17\n{number}\n",
        "settled": f"{head},{sums}\n{row},0,500,0\n",
        "wagers": f"{head}\n{row}\n",
    }
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.csv" for name in (*texts, "out")}


def test_staff_see_the_numbers_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "round.txt"
    two = "Dealer + Pit Supervisor"
    path.write_text(
        f"game {V3}\nround\nDealer: place your bets\nDealer: spin\n"
        "Dealer: no more bets\nDealer: ball at rest 00\nDealer: ball at rest 17\n"
        f"{two}: correct ball to 00\nDealer: outcome 17\n{two}: correct round 1 to 00\n"
        "Dealer: irregularity ball_broke\nGaming Shift Manager: decide outcome 00\n",
        encoding="utf-8",
    )

    answer = croupier("transcript", str(path), "--json")

    [played] = answer.json["rounds"]
    reason = "Roulette has no compartment 00: its numbers are 0 1 … 36"
    refused = [(each["act"], each["reason"]) for each in played["refused"]]
    acts = ("ball at rest", "correct", "correct", "decide")
    assert refused == [(act, reason) for act in acts]


@pytest.mark.parametrize("game", LACKING)
def test_a_rejected_row_names_the_numbers_of_the_game(
    game: str, tmp_path: Path
) -> None:
    files = write_files_of_a_number(tmp_path, game, LACKING[game])
    target = str(files["out"])

    answer = croupier("settle-file", str(files["wagers"]), "-o", target, "--game", game)

    assert answer.status == 1
    rejected = (tmp_path / "out.rejects.csv").read_text(encoding="utf-8")
    said = f"has no number {LACKING[game]}: its numbers are {NUMBERS[game]} ["
    assert said in rejected


@pytest.mark.parametrize(
    ("game", "wager"),
    [("mbs-complete-bet-v2", "complete:00"), ("rws-triple-zero", "neighbours:S")],
)
def test_an_error_in_several_pieces_names_the_numbers_of_the_game(
    game: str, wager: str
) -> None:
    answer = croupier("odds", game, wager)

    assert answer.status == 2
    assert f"has no {wager}: its numbers are {NUMBERS[game]} [" in answer.err


def test_an_area_of_known_numbers_is_refused_without_them() -> None:
    answer = croupier("odds", V3, "17/36")

    assert answer.status == 2
    assert "has no betting area 17/36; did you mean" in answer.err


def test_errors_in_a_draw_or_a_ring_name_the_numbers_of_the_game() -> None:
    drawn = ("--bonus", "1,2,3,4,5,6,7,8,9,000")
    draw = croupier("settle", FAST, "17", "17@5", *drawn)
    ring = croupier("odds", "rws-triple-zero", "--setting", "ring 0 00 S")

    for answer, game in ((draw, FAST), (ring, "rws-triple-zero")):
        assert answer.status == 2
        assert f": its numbers are {NUMBERS[game]}" in answer.err


TAKING_TERMS = pytest.mark.parametrize(
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


@TAKING_TERMS
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


@TAKING_TERMS
def test_a_cap_on_a_type_that_the_game_lacks_is_refused(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    files = write_wagers(tmp_path)
    asked = [word.format(**files) for word in words]

    known = croupier(*asked, "--setting", "area_maximum straight_up 100")
    answer = croupier(*asked, "--setting", "area_maximum red 100")

    assert known.status == 0, known.err
    assert answer.status == 2
    assert answer.err == ("croupier: Sands Fast Action Roulette has no wager red\n")
    assert not answer.out


def test_a_transcript_caps_the_types_of_its_game(tmp_path: Path) -> None:
    path = tmp_path / "round.txt"

    path.write_text(f"game {FAST}\nsetting area_maximum straight_up 100\n")
    known = croupier("transcript", str(path))
    path.write_text(f"game {FAST}\nsetting area_maximum red 100\n")
    answer = croupier("transcript", str(path))

    assert known.status == 0, known.err
    assert answer.status == 2
    assert "round.txt:2:22: Sands Fast Action Roulette has no wager red" in answer.err


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
def test_a_large_count_is_refused_with_its_range(
    words: tuple[str, ...], said: str
) -> None:
    answer = croupier("simulate", V3, "-w", "17@5", "--bankroll", "100", *words)

    assert answer.status == 2
    assert said in answer.err
