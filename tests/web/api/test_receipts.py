"""Receipts over HTTP: a seat asks for its own rounds, an inspector for any seat's."""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.audit.receipts import check_receipt
from croupier.journal.log.notes import log_key
from croupier.journal.log.publishing import origin_of, publish_new
from croupier.journal.log.receipts import read_receipt
from croupier.ledger.commands import BuyIn, IssueVoucher
from croupier.rules.operator import Person, Role
from tests.web.a_house import House

pytestmark = pytest.mark.anyio

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PAUL = Person("Paul", Role.PLAYER)


async def _played(house: House) -> None:
    await house.act("t1", BuyIn("Paul", 10_000))
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Paul", "17", 1_000), PAUL)
    await house.finish_round("t1", "17")


async def test_an_inspector_gets_the_receipt_of_a_seat(house: House) -> None:
    ines = await house.log_on("Ines")
    await _played(house)
    where = "/api/tables/t1/rounds/1/receipts/Paul"
    early = await house.ask("GET", where, token=ines)
    publish_new(house.store, KEY, "")

    shown = await house.get(where, ines)

    assert early.status == 404
    receipt = read_receipt(shown["receipt"])
    key = log_key(origin_of(house.store, ""), KEY.public_key())
    assert all(each.passed for each in check_receipt(receipt, [key]))
    origin, index, seat, salt = shown["address"].partition("/verify#")[2].split(",")
    assert (origin, seat, salt) == (key.name, "Paul", receipt.salt)
    assert index.isdecimal()
    assert json.loads(shown["receipt"])["seat"]["seat"] == "Paul"
    assert shown["code_path"].startswith("M4 4h7v1h-7z")
    assert shown["code_size"] % 4 == 29 % 4


async def test_no_other_than_an_inspector_asks_for_any_seat(house: House) -> None:
    await _played(house)
    publish_new(house.store, KEY, "")
    where = "/api/tables/t1/rounds/1/receipts/Paul"

    assert (await house.ask("GET", where)).status == 401
    dora = await house.log_on("Dora")
    assert (await house.ask("GET", where, token=dora)).status == 403


async def test_a_terminal_gets_the_receipts_of_its_own_rounds_alone(
    house: House,
) -> None:
    seat, other = [await house.post("/api/tables/t1/guests") for _ in range(2)]
    await house.act("t1", BuyIn(seat["device"], 10_000))
    await house.say("t1", "Dealer: place your bets")
    player = Person(seat["device"], Role.PLAYER)
    await house.act("t1", house.wager(player.name, "red", 500), player)
    await house.finish_round("t1", "3")
    publish_new(house.store, KEY, "")
    where = "/api/tables/t1/seat/rounds/1/receipt"

    shown = await house.get(where, seat["token"])

    assert read_receipt(shown["receipt"]).seat["seat"] == player.name
    assert shown["name"] == "round-1.receipt"
    assert (await house.ask("GET", where, token=other["token"])).status == 404
    later = where.replace("/1/", "/2/")
    assert (await house.ask("GET", later, token=seat["token"])).status == 404


async def test_a_vouchers_slip_has_the_receipt_of_the_stay_that_it_ended(
    house: House,
) -> None:
    guest = await house.post("/api/tables/t1/guests")
    seat, carl = guest["device"], await house.log_on("Carl")
    player = Person(seat, Role.PLAYER)
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager(seat, "red", 500), player)
    await house.finish_round("t1", "3")
    publish_new(house.store, KEY, "")
    own, asked = "/api/tables/t1/seat/receipt", f"/api/tables/t1/seats/{seat}/receipt"

    credit = house.floor.table("t1").state.credit(seat)
    await house.act("t1", IssueVoucher(seat, credit), player)

    shown = await house.get(own, guest["token"])
    assert read_receipt(shown["receipt"]).seat["seat"] == seat
    assert await house.get(asked, carl) == shown
    await house.act("t1", BuyIn(seat, 2_000))  # the next Player has not played yet
    assert (await house.ask("GET", own, token=guest["token"])).status == 404
    assert (await house.ask("GET", asked, token=carl)).status == 404
