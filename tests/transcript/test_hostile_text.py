"""Hostile text gets a quick and short answer that names its place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.games import UnknownGame, find_game
from croupier.rules import commands as do
from croupier.rules.notation import NotationError, read_cents, read_number, read_wager
from croupier.transcript import (
    Transcript,
    TranscriptError,
    play,
    played_json,
    read_line,
    read_transcript,
)

GAME = find_game("mbs-roulette-v3")
HEAD = ["game mbs-roulette-v3", "round"]
TEN_MEGABYTES = 10 * 1024 * 1024
LONGEST_MESSAGE = 300

WORDS = """
Dealer Anna system RNG Pit Manager acting for + : # / . - _ * 0 00 000 17 36
game mbs-roulette-v3 rws-triple-zero round limits setting ring area_maximum
place your bets lay increase withdraw as at chips without marker unregistered
spin no more bets outcome settle rule return amount decide void rounds to
straight_up split:17/20 17/20 red column:1 dozen top_line tiers complete
neighbours:17 finales:4 complete_maximum colour blue bank stand ball_broke
correct bonus numbers unlit ball dropped at rest unclear irregularity display
w1 w2 10 2.50 0.00 -5 NaN 1e3 1e999 007 9999999999999999999999999999
"""
PIECES = [
    *WORDS.split(),
    "9" * 500,
    "\uff11\uff17",  # fullwidth 17
    "\u0663",  # Arabic-Indic 3
    "\u00b2",
    "\u0967\u096d",
    "½",
    ":" * 60,
    "/" * 60,
    "1/" * 50,
    "(" * 60,
    "a" * 300,
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\r",
    "\x0b",
    "\x85",
    "\u2028",
    "\u200b",
    "\u202e",
    "\ufeff",
    "\ud800",
    "\udfff",
    "\U000e0001" * 50,
    "\U0001f3b0",
    "\t",
    " ",
    "'\"\\",
    "%s%n{0}",
]
texts = st.text(st.characters(), max_size=80)
"""Of any character, lone surrogates too."""
lines = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=6).map(
        lambda some: "Dealer: " + " ".join(some)
    ),
    st.lists(st.sampled_from(PIECES), max_size=5).map(
        lambda some: "Anna: lay " + " ".join(some)
    ),
    texts,
    texts.map(lambda text: f"Dealer: {text}"),
    texts.map(lambda text: f"{text}: spin"),
    texts.map(lambda text: f"Anna: lay {text} 5 as w1"),
    texts.map(lambda text: f"Anna: lay 17 {text} as w1"),
    texts.map(lambda text: f"Dealer: outcome {text}"),
)


def check_message(message: str) -> None:
    """One short sentence that any terminal and any file can take."""
    assert 5 <= len(message) < LONGEST_MESSAGE, message
    assert "\n" not in message
    assert all(char.isprintable() for char in message), ascii(message)
    message.encode("utf-8")


def check_error(
    error: TranscriptError, given_lines: Sequence[str], at_line: int | None = None
) -> None:
    """It points inside the text: at a character, or right behind the last one."""
    check_message(str(error))
    assert at_line in {None, error.line}
    assert 1 <= error.line <= max(1, len(given_lines))
    line = given_lines[error.line - 1] if given_lines else ""
    assert 1 <= error.column <= len(line) + 1


def read_or_error(given_lines: Sequence[str]) -> Transcript | None:
    """The transcript, or None with the error checked."""
    try:
        return read_transcript(given_lines)
    except TranscriptError as error:
        check_error(error, given_lines)
        return None


@settings(max_examples=400)
@given(line=lines)
@example("Dealer: outcome " + "\U000e0001" * 60)
@example("Dealer: outcome " + "\ud800" * 60)
@example("\U000e0001" * 60)
@example("\U000e0001" * 60 + ": spin")
@example("Dealer: irregularity " + "\U000e0001" * 60)
@example("Dealer: " + "\U000e0001" * 60)
@example("Anna: lay " + "\U000e0001" * 60 + " 5 as w1")
@example("Anna: lay 17 5 as w1 " + "\U000e0001" * 60)
@example("limits " + "\U000e0001" * 60 + " 5 10")
def test_a_hostile_line_is_an_act_or_an_error(line: str) -> None:
    given_lines = [*HEAD, line]

    transcript = read_or_error(given_lines)

    if transcript is not None:
        play(transcript)


@settings(max_examples=150)
@given(head=st.lists(lines, max_size=4))
@example(["game " + "\U000e0001" * 60])
@example(["game " + "x" * 3000])
@example(["game " + "'\"" * 60])
@example(["game mbs-roulette-v3", "setting " + "\U000e0001" * 60])
@example(["game mbs-roulette-v3", "limits " + "\U000e0001" * 60 + " 5 10"])
@example(["game mbs-roulette-v3", "setting area_maximum " + "\U000e0001" * 60])
@example(["game rws-triple-zero", "setting ring " + "\U000e0001" * 60])
def test_a_hostile_head_is_read_or_an_error(head: list[str]) -> None:
    transcript = read_or_error(head)

    assert transcript is None or transcript.game is not None


@settings(max_examples=300)
@given(line=lines)
def test_a_single_line_is_an_act_or_an_error(line: str) -> None:
    eight = [""] * 8

    try:
        read = read_line(GAME, line, 9)
    except TranscriptError as error:
        check_error(error, [*eight, line], at_line=9)
    else:
        assert read.number == 9
        assert read.act.people


words = st.one_of(
    texts,
    st.lists(st.sampled_from(PIECES), max_size=4).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=6).map(":".join),
    st.lists(st.sampled_from(PIECES), max_size=6).map("/".join),
)


@pytest.mark.parametrize("read", [read_number, read_cents, read_wager])
@settings(max_examples=200)
@given(text=words)
@example("\U000e0001" * 60)
@example("\ud800" * 60)
@example("'\"" * 60)
@example("split:" + "\U000e0001" * 60)
@example("complete:" + "\U000e0001" * 60)
@example("finales:" + "\U000e0001" * 60)
@example("")
def test_a_hostile_word_is_read_or_an_error(
    read: Callable[[str], object], text: str
) -> None:
    try:
        value = read(text)
    except NotationError as error:
        check_message(str(error))
    else:
        assert value
        assert text.isascii()


@settings(max_examples=100)
@given(text=words)
@example("\U000e0001" * 60)
@example("x" * 100_000)
def test_a_hostile_game_is_unknown(text: str) -> None:
    if text in {"mbs-roulette-v3", "rws-triple-zero"}:
        return

    with pytest.raises(UnknownGame) as caught:
        find_game(text)

    check_message(str(caught.value))


@pytest.mark.parametrize(
    "digits",
    ["\uff11\uff17", "\u0661\u0667", "\u0967\u096d", "\u00b9\u2077", "1\uff17"],
)
@pytest.mark.parametrize(
    "form",
    [
        "Dealer: outcome {}",
        "Dealer: spin {}",
        "Anna: lay {} 5 as w1",
        "Anna: lay straight_up:{} 5 as w1",
        "Anna: lay neighbours:{} 5 as w1",
        "Anna: lay finales:{} 5 as w1",
        "Anna: lay column:{} 5 as w1",
        "Anna: lay 17 {} as w1",
        "Anna: lay 17 {} blue as w1",
        "Anna: lay 17 5 as {}",
        "Anna: increase w1 {}",
        "Dealer + Pit Supervisor: correct round {} to 17",
        "Dealer: colour blue to Anna {}",
    ],
)
def test_only_ascii_digits_are_digits(form: str, digits: str) -> None:
    given_lines = [*HEAD, form.format(digits)]

    with pytest.raises(TranscriptError) as caught:
        read_transcript(given_lines)

    check_error(caught.value, given_lines)


CONTROLS = [chr(code) for code in (*range(9), *range(11, 32), 127)]
"""All but the tab and the line feed."""


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_a_control_character_is_an_error_in_any_place(control: str) -> None:
    line = "Dealer: spin # so"

    for place in range(len(line)):
        given_lines = [*HEAD, line[:place] + control + line[place:]]

        with pytest.raises(TranscriptError, match="does not belong") as caught:
            read_transcript(given_lines)

        check_error(caught.value, given_lines)
        assert (caught.value.line, caught.value.column) == (3, place + 1)


HUGE = [
    ("ten megabytes of one letter", "a"),
    ("ten megabytes of digits", "9"),
    ("ten megabytes of colons", ":"),
    ("ten megabytes of slashes", "/"),
    ("ten megabytes of spaces", " "),
    ("ten megabytes of comment signs", "#"),
    ("ten megabytes of plus signs", "+"),
    ("ten megabytes of NULs", "\x00"),
    ("ten megabytes of line ends", "\r"),
    ("ten megabytes of surrogates", "\ud800"),
    ("ten megabytes of numbers", "1/"),
    ("ten megabytes of words", "a "),
    ("ten megabytes of for", " for "),
    ("ten megabytes of acting", " acting "),
    ("ten megabytes of byte order marks", "\ufeff"),
]
STARTS = ["", "Dealer: ", "Anna: lay ", "Anna: lay 17 ", "Dealer: outcome "]


@pytest.mark.parametrize("unit", [huge[1] for huge in HUGE], ids=[h[0] for h in HUGE])
def test_a_huge_line_is_answered_at_once(unit: str) -> None:
    body = unit * (TEN_MEGABYTES // len(unit))

    for start in STARTS:
        given_lines = [*HEAD, start + body]
        began = process_time()

        transcript = read_or_error(given_lines)

        assert process_time() - began < 1.0
        assert transcript is None or not any(transcript.rounds)


@pytest.mark.parametrize("unit", [huge[1] for huge in HUGE], ids=[h[0] for h in HUGE])
@pytest.mark.parametrize("read", [read_number, read_cents, read_wager])
def test_a_huge_word_is_answered_at_once(
    read: Callable[[str], object], unit: str
) -> None:
    for start in ("", "split:", "complete:", "neighbours:17:", "17/"):
        text = start + unit * (TEN_MEGABYTES // len(unit) // 4)
        began = process_time()

        with pytest.raises(NotationError) as caught:
            read(text)

        assert process_time() - began < 1.0
        check_message(str(caught.value))


def seconds_to_read(given_lines: Sequence[str]) -> float:
    began = process_time()
    transcript = read_transcript(given_lines)
    assert transcript.rounds
    return process_time() - began


def test_a_hundred_thousand_lines_take_time_in_proportion() -> None:
    def acts(count: int) -> list[str]:
        return [*HEAD, *(f"Anna: lay 17 1 as w{n}" for n in range(count))]

    few = min(seconds_to_read(acts(5_000)) for _ in range(2))
    more = min(seconds_to_read(acts(20_000)) for _ in range(2))
    assert more < 10 * few

    many = seconds_to_read(acts(100_000))

    assert many < 50 * few


def test_a_hundred_thousand_empty_rounds_are_read() -> None:
    given_lines = [HEAD[0], *(["round"] * 100_000)]

    transcript = read_transcript(given_lines)

    assert len(transcript.rounds) == 100_000


def test_an_error_on_the_last_of_many_lines_names_that_line() -> None:
    given_lines = [*HEAD, *(["# nothing", ""] * 50_000), "Dealer: dance"]

    with pytest.raises(TranscriptError) as caught:
        read_transcript(given_lines)

    assert (caught.value.line, caught.value.column) == (100_003, 9)


@pytest.mark.parametrize("length", [4_001, 5_000, 100_000])
def test_a_line_longer_than_allowed_is_refused_even_if_it_is_a_comment(
    length: int,
) -> None:
    given_lines = [*HEAD, "#" * length]

    with pytest.raises(TranscriptError, match="longer than 4000 characters") as caught:
        read_transcript(given_lines)

    assert (caught.value.line, caught.value.column) == (3, 1)


def test_the_longest_line_allowed_is_read() -> None:
    line = "Dealer: spin #"

    transcript = read_transcript([*HEAD, line + "x" * (4_000 - len(line))])

    assert transcript.rounds[0][0].act.command == do.SpinBall()


@pytest.mark.parametrize(
    "line",
    [
        "Dealer: spin" + " x" * 1_900,
        "Dealer: " + "spin " * 700,
        "RNG: bonus numbers" + " 17" * 1_300,
        "RNG: bonus numbers" + " 1x" * 1_300,
        "Anna: lay 17 5 as w1" + " at T1" * 600,
        "Anna: lay 17 5" + " unregistered" * 300,
        "Pit Manager: void rounds" + " 1" * 1_900 + " ball_broke",
        "system: interruption terminals" + " T1" * 1_300,
        "Dealer" + " + Dealer" * 400 + ": spin",
        "Dealer: colour blue to" + " a" * 1_900 + " 5",
        "Anna: lay " + "/".join(["1"] * 1_000) + " 5 as w1",
    ],
)
def test_the_longest_lines_of_the_most_words_are_read_soon(line: str) -> None:
    began = process_time()

    for _ in range(100):
        read_or_error([*HEAD, line])

    assert process_time() - began < 3.0


def test_names_in_a_transcript_are_text_in_the_json() -> None:
    given_lines = [
        *HEAD,
        "Dealer: place your bets",
        "Zoë-Łucja: lay 17 5 as w1",
        "\u674e\u56db: lay 17 5 as w2",
        "Dealer: spin",
        "Dealer: no more bets",
        "Dealer: outcome 17",
        "Dealer: settle",
    ]

    [printed] = played_json(play(read_transcript(given_lines)))["rounds"]

    assert set(printed["players"]) == {"Zoë-Łucja", "\u674e\u56db"}


@pytest.mark.parametrize(
    "name",
    ["\ud800", "\x00", "a\x00b", "\u202e", "a\u200b", "<b>", "a" * 41, "a;b", "a\\b"],
    ids=ascii,
)
def test_a_name_of_other_than_letters_digits_and_spaces_is_an_error(name: str) -> None:
    given_lines = [*HEAD, f"{name}: lay 17 5 as w1"]

    with pytest.raises(TranscriptError) as caught:
        read_transcript(given_lines)

    check_error(caught.value, given_lines)


def test_a_refusal_quotes_at_most_a_sentence_of_a_long_text() -> None:
    colour = "b" * 3_000
    given_lines = [
        *HEAD,
        f"Dealer: colour {colour} to Anna 5",
        f"Dealer: colour {colour} to Ben 5",
        f"Dealer: colour blue from {'a ' * 1_500}",
    ]

    transcript = read_or_error(given_lines)

    if transcript is not None:
        [printed] = played_json(play(transcript))["rounds"]
        assert max(len(each["reason"]) for each in printed["refused"]) <= 200


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_read_by_any_encoding_are_text_or_an_error(seed: int) -> None:
    random = Random(seed)
    raw = random.randbytes(3_000)
    for encoding, errors in (("utf-8", "surrogateescape"), ("latin-1", "strict")):
        given_lines = raw.decode(encoding, errors).splitlines()

        assert read_or_error(given_lines) is None


def test_reading_needs_no_deep_stack() -> None:
    limit = sys.getrecursionlimit()
    nested = "complete:" * 300

    sys.setrecursionlimit(200)
    try:
        with pytest.raises(NotationError):
            read_wager(nested)
    finally:
        sys.setrecursionlimit(limit)
