"""Drills on payouts to a winning Player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from croupier.learn.question import (
    Draw,
    DrillAnswer,
    DrillQuestion,
    DrillTask,
    Form,
    PayChip,
    Phrase,
    PlayerHeap,
    rule_of,
)
from croupier.learn.table import (
    PLAYERS,
    course,
    draw_bonus,
    inside_areas,
    wager_lines,
)
from croupier.rules.clause import Rule
from croupier.rules.events import SettledPiece
from croupier.rules.game import Game
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.wheel import Number
from croupier.transcript.practice import PracticeTable

_SECONDS = (30, 25, 20, 20, 15)
_UNITS = (100, 200, 500, 1000, 2500)
_SMALLEST = 100
_CASH = (100_000, 50_000, 10_000, 2_500, 500, 100)


def pay_task(draw: Draw) -> DrillTask:
    """Ask for the payout of one Player's chips on and around a number."""
    game, random = draw.game, draw.random()
    winning, heaps, units = _scene(draw, random)
    bonus = draw_bonus(game, random)
    player = random.choice(sorted({heap.player for heap in heaps}))
    pieces = settled_pieces(game, heaps, winning, bonus)[player]
    paid = [piece for piece in pieces if piece.paid_cents]
    question = DrillQuestion(
        game=game.name,
        drill=draw.drill,
        level=draw.level,
        seed=draw.seed,
        asks=Phrase("pay", {"player": player}),
        form=Form.MONEY,
        seconds=_SECONDS[draw.level - 1],
        facts=tuple(
            Phrase("unit", {"player": p, "cents": u}) for p, u in units.items()
        ),
        heaps=heaps,
        winning=winning,
        bonus_numbers=bonus,
    )
    due = sum(piece.paid_cents for piece in paid)
    lines = [*_pay_lines(paid), Phrase("sum", {"cents": due})]
    if due % units[player] == 0:
        lines.append(Phrase("in_pieces", {"count": due // units[player]}))
    lines += _picture(game, winning, paid)
    clause = game.clause(Rule.PAY_TABLE)
    return DrillTask(
        question, DrillAnswer(cents=due), tuple(lines), clause, rule_of(game, clause)
    )


def settled_pieces(
    game: Game, heaps: Sequence[PlayerHeap], winning: Number, bonus: Sequence[Number]
) -> dict[str, list[SettledPiece]]:
    """Play the round and return the settled pieces of each Player."""
    table = PracticeTable(game)
    table.place_your_bets()
    for line in [*wager_lines(game, heaps), *course(winning, bonus)]:
        table.act(line)
    assert table.state.settled is not None
    found: dict[str, list[SettledPiece]] = {}
    for wager in table.state.settled.wagers:
        found.setdefault(wager.player, []).extend(wager.pieces)
    return found


def _pay_lines(paid: Sequence[SettledPiece]) -> list[Phrase]:
    """Write the winning pieces; equal ones of a type share a line with their count."""
    kinds = Counter(
        (piece.area.partition(":")[0], piece.stake_cents, piece.paid_cents)
        for piece in paid
    )
    return [
        Phrase(
            "piece",
            {
                "type": kind,
                "count": count,
                "cents": stake,
                "pays": pays // stake,
                "paid": pays * count,
            },
        )
        for (kind, stake, pays), count in kinds.items()
    ]


def _picture(
    game: Game, winning: Number, paid: Sequence[SettledPiece]
) -> Iterator[Phrase]:
    """Yield the key of a picture bet: equal heaps on every area of some types."""
    around = Counter(area.wager_type.value for area in inside_areas(game, winning))
    stakes: dict[str, list[int]] = {}
    for piece in paid:
        stakes.setdefault(piece.area.partition(":")[0], []).append(piece.stake_cents)
    whole = {
        kind: cents[0]
        for kind, cents in stakes.items()
        if len(cents) == around[kind] and len(set(cents)) == 1
    }
    if len(paid) > 1 and len(whole) == len(stakes) and len(set(whole.values())) == 1:
        count = sum(piece.paid_cents for piece in paid) // paid[0].stake_cents
        kinds = " ".join(whole)
        yield Phrase("picture", {"types": kinds, "number": winning, "count": count})


def _scene(
    draw: Draw, random: Random
) -> tuple[Number, tuple[PlayerHeap, ...], dict[str, int]]:
    """Draw a winning number, the chips, and the value of each Player's chips."""
    game, level = draw.game, draw.level
    winning = random.choice(game.numbers)
    around = inside_areas(game, winning)
    names = list(PLAYERS)[: 1 if level < 3 else 3]
    units = dict(zip(names, random.sample(_UNITS, len(names)), strict=True))
    heaps: list[PlayerHeap] = []
    for name in names:
        areas, most = _covered(around, level, random), 1 if level == 1 else 4
        # From level 4 on, heaps are equal and make a picture bet.
        counts = (
            [random.randint(1, most) for _ in areas]
            if level < 4
            else [random.randint(1, most)] * len(areas)
        )
        for area, count in zip(areas, counts, strict=True):
            cents = units[name] * count
            heaps.append(PlayerHeap(area.name, name, cents, PLAYERS[name]))
    if level >= 3:
        heaps += _losers(game, winning, names, units, random)
    return winning, tuple(heaps), units


def _covered(
    around: Sequence[BettingArea], level: int, random: Random
) -> Sequence[BettingArea]:
    if level == 1:
        return [random.choice(around)]
    if level < 4:
        return random.sample(around, min(len(around), random.randint(2, 3)))
    if level == 4:
        return around
    shapes = {WagerType.STRAIGHT_UP, WagerType.SPLIT, WagerType.CORNER}
    return [area for area in around if area.wager_type in shapes] or around


def _losers(
    game: Game,
    winning: Number,
    names: Sequence[str],
    units: dict[str, int],
    random: Random,
) -> list[PlayerHeap]:
    others = [
        area
        for area in game.areas
        if area.numbers and winning not in area.numbers and len(area.numbers) <= 6
    ]
    chosen = random.sample(others, 3)
    return [
        PlayerHeap(area.name, name, units[name] * random.randint(1, 3), PLAYERS[name])
        for area, name in zip(chosen, names, strict=False)
    ]


def conversion_task(draw: Draw) -> DrillTask:
    """Ask for the chips that pay a sum, in the Player's colour and in cash chips."""
    game, random, level = draw.game, draw.random(), draw.level
    winning, heaps, units = _scene(draw, random)
    bonus = draw_bonus(game, random)
    player = random.choice(sorted(units))
    pieces = settled_pieces(game, heaps, winning, bonus)[player]
    due = sum(piece.paid_cents for piece in pieces) or 35 * units[player]
    colour = PayChip(units[player], PLAYERS[player])
    cash = tuple(PayChip(cents) for cents in _CASH if cents <= max(due, _SMALLEST))
    # At the last level the two largest cash chips are missing from the bank.
    cash = cash[2:] if level == 5 and len(cash) > 3 else cash
    chips = cash if level == 1 else (colour, *cash)
    question = DrillQuestion(
        game=game.name,
        drill=draw.drill,
        level=level,
        seed=draw.seed,
        asks=Phrase("convert", {"player": player, "cents": due}),
        form=Form.STACKS,
        seconds=(20, 20, 25, 25, 25)[level - 1],
        facts=(Phrase("unit", {"player": player, "cents": units[player]}),),
        chips=chips,
    )
    stacks = _fewest(chips, due)
    lines = tuple(
        Phrase(
            "stack",
            {"count": count, "chip": chips[at].cents, "cents": count * chips[at].cents},
        )
        for at, count in enumerate(stacks)
        if count
    )
    rule = Rule.COLOUR_CHIPS
    return DrillTask(
        question,
        DrillAnswer(cents=due, stacks=stacks),
        lines,
        game.clause(rule),
        rule_of(game, game.clause(rule)),
    )


def _fewest(chips: Sequence[PayChip], due: int) -> tuple[int, ...]:
    """Return the count of each chip that makes the sum with the fewest chips."""
    best: dict[int, tuple[int, int]] = {0: (0, -1)}
    for cents in range(_SMALLEST, due + 1, _SMALLEST):
        ways = [
            (best[cents - chip.cents][0] + 1, at)
            for at, chip in enumerate(chips)
            if cents - chip.cents in best
        ]
        if ways:
            best[cents] = min(ways)
    stacks = [0] * len(chips)
    while due:
        at = best[due][1]
        stacks[at] += 1
        due -= chips[at].cents
    return tuple(stacks)
