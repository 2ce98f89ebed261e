"""The Game Console: whole rounds, corrections, interruptions, by touch and by keys."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import (
    DESKTOP,
    PHONE,
    TABLET,
    Pages,
    Seats,
    check_axe,
    check_fits,
    enter,
)
from tests.e2e.kept_pages import KeptPages
from tests.e2e.looks import look
from tests.house_server.server import GAMES, PASSWORD, House, open_house
from tests.waiting import wait_for

PRIMARY = ".bar .primary"
SIZES = (PHONE, TABLET, DESKTOP)


def primary(page: Page, label: str) -> None:
    """Press the large button once it has this label."""
    button = page.locator(PRIMARY, has_text=label)
    expect(button).to_be_enabled()
    button.click()


def console(pages: Pages, table: str, *, by: str = "Dana", **how: Any) -> Page:
    """Open the console of a table, with its Dealer logged on and at the table."""
    pages.house.deal(table, by)
    page = pages.open(f"/console/{table}", by=by, **how)
    expect(page.locator("main h1")).not_to_have_text("Connecting")
    return page


def key(page: Page, number: str) -> None:
    """Key an outcome by touch, check the read-back, and confirm it."""
    page.locator(f'.pad button[aria-label^="{number} "]').first.click()
    expect(page.locator(".back")).to_contain_text(number)
    primary(page, f"Confirm {number}")


def to_outcome(page: Page) -> None:
    primary(page, "Place your bets")
    primary(page, "Spin")
    primary(page, "No more bets")


def sign(page: Page, name: str, label: str) -> None:
    """Enter name and password in the open dialog, and a reason if it asks for one."""
    dialog = page.locator("dialog[open]")
    if dialog.get_by_label("Reason").count():
        expect(dialog.get_by_role("button", name=label)).to_be_disabled()
        dialog.get_by_label("Reason").fill("seen on film")
    dialog.get_by_label("Name", exact=True).fill(name)
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name=label).click()


def lay(page: Page, player: str, chip: int, *numbers: str) -> None:
    """Lay chips of one value for a Player, straight up on these numbers."""
    named = page.get_by_role("group", name="Lay for")
    known = named.get_by_role("button", name=player, exact=True)
    if not known.count():
        named.get_by_label("Player’s name").fill(player)
        named.get_by_role("button", name="Lay for").click()
    elif known.get_attribute("aria-pressed") != "true":
        known.click()
    page.get_by_role("radio", name=str(chip), exact=True).click()
    staked = page.locator(".staked b")
    for number in numbers:
        before = staked.inner_text()
        page.locator(f'.lies [data-number="{number}"] .cell').click(force=True)
        expect(staked).not_to_have_text(before)


@pytest.mark.parametrize("table", GAMES)
def test_a_whole_round_of_each_game(
    pages: Pages, seats: Seats, house: House, table: str
) -> None:
    anna = seats.sit(table)
    board = pages.open(f"/board/{table}", size=(1920, 1080))
    page = console(pages, table)

    primary(page, "Place your bets")
    anna.until("betting")
    anna.wager("17@5")
    expect(board.locator(".band .title")).to_have_text("Place your bets")
    expect(page.locator(".staked b")).to_have_text("5.00")
    primary(page, "Spin")
    primary(page, "No more bets")
    anna.until("closed")
    expect(board.locator(".band .title")).to_have_text("No more bets")
    if table == "fast":
        expect(page.locator(".drawn li")).to_have_count(10)
        primary(page, "All are lit")
        lit = board.locator("h2", has_text="10 of 10 Bonus Numbers lit")
        expect(lit).to_be_visible()
    key(page, "17")
    expect(board.locator(".band .title")).to_have_text("17 black")
    primary(page, "Collect and pay")
    expect(page.locator("h1")).to_have_text("Open the next round")
    anna.until("ended")
    assert anna.paid_cents >= 17_500
    assert house.events(table, "RoundSettled")[-1].winning_number == "17"


def test_a_round_from_the_keyboard_alone(pages: Pages, house: House) -> None:
    page = console(pages, "triple")
    expect(page.locator(PRIMARY)).to_contain_text("Place your bets")
    for title in ("Spin the ball", "Close the betting", "Which compartment?"):
        enter(page)
        expect(page.locator("h1")).to_have_text(title)
    page.keyboard.type("00")
    expect(page.locator(".typed")).to_contain_text("00")
    page.keyboard.press("Escape")
    expect(page.locator(".typed")).to_have_count(0)
    page.keyboard.type("32")
    enter(page)
    expect(page.locator(".back .say")).to_have_text("32 red")
    expect(page.locator(".back")).to_contain_text("thirty-two")
    expect(page.locator(".beside li")).to_have_count(9)
    enter(page)
    expect(page.locator("h1")).to_have_text("Settle the round")
    enter(page)
    expect(page.locator("h1")).to_have_text("Open the next round")
    assert house.events("triple", "OutcomeAnnounced")[-1].number == "32"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Alt + L")


@pytest.mark.clause("mbs-roulette-v3", "3.7")
def test_a_close_after_the_drop_is_flagged_among_the_steps(
    pages: Pages, seats: Seats
) -> None:
    page, dealer = console(pages, "v3"), seats.deal("v3")
    steps = page.get_by_label("Steps of the round")
    dealer.act("place your bets", "spin", "ball dropped")
    expect(steps).not_to_contain_text("late")
    dealer.act("no more bets")
    expect(steps).to_contain_text("late: the ball had dropped")
    dealer.finish("17")


def no_spin_asked(page: Page, press: Callable[[], None]) -> None:
    """Press until the dialog is open: a slow page may not see two presses as a pair."""
    dialog = page.get_by_role("dialog", name="No spin")

    def is_asked() -> bool:
        if not dialog.is_visible():
            press()
        return dialog.is_visible()

    wait_for(is_asked)


def by_keys(page: Page, _: Locator) -> None:
    no_spin_asked(page, lambda: page.keyboard.press("n"))


def by_holding(page: Page, button: Locator) -> None:
    button.hover()
    page.mouse.down()
    expect(page.get_by_role("dialog", name="No spin")).to_be_visible()
    page.mouse.up()


def by_pressing_twice(page: Page, button: Locator) -> None:
    button.focus()
    no_spin_asked(page, lambda: page.keyboard.press("Enter"))


_TAP = """button => {
  for (const kind of ['pointerdown', 'pointerup'])
    button.dispatchEvent(new PointerEvent(kind, { bubbles: true }))
  button.click()
}"""
"""In one script, so that even a slow page does not take it for a hold."""


@pytest.mark.parametrize("announce", [by_keys, by_holding, by_pressing_twice])
def test_no_spin_is_held_or_pressed_twice(
    pages: Pages, house: House, announce: Callable[[Page, Locator], None]
) -> None:
    page = console(pages, "v3")
    button = page.locator("footer").get_by_role("button", name="No spin")
    expect(button).to_be_disabled()
    primary(page, "Place your bets")
    expect(button).to_be_enabled()
    button.evaluate(_TAP)
    expect(page.get_by_role("dialog", name="No spin")).to_have_count(0)
    announce(page, button)
    asked = page.get_by_role("dialog", name="No spin")
    asked.get_by_label("Reason").fill("a coin fell in")
    asked.get_by_role("button", name="No spin").click()
    expect(page.locator("h1")).to_have_text("The round is void")
    assert house.events("v3", "NoSpinAnnounced")[-1].because == "a coin fell in"
    expect(page.locator(".stage .caption").first).to_contain_text("5.12")
    primary(page, "Return every wager")


def test_no_spin_is_not_offered_where_the_document_has_none(pages: Pages) -> None:
    page = console(pages, "v2")
    expect(page.locator("footer")).to_be_visible()
    expect(page.locator(".clause").first).to_be_visible()
    expect(page.get_by_role("button", name="No spin")).to_have_count(0)


def test_chips_are_laid_from_the_keyboard(pages: Pages, house: House) -> None:
    page = console(pages, "v2")
    primary(page, "Place your bets")
    lay(page, "Chen", 5)
    page.get_by_role("application").focus()
    for pressed in ("ArrowRight", "Enter"):
        page.keyboard.press(pressed)
    expect(page.locator(".staked b")).to_have_text("5.00")
    expect(page.locator("h1")).to_have_text("Spin the ball")

    def taken_back() -> bool:
        # The sum may come before the wager, and the key does nothing without a wager.
        page.keyboard.press("Delete")
        return page.locator(".staked b").inner_text() == "0.00"

    wait_for(taken_back)
    assert house.events("v2", "WagerWithdrawn")
    page.get_by_role("button", name="Ball broke").click()
    page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
    primary(page, "Return every wager")


def test_an_untaken_console_says_take_the_table_and_nothing_else(
    pages: Pages, house: House
) -> None:
    house.http("DELETE", "/api/tables/v2/dealer", token=house.session("Dana"))
    page = pages.open("/console/v2", by="Dana")
    expect(page.locator("main h1")).to_have_text("Take the table")
    expect(page.locator("main button")).to_have_count(1)
    expect(page.locator("footer")).to_have_count(0)
    check_axe(page)
    enter(page)
    expect(page.locator(PRIMARY)).to_contain_text("Place your bets")
    expect(page.locator("footer")).to_have_count(1)


def test_an_untaken_console_on_a_phone_offers_no_spin_of_nobody(
    pages: Pages, house: House
) -> None:
    house.http("DELETE", "/api/tables/v3/dealer", token=house.session("Dana"))
    page = pages.open("/console/v3", by="Dana", size=PHONE)
    expect(page.locator("main h1")).to_have_text("Take the table")
    expect(page.get_by_role("button", name="No spin")).to_have_count(0)

    page.get_by_role("button", name="Watch").click()

    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("button", name="Log off")).to_be_visible()
    expect(drawer.get_by_text("Irregularities")).to_have_count(0)
    drawer.get_by_role("button", name="Close").click()
    page.locator(PRIMARY).click()
    expect(page.get_by_role("button", name="No spin")).to_be_visible()


def stand_apart(page: Page) -> bool:
    """Whether no part of the header overlaps another or leaves the window."""
    parts = page.locator("header > :not(dl), header dl > div").all()
    boxes = [each.bounding_box() for each in parts]
    seen = [box for box in boxes if box is not None and box["width"] > 0]
    ends = [0.0, *(box["x"] + box["width"] for box in seen)]
    starts = [*(box["x"] for box in seen), page.evaluate("innerWidth")]
    return all(end <= start + 1 for end, start in zip(ends, starts, strict=True))


@pytest.mark.parametrize("width", [768, 1024, 1200])
def test_nothing_in_the_header_overlaps(pages: Pages, width: int) -> None:
    page = console(pages, "fast", size=(width, 1024))
    expect(page.get_by_role("button", name="Leave the table")).to_be_visible()

    wait_for(lambda: stand_apart(page))


def test_a_phone_held_sideways_shows_the_layout_and_the_action(pages: Pages) -> None:
    page = console(pages, "v2", size=(844, 390))

    expect(page.locator(PRIMARY)).to_be_in_viewport(ratio=1)
    expect(page.locator('.lies [data-number="34"] .cell')).to_be_in_viewport(ratio=1)
    expect(page.locator('.lies [data-number="3"] .cell')).to_be_in_viewport(ratio=1)
    check_fits(page)


def test_on_a_very_large_screen_it_is_large_and_a_line_is_still_a_line(
    pages: Pages, house: House
) -> None:
    page = console(pages, "v2", size=(3840, 2160))
    primary(page, "Place your bets")
    lay(page, "Chen", 5)
    action = page.locator(PRIMARY).bounding_box()
    cell = page.locator('.lies [data-number="17"] .cell').bounding_box()
    assert action is not None
    assert cell is not None
    page.mouse.move(cell["x"] + cell["width"], cell["y"] + cell["height"] / 2)
    expect(page.locator(".pointed p")).to_contain_text("Split 17/20")
    page.mouse.down()
    page.mouse.up()

    expect(page.locator(".staked b")).to_have_text("5.00")
    assert house.events("v2", "WagerPlaced")[-1].wager == "split:17/20"
    assert action["height"] > 120
    check_fits(page)
    page.get_by_role("button", name="Ball broke").click()
    page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
    page.locator(".list input").click()
    expect(page.locator("h1")).to_have_text("Open the next round")


def test_a_split_and_a_corner_take_one_tap_each_and_are_named_before(
    pages: Pages, house: House
) -> None:
    page = console(pages, "v2")
    primary(page, "Place your bets")
    lay(page, "Chen", 5)
    cell = page.locator('.lies [data-number="17"] .cell')
    staked, named = page.locator(".staked b"), page.locator(".pointed p")
    for across, down, name, sum_of_all in (
        (1.0, 0.5, "Split 17/20", "5.00"),
        (0.0, 0.0, "Corner 14/15/17/18", "10.00"),
        (0.5, 0.5, "Straight Up 17", "15.00"),
    ):
        box = cell.bounding_box()
        assert box is not None
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        page.mouse.move(x + 3, y + 3)
        expect(named).to_contain_text(name)
        page.mouse.down()
        page.mouse.up()
        expect(staked).to_have_text(sum_of_all)
    page.get_by_role("button", name="List", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("17/18")
    dialog.get_by_role("button", name="Split 17/18").click()
    dialog.get_by_role("button", name="Close").click()
    expect(staked).to_have_text("20.00")
    page.get_by_role("button", name="Zoom").click()
    check_axe(page)
    assert [each.wager for each in house.events("v2", "WagerPlaced")[-4:]] == [
        "split:17/20",
        "corner:14/15/17/18",
        "straight_up:17",
        "split:17/18",
    ]
    page.get_by_role("button", name="Ball broke").click()
    page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
    page.locator(".list input").click()
    expect(page.locator("h1")).to_have_text("Open the next round")


def test_a_buy_in_is_confirmed_at_the_console(
    pages: Pages, seats: Seats, house: House
) -> None:
    ben = seats.sit("triple", "Ben", cents=0)
    page = console(pages, "triple")
    ben.ask_buy_in(5_000)
    notice = page.locator(".notice")
    expect(notice).to_contain_text("Ben-triple asks to buy in for")
    expect(notice).to_contain_text("50.00")
    notice.get_by_role("button", name="Accept").click()
    expect(notice).to_have_count(0)
    wait_for(lambda: ben.credit_cents == 5_000)


POWER_FAILURE = {
    "v2": "A12",
    "v3": "5.11.2",
    "complete": "A12",
    "fast": "5.12.2",
    "triple": "5.1.2",
}
"""The clause for a power failure before the drop; two documents have none."""


@pytest.mark.parametrize("table", GAMES)
def test_irregularities_are_listed_with_the_clauses_of_the_game(
    pages: Pages, house: House, table: str
) -> None:
    clauses = house.ask("GET", f"/api/games/{GAMES[table]}/clauses")
    page = console(pages, table)
    expect(page.locator("h1")).to_have_text("Open the next round")
    shown = page.locator("section", has=page.locator("#console-irregular"))
    voiding = [each["clause"] for each in clauses if each["voids"]]
    assert len(voiding) >= 9
    expect(shown.locator(".clause").nth(len(voiding) + 1)).to_be_attached()
    listed = shown.locator(".clause").all_inner_texts()
    assert listed[:-1] == [*voiding, POWER_FAILURE[table]]

    primary(page, "Place your bets")
    if table in {"v3", "fast"}:  # play goes on
        shown.get_by_role("button", name="Power failure").click()
        page.get_by_role("dialog").get_by_role("button", name="Report").click()
        wait_for(lambda: house.events(table, "PowerFailed"))
    shown.get_by_role("button", name="Foreign object").click()
    page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
    expect(page.locator("h1")).to_have_text("The round is void")
    primary(page, "Return every wager")


def test_a_refusal_names_its_reason_and_clause_and_authority_is_called(
    pages: Pages,
) -> None:
    page = console(pages, "v3")
    primary(page, "Place your bets")
    page.get_by_role("button", name="Close before the spin · 6.1").click()
    sign(page, "Sam", "No more bets")
    refused = page.locator("dialog[open] p[role=alert]")
    expect(refused).to_contain_text("may not do this: allow early close")
    expect(refused).to_contain_text("6.1")
    sign(page, "Mira", "No more bets")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Dana")
    primary(page, "Spin")
    key(page, "0")
    primary(page, "Collect and pay")


def test_the_colour_bank_shows_owner_value_and_marker(pages: Pages) -> None:
    page = console(pages, "v3")
    bank = page.locator("section", has=page.locator("#console-bank"))
    bank.get_by_role("button", name="Issue").click()
    form = page.locator("dialog[open]")
    form.get_by_label("Player’s name").fill("Dee")
    form.get_by_label("Value of a chip").fill("25")
    form.get_by_role("button", name="Issue").click()
    expect(form.locator("p[role=alert]")).to_contain_text("value marker")
    form.get_by_label("Value marker").select_option("marker stand")
    form.get_by_role("button", name="Issue").click()
    expect(bank).to_contain_text("Blue · Dee")
    expect(bank).to_contain_text("marker on the stand")
    bank.get_by_role("button", name="Take Blue back from Dee").click()
    expect(bank).to_contain_text("No Player has a colour.")


def rule_on_unclear(page: Page, stake: str) -> None:
    """Marked while the ball rolls, ruled on by a Pit Supervisor after the outcome."""
    page.locator("footer").get_by_role("button", name="Unclear wager").click()
    row = page.locator("dialog[open] li").filter(has_text=stake)
    row.get_by_role("button", name="Mark as unclear").click()
    expect(row.locator(".tag", has_text="unclear")).to_be_visible()
    check_axe(page)
    page.keyboard.press("Escape")


def test_chips_are_laid_ruled_on_collected_and_paid_tick_by_tick(
    pages: Pages, house: House
) -> None:
    page = console(pages, "v3")
    primary(page, "Place your bets")
    lay(page, "Chen", 25, "8", "23")
    lay(page, "Bo", 100, "23")
    page.get_by_label("on the Player’s request").check()
    lay(page, "Bo", 1, "8")
    laid = house.events("v3", "WagerPlaced")[-4:]
    assert [each.player for each in laid] == ["Chen", "Chen", "Bo", "Bo"]
    assert {each.wager for each in laid[1:3]} == {"straight_up:23"}

    rule_on_unclear(page, "1.00")
    primary(page, "Spin")
    primary(page, "No more bets")
    key(page, "23")
    expect(page.get_by_text("1 unclear wager must be ruled on first.")).to_be_visible()
    expect(page.locator(PRIMARY)).to_contain_text("See the unclear wagers")
    enter(page)
    page.get_by_role("button", name="Rule · 3.9").click()
    sign(page, "Sam", "Rule")
    expect(page.locator("dialog[open]")).to_contain_text("Chen")
    page.keyboard.press("Escape")

    rows = page.locator(".list li")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Collect")
    expect(rows.nth(2)).to_contain_text("Bo")
    expect(rows.nth(2)).to_contain_text("3,500.00")
    expect(rows.nth(2)).to_contain_text("3 chips of 1,000")
    for place in range(2):
        page.locator(".list input").nth(place).check()
        expect(page.locator(".progress")).to_contain_text(f"{place + 1} / 3")
    page.reload()
    expect(page.locator(".progress")).to_contain_text("2 / 3")
    assert house.ask("GET", "/api/tables/v3/state", by="Dana")["staff"]["settled"] == []
    enter(page)
    expect(page.locator("h1")).to_have_text("Open the next round")
    settled = house.events("v3", "RoundSettled")[-1]
    assert (settled.winning_number, len(settled.wagers)) == ("23", 4)


def test_a_correction_by_two_people(pages: Pages, seats: Seats, house: House) -> None:
    anna = seats.sit("triple")
    page = console(pages, "triple")
    primary(page, "Place your bets")
    anna.until("betting")
    anna.wager("17@5")
    primary(page, "Spin")
    primary(page, "No more bets")
    key(page, "18")
    primary(page, "Collect and pay")
    expect(page.locator("h1")).to_have_text("Open the next round")

    page.locator("footer").get_by_role("button", name="Correct an outcome").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("The right outcome").select_option("17")
    dialog.get_by_label("Reason").fill("misread")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Propose", exact=True).click()
    expect(dialog).to_contain_text("becomes 17 black")
    expect(dialog.locator("dd").filter(has_text="+180.00")).to_be_visible()
    check_axe(page)
    pages.allow(r"403")
    dialog.get_by_role("button", name="Approve").click()
    sign(page, "Dana", "Confirm")
    expect(dialog.get_by_role("alert")).to_contain_text("Another person must confirm")
    sign(page, "Sam", "Confirm")
    expect(dialog).to_have_count(0)
    expect(page.locator(".result .say")).to_have_text("17 black")
    last = page.locator("section", has=page.locator("#console-last"))
    expect(last.get_by_role("img").first).to_have_attribute("aria-label", "17 black")
    corrected = house.events("triple", "OutcomeCorrected")[-1]
    assert [each.name for each in corrected.by] == ["Dana", "Sam"]


def test_what_a_sensor_reports_is_accepted_upheld_or_rejected_by_two(
    pages: Pages, seats: Seats, house: House
) -> None:
    sensor = seats.come("sensed", "sensor-sensed")
    page = console(pages, "sensed")
    notices = page.locator(".notice")
    primary(page, "Place your bets")
    sensor.until("betting")
    sensor.fact("spun", revolutions=6, against_wheel=True)
    expect(notices).to_contain_text("The sensor reports a spin")
    notices.get_by_role("button", name="Accept").click()
    primary(page, "No more bets")
    expect(page.locator(".reports")).to_contain_text("counted 6 revolutions")
    sensor.fact("foreign_object")
    report = page.locator(".report")
    expect(report).to_contain_text("Foreign object in the wheel (5.4)")
    report.get_by_role("button", name="Reject").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Reason").fill("a shadow on the rotor")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Propose", exact=True).click()
    expect(dialog).to_have_count(0)
    page.locator("footer").get_by_role("button", name="Correct an outcome").click()
    dialog.get_by_role("button", name="Approve").click()
    sign(page, "Sam", "Confirm")
    expect(dialog).to_have_count(0)
    expect(report).to_have_count(0)
    sensor.fact("at_rest", number="7")
    expect(notices).to_contain_text("at rest in 7 red")
    page.keyboard.press("a")
    expect(page.locator("h1")).to_have_text("Settle the round")
    primary(page, "Collect and pay")
    answered = house.events("sensed", "ReportAnswered")[-1]
    assert [each.name for each in answered.by] == ["Dana", "Sam"]
    assert not answered.upheld


def test_a_light_that_stays_dark_voids_the_round(pages: Pages, seats: Seats) -> None:
    layout = seats.come("lit", "layout-lit")
    board = pages.open("/board/lit", size=(1920, 1080))
    page = console(pages, "lit")
    to_outcome(page)
    expect(page.locator(".drawn li")).to_have_count(10)
    layout.until("closed")
    drawn = wait_for(lambda: layout.view.bonus)
    for number in drawn[:-1]:
        layout.lit(number)
    expect(page.locator(".stage .caption").first).to_contain_text("9 of 10 lit")
    expect(board.locator("h2", has_text="9 of 10 Bonus Numbers lit")).to_be_visible()
    notice = page.locator(".notice")
    expect(notice).to_contain_text(
        f"No report yet that {drawn[-1]} is lit (5.11)",
        timeout=30_000,  # the house itself waits five seconds for a light
    )
    notice.get_by_role("button", name="Accept").click()
    expect(page.locator("h1")).to_have_text("The round is void")
    expect(board.locator(".band .title")).to_contain_text("Void")
    primary(page, "Return every wager")


def test_a_virtual_wheel_comes_to_rest_for_a_dealer(pages: Pages, house: House) -> None:
    page = console(pages, "virtual")
    expect(page.get_by_text("Virtual wheel: practice only")).to_be_visible()
    primary(page, "Place your bets")
    primary(page, "Spin")
    expect(page.locator("h1")).to_have_text("The virtual ball is rolling")
    keyed = page.locator(PRIMARY, has_text="Key")
    expect(keyed).to_be_enabled(timeout=40_000)
    keyed.click()
    primary(page, "Confirm")
    primary(page, "Collect and pay")
    expect(page.locator("h1")).to_have_text("Open the next round")
    rested = house.events("virtual", "BallAtRest")[-1].number
    assert house.events("virtual", "OutcomeAnnounced")[-1].number == rested


def test_a_held_round_is_decided_by_the_shift_manager(
    pages: Pages, house: House
) -> None:
    page = console(pages, "complete")
    to_outcome(page)
    page.get_by_role("button", name="Anything else").click()
    refer = page.get_by_role("dialog").get_by_role("button", name="Refer")
    expect(refer).to_be_disabled()
    page.get_by_role("dialog").get_by_label("Reason").fill("a glass fell in")
    refer.click()
    expect(page.locator("h1")).to_have_text("Which decision?")
    page.locator('.pad button[aria-label^="7 "]').click()
    primary(page, "Decide: 7 red")
    sign(page, "Mira", "Decide")
    expect(page.locator("h1")).to_have_text("Settle the round")
    primary(page, "Collect and pay")
    assert house.events("complete", "OutcomeDecided")[-1].number == "7"


def test_before_a_spin_a_held_round_goes_on_or_is_void(
    pages: Pages, house: House
) -> None:
    page = console(pages, "complete")
    primary(page, "Place your bets")
    page.get_by_role("button", name="Anything else").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("a glass fell over")
    page.get_by_role("dialog").get_by_role("button", name="Refer").click()
    expect(page.locator("h1")).to_have_text("Which decision?")
    expect(page.locator(".pad")).to_have_count(0)
    primary(page, "Decide: play goes on")
    sign(page, "Mira", "Decide")
    expect(page.locator("h1")).to_have_text("Spin the ball")
    page.get_by_role("button", name="Foreign object").click()
    page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
    primary(page, "Return every wager")
    assert house.events("complete", "PlayContinued")


def test_a_complete_wager_is_shown_whole_before_it_is_laid(
    pages: Pages, house: House
) -> None:
    page = console(pages, "complete")
    primary(page, "Place your bets")
    lay(page, "Chen", 5)
    page.get_by_role("button", name="Several pieces").click()
    several = page.locator(".several")
    several.get_by_role("combobox", name="Wager").select_option("complete")
    several.get_by_role("combobox", name="On").select_option("17")
    expect(page.get_by_text("12 pieces")).to_be_visible()
    expect(several).to_contain_text("60.00")
    page.get_by_role("button", name="Lay", exact=True).click()
    expect(page.locator(".staked b")).to_have_text("60.00")
    check_axe(page)
    assert house.events("complete", "WagerPlaced")[-1].wager == "complete:17"
    page.get_by_role("button", name="Foreign object").click()
    page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
    expect(page.locator(".list li")).to_contain_text("Return")
    page.locator(".list input").click()
    expect(page.locator("h1")).to_have_text("Open the next round")


def test_dealers_rotate_and_log_off(pages: Pages, house: House) -> None:
    dana = console(pages, "v2")
    dora = pages.open("/console/v2", by="Dora")
    dana.get_by_role("button", name="Leave the table").click()
    expect(dana.get_by_role("button", name="Take the table")).to_be_visible()
    dora.get_by_role("button", name="Take the table").click()
    expect(dora.get_by_role("button", name="Leave the table")).to_be_visible()
    expect(dana.locator("header dl")).to_contain_text("Dora")
    pages.allow(r"WebSocket|403|409")
    dora.get_by_role("button", name="Log off").click()
    expect(dora.get_by_role("heading", name="Game Console")).to_be_visible()
    assert house.events("house", "DealerWent")[-1].name == "Dora"
    dora.get_by_label("Name").fill("Dora")
    dora.get_by_label("Password").fill(PASSWORD)
    check_axe(dora)
    dora.get_by_role("button", name="Log on", exact=True).click()
    expect(dora.get_by_role("button", name="Take the table")).to_be_visible()


def test_an_interrupted_table_asks_what_the_ball_did(
    kept_pages: KeptPages, tmp_path: Path
) -> None:
    with open_house("sqlite", tmp_path) as house:
        pages, seats = Pages(kept_pages, house), Seats(house)
        anna = seats.sit("v3")
        page = console(pages, "v3")
        primary(page, "Place your bets")
        anna.until("betting")
        anna.wager("17@5")
        primary(page, "Spin")
        expect(page.locator("h1")).to_have_text("Close the betting")
        seats.close()
        pages.close()
        house.end(signal.SIGKILL)
        house.start()

        page = console(pages, "v3")
        expect(page.locator("h1")).to_have_text("What did the ball do?")
        check_axe(page)
        page.keyboard.type("17")
        primary(page, "At rest in 17 black")
        expect(page.locator("h1")).to_have_text("A second person confirms")
        expect(page.locator(".stated .say")).to_have_text("17 black")
        primary(page, "Second person confirms")
        sign(page, "Dora", "Confirm")
        refused = page.locator("dialog[open] p[role=alert]")
        expect(refused).to_contain_text("Dora is not the Dealer of v3")
        sign(page, "Sam", "Confirm")
        expect(page.locator("h1")).to_have_text("Close the betting")
        primary(page, "No more bets")
        primary(page, "Key 17")
        primary(page, "Confirm 17")
        primary(page, "Collect and pay")
        expect(page.locator("h1")).to_have_text("Open the next round")
        settled = house.events("v3", "RoundSettled")[-1]
        assert settled.wagers[0].pieces[0].paid_cents == 17_500
        pages.close()


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_stage_at_every_size(pages: Pages, language: str) -> None:
    page = console(pages, "fast", language=language)

    def look_at(pressed: Locator) -> None:
        """Check that the next button can be pressed at each size."""
        for size in SIZES:
            look(page, sizes=[size], axe_at=[size])
            pressed.click(trial=True)

    big, done = page.locator(PRIMARY), page.locator("ol li.done")
    for taken in range(3):  # phases: waiting, betting, spun
        expect(big).to_be_enabled()
        if taken:
            expect(done).to_have_count(taken)
        look_at(big)
        big.click()
    expect(page.locator(".drawn li")).to_have_count(10)
    look_at(big)
    big.click()
    number = page.locator('.pad button[aria-label^="32 "]')
    look_at(number)
    number.click()
    expect(page.locator(".back")).to_be_visible()
    look_at(big)
    big.click()
    expect(page.locator(".outcome")).to_be_visible()
    look_at(big)
    big.click()
    expect(page.locator(".result")).to_be_visible()
    assert not re.search(r"\b(console|board)\.\w", page.locator("body").inner_text())
