"""Reasons as data: every code once, every place filled, the sentence as it was."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
import pytest

from croupier.rules.operator import Person, Role
from croupier.rules.reasons import (
    PlainReason,
    Reason,
    ReasonCode,
    RuleReason,
    did_you_mean,
)

PACKAGES = (
    "croupier.audit.journal.problems",
    "croupier.batch.game_words",
    "croupier.games.installed",
    "croupier.house.reasons",
    "croupier.journal.findings",
    "croupier.table.reasons",
    "croupier.transcript.reasons",
    "croupier.web.reasons",
)
for package in PACKAGES:
    import_module(package)
CODES = [each for kind in ReasonCode.__subclasses__() for each in kind]


def test_every_reason_is_said_with_its_places_filled() -> None:
    said = [str(code(**dict.fromkeys(code.places, "x"))) for code in CODES]

    assert [each for each in said if not each or "{" in each] == []


def test_no_two_reasons_have_the_same_code() -> None:
    assert len(CODES) > 300
    assert len({each.code for each in CODES}) == len(CODES)


def test_a_missing_or_unknown_place_is_an_assertion_error() -> None:
    with pytest.raises(AssertionError):
        RuleReason.AREA_FULL()
    with pytest.raises(AssertionError):
        RuleReason.AREA_FULL(area="red", player="Anna")


def test_money_people_and_reasons_are_said_by_the_place_they_stand_in() -> None:
    acting = Person("Ann", Role.PIT_MANAGER, acting=True)
    void = RuleReason.ROUND_VOID(reason=RuleReason.BALL_BROKE())
    limits = RuleReason.OUTSIDE_LIMITS(
        player="Ben", sum_cents=250, area="red", low_cents=500, high_cents=10_000
    )
    near = did_you_mean(RuleReason.NO_SUCH_WAGER(game="Roulette", wager="x"), "red")

    assert str(RuleReason.MAY_NOT_DO(person=acting.named, play="SpinBall")) == (
        "Ann acting Pit Manager may not do this: spin ball"
    )
    assert str(void) == "the round is void: the ball broke"
    assert str(limits) == "Ben would have 2.50 on red; the limits are 5.00 to 100.00"
    assert str(near) == "Roulette has no x; did you mean red?"


@pytest.mark.parametrize("value", [None, 1.5, float("nan"), True, 10**30, ["17"]])
def test_a_value_of_any_kind_is_converted_for_a_journal(value: Any) -> None:
    reason = RuleReason.NO_SUCH_ROUND(round=value)

    assert reason.values == {"round": str(value)}
    assert msgspec.json.decode(msgspec.json.encode(reason), type=Reason) == reason


def test_a_reason_reads_back_and_can_be_a_key() -> None:
    reason = RuleReason.ROUND_HELD(reason=RuleReason.TOO_MANY_LIT(count=10))

    again = msgspec.json.decode(msgspec.json.encode(reason), type=Reason)

    assert again == reason
    assert len({again, reason}) == 1


def test_an_unloaded_code_is_shown_as_the_code() -> None:
    assert str(Reason("of_tomorrow", {"count": 3})) == "of_tomorrow 3"
    assert str(PlainReason.RECORDED(text="so it was")) == "so it was"
