"""Codes that a phone shows for half a minute: RFC 6238, with HMAC-SHA-1 and six digits.

SHA-1, six digits and 30 seconds are what every authenticator application takes for
granted, whatever else an address of `otpauth://` asks for.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from secrets import token_bytes
from urllib.parse import quote, urlencode

STEP_MS = 30_000
_DIGITS = 6
_SECRET_BYTES = 20
"""As many as the hash has (RFC 4226, 4)."""
_STEPS_AWAY = 1
"""A clock may be so many steps off, in either direction (RFC 6238, 5.2)."""


def new_secret() -> bytes:
    return token_bytes(_SECRET_BYTES)


def code_at(secret: bytes, step: int, digits: int = _DIGITS) -> str:
    """Return the code of a step of time, counted from 1970."""
    mac = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    at = mac[-1] & 0xF
    number = int.from_bytes(mac[at : at + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of_code(secret: bytes, code: str, at_ms: int, after: int) -> int | None:
    """Return the step whose code it is, later than one used before; None: a wrong one.

    It may be typed in groups.
    """
    typed = "".join(code.split())
    now = at_ms // STEP_MS
    found = None
    for step in range(now - _STEPS_AWAY, now + _STEPS_AWAY + 1):
        expected = code_at(secret, max(step, 0))
        is_right = hmac.compare_digest(expected.encode(), typed.encode())
        if is_right and step > after:
            found = step
    return found


def as_text(secret: bytes) -> str:
    """Return the secret as people type it into their phone: base 32."""
    return b32encode(secret).decode()


def address_of(secret: bytes, *, house: str, name: str) -> str:
    """Return the address that an authenticator application takes from a picture."""
    label = quote(f"{house}:{name}", safe=":")
    values = {"secret": as_text(secret), "issuer": house}
    return f"otpauth://totp/{label}?{urlencode(values, quote_via=quote)}"
