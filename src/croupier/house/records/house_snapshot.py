"""Snapshots of the house: its state as text and back, so that a start reads little.

A snapshot that another version of the state wrote is not read: the events still are. A
verification folds the house's stream as a start does, and compares its snapshots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import msgspec

from croupier.house.records.house_state import (
    Account,
    Device,
    DoneProposal,
    HouseState,
    Player,
    SeatSession,
    StaffSession,
    apply,
)
from croupier.journal.events import house as ev
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import HouseSettings, StaffPlan, TablePlan
from croupier.journal.events.table import GamingDayClosed
from croupier.journal.findings import VerificationProblem
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.tables import EventRow
from croupier.journal.verification import StreamFold
from croupier.rules.reasons import Reason

_VERSION = 1
"""Of the fields of `HouseState` and of what folding makes of them."""


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of the state; JSON has no pairs as keys, so `seated` is a list."""

    house: HouseSettings | None
    tables: dict[str, TablePlan]
    rules: dict[str, ev.RulesAttached]
    staff: dict[str, StaffPlan]
    acting: dict[str, tuple[ev.ActingAssigned, ...]]
    accounts: dict[str, Account]
    sessions: dict[str, StaffSession]
    devices: dict[str, Device]
    tokens: dict[str, str]
    players: dict[str, Player]
    sitting: dict[str, SeatSession]
    seated: tuple[tuple[tuple[str, str], str], ...]
    dealers: dict[str, str]
    proposals: dict[int, ev.Proposed]
    confirmations: dict[int, ev.ConfirmationGiven]
    answered: dict[int, DoneProposal]
    last_proposal: int
    closed_day: str | None
    ending_day: str
    signing_keys: dict[str, ev.SigningKeySet]
    revoked_keys: dict[str, ev.SigningKeyRevoked]
    doubt: str | None
    incarnation: str
    former: tuple[str, ...]
    retired: str | None
    version: int = _VERSION


class _Versioned(msgspec.Struct):
    version: int


_NAMES = tuple(field.name for field in fields(HouseState))
_versions = msgspec.json.Decoder(_Versioned)
_decoder = msgspec.json.Decoder(_Kept)


def _plain(value: Any) -> Any:
    """Return what JSON can hold of a mapping that can't be changed."""
    assert isinstance(value, MappingProxyType)
    return dict(value)


_encoder = msgspec.json.Encoder(enc_hook=_plain)


def write_house_snapshot(state: HouseState) -> str:
    """Return the whole state as JSON."""
    values = {name: getattr(state, name) for name in _NAMES}
    values["seated"] = tuple(state.seated.items())
    return _encoder.encode(_Kept(**values)).decode()


def read_house_snapshot(body: str) -> HouseState | None:
    """Return the state, or None where another version wrote it."""
    if _versions.decode(body).version != _VERSION:
        return None
    kept = _decoder.decode(body)
    values = {name: _unchanging(getattr(kept, name)) for name in _NAMES}
    values["seated"] = MappingProxyType(dict(kept.seated))
    values["players"] = MappingProxyType(
        {
            name: Player(
                player.name,
                player.stake_cents,
                player.loss_cents,
                player.excluded_until_ms,
                MappingProxyType(dict(player.favourites)),
            )
            for name, player in kept.players.items()
        }
    )
    return HouseState(**values)


def _unchanging(value: Any) -> Any:
    return MappingProxyType(value) if isinstance(value, dict) else value


def house_folds() -> Mapping[str, StreamFold]:
    """Return what folds the house's stream, for one verification."""
    return {HOUSE_STREAM: HouseFold()}


class HouseFold:
    """Folds the house's events from the first on, and compares its snapshots."""

    def __init__(self) -> None:
        self.state = HouseState()

    def note(
        self, row: EventRow, event: JournalEvent, snapshot: str | None
    ) -> Reason | None:
        """Fold one more event; return what is wrong with it, or None."""
        try:
            if isinstance(event, HouseEvent | GamingDayClosed):
                self.state = apply(self.state, event, row.at_ms)
            elif snapshot is not None:
                kept = read_house_snapshot(snapshot)
                if kept is not None and kept != self.state:
                    return VerificationProblem.SNAPSHOT_OTHERWISE()
        except Exception as error:  # noqa: BLE001 - whatever it is, a start would fail
            text = f"{type(error).__name__}: {error}"
            return VerificationProblem.EVENT_NOT_FOLDED(text=text)
        return None
