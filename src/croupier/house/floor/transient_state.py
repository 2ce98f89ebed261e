"""Transient state of a table: countdown, keyed outcome, notices.

A sensor is never the outcome by itself (v3 3.8): the Dealer confirms spin and outcome.
A Bonus Number that stays dark proposes Fast Action 5.11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.house.reasons import HouseReason
from croupier.protocol.answers import Notice, TotalsView, stated
from croupier.rules import commands as do
from croupier.rules.board import Board
from croupier.rules.clause import Rule
from croupier.rules.events import WagerPlaced, WagerWithdrawn
from croupier.rules.game import Game
from croupier.rules.reasons import Reason
from croupier.rules.round import Facts, RoundOfPlay
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number
from croupier.table.commands import AnyCommand


@dataclass(frozen=True, slots=True)
class DeviceProposal:
    """A proposal of a device or a Player to the staff: a command, and why."""

    kind: str
    reason: Reason
    command: AnyCommand | None
    """None: nothing is proposed, it is only to be seen."""
    clause: str | None = None


def proposed_by(current: RoundOfPlay, report: do.ReportSensor) -> DeviceProposal | None:
    """Return what the Dealer is asked to confirm after a sensor's report, if anything.

    Reports of irregularities wait for an answer in the round itself (A45).
    """
    facts, number = current.facts, report.number
    if not current.is_in_play():
        return None
    if report.fact == "spun" and not facts.spun:
        return DeviceProposal("spin", HouseReason.SENSOR_SPIN(), do.SpinBall())
    if report.fact != "at_rest" or number is None:
        return None
    if facts.sensor.at_rest is None:
        return _stray(number)
    if current.winning_number is not None:
        return None
    reason = HouseReason.SENSOR_AT_REST(number=number)
    return DeviceProposal("outcome", reason, do.AnnounceOutcome(number))


def _stray(number: Number) -> DeviceProposal:
    """Return an alarm for a rest that is not taken, since no spin came before it."""
    reason = HouseReason.SENSOR_REST_BEFORE_SPIN(number=number)
    return DeviceProposal("alarm", reason, None, "A40")


def dark(game: Game, facts: Facts, lit: tuple[str, ...]) -> tuple[DeviceProposal, ...]:
    """Return a proposal for each Bonus Number that was not reported lit."""
    clause = game.clause(Rule.BONUS_UNLIT).number
    return tuple(
        DeviceProposal(
            "unlit",
            HouseReason.NOT_REPORTED_LIT(number=number),
            do.ReportUnlit(number),
            clause,
        )
        for number in facts.bonus_numbers or ()
        if number not in lit
    )


BUY_IN = "buy_in"
"""The kind of notice that outlasts a round."""


@dataclass(slots=True)
class TransientState:
    """Countdown, keyed outcome and notices of the round in play."""

    closes_at_ms: int | None = None
    keyed: Number | None = None
    times: dict[str, int] = field(default_factory=dict)
    """When each step of the round was taken."""
    status: str = ""
    status_since_ms: int | None = None
    owners: dict[str, str] = field(default_factory=dict)
    """The Player of each wager, by its id, also of those withdrawn."""
    _placed: dict[str, dict[str, None]] = field(default_factory=dict)
    """The ids of each Player's wagers, in the order in which they were placed."""
    notices: dict[int, Notice] = field(default_factory=dict)
    proposed: dict[int, AnyCommand | None] = field(default_factory=dict)
    """The command that accepting a notice gives, by the notice's id."""
    answering: dict[int, str] = field(default_factory=dict)
    """The command that answers a notice, while its own answer is awaited."""
    last_notice: int = 0
    last_totals: dict[str, TotalsView] = field(default_factory=dict)
    """By seat, what the last settlement came to in which it had wagers."""

    def note_wager(self, event: WagerPlaced | WagerWithdrawn) -> None:
        if isinstance(event, WagerPlaced):
            self.owners[event.wager_id] = event.player
            self._placed.setdefault(event.player, {})[event.wager_id] = None
        elif not event.late:  # after the drop it stays listed (A28)
            owner = self.owners.get(event.wager_id, "")
            self._placed.get(owner, {}).pop(event.wager_id, None)

    def lying(self, player: str, board: Board) -> Iterator[Wager]:
        """Yield the wagers that a Player has on the layout of the round in play."""
        for wager_id in self._placed.get(player, ()):
            wager = board.wagers.get(wager_id)
            if wager is not None:
                yield wager

    def note_status(self, status: str, at_ms: int | None) -> None:
        """Note since when the table stands as it does."""
        if status != self.status:
            self.status, self.status_since_ms = status, at_ms

    def begin_round(self) -> None:
        """Forget the round before, but for what Players have asked for."""
        self.closes_at_ms = self.keyed = None
        self.times, self.owners, self._placed = {}, {}, {}
        self.drop_notices()

    def drop_notices(self) -> None:
        """Drop what was proposed about the round."""
        kept = {n: each for n, each in self.notices.items() if each.kind == BUY_IN}
        self.notices = kept
        self.proposed = {each: self.proposed[each] for each in kept}
        self.answering = {n: own for n, own in self.answering.items() if n in kept}

    def drop_notice(self, number: int) -> bool:
        """Drop one notice; return whether it was there."""
        self.proposed.pop(number, None)
        self.answering.pop(number, None)
        return self.notices.pop(number, None) is not None

    def propose(
        self, proposal: DeviceProposal, seat: str | None, cents: int | None
    ) -> bool:
        """Add a notice; return whether it is new, for the same one stands once."""
        reason = stated(proposal.reason, proposal.clause)
        for each in self.notices.values():
            if each.reason == reason and each.seat == seat:
                return False
        self.last_notice += 1
        self.notices[self.last_notice] = Notice(
            id=self.last_notice,
            kind=proposal.kind,
            reason=reason,
            seat=seat,
            cents=cents,
        )
        self.proposed[self.last_notice] = proposal.command
        return True
