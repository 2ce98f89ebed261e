"""Colour chips: issued to one Player at one value, and taken back (v3 1.1.1)."""

from __future__ import annotations

from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import IssueColour, ReturnColour
from croupier.rules.events import ColourIssued, ColourReturned
from croupier.rules.operator import Person
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import conflict_of_interest, refuse_person
from croupier.rules.series import Answer, Recorded, Series


def issue_colour(
    series: Series, people: tuple[Person, ...], command: IssueColour
) -> Answer:
    game, person = series.game, people[0]
    clause = game.clause(Rule.COLOUR_CHIPS)
    refusal = _refuse_person(series, person, command)
    if refusal is not None:
        return refusal
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
    issued = ColourIssued(
        person,
        command.colour,
        command.player,
        command.value_cents,
        command.marker,
        command.stands_on,
    )
    return (Recorded(series.last, issued),)


def return_colour(
    series: Series, people: tuple[Person, ...], command: ReturnColour
) -> Answer:
    game, person = series.game, people[0]
    clause = game.clause(Rule.COLOUR_CHIPS)
    refusal = _refuse_person(series, person, command)
    if refusal is not None:
        return refusal
    held = series.colours.get(command.colour)
    if held is None or held.player != command.player:
        return Refusal(
            clause,
            RuleReason.NO_CHIPS_OF_COLOUR(player=command.player, colour=command.colour),
        )
    if _lies_on_layout(series, command.colour):
        return Refusal(clause, RuleReason.COLOUR_ON_LAYOUT(colour=command.colour))
    returned = ColourReturned(person, command.colour, command.player)
    return (Recorded(series.last, returned),)


def _refuse_person(
    series: Series, person: Person, command: IssueColour | ReturnColour
) -> Refusal | None:
    """Refuse a person with a wager in the open round (A42) or without the position."""
    game, state = series.game, series.in_play
    if state is not None and state.is_under_way:
        refusal = conflict_of_interest(state, (person,))
        if refusal is not None:
            return refusal
    if game.may(person, Rule.COLOUR_CHIPS):
        return None
    return refuse_person(game, Rule.COLOUR_CHIPS, person, command)


def _lies_on_layout(series: Series, colour: str) -> bool:
    state = series.in_play
    if state is None or not state.is_under_way:
        return False
    return any(wager.colour == colour for wager in state.board.in_order())
