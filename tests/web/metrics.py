"""The metrics of a house, for tests to read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from croupier.house.floor.floor import Floor
from croupier.web.metrics import Metrics, NodesCollector

Sample = dict[str, float]


def samples(metrics: Metrics) -> Sample:
    """Return every sample by name and labels, as Prometheus would read them."""
    page = generate_latest(metrics.registry).decode()
    families = text_string_to_metric_families(page)
    return {
        " ".join([each.name, *(f"{k}={v}" for k, v in sorted(each.labels.items()))]): (
            each.value
        )
        for family in families
        for each in family.samples
        if not each.name.endswith("_created")
    }


def metrics_of_a_node() -> Metrics:
    """Every metric that a house of several nodes can expose."""
    metrics = Metrics()
    nodes = SimpleNamespace(all=tuple, owner_of=None, beat_age_s=0.0, takeovers=0)
    record = SimpleNamespace(state=SimpleNamespace(tables={}), lag_s=0.0)
    floor = SimpleNamespace(nodes=nodes, record=record)
    metrics.registry.register(NodesCollector(cast(Floor, floor)))
    return metrics
