"""The walks through the code name what is there."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tools.docs.pages import DOCS, ROOT

PACKAGES = [path.name for path in (ROOT / "src/croupier").iterdir() if path.is_dir()]
NAME = re.compile(rf"`((?:{'|'.join(PACKAGES)})\.[\w.]+)`")
NAMES = sorted(set(NAME.findall((DOCS / "walks.md").read_text("utf-8"))))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_walk_exists(name: str) -> None:
    parts = name.split(".")
    found: object = None
    for count in range(len(parts), 0, -1):
        try:
            found = import_module("croupier." + ".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        break

    assert found is not None


def test_the_walks_name_a_good_part_of_the_packages() -> None:
    walked = {name.split(".")[0] for name in NAMES}

    assert walked >= {"web", "house", "table", "rules", "ledger", "journal", "batch"}
    assert walked >= {"lab", "audit", "protocol"}
