"""Bugs of exceptional play, each with a scene in which a table shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from croupier.journal.findings import FindingKind as K
from croupier.rules import (
    colours,
    corrections,
    course,
    decisions,
    irregularities,
    placement,
    refusals,
    rulings,
    series,
    settlement,
)
from croupier.rules import round as round_of_play
from croupier.rules.buckets import changed
from croupier.rules.clause import Rule
from croupier.rules.commands import ReportIrregularity, WithdrawWager
from croupier.rules.events import RoundHeld
from tests.audit.floor import DRAW
from tests.values import replaced

Patch = pytest.MonkeyPatch
V2, V3 = "mbs-roulette-v2", "mbs-roulette-v3"
FAST, TRIPLE = "mbs-fast-action-v2", "rws-triple-zero"


@dataclass(frozen=True)
class Planted:
    """A bug, and a scene: a table with the bug accepts every act of it."""

    bug: Callable[[Patch], None]
    game: str
    scene: str
    """Acts with a stroke between them; one without a person is the Dealer's."""
    kind: K
    wager: str | None = None

    @property
    def lines(self) -> list[str]:
        acts = self.scene.split(" | ")
        return [act if ": " in act else f"Dealer: {act}" for act in acts]

    def __str__(self) -> str:
        return f"{self.bug.__name__} {self.game}: {self.scene}"


def judges_limits_before_rulings(patch: Patch) -> None:
    """A30: what was ruled back still uses up the maximum."""
    judge, used_up = settlement._judge, settlement._used_up

    def unruled(state: Any) -> Any:
        return changed(state, rulings={})

    patch.setattr(settlement, "_judge", lambda s, w: judge(unruled(s), w))
    patch.setattr(settlement, "_used_up", lambda s, w, j: used_up(unruled(s), w, j))


def forgets_the_ruling_before(patch: Patch) -> None:
    """A31: the last ruling alone stands."""
    right = round_of_play._added_up

    def added_up(state: Any, event: Any) -> Any:
        return right(changed(state, rulings={}), event)

    patch.setattr(round_of_play, "_added_up", added_up)


def forgets_ranks(patch: Patch) -> None:
    """A31, A33: anybody who may rule changes a higher position's ruling."""
    patch.setattr(rulings, "_outranked", lambda *_: None)


def forgets_the_rest(patch: Patch) -> None:
    """A28: betting goes on until “No more bets”, wherever the ball is."""
    right = placement.refuse_now

    def not_now(state: Any, person: Any, command: Any) -> Any:
        facts = replace(state.facts, at_rest=None)
        return right(changed(state, facts=facts), person, command)

    patch.setattr(placement, "refuse_now", not_now)


def forgets_the_drop(patch: Patch) -> None:
    """A28: nobody remembers that chips moved after the drop."""
    patch.setattr(
        round_of_play, "_laid", lambda state, board: changed(state, board=board)
    )


def gives_late_chips_back(patch: Patch) -> None:
    """A28: a wager withdrawn after the drop leaves the layout at once."""
    right = placement.withdraw_wager

    def withdraw(state: Any, person: Any, command: Any) -> Any:
        answer: Any = right(state, person, command)
        return tuple(replaced(each, late=False) for each in answer)

    judges = {**decisions._JUDGES, WithdrawWager: withdraw}
    patch.setattr(decisions, "_JUDGES", judges)


def believes_every_report(patch: Patch) -> None:
    """A32: one person takes an announced winner back."""
    patch.setattr(irregularities, "_is_disputed", lambda *_: False)


def holds_every_report(patch: Patch) -> None:
    """A32: what voids the round only holds it."""
    patch.setattr(irregularities, "_is_disputed", lambda *_: True)


def only_notes_a_report(patch: Patch) -> None:
    """An irregularity is recorded, and play goes on."""
    right: Any = irregularities.report_irregularity
    judges = {
        **decisions._JUDGES,
        ReportIrregularity: lambda *args: right(*args)[:1],
    }
    patch.setattr(decisions, "_JUDGES", judges)


def forgets_that_decisions_bind(patch: Patch) -> None:
    """A33: reports and corrections of others change a decided outcome."""
    for module in (course, irregularities, corrections):
        patch.setattr(module, "bound_by_decision", lambda *_: None)


def decides_anything(patch: Patch) -> None:
    """A33, A44: against the ball, without a spin."""
    patch.setattr(rulings, "_outcome_not_decidable", lambda *_: None)


def lets_anybody_decide(patch: Patch) -> None:
    """6.2, 5.10: a Pit Supervisor decides."""
    for module in (rulings, corrections):
        patch.setattr(module, "may_not_decide", lambda *_: None)


def lets_one_correct(patch: Patch) -> None:
    """A29: one person restates and corrects."""
    patch.setattr(corrections, "may_not_correct", lambda *_: None)


def forgets_interests(patch: Patch) -> None:
    """A42: whoever has a wager in the round may act in it."""
    for module in (decisions, corrections, colours):
        patch.setattr(module, "conflict_of_interest", lambda *_: None)


def lets_staff_bet(patch: Patch) -> None:
    """A42: whoever acted in the round may place a wager, or be given one."""
    for module in (placement, rulings):
        patch.setattr(module, "wager_of_staff", lambda *_, **__: None)


def forgets_who_issued(patch: Patch) -> None:
    """A42: whoever issued a colour or took it back counts as nobody."""
    patch.setattr(series, "apply_beside", lambda state, _: state)


def lets_a_rest_lie(patch: Patch) -> None:
    """A36: a withdrawal leaves less than the minimum."""
    patch.setattr(placement, "_leaves_too_little", lambda *_: None)


def breaks_colour_chips(patch: Patch) -> None:
    """1.1.1: an increase is any amount."""
    patch.setattr(placement, "_not_whole_chips", lambda *_: None)


def lets_staff_withdraw(patch: Patch) -> None:
    """3.5: staff take a Player's chips away."""
    patch.setattr(placement, "_not_theirs", lambda *_: None)


def remembers_by_the_number(patch: Patch) -> None:
    """A47: a round knows only of the memory that was used when it began."""

    def warned_in(self: Any, number: int) -> Any:
        return self.round(number).warned

    patch.setattr(series.Series, "warned_in", warned_in)


def gives_without_limits(patch: Patch) -> None:
    """A51: a wager is given to a Player who has the maximum already."""
    patch.setattr(rulings, "_given_over_maximum", lambda *_: None)


def cites_the_pay_table(patch: Patch) -> None:
    """Every piece cites the pay table, capped, returned or ruled on."""
    right = settlement.settle

    def settle(state: Any) -> Any:
        settled, listed = right(state), state.game.pay_clauses
        wagers = tuple(
            wager._replace(
                pieces=tuple(
                    piece._replace(clause=listed[piece.area]) for piece in wager.pieces
                )
            )
            for wager in settled.wagers
        )
        return replaced(settled, wagers=wagers)

    for module in (settlement, course, corrections):
        patch.setattr(module, "settle", settle)


def cites_the_ruling(patch: Patch) -> None:
    """A hold cites the clause of rulings instead of the referral's."""

    def held(state: Any, reason: Any) -> Any:
        return RoundHeld(state.game.clause(Rule.RULING), reason)

    for module in (course, irregularities):
        patch.setattr(module, "held", held)


def draws_nothing(patch: Patch) -> None:
    """Fast Action 1.1.1: the outcome does not wait for the draw."""
    patch.setattr(refusals, "lacks_draw", lambda _: False)


DECIDER = "Gaming Shift Manager"
_STRUCK = (
    "place your bets | Anna: lay 17 80 as w1 | Anna: lay 17 80 as w2"
    " | spin | no more bets"
)
_REFERRED = (
    "place your bets | Anna: lay red 10 as w1 | spin | no more bets"
    " | irregularity unlisted"
)
_TEN_IN_ONE = (
    "place your bets | Anna: lay 17 10 as w1 | spin | no more bets | outcome 17"
    " | settle | place your bets | Anna: lay 17 3 as w1 | spin | no more bets"
)
_AT_THE_MAXIMUM = (
    "place your bets | Anna: {act} 17 80 as w1 | Ben: {act} 17 80 as w2"
    " | spin | no more bets | outcome 17 | settle"
)
PLANTED = (
    Planted(
        remembers_by_the_number,
        V3,
        f"{_TEN_IN_ONE} | outcome 17 | settle | {DECIDER}: decide round 1 w1 amount 3",
        K.SETTLEMENT,
        "w1",
    ),
    Planted(
        remembers_by_the_number,
        V3,
        f"{_TEN_IN_ONE} | {DECIDER}: decide round 1 w1 amount 3 | outcome 17 | settle",
        K.SETTLEMENT,
        "w1",
    ),
    Planted(
        gives_without_limits,
        V2,
        f"{_AT_THE_MAXIMUM.format(act='lay')} | {DECIDER}: decide round 1 w2 to Anna",
        K.LIMIT_BREACHED,
        "w2",
    ),
    Planted(
        judges_limits_before_rulings,
        V3,
        f"{_STRUCK} | outcome 17 | Pit Supervisor: rule w1 return | settle",
        K.SETTLEMENT,
        "w2",
    ),
    Planted(
        judges_limits_before_rulings,
        V3,
        f"{_STRUCK} | outcome 17 | Pit Supervisor: rule w1 amount 10 | settle",
        K.SETTLEMENT,
        "w2",
    ),
    Planted(
        judges_limits_before_rulings,
        FAST,
        f"{_STRUCK} | {DRAW} | outcome 17 | Pit Supervisor: rule w1 return | settle",
        K.SETTLEMENT,
        "w2",
    ),
    Planted(
        forgets_the_ruling_before,
        V3,
        f"{_STRUCK} | outcome 17 | Pit Supervisor: rule w1 amount 10"
        " | Pit Supervisor: rule w1 20 | settle",
        K.SETTLEMENT,
        "w1",
    ),
    Planted(
        forgets_ranks,
        V3,
        f"{_STRUCK} | outcome 17 | Pit Manager: rule w1 return"
        " | Pit Supervisor: rule w1 amount 10 | settle",
        K.RULING,
        "w1",
    ),
    Planted(
        forgets_ranks,
        V3,
        f"{_REFERRED} | {DECIDER}: decide w1 return"
        f" | {DECIDER}: decide outcome 1 | Pit Supervisor: rule w1 amount 10"
        " | settle",
        K.DECISION,
        "w1",
    ),
    Planted(
        forgets_the_rest,
        V2,
        "place your bets | spin | ball at rest 17 | Anna: lay 17 10 as w1",
        K.LATE_WAGER,
        "w1",
    ),
    Planted(
        forgets_the_rest,
        V3,
        "place your bets | Anna: lay 17 10 as w1 | spin | ball at rest 17"
        " | Anna: increase w1 50",
        K.LATE_WAGER,
        "w1",
    ),
    Planted(
        forgets_the_rest,
        FAST,
        "place your bets | Anna: lay 17 10 as w1 | spin | ball at rest 5"
        " | Anna: withdraw w1",
        K.LATE_WITHDRAWAL,
        "w1",
    ),
    Planted(
        forgets_the_drop,
        V3,
        "place your bets | spin | ball dropped | Anna: lay 17 10 as w1"
        " | no more bets | outcome 17 | settle",
        K.VOID_OR_HELD,
    ),
    Planted(
        gives_late_chips_back,
        V3,
        "place your bets | Anna: lay 17 10 as w1 | spin | ball dropped"
        " | Anna: withdraw w1 | no more bets",
        K.LATE_WITHDRAWAL,
        "w1",
    ),
    Planted(
        believes_every_report,
        V3,
        "place your bets | spin | no more bets | outcome 5"
        " | irregularity foreign_object",
        K.VOID_OR_HELD,
    ),
    Planted(
        believes_every_report,
        TRIPLE,
        "place your bets | spin | no more bets | ball at rest 5"
        " | irregularity ball_out_of_wheel",
        K.VOID_OR_HELD,
    ),
    Planted(
        holds_every_report,
        V3,
        "place your bets | spin | irregularity foreign_object",
        K.VOID_OR_HELD,
    ),
    Planted(
        only_notes_a_report,
        V2,
        "place your bets | spin | irregularity foreign_object | no more bets",
        K.VOID_OR_HELD,
    ),
    Planted(
        forgets_that_decisions_bind,
        V3,
        f"{_REFERRED} | {DECIDER}: decide outcome 5 | no spin",
        K.DECISION,
    ),
    Planted(
        forgets_that_decisions_bind,
        V3,
        f"{_REFERRED} | {DECIDER}: decide outcome 5"
        " | Dealer + Pit Supervisor: correct round 1 to 7 | settle",
        K.DECISION,
    ),
    Planted(
        decides_anything,
        V3,
        "place your bets | spin | no more bets | ball at rest 17"
        f" | irregularity unlisted | {DECIDER}: decide outcome 20",
        K.OUTCOME_NOT_AT_REST,
    ),
    Planted(
        decides_anything,
        V3,
        f"place your bets | irregularity unlisted | {DECIDER}: decide outcome 20",
        K.DECISION,
    ),
    Planted(draws_nothing, FAST, f"{_STRUCK} | outcome 17 | settle", K.BONUS_DRAW),
    Planted(
        lets_anybody_decide,
        V3,
        f"{_REFERRED} | Pit Supervisor: decide outcome 5",
        K.POSITION,
    ),
    Planted(
        lets_anybody_decide,
        V3,
        "place your bets | Anna: lay red 10 as w1 | spin | no more bets"
        " | outcome 5 | settle | Pit Supervisor: decide round 1 w1 amount 6",
        K.POSITION,
        "w1",
    ),
    Planted(
        lets_one_correct,
        TRIPLE,
        "place your bets | spin | no more bets | ball at rest 5 | correct ball to 6",
        K.CORRECTION,
    ),
    Planted(
        lets_one_correct,
        FAST,
        f"place your bets | spin | no more bets | {DRAW} | outcome 17"
        " | correct round 1 bonus numbers 1 2 5 9 13 17 21 25 29 34",
        K.CORRECTION,
    ),
    Planted(
        forgets_interests,
        TRIPLE,
        "place your bets | Anna: place red 10 as w1 | Anna acting Dealer: spin",
        K.CONFLICT,
    ),
    Planted(
        lets_staff_bet,
        TRIPLE,
        "Anna acting Dealer: place your bets | Anna: place red 10 as w1",
        K.CONFLICT,
        "w1",
    ),
    Planted(
        lets_staff_bet,
        V3,
        "place your bets | Anna acting Dealer for Anna: lay red 10 as w1",
        K.CONFLICT,
        "w1",
    ),
    Planted(
        lets_staff_bet,
        TRIPLE,
        "place your bets | Anna: place red 10 as w1 | Joe acting Dealer: spin"
        " | no more bets | outcome 1 | settle"
        " | Table Games Shift Manager: decide round 1 w1 to Joe",
        K.CONFLICT,
        "w1",
    ),
    Planted(
        lets_staff_bet,
        TRIPLE,
        "place your bets | Anna: place red 10 as w1 | Joe acting Dealer: spin"
        " | no more bets | outcome 1 | settle | place your bets"
        " | Table Games Shift Manager: decide round 1 w1 to Joe",
        K.CONFLICT,
        "w1",
    ),
    Planted(
        forgets_interests,
        V3,
        "place your bets | Anna: lay red 10 as w1 | spin | no more bets | outcome 1"
        f" | settle | {DECIDER}: decide round 1 w1 to Ben"
        " | Ben acting Dealer + Pit Supervisor: correct round 1 to 2",
        K.CONFLICT,
    ),
    Planted(
        forgets_interests,
        V3,
        "place your bets | Anna: lay red 10 as w1"
        " | Anna acting Dealer: colour blue to Ben 5",
        K.CONFLICT,
    ),
    Planted(
        forgets_interests,
        FAST,
        "colour blue to Ben 5 | place your bets | Anna: lay 17 10 as w1"
        " | Anna: withdraw w1 | Anna acting Dealer: colour blue from Ben",
        K.CONFLICT,
    ),
    Planted(
        forgets_who_issued,
        V3,
        "place your bets | Zoe acting Dealer: colour blue to Anna 5"
        " | Zoe: lay red 10 as w1",
        K.CONFLICT,
        "w1",
    ),
    Planted(
        forgets_who_issued,
        V3,
        "colour blue to Ben 5 | place your bets | Anna: lay red 10 as w1"
        " | Zoe acting Dealer: colour blue from Ben | spin | no more bets"
        " | outcome 1 | settle | place your bets"
        f" | {DECIDER}: decide round 1 w1 to Zoe",
        K.CONFLICT,
        "w1",
    ),
    Planted(
        lets_a_rest_lie,
        V2,
        "place your bets | Anna: lay 17 5 as w1 | Anna: lay 17 2 as w2"
        " | Anna: withdraw w1",
        K.LIMIT_BREACHED,
        "w1",
    ),
    Planted(
        breaks_colour_chips,
        V3,
        "colour blue to Anna 5 | place your bets | Anna: lay 17 2 blue as w1"
        " | Anna: increase w1 7",
        K.COLOUR_CHIPS,
        "w1",
    ),
    Planted(
        lets_staff_withdraw,
        V3,
        "place your bets | Anna: lay red 10 as w1 | Dealer for Anna: withdraw w1",
        K.POSITION,
        "w1",
    ),
    Planted(
        cites_the_pay_table, V3, f"{_STRUCK} | outcome 17 | settle", K.CITATION, "w2"
    ),
    Planted(
        cites_the_pay_table,
        V3,
        f"{_STRUCK} | outcome 17 | Pit Supervisor: rule w1 return | settle",
        K.CITATION,
        "w1",
    ),
    Planted(
        cites_the_pay_table,
        V2,
        "place your bets | Anna: lay 17 10 as w1 | irregularity foreign_object"
        " | settle",
        K.CITATION,
        "w1",
    ),
    Planted(cites_the_ruling, V3, f"{_REFERRED}", K.CITATION),
)
