"""Where the keys of a TOML text stand."""

from __future__ import annotations

import tomllib
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as some

from croupier.house.configuration.toml_sections import (
    KeyPath,
    TooMuch,
    key_lines,
    line_of,
)

TEXT = '''\
# [comment]
a = """
b = 1
[no] \\"""
""""" # c = 1
"q.\\u0041 #" = 'it # is'
[house]   # a header
name . "first" = "x"
[[tables]]
limits = { "*" = [5, # ] }
   1000], b.c = 1979-05-27 07:32:00, d = {} }
lit = \'\'\'
[[tables]]
\'\'\'\'
[tables.limit]
x = [[1, 2],

  [3], { y = "]" }]
[[ tables . "n" ]]
[[tables.n]]
z = ''
[[tables]]
n.m = 1
"" = 2'''


def test_each_key_and_item_has_its_line() -> None:
    found = key_lines(TEXT)

    assert {path: line for path, line in found.items() if len(path) < 4} == {
        ("a",): 2,
        ("q.A #",): 6,
        ("house",): 7,
        ("house", "name"): 8,
        ("house", "name", "first"): 8,
        ("tables",): 9,
        ("tables", 0): 9,
        ("tables", 0, "limits"): 10,
        ("tables", 0, "lit"): 12,
        ("tables", 0, "limit"): 15,
        ("tables", 0, "n"): 19,
        ("tables", 1): 22,
        ("tables", 1, "n"): 23,
        ("tables", 1, ""): 24,
    }
    assert found["tables", 0, "limits", "*", 0] == 10
    assert found["tables", 0, "limits", "*", 1] == 11
    assert found["tables", 0, "limits", "b", "c"] == 11
    assert found["tables", 0, "limits", "d"] == 11
    assert found["tables", 0, "limit", "x", 0, 1] == 16
    assert found["tables", 0, "limit", "x", 2, "y"] == 18
    assert found["tables", 0, "n", 0] == 19
    assert found["tables", 0, "n", 1, "z"] == 21
    assert paths_of(tomllib.loads(TEXT)) == set(found)


def paths_of(value: object, above: KeyPath = ()) -> set[KeyPath]:
    """Every path that tomllib knows."""
    parts: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    found = {(*above, key) for key, _ in parts}
    return found.union(*(paths_of(each, (*above, key)) for key, each in parts))


def test_lines_may_end_as_windows_ends_them() -> None:
    assert key_lines(TEXT.replace("\n", "\r\n")) == key_lines(TEXT)


def test_a_path_without_a_line_has_that_of_what_holds_it() -> None:
    lines = key_lines("\n[house]\n")

    assert line_of(lines, ("house", "name")) == 2
    assert line_of(lines, ("staff", 3)) == 1


@pytest.mark.parametrize(
    "text",
    ["a = 1\nb", "a = 1\nb = [1 2", "a = 1\n= 2", "a = 1\n[", 'a = 1\n"\\x" = 1'],
)
def test_the_keys_before_a_fault_have_their_lines(text: str) -> None:
    assert key_lines(text)["a",] == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\na = " + "[" * 21, 2),
        ("\na = " + "[\n" * 30, 22),
        ("\n\na = {b = " + "{c = " * 21, 3),
        ("\n[" + ".".join("a" * 21) + "]", 2),
        ("[" + ".".join("a" * 20) + "]\nb = 1", 2),
        ("\n\na = [1,\n" + "7" * 101 + "]", 4),
    ],
)
def test_what_is_too_deep_or_too_long_is_refused(text: str, line: int) -> None:
    with pytest.raises(TooMuch) as raised:
        key_lines(text)

    assert raised.value.line == line


NOISE = some.sampled_from(
    ["", "\n", "\n# [x]\n", ' # "\n', "\n# k0 = 1 '''\n \t\n", "\r\n# ] }\r\n"]
)
STRINGS = some.sampled_from(
    [
        '"#"',
        "'\\'",
        '"\\\\\\""',
        '"""\n[x]\nk0 = "1" ""\n\\""""',
        "'''\n''k0 = 1\n]\n'''''",
        '""',
        '""""""',
        "1979-05-27 07:32:00Z # ]",
    ]
)


class Writer:
    """Writes TOML in which each key stands once, and notes its path and line."""

    def __init__(self, data: some.DataObject) -> None:
        self._draw = data.draw
        self._names = (f"k{n}" for n in count(1))
        self.text = ""
        self.lines: dict[KeyPath, int] = {}

    def write(self, text: str) -> None:
        self.text += text

    def key(self, above: KeyPath) -> KeyPath:
        """A key of one or two parts, bare or quoted."""
        path = above
        for _ in range(self._draw(some.integers(1, 2))):
            name = next(self._names)
            if path is not above:
                self.write(self._draw(some.sampled_from([".", " . "])))
            self.write(self._draw(some.sampled_from([name, f'"{name}"', f"'{name}'"])))
            path = (*path, name)
            self.note(path)
        return path

    def note(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def pairs(self, above: KeyPath, depth: int) -> None:
        for _ in range(self._draw(some.integers(0, 3))):
            path = self.key(above)
            self.write(" = ")
            self.value(path, depth)
            self.write("\n" + self._draw(NOISE) + "\n")

    def value(self, path: KeyPath, depth: int) -> None:
        kind = self._draw(some.sampled_from(["text", "list", "table"])) if depth else ""
        if kind == "list":
            self.write("[")
            for place in range(self._draw(some.integers(0, 3))):
                self.write(self._draw(NOISE))
                self.note((*path, place))
                self.value((*path, place), depth - 1)
                self.write("\n,")
            self.write(self._draw(NOISE) + "]")
        elif kind == "table":
            self.write("{ ")
            for place in range(self._draw(some.integers(0, 2))):
                self.write(", " if place else "")
                self.key(path)
                self.write("= 1.5" if depth == 1 else "= { }")
            self.write(" }")
        else:
            self.write(self._draw(STRINGS))

    def header(self) -> None:
        """A table, or a list of tables with tables of its own."""
        is_list = self._draw(some.booleans())
        opening, closing = ("[[", "]]") if is_list else ("[", "]")
        name = next(self._names)
        for place in range(self._draw(some.integers(1, 2)) if is_list else 1):
            path: KeyPath = (name, place) if is_list else (name,)
            self.note((name,))
            self.note(path)
            self.write(f"{opening}{name}{closing}\n")
            self.pairs(path, 2)
            inner = next(self._names)
            self.note((*path, inner))
            self.write(f"[ {name} . {inner} ]\n")
            self.pairs((*path, inner), 2)


@given(
    some.integers(0, len(TEXT)),
    some.integers(0, 12),
    some.text("[]{}=.,\"'#\n\\ 1a", max_size=6),
)
def test_garbled_text_that_is_toml_still_has_its_lines(
    start: int, length: int, garble: str
) -> None:
    text = TEXT[:start] + garble + TEXT[start + length :]

    found = key_lines(text)

    try:
        known = paths_of(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return
    assert set(found) == known


@given(some.data())
def test_lines_are_found_in_whatever_style_they_are_written(
    data: some.DataObject,
) -> None:
    writer = Writer(data)
    writer.pairs((), 3)
    for _ in range(data.draw(some.integers(0, 3))):
        writer.header()

    assert paths_of(tomllib.loads(writer.text)) == set(writer.lines)
    assert key_lines(writer.text) == writer.lines
