"""Every operation in every state of its caller, of a table and of the house.

The operations are those of the OpenAPI document that a real server hands out, so one
that is added without a row fails here. Who may ask by their position or duty is in
`tests/web/api/test_authority.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest

from tests.house_server.line import line_to
from tests.house_server.server import PASSWORD, House, Reply, open_house
from tests.security.operations import Operation, ask, served_operations
from tests.web.api.requests import OPEN

# `yes`: it came to its own judgement, whatever that was; `dealer`: only that table's
# Dealer may, of Dealers; `no`: not by a Dealer at all; `shut`: the table is closed.
#
# elsewhere: asked by a Dealer who deals at another table
# betting:   asked by a Pit Manager while wagers are taken
# closed:    the same after "No more bets"
# shut:      the same while the table is closed
STATES = """
                         elsewhere betting closed shut
apply_house_file         no        yes     yes    yes
propose_house_file       no        yes     yes    yes
open_table               no        yes     yes    yes
close_table              no        yes     yes    yes
change_terms             no        yes     yes    yes
go_from_table            yes       yes     yes    yes
show_state               yes       yes     yes    yes
list_wagers              yes       yes     yes    yes
show_settlement          yes       yes     yes    shut
show_exposure            no        yes     yes    yes
show_results             -         -       -      -
list_own_rounds          -         -       -      -
list_own_changes         -         -       -      -
show_own_receipt         -         -       -      -
show_own_last_receipt    -         -       -      -
follow_journal           -         -       -      -
rehearse_wagers          -         -       -      -
add_credit               -         -       -      -
list_rounds              no        yes     yes    yes
recall_round             no        yes     yes    yes
search_wagers            no        yes     yes    yes
search_seals             no        yes     yes    yes
show_receipt             no        yes     yes    yes
show_me                  yes       yes     yes    yes
show_this_device         -         -       -      -
show_second_factor       yes       yes     yes    yes
enrol_second_factor      yes       yes     yes    yes
confirm_second_factor    yes       yes     yes    yes
list_sessions            yes       yes     yes    yes
end_session              yes       yes     yes    yes
list_staff               no        yes     yes    yes
show_authority           no        yes     yes    yes
define_staff             no        yes     yes    yes
propose_staff            no        yes     yes    yes
remove_staff             no        yes     yes    yes
file_training            no        yes     yes    yes
propose_password         no        yes     yes    yes
unlock_staff             no        yes     yes    yes
assign_acting            no        yes     yes    yes
end_acting               no        yes     yes    yes
list_devices             no        yes     yes    yes
invite_device            no        yes     yes    yes
revoke_device            no        yes     yes    yes
list_players             no        yes     yes    yes
register_player          no        yes     yes    yes
reset_pin                no        yes     yes    yes
show_player              no        yes     yes    yes
seat_player              no        yes     yes    yes
limit_player             no        yes     yes    yes
exclude_player           no        yes     yes    yes
list_rounds_of_player    no        yes     yes    yes
list_favourites          no        yes     yes    yes
keep_favourite           no        yes     yes    yes
drop_favourite           no        yes     yes    yes
buy_in                   dealer    yes     yes    shut
cash_out                 dealer    yes     yes    shut
issue_voucher            dealer    yes     yes    shut
redeem_voucher           dealer    yes     yes    shut
pay_voucher              dealer    yes     yes    shut
pay_voucher_from_cage    no        yes     yes    yes
count_float              dealer    yes     yes    shut
fill_float               dealer    yes     yes    shut
credit_float             dealer    yes     yes    shut
buy_colour_chips         dealer    yes     yes    shut
buy_back_colour_chips    dealer    yes     yes    shut
pay_claim                dealer    yes     yes    shut
pay_owed                 dealer    yes     yes    shut
list_seats               yes       yes     yes    yes
show_last_receipt        yes       yes     yes    yes
expire_vouchers          no        yes     yes    yes
find_voucher             yes       yes     yes    yes
lose_voucher             yes       yes     yes    yes
propose                  yes       yes     yes    shut
propose_voucher_payment  no        yes     yes    yes
list_proposals           yes       yes     yes    yes
confirm_proposal         yes       yes     yes    yes
confirm_house_proposal   yes       yes     yes    yes
withdraw_proposal        yes       yes     yes    yes
close_gaming_day         no        yes     yes    yes
show_gaming_day          no        yes     yes    yes
show_meters              no        yes     yes    yes
list_nodes               no        yes     yes    yes
verify_journal           no        yes     yes    yes
show_log                 no        yes     yes    yes
acknowledge_alarm        no        yes     yes    yes
change_my_password       yes       yes     yes    yes
come_to_table            yes       no      no     no
log_off                  yes       yes     yes    yes
"""
"""The last two change who deals, and who is logged on."""


def rows() -> dict[str, dict[str, str]]:
    head, *lines = [line.split() for line in STATES.strip().splitlines()]
    return {name: dict(zip(head, cells, strict=True)) for name, *cells in lines}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with a Player, and a Dealer at each of two tables."""
    with open_house("sqlite", tmp_path_factory.mktemp("states")) as house:
        house.ask("POST", "/api/players", {"name": "Paul", "pin": "2468"}, by="Carl")
        house.deal("triple", by="Dana")
        house.deal("v3", by="Dora")
        yield house


def test_every_operation_that_is_served_has_a_row(house: House) -> None:
    operations = served_operations(house)
    closed = {name for name, each in operations.items() if each.schemes}

    assert closed == set(rows())
    assert set(operations) - closed == set(OPEN.split())


def test_an_ended_session_or_revoked_device_gets_401_everywhere(served: House) -> None:
    closed = [each for each in served_operations(served).values() if each.schemes]
    callers = {
        "nobody": None,
        "a token of nobody's": "x" * 43,
        "logged off": _logged_off(served, "Max"),
        "locked after five wrong passwords": _locked(served, "Sue"),
        "a revoked terminal": _revoked(served, "Cara-triple"),
    }
    before = {stream: served.head(stream) for stream in ("house", "triple", "v3")}

    for who, token in callers.items():
        answered = {each.name: ask(served, each, token).status for each in closed}
        assert set(answered.values()) == {401}, (who, answered)

    assert before == {stream: served.head(stream) for stream in before}


def _log_on(house: House, name: str) -> str:
    body = {"name": name, "password": PASSWORD}
    return str(house.ask("POST", "/api/log-on", body)["token"])


def _logged_off(house: House, name: str) -> str:
    token = _log_on(house, name)
    assert house.http("POST", "/api/log-off", token=token).status == 204
    return token


def _locked(house: House, name: str) -> str:
    token = _log_on(house, name)
    wrong = {"name": name, "password": "not the password"}
    for _ in range(5):
        assert house.http("POST", "/api/log-on", wrong).status == 401
    return token


def _revoked(house: House, device: str) -> str:
    house.ask("DELETE", f"/api/devices/{device}", by="Ada")
    return house.devices[device]


def test_each_operation_knows_the_state_of_the_table(served: House) -> None:
    operations = served_operations(served)
    found: list[tuple[object, ...]] = []

    def try_all(state: str, who: str) -> None:
        for name, row in rows().items():
            reply = _asked(served, operations[name], who)
            assert reply.status < 500, (name, state, reply)
            if _told(reply) != row[state]:
                found.append((name, state, row[state], reply.status, reply.body))

    def in_state(state: str) -> None:
        try_all(state, "Mira")
        served.deal("triple", by="Dana")  # whom Mira has relieved

    try_all("elsewhere", "Dora")
    served.deal("triple", by="Dana")
    asyncio.run(_through_a_round(served, in_state))
    served.ask("POST", "/api/tables/triple/close", {"id": served.new_id()}, by="Mira")
    in_state("shut")

    assert found == []


async def _through_a_round(house: House, in_state: Callable[[str], None]) -> None:
    async with line_to(house, "triple", staff="Dana") as dealer:
        await dealer.acts("place your bets")
        await asyncio.to_thread(in_state, "betting")
        await dealer.acts("spin", "no more bets")
        await asyncio.to_thread(in_state, "closed")
        await dealer.acts("outcome 17", "settle")


def _asked(house: House, operation: Operation, who: str) -> Reply:
    ends = operation.name == "log_off"
    token = _log_on(house, who) if ends else house.session(who)
    return ask(house, operation, token)


def _told(reply: Reply) -> str:
    error = reply.json["error"] if reply.status >= 400 else ""
    if reply.status == 403 and "is not the Dealer of" in error:
        return "dealer"
    if reply.status == 409 and error == "the table is closed":
        return "shut"
    return {401: "-", 403: "no"}.get(reply.status, "yes")
