"""The Player Terminal: chips laid and taken back, whole rounds, credit, a lost line."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.e2e.conftest import (
    PHONE,
    Dealer,
    Pages,
)
from tests.e2e.parts import check
from tests.e2e.terminals import FELT, Terminal
from tests.house_server.server import GAMES, House
from tests.waiting import wait_for


def alerts(within: Page | Locator, words: str) -> None:
    """Check for an alert, which screen readers say at once."""
    expect(within.get_by_role("alert").filter(has_text=words)).to_be_visible()


def lie(dealer: Dealer, *wagers: str) -> None:
    """Wait until the Dealer sees exactly these wagers on the layout."""

    def seen() -> list[str]:
        staff = dealer.table.staff
        return sorted(each.wager for each in staff.wagers) if staff else []

    wait_for(lambda: seen() == list(wagers))


# Chips


def test_chips_are_laid_taken_back_undone_doubled_and_laid_again(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3")
    dealer.open()
    seat.says("Place your bets")

    seat.tap("17")
    seat.stakes("5.00")
    seat.edge("17", 1, 0.5)
    seat.edge("17", 1, 0)
    seat.tap("red")
    seat.stakes("20.00")
    expect(seat.chips()).to_have_count(4)
    seat.tap("17", button="right")
    seat.stakes("15.00")
    seat.press("Undo")
    seat.stakes("20.00")
    seat.press("Double")
    seat.stakes("40.00")
    seat.press("Clear")
    seat.stakes("0.00")
    expect(seat.chips()).to_have_count(0)
    seat.press("Undo")
    seat.stakes("40.00")
    expect(seat.figure("Credit")).to_contain_text("960.00")

    dealer.close()
    seat.says("No more bets")
    expect(seat.page.get_by_role("button", name="Undo")).to_be_disabled()
    dealer.decide("0")
    dealer.settle()
    dealer.open()
    seat.press("Rebet")
    seat.stakes("40.00")
    lie(dealer, "corner:17/18/20/21", "red", "split:17/20", "straight_up:17")


def test_a_hold_takes_back_own_chips_and_places_where_none_lie(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v2"), terminal("v2")
    dealer.open()
    seat.tap("5", delay=700)
    seat.stakes("5.00")
    seat.number("5").hover(force=True)
    seat.page.mouse.down()
    expect(
        seat.page.locator("main").get_by_text("Let go to take it back")
    ).to_be_visible()
    seat.page.mouse.up()
    seat.stakes("0.00")
    lie(dealer)


def test_the_keyboard_is_enough(terminal: Any, dealing: Any) -> None:
    dealer, seat = dealing("triple"), terminal("triple")
    dealer.open()
    felt = seat.page.locator(FELT)
    felt.focus()
    seat.page.keyboard.press("ArrowRight")
    for _ in range(7):
        seat.page.keyboard.press("ArrowRight")
    seat.page.keyboard.press("Enter")
    seat.stakes("5.00")
    expect(felt.locator("xpath=../..").locator("[aria-live=polite]")).to_contain_text(
        "your stake 5.00"
    )
    seat.page.keyboard.press("Delete")
    seat.stakes("0.00")
    seat.page.get_by_role("radio", name="5", exact=True).focus()
    seat.page.keyboard.press("ArrowRight")
    expect(seat.page.get_by_role("radio", name="25", exact=True)).to_be_checked()


def test_a_refusal_is_said_in_words_with_its_clause(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Ben", cents=500_000)
    dealer.open()
    seat.take("1,000")
    seat.tap("33")
    alert = seat.page.get_by_role("alert")
    expect(alert).to_contain_text("Refused: 1,000.00 given back")
    expect(alert).to_contain_text(
        "You would have 1,000.00 on Straight Up 33;"
        " the limits are 1.00 to 500.00 (3.3.1)"
    )
    expect(seat.chips("registered")).to_have_count(0)
    expect(seat.figure("Credit")).to_contain_text("5,000.00")
    seat.stakes("0.00")
    seat.page.get_by_role("button", name="History").click()
    expect(seat.page.get_by_role("dialog")).to_contain_text("Straight Up 33")
    check(seat.page)


def test_pointing_shows_numbers_pays_limits_and_what_a_chip_would_win(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Cara")
    dealer.open()
    seat.box("dozen:2").hover()
    card = seat.page.get_by_label("Details")
    for said in ("Dozen 2", "13 · 14 · 15", "2 to 1", "5 – 1,000", "10.00"):
        expect(card).to_contain_text(said)


# Wagers of many pieces


def test_a_section_shows_pieces_and_total_before_it_is_confirmed(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("complete"), terminal("complete")
    dealer.open()
    seat.page.get_by_role("button", name="Voisins du Zéro 9 pieces").click()
    card = seat.page.get_by_label("Details")
    expect(card).to_contain_text("9 × 5.00")
    expect(card).to_contain_text("45.00")
    expect(seat.chips("placing")).to_have_count(7)
    seat.stakes("0.00")
    seat.page.get_by_role("button", name="Cancel").click()
    expect(seat.chips("placing")).to_have_count(0)

    seat.page.get_by_role("button", name="Tiers 6 pieces").click()
    seat.take("25")
    expect(card).to_contain_text("6 × 25.00")
    seat.page.get_by_role("button", name="Confirm 150.00").click()
    seat.stakes("150.00")
    expect(seat.chips()).to_have_count(6)
    lie(dealer, "tiers")
    seat.page.get_by_role("button", name="Complete", exact=True).click()
    seat.tap("17")
    expect(card).to_contain_text("12 × 25.00")
    seat.page.get_by_role("button", name="Confirm 300.00").click()
    seat.stakes("450.00")


def test_neighbours_and_finales_of_triple_zero(terminal: Any, dealing: Any) -> None:
    dealer, seat = dealing("triple"), terminal("triple", "Ben")
    dealer.open()
    seat.page.get_by_role("button", name="Neighbours", exact=True).click()
    seat.page.get_by_role("radio", name="3 on either side").click()
    seat.tap("17")
    seat.page.get_by_role("button", name="Confirm 35.00").click()
    seat.stakes("35.00")
    seat.page.get_by_role("button", name="Finales", exact=True).click()
    seat.tap("14")
    seat.page.get_by_role("button", name="Confirm 20.00").click()
    seat.stakes("55.00")
    lie(dealer, "finales:4", "neighbours:17:3")


def test_the_racetrack_on_a_phone_covers_nothing(terminal: Any, dealing: Any) -> None:
    dealer, seat = dealing("complete"), terminal("complete", "Ben", size=PHONE)
    dealer.open()
    seat.press("Racetrack")
    track = seat.page.get_by_role("region", name="Racetrack")
    felt = seat.page.get_by_role("region", name="Betting layout")
    check(seat.page)
    for width, height in ((844, 390), (667, 375), PHONE):
        seat.page.set_viewport_size({"width": width, "height": height})
        below, layout = track.bounding_box(), felt.bounding_box()
        assert below is not None
        assert layout is not None
        assert layout["y"] + layout["height"] <= below["y"]
        assert layout["height"] > height / 3
        assert below["y"] + below["height"] <= height
        expect(seat.page.locator("section.band")).to_be_in_viewport(ratio=1)
    track.get_by_role("button", name="Orphelins").click()
    seat.page.get_by_role("button", name="Confirm 25.00").click()
    seat.stakes("25.00")
    dealer.close()
    expect(track).to_have_count(0)


def test_lines_and_corners_by_touch_list_and_zoom_on_a_phone(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Ben", size=PHONE)
    dealer.open()
    seat.page.get_by_role("button", name="Menu").click()
    seat.page.get_by_role("button", name="All betting areas").click()
    dialog = seat.page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("17/20")
    dialog.get_by_role("button", name="Split 17/20").click()
    dialog.get_by_role("button", name="Close").click()
    seat.stakes("5.00")
    seat.edge("8", 1, 0)
    seat.edge("17", 0.5, 0.5)
    seat.page.get_by_role("button", name="Zoom").click()
    seat.edge("14", 1, 0.5)
    seat.stakes("20.00")
    lie(dealer, "corner:5/6/8/9", "split:14/15", "split:17/20", "straight_up:17")


# Rounds


@pytest.mark.parametrize("table", GAMES)
def test_a_whole_round_of_each_game(
    terminal: Any, dealing: Any, house: House, table: str
) -> None:
    dealer, seat = dealing(table), terminal(table, "Cara")
    dealer.open()
    seat.says("Place your bets")
    seat.tap("17")
    seat.stakes("5.00")
    check(seat.page)
    dealer.close()
    seat.says("No more bets")
    dealer.decide("17")
    seat.says("17 black")
    dealer.settle()
    expect(seat.chips("won")).to_have_count(1)
    expect(seat.page.locator(f"{FELT} .dolly")).to_have_count(1)
    result = seat.page.get_by_label("Your result")
    expect(result).to_contain_text("Straight Up 17")
    expect(result.locator(".net.brass")).to_be_visible()
    check(seat.page)
    seen = {
        each.announcement
        for each in house.events(table, "AnnouncementShown")
        if each.terminal == f"Cara-{table}"
    }
    assert seen == {"place your bets", "no more bets"}


@pytest.mark.clause("rws-triple-zero", "1.6")
@pytest.mark.clause("rws-triple-zero", "1.9")
@pytest.mark.clause("rws-triple-zero", "3.2")
@pytest.mark.clause("rws-triple-zero", "3.3")
@pytest.mark.clause("rws-triple-zero", "3.5")
def test_triple_zero_is_played_by_the_notices_and_limits_of_its_terminal(
    terminal: Any, dealing: Any, house: House
) -> None:
    dealer, seat = dealing("triple"), terminal("triple", "Cara")
    last = seat.figure("Stake").inner_text()  # a round of another test
    seat.tap("17")
    seat.stakes(last)
    dealer.open()
    seat.says("Place your bets")
    seat.stakes("0.00")
    seat.tap("17")
    seat.stakes("5.00")
    seat.box("red").hover()
    expect(seat.page.get_by_label("Details")).to_contain_text("5 – 1,000")
    seat.take("1,000")
    seat.tap("33")
    expect(seat.page.get_by_role("alert")).to_contain_text(
        "the limits are 1.00 to 500.00 (3.3)"
    )
    dealer.close()
    seat.says("No more bets")
    seat.tap("20")
    seat.stakes("5.00")
    lie(dealer, "straight_up:17")
    dealer.finish("17")
    expect(seat.page.get_by_label("Your result")).to_contain_text("+175.00")
    seat.press("Collect")
    seat.page.get_by_role("button", name=re.compile("^Collect ")).click()
    wait_for(lambda: issued(house, "Cara-triple"))


def test_a_loss_wears_no_brass(terminal: Any, dealing: Any) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Cara")
    dealer.open()
    seat.tap("red")
    seat.tap("17")
    seat.take("25")
    seat.tap("20")
    seat.stakes("35.00")
    dealer.finish("32")
    result = seat.page.get_by_label("Your result")
    expect(result.locator(".net")).to_contain_text("\N{MINUS SIGN}25.00")
    expect(result.locator(".brass")).to_have_count(0)
    expect(seat.figure("Last win")).to_have_text("5.00")


WATCH_BALL = """() => {
  const seen = (window.seen = [])
  const look = () => {
    const ball = document.querySelector('.wheel .runs')
    if (ball) {
      const at = new DOMMatrix(getComputedStyle(ball).transform)
      const radius = Math.hypot(at.e, at.f) / ball.clientWidth
      const angle = Math.atan2(at.e, -at.f)
      seen.push([document.timeline.currentTime / 1000, radius, angle])
    }
    requestAnimationFrame(look)
  }
  look()
}"""


WATCH_BAND = """setInterval(() => {
  const said = document.querySelector('section.band:is(.outcome, .settled)')
  if (said) window.said ??= Date.now()
})"""
SHORTEST_RUN_MS = 5_000


def test_a_virtual_ball_never_jumps_and_lies_before_the_outcome_is_said(
    terminal: Any, pages: Pages, house: House
) -> None:
    seat = terminal("virtual", still=False)
    board = pages.open("/board/virtual", still=False)
    late = pages.open("/board/v3", size=PHONE, new=True)
    expect(late.locator(".winner")).to_be_visible()  # it is connected
    late.add_init_script(WATCH_BAND)
    seat.page.evaluate(WATCH_BALL)
    for state in (".betting, .closing", ".spinning"):
        band = seat.page.locator("section.band").and_(seat.page.locator(state))
        band.wait_for(timeout=40_000)
    expect(seat.page.locator(".wheel .runs")).to_have_count(1)
    expect(board.locator(".wheel .runs")).to_have_count(1)
    already = len(_announced_ms(house))
    announced_ms = wait_for(lambda: _announced_ms(house)[already:], 60)[0]
    late.goto("/board/virtual")
    said = "section.band.outcome, section.band.settled"
    seat.page.locator(said).wait_for(timeout=30_000)
    board.locator(said).wait_for()
    expect(seat.page.locator(f"{FELT} .dolly")).to_have_count(1)

    said_ms = wait_for(lambda: late.evaluate("window.said"))
    assert said_ms - announced_ms > SHORTEST_RUN_MS
    jumps = _jumps(seat.page)
    for _ in range(2):  # a page that got no processor time may lose a frame of one ball
        if not jumps:
            break
        seat.page.evaluate("() => { window.seen.length = 0 }")
        seat.page.locator("section.band.spinning").wait_for(timeout=60_000)
        seat.page.locator(said).wait_for(timeout=30_000)
        jumps = _jumps(seat.page)
    assert jumps == []


def _jumps(page: Page) -> list[tuple[float, float, float]]:
    """Return the frames in which a ball moved further than a ball can."""
    seen = page.evaluate("() => window.seen")
    assert len(seen) > 20
    found = []
    for (began, before, turned), (now, after, angle) in pairwise(seen):
        lasted = now - began
        step = (angle - turned + math.pi) % math.tau - math.pi
        # On the rim: 9 rad/s one way; with the wheel: under 1 rad/s the other way.
        turns = -9.5 * lasted - 0.02 < step < 2 * lasted + 0.02
        falls = abs(after - before) < 1.5 * lasted + 0.005
        # The next ball is thrown out to the rim from the last one's compartment.
        is_thrown = after - before > 0.15
        # In a longer frame the page got no processor time.
        if 0 < lasted < 0.05 and not (is_thrown or (turns and falls)):
            found.append((lasted, step, after - before))
    return found


def _announced_ms(house: House) -> list[int]:
    """Return the times of the outcomes announced at the virtual wheel."""
    rows = house.rows("virtual")
    return [row.at_ms for row in rows if row.kind == "OutcomeAnnounced"]


# A lost line


class Line:
    """A proxy between the page's socket and the house; it can be dumb, deaf or gone."""

    def __init__(self, page: Page) -> None:
        self.dumb = self.deaf = self._gone = False
        self._route: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/api/tables/[^/]+/play$"), self._open)
        page.reload()

    def _open(self, route: WebSocketRoute) -> None:
        if self._gone:
            route.close(code=1011)
            return
        self._route, house = route, route.connect_to_server()
        route.on_message(lambda said: None if self.dumb else house.send(said))
        house.on_message(lambda said: None if self.deaf else route.send(said))

    def cut(self) -> None:
        assert self._route is not None
        self._gone = True
        self._route.close(code=1011)

    def mend(self) -> None:
        self.dumb = self.deaf = self._gone = False


def test_after_a_lost_line_what_is_registered_and_what_was_returned(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Anna", new=True)
    line = Line(seat.page)
    dealer.open()
    seat.says("Place your bets")
    seat.tap("17")
    seat.stakes("5.00")
    line.dumb = True
    seat.tap("20")
    expect(seat.chips("placing")).to_have_count(1)
    dealer.close()
    seat.says("No more bets")
    line.cut()
    seat.says("No connection")
    expect(seat.page.locator("section.band .detail")).to_have_text(
        "1 registered; 1 not registered and will be returned"
    )
    expect(seat.number("17")).to_be_visible()
    line.mend()
    expect(seat.page.locator(".note")).to_contain_text(
        "1 wager registered · 5.00 returned"
    )
    expect(seat.chips("placing")).to_have_count(0)
    seat.stakes("5.00")


def test_a_voucher_is_issued_once_though_the_answer_is_lost(
    terminal: Any, house: House
) -> None:
    seat = terminal("sensed", "Cara", new=True)
    line = Line(seat.page)
    expect(seat.figure("Credit")).to_contain_text("1,000.00")
    seat.press("Collect")
    line.deaf = True
    seat.page.get_by_role("button", name="Collect 1,000.00").click()
    wait_for(lambda: issued(house, "Cara-sensed"))
    line.cut()
    line.mend()
    code = issued(house, "Cara-sensed")[0].code
    dialog = seat.page.get_by_role("dialog")
    expect(dialog).to_contain_text(" ".join(re.findall("....", code)))
    expect(dialog).to_contain_text("1,000.00")
    seat.page.reload()
    expect(dialog).to_contain_text(" ".join(re.findall("....", code)))
    check(seat.page)
    dialog.get_by_role("button", name="I have it").click()
    expect(seat.figure("Credit")).to_contain_text("0.00")
    assert len(issued(house, "Cara-sensed")) == 1

    seat.page.get_by_role("button", name="Credit 0.00: add or collect").click()
    field = seat.page.get_by_label("Scan or type the code")
    expect(field).to_be_focused()
    seat.page.keyboard.type(code.lower())
    seat.page.keyboard.press("Enter")
    expect(seat.figure("Credit")).to_contain_text("1,000.00")
    field.fill(code)
    seat.page.get_by_role("button", name="Redeem").click()
    alerts(dialog, "can’t be redeemed")


def issued(house: House, seat: str) -> list[Any]:
    """Return the vouchers issued from a seat's credit."""
    table = seat.partition("-")[2]
    return [each for each in house.events(table, "VoucherIssued") if each.seat == seat]


def test_an_attendant_is_asked_for_a_buy_in(terminal: Any, dealing: Any) -> None:
    dealer, seat = dealing("fast"), terminal("fast", cents=0)
    seat.press("Collect")
    seat.page.get_by_label("Sum").fill("50")
    seat.page.get_by_role("button", name="Ask an attendant").click()
    expect(seat.page.get_by_role("dialog")).to_contain_text(
        "An attendant has been asked to take 50.00"
    )
    [notice] = wait_for(
        lambda: [each for each in dealer.table.staff.notices if each.kind == "buy_in"]
    )
    assert (notice.seat, notice.cents) == ("Anna-fast", 5_000)


# A named Player


def sit_down(seat: Terminal, name: str, pin: str) -> None:
    """Sit down by name and PIN; the Player's sheet must be open."""
    seat.page.get_by_label("Name").fill(name)
    seat.page.get_by_label("PIN").fill(pin)
    seat.page.get_by_role("button", name="Sit down").click()


def test_a_named_player_sits_down_lowers_their_limits_and_leaves(
    terminal: Any, dealing: Any, house: House
) -> None:
    house.ask("POST", "/api/players", {"name": "Wanda", "pin": "2468"}, by="Carl")
    dealer, seat = dealing("fast"), terminal("fast", "Ben", cents=0)
    seat.page.get_by_role("button", name="Player").click()
    dialog = seat.page.get_by_role("dialog")
    sit_down(seat, "Wanda", "0000")
    alerts(dialog, "The name or the PIN is wrong")
    sit_down(seat, "Wanda", "2468")
    expect(dialog).to_contain_text("Time in this session")
    dialog.get_by_label("Stake in a round").fill("20")
    dialog.get_by_role("button", name="Set these limits").click()
    expect(dialog).to_contain_text("now 20.00")
    check(seat.page)
    dialog.get_by_role("button", name="Close").click()

    house.buy_in("fast", "Wanda", cents=20_000)
    dealer.open()
    seat.take("25")
    seat.tap("5")
    alerts(seat.page, "Your own limit is 20.00 in a round")
    seat.page.get_by_role("button", name="Wanda").click()
    dialog.get_by_role("button", name="Leave the seat").click()
    expect(dialog.get_by_label("PIN")).to_be_visible()


def test_a_player_excludes_themselves_and_may_not_sit_down_again(
    terminal: Any, house: House
) -> None:
    house.ask("POST", "/api/players", {"name": "Yves", "pin": "2468"}, by="Carl")
    seat = terminal("sensed", "Anna", cents=0)
    seat.page.get_by_role("button", name="Player").click()
    dialog = seat.page.get_by_role("dialog")
    sit_down(seat, "Yves", "2468")
    dialog.get_by_label("For how long").select_option("30 days")
    dialog.get_by_role("button", name="Exclude yourself from play").click()
    dialog.get_by_role("button", name="Exclude me until").click()
    expect(dialog.get_by_label("PIN")).to_be_visible()
    sit_down(seat, "Yves", "2468")
    alerts(dialog, "You are excluded from play")


def test_a_named_player_keeps_favourites_with_the_house(
    terminal: Any, dealing: Any, house: House
) -> None:
    house.ask("POST", "/api/players", {"name": "Xenia", "pin": "2468"}, by="Carl")
    dealer, seat = dealing("sensed"), terminal("sensed", "Ben", cents=0)
    seat.page.get_by_role("button", name="Player").click()
    sit_down(seat, "Xenia", "2468")
    dialog = seat.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Time in this session")
    dialog.get_by_role("button", name="Close").click()
    house.buy_in("sensed", "Xenia")
    expect(seat.figure("Credit")).to_contain_text("1,000.00")
    keep_and_lay(seat, dealer)
    kept = house.ask("GET", "/api/players/Xenia/favourites", by="Carl")
    assert [each["wagers"] for each in kept] == [["straight_up:17@500", "red@500"]]


def test_a_guest_keeps_favourites_in_the_browser(terminal: Any, dealing: Any) -> None:
    keep_and_lay(terminal("v2", "Anna"), dealing("v2"))


def keep_and_lay(seat: Terminal, dealer: Dealer) -> None:
    """Keep chips under a name, clear them, and lay them again."""
    dealer.open()
    dialog = seat.page.get_by_role("dialog")
    seat.tap("17")
    seat.tap("red")
    seat.stakes("10.00")
    seat.press("Favourites")
    dialog.get_by_label("Name").fill("mine")
    dialog.get_by_role("button", name="Keep these chips").click()
    expect(dialog.get_by_role("listitem")).to_contain_text("Straight Up 17 · Red")
    check(seat.page)
    dialog.get_by_role("button", name="Close").click()
    seat.press("Clear")
    seat.stakes("0.00")
    seat.press("Favourites")
    dialog.get_by_role("button", name="Place", exact=True).click()
    seat.stakes("10.00")
    seat.press("Clear")
    seat.stakes("0.00")
    slots = seat.page.get_by_role("group", name="Favourites")
    slots.get_by_role("button", name="mine").click()
    seat.stakes("10.00")


# For everyone


@pytest.mark.parametrize(
    "sheet", ["History", "Rules and odds", "Player", "Menu", "List"]
)
def test_every_sheet(terminal: Any, sheet: str) -> None:
    seat = terminal("complete", "Anna", cents=0)
    seat.page.get_by_role("button", name=sheet).first.click()
    expect(seat.page.get_by_role("dialog")).to_be_visible()
    check(seat.page)


@pytest.mark.clause("mbs-roulette-v3", "6.4")
@pytest.mark.clause("rws-triple-zero", "5.8")
@pytest.mark.parametrize(("table", "clause"), [("v3", "(6.4)"), ("triple", "(5.8)")])
def test_statistics_are_information_only_by_their_clause(
    terminal: Any, table: str, clause: str
) -> None:
    seat = terminal(table, "Anna", cents=0)
    seat.page.get_by_role("button", name="History").click()
    dialog = seat.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Information only")
    expect(dialog).to_contain_text(clause)


def test_chinese_is_complete(terminal: Any) -> None:
    seat = terminal("complete", "Anna", cents=0, language="zh-Hans")
    expect(seat.page.locator("html")).to_have_attribute("lang", "zh-Hans")
    for name in ("历史", "规则与赔率", "玩家", "菜单"):
        seat.page.get_by_role("button", name=name).first.click()
        expect(seat.page.get_by_role("dialog")).to_be_visible()
        seat.page.keyboard.press("Escape")
    shown = seat.page.locator("body").inner_text()
    assert not re.search(r"\b(terminal|band|felt|track)\.\w+", shown)
    words = {word for word in re.findall(r"[A-Za-z]{4,}", shown) if word not in _NAMES}
    assert words == set()


_NAMES = {"Croupier", "Roulette", "Complete", "Anna", "complete", "Spiel"} | {
    *("Firefox", "Control", "Option", "Shift")
}
"""Names that no language translates, and the labels of keys."""
