"""`lay` and `place`: a wager, its stake and what may be said of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from croupier.rules import commands as do
from croupier.rules.notation import MultipleText, shown
from croupier.transcript.lines import Words
from croupier.transcript.words import ReadAct, Reader

_FORM = "lay straight_up:17 10 as w1"
_CHIPS = re.compile(r"[1-9][0-9]{0,5}")
COLOUR = re.compile(r"[^\W\d_][\w-]{0,19}")


@dataclass(slots=True)
class _Said:
    """What the line says besides the wager."""

    stake: int | None = None
    colour: int | None = None
    wager_id: str = ""
    terminal: str | None = None
    registered: bool = True
    marker: bool = True
    chips_cents: int | None = None
    seen: set[str] = field(default_factory=set)


def read_placing(reader: Reader, rest: Words, name: str) -> ReadAct:
    """`WAGER STAKE [COLOUR] as ID`, then options in any order."""
    if not rest:
        raise rest.error(f"write: {_FORM}")
    wager = reader.wager(rest, 0)
    said = _read_said(reader, rest)
    if not said.wager_id:
        raise rest.error(f"the wager needs an id: {_FORM}", len(rest))
    at_maximum = isinstance(wager, MultipleText) and wager.word == "complete_maximum"
    if at_maximum and said.stake is not None:
        raise rest.error("a complete maximum wager has no stake", said.stake)
    if not at_maximum and said.stake is None:
        raise rest.error(f"the stake is missing: {_FORM}", 1)
    chips, cents = _stake(reader, rest, said)
    command = do.PlaceWager(
        wager_id=said.wager_id,
        player=reader.player,
        wager=wager,
        stake_cents=cents,
        electronic=name == "place",
        registered=said.registered,
        terminal=said.terminal,
        colour=None if said.colour is None else rest.texts()[said.colour],
        colour_chips=chips,
        marker=said.marker,
        chips_cents=said.chips_cents,
    )
    return ReadAct(name, command, said.wager_id)


def _stake(reader: Reader, rest: Words, said: _Said) -> tuple[int, int | None]:
    """Colour chips, or cents."""
    if said.stake is None:
        return 0, None
    if said.colour is None:
        return 0, reader.cents(rest, said.stake)
    if not _CHIPS.fullmatch(rest.texts()[said.stake]):
        raise rest.error("colour chips are counted: a whole number", said.stake)
    return int(rest.texts()[said.stake]), None


def _read_said(reader: Reader, rest: Words) -> _Said:
    said = _Said()
    place = 1
    while place < len(rest):
        place += _read_one(reader, rest, place, said)
    return said


def _read_one(reader: Reader, rest: Words, place: int, said: _Said) -> int:
    """Read what stands at `place`; how many words it took."""
    texts = rest.texts()[place:]
    if texts[0] in said.seen:
        raise rest.error(f"{texts[0]!r} is said twice", place)
    match texts:
        case ("as", *_):
            said.wager_id = reader.wager_id(rest, place + 1)
        case ("at", terminal, *_):
            said.terminal = terminal
        case ("chips", *_):
            said.chips_cents = reader.cents(rest, place + 1)
        case ("without", "marker", *_):
            said.marker = False
        case ("unregistered", *_):
            said.registered = False
            said.seen.add("unregistered")
            return 1
        case _:
            return _read_stake_or_colour(rest, place, said)
    said.seen.add(texts[0])
    return 2


def _read_stake_or_colour(rest: Words, place: int, said: _Said) -> int:
    if said.stake is None and place == 1:
        said.stake = place
        return 1
    is_colour = COLOUR.fullmatch(rest.texts()[place]) and said.colour is None
    if said.stake is None or place != said.stake + 1 or not is_colour:
        raise rest.error(
            f"{shown(rest.texts()[place])} does not belong here: {_FORM}", place
        )
    said.colour = place
    return 1
