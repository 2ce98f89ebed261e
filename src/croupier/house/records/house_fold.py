"""The house's stream folded by a verification, as whoever opens the house folds it."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.house.records.house_snapshot import read_house_snapshot
from croupier.house.records.house_state import HouseState, apply
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.table import GamingDayClosed
from croupier.journal.findings import VerificationProblem
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.tables import EventRow
from croupier.journal.verification import StreamFold
from croupier.rules.reasons import Reason


def house_folds() -> Mapping[str, StreamFold]:
    """Return what folds the house's stream, for one verification."""
    return {HOUSE_STREAM: HouseFold()}


class HouseFold:
    """Folds the house's events from the first on, and compares its snapshots."""

    def __init__(self) -> None:
        self.state = HouseState()

    def note(
        self, row: EventRow, event: JournalEvent, snapshot: str | None
    ) -> Reason | None:
        """Fold one more event; return what is wrong with it, or None."""
        try:
            if isinstance(event, HouseEvent | GamingDayClosed):
                self.state = apply(self.state, event, row.at_ms)
            elif snapshot is not None:
                kept = read_house_snapshot(snapshot)
                if kept is not None and kept != self.state:
                    return VerificationProblem.SNAPSHOT_OTHERWISE()
        except Exception as error:  # noqa: BLE001 - whatever it is, a start would fail
            text = f"{type(error).__name__}: {error}"
            return VerificationProblem.EVENT_NOT_FOLDED(text=text)
        return None
