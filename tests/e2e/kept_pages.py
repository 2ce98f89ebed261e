"""Pages of a browser that one test leaves to the next.

- A new context costs about a processor second, a new address in an old one a third
  of that, and the tests open three hundred pages.
- A page is handed on clean: no cookies, storage or listeners, the mouse in a corner.
- A test that changes a page for good, by a route or Playwright's clock, takes a `new`
  page, which is closed afterwards.
"""

from __future__ import annotations

from playwright.sync_api import Browser, Error, Page

WITHIN_MS = 30_000
"""The time limit for a page."""
_EMPTY = "/health"
"""A document of the house without a program."""


class KeptPages:
    """Pages at one address that wait for their next use, each in its own context.

    A new house may serve that address by then.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._address = ""
        self._waiting: dict[bool, list[Page]] = {False: [], True: []}
        """By touch support, which a context can't change."""

    def take(
        self, address: str, *, size: tuple[int, int], still: bool, new: bool
    ) -> Page:
        """Return a page that shows this house's empty document."""
        if address != self._address:
            self.close()
            self._address = address
        width, height = size
        has_touch = width < 700
        waiting = self._waiting[has_touch]
        page = waiting.pop() if waiting and not new else self._new(has_touch=has_touch)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(
            media="screen", reduced_motion="reduce" if still else "no-preference"
        )
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        return page

    def _new(self, *, has_touch: bool) -> Page:
        context = self._browser.new_context(
            base_url=self._address, locale="en-GB", has_touch=has_touch
        )
        context.set_default_timeout(WITHIN_MS)
        page = context.new_page()
        page.goto(_EMPTY)
        return page

    def give_back(self, page: Page, *, has_touch: bool) -> None:
        """Clean a page and keep it for its next use."""
        for each in page.context.pages:
            if each is not page:
                each.close()
        try:
            page.mouse.move(0, 0)
            page.goto(_EMPTY)
        except Error:  # it was closed, or the house was
            page.context.close()
            return
        if not page.url.startswith(self._address):  # it shows another house
            page.context.close()
            return
        page.context.clear_cookies()
        self._waiting[has_touch].append(page)

    def close(self) -> None:
        for waiting in self._waiting.values():
            while waiting:
                waiting.pop().context.close()
