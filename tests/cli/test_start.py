"""How the command starts: quickly, with help, completion, and a pipe that breaks."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import croupier
from tests.cli.running import ROOT, run, run_here
from tests.golden_tables import GAMES

COMMANDS = (
    "games",
    "layout",
    "odds",
    "exposure",
    "session",
    "best-play",
    "simulate",
    "settle",
    "settle-file",
    "transcript",
    "rules",
    "rulebook",
    "compare",
    "readings",
    "dossier",
    "rng",
    "journal",
    "audit",
    "report",
    "wheel-check",
    "serve",
    "receipt",
    "witness",
    "mirror",
    "client",
    "house",
    "learn",
    "samples",
    "version",
    "completion",
)

ELSEWHERE = {"completion", "client", "samples", "settle-file"}
"""Theirs run in a shell, at a house, in a user's folder: test_(client|…).py."""

HEAVY = {
    "asyncio",
    "click.shell_completion",
    "difflib",
    "email",
    "http",
    "importlib.metadata",
    "json",
    "matplotlib",
    "multiprocessing",
    "numpy",
    "rich",
    "socket",
    "ssl",
    "tomllib",
    "unittest",
    "websockets",
    "xml",
    "zipfile",
    "croupier.drawing",
    "croupier.odds",
    "croupier.transcript",
    "croupier.games.readings",
    "croupier.rules.decisions",
    "croupier.rules.round",
    "croupier.rules.series",
    "croupier.rules.settlement",
}
"""What neither `import croupier` nor `croupier games` may import."""


def _imported(code: str) -> set[str]:
    """The modules that a fresh interpreter has after the code."""
    program = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stderr.split())


def test_importing_the_package_imports_next_to_nothing() -> None:
    bare = _imported("import __future__, typing")

    imported = _imported("import croupier") - bare

    assert imported == {"croupier", "croupier.lazy_names"}


def test_listing_the_games_imports_nothing_heavy() -> None:
    imported = _imported(
        "sys.argv = ['croupier', 'games']\n"
        "from croupier.cli import main\n"
        "try: main()\n"
        "except SystemExit as exit_: assert exit_.code == 0"
    )

    assert "croupier.games.rws_triple_zero" in imported
    assert imported & HEAVY == set()


def test_one_game_is_loaded_without_the_others() -> None:
    imported = _imported("import croupier; croupier.find_game('mbs-roulette-v3')")

    assert "croupier.games.mbs_roulette_v3" in imported
    assert "croupier.games.rws_triple_zero" not in imported


def test_every_name_of_the_package_can_be_had() -> None:
    for name in croupier.__all__:
        assert getattr(croupier, name).__name__.rpartition(".")[2] == name
    assert set(croupier.__all__) <= set(dir(croupier))
    with pytest.raises(AttributeError, match="no attribute 'Roulette'"):
        croupier.Roulette  # noqa: B018


@pytest.mark.parametrize("command", ["house", "serve"])
def test_without_the_extra_of_the_server_it_is_named(command: str) -> None:
    program = "import sys; sys.modules['argon2'] = None\n"
    program += "from croupier.cli import main; main()"

    done = subprocess.run(
        [sys.executable, "-c", program, command, "--help"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert (done.returncode, done.stdout) == (2, "")
    said = "croupier: this needs argon2: pip install 'croupier[server]'\n"
    assert done.stderr == said


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("apsw", "journal verify x.db"),
        ("cryptography", "audit samples/house.jsonl"),
        ("msgspec", "report samples/settled.csv --game mbs-roulette-v3"),
    ],
)
def test_a_missing_part_of_every_installation_is_one_sentence(
    package: str, words: str
) -> None:
    program = (
        f"import sys; sys.modules['{package}'] = None\n"
        "from croupier.cli import main; main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, *words.split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"croupier: {package} is missing, though every installation has it: pip install"
        " croupier\n"
    )


def test_the_version_is_printed() -> None:
    assert run("--version").stdout == f"croupier {croupier.__version__}\n"


def test_the_help_lists_every_command() -> None:
    told = run("--help")

    listed = told.stdout.partition("Commands:\n")[2].splitlines()
    assert (told.code, told.stderr) == (0, "")
    assert tuple(line.split()[0] for line in listed) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_has_the_first_sentence_of_the_help(command: str) -> None:
    listed = " ".join(run_here("--help").stdout.partition("Commands:\n")[2].split())
    whole = " ".join(run_here(command, "--help").stdout.split())

    first = re.search(rf" ?{command} (?P<first>[A-Z].*?\.)(?: [a-z]|$)", listed)

    assert first is not None
    assert f" {first['first']} " in whole


def test_the_help_imports_no_command() -> None:
    imported = _imported(
        "sys.argv = ['croupier', '--help']\n"
        "from croupier.cli import main\n"
        "try: main()\n"
        "except SystemExit as exit_: assert exit_.code == 0"
    )

    assert not [each for each in imported if each.endswith("_command")]
    assert imported & HEAVY == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(command: str) -> None:
    long, short = run_here(command, "--help"), run_here(command, "-h")

    assert (long.code, long.stderr) == (0, "")
    assert long == short
    assert long.stdout.startswith(f"Usage: croupier {command} ")
    [example] = [line for line in long.stdout.splitlines() if "Example: " in line]
    assert f"croupier {command}" in example


@pytest.mark.parametrize("command", [e for e in COMMANDS if e not in ELSEWHERE])
def test_the_example_of_the_help_runs(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    told = run_here(command, "--help").stdout
    [example] = [line for line in told.splitlines() if "Example: " in line]
    _, _, words = example.partition("Example: croupier ")

    ran = run_here(*words.split())

    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell: str) -> None:
    script = run_here("completion", shell).stdout

    assert "_CROUPIER_COMPLETE" in script
    assert f"{shell}_complete" in script
    assert "croupier" in script


def test_the_bash_script_is_bash() -> None:
    script = run_here("completion", "bash").stdout

    checked = subprocess.run(["bash", "-n"], input=script, text=True, check=False)

    assert checked.returncode == 0


def _completed(*words: str) -> list[str]:
    environment = {
        "_CROUPIER_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["croupier", *words]),
        "COMP_CWORD": str(len(words)),
    }
    lines = run(environment=environment).stdout.splitlines()
    return [line.removeprefix("plain,") for line in lines]


def test_the_name_of_a_game_is_completed() -> None:
    assert _completed("layout", "mbs-r") == ["mbs-roulette-v2", "mbs-roulette-v3"]
    assert _completed("settle", "rws") == ["rws-triple-zero"]


def test_commands_and_options_are_completed() -> None:
    assert _completed("re") == ["readings", "report", "receipt"]
    assert _completed("layout", GAMES[0], "--th") == ["--theme"]


@pytest.mark.parametrize(
    "args",
    [
        ("layout", "mbs-roulette-v3"),
        ("layout", "mbs-roulette-v3", "--svg"),
        ("rules", "rws-triple-zero"),
        ("readings", "--json"),
        ("odds", "mbs-roulette-v3"),
    ],
    ids=" ".join,
)
def test_a_pipe_that_breaks_leaves_no_traceback(args: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "croupier", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
        process.wait(timeout=60)

    assert complaint == b""
