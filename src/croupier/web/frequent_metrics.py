"""Metrics that every commit tells: plain numbers, made into samples when asked for.

The library's own take a lock and walk through all buckets for each observation, which
costs a table's part of a commit as much as a wager does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.registry import Collector

Labels = tuple[str, ...]


class FrequentValues(Collector):
    """A counter or a gauge: one value for each combination of labels."""

    def __init__(
        self,
        family: type[CounterMetricFamily] | type[GaugeMetricFamily],
        name: str,
        about: str,
        *labels: str,
    ) -> None:
        self._family, self._name, self._about = family, name, about
        self._labels = labels
        self._values: dict[Labels, float] = {} if labels else {(): 0}

    def add(self, labels: Labels, count: float) -> None:
        self._values[labels] = self._values.get(labels, 0) + count

    def set(self, labels: Labels, value: float) -> None:
        self._values[labels] = value

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Yield the metric as it stands."""
        family = self._family(self._name, self._about, labels=self._labels)
        for labels, value in self._values.copy().items():
            family.add_metric(labels, value)
        yield family


class FrequentSeconds(Collector):
    """A histogram of seconds for each table."""

    def __init__(self, name: str, about: str, bounds: Sequence[float]) -> None:
        """Count up to each of the bounds, which ascend, and beyond the last."""
        self._name, self._about, self._bounds = name, about, bounds
        self._counts: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def observe(self, table: str, seconds: Sequence[float]) -> None:
        counts, bounds = self._counts.get(table), self._bounds
        if counts is None:
            counts = self._counts[table] = [0] * (len(bounds) + 1)
        for each in seconds:
            counts[bisect_left(bounds, each)] += 1
        self._sums[table] = self._sums.get(table, 0) + sum(seconds)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the metric as it stands."""
        family = HistogramMetricFamily(self._name, self._about, labels=["table"])
        names = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        for table, counts in self._counts.copy().items():
            buckets = list(zip(names, accumulate(counts), strict=True))
            family.add_metric([table], buckets, self._sums[table])
        yield family
