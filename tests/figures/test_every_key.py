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

from tests.figures import (
    test_best_play,
    test_exposure,
    test_extremes,
    test_growth,
    test_journal_report,
    test_large_sessions,
    test_layout,
    test_odds,
    test_report,
    test_rng,
    test_session,
    test_settle,
    test_settle_file,
    test_sheet,
    test_simulate,
    test_what_if,
    test_wheel_check,
    test_wheel_groups,
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
    "layout": [
        lambda _: test_layout.test_every_area_of_the_layout(
            TABLES["mbs-fast-action-v2"]
        )
    ],
    "odds": [
        lambda _: test_odds.test_every_wager_of_the_sheet(V3),
        lambda _: test_odds.test_wagers_under_other_settings(
            triple_zero(single=True), "finale_zero single"
        ),
        lambda _: test_sheet.check_kinds(
            V3, figures("odds", V3.name), most_rounds=1000
        ),
        lambda _: test_exposure.test_the_liability_of_a_sheet(),
        seeds(test_odds.some_layout, 1, 2, 3, 4),
        seeds(test_odds.check_correlation, 1, 2),
        lambda folder: test_what_if.check_change(0, folder),
        lambda folder: test_what_if.check_change(1, folder),
    ],
    "exposure": [
        seeds(test_exposure.check_exposure, 0, 1, 2, 3),
        lambda _: test_exposure.test_the_maximum_liability(V3, None),
    ],
    "session": [
        lambda _: test_session.check_rounds(1, most_rounds=9),
        lambda _: test_session.check_rounds(2, most_rounds=9, arithmetic="float64"),
        lambda _: test_extremes.check_extremes(2000, most_rounds=6, most_results=3),
        seeds(test_session.check_until_it_ends, *range(1000, 1006)),
        seeds(test_extremes.check_extremes_until_it_ends, *range(3000, 3004)),
        lambda _: test_large_sessions.test_red_until_it_ends(
            V3.name, Fraction(18, 37), 20_000, 40_000
        ),
    ],
    "best-play": [
        seeds(test_best_play.check_one_area, 0, 1),
        lambda _: test_best_play.check_the_layout(V3.name, 2, 3),
        lambda _: test_growth.check_growth(0, most=6),
    ],
    "simulate": [seeds(test_simulate.check_simulation, 0, 1)],
    "settle": [seeds(test_settle.check_settlement, *range(6))],
    "settle-file": [lambda folder: test_settle_file.check_file(0, folder)],
    "report": [
        lambda folder: test_report.check_report(0, folder),
        lambda folder: test_report.check_report(2, folder),
        lambda folder: test_report.check_differences(0, folder),
        lambda folder: test_journal_report.check_some_journal(0, folder),
        lambda folder: test_journal_report.check_days(100, folder),
    ],
    "wheel-check": [
        lambda folder: test_wheel_check.check_wheel(
            7, TABLES["mbs-roulette-v2"], 1000, folder
        ),
        lambda folder: test_wheel_groups.check_file(3, folder, spins=300),
    ],
    "rng": [
        lambda folder: test_rng.test_spins_of_the_virtual_wheel(V3, folder),
        test_rng.test_raw_bytes,
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
    "rng": [],
}
"""Keys that tell no figure: names, files, words of the documents."""

OTHER_COMMANDS = {
    "games": "a list of documents; its counts are those of layout and odds",
    "rules": "words of the documents",
    "readings": "words of the readings",
    "transcript": "rounds of play, held against golden transcripts",
    "journal": "hashes and counts of rows",
    "audit": "its own second settlement of a journal",
    "version": "hashes",
    "serve": "no answer of its own",
    "client": "messages of the house",
    "house": "no figures",
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
