"""Sessions of the staff: listed, and ended from elsewhere."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import OpenSession, session_id
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotThere
from croupier.web.api.base import HouseApi, show_as
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("log-on", STAFF)
SessionId = Annotated[str, Meta(min_length=1, max_length=40)]


class OpenSessionShown(msgspec.Struct, frozen=True):
    """An open session of somebody."""

    id: str
    """Names the session; it is no token, and opens nothing."""
    name: str
    device: str | None
    began_ms: int
    seen_ms: int
    """When something was last asked with it."""
    is_this: bool
    """It is the one that asks."""


@api("GET /api/sessions")
async def list_sessions(request: HouseRequest) -> list[OpenSessionShown]:
    """List one's own sessions; for who manages the staff, everybody's."""
    member, this = request.member, session_id(request.token or "")
    return [
        show_as(OpenSessionShown, each, id=key, is_this=key == this)
        for key, each in request.floor.sessions.open_now().items()
        if _may_end(member, each)
    ]


def _may_end(member: Caller, session: OpenSession) -> bool:
    return session.name == member.name or member.may(HouseAct.MANAGE_STAFF)


@api("DELETE /api/sessions/{session}")
async def end_session(request: HouseRequest, *, session: SessionId) -> None:
    """End a session: one's own, or anybody's for who manages the staff."""
    sessions = request.floor.sessions

    def end(_record: HouseRecord, by: Caller) -> None:
        found = sessions.open_now().get(session)
        if found is None or not _may_end(by, found):
            raise NotThere(HouseReason.NO_SUCH_SESSION())
        sessions.end(session, HouseReason.LOGGED_OFF_BY(person=by.name))

    await request.in_house(end)
