"""The rulebook's page in a browser: searched, filtered, on a phone, on paper."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from croupier.games import find_game
from croupier.rulebook.page import rulebook_page

ADDRESS = "http://rulebook.test/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """The page of Triple Zero, served with its own content security policy."""
    shown = rulebook_page(find_game("rws-triple-zero"))
    headers = {"Content-Security-Policy": shown.content_security_policy}
    errors: list[str] = []

    def answer(route: Route) -> None:
        route.fulfill(body=shown.html, content_type="text/html", headers=headers)

    opened = browser.new_page()
    opened.on("console", lambda message: errors.append(message.text))
    opened.route("**/*", answer)
    opened.goto(ADDRESS)
    yield opened
    opened.close()
    assert errors == []


def test_rows_are_found_by_clause_word_and_function(page: Page) -> None:
    search, told = page.get_by_role("searchbox"), page.get_by_role("status")

    for words in ("5.4 ball", "corrections.py void_rounds", "every affected round"):
        search.fill(words)
        expect(page.locator("section.clause:visible h2").first).to_be_visible()
        assert "5.4" in page.locator("section.clause:visible h2").all_inner_texts()
    search.fill("no such words")
    expect(told).to_have_text("0 of 90 rows")


def test_a_role_and_the_readings_narrow_the_rows(page: Page) -> None:
    page.get_by_role("button", name="Pit", exact=True).click()
    visible = page.locator("section.clause:visible h2")
    expect(visible.filter(has_text="5.10")).to_be_visible()
    assert visible.filter(has_text="3.1").count() == 0

    page.get_by_role("button", name="Readings only").click()
    assert visible.filter(has_text="A12").count() == 1
    assert page.locator("#\\34 \\.1").is_hidden()


def test_nothing_is_cut_off_on_a_phone_or_on_paper(page: Page) -> None:
    for width, media in ((390, "screen"), (703, "print")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media="print" if media == "print" else "screen")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, media
    assert page.get_by_role("searchbox").is_hidden()
