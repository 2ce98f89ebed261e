"""The pit: tiles, two-person acts, referrals, alarms, staff, devices, limits."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from playwright.sync_api import Locator, Page, expect

from croupier.learn import GivenAnswer, assessment, mark_round
from tests.e2e.conftest import Pages, Seats, check_axe
from tests.e2e.dealt import act, play
from tests.e2e.parts import check_part, go, open_part
from tests.house_server.server import PASSWORD, House, house_text

TABS = ("tables", "referrals", "staff", "devices", "limits", "file")


def tile(page: Page, table: str) -> Locator:
    return page.locator("article", has=_named(page, table))


def _named(page: Page, table: str) -> Locator:
    return page.get_by_role("button", name=f"{table}: figures and acts", exact=True)


def propose(page: Page, table: str, what: str) -> Locator:
    """Propose a two-person act in a table's dialog."""
    _named(page, table).click()
    page.get_by_role("button", name=what).click()
    return page.locator("dialog[open]").last


def approve(card: Locator, name: str) -> None:
    """Approve as a second person at this page."""
    card.get_by_role("button", name="Approve").click()
    card.get_by_label("Name").fill(name)
    card.get_by_label("Password", exact=True).fill(PASSWORD)
    card.get_by_role("button", name="Confirm").click()


def test_a_tile_follows_its_table(pages: Pages, seats: Seats, house: House) -> None:
    page = pages.open("/pit", by="Sam")
    act(seats, house, "v2", "place your bets")
    seats.sit("v2", "Ben").wager("red@50")

    expect(tile(page, "v2")).to_contain_text("Place your bets")
    expect(tile(page, "v2")).to_contain_text("50.00")
    expect(tile(page, "v2")).to_contain_text("Dana")
    expect(tile(page, "v2")).to_contain_text("\u221250.00")  # red: the worst outcome
    bars = tile(page, "v2").get_by_role("img", name="House net by outcome")
    expect(bars).to_have_accessible_name(re.compile("at the worst, 1 red: \u221250.00"))
    expect(tile(page, "v2").locator(".time")).to_contain_text(re.compile(r"\d:\d\d"))
    act(seats, house, "v2", "spin", "no more bets")
    expect(tile(page, "v2")).to_contain_text("No more bets")
    check_axe(page)


def test_a_tile_asks_again_for_an_exposure_that_it_did_not_get(
    pages: Pages, seats: Seats, dealing: Any
) -> None:
    page = pages.open("/pit", by="Sam", new=True)
    path, fails = "**/tables/complete/exposure", {"status": 503, "body": "{}"}
    page.route(path, lambda route: route.fulfill(**fails), times=1)
    pages.allow("503")
    dealer = dealing("complete")
    dealer.open()
    with page.expect_response(path):
        seats.sit("complete", "Ben").wager("red@50")
    dealer.close()

    bars = tile(page, "complete").get_by_role("img", name="House net by outcome")

    expect(bars).to_have_accessible_name(re.compile("at the worst, 1 red"))


def test_drop_win_and_hold_of_the_day(pages: Pages, seats: Seats, house: House) -> None:
    play(seats, house, "complete", "20", "17@10")
    page = pages.open("/pit", by="Sam")
    day = house.ask("GET", "/api/house", by="Sam")["gaming_day"]
    meters = house.ask("GET", f"/api/meters?day={day}", by="Sam")
    [here] = [each for each in meters if each["table"] == "complete"]
    drop, won = here["drop_cents"], here["hold_cents"]
    sign = "+" if won > 0 else "\u2212" if won < 0 else ""
    hold = (Decimal(abs(won) * 100) / drop).quantize(Decimal("0.1"), ROUND_HALF_UP)

    shown = tile(page, "complete").locator("dl")

    expect(shown).to_contain_text(f"Drop today {drop / 100:,.2f}")
    expect(shown).to_contain_text(f"Win today {sign}{abs(won) / 100:,.2f}")
    expect(shown).to_contain_text(f"Hold % {sign.strip('+')}{float(hold):g}%")
    expect(page.get_by_text("Drop: cash and vouchers that became")).to_be_visible()


def test_correction_by_two_people_with_its_effect(
    pages: Pages, seats: Seats, house: House
) -> None:
    number = play(seats, house, "v3", "20", "17@10", "20@5")
    page = pages.open("/pit", by="Sam")
    dialog = propose(page, "v3", "Propose a correction")
    expect(dialog.get_by_label("Round")).to_have_value(str(number))
    dialog.get_by_label("The right outcome").select_option("17")
    dialog.get_by_label("Reason").fill("misread")
    dialog.get_by_label("Your password").fill(PASSWORD)
    check_axe(page)
    dialog.get_by_role("button", name="Propose", exact=True).click()

    card = page.locator("article", has_text="Approve a correction")
    expect(card).to_contain_text("17 black")
    expect(card.locator(".effect")).to_contain_text("Credit of Anna-v3")
    expect(card.locator(".effect")).to_contain_text("+180.00")
    expect(card.locator(".effect")).to_contain_text("\u2212180.00")
    approve(card, "Sam")  # never two positions of one person
    expect(page.get_by_text("another person must confirm")).to_be_visible()
    assert house.events("v3", "OutcomeCorrected") == []
    pages.allow("403")

    card.get_by_label("Name").fill("Mira")
    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_role("button", name="Confirm").click()

    expect(page.get_by_text("Approved and done")).to_be_visible()
    expect(card).to_have_count(0)
    [corrected] = house.events("v3", "OutcomeCorrected")
    assert (corrected.number, corrected.corrected_to) == ("20", "17")
    assert {person.name for person in corrected.by} == {"Sam", "Mira"}


def test_rounds_are_voided_by_the_second_person_at_her_own_page(
    pages: Pages, seats: Seats, house: House
) -> None:
    number = play(seats, house, "triple", "17", "17@5")
    reply = house.propose(
        "triple", f"void rounds {number} ball_broke", by=("Sam", "Mira"), confirm=False
    )
    assert reply.status == 201, reply.body
    page = pages.open("/pit", by="Mira")

    card = page.locator("article", has_text="Approve the voiding of rounds")
    expect(card).to_contain_text("the ball broke")
    expect(card.locator(".effect")).to_contain_text("House")
    approve(card, "Mira")

    expect(page.get_by_text("Approved and done")).to_be_visible()
    assert house.events("triple", "RoundVoided")


def test_a_proposal_is_declined(pages: Pages, seats: Seats, house: House) -> None:
    number = play(seats, house, "v3", "5", "17@5")
    house.propose(
        "v3", f"correct round {number} to 7", by=("Sam", "Mira"), confirm=False
    )
    page = pages.open("/pit", by="Mira")

    page.get_by_role("button", name="Decline").click()

    expect(page.get_by_text("Nothing waits for a second person.")).to_be_visible()
    assert house.ask("GET", "/api/proposals", by="Mira") == []


def test_a_held_round_is_decided(pages: Pages, seats: Seats, house: House) -> None:
    act(seats, house, "triple", "place your bets")
    seats.sit("triple", "Cara").wager("17@5")
    act(seats, house, "triple", "spin", "no more bets", "irregularity unlisted")
    page = pages.open("/pit", by="Mira")
    go(page, "Referrals")

    expect(page.get_by_text("Held for a decision")).to_be_visible()
    check_axe(page)
    decide = page.get_by_role("button", name="Decide on an outcome")
    expect(decide).to_be_disabled()
    page.get_by_label("Reason").fill("the film shows 17")
    decide.click()
    page.locator('.pad button[aria-label^="17 "]').click()
    check_axe(page)
    page.get_by_role("button", name="Decide on 17 black").click()

    expect(page.get_by_text("No round waits for a decision.")).to_be_visible()
    [decided] = house.events("triple", "OutcomeDecided")
    assert decided.number == "17"
    assert decided.by.name == "Mira"
    act(seats, house, "triple", "settle")


def test_a_table_is_closed_by_a_second_press_far_from_the_first(
    pages: Pages, house: House
) -> None:
    page = pages.open("/pit", by="Mira")
    _named(page, "sensed").click()
    facts = page.locator("dialog[open]")
    asks = facts.get_by_role("button", name="Close the table")
    expect(asks).to_be_visible()
    leaves = facts.get_by_role("button", name="Close", exact=True)
    ask_box, leave_box = asks.bounding_box(), leaves.bounding_box()
    assert ask_box is not None
    assert leave_box is not None
    assert ask_box["y"] - leave_box["y"] - leave_box["height"] > 200

    asks.click()
    asked = page.get_by_role("dialog", name="Close the table: sensed")
    expect(asked).to_contain_text("sensed begins no round until it is opened again")
    check_axe(page)
    asked.get_by_role("button", name="Back").click()
    expect(asked).to_be_hidden()
    assert house.events("sensed", "TableClosed") == []
    asks.click()
    asked.get_by_role("button", name="Close the table").click()

    expect(page.get_by_text("sensed is closed")).to_be_visible()
    [closed] = house.events("sensed", "TableClosed")
    assert closed.by.name == "Mira"
    _named(page, "sensed").click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("sensed is open")).to_be_visible()


def test_an_alarm_is_acknowledged(pages: Pages, house: House) -> None:
    house.http("POST", "/api/log-on", {"name": "Sue", "password": "wrong"})
    page = pages.open("/pit", by="Sam")
    alarm = page.locator("li", has_text="Log-on failed").first

    alarm.get_by_role("button", name="Seen").click()

    expect(page.locator("li", has_text="Log-on failed")).to_have_count(0)
    seen = [e for e in house.events("house", "AlarmAcknowledged") if e.by == "Sam"]
    assert seen


def _give_password(page: Page, row: Locator) -> None:
    """Mira proposes a temporary password, and Max approves it."""
    dialog = page.locator("dialog[open]")
    row.get_by_role("button", name="Password").click()
    dialog.get_by_label("Temporary password").fill("a phrase for Nora")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Propose").click()
    go(page, "Tables")
    card = page.locator("article", has_text="Approve a temporary password")
    approve(card, "Max")
    expect(card).to_have_count(0)
    go(page, "Staff")


def test_staff_come_act_are_unlocked_and_go(pages: Pages, house: House) -> None:
    page = pages.open("/pit", by="Mira")
    go(page, "Staff")
    page.get_by_role("button", name="Add a person").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Name").fill("Nora")
    dialog.get_by_label("Dealer").check()
    check_axe(page)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("take two people who manage staff")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    check_axe(page)
    dialog.get_by_role("button", name="Propose").click()
    pages.allow("409")
    go(page, "Tables")
    card = page.locator("article", has_text="Approve a change of staff")
    expect(card).to_contain_text("Nora: Dealer")
    approve(card, "Max")
    expect(card).to_have_count(0)
    go(page, "Staff")
    row = page.locator("tr", has_text="Nora")
    expect(row).to_contain_text("Dealer")

    _give_password(page, row)
    row.get_by_role("button", name="Let act").click()
    page.locator("dialog[open]").get_by_role("button", name="Let act").click()
    expect(row).to_contain_text("Pit Supervisor")

    for _ in range(5):
        house.http("POST", "/api/log-on", {"name": "Nora", "password": "wrong"})
    page.reload()
    expect(row).to_contain_text("Locked")
    row.get_by_role("button", name="Unlock").click()
    expect(row).not_to_contain_text("Locked")
    row.get_by_role("button", name="End").click()
    expect(row).not_to_contain_text("Pit Supervisor")
    row.get_by_role("button", name="Remove Nora").click()
    page.locator("dialog[open]").get_by_role(
        "button", name="Remove", exact=True
    ).click()
    expect(row).to_have_count(0)


def test_a_trainees_file_is_put_on_file(pages: Pages, tmp_path: Path) -> None:
    given = [
        GivenAnswer(each.task.due, 900) for each in assessment("mbs-roulette-v3", 1, 2)
    ]
    result = mark_round("mbs-roulette-v3", 1, 2, given)
    rounds = [{"at": 0, "given": given, "result": result}]
    file = tmp_path / "croupier-training.json"
    file.write_bytes(json.encode({"name": "Dana", "drills": {}, "rounds": rounds}))
    page = pages.open("/pit", by="Mira")
    go(page, "Staff")
    page.locator("tr", has_text="Dana").get_by_role("button", name="Training").click()
    dialog = page.locator("dialog[open]")

    dialog.locator("input[type=file]").set_input_files(file)

    expect(dialog).to_contain_text("100%")
    check_axe(page)
    dialog.get_by_role("button", name="Put on file").click()
    expect(page.get_by_text("The training of Dana is on file")).to_be_visible()


def test_a_device_is_invited_paired_and_revoked(pages: Pages, house: House) -> None:
    page = pages.open("/pit", by="Sam")
    go(page, "Devices")
    page.get_by_role("button", name="Add a device").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Name").fill("pit desk")
    dialog.get_by_label("Kind").select_option("station")
    dialog.get_by_role("button", name="Give out a pairing code").click()
    code = page.locator("dialog[open] .big").inner_text()
    check_axe(page)
    page.keyboard.press("Escape")

    assert house.ask("POST", "/api/pair", {"code": code})["device"] == "pit desk"
    row = page.locator("tr", has_text="pit desk")
    row.get_by_role("button", name="Revoke").click()
    page.locator("dialog[open]").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)


def test_limits_change_with_the_next_round(
    pages: Pages, seats: Seats, house: House
) -> None:
    act(seats, house, "complete", "place your bets")
    page = pages.open("/pit", by="Mira")
    go(page, "Limits")
    page.get_by_label("Table", exact=True).select_option("complete")
    expect(page.get_by_label("Minimum").first).to_have_value("5.00")
    page.get_by_label("Maximum").first.fill("2000")
    page.get_by_role("button", name="Change for the next round").click()

    row = page.locator("tr", has_text="Red")
    expect(row).to_contain_text("5 – 1,000")
    expect(row).to_contain_text("5 – 2,000")
    expect(page.get_by_text("The new limits are displayed")).to_be_visible()


def test_a_house_file_shows_what_it_changes(pages: Pages) -> None:
    page = pages.open("/pit", by="Mira")
    go(page, "House file")
    page.get_by_label("The file").fill(house_text().replace("[1, 500]", "[2, 500]"))
    page.get_by_role("button", name="Show the differences").click()

    expect(page.get_by_role("heading", name="What it changes")).to_be_visible()
    expect(page.locator("tbody tr").first).to_contain_text("straight_up")
    check_axe(page)


def test_it_is_not_for_everybody(pages: Pages) -> None:
    page = pages.open("/pit", by="Carl")
    expect(page.get_by_text("Pit is not for Carl.")).to_be_visible()
    page.get_by_role("button", name="Log on as another person").click()

    page.get_by_label("Name").fill("Sam")
    page.get_by_label("Password").fill(PASSWORD)
    check_axe(page)
    page.get_by_role("button", name="Log on", exact=True).click()

    expect(page.locator("header").get_by_text("Sam")).to_be_visible()


@pytest.mark.parametrize("tab", TABS)
def test_every_part_fits(lasting_pages: Pages, tab: str) -> None:
    page = open_part(lasting_pages, "pit", tab, by="Mira")

    check_part(lasting_pages, page)
