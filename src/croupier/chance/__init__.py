"""Unbiased draws for money from the operating system's generator, with a self-test."""

from croupier.chance.draws import (
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
    "draw_bonus_numbers",
    "draw_distinct",
    "draw_distinct_rounds",
    "draw_number",
    "draw_number_rounds",
    "self_test",
    "spin_virtual_wheel",
]
