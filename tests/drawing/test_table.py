from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from croupier.drawing import DrawnChips, NotOnLayout, Theme, draw_table
from croupier.games import find_game
from croupier.rules.game import Game
from croupier.rules.layout import WagerType
from croupier.rules.wheel import Number, numbers
from croupier.tabular import Plot
from tests import golden_tables
from tests.drawing.reading import SVG, Read, position, texts
from tests.drawing.sixth_game import DOUBLE_ZERO

GAMES = (*map(find_game, golden_tables.GAMES), DOUBLE_ZERO)
V3 = find_game("mbs-roulette-v3")
COMPLETE_BET = find_game("mbs-complete-bet-v2")
FAST_ACTION = find_game("mbs-fast-action-v2")
TRIPLE_ZERO = find_game("rws-triple-zero")

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
INSIDE_LINES = {
    WagerType.SPLIT,
    WagerType.STREET,
    WagerType.CORNER,
    WagerType.SIX_LINE,
    WagerType.TOP_LINE,
}


def chip_everywhere(game: Game) -> list[DrawnChips]:
    return [DrawnChips(area.name, 2500) for area in game.areas]


@every_game
@pytest.mark.parametrize("theme", Theme)
def test_a_drawing_is_one_document_that_needs_nothing_from_outside(
    game: Game, theme: Theme
) -> None:
    chips = chip_everywhere(game)

    svg = draw_table(game, chips=chips, winning_number=Number("17"), theme=theme)

    read = Read(svg)
    assert read.root.tag == f"{SVG}svg"
    assert read.root.get("role") == "img"
    assert not [e for e in read.root.iter() if e.tag in {f"{SVG}script", f"{SVG}image"}]
    assert "href" not in svg
    assert svg.count("http") == 1  # the namespace


@every_game
def test_every_published_number_is_the_label_of_exactly_one_cell(game: Game) -> None:
    read = Read(draw_table(game))

    cells = {
        element.get("data-number"): texts(element) for element in read.every("number")
    }

    assert len(list(read.every("number"))) == len(game.numbers)
    assert cells == {number: [number] for number in game.numbers}


@every_game
def test_every_area_takes_a_chip_and_no_two_share_a_point(game: Game) -> None:
    read = Read(draw_table(game, chips=chip_everywhere(game)))

    points = {
        element.get("data-area"): position(element) for element in read.every("chip")
    }

    assert set(points) == set(game.area_by_name)
    assert len(set(points.values())) == len(points)


@every_game
def test_a_chip_between_numbers_touches_the_cells_of_them_all(game: Game) -> None:
    read = Read(draw_table(game, chips=chip_everywhere(game)))

    for area in game.areas:
        on_outside_line = area.at[1] == 0
        if area.wager_type in INSIDE_LINES and not on_outside_line:
            x, y = read.chip(area.name)
            for cell in map(read.cell, area.numbers):
                assert cell.x - 0.1 <= x <= cell.x + cell.width + 0.1, area.name
                assert cell.y - 0.1 <= y <= cell.y + cell.height + 0.1, area.name


@every_game
def test_a_chip_in_a_cell_or_box_lies_inside_it(game: Game) -> None:
    read = Read(draw_table(game, chips=chip_everywhere(game)))

    for area in game.areas:
        if area.wager_type is WagerType.STRAIGHT_UP:
            (number,) = area.numbers
            assert read.cell(number).holds(read.chip(area.name))
        elif area.wager_type not in INSIDE_LINES:
            assert read.box(area.name).holds(read.chip(area.name)), area.name


def test_a_split_chip_lies_on_the_middle_of_the_shared_edge() -> None:
    read = Read(draw_table(V3, chips=[DrawnChips("split:17/20", 100)]))

    seventeen, twenty = read.cell("17"), read.cell("20")

    assert read.chip("split:17/20") == (twenty.x, seventeen.centre[1])


def test_streets_and_six_lines_lie_on_the_outside_line() -> None:
    names = ("street:1/2/3", "six_line:1/2/3/4/5/6", "corner:0/1/2/3")

    read = Read(draw_table(V3, chips=[DrawnChips(name, 100) for name in names]))

    one, four = read.cell("1"), read.cell("4")
    line = one.y + one.height
    assert [read.chip(name) for name in names] == [
        (one.centre[0], line),
        (four.x, line),
        (one.x, line),
    ]


def test_the_layout_is_as_in_a_casino() -> None:
    read = Read(draw_table(V3))

    one, two, three = (read.cell(number) for number in ("1", "2", "3"))

    assert three.y < two.y < one.y
    assert three.x == one.x == read.cell("0").x + read.cell("0").width
    dozens = [read.box(f"dozen:{k}") for k in (1, 2, 3)]
    assert all(dozen.y == one.y + one.height for dozen in dozens)
    chances = ["low", "even", "red", "black", "odd", "high"]
    assert all(read.box(a).x < read.box(b).x for a, b in pairwise(chances))
    assert all(read.box(chance).y > dozens[0].y for chance in chances)
    assert all(read.box(f"column:{k}").x > read.cell("36").x for k in (1, 2, 3))
    assert read.box("column:1").y == one.y


def test_the_head_of_triple_zero_is_000_then_00_over_0_with_green_below() -> None:
    read = Read(draw_table(TRIPLE_ZERO, chips=[DrawnChips("top_line", 100)]))

    single, double, triple = (read.cell(number) for number in ("0", "00", "000"))

    assert triple.x < double.x == single.x
    assert double.y < single.y
    assert read.box("green").y == single.y + single.height
    assert read.chip("top_line") == (read.cell("1").x, single.y + single.height)


def test_the_boxes_say_what_they_are() -> None:
    read = Read(draw_table(TRIPLE_ZERO))

    said = {str(box.get("data-area")): texts(box) for box in read.every("box")}

    assert said == {
        "green": ["GREEN"],
        "column:1": ["2 to 1"],
        "column:2": ["2 to 1"],
        "column:3": ["2 to 1"],
        "dozen:1": ["1st 12"],
        "dozen:2": ["2nd 12"],
        "dozen:3": ["3rd 12"],
        "low": ["1–18"],
        "high": ["19–36"],
        "even": ["EVEN"],
        "odd": ["ODD"],
        "red": ["RED"],
        "black": ["BLACK"],
    }


@every_game
def test_the_dolly_stands_on_the_winning_number(game: Game) -> None:
    for number in game.numbers:
        for chips in ([], [DrawnChips(f"straight_up:{number}", 500)]):
            read = Read(draw_table(game, chips=chips, winning_number=number))

            dolly = read.one("dolly", number=number)

            assert read.cell(number).holds(position(dolly))


def test_without_an_outcome_there_is_no_dolly() -> None:
    read = Read(draw_table(V3))

    assert not list(read.every("dolly"))


def test_a_numeral_under_a_chip_moves_aside_and_shrinks_to_72_percent() -> None:
    plain = Read(draw_table(V3)).one("number", number="17")
    held = Read(draw_table(V3, chips=[DrawnChips("straight_up:17", 100)])).one(
        "number", number="17"
    )

    [before], [after] = (list(cell.iter(f"{SVG}text")) for cell in (plain, held))

    assert float(after.get("font-size", 0)) == 0.72 * float(before.get("font-size", 0))
    assert float(after.get("y", 0)) < float(before.get("y", 0)) - 10


def test_round_is_red_square_is_black_and_six_sided_is_green() -> None:
    read = Read(draw_table(V3))

    def plate(number: str) -> tuple[str, float]:
        shape = list(read.one("number", number=number))[1]
        return shape.tag.removeprefix(SVG), float(shape.get("rx", 0))

    assert plate("1") == ("rect", read.cell("1").width / 2 - 5)
    assert plate("2") == ("rect", 4)
    assert plate("0") == ("polygon", 0)


def test_the_title_and_description_say_what_is_seen() -> None:
    chips = [
        DrawnChips("split:17/20", 1000, won=True, paid_cents=17000),
        DrawnChips("red", 2500, won=False, colour="blue", owner="Ana"),
    ]

    read = Read(draw_table(V3, chips=chips, winning_number=Number("17")))

    assert read.words("title") == "Roulette: the table"
    assert read.words("desc") == (
        "The betting layout of Roulette (MBS) v3. Outcome: 17 black."
        " Wagers: Split 17/20: 10.00, paid 170.00;"
        " Red: 25.00 in blue chips by Ana, collected."
    )


@every_game
def test_the_same_table_gives_the_same_text(game: Game) -> None:
    chips = chip_everywhere(game)

    first, second = (draw_table(game, chips=chips) for _ in range(2))

    assert first == second


@every_game
def test_the_themes_differ(game: Game) -> None:
    dark, light = (draw_table(game, theme=theme) for theme in Theme)

    assert dark != light


def test_an_area_or_number_that_the_game_lacks_is_refused() -> None:
    with pytest.raises(NotOnLayout, match="split:1/36"):
        draw_table(V3, chips=[DrawnChips("split:1/36", 100)])
    with pytest.raises(NotOnLayout, match="00"):
        draw_table(V3, winning_number=Number("00"))


@every_game
def test_a_game_can_be_drawn_with_any_of_its_rows_switched_off(game: Game) -> None:
    for clause in game.clauses:
        less = game.without(clause.number)

        read = Read(draw_table(less, chips=chip_everywhere(less)))

        assert len(list(read.every("chip"))) == len(less.areas)


def test_links_have_four_lights_each_and_show_the_bonus_numbers() -> None:
    lit = numbers("25 26 27 28 3 8 11 17 20 S")

    read = Read(draw_table(FAST_ACTION, bonus_numbers=lit))

    lights = list(read.every("light"))
    assert [link.get("data-link") for link in read.every("link")] == list("abcdefghij")
    assert [light.get("data-number") for light in lights] == [
        number for link in FAST_ACTION.layout.links for number in link
    ]
    shining = {
        light.get("data-number") for light in lights if light.get("data-lit") == "yes"
    }
    assert shining == set(lit)
    assert len(list(read.every("lamp"))) == 10


def test_a_lit_number_says_what_it_pays_and_a_full_link_is_framed() -> None:
    lit = numbers("25 26 27 28 3 8 11 17 20 S")

    read = Read(draw_table(FAST_ACTION, bonus_numbers=lit))

    assert texts(read.one("number", number="3")) == ["3", "40 to 1"]
    assert texts(read.one("number", number="26")) == ["26", "80 to 1"]
    [frame] = read.every("super-bonus")
    assert texts(frame) == ["SUPER"]


def test_bonus_numbers_light_nothing_in_a_game_that_draws_none() -> None:
    plain, given = (draw_table(V3, bonus_numbers=lit) for lit in ((), numbers("1 2")))

    assert plain == given


def test_a_notebook_shows_a_drawing_and_a_file_keeps_it(tmp_path: Path) -> None:
    drawing = Plot(draw_table(V3))
    path = tmp_path / "table.svg"

    drawing.save(path)

    kept = path.read_text(encoding="utf-8")
    assert kept == drawing._repr_svg_() == str(drawing) == drawing.svg
