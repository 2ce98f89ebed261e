"""One connection's place at a table: its messages are taken, it is told what it missed.

It knows no socket: messages come in as bytes and go out by the listener's `send`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from croupier.house.connection.device_messages import DeviceMessages, SeatMessages
from croupier.house.connection.listeners import Audience, Outlet
from croupier.house.connection.sender import Handlers, Identity, Sender
from croupier.house.connection.staff_messages import NoticeMessages, PlayMessages
from croupier.house.records.house_record import Denied, NotDone
from croupier.house.records.house_state import Device
from croupier.journal.store import JournalError
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules.notation import NotationError

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable


class Connection:
    """Where messages of one connection are taken."""

    def __init__(
        self,
        floor: Floor,
        table: FloorTable,
        device: Device | None,
        session: str | None,
        outlet: Outlet,
    ) -> None:
        self._floor = floor
        self.table = table
        self.identity = Identity(floor, table, device, session)
        self._sender = Sender(floor, table, self.identity, outlet)
        self.listener = self._sender.listener
        self._handlers: Handlers = {
            **PlayMessages(self._sender).handlers,
            **NoticeMessages(self._sender).handlers,
            **SeatMessages(self._sender).handlers,
            **DeviceMessages(self._sender).handlers,
            msg.Ping: self._ping,
        }

    async def welcome(self, since: int | None) -> None:
        """What was missed, or a snapshot; then everything, in order."""
        table, listener = self.table, self.listener
        put = listener.outlet.put
        waiting: list[bytes] = []
        listener.waiting = waiting
        table.listeners.join(listener)
        self._floor.options.observer.connected(table.name, self.identity.kind, 1)
        table.tell_stakes()
        changed = say.write_answer(table.views.changed(listener))
        rows, told = None, table.told
        # No event tells the staff of a wager: to them a snapshot says it all.
        if since is not None and listener.audience is not Audience.STAFF:
            rows = await asyncio.to_thread(table.missed, since, told)
        if rows is None:
            waiting.clear()
            put(say.write_answer(table.views.snapshot(listener)))
        else:
            for row in rows:
                message = table.views.past(row, listener)
                if message is not None:
                    put(say.write_answer(message))
            put(changed)
        listener.waiting = None
        for each in waiting:
            put(each)

    def take(self, raw: bytes | str) -> None:
        """One message; whatever is wrong with it is said, and nothing changes."""
        message: msg.ToHouse | None = None
        message_id: str | None = None
        sender = self._sender
        try:
            message = msg.read_message(raw)
            message_id = getattr(message, "id", None)
            if self._floor.is_stopping:
                sender.send(
                    say.MessageProblem("the house is stopping", message_id, again=True)
                )
                return
            handler = self._handlers.get(type(message))
            if handler is None:
                raise NotDone("hello is said once")
            handler(message)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            sender.problem(f"the message can't be read: {str(error)[:200]}", None)
        except Denied as error:
            who, act = self.identity.name, type(message).__name__
            self._floor.note_denied(who, act, str(error))
            sender.problem(str(error), message_id)
        except (NotDone, NotationError, JournalError) as error:
            sender.problem(str(error), message_id)

    def _ping(self, message: msg.Ping) -> None:
        now = self._floor.clock()
        self._sender.send(say.Pong(now, message.at_ms, self.table.told))
