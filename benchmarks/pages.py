"""The pages: bytes of a terminal, time until its table shows, long tasks during play.

A real house and a real Chromium on loopback, with nothing in the browser's cache. The
bytes are those of the answers as they were sent, compressed. Then a thousand wagers of
one chip lie at the seat, and the tasks of the main thread are traced from the outcome
until the round is settled. After that they are traced in a demonstration house: on the
first page, while chips are laid, a round is spun and paid, sheets are opened, a round
is dealt at a console, and four tables are played side by side. A task counts by its
processor time, so that a busy machine does not lengthen it.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from terminals import deal, make_house, serving

from croupier.protocol.client import connect

FELT = "svg[role=application]"
TABLE = "table 1"
MOST_MS = 50
"""The longest time of a task of the main thread in play."""
ROUND_MS = 60_000
"""Well above the time of an automatic dealer's round."""
TRACED = ["-*", "toplevel", "disabled-by-default-devtools.timeline", "__metadata"]
Work = Callable[[], object]


def device_of(page: Page) -> str:
    """Return the token of the seat that the page has taken."""
    kept: dict[str, str] = page.evaluate("() => ({...localStorage, ...sessionStorage})")
    [token] = [
        text for name, text in kept.items() if name.startswith("croupier.device")
    ]
    return token.strip('"')


async def lay(url: str, token: str, count: int) -> None:
    """Lay wagers of one chip, two hundred in a message."""
    async with connect(url, TABLE, device=token) as table:
        for start in range(0, count, 200):
            numbers = range(start, min(start + 200, count))
            await table.wager(*(f"{1 + number % 36}@1" for number in numbers))


def in_thread(work: Any) -> None:
    """Run a coroutine in another thread: Playwright has this thread's event loop."""
    thread = threading.Thread(target=lambda: asyncio.run(work))
    thread.start()
    thread.join()


def dealing(url: str, *acts: str) -> None:
    thread = threading.Thread(target=deal, args=(url, 1, *acts))
    thread.start()
    thread.join()


def task_ms(trace: bytes) -> list[float]:
    """Return the processor time of each task of a page's main thread."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    threads = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    return [
        each["tdur"] / 1000
        for each in events
        if each["name"] == "RunTask"
        and "tdur" in each
        and (each["pid"], each["tid"]) in threads
    ]


def trace(browser: Browser, page: Page, what: str, work: Work) -> None:
    browser.start_tracing(page=page, categories=TRACED)
    work()
    tasks = task_ms(browser.stop_tracing())
    over = sum(each > MOST_MS for each in tasks)
    print(
        f"{what}: {over} of {len(tasks):,} tasks over {MOST_MS} ms,"
        f" the longest {max(tasks):.0f} ms"
    )


def measure(url: str, browser: Browser, page: Page) -> None:
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
    page.reload()  # a seat has one device, so the page was disconnected
    page.locator(f"{FELT} .chip.registered").first.wait_for()
    dealing(url, "no more bets", "spin")
    page.wait_for_timeout(1_500)

    def settle() -> None:
        dealing(url, "outcome", "settle")
        page.wait_for_timeout(6_000)

    trace(browser, page, "1,000 wagers, from the outcome on", settle)


def come(page: Page, path: str, ready: str) -> None:
    page.goto(path)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")


def lay_chips(page: Page) -> None:
    for number in ("17", "18", "20", "5", "8"):
        page.locator(f'{FELT} [data-number="{number}"]').click(force=True)
    for name in ("If it comes", "If it comes", "Undo", "Double", "Clear", "Undo"):
        page.get_by_role("button", name=name, exact=True).click()


def until(page: Page, *states: str) -> None:
    for each in states:
        page.locator(f"section.band.{each}").first.wait_for(timeout=ROUND_MS)


def open_sheets(page: Page) -> None:
    for name in ("My play", "History", "Rules and odds", "Player"):
        page.get_by_role("button", name=name, exact=True).first.click()
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")


def deal_round(page: Page) -> None:
    """Press the one large button through a round, until the next may be opened."""
    heading, button = page.locator("main h1"), page.locator(".bar .primary:enabled")
    for clicked in range(10):
        button.wait_for(timeout=ROUND_MS)
        if clicked and heading.inner_text() == "Open the next round":
            break
        button.click()
        page.wait_for_timeout(300)


def play(url: str, browser: Browser, page: Page) -> None:
    """Use the pages as people do, in a house with rounds in play."""
    come(page, f"{url}/", "article")
    trace(browser, page, "the first page", lambda: page.wait_for_timeout(20_000))
    come(page, f"{url}/seat/table%201", FELT)
    until(page, "spinning", "betting")
    trace(browser, page, "chips at a seat", lambda: lay_chips(page))
    spun = ("closed", "spinning", "settled")
    trace(browser, page, "spin and result", lambda: until(page, *spun))
    trace(browser, page, "sheets at a seat", lambda: open_sheets(page))
    come(page, f"{url}/seats", "button")
    for number in range(1, 5):
        page.get_by_role("button", name=f"table {number}", exact=True).click()
    page.locator(FELT).nth(3).wait_for()
    trace(browser, page, "four tables", lambda: page.wait_for_timeout(25_000))
    page.goto(f"{url}/")
    page.get_by_role("button", name="Deal at table 2", exact=True).click()
    page.get_by_role("button", name="Take the table").click()
    trace(browser, page, "a round at the console", lambda: deal_round(page))


@contextmanager
def demonstrating() -> Iterator[str]:
    """Serve a demonstration house in memory, and yield its address."""
    command = [sys.executable, "-m", "croupier", "serve", "--demonstration"]
    server = subprocess.Popen(
        [*command, "--port", "0", "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield next(line.split()[-1] for line in server.stdout if "http://" in line)
    finally:
        server.terminate()
        server.wait(30)


def main() -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "there is no Chromium here: make browser"
    with tempfile.TemporaryDirectory() as folder:
        make_house(f"{folder}/house.db", 1, 1)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox"]
            )
            with serving(f"{folder}/house.db") as (_, url):
                measure(url, browser, browser.new_page())
            with demonstrating() as url:
                size: Any = {"width": 1440, "height": 900}
                play(url, browser, browser.new_page(viewport=size, locale="en-GB"))
            browser.close()


if __name__ == "__main__":
    main()
