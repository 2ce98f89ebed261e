"""The metrics count what happened, and the page on operating lists them all."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast

import pytest
from prometheus_client import REGISTRY, CollectorRegistry, Histogram
from prometheus_client.parser import text_string_to_metric_families

import croupier
from croupier.house.floor.floor import Floor
from croupier.house.floor.observer import Observer
from croupier.web.frequent_metrics import FrequentSeconds
from croupier.web.monitoring import CONTENT_TYPE, Metrics
from croupier.web.nodes.metrics import NodesCollector
from tests.docs.pages import DOCS

Sample = dict[str, float]


def samples(metrics: Metrics) -> Sample:
    """Every sample by its name and labels, as Prometheus would read them."""
    families = text_string_to_metric_families(metrics.exposition().decode())
    return {
        " ".join([each.name, *(f"{k}={v}" for k, v in sorted(each.labels.items()))]): (
            each.value
        )
        for family in families
        for each in family.samples
        if not each.name.endswith("_created")
    }


def test_what_happened_is_counted() -> None:
    metrics = Metrics()
    observer: Observer = metrics

    observer.answered("t1", "act", True, [0.02])
    observer.answered("t1", "act", False, [0.2])
    metrics.answered("t1", "place", True, [0.02, 0.03])
    metrics.wagers("t1", True, 20)
    metrics.wagers("t1", False)
    observer.told("t1", 3, 0.004)
    observer.connected("t1", "terminal", 1)
    observer.connected("t1", "terminal", 1)
    observer.connected("t1", "terminal", -1)
    observer.cut_off("t1")
    metrics.committed()
    metrics.queued("t1", 9)
    metrics.queued("t1", 4)
    observer.voided("t1")
    metrics.proposals(2)
    metrics.log_on_failed()
    metrics.log_on_failed("device")

    read = samples(metrics)
    expected = {
        "croupier_commands_total answer=registered kind=act table=t1": 1,
        "croupier_commands_total answer=refused kind=act table=t1": 1,
        "croupier_commands_total answer=registered kind=place table=t1": 2,
        "croupier_answer_seconds_count table=t1": 4,
        "croupier_answer_seconds_bucket le=0.025 table=t1": 2,
        "croupier_answer_seconds_bucket le=0.25 table=t1": 4,
        "croupier_wagers_total answer=registered table=t1": 20,
        "croupier_wagers_total answer=refused table=t1": 1,
        "croupier_fan_out_seconds_count table=t1": 1,
        "croupier_devices kind=terminal table=t1": 1,
        "croupier_slow_readers_cut_total table=t1": 1,
        "croupier_commits_total": 1,
        "croupier_queue_depth table=t1": 4,
        "croupier_void_rounds_total table=t1": 1,
        "croupier_proposals_waiting": 2,
        "croupier_log_on_failures_total kind=staff": 1,
        "croupier_log_on_failures_total kind=device": 1,
        f"croupier_info version={croupier.__version__}": 1,
    }
    assert {name: read[name] for name in expected} == expected


def test_seconds_are_counted_as_by_the_librarys_histogram() -> None:
    bounds, seconds = (0.5, 1.0, 2.5), [0.25, 0.5, 0.75, 1.0, 2.0, 2.5, 7.0]
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    counted = FrequentSeconds("took", "About.", bounds)
    ours.register(counted)
    library = Histogram("took", "About.", ["table"], registry=theirs, buckets=bounds)

    counted.observe("t1", seconds[:3])
    counted.observe("t1", seconds[3:])
    for each in seconds:
        library.labels("t1").observe(each)

    for name, labels in (
        *(("took_bucket", {"le": le}) for le in ("0.5", "1.0", "2.5", "+Inf")),
        ("took_count", {}),
        ("took_sum", {}),
    ):
        both = [
            each.get_sample_value(name, {"table": "t1", **labels})
            for each in (ours, theirs)
        ]
        assert both[0] == both[1] is not None, (name, labels)


def test_telling_nobody_is_no_fan_out() -> None:
    metrics = Metrics()

    metrics.told("t1", 0, 5.0)

    assert "croupier_fan_out_seconds_count table=t1" not in samples(metrics)


def test_two_servers_in_one_process_stay_apart() -> None:
    first, second = Metrics(), Metrics()

    first.committed()

    assert samples(first)["croupier_commits_total"] == 1
    assert samples(second)["croupier_commits_total"] == 0
    assert REGISTRY.get_sample_value("croupier_commits_total") is None


@pytest.mark.parametrize("name", ['"', "\\", "a\nb", "tisch-№1", 'x"} 1\nevil 2'])
def test_a_hostile_name_breaks_no_line(name: str) -> None:
    metrics = Metrics()

    metrics.voided(name)

    families = text_string_to_metric_families(metrics.exposition().decode())
    found = [
        each.labels["table"]
        for family in families
        for each in family.samples
        if each.name == "croupier_void_rounds_total"
    ]
    assert found == [name]
    assert "evil" not in samples(metrics)


def test_the_content_type_is_that_of_prometheus() -> None:
    assert CONTENT_TYPE.startswith("text/plain; version=")
    assert Metrics().exposition().endswith(b"\n")


def _described(metrics: Metrics) -> dict[str, tuple[str, str]]:
    """Kind and help of each metric of ours, by the name that it is asked for by."""
    return {
        f"{family.name}{'_total' if family.type == 'counter' else ''}": (
            family.type,
            family.documentation,
        )
        for family in metrics.registry.collect()
        if not family.name.startswith("croupier_process_")
    }


def test_every_name_has_the_prefix() -> None:
    assert all(name.startswith("croupier_") for name in samples(Metrics()))


def metrics_of_a_node() -> Metrics:
    """Every metric that a house of several nodes can expose."""
    metrics = Metrics()
    nodes = SimpleNamespace(all=tuple, owner_of=None, beat_age_s=0.0, takeovers=0)
    record = SimpleNamespace(state=SimpleNamespace(tables={}))
    follower = SimpleNamespace(lag_s=0.0)
    floor = SimpleNamespace(nodes=nodes, record=record, follower=follower)
    metrics.registry.register(NodesCollector(cast(Floor, floor)))
    return metrics


def test_the_page_lists_every_metric() -> None:
    page = (DOCS / "operating.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `(croupier_\w+)` \| (\w+) \| ([\w, ]*) ?\| (.+) \|$", page, re.MULTILINE
    )

    listed = {name: (kind, says) for name, kind, _, says in rows}
    assert listed == _described(metrics_of_a_node())
