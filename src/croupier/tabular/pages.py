"""Pages that need nothing else: to read, print and file. All share one style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from croupier.tabular.plots import Plot
from croupier.tabular.tables import TextTable

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class Legend:
    """The meaning of a plot's colours: classes of the style sheet, and their words."""

    begins: str
    marks: tuple[tuple[str, str], ...]
    ends: str


PagePart = str | TextTable | Plot | Legend


@dataclass(frozen=True, slots=True)
class PageSection:
    """A heading and what stands below it; text is a paragraph."""

    title: str
    parts: Sequence[PagePart]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: what it is about, what it says, and its sections."""

    title: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[PageSection]
    warning: str = ""
    """Framed, with the reasons below it."""
    reasons: Sequence[str] = ()
    says: Sequence[str] = ()
    footer: str = ""

    def html(self) -> str:
        return render("page.html", page=self)


def render(template: str, **values: object) -> str:
    """Return the template with the values, which are escaped."""
    return _templates().get_template(template).render(values)


@cache
def _templates() -> Environment:
    # Imported here: a command that writes no HTML starts without it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("croupier.tabular"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["zip"] = zip
    return templates
