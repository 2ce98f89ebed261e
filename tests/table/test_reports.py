"""Reports of devices in a round, and the lights that a Dealer confirms."""

from __future__ import annotations

import pytest

from croupier.journal.events.table import (
    LightReported,
    LightsConfirmed,
    NoticeAnswered,
    OperationEvent,
)
from croupier.journal.store import Store
from croupier.journal.verification import verify
from croupier.rules.clause import Rule
from croupier.rules.commands import (
    AnnounceOutcome,
    ReportBallAtRest,
    ReportSensor,
    Settle,
)
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Refused
from croupier.table.answers import event_of
from croupier.table.commands import (
    AnswerNotice,
    AnyCommand,
    CloseTable,
    ConfirmLights,
    DrawNow,
    ReportLight,
)
from tests.simulation.one_table import OneTable
from tests.table.a_table import DEALER, Played

FAST = "mbs-fast-action-v2"
OTHERS = (
    "mbs-roulette-v2",
    "mbs-roulette-v3",
    "mbs-complete-bet-v2",
    "rws-triple-zero",
)
SYSTEM = Person("wheel 4", Role.SYSTEM)
REPORTS: dict[str, tuple[AnyCommand, OperationEvent]] = {
    "a light": (
        ReportLight("L4", Number("00")),
        LightReported("L4", Number("00")),
    ),
    "an answer": (
        AnswerNotice("no spin", "5.1", accepted=True),
        NoticeAnswered(SYSTEM, "no spin", "5.1", True),
    ),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_recorded_with_its_round_and_changes_no_round(
    store: Store, name: str
) -> None:
    command, event = REPORTS[name]
    played = Played(store)
    rounds = []
    for line in (None, "place your bets", "spin", "no more bets", "outcome 5"):
        if line is not None:
            played.say(f"Dealer: {line}")
        state, balances = played.table.state, store.balances("t1")

        answer = played.done(command, SYSTEM)

        assert answer.events == (event,)
        assert played.table.state.series == state.series
        assert store.balances("t1") == balances
        [row] = store.events("t1", after=answer.first - 1)
        assert event_of(row) == event
        rounds.append(row.round_number)
    assert rounds == [0, 1, 1, 1, 1]
    assert list(store.entries("t1")) == []
    assert verify(store).is_clean
    recalled = [event_of(row) for row in store.events("t1", round_number=1)]
    assert recalled.count(event) == 4


def test_devices_are_heard_while_the_table_is_closed(store: Store) -> None:
    played = Played(store)
    played.done(CloseTable())

    for command, event in REPORTS.values():
        assert played.done(command, SYSTEM).events == (event,)


HOSTILE: dict[str, AnyCommand] = {
    "a number that is none": ReportLight("L4", 17),  # type: ignore[arg-type]
    "no number": ReportLight("L4", None),  # type: ignore[arg-type]
    "revolutions as text": ReportSensor("spun", None, "5"),  # type: ignore[arg-type]
    "revolutions beyond writing": ReportSensor("spun", None, 10**5_000),
    "no number of revolutions": ReportSensor("spun", None, float("nan")),  # type: ignore[arg-type]
    "a fact on two lines": ReportSensor("at\nrest"),
    "a device without end": ReportLight("L" * 1_001, Number("5")),
    "half a character": ReportLight("L\ud83c", Number("5")),
    "a NUL": AnswerNotice("no\0spin", None, accepted=True),
    "an answer that is none": AnswerNotice("no spin", None, accepted="yes"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_report_is_refused_and_changes_nothing(
    store: Store, name: str
) -> None:
    played = Played(store)
    played.say("Dealer: place your bets")
    state = played.table.state
    is_wheel = isinstance(HOSTILE[name], ReportSensor)

    answer = played.ask(
        HOSTILE[name], Person("W4", Role.SENSOR) if is_wheel else SYSTEM
    )

    assert isinstance(answer, Refused), answer
    assert played.table.state == state
    played.done(ReportLight("L4", Number("5")), SYSTEM)


def _drawn(store: Store) -> Played:
    """Return a table of Fast Action after the draw of its first round."""
    played = Played(store, FAST)
    played.say("Dealer: place your bets", "Dealer: spin", "Dealer: no more bets")
    played.done(DrawNow())
    return played


def test_lights_are_confirmed_between_the_draw_and_the_outcome(
    store: Store,
) -> None:
    played = Played(store, FAST)
    reasons = [played.refused(ConfirmLights()).refusal]
    for line in ("place your bets", "spin", "no more bets"):
        played.say(f"Dealer: {line}")
        reasons.append(played.refused(ConfirmLights()).refusal)
    played.done(DrawNow())
    state = played.table.state

    confirmed = played.done(ConfirmLights())
    unchanged = played.table.state.series == state.series
    played.done(ReportBallAtRest(Number("17")))
    played.done(ConfirmLights())
    played.done(AnnounceOutcome(Number("17")))
    reasons.append(played.refused(ConfirmLights()).refusal)
    played.done(Settle())
    reasons.append(played.refused(ConfirmLights()).refusal)

    assert confirmed.events == (LightsConfirmed(DEALER),)
    assert unchanged
    clause = played.table.state.series.game.clause(Rule.BONUS_DRAW)
    assert {refusal.clause for refusal in reasons} == {clause}
    assert clause.document == "Sands Fast Action Roulette (MBS) v2"
    row = next(store.events("t1", after=confirmed.first - 1))
    assert (row.kind, row.round_number) == ("LightsConfirmed", 1)
    assert verify(store).is_clean


@pytest.mark.parametrize("role", list(Role), ids=lambda role: role.value)
@pytest.mark.parametrize("acting", [False, True])
def test_a_person_who_may_announce_the_outcome_may_confirm_the_lights(
    role: Role, acting: bool
) -> None:
    person = Person("Somebody", role, acting=acting)
    tables = [OneTable(FAST).opened() for _ in range(2)]
    for table in tables:
        table.close_betting()

    announced = tables[0].ask(AnnounceOutcome(Number("17")), person)
    confirmed = tables[1].ask(ConfirmLights(), person)

    assert type(confirmed) is type(announced)
    assert isinstance(confirmed, Accepted) or role is not Role.DEALER or acting


@pytest.mark.parametrize("game", OTHERS)
def test_a_game_without_lights_has_none_to_confirm(store: Store, game: str) -> None:
    played = Played(store, game)
    clause = played.table.state.series.game.clause(Rule.BONUS_DRAW)
    clauses = [played.refused(ConfirmLights()).refusal.clause]
    for line in ("place your bets", "spin", "no more bets", "outcome 5", "settle"):
        played.say(f"Dealer: {line}")
        head = played.table.head

        clauses.append(played.refused(ConfirmLights()).refusal.clause)

        [row] = store.events("t1", after=head.sequence)
        assert row.kind == "ActRefused"
    assert set(clauses) == {clause}
    assert clause.number == "A12"


def test_confirmed_lights_are_recalled_with_the_round(store: Store) -> None:
    played = _drawn(store)
    drawn = played.table.state.series.current.facts.bonus_numbers
    for number in (drawn or ())[:2]:
        played.done(ReportLight("L4", number), SYSTEM)
    played.done(ConfirmLights())

    kinds = [row.kind for row in store.events("t1", round_number=1)]

    assert kinds[-4:] == [
        "BonusNumbersDrawn",
        "LightReported",
        "LightReported",
        "LightsConfirmed",
    ]
