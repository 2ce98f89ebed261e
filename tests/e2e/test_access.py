"""Every page for everybody: landmarks, headings, and the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Pages, check_axe, enter
from tests.house_server.server import House

TABLE = "v3"
_STRUCTURE = [
    "bypass",
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
_THEME = "theme => (document.documentElement.dataset.theme = theme)"
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
    names = page.eval_on_selector_all(
        "a.button, button",
        "all => all.map(each => each.ariaLabel ?? each.innerText.trim())",
    )
    assert "" not in names


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
        ("/pit", "Mira", "staff", ("Add somebody", "Change", "Password", "Let act")),
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
        for theme in ("light", "dark"):
            page.evaluate(_THEME, theme)
            check_axe(page)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


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
