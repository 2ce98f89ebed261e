"""`croupier session` and `croupier best-play`: answers, files, and bad input."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.lab.sessions import SessionError
from tests.cli.running import ROOT, run_here
from tests.golden_tables import GAMES

V3 = "mbs-roulette-v3"
RED = ("--wager", "red@10", "--bankroll", "100", "--target", "200")
P, Q = Fraction(18, 37), Fraction(19, 37)


def test_a_session_is_told_in_lines() -> None:
    told = run_here("session", V3, *RED)

    rows = {row[0]: row[-1] for row in told.table()[1:] if row}
    reached = (1 - (Q / P) ** 10) / (1 - (Q / P) ** 20)
    assert told.stdout.startswith("Roulette: flat with red@10, from 100.00 to 200.00")
    assert rows["target reached"] == f"{float(reached) * 100:.4f} %"
    assert rows["ruined"] == f"{float(1 - reached) * 100:.4f} %"
    assert "Exact: calculated in fractions." in told.stdout
    assert "Ruined: the bankroll can't pay the next wager." in told.stdout


def test_a_session_as_json() -> None:
    found = run_here("session", V3, *RED, "--rounds", "30", "--json").json()

    assert found["game"] == V3
    assert found["approved"] is True
    assert (found["bankroll_cents"], found["target_cents"]) == (10_000, 20_000)
    assert (found["unit_cents"], found["rounds"]) == (1000, 30)
    assert (found["arithmetic"], found["error"]) == ("exact", 0.0)
    ends = [found[name] for name in ("reached", "ruined", "stopped", "playing")]
    assert sum(Fraction(end["fraction"]) for end in ends) == 1
    assert abs(sum(each["probability"] for each in found["bankrolls"]) - 1) < 1e-12
    assert [each["round"] for each in found["course"]] == list(range(1, 31))
    assert found["course"][-1]["ruined"] == found["ruined"]["value"]


def test_float64_says_its_bound() -> None:
    words = ("session", V3, *RED, "--rounds", "30", "--arithmetic", "float64")

    told, found = run_here(*words), run_here(*words, "--json").json()

    assert "Calculated in float64: no probability is off by more than" in told.stdout
    assert 0 < found["error"] < 1e-12
    assert "fraction" not in found["ruined"]
    assert found["ruined"]["error"] > 0


def test_a_stop_loss_is_told() -> None:
    words = ("session", V3, *RED, "--stop-loss", "30")

    told, found = run_here(*words), run_here(*words, "--json").json()

    rows = {row[0]: row[-1] for row in told.table()[1:] if row}
    reached = (1 - (Q / P) ** 3) / (1 - (Q / P) ** 13)
    assert "until it ends, a stop-loss of 30.00" in told.stdout
    assert rows["target reached"] == f"{float(reached) * 100:.4f} %"
    assert rows["left the table"] == f"{float(1 - reached) * 100:.4f} %"
    assert rows["left by the stop-loss"] == rows["left the table"]
    assert found["stop_loss_cents"] == 3000
    assert Fraction(found["stopped_by_loss"]["fraction"]) == 1 - reached


def test_durations_are_told_when_asked() -> None:
    words = ("session", V3, *RED, "--rounds", "30")

    plain, told = run_here(*words), run_here(*words, "--durations")

    rows = {row[0]: row[-1] for row in told.table()[1:] if row}
    assert "rounds played, 50% quantile" not in plain.stdout
    assert rows["rounds played, 95% quantile"] == "30"
    assert float(rows["rounds played, standard deviation"]) > 0
    found = run_here(*words, "--durations", "--json").json()
    assert found["durations"]["quantiles"][-1]["rounds"] == 30


def test_peak_and_drawdown_are_told_when_asked() -> None:
    words = ("session", V3, *RED, "--rounds", "400", "--peak", "--drawdown")

    told, found = run_here(*words), run_here(*words, "--json").json()

    rows = {row[0]: row[-1] for row in told.table()[1:] if row}
    quantiles = [each["peak_cents"] for each in found["peak"]["quantiles"]]
    assert rows["peak, 95% quantile"] == f"{quantiles[-1] / 100:.2f}"
    assert float(rows["drawdown, 5% quantile"]) > 0
    assert "Drawdown: no probability is off by more than" in told.stdout


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_sessions_and_a_best_play(game: str) -> None:
    wager = "17@10 + 1@10"

    session = run_here(
        "session", game, "--wager", wager, "--bankroll", "100", "--rounds", "3",
        "--strategy", "martingale", "--limits", "* 5 100",
    )  # fmt: skip
    best = run_here(
        "best-play", game, "--bankroll", "100", "--target", "150", "--chip", "10"
    )

    assert (session.code, session.stderr) == (0, "")
    assert (best.code, best.stderr) == (0, "")
    assert "Searched: one of" in best.stdout


def test_wagers_can_be_given_one_by_one() -> None:
    rest = ("--bankroll", "100", "--rounds", "2", "--json")

    apart = run_here("session", V3, "--wager", "17@5", "--wager", "red@10", *rest)
    together = run_here("session", V3, "--wager", "17@5 + red@10", *rest)

    assert apart.json() == together.json()
    assert apart.json()["unit_cents"] == 1500


def test_rules_for_stakes_that_are_not_allowed_can_be_chosen() -> None:
    words = (*RED, "--strategy", "martingale", "--json")

    usual = run_here("session", V3, *words).json()
    stops = run_here("session", V3, *words, "--over-bankroll", "stop").json()

    assert usual["stopped"]["value"] == 0
    assert stops["stopped"]["value"] > 0
    assert (usual["over_bankroll"], stops["over_bankroll"]) == ("stake-allowed", "stop")


def test_a_table_of_states_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "mine.toml"
    table.write_text(
        'name = "mine"\n[states.one]\nstake = 1\nwin = "two"\nloss = "one"\n'
        '[states.two]\nstake = 2\nwin = "one"\nloss = "one"\n'
    )

    found = run_here("session", V3, *RED, "--strategy", table, "--json").json()

    assert found["strategy"] == "mine"


@pytest.mark.parametrize("kind", ["svg", "png"])
@pytest.mark.parametrize(
    "words",
    [
        ("session", V3, *RED, "--rounds", "20"),
        ("session", V3, *RED, "--strategy", "martingale"),
        ("best-play", V3, "--bankroll", "50", "--target", "80"),
        ("best-play", V3, "--bankroll", "500", "--growth", "--chance", "17 1/30"),
    ],
    ids=" ".join,
)
def test_it_is_drawn(words: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    path, again = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"

    ran = run_here(*words, "--plot", path)
    run_here(*words, "--plot", again)

    assert (ran.code, ran.stderr) == (0, f"wrote {path}\n")
    if kind == "svg":
        assert ET.parse(path).getroot().tag.endswith("svg")
        assert path.read_bytes() == again.read_bytes()
    else:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_best_play_as_json() -> None:
    found = run_here(
        "best-play",
        V3,
        "--bankroll",
        "25",
        "--target",
        "100",
        "--area",
        "red",
        "--json",
    ).json()

    assert Fraction(found["attained"]) == P**2
    assert found["reached"]["error"] < 1e-10
    assert found["searched"].startswith("red, with any stake from 1.00 up")
    assert found["plan"][25]["wagers"] == [{"wager": "red", "stake_cents": 2500}]


def test_stakes_for_growth() -> None:
    words = ("best-play", V3, "--bankroll", "1000", "--growth", "--chance", "17 1/30")

    told = run_here(*words)
    found = run_here(*words, "--json").json()

    assert (told.code, told.stderr) == (0, "")
    assert told.stdout.startswith("No approved game")
    assert "straight_up:17@6" in told.stdout
    assert found["approved"] is False
    assert found["staked_cents"] == 600
    assert found["growth"]["value"] > found["growth_excess"]


def test_a_what_if_is_labelled(tmp_path: Path) -> None:
    changed = tmp_path / "changed.toml"
    changed.write_text('title = "No zero"\n[chances]\n0 = 0\n')

    told = run_here("session", V3, *RED, "--what-if", changed)
    found = run_here("session", V3, *RED, "--what-if", changed, "--json").json()

    assert told.stdout.startswith("No approved game")
    assert found["approved"] is False
    assert Fraction(found["reached"]["fraction"]) == Fraction(1, 2)


def test_a_bad_table_is_told_with_its_name(tmp_path: Path) -> None:
    table = tmp_path / "mine.toml"
    table.write_text("[states.one]\nstake = 1.5\n")

    ran = run_here("session", V3, *RED, "--strategy", table)

    assert (ran.code, ran.stdout) == (2, "")
    assert f"{table}: state 'one' needs a stake in whole units" in ran.stderr


def test_without_numpy_small_sessions_are_calculated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    long = ("--wager", "red@1", "--bankroll", "1000", "--rounds", "100000")

    small, large = run_here("session", V3, *RED), run_here("session", V3, *long)

    assert small.code == 0
    assert (large.code, large.stdout) == (2, "")
    assert "needs numpy: pip install 'croupier[odds]'" in large.stderr


def test_without_matplotlib_a_picture_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    monkeypatch.setattr("croupier.cli.session_command.session", None)

    ran = run_here("session", V3, *RED, "--plot", tmp_path / "x.svg")

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr == (
        "croupier: this needs matplotlib: pip install 'croupier[odds]'\n"
    )


def test_the_figures_are_printed_before_they_are_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*_: object) -> None:
        raise SessionError("the picture can't be drawn")

    monkeypatch.setattr("croupier.lab.sessions.report.plot_session", fails)

    ran = run_here("session", V3, *RED, "--plot", tmp_path / "x.svg")

    assert ran.code == 2
    assert "ruined" in ran.stdout
    assert ran.stderr == "croupier: the picture can't be drawn\n"


def test_long_work_shows_progress_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.cli.running._Text.isatty", lambda _: True)

    ran = run_here("session", V3, *RED, "--rounds", "300", "--json")

    assert ran.code == 0
    assert ran.stdout.startswith("{")
    assert "[############------------]   50%" in ran.stderr
    assert "[########################]  100%" in ran.stderr


def test_an_exact_session_imports_neither_numpy_nor_matplotlib() -> None:
    import subprocess
    import sys

    program = (
        "import sys\n"
        f"sys.argv = ['croupier', 'session', '{V3}', *{RED!r}]\n"
        "from croupier.cli import main\n"
        "try: main()\n"
        "except SystemExit as exit_: assert exit_.code == 0\n"
        "assert not {'numpy', 'matplotlib'} & set(sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT,
        check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
