"""The table of significant events: their kind, their alarm and their effect on play.

The log of significant events and the documentation are made from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any

from croupier.house.records.house_state import DeviceKind
from croupier.journal.events import house, table
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import money
from croupier.rules import events as play
from croupier.table.reasons import TableReason


@unique
class SignificantKind(Enum):
    """The subject of an event of the log."""

    LOG_ON = "log_on"
    AUTHORITY = "authority"
    CLOCK = "clock"
    SERVER = "server"
    DEVICE = "device"
    STAFF = "staff"
    DEALER = "dealer"
    PLAYER = "player"
    PROPOSAL = "proposal"
    HOUSE = "house"
    TABLE = "table"
    VOID = "void"
    HOLD = "hold"
    CORRECTION = "correction"
    INTERRUPTION = "interruption"
    LIGHTS = "lights"
    NOTICE = "notice"
    MONEY = "money"


@unique
class Stops(Enum):
    """The activity that an event stops, and the end of the stop."""

    NOTHING = "nothing"
    ACT = "the requested act"
    ACCOUNT = "that account"
    UNTIL_VOUCHED = "acts of that account, until a manager vouches for its owner"
    DEVICE = "that device"
    PLAYER = "wagers above the limit, or all wagers of that Player"
    VOUCHER = "that voucher"
    TABLE = "play at that table"
    ROUND = "the round: it is void"
    UNTIL_DECIDED = "the round, until staff have answered or two people have decided"
    UNTIL_BALL = "the round, until two people have stated the ball"
    NEXT_START = "every act after the next start, until the journal verifies"
    HOUSE = "the whole house, in this copy or process"


Alarm = bool | tuple[str, Callable[[Any], bool]]
"""True for an alarm; or the alarm's condition, in words and as a function."""


@dataclass(frozen=True, slots=True)
class EventAction:
    """Events of one kind with the same consequences."""

    kind: SignificantKind
    events: tuple[type[JournalEvent], ...]
    stops: Stops = Stops.NOTHING
    alarm: Alarm = False
    """The pit and the inspector show an alarm until a supervisor, inspector or
    administrator acknowledges it; other events are in the log only."""

    def is_alarm(self, event: JournalEvent) -> bool:
        return self.alarm if isinstance(self.alarm, bool) else self.alarm[1](event)


_COME_TO_THRESHOLD = frozenset(
    each.code
    for each in (TableReason.SECOND_PERSON_NEEDED, TableReason.PERSON_SUM_REACHED)
)
_OF_A_SENSOR: Alarm = "for a sensor", lambda e: e.kind == DeviceKind.SENSOR.value
_NEEDED: Alarm = "if the round needs it", lambda e: e.needed
_DIFFERS: Alarm = "if it differs from the book", lambda e: e.cents != e.booked_cents
_ONE_PERSON: Alarm = (
    "if one person has come to a threshold",
    lambda e: e.reason.code in _COME_TO_THRESHOLD,
)
_KIND = SignificantKind
EVENT_ACTIONS = (
    EventAction(_KIND.LOG_ON, (house.LoggedOn, house.LoggedOff, house.Unlocked)),
    EventAction(
        _KIND.LOG_ON, (house.LogOnFailed, house.SecondFactorFailed), Stops.ACT, True
    ),
    EventAction(_KIND.LOG_ON, (house.LockedOut,), Stops.ACCOUNT, True),
    EventAction(_KIND.AUTHORITY, (table.ActRefused,), Stops.ACT, _ONE_PERSON),
    EventAction(_KIND.AUTHORITY, (house.AuthorityRefused,), Stops.ACT, True),
    EventAction(_KIND.CLOCK, (house.ClockChanged,), alarm=True),
    EventAction(
        _KIND.SERVER,
        (
            *(house.ServerStarted, house.TableTaken, house.JournalTrusted),
            house.SigningKeySet,
        ),
    ),
    EventAction(_KIND.SERVER, (house.ServerStopped,), Stops.HOUSE),
    EventAction(_KIND.SERVER, (house.JournalDoubted,), Stops.NEXT_START, True),
    EventAction(
        _KIND.SERVER,
        (house.SigningKeyRevoked, house.HouseRestored, house.EventsMissing),
        alarm=True,
    ),
    EventAction(_KIND.SERVER, (house.HouseRetired,), Stops.HOUSE, True),
    EventAction(_KIND.DEVICE, (house.DeviceEnrolled, house.DeviceBack)),
    EventAction(_KIND.DEVICE, (house.DeviceInvited,), alarm=_OF_A_SENSOR),
    EventAction(_KIND.DEVICE, (house.DeviceRevoked,), Stops.DEVICE, _OF_A_SENSOR),
    EventAction(_KIND.DEVICE, (house.DeviceLost,), Stops.DEVICE, _NEEDED),
    EventAction(
        _KIND.STAFF,
        (
            *(house.StaffDefined, house.TrainingRecorded, house.PasswordSet),
            *(house.AccountVouched, house.SecondFactorSet, house.SecondFactorReset),
            *(house.ActingAssigned, house.ActingEnded),
        ),
    ),
    EventAction(_KIND.STAFF, (house.StaffRemoved,), Stops.ACCOUNT),
    EventAction(_KIND.STAFF, (house.AccountSet,), Stops.UNTIL_VOUCHED, True),
    EventAction(_KIND.DEALER, (house.DealerCame, house.DealerWent)),
    EventAction(_KIND.PLAYER, (house.PlayerDefined,)),
    EventAction(
        _KIND.PLAYER, (house.PlayerLimited, house.PlayerExcluded), Stops.PLAYER
    ),
    EventAction(
        _KIND.PROPOSAL, (house.Proposed, house.ProposalConfirmed, house.ProposalEnded)
    ),
    EventAction(
        _KIND.HOUSE,
        (house.HouseDefined, house.TableDefined, table.GamingDayClosed),
    ),
    EventAction(_KIND.HOUSE, (house.TableRetired,), Stops.TABLE),
    EventAction(_KIND.TABLE, (table.TableOpened, table.TermsChanged)),
    EventAction(_KIND.TABLE, (table.TableClosed,), Stops.TABLE),
    EventAction(_KIND.TABLE, (house.WheelDoubted,), alarm=True),
    EventAction(_KIND.VOID, (play.IrregularityReported, play.NoSpinAnnounced)),
    EventAction(_KIND.VOID, (play.RoundVoided,), Stops.ROUND, True),
    EventAction(
        _KIND.HOLD,
        (
            *(play.ReportAnswered, play.OutcomeDecided, play.PlayContinued),
            table.InterpretationRecorded,
        ),
    ),
    EventAction(
        _KIND.HOLD, (play.WheelDisputed, play.RoundHeld), Stops.UNTIL_DECIDED, True
    ),
    EventAction(_KIND.CORRECTION, (play.BallRestated, play.WagerRuled)),
    EventAction(_KIND.CORRECTION, (play.OutcomeCorrected,), alarm=True),
    EventAction(
        _KIND.INTERRUPTION,
        (
            *(table.BallStated, table.BallConfirmed, play.PowerFailed),
            *(play.RoundInterrupted, play.TerminalsInterrupted),
        ),
    ),
    EventAction(_KIND.INTERRUPTION, (table.TableInterrupted,), Stops.UNTIL_BALL, True),
    EventAction(_KIND.LIGHTS, (play.BonusNumberUnlit,), alarm=True),
    EventAction(_KIND.NOTICE, (table.NoticeAnswered,)),
    EventAction(_KIND.MONEY, (money.Adjusted,)),
    EventAction(_KIND.MONEY, (money.VoucherReportedLost,), Stops.VOUCHER),
    EventAction(_KIND.MONEY, (money.FloatCounted,), alarm=_DIFFERS),
    EventAction(_KIND.MONEY, (table.SumConfirmed,), alarm=True),
)
ACTION_OF = {each.__name__: act for act in EVENT_ACTIONS for each in act.events}
"""By the name of the event."""
