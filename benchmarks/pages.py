"""The terminal's page: what it weighs, when the first table stands, what blocks it.

A real house and a real Chromium on loopback, with nothing in the browser's cache. The
bytes are those of the answers as they were sent, compressed. Then a thousand wagers of
one chip lie at the seat, and every task of the main thread over 50 ms is counted from
the outcome until the round is settled.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright
from terminals import deal, make_house, serving

from croupier.protocol.client import connect

FELT = "svg[role=application]"
WATCH = """() => {
  window.tasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: false })
}"""
TABLE = "table 1"


def device_of(page: Page) -> str:
    """Return the token of the seat that the page has taken."""
    kept: dict[str, str] = page.evaluate("() => ({...localStorage, ...sessionStorage})")
    [token] = [
        text for name, text in kept.items() if name.startswith("croupier.device")
    ]
    return token.strip('"')


async def lay(url: str, token: str, count: int) -> None:
    """So many wagers of one chip, two hundred a message."""
    async with connect(url, TABLE, device=token) as table:
        for start in range(0, count, 200):
            numbers = range(start, min(start + 200, count))
            await table.wager(*(f"{1 + number % 36}@1" for number in numbers))


def in_thread(work: Any) -> None:
    """Playwright has this thread's event loop."""
    thread = threading.Thread(target=lambda: asyncio.run(work))
    thread.start()
    thread.join()


def dealing(url: str, *acts: str) -> None:
    thread = threading.Thread(target=deal, args=(url, 1, *acts))
    thread.start()
    thread.join()


def measure(url: str, page: Page) -> None:
    sizes: list[int] = []
    page.on(
        "requestfinished",
        lambda request: sizes.append(request.sizes()["responseBodySize"]),
    )
    began = time.perf_counter()
    page.goto(f"{url}/seat/{TABLE.replace(' ', '%20')}")
    page.locator(FELT).wait_for()
    stood = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    print(f"terminal: {sum(sizes) / 1000:.0f} kB in {len(sizes)} answers (aim: 150 kB)")
    print(f"first table after {1000 * stood:.0f} ms")
    dealing(url, "place your bets")
    in_thread(lay(url, device_of(page), 1_000))
    page.locator(f"{FELT} .chip.registered").first.wait_for()
    dealing(url, "no more bets", "spin")
    page.wait_for_timeout(1_500)
    page.evaluate(WATCH)
    dealing(url, "outcome", "settle")
    page.wait_for_timeout(6_000)
    tasks: list[float] = page.evaluate("() => window.tasks")
    longest = f", the longest {max(tasks):.0f} ms" if tasks else ""
    print(f"1,000 wagers: {len(tasks)} tasks over 50 ms from the outcome on{longest}")


def main() -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "there is no Chromium here: make browser"
    with tempfile.TemporaryDirectory() as folder:
        make_house(f"{folder}/house.db", 1, 1)
        with serving(f"{folder}/house.db") as (_, url), sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox"]
            )
            measure(url, browser.new_page())
            browser.close()


if __name__ == "__main__":
    main()
