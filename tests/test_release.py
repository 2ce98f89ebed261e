"""What is released: the same bytes from the same tree, on locked packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

from hatch_build import is_stale

ROOT = Path(__file__).parent.parent


def _built(folder: Path) -> dict[str, str]:
    """The digest of each file that hatchling builds, by its name."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=ROOT,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
        check=True,
        capture_output=True,
    )
    return {
        file.name: sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()
    }


def test_wheel_and_sdist_are_the_same_bytes_twice(tmp_path: Path) -> None:
    # Building them here would take the pages away from the tests that serve them.
    assert not is_stale(ROOT), "the pages are older than their sources: make pages"

    first, second = (_built(tmp_path / turn) for turn in ("first", "second"))

    assert first == second
    assert sorted(Path(name).suffix for name in first) == [".gz", ".whl"]


def test_the_packages_of_a_server_are_locked_with_their_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["server"], *extras["postgresql"]]
    lock = (ROOT / "requirements-server.lock").read_text()
    locked = dict(
        re.findall(r"^([\w-]+)==\S+.*\\\n    --hash=(sha256:\w+)", lock, re.MULTILINE)
    )

    names = {re.split(r"[\[>;=<]", each)[0] for each in wanted}
    assert names <= locked.keys()
