"""Tables, pages and documents: the one way from figures to text, CSV, HTML and JSON.

Nothing here knows a rule or a game: whoever has figures makes a `TextTable` or a `Page`
of them, and every command, notebook and report is written from those.
"""

from croupier.tabular.pages import Legend, Page, PagePart, PageSection
from croupier.tabular.plots import Plot, PlotError
from croupier.tabular.tables import TextTable, as_document, csv_text, harmless_cell

__all__ = [
    "Legend",
    "Page",
    "PagePart",
    "PageSection",
    "Plot",
    "PlotError",
    "TextTable",
    "as_document",
    "csv_text",
    "harmless_cell",
]
