"""The racetrack: the ring as an oval, and the sections inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from croupier.drawing.cells import draw_numbered_plate
from croupier.drawing.geometry import Box
from croupier.drawing.picture import Picture
from croupier.drawing.svg import Label, figure, tag
from croupier.drawing.theme import Palette
from croupier.rules.clause import Rule
from croupier.rules.game import FixedPieces, Game
from croupier.rules.layout import Point
from croupier.rules.wheel import Colour, Number, colour_of
from croupier.tabular.figures import counted

_PRINTED = {"zero_spiel": "0-Spiel"}
"""Words with another spelling in the documents."""


@dataclass(frozen=True, slots=True)
class _RacetrackSection:
    """A multiple-piece wager with a place on the racetrack."""

    title: str
    pieces: int
    numbers: frozenset[Number]


def sections_of(game: Game) -> tuple[_RacetrackSection, ...]:
    areas = game.area_by_name
    return tuple(
        _RacetrackSection(
            _PRINTED.get(word, word.replace("_", " ")),
            len(piece.areas),
            frozenset(n for a in piece.areas if a in areas for n in areas[a].numbers),
        )
        for word, (_, piece) in game.multiples.items()
        if isinstance(piece, FixedPieces)
    )


@dataclass(frozen=True, slots=True)
class _Track:
    """The ring laid into an oval, clockwise from the upper right."""

    right: tuple[Number, ...]
    bottom: tuple[Number, ...]
    """From right to left."""
    left: tuple[Number, ...]
    top: tuple[Number, ...]

    @property
    def along_top(self) -> tuple[Number, ...]:
        """The cells from the middle of the left end, over the top, to the right end."""
        return (*self.left[1:], *self.top, *self.right[:2])

    @property
    def along_bottom(self) -> tuple[Number, ...]:
        return (*self.left[1::-1], *self.bottom[::-1], *self.right[:0:-1])


def lay_out_track(
    ring: Sequence[Number], sections: Sequence[_RacetrackSection]
) -> _Track:
    """Put the zeros at the right end, and the middle of the far section at the left."""
    zeros = 0
    while zeros < len(ring) and colour_of(ring[zeros]) is Colour.GREEN:
        zeros += 1
    start = max(zeros - 1, 0) // 2 - 1
    turned = [*ring[start:], *ring[:start]] if start else list(ring)
    far = _middle_of_far_section(turned, sections)
    return _Track(
        right=tuple(turned[:3]),
        bottom=tuple(turned[3 : far - 1]),
        left=tuple(turned[far - 1 : far + 2]),
        top=tuple(turned[far + 2 :]),
    )


def _middle_of_far_section(
    turned: list[Number], sections: Sequence[_RacetrackSection]
) -> int:
    """Return the middle of the unbroken section opposite the zeros, if there is one."""
    opposite = 1 + len(turned) // 2
    for section in sections:
        places = [k for k, number in enumerate(turned) if number in section.numbers]
        unbroken = places and places[-1] - places[0] == len(places) - 1
        if unbroken and opposite in places and places[0] > 3:
            return min(places[len(places) // 2], len(turned) - 3)
    return opposite


@dataclass(frozen=True, slots=True)
class _RacetrackBand:
    """A part of the track's inside; ends count from 0 at its left to 1 at its right."""

    section: _RacetrackSection | None
    left: tuple[float, float]
    """Its left end on the upper straight, and on the lower one."""
    right: tuple[float, float]

    @property
    def is_first(self) -> bool:
        return self.left == (0.0, 0.0)

    @property
    def is_last(self) -> bool:
        return self.right == (1.0, 1.0)


def racetrack_bands(
    track: _Track, sections: Sequence[_RacetrackSection]
) -> tuple[_RacetrackBand, ...]:
    """Return the sections side by side, cut at their first and last numbers."""
    upper = _runs(track.along_top, len(track.top), sections)
    lower = _runs(track.along_bottom, len(track.bottom), sections)
    order = [section for section, _ in upper]
    fits = order == [section for section, _ in lower] and len(set(order)) == len(order)
    if not fits or not set(sections) <= set(order):
        return _even(sections)
    cuts = [(one, other) for (_, one), (_, other) in zip(upper, lower, strict=True)]
    edges = [(0.0, 0.0), *cuts[:-1], (1.0, 1.0)]
    return tuple(
        _RacetrackBand(section, left, right)
        for section, (left, right) in zip(order, pairwise(edges), strict=True)
    )


def _runs(
    walk: Sequence[Number], straight: int, sections: Sequence[_RacetrackSection]
) -> list[tuple[_RacetrackSection | None, float]]:
    """Return the sections along the walk, each with its end on the straight."""
    runs: list[tuple[_RacetrackSection | None, float]] = []
    for place, number in enumerate(walk):
        section = _smallest(number, sections)
        # The first two numbers of a walk lie on the half circle.
        until = min(max((place - 1) / max(straight, 1), 0.0), 1.0)
        if runs and runs[-1][0] == section:
            runs.pop()
        runs.append((section, until))
    return runs


def _smallest(
    number: Number, sections: Sequence[_RacetrackSection]
) -> _RacetrackSection | None:
    """Return the smallest section with the number; sections may contain others."""
    covering = [section for section in sections if number in section.numbers]
    return min(covering, key=lambda section: len(section.numbers), default=None)


def _even(sections: Sequence[_RacetrackSection]) -> tuple[_RacetrackBand, ...]:
    """Return bands of equal width, for scattered sections."""
    count = max(len(sections), 1)
    return tuple(
        _RacetrackBand(
            section, (k / count, k / count), ((k + 1) / count, (k + 1) / count)
        )
        for k, section in enumerate(sections or (None,))
    )


HEIGHT = 164.0
_DEPTH = 46.0
_RADIUS = HEIGHT / 2
_INNER = _RADIUS - _DEPTH
_SMALLEST_RING = 12


def has_racetrack(game: Game, ring: tuple[Number, ...]) -> bool:
    """Return whether the game has a racetrack and the ring's order is known (W2)."""
    known = not game.illustrative_ring and len(ring) >= _SMALLEST_RING
    return known and game.provides(Rule.RACETRACK)


@dataclass(frozen=True, slots=True)
class _Oval:
    """Two straights and two half circles."""

    box: Box

    @property
    def left(self) -> float:
        return self.box.x + _RADIUS

    @property
    def right(self) -> float:
        return self.box.right - _RADIUS

    @property
    def length(self) -> float:
        return self.right - self.left

    @property
    def middle(self) -> float:
        return self.box.centre[1]

    def at(self, part: float) -> float:
        return self.left + part * self.length

    def turn(self, x: float, radius: float, angle: float) -> str:
        point = x + radius * cos(angle), self.middle + radius * sin(angle)
        return f"{figure(point[0])} {figure(point[1])}"


def draw_racetrack(picture: Picture, ring: tuple[Number, ...], box: Box) -> str:
    sections = sections_of(picture.game)
    track, oval = lay_out_track(ring, sections), _Oval(box)
    inside = [
        _draw_band(picture.palette, oval, band)
        for band in racetrack_bands(track, sections)
    ]
    cells = [
        *_end(oval, oval.right, track.right, -pi / 2),
        *_straight(oval, track.bottom[::-1], box.bottom - _DEPTH),
        *_end(oval, oval.left, track.left, pi / 2),
        *_straight(oval, track.top, box.y),
    ]
    by_number = {cell.number: _draw_cell(picture, cell) for cell in cells}
    in_order = [by_number[number] for number in ring]
    return tag("g", *inside, *in_order, class_="racetrack")


@dataclass(frozen=True, slots=True)
class _Cell:
    number: Number
    path: str
    plate: Box


def _straight(oval: _Oval, row: tuple[Number, ...], y: float) -> Iterator[_Cell]:
    """Yield cells side by side, from left to right."""
    width = oval.length / max(len(row), 1)
    for place, number in enumerate(row):
        box = Box(oval.left + place * width, y, width, _DEPTH)
        x1, y1, x2, y2 = map(figure, (box.x, box.y, box.right, box.bottom))
        plate = box.inset(max(3.5, (width - _DEPTH - 2) / 2), 4.5)
        yield _Cell(number, f"M{x1} {y1}H{x2}V{y2}H{x1}Z", plate)


def _end(
    oval: _Oval, x: float, row: tuple[Number, ...], start: float
) -> Iterator[_Cell]:
    """Yield cells around a half circle, clockwise."""
    step = pi / max(len(row), 1)
    for place, number in enumerate(row):
        a, b = start + place * step, start + (place + 1) * step
        path = (
            f"M{oval.turn(x, _RADIUS, a)}"
            f"A{figure(_RADIUS)} {figure(_RADIUS)} 0 0 1 {oval.turn(x, _RADIUS, b)}"
            f"L{oval.turn(x, _INNER, b)}"
            f"A{figure(_INNER)} {figure(_INNER)} 0 0 0 {oval.turn(x, _INNER, a)}Z"
        )
        reach, angle = _RADIUS - _DEPTH / 2, (a + b) / 2
        cx, cy = x + reach * cos(angle), oval.middle + reach * sin(angle)
        yield _Cell(number, path, Box(cx - 17, cy - 16, 34, 32))


def _draw_cell(picture: Picture, cell: _Cell) -> str:
    palette, number = picture.palette, cell.number
    wins = number == picture.winning_number
    outline = tag(
        "path",
        d=cell.path,
        fill=palette.lamp if wins else "none",
        stroke=palette.felt_line,
        stroke_width=1.25,
    )
    return tag(
        "g",
        outline,
        draw_numbered_plate(palette, number, cell.plate, 17, 13),
        class_="track",
        data_number=number,
    )


def _draw_band(palette: Palette, oval: _Oval, band: _RacetrackBand) -> str:
    outline = tag(
        "path",
        d=_outline(oval, band),
        fill="none",
        stroke=palette.felt_line,
        stroke_width=1.25,
    )
    if band.section is None:
        return outline
    title, pieces = _band_labels(oval, band, band.section.title, band.section.pieces)
    return tag(
        "g",
        outline,
        title.draw(palette.felt_ink),
        pieces.draw(palette.felt_ink, opacity=0.86),
        class_="section",
    )


def _outline(oval: _Oval, band: _RacetrackBand) -> str:
    upper, lower = figure(oval.box.y + _DEPTH), figure(oval.box.bottom - _DEPTH)
    (top1, low1), (top2, low2) = (
        [figure(oval.at(part)) for part in edge] for edge in (band.left, band.right)
    )
    bend = f"A{figure(_INNER)} {figure(_INNER)} 0 0 1 "
    at_right = f"{bend}{top2} {lower}" if band.is_last else ""
    at_left = f"{bend}{low1} {upper}" if band.is_first else ""
    return f"M{top1} {upper}H{top2}{at_right}L{low2} {lower}H{low1}{at_left}Z"


def _band_labels(
    oval: _Oval, band: _RacetrackBand, title: str, pieces: int
) -> tuple[Label, Label]:
    x, width = _room(oval, band)
    text = title.upper()
    label = Label(text, x, oval.middle - 7, 17, spacing=1)
    size = min(17.0, max(12.0, 17 * (width - 16) / label.box.width))
    spacing = 1 if size > 15 else 0.4
    count = counted(pieces, "piece")
    return (
        Label(text, x, oval.middle - 7, size, spacing=spacing),
        Label(count, x, oval.middle + 13, 12.5, weight=400),
    )


def _room(oval: _Oval, band: _RacetrackBand) -> Point:
    """Return the middle of the band and the width for a line of text there."""
    left = sum(map(oval.at, band.left)) / 2
    right = sum(map(oval.at, band.right)) / 2
    if band.is_first:
        left -= 0.6 * _INNER
    if band.is_last:
        right += 0.7 * _INNER
    return (left + right) / 2, right - left
