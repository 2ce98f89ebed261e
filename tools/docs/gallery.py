"""The pictures of the gallery, drawn by the examples on its page.

`.venv/bin/python -m tools.docs.gallery` draws them again.
"""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from typing import Any

from croupier.tabular import Plot
from tools.docs.pages import DOCS

PAGE = DOCS / "gallery.md"
FOLDER = DOCS / "pictures" / "gallery"


def plots() -> Iterator[Plot]:
    """Yield the picture of each example of the page, in order."""
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(PAGE.read_text("utf-8")):
        if example.want:
            found = eval(example.source, names)
            assert isinstance(found, Plot), example.source
            yield found
        else:
            exec(example.source, names)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for place, plot in enumerate(plots(), start=1):
        plot.save(FOLDER / f"{place}.svg")


if __name__ == "__main__":
    main()
