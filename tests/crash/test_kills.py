"""A process killed with SIGKILL at every statement, commit and answer."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from croupier.table import commands as table_commands
from tests.crash.campaign import (
    AROUND,
    kill_at_all,
    kill_points,
    kinds_by_script,
    one_of_each,
)
from tests.crash.launcher import Launcher
from tests.crash.scripts import SCRIPTS

EVERY_KIND = {kind.__name__ for kind in get_args(table_commands.AnyCommand)}
IN_EVERY_COMMAND = {
    "statement: before BEGIN IMMEDIATE",
    "statement: before INSERT INTO events",
    "statement: before INSERT INTO answers",
    "statement: before INSERT INTO streams",
    "statement: before COMMIT",
    "commit: before it is written",
    "wal: in a write",
    "answer: before it is given",
    "answer: after it is given",
}


def test_the_scripts_have_every_kind_of_command_between_them() -> None:
    given = kinds_by_script()

    kinds = set().union(*given.values())

    assert kinds == EVERY_KIND | set(AROUND)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_kill_at_any_step_loses_and_repeats_nothing(
    script: str, tmp_path: Path, launcher: Launcher
) -> None:
    kinds = kinds_by_script()[script]
    chosen = one_of_each(kill_points(launcher, tmp_path, script), kinds)

    tally = kill_at_all(launcher, tmp_path, script, chosen)

    assert tally.kills == len(chosen)
    for kind in kinds - set(AROUND):
        names = {point.name for point in chosen if kind in point.during}
        assert names >= IN_EVERY_COMMAND, f"{kind} lacks {IN_EVERY_COMMAND - names}"
    assert 0 < tally.unheard < tally.kills
