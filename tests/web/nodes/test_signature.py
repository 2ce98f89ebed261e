"""Only a node proves that it is one, for what it asks, now, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.web.nodes import signature
from croupier.web.nodes.signature import (
    HOLDS_S,
    SIGNATURE,
    CarriedRequest,
    Sender,
    Signatures,
    signed,
)

SECRET = b"shared by the nodes"
SENDER = Sender("one", "192.0.2.1", "https")
REQUEST = CarriedRequest(
    "POST",
    b"/api/tables/t1/close?x=1",
    [(b"authorization", b"Bearer a"), (b"accept", b"*/*")],
    b'{"id":"a"}',
)
NOW = 1_800_000_000_000


def sent(now: int = NOW) -> CarriedRequest:
    return replace(REQUEST, headers=signed(REQUEST, SENDER, SECRET, lambda: now))


def test_a_signed_request_tells_who_carries_it_and_for_whom() -> None:
    request = sent()

    assert Signatures(lambda: NOW).sender_of(request, SECRET) == SENDER
    assert (b"accept", b"*/*") not in request.headers


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "PUT"},
        {"target": b"/api/tables/t2/close?x=1"},
        {"body": b'{"id":"b"}'},
        {"headers": []},
    ],
    ids=str,
)
def test_what_was_changed_on_the_way_is_refused(changes: dict[str, object]) -> None:
    changed = replace(sent(), **changes)  # type: ignore[arg-type]

    assert Signatures(lambda: NOW).sender_of(changed, SECRET) is None


def test_every_carried_header_is_covered() -> None:
    request = sent()
    for place, (name, value) in enumerate(request.headers):
        headers = request.headers.copy()
        headers[place] = (name, value + b"1")
        changed = replace(request, headers=headers)
        del headers[place]
        without = replace(request, headers=headers)

        assert Signatures(lambda: NOW).sender_of(changed, SECRET) is None, name
        assert Signatures(lambda: NOW).sender_of(without, SECRET) is None, name


def test_headers_and_values_do_not_run_into_each_other() -> None:
    one = replace(REQUEST, headers=[(b"cookie", b"a"), (b"user-agent", b"bc")])
    other = replace(REQUEST, headers=[(b"cookie", b"ab"), (b"user-agent", b"c")])

    told = signed(one, SENDER, SECRET, lambda: NOW)
    forged = [*other.headers, *told[2:]]

    changed = replace(REQUEST, headers=forged)
    assert Signatures(lambda: NOW).sender_of(changed, SECRET) is None


def test_another_key_is_no_proof() -> None:
    assert Signatures(lambda: NOW).sender_of(sent(), b"another") is None


@pytest.mark.parametrize("late_s", [-HOLDS_S - 1, HOLDS_S + 1])
def test_what_is_too_old_or_of_tomorrow_is_refused(late_s: int) -> None:
    now = NOW + late_s * 1_000

    assert Signatures(lambda: now).sender_of(sent(), SECRET) is None


def test_what_was_overheard_is_not_taken_again() -> None:
    now = NOW
    signatures = Signatures(lambda: now)
    request = sent()

    assert signatures.sender_of(request, SECRET) == SENDER
    for _ in range(3):
        assert signatures.sender_of(request, SECRET) is None
    for _ in range(10):
        assert signatures.sender_of(sent(), SECRET) == SENDER
    now += 3 * HOLDS_S * 1_000
    assert signatures.sender_of(request, SECRET) is None
    assert signatures.sender_of(sent(now), SECRET) == SENDER
    assert dict(request.headers)[SIGNATURE]


def test_however_many_come_none_is_taken_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signature, "_SEEN_MAX", 3)
    now = NOW
    signatures = Signatures(lambda: now)
    first, *others = [sent() for _ in range(4)]

    taken = [signatures.sender_of(each, SECRET) for each in (first, *others)]
    now += HOLDS_S * 1_000

    assert taken == [SENDER, SENDER, SENDER, None]
    assert signatures.sender_of(first, SECRET) is None
    now += 3_000
    assert signatures.sender_of(first, SECRET) is None
    assert signatures.sender_of(sent(now), SECRET) == SENDER
