"""Second factors and sessions on the pit page."""

from __future__ import annotations

import time
from base64 import b32decode
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from croupier.house.people import totp
from croupier.house.people.second_factor import make_factor_key
from tests.e2e.conftest import Pages, check_axe, check_fits
from tests.e2e.parts import go
from tests.house_server.server import PASSWORD, House, house_text, open_house

ASKED = house_text().replace("[house]\n", '[house]\nsecond_factor = ["confirm"]\n', 1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that asks the confirming person for a code."""
    folder = tmp_path_factory.mktemp("house")
    key = folder / "factors.key"
    make_factor_key(key)
    options = ("--second-factor-key", str(key))
    with open_house("sqlite", folder, *options, text=ASKED) as served:
        yield served


def code_of(key: str, steps: int = 0) -> str:
    step = time.time_ns() // 1_000_000 // totp.STEP_MS
    return totp.code_at(b32decode(key.replace(" ", "")), step + steps)


def enrol(page: Page) -> str:
    """Enrol the person who is logged on; return the key that the page shows."""
    page.get_by_role("button", name="Max").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_text("Second factor", exact=True).click()
    dialog.get_by_label("Your password again").fill(PASSWORD)
    dialog.get_by_role("button", name="Enrol a second factor").click()
    key = dialog.locator(".key").inner_text()
    check_axe(page)
    check_fits(page)
    dialog.get_by_label("Its first code").fill(code_of(key))
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.get_by_text("enrolled", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    return key


def test_who_confirms_enrols_and_gives_a_code(pages: Pages, house: House) -> None:
    house.buy_in("v3", "Anna-v3")
    act = {"kind": "adjust", "seat": "Anna-v3", "cents": -100, "reason": "a mistake"}
    body = {"act": act, "password": PASSWORD}
    house.ask("POST", "/api/tables/v3/proposals", body, by="Mira")
    page = pages.open("/pit", by="Max")
    key = enrol(page)

    card = page.locator("article", has_text="Approve an adjustment")
    card.get_by_role("button", name="Approve").click()
    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_label("Code of your second factor").fill(code_of(key, 1))
    check_axe(page)
    card.get_by_role("button", name="Confirm").click()

    expect(card).to_have_count(0)
    assert len(house.events("v3", "Adjusted")) == 1
    assert [each.name for each in house.events("house", "SecondFactorUsed")] == ["Max"]


def test_sessions_are_listed_and_ended(pages: Pages, house: House) -> None:
    sam = house.session("Sam")
    page = pages.open("/pit", by="Mira")
    go(page, "Staff")
    row = page.locator("tr", has=page.get_by_label("End: Sam"))
    expect(row).to_contain_text("Sam")
    expect(page.locator("tr", has_text="this one")).to_contain_text("Mira")
    check_axe(page)
    check_fits(page)

    row.get_by_role("button", name="End: Sam").click()

    expect(row).to_have_count(0)
    assert house.http("GET", "/api/me", token=sam).status == 401
