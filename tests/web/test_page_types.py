"""The pages' types match the schemas that the house serves."""

from __future__ import annotations

from pathlib import Path

from tools.page_types import WRITTEN, write_types


def test_the_types_of_the_pages_are_those_of_the_served_schemas(tmp_path: Path) -> None:
    write_types(tmp_path / "schema.ts")

    again = (tmp_path / "schema.ts").read_text(encoding="utf-8")

    assert again == WRITTEN.read_text(encoding="utf-8"), "run `make generated`"
