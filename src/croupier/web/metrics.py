"""Counters and measurements of the server, for Prometheus.

The registry is the server's own, so that two servers in one process stay apart. Labels
are names that the house gives (tables) or closed sets: their number is bounded.
"""

from __future__ import annotations

from typing import Any, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

import croupier

CONTENT_TYPE: str = CONTENT_TYPE_LATEST
_MetricT = TypeVar("_MetricT", Counter, Gauge, Histogram)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """What a floor observes; each method reports one thing that happened."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(namespace="croupier", registry=registry)

        def add(
            kind: type[_MetricT], name: str, about: str, *labels: str, **more: Any
        ) -> _MetricT:
            return kind(f"croupier_{name}", about, labels, registry=registry, **more)

        self._commands = add(
            Counter,
            "commands_total",
            "Commands answered, by table, kind and answer.",
            *("table", "kind", "answer"),
        )
        self._answer_seconds = add(
            Histogram,
            "answer_seconds",
            "From reading a command to its answer, which is after the commit.",
            "table",
            buckets=_SECONDS,
        )
        self._wagers = add(
            Counter, "wagers_total", "Wagers registered and refused.", "table", "answer"
        )
        self._devices = add(
            Gauge,
            "devices",
            "Devices connected now, by table and kind.",
            "table",
            "kind",
        )
        self._fan_out_seconds = add(
            Histogram,
            "fan_out_seconds",
            "From a commit until all devices of the table have been told.",
            "table",
            buckets=_SECONDS,
        )
        self._cut_off = add(
            Counter,
            "slow_readers_cut_total",
            "Devices cut off because they read too slowly.",
            "table",
        )
        self._commits = add(Counter, "commits_total", "Commits to the journal.")
        self._queue_depth = add(
            Gauge, "queue_depth", "Commands that wait for their commit.", "table"
        )
        self._void_rounds = add(Counter, "void_rounds_total", "Rounds voided.", "table")
        self._proposals_waiting = add(
            Gauge,
            "proposals_waiting",
            "Acts of two persons that wait for the second.",
        )
        self._log_on_failures = add(
            Counter, "log_on_failures_total", "Log-ons and pairings refused.", "kind"
        )
        info = add(Gauge, "info", "The version that runs; always 1.", "version")
        info.labels(croupier.__version__).set(1)

    def answered(
        self, table: str, registered: bool, seconds: float, kind: str = "command"
    ) -> None:
        """Count a command that was answered so many seconds after it was read."""
        self._commands.labels(table, kind, _answer(registered)).inc()
        self._answer_seconds.labels(table).observe(seconds)

    def wagers(self, table: str, registered: bool, count: int = 1) -> None:
        self._wagers.labels(table, _answer(registered)).inc(count)

    def told(self, table: str, listeners: int, seconds: float) -> None:
        """Measure how long it took to tell all listeners, if there are any."""
        if listeners:
            self._fan_out_seconds.labels(table).observe(seconds)

    def connected(self, table: str, kind: str, change: int) -> None:
        """Count devices that came (+1) or went (-1)."""
        self._devices.labels(table, kind).inc(change)

    def cut_off(self, table: str) -> None:
        self._cut_off.labels(table).inc()

    def committed(self, count: int = 1) -> None:
        self._commits.inc(count)

    def queued(self, table: str, depth: int) -> None:
        """Set how many commands wait now."""
        self._queue_depth.labels(table).set(depth)

    def voided(self, table: str) -> None:
        self._void_rounds.labels(table).inc()

    def proposals(self, waiting: int) -> None:
        """Set how many acts wait for their second person now."""
        self._proposals_waiting.set(waiting)

    def log_on_failed(self, kind: str = "staff") -> None:
        """Count a refused log-on; the kind is `device` for a pairing code."""
        self._log_on_failures.labels(kind).inc()

    def exposition(self) -> bytes:
        """Return all of it as text, of the type `CONTENT_TYPE`."""
        return generate_latest(self.registry)


def _answer(registered: bool) -> str:
    return "registered" if registered else "refused"
