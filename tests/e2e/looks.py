"""A screen at every size, dark and light: it fits, and its picture is kept.

One page is resized, and its theme set as the page itself sets it: opening a page anew
for each look takes longer than looking at it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from playwright.sync_api import Page

from tests.e2e.conftest import check_axe, check_fits, shoot

Size = tuple[int, int]
SIZES: tuple[Size, ...] = (
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1440, 900),
    (1920, 1080),
    (3840, 2160),
)
_SET = "theme => (document.documentElement.dataset.theme = theme)"


def look(
    page: Page,
    name: str,
    *,
    sizes: Collection[Size] = SIZES,
    axe_at: Collection[Size] = (),
) -> None:
    """Look at a page in these sizes, and in some of them for what axe-core finds."""
    for size in sizes:
        width, height = size
        page.set_viewport_size({"width": width, "height": height})
        check_fits(page)
        look_in_both_themes(page, f"{name}-{width}x{height}", has_axe=size in axe_at)


def look_in_both_themes(page: Page, name: str, *, has_axe: bool) -> None:
    """Look at a page in its size; for the second theme axe-core looks at colours."""
    for theme in in_both_themes(page):
        if has_axe:
            check_axe(page, colours=theme != "dark")
        shoot(page, f"{name}-{theme}")


def in_both_themes(page: Page) -> Iterator[str]:
    """Give a page one theme after the other."""
    for theme in ("dark", "light"):
        page.evaluate(_SET, theme)
        yield theme
