"""What senders have asked and were told, kept outside the process that told it.

Simulated houses keep a `Recorder`, and killed processes tell it before they die. What
devices of a served house say and hear is an `OutsideRecord`, held against an export:

- Nothing that was acknowledged is missing in the journal, and nothing refused is there.
- Nothing was done twice or without being asked for.
- A command that was sent again was answered as the first time.
- Each seat has the credit that its registered wagers and the outcomes leave it.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.journal.store import Store
from croupier.table.answers import Answer, stored_answer
from croupier.table.commands import Submission
from croupier.table.table import Table
from tests.figures.oracle.games import RED
from tests.robustness.books import demand

Message = dict[str, Any]
Key = tuple[str, str]
"""A stream and the id of a command."""
_PAYS = {"straight_up": 35, "red": 1}


@dataclass
class Recorder:
    """Commands that were sent, and the first answer to each."""

    submitted: dict[Key, Submission] = field(default_factory=dict)
    answered: dict[Key, Answer] = field(default_factory=dict)

    def note(self, stream: str, answer: Answer) -> bool:
        """Keep an answer; whether it is a first one. A later one must be the same."""
        key = (stream, answer.command_id)
        is_first = key not in self.answered
        first = self.answered.setdefault(key, answer)
        demand(first == answer, f"{key} was answered {first}, then {answer}")
        return is_first

    def check_stored(self, store: Store, keys: Iterable[Key] | None = None) -> None:
        """What was told is in the journal as it was told."""
        for stream, command_id in self.answered if keys is None else keys:
            answer = self.answered[stream, command_id]
            stored = stored_answer(store, stream, command_id)
            demand(stored == answer, f"{command_id}: {answer} is stored as {stored}")

    def check_again(self, table: Table, share: int | None = None) -> None:
        """A command sent again gets its first answer, and writes nothing.

        Of the table's commands about a `share` is sent; None: all.
        """
        head = table.head
        keys = [key for key in self.answered if key[0] == table.stream]
        step = 1 if share is None else max(1, len(keys) // share)
        for key in keys[::step]:
            [answer] = table.handle([self.submitted[key]])
            demand(answer == self.answered[key], f"{key}: another answer: {answer}")
        demand(table.head == head, "a command sent again wrote something")


@dataclass(slots=True)
class Command:
    """A message with an id, and every answer that came for it."""

    table: str
    journal_id: str
    """What the journal calls it."""
    message: Message
    answers: list[Message] = field(default_factory=list)

    @property
    def is_registered(self) -> bool:
        return bool(self.answers) and bool(self.answers[0]["registered"])

    @property
    def leaves_events(self) -> bool:
        """An outcome that is only keyed is no event yet."""
        return self.message["type"] != "outcome" or "confirmed" in self.message


@dataclass(slots=True)
class OutsideRecord:
    """Everything that the tests' devices said and heard."""

    commands: dict[Key, Command] = field(default_factory=dict)
    """By table and the id in the journal."""
    credit: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and seat the money that was brought, in cents."""

    def sent(self, table: str, journal_id: str, message: Message) -> Command:
        key = table, journal_id
        return self.commands.setdefault(key, Command(table, journal_id, message))

    def compare(self, exported: Iterable[Message]) -> Counter[str]:
        """Hold the journal against it; how many of each kind there were."""
        journal = Journal(exported)
        counts: Counter[str] = Counter()
        for command in self.commands.values():
            counts[_compared(command, journal)] += 1
            counts["answered again"] += max(len(command.answers) - 1, 0)
        for (table, command_id), events in journal.commands.items():
            if any(event["kind"] == "WagerPlaced" for event in events):
                assert (table, command_id) in self.commands, (table, command_id)
        for (table, seat), cents in self.credit.items():
            expected = cents + self._won(table, seat, journal)
            found = journal.balances[table, f"seat:{seat}"]
            assert found == expected, (table, seat, found, expected)
        return counts

    def _won(self, table: str, seat: str, journal: Journal) -> int:
        """What the registered wagers of a seat have brought it so far."""
        total = 0
        for command in self.commands.values():
            is_own = command.journal_id.startswith(f"d:{seat}:")
            lies = is_own and command.table == table and command.is_registered
            if lies:
                number = command.message.get("round", 0)
                for wager in command.message.get("place", []):
                    total += journal.won(table, number, wager)
        return total


class Journal:
    """The exported records, found by what they are about."""

    def __init__(self, exported: Iterable[Message]) -> None:
        self.commands: dict[Key, list[Message]] = defaultdict(list)
        """By stream and command, in their order."""
        self.streams: dict[str, list[Message]] = defaultdict(list)
        self.settled: dict[tuple[str, int], str | None] = {}
        """By table and round the winning number; None if it was void."""
        self.balances: Counter[tuple[str, str]] = Counter()
        self.records: dict[str, list[Message]] = defaultdict(list)
        for record in exported:
            self.records[record["table"]].append(record)
        for record in self.records["events"]:
            self._take({**record, "body": json.loads(record["body"])})
        for record in self.records["balances"]:
            self.balances[record["stream"], record["account"]] = record["cents"]

    def _take(self, event: Message) -> None:
        self.streams[event["stream"]].append(event)
        command_id = re.sub("#[0-9a-f]{16}$", "", event["command_id"])
        self.commands[event["stream"], command_id].append(event)
        if event["kind"] == "RoundSettled":
            key = event["stream"], event["round_number"]
            assert key not in self.settled, f"settled twice: {key}"
            self.settled[key] = event["body"]["winning_number"]

    def of_kind(self, stream: str, kind: str) -> list[Message]:
        return [event for event in self.streams[stream] if event["kind"] == kind]

    def won(self, table: str, number: int, wager: Mapping[str, Any]) -> int:
        """By arithmetic of the tests' own: what a wager leaves its Player with."""
        stake = int(wager["stake_cents"])
        if (table, number) not in self.settled:
            return -stake
        outcome = self.settled[table, number]
        if outcome is None:
            return 0
        kind, _, on = wager["wager"].partition(":")
        wins = outcome in RED if kind == "red" else outcome == on
        return stake * _PAYS[kind] if wins else -stake


def _compared(command: Command, journal: Journal) -> str:
    """Compare one command with what the journal has of it; done, refused or unheard."""
    events = journal.commands.get((command.table, command.journal_id), [])
    places = [event["sequence"] for event in events]
    assert places == list(range(places[0], places[0] + len(places))) if places else True
    if not command.answers:
        return "unanswered"
    first = _without_view(command.answers[0])
    for again in command.answers[1:]:
        assert _without_view(again) == first, (command.message, command.answers)
    kinds = [event["kind"] for event in events]
    if not command.is_registered:
        assert set(kinds) <= {"ActRefused"}, (command, kinds)
        return "refused"
    assert events or not command.leaves_events, ("lost", command)
    assert "ActRefused" not in kinds, (command, kinds)
    placed = [event["body"] for event in events if event["kind"] == "WagerPlaced"]
    asked = command.message.get("place", [])
    assert [_words(each) for each in asked] == [_placed(each) for each in placed], (
        command
    )
    told = [each["id"] for each in command.answers[0]["wagers"]]
    if told:  # if the first answer was lost on the way, the view has the wagers
        assert told == [each["id"] for each in asked], command
    return "registered"


def _without_view(answer: Message) -> Message:
    """Leave out how the seat lies, which is told once."""
    told = {"seat", "wagers", "gone"}
    return {name: each for name, each in answer.items() if name not in told}


def _words(wager: Message) -> tuple[str, str, int]:
    return str(wager["id"]), str(wager["wager"]), int(wager["stake_cents"])


def _placed(body: Message) -> tuple[str, str, int]:
    cents = sum(piece["cents"] for piece in body["pieces"])
    return str(body["wager_id"]).rpartition(".")[2], str(body["wager"]), int(cents)
