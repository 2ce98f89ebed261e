"""The preview of a two-person act changes nothing."""

from __future__ import annotations

import pytest

from croupier.journal.store import Store
from croupier.ledger.accounts import Entry, claim, seat
from croupier.ledger.commands import Adjust, BuyIn, CashOut, EndStay
from croupier.rules.clause import Clause, Refusal
from croupier.rules.commands import CorrectOutcome, PlaceYourBets, Settle, VoidRounds
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason
from croupier.rules.wheel import Number
from croupier.table import Accepted, Refused, Submission
from croupier.table.commands import AnyCommand
from croupier.table.judgements import Judgement
from tests.journal.batches import everything
from tests.table.a_table import ANNA, DEALER, SUPERVISOR, Played

MANAGER = Person("Shift Manager", Role.TABLE_GAMES_SHIFT_MANAGER)
PLAYED = 6
Act = tuple[AnyCommand, tuple[Person, ...]]

DONE: dict[str, Act] = {
    "a correction of the last round": (
        CorrectOutcome(PLAYED, Number("17")),
        (DEALER, SUPERVISOR),
    ),
    "a correction of a round long past": (
        CorrectOutcome(1, Number("5")),
        (DEALER, SUPERVISOR),
    ),
    "rounds made void": (VoidRounds((1, 3), Irregularity.BALL_BROKE), (MANAGER,)),
    "credit given": (Adjust("Anna", 250, "counted twice"), (DEALER, SUPERVISOR)),
    "credit taken": (Adjust("Anna", -250, "counted twice"), (SUPERVISOR, DEALER)),
}
REFUSED: dict[str, Act] = {
    "a correction by one": (CorrectOutcome(1, Number("5")), (DEALER,)),
    "a correction by a Player": (CorrectOutcome(1, Number("5")), (ANNA, DEALER)),
    "a correction of no round": (
        CorrectOutcome(99, Number("5")),
        (DEALER, SUPERVISOR),
    ),
    "a correction to no number": (
        CorrectOutcome(1, Number("37")),
        (DEALER, SUPERVISOR),
    ),
    "rounds made void by the Dealer": (
        VoidRounds((1,), Irregularity.BALL_BROKE),
        (DEALER,),
    ),
    "an adjustment by one": (Adjust("Anna", 250, "why"), (DEALER,)),
    "an adjustment twice by the same": (Adjust("Anna", 250, "why"), (DEALER, DEALER)),
    "an adjustment of nothing": (Adjust("Anna", 0, "why"), (DEALER, SUPERVISOR)),
    "an adjustment without a reason": (Adjust("Anna", 5, " "), (DEALER, SUPERVISOR)),
    "more than there is": (Adjust("Anna", -(10**9), "why"), (DEALER, SUPERVISOR)),
    "a text on two lines": (Adjust("Anna", 5, "a\nb"), (DEALER, SUPERVISOR)),
}


@pytest.fixture
def played(store: Store) -> Played:
    """Six rounds; the table has forgotten the first because of its snapshots."""
    played = Played(store, snapshot_every=10)
    played.buy_in("Anna", 100_000)
    played.play_round("17", ["Anna: place 17 10 as w1"])
    for _ in range(PLAYED - 1):
        played.play_round("1", ["Anna: place 17 10 as w1", "Anna: place red 5 as w2"])
    return played


def _before(played: Played) -> tuple[object, ...]:
    return played.table.head, played.table.state, everything(played.store)


def _told(preview: Judgement) -> tuple[Entry, ...]:
    assert isinstance(preview, tuple)
    return tuple(entry for each in preview for entry in each.entries)


def _entries(played: Played, answer: Accepted) -> tuple[Entry, ...]:
    return tuple(
        entry
        for sequence, _, entry in played.store.entries("t1")
        if answer.first <= sequence <= answer.last
    )


@pytest.mark.parametrize("name", DONE)
def test_a_preview_is_what_the_commit_then_does_and_changes_nothing(
    played: Played, name: str
) -> None:
    command, people = DONE[name]
    before, state = _before(played), played.table.state
    submission = Submission("act", people, command)

    previews = [played.table.preview(submission) for _ in range(2)]
    unchanged = _before(played) == before and played.table.state is state
    [answer] = played.table.handle([submission])

    assert unchanged
    assert isinstance(answer, Accepted), answer
    told = _told(previews[0])
    assert previews[0] == previews[1]
    assert told == _entries(played, answer)
    assert len(told) > 1
    assert sum(entry.cents for entry in told) == 0


@pytest.mark.parametrize("name", REFUSED)
def test_a_preview_is_refused_as_the_commit_is_and_changes_nothing(
    played: Played, name: str
) -> None:
    command, people = REFUSED[name]
    before = _before(played)
    submission = Submission("act", people, command)

    preview = played.table.preview(submission)
    unchanged = _before(played) == before
    [answer] = played.table.handle([submission])

    assert unchanged
    assert isinstance(answer, Refused)
    assert preview == answer.refusal


def test_a_preview_shows_money_that_is_gone_as_a_claim(played: Played) -> None:
    played.done(CashOut("Anna", played.credit("Anna") - 1_000))
    submission = Submission("act", (DEALER, SUPERVISOR), CorrectOutcome(1, Number("5")))

    preview = played.table.preview(submission)
    [answer] = played.table.handle([submission])

    assert isinstance(answer, Accepted)
    assert _told(preview) == _entries(played, answer)
    assert any(entry.account == claim("Anna") for entry in _told(preview))


def test_a_preview_shows_the_present_state(played: Played) -> None:
    submission = Submission(
        "act", (DEALER, SUPERVISOR), Adjust("Ben", -500, "counted twice")
    )

    poor = played.table.preview(submission)
    played.done(BuyIn("Ben", 500))
    rich = played.table.preview(submission)
    played.done(CashOut("Ben", 500))
    poor_again = played.table.preview(submission)

    assert isinstance(poor, Refusal)
    assert poor == poor_again
    assert Entry(seat("Ben"), -500) in _told(rich)


def test_a_preview_asks_the_house_as_the_commit_does(store: Store) -> None:
    barred = Refusal(
        Clause("House rules", "9"), PlainReason.RECORDED(text="not on a Sunday")
    )
    played = Played(
        store, permit=lambda _, each: barred if len(each.people) > 1 else None
    )
    played.buy_in("Anna", 1_000)

    submission = Submission("act", (DEALER, SUPERVISOR), Adjust("Anna", 5, "why"))

    assert played.table.preview(submission) == barred
    refused = Refused("act", barred, played.table.head.sequence + 1)
    assert played.table.handle([submission]) == [refused]


@pytest.mark.parametrize("command", [EndStay("Anna"), PlaceYourBets(), Settle()])
def test_only_a_two_person_act_is_previewed(
    played: Played, command: AnyCommand
) -> None:
    with pytest.raises(AssertionError):
        played.table.preview(Submission("act", (DEALER, SUPERVISOR), command))
