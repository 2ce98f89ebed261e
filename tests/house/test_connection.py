"""A connection by itself: what is sent again, early lights, and its seat's view."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from croupier.house.people import devices
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.house.views.connection import Connection
from croupier.journal.events.house import AuthorityRefused, DeviceLost
from croupier.journal.store import HOUSE_STREAM
from croupier.ledger.commands import BuyIn
from croupier.protocol import answers, messages
from croupier.rules import commands
from croupier.rules.operator import Person, Role
from croupier.table import commands as table_commands
from croupier.table.answers import event_of
from tests.house.connecting import CARL, Ear, ask_for, come, deal, enrolled
from tests.values import replaced
from tests.web.a_house import PASSWORD, TEXT, House, in_house, opened

pytestmark = pytest.mark.anyio

SYSTEM = Person("system", Role.SYSTEM)
FAST = TEXT.replace(
    'game = "mbs-roulette-v3"', 'game = "mbs-fast-action-v2"\nlights = "device"'
)


async def test_a_confirmed_outcome_sent_again_gets_its_first_answer(
    house: House,
) -> None:
    dana = await deal(house)
    await house.say("t2", "Dealer: place your bets", "Dealer: spin")
    await house.say("t2", "Dealer: no more bets")
    await ask_for(dana, messages.KeyOutcome("o1", "17"))
    confirmed = messages.KeyOutcome("o2", "17", confirmed=True)
    first = await ask_for(dana, confirmed)
    head = house.store.head("t2")

    again = await ask_for(dana, confirmed)
    anew = await ask_for(dana, messages.KeyOutcome("o3", "17", confirmed=True))

    assert isinstance(first, answers.Answered)
    assert first.registered
    assert again == first
    assert isinstance(anew, answers.MessageProblem)
    assert "has not been keyed" in anew.reason.text
    assert house.store.head("t2") == head


async def test_a_notice_accepted_again_gets_its_first_answer(house: House) -> None:
    record = house.floor.record
    kind = DeviceKind.TERMINAL
    code = devices.invite_unasked(record, "test", "T1", kind, "t2")
    terminal = await come(house, device=devices.enrol(record, code)[0])
    carl = await come(house, session=await house.log_on("Carl"))
    await ask_for(terminal, messages.AskBuyIn("b1", 5_000))
    accepted = messages.ReplyToNotice("n1", 1, accept=True)
    first = await ask_for(carl, accepted)

    again = await ask_for(carl, accepted)
    anew = await ask_for(carl, messages.ReplyToNotice("n2", 1, accept=True))

    assert isinstance(first, answers.Answered)
    assert first.registered
    assert again == first
    assert isinstance(anew, answers.MessageProblem)
    assert anew.reason.text == "there is no notice 1"
    bought = [row for row in house.store.events("t2") if row.kind == "BoughtIn"]
    assert len(bought) == 1


def _confirms_lights(message: answers.FromHouse) -> bool:
    view = getattr(message, "view", None)
    return getattr(view, "lights_confirmed", None) is True


@pytest.mark.house_file(FAST)
async def test_lights_reported_before_the_draw_count_once_it_is_made(
    house: House,
) -> None:
    _, ear = await deal(house)
    table = house.floor.table("t2")
    await house.say("t2", "Dealer: place your bets", "Dealer: spin")
    for number in table.game.numbers:
        await house.act("t2", table_commands.ReportLight("layout", number), SYSTEM)
    before = [each for each in ear.heard if isinstance(each, answers.TableUpdate)]

    await house.say("t2", "Dealer: no more bets")

    assert before
    assert not any(map(_confirms_lights, before))
    await ear.until(_confirms_lights)
    await house.say("t2", "Dealer: outcome 17")


def seat_told(connection: Connection) -> answers.SeatView:
    """The seat as its terminal knows it, with the wagers."""
    assert connection.told is not None
    return replaced(connection.told, wagers=tuple(connection.wagers.values()))


async def test_a_seat_view_after_updates_equals_a_new_one(tmp_path: Path) -> None:
    """Wagers of 5 on a minimum of 10 lean on each other."""
    small, enough = 500, 1_000
    changes = (
        messages.ChangeWagers("c1", 1, place=(messages.NewWager("a", "17", enough),)),
        messages.ChangeWagers("c2", 1, place=(messages.NewWager("b", "17", small),)),
        messages.ChangeWagers(
            "c3",
            1,
            place=(
                messages.NewWager("c", "red", enough),
                messages.NewWager("d", "17", small),
            ),
        ),
        messages.ChangeWagers("c4", 1, increase=(messages.MoreStake("c", enough),)),
        messages.ChangeWagers("c5", 1, withdraw=("a",)),
        messages.ChangeWagers("c6", 1, withdraw=("b", "d")),
        messages.ChangeWagers(
            "c7", 1, place=(messages.NewWager("e", "17", enough),), withdraw=("c",)
        ),
    )

    async with opened(
        tmp_path, TEXT.replace('"*" = [1, 1000]', '"*" = [10, 1000]')
    ) as house:
        record, kind = house.floor.record, DeviceKind.TERMINAL
        code = devices.invite_unasked(record, "test", "T1", kind, "t2")
        token = devices.enrol(record, code)[0]
        connection, ear = await come(house, device=token)
        prefix = connection.prefix
        await house.act("t2", BuyIn("T1", 100_000), Person("Carl", Role.CASHIER))
        await house.say("t2", "Dealer: place your bets")
        lean: list[tuple[str, ...]] = []
        for change in changes:
            connection.take(answers.write_answer(change))
            answer = await ear.answer(change.id)

            whole = connection.table.views.seat("T1", prefix)
            assert isinstance(answer, answers.Answered)
            assert answer.registered
            assert seat_told(connection) == whole
            lean.append(tuple(each.id for each in whole.wagers if each.under_minimum))
        await house.act("t2", commands.MarkUnclear("T1.e"), Person("Dana", Role.DEALER))
        whole = connection.table.views.seat("T1", prefix)

        assert not any(lean), "no terminal can leave a rest under the minimum (A36)"
        assert [each.unclear for each in whole.wagers] == [True]
        assert seat_told(connection) == whole


async def test_a_session_of_one_console_is_not_taken_from_another(house: House) -> None:
    record, kind, tokens = house.floor.record, DeviceKind.CONSOLE, {}
    for name in ("c1", "c2"):
        code = devices.invite_unasked(record, "test", name, kind, "t2")
        tokens[name] = devices.enrol(record, code)[0]
    body = {"name": "Sam", "password": PASSWORD, "device": tokens["c1"]}
    session = (await house.post("/api/log-on", body))["token"]

    with pytest.raises(Denied, match="opened at another device"):
        await come(house, session=session, device=tokens["c2"])

    with pytest.raises(Denied, match="opened at another device"):
        await come(house, session=session)

    connection, _ = await come(house, session=session, device=tokens["c1"])
    assert connection.session == session
    hello, ear = messages.Hello(None, session), Ear()
    browser = house.floor.connections.connect("t2", hello, ear, at=tokens["c1"])
    assert browser.session == session


def refused_at(house: House) -> int:
    return sum(row.kind == "ActRefused" for row in house.store.events("t2"))


async def summed_refusals(house: House) -> list[tuple[str, str, int]]:
    await house.floor.caught_up()
    events = map(event_of, house.store.events(HOUSE_STREAM))
    return [
        (each.name, each.act, each.times)
        for each in events
        if isinstance(each, AuthorityRefused)
    ]


async def test_refusals_of_a_device_are_recorded_up_to_a_number(house: House) -> None:
    """The rest is turned away unjudged, and is one event with how many, later."""

    token = enrolled(house, "T1", DeviceKind.TERMINAL)
    connection, ear = await come(house, device=token)
    told = []
    for each in range(700):
        collect = messages.Collect(f"c{each}", 5_000)  # there is no credit
        connection.take(answers.write_answer(collect))
        told.append(await ear.answer(collect.id))

    kinds = [isinstance(each, answers.Answered) for each in told]
    assert kinds == [True] * 500 + [False] * 200
    assert refused_at(house) == 500
    problem = told[-1]
    assert isinstance(problem, answers.MessageProblem)
    assert problem.again, "it was not judged, and can be sent again"
    assert problem.reason.reason.code == "refused_too_often"
    assert await summed_refusals(house) == [("T1", "Collect", 1)]
    house.pass_minutes(1.1)
    connection.take(answers.write_answer(messages.Collect("c699", 5_000)))
    assert isinstance(await ear.answer("c699"), answers.Answered)
    assert refused_at(house) == 501
    house.floor._refusals.record_due()
    assert await summed_refusals(house) == [
        ("T1", "Collect", 1),
        ("T1", "Collect", 199),
    ]


async def losses(house: House) -> dict[str, bool]:
    """The devices that were lost, and whether they were needed."""
    await house.floor.caught_up()
    events = map(event_of, house.store.events(HOUSE_STREAM))
    return {e.device: e.needed for e in events if isinstance(e, DeviceLost)}


def test_the_loss_of_a_device_is_an_alarm_if_the_round_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.house.floor.connections._GRACE_S", 0.0)
    kinds = {
        "T1": DeviceKind.TERMINAL,
        "T2": DeviceKind.TERMINAL,
        "C1": DeviceKind.CONSOLE,
        "S1": DeviceKind.SENSOR,
        "L1": DeviceKind.LAYOUT,
        "B1": DeviceKind.BOARD,
    }

    async def lose_all(house: House, *, in_play: bool) -> None:
        tokens = {name: enrolled(house, name, kind) for name, kind in kinds.items()}
        there = {name: await come(house, device=tokens[name]) for name in tokens}
        await house.act("t2", BuyIn("T1", 5_000), CARL)
        await house.act("t2", BuyIn("T2", 5_000), CARL)
        if in_play:
            await house.say("t2", "Dealer: place your bets")
            wager = messages.ChangeWagers(
                "c1", 1, (messages.NewWager("a", "red", 1_000),)
            )
            there["T1"][0].take(answers.write_answer(wager))
            await there["T1"][1].answer("c1")
        for connection, _ in there.values():
            house.floor.connections.gone(connection)
        await asyncio.sleep(0.05)

        needed = {"T1", "C1", "S1", "L1"} if in_play else set()
        assert await losses(house) == {name: name in needed for name in kinds}

    for in_play in (False, True):
        folder = tmp_path / str(in_play)
        folder.mkdir()
        in_house(folder, partial(lose_all, in_play=in_play))


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ('{"type": "collect", "id": "c1", "cents": -5}', "c1"),
        ('{"type": "collect", "id": "c1", "cents": 5, "more": 1}', "c1"),
        ('{"id": "c1", "type": "no such message"}', "c1"),
        ('{"id": "c1"}', "c1"),
        (
            '{"type": "wagers", "id": "c1", "round": "one", "place": [{"id": "w"}]}',
            "c1",
        ),
        ('{"type": "collect", "id": 5}', None),
        ('{"type": "collect", "id": "two words"}', None),
        ('{"type": "collect"}', None),
        ('["c1"]', None),
        ('{"type": "collect", "id": "c1"', None),
        ("[" * 5_000, None),
    ],
)
async def test_a_problem_names_the_id_if_it_can_be_read(
    house: House, raw: str, wanted: str | None
) -> None:
    """A device that waits for its answer would else send for ever."""

    token = enrolled(house, "T1", DeviceKind.TERMINAL)
    connection, ear = await come(house, device=token)
    connection.take(raw)

    told = await ear.until(lambda each: isinstance(each, answers.MessageProblem))

    assert isinstance(told, answers.MessageProblem)
    assert (told.id, told.again) == (wanted, False)
