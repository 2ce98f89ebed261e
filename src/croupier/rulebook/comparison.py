"""Two documents side by side: each clause matched by its meaning, not by its number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from fractions import Fraction
from typing import Any

from croupier.odds.comparison import ComparedWagers, Comparison, compare_games
from croupier.odds.model import Model
from croupier.odds.wager_odds import Odds
from croupier.rulebook.rulebook import pays_text, who_may
from croupier.rulebook.sentences import clauses_read
from croupier.rulebook.stories import Story, stories
from croupier.rulebook.tables import meanings
from croupier.rules.clause import Rule
from croupier.rules.game import READINGS, ClauseRow, Game
from croupier.tabular import TextTable


@unique
class Change(Enum):
    """The fate of a clause between two documents."""

    UNCHANGED = "unchanged"
    REWORDED = "reworded"
    MOVED = "moved"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a change: a sentence for each point, or none."""

    player: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    odds: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        return not (self.player or self.dealer or self.house or self.odds)


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """A clause in the first document, in the second, or in both."""

    before: str
    after: str
    kinds: tuple[Change, ...]
    says_before: str
    says_after: str
    effect: Effect = Effect()
    story: Story | None = None
    """A round that ends differently because of the clause."""

    @property
    def is_unchanged(self) -> bool:
        return self.kinds == (Change.UNCHANGED,)

    @property
    def said(self) -> str:
        return ", ".join(kind.value for kind in self.kinds)


@dataclass(frozen=True)
class DocumentComparison:
    """All clauses of two documents, and the exact odds of every wager in both."""

    one: Model
    two: Model
    changes: tuple[ClauseChange, ...]
    odds: Comparison

    @property
    def counts(self) -> Mapping[Change, int]:
        kinds = [kind for change in self.changes for kind in change.kinds]
        return {kind: kinds.count(kind) for kind in Change}

    def json(self) -> dict[str, Any]:
        return {
            "games": [self.one.document(), self.two.document()],
            "counts": {kind.value: n for kind, n in self.counts.items()},
            "clauses": [_json(change) for change in self.changes],
            "odds": [
                {
                    "wagers": row.wagers,
                    "house_edge": [o and o.house_edge for o in row.odds],
                    "variance": [o and o.variance for o in row.odds],
                    "edge_difference": row.differences[1],
                    "variance_difference": row.variance_differences[1],
                }
                for row in self.odds.rows
            ],
        }


def _json(change: ClauseChange) -> dict[str, Any]:
    story = change.story
    return {
        "before": change.before or None,
        "after": change.after or None,
        "kinds": [kind.value for kind in change.kinds],
        "says_before": change.says_before or None,
        "says_after": change.says_after or None,
        "effect": change.effect,
        "story": story
        and {
            "lines": story.lines,
            "parts_at": story.parts_at,
            "before": story.before,
            "after": story.after,
        },
    }


def compare_documents(
    one: Model, two: Model, *, with_stories: bool = True
) -> DocumentComparison:
    """Compare two games clause by clause, with the odds of every wager."""
    old, new = one.game.document_rows, two.game.document_rows
    changes = [_change(one.game, two.game, *pair) for pair in _matched(old, new)]
    if with_stories:
        changes = _with_stories(one.game, two.game, changes)
    return DocumentComparison(one, two, tuple(changes), compare_games(one, two))


def odds_table(both: DocumentComparison) -> TextTable:
    """Return exact edge and variance of every wager, and their differences."""
    return TextTable.of(
        "House edge and variance of a unit",
        both.odds.rows,
        {
            "wager": lambda row: row.wagers[0] + (" …" if row.wagers[1:] else ""),
            **_figures(">edge", lambda odds: odds.house_edge),
            ">edge differs": lambda row: _written(row.differences[1]),
            **_figures(">variance", lambda odds: odds.variance),
            ">variance differs": lambda row: _written(row.variance_differences[1]),
        },
        ("First document, then second.",),
    )


def _figures(
    name: str, figure: Callable[[Odds], Fraction]
) -> dict[str, Callable[[ComparedWagers], str]]:
    def shown(place: int) -> Callable[[ComparedWagers], str]:
        return lambda row: _written(
            figure(odds) if (odds := row.odds[place]) is not None else None
        )

    return {f"{name} 1": shown(0), f"{name} 2": shown(1)}


def _written(figure: Fraction | None) -> str:
    return "none" if figure is None else str(figure)


_GENERAL = {Rule.BETTING_AREA, Rule.IRREGULARITY, Rule.MULTIPLE_PIECE}
_LEAST_ALIKE = 0.3


def _facets(row: ClauseRow) -> frozenset[object]:
    """Return the subjects of a clause: rules, wagers and irregularities."""
    found: set[object] = {rule for rule in row.rules if rule not in _GENERAL}
    found |= {*row.areas, row.voids, row.multiple and row.multiple.word} - {None}
    if row.draws:
        found.add("drawing")
    return frozenset(found or {row.says})


def _matched(
    old: Sequence[ClauseRow], new: Sequence[ClauseRow]
) -> Iterator[tuple[ClauseRow | None, ClauseRow | None]]:
    """Yield each new clause with the old one that is most like it, then those gone.

    A document may join clauses of another, or split one: a clause that is left over
    goes with one that covers all of its subjects.
    """
    pairs = _most_alike(old, new)
    left = [each for each in range(len(old)) if each not in dict(pairs)]
    added = set(range(len(new))) - {beside for _, beside in pairs}
    pairs += [(place, _covering(old[place], new)) for place in left]
    pairs += [(_covering(new[beside], old), beside) for beside in sorted(added)]
    for beside, row in enumerate(new):
        for place in (one for one, two in pairs if two == beside):
            yield None if place is None else old[place], row
    for place, other in pairs:
        if other is None and place is not None:
            yield old[place], None


_Pair = tuple[int | None, int | None]


def _most_alike(old: Sequence[ClauseRow], new: Sequence[ClauseRow]) -> list[_Pair]:
    """Return the places of clauses that are most alike, each clause at most once."""
    scored = []
    for place, one in enumerate(old):
        for beside, two in enumerate(new):
            facets, others = _facets(one), _facets(two)
            alike = len(facets & others) / len(facets | others)
            if alike >= _LEAST_ALIKE:
                near = abs(place - beside)
                scored.append((-alike, one.number != two.number, near, place, beside))
    pairs: dict[int, int] = {}
    for *_, place, beside in sorted(scored):
        if place not in pairs and beside not in pairs.values():
            pairs[place] = beside
    return list(pairs.items())


def _covering(row: ClauseRow, others: Sequence[ClauseRow]) -> int | None:
    """Return the place of the first clause with these subjects and more."""
    found = (n for n, other in enumerate(others) if _facets(row) < _facets(other))
    return next(found, None)


def _change(
    one: Game, two: Game, old: ClauseRow | None, new: ClauseRow | None
) -> ClauseChange:
    before, after = old.number if old else "", new.number if new else ""
    return ClauseChange(
        before=before,
        after=after,
        kinds=tuple(_kinds(one, two, old, new)),
        says_before=old.says if old else "",
        says_after=new.says if new else "",
        effect=_effect(one, two, old, new),
    )


def _kinds(
    one: Game, two: Game, old: ClauseRow | None, new: ClauseRow | None
) -> Iterator[Change]:
    if old is None or new is None:
        yield Change.GONE if new is None else Change.NEW
        return
    is_moved = old.number != new.number
    if is_moved:
        yield Change.MOVED
    if _is_reworded(one, two, old, new) or _data(old) != _data(new):
        yield Change.REWORDED
    elif not is_moved:
        yield Change.UNCHANGED


def _is_reworded(one: Game, two: Game, old: ClauseRow, new: ClauseRow) -> bool:
    """Compare the fingerprints of the sentences, or our words if one is missing."""
    read = [
        [each.fingerprint for each in clauses_read(game)[row.number].sentences]
        for game, row in ((one, old), (two, new))
    ]
    if all(all(each) for each in read):
        return read[0] != read[1]
    return old.says != new.says


def _data(row: ClauseRow) -> ClauseRow:
    return replace(row, number="", says="", draws=())


def _effect(
    one: Game, two: Game, old: ClauseRow | None, new: ClauseRow | None
) -> Effect:
    """Return the effect on the Player, the Dealer, the House and the odds."""
    ruled_before, ruled_after = (set(row.rules) if row else set() for row in (old, new))
    elsewhere_before = {
        rule for row in one.document_rows if row != old for rule in row.rules
    }
    elsewhere_after = {
        rule for row in two.document_rows if row != new for rule in row.rules
    }
    elsewhere_before -= _GENERAL
    elsewhere_after -= _GENERAL
    came = [r for r in Rule if r in ruled_after - ruled_before - elsewhere_before]
    went = [r for r in Rule if r in ruled_before - ruled_after - elsewhere_after]
    found: dict[str, tuple[str, ...]] = {}
    for who in ("player", "dealer", "house"):
        gained = {meanings().get((r, who)): _by_reading(one, r) for r in came}
        lost = {meanings().get((r, who)): _by_reading(two, r) for r in went}
        found[who] = (
            *(f"{each}{before}" for each, before in gained.items() if each),
            *(f"No more: {each}{now}" for each, now in lost.items() if each),
        )
    if old and new and old.by and new.by:
        may = who_may(two, new), who_may(one, old)
        if (old.by, old.or_above) != (new.by, new.or_above):
            found["house"] += (f"May: {may[0]}; before: {may[1]}.",)
    return Effect(**found, odds=tuple(_odds(one, two, old, new)))


def _by_reading(game: Game, rule: Rule) -> str:
    """Name our reading that gives the other document the same rule, if one does."""
    if not game.provides(rule):
        return ""
    clause = game.clause(rule)
    is_ours = clause.document == READINGS
    return f" In {game.document} by our reading {clause}." if is_ours else ""


def _odds(
    one: Game, two: Game, old: ClauseRow | None, new: ClauseRow | None
) -> Iterator[str]:
    are_tables = all(row.pays for row in (old, new) if row)
    pays_before = one.pay_table if old and are_tables else {}
    pays_after = two.pay_table if new and are_tables else {}
    for kind in dict.fromkeys([*pays_before, *pays_after]):
        was, now = pays_before.get(kind), pays_after.get(kind)
        if was != now:
            told = [pays_text(each) if each else "nothing" for each in (was, now)]
            yield f"{kind.title} pays {told[1]}; before: {told[0]}."
    count = [len(row.numbers) if row else 0 for row in (old, new)]
    if all(count) and count[0] != count[1]:
        yield f"{count[1]} compartments; before: {count[0]}."
    for row, word, other in ((new, "is new", one), (old, "is gone", two)):
        for kind in row.areas if row else ():
            if kind not in other.pay_table:
                yield f"The wager {kind.title} {word}."


_MOST_STORIES = 500


def _with_stories(
    one: Game, two: Game, changes: list[ClauseChange]
) -> list[ClauseChange]:
    """Give each change of meaning a round that ends differently because of it.

    The clause is the cause if two things hold: without it the round ends differently,
    and then it ends as in the other document, or the clause was cited. If no round
    shows that, take a round that the clause voids and the other game holds.
    """
    waiting = {
        place: without
        for place, each in enumerate(changes)
        if not each.effect.is_none and (without := _without(one, two, each)) is not None
    }
    told = list(changes)
    ended: dict[int, Story] = {}
    for _, story in zip(range(_MOST_STORIES), stories(one, two), strict=False):
        for place in list(waiting):
            if _is_cause(story, changes[place], waiting[place]):
                told[place] = replace(changes[place], story=story)
                del waiting[place]
            elif _is_ended_by(story, changes[place]):
                ended.setdefault(place, story)
        if not waiting:
            break
    for place in waiting.keys() & ended.keys():
        told[place] = replace(changes[place], story=ended[place])
    return told


def _is_ended_by(story: Story, change: ClauseChange) -> bool:
    """Return whether one game holds the round and the clause voids it in the other."""
    (one, *_), (two, *_) = ends = [
        observed.rounds[-1].split() for observed in (story.before, story.after)
    ]
    number = change.after or change.before
    return {one, two} == {"held", "void"} and ends[bool(change.after)][1] == number


def _without(one: Game, two: Game, change: ClauseChange) -> Game | None:
    """Return the game without the change, or None if only words changed."""
    if not change.after:
        return one.without(change.before)
    if not change.before:
        return two.without(change.after)
    old = next(row for row in one.clauses if row.number == change.before)
    new = next(row for row in two.clauses if row.number == change.after)
    if _data(old) == _data(new):
        return None
    put_back = replace(old, number=new.number)
    rows = (put_back if row is new else row for row in two.clauses)
    return replace(two, clauses=tuple(rows))


def _is_cause(story: Story, change: ClauseChange, without: Game) -> bool:
    own, other = story.after, story.before
    if not change.after:
        own, other = other, own
    seen = story.in_game(without).seen
    is_cited = (change.after or change.before) in own.cited
    return seen != own.seen and (seen == other.seen or is_cited)
