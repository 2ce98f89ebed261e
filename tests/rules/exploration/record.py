"""What was said and seen at a table, folded from its events apart from the core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from croupier.rules import events as ev
from croupier.rules.operator import Person, Role
from croupier.rules.series import Recorded

MACHINES = {Role.SYSTEM, Role.RNG, Role.SENSOR}


@dataclass(frozen=True)
class Chips:
    """A wager of one piece: whose, where, and its chips as they were laid."""

    wager_id: str
    player: str
    area: str
    laid: tuple[tuple[int, int], ...]
    """Place in the order of all chips, and cents."""
    lifted: bool = False
    """Taken off after the drop (A28)."""

    @property
    def cents(self) -> int:
        return sum(cents for _, cents in self.laid)


@dataclass(frozen=True)
class Treatment:
    """What rulings and decisions on a wager come to (A31)."""

    wager_id: str
    role: Role
    decided: bool
    returned: bool = False
    area: str | None = None
    cents: int | None = None
    player: str | None = None


@dataclass(frozen=True)
class Notes:
    """One round, as an observer beside the table would have noted it."""

    opened: bool = False
    early: bool = False
    spun: bool = False
    revolutions: int | None = None
    dropped: bool = False
    rest: str | None = None
    """The compartment on record: seen, not announced."""
    closed: bool = False
    touched: bool = False
    """Chips were laid or taken off after the drop."""
    failed: bool = False
    """The power failed before the drop."""
    drawn: tuple[str, ...] | None = None
    winner: str | None = None
    decided: bool = False
    """The winner is a Shift Manager's decision."""
    held: bool = False
    void: str | None = None
    """The clause that voided the round."""
    void_decided: bool = False
    settlements: int = 0
    order: int = 0
    chips: tuple[Chips, ...] = ()
    treatments: tuple[Treatment, ...] = ()
    players: frozenset[str] = frozenset()
    staff: frozenset[str] = frozenset()
    warned: frozenset[str] = frozenset()
    """The Players whose chips under the minimum stood first in another round (A47)."""
    sensor_spun: bool = False
    counts: tuple[int, ...] = ()
    """The sensor's counts since the last answer about them."""
    pending: frozenset[str] = frozenset()
    """Irregularities that the sensor named, unanswered."""
    rejected: frozenset[str] = frozenset()
    sensor_rest: str | None = None
    """Where the sensor saw the ball; None too if two people have confirmed it since."""
    sensor_seen: str | None = None
    stray: bool = False
    confirmed: str | None = None
    keyed: str | None = None
    """Where staff said that the ball rests."""
    sensor_dropped: bool = False
    sensor_closed: bool = False

    @property
    def few(self) -> bool:
        """Whether a low count came after a high one, or before none (A52)."""
        few = "fewer_than_four_revolutions"
        return few in self.pending or any(
            count < 4
            and (
                any(each >= 4 for each in self.counts[:place])
                or all(each < 4 for each in self.counts[place:])
            )
            for place, count in enumerate(self.counts)
        )

    def treatment(self, wager_id: str) -> Treatment | None:
        found = [each for each in self.treatments if each.wager_id == wager_id]
        return found[0] if found else None


@dataclass(frozen=True)
class Record:
    """All rounds at the table, and whose chips under the minimum have stood."""

    rounds: tuple[Notes, ...] = ()
    stood: frozenset[str] = frozenset()

    @property
    def current(self) -> Notes:
        return self.rounds[-1]


def noted(record: Record, recorded: Recorded) -> Record:
    """Return the record with one more event."""
    event = recorded.event
    if isinstance(event, ev.RoundBegun):
        fresh = Notes(warned=record.stood)
        return replace(record, rounds=(*record.rounds, fresh))
    place = recorded.round_number - 1
    notes = record.rounds[place]
    if isinstance(event, ev.ColourIssued | ev.ColourReturned):
        if not notes.opened or notes.settlements:
            return record
    else:
        notes = _after(notes, event)
    notes = _with_staff(notes, event)
    first: frozenset[str] = frozenset()
    if isinstance(event, ev.RoundSettled):
        first = frozenset(event.under_minimum) - record.stood
    others = [replace(each, warned=each.warned | first) for each in record.rounds]
    rounds = (*others[:place], notes, *others[place + 1 :])
    return Record(rounds, record.stood | first)


_SAYS: Mapping[type[ev.RoundEvent], Mapping[str, object]] = {
    ev.PlaceYourBetsAnnounced: {"opened": True},
    ev.EarlyCloseAllowed: {"early": True},
    ev.BallDropped: {"dropped": True},
    ev.RoundHeld: {"held": True},
}
"""Events that say one thing."""


def _after(notes: Notes, event: ev.RoundEvent) -> Notes:
    if type(event) in _SAYS:
        return replace(notes, **_SAYS[type(event)])  # type: ignore[arg-type]
    match event:
        case ev.BallSpun(revolutions=revolutions):
            return replace(notes, spun=True, revolutions=revolutions)
        case ev.PowerFailed():
            return replace(notes, failed=notes.failed or not notes.dropped)
        case ev.BonusNumbersDrawn(numbers=numbers):
            return replace(notes, drawn=numbers)
        case ev.BonusNumbersCorrected(corrected_to=numbers):
            return replace(notes, drawn=numbers)
    return _with_chips(_ending(_of_wheel(notes, event), event), event)


def _of_wheel(notes: Notes, event: ev.RoundEvent) -> Notes:
    """Note what an event says of the ball and of the sensor."""
    match event:
        case ev.BallAtRest(number=number):
            known = replace(notes, dropped=True, keyed=number)
            return replace(known, rest=notes.rest or number)
        case ev.BallRestated(corrected_to=number):
            known = replace(notes, rest=number, dropped=True, confirmed=number)
            pending = notes.pending - {"ball_not_in_compartment", "ball_out_of_wheel"}
            known = replace(known, keyed=number, pending=pending)
            return replace(known, sensor_rest=None, stray=False)
        case ev.SensorReported():
            return _sensed(notes, event)
        case ev.ReportAnswered(irregularity=name, upheld=upheld):
            counted = name.value == "fewer_than_four_revolutions"
            return replace(
                notes,
                counts=() if counted else notes.counts,
                pending=notes.pending - {name.value},
                rejected=notes.rejected | (set() if upheld else {name.value}),
            )
        case ev.PlayContinued(by=by):
            free = replace(notes, held=False)
            if by.role not in SHIFT_MANAGERS:
                return free
            return replace(free, counts=(), pending=frozenset(), stray=False)
        case ev.NoMoreBetsAnnounced(by=by):
            by_sensor = not notes.closed and by.role is Role.SYSTEM
            return replace(notes, closed=True, sensor_closed=by_sensor)
    return notes


SHIFT_MANAGERS = {Role.GAMING_SHIFT_MANAGER, Role.TABLE_GAMES_SHIFT_MANAGER}


def _sensed(notes: Notes, event: ev.SensorReported) -> Notes:
    spun, name = notes.spun or notes.sensor_spun, event.fact
    if event.revolutions is not None and (spun or event.revolutions < 4):
        notes = replace(notes, counts=(*notes.counts, event.revolutions))
    match name:
        case "spun":
            return replace(notes, sensor_spun=True)
        case "dropped":
            dropped = notes.dropped or spun
            return replace(notes, dropped=dropped, sensor_dropped=True)
        case "at_rest" if not spun:
            return replace(notes, stray=True)
        case "at_rest":
            seen = replace(notes, sensor_rest=event.number, sensor_seen=event.number)
            new = notes.rest is None and notes.winner in {None, event.number}
            return replace(seen, dropped=True, rest=event.number) if new else seen
    return replace(
        notes, pending=notes.pending | {name}, rejected=notes.rejected - {name}
    )


def _ending(notes: Notes, event: ev.RoundEvent) -> Notes:
    """Note what an event says of how the round ends."""
    match event:
        case ev.OutcomeAnnounced(number=number):
            return replace(notes, winner=number, closed=True, dropped=True)
        case ev.OutcomeDecided(number=number):
            known = replace(notes, winner=number, closed=True, dropped=True)
            free = replace(known, held=False, void=None, void_decided=False)
            return replace(free, decided=True)
        case ev.OutcomeCorrected(corrected_to=number):
            rest = None if notes.rest is None else number
            keyed = None if notes.keyed is None else number
            return replace(notes, winner=number, rest=rest, keyed=keyed)
        case ev.RoundVoided(clause=clause, reason=reason):
            decided = reason.code == "decided_so"
            return replace(notes, void=clause.number, void_decided=decided, held=False)
        case ev.RoundSettled():
            return replace(notes, settlements=notes.settlements + 1)
    return notes


def _with_chips(notes: Notes, event: ev.RoundEvent) -> Notes:
    match event:
        case ev.WagerPlaced():
            [piece] = event.pieces
            laid = ((notes.order, piece.cents),)
            chips = Chips(event.wager_id, event.player, piece.area, laid)
            players = notes.players | {event.player}
            return _touched(notes, (*notes.chips, chips), players=players)
        case ev.WagerIncreased(wager_id=wager_id, piece_cents=cents):
            return _touched(
                notes,
                tuple(
                    replace(each, laid=(*each.laid, (notes.order, cents)))
                    if each.wager_id == wager_id
                    else each
                    for each in notes.chips
                ),
            )
        case ev.WagerWithdrawn(wager_id=wager_id):
            kept = (
                replace(each, lifted=True) if each.wager_id == wager_id else each
                for each in notes.chips
                if each.wager_id != wager_id or notes.dropped
            )
            return _touched(notes, tuple(kept))
        case ev.WagerRuled():
            return replace(notes, treatments=_treated(notes, event))
    return notes


def _touched(
    notes: Notes, chips: tuple[Chips, ...], players: frozenset[str] | None = None
) -> Notes:
    return replace(
        notes,
        chips=chips,
        order=notes.order + 1,
        touched=notes.touched or notes.dropped,
        players=notes.players if players is None else players,
    )


def _treated(notes: Notes, event: ev.WagerRuled) -> tuple[Treatment, ...]:
    """Add a ruling to the others on its wager; nothing stands before a return."""
    before = notes.treatment(event.wager_id)
    others = tuple(each for each in notes.treatments if each is not before)
    returns = (event.area, event.piece_cents, event.player) == (None, None, None)
    if before is None or before.returned or returns:
        before = Treatment(event.wager_id, event.by.role, decided=False)
    added = replace(
        before,
        role=event.by.role,
        decided=event.clause.number in {"6.2", "5.10", "A12"},
        returned=returns,
        area=event.area or before.area,
        cents=event.piece_cents or before.cents,
        player=event.player or before.player,
    )
    return (*others, added)


def _with_staff(notes: Notes, event: ev.Event) -> Notes:
    by = getattr(event, "by", None)
    people: Iterable[Person] = by if isinstance(by, tuple) else (by,) if by else ()
    acting = {each.name for each in people if each.role not in {Role.PLAYER, *MACHINES}}
    return replace(notes, staff=notes.staff | acting)
