"""Every page without a mouse or a screen: landmarks, headings, the keyboard."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.protocol.messages import AskBuyIn
from tests.e2e.conftest import Pages, Seats, check_axe, enter
from tests.e2e.dealt import act, play
from tests.e2e.looks import in_both_themes
from tests.house_server.server import House

TABLE = "v3"
_STRUCTURE = [
    "bypass",
    "label-content-name-mismatch",
    "landmark-main-is-top-level",
    "landmark-no-duplicate-main",
    "landmark-one-main",
    "landmark-unique",
    "page-has-heading-one",
    "region",
]
_RUN = """async (rules) => {
  const found = await axe.run(document, { runOnly: { type: 'rule', values: rules } })
  return found.violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}"""
_FOCUSED = (
    "document.activeElement.getAttribute('role') ?? document.activeElement.localName"
)


@pytest.mark.parametrize(
    ("path", "by"),
    [
        ("/", None),
        (f"/seat/{TABLE}", None),
        (f"/console/{TABLE}", "Dana"),
        (f"/board/{TABLE}", None),
        ("/pit", "Sam"),
        ("/pit", "Carl"),
        ("/pit", None),
        ("/cashier", "Carl"),
        ("/inspector", "Ines"),
        ("/seats", None),
        ("/nowhere", None),
        ("/board/nope", None),
        ("/seat/nope", None),
    ],
)
def test_everything_is_in_a_landmark_under_one_heading(
    pages: Pages, house: House, path: str, by: str | None
) -> None:
    pages.allow("status of 40[14]")
    seat = (TABLE, house.devices[f"Cara-{TABLE}"]) if path == f"/seat/{TABLE}" else None
    page = pages.open(path, by=by, seat=seat)
    expect(page.locator("h1")).to_have_count(1)
    page.wait_for_load_state("networkidle")

    check_axe(page)
    assert page.evaluate(_RUN, _STRUCTURE) == []
    assert page.locator("h1").count() == 1
    told_apart(page.locator("body"))


_BUTTON = re.compile(r"""- '?button(?: "((?:[^"\\]|\\.)*)")?""")
_SAME = re.compile(r"(Round |\w+ · )[\d\u2009]+$|End: ")
"""Several buttons may open one round; sessions of the same second look the same."""


def told_apart(root: Locator) -> None:
    """Check that every button has a name, and that no two are the same."""
    found = Counter(each or "" for each in _BUTTON.findall(root.aria_snapshot()))
    twice = [each for each, count in found.items() if count > 1]
    assert "" not in found
    assert [each for each in twice if not _SAME.match(each)] == []


@pytest.fixture(scope="module")
def busy(house: House) -> None:
    """Rows of every kind twice: alarms, cases, decisions, asked buy-ins, Players."""
    seats = Seats(house)
    for table in ("v2", "triple"):
        number = play(seats, house, table, "17", "17@5", seat="Ben")
        correction = f"correct round {number} to 20"
        house.propose(table, correction, by=("Sam", "Mira"), confirm=False)
        seats.do(seats.sit(table, "Cara", cents=0).table.do(AskBuyIn, 5_000))
    for table in ("complete", "lit"):
        act(seats, house, table, "place your bets", "spin", "no more bets")
        act(seats, house, table, "irregularity unlisted")
    house.http("POST", "/api/log-on", {"name": "Sue", "password": "wrong"})
    for name in ("Hana", "Ivo"):
        house.ask("POST", "/api/players", {"name": name, "pin": "2468"}, by="Carl")
    seats.close()


_PARTS = {
    "pit": ("Mira", ("tables", "referrals", "staff", "devices", "limits", "file")),
    "cashier": ("Sam", ("seats", "vouchers", "float", "adjustments", "players", "day")),
    "inspector": ("Ines", ("rounds", "wagers", "log", "reports", "journal")),
}
_SHOWN = {
    "tables": "Decline: triple",
    "referrals": "Declare the round void: lit",
    "staff": "Password: Dana",
    "devices": "Revoke: Anna-v3",
    "seats": "Cash taken: Cara-triple, triple, 50.00",
    "adjustments": "Withdraw: triple",
    "players": "Change: Ivo",
    "rounds": "Round 1",
    "log": "complete · 1",
}
"""For each part whose rows have buttons: a button at or near the end."""


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("name", _PARTS)
def test_every_button_says_what_it_does_and_to_what(pages: Pages, name: str) -> None:
    by, tabs = _PARTS[name]
    page = pages.open(f"/{name}", by=by)

    for tab in tabs:
        page.locator(f'nav a[href="#{tab}"]').click()
        if tab in _SHOWN:
            expect(page.get_by_role("button", name=_SHOWN[tab]).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        if tab == "rounds":
            page.get_by_role("button", name=_SHOWN[tab]).first.click()
            expect(page.get_by_role("button", name="One act back")).to_be_visible()
        told_apart(page.locator("body"))
        check_axe(page)
        assert page.evaluate(_RUN, _STRUCTURE) == []


@pytest.mark.parametrize(
    ("path", "by", "tab", "buttons"),
    [
        (
            "/seat/v2",
            None,
            None,
            ("My play", "Rules and odds", "Favourites", "Collect"),
        ),
        (
            "/console/v2",
            "Dana",
            None,
            ("Wagers", "Issue", "Ball broke", "Power failure"),
        ),
        ("/pit", "Mira", "tables", ("v3", "Mira")),
        ("/pit", "Mira", "staff", ("Add a person", "Change", "Password", "Let act")),
        ("/pit", "Mira", "devices", ("Add a device",)),
        ("/cashier", "Carl", "adjustments", ("Propose",)),
        ("/cashier", "Carl", "players", ("Register a Player",)),
        ("/cashier", "Carl", "day", ("Close the gaming day",)),
    ],
)
def test_every_dialog_is_for_everybody_in_the_dark_and_in_the_light(
    pages: Pages,
    house: House,
    dealing: Any,
    path: str,
    by: str | None,
    tab: str | None,
    buttons: tuple[str, ...],
) -> None:
    if path.endswith("/v2"):
        dealing("v2").open()
    seat = ("v2", house.devices["Cara-v2"]) if path.startswith("/seat") else None
    page = pages.open(path, by=by, seat=seat)
    if tab is not None:
        page.locator(f'nav a[href="#{tab}"]').click()
    dialog = page.locator("dialog[open]")

    for name in buttons:
        page.get_by_role("button", name=name).first.click()
        expect(dialog).to_have_count(1)
        for theme in in_both_themes(page):
            check_axe(page, colours=theme != "dark")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_tables_side_by_side_are_heard_with_their_names(pages: Pages) -> None:
    page = pages.open("/seats")
    tables = ("v3", "v2")
    for count, table in enumerate(tables, start=1):
        page.get_by_role("button", name=table, exact=True).click()
        expect(page.locator("main [role=application]")).to_have_count(count)

    page.wait_for_load_state("networkidle")
    check_axe(page)
    assert page.evaluate(_RUN, _STRUCTURE) == []
    for table in tables:
        told_apart(page.get_by_role("region", name=table, exact=True))


def test_the_key_that_skips_the_head_is_named_at_the_first_visit(pages: Pages) -> None:
    page = pages.open("/pit", by="Sam", kept={"croupier.visited": []})

    help_ = page.get_by_role("complementary", name="Your first visit here")
    expect(help_).to_contain_text(
        "Skip to the layout or content: Access key L (Alt + L"
    )
    skip = page.get_by_role("button", name="Skip to the layout")
    expect(skip).to_have_attribute("accesskey", "l")
    # The help is shown before the page knows who is logged on.
    expect(page.locator("main")).to_be_visible()
    skip.press("Enter")
    expect(page.locator("main")).to_be_focused()


def _tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    wanted = page.get_by_role("button", name=name)
    for _ in range(40):
        page.keyboard.press("Tab")
        if wanted.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError(name)


def test_a_whole_round_by_the_keyboard_alone(pages: Pages, house: House) -> None:
    """Terminal and console, without a pointer: placed, dealt, paid."""
    house.buy_in(TABLE, f"Cara-{TABLE}", cents=10_000)
    console = pages.open(f"/console/{TABLE}", by="Dana")
    expect(console.get_by_role("button", name="Take the table")).to_be_visible()
    _tab_to(console, "Take the table")
    console.keyboard.press("Enter")
    expect(console.locator("h1")).to_have_text("Open the next round")
    enter(console)
    expect(console.locator("h1")).to_have_text("Spin the ball")
    terminal = pages.open(
        f"/seat/{TABLE}", seat=(TABLE, house.devices[f"Cara-{TABLE}"])
    )
    expect(terminal.locator(".band .title")).to_have_text("Place your bets")
    expect(terminal.get_by_role("application")).to_be_visible()

    terminal.keyboard.press("Tab")
    expect(terminal.get_by_role("button", name="Skip to the layout")).to_be_focused()
    terminal.keyboard.press("Enter")
    assert terminal.evaluate(_FOCUSED) == "application"
    terminal.keyboard.press("ArrowRight")
    terminal.keyboard.press("Enter")
    expect(terminal.locator("[role=application] .chip.registered")).to_have_count(1)

    for title in ("Close the betting", "Which compartment?"):
        enter(console)
        expect(console.locator("h1")).to_have_text(title)
    console.keyboard.type("0")
    enter(console)
    expect(console.locator(".back .say")).to_have_text("0 green")
    enter(console)
    expect(console.locator("h1")).to_have_text("Settle the round")
    enter(console)
    expect(terminal.locator("[role=application] .chip.won")).to_have_count(1)
