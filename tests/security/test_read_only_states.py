"""Every operation of a house whose journal was edited: read, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house_server.server import House, new_database, prepare_house
from tests.journal.stores import run_sql
from tests.security.operations import Operation, ask, served_operations

HARMLESS = """
take_to_pieces mark_answer log_on_without_password verify_journal expire_vouchers
"""
"""What changes nothing that a journal holds, or finds nothing to change."""


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which a Player has got rich by hand."""
    folder = tmp_path_factory.mktemp("edited")
    house = prepare_house(new_database("sqlite", folder), folder)
    house.start()
    house.buy_in("triple", "Anna-triple")
    house.ask("POST", "/api/players", {"name": "Paul", "pin": "2468"}, by="Carl")
    house.stop()
    rich = "UPDATE balances SET cents = 900000000 WHERE account = 'seat:Anna-triple'"
    run_sql(house.url, rich)
    house.start()
    yield house
    assert house.end() == 0


def test_nothing_is_done_and_everything_is_read(edited: House) -> None:
    operations = served_operations(edited)
    streams = ("house", "triple", "v3")
    before = [edited.head(stream) for stream in streams]

    answered = {
        name: _asked(edited, each)
        for name, each in operations.items()
        if name != "log_off"  # it would end the session of the others
    }

    done = {
        name
        for name, status in answered.items()
        if operations[name].method != "GET" and status < 300
    }
    assert done <= set(HARMLESS.split()), done
    read = {name: answered[name] for name, e in operations.items() if e.method == "GET"}
    assert read.pop("show_ready") == 503
    for of_a_device in (
        *("show_this_device", "show_results", "list_own_rounds"),
        *("list_own_changes", "show_own_receipt", "show_own_last_receipt"),
    ):
        assert read.pop(of_a_device) == 401
    assert set(read.values()) <= {200, 404, 409}, read
    assert [edited.head(stream) for stream in streams] == before


def _asked(house: House, operation: Operation) -> int:
    who = "Dana" if operation.name == "come_to_table" else "Mira"
    token = house.session(who) if operation.schemes else None
    return ask(house, operation, token).status
