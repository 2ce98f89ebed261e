"""All short sequences of acts keep every law, and every law can be broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from croupier.games import all_games, find_game
from croupier.rules import commands as do
from croupier.rules import decisions, settlement
from croupier.rules import events as ev
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.reasons import RuleReason
from croupier.rules.round import NEXT_PHASE, Phase, RoundOfPlay
from croupier.rules.wheel import Number
from tests.rules.exploration.search import (
    IN_FIRST_ROUND,
    IN_SECOND_ROUND,
    LAWS,
    alphabet,
    explore,
)

FIRST_DEPTH, SECOND_DEPTH = 3, 2
"""In `make test`; `make soak` goes to a depth of five in both rounds."""
OPENED, LAID, SPUN, DROPPED, RESTED, DECIDED, SETTLED = 1, 4, 5, 6, 9, 10, 11
"""How many acts of the course lead there."""


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_short_sequence_keeps_the_laws(game: Game) -> None:
    first = explore(game, FIRST_DEPTH, IN_FIRST_ROUND)
    second = explore(game, SECOND_DEPTH, IN_SECOND_ROUND)

    found = (*first.breaches, *second.breaches)
    assert [str(breach) for breach in found[:3]] == []
    assert first.sequences > 50_000
    assert second.sequences > 2_000


def test_the_alphabet_has_every_kind_of_act() -> None:
    every = {*get_args(do.RoundCommand), *get_args(do.SeriesCommand)}

    for game in all_games():
        assert {type(act.command) for act in alphabet(game).values()} == every


def test_one_step_is_judged_once_for_all_ways_that_lead_to_it() -> None:
    game = find_game("mbs-roulette-v3")

    one, two = (explore(game, depth, begins=[OPENED]) for depth in (1, 2))

    acts = len(alphabet(game))
    taken = len(one.leads_to[0])
    assert one.sequences == acts
    assert two.sequences == acts + taken * acts
    assert two.steps <= two.sequences + len(two.leads_to)


def _setting(*names: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Put in place of each function one that finds nothing to refuse."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        for name in names:
            patch.setattr(f"croupier.rules.{name}", lambda *_, **__: None)

    return plant


def _never_disputed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("croupier.rules.irregularities._is_disputed", lambda *_: False)


def _betting_stays_open(patch: pytest.MonkeyPatch) -> None:
    def refuse(state: RoundOfPlay, *_: Any) -> Refusal:
        return Refusal(state.game.clause(Rule.CLOSING), RuleReason.CLOSED_ALREADY())

    patch.setitem(decisions._JUDGES, do.NoMoreBets, refuse)


def _late_close_is_nothing(patch: pytest.MonkeyPatch) -> None:
    def close(state: RoundOfPlay, person: Any, _: object) -> tuple[ev.RoundEvent, ...]:
        return (ev.NoMoreBetsAnnounced(person, late=state.facts.dropped),)

    patch.setitem(decisions._JUDGES, do.NoMoreBets, close)


def _spins_while_held(patch: pytest.MonkeyPatch) -> None:
    def show(_: RoundOfPlay, person: Any, __: object) -> tuple[ev.RoundEvent, ...]:
        return (ev.DisplayShown(Number("5"), None, person),)

    patch.setattr("croupier.rules.decisions.standing_refusal", lambda *_: None)
    patch.setitem(decisions._JUDGES, do.SpinBall, show)


def _settles_twice(patch: pytest.MonkeyPatch) -> None:
    def settle(state: RoundOfPlay, *_: Any) -> tuple[ev.RoundEvent, ...]:
        return (settlement.settle(state),)

    patch.setitem(decisions._JUDGES, do.Settle, settle)


def _cites_the_spin(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            f"croupier.rules.irregularities.{name}",
            lambda state, *_: (
                state.game.clause(Rule.SPIN)
                if name == "_no_spin_clause"
                else ev.RoundHeld(state.game.clause(Rule.SPIN), RuleReason.UNLISTED())
            ),
        )

    return plant


def _spin_closes(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(NEXT_PHASE, (Phase.BETTING, ev.BallSpun), Phase.CLOSED)


def _dolly_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.delitem(NEXT_PHASE, (Phase.DECIDED, ev.DollyPlaced))


def _rulings_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        "croupier.rules.settlement._counted", lambda _, wager: wager.piece_cents
    )


def _issuer_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("croupier.rules.series.apply_beside", lambda state, _: state)


def _maximum_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("croupier.rules.settlement._judge", lambda *_: {})


def _unheard(what: str) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(f"croupier.rules.course.dispute_over_{what}", lambda *_, **__: ())

    return plant


@dataclass(frozen=True)
class Planted:
    """A bug in the core, and where the search that must find it begins."""

    law: str
    plant: Callable[[pytest.MonkeyPatch], None]
    begin: int
    depth: int
    game: str = "mbs-roulette-v3"
    what: str = ""
    """Tells bugs against one law apart."""

    def __str__(self) -> str:
        return f"{self.law} {self.what}".rstrip()


_UNCHECKED_DECISION = _setting("rulings._outcome_not_decidable")
_CORRECTED_ALONE = _setting("corrections.may_not_correct")
_UNBOUND = _setting("irregularities.bound_by_decision")
PLANTED = (
    Planted("every_act_is_answered", _dolly_forgotten, RESTED, 1),
    Planted(
        "steps_are_taken_once_and_in_order", _setting("course.missing_step"), LAID, 3
    ),
    Planted("acts_that_fit_are_taken", _betting_stays_open, SPUN, 1),
    Planted("the_compartment_decides", _UNCHECKED_DECISION, RESTED, 2),
    Planted("no_outcome_without_a_spin", _UNCHECKED_DECISION, LAID, 2),
    Planted("a_held_round_takes_only_what_ends_it", _spins_while_held, LAID, 2),
    Planted(
        "a_void_round_takes_only_its_settlement",
        _setting("decisions.standing_refusal"),
        LAID,
        2,
    ),
    Planted("reports_are_held_against_the_record", _never_disputed, RESTED, 1),
    Planted("no_spin_ends_or_holds", _cites_the_spin("_no_spin_clause"), LAID, 1),
    Planted("a_close_after_late_betting_holds", _late_close_is_nothing, DROPPED, 2),
    Planted("a_hold_cites_its_clause", _cites_the_spin("held"), LAID, 1),
    Planted("the_phase_is_that_of_the_record", _spin_closes, LAID, 1),
    Planted(
        "nothing_moves_after_the_rest_or_the_close",
        _setting("placement.refuse_now"),
        DROPPED,
        2,
    ),
    Planted("rulings_keep_rank", _setting("rulings._outranked"), RESTED, 2),
    Planted("a_settlement_is_what_is_due", _rulings_forgotten, DECIDED, 2),
    Planted(
        "a_round_is_settled_again_only_by_a_correction",
        _settles_twice,
        SETTLED,
        1,
    ),
    Planted("ten_numbers_or_none", _UNCHECKED_DECISION, SPUN, 2, "mbs-fast-action-v2"),
    Planted("what_is_paid_is_within_the_maximum", _maximum_forgotten, DECIDED, 1),
    Planted(
        "limits_are_kept_at_placing",
        _setting("placement._outside_limits"),
        OPENED + 1,
        1,
        "mbs-roulette-v2",
    ),
    Planted("no_winner_is_taken_back_by_one_person", _CORRECTED_ALONE, DECIDED, 1),
    Planted("a_decision_binds", _UNBOUND, SPUN, 3),
    Planted("the_record_is_restated_by_two", _CORRECTED_ALONE, DECIDED, 1),
    Planted("nothing_is_announced_over_a_sensor", _unheard("number"), SPUN, 3),
    Planted("a_count_across_the_line_holds", _unheard("spin"), LAID, 2),
    Planted("one_person_only_upholds", _setting("sensors._may_not_answer"), SPUN, 2),
    Planted(
        "a_correction_keeps_to_the_wheel",
        _setting("corrections._needs_shift_manager"),
        DECIDED,
        2,
    ),
    Planted(
        "no_one_is_on_both_sides", _setting("decisions.conflict_of_interest"), LAID, 1
    ),
    Planted(
        "no_one_is_on_both_sides",
        _setting("colours.conflict_of_interest"),
        LAID,
        1,
        what="colours",
    ),
    Planted(
        "no_one_is_on_both_sides", _issuer_forgotten, OPENED, 2, what="issuer forgotten"
    ),
)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_a_bug_planted_in_the_core_breaks_its_law(
    planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(planted.game)
    planted.plant(monkeypatch)

    found = explore(game, planted.depth, begins=[planted.begin])

    assert planted.law in {breach.law for breach in found.breaches}


def test_every_law_has_its_planted_bug() -> None:
    laws = {"every_act_is_answered", *(law.__name__ for law in LAWS)}

    assert {each.law for each in PLANTED} == laws
