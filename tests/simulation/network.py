"""Between senders and tables: messages are lost, doubled, delayed and reordered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from heapq import heappop, heappush

from croupier.table.answers import Answer
from croupier.table.commands import Submission
from tests.simulation.seeded import Dice, SimulatedClock


@dataclass(frozen=True)
class Message:
    """A command on its way to a table, or an answer on its way back."""

    stream: str
    content: Submission | Answer
    """Whether a node has sent it on to the one that has the table."""


@dataclass
class Network:
    dice: Dice
    clock: SimulatedClock
    reliable: bool = False
    """At the end of a simulation, so that every sender gets its answer."""
    counts: Counter[str] = field(default_factory=Counter)
    _queues: dict[str, list[tuple[int, int, Message]]] = field(default_factory=dict)
    _sent: int = 0

    def send(self, to: str, message: Message) -> None:
        """On its way to an address, once, twice or not at all."""
        self.counts["sent"] += 1
        if not self.reliable and self.dice.is_one_in(12):
            self.counts["lost"] += 1
            return
        self._put(to, message)
        if not self.reliable and self.dice.is_one_in(10):
            self.counts["doubled"] += 1
            self._put(to, message)

    def _put(self, to: str, message: Message) -> None:
        delay = self.dice.below(30)
        if not self.reliable and self.dice.is_one_in(25):
            self.counts["delayed"] += 1
            delay += self.dice.below(3_000)
        self._sent += 1
        due = (self.clock.now_ms + delay, self._sent, message)
        heappush(self._queues.setdefault(to, []), due)

    def arrived(self, at: str, most: int) -> list[Message]:
        """What has come to an address by now, in the order of arrival."""
        queue = self._queues.get(at, [])
        messages: list[Message] = []
        while queue and queue[0][0] <= self.clock.now_ms and len(messages) < most:
            messages.append(heappop(queue)[2])
        return messages

    def is_quiet(self) -> bool:
        return not any(self._queues.values())
