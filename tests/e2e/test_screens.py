"""Every screen at every size, dark and light: it fits, and its picture is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Pages, Seats, check_fits, shoot
from tests.e2e.dealt import act, play
from tests.house_server.server import House

SIZES = (
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1440, 900),
    (1920, 1080),
    (3840, 2160),
)
_THEME = "theme => (document.documentElement.dataset.theme = theme)"


def _look(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        check_fits(page)
        for theme in ("dark", "light"):
            page.evaluate(_THEME, theme)
            shoot(page, f"{name}-{width}x{height}-{theme}")


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
    expect(page.locator("[role=application]")).to_be_visible()
    _look(page, f"seat-{table}")


@pytest.mark.parametrize("table", ["v3", "fast"])
def test_a_board(pages: Pages, table: str) -> None:
    page = pages.open(f"/board/{table}")
    expect(page.locator("main")).to_be_visible()
    _look(page, f"board-{table}")


_PAGES = [
    ("/", None),
    ("/console/v3", "Dana"),
    ("/console/v2", "Dana"),
    ("/pit", "Sam"),
    ("/cashier", "Carl"),
    ("/inspector", "Ines"),
]


@pytest.mark.parametrize(("path", "by"), [*_PAGES, ("/seat/fast", None)])
def test_a_page_fits_in_malay_and_tamil(
    pages: Pages, house: House, path: str, by: str | None
) -> None:
    """As wide as the fonts that are here make it: there may be none for Tamil."""
    seat = ("fast", house.devices["Ben-fast"]) if path.startswith("/seat") else None
    for language in ("ms", "ta"):
        page = pages.open(path, by=by, seat=seat, language=language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_count(1)
        page.wait_for_load_state("networkidle")
        for width, height in (PHONE, DESKTOP):
            page.set_viewport_size({"width": width, "height": height})
            check_fits(page)


@pytest.mark.parametrize(("path", "by"), _PAGES)
def test_a_page(pages: Pages, path: str, by: str | None) -> None:
    page = pages.open(path, by=by)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("main")).to_be_visible()
    _look(page, path.strip("/").replace("/", "-") or "home")
