"""Reading transcripts: good lines and what they mean, bad lines and where."""

from __future__ import annotations

import pytest

from croupier.games import find_game
from croupier.rules import commands as do
from croupier.rules.game import CompleteDozen, FinaleZero, Irregularity
from croupier.rules.layout import WagerType
from croupier.rules.notation import (
    AreaText,
    MultipleText,
    NotationError,
    read_cents,
    read_number,
    read_wager,
)
from croupier.rules.operator import Person, Role
from croupier.rules.terms import Limit
from croupier.rules.wheel import Number
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
ANNA = Person("Anna", Role.PLAYER)
BEN = Person("Ben", Role.PLAYER)
DEALER = Person("Dealer", Role.DEALER)
SUPERVISOR = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
MANAGER = Person("Pit Manager", Role.PIT_MANAGER)
GAMING_MANAGER = Person("Gaming Shift Manager", Role.GAMING_SHIFT_MANAGER)
TABLE_MANAGER = Person("Table Games Shift Manager", Role.TABLE_GAMES_SHIFT_MANAGER)
SYSTEM = Person("system", Role.SYSTEM)
RNG = Person("RNG", Role.RNG)

STRAIGHT_17 = AreaText(WagerType.STRAIGHT_UP, (Number("17"),))
SPLIT_14_17 = AreaText(WagerType.SPLIT, (Number("14"), Number("17")))
TEN = tuple(Number(n) for n in ["1", "2", "5", "9", "13", "17", "21", "25", "29", "33"])


def laid(wager_id: str, player: str | None, wager: str, cents: int) -> do.PlaceWager:
    return do.PlaceWager(wager_id, player, read_wager(wager), cents)


def placed(wager_id: str, player: str, wager: str, cents: int) -> do.PlaceWager:
    return do.PlaceWager(wager_id, player, read_wager(wager), cents, electronic=True)


def error_of(*lines: str) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        read_transcript(lines)
    return caught.value


# Every act of the contract: its line, who does it, what it asks, its words.
ACTS: list[tuple[str, tuple[Person, ...], do.Command, str]] = [
    ("Dealer: place your bets", (DEALER,), do.PlaceYourBets(), "place your bets"),
    (
        "Anna: lay straight_up:17 10 as w1",
        (ANNA,),
        do.PlaceWager("w1", "Anna", STRAIGHT_17, 1000),
        "lay",
    ),
    ("Ben: place red 50 as w2", (BEN,), placed("w2", "Ben", "red", 5000), "place"),
    (
        "Dealer for Ben: lay 17/20 5 as w3",
        (DEALER,),
        laid("w3", "Ben", "17/20", 500),
        "lay",
    ),
    ("Dealer: lay red 5 as w3", (DEALER,), laid("w3", None, "red", 500), "lay"),
    ("Anna: increase w1 5", (ANNA,), do.IncreaseWager("w1", "Anna", 500), "increase"),
    (
        "Pit Manager for Anna: increase w1 2.50",
        (MANAGER,),
        do.IncreaseWager("w1", "Anna", 250),
        "increase",
    ),
    ("Ben: withdraw w2", (BEN,), do.WithdrawWager("w2", "Ben"), "withdraw"),
    ("Dealer: spin", (DEALER,), do.SpinBall(), "spin"),
    ("Dealer: spin 3", (DEALER,), do.SpinBall(3), "spin"),
    ("Dealer: spin 0", (DEALER,), do.SpinBall(0), "spin"),
    ("Dealer: no more bets", (DEALER,), do.NoMoreBets(), "no more bets"),
    ("Anna: lay 20 10 as w4", (ANNA,), laid("w4", "Anna", "20", 1000), "lay"),
    ("Dealer: outcome 17", (DEALER,), do.AnnounceOutcome(Number("17")), "outcome"),
    ("Dealer: outcome MBS", (DEALER,), do.AnnounceOutcome(Number("MBS")), "outcome"),
    (
        "Pit Supervisor: rule w3 split:14/17",
        (SUPERVISOR,),
        do.RuleOnWager("w3", do.GivePosition(SPLIT_14_17)),
        "rule",
    ),
    (
        "Pit Supervisor: rule w3 return",
        (SUPERVISOR,),
        do.RuleOnWager("w3", do.ReturnIt()),
        "rule",
    ),
    (
        "Pit Supervisor: rule w3 amount 3",
        (SUPERVISOR,),
        do.RuleOnWager("w3", do.GiveAmount(300)),
        "rule",
    ),
    ("Dealer: settle", (DEALER,), do.Settle(), "settle"),
    (
        "Pit Manager: allow early close",
        (MANAGER,),
        do.AllowEarlyClose(),
        "allow early close",
    ),
    (
        "RNG: bonus numbers 1 2 5 9 13 17 21 25 29 33",
        (RNG,),
        do.DrawBonusNumbers(TEN),
        "bonus numbers",
    ),
    ("Dealer: unlit 13", (DEALER,), do.ReportUnlit(Number("13")), "unlit"),
    ("Dealer: ball dropped", (DEALER,), do.ReportBallDropped(), "ball dropped"),
    (
        "Dealer: ball at rest 17",
        (DEALER,),
        do.ReportBallAtRest(Number("17")),
        "ball at rest",
    ),
    ("Dealer: unclear w3", (DEALER,), do.MarkUnclear("w3"), "unclear"),
    ("Dealer: no spin", (DEALER,), do.AnnounceNoSpin(), "no spin"),
    ("system: power failure", (SYSTEM,), do.ReportPowerFailure(), "power failure"),
    (
        "system: interruption round",
        (SYSTEM,),
        do.ReportRoundInterrupted(),
        "interruption round",
    ),
    (
        "system: interruption terminals T1 T2",
        (SYSTEM,),
        do.ReportTerminalsInterrupted(("T1", "T2")),
        "interruption terminals",
    ),
    (
        "Cara: place 17 10 as w9 unregistered",
        (Person("Cara", Role.PLAYER),),
        do.PlaceWager(
            "w9", "Cara", read_wager("17"), 1000, electronic=True, registered=False
        ),
        "place",
    ),
    ("system: display 5", (SYSTEM,), do.ShowDisplay(Number("5")), "display"),
    (
        "Dealer + Pit Supervisor: correct round 1 to 32",
        (DEALER, SUPERVISOR),
        do.CorrectOutcome(1, Number("32")),
        "correct",
    ),
    (
        "Table Games Shift Manager: void rounds 2 3 ball_broke",
        (TABLE_MANAGER,),
        do.VoidRounds((2, 3), Irregularity.BALL_BROKE),
        "void rounds",
    ),
    (
        "Gaming Shift Manager: decide outcome 17",
        (GAMING_MANAGER,),
        do.DecideOutcome(Number("17")),
        "decide",
    ),
    ("Gaming Shift Manager: decide void", (GAMING_MANAGER,), do.DecideVoid(), "decide"),
    (
        "Gaming Shift Manager: decide w3 return",
        (GAMING_MANAGER,),
        do.DecideWager("w3", do.ReturnIt()),
        "decide",
    ),
    (
        "Gaming Shift Manager: decide w3 amount 3",
        (GAMING_MANAGER,),
        do.DecideWager("w3", do.GiveAmount(300)),
        "decide",
    ),
    (
        "Ann acting Pit Manager: allow early close",
        (Person("Ann", Role.PIT_MANAGER, acting=True),),
        do.AllowEarlyClose(),
        "allow early close",
    ),
    (
        "Dealer: colour blue to Anna 5 marker stand",
        (DEALER,),
        do.IssueColour(
            "blue", "Anna", 500, do.ValueMarker.MARKER, do.MarkerPlace.STAND
        ),
        "colour",
    ),
    (
        "Dealer: colour blue to Anna 5 cash_chip bank",
        (DEALER,),
        do.IssueColour(
            "blue", "Anna", 500, do.ValueMarker.CASH_CHIP, do.MarkerPlace.BANK
        ),
        "colour",
    ),
    (
        "Dealer: colour blue to Anna 5",
        (DEALER,),
        do.IssueColour("blue", "Anna", 500),
        "colour",
    ),
    (
        "Dealer: colour blue from Anna",
        (DEALER,),
        do.ReturnColour("blue", "Anna"),
        "colour",
    ),
    (
        "Anna: lay 17 2 blue as w1",
        (ANNA,),
        do.PlaceWager(
            "w1", "Anna", read_wager("17"), None, colour="blue", colour_chips=2
        ),
        "lay",
    ),
    *(
        (
            f"Dealer: irregularity {each.value}",
            (DEALER,),
            do.ReportIrregularity(each),
            "irregularity",
        )
        for each in Irregularity
    ),
]


@pytest.mark.parametrize(
    ("line", "people", "command", "words"), ACTS, ids=[act[0] for act in ACTS]
)
def test_each_act_of_the_contract_reads(
    line: str, people: tuple[Person, ...], command: do.Command, words: str
) -> None:
    read = read_line(GAME, line, 7)

    assert read.act == do.Act(people, command)
    assert (read.words, read.number, read.text) == (words, 7, line)
    assert read.wager_id == getattr(command, "wager_id", None)


def test_the_irregularities_are_those_of_the_contract() -> None:
    listed = (
        "ball_same_direction ball_dropped_without_spin fewer_than_four_revolutions"
        " foreign_object ball_not_in_compartment ball_out_of_wheel ball_broke"
        " wheel_stopped wheel_not_rotating person_interfered unlisted"
    )

    assert [each.value for each in Irregularity] == listed.split()


@pytest.mark.parametrize(
    "line",
    [
        "Anna: lay complete:17 5 as w1 without marker chips 55 at T1",
        "Anna: lay complete:17 5 chips 55 at T1 without marker as w1",
        "Anna: lay complete:17 5 at T1 as w1 chips 55 without marker",
        "Anna:lay   complete:17\t5 without marker  at T1 chips 55 as w1   # so",
    ],
)
def test_options_stand_in_any_order(line: str) -> None:
    read = read_line(find_game("mbs-complete-bet-v2"), line)

    assert read.act.command == do.PlaceWager(
        "w1",
        "Anna",
        MultipleText("complete", ("17",)),
        500,
        terminal="T1",
        marker=False,
        chips_cents=5500,
    )


def test_a_complete_maximum_wager_has_no_stake() -> None:
    game = find_game("mbs-complete-bet-v2")

    read = read_line(game, "Anna: lay complete_maximum:dozen:1 as w1")

    expected = MultipleText("complete_maximum", ("dozen", "1"))
    assert read.act.command == do.PlaceWager("w1", "Anna", expected, None)


def test_the_sample_of_the_contract_plays_as_the_contract_prints_it() -> None:
    text = """\
game mbs-roulette-v3
limits * 5 1000                    # minimum maximum; a type's own line wins over *
limits straight_up 5 100

round
Dealer: place your bets
Anna: lay straight_up:17 10 as w1  # chips on the layout (limits: readings A11)
Ben: place red 50 as w2            # electronic: checked, then registered or refused
Dealer for Ben: lay 17/20 5 as w3  # staff place on request
Anna: increase w1 5
Ben: withdraw w2
Dealer: spin
Dealer: no more bets
Anna: lay 20 10 as w4              # refused: 5.13
Dealer: outcome 17
Pit Supervisor: rule w3 split:14/17    # or: rule w3 return · rule w3 amount 3
Dealer: settle
"""

    printed = played_json(play(read_transcript(text.splitlines())))

    [only] = printed["rounds"]
    assert printed["game"] == "mbs-roulette-v3"
    assert (only["round"], only["status"]) == (1, "settled")
    assert (only["winning_number"], only["bonus_numbers"]) == ("17", [])
    sums = {
        "stake_cents": 1500,
        "paid_cents": 52500,
        "collected_cents": 0,
        "returned_cents": 1500,
    }
    assert only["wagers"][0] == {
        "id": "w1",
        "player": "Anna",
        "wager": "straight_up:17",
        **sums,
        "pieces": [{"area": "straight_up:17", **sums}],
    }
    assert only["wagers"][1]["paid_cents"] == 500 * 17
    assert only["wagers"][1]["wager"] == "split:14/17"
    assert only["players"]["Anna"] == sums
    [refused] = only["refused"]
    assert (refused["line"], refused["act"], refused["wager"]) == (14, "lay", "w4")
    assert refused["clause"] == "5.13"


def test_the_head_is_read() -> None:
    transcript = read_transcript(
        [
            "# a table",
            "game rws-triple-zero",
            "",
            "limits * 5 1000",
            "limits straight_up 0 100.50",
            "setting finale_zero single",
            "setting area_maximum 500",
            "setting area_maximum straight_up 200",
            "setting ring 000 0 00 " + " ".join(str(n) for n in range(1, 37)),
            "round",
            "round",
        ]
    )

    assert transcript.game is find_game("rws-triple-zero")
    assert transcript.limits.general == Limit(500, 100_000)
    assert transcript.limits.by_type == {WagerType.STRAIGHT_UP: Limit(0, 10_050)}
    assert transcript.settings.finale_zero is FinaleZero.SINGLE
    assert transcript.settings.area_maximum_cents == {
        None: 50_000,
        WagerType.STRAIGHT_UP: 20_000,
    }
    assert transcript.settings.ring is not None
    assert transcript.settings.ring[:4] == ("000", "0", "00", "1")
    assert transcript.rounds == ((), ())


def test_the_dozen_of_a_complete_wager_is_a_setting_of_complete_bet() -> None:
    lines = ["game mbs-complete-bet-v2", "setting complete_dozen inside"]

    transcript = read_transcript(lines)

    assert transcript.settings.complete_dozen is CompleteDozen.INSIDE


def test_the_same_id_may_come_again_in_another_round() -> None:
    lines = [*HEAD, "Anna: lay 17 1 as w1", "round", "Anna: lay 17 1 as w1"]

    transcript = read_transcript(lines)

    assert [len(acts) for acts in transcript.rounds] == [1, 1]


# A line behind “game” and “round”, the column of its fault, and a word of the message.
BAD_ACTS = [
    ("Dealer place your bets", 1, "is not an act"),
    ("Dealer:", 8, "an act belongs here"),
    ("Dealer: ", 8, "an act belongs here"),
    ("Dealer: plaice your bets", 9, "did you mean place your bets?"),
    ("Dealer: place your bets now", 25, "write: place your bets"),
    ("Dealer: no", 9, "is not an act"),
    ("  Dealer:  dance", 12, "is not an act"),
    ("Dealer: spin four", 14, "a whole number"),
    ("Dealer: spin -1", 14, "a whole number"),
    ("Dealer: spin 04", 14, "a whole number"),
    ("Dealer: spin 1234567", 14, "a whole number"),
    ("Dealer: spin 4 5", 16, "write: spin"),
    ("Dealer: outcome", 16, "write: outcome 17"),
    ("Dealer: outcome 37", 17, "is not a number"),
    ("Dealer: outcome 017", 17, "is not a number"),
    ("Dealer: outcome s", 17, "is not a number"),
    ("Dealer: outcome 17 18", 20, "write: outcome 17"),
    ("RNG: bonus numbers 1 2 x 4", 24, "is not a number"),
    ("Anna: lay", 10, "write: lay"),
    ("Anna: lay straight:17 10 as w1", 11, "did you mean straight_up?"),
    ("Anna: lay split:17 10 as", 25, "wager's id"),
    ("Anna: lay 17 as w1", 14, "the stake is missing"),
    ("Anna: lay 17 10", 16, "needs an id"),
    ("Anna: lay 17 10 w1", 19, "needs an id"),
    ("Anna: lay 17 10 as w1 as w2", 23, "said twice"),
    ("Anna: lay 17 10 as w1 now", 23, "does not belong here"),
    ("Anna: lay 17 10 as w/1", 20, "a wager's id"),
    ("Anna: lay 17 10 as " + "w" * 41, 20, "a wager's id"),
    ("Anna: lay 17/17 10 as w1", 11, "twice"),
    ("Anna: lay 17/x 10 as w1", 11, "is not a number"),
    ("Anna: lay column:x 10 as w1", 11, "needs its place"),
    ("Anna: lay dozen 10 as w1", 11, "needs its place"),
    ("Anna: lay red:1 10 as w1", 11, "without numbers"),
    ("Anna: lay split: 10 as w1", 11, "needs its numbers"),
    ("Anna: lay split:1/2:3 10 as w1", 11, "more than one colon"),
    ("Anna: lay finales:12 10 as w1", 11, "finales:4"),
    ("Anna: lay neighbours 10 as w1", 11, "neighbours:17"),
    ("Anna: lay neighbours:37 10 as w1", 11, "is not a number"),
    ("Anna: lay tiers:1 10 as w1", 11, "write tiers"),
    ("Anna: lay complete:dozen:x 10 as w1", 11, "complete:17"),
    ("Anna: lay complete_maximum:17 10 as w1", 31, "has no stake"),
    ("Anna: lay 17 1.5 blue as w1", 14, "a whole number"),
    ("Anna: lay 17 2 blue green as w1", 21, "does not belong here"),
    ("Anna: increase w1", 18, "write: increase w1 5"),
    ("Anna: increase w1 0", 19, "out of range"),
    ("Anna: withdraw", 15, "write: withdraw w1"),
    ("Dealer: unclear", 16, "write: unclear w1"),
    ("Pit Supervisor: rule w3", 24, "write: rule w1 return"),
    ("Pit Supervisor: rule w3 amount", 25, "is not a wager"),
    ("Pit Supervisor: rule w3 amount 0", 32, "out of range"),
    ("Pit Supervisor: rule w3 tiers", 25, "one area"),
    ("Pit Supervisor: rule w3 17 18", 25, "write: rule w1 return"),
    ("Pit Supervisor: rule w3 nowhere", 25, "is not a wager"),
    ("Dealer: irregularity", 21, "write: irregularity"),
    ("Dealer: irregularity ball_brok", 22, "did you mean ball_broke?"),
    ("system: interruption terminals", 31, "name the terminals"),
    ("Dealer + Pit Supervisor: correct round 1 at 32", 42, "correct round 1 to 32"),
    ("Dealer + Pit Supervisor: correct round x to 32", 40, "a whole number"),
    ("Dealer + Pit Supervisor: correct round 1 to", 44, "correct round 1 to 32"),
    ("Dealer + Pit Supervisor: correct round 1 to 99", 45, "is not a number"),
    ("Pit Manager: void rounds ball_broke", 26, "void rounds 2 3 ball_broke"),
    ("Pit Manager: void rounds 2 broken", 28, "is not an irregularity"),
    ("Pit Manager: void rounds 2 x ball_broke", 28, "a whole number"),
    ("Dealer: colour blue", 16, "colour blue to Anna 5"),
    ("Dealer: colour blue to Anna", 16, "colour blue to Anna 5"),
    ("Dealer: colour blue to Anna five", 29, "is not an amount"),
    ("Dealer: colour !! to Anna 5", 16, ""),
    ("Dealer: colour " + "b" * 21 + " to Anna 5", 16, ""),
    ("Dealer: colour blue to !! 5", 24, "is not a name"),
    ("Dealer: colour blue to Dealer 5", 24, "did you mean Dealer?"),
    ("Dealer: colour blue from " + "a" * 41, 26, "is not a name"),
    ("Dealer: colour blue to Anna 5 marker table", 38, "bank or on a stand"),
    ("dealer: spin", 1, "did you mean Dealer?"),
    ("pit manager: spin", 1, "did you mean Pit Manager?"),
    ("Anna acting Player: spin", 1, "is not a position"),
    ("Anna acting King: spin", 1, "is not a position"),
    ("!: spin", 1, "is not a name"),
    (": spin", 1, "is not a name"),
    ("a" * 41 + ": spin", 1, "is not a name"),
    ("Dealer for : lay 17 1 as w1", 1, "is not a"),
    ("Dealer for: lay 17 1 as w1", 1, "is not a"),
    ("Ann acting: spin", 1, "is not a"),
    ("Dealer for Dealer: lay 17 1 as w1", 1, "did you mean Dealer?"),
    ("Dealer + : spin", 1, "is not a name"),
    ("Dealer: sp\x00in", 11, "does not belong"),
    ("Dealer: spin\x1b[2J", 13, "does not belong"),
    ("limits * 5 1000", 1, "before the rounds"),
    ("setting area_maximum 5", 1, "before the rounds"),
    ("game mbs-roulette-v2", 1, "before the rounds"),
    ("round 2", 1, "is not an act"),
]


@pytest.mark.parametrize(
    ("line", "column", "message"), BAD_ACTS, ids=[repr(bad[0])[:60] for bad in BAD_ACTS]
)
def test_an_error_names_line_and_column(line: str, column: int, message: str) -> None:
    error = error_of(*HEAD, "# a comment", line)

    assert (error.line, error.column) == (4, column), str(error)
    assert message in str(error)
    assert error.at("a.txt") == f"a.txt:4:{column}: {error!s}"


# Amounts that are none: at the stake of a wager.
BAD_AMOUNTS = [
    "0",
    "0.00",
    "10.005",
    "-5",
    "+5",
    "NaN",
    "inf",
    "1e3",
    "007",
    "00",
    "05",
    "1_000",
    "1,000",
    "1.",
    ".5",
    "1.5.0",
    "0x10",
    "10000000000000.01",
    "999999999999999",
    "9" * 3000,
    "\uff11\uff10",
    "\u0663",
    "\u00b2",
    "½",
]


@pytest.mark.parametrize("amount", BAD_AMOUNTS, ids=lambda text: ascii(text)[:30])
def test_an_error_names_the_column_of_a_wrong_amount(amount: str) -> None:
    error = error_of(*HEAD, f"Anna: lay 17 {amount} as w1")

    assert (error.line, error.column) == (3, 14)
    assert "amount" in str(error)
    with pytest.raises(NotationError):
        read_cents(amount)


@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        ("1", 1 * 100),
        ("10", 1000),
        ("2.5", 250),
        ("2.50", 250),
        ("0.01", 1),
        ("0.1", 10),
        ("10000000000000", 10**15),
    ],
)
def test_an_amount_is_read_in_units(amount: str, cents: int) -> None:
    read = read_line(GAME, f"Anna: lay 17 {amount} as w1")

    assert isinstance(read.act.command, do.PlaceWager)
    assert read.act.command.stake_cents == cents


# Whole files: the lines, the line and column of the fault, a word of the message.
BAD_FILES: list[tuple[list[str], int, int, str]] = [
    ([], 1, 1, "a transcript begins with: game NAME"),
    (["", "# only a comment"], 1, 1, "a transcript begins with: game NAME"),
    (["round"], 1, 1, "a transcript begins with: game NAME"),
    (["", "  limits * 1 2"], 2, 3, "a transcript begins with: game NAME"),
    (["game"], 1, 5, "write: game"),
    (["game a b"], 1, 8, "write: game"),
    (["game mbs-roulete-v3"], 1, 6, "did you mean mbs-roulette-v3?"),
    (["game triple-zero"], 1, 6, "did you mean rws-triple-zero?"),
    (["game Mbs-Roulette-V3"], 1, 6, "there is no game"),
    (["game mbs-roulette-v3", "game mbs-roulette-v3"], 2, 1, "once"),
    (["game mbs-roulette-v3", "Dealer: spin"], 2, 1, "a round begins with a line"),
    (["game mbs-roulette-v3", "limits"], 2, 7, "write: limits"),
    (["game mbs-roulette-v3", "limits * 5"], 2, 11, "write: limits"),
    (["game mbs-roulette-v3", "limits * 5 10 15"], 2, 15, "write: limits"),
    (["game mbs-roulette-v3", "limits * 5 x"], 2, 12, "is not an amount"),
    (["game mbs-roulette-v3", "limits * 10 5"], 2, 10, "above the maximum"),
    (["game mbs-roulette-v3", "limits * 0 0"], 2, 12, "out of range"),
    (["game mbs-roulette-v3", "limits splits 1 2"], 2, 8, "did you mean split?"),
    (
        ["game mbs-roulette-v3", "limits * 1 2", "limits * 1 2"],
        3,
        8,
        "has been given already",
    ),
    (
        ["game mbs-roulette-v3", "limits red 1 2", "limits red 1 2"],
        3,
        8,
        "has been given already",
    ),
    (
        ["game mbs-roulette-v3", "setting area_maximum 5", "setting area_maximum 5"],
        3,
        9,
        "has been given already",
    ),
    (["game mbs-roulette-v3", "setting"], 2, 8, "name a setting: area_maximum"),
    (["game mbs-roulette-v3", "setting ring 0"], 2, 9, "it has area_maximum"),
    (["game mbs-roulette-v3", "setting area_maximum"], 2, 21, "area_maximum 500"),
    (["game mbs-roulette-v3", "setting area_maximum x"], 2, 22, "is not an amount"),
    (
        ["game mbs-roulette-v3", "setting area_maximum reed 5"],
        2,
        22,
        "did you mean red?",
    ),
    (["game rws-triple-zero", "setting finale_zero none"], 2, 21, "all, single"),
    (["game rws-triple-zero", "setting finale_zero"], 2, 20, "all"),
    (["game rws-triple-zero", "setting ring 0 1 2"], 2, 14, "each number"),
    (["game rws-triple-zero", "setting ring 0 000 x"], 2, 20, "is not a number"),
    (
        [*HEAD, "Anna: lay 17 10 as w1", "Ben: lay 20 10 as w1"],
        4,
        19,
        "w1 has been used",
    ),
]


@pytest.mark.parametrize(
    ("lines", "line", "column", "message"),
    BAD_FILES,
    ids=[" | ".join(bad[0]) or "empty" for bad in BAD_FILES],
)
def test_an_error_in_a_file_names_line_and_column(
    lines: list[str], line: int, column: int, message: str
) -> None:
    error = error_of(*lines)

    assert (error.line, error.column) == (line, column), str(error)
    assert message in str(error)


def test_an_id_is_used_up_by_a_refused_wager_too() -> None:
    lines = [
        *HEAD,
        "Dealer: place your bets",
        "Anna: lay 17 10 as w1",
        "Anna: withdraw w1",
        "Anna: lay 20 10 as w1",
    ]

    error = error_of(*lines)

    assert error.line == 6
    assert "w1 has been used" in str(error)


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_a_byte_order_mark_change_nothing(
    ending: str, mark: str
) -> None:
    plain = [*HEAD, "Dealer: place your bets", "Anna: lay 17 10 as w1 # so", ""]

    transcript = read_transcript(
        [mark + plain[0] + ending, *(line + ending for line in plain[1:])]
    )

    expected = read_transcript(plain)
    assert _acts(transcript) == _acts(expected)
    assert transcript.game is expected.game


def _acts(transcript: Transcript) -> list[list[do.Act]]:
    return [[line.act for line in lines] for lines in transcript.rounds]


@pytest.mark.parametrize("text", ["", " ", "37", "0000", "01", "s", "mbs", "1 ", "+1"])
def test_a_number_is_one_of_the_layouts_marks(text: str) -> None:
    with pytest.raises(NotationError, match="is not a number"):
        read_number(text)
