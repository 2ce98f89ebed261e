"""A table for tests: acts in, the series and its records kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from croupier.rules import commands as do
from croupier.rules.buckets import BucketMap
from croupier.rules.clause import Refusal, Rule
from croupier.rules.decisions import decide_act
from croupier.rules.events import SettledWager
from croupier.rules.game import Game, Settings
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import RoundOfPlay
from croupier.rules.series import Answer, Recorded, Series, apply_recorded, begin_round
from croupier.rules.terms import Limits
from croupier.rules.wheel import Number
from tests.values import field_names

DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
RNG = Person("RNG", Role.RNG)


@dataclass(frozen=True)
class Chips:
    """A wager as a test writes it."""

    wager_id: str
    player: str
    wager: str
    cents: int | None


class Table:
    """Rounds played through the core, act by act."""

    def __init__(
        self, game: Game, limits: Limits | None = None, settings: Settings | None = None
    ) -> None:
        self.game = game
        self.series = Series(game, limits or Limits(), settings or Settings())
        self.records: list[Recorded] = []

    @property
    def current(self) -> RoundOfPlay:
        return self.series.current

    def keep(self, records: Iterable[Recorded]) -> None:
        for record in records:
            self.series = apply_recorded(self.series, record)
            self.records.append(record)

    def begin(self) -> None:
        self.keep(begin_round(self.series))

    def ask(self, act: do.Act) -> Answer:
        """The act judged and, unless refused, recorded."""
        answer = decide_act(self.series, act)
        if not isinstance(answer, Refusal):
            self.keep(answer)
        return answer

    def do(self, person: Person, command: do.Command) -> None:
        """An act that the rules accept."""
        answer = self.ask(do.Act((person,), command))
        assert not isinstance(answer, Refusal), answer

    def lay(self, chips: Chips) -> None:
        """Chips on the layout, or at a terminal where there is no felt."""
        self.do(
            Person(chips.player, Role.PLAYER),
            do.PlaceWager(
                wager_id=chips.wager_id,
                player=chips.player,
                wager=read_wager(chips.wager, self.game.multiples),
                stake_cents=chips.cents,
                electronic=not self.game.provides(Rule.CHIPS_ON_LAYOUT),
            ),
        )

    def conclude(self, number: str, drawn: Iterable[str] = ()) -> None:
        """From the spin to the last payment."""
        self.do(DEALER, do.SpinBall())
        self.do(DEALER, do.NoMoreBets())
        if self.game.provides(Rule.BONUS_DRAW):
            self.do(RNG, do.DrawBonusNumbers(tuple(Number(n) for n in drawn)))
        self.do(DEALER, do.AnnounceOutcome(Number(number)))
        self.do(DEALER, do.Settle())

    def play(
        self, wagers: Iterable[Chips], number: str, drawn: Iterable[str] = ()
    ) -> tuple[SettledWager, ...]:
        """A whole round; its wagers as settled."""
        self.begin()
        self.do(DEALER, do.PlaceYourBets())
        for chips in wagers:
            self.lay(chips)
        self.conclude(number, drawn)
        return self.settled()

    def settled(self) -> tuple[SettledWager, ...]:
        settled = self.current.settled
        assert settled is not None
        return settled.wagers


def picture(value: object) -> object:
    """All that a state holds, as plain tuples: another state's must be equal."""
    kind = type(value)
    if kind not in _TAKERS:
        _TAKERS[kind] = _taker(kind)
    taken = _TAKERS[kind]
    return value if taken is None else taken(value)


_TAKERS: dict[type[Any], Callable[[Any], object] | None] = {}


def _taker(kind: type[Any]) -> Callable[[Any], object] | None:
    """How the picture of values of a kind is taken; None if they are their own."""
    if issubclass(kind, Game):
        return id
    if issubclass(kind, BucketMap):
        return lambda value: _items(sorted(value.items(), key=itemgetter(0)))
    if issubclass(kind, Mapping):
        return lambda value: _items(value.items())
    if issubclass(kind, tuple):
        return lambda value: tuple([picture(each) for each in value])
    if names := field_names(kind):
        name = kind.__name__
        return lambda value: (name, *[picture(getattr(value, n)) for n in names])
    return None


def _items(items: Iterable[tuple[object, object]]) -> tuple[object, ...]:
    return tuple([(key, picture(held)) for key, held in items])
