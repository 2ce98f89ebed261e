"""Real Chromium against a real house: a process on SQLite, with a table of every kind.

- `house` is served for a module; `pages` opens its pages as a member of the staff, as a
  seat, or as a board, and fails the test for any error that a page logs.
- `seats` are terminals over the protocol, beside the browser; `terminal` opens a seat's
  page; `dealing` brings a Dealer to a table and waits until those pages show the round.
- `check_axe` finds what breaks WCAG 2.2 AA.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import threading
from collections import defaultdict
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import pytest
from playwright.sync_api import (
    Browser,
    Error,
    Page,
    expect,
    sync_playwright,
)

from croupier.protocol.client import TableConnection, connect
from croupier.protocol.messages import (
    AskBuyIn,
    ConfirmLightsSeen,
    ReplyToNotice,
    ReportLit,
    WheelFact,
)
from croupier.web.pages import BUILT
from tests.e2e.kept_pages import WITHIN_MS, KeptPages
from tests.e2e.terminals import Terminal
from tests.house_server.server import House, open_house
from tests.waiting import wait_for

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
AXE = ROOT / "pages/node_modules/axe-core/axe.min.js"
PHONE, TABLET, DESKTOP, WALL = (390, 844), (1024, 768), (1440, 900), (1920, 1080)
_SCREENS = ["terminal", "seats", "console", "board", "pit", "cashier", "inspector"]
_CHROMIUMS = ("chromium-headless-shell", "chromium", "google-chrome")
"""The cheapest first: the shell has the same engine, and no windows to keep."""
_NO_OPTIMISING = "--js-flags=--no-maglev --no-opt"
"""A page is closed before an optimising compiler would pay off."""
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules about colours: a second theme changes nothing else."""
_RUN_AXE = """async (runOnly) => {
  // A button that is just becoming active has neither the old colours nor the new.
  const moving = document.getAnimations()
  const fading = moving.filter((each) => each instanceof CSSTransition)
  await Promise.allSettled(fading.map((each) => each.finished))
  const found = await axe.run(document, { runOnly, resultTypes: ['violations'] })
  return found.violations.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    assert chromium is not None, "there is no Chromium here: make browser"
    expect.set_options(timeout=WITHIN_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--force-color-profile=srgb", _NO_OPTIMISING],
        )
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    """One port for all houses, so that the browser's cache serves the next house too.

    A socket that does not listen holds it, so that no other process gets it.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture(scope="module")
def house(port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A served house; its log and its journal are sound at the end."""
    assert (BUILT / "index.html").is_file(), "build the pages first: make pages"
    folder = tmp_path_factory.mktemp("house")
    with open_house("sqlite", folder, "--port", str(port)) as served:
        yield served


@pytest.fixture(scope="session")
def kept_pages(browser: Browser) -> Iterator[KeptPages]:
    kept = KeptPages(browser)
    yield kept
    kept.close()


@dataclass(frozen=True, slots=True)
class _Opened:
    """A page in use, and whether another test may have it afterwards."""

    page: Page
    has_touch: bool
    is_new: bool


class Pages:
    """Pages of a house in one browser, each in a context of its own."""

    def __init__(self, kept: KeptPages, house: House) -> None:
        self._kept = kept
        self.house = house
        self._opened: list[_Opened] = []
        self._look: tuple[object, ...] | None = None
        # A house that does not sign its log has no receipts, and answers 404.
        self._allowed: list[str] = [r"404 .*/seats?/.*receipt\)$"]
        self.errors: list[str] = []

    def open(
        self,
        path: str,
        *,
        by: str | None = None,
        size: tuple[int, int] = DESKTOP,
        theme: str = "dark",
        language: str = "en",
        still: bool = True,
        seat: tuple[str, str] | None = None,
        kept: Mapping[str, object] | None = None,
        new: bool = False,
    ) -> Page:
        """Open a page as staff (`by`), or with a device's token at a table (`seat`).

        `kept` is the browser's storage; by default the help of each page has been seen.
        A test that routes requests, sets the clock or counts fetches needs `new`.
        """
        page = self._kept.take(self.house.address, size=size, still=still, new=new)
        self._opened.append(_Opened(page, size[0] < 700, new))
        if by is not None:
            page.context.add_cookies(self._session(by))
        texts = {
            name: json.dumps(value)
            for name, value in {"croupier.visited": _SCREENS, **(kept or {})}.items()
        }
        if seat is not None:
            table, token = seat
            texts[f"croupier.device.{table}"] = token
        page.evaluate("texts => Object.assign(localStorage, texts)", texts)
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.goto(f"{quote(path)}?theme={theme}&language={language}")
        return page

    def look_at(self, path: str, *, by: str, size: tuple[int, int], theme: str) -> Page:
        """The page that was looked at before, if it was opened in the same way."""
        look = (path, by, size, theme)
        if self._look != look:
            self._leave_all()
            self.open(path, by=by, size=size, theme=theme)
            self._look = look
        return self._opened[-1].page

    def allow(self, pattern: str) -> None:
        """Accept messages of this pattern in the page's log."""
        self._allowed.append(pattern)

    def _heard(self, message: Any) -> None:
        url = message.location.get("url", "")
        # The empty document that a page shows first names no icon; ours do.
        is_icon = url.endswith("/favicon.ico")
        if message.type in {"error", "warning"} and not is_icon:
            self.errors.append(f"{message.text} ({url})")

    def _failed(self, error: Error) -> None:
        self.errors.append(f"uncaught: {error}")

    def _session(self, name: str) -> list[Any]:
        """One session for each person: a house limits the number of log-ons."""
        known, path = self.house.logged_on, "/api/demonstration/staff"
        token = known[name]["token"] if name in known else ""
        if self.house.http("GET", "/api/me", token=token).status != HTTPStatus.OK:
            known[name] = self.house.ask("POST", path, {"name": name})
        return [
            {"name": f"croupier_{each}", "value": value, "url": self.house.address}
            for each, value in (
                ("session", known[name]["token"]),
                ("csrf", known[name]["csrf"]),
            )
        ]

    def close(self) -> None:
        self._leave_all()
        self.check_errors()

    def check_errors(self) -> None:
        """Check that the pages logged only expected messages."""
        unexpected = [
            each
            for each in self.errors
            if not any(re.search(pattern, each) for pattern in self._allowed)
        ]
        assert unexpected == []

    def _leave_all(self) -> None:
        while self._opened:
            self._leave(self._opened.pop())
        self._look = None

    def _leave(self, opened: _Opened) -> None:
        page = opened.page
        page.remove_listener("console", self._heard)
        page.remove_listener("pageerror", self._failed)
        if opened.is_new:
            page.context.close()
        else:
            self._kept.give_back(page, has_touch=opened.has_touch)


@pytest.fixture
def pages(kept_pages: KeptPages, house: House) -> Iterator[Pages]:
    opened = Pages(kept_pages, house)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def lasting_pages(kept_pages: KeptPages, house: House) -> Iterator[Pages]:
    """Pages for tests that only look at them, one after another."""
    opened = Pages(kept_pages, house)
    yield opened
    opened.close()


class Seats:
    """Terminals over the protocol, on a loop of their own beside the browser's."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._stack = AsyncExitStack()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def sit(self, table: str, name: str = "Anna", *, cents: int = 100_000) -> Seat:
        """A terminal of the house with credit, by its seat's name."""
        device = f"{name}-{table}"
        if cents:
            self._house.buy_in(table, device, cents=cents)
        token = self._house.devices[device]
        place = connect(self._house.address, table, device=token)
        return Seat(self, self.do(self._stack.enter_async_context(place)))

    def come(self, table: str, device: str) -> Seat:
        """Connect another device of the house: a sensor or a layout."""
        place = connect(self._house.address, table, device=self._house.devices[device])
        return Seat(self, self.do(self._stack.enter_async_context(place)))

    def deal(
        self, table: str, by: str = "Dana", terminals: Sequence[Terminal] = ()
    ) -> Dealer:
        """Connect a member of the staff to a table as its Dealer."""
        self._house.deal(table, by)
        session = self._house.session(by)
        place = connect(self._house.address, table, session=session)
        connection = self.do(self._stack.enter_async_context(place))
        return Dealer(self, connection, terminals)

    def work(self, table: str, name: str) -> Seat:
        """Connect a member of the staff to a table."""
        place = connect(self._house.address, table, session=self._house.session(name))
        return Seat(self, self.do(self._stack.enter_async_context(place)))

    def close(self) -> None:
        self.do(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Seat:
    """One place at a table, from outside its loop."""

    def __init__(self, seats: Seats, table: TableConnection) -> None:
        self._seats = seats
        self.table = table

    def wager(self, *wagers: str) -> None:
        self._seats.do(self.table.wager(*wagers))

    def act(self, act: str) -> None:
        self._seats.do(self.table.act(act))

    def outcome(self, number: str) -> None:
        """Keyed, read back and confirmed."""
        self._seats.do(self.table.outcome(number))

    def fact(self, fact: str, **known: Any) -> None:
        self._seats.do(self.table.do(WheelFact, fact, **known))

    def ask_buy_in(self, cents: int) -> None:
        self._seats.do(self.table.do(AskBuyIn, cents))

    @property
    def credit_cents(self) -> int:
        return self.table.seat.credit_cents if self.table.seat else 0

    def lit(self, number: str) -> None:
        self._seats.do(self.table.do(ReportLit, number))

    def until(self, phase: str) -> None:
        self._seats.do(self.table.until(lambda view: view.phase == phase))

    @property
    def view(self) -> Any:
        return self.table.view

    @property
    def paid_cents(self) -> int:
        seat = self.table.seat
        return sum(each.paid_cents for each in seat.settled) if seat else 0


class Dealer(Seat):
    """The Dealer of a table, over the protocol, for these pages at its seats."""

    def __init__(
        self, seats: Seats, table: TableConnection, terminals: Sequence[Terminal]
    ) -> None:
        super().__init__(seats, table)
        self._terminals = terminals

    def act(self, *acts: str) -> None:
        """Do the acts one after another, and wait for their events."""
        for act in acts:
            self._seats.do(self.table.act(act))
        self._seats.do(self.table.caught_up())

    def accept(self, notice: int) -> None:
        self._seats.do(self.table.do(ReplyToNotice, notice, True))

    def open(self) -> None:
        """Open a round, and wait until every page at the table shows it."""
        self.act("place your bets")
        self.until("betting")
        for each in self._terminals:
            each.is_open()

    def close(self) -> None:
        self.act("spin", "no more bets")
        self.until("closed")

    def decide(self, number: str) -> None:
        """Announce the outcome; confirm the lights of Bonus Numbers first, if any."""
        if self.table.view.game == "mbs-fast-action-v2":
            self._seats.do(self.table.do(ConfirmLightsSeen))
        self._seats.do(self.table.outcome(number))
        self.until("decided")

    def settle(self) -> None:
        self.act("settle")
        self.until("ended")

    def finish(self, number: str = "0") -> None:
        """Bring the round to its end from any phase."""
        if self.table.view.phase == "betting":
            self.close()
        if self.table.view.phase == "closed":
            self.decide(number)
        if self.table.view.phase == "decided":
            self.settle()


@pytest.fixture
def seats(house: House) -> Iterator[Seats]:
    opened = Seats(house)
    yield opened
    opened.close()


@pytest.fixture
def terminals() -> defaultdict[str, list[Terminal]]:
    """The pages that a test has opened at seats, by table."""
    return defaultdict(list)


@pytest.fixture
def terminal(
    pages: Pages, house: House, terminals: defaultdict[str, list[Terminal]]
) -> Any:
    """Opens a seat's page; each seat is used by one test only."""

    def opened(
        table: str, seat: str = "Anna", *, cents: int = 100_000, **how: Any
    ) -> Terminal:
        device = f"{seat}-{table}"
        if cents:
            house.buy_in(table, device, cents=cents)
        token = house.devices[device]
        page = pages.open(f"/seat/{table}", seat=(table, token), **how)
        terminals[table].append(Terminal(page))
        return terminals[table][-1]

    return opened


@pytest.fixture
def dealing(seats: Seats, terminals: defaultdict[str, list[Terminal]]) -> Iterator[Any]:
    """Brings a Dealer to a table; at the end of the test it finishes open rounds."""
    dealers: list[Dealer] = []

    def at(table: str) -> Dealer:
        dealers.append(seats.deal(table, terminals=terminals[table]))
        return dealers[-1]

    yield at
    for each in dealers:
        each.finish()


_FADED = """
() => Promise.race([
  Promise.allSettled(document.getAnimations().map((each) => each.finished)),
  new Promise((done) => setTimeout(done, 1000)),
])
"""
"""Wait until fading elements have their colours; a ball moves for longer than that."""


def check_axe(page: Page, *, colours: bool = False) -> None:
    """Check that axe-core finds no violation of WCAG 2.2 AA, or only of its colours."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE.read_text())
    page.evaluate(_FADED)
    rules = (
        {"type": "rule", "values": _OF_COLOURS}
        if colours
        else {"type": "tag", "values": _TAGS}
    )
    assert page.evaluate(_RUN_AXE, rules) == []


_TOO_WIDE = """([root]) => {
  const rest = ':not(svg, svg *, input, .unseen, .wheel, .wheel *)'
  const found = [...root.querySelectorAll(`body ${rest}`)].filter((each) => {
    if (each.clientWidth < 2 || each.scrollWidth <= each.clientWidth + 2) return false
    const { overflowX, textOverflow } = getComputedStyle(each)
    const isCut = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis'
    return isCut || each.matches('.button')
  })
  if (root.scrollWidth > root.clientWidth) found.unshift(root)
  return found.map((each) =>
    `${each.tagName}.${each.className} ${each.scrollWidth} > ${each.clientWidth}`)
}"""


def check_fits(page: Page) -> None:
    """Check that nothing is cut off, or wider than the window or its button.

    The test polls by itself: the page's own policy forbids Playwright's polling there.
    """

    def too_wide() -> list[str]:
        found: list[str] = page.locator("html").evaluate_all(_TOO_WIDE)
        return found

    with suppress(AssertionError):
        wait_for(lambda: not too_wide(), seconds=10)
    assert too_wide() == []


def enter(console: Page) -> None:
    """Press Enter once the console no longer waits for an answer."""
    expect(console.locator(".bar .primary")).to_be_enabled()
    console.keyboard.press("Enter")
