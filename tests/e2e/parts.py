"""The parts of a staff page, each behind a tab: at every size, dark and light."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.conftest import (
    DESKTOP,
    PHONE,
    TABLET,
    Pages,
    check_axe,
    check_fits,
    shoot,
)

_MOMENT_MS = 100
"""What follows an answer, another question or what it brought, takes less."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a page as it is looked at."""

    tab: str
    size: tuple[int, int]
    theme: str

    def __str__(self) -> str:
        return f"{self.tab}-{self.size[0]}-{self.theme}"

    def open(self, pages: Pages, name: str, *, by: str) -> Page:
        page = pages.look_at(f"/{name}", by=by, size=self.size, theme=self.theme)
        page.wait_for_load_state("networkidle")
        with _all_answered(page):
            page.evaluate("tab => (location.hash = tab)", self.tab)
            link = page.locator(f'nav a[href="#{self.tab}"]')
            expect(link).to_have_attribute("aria-current", "page")
        return page

    def check(self, pages: Pages, page: Page, name: str) -> None:
        """It fits, everybody can use it, and it has its picture taken."""
        check_fits(page)
        check_axe(page)
        shoot(page, f"{name}-{self}")
        pages.check_errors()


@contextmanager
def _all_answered(page: Page) -> Iterator[None]:
    """Wait at the end until all is answered that the page has asked meanwhile."""
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


def in_every_part(tabs: Iterable[str]) -> pytest.MarkDecorator:
    """A test of every part; it is handed the `part`, all of one look after another."""
    looks = product((PHONE, TABLET, DESKTOP), ("dark", "light"), tabs)
    parts = [Part(tab, size, theme) for size, theme, tab in looks]
    return pytest.mark.parametrize("part", parts, ids=str)
