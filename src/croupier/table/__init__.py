"""One table in play: commands in, events out, recovery."""

from croupier.table.actor import TableActor
from croupier.table.answers import Accepted, Answer, Refused
from croupier.table.commands import Submission
from croupier.table.house import HouseBook
from croupier.table.replay import RecalledRound, recall
from croupier.table.table import NewTable, Table

__all__ = [
    "Accepted",
    "Answer",
    "HouseBook",
    "NewTable",
    "RecalledRound",
    "Refused",
    "Submission",
    "Table",
    "TableActor",
    "recall",
]
