"""`decide_act`: judge an act at a table, and return its events or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.rules import (
    colours,
    commands,
    corrections,
    course,
    irregularities,
    placement,
    rulings,
    sensors,
)
from croupier.rules.clause import Refusal, Rule
from croupier.rules.notation import WagerText
from croupier.rules.operator import Person, Role
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import Verdict, conflict_of_interest, standing_refusal
from croupier.rules.round import RoundOfPlay
from croupier.rules.series import Answer, Series, recorded

_Judge = Callable[[RoundOfPlay, Person, Any], Verdict]
_JUDGES: Mapping[type[commands.RoundCommand], _Judge] = {
    commands.PlaceYourBets: course.place_your_bets,
    commands.AllowEarlyClose: course.allow_early_close,
    commands.SpinBall: course.spin,
    commands.NoMoreBets: course.no_more_bets,
    commands.DrawBonusNumbers: course.draw_bonus_numbers,
    commands.ReportUnlit: course.report_unlit,
    commands.ReportBallDropped: course.report_ball_dropped,
    commands.ReportBallAtRest: course.report_ball_at_rest,
    commands.ReportSensor: sensors.report_sensor,
    commands.AnnounceOutcome: course.announce_outcome,
    commands.Settle: course.settle_round,
    commands.PlaceWager: placement.place_wager,
    commands.IncreaseWager: placement.increase_wager,
    commands.WithdrawWager: placement.withdraw_wager,
    commands.MarkUnclear: rulings.mark_unclear,
    commands.RuleOnWager: rulings.rule_on_wager,
    commands.ReportIrregularity: irregularities.report_irregularity,
    commands.AnnounceNoSpin: irregularities.announce_no_spin,
    commands.ReportPowerFailure: irregularities.report_power_failure,
    commands.ReportRoundInterrupted: irregularities.report_interruption,
    commands.ReportTerminalsInterrupted: irregularities.report_terminals,
    commands.ShowDisplay: irregularities.show_display,
    commands.DecideOutcome: rulings.decide_held,
    commands.DecideVoid: rulings.decide_held,
    commands.DecideWager: rulings.decide_held,
    commands.DecideContinue: rulings.decide_held,
}


def _answer_report(
    series: Series, people: tuple[Person, ...], command: commands.AnswerReport
) -> Answer:
    if series.last == 0:
        return _no_round(series)
    verdict = sensors.answer_report(series.current, people, command)
    return verdict if isinstance(verdict, Refusal) else recorded(series.last, verdict)


def _no_round(series: Series) -> Refusal:
    return Refusal(series.game.clause(Rule.OPENING), RuleReason.NO_ROUND_BEGUN())


_SeriesJudge = Callable[[Series, tuple[Person, ...], Any], Answer]
_SERIES_JUDGES: Mapping[type[commands.SeriesCommand], _SeriesJudge] = {
    commands.CorrectOutcome: corrections.correct_outcome,
    commands.CorrectBall: corrections.correct_ball,
    commands.AnswerReport: _answer_report,
    commands.CorrectBonusNumbers: corrections.correct_bonus_numbers,
    commands.DecideRound: corrections.decide_round,
    commands.VoidRounds: corrections.void_rounds,
    commands.IssueColour: colours.issue_colour,
    commands.ReturnColour: colours.return_colour,
}


def decide(
    state: RoundOfPlay, person: Person, command: commands.RoundCommand
) -> Verdict:
    """Judge one person's act in this round; return its events or a refusal."""
    refusal = _refuse_any(state, person, command)
    if refusal is not None:
        return refusal
    return _JUDGES[type(command)](state, person, command)


def _refuse_any(
    state: RoundOfPlay, person: Person, command: commands.RoundCommand
) -> Refusal | None:
    return standing_refusal(state, command) or conflict_of_interest(state, (person,))


class PlacingJudge:
    """Judges Players' placings in a round as `decide` does.

    The right to place and the meaning of a wager's words do not depend on the chips on
    the layout. This class caches both until another part of the round changes.
    """

    def __init__(self, state: RoundOfPlay) -> None:
        self._but_board = {**state.__dict__, "board": None}
        self._may_place: set[tuple[object, ...]] = set()
        self._placements: dict[WagerText, Placement] = {}

    def is_for(self, state: RoundOfPlay) -> bool:
        """Return whether only the board differs from the round of this judge."""
        return {**state.__dict__, "board": None} == self._but_board

    def decide(
        self, state: RoundOfPlay, person: Person, command: commands.PlaceWager
    ) -> Verdict:
        """Judge a Player's placing; return its events or a refusal."""
        assert person.role is Role.PLAYER  # for staff the board matters (A42)
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


def decide_together(series: Series, acts: Sequence[commands.Act]) -> Answer:
    """Judge wagers that are laid together: their order changes nothing."""
    state, wagers = series.current, []
    for act in acts:
        assert isinstance(act.command, commands.PlaceWager)
        refusal = _refuse_any(state, act.person, act.command)
        if refusal is not None:
            return refusal
        wagers.append((act.person, act.command))
    verdict = placement.place_together(state, wagers)
    return verdict if isinstance(verdict, Refusal) else recorded(series.last, verdict)


def decide_act(series: Series, act: commands.Act) -> Answer:
    """Judge an act at the table: on the current round, or on earlier ones."""
    command = act.command
    if isinstance(command, commands.SeriesCommand):
        return _SERIES_JUDGES[type(command)](series, act.people, command)
    if series.last == 0:
        return _no_round(series)
    verdict = decide(series.current, act.person, command)
    if isinstance(verdict, Refusal):
        return verdict
    return recorded(series.last, verdict)
