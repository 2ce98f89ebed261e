"""A house as it changes: its file edited, its terms, its day, its log, real money."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.protocol import answers as say
from tests.house_server.conftest import DATABASES
from tests.house_server.line import Line, clause_of, line_to
from tests.house_server.server import (
    PASSWORD,
    DidNotStart,
    House,
    house_text,
    open_house,
)

_WIDE = 'limits = { "*" = [5, 1000], straight_up = [1, 500] }'
_NARROW = 'limits = { "*" = [10, 500], straight_up = [1, 500] }'
_NINA = '\n[[staff]]\nname = "Nina"\npositions = ["Dealer"]\n'
_PLAYED = ("spin", "no more bets", "outcome 17", "settle")


def _edited(text: str) -> str:
    """Table v3 with other limits, and a new Dealer."""
    first, second, rest = text.partition('name = "v3"')
    return first + second + rest.replace(_WIDE, _NARROW, 1) + _NINA


def test_a_house_whose_staff_has_changed_starts_with_its_file(tmp_path: Path) -> None:
    with open_house("sqlite", tmp_path) as house:
        nina = {"name": "Nina", "positions": ["Dealer"], "password": PASSWORD}
        proposed = house.ask("POST", "/api/staff/proposals", nina, by="Ada")
        path = f"/api/proposals/{proposed['number']}/confirm"
        house.ask("POST", path, {"password": PASSWORD}, by="Mira")
        house.stop()

        house.start()

        assert "Nina" in {
            each["name"] for each in house.ask("GET", "/api/staff", by="Ada")
        }
        assert "stays as it is: staff Nina" in house.log.read_text()


@pytest.mark.parametrize("kind", DATABASES)
def test_an_edited_file_changes_nothing_until_somebody_applies_it(
    kind: str, tmp_path: Path
) -> None:
    with open_house(kind, tmp_path) as house:
        house.stop()
        whole = house.file.read_text()
        house.file.write_text(_edited(whole))
        log = house.log.read_text()
        house.start()
        assert "* 5.00 1000.00" in house.ask("GET", "/api/tables/v3/terms")["limits"]
        house.stop()
        warned = [
            told["event"]
            for told in map(json.loads, house.log.read_text().splitlines())
            if told["level"] == "warning"
        ]
        assert any("v3: limits *: 5–1000 → 10–500" in each for each in warned)
        assert any("staff Nina" in each for each in warned)
        with pytest.raises(DidNotStart) as not_theirs:
            house.start("--apply", "Carl")
        assert "Carl may not change limits and settings" in not_theirs.value.args[1]
        house.log.write_text(log)

        house.start("--apply", "Mira")

        assert "applied: table v3: limits *: 5–1000 → 10–500" in house.said
        assert any(line.startswith("applied: staff Nina") for line in house.said)
        [changed] = house.events("v3", "TermsChanged")
        assert changed.by.name == "Mira"
        assert house.events("house", "StaffDefined")[-1].by == "Mira"
        terms = house.ask("GET", "/api/tables/v3/terms")
        assert "* 10.00 500.00" in terms["limits"]
        house.stop()
        house.start()  # the file is the house now
        house.stop()
        house.file.write_text(house.file.read_text().replace('"SGD"', '"USD"'))
        with pytest.raises(DidNotStart) as lasting:
            house.start("--apply", "Mira")
        assert "can't change: house: currency" in lasting.value.args[1]
        house.log.write_text(log)


def test_demonstration_and_real_money_never_share_a_house(tmp_path: Path) -> None:
    with open_house("sqlite", tmp_path) as house:
        house.stop()
        log, text = house.log.read_text(), house.file.read_text()
        house.file.write_text(_real(text))
        for options in ((), ("--apply", "Mira")):
            with pytest.raises(DidNotStart) as refused:
                house.start(*options)
            said = json.loads(refused.value.args[1].splitlines()[-1])["event"]
            assert said == "can't change: house: money: demonstration → real"
        house.log.write_text(log)


def _real(text: str) -> str:
    """For real money, which no virtual wheel decides."""
    head, _, rest = text.partition('\n[[tables]]\nname = "virtual"')
    after = rest[rest.index("\n[[staff]]") :]
    return (head + after).replace('money = "demonstration"', 'money = "real"')


def test_real_money_is_for_known_devices_and_staff_with_passwords(
    tmp_path: Path,
) -> None:
    with open_house("sqlite", tmp_path, text=_real(house_text())) as house:
        asyncio.run(_nobody_gets_in(house))
        house.stop()
        _set_password(house, "Mira", "a long password")
        house.start()
        console = house.devices["console-v3"]
        body = {"name": "Mira", "password": "a long password"}
        assert house.http("POST", "/api/log-on", body).status == 403
        terminal = {**body, "device": house.devices["Anna-v3"]}
        assert house.http("POST", "/api/log-on", terminal).status == 403
        logged_on = house.http("POST", "/api/log-on", {**body, "device": console})
        assert logged_on.status == 200
        token, at = logged_on.json["token"], {"X-Device-Token": console}
        assert house.http("GET", "/api/me", token=token).status == 401
        me = house.http("GET", "/api/me", token=token, headers=at)
        assert me.json["device"] == "console-v3"
        assert b"a long password" not in house.log.read_bytes()
        assert logged_on.json["token"].encode() not in house.log.read_bytes()


async def _nobody_gets_in(house: House) -> None:
    for path, body in (
        ("/api/demonstration/staff", {"name": "Mira"}),
        ("/api/demonstration/seat", {"table": "v3"}),
    ):
        assert house.http("POST", path, body).status == 403
    async with line_to(house, "v3") as line:
        assert isinstance(line.told[0], say.MessageProblem)
    async with line_to(house, "v3", device="board-v3") as line:
        assert isinstance(line.told[0], say.TableSnapshot)
        assert line.told[0].money == "real"


def _set_password(house: House, name: str, password: str) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "croupier", "house", "password", name),
            *("--by", name, "--database", house.url),
        ],
        input=password + "\n",
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_new_limits_are_shown_first_and_hold_from_the_next_round(house: House) -> None:
    asyncio.run(_new_limits(house))


async def _new_limits(house: House) -> None:
    house.deal("v2")
    house.buy_in("v2", "Anna-v2")
    async with (
        line_to(house, "v2", staff="Dana") as dealer,
        line_to(house, "v2", device="Anna-v2") as anna,
    ):
        await dealer.acts("place your bets")
        terms = {"id": "t1", "limits": ["* 20.00 100.00"], "settings": []}
        by_dealer = house.http(
            "PUT", "/api/tables/v2/terms", terms, token=house.session("Dana")
        )
        assert by_dealer.status == 403
        house.ask("PUT", "/api/tables/v2/terms", terms, by="Mira")
        await anna.until(lambda: anna.view.next_limits, "what will hold")
        assert _red(anna) == (500, 100_000)
        await anna.place("w1=red@500")
        await dealer.acts(*_PLAYED, "place your bets")
        await anna.until(lambda: anna.view.round == 2, "the next round")
        assert _red(anna) == (2_000, 10_000)
        assert anna.view.next_limits is None
        low = {"id": "w1", "wager": "red", "stake_cents": 500}
        assert clause_of(await anna.refused("wagers", place=[low]))
        await dealer.acts(*_PLAYED)
    begun = house.events("v2", "RoundBegun")
    assert begun[0].limits != begun[1].limits == ("* 20.00 100.00",)


def _red(line: Line) -> tuple[int | None, int | None]:
    [limit] = [each for each in line.view.limits if each.wager_type == "red"]
    return limit.minimum_cents, limit.maximum_cents


def test_a_table_is_closed_between_rounds_and_opened_again(house: House) -> None:
    async def run() -> None:
        house.deal("complete")
        async with line_to(house, "complete", staff="Dana") as dealer:
            await dealer.acts("place your bets")
            body, close = {"id": "c1"}, "/api/tables/complete/close"
            sam = house.session("Sam")
            assert house.http("POST", close, body, token=sam).status == 409
            await dealer.acts(*_PLAYED)
            dana = house.session("Dana")
            assert house.http("POST", close, body, token=dana).status == 403
            house.ask("POST", close, {"id": "c2"}, by="Sam")
            await dealer.until(lambda: not dealer.view.is_open, "the closing")
            await dealer.refused("act", act="place your bets")
            house.ask("POST", "/api/tables/complete/open", {"id": "c3"}, by="Sam")
            await dealer.until(lambda: dealer.view.is_open, "the opening")
            await dealer.acts("place your bets", *_PLAYED)

    asyncio.run(run())


def test_the_day_is_closed_with_its_report_and_the_log_has_it_all(house: House) -> None:
    async def play() -> None:
        house.deal("triple")
        house.buy_in("triple", "Anna-triple", cents=10_000)
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", device="Anna-triple") as anna,
        ):
            await anna.denied("lit", number="17")
            await dealer.acts("place your bets")
            await anna.place("w1=red@1000")
            await dealer.acts(*_PLAYED, "place your bets")
            await dealer.acts("irregularity foreign_object", "settle")
            _correct_by_two(house)

    def _correct_by_two(house: House) -> None:
        """Triple Zero 5.5: the Dealer and somebody of the pit, whoever comes first."""
        act = "correct round 1 to 1"
        first = house.propose("triple", act, by=("Sam", "Sam"))
        assert first.status == 403, "never one person twice"
        [proposed] = house.ask("GET", "/api/proposals", by="Mira")
        won = {"account": "seat", "name": "Anna-triple", "cents": 2_000}
        assert won in proposed["effect"]
        path = f"/api/proposals/{proposed['number']}/confirm"
        for by, password, status in (
            ("Dana", "wrong password", 403),
            ("Carl", PASSWORD, 409),
        ):
            token = house.session(by)
            reply = house.http("POST", path, {"password": password}, token=token)
            assert reply.status == status, (by, reply)
        body, dana = {"password": PASSWORD}, house.session("Dana")
        done, again = (house.http("POST", path, body, token=dana) for _ in range(2))
        assert (done.status, again.status, again.body) == (200, 200, done.body)

    asyncio.run(play())
    log = house.ask("GET", "/api/log?count=500", by="Ines")["events"]
    kinds = {each["event"] for each in log}
    assert kinds >= {
        *("ServerStarted", "LoggedOn", "AuthorityRefused", "RoundVoided"),
        *("OutcomeCorrected", "Proposed", "ProposalConfirmed", "DealerCame"),
    }
    assert house.http("GET", "/api/log", token=house.session("Dana")).status == 403
    today = house.ask("GET", "/api/house")["gaming_day"]
    [played] = [
        each
        for each in house.ask("GET", f"/api/gaming-day/{today}", by="Ines")["tables"]
        if each["table"] == "triple"
    ]
    assert (played["rounds"], played["voids"]) == (1, 1)
    carl = house.http("POST", "/api/gaming-day/close", token=house.session("Dana"))
    assert carl.status == 403
    report = house.ask("POST", "/api/gaming-day/close?early=true", by="Mira")
    assert (report["day"], report["closed_by"]) == (today, "Mira")
    again = house.http("POST", "/api/gaming-day/close", token=house.session("Mira"))
    assert again.status == 409
