"""Floods on a real server are bounded, and the house still answers.

The time limit is generous, for busy machines.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.house_server.server import House, new_database, prepare_house

_WITHIN_S = 3.0
_FEW_FILES = 200


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that may open only a few files."""
    folder = tmp_path_factory.mktemp("floods")
    house = prepare_house(new_database("sqlite", folder), folder)
    house.start(open_files=_FEW_FILES)
    yield house
    house.stop()


@contextmanager
def connected(house: House) -> Iterator[socket.socket]:
    where = urlsplit(house.address)
    with socket.create_connection((where.hostname, where.port), timeout=20) as sock:
        yield sock


def answers(house: House) -> None:
    """Check that the house answers within the time limit."""
    began = time.monotonic()
    assert house.http("GET", "/health").status == 200
    assert time.monotonic() - began < _WITHIN_S


def is_closed(sock: socket.socket, within_s: float) -> bool:
    sock.settimeout(within_s)
    try:
        while sock.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def memory_kib(house: House) -> int:
    assert house.process is not None
    status = Path(f"/proc/{house.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1])


def refused(house: House, why: str) -> float:
    text = house.http("GET", "/metrics").body.decode()
    found = re.search(rf'croupier_refused_total{{why="{why}"}} (\S+)', text)
    return float(found[1]) if found else 0.0


def test_long_paths_cost_little_and_are_counted(house: House) -> None:
    request = b"GET /" + b"_" * 20_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n"
    before = refused(house, "414")
    with ExitStack() as stack:
        socks = [stack.enter_context(connected(house)) for _ in range(40)]
        for sock in socks:
            sock.sendall(request)
        answers(house)
        for sock in socks:
            assert sock.recv(12) == b"HTTP/1.1 414"
    assert refused(house, "414") == before + 40


def test_headers_without_an_end_are_cut_off_and_take_no_memory(house: House) -> None:
    before = memory_kib(house)
    chunk = b"".join(b"X-%06d: %s\r\n" % (n, b"y" * 100) for n in range(1_000))
    with connected(house) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: h\r\n")
        with pytest.raises(ConnectionError):  # noqa: PT012 - whichever of them it is
            for _ in range(1_000):
                sock.sendall(chunk)
        answers(house)
    assert memory_kib(house) - before < 20_000


def test_whole_but_large_headers_are_refused(house: House) -> None:
    headers = {f"X-{n}": "y" * 200 for n in range(100)}
    assert house.http("GET", "/health", headers=headers).status == 431


def test_silent_connections_give_way_when_files_run_short(house: House) -> None:
    with ExitStack() as stack:
        socks = [stack.enter_context(connected(house)) for _ in range(800)]
        answers(house)
        assert is_closed(socks[0], 20)
        assert refused(house, "gave way") > 0


def test_a_request_that_comes_drop_by_drop_is_cut_off(house: House) -> None:
    with connected(house) as sock, pytest.raises(ConnectionError):  # noqa: PT012
        for _ in range(40):
            sock.sendall(b"G")
            time.sleep(0.5)
    answers(house)
