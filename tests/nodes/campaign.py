"""Rounds at a house of three nodes, a fault in each: no answered command is lost."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

from croupier.house.people.proposals import record_proposed
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import ConfirmationGiven
from croupier.ledger.commands import Adjust
from tests.faults.device import Terminal
from tests.faults.house_process import TABLES, new_id
from tests.faults.standby import ServerPair
from tests.nodes.cluster import NAMES, Cluster, NodeFloor
from tests.robustness.recorder import Journal
from tests.waiting import wait_for

After = Callable[[], None]
_IN_FLIGHT = ("straight_up:1", "straight_up:17", "straight_up:0")
"""One command each of every terminal, sent right before a fault."""


class NodeCampaign:
    """A house in play; each fault strikes the node of the table in play."""

    def __init__(
        self,
        cluster: Cluster,
        servers: ServerPair,
        random: Random,
        *,
        seats: int = 2,
    ) -> None:
        self.cluster, self.servers, self.random = cluster, servers, random
        self.counts: Counter[str] = Counter()
        self.journal = Journal([])
        """As `check` has read it."""
        self.longest_s: dict[str, float] = {}
        """By fault, how long it took until every terminal had its answer, with the
        start of a node that the fault had ended."""
        self.floors = [NodeFloor(cluster, table, seats=seats) for table in TABLES]
        self.strikes = {
            "killed": self._kill,
            "held past its lease": self._hold_long,
            "held for a moment": self._hold_shortly,
            "another killed": self._kill_other,
            "sessions ended": self._end_sessions,
            "database stopped at once": self._stop_database,
            "stopped in order": self._stop,
            "stopped between rounds": self._stop_between,
        }

    def strike(self, name: str, table: int = 0) -> None:
        """Play a round of a table through a fault, while the other table plays on."""
        floor, other = self.floors[table], self.floors[1 - table]
        self.counts[name] += 1
        with other.playing_on():
            floor.open_round()
            floor.all_answered(floor.lay("red", cents=500))
            owner = self.cluster.owner_of(floor.table)
            began = time.monotonic()
            # Not waited for: the fault meets them on their way there or back.
            in_flight = floor.lay(*_IN_FLIGHT, cents=100)
            lines = {terminal: terminal.lines for terminal, _ in in_flight}
            after = self.strikes[name](floor, owner)
            sent = floor.lay("straight_up:17", cents=300)
            after()
            self._hear_of(in_flight, lines)
            floor.all_heard(sent)
            took = time.monotonic() - began
            self.longest_s[name] = max(took, self.longest_s.get(name, 0))
            floor.finish(self.random.choice(("17", "1", "0")))
        self.cluster.wait_until_served()

    def _hear_of(
        self, in_flight: list[tuple[Terminal, str]], lines: dict[Terminal, int]
    ) -> None:
        """Wait for the answers; count those that came over another connection.

        A line gives what had come before it broke: these were not answered by then.
        """
        for terminal, sent_id in in_flight:
            terminal.answer(sent_id)
            self.counts["met in flight"] += terminal.lines > lines[terminal]

    def promote(self) -> None:
        """Lose the database's server in a round; its standby takes its place."""
        floor, other = self.floors
        self.counts["promoted"] += 1
        with other.playing_on():
            floor.open_round()
            sent = floor.lay("red", cents=500)
            self.servers.lose_first()
            sent += floor.lay("straight_up:17", cents=300)
            self.servers.promote()
            floor.all_heard(sent)
            floor.finish("17")
        self.cluster.wait_until_served()

    def strike_house_acts(self) -> None:
        """Lose the node of a table in the middle of acts of the house.

        It hangs while a voucher is redeemed there, two people have confirmed an act
        there that is not done yet, and the day ends; then it dies.
        """
        floor, other = self.floors
        seat, issuer = floor.terminals[0].sender, other.terminals[0].sender
        path = f"/api/tables/{other.table}/seats/{issuer}/voucher"
        issued = self.cluster.ask(
            "POST", path, {"id": new_id(), "cents": 700}, by="Carl"
        )
        owner = self.cluster.owner_of(floor.table)
        self.cluster.hold_node(owner)
        self.cluster.log_on_again("Carl")
        with self.cluster.record_beside() as record:
            proposed = record_proposed(
                record,
                by="Sam",
                position="Pit Supervisor",
                acting=False,
                table=floor.table,
                act=Adjust(seat, 100, "a mistake"),
            )
            given = ConfirmationGiven(proposed.number, "Mira", "Pit Manager", False)
            record.write(given)
            with ThreadPoolExecutor(2) as pool:
                path = f"/api/tables/{floor.table}/seats/{seat}/redeem"
                body = {"id": new_id(), "code": issued["voucher"]}
                acts = [
                    pool.submit(self.cluster.ask, "POST", path, body, by="Carl"),
                    pool.submit(self._close_day),
                ]
                wait_for(lambda: self._is_ending(record))
                self.cluster.kill_node(owner)
                for act in acts:
                    act.result()
            wait_for(lambda: self._is_completed(record))
        self.cluster.record.credit[floor.table, seat] += 700 + 100
        self.cluster.record.credit[other.table, issuer] -= 700
        self.counts["house acts"] += 1
        self.cluster.start_node(owner)
        self.cluster.wait_until_served()

    def _close_day(self) -> None:
        """Ask again for the close until it is done: the asked node may be gone."""
        path = "/api/gaming-day/close?early=true"

        def is_closed() -> bool:
            try:
                reply = self.cluster.http("POST", path, by="Carl")
            except OSError:
                return False
            return reply.done or reply.status == 409

        wait_for(is_closed, 60)

    @staticmethod
    def _is_ending(record: HouseRecord) -> bool:
        record.follow()
        return bool(record.state.ending_day)

    @staticmethod
    def _is_completed(record: HouseRecord) -> bool:
        record.follow()
        return not record.state.confirmations

    def check(self) -> Counter[str]:
        """Compare the journal with all answers; return the counts."""
        exported = self.cluster.export()
        self.journal = Journal(exported)
        counts = self.counts + self.cluster.record.compare(exported)
        counts["rounds beside faults"] = sum(each.rounds_beside for each in self.floors)
        assert counts["unanswered"] == 0, counts
        self.cluster.verify()
        for node in self.cluster.nodes.values():
            assert node.process is not None, node.said
            assert node.process.poll() is None, node.said
        return counts

    def _kill(self, floor: NodeFloor, owner: str) -> After:
        self.cluster.kill_node(owner)

        def start() -> None:
            self.cluster.wait_for_owner(floor.table, lambda now: now not in {"", owner})
            self.cluster.start_node(owner)

        return start

    def _kill_other(self, floor: NodeFloor, owner: str) -> After:
        other = self._other(owner)
        self.cluster.kill_node(other)
        return lambda: self.cluster.start_node(other)

    def _other(self, owner: str) -> str:
        return self.random.choice([name for name in NAMES if name != owner])

    def _hold_long(self, floor: NodeFloor, owner: str) -> After:
        self.cluster.hold_node(owner)

        def wake() -> None:
            self.cluster.wait_for_owner(floor.table, lambda now: now not in {"", owner})
            self.cluster.wake_node(owner)

        return wake

    def _hold_shortly(self, floor: NodeFloor, owner: str) -> After:
        self.cluster.hold_node(owner)
        time.sleep(1)
        self.cluster.wake_node(owner)
        return lambda: None

    def _end_sessions(self, floor: NodeFloor, owner: str) -> After:
        self.servers.first.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE application_name LIKE 'croupier {owner} %'"
        )
        return lambda: None

    def _stop_database(self, floor: NodeFloor, owner: str) -> After:
        self.servers.first.halt(signal.SIGQUIT)
        return self.servers.first.resume

    def _stop(self, floor: NodeFloor, owner: str) -> After:
        self.cluster.stop_node(owner)
        return lambda: self.cluster.start_node(owner)

    def _stop_between(self, floor: NodeFloor, owner: str) -> After:
        floor.finish("17")
        self.cluster.stop_node(owner)
        self.cluster.wait_for_owner(floor.table, lambda now: now not in {"", owner})
        self.cluster.start_node(owner)
        floor.open_round()
        return lambda: None
