"""HTML pages that need no other file. All share one style sheet."""

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
    """The meaning of a plot's colours: a style sheet class and a word for each."""

    begins: str
    marks: tuple[tuple[str, str], ...]
    ends: str


PagePart = str | TextTable | Plot | Legend


@dataclass(frozen=True, slots=True)
class PageSection:
    """A heading and its parts; a text is a paragraph."""

    title: str
    parts: Sequence[PagePart]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its title, its facts, and its sections."""

    title: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[PageSection]
    warning: str = ""
    """Shown in a frame, with the reasons below it."""
    reasons: Sequence[str] = ()
    says: Sequence[str] = ()
    footer: str = ""

    def html(self) -> str:
        return render("page.html", page=self)

    def xlsx(self) -> bytes:
        """Return the facts and the tables as a workbook."""
        from croupier.tabular.workbooks import workbook

        facts = TextTable(self.title, ("", ""), self.facts, (self.warning, self.footer))
        parts = [part for section in self.sections for part in section.parts]
        return workbook([facts, *(p for p in parts if isinstance(p, TextTable))])


def render(template: str, **values: object) -> str:
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
