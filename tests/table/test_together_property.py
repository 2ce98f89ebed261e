"""Random wagers in one request act as one by one, or change nothing."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.events.table import ActRefused
from croupier.rules.clause import Refusal
from croupier.rules.commands import IncreaseWager, PlaceWager, WithdrawWager
from croupier.rules.notation import read_wager
from croupier.table.answers import Accepted, Refused, event_of
from croupier.table.commands import Together
from tests.robustness.checker import Follower, seen
from tests.simulation.one_table import ANNA, BEN, OneTable

Part = PlaceWager | IncreaseWager | WithdrawWager
GAMES = ("rws-triple-zero", "mbs-fast-action-v2", "mbs-roulette-v2")
WAGERS = ("17", "17", "1", "2", "0", "36", "2", "3", "red")
STAKES = (100, 100, 100, 200, 500, 2_000, 4_900)
LIMITS = ("* 1 60",)

players = st.sampled_from(["Anna"] * 30 + ["Ben"])
stakes = st.sampled_from(STAKES)
placings = st.builds(
    PlaceWager,
    wager_id=st.sampled_from([f"w{n}" for n in range(1, 100)]),
    player=players,
    wager=st.sampled_from(WAGERS).map(read_wager),
    stake_cents=stakes,
    electronic=st.just(True),
)


@st.composite
def wholes(draw: st.DrawFn) -> tuple[Part, ...]:
    """Draw a request, mostly about wagers that exist by then."""
    asked: list[Part] = []
    ids = ["w0"]
    for _ in range(draw(st.integers(1, 7))):
        kind = draw(st.integers(0, 9))
        wager_id = draw(st.sampled_from([*ids * 5, "b0"]))
        if kind < 6:
            placing = draw(placings)
            asked.append(placing)
            ids.append(placing.wager_id)
        elif kind < 9:
            asked.append(IncreaseWager(wager_id, draw(players), draw(stakes)))
        else:
            asked.append(WithdrawWager(wager_id, draw(players)))
    return tuple(asked)


def _table(game: str) -> OneTable:
    """Return a table with Anna's w0 and Ben's b0; Anna has 90.00 left."""
    table = OneTable(game, *LIMITS).bought_in(10_000).bought_in(10_000, BEN).opened()
    table.place("w0", "17", 1_000)
    table.place("b0", "1", 1_000, BEN)
    return table


def _one_by_one(twin: OneTable, asked: tuple[Part, ...]) -> list[Accepted] | Refusal:
    answers: list[Accepted] = []
    for part in asked:
        answer = twin.ask(part, ANNA)
        if isinstance(answer, Refused):
            return answer.refusal
        answers.append(answer)
    return answers


def _check_taken(table: OneTable, twin: OneTable, whole: Accepted) -> None:
    """Check that the two tables differ in the commands' ids only."""
    first = whole.first
    assert seen(table.table.state) == seen(twin.table.state)
    assert table.store.balances("t1") == twin.store.balances("t1")
    assert list(table.store.entries("t1")) == list(twin.store.entries("t1"))
    for mine, other in zip(
        table.store.events("t1", after=first - 1),
        twin.store.events("t1", after=first - 1),
        strict=True,
    ):
        assert mine[:3] == other[:3]
        assert mine[4:10] == other[4:10]


def test_together_equals_its_parts_one_by_one_or_changes_nothing() -> None:
    outcomes: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(st.sampled_from(GAMES), wholes())
    def check(game: str, asked: tuple[Part, ...]) -> None:
        table, twin = _table(game), _table(game)
        state, head = seen(table.table.state), table.table.head
        balances = table.store.balances("t1")

        expected = _one_by_one(twin, asked)
        answer = table.ask(Together(asked), ANNA)

        if isinstance(expected, Refusal):
            assert isinstance(answer, Refused)
            assert answer.refusal == expected
            assert seen(table.table.state) == state
            assert table.store.balances("t1") == balances
            [row] = table.store.events("t1", after=head.sequence)
            assert isinstance(event_of(row), ActRefused)
        else:
            assert isinstance(answer, Accepted)
            assert answer.events == tuple(e for each in expected for e in each.events)
            _check_taken(table, twin, answer)
        follower = Follower("t1", DEFAULT_HOUSE)
        follower.follow(table.store)
        follower.check(table.store, table.table)
        outcomes["taken" if isinstance(answer, Accepted) else "refused"] += 1
        outcomes["of several"] += len(asked) > 2 and isinstance(answer, Accepted)
        others = twin.table.head.sequence > head.sequence + 1
        outcomes["after others"] += others and isinstance(answer, Refused)

    check()

    assert min(outcomes[name] for name in ("taken", "refused")) > 50, outcomes
    assert min(outcomes[name] for name in ("of several", "after others")) > 20, outcomes
