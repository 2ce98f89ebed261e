"""What-if: a game changed by a file, and labelled wherever it is shown."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.odds import Model, odds_of, par_sheet, round_result
from croupier.odds.sheet_formats import sheet_json, wager_rows
from croupier.odds.what_if import WhatIfError, read_what_if
from croupier.rules.clause import Rule, WagerRefused
from croupier.rules.game import Game
from croupier.rules.wheel import Number
from tests.rules import oracle

V3 = find_game("mbs-roulette-v3")
FAST = find_game("mbs-fast-action-v2")
TRIPLE = find_game("rws-triple-zero")


def test_figures_may_be_grouped_as_toml_groups_them() -> None:
    model = read_what_if(V3, "[chances]\n17 = 1_0.2_5\n")

    assert model.chance(Number("17")) == Fraction(1025, 100) / (
        36 + Fraction(1025, 100)
    )


def test_another_ring_moves_the_neighbours() -> None:
    ring = oracle.TRIPLE_ZERO_RING[::-1]
    ring[0], ring[5] = ring[5], ring[0]
    model = read_what_if(TRIPLE, f'ring = "{" ".join(ring)}"\n')

    changed = round_result(model, [f"neighbours:{ring[0]}:1@1", f"{ring[1]}@1"])
    assert model.game.ring == tuple(ring)
    # The number beside the first on the new ring wins twice: 35 + 35 - 2.
    assert changed.greatest == 6800


def test_another_set_of_numbers_changes_wheel_and_areas() -> None:
    numbers = " ".join(n for n in TRIPLE.numbers if n != "000")
    model = read_what_if(TRIPLE, f'numbers = "{numbers}"\n')

    assert len(model.game.numbers) == 38
    assert odds_of(model, "red").house_edge == Fraction(1, 19)
    assert odds_of(model, "split:0/00").house_edge == Fraction(1, 19)
    with pytest.raises(WagerRefused):
        odds_of(model, "000")
    names = {odds.name for odds in par_sheet(model).wagers}
    assert "top_line" not in names
    assert not any("000" in name for name in names)


def test_numbers_from_two_clauses_are_replaced_in_both() -> None:
    one = next(row for row in V3.clauses if Rule.NUMBERS in row.rules)
    halves = (
        replace(one, numbers=one.numbers[:19]),
        replace(one, number="2.2", rules=(Rule.NUMBERS,), numbers=one.numbers[19:]),
    )
    others = tuple(row for row in V3.clauses if row is not one)
    split = replace(V3, clauses=(*halves, *others))

    model = read_what_if(split, "numbers = '0 1 2 3'\n")

    assert split.numbers == V3.numbers
    assert model.game.numbers == ("0", "1", "2", "3")


def test_a_number_beyond_the_layout_is_the_house_s() -> None:
    numbers = " ".join(["0", "00", *(str(n) for n in range(1, 37))])
    model = read_what_if(V3, f'numbers = "{numbers}"\n')

    assert odds_of(model, "red").house_edge == Fraction(1, 19)
    assert len(model.game.areas) == 157


CHANGED = 'title = "Loose <17>"\n[pays]\nstraight_up = 36\n[chances]\n17 = 2\n'


def changed() -> Model:
    return read_what_if(V3, CHANGED)


def test_every_output_has_the_label() -> None:
    sheet = par_sheet(changed())
    found = sheet_json(sheet)
    page = sheet.html()

    assert not sheet.model.is_approved
    assert "no approved game" in sheet.game.name
    assert "no approved game" in sheet.game.document
    assert "no approved game" in str(sheet)
    assert found["approved"] is False
    assert found["label"] == "no approved game"
    assert found["effective"] is None
    assert found["based_on"] == "mbs-roulette-v3"
    assert found["changes"] == [
        "straight_up pays 36 to 1, not 35 to 1",
        "17 has the chance 1/19",
    ]
    assert all("no approved game" in row["game"] for row in wager_rows(sheet))
    assert 'role="note">No approved game.' in page
    assert "Loose &lt;17&gt;" in page
    assert "<title>PAR sheet: Roulette (MBS) v3, changed: no approved game" in page
    assert "in effect from" not in page
    assert "no approved game" in str(odds_of(changed(), "red"))
    assert "no approved game" in odds_of(changed(), "red")._repr_html_()
    assert "Changed here." in {s.number: s.says for s in sheet.clauses}["4.1"]


def test_two_what_ifs_do_not_mix() -> None:
    one = read_what_if(V3, "[pays]\nred = 2\n")
    two = read_what_if(V3, "[pays]\nred = 3\n")

    assert odds_of(one, "red").maximum_win == 2
    assert odds_of(two, "red").maximum_win == 3


BAD: dict[str, tuple[str, int | None, str]] = {
    "no TOML": ("[pays]\nred = = 2\n", 2, "not TOML"),
    "unfinished": ('title = "x', 1, "not TOML"),
    "a key twice": ("title = 'a'\ntitle = 'b'\n", 2, "not TOML"),
    "unknown part": ("title = 'x'\npay = 3\n", 2, "did you mean pays?"),
    "nothing changed": ("title = 'x'\n", None, "nothing is changed"),
    "empty": ("", None, "nothing is changed"),
    "unknown wager type": ("[pays]\nred = 2\nrde = 3\n", 3, "did you mean red?"),
    "type of another game": ("[pays]\ntop_line = 6\n", 2, "not part of the pay"),
    "pays half": ("[pays]\nred = 1.5\n", 2, "whole number"),
    "pays less than nothing": ("[pays]\nred = -1\n", 2, "whole number"),
    "pays truth": ("[pays]\nred = true\n", 2, "whole number"),
    "pays by status": ("[pays.red]\nbonus = 1\n", 1, "one sum"),
    "pays is no table": ("pays = 3\n", 1, "[pays]"),
    "unknown number": ("[chances]\n\n17 = 1\n37 = 2\n", 4, "'37'"),
    "a chance in words": ("[chances]\n17 = 'often'\n", 2, "weight"),
    "a chance below nothing": ("[chances]\n17 = -1\n", 2, "weight"),
    "underscores": ("[chances]\n17 = '__'\n", 2, "weight"),
    "a deep nest": ("title = " + "[" * 20_000, None, "nested too deeply"),
    "very many figures": (f"[chances]\n17 = {'9' * 5000}\n", None, "too many digits"),
    "a fraction of nothing": ("[chances]\n17 = '1/0'\n", 2, "weight"),
    "no chance at all": (
        "[chances]\n" + "".join(f"{n} = 0\n" for n in range(37)),
        1,
        "some number",
    ),
    "not a number": ("[chances]\n17 = nan\n", None, "plain number"),
    "endless": ("[chances]\n17 = inf\n", None, "plain number"),
    "a huge power": ("[chances]\n17 = 1e999999999\n", None, "plain number"),
    "numbers that are none": ("numbers = '0 1 37'\n", 1, "'37' is not a number"),
    "numbers twice": ("numbers = '0 1 1'\n", 1, "once"),
    "no numbers": ("numbers = ''\n", 1, "once"),
    "numbers as a list": ("numbers = [1, 2]\n", 1, "text in quotes"),
    "nothing to wager on": ("numbers = 'S MBS'\n", 1, "no betting area"),
    "half a ring": ("ring = '0 1 2'\n", 1, "each number of the game once"),
    "a draw where none is": ("bonus_numbers = 5\n", 1, "draws no Bonus Numbers"),
    "a title of two lines": ('title = "a\\nb"\n[pays]\nred = 2\n', 1, "one line"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_with_its_line(case: str) -> None:
    text, line, words = BAD[case]

    with pytest.raises(WhatIfError) as told:
        read_what_if(V3, text)

    assert words in str(told.value)
    assert told.value.line == line
    assert "\n" not in str(told.value)


LINES = [
    *(CHANGED + "0 = '1/3'\n").splitlines(),
    "numbers = '0 1 2 3 4 5 6 7 8 9 10 11 12'",
    "numbers = '1'",
    "ring = '1 0 2'",
    "bonus_numbers = 1",
    "bonus_numbers = 40",
    "[pays.straight_up]",
    "non_bonus = 0",
    "red = 1000000",
    "1 = 0",
    "2 = 0.000000000000000000000001",
    "title = 3",
    "pays = []",
    "= 4",
]


@given(
    st.sampled_from([V3, FAST, TRIPLE]),
    st.lists(st.sampled_from(LINES), min_size=1, max_size=5),
    st.text(max_size=3),
)
@settings(max_examples=150)
def test_random_lines_are_a_what_if_or_are_refused(
    game: Game, lines: list[str], noise: str
) -> None:
    told, model = read_or_told(game, "\n".join([*lines, f"# {noise}"]))

    if model is None:
        assert len(told.splitlines()) == 1
    else:
        sheet = par_sheet(model)
        assert "no approved game" in sheet.html()
        assert all(sum(odds.net.probabilities) == 1 for odds in sheet.wagers)


def read_or_told(game: Game, text: str) -> tuple[str, Model | None]:
    try:
        return "", read_what_if(game, text)
    except WhatIfError as error:
        return str(error), None


def test_a_draw_of_too_many_numbers_is_refused() -> None:
    with pytest.raises(WhatIfError, match="from 1 to 40"):
        read_what_if(FAST, "bonus_numbers = 41\n")
    with pytest.raises(WhatIfError, match="can't be drawn from 4"):
        read_what_if(FAST, "numbers = '1 2 3 4'\n")


def test_new_numbers_need_a_ring_if_neighbours_use_it() -> None:
    numbers = " ".join([*TRIPLE.numbers, "S"])

    with pytest.raises(WhatIfError, match="S has no place on the ring"):
        read_what_if(TRIPLE, f"numbers = '{numbers}'\n")
    with_ring = read_what_if(TRIPLE, f"numbers = '{numbers}'\nring = '{numbers}'\n")
    assert odds_of(with_ring, "red").win_probability == Fraction(18, 40)


def test_an_unknown_number_is_refused_with_the_known_ones() -> None:
    for number in ("40", "37"):
        with pytest.raises(WhatIfError, match=r"is not a number: they are 0 1 … 36"):
            read_what_if("mbs-roulette-v3", f"[chances]\n{number} = 2\n")
