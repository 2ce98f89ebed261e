"""What a server records by itself, and at the machine: starts, Dealers, alarms, keys.

Devices lost and found, clocks that jumped and refusals are recorded soon, and again
where that failed; who dies before has noticed nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.configuration.changes import apply_plan, plan_of
from croupier.house.floor.day_close import _tell_nodes
from croupier.house.floor.noticed_events import NoticedEvents
from croupier.house.people import dealers
from croupier.house.reasons import HouseReason
from croupier.house.records.key_rotation import (
    revoke_key,
    rotate_key,
    take_first_key,
)
from croupier.journal.events import house as house_events
from croupier.journal.log.entries import read_ends
from croupier.journal.signing_keys import fingerprint, key_id
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.operator import Person, Role
from tests.robustness.books import demand
from tests.robustness.stores import MemoryStore
from tests.simulation.seeded import MORNING_MS, SimulatedClock
from tests.simulation.staffing import (
    HOUR_MS,
    RETIRED,
    TABLE,
    OneFault,
    SomeFaults,
    Staffing,
    finished,
)

NOTICED: tuple[house_events.HouseEvent, ...] = (
    house_events.DeviceLost("S2", TABLE, needed=False),
    house_events.DeviceBack("S2", TABLE),
    house_events.ClockChanged(5_000),
    house_events.WheelDoubted(TABLE, "17", 600, 16_000, 16_000),
    house_events.AuthorityRefused(
        "Carl", house_events.AskedBy.SESSION, "", HouseReason.LOG_ON_FIRST()
    ),
)
ONCE = (
    *(type(event).__name__ for event in NOTICED),
    "JournalDoubted",
    "JournalTrusted",
)
"""What must stand in the record once."""


class _AtOnce(Executor):
    """The house's own thread, which here is the only one."""

    def submit(self, act: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        done: Future[Any] = Future()
        done.set_result(act(*given, **named))
        return done


class Serving(Staffing):
    """The same house, and what its server writes."""

    _next_key = Ed25519PrivateKey.from_private_bytes(b"n" * 32)

    def acts(self) -> tuple[Callable[[], object], ...]:
        return (
            self._hire,
            self._come_to_deal,
            self._go_from_table,
            self._notice,
            self._doubt,
            self._trust,
            self._retire,
            self._rotate_key,
            self._revoke_key,
            self._end_day,
            self._close_day,
            self._stop,
        )

    def _start(self) -> None:
        super()._start()
        self._is_open = False
        self._noticed = NoticedEvents(self.record, _AtOnce(), lambda _: None)
        take_first_key(self.record, "house", self._key)
        doubt = self.record.state.doubt
        if doubt is not None:
            self.record.write(house_events.JournalTrusted(doubt))
        self.record.write(house_events.ServerStarted("1", "the code", ""))
        self._is_open = True

    @property
    def _signer(self) -> Ed25519PrivateKey:
        is_next = self.record.state.signing_key == _id_of(self._next_key)
        return self._next_key if is_next else self._key

    def _recorded(self) -> Counter[str]:
        """How often each kind of event is on record."""
        return Counter(row.kind for row in self.store.inner.events(HOUSE_STREAM))

    # Each looks first whether it is on record.

    def _come_to_deal(self) -> None:
        dealers.come_to_table(self.record, self._by("Carl"), TABLE)

    def _go_from_table(self) -> None:
        if self.record.state.deals("Carl", TABLE):
            dealers.go_from_table(self.record, self._by("Carl"), TABLE)

    def _notice(self) -> None:
        recorded = self._recorded()
        for event in NOTICED:
            if not recorded[type(event).__name__]:
                self._noticed.add(event)
        while self._noticed._waiting:
            self.trouble += 1
            self._noticed.try_again()

    def _doubt(self) -> None:
        if not self._recorded()["JournalDoubted"]:
            self.record.write(house_events.JournalDoubted(1, "a row was changed"))

    def _trust(self) -> None:
        """The next start has verified all of it."""
        if self.record.state.doubt is not None:
            self._start()

    def _retire(self) -> None:
        if RETIRED in self.record.state.tables:
            current = plan_of(self.store)
            tables = tuple(each for each in current.tables if each.name != RETIRED)
            apply_plan(self.record, replace(current, tables=tables), current, "Mira")

    def _rotate_key(self) -> None:
        rotate_key(self.record, "Mira", self._next_key, self._key)

    def _revoke_key(self) -> None:
        old = _id_of(self._key)
        if old not in self.record.state.revoked_keys:
            revoke_key(self.record, "Mira", old, "it was lost", self._next_key)

    def _end_day(self) -> None:
        """Tell the other nodes, as where there are several."""
        day = self.record.settings.gaming_day(MORNING_MS)
        _tell_nodes(self.record, Person("Mira", Role.PIT_MANAGER), day)

    def _stop(self) -> None:
        self.record.write(house_events.ServerStopped(HouseReason.STOPPED(), ""))

    # What must hold at the end.

    def check(self) -> None:
        self._check_record()
        self._check_day(self.store.inner)
        recorded, state = self._recorded(), self.record.state
        for kind in ONCE:
            demand(recorded[kind] == 1, f"{kind} is on record {recorded[kind]} times")
        demand(set(state.tables) == {TABLE}, "the table is not retired")
        demand(not state.dealers, "Carl still deals")
        demand(state.doubt is None, "the journal is still doubted")
        demand(state.signing_key == _id_of(self._next_key), "the key is another one")
        demand(set(state.revoked_keys) == {_id_of(self._key)}, "no key is revoked")
        demand(
            self._is_vouched_for(), "no checkpoint of the key before covers the new one"
        )

    def _is_vouched_for(self) -> bool:
        rows = self.store.inner.events(HOUSE_STREAM)
        places = [row.sequence for row in rows if row.kind == "SigningKeySet"]
        log = self.store.inner.log_entries(0, self.store.inner.log_size())
        named = [ends for row in log if (ends := read_ends(row.entry)) is not None]
        old = fingerprint(self._key.public_key())
        return any(
            ends.key == old
            and end.stream == HOUSE_STREAM
            and end.sequence >= places[-1]
            for ends in named
            for end in ends.streams
        )


def _id_of(key: Ed25519PrivateKey) -> str:
    return key_id(fingerprint(key.public_key()))


def served(at: int = 0, kind: str = "", waits_ms: int = 0) -> Serving:
    """Return a house that a server has run, with a fault at one write."""
    clock = SimulatedClock()
    store = OneFault(MemoryStore(), clock, at, kind)
    return finished(Serving(store, clock, waits_ms))


def served_from(seed: int) -> Serving:
    """Return a house that a server has run, with faults at many writes."""
    clock = SimulatedClock()
    store = SomeFaults(MemoryStore(), clock, seed)
    return finished(Serving(store, clock, (seed % 3) * HOUR_MS))
