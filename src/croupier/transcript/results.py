"""Results of a played transcript: as JSON, and as text for a person to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.rules.cents import write_cents
from croupier.rules.clause import Refusal, Rule
from croupier.rules.events import (
    BallAtRest,
    BallDropped,
    DisplayShown,
    Event,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    OutcomeCorrected,
    PlayContinued,
    PowerFailed,
    RoundInterrupted,
    RoundSettled,
    SettledPiece,
    SettledWager,
    TerminalsInterrupted,
)
from croupier.rules.game import Game
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.wheel import colour_of, in_layout_order
from croupier.transcript.playback import (
    PlayedLine,
    PlayedTranscript,
    settled_wagers,
    status_of,
)

_Json = dict[str, Any]

_SUMS = ("stake_cents", "paid_cents", "collected_cents", "returned_cents")


def played_json(played: PlayedTranscript) -> _Json:
    """Return one object for a transcript."""
    rounds = [
        round_json(state, lines)
        for state, lines in zip(played.rounds, played.lines, strict=True)
    ]
    return {"game": played.series.game.name, "rounds": rounds}


def round_json(state: RoundOfPlay, lines: Iterable[PlayedLine]) -> _Json:
    status = status_of(state)
    wagers = settled_wagers(state)
    shown_number = status in {"settled", "referred"}
    round_object: _Json = {
        "round": state.number,
        "status": status,
        "winning_number": state.winning_number if shown_number else None,
        "bonus_numbers": list(in_layout_order(state.facts.bonus_numbers or ())),
        "wagers": [_wager_json(wager) for wager in wagers],
        "players": _players(wagers),
        "refused": [
            _refused(each) for each in lines if isinstance(each.answer, Refusal)
        ],
    }
    if status in {"void", "referred"} and state.standing is not None:
        round_object["clause"] = state.standing.clause.number
    return round_object


def _wager_json(wager: SettledWager) -> _Json:
    return {
        "id": wager.wager_id,
        "player": wager.player,
        "wager": wager.wager,
        **totals(wager.pieces),
        "pieces": [
            {"area": piece.area, **{name: getattr(piece, name) for name in _SUMS}}
            for piece in wager.pieces
        ],
    }


def totals(pieces: Iterable[SettledPiece]) -> Mapping[str, int]:
    all_pieces = list(pieces)
    return {name: sum(getattr(piece, name) for piece in all_pieces) for name in _SUMS}


def _players(wagers: Iterable[SettledWager]) -> _Json:
    pieces: dict[str, list[SettledPiece]] = {}
    for wager in wagers:
        pieces.setdefault(wager.player, []).extend(wager.pieces)
    return {player: totals(own) for player, own in pieces.items()}


def _refused(line: PlayedLine) -> _Json:
    assert isinstance(line.answer, Refusal)
    return {
        "line": line.line.number,
        "act": line.line.words,
        "wager": line.line.wager_id,
        "clause": line.answer.clause.number,
        "reason": str(line.answer.reason),
    }


@dataclass(frozen=True, slots=True)
class _ResultLine:
    """A line of the text; a heading is not plain."""

    text: str
    plain: bool = True


def result_lines(played: PlayedTranscript) -> Iterator[_ResultLine]:
    """Yield the acts of each round with their refusals, then the results."""
    game = played.series.game
    yield _ResultLine(f"{game.document}, in effect from {game.effective}", plain=False)
    for state, lines in zip(played.rounds, played.lines, strict=True):
        yield _ResultLine("")
        yield _ResultLine(f"Round {state.number}", plain=False)
        has_dropped = False
        for line in lines:
            yield from _act_lines(game, line)
            yield from _citing_lines(game, line, has_dropped=has_dropped)
            has_dropped = has_dropped or _drops(line)
        yield _ResultLine("")
        yield _ResultLine(f"  {_ending(state)}", plain=False)
        events = played.events_of(state.number)
        yield from _display_lines(state, events)
        settlements = [each for each in events if isinstance(each, RoundSettled)]
        replaced = settlements[:-1] if state.phase is Phase.ENDED else []
        for place, wager in enumerate(settled_wagers(state)):
            before = [each.wagers[place] for each in replaced]
            yield _wager_line(state, wager, before)
        yield from _net_lines(state, replaced)


def _act_lines(game: Game, played: PlayedLine) -> Iterator[_ResultLine]:
    yield _ResultLine(f"  {played.line.number:>4}  {played.line.text}")
    if isinstance(played.answer, Refusal):
        refusal = played.answer
        yield _ResultLine(f"        ✗ refused: {refusal.reason} [{refusal.clause}]")
        return
    for record in played.answer:
        if isinstance(record.event, NoMoreBetsAnnounced) and record.event.late:
            rule = Rule.CLOSE_DURING_SPIN
            clause = game.clause(rule) if game.provides(rule) else game.cite("A28")
            yield _ResultLine(f"        ⚑ late: the ball had dropped [{clause}]")


def _drops(played: PlayedLine) -> bool:
    if isinstance(played.answer, Refusal):
        return False
    fallen = (BallDropped, BallAtRest, OutcomeAnnounced)
    return any(isinstance(record.event, fallen) for record in played.answer)


def _citing_lines(
    game: Game, played: PlayedLine, *, has_dropped: bool
) -> Iterator[_ResultLine]:
    """Cite the clause if an interrupted round goes on or an outcome is corrected."""
    if isinstance(played.answer, Refusal):
        return
    events = [record.event for record in played.answer]
    for event in events:
        if isinstance(event, OutcomeCorrected):
            text = f"corrected to {event.corrected_to} [{event.clause}]"
            yield _ResultLine(f"        ↳ {text}")
        elif isinstance(event, PlayContinued):
            yield _ResultLine(f"        ↳ play goes on [{event.clause}]")
    rule = _INTERRUPTED.get(type(events[0])) if len(events) == 1 else None
    if rule is Rule.POWER_FAILURE_CONTINUES and has_dropped:
        rule = Rule.POWER_FAILURE_AFTER_DROP
    if rule is not None and game.provides(rule):
        yield _ResultLine(f"        ↳ play goes on [{game.clause(rule)}]")


_INTERRUPTED: Mapping[type, Rule] = {
    PowerFailed: Rule.POWER_FAILURE_CONTINUES,
    RoundInterrupted: Rule.INTERRUPTION_CONCLUDED,
    TerminalsInterrupted: Rule.TERMINALS_INTERRUPTED,
}
"""The rule to cite for an interruption after which play simply goes on."""


def _display_lines(
    state: RoundOfPlay, events: Iterable[Event]
) -> Iterator[_ResultLine]:
    """Name the display's last number if it is not the outcome."""
    shown = [each for each in events if isinstance(each, DisplayShown)]
    if not shown or status_of(state) != "settled":
        return
    display, number = shown[-1], state.winning_number
    if display.number == number:
        return
    clause = f" [{display.clause}]" if display.clause is not None else ""
    yield _ResultLine(
        f"  The display shows {display.number}, not {number}:"
        f" it is information only{clause}"
    )


def _ending(state: RoundOfPlay) -> str:
    status, standing = status_of(state), state.standing
    if status == "settled":
        number = state.winning_number
        assert number is not None
        bonus = state.facts.bonus_numbers
        lit = f", Bonus Numbers {' '.join(bonus)}" if bonus else ""
        return f"Outcome {number} {colour_of(number).value}{lit}"
    if standing is not None and status == "void":
        return f"Void: {standing.reason} [{standing.clause}]"
    if standing is not None:
        return f"Held for a decision: {standing.reason} [{standing.clause}]"
    return "Not concluded"


def _wager_line(
    state: RoundOfPlay, wager: SettledWager, before: Iterable[SettledWager]
) -> _ResultLine:
    """Write a wager's result, and behind “was” its result before a correction."""
    stake = write_cents(totals(wager.pieces)["stake_cents"])
    text = f"    {wager.player:<8} {wager.wager:<22} {stake:>10}"
    if status_of(state) not in {"settled", "void"}:
        return _ResultLine(text)
    was = "".join(f"; was {_disposition(each)}" for each in before)
    return _ResultLine(f"{text}   {_disposition(wager)}{was}")


def _disposition(wager: SettledWager) -> str:
    sums = totals(wager.pieces)
    clauses = ", ".join(dict.fromkeys(piece.clause for piece in wager.pieces))
    parts = [
        f"{word} {write_cents(sums[f'{word}_cents'])}"
        for word in ("paid", "collected", "returned")
        if sums[f"{word}_cents"]
    ]
    return f"{', '.join(parts)} [{clauses}]"


def _net_lines(
    state: RoundOfPlay, replaced: Iterable[RoundSettled]
) -> Iterator[_ResultLine]:
    if status_of(state) not in {"settled", "void"}:
        return
    said = _net(settled_wagers(state))
    if not said:
        return
    yield _ResultLine(f"  Net: {said}")
    for each in replaced:
        number = each.winning_number
        outcome = "void" if number is None else f"at {number}"
        yield _ResultLine(f"  Net before, {outcome}: {_net(each.wagers)}")


def net_by_player(wagers: Iterable[SettledWager]) -> dict[str, int]:
    return {
        player: sums["paid_cents"] - sums["collected_cents"]
        for player, sums in _players(wagers).items()
    }


def _net(wagers: Iterable[SettledWager]) -> str:
    return ", ".join(
        f"{player} {'+' if cents > 0 else ''}{write_cents(cents)}"
        for player, cents in net_by_player(wagers).items()
    )
