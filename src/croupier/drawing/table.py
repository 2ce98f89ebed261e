"""Tables as pictures: a game, a wager or a round of play."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from croupier.drawing import boxes, cells, racetrack
from croupier.drawing.chips import DrawnChips
from croupier.drawing.frame import (
    HEADER,
    MARGIN,
    describe,
    document,
    draw_header,
    heap_words,
)
from croupier.drawing.geometry import Box, Plane, box_around, layout_size
from croupier.drawing.heaps import RADIUS, PlacedHeap, draw_heap, draw_tags, place_heaps
from croupier.drawing.picture import Picture, picture_of
from croupier.drawing.svg import SHADE, figure, moved, tag
from croupier.drawing.theme import Theme
from croupier.errors import check_type
from croupier.games import as_game
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.game import Game, Settings
from croupier.rules.layout import Point, WagerType
from croupier.rules.notation import read_wager
from croupier.rules.pieces import find_placement
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import Number
from croupier.tabular import Plot

_DOLLY_REACH = 20.0
"""Half the dolly's height at scale 1."""


def _draw_dolly(number: Number, at: Point, scale: float) -> str:
    shadow = tag("ellipse", cx=2, cy=15, rx=16, ry=5, fill=SHADE, opacity=0.4)
    body = tag(
        "path",
        d="M-14 13C-14 8-8 7-6 2-4-3-4-5-4.5-7.5A7.5 7.5 0 1 1 4.5-7.5"
        "C4-5 4-3 6 2 8 7 14 8 14 13 14 18.5-14 18.5-14 13Z",
        fill="#fffdf4",
        stroke="#3b2c0c",
        stroke_width=1.4,
    )
    gloss = tag(
        "path",
        d="M-3.4-16.4A4.6 4.6 0 0 0-4.6-11M-10 12.2Q-5 9-3.6 3.4",
        fill="none",
        stroke="#cdbb8a",
        stroke_width=1.5,
        stroke_linecap="round",
    )
    return tag(
        "g",
        shadow,
        body,
        gloss,
        class_="dolly",
        data_number=number,
        transform=f"{moved(*at)} scale({figure(scale)})",
    )


_GAP = 14.0


def draw_table(
    game: Game,
    *,
    chips: Sequence[DrawnChips] = (),
    winning_number: Number | None = None,
    bonus_numbers: Collection[Number] = (),
    theme: Theme = Theme.DARK,
    ring: tuple[Number, ...] | None = None,
) -> str:
    """Return the table as SVG; raise `NotOnLayout` for an unknown area or number."""
    order = game.ring if ring is None else ring
    width, height = layout_size(game.layout)
    track = Box(MARGIN, HEADER, width, racetrack.HEIGHT)
    with_track = racetrack.has_racetrack(game, order)
    top = track.bottom + _GAP if with_track else HEADER
    picture = picture_of(
        game,
        Plane.of(game.layout, (MARGIN, top)),
        theme.palette,
        chips=chips,
        winning_number=winning_number,
        bonus_numbers=bonus_numbers,
    )
    beside = cells.LINKS_WIDTH if picture.has_links else 0
    whole = Box(0, 0, width + beside + 2 * MARGIN, top + height + MARGIN)
    return document(
        draw_header(picture, whole),
        racetrack.draw_racetrack(picture, order, track) if with_track else "",
        *_layers(picture, whole),
        whole=whole,
        palette=theme.palette,
        title=f"{picture.game.title}: the table",
        says=describe(picture),
    )


def _layers(picture: Picture, whole: Box) -> Iterator[str]:
    """Yield the elements on the felt, from bottom to top."""
    yield cells.draw_cells(picture)
    yield boxes.draw_boxes(picture)
    yield boxes.draw_outside_line(picture)
    yield cells.draw_links(picture)
    yield cells.draw_super_frames(picture)
    placed = place_heaps(
        [
            (heap, _chip_point(picture, name), _home(picture, name))
            for name, heap in picture.heaps.items()
        ]
    )
    for one in placed:
        yield draw_heap(picture.palette, one, heap_words(picture.game, one.heap))
    yield _dolly(picture)
    yield draw_tags(picture.palette, placed, list(_taken(picture, placed)), whole)


def _home(picture: Picture, name: str) -> Box | None:
    """Return the cell or box of an area, or None if it lies on a line."""
    area = picture.game.area_by_name[name]
    if name in picture.game.layout.boxes:
        return boxes.box_of(picture, area)
    if area.wager_type is not WagerType.STRAIGHT_UP:
        return None
    (number,) = area.numbers
    return picture.box_of(number)


def _chip_point(picture: Picture, name: str) -> Point:
    """Return a point on the area's line or corner, or beside the words of its cell."""
    area = picture.game.area_by_name[name]
    if name in picture.game.layout.boxes:
        return boxes.chip_place(picture, area)
    x, y = picture.plane.point(area.at)
    if area.wager_type is not WagerType.STRAIGHT_UP:
        return x, y
    (number,) = area.numbers
    dx, dy = cells.cell_places(picture, number).chip
    return x + dx, y + dy


def _dolly_place(picture: Picture, number: Number) -> tuple[Point, float]:
    places = cells.cell_places(picture, number)
    (x, y), (dx, dy) = picture.box_of(number).centre, places.dolly
    return (x + dx, y + dy), places.dolly_scale


def _dolly(picture: Picture) -> str:
    number = picture.winning_number
    if number is None or number not in picture.numbers:
        return ""
    return _draw_dolly(number, *_dolly_place(picture, number))


def _taken(picture: Picture, placed: Sequence[PlacedHeap]) -> Iterator[Box]:
    """Yield the boxes that a tag should not hide."""
    for number in picture.numbers:
        yield cells.numeral(picture, number).box
    for area in picture.box_areas:
        yield from (label.box for label in boxes.box_labels(picture, area))
        diamond = boxes.diamond_box(picture, area)
        if diamond:
            yield diamond
    for one in placed:
        yield box_around(one.at, 0.8 * RADIUS * one.scale)
    winning = picture.winning_number
    if winning is not None and winning in picture.numbers:
        at, scale = _dolly_place(picture, winning)
        yield box_around(at, 0.8 * _DOLLY_REACH * scale)


_UNIT_CENTS = 100


def draw(
    what: str | Game | RoundOfPlay, wager: str = "", *, theme: Theme = Theme.DARK
) -> Plot:
    """Draw a game's table, a wager's pieces on it (one unit each), or a round.

    Raises `WagerRefused` if the game has no such wager.
    """
    if isinstance(what, RoundOfPlay):
        return Plot(draw_round(what, theme=theme))
    game = as_game(what)
    check_type("wager", "text such as 'red'", wager, str)
    chips = list(_pieces(game, wager)) if wager else []
    return Plot(draw_table(game, chips=chips, theme=theme))


def _pieces(game: Game, wager: str) -> Iterator[DrawnChips]:
    text = read_wager(wager, game.multiples, game.numbers)
    found = find_placement(game, Settings(), text)
    if isinstance(found, Refusal):
        raise WagerRefused(found)
    for area in found.areas:
        yield DrawnChips(area.name, _UNIT_CENTS)


def draw_round(state: RoundOfPlay, *, theme: Theme = Theme.DARK) -> str:
    """Draw the table in a round: chips, Bonus Numbers, dolly and winnings."""
    return draw_table(
        state.game,
        chips=list(_chips(state)),
        winning_number=state.winning_number if state.standing is None else None,
        bonus_numbers=state.facts.bonus_numbers or (),
        theme=theme,
        ring=state.settings.ring,
    )


def _chips(state: RoundOfPlay) -> Iterator[DrawnChips]:
    if state.settled is None:
        for wager in state.board.in_order():
            for area, cents in zip(wager.areas, wager.piece_cents, strict=True):
                yield DrawnChips(
                    area.name, cents, colour=wager.colour, owner=wager.player
                )
        return
    is_void = state.standing is not None
    for settled in state.settled.wagers:
        laid = state.board.wagers.get(settled.wager_id)
        for piece in settled.pieces:
            yield DrawnChips(
                piece.area,
                piece.stake_cents,
                won=None if is_void else piece.paid_cents > 0,
                paid_cents=piece.paid_cents,
                colour=laid.colour if laid else None,
                owner=settled.player,
            )
