"""A layout as data: every area with its place, and the data to draw the table.

`u` runs along the table, `v` across it: the row 1 2 3 lies at u 0 to 1, the zeros at u
below 0, and the outside line is v 0. A Player sees u from left to right, v upwards.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.drawing.racetrack import (
    has_racetrack,
    lay_out_track,
    racetrack_bands,
    sections_of,
)
from croupier.house.views import parts
from croupier.rules.clause import Rule
from croupier.rules.game import (
    Complete,
    Finales,
    FixedPieces,
    Game,
    MultiplePiece,
    Neighbours,
    Pays,
)
from croupier.rules.layout import BettingArea, Rect, WagerType
from croupier.rules.wheel import Colour, colour_of, in_layout_order

MultipleKind = Literal["fixed", "neighbours", "finales", "complete"]


class AreaShown(msgspec.Struct, frozen=True):
    area: str
    """Its notation."""
    type: str
    title: str
    numbers: tuple[str, ...]
    pays: int | dict[str, int]
    """To one; by the outcome's status if the pay depends on it."""
    clause: str
    """The clause with its pay."""
    at: tuple[float, float]
    """The place of a chip on it."""
    rect: Rect | None
    """Its cell or box; null for an area on a line or corner."""


class NumberShown(msgspec.Struct, frozen=True):
    number: str
    colour: Colour
    rect: Rect
    sections: tuple[str, ...]
    """The larger areas that cover it, such as `odd` or `dozen:2`."""


class MultipleShown(msgspec.Struct, frozen=True):
    """A multiple-piece wager: its word, and the values that may follow it."""

    word: str
    kind: MultipleKind
    clause: str
    says: str
    pieces: tuple[str, ...]
    """The areas of a fixed one; a doubled area is listed twice."""
    radii: tuple[int, ...]
    usual_radius: int | None
    at_maximum: bool


class SectionShown(msgspec.Struct, frozen=True):
    """A part of the racetrack's inside; cuts run from 0 at its left to 1."""

    word: str | None
    title: str
    pieces: int
    left: tuple[float, float]
    """Its beginning, on the upper and on the lower straight."""
    right: tuple[float, float]


class RacetrackShown(msgspec.Struct, frozen=True):
    """The ring as an oval, clockwise from the upper right."""

    right: tuple[str, ...]
    bottom: tuple[str, ...]
    """From right to left."""
    left: tuple[str, ...]
    top: tuple[str, ...]
    sections: tuple[SectionShown, ...]


class LayoutShown(msgspec.Struct, frozen=True):
    game: str
    areas: tuple[AreaShown, ...]
    numbers: tuple[NumberShown, ...]
    cell_size: tuple[float, float]
    """Pixels of one unit of u and of v, in our own pictures."""
    links: tuple[tuple[str, ...], ...]
    ring: tuple[str, ...]
    ring_is_illustrative: bool
    """The document does not state the ring; it is for pictures only."""
    racetrack: RacetrackShown | None
    multiples: tuple[MultipleShown, ...]
    draws_bonus_numbers: bool


def layout_shown(game: Game) -> LayoutShown:
    layout = game.layout
    known = [number for number in game.numbers if number in layout.cells]
    return LayoutShown(
        game=game.name,
        areas=tuple(_area(game, area) for area in game.areas),
        numbers=tuple(
            NumberShown(n, colour_of(n), layout.cells[n], parts.sections_of(game, n))
            for n in known
        ),
        cell_size=layout.cell_size,
        links=layout.links,
        ring=game.ring,
        ring_is_illustrative=game.illustrative_ring,
        racetrack=_racetrack(game) if has_racetrack(game, game.ring) else None,
        multiples=tuple(
            _multiple(word, row.number, row.says, piece)
            for word, (row, piece) in game.multiples.items()
        ),
        draws_bonus_numbers=game.provides(Rule.BONUS_DRAW),
    )


def _area(game: Game, area: BettingArea) -> AreaShown:
    return AreaShown(
        area=area.name,
        type=area.wager_type.value,
        title=area.wager_type.title,
        numbers=in_layout_order(area.numbers),
        pays=pays_shown(game.pay_table[area.wager_type]),
        clause=game.pay_clauses[area.name],
        at=area.at,
        rect=_home(game, area),
    )


def pays_shown(pays: Pays) -> int | dict[str, int]:
    if isinstance(pays, int):
        return pays
    return {status.value: to_one for status, to_one in pays.items()}


def _home(game: Game, area: BettingArea) -> Rect | None:
    box = game.layout.boxes.get(area.name)
    if box is not None:
        return box
    if area.wager_type is not WagerType.STRAIGHT_UP:
        return None
    [number] = area.numbers
    return game.layout.cells[number]


def _multiple(word: str, clause: str, says: str, piece: MultiplePiece) -> MultipleShown:
    return MultipleShown(
        word=word,
        kind=_KINDS[type(piece)],
        clause=clause,
        says=says,
        pieces=piece.areas if isinstance(piece, FixedPieces) else (),
        radii=piece.radii if isinstance(piece, Neighbours) else (),
        usual_radius=piece.usual_radius if isinstance(piece, Neighbours) else None,
        at_maximum=isinstance(piece, Complete) and piece.at_maximum,
    )


_KINDS: dict[type[MultiplePiece], MultipleKind] = {
    FixedPieces: "fixed",
    Neighbours: "neighbours",
    Finales: "finales",
    Complete: "complete",
}


def _racetrack(game: Game) -> RacetrackShown:
    sections = sections_of(game)
    words = dict(zip(sections, _fixed_words(game), strict=True))
    track = lay_out_track(game.ring, sections)
    return RacetrackShown(
        right=track.right,
        bottom=track.bottom,
        left=track.left,
        top=track.top,
        sections=tuple(
            SectionShown(
                word=words.get(band.section) if band.section else None,
                title=band.section.title if band.section else "",
                pieces=band.section.pieces if band.section else 0,
                left=band.left,
                right=band.right,
            )
            for band in racetrack_bands(track, sections)
        ),
    )


def _fixed_words(game: Game) -> list[str]:
    multiples = game.multiples.items()
    return [word for word, (_, each) in multiples if isinstance(each, FixedPieces)]
