"""Logging on over HTTP: passwords, sessions, cookies, lockout, devices."""

from __future__ import annotations

import asyncio
from http.cookies import SimpleCookie
from pathlib import Path
from threading import Lock
from time import sleep
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from croupier.house.people import log_on
from croupier.journal.store import JournalFailed
from tests.web.a_house import PASSWORD, REAL, House, in_house, opened
from tests.web.asking import Answer

pytestmark = pytest.mark.anyio

WRONG = {"name": "Dana", "password": "wrong"}
RIGHT = {"name": "Dana", "password": PASSWORD}


def cookies_of(answer: Answer) -> SimpleCookie:
    cookies: SimpleCookie = SimpleCookie()
    for name, value in answer.sent[0]["headers"]:
        if name == b"set-cookie":
            cookies.load(value.decode())
    return cookies


async def test_a_log_on_gives_a_token_and_cookies(house: House) -> None:
    answer = await house.ask("POST", "/api/log-on", RIGHT)

    given, cookies = answer.json(), cookies_of(answer)
    session, csrf = cookies["croupier_session"], cookies["croupier_csrf"]
    assert (session.value, csrf.value) == (given["token"], given["csrf"])
    assert (session["httponly"], csrf["httponly"]) == (True, "")
    assert {session["samesite"], csrf["samesite"]} == {"strict"}
    assert session["secure"] == ""
    me = await house.get("/api/me", given["token"])
    assert me["name"] == "Dana"
    assert me["positions"] == [
        {"position": "Dealer", "acting": False, "until_ms": None}
    ]
    assert me["may"] == ["handle_money", "propose"]


async def test_a_cookie_reads_alone_and_changes_only_with_the_csrf_token(
    house: House,
) -> None:
    first = await house.post("/api/log-on", RIGHT)
    other = await house.post("/api/log-on", RIGHT)
    cookie = {"cookie": f"croupier_session={first['token']}"}
    path = "/api/tables/t1/dealer"

    assert (await house.ask("GET", "/api/me", headers=cookie)).status == 200
    without = await house.ask("POST", path, headers=cookie)
    another = {**cookie, "x-csrf-token": other["csrf"]}
    right = {**cookie, "x-csrf-token": first["csrf"]}

    assert (without.status, without.error) == (
        403,
        "the header X-CSRF-Token is missing or wrong",
    )
    assert (await house.ask("POST", path, headers=another)).status == 403
    for wrong in ("", first["csrf"][:-1], f"{first['csrf']} ", "\xe9"):
        given = {**cookie, "x-csrf-token": wrong}
        assert (await house.ask("POST", path, headers=given)).status == 403
    assert (await house.ask("POST", path, headers=right)).status == 200


async def test_after_five_wrong_passwords_the_account_is_locked(house: House) -> None:
    for _ in range(5):
        error = await house.refused(401, "POST", "/api/log-on", WRONG)
        assert error.startswith("the name or the password is wrong")

    await house.refused(401, "POST", "/api/log-on", RIGHT)
    ada = await house.log_on("Ada")
    path = "/api/staff/Dana/unlock"
    await house.post(path, token=ada)
    assert await house.log_on("Dana")
    assert "is not locked" in await house.refused(409, "POST", path, token=ada)
    kinds = [
        event["event"]
        for event in (await house.get("/api/log?kind=log_on", ada))["events"]
    ]
    failed = ["LogOnFailed"] * 5
    assert kinds == [*failed, "LockedOut", "LoggedOn", "Unlocked", "LoggedOn"]


async def test_a_lock_ends_by_itself_and_lasts_twice_as_long_each_time(
    house: House,
) -> None:
    for _ in range(4):
        await house.refused(401, "POST", "/api/log-on", WRONG)
    for minutes in (1, 2, 4, 8, 16, 30, 30):
        await house.refused(401, "POST", "/api/log-on", WRONG)
        for _ in range(3):  # attempts do not prolong the lock
            house.pass_minutes(minutes / 4)
            await house.refused(401, "POST", "/api/log-on", RIGHT)
        house.pass_minutes(minutes / 4)

    assert await house.log_on("Dana")
    await house.refused(401, "POST", "/api/log-on", WRONG)
    assert await house.log_on("Dana")


def test_a_locked_account_is_answered_as_an_unknown_name(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        for _ in range(5):
            await house.refused(401, "POST", "/api/log-on", WRONG)
        nobody = {**RIGHT, "name": "Zoe"}
        hashed: list[bool] = []

        def counted(*secrets: str) -> bool:
            hashed.append(True)
            return is_hash_of(*secrets)

        is_hash_of = log_on._is_hash_of
        with patch.object(log_on, "_is_hash_of", counted):
            answers = [
                await house.ask("POST", "/api/log-on", body)
                for body in (RIGHT, WRONG, nobody)
            ]

        assert len({(each.status, each.error) for each in answers}) == 1
        assert len(hashed) == 3, "each takes as long"

    in_house(tmp_path, scenario)


async def test_a_lock_ends_the_sessions_of_its_account(house: House) -> None:
    dana, dora = await house.log_on("Dana"), await house.log_on("Dora")
    change = {"password": "wrong", "new_password": "seventeen black"}
    for _ in range(5):
        await house.refused(403, "PUT", "/api/me/password", change, token=dana)

    await house.refused(401, "GET", "/api/me", token=dana)
    assert (await house.get("/api/me", dora))["name"] == "Dora"
    assert house.floor.record.state.account("Dana").is_locked(house.clock())


async def test_a_log_on_that_could_not_be_written_is_logged(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    failing = patch.object(house.store, "append", side_effect=JournalFailed("a cable"))
    with failing:
        await house.refused(503, "POST", "/api/log-on", RIGHT)

    assert "the journal is in trouble: a cable" in caplog.text
    assert await house.log_on("Dana")


async def test_a_right_password_forgets_the_wrong_ones(house: House) -> None:
    for _ in range(3):
        for _ in range(4):
            await house.refused(401, "POST", "/api/log-on", WRONG)
        assert await house.log_on("Dana")


async def test_a_log_on_does_not_reveal_whether_a_name_is_known(house: House) -> None:
    nobody = {"name": "Nobody", "password": "wrong"}
    answers = {
        await house.refused(401, "POST", "/api/log-on", body)
        for body in (nobody, WRONG)
    }

    [said] = answers
    assert said.startswith("the name or the password is wrong")


async def test_a_player_does_not_log_on(house: House) -> None:
    sam = await house.log_on("Sam")
    await house.post("/api/players", {"name": "Paul", "pin": "2468"}, sam)

    body = {"name": "Paul", "password": "2468"}
    error = await house.refused(401, "POST", "/api/log-on", body)

    assert error.startswith("the name or the password is wrong")


async def test_a_session_ends_when_idle_and_when_logged_off(house: House) -> None:
    token = await house.log_on("Dana")
    house.pass_minutes(14)
    await house.get("/api/me", token)
    house.pass_minutes(14)
    await house.get("/api/me", token)
    house.pass_minutes(15.1)
    error = await house.refused(401, "GET", "/api/me", token=token)
    assert error == "the session has ended: log on again"

    token = await house.log_on("Dana")
    await house.post("/api/log-off", token=token)
    error = await house.refused(401, "GET", "/api/me", token=token)
    assert error == "no session has this token: log on"


async def test_a_session_lasts_twelve_hours_however_busy_it_is(house: House) -> None:
    token = await house.log_on("Dana")
    for _ in range(72):
        house.pass_minutes(10)
        await house.get("/api/me", token)
    house.pass_minutes(1)

    await house.refused(401, "GET", "/api/me", token=token)


async def test_a_new_password_ends_every_session(house: House) -> None:
    tokens = [await house.log_on("Dana") for _ in range(2)]
    body = {"password": PASSWORD, "new_password": "battery staple"}
    wrong = {**body, "password": "wrong"}
    short = {**body, "new_password": "short"}
    path = "/api/me/password"

    await house.refused(403, "PUT", path, wrong, tokens[0])
    error = await house.refused(409, "PUT", path, short, tokens[0])
    assert error == "a password has from 10 to 200 characters"
    answer = await house.ask("PUT", path, body, token=tokens[0])

    assert answer.status == 204
    for token in tokens:
        await house.refused(401, "GET", "/api/me", token=token)
    await house.refused(401, "POST", "/api/log-on", RIGHT)
    await house.post("/api/log-on", {**RIGHT, "password": "battery staple"})


async def paired(house: House, token: str, kind: str, table: str | None) -> str:
    body = {"name": f"a {kind}", "kind": kind, "table": table}
    invited = await house.post("/api/devices", body, token)
    answer = await house.post("/api/pair", {"code": invited["code"]})
    return str(answer["token"])


@pytest.mark.house_file(REAL)
async def test_for_real_money_staff_log_on_at_a_known_device(house: House) -> None:
    floor = house.floor
    ada, _ = floor.sessions.log_on_unasked("Ada")
    console = await paired(house, ada, "console", "t1")
    board = await paired(house, ada, "board", "t1")
    path = "/api/log-on"

    error = await house.refused(403, "POST", path, RIGHT)
    assert error == "staff log on at an enrolled console or station"
    error = await house.refused(403, "POST", path, {**RIGHT, "device": board})
    assert error == "staff do not log on at a board"
    await house.refused(401, "POST", path, {**RIGHT, "device": "wrong"})
    dana = (await house.post(path, {**RIGHT, "device": console}))["token"]
    assert (await house.get("/api/me", dana))["device"] == "a console"

    answer = await house.ask("DELETE", "/api/devices/a console", token=ada)
    assert answer.status == 204
    await house.refused(401, "GET", "/api/me", token=dana)
    await house.refused(401, "GET", "/api/device", token=console)
    await house.refused(401, "POST", path, {**RIGHT, "device": console})


@pytest.mark.house_file(REAL)
async def test_a_session_is_of_no_use_away_from_its_device(house: House) -> None:
    ada, _ = house.floor.sessions.log_on_unasked("Ada")
    console = await paired(house, ada, "console", "t1")
    station = await paired(house, ada, "station", None)
    answer = await house.ask("POST", "/api/log-on", {**RIGHT, "device": console})
    given, cookies = answer.json(), cookies_of(answer)
    bearer = {"authorization": f"Bearer {given['token']}"}
    session = f"croupier_session={given['token']}"
    device = cookies["croupier_device"]
    assert (device.value, device["httponly"]) == (console, True)
    assert device["samesite"] == "strict"

    taken = [
        {**bearer, "x-device-token": console},
        {"cookie": f"{session}; croupier_device={console}"},
    ]
    refused = [
        bearer,
        {**bearer, "x-device-token": station},
        {**bearer, "x-device-token": "nonsense"},
        {**bearer, "cookie": f"croupier_device={console}"},
        {"cookie": session},
        {"cookie": f"{session}; croupier_device={station}"},
    ]
    for headers in taken:
        assert (await house.ask("GET", "/api/me", headers=headers)).status == 200
    with capture_logs() as lines:
        for headers in refused:
            answer = await house.ask("GET", "/api/me", headers=headers)
            assert answer.status == 401, headers
            assert answer.error == (
                "this session was opened at another device: log on here"
            )

    assert [line["event"] for line in lines] == [
        "a session was used away from its device"
    ] * len(refused)
    assert {(line["name"], line["device"]) for line in lines} == {("Dana", "a console")}
    await house.floor.caught_up()
    kinds = [row.kind for row in house.store.events("house")]
    assert "AuthorityRefused" in kinds


async def test_two_log_ons_are_hashed_at_once_however_many_come(tmp_path: Path) -> None:
    lock, under_way, most = Lock(), 0, 0

    def is_password(*_: object) -> bool:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        sleep(0.01)
        with lock:
            under_way -= 1
        return False

    async with opened(tmp_path) as house:
        with patch.object(log_on, "is_password", is_password):
            bodies = [{"name": f"nobody {n}", "password": "x"} for n in range(12)]
            answers = await asyncio.gather(
                *(house.ask("POST", "/api/log-on", body) for body in bodies)
            )
        assert {answer.status for answer in answers} == {401}

    assert most == 2


async def test_log_ons_and_refused_ones_are_logged(house: House) -> None:
    wrong = {"name": "Sam", "password": "not this one"}
    nobody = {"name": "the-password-of-Sam", "password": PASSWORD}
    with capture_logs() as lines:
        await house.log_on("Sam")
        for body in (wrong, nobody):
            await house.refused(401, "POST", "/api/log-on", body)

    told = [(each["event"], each["name"], each["log_level"]) for each in lines]
    assert told == [
        ("logged on", "Sam", "info"),
        ("log-on refused", "Sam", "warning"),
        ("log-on refused", None, "warning"),
    ]
    assert all(each["client"] for each in lines)


async def test_sessions_are_listed_and_ended_from_elsewhere(house: House) -> None:
    sam, ada = await house.log_on("Sam"), await house.log_on("Ada")
    await house.log_on("Sam")

    mine = await house.get("/api/sessions", sam)
    every = await house.get("/api/sessions", ada)

    assert [(each["name"], each["is_this"]) for each in mine] == [
        ("Sam", True),
        ("Sam", False),
    ]
    assert [each["name"] for each in every] == ["Sam", "Ada", "Sam"]
    assert sam not in str(every)
    path = "/api/sessions/{id}"
    adas = next(each for each in every if each["name"] == "Ada")
    await house.refused(404, "DELETE", path.format_map(adas), token=sam)
    ended = await house.ask("DELETE", path.format_map(mine[0]), token=ada)
    assert ended.status == 204
    await house.refused(401, "GET", "/api/me", token=sam)
    assert len(await house.get("/api/sessions", ada)) == 2
    log = await house.get("/api/log", ada)
    assert "logged off by Ada" in " ".join(each["text"] for each in log["events"])
