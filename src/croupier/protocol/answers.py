"""The messages that the house sends to devices.

Laws of this file:
- a client derives nothing: it keeps the views of the latest snapshot, and replaces
  whole fields of them by those that an update names;
- two lists are kept by key instead, because they are long: `wagers` by `id`, `history`
  by `round`. A message lists the entries that are new or changed, and `gone` the ids
  of wagers that no longer lie there;
- what everybody may see is in `TableView`, the same bytes for all; `StakesView` is for
  boards and staff, `StaffView` for staff, `SeatView` for one seat;
- `sequence` is the place in the table's journal that a message brings its reader to.
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
    """Return a mark by which the schema lists the only words that a text can be."""
    return Meta(extra_json_schema={"enum": list(words)})


PhaseName = Annotated[str, _one_of(*(each.value for each in Phase))]
ColourName = Annotated[str, _one_of(*(each.value for each in Colour))]
StatusName = Annotated[
    str,
    _one_of(
        "shut",
        "interrupted",
        "awaiting",
        "betting",
        "closed",
        "spinning",
        "outcome",
        "settled",
        "void",
        "held",
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
        "place your bets",
        "allow early close",
        "spin",
        "no more bets",
        "confirm lights",
        "outcome",
        "settle",
        "no spin",
        "irregularity",
        "unclear",
        "power failure",
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


class StatedReason(Struct, frozen=True):
    """Why something is refused, void, held, proposed or over."""

    text: str
    """The sentence in English."""
    reason: Reason
    """The same as data: its code, and the values that the sentence names."""
    clause: str | None = None


def stated(reason: Reason, clause: str | None = None) -> StatedReason:
    """Return a reason as the protocol says it: a sentence, and the same as data."""
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
    """A round of the history: information only."""

    round: int
    number: str | None
    """None: the round was void."""
    colour: ColourName | None
    bonus: tuple[str, ...] = ()


class LimitsView(Struct, frozen=True):
    """The limits on a wager type, in cents; None: there is none."""

    wager_type: str
    minimum_cents: int | None
    maximum_cents: int | None


class ColourView(Struct, frozen=True):
    """Chips of a colour: whose they are, what one is worth, and what denotes it."""

    player: str
    """Empty for boards and seats: whose they are is the staff's to know."""
    value_cents: int
    marker: str | None = None
    stands_on: str | None = None


class StepView(Struct, frozen=True):
    """A step of the round in play."""

    step: StepName
    state: StepState
    at_ms: int | None = None
    """When it was taken."""
    late: bool = False
    """“No more bets” after the ball had dropped (v3 3.7, A28)."""


class Notice(Struct, frozen=True):
    """A proposal of a device to the Dealer, or a matter that waits for staff."""

    id: int
    kind: NoticeKind
    reason: StatedReason
    seat: str | None = None
    cents: int | None = None


class SessionView(Struct, frozen=True):
    """A Player's session: clock and net position, and the limits in force."""

    began_ms: int
    staked_cents: int
    paid_cents: int
    net_cents: int
    stake_limit_cents: int | None = None
    loss_limit_cents: int | None = None
    lost_today_cents: int = 0


class SeatView(Struct, frozen=True):
    """The state of a terminal's own seat."""

    name: str
    player: str | None
    """The named Player who sits there; None: nobody is named."""
    credit_cents: int
    claim_cents: int
    session: SessionView
    may: tuple[SeatAct, ...]
    """Acts that the seat may ask for now; wagers while `TableView.takes_wagers`."""
    notices: tuple[Notice, ...]
    """Requests of the seat that nobody has answered."""
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
    """A sensor's report of an irregularity: staff uphold it, or two reject it (A45)."""

    irregularity: str
    clause: str
    """The clause by which it voids the round."""


class WheelSeen(Struct, frozen=True):
    """The reports of the wheel's sensor in the round in play."""

    spun: bool
    revolutions: int | None
    """The highest count."""
    at_rest: str | None
    """Within this spin."""
    stray_rest: str | None
    """A rest reported before the spin, which is not taken."""
    unanswered: tuple[UnansweredReport, ...]


class StaffView(Struct, frozen=True):
    """The state that only the staff of a table see."""

    keyed: str | None
    """An outcome that the Dealer has keyed and not confirmed."""
    notices: tuple[Notice, ...]
    ball_stated: str | None
    """The Dealer's word on the ball, awaiting the second person; `nowhere`."""
    spin_stated: bool
    """The Dealer said that it was spun in this round, too."""
    is_ball_wanted: bool
    """After an interruption, or where devices contradict the console."""
    wheel_seen: WheelSeen | None
    """None where no sensor has reported anything in this round."""
    terminals_lost: tuple[str, ...]
    may: tuple[StaffAct, ...]
    """The acts that the table would take now, from who may do them."""
    wagers: tuple[WagerView, ...]
    settled: tuple[SettledWagerView, ...]
    totals: TotalsView | None
    """The totals of the round's settlement, over everybody's wagers."""
    more: bool
    """There are more wagers than a message lists; the API has all of them."""


class StakesView(Struct, frozen=True):
    """For boards and staff: what lies on the layout, and how many terminals play."""

    stake_cents: int
    wager_count: int
    terminals: int


class NextRoundView(Struct, frozen=True):
    """The party that begins the next round, where none is in play."""

    by: BeginnerName
    """The Dealer, or the house by itself as soon as somebody watches."""
    late_from_ms: int | None
    """From then on the table has waited longer than usual since its last round."""


class TableView(Struct, frozen=True):
    """A table at one moment, as everybody may see it."""

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
    """The word for a screen's band: `spinning` from the close until the outcome, once
    the ball is spun; `void` also after the chips of a void round are returned."""
    status_since_ms: int | None
    takes_wagers: bool
    steps: tuple[StepView, ...]
    standing: StatedReason | None
    """Why the round is void or held."""
    opened_at_ms: int | None
    closes_at_ms: int | None
    closed_at_ms: int | None
    countdown_seconds: int
    """From “Place your bets” on; 0: the Dealer closes without one."""
    spun: bool
    dropped: bool
    at_rest: str | None
    """Where the ball was seen at rest, by a person, a sensor or the virtual wheel."""
    lights_confirmed: bool
    lit: tuple[str, ...]
    """The Bonus Numbers to be shown as lit: those that the layout device has reported,
    or where there is none all that were drawn."""
    winning_number: str | None
    colour: ColourName | None
    sections: tuple[str, ...]
    """Further areas of the layout that cover the winning number: `odd`, `dozen:2`."""
    bonus_status: BonusStatus | None
    """Of the winning number, in a game that draws Bonus Numbers."""
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
    """Where the pictures of its real wheel come from."""
    automatic_dealer: bool = False
    """Rounds begin by themselves while somebody watches and nobody deals by hand."""
    next_round: NextRoundView | None = None


if TYPE_CHECKING:
    TableChanges: TypeAlias = Struct
    SeatChanges: TypeAlias = Struct
    StaffChanges: TypeAlias = Struct
else:
    TableChanges = changes_of(TableView, without=("history",))
    SeatChanges = changes_of(SeatView, without=("wagers",))
    StaffChanges = changes_of(StaffView)


class TableSnapshot(_Answer, frozen=True, tag="snapshot"):
    """The table as it stands: the first message, and whenever updates don't do."""

    table: str
    sequence: int
    at_ms: int
    currency: str
    money: MoneyName
    view: TableView
    stakes: StakesView | None = None
    seat: SeatView | None = None
    staff: StaffView | None = None


class TableEvent(Struct, frozen=True):
    """One event of the table's journal, as far as the reader may see it."""

    event: str
    round: int
    sequence: int
    at_ms: int
    fields: dict[str, Any]


class TableUpdate(_Answer, frozen=True, tag="update"):
    """Changes for everybody by one commit, or at a table's own time."""

    table: str
    sequence: int
    at_ms: int
    happened: tuple[TableEvent, ...]
    """For sounds, logs and scripts; nobody needs it to know how the table stands."""
    view: TableChanges
    rounds: tuple[PastRound, ...] = ()
    """Entries of `history` that are new or corrected."""
    staff: StaffChanges | None = None
    """In the staff's copy."""


class SeatUpdate(_Answer, frozen=True, tag="seat"):
    """Changes for one seat."""

    table: str
    sequence: int
    at_ms: int
    happened: tuple[TableEvent, ...]
    seat: SeatChanges
    wagers: tuple[WagerView, ...] = ()
    gone: tuple[str, ...] = ()


class StakesUpdate(_Answer, frozen=True, tag="stakes"):
    """For boards and staff, a few times a second: what lies on the layout."""

    table: str
    sequence: int
    at_ms: int
    stakes: StakesView
    wagers: tuple[WagerView, ...] = ()
    """For the staff."""
    gone: tuple[str, ...] = ()


class Answered(_Answer, frozen=True, tag="answer", gc=False):
    """The answer to one command: registered and on disk, or refused.

    A command that is sent again gets its first answer: where `sequence` is not after
    what the reader has been told, its wagers are as the command left them then, and
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
    """Changes by the command at a terminal's own seat."""
    wagers: tuple[WagerView, ...] = ()
    """The wagers that the command placed or changed, as they lie now."""
    gone: tuple[str, ...] = ()


class Pong(_Answer, frozen=True, tag="pong"):
    """The answer to a ping."""

    at_ms: int
    """The server's time."""
    echo_ms: int
    sequence: int


class HouseNodes(_Answer, frozen=True, tag="nodes"):
    """Other addresses of the house: told after the welcome, by a house of nodes.

    Whoever can't come back to where they were may go to any of these.
    """

    addresses: tuple[str, ...]
    """Of every node that lives, such as `https://node-2.example`."""


class MessageProblem(_Answer, frozen=True, tag="problem"):
    """The message could not be taken; with `again`, nobody knows yet what it did."""

    reason: StatedReason
    id: str | None = None
    again: bool = False
    """Neither done nor refused: send it again, with the same id, after a second or
    after coming back. The house is stopping, or can't tell whether it was recorded."""


class Bye(_Answer, frozen=True, tag="bye"):
    """The house ends the connection: stopping, revoked, or a reader too slow."""

    reason: StatedReason
    come_back: bool


FromHouse = (
    TableSnapshot
    | TableUpdate
    | SeatUpdate
    | StakesUpdate
    | Answered
    | Pong
    | HouseNodes
    | MessageProblem
    | Bye
)
read_answer = msgspec.json.Decoder(FromHouse).decode
write_answer = msgspec.json.Encoder().encode
