"""What a seat asks: wagers, its money, and who sits there."""

from __future__ import annotations

from collections.abc import Callable

from croupier.house.connection import views
from croupier.house.connection.sender import Handlers, Sender
from croupier.house.connection.table_views import prefix_of
from croupier.house.floor.transient_state import BUY_IN, DeviceProposal, proposed_by
from croupier.house.people.players import leave_seat, sit
from croupier.house.records.house_record import NotDone
from croupier.house.records.house_state import DeviceKind
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules import commands as do
from croupier.rules.notation import read_number, read_wager
from croupier.rules.round import Facts
from croupier.table import commands as ask
from croupier.table.decisions import SYSTEM


class SeatMessages:
    """Taken from a terminal, for the Player at it."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self.handlers: Handlers = {
            msg.ChangeWagers: self._wagers,
            msg.Redeem: self._redeem,
            msg.Collect: self._collect,
            msg.AskBuyIn: self._ask_buy_in,
            msg.Sit: self._sit,
            msg.Leave: self._leave,
        }

    def _wagers(self, message: msg.ChangeWagers) -> None:
        sender, player = self._sender, self._sender.player()
        seat, prefix = player.name, prefix_of(sender.listener)
        further = sender.table.game.multiples
        parts: list[ask.WagerPart] = [
            do.WithdrawWager(prefix + wager_id, seat) for wager_id in message.withdraw
        ]
        parts += [
            do.IncreaseWager(prefix + more.id, seat, more.stake_cents)
            for more in message.increase
        ]
        parts += [
            do.PlaceWager(
                wager_id=prefix + new.id,
                player=seat,
                wager=read_wager(new.wager, further),
                stake_cents=new.stake_cents,
                electronic=True,
                terminal=sender.identity.device,
            )
            for new in message.place
        ]
        command = parts[0] if len(parts) == 1 else ask.Together(tuple(parts))
        sender.post(message.id, player, command)

    def _redeem(self, message: msg.Redeem) -> None:
        player = self._sender.player()
        redeem = ask.RedeemVoucher(player.name, message.code.strip().upper())
        self._sender.post(message.id, player, redeem)

    def _collect(self, message: msg.Collect) -> None:
        player = self._sender.player()
        cents = message.cents
        if cents is None:
            cents = views.credit_of(self._sender.table.state, player.name)
        self._sender.post(message.id, player, ask.IssueVoucher(player.name, cents))

    def _ask_buy_in(self, message: msg.AskBuyIn) -> None:
        table, seat = self._sender.table, self._sender.player().name
        asked = DeviceProposal(BUY_IN, f"{seat} asks to buy in", "")
        table.propose(asked, seat, message.cents)
        self._sender.send(say.Answered(message.id, table.told, registered=True))

    def _sit(self, message: msg.Sit) -> None:
        sender, table = self._sender, self._sender.table
        sender.player()
        device = sender.identity.device
        assert device is not None
        if views.credit_of(table.state, device) or table.has_wagers(device):
            raise NotDone("collect the credit of this seat first")
        floor = sender.floor

        def seated() -> None:
            name, pin = message.player, message.pin
            sit(floor.record, floor.sessions, (table.name, device), name, pin)

        self._reseat(message.id, seated, message.player)

    def _leave(self, message: msg.Leave) -> None:
        sender, seat = self._sender, self._sender.player().name
        device = sender.identity.device
        assert device is not None
        if sender.table.has_wagers(seat):
            raise NotDone("the round is still in play")
        self._reseat(message.id, lambda: leave_seat(sender.floor.record, seat), device)

    def _reseat(self, message_id: str, act: Callable[[], None], seat: str) -> None:
        """An act of the house, off the loop; then this terminal shows another seat."""
        sender, table = self._sender, self._sender.table

        async def do_it() -> None:
            try:
                await sender.floor.in_house(act)
            except NotDone as error:
                sender.problem(str(error), message_id)
                return
            table.listeners.reseat(sender.listener, seat)
            shown = table.views.seat(seat)
            sender.send(
                say.Answered(message_id, table.told, registered=True, seat=shown)
            )
            sender.send(table.views.snapshot(sender.listener))

        sender.floor.spawn(do_it())


class DeviceMessages:
    """Taken from the one kind of device whose report it is."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self.handlers: Handlers = {
            msg.ReportAnnouncement: self._shown,
            msg.WheelFact: self._wheel_fact,
            msg.ReportLit: self._lit,
        }

    def _shown(self, message: msg.ReportAnnouncement) -> None:
        terminal = self._sender.identity.of_kind(DeviceKind.TERMINAL)
        report = ask.ReportShown(terminal, message.announcement, message.at_ms)
        self._sender.post(message.id, SYSTEM, report)

    def _wheel_fact(self, message: msg.WheelFact) -> None:
        device = self._sender.identity.of_kind(DeviceKind.SENSOR)
        number = None if message.number is None else read_number(message.number)
        table = self._sender.table
        series = table.state.series
        facts = series.current.facts if series.last else Facts()
        proposal = proposed_by(table.game, facts, message)
        if proposal is None:
            raise NotDone(f"{message.fact[:40]} is no fact of a spin")
        report = ask.ReportWheel(
            device, message.fact, number, message.revolutions, message.against_wheel
        )
        self._sender.post(message.id, SYSTEM, report, lambda _: table.propose(proposal))

    def _lit(self, message: msg.ReportLit) -> None:
        device = self._sender.identity.of_kind(DeviceKind.LAYOUT)
        number = read_number(message.number)
        self._sender.post(message.id, SYSTEM, ask.ReportLight(device, number))
