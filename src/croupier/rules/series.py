"""The rounds at one table: what lasts from round to round, and what reaches back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.course import conclude
from croupier.rules.decisions import decide
from croupier.rules.game import Game, Settings
from croupier.rules.operator import Person
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import standing_refusal
from croupier.rules.round import Board, ColourChips, Phase, RoundOfPlay, apply
from croupier.rules.settlement import settle
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
    event: ev.Event


Answer = tuple[Recorded, ...] | Refusal


@dataclass(frozen=True)
class Series:
    """A table's rounds so far; the last one is in play."""

    game: Game
    limits: Limits = field(default_factory=Limits)
    settings: Settings = field(default_factory=Settings)
    in_play: RoundOfPlay | None = None
    """The last round, apart from the others because every act changes it."""
    past: BucketMap[int, RoundOfPlay] = field(default_factory=BucketMap)
    last: int = 0
    stood: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """In which round a Player's under-minimum wagers stood, the one time (A9)."""
    colours: Mapping[str, ColourChips] = field(
        default_factory=lambda: MappingProxyType({})
    )

    @property
    def current(self) -> RoundOfPlay:
        assert self.in_play is not None
        return self.in_play

    def find(self, number: int) -> RoundOfPlay | None:
        """Return the round of that number, if it is in memory."""
        return self.in_play if number == self.last else self.past.get(number)

    def round(self, number: int) -> RoundOfPlay:
        """Return the round of that number; the caller knows that there is one."""
        found = self.find(number)
        assert found is not None, number
        return found

    def remembering(self, state: RoundOfPlay) -> Series:
        """Add a round as it is now, or recalled so that acts can reach back to it."""
        if state.number == self.last:
            return changed(self, in_play=state)
        return changed(self, past=self.past.with_entry(state.number, state))

    def forgetting_past(self) -> Series:
        """Keep the current round alone: the past can be recalled when it is needed."""
        return changed(self, past=BucketMap())


def begin_round(series: Series) -> tuple[Recorded, ...]:
    """Begin a new round; the one before it ends by itself if it can."""
    ending = end_round(series)
    for record in ending:
        series = apply_recorded(series, record)
    begun = ev.RoundBegun(
        round_number=series.last + 1,
        document=series.game.document,
        limits=write_limits(series.limits),
        settings=write_settings(series.settings),
        warned=tuple(sorted(series.stood)),
    )
    return (*ending, Recorded(begun.round_number, begun))


def end_round(series: Series) -> tuple[Recorded, ...]:
    """Settle the current round if it has its outcome or is void."""
    if series.last == 0 or series.current.phase is Phase.ENDED:
        return ()
    verdict = conclude(series.current)
    if isinstance(verdict, Refusal):
        return ()
    return _recorded(series.last, verdict)


def _recorded(number: int, events: tuple[ev.RoundEvent, ...]) -> tuple[Recorded, ...]:
    return tuple(Recorded(number, event) for event in events)


def decide_act(series: Series, act: do.Act) -> Answer:
    """Judge an act at the table: on the current round, or on earlier ones."""
    match act.command:
        case do.CorrectOutcome():
            return _correct(series, act.people, act.command)
        case do.VoidRounds():
            return _void_rounds(series, act.person, act.command)
        case do.IssueColour():
            return _issue_colour(series, act.person, act.command)
        case do.ReturnColour():
            return _return_colour(series, act.person, act.command)
        case _ if series.last == 0:
            opening = series.game.clause(Rule.OPENING)
            return Refusal(opening, RuleReason.NO_ROUND_BEGUN())
        case command:
            verdict = decide(series.current, act.person, command)
            if isinstance(verdict, Refusal):
                return verdict
            return _recorded(series.last, verdict)


def _correct(
    series: Series, people: tuple[Person, ...], command: do.CorrectOutcome
) -> Answer:
    game, number = series.game, command.round_number
    clause = game.clause(Rule.CORRECTION)
    state = series.find(number)
    standing = _standing(state)
    if standing is not None:
        return standing
    refusal = _may_not_correct(game, people, clause)
    if refusal is not None:
        return refusal
    if state is None or state.phase not in {Phase.DECIDED, Phase.ENDED}:
        return Refusal(clause, RuleReason.NO_OUTCOME_TO_CORRECT(round=number))
    old = state.winning_number
    if state.standing is not None or old is None:
        return Refusal(clause, RuleReason.VOID_NOT_CORRECTED(round=number))
    if command.number not in game.numbers:
        return Refusal(
            clause, RuleReason.NO_COMPARTMENT(game=game.title, number=command.number)
        )
    if command.number == old:
        return Refusal(clause, RuleReason.OUTCOME_THE_SAME(round=number, number=old))
    corrected = ev.OutcomeCorrected(people, old, command.number, clause)
    events: list[ev.RoundEvent] = [corrected]
    if state.phase is Phase.ENDED:
        events.append(settle(apply(state, corrected)))
    later = tuple(range(number + 1, series.last + 1))
    if later and game.provides(Rule.LATER_ROUNDS_STAND):
        stands = ev.LaterRoundsStand(later, game.clause(Rule.LATER_ROUNDS_STAND))
        events.append(stands)
    return _recorded(number, tuple(events))


def _standing(state: RoundOfPlay | None) -> Refusal | None:
    """Refuse to correct a void or held round, as it refuses the rest."""
    if state is None or state.phase is Phase.ENDED:
        return None
    return standing_refusal(state, do.AnnounceNoSpin())


def _may_not_correct(
    game: Game, people: tuple[Person, ...], clause: Clause
) -> Refusal | None:
    """Refuse without two different people: the Dealer and a Pit Supervisor (A29)."""
    if not any(game.is_staff(person) for person in people):
        return Refusal(clause, RuleReason.ONLY_STAFF_CORRECT())
    able = [person for person in people if game.may(person, Rule.CORRECTION)]
    if not game.provides(Rule.TWO_PEOPLE):
        who = RuleReason.SHIFT_MANAGER_DECIDES()
        return None if able else Refusal(clause, who)
    pair = any(
        one.name != other.name and game.may(other, Rule.TWO_PEOPLE)
        for one in able
        for other in people
    )
    if pair:
        return None
    return Refusal(
        game.clause(Rule.TWO_PEOPLE),
        RuleReason.CORRECTION_NEEDS_TWO(),
    )


def _void_rounds(series: Series, person: Person, command: do.VoidRounds) -> Answer:
    game = series.game
    clause = game.clause(Rule.VOID_ROUNDS)
    if not game.provides(Rule.VOID_ROUNDS):
        return _no_reopening(game, command)
    if set(command.round_numbers) == {series.last}:
        standing = _standing(series.in_play)
        if standing is not None:
            return standing
    if not game.may(person, Rule.VOID_ROUNDS):
        return Refusal(clause, RuleReason.MAY_NOT_VOID(person=person.named))
    if command.reason is not game.row(Rule.VOID_ROUNDS).voids:
        return Refusal(
            game.clause(Rule.PREVIOUS_ROUNDS_STAND),
            RuleReason.PREVIOUS_ROUNDS_STAND(),
        )
    unknown = [n for n in command.round_numbers if series.find(n) is None]
    if unknown:
        return Refusal(clause, RuleReason.NO_SUCH_ROUND(round=unknown[0]))
    states = [series.round(number) for number in sorted(set(command.round_numbers))]
    refusal = _not_voidable(states, clause)
    if refusal is not None:
        return refusal
    return tuple(record for state in states for record in _void_one(state, clause))


def _not_voidable(states: list[RoundOfPlay], clause: Clause) -> Refusal | None:
    """Refuse a round not opened, a held one, or nothing but void ones."""
    for state in states:
        if state.phase is Phase.AWAITING:
            opening = state.game.clause(Rule.OPENING)
            return Refusal(opening, RuleReason.ROUND_NOT_OPENED(round=state.number))
        if state.phase is Phase.HELD:
            return _standing(state)
    if not states:
        return Refusal(clause, RuleReason.NO_ROUND_NAMED())
    if all(_is_void(state) for state in states):
        return _standing(states[-1]) or Refusal(clause, RuleReason.VOID_ALREADY())
    return None


def _is_void(state: RoundOfPlay) -> bool:
    return state.standing is not None and state.phase is not Phase.HELD


def _no_reopening(game: Game, command: do.VoidRounds) -> Refusal:
    breach = isinstance(command.reason, do.LimitBreach)
    rule = Rule.PAST_LIMITS_STAND if breach else Rule.VOID_ROUNDS
    return Refusal(game.clause(rule), RuleReason.NO_REOPENING())


def _void_one(state: RoundOfPlay, clause: Clause) -> tuple[Recorded, ...]:
    if _is_void(state):
        return ()
    voided = ev.RoundVoided(clause, RuleReason.BALL_BROKE())
    events: tuple[ev.RoundEvent, ...] = (voided,)
    if state.phase is Phase.ENDED:
        events = (voided, settle(apply(state, voided)))
    return _recorded(state.number, events)


def _issue_colour(series: Series, person: Person, command: do.IssueColour) -> Answer:
    game = series.game
    clause = game.clause(Rule.COLOUR_CHIPS)
    if not game.may(person, Rule.COLOUR_CHIPS):
        return Refusal(clause, RuleReason.MAY_NOT_ISSUE_COLOUR(person=person.named))
    held = series.colours.get(command.colour)
    if held is not None and held.player != command.player:
        return Refusal(
            clause,
            RuleReason.COLOUR_OF_ANOTHER(colour=command.colour, player=held.player),
        )
    if held is not None and held.value_cents != command.value_cents:
        return Refusal(
            clause,
            RuleReason.COLOUR_HAS_VALUE(
                colour=command.colour, value_cents=held.value_cents
            ),
        )
    minimum = series.limits.table_minimum_cents
    needs_marker = (
        game.provides(Rule.COLOUR_MARKER)
        and minimum is not None
        and command.value_cents > minimum
    )
    if needs_marker and (command.marker is None or command.stands_on is None):
        return Refusal(clause, RuleReason.COLOUR_NEEDS_MARKER())
    issued = ev.ColourIssued(
        person,
        command.colour,
        command.player,
        command.value_cents,
        command.marker,
        command.stands_on,
    )
    return (Recorded(series.last, issued),)


def _return_colour(series: Series, person: Person, command: do.ReturnColour) -> Answer:
    game = series.game
    clause = game.clause(Rule.COLOUR_CHIPS)
    if not game.may(person, Rule.COLOUR_CHIPS):
        return Refusal(clause, RuleReason.MAY_NOT_TAKE_BACK_COLOUR(person=person.named))
    held = series.colours.get(command.colour)
    if held is None or held.player != command.player:
        return Refusal(
            clause,
            RuleReason.NO_CHIPS_OF_COLOUR(player=command.player, colour=command.colour),
        )
    if _lies_on_layout(series, command.colour):
        return Refusal(clause, RuleReason.COLOUR_ON_LAYOUT(colour=command.colour))
    returned = ev.ColourReturned(person, command.colour, command.player)
    return (Recorded(series.last, returned),)


def _lies_on_layout(series: Series, colour: str) -> bool:
    if series.last == 0 or series.current.phase is Phase.ENDED:
        return False
    return any(wager.colour == colour for wager in series.current.board.in_order())


def apply_recorded(series: Series, record: Recorded) -> Series:
    """Return the table after an event."""
    match record.event:
        case ev.RoundBegun() as begun:
            fresh = changed(fresh_round(series.game, begun), colours=series.colours)
            before = series.in_play
            if before is not None:
                past = series.past.with_entry(before.number, before)
                series = changed(series, past=past)
            return changed(series, last=fresh.number, in_play=fresh)
        case ev.ColourIssued() as issued:
            chips = ColourChips(issued.player, issued.value_cents)
            return _with_colours(series, {**series.colours, issued.colour: chips})
        case ev.ColourReturned() as returned:
            kept = {c: v for c, v in series.colours.items() if c != returned.colour}
            return _with_colours(series, kept)
        case event:
            after = apply(series.round(record.round_number), event)
            return _remembering(series.remembering(after), after, event)


def fresh_round(game: Game, begun: ev.RoundBegun) -> RoundOfPlay:
    """Return the round as it began, by the terms that its event records."""
    settings = read_settings(game, begun.settings)
    caps_areas = bool(settings.area_maximum_cents)
    return RoundOfPlay(
        game=game,
        number=begun.round_number,
        limits=read_limits(begun.limits),
        settings=settings,
        warned=frozenset(begun.warned),
        board=Board(area_cents=BucketMap() if caps_areas else None),
    )


def _with_colours(series: Series, colours: Mapping[str, ColourChips]) -> Series:
    series = changed(series, colours=colours)
    if series.last == 0:
        return series
    return series.remembering(changed(series.current, colours=colours))


def _remembering(series: Series, state: RoundOfPlay, event: ev.RoundEvent) -> Series:
    """Note whose under-minimum wagers stood; a void round does not count (A9)."""
    match event:
        case ev.RoundSettled(under_minimum=players) if players:
            first = dict.fromkeys(players, state.number)
            return changed(series, stood={**first, **series.stood})
        case ev.RoundVoided():
            kept = {p: n for p, n in series.stood.items() if n != state.number}
            return changed(series, stood=kept)
    return series
