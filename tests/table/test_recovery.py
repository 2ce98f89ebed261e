"""A reopened table: the same state, the same answers, an honest interruption."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Account
from croupier.ledger.commands import BuyColourChips, BuyIn, CashOut, Fill
from croupier.rules import commands as play
from croupier.rules.events import OutcomeCorrected
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.wheel import Number
from croupier.table import Table
from croupier.table.commands import AnyCommand, ChangeTerms, CloseTable, ReopenTable
from croupier.table.reasons import StreamError
from croupier.table.replay import recall_round, recover
from tests.golden_tables import GAMES
from tests.journal.stored import stored_snapshots
from tests.robustness.checker import Follower, seen
from tests.robustness.stores import MemoryStore
from tests.simulation.one_table import (
    BEN,
    RWS_MANAGER,
    OneTable,
)

TRIPLE = "rws-triple-zero"


class CountingStore(MemoryStore):
    """Counts the events that are read."""

    def __init__(self, same: MemoryStore) -> None:
        super().__init__(same)
        self.read = 0

    def events(self, stream: str, **which: Any) -> Iterator[EventRow]:
        for row in super().events(stream, **which):
            self.read += 1
            yield row


def _replayed(table: OneTable) -> Follower:
    """Replay from event 1, with every invariant of the simulation."""
    follower = Follower(table.stream, DEFAULT_HOUSE)
    follower.follow(table.store)
    follower.check(table.store, table.table)
    return follower


@pytest.mark.parametrize("rounds", [20, 200])
def test_a_start_reads_few_events_even_of_a_long_journal(
    rounds: int,
) -> None:
    store = MemoryStore()
    table = OneTable(open_store=store.again, snapshot_every=50).bought_in(10_000_000)
    for _ in range(rounds):
        table.play_round("red", 1_000, "1")
    state, count = seen(table.table.state), table.table.head.sequence
    counting = CountingStore(store)

    table.reopen(counting)

    assert seen(table.table.state) == state
    assert count > 7 * rounds
    assert counting.read <= 50 + 20


def test_snapshot_and_replay_are_the_same_state_as_replay_alone() -> None:
    table = OneTable("mbs-roulette-v3", "red 5 100", snapshot_every=15)
    table.bought_in(1_000_000)
    table.do(play.IssueColour("blue", "Anna", 100))
    for number in ("1", "2", "17", "0", "36"):
        table.opened()
        table.do(play.PlaceWager("under", "Ben", read_wager("red"), 100), BEN)
        table.place("w1", "17", 1_000)
        table.conclude(number)

    recovered = recover(table.store, "t1", DEFAULT_HOUSE)

    follower = _replayed(table)
    assert len(stored_snapshots(table.store, "t1")) > 1
    assert recovered.events_since_snapshot < 30
    assert follower.state is not None
    assert seen(recovered.state) == seen(follower.state) == seen(table.table.state)
    assert recovered.state.series.stood == {"Ben": 1}
    assert recovered.state.series.colours["blue"].player == "Anna"


def test_a_snapshot_is_taken_between_rounds_only() -> None:
    table = OneTable(snapshot_every=1).bought_in(100_000).opened()
    table.place("w1", "17", 1_000)
    table.close_betting()

    before = stored_snapshots(table.store, "t1")
    table.do(play.AnnounceOutcome(Number("17")))
    table.do(play.Settle())

    assert before == []
    [snapshot] = stored_snapshots(table.store, "t1")
    [taken] = [r for r in table.store.events("t1") if r.kind == "SnapshotTaken"]
    assert taken.sequence == snapshot.sequence + 1


@pytest.mark.parametrize("game", GAMES)
def test_a_crash_between_rounds_interrupts_nothing(
    game: str,
) -> None:
    table = OneTable(game).bought_in(100_000)
    table.play_round("17", 1_000, "17")
    state, head = table.table.state, table.table.head

    table.reopen()

    assert seen(table.table.state) == seen(state)
    assert table.table.head == head
    table.play_round("17", 1_000, "17")


@pytest.mark.parametrize("game", GAMES)
def test_answers_are_the_same_after_a_restart(game: str) -> None:
    table = OneTable(game, snapshot_every=5).bought_in(100_000)
    sent: list[tuple[str, AnyCommand]] = [
        ("a", play.PlaceYourBets()),
        ("b", BuyIn("Ben", 500)),
        ("c", CashOut("Ben", 501)),
        ("d", play.SpinBall()),
        ("e", play.Settle()),
    ]
    first = [table.send(command_id, command) for command_id, command in sent]
    table.reopen()
    head = table.table.head

    again = [table.send(command_id, command) for command_id, command in sent]

    assert again == first
    assert table.table.head == head


@pytest.mark.parametrize("game", GAMES)
def test_a_round_long_past_is_corrected_and_the_table_opens_again(game: str) -> None:
    table = OneTable(game, snapshot_every=20).bought_in(1_000_000)
    for _ in range(12):
        table.play_round("17", 1_000, "17")
    table.reopen()
    credit = table.credit()
    assert table.table.state.series.find(1) is None

    corrected = table.correct(1, "18")
    paid = _won_in_round(table, 1)
    state = seen(table.table.state)
    table.reopen()

    assert isinstance(corrected.events[0], OutcomeCorrected)
    assert paid == 0
    assert credit - table.credit() >= 36_000
    assert seen(table.table.state) == state
    table.correct(1, "17")
    assert table.credit() == credit
    _replayed(table)


def _won_in_round(table: OneTable, number: int) -> int:
    game = table.table.state.series.game
    settled = recall_round(table.store, "t1", game, number).settled
    assert settled is not None
    return sum(piece.paid_cents for wager in settled.wagers for piece in wager.pieces)


def test_corrections_on_both_sides_of_a_snapshot_meet_in_one_round() -> None:
    table = OneTable(snapshot_every=60).bought_in(1_000_000)
    table.play_round("17", 1_000, "17")
    table.correct(1, "18")
    while not stored_snapshots(table.store, "t1"):
        table.play_round("red", 1_000, "2")
    table.correct(1, "17")
    table.correct(1, "5")

    table.reopen()

    table.correct(1, "17")
    _replayed(table)
    recalled = recall_round(table.store, "t1", table.table.state.series.game, 1)
    assert recalled.winning_number == "17"


def test_rounds_long_past_are_voided_after_a_restart() -> None:
    table = OneTable(snapshot_every=20).bought_in(3_000)
    for number in ("17", "1", "1", "1", "1", "1"):
        table.play_round("17", 500, number)
    table.reopen()

    voiding = play.VoidRounds((1, 2), Irregularity.BALL_BROKE)
    table.do(voiding, RWS_MANAGER)
    table.reopen()

    assert table.credit() == 3_000 - 4 * 500
    again = table.refusal(voiding, RWS_MANAGER)
    assert str(again.reason) == "the round is void: the ball broke"
    _replayed(table)


def test_claims_and_float_and_colours_outlast_a_restart() -> None:
    table = OneTable("mbs-roulette-v3").bought_in(1_000)
    table.do(play.IssueColour("blue", "Anna", 100))
    table.do(BuyColourChips("Anna", "blue", 7))
    table.do(Fill(5_000))
    table.play_round("17", 1_000, "17")
    table.do(CashOut("Anna", 36_000))
    table.correct(1, "18")

    table.reopen()

    balances = {
        name: table.table.state.balance(Account(name))
        for name in ("claim:Anna", "colour:blue", "float", "seat:Anna")
    }
    assert balances == {
        "claim:Anna": -36_000,
        "colour:blue": 700,
        "float": -5_000,
        "seat:Anna": 0,
    }


def test_a_closed_table_stays_closed() -> None:
    table = OneTable()
    table.do(CloseTable())

    table.reopen()

    assert str(table.refusal(play.PlaceYourBets()).reason) == "the table is closed"
    table.do(ReopenTable())
    table.opened()


def test_a_snapshot_keeps_that_a_table_is_closed_and_whose_colours_are_out() -> None:
    table = OneTable("mbs-roulette-v3", snapshot_every=1).bought_in(10_000)
    table.do(play.IssueColour("blue", "Anna", 100))
    marker, place = play.ValueMarker.CASH_CHIP, play.MarkerPlace.STAND
    table.do(play.IssueColour("red", "Ben", 500, marker, place))
    table.play_round("17", 1_000, "1")
    table.do(CloseTable())
    state = seen(table.table.state)

    recovered = recover(table.store, "t1", DEFAULT_HOUSE)

    assert recovered.events_since_snapshot == 1
    assert seen(recovered.state) == state
    red = recovered.state.series.colours["red"]
    assert (red.marker, red.stands_on) == (marker, place)
    assert not recovered.state.is_open
    assert recovered.state.series.current.colours["blue"].player == "Anna"


def test_terms_changed_before_a_crash_hold_for_the_next_round(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    table = OneTable(TRIPLE, "* 1 100", open_store=lambda: SqliteStore(path))
    table.bought_in(100_000)
    table.play_round("17", 1_000, "1")
    table.do(ChangeTerms(("* 5 50",), ()))

    table.reopen()

    table.opened()
    limit = table.table.state.series.current.limits.general
    assert limit is not None
    assert (limit.minimum_cents, limit.maximum_cents) == (500, 5_000)
    _replayed(table)
    table.store.close()


def test_a_table_that_was_never_opened_is_not_there() -> None:
    store = MemoryStore()

    with pytest.raises(StreamError, match="there is no table 't9' here"):
        Table(store, "t9", clock=lambda: 0)

    assert list(store.events("t9")) == []
