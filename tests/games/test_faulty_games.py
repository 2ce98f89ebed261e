"""A game of another package that is broken is named and left out; the rest is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import croupier
from croupier.games import all_games, find_game, is_approved
from croupier.games.validation import game_faults
from croupier.rules.clause import Rule
from croupier.rules.game import FixedPieces, Game, Neighbours, Status, row
from croupier.rules.layout import Layout, WagerType
from croupier.rules.operator import Role
from croupier.rules.wheel import Number, numbers
from tests.sixth_game import SIXTH_GAME

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", [*all_games(), SIXTH_GAME], ids=lambda g: g.name)
def test_a_sound_game_has_no_fault(game: Game) -> None:
    assert game_faults(game) == []


def _rows(change: Callable[[Any], Any]) -> Game:
    return replace(SIXTH_GAME, clauses=tuple(map(change, SIXTH_GAME.clauses)))


def _with(*more: Any) -> Game:
    return replace(SIXTH_GAME, clauses=(*SIXTH_GAME.clauses, *more))


def _pays(**changes: Any) -> Game:
    def change(each: Any) -> Any:
        if not each.pays:
            return each
        pays = {**each.pays, **{WagerType(k): v for k, v in changes.items()}}
        return replace(each, pays={k: v for k, v in pays.items() if v is not None})

    return _rows(change)


def _boxes(**covered: str) -> Game:
    """The sixth game with other numbers in some of its boxes."""
    layout = SIXTH_GAME.layout
    given = {name: numbers(text) for name, text in covered.items()}
    changed = replace(layout, box_numbers={**layout.box_numbers, **given})
    return replace(SIXTH_GAME, layout=changed)


_cells = dict(SIXTH_GAME.layout.cells)
FAULTS = {
    "its name 'Palms Zero' is not words": replace(SIXTH_GAME, name="Palms Zero"),
    "it takes effect on 'soon'": replace(SIXTH_GAME, effective="soon"),
    "its ring lacks 0": replace(SIXTH_GAME, ring=SIXTH_GAME.ring[1:]),
    "its ring has 37, which no row has": replace(
        SIXTH_GAME, ring=(*SIXTH_GAME.ring, Number("37"))
    ),
    "its ring has 2 more than once": replace(
        SIXTH_GAME, ring=(*SIXTH_GAME.ring, Number("2"))
    ),
    "no row has its numbers": _rows(lambda each: replace(each, numbers=())),
    "its numbers have 17 more than once": _with(
        row("§90", Rule.NUMBERS, numbers=numbers("17"))
    ),
    "its layout has no cell for 17": replace(
        SIXTH_GAME,
        layout=Layout(
            MappingProxyType({k: v for k, v in _cells.items() if k != "17"}),
            SIXTH_GAME.layout.boxes,
        ),
    ),
    "its red covers 37, which no row has": _boxes(red="1 37"),
    "red covers nothing: its house edge is 1": _boxes(red=""),
    "red covers everything: its house edge is -1": _boxes(
        red=" ".join(SIXTH_GAME.numbers)
    ),
    # 20 of 38 numbers at 1 to 1: 40 of 38 come back.
    "red favours the Player: its house edge is -1/19": _boxes(
        red=" ".join(map(str, range(1, 21)))
    ),
    "straight_up:0 favours the Player: its house edge is -1/38": _pays(straight_up=38),
    "no row has betting areas": _rows(lambda each: replace(each, areas=())),
    "no pay table has split": _pays(split=None),
    "a pay table has dozen": _pays(dozen=2),
    "street pays 0": _pays(street=0),
    "clause §91: trio has pieces on straight_up:99": _with(
        row(
            "§91",
            Rule.MULTIPLE_PIECE,
            multiple=FixedPieces("trio", ("straight_up:1", "straight_up:99")),
        )
    ),
    "clause §92: a neighbour 19 away is too far": _with(
        row("§92", Rule.MULTIPLE_PIECE, multiple=Neighbours((2, 19)))
    ),
    "clause §7 has two rows": _with(row("§7")),
    "clause §93 is for a Pit Manager": _with(row("§93", by=(Role.PIT_MANAGER,))),
    "its operator has no positions": replace(
        SIXTH_GAME, operator=replace(SIXTH_GAME.operator, ladder=())
    ),
}


@pytest.mark.parametrize("sentence", FAULTS)
def test_a_fault_is_named(sentence: str) -> None:
    told = [str(fault) for fault in game_faults(FAULTS[sentence])]

    assert any(each.startswith(sentence) for each in told), told


def test_an_area_that_favours_neither_side_is_sound() -> None:
    assert game_faults(_boxes(red=" ".join(map(str, range(1, 20))))) == []
    assert game_faults(_pays(straight_up=37)) == []


FAST_ACTION = find_game("mbs-fast-action-v2")


def _fast_action_with(kind: WagerType, pays: Any) -> Game:
    rows = [
        replace(each, pays={**each.pays, kind: pays}) if kind in each.pays else each
        for each in FAST_ACTION.clauses
    ]
    return replace(FAST_ACTION, clauses=tuple(rows))


def test_the_edge_of_a_wager_on_the_draw_is_calculated_too() -> None:
    # Ten of 40 numbers are lit, so the winning number is lit in a quarter of draws.
    favours = _fast_action_with(WagerType.BONUS_WIN, 4)
    never = FAST_ACTION.without("1.1.2")
    unstated = _fast_action_with(WagerType.STRAIGHT_UP, {Status.BONUS: 35})

    assert [*map(str, game_faults(favours))] == [
        "bonus_win favours the Player: its house edge is -1/4"
    ]
    assert [*map(str, game_faults(never))] == [
        "bonus_win covers nothing: its house edge is 1"
    ]
    assert [*map(str, game_faults(unstated))] == [
        "straight_up pays nothing, 35, nothing, which is no whole number of at least 1"
    ]


BROKEN = {
    "breaks": ("raise RuntimeError('no wheel')", "can't be loaded: RuntimeError"),
    "none": ("GAME = 17", "is installed as a game, but is none"),
    "ringless": (
        "from dataclasses import replace\nfrom tests.sixth_game import SIXTH_GAME\n"
        "GAME = replace(SIXTH_GAME, name='ringless', ring=SIXTH_GAME.ring[1:])",
        "is left out: its ring lacks 0",
    ),
    "unsound": (
        "from dataclasses import replace\nfrom tests.sixth_game import SIXTH_GAME\n"
        "boxes = {**SIXTH_GAME.layout.box_numbers, 'red': SIXTH_GAME.numbers}\n"
        "layout = replace(SIXTH_GAME.layout, box_numbers=boxes)\n"
        "GAME = replace(SIXTH_GAME, name='unsound', layout=layout)",
        "is left out: red covers everything: its house edge is -1",
    ),
    "taken": (
        "from dataclasses import replace\nfrom tests.sixth_game import SIXTH_GAME\n"
        "GAME = replace(SIXTH_GAME, name='mbs-roulette-v3')",
        "there is a mbs-roulette-v3 already",
    ),
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process where packages bring broken games and a good one."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: games\nVersion: 1.0\n")
    points = ["palms = tests.sixth_game:SIXTH_GAME"]
    for name, (code, _) in BROKEN.items():
        (folder / f"game_{name}.py").write_text(code)
        points.append(f"{name} = game_{name}:GAME")
    (info / "entry_points.txt").write_text("\n".join(["[croupier.games]", *points, ""]))
    source = str(Path(croupier.__file__).parents[1])
    path = os.pathsep.join([str(folder), str(ROOT), source])
    return {**os.environ, "PYTHONPATH": path}


def _run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "croupier", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_broken_games_are_named_and_the_others_listed(
    environment: dict[str, str],
) -> None:
    done = _run(environment, "games")

    assert done.returncode == 0
    assert "palms-double-zero" in done.stdout
    assert "rws-triple-zero" in done.stdout
    for _, sentence in BROKEN.values():
        assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == len(BROKEN)


def test_a_check_fails_with_them(environment: dict[str, str]) -> None:
    done = _run(environment, "games", "--check", "--json")

    assert done.returncode == 1
    assert len(json.loads(done.stdout)["left_out"]) == len(BROKEN)
    assert _run({**environment, "PYTHONPATH": ""}, "games", "--check").returncode == 0


def test_the_trace_of_a_plug_in_names_none_of_our_tests(
    environment: dict[str, str],
) -> None:
    told = json.loads(_run(environment, "rules", "palms-double-zero", "--json").stdout)

    assert not any(clause["tests"] for clause in told["clauses"])


def test_a_sound_game_of_another_package_is_never_approved(
    environment: dict[str, str],
) -> None:
    listed = json.loads(_run(environment, "games", "--json").stdout)["games"]
    odds = json.loads(_run(environment, "odds", "palms-double-zero", "--json").stdout)
    shown = _run(environment, "odds", "palms-double-zero", "red")

    approved = {each["game"] for each in listed if each["approved"]}
    assert approved == {each.name for each in all_games()}
    assert (odds["approved"], odds["label"]) == (False, "no approved game")
    assert "no approved game" in shown.stdout.lower()


def test_a_copy_that_has_the_name_of_an_approved_game_is_not_approved() -> None:
    copy = replace(find_game("mbs-roulette-v3"))

    assert is_approved(find_game("mbs-roulette-v3"))
    assert not is_approved(copy)
    assert not is_approved(SIXTH_GAME)


HOUSE = """\
[house]
name = "The Palms"
operator = "The Palms of Nowhere"
money = "{money}"
currency = "SGD"
time_zone = "Asia/Singapore"

[[tables]]
name = "table 1"
game = "{game}"
wheel = "console"
limits = {{ "*" = [5, 100] }}
{more}
"""


@pytest.mark.parametrize(
    ("game", "money", "more", "said"),
    [
        (
            "palms-double-zero",
            "real",
            "",
            "tables[0].game: palms-double-zero is not an approved game;"
            " for real money add unapproved_game = true to this table",
        ),
        (
            "palms-double-zero",
            "real",
            "unapproved_game = true",
            "table 1 plays palms-double-zero: not an approved game",
        ),
        (
            "palms-double-zero",
            "demonstration",
            "",
            "table 1 plays palms-double-zero: not an approved game",
        ),
        (
            "mbs-roulette-v3",
            "real",
            "unapproved_game = true",
            "tables[0].unapproved_game: mbs-roulette-v3 is approved: leave it out",
        ),
        ("unsound", "real", "unapproved_game = true", BROKEN["unsound"][1]),
    ],
)
def test_a_house_names_a_game_that_is_not_approved(
    environment: dict[str, str],
    tmp_path: Path,
    game: str,
    money: str,
    more: str,
    said: str,
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE.format(game=game, money=money, more=more))

    done = _run(environment, "house", "check", str(file))

    is_taken = said.startswith("table 1")
    assert done.returncode == (0 if is_taken else 2)
    assert said in (done.stdout if is_taken else done.stderr)
