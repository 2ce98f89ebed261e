"""A journal in memory that several nodes write, each over a line that may be cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from croupier.journal.store import HOUSE_STREAM, ServerAway, Store, WriterConflict
from croupier.journal.tables import StreamBatch
from tests.robustness.books import demand
from tests.robustness.stores import FaultyStore, MemoryStore
from tests.simulation.memory_nodes import MemoryRegistry, MemoryRows
from tests.simulation.seeded import Dice, SimulatedClock


@dataclass
class SharedJournal:
    """All that outlives the processes."""

    rows: MemoryRows = field(default_factory=MemoryRows)
    memory: MemoryStore = field(default_factory=MemoryStore)
    claims: dict[tuple[str, int], str] = field(default_factory=dict)
    """Which node claimed each epoch of each table's stream."""
    turn: MemorySharing | None = None
    """Who has the house's turn."""


class MemorySharing:
    """Turns at the house's stream: who finds another in it has waited long enough."""

    def __init__(self, shared: SharedJournal, registry: MemoryRegistry) -> None:
        self._shared, self._registry = shared, registry

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        raise NotImplementedError("sessions are not simulated")

    def take_turn(self) -> None:
        _reach(self._registry)
        self._shared.turn = self

    def end_turn(self) -> None:
        if self._shared.turn is self:
            self._shared.turn = None

    def take_payment_turn(self) -> None:
        _reach(self._registry)

    def end_payment_turn(self) -> None:
        """One table of the simulation acts at a time."""

    def wait(self, seconds: float) -> bool:
        raise AssertionError(f"no wait of {seconds} s: the test takes turns")


class OwnersStore(MemoryStore):
    """A store in which a table's stream only its owner can claim."""

    def __init__(self, shared: SharedJournal, node: str) -> None:
        super().__init__(shared.memory)
        self._shared, self._node = shared, node

    def claim_stream(self, stream: str) -> int:
        demand(stream != HOUSE_STREAM, "a node claimed the house for itself")
        owner = self._shared.rows.owners.get(stream)
        if owner is None or owner.node != self._node:
            raise WriterConflict(stream)
        epoch = super().claim_stream(stream)
        demand((stream, epoch) not in self._shared.claims, "one epoch, two writers")
        self._shared.claims[stream, epoch] = self._node
        return epoch


class NodeStore(FaultyStore):
    """A faulty store that can't be reached at all while its node is cut off."""

    def __init__(
        self,
        inner: Store,
        dice: Dice,
        clock: SimulatedClock,
        committed: Callable[[StreamBatch], None],
        registry: MemoryRegistry,
    ) -> None:
        self._registry = registry
        super().__init__(inner, dice, clock, committed)

    @property
    def inner(self) -> Store:
        _reach(self._registry)
        return self._inner

    @inner.setter
    def inner(self, inner: Store) -> None:
        self._inner = inner


def _reach(registry: MemoryRegistry) -> None:
    if registry.is_cut:
        raise ServerAway("the simulated database can't be reached")
