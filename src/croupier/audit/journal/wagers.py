"""Wagers as acts: placed, increased, withdrawn.

Each function notes the act in the round, reports its faults, and returns the entries
that it must post. An unlawful wager that was taken is noted too: it is on the layout.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.audit.journal.money import laid_from, moved
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, PlacedWager, pieces_of
from croupier.ledger.accounts import LAYOUT, Entry
from croupier.rules import events
from croupier.rules.cents import is_amount
from croupier.rules.clause import Rule
from croupier.rules.notation import is_at_maximum
from croupier.rules.operator import Person, Role


def placed(round_: AuditedRound, event: events.WagerPlaced) -> list[Entry]:
    """Note a wager that reached the layout."""
    _untimely(round_, event.wager_id, event.for_round)
    _judge_placing(round_, event)
    wager = _laid(round_, event)
    if not wager.registered:
        return []
    _count(round_, wager, wager.cents)
    _within_limits(round_, wager)
    return moved(laid_from(wager), LAYOUT, sum(wager.cents))


def _laid(round_: AuditedRound, event: events.WagerPlaced) -> PlacedWager:
    index = round_.terms.compiled.area_index
    wager_id, pieces = event.wager_id, event.pieces
    if wager_id in round_.used:
        round_.say(AuditProblem.WAGER_ID_REUSED, wager_id)
    round_.used.add(wager_id)
    try:
        areas = tuple([index[piece.area] for piece in pieces])
    except KeyError as error:
        round_.say(AuditProblem.AREA_MISSING, wager_id, area=error)
        pieces = tuple(piece for piece in pieces if piece.area in index)
        areas = tuple([index[piece.area] for piece in pieces])
    wager = PlacedWager(
        wager_id,
        event.player,
        event.wager,
        areas,
        tuple([piece.cents for piece in pieces]),
        round_.layers,
        event.registered,
        event.electronic,
        event.terminal,
        event.colour,
        event.stay,
    )
    round_.players.add(event.player)
    round_.wagers[wager_id] = wager
    round_.layers += 1
    return wager


def _judge_placing(round_: AuditedRound, event: events.WagerPlaced) -> None:
    """Check that pieces, person and way of placing are those the game provides."""
    pieces, terms = event.pieces, round_.terms
    if (len(pieces) != 1 or pieces[0].area != event.wager) and (
        tuple([piece.area for piece in pieces]) != pieces_of(terms, event.wager)
    ):
        round_.say(AuditProblem.PIECES_OF_ANOTHER, event.wager_id, wager=event.wager)
    for piece in pieces:
        if not is_amount(piece.cents):
            round_.say(AuditProblem.PIECE_WITHOUT_AMOUNT, event.wager_id)
    if len(pieces) > 1:
        _judge_unit(round_, event)
    _may_place(round_, event.by, event.player, event.wager_id)
    if event.electronic not in terms.ways:
        problem = AuditProblem.PLACED_WITH_CHIPS
        if event.electronic:
            problem = AuditProblem.PLACED_ELECTRONICALLY
        round_.say(problem, event.wager_id)
    if event.colour is not None:
        _own_colour(round_, event)
    if event.electronic and event.stay != round_.holders.stay_at(event.player):
        problem, player = AuditProblem.STAY_OF_ANOTHER, event.player
        round_.say(problem, event.wager_id, player=player, stay=event.stay)
    if not event.registered and not terms.game.provides(Rule.UNREGISTERED_RETURNED):
        round_.say(AuditProblem.UNREGISTERED_UNKNOWN, event.wager_id)


def _judge_unit(round_: AuditedRound, event: events.WagerPlaced) -> None:
    """Check that each piece has one unit, or its area's maximum (A6)."""
    terms, first = round_.terms, event.pieces[0].cents
    index, at_maximum = terms.compiled.area_index, is_at_maximum(event.wager)
    for piece in event.pieces:
        expected = first
        limit = terms.limit_of[index[piece.area]] if piece.area in index else None
        if at_maximum and limit is not None:
            expected = limit.maximum_cents
        if piece.cents != expected:
            sums = {"found": piece.cents, "expected": expected}
            problem = AuditProblem.PIECE_AMOUNT
            round_.say(problem, event.wager_id, area=piece.area, **sums)


def _own_colour(round_: AuditedRound, event: events.WagerPlaced) -> None:
    """Check that the chips are whole ones of the Player's own colour."""
    player, _ = round_.holders.colours.get(event.colour or "", ("", 1))
    if player != event.player:
        whose = {"colour": event.colour, "player": event.player}
        round_.say(AuditProblem.CHIPS_OF_ANOTHER, event.wager_id, **whose)
    cents = [piece.cents for piece in event.pieces]
    _whole_chips(round_, event.colour, cents, event.wager_id)


def _whole_chips(
    round_: AuditedRound, colour: str | None, cents: Iterable[int], wager_id: str
) -> None:
    """Check that the amounts are whole chips of the colour (v3 1.1.1)."""
    value = round_.holders.colours.get(colour or "", ("", 1))[1]
    if any(each % value for each in cents):
        round_.say(AuditProblem.CHIPS_WORTH, wager_id, colour=colour, value=value)


def _may_place(round_: AuditedRound, by: Person, player: str, wager_id: str) -> None:
    """Check that the Player acts, or staff act for the Player, but not both (A42)."""
    game = round_.terms.game
    is_player = by.role is Role.PLAYER and by.name == player
    if not is_player and not game.may(by, Rule.STAFF_PLACING):
        problem = AuditProblem.PLACED_FOR_PLAYER
        round_.say(problem, wager_id, person=by.named, player=player)
    if player in round_.staff and game.provides(Rule.CONFLICT_OF_INTEREST):
        round_.say(AuditProblem.PLACED_BY_STAFF, wager_id, player=player)


def _untimely(round_: AuditedRound, wager_id: str, for_round: int | None) -> None:
    """Report a wager placed or increased at the wrong time; note the drop (A28)."""
    provides = round_.terms.game.provides
    if not round_.opened:
        round_.say(AuditProblem.ROUND_NOT_OPEN, wager_id)
    elif round_.closed:
        round_.say(AuditProblem.PLACED_LATE, wager_id)
    elif round_.void is not None:
        round_.say(AuditProblem.PLACED_IN_VOID, wager_id)
    elif round_.held:
        round_.say(AuditProblem.ROUND_WAS_HELD, wager_id)
    elif round_.at_rest is not None:
        round_.say(AuditProblem.PLACED_AFTER_REST, wager_id, number=round_.at_rest)
    elif round_.devices.closes and round_.terms.settings.close_on_drop:
        round_.say(AuditProblem.PLACED_AFTER_DROP, wager_id)
    elif round_.devices.interrupted and provides(Rule.INTERRUPTION_VOIDS):  # A38
        round_.say(AuditProblem.PLACED_INTERRUPTED, wager_id)
    if for_round not in {None, round_.number}:
        round_.say(AuditProblem.STALE_WAGER, wager_id, round=for_round)
    round_.touched = round_.touched or round_.dropped


def _count(round_: AuditedRound, wager: PlacedWager, cents: Iterable[int]) -> None:
    """Add to the Player's stake on each area, and to all Players' if it is capped."""
    on_area, player = round_.on_area, wager.player
    caps = round_.terms.cap_of
    for area, added in zip(wager.areas, cents, strict=True):
        key = (player, area)
        on_area[key] = on_area.get(key, 0) + added
        if caps is not None:
            round_.over_all[area] = round_.over_all.get(area, 0) + added


def _within_limits(round_: AuditedRound, wager: PlacedWager) -> None:
    """Check the limits, if a breach is refused at placing (A11)."""
    terms, player = round_.terms, wager.player
    below_refused = wager.electronic or not terms.lays_below
    above_refused = wager.electronic or not terms.lays_above
    if below_refused or above_refused:
        for area in wager.areas:
            limit = terms.limit_of[area]
            if limit is None:
                continue
            total = round_.on_area[player, area]
            if below_refused and total < limit.minimum_cents:
                _outside(round_, wager, area, limit.minimum_cents, total)
            elif above_refused and total > limit.maximum_cents:
                _outside(round_, wager, area, limit.maximum_cents, total)
    if terms.cap_of is not None:
        for area in wager.areas:
            cap, total = terms.cap_of[area], round_.over_all[area]
            if cap is not None and total > cap:
                name, sums = terms.game.areas[area].name, (cap, total)
                problem = AuditProblem.AREA_OVERFULL
                round_.say(problem, wager.wager_id, sums, area=name)


def _outside(
    round_: AuditedRound, wager: PlacedWager, area: int, limit: int, found: int
) -> None:
    told = {"player": wager.player, "area": round_.terms.game.areas[area].name}
    problem = AuditProblem.LIMIT_PASSED
    round_.say(problem, wager.wager_id, **told, expected=limit, found=found)


def increased(round_: AuditedRound, event: events.WagerIncreased) -> list[Entry]:
    """Note further chips on every piece, with a new place in the order (A10)."""
    _untimely(round_, event.wager_id, event.for_round)
    wager = _registered(round_, event.wager_id)
    added = event.piece_cents
    if wager is None:
        return []
    if not is_amount(added):
        round_.say(AuditProblem.INCREASE_AMOUNT, event.wager_id)
    _may_place(round_, event.by, wager.player, wager.wager_id)
    _whole_chips(round_, wager.colour, (added,), wager.wager_id)
    wager.increases = (*wager.increases, (round_.layers, added))
    round_.layers += 1
    wager.cents = tuple([cents + added for cents in wager.cents])
    _count(round_, wager, [added] * len(wager.areas))
    _within_limits(round_, wager)
    account = round_.holders.account_of(wager)
    return moved(account, LAYOUT, added * len(wager.areas))


def withdrawn(round_: AuditedRound, event: events.WagerWithdrawn) -> list[Entry]:
    """Note a withdrawal; after the drop the wager stays listed as lifted (A28)."""
    wager_id = event.wager_id
    if round_.closed:
        round_.say(AuditProblem.WITHDRAWN_LATE, wager_id)
    elif not round_.opened or round_.held or round_.void is not None:
        round_.say(AuditProblem.WITHDRAWN_UNTIMELY, wager_id)
    elif round_.at_rest is not None:
        round_.say(AuditProblem.WITHDRAWN_AFTER_REST, wager_id, number=round_.at_rest)
    elif round_.devices.closes and round_.terms.settings.close_on_drop:
        round_.say(AuditProblem.WITHDRAWN_AFTER_DROP, wager_id)
    if event.late != round_.dropped:
        round_.say(AuditProblem.LATENESS_OF_WITHDRAWAL, wager_id)
    wager = _registered(round_, wager_id)
    if wager is None:
        return []
    if (event.by.role, event.by.name) != (Role.PLAYER, wager.player):
        problem, person = AuditProblem.WITHDRAWN_FOR_PLAYER, event.by.named
        round_.say(problem, wager_id, person=person, player=wager.player)
    round_.unclear.discard(wager_id)
    _count(round_, wager, [-cents for cents in wager.cents])
    if event.late:
        wager.lifted = round_.touched = True
    else:
        del round_.wagers[wager_id]
    _leaves_enough(round_, wager)
    account = round_.holders.account_of(wager)
    return [] if event.late else moved(LAYOUT, account, sum(wager.cents))


def _leaves_enough(round_: AuditedRound, wager: PlacedWager) -> None:
    """Report a remainder under the minimum, if the game refuses such wagers (A36)."""
    terms, player = round_.terms, wager.player
    for area in dict.fromkeys(wager.areas):
        limit, rest = terms.limit_of[area], round_.on_area[player, area]
        if limit is None or not 0 < rest < limit.minimum_cents:
            continue
        if terms.lays_below and not any(
            each.electronic and each.registered and area in each.areas
            for each in round_.wagers.values()
            if each.player == player and not each.lifted
        ):
            continue
        _outside(round_, wager, area, limit.minimum_cents, rest)


def _registered(round_: AuditedRound, wager_id: str) -> PlacedWager | None:
    wager = round_.wagers.get(wager_id)
    if wager is None or not wager.registered or wager.lifted:
        round_.say(AuditProblem.WAGER_NOT_REGISTERED, wager_id)
        return None
    return wager
