"""One's own second factor: enrolled by its owner, and where the house asks for it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people import totp
from croupier.house.people.second_factor import ENROLMENT_MINUTES, Proof
from croupier.journal.events.plan import SensitiveAct
from croupier.web.api.base import HouseApi, Secret
from croupier.web.endpoint import Body
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("log-on", STAFF)
SecondFactorCode = Annotated[str, Meta(min_length=6, max_length=20)]
"""Six digits, as the phone shows them; they may be typed in groups."""


class SecondFactorShown(msgspec.Struct, frozen=True):
    is_enrolled: bool
    asked_for: tuple[SensitiveAct, ...]
    """The acts at which everybody gives a code, too, by the house file."""


@api("GET /api/me/second-factor")
async def show_second_factor(request: HouseRequest) -> SecondFactorShown:
    """Tell whether one has a second factor, and what it is asked for."""
    account = request.record.state.account(request.member.name)
    asked_for = request.record.settings.second_factor
    return SecondFactorShown(account.factor is not None, asked_for)


class EnrolmentBody(Body, frozen=True):
    password: Secret
    """Once more, though they have logged on."""
    code: SecondFactorCode | None = None
    """Of the second factor that is replaced."""


class EnrolmentShown(msgspec.Struct, frozen=True):
    """A secret for an authenticator application; it is shown this once."""

    key: str
    """To be typed in: base 32, for codes by the time."""
    address: str
    """The same as `otpauth://`, to be taken from a picture."""
    minutes: int
    """Within these a code of it must be given."""


@api("POST /api/me/second-factor", status=201)
async def enrol_second_factor(
    request: HouseRequest, body: EnrolmentBody
) -> EnrolmentShown:
    """Begin to enrol a second factor; it counts once a code of it was given."""
    floor, name = request.floor, request.member.name
    proof = Proof(body.password, body.code)
    secret = await floor.with_password(lambda: floor.identity.begin(name, proof))
    house = request.record.settings.name
    return EnrolmentShown(
        totp.as_text(secret),
        totp.address_of(secret, house=house, name=name),
        ENROLMENT_MINUTES,
    )


class CodeBody(Body, frozen=True):
    code: SecondFactorCode


@api("PUT /api/me/second-factor")
async def confirm_second_factor(request: HouseRequest, body: CodeBody) -> None:
    """Give the first code of a second factor: from now on it counts."""
    floor, name = request.floor, request.member.name
    await floor.in_house(lambda: floor.identity.complete(name, body.code))
