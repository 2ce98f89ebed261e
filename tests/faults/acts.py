"""Acts of the house's people, as an operator asks for them: again, until they are done.

Each act is made ready, asked for, and looked for in what the house shows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from http.client import HTTPException
from itertools import count
from typing import Any, ClassVar

from tests.faults.house_process import PASSWORD, HouseProcess, Reply, new_id
from tests.robustness.recorder import Journal
from tests.waiting import wait_for

_numbers = count(1)
_TRIES_S = 30.0


class Act(ABC):
    """One act, about something that no other act is about."""

    kind: ClassVar[str]
    """Its event in the house's stream."""
    table: ClassVar[str | None] = None
    """The table that must not be interrupted for it."""
    done_already: ClassVar[frozenset[int]] = frozenset({404, 409})
    """The answer to an act that was done and is asked for again."""

    def __init__(self, house: HouseProcess) -> None:
        self.house = house
        self.name = f"{type(self).__name__} {next(_numbers):04}"
        self.times_asked = 0
        self.replies: list[Reply] = []
        for person in ("Mira", "Max", "Carl"):
            house.session(person)  # a log-on is a commit of its own

    def make_ready(self) -> None:  # noqa: B027
        """Do what must be before it; most need nothing."""

    @abstractmethod
    def ask(self) -> Reply:
        """Ask for it once."""

    @abstractmethod
    def is_done(self) -> bool:
        """Whether the house shows it."""

    def is_about(self, body: dict[str, Any]) -> bool:
        return self.name in str(body)

    def do(self) -> None:
        """Ask until the house says that it is done, and see it."""
        wait_for(self.is_asked, _TRIES_S)
        wait_for(self.is_done, _TRIES_S)

    def is_asked(self) -> bool:
        """Ask once; whether it is known now that it is done."""
        self.times_asked += 1
        try:
            reply = self.ask()
        except (OSError, HTTPException):
            return False
        self.replies.append(reply)
        if reply.status >= 500:
            return False
        is_first = self.times_asked == 1
        assert reply.done or (not is_first and reply.status in self.done_already), (
            self.name,
            self.replies,
        )
        return True


class InviteDevice(Act):
    kind = "DeviceInvited"

    def ask(self) -> Reply:
        body = {"name": self.name, "kind": "board", "table": "triple"}
        return self.house.http("POST", "/api/devices", body, by="Mira")

    def is_done(self) -> bool:
        return self.name in _names(self.house, "/api/devices")


class RevokeDevice(Act):
    kind = "DeviceRevoked"

    def make_ready(self) -> None:
        body = {"name": self.name, "kind": "board", "table": "triple"}
        self.house.ask("POST", "/api/devices", body, by="Mira")

    def ask(self) -> Reply:
        return self.house.http("DELETE", f"/api/devices/{self.name}", by="Mira")

    def is_done(self) -> bool:
        return self.name not in _names(self.house, "/api/devices")


def _proposed_dealer(house: HouseProcess, name: str) -> str:
    """Have Mira propose a Dealer; return the address for the confirmation."""
    body = {"name": name, "positions": ["Dealer"], "password": PASSWORD}
    proposed = house.ask("POST", "/api/staff/proposals", body, by="Mira")
    return f"/api/proposals/{proposed['number']}/confirm"


class DefineStaff(Act):
    """Proposed by one person; what another confirms is in one commit with its end."""

    kind = "StaffDefined"

    def make_ready(self) -> None:
        self.path = _proposed_dealer(self.house, self.name)

    def ask(self) -> Reply:
        return self.house.http("POST", self.path, {"password": PASSWORD}, by="Max")

    def is_done(self) -> bool:
        return self.name in _names(self.house, "/api/staff")


class RemoveStaff(Act):
    kind = "StaffRemoved"

    def make_ready(self) -> None:
        path = _proposed_dealer(self.house, self.name)
        self.house.ask("POST", path, {"password": PASSWORD}, by="Max")

    def ask(self) -> Reply:
        return self.house.http("DELETE", f"/api/staff/{self.name}", by="Mira")

    def is_done(self) -> bool:
        return self.name not in _names(self.house, "/api/staff")


class RegisterPlayer(Act):
    kind = "PlayerDefined"

    def ask(self) -> Reply:
        body = {"name": self.name, "pin": "2468"}
        return self.house.http("POST", "/api/players", body, by="Carl")

    def is_done(self) -> bool:
        return self.name in _names(self.house, "/api/players")


class LimitPlayer(Act):
    kind = "PlayerLimited"

    def make_ready(self) -> None:
        body = {"name": self.name, "pin": "2468"}
        self.house.ask("POST", "/api/players", body, by="Carl")

    def ask(self) -> Reply:
        body = {"stake_cents": 12_300, "loss_cents": None, "deposit_cents": None}
        path = f"/api/players/{self.name}/limits"
        return self.house.http("PUT", path, body, by="Carl")

    def is_done(self) -> bool:
        shown = self.house.ask("GET", f"/api/players/{self.name}", by="Carl")
        return bool(shown["stake_limit_cents"] == 12_300)


class AdjustCredit(Act):
    """Proposed by one person and confirmed by another; the seat must have it once."""

    kind = "ProposalConfirmed"
    table = "triple"
    cents = 700

    def make_ready(self) -> None:
        seat = self.house.ask("POST", f"/api/tables/{self.table}/guests")
        self.seat = str(seat["device"])
        act = {"kind": "adjust", "seat": self.seat, "cents": 700, "reason": self.name}
        body = {"act": act, "password": PASSWORD}
        path = f"/api/tables/{self.table}/proposals"
        proposed = self.house.ask("POST", path, body, by="Mira")
        self.number = proposed["number"]

    def ask(self) -> Reply:
        path = f"/api/tables/{self.table}/proposals/{self.number}/confirm"
        return self.house.http("POST", path, {"password": PASSWORD}, by="Max")

    def is_done(self) -> bool:
        seats = self.house.ask("GET", f"/api/tables/{self.table}/seats", by="Carl")
        credit = {each["seat"]: each["credit_cents"] for each in seats["seats"]}
        return bool(credit[self.seat] == 100_000 + self.cents)

    def is_about(self, body: dict[str, Any]) -> bool:
        return bool(body.get("number") == self.number)


class BuyIn(Act):
    """Cash for credit, under an id of its own."""

    kind = ""
    table = "v3"

    def make_ready(self) -> None:
        seat = self.house.ask("POST", f"/api/tables/{self.table}/guests")
        self.seat = str(seat["device"])
        self._body = {"id": new_id(), "cents": 300}

    def ask(self) -> Reply:
        path = f"/api/tables/{self.table}/seats/{self.seat}/buy-in"
        return self.house.http("POST", path, self._body, by="Carl")

    def is_done(self) -> bool:
        seats = self.house.ask("GET", f"/api/tables/{self.table}/seats", by="Carl")
        credit = {each["seat"]: each["credit_cents"] for each in seats["seats"]}
        return bool(credit[self.seat] == 100_300)


class CloseDay(Act):
    """A gaming day, which is signed too; asked for by its name."""

    kind = "GamingDayClosed"

    def __init__(self, house: HouseProcess, day: str) -> None:
        super().__init__(house)
        self.name = day

    def ask(self) -> Reply:
        path = f"/api/gaming-day/close?early=true&day={self.name}"
        return self.house.http("POST", path, by="Mira")

    def is_done(self) -> bool:
        report = self.house.ask("GET", f"/api/gaming-day/{self.name}", by="Mira")
        return bool(report["closed_by"] == "Mira" and report["head"])


ACTS: tuple[type[Act], ...] = (
    InviteDevice,
    RevokeDevice,
    DefineStaff,
    RemoveStaff,
    RegisterPlayer,
    LimitPlayer,
    AdjustCredit,
    BuyIn,
)


def check_acts(acts: list[Act], journal: Journal) -> Counter[str]:
    """Each is in the house's stream once, even if it was asked for twice."""
    counts: Counter[str] = Counter()
    for act in acts:
        if act.kind:
            events = journal.of_kind("house", act.kind)
            found = [event for event in events if act.is_about(event["body"])]
            assert len(found) == 1, (act.name, found, act.replies)
        counts["asked again"] += act.times_asked > 1
        counts["done"] += 1
    return counts


def _names(house: HouseProcess, path: str) -> set[str]:
    listed = house.ask("GET", path, by="Mira")
    return {str(each["name"]) for each in listed}
