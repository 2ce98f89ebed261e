"""The pit of a house of two nodes: who has which table, moved and drained by a tap."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.web.pages import BUILT
from tests.e2e.conftest import DESKTOP, PHONE, Pages, check_axe, shoot
from tests.e2e.parts import go
from tests.house_server.nodes import open_nodes, served_by
from tests.house_server.server import TABLES, House

Nodes = dict[str, House]
MOVED_WITHIN_MS = 60_000
"""Moved, or taken over, on a slow machine too."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    assert (BUILT / "index.html").is_file(), "build the pages first: make pages"
    with open_nodes(tmp_path_factory.mktemp("nodes"), "A", "B") as opened:
        yield opened


@pytest.fixture(scope="module")
def house(nodes: Nodes) -> House:
    """The node whose pages are looked at."""
    return nodes["A"]


def panel(page: Page) -> Locator:
    go(page, "Devices")
    found = page.locator("section", has=page.get_by_role("heading", name="Nodes"))
    expect(found.locator("tbody tr")).to_have_count(2)
    return found


def row_of(shown: Locator, node: str) -> Locator:
    name = shown.page.get_by_text(node, exact=True)
    return shown.locator("tbody tr").filter(has=name)


def serves(shown: Locator, node: str) -> Locator:
    """The cell of a node's tables."""
    return row_of(shown, node).locator("td").nth(2)


def expect_all_at(shown: Locator, node: str) -> None:
    """Wait until a node serves every table: each is opened by itself."""
    expect(serves(shown, node)).to_have_text(
        ", ".join(sorted(name for name, *_ in TABLES)), timeout=MOVED_WITHIN_MS
    )


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nodes_are_shown_with_their_tables(
    pages: Pages, nodes: Nodes, size: tuple[int, int]
) -> None:
    page = pages.open("/pit", by="Mira", size=size)
    shown = panel(page)

    for table, node in served_by(nodes).items():
        expect(serves(shown, node)).to_contain_text(table)
    check_axe(page)
    shoot(page, f"pit-nodes-{size[0]}")


def test_a_table_is_moved_and_a_node_drained_from_the_pit(
    pages: Pages, nodes: Nodes
) -> None:
    page = pages.open("/pit", by="Mira")
    shown = panel(page)
    table = next(name for name, node in served_by(nodes).items() if node == "A")

    shown.get_by_label("Table").select_option(table)
    shown.get_by_label("To the node").select_option("B")
    shown.get_by_role("button", name="Move a table").click()
    expect(serves(shown, "B")).to_contain_text(table, timeout=MOVED_WITHIN_MS)
    expect(serves(shown, "A")).not_to_contain_text(table)

    shown.get_by_role("button", name="Drain B").click()
    expect_all_at(shown, "A")
    expect(serves(shown, "B")).to_have_text("–")
    shown.get_by_role("button", name="Take tables again B").click()
    expect(shown.get_by_role("button", name="Drain B")).to_be_visible()


def test_a_node_that_was_killed_is_shown_as_gone(pages: Pages, nodes: Nodes) -> None:
    page = pages.open("/pit", by="Mira")
    shown = panel(page)

    nodes["B"].end(signal.SIGKILL)

    expect(row_of(shown, "B")).to_contain_text("Gone", timeout=MOVED_WITHIN_MS)
    expect_all_at(shown, "A")
