"""The journal's own store in memory, and around any store a disk that fails.

What a store in memory holds outlives every process of a simulation, as a file would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from croupier.journal.store import JournalError, JournalFailed, Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import StreamBatch
from tests.simulation.seeded import Dice, SimulatedClock

if TYPE_CHECKING:
    from croupier.journal.stores.sqlite import SqliteStore as _AnyStore
else:
    _AnyStore = object


class MemoryStore(SqliteStore):
    """SQLite without a file; closing it loses nothing."""

    def __init__(self, same: MemoryStore | None = None) -> None:
        """Begin an empty journal, or open the same one again."""
        if same is None:
            super().__init__(":memory:")
        else:
            vars(self).update(vars(same))

    def _make_durable(self, path: str) -> None:
        """Ask for nothing: there is no disk."""

    def again(self) -> MemoryStore:
        """Return a store on the same memory, as a process that starts again does."""
        return MemoryStore(self)

    def close(self) -> None:
        """Keep everything."""


class ProcessDied(BaseException):
    """Everything in memory is gone; only the simulation may catch it."""


@dataclass(frozen=True)
class Faults:
    """One write in this number has the fault; 0: none."""

    fails_before: int = 400
    fails_after: int = 400
    dies_before: int = 1_200
    dies_after: int = 1_200
    rival: int = 600
    slow: int = 20


NO_FAULTS = Faults(0, 0, 0, 0, 0, 0)
_WRITES = frozenset(
    {
        "claim_stream",
        "join_stream",
        "claim_voucher",
        "release_vouchers",
        "keep_secret",
        "drop_secret",
        "load",
    }
)


class FaultyStore(_AnyStore):
    """Passes everything on to a store; some writes go wrong around it.

    `committed` is told of every batch that the inner store has taken, answered or not.
    """

    def __init__(
        self,
        inner: Store,
        dice: Dice,
        clock: SimulatedClock,
        committed: Callable[[StreamBatch], None],
    ) -> None:
        self.inner = inner
        """The store below; a process that starts again opens another."""
        self.faults = Faults()
        self.injected: Counter[str] = Counter()
        self.rivals: set[str] = set()
        """Streams that a second writer has claimed since they were last opened."""
        self._dice = dice
        self._clock = clock
        self._committed = committed

    def __getattr__(self, name: str) -> Any:
        """Return what the inner store has, with faults around it if it writes."""
        found = getattr(self.inner, name)
        return self._around(found) if name in _WRITES else found

    def _around(self, write: Callable[..., Any]) -> Callable[..., Any]:
        def faulty(*given: Any, **named: Any) -> Any:
            self._before()
            result = write(*given, **named)
            self._after()
            return result

        return faulty

    def _before(self) -> None:
        faults, dice = self.faults, self._dice
        if dice.is_one_in(faults.slow):
            self.injected["slow"] += 1
            self._clock.pass_by(dice.below(2_000))
        if dice.is_one_in(faults.fails_before):
            self._fail("failed before")
        if dice.is_one_in(faults.dies_before):
            self._die("died before")

    def _after(self) -> None:
        if self._dice.is_one_in(self.faults.fails_after):
            self._fail("failed after")
        if self._dice.is_one_in(self.faults.dies_after):
            self._die("died after")

    def _fail(self, how: str) -> None:
        self.injected[how] += 1
        raise JournalFailed("the simulated disk failed")

    def _die(self, how: str) -> None:
        self.injected[how] += 1
        raise ProcessDied

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        self._before()
        if self._dice.is_one_in(self.faults.rival):
            self.injected["rival"] += 1
            self.rivals.add(batches[0].stream)
            self.inner.claim_stream(batches[0].stream)
        results = self.inner.append(batches)
        for batch, problem in zip(batches, results, strict=True):
            if problem is None:
                self._committed(batch)
        self._after()
        return results
