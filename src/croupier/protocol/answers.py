"""What the house says to devices.

Every message about a table carries `sequence`, the place in the table's journal up to
which it brings the reader; who comes back with the last they saw gets what they missed.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct


class _Answer(Struct, frozen=True, tag_field="type", omit_defaults=False):
    pass


class WagerView(Struct, frozen=True):
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
    area: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    clause: str


class SettledWagerView(Struct, frozen=True):
    id: str
    player: str
    wager: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    pieces: tuple[SettledPieceView, ...]


class PastRound(Struct, frozen=True):
    """A round of the history: information only."""

    round: int
    number: str | None
    """None: the round was void."""
    colour: str | None
    bonus: tuple[str, ...] = ()


class LimitsView(Struct, frozen=True):
    """The limits on a wager type, in cents; None: there is none."""

    wager_type: str
    minimum_cents: int | None
    maximum_cents: int | None


class Notice(Struct, frozen=True):
    """What a device proposes to the Dealer, or a matter that waits for staff."""

    id: int
    kind: str
    """`void`, `unlit`, `hold`, `buy_in`, `outcome`."""
    text: str
    clause: str | None = None
    act: str | None = None
    """The act that accepting it does, in the words of a transcript."""
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
    """What a terminal needs to know of its own seat."""

    name: str
    player: str | None
    """The named Player who sits there; None: nobody is named."""
    credit_cents: int
    claim_cents: int
    session: SessionView


class TableView(Struct, frozen=True):
    """A table at one moment, for one reader."""

    table: str
    game: str
    title: str
    document: str
    is_open: bool
    interrupted: bool
    ball_stated: str | None
    """What the Dealer said of the ball, awaiting the second person; `nowhere`."""
    virtual_wheel: bool
    wheel: str
    lights: str | None
    round: int
    phase: str
    standing: str | None
    """Why the round is void or held, with its clause."""
    closes_at_ms: int | None
    countdown_seconds: int
    """From “Place your bets” on; 0: the Dealer closes without one."""
    spun: bool
    dropped: bool
    at_rest: str | None
    keyed: str | None
    """An outcome that the Dealer has keyed and not confirmed; for staff."""
    lights_confirmed: bool
    lit: tuple[str, ...]
    winning_number: str | None
    colour: str | None
    bonus: tuple[str, ...]
    super_bonus: tuple[str, ...]
    limits: tuple[LimitsView, ...]
    next_limits: tuple[LimitsView, ...] | None
    """Displayed now, in force from the next round on."""
    settings: tuple[str, ...]
    chips: tuple[int, ...]
    dealer: str | None
    wagers: tuple[WagerView, ...]
    settled: tuple[SettledWagerView, ...]
    stake_cents: int
    wager_count: int
    terminals: int
    terminals_lost: tuple[str, ...]
    notices: tuple[Notice, ...]
    colours: dict[str, tuple[str, int]]
    """By colour the Player and the value of a chip."""
    history: tuple[PastRound, ...]


class TableSnapshot(_Answer, frozen=True, tag="snapshot"):
    """The table as it stands, instead of what was missed."""

    table: str
    sequence: int
    at_ms: int
    currency: str
    money: str
    view: TableView
    seat: SeatView | None = None


class TableEvent(_Answer, frozen=True, tag="event"):
    """One event of the table's journal, as far as the reader may see it."""

    table: str
    sequence: int
    round: int
    at_ms: int
    event: str
    fields: dict[str, Any]
    seat: SeatView | None = None
    """After events that moved the reader's own money."""


class Answered(_Answer, frozen=True, tag="answer"):
    """To one command: registered and on disk, or refused with clause and reason."""

    id: str
    sequence: int
    registered: bool
    clause: str | None = None
    reason: str | None = None
    read_back: str | None = None
    """A keyed outcome in words and colour."""
    voucher: str | None = None
    """The code of a voucher that this command issued."""
    wagers: tuple[WagerView, ...] = ()
    """The wagers that the command placed or changed, as they lie now."""
    seat: SeatView | None = None
    """A terminal's own seat, after the command."""


class Stakes(_Answer, frozen=True, tag="stakes"):
    """For staff and boards, a few times a second: what lies on the layout."""

    table: str
    sequence: int
    stake_cents: int
    wager_count: int
    wagers: tuple[WagerView, ...]
    """Those that changed since the last such message; without stake: withdrawn."""
    more: bool
    """There are more than a message lists; the API has all of them."""
    terminals: int
    terminals_lost: tuple[str, ...]


class Changed(_Answer, frozen=True, tag="changed"):
    """What no event says: the countdown, a keyed outcome, notices, the Dealer."""

    table: str
    sequence: int
    at_ms: int
    closes_at_ms: int | None
    keyed: str | None
    notices: tuple[Notice, ...]
    lit: tuple[str, ...]
    lights_confirmed: bool
    dealer: str | None


class Pong(_Answer, frozen=True, tag="pong"):
    at_ms: int
    """The server's time."""
    echo_ms: int
    sequence: int


class MessageProblem(_Answer, frozen=True, tag="problem"):
    """The message could not be read; nothing has changed."""

    reason: str
    id: str | None = None
    again: bool = False
    """The house is stopping: send it again, with the same id, after coming back."""


class Bye(_Answer, frozen=True, tag="bye"):
    """The house ends the connection: stopping, revoked, or a reader too slow."""

    reason: str
    come_back: bool


FromHouse = (
    TableSnapshot
    | TableEvent
    | Answered
    | Stakes
    | Changed
    | Pong
    | MessageProblem
    | Bye
)
read_answer = msgspec.json.Decoder(FromHouse).decode
write_answer = msgspec.json.Encoder().encode
