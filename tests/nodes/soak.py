"""The long run: hundreds of faults at a house of three nodes, then a reconnect storm.

`python -m tests.nodes.soak` prints its seed and its counts. It ends with status 1 at
the first thing that is lost, done twice or answered otherwise the second time.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.faults.standby import ServerPair
from tests.nodes.campaign import NodeCampaign
from tests.nodes.cluster import Cluster
from tests.nodes.storm import invite, storm


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seats", type=int, default=150, help="at each table")
    parser.add_argument("--terminals", type=int, default=1_000, help="of the storm")
    parser.add_argument("--within", type=float, default=10, help="seconds, all back")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    asked = parser.parse_args()
    sys.stdout.write(f"seed {asked.seed}\n")
    random = Random(asked.seed)
    servers = ServerPair()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(servers.new_address(), Path(folder) / "nodes", random)
        try:
            cluster.begin()
            campaign = NodeCampaign(cluster, servers, random, seats=asked.seats)
            for number in range(asked.faults):
                campaign.strike(random.choice(sorted(campaign.strikes)), number % 2)
            campaign.promote()
            counts = sorted(campaign.check().items())
            _tell(", ".join(f"{number} {what}" for what, number in counts))
            for floor in campaign.floors:
                floor.hang_up()
            took = _reconnect(cluster, campaign, asked.terminals)
            _tell(f"{asked.terminals} terminals were back after {took:.1f} s")
            assert took <= asked.within
        finally:
            cluster.close()
            servers.stop()
    return 0


def _reconnect(cluster: Cluster, campaign: NodeCampaign, terminals: int) -> float:
    """Kill a node in a round; the seconds until all terminals show one view."""
    floor = campaign.floors[0]
    with storm(cluster, invite(cluster, terminals)) as all_of_them:
        floor.connect()
        floor.open_round()
        all_of_them.wait_until_shown(floor.table, 120, takes_wagers=True)
        cluster.kill_node(cluster.owner_of(floor.table))
        return all_of_them.wait_until_shown(floor.table, 120, interrupted=True)


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
