"""A report on the return: read a source once, group its rounds, judge each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from croupier.audit.report.bounds import LEVELS
from croupier.audit.report.days import ALWAYS, UNTOLD, Days, DaySpan
from croupier.audit.report.file_rounds import FileRounds, RowDifferences
from croupier.audit.report.groups import (
    Grouping,
    Groups,
    JudgedGroup,
    ReportSection,
    judge_groups,
)
from croupier.audit.report.rounds import Dimension, Meters
from croupier.batch.table_format import TableError
from croupier.errors import check_type
from croupier.games import UnknownGame, as_game
from croupier.journal.addresses import SourceError, is_journal
from croupier.journal.errors import JournalError
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.rules.terms import read_limits, read_settings
from croupier.tabular import data_frame

if TYPE_CHECKING:
    from croupier.audit.report.journal_rounds import JournalRounds

USUAL: tuple[Grouping, ...] = (
    (Dimension.TABLE,),
    (Dimension.DAY,),
    (Dimension.TYPE,),
    (Dimension.DEALER,),
)
_NAMES = {each.value: each for each in Dimension}
_FRAME = "the table"
"""The name of a source that is no file."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A request for a report: its games, days and groupings."""

    by: tuple[Grouping, ...] | None = None
    """None: by table, day, type and Dealer, as far as the source has them."""
    levels: tuple[float, ...] = LEVELS
    """The levels of the bounds, in per cent, ascending."""
    span: DaySpan = ALWAYS
    days: Days | None = None
    """None: the days of the journal's house."""
    game: Game | None = None
    """The game of a file; a journal names its own."""
    limits: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReturnReport:
    """The returns of a source by group, beside theory, and its meters."""

    source: str
    games: tuple[Game, ...]
    days: Days
    levels: tuple[float, ...]
    knows_days: bool
    writes_days: bool
    """Whether the source names the days itself."""
    span: DaySpan
    all_rounds: ReportSection
    """One group of all rounds."""
    sections: tuple[ReportSection, ...]
    meters: Meters
    differences: RowDifferences | None
    """Rows of a file that differ from the rules; None for a journal."""

    def __repr__(self) -> str:
        return f"<ReturnReport of {self.source}: {self.whole.win.says}>"

    def to_frame(self) -> Any:
        """Return a frame of Polars: a row for each group of each section."""
        from croupier.audit.report.documents import group_rows

        return data_frame(group_rows(self))

    @property
    def whole(self) -> JudgedGroup:
        return self.all_rounds.groups[0]

    @property
    def differs(self) -> bool:
        return self.differences is not None and self.differences.count > 0


_HIGHEST_LEVEL = 99.9999
"""Above it rounding would change the small tail."""


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
    """Read groupings such as `table` or `table,day`; raises `SourceError`."""
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
    source: str | PathLike[str] | Any,
    asked: ReportRequest | None = None,
    *,
    game: str | Game | None = None,
) -> ReturnReport:
    """Read the source and judge its groups; raises `SourceError`, `NotationError`.

    The source is a journal, a file of settled wagers, or a frame of them as
    `settle_frame` takes it. Wagers need the game, there or in the request.
    """
    asked = ReportRequest() if asked is None else asked
    check_type("asked", "a ReportRequest", asked, ReportRequest)
    if game is not None:
        asked = replace(asked, game=as_game(game))
    try:
        if isinstance(source, str | PathLike):
            source = fspath(source)
        with _opened(source, asked) as (rounds, missing):
            name = source if isinstance(source, str) else _FRAME
            return _made(name, rounds, _groupings(asked, missing), asked)
    except (JournalError, TableError, UnknownGame) as error:
        raise SourceError(str(error)) from error


_Rounds = Union[FileRounds, "JournalRounds"]
_Missing = dict[Dimension, str]


@contextmanager
def _opened(
    source: str | Any, asked: ReportRequest
) -> Iterator[tuple[_Rounds, _Missing]]:
    """Open the rounds of a source; also yield why some dimensions are missing."""
    if isinstance(source, str) and is_journal(source):
        # Imported here: a file needs none of the journal's modules.
        from croupier.audit.report.journal_rounds import JournalRounds, days_of_journal
        from croupier.journal.sources import open_journal

        with open_journal(source) as store:
            days = asked.days or days_of_journal(store)
            yield JournalRounds(store, days, asked.span), {}
        return
    name = source if isinstance(source, str) else _FRAME
    if asked.game is None:
        raise SourceError(
            f"{name}: say which game its wagers are of, as in --game mbs-roulette-v3"
        )
    rounds = FileRounds(
        Path(source) if isinstance(source, str) else source,
        asked.game,
        asked.days or UNTOLD,
        asked.span,
        limits=read_limits(asked.limits or (), asked.game),
        settings=read_settings(asked.game, asked.settings),
    )
    missing = {
        each: f"{name} has no column {each.value}"
        for each in (Dimension.TABLE, Dimension.DEALER)
        if each.value not in rounds.names
    }
    if not rounds.knows_days:
        missing[Dimension.DAY] = f"{name} has no column day, time or at_ms"
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
    if not groups.by[()]:
        raise SourceError(f"{source} has no settled round with an outcome to report on")
    # Rounds without wagers have no wager type.
    whole, *sections = (
        judge_groups(grouping, groups.by[grouping], asked.levels)
        for grouping in ((), *groupings)
        if groups.by[grouping]
    )
    return ReturnReport(
        source,
        tuple(sorted(games, key=lambda game: game.name)),
        rounds.days,
        asked.levels,
        rounds.knows_days,
        rounds.writes_days,
        asked.span,
        whole,
        tuple(sections),
        rounds.meters,
        rounds.differences,
    )
