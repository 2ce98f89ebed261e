"""The parts of a staff page, each behind a tab: at every size, dark and light."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import (
    DESKTOP,
    PHONE,
    TABLET,
    Pages,
    check_axe,
    check_fits,
    shoot,
)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a page as it is looked at."""

    tab: str
    size: tuple[int, int]
    theme: str

    def __str__(self) -> str:
        return f"{self.tab}-{self.size[0]}-{self.theme}"

    def open(self, pages: Pages, name: str, *, by: str) -> Page:
        page = pages.open(f"/{name}", by=by, size=self.size, theme=self.theme)
        page.evaluate("tab => (location.hash = tab)", self.tab)
        link = page.locator(f'nav a[href="#{self.tab}"]')
        expect(link).to_have_attribute("aria-current", "page")
        page.wait_for_load_state("networkidle")
        return page

    def check(self, page: Page, name: str) -> None:
        """It fits, everybody can use it, and it has its picture taken."""
        check_fits(page)
        check_axe(page)
        shoot(page, f"{name}-{self}")


def in_every_part(tabs: Iterable[str]) -> pytest.MarkDecorator:
    """A test of every part; it is handed the `part`."""
    looks = product(tabs, (PHONE, TABLET, DESKTOP), ("dark", "light"))
    return pytest.mark.parametrize("part", [Part(*look) for look in looks], ids=str)
