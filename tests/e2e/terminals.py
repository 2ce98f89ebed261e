"""A seat's page, as a Player sees and touches it."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

FELT = "svg[role=application]"
_A_SECOND = """table => {
  const name = `croupier.reality_minutes.${table}`
  const chosen = JSON.parse(localStorage.getItem(name))
  localStorage.setItem(name, JSON.stringify({ ...chosen, minutes: 1 / 60 }))
}"""


class Terminal:
    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator(FELT)).to_be_visible()

    def number(self, number: str) -> Locator:
        return self.page.locator(f'{FELT} [data-number="{number}"]')

    def box(self, area: str) -> Locator:
        return self.page.locator(f'{FELT} [data-area="{area}"]')

    def tap(self, place: str, **how: Any) -> None:
        """A number's cell or a box, whatever chips lie over it."""
        found = self.number(place).or_(self.box(place))
        found.click(force=True, **how)

    def edge(self, number: str, across: float, down: float) -> None:
        """Touch a number's cell at these parts of its width and height."""
        self.number(number).scroll_into_view_if_needed()
        box = self.number(number).bounding_box()
        assert box is not None
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        self.page.mouse.click(x, y)

    def chips(self, state: str = "registered") -> Locator:
        return self.page.locator(f"{FELT} .chip.{state}")

    def figure(self, name: str) -> Locator:
        return self.page.locator("footer dl div", has_text=name).locator("dd")

    def press(self, name: str) -> None:
        """Press a button at the foot; its label may end with a sum: `Rebet 25`."""
        named = re.compile(rf"^{name}( [\d,.]+)?$")
        self.page.locator("footer").get_by_role("button", name=named).click()

    def take(self, chip: str) -> None:
        self.page.get_by_role("radio", name=chip, exact=True).click()

    def says(self, title: str) -> None:
        expect(self.page.locator("section.band .title")).to_have_text(title)

    def is_open(self) -> None:
        """Wait until the page shows that chips may be laid."""
        expect(self.page.locator("section.band:is(.betting, .closing)")).to_be_visible()

    def stakes(self, sum_of_all: str) -> None:
        expect(self.figure("Stake")).to_have_text(sum_of_all)

    def pause_soon(self, table: str) -> None:
        """Choose a time until a pause, set it to a second, and reload."""
        self.page.get_by_role("button", name="My play").click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Remind me after").select_option("15")
        dialog.get_by_label("Close").click()
        self.page.evaluate(_A_SECOND, table)
        self.page.reload()
