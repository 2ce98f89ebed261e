"""The first page: a seat at each table, and every other role one tap away."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.house.people import devices
from croupier.house.people.log_on import choose_password
from croupier.house.people.staff import set_password_unasked
from croupier.house.records.house_record import HouseRecord, now_ms
from croupier.house.records.house_state import DeviceKind
from croupier.journal.stores import open_store
from tests.e2e.conftest import (
    DESKTOP,
    PHONE,
    TABLET,
    Pages,
    Seats,
    check_axe,
    check_fits,
)
from tests.e2e.dealt import play
from tests.e2e.kept_pages import KeptPages
from tests.e2e.looks import look
from tests.house_server.server import (
    GAMES,
    House,
    house_text,
    new_database,
    prepare_house,
)


def _card(page: Page, table: str) -> Locator:
    seat = page.get_by_role("link", name=f"Take a seat at {table}", exact=True)
    return page.locator("article", has=seat)


def test_every_table_with_its_game_state_limits_and_outcomes(
    pages: Pages, seats: Seats, house: House
) -> None:
    play(seats, house, "v3", "17", "17@5")
    page = pages.open("/")

    for name in GAMES:
        expect(_card(page, name).locator("svg").first).to_be_visible()
    card = _card(page, "v3")
    expect(card.get_by_role("img", name="17 black")).to_be_visible()
    expect(card).to_contain_text("1 – 500")
    expect(card).to_contain_text("newest rules")
    expect(_card(page, "v2")).to_contain_text("older rules")
    expect(_card(page, "v2").get_by_text("2012")).to_be_visible()
    expect(_card(page, "complete")).to_contain_text("Waits for the Dealer")
    expect(page.get_by_text("Virtual wheel: for practice")).to_have_count(1)
    check_axe(page)


def test_a_table_in_play_is_watched_from_the_first_page(pages: Pages) -> None:
    """The page shows the automatic table, which deals while a visitor watches."""
    page = pages.open("/")

    live = page.get_by_role("region", name="virtual, in play now")
    closed = live.get_by_text("No more bets")
    expect(closed).to_be_visible(timeout=40_000)  # of this round, or of the next
    live.get_by_role("link", name="Take a seat at virtual").click()

    page.wait_for_url("**/seat/virtual")


def test_a_seat_is_one_tap_away(pages: Pages) -> None:
    page = pages.open("/")

    _card(page, "v2").get_by_role("link", name="Take a seat").click()

    page.wait_for_url("**/seat/v2")


@pytest.mark.parametrize(
    ("person", "path"), [("Sam", "/pit"), ("Carl", "/cashier"), ("Ines", "/inspector")]
)
def test_every_role_is_one_tap_away(pages: Pages, person: str, path: str) -> None:
    page = pages.open("/")

    page.get_by_role("button", name=person).click()

    page.wait_for_url(f"**{path}")
    expect(page.locator("header").get_by_text(person)).to_be_visible()


def test_the_console_as_the_demonstration_dealer(pages: Pages) -> None:
    page = pages.open("/")

    page.get_by_role("button", name="Deal at v2").click()

    page.wait_for_url("**/console/v2")
    expect(page.locator("header").get_by_text("Dana")).to_be_visible()


def test_it_fits(pages: Pages, house: House) -> None:
    page = pages.open("/")
    expect(page.locator("article")).to_have_count(len(house.ask("GET", "/api/tables")))
    sizes = (PHONE, TABLET, DESKTOP)
    look(page, sizes=sizes, axe_at=sizes)


def _choose_own_password(page: Page) -> None:
    """Other people set Max's password: he chooses his own, and Mira vouches for him."""
    page.context.clear_cookies()
    page.reload()
    page.get_by_label("Name").fill("Max")
    page.get_by_label("Password").fill("one that Sam knows")
    page.get_by_role("button", name="Log on").click()
    expect(page.get_by_text("Choose your own password here")).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)
    check_fits(page)
    check_axe(page)
    page.get_by_label("Temporary password").fill("one that Sam knows")
    page.get_by_label("New password").fill("short")
    page.get_by_label("Name of the manager").fill("Mira")
    page.get_by_label("Password of the manager").fill("a long password")
    page.get_by_role("button", name="Choose this password").click()
    expect(page.get_by_text("A password has from 10 to")).to_be_visible()
    page.get_by_label("New password").fill("one of his own")
    page.get_by_role("button", name="Choose this password").click()
    expect(page.get_by_text("Your password is changed")).to_be_visible()
    page.get_by_label("Name").fill("Max")
    page.get_by_label("Password").fill("one of his own")
    page.get_by_role("button", name="Log on").click()
    expect(page.locator("header").get_by_text("Max")).to_be_visible()


def test_a_house_of_real_money(kept_pages: KeptPages, tmp_path: Path) -> None:
    """Visitors get no roles: this device is paired, then people log on."""
    text = house_text().replace('money = "demonstration"', 'money = "real"')
    begin = text.index('\n[[tables]]\nname = "virtual"')
    text = text[:begin] + text[text.index("\n[[staff]]") :]
    house = prepare_house(new_database("sqlite", tmp_path), tmp_path, text)
    with open_store(house.url) as store:
        record = HouseRecord(store, now_ms)
        choose_password(record, "Mira", "a long password")
        set_password_unasked(record, "Sam", "Max", "one that Sam knows")
        code = devices.invite_unasked(
            record, "the test", "pit station", DeviceKind.STATION, None
        )
    house.start()
    pages = Pages(kept_pages, house)
    pages.allow("status of 40[139]")
    try:
        page = pages.open("/")
        expect(page.get_by_role("button", name="Sam")).to_have_count(0)
        page.get_by_label("Pairing code").fill("WRONG")
        page.get_by_role("button", name="Pair", exact=True).click()
        expect(page.get_by_role("alert")).to_be_visible()
        check_axe(page)
        page.get_by_label("Pairing code").fill(code)
        page.get_by_role("button", name="Pair", exact=True).click()
        expect(page.get_by_text("This device is now pit station.")).to_be_visible()

        page.get_by_role("link", name="Log on").first.click()
        page.wait_for_url("**/pit")
        page.get_by_label("Name").fill("Mira")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Log on").click()
        expect(page.get_by_text("The name or the password is wrong")).to_be_visible()
        page.get_by_label("Password").fill("a long password")
        page.get_by_role("button", name="Log on").click()
        expect(page.locator("header").get_by_text("Mira")).to_be_visible()
        _choose_own_password(page)
    finally:
        pages.close()
        house.stop()
