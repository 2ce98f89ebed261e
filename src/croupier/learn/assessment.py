"""The assessed round: twenty spins with Players who err, and marks by criterion.

The game, the seed and the number of spins determine the whole assessment. Each moment
is a task of its own, and play always goes on with the right act: a mistake never stops
the round. So the same answers always give the same result and digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, unique
from functools import lru_cache
from hashlib import sha256
from itertools import cycle, islice
from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from croupier.games import as_game
from croupier.learn.announced import announced_task
from croupier.learn.drills import drills_of
from croupier.learn.limits import limits_task
from croupier.learn.payouts import pay_task
from croupier.learn.procedure import (
    Walk,
    act_task,
    consequence_task,
    person_task,
)
from croupier.learn.question import (
    AnswerVerdict,
    Draw,
    Drill,
    DrillAnswer,
    DrillQuestion,
    DrillTask,
    Form,
    NoSuchQuestion,
    Phrase,
)
from croupier.learn.table import laying
from croupier.rules.game import Game, Irregularity

MOST_SPINS = 60


@unique
class Criterion(Enum):
    ANNOUNCEMENTS = "announcements"
    ORDER = "order"
    PAYOUTS = "payouts"
    ANNOUNCED_BETS = "announced_bets"
    LATE_WAGERS = "late_wagers"
    LIMITS = "limits"
    IRREGULARITIES = "irregularities"
    DISPUTES = "disputes"
    PEOPLE = "people"


_EVENTS = (
    Criterion.LATE_WAGERS,
    Criterion.IRREGULARITIES,
    Criterion.LIMITS,
    Criterion.PEOPLE,
    Criterion.DISPUTES,
    Criterion.ANNOUNCED_BETS,
)
"""The events of the spins: each spin has one, in this order."""


class AssessedMoment(Struct, frozen=True):
    """One task of the assessed round."""

    spin: int
    criterion: Criterion
    task: DrillTask


class GivenAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer and its time in milliseconds."""

    answer: DrillAnswer
    ms: Annotated[int, Meta(ge=0, le=2**53)]


class MarkCount(Struct, frozen=True):
    right: int = 0
    late: int = 0
    """Answers that were right but too late: half a mark each."""
    wrong: int = 0


class Mistake(Struct, frozen=True):
    spin: int
    moment: int
    criterion: Criterion
    clause: str
    rule: str
    """The clause in our own words."""
    given: Phrase | None
    due: Phrase | None


class AssessedResult(Struct, frozen=True):
    """The marks of an assessed round."""

    game: str
    seed: int
    spins: int
    marks: Mapping[str, MarkCount]
    """Marks by criterion, without criteria that the game lacks."""
    mistakes: tuple[Mistake, ...]
    median_ms: int
    digest: str
    """SHA-256 of game, seed, spins and every answer."""

    @property
    def total(self) -> MarkCount:
        found = self.marks.values()
        return MarkCount(
            sum(each.right for each in found),
            sum(each.late for each in found),
            sum(each.wrong for each in found),
        )

    @property
    def percent(self) -> float:
        total = self.total
        most = total.right + total.late + total.wrong
        return 100 * (total.right + total.late / 2) / most


@lru_cache(maxsize=8)
def assessment(game: str | Game, seed: int, spins: int) -> tuple[AssessedMoment, ...]:
    """Return every moment of the assessed round, in order."""
    if not 1 <= spins <= MOST_SPINS:
        raise NoSuchQuestion(f"an assessed round has 1 to {MOST_SPINS} spins")
    found = as_game(game)
    random = Random(f"{found.name} {seed}")  # noqa: S311 -- no money hangs on it
    can_announce = Drill.ANNOUNCED in drills_of(found)
    known = [e for e in _EVENTS if can_announce or e is not Criterion.ANNOUNCED_BETS]
    events = cycle(random.sample(known, len(known)))
    return tuple(
        AssessedMoment(spin, criterion, task)
        for spin, event in zip(range(1, spins + 1), events, strict=False)
        for criterion, task in _spin(found, seed * MOST_SPINS + spin, event)
    )


def _spin(
    game: Game, seed: int, event: Criterion
) -> Iterator[tuple[Criterion, DrillTask]]:
    draw = Draw(game, Drill.PROCEDURE, 1, seed)
    walk = Walk(game, draw.random())
    disturbed_at = walk.random.randrange(walk.spun, walk.settling)
    for place, line in enumerate(walk.steps):
        if line.startswith("Dealer: "):
            is_said = "bets" in line or "outcome" in line
            criterion = Criterion.ANNOUNCEMENTS if is_said else Criterion.ORDER
            seen = _seen(walk, line)
            yield criterion, act_task(draw, walk, line, seen, walk.console())
        if line == "Dealer: settle":
            yield Criterion.PAYOUTS, pay_task(Draw(game, Drill.PAYOUTS, 3, seed))
        walk.take(line)
        if place == disturbed_at:
            yield from ((event, task) for task in _disturbance(draw, walk, event))
            if event in {Criterion.IRREGULARITIES, Criterion.DISPUTES}:
                return  # the round is void or held


_SEEN = {
    "place your bets": "clear",
    "spin": "bets_lie",
    "no more bets": "ball_runs",
    "ball dropped": "ball_drops",
    "settle": "to_settle",
}
"""The sight that calls for each act."""


def _seen(walk: Walk, line: str) -> Phrase:
    said = line.removeprefix("Dealer: ")
    if said in _SEEN:
        return Phrase(_SEEN[said])
    return Phrase("ball_rests", {"number": walk.winning})


def _disturbance(draw: Draw, walk: Walk, event: Criterion) -> Iterator[DrillTask]:
    """Yield the tasks of this spin's event."""
    game, random = walk.game, walk.random
    player, other = walk.players
    match event:
        case Criterion.IRREGULARITIES:
            facts = [each for each in Irregularity if each is not Irregularity.UNLISTED]
            fact = random.choice(facts).value
            truth, seen = (
                f"Dealer: irregularity {fact}",
                Phrase("happens", {"fact": fact}),
            )
            yield act_task(draw, walk, truth, seen, walk.console())
        case Criterion.DISPUTES:
            truth = "Dealer: irregularity unlisted"
            seen = Phrase("claims", {"player": other, "other": player})
            yield act_task(draw, walk, truth, seen, walk.console())
            walk.take(truth)
            yield from _persons(draw, walk, f"decide w1 to {other}")
        case Criterion.LATE_WAGERS:
            area = random.choice(game.areas).name
            late = (
                f"Chen: {laying(game)} {area} 5 as w9",
                f"{player}: increase w1 5",
                f"{player}: withdraw w1",
            )
            yield consequence_task(draw, walk, random.choice(late))
        case Criterion.LIMITS:
            yield limits_task(Draw(game, Drill.LIMITS, 3, draw.seed))
        case Criterion.ANNOUNCED_BETS:
            yield announced_task(Draw(game, Drill.ANNOUNCED, 2, draw.seed))
        case _:
            said = ("no spin", f"correct ball to {walk.other}", "irregularity unlisted")
            yield from _persons(draw, walk, *random.sample(said, 3))


def _persons(draw: Draw, walk: Walk, *said: str) -> Iterator[DrillTask]:
    """Ask who may do the first act that only some people may do."""
    tasks = (person_task(draw, walk, each) for each in said)
    yield from islice(filter(None, tasks), 1)


def _mistake(moment: AssessedMoment, place: int, answer: DrillAnswer) -> Mistake:
    task = moment.task
    return Mistake(
        spin=moment.spin,
        moment=place,
        criterion=moment.criterion,
        clause="" if task.clause is None else task.clause.number,
        rule=task.rule,
        given=_told(task.question, answer),
        due=_told(task.question, task.due),
    )


def _told(question: DrillQuestion, answer: DrillAnswer) -> Phrase | None:
    """Return the answer as a phrase, or None if nothing was chosen."""
    if question.form is not Form.CHOICE:
        return Phrase("sum", {"cents": answer.cents or 0})
    if answer.choice is None or answer.choice >= len(question.options):
        return None
    return question.options[answer.choice]


def mark_round(
    game: str | Game, seed: int, spins: int, given: Sequence[GivenAnswer]
) -> AssessedResult:
    """Mark the answers of an assessed round, one for each moment."""
    moments = assessment(game, seed, spins)
    if len(given) != len(moments):
        raise NoSuchQuestion(
            f"the round has {len(moments)} moments, and {len(given)} were answered"
        )
    counts: dict[str, dict[str, int]] = {}
    mistakes: list[Mistake] = []
    for place, (moment, each) in enumerate(zip(moments, given, strict=True)):
        is_late = each.ms > moment.task.question.seconds * 1000
        word = "late" if is_late else "right"
        if moment.task.verdict(each.answer) is AnswerVerdict.WRONG:
            word = "wrong"
            mistakes.append(_mistake(moment, place, each.answer))
        marks = counts.setdefault(moment.criterion.value, {})
        marks[word] = marks.get(word, 0) + 1
    name = as_game(game).name
    written = msgspec.json.encode([name, seed, spins, given], order="sorted")
    times = sorted(each.ms for each in given)
    return AssessedResult(
        game=name,
        seed=seed,
        spins=spins,
        marks={
            each.value: MarkCount(**counts[each.value])
            for each in Criterion
            if each.value in counts
        },
        mistakes=tuple(mistakes),
        median_ms=times[len(times) // 2],
        digest=sha256(written).hexdigest(),
    )
