"""Draws for money: the operating system's generator, without bias, tested alone."""

from croupier.chance.draws import (
    bonus_count,
    draw_bonus_numbers,
    draw_distinct,
    draw_distinct_rounds,
    draw_number,
    draw_number_rounds,
    spin_virtual_wheel,
)
from croupier.chance.entropy import ChanceFailed, Entropy, SystemEntropy
from croupier.chance.self_tests import self_test

__all__ = [
    "ChanceFailed",
    "Entropy",
    "SystemEntropy",
    "bonus_count",
    "draw_bonus_numbers",
    "draw_distinct",
    "draw_distinct_rounds",
    "draw_number",
    "draw_number_rounds",
    "self_test",
    "spin_virtual_wheel",
]
