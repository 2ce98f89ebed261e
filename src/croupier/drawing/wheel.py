"""The wheel as a picture; where its order is only illustrative it says so (W2)."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, degrees, pi, sin

from croupier.drawing.cells import draw_numbered_plate
from croupier.drawing.frame import document, number_words
from croupier.drawing.geometry import Box
from croupier.drawing.picture import NotOnLayout
from croupier.drawing.svg import SHADE, Label, figure, tag
from croupier.drawing.theme import Palette, Theme
from croupier.rules.game import Game
from croupier.rules.layout import Point
from croupier.rules.wheel import Number, colour_of

_SIZE = 560.0
_FOOT = 64.0
_CENTRE = _SIZE / 2
_RIM = _CENTRE - 24
_OUTER, _SPLIT, _INNER = 0.83 * _RIM, 0.655 * _RIM, 0.5 * _RIM
_GOLD = "#d9b76a"


def draw_wheel(
    game: Game,
    *,
    winning_number: Number | None = None,
    theme: Theme = Theme.DARK,
    ring: tuple[Number, ...] | None = None,
) -> str:
    """Return the wheel as SVG, the winning number on top with the ball in it."""
    order = game.ring if ring is None else ring
    if winning_number is not None and winning_number not in order:
        raise NotOnLayout(f"there is no {winning_number[:60]!r} on this wheel")
    return document(
        _GRADIENTS,
        _bowl(),
        *_compartments(theme.palette, order, winning_number),
        _cone(),
        _ball() if winning_number is not None else "",
        _foot(theme.palette, game, winning_number),
        whole=Box(0, 0, _SIZE, _SIZE + _FOOT - 8),
        palette=theme.palette,
        title=f"{game.title}: the wheel",
        says=_says(game, order, winning_number),
    )


def _says(game: Game, ring: tuple[Number, ...], winning: Number | None) -> str:
    kind = "Illustrative order" if game.illustrative_ring else "Order"
    outcome = f" Outcome: {number_words(winning)}." if winning is not None else ""
    return f"{kind} of the compartments, clockwise: {' '.join(ring)}.{outcome}"


def _polar(radius: float, angle: float) -> Point:
    """Return the point at an angle, clockwise from the top."""
    return _CENTRE + radius * sin(angle), _CENTRE - radius * cos(angle)


def _at(radius: float, angle: float) -> str:
    return " ".join(map(figure, _polar(radius, angle)))


def _circle(radius: float, **attributes: str | float | None) -> str:
    return tag("circle", cx=_CENTRE, cy=_CENTRE, r=radius, **attributes)


def _compartments(
    palette: Palette, ring: tuple[Number, ...], winning: Number | None
) -> Iterator[str]:
    step = 2 * pi / len(ring)
    first = ring.index(winning) if winning is not None else 0
    for place, number in enumerate(ring):
        middle = (place - first) * step
        a, b = middle - step / 2, middle + step / 2
        outer, inner = figure(_OUTER), figure(_INNER)
        pocket = tag(
            "path",
            d=f"M{_at(_OUTER, a)}A{outer} {outer} 0 0 1 {_at(_OUTER, b)}"
            f"L{_at(_INNER, b)}A{inner} {inner} 0 0 0 {_at(_INNER, a)}Z",
            fill=palette.of(colour_of(number)),
            stroke=_GOLD,
            stroke_width=1.1,
        )
        x, y = _polar((_OUTER + _SPLIT) / 2, middle)
        size = (12 if len(number) > 2 else 19) * min(1, 38 / len(ring))
        turn = f"rotate({figure(degrees(middle))} {figure(x)} {figure(y)})"
        text = Label(number, x, y, size, weight=700).draw(
            palette.numeral, transform=turn
        )
        yield tag("g", pocket, text, class_="compartment", data_number=number)


_GRADIENTS = (
    '<defs><radialGradient id="croupier-rim"><stop offset=".8" stop-color="#3b2615"/>'
    '<stop offset=".9" stop-color="#6b4828"/><stop offset="1" stop-color="#2a1a0e"/>'
    '</radialGradient><radialGradient id="croupier-cone" cx=".42" cy=".36" r=".75">'
    '<stop offset="0" stop-color="#8a6134"/><stop offset=".55" stop-color="#4a3019"/>'
    '<stop offset="1" stop-color="#22150b"/></radialGradient>'
    '<radialGradient id="croupier-turret" cx=".38" cy=".32" r=".8">'
    '<stop offset="0" stop-color="#fff3cf"/><stop offset=".4" stop-color="#dcb45c"/>'
    '<stop offset="1" stop-color="#7b5517"/></radialGradient></defs>'
)
"""The same in every theme and game, so that it may stand twice on one page."""


def _bowl() -> str:
    rim = _circle(_RIM, fill="url(#croupier-rim)", stroke="#c49a4a", stroke_width=3.4)
    return rim + _circle(0.845 * _RIM, fill="#150d07")


def _cone() -> str:
    shade = _circle(
        (_SPLIT + _INNER) / 2,
        fill="none",
        stroke=SHADE,
        stroke_opacity=0.34,
        stroke_width=_SPLIT - _INNER,
    )
    line = _circle(_SPLIT, fill="none", stroke=_GOLD, stroke_width=2.2)
    cone = _circle(_INNER, fill="url(#croupier-cone)", stroke=_GOLD, stroke_width=3.4)
    arms = [_arm(k * pi / 2 + 0.5) for k in range(4)]
    turret = _circle(0.26 * _INNER, fill="url(#croupier-turret)")
    return "".join((shade, line, cone, *arms, turret))


def _arm(angle: float) -> str:
    x, y = _polar(0.5 * _INNER, angle)
    arm = tag(
        "line",
        x1=_CENTRE,
        y1=_CENTRE,
        x2=x,
        y2=y,
        stroke="#caa150",
        stroke_width=9,
        stroke_linecap="round",
    )
    x, y = _polar(0.54 * _INNER, angle)
    return arm + tag("circle", cx=x, cy=y, r=10, fill="url(#croupier-turret)")


def _ball() -> str:
    x, y = _polar((_SPLIT + _INNER) / 2, 0)
    return tag(
        "circle",
        class_="ball",
        cx=x,
        cy=y,
        r=11.5,
        fill="#fffdf6",
        stroke=SHADE,
        stroke_opacity=0.5,
    )


def _foot(palette: Palette, game: Game, winning: Number | None) -> str:
    """Draw the outcome or the game's name, and whether the order means anything."""
    y = _SIZE + 8 if game.illustrative_ring else _SIZE + 18
    name = game.title if winning is None else number_words(winning)
    label = Label(name, _CENTRE + (0 if winning is None else 25), y, 20)
    parts = [label.draw(palette.felt_ink)]
    if winning is not None:
        plate = Box(label.box.x - 50, y - 19, 38, 38)
        parts.append(draw_numbered_plate(palette, winning, plate, 17, 13))
    if game.illustrative_ring:
        note = Label("illustrative order", _CENTRE, y + 26, 14, weight=400)
        parts.append(note.draw(palette.felt_ink, opacity=0.86))
    return tag("g", *parts, class_="foot")
