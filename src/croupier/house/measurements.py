"""Measurements of a house as plain numbers, by name and labels.

The metrics library takes a lock for each observation, which costs a table as much as a
wager. Labels are names of tables and nodes, or closed sets: their number is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from croupier.rules.commands import PlaceWager
from croupier.table import Accepted, Answer
from croupier.table.commands import AnyCommand, Together

BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10)
"""Upper bounds of the classes in which durations are counted."""


class Measurements:
    """Written on the event loop, read on any thread."""

    def __init__(self) -> None:
        self.values: dict[str, dict[tuple[str, ...], float]] = {}
        self.durations: dict[tuple[str, str], list[int]] = {}
        """By name and table, the number of durations in each class, and beyond."""
        self.seconds: dict[tuple[str, str], float] = {}
        """The sums of the durations."""

    def add(self, name: str, count: float, *labels: str) -> None:
        values = self.values.setdefault(name, {})
        values[labels] = values.get(labels, 0) + count

    def set(self, name: str, value: float, *labels: str) -> None:
        self.values.setdefault(name, {})[labels] = value

    def observe(self, name: str, table: str, seconds: Sequence[float]) -> None:
        key = name, table
        counts = self.durations.get(key)
        if counts is None:
            counts = self.durations[key] = [0] * (len(BOUNDS_S) + 1)
        for each in seconds:
            counts[bisect_left(BOUNDS_S, each)] += 1
        self.seconds[key] = self.seconds.get(key, 0) + sum(seconds)

    def answered(
        self,
        table: str,
        done: Iterable[tuple[AnyCommand, float, Answer | None]],
        now: float,
    ) -> None:
        """Measure commands with the times when they were sent, and their answers."""
        seconds: dict[tuple[str, bool], list[float]] = {}
        wagers = {False: 0, True: 0}
        for command, since, answer in done:
            registered = type(answer) is Accepted
            kind = (type(command).__name__, registered)
            seconds.setdefault(kind, []).append(now - since)
            if answer is None:
                continue
            if type(command) is PlaceWager:
                wagers[registered] += 1
            elif type(command) is Together:
                placed = sum(isinstance(part, PlaceWager) for part in command.parts)
                wagers[registered] += placed
        for (name, registered), took in seconds.items():
            self.add("commands_total", len(took), table, name, _ANSWER[registered])
            self.observe("answer_seconds", table, took)
        for registered, count in wagers.items():
            if count:
                self.add("wagers_total", count, table, _ANSWER[registered])


_ANSWER = {True: "registered", False: "refused"}
