"""Questions of the training room, their answers and their marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from random import Random
from typing import Annotated

from msgspec import Meta, Struct

from croupier.errors import CroupierError
from croupier.rules.clause import Clause
from croupier.rules.game import Game
from croupier.rules.wheel import Number

LEVELS = 5


@unique
class Drill(Enum):
    PAYOUTS = "payouts"
    ANNOUNCED = "announced"
    CONVERSION = "conversion"
    STATUSES = "statuses"
    LIMITS = "limits"
    PROCEDURE = "procedure"


@unique
class Form(Enum):
    """The shape of an answer."""

    MONEY = "money"
    PIECES = "pieces"
    STACKS = "stacks"
    CHOICE = "choice"


@unique
class AnswerVerdict(Enum):
    RIGHT = "right"
    ALSO = "also"
    """The round ends the same way, but by another clause."""
    WRONG = "wrong"


class Phrase(Struct, frozen=True):
    """A sentence as data: the pages write it in the reader's language."""

    code: str
    values: Mapping[str, str | int] = {}


class PlayerHeap(Struct, frozen=True):
    """One Player's chips on one area."""

    area: str
    player: str
    cents: int
    colour: str | None = None


class PayChip(Struct, frozen=True):
    """A kind of chip for payments."""

    cents: int
    colour: str | None = None


class DrillQuestion(Struct, frozen=True, kw_only=True):
    game: str
    drill: Drill
    level: int
    seed: int
    asks: Phrase
    form: Form
    seconds: int
    facts: tuple[Phrase, ...] = ()
    acts: tuple[str, ...] = ()
    """The round so far, as a transcript writes it."""
    heaps: tuple[PlayerHeap, ...] = ()
    winning: Number | None = None
    bonus_numbers: tuple[Number, ...] = ()
    chips: tuple[PayChip, ...] = ()
    options: tuple[Phrase, ...] = ()


Count = Annotated[int, Meta(ge=0, le=10**6)]


class DrillAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The learner's answer; each form of question uses its own fields."""

    cents: Annotated[int, Meta(ge=0, le=10**12)] | None = None
    pieces: dict[str, Count] = {}
    """For an announced bet: the number of pieces on each area."""
    stacks: tuple[Count, ...] = ()
    """For a payment: the number of each chip of the question."""
    choice: Count | None = None


class OptionMark(Struct, frozen=True):
    """The verdict on one option, with its consequence and clause."""

    verdict: AnswerVerdict
    says: Phrase
    clause: Clause | None = None


class DrillMark(Struct, frozen=True, kw_only=True):
    verdict: AnswerVerdict
    due: DrillAnswer
    """A right answer."""
    lines: tuple[Phrase, ...] = ()
    """The calculation, a line for each step."""
    clause: Clause | None = None
    rule: str = ""
    """The clause in our own words."""
    consequences: tuple[OptionMark, ...] = ()
    """For a choice: the consequence of each option."""


class DrillTask(Struct, frozen=True):
    """A question together with the marks of its right answers."""

    question: DrillQuestion
    due: DrillAnswer
    lines: tuple[Phrase, ...] = ()
    clause: Clause | None = None
    rule: str = ""
    consequences: Sequence[OptionMark] = ()

    def mark(self, answer: DrillAnswer) -> DrillMark:
        return DrillMark(
            verdict=self.verdict(answer),
            due=self.due,
            lines=self.lines,
            clause=self.clause,
            rule=self.rule,
            consequences=tuple(self.consequences),
        )

    def verdict(self, answer: DrillAnswer) -> AnswerVerdict:
        match self.question.form:
            case Form.CHOICE:
                chosen = answer.choice
                if chosen is None or not 0 <= chosen < len(self.consequences):
                    return AnswerVerdict.WRONG
                return self.consequences[chosen].verdict
            case Form.STACKS:
                return self._verdict_on_stacks(answer.stacks)
        laid = {area: count for area, count in answer.pieces.items() if count}
        is_right = answer.cents == self.due.cents and laid == self.due.pieces
        return AnswerVerdict.RIGHT if is_right else AnswerVerdict.WRONG

    def _verdict_on_stacks(self, stacks: Sequence[int]) -> AnswerVerdict:
        """Accept all chips that make the sum; only the fewest are right."""
        chips = self.question.chips
        made = sum(
            chip.cents * count for chip, count in zip(chips, stacks, strict=False)
        )
        if len(stacks) != len(chips) or made != self.due.cents:
            return AnswerVerdict.WRONG
        fewest = sum(stacks) == sum(self.due.stacks)
        return AnswerVerdict.RIGHT if fewest else AnswerVerdict.ALSO


class NoSuchQuestion(CroupierError):
    """The game has no such drill, or the drill no such level."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The input of a drill: its game, level and seed."""

    game: Game
    drill: Drill
    level: int
    seed: int

    def random(self) -> Random:
        """Return the question's own random generator, seeded by all four inputs."""
        place = f"{self.game.name} {self.drill.value} {self.level} {self.seed}"
        return Random(place)  # noqa: S311 -- no money hangs on it


def rule_of(game: Game, clause: Clause) -> str:
    """Return our words for the clause; empty for a reading without a row."""
    found = (row.says for row in game.clauses if row.number == clause.number)
    return next(found, "")
