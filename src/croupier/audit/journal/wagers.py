"""Wagers as acts: placed, increased, withdrawn, called unclear, ruled on.

Each function notes the act in the round, says what is wrong with it, and gives the
entries that it must post. An unlawful wager that was taken is noted too: it lies there.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.audit.journal.postings import moved, owner
from croupier.audit.journal.rounds import AuditedRound, PlacedWager, Reporter
from croupier.journal.findings import FindingKind
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
    lying = _laid(round_, event, say)
    if not lying.registered:
        return []
    _count(round_, lying, lying.cents)
    _within_limits(round_, lying, say)
    return moved(lying.owner, LAYOUT, sum(lying.cents))


def _laid(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> PlacedWager:
    index = round_.terms.compiled.area_index
    wager_id, pieces = event.wager_id, event.pieces
    if wager_id in round_.used:
        say(FindingKind.WAGER_ID, "its id has been used in this round", wager_id)
    round_.used.add(wager_id)
    try:
        areas = tuple([index[piece.area] for piece in pieces])
    except KeyError as error:
        say(FindingKind.NO_SUCH_AREA, f"the game has no area {error}", wager_id)
        pieces = tuple(piece for piece in pieces if piece.area in index)
        areas = tuple([index[piece.area] for piece in pieces])
    lying = PlacedWager(
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
    round_.lying[wager_id] = lying
    round_.layers += 1
    return lying


def _judge_placing(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> None:
    """Check that pieces, person and way of placing are those the game provides."""
    pieces, terms, by = event.pieces, round_.terms, event.by
    if (len(pieces) != 1 or pieces[0].area != event.wager) and (
        tuple([piece.area for piece in pieces]) != terms.pieces_of(event.wager)
    ):
        problem = f"these are not the pieces of {event.wager}"
        say(FindingKind.WRONG_PIECES, problem, event.wager_id)
    for piece in pieces:
        if not is_amount(piece.cents):
            say(FindingKind.WRONG_PIECES, "a piece has no amount", event.wager_id)
    if len(pieces) > 1:
        _judge_unit(round_, event, say)
    if (by.role is not Role.PLAYER or by.name != event.player) and not terms.game.may(
        by, Rule.STAFF_PLACING
    ):
        problem = f"{by} may not place for {event.player}"
        say(FindingKind.POSITION, problem, event.wager_id)
    if event.electronic not in terms.ways:
        how = "electronically" if event.electronic else "with chips"
        say(FindingKind.WAY_OF_PLACING, f"nothing is placed {how} here", event.wager_id)
    if event.colour is not None:
        _own_colour(round_, event, say)
    if not event.registered and not terms.game.provides(Rule.UNREGISTERED_RETURNED):
        problem = "the game knows no unregistered wagers"
        say(FindingKind.WAY_OF_PLACING, problem, event.wager_id)


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
            problem = f"{piece.area} has {piece.cents} cents, not {expected}"
            sums = (expected, piece.cents)
            say(FindingKind.WRONG_PIECES, problem, event.wager_id, *sums)


def _own_colour(round_: AuditedRound, event: ev.WagerPlaced, say: Reporter) -> None:
    """Check that the chips are whole ones of the Player's own colour."""
    player, value = round_.colours.get(event.colour or "", ("", 1))
    if player != event.player:
        problem = f"{event.colour} chips are not {event.player}'s"
        say(FindingKind.COLOUR_CHIPS, problem, event.wager_id)
    elif any(piece.cents % value for piece in event.pieces):
        problem = f"{event.colour} chips are worth {value} cents each"
        say(FindingKind.COLOUR_CHIPS, problem, event.wager_id)


def _untimely(round_: AuditedRound, wager_id: str, say: Reporter) -> None:
    """Report why no wager could be placed or increased then."""
    if not round_.opened:
        say(FindingKind.WAGER_BEFORE_OPENING, "the round was not open", wager_id)
    elif round_.closed:
        say(FindingKind.LATE_WAGER, "the betting was closed", wager_id)
    else:
        standing = "void" if round_.void else "held for a decision"
        say(FindingKind.OUT_OF_ORDER, f"the round was {standing}", wager_id)


def _count(round_: AuditedRound, lying: PlacedWager, cents: Iterable[int]) -> None:
    """Count what the Player, and where it is capped everybody, has on each area."""
    on_area, player = round_.on_area, lying.player
    caps = round_.terms.cap_of
    for area, added in zip(lying.areas, cents, strict=True):
        key = (player, area)
        on_area[key] = on_area.get(key, 0) + added
        if caps is not None:
            round_.over_all[area] = round_.over_all.get(area, 0) + added


def _within_limits(round_: AuditedRound, lying: PlacedWager, say: Reporter) -> None:
    """Check the limits where a breach is refused at placing (A11)."""
    terms, player = round_.terms, lying.player
    below_refused = lying.electronic or not terms.lays_below
    above_refused = lying.electronic or not terms.lays_above
    if below_refused or above_refused:
        for area in lying.areas:
            limit = terms.limit_of[area]
            if limit is None:
                continue
            total = round_.on_area[player, area]
            if below_refused and total < limit.minimum_cents:
                _outside(round_, lying, area, (limit.minimum_cents, total), say)
            elif above_refused and total > limit.maximum_cents:
                _outside(round_, lying, area, (limit.maximum_cents, total), say)
    if terms.cap_of is not None:
        for area in lying.areas:
            cap, total = terms.cap_of[area], round_.over_all[area]
            if cap is not None and total > cap:
                name = terms.game.areas[area].name
                problem = f"{name} is full over all Players"
                say(FindingKind.AREA_MAXIMUM, problem, lying.wager_id, cap, total)


def _outside(
    round_: AuditedRound,
    lying: PlacedWager,
    area: int,
    sums: tuple[int, int],
    say: Reporter,
) -> None:
    name = round_.terms.game.areas[area].name
    problem = f"{lying.player} has {sums[1]} cents on {name}, the limit is {sums[0]}"
    say(FindingKind.LIMIT_BREACHED, problem, lying.wager_id, *sums)


def increased(
    round_: AuditedRound, event: ev.WagerIncreased, say: Reporter
) -> list[Entry]:
    """Note further chips on every piece, with their own place in the order (A10)."""
    if round_.closed or not round_.opened or round_.held or round_.void:
        _untimely(round_, event.wager_id, say)
    lying = _registered(round_, event.wager_id, say)
    added = event.piece_cents
    if lying is None:
        return []
    if not is_amount(added):
        say(
            FindingKind.WRONG_PIECES,
            "an increase is an amount above zero",
            event.wager_id,
        )
    lying.increases = (*lying.increases, (round_.layers, added))
    round_.layers += 1
    lying.cents = tuple([cents + added for cents in lying.cents])
    _count(round_, lying, [added] * len(lying.areas))
    _within_limits(round_, lying, say)
    return moved(lying.owner, LAYOUT, added * len(lying.areas))


def withdrawn(
    round_: AuditedRound, event: ev.WagerWithdrawn, say: Reporter
) -> list[Entry]:
    """Note a wager that left the layout; its id stays used."""
    wager_id = event.wager_id
    if round_.closed:
        say(FindingKind.LATE_WITHDRAWAL, "the betting was closed: it stands", wager_id)
    elif not round_.opened or round_.held or round_.void:
        say(FindingKind.OUT_OF_ORDER, "nothing could be withdrawn then", wager_id)
    lying = _registered(round_, wager_id, say)
    if lying is None:
        return []
    del round_.lying[wager_id]
    round_.unclear.discard(wager_id)
    _count(round_, lying, [-cents for cents in lying.cents])
    return moved(LAYOUT, lying.owner, sum(lying.cents))


def _registered(
    round_: AuditedRound, wager_id: str, say: Reporter
) -> PlacedWager | None:
    lying = round_.lying.get(wager_id)
    if lying is None or not lying.registered:
        say(FindingKind.WAGER_ID, "no registered wager of this id lies there", wager_id)
        return None
    return lying


def unclear(
    round_: AuditedRound, event: ev.WagerMarkedUnclear, say: Reporter
) -> list[Entry]:
    if event.wager_id not in round_.lying:
        say(FindingKind.WAGER_ID, "no wager of this id lies there", event.wager_id)
    elif round_.settled is not None or not round_.opened:
        say(FindingKind.OUT_OF_ORDER, "the round was not in play", event.wager_id)
    else:
        round_.unclear.add(event.wager_id)
    return []


def ruled(round_: AuditedRound, event: ev.WagerRuled, say: Reporter) -> list[Entry]:
    """Note a ruling: a position, an amount, or the return of the wager (A13)."""
    wager_id, game = event.wager_id, round_.terms.game
    rule = Rule.REFERRAL if round_.held else Rule.RULING
    if not game.may(event.by, rule):
        say(FindingKind.POSITION, f"{event.by} may not rule on a wager", wager_id)
    if not round_.held and (round_.outcome is None or round_.settled is not None):
        say(
            FindingKind.RULING,
            "it came before the outcome or after settlement",
            wager_id,
        )
    lying = round_.lying.get(wager_id)
    if lying is None:
        say(FindingKind.RULING, "no wager of this id lies there", wager_id)
        return []
    if event.area is not None and (
        len(lying.areas) != 1 or event.area not in game.area_by_name
    ):
        say(FindingKind.RULING, f"it can't be moved to {event.area}", wager_id)
        return []
    if event.piece_cents is not None and not (
        0 < event.piece_cents <= min(lying.cents, default=0)
    ):
        say(FindingKind.RULING, "its amount is not one that was laid", wager_id)
    round_.rulings[wager_id] = event
    round_.unclear.discard(wager_id)
    return []
