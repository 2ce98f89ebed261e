"""The metrics count events, and the page on operating lists them all."""

from __future__ import annotations

import re

import pytest
from prometheus_client import REGISTRY, Histogram, generate_latest
from prometheus_client.parser import text_string_to_metric_families

import croupier
from croupier.house.measurements import BOUNDS_S
from croupier.rules.clause import Clause, Refusal
from croupier.rules.commands import PlaceWager, PlaceYourBets, Settle
from croupier.rules.notation import read_wager
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table.commands import AnyCommand, Together
from croupier.table.reasons import TableReason
from croupier.web.metrics import Metrics
from tests.web.a_house import DEALER, House
from tests.web.metrics import metrics_of_a_node, samples
from tools.docs.pages import DOCS


def test_what_happened_is_counted() -> None:
    metrics = Metrics()
    wagers = [PlaceWager("w", "Anna", read_wager("red"), 100) for _ in range(2)]

    def accepted(command: AnyCommand, since: float) -> tuple[AnyCommand, float, Answer]:
        return command, since, Accepted("c", 1, 1, (), ())

    refused = Refused("c", Refusal(Clause("d", "1"), TableReason.TABLE_CLOSED()), 1)

    metrics.answered("t1", [accepted(Settle(), 9.98), (Settle(), 9.8, None)], 10)
    metrics.answered("t1", [accepted(wagers[0], 9.98), accepted(wagers[1], 9.97)], 10)
    metrics.answered("t1", [accepted(Together((*wagers, *wagers)), 9.99)], 10)
    metrics.answered("t1", [(wagers[0], 9.999, refused)], 10)

    read = samples(metrics)
    expected = {
        "croupier_commands_total answer=registered kind=Settle table=t1": 1,
        "croupier_commands_total answer=refused kind=Settle table=t1": 1,
        "croupier_commands_total answer=registered kind=PlaceWager table=t1": 2,
        "croupier_commands_total answer=refused kind=PlaceWager table=t1": 1,
        "croupier_commands_total answer=registered kind=Together table=t1": 1,
        "croupier_answer_seconds_count table=t1": 6,
        "croupier_answer_seconds_bucket le=0.025 table=t1": 4,
        "croupier_answer_seconds_bucket le=0.25 table=t1": 6,
        "croupier_wagers_total answer=registered table=t1": 6,
        "croupier_wagers_total answer=refused table=t1": 1,
        "croupier_commits_total": 0,
        "croupier_journal_findings": -1,
        f"croupier_info version={croupier.__version__}": 1,
    }
    assert {name: read[name] for name in expected} == expected


def test_seconds_are_counted_as_by_the_librarys_histogram() -> None:
    seconds, name = [0.25, 0.5, 0.75, 1.0, 2.0, 2.5, 7.0, 11.0], "fan_out_seconds"
    metrics = Metrics()
    library = Histogram(
        f"croupier_{name}", "About.", ["table"], registry=None, buckets=BOUNDS_S
    )

    metrics.observe(name, "t1", seconds[:3])
    metrics.observe(name, "t1", seconds[3:])
    for each in seconds:
        library.labels("t1").observe(each)

    [theirs] = library.collect()
    assert {
        (each.name, each.labels.get("le")): each.value
        for family in metrics.collect()
        for each in family.samples
        if each.name.startswith(f"croupier_{name}")
    } == {
        (each.name, each.labels.get("le")): each.value
        for each in theirs.samples
        if not each.name.endswith("_created")
    }


@pytest.mark.anyio
async def test_the_metrics_count_the_events_of_a_table(house: House) -> None:
    measured = house.floor.options.measurements

    await house.say("t1", "Dealer: place your bets", "Dealer: power failure")
    again = Submission("x", (DEALER,), PlaceYourBets())
    assert isinstance(await house.floor.table("t1").submit(again), Refused)
    await house.say("t1", "Dealer: settle")

    assert measured.values["commits_total"] == {(): 4}
    assert measured.values["queue_depth"] == {("t1",): 0}
    assert measured.values["void_rounds_total"] == {("t1",): 1}
    assert measured.values["commands_total"] == {
        ("t1", "PlaceYourBets", "registered"): 1,
        ("t1", "PlaceYourBets", "refused"): 1,
        ("t1", "ReportPowerFailure", "registered"): 1,
        ("t1", "Settle", "registered"): 1,
    }
    assert measured.seconds.keys() == {("answer_seconds", "t1")}, "nobody listens"


def test_two_servers_in_one_process_stay_apart() -> None:
    first, second = Metrics(), Metrics()

    first.add("commits_total", 1)

    assert samples(first)["croupier_commits_total"] == 1
    assert samples(second)["croupier_commits_total"] == 0
    assert REGISTRY.get_sample_value("croupier_commits_total") is None


@pytest.mark.parametrize("name", ['"', "\\", "a\nb", "tisch-№1", 'x"} 1\nevil 2'])
def test_a_hostile_name_breaks_no_line(name: str) -> None:
    metrics = Metrics()

    metrics.add("void_rounds_total", 1, name)

    page = generate_latest(metrics.registry).decode()
    families = text_string_to_metric_families(page)
    found = [
        each.labels["table"]
        for family in families
        for each in family.samples
        if each.name == "croupier_void_rounds_total"
    ]
    assert found == [name]
    assert "evil" not in samples(metrics)


def _described(metrics: Metrics) -> dict[str, tuple[str, str]]:
    """Return kind and help of each metric of ours, by its name in queries."""
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


def test_the_page_lists_every_metric() -> None:
    page = (DOCS / "operating.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `(croupier_\w+)` \| (\w+) \| ([\w, ]*) ?\| (.+) \|$", page, re.MULTILINE
    )

    listed = {name: (kind, says) for name, kind, _, says in rows}
    assert listed == _described(metrics_of_a_node())
