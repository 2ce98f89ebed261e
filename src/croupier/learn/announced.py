"""Drills on announced bets: lay the pieces, count them, and say the total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from croupier.learn.question import (
    LEVELS,
    Draw,
    DrillAnswer,
    DrillQuestion,
    DrillTask,
    Form,
    Phrase,
    rule_of,
)
from croupier.learn.table import amount, laying
from croupier.rules.game import (
    ClauseRow,
    Complete,
    Finales,
    FixedPieces,
    Game,
    MultiplePiece,
    Neighbours,
)
from croupier.transcript.practice import PracticeTable

_SECONDS = (45, 40, 30, 30, 30)
_KINDS: tuple[tuple[type[MultiplePiece], ...], ...] = (
    (FixedPieces,),
    (Neighbours, Finales),
    (Neighbours,),
    (Complete,),
    (Complete,),
)
_LIMITS = ("* 1 1000", "straight_up 1 100")


def announced_task(draw: Draw) -> DrillTask:
    """Ask for the pieces and the total of announced bets."""
    game, random = draw.game, draw.random()
    wagers = _wagers(game, draw.level, random)
    table = PracticeTable(game, limits=_LIMITS)
    table.place_your_bets()
    laid: Counter[str] = Counter()
    total, lines = 0, []
    for place, (_, wager, cents) in enumerate(wagers, 1):
        stake = "" if cents is None else f" {amount(cents)}"
        pieces = table.preview(f"Anna: {laying(game)} {wager}{stake} as w{place}")
        laid.update(piece.area for piece in pieces)
        sum_cents = sum(piece.cents for piece in pieces)
        total += sum_cents
        lines.append(
            Phrase(
                "announced_sum",
                {"wager": wager, "count": len(pieces), "cents": sum_cents},
            )
        )
    question = DrillQuestion(
        game=game.name,
        drill=draw.drill,
        level=draw.level,
        seed=draw.seed,
        asks=Phrase("announced", {"count": len(wagers)}),
        form=Form.PIECES,
        seconds=_SECONDS[draw.level - 1],
        facts=tuple(_call(wager, cents) for _, wager, cents in wagers),
    )
    clause = game.cite(wagers[0][0].number)
    due = DrillAnswer(cents=total, pieces=dict(laid))
    return DrillTask(question, due, tuple(lines), clause, rule_of(game, clause))


def _call(wager: str, cents: int | None) -> Phrase:
    if cents is None:
        return Phrase("maximum_call", {"wager": wager})
    return Phrase("call", {"wager": wager, "cents": cents})


def _rows(game: Game, level: int) -> list[ClauseRow]:
    rows = [row for row in game.clauses if row.multiple is not None]
    return [row for row in rows if isinstance(row.multiple, _KINDS[level - 1])] or rows


def _wagers(
    game: Game, level: int, random: Random
) -> Sequence[tuple[ClauseRow, str, int | None]]:
    """Draw rows, each with one of its wagers and the stake of a piece."""
    rows = _rows(game, level)
    called = []
    for _ in range(2 if level == 3 else 1):
        row = random.choice(rows)
        called.append((row, *_wager(game, row, level, random)))
    return called


def _wager(
    game: Game, row: ClauseRow, level: int, random: Random
) -> tuple[str, int | None]:
    cents = random.choice((500, 1000, 2500))
    number = random.choice(game.numbers)
    match row.multiple:
        case Neighbours(radii=radii, word=word):
            return f"{word}:{number}:{random.choice(radii)}", cents
        case Finales(word=word):
            return f"{word}:{random.randint(0, 9)}", cents
        case Complete(word=word, at_maximum=True):
            return f"{word}:{number}", None
        case Complete(word=word):
            is_dozen = level == LEVELS and random.random() < 0.5
            place = f"dozen:{random.randint(1, 3)}" if is_dozen else number
            return f"{word}:{place}", cents
        case FixedPieces(word=word):
            return word, cents
    raise AssertionError(row)
