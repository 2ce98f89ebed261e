"""A device at a table, in raw messages: it sends again until it is answered."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.faults.house_process import HouseProcess, new_id

Message = dict[str, Any]
_PATIENCE_S = 40.0
_PAUSE_S = 0.1
_PONG_WITHIN_S = 3.0
LOST = (OSError, WebSocketException, TimeoutError)


class Device:
    """One sender: what it was told last, and what waits for an answer."""

    def __init__(self, house: HouseProcess, table: str, sender: str) -> None:
        self.house, self.table, self.sender = house, table, sender
        self.record = house.record
        self.known: Message = {}
        """The parts of the last snapshot, as the changes since have left them."""
        self.unknown = 0
        """How often the house said that it did not know: send it again."""
        self.lines = 0
        """How often it has connected."""
        self._waiting: dict[str, Message] = {}
        self._socket: ClientConnection | None = None
        self._stack = ExitStack()

    def hello(self) -> Message:
        return {"session": self.house.session(self.sender)}

    def journal_id(self, sent_id: str) -> str:
        return f"s:{self.sender}:{sent_id}"

    # Talking

    def say(self, kind: str, **fields: Any) -> str:
        """Send a command, and don't wait; its id."""
        message = {"type": kind, "id": fields.pop("id", None) or new_id(), **fields}
        self.record.sent(self.table, self.journal_id(message["id"]), message)
        self._waiting[message["id"]] = message
        with suppress(*LOST):
            if self._socket is not None:
                self._socket.send(json.dumps(message))
        return str(message["id"])

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a command until it is done or refused."""
        return self.answer(self.say(kind, **fields))

    def done(self, kind: str, **fields: Any) -> Message:
        answer = self.ask(kind, **fields)
        assert answer.get("registered"), (kind, fields, answer)
        return answer

    def repeat(self, sent_id: str) -> Message:
        """Send a command once more under its id, though it was answered."""
        command = self.record.commands[self.table, self.journal_id(sent_id)]
        message = dict(command.message)
        return self.ask(message.pop("type"), **message)

    def answer(self, sent_id: str, seconds: float = _PATIENCE_S) -> Message:
        end = time.monotonic() + seconds
        found: list[Message] = []

        def is_answered() -> bool:
            key = self.table, self.journal_id(sent_id)
            found[:] = self.record.commands[key].answers
            return sent_id not in self._waiting and bool(found)

        self.until(is_answered, end - time.monotonic())
        return found[-1]

    def until(self, is_so: Callable[[], object], seconds: float = _PATIENCE_S) -> None:
        """Listen until it is so; connect again if the house hangs up."""
        end = time.monotonic() + seconds
        while not is_so():
            left = end - time.monotonic()
            assert left > 0, (self.sender, self._waiting, self.known.get("view"))
            try:
                self._hear(min(left, 1.0))
            except TimeoutError:
                continue
            except LOST:
                self.hang_up()
                time.sleep(_PAUSE_S)

    def until_shown(self, name: str, *, value: object) -> None:
        """Wait until the table's view has a field so."""
        self.until(lambda: self.view[name] == value)

    def _hear(self, seconds: float) -> None:
        if self._socket is None:
            self.connect(seconds=max(seconds, 5))
            return
        try:
            told = self._socket.recv(seconds)
        except TimeoutError:
            if not self._socket.ping().wait(_PONG_WITHIN_S):
                self.cut()  # the house is gone, or sleeps
        else:
            self._take(json.loads(told))

    # The line

    def connect(self, seconds: float = 10) -> None:
        """Say hello, be told how the table stands, and send what waits."""
        self.hang_up()
        self.lines += 1
        line = connect(
            self.house.address.replace("http", "ws") + f"/api/tables/{self.table}/play",
            compression=None,
            max_size=None,
            open_timeout=seconds,
            close_timeout=1,
            ping_interval=None,
            proxy=None,
        )
        self._socket = self._stack.enter_context(line)
        hello = {"type": "hello", **self.hello()}
        self._socket.send(json.dumps(hello))
        self._take(json.loads(self._socket.recv(seconds)))
        if not self.known:
            raise ConnectionError("no welcome")
        for message in self._waiting.values():
            self._socket.send(json.dumps(message))

    def hang_up(self) -> None:
        self._socket = None
        with suppress(*LOST):
            self._stack.close()

    def cut(self) -> None:
        """Lose the line without a word, as when its other end is gone."""
        if self._socket is not None:
            self._socket.close_socket()
        self.hang_up()

    def _take(self, told: Message) -> None:
        match told["type"]:
            case "snapshot":
                self.known = {**told, "wagers": _own_wagers(told)}
            case "update" | "seat" | "answer" | "stakes":
                self._change(told)
        if told["type"] == "answer":
            self._answered(told)
        elif _is_keyed_in_vain(told):
            self._answered({**told, "registered": False})
        elif told["type"] == "problem":
            assert told["again"], told
            self.unknown += 1
            raise ConnectionError(told["reason"]["text"])
        elif told["type"] == "bye":
            assert told["come_back"], told
            raise ConnectionError(told["reason"]["text"])

    def _answered(self, told: Message) -> None:
        self._waiting.pop(told["id"], None)
        key = self.table, self.journal_id(told["id"])
        self.record.commands[key].answers.append(told)

    def _change(self, told: Message) -> None:
        for part in ("view", "seat", "staff", "stakes"):
            if told.get(part) and self.known.get(part) is not None:
                self.known[part] = {**self.known[part], **told[part]}

    # What is known

    @property
    def view(self) -> Message:
        view: Message = self.known["view"]
        return view


class Terminal(Device):
    """A Player's seat, with credit."""

    def __init__(self, house: HouseProcess, table: str, seat: Message) -> None:
        super().__init__(house, table, seat["device"])
        self._token = seat["token"]
        self.record.credit[table, self.sender] = int(seat["credit_cents"])

    def hello(self) -> Message:
        return {"device": self._token}

    def journal_id(self, sent_id: str) -> str:
        return f"d:{self.sender}:{sent_id}"

    def wager(self, wager: str, cents: int, wager_id: str | None = None) -> str:
        """Ask for one wager in the round that it knows; the command's id."""
        placed = {"id": wager_id or new_id(), "wager": wager, "stake_cents": cents}
        return self.say("wagers", round=self.view["round"], place=[placed])


def _is_keyed_in_vain(told: Message) -> bool:
    """Whether the table has forgotten what was keyed: a fault came before its word."""
    is_problem = told["type"] == "problem"
    return bool(is_problem and told["reason"]["reason"]["code"] == "not_keyed")


def _own_wagers(told: Message) -> list[Message]:
    part = told.get("seat") or told.get("staff") or {}
    wagers: list[Message] = part.get("wagers", [])
    return wagers
