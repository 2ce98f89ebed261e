"""Laws of wagers and money: where chips lie, what they come to, who rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.rules import commands as do
from croupier.rules import events as ev
from tests.rules.exploration.due import (
    LENIENT,
    MAXIMUM_CENTS,
    MINIMUM_CENTS,
    Due,
    due,
    standing_under_minimum,
)
from tests.rules.exploration.step import (
    CITED,
    LADDER,
    NAMES_A_ROUND,
    WAGERING,
    Law,
    Step,
)


def nothing_moves_after_the_rest_or_the_close(step: Step) -> Iterator[str]:
    """A28, and the clauses on late wagers and late withdrawals."""
    for was, now in step.rounds():
        over = was.closed or was.rest is not None or was.winner is not None
        if over and was.chips != now.chips:
            yield f"{was.chips} became {now.chips}"
    was, cited = step.was, CITED[step.game]
    if not isinstance(step.command, WAGERING) or was.held or was.void:
        return
    by_rest = was.sensor_closed and not was.sensor_dropped
    if (was.closed and not by_rest) or was.settlements:
        withdrawing = isinstance(step.command, do.WithdrawWager)
        wanted = cited.late_withdrawal if withdrawing else cited.late_wager
        if step.refused_by != wanted:
            yield f"{step.refused_by}, not {wanted}"
    elif was.rest is not None and step.refused_by != cited.outcome:
        yield f"{step.refused_by}, not {cited.outcome}"


def rulings_keep_rank(step: Step) -> Iterator[str]:
    """A31: after the rest, until settlement; a lower position changes no ruling."""
    if not isinstance(step.command, do.RuleOnWager) or not step.accepted:
        return
    was, role = step.was, step.act.person.role
    if was.rest is None and was.winner is None:
        yield "ruled before the rest"
    if was.settlements:
        yield "ruled after settlement"
    before = was.treatment(step.command.wager_id)
    if before is None:
        return
    rank, other = LADDER.index(role), LADDER.index(before.role)
    if rank < other or (before.returned and rank == other):
        yield f"{role} changed a ruling of {before.role}"


def a_settlement_is_what_is_due(step: Step) -> Iterator[str]:
    """One disposition for each wager: paid, collected or returned by the documents."""
    for was, now in step.rounds():
        if now.settlements - was.settlements not in {0, 1}:
            yield f"settled {now.settlements - was.settlements} times at once"
    settled = step.events(ev.RoundSettled)
    changed = [n for was, n in step.rounds() if n.settlements != was.settlements]
    for event, notes in zip(settled, changed, strict=True):
        assert isinstance(event, ev.RoundSettled)
        expected = due(step.game, notes)
        got = [_due(wager) for wager in event.wagers]
        if got != expected:
            yield f"{got}, not {expected}"
        number = None if notes.void else notes.winner
        if event.winning_number != number:
            yield f"settled at {event.winning_number}, not {number}"
        standing = standing_under_minimum(step.game, notes)
        if frozenset(event.under_minimum) != standing:
            yield f"{event.under_minimum} stood, not {standing}"


def a_round_is_settled_again_only_by_a_correction(step: Step) -> Iterator[str]:
    """1.1.4; A25, A41 and Triple Zero 5.4 settle again."""
    for was, now in step.rounds():
        if now.settlements == was.settlements:
            continue
        first = was.settlements == 0
        if not first and not isinstance(step.command, NAMES_A_ROUND):
            yield f"settled again by {type(step.command).__name__}"
        if now.winner is None and now.void is None:
            yield "settled without an outcome"


def ten_numbers_or_none(step: Step) -> Iterator[str]:
    """Fast Action 1.1.1, A35: no outcome without ten different numbers."""
    for _, now in step.rounds():
        if step.game != "mbs-fast-action-v2":
            if now.drawn is not None:
                yield f"drawn {now.drawn}"
            continue
        if now.drawn is not None and len({*now.drawn}) != 10:
            yield f"drawn {now.drawn}"
        if now.winner is not None and now.drawn is None:
            yield f"{now.winner} without a draw"


def _due(wager: ev.SettledWager) -> Due:
    """Read a settled wager of one piece."""
    [piece] = wager.pieces
    return Due(
        wager_id=wager.wager_id,
        player=wager.player,
        stake_cents=piece.stake_cents,
        paid_cents=piece.paid_cents,
        collected_cents=piece.collected_cents,
        returned_cents=piece.returned_cents,
        at_risk_cents=piece.at_risk_cents,
    )


def what_is_paid_is_within_the_maximum(step: Step) -> Iterator[str]:
    """3.3.1, 5.16, A10, A30: no more at risk than the maximum of a Player's total."""
    # Where limits are held at placing alone, no clause caps a decision (A30).
    if step.game not in LENIENT and _moved_by_decision(step):
        return
    for event in step.events(ev.RoundSettled):
        assert isinstance(event, ev.RoundSettled)
        at_risk: Counter[tuple[str, str]] = Counter()
        for wager in event.wagers:
            for piece in wager.pieces:
                at_risk[wager.player, piece.area] += piece.at_risk_cents
        for key, cents in at_risk.items():
            if cents > MAXIMUM_CENTS:
                yield f"{key} has {cents} at risk"


def _moved_by_decision(step: Step) -> bool:
    return any(
        each.player or each.area
        for notes in step.record_after.rounds
        for each in notes.treatments
    )


def limits_are_kept_at_placing(step: Step) -> Iterator[str]:
    """A11, A36, Triple Zero 3.3: a total on an area is never outside the limits."""
    if step.game in LENIENT:
        return
    totals: Counter[tuple[str, str]] = Counter()
    for each in step.now.chips:
        if not each.lifted:
            totals[each.player, each.area] += each.cents
    for key, cents in totals.items():
        if not MINIMUM_CENTS <= cents <= MAXIMUM_CENTS:
            yield f"{key} has {cents} on the layout"


WAGER_LAWS: tuple[Law, ...] = (
    nothing_moves_after_the_rest_or_the_close,
    rulings_keep_rank,
    a_settlement_is_what_is_due,
    a_round_is_settled_again_only_by_a_correction,
    ten_numbers_or_none,
    what_is_paid_is_within_the_maximum,
    limits_are_kept_at_placing,
)
