"""Sources of a clause: functions that carry it out, and tests that show it.

The functions are found in the source itself. One carries a clause out if it asks for
a rule of the clause's row, or names what the row holds: an irregularity, a wager type,
a kind of multiple-piece wager. A property that does so only answers: whoever reads it
is named in its place. What makes rows is data, and not named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import croupier
from croupier.games import is_approved
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game

_PACKAGE = Path(croupier.__file__).parent
_TREE = _PACKAGE.parent.parent
"""The source tree, where the package is run from one: the tests lie beside `src`."""
_CORE = "rules"
_CARRYING_OUT = (_CORE, "table", "house")
"""The packages that carry rules out; the others check, count or show them."""
_ENUMERATIONS = {"Rule", "Irregularity", "WagerType"}
_MARK = "pytest.mark.clause"
_MULTIPLES = {"FixedPieces", "Neighbours", "Finales", "Complete"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A transcript on one side of a clause's condition."""

    side: str
    test: str


def code_of(game: Game, row: ClauseRow) -> list[str]:
    """Return `file:line function` of the code that carries the clause out."""
    drawn = [each for other in _drawn(game, row) for each in code_of(game, other)]
    # A wager's place is made by its own type; every wager reads the table of all areas.
    rules = [rule for rule in row.rules if rule is not Rule.BETTING_AREA]
    names = [f"Rule.{rule.name}" for rule in rules]
    if row.voids is not None:
        names.append(f"Irregularity.{row.voids.name}")
    if row.multiple is not None:
        names.append(type(row.multiple).__name__)
    names += [f"WagerType.{kind.name}" for kind in row.areas]
    functions = [each for name in names for each in _functions_naming(name)]
    own = [each.place for each in _answering(functions)]
    return list(dict.fromkeys([*own, *drawn]))


def _drawn(game: Game, row: ClauseRow) -> list[ClauseRow]:
    """Return the clauses that a diagram or an appendix only draws."""
    return [each for each in game.clauses if each.number in row.draws]


def shown_in(game: Game, row: ClauseRow) -> list[str]:
    """Return the clause's own transcript, lines of others that expect it, and tests."""
    folder = _TREE / "tests" / "transcripts" / game.name
    own = f"tests/transcripts/{game.name}/{transcript_name(row)}"
    if row.draws:
        return [shown_in(game, each)[0] for each in _drawn(game, row)]
    if not folder.is_dir():
        return [own] if is_approved(game) else []
    others = [
        f"{_place(path)}:{line}"
        for path in sorted(folder.rglob("*.txt"))
        for line in _lines_citing(path, row.number)
        if _place(path) != own and path.parent.name != "pairs"
    ]
    return [f"{own}:1", *others, *_marked_tests().get((game.name, row.number), ())]


def pairs_of(game: Game, row: ClauseRow) -> list[Pair]:
    """Return the transcripts on each side of the clause's condition."""
    folder = _TREE / "tests" / "transcripts" / game.name / "pairs"
    stem = transcript_name(row).removesuffix(".txt")
    sides = [
        (path.stem.rpartition("-")[2], path)
        for path in sorted(folder.glob(f"{stem}-*.txt"))
    ]
    return [
        Pair(side, f"{_place(path)}:1")
        for side, path in sides
        if path.stem == f"{stem}-{side}"
    ]


def transcript_name(row: ClauseRow) -> str:
    """Return the file name of a clause's own test transcript."""
    return row.number.replace(": ", "-").replace(" ", "_") + ".txt"


def _place(path: Path) -> str:
    return path.relative_to(_TREE).as_posix()


def _lines_citing(path: Path, number: str) -> Iterator[int]:
    for line, text in enumerate(path.read_text("utf-8").splitlines(), start=1):
        _, mark, expected = text.partition("#!")
        if not mark:
            _, mark, expected = text.partition("#=")
        if mark and number in expected.split():
            yield line


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
                test = f"{_place(path)}:{function.lineno} {function.name}"
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


def _answering(functions: Iterable[_Function]) -> Iterator[_Function]:
    """Put those who read a property in its place."""
    seen: set[str] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop(0)
        if function.place in seen:
            continue
        seen.add(function.place)
        if not function.is_property:
            yield function
            continue
        holder = function.owner.lower()
        waiting[:0] = [
            reader
            for reader in _functions()
            if reader.package == _CORE
            and (
                (holder, function.name) in reader.reads
                or (
                    reader.owner == function.owner
                    and ("self", function.name) in reader.reads
                )
            )
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
            place=f"{shown}:{node.lineno} {node.name}",
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
