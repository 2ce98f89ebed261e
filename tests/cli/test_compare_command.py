"""`croupier compare`: text, JSON and a page."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run_here

V2, V3 = "mbs-roulette-v2", "mbs-roulette-v3"


def test_people_read_what_changes() -> None:
    told = run_here("compare", V2, V3)

    assert told.code == 0
    assert "22 unchanged, 17 reworded, 7 moved, 16 new, 0 gone" in told.stdout
    assert "5.13  moved, reworded, was 5.11" in told.stdout
    assert "edge differs" in told.stdout


def test_programs_get_stories_and_exact_figures() -> None:
    both = run_here("compare", V2, V3, "--json").json()

    by_number = {each["after"]: each for each in both["clauses"]}
    assert by_number["5.12"]["story"]["after"]["rounds"] == ["void 5.12"]
    assert both["odds"][0]["house_edge"] == ["1/37", "1/37"]
    assert both["odds"][0]["edge_difference"] == "0"


def test_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "both.html"

    told = run_here("compare", V2, V3, "--output", str(page))

    assert (told.code, told.stdout) == (0, "")
    assert "For the odds" in page.read_text("utf-8")


def test_a_game_is_compared_with_a_what_if_of_it(tmp_path: Path) -> None:
    file = tmp_path / "what-if.toml"
    file.write_text("[pays]\nstraight_up = 34\n", "utf-8")

    both = run_here("compare", V3, "--what-if", str(file), "--json").json()

    changed = [each for each in both["clauses"] if each["kinds"] != ["unchanged"]]
    assert [each["after"] for each in changed] == ["4.1"]
    assert both["games"][1]["approved"] is False
    assert both["odds"][0]["edge_difference"] == "1/37"


def test_one_game_alone_is_nothing_to_compare() -> None:
    told = run_here("compare", V3)

    assert told.code == 2
    assert "name a second game, or give a --what-if" in told.stderr
