"""Wagers in one request: all of them are registered, or none."""

from __future__ import annotations

import pytest

from croupier.journal.events.table import ActRefused
from croupier.journal.store import Store
from croupier.journal.verification import verify
from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import IncreaseWager, PlaceWager, WithdrawWager
from croupier.rules.events import WagerIncreased, WagerPlaced, WagerWithdrawn
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person
from croupier.table import Accepted, Refused, Submission, Table
from croupier.table.answers import event_of
from croupier.table.commands import CloseTable, Together
from tests.robustness.checker import seen
from tests.table.a_table import ANNA, BEN, DEALER, NOON, Played, placing

Part = PlaceWager | IncreaseWager | WithdrawWager


def adding(wager_id: str, cents: int = 100) -> IncreaseWager:
    return IncreaseWager(wager_id, "Anna", cents)


def taking(wager_id: str) -> WithdrawWager:
    return WithdrawWager(wager_id, "Anna")


@pytest.fixture
def played(store: Store) -> Played:
    """Anna has 100.00 left of 110.00; her wager w0 lies on 17, Ben's b0 on 20."""
    played = Played(store)
    played.buy_in("Anna", 11_000)
    played.buy_in("Ben", 5_000)
    played.say("Dealer: place your bets")
    played.done(placing("w0", cents=1_000), ANNA)
    played.done(placing("b0", "20", 1_000, "Ben"), BEN)
    return played


def refused_whole(played: Played, *parts: Part) -> Refusal:
    """Return the refusal; check that nothing but its record has changed."""
    state, head = seen(played.table.state), played.table.head
    balances = played.store.balances("t1")

    answer = played.refused(Together(parts), ANNA)

    assert seen(played.table.state) == state
    assert played.store.balances("t1") == balances
    assert list(played.store.entries("t1", after=head.sequence)) == []
    [row] = played.store.events("t1", after=head.sequence)
    event, refusal = event_of(row), answer.refusal
    assert isinstance(event, ActRefused)
    assert (event.by, event.clause) == (ANNA, refusal.clause)
    assert event.reason == refusal.reason
    return refusal


def test_all_parts_are_registered_in_their_order(played: Played) -> None:
    answer = played.done(
        Together(
            (
                placing("w1", "red", 500),
                adding("w0", 200),
                placing("w2", "dozen:2", 300),
                adding("w1", 100),
                taking("w2"),
            )
        ),
        ANNA,
    )

    assert [type(event) for event in answer.events] == [
        WagerPlaced,
        WagerIncreased,
        WagerPlaced,
        WagerIncreased,
        WagerWithdrawn,
    ]
    assert answer.last - answer.first == 4
    wagers = played.table.state.series.current.board.wagers
    assert {name: wager.stake_cents for name, wager in wagers.items()} == {
        "w0": 1_200,
        "b0": 1_000,
        "w1": 600,
    }
    assert played.credit("Anna") == 10_000 - 500 - 200 - 100


REFUSED: dict[str, tuple[tuple[Part, ...], Rule]] = {
    "below the minimum": ((placing("w1"), placing("w2", "20", 50)), Rule.LIMITS),
    "credit for two of three": (
        tuple(placing(f"w{n}", "red", 4_000) for n in (1, 2, 3)),
        Rule.ELECTRONIC_PLACING,
    ),
    "credit for all but the increase": (
        (placing("w1", "red", 10_000), adding("w0", 1)),
        Rule.ELECTRONIC_PLACING,
    ),
    "an id twice": ((placing("w1"), placing("w1", "red")), Rule.WAGERS),
    "an id that is taken": ((placing("w1"), placing("w0", "red")), Rule.WAGERS),
    "an id withdrawn before": (
        (placing("w1"), taking("w1"), placing("w1")),
        Rule.WAGERS,
    ),
    "a wager that is not there": ((placing("w1"), adding("w9")), Rule.WAGERS),
    "a wager that comes later": ((adding("w1"), placing("w1")), Rule.WAGERS),
    "a wager withdrawn just now": ((taking("w0"), adding("w0")), Rule.WAGERS),
    "another Player's wager": ((placing("w1"), taking("b0")), Rule.WAGERS),
    "for another Player": ((placing("w1"), placing("w2", player="Ben")), Rule.WAGERS),
    "no amount": ((placing("w1"), adding("w1", 0)), Rule.WAGERS),
    "a text on two lines": (
        (placing("w1"), placing("w\n2")),
        Rule.ELECTRONIC_PLACING,
    ),
    "the first part": ((adding("w9"), placing("w1")), Rule.WAGERS),
    "nothing": ((), Rule.ELECTRONIC_PLACING),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_part_that_is_refused_refuses_all(played: Played, name: str) -> None:
    parts, rule = REFUSED[name]

    refusal = refused_whole(played, *parts)

    assert refusal.clause == played.table.state.series.game.clause(rule)


def test_the_limits_hold_for_the_sum_of_all_parts(store: Store) -> None:
    played = Played(store)
    played.buy_in("Anna", 5_000_000)
    played.say("Dealer: place your bets")

    refusal = refused_whole(
        played, placing("w1", cents=600_000), placing("w2", cents=500_000)
    )

    assert refusal.clause == played.table.state.series.game.clause(Rule.LIMITS)
    assert "11000.00 on straight_up:17" in str(refusal.reason)
    played.done(
        Together(
            (
                placing("w1", cents=600_000),
                taking("w1"),
                placing("w2", cents=500_000),
                placing("w3", cents=500_000),
            )
        ),
        ANNA,
    )


def test_credit_that_one_part_gives_back_is_there_for_the_next(
    played: Played,
) -> None:
    played.done(Together((taking("w0"), placing("w1", "red", 11_000))), ANNA)

    assert played.credit("Anna") == 0


def test_ids_of_refused_parts_stay_free_and_those_of_taken_ones_do_not(
    played: Played,
) -> None:
    refused_whole(played, placing("w1"), placing("w2"), adding("w9"))

    played.done(Together((placing("w1"), placing("w2"))), ANNA)

    refused_whole(played, placing("w3"), placing("w2"))


def test_the_refusal_is_that_of_the_part(played: Played) -> None:
    together = refused_whole(played, placing("w1", cents=4_000), adding("w9"))

    alone = played.refused(adding("w9"), ANNA).refusal

    assert together == alone


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ((placing("w1"), placing("w2")), Rule.LATE_WAGER),
        ((adding("w0"), placing("w1")), Rule.LATE_WAGER),
        ((taking("w0"), placing("w1")), Rule.LATE_WITHDRAWAL),
    ],
)
def test_a_late_command_of_several_wagers_is_refused_whole(
    played: Played, parts: tuple[Part, ...], rule: Rule
) -> None:
    played.say("Dealer: spin", "Dealer: no more bets")

    refusal = refused_whole(played, *parts)

    assert refusal.clause == played.table.state.series.game.clause(rule)


def test_before_the_first_round_and_at_a_closed_table_nothing_is_taken(
    store: Store,
) -> None:
    played = Played(store)
    played.buy_in("Anna", 10_000)
    refused_whole(played, placing("w1"), placing("w2"))
    played.done(CloseTable())

    assert str(refused_whole(played, placing("w1")).reason) == "the table is closed"


def test_two_hundred_parts_are_one_command(played: Played) -> None:
    placed = tuple(placing(f"n{n}", str(1 + n % 36)) for n in range(100))
    added = tuple(adding(f"n{n}") for n in range(99))
    whole = Together((*placed, *added, taking("w0")))
    too_dear = played.refused(whole, ANNA)
    played.buy_in("Anna", 50_000)
    head = played.table.head

    answer = played.done(whole, ANNA)

    rows = list(played.store.events("t1", after=head.sequence))
    assert str(too_dear.refusal.reason) == "Anna has 0.00 of credit"
    assert len(answer.events) == len(rows) == 200
    assert {row.command_id for row in rows} == {answer.command_id}
    assert (rows[0].sequence, rows[-1].sequence) == (answer.first, answer.last)
    assert played.table.head.sequence == head.sequence + 200
    assert played.credit("Anna") == 60_000 - 199 * 100 + 1_000
    assert len(played.table.state.series.current.board.wagers) == 101


def test_the_books_balance_at_every_part(store: Store, played: Played) -> None:
    answer = played.done(
        Together((placing("w1", "tiers", 100), adding("w0", 300), taking("w1"))), ANNA
    )
    refused_whole(played, placing("w2"), adding("w9"))
    played.say(
        "Dealer: spin", "Dealer: no more bets", "Dealer: outcome 17", "Dealer: settle"
    )

    sums: dict[int, int] = {}
    for sequence, _, entry in store.entries("t1"):
        sums[sequence] = sums.get(sequence, 0) + entry.cents
    assert set(sums.values()) == {0}
    assert sums.keys() >= set(range(answer.first, answer.last + 1))
    assert verify(store).is_clean
    assert played.credit("Anna") == 10_000 - 300 + 36 * 1_300


def test_every_part_is_recorded_under_one_command(played: Played) -> None:
    answer = played.done(Together((placing("w1"), adding("w1"), taking("w0"))), ANNA)

    rows = played.store.few_events("t1", answer.first, answer.last)

    assert {row.round_number for row in rows} == {1}
    assert tuple(event_of(row) for row in rows) == answer.events
    layout = [
        (sequence, entry.cents)
        for sequence, _, entry in played.store.entries("t1", after=answer.first - 1)
        if entry.account == "layout"
    ]
    assert layout == list(
        zip(range(answer.first, answer.last + 1), [100, 100, -1_000], strict=True)
    )


@pytest.mark.parametrize("parts", [(placing("w1"), adding("w1")), (adding("w9"),)])
def test_sent_again_it_has_the_first_answer_even_after_a_restart(
    played: Played, parts: tuple[Part, ...]
) -> None:
    submission = Submission("again", (ANNA,), Together(parts))
    other = Submission("again", (ANNA,), Together((placing("w5"),)))
    first, second = played.table.handle([submission, other])
    head, balances = played.table.head, played.store.balances("t1")

    [third] = played.table.handle([submission])
    opened = Table(played.store, "t1", clock=lambda: NOON)
    [fourth] = opened.handle([submission])

    assert first == second == third == fourth
    assert isinstance(first, Refused if len(parts) == 1 else Accepted)
    assert played.table.head == head
    assert opened.head.sequence == head.sequence + 3, "interrupted, closed, frozen"
    assert played.store.balances("t1") == balances


def test_together_shares_a_commit_in_its_place_among_other_commands(
    played: Played,
) -> None:
    commands: dict[str, Together | Part] = {
        "a": placing("w1", cents=9_000),
        "b": Together((placing("w2", cents=900), placing("w3", cents=900))),
        "c": Together((placing("w2", cents=500), placing("w3", cents=500))),
        "d": placing("w4"),
    }

    answers = played.table.handle(
        [Submission(name, (ANNA,), command) for name, command in commands.items()]
    )

    kinds = [type(answer) for answer in answers]
    assert kinds == [Accepted, Refused, Accepted, Refused]
    assert played.credit("Anna") == 0
    wagers = played.table.state.series.current.board.in_order()
    assert [wager.wager_id for wager in wagers] == ["w0", "b0", "w1", "w2", "w3"]


@pytest.mark.parametrize("game", ["mbs-roulette-v3", "rws-triple-zero"])
@pytest.mark.parametrize("person", [DEALER, BEN, ANNA])
def test_only_a_person_who_may_place_one_wager_may_place_several(
    store: Store, game: str, person: Person
) -> None:
    wager = PlaceWager(
        "w1", "Anna", read_wager("red"), 500, electronic=game.startswith("rws")
    )
    answers = []
    for stream, command in (("t1", wager), ("t2", Together((wager,)))):
        played = Played(store, game, stream=stream)
        played.buy_in("Anna", 10_000)
        played.say("Dealer: place your bets")

        answers.append(played.ask(command, person))

    alone, together = answers
    assert type(alone) is type(together)
    staff_may = person is DEALER and game == "mbs-roulette-v3"
    assert isinstance(alone, Accepted) == (person is ANNA or staff_may)
