"""The two moments that Players wait for: the result, and Fast Action's draw."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESKTOP, PHONE

_DRAW_MS = 15_000
"""Ten lamps take seven seconds."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (667, 375)])
def test_a_result_shows_the_plate_then_the_payment_then_the_card(
    terminal: Any, dealing: Any, size: tuple[int, int]
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Cara", size=size, still=False)
    dealer.open()
    seat.tap("17")
    seat.tap("red")
    seat.stakes("10.00")
    dealer.finish("17")
    page, card = seat.page, seat.page.get_by_label("Your result")

    expect(page.get_by_text("1 of 2 wagers win")).to_be_visible()
    expect(card).to_have_count(0)
    expect(card).to_be_visible()
    expect(card.locator(".net")).to_contain_text("+170.00")
    expect(card.get_by_role("button", name="Receipt")).to_be_in_viewport(ratio=1)
    expect(card.locator(".net")).to_be_in_viewport(ratio=1)


def test_who_wants_little_motion_has_the_card_at_once(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Cara", still=True)
    dealer.open()
    seat.tap("17")
    seat.stakes("5.00")
    dealer.finish("17")

    expect(seat.page.get_by_label("Your result")).to_be_visible(timeout=1_000)


def test_the_receipt_of_a_result_opens_by_itself(terminal: Any, dealing: Any) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Ben")
    dealer.open()
    seat.tap("17")
    seat.stakes("5.00")
    dealer.finish("17")
    seat.page.get_by_role("button", name="Receipt you can check").click()

    drawer = seat.page.get_by_role("dialog")
    expect(drawer).to_contain_text(f"Receipt of round {dealer.view.round}")
    felt = seat.page.locator("svg[role=application]").bounding_box()
    beside = drawer.bounding_box()
    assert felt is not None
    assert beside is not None
    assert felt["x"] + felt["width"] <= beside["x"]


def test_bonus_numbers_light_in_the_order_of_the_draw(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("fast"), terminal("fast", "Cara")
    dealer.open()
    seat.is_open()
    dealer.close()
    seat.says("No more bets")
    lamps = seat.page.locator(".slots .lamp")
    expect(lamps).to_have_count(10, timeout=_DRAW_MS)

    shown = [each.text_content() for each in lamps.locator("svg text").all()]
    assert shown == list(dealer.view.bonus)
    for place, number in enumerate(dealer.view.bonus, start=1):
        expect(seat.number(number).locator(".order")).to_have_text(str(place))
    dealer.finish("17")
