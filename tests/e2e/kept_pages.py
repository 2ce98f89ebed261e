"""Pages of a browser that one test leaves to the next.

- Opening a page in a context of its own takes about a processor second, going on to
  another address a third of that, and a page is opened three hundred times.
- A page is handed on with nothing of what was there: no cookie, nothing stored, nobody
  listening to it, the mouse in a corner.
- What can't be undone, such as a route or a clock of Playwright's, takes a page that is
  `new` and that nobody gets afterwards.
"""

from __future__ import annotations

from playwright.sync_api import Browser, Error, Page

WITHIN_MS = 30_000
"""How long a page is waited for."""
_EMPTY = "/health"
"""A document of the house without a program, where nothing goes on."""


class KeptPages:
    """Pages at one address that wait for their next use, each in its own context.

    The house there may be another than the one they were opened for.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._address = ""
        self._waiting: dict[bool, list[Page]] = {False: [], True: []}
        """By whether they can be touched, which is settled with the context."""

    def take(
        self, address: str, *, size: tuple[int, int], still: bool, new: bool
    ) -> Page:
        """A page at a document of this house that has no program."""
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
        """Nobody uses it any more; nothing goes on in it."""
        for each in page.context.pages:
            if each is not page:
                each.close()
        try:
            page.mouse.move(0, 0)
            page.goto(_EMPTY)
        except Error:  # it was closed, or the house was
            page.context.close()
            return
        if not page.url.startswith(self._address):  # another house was asked since
            page.context.close()
            return
        page.context.clear_cookies()
        self._waiting[has_touch].append(page)

    def close(self) -> None:
        for waiting in self._waiting.values():
            while waiting:
                waiting.pop().context.close()
