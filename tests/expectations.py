"""What a test transcript expects, read from its comments, and whether it came true.

`#! 5.13` behind an act: that act is refused with that clause; every other is accepted.
`#= …` anywhere: a statement about a round, see `_STATEMENTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from croupier.rulebook.evidence import PAIRS
from croupier.rules.clause import Refusal
from croupier.rules.events import MarkerButton, SettledWager
from croupier.rules.game import Game
from croupier.rules.notation import read_cents
from croupier.transcript import (
    PlayedTranscript,
    Transcript,
    play,
    read_transcript,
    status_of,
)
from croupier.transcript.playback import settled_wagers
from tests.values import field_names

TRANSCRIPTS = Path(__file__).parent / "transcripts"


def all_transcripts() -> list[Path]:
    """Return those of the tests, and those on each side of a clause's condition."""
    return [*sorted(TRANSCRIPTS.rglob("*.txt")), *sorted(PAIRS.rglob("*.txt"))]


@dataclass(frozen=True)
class Expected:
    refusals: dict[int, str]
    """Line number → clause."""
    statements: tuple[str, ...]


def read_expected(text: str) -> Expected:
    refusals: dict[int, str] = {}
    statements: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        _, refused, clause = line.partition("#!")
        if refused:
            refusals[number] = clause.partition("#")[0].strip()
        _, states, statement = line.partition("#=")
        if states:
            statements.append(statement.partition("#")[0].strip())
    return Expected(refusals, tuple(statements))


def unmet(path: Path, game: Game | None = None) -> list[str]:
    """Every expectation of the file that did not come true, played with `game`."""
    text = path.read_text(encoding="utf-8")
    transcript = read_transcript(text.splitlines())
    if game is not None:
        transcript = Transcript(
            game, transcript.limits, transcript.settings, transcript.rounds
        )
    expected = read_expected(text)
    assert expected.refusals or expected.statements, f"{path} expects nothing"
    played = play(transcript)
    return [*_unmet_refusals(played, expected), *_unmet_statements(played, expected)]


def _unmet_refusals(played: PlayedTranscript, expected: Expected) -> Iterator[str]:
    seen: set[int] = set()
    for lines in played.lines:
        for line in lines:
            number = line.line.number
            seen.add(number)
            wanted = expected.refusals.get(number, "accepted")
            answer = line.answer
            got, reason = "accepted", ""
            if isinstance(answer, Refusal):
                got, reason = answer.clause.number, f" ({answer.reason})"
            if got != wanted:
                yield f"line {number}: {line.line.text}: {got}{reason}, not {wanted}"
    for number in expected.refusals.keys() - seen:
        yield f"line {number}: marked refused, but not an act"


def _unmet_statements(played: PlayedTranscript, expected: Expected) -> Iterator[str]:
    for statement in expected.statements:
        number, *words = statement.split()
        answer = _check(played, int(number), words)
        if answer != "":
            yield f"#= {statement}: {answer}"


def _check(played: PlayedTranscript, number: int, words: list[str]) -> str:
    if not 1 <= number <= len(played.rounds):
        return "no such round"
    check = _STATEMENTS.get(" ".join(words[:2])) or _STATEMENTS.get(words[0])
    if check is not None:
        return check(played, number, words)
    return _check_wager(played, number, words)


def _check_status(played: PlayedTranscript, number: int, words: list[str]) -> str:
    state = played.rounds[number - 1]
    got = [status_of(state)]
    if got == ["settled"]:
        assert state.settled is not None
        got.append(str(state.settled.winning_number))
    elif got in (["void"], ["referred"]):
        assert state.standing is not None
        got.append(state.standing.clause.number)
    return "" if got == words else f"is {' '.join(got)}"


def _check_bonus(played: PlayedTranscript, number: int, words: list[str]) -> str:
    drawn = played.rounds[number - 1].facts.bonus_numbers or ()
    return "" if list(drawn) == words[1:] else f"is {' '.join(drawn)}"


def _check_event(played: PlayedTranscript, number: int, words: list[str]) -> str:
    return "" if _has_event(played, number, words[1:]) else "no such event"


def _check_no_event(played: PlayedTranscript, number: int, words: list[str]) -> str:
    return "there is one" if _has_event(played, number, words[2:]) else ""


def _has_event(played: PlayedTranscript, number: int, words: list[str]) -> bool:
    name, *details = words
    wanted = dict(detail.split("=", 1) for detail in details)
    return any(
        type(record.event).__name__ == name
        and wanted.items() <= _texts(record.event).items()
        for record in played.records
        if record.round_number == number
    )


def _texts(event: object) -> dict[str, str]:
    return {name: _text(getattr(event, name)) for name in field_names(type(event))}


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return ",".join(_text(each) for each in value)
    if isinstance(value, MarkerButton):
        units = value.maximum_cents or (value.unit_cents,)
        return f"{_text(units)}@{value.on}"
    return str(value)


def _check_no(played: PlayedTranscript, number: int, words: list[str]) -> str:
    return "it is there" if _wager(played, number, words[1]) else ""


def _wager(played: PlayedTranscript, number: int, wager_id: str) -> SettledWager | None:
    for wager in settled_wagers(played.rounds[number - 1]):
        if wager.wager_id == wager_id:
            return wager
    return None


def _check_wager(played: PlayedTranscript, number: int, words: list[str]) -> str:
    wager = _wager(played, number, words[0])
    if wager is None:
        return "no such wager"
    if words[1] == "by":
        clauses = {piece.clause for piece in wager.pieces}
        return "" if clauses == {words[2]} else f"by {clauses}"
    if words[1] == "pieces":
        areas = [piece.area for piece in wager.pieces]
        return "" if areas == words[2:] else f"pieces {' '.join(areas)}"
    return _check_money(wager, words[1:])


def _check_money(wager: SettledWager, words: list[str]) -> str:
    numbers_at = words.index("stake")
    *player, name = words[:numbers_at]
    wanted = [_cents(word) for word in words[numbers_at + 1 :: 2]]
    got = [
        sum(getattr(piece, field) for piece in wager.pieces)
        for field in ("stake_cents", "paid_cents", "collected_cents", "returned_cents")
    ]
    assert words[numbers_at::2] == ["stake", "paid", "collected", "returned"]
    if (wager.player, wager.wager, got) == (" ".join(player), name, wanted):
        return ""
    return f"{wager.player} {wager.wager} {got}, wanted {wanted}"


def _cents(text: str) -> int:
    return read_cents(text.replace(",", ""), least=0)


_STATEMENTS: dict[str, Callable[[PlayedTranscript, int, list[str]], str]] = {
    "settled": _check_status,
    "void": _check_status,
    "referred": _check_status,
    "open": _check_status,
    "bonus": _check_bonus,
    "event": _check_event,
    "no event": _check_no_event,
    "no": _check_no,
}
