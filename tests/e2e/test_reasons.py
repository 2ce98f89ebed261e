"""Refusals and void rounds in 简体中文: no word of them stays English."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from croupier.rules.game import Irregularity
from tests.e2e.conftest import Dealer, Pages, Seats
from tests.house_server.server import PASSWORD, House

FELT = "svg[role=application]"
CHINESE = "zh-Hans"
NAMES = {"Croupier", "Sam", "Dana", "Mira", "Anna"}
"""Names that no language translates."""
GAMES = {"MBS", "Complete", "Bet", "Triple", "Zero", "Fast", "Action"}
SETTINGS = {"all", "single", "inside", "touching"}
NOTATION = {
    *(word for each in Irregularity for word in each.value.split("_")),
    *("because", "close", "drop", "Zoe", "as", "acting", "Dealer"),
}
"""Names as transcripts and house files write them, the same in every language."""


@pytest.fixture
def dealer(seats: Seats) -> Iterator[Dealer]:
    """The Dealer of a table, over the protocol, whose round is finished at the end."""
    dealing = seats.deal("v3")
    yield dealing
    dealing.finish()


def latin_words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]{3,}", text)) - NAMES


def test_a_refused_wager_reads_chinese_at_the_terminal(
    pages: Pages, house: House, dealer: Dealer
) -> None:
    house.buy_in("v3", "Anna-v3", cents=500_000)
    token = house.devices["Anna-v3"]
    page = pages.open("/seat/v3", language=CHINESE, seat=("v3", token))
    expect(page.locator(FELT)).to_be_visible()
    dealer.open()
    expect(page.locator("section.band.betting")).to_be_visible()

    page.get_by_role("radio", name="1,000", exact=True).click()
    page.locator(f'{FELT} [data-number="33"]').click(force=True)

    alert = page.get_by_role("alert")
    for words in (
        "被拒绝",
        "1,000.00 已退还",
        "您在直注 33上将有 1,000.00",
        "限额为 1.00 至 500.00",
        "3.3.1",
    ):
        expect(alert).to_contain_text(words)
    assert latin_words(alert.inner_text()) == set()


def test_clauses_and_readings_read_chinese(pages: Pages, house: House) -> None:
    pages.allow("tables/v3/rules")  # none is attached
    seat = ("v3", house.devices["Anna-v3"])
    page = pages.open("/seat/v3", language=CHINESE, seat=seat)
    page.get_by_role("button", name="规则与赔率").click()
    dialog = page.get_by_role("dialog")

    dialog.get_by_role("button", name="规则文件").click()
    expect(dialog).to_contain_text("若球破裂")
    clauses = dialog.locator("dl").inner_text()

    dialog.get_by_role("button", name="规则释义").click()
    expect(dialog).to_contain_text("零是否为双数")
    readings = dialog.locator("dl").inner_text()

    assert latin_words(clauses) == {"Appendix"}  # the document's own word
    assert latin_words(readings) <= GAMES | SETTINGS | NOTATION


def test_a_refusal_and_a_void_read_chinese_at_the_console(pages: Pages) -> None:
    pages.house.deal("v3", "Dana")
    page = pages.open("/console/v3", by="Dana", language=CHINESE)
    big = page.locator(".bar .primary")
    big.filter(has_text="请下注").click()

    page.get_by_role("button", name="旋球前停止下注").click()
    sign(page, "Sam", "停止下注")

    refused = page.locator("dialog[open] p[role=alert]")
    expect(refused).to_contain_text("Sam 无权执行")
    expect(refused).to_contain_text("6.1")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="球破裂").click()
    page.locator("dialog[open]").get_by_role("button", name="本局作废").click()

    told = page.locator("main")
    expect(told).to_contain_text("球破裂")
    big.filter(has_text="退回全部注码").click()
    expect(told).to_contain_text("球破裂")
    assert "broke" not in page.locator("body").inner_text()


def sign(page: Page, name: str, label: str) -> None:
    """Enter name and password in the open dialog."""
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("姓名", exact=True).fill(name)
    dialog.get_by_label("密码", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name=label).click()
