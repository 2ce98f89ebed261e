"""The tour across the roles, and the help of a first visit."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import (
    DESKTOP,
    PHONE,
    Pages,
    Seats,
    check_axe,
    check_fits,
)
from tests.e2e.dealt import play
from tests.house_server.server import PASSWORD, House

TABLE = "v3"


def _strip(page: Page) -> Locator:
    return page.get_by_role("complementary", name="The whole house in four steps")


def _go_on(page: Page, step: str, path: str) -> Locator:
    """Press the strip's button, and wait for the page of the next step."""
    _strip(page).get_by_role("button", name=f"Go on: {step}").click()
    page.wait_for_url(f"**{path}")
    return _strip(page)


def test_the_four_steps_are_done_when_the_house_has_seen_them(
    pages: Pages, seats: Seats, house: House
) -> None:
    token = house.devices[f"Anna-{TABLE}"]
    since = play(seats, house, TABLE, "5", "17@5") + 1
    tour = {"table": TABLE, "since": since}
    page = pages.open(
        f"/seat/{TABLE}", seat=(TABLE, token), kept={"croupier.tour": tour}
    )
    expect(_strip(page)).to_contain_text("Play a round Lay a chip on the layout")
    check_axe(page)

    number = play(seats, house, TABLE, "17", "17@5")
    strip = _go_on(page, "Approve a correction", f"/console/{TABLE}")
    expect(strip).to_contain_text(f"You dealt round {number}.")
    right = {"round_number": number, "number": "18", "because": "misread"}
    correction = {"kind": "correct", **right}
    page.locator("footer").get_by_role("button", name="Correct an outcome").click()
    told = "In a demonstration house every password is"
    expect(page.get_by_role("dialog")).to_contain_text(told)
    check_axe(page)
    page.keyboard.press("Escape")
    body = {"act": correction, "password": PASSWORD}
    path = f"/api/tables/{TABLE}/proposals"
    proposed = house.ask("POST", path, body, by="Dana")["number"]
    strip = _go_on(page, "Approve a correction", "/pit")
    expect(strip).to_contain_text("waits here for a second person")
    confirm = f"{path}/{proposed}/confirm"
    house.ask("POST", confirm, {"password": PASSWORD}, by="Sam")

    strip = _go_on(page, "Replay and verify it", "#rounds")
    expect(page.get_by_role("heading", name=f"Round {number}")).to_be_visible()
    expect(strip).to_contain_text(f"Look at round {number}")
    assert house.ask("GET", "/api/me", by="Dana")["deals_at"] is None
    page.get_by_role("link", name="Journal").click()
    page.get_by_role("button", name="Verify the journal").click()
    expect(strip).to_contain_text("All four steps are done")
    strip.get_by_role("link", name="To the first page").click()
    expect(page.get_by_role("button", name="Start with a round")).to_be_visible()


def test_it_begins_at_a_seat_and_is_remembered(pages: Pages) -> None:
    page = pages.open("/")

    page.get_by_role("button", name="Start with a round").click()
    page.wait_for_url("**/seat/virtual")
    expect(_strip(page)).to_be_visible()
    page.goto("/")
    page.get_by_role("button", name="Go on: Play a round").click()
    page.wait_for_url("**/seat/virtual")
    _strip(page).get_by_role("button", name="End the tour").click()

    expect(_strip(page)).to_have_count(0)
    assert page.evaluate("localStorage.getItem('croupier.tour')") is None


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize(
    ("path", "by"),
    [
        (f"/seat/{TABLE}", None),
        (f"/console/{TABLE}", "Dana"),
        (f"/board/{TABLE}", None),
        ("/pit", "Sam"),
        ("/cashier", "Carl"),
        ("/inspector", "Ines"),
    ],
)
def test_a_page_explains_itself_once(
    pages: Pages, house: House, path: str, by: str | None, size: tuple[int, int]
) -> None:
    seat = (TABLE, house.devices[f"Ben-{TABLE}"]) if path.startswith("/seat") else None
    kept: dict[str, object] = {"croupier.visited": []}
    page = pages.open(path, by=by, seat=seat, size=size, kept=kept)

    help_ = page.get_by_role("complementary", name="Your first visit here")
    expect(help_).to_be_visible()
    page.wait_for_load_state("networkidle")
    check_fits(page)
    check_axe(page)
    help_.get_by_role("button", name="Understood").click()
    expect(help_).to_have_count(0)
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(help_).to_have_count(0)
    seen = json.loads(page.evaluate("localStorage.getItem('croupier.visited')"))
    assert len(seen) == 1
