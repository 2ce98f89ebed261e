"""A batch gives the same results as its commands one at a time by the pure core.

Twins take the same commands: one in batches, whose runs of placings share a draft of
the state; the other one by one and without drafts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import pytest
from msgspec.structs import replace

from croupier.journal.store import JournalError, Store
from croupier.journal.tables import StreamBatch
from croupier.ledger.accounts import seat
from croupier.ledger.commands import BuyIn
from croupier.ledger.money import VoucherIssued
from croupier.rules import commands as play
from croupier.rules.clause import Clause, Refusal
from croupier.rules.notation import AreaText, read_wager
from croupier.rules.reasons import PlainReason
from croupier.rules.round import Phase
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import table as table_module
from croupier.table.commands import TABLE_COMMANDS, AnyCommand, Together
from croupier.table.state import TableState
from croupier.table.wagers import DraftState
from tests.golden_tables import GAMES
from tests.rules.random_play import PLAYERS
from tests.simulation.dealing import DEALER, Act, Dealing, boss_of
from tests.simulation.managing import ANONYMOUS, Managing
from tests.simulation.one_table import ANNA, OneTable
from tests.simulation.playing import Playing
from tests.simulation.seeded import Dice

BATCHES = 80
MOST_TWINS = 25
UNSOUND = "two\nlines"
MOST_STAKED_CENTS = 30_000
LIMITED = Refusal(
    Clause("House rules", "7.2"), PlainReason.RECORDED(text="a Player's own limit")
)
RULINGS = {*get_args(play.Treatment), play.GiveTo}
EVERY_KIND: set[type[object]] = {
    *get_args(play.Command),
    *TABLE_COMMANDS,
    Together,
}


def permit(state: TableState, submission: Submission) -> Refusal | None:
    """Refuse a stake above the Player's own limit in a round, as the house does."""
    command = submission.command
    if not isinstance(command, play.WagerCommand) or not state.series.last:
        return None
    wagers = state.series.current.board.in_order()
    staked = sum(each.stake_cents for each in wagers if each.player == command.player)
    over = staked + (command.stake_cents or 0) > MOST_STAKED_CENTS
    return LIMITED if over else None


class Twins:
    """Two tables that get the same commands from the same people."""

    def __init__(self, game: str, seed: str, patch: pytest.MonkeyPatch) -> None:
        self.dice = Dice(seed)
        self.together, self.apart = (
            OneTable(
                *(game, "* 1 300", "straight_up 2 100"),
                permit=permit,
                is_anonymous=lambda seat: seat in ANONYMOUS,
            )
            for _ in range(2)
        )
        self._rules = rules = self.apart.table.state.series.game
        self._vouchers: list[str] = []
        self._dealing = Dealing(rules, self.dice)
        self._managing = Managing(rules, self.dice, self._dealing)
        self._playing = [Playing(rules, p, self.dice, self._vouchers) for p in PLAYERS]
        self._patch = patch
        self._sent: list[Submission] = []
        self.counts: Counter[str] = Counter()
        self.kinds: set[type[object]] = set()
        """The kinds of commands and of accepted rulings, and the house's refusal."""

    def play(self) -> None:
        """Send one batch to both tables, and compare all results."""
        if self.dice.is_one_in(20):
            for table in (self.together, self.apart):
                table.reopen()
        batch: list[Submission] = []
        expected: list[Answer] = []
        for _ in range(1 + self.dice.below(25)):
            submission = self._next()
            if submission is not None:
                batch.append(submission)
                expected.append(self._alone(submission))
        answers = self.together.table.handle(batch) if batch else []
        assert answers == expected
        assert self.together.table.state == self.apart.table.state
        assert type(self.together.table.state) is not DraftState
        assert self.together.table.head == self.apart.table.head
        for one, other in zip(answers, batch, strict=True):
            self._count(one, other.command)

    def _count(self, answer: Answer, command: AnyCommand) -> None:
        self.kinds.add(type(command))
        self.counts[f"{type(answer).__name__} {type(command).__name__}"] += 1
        if isinstance(answer, Refused):
            if answer.refusal == LIMITED:
                self.kinds.add(type(LIMITED))
            return
        ruled = command.decision if isinstance(command, play.DecideRound) else command
        if isinstance(ruled, play.RuleOnWager | play.DecideWager):
            self.kinds.add(type(ruled.treatment))
        for event in answer.events:
            if isinstance(event, VoucherIssued):
                self._vouchers.append(event.code)

    def _alone(self, submission: Submission) -> Answer:
        with self._patch.context() as patch:
            patch.setattr(table_module, "in_run", lambda state, *_: state)
            [answer] = self.apart.table.handle([submission])
        return answer

    def _next(self) -> Submission | None:
        """Return the next command: often a Player's, sometimes one sent before."""
        state = self.apart.table.state
        if self._sent and self.dice.is_one_in(15):
            return self.dice.one(self._sent)
        act: Act | None
        if self.dice.is_one_in(12):
            player, cents = self.dice.one(PLAYERS), self.dice.one((500, 2_000, 9_000))
            act = (DEALER,), BuyIn(player, cents)
        elif self.dice.is_one_in(4):
            act = self._managing.next_act(state)
        elif self.dice.is_one_in(20):
            act = self.dice.one((self._dealing.odd_act, self._dealing.mishap))()
        elif self.dice.is_one_in(3):
            act = self._ruling(state) or self._dealing.next_act(state)
        else:
            act = self.dice.one(self._playing).next_act(state)
        if act is None:
            return None
        people, command = act
        submission = Submission(f"c{len(self._sent)}", people, self._odd(command))
        if self.dice.is_one_in(3):
            named = state.series.last - self.dice.is_one_in(6)
            submission = replace(submission, round_number=named)
        self._sent.append(submission)
        return submission

    def _ruling(self, state: TableState) -> Act | None:
        """Return a ruling or decision on a present or past wager, or nothing."""
        if not state.series.last or not self.dice.is_one_in(3):
            return None
        current, boss = state.series.current, boss_of(self._rules)
        lying = current.board.in_order()
        if not lying or current.phase is Phase.BETTING:
            return None
        wager, area = self.dice.one(lying), self.dice.one(self._rules.areas).name
        position = read_wager(area)
        assert isinstance(position, AreaText)
        treatments: list[play.Treatment] = [play.ReturnIt(), play.GiveAmount(100)]
        treatment = self.dice.one([*treatments, play.GivePosition(position)])
        if self.dice.is_one_in(2):
            return (boss,), play.RuleOnWager(wager.wager_id, treatment)
        given: play.Treatment | play.GiveTo = treatment
        if self.dice.is_one_in(2):
            given = play.GiveTo(self.dice.one(PLAYERS))
        decision = play.DecideWager(wager.wager_id, given)
        if self.dice.is_one_in(2):
            past = 1 + self.dice.below(state.series.last)
            return (boss,), play.DecideRound(past, decision)
        return (boss,), decision

    def _odd(self, command: AnyCommand) -> AnyCommand:
        """Return the command; a placing may get an invalid id or text."""
        if not isinstance(command, play.PlaceWager) or not self.dice.is_one_in(8):
            return command
        lying = self.apart.table.state.series.current.board.in_order()
        used = self.dice.one(lying).wager_id if lying else "w1"
        return self.dice.one(
            (
                replace(command, wager_id=used),
                replace(command, terminal=UNSOUND),
                replace(command, terminal="half \ud83c"),
                replace(command, wager_id="long" * 300),
                replace(command, terminal="Zoë's \\ „T1“"),
                replace(command, stake_cents=-100),
                replace(command, player="Nobody"),
            )
        )


def _placing(wager_id: str, cents: int) -> play.PlaceWager:
    return play.PlaceWager(wager_id, "Anna", read_wager("17"), cents, electronic=True)


@pytest.mark.parametrize("seed", range(2))
def test_a_batch_is_its_commands_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs in every game, until every kind of command and ruling has occurred."""
    missing = {*EVERY_KIND, *RULINGS, type(LIMITED)}
    for number in range(MOST_TWINS):
        if number >= len(GAMES) and not missing:
            break
        game = GAMES[number % len(GAMES)]
        twins = Twins(game, f"{game} {seed} {number}", monkeypatch)
        for _ in range(BATCHES):
            twins.play()

        mine, other = twins.together, twins.apart
        assert mine.store.balances("t1") == other.store.balances("t1")
        assert list(mine.store.entries("t1")) == list(other.store.entries("t1"))
        assert list(mine.store.events("t1")) == list(other.store.events("t1"))
        assert twins.counts["Accepted PlaceWager"] > 20, twins.counts
        assert twins.counts["Refused PlaceWager"] > 20, twins.counts
        assert sum(twins.counts.values()) > 300, twins.counts
        missing -= twins.kinds
    assert not missing


def test_credit_and_limits_are_judged_in_order_within_a_batch() -> None:
    table = OneTable("rws-triple-zero", "* 1 100").bought_in(25_000).opened()

    def lay(number: int, cents: int) -> Submission:
        return Submission(f"c{number}", (ANNA,), _placing(f"w{number}", cents))

    answers = table.table.handle(
        [lay(1, 6_000), lay(2, 6_000), lay(3, 4_000), lay(4, 100)]
    )

    taken = [type(each) for each in answers]
    assert taken == [Accepted, Refused, Accepted, Refused]  # 60, 120, 100, 101
    assert table.credit() == 15_000
    assert table.table.state.series.current.board.stake_cents == 10_000


def test_a_wager_withdrawn_in_the_batch_it_was_placed_in_lies_there_no_more() -> None:
    table = OneTable("rws-triple-zero", "* 1 100").bought_in(1_000).opened()
    placing = _placing("w1", 600)
    again = _placing("w2", 1_000)

    answers = table.table.handle(
        [
            Submission("c1", (ANNA,), placing),
            Submission("c2", (ANNA,), again),
            Submission("c3", (ANNA,), play.WithdrawWager("w1", "Anna")),
            Submission("c4", (ANNA,), again),
        ]
    )

    assert [type(each) for each in answers] == [Accepted, Refused, Accepted, Accepted]
    board = table.table.state.series.current.board
    assert [wager.wager_id for wager in board.in_order()] == ["w2"]
    assert table.table.state.balance(seat("Anna")) == 0


def test_a_state_that_others_hold_does_not_change() -> None:
    table = OneTable("rws-triple-zero", "* 1 100").bought_in(1_000).opened()
    before = table.table.state
    board = before.series.current.board

    table.table.handle(
        [
            Submission(f"c{number}", (ANNA,), _placing(f"w{number}", 100))
            for number in range(5)
        ]
    )

    assert before.balance(seat("Anna")) == 1_000
    assert (len(board.wagers), board.stake_cents, board.layers) == (0, 0, 0)
    assert table.table.state.balance(seat("Anna")) == 500


def test_placings_sent_again_get_their_first_answers_beside_new_ones(
    store: Store,
) -> None:
    table = OneTable("rws-triple-zero", "* 1 100", open_store=lambda: store)
    table.bought_in(1_000).opened()
    first = [
        Submission("c1", (ANNA,), _placing("w1", 600)),
        Submission("c2", (ANNA,), _placing("w2", 600)),
    ]
    answers = table.table.handle(first)
    new = Submission("c3", (ANNA,), _placing("w3", 300))

    again = table.table.handle([first[1], new, first[0], new])

    assert [type(each) for each in answers] == [Accepted, Refused]
    assert again[0] == answers[1]
    assert again[2] == answers[0]
    assert isinstance(again[1], Accepted)
    assert again[3] == again[1]
    assert table.table.failure is None
    assert table.credit() == 100
    assert store.balances("t1")[seat("Anna")] == 100
    commands = [row.command_id for row in store.events("t1")]
    assert [commands.count(each) for each in ("c1", "c2", "c3")] == [1, 1, 1]


def test_placings_that_the_journal_refuses_are_not_tried_again() -> None:
    table = OneTable("rws-triple-zero", "* 1 100").bought_in(1_000).opened()
    tried: list[StreamBatch] = []

    def append(batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        tried.extend(batches)
        return [JournalError("the rows are wrong")]

    table.table._append = append
    with pytest.raises(JournalError, match="the rows are wrong"):
        table.table.handle([Submission("c1", (ANNA,), _placing("w1", 600))])

    assert len(tried) == 1
    assert isinstance(table.table.failure, JournalError)
    assert table.table.state.series.current.board.stake_cents == 0
