"""Reading the acts of a round that goes wrong: what they mean, and contradictions."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.games import find_game
from croupier.rules import commands as do
from croupier.rules.game import Irregularity
from croupier.rules.notation import AreaText, MultipleText, read_wager
from croupier.rules.wheel import Number
from croupier.transcript import TranscriptError, read_line, read_transcript
from tests.cli.running import run_here

V3 = "mbs-roulette-v3"
COMPLETE_BET = "mbs-complete-bet-v2"
FAST_ACTION = "mbs-fast-action-v2"
MANAGER = "Gaming Shift Manager"
PAIR = "Dealer + Pit Supervisor"
TEN = tuple(Number(n) for n in ["1", "2", "5", "9", "13", "17", "21", "25", "29", "33"])

# A line, and what it asks.
ACTS: list[tuple[str, do.Command]] = [
    ("Dealer: spin against wheel", do.SpinBall(against_wheel=True)),
    ("Dealer: spin 6 against wheel", do.SpinBall(6, against_wheel=True)),
    ("Dealer: spin with wheel", do.SpinBall(against_wheel=False)),
    ("Dealer: spin 6 with wheel", do.SpinBall(6, against_wheel=False)),
    ("Dealer: spin 6", do.SpinBall(6, against_wheel=None)),
    (f"{PAIR}: correct ball to 18", do.CorrectBall(Number("18"))),
    (
        f"{PAIR}: correct round 1 bonus numbers {' '.join(TEN)}",
        do.CorrectBonusNumbers(1, TEN),
    ),
    (f"{MANAGER}: decide continue", do.DecideContinue()),
    (
        f"{MANAGER}: decide round 3 outcome 17",
        do.DecideRound(3, do.DecideOutcome(Number("17"))),
    ),
    (f"{MANAGER}: decide round 3 void", do.DecideRound(3, do.DecideVoid())),
    (
        f"{MANAGER}: decide round 3 w2 return",
        do.DecideRound(3, do.DecideWager("w2", do.ReturnIt())),
    ),
    (
        f"{MANAGER}: decide round 3 w2 amount 3",
        do.DecideRound(3, do.DecideWager("w2", do.GiveAmount(300))),
    ),
    (
        f"{MANAGER}: decide round 3 w2 20",
        do.DecideRound(
            3, do.DecideWager("w2", do.GivePosition(AreaText(None, (Number("20"),))))
        ),
    ),
    (
        f"{MANAGER}: decide round 3 w2 to Ben",
        do.DecideRound(3, do.DecideWager("w2", do.GiveTo("Ben"))),
    ),
    ("Dealer: no spin because a hand", do.AnnounceNoSpin("a hand")),
    (
        "Dealer: irregularity unlisted because of a cat",
        do.ReportIrregularity(Irregularity.UNLISTED, "of a cat"),
    ),
    (
        "Pit Supervisor: rule w3 return because it slid",
        do.RuleOnWager("w3", do.ReturnIt(), "it slid"),
    ),
    (f"{MANAGER}: decide void because so", do.DecideVoid("so")),
    (
        f"{MANAGER}: decide round 3 w2 to Ben because he laid it",
        do.DecideRound(3, do.DecideWager("w2", do.GiveTo("Ben"), "he laid it")),
    ),
    (
        f"{PAIR}: correct round 1 to 32 because of the film",
        do.CorrectOutcome(1, Number("32"), because="of the film"),
    ),
    (
        "Table Games Shift Manager: void rounds 2 3 ball_broke because a splinter",
        do.VoidRounds((2, 3), Irregularity.BALL_BROKE, "a splinter"),
    ),
]


@pytest.mark.parametrize(("line", "command"), ACTS, ids=[act[0] for act in ACTS])
def test_an_act_of_exceptional_play_reads(line: str, command: do.Command) -> None:
    read = read_line(find_game(V3), line)

    assert read.act.command == command


def test_a_complete_maximum_wager_may_be_laid_in_a_colour() -> None:
    read = read_line(
        find_game(COMPLETE_BET), "Anna: lay complete_maximum:17 blue as w1"
    )

    expected = MultipleText("complete_maximum", ("17",))
    assert read.act.command == do.PlaceWager(
        "w1", "Anna", expected, None, colour="blue"
    )


def test_chips_of_another_number_of_pieces_are_read_and_left_to_the_rules() -> None:
    read = read_line(find_game(COMPLETE_BET), "Anna: lay complete:17 5 as w1 chips 55")

    assert read.act.command == do.PlaceWager(
        "w1", "Anna", read_wager("complete:17"), 500, chips_cents=5500
    )


# The game, a line of its head or of a round, the column of the fault, and the message.
BAD: list[tuple[str, str, int, str]] = [
    # No limit on a type that the game lacks.
    (V3, "limits green 5 100", 8, "no wager green"),
    (V3, "limits top_line 5 100", 8, "no wager top_line"),
    ("rws-triple-zero", "limits bonus_win 5 100", 8, "no wager bonus_win"),
    (FAST_ACTION, "limits red 5 100", 8, "no wager red"),
    # Chips and stake contradict each other, or the wager has none.
    (COMPLETE_BET, "Anna: lay 17 10 as w1 chips 3", 23, "complete wager"),
    (COMPLETE_BET, "Anna: lay 17 10 as w1 chips 10", 23, "complete wager"),
    (COMPLETE_BET, "Anna: lay 17 10 as w1 without marker", 23, "complete wager"),
    (COMPLETE_BET, "Anna: lay complete:17 10 as w1 chips 3", 38, "whole units"),
    (COMPLETE_BET, "Anna: lay complete:17 5 as w1 chips 57", 37, "whole units"),
    (COMPLETE_BET, "Anna: lay complete_maximum:17 10 as w1", 31, "has no stake"),
    (V3, "Anna: lay 17 1.5 blue as w1", 14, "a whole number"),
    (V3, "Anna: increase w1 0", 19, "out of range"),
    (V3, "Anna: increase w1 2.505", 19, "two decimals"),
    # A decision says what is decided, once, of a round that can be.
    (V3, f"{MANAGER}: decide w1", 32, "write: decide w1 return"),
    (V3, f"{MANAGER}: decide round 3", 37, "decide round 3 outcome 17"),
    (V3, f"{MANAGER}: decide round outcome 17", 36, "a whole number"),
    (V3, f"{MANAGER}: decide round 0 void", 36, "counted from 1"),
    (V3, f"{MANAGER}: decide round 3 continue", 38, "decide round 3 outcome 17"),
    (V3, f"{MANAGER}: decide round 3 w2", 38, "decide round 3 outcome 17"),
    (V3, f"{MANAGER}: decide round 3 w2 to", 43, "write: decide round 3 w2 to Ben"),
    (V3, f"{MANAGER}: decide round 3 outcome", 45, "write: decide round 3 outcome 17"),
    (V3, f"{MANAGER}: decide round 3 void 2", 43, "write: decide round 3 void"),
    (V3, f"{MANAGER}: decide continue outcome 17", 39, "write: decide continue"),
    (V3, f"{PAIR}: correct ball 18", 41, "correct ball to 18"),
    (V3, f"{PAIR}: correct ball to 99", 42, "is not a number"),
    (FAST_ACTION, f"{PAIR}: correct round 1 bonus numbers 1 x", 58, "is not a number"),
    # An error names the verb that was used.
    (V3, "Anna: lay", 10, "write: lay straight_up:17 10 as w1"),
    (V3, "Anna: place", 12, "write: place straight_up:17 10 as w1"),
    (
        V3,
        "Anna: place red as w1",
        17,
        "the stake is missing: place straight_up:17 10 as w1",
    ),
    (V3, "Anna: place red 5", 18, "needs an id: place straight_up:17 10 as w1"),
    (V3, "Anna: lay red 5 6 as w1", 17, "not belong here: lay straight_up:17 10 as w1"),
    (V3, "Pit Supervisor: rule w1", 24, "write: rule w1 return"),
    (COMPLETE_BET, f"{MANAGER}: decide w1 tiers", 33, "decide takes one area"),
    # A person holds a position of the documents, no device's part.
    (V3, "Zoe as Queen: spin", 1, "'Queen' is not a position"),
    (V3, "Zoe as RNG: spin", 1, "'RNG' is not a position"),
    (V3, "Zoe acting system: spin", 1, "'system' is not a position"),
    (V3, "Zoe as Player: spin", 1, "'Player' is not a position"),
    (V3, "Dealer as Dealer: spin", 1, "'Dealer' is not a Player's name"),
    (V3, "Zoe as: spin", 1, "is not a name"),
    # A reason has words, and belongs to the acts that take one.
    (V3, "Dealer: no spin because", 24, "missing"),
    (V3, "Pit Supervisor: rule w1 return because", 39, "missing"),
    (V3, "Dealer: spin because the ball ran", 14, "takes no reason"),
    (V3, "Dealer: irregularity ball_broke because it fell", 33, "takes no reason"),
    (FAST_ACTION, "RNG: bonus numbers 1 2 because ten", 24, "takes no reason"),
    # The direction of a spin is said in full.
    (V3, "Dealer: spin against", 14, "a whole number"),
    (V3, "Dealer: spin 6 with", 16, "spin 6 against wheel"),
    (V3, "Dealer: spin with the wheel", 19, "spin 6 against wheel"),
]


@pytest.mark.parametrize(
    ("game", "line", "column", "message"), BAD, ids=[bad[1] for bad in BAD]
)
def test_a_line_that_contradicts_itself_is_an_error(
    game: str, line: str, column: int, message: str, tmp_path: Path
) -> None:
    head = [f"game {game}"] if line.startswith("limits") else [f"game {game}", "round"]
    lines = [*head, line]
    file = tmp_path / "a.txt"
    file.write_text("\n".join(lines), encoding="utf-8")

    with pytest.raises(TranscriptError) as caught:
        read_transcript(lines)
    ran = run_here("transcript", str(file))

    assert (caught.value.line, caught.value.column) == (len(lines), column)
    assert message in str(caught.value)
    assert (ran.code, ran.stdout) == (2, "")
    assert f"a.txt:{len(lines)}:{column}: " in ran.stderr
