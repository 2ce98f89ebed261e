"""Codes by the time, against the test vectors of RFC 6238 (appendix B, SHA-1)."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from croupier.house.people import totp

SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_the_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    step = seconds * 1000 // totp.STEP_MS

    assert totp.code_at(SECRET, step, digits=8) == code
    assert totp.code_at(SECRET, step) == code[2:]
    assert totp.step_of_code(SECRET, code[2:], seconds * 1000, after=0) == step


def test_a_clock_may_be_a_step_off_and_no_more() -> None:
    now = 1_800_000_000_000
    step = now // totp.STEP_MS
    found = {
        away: totp.step_of_code(SECRET, totp.code_at(SECRET, step + away), now, 0)
        for away in range(-3, 4)
    }

    assert found == {-3: None, -2: None, -1: step - 1, 0: step, 1: step + 1} | {
        2: None,
        3: None,
    }


def test_neither_a_used_code_nor_an_earlier_one_serves_again() -> None:
    now = 1_800_000_000_000
    step = now // totp.STEP_MS

    for used, code in ((step, step), (step, step - 1), (step + 1, step)):
        assert totp.step_of_code(SECRET, totp.code_at(SECRET, code), now, used) is None


def test_a_code_may_be_typed_in_groups_and_nonsense_is_no_code() -> None:
    now = 1_800_000_000_000
    code = totp.code_at(SECRET, now // totp.STEP_MS)

    assert totp.step_of_code(SECRET, f" {code[:3]} {code[3:]}", now, 0) is not None
    for wrong in ("", code[1:], f"{code}0", "١٢٣٤٥٦", "abcdef"):
        assert totp.step_of_code(SECRET, wrong, now, 0) is None


def test_the_address_names_house_and_owner_and_gives_the_secret() -> None:
    address = urlsplit(totp.address_of(SECRET, house="The & floor", name="Mira/1 ?"))

    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert unquote(address.path) == "/The & floor:Mira/1 ?"
    assert parse_qs(address.query) == {
        "secret": ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
        "issuer": ["The & floor"],
    }
