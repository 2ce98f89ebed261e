"""Names of devices, Players and staff are one space, by how they are read."""

from __future__ import annotations

from tests.house_server.server import House

TAKEN = {
    "a terminal's": "Anna-v3",
    "a terminal's in small letters": "anna-v3",
    "a terminal's with a Cyrillic A": "\u0410nna-v3",
    "a Dealer's": "DANA",
    "a Dealer's with a Greek A": "D\u0391na",
    "a manager's": "Max",
}


def test_no_name_is_read_as_anothers(house: House) -> None:
    for whose, name in TAKEN.items():
        player = {"name": name, "pin": "471193"}
        device = {"name": name, "kind": "board", "table": "v3"}
        for path, body in (("/api/players", player), ("/api/devices", device)):
            if whose == "a terminal's" and path == "/api/devices":
                continue  # that very terminal is enrolled anew
            reply = house.http("POST", path, body, token=house.session("Sam"))
            assert reply.status == 409, (whose, path, reply)
