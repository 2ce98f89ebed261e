"""The table of clauses that `croupier rules` prints: their code and their tests.

`make generated` writes it; a test compares it.

A function carries a clause out if it asks for a rule of the clause's row, or names
an irregularity, a wager type or a kind of multiple-piece wager of the row. If a
property does so, the functions that read the property are listed instead. Functions
that make rows are left out.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from croupier.games import all_games
from croupier.rulebook.evidence import PAIRS
from croupier.rulebook.sentences import clauses_read
from croupier.rules.game import ClauseRow, Game
from tools.clause_sides import tell_apart

_TREE = Path(__file__).parent.parent
_PACKAGE = _TREE / "src" / "croupier"
TABLE = _PACKAGE / "rulebook" / "clauses.json"
_CORE = "rules"
_CARRYING_OUT = (_CORE, "table", "house")
"""The packages that carry rules out; the others check, count or show them."""
_ENUMERATIONS = {"Rule", "Irregularity", "WagerType"}
_EXPECTED = re.compile(r"#[!=](.*)")
_Def = ast.FunctionDef | ast.AsyncFunctionDef
_MARK = "pytest.mark.clause"
_MULTIPLES = {"FixedPieces", "Neighbours", "Finales", "Complete"}


def table_text() -> str:
    """Return the table as JSON: code and leading function by name, tests by clause."""
    names = sorted({name for function in _functions() for name in function.names})
    code = {name: [each.place for each in _answering(name)] for name in names}
    tests = {
        f"{game.name} {row.number}": {
            "tests": _tests(game.name, row),
            "pairs": _pairs(game.name, row),
        }
        for game in all_games()
        if _folder(game.name).is_dir()
        for row in game.clauses
        if row.rules and not row.draws
    }
    tests |= {
        f"{game.name} {reading}": {"tests": _tests_of_reading(game.name, reading)}
        for game in all_games()
        if _folder(game.name).is_dir()
        for reading in _readings_without_row(game)
    }
    leading = {name: _leading(name, places) for name, places in code.items() if places}
    parts = ",\n".join(
        f"{json.dumps(key)}: {_lines(value)}"
        for key, value in (("code", code), ("leading", leading), ("tests", tests))
    )
    return f"{{\n{parts}\n}}\n"


def _lines(entries: Mapping[str, object]) -> str:
    """Return an object of JSON with each entry on a line, so that changes merge."""
    lines = (f" {json.dumps(key)}: {json.dumps(entries[key])}" for key in entries)
    return "{\n" + ",\n".join(lines) + "\n}"


def _folder(game: str) -> Path:
    return _TREE / "tests" / "transcripts" / game


def _tests(game: str, row: ClauseRow) -> list[str]:
    """Return the clause's own transcript, others that expect it, and tests."""
    own = _folder(game) / transcript_name(row)
    others = [
        path
        for path in sorted(_folder(game).rglob("*.txt"))
        if path != own and _cites(path, row.number)
    ]
    marked = _marked_tests().get((game, row.number), ())
    return [*map(_place, (own, *others)), *marked]


def _readings_without_row(game: Game) -> list[str]:
    """Return the readings that stand beside a clause and have no row of their own."""
    silent = [each for read in clauses_read(game).values() for each in read.silent]
    return [each for each in silent if each not in {row.number for row in game.clauses}]


def _tests_of_reading(game: str, reading: str) -> list[str]:
    """Return the transcripts that are named after a reading, or expect it."""
    return [
        _place(path)
        for path in sorted(_folder(game).rglob("*.txt"))
        if path.stem.casefold().partition("-")[0] == reading.casefold()
        or _cites(path, reading)
    ]


def _pairs(game: str, row: ClauseRow) -> list[dict[str, str]]:
    """Return the transcripts on each side of the clause's condition."""
    stem = transcript_name(row).removesuffix(".txt")
    paths = sorted((PAIRS / game).glob(f"{stem}-*.txt"))
    sides = [(path.stem.rpartition("-")[2], path) for path in paths]
    own = {side: path for side, path in sides if path.stem == f"{stem}-{side}"}
    told = tell_apart({side: _text(path) for side, path in own.items()})
    return [
        {"side": side, "test": _place(path), **told[side]} for side, path in own.items()
    ]


def transcript_name(row: ClauseRow) -> str:
    """Return the file name of a clause's own test transcript."""
    return row.number.replace(": ", "-").replace(" ", "_") + ".txt"


def _place(path: Path) -> str:
    return path.relative_to(_TREE).as_posix()


def _cites(path: Path, number: str) -> bool:
    """Return whether a line of the transcript expects the clause."""
    return any(
        number in expected.split() for expected in _EXPECTED.findall(_text(path))
    )


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def _marked_tests() -> Mapping[tuple[str, str], list[str]]:
    """Return the tests that `pytest.mark.clause` marks, by game and clause."""
    marked: dict[tuple[str, str], list[str]] = {}
    for path in sorted((_TREE / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        if _MARK not in text:
            continue
        for function in _functions_of(ast.parse(text)):
            for game, number in _clauses_marked(function):
                test = f"{_place(path)} {function.name}"
                marked.setdefault((game, number), []).append(test)
    return marked


def _clauses_marked(function: _Def) -> Iterator[tuple[str, str]]:
    """Yield game and number of each clause that a decorator of the test names."""
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and ast.unparse(call.func) == _MARK:
            game, number = (ast.literal_eval(each) for each in call.args)
            yield game, number


@dataclass(slots=True)
class _Function:
    """A function of the source, with the names and the attributes in it."""

    place: str
    package: str
    owner: str
    """Its class, or nothing."""
    name: str
    is_property: bool
    names: set[str] = field(default_factory=set)
    reads: set[tuple[str, str]] = field(default_factory=set)
    """The names before and after each dot: `game`, `voiding`."""
    calls: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Guarded:
    """A call that is made only under a condition."""

    called: str
    names: set[str]
    reads: set[tuple[str, str]]


def _functions_naming(name: str) -> Iterator[_Function]:
    is_rule = name.startswith("Rule.")
    for function in _functions():
        if name in function.names and (is_rule or function.package == _CORE):
            yield function


def _answering(name: str) -> Iterator[_Function]:
    """Yield the functions that act on the name; for a property, its readers."""
    seen: set[str] = set()
    waiting = list(_functions_naming(name))
    while waiting:
        function = waiting.pop(0)
        if function.place in seen:
            continue
        seen.add(function.place)
        if function.is_property:
            waiting[:0] = _readers(function)
        else:
            yield function


_LED_BY = {
    "Finales": "pieces.py find_placement",
    "FixedPieces": "pieces.py find_placement",
    "Complete": "pieces.py find_placement",
    "Rule.ACTING": "game.py Game.may",
    "Rule.LAYOUT": "pieces.py find_placement",
    "Rule.NUMBERS": "course.py announce_outcome",
    "Rule.BONUS_DRAW": "course.py draw_bonus_numbers",
    "Rule.OPENING": "course.py place_your_bets",
    "Rule.OVER_MAXIMUM": "settlement.py settle",
    "Rule.OUTCOME": "course.py announce_outcome",
    "Rule.PAY_TABLE": "settlement.py settle",
    "Rule.REGISTERED_SETTLED": "settlement.py settle",
    "Rule.RULING": "rulings.py rule_on_wager",
    "Rule.UNDER_MINIMUM": "settlement.py settle",
    "Rule.UNPROVIDED": "irregularities.py report_power_failure",
    "Rule.ZERO": "bonus.py paying_areas",
    "Rule.REFERRAL": "corrections.py decide_round",
    "Rule.WAGERS": "placement.py place_together",
    "WagerType.COLUMN": "layout.py derive_areas",
    "WagerType.DOZEN": "layout.py derive_areas",
}
"""Names that many functions ask for, with the function to read first."""


def _leading(name: str, places: list[str]) -> str:
    """Return the function to read first: a public one of the core, or its caller."""
    if name in _LED_BY:
        return next(f.place for f in _functions() if f.place.endswith(_LED_BY[name]))
    core = [each for each in places if each.startswith(f"croupier/{_CORE}/")] or places
    public = [each for each in core if "._" not in each and " _" not in each]
    return public[0] if public else _public_caller(core[0])


def _public_caller(place: str) -> str:
    """Return the nearest public function of the core that calls a private one."""
    seen, waiting = {place}, [place]
    while waiting:
        called = re.split("[ .]", waiting.pop(0))[-1]
        for function in _functions():
            if called not in function.calls or function.place in seen:
                continue
            if not function.name.startswith("_"):
                return function.place
            seen.add(function.place)
            waiting.append(function.place)
    return place


def _readers(function: _Function) -> list[_Function]:
    read = {(function.owner.lower(), function.name)}
    within = read | {("self", function.name)}
    return [
        each
        for each in _functions()
        if each.package == _CORE
        and each.reads & (within if each.owner == function.owner else read)
    ]


@cache
def _functions() -> tuple[_Function, ...]:
    """Return every function of the packages that carry rules out."""
    return tuple(
        function
        for package in _CARRYING_OUT
        for path in sorted((_PACKAGE / package).rglob("*.py"))
        for function in _functions_in(package, path)
    )


def _functions_in(package: str, path: Path) -> list[_Function]:
    tree = ast.parse(path.read_text("utf-8"))
    shown = f"croupier/{path.relative_to(_PACKAGE).as_posix()}"
    constants = _constants(tree)
    found: list[_Function] = []
    guarded: list[_Guarded] = []
    for owner, node in _owned_functions(tree):
        if "ClauseRow" in ast.unparse(node.returns or ast.Constant("")):
            continue
        function = _Function(
            place=f"{shown} {owner}{'.' if owner else ''}{node.name}",
            package=package,
            owner=owner,
            name=node.name,
            is_property=any("property" in ast.unparse(d) for d in node.decorator_list),
            names={*_names(node)},
            reads={*_reads(node)},
            calls={*_called(node)},
        )
        for constant in _plain_names(node) & constants.keys():
            function.names |= constants[constant]
        guarded += _guarded_calls(node)
        found.append(function)
    plain = {each.name: each for each in found if not each.owner}
    for each in guarded:
        if each.called in plain:
            plain[each.called].names |= each.names
            plain[each.called].reads |= each.reads
    return found


def _owned_functions(tree: ast.Module) -> Iterator[tuple[str, _Def]]:
    """Yield each function and method, with its class's name or nothing."""
    for node in tree.body:
        if isinstance(node, _Def):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from (
                (node.name, each) for each in node.body if isinstance(each, _Def)
            )


def _functions_of(tree: ast.Module) -> Iterator[_Def]:
    return (function for _, function in _owned_functions(tree))


def _constants(tree: ast.Module) -> Mapping[str, set[str]]:
    """Return the rules and kinds of wager that each constant of a module names."""
    constants: dict[str, set[str]] = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and (named := {*_names(node)}):
                constants[target.id] = named
    return constants


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the rules, irregularities, wager types and kinds of wager in the node."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                if owner in _ENUMERATIONS:
                    yield f"{owner}.{name}"
            case ast.Name(id=name) if name in _MULTIPLES:
                yield name


def _called(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name


def _plain_names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _reads(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names directly before and after each dot."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=holder), attr=name):
                yield holder, name
            case ast.Attribute(value=ast.Attribute(attr=holder), attr=name):
                yield holder, name


def _guarded_calls(node: ast.AST) -> Iterator[_Guarded]:
    """Yield the functions called under a condition, with the names in the condition."""
    for each in ast.walk(node):
        match each:
            case ast.If(test=condition, body=body):
                yield from _calls(condition, body)
            case ast.match_case(pattern=condition, body=body):
                yield from _calls(condition, body)


def _calls(condition: ast.AST, body: list[ast.stmt]) -> Iterator[_Guarded]:
    names, reads = {*_names(condition)}, {*_reads(condition)}
    for statement in body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                yield _Guarded(inner.func.id, names, reads)


if __name__ == "__main__":
    TABLE.write_text(table_text(), "utf-8")
