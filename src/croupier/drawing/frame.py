"""The felt around a picture, its heading, its description, and the SVG document."""

from __future__ import annotations

from croupier.drawing.cells import draw_numbered_plate
from croupier.drawing.chips import DrawnChips, Heap
from croupier.drawing.geometry import Box
from croupier.drawing.picture import Picture, pays_when_lit, status_words
from croupier.drawing.svg import FONTS, Label, figure, rectangle, tag, words
from croupier.drawing.theme import Palette
from croupier.rules.game import Game
from croupier.rules.wheel import Number, colour_of, in_layout_order
from croupier.tabular.figures import money


def _number_words(number: Number) -> str:
    return f"{number} {colour_of(number).value}"


def heap_words(game: Game, heap: Heap) -> str:
    _, _, which = heap.area.partition(":")
    area = f"{game.area_by_name[heap.area].wager_type.title} {which}".rstrip()
    return f"{area}: {', '.join(map(_chips_words, heap.chips))}"


def _chips_words(chips: DrawnChips) -> str:
    words = money(chips.cents)
    if chips.colour:
        words += f" in {chips.colour} chips"
    if chips.owner:
        words += f" by {chips.owner}"
    if chips.won is None:
        return words
    return f"{words}, {f'paid {money(chips.paid_cents)}' if chips.won else 'collected'}"


def describe(picture: Picture) -> str:
    """Describe outcome, Bonus Numbers and wagers in sentences."""
    sentences = [f"The betting layout of {picture.game.document}."]
    if picture.winning_number is not None:
        status = status_words(picture)
        outcome = _number_words(picture.winning_number)
        sentences.append(f"Outcome: {outcome}{f', {status}' if status else ''}.")
    if picture.lit:
        lit = ", ".join(in_layout_order(picture.lit))
        sentences.append(f"Bonus Numbers: {lit}.")
    heaps = [heap_words(picture.game, heap) for heap in picture.heaps.values()]
    sentences.append(f"Wagers: {'; '.join(heaps)}." if heaps else "No wagers.")
    return " ".join(sentences)


MARGIN = 24.0
HEADER = 68.0
"""Height of the heading; the table begins below it."""


def document(*content: str, whole: Box, palette: Palette, title: str, says: str) -> str:
    """Return a self-contained SVG document."""
    felt = rectangle(
        whole.inset(0.75),
        rx=14,
        fill=palette.felt,
        stroke=palette.felt_line,
        stroke_width=1.5,
    )
    return tag(
        "svg",
        words("title", title),
        words("desc", says),
        felt,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        width=whole.width,
        height=whole.height,
        viewBox=f"0 0 {figure(whole.width)} {figure(whole.height)}",
        role="img",
        font_family=FONTS,
        style="font-variant-numeric:tabular-nums",
    )


def draw_header(picture: Picture, whole: Box) -> str:
    """Draw the game at the left, and the outcome with its words at the right."""
    ink, game = picture.palette.felt_ink, picture.game
    title = Label(game.title, MARGIN, 27, 20, "start")
    caption = Label(game.document, MARGIN, 48, 12.5, "start", 400)
    number = picture.winning_number
    return tag(
        "g",
        title.draw(ink),
        caption.draw(ink, opacity=0.86),
        _outcome(picture, number, whole) if number is not None else "",
        class_="heading",
    )


def _outcome(picture: Picture, number: Number, whole: Box) -> str:
    palette, caption = picture.palette, _caption(picture, number)
    plate = Box(whole.right - MARGIN - 44, 14, 44, 44)
    right = plate.x - 12
    word = Label(_number_words(number), right, 27 if caption else 36, 20, "end")
    below = Label(caption, right, 48, 12.5, "end", 400)
    return "".join(
        (
            draw_numbered_plate(palette, number, plate, 20, 15),
            word.draw(palette.felt_ink),
            below.draw(palette.felt_ink, opacity=0.86) if caption else "",
        )
    )


def _caption(picture: Picture, number: Number) -> str:
    status, pays = status_words(picture), pays_when_lit(picture, number)
    return f"{status} · pays {pays} to 1" if status and pays else status
