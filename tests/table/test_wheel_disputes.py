"""The wheel's sensor against the console (A40), and what closes the betting (A28)."""

from __future__ import annotations

import pytest

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.game import Irregularity
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import Accepted
from croupier.table import commands as ask
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

SEVENTEEN, EIGHTEEN = Number("17"), Number("18")
GAMES = {
    "mbs-roulette-v2": ("A12", "3.7"),
    "mbs-roulette-v3": ("6.2", "3.8"),
    "mbs-complete-bet-v2": ("A12", "3.9"),
    "mbs-fast-action-v2": ("6.2", "3.8"),
    "rws-triple-zero": ("5.10", "3.7"),
}
"""The clause by which each game holds, and the one of its outcome."""


def _open(game: str = "rws-triple-zero") -> OneTable:
    table = OneTable(game).bought_in(10_000).opened()
    table.place("w1", "17", 1_000)
    return table


def _sensed(
    table: OneTable,
    fact: str,
    number: Number | None = None,
    *,
    closes: bool = True,
    **more: object,
) -> Accepted:
    report = ask.ReportWheel("wheel", fact, number, closes_betting=closes, **more)  # type: ignore[arg-type]
    return table.do(report, Person("system", Role.SYSTEM))


def _phase(table: OneTable) -> Phase:
    return table.table.state.series.current.phase


def _standing(table: OneTable) -> str | None:
    standing = table.table.state.series.current.standing
    return None if standing is None else standing.clause.number


def _announce(table: OneTable, number: Number) -> Accepted:
    return table.do(do.AnnounceOutcome(number))


@pytest.mark.parametrize("game", GAMES)
def test_a_console_against_the_sensor_is_held_and_announces_nothing(game: str) -> None:
    table = _open(game)
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)

    answer = _announce(table, EIGHTEEN)

    assert (_phase(table), _standing(table)) == (Phase.HELD, GAMES[game][0])
    assert not any(isinstance(each, ev.OutcomeAnnounced) for each in answer.events)
    assert table.table.state.series.current.winning_number is None


@pytest.mark.parametrize("game", GAMES)
def test_a_console_with_the_sensor_goes_on(game: str) -> None:
    table = _open(game)
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)

    _announce(table, SEVENTEEN)
    if _phase(table) is Phase.DECIDED:
        table.do(do.Settle())

    assert _phase(table) is Phase.ENDED


def test_the_sensors_rest_stands_on_record_and_binds_a_decision() -> None:
    table = _open()
    table.close_betting()
    reported = _sensed(table, "at_rest", SEVENTEEN)
    _announce(table, EIGHTEEN)

    rested = [each for each in reported.events if isinstance(each, ev.BallAtRest)]
    assert [(each.by.name, each.by.role, each.number) for each in rested] == [
        ("wheel", Role.SYSTEM, SEVENTEEN)
    ]
    against = table.refusal(do.DecideOutcome(EIGHTEEN), RWS_MANAGER)
    assert against.clause.number == "3.7"
    table.do(do.DecideOutcome(SEVENTEEN), RWS_MANAGER)


@pytest.mark.parametrize(
    "game", ["mbs-roulette-v3", "mbs-fast-action-v2", "rws-triple-zero"]
)
@pytest.mark.parametrize("shown", [SEVENTEEN, EIGHTEEN])
def test_two_people_who_look_at_the_wheel_let_it_go_on(
    game: str, shown: Number
) -> None:
    table = _open(game)
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)
    _announce(table, EIGHTEEN)

    table.refusal(ask.ConfirmBall(), SUPERVISOR)
    table.do(ask.StateBall(shown))
    table.refusal(ask.ConfirmBall(), DEALER)
    table.refusal(ask.ConfirmBall(), ANNA)
    assert _phase(table) is Phase.HELD
    table.do(ask.ConfirmBall(), SUPERVISOR)

    assert _phase(table) is Phase.CLOSED
    assert table.table.state.series.current.facts.compartment == shown
    _announce(table, shown)
    table.do(do.Settle())
    assert _phase(table) is Phase.ENDED


def test_two_people_who_find_the_ball_nowhere_leave_it_held() -> None:
    table = _open()
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)
    _announce(table, EIGHTEEN)

    table.do(ask.StateBall(None))
    table.do(ask.ConfirmBall(), SUPERVISOR)

    assert _phase(table) is Phase.HELD
    table.do(do.DecideVoid(), RWS_MANAGER)


def test_a_correction_of_the_ball_by_two_lifts_the_hold_too() -> None:
    table = _open()
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)
    _announce(table, EIGHTEEN)

    table.do(do.CorrectBall(EIGHTEEN), DEALER, SUPERVISOR)

    assert _phase(table) is Phase.CLOSED
    _announce(table, EIGHTEEN)
    assert _phase(table) is Phase.DECIDED


def test_nobody_states_the_ball_of_a_round_held_for_another_reason() -> None:
    table = _open()
    table.close_betting()
    table.do(do.ReportIrregularity(Irregularity.UNLISTED))

    table.refusal(ask.StateBall(SEVENTEEN))
    table.refusal(ask.ConfirmBall(), SUPERVISOR)


@pytest.mark.parametrize("game", GAMES)
def test_an_unanswered_report_of_an_irregularity_holds_at_the_outcome(
    game: str,
) -> None:
    table = _open(game)
    table.do(do.SpinBall())
    _sensed(table, "foreign_object")
    table.do(do.NoMoreBets())
    if game == "mbs-fast-action-v2":
        table.do(ask.DrawNow())

    _announce(table, SEVENTEEN)

    assert (_phase(table), _standing(table)) == (Phase.HELD, GAMES[game][0])


def test_a_report_that_somebody_answered_holds_nothing() -> None:
    table = _open()
    table.do(do.SpinBall())
    _sensed(table, "foreign_object")
    answered = ask.AnswerNotice("…", "5.3.7", False, Irregularity.FOREIGN_OBJECT)
    table.do(answered)
    table.do(do.NoMoreBets())

    _announce(table, SEVENTEEN)

    assert _phase(table) is Phase.DECIDED


def test_another_report_is_not_answered_by_it() -> None:
    table = _open()
    table.do(do.SpinBall())
    _sensed(table, "foreign_object")
    _sensed(table, "wheel_stopped")
    table.do(ask.AnswerNotice("…", "5.3.7", False, Irregularity.FOREIGN_OBJECT))
    table.do(do.NoMoreBets())

    _announce(table, SEVENTEEN)

    assert _phase(table) is Phase.HELD


def test_a_report_survives_a_crash() -> None:
    table = _open()
    table.close_betting()
    _sensed(table, "wheel_stopped")
    table.reopen()
    table.do(ask.StateBall(SEVENTEEN))
    table.do(ask.ConfirmBall(), SUPERVISOR)

    _announce(table, SEVENTEEN)

    assert _phase(table) is Phase.HELD


def test_a_decision_that_play_goes_on_answers_the_report() -> None:
    table = _open()
    table.close_betting()
    _sensed(table, "wheel_stopped")
    _announce(table, SEVENTEEN)

    table.do(do.DecideContinue(), RWS_MANAGER)
    _announce(table, SEVENTEEN)

    assert _phase(table) is Phase.DECIDED


@pytest.mark.parametrize("when", ["before the close", "after the close"])
def test_a_rest_before_the_spin_is_not_taken(when: str) -> None:
    table = _open()
    if when == "after the close":
        table.do(do.NoMoreBets())
    _sensed(table, "at_rest", SEVENTEEN)

    current = table.table.state.series.current
    assert current.facts.at_rest is None
    expected = Phase.CLOSED if when == "after the close" else Phase.BETTING
    assert current.phase is expected
    table.do(do.SpinBall())
    if when == "before the close":
        table.do(do.NoMoreBets())
    _announce(table, SEVENTEEN)
    assert _phase(table) is Phase.HELD


def test_a_rest_of_this_spin_replaces_a_stray_one() -> None:
    table = _open()
    _sensed(table, "at_rest", EIGHTEEN)
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)

    _announce(table, SEVENTEEN)

    assert _phase(table) is Phase.DECIDED


def test_the_sensors_own_spin_makes_its_rest_one_of_this_round() -> None:
    table = _open()
    _sensed(table, "spun", revolutions=6)
    rested = _sensed(table, "at_rest", SEVENTEEN)

    assert table.table.state.series.current.facts.compartment == SEVENTEEN
    spun = [each for each in rested.events if isinstance(each, ev.BallSpun)]
    assert [(each.by.name, each.against_wheel) for each in spun] == [("wheel", None)]


def test_a_rest_after_another_was_announced_holds_the_round() -> None:
    table = _open()
    table.close_betting()
    _announce(table, EIGHTEEN)

    _sensed(table, "at_rest", SEVENTEEN)

    assert (_phase(table), _standing(table)) == (Phase.HELD, "5.10")
    table.do(ask.StateBall(SEVENTEEN))
    table.do(ask.ConfirmBall(), SUPERVISOR)
    current = table.table.state.series.current
    assert (current.phase, current.winning_number) == (Phase.DECIDED, SEVENTEEN)
    table.do(do.Settle())
    assert table.credit() == 10_000 + 35_000


def test_an_irregularity_reported_after_the_announcement_is_not_settled_over() -> None:
    table = _open()
    table.close_betting()
    _announce(table, SEVENTEEN)
    _sensed(table, "person_interfered")

    table.do(do.Settle())

    assert (_phase(table), _standing(table)) == (Phase.HELD, "5.10")


@pytest.mark.parametrize(("laps", "is_held"), [(None, False), (3, False), (4, True)])
@pytest.mark.parametrize("game", GAMES)
def test_too_few_revolutions_against_the_sensors_count_are_held(
    game: str, laps: int | None, is_held: bool
) -> None:
    """A32: one person's word against a count of four or more is disputed."""
    table = _open(game)
    table.do(do.SpinBall())
    _sensed(table, "dropped", revolutions=laps)

    table.do(do.ReportIrregularity(Irregularity.FEWER_THAN_FOUR_REVOLUTIONS))

    held_by, _ = GAMES[game]
    assert _phase(table) is (Phase.HELD if is_held else Phase.VOID)
    few = "5.3.2" if game.startswith("rws") else "5.3"
    assert _standing(table) == (held_by if is_held else few)


@pytest.mark.parametrize("game", GAMES)
def test_a_sensors_drop_closes_the_betting(game: str) -> None:
    table = _open(game)
    table.do(do.SpinBall())

    closed = _sensed(table, "dropped", revolutions=6)

    assert _phase(table) is Phase.CLOSED
    [said] = [e for e in closed.events if isinstance(e, ev.NoMoreBetsAnnounced)]
    assert said.by.role is Role.SYSTEM
    late = do.PlaceWager("w2", "Anna", read_wager("17"), 500, electronic=True)
    assert table.refusal(late, ANNA).clause.number in {"5.11", "5.13", "5.14", "3.5"}


def test_with_the_setting_off_the_drop_leaves_the_betting_open_and_the_rest_not() -> (
    None
):
    table = _open()
    table.do(do.SpinBall())

    _sensed(table, "dropped", revolutions=6, closes=False)
    assert _phase(table) is Phase.BETTING
    _sensed(table, "at_rest", SEVENTEEN, closes=False)

    assert _phase(table) is Phase.CLOSED


def _manager(table: OneTable) -> Person:
    is_rws = table.table.state.series.game.name.startswith("rws")
    return RWS_MANAGER if is_rws else MBS_MANAGER


def _hold(table: OneTable) -> None:
    table.do(do.ReportIrregularity(Irregularity.UNLISTED))


@pytest.mark.parametrize("game", GAMES)
def test_a_rest_while_the_round_is_held_closes_the_betting_too(game: str) -> None:
    table = _open(game)
    table.do(do.SpinBall())
    _hold(table)
    _sensed(table, "at_rest", SEVENTEEN)

    table.do(do.DecideContinue(), _manager(table))

    late = do.PlaceWager("w2", "Anna", read_wager("17"), 500, electronic=True)
    _, outcome = GAMES[game]
    assert table.refusal(late, ANNA).clause.number == outcome
    assert table.refusal(do.WithdrawWager("w1", "Anna"), ANNA).clause.number == outcome


@pytest.mark.parametrize("game", GAMES)
def test_a_rest_while_the_round_is_held_binds_every_decision(game: str) -> None:
    table = _open(game)
    table.close_betting()
    _hold(table)
    _sensed(table, "at_rest", SEVENTEEN)
    other, manager = do.DecideOutcome(EIGHTEEN), _manager(table)
    _, outcome = GAMES[game]

    assert table.refusal(other, manager).clause.number == outcome
    table.do(do.DecideOutcome(SEVENTEEN), manager)
    assert table.refusal(other, manager).clause.number == outcome
    table.do(do.Settle())
    table.opened()
    settled = do.DecideRound(1, other)
    assert table.refusal(settled, manager).clause.number == outcome


def test_a_spin_that_only_the_sensor_saw_is_one_while_the_round_is_held() -> None:
    table = _open()
    _hold(table)
    _sensed(table, "spun", revolutions=6)
    _sensed(table, "at_rest", SEVENTEEN)

    table.do(do.DecideOutcome(SEVENTEEN), RWS_MANAGER)

    table.do(do.Settle())
    assert table.credit() == 10_000 + 35 * 1_000


def test_a_rest_while_the_table_is_interrupted_closes_the_betting() -> None:
    table = _open("mbs-roulette-v3")
    table.do(do.SpinBall())
    table.reopen()
    _sensed(table, "at_rest", SEVENTEEN)
    assert _phase(table) is Phase.CLOSED
    table.do(ask.StateBall(EIGHTEEN))
    table.do(ask.ConfirmBall(), SUPERVISOR)
    assert _standing(table) == "6.2"

    table.do(do.DecideContinue(), MBS_MANAGER)

    late = do.PlaceWager("w2", "Anna", read_wager("17"), 500, electronic=True)
    assert table.refusal(late, ANNA).clause.number == "5.13"


@pytest.mark.parametrize("is_held", [False, True])
def test_betting_after_a_sensors_drop_is_held_at_the_close(is_held: bool) -> None:
    """A28: between drop and rest, where the drop does not close the betting."""
    table = _open()
    table.do(do.SpinBall())
    if is_held:
        _hold(table)
    _sensed(table, "dropped", revolutions=6, closes=is_held)
    if is_held:
        table.do(do.DecideContinue(), RWS_MANAGER)

    table.place("w2", "18", 500)
    closed = table.do(do.NoMoreBets())

    [said] = [e for e in closed.events if isinstance(e, ev.NoMoreBetsAnnounced)]
    assert said.late
    assert _standing(table) == "5.10"


def test_a_drop_between_rounds_closes_nothing() -> None:
    table = OneTable().bought_in(10_000)
    table.play_round("17", 1_000, "18")

    _sensed(table, "dropped")
    _sensed(table, "at_rest", SEVENTEEN)

    assert _phase(table) is Phase.ENDED
    table.opened()
    assert _phase(table) is Phase.BETTING
    table.close_betting()
    _announce(table, EIGHTEEN)
    assert _phase(table) is Phase.DECIDED


@pytest.mark.parametrize(
    ("said", "recorded"), [(None, None), (True, True)], ids=["nothing", "against"]
)
def test_the_direction_is_recorded_as_it_was_said(
    said: bool | None, recorded: bool | None
) -> None:
    table = _open("mbs-roulette-v3")

    spun = table.do(do.SpinBall(6, said))

    [event] = spun.events
    assert isinstance(event, ev.BallSpun)
    assert event.against_wheel is recorded


def _lit(table: OneTable, *numbers: Number) -> None:
    for number in numbers:
        table.do(ask.ReportLight("layout", number), Person("system", Role.SYSTEM))


def _drawn(table: OneTable) -> tuple[Number, ...]:
    drawn = table.table.state.series.current.facts.bonus_numbers
    assert drawn is not None
    return drawn


def test_once_all_ten_were_lit_later_darkness_voids_nothing() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    drawn = _drawn(table)
    _lit(table, *drawn)

    refusal = table.refusal(do.ReportUnlit(drawn[3]))

    assert refusal.clause.number == "A15"
    assert _phase(table) is Phase.CLOSED


def test_so_it_is_when_the_dealer_has_seen_them() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    table.do(ask.ConfirmLights())

    assert table.refusal(do.ReportUnlit(_drawn(table)[0])).clause.number == "A15"


def test_with_nine_lit_the_tenth_that_stays_dark_voids() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    drawn = _drawn(table)
    _lit(table, *drawn[1:])

    table.do(do.ReportUnlit(drawn[0]))

    assert _standing(table) == "5.11"


def test_an_eleventh_light_holds_at_the_outcome() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    drawn = _drawn(table)
    extra = next(
        each for each in table.table.state.series.game.numbers if each not in drawn
    )
    _lit(table, *drawn, extra)

    _announce(table, SEVENTEEN)

    assert (_phase(table), _standing(table)) == (Phase.HELD, "6.2")


def test_the_house_draws_when_a_round_is_decided_without_a_draw() -> None:
    """A35: never settled without its ten numbers."""
    table = _open("mbs-fast-action-v2")
    table.do(do.SpinBall())
    table.do(do.ReportIrregularity(Irregularity.UNLISTED))

    table.do(do.DecideOutcome(SEVENTEEN), MBS_MANAGER)

    assert len(_drawn(table)) == 10
    assert _phase(table) is Phase.DECIDED


def test_a_snapshot_between_rounds_keeps_no_reports() -> None:
    table = OneTable("mbs-fast-action-v2", snapshot_every=1).bought_in(10_000).opened()
    table.close_betting()
    _lit(table, *_drawn(table))
    _announce(table, SEVENTEEN)
    table.do(do.Settle())
    before = table.table.state

    table.reopen()

    assert table.table.state.reports == before.reports
    assert not before.reports.lit
