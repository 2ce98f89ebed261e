"""The pit of a house of two nodes shows which node serves each table."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.web.pages import BUILT
from tests.e2e.conftest import DESKTOP, PHONE, Pages, check_axe
from tests.e2e.parts import go
from tests.house_server.nodes import open_nodes, served_by
from tests.house_server.server import TABLES, House

Nodes = dict[str, House]
MOVED_WITHIN_MS = 60_000
"""The time to move a table or take it over, on a slow machine too."""


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[House, Nodes]]:
    assert (BUILT / "index.html").is_file(), "build the pages first: make pages"
    with open_nodes(tmp_path_factory.mktemp("nodes"), "A", "B") as opened:
        yield opened


@pytest.fixture(scope="module")
def house(served: tuple[House, Nodes]) -> House:
    return served[0]


@pytest.fixture(scope="module")
def nodes(served: tuple[House, Nodes]) -> Nodes:
    return served[1]


def panel(page: Page) -> Locator:
    go(page, "Devices")
    found = page.locator("section", has=page.get_by_role("heading", name="Nodes"))
    expect(found.locator("tbody tr")).to_have_count(2)
    return found


def row_of(shown: Locator, node: str) -> Locator:
    name = shown.page.get_by_text(node, exact=True)
    return shown.locator("tbody tr").filter(has=name)


def serves(shown: Locator, node: str) -> Locator:
    """Return the cell with a node's tables."""
    return row_of(shown, node).locator("td").nth(2)


def expect_all_at(shown: Locator, node: str) -> None:
    """Wait until a node serves every table; tables open one by one."""
    expect(serves(shown, node)).to_have_text(
        ", ".join(sorted(name for name, *_ in TABLES)), timeout=MOVED_WITHIN_MS
    )


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nodes_are_shown_with_their_tables(
    pages: Pages, house: House, size: tuple[int, int]
) -> None:
    page = pages.open("/pit", by="Mira", size=size)
    shown = panel(page)

    for table, node in served_by(house).items():
        expect(serves(shown, node)).to_contain_text(table)
    check_axe(page)


def test_a_node_that_was_killed_is_shown_as_gone(pages: Pages, nodes: Nodes) -> None:
    pages.allow("status of 50[234]")  # until the proxy has noticed
    page = pages.open("/pit", by="Mira")
    shown = panel(page)

    nodes["B"].end(signal.SIGKILL)

    expect(row_of(shown, "B")).to_contain_text("Down", timeout=MOVED_WITHIN_MS)
    expect_all_at(shown, "A")
