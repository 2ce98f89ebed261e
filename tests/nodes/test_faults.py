"""Three real nodes through a dozen faults: every answered command is there, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.faults.house_process import TABLES
from tests.faults.standby import ServerPair
from tests.nodes.campaign import NodeCampaign
from tests.nodes.cluster import Cluster
from tests.nodes.storm import invite, storm
from tests.robustness.recorder import Journal
from tests.waiting import wait_for


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeCampaign]:
    folder: Path = tmp_path_factory.mktemp("nodes")
    servers = ServerPair()
    cluster = Cluster(servers.new_address(), folder, Random(1))
    try:
        cluster.begin()
        yield NodeCampaign(cluster, servers, Random(1))
    finally:
        cluster.close()
        servers.stop()


def test_after_faults_of_nodes_every_answered_command_is_there_once(
    campaign: NodeCampaign,
) -> None:
    for number, name in enumerate(campaign.strikes):
        campaign.strike(name, number % 2)
    campaign.strike("killed", 1)
    campaign.strike_house_acts()
    campaign.promote()

    counts = campaign.check()

    house = campaign.journal.streams["house"]
    kinds = Counter(event["kind"] for event in house)
    assert kinds["ProposalConfirmed"] == kinds["GamingDayClosed"] == 1, kinds
    for table in TABLES:
        assert len(campaign.journal.of_kind(table, "GamingDayBegun")) == 1, table
    assert counts["registered"] > 80
    assert counts["met in flight"] > 0, counts
    assert counts["rounds beside faults"] >= 10, counts
    for hung in ("held past its lease", "killed"):
        assert campaign.longest_s[hung] < 40, campaign.longest_s


def test_after_the_loss_of_a_node_all_terminals_show_one_view(
    campaign: NodeCampaign,
) -> None:
    floor, cluster = campaign.floors[0], campaign.cluster

    number, invited = floor.open_round(), invite(cluster, 50)
    players = invited[:8]
    for each in players:
        each.play_for(number)

    with storm(invited) as terminals:
        terminals.wait_until_shown(floor.table, 30, takes_wagers=True)
        cluster.kill_node(cluster.owner_of(floor.table))
        terminals.wait_until_shown(floor.table, 30, interrupted=True)
        wait_for(lambda: all(len(each.answers) > 1 for each in players))

    assert terminals.check_wagers(Journal(cluster.export())) >= 16
