"""The training room: questions and their marks; nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Annotated, Concatenate, ParamSpec, TypeVar

import msgspec
from msgspec import Meta

from croupier.games import all_games, find_game
from croupier.house.people import staff
from croupier.house.people.authority import HouseAct
from croupier.learn import (
    AssessedResult,
    Drill,
    DrillAnswer,
    DrillMark,
    DrillQuestion,
    GivenAnswer,
    NoSuchQuestion,
    assessment,
    drills_of,
    mark,
    mark_round,
    question,
)
from croupier.learn.assessment import MOST_SPINS
from croupier.learn.question import LEVELS
from croupier.web.api.base import HouseApi, Name
from croupier.web.endpoint import Body
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("learn")
_ROOM = ThreadPoolExecutor(1, "learn")
"""One thread for all trainees, so that they leave the tables their processor time."""
P = ParamSpec("P")
T = TypeVar("T")
Level = Annotated[int, Meta(ge=1, le=LEVELS)]
Seed = Annotated[int, Meta(ge=0, le=2**31)]
Spins = Annotated[int, Meta(ge=1, le=MOST_SPINS)]


async def _asked(
    judge: Callable[Concatenate[str, P], T],
    game: str,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Judge in the trainees' thread; raise 404 if there is no such question."""
    name = find_game(game).name
    try:
        judged = partial(judge, name, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(_ROOM, judged)
    except NoSuchQuestion as error:
        raise ApiError(404, WebReason.NO_SUCH_QUESTION(why=str(error))) from error


class LearnGame(msgspec.Struct, frozen=True):
    game: str
    title: str
    drills: tuple[Drill, ...]


@api("GET /api/learn")
async def list_drills(request: HouseRequest) -> list[LearnGame]:  # noqa: ARG001
    """List the games with the drills that their data can fill."""
    return [
        LearnGame(game.name, game.document, tuple(drills_of(game)))
        for game in all_games()
    ]


@api("GET /api/learn/{game}/{drill}", errors={404})
async def show_question(
    request: HouseRequest,  # noqa: ARG001
    *,
    game: Name,
    drill: Drill,
    level: Level = 1,
    seed: Seed = 0,
) -> DrillQuestion:
    """Show the question of a game, drill, level and seed."""
    return await _asked(question, game, drill, level, seed)


class DrillAnswerBody(Body, frozen=True, kw_only=True):
    level: Level
    seed: Seed
    answer: DrillAnswer


@api("POST /api/learn/{game}/{drill}", errors={404})
async def mark_answer(
    request: HouseRequest,  # noqa: ARG001
    body: DrillAnswerBody,
    *,
    game: Name,
    drill: Drill,
) -> DrillMark:
    """Mark an answer by the rules of the game."""
    return await _asked(mark, game, drill, body.level, body.seed, body.answer)


class MomentShown(msgspec.Struct, frozen=True):
    """One question of an assessed round."""

    spin: int
    criterion: str
    question: DrillQuestion


@api("GET /api/learn/{game}", errors={404}, is_large=True)
async def show_assessment(
    request: HouseRequest,  # noqa: ARG001
    *,
    game: Name,
    seed: Seed,
    spins: Spins = 20,
) -> list[MomentShown]:
    """Show every question of an assessed round, in order."""
    moments = await _asked(assessment, game, seed, spins)
    return [
        MomentShown(each.spin, each.criterion.value, each.task.question)
        for each in moments
    ]


class AnswersBody(Body, frozen=True, kw_only=True):
    """Every answer of an assessed round, in order."""

    seed: Seed
    spins: Spins
    given: Annotated[tuple[GivenAnswer, ...], Meta(max_length=20 * MOST_SPINS)]


@api("POST /api/learn/{game}", errors={404})
async def mark_assessment(
    request: HouseRequest,  # noqa: ARG001
    body: AnswersBody,
    *,
    game: Name,
) -> AssessedResult:
    """Mark the answers of an assessed round."""
    return await _asked(mark_round, game, body.seed, body.spins, body.given)


class TrainingBody(AnswersBody, frozen=True, kw_only=True):
    """The file of an assessed round, as the trainee has kept it."""

    game: Name


@api("POST /api/staff/{name}/training", auth=STAFF, tag="staff", errors={404})
async def file_training(
    request: HouseRequest, body: TrainingBody, *, name: Name
) -> AssessedResult:
    """Record the result of an assessed round for a member of staff.

    The house marks the answers itself, and records the result with their digest.
    """
    request.must(HouseAct.VOUCH)
    result = await _asked(mark_round, body.game, body.seed, body.spins, body.given)
    await request.in_house(staff.file_training, name, result)
    return result
