"""Drills on procedure and irregularities: choose the act in a situation.

The round so far is a random walk through lawful acts. There are three kinds of
question.

- *Report*: something happens that only the Dealer sees. The round is played on twice,
  with the report of the fact and with the chosen act, and the ends are compared:
  status, number and money. The core cannot see the ball, so it can accept a wrong
  act; a statement of a fact that the Dealer does not see is always wrong.
- *Consequence*: is a given act taken or refused, or is the round void or held?
- *Person*: who may do a given act?
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from croupier.learn.limits import choice_task
from croupier.learn.question import (
    AnswerVerdict,
    Draw,
    DrillAnswer,
    DrillQuestion,
    DrillTask,
    Form,
    OptionMark,
    Phrase,
    rule_of,
)
from croupier.learn.table import (
    amount,
    course,
    draw_bonus,
    ending,
    heaps_on,
    laying,
    replay,
    standing_clause,
)
from croupier.rules.clause import Clause, Rule, RuleViolation
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.transcript.practice import PracticeTable

_SECONDS = (10, 10, 10, 15, 15)
_ENDS = ("taken", "refused", "void", "held")
_OPTIONS = 5
_REPORT = "Dealer: irregularity "
_DROPPED = "Dealer: ball dropped"
_AT_REST = ("Dealer: ball at rest ", "Dealer: outcome ")


def procedure_task(draw: Draw) -> DrillTask:
    """Ask for an act, a consequence or a person, by level."""
    random = draw.random()
    kinds = {
        1: (_report_task,),
        2: (_report_task, _consequence_task),
        3: (_person_task,),
        4: (_silent_task,),
        5: (_aside_task, _person_task),
    }
    return random.choice(kinds[draw.level])(draw, random)


class Walk:
    """A round in progress: the table, and the acts that led there."""

    def __init__(self, game: Game, random: Random) -> None:
        self.game, self.random = game, random
        self.winning: Number = random.choice(game.numbers)
        self.other: Number = random.choice(
            [number for number in game.numbers if number != self.winning]
        )
        self.bonus = draw_bonus(game, random)
        self.table = PracticeTable(game)
        self.acts: list[str] = []
        self.players = random.sample(("Anna", "Ben"), 2)
        self.steps = self._steps(self.players)
        """The acts of an undisturbed round, in order."""
        self.spun = self.steps.index("Dealer: spin")
        self.settling = self.steps.index("Dealer: settle")

    def _steps(self, players: Sequence[str]) -> list[str]:
        word, stakes = laying(self.game), (500, 1000, 2000)
        areas = self.random.sample([area.name for area in self.game.areas], 2)
        lays = [
            f"{name}: {word} {area} {amount(self.random.choice(stakes))} as w{place}"
            for place, (name, area) in enumerate(zip(players, areas, strict=True), 1)
        ]
        lines = course(self.winning, self.bonus)
        dropped = [_DROPPED] if self.random.random() < 0.5 else []
        return ["Dealer: place your bets", *lays, *lines[:-3], *dropped, *lines[-3:]]

    def go(self, count: int, *, asides: int = 0) -> Walk:
        """Take the first `count` steps, with acts beside the course between them."""
        at = {self.random.randint(1, max(1, count)) for _ in range(asides)}
        for place, line in enumerate(self.steps[:count], 1):
            self.take(line)
            if place in at:
                self.take(self.random.choice(self.beside()))
        return self

    def take(self, line: str) -> None:
        self.acts += replay(self.table, [line])

    def beside(self) -> list[str]:
        """Return acts outside the normal course of a round."""
        top = self.game.operator.ladder[-1].value
        return [
            *(_REPORT + each.value for each in Irregularity),
            "Dealer: no spin",
            "system: power failure",
            "Pit Manager: allow early close",
            "Dealer: unclear w1",
            "Anna: increase w1 5",
            "Ben: withdraw w2",
            f"{top}: decide void",
            f"{top}: decide continue",
            f"{top}: decide outcome {self.winning}",
            "Pit Supervisor: rule w1 return",
            f"Dealer + Pit Supervisor: correct ball to {self.other}",
            f"Dealer + Pit Supervisor: correct round 1 to {self.other}",
            f"Anna: {laying(self.game)} {self.game.areas[0].name} 10 as w9",
            f"Dealer for Ben: {laying(self.game)} {self.game.areas[0].name} 10 as w8",
        ]

    def next_acts(self) -> list[str]:
        return [*self.steps, *self.beside()]

    def console(self) -> list[str]:
        """Return the acts of the Dealer's console, always in the same order."""
        numbers = sorted((self.winning, self.other), key=self.game.numbers.index)
        return [
            "Dealer: place your bets",
            "Dealer: spin",
            "Dealer: no more bets",
            _DROPPED,
            *(said + number for said in _AT_REST for number in numbers),
            "Dealer: settle",
            "Dealer: no spin",
            *(_REPORT + each.value for each in Irregularity),
        ]

    def question(
        self,
        draw: Draw,
        asks: Phrase,
        facts: Sequence[Phrase],
        options: Sequence[Phrase],
    ) -> DrillQuestion:
        return DrillQuestion(
            game=self.game.name,
            drill=draw.drill,
            level=draw.level,
            seed=draw.seed,
            asks=asks,
            form=Form.CHOICE,
            seconds=_SECONDS[draw.level - 1],
            facts=tuple(facts),
            acts=tuple(self.acts),
            heaps=heaps_on(self.table),
            winning=self.table.state.winning_number,
            bonus_numbers=self.table.state.facts.bonus_numbers or (),
            options=tuple(options),
        )


def _report_task(draw: Draw, random: Random) -> DrillTask:
    walk = Walk(draw.game, random)
    # At level 2 the fact may come late: after the rest, or after the announcement.
    latest = walk.settling - (2 if draw.level == 1 else 0)
    walk.go(random.randint(walk.spun + 1, latest))
    listed = [each for each in Irregularity if each is not Irregularity.UNLISTED]
    return report_task(draw, walk, random.choice(listed))


def report_task(draw: Draw, walk: Walk, fact: Irregularity) -> DrillTask:
    """Ask for the act on a fact that only the Dealer sees."""
    truth = _REPORT + fact.value
    acts = {
        "Dealer: no spin",
        "Dealer: irregularity unlisted",
        *(line for line in walk.steps if line.startswith("Dealer: ")),
    }
    others = walk.random.sample(sorted(acts - {truth}), _OPTIONS - 1)
    offered = walk.random.sample([truth, *others], _OPTIONS)
    return act_task(draw, walk, truth, Phrase("happens", {"fact": fact.value}), offered)


def act_task(
    draw: Draw, walk: Walk, truth: str, seen: Phrase, offered: Sequence[str]
) -> DrillTask:
    """Ask for the right act if the Dealer sees `seen`; `truth` is right."""
    played = _PlayedOn(walk, truth, offered)
    clause = standing_clause(played.true_end) or _taken_by(walk, truth)
    options = [Phrase("act", {"line": act}) for act in offered]
    question = walk.question(draw, Phrase("report"), [seen], options)
    due = DrillAnswer(choice=offered.index(truth))
    return DrillTask(question, due, (), clause, rule_of(draw.game, clause), played)


class _PlayedOn(Sequence[OptionMark]):
    """The consequences of the offered acts.

    Reading one plays the rest of the round, so an assessed round plays on only with
    the acts that were chosen.
    """

    def __init__(self, walk: Walk, truth: str, acts: Sequence[str]) -> None:
        self._table = walk.table.fork()
        self._rest = course(walk.winning, walk.bonus)
        self._truth, self._acts = truth, acts
        self.true_end = self._end_after(truth)

    def __len__(self) -> int:
        return len(self._acts)

    def __getitem__(self, place: int) -> OptionMark:  # type: ignore[override]
        act = self._acts[place]
        try:
            self._table.fork().act(act)
        except RuleViolation as refused:
            return OptionMark(AnswerVerdict.WRONG, Phrase("refused"), refused.clause)
        end = self._end_after(act)
        status, *_ = ending(end)
        if act == self._truth:
            verdict = AnswerVerdict.RIGHT
        elif ending(end) == ending(self.true_end) and not _is_false(act, self._truth):
            verdict = AnswerVerdict.ALSO
        else:
            verdict = AnswerVerdict.WRONG
        return OptionMark(verdict, Phrase(f"ends_{status}"), standing_clause(end))

    def _end_after(self, act: str) -> PracticeTable:
        table = self._table.fork()
        replay(table, [act, *self._rest])
        return table


def _is_false(act: str, truth: str) -> bool:
    """Return whether the act states a fact that the Dealer does not see."""
    if truth.startswith(_AT_REST):  # the ball has dropped, and its number is known
        return act.startswith(_REPORT)
    return act.startswith((_REPORT, _DROPPED, *_AT_REST))


def _consequence_task(draw: Draw, random: Random) -> DrillTask:
    walk = Walk(draw.game, random)
    walk.go(random.randint(1, len(walk.steps)))
    return consequence_task(draw, walk, random.choice(walk.next_acts()))


def consequence_task(draw: Draw, walk: Walk, line: str) -> DrillTask:
    """Ask for the consequence of an act: taken, refused, round void or round held."""
    end, clause = _end_of(walk, line)
    options = [Phrase(each) for each in _ENDS]
    question = walk.question(
        draw, Phrase("consequence"), [Phrase("act", {"line": line})], options
    )
    return choice_task(draw.game, question, _ENDS.index(end), clause)


def _end_of(walk: Walk, line: str) -> tuple[str, Clause]:
    table = walk.table.fork()
    before = standing_clause(table)
    try:
        table.act(line)
    except RuleViolation as refused:
        return "refused", refused.clause
    clause = standing_clause(table)
    if clause is None or clause == before:
        return "taken", walk.game.clause(Rule.REFERRAL) if clause else _taken_by(
            walk, line
        )
    return ("held" if table.state.phase is Phase.HELD else "void"), clause


def _taken_by(walk: Walk, line: str) -> Clause:
    """Return the clause that provides the act; for a wager, the clause of placing."""
    words = {
        "place your bets": Rule.OPENING,
        "spin": Rule.SPIN,
        "no more bets": Rule.CLOSING,
        "bonus numbers": Rule.BONUS_DRAW,
        "allow early close": Rule.EARLY_CLOSE,
        "outcome": Rule.OUTCOME,
        "ball": Rule.OUTCOME,
        "settle": Rule.SETTLING,
        "rule": Rule.RULING,
        "unclear": Rule.RULING,
        "correct": Rule.CORRECTION,
        "decide": Rule.REFERRAL,
        "power failure": Rule.POWER_FAILURE_CONTINUES,
    }
    said = line.partition(": ")[2]
    found = (rule for word, rule in words.items() if said.startswith(word))
    return walk.game.clause(next(found, Rule.WAGERS))


def _silent_task(draw: Draw, random: Random) -> DrillTask:
    """Ask for a consequence that follows from a reading or a referral."""
    referral = draw.game.clause(Rule.REFERRAL)
    for _ in range(200):
        walk = Walk(draw.game, random)
        walk.go(random.randint(1, len(walk.steps)))
        line = random.choice(walk.next_acts())
        end, clause = _end_of(walk, line)
        if end != "taken" and (clause.number[0] == "A" or clause == referral):
            return consequence_task(draw, walk, line)
    return _consequence_task(draw, random)


def _aside_task(draw: Draw, random: Random) -> DrillTask:
    walk = Walk(draw.game, random)
    walk.go(random.randint(2, len(walk.steps)), asides=2)
    return consequence_task(draw, walk, random.choice(walk.next_acts()))


def _person_task(draw: Draw, random: Random) -> DrillTask:
    """Ask who may do an act; every permitted person is a right answer."""
    game = draw.game
    while True:
        walk = Walk(game, random)
        walk.go(random.randint(0, len(walk.steps)), asides=draw.level == 5)
        said = random.choice(walk.next_acts()).partition(": ")[2]
        task = person_task(draw, walk, said)
        if task is not None:
            return task


def person_task(draw: Draw, walk: Walk, said: str) -> DrillTask | None:
    """Ask who may do the act; return None if everyone or no one may."""
    game = draw.game
    ladder = [role.value for role in game.operator.ladder]
    people = [Role.PLAYER.value, *ladder, f"{ladder[0]} + {ladder[1]}"]
    names = {Role.PLAYER.value: "Anna"}
    found: list[OptionMark] = []
    cited: Clause | None = None
    for person in people:
        try:
            walk.table.fork().act(f"{names.get(person, person)}: {said}")
        except RuleViolation as refused:
            cited = cited or refused.clause
            found.append(
                OptionMark(AnswerVerdict.WRONG, Phrase("refused"), refused.clause)
            )
        else:
            found.append(OptionMark(AnswerVerdict.RIGHT, Phrase("taken")))
    right = [at for at, each in enumerate(found) if each.verdict is AnswerVerdict.RIGHT]
    if not right or len(right) == len(found) or cited is None:
        return None
    question = walk.question(
        draw,
        Phrase("person"),
        [Phrase("said", {"line": said})],
        [Phrase("position", {"position": person}) for person in people],
    )
    rule = rule_of(game, cited)
    return DrillTask(
        question, DrillAnswer(choice=right[0]), (), cited, rule, tuple(found)
    )
