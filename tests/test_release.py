"""What is released: the same bytes from the same tree, on locked packages."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tomllib
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from zipfile import ZipFile

import pytest

from croupier import __version__
from hatch_build import description_of, is_stale

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
INSTALL = (ROOT / "docs" / "install.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _build(folder: Path) -> Path:
    """Build wheel and sdist into the folder, with hatchling."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=ROOT,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
        check=True,
        capture_output=True,
    )
    return folder


def test_every_file_that_names_the_version_names_this_one() -> None:
    cited = re.findall(
        r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE
    )
    listed = re.findall(
        r"^## .*?(\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )

    assert [*cited, listed[0]] == [__version__, __version__]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Building them here would take the pages away from the tests that serve them.
    assert not is_stale(ROOT), "the pages are older than their sources: make pages"
    return _build(tmp_path_factory.mktemp("built"))


def test_wheel_and_sdist_are_the_same_bytes_twice(built: Path, tmp_path: Path) -> None:
    first, second = (
        {file.name: sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}
        for folder in (built, _build(tmp_path))
    )

    assert first == second
    assert sorted(Path(name).suffix for name in first) == [".gz", ".whl"]


def _commands() -> list[list[str]]:
    """Return the words of each command that the install page shows."""
    lines = re.findall(r"^croupier .*$", INSTALL, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that finds the wheel's files before the tree's."""
    site = tmp_path_factory.mktemp("site")
    [wheel] = built.glob("*.whl")
    with ZipFile(wheel) as packed:
        packed.extractall(site)
    # What is compiled is tested elsewhere; compiling it once more would take a minute.
    wanted = {"PYTHONPATH": str(site), "PYTHONSAFEPATH": "1", "NUMBA_DISABLE_JIT": "1"}
    return {**os.environ, **wanted}


_RUN_EACH = """
import json, sys, croupier
from croupier.cli import main
failed = []
for words in json.loads(sys.argv[1]):
    sys.argv = words
    try:
        main()
    except SystemExit as end:
        failed += [words] if end.code else []
print(json.dumps({"file": croupier.__file__, "failed": failed}))
"""
"""Runs commands in one process, so that what they share is imported once."""


def test_each_command_of_the_install_page_works_from_the_wheel(
    installed: dict[str, str], tmp_path: Path
) -> None:
    commands = [
        ["20" if word == "100000" else word for word in words]
        for words in _commands()
        if words[1] != "serve"
    ]

    done = subprocess.run(
        [sys.executable, "-c", _RUN_EACH, json.dumps(commands)],
        cwd=tmp_path,
        env=installed,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )

    *output, last = done.stdout.splitlines() or [""]
    assert (done.returncode, json.loads(last)["failed"]) == (0, []), done
    assert json.loads(last)["file"].startswith(installed["PYTHONPATH"])
    assert output[-1] == "the same"


def _steps_of_the_image() -> list[str]:
    """Return what the build file of the image runs, each as a line of shell."""
    text = (ROOT / "samples/deploy/Containerfile").read_text("utf-8")
    return re.findall(r"^RUN ((?:.*\\\n)*.*)$", text, re.MULTILINE)


def _packages_beside(folder: Path) -> Path:
    """A folder with the packages of this environment, but for the program and pip."""
    folder.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if not each.name.startswith(("croupier", "_editable", "pip", "__pycache__")):
            (folder / each.name).symlink_to(each)
    return folder


def test_the_image_is_made_from_a_folder_with_a_wheel(
    built: Path, tmp_path: Path
) -> None:
    step, *_ = _steps_of_the_image()
    [wheel] = built.glob("*.whl")
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / wheel.name).symlink_to(wheel)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (tools / "python").chmod(0o755)
    there = {"/opt/croupier": f"{tmp_path}/opt", "/wheels": f"{tmp_path}/wheels"}
    for place, here in there.items():
        step = step.replace(place, here)

    done = subprocess.run(
        ["sh", "-euc", step],
        cwd=tmp_path / "from",
        # What the program needs is here already: nothing is fetched.
        env={
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PYTHONPATH": str(_packages_beside(tmp_path / "beside")),
        },
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "the same"


def test_what_makes_the_image_is_shell() -> None:
    steps = _steps_of_the_image()

    assert len(steps) == 2
    for step in steps:
        subprocess.run(["sh", "-nc", step], check=True)


def test_the_house_of_the_install_page_is_served_from_the_wheel(
    installed: dict[str, str], tmp_path: Path
) -> None:
    [words] = [words for words in _commands() if words[1] == "serve"]

    with subprocess.Popen(
        [sys.executable, "-m", *words, "--port", "0", "--log-level", "error"],
        cwd=tmp_path,
        env=installed,
        stdout=subprocess.PIPE,
        text=True,
    ) as house:
        assert house.stdout is not None
        host = house.stdout.readline().strip().rpartition("//")[2]
        connection = HTTPConnection(host, timeout=30)
        connection.request("GET", "/")
        page = connection.getresponse()
        told = (page.status, b"<html" in page.read())
        connection.close()
        house.terminate()
        code = house.wait(30)

    assert (told, code) == ((200, True), 0)


def test_the_install_page_shows_a_command_for_each_part() -> None:
    shown = {words[1] for words in _commands()}

    assert len(_commands()) > 18
    assert shown >= {"samples", "serve", "simulate", "settle-file", "audit", "report"}


def test_the_install_page_has_each_extra() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \| .* \| (\d+) MB", INSTALL, re.MULTILINE)

    assert sorted(name for name, _ in rows) == sorted(
        {*PROJECT["optional-dependencies"]} - {"dev"}
    )


def test_all_is_every_extra_but_the_gpu() -> None:
    [everything] = PROJECT["optional-dependencies"]["all"]

    named = set(everything.removeprefix("croupier[").removesuffix("]").split(","))

    assert named == {*PROJECT["optional-dependencies"]} - {"all", "dev", "gpu"}


def test_the_description_has_no_link_that_an_index_lacks() -> None:
    description = description_of(README)

    assert re.findall(r"\]\((?!https?:)", description) == []
    assert "readings, audit, journal, chance" in description
    assert "docs/" not in description


def test_the_packages_of_a_server_are_locked_with_their_hashes() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["server"], *extras["postgresql"]]
    lock = (ROOT / "requirements-server.lock").read_text()
    locked = dict(
        re.findall(r"^([\w-]+)==\S+.*\\\n    --hash=(sha256:\w+)", lock, re.MULTILINE)
    )

    names = {re.split(r"[\[>;=<]", each)[0] for each in wanted}
    assert names <= locked.keys()
