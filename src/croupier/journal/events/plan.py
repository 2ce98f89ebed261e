"""The plan of a house: the same values in its file and in its events."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from enum import Enum, unique
from functools import lru_cache
from zoneinfo import ZoneInfo

from croupier.rules.operator import Role


@unique
class Money(Enum):
    """The kind of money played for; the two kinds never share a house."""

    DEMONSTRATION = "demonstration"
    REAL = "real"


@unique
class WheelSource(Enum):
    """The source of a table's outcomes."""

    CONSOLE = "console"
    """The Dealer keys the outcome and confirms it."""
    SENSOR = "sensor"
    """A wheel device posts its observation; the Dealer confirms it."""
    VIRTUAL = "virtual"
    """Drawn by the house: for demonstration and practice, no document's wheel."""


@unique
class Lights(Enum):
    """The source of reports that a Bonus Number is lit."""

    DEVICE = "device"
    DEALER = "dealer"


@unique
class Duty(Enum):
    """Duties of staff beside the documents' positions."""

    CASHIER = "cashier"
    INSPECTOR = "inspector"
    ADMINISTRATOR = "administrator"
    ATTENDANT = "attendant"


@dataclass(frozen=True, slots=True)
class ActHolders:
    """The positions and duties that may do one act, as the house file says."""

    act: str
    """Its name, such as `handle_money`."""
    positions: tuple[Role, ...] = ()
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The authority over each act of a house; an act not named has its default."""

    acts: tuple[ActHolders, ...] = ()
    never_together: tuple[tuple[str, str], ...] | None = None
    """Pairs of positions or duties that one person never holds; None: the default."""


@unique
class SensitiveAct(Enum):
    """Acts that a house may ask a second factor for, beside the password."""

    PROPOSE = "propose"
    CONFIRM = "confirm"


@unique
class ThresholdAct(Enum):
    """Money moved at a table for which a house can set a threshold."""

    BUY_IN = "buy_in"
    """Cash taken for credit, for colour chips or for a claim."""
    CASH_OUT = "cash_out"
    """Credit, colour chips or a voucher paid in cash."""
    VOUCHER = "voucher"
    FILL = "fill"
    """Chips between the cage and the float, either way."""
    ADJUSTMENT = "adjustment"
    HAND_PAY = "hand_pay"
    """Money kept for a Player, paid in cash."""
    FLOAT_COUNT = "float_count"
    """The difference between a count of the float and the book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Sums above which a second person must confirm; None: no such sum.

    They count over 24 hours, at every table: for one seat, Player, voucher or float, or
    for everything that the person does.
    """

    buy_in_cents: int | None = None
    cash_out_cents: int | None = None
    voucher_cents: int | None = None
    fill_cents: int | None = None
    adjustment_cents: int | None = None
    """Adjustments take two people in any case; above it they are an alarm."""
    hand_pay_cents: int | None = None
    float_count_cents: int | None = None

    def of(self, act: ThresholdAct) -> int | None:
        cents: int | None = getattr(self, f"{act.value}_cents")
        return cents


NO_THRESHOLDS = Thresholds()
_HOUR_MS = 3_600_000
REAL_MONEY_THRESHOLDS = Thresholds(
    buy_in_cents=1_000_000,
    cash_out_cents=1_000_000,
    voucher_cents=1_000_000,
    fill_cents=5_000_000,
    adjustment_cents=100_000,
    hand_pay_cents=1_000_000,
    float_count_cents=100_000,
)
"""The thresholds of a file for real money that states none."""
REAL_MONEY_SUMS_BY_PERSON = Thresholds(
    **{act: 3 * cents for act, cents in asdict(REAL_MONEY_THRESHOLDS).items()}
)
"""The same for the sums by person, three times as high."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseSettings:
    """The house itself, without its tables and staff."""

    name: str
    operator: str
    """The operator as shown; each game knows its own operator."""
    money: Money
    currency: str
    time_zone: str
    gaming_day_begins: int = 6
    """The hour at which a gaming day begins."""
    voucher_days: int = 30
    """Days in which a voucher can be redeemed."""
    idle_minutes: int = 15
    """An idle staff session ends after this time."""
    proposal_minutes: int = 10
    """A two-person act that is not confirmed expires after this time."""
    autoplay: bool = True
    """Whether terminals offer to place the same chips round after round."""
    reality_check_minutes: int = 60
    """Time to a Player's reality check, unless they choose another; 0: never."""
    help_text: str | None = None
    """Each terminal's text on responsible gambling and help."""
    second_factor: tuple[SensitiveAct, ...] = ()
    """The acts that also need a code of the second factor."""
    thresholds: Thresholds = NO_THRESHOLDS
    """The sums for one seat, Player, voucher or float."""
    sums_by_person: Thresholds = NO_THRESHOLDS
    """The sums for everything that one member of staff does."""
    authority: Authority = Authority()

    def gaming_day(self, at_ms: int) -> str:
        return gaming_day(self.time_zone, self.gaming_day_begins, at_ms // 60_000)

    def voucher_expires(self, at_ms: int) -> str:
        """Return the last gaming day of a voucher that is issued at this moment."""
        later = at_ms + timedelta(days=self.voucher_days) // timedelta(milliseconds=1)
        return self.gaming_day(later)


# Every wager asks for its gaming day, which changes only on a minute.
@lru_cache(maxsize=1_000)
def gaming_day(time_zone: str, begins: int, minute: int) -> str:
    """Return the gaming day of a minute since 1970, ISO 8601."""
    moment = datetime.fromtimestamp(minute * 60, ZoneInfo(time_zone))
    return (moment - timedelta(hours=begins)).date().isoformat()


def day_after(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


DEFAULT_HOUSE = HouseSettings(
    name="",
    operator="",
    money=Money.DEMONSTRATION,
    currency="SGD",
    time_zone="Asia/Singapore",
)
"""The settings of a table that is played without a house."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """One table: its game, its wheel, and the terms it begins with."""

    name: str
    """Also the name of its stream in the journal."""
    game: str
    wheel: WheelSource
    unapproved_game: bool = False
    """The house accepts that real money is played by an unapproved document."""
    lights: Lights | None = None
    """None if the game draws no Bonus Numbers."""
    countdown_seconds: int = 20
    """From “Place your bets” to “No more bets”; 0 leaves it to the Dealer."""
    chips: tuple[int, ...] = (100, 500, 2_500, 10_000, 50_000, 100_000)
    """The denominations that the rail offers, in cents, lowest first."""
    seats: int = 8
    """The number of its terminals."""
    automatic_dealer: bool = False
    rounds_per_hour: int | None = None
    """The most rounds that the automatic dealer begins in an hour; None: no limit."""
    rules_file: str | None = None
    """The operator's approved rules document: a path, from the house file's folder."""
    video: str | None = None
    """The source of a real wheel's pictures: an address or a path."""
    limits: tuple[str, ...] = ()
    """The first limits, as `read_limits` reads them; the stream has later ones."""
    settings: tuple[str, ...] = ()
    """The first settings, as `read_settings` reads them; the stream has later ones."""

    @property
    def least_round_ms(self) -> int:
        """The least time between the starts of two automatic rounds."""
        hourly = self.rounds_per_hour
        return 0 if hourly is None else -(-_HOUR_MS // hourly)


@dataclass(frozen=True, slots=True)
class StaffPlan:
    """One person: the documents' positions they hold, and their further duties."""

    name: str
    positions: tuple[Role, ...] = ()
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HousePlan:
    """A whole house, as its file states it."""

    house: HouseSettings
    tables: tuple[TablePlan, ...] = ()
    staff: tuple[StaffPlan, ...] = ()
