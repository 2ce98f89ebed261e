"""Every operation of the OpenAPI document of a server, and how a test asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.house_server.server import House, Reply
from tests.web.api.requests import BODIES, PATHS, QUERIES

NAMES = PATHS | {"table": "triple", "seat": "Anna-triple"}
"""What stands for the parameters of a path, in the house of these tests."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path."""

    name: str
    method: str
    path: str
    schemes: frozenset[str]
    """How a caller may be known: none of them, and anybody may ask."""

    def target(self, **names: str) -> str:
        """Fill the path in; `names` go before those of this module."""
        staff = {"name": "Dora"} if "/staff/" in self.path else {}
        query = QUERIES.get(self.name, "").replace("%20", " ")
        return self.path.format(**{**NAMES, **staff, **names}) + query

    def body(self, house: House) -> object:
        """A body that can be read, with an id of its own."""
        body = BODIES.get(self.name)
        if not isinstance(body, Mapping):
            return body
        changed = {"id": house.new_id(), "table": NAMES["table"]}
        return {**body, **{key: changed[key] for key in changed.keys() & body.keys()}}


def served_operations(house: House) -> dict[str, Operation]:
    """Read the document that the server itself hands out."""
    paths = house.ask("GET", "/api/openapi.json")["paths"]
    found = [
        Operation(each["operationId"], method.upper(), path, _schemes(each))
        for path, methods in paths.items()
        for method, each in methods.items()
        if method != "parameters"
    ]
    by_name = {each.name: each for each in found}
    assert len(by_name) == len(found), "two operations have one name"
    return by_name


def _schemes(operation: Mapping[str, list[Mapping[str, object]]]) -> frozenset[str]:
    return frozenset(name for way in operation.get("security", ()) for name in way)


def patiently(act: Callable[[], Reply]) -> Reply:
    """Ask once; where the server says to wait, wait and ask again."""
    while True:
        reply = act()
        if reply.status != 429:
            return reply
        time.sleep(float(reply.headers["retry-after"]))


def ask(house: House, operation: Operation, token: str | None, **names: str) -> Reply:
    """Ask for it with a body of its own."""
    target = operation.target(**names)

    def act() -> Reply:
        body = operation.body(house)
        return house.http(operation.method, target, body, token=token)

    return patiently(act)
