"""Requests that no library sends: each is answered or cut off, and reaches nothing."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import urlsplit

from tests.house_server.server import House
from tests.security.operations import patiently

OUTSIDE = (
    "/../../../../etc/passwd",
    "/assets/../../../../etc/passwd",
    "/assets/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/assets/..%5c..%5cetc%5cpasswd",
    "/assets//etc/passwd",
    "//etc/passwd",
    "/%00/etc/passwd",
    "/assets/%252e%252e%252fetc%252fpasswd",
    "/api/tables/..%2f..%2fetc%2fpasswd/rules/file",
    "/api/tables/triple/rules/file?path=/etc/passwd",
    "file:///etc/passwd",
)
HIDDEN = (
    "POST /api/log-off HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
)
"""A request inside another; done, it would end a session."""
SMUGGLED = {
    "two lengths": "Content-Length: 0\r\nContent-Length: {length}\r\n\r\n{hidden}",
    "lengths in a list": "Content-Length: 0, {length}\r\n\r\n{hidden}",
    "a length with a sign": "Content-Length: +0\r\n\r\n{hidden}",
    "a length in hexadecimal": "Content-Length: 0x0\r\n\r\n{hidden}",
    "a length below zero": "Content-Length: -1\r\n\r\n{hidden}",
    "a length and chunks": (
        "Content-Length: {chunked}\r\nTransfer-Encoding: chunked\r\n\r\n"
        "0\r\n\r\n{hidden}"
    ),
    "chunks on a line of their own": (
        "Content-Length: {chunked}\r\nTransfer-Encoding:\r\n chunked\r\n\r\n"
        "0\r\n\r\n{hidden}"
    ),
    "chunks by another name": (
        "Content-Length: {length}\r\nTransfer-Encoding: xchunked\r\n\r\n{hidden}"
    ),
    "chunks after a blank": (
        "Content-Length: {chunked}\r\nTransfer-Encoding : chunked\r\n\r\n"
        "0\r\n\r\n{hidden}"
    ),
    "a chunk of no size": "Transfer-Encoding: chunked\r\n\r\nzz\r\n{hidden}",
    "a chunk of endless size": (
        "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{hidden}"
    ),
}
WEIRD = {
    "no host": "GET /api/tables HTTP/1.1\r\n\r\n",
    "two hosts": "GET /api/tables HTTP/1.1\r\nHost: {host}\r\nHost: evil\r\n\r\n",
    "no version": "GET /api/tables\r\n\r\n",
    "a tunnel": "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a trace": "TRACE /api/me HTTP/1.1\r\nHost: {host}\r\nCookie: a=b\r\n\r\n",
    "a method of our own": "MINT /api/tables HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "another's address": "GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "NUL in a header": "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n",
    "TLS where there is none": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "another protocol": "SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "an upgrade to nothing": (
        "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    ),
}


def told(house: House, text: str) -> bytes:
    """All that is answered until the server closes, or is silent."""
    where = urlsplit(house.address)
    read = bytearray()
    with socket.create_connection((where.hostname, where.port), timeout=10) as sock:
        sock.sendall(text.encode("latin-1"))
        sock.settimeout(0.25)
        try:
            while chunk := sock.recv(65_536):
                read += chunk
        except (TimeoutError, ConnectionError):
            pass
    return bytes(read)


def statuses(read: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"HTTP/1\.[01] (\d{3})", read)]


def all_told(house: House, texts: Iterable[str]) -> list[bytes]:
    """What is answered to each, all of them at once."""
    with ThreadPoolExecutor(12) as pool:
        return list(pool.map(partial(told, house), texts))


def test_no_path_leads_out_of_the_pages(house: House) -> None:
    host = urlsplit(house.address).netloc
    texts = [f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n" for path in OUTSIDE]

    for path, read in zip(OUTSIDE, all_told(house, texts), strict=True):
        assert b"root:" not in read, path
        [status] = statuses(read)
        assert status in {200, 400, 404}, path
        if status == 200:  # the one document of all pages
            assert b"<!doctype html>" in read.lower(), path


def test_a_request_inside_another_is_not_done(house: House) -> None:
    host, dana = urlsplit(house.address).netloc, {"name": "Dana"}
    log_on = partial(house.http, "POST", "/api/demonstration/staff", dana)
    token = patiently(log_on).json["token"]
    hidden = HIDDEN.format(host=host, token=token) + "\r\n"
    sizes = {"length": len(hidden), "chunked": len(hidden) + 5}
    texts = [
        f"POST /api/tables/x/pieces HTTP/1.1\r\nHost: {host}\r\n"
        + rest.format(hidden=hidden, **sizes)
        for rest in SMUGGLED.values()
    ]

    answers = all_told(house, texts)

    for name, read in zip(SMUGGLED, answers, strict=True):
        assert not {204, 401} & set(statuses(read)), (name, read)
        assert all(status < 500 for status in statuses(read)), (name, read)
    assert house.http("GET", "/api/me", token=token).status == 200


def test_unknown_requests_are_refused(house: House) -> None:
    host = urlsplit(house.address).netloc
    texts = [text.format(host=host) for text in WEIRD.values()]

    for name, read in zip(WEIRD, all_told(house, texts), strict=True):
        if name in {"another's address", "an upgrade to nothing"}:
            assert statuses(read) in ([200], [404])  # its own page, whatever was named
        else:
            assert all(400 <= each < 500 for each in statuses(read)), (name, read)
    assert house.http("GET", "/health").status == 200


def test_no_request_can_split_an_answer(house: House) -> None:
    host = urlsplit(house.address).netloc
    evil = "%0d%0aSet-Cookie:%20croupier_session=evil%0d%0a%0d%0a<script>"
    paths = (f"/{evil}", f"/api/tables/{evil}/terms", f"/api/tables?{evil}={evil}")
    texts = [f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n" for path in paths]

    for read in all_told(house, texts):
        head = read.partition(b"\r\n\r\n")[0].lower()
        assert b"set-cookie" not in head
        assert b"\r\n\r\n<script>" not in read
        assert len(statuses(read)) == 1
