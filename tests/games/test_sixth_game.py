"""A sixth game is played, settled, drawn and listed without touching `src`."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import croupier
from croupier.games import all_games
from croupier.rules import commands as do
from croupier.rules.clause import Refusal
from croupier.rules.game import Game, Irregularity, Settings
from croupier.rules.notation import NotationError, read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.pieces import find_placement
from croupier.rules.terms import Limit, Limits
from croupier.rules.wheel import Number
from croupier.transcript import read_line
from tests.rules import oracle
from tests.rules.tables import DEALER, Chips, Table
from tests.sixth_game import BOTH_ZEROS, RING, SIXTH_GAME

ROOT = Path(__file__).parents[2]
NUMBERS = ["0", "00", *(str(n) for n in range(1, 37))]
ZERO_AREAS = {
    "straight_up:0",
    "straight_up:00",
    "split:0/00",
    "split:0/1",
    "split:0/2",
    "split:00/2",
    "split:00/3",
    "street:0/1/2",
    "street:0/00/2",
    "street:00/2/3",
    "top_line",
}
PAYS = {
    "straight_up": 35,
    "split": 17,
    "street": 11,
    "corner": 8,
    "six_line": 5,
    "top_line": 6,
    "column": 2,
    "red": 1,
    "black": 1,
}


def covered() -> dict[str, frozenset[str]]:
    """What each area of the game covers, from the oracle of 1 to 36 and the head."""
    of_numerals = {
        name: area.numbers
        for name, area in oracle.areas_of("mbs-roulette-v3").items()
        if "0" not in area.numbers and name.partition(":")[0] in PAYS
    }
    head = {
        name: frozenset(name.partition(":")[2].split("/"))
        for name in ZERO_AREAS
        if ":" in name
    }
    five = frozenset({"0", "00", "1", "2", "3"})
    return {**of_numerals, **head, "top_line": five}


def test_its_areas_follow_from_its_layout() -> None:
    derived = {area.name: area.numbers for area in SIXTH_GAME.areas}

    assert derived == covered()
    counts = Counter(area.wager_type.value for area in SIXTH_GAME.areas)
    assert (counts["straight_up"], counts["split"], counts["street"]) == (38, 62, 15)
    assert (counts["corner"], counts["six_line"], counts["top_line"]) == (22, 11, 1)
    assert sorted(RING) == sorted(NUMBERS)
    assert list(SIXTH_GAME.numbers) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_every_area_of_it_is_settled_on_every_number(number: str) -> None:
    areas = covered()
    wagers = [
        Chips(f"w{place}", "Anna", name, 101 + 2 * place)
        for place, name in enumerate(areas)
    ]

    settled = Table(SIXTH_GAME).play(wagers, number)

    assert len(settled) == len(areas)
    for chips, wager in zip(wagers, settled, strict=True):
        [piece] = wager.pieces
        cents, kind = chips.cents or 0, chips.wager.partition(":")[0]
        wins = number in areas[chips.wager]
        assert piece.paid_cents == (cents * PAYS[kind] if wins else 0)
        assert piece.collected_cents == (0 if wins else cents)
        assert piece.returned_cents == (cents if wins else 0)
        assert piece.clause == "§8"


def test_its_five_number_top_line_pays_six_to_one() -> None:
    table = Table(SIXTH_GAME)

    [wager] = table.play([Chips("w1", "Anna", "0/00/1/2/3", 1000)], "00")

    assert wager.wager == "top_line"
    assert [piece.paid_cents for piece in wager.pieces] == [6000]


def test_its_own_racetrack_wager_is_read_and_laid() -> None:
    table = Table(SIXTH_GAME)

    [wager] = table.play([Chips("w1", "Anna", "both_zeros", 100)], "0")

    assert wager.wager == "both_zeros"
    assert Counter(piece.area for piece in wager.pieces) == Counter(BOTH_ZEROS.areas)
    assert sum(piece.paid_cents for piece in wager.pieces) == 100 * (35 + 17 + 2 * 6)
    assert sum(piece.collected_cents for piece in wager.pieces) == 100


def test_a_transcript_line_knows_its_own_word() -> None:
    line = read_line(SIXTH_GAME, "Anna: lay both_zeros 5 as w1")

    assert isinstance(line.act.command, do.PlaceWager)
    assert line.act.command.wager.name == "both_zeros"
    with pytest.raises(NotationError):
        read_wager("both_zeros")


@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        ("000", "§3"),
        ("dozen:1", "§3"),
        ("green", "§3"),
        ("0/3", "§3"),
        ("tiers", "§4"),
        ("neighbours:17", "§4"),
    ],
)
def test_a_wager_that_it_does_not_list_is_refused_by_its_own_clause(
    wager: str, clause: str
) -> None:
    found = find_placement(SIXTH_GAME, Settings(), read_wager(wager))

    assert isinstance(found, Refusal)
    assert str(found.clause) == clause
    assert found.clause.document == "House Rules of the Palms"


def opened(limits: Limits | None = None) -> Table:
    table = Table(SIXTH_GAME, limits)
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    return table


def test_its_own_irregularities_void_the_round() -> None:
    table = opened()
    table.lay(Chips("w1", "Anna", "top_line", 500))

    table.do(DEALER, do.ReportIrregularity(Irregularity.BALL_OUT_OF_WHEEL))
    table.do(DEALER, do.Settle())

    [wager] = table.settled()
    assert table.current.standing is not None
    assert str(table.current.standing.clause) == "§9"
    assert [(p.returned_cents, p.clause) for p in wager.pieces] == [(500, "§10")]


def test_an_irregularity_of_others_is_referred_to_its_own_shift_manager() -> None:
    table = opened()
    table.do(DEALER, do.SpinBall())
    table.do(DEALER, do.ReportIrregularity(Irregularity.BALL_BROKE))
    manager = Person("Gaming Shift Manager", Role.GAMING_SHIFT_MANAGER)

    table.do(manager, do.DecideOutcome(Number("00")))

    assert table.current.winning_number == "00"


def test_three_revolutions_are_enough_for_its_spin() -> None:
    two, three = opened(), opened()

    two.do(DEALER, do.SpinBall(2))
    three.do(DEALER, do.SpinBall(3))

    assert two.current.standing is not None
    assert str(two.current.standing.clause) == "§9a"
    assert three.current.standing is None


def test_a_position_that_it_lacks_may_do_nothing() -> None:
    table = opened()
    pit_manager = Person("Pit Manager", Role.PIT_MANAGER)

    report = do.ReportIrregularity(Irregularity.BALL_OUT_OF_WHEEL)
    answer = table.ask(do.Act((pit_manager,), report))

    assert isinstance(answer, Refusal)


def test_its_limits_are_held_at_placing_by_its_own_clause() -> None:
    table = opened(Limits(Limit(500, 1000)))
    anna = Person("Anna", Role.PLAYER)
    placing = do.PlaceWager("w1", "Anna", read_wager("00"), 1100)

    answer = table.ask(do.Act((anna,), placing))

    assert isinstance(answer, Refusal)
    assert str(answer.clause) == "§7"


def test_it_is_drawn() -> None:
    from croupier.drawing import DrawnChips, draw_table

    svg = draw_table(
        SIXTH_GAME,
        chips=[DrawnChips("top_line", 500), DrawnChips("split:0/00", 2500)],
        winning_number=Number("00"),
    )

    root = ElementTree.fromstring(svg)
    drawn = {text.strip() for text in root.itertext()}
    assert root.tag.endswith("svg")
    assert drawn.issuperset(NUMBERS)
    assert any("Palms Double Zero" in text for text in drawn)
    assert svg != draw_table(SIXTH_GAME)


def test_chips_are_drawn_on_each_of_its_areas() -> None:
    from croupier.drawing import DrawnChips, draw_table

    bare = draw_table(SIXTH_GAME)

    for area in SIXTH_GAME.areas:
        svg = draw_table(SIXTH_GAME, chips=[DrawnChips(area.name, 500)])
        assert len(svg) > len(bare), area.name
        ElementTree.fromstring(svg)


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a process where a package brings the sixth game along."""
    info = tmp_path / "palms_roulette-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: palms-roulette\nVersion: 1.0\n", "utf-8"
    )
    (info / "entry_points.txt").write_text(
        "[croupier.games]\npalms = tests.sixth_game:SIXTH_GAME\n", "utf-8"
    )
    source = str(Path(croupier.__file__).parents[1])
    path = os.pathsep.join([str(tmp_path), str(ROOT), source])
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def run_python(code: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed_after_the_five_if_a_package_adds_it(
    installed: dict[str, str],
) -> None:
    code = "from croupier.games import all_games\n"
    code += "print(*(game.name for game in all_games()))"

    listed = run_python(code, installed)

    assert listed.split() == [*oracle.FIVE_GAMES, "palms-double-zero"]
    assert "palms-double-zero" not in {game.name for game in all_games()}


def test_a_transcript_of_it_is_played_if_a_package_adds_it(
    installed: dict[str, str],
) -> None:
    code = '''
from croupier.transcript import play, played_json, read_transcript
text = """game palms-double-zero
limits * 1 100
round
Dealer: place your bets
Anna: lay top_line 10 as w1
Ben: lay both_zeros 1 as w2
Ben: lay dozen:1 1 as w3
Dealer: spin
Dealer: no more bets
Dealer: outcome 00
Dealer: settle
"""
[only] = played_json(play(read_transcript(text.splitlines())))["rounds"]
print(only["status"], only["winning_number"])
print(*(wager["paid_cents"] for wager in only["wagers"]))
print(*(refused["clause"] for refused in only["refused"]))
'''

    printed = run_python(code, installed)

    paid = 100 * (35 + 17 + 2 * 6)
    assert printed.splitlines() == ["settled 00", f"6000 {paid}", "§3"]


def test_a_mistyped_name_of_it_is_suggested(installed: dict[str, str]) -> None:
    code = """
from croupier.games import UnknownGame, find_game
try:
    find_game("palms-duble-zero")
except UnknownGame as error:
    print(error)
"""

    printed = run_python(code, installed)

    assert "did you mean palms-double-zero?" in printed


# Nobody outside `games` may ask which game it has.

MODULES = [
    path
    for path in sorted((ROOT / "src" / "croupier").rglob("*.py"))
    if "games" not in path.relative_to(ROOT / "src" / "croupier").parts
]
GAME_MODULES = {
    f"croupier.games.{path.stem}"
    for path in (ROOT / "src" / "croupier" / "games").glob("*.py")
    if " = Game(" in path.read_text("utf-8")
}
IDENTITY = {"name", "title", "document", "effective", "full_name"}


def is_identity(node: ast.expr) -> bool:
    """`game.name`, `self._game.title`, `series.game.operator.name` …"""
    if not isinstance(node, ast.Attribute) or node.attr not in IDENTITY:
        return False
    owner = ast.unparse(node.value).lower()
    return owner.endswith(("game", "operator"))


def identities_of(game: Game) -> set[str]:
    return {game.name, game.document, game.operator.name, game.operator.full_name}


def asked(tree: ast.AST) -> Iterator[ast.AST]:
    """Every place that compares, looks up or matches a game's identity."""
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        match node:
            case ast.Compare(left=left, comparators=others):
                parts = [left, *others]
            case ast.Match(subject=subject):
                parts = [subject]
            case ast.Subscript(slice=key):
                parts = [key]
            case ast.Call(func=ast.Attribute(attr="get"), args=args):
                parts = args
            case ast.Call(
                func=ast.Attribute(attr="startswith" | "endswith", value=whose),
                args=[ast.Constant()],
            ):
                parts = [whose]
        if any(is_identity(part) for part in parts):
            yield node


def test_there_are_modules_to_scan() -> None:
    packages = {path.parent.name for path in MODULES}

    assert packages.issuperset({"rules", "transcript", "drawing"})
    assert len(GAME_MODULES) == 5


def test_no_module_outside_games_asks_which_game_it_has() -> None:
    known = {text for game in all_games() for text in identities_of(game)} - {"MBS"}
    found = []

    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        found += [(path, ast.unparse(node)) for node in asked(tree)]
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in known:
                found.append((path, node.value))
            if isinstance(node, ast.ImportFrom) and node.module in GAME_MODULES:
                found.append((path, node.module))

    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "if game.name == 'x': pass",
        "x = 1 if self._game.title != y else 2",
        "match state.game.document:\n    case 'x': pass",
        "pays = TABLE[game.name]",
        "pays = TABLE.get(series.game.name)",
        "if game.name.startswith('mbs'): pass",
        "if game.operator.name in {'RWS'}: pass",
    ],
)
def test_the_scan_finds_such_a_question(code: str) -> None:
    questions = list(asked(ast.parse(code)))

    assert questions
