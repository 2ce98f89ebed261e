"""The training room: questions from a game's own data, marked by its own rules.

Nothing here is written for one game, and nothing is stored. A question is determined by
its game, drill, level and seed, and so are its marks.
"""

from croupier.learn.assessment import (
    AssessedResult,
    GivenAnswer,
    assessment,
    mark_round,
)
from croupier.learn.drills import drills_of, mark, question
from croupier.learn.question import (
    AnswerVerdict,
    Drill,
    DrillAnswer,
    DrillMark,
    DrillQuestion,
    NoSuchQuestion,
)

__all__ = [
    "AnswerVerdict",
    "AssessedResult",
    "Drill",
    "DrillAnswer",
    "DrillMark",
    "DrillQuestion",
    "GivenAnswer",
    "NoSuchQuestion",
    "assessment",
    "drills_of",
    "mark",
    "mark_round",
    "question",
]
