"""What a round must come to, by the record and the documents: no core is asked."""

from __future__ import annotations

from dataclasses import dataclass

from tests.rules import oracle
from tests.rules.exploration.record import Chips, Notes

MINIMUM_CENTS, MAXIMUM_CENTS = 500, 10_000
LENIENT = {"mbs-roulette-v3", "mbs-fast-action-v2"}
"""Documents that let chips lie outside the limits until the outcome (5.15 to 5.18)."""


@dataclass(frozen=True)
class Due:
    """What becomes of one wager."""

    wager_id: str
    player: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    at_risk_cents: int


def due(game: str, notes: Notes) -> list[Due]:
    """Return what each wager of a round comes to, in the order of placing."""
    if notes.void is not None:
        return [
            Due(each.wager_id, each.player, each.cents, 0, 0, each.cents, 0)
            for each in notes.chips
        ]
    assert notes.winner is not None
    pays = oracle.pays_at(game, notes.winner, notes.drawn or ())
    at_risk = _at_risk(game, notes)
    return [_one(each, notes, pays, at_risk[each.wager_id]) for each in notes.chips]


def _one(chips: Chips, notes: Notes, pays: dict[str, int | None], at_risk: int) -> Due:
    player, area = _whose(chips, notes)
    won = pays[area]
    paid = 0 if won is None else at_risk * won
    collected = at_risk if won is None else 0
    returned = chips.cents - collected
    return Due(chips.wager_id, player, chips.cents, paid, collected, returned, at_risk)


def _whose(chips: Chips, notes: Notes) -> tuple[str, str]:
    """Return whose the wager is, and where it lies, after rulings."""
    treated = notes.treatment(chips.wager_id)
    if treated is None:
        return chips.player, chips.area
    return treated.player or chips.player, treated.area or chips.area


def _counting(chips: Chips, notes: Notes) -> int:
    """Return what of the wager counts to a total (A30)."""
    treated = notes.treatment(chips.wager_id)
    given = treated.cents if treated is not None else None
    if treated is not None and treated.returned:
        return 0
    if chips.lifted and given is None:
        return 0
    return chips.cents if given is None else min(given, chips.cents)


def _at_risk(game: str, notes: Notes) -> dict[str, int]:
    """Return what of each wager can be lost: limits after rulings (A9, A10, A30)."""
    counting = {each.wager_id: _counting(each, notes) for each in notes.chips}
    if game not in LENIENT:
        return counting
    totals: dict[tuple[str, str], int] = {}
    for each in notes.chips:
        key = _whose(each, notes)
        totals[key] = totals.get(key, 0) + counting[each.wager_id]
    left = dict.fromkeys(totals, MAXIMUM_CENTS)
    at_risk = dict.fromkeys(counting, 0)
    layers = sorted(
        (order, each.wager_id, cents)
        for each in notes.chips
        for order, cents in each.laid
    )
    by_id = {each.wager_id: each for each in notes.chips}
    for _, wager_id, cents in layers:
        key = _whose(by_id[wager_id], notes)
        if totals[key] < MINIMUM_CENTS and key[0] in notes.warned:
            continue
        part = min(cents, left[key], counting[wager_id] - at_risk[wager_id])
        left[key] -= part
        at_risk[wager_id] += part
    return at_risk


def standing_under_minimum(game: str, notes: Notes) -> frozenset[str]:
    """Return the Players whose chips under the minimum stand in this round (A9)."""
    if game not in LENIENT or notes.void is not None:
        return frozenset()
    totals: dict[tuple[str, str], int] = {}
    for each in notes.chips:
        key = _whose(each, notes)
        totals[key] = totals.get(key, 0) + _counting(each, notes)
    return frozenset(
        player
        for (player, _), cents in totals.items()
        if 0 < cents < MINIMUM_CENTS and player not in notes.warned
    )
