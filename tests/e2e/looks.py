"""A screen at every size: it fits, and axe-core finds nothing, dark and light.

One page is resized, and its theme set as the page itself sets it: opening a page for
each check would take longer than the check.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from playwright.sync_api import Page

from tests.e2e.conftest import check_axe, check_fits

Size = tuple[int, int]
SIZES: tuple[Size, ...] = (
    (390, 844),
    (568, 320),
    (640, 360),
    (640, 400),
    (667, 375),
    (740, 360),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1280, 800),
    (1440, 900),
    (1920, 1080),
    (3840, 2160),
)
EVERY_LANGUAGE: tuple[Size, ...] = (
    (390, 844),
    (667, 375),
    (844, 390),
    (768, 1024),
    (1280, 800),
    (1440, 900),
    (1920, 1080),
)
"""The sizes that are checked in every language."""
_SET = "theme => (document.documentElement.dataset.theme = theme)"


def look(
    page: Page, *, sizes: Collection[Size] = SIZES, axe_at: Collection[Size] = ()
) -> None:
    """Check that a page fits in these sizes, and with axe-core in some of them."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        check_fits(page)
        if (width, height) in axe_at:
            check_both_themes(page)


def check_both_themes(page: Page) -> None:
    """Check a page with axe-core; in the second theme, only its colours."""
    for theme in in_both_themes(page):
        check_axe(page, colours=theme != "dark")


def in_both_themes(page: Page) -> Iterator[str]:
    """Give a page one theme after the other."""
    for theme in ("dark", "light"):
        page.evaluate(_SET, theme)
        yield theme
