"""One table in play: commands in, events out, recovery."""

from croupier.table.answers import Accepted, Answer, Refused
from croupier.table.commands import Submission
from croupier.table.table import NewTable, Table
from croupier.table.writer import TableQueue, Writer

__all__ = [
    "Accepted",
    "Answer",
    "NewTable",
    "Refused",
    "Submission",
    "Table",
    "TableQueue",
    "Writer",
]
