"""A screen at every size, dark and light: it fits, and its picture is kept.

One page is resized, and its theme set as the page itself sets it: opening a page anew
for each look takes longer than looking at it.
"""

from __future__ import annotations

from collections.abc import Collection

from playwright.sync_api import Page

from tests.e2e.conftest import check_axe, check_fits, shoot

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


def look(page: Page, name: str, *, axe_at: Collection[tuple[int, int]] = ()) -> None:
    """Look at a page in every size, and in some of them for what axe-core finds."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        check_fits(page)
        for theme in ("dark", "light"):
            page.evaluate(_THEME, theme)
            if (width, height) in axe_at:
                check_axe(page)
            shoot(page, f"{name}-{width}x{height}-{theme}")
