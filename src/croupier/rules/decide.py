"""`decide`: a round of play and an act in, events or a refusal out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.rules import commands as do
from croupier.rules import course, irregular, placing
from croupier.rules.judging import Verdict, standing_refusal
from croupier.rules.operator import Person
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
    do.PlaceWager: placing.place_wager,
    do.IncreaseWager: placing.increase_wager,
    do.WithdrawWager: placing.withdraw_wager,
    do.MarkUnclear: irregular.mark_unclear,
    do.RuleOnWager: irregular.rule_on_wager,
    do.ReportIrregularity: irregular.report_irregularity,
    do.AnnounceNoSpin: irregular.announce_no_spin,
    do.ReportPowerFailure: irregular.report_power_failure,
    do.ReportRoundInterrupted: irregular.report_interruption,
    do.ReportTerminalsInterrupted: irregular.report_terminals,
    do.ShowDisplay: irregular.show_display,
    do.DecideOutcome: irregular.decide_held,
    do.DecideVoid: irregular.decide_held,
    do.DecideWager: irregular.decide_held,
}


def decide(state: RoundOfPlay, person: Person, command: do.RoundCommand) -> Verdict:
    """Judge one person's act in this round; the state stays as it is."""
    refusal = standing_refusal(state, command)
    if refusal is not None:
        return refusal
    return _JUDGES[type(command)](state, person, command)
