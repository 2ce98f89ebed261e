"""The drills: their answers are those of the documents."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from croupier.games import find_game
from croupier.learn import (
    AnswerVerdict,
    Drill,
    DrillAnswer,
    DrillQuestion,
    GivenAnswer,
    NoSuchQuestion,
    assessment,
    drills_of,
    mark,
    mark_round,
    question,
)
from croupier.learn.payouts import settled_pieces
from croupier.learn.procedure import Walk, report_task
from croupier.learn.question import Draw, Form, Phrase, PlayerHeap
from croupier.rules.clause import RuleViolation
from croupier.rules.game import Game, Irregularity
from croupier.rules.layout import WagerType
from croupier.transcript import TranscriptError
from croupier.transcript.practice import PracticeTable
from tests.golden_tables import GAMES, golden_rows
from tests.sixth_game import SIXTH_GAME

AROUND_17 = {
    "straight_up:17": "straight",
    "split:14/17": "split",
    "split:16/17": "split",
    "split:17/18": "split",
    "split:17/20": "split",
    "corner:13/14/16/17": "corner",
    "corner:14/15/17/18": "corner",
    "corner:16/17/19/20": "corner",
    "corner:17/18/20/21": "corner",
    "street:16/17/18": "street",
    "six_line:13/14/15/16/17/18": "six_line",
    "six_line:16/17/18/19/20/21": "six_line",
}
# Each fact, and the clause by which it voids, in the order of GAMES.
VOIDS = {
    "ball_same_direction": ("5.1", "5.1", "5.1", "5.1", "5.3.6"),
    "ball_dropped_without_spin": ("5.2", "5.2", "5.2", "5.2", "5.3.1"),
    "fewer_than_four_revolutions": ("5.3", "5.3", "5.3", "5.3", "5.3.2"),
    "foreign_object": ("5.4", "5.4", "5.4", "5.4", "5.3.7"),
    "ball_not_in_compartment": ("5.5", "5.5", "5.5", "5.5", "5.3.3"),
    "ball_out_of_wheel": ("5.6", "5.6", "5.6", "5.6", "5.3.4"),
    "ball_broke": ("5.7", "5.7", "5.7", "5.7", "5.4"),
    "wheel_stopped": ("5.8", "5.8", "5.8", "5.8", "5.3.9"),
    "wheel_not_rotating": ("5.9", "5.9", "5.9", "5.9", "5.3.5"),
    "person_interfered": ("5.10", "5.10", "5.10", "5.10", "5.3.8"),
}


def _paid_around_17(game: Game, *kinds: str) -> int:
    heaps = [
        PlayerHeap(area, "Anna", 100)
        for area, kind in AROUND_17.items()
        if kind in kinds
    ]
    pieces = settled_pieces(game, heaps, game.numbers[17], ())["Anna"]
    return sum(piece.paid_cents for piece in pieces) // 100


@pytest.mark.parametrize("name", [GAMES[0], GAMES[1], GAMES[2]])
def test_picture_bets_pay_their_keys(name: str) -> None:
    game = find_game(name)
    assert game.numbers[17] == "17"

    assert _paid_around_17(game, "straight", "split") == 103
    assert _paid_around_17(game, "split") == 68
    assert _paid_around_17(game, "corner") == 32
    assert _paid_around_17(game, "split", "corner") == 100
    assert _paid_around_17(game, *AROUND_17.values()) == 156


def _pays_of_golden_table(name: str) -> dict[str, list[int]]:
    rows = [row.split() for row in golden_rows(f"{name}.areas")]
    return {kind: [int(each) for each in pays.split("/")] for kind, _, pays in rows}


def _differing_from_golden_table(game: Game, name: str) -> list[int]:
    """Return the seeds of payouts that are not due by the table of areas."""
    pays, differing = _pays_of_golden_table(name), []
    for seed in range(60):
        asked = question(game, Drill.PAYOUTS, 1 + seed % 5, seed)
        due = mark(game, Drill.PAYOUTS, 1 + seed % 5, seed, DrillAnswer()).due.cents
        sums = [0, 0, 0]  # of a number that is plain, bonus or super bonus
        for heap in asked.heaps:
            kind, _, numbers = heap.area.partition(":")
            owner = asked.asks.values["player"]
            if heap.player == owner and asked.winning in numbers.split("/"):
                for at in range(3):
                    sums[at] += heap.cents * pays[kind][min(at, len(pays[kind]) - 1)]
        if due not in (sums if asked.bonus_numbers else sums[:1]):
            differing.append(seed)
    return differing


@pytest.mark.parametrize("name", GAMES)
def test_payouts_are_those_of_the_golden_table(name: str) -> None:
    assert _differing_from_golden_table(find_game(name), name) == []


def test_a_planted_pay_is_noticed() -> None:
    game = find_game("mbs-roulette-v3")
    rows = tuple(
        replace(row, pays={**row.pays, WagerType.STRAIGHT_UP: 36})
        if WagerType.STRAIGHT_UP in row.pays
        else row
        for row in game.clauses
    )

    planted = replace(game, clauses=rows)

    assert len(_differing_from_golden_table(planted, game.name)) > 10


@pytest.mark.parametrize("name", ["mbs-complete-bet-v2", "rws-triple-zero"])
def test_announced_bets_have_the_pieces_of_the_golden_table(name: str) -> None:
    rows = (row.split() for row in golden_rows(f"{name}.pieces"))
    typed = {wager: pieces for wager, *pieces in rows if not pieces[0].isdigit()}
    compared = 0
    for seed in range(300):
        asked = question(name, Drill.ANNOUNCED, 1 + seed % 2, seed)
        wager = str(asked.facts[0].values["wager"])
        if pieces := typed.get(wager):
            found = mark(name, Drill.ANNOUNCED, 1 + seed % 2, seed, DrillAnswer())
            assert found.due.pieces == Counter(pieces)
            assert found.due.cents == len(pieces) * int(asked.facts[0].values["cents"])
            compared += 1

    assert compared > 50


def test_an_announced_bet_cites_its_own_clause() -> None:
    cited = {
        str(question(GAMES[2], Drill.ANNOUNCED, 1, seed).facts[0].values["wager"]): str(
            mark(GAMES[2], Drill.ANNOUNCED, 1, seed, DrillAnswer()).clause
        )
        for seed in range(30)
    }

    assert cited == {
        "tiers": "3.5.1",
        "orphelins": "3.5.2",
        "voisins_du_zero": "3.5.3",
        "zero_spiel": "3.5.4",
    }


def test_a_picture_bet_shows_its_key() -> None:
    keys = set()
    for seed in range(200):
        marked = mark(GAMES[1], Drill.PAYOUTS, 5, seed, DrillAnswer())
        for line in marked.lines:
            if line.code == "picture" and line.values["number"] == "17":
                keys.add((line.values["types"], line.values["count"]))

    assert keys == {("straight_up split corner", 135)}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_thousands_of_situations_has_one_set_of_right_acts(name: str) -> None:
    """Each option is tried again after the same acts at a table of its own."""
    situations = set()
    for seed in range(150):
        level = 1 + seed % 5
        asked = question(name, Drill.PROCEDURE, level, seed)
        found = mark(name, Drill.PROCEDURE, level, seed, DrillAnswer()).consequences
        situations.add(repr((asked.acts, asked.facts, asked.options)))
        right = {
            at for at, each in enumerate(found) if each.verdict is AnswerVerdict.RIGHT
        }
        tried = [_taken(name, asked, option) for option in asked.options]
        if asked.asks.code == "person":
            assert right == {at for at, taken in enumerate(tried) if taken}
        elif asked.asks.code == "consequence":
            [at] = right
            line = asked.facts[0]
            is_refused = asked.options[at].code == "refused"
            assert is_refused is not _taken(name, asked, line)
        else:
            assert len(right) == 1
            assert right <= {at for at, taken in enumerate(tried) if taken}

    assert len(situations) > 140


def _taken(name: str, asked: DrillQuestion, option: Phrase) -> bool:
    table = PracticeTable(name)
    for line in asked.acts:
        table.act(line)
    line = str(option.values.get("line", ""))
    if option.code == "position":
        position = str(option.values["position"]).replace("Player", "Anna")
        line = f"{position}: {asked.facts[0].values['line']}"
    try:
        table.act(line)
    except (RuleViolation, TranscriptError):
        return False
    return True


def test_a_game_of_ones_own_has_drills_and_an_assessed_round() -> None:
    for drill in drills_of(SIXTH_GAME):
        for seed in range(10):
            due = mark(SIXTH_GAME, drill, 1 + seed % 5, seed, DrillAnswer()).due
            marked = mark(SIXTH_GAME, drill, 1 + seed % 5, seed, due)
            assert marked.verdict is AnswerVerdict.RIGHT
            assert marked.clause is not None
    moments = assessment(SIXTH_GAME, 1, 20)
    result = mark_round(
        SIXTH_GAME, 1, 20, [GivenAnswer(each.task.due, 900) for each in moments]
    )
    assert (result.percent, result.game) == (100, "palms-double-zero")


@pytest.mark.parametrize("fact", VOIDS)
@pytest.mark.parametrize(("place", "name"), list(enumerate(GAMES)))
def test_a_report_before_the_rest_voids_by_its_clause(
    fact: str, place: int, name: str
) -> None:
    draw = Draw(find_game(name), Drill.PROCEDURE, 1, 0)
    walk = Walk(draw.game, draw.random())
    walk.go(walk.spun + 1)

    task = report_task(draw, walk, Irregularity(fact))

    assert task.clause is not None
    assert task.clause.number == VOIDS[fact][place]
    right = [
        task.question.options[at].values["line"]
        for at, each in enumerate(task.consequences)
        if each.verdict is AnswerVerdict.RIGHT
    ]
    assert right == [f"Dealer: irregularity {fact}"]


def test_no_spin_is_also_in_order_if_the_document_has_it() -> None:
    """v3 5.12 voids, too; v2 has no such clause and holds the round (A12)."""
    found = {}
    for name in ("mbs-roulette-v2", "mbs-roulette-v3"):
        for seed in range(40):
            draw = Draw(find_game(name), Drill.PROCEDURE, 1, seed)
            walk = Walk(draw.game, draw.random())
            walk.go(walk.spun + 1)
            task = report_task(draw, walk, Irregularity.BALL_OUT_OF_WHEEL)
            lines = [option.values["line"] for option in task.question.options]
            if "Dealer: no spin" in lines:
                found[name] = task.consequences[lines.index("Dealer: no spin")]
                break

    assert found["mbs-roulette-v2"].verdict is AnswerVerdict.WRONG
    assert found["mbs-roulette-v3"].verdict is AnswerVerdict.ALSO
    assert str(found["mbs-roulette-v3"].clause) == "5.12"


@pytest.mark.parametrize("name", GAMES)
def test_a_question_has_a_right_answer_and_takes_no_other(name: str) -> None:
    for drill in drills_of(find_game(name)):
        for level in range(1, 6):
            for seed in range(8):
                asked = question(name, drill, level, seed)
                due = mark(name, drill, level, seed, DrillAnswer()).due

                assert asked == question(name, drill, level, seed)
                assert (
                    mark(name, drill, level, seed, due).verdict is AnswerVerdict.RIGHT
                )
                wrong = _spoilt(due, asked.form)
                assert (
                    mark(name, drill, level, seed, wrong).verdict is AnswerVerdict.WRONG
                )


def _spoilt(due: DrillAnswer, form: Form) -> DrillAnswer:
    if form is Form.CHOICE:
        return DrillAnswer(choice=99)
    if form is Form.STACKS:
        return DrillAnswer(stacks=(due.stacks[0] + 1, *due.stacks[1:]))
    return DrillAnswer(cents=(due.cents or 0) + 100, pieces=due.pieces)


def test_drills_are_those_that_the_data_can_fill() -> None:
    common = {Drill.PAYOUTS, Drill.LIMITS, Drill.PROCEDURE}
    found = {name: set(drills_of(find_game(name))) for name in GAMES}

    assert found["mbs-roulette-v3"] == common | {Drill.CONVERSION}
    assert found["mbs-complete-bet-v2"] == common | {Drill.CONVERSION, Drill.ANNOUNCED}
    assert found["mbs-fast-action-v2"] == common | {Drill.CONVERSION, Drill.STATUSES}
    assert found["rws-triple-zero"] == common | {Drill.ANNOUNCED}


def test_a_missing_drill_and_level_are_refused_in_a_sentence() -> None:
    with pytest.raises(NoSuchQuestion, match="has no drill announced"):
        question("mbs-roulette-v3", Drill.ANNOUNCED, 1, 0)
    with pytest.raises(NoSuchQuestion, match="from 1 to 5, not 6"):
        question("mbs-roulette-v3", Drill.PAYOUTS, 6, 0)


def test_a_sum_paid_in_more_chips_than_needed_is_in_order() -> None:
    """The sum decides; the fewest pieces are a second mark."""
    asked = question("mbs-roulette-v3", Drill.CONVERSION, 1, 1)
    due = mark("mbs-roulette-v3", Drill.CONVERSION, 1, 1, DrillAnswer()).due
    assert due.cents is not None
    smallest = min(range(len(asked.chips)), key=lambda at: asked.chips[at].cents)
    stacks = [0] * len(asked.chips)
    stacks[smallest] = due.cents // asked.chips[smallest].cents

    found = mark(
        "mbs-roulette-v3", Drill.CONVERSION, 1, 1, DrillAnswer(stacks=tuple(stacks))
    )

    assert found.verdict is AnswerVerdict.ALSO


def test_a_walk_takes_only_acts_of_the_round() -> None:
    game = find_game("mbs-fast-action-v2")
    walk = Walk(game, Random(3)).go(20)

    assert walk.table.state.settled is not None
    assert any(line.startswith("RNG: bonus numbers") for line in walk.acts)
