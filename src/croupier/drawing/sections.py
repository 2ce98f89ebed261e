"""The racetrack's numbers and sections, worked out from the ring and the wagers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from croupier.rules.game import FixedPieces, Game
from croupier.rules.wheel import Colour, Number, colour_of

_PRINTED = {"zero_spiel": "0-Spiel"}
"""Words that the documents print in another way than we write them."""


@dataclass(frozen=True, slots=True)
class Section:
    """A multiple-piece wager that has its place on the racetrack."""

    title: str
    pieces: int
    numbers: frozenset[Number]


def sections_of(game: Game) -> tuple[Section, ...]:
    areas = game.area_by_name
    return tuple(
        Section(
            _PRINTED.get(word, word.replace("_", " ")),
            len(piece.areas),
            frozenset(n for a in piece.areas if a in areas for n in areas[a].numbers),
        )
        for word, (_, piece) in game.multiples.items()
        if isinstance(piece, FixedPieces)
    )


@dataclass(frozen=True, slots=True)
class Track:
    """The ring laid into an oval, clockwise from the upper right."""

    right: tuple[Number, ...]
    bottom: tuple[Number, ...]
    """From right to left."""
    left: tuple[Number, ...]
    top: tuple[Number, ...]

    @property
    def along_top(self) -> tuple[Number, ...]:
        """From the middle of the left end over the top to that of the right."""
        return (*self.left[1:], *self.top, *self.right[:2])

    @property
    def along_bottom(self) -> tuple[Number, ...]:
        return (*self.left[1::-1], *self.bottom[::-1], *self.right[:0:-1])


def lay_out(ring: Sequence[Number], sections: Sequence[Section]) -> Track:
    """The zeros at the right end; at the left the middle of the far section."""
    zeros = 0
    while zeros < len(ring) and colour_of(ring[zeros]) is Colour.GREEN:
        zeros += 1
    start = max(zeros - 1, 0) // 2 - 1
    turned = [*ring[start:], *ring[:start]] if start else list(ring)
    far = _middle_of_far_section(turned, sections)
    return Track(
        right=tuple(turned[:3]),
        bottom=tuple(turned[3 : far - 1]),
        left=tuple(turned[far - 1 : far + 2]),
        top=tuple(turned[far + 2 :]),
    )


def _middle_of_far_section(turned: list[Number], sections: Sequence[Section]) -> int:
    """The middle of the unbroken section opposite the zeros, or what is opposite."""
    opposite = 1 + len(turned) // 2
    for section in sections:
        places = [k for k, number in enumerate(turned) if number in section.numbers]
        unbroken = places and places[-1] - places[0] == len(places) - 1
        if unbroken and opposite in places and places[0] > 3:
            return min(places[len(places) // 2], len(turned) - 3)
    return opposite


@dataclass(frozen=True, slots=True)
class Band:
    """A part of the track's inside; cuts run from 0 at its left to 1 at its right."""

    section: Section | None
    left: tuple[float, float]
    """Where it begins, on the upper and on the lower straight."""
    right: tuple[float, float]

    @property
    def is_first(self) -> bool:
        return self.left == (0.0, 0.0)

    @property
    def is_last(self) -> bool:
        return self.right == (1.0, 1.0)


def bands(track: Track, sections: Sequence[Section]) -> tuple[Band, ...]:
    """The sections side by side, cut where their numbers begin and end."""
    upper = _runs(track.along_top, len(track.top), sections)
    lower = _runs(track.along_bottom, len(track.bottom), sections)
    order = [section for section, _ in upper]
    fits = order == [section for section, _ in lower] and len(set(order)) == len(order)
    if not fits or not set(sections) <= set(order):
        return _even(sections)
    cuts = [(one, other) for (_, one), (_, other) in zip(upper, lower, strict=True)]
    edges = [(0.0, 0.0), *cuts[:-1], (1.0, 1.0)]
    return tuple(
        Band(section, left, right)
        for section, (left, right) in zip(order, pairwise(edges), strict=True)
    )


def _runs(
    walk: Sequence[Number], straight: int, sections: Sequence[Section]
) -> list[tuple[Section | None, float]]:
    """The sections met on the walk, each with the point on the straight it ends at."""
    runs: list[tuple[Section | None, float]] = []
    for place, number in enumerate(walk):
        section = _smallest(number, sections)
        # The first two numbers of a walk lie on the end, before the straight.
        until = min(max((place - 1) / max(straight, 1), 0.0), 1.0)
        if runs and runs[-1][0] == section:
            runs.pop()
        runs.append((section, until))
    return runs


def _smallest(number: Number, sections: Sequence[Section]) -> Section | None:
    """The smallest section that covers the number: one may lie inside another."""
    covering = [section for section in sections if number in section.numbers]
    return min(covering, key=lambda section: len(section.numbers), default=None)


def _even(sections: Sequence[Section]) -> tuple[Band, ...]:
    """Equal parts, for a ring on which the sections are scattered."""
    count = max(len(sections), 1)
    return tuple(
        Band(section, (k / count, k / count), ((k + 1) / count, (k + 1) / count))
        for k, section in enumerate(sections or (None,))
    )
