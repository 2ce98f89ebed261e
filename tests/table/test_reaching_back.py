"""Acts on past rounds that a table no longer has in memory."""

from __future__ import annotations

import pytest

from croupier.journal.store import Store
from croupier.rules.commands import (
    CorrectBonusNumbers,
    DecideOutcome,
    DecideRound,
    DecideWager,
    DrawBonusNumbers,
    ReturnIt,
)
from croupier.rules.events import RoundSettled
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted
from croupier.table.judgements import GENERATOR
from tests.table.a_table import DEALER, SUPERVISOR, Played

RWS_MANAGER = Person("Mia", Role.TABLE_GAMES_SHIFT_MANAGER)


@pytest.fixture
def forgetful(store: Store) -> Played:
    """A table that keeps only the round in play."""
    played = Played(store, snapshot_every=1)
    played.buy_in("Anna", 10_000)
    played.play_round("17", ["Anna: place 17 10 as w1"])
    for _ in range(2):
        played.play_round("5")
    assert played.table.state.series.find(1) is None
    return played


def test_a_round_long_settled_is_decided(forgetful: Played) -> None:
    decision = DecideOutcome(Number("20"), "the film shows 20")

    done = forgetful.done(DecideRound(1, decision), RWS_MANAGER)

    [settled] = [each for each in done.events if isinstance(each, RoundSettled)]
    assert settled.winning_number == "20"
    assert forgetful.credit("Anna") == 9_000


def test_one_wager_of_a_past_round_is_decided(forgetful: Played) -> None:
    decision = DecideWager("w1", ReturnIt(), "placed after the ball came to rest")

    forgetful.done(DecideRound(1, decision), RWS_MANAGER)

    assert forgetful.credit("Anna") == 10_000


def test_a_draw_of_long_ago_is_corrected(store: Store) -> None:
    played = Played(store, "mbs-fast-action-v2", snapshot_every=1)
    played.buy_in("Anna", 10_000)
    lit = [Number(str(each)) for each in range(1, 11)]
    _play(played, "17", lit, "Anna: place 17 10 as w1")
    _play(played, "5", lit)
    assert played.table.state.series.find(1) is None
    right = (*lit[:9], Number("17"))

    played.done(CorrectBonusNumbers(1, right), DEALER, SUPERVISOR)

    assert played.credit("Anna") == 10_000 + 40_000


def _play(played: Played, number: str, lit: list[Number], *wagers: str) -> None:
    before = ("Dealer: place your bets", *wagers, "Dealer: spin")
    answers = played.say(*before, "Dealer: no more bets")
    answers.append(played.ask(DrawBonusNumbers(tuple(lit)), GENERATOR))
    answers += played.say(f"Dealer: outcome {number}", "Dealer: settle")
    assert all(isinstance(each, Accepted) for each in answers), answers
