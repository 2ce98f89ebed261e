"""`decide_act`: judge an act at a table, and return its events or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.rules import (
    colours,
    corrections,
    course,
    irregularities,
    placement,
    rulings,
    sensors,
)
from croupier.rules import commands as do
from croupier.rules.clause import Refusal, Rule
from croupier.rules.notation import WagerText
from croupier.rules.operator import Person, Role
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import Verdict, conflict_of_interest, standing_refusal
from croupier.rules.round import RoundOfPlay
from croupier.rules.series import Answer, Series, recorded

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
    do.ReportSensor: sensors.report_sensor,
    do.AnnounceOutcome: course.announce_outcome,
    do.Settle: course.settle_round,
    do.PlaceWager: placement.place_wager,
    do.IncreaseWager: placement.increase_wager,
    do.WithdrawWager: placement.withdraw_wager,
    do.MarkUnclear: rulings.mark_unclear,
    do.RuleOnWager: rulings.rule_on_wager,
    do.ReportIrregularity: irregularities.report_irregularity,
    do.AnnounceNoSpin: irregularities.announce_no_spin,
    do.ReportPowerFailure: irregularities.report_power_failure,
    do.ReportRoundInterrupted: irregularities.report_interruption,
    do.ReportTerminalsInterrupted: irregularities.report_terminals,
    do.ShowDisplay: irregularities.show_display,
    do.DecideOutcome: rulings.decide_held,
    do.DecideVoid: rulings.decide_held,
    do.DecideWager: rulings.decide_held,
    do.DecideContinue: rulings.decide_held,
}


def _answer_report(
    series: Series, people: tuple[Person, ...], command: do.AnswerReport
) -> Answer:
    if series.last == 0:
        return _no_round(series)
    verdict = sensors.answer_report(series.current, people, command)
    return verdict if isinstance(verdict, Refusal) else recorded(series.last, verdict)


def _no_round(series: Series) -> Refusal:
    return Refusal(series.game.clause(Rule.OPENING), RuleReason.NO_ROUND_BEGUN())


_SeriesJudge = Callable[[Series, tuple[Person, ...], Any], Answer]
_SERIES_JUDGES: Mapping[type[do.SeriesCommand], _SeriesJudge] = {
    do.CorrectOutcome: corrections.correct_outcome,
    do.CorrectBall: corrections.correct_ball,
    do.AnswerReport: _answer_report,
    do.CorrectBonusNumbers: corrections.correct_bonus_numbers,
    do.DecideRound: corrections.decide_round,
    do.VoidRounds: corrections.void_rounds,
    do.IssueColour: colours.issue_colour,
    do.ReturnColour: colours.return_colour,
}


def decide(state: RoundOfPlay, person: Person, command: do.RoundCommand) -> Verdict:
    """Judge one person's act in this round; the state stays as it is."""
    refusal = _refuse_any(state, person, command)
    if refusal is not None:
        return refusal
    return _JUDGES[type(command)](state, person, command)


def _refuse_any(
    state: RoundOfPlay, person: Person, command: do.RoundCommand
) -> Refusal | None:
    """Refuse what no command of this kind may do now, or nobody in this position."""
    refusal = standing_refusal(state, command)
    return refusal or conflict_of_interest(state, (person,))


class PlacingJudge:
    """Judges Players' placings in a round as `decide` does.

    Whether a Player may place now, and what the words of a wager mean, does not depend
    on the chips that lie there: each is found once, as long as the rest of the round
    stays as it is.
    """

    def __init__(self, state: RoundOfPlay) -> None:
        self._but_board = {**state.__dict__, "board": None}
        self._may_place: set[tuple[object, ...]] = set()
        self._placements: dict[WagerText, Placement] = {}

    def is_for(self, state: RoundOfPlay) -> bool:
        """Return whether the round differs only in its board from its own."""
        known = self._but_board
        return all(
            known[name] is value or name == "board"
            for name, value in state.__dict__.items()
        )

    def decide(
        self, state: RoundOfPlay, person: Person, command: do.PlaceWager
    ) -> Verdict:
        """Judge a Player's placing; the state stays as it is."""
        assert person.role is Role.PLAYER  # of others the board may say (A42)
        by = (person, command.player, command.electronic, command.registered)
        if by not in self._may_place:
            refusal = _refuse_any(state, person, command)
            refusal = refusal or placement.refuse_now(state, person, command)
            if refusal is not None:
                return refusal
            self._may_place.add(by)
        found = self._placements.get(command.wager)
        if found is None:
            wanted = find_placement(state.game, state.settings, command.wager)
            if isinstance(wanted, Refusal):
                return wanted
            self._placements[command.wager] = found = wanted
        return placement.lay_wager(state, person, command, found)


def decide_together(series: Series, acts: Sequence[do.Act]) -> Answer:
    """Judge wagers that are laid together: their order changes nothing."""
    state, wagers = series.current, []
    for act in acts:
        assert isinstance(act.command, do.PlaceWager)
        refusal = _refuse_any(state, act.person, act.command)
        if refusal is not None:
            return refusal
        wagers.append((act.person, act.command))
    verdict = placement.place_together(state, wagers)
    return verdict if isinstance(verdict, Refusal) else recorded(series.last, verdict)


def decide_act(series: Series, act: do.Act) -> Answer:
    """Judge an act at the table: on the current round, or on earlier ones."""
    command = act.command
    if isinstance(command, do.SeriesCommand):
        return _SERIES_JUDGES[type(command)](series, act.people, command)
    if series.last == 0:
        return _no_round(series)
    verdict = decide(series.current, act.person, command)
    if isinstance(verdict, Refusal):
        return verdict
    return recorded(series.last, verdict)
