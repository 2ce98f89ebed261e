"""A short invented rule document, and a game with a row for each of its clauses."""

from __future__ import annotations

from dataclasses import replace

from croupier.games.mbs_fast_action_v2 import LINKS
from croupier.games.mbs_roulette_v3 import MBS_ROULETTE_V3
from croupier.games.operators import DEALER
from croupier.rules.clause import Rule
from croupier.rules.game import Game, row
from croupier.rules.layout import WagerType

TEXT = """
# HARBOUR WHEEL
Approved on a rainy day by Harbour Ltd. (“HL”), for its own tables.

1. Words	2

- 1.1 In this text:
- 1.1.1 **Lap** is one way round the track. It ends where it began.

2. Play
2.1 The wheel turns for four laps,
and then the ball rests.
2.2 In the event that:
2.2.1 the ball is lost; or
2.2.2 the wheel is lost,

the round is void and wagers go back.

Page 2 of 2
3.1 Wagers pay:

Name	Pays
One number (Straight Up)	35 to 1
Red	1 to 1

Appendix “A”
Kind	Where
Split Bet	On two numbers. On the line between them.
"""
ROWS = (
    row("1.1", says="The words."),
    row("1.1.1", Rule.REVOLUTIONS),
    row("2.1", Rule.SPIN, by=DEALER, amount=4),
    row("2.2", Rule.VOID_RETURNS),
    row("2.2.1", says="The ball is lost."),
    row("2.2.2", says="The wheel is lost."),
    row("3.1", Rule.PAY_TABLE, pays={WagerType.STRAIGHT_UP: 35, WagerType.RED: 1}),
    row("Appendix A: Split", Rule.BETTING_AREA, areas=(WagerType.SPLIT,)),
)
GAME: Game = replace(
    MBS_ROULETTE_V3, name="harbour-wheel", document="Harbour", clauses=ROWS
)
WITH_LINKS: Game = replace(GAME, layout=replace(GAME.layout, links=LINKS))
