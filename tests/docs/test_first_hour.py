"""Getting started, gallery, notebook and site: what a newcomer follows."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run_here
from tools.docs.gallery import FOLDER, PAGE
from tools.docs.pages import DOCS, ROOT, files_of
from tools.docs.site import for_readers, write_site

START = DOCS / "getting-started.md"
NOTEBOOK = ROOT / "samples" / "notebook.ipynb"


def _shell_lines(heading: str) -> list[str]:
    """The commands of the page below a heading."""
    part = (
        START.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    )
    blocks = re.findall(r"^```sh\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


def test_a_newcomer_deals_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files_of(START).items():
        (tmp_path / name).write_text(text, "utf-8")
    serve, client, audit = _shell_lines("Deal")

    def words(line: str) -> list[str]:
        return [sys.executable, "-m", *shlex.split(line)]

    with subprocess.Popen(
        [*words(serve), "--port", "0", "--log-level", "error"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as house:
        assert house.stdout is not None
        address = house.stdout.readline().split()[-1]
        dealt = subprocess.run(
            words(client.replace("http://127.0.0.1:8000", address)),
            cwd=tmp_path,
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        )
        house.terminate()
        assert house.wait(30) == 0
    monkeypatch.chdir(tmp_path)
    audited = run_here(*shlex.split(audit)[1:])

    assert dealt.stdout.endswith("staked 10.00 · won 350.00 · collected 0.00\n")
    assert audited.stdout.startswith("practice.db: clean\n")


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wheel.csv").symlink_to(ROOT / "samples" / "wheel.csv")
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {}

    shown = [
        _shown("".join(cell["source"]), names)
        for cell in cells
        if cell["cell_type"] == "code"
    ]

    kinds = [type(each).__name__ for each in shown]
    assert kinds.count("Plot") == 5
    assert {"Settlement", "Odds", "SessionResult", "DataFrame"} <= {*kinds}
    assert all(len(repr(each)) < 2000 for each in shown)


def _shown(source: str, names: dict[str, Any]) -> object:
    """What a notebook would show below the cell: the value of its last line."""
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_gallery_has_a_picture_for_each_call() -> None:
    text = PAGE.read_text("utf-8")

    calls = re.findall(r"^<Plot", text, re.MULTILINE)
    pictures = re.findall(r"pictures/gallery/(\w+\.svg)", text)

    assert len(calls) == len(pictures)
    assert sorted(pictures) == sorted(path.name for path in FOLDER.iterdir())


def test_the_site_shows_examples_without_what_only_tests_need(tmp_path: Path) -> None:
    write_site(tmp_path / "site")

    pages = {p.name: p.read_text("utf-8") for p in (tmp_path / "site").glob("*.md")}
    api = json.loads((tmp_path / "site" / "openapi.json").read_text("utf-8"))
    assert pages.keys() == {path.name for path in DOCS.glob("*.md")}
    for name, text in pages.items():
        assert not re.search(r"^>>> |<BLANKLINE>", text, re.MULTILINE), name
    assert "/api/pair" in api["paths"]


def test_an_example_becomes_code_and_its_output() -> None:
    page = (
        "Text.\n\n```pycon\n>>> a = 1\n>>> if a:\n...     print('x\\n\\ny')\n"
        "x\n<BLANKLINE>\ny\n\n```\n\nMore.\n"
    )

    assert for_readers(page) == (
        "Text.\n\n```python\na = 1\nif a:\n    print('x\\n\\ny')\n```\n\n"
        "```text\nx\n\ny\n```\n\nMore.\n"
    )
