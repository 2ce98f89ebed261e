"""Devices at a table: the sensor's acts under the rules, lights, two confirmations."""

from __future__ import annotations

import pytest

from croupier.rules import commands as play
from croupier.rules.events import BallRestated, BallSpun
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import Accepted
from croupier.table.commands import ConfirmBall, ConfirmLights, ReportLight, StateBall
from tests.simulation.one_table import (
    ANNA,
    DEALER,
    MBS_MANAGER,
    RWS_MANAGER,
    SUPERVISOR,
    OneTable,
)

SEVENTEEN, EIGHTEEN = Number("17"), Number("18")
SENSOR = Person("wheel", Role.SENSOR)


def _open(game: str = "rws-triple-zero") -> OneTable:
    table = OneTable(game).bought_in(10_000).opened()
    table.place("w1", "17", 1_000)
    return table


def _sensed(
    table: OneTable, fact: str, number: Number | None = None, laps: int | None = None
) -> Accepted:
    return table.do(play.ReportSensor(fact, number, laps), SENSOR)


def _phase(table: OneTable) -> Phase:
    return table.table.state.series.current.phase


def _standing(table: OneTable) -> str | None:
    standing = table.table.state.series.current.standing
    return None if standing is None else standing.clause.number


def _announce(table: OneTable, number: Number) -> Accepted:
    return table.do(play.AnnounceOutcome(number))


def _disputed(game: str = "rws-triple-zero") -> OneTable:
    table = _open(game)
    table.close_betting()
    _sensed(table, "at_rest", SEVENTEEN)
    _announce(table, EIGHTEEN)
    return table


@pytest.mark.parametrize(
    "game", ["mbs-roulette-v3", "mbs-fast-action-v2", "rws-triple-zero"]
)
@pytest.mark.parametrize("shown", [SEVENTEEN, EIGHTEEN])
def test_two_people_who_look_at_the_wheel_let_it_go_on(
    game: str, shown: Number
) -> None:
    table = _disputed(game)

    table.refusal(ConfirmBall(), SUPERVISOR)
    table.do(StateBall(shown))
    table.refusal(ConfirmBall(), DEALER)
    table.refusal(ConfirmBall(), ANNA)
    assert _phase(table) is Phase.HELD
    confirmed = table.do(ConfirmBall(), SUPERVISOR)

    [restated] = [e for e in confirmed.events if isinstance(e, BallRestated)]
    assert restated.by == (DEALER, SUPERVISOR)
    assert table.table.state.series.current.facts.compartment == shown
    _announce(table, shown)
    table.do(play.Settle())
    assert _phase(table) is Phase.ENDED


def test_two_people_who_find_the_ball_nowhere_leave_it_held() -> None:
    table = _disputed()

    table.do(StateBall(None))
    table.do(ConfirmBall(), SUPERVISOR)

    assert _phase(table) is Phase.HELD
    table.do(play.DecideVoid(), RWS_MANAGER)


def test_the_ball_of_a_round_held_for_another_reason_is_not_stated() -> None:
    table = _open()
    table.close_betting()
    table.do(play.ReportIrregularity(Irregularity.UNLISTED))

    table.refusal(StateBall(SEVENTEEN))
    table.refusal(ConfirmBall(), SUPERVISOR)


def test_stating_the_ball_answers_no_report_of_an_irregularity() -> None:
    table = _open()
    table.do(play.SpinBall())
    _sensed(table, "spun", laps=3)
    _sensed(table, "at_rest", SEVENTEEN)
    _announce(table, EIGHTEEN)

    table.do(StateBall(SEVENTEEN))
    table.do(ConfirmBall(), SUPERVISOR)

    assert _phase(table) is Phase.HELD
    few = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
    table.refusal(play.AnswerReport(few, upheld=False))
    table.do(play.AnswerReport(few, upheld=False, because="six"), DEALER, SUPERVISOR)
    assert _phase(table) is Phase.CLOSED


def test_count_and_reports_survive_a_crash_and_its_recovery() -> None:
    table = _open()
    table.do(play.SpinBall())
    _sensed(table, "spun", laps=3)
    _sensed(table, "wheel_stopped")
    before = table.table.state.series.current.facts.sensor
    table.reopen()
    assert table.table.state.series.current.facts.sensor == before
    table.do(StateBall(SEVENTEEN))
    table.do(ConfirmBall(), SUPERVISOR)

    _announce(table, SEVENTEEN)

    assert (_phase(table), _standing(table)) == (Phase.HELD, "5.10")


def test_a_ball_that_two_confirmed_after_a_crash_takes_a_shift_manager() -> None:
    """A46: also if the Dealer alone would have keyed it without the crash."""
    table = _open()
    table.close_betting()
    table.reopen()
    table.do(StateBall(SEVENTEEN))
    table.do(ConfirmBall(), SUPERVISOR)
    _announce(table, SEVENTEEN)
    table.do(play.Settle())
    correction = play.CorrectOutcome(1, EIGHTEEN)

    assert table.refusal(correction, DEALER, SUPERVISOR).clause.number == "A46"
    table.do(correction, DEALER, RWS_MANAGER)


def test_a_rest_while_the_table_is_interrupted_closes_the_betting() -> None:
    table = _open("mbs-roulette-v3")
    table.do(play.SpinBall())
    table.reopen()

    _sensed(table, "at_rest", SEVENTEEN)

    assert _phase(table) is Phase.CLOSED


def test_a_drop_between_rounds_closes_nothing() -> None:
    table = OneTable().bought_in(10_000)
    table.refusal(play.ReportSensor("dropped"), SENSOR)
    table.play_round("17", 1_000, "18")

    _sensed(table, "dropped")

    assert _phase(table) is Phase.ENDED
    table.opened()
    assert _phase(table) is Phase.BETTING


@pytest.mark.parametrize(
    ("said", "recorded"), [(None, None), (True, True)], ids=["nothing", "against"]
)
def test_the_stated_direction_is_recorded(
    said: bool | None, recorded: bool | None
) -> None:
    table = _open("mbs-roulette-v3")

    spun = table.do(play.SpinBall(6, said))

    [event] = spun.events
    assert isinstance(event, BallSpun)
    assert event.against_wheel is recorded


def _lit(table: OneTable, *numbers: Number) -> None:
    for number in numbers:
        table.do(ReportLight("layout", number), Person("system", Role.SYSTEM))


def _drawn(table: OneTable) -> tuple[Number, ...]:
    drawn = table.table.state.series.current.facts.bonus_numbers
    assert drawn is not None
    return drawn


def test_a_number_that_goes_dark_after_all_were_lit_voids_nothing() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    drawn = _drawn(table)
    _lit(table, *drawn)

    refusal = table.refusal(play.ReportUnlit(drawn[3]))

    assert refusal.clause.number == "A15"
    assert _phase(table) is Phase.CLOSED


def test_the_same_holds_if_the_dealer_has_seen_them_lit() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    table.do(ConfirmLights())

    assert table.refusal(play.ReportUnlit(_drawn(table)[0])).clause.number == "A15"


def test_with_nine_lit_the_tenth_that_stays_dark_voids() -> None:
    table = _open("mbs-fast-action-v2")
    table.close_betting()
    drawn = _drawn(table)
    _lit(table, *drawn[1:])

    table.do(play.ReportUnlit(drawn[0]))

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
    table.do(play.SpinBall())
    table.do(play.ReportIrregularity(Irregularity.UNLISTED))

    table.do(play.DecideOutcome(SEVENTEEN), MBS_MANAGER)

    assert len(_drawn(table)) == 10
    assert _phase(table) is Phase.DECIDED


def test_a_snapshot_between_rounds_keeps_no_reports() -> None:
    table = OneTable("mbs-fast-action-v2", snapshot_every=1).bought_in(10_000).opened()
    table.close_betting()
    _lit(table, *_drawn(table))
    _announce(table, SEVENTEEN)
    table.do(play.Settle())
    before = table.table.state

    table.reopen()

    assert table.table.state.lights == before.lights
    assert not before.lights.lit
