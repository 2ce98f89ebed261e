"""Silent connections are closed in time, and never block others."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs

from croupier.web.security import connections
from croupier.web.security.connections import ConnectionBounds, ConnectionGate
from croupier.web.security.limits import RefusalLog

pytestmark = pytest.mark.anyio


class Wire(asyncio.Transport):
    """A transport that remembers how it ended."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__({"peername": (host, port)})
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True


def gate_of(**bounds: Any) -> tuple[ConnectionGate, Counter[str]]:
    refused: Counter[str] = Counter()
    gate = ConnectionGate(
        ConnectionBounds(**bounds), lambda why, _address: refused.update([why])
    )
    return gate, refused


async def _ask(
    gate: ConnectionGate, wire: Wire, seconds: float = 0, path: str = "/"
) -> None:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await asyncio.sleep(seconds)

    peer = wire.get_extra_info("peername")
    scope = {"type": "http", "client": peer, "path": path}
    await gate.around(app)(scope, None, None)  # type: ignore[arg-type]


async def test_only_silent_connections_are_cut() -> None:
    gate, refused = gate_of(silent_seconds=0.05)
    silent, asking = Wire("10.0.0.1", 1), Wire("10.0.0.1", 2)
    gate.opened(silent)
    gate.opened(asking)
    await _ask(gate, asking, 0.15)
    assert [wire.is_cut for wire in (silent, asking)] == [True, False]
    await asyncio.sleep(0.1)
    assert asking.is_cut  # it was kept open and asked for nothing more
    assert refused == {"silent": 2}
    assert len(gate) == 0


async def test_the_oldest_silent_one_gives_way_and_one_that_asks_never_does() -> None:
    gate, refused = gate_of(in_all=2)
    asking, silent, new = (Wire("10.0.0.1", port) for port in range(3))
    gate.opened(asking)
    asked = asyncio.create_task(_ask(gate, asking, 0.1))
    await asyncio.sleep(0)
    gate.opened(silent)
    gate.opened(new)
    assert silent.is_cut
    assert not new.is_cut
    also = asyncio.create_task(_ask(gate, new, 0.1))
    await asyncio.sleep(0)
    late = Wire("10.0.0.1", 7)
    gate.opened(late)
    assert late.is_cut  # no silent connection could give way
    assert refused == {"gave way": 1, "full": 1}
    await asyncio.gather(asked, also)


async def test_probes_of_the_machine_itself_get_through_when_all_files_are_used() -> (
    None
):
    gate, refused = gate_of(in_all=2, silent_seconds=30)
    busy = [Wire("127.0.0.1", port) for port in range(2)]
    for wire in busy:
        gate.opened(wire)
    asking = [asyncio.create_task(_ask(gate, wire, 0.1)) for wire in busy]
    await asyncio.sleep(0)
    probe, other, away = (
        Wire("127.0.0.1", 11),
        Wire("::1", 12),
        Wire("10.0.0.1", 13),
    )
    for wire in (probe, other, away):
        gate.opened(wire)
    assert [wire.is_cut for wire in (probe, other, away)] == [False, False, True]
    await _ask(gate, probe, path="/ready")
    await _ask(gate, probe, path="/health")
    await _ask(gate, other, path="/api/tables/t1/play")
    assert [wire.is_cut for wire in (probe, other)] == [False, True]
    gate.opened(away)
    assert away.is_cut
    await asyncio.gather(*asking)
    assert not any(wire.is_cut for wire in busy)
    assert refused["full"] >= 2


async def test_probes_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_PROBES", 2)

    gate, _ = gate_of(in_all=1, silent_seconds=30)
    wires = [Wire("127.0.0.1", port) for port in range(5)]
    gate.opened(wires[0])
    asked = asyncio.create_task(_ask(gate, wires[0], 0.1))
    await asyncio.sleep(0)
    for wire in wires[1:]:
        gate.opened(wire)
    assert [wire.is_cut for wire in wires] == [False] * 3 + [True] * 2
    gate.closed(("127.0.0.1", 1))
    again = Wire("127.0.0.1", 9)
    gate.opened(again)
    assert not again.is_cut
    await asked


async def test_a_socket_is_no_longer_counted_once_it_is_over() -> None:
    gate, _ = gate_of()
    wire = Wire("10.0.0.1", 1)
    gate.opened(wire)

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        assert len(gate) == 1

    scope = {"type": "websocket", "client": ("10.0.0.1", 1)}
    await gate.around(app)(scope, None, None)  # type: ignore[arg-type]
    assert len(gate) == 0


def test_a_flood_of_refusals_is_counted_and_logged_once_a_second() -> None:
    now = 0.0
    counted: Counter[str] = Counter()
    log = RefusalLog(lambda: now, lambda kind: counted.update([kind]))

    with capture_logs() as lines:
        for _ in range(1_000):
            log.note("414", "10.0.0.1", path="/" + "x" * 5_000)
        now = 1.5
        log.note("414", "10.0.0.1", path="/y")
        log.note("414", "10.0.0.2", path="/z")

    assert counted == {"414": 1_002}
    assert [line["path"][:2] for line in lines] == ["/x", "/y", "/z"]
    assert all(len(line["path"]) <= 200 for line in lines)
