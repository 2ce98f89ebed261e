"""The chips on an area, wager by wager and as one heap, and their amounts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

FACE_LENGTH = 5
"""The longest text that fits the round face of a chip."""
_SHORT = ((100_000_000, "m"), (100_000, "k"))


def amount(cents: int) -> str:
    """Write `2.50` or `1,000`: decimals only if there are cents."""
    whole, rest = divmod(cents, 100)
    return f"{whole:,}.{rest:02d}" if rest else f"{whole:,}"


def on_face(cents: int) -> str:
    """Write the amount, as `12.5k` if that is shorter and exact."""
    text = amount(cents)
    if len(text) <= FACE_LENGTH:
        return text
    for unit, letter in _SHORT:
        whole, rest = divmod(cents, unit)
        thousandths, lost = divmod(rest * 1000, unit)
        short = f"{whole}.{thousandths:03d}".rstrip("0").rstrip(".") + letter
        if whole and not lost and len(short) <= FACE_LENGTH:
            return short
    return text


@dataclass(frozen=True, slots=True)
class DrawnChips:
    """One wager's chips on a betting area."""

    area: str
    """Its notation: `split:17/20`."""
    cents: int
    won: bool | None = None
    """None before the settlement."""
    paid_cents: int = 0
    colour: str | None = None
    """The colour of colour chips; None for cash chips."""
    owner: str | None = None
    """The Player's name, shown beside colour chips."""

    def __post_init__(self) -> None:
        assert self.cents >= 0, self.cents
        assert self.paid_cents >= 0, self.paid_cents


@dataclass(frozen=True, slots=True)
class Heap:
    """All chips on one area, drawn as one."""

    area: str
    chips: tuple[DrawnChips, ...]

    @property
    def cents(self) -> int:
        return sum(each.cents for each in self.chips)

    @property
    def paid_cents(self) -> int:
        return sum(each.paid_cents for each in self.chips)

    @property
    def won(self) -> bool | None:
        """True if any chips won, False if all lost, None before the settlement."""
        states = {each.won for each in self.chips}
        return True if True in states else False if states == {False} else None

    @property
    def colour(self) -> str | None:
        """The colour of its chips, or None if they differ."""
        colours = {each.colour for each in self.chips}
        return colours.pop() if len(colours) == 1 else None

    @property
    def owner(self) -> str | None:
        """The owner of its colour chips: a name, or text such as `2 Players`."""
        owners = {each.owner for each in self.chips if each.colour and each.owner}
        return f"{len(owners)} Players" if len(owners) > 1 else next(iter(owners), None)


def heaps(chips: Iterable[DrawnChips]) -> tuple[Heap, ...]:
    """Return a heap for each area, in the order of first appearance."""
    by_area: dict[str, list[DrawnChips]] = {}
    for each in chips:
        by_area.setdefault(each.area, []).append(each)
    return tuple(Heap(area, tuple(found)) for area, found in by_area.items())


def paid_text(heap: Heap) -> str:
    """Return `+425` for a paid heap, else an empty text."""
    return f"+{amount(heap.paid_cents)}" if heap.won and heap.paid_cents else ""
