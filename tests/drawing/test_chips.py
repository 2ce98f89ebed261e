from __future__ import annotations

import pytest

from croupier.drawing import DrawnChips, draw_table
from croupier.drawing.chips import amount, on_face
from croupier.games import find_game
from croupier.tabular.figures import money
from tests.drawing.reading import SVG, Read, texts

V3 = find_game("mbs-roulette-v3")
HOSTILE = "<script>alert(1)</script>\"'&]]>\x00\x1b\u202e\ud800" + "x" * 500


@pytest.mark.parametrize(
    ("cents", "short", "full", "face"),
    [
        (0, "0", "0.00", "0"),
        (5, "0.05", "0.05", "0.05"),
        (250, "2.50", "2.50", "2.50"),
        (2500, "25", "25.00", "25"),
        (100_000, "1,000", "1,000.00", "1,000"),
        (1_000_000, "10,000", "10,000.00", "10k"),
        (1_250_000, "12,500", "12,500.00", "12.5k"),
        (1_234_500, "12,345", "12,345.00", "12,345"),
        (125_050, "1,250.50", "1,250.50", "1,250.50"),
        (150_000_000, "1,500,000", "1,500,000.00", "1.5m"),
        (10**20, f"{10**18:,}", f"{10**18:,}.00", f"{10**18:,}"),
    ],
)
def test_money_is_shown_exactly(cents: int, short: str, full: str, face: str) -> None:
    assert (amount(cents), money(cents), on_face(cents)) == (short, full, face)


def test_chips_on_one_area_are_one_heap_that_shows_their_sum() -> None:
    chips = [DrawnChips("red", 2500), DrawnChips("black", 500), DrawnChips("red", 5000)]

    read = Read(draw_table(V3, chips=chips))

    assert texts(read.one("chip", area="red")) == ["75"]
    assert texts(read.one("chip", area="black")) == ["5"]


@pytest.mark.parametrize(
    ("cents", "colour"),
    [
        (50, "#8d8a80"),
        (499, "#8d8a80"),
        (500, "#b83a35"),
        (2500, "#1f7a50"),
        (10_000, "#22262c"),
        (50_000, "#5f46a8"),
        (100_000, "#a8690f"),
        (999_999_999, "#a8690f"),
    ],
)
def test_a_heap_is_drawn_as_its_largest_chip(cents: int, colour: str) -> None:
    read = Read(draw_table(V3, chips=[DrawnChips("red", cents)]))

    assert _edge_colour(read) == colour


def test_a_winning_chip_has_a_ring_and_says_what_it_was_paid() -> None:
    chips = [DrawnChips("red", 2500, won=True, paid_cents=2550)]

    read = Read(draw_table(V3, chips=chips))

    assert len(list(read.every("ring"))) == 1
    assert texts(read.one("paid", area="red")) == ["+25.50"]


def test_a_losing_chip_fades() -> None:
    read = Read(draw_table(V3, chips=[DrawnChips("red", 2500, won=False)]))

    assert read.one("chip", area="red").get("opacity") == "0.45"
    assert not list(read.every("ring"))


def test_colour_chips_have_their_colour_and_their_player_beside_them() -> None:
    chips = [DrawnChips("red", 2500, colour="blue", owner="Ana")]

    read = Read(draw_table(V3, chips=chips))

    assert _edge_colour(read) == "#2a5fb0"
    assert texts(read.one("owner", area="red")) == ["Ana"]


def test_players_who_share_an_area_are_counted() -> None:
    chips = [
        DrawnChips("red", 2500, colour=colour, owner=owner)
        for colour, owner in (("blue", "Ana"), ("pink", "Bo"))
    ]

    read = Read(draw_table(V3, chips=chips))

    assert texts(read.one("owner", area="red")) == ["2 Players"]
    assert _edge_colour(read) == "#1f7a50"


@pytest.mark.parametrize(
    "colour", [HOSTILE, "url(http://example.com/#a)", "red;x:y", "#12", "#1234567890"]
)
def test_a_hostile_colour_reaches_no_attribute(colour: str) -> None:
    svg = draw_table(V3, chips=[DrawnChips("red", 2500, colour=colour, owner="Ana")])

    fills = {
        element.get(key)
        for element in Read(svg).root.iter()
        for key in ("fill", "stroke")
    }
    assert colour not in fills
    assert _edge_colour(Read(svg)) == "#75726a"


def test_a_hostile_name_is_text_and_nothing_else() -> None:
    chips = [DrawnChips("red", 2500, colour="blue", owner=HOSTILE)]

    read = Read(draw_table(V3, chips=chips))

    assert not list(read.root.iter(f"{SVG}script"))
    assert "<script>alert(1)</script>" in read.words("desc")
    [tag] = texts(read.one("owner", area="red"))
    assert len(tag) <= 12
    assert not {"\x00", "\x1b", "\u202e", "\ud800"} & set(read.words("desc"))


def test_chips_too_close_to_one_another_shrink() -> None:
    triple_zero = find_game("rws-triple-zero")
    chips = [
        DrawnChips("street:0/00/2", 2500),
        DrawnChips("split:00/2", 500),
        DrawnChips("red", 500),
    ]

    read = Read(draw_table(triple_zero, chips=chips))

    assert "scale(" in read.one("chip", area="split:00/2").get("transform", "")
    assert "scale(" not in read.one("chip", area="red").get("transform", "")


def _edge_colour(read: Read) -> str | None:
    circles = list(read.one("chip", area="red").iter(f"{SVG}circle"))
    return next(circle.get("fill") for circle in circles[1:])
