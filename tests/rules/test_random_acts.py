"""Random acts in random states: events or a refusal, never anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.rules import commands as do
from croupier.rules.clause import Refusal
from croupier.rules.decisions import decide_act
from croupier.rules.game import READINGS, Game
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.series import Recorded, Series, end_round
from croupier.rules.terms import Limit, Limits
from croupier.rules.wheel import Number
from tests.rules import oracle
from tests.rules.random_play import (
    WILD,
    Plan,
    seeds,
    sensible_plan,
    wild_acts,
    wild_plan,
)
from tests.rules.tables import DEALER, SUPERVISOR, Chips, Table, picture

READING_IDS = {*(f"A{n}" for n in range(1, 54)), "W1", "W2", "S1", "N1"}


def check_refusal(game: Game, refusal: Refusal) -> None:
    """It cites a clause of the game or a reading, and gives one sentence."""
    clause, reason = refusal.clause, str(refusal.reason)
    if clause.document == READINGS:
        assert clause.number in READING_IDS, refusal
    else:
        assert clause.document == game.document, refusal
        assert clause.number in {row.number for row in game.clauses}, refusal
    assert "\n" not in reason, refusal
    assert reason == reason.strip(), refusal
    assert 5 <= len(reason) <= 200, refusal


def check_round(state: RoundOfPlay) -> None:
    """Check what holds in every round at any time."""
    wagers = state.board.in_order()
    assert len(state.board.wagers) == len(wagers)
    assert state.unclear <= {wager.wager_id for wager in wagers}
    assert state.winning_number is None or state.winning_number in state.game.numbers
    assert set(state.facts.bonus_numbers or ()) <= set(state.game.numbers)
    assert all(cents > 0 for wager in wagers for cents in wager.piece_cents)
    lying: dict[tuple[str, str], int] = {}
    on_areas: dict[str, int] = {}
    for wager in wagers:
        for area, cents in zip(wager.areas, wager.piece_cents, strict=True):
            lies = wager.registered and wager.wager_id not in state.board.lifted
            counted = cents if lies else 0
            key = (wager.player, area.name)
            lying[key] = lying.get(key, 0) + counted
            on_areas[area.name] = on_areas.get(area.name, 0) + counted
    areas = state.game.area_by_name
    for name, on_area in on_areas.items():
        caps = state.settings.area_maximum_cents
        assert state.board.all_on(areas[name]) == (on_area if caps else 0)
    for (player, name), own in lying.items():
        assert state.board.player_on(player, areas[name]) == own
    assert sum(state.board.player_cents.values()) == sum(on_areas.values())
    assert sum(state.board.player_cents.values()) == sum(lying.values())
    is_standing = state.phase in {Phase.VOID, Phase.HELD}
    assert state.standing is not None or not is_standing
    if state.phase is Phase.ENDED:
        check_settled(state)


def check_settled(state: RoundOfPlay) -> None:
    """Each wager has one disposition, and no cent is made or lost."""
    settled = state.settled
    assert settled is not None
    wagers = {wager.wager_id: wager for wager in state.board.in_order()}
    assert [each.wager_id for each in settled.wagers] == list(wagers)
    is_void = state.standing is not None
    for each in settled.wagers:
        wager = wagers[each.wager_id]
        ruling = state.rulings.get(wager.wager_id)
        decided = ruling.player if ruling else None
        assert each.player == (wager.player if is_void else decided or wager.player)
        assert tuple(piece.stake_cents for piece in each.pieces) == wager.piece_cents
        for piece in each.pieces:
            assert piece.stake_cents == piece.collected_cents + piece.returned_cents
            assert min(piece.paid_cents, piece.collected_cents) == 0
            assert min(piece.collected_cents, piece.returned_cents) >= 0
            assert piece.paid_cents >= 0
            assert piece.collected_cents <= piece.at_risk_cents <= piece.stake_cents
            is_decided = bool(piece.paid_cents or piece.collected_cents)
            assert bool(piece.at_risk_cents) == is_decided
            if is_void or not wager.registered:
                assert (piece.paid_cents, piece.collected_cents) == (0, 0)


def check_step(before: Series, table: Table, records: tuple[Recorded, ...]) -> None:
    """After an accepted act every round that it touched is sound."""
    for number in {record.round_number for record in records}:
        if number:
            check_round(table.series.round(number))
    for number in range(1, before.last):
        if number not in {record.round_number for record in records}:
            assert table.series.round(number) is before.round(number)


def play_checked(plan: Plan) -> Table:
    """Every act of the plan, with all that must hold checked at each."""
    table = Table(plan.game, plan.limits, plan.settings)
    for acts in plan.rounds:
        table.begin()
        pictured, seen = table.series, picture(table.series)
        for act in acts:
            before = table.series
            if pictured is not before:  # a refused act has left the same behind
                pictured, seen = before, picture(before)

            answer = table.ask(act)

            assert picture(before) == seen
            if isinstance(answer, Refusal):
                check_refusal(plan.game, answer)
                assert table.series is before
                assert decide_act(table.series, act) == answer
            else:
                check_step(before, table, answer)
    table.keep(end_round(table.series))
    return table


def test_the_random_commands_are_of_every_kind() -> None:
    kinds = set(get_args(do.Command))

    assert set(WILD) == kinds
    assert len(kinds) == 34


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
@settings(max_examples=120)
@given(seed=seeds, plan=st.sampled_from([wild_plan, sensible_plan]))
def test_random_acts_in_random_states_are_answered_with_events_or_a_refusal(
    name: str, seed: int, plan: Callable[[str, int], Plan]
) -> None:
    table = play_checked(plan(name, seed))

    for number in range(1, table.series.last + 1):
        check_round(table.series.round(number))
    if table.current.phase not in {Phase.ENDED, Phase.HELD}:
        assert table.current.winning_number is None or table.current.unclear


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
@settings(max_examples=50)
@given(seed=seeds, begun=st.booleans())
def test_acts_without_any_course_are_answered_too(
    name: str, seed: int, begun: bool
) -> None:
    table = Table(find_game(name))
    if begun:
        table.begin()

    answers = [table.ask(act) for act in wild_acts(name, seed, 30)]

    for answer in answers:
        if isinstance(answer, Refusal):
            check_refusal(table.game, answer)
    if begun:
        check_round(table.current)


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
@pytest.mark.parametrize("cents", [0, -1, -500])
def test_an_increase_by_nothing_or_less_is_refused(name: str, cents: int) -> None:
    table = Table(find_game(name))
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    table.lay(Chips("w1", "Anna", "17", 1000))
    anna = Person("Anna", Role.PLAYER)

    answer = table.ask(do.Act((anna,), do.IncreaseWager("w1", "Anna", cents)))

    assert isinstance(answer, Refusal)
    check_refusal(table.game, answer)


@pytest.mark.parametrize("name", ["mbs-roulette-v3", "mbs-fast-action-v2"])
@pytest.mark.parametrize("cents", [-1, -500])
def test_a_ruling_on_less_than_nothing_is_refused(name: str, cents: int) -> None:
    table = _decided_with(name, [Chips("w1", "Anna", "17", 1000)])

    answer = table.ask(
        do.Act((SUPERVISOR,), do.RuleOnWager("w1", do.GiveAmount(cents)))
    )

    assert isinstance(answer, Refusal)
    check_refusal(table.game, answer)


def _decided_with(name: str, wagers: list[Chips]) -> Table:
    table = Table(find_game(name))
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    for chips in wagers:
        table.lay(chips)
    table.do(DEALER, do.SpinBall())
    table.do(DEALER, do.NoMoreBets())
    if name == "mbs-fast-action-v2":
        ten = tuple(Number(str(n)) for n in range(1, 11))
        table.do(Person("RNG", Role.RNG), do.DrawBonusNumbers(ten))
    table.do(DEALER, do.AnnounceOutcome(Number("17")))
    return table


@pytest.mark.parametrize("name", ["mbs-roulette-v3", "mbs-fast-action-v2"])
def test_the_refusal_to_settle_stays_one_sentence_with_many_unclear_wagers(
    name: str,
) -> None:
    wagers = [Chips(f"wager-{n}", "Anna", "17", 1000) for n in range(60)]
    table = _decided_with(name, wagers)
    for chips in wagers:
        table.do(DEALER, do.MarkUnclear(chips.wager_id))

    answer = table.ask(do.Act((DEALER,), do.Settle()))

    assert isinstance(answer, Refusal)
    check_refusal(table.game, answer)


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
@pytest.mark.parametrize(
    "kind", ["", "straight_up:", "split:", "street:", "corner:", "six_line:"]
)
def test_the_refusal_of_an_area_stays_one_sentence_however_many_its_numbers(
    name: str, kind: str
) -> None:
    table = Table(find_game(name))
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    wager = read_wager(kind + "/".join(oracle.ORDER))
    anna = Person("Anna", Role.PLAYER)
    electronic = name == "rws-triple-zero"
    placing = do.PlaceWager("w1", "Anna", wager, 1000, electronic=electronic)

    answer = table.ask(do.Act((anna,), placing))

    assert isinstance(answer, Refusal)
    check_refusal(table.game, answer)


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_the_refusal_of_a_stake_stays_one_sentence_at_the_longest_names(
    name: str,
) -> None:
    player = "x" * 40
    table = Table(find_game(name), Limits(Limit(100, 10**15 - 1)))
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    area = max(table.game.area_by_name, key=len)
    placing = do.PlaceWager("w1", player, read_wager(area), 10**15, electronic=True)

    answer = table.ask(do.Act((Person(player, Role.PLAYER),), placing))

    assert isinstance(answer, Refusal)
    check_refusal(table.game, answer)


@pytest.mark.parametrize(
    ("name", "dropped", "clause"),
    [
        ("mbs-roulette-v3", False, "5.11.1"),
        ("mbs-roulette-v3", True, "5.12"),
        ("mbs-fast-action-v2", False, "5.12.1"),
        ("mbs-fast-action-v2", True, "5.13"),
    ],
)
def test_after_power_failures_no_spin_cites_whether_the_ball_has_dropped(
    name: str, dropped: bool, clause: str
) -> None:
    table = Table(find_game(name))
    table.begin()
    system = Person("system", Role.SYSTEM)
    table.do(DEALER, do.PlaceYourBets())
    table.do(DEALER, do.SpinBall())
    table.do(system, do.ReportPowerFailure())
    if dropped:
        table.do(DEALER, do.ReportBallDropped())
    table.do(system, do.ReportPowerFailure())

    table.do(DEALER, do.AnnounceNoSpin())

    assert table.current.standing is not None
    assert str(table.current.standing.clause) == clause
