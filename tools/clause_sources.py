"""The table of clauses that `croupier rules` prints: their code and their tests.

`.venv/bin/python -m tools.clause_sources` writes it; a test compares it.

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
from croupier.rules.game import ClauseRow

_TREE = Path(__file__).parent.parent
_PACKAGE = _TREE / "src" / "croupier"
TABLE = _PACKAGE / "cli" / "clauses.json"
_CORE = "rules"
_CARRYING_OUT = (_CORE, "table", "house")
"""The packages that carry rules out; the others check, count or show them."""
_ENUMERATIONS = {"Rule", "Irregularity", "WagerType"}
_EXPECTED = re.compile(r"#[!=](.*)")
_MARK = "pytest.mark.clause"
_MULTIPLES = {"FixedPieces", "Neighbours", "Finales", "Complete"}


def table_text() -> str:
    """Return the table as JSON: code by name, tests by game and clause."""
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
    parts = ",\n".join(
        f"{json.dumps(key)}: {_lines(value)}"
        for key, value in (("code", code), ("tests", tests))
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
        if path != own and path.parent.name != "pairs" and _cites(path, row.number)
    ]
    marked = _marked_tests().get((game, row.number), ())
    return [*map(_place, (own, *others)), *marked]


def _pairs(game: str, row: ClauseRow) -> list[dict[str, str]]:
    """Return the transcripts on each side of the clause's condition."""
    stem = transcript_name(row).removesuffix(".txt")
    paths = sorted((_folder(game) / "pairs").glob(f"{stem}-*.txt"))
    sides = [(path.stem.rpartition("-")[2], path) for path in paths]
    return [
        {"side": side, "test": _place(path)}
        for side, path in sides
        if path.stem == f"{stem}-{side}"
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
    """Return the tests that `pytest.mark.clause` says show a clause of a game."""
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


def _clauses_marked(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Yield game and number of each clause that a decorator of the test names."""
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and ast.unparse(call.func) == _MARK:
            game, number = (ast.literal_eval(each) for each in call.args)
            yield game, number


@dataclass(slots=True)
class _Function:
    """A function of the source, with what it names and what it reads."""

    place: str
    package: str
    owner: str
    """Its class, or nothing."""
    name: str
    is_property: bool
    names: set[str] = field(default_factory=set)
    reads: set[tuple[str, str]] = field(default_factory=set)
    """The names before and after each dot: `game`, `voiding`."""


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
    """Yield the functions that act on the name; readers stand for a property."""
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


def _owned_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function and method, with its class's name or nothing."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from (
                (node.name, each)
                for each in node.body
                if isinstance(each, ast.FunctionDef)
            )


def _functions_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (function for _, function in _owned_functions(tree))


def _constants(tree: ast.Module) -> Mapping[str, set[str]]:
    """Return what the constants of a module name."""
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
    """Yield the rules, irregularities, wager types and kinds of wager named."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                if owner in _ENUMERATIONS:
                    yield f"{owner}.{name}"
            case ast.Name(id=name) if name in _MULTIPLES:
                yield name


def _plain_names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _reads(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what stands directly before a dot, and behind it."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=holder), attr=name):
                yield holder, name
            case ast.Attribute(value=ast.Attribute(attr=holder), attr=name):
                yield holder, name


def _guarded_calls(node: ast.AST) -> Iterator[_Guarded]:
    """Yield the functions called under a condition, with what that names."""
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
