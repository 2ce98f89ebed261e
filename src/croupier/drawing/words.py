"""The picture in words, for those who hear it."""

from __future__ import annotations

from croupier.drawing.chips import Chips, Heap
from croupier.drawing.money import in_full
from croupier.drawing.picture import Picture, status_words
from croupier.rules.game import Game
from croupier.rules.layout import BettingArea
from croupier.rules.wheel import Number, colour_of, in_layout_order


def number_words(number: Number) -> str:
    """`17 black`: an outcome always gets the word."""
    return f"{number} {colour_of(number).value}"


def area_words(area: BettingArea) -> str:
    """`Split 17/20`, `Dozen 2`, `Red`."""
    _, _, which = area.name.partition(":")
    return f"{area.wager_type.title} {which}".rstrip()


def heap_words(game: Game, heap: Heap) -> str:
    """What lies on one area, Player by Player."""
    area = area_words(game.area_by_name[heap.area])
    return f"{area}: {', '.join(_chips_words(each) for each in heap.chips)}"


def _chips_words(chips: Chips) -> str:
    words = in_full(chips.cents)
    if chips.colour:
        words += f" in {chips.colour} chips"
    if chips.owner:
        words += f" by {chips.owner}"
    if chips.won is None:
        return words
    return f"{words}, {_settled(chips)}"


def _settled(chips: Chips) -> str:
    return f"paid {in_full(chips.paid_cents)}" if chips.won else "collected"


def describe(picture: Picture) -> str:
    """Outcome, Bonus Numbers and wagers, in sentences."""
    sentences = [f"The betting layout of {picture.game.document}."]
    if picture.winning_number is not None:
        status = status_words(picture)
        outcome = number_words(picture.winning_number)
        sentences.append(f"Outcome: {outcome}{f', {status}' if status else ''}.")
    if picture.lit:
        lit = ", ".join(in_layout_order(picture.lit))
        sentences.append(f"Bonus Numbers: {lit}.")
    heaps = [heap_words(picture.game, heap) for heap in picture.heaps.values()]
    sentences.append(f"Wagers: {'; '.join(heaps)}." if heaps else "No wagers.")
    return " ".join(sentences)
