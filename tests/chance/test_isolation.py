"""Chance by itself: its imports, its size, and its draws after a fork."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import croupier.chance

PACKAGE = Path(croupier.chance.__file__).parent
ALLOWED = {
    "__future__",
    "collections.abc",
    "croupier.chance.draws",
    "croupier.chance.entropy",
    "croupier.chance.self_tests",
    "croupier.errors",
    "croupier.rules.bonus",
    "croupier.rules.game",
    "croupier.rules.wheel",
    "functools",
    "itertools",
    "os",
    "typing",
}

FORKING = """
import os
from croupier.chance import SystemEntropy, draw_number_rounds
from croupier.games import find_game

entropy = SystemEntropy()
numbers = find_game("mbs-roulette-v3").numbers
draw_number_rounds(numbers, 1, entropy)
children = [os.fork() or os._exit(
    os.write(1, (" ".join(draw_number_rounds(numbers, 50, entropy)) + "\\n").encode())
    and 0) for _ in range(3)]
for child in children:
    assert os.waitpid(child, 0)[1] == 0
os.write(1, (" ".join(draw_number_rounds(numbers, 50, entropy)) + "\\n").encode())
"""


def _trees() -> list[ast.Module]:
    return [ast.parse(path.read_text("utf-8")) for path in PACKAGE.glob("*.py")]


def test_nothing_but_the_rules_and_the_system_is_imported() -> None:
    nodes = [node for tree in _trees() for node in ast.walk(tree)]
    plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    named = {n.module for n in nodes if isinstance(n, ast.ImportFrom)}

    assert plain | named == ALLOWED
    assert "random" not in plain | named


def test_the_system_is_asked_for_random_bytes_and_nothing_else() -> None:
    asked = {
        node.attr
        for tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        if isinstance(node.value, ast.Name) and node.value.id == "os"
    }

    assert asked == {"urandom"}


def test_parent_and_children_of_a_fork_draw_differently() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKING], capture_output=True, check=True, timeout=60
    )

    lines = done.stdout.splitlines()

    assert len(lines) == 4
    assert len(set(lines)) == 4
