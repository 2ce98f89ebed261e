"""Bad input: one sentence on standard error, exit 2, nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import GAMES, Ran, run, run_here

V3 = "mbs-roulette-v3"
FAST = "mbs-fast-action-v2"
SETTLE = ("settle", V3, "17")

# What is given, and words that the sentence must have.
BAD: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "unknown command": (("gmes",), ("gmes", "did you mean games?")),
    "no command like it": (("xyzzy",), ("xyzzy", "croupier --help")),
    "unknown option": (("games", "--jsn"), ("--jsn", "--json")),
    "argument too many": (("games", "now"), ("now",)),
    "no game": (("layout",), ("GAME",)),
    "unknown game": (
        ("layout", "mbs-roulete-v3"),
        ("mbs-roulete-v3", "did you mean mbs-roulette-v3?"),
    ),
    "no game like it": (("rules", "chess"), ("chess", *GAMES)),
    "empty game": (("layout", ""), GAMES),
    "unknown wager": ((*SETTLE, "rde@5"), ("rde", "did you mean red?")),
    "unknown multiple": ((*SETTLE, "teirs@5"), ("teirs", "did you mean tiers?")),
    "unknown number": ((*SETTLE, "37@5"), ("37", "are 0 1 … 36")),
    "number of another game": ((*SETTLE, "00@5"), ("area 00", "[3.4]")),
    "area of another game": ((*SETTLE, "top_line@5"), ("top_line", "[3.4]")),
    "multiple of another game": ((*SETTLE, "tiers@5"), ("tiers", "[3.4]")),
    "area that touches nothing": (
        (*SETTLE, "split:17/21@5"),
        ("split:17/21", "did you mean split:", "[3.4]"),
    ),
    "radius of another game": (
        ("settle", "mbs-complete-bet-v2", "17", "neighbours:17:3@5"),
        ("neighbours:17:3", "[3.5]"),
    ),
    "number twice": ((*SETTLE, "split:17/17@5"), ("17/17", "twice")),
    "numbers missing": ((*SETTLE, "split@5"), ("split:…",)),
    "no such dozen": ((*SETTLE, "dozen:4@5"), ("dozen",)),
    "zero stake": ((*SETTLE, "red@0"), ("'0'", "0.01")),
    "three decimals": ((*SETTLE, "red@1.234"), ("1.234", "two decimals")),
    "negative stake": ((*SETTLE, "red@-5"), ("-5", "amount")),
    "stake in words": ((*SETTLE, "red@five"), ("five", "amount")),
    "Arabic digits": ((*SETTLE, "red@\u0665"), ("\u0665", "amount")),
    "more than there is": ((*SETTLE, "red@" + "9" * 40), ("amount",)),
    "stake left out": ((*SETTLE, "red"), ("stake",)),
    "stake of a complete maximum": (
        ("settle", "mbs-complete-bet-v2", "17", "complete_maximum:17@5"),
        ("complete maximum", "no stake"),
    ),
    "no limits for a complete maximum": (
        ("settle", "mbs-complete-bet-v2", "17", "complete_maximum:17"),
        ("maximum", "[3.6.2]"),
    ),
    "no wager": (SETTLE, ("WAGER@STAKE",)),
    "unknown outcome": (("settle", V3, "37", "red@5"), ("37", "are 0 1 … 36")),
    "outcome of another game": (("settle", V3, "00", "red@5"), ("00", "[3.8]")),
    "no bonus numbers": (("settle", FAST, "1", "1@5"), ("Bonus Numbers", "[1.1.1]")),
    "nine bonus numbers": (
        ("settle", FAST, "1", "1@5", "--bonus", "1,2,3,4,5,6,7,8,9"),
        ("10 different", "[1.1.1]"),
    ),
    "the same bonus number twice": (
        ("settle", FAST, "1", "1@5", "--bonus", "1,1,3,4,5,6,7,8,9,10"),
        ("10 different", "[1.1.1]"),
    ),
    "eleven bonus numbers": (
        ("settle", FAST, "1", "1@5", "--bonus", "0,1,2,3,4,5,6,7,8,9,10"),
        ("more than 10", "[6.2]"),
    ),
    "bonus in words": (
        ("settle", FAST, "1", "1@5", "--bonus", "all"),
        ("all", "number"),
    ),
    "bonus where there is none": (
        (*SETTLE, "red@5", "--bonus", "1,2,3,4,5,6,7,8,9,10"),
        ("Bonus Numbers",),
    ),
    "outside the limits": (
        ("settle", "rws-triple-zero", "17", "red@5", "--limits", "* 10 20"),
        ("5.00 on red", "10.00 to 20.00", "[3.3]"),
    ),
    "limits of nothing": (
        (*SETTLE, "red@5", "--limits", "rde 1 2"),
        ("rde", "did you mean red?"),
    ),
    "limits upside down": ((*SETTLE, "red@5", "--limits", "* 9 2"), ("minimum",)),
    "half a limit": ((*SETTLE, "red@5", "--limits", "red 1"), ("limits",)),
    "setting of another game": (
        (*SETTLE, "red@5", "--setting", "finale_zero all"),
        ("finale_zero", "area_maximum"),
    ),
    "no such choice": (
        (
            *("settle", "rws-triple-zero", "17", "red@5"),
            *("--setting", "finale_zero some"),
        ),
        ("all", "single"),
    ),
    "unknown clause": (("rules", V3, "5.99"), ("5.99", "did you mean 5.9?")),
    "clause in words": (("rules", V3, "zzz"), ("Roulette (MBS) v3", "zzz")),
    "unknown theme": (("layout", V3, "--theme", "blue"), ("blue", "dark", "light")),
    "unknown shell": (("completion", "tcsh"), ("tcsh", "bash", "zsh", "fish")),
    "no file": (("transcript",), ("FILE",)),
    "missing file": (("transcript", "no/such.txt"), ("no/such.txt", "No such file")),
    "picture of a wager it lacks": (
        ("layout", V3, "top_line", "--svg"),
        ("top_line", "[3.4]"),
    ),
}


def _is_one_sentence(ran: Ran) -> bool:
    return (
        ran.code == 2
        and ran.stdout == ""
        and ran.stderr.startswith("croupier: ")
        and ran.stderr.count("\n") == 1
        and ran.stderr.endswith("\n")
        and len(ran.stderr) < 300
        and "Traceback" not in ran.stderr
    )


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_answered_in_one_sentence(case: str) -> None:
    args, words = BAD[case]

    ran = run_here(*args)

    assert _is_one_sentence(ran), ran
    assert [word for word in words if word not in ran.stderr] == []


@pytest.mark.parametrize(
    "case",
    ["unknown command", "unknown option", "unknown game", "zero stake", "missing file"],
)
def test_so_it_is_in_a_process_of_its_own(case: str) -> None:
    args, words = BAD[case]

    ran = run(*args)

    assert _is_one_sentence(ran), ran
    assert [word for word in words if word not in ran.stderr] == []


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
    "a long line": (b"game mbs-roulette-v3\n" + b"x" * 9_000_000, ":2:1: the line is"),
}


@pytest.mark.parametrize("case", TRANSCRIPTS)
def test_a_bad_transcript_is_answered_with_its_place(case: str, tmp_path: Path) -> None:
    given, words = TRANSCRIPTS[case]
    path = tmp_path / "bad.txt"
    path.write_bytes(given)

    ran = run_here("transcript", path)
    piped = run_here("transcript", "-", stdin=given)

    assert _is_one_sentence(ran), ran
    assert f"croupier: {path}{words}" in ran.stderr
    assert _is_one_sentence(piped), piped
    assert piped.stderr == ran.stderr.replace(str(path), "standard input")


def test_a_folder_is_no_transcript(tmp_path: Path) -> None:
    ran = run("transcript", tmp_path)

    assert _is_one_sentence(ran), ran
    assert f"{tmp_path}: Is a directory" in ran.stderr


def test_a_file_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "table.svg"

    ran = run_here("layout", V3, "--svg", "--output", missing)
    folder = run_here("layout", V3, "--svg", "--output", tmp_path)

    assert _is_one_sentence(ran), ran
    assert f"{missing}: No such file or directory" in ran.stderr
    assert _is_one_sentence(folder), folder
    assert str(tmp_path) in folder.stderr


HOSTILE = {
    "a long name": "x" * 100_000,
    "new lines": "red@5\nblue",
    "a surrogate": "\udcff",
    "many numbers": "/".join(["17"] * 5_000) + "@5",
    "colons": ":" * 5_000 + "@5",
    "at signs": "@" * 5_000,
    "nothing": "",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_answered_in_one_sentence_too(text: str) -> None:
    for args in (
        ("settle", V3, "17", text),
        ("settle", V3, text, "red@5"),
        ("layout", V3, text or "-"),
        ("layout", text),
        ("rules", V3, text),
        (text,),
    ):
        ran = run_here(*args)

        assert _is_one_sentence(ran), (args[:3], ran)


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

    assert _is_one_sentence(ran), ran
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

    assert _is_one_sentence(ran), ran


def test_a_missing_stake_is_told_in_the_words_of_the_command() -> None:
    ran = run_here(*SETTLE, "red")

    assert _is_one_sentence(ran), ran
    assert "red@" in ran.stderr


@pytest.mark.parametrize(
    "options", [("--svg", "--json"), ("--output", "x.svg"), ("--theme", "light")]
)
def test_options_that_exclude_each_other_are_refused(options: tuple[str, ...]) -> None:
    ran = run_here("layout", V3, *options)

    assert _is_one_sentence(ran), ran
    assert "--svg" in ran.stderr


def test_nothing_is_printed_where_one_of_several_files_is_bad() -> None:
    ran = run_here("transcript", "samples/mbs-roulette-v3.txt", "no/such", "--json")

    assert _is_one_sentence(ran), ran


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
