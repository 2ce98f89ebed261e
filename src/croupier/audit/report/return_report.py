"""A report on the return: read a source once, group its rounds, judge each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path

from croupier.audit.report.bounds import LEVELS, holm_enclosed
from croupier.audit.report.days import ALWAYS, UNTOLD, Days, DaySpan
from croupier.audit.report.file_rounds import FileRounds
from croupier.audit.report.groups import (
    Dimension,
    Grouping,
    Groups,
    JudgedGroup,
    judged_group,
)
from croupier.audit.report.journal_rounds import JournalRounds, days_of_journal
from croupier.audit.report.rounds import Meters
from croupier.audit.report.row_check import RowDifferences
from croupier.errors import check_type
from croupier.games import UnknownGame, as_game
from croupier.journal.settlements import chosen_tables, dealers_of
from croupier.journal.sources import SourceError, is_journal, open_journal
from croupier.journal.store import JournalError
from croupier.numeric.figure import BoundedValue
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.rules.terms import read_limits, read_settings

USUAL: tuple[Grouping, ...] = (
    (Dimension.TABLE,),
    (Dimension.DAY,),
    (Dimension.TYPE,),
    (Dimension.DEALER,),
)
_NAMES = {each.value: each for each in Dimension}


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A request for a report: its games, days and groupings."""

    by: tuple[Grouping, ...] | None = None
    """None: by table, day, type and Dealer, as far as the source tells them."""
    levels: tuple[float, ...] = LEVELS
    """Of the bounds, in per cent, ascending."""
    span: DaySpan = ALWAYS
    days: Days | None = None
    """None: as the journal's own house defines them."""
    game: Game | None = None
    """Of a file; a journal knows its own."""
    limits: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The groups of one grouping, by key."""

    grouping: Grouping
    groups: tuple[JudgedGroup, ...]
    win_holm: tuple[BoundedValue, ...]
    """By group its p-value, corrected for the number of groups."""
    hits_holm: tuple[BoundedValue, ...]

    @classmethod
    def of(cls, grouping: Grouping, groups: Sequence[JudgedGroup]) -> ReportSection:
        return cls(
            grouping,
            tuple(groups),
            tuple(holm_enclosed([judged.win.p_value for judged in groups])),
            tuple(holm_enclosed([judged.hits.p_value for judged in groups])),
        )


@dataclass(frozen=True, slots=True)
class ReturnReport:
    source: str
    games: tuple[Game, ...]
    days: Days
    levels: tuple[float, ...]
    knows_days: bool
    writes_days: bool
    """Whether the source names the days itself."""
    span: DaySpan
    whole: JudgedGroup
    sections: tuple[ReportSection, ...]
    meters: Meters
    differences: RowDifferences | None
    """Rows of a file that are not what the rules give; a journal is audited instead."""

    def __repr__(self) -> str:
        return f"<ReturnReport of {self.source}: {self.whole.says}>"

    @property
    def differs(self) -> bool:
        """Whether a row of the file is not what the rules give."""
        return self.differences is not None and self.differences.count > 0


_HIGHEST_LEVEL = 99.9999
"""Beyond it a tail is so small that rounding would count."""


def read_levels(levels: Sequence[float]) -> tuple[float, ...]:
    """Return levels of bounds, ascending; raises `SourceError`."""
    for level in levels:
        if not 0 < level <= _HIGHEST_LEVEL:
            raise SourceError(
                f"there is no level of {level:g} %; write one above 0, up to"
                f" {_HIGHEST_LEVEL}"
            )
    whole = {int(level) if level == int(level) else level for level in levels}
    return tuple(sorted(whole)) or LEVELS


def read_groupings(texts: Sequence[str]) -> tuple[Grouping, ...] | None:
    """`table`, `day`, `type`, `dealer`, or some of them joined by commas."""
    return tuple(map(_read_grouping, texts)) or None


def _read_grouping(text: str) -> Grouping:
    words = text.split(",")
    for word in words:
        if word not in _NAMES or words.count(word) > 1:
            raise SourceError(
                f"a report can't be made by {shown(text)}; write table, day, type,"
                " dealer, or some of them with commas between"
            )
    return tuple(_NAMES[word] for word in words)


def make_report(
    source: str | PathLike[str],
    asked: ReportRequest | None = None,
    *,
    game: str | Game | None = None,
) -> ReturnReport:
    """Read the source and judge its groups; raises `SourceError`, `NotationError`.

    A file of settled wagers needs the game, there or in what is asked.
    """
    check_type("source", "the path of a file or a journal", source, str, PathLike)
    source, asked = fspath(source), ReportRequest() if asked is None else asked
    check_type("asked", "a ReportRequest", asked, ReportRequest)
    if game is not None:
        asked = replace(asked, game=as_game(game))
    try:
        with _opened(source, asked) as (rounds, missing):
            return _made(source, rounds, _groupings(asked, missing), asked)
    except (JournalError, UnknownGame) as error:
        raise SourceError(str(error)) from error


_Rounds = FileRounds | JournalRounds
_Missing = dict[Dimension, str]


@contextmanager
def _opened(source: str, asked: ReportRequest) -> Iterator[tuple[_Rounds, _Missing]]:
    """Open the rounds of a source; and what it can't be grouped by, with the reason."""
    if is_journal(source):
        with open_journal(source) as store:
            days = asked.days or days_of_journal(store)
            tables = chosen_tables(store, None)
            dealers = partial(dealers_of, store)
            yield JournalRounds(store, tables, days, asked.span, dealers), {}
        return
    if asked.game is None:
        raise SourceError(
            f"{source}: say which game its wagers are of, as in --game mbs-roulette-v3"
        )
    rounds = FileRounds.open(
        Path(source),
        asked.game,
        asked.days or UNTOLD,
        asked.span,
        limits=read_limits(asked.limits or (), asked.game),
        settings=read_settings(asked.game, asked.settings),
    )
    missing: _Missing = {}
    if not rounds.knows_tables:
        missing[Dimension.TABLE] = f"{source} has no column table"
    if not rounds.knows_dealers:
        missing[Dimension.DEALER] = f"{source} has no column dealer"
    if not rounds.knows_days:
        missing[Dimension.DAY] = f"{source} has no column day, time or at_ms"
        if asked.span != ALWAYS:
            raise SourceError(missing[Dimension.DAY])
    yield rounds, missing


def _groupings(asked: ReportRequest, missing: _Missing) -> tuple[Grouping, ...]:
    if asked.by is None:
        return tuple(each for each in USUAL if each[0] not in missing)
    for grouping in asked.by:
        for dimension in grouping:
            if dimension in missing:
                raise SourceError(missing[dimension])
    return asked.by


def _made(
    source: str, rounds: _Rounds, groupings: tuple[Grouping, ...], asked: ReportRequest
) -> ReturnReport:
    groups = Groups([(), *groupings])
    games: set[Game] = set()
    for block in rounds.blocks():
        games.add(block.table.game)
        groups.add(block)
    whole = groups.by[()].get(())
    if whole is None:
        raise SourceError(f"{source} has no settled round with an outcome to report on")
    return ReturnReport(
        source,
        tuple(sorted(games, key=lambda game: game.name)),
        rounds.days,
        asked.levels,
        isinstance(rounds, JournalRounds) or rounds.knows_days,
        isinstance(rounds, FileRounds) and rounds.writes_days,
        asked.span,
        judged_group((), whole, asked.levels),
        tuple(_section(grouping, groups, asked.levels) for grouping in groupings),
        rounds.meters,
        rounds.differences if isinstance(rounds, FileRounds) else None,
    )


def _section(
    grouping: Grouping, groups: Groups, levels: tuple[float, ...]
) -> ReportSection:
    found = groups.by[grouping]
    judged = [judged_group(key, found[key], levels) for key in sorted(found)]
    return ReportSection.of(grouping, judged)
