"""Meters: what has been staked, won and moved, by gaming day and wager type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from croupier.ledger import money
from croupier.rules import events as ev
from croupier.rules.round import RoundOfPlay

METERED = frozenset(
    {
        ev.RoundSettled,
        money.BoughtIn,
        money.VoucherRedeemed,
        money.CashedOut,
        money.VoucherIssued,
    }
)
Meters = Mapping[str, int]
"""Cents or counts by `day/meter` and `day/meter/wager type`."""


def metered(
    meters: Meters, event: object, state: RoundOfPlay | None, day: str
) -> Meters:
    """Return the meters after an event, `state` being its round just before it."""
    added = _added(event, state)
    if not added:
        return meters
    after = dict(meters)
    for name, amount in added.items():
        key = f"{day}/{name}"
        after[key] = after.get(key, 0) + amount
    return after


def _added(event: object, state: RoundOfPlay | None) -> Mapping[str, int]:
    match event:
        case ev.RoundSettled():
            assert state is not None
            return _settled(event, state)
        case money.BoughtIn(cents=cents) | money.VoucherRedeemed(cents=cents):
            return {"bought_in": cents}
        case money.CashedOut(cents=cents) | money.VoucherIssued(cents=cents):
            return {"cashed_out": cents}
    return {}


def _settled(event: ev.RoundSettled, state: RoundOfPlay) -> Mapping[str, int]:
    """Count a settlement, less what the one before it had added."""
    added = _sums(event, state)
    if state.settled is not None:
        added.subtract(_sums(state.settled, state))
    return {name: amount for name, amount in added.items() if amount}


def _sums(settled: ev.RoundSettled, state: RoundOfPlay) -> Counter[str]:
    """Sum up a settlement: staked is what was at risk, `hold` what the House kept.

    Void rounds count as such and stake nothing.
    """
    sums: Counter[str] = Counter()
    if settled.winning_number is None:
        sums["voids"] += 1
        return sums
    sums["rounds"] += 1
    areas = state.game.area_by_name
    for wager in settled.wagers:
        for piece in wager.pieces:
            kind = areas[piece.area].wager_type.value
            for name, cents in (
                ("staked", piece.at_risk_cents),
                ("won", piece.paid_cents),
                ("hold", piece.collected_cents - piece.paid_cents),
            ):
                sums[name] += cents
                sums[f"{name}/{kind}"] += cents
    return sums
