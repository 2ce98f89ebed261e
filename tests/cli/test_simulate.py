"""`croupier simulate`: answers, files, progress, and bad input."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import click
import numba
import pytest

from croupier.cli.output import ProgressBar
from croupier.cli.simulate_command import simulate_command
from croupier.lab.simulator import ENGINES
from croupier.lab.simulator.cpu.engine import CpuEngine, Work
from croupier.lab.simulator.plan import SimulationPlan
from croupier.lab.simulator.simulation import LEVEL, SESSIONS
from tests.cli.running import run_here
from tests.golden_tables import GAMES

V3 = "mbs-roulette-v3"
RED = ("-w", "red@10", "--bankroll", "100", "--target", "200", "--rounds", "30")
FEW = ("--sessions", "500", "--seed", "7", "--engine", "plain")


def test_a_simulation_is_told_in_lines() -> None:
    told = run_here("simulate", V3, *RED, *FEW)

    rows = {row[0]: row[1:] for row in told.table()[1:] if row}
    assert told.stdout.startswith(
        "Roulette: flat with red@10, from 100.00 to 200.00, 30 rounds, 500 sessions\n"
    )
    drawn, low, high, exact, inside = rows["ruined"]
    assert float(low[:-2]) < float(drawn[:-2]) < float(high[:-2])
    known = run_here("session", V3, *RED, "--json").json()["ruined"]["fraction"]
    assert exact == f"{float(Fraction(known)) * 100:.4f} %"
    assert inside == "yes"
    assert re.search(r"^Seed 7: [\d,]+ spins drawn\.$", told.stdout, re.MULTILINE)
    assert re.search(
        r"^Played by the engine plain in [\d.]+ s, [\d,]+ spins a second\.$",
        told.stdout,
        re.MULTILINE,
    )


def test_a_simulation_as_json() -> None:
    found = run_here("simulate", V3, *RED, *FEW, "--json").json()

    assert found["game"] == V3
    assert found["approved"] is True
    assert (found["bankroll_cents"], found["target_cents"]) == (10_000, 20_000)
    assert (found["sessions"], found["rounds"], found["seed"]) == (500, 30, 7)
    assert (found["level"], found["why_not_exact"]) == (0.99, None)
    assert found["exact"] == {"arithmetic": "exact", "error": 0.0}
    ends = [
        found[name]["value"] for name in ("reached", "ruined", "stopped", "playing")
    ]
    assert sum(ends) == pytest.approx(1)
    assert sum(each["sessions"] for each in found["bankrolls"]) == 500
    assert found["bin_width_cents"] == 0
    assert found["spins"] == round(500 * found["rounds_played"]["value"])
    assert not {"engine", "seconds"} & set(found)


def test_the_same_seed_gives_the_same_bytes_on_every_engine() -> None:
    words = ("simulate", V3, *RED, *FEW, "--strategy", "martingale", "--json")

    plain = run_here(*words)
    cpu = run_here(*words, "--engine", "cpu")
    one = run_here(*words, "--engine", "cpu", "--workers", "1")

    assert plain.code == 0
    assert plain.stdout == cpu.stdout == one.stdout


def test_without_a_seed_one_is_drawn_and_told() -> None:
    words = ("simulate", V3, *RED, "--sessions", "50", "--engine", "plain", "--json")

    first = run_here(*words).json()
    again = run_here(*words, "--seed", str(first["seed"])).json()

    assert again == first


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_simulated(game: str) -> None:
    told = run_here(
        "simulate", game, "-w", "17@10 + 1@10", "--bankroll", "100", "--rounds", "5",
        "--strategy", "martingale", "--limits", "* 5 100", "--sessions", "50",
        "--engine", "plain",
    )  # fmt: skip

    assert (told.code, told.stderr) == (0, "")


def test_a_stop_loss_is_told() -> None:
    told = run_here("simulate", V3, *RED, *FEW, "--stop-loss", "30")

    assert "a stop-loss of 30.00" in told.stdout
    assert "left the table" in told.stdout
    assert "exact answers lie inside" in told.stdout


def test_a_function_of_ones_own_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "def mine(round, bankroll, net, units, memory):\n"
        "    return 2 if net < 0 else 1\n"
    )

    found = run_here("simulate", V3, *RED, *FEW, "--strategy", f"{path}:mine", "--json")

    assert found.json()["strategy"] == "mine"
    assert found.json()["why_not_exact"] == "a function has no states to calculate with"


def test_a_table_of_states_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "mine.toml"
    table.write_text('name = "mine"\n[states.a]\nstake = 1\nwin = "a"\nloss = "a"\n')

    words = ("simulate", V3, *RED, *FEW, "--json")
    mine = run_here(*words, "--strategy", table).json()
    flat = run_here(*words).json()

    assert (mine["strategy"], flat["strategy"]) == ("mine", "flat")
    assert mine["bankrolls"] == flat["bankrolls"]


def test_a_what_if_is_labelled(tmp_path: Path) -> None:
    changed = tmp_path / "changed.toml"
    changed.write_text('title = "No zero"\n[chances]\n0 = 0\n')

    told = run_here("simulate", V3, *RED, *FEW, "--what-if", changed)
    found = run_here("simulate", V3, *RED, *FEW, "--what-if", changed, "--json").json()

    assert told.stdout.startswith("No approved game")
    assert found["approved"] is False
    assert found["return"]["exact"] == 0


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_it_is_drawn(kind: str, tmp_path: Path) -> None:
    path, again = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"

    ran = run_here("simulate", V3, *RED, *FEW, "--plot", path)
    run_here("simulate", V3, *RED, *FEW, "--plot", again)

    assert (ran.code, ran.stderr) == (0, f"wrote {path}\n")
    assert path.read_bytes() == again.read_bytes()
    if kind == "svg":
        assert ET.parse(path).getroot().tag.endswith("svg")


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.cli.running._Text.isatty", lambda _: True)

    ran = run_here(
        "simulate", V3, *RED, *FEW, "--sessions", "3000", "--engine", "cpu", "--json"
    )

    assert json.loads(ran.stdout)["sessions"] == 3000
    assert "[########################]  100%" in ran.stderr


def test_a_compilation_is_told_and_not_told_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A loop of this test's own stands for those of the engine, which are kept."""
    monkeypatch.setattr("tests.cli.running._Text.isatty", lambda _: True)
    right, loop = CpuEngine._work, numba.njit(lambda number: number + 1)

    def work(engine: CpuEngine, plan: SimulationPlan, spins: int) -> Work:
        loop(1)
        return right(engine, plan, spins)

    monkeypatch.setattr(CpuEngine, "_work", work)
    asked = ("simulate", V3, *RED, *FEW, "--engine", "cpu", "--json")

    first, second = (run_here(*asked).stderr for _ in range(2))

    assert first.count("Compiling, once …") == 1
    assert "Compiling" not in second


def test_nothing_is_told_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bar = ProgressBar(is_shown=False)

    bar.compiling()
    bar(1, 2)
    bar.finish()

    assert capsys.readouterr().err == ""


def test_an_interrupt_ends_it_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.lab.simulator.plain.PlainEngine.run", interrupted)

    ran = run_here("simulate", V3, *RED, *FEW)

    assert (ran.code, ran.stdout) == (130, "")
    assert ran.stderr.strip() == ""


def test_the_options_say_what_the_simulator_has() -> None:
    options = {option.name: option for option in simulate_command.params}

    engines = options["engine"].type
    assert isinstance(engines, click.Choice)
    assert tuple(engines.choices) == ENGINES
    assert options["sessions"].default == SESSIONS
    assert options["level"].default == LEVEL


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    ran = run_here("simulate", V3, *RED)

    assert (ran.code, ran.stdout) == (2, "")
    assert "pip install 'croupier[simulator]'" in ran.stderr
