"""Events as text and back: every kind, and journals of older versions."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from random import Random
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from croupier.house.configuration.setup import plan_of
from croupier.house.records.house_record import read_house_state
from croupier.journal.events import house, table
from croupier.journal.events.codec import KINDS, SCHEMA, UnreadableEvent, decode, encode
from croupier.journal.events.plan import (
    Duty,
    HouseSettings,
    Lights,
    Money,
    StaffPlan,
    TablePlan,
    WheelSource,
)
from croupier.journal.events.table import RefusedAct
from croupier.journal.events.two_person_acts import (
    CreditAdjustment,
    OutcomeCorrection,
    RoundsVoiding,
    TwoPersonAct,
)
from croupier.journal.export import import_journal
from croupier.journal.store import Store
from croupier.journal.tables import EVENTS
from croupier.journal.verification import verify
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from croupier.rules import events
from croupier.rules.game import Irregularity
from croupier.rules.operator import Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.answers import event_of
from croupier.table.replay import recall_round
from croupier.transcript import play, read_transcript
from tests.expectations import TRANSCRIPTS
from tests.journal.scene import Clock, Driver
from tests.journal.tampering import rows

FIXTURES = Path(__file__).parent / "fixtures"
VERSION_1 = FIXTURES / "version-1.jsonl"
VERSION_2 = FIXTURES / "version-2.jsonl"
"""A house of three tables, one of them not begun; written by the last of version 2."""
VERSION_3 = FIXTURES / "version-3.jsonl"
"""A house with three proposals that wait, each in words; written by version 3."""
VERSION_4 = FIXTURES / "version-4.jsonl"
"""A house and a table with refusals, what was asked in words; by the last of 4."""
MODULES = (events, money, table, house)
TEXTS = ("", "17", "Zoë “the\tcroupier”\n\\", "\u2028", "x" * 300)
NUMBERS = (0, 1, -1, 2**63 - 1, -(2**63))


def example(hint: Any, random: Random) -> Any:
    """A value of the type, odd ones among them."""
    if get_origin(hint) is Annotated:
        return _within_bounds(hint, random)
    if get_origin(hint) in {Union, UnionType}:
        return example(random.choice(get_args(hint)), random)
    if isinstance(hint, NewType):
        return example(hint.__supertype__, random)
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        if kinds[-1] is Ellipsis:
            kinds = kinds[:1] * random.randrange(3)
        return tuple(example(each, random) for each in kinds)
    if get_origin(hint) is dict:
        values = [each for each in get_args(get_args(hint)[1]) if each is not Reason]
        return {text: example(random.choice(values), random) for text in TEXTS[:2]}
    if _has_fields(hint):
        fields = get_type_hints(hint, include_extras=True)
        return hint(**{name: example(each, random) for name, each in fields.items()})
    if issubclass(hint, Enum):
        return random.choice(list(hint))
    plain = {NoneType: (None,), bool: (True, False), int: NUMBERS, str: TEXTS}
    return random.choice(plain[hint])


def _within_bounds(hint: Any, random: Random) -> Any:
    while True:
        value = example(get_args(hint)[0], random)
        try:
            return msgspec.convert(value, hint)
        except msgspec.ValidationError:
            continue


def _has_fields(kind: Any) -> bool:
    named = ("_fields", "__struct_fields__")
    return is_dataclass(kind) or any(getattr(kind, name, ()) for name in named)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_event_is_read_back_as_it_was_written(kind: type[Any]) -> None:
    random = Random(kind.__name__)

    for _ in range(50):
        event = example(kind, random)

        assert decode(SCHEMA, kind.__name__, encode(event)) == event


def test_every_event_of_a_transcript_reads_back() -> None:
    made = set()
    for path in sorted(TRANSCRIPTS.rglob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for record in play(read_transcript(lines)).records:
            name = type(record.event).__name__
            made.add(name)

            assert decode(SCHEMA, name, encode(record.event)) == record.event, path

    assert made == {kind.__name__ for kind in get_args(events.Event)}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_new_kind_of_event_can_be_written(module: ModuleType) -> None:
    """A class with fields is an event, or part of one, or fails here."""
    own = {
        name: each
        for name, each in vars(module).items()
        if isinstance(each, type)
        and _has_fields(each)
        and each.__module__ == module.__name__
    }

    parts = {part.__name__ for each in own.values() for part in _parts(each)}

    assert own.keys() - parts <= KINDS.keys()


def _parts(kind: type[Any]) -> set[type[Any]]:
    """The classes that a class's fields are made of."""
    found = set()
    waiting = list(get_type_hints(kind).values())
    while waiting:
        hint = waiting.pop()
        waiting += get_args(hint)
        if isinstance(hint, type) and _has_fields(hint):
            found.add(hint)
    return found


def test_a_round_of_version_1_is_brought_up_to_date() -> None:
    event = decode(1, "RoundBegun", '{"round_number":7}')

    assert event == events.RoundBegun(7, "", (), (), ())


def test_a_sentence_of_version_2_becomes_a_reason() -> None:
    clause = '{"document":"Roulette (MBS) v3","number":"5.7"}'
    body = '{"clause":%s,"reason":"%s"}'

    broke = decode(2, "RoundVoided", body % (clause, "the ball broke"))
    decided = decode(2, "RoundHeld", body % (clause, "more than 10 are lit"))

    assert isinstance(broke, events.RoundVoided)
    assert broke.reason == RuleReason.BALL_BROKE()
    assert isinstance(decided, events.RoundHeld)
    assert str(decided.reason) == "more than 10 are lit"


def test_a_settlement_of_version_2_gets_what_was_at_risk() -> None:
    pieces = [
        ["straight_up:17", 15000, 350000, 0, 15000, "5.16"],
        ["straight_up:17", 1000, 35000, 0, 1000, "4.1"],
        ["red", 15000, 0, 10000, 5000, "5.16"],
        ["red", 100, 0, 0, 100, "5.15"],
    ]
    wagers = [["w1", "Anna", "17", pieces]]
    body = {"winning_number": "17", "wagers": wagers, "under_minimum": []}

    settled = decode(2, "RoundSettled", json.dumps(body))

    assert isinstance(settled, events.RoundSettled)
    risked = [piece.at_risk_cents for piece in settled.wagers[0].pieces]
    assert risked == [10_000, 1_000, 10_000, 0]


@pytest.mark.parametrize(
    ("schema", "kind", "body"),
    [
        (SCHEMA + 1, "RoundBegun", '{"round_number":7}'),
        (0, "RoundBegun", '{"round_number":7}'),
        (SCHEMA, "RoundBegun", '{"round_number":7}'),
        (1, "RoundBegun", '{"round_number":"7"}'),
        (2, "HouseDefined", "{}"),
        (2, "TableDefined", '{"by":"Ann"}'),
        (2, "StaffDefined", '{"by":"Ann","name":"Zoe","positions":[],"duties":1}'),
        (3, "Proposed", '{"act":"dance","effect":[]}'),
        (3, "Proposed", '{"act":"correct round 1 to 5","effect":["house"]}'),
        (4, "ActRefused", '{"acts":[]}'),
        (4, "AuthorityRefused", '{"name":"Dora","act":7}'),
        (1, "RoundBegun", "[7]"),
        (1, "RoundBegun", "7"),
        (1, "RoundBegan", "{}"),
        (SCHEMA, "TableClosed", "{"),
        (SCHEMA, "TableClosed", ""),
        (SCHEMA, "BoughtIn", '{"by":null,"seat":"Anna","cents":5}'),
    ],
)
def test_what_no_version_wrote_is_refused(schema: int, kind: str, body: str) -> None:
    with pytest.raises(UnreadableEvent):
        decode(schema, kind, body)


def test_a_journal_of_version_1_is_imported_and_verified(store: Store) -> None:
    report = import_journal(store, [VERSION_1])

    assert report.is_clean
    assert {row[5] for row in rows(store, EVENTS)} == {1}
    assert {row[9] for row in rows(store, EVENTS) if row[8] == "RoundBegun"} == {
        f'{{"round_number":{number}}}' for number in (1, 2, 3)
    }


def test_a_table_of_version_1_goes_on_playing(store: Store) -> None:
    import_journal(store, [VERSION_1])

    driver = Driver(store, "t1", Clock(), first_id=1_000)
    state = driver.table.state
    first = recall_round(store, "t1", state.series.game, 1)

    assert state.balances.get("seat:Anna") == 50_000 - 1_000 + 36_000 - 700 - 3_500  # type: ignore[arg-type]
    assert state.interruption is not None
    assert first.settled is not None
    assert first.settled.winning_number == "17"
    driver.settle_interrupted("4")
    driver.round("5", ("5", 100))
    assert driver.table.state.series.last == 4
    assert verify(store).is_clean
    assert {row[5] for row in rows(store, EVENTS)} == {1, SCHEMA}


def test_a_house_of_version_2_is_the_one_that_its_file_planned(store: Store) -> None:
    report = import_journal(store, [VERSION_2])

    plan = plan_of(store)

    assert report.is_clean
    assert plan.house == HouseSettings(
        name="An old house",
        operator="Somebody",
        money=Money.REAL,
        currency="SGD",
        time_zone="Asia/Singapore",
        gaming_day_begins=5,
    )
    assert plan.tables[1] == TablePlan(
        name="t3",
        game="mbs-roulette-v3",
        wheel=WheelSource.SENSOR,
        countdown_seconds=30,
        chips=(250, 500),
        limits=("* 5.00 100.00",),
        settings=("area_maximum * 500.00",),
    )
    assert plan.tables[2].lights is Lights.DEVICE
    assert plan.tables[2].limits == ()
    assert plan.staff[1:] == (
        StaffPlan("Mira", (Role.PIT_MANAGER,), (Duty.CASHIER, Duty.ADMINISTRATOR)),
        StaffPlan("Zoe", (), (Duty.CASHIER, Duty.INSPECTOR)),
    )
    [acting] = read_house_state(store).acting["Dora"]
    assert acting.position is Role.PIT_SUPERVISOR


def test_a_table_of_version_2_goes_on_playing(store: Store) -> None:
    import_journal(store, [VERSION_2])

    driver = Driver(store, "t1", Clock(), first_id=1_000)
    before = driver.table.state.balances.get("seat:Anna")  # type: ignore[arg-type]
    driver.round("5", ("5", 100))

    assert before == 50_000 - 1_000 + 36_000
    assert driver.table.state.series.last == 2
    assert verify(store).is_clean
    assert {row[5] for row in rows(store, EVENTS)} == {2, SCHEMA}


def test_the_proposals_of_version_3_wait_as_data(store: Store) -> None:
    report = import_journal(store, [VERSION_3])

    proposals = read_house_state(store).proposals

    assert report.is_clean
    assert [each.act for each in proposals.values()] == [
        OutcomeCorrection(1, Number("5")),
        RoundsVoiding((1,), Irregularity.BALL_BROKE),
        CreditAdjustment("Paul", -550, "paid twice by mistake"),
    ]
    assert proposals[1].effect == (
        Entry(Account("house"), 36_000),
        Entry(Account("seat:Paul"), -36_000),
    )


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("void rounds 2 3 limit_breach", RoundsVoiding((2, 3), None)),
        ("correct round 12 to 00", OutcomeCorrection(12, Number("00"))),
        (
            'adjust "guest 1" 5.5 wrong change',
            CreditAdjustment("guest 1", 550, "wrong change"),
        ),
        ("adjust Anna -5 a slip", CreditAdjustment("Anna", -500, "a slip")),
    ],
)
def test_the_words_of_a_two_person_act_of_version_3_are_read(
    text: str, act: TwoPersonAct
) -> None:
    said = {"number": 1, "by": "Sam", "position": "Dealer", "acting": False}
    body = {**said, "table": "t1", "act": text, "effect": [], "until_ms": 5}

    event = decode(3, "Proposed", json.dumps(body))

    assert isinstance(event, house.Proposed)
    assert event.act == act


def test_what_version_4_refused_is_read_as_data(store: Store) -> None:
    report = import_journal(store, [VERSION_4])

    refused = [event_of(row) for row in store.events("t1") if row.kind == "ActRefused"]

    assert report.is_clean
    assert [each.acts for each in refused if isinstance(each, table.ActRefused)] == [
        (RefusedAct("CashOut"),),
        (RefusedAct("PlaceWager", "red", 500_000_000),),
        (
            RefusedAct("PlaceWager", "red", 500),
            RefusedAct("PlaceWager", "17/20", 10**9),
        ),
        (RefusedAct("PlaceWager", "black", 500), RefusedAct("WithdrawWager")),
        (RefusedAct("IncreaseWager"),),
    ]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("PlaceWager", RefusedAct("PlaceWager")),
        ("PlaceWager 17", RefusedAct("PlaceWager", "17")),
        ("PlaceWager 17 500", RefusedAct("PlaceWager", "17", 500)),
        ("PlaceWager neighbours:17", RefusedAct("PlaceWager", "neighbours:17")),
        ("", RefusedAct("")),
    ],
)
@pytest.mark.parametrize("schema", [1, 2, 3, 4])
def test_the_words_of_a_refused_act_of_any_version_are_read(
    schema: int, text: str, act: RefusedAct
) -> None:
    by = {"name": "Anna", "role": "Player", "acting": False}
    clause = {"document": "Roulette (MBS) v3", "number": "5.13"}
    reason = "late" if schema <= 2 else {"code": "ball_broke", "values": {}}
    body = {"by": by, "act": text, "clause": clause, "reason": reason}

    event = decode(schema, "ActRefused", json.dumps(body))

    assert isinstance(event, table.ActRefused)
    assert event.acts == (act,)


def test_who_asked_how_without_authority_in_version_4_is_read(store: Store) -> None:
    import_journal(store, [VERSION_4])

    refused = [event_of(row) for row in store.events("house")]

    asked = [each for each in refused if isinstance(each, house.AuthorityRefused)]
    assert [(each.asked_by, each.act, each.times) for each in asked] == [
        (house.AskedBy.OPERATION, "confirm_proposal", 1),
        (house.AskedBy.OPERATION, "buy_in", 3),
        (house.AskedBy.MESSAGE, "PerformAct", 1),
        (house.AskedBy.SESSION, "", 1),
    ]


def test_a_table_of_version_4_goes_on_playing(store: Store) -> None:
    import_journal(store, [VERSION_4])

    driver = Driver(store, "t1", Clock(), first_id=1_000)
    driver.settle_interrupted("4")
    driver.send(ask.CashOut("Anna", 10**9))

    assert verify(store).is_clean
    assert {row[5] for row in rows(store, EVENTS)} == {4, SCHEMA}
