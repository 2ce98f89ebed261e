"""A command that is sent again gets its first answer, whatever has happened since."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.people import devices, players
from croupier.house.records.house_state import DeviceKind
from croupier.house.views import first_answers
from croupier.house.views.connection import Connection
from croupier.journal.events.house import AuthorityRefused
from croupier.journal.store import HOUSE_STREAM, JournalFailed
from croupier.ledger.commands import BuyIn, IssueVoucher
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers as house_answers
from croupier.protocol import messages as device_messages
from croupier.protocol.messages import Command
from croupier.rules.reasons import Reason
from croupier.table.answers import event_of
from tests.house.connecting import CARL, Ear, come, deal, enrolled
from tests.values import replaced
from tests.web.a_house import TEXT, House, in_house

pytestmark = pytest.mark.anyio

PIN = "2468"
SMALL, ENOUGH = 500, 1_000
LEANING = TEXT.replace('"*" = [1, 1000]', '"*" = [10, 1000]')
Place = tuple[Connection, Ear]


class LastEar(Ear):
    """Also hears goodbye, which ends it."""

    bye: tuple[Reason, bool] | None = None

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        self.bye = self.bye or (reason, come_back)


async def answer(place: Place, message: Command) -> house_answers.FromHouse:
    connection, ear = place
    connection.take(house_answers.write_answer(message))
    return await ear.answer(message.id)


def repeated(first: house_answers.FromHouse) -> house_answers.FromHouse:
    """A first answer again: what it left at the seat has been told since."""
    if isinstance(first, house_answers.Answered):
        return replaced(first, seat=None, wagers=(), gone=())
    return first


def place(
    wager_id: str, wager: str, cents: int
) -> tuple[device_messages.NewWager, ...]:
    return (device_messages.NewWager(wager_id, wager, cents),)


class Played:
    """Everything that was asked, by whom, and what was answered first."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.asked: list[tuple[str, Command, house_answers.FromHouse]] = []

    async def open(self) -> None:
        house = self.house
        self.tokens = {
            "seat": enrolled(house, "T1", DeviceKind.TERMINAL),
            "sensor": enrolled(house, "S1", DeviceKind.SENSOR),
        }
        self.places = {
            who: await come(house, device=token) for who, token in self.tokens.items()
        }
        self.places["dealer"] = await deal(house)

    async def ask(self, who: str, message: Command) -> house_answers.FromHouse:
        first = await answer(self.places[who], message)
        self.asked.append((who, message, first))
        return first

    async def check(self, places: dict[str, Place], head: int) -> None:
        """All of it is asked again, and nothing is done."""
        for who, message, first in self.asked:
            again = await answer(places[who], message)
            assert again == repeated(first), message
        now = self.house.store.head("t2")
        assert now is not None
        assert now.sequence == head


async def rounds(house: House) -> Played:
    """Wagers of round 1 in every way; in round 2 the same ids, for other wagers."""
    played = Played(house)
    await played.open()
    await house.act("t2", BuyIn("T1", 100_000), CARL)
    voucher = await house.act("t2", IssueVoucher("T1", 2_000), CARL)
    [issued] = [e for e in voucher.events if isinstance(e, VoucherIssued)]
    seat = played.places["seat"][0]

    await played.ask("dealer", device_messages.PerformAct("d1", "place your bets"))
    wagers = (
        device_messages.ChangeWagers("c1", 1, place("a", "17", ENOUGH)),
        device_messages.ChangeWagers("c2", 1, place("b", "17", SMALL)),
        device_messages.ChangeWagers("c3", 1, place("c", "red", ENOUGH)),
        device_messages.ChangeWagers(
            "c4", 1, increase=(device_messages.MoreStake("c", ENOUGH),)
        ),
        device_messages.ChangeWagers("c5", 1, withdraw=("a",)),
        device_messages.ChangeWagers(
            "c6", 1, place("d", "tiers", ENOUGH), withdraw=("c",)
        ),
        device_messages.ChangeWagers("c7", 1, place("e", "17", 10**9)),
        device_messages.ChangeWagers("c8", 9, place("e", "17", ENOUGH)),
    )
    for each in wagers:
        await played.ask("seat", each)
    lay = "lay red 20 as w9"
    await played.ask(
        "dealer", device_messages.PerformAct("d2", lay, player="Ben", round=1)
    )
    await played.ask("seat", device_messages.Redeem("r1", issued.code))
    await played.ask("seat", device_messages.Collect("r2", 1_000))
    await played.ask("seat", device_messages.AskBuyIn("r3", 5_000))
    await played.ask("dealer", device_messages.KeyOutcome("k1", "17"))
    await played.ask("sensor", device_messages.WheelFact("s1", "spun"))
    await played.ask("dealer", device_messages.ReplyToNotice("n1", 2, accept=True))
    await played.ask("dealer", device_messages.PerformAct("d3", "no more bets"))
    await played.ask("dealer", device_messages.KeyOutcome("k2", "17"))
    await played.ask("dealer", device_messages.KeyOutcome("k3", "17", confirmed=True))
    await played.ask("dealer", device_messages.PerformAct("d4", "settle"))

    await house.say("t2", "Dealer: place your bets")
    for wager_id in ("a", "b", "c", "d", "e"):
        change = device_messages.ChangeWagers(
            f"x{wager_id}", 2, place(wager_id, "black", 2_000)
        )
        await answer(played.places["seat"], change)
    assert {each.wager for each in seat.wagers.values()} == {"black"}
    return played


def told_of(place: Place) -> tuple[object, ...]:
    listener = place[0]
    return listener.told, dict(listener.wagers)


@pytest.mark.house_file(LEANING)
async def test_a_repeated_command_gets_its_first_answer(house: House) -> None:
    played = await rounds(house)
    head = house.floor.table("t2").told
    by_id = {message.id: first for _, message, first in played.asked}
    before = told_of(played.places["seat"])

    await played.check(played.places, head)
    back = await come(house, device=played.tokens["seat"])
    await played.check(played.places | {"seat": back}, head)

    kept = by_id["c4"]
    assert isinstance(kept, house_answers.Answered)
    assert [each.stake_cents for each in kept.wagers] == [2 * ENOUGH]
    refused = [by_id[each] for each in ("c5", "c7", "c8", "k1")]
    assert [getattr(each, "registered", None) for each in refused] == [False] * 4
    assert told_of(played.places["seat"]) == before == told_of(back)


def test_a_repeated_command_gets_its_first_answer_after_a_restart(
    tmp_path: Path,
) -> None:
    """But for what no journal has: an outcome keyed, and who asked to buy in."""
    played: list[Played] = []

    async def first(house: House) -> None:
        played.append(await rounds(house))

    async def then(house: House) -> None:
        [before] = played
        recorded = [each for each in before.asked if each[1].id not in {"r3", "k2"}]
        before.house, before.asked = house, recorded
        session = await house.log_on("Dana")
        places = {
            "seat": await come(house, device=before.tokens["seat"]),
            "sensor": await come(house, device=before.tokens["sensor"]),
            "dealer": await come(house, session=session),
        }
        head = house.store.head("t2")
        assert head is not None

        await before.check(places, head.sequence)

    in_house(tmp_path, first, LEANING)
    in_house(tmp_path, then, LEANING)


async def test_who_sat_down_and_left_is_told_so_again(house: House) -> None:
    mira = house.floor.sessions.find(await house.log_on("Mira"))[1]
    players.register(house.floor.record, mira, "Anna", PIN)
    played = Played(house)
    await played.open()
    await played.ask("seat", device_messages.Sit("p1", "Anna", PIN))
    await played.ask("seat", device_messages.Leave("p2"))

    back = await come(house, device=played.tokens["seat"])
    await played.check(played.places | {"seat": back}, house.floor.table("t2").told)

    assert not house.floor.record.state.sitting
    assert back[0].seat == "T1"


def test_answers_that_no_journal_has_are_kept_up_to_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(first_answers, "_MOST_KEPT", 2)
    kept = first_answers.UnrecordedAnswers()
    for message_id in ("a", "b", "c"):
        kept.keep(
            message_id, "", house_answers.Answered(message_id, 1, registered=True)
        )

    assert [kept.find(each, "") is not None for each in "abc"] == [False, True, True]


def fails(*_: object) -> object:
    raise JournalFailed("nobody answers")


async def leaving(house: House, token: str) -> tuple[Connection, LastEar]:
    ear = LastEar()
    connection = house.floor.connections.connect(
        "t2", device_messages.Hello(token), ear
    )
    return connection, ear


WHAT_FAILS: dict[str, Command] = {
    "croupier.table.table.Table._judge": device_messages.ChangeWagers(
        "c1", 1, place("a", "17", ENOUGH)
    ),
    "croupier.house.views.messages.sit": device_messages.Sit("c1", "Anna", PIN),
    "croupier.house.floor.table.stored_answer": device_messages.ReplyToNotice(
        "c0", 1, accept=False
    ),
}


@pytest.mark.parametrize("what", WHAT_FAILS)
async def test_a_command_of_unknown_outcome_is_to_be_sent_again(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Neither done nor refused, and after coming back it has its answer."""
    monkeypatch.setattr("croupier.house.floor.table._JOURNAL_AWAY_S", 0.0)

    mira = house.floor.sessions.find(await house.log_on("Mira"))[1]
    players.register(house.floor.record, mira, "Anna", PIN)
    token = enrolled(house, "T1", DeviceKind.TERMINAL)
    if not isinstance(WHAT_FAILS[what], device_messages.Sit):
        await house.act("t2", BuyIn("T1", 10_000), CARL)
    await house.say("t2", "Dealer: place your bets")
    if isinstance(
        WHAT_FAILS[what], device_messages.ReplyToNotice
    ):  # done, and then not new
        at = await come(house, device=token)
        await answer(at, device_messages.AskBuyIn("b0", 1_000))
        await answer(at, WHAT_FAILS[what])
    with monkeypatch.context() as patch:
        patch.setattr(what, fails)
        connection, ear = await leaving(house, token)
        told = await answer((connection, ear), WHAT_FAILS[what])
    back = await answer(await come(house, device=token), WHAT_FAILS[what])

    assert isinstance(told, house_answers.MessageProblem)
    assert told.again
    assert ear.bye is not None
    assert ear.bye[1], "come back"
    assert isinstance(back, house_answers.Answered)
    assert back.registered


def wagers_of(answer: house_answers.FromHouse) -> list[str]:
    assert isinstance(answer, house_answers.Answered)
    return [each.id for each in answer.wagers]


async def test_answers_of_one_commit_list_their_own_wagers_alone(house: House) -> None:
    """What else has changed at the seat is told beside them, and nothing is lost."""
    commands = (
        device_messages.ChangeWagers("c1", 1, place("a", "17", ENOUGH)),
        device_messages.ChangeWagers("c2", 1, place("b", "red", ENOUGH)),
        device_messages.ChangeWagers("c3", 1, place("c", "17", ENOUGH)),
        device_messages.ChangeWagers("c4", 1, withdraw=("c",)),
        device_messages.ChangeWagers(
            "c5", 1, increase=(device_messages.MoreStake("b", ENOUGH),)
        ),
    )

    token = enrolled(house, "T1", DeviceKind.TERMINAL)
    connection, ear = await come(house, device=token)
    other, other_ear = await come(house, device=token)
    await house.act("t2", BuyIn("T1", 100_000), CARL)
    await house.say("t2", "Dealer: place your bets")
    commits = len(list(house.store.events("t2")))
    ear.heard.clear()
    other_ear.heard.clear()
    for each in commands:  # of one turn of the loop: they share a commit
        connection.take(house_answers.write_answer(each))
    other.take(
        house_answers.write_answer(
            device_messages.ChangeWagers("o1", 1, place("d", "black", ENOUGH))
        )
    )

    answers = [await ear.answer(each.id) for each in commands]
    theirs = await other_ear.answer("o1")
    told = list(ear.heard)

    assert len(list(house.store.events("t2"))) == commits + 6
    assert [wagers_of(each) for each in answers] == [["a"], ["b"], [], [], ["b"]]
    assert [getattr(each, "gone", ()) for each in answers[2:4]] == [("c",), ("c",)]
    assert wagers_of(theirs) == ["d"]
    for listener in (connection, other):
        assert listener.seat is not None
        whole = connection.table.views.seat(listener.seat, listener.prefix)
        assert listener.told == replaced(whole, wagers=())
        assert listener.wagers == {wager.id: wager for wager in whole.wagers}
    assert _folded(answers, told) == {"a": 1_000, "b": 2_000, "d": 1_000}
    assert _folded([theirs], other_ear.heard) == {"a": 1_000, "b": 2_000, "d": 1000}
    for each, first in zip(commands, answers, strict=True):
        assert isinstance(first, house_answers.Answered)
        again = await answer((connection, ear), each)
        assert again == repeated(first)


def _folded(*told: list[house_answers.FromHouse]) -> dict[str, int]:
    """Return the stakes that a client knows after its answers and updates."""
    known: dict[str, int] = {}
    for message in (each for messages in told for each in messages):
        if isinstance(message, house_answers.Answered | house_answers.SeatUpdate):
            known |= {wager.id: wager.stake_cents for wager in message.wagers}
            for wager_id in message.gone:
                known.pop(wager_id, None)
    return known


async def test_a_command_twice_in_one_commit_is_told_once(house: House) -> None:
    command = device_messages.ChangeWagers("c1", 1, place("a", "17", ENOUGH))

    token = enrolled(house, "T1", DeviceKind.TERMINAL)
    connection, ear = await come(house, device=token)
    _, other_ear = await come(house, device=token)
    await house.act("t2", BuyIn("T1", 100_000), CARL)
    await house.say("t2", "Dealer: place your bets")
    ear.heard.clear()
    other_ear.heard.clear()
    for _ in range(2):
        connection.take(house_answers.write_answer(command))

    first, again = await ear.answer("c1"), await ear.answer("c1")
    told = await other_ear.until(
        lambda each: isinstance(each, house_answers.SeatUpdate)
    )

    assert isinstance(first, house_answers.Answered)
    assert wagers_of(first) == ["a"]
    assert again == replaced(first, seat=None)
    assert isinstance(told, house_answers.SeatUpdate)
    assert [each.event for each in told.happened] == ["WagerPlaced"]


def is_id_used(answered: house_answers.FromHouse) -> bool:
    if not isinstance(answered, house_answers.MessageProblem) or answered.again:
        return False
    return answered.reason.reason.code == "id_used_before"


async def refused_acts(house: House) -> list[tuple[str, str]]:
    """Who was refused what, by the log, for the use of another command's id."""
    await house.floor.caught_up()
    rows = house.store.events(HOUSE_STREAM)
    events = [event_of(row) for row in rows if row.kind == "AuthorityRefused"]
    refused = [each for each in events if isinstance(each, AuthorityRefused)]
    return [(e.name, e.act) for e in refused if e.reason.code == "id_used_before"]


async def with_credit(house: House, cents: int = 5_000) -> str:
    token = enrolled(house, "T1", DeviceKind.TERMINAL)
    await house.act("t2", BuyIn("T1", cents), CARL)
    return token


async def code_of(at: Place, message: Command) -> str | None:
    told = await answer(at, message)
    assert isinstance(told, house_answers.Answered)
    assert told.registered
    return told.voucher


def test_a_terminal_that_is_enrolled_again_is_another_sender(tmp_path: Path) -> None:
    """It has the same name and seat, and gets no voucher of the one before."""

    async def enrol_again(house: House) -> None:
        collect = device_messages.Collect("c1", 2_000)
        first = await come(house, device=await with_credit(house))
        code = await code_of(first, collect)
        mira = house.floor.sessions.find(await house.log_on("Mira"))[1]
        devices.revoke(house.floor.record, mira, "T1")
        again = await come(house, device=enrolled(house, "T1", DeviceKind.TERMINAL))

        told = await answer(again, collect)

        assert code
        assert is_id_used(told)
        assert code not in str(again[1].heard)
        assert await refused_acts(house) == [("T1", "IssueVoucher")]

    in_house(tmp_path, enrol_again)


OTHERS: list[tuple[Command, Command]] = [
    (device_messages.Collect("c1", 2_000), device_messages.Collect("c1", 1_000)),
    (device_messages.Collect("c1"), device_messages.Redeem("c1", "AAAABBBBCCCCDDDD")),
    (device_messages.AskBuyIn("c1", 2_000), device_messages.AskBuyIn("c1", 3_000)),
    (device_messages.AskBuyIn("c1", 2_000), device_messages.Collect("c1", 2_000)),
    (device_messages.Collect("c1", 2_000), device_messages.ReportLit("c1", "17")),
    (device_messages.Collect("c1", 90_000), device_messages.Collect("c1", 2_000)),
]
"""A command, and another one under its id."""


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(("first", "other"), OTHERS)
def test_another_command_under_a_used_id_is_refused(
    tmp_path: Path, first: Command, other: Command, restarted: bool
) -> None:
    """Nothing is done by it, and the log says who sent it."""
    tokens: list[str] = []
    is_kept = not isinstance(first, device_messages.AskBuyIn) or not restarted

    async def ask_first(house: House) -> None:
        tokens.append(await with_credit(house))
        await answer(await come(house, device=tokens[0]), first)
        if not restarted:
            await ask_other(house)

    async def ask_other(house: House) -> None:
        before = house.store.head("t2")
        told = await answer(await come(house, device=tokens[0]), other)
        if is_kept:
            assert is_id_used(told)
            assert house.store.head("t2") == before
            assert [who for who, _ in await refused_acts(house)] == ["T1"]

    in_house(tmp_path, ask_first)
    if restarted:
        in_house(tmp_path, ask_other)


async def test_a_code_is_not_repeated_after_its_stay(house: House) -> None:
    some, rest = device_messages.Collect("c1", 2_000), device_messages.Collect("c2")
    at = await come(house, device=await with_credit(house))
    first, again = await code_of(at, some), await code_of(at, some)
    last, last_again = await code_of(at, rest), await code_of(at, rest)
    assert first == again is not None
    assert last == last_again is not None, "its own answer was lost on the way"

    assert await code_of(at, some) is None
    await house.act("t2", BuyIn("T1", 1_000), CARL)
    assert await code_of(at, rest) is None
    assert await code_of(at, some) is None


async def test_a_named_players_code_is_not_repeated_to_the_next_player(
    house: House,
) -> None:
    mira = house.floor.sessions.find(await house.log_on("Mira"))[1]
    players.register(house.floor.record, mira, "Anna", PIN)
    collect = device_messages.Collect("c1", 2_000)
    at = await come(house, device=enrolled(house, "T1", DeviceKind.TERMINAL))
    await answer(at, device_messages.Sit("p1", "Anna", PIN))
    await house.act("t2", BuyIn("Anna", 5_000), CARL)
    assert await code_of(at, collect) == await code_of(at, collect) is not None
    await answer(at, device_messages.Leave("p2"))

    assert await code_of(at, collect) is None
