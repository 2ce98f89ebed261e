"""Past rounds, read from the journal on both databases."""

from __future__ import annotations

import pytest

from croupier.house.history.past_rounds import recall
from croupier.journal.store import JournalError, Store
from croupier.rules import commands
from croupier.rules.wheel import Number
from croupier.table.commands import ReportShown
from tests.table.a_table import DEALER, NOON, SUPERVISOR, Played


def test_a_round_is_recalled_with_acts_refusals_money_and_corrections(
    store: Store,
) -> None:
    played = Played(store)
    played.buy_in("Anna", 10_000)
    played.play_round("5", ["Anna: place red 10 as w1"])
    played.say(
        "Dealer: place your bets",
        "Anna: place 17 10 as w1",
        "Anna: place 17 99999 as w2",
        "Dealer: spin",
        "Dealer: no more bets",
    )
    played.done(ReportShown("T1", "No More Bets", NOON + 7))
    played.say("Dealer: outcome 17", "Dealer: settle")
    played.play_round("1")
    played.done(commands.CorrectOutcome(2, Number("18")), DEALER, SUPERVISOR)

    recalled = recall(store, "t1", 2)

    assert [each.event for each in recalled.events] == [
        "RoundBegun",
        "PlaceYourBetsAnnounced",
        "WagerPlaced",
        "ActRefused",
        "BallSpun",
        "NoMoreBetsAnnounced",
        "LayoutFrozen",
        "AnnouncementShown",
        "OutcomeAnnounced",
        "ResultSent",
        "RoundSettled",
        "OutcomeCorrected",
        "ResultSent",
        "RoundSettled",
        "LaterRoundsStand",
    ]
    assert recalled.document == "Roulette Triple Zero (RWS)"
    assert recalled.winning_number == "18"
    assert recalled.credit_before == {"Anna": 11_000}
    assert recalled.credit_after == {"Anna": 10_000}
    placed = recalled.events[2]
    assert placed.at_ms == NOON
    entries = [(each.account, each.cents) for each in placed.entries]
    assert entries == [("seat:Anna", -1_000), ("layout", 1_000)]


@pytest.mark.parametrize("number", [0, -1, 2, 10**9])
def test_a_round_that_is_not_there_is_not_recalled(store: Store, number: int) -> None:
    played = Played(store)
    played.play_round("5")

    with pytest.raises(JournalError):
        recall(store, "t1", number)
