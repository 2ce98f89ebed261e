"""Metrics of a house of several nodes, read when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from croupier.house.floor.floor import Floor


class NodesCollector(Collector):
    """Metrics of this node's knowledge of all nodes, and how current that is.

    Nothing where one process serves the house.
    """

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics as they stand."""
        nodes, follower = self._floor.nodes, self._floor.follower
        if nodes is None:
            return
        up = GaugeMetricFamily(
            "croupier_node_up",
            "1 for a node that lives, 0 for one that is gone, as this one knows.",
            labels=["node"],
        )
        draining = GaugeMetricFamily(
            "croupier_node_draining",
            "1 for a node that gives its tables away and takes none.",
            labels=["node"],
        )
        for node in nodes.all():
            up.add_metric([node.name], int(node.is_alive))
            draining.add_metric([node.name], int(node.is_draining))
        owner = GaugeMetricFamily(
            "croupier_table_owner",
            "1 for the node that serves a table; no sample while nobody does.",
            labels=["table", "node"],
        )
        for table in self._floor.record.state.tables:
            serving = nodes.owner_of(table)
            if serving is not None:
                owner.add_metric([table, serving.name], 1)
        yield from (up, draining, owner)
        yield GaugeMetricFamily(
            "croupier_beat_age_seconds",
            "Since this node last said that it lives; above 5 it is cut off.",
            value=nodes.beat_age_s,
        )
        yield CounterMetricFamily(
            "croupier_takeovers",
            "Tables that this node has taken from nodes that were gone.",
            value=nodes.takeovers,
        )
        if follower is not None:
            yield GaugeMetricFamily(
                "croupier_following_seconds",
                "Since this node last knew all that the house has recorded.",
                value=follower.lag_s,
            )
