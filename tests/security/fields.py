"""Fields of the messages that a client may send."""

from __future__ import annotations

from typing import Any

PIN = "4711"
FIELDS: dict[str, dict[str, Any]] = {
    "wagers": {"place": [{"id": "w1", "wager": "red", "stake_cents": 500}]},
    "collect": {"cents": 100},
    "ask_buy_in": {"cents": 100},
    "shown": {"announcement": "no more bets", "at_ms": 1},
    "sit": {"player": "Pia", "pin": PIN},
    "wheel_fact": {"fact": "spun"},
    "lit": {"number": "17"},
    "interpret": {"rounds": [1], "question": "is it at rest?", "answer": "no"},
    "ball_was": {"at_rest": "17"},
    "outcome": {"number": "17"},
}
