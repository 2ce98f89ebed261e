"""The difference between the sides of a clause's condition: an act and its result.

The words come from playing the transcripts, so both agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import zip_longest

from croupier.rulebook.endings import (
    OPEN,
    money_moved,
    money_text,
    refusals,
    round_endings,
)
from croupier.transcript import PlayedTranscript, play, read_transcript

_LONGEST = 72


def tell_apart(texts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return for each side the act that only it has, and the end that differs."""
    acts = {side: _acts(text) for side, text in texts.items()}
    played = {
        side: play(read_transcript(text.splitlines())) for side, text in texts.items()
    }
    told: dict[str, dict[str, str]] = {}
    for side in texts:
        other = _closest(side, acts)
        told[side] = {
            "differs": _differing(acts[side], acts[other]),
            "ends": _end(played[side], played[other]),
        }
    return told


def _closest(side: str, acts: Mapping[str, list[str]]) -> str:
    """Return the other side that has the most acts in common with this one."""
    others = [name for name in acts if acts[name] != acts[side]]
    return max(others, key=lambda name: _matcher(acts[side], acts[name]).ratio())


def _acts(text: str) -> list[str]:
    """Return the lines that are acts or terms, without comments."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("game ")]


def _differing(own: list[str], other: list[str]) -> str:
    """Return the lines that this side has and the other one lacks."""
    if own < other:  # each pair of sides is matched in one order
        extra, lacking = _unmatched(own, other)
    else:
        lacking, extra = _unmatched(other, own)
    if not extra:
        return _short("without " + "; ".join(other[place] for place in lacking))
    moved = {other[place] for place in lacking}
    own_alone = [place for place in extra if own[place] not in moved]
    extra = own_alone or _moved_first(own, other, extra)
    told = [
        f"{own[place]}, after “{own[place - 1]}”" if own[place] in moved else own[place]
        for place in extra
    ]
    return _short("; ".join(told))


def _moved_first(own: list[str], other: list[str], moved: list[int]) -> list[int]:
    """Return the first of the moved acts that stands behind another act here."""
    behind = {(other[place - 1], line) for place, line in enumerate(other) if place}
    found = [n for n in moved if (own[n - 1], own[n]) not in behind]
    return (found or moved)[:1]


def _matcher(own: list[str], other: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, own, other, autojunk=False)


def _unmatched(own: list[str], other: list[str]) -> tuple[list[int], list[int]]:
    blocks = _matcher(own, other).get_matching_blocks()
    mine = {block.a + n for block in blocks for n in range(block.size)}
    theirs = {block.b + n for block in blocks for n in range(block.size)}
    return (
        [place for place in range(len(own)) if place not in mine],
        [place for place in range(len(other)) if place not in theirs],
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def _end(played: PlayedTranscript, other: PlayedTranscript) -> str:
    """Return the first thing that differs: a round, a refusal, or a wager's money."""
    rounds = _differing_pair(round_endings(played), round_endings(other))
    refused = _differing_pair(refusals(played), refusals(other))
    if rounds and not (OPEN in rounds and refused):
        return rounds[0]
    if refused:
        return refused[0] or "taken"
    own, theirs = money_moved(played), money_moved(other)
    kinds = [
        sums.keys() != others.keys() for sums, others in zip(own, theirs, strict=False)
    ]
    if any(kinds):
        return money_text(own[kinds.index(True)])
    differing = [
        sums for sums, others in zip(own, theirs, strict=False) if sums != others
    ]
    return money_text(differing[0]) if differing else round_endings(played)[-1]


def _differing_pair(own: list[str], other: list[str]) -> tuple[str, str] | None:
    pairs = zip_longest(own, other, fillvalue="")
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
