"""Who may do what over HTTP: every operation, by every kind of caller."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.web.api import whole_api
from croupier.web.endpoint import Endpoint
from tests.web.a_house import House, opened
from tests.web.api.requests import BODIES, ID, OPEN, PATHS, QUERIES

pytestmark = pytest.mark.anyio


# This house has nothing that these operations could show.
MISSING = {"log_on_without_password", "show_rules", "fetch_rules", "mark_assessment"}

# Dana deals, Sam supervises the pit, Mira manages it, Carl is cashier and attendant,
# Ines inspects, Ada administrates; `term` is the token of a terminal.
MAY = """
                         Dana Sam Mira Carl Ines Ada term
show_me                  yes  yes yes  yes  yes  yes -
show_this_device         -    -   -    -    -    -   yes
change_my_password       yes  yes yes  yes  yes  yes -
show_second_factor       yes  yes yes  yes  yes  yes -
enrol_second_factor      yes  yes yes  yes  yes  yes -
confirm_second_factor    yes  yes yes  yes  yes  yes -
list_sessions            yes  yes yes  yes  yes  yes -
end_session              yes  yes yes  yes  yes  yes -
log_off                  yes  yes yes  yes  yes  yes -
apply_house_file         no   no  yes  no   no   no  -
propose_house_file       no   no  yes  no   no   no  -
open_table               no   yes yes  no   no   no  -
close_table              no   yes yes  no   no   no  -
change_terms             no   no  yes  no   no   no  -
come_to_table            yes  no  no   no   no   no  -
go_from_table            yes  yes yes  yes  yes  yes -
show_settlement          yes  yes yes  yes  no   no  -
show_state               yes  yes yes  no   yes  yes -
list_wagers              yes  yes yes  no   yes  yes yes
show_results             -    -   -    -    -    -   yes
list_own_rounds          -    -   -    -    -    -   yes
list_own_changes         -    -   -    -    -    -   yes
show_own_receipt         -    -   -    -    -    -   yes
show_own_last_receipt    -    -   -    -    -    -   yes
follow_journal           -    -   -    -    -    -   no
rehearse_wagers          -    -   -    -    -    -   yes
add_credit               -    -   -    -    -    -   yes
show_exposure            no   yes yes  no   yes  yes -
list_staff               no   yes yes  yes  yes  yes -
show_authority           no   yes yes  yes  yes  yes -
define_staff             no   no  yes  no   no   yes -
propose_staff            no   no  yes  no   no   yes -
remove_staff             no   no  yes  no   no   yes -
file_training            no   no  yes  no   no   yes -
propose_password         no   no  yes  no   no   yes -
unlock_staff             no   no  yes  no   no   yes -
assign_acting            no   no  yes  no   no   yes -
end_acting               no   no  yes  no   no   yes -
list_devices             no   yes yes  no   no   yes -
invite_device            no   yes yes  no   no   yes -
revoke_device            no   yes yes  no   no   yes -
list_players             no   yes yes  yes  no   no  -
register_player          no   yes yes  yes  no   no  -
reset_pin                no   yes yes  yes  no   no  -
show_player              no   yes yes  yes  no   no  no
seat_player              no   yes yes  yes  no   no  -
limit_player             no   yes yes  yes  no   no  no
exclude_player           no   yes yes  yes  no   no  no
list_rounds_of_player    no   yes yes  yes  no   no  no
list_favourites          no   yes yes  yes  no   no  no
keep_favourite           no   yes yes  yes  no   no  no
drop_favourite           no   yes yes  yes  no   no  no
buy_in                   yes  yes yes  yes  no   no  -
cash_out                 yes  yes yes  yes  no   no  -
issue_voucher            yes  yes yes  yes  no   no  -
redeem_voucher           yes  yes yes  yes  no   no  -
pay_voucher              yes  yes yes  yes  no   no  -
pay_voucher_from_cage    no   yes yes  yes  no   no  -
propose_voucher_payment  no   yes yes  yes  no   no  -
list_seats               yes  yes yes  yes  no   no  -
show_last_receipt        yes  yes yes  yes  no   no  -
count_float              yes  yes yes  yes  no   no  -
fill_float               yes  yes yes  yes  no   no  -
credit_float             yes  yes yes  yes  no   no  -
buy_colour_chips         yes  yes yes  yes  no   no  -
buy_back_colour_chips    yes  yes yes  yes  no   no  -
pay_claim                yes  yes yes  yes  no   no  -
pay_owed                 yes  yes yes  yes  no   no  -
find_voucher             yes  yes yes  yes  no   no  -
lose_voucher             yes  yes yes  yes  no   no  -
expire_vouchers          no   no  yes  yes  no   yes -
list_proposals           yes  yes yes  yes  no   yes -
propose                  yes  yes yes  yes  no   no  -
confirm_proposal         yes  yes yes  yes  no   yes -
confirm_house_proposal   yes  yes yes  yes  no   yes -
withdraw_proposal        yes  yes yes  yes  no   yes -
list_rounds              no   yes yes  yes  yes  yes -
recall_round             no   yes yes  yes  yes  yes -
search_wagers            no   yes yes  yes  yes  yes -
search_seals             no   yes yes  yes  yes  yes -
show_receipt             no   yes yes  yes  yes  yes -
close_gaming_day         no   no  yes  yes  no   yes -
show_gaming_day          no   yes yes  yes  yes  yes -
show_meters              no   yes yes  yes  yes  yes -
list_nodes               no   yes yes  no   yes  yes -
verify_journal           no   yes yes  yes  yes  yes -
show_log                 no   yes yes  yes  yes  yes -
acknowledge_alarm        no   yes yes  no   yes  yes -
"""

ENDPOINTS = {each.name: each for each in whole_api().endpoints}
WRONG: tuple[object, ...] = ({"unknown": 1}, [], "text", 7)


def target_of(endpoint: Endpoint) -> str:
    names = PATHS | ({"name": "Dora"} if "/staff/" in endpoint.path else {})
    return endpoint.path.format(**names) + QUERIES.get(endpoint.name, "")


def rows() -> dict[str, dict[str, str]]:
    head, *lines = [line.split() for line in MAY.strip().splitlines()]
    return {name: dict(zip(head, words, strict=True)) for name, *words in lines}


def test_the_table_of_authority_has_every_operation() -> None:
    assert {*rows(), *OPEN.split()} == set(ENDPOINTS)
    closed = {name for name, each in ENDPOINTS.items() if each.auth}
    assert closed == set(rows())


async def prepare(house: House) -> dict[str, str]:
    """Tokens by name; a terminal and a Player are there."""
    tokens = {}
    for name in ("Dana", "Sam", "Mira", "Carl", "Ines", "Ada"):
        tokens[name] = await house.log_on(name)
    device = {"name": "term", "kind": "terminal", "table": "t1"}
    invited = await house.post("/api/devices", device, tokens["Sam"])
    paired = await house.post("/api/pair", {"code": invited["code"]})
    await house.post("/api/players", {"name": "Paul", "pin": "2468"}, tokens["Sam"])
    return {**tokens, "term": paired["token"]}


async def test_every_operation_checks_the_rights_of_its_caller(tmp_path: Path) -> None:
    kept: dict[str, str] = {}

    async def prepare_once(house: House) -> dict[str, str]:
        if not kept:
            kept.update(await prepare(house))
        return kept

    async with opened(tmp_path) as house:
        found = []
        for operation, row in rows().items():
            for who, expected in row.items():
                tokens = await prepare_once(house)
                endpoint = ENDPOINTS[operation]
                if who == "Dana" and operation != "come_to_table":
                    await house.post("/api/tables/t1/dealer", token=tokens[who])
                answer = await house.ask(
                    endpoint.method,
                    target_of(endpoint),
                    BODIES.get(operation),
                    token=tokens[who],
                )
                assert answer.status < 500, (operation, who, answer.body)
                told = {401: "-", 403: "no"}.get(answer.status, "yes")
                if told != expected:
                    found.append((operation, who, expected, answer.status, answer.body))
                if operation in {"change_my_password", "log_off"} and who != "term":
                    kept[who] = await house.log_on(who)

        assert found == []


async def test_without_a_token_or_with_a_wrong_one_nothing_is_done(
    house: House,
) -> None:
    before = house.store.heads()
    for operation in rows():
        endpoint = ENDPOINTS[operation]
        for token in (None, "wrong", ""):
            answer = await house.ask(
                endpoint.method,
                target_of(endpoint),
                BODIES.get(operation),
                token=token,
            )
            assert answer.status == 401, (operation, answer.status)
            assert answer.headers["www-authenticate"] == "Bearer"
    assert house.store.heads() == before


async def test_what_is_open_to_all_needs_no_token(house: House) -> None:
    for operation in OPEN.split():
        endpoint = ENDPOINTS[operation]
        answer = await house.ask(
            endpoint.method, target_of(endpoint), BODIES.get(operation)
        )
        wrong = operation in {"log_on", "take_over_account", "pair_device"}
        missing = operation in MISSING
        expected = 401 if wrong else 404 if missing else endpoint.status
        assert answer.status == expected, (operation, answer.body)


async def test_what_can_not_be_read_is_told_in_a_sentence(house: House) -> None:
    tokens = await prepare(house)
    for operation, endpoint in ENDPOINTS.items():
        token = tokens["term"] if endpoint.auth == {"device"} else tokens["Mira"]
        if endpoint.body is not None:
            for body in WRONG:
                answer = await house.ask(
                    endpoint.method, target_of(endpoint), body, token=token
                )
                assert answer.status == 400, (operation, answer.status)
                assert answer.error.startswith("the body is not right")
        query = "&" if "?" in target_of(endpoint) else "?"
        answer = await house.ask(
            endpoint.method,
            f"{target_of(endpoint)}{query}unknown=1",
            BODIES.get(operation),
            token=token,
        )
        assert answer.status == 400, (operation, answer.status)
        assert answer.error == "there is no parameter 'unknown'"


async def test_a_refusal_of_authority_stands_in_the_log(house: House) -> None:
    dana, ines = await house.log_on("Dana"), await house.log_on("Ines")

    error = await house.refused(403, "POST", "/api/tables/t1/close", ID, dana)

    assert error == "Dana may not open or close a table"
    page = await house.get("/api/log?kind=authority", ines)
    [event] = page["events"]
    assert (event["by"], event["is_alarm"]) == ("Dana", True)
    assert "asked by operation, act close_table" in event["text"]
