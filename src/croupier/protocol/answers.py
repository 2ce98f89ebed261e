"""The messages that the house sends to devices.

Laws of this file:
- a client derives nothing: it keeps the views of the latest snapshot, and replaces
  the fields that an update names;
- two lists are kept by key instead, because they are long: `wagers` by `id`, `history`
  by `round`. A message lists the new and changed entries, and in `gone` the ids of
  wagers that no longer lie on the layout;
- `TableView` is public, the same bytes for all; `StakesView` is for boards and staff,
  `StaffView` for staff, `SeatView` for one seat;
- `sequence` is a place in the table's journal: after the message, the views are as of
  that place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from croupier.protocol.changes import changes_of
from croupier.rules.reasons import Reason
from croupier.rules.round import Phase
from croupier.rules.wheel import Colour


def _one_of(*words: str) -> Meta:
    return Meta(extra_json_schema={"enum": list(words)})


PhaseName = Annotated[str, _one_of(*(each.value for each in Phase))]
ColourName = Annotated[str, _one_of(*(each.value for each in Colour))]
StatusName = Annotated[
    str,
    _one_of(
        *("shut", "interrupted", "awaiting", "betting", "closed"),
        *("spinning", "outcome", "settled", "void", "held"),
    ),
]
BonusStatus = Annotated[str, _one_of("non_bonus", "bonus", "super_bonus")]
BeginnerName = Annotated[str, _one_of("dealer", "house")]
StepName = Annotated[
    str, _one_of("open", "spin", "close", "lights", "outcome", "settle")
]
StepState = Annotated[str, _one_of("done", "now", "later")]
SeatAct = Annotated[str, _one_of("collect", "redeem", "buy_in", "sit", "leave")]
StaffAct = Annotated[
    str,
    _one_of(
        *("place your bets", "allow early close", "spin", "no more bets"),
        *("confirm lights", "outcome", "settle", "no spin", "irregularity"),
        *("unclear", "power failure"),
    ),
]
NoticeKind = Annotated[
    str,
    _one_of("void", "unlit", "hold", "buy_in", "outcome", "spin", "dropped", "alarm"),
]
WheelName = Annotated[str, _one_of("console", "sensor", "virtual")]
LightsName = Annotated[str, _one_of("dealer", "device")]
MoneyName = Annotated[str, _one_of("real", "demonstration")]


class _Answer(Struct, frozen=True, tag_field="type", omit_defaults=False):
    pass


class _OfTable(_Answer, frozen=True):
    """A message about a table, at this place in its journal."""

    table: str
    sequence: int
    at_ms: int


class StatedReason(Struct, frozen=True):
    """The reason why something is refused, void, held, proposed or over."""

    text: str
    """The sentence in English."""
    reason: Reason
    """The reason as data: its code, and the values that the sentence names."""
    clause: str | None = None

    def __str__(self) -> str:
        return f"{self.text} [{self.clause}]" if self.clause else self.text


def stated(reason: Reason, clause: str | None = None) -> StatedReason:
    return StatedReason(str(reason), reason, clause)


class WagerView(Struct, frozen=True, gc=False):
    """A wager on the layout."""

    id: str
    player: str
    wager: str
    stake_cents: int
    pieces: tuple[tuple[str, int], ...]
    """Area and cents."""
    registered: bool = True
    terminal: str | None = None
    unclear: bool = False
    under_minimum: tuple[str, ...] = ()
    """Areas on which the Player has less than the minimum."""


class SettledPieceView(Struct, frozen=True):
    """The settlement of the chips on one area."""

    area: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    clause: str


class SettledWagerView(Struct, frozen=True):
    """The settlement of a wager."""

    id: str
    player: str
    wager: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    pieces: tuple[SettledPieceView, ...]


class TotalsView(Struct, frozen=True):
    """The totals of a settlement for one seat."""

    stake_cents: int = 0
    paid_cents: int = 0
    collected_cents: int = 0
    returned_cents: int = 0
    net_cents: int = 0
    """Paid less collected."""


HISTORY = 200
"""Past rounds that a table's view keeps."""


class PastRound(Struct, frozen=True):
    """A round of the history, for information only."""

    round: int
    number: str | None
    """None if the round was void."""
    colour: ColourName | None
    bonus: tuple[str, ...] = ()


class LimitsView(Struct, frozen=True):
    """The limits on a wager type, in cents; None for no limit."""

    wager_type: str
    minimum_cents: int | None
    maximum_cents: int | None


class ColourView(Struct, frozen=True):
    """Chips of a colour: their Player, the value of one, and its marker."""

    player: str
    """Empty for boards and seats: only the staff may know."""
    value_cents: int
    marker: str | None = None
    stands_on: str | None = None


class StepView(Struct, frozen=True):
    """A step of the round in play."""

    step: StepName
    state: StepState
    at_ms: int | None = None
    """The time at which it was taken."""
    late: bool = False
    """“No more bets” after the ball had dropped (v3 3.7, A28)."""


class Notice(Struct, frozen=True):
    """A proposal of a device, or a Player's request, that waits for staff."""

    id: int
    kind: NoticeKind
    reason: StatedReason
    seat: str | None = None
    cents: int | None = None


class SessionView(Struct, frozen=True):
    """A Player's session: clock and net position, and the limits in force.

    `today` is the gaming day so far, at this table.
    """

    began_ms: int
    staked_cents: int
    paid_cents: int
    net_cents: int
    stake_limit_cents: int | None = None
    loss_limit_cents: int | None = None
    lost_today_cents: int = 0
    deposit_limit_cents: int | None = None
    deposited_today_cents: int = 0
    """Cash that became credit."""
    net_deposits_today_cents: int = 0
    """Cash and vouchers that became credit, less credit paid as cash or vouchers."""


class SeatView(Struct, frozen=True):
    """The state of a terminal's own seat."""

    name: str
    player: str | None
    """The named Player who sits there; None for an anonymous one."""
    credit_cents: int
    claim_cents: int
    session: SessionView
    may: tuple[SeatAct, ...]
    """Acts that the seat may ask for now; for wagers see `TableView.takes_wagers`."""
    notices: tuple[Notice, ...]
    """Requests of the seat that wait for an answer."""
    stake_cents: int
    """The seat's stake on the layout."""
    wagers: tuple[WagerView, ...]
    settled: tuple[SettledWagerView, ...]
    totals: TotalsView | None
    """The totals of the round in play, once settled."""
    last_totals: TotalsView | None
    """The totals of the last settlement in which the seat had wagers."""
    colour: str | None = None
    """The seat's own colour of chips, if it has one."""


class UnansweredReport(Struct, frozen=True):
    """A sensor's report of an irregularity: one person upholds it or two reject it."""

    irregularity: str
    clause: str
    """The clause by which it voids the round."""


class WheelSeen(Struct, frozen=True):
    """The reports of the wheel's sensor in the round in play."""

    spun: bool
    revolutions: int | None
    """The highest count reported."""
    at_rest: str | None
    """The number of a rest reported after the spin."""
    stray_rest: str | None
    """The number of a rest reported before the spin, which does not count."""
    unanswered: tuple[UnansweredReport, ...]


class StaffView(Struct, frozen=True):
    """The part of a table that only its staff see."""

    keyed: str | None
    """An outcome that the Dealer has keyed and not confirmed."""
    notices: tuple[Notice, ...]
    ball_stated: str | None
    """The Dealer's statement of the ball, a number or `nowhere`, until confirmed."""
    spin_stated: bool
    """The Dealer also stated that the ball was spun in this round."""
    is_ball_wanted: bool
    """Two people have to state the ball, after an interruption or in a dispute."""
    wheel_seen: WheelSeen | None
    """None if no sensor has reported anything in this round."""
    terminals_lost: tuple[str, ...]
    may: tuple[StaffAct, ...]
    """The acts that the table would accept now, from staff who may do them."""
    wagers: tuple[WagerView, ...]
    settled: tuple[SettledWagerView, ...]
    totals: TotalsView | None
    """The totals of the round's settlement, over all wagers."""
    more: bool
    """True if there are more wagers than a message lists; the API has all."""


class StakesView(Struct, frozen=True):
    """The stakes on the layout and the connected terminals, for boards and staff."""

    stake_cents: int
    wager_count: int
    terminals: int


class NextRoundView(Struct, frozen=True):
    """The party that begins the next round, if none is in play."""

    by: BeginnerName
    """The Dealer, or the house by itself once a screen is connected."""
    late_from_ms: int | None
    """The time from which the next round is later than usual."""


class TableView(Struct, frozen=True):
    """The public view of a table."""

    table: str
    game: str
    title: str
    document: str
    is_open: bool
    interrupted: bool
    virtual_wheel: bool
    wheel: WheelName
    lights: LightsName | None
    round: int
    phase: PhaseName
    status: StatusName
    """The table's state in one word, for a screen: `spinning` from the close to the
    outcome, once the ball is spun; `void` even after the chips are returned."""
    status_since_ms: int | None
    takes_wagers: bool
    steps: tuple[StepView, ...]
    standing: StatedReason | None
    """The reason why the round is void or held."""
    opened_at_ms: int | None
    closes_at_ms: int | None
    closed_at_ms: int | None
    countdown_seconds: int
    """Time from “Place your bets” to the close; 0 if the Dealer closes without one."""
    spun: bool
    dropped: bool
    at_rest: str | None
    """The number at which a person, a sensor or the virtual wheel saw the ball rest."""
    lights_confirmed: bool
    lit: tuple[str, ...]
    """The Bonus Numbers to show as lit: those that the layout device has reported, or
    all that were drawn if there is no such device."""
    winning_number: str | None
    colour: ColourName | None
    sections: tuple[str, ...]
    """Further areas of the layout that cover the winning number: `odd`, `dozen:2`."""
    bonus_status: BonusStatus | None
    """The winning number's kind, in a game that draws Bonus Numbers."""
    bonus: tuple[str, ...]
    super_bonus: tuple[str, ...]
    limits: tuple[LimitsView, ...]
    next_limits: tuple[LimitsView, ...] | None
    """Displayed now, in force from the next round on."""
    settings: tuple[str, ...]
    chips: tuple[int, ...]
    dealer: str | None
    colours: dict[str, ColourView]
    history: tuple[PastRound, ...]
    """The last rounds, oldest first."""
    video: str | None = None
    """The address of the video of its real wheel."""
    automatic_dealer: bool = False
    """Rounds begin by themselves while a screen is connected and no Dealer deals."""
    next_round: NextRoundView | None = None


if TYPE_CHECKING:
    TableChanges: TypeAlias = Struct
    SeatChanges: TypeAlias = Struct
    StaffChanges: TypeAlias = Struct
else:
    TableChanges = changes_of(TableView, without=("history",))
    SeatChanges = changes_of(SeatView, without=("wagers",))
    StaffChanges = changes_of(StaffView)


class TableSnapshot(_OfTable, frozen=True, tag="snapshot"):
    """All views of one reader: sent first, and again if the reader must start over."""

    currency: str
    money: MoneyName
    view: TableView
    stakes: StakesView | None = None
    seat: SeatView | None = None
    staff: StaffView | None = None


class TableEvent(Struct, frozen=True):
    """An event of the table's journal, with the fields that the reader may see."""

    event: str
    round: int
    sequence: int
    at_ms: int
    fields: dict[str, Any]


class TableUpdate(_OfTable, frozen=True, tag="update"):
    """Public changes, by one commit or without an event."""

    happened: tuple[TableEvent, ...]
    """Events for sounds, logs and scripts; the views have the table's state."""
    view: TableChanges
    rounds: tuple[PastRound, ...] = ()
    """Entries of `history` that are new or corrected."""
    staff: StaffChanges | None = None
    """Only in the staff's copy."""


class SeatUpdate(_OfTable, frozen=True, tag="seat"):
    """Changes for one seat."""

    happened: tuple[TableEvent, ...]
    seat: SeatChanges
    wagers: tuple[WagerView, ...] = ()
    gone: tuple[str, ...] = ()


class StakesUpdate(_OfTable, frozen=True, tag="stakes"):
    """The stakes on the layout, for boards and staff, a few times a second."""

    stakes: StakesView
    wagers: tuple[WagerView, ...] = ()
    """New and changed wagers, for the staff only."""
    gone: tuple[str, ...] = ()


class Answered(_Answer, frozen=True, tag="answer", gc=False):
    """The answer to one command: registered and on disk, or refused.

    A command that is sent again gets its first answer. If `sequence` is not after the
    last message's, the answer is such a repetition: its wagers may be out of date and
    change no view.
    """

    id: str
    sequence: int
    registered: bool
    refusal: StatedReason | None = None
    read_back: str | None = None
    """A keyed outcome in words and colour."""
    voucher: str | None = None
    """The code of a voucher that this command issued."""
    seat: SeatChanges | None = None
    """The command's changes of the sender's own seat."""
    wagers: tuple[WagerView, ...] = ()
    """The wagers that the command placed or changed, as they lie now."""
    gone: tuple[str, ...] = ()


class Pong(_Answer, frozen=True, tag="pong"):
    """The answer to a ping."""

    at_ms: int
    """The house's time."""
    echo_ms: int
    sequence: int


class MessageProblem(_Answer, frozen=True, tag="problem"):
    """The message was not taken; with `again`, its outcome is unknown."""

    reason: StatedReason
    id: str | None = None
    again: bool = False
    """Send it again, with the same id, after a second or after connecting again. The
    house is stopping, or does not know if it was recorded."""


class Bye(_Answer, frozen=True, tag="bye"):
    """The house ends the connection: it stops, or the device is revoked or too slow."""

    reason: StatedReason
    come_back: bool


FromHouse = (
    TableSnapshot
    | TableUpdate
    | SeatUpdate
    | StakesUpdate
    | Answered
    | Pong
    | MessageProblem
    | Bye
)
read_answer = msgspec.json.Decoder(FromHouse).decode
write_answer = msgspec.json.Encoder().encode
