"""PAR sheets: what they list, what they cite, and the page that can be filed."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from croupier.games import all_games
from croupier.games.readings import READINGS
from croupier.odds import BandMethod, Chips, ReturnBand, layout_odds, par_sheet
from croupier.odds.sheet_formats import (
    band_tables,
    kind_table,
    sheet_json,
    wager_rows,
    wager_table,
)
from croupier.rules.game import Game
from tests.golden_tables import GAMES
from tests.sixth_game import SIXTH_GAME

SVG_NAME = 'xmlns="http://www.w3.org/2000/svg"'
VOID = {"meta", "line", "polygon", "rect"}


class Page(HTMLParser):
    """Checks that tags close as they opened; keeps text and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [name for name, _ in attrs if name in {"src", "href", "srcset"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_stands_alone_and_is_well_formed(game: str) -> None:
    sheet = par_sheet(game)

    text = sheet.html()

    page = Page(text)
    assert page.open == []
    assert page.links == []
    assert not {"script", "link", "img", "iframe"}.intersection(page.tags)
    assert "url(" not in text
    assert "@import" not in text
    assert "http" not in text.replace(SVG_NAME, "")
    assert "prefers-color-scheme:dark" in text
    assert "@media print" in text


@pytest.mark.parametrize("game", GAMES)
def test_the_page_says_what_a_regulator_asks(game: str) -> None:
    sheet = par_sheet(game)

    words = " ".join(Page(sheet.html("Filed on <Monday>.")).words)

    assert sheet.game.document in words
    assert sheet.game.effective in words
    assert sheet.game.operator.full_name in words
    for odds in (*sheet.wagers, *sheet.multiple_piece_wagers):
        assert odds.name in words
        assert str(odds.house_edge) in words
        assert str(odds.variance) in words
    for source in (*sheet.clauses, *sheet.readings):
        assert source.number in words
        assert source.says.split(".")[0] in words
    for rounds in ("1,000", "10,000", "100,000", "1,000,000", "10,000,000"):
        assert rounds in words
    for kind in sheet.kinds:
        assert all(str(chance) in words for chance in kind.odds.net.probabilities)
    assert "Filed on <Monday>." in words
    assert "volatility index" in words
    assert "binomial" in words
    assert "no approved game" not in words.casefold()


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_plot_for_each_sort_of_wager(game: str) -> None:
    sheet = par_sheet(game)

    page = Page(sheet.html())

    assert page.tags.count("figure") == len(sheet.kinds)
    assert page.tags.count("svg") == len(sheet.kinds) + 1
    assert page.tags.count("polygon") == 3 * len(sheet.kinds)


CITED = {
    "mbs-roulette-v2": ("A1 A2 A3 A24", ["2.1", "4.1"]),
    "mbs-roulette-v3": ("A1 A2 A3 A24", ["2.1", "3.4.1", "4.1", "4.2"]),
    "mbs-complete-bet-v2": ("A1 A2 A3 A4 A5 A6 A7 A23 A24", ["3.5.3", "4.1"]),
    "mbs-fast-action-v2": ("A15 A24 S1", ["1.1.1", "1.1.8", "4.1", "4.2"]),
    "rws-triple-zero": (
        "A2 A3 A5 A16 A17 A18 A19 A23 A24 W1",
        ["4.1", "Appendix A: Green", "Appendix B: Finales"],
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_cites_clauses_and_readings(game: str) -> None:
    sheet = par_sheet(game)

    readings, clauses = CITED[game]
    assert [source.number for source in sheet.readings] == readings.split()
    assert set(clauses) <= {source.number for source in sheet.clauses}
    assert {s.number for s in sheet.readings} <= {reading.id for reading in READINGS}


def test_limits_bring_their_clauses_and_readings() -> None:
    sheet = par_sheet("mbs-roulette-v3", limits=["* 5 100"])
    refusing = par_sheet("rws-triple-zero", limits=["* 5 100"])

    assert {"3.3.1", "5.15", "5.16"} <= {each.number for each in sheet.clauses}
    assert {"A8", "A9", "A10", "A11"} <= {each.number for each in sheet.readings}
    assert {"A9", "A10"}.isdisjoint(each.number for each in refusing.readings)


def test_the_page_has_the_liability_that_limits_bring() -> None:
    bound = par_sheet("mbs-roulette-v3", limits=["* 5 100"]).html()
    unbound = par_sheet("mbs-roulette-v3", limits=["red 5 100"]).html()

    assert "at most 17200.00 to one Player, at 2" in bound
    assert "Liability" not in unbound


def test_a_plot_of_many_values_labels_the_first_and_the_last() -> None:
    many = par_sheet("mbs-roulette-v3").wagers[0].net.after(30)

    drawn = ElementTree.fromstring(many.plot().svg)

    name = "{http://www.w3.org/2000/svg}"
    assert len(drawn.findall(f"{name}rect")) == len(many.values) == 31
    assert [each.text for each in drawn.findall(f"{name}text")] == ["-30", "1050"]


def test_a_funnel_has_the_edges_of_its_bands() -> None:
    kind = par_sheet("mbs-roulette-v3").kinds[0]

    drawn = ElementTree.fromstring(kind.plot().svg)

    wide, middle, narrow = [
        [float(point.split(",")[1]) for point in (each.get("points") or "").split()]
        for each in drawn.findall("{http://www.w3.org/2000/svg}polygon")
    ]
    for edge in (wide, middle, narrow):
        heights = [low - high for high, low in zip(edge[:5], edge[:4:-1], strict=True)]
        assert heights == sorted(heights, reverse=True)
        assert heights[-1] > 0
    assert wide[0] < middle[0] < narrow[0]


def test_complete_maximum_wagers_come_with_limits() -> None:
    without = par_sheet("mbs-complete-bet-v2")
    staked = par_sheet("mbs-complete-bet-v2", limits=["* 1 100", "split 1 150"])

    more = {odds.name for odds in staked.multiple_piece_wagers}
    more -= {odds.name for odds in without.multiple_piece_wagers}
    assert len(more) == 40
    assert "complete_maximum:17" in more
    assert "complete_maximum:dozen:3" in more


@pytest.mark.parametrize("game", GAMES)
def test_the_json_has_the_form_of_the_contract(game: str) -> None:
    found = sheet_json(par_sheet(game))

    assert found["game"] == game
    assert found["approved"] is True
    for row in (*found["wagers"], *found["multiple_piece_wagers"]):
        figures = {
            name: Fraction(row[name])
            for name in ("win_probability", "return", "house_edge", "variance")
        }
        assert all(str(value) == row[name] for name, value in figures.items())
        assert figures["return"] + figures["house_edge"] == 1
        assert 0 < figures["win_probability"] < 1
    for kind in found["kinds"]:
        assert sum(Fraction(each["probability"]) for each in kind["distribution"]) == 1


def test_the_tables_have_a_row_for_each() -> None:
    sheet = par_sheet("mbs-fast-action-v2")

    assert len(wager_table(sheet).rows) == len(wager_rows(sheet)) == 43
    assert len(kind_table(sheet).rows) == len(band_tables(sheet)[1].rows) == 4
    assert band_tables(sheet)[0].rows[0][-1] == "convolution"
    assert band_tables(sheet)[0].rows[1][-1] == "binomial"
    assert not any("≈" in cell for row in band_tables(sheet)[0].rows for cell in row)


def test_a_band_that_approximates_is_marked() -> None:
    about = ReturnBand(1000, 90, 0.5, 1.25, BandMethod.CORNISH_FISHER)
    true = replace(about, method=BandMethod.CONVOLUTION)
    sheet = par_sheet("mbs-fast-action-v2")
    sheet.kinds[0].__dict__["bands"] = (about, true)

    assert band_tables(sheet)[0].rows[0][1:] == (
        "≈ 50.00 – 125.00 %",
        "50.00 – 125.00 %",
        "convolution, Cornish-Fisher",
    )


def test_a_sheet_shows_itself_in_a_notebook() -> None:
    sheet = par_sheet("rws-triple-zero")

    assert str(sheet).startswith("PAR sheet of Roulette Triple Zero (RWS): 166 wagers")
    assert repr(sheet) == f"<{sheet}>"
    assert repr(sheet.kinds[0]).startswith("<39 × Straight Up: <Odds of straight_up:0")
    assert '<th scope="row">Green</th>' in sheet._repr_html_()
    for plot in (sheet.plot(), sheet.kinds[0].plot(), sheet.wagers[0].plot()):
        drawn = ElementTree.fromstring(plot._repr_svg_())
        assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
        assert str(plot) == plot.svg


def test_a_sixth_game_has_its_sheet_too() -> None:
    sheet = par_sheet(SIXTH_GAME)

    assert len(sheet.wagers) == len(SIXTH_GAME.areas)
    edges = {odds.name.partition(":")[0]: odds.house_edge for odds in sheet.wagers}
    assert edges["red"] == edges["straight_up"] == Fraction(1, 19)
    assert edges["top_line"] == 1 - Fraction(5 * 7, 38)
    assert [odds.name for odds in sheet.multiple_piece_wagers] == ["both_zeros"]
    assert Page(sheet.html()).open == []


def test_a_frame_of_a_sheet_has_a_row_for_each_wager() -> None:
    frame = par_sheet("rws-triple-zero").to_frame()

    assert frame.height == len(frame["wager"].unique())
    top = frame.filter(frame["wager"] == "red").row(0, named=True)
    assert abs(top["house_edge"] - 3 / 39) < 1e-12
    assert top["pieces"] == 1


def test_no_game_is_left_out() -> None:
    assert [game.name for game in all_games()] == list(GAMES)


@pytest.mark.parametrize("game", [*GAMES, SIXTH_GAME], ids=str)
def test_each_wager_of_a_sheet_equals_the_settlement(game: str | Game) -> None:
    sheet = par_sheet(game)

    for odds in (*sheet.wagers, *sheet.multiple_piece_wagers):
        laid = layout_odds(game, [Chips(odds.name, 1)]).per_unit
        assert (odds.name, odds.net, odds.win_probability, odds.pieces) == (
            *(laid.name, laid.net, laid.win_probability, laid.pieces),
        )
