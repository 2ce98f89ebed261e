"""Faults of a table's running planted in a journal, and where they must be seen."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.journal.events.table import TableOpened, TermsChanged
from croupier.journal.findings import FindingKind
from tests.audit.journal.faults import Fault, Seen
from tests.audit.journal.forging import Forgery


def limits_absent(f: Forgery) -> Seen:
    """Terms without any limits: every stake is taken."""
    item = f.one("v3", TermsChanged).change(limits=())
    return Seen(FindingKind.TERMS, item)


def limits_for_some_types(f: Forgery) -> Seen:
    """Terms with limits for one wager type alone."""
    item = f.one("v3", TermsChanged).change(limits=("red 10 2000",))
    return Seen(FindingKind.TERMS, item)


def opened_without_limits(f: Forgery) -> Seen:
    """A table that was opened without limits."""
    return Seen(FindingKind.TERMS, f.one("fast", TableOpened).change(limits=()))


TABLE_FAULTS: Mapping[str, Fault] = {
    fault.__name__: fault
    for fault in (limits_absent, limits_for_some_types, opened_without_limits)
}
