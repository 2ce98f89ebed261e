"""Events as text and back, with the schema version that old journals need.

An event is a JSON object of its fields. The settled wagers and pieces of a settlement
are named tuples, which msgspec writes as lists, without their fields' names.

Each upcaster takes the fields that one schema wrote for one kind of event, and returns
those of the next schema. Stored events are never rewritten: their hashes stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from croupier.errors import CroupierError
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import Duty
from croupier.journal.events.table import OperationEvent
from croupier.ledger.money import MoneyEvent
from croupier.rules.events import Event
from croupier.rules.reasons import all_reasons

JournalEvent = Event | MoneyEvent | OperationEvent | HouseEvent
KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *get_args(Event),
        *get_args(MoneyEvent),
        *OperationEvent.__subclasses__(),
        *HouseEvent.__subclasses__(),
    )
}
SCHEMA = 5
"""The version that is written; every older one is still read."""

_encoder = msgspec.json.Encoder()
_decoders = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


# What an upcaster may raise at fields that its schema never wrote.
_MISFITS = (LookupError, TypeError, ValueError, AttributeError)


class UnreadableEvent(CroupierError):
    """The text is no event of any version that this program knows."""


def encode(event: JournalEvent) -> str:
    """Return the event's fields as JSON; the kind is stored beside them."""
    return _encoder.encode(event).decode()


def decode(schema: int, kind: str, body: str) -> JournalEvent:
    """Return the event, brought up to date where an older schema wrote it.

    Raises `UnreadableEvent`.
    """
    if kind not in _decoders or not 1 <= schema <= SCHEMA:
        raise UnreadableEvent(f"no {kind[:40]!r} of schema {schema} is known")
    try:
        if changes := changes_since(schema, kind):
            fields = msgspec.json.decode(body, type=dict[str, Any])
            for change in changes:
                fields = change(fields)
            event = msgspec.convert(fields, KINDS[kind])
        else:
            event = _decoders[kind].decode(body)
    except (msgspec.MsgspecError, *_MISFITS) as error:
        raise UnreadableEvent(f"{kind}: {error}") from error
    assert isinstance(event, KINDS[kind])
    return event  # type: ignore[no-any-return]


_Fields = dict[str, Any]
Upcaster = Callable[[_Fields], _Fields]


@cache
def changes_since(schema: int, kind: str) -> tuple[Upcaster, ...]:
    """Return what brings an event of an older schema up to date, in order."""
    return tuple(
        change
        for (version, name), change in _UPCASTERS.items()
        if name == kind and version >= schema
    )


def _without_terms(fields: _Fields) -> _Fields:
    """Add no limits and no settings: schema 1 did not record them."""
    return {"document": "", "limits": [], "settings": [], "warned": [], **fields}


def _reason_as_data(fields: _Fields) -> _Fields:
    """Turn the English sentence that schema 2 recorded into a reason."""
    text = fields["reason"]
    known = _codes_by_sentence().get(text)
    values = {} if known else {"text": text}
    return {**fields, "reason": {"code": known or "recorded", "values": values}}


@cache
def _codes_by_sentence() -> Mapping[str, str]:
    """Return the codes of the reasons whose sentence is always the same."""
    return {each: code for code, each in all_reasons().items() if "{" not in each}


def _house_inside(fields: _Fields) -> _Fields:
    return {"by": fields.pop("by"), "house": fields}


def _table_inside(fields: _Fields) -> _Fields:
    """Put the plan inside; its limits and settings stood in the table's own stream."""
    return {"by": fields.pop("by"), "table": {"name": fields.pop("table"), **fields}}


def _member_inside(fields: _Fields) -> _Fields:
    """Put the plan inside, its duties in the order of `Duty`, as files have them."""
    duties = [each.value for each in Duty if each.value in fields["duties"]]
    return {"by": fields.pop("by"), "member": {**fields, "duties": duties}}


def _at_risk_recorded(fields: _Fields) -> _Fields:
    """Add what of each settled piece was at risk, which schema 2 did not record."""
    wagers = [
        [*who, [[*sums, _at_risk(*sums[:4]), clause] for *sums, clause in pieces]]
        for *who, pieces in fields["wagers"]
    ]
    return {**fields, "wagers": wagers}


_EVEN_CHANCES = ("low", "high", "even", "odd", "red", "black")
_PAID: Mapping[str, tuple[int, ...]] = {
    "straight_up": (35, 40, 80),
    "split": (17,),
    "street": (11,),
    "corner": (8,),
    "six_line": (5,),
    "top_line": (5,),
    "green": (11,),
    "column": (2,),
    "dozen": (2,),
    "bonus_win": (2,),
    "super_bonus_win": (350,),
    "scatter_bonus": (700,),
    **dict.fromkeys(_EVEN_CHANCES, (1,)),
}
"""The pays, to one, of the games of schema 2, by the type of wager."""


def _at_risk(area: str, stake: int, paid: int, collected: int) -> int:
    """Work out what was at risk: less than a winning stake only if that explains it."""
    if not paid:
        return collected
    pays = _PAID.get(area.partition(":")[0], ())
    cut = [paid // each for each in pays if paid % each == 0 and paid // each < stake]
    return stake if not cut or paid in {stake * each for each in pays} else cut[0]


_ADJUST = re.compile(r'adjust (?:"([^"]+)"|(\S+)) (-?[0-9.]+) (.+)')


def _proposal_as_data(fields: _Fields) -> _Fields:
    """Turn the words and sums of a two-person act, as schema 3 had them, to data."""
    effect = [line.rsplit(" ", 1) for line in fields["effect"]]
    return {
        **fields,
        "act": _two_person_act(fields["act"]),
        "effect": [[account, _cents(sum_)] for account, sum_ in effect],
    }


def _two_person_act(text: str) -> _Fields:
    if adjusted := _ADJUST.fullmatch(text):
        quoted, plain, sum_, reason = adjusted.groups()
        seat, cents = quoted or plain, _cents(sum_)
        return {"kind": "adjust", "seat": seat, "cents": cents, "reason": reason}
    match text.split():
        case "correct", "round", number, "to", outcome:
            return {"kind": "correct", "round_number": int(number), "number": outcome}
        case "void", "rounds", *numbers, word:
            rounds = [int(each) for each in numbers]
            reason = None if word == "limit_breach" else word
            return {"kind": "void", "round_numbers": rounds, "reason": reason}
    raise ValueError(f"{text[:40]!r} is no act of two people")


def _cents(text: str) -> int:
    """Read a sum with at most two decimals, as `+3.5` or `-360.00`."""
    units, _, decimals = text.lstrip("+-").partition(".")
    cents = int(units) * 100 + int(decimals.ljust(2, "0"))
    return -cents if text.startswith("-") else cents


def _acts_as_data(fields: _Fields) -> _Fields:
    """Turn the words of refused acts, as schema 4 had them, to data."""
    acts = [_refused_act(each) for each in fields.pop("act").split(", ")]
    return {**fields, "acts": acts}


def _refused_act(text: str) -> _Fields:
    """Read `PlaceWager red 500`; of other acts, and before that, the type alone."""
    kind, _, rest = text.partition(" ")
    wager, _, last = rest.rpartition(" ")
    if not last.isdecimal() or not wager:  # a wager on a number is all digits too
        return {"kind": kind, "wager": rest or None}
    return {"kind": kind, "wager": wager, "cents": int(last)}


def _asked_as_data(fields: _Fields) -> _Fields:
    """Turn the words for what was asked without authority to an id, and say how."""
    act = fields["act"]
    if act == "use a session elsewhere":
        return {**fields, "asked_by": "session", "act": ""}
    asked_by = "message" if act[:1].isupper() else "operation"
    return {**fields, "asked_by": asked_by, "act": act.replace(" ", "_")}


# Oldest first: an event of schema 1 goes through the changes of 1, then of 2.
_UPCASTERS: Mapping[tuple[int, str], Upcaster] = {
    (1, "RoundBegun"): _without_terms,
    (2, "RoundVoided"): _reason_as_data,
    (2, "RoundHeld"): _reason_as_data,
    (2, "ActRefused"): _reason_as_data,
    (2, "LoggedOff"): _reason_as_data,
    (2, "ProposalEnded"): _reason_as_data,
    (2, "AuthorityRefused"): _reason_as_data,
    (2, "ServerStopped"): _reason_as_data,
    (2, "RoundSettled"): _at_risk_recorded,
    (2, "HouseDefined"): _house_inside,
    (2, "TableDefined"): _table_inside,
    (2, "StaffDefined"): _member_inside,
    (3, "Proposed"): _proposal_as_data,
    (4, "ActRefused"): _acts_as_data,
    (4, "AuthorityRefused"): _asked_as_data,
}
