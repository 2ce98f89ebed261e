"""Errors within a round or a file name the numbers of this game."""

from __future__ import annotations

from pathlib import Path

from tests.figures.command import croupier

V3 = "mbs-roulette-v3"


def test_staff_see_the_numbers_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "round.txt"
    two = "Dealer + Pit Supervisor"
    path.write_text(
        f"game {V3}\nround\nDealer: place your bets\nAnna: lay S 5 as w1\n"
        "Dealer: spin\n"
        "Dealer: no more bets\nDealer: ball at rest 00\nDealer: ball at rest 17\n"
        f"{two}: correct ball to 00\nDealer: outcome 17\n{two}: correct round 1 to 00\n"
        "Dealer: irregularity ball_broke\nGaming Shift Manager: decide outcome 00\n",
        encoding="utf-8",
    )

    answer = croupier("transcript", str(path), "--json")

    [played] = answer.json["rounds"]
    refused = [(each["act"], each["reason"]) for each in played["refused"]]
    acts = ("lay", "ball at rest", "correct", "correct", "decide")
    assert [act for act, _ in refused] == [*acts]
    assert all(" its numbers are 0 1 … 36" in reason for _, reason in refused)


def test_a_rejected_row_names_the_numbers_of_the_game(tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("round,area,stake,outcome\n1,17,5,S\n", encoding="utf-8")

    answer = croupier("settle-file", str(source), "-o", str(target), "--game", V3)

    assert answer.status == 1
    rejected = (tmp_path / "out.rejects.csv").read_text(encoding="utf-8")
    assert "has no number S: its numbers are 0 1 … 36 [" in rejected
