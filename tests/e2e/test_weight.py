"""A page's cost until it can be used: bytes fetched, and layout shifts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Pages
from tests.house_server.server import House

TABLE = "v3"
_MOST_BYTES = 130_000
_MOST_FILES = 25
_MOST_SHIFT = 0.02
_BYTES = """() => ['navigation', 'resource']
  .flatMap(kind => performance.getEntriesByType(kind))
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])"""
_SHIFT = """async () => {
  let sum = 0
  const add = list => {
    for (const { value, hadRecentInput } of list) if (!hadRecentInput) sum += value
  }
  const watcher = new PerformanceObserver(list => add(list.getEntries()))
  watcher.observe({ type: 'layout-shift', buffered: true })
  await new Promise(done => setTimeout(done, 100))
  add(watcher.takeRecords())
  return sum
}"""


def _seat(pages: Pages, house: House, **how: Any) -> Page:
    seat = (TABLE, house.devices[f"Anna-{TABLE}"])
    page = pages.open(f"/seat/{TABLE}", seat=seat, new=True, **how)
    expect(page.locator("[role=application]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


def test_a_first_table_is_light(pages: Pages, house: House) -> None:
    """Counts all bytes that a browser with an empty cache fetches for the table."""
    fetched = _seat(pages, house).evaluate(_BYTES)

    scripts = [size for path, size in fetched if path.endswith(".js")]
    assert min(scripts) > 0, "something was in the browser's cache already"
    assert sum(size for _, size in fetched) < _MOST_BYTES, fetched
    assert len(fetched) < _MOST_FILES, fetched


@pytest.mark.parametrize(("language", "fonts"), [("en", 0), ("ta", 1)])
def test_only_a_page_in_tamil_fetches_a_font(
    pages: Pages, house: House, language: str, fonts: int
) -> None:
    fetched = _seat(pages, house, language=language).evaluate(_BYTES)

    assert sum(path.endswith(".woff2") for path, _ in fetched) == fonts


@pytest.mark.parametrize("is_first", [True, False], ids=["first", "again"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_nothing_moves_while_a_page_comes(
    pages: Pages, house: House, size: tuple[int, int], *, is_first: bool
) -> None:
    kept: dict[str, object] = {"croupier.visited": []} if is_first else {}
    home = pages.open("/", size=size, new=True, kept=kept)
    expect(home.get_by_role("region", name="in play now")).to_be_visible()
    home.wait_for_load_state("networkidle")

    assert home.evaluate(_SHIFT) < _MOST_SHIFT
    seat = _seat(pages, house, size=size, kept=kept)
    expect(seat.get_by_label("Your first visit here")).to_have_count(int(is_first))
    assert seat.evaluate(_SHIFT) < _MOST_SHIFT
