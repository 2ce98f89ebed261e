"""The reference of the Python names, made from signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from textwrap import dedent
from typing import Any

import croupier

_RESULTS = {
    "croupier.transcript": ("Settlement",),
    "croupier.odds": ("Odds", "Distribution", "ParSheet", "Exposure", "Liability"),
    "croupier.lab.sessions": ("SessionResult", "Figure"),
    "croupier.lab.best_play": ("BestPlay",),
    "croupier.lab.simulator": (
        "PlayedSessions",
        "Simulation",
        "Estimate",
        "StrategySessions",
        "Seat",
    ),
    "croupier.batch": ("SettledFrame", "Totals"),
    "croupier.lab.wheel.check": ("WheelCheck",),
    "croupier.audit.report.return_report": ("ReturnReport",),
}
"""The types that the functions return; named in their modules."""
_WIDTH = 88
_STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def reference() -> str:
    """Return every public name, then the types that the functions return."""
    own = [getattr(croupier, name) for name in croupier.__all__]
    functions = [inspect.unwrap(each) for each in own if _is_function(each)]
    classes = [each for each in own if inspect.isclass(each)]
    results = [
        getattr(import_module(module), name)
        for module, names in _RESULTS.items()
        for name in names
    ]
    parts = ["", "## Functions", ""]
    parts += [line for each in functions for line in _function(each, "croupier.")]
    parts += ["## Classes and errors", ""]
    parts += [line for each in classes for line in _class(each)]
    parts += ["## What functions give back", ""]
    parts += [line for each in results for line in _class(each)]
    return "\n".join(parts) + "\n"


def _is_function(each: object) -> bool:
    return not (inspect.isclass(each) or inspect.ismodule(each))


def _function(function: Callable[..., Any], prefix: str) -> Iterator[str]:
    yield f"### `{prefix}{function.__name__}`"
    yield ""
    yield "```text"
    yield _signature(function, f"{prefix}{function.__name__}")
    yield "```"
    yield ""
    yield inspect.getdoc(function) or ""
    yield ""


def _class(cls: type) -> Iterator[str]:
    base = cls.__mro__[1]
    of = f", a `{base.__name__}`" if issubclass(cls, Exception) else ""
    yield f"### `{cls.__name__}`"
    yield ""
    first, *rest = (inspect.getdoc(cls) or "").splitlines()
    yield "\n".join([f"{first.removesuffix('.')}{of}." if of else first, *rest])
    yield ""
    members = list(_members(cls))
    rows = [(name, text) for name, text in members if text]
    if rows:
        yield "| name | what it is |"
        yield "|---|---|"
        yield from (f"| `{name}` | {_cell(text)} |" for name, text in rows)
        yield ""
    plain = ", ".join(f"`{name}`" for name, text in members if not text)
    if plain:
        yield f"{'Also' if rows else 'It has'} {plain}."
        yield ""


def _members(cls: type) -> Iterator[tuple[str, str]]:
    """Yield fields, properties and methods as they stand in the class."""
    if issubclass(cls, Enum):
        yield from ((member.name, repr(member.value)) for member in cls)
        return
    [tree] = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            told = _text(after)
            kind = ast.unparse(node.annotation)
            yield f"{node.target.id}: {kind}", told
        if isinstance(node, ast.FunctionDef):
            yield from _method(cls, node)


def _method(cls: type, node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    if node.name.startswith("_"):
        return
    told = (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")
    is_property = any("property" in ast.unparse(each) for each in node.decorator_list)
    if is_property:
        kind = f": {ast.unparse(node.returns)}" if node.returns else ""
        yield f"{node.name}{kind}", told
    else:
        member = inspect.getattr_static(cls, node.name)
        function = getattr(member, "__func__", member)
        yield _signature(function, node.name, own=True), told


def _text(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _signature(function: Callable[..., Any], name: str, *, own: bool = False) -> str:
    """Write the signature with plain annotations, one argument a line if it is long."""
    signature = inspect.signature(function)
    words, starred = [], False
    for each in list(signature.parameters.values())[int(own) :]:
        if each.kind is each.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        starred |= each.kind is each.VAR_POSITIONAL
        words.append(_parameter(each))
    told = signature.return_annotation
    back = "" if told is signature.empty else f" -> {told}"
    line = f"{name}({', '.join(words)}){back}"
    if own or len(line) <= _WIDTH:
        return line
    return f"{name}(\n{_filled(words)}\n){back}"


def _filled(words: list[str]) -> str:
    """Return the arguments with commas, as many in a line as fit."""
    lines = [""]
    for word in words:
        if len(f"{lines[-1]} {word}") > _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1] or '   '} {word},"
    return "\n".join(lines)


def _parameter(each: inspect.Parameter) -> str:
    stars = _STARS.get(each.kind.name, "")
    kind = "" if each.annotation is each.empty else f": {each.annotation}"
    if each.default is each.empty:
        return f"{stars}{each.name}{kind}"
    default = each.default
    said = str(default) if isinstance(default, Enum) else repr(default)
    return f"{each.name}{kind} = {said}"
