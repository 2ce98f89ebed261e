"""The power fails, and what was not synced is gone, or half of it, in any order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.crash.campaign import kill, operations, stored_commands
from tests.crash.child import Job
from tests.crash.launcher import KILLED, Launcher
from tests.crash.scripts import SCRIPTS

SEED = 20_261_107
CUTS = 12


def cuts(script: str, count: int, path: Path, synchronous: str = "FULL") -> list[Job]:
    """Power cuts at places that the seed chooses."""
    random = Random(f"{SEED} {script}")
    return [
        Job(
            str(path / "journal"),
            script,
            trouble="cut",
            at=random.randint(1, count),
            keep=random.choice(("nothing", "some")),
            synchronous=synchronous,
            seed=random.randrange(2**32),
        )
        for _ in range(CUTS)
    ]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_power_cut_loses_nothing_that_was_answered(
    script: str, tmp_path: Path, launcher: Launcher
) -> None:
    dry = Job(str(tmp_path / "dry"), script, trouble="cut")
    count = operations(launcher, tmp_path, dry)

    for job in cuts(script, count, tmp_path):
        kill(launcher, job)


def test_with_less_than_full_a_power_cut_loses_answered_commands(
    tmp_path: Path, launcher: Launcher
) -> None:
    """The control: the same cuts are seen to lose something, or they prove nothing."""
    script, lost = "triple-zero", 0
    dry = Job(str(tmp_path / "dry"), script, "cut", synchronous="NORMAL")
    count = operations(launcher, tmp_path, dry)

    for number, cut in enumerate(cuts(script, count, tmp_path, "NORMAL")):
        job = replace(cut, path=str(tmp_path / f"journal{number}"))
        ended = launcher.run(job)
        assert ended.status == KILLED
        lost += len(set(ended.answered) - stored_commands(job.path))

    assert lost > 0
