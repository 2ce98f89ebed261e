"""`croupier rng`, the output for a test laboratory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256, shake_256
from pathlib import Path

import pytest

from croupier.chance import ChanceFailed
from croupier.cli import rng_command as command
from croupier.games import all_games, find_game
from croupier.rules.game import Game
from tests.chance import statistics
from tests.chance.entropies import Cycling
from tests.cli.running import run, run_here

V3 = "mbs-roulette-v3"
FAST_ACTION = "mbs-fast-action-v2"
TESTS = ["chi-square of numbers", "runs", "serial correlation", "serial pairs"]
SOUND = shake_256(b"the bytes of a sound generator").digest(2_000_000)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_draws_are_numbers_of_the_game_one_a_line(game: Game) -> None:
    ran = run_here("rng", game.name, "--draws", "3000")

    assert (ran.code, ran.stderr) == (0, "")
    assert set(ran.stdout.splitlines()) == set(game.numbers)
    assert ran.stdout.count("\n") == 3000


@pytest.mark.parametrize("count", [1, 16_383, 16_384, 16_385, 40_000])
def test_there_are_as_many_draws_as_were_asked_for(count: int, tmp_path: Path) -> None:
    file = tmp_path / "draws.txt"

    ran = run_here("rng", V3, "--draws", str(count), "--output", file)

    assert (ran.code, ran.stdout, ran.stderr) == (0, "", f"wrote {file}\n")
    assert len(file.read_text().splitlines()) == count


@pytest.mark.parametrize("count", [1, 511, 65_535, 65_536, 65_537, 1_000_000])
def test_there_are_as_many_raw_bytes_as_were_asked_for(
    count: int, tmp_path: Path
) -> None:
    file = tmp_path / "raw.bin"

    ran = run_here("rng", V3, "--raw", str(count), "--output", file)

    assert ran.code == 0
    assert file.stat().st_size == count


def test_bonus_numbers_come_ten_different_ones_a_line() -> None:
    ran = run_here("rng", FAST_ACTION, "--draws", "500", "--kind", "bonus")

    draws = [line.split(" ") for line in ran.stdout.splitlines()]

    numbers = set(find_game(FAST_ACTION).numbers)
    assert len(draws) == 500
    assert all(len(draw) == 10 and len(set(draw) & numbers) == 10 for draw in draws)


@pytest.mark.parametrize("kind", ["wheel", "bonus"])
def test_the_summary_is_that_of_the_file(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "draws.txt"
    amount = ("--draws", "20000", "--kind", kind)

    summary = run_here("rng", FAST_ACTION, *amount, "--output", file, "--json").json()

    counts = Counter(file.read_text().split())
    assert summary == {
        "game": FAST_ACTION,
        "kind": kind,
        "draws": 20_000,
        "bytes": file.stat().st_size,
        "sha256": sha256(file.read_bytes()).hexdigest(),
        "counts": counts,
    }
    assert list(summary["counts"]) == list(find_game(FAST_ACTION).numbers)


def test_the_summary_of_raw_bytes_has_no_counts(tmp_path: Path) -> None:
    file = tmp_path / "raw.bin"

    summary = run_here("rng", V3, "--raw", "70000", "--output", file, "--json").json()

    digest = sha256(file.read_bytes()).hexdigest()
    assert summary == {"game": V3, "kind": "raw", "bytes": 70_000, "sha256": digest}


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "say either --raw BYTES or --draws N"),
        (("--raw", "1", "--draws", "1"), "say either --raw BYTES or --draws N"),
        (("--raw", "1", "--kind", "wheel"), "--kind goes with --draws"),
        (("--draws", "1", "--kind", "bonus"), "Roulette (MBS) v3 draws no Bonus"),
        (("--draws", "1", "--kind", "dice"), "'dice' is not one of"),
        (("--draws", "1", "--json"), "--json needs --output FILE"),
        (("--raw", "1", "--json", "--output", "-"), "--json needs --output FILE"),
        (("--draws", "0"), "0 is not in the range"),
        (("--raw", "-1"), "-1 is not in the range"),
        (("--raw", str(2**63)), "is not in the range"),
        (("--draws", "1.5"), "'1.5' is not a valid"),
        (("--draws", "NaN"), "'NaN' is not a valid"),
        (("--raw", "1", "--output", "no/such/folder"), "No such file or directory"),
        (("--raw", "1", "--output", "."), "is a directory"),
        (("--raw", "1", "--output", "/dev/full"), "No space left on device"),
        (("--report", "--raw", "1"), "--report tests spins"),
        (("--report", "--kind", "bonus"), "--report tests spins"),
        (("--report", "--draws", "13689"), "at least 13,690 draws of this game"),
    ],
)
def test_bad_input_is_one_sentence(args: tuple[str, ...], says: str) -> None:
    ran = run_here("rng", V3, *args)

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("croupier: ")
    assert ran.stderr.count("\n") == 1
    assert says in ran.stderr


def test_a_report_of_sound_draws_passes_every_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "wheel.txt"
    monkeypatch.setattr(command, "SystemEntropy", lambda: Cycling(SOUND))

    ran = run_here(
        "rng", V3, "--report", "--draws", "50000", "--output", file, "--json"
    )

    report = ran.json()
    assert (report["game"], report["draws"]) == (V3, 50_000)
    assert report["level"] == 0.99
    assert [test["name"] for test in report["tests"]] == TESTS
    assert {test["verdict"] for test in report["tests"]} == {"passed"}
    drawn = file.read_text().split()
    assert len(drawn) == 50_000
    p_values = [test["p_value"] for test in report["tests"]]
    assert p_values[0] == pytest.approx(statistics.uniform(drawn, 37), rel=1e-6)
    assert p_values[3] == pytest.approx(statistics.serial(drawn, 37), rel=1e-6)


@pytest.mark.parametrize("reads", [0, 200_000])
def test_a_report_has_the_words_of_practrand_if_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: int
) -> None:
    suite = tmp_path / "RNG_test"
    suite.write_text(f'#!/bin/sh\necho "$@" and $(head -c {reads} | wc -c) bytes\n')
    suite.chmod(0o755)
    # Random bytes would fail a test at 99 % in some runs, and end with 1.
    monkeypatch.setattr(command, "SystemEntropy", lambda: Cycling(SOUND))
    none = run_here("rng", V3, "--report", "--draws", "50000", "--json")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    ran = run_here("rng", V3, "--report", "--draws", "50000", "--json")

    assert none.json()["practrand"] is None
    said = f"stdin8 -tlmax 64MB and {reads} bytes\n"
    assert ran.json()["practrand"] == said


def test_a_report_of_a_counter_fails_its_tests_of_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "SystemEntropy", lambda: Cycling(bytes(range(256))))
    monkeypatch.setattr(command, "self_test", lambda _: None)

    ran = run_here("rng", V3, "--report")

    assert (ran.code, ran.stderr) == (1, "")
    head, _, _, *rows = ran.stdout.splitlines()
    assert head == "Roulette (MBS) v3: 1,000,000 draws, each test at 99 %"
    assert {row[:22].strip(): row.split()[-1] for row in rows} == dict(
        zip(TESTS, ["passed", "failed", "failed", "failed"], strict=True)
    )


@pytest.mark.parametrize("passing", [0, 1])
def test_a_failing_generator_writes_nothing_more(
    passing: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "raw.bin"
    monkeypatch.setattr(command, "self_test", _fails_after(passing))
    monkeypatch.setattr(command, "_piece", _fails_after(0))

    ran = run_here("rng", V3, "--raw", "9", "--output", file)

    assert (ran.code, ran.stderr) == (2, "croupier: the generator is broken\n")
    assert file.exists() == bool(passing)


def _fails_after(passing: int) -> Callable[..., None]:
    def fail(*_: object) -> None:
        if not passing:
            raise ChanceFailed("the generator is broken")

    return fail


def test_standard_output_is_written_as_a_process_too() -> None:
    ran = run("rng", V3, "--draws", "100000")

    assert (ran.code, ran.stderr) == (0, "")
    assert Counter(ran.stdout.split()).total() == 100_000


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    ours, theirs = os.openpty()

    subprocess.run(
        [sys.executable, "-m", "croupier", "rng", V3, "--raw", "99", "--output", "raw"],
        stderr=theirs,
        check=True,
        cwd=tmp_path,
        timeout=60,
    )

    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "100%" in shown
    assert shown.rstrip().endswith("wrote raw")
