"""The drills of a game, and their questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.games import as_game
from croupier.learn.announced import announced_task
from croupier.learn.limits import limits_task, status_task
from croupier.learn.payouts import conversion_task, pay_task
from croupier.learn.procedure import procedure_task
from croupier.learn.question import (
    LEVELS,
    Draw,
    Drill,
    DrillAnswer,
    DrillMark,
    DrillQuestion,
    DrillTask,
    NoSuchQuestion,
)
from croupier.rules.clause import Rule
from croupier.rules.game import Game

_TASKS: Mapping[Drill, Callable[[Draw], DrillTask]] = {
    Drill.PAYOUTS: pay_task,
    Drill.ANNOUNCED: announced_task,
    Drill.CONVERSION: conversion_task,
    Drill.STATUSES: status_task,
    Drill.LIMITS: limits_task,
    Drill.PROCEDURE: procedure_task,
}
_NEEDS = {
    Drill.ANNOUNCED: Rule.MULTIPLE_PIECE,
    Drill.CONVERSION: Rule.COLOUR_CHIPS,
    Drill.STATUSES: Rule.SUPER_BONUS,
}


def drills_of(game: Game) -> list[Drill]:
    return [
        drill for drill in Drill if drill not in _NEEDS or game.provides(_NEEDS[drill])
    ]


def question(game: str | Game, drill: Drill, level: int, seed: int) -> DrillQuestion:
    return _task(game, drill, level, seed).question


def mark(
    game: str | Game, drill: Drill, level: int, seed: int, answer: DrillAnswer
) -> DrillMark:
    return _task(game, drill, level, seed).mark(answer)


def _task(game: str | Game, drill: Drill, level: int, seed: int) -> DrillTask:
    found = as_game(game)
    if drill not in drills_of(found):
        raise NoSuchQuestion(f"{found.title} has no drill {drill.value}")
    if not 1 <= level <= LEVELS:
        raise NoSuchQuestion(f"the level must be from 1 to {LEVELS}, not {level}")
    return _TASKS[drill](Draw(found, drill, level, seed))
