"""What devices report: announcements shown, the wheel, the lights of the layout."""

from __future__ import annotations

from croupier.house.line import Handlers, Line
from croupier.house.record import NotDone
from croupier.house.state import DeviceKind
from croupier.house.wheel import proposed_by
from croupier.protocol import messages as msg
from croupier.rules.notation import read_number
from croupier.rules.round import Facts
from croupier.table import commands as ask
from croupier.table.decisions import SYSTEM


class DeviceMessages:
    """Taken from the one kind of device whose report it is."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.handlers: Handlers = {
            msg.ReportAnnouncement: self._shown,
            msg.WheelFact: self._wheel_fact,
            msg.ReportLit: self._lit,
        }

    def _shown(self, message: msg.ReportAnnouncement) -> None:
        terminal = self._line.speaker.of_kind(DeviceKind.TERMINAL)
        report = ask.ReportShown(terminal, message.announcement, message.at_ms)
        self._line.post(message.id, SYSTEM, report)

    def _wheel_fact(self, message: msg.WheelFact) -> None:
        device = self._line.speaker.of_kind(DeviceKind.SENSOR)
        number = None if message.number is None else read_number(message.number)
        table = self._line.table
        series = table.state.series
        facts = series.current.facts if series.last else Facts()
        proposal = proposed_by(table.game, facts, message)
        if proposal is None:
            raise NotDone(f"{message.fact[:40]} is no fact of a spin")
        report = ask.ReportWheel(
            device, message.fact, number, message.revolutions, message.against_wheel
        )
        self._line.post(message.id, SYSTEM, report, lambda _: table.propose(proposal))

    def _lit(self, message: msg.ReportLit) -> None:
        device = self._line.speaker.of_kind(DeviceKind.LAYOUT)
        number = read_number(message.number)
        self._line.post(message.id, SYSTEM, ask.ReportLight(device, number))
