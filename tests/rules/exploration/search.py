"""Explore the core exhaustively: all sequences of acts up to a depth, in every game.

The alphabet is small: a person of each position, two Players, three wagers, two
numbers, every kind of act. The search is breadth first. Sequences that lead to the same
state and the same record go on as one: all sequences up to the depth are judged, but a
step is judged once. `tools.soak.exploration` goes deeper and prints counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace

from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import Act, Settle
from croupier.rules.decisions import decide_act
from croupier.rules.game import Game
from croupier.rules.round import RoundOfPlay
from croupier.rules.series import (
    Answer,
    Series,
    apply_recorded,
    begin_round,
    end_round,
)
from croupier.rules.terms import Limit, Limits
from croupier.transcript import read_line
from tests.rules.exploration.course_laws import (
    COURSE_LAWS,
    a_void_round_takes_only_its_settlement,
    acts_that_fit_are_taken,
)
from tests.rules.exploration.due import MAXIMUM_CENTS, MINIMUM_CENTS
from tests.rules.exploration.people_laws import PEOPLE_LAWS
from tests.rules.exploration.record import Record, noted
from tests.rules.exploration.sensor_laws import SENSOR_LAWS
from tests.rules.exploration.step import Breach, Law, Step
from tests.rules.exploration.wager_laws import (
    WAGER_LAWS,
    nothing_moves_after_the_rest_or_the_close,
)
from tests.rules.tables import DEALER

LAWS: tuple[Law, ...] = (*COURSE_LAWS, *WAGER_LAWS, *PEOPLE_LAWS, *SENSOR_LAWS)
OF_REFUSALS: tuple[Law, ...] = (
    acts_that_fit_are_taken,
    a_void_round_takes_only_its_settlement,
    nothing_moves_after_the_rest_or_the_close,
)
"""The laws that say what is refused, or by which clause; a refusal changes nothing."""
TEN = "0 00 1 5 9 13 17 21 25 29"
OTHER_TEN = "0 00 1 5 9 13 18 21 25 29"
NEXT_ROUND = "round"
SETTLING = Act((DEALER,), Settle())
_BY_DEALER = (
    "place your bets",
    "spin",
    "spin 6",
    "spin 3",
    "no more bets",
    "ball dropped",
    "ball at rest 17",
    "outcome 17",
    "outcome 18",
    "settle",
    "unclear w1",
    "irregularity foreign_object",
    "irregularity ball_broke",
    "irregularity fewer_than_four_revolutions",
    "irregularity unlisted",
    "no spin",
)
_BY_SHIFT_MANAGER = (
    "decide outcome 17",
    "decide outcome 18",
    "decide void",
    "decide continue",
    "decide w1 return",
    "decide w1 amount 50",
    "decide round 1 outcome 18",
    "decide round 1 void",
    "decide round 1 w1 return",
    "decide round 1 w1 to Ben",
    "void rounds 1 ball_broke",
)
_BY_SUPERVISOR = ("rule w1 return", "rule w1 amount 30", "rule w1 18")
_BY_TWO = (
    "correct ball to 18",
    "reject fewer_than_four_revolutions",
    "uphold foreign_object",
    "correct round 1 to 18",
    f"correct round 1 bonus numbers {OTHER_TEN}",
)
_BY_SENSOR = (
    "spun 3",
    "dropped after 6",
    "at rest 17",
    "irregularity foreign_object",
)
_OTHERS = (
    "Dealer: uphold foreign_object",
    "Dealer: reject fewer_than_four_revolutions",
    "Pit Manager: allow early close",
    "Pit Manager: rule w1 amount 20",
    "Anna acting Dealer: irregularity person_interfered",
    "Anna acting Dealer: colour blue to Ben 5",
    "Anna acting Dealer: colour blue from Ben",
    "system: power failure",
    "system: interruption round",
    "system: interruption terminals T1",
    "system: display 5",
    f"RNG: bonus numbers {TEN}",
    "Dealer: unlit 17",
    "Dealer: correct round 1 to 18",
)
COURSE = (
    "Dealer: place your bets",
    "Anna: {word} 17 80 as w1",
    "Anna: {word} 17 40 as w2",
    "Ben: {word} 18 {small} as w3",
    "Dealer: spin",
    "Dealer: ball dropped",
    "Dealer: no more bets",
    f"RNG: bonus numbers {TEN}",
    "Dealer: ball at rest 17",
    "Dealer: outcome 17",
    "Dealer: settle",
    NEXT_ROUND,
    "Dealer: place your bets",
    "Ben: {word} 18 {small} as w3",
    "Dealer: spin",
    "Dealer: no more bets",
    f"RNG: bonus numbers {TEN}",
    "Dealer: outcome 18",
    "Dealer: settle",
)
"""Two rounds as they should be; the search begins after each of their acts."""
ALL_BEGINS = range(len(COURSE) + 1)
IN_FIRST_ROUND = range(COURSE.index(NEXT_ROUND) + 2)
IN_SECOND_ROUND = range(len(IN_FIRST_ROUND), len(ALL_BEGINS))


def alphabet(game: Game) -> dict[str, Act]:
    """Return the acts of the search, by their words."""
    top = game.operator.ladder[-1].value
    words = [
        "Anna: {word} 17 80 as w1",
        "Anna: {word} 17 40 as w2",
        "Ben: {word} 18 {small} as w3",
        "Anna: increase w1 10",
        "Anna: withdraw w1",
        *(f"Dealer: {each}" for each in _BY_DEALER),
        *(f"Pit Supervisor: {each}" for each in _BY_SUPERVISOR),
        *(f"{top}: {each}" for each in _BY_SHIFT_MANAGER),
        *(f"Dealer + Pit Supervisor: {each}" for each in _BY_TWO),
        *(f"sensor: {each}" for each in _BY_SENSOR),
        *_OTHERS,
    ]
    lines = [_filled(game, each) for each in words]
    return {line: read_line(game, line).act for line in lines}


def _filled(game: Game, line: str) -> str:
    """Write a wager as the game takes it: laid or placed, under the minimum or not."""
    word = "lay" if game.provides(Rule.CHIPS_ON_LAYOUT) else "place"
    small = "3" if game.provides(Rule.UNDER_MINIMUM) else "5"
    return line.format(word=word, small=small)


@dataclass(frozen=True)
class Place:
    """Where the search stands: the table, what was recorded, and how it got there."""

    series: Series
    record: Record
    path: tuple[str, ...] = ()


@dataclass
class Exploration:
    """What a search has seen."""

    game: Game
    steps: int = 0
    sequences: int = 0
    """How many sequences of acts the steps stand for."""
    breaches: list[Breach] = field(default_factory=list)
    leads_to: list[list[int]] = field(default_factory=list)
    """For each state that was reached, the states that its accepted acts lead to."""


def explore(game: Game, depth: int, begins: Iterable[int] = ALL_BEGINS) -> Exploration:
    """Judge every sequence of up to `depth` acts after a part of the course."""
    found, acts = Exploration(game), alphabet(game)
    numbers: dict[object, int] = {}
    layer = [_start(game, begin) for begin in begins]
    starts = [_number(found, numbers, place)[0] for place in layer]
    for _ in range(depth):
        following: list[Place] = []
        for place in layer:
            number, _ = _number(found, numbers, place)
            for reached in _onward(found, place, acts):
                onward, is_new = _number(found, numbers, reached)
                found.leads_to[number].append(onward)
                if is_new:
                    following.append(reached)
        layer = following
    found.sequences = sum(_sequences(found, len(acts), depth, each) for each in starts)
    return found


def _number(
    found: Exploration, numbers: dict[object, int], place: Place
) -> tuple[int, bool]:
    """Return the number of a state, and whether it is met for the first time."""
    key = _key(place)
    if key in numbers:
        return numbers[key], False
    numbers[key] = len(found.leads_to)
    found.leads_to.append([])
    return numbers[key], True


def _sequences(found: Exploration, acts: int, depth: int, start: int) -> int:
    """Count the sequences: each act once at the end of each way to its state."""
    ways, count = Counter({start: 1}), 0
    for _ in range(depth):
        count += acts * ways.total()
        onward: Counter[int] = Counter()
        for number, many in ways.items():
            for each in found.leads_to[number]:
                onward[each] += many
        ways = onward
    return count


def _onward(found: Exploration, place: Place, acts: dict[str, Act]) -> Iterator[Place]:
    """Judge every act at a place, and yield where the accepted ones lead."""
    is_first = place.series.last == 1
    for words, act in (*acts.items(), *([(NEXT_ROUND, SETTLING)] if is_first else [])):
        path = (*place.path, words)
        found.steps += 1
        try:
            step = _step(place, words, act)
        except (AssertionError, LookupError) as error:
            why = f"{type(error).__name__} {error}"
            found.breaches.append(
                Breach("every_act_is_answered", why, found.game.name, path)
            )
            continue
        found.breaches += [
            Breach(law.__name__, why, found.game.name, path)
            for law in (LAWS if step.accepted else OF_REFUSALS)
            for why in law(step)
        ]
        if isinstance(step.answer, Refusal):
            continue
        reached = Place(step.after, step.record_after, path)
        yield _begun(reached) if words == NEXT_ROUND else reached


def _step(place: Place, words: str, act: Act) -> Step:
    """Take one act; where the next round begins, one that can end is settled first."""
    series, record = place.series, place.record
    next_round = words == NEXT_ROUND
    answer = end_round(series) if next_round else decide_act(series, act)
    after, noted_after = _taken(series, record, answer)
    return Step(act, answer, series, after, record, noted_after)


def _taken(series: Series, record: Record, answer: Answer) -> tuple[Series, Record]:
    if isinstance(answer, Refusal):
        return series, record
    for each in answer:
        series = apply_recorded(series, each)
        record = noted(record, each)
    return series, record


def _begun(place: Place) -> Place:
    series, record = _taken(place.series, place.record, begin_round(place.series))
    return Place(series, record, place.path)


def _start(game: Game, begin: int) -> Place:
    limits = Limits(Limit(MINIMUM_CENTS, MAXIMUM_CENTS))
    place = _begun(Place(Series(game, limits), Record()))
    for line in COURSE[:begin]:
        words = _filled(game, line)
        if line == NEXT_ROUND:
            place = _begun(replace(place, path=(*place.path, words)))
            continue
        answer = decide_act(place.series, read_line(game, words).act)
        series, record = _taken(place.series, place.record, answer)
        place = Place(series, record, (*place.path, words))
    return place


_SAME_FOR_ALL = {"game", "limits", "settings", "colours", "board", "rulings"}
"""Told apart by other words in a key, or never."""
_VARYING = [each.name for each in fields(RoundOfPlay) if each.name not in _SAME_FOR_ALL]


def _key(place: Place) -> object:
    """Return what tells places apart: the whole state of each round, and the record."""
    series = place.series
    rounds = tuple(
        _round_key(series.round(number)) for number in range(1, series.last + 1)
    )
    stood, colours = tuple(series.stood.items()), tuple(series.colours)
    return rounds, stood, colours, place.record


def _round_key(state: RoundOfPlay) -> object:
    board = state.board
    return (
        *(getattr(state, name) for name in _VARYING),
        tuple(board.in_order()),
        board.layers,
        board.withdrawn,
        board.lifted,
        frozenset(state.rulings.items()),
    )
