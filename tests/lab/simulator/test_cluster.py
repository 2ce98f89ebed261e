"""The same figures from a cluster of processes, also when one of them is killed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from croupier.lab.sessions import SessionError
from croupier.lab.simulator import Simulation, load_own, play_strategy, simulate

distributed = import_module("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    # On a busy machine a worker that was killed takes long to be there again.
    patient = {"distributed.comm.timeouts.connect": "300s"}
    with (
        import_module("dask").config.set(patient),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as made,
    ):
        yield made


@pytest.fixture(autouse=True)
def _be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.lab.simulator.cluster._PATIENCE_SECONDS", 120)
    monkeypatch.setattr("croupier.lab.simulator.cluster._LOST_SECONDS", 600)


def played(**more: Any) -> Simulation:
    words = {"bankroll": 100, "target": 200, "rounds": 40, "strategy": "martingale"}
    usual = {"sessions": 3000, "seed": 8, "engine": "plain"}
    return simulate("mbs-roulette-v3", "red@10", **{**words, **usual, **more})


def test_a_cluster_gives_the_same_document(cluster: Any) -> None:
    here, there = played(), played(cluster=cluster.scheduler_address)

    assert json.dumps(there.json()) == json.dumps(here.json())


def test_a_worker_that_is_killed_changes_nothing(cluster: Any) -> None:
    """The other one plays on: dask is slow to start a new one on a busy machine."""
    killed, *_ = _processes(cluster)
    told: list[int] = []

    def kill_once(done: int, _of: int) -> None:
        told.append(done)
        if len(told) == 2:
            os.kill(killed, signal.SIGKILL)

    there = played(
        cluster=cluster.scheduler_address, sessions=9_000, progress=kill_once
    )

    assert told[1] < told[-1] == 9_000
    assert killed not in _processes(cluster)
    assert there.json() == played(sessions=9_000).json()


def test_a_cluster_whose_workers_are_gone_for_good_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("croupier.lab.simulator.cluster._LOOK_SECONDS", 0.2)
    monkeypatch.setattr("croupier.lab.simulator.cluster._LOST_SECONDS", 1)

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as small:

        def send_home(_done: int, _of: int) -> None:
            small.scale(0)

        with pytest.raises(SessionError, match="all workers of the cluster are gone"):
            played(
                cluster=small.scheduler_address, sessions=900_000, progress=send_home
            )


def _processes(cluster: Any) -> list[int]:
    with distributed.Client(cluster.scheduler_address) as client:
        return [*client.run(os.getpid).values()]


OWN = """
STEP = 2


def steps(round, bankroll, net, units, memory):
    if round > {last}:
        return 1 // (round - round)
    return units + STEP if net < 0 else 1
"""


CHOOSER = """
from croupier.lab.simulator import area_codes

RED = area_codes("mbs-roulette-v3")["red"]


def doubling(seat):
    if seat.net_cents < 0 and seat.round > {last}:
        seat.lay(RED, 100 // (seat.round - seat.round))
    seat.lay(RED, 200 if seat.net_cents < 0 else 100)
"""


@pytest.mark.parametrize("engine", ["plain", "cpu"])
def test_a_chooser_of_wagers_travels_with_its_file(
    cluster: Any, tmp_path: Path, engine: str
) -> None:
    path = tmp_path / "doubling.py"
    path.write_text(CHOOSER.format(last=1000))
    strategy = load_own(f"{path}:doubling", is_chooser=True)
    path.unlink()
    words: dict[str, Any] = {"bankroll": 40, "target": 60, "rounds": 50, "seed": 3}
    there: list[int] = []

    far = play_strategy(
        "mbs-roulette-v3",
        strategy,
        sessions=3_000,
        engine=engine,
        cluster=cluster.scheduler_address,
        progress=lambda done, _: there.append(done),
        **words,
    )
    near = play_strategy(
        "mbs-roulette-v3", strategy, sessions=3_000, engine="plain", **words
    )

    assert (far.records.columns == near.records.columns).all()
    assert len(there) > 1
    assert there[-1] == 3_000


def test_a_chooser_that_fails_far_away_is_told_of_in_one_sentence(
    cluster: Any, tmp_path: Path
) -> None:
    path = tmp_path / "late.py"
    path.write_text(CHOOSER.format(last=150))
    strategy = load_own(f"{path}:doubling", is_chooser=True)

    with pytest.raises(SessionError, match="doubling failed: ZeroDivisionError"):
        play_strategy(
            "mbs-roulette-v3",
            strategy,
            bankroll=9_000,
            rounds=300,
            sessions=9,
            engine="plain",
            cluster=cluster.scheduler_address,
        )


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file that the workers can't read: it is gone before they could."""
    path = tmp_path / "steps.py"
    path.write_text(OWN.format(last=1000))
    return path


def test_a_function_travels_with_what_its_file_has(cluster: Any, own: Path) -> None:
    function = load_own(f"{own}:steps")
    own.unlink()

    there = played(strategy=function, cluster=cluster.scheduler_address)

    assert there.json() == played(strategy=function).json()


def test_an_error_on_a_worker_is_told_in_one_sentence(cluster: Any, own: Path) -> None:
    own.write_text(OWN.format(last=150))
    function = load_own(f"{own}:steps")

    with pytest.raises(SessionError, match="steps failed: ZeroDivisionError"):
        played(
            strategy=function,
            bankroll=10_000,
            target=None,
            rounds=200,
            limits=["* 1 20"],
            sessions=5,
            cluster=cluster.scheduler_address,
        )


def test_a_worker_of_another_version_is_refused(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.lab.simulator.cluster.__version__", "99")

    with pytest.raises(SessionError, match="and not 99 as here"):
        played(cluster=cluster.scheduler_address)


def test_an_engine_that_there_is_not_is_told_by_the_worker(cluster: Any) -> None:
    with pytest.raises(SessionError, match="there is no engine 'abacus'"):
        played(engine="abacus", cluster=cluster.scheduler_address)


def test_a_cluster_without_workers_is_not_waited_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("croupier.lab.simulator.cluster._PATIENCE_SECONDS", 1)

    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        pytest.raises(SessionError, match="has no workers"),
    ):
        played(cluster=empty.scheduler_address)
