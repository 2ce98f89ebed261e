"""Every sentence that the house may say to a person, read from its source.

A sentence is an argument of what carries one: a refusal, a void, a notice, an error
that is answered. Where a function hands its own parameter on, the sentence is looked
for in the calls of that function, so that a helper is found by itself. What varies in
a sentence is written `{}`.
"""

from __future__ import annotations

import ast
import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CARRIERS = {
    "Refusal",
    "RoundVoided",
    "RoundHeld",
    "DeviceProposal",
    "MessageProblem",
    "ApiProblem",
    "Bye",
    "ServerStopped",
}
ANSWERED = {
    "NotDone",
    "ApiError",
    "NotationError",
    "JournalError",
    "TranscriptError",
    "UnknownGame",
}
"""Exceptions whose message is answered to who asked, with all that follow them."""
YIELDED = {"unproven"}
"""Functions that yield sentences for a page."""
SAID = {"reason", "text", "error", "message", "sentence"}
"""What a field or an argument is called that holds a sentence."""
PLACE = "{}"
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.Module | _Function


@dataclass
class _Callee:
    parameters: list[str]
    spoken: set[str] = field(default_factory=set)


class Sentences:
    """The sentences of some packages; what they call may be defined in any."""

    def __init__(self, source: Path, packages: tuple[str, ...]) -> None:
        self.templates: set[str] = set()
        self.unread: set[str] = set()
        """Arguments that should be a sentence, and can't be read as one."""
        self._callees: dict[str, list[_Callee]] = defaultdict(list)
        self._functions: dict[str, list[_Function]] = defaultdict(list)
        self._module = ""
        trees = {
            path: ast.parse(path.read_text()) for path in sorted(source.rglob("*.py"))
        }
        classes = [each for tree in trees.values() for each in _classes(tree)]
        by_name = {each.name: each for each in classes}
        for each in classes:
            self._define_class(each, by_name)
        modules = {
            ".".join(path.relative_to(source).with_suffix("").parts): tree
            for path, tree in trees.items()
        }
        for self._module, tree in modules.items():
            for scope in _functions(tree):
                self._define_function(scope)
        self._read(
            {
                name: tree
                for name, tree in modules.items()
                if name.partition(".")[0] in packages
            }
        )

    def _key(self, name: str) -> str:
        """A private name is its module's own; others are found by their name."""
        return f"{self._module}:{name}" if name.startswith("_") else name

    def _define_class(
        self, node: ast.ClassDef, classes: dict[str, ast.ClassDef]
    ) -> None:
        lineage = list(_lineage(node, classes))
        inits = [
            each
            for one in lineage
            for each in one.body
            if isinstance(each, _Function) and each.name == "__init__"
        ]
        if ANSWERED & {each.name for each in lineage}:
            names = _parameters(inits[0]) if inits else ["message"]
            self._callees[node.name].append(_Callee(names, SAID & {*names}))
        elif node.name in CARRIERS:
            names = [
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
            self._callees[node.name].append(_Callee(names, SAID & {*names}))

    def _define_function(self, node: _Function) -> None:
        self._callees[self._key(node.name)].append(_Callee(_parameters(node)))
        self._functions[self._key(node.name)].append(node)
        if node.name in YIELDED:
            yields = (each for each in _within(node) if isinstance(each, ast.Yield))
            for each in yields:
                self.templates |= self._say(each.value, node)

    def _read(self, modules: dict[str, ast.Module]) -> None:
        """Again until nothing new is found: helpers may call helpers."""
        known = -1
        while known != (known := self._known()):
            self.unread.clear()
            for self._module, tree in modules.items():
                self._read_scope(tree)
                for function in _functions(tree):
                    self._read_scope(function)

    def _known(self) -> int:
        callees = itertools.chain.from_iterable(self._callees.values())
        return len(self.templates) + sum(len(each.spoken) for each in callees)

    def _read_scope(self, scope: _Scope) -> None:
        if isinstance(scope, _Function):
            self._read_defaults(scope)
        for node in _within(scope):
            if isinstance(node, ast.Call):
                for argument in self._spoken_in(node):
                    self._hear(argument, scope)

    def _read_defaults(self, scope: _Function) -> None:
        names = _parameters(scope)[::-1]
        for callee in self._callees[self._key(scope.name)]:
            for name, value in zip(names, scope.args.defaults[::-1], strict=False):
                if name in callee.spoken:
                    self._hear(value, scope)

    def _spoken_in(self, call: ast.Call) -> Iterator[ast.expr]:
        for callee in self._callees.get(self._key(_last(call.func)), ()):
            if len(call.args) + len(call.keywords) > len(callee.parameters):
                continue
            given = dict(zip(callee.parameters, call.args, strict=False))
            given |= {each.arg: each.value for each in call.keywords if each.arg}
            yield from (given[name] for name in (*callee.spoken,) if name in given)

    def _hear(self, argument: ast.expr, scope: _Scope) -> None:
        if isinstance(scope, _Function) and _is_parameter(argument, scope):
            for callee in self._callees[self._key(scope.name)]:
                callee.spoken |= {ast.unparse(argument)} & {*callee.parameters}
            return
        said = self._say(argument, scope)
        self.templates |= {each for each in said if each not in {"", PLACE}}
        if not said and not _is_handed_on(argument, scope):
            self.unread.add(f"{self._module}: {ast.unparse(argument)}")

    def _say(self, node: ast.expr | None, scope: _Scope) -> set[str]:
        """Every text that the expression may be; none where it is no text of ours."""
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=parts):
                said = [self._part(each, scope) for each in parts]
                return {"".join(each) for each in itertools.product(*said)}
            case ast.IfExp(body=one, orelse=other):
                return self._say(one, scope) | self._say(other, scope)
            case ast.Name(id=name):
                values = _assigned(name, scope)
                return {text for each in values for text in self._say(each, scope)}
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
                tables = [e for e in _assigned(name, scope) if isinstance(e, ast.Dict)]
                values = (value for each in tables for value in each.values)
                return {text for each in values for text in self._say(each, scope)}
            case ast.Call(func=ast.Name(id=name)):
                return {
                    text
                    for function in self._functions[self._key(name)]
                    for value in _returned(function)
                    for text in self._say(value, function)
                }
        return set()

    def _part(self, part: ast.expr, scope: _Scope) -> set[str]:
        """A part of a text: as written, or one of two hints, or a place."""
        match part:
            case ast.Constant(value=text):
                return {str(text)}
            case ast.FormattedValue(value=ast.Name(id=name)):
                hints = [*_assigned(name, scope)]
                if hints and all(isinstance(each, ast.IfExp) for each in hints):
                    return self._say(hints[0], scope) or {PLACE}
        return {PLACE}


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _lineage(
    node: ast.ClassDef, classes: dict[str, ast.ClassDef]
) -> Iterator[ast.ClassDef]:
    yield node
    for base in node.bases:
        if _last(base) in classes:
            yield from _lineage(classes[_last(base)], classes)


def _functions(tree: ast.Module) -> Iterator[_Function]:
    return (node for node in ast.walk(tree) if isinstance(node, _Function))


def _parameters(function: _Function) -> list[str]:
    names = [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]
    return [each for each in names if each not in {"self", "cls"}]


def _is_parameter(node: ast.expr, function: _Function) -> bool:
    return isinstance(node, ast.Name) and node.id in _parameters(function)


def _within(scope: _Scope) -> Iterator[ast.AST]:
    """What stands in a module or function, without the functions in it."""
    waiting: list[ast.AST] = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Function):
            waiting += ast.iter_child_nodes(node)


def _assigned(name: str, scope: _Scope) -> Iterator[ast.expr]:
    for node in _within(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value):
                if found == name:
                    yield value


def _returned(function: _Function) -> Iterator[ast.expr | None]:
    return (each.value for each in _within(function) if isinstance(each, ast.Return))


def _last(node: ast.expr) -> str:
    """The name that is called: `refuse`, or `RoundVoided` of `ev.RoundVoided`."""
    match node:
        case ast.Attribute(value=ast.Name(id="_log")):
            return ""
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return "" if name == "__init__" else name
    return ""


def _is_handed_on(node: ast.expr, scope: _Scope) -> bool:
    """`refusal.reason`, `str(error)`: it was said before, and read there."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return name.endswith("Reason")
        case ast.Attribute(attr=name):
            return name in SAID
        case ast.Name(id=name):
            return name in SAID and not any(_assigned(name, scope))
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id="error")]):
            return True
        case ast.Call(func=ast.Name(id="str"), args=[ast.Attribute(attr="reason")]):
            return True
    return False
