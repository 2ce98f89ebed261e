"""Drills with one right choice: chips outside the limits, and Bonus statuses."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from croupier.learn.question import (
    AnswerVerdict,
    Draw,
    DrillAnswer,
    DrillQuestion,
    DrillTask,
    Form,
    OptionMark,
    Phrase,
    PlayerHeap,
    rule_of,
)
from croupier.learn.table import (
    PLAYERS,
    amount,
    course,
    draw_bonus,
    inside_areas,
    wager_lines,
)
from croupier.rules.bonus import Outcome, status_of
from croupier.rules.clause import Clause, Rule, RuleViolation
from croupier.rules.game import Game, Status
from croupier.rules.layout import WagerType
from croupier.rules.wheel import Number
from croupier.transcript.practice import PracticeTable

_MINIMUM, _MAXIMUM = 500, 10_000
_SECONDS = (20, 20, 20, 15, 15)


def choice_task(
    game: Game, question: DrillQuestion, right: int, clause: Clause
) -> DrillTask:
    """Return a task with one right option; each other option is wrong."""
    consequences = tuple(
        OptionMark(AnswerVerdict.RIGHT if at == right else AnswerVerdict.WRONG, says)
        for at, says in enumerate(question.options)
    )
    due, rule = DrillAnswer(choice=right), rule_of(game, clause)
    return DrillTask(question, due, (), clause, rule, consequences)


def limits_task(draw: Draw) -> DrillTask:
    """Ask for the result of chips outside the limits."""
    game, random, level = draw.game, draw.random(), draw.level
    covered = random.choice(game.numbers)
    area = random.choice(inside_areas(game, covered))
    is_over = level == 1 or random.random() < 0.5
    bound = _MAXIMUM if is_over else _MINIMUM
    stake = bound * random.randint(2, 4) if is_over else random.choice((100, 200))
    others = [number for number in game.numbers if number not in area.numbers]
    wins = random.random() < 0.7
    outcome = covered if wins else random.choice(others)
    rounds = 1 if is_over or level < 3 else random.randint(1, 2)
    heap = PlayerHeap(area.name, "Anna", stake, PLAYERS["Anna"])
    bonus = draw_bonus(game, random)
    limit = f"* {amount(_MINIMUM)} {amount(_MAXIMUM)}"
    ending = course(outcome, bonus)
    found, clause = _play(PracticeTable(game, limits=[limit]), heap, ending, rounds)
    plain, _ = _play(PracticeTable(game), heap, ending, 1)
    verb, cents = plain.code, int(plain.values["cents"])
    options = [
        Phrase("refused"),
        Phrase("returned"),
        Phrase(verb, {"cents": cents}),
        Phrase(verb, {"cents": cents * bound // stake}),
    ]
    random.shuffle(options)
    question = DrillQuestion(
        game=game.name,
        drill=draw.drill,
        level=level,
        seed=draw.seed,
        asks=Phrase("limits", {"player": "Anna"}),
        form=Form.CHOICE,
        seconds=_SECONDS[level - 1],
        facts=(
            Phrase("limit", {"minimum": _MINIMUM, "maximum": _MAXIMUM}),
            Phrase("times", {"count": rounds}),
        ),
        heaps=(heap,),
        winning=outcome,
        bonus_numbers=bonus,
        options=tuple(options),
    )
    return choice_task(game, question, options.index(found), clause)


def _play(
    table: PracticeTable, heap: PlayerHeap, ending: Sequence[str], rounds: int
) -> tuple[Phrase, Clause]:
    """Play the rounds; return the wager's result in the last one, and the clause."""
    [line] = wager_lines(table.game, [heap])
    for _ in range(rounds):
        table.place_your_bets()
        try:
            table.act(line)
        except RuleViolation as refused:
            return Phrase("refused"), refused.clause
        for act in ending:
            table.act(act)
    assert table.state.settled is not None
    piece = table.state.settled.wagers[0].pieces[0]
    clause = table.game.cite(piece.clause)
    if piece.paid_cents:
        return Phrase("paid", {"cents": piece.paid_cents}), clause
    if piece.collected_cents:
        return Phrase("collected", {"cents": piece.collected_cents}), clause
    return Phrase("returned"), clause


def status_task(draw: Draw) -> DrillTask:
    """Ask for the pay of a straight-up under this draw of Bonus Numbers."""
    game, random, level = draw.game, draw.random(), draw.level
    winning, bonus = _drawn(game, random, level)
    status = status_of(game, Outcome(winning, frozenset(bonus)))
    pays = game.pay_table[WagerType.STRAIGHT_UP]
    assert not isinstance(pays, int)
    options = tuple(Phrase(each.value, {"pays": pays[each]}) for each in Status)
    question = DrillQuestion(
        game=game.name,
        drill=draw.drill,
        level=level,
        seed=draw.seed,
        asks=Phrase("status", {"number": winning}),
        form=Form.CHOICE,
        seconds=_SECONDS[level - 1],
        heaps=(PlayerHeap(f"straight_up:{winning}", "Anna", 1000, PLAYERS["Anna"]),),
        winning=winning,
        bonus_numbers=bonus,
        options=options,
    )
    rule = Rule.BONUS_DRAW if status is Status.NON_BONUS else Rule.PAY_TABLE
    clause = game.clause(Rule.SUPER_BONUS if status is Status.SUPER_BONUS else rule)
    return choice_task(game, question, list(Status).index(status), clause)


def _drawn(game: Game, random: Random, level: int) -> tuple[Number, tuple[Number, ...]]:
    """Draw numbers so that every status occurs; by chance, full links are rare."""
    count = game.row(Rule.BONUS_DRAW).amount
    if level == 1 or random.random() < 0.3:
        return random.choice(game.numbers), draw_bonus(game, random)
    link = random.choice(game.layout.links)
    # From level 3 on, a link may lack only one number.
    lit = link if random.random() < 0.6 or level < 3 else link[:-1]
    rest = [number for number in game.numbers if number not in link]
    bonus = [*lit, *random.sample(rest, count - len(lit))]
    random.shuffle(bonus)
    return random.choice(link), tuple(bonus)
