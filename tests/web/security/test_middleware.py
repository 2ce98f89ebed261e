"""Requests from elsewhere, too many, too large or too slow are refused."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from croupier.house.people.rates import Rate, RateLimiter
from croupier.web.problems import JsonResponse
from croupier.web.security.hosts import BadAddress
from croupier.web.security.limits import (
    AddressLimiter,
    address_key,
)
from croupier.web.security.middleware import Security, SecurityOptions
from tests.web.asking import Answer, ask, exchange, receiving, scope_of

HERE = "http://testserver"
COOKIES = "croupier_session=s3ss10n; croupier_csrf=c5rf"
BROWSER = {"origin": HERE, "cookie": COOKIES}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Tells what the application was given."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        return
    body = b""
    more = True
    while more:
        message = await receive()
        body += message["body"]
        more = message["more_body"]
    names = [name.decode() for name, _ in scope["headers"]]
    response = JsonResponse({"bytes": len(body), "headers": names})
    await response(scope, receive, send)


def secure(**options: Any) -> Security:
    return Security(echo, SecurityOptions(**options))


def socket(app: Security, headers: Mapping[str, str], **more: Any) -> list[Message]:
    """Return the messages with which the application answers the handshake."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = scope_of("websocket", "GET", "/play", headers, **more)
    asyncio.run(app(scope, receive, send))
    return sent


def test_every_answer_has_the_security_headers() -> None:
    for path, host in (("/", "testserver"), ("/api/x", "testserver"), ("/", "a b")):
        headers = ask(secure(), "GET", path, headers={"host": host}).headers

        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'; base-uri 'none'; form-action 'self'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "camera=()" in headers["permissions-policy"]
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "strict-transport-security" not in headers
        assert headers.get("cache-control") == ("no-store" if "api" in path else None)


def test_a_page_may_open_a_socket_to_its_own_server_only() -> None:
    plain = ask(secure(), "GET", "/", headers={"host": "h:8000"})
    proxied = ask(secure(public_url="https://casino.example/"), "GET", "/")

    assert "connect-src 'self' ws://h:8000;" in plain.headers["content-security-policy"]
    policy = proxied.headers["content-security-policy"]
    assert "connect-src 'self' wss://casino.example;" in policy


@pytest.mark.parametrize(
    ("public_url", "scheme", "is_tls"),
    [
        (None, "http", False),
        (None, "https", True),
        ("https://casino.example", "http", True),
        ("http://casino.example", "http", False),
    ],
    ids=str,
)
def test_only_over_tls_a_browser_is_told_to_stay_with_it(
    public_url: str | None, scheme: str, is_tls: bool
) -> None:
    answer = ask(secure(public_url=public_url), "GET", "/", scheme=scheme)

    assert ("strict-transport-security" in answer.headers) == is_tls


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "testserver.evil.example",
        "evil.example:80",
        "testserver@evil.example",
        "testserver:port",
        "testserver/",
        "testserver evil",
        "testserver, evil",
        "",
        "(none)",
        "[::1",
        "other:9001",
        "x" * 300,
    ],
)
def test_another_host_is_refused(host: str) -> None:
    app = secure(allowed_hosts=("testserver", "other:9000"))

    answer = ask(app, "GET", "/", headers={"host": host})

    assert answer.status == 400
    assert answer.error == "the server does not answer for this host"


@pytest.mark.parametrize(
    "host", ["testserver", "TestServer:8000", "other:9000", "[::1]:80", "pub.example"]
)
def test_an_allowed_host_is_answered(host: str) -> None:
    app = secure(
        allowed_hosts=("testserver", "other:9000", "[::1]"),
        public_url="https://pub.example",
    )

    assert ask(app, "GET", "/", headers={"host": host}).status == 200


@pytest.mark.parametrize("path", ["/health", "/ready"])
@pytest.mark.parametrize("client", ["127.0.0.1", "::1"])
def test_a_watchdog_of_this_machine_is_told_the_health_by_any_name(
    path: str, client: str
) -> None:
    app = secure(allowed_hosts=("casino.example",))

    def status(path: str, client: str) -> int:
        return ask(
            app, "GET", path, client=(client, 5), headers={"host": "10.0.0.7"}
        ).status

    assert status(path, client) == 200
    assert status(path, "192.0.2.1") == 400
    assert status("/api/house", client) == 400


@pytest.mark.parametrize("name", ["host", "origin", "authorization", "x-csrf-token"])
def test_a_header_that_is_given_twice_is_refused(name: str) -> None:
    headers = [*BROWSER.items(), ("host", "testserver"), (name, "a"), (name, "b")]

    assert ask(secure(), "POST", "/", headers=headers).status == 400


FOREIGN = [
    "http://evil.example",
    "https://testserver",
    "http://testserver:81",
    "http://testserver.evil.example",
    "http://eviltestserver",
    "http://testserver/",
    "testserver",
    "null",
    "",
    "http://testserver, http://evil.example",
]


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "X"])
def test_a_page_of_another_origin_changes_nothing(method: str, origin: str) -> None:
    for more in ({}, BROWSER, {"authorization": "Bearer t"}):
        answer = ask(secure(), method, "/", headers={**more, "origin": origin})

        assert answer.status == 403
        assert answer.error


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_origin_opens_no_socket(origin: str) -> None:
    for more in ({}, {"cookie": COOKIES}, {"authorization": "Bearer t"}):
        [close] = socket(secure(), {**more, "origin": origin})

        assert close == {"type": "websocket.close", "code": 1008, "reason": ""}


def test_a_refused_handshake_is_answered_where_the_server_can() -> None:
    extensions: dict[str, Any] = {"websocket.http.response": {}}

    start, body = socket(
        secure(), {"origin": "http://evil.example"}, extensions=extensions
    )

    assert (start["type"], start["status"]) == ("websocket.http.response.start", 403)
    assert "another origin" in json.loads(body["body"])["error"]


def test_a_socket_of_a_browser_must_say_its_origin() -> None:
    accepted = [{"type": "websocket.accept"}]

    assert socket(secure(), {"cookie": COOKIES})[0]["type"] == "websocket.close"
    assert socket(secure(), {"cookie": COOKIES, "origin": HERE}) == accepted
    assert socket(secure(), {}) == accepted
    assert socket(secure(), {"authorization": "Bearer t"}) == accepted


def test_the_own_origin_is_the_public_one_behind_a_proxy() -> None:
    app = secure(public_url="https://Casino.example:443/x")

    def status(origin: str) -> int:
        return ask(app, "POST", "/", headers={"origin": origin}).status

    assert status("https://casino.example") == 200
    assert status("https://casino.example:444") == 403
    assert status("http://casino.example") == 403
    assert status(HERE) == 403


def test_pictures_come_from_where_the_house_file_says_and_nowhere_else() -> None:
    videos = {"/w.mp4", "https://video.example:8443/a.webm", "https://video.example/b"}

    def policy(*given: str) -> str:
        app = Security(echo, SecurityOptions(), videos=lambda: frozenset(given))
        return ask(app, "GET", "/").headers["content-security-policy"]

    sources = "'self' https://video.example https://video.example:8443"
    assert policy(*videos) == f"{policy()}; media-src {sources}"
    assert policy("/w.mp4") == f"{policy()}; media-src 'self'"
    assert "media-src" not in policy()


@pytest.mark.parametrize(
    "url", ["casino.example", "ftp://x", "https://", "https://a@b", "https://[", "//x"]
)
def test_a_wrong_address_in_the_options_is_told_at_once(url: str) -> None:
    with pytest.raises(BadAddress):
        secure(public_url=url)
    with pytest.raises(BadAddress):
        secure(allowed_hosts=("a b",))


def _browser(**changed: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in changed.items()}
    return ask(secure(), "POST", "/", headers={**BROWSER, **named})


def test_a_browser_changes_something_from_its_own_origin() -> None:
    assert _browser().status == 200
    assert _browser(origin="(none)", sec_fetch_site="same-origin").status == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "(none)"},
        {"origin": "(none)", "sec_fetch_site": "same-site"},
        {"origin": "(none)", "sec_fetch_site": "cross-site"},
        {"origin": "(none)", "sec_fetch_site": "none"},
        {"origin": "(none)", "authorization": "Basic dTpw"},
        {"origin": "(none)", "authorization": "Bearer "},
    ],
    ids=str,
)
def test_a_browser_without_its_origin_is_refused(
    changed: dict[str, str],
) -> None:
    assert _browser(**changed).status == 403


def test_a_browser_may_look_without_its_origin() -> None:
    for method in ("GET", "HEAD"):
        assert ask(secure(), method, "/", headers={"cookie": COOKIES}).status == 200


def test_with_a_bearer_token_no_origin_is_needed_and_cookies_are_not_seen() -> None:
    answer = _browser(authorization="bearer t0ken", origin="(none)")

    assert answer.status == 200
    assert "cookie" not in answer.json()["headers"]
    assert "authorization" in answer.json()["headers"]


CHUNKED = {"transfer-encoding": "chunked"}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"content-length": "1001"}, [b""]),
        ({"content-length": "9" * 5000}, [b""]),
        ({"content-length": "10"}, [b"x" * 1001]),
        (CHUNKED, [b"x"] * 1001),
        (CHUNKED, [b"x" * 1001]),
        ({}, [b"x" * 600, b"x" * 600]),
    ],
    ids=map(str, range(6)),
)
def test_a_body_that_is_too_large_is_refused(
    headers: dict[str, str], body: list[bytes]
) -> None:
    for method in ("POST", "DELETE"):
        answer = ask(
            secure(body_bytes_max=1000), method, "/", headers=headers, body=body
        )

        assert answer.status == 413
        assert answer.error == "a body has at most 1000 bytes"
        assert answer.headers["connection"] == "close"


def test_a_large_body_is_not_read_to_its_end() -> None:
    read = 0

    async def endless() -> Message:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": b"x" * 100, "more_body": True}

    scope = scope_of("http", "POST", "/", CHUNKED)
    answer = asyncio.run(exchange(secure(body_bytes_max=1000), scope, endless))

    assert (answer.status, read) == (413, 11)


@pytest.mark.parametrize("length", ["-1", "1e3", "", "+1", "0x10"])
def test_a_length_that_is_no_number_is_refused(length: str) -> None:
    assert ask(secure(), "POST", "/", headers={"content-length": length}).status == 400


def test_a_body_reaches_the_application_whole() -> None:
    answer = ask(secure(), "POST", "/", headers=CHUNKED, body=[b"ab", b"", b"cd"])

    assert answer.json()["bytes"] == 4
    assert ask(secure(), "POST", "/", body=b"x" * 600_000).status == 200
    assert ask(secure(), "GET", "/", headers=CHUNKED, body=b"abc").json()["bytes"] == 3


def test_a_body_that_trickles_in_is_refused() -> None:
    answer = ask(
        secure(body_seconds_max=0.05),
        "POST",
        "/",
        headers=CHUNKED,
        body=[b"x"] * 50,
        pause_seconds=0.01,
    )

    assert answer.status == 408
    assert answer.error == "the body did not come within 0.05 seconds"


def test_a_client_that_left_gets_no_answer() -> None:
    sent: list[Message] = []

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(secure()(scope_of("http", "POST", "/", CHUNKED), gone, send))

    assert sent == []


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_address_that_asks_too_often_waits() -> None:
    clock = Clock()
    app = Security(echo, SecurityOptions(address_rate=Rate(2, 3)), clock)

    def status(host: str = "192.0.2.1") -> int:
        return ask(app, "GET", "/", client=(host, 1)).status

    assert [status() for _ in range(4)] == [200, 200, 200, 429]
    assert status("192.0.2.2") == 200
    refused = ask(app, "GET", "/")
    assert refused.headers["retry-after"] == "1"
    assert refused.error == "too many requests; ask again in 1 seconds"
    clock.now += 0.5
    assert [status() for _ in range(2)] == [200, 429]
    clock.now -= 100
    assert status() == 429
    assert socket(app, {})[0]["type"] == "websocket.close"


def test_logging_on_is_limited_more_strictly_with_any_token() -> None:
    app = Security(
        echo,
        SecurityOptions(
            log_on_rate=Rate(0.1, 2), log_on_paths=re.compile("/api/log-on")
        ),
        Clock(),
    )

    def answer(path: str, token: str) -> Answer:
        return ask(app, "POST", path, headers={"authorization": f"Bearer {token}"})

    assert [answer("/api/log-on", f"t{i}").status for i in range(3)] == [200, 200, 429]
    assert answer("/api/log-on", "x").headers["retry-after"] == "10"
    assert answer("/api/other", "x").status == 200


def test_a_token_is_limited_from_every_address_together() -> None:
    app = Security(echo, SecurityOptions(token_rate=Rate(1, 2)), Clock())

    def status(token: str, host: str) -> int:
        headers = {"authorization": f"Bearer {token}"}
        return ask(app, "GET", "/", headers=headers, client=(host, 1)).status

    hosts = ("192.0.2.1", "192.0.2.2", "192.0.2.3")
    assert [status("a", host) for host in hosts] == [200, 200, 429]
    assert status("b", "192.0.2.1") == 200


def test_the_memory_of_a_limiter_is_bounded() -> None:
    limiter = RateLimiter(Rate(1, 1), Clock(), keys_max=10)

    waits = [limiter.take(str(key)) for key in range(1000)]

    assert not any(waits)
    assert len(limiter) == 10
    assert limiter.take("999") == 1.0


@pytest.mark.parametrize(
    "headers",
    [
        {"x-device-token": "good"},
        {"cookie": "croupier_device=good"},
        {"authorization": "Bearer good"},
    ],
)
def test_a_known_device_is_counted_apart_from_its_address(
    headers: dict[str, str],
) -> None:
    """A flood from the staff's address does not keep the staff from logging on."""
    known = {"good": "console 1"}
    options = SecurityOptions(
        address_rate=Rate(0.1, 4),
        log_on_rate=Rate(0.1, 2),
        log_on_paths=re.compile("/api/log-on"),
    )
    app = Security(echo, options, Clock(), device_of=known.get)

    def status(given: Mapping[str, str], path: str = "/api/log-on") -> int:
        headers = {"origin": HERE, **given}
        return ask(app, "POST", path, headers=headers).status

    wrong = {name: value.replace("good", "wrong") for name, value in headers.items()}
    assert [status({}) for _ in range(3)] == [200, 200, 429]
    assert [status(wrong) for _ in range(3)] == [429, 429, 429]
    assert [status(headers) for _ in range(3)] == [200, 200, 429]
    assert status(headers, "/api/other") == 200
    assert status(headers, "/api/other") == 429


def test_networks_of_ipv6_share_the_budget_of_their_48() -> None:
    """A subscriber with a whole /48 has eight rates, not 65,536."""
    limiter = AddressLimiter(Rate(1, 2), Clock())
    keys = [address_key(f"2001:db8:0:{each:x}::1") for each in range(12)]

    assert [bool(limiter.take(keys[0])) for _ in range(20)] == [False] * 2 + [True] * 18
    taken = sum(not limiter.take(key) for key in keys[1:] for _ in range(2))

    assert taken == 2 * 7
    assert not limiter.take(address_key("2001:db8:1::1"))
    assert not limiter.take(address_key("192.0.2.1"))


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:1")
    assert address_key("2001:db8::1") != address_key("2001:db8:0:1::1")
    assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1")
    assert len(address_key("x" * 5000)) == 100


def test_the_start_of_the_server_passes() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    async def send(message: Message) -> None: ...

    scope = {"type": "lifespan"}
    asyncio.run(Security(app, SecurityOptions())(scope, receiving([]), send))

    assert seen == ["lifespan"]


def test_a_long_path_and_large_headers_are_refused() -> None:
    app = secure(path_bytes_max=100, header_bytes_max=200)

    assert ask(app, "GET", "/" + "x" * 99).status == 200
    assert ask(app, "GET", "/" + "x" * 100).status == 414
    assert ask(app, "GET", "/?" + "x" * 100).status == 414
    assert ask(app, "GET", "/", headers={"x-more": "y" * 100}).status == 200
    assert ask(app, "GET", "/", headers={"x-more": "y" * 200}).status == 431


def test_a_path_that_changes_when_it_is_decoded_is_refused() -> None:
    for path, status in (
        ("/api/tables/a%2Frounds", 404),
        ("/api/tables/%2e%2e%2fhealth/rounds", 404),
        ("/api/tables/%FF/rounds", 400),
        ("/api/tables?sort=%FF", 400),
        ("/api/tables?sort=%2F%C3%A9", 200),
        ("/api/tables/%C3%A9/rounds", 200),
    ):
        assert ask(secure(), "GET", path).status == status


@pytest.mark.parametrize(
    ("scheme", "prefix", "status"),
    [
        *(("http", "", 403), ("http", "__Host-", 200)),
        *(("https", "", 200), ("https", "__Host-", 403)),
    ],
)
def test_a_session_is_known_by_the_cookies_of_its_scheme(
    scheme: str, prefix: str, status: int
) -> None:
    headers = {"cookie": f"other=1; {prefix}croupier_session=s"}

    answer = ask(secure(), "POST", "/", headers=headers, scheme=scheme)

    assert answer.status == status
    own = {**headers, "origin": f"{scheme}://testserver"}
    assert ask(secure(), "POST", "/", headers=own, scheme=scheme).status == 200
