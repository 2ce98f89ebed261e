"""Second factors of the staff, for tests to enrol."""

from __future__ import annotations

from base64 import b32decode

from croupier.house.people import totp
from tests.web.a_house import PASSWORD, House

OWN = "/api/me/second-factor"


def code_of(house: House, key: str, steps: int = 0) -> str:
    """Return the code that the phone will show `steps` time steps from now."""
    return totp.code_at(b32decode(key), house.now_ms // totp.STEP_MS + steps)


async def enrol(house: House, token: str) -> str:
    """Enrol the person with this token; return their key once its code was used."""
    key = (await house.post(OWN, {"password": PASSWORD}, token))["key"]
    body = {"code": code_of(house, key)}
    assert (await house.ask("PUT", OWN, body, token=token)).status == 204
    house.pass_minutes(1)
    return str(key)
