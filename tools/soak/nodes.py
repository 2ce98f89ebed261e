"""The long run: hundreds of faults at a house of three nodes, then a reconnect storm.

`python -m tools.soak.nodes` prints its seed, and its counts as it goes. It ends with
status 1 at the first thing that is lost, done twice or answered otherwise the second
time. `--minutes` ends the faults early; the comparison and the storm still follow.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.faults.standby import ServerPair
from tests.nodes.campaign import NodeCampaign
from tests.nodes.cluster import Cluster
from tests.nodes.storm import invite, storm
from tests.robustness.recorder import Journal

_TOLD_EVERY = 10
"""Faults between two lines of counts."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60, help="at most, of faults")
    parser.add_argument("--seats", type=int, default=150, help="at each table")
    parser.add_argument("--terminals", type=int, default=1_000, help="of the storm")
    parser.add_argument("--within", type=float, default=10, help="seconds, all back")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    asked = parser.parse_args()
    _tell(f"seed {asked.seed}")
    random = Random(asked.seed)
    servers = ServerPair()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(servers.new_address(), Path(folder) / "nodes", random)
        try:
            cluster.begin()
            campaign = NodeCampaign(cluster, servers, random, seats=asked.seats)
            _strike(campaign, random, asked.faults, asked.minutes)
            campaign.strike_house_acts()
            campaign.promote()
            _tell(_counted(campaign.check()))
            _tell("the longest from a fault, over a start, to the last answer:")
            for name, seconds in sorted(campaign.longest_s.items()):
                _tell(f"  {name}: {seconds:.1f} s")
            for floor in campaign.floors:
                floor.hang_up()
            took = _reconnect(cluster, campaign, asked.terminals)
            _tell(f"{asked.terminals} terminals were back after {took:.1f} s")
            assert took <= asked.within
        finally:
            cluster.close()
            servers.stop()
    return 0


def _strike(
    campaign: NodeCampaign, random: Random, faults: int, minutes: float
) -> None:
    """Strike until the faults or the minutes are up; print the counts now and then."""
    began, names = time.monotonic(), sorted(campaign.strikes)
    for number in range(1, faults + 1):
        campaign.strike(random.choice(names), number % 2)
        past_s = time.monotonic() - began
        if number % _TOLD_EVERY == 0:
            _tell(f"{past_s:.0f} s: {number} faults: {_counted(campaign.counts)}")
        if past_s >= minutes * 60:
            _tell(f"{number} of {faults} faults in {minutes:g} minutes")
            return


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))


def _reconnect(cluster: Cluster, campaign: NodeCampaign, terminals: int) -> float:
    """Kill a node in a round; return the seconds until all terminals show one view."""
    floor = campaign.floors[0]
    floor.connect()
    number, invited = floor.open_round(), invite(cluster, terminals)
    for each in invited[: terminals // 2 : 10]:
        each.play_for(number)
    with storm(invited) as all_of_them:
        all_of_them.wait_until_shown(floor.table, 120, takes_wagers=True)
        cluster.kill_node(cluster.owner_of(floor.table))
        took = all_of_them.wait_until_shown(floor.table, 120, interrupted=True)
    answers = all_of_them.check_wagers(Journal(cluster.export()))
    _tell(
        f"{terminals // 20} wagers of the storm were placed once,"
        f" and answered {answers} times"
    )
    return took


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
