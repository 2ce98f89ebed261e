"""Tables as text, CSV and HTML; pages; values as documents."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from io import BytesIO
from types import MappingProxyType
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZipFile

from croupier.tabular import (
    Legend,
    Page,
    PageSection,
    Plot,
    TextTable,
    as_document,
    csv_text,
    data_frame,
)

TABLE = TextTable(
    "Wagers & more",
    ("wager", ">stake"),
    [("red", "5.00"), ("<b>17</b>", "100.00")],
    ("A note.", "Another."),
)


def test_columns_are_aligned_below_their_headings() -> None:
    assert TABLE.lines() == [
        "wager       stake",
        "red          5.00",
        "<b>17</b>  100.00",
    ]


def test_a_column_is_its_heading_and_what_it_shows() -> None:
    table = TextTable.of("", ["red", "17"], {"wager": str, ">letters": _letters})

    assert table.headings == ("wager", ">letters")
    assert table.rows == [("red", "3"), ("17", "2")]


def _letters(text: str) -> str:
    return str(len(text))


def test_a_table_without_headings_has_rows_alone() -> None:
    assert TextTable("", ("", ">"), [("a", "1"), ("bc", "10")]).lines() == [
        "a    1",
        "bc  10",
    ]


def test_a_table_without_rows_has_its_headings() -> None:
    assert TextTable("", ("a", ">b"), []).lines() == ["a  b"]


def test_the_text_has_title_and_notes() -> None:
    title, blank, *_, before_notes, one, other = str(TABLE).splitlines()

    assert (title, blank, before_notes) == ("Wagers & more", "", "")
    assert (one, other) == ("A note.", "Another.")


def test_csv_quotes_what_needs_it() -> None:
    assert TABLE.csv() == "wager,stake\nred,5.00\n<b>17</b>,100.00\n"
    assert csv_text(["a"], [["x,y"], [None]], line_end="\r\n") == 'a\r\n"x,y"\r\n""\r\n'


def test_html_escapes_every_cell_and_marks_the_right_aligned() -> None:
    shown = TABLE._repr_html_()

    assert "<caption>Wagers &amp; more</caption>" in shown
    assert '<th scope="row">&lt;b&gt;17&lt;/b&gt;</th>' in shown
    assert '<td class="r">100.00</td>' in shown
    assert "<p><small>A note. Another.</small></p>" in shown
    assert "<b>" not in shown


def test_all_share_one_style_sheet() -> None:
    page = Page("Title", [("Fact", "<i>")], [PageSection("Part", [TABLE])]).html()

    style = page.partition("<style>")[2].partition("</style>")[0]

    assert ".croupier table" in style
    assert style in TABLE._repr_html_()
    assert page.count("<style>") == 1


def test_a_page_shows_parts_of_every_kind() -> None:
    page = Page(
        "A <title>",
        [],
        [
            PageSection(
                "Section",
                [
                    "A paragraph & more",
                    Legend("Bands:", (("b90", "90 %"),), "dashed: mean"),
                    Plot("<svg></svg>"),
                    Plot("<svg></svg>", "Split", "split:17/20"),
                ],
            )
        ],
        warning="No approved game",
        reasons=["17 pays 36"],
        says=["All is well."],
        footer="By <us>.",
    ).html()

    assert "<title>A &lt;title&gt;</title>" in page
    assert "<p>A paragraph &amp; more</p>" in page
    assert '<span class="b90"></span>90 % · dashed: mean' in page
    assert page.count("<svg></svg>") == 2
    assert "<figcaption>Split <small>split:17/20</small></figcaption>" in page
    assert "No approved game:<ul>\n<li>17 pays 36</li>" in page
    assert "<li>All is well.</li>" in page
    assert "<footer>By &lt;us&gt;.</footer>" in page


class Kind(Enum):
    """An enumeration."""

    ONE = "one"


@dataclass(frozen=True)
class Found:
    """A result."""

    kind: Kind
    chance: Fraction
    counts: MappingProxyType[str, int]


def test_results_become_documents_by_their_fields() -> None:
    found = Found(Kind.ONE, Fraction(1, 37), MappingProxyType({"17": 2}))

    assert as_document({"found": [found]}) == {
        "found": [{"kind": "one", "chance": "1/37", "counts": {"17": 2}}]
    }


def test_no_cell_of_a_csv_is_run_by_a_spreadsheet() -> None:
    evil = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1"]
    plain = ["-5.00", "+1.5 %", "-1,000", "a=b", "17", "", -5, None]

    evil_cells = next(csv.reader([csv_text(evil, []).rstrip("\n")], strict=True))
    plain_cells = next(csv.reader([csv_text(plain, [])], strict=True))  # type: ignore[arg-type]

    assert [cell[0] for cell in evil_cells] == ["'"] * len(evil)
    assert plain_cells == ["-5.00", "+1.5 %", "-1,000", "a=b", "17", "", "-5", ""]


def test_a_page_is_a_workbook_with_a_sheet_for_each_table() -> None:
    figures = TextTable(
        "Figures: a/b",
        ("what", ">number"),
        [("=1+1", "1,234.50"), ("5", "2.5 %"), ("a\x00<b>", "1/37")],
    )
    page = Page("All", [("Game", "17")], [PageSection("One", ["text", figures])])

    written = page.xlsx()

    with ZipFile(BytesIO(written)) as file:
        assert file.testzip() is None
        names = [each.get("name") for each in _all(file, "xl/workbook.xml", "sheet")]
        told = [
            [(cell.get("t"), "".join(cell.itertext())) for cell in row]
            for row in _all(file, "xl/worksheets/sheet2.xml", "row")
        ]
    assert names == ["1 All", "2 Figures  a b"]
    text, number = "inlineStr", None
    assert told == [
        [(text, "Figures: a/b")],
        [(text, "what"), (text, "number")],
        [(text, "=1+1"), (number, "1234.50")],
        [(text, "5"), (number, "0.025")],
        [(text, "a <b>"), (text, "1/37")],
    ]
    assert page.xlsx() == written


def _all(file: ZipFile, path: str, tag: str) -> list[Element]:
    root = fromstring(file.read(path))
    return [each for each in root.iter() if each.tag.endswith(f"}}{tag}")]


def test_a_frame_has_fractions_as_floats() -> None:
    frame = data_frame([{"a": 1, "b": None}, {"a": 2, "b": Fraction(1, 4)}])

    assert frame.to_dicts() == [{"a": 1, "b": None}, {"a": 2, "b": 0.25}]
