"""`--svg`: pictures of the layout and of a settled round."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import run, run_here
from tests.golden_tables import GAMES

SVG = "{http://www.w3.org/2000/svg}"
COMPARTMENTS = dict(zip(GAMES, (37, 37, 37, 40, 39), strict=True))


def _parts(svg: str, kind: str) -> list[ElementTree.Element]:
    """The elements of a class; the picture must be well-formed."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return [each for each in root.iter() if kind in each.get("class", "").split()]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("game", GAMES)
def test_the_layout_is_drawn(game: str, theme: str) -> None:
    ran = run_here("layout", game, "--svg", "--theme", theme)

    assert (ran.code, ran.stderr) == (0, "")
    assert len(_parts(ran.stdout, "number")) == COMPARTMENTS[game]
    assert _parts(ran.stdout, "chip") == []
    assert _parts(ran.stdout, "dolly") == []


def test_dark_is_the_theme_unless_another_is_named() -> None:
    usual = run_here("layout", "mbs-roulette-v3", "--svg").stdout
    dark = run_here("layout", "mbs-roulette-v3", "--svg", "--theme", "dark").stdout
    light = run_here("layout", "mbs-roulette-v3", "--svg", "--theme", "light").stdout

    assert usual == dark != light


def test_a_wagers_pieces_are_drawn_as_chips() -> None:
    drawn = run_here("layout", "mbs-complete-bet-v2", "tiers", "--svg").stdout

    assert sorted(chip.get("data-area", "") for chip in _parts(drawn, "chip")) == [
        "split:10/11",
        "split:13/16",
        "split:23/24",
        "split:27/30",
        "split:33/36",
        "split:5/8",
    ]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_settled_round_is_written_to_a_file(theme: str, tmp_path: Path) -> None:
    path = tmp_path / "round.svg"
    words = ("settle", "mbs-roulette-v3", "17", "17@10", "red@50")

    ran = run(*words, "--svg", "--theme", theme, "--output", path)

    chips = _parts(path.read_text("utf-8"), "chip")
    assert (ran.code, ran.stdout) == (0, "")
    assert ran.stderr == f"wrote {path}\n"
    assert {chip.get("data-area"): chip.get("class") for chip in chips} == {
        "straight_up:17": "chip won",
        "red": "chip lost",
    }
    assert len(_parts(path.read_text("utf-8"), "dolly")) == 1


def test_a_picture_on_standard_output_is_the_one_in_the_file(tmp_path: Path) -> None:
    words = ("settle", "rws-triple-zero", "000", "green@5", "--svg")
    path = tmp_path / "round.svg"

    printed = run_here(*words)
    run_here(*words, "--output", path)

    assert printed.stderr == ""
    assert printed.stdout.rstrip("\n") == path.read_text("utf-8").rstrip("\n")


def test_bonus_numbers_are_lit() -> None:
    words = ("settle", "mbs-fast-action-v2", "27", "27@10", "--svg")
    one = run_here(*words, "--bonus", "25,26,27,28,3,8,11,17,20,34").stdout
    other = run_here(*words, "--bonus", "25,26,27,30,3,8,11,17,20,34").stdout

    assert one != other
    assert "Super Bonus Number" in one
    assert "Super Bonus Number" not in other
