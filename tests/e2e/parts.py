"""The parts of a staff page, each behind a tab."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Page, Request, expect

from tests.e2e.conftest import DESKTOP, PHONE, TABLET, Pages, check_axe
from tests.e2e.looks import EVERY_LANGUAGE, look

_MOMENT_MS = 100
"""A page needs less time after an answer to ask again or to show it."""


def go(page: Page, tab: str) -> None:
    """Go to a part by its tab, and wait: parts may have fields of the same names."""
    link = page.get_by_role("navigation").get_by_role("link", name=tab)
    link.click()
    expect(link).to_have_attribute("aria-current", "page")


def open_part(pages: Pages, name: str, tab: str, *, by: str) -> Page:
    """Return the page at this tab, once all its requests are answered."""
    page = pages.look_at(f"/{name}", by=by, size=DESKTOP, theme="dark")
    page.wait_for_load_state("networkidle")
    with _all_answered(page):
        page.evaluate("tab => (location.hash = tab)", tab)
        link = page.locator(f'nav a[href="#{tab}"]')
        expect(link).to_have_attribute("aria-current", "page")
    return page


def check_part(pages: Pages, page: Page) -> None:
    """Check that a page fits in every language, and that axe-core finds nothing."""
    look(page, axe_at=(PHONE, TABLET, DESKTOP))
    address = urlsplit(page.url)
    for language in ("zh-Hans", "ms", "ta"):
        asked = {**dict(parse_qsl(address.query)), "language": language}
        page.goto(address._replace(query=urlencode(asked)).geturl())
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("nav a[aria-current]")).to_be_visible()
        page.wait_for_load_state("networkidle")
        look(page, sizes=EVERY_LANGUAGE)
    page.goto(address._replace(query="language=en").geturl())
    pages.check_errors()


@contextmanager
def _all_answered(page: Page) -> Iterator[None]:
    """Wait at the end until every request made inside is answered."""
    asked: set[Request] = set()

    def ask(request: Request) -> None:
        asked.add(request)

    def answer(request: Request) -> None:
        asked.discard(request)

    heard = {"request": ask, "requestfinished": answer, "requestfailed": answer}
    for event, hear in heard.items():
        page.on(event, hear)  # type: ignore[call-overload]
    yield
    page.wait_for_timeout(_MOMENT_MS)
    while asked:
        page.wait_for_timeout(_MOMENT_MS)
    for event, hear in heard.items():
        page.remove_listener(event, hear)


def check(page: Page) -> None:
    """Wait until nothing moves, and check the page with axe-core."""
    moving = "document.getAnimations().map((each) => each.finished)"
    page.evaluate(f"() => Promise.allSettled({moving})")
    check_axe(page)
