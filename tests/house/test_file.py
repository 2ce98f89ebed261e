"""The house file: what it says, and every way in which it can be wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from croupier.games import all_games
from croupier.house.configuration.house_file import (
    MOST_CHARACTERS,
    HouseFileError,
    read_house,
    read_house_file,
)
from croupier.house.configuration.plan import (
    Duty,
    HousePlan,
    Lights,
    Money,
    StaffPlan,
    TablePlan,
    WheelSource,
)
from croupier.house.configuration.setup import demonstration_plan, demonstration_text
from croupier.house.configuration.toml_sections import MOST_PROBLEMS
from croupier.rules.operator import Role
from croupier.rules.terms import read_limits, read_settings
from croupier.table.house import HouseSettings

ROOT = Path(__file__).parents[2]
SAMPLE = demonstration_text()
PAGE = (ROOT / "docs" / "house-file.md").read_text("utf-8")
EXAMPLE = PAGE.partition('```toml title="house.toml"\n')[2].partition("```\n")[0]

HOUSE = """\
[house]
name = "A house"
operator = "Somebody"
money = "demonstration"
currency = "SGD"
time_zone = "Asia/Singapore"
"""
TABLE = """
[[tables]]
name = "table 1"
game = "rws-triple-zero"
wheel = "virtual"
limits = { "*" = [5, 1000] }
"""
SMALL = HOUSE + TABLE
RING = "0 000 00 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14"


def problems(text: str) -> list[str]:
    with pytest.raises(HouseFileError) as raised:
        read_house(text, "h.toml")
    return [each.removeprefix("h.toml:") for each in raised.value.problems]


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_the_example_of_the_page_reads_as_it_says() -> None:
    plan = read_house(EXAMPLE, "house.toml")

    assert plan == HousePlan(
        name="The east floor",
        operator="Marina Bay Sands Pte. Ltd.",
        money=Money.REAL,
        currency="SGD",
        time_zone="Asia/Singapore",
        tables=(
            TablePlan(
                name="table 1",
                game="mbs-complete-bet-v2",
                wheel=WheelSource.SENSOR,
                countdown_seconds=30,
                limits=(
                    "* 5.00 1000.00",
                    "straight_up 2.50 100.00",
                    "split 2.50 200.00",
                ),
                settings=("area_maximum straight_up 500.00", "complete_dozen inside"),
                chips=(250, 500, 2500, 10000, 50000),
                seats=12,
                rules_file="rules/complete-bet-v2.pdf",
            ),
            TablePlan(
                name="table 2",
                game="mbs-fast-action-v2",
                wheel=WheelSource.CONSOLE,
                lights=Lights.DEVICE,
                countdown_seconds=0,
                limits=("* 5.00 500.00",),
            ),
        ),
        staff=(
            StaffPlan("Dana", (Role.DEALER,)),
            StaffPlan(
                "Mira", (Role.PIT_SUPERVISOR, Role.PIT_MANAGER), (Duty.ADMINISTRATOR,)
            ),
        ),
    )


def test_the_sample_has_a_table_of_each_game() -> None:
    plan = demonstration_plan()

    ours = {game.name: game for game in all_games()}
    assert {table.game for table in plan.tables} <= set(ours)
    assert len({table.game for table in plan.tables}) == 5
    for table in plan.tables:
        assert read_limits(table.limits).general is not None
        read_settings(ours[table.game], table.settings)


def test_the_house_hands_its_tables_their_settings() -> None:
    text = edited(
        SMALL, "[[tables]]", "gaming_day_begins = 0\nvoucher_days = 7\n[[tables]]"
    )

    assert read_house(text, "h.toml").settings == HouseSettings(
        currency="SGD", time_zone="Asia/Singapore", gaming_day_begins=0, voucher_days=7
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('name = "A house"\n', "", 1, "name is missing"),
        ('"A house"', "3", 2, "name must be a text, not 3"),
        ('"A house"', '""', 2, "name must be a text, not ''"),
        ('"A house"', f'"{"x" * 81}"', 2, "name has more than 80 characters"),
        ('"A house"', '"A\\nhouse"', 2, "name must be printable"),
        ('"A house"', '"A  house "', 2, "without spare spaces"),
        ('"demonstration"', '"reel"', 4, "can't be 'reel'; did you mean real?"),
        ('"demonstration"', "true", 4, "choose demonstration or real"),
        ('"SGD"', '"S$"', 5, "three capital letters, such as SGD, not 'S$'"),
        ('"Asia/Singapore"', '"Asia"', 6, "there is no time zone 'Asia'"),
        ('"Asia/Singapore"', '"../../etc/passwd"', 6, "there is no time zone"),
        ('"Asia/Singapore"\n', '"UTC"\nvoucher_days = 0\n', 7, "from 1 to 3650, not 0"),
        ('"Asia/Singapore"\n', '"UTC"\nidle_minutes = true\n', 7, "whole number"),
        ('"Asia/Singapore"\n', '"UTC"\nidle_minutes = nan\n', 7, "not nan"),
        ('"Asia/Singapore"\n', '"UTC"\nvoucher_day = 1\n', 7, "mean voucher_days?"),
        (
            '"Asia/Singapore"\n',
            '"UTC"\nzzz = 1\n',
            7,
            "'zzz' is no key here; known: name",
        ),
        ('"table 1"', '"house"', 9, "no table is named house"),
        ('"table 1"', '"a/b"', 9, "a table's name has no /"),
        ('"table 1"', f'"{"x" * 41}"', 9, "name has more than 40 characters"),
        ('"table 1"', '"\\u0000"', 9, "must be printable"),
        ("rws-triple-zero", "rws-tripel-zero", 10, "did you mean rws-triple-zero?"),
        ('"virtual"', '"virtual"\nlights = "dealer"', 12, "it has no lights"),
        ('"virtual"', '"console"\nautomatic_dealer = true', 12, "needs wheel"),
        ('"virtual"', '"virtual"\nautomatic_dealer = 1', 12, "true or false, not 1"),
        (
            '"virtual"',
            '"virtual"\ncountdown_seconds = 0\nautomatic_dealer = true',
            12,
            "an automatic dealer needs a countdown",
        ),
        ('"virtual"', '"virtual"\nsettings = []', 12, "must be a table, not a list"),
        ('"virtual"', '"virtual"\nseats = {}', 12, "not a table"),
        ('"virtual"', '"virtual"\nseats = 07:30:00', 12, "not a date or time"),
        ('"virtual"', '"virtual"\nseats = 1.0', 12, "from 1 to 1000, not 1.0"),
        ('"virtual"', '"virtual"\nseats = -1', 12, "from 1 to 1000, not -1"),
        ('"virtual"', '"virtual"\nchips = []', 12, "1 to 12 denominations"),
        ('"virtual"', '"virtual"\nchips = 5', 12, "chips must be a list, not 5"),
        ('"virtual"', '"virtual"\nchips = [1,\n"1.0"]', 13, "named twice"),
        ('"virtual"', '"virtual"\nchips = [1,\n\n-1]', 14, "'-1' is not an amount"),
        ('"virtual"', f'"virtual"\nchips = [1{"0" * 14}]', 12, "out of range"),
        ('"virtual"', '"virtual"\nrules_file = 1', 12, "must be a text"),
        ('{ "*" = [5, 1000] }', "3", 12, "limits must be a table, not 3"),
        ('"*" =', "green =", 12, "no limits for straight_up, split, street"),
        ("[5, 1000]", "[5]", 12, "must be a minimum and a maximum"),
        ("[5, 1000]", "[5,\n1]", 12, "the minimum is above the maximum"),
        ("[5, 1000]", "[5,\ntrue]", 13, "'true' is not an amount"),
        ("[5, 1000]", "[5,\n1e3]", 13, "'1e3' is not an amount"),
        ("[5, 1000]", "[5,\n0.005]", 13, "at most two decimals"),
        ("[5, 1000]", "[5,\n1_0.0]", 13, "is not an amount"),
        ("[5, 1000]", "[5,\ninf]", 13, "is not an amount"),
        ("[5, 1000]", "[5,\n0]", 13, "out of range"),
        ("[5, 1000] }", "[5, 6], splt = [1, 2] }", 12, "did you mean split?"),
        ("[5, 1000] }", "[5, 6], bonus_win = [1, 2] }", 12, "is no key here"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    old: str, new: str, line: int, words: str
) -> None:
    found = problems(edited(SMALL, old, new))

    assert [each for each in found if each.startswith(f"{line}: ") and words in each]
    assert len(found) == 1, found


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("finale_zero = 1", "finale_zero must be a text, not 1"),
        ('finale_zero = "some"', "finale_zero is one of: all, single"),
        ('complete_dozen = "inside"', "'complete_dozen' is no key here"),
        ("area_maximum = 0", "out of range"),
        ('area_maximum = "straight_up 5"', "is not an amount"),
        ("area_maximum = { bonus_win = 5 }", "'bonus_win' is no key here"),
        ("area_maximum = { split = [] }", "is not an amount"),
        (f'ring = "{RING}"', "a ring names each number of rws-triple-zero once"),
    ],
)
def test_a_setting_must_be_one_of_the_game(settings: str, words: str) -> None:
    [found] = problems(f"{SMALL}\n[tables.settings]\n\n{settings}\n")

    assert found.startswith("16: ")
    assert words in found


def test_settings_are_written_as_the_rules_write_them() -> None:
    ring = f"{RING} 31 9 22 18 29 7 28 12 35 3 26"
    caps = 'area_maximum = { split = "7.5", "*" = 9 }'
    text = f'{SMALL}settings = {{ ring = "{ring}", {caps}, finale_zero = "single" }}\n'

    [table] = read_house(text, "h.toml").tables

    assert table.settings == (
        "area_maximum * 9.00",
        "area_maximum split 7.50",
        "finale_zero single",
        f"ring {ring}",
    )


@pytest.mark.parametrize(
    ("staff", "line", "words"),
    [
        ("", 14, "name is missing"),
        ('name = "Dealer"\nduties = ["cashier"]', 15, "is a position: name a person"),
        ('name = "Ann"', 14, "give positions, duties, or both"),
        ('name = "Ann"\npositions = []', 14, "give positions, duties, or both"),
        ('name = "Ann"\nduties = "cashier"', 16, "duties must be a list"),
        ('name = "Ann"\nduties = ["cashir"]', 16, "did you mean cashier?"),
        ('name = "Ann"\nduties = ["cashier",\n"cashier"]', 17, "is named twice"),
        ('name = "Ann"\npositions = ["Player"]', 16, "can't be 'Player'"),
        ('name = "Ann"\npositions = ["Gaming Shift Manager"]', 16, "can't be"),
        ('name = "Ann"\npassword = "secret"\nduties = ["cashier"]', 16, "no key here"),
    ],
)
def test_staff_are_people_with_something_to_do(
    staff: str, line: int, words: str
) -> None:
    found = problems(f"{SMALL}\n[[staff]]\n{staff}\n")

    assert [each for each in found if each.startswith(f"{line}: ") and words in each]


def test_no_message_repeats_the_value_of_an_unknown_key() -> None:
    found = problems(f'{SMALL}\n[[staff]]\nname = "Ann"\npassword = "hunter2"\n')

    assert "hunter2" not in "".join(found)


def test_real_money_has_no_virtual_wheel_and_no_automatic_dealer() -> None:
    text = edited(SMALL, '"demonstration"', '"real"') + "automatic_dealer = true\n"

    found = problems(text)

    assert found == [
        "11: a virtual wheel is no document's wheel: no real money",
        "13: an automatic dealer deals for no real money",
    ]


def test_names_differ_by_more_than_capitals() -> None:
    staff = '[[staff]]\nname = "Ann"\nduties = ["cashier"]\n'
    text = SMALL + edited(TABLE, "table 1", "TABLE 1") + staff + staff

    assert problems(text) == [
        "15: the name 'TABLE 1' is taken already",
        "23: the name 'Ann' is taken already",
    ]


def test_a_house_has_only_so_many_tables_and_staff() -> None:
    tables = [edited(TABLE, "table 1", f"table {n}") for n in range(201)]
    staff = [f'[[staff]]\nname = "P{n}"\nduties = ["cashier"]\n' for n in range(1001)]

    found = problems(HOUSE + "".join(tables + staff))

    assert found == [
        "8: a house has 1 to 200 tables, each a [[tables]]",
        "1213: a house has at most 1000 staff",
    ]


def test_all_problems_are_told_in_the_order_of_their_lines() -> None:
    text = f"{SMALL}seats = 0\n[[staff]]\nname = 1\n[hose]\n".replace("SGD", "sgd")

    found = problems(text)

    lines = [int(each.partition(":")[0]) for each in found]
    assert lines == [5, 13, 14, 15, 16]


def test_a_file_without_a_house_or_a_table_is_none() -> None:
    assert problems("") == [
        "1: the table [house] is missing",
        "1: a house has 1 to 200 tables, each a [[tables]]",
    ]
    assert problems("house = 1\ntables = [1]\nstaff = 2") == [
        "1: house must be a table, not 1",
        "2: write [[tables]], not 1",
        "2: a house has 1 to 200 tables, each a [[tables]]",
        "3: staff must be a list, not 2",
    ]


def test_a_table_without_limits_is_none() -> None:
    found = problems(edited(SMALL, 'limits = { "*" = [5, 1000] }', ""))

    assert found == [
        "8: there are no limits: give each wager type its own, or the rest theirs by"
        ' "*"'
    ]


def test_every_wager_type_may_have_limits_of_its_own() -> None:
    text = edited(HOUSE + TABLE, "rws-triple-zero", "mbs-fast-action-v2")
    kinds = ("straight_up", "bonus_win", "super_bonus_win", "scatter_bonus")
    own = ", ".join(f"{kind} = [0, 0.5]" for kind in kinds)

    [table] = read_house(edited(text, '"*" = [5, 1000]', own), "h.toml").tables

    assert table.limits == tuple(f"{kind} 0.00 0.50" for kind in kinds)
    assert table.lights is Lights.DEALER


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[house]\nname = \n", 2),
        ("[house]\n[house]\n", 2),
        ("[house]\n\nname = 'a'\nname = 'b'\n", 4),
        ("[house]\n\nname = [1,\n2", 4),
        ("a = 1\n\x00", 2),
        ("a = 1\n\ud800 = 2", 2),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(text: str, line: int) -> None:
    [found] = problems(text)

    assert found.startswith(f"{line}: this is no TOML: ")


HUGE = {
    "deep lists": "a = " + "[" * 100_000,
    "deep tables": "a = " + "{b=" * 100_000,
    "a deep key": "a" + ".a" * 200_000 + " = 1",
    "a deep header": "[" + "a." * 200_000 + "a]",
    "digits": "a = 1" + "0" * 10_000,
    "hexadecimal digits": "a = 0x" + "f" * 10_000,
    "a long exponent": "a = 1e" + "9" * 10_000,
    "a large exponent": "a = 1e" + "9" * 50,
    "quotes without end": 'a = """' + '"" ' * 100_000,
    "quotes alone": "'" * (MOST_CHARACTERS - 1),
    "too long": "x" * (MOST_CHARACTERS + 1),
    "unknown keys": "".join(f"k{n} = 1\n" for n in range(40_000)),
    "empty tables": "[[tables]]\n" * 40_000,
    "many headers": "[[a]]\n[a.b]\n" * 20_000,
    "empty lines": "\n" * MOST_CHARACTERS,
    "a long list": "[house]\nname = [" + "1," * 200_000 + "]",
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_huge_or_deep_text_is_refused_in_few_words(kind: str) -> None:
    found = problems(HUGE[kind])

    assert len(found) <= MOST_PROBLEMS + 1
    assert all(len(each) < 300 for each in found)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    odd, long = tmp_path / "odd.toml", tmp_path / "long.toml"
    odd.write_bytes(b"# fine\n\xff\n")
    long.write_bytes("é".encode() * 2 * MOST_CHARACTERS + b"\xff")

    for path, words in [
        (tmp_path / "none.toml", "none.toml: the file can't be read: No such file"),
        (tmp_path, "the file can't be read: Is a directory"),
        (Path("a\0b"), "the file can't be read"),
        (odd, "odd.toml:2: this is not UTF-8 text"),
        (long, "long.toml:1: a house file has at most 500000 characters"),
    ]:
        with pytest.raises(HouseFileError, match=re.escape(words)):
            read_house_file(path)


def test_the_rules_file_is_looked_for_beside_the_house_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f'\ufeff{SMALL}rules_file = "rules.pdf"\r\n', "utf-8")

    with pytest.raises(HouseFileError, match=r"toml:13: there is no file 'rules.pdf'"):
        read_house_file(path)
    with pytest.raises(HouseFileError, match=r"toml:13: there is no file"):
        read_house(f'{SMALL}rules_file = "{"é" * 250}"', "h.toml", folder=tmp_path)
    (tmp_path / "rules.pdf").touch()
    [table] = read_house_file(path).tables

    assert table.rules_file == "rules.pdf"


SCALARS = some.one_of(
    some.booleans(),
    some.integers(),
    some.text(max_size=50),
    some.sampled_from(["nan", "-inf", "1e9", "5.00", "07:30:00", "1979-05-27"]).map(
        lambda word: tomllib.loads(f"a = {word}", parse_float=_Bare)["a"]
    ),
)
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.one_of(
        some.lists(inner, max_size=3),
        some.dictionaries(some.text(max_size=5), inner, max_size=3),
    ),
    max_leaves=6,
)


class _Bare(str):
    """A word that stands in TOML without quotes."""

    __slots__ = ()


def as_toml(value: object) -> str:
    match value:
        case _Bare():
            return value
        case str():
            return '"' + "".join(f"\\U{ord(c):08x}" for c in value) + '"'
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(as_toml, value))}]"
        case dict():
            pairs = (f"{as_toml(key)} = {as_toml(each)}" for key, each in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            return str(value)


def is_told_or_read(text: str) -> None:
    try:
        plan = read_house(text, "h.toml")
    except HouseFileError as error:
        for each in error.problems:
            assert re.match(r"h\.toml(:[0-9]+)?: \S", each), each
            assert each.isprintable(), each
    else:
        assert isinstance(plan, HousePlan)


LINES = [n for n, line in enumerate(SAMPLE.splitlines()) if " = " in line]


@given(some.sampled_from(LINES), VALUES)
def test_a_value_of_any_kind_anywhere_is_told_in_a_sentence(
    place: int, value: object
) -> None:
    lines = SAMPLE.splitlines()
    lines[place] = f"{lines[place].partition(' = ')[0]} = {as_toml(value)}"

    is_told_or_read("\n".join(lines))


@given(
    some.dictionaries(
        some.one_of(some.sampled_from(["house", "tables", "staff"]), some.text()),
        VALUES,
        max_size=3,
    )
)
def test_parts_of_any_kind_are_told_in_a_sentence(parts: dict[str, object]) -> None:
    is_told_or_read(
        "\n".join(f"{as_toml(key)} = {as_toml(each)}" for key, each in parts.items())
    )


@given(
    some.integers(0, len(SAMPLE)),
    some.integers(0, 30),
    some.one_of(some.text(max_size=8), some.text("[]{}=.,\"'#\n\\ 1a", max_size=8)),
)
def test_a_garbled_file_is_told_in_a_sentence(
    start: int, length: int, garble: str
) -> None:
    is_told_or_read(SAMPLE[:start] + garble + SAMPLE[start + length :])


@given(some.text())
def test_any_text_is_told_in_a_sentence(text: str) -> None:
    is_told_or_read(text)
