"""Wagers as acts: placed, increased, withdrawn, called unclear, ruled on.

Each function notes the act in the round, says what is wrong with it, and gives the
entries that it must post. An unlawful wager that was taken is noted too: it lies there.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.audit.journal.money import moved, owner
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, PlacedWager, Reporter
from croupier.ledger.accounts import LAYOUT, Entry
from croupier.rules import events as ev
from croupier.rules.cents import is_amount
from croupier.rules.clause import Rule
from croupier.rules.notation import is_at_maximum
from croupier.rules.operator import Role


def placed(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> list[Entry]:
    """Note a wager that reached the layout."""
    if round_.closed or not round_.opened or round_.held or round_.void:
        _untimely(round_, event.wager_id, say)
    _judge_placing(round_, event, say)
    wager = _laid(round_, event, say)
    if not wager.registered:
        return []
    _count(round_, wager, wager.cents)
    _within_limits(round_, wager, say)
    return moved(wager.owner, LAYOUT, sum(wager.cents))


def _laid(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> PlacedWager:
    index = round_.terms.compiled.area_index
    wager_id, pieces = event.wager_id, event.pieces
    if wager_id in round_.used:
        say(AuditProblem.WAGER_ID_REUSED(), wager_id)
    round_.used.add(wager_id)
    try:
        areas = tuple([index[piece.area] for piece in pieces])
    except KeyError as error:
        say(
            AuditProblem.AREA_MISSING(area=str(error)),
            wager_id,
        )
        pieces = tuple(piece for piece in pieces if piece.area in index)
        areas = tuple([index[piece.area] for piece in pieces])
    wager = PlacedWager(
        wager_id,
        event.player,
        event.wager,
        areas,
        tuple([piece.cents for piece in pieces]),
        round_.layers,
        owner(event.player, event.colour, electronic=event.electronic),
        event.registered,
        event.electronic,
        event.terminal,
    )
    round_.wagers[wager_id] = wager
    round_.layers += 1
    return wager


def _judge_placing(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> None:
    """Check that pieces, person and way of placing are those the game provides."""
    pieces, terms, by = event.pieces, round_.terms, event.by
    if (len(pieces) != 1 or pieces[0].area != event.wager) and (
        tuple([piece.area for piece in pieces]) != terms.pieces_of(event.wager)
    ):
        problem = AuditProblem.PIECES_OF_ANOTHER(wager=event.wager)
        say(problem, event.wager_id)
    for piece in pieces:
        if not is_amount(piece.cents):
            say(
                AuditProblem.PIECE_WITHOUT_AMOUNT(),
                event.wager_id,
            )
    if len(pieces) > 1:
        _judge_unit(round_, event, say)
    if (by.role is not Role.PLAYER or by.name != event.player) and not terms.game.may(
        by, Rule.STAFF_PLACING
    ):
        problem = AuditProblem.PLACED_FOR_PLAYER(person=by.named, player=event.player)
        say(problem, event.wager_id)
    if event.electronic not in terms.ways:
        problem = (
            AuditProblem.PLACED_ELECTRONICALLY()
            if event.electronic
            else AuditProblem.PLACED_WITH_CHIPS()
        )
        say(problem, event.wager_id)
    if event.colour is not None:
        _own_colour(round_, event, say)
    if not event.registered and not terms.game.provides(Rule.UNREGISTERED_RETURNED):
        problem = AuditProblem.UNREGISTERED_UNKNOWN()
        say(problem, event.wager_id)


def _judge_unit(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> None:
    """Check for one unit on each piece, or for each area's maximum (A6)."""
    terms, first = round_.terms, event.pieces[0].cents
    index, at_maximum = terms.compiled.area_index, is_at_maximum(event.wager)
    for piece in event.pieces:
        expected = first
        limit = terms.limit_of[index[piece.area]] if piece.area in index else None
        if at_maximum and limit is not None:
            expected = limit.maximum_cents
        if piece.cents != expected:
            problem = AuditProblem.PIECE_AMOUNT(
                area=piece.area, found=piece.cents, expected=expected
            )
            sums = (expected, piece.cents)
            say(problem, event.wager_id, *sums)


def _own_colour(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> None:
    """Check that the chips are whole ones of the Player's own colour."""
    player, value = round_.colours.get(event.colour or "", ("", 1))
    if player != event.player:
        problem = AuditProblem.CHIPS_OF_ANOTHER(
            colour=str(event.colour), player=event.player
        )
        say(problem, event.wager_id)
    elif any(piece.cents % value for piece in event.pieces):
        problem = AuditProblem.CHIPS_WORTH(colour=str(event.colour), value=value)
        say(problem, event.wager_id)


def _untimely(round_: AuditedRound, wager_id: str, say: Reporter) -> None:
    """Report why no wager could be placed or increased then."""
    if not round_.opened:
        say(AuditProblem.ROUND_NOT_OPEN(), wager_id)
    elif round_.closed:
        say(AuditProblem.PLACED_LATE(), wager_id)
    else:
        problem = (
            AuditProblem.PLACED_IN_VOID()
            if round_.void
            else AuditProblem.ROUND_WAS_HELD()
        )
        say(problem, wager_id)


def _count(round_: AuditedRound, wager: PlacedWager, cents: Iterable[int]) -> None:
    """Count what the Player, and where it is capped everybody, has on each area."""
    on_area, player = round_.on_area, wager.player
    caps = round_.terms.cap_of
    for area, added in zip(wager.areas, cents, strict=True):
        key = (player, area)
        on_area[key] = on_area.get(key, 0) + added
        if caps is not None:
            round_.over_all[area] = round_.over_all.get(area, 0) + added


def _within_limits(round_: AuditedRound, wager: PlacedWager, say: Reporter) -> None:
    """Check the limits where a breach is refused at placing (A11)."""
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
                _outside(round_, wager, area, (limit.minimum_cents, total), say)
            elif above_refused and total > limit.maximum_cents:
                _outside(round_, wager, area, (limit.maximum_cents, total), say)
    if terms.cap_of is not None:
        for area in wager.areas:
            cap, total = terms.cap_of[area], round_.over_all[area]
            if cap is not None and total > cap:
                name = terms.game.areas[area].name
                problem = AuditProblem.AREA_OVERFULL(area=name)
                say(problem, wager.wager_id, cap, total)


def _outside(
    round_: AuditedRound,
    wager: PlacedWager,
    area: int,
    sums: tuple[int, int],
    say: Reporter,
) -> None:
    name = round_.terms.game.areas[area].name
    problem = AuditProblem.LIMIT_PASSED(
        player=wager.player, found=sums[1], area=name, expected=sums[0]
    )
    say(problem, wager.wager_id, *sums)


def increased(
    round_: AuditedRound, event: ev.WagerIncreased, say: Reporter
) -> list[Entry]:
    """Note further chips on every piece, with their own place in the order (A10)."""
    if round_.closed or not round_.opened or round_.held or round_.void:
        _untimely(round_, event.wager_id, say)
    wager = _registered(round_, event.wager_id, say)
    added = event.piece_cents
    if wager is None:
        return []
    if not is_amount(added):
        say(
            AuditProblem.INCREASE_AMOUNT(),
            event.wager_id,
        )
    wager.increases = (*wager.increases, (round_.layers, added))
    round_.layers += 1
    wager.cents = tuple([cents + added for cents in wager.cents])
    _count(round_, wager, [added] * len(wager.areas))
    _within_limits(round_, wager, say)
    return moved(wager.owner, LAYOUT, added * len(wager.areas))


def withdrawn(
    round_: AuditedRound, event: ev.WagerWithdrawn, say: Reporter
) -> list[Entry]:
    """Note a wager that left the layout; its id stays used."""
    wager_id = event.wager_id
    if round_.closed:
        say(AuditProblem.WITHDRAWN_LATE(), wager_id)
    elif not round_.opened or round_.held or round_.void:
        say(AuditProblem.WITHDRAWN_UNTIMELY(), wager_id)
    wager = _registered(round_, wager_id, say)
    if wager is None:
        return []
    del round_.wagers[wager_id]
    round_.unclear.discard(wager_id)
    _count(round_, wager, [-cents for cents in wager.cents])
    return moved(LAYOUT, wager.owner, sum(wager.cents))


def _registered(
    round_: AuditedRound, wager_id: str, say: Reporter
) -> PlacedWager | None:
    wager = round_.wagers.get(wager_id)
    if wager is None or not wager.registered:
        say(AuditProblem.WAGER_NOT_REGISTERED(), wager_id)
        return None
    return wager


def unclear(
    round_: AuditedRound, event: ev.WagerMarkedUnclear, say: Reporter
) -> list[Entry]:
    if event.wager_id not in round_.wagers:
        say(AuditProblem.WAGER_NOT_THERE(), event.wager_id)
    elif round_.settled is not None or not round_.opened:
        say(AuditProblem.ROUND_NOT_IN_PLAY(), event.wager_id)
    else:
        round_.unclear.add(event.wager_id)
    return []


def ruled(round_: AuditedRound, event: ev.WagerRuled, say: Reporter) -> list[Entry]:
    """Note a ruling: a position, an amount, or the return of the wager (A13)."""
    wager_id, game = event.wager_id, round_.terms.game
    rule = Rule.REFERRAL if round_.held else Rule.RULING
    if not game.may(event.by, rule):
        say(
            AuditProblem.PERSON_MAY_NOT_RULE(person=event.by.named),
            wager_id,
        )
    if not round_.held and (round_.outcome is None or round_.settled is not None):
        say(
            AuditProblem.RULED_UNTIMELY(),
            wager_id,
        )
    wager = round_.wagers.get(wager_id)
    if wager is None:
        say(AuditProblem.RULED_NOT_THERE(), wager_id)
        return []
    if event.area is not None and (
        len(wager.areas) != 1 or event.area not in game.area_by_name
    ):
        say(AuditProblem.RULED_ELSEWHERE(area=event.area), wager_id)
        return []
    if event.piece_cents is not None and not (
        0 < event.piece_cents <= min(wager.cents, default=0)
    ):
        say(AuditProblem.RULED_AMOUNT(), wager_id)
    round_.rulings[wager_id] = event
    round_.unclear.discard(wager_id)
    return []
