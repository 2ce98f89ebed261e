"""The board: readable across a room, with all the public facts of a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import (
    PHONE,
    TABLET,
    WALL,
    Pages,
    Seats,
    check_axe,
)
from tests.e2e.kept_pages import KeptPages
from tests.e2e.looks import look
from tests.house_server.server import House, house_text, open_house
from tests.waiting import wait_for

SIZES = (PHONE, TABLET, WALL)


def deal(house: House, seats: Seats, table: str, *outcomes: str) -> None:
    """Deal rounds over the protocol, one for each outcome."""
    house.deal(table)
    dana = seats.work(table, "Dana")
    for number in outcomes:
        for act in ("place your bets", "spin", "no more bets"):
            dana.act(act)
        dana.outcome(number)
        dana.act("settle")


def test_numbers_history_limits_and_voids(
    pages: Pages, seats: Seats, house: House
) -> None:
    board = pages.open("/board/v3", size=WALL)
    expect(board.locator(".band .title")).to_have_text("Waiting for the Dealer")
    expect(board.locator(".winner")).to_contain_text("No outcome yet")
    deal(house, seats, "v3", "17", "0", "32", "17")
    expect(board.locator(".winner .say")).to_have_text("17 black")
    expect(board.locator(".latest svg")).to_have_attribute("aria-label", "17 black")
    expect(board.locator("ol li")).to_have_count(4)
    expect(board.get_by_text("Hot · of the last 4")).to_be_visible()
    expect(board.get_by_text("Information only")).to_be_visible()
    expect(board.locator(".bar")).to_contain_text("black 2")
    limits = board.locator("footer")
    expect(limits).to_contain_text("Straight Up")
    expect(limits).to_contain_text("1 – 500")

    body = {"id": house.new_id(), "limits": ["* 10 200"], "settings": []}
    house.ask("PUT", "/api/tables/v3/terms", body, by="Mira")
    expect(limits).to_contain_text("From the next round")
    expect(limits).to_contain_text("10 – 200")
    dana = seats.work("v3", "Dana")
    dana.act("place your bets")
    expect(limits).not_to_contain_text("From the next round")
    expect(board.locator(".band .title")).to_have_text("Place your bets")
    dana.act("irregularity ball_out_of_wheel")
    expect(board.locator(".band .title")).to_contain_text("Void")
    expect(board.locator(".winner")).to_contain_text("5.6")
    dana.act("settle")


def test_a_board_with_its_own_token_is_known_to_the_house(
    pages: Pages, house: House
) -> None:
    token = house.devices["board-v3"]
    board = pages.open("/board/v3", size=WALL, seat=("v3", token))
    expect(board.locator(".winner")).to_be_visible()
    wait_for(lambda: _is_connected(house, "board-v3"))
    seat = house.devices["Ben-v3"]
    other = pages.open("/board/v3", size=WALL, seat=("v3", seat))
    expect(other.locator(".winner")).to_be_visible()  # its socket has brought it
    assert not _is_connected(house, "Ben-v3")


def _is_connected(house: House, name: str) -> bool:
    devices = house.ask("GET", "/api/devices", by="Sam")
    return any(each["name"] == name and each["is_connected"] for each in devices)


def test_bonus_numbers_light_up_one_by_one(
    pages: Pages, seats: Seats, house: House
) -> None:
    board = pages.open("/board/lit", size=WALL)
    expect(board.locator("ol li")).to_have_count(0)
    house.deal("lit")
    dana, layout = seats.work("lit", "Dana"), seats.come("lit", "layout-lit")
    for act in ("place your bets", "spin", "no more bets"):
        dana.act(act)
    expect(board.locator("li.off")).to_have_count(10)
    layout.until("closed")
    drawn = wait_for(lambda: dana.view.bonus)
    for count, number in enumerate(drawn, 1):
        layout.lit(number)
        lit = board.locator("h2", has_text=f"{count} of 10 Bonus Numbers lit")
        expect(lit).to_be_visible()
    check_axe(board)
    dana.outcome(drawn[0])
    expect(board.locator(".winner")).to_contain_text("Bonus Number")
    dana.act("settle")


def test_the_countdown_is_a_number_and_a_bar(
    kept_pages: KeptPages, tmp_path: Path
) -> None:
    text = house_text().replace("countdown_seconds = 1", "countdown_seconds = 30")
    with open_house("sqlite", tmp_path, text=text) as house:
        pages, seats = Pages(kept_pages, house), Seats(house)
        board = pages.open("/board/counted", size=WALL)
        house.deal("counted")
        dana = seats.work("counted", "Dana")
        dana.act("place your bets")
        count = board.locator(".count [aria-hidden]")
        expect(count).to_have_text(re.compile(r"^[12]?\d$"))
        expect(board.locator(".band .bar")).to_be_visible()
        dana.act("no more bets")
        expect(board.locator(".count")).to_have_count(0)
        seats.close()
        pages.close()


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_it_is_readable_at_every_size(
    pages: Pages, seats: Seats, house: House, language: str
) -> None:
    if not house.events("triple", "RoundSettled"):
        deal(house, seats, "triple", "17", "000", "5", "00", "36", "0", "8")
    for table in ("triple", "fast"):
        board = pages.open(f"/board/{table}", language=language)
        expect(board.locator("footer")).to_be_visible()
        look(board, sizes=SIZES, axe_at=SIZES)


def test_a_quiet_loop_runs_while_no_round_does(
    pages: Pages, seats: Seats, house: House
) -> None:
    board = pages.open("/board/v2", size=WALL, new=True)
    board.clock.install()
    board.reload()
    expect(board.locator("footer")).to_be_visible()
    expect(board.locator(".idle")).to_have_count(0)

    board.clock.fast_forward(61_000)
    expect(board.locator(".idle")).to_contain_text("The tested house")
    house.deal("v2")
    seats.work("v2", "Dana").act("place your bets")
    expect(board.locator(".idle")).to_have_count(0)


def test_a_touch_ends_the_loop_and_lays_no_chip(pages: Pages, house: House) -> None:
    seat = ("v3", house.devices["Cara-v3"])
    page = pages.open("/seat/v3", seat=seat, new=True)
    page.clock.install()
    page.reload()
    expect(page.locator("svg[role=application]")).to_be_visible()

    page.clock.fast_forward(121_000)
    expect(page.locator(".idle")).to_contain_text("Touch to play")
    page.mouse.click(700, 450)
    expect(page.locator(".idle")).to_have_count(0)
    expect(page.locator("svg[role=application] .chip")).to_have_count(0)
    expect(page.get_by_text("Refused")).to_have_count(0)
