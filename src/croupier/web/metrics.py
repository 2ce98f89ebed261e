"""The Prometheus metrics of the server, in their own registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

import croupier
from croupier.house.floor.floor import Floor
from croupier.house.measurements import BOUNDS_S, Measurements

_VALUES: Mapping[str, tuple[str, ...]] = {
    "commands_total": (
        "Commands answered, by table, kind and answer.",
        *("table", "kind", "answer"),
    ),
    "wagers_total": ("Wagers registered and refused.", "table", "answer"),
    "devices": ("Devices connected now, by table and kind.", "table", "kind"),
    "slow_readers_cut_total": (
        "Devices cut off because they read too slowly.",
        "table",
    ),
    "commits_total": ("Commits to the journal.",),
    "queue_depth": ("Commands that wait for their commit.", "table"),
    "void_rounds_total": ("Rounds voided.", "table"),
    "proposals_waiting": ("Acts of two people that wait for the second.",),
    "log_on_failures_total": ("Wrong passwords and PINs.",),
    "refused_total": (
        "Requests and connections refused before they reached the house, by reason.",
        "why",
    ),
    "checkpoints_waiting": (
        "Checkpoints of the log that are not written to their file yet.",
    ),
    "witnesses_missing": ("Witnesses that the last checkpoint lacks for its quorum.",),
    "journal_findings": (
        "Findings of the last verification of the journal; -1: none has ended yet.",
    ),
    "read_only": ("1 if the house is read-only, because its journal does not verify.",),
    "info": ("The version that runs; always 1.", "version"),
}
"""The description and labels of each counter (`_total`) and gauge."""
_HISTOGRAMS = {
    "answer_seconds": "From reading a command to its answer, after the commit.",
    "fan_out_seconds": "From a commit until it is sent to all devices of the table.",
}


class Metrics(Measurements, Collector):
    """The measurements of a floor, in Prometheus's format."""

    def __init__(self) -> None:
        super().__init__()
        for name, (_, *labels) in _VALUES.items():
            if not labels:
                self.set(name, 0)
        self.set("journal_findings", -1)
        self.set("info", 1, croupier.__version__)
        self.registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(namespace="croupier", registry=self.registry)
        self.registry.register(self)

    def collect(self) -> Iterator[Metric]:
        assert self.values.keys() <= _VALUES.keys()
        for name, (about, *labels) in _VALUES.items():
            is_counter = name.endswith("_total")
            kind = CounterMetricFamily if is_counter else GaugeMetricFamily
            family = kind(f"croupier_{name}", about, labels=labels)
            for values, value in self.values.get(name, {}).copy().items():
                family.add_metric(values, value)
            yield family
        for name, about in _HISTOGRAMS.items():
            yield self._histogram(name, about)

    def _histogram(self, name: str, about: str) -> HistogramMetricFamily:
        family = HistogramMetricFamily(f"croupier_{name}", about, labels=["table"])
        bounds = [*(str(float(bound)) for bound in BOUNDS_S), "+Inf"]
        for (of, table), counts in self.durations.copy().items():
            if of == name:
                buckets = list(zip(bounds, accumulate(counts), strict=True))
                family.add_metric([table], buckets, self.seconds[of, table])
        return family

    def page(self, _: Request) -> Response:
        return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)


class NodesCollector(Collector):
    """Metrics of the nodes as this node knows them; none if there is one process."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def collect(self) -> Iterator[Metric]:
        nodes, lag_s = self._floor.nodes, self._floor.record.lag_s
        if nodes is None:
            return
        up = GaugeMetricFamily(
            "croupier_node_up",
            "1 for a node that is alive, 0 for one that is gone, as this node knows.",
            labels=["node"],
        )
        for node in nodes.all():
            up.add_metric([node.name], int(node.is_alive))
        owner = GaugeMetricFamily(
            "croupier_table_owner",
            "1 for the node that serves a table; no sample while none does.",
            labels=["table", "node"],
        )
        for table in self._floor.record.state.tables:
            serving = nodes.owner_of(table)
            if serving is not None:
                owner.add_metric([table, serving], 1)
        yield from (up, owner)
        yield GaugeMetricFamily(
            "croupier_beat_age_seconds",
            "Since this node last reported itself alive; above 5 it is cut off.",
            value=nodes.beat_age_s,
        )
        yield CounterMetricFamily(
            "croupier_takeovers",
            "Tables that this node has taken over from nodes that were gone.",
            value=nodes.takeovers,
        )
        if lag_s is not None:
            yield GaugeMetricFamily(
                "croupier_following_seconds",
                "Since this node last read all events of the house.",
                value=lag_s,
            )
