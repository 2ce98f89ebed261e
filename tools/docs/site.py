"""The pages as readers see them: without the parts that only tests need.

`.venv/bin/python -m tools.docs.site` writes them to `build/docs`; `make docs` builds
the site from there. Prompts and blank-line marks of examples are taken out, and the
API's document lies beside the pages.
"""

from __future__ import annotations

import doctest
import json
import re
import shutil
from pathlib import Path

from croupier import __version__
from croupier.web.api import whole_api
from croupier.web.openapi import document
from tools.docs.pages import DOCS, ROOT

BUILT = ROOT / "build" / "docs"
_EXAMPLES = re.compile(
    r"^```(?:pycon|python)\n(?P<body>>>> .*?)^```$", re.DOTALL | re.MULTILINE
)


def for_readers(text: str) -> str:
    """Return the page with examples as code to copy, their output below."""
    return _EXAMPLES.sub(lambda found: _shown(found["body"]), text)


def _shown(body: str) -> str:
    parts: list[tuple[str, str]] = []
    for example in doctest.DocTestParser().get_examples(body):
        source = example.source
        if parts and parts[-1][0] == "python":
            parts[-1] = ("python", parts[-1][1] + source)
        else:
            parts.append(("python", source))
        if example.want or example.exc_msg:
            parts.append(("text", example.want.replace("<BLANKLINE>", "")))
    return "\n\n".join(f"```{kind}\n{text}```" for kind, text in parts)


def write_site(folder: Path = BUILT) -> None:
    """Write the pages, their pictures and the document of the API to the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder)
    for page in folder.glob("*.md"):
        page.write_text(for_readers(page.read_text("utf-8")), "utf-8")
    api = document(whole_api().endpoints, version=__version__)
    told = json.dumps(api, indent=1, ensure_ascii=False)
    (folder / "openapi.json").write_text(f"{told}\n", "utf-8")


if __name__ == "__main__":
    write_site()
