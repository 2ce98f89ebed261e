"""First answers: what a command that is sent again is told.

Laws of this file:
- what the journal has of a command is read from there, and never on the event loop;
- what no journal has, such as an outcome keyed and read back, or which commands shared
  a commit, is kept in memory, the latest of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter
from threading import Lock
from typing import get_args

from croupier.house.connection import views
from croupier.house.connection.listeners import WagerEvent
from croupier.journal.store import Store
from croupier.protocol import answers as say
from croupier.rules import events as ev
from croupier.rules.game import Game
from croupier.rules.round import RoundOfPlay
from croupier.table import Accepted
from croupier.table.replay import OfRound, replayed_round, round_events

LAID = ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn
"""Events that an answer tells as wagers, lying there or gone."""
_WAGER_EVENTS = get_args(WagerEvent)
_MOST_KEPT = 1_000
_MOST_COMMITS = 10_000


class UnrecordedAnswers:
    """The latest answers of one table that stand in no journal, by command."""

    def __init__(self) -> None:
        self._answers: dict[str, say.Answered] = {}

    def keep(self, command_id: str, answer: say.Answered) -> None:
        self._answers[command_id] = answer
        if len(self._answers) > _MOST_KEPT:
            del self._answers[next(iter(self._answers))]

    def find(self, command_id: str) -> say.Answered | None:
        return self._answers.get(command_id)


class WagersThen:
    """The wagers of one table as commands of before left them.

    The round that was read last is kept: after a break, many ask about the same one.
    """

    def __init__(self, store: Store, stream: str, game: Game) -> None:
        self._store, self._stream, self._game = store, stream, game
        self._lock = Lock()
        self._round = self._read_to = 0
        self._events: list[tuple[int, str | None, OfRound]] = []
        """With their places, and whose wagers they are about."""
        self._owners: dict[str, str] = {}
        self._shared: list[tuple[int, int]] = []
        """The first and last events of commits that several commands shared."""

    def note_shared(self, first: int, last: int) -> None:
        """Note the events of a commit of several commands."""
        self._shared.append((first, last))
        if len(self._shared) > 2 * _MOST_COMMITS:
            self._shared = self._shared[_MOST_COMMITS:]

    def left_by(
        self, answer: Accepted, prefix: str
    ) -> tuple[tuple[say.WagerView, ...], tuple[str, ...]]:
        """Return the wagers a command has left, and the ids of others; on any thread.

        It was first answered by how its whole commit had left them. Raises
        `JournalError` where they can't be read.
        """
        until = self._told_at(answer)
        lying: dict[str, say.WagerView] = {}
        gone: dict[str, None] = {}
        for number, event in zip(answer.rounds, answer.events, strict=True):
            if not isinstance(event, LAID):
                continue
            then = self._round_then(number, event.wager_id, until)
            wager = then.board.wagers.get(event.wager_id)
            if wager is None:
                gone[event.wager_id.removeprefix(prefix)] = None
            else:
                shown = views.wager_shown(wager, then, prefix)
                lying[shown.id] = shown
        return tuple(lying.values()), tuple(gone)

    def _told_at(self, answer: Accepted) -> int:
        """Return the last event of the commit that a command was part of."""
        commits = self._shared
        place = bisect_left(commits, answer.last, key=itemgetter(1))
        if place < len(commits) and commits[place][0] <= answer.first:
            return commits[place][1]
        return answer.last

    def _round_then(self, number: int, wager_id: str, until: int) -> RoundOfPlay:
        """Return a round as one Player's wagers and the Dealer's acts made it."""
        with self._lock:
            self._read(number, until)
            owner = self._owners.get(wager_id)
            then = replayed_round(self._game, self._of(owner, until))
        assert then is not None, "a wager stands in a round that has begun"
        return then

    def _of(self, owner: str | None, until: int) -> Iterator[OfRound]:
        for sequence, whose, event in self._events:
            if sequence > until:
                return
            if whose is None or whose == owner:
                yield event

    def _read(self, number: int, until: int) -> None:
        if number != self._round:
            self._round, self._read_to = number, 0
            self._events, self._owners = [], {}
        if until <= self._read_to:
            return
        found = round_events(self._store, self._stream, number, self._read_to)
        for sequence, event in found:
            whose = None
            if isinstance(event, ev.WagerPlaced):
                self._owners[event.wager_id] = event.player
            if isinstance(event, _WAGER_EVENTS):
                whose = self._owners[event.wager_id]
            self._events.append((sequence, whose, event))
            self._read_to = sequence
        self._read_to = max(self._read_to, until)
