"""Settlement: every wager paid, collected or returned, each piece by its clause.

Laws of this file:
- for every piece, stake = collected + returned; the amount paid comes on top;
- the amount at risk is the amount collected, or the amount that was paid for;
- limits are judged on a Player's total on an area (A8 to A10), as rulings and
  decisions have left it (A30);
- settlement is a function of its arguments: nothing else is read or kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from croupier.rules.bonus import winning_areas
from croupier.rules.clause import Rule
from croupier.rules.events import (
    RoundSettled,
    SettledPiece,
    SettledWager,
)
from croupier.rules.round import Phase, RoundOfPlay, Ruling
from croupier.rules.terms import Limit
from croupier.rules.wagers import Wager
from croupier.rules.wheel import ZEROS

Area = tuple[str, str]
"""A Player and the name of an area."""
_UNDER = -1
"""Marks a total under the minimum; the maximum itself marks a total over it."""


def settle(state: RoundOfPlay) -> RoundSettled:
    """Pay, collect or return each wager as it lay at “No more bets”."""
    wagers = state.board.in_order()
    frozen = state.facts.frozen_cents
    assert frozen is None or frozen == state.board.stake_cents
    if state.phase is Phase.VOID or state.winning_number is None:
        return _return_all(state, wagers)
    settler = _Settler(state, _after_rulings(state, wagers))
    settled = settler.settle_all()
    return RoundSettled(state.winning_number, settled, tuple(sorted(settler.stood)))


def _return_all(state: RoundOfPlay, wagers: Sequence[Wager]) -> RoundSettled:
    """Return every wager of a void round."""
    game = state.game
    clause = game.clause(Rule.VOID_RETURNS).number
    settled = tuple(_returned(wager, clause) for wager in wagers)
    no_result = game.provides(Rule.VOID_WITHOUT_RESULT)
    return RoundSettled(None if no_result else state.winning_number, settled, ())


def _returned(wager: Wager, clause: str) -> SettledWager:
    pieces = tuple(
        SettledPiece(area.name, stake, 0, 0, stake, 0, clause)
        for area, stake in zip(wager.areas, wager.piece_cents, strict=True)
    )
    return SettledWager(wager.wager_id, wager.player, wager.name, pieces)


def _after_rulings(state: RoundOfPlay, wagers: Sequence[Wager]) -> Sequence[Wager]:
    """Apply all rulings on place and owner to the wagers (v3 4.3, A41)."""
    if not state.rulings:
        return wagers
    return [
        _ruled(state, wager, ruling)
        if (ruling := state.rulings.get(wager.wager_id)) is not None
        else wager
        for wager in wagers
    ]


def _ruled(state: RoundOfPlay, wager: Wager, ruling: Ruling) -> Wager:
    if ruling.area is not None:
        area = state.game.area_by_name[ruling.area]
        wager = replace(wager, areas=(area,), name=area.name)
    return replace(wager, player=ruling.player or wager.player)


def _counted(state: RoundOfPlay, wager: Wager) -> tuple[int, ...] | None:
    """Return the cents that count on each piece, or None for a returned wager (A30)."""
    ruling = state.rulings.get(wager.wager_id)
    amount = ruling.piece_cents if ruling is not None else None
    lifted = wager.wager_id in state.board.lifted and amount is None  # A28
    if not wager.registered or lifted or (ruling is not None and ruling.returned):
        return None
    if amount is None:
        return wager.piece_cents
    return tuple(min(cents, amount) for cents in wager.piece_cents)


class _Settler:
    """Settles the wagers of one round that has an outcome."""

    def __init__(self, state: RoundOfPlay, wagers: Sequence[Wager]) -> None:
        game = state.game
        self.stood: set[str] = set()
        self._wagers = wagers
        self._state = state
        self._failed = state.facts.interrupted_terminals
        self._winning = winning_areas(game, state.outcome)
        on_zero = state.winning_number in ZEROS and game.provides(Rule.ZERO)
        zero = game.clause(Rule.ZERO).number
        self._clauses = (
            dict.fromkeys(game.pay_clauses, zero) if on_zero else game.pay_clauses
        )
        self._judged = _judge(state, wagers)
        self._at_risk = _used_up(state, wagers, self._judged)

    def settle_all(self) -> tuple[SettledWager, ...]:
        """Settle the wagers in the order of placing; this loop is the hot path."""
        rulings, failed, judged = self._state.rulings, self._failed, self._judged
        lifted = self._state.board.lifted
        winning, clauses = self._winning, self._clauses
        settled = []
        for wager in self._wagers:
            if (
                not wager.registered
                or wager.wager_id in rulings
                or wager.terminal in failed
                or wager.wager_id in lifted
            ):
                settled.append(self._unusual(wager))
                continue
            player, layers = wager.player, wager.layers
            cents = layers[0].cents if len(layers) == 1 else wager.piece_cents
            pieces: list[SettledPiece] = []
            for area, stake in zip(wager.areas, cents, strict=False):
                name = area.name
                if judged and (player, name) in judged:
                    piece = self._piece(wager, len(pieces), stake, None)
                elif (pays := winning.get(name)) is None:
                    piece = SettledPiece(name, stake, 0, stake, 0, stake, clauses[name])
                else:
                    paid = stake * pays
                    piece = SettledPiece(
                        name, stake, paid, 0, stake, stake, clauses[name]
                    )
                pieces.append(piece)
            settled.append(
                SettledWager(wager.wager_id, player, wager.name, tuple(pieces))
            )
        return tuple(settled)

    def _unusual(self, wager: Wager) -> SettledWager:
        """Settle a wager ruled on, withdrawn late, unregistered or of a dead terminal.

        Its pieces cite the clause of the ruling, if there is one.
        """
        game = self._state.game
        ruling = self._state.rulings.get(wager.wager_id)
        counted = _counted(self._state, wager)
        if counted is None:
            clause = game.clause(Rule.REFERRAL)
            if not wager.registered:
                clause = game.clause(Rule.UNREGISTERED_RETURNED)
            elif ruling is not None:
                clause = ruling.clause
            return _returned(wager, clause.number)
        pieces = tuple(
            self._piece(wager, place, cents, ruling)
            for place, cents in enumerate(counted)
        )
        return SettledWager(wager.wager_id, wager.player, wager.name, pieces)

    def _piece(
        self, wager: Wager, place: int, counted: int, ruling: Ruling | None
    ) -> SettledPiece:
        """Settle one piece by the limits; `counted` is its stake after rulings."""
        game, area = self._state.game, wager.areas[place]
        stake = wager.piece_cents[place]
        at_risk, clause = counted, self._clauses[area.name]
        if wager.terminal in self._failed:
            clause = game.clause(Rule.REGISTERED_SETTLED).number
        judgement = self._judged.get((wager.player, area.name))
        if judgement == _UNDER:
            clause = game.clause(Rule.UNDER_MINIMUM).number
            if wager.player in self._state.warned:
                return SettledPiece(area.name, stake, 0, 0, stake, 0, clause)
            self.stood.add(wager.player)
        elif judgement is not None:
            at_risk = self._at_risk[wager.wager_id, place]
            if at_risk < counted:
                clause = game.clause(Rule.OVER_MAXIMUM).number
        if ruling is not None:
            clause = ruling.clause.number
        pays = self._winning.get(area.name)
        if pays is None:
            return SettledPiece(
                area.name, stake, 0, at_risk, stake - at_risk, at_risk, clause
            )
        paid = at_risk * pays
        return SettledPiece(area.name, stake, paid, 0, stake, at_risk, clause)


def _judge(state: RoundOfPlay, wagers: Sequence[Wager]) -> Mapping[Area, int]:
    """Return the totals outside the limits, each with its maximum or `_UNDER`."""
    game, limits = state.game, state.limits
    lower = game.provides(Rule.UNDER_MINIMUM)
    upper = game.provides(Rule.OVER_MAXIMUM)
    if not (lower or upper) or not (limits.general or limits.by_type):
        return {}
    by_area: dict[str, Limit | None] = {}
    judged: dict[Area, int] = {}
    for key, total in _totals(state, wagers):
        name = key[1]
        if name not in by_area:
            by_area[name] = limits.of(game.area_by_name[name].wager_type)
        limit = by_area[name]
        if limit is None:
            continue
        if lower and total < limit.minimum_cents:
            judged[key] = _UNDER
        elif upper and total > limit.maximum_cents:
            judged[key] = limit.maximum_cents
    return judged


def ruled_totals(state: RoundOfPlay) -> dict[Area, int]:
    """Return each Player's total on each area after all rulings and decisions (A30)."""
    return dict(_totals(state, _after_rulings(state, state.board.in_order())))


def _totals(state: RoundOfPlay, wagers: Sequence[Wager]) -> Iterable[tuple[Area, int]]:
    """Add up each Player's chips on each area, after rulings."""
    if not state.rulings:
        return state.board.player_cents.items()
    totals: dict[Area, int] = {}
    for wager in wagers:
        counted = _counted(state, wager)
        for area, cents in zip(wager.areas, counted or (), strict=False):
            key = (wager.player, area.name)
            totals[key] = totals.get(key, 0) + cents
    return totals.items()


def _used_up(
    state: RoundOfPlay, wagers: Sequence[Wager], judged: Mapping[Area, int]
) -> Mapping[tuple[str, int], int]:
    """Calculate the part of each piece that an exceeded maximum covers (A10)."""
    left = {key: maximum for key, maximum in judged.items() if maximum != _UNDER}
    if not left:
        return {}
    chips = sorted(
        (layer.order, place, layer.cents[place], wager.wager_id, key, counted[place])
        for wager in wagers
        if (counted := _counted(state, wager)) is not None
        for place, area in enumerate(wager.areas)
        if (key := (wager.player, area.name)) in left
        for layer in wager.layers
    )
    at_risk: dict[tuple[str, int], int] = {}
    for _, place, cents, wager_id, key, most in chips:
        before = at_risk.get((wager_id, place), 0)
        covered = min(cents, left[key], most - before)
        left[key] -= covered
        at_risk[wager_id, place] = before + covered
    return at_risk
