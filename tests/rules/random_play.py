"""Random tables, people, commands and rounds: a seed alone gives the same again.

A round runs its course most of the time, by the right people, with other acts in
between: mishaps by those who may report them, or wild acts of any kind by anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from croupier.games import find_game
from croupier.rules import commands as do
from croupier.rules.clause import Rule
from croupier.rules.game import (
    Complete,
    CompleteDozen,
    Finales,
    FinaleZero,
    FixedPieces,
    Game,
    Irregularity,
    Neighbours,
    Settings,
)
from croupier.rules.layout import WagerType
from croupier.rules.notation import AreaText, MultipleText, WagerText, read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.terms import Limit, Limits
from croupier.rules.wheel import LAYOUT_ORDER, Number, in_layout_order
from croupier.transcript import Transcript, TranscriptLine
from tests.values import replaced

PLAYERS = ("Anna", "Ben", "Cara")
COLOURS = ("blue", "pink", "green")
TERMINALS = ("T1", "T2", "T3")
IDS = tuple(f"w{place}" for place in range(1, 9))

T = TypeVar("T")

seeds = st.integers(0, 2**48)
"""Of which every random plan below is made."""


@dataclass(frozen=True)
class Plan:
    """A table and the acts of its rounds, not yet judged."""

    game: Game
    limits: Limits
    settings: Settings
    rounds: tuple[tuple[do.Act, ...], ...]

    def transcript(self) -> Transcript:
        """The same as a transcript that has been read."""
        rounds = tuple(
            tuple(
                TranscriptLine(place, "", type(act.command).__name__, act, None)
                for place, act in enumerate(acts, start=1)
            )
            for acts in self.rounds
        )
        return Transcript(self.game, self.limits, self.settings, rounds)


def sensible_plan(name: str, seed: int) -> Plan:
    """One to three rounds with up to two mishaps in each."""
    return _Planner(find_game(name), Random(seed)).plan(2, wild=False)


def wild_plan(name: str, seed: int) -> Plan:
    """One to three rounds with up to 25 mishaps and wild acts in each."""
    return _Planner(find_game(name), Random(seed)).plan(25, wild=True)


def wild_acts(name: str, seed: int, count: int) -> list[do.Act]:
    """Acts of any kind, without any course."""
    planner = _Planner(find_game(name), Random(seed))
    return [planner.wild_act() for _ in range(count)]


@cache
def wager_names(name: str) -> tuple[str, ...]:
    """Every area and every multiple-piece wager of a game, as it is written."""
    game = find_game(name)
    return (*game.area_by_name, *multiple_names(name))


@cache
def multiple_names(name: str) -> tuple[str, ...]:
    game = find_game(name)
    return tuple(
        written
        for _, multiple in game.multiples.values()
        for written in _written(game, multiple)
    )


def _written(game: Game, multiple: object) -> list[str]:
    match multiple:
        case FixedPieces(word=word):
            return [word]
        case Neighbours(word=word, radii=(_,)):
            return [f"{word}:{n}" for n in game.numbers]
        case Neighbours(word=word, radii=radii):
            return [f"{word}:{n}:{radius}" for n in game.numbers for radius in radii]
        case Finales(word=word):
            return [f"{word}:{digit}" for digit in range(10)]
        case Complete(word=word):
            dozens = [f"{word}:dozen:{k}" for k in (1, 2, 3)]
            return [*(f"{word}:{n}" for n in game.numbers), *dozens]
    raise AssertionError(multiple)


def person(role: Role) -> Person:
    """Staff and devices as a transcript names them."""
    return Person(role.value, role)


DEALER, SYSTEM, RNG = person(Role.DEALER), person(Role.SYSTEM), person(Role.RNG)


def area_text(text: str) -> AreaText:
    read = read_wager(text)
    assert isinstance(read, AreaText)
    return read


class _Dice:
    """What any random value is made of."""

    def __init__(self, game: Game, random: Random) -> None:
        self.game = game
        self.random = random

    def one(self, some: Sequence[T]) -> T:
        return some[self.random.randrange(len(some))]

    def some(self, choices: Sequence[T], most: int) -> tuple[T, ...]:
        return tuple(self.one(choices) for _ in range(self.random.randint(0, most)))

    def is_one_in(self, many: int) -> bool:
        return self.random.randrange(many) == 0

    def cents(self) -> int:
        """Few and many, so that limits are met from both sides."""
        return 50 * self.random.randint(1, self.one((4, 20, 100, 300)))

    def number(self) -> Number:
        return self.one(self.game.numbers)

    def ten(self) -> tuple[Number, ...]:
        """Ten numbers, often whole links or one of each."""
        links = [list(link) for link in self.game.layout.links]
        self.random.shuffle(links)
        match self.random.randrange(3):
            case 0:
                return tuple(n for link in links for n in link)[:10]
            case 1:
                return tuple(self.one(link) for link in links)
        return tuple(self.random.sample(self.game.numbers, 10))

    def limits(self) -> Limits:
        kinds = self.some(list(WagerType), 4)
        general = None if self.is_one_in(3) else self._limit()
        if self.is_one_in(3):
            return Limits()
        return Limits(general, {kind: self._limit() for kind in kinds})

    def _limit(self) -> Limit:
        least = 100 * self.random.randint(0, 20)
        return Limit(least, max(100, least + 100 * self.random.randint(0, 60)))

    def settings(self) -> Settings:
        caps: dict[WagerType | None, int] = {}
        if self.is_one_in(4):
            for kind in self.some([None, *WagerType], 3):
                caps[kind] = self.random.randint(100, 30_000)
        ring = None
        if "ring" in self.game.settings and self.is_one_in(2):
            ring = tuple(self.random.sample(self.game.numbers, len(self.game.numbers)))
        settings = Settings(area_maximum_cents=caps, ring=ring)
        if "complete_dozen" in self.game.settings:
            settings = replace(settings, complete_dozen=self.one(list(CompleteDozen)))
        if "finale_zero" in self.game.settings:
            settings = replace(settings, finale_zero=self.one(list(FinaleZero)))
        return settings

    def wager_name(self) -> str:
        """Often one of a few areas, so that wagers meet on them."""
        multiples = multiple_names(self.game.name)
        match self.random.randrange(4):
            case 0:
                return self.game.areas[self.random.randrange(3)].name
            case 1 if multiples:
                word = self.one(list(self.game.multiples))
                return self.one([n for n in multiples if n.split(":")[0] == word])
        return self.one(list(self.game.area_by_name))

    def treatment(self) -> do.Treatment:
        match self.random.randrange(3):
            case 0:
                return do.ReturnIt()
            case 1:
                return do.GiveAmount(self.cents())
        return do.GivePosition(area_text(self.one(list(self.game.area_by_name))))

    def decision(self) -> do.DecideOutcome | do.DecideVoid | do.DecideWager:
        match self.random.randrange(4):
            case 0:
                return do.DecideOutcome(self.number())
            case 1:
                return do.DecideVoid()
            case 2:
                return do.DecideWager(self.one(IDS), do.GiveTo(self.one(PLAYERS)))
        return do.DecideWager(self.one(IDS), self.treatment())

    def drawn(self) -> tuple[Number, ...]:
        return self.ten() if self.game.layout.links else ()


class _Sensible(_Dice):
    """Acts that those who do them may do."""

    def placing(self, wager_id: str) -> do.Act:
        """A Player's own wager, in the way that the game provides for."""
        electronic = not self.game.provides(Rule.CHIPS_ON_LAYOUT)
        player, wager = self.one(PLAYERS), self.wager_name()
        at_maximum = wager.startswith("complete_maximum")
        in_colour = not electronic and not at_maximum and self.is_one_in(6)
        command = do.PlaceWager(
            wager_id=wager_id,
            player=player,
            wager=read_wager(wager),
            stake_cents=None if at_maximum or in_colour else self.cents(),
            electronic=electronic or self.is_one_in(6),
            registered=not electronic or not self.is_one_in(6),
            terminal=self.one(TERMINALS) if electronic else None,
            colour=COLOURS[0] if in_colour else None,
            colour_chips=self.random.randint(1, 20) if in_colour else 0,
        )
        return do.Act((Person(player, Role.PLAYER),), command)

    def wagering(self, first: int) -> list[do.Act]:
        """Some wagers, each perhaps increased or withdrawn again."""
        acts: list[do.Act] = []
        for place in range(self.random.randint(0, 4)):
            wager_id = f"w{first + place}"
            placing = self.placing(wager_id)
            player = placing.person.name
            acts.append(placing)
            for _ in range(self.random.randrange(3)):
                raised = do.IncreaseWager(wager_id, player, self.cents())
                acts.append(do.Act(placing.people, raised))
            if self.is_one_in(5):
                acts.append(do.Act((DEALER,), do.MarkUnclear(wager_id)))
            if self.is_one_in(5):
                withdrawn = do.WithdrawWager(wager_id, player)
                acts.append(do.Act(placing.people, withdrawn))
        return acts

    def course(self) -> list[do.Act]:
        """A round from its opening to its settlement."""
        acts = [do.Act((DEALER,), do.PlaceYourBets()), *self.wagering(1)]
        acts += [do.Act((DEALER,), do.SpinBall()), *self.wagering(5)]
        acts.append(do.Act((DEALER,), do.NoMoreBets()))
        if self.game.provides(Rule.BONUS_DRAW):
            acts.append(do.Act((RNG,), do.DrawBonusNumbers(self.ten())))
        acts.append(do.Act((DEALER,), do.AnnounceOutcome(self.number())))
        for wager_id in self.some(IDS, 2):
            ruling = do.RuleOnWager(wager_id, self.treatment())
            acts.append(do.Act((person(Role.PIT_SUPERVISOR),), ruling))
        return [*acts, do.Act((DEALER,), do.Settle())]

    def mishap(self) -> do.Act:
        """What may go wrong or come in between, by those who may say so."""
        boss = person(self.game.operator.ladder[-1])
        issue = do.IssueColour(
            COLOURS[0],
            self.one(PLAYERS),
            self.cents(),
            do.ValueMarker.MARKER,
            do.MarkerPlace.BANK,
        )
        rounds = tuple(self.random.randint(1, 3) for _ in range(2))
        choices: list[tuple[tuple[Person, ...], do.Command]] = [
            ((DEALER,), do.ReportIrregularity(self.one(list(Irregularity)))),
            ((DEALER,), do.AnnounceNoSpin()),
            ((SYSTEM,), do.ReportPowerFailure()),
            ((SYSTEM,), do.ReportRoundInterrupted()),
            ((SYSTEM,), do.ReportTerminalsInterrupted(self.some(TERMINALS, 2))),
            ((SYSTEM,), do.ShowDisplay(self.number())),
            ((DEALER,), do.SpinBall(self.random.randint(0, 6))),
            ((DEALER,), do.ReportUnlit(self.number())),
            ((DEALER,), do.ReportBallDropped()),
            ((DEALER,), do.ReportBallAtRest(self.number())),
            ((DEALER,), do.MarkUnclear(self.one(IDS))),
            ((boss,), do.RuleOnWager(self.one(IDS), self.treatment())),
            ((boss,), do.DecideOutcome(self.number())),
            ((boss,), do.DecideVoid()),
            ((boss,), do.DecideWager(self.one(IDS), self.treatment())),
            ((boss,), do.DecideContinue()),
            ((boss,), do.DecideRound(rounds[0], self.decision())),
            ((DEALER, boss), do.CorrectBall(self.number())),
            ((DEALER, boss), do.CorrectBonusNumbers(rounds[0], self.drawn())),
            ((boss,), do.AllowEarlyClose()),
            ((boss,), do.VoidRounds(rounds, Irregularity.BALL_BROKE)),
            ((DEALER, boss), do.CorrectOutcome(rounds[0], self.number())),
            ((DEALER,), issue),
        ]
        who, command = self.one(choices)
        return do.Act(who, command)


class _Planner(_Sensible):
    """Whole tables; and acts of any kind, by anybody, of anything."""

    def plan(self, most: int, *, wild: bool) -> Plan:
        rounds: list[tuple[do.Act, ...]] = []
        for _ in range(self.random.randint(1, 3)):
            acts = self.course()
            for _ in range(self.random.randint(0, self.one((2, most // 3, most)))):
                is_wild = wild and self.is_one_in(2)
                act = self.wild_act() if is_wild else self.mishap()
                acts.insert(self.random.randint(0, len(acts)), act)
            rounds.append(tuple(acts))
        return Plan(self.game, self.limits(), self.settings(), tuple(rounds))

    def wild_act(self) -> do.Act:
        """By one or two people; half the time by the rightful ones."""
        command = WILD[self.one(_KINDS)](self)
        if self.is_one_in(2):
            return do.Act(
                tuple(self._person() for _ in range(self.one((1, 1, 2)))), command
            )
        match command:
            case do.PlaceWager() | do.IncreaseWager() | do.WithdrawWager():
                player = command.player or PLAYERS[0]
                own = replaced(command, player=player)
                return do.Act((Person(player, Role.PLAYER),), own)
            case (
                do.DecideOutcome()
                | do.DecideVoid()
                | do.DecideWager()
                | do.DecideContinue()
                | do.DecideRound()
            ):
                return do.Act((person(self.game.operator.ladder[-1]),), command)
            case do.RuleOnWager():
                return do.Act((person(Role.PIT_SUPERVISOR),), command)
            case do.VoidRounds():
                return do.Act((person(Role.TABLE_GAMES_SHIFT_MANAGER),), command)
            case do.ReportSensor():
                return do.Act((person(Role.SENSOR),), command)
            case (
                do.CorrectOutcome()
                | do.CorrectBall()
                | do.CorrectBonusNumbers()
                | do.AnswerReport()
            ):
                return do.Act((DEALER, person(Role.PIT_SUPERVISOR)), command)
        return do.Act((DEALER,), command)

    def _person(self) -> Person:
        role = self.one(list(Role))
        match self.random.randrange(3):
            case 0:
                return Person(self.one(PLAYERS), Role.PLAYER)
            case 1:
                return person(role)
        return Person(self.one(("Ann", "Bo", "x" * 40)), role, self.is_one_in(2))

    def any_player(self) -> str:
        return self.one((*PLAYERS, *PLAYERS, "Nobody", "x" * 40))

    def any_id(self) -> str:
        return self.one((*IDS, *IDS, "nobody", "x" * 40))

    def any_number(self) -> Number:
        odd = [Number(n) for n in ("37", "-1", "0000", "\uff11\uff17", "s")]
        return self.one((*self.game.numbers, *LAYOUT_ORDER, *odd))

    def any_count(self) -> int:
        return self.one((0, 1, 2, 3, 4, 5, 99, 10**9, 10**18, -1, -(10**18)))

    def any_report(self) -> do.ReportSensor:
        ball = ("spun", "dropped", "at_rest")
        fact = self.one((*ball, *ball, "exploded", *(i.value for i in Irregularity)))
        number = self.one((None, self.any_number(), self.one(self.game.numbers)))
        count = self.one((None, self.any_count(), 3, 6))
        return do.ReportSensor(fact, number, count, self.one((None, True, False)))

    def any_cents(self) -> int:
        return (
            self.one((1, 10**9, 10**15, 10**18)) if self.is_one_in(4) else self.cents()
        )

    def any_wager(self) -> WagerText:
        numbers = self.random.sample(LAYOUT_ORDER, self.one((1, 2, 3, 4, 6, 41)))
        match self.random.randrange(6):
            case 0:
                return AreaText(self.one([None, *WagerType]), in_layout_order(numbers))
            case 1:
                index = self.one(("", "1", "4", "99"))
                return AreaText(self.one(list(WagerType)), (), index)
            case 2:
                word = self.one((*_WORDS, "jeu", "x"))
                arguments = self.some(("17", "dozen", "1", "3", "", "00", "9", "x"), 4)
                return MultipleText(word, arguments)
            case 3:
                return read_wager(self.one(_EVERY_NAME))
        return read_wager(self.wager_name())

    def any_treatment(self) -> do.Treatment:
        wager = self.any_wager()
        if isinstance(wager, AreaText) and self.is_one_in(2):
            return do.GivePosition(wager)
        return (
            do.GiveAmount(self.any_cents()) if self.is_one_in(2) else self.treatment()
        )

    def any_placing(self) -> do.PlaceWager:
        in_colour = self.is_one_in(4)
        return do.PlaceWager(
            wager_id=self.any_id(),
            player=None if self.is_one_in(8) else self.any_player(),
            wager=self.any_wager(),
            stake_cents=self.one((None, 0, -5, *(self.any_cents() for _ in range(9)))),
            electronic=self.is_one_in(2),
            registered=not self.is_one_in(6),
            terminal=self.one((None, *TERMINALS)),
            colour=self.one(COLOURS) if in_colour else None,
            colour_chips=self.random.randint(-2, 200) if in_colour else 0,
            marker=not self.is_one_in(6),
            chips_cents=self.any_cents() if self.is_one_in(6) else None,
        )

    def any_draw(self) -> tuple[Number, ...]:
        if self.is_one_in(2):
            return tuple(self.random.sample(self.game.numbers, self.one((9, 10, 11))))
        return tuple(self.any_number() for _ in range(self.random.randint(0, 12)))

    def any_issue(self) -> do.IssueColour:
        return do.IssueColour(
            self.one(COLOURS),
            self.any_player(),
            self.any_cents(),
            self.one([None, *do.ValueMarker]),
            self.one([None, *do.MarkerPlace]),
        )

    def any_voiding(self) -> do.VoidRounds:
        reason = self.one([*Irregularity, Irregularity.BALL_BROKE])
        rounds = tuple(self.any_count() for _ in range(self.random.randint(0, 3)))
        return do.VoidRounds(rounds, reason)


_WORDS = ("tiers", "neighbours", "finales", "complete", "complete_maximum")
_EVERY_NAME = sorted(
    {
        *wager_names("mbs-complete-bet-v2"),
        *wager_names("mbs-fast-action-v2"),
        *wager_names("rws-triple-zero"),
    }
)
WILD: Mapping[type[do.Command], Callable[[_Planner], do.Command]] = {
    do.PlaceYourBets: lambda _: do.PlaceYourBets(),
    do.AllowEarlyClose: lambda _: do.AllowEarlyClose(),
    do.SpinBall: lambda any_: do.SpinBall(any_.one((None, None, any_.any_count()))),
    do.NoMoreBets: lambda _: do.NoMoreBets(),
    do.DrawBonusNumbers: lambda any_: do.DrawBonusNumbers(any_.any_draw()),
    do.ReportUnlit: lambda any_: do.ReportUnlit(any_.any_number()),
    do.ReportBallDropped: lambda _: do.ReportBallDropped(),
    do.ReportBallAtRest: lambda any_: do.ReportBallAtRest(any_.any_number()),
    do.ReportSensor: lambda any_: any_.any_report(),
    do.AnnounceOutcome: lambda any_: do.AnnounceOutcome(any_.any_number()),
    do.Settle: lambda _: do.Settle(),
    do.PlaceWager: lambda any_: any_.any_placing(),
    do.IncreaseWager: lambda any_: do.IncreaseWager(
        any_.any_id(),
        any_.one((None, any_.any_player(), any_.any_player())),
        any_.any_cents(),
    ),
    do.WithdrawWager: lambda any_: do.WithdrawWager(
        any_.any_id(), any_.one((None, any_.any_player(), any_.any_player()))
    ),
    do.MarkUnclear: lambda any_: do.MarkUnclear(any_.any_id()),
    do.RuleOnWager: lambda any_: do.RuleOnWager(any_.any_id(), any_.any_treatment()),
    do.ReportIrregularity: lambda any_: do.ReportIrregularity(
        any_.one(list(Irregularity))
    ),
    do.AnnounceNoSpin: lambda _: do.AnnounceNoSpin(),
    do.ReportPowerFailure: lambda _: do.ReportPowerFailure(),
    do.ReportRoundInterrupted: lambda _: do.ReportRoundInterrupted(),
    do.ReportTerminalsInterrupted: lambda any_: do.ReportTerminalsInterrupted(
        any_.some((*TERMINALS, ""), 3)
    ),
    do.ShowDisplay: lambda any_: do.ShowDisplay(any_.any_number()),
    do.DecideOutcome: lambda any_: do.DecideOutcome(any_.any_number()),
    do.DecideVoid: lambda _: do.DecideVoid(),
    do.DecideWager: lambda any_: do.DecideWager(any_.any_id(), any_.any_treatment()),
    do.IssueColour: lambda any_: any_.any_issue(),
    do.ReturnColour: lambda any_: do.ReturnColour(any_.one(COLOURS), any_.any_player()),
    do.CorrectOutcome: lambda any_: do.CorrectOutcome(
        any_.any_count(), any_.any_number()
    ),
    do.VoidRounds: lambda any_: any_.any_voiding(),
    do.DecideContinue: lambda _: do.DecideContinue(),
    do.DecideRound: lambda any_: do.DecideRound(any_.any_count(), any_.decision()),
    do.CorrectBall: lambda any_: do.CorrectBall(any_.any_number()),
    do.AnswerReport: lambda any_: do.AnswerReport(
        any_.one(list(Irregularity)), any_.is_one_in(2)
    ),
    do.CorrectBonusNumbers: lambda any_: do.CorrectBonusNumbers(
        any_.any_count(), any_.any_draw()
    ),
}
"""A maker for every kind of command."""
_KINDS = [
    *WILD,
    *([do.PlaceWager] * 5),
    *([do.IncreaseWager] * 2),
    *([do.ReportSensor] * 3),
]
