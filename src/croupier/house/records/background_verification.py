"""A slow verification of the whole journal while the house is open.

It runs in its own thread on its own connection and rests after every few events, so
that play hardly slows down.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic

import structlog

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_snapshot import house_folds
from croupier.journal.events.house import JournalDoubted
from croupier.journal.findings import table_line
from croupier.journal.store import JournalError, Store
from croupier.journal.verification import VerificationReport, verify

_log = structlog.get_logger("croupier.verification")
_FIRST_AFTER_S = 2.0
_EVERY_S = 24 * 60 * 60.0
_AGAIN_AFTER_S = 60.0
"""The wait if the journal could not be read, or another process verifies it."""
_RESTS_PER_WORK = 9
"""It rests nine times as long as it works: a tenth of a processor."""


class _Ended(Exception):
    """The house closes."""


class BackgroundVerification:
    """Verifies the journal soon after the start, and once a day.

    If several processes have it open, `is_due` picks one.
    """

    def __init__(
        self,
        record: HouseRecord,
        open_again: Callable[[], Store],
        counted: Callable[[int], None],
        is_due: Callable[[], bool] = lambda: True,
    ) -> None:
        """After each verification, `counted` is called with the number of findings."""
        self._record, self._open_again, self._counted = record, open_again, counted
        self._is_due = is_due
        self._ends = Event()
        self._worked_since = 0.0
        self._thread = Thread(target=self._run, name="verification", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, even in the middle of a verification."""
        self._ends.set()

    def _run(self) -> None:
        wait = _FIRST_AFTER_S
        while not self._ends.wait(wait):
            if not self._is_due():
                wait = _AGAIN_AFTER_S
                continue
            try:
                self._verify()
                wait = _EVERY_S
            except _Ended:
                return
            except JournalError as error:
                _log.warning("the journal is not verified yet", why=str(error))
                wait = _AGAIN_AFTER_S
            except Exception:  # noqa: BLE001 - the verification must not end silently
                _log.exception("the verification of the journal failed")
                wait = _EVERY_S

    def _verify(self) -> None:
        self._worked_since = monotonic()
        with self._open_again() as store:
            report = verify(store, folds=house_folds(), pause=self._rest)
        self._counted(len(report.findings) + report.more_findings)
        if report.findings:
            self._raise_alarm(report)

    def _rest(self) -> None:
        worked = monotonic() - self._worked_since
        if self._ends.wait(_RESTS_PER_WORK * worked):
            raise _Ended
        self._worked_since = monotonic()

    def _raise_alarm(self, report: VerificationReport) -> None:
        """Log the findings; record the first alarm."""
        count = len(report.findings) + report.more_findings
        first = table_line(report.findings[0])
        _log.error("the journal does not verify", findings=count, first=first)
        if self._record.state.doubt is None:
            self._record.write(JournalDoubted(count, first))
