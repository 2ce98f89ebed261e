"""Transient state of a table: countdown, keyed outcome, notices.

A sensor is never the outcome by itself (v3 3.8): the Dealer confirms spin and outcome.
A Bonus Number that stays dark proposes Fast Action 5.11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.house.reasons import HouseReason
from croupier.protocol.answers import Notice, TotalsView, stated
from croupier.rules.board import Board
from croupier.rules.clause import Rule
from croupier.rules.commands import AnnounceOutcome, ReportSensor, ReportUnlit, SpinBall
from croupier.rules.events import WagerPlaced, WagerWithdrawn
from croupier.rules.game import Game
from croupier.rules.reasons import Reason
from croupier.rules.round import Facts, RoundOfPlay
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number
from croupier.table.commands import AnyCommand


@dataclass(frozen=True, slots=True)
class DeviceProposal:
    """A command that a device or a Player proposes to the staff."""

    kind: str
    reason: Reason
    command: AnyCommand | None
    """None if the staff can only take note."""
    clause: str | None = None
    seat: str | None = None
    """The Player who asks, if a Player does."""
    cents: int | None = None


def proposed_by(current: RoundOfPlay, report: ReportSensor) -> DeviceProposal | None:
    """Return the proposal to the Dealer after a sensor's report, if there is one.

    Reports of irregularities wait for an answer in the round itself (A45).
    """
    facts, number = current.facts, report.number
    if not current.is_in_play():
        return None
    if report.fact == "spun" and not facts.spun:
        return DeviceProposal("spin", HouseReason.SENSOR_SPIN(), SpinBall())
    if report.fact != "at_rest" or number is None:
        return None
    if facts.sensor.at_rest is None:  # refused: no spin came before it
        reason = HouseReason.SENSOR_REST_BEFORE_SPIN(number=number)
        return DeviceProposal("alarm", reason, None, "A40")
    if current.winning_number is not None:
        return None
    reason = HouseReason.SENSOR_AT_REST(number=number)
    return DeviceProposal("outcome", reason, AnnounceOutcome(number))


def dark(game: Game, facts: Facts, lit: tuple[str, ...]) -> tuple[DeviceProposal, ...]:
    """Return a proposal for each Bonus Number that was not reported lit."""
    clause = game.clause(Rule.BONUS_UNLIT).number
    said = HouseReason.NOT_REPORTED_LIT
    return tuple(
        DeviceProposal("unlit", said(number=number), ReportUnlit(number), clause)
        for number in facts.bonus_numbers or ()
        if number not in lit
    )


BUY_IN = "buy_in"
"""The kind of notice that outlasts a round."""


@dataclass(slots=True)
class OpenNotice:
    """A notice that waits for the staff."""

    shown: Notice
    command: AnyCommand | None
    """The command that accepting it submits, if any."""
    answered_by: str | None = None
    """The id of the command that answers it, until that is decided."""


@dataclass(slots=True)
class TransientState:
    """Countdown, keyed outcome and notices of the round in play."""

    closes_at_ms: int | None = None
    keyed: Number | None = None
    times: dict[str, int] = field(default_factory=dict)
    """The time of each step of the round."""
    status: str = ""
    status_since_ms: int | None = None
    owners: dict[str, str] = field(default_factory=dict)
    """By wager id, the wager's Player; withdrawn wagers are included."""
    _placed: dict[str, dict[str, None]] = field(default_factory=dict)
    """The ids of each Player's wagers, in the order in which they were placed."""
    notices: dict[int, OpenNotice] = field(default_factory=dict)
    last_notice: int = 0
    last_totals: dict[str, TotalsView] = field(default_factory=dict)
    """By seat, the totals of the last settlement in which it had wagers."""

    def note_wager(self, event: WagerPlaced | WagerWithdrawn) -> None:
        if isinstance(event, WagerPlaced):
            self.owners[event.wager_id] = event.player
            self._placed.setdefault(event.player, {})[event.wager_id] = None
        elif not event.late:  # after the drop it stays listed (A28)
            owner = self.owners.get(event.wager_id, "")
            self._placed.get(owner, {}).pop(event.wager_id, None)

    def lying(self, player: str, board: Board) -> Iterator[Wager]:
        for wager_id in self._placed.get(player, ()):
            if (wager := board.wagers.get(wager_id)) is not None:
                yield wager

    def note_status(self, status: str, at_ms: int | None) -> None:
        if status != self.status:
            self.status, self.status_since_ms = status, at_ms

    def begin_round(self) -> None:
        """Forget the last round, except the requests of Players."""
        self.closes_at_ms = self.keyed = None
        self.times, self.owners, self._placed = {}, {}, {}
        self.drop_notices()

    def drop_notices(self) -> None:
        """Drop the proposals about the round."""
        open_, self.notices = self.notices, {}
        for number, each in open_.items():
            if each.shown.kind == BUY_IN:
                self.notices[number] = each

    def shown_notices(self) -> tuple[Notice, ...]:
        return tuple(each.shown for each in self.notices.values())

    def propose(self, proposal: DeviceProposal) -> bool:
        """Add a notice unless the same one is open; return whether it was added."""
        kind, seat, cents = proposal.kind, proposal.seat, proposal.cents
        reason = stated(proposal.reason, proposal.clause)
        for each in self.shown_notices():
            if each.reason == reason and each.seat == seat:
                return False
        self.last_notice = number = self.last_notice + 1
        notice = Notice(id=number, kind=kind, reason=reason, seat=seat, cents=cents)
        self.notices[number] = OpenNotice(notice, proposal.command)
        return True
