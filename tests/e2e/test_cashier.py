"""The cashier: cash, vouchers, float, adjustments by two people, Players, the day."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from croupier.journal.store import HOUSE_STREAM
from croupier.protocol.messages import AskBuyIn
from tests.e2e.conftest import Pages, Seats, check_axe, check_fits
from tests.e2e.dealt import act, play
from tests.e2e.parts import check_part, go, open_part
from tests.house_server.server import PASSWORD, House

TABS = ("seats", "vouchers", "float", "adjustments", "players", "day")
SEAT = "Ben-v3"


def at(page: Page, tab: str, table: str = "v3") -> None:
    go(page, tab)
    page.get_by_label("Table").select_option(table)


def do(page: Page, act: str, sum_: str, seat: str = SEAT) -> None:
    """Do one act at a seat."""
    page.get_by_role("group", name="Act").get_by_role("button", name=act).click()
    page.get_by_label("Seat or Player").fill(seat)
    page.get_by_label("Sum").fill(sum_)
    page.locator("form .large").click()


def test_cash_in_and_out(pages: Pages, house: House) -> None:
    page = pages.open("/cashier", by="Carl")
    before = len(house.events("v3", "BoughtIn"))
    at(page, "Seats")

    do(page, "Cash in", "120.50")
    expect(page.locator(".figure")).to_have_text("SGD 120.50")
    do(page, "Cash out", "20.50")
    expect(page.locator(".figure")).to_have_text("SGD 100.00")
    do(page, "Cash out", "500")
    pages.allow("409")

    expect(page.get_by_text(re.compile("Refused"))).to_be_visible()
    expect(page.locator("li", has_text="Cash in")).to_contain_text("120.50")
    assert [each.cents for each in house.events("v3", "BoughtIn")[before:]] == [12_050]
    check_axe(page)


COVERED = """toast => {
  const t = toast.getBoundingClientRect()
  return [...document.querySelectorAll('main .panel, header')].filter((each) => {
    const e = each.getBoundingClientRect()
    return t.left < e.right && e.left < t.right && t.top < e.bottom && e.top < t.bottom
  }).length
}"""


def test_what_is_said_covers_nothing(pages: Pages) -> None:
    page = pages.open("/cashier", by="Carl")
    at(page, "Float", "triple")
    page.get_by_label("Sum").fill("10")
    page.get_by_role("button", name="Fill: ").click()

    toast = page.locator(".toast", has_text="The float is filled")
    assert toast.evaluate(COVERED) == 0
    check_fits(page)


def test_a_fill_that_takes_two_is_proposed_from_where_it_was_refused(
    pages: Pages,
) -> None:
    page = pages.open("/cashier", by="Carl", new=True)
    values = {"person": "Carl", "limit_cents": 100_000, "sum_cents": 500_000}
    reason = {"code": "second_person_needed", "values": values}
    said = json.dumps({"error": "a second person", "clause": "A11", "reason": reason})
    page.route(
        "**/float/fill",
        lambda route: route.fulfill(
            status=409, body=said, content_type="application/json"
        ),
    )
    pages.allow("409")
    at(page, "Float", "triple")
    page.get_by_label("Sum").fill("5000")
    page.get_by_role("button", name="Fill: ").click()

    dialog = page.get_by_role("dialog", name="A second person must confirm it")
    expect(dialog).to_contain_text("Bring chips worth SGD 5,000.00 from the cage")
    check_axe(page)


def test_a_buy_in_asked_for_at_a_terminal(
    pages: Pages, seats: Seats, house: House
) -> None:
    page = pages.open("/cashier", by="Sam")
    terminal = seats.sit("triple", "Cara", cents=0)
    seats.do(terminal.table.do(AskBuyIn, 5_000))
    asked = page.locator("section", has_text="Requests from terminals")
    expect(asked).to_contain_text("Cara-triple")
    check_axe(page)

    asked.get_by_role("button", name="Cash taken").click()

    expect(asked).to_have_count(0)
    assert [each.cents for each in house.events("triple", "BoughtIn")] == [5_000]


def test_a_voucher_is_issued_printed_and_redeemed(pages: Pages, house: House) -> None:
    house.buy_in("v3", SEAT, cents=10_000)
    page = pages.open("/cashier", by="Carl")
    # This house signs no log, so the test adds a receipt's code.
    code = {"code_size": 29, "code_path": "M4 4h7v1h-7z"}
    page.route("**/receipt", lambda route: route.fulfill(json=code))
    at(page, "Seats")
    do(page, "Voucher out", "75")
    slip = page.locator(".slip")

    expect(slip).to_contain_text("75.00")
    expect(slip).to_contain_text(SEAT)
    expect(slip).to_contain_text("no. ")
    expect(slip.get_by_role("img", name="Bar code")).to_be_visible()
    expect(slip.get_by_role("img", name="Check this round")).to_be_visible()
    printed = slip.locator(".letters").inner_text()
    check_axe(page)
    page.emulate_media(media="print")
    expect(slip).to_be_visible()
    expect(page.get_by_role("navigation")).to_be_hidden()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    page.emulate_media(media="screen")
    page.locator("dialog[open] footer").get_by_role("button", name="Close").click()

    page.get_by_role("group", name="Act").get_by_role(
        "button", name="Voucher in"
    ).click()
    page.get_by_label("Voucher code").fill(printed.lower())
    page.locator("form .large").click()
    expect(page.get_by_text(f"Voucher taken for {SEAT}")).to_be_visible()
    go(page, "Vouchers")
    page.get_by_label("Voucher code").fill(printed)
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".bearer")).to_contain_text("Redeemed")
    expect(page.locator(".bearer")).to_contain_text("Carl")
    expect(page.get_by_role("button", name="in cash")).to_have_count(0)
    assert len(house.events("v3", "VoucherRedeemed")) == 1


def test_a_voucher_is_paid_in_cash_by_one_press(pages: Pages, house: House) -> None:
    house.buy_in("v2", "Ben-v2", cents=12_345)
    body = {"id": house.new_id(), "cents": 12_345}
    path = "/api/tables/v2/seats/Ben-v2/voucher"
    code = house.ask("POST", path, body, by="Carl")["voucher"]
    page = pages.open("/cashier", by="Carl")
    go(page, "Vouchers")
    field = page.get_by_label("Voucher code")
    field.fill(" ".join(code[n : n + 4] for n in range(0, 16, 4)).lower())
    field.press("Enter")
    expect(page.locator(".bearer")).to_contain_text("123.45")
    drawer = page.get_by_label("Pay from the cash of")
    expect(drawer.get_by_role("option", selected=True)).to_have_text("The cage")
    count = "1 × 100 · 2 × 10 · 1 × 2 · 1 × 1 · 2 × 0.20 · 1 × 0.05"
    expect(page.get_by_text(f"Count out: {count}")).to_be_visible()
    check_axe(page)

    page.get_by_role("button", name="Pay SGD 123.45 in cash").click()

    expect(
        page.get_by_text(f"123.45 paid in cash for voucher …{code[-4:]}")
    ).to_be_visible()
    expect(field).to_have_value("")
    expect(page.get_by_role("listitem").filter(has_text="Voucher paid")).to_be_visible()
    [paid] = house.events(HOUSE_STREAM, "VoucherPaid")
    assert (paid.cents, paid.code, paid.by.name) == (12_345, code, "Carl")
    assert not house.events("v2", "VoucherPaid")


def test_the_float_is_filled_and_counted(pages: Pages, house: House) -> None:
    page = pages.open("/cashier", by="Carl")
    at(page, "Float", "v2")
    page.get_by_label("Sum").fill("5000")
    page.get_by_role("button", name="Fill: ").click()
    expect(page.locator(".effect")).to_contain_text("5,000.00")
    page.get_by_label("Sum").fill("1000")
    page.get_by_role("button", name="Credit: ").click()
    expect(page.locator(".effect")).to_contain_text("4,000.00")
    page.get_by_role("textbox", name="Counted").fill("3990")
    page.get_by_role("button", name="Count the float").click()

    expect(page.get_by_text("The count is recorded")).to_be_visible()
    expect(page.get_by_text("SGD 10.00 less than the book")).to_be_visible()
    [counted] = house.events("v2", "FloatCounted")
    assert (counted.cents, counted.booked_cents) == (399_000, 400_000)
    check_axe(page)


def test_a_count_is_held_against_the_book_as_the_house_has_it(
    pages: Pages, house: House
) -> None:
    """Another desk moves the float while this page still shows it as it was."""
    page = pages.open("/cashier", by="Carl")
    at(page, "Float", "triple")
    book = page.locator(".effect").first
    expect(book).to_contain_text(re.compile(r"Float.*\d\.\d\d"))
    cents = house.ask("GET", "/api/tables/triple/seats", by="Carl")["float_cents"]
    fill = {"id": house.new_id(), "cents": 70_000}
    house.ask("POST", "/api/tables/triple/float/fill", fill, by="Sam")

    page.get_by_role("textbox", name="Counted").fill(str(cents // 100 + 701))
    page.get_by_role("button", name="Count the float").click()

    expect(page.get_by_text("SGD 1.00 more than the book")).to_be_visible()


def test_colour_chips_are_sold_and_taken_back(
    pages: Pages, seats: Seats, house: House
) -> None:
    act(seats, house, "v3", "colour blue to Gus 5")
    page = pages.open("/cashier", by="Carl")
    at(page, "Float")
    page.get_by_label("Colour").fill("blue")
    page.get_by_label("Player").fill("Gus")
    page.get_by_label("Chips", exact=True).fill("20")
    page.get_by_role("button", name="Sell").click()
    expect(page.get_by_text("Colour chips sold", exact=True)).to_be_visible()

    expect(page.get_by_label("Chips", exact=True)).to_have_value("")
    page.get_by_label("Chips", exact=True).fill("20")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Colour chips taken back")).to_be_visible()
    [sold] = house.events("v3", "ColourChipsBought")
    assert sold.cents == 10_000


def test_an_adjustment_by_two_people(pages: Pages, house: House) -> None:
    house.buy_in("v3", SEAT, cents=10_000)
    page = pages.open("/cashier", by="Carl")
    at(page, "Adjustments")
    page.get_by_role("button", name="Propose an adjustment").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Seat").fill(SEAT)
    dialog.get_by_label("Amount, with + or -").fill("-5.50")
    dialog.get_by_label("Reason").fill("wrong change")
    dialog.get_by_label("Your password").fill(PASSWORD)
    dialog.get_by_role("button", name="Propose", exact=True).click()

    card = page.locator("article", has_text="Approve an adjustment")
    expect(card).to_contain_text("wrong change")
    expect(card.locator(".effect")).to_contain_text(f"Credit of {SEAT}")
    expect(card.locator(".effect")).to_contain_text("\u22125.50")
    check_axe(page)
    card.get_by_role("button", name="Approve").click()
    card.get_by_label("Name").fill("Mira")
    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_role("button", name="Confirm").click()

    expect(card).to_have_count(0)
    [adjusted] = house.events("v3", "Adjusted")
    assert adjusted.cents == -550
    assert {adjusted.initiator.name, adjusted.authoriser.name} == {"Carl", "Mira"}
    expect(page.locator("header").get_by_text("Carl")).to_be_visible()


def test_a_player_is_registered_limited_and_excluded(
    pages: Pages, house: House
) -> None:
    page = pages.open("/cashier", by="Carl")
    go(page, "Players")
    page.get_by_role("button", name="Register a Player").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Name").fill("Hana")
    dialog.get_by_label("PIN").fill("2468")
    dialog.get_by_role("button", name="Register a Player").click()
    row = page.locator("tr", has_text="Hana")
    row.get_by_role("button", name="Change").click()
    page.locator("dialog[open]").get_by_label("Stake per round").fill("50")
    page.get_by_role("button", name="Set the limits").click()
    expect(row).to_contain_text("50.00")
    row.get_by_role("button", name="Change").click()
    check_axe(page)
    page.get_by_role("button", name="Exclude from play").click()

    expect(row).to_contain_text("until")
    shown = house.ask("GET", "/api/players/Hana", by="Carl")
    assert shown["stake_limit_cents"] == 5_000
    assert shown["excluded_until_ms"] is not None


def test_the_gaming_day_is_reported_and_closed(
    pages: Pages, seats: Seats, house: House
) -> None:
    play(seats, house, "v3", "17", "17@10", "red@20")
    page = pages.open("/cashier", by="Carl")
    go(page, "Gaming day")
    report = page.locator(
        "section", has=page.get_by_role("heading", name="v3", exact=True)
    )
    expect(report).to_contain_text("Straight Up")
    expect(report).to_contain_text("350.00")
    check_axe(page)
    page.emulate_media(media="print")
    expect(report).to_be_visible()
    expect(page.get_by_role("navigation")).to_be_hidden()
    page.emulate_media(media="screen")

    page.get_by_role("button", name="Close the gaming day").click()
    expect(page.locator("dialog[open]")).to_contain_text("The gaming day runs until")
    page.locator("dialog[open] footer").get_by_role(
        "button", name="Close the gaming day"
    ).click()

    expect(page.get_by_text("House head")).to_be_visible()
    [closed] = house.events("house", "GamingDayClosed")
    expect(page.get_by_text(closed.head)).to_be_visible()


@pytest.mark.parametrize("tab", TABS)
def test_every_part_fits(lasting_pages: Pages, tab: str) -> None:
    page = open_part(lasting_pages, "cashier", tab, by="Carl")

    check_part(lasting_pages, page)
