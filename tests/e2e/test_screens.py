"""Every screen fits at every size.

The tests of pit, cashier and inspector check the parts of those pages.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESKTOP, PHONE, TABLET, Pages, Seats
from tests.e2e.dealt import act, play
from tests.e2e.looks import EVERY_LANGUAGE, look
from tests.e2e.terminals import Terminal
from tests.house_server.server import House


@pytest.fixture(scope="module", autouse=True)
def _played(house: House) -> None:
    seats = Seats(house)
    for table in ("v3", "complete", "fast", "triple"):
        play(seats, house, table, "17", "17@5")
        act(seats, house, table, "place your bets")
    seats.close()


@pytest.mark.parametrize("table", ["v3", "complete", "fast", "triple"])
def test_a_seat(pages: Pages, house: House, table: str) -> None:
    seat = (table, house.devices[f"Anna-{table}"])
    page = pages.open(f"/seat/{table}", seat=seat)
    terminal = Terminal(page)
    terminal.is_open()
    terminal.tap("17")
    expect(terminal.chips()).to_have_count(1)
    page.wait_for_load_state("networkidle")
    look(page, axe_at=(PHONE, TABLET, DESKTOP))


@pytest.mark.parametrize(
    "size", [(844, 390), (740, 360), (667, 375), (640, 400), (640, 360), (568, 320)]
)
def test_a_phone_that_lies_gives_the_layout_most_of_the_window(
    pages: Pages, house: House, size: tuple[int, int]
) -> None:
    seat = ("v3", house.devices["Anna-v3"])
    page = pages.open("/seat/v3", seat=seat, size=size)
    felt = page.locator("svg[role=application]").bounding_box()
    assert felt is not None

    assert felt["width"] * felt["height"] > 0.55 * size[0] * size[1]
    for name in ("Undo", "Rebet", "Zoom", "List"):
        act = page.locator("footer").get_by_role("button", name=name).bounding_box()
        assert act is not None
        assert act["y"] + act["height"] <= size[1], name
        assert min(act["width"], act["height"]) >= 44, name


@pytest.mark.parametrize("table", ["v3", "fast"])
def test_a_board(pages: Pages, table: str) -> None:
    page = pages.open(f"/board/{table}")
    expect(page.locator("main")).to_be_visible()
    page.wait_for_load_state("networkidle")
    look(page)


_PAGES = [
    ("/", None),
    ("/console/v3", "Dana"),
    ("/console/v2", "Dana"),
]


_IN_WORDS = [
    *_PAGES,
    *((f"/seat/{table}", None) for table in ("v3", "complete", "fast", "triple")),
    *((f"/board/{table}", None) for table in ("v3", "fast")),
    ("/learn", None),
]


@pytest.mark.parametrize(("path", "by"), _IN_WORDS)
def test_a_page_fits_in_every_language(
    pages: Pages, house: House, path: str, by: str | None
) -> None:
    _, screen, table = f"{path}/".split("/")[:3]
    seat = (table, house.devices[f"Ben-{table}"]) if screen == "seat" else None
    for language in ("zh-Hans", "ms", "ta"):
        page = pages.open(path, by=by, seat=seat, language=language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        look(page, sizes=EVERY_LANGUAGE)


@pytest.mark.parametrize(("path", "by"), _PAGES)
def test_a_page(pages: Pages, house: House, path: str, by: str | None) -> None:
    if by == "Dana":
        house.deal(path.rpartition("/")[2])
    page = pages.open(path, by=by)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("main")).to_be_visible()
    page.wait_for_load_state("networkidle")
    look(page)


def test_a_seat_from_the_bet_to_the_pause(
    terminal: Any, dealing: Any, house: House
) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Ben")
    page, dialog = seat.page, seat.page.get_by_role("dialog")
    dealer.open()
    seat.tap("17")
    seat.tap("red")
    seat.stakes("10.00")
    page.get_by_role("button", name="Menu").click()
    dialog.get_by_role("button", name="Autoplay").click()
    expect(dialog.get_by_label("For how many rounds")).to_be_visible()
    look(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    dealer.close()
    seat.says("No more bets")
    look(page)
    dealer.decide("17")
    dealer.settle()
    expect(seat.chips("won")).to_have_count(1)
    look(page)

    page.get_by_role("button", name="My play").click()
    dialog.locator("summary").click()
    look(page)
    dialog.get_by_role("button", name="Receipt of round").click()
    expect(dialog.locator(".seal")).to_be_visible()
    look(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    correction = f"correct round {dealer.view.round} to 18"
    assert house.propose("v2", correction, by=("Sam", "Mira")).status == 200
    card = page.locator(".changes section")
    expect(card).to_be_visible()
    look(page)
    card.get_by_role("button", name="Understood").click()
    expect(card).to_have_count(0)
    seat.pause_soon("v2")
    expect(dialog).to_contain_text("A pause")
    look(page)


def test_the_tour_at_a_seat(terminal: Any) -> None:
    tour = {"table": "v3", "since": 1}
    seat = terminal("v3", "Cara", kept={"croupier.tour": tour})
    strip = seat.page.get_by_role("complementary", name="The whole house in four")
    expect(strip).to_be_visible()
    look(seat.page)


def test_several_seats(pages: Pages) -> None:
    page = pages.open("/seats")
    for count, table in enumerate(("v3", "complete", "fast"), start=1):
        page.get_by_role("button", name=table, exact=True).click()
        expect(page.locator("main [role=application]")).to_have_count(count)
    page.wait_for_load_state("networkidle")
    look(page)


@pytest.mark.parametrize(
    ("path", "by", "tab", "button"),
    [
        ("/pit", "Mira", "tables", "v3: figures and acts"),
        ("/cashier", "Carl", "day", "Close the gaming day"),
    ],
)
def test_a_dialog(pages: Pages, path: str, by: str, tab: str, button: str) -> None:
    page = pages.open(path, by=by)
    page.locator(f'nav a[href="#{tab}"]').click()
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.wait_for_load_state("networkidle")
    look(page)
