"""The rounds at one table, and the state that outlasts a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from croupier.rules.board import Board
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.clause import Refusal, Rule
from croupier.rules.course import conclude, conclude_late
from croupier.rules.events import (
    ColourIssued,
    ColourReturned,
    Event,
    RoundBegun,
    RoundEvent,
    RoundSettled,
    RoundVoided,
)
from croupier.rules.game import Game, Settings
from croupier.rules.round import ColourChips, Phase, RoundOfPlay, apply, with_staff
from croupier.rules.terms import (
    Limits,
    read_limits,
    read_settings,
    write_limits,
    write_settings,
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event and the round that it belongs to."""

    round_number: int
    event: Event


Answer = tuple[Recorded, ...] | Refusal


@dataclass(frozen=True)
class Series:
    """A table's rounds so far; the last one is in play."""

    game: Game
    limits: Limits = field(default_factory=Limits)
    settings: Settings = field(default_factory=Settings)
    in_play: RoundOfPlay | None = None
    """The last round; it stands apart because every act changes it."""
    past: BucketMap[int, RoundOfPlay] = field(default_factory=BucketMap)
    last: int = 0
    stood: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The round in which a Player's under-minimum wagers stood, once only (A9).

    This is the round that was settled first, not the lowest number (A47).
    """
    colours: Mapping[str, ColourChips] = field(
        default_factory=lambda: MappingProxyType({})
    )

    @property
    def current(self) -> RoundOfPlay:
        assert self.in_play is not None
        return self.in_play

    def find(self, number: int) -> RoundOfPlay | None:
        return self.in_play if number == self.last else self.past.get(number)

    def warned_in(self, number: int) -> frozenset[str]:
        """Return the Players who used up their one time in another round (A47)."""
        return frozenset(player for player, n in self.stood.items() if n != number)

    def round(self, number: int) -> RoundOfPlay:
        found = self.find(number)
        assert found is not None, number
        return found

    def remembering(self, state: RoundOfPlay) -> Series:
        """Add a changed round, or an earlier one that an act reaches back to."""
        if state.number == self.last:
            return changed(self, in_play=state)
        return changed(self, past=self.past.with_entry(state.number, state))

    def forgetting_past(self) -> Series:
        """Keep only the current round; `remembering` brings an earlier one back."""
        return changed(self, past=BucketMap())


def begin_round(series: Series, rules: str = "") -> tuple[Recorded, ...]:
    """Begin a new round; settle the one before it, or hold it (A48).

    `rules` is the digest of the game that judges it.
    """
    before = series.in_play
    ended = before is None or before.phase is Phase.ENDED
    ending = () if ended else recorded(series.last, conclude_late(series.current))
    for record in ending:
        series = apply_recorded(series, record)
    begun = RoundBegun(
        round_number=series.last + 1,
        document=series.game.document,
        limits=write_limits(series.limits),
        settings=write_settings(series.settings),
        warned=tuple(sorted(series.stood)),
        rules=rules,
    )
    return (*ending, Recorded(begun.round_number, begun))


def end_round(series: Series) -> tuple[Recorded, ...]:
    """Settle the current round if it is void or has an outcome."""
    if series.last == 0 or series.current.phase is Phase.ENDED:
        return ()
    verdict = conclude(series.current)
    if isinstance(verdict, Refusal):
        return ()
    return recorded(series.last, verdict)


def recorded(number: int, events: tuple[RoundEvent, ...]) -> tuple[Recorded, ...]:
    return tuple(Recorded(number, event) for event in events)


def apply_recorded(series: Series, record: Recorded) -> Series:
    """Return the table after an event."""
    match record.event:
        case RoundBegun() as begun:
            fresh = changed(fresh_round(series.game, begun), colours=series.colours)
            before = series.in_play
            if before is not None:
                past = series.past.with_entry(before.number, before)
                series = changed(series, past=past)
            return changed(series, last=fresh.number, in_play=fresh)
        case ColourIssued() as issued:
            chips = ColourChips(
                issued.player, issued.value_cents, issued.marker, issued.stands_on
            )
            after = {**series.colours, issued.colour: chips}
            return _with_colours(series, after, issued)
        case ColourReturned() as returned:
            kept = {c: v for c, v in series.colours.items() if c != returned.colour}
            return _with_colours(series, kept, returned)
        case event:
            state = apply(series.round(record.round_number), event)
            return _remembering(series.remembering(state), state, event)


def fresh_round(game: Game, begun: RoundBegun) -> RoundOfPlay:
    """Return a new round by the terms in its event."""
    settings = read_settings(game, begun.settings, is_recorded=True)
    caps_areas = bool(settings.area_maximum_cents)
    return RoundOfPlay(
        game=game,
        number=begun.round_number,
        limits=read_limits(begun.limits),
        settings=settings,
        warned=frozenset(begun.warned),
        board=Board(area_cents=BucketMap() if caps_areas else None),
    )


def _with_colours(
    series: Series,
    colours: Mapping[str, ColourChips],
    event: ColourIssued | ColourReturned,
) -> Series:
    series, state = changed(series, colours=colours), series.in_play
    if state is None:
        return series
    return series.remembering(changed(apply_beside(state, event), colours=colours))


def apply_beside(state: RoundOfPlay, event: object) -> RoundOfPlay:
    """Add the staff of a table event to the round that it happened in (A42)."""
    return with_staff(state, event) if state.is_under_way else state


def _remembering(series: Series, state: RoundOfPlay, event: RoundEvent) -> Series:
    """Note the Players whose under-minimum wagers stood (A9).

    With v3 5.17 a later void does not give the one time back.
    """
    match event:
        case RoundSettled(under_minimum=players) if players:
            first = dict.fromkeys(players, state.number)
            series = changed(series, stood={**first, **series.stood})
            warned = series.warned_in(series.last)
            return changed(series, in_play=changed(series.current, warned=warned))
        case RoundVoided() if not series.game.provides(Rule.PAST_LIMITS_STAND):
            kept = {p: n for p, n in series.stood.items() if n != state.number}
            return changed(series, stood=kept)
    return series
