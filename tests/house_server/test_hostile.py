"""People without authority and broken messages are refused; nothing changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.protocol.answers import Answered, Bye, MessageProblem, Pong, read_answer
from tests.house_server.line import Line, dial, hello, line_to
from tests.house_server.raw import BINARY, CLOSE, PING, TEXT, raw_socket
from tests.house_server.server import PASSWORD, House

pytestmark = pytest.mark.anyio

EVIL = "https://evil.example"
_WAGER = {"id": "w1", "wager": "red", "stake_cents": 500}


async def _problem(house: House, message: Any, table: str = "v3") -> MessageProblem:
    """Return the answer to a first message that is no valid hello."""
    socket = await dial(house, table)
    await socket.send(message if isinstance(message, str) else json.dumps(message))
    told = read_answer(await socket.recv())
    with pytest.raises(ConnectionClosed):
        await socket.recv()
    assert socket.close_code == 1008
    assert isinstance(told, MessageProblem)
    return told


# Authority


async def test_a_page_of_another_origin_may_neither_ask_nor_listen(
    lite_house: House,
) -> None:
    house = lite_house
    token = house.session("Mira")
    path, body = "/api/tables/v3/close", {"id": "x"}

    for origin in (EVIL, "null", house.address + "0", "http://127.0.0.1"):
        with pytest.raises(InvalidStatus) as refused:
            await dial(house, origin=origin)
        assert refused.value.response.status_code == 403
    socket = await dial(house, origin=house.address)
    await socket.close()
    for origin in (EVIL, "null", house.address.replace("http:", "https:")):
        for method in ("POST", "PUT", "DELETE"):
            reply = house.http(
                method, path, body, token=token, headers={"Origin": origin}
            )
            assert reply.status == 403, (method, origin, reply)
    assert house.ask("GET", "/api/tables")[1]["is_open"]


def test_a_cookie_alone_changes_nothing(lite_house: House) -> None:
    house = lite_house
    given_ = house.ask("POST", "/api/demonstration/staff", {"name": "Max"})
    cookie = f"croupier_session={given_['token']}; croupier_csrf={given_['csrf']}"
    own = {"Cookie": cookie, "Origin": house.address}
    path, body = "/api/tables/v3/dealer", None

    assert house.http("POST", path, body, headers={"Cookie": cookie}).status == 403
    assert house.http("POST", path, body, headers=own).status == 403
    wrong = {**own, "X-CSRF-Token": "x" * 32}
    assert house.http("POST", path, body, headers=wrong).status == 403
    right = {**own, "X-CSRF-Token": given_["csrf"]}
    known = house.http("POST", "/api/log-off", body, headers=right)
    assert known.status in {200, 204}
    assert house.http("GET", "/api/me", headers=own).status == 401


async def test_wrong_and_borrowed_tokens_open_nothing(lite_house: House) -> None:
    house = lite_house
    device, session = house.devices["Anna-v2"], house.session("Dana")
    wrong: list[dict[str, Any]] = [
        {"table": "v3", "device": "nonsense"},
        {"table": "v3", "session": "nonsense"},
        {"table": "v3", "session": "cookie"},
        {"table": "v3", "session": device},
        {"device": session},
        {"device": device},
        {"device": "x" * 101},
    ]

    for each in wrong:
        problem = await _problem(house, {"type": "hello", **each})
        assert problem.reason.text
    hello = {"type": "hello", "session": session}
    assert (await _problem(house, hello, "nowhere")).reason.text
    other = await _problem(house, {"type": "hello", "device": device})
    assert "another table" in other.reason.text
    for token in ("nonsense", device, "", "x" * 500):
        assert house.http("GET", "/api/me", token=token).status == 401


def test_a_revoked_device_and_an_ended_session_are_out_at_once(
    lite_house: House,
) -> None:
    house = lite_house

    async def dismissed(
        act: Callable[[], object], again: dict[str, Any], **named: str
    ) -> None:
        async with line_to(house, "complete", **named) as line:
            act()
            bye = await line.next(Bye)
            assert not bye.come_back
            assert await line.ended() == 1008
        assert (await _problem(house, {"type": "hello", **again})).reason.text

    revoked, session = house.devices["Cara-complete"], house.session("Dora")
    other = house.ask("POST", "/api/demonstration/staff", {"name": "Max"})["token"]
    asyncio.run(
        dismissed(
            lambda: house.ask("DELETE", "/api/devices/Cara-complete", by="Ada"),
            {"table": "complete", "device": revoked},
            device="Cara-complete",
        )
    )
    asyncio.run(
        dismissed(
            lambda: house.http("POST", "/api/log-off", token=session),
            {"table": "complete", "session": session},
            staff="Dora",
        )
    )
    assert house.http("GET", "/api/device", token=revoked).status == 401
    assert house.http("GET", "/api/me", token=session).status == 401
    assert house.http("GET", "/api/me", token=other).status == 200


async def test_no_terminal_locks_the_staff_nor_finds_their_password(
    lite_house: House,
) -> None:
    house = lite_house
    kept = house.session("Ada")
    pia = {"name": "Pia", "pin": "4711"}
    house.ask("POST", "/api/players", pia, by="Carl")

    async with line_to(house, "v3", device="Anna-v3") as line:
        wrong = "the name or the PIN is wrong, or locked for a while"
        for pin in ("1111", "2222", "3333", "4444", "5555", "6666", PASSWORD):
            assert await line.denied("sit", player="Ada", pin=pin) == wrong
    async with line_to(house, "v3", device="Ben-v3") as line:
        for _ in range(5):
            assert await line.denied("sit", player="Pia", pin="1111") == wrong
        assert await line.denied("sit", player="Pia", pin="4711") == wrong
    assert house.http("GET", "/api/me", token=kept).status == 200
    ada = {"name": "Ada", "password": PASSWORD}
    assert house.http("POST", "/api/log-on", ada).status == 200
    assert house.http("POST", "/api/log-on", {**ada, "name": "Pia"}).status == 401


# Frames

_ACT = {"type": "act", "id": "a", "act": "place your bets"}
_DEEP = "[" * 30_000
HOSTILE: dict[str, str] = {
    "empty": "",
    "blank": "   ",
    "no JSON": "place your bets",
    "a number": "17",
    "a list": "[]",
    "null": "null",
    "nothing": "{}",
    "no type": '{"id": "a"}',
    "an unknown type": '{"type": "void", "id": "a"}',
    "a type that is no text": '{"type": 1}',
    "hello again": '{"type": "hello"}',
    "an answer": '{"type": "answer", "id": "a", "sequence": 1, "registered": true}',
    "an id that is a number": json.dumps({**_ACT, "id": 5}),
    "an empty id": json.dumps({**_ACT, "id": ""}),
    "a long id": json.dumps({**_ACT, "id": "x" * 51}),
    "an id with NUL": json.dumps({**_ACT, "id": "a\0b"}),
    "an id of lines": json.dumps({**_ACT, "id": "a\nb"}),
    "an id that turns around": json.dumps({**_ACT, "id": "a\u202eb"}),
    "half a character": '{"type": "act", "id": "\\ud800", "act": "spin"}',
    "an act that is none": json.dumps({**_ACT, "act": "explode"}),
    "an act with NUL": json.dumps({**_ACT, "act": "place your bets\0"}),
    "an act of lines": json.dumps({**_ACT, "act": "place your bets\nspin"}),
    "an act that is a list": json.dumps({**_ACT, "act": ["spin"]}),
    "a long act": json.dumps({**_ACT, "act": "x" * 201}),
    "an act with a colon": json.dumps({**_ACT, "act": "Dealer: place your bets"}),
    "an unknown field": json.dumps({**_ACT, "by": "Mira"}),
    "a position of nobody": json.dumps({**_ACT, "position": "God\0"}),
    "a Player with NUL": json.dumps(
        {**_ACT, "act": "lay red 10 as w1", "player": "\0"}
    ),
    "deep": _DEEP,
    "deep in a field": '{"type": "act", "id": "a", "act": ' + _DEEP,
    "deep and whole": '{"type": "ping", "at_ms": ' + "[" * 9_000 + "]" * 9_000 + "}",
    "a huge number": '{"type": "ping", "at_ms": ' + "9" * 5_000 + "}",
    "a huge exponent": '{"type": "ping", "at_ms": 1e999}',
    "not a number": '{"type": "ping", "at_ms": NaN}',
    "below zero": '{"type": "ping", "at_ms": -1}',
    "a fraction": '{"type": "ping", "at_ms": 1.5}',
    "a stake below zero": json.dumps(
        {"type": "wagers", "id": "a", "place": [{**_WAGER, "stake_cents": -500}]}
    ),
    "a stake of zero": json.dumps(
        {"type": "wagers", "id": "a", "place": [{**_WAGER, "stake_cents": 0}]}
    ),
    "a stake beyond money": json.dumps(
        {"type": "wagers", "id": "a", "place": [{**_WAGER, "stake_cents": 10**13}]}
    ),
    "a stake that is true": json.dumps(
        {"type": "wagers", "id": "a", "place": [{**_WAGER, "stake_cents": True}]}
    ),
    "a wager that is none": json.dumps(
        {"type": "wagers", "id": "a", "place": [{**_WAGER, "wager": "red\0"}]}
    ),
    "a wager id that is a path": json.dumps(
        {"type": "wagers", "id": "a", "place": [{**_WAGER, "id": "../w1"}]}
    ),
    "too many wagers": json.dumps(
        {"type": "wagers", "id": "a", "withdraw": [f"w{n}" for n in range(201)]}
    ),
    "no wagers": '{"type": "wagers", "id": "a"}',
    "a withdrawal with NUL": json.dumps(
        {"type": "wagers", "id": "a", "withdraw": ["\0"]}
    ),
    "a code with NUL": json.dumps({"type": "redeem", "id": "a", "code": "\0"}),
    "a name with NUL": json.dumps(
        {"type": "sit", "id": "a", "player": "\0", "pin": "1234"}
    ),
    "an announcement with NUL": json.dumps(
        {"type": "shown", "id": "a", "announcement": "\0", "at_ms": 1}
    ),
    "a number of no wheel": json.dumps({"type": "outcome", "id": "a", "number": "99"}),
    "a fact with NUL": json.dumps({"type": "wheel_fact", "id": "a", "fact": "\0"}),
    "a notice that is not there": json.dumps(
        {"type": "answer_notice", "id": "a", "notice": 2**53, "accept": True}
    ),
}


@pytest.mark.parametrize("who", [{"staff": "Dana"}, {"device": "Anna-v3"}], ids=str)
async def test_a_hostile_frame_is_answered_and_changes_nothing(
    who: dict[str, str], lite_house: House
) -> None:
    house = lite_house
    house.deal("v3")
    before = house.head("v3")

    for name, frame in HOSTILE.items():
        async with line_to(house, "v3", **who) as line:
            await line.socket.send(frame)
            await line.until(
                lambda line=line: line.of(MessageProblem) or line.of(Answered),  # type: ignore[misc]
                f"an answer to {name}",
            )
            for each in line.of(Answered):
                assert not each.registered, name
            await _is_alive(line)
    assert {row.kind for row in house.rows("v3")[before:]} <= {"ActRefused"}


async def _is_alive(line: Line) -> None:
    await line.socket.send('{"type": "ping", "at_ms": 7}')
    assert (await line.next(Pong)).echo_ms == 7


@pytest.mark.parametrize("name", ["empty", "deep", "nothing", "an unknown type"])
def test_a_hostile_first_frame_ends_the_connection(
    name: str, lite_house: House
) -> None:
    problem = asyncio.run(_problem(lite_house, HOSTILE[name]))

    assert problem.reason.text == "the first message is hello"


def test_frames_that_no_library_sends_end_at_most_their_own_connection(
    lite_house: House,
) -> None:
    house = lite_house
    said = json.dumps(hello(house, device="Ben-v3")).encode()
    before = house.head("v3")

    async def one(send: Callable[[Any], Awaitable[None]], wanted: bytes | None) -> None:
        async with raw_socket(house) as raw:
            await raw.send(TEXT, said)
            await send(raw)
            if wanted is None:
                await raw.over()
                return
            async with asyncio.timeout(10):
                await raw.reader.readuntil(wanted)

    async def all_of_them() -> None:
        frames: list[tuple[Callable[[Any], Awaitable[None]], bytes | None]] = [
            (lambda raw: raw.send(BINARY, b"\x00\xff" * 100), b"text frames"),
            (lambda raw: raw.send(TEXT, b'{"type": "act\xff"}'), None),
            (lambda raw: raw.send(TEXT, b"x" * 1_000_000), None),
            (lambda raw: raw.send(TEXT, b"[]", masked=False), None),
            (lambda raw: raw.send(11, b"[]"), None),
            (lambda raw: raw.send(PING, b"x" * 126), None),
            (lambda raw: raw.send(0, b"[]"), None),
            (lambda raw: raw.send(CLOSE, b"\x00"), None),
            (_in_fragments, b'"pong"'),
            (_endless_fragments, None),
        ]
        await asyncio.gather(*(one(*each) for each in frames))
        async with line_to(house, "v3", device="Anna-v3") as line:
            await _is_alive(line)

    asyncio.run(all_of_them())
    assert house.head("v3") == before


async def _in_fragments(raw: Any) -> None:
    """Send a message in fragments, which count as one message."""
    await raw.send(TEXT, b'{"type"', fin=False)
    await raw.send(0, b': "pi', fin=False)
    await raw.send(0, b'ng"}')


async def _endless_fragments(raw: Any) -> None:
    """Send fragments that together exceed the longest message."""
    await raw.send(TEXT, b"[", fin=False)
    with suppress(ConnectionError):
        for _ in range(20):
            await raw.send(0, b" " * 10_000, fin=False)


async def test_who_never_says_hello_is_sent_away(lite_house: House) -> None:
    socket = await dial(lite_house)
    async with asyncio.timeout(10):
        told = read_answer(await socket.recv())
    assert isinstance(told, MessageProblem)
    assert told.reason.text == "no hello was received"
    await socket.wait_closed()


_message = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "id", "act", "place", "number", "at_ms", "wager"]),
            inner | st.sampled_from(["act", "wagers", "outcome", "ping", "hello"]),
            max_size=6,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=25)
@given(
    noise=st.lists(
        st.text(max_size=200) | st.binary(max_size=200) | _message.map(json.dumps),
        min_size=1,
        max_size=30,
    )
)
def test_noise_changes_nothing(lite_house: House, noise: list[str | bytes]) -> None:
    async def send() -> None:
        async with line_to(lite_house, "v2", device="Anna-v2") as line:
            for each in noise:
                await line.socket.send(each)
            await _is_alive(line)

    before = lite_house.head("v2")
    asyncio.run(send())
    assert lite_house.head("v2") == before
