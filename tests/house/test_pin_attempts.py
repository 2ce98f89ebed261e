"""Attempts with a PIN are limited at each terminal."""

from __future__ import annotations

import pytest

from croupier.house.people.rates import PinAttempts
from croupier.house.records.house_record import NotDone


def test_twenty_attempts_are_made_at_once_and_then_one_in_three_seconds() -> None:
    now = [0.0]
    attempts = PinAttempts(lambda: now[0])

    def attempt() -> None:
        attempts.begin("T1")
        attempts.end("T1")

    for _ in range(20):
        attempt()
    with pytest.raises(NotDone, match="wait 3 s"):
        attempt()
    now[0] = 3.001
    attempt()
    with pytest.raises(NotDone):
        attempt()
    attempts.begin("T2")


def test_a_terminal_makes_one_attempt_at_a_time() -> None:
    attempts = PinAttempts(lambda: 0.0)
    attempts.begin("T1")

    with pytest.raises(NotDone, match="wait 1 s"):
        attempts.begin("T1")
    attempts.end("T1")
    attempts.begin("T1")
