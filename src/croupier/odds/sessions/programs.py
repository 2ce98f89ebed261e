"""One round of play on an array of probabilities, in two ways that do the same.

A chain of long rows slides: each move is a product of two slices. A chain of many
states scatters: the positions that have any probability to speak of are looked up one
by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from croupier.odds.sessions.layout import ArrayLayout, Line

if TYPE_CHECKING:
    import numpy as np

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

FAINT = 1e-26
"""Where many positions scatter, one of less probability is dropped."""
_LONG = 256
"""Moves that are on average so long slide."""
_FEW = 8_000
"""Among so few positions there is no looking for the faint ones."""


class Program(Protocol):
    """A round: what is now becomes what is then."""

    def play(self, now: Floats) -> Floats:
        """The probabilities after the round; `now` may be used again by it."""

    @property
    def drops(self) -> float:
        """The probability that a round may drop, at most."""


def program_of(layout: ArrayLayout, residue: int) -> Program:
    """The round that begins at this residue, in the quicker way."""
    lines = list(layout.lines(residue))
    steps = sum(line.count for line in lines)
    if steps > _LONG * len(lines):
        return _sliding(layout, lines)
    return _scattered(layout, lines)


def chances_of(layout: ArrayLayout) -> list[float]:
    chain = layout.chain
    return [numerator / chain.denominator for numerator in chain.numerators]


@dataclass(frozen=True, slots=True)
class _Slide:
    source: slice
    target: slice
    chance: float


@dataclass(slots=True)
class Sliding:
    """Long moves, each as slices."""

    slides: tuple[_Slide, ...]
    product: Floats
    spare: Floats
    drops: float = 0.0

    def play(self, now: Floats) -> Floats:
        import numpy as np

        then, self.spare = self.spare, now
        then.fill(0.0)
        for slide in self.slides:
            source = now[slide.source]
            product = self.product[: source.size]
            np.multiply(source, slide.chance, out=product)
            then[slide.target] += product
        return then


def _sliding(layout: ArrayLayout, lines: list[Line]) -> Sliding:
    import numpy as np

    chances = chances_of(layout)
    slides = tuple(
        _Slide(
            slice(line.source, line.source + line.count),
            slice(
                line.target, line.target + (line.count - 1) * line.step + 1, line.step
            ),
            chances[line.outcome],
        )
        for line in lines
    )
    longest = max(line.count for line in lines)
    return Sliding(slides, np.empty(longest), np.zeros(layout.size))


@dataclass(frozen=True, slots=True)
class Scattered:
    """For each position and outcome, where it leads."""

    targets: Indices
    """By outcome and live position; one beyond the end where nothing can lead."""
    chances: Floats
    size: int

    @property
    def drops(self) -> float:
        return 0.0 if self._is_small else FAINT * self.targets.shape[1]

    @property
    def _is_small(self) -> bool:
        return bool(self.targets.shape[1] <= _FEW)

    def play(self, now: Floats) -> Floats:
        import numpy as np

        live, targets = now[: self.targets.shape[1]], self.targets
        if not self._is_small:
            seen = np.flatnonzero(live > FAINT)
            live, targets = live[seen], targets[:, seen]
        weights = (self.chances[:, None] * live).ravel()
        then = np.bincount(targets.ravel(), weights, self.size + 1)
        return then[: self.size].astype(np.float64, copy=False)


def _scattered(layout: ArrayLayout, lines: list[Line]) -> Scattered:
    import numpy as np

    targets = np.full(
        (len(layout.chain.numerators), layout.live_size), layout.size, dtype=np.intp
    )
    chances = np.array(chances_of(layout))
    if not lines:
        return Scattered(targets, chances, layout.size)
    outcomes, sources, firsts, steps, counts = np.array(
        [
            (line.outcome, line.source, line.target, line.step, line.count)
            for line in lines
        ]
    ).T
    ends = np.cumsum(counts)
    along = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
    at = np.repeat(outcomes, counts), np.repeat(sources, counts) + along
    targets[at] = np.repeat(firsts, counts) + along * np.repeat(steps, counts)
    return Scattered(targets, chances, layout.size)
