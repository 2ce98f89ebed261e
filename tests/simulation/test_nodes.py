"""Houses of several nodes: under all faults one owner writes, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from croupier.house.floor import nodes
from croupier.house.floor.nodes import NodeSteps, NodeView, next_steps
from croupier.house.records.house_record import HouseRecord
from croupier.journal.store import JournalError
from croupier.journal.tables import StreamBatch
from tests.robustness.books import Violation
from tests.robustness.stores import MemoryStore
from tests.simulation.node_house import NodeHouse
from tools.soak.simulation import play_with_nodes

SEEDS = (2, 3)
STEPS = 1_500
Patch = pytest.MonkeyPatch


def test_under_any_fault_of_nodes_one_owner_writes_and_nothing_is_lost() -> None:
    went_on: Counter[str] = Counter()
    kinds: Counter[str] = Counter()

    for seed in SEEDS:
        house = play_with_nodes(seed, STEPS).house
        went_on.update(house.counts + house.network.counts + house.store.injected)
        kinds.update(house.kinds())

    assert kinds["RoundSettled"] > 60
    assert kinds["TableTaken"] > 30
    for trouble in (
        "crashes",
        "slept",
        "cut off",
        "all slept",
        "turned away",
        "stopped",
        "went on",
        "conflicts",
        "hung in a turn",
        "decided again",
        "failures",
        "lost",
        "doubled",
        "delayed",
    ):
        assert went_on[trouble] > 0, (trouble, went_on)


def writes_in_an_old_epoch(patch: Patch) -> None:
    right = MemoryStore.append

    def append(
        self: MemoryStore, batches: Sequence[StreamBatch]
    ) -> list[JournalError | None]:
        epochs = self.epochs()
        newest = [replace(each, epoch=epochs[each.stream]) for each in batches]
        return right(self, newest)

    patch.setattr(MemoryStore, "append", append)


def takes_nothing_from_a_node_that_hangs(patch: Patch) -> None:
    def steps(view: NodeView) -> NodeSteps:
        hanging = {n.name for n in view.registered.nodes if n.silent_ms >= 5_000}
        right = next_steps(view)
        claim = {
            table: before
            for table, before in right.claim.items()
            if before is None or before.node not in hanging
        }
        return replace(right, claim=claim)

    patch.setattr(nodes, "next_steps", steps)


def decides_on_an_old_house(patch: Patch) -> None:
    right = HouseRecord._commit

    def commit(self: HouseRecord, *given: object) -> None:
        self._follow()
        self._decided_on = self._reader.head.sequence
        right(self, *given)  # type: ignore[arg-type]

    patch.setattr(HouseRecord, "_commit", commit)


@pytest.mark.parametrize(
    "plant",
    [
        writes_in_an_old_epoch,
        takes_nothing_from_a_node_that_hangs,
        decides_on_an_old_house,
    ],
)
def test_the_simulation_sees_a_node_that(
    plant: Callable[[Patch], None], monkeypatch: Patch
) -> None:
    plant(monkeypatch)

    with pytest.raises(Violation) as caught:
        _run_houses()

    assert "in a house of seed" in caught.value.__notes__[0]


def _run_houses() -> None:
    for seed in (8, 23, 24, 11, 19, 20):
        NodeHouse(seed).run(STEPS)
