"""`decide`: judge an act in a round of play, and return its events or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.rules import commands as do
from croupier.rules import course, irregularities, placement
from croupier.rules.operator import Person
from croupier.rules.refusals import Verdict, standing_refusal
from croupier.rules.round import RoundOfPlay

_Judge = Callable[[RoundOfPlay, Person, Any], Verdict]
_JUDGES: Mapping[type[do.RoundCommand], _Judge] = {
    do.PlaceYourBets: course.place_your_bets,
    do.AllowEarlyClose: course.allow_early_close,
    do.SpinBall: course.spin,
    do.NoMoreBets: course.no_more_bets,
    do.DrawBonusNumbers: course.draw_bonus_numbers,
    do.ReportUnlit: course.report_unlit,
    do.ReportBallDropped: course.report_ball_dropped,
    do.ReportBallAtRest: course.report_ball_at_rest,
    do.AnnounceOutcome: course.announce_outcome,
    do.Settle: course.settle_round,
    do.PlaceWager: placement.place_wager,
    do.IncreaseWager: placement.increase_wager,
    do.WithdrawWager: placement.withdraw_wager,
    do.MarkUnclear: irregularities.mark_unclear,
    do.RuleOnWager: irregularities.rule_on_wager,
    do.ReportIrregularity: irregularities.report_irregularity,
    do.AnnounceNoSpin: irregularities.announce_no_spin,
    do.ReportPowerFailure: irregularities.report_power_failure,
    do.ReportRoundInterrupted: irregularities.report_interruption,
    do.ReportTerminalsInterrupted: irregularities.report_terminals,
    do.ShowDisplay: irregularities.show_display,
    do.DecideOutcome: irregularities.decide_held,
    do.DecideVoid: irregularities.decide_held,
    do.DecideWager: irregularities.decide_held,
}


def decide(state: RoundOfPlay, person: Person, command: do.RoundCommand) -> Verdict:
    """Judge one person's act in this round; the state stays as it is."""
    refusal = standing_refusal(state, command)
    if refusal is not None:
        return refusal
    return _JUDGES[type(command)](state, person, command)
