"""The inspector: any round in three clicks; disputes, log, reports, journal."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.conftest import Pages, Seats, check_axe
from tests.e2e.dealt import play
from tests.e2e.parts import check_part, open_part
from tests.house_server.server import GAMES, House

TABS = ("rounds", "wagers", "log", "reports", "journal")


def open_round(page: Page, table: str, number: int) -> Locator:
    """Choose the table, then the round."""
    page.get_by_label("Table").select_option(table)
    page.get_by_role("button", name=f"Round {number} ").click()
    shown = page.locator("article")
    expect(shown.locator("h2")).to_contain_text(f"Round {number} ·")
    return shown


def saved(page: Page, name: str, folder: Path) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=name).first.click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path.read_text()


@pytest.mark.parametrize("table", GAMES)
def test_any_round_is_replayed(
    pages: Pages, seats: Seats, house: House, table: str
) -> None:
    other = "bonus_win" if table == "fast" else "red"
    number = play(seats, house, table, "17", "17@10", f"{other}@20")
    page = pages.open("/inspector", by="Ines")
    shown = open_round(page, table, number)

    expect(shown.locator("h2")).to_contain_text("17 black")
    acts = shown.locator("ol li")
    expect(acts.first).to_contain_text("Round begun")
    expect(acts.filter(has_text="Wager placed").first).to_contain_text("Anna")
    expect(acts.last).to_contain_text("Settled")
    felt = shown.locator(".felt")
    expect(felt.locator(".said")).to_contain_text("Settled")
    acts.filter(has_text="Wager placed").first.get_by_role("button").click()
    expect(felt.locator(".said")).to_contain_text("Wager placed")
    shown.get_by_role("button", name="One act forward").click()
    expect(felt.locator(".said")).to_contain_text("20.00")
    shown.get_by_label("Act of the round").focus()
    page.keyboard.press("Home")
    expect(felt.locator(".said")).to_contain_text("Round begun")
    expect(shown.locator("table").first).to_contain_text("Straight Up 17")
    expect(shown.get_by_role("heading", name="Clauses applied")).to_be_visible()
    check_axe(page)


def test_a_receipt_is_found_by_its_seal(
    pages: Pages, seats: Seats, house: House
) -> None:
    number = play(seats, house, "v2", "17", "17@10")
    play(seats, house, "v2", "20", "17@10")
    path = f"/api/tables/v2/rounds/{number}"
    events = house.ask("GET", path, by="Ines")["events"]
    [seal] = [each["hash"] for each in events if each["event"] == "RoundSettled"]
    printed = " ".join(seal[at : at + 8] for at in range(0, 64, 8))
    page = pages.open("/inspector", by="Ines")
    page.get_by_label("Table").select_option("v2")
    field = page.get_by_label("Seal of a receipt")

    field.fill("0" * 64)
    field.press("Enter")
    expect(page.get_by_text("No round of this table has that seal.")).to_be_visible()
    field.fill(printed)
    field.press("Enter")

    shown = page.locator("article")
    expect(shown.locator("h2")).to_contain_text(f"Round {number} ·")
    expect(shown.locator("li", has_text="Settled")).to_contain_text(f"Seal: {printed}")
    expect(page.get_by_text("No round of this table has that seal.")).to_have_count(0)
    check_axe(page)


def test_an_inspector_keeps_the_receipt_of_any_seat(
    pages: Pages, seats: Seats, house: House
) -> None:
    number = play(seats, house, "v2", "17", "17@10")
    page = pages.open("/inspector", by="Ines")
    shown = open_round(page, "v2", number)

    def answer(route: Route) -> None:
        route.fulfill(json={"name": f"round-{number}.receipt", "receipt": "{}"})

    page.route("**/receipts/*", answer)
    with page.expect_download() as kept:
        shown.get_by_role("button", name="Receipt").click()

    assert kept.value.suggested_filename == f"round-{number}.receipt"
    check_axe(page)


def test_a_correction_is_part_of_the_round(
    pages: Pages, seats: Seats, house: House
) -> None:
    number = play(seats, house, "v3", "20", "17@10")
    reply = house.propose("v3", f"correct round {number} to 17", by=("Sam", "Mira"))
    assert reply.status == 200, reply.body
    page = pages.open("/inspector", by="Ines")
    shown = open_round(page, "v3", number)

    expect(shown.get_by_text("corrected").first).to_be_visible()
    act = shown.locator("ol li", has_text="Outcome corrected")
    expect(act).to_contain_text("20 black → 17 black")
    expect(act).to_contain_text("Sam (Pit Supervisor) and Mira")
    expect(act).to_contain_text("Clause")


def test_a_disputed_wager_is_found_by_seat_and_round(
    pages: Pages, seats: Seats, house: House, tmp_path: Path
) -> None:
    number = play(seats, house, "v2", "5", "17@10", "red@20", seat="Cara")
    page = pages.open("/inspector", by="Ines")
    page.get_by_role("link", name="Disputed wagers").click()
    page.get_by_label("Table").select_option("v2")
    page.get_by_label("Seat").fill("Cara-v2")
    page.get_by_label("Round number").fill(str(number))
    page.get_by_role("button", name="Find").click()

    expect(page.get_by_text("2 wagers found")).to_be_visible()
    check_axe(page)
    rows = list(csv.DictReader(saved(page, "CSV", tmp_path).splitlines()))
    assert {row["wager"] for row in rows} == {"straight_up:17", "red"}
    page.get_by_role("button", name=f"Round {number}").first.click()
    expect(page.locator("article h2")).to_contain_text(f"Round {number} ·")
    assert page.url.endswith(f"?table=v2&round={number}#rounds")
    page.go_back()
    expect(page.get_by_text("2 wagers found")).to_have_count(0)
    page.go_forward()
    expect(page.locator("article h2")).to_contain_text(f"Round {number} ·")


def test_the_journal_is_verified(pages: Pages, house: House, tmp_path: Path) -> None:
    page = pages.open("/inspector", by="Ines")
    page.get_by_role("link", name="Journal").click()
    page.get_by_role("button", name="Verify the journal").click()

    expect(page.get_by_text("The journal is whole and unchanged")).to_be_visible()
    found = json.loads(saved(page, "JSON", tmp_path))
    assert found["is_clean"]
    expect(page.get_by_text(found["house_head"])).to_be_visible()
    version = house.ask("GET", "/api/version")
    expect(page.get_by_text(version["code"])).to_be_visible()
    check_axe(page)


def test_the_log_leads_to_the_round(pages: Pages, seats: Seats, house: House) -> None:
    number = play(seats, house, "v3", "8", "17@10")
    house.propose("v3", f"correct round {number} to 9", by=("Sam", "Mira"))
    page = pages.open("/inspector", by="Ines")
    page.get_by_role("link", name="Significant events").click()
    page.get_by_label("About").select_option("correction")
    page.get_by_role("button", name=f"v3 · {number}").click()

    expect(page.locator("article h2")).to_contain_text("9 red")


def test_reports_show_the_actual_return(
    pages: Pages, seats: Seats, house: House, tmp_path: Path
) -> None:
    play(seats, house, "complete", "17", "17@10")
    page = pages.open("/inspector", by="Ines")
    page.get_by_role("link", name="Reports").click()
    heading = page.get_by_role("heading", name="complete")
    table = page.locator("section", has=heading)

    expect(table).to_contain_text("Straight Up")
    expect(table).to_contain_text("%")
    rows = list(csv.DictReader(saved(page, "CSV", tmp_path).splitlines()))
    assert any(row["table"] == "complete" and row["rounds"] for row in rows)


@pytest.mark.parametrize("tab", TABS)
def test_every_part_fits(
    lasting_pages: Pages, seats: Seats, house: House, tab: str
) -> None:
    if tab == "rounds":
        play(seats, house, "v2", "17", "17@10", "red@20", "17/20@5")

    page = open_part(lasting_pages, "inspector", tab, by="Ines")
    if tab == "rounds":
        page.locator(".list li button").first.click()
        expect(page.locator("article h2")).to_be_visible()

    check_part(lasting_pages, page)
