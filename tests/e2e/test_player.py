"""A Player's own play on the page: results, rounds, time, statistics."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import PHONE, TABLET, Pages
from tests.e2e.parts import check
from tests.e2e.terminals import FELT
from tests.house_server.server import House

MINUS = "\N{MINUS SIGN}"
SMALL = {"phone": PHONE, "lying": (844, 390), "tablet": TABLET, "tall": (768, 1024)}
"""The sizes without a card beside the layout."""


def test_if_a_number_comes_stands_on_the_felt_with_the_exact_edge(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Anna")
    dealer.open()
    seat.tap("17")
    seat.tap("dozen:2")
    seat.stakes("10.00")
    nets = seat.page.locator("svg .net")
    expect(nets).to_have_count(0)

    seat.page.keyboard.press("i")

    expect(seat.number("17").locator(".net.ahead")).to_have_text("+185")
    expect(seat.number("18").locator(".net.ahead")).to_have_text("+5")
    expect(seat.number("0").locator(".net")).to_have_text(f"{MINUS}10")
    card = seat.page.get_by_label("Details")
    seat.number("17").hover(force=True)
    for said in ("If 17 comes", "+185.00", "175.00", "1/37", "0.27 of 10.00"):
        expect(card).to_contain_text(said)
    expect(card).to_contain_text("Ahead on 12 of 37 numbers")
    check(seat.page)
    seat.tap("0")
    expect(seat.number("0").locator(".net.ahead")).to_have_text("+165")
    seat.page.get_by_role("button", name="If it comes").click()
    expect(nets).to_have_count(0)


def test_if_a_number_comes_on_a_phone_where_bonus_numbers_decide(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("fast"), terminal("fast", "Anna", size=PHONE)
    dealer.open()
    seat.tap("17")
    seat.stakes("5.00")
    seat.page.get_by_role("button", name="Menu").click()
    seat.page.get_by_role("button", name="If it comes").click()
    seat.page.keyboard.press("Escape")
    expect(seat.number("17").locator(".net.ahead")).to_have_text("\u2265+175")
    expect(seat.number("18").locator(".net")).to_have_text(f"{MINUS}5")


@pytest.mark.parametrize("size", SMALL)
def test_where_there_is_no_card_the_exact_edge_has_a_line(
    terminal: Any, dealing: Any, size: str
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Anna", size=SMALL[size])
    dealer.open()
    seat.tap("17")
    seat.tap("dozen:2")
    seat.stakes("10.00")
    line = seat.page.get_by_text("Exact house edge 1/37").filter(visible=True)
    expect(line).to_have_count(0)

    seat.page.mouse.move(1, 1)
    seat.page.keyboard.press("i")

    expect(line).to_be_visible()
    expect(line).to_contain_text("0.27 of 10.00, on average")
    if size != "phone":
        expect(line).to_contain_text("Ahead on 12 of 37 numbers")
    check(seat.page)


@pytest.mark.parametrize("size", SMALL)
def test_where_there_is_no_card_the_result_stays_in_the_band(
    terminal: Any, dealing: Any, size: str
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Anna", size=SMALL[size])
    dealer.open()
    seat.tap("17")
    seat.tap("red")
    seat.stakes("10.00")
    dealer.finish("17")
    band = seat.page.locator("section.band")
    said = "+170.00 · Straight Up 17 (4.1)"
    expect(band).to_contain_text(f"Net {said}")
    expect(band).to_contain_text("Win 175.00")
    lay = seat.page.locator(FELT).bounding_box()

    dealer.open()

    expect(band).to_contain_text(said)
    expect(band).to_contain_text("Win 175.00")
    if size != "lying":  # the card stood beside the layout until now
        assert seat.page.locator(FELT).bounding_box() == lay
    check(seat.page)
    seat.tap("5")
    seat.stakes("5.00")
    expect(band).not_to_contain_text("Win")


def test_who_sits_a_round_out_keeps_the_result_until_its_outcome(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Cara")
    dealer.open()
    seat.tap("17")
    seat.stakes("5.00")
    dealer.finish("17")
    dealer.open()
    dealer.close()
    seat.says("No more bets")

    expect(seat.chips("won")).to_have_count(1)
    expect(seat.page.get_by_label("Your result")).to_contain_text("Straight Up 17")

    dealer.decide("0")
    seat.says("0 green")
    expect(seat.chips("won")).to_have_count(0)


@pytest.mark.parametrize("still", [True, False])
def test_chips_that_lost_are_swept_and_leave_what_they_cost(
    terminal: Any, dealing: Any, *, still: bool
) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Cara", still=still)
    dealer.open()
    seat.tap("17")
    seat.tap("red")
    seat.tap("red")
    seat.stakes("15.00")
    dealer.finish("17")

    expect(seat.chips("won")).to_have_css("opacity", "1")
    if still:
        expect(seat.chips("lost")).to_have_count(0)
    else:
        expect(seat.chips("lost")).to_have_css("opacity", "0")
    expect(seat.page.locator(f"{FELT} .left text")).to_have_text(f"{MINUS}10")


def test_a_result_stays_until_the_first_bet_and_a_correction_is_explained(
    terminal: Any, dealing: Any, house: House
) -> None:
    dealer, seat = dealing("triple"), terminal("triple", "Ben")
    dealer.open()
    seat.tap("17")
    seat.tap("red")
    seat.stakes("10.00")
    dealer.finish("17")
    round_number = dealer.view.round
    expect(seat.chips("won")).to_have_count(1)
    dealer.open()
    seat.says("Place your bets")
    expect(
        seat.page.get_by_text("Your result stays here until your next bet.").first
    ).to_be_visible()
    expect(seat.chips("won")).to_have_count(1)
    seat.tap("5")
    seat.stakes("5.00")
    expect(seat.chips("won")).to_have_count(0)

    act = f"correct round {round_number} to 18"
    assert house.propose("triple", act, by=("Dana", "Sam")).status == 200
    card = seat.page.locator(".changes section")
    expect(card).to_contain_text(f"Round {round_number}: the outcome was corrected")
    expect(card).to_contain_text("5.5")
    expect(card).to_contain_text("Credit 1,165.00 → 995.00")
    expect(seat.figure("Last win")).to_have_text("5.00")
    check(seat.page)
    seat.page.reload()
    card.get_by_role("button", name="Understood").click()
    expect(card).to_have_count(0)


def test_my_play_has_the_houses_record_a_receipt_and_what_happened_while_away(
    terminal: Any, dealing: Any, house: House
) -> None:
    dealer, seat = dealing("triple"), terminal("triple", "Anna")
    dealer.open()
    seat.tap("17")
    seat.tap("red")
    seat.stakes("10.00")
    dealer.finish("17")
    played = dealer.view.round
    expect(seat.chips("won")).to_have_count(1)
    seat.page.goto("/")
    act = f"correct round {played} to 18"
    assert house.propose("triple", act, by=("Dana", "Sam")).status == 200
    house.buy_in("triple", "Anna-triple", cents=2_000)
    seat.page.go_back()
    cards = seat.page.locator(".changes section")
    expect(cards).to_have_count(2)
    added, corrected = cards.first, cards.last
    expect(added).to_contain_text("Bought in")
    expect(added).to_contain_text("Credit 1,000.00 → 1,020.00")
    said = f"Round {played}: the outcome was corrected (5.5)"
    expect(corrected).to_contain_text(said)
    expect(corrected).to_contain_text("Credit 1,170.00 → 1,000.00")
    for left in (1, 0):
        added.get_by_role("button", name="Understood").click()
        expect(cards).to_have_count(left)

    seat.page.get_by_role("button", name="My play").click()
    dialog = seat.page.get_by_role("dialog")
    dialog.locator("summary").click()
    for said in (
        "Credit 1,170.00 → 1,000.00",
        "collected 5.00 (4.1)",
        "Net of the round +170.00 → 0.00",
    ):
        expect(dialog).to_contain_text(said)
    check(seat.page)
    dialog.get_by_role("button", name=f"Receipt of round {played}").click()
    recalled = house.ask("GET", f"/api/tables/triple/rounds/{played}", by="Ines")
    [_, seal] = [e["hash"] for e in recalled["events"] if e["event"] == "RoundSettled"]
    printed = " ".join(re.findall(".{8}", seal))
    expect(dialog.locator(".seal")).to_have_text(printed)
    check(seat.page)
    _check_on_paper(seat.page)


def _check_on_paper(page: Page) -> None:
    """Check that the receipt prints alone, on one page, black on white."""
    paper = page.pdf(format="A5")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    page.emulate_media(media="print")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".seal")).to_be_visible()
    expect(dialog.get_by_text("5.5")).to_be_visible()
    for elsewhere in ("footer", "header", FELT, "section.band", "dialog .row"):
        expect(page.locator(elsewhere).first).to_be_hidden()
    ink = "each => getComputedStyle(each).color"
    assert dialog.locator(".seal").evaluate(ink) == "rgb(0, 0, 0)"


def test_a_pause_comes_after_the_time_that_the_player_set(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Anna")
    dealer.open()
    seat.tap("red")
    seat.stakes("5.00")
    seat.pause_soon("v2")
    dialog = seat.page.get_by_role("dialog")
    seat.stakes("5.00")
    seat.page.wait_for_timeout(1_500)  # no card appears during the round
    expect(dialog).to_have_count(0)

    dealer.finish("1")

    expect(dialog).to_contain_text("A pause")
    expect(dialog).to_contain_text("Net +5.00")
    boxes = [each.bounding_box() for each in dialog.locator("footer button").all()]
    assert len(boxes) == 3
    assert len({(round(box["width"]), box["height"]) for box in boxes if box}) == 1
    dialog.get_by_role("button", name="Go on playing").click()
    expect(dialog).to_have_count(0)


def test_the_time_until_a_pause_is_the_houses_own_for_whoever_comes_next(
    terminal: Any, house: House
) -> None:
    house.ask("POST", "/api/players", {"name": "Otto", "pin": "2468"}, by="Carl")
    seat = terminal("sensed", "Anna", cents=0, new=True)
    seat.page.route("**/api/house", _hears_after_45_minutes)
    seat.page.reload()
    dialog = seat.page.get_by_role("dialog")
    choice = dialog.get_by_label("Remind me after")

    def look(minutes: str) -> None:
        seat.page.get_by_role("button", name="My play").click()
        expect(choice).to_have_value(minutes)

    look("45")
    expect(choice.locator("option:checked")).to_have_text("45 minutes")
    choice.select_option("Never")
    expect(choice).to_have_value("0")
    seat.page.reload()
    look("0")
    dialog.get_by_role("button", name="Close").click()
    seat.page.get_by_role("button", name="Player", exact=True).click()
    dialog.get_by_label("Name").fill("Otto")
    dialog.get_by_label("PIN").fill("2468")
    dialog.get_by_role("button", name="Sit down").click()
    expect(dialog.get_by_role("button", name="Leave the seat")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    look("45")


def _hears_after_45_minutes(route: Route) -> None:
    reply = route.fetch()
    route.fulfill(response=reply, json={**reply.json(), "reality_check_minutes": 45})


def test_the_menu_and_the_rules_show_the_houses_text_on_help(terminal: Any) -> None:
    seat = terminal("sensed", "Anna", cents=0, new=True)
    dialog = seat.page.get_by_role("dialog")
    seat.page.get_by_role("button", name="Menu").click()
    expect(dialog).to_contain_text("Document")
    expect(dialog).not_to_contain_text("Play responsibly")

    seat.page.route("**/api/house", _hears_a_text_on_help)
    seat.page.reload()
    seat.page.get_by_role("button", name="Menu").click()

    expect(dialog).to_contain_text("Play responsibly Call 1800-6-668-668.")
    dialog.get_by_role("button", name="Rules and odds").click()
    expect(dialog).to_contain_text("Pays and limits")
    expect(dialog).to_contain_text("Play responsibly Call 1800-6-668-668.")


def _hears_a_text_on_help(route: Route) -> None:
    reply = route.fetch()
    shown = {**reply.json(), "help_text": "Call 1800-6-668-668."}
    route.fulfill(response=reply, json=shown)


def test_confirm_shows_the_credit_after_and_is_not_offered_for_what_cannot_pass(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("complete"), terminal("complete", "Anna", cents=10_000)
    dealer.open()
    card = seat.page.get_by_label("Details")
    seat.page.get_by_role("button", name="Tiers 6 pieces").click()
    expect(card).to_contain_text("Credit after 70.00")
    confirm = seat.page.get_by_role("button", name="Confirm")
    expect(confirm).to_be_enabled()

    seat.take("25")

    expect(card).to_contain_text("credit")
    expect(card.locator(".bad")).to_be_visible()
    expect(confirm).to_be_disabled()
    seat.take("5")
    confirm.click()
    seat.stakes("30.00")


def test_more_demonstration_credit_by_one_tap_and_a_name_taken_with_it(
    terminal: Any, house: House
) -> None:
    player = {"name": "Pia", "pin": "2468"}
    house.ask("POST", "/api/players", player, by="Carl")
    seat = terminal("unhurried", "Cara", cents=5_000)
    seat.page.get_by_role("button", name="Credit 50.00: add or collect").click()
    dialog = seat.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Add demonstration credit").click()
    expect(seat.figure("Credit")).to_have_text("1,050.00")
    dialog.get_by_role("button", name="Close").click()

    seat.page.get_by_role("button", name="Player", exact=True).click()
    dialog.get_by_label("Name").fill("Pia")
    dialog.get_by_label("PIN").fill("0000")
    dialog.get_by_role("button", name="Sit down").click()
    expect(dialog).to_contain_text("The name or the PIN is wrong")
    expect(seat.figure("Credit")).to_have_text("1,050.00")
    dialog.get_by_label("PIN").fill("2468")
    dialog.get_by_role("button", name="Sit down").click()

    expect(dialog.get_by_role("button", name="Leave the seat")).to_be_visible()
    expect(seat.figure("Credit")).to_have_text("1,050.00")
    dialog.get_by_role("button", name="Close").click()
    seat.says("Waiting for the Dealer")


def test_statistics_say_their_sample_and_that_they_predict_nothing(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v3"), terminal("v3", "Ben")
    for number in ("17", "17", "0"):
        dealer.open()
        dealer.finish(number)
    seat.page.get_by_role("button", name="History").click()
    dialog = seat.page.get_by_role("dialog")
    expect(dialog.locator("figcaption")).to_contain_text("rounds. It predicts nothing")
    expect(dialog.locator("figure g", has_text="17")).to_contain_text("\u00d7")
    check(seat.page)


def test_autoplay_places_the_same_chips_until_its_rounds_are_played_or_one_is_void(
    terminal: Any, dealing: Any
) -> None:
    dealer, seat = dealing("v2"), terminal("v2", "Ben")
    dealer.open()
    seat.tap("red")
    seat.stakes("5.00")
    dialog = seat.page.get_by_role("dialog")

    def start(rounds: str) -> None:
        seat.page.get_by_role("button", name="Menu").click()
        dialog.get_by_role("button", name="Autoplay").click()
        dialog.get_by_label("For how many rounds").fill(rounds)
        dialog.get_by_role("button", name="Start").click()

    start("2")
    notes = seat.page.locator(".notes")
    expect(notes).to_contain_text("Autoplay: 1 more round")
    dealer.finish("1")
    dealer.open()
    expect(notes).to_contain_text("Autoplay: 0 more rounds")
    seat.stakes("5.00")
    dealer.finish("2")
    expect(notes).to_contain_text("Autoplay is over: all rounds are played.")
    dealer.open()
    seat.stakes("0.00")

    start("50")
    seat.stakes("5.00")
    dealer.act("spin", "irregularity ball_out_of_wheel")
    expect(notes).to_contain_text("this round did not go as usual")
    dealer.settle()
    dealer.open()
    seat.stakes("0.00")
    check(seat.page)


def test_several_tables_side_by_side_each_with_its_own_seat(
    pages: Pages, house: House, dealing: Any
) -> None:
    for table in ("v3", "triple"):
        house.buy_in(table, f"Cara-{table}")
    dealing("triple").open()
    page = pages.open("/seats", seat=("v3", house.devices["Cara-v3"]))
    kept = ["croupier.device.triple", house.devices["Cara-triple"]]
    page.evaluate("kept => localStorage.setItem(...kept)", kept)
    choices = page.get_by_role("group", name="Choose up to 4 tables")
    for table in ("v3", "triple"):
        choices.get_by_role("button", name=table, exact=True).click()
    panes = page.locator("main > section")
    expect(panes).to_have_count(2)

    panes.nth(1).locator(f'{FELT} [data-number="17"]').click(force=True)

    stakes = page.locator("footer dl div", has_text="Stake").locator("dd")
    expect(stakes.nth(1)).to_have_text("5.00")
    expect(stakes.nth(0)).to_have_text("0.00")
    check(page)
    page.goto("/")
    for table in ("v3", "triple"):
        house.buy_in(table, f"Cara-{table}", cents=1_000)
    page.go_back()
    expect(panes).to_have_count(2)
    for pane in panes.all():
        card = pane.locator(".changes section")
        expect(card).to_contain_text("Bought in")
        around, box = pane.bounding_box(), card.bounding_box()
        assert around is not None
        assert box is not None
        assert around["x"] <= box["x"]
        assert box["x"] + box["width"] <= around["x"] + around["width"]
