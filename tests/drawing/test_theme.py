from __future__ import annotations

import pytest

from croupier.drawing import Theme
from croupier.drawing.heaps import FACE, FACE_INK

every_theme = pytest.mark.parametrize("theme", Theme)


def contrast(one: str, other: str) -> float:
    """The WCAG contrast of two colours."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@every_theme
def test_words_can_be_read_on_what_they_stand_on(theme: Theme) -> None:
    palette = theme.palette

    pairs = {
        "words on felt": (palette.felt_ink, palette.felt),
        "words on hot felt": (palette.felt_ink, palette.felt_hot),
        "brass on felt": (palette.brass, palette.felt),
        "paid": (palette.brass_ink, palette.brass),
        "owner": (palette.tag_ink, palette.tag),
        "chip": (FACE_INK, FACE),
        "red": (palette.numeral, palette.red),
        "black": (palette.numeral, palette.black),
        "green": (palette.numeral, palette.green),
        "lit, on red": (palette.lamp_ink, palette.red),
        "lit, on green": (palette.lamp_ink, palette.green),
    }

    weak = {name: pair for name, pair in pairs.items() if contrast(*pair) < 4.5}
    assert weak == {}


@every_theme
def test_lines_can_be_seen_on_the_felt(theme: Theme) -> None:
    palette = theme.palette

    assert contrast(palette.felt_line, palette.felt) >= 3


def test_the_two_themes_have_different_felt_and_ink() -> None:
    dark, light = (theme.palette for theme in (Theme.DARK, Theme.LIGHT))

    different = [
        name
        for name in ("felt", "felt_ink", "felt_line", "felt_hot", "brass", "tag")
        if getattr(dark, name) != getattr(light, name)
    ]

    assert len(different) == 6
