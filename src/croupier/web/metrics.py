"""What the server counts and measures, for Prometheus.

The registry is the server's own, so that two servers in one process stay apart. Labels
are names that the house gives (tables) or closed sets: their number is bounded.
"""

from __future__ import annotations

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
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """Each method tells of one thing that happened; what a floor observes is here."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(namespace="croupier", registry=registry)
        self._commands = Counter(
            "croupier_commands_total",
            "Commands answered, by table, kind and answer.",
            ("table", "kind", "answer"),
            registry=registry,
        )
        self._answer_seconds = Histogram(
            "croupier_answer_seconds",
            "From reading a command to its answer, which is after the commit.",
            ("table",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._wagers = Counter(
            "croupier_wagers_total",
            "Wagers registered and refused.",
            ("table", "answer"),
            registry=registry,
        )
        self._devices = Gauge(
            "croupier_devices",
            "Devices connected now, by table and kind.",
            ("table", "kind"),
            registry=registry,
        )
        self._fan_out_seconds = Histogram(
            "croupier_fan_out_seconds",
            "From a commit until all devices of the table have been told.",
            ("table",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._cut_off = Counter(
            "croupier_slow_readers_cut_total",
            "Devices cut off because they read too slowly.",
            ("table",),
            registry=registry,
        )
        self._commits = Counter(
            "croupier_commits_total", "Commits to the journal.", registry=registry
        )
        self._queue_depth = Gauge(
            "croupier_queue_depth",
            "Commands that wait for their commit.",
            ("table",),
            registry=registry,
        )
        self._void_rounds = Counter(
            "croupier_void_rounds_total",
            "Rounds voided.",
            ("table",),
            registry=registry,
        )
        self._proposals_waiting = Gauge(
            "croupier_proposals_waiting",
            "Acts of two persons that wait for the second.",
            registry=registry,
        )
        self._log_on_failures = Counter(
            "croupier_log_on_failures_total",
            "Log-ons and pairings refused.",
            ("kind",),
            registry=registry,
        )
        info = Gauge(
            "croupier_info",
            "The version that runs; always 1.",
            ("version",),
            registry=registry,
        )
        info.labels(croupier.__version__).set(1)

    def answered(
        self, table: str, registered: bool, seconds: float, kind: str = "command"
    ) -> None:
        """A command was answered, so many seconds after it was read."""
        self._commands.labels(table, kind, _answer(registered)).inc()
        self._answer_seconds.labels(table).observe(seconds)

    def wagers(self, table: str, registered: bool, count: int = 1) -> None:
        self._wagers.labels(table, _answer(registered)).inc(count)

    def told(self, table: str, listeners: int, seconds: float) -> None:
        """All listeners have been told of a commit; none there is no fan-out."""
        if listeners:
            self._fan_out_seconds.labels(table).observe(seconds)

    def connected(self, table: str, kind: str, change: int) -> None:
        """Devices came (+1) or went (-1)."""
        self._devices.labels(table, kind).inc(change)

    def cut_off(self, table: str) -> None:
        self._cut_off.labels(table).inc()

    def committed(self, count: int = 1) -> None:
        self._commits.inc(count)

    def queued(self, table: str, depth: int) -> None:
        """So many commands wait now."""
        self._queue_depth.labels(table).set(depth)

    def voided(self, table: str) -> None:
        self._void_rounds.labels(table).inc()

    def proposals(self, waiting: int) -> None:
        """So many acts wait for their second person now."""
        self._proposals_waiting.set(waiting)

    def log_on_failed(self, kind: str = "staff") -> None:
        """`staff`, or `device` for a pairing code."""
        self._log_on_failures.labels(kind).inc()

    def exposition(self) -> bytes:
        """All of it as text, of the type `CONTENT_TYPE`."""
        return generate_latest(self.registry)


def _answer(registered: bool) -> str:
    return "registered" if registered else "refused"
