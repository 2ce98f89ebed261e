"""Every key of every command's JSON is computed a second time, or says why not.

The checks of this folder are run with answers that remember what is read of them. A key
that is new, and that no check reads, fails here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from tests.figures.checks import (
    best_play,
    exposure,
    extremes,
    growth,
    journal_report,
    large_sessions,
    layout,
    odds,
    report,
    rng,
    session,
    settle,
    settle_file,
    sheet,
    simulate,
    what_if,
    wheel_check,
    wheel_groups,
)
from tests.figures.command import croupier, figures
from tests.figures.oracle.games import TABLES, triple_zero
from tests.figures.read_keys import forget, told, unread

Check = Callable[[Path], object]

DOCUMENT = ("document", "effective")
"""Which document the game is from: no figure, and the rules' own tests hold it."""

WHAT_IF = ("based_on", "changes", "label", "title")
"""What a what-if changes, in words: no figure."""

V3 = TABLES["mbs-roulette-v3"]


def seeds(check: Callable[[int], object], *which: int) -> Check:
    """Return a check that runs another over a few seeds."""
    return lambda _: [check(seed) for seed in which]


CHECKS: Mapping[str, Iterable[Check]] = {
    "layout": [lambda _: layout.check_areas(TABLES["mbs-fast-action-v2"])],
    "odds": [
        lambda _: odds.check_sheet(V3),
        lambda _: odds.check_setting(triple_zero(single=True), "finale_zero single"),
        lambda _: sheet.check_kinds(V3, figures("odds", V3.name), most_rounds=1000),
        lambda _: exposure.check_sheet(),
        seeds(odds.some_layout, 1, 2, 3, 4),
        seeds(odds.check_correlation, 1, 2),
        lambda folder: what_if.check_change(0, folder),
        lambda folder: what_if.check_change(1, folder),
    ],
    "exposure": [
        seeds(exposure.check_exposure, 0, 1, 2, 3),
        lambda _: exposure.check_maximum(V3, None),
    ],
    "session": [
        lambda _: session.check_rounds(1, most_rounds=9),
        lambda _: session.check_rounds(2, most_rounds=9, arithmetic="float64"),
        lambda _: extremes.check_extremes(2000, most_rounds=6, most_results=3),
        seeds(session.check_until_it_ends, *range(1000, 1006)),
        seeds(extremes.check_extremes_until_it_ends, *range(3000, 3004)),
        lambda _: large_sessions.check_red(V3.name, Fraction(18, 37), 20_000, 40_000),
    ],
    "best-play": [
        seeds(best_play.check_one_area, 0, 1),
        lambda _: best_play.check_the_layout(V3.name, 2, 3),
        lambda _: growth.check_growth(0, most=6),
    ],
    "simulate": [seeds(simulate.check_simulation, 0, 1)],
    "settle": [seeds(settle.check_settlement, *range(6))],
    "settle-file": [lambda folder: settle_file.check_file(0, folder)],
    "report": [
        lambda folder: report.check_report(0, folder),
        lambda folder: report.check_report(2, folder),
        lambda folder: report.check_differences(0, folder),
        lambda folder: journal_report.check_some_journal(0, folder),
        lambda folder: journal_report.check_days(100, folder),
    ],
    "wheel-check": [
        lambda folder: wheel_check.check_wheel(
            7, TABLES["mbs-roulette-v2"], 1000, folder
        ),
        lambda folder: wheel_groups.check_file(3, folder, spins=300),
    ],
    "rng": [
        lambda folder: rng.check_spins(V3, folder),
        rng.check_bytes,
        rng.check_wheel,
    ],
}

NO_FIGURES: Mapping[str, Iterable[str]] = {
    "layout": ["game"],
    "odds": [*DOCUMENT, *WHAT_IF, "clauses", "readings", "kinds[].title"],
    "exposure": [*DOCUMENT, "approved"],
    "session": [*DOCUMENT, "approved"],
    "best-play": [*DOCUMENT, "changes", "label", "searched", "title"],
    "simulate": [*DOCUMENT, "approved"],
    "settle": [],
    "settle-file": ["output", "rejects"],
    "report": [
        *("source", "says"),
        *("differences[].reason", "differences[].says"),
    ],
    "wheel-check": [
        *("source", "says", "difference.pays_for", "difference.test"),
        *("difference.numbers", "difference.since_outcome"),
        *("groups[].source", "groups[].says", "groups[].left_out"),
    ],
    "rng": ["practrand"],
}
"""Keys that tell no figure: names, files, words of the documents."""

OTHER_COMMANDS = {
    "games": "a list of documents; its counts are those of layout and odds",
    "rules": "words of the documents",
    "rulebook": "words of the documents, and counts of sentences",
    "compare": "its odds are those of `compare_games`, which tests/odds checks",
    "readings": "words of the readings",
    "transcript": "rounds of play, held against golden transcripts",
    "journal": "hashes and counts of rows",
    "audit": "its own second settlement of a journal",
    "version": "hashes",
    "serve": "no answer of its own",
    "client": "messages of the house",
    "house": "no figures",
    "learn": "questions; tests/learn holds their answers against the documents",
    "receipt": "checks of hashes and signatures",
    "witness": "no answer of its own",
    "mirror": "no answer of its own",
    "dossier": "the answers of other commands, in files",
    "completion": "a script",
    "samples": "files",
}
"""Why a command has no figures to compute a second time."""


@pytest.mark.parametrize("command", CHECKS)
def test_every_key_is_read(command: str, tmp_path: Path) -> None:
    forget()

    for check in CHECKS[command]:
        check(tmp_path)

    assert told[command], "the checks ask nothing of it"
    assert unread(command) == set(NO_FIGURES[command])


def test_every_command_is_here() -> None:
    listed = croupier("--help").out.partition("Commands:")[2]

    commands = set(re.findall(r"^  ([a-z-]+) ", listed, flags=re.MULTILINE))

    assert commands == {*CHECKS, *OTHER_COMMANDS}
