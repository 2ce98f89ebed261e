"""Bad input: one sentence on standard error, exit 2, nothing else."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, run, run_here

V3 = "mbs-roulette-v3"
FAST = "mbs-fast-action-v2"
SETTLE = ("settle", V3, "17")

TABLE = Path(__file__).with_name("bad_input.txt")
BAD = [
    (command, words)
    for line in TABLE.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for command, *words in [line.split(" | ")]
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of files that most commands can't take."""
    folder = tmp_path_factory.mktemp("bad")
    head, row = "round,player,area,stake,outcome", "1,Anna,17,1000,17"
    texts = {
        "in.csv": f"{head}\n{row}\n",
        "there.csv": "something\n",
        "half.csv": "round,stake\n1,1\n",
        "twice.csv": f"{head},round\n{row},1\n",
        "other.csv": f"{head},paid_cents,collected_cents,returned_cents\n"
        "1,Anna,17,1000,S,0,1000,0\n",
        "text.db": "This is no journal. " * 100,
        "text.jsonl": "This is no journal.\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    for suffix in ("parquet", "csv", "jsonl"):
        (folder / f"empty.{suffix}").touch()
        (folder / f"noise.{suffix}").write_bytes(bytes(range(256)) * 8)
    (folder / "folder.csv").mkdir()
    (folder / "samples").symlink_to(ROOT / "samples")
    house = folder / "house.db"
    assert run_here("journal", "import", ROOT / "samples/house.jsonl", house).code == 0
    return folder


@pytest.mark.parametrize(("command", "words"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_is_answered_in_one_sentence_and_leaves_nothing(
    command: str, words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = {path: path.is_file() and path.read_bytes() for path in Path().iterdir()}

    ran = run_here(*shlex.split(command))

    assert ran.is_one_sentence, ran
    assert [word for word in words if word not in ran.stderr] == []
    after = {path: path.is_file() and path.read_bytes() for path in Path().iterdir()}
    assert after == before


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("gmes", "did you mean games?"),
        ("games --jsn", "--json"),
        ("layout mbs-roulete-v3", "did you mean mbs-roulette-v3?"),
        ("transcript no/such.txt", "No such file"),
    ],
)
def test_so_it_is_in_a_process_of_its_own(command: str, word: str) -> None:
    ran = run(*command.split())

    assert ran.is_one_sentence, ran
    assert word in ran.stderr


TRANSCRIPTS: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", ":1:1: a transcript begins with: game NAME"),
    "no text": (b"game \xff\xfe", ": byte 5 is not UTF-8 text"),
    "UTF-16": ("game mbs-roulette-v3\n".encode("utf-16"), ": byte 0 is not UTF-8 text"),
    "a binary file": (b"game\0mbs\x01\x02\n", ":1:5: the character '\\x00'"),
    "an unknown game": (
        b"game mbs-roulete-v3\n",
        ":1:6: there is no game 'mbs-roulete-v3'; did you mean mbs-roulette-v3?",
    ),
    "no act": (
        b"game mbs-roulette-v3\nround\nDealer: plce your bets\n",
        ":3:9: 'plce your bets' is not an act; did you mean place your bets?",
    ),
    "nobody": (b"game mbs-roulette-v3\nround\nhello\n", ":3:1: 'hello' is not an act"),
    "no round": (
        b"game mbs-roulette-v3\nDealer: spin\n",
        ":2:1: a round begins with a line: round",
    ),
    "an id twice": (
        b"game mbs-roulette-v3\nround\nA: lay 1 1 as w\nB: lay 1 1 as w\n",
        ":4:15: w has been used in this round",
    ),
    "a stake of zero": (
        b"game mbs-roulette-v3\nround\nA: lay 1 0 as w\n",
        ":3:10: '0' is out of range",
    ),
    "a cap on a wager that the game lacks": (
        b"game mbs-fast-action-v2\nsetting area_maximum red 100\n",
        ":2:22: Sands Fast Action Roulette has no wager red",
    ),
    "a long line": (b"game mbs-roulette-v3\n" + b"x" * 9_000_000, ":2:1: the line is"),
}


@pytest.mark.parametrize("case", TRANSCRIPTS)
def test_a_bad_transcript_is_answered_with_its_place(case: str, tmp_path: Path) -> None:
    given, words = TRANSCRIPTS[case]
    path = tmp_path / "bad.txt"
    path.write_bytes(given)

    ran = run_here("transcript", path)
    piped = run_here("transcript", "-", stdin=given)

    assert ran.is_one_sentence, ran
    assert f"croupier: {path}{words}" in ran.stderr
    assert piped.is_one_sentence, piped
    assert piped.stderr == ran.stderr.replace(str(path), "standard input")


def test_a_folder_is_no_transcript(tmp_path: Path) -> None:
    ran = run("transcript", tmp_path)

    assert ran.is_one_sentence, ran
    assert f"{tmp_path}: Is a directory" in ran.stderr


def test_a_file_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "table.svg"

    ran = run_here("layout", V3, "--svg", "--output", missing)
    folder = run_here("layout", V3, "--svg", "--output", tmp_path)

    assert ran.is_one_sentence, ran
    assert f"{missing}: No such file or directory" in ran.stderr
    assert folder.is_one_sentence, folder
    assert str(tmp_path) in folder.stderr


HOSTILE = {
    "a long name": "x" * 100_000,
    "new lines": "red@5\nblue",
    "a surrogate": "\udcff",
    "many numbers": "/".join(["17"] * 5_000) + "@5",
    "colons": ":" * 5_000 + "@5",
    "at signs": "@" * 5_000,
    "an escape": "\x1b[2J:red@5",
    "nothing": "",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_answered_in_one_sentence_too(text: str) -> None:
    for args in (
        ("settle", V3, "17", text),
        ("settle", V3, text, "red@5"),
        ("layout", V3, text or "-"),
        ("layout", text),
        ("exposure", V3, text),
        ("rules", V3, text),
        (text,),
    ):
        ran = run_here(*args)

        assert ran.is_one_sentence, (args[:3], ran)


@pytest.mark.parametrize("name", ["", "a\nb", "a\0b", "\udcff", "x" * 5_000], ids=ascii)
def test_a_file_name_may_be_anything(name: str) -> None:
    ran = run_here("transcript", name)

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("croupier: ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("wager", "suggested"),
    [
        ("split:17/21", "split:17/20"),
        ("17/21", "split:17/20"),
        ("split:17/23", "split:17/20"),
        ("corner:17/18/20/22", "corner:17/18/20/21"),
        ("street:1/2/4", "street:1/2/3"),
    ],
)
def test_an_area_close_by_is_suggested(wager: str, suggested: str) -> None:
    ran = run_here(*SETTLE, f"{wager}@5")

    assert ran.is_one_sentence, ran
    assert f"did you mean {suggested}?" in ran.stderr


@pytest.mark.parametrize(
    "args",
    [
        (*SETTLE, "red 5 as w9 #@"),
        (*SETTLE, "red@5 at T1"),
        ("settle", V3, "17 #", "red@5"),
        ("settle", "rws-triple-zero", "17", "red@5 unregistered"),
        (*SETTLE, "red@5 #"),
        (*SETTLE, "red@5 as w9"),
    ],
    ids=" ".join,
)
def test_a_wager_is_a_wager_and_no_act(args: tuple[str, ...]) -> None:
    ran = run_here(*args)

    assert ran.is_one_sentence, ran


def test_a_missing_stake_is_told_in_the_words_of_the_command() -> None:
    ran = run_here(*SETTLE, "red")

    assert ran.is_one_sentence, ran
    assert "red@" in ran.stderr


@pytest.mark.parametrize(
    "options", [("--svg", "--json"), ("--output", "x.svg"), ("--theme", "light")]
)
def test_options_that_exclude_each_other_are_refused(options: tuple[str, ...]) -> None:
    ran = run_here("layout", V3, *options)

    assert ran.is_one_sentence, ran
    assert "--svg" in ran.stderr


def test_nothing_is_printed_where_one_of_several_files_is_bad() -> None:
    ran = run_here("transcript", "samples/mbs-roulette-v3.txt", "no/such", "--json")

    assert ran.is_one_sentence, ran


def test_without_a_command_the_help_is_printed() -> None:
    ran = run_here()

    assert "Commands:\n  games " in ran.stdout + ran.stderr


def test_a_full_disk_leaves_no_traceback() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "croupier", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode != 0
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
