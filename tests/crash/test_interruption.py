"""A table killed in the middle of a round, and what its document says of that."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.journal.events import table as hap
from croupier.journal.stores.sqlite import SqliteStore
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.answers import Accepted, Answer, Refused
from croupier.table.table import NewTable, Table
from tests.crash.checks import check_finished, check_journal
from tests.crash.scripts import DEALER, LIMITS, MANAGER, SUPERVISOR

SEVENTEEN = Number("17")
OPEN: tuple[ask.AnyCommand, ...] = (do.PlaceYourBets(),)
SPUN = (*OPEN, do.SpinBall())
CLOSED = (*SPUN, do.NoMoreBets())
AT_REST = (*CLOSED, do.ReportBallAtRest(SEVENTEEN))


class Case(NamedTuple):
    """Where a round stood, what the ball did, and what becomes of the round."""

    game: str
    acts: tuple[ask.AnyCommand, ...]
    ball: Number | None
    clause: str
    """Of the round's standing; empty where it simply goes on."""
    phase: Phase


def _cases() -> list[Case]:
    triple, v3, fast = "rws-triple-zero", "mbs-roulette-v3", "mbs-fast-action-v2"
    cases = [
        *(Case(triple, acts, None, "5.1.2", Phase.VOID) for acts in (OPEN, SPUN)),
        Case(triple, CLOSED, None, "5.1.2", Phase.VOID),
        Case(triple, CLOSED, SEVENTEEN, "", Phase.CLOSED),  # 5.1.1
        Case(triple, AT_REST, SEVENTEEN, "", Phase.CLOSED),
    ]
    for game in (v3, fast):  # 5.11.2, 5.12.2; after the drop A26
        cases += [
            Case(game, OPEN, None, "", Phase.BETTING),
            Case(game, SPUN, None, "", Phase.BETTING),
            Case(game, CLOSED, None, "", Phase.CLOSED),
            Case(game, CLOSED, SEVENTEEN, "", Phase.CLOSED),
        ]
    for game in ("mbs-roulette-v2", "mbs-complete-bet-v2"):
        for acts, ball in ((OPEN, None), (CLOSED, None), (AT_REST, SEVENTEEN)):
            cases.append(Case(game, acts, ball, "A12", Phase.HELD))
    return cases


class Seat:
    """A table and the hand that sends commands to it."""

    def __init__(
        self, store: SqliteStore, game: str, sent: str, *, virtual_wheel: bool = False
    ) -> None:
        clock = count(1_700_000_000_000).__next__
        opened = NewTable(DEALER, game, LIMITS, (), virtual_wheel)
        self.table = Table(store, "main", clock=clock, new=opened)
        self._sent = sent
        self._numbers = count()

    def ask(self, command: ask.AnyCommand, *people: Person) -> Answer:
        command_id = f"{self._sent}{next(self._numbers)}"
        submission = ask.Submission(command_id, people or (DEALER,), command)
        [answer] = self.table.handle([submission])
        return answer


def killed_in(path: Path, case: Case, *, virtual_wheel: bool = False) -> None:
    """The files that a process killed at this moment leaves; `test_kills` kills it."""
    alive = path.with_name("alive")
    with SqliteStore(alive) as store:
        seat = Seat(store, case.game, "before", virtual_wheel=virtual_wheel)
        wager = do.PlaceWager("w1", "Anna", read_wager("17"), 500, electronic=True)
        first, *others = case.acts
        for command in (ask.BuyIn("Anna", 100_000), first):
            assert isinstance(seat.ask(command), Accepted)
        assert isinstance(seat.ask(wager, Person("Anna", Role.PLAYER)), Accepted)
        for command in others:
            assert isinstance(seat.ask(command), Accepted)
        for ending in ("", "-wal"):
            shutil.copy(f"{alive}{ending}", f"{path}{ending}")


def boss_of(table: Table) -> Person:
    return Person("Boss", table.state.series.game.operator.ladder[-1])


@pytest.mark.parametrize("case", _cases(), ids=str)
def test_an_interrupted_round_goes_by_its_documents_clause(
    case: Case, tmp_path: Path
) -> None:
    killed_in(tmp_path / "journal", case)
    with SqliteStore(tmp_path / "journal") as store:
        seat = Seat(store, case.game, "after")
        table = seat.table
        waits = table.state.interruption is not None

        refused = [seat.ask(act) for act in (do.Settle(), do.NoMoreBets())]
        unconfirmed = seat.ask(ask.ConfirmBall(), SUPERVISOR)
        stated = seat.ask(ask.StateBall(case.ball))
        by_the_same = seat.ask(ask.ConfirmBall())
        settled_early = seat.ask(do.Settle())
        confirmed = seat.ask(ask.ConfirmBall(), SUPERVISOR)

        current = table.state.series.current
        standing = current.standing
        assert waits
        assert all(isinstance(each, Refused) for each in refused)
        assert isinstance(unconfirmed, Refused)
        assert isinstance(stated, Accepted)
        assert isinstance(by_the_same, Refused)
        assert isinstance(settled_early, Refused)
        assert isinstance(confirmed, Accepted)
        assert table.state.interruption is None
        assert current.phase is case.phase
        assert (standing.clause.number if standing else "") == case.clause
        assert current.facts.at_rest == case.ball
        finish(seat, case)
        check_journal(store)
        check_finished(store)


def finish(seat: Seat, case: Case) -> None:
    """To the settlement: on the ball's number, as decided, or void."""
    boss = boss_of(seat.table)
    facts = seat.table.state.series.current.facts
    draws = case.game == "mbs-fast-action-v2"
    acts: list[tuple[ask.AnyCommand, Person]] = []
    if case.phase is Phase.HELD:
        decided = do.DecideOutcome(case.ball) if case.ball else do.DecideVoid()
        acts = [(decided, boss)]
    elif case.phase is not Phase.VOID:
        if not facts.spun:
            acts.append((do.SpinBall(), DEALER))
        if not facts.closed:
            acts.append((do.NoMoreBets(), DEALER))
        if draws:
            acts.append((ask.DrawNow(), DEALER))
        acts.append((do.AnnounceOutcome(SEVENTEEN), DEALER))
    for command, person in (*acts, (do.Settle(), DEALER)):
        answer = seat.ask(command, person)
        assert isinstance(answer, Accepted), answer


@pytest.mark.parametrize(
    ("acts", "phase"),
    [
        (CLOSED, Phase.VOID),
        ((*CLOSED, ask.SpinVirtualWheel()), Phase.CLOSED),
    ],
    ids=["before the ball came to rest", "after it"],
)
def test_a_virtual_wheel_answers_for_itself(
    acts: tuple[ask.AnyCommand, ...], phase: Phase, tmp_path: Path
) -> None:
    game = "rws-triple-zero"
    case = Case(game, acts, None, "", phase)
    killed_in(tmp_path / "journal", case, virtual_wheel=True)
    with SqliteStore(tmp_path / "journal") as store:
        before = [row.body for row in store.events("main") if row.kind == "BallAtRest"]

        seat = Seat(store, game, "after")

        current = seat.table.state.series.current
        kinds = [row.kind for row in store.events("main", round_number=1)]
        after = [row.body for row in store.events("main") if row.kind == "BallAtRest"]
        check_journal(store)
    assert seat.table.state.interruption is None
    assert current.phase is phase
    assert before == after
    for kind in (hap.TableInterrupted, hap.BallStated, hap.BallConfirmed):
        assert kinds.count(kind.__name__) == 1
    assert (ev.RoundVoided.__name__ in kinds) == (phase is Phase.VOID)


def test_a_table_killed_again_before_staff_spoke_still_waits_for_them(
    tmp_path: Path,
) -> None:
    case = Case("mbs-roulette-v3", CLOSED, None, "", Phase.CLOSED)
    killed_in(tmp_path / "journal", case)
    for _ in range(3):
        with SqliteStore(tmp_path / "journal") as store:
            Seat(store, case.game, "again")
    with SqliteStore(tmp_path / "journal") as store:
        seat = Seat(store, case.game, "after")

        seat.ask(ask.StateBall(None))
        confirmed = seat.ask(ask.ConfirmBall(), MANAGER)

        kinds = [row.kind for row in store.events("main")]
    assert isinstance(confirmed, Accepted)
    assert kinds.count(hap.TableInterrupted.__name__) == 1
