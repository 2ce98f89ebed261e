"""House files of the tests: the house, its tables and its staff, put together."""

from __future__ import annotations

from collections.abc import Mapping

_MANAGES = (
    'positions = ["Pit Manager", "Gaming Shift Manager", "Table Games Shift Manager"]'
)
STAFF = {
    "Dana": 'positions = ["Dealer"]',
    "Dora": 'positions = ["Dealer"]',
    "Sam": 'positions = ["Pit Supervisor"]',
    "Sue": 'positions = ["Pit Supervisor"]',
    "Mira": _MANAGES,
    "Max": _MANAGES,
    "Carl": 'duties = ["cashier", "attendant"]',
    "Ines": 'duties = ["inspector"]',
    "Ada": 'duties = ["administrator"]',
}
"""What each of the staff holds, unless a test says otherwise."""
USUAL_LIMITS = '"*" = [5, 1000], straight_up = [1, 500]'


def house_lines(name: str = "A house", *further: str) -> str:
    """A house that plays for demonstration money."""
    return _lines(
        "[house]",
        f'name = "{name}"',
        'operator = "The operator"',
        'money = "demonstration"',
        'currency = "SGD"',
        'time_zone = "Asia/Singapore"',
        *further,
    )


def table_lines(
    name: str,
    game: str,
    *further: str,
    wheel: str = "console",
    limits: str = USUAL_LIMITS,
) -> str:
    """A table of a house file, after what stands before it."""
    return "\n" + _lines(
        "[[tables]]",
        f'name = "{name}"',
        f'game = "{game}"',
        f'wheel = "{wheel}"',
        *further,
        f"limits = {{ {limits} }}",
    )


def staff_lines(*names: str, held: Mapping[str, str] = STAFF) -> str:
    """Some of the staff, with what each holds."""
    return "".join(
        "\n" + _lines("[[staff]]", f'name = "{name}"', held[name]) for name in names
    )


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)
