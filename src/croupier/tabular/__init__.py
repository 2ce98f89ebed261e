"""Tables, pages, plots and documents: figures as text, CSV, HTML and JSON.

Nothing here knows a game. A package that has figures makes a `TextTable` or a `Page` of
them; commands, notebooks and reports are written from those.
"""

from croupier.tabular.pages import Legend, Page, PagePart, PageSection
from croupier.tabular.plots import Plot, PlotError
from croupier.tabular.tables import (
    Tabled,
    TextTable,
    as_document,
    csv_text,
    data_frame,
    harmless_cell,
)

__all__ = [
    "Legend",
    "Page",
    "PagePart",
    "PageSection",
    "Plot",
    "PlotError",
    "Tabled",
    "TextTable",
    "as_document",
    "csv_text",
    "data_frame",
    "harmless_cell",
]
