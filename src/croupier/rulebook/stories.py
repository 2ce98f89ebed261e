"""Short rounds of play that end differently in two games.

A story is a plain round with up to two further acts of the notation. Stories are found
by trying; none is written for a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from croupier.rulebook.endings import Observed, observe
from croupier.rules.clause import Rule
from croupier.rules.game import Finales, FixedPieces, Game, Irregularity
from croupier.rules.notation import is_at_maximum

_OPENING = "Dealer: place your bets"
_ROUND = (
    "round",
    _OPENING,
    "Anna: LAY 17 STAKE as w1",
    "Dealer: spin",
    "Dealer: no more bets",
    "RNG: bonus numbers 1 2 5 9 13 18 21 25 29 33",
    "Dealer: outcome NUMBER",
    "Dealer: settle",
)
_DRAWER = "RNG: "
_LIMITS = "limits * 5 100"
_ACTS = (
    "system: power failure",
    "system: interruption round",
    "Dealer: no spin",
    "Dealer: ball dropped",
    "Dealer: ball at rest 17",
    "Dealer: spin 3",
    "Ben: lay red 20 as w2",
    "Ben: place red 20 as w2",
    "Anna: increase w1 5",
    "Anna: withdraw w1",
    "Dealer for Anna: lay red 20 as w2",
    "Pit Manager: allow early close",
    "Dealer: unclear w1",
    "Pit Supervisor: rule w1 return",
    "Pit Supervisor: settle",
    "Joe acting Pit Supervisor: rule w1 return",
    "Dealer: colour blue to Anna 10",
    "Dealer: colour blue to Anna 10 marked",
    "system: display 18",
    "Dealer + Pit Supervisor: correct round 1 to 18",
    "Gaming Shift Manager: decide void",
    "Table Games Shift Manager: decide void",
    "Dealer: unlit 1",
    "Table Games Shift Manager: void rounds 1 ball_broke",
    "system: interruption terminals T1",
    *(f"Dealer: irregularity {each.value}" for each in Irregularity),
)
_CAUSES = tuple(
    each for each in _ACTS if each.split(": ")[1].startswith(("power", "unclear"))
)
"""Acts that can change the answer to a later act."""


@dataclass(frozen=True, slots=True)
class Story:
    """The same acts in two games, with the result in each."""

    lines: tuple[str, ...]
    before: Observed
    after: Observed

    def in_game(self, game: Game) -> Observed:
        return _played(game, self.lines)

    def told(self, seen: Observed) -> str:
        """Return one game's answer to the act that parts the games, and its end."""
        return "; ".join(filter(None, [seen.answers[self.parts_at], seen.ending]))

    @property
    def parts_at(self) -> int:
        pairs = zip(self.before.answers, self.after.answers, strict=True)
        differing = [n for n, (one, two) in enumerate(pairs) if bool(one) != bool(two)]
        return differing[0] if differing else len(self.lines) - 1


def stories(one: Game, two: Game) -> Iterator[Story]:
    """Yield the stories that end differently in the two games, the shortest first."""
    for lines in _every_story(one, two):
        before, after = _played(one, lines), _played(two, lines)
        if before.seen != after.seen:
            yield Story(lines, before, after)


def _played(game: Game, lines: tuple[str, ...]) -> Observed:
    """Play the lines; skip the draw in a game without Bonus Numbers."""
    is_drawn = game.provides(Rule.BONUS_DRAW)
    return observe(
        game, [e if is_drawn or not e.startswith(_DRAWER) else "" for e in lines]
    )


def _every_story(one: Game, two: Game) -> Iterator[tuple[str, ...]]:
    draws = any(game.provides(Rule.BONUS_DRAW) for game in (one, two))
    laid = all(game.provides(Rule.CHIPS_ON_LAYOUT) for game in (one, two))
    told: Callable[..., tuple[str, ...]] = cache(
        lambda stake, number: _told(stake, number, is_laid=laid, is_drawn=draws)
    )
    plain = told("10", "17")
    for number in ("17", "0"):
        for wager in _wagers(one, two):
            stake = "" if is_at_maximum(wager) else " 10"
            lines = told("10", number) if stake else (_LIMITS, *told("10", number))
            act = f"Ben: {_word(laid)} {wager}{stake} as w2"
            yield _with(lines, lines.index(_OPENING) + 2, act)
    yield from _with_an_act(plain)
    yield tuple(each for each in plain if each != "Dealer: spin")
    for stake in ("3", "200"):
        single = (_LIMITS, *told(stake, "17"))
        yield single
        yield (*single, *plain)
        yield (*single, *told(stake, "17"))
    early = list(plain)
    early.insert(early.index("Dealer: spin"), early.pop(early.index(_CLOSE)))
    yield tuple(early)
    yield from _with_an_act(early)
    for act in _ACTS:
        yield _with((_LIMITS, *plain), 2, act)
        yield _with((*plain, *plain), len(plain) + 2, act)
    yield from _with_two_acts(plain)


def _with_an_act(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for act in _ACTS:
        for place in _places(lines):
            yield _with(lines, place, act)


def _with_two_acts(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for first, second in combinations(range(3, len(lines) + 1), 2):
        for cause in _CAUSES:
            for act in _ACTS:
                yield _with(_with(lines, second, act), first, cause)


_CLOSE = "Dealer: no more bets"


def _places(lines: Sequence[str]) -> list[int]:
    """Return the places for an act: after the close, then earlier, then later."""
    closed = lines.index(_CLOSE) + 1
    return [*range(closed, 1, -1), *range(closed + 1, len(lines) + 1)]


def _told(stake: str, number: str, *, is_laid: bool, is_drawn: bool) -> tuple[str, ...]:
    lines = (
        line.replace("LAY", _word(is_laid))
        .replace("STAKE", stake)
        .replace("NUMBER", number)
        for line in _ROUND
    )
    return tuple(each for each in lines if is_drawn or not each.startswith(_DRAWER))


def _word(is_laid: bool) -> str:
    return "lay" if is_laid else "place"


def _with(lines: Sequence[str], place: int, act: str) -> tuple[str, ...]:
    return (*lines[:place], act, *lines[place:])


def _wagers(one: Game, two: Game) -> Iterator[str]:
    """Yield a wager of each type; areas of only one game come first."""
    known = [game.area_by_name for game in (one, two)]
    names = dict.fromkeys(name for each in known for name in each)
    alone = [name for name in names if any(name not in each for each in known)]
    kinds: dict[str, str] = {}
    for name in (*alone, *names):
        kinds.setdefault(name.partition(":")[0] + str(name in alone), name)
    yield from kinds.values()
    for word, (_, multiple) in {**one.multiples, **two.multiples}.items():
        named = {FixedPieces: "", Finales: ":4"}.get(type(multiple), ":17")
        yield f"{word}{named}"
