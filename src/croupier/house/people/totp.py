"""Time-based codes by RFC 6238, with HMAC-SHA-1, six digits and steps of 30 seconds.

Many authenticator applications ignore other parameters in an `otpauth://` address.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from secrets import token_bytes
from urllib.parse import quote, urlencode

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP

STEP_MS = 30_000
_DIGITS = 6
_SECRET_BYTES = 20
"""The length of the hash (RFC 4226, 4)."""
_STEPS_AWAY = 1
"""The steps that a clock may be off, in either direction (RFC 6238, 5.2)."""


def new_secret() -> bytes:
    return token_bytes(_SECRET_BYTES)


def code_at(secret: bytes, step: int, digits: int = _DIGITS) -> str:
    return HOTP(secret, digits, SHA1()).generate(step).decode()  # noqa: S303


def step_of_code(secret: bytes, code: str, at_ms: int, after: int) -> int | None:
    """Return the step of a code; None if it is wrong, or not after the step `after`.

    The code may contain spaces.
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
    return b32encode(secret).decode()


def address_of(secret: bytes, *, house: str, name: str) -> str:
    label = quote(f"{house}:{name}", safe=":")
    values = {"secret": as_text(secret), "issuer": house}
    return f"otpauth://totp/{label}?{urlencode(values, quote_via=quote)}"
