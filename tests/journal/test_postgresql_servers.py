"""Of several PostgreSQL servers, only the one with the latest timeline is used."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest

from croupier.journal.store import JournalError, ServerReplaced
from croupier.journal.stores.postgresql_servers import Servers, _addresses, _Server


def _server(name: str, timeline: int, marked: int = 0) -> Any:
    return _Server(name, Mock(), timeline, max(timeline, marked))


def test_a_start_takes_the_only_server_that_can_be_written() -> None:
    servers = Servers()

    assert servers._first([_server("db2", 2)]).name == "db2"
    assert (servers.timeline, servers.rival) == (2, None)


def test_a_start_beside_two_servers_is_refused() -> None:
    with pytest.raises(JournalError, match=r"db1 \(timeline 1\) and db2 \(timeline 2"):
        Servers()._first([_server("db1", 1), _server("db2", 2)])


def test_a_running_process_goes_on_with_the_latest_server() -> None:
    servers = Servers()
    servers._first([_server("db1", 1)])
    former = _server("db1", 1)

    assert servers._first([former, _server("db2", 2)]).name == "db2"
    assert servers.timeline == 2
    assert former.connection.execute.call_args.args[1] == (2, 2)  # it is marked
    servers._first([_server("db2", 2)])
    assert servers.rival is None


def test_two_servers_of_one_timeline_are_two_histories() -> None:
    servers = Servers()
    servers._first([_server("db1", 1)])

    with pytest.raises(ServerReplaced, match="2 PostgreSQL servers"):
        servers._first([_server("db2", 2), _server("db3", 2)])
    assert servers.timeline == 1


def test_a_server_of_an_earlier_timeline_is_not_used() -> None:
    servers = Servers()
    servers._first([_server("db2", 2)])

    with pytest.raises(ServerReplaced, match="promoted since to timeline 2"):
        servers._first([_server("db1", 1)])
    with pytest.raises(JournalError, match="promoted since to timeline 2"):
        Servers()._first([_server("db1", 1, marked=2)])


def test_each_server_of_an_address_is_asked_by_itself() -> None:
    assert _addresses("postgresql://u@db1,db2:5433/house") == {
        "db1": "user=u dbname=house host=db1 port='' target_session_attrs=any",
        "db2:5433": "user=u dbname=house host=db2 port=5433 target_session_attrs=any",
    }
    assert list(_addresses("host=db1,db2 port=5433")) == ["db1:5433", "db2:5433"]
    assert list(_addresses("hostaddr=10.0.0.1,10.0.0.2")) == ["10.0.0.1", "10.0.0.2"]
    alone = "postgresql://u@db1:5433/house"
    assert _addresses(alone) == {"db1": alone}
