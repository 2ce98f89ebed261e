"""A table in play under faults: terminals, a Dealer and the pit, who all try again."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tests.faults.device import Device, Message, Terminal
from tests.faults.house_process import HouseProcess

D = TypeVar("D", bound=Device)
T = TypeVar("T")
_AT_ONCE = 16
"""The number of devices that are waited for side by side."""
_DEALERS = {"triple": "Dana", "v3": "Dora"}
_WHO_DECIDES = {"triple": "Table Games Shift Manager", "v3": "Gaming Shift Manager"}


class Floor:
    """Everybody at one table."""

    def __init__(self, house: HouseProcess, table: str, *, seats: int = 2) -> None:
        self.house, self.table = house, table
        self.terminals = [Terminal(house, table, seat) for seat in self._seats(seats)]
        self.dealer = Device(house, table, _DEALERS[table])
        self.pit = Device(house, table, "Sam")
        self.boss = Device(house, table, "Mira")
        self.connect()

    def _seats(self, count: int) -> Iterable[Message]:
        """Take seats of the demonstration."""
        for _ in range(count):
            yield self.house.ask("POST", f"/api/tables/{self.table}/guests")

    def connect(self) -> None:
        """Come back, as after a start of the house; the Dealer deals again."""
        path = f"/api/tables/{self.table}/dealer"
        self.house.ask("POST", path, by=self.dealer.sender)
        at_once(Device.connect, self.devices)

    @property
    def devices(self) -> tuple[Device, ...]:
        return (*self.terminals, self.dealer, self.pit, self.boss)

    def hang_up(self) -> None:
        for device in self.devices:
            device.hang_up()

    # A round

    def open_round(self) -> int:
        """Call for wagers; the number of the round, which every terminal knows."""
        self.dealer.done("act", act="place your bets")
        at_once(lambda each: each.until_shown("takes_wagers", value=True), self.devices)
        return int(self.dealer.view["round"])

    def lay(self, *wagers: str, cents: int = 500) -> list[tuple[Terminal, str]]:
        """Send each wager from each terminal, and wait for none."""
        return [
            (terminal, terminal.wager(wager, cents))
            for terminal in self.terminals
            for wager in wagers
        ]

    def all_answered(self, sent: list[tuple[Terminal, str]]) -> None:
        for answer in _answers(sent):
            assert answer["registered"], answer

    def all_heard(self, sent: list[tuple[Terminal, str]]) -> None:
        """Wait until each is done or refused, as after an interruption."""
        _answers(sent)

    def finish(self, number: str = "17") -> None:
        """Play the round to its end, interrupted or not."""
        end = time.monotonic() + 60
        self._settle_down()
        while self.dealer.view["phase"] != "ended":
            assert time.monotonic() < end, self.dealer.view
            self._next_step(number)
            self._settle_down()
        at_once(lambda each: each.until_shown("phase", value="ended"), self.devices)

    def _settle_down(self) -> None:
        """Be sure that the Dealer's screen shows how the table stands now."""
        self.dealer.connect()

    def _next_step(self, number: str) -> None:
        view = self.dealer.view
        if view["interrupted"]:
            self._state_ball(number)
        elif view["phase"] == "held":
            decision = f"outcome {number}" if view["spun"] else "void"
            self.boss.ask(
                "act",
                act=f"decide {decision} because the film shows it",
                position=_WHO_DECIDES[self.table],
            )
        elif view["phase"] == "betting":
            self.dealer.ask("act", act="no more bets" if view["spun"] else "spin")
        elif view["phase"] == "closed":
            if self.dealer.ask("outcome", number=number)["registered"]:
                self.dealer.ask("outcome", number=number, confirmed=True)
        else:
            self.dealer.ask("act", act="settle")

    def _state_ball(self, number: str) -> None:
        has_outcome = self.dealer.view["winning_number"] is not None
        self.dealer.ask("ball_was", at_rest=number if has_outcome else None)
        self.pit.ask("confirm_ball")


def in_round(house: HouseProcess, table: str = "triple") -> Floor:
    """Begin a round at a table of a house that is open, with a wager in it."""
    floor = Floor(house, table)
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))
    return floor


def at_once(act: Callable[[D], T], devices: Iterable[D]) -> list[T]:
    """Have every device do something, each on a thread; what came of it."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(act, devices))


def _answers(sent: list[tuple[Terminal, str]]) -> list[Message]:
    """Wait until every command is answered; all answers."""
    ids = defaultdict(list)
    for terminal, sent_id in sent:
        ids[terminal].append(sent_id)
    told = at_once(lambda each: [each.answer(one) for one in ids[each]], ids)
    return [answer for each in told for answer in each]
