"""The house file: what it says, and every way in which it can be wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
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
from croupier.house.configuration.setup import (
    demonstration_plan,
    demonstration_text,
    has_house,
    prepare,
)
from croupier.house.records.house_record import NotDone, now_ms
from croupier.journal.events.plan import (
    REAL_MONEY_SUMS_BY_PERSON,
    REAL_MONEY_THRESHOLDS,
    Duty,
    HousePlan,
    HouseSettings,
    Lights,
    Money,
    StaffPlan,
    TablePlan,
    Thresholds,
    WheelSource,
)
from croupier.journal.stores import open_store
from croupier.rules.operator import Role
from croupier.rules.terms import read_limits, read_settings

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
    return [each.removeprefix("h.toml: ") for each in raised.value.faults]


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_the_example_of_the_page_reads_as_it_says() -> None:
    plan = read_house(EXAMPLE, "house.toml")

    assert plan == HousePlan(
        house=HouseSettings(
            name="The east floor",
            operator="Marina Bay Sands Pte. Ltd.",
            money=Money.REAL,
            currency="SGD",
            time_zone="Asia/Singapore",
            thresholds=replace(
                REAL_MONEY_THRESHOLDS,
                buy_in_cents=500_000,
                fill_cents=2_000_050,
                hand_pay_cents=None,
            ),
            sums_by_person=replace(REAL_MONEY_SUMS_BY_PERSON, voucher_cents=1_500_000),
        ),
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


WRONG = r"""
[house]
name                                      | | it lacks `name`
name = 3                                  | .name | must be a text, not a whole number
name = 3.0                                | .name | must be a text, not a decimal number
name = ""                                 | .name | must be a text of length >= 1
name = "<x*81>"                           | .name | must be a text of length <= 80
name = "A\nhouse"                         | .name | must be printable
name = "A  house "                        | .name | without spare spaces
money = "reel"                            | .money | can't be 'reel'
money = true                              | .money | must be a text, not true or false
currency = "S$"                           | .currency | matching regex '^[A-Z]{3}$'
time_zone = "Asia"                        | .time_zone | there is no time zone 'As
time_zone = "../etc"                      | .time_zone | there is no time zone
time_zone = "localtime"                   | .time_zone | such as Asia/Singapore
voucher_days = 0                          | .voucher_days | must be a whole number >= 1
help_text = ""                            | .help_text | a text of length >= 1
help_text = "<x*501>"                     | .help_text | a text of length <= 500
help_text = "Call\n1800"                  | .help_text | must be printable
idle_minutes = true                       | .idle_minutes | whole number
idle_minutes = nan                        | .idle_minutes | not a decimal number
voucher_day = 1                           | | no key here; did you mean voucher_days?
zzz = 1                                   | | 'zzz' is no key here; known: name
[[tables]]
name = "house"                            | .name | no table can be named house
name = "a/b"                              | .name | a table's name has no /
name = "<x*41>"                           | .name | of length <= 40
name = "\u0000"                           | .name | must be printable
game = "rws-tripel-zero"                  | .game | did you mean rws-triple-zero?
wheel = "cosnole"                         | .wheel | can't be 'cosnole'
lights = "dealer"                         | .lights | it has no lights
wheel = "console" & automatic_dealer = true | .automatic_dealer | needs wheel
automatic_dealer = 1                      | .automatic_dealer | true or false, not
rounds_per_hour = 50                      | .rounds_per_hour | there is none
rounds_per_hour = 0 & automatic_dealer = true | .rounds_per_hour | >= 1
countdown_seconds = 0 & automatic_dealer = true | .countdown_seconds | needs a count
settings = []                             | .settings | must be a table, not a list
seats = {}                                | .seats | not a table
seats = 07:30:00                          | .seats | must be a whole number, not `time`
seats = 1.0                               | .seats | not a decimal number
seats = -1                                | .seats | must be a whole number >= 1
seats = 0x<f*9999>                        | .seats | must be a whole number <= 1000
chips = []                                | .chips | must be a list of length >= 1
chips = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] | .chips | <= 12
chips = 5                                 | .chips | must be a list, not a whole
chips = [1, 2, -1]                        | .chips[2] | '-1' is out of range
chips = [1<0*14>]                         | .chips[0] | out of range
rules_file = 1                            | .rules_file | must be a text
video = "https://a.b/w.mp4"               | .video | has no video
limits = 3                                | .limits | must be a table, not a whole
limits = { green = [5, 6] }               | .limits | no limits for straight_up, split
limits = { "*" = [5] }                    | .limits.* | must be a minimum and a maximum
limits = { "*" = [5, 1] }                 | .limits.* | the minimum is above the maximum
limits = { "*" = [5, true] }              | .limits.* | 'True' is not an amount
limits = { "*" = [5, 1e3] }               | .limits.* | '1E+3' is not an amount
limits = { "*" = [5, 0.005] }             | .limits.* | at most two decimals
limits = { "*" = [5, inf] }               | .limits.* | is not an amount
limits = { "*" = [5, 0] }                 | .limits.* | out of range
limits = { "*" = [5, 6], red = [7, 6] }   | .limits.red | above the maximum
limits = { "*" = [5, 6], splt = [1, 2] }  | .limits | did you mean split?
limits = { "*" = [5, 6], bonus_win = [1, 2] } | .limits | is no key here
"""
"""The lines of a part, the path of the fault that they make, and its words."""


def wrong() -> Iterator[tuple[str, str, str]]:
    """Yield a whole file for each line, and the path and words of its fault."""
    head = ""
    for line in WRONG.strip().splitlines():
        if line.startswith("["):
            head = line
            continue
        lines, path, words = map(str.strip, line.split("|"))
        part = HOUSE if head == "[house]" else TABLE
        for each in lines.split(" & "):
            key = each.partition(" = ")[0]
            kept = [k for k in part.splitlines() if k.partition(" = ")[0] != key]
            part = "\n".join([*kept, each if each != key else "", ""])
        part = re.sub(r"<(.)\*(\d+)>", lambda m: m[1] * int(m[2]), part)
        where = "house" if head == "[house]" else "tables[0]"
        text = part + TABLE if head == "[house]" else HOUSE + part
        yield text, f"{where}{path}: ", words


@pytest.mark.parametrize(("text", "path", "words"), [*wrong()])
def test_what_is_wrong_is_told_with_its_path(text: str, path: str, words: str) -> None:
    [found] = problems(text)

    assert found.startswith(path)
    assert words in found


@pytest.mark.parametrize(
    "video",
    [
        '"wheel.mp4"',
        '"//elsewhere/wheel.mp4"',
        '"http://video.example/wheel.mp4"',
        '"https://video.example"',
        '"https://somebody@video.example/w.mp4"',
        '"https://video.example;x/w.mp4"',
        '"/a wheel.mp4"',
    ],
)
def test_a_video_has_a_safe_address(video: str) -> None:
    text = edited(SMALL, '"virtual"', f'"console"\nvideo = {video}')

    words = "must be an https address, or a path at this house such as /wheel.mp4"
    [found] = problems(text)

    assert found.startswith(f"tables[0].video: {words}")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("finale_zero = 1", "finale_zero: must be a text, not '1'"),
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

    assert found.startswith("tables[0].settings")
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
    ("staff", "path", "words"),
    [
        ("", "", "it lacks `name`"),
        ('name = "Dealer"\nduties = ["cashier"]', ".name", "a position: name a person"),
        ('name = "Ann"', "", "give positions, duties, or both"),
        ('name = "Ann"\npositions = []', "", "give positions, duties, or both"),
        ('name = "Ann:1"\nduties = ["cashier"]', ".name", "it holds a / or : or @"),
        ('name = "system"\nduties = ["cashier"]', ".name", "the house itself acts"),
        (
            'name = "Ann"\nduties = "cashier"',
            ".duties",
            "must be a list, not a text",
        ),
        (
            'name = "Ann"\nduties = ["cashir"]',
            ".duties[0]",
            "can't be 'cashir'",
        ),
        ('name = "Ann"\npositions = ["Player"]', ".positions[0]", "can't be 'Player'"),
        (
            'name = "Ann"\npositions = ["Pit Boss"]',
            ".positions[0]",
            "can't be 'Pit Boss'",
        ),
        (
            'name = "Ann"\npassword = "secret"\nduties = ["cashier"]',
            "",
            "is no key here",
        ),
    ],
)
def test_staff_are_people_with_something_to_do(
    staff: str, path: str, words: str
) -> None:
    found = problems(f"{SMALL}\n[[staff]]\n{staff}\n")

    start = f"staff[0]{path}: "
    assert [each for each in found if each.startswith(start) and words in each]


def test_no_message_repeats_the_value_of_an_unknown_key() -> None:
    found = problems(f'{SMALL}\n[[staff]]\nname = "Ann"\npassword = "hunter2"\n')

    assert "hunter2" not in "".join(found)


@pytest.mark.parametrize(
    ("thresholds", "problem"),
    [
        ("buy_in = true", "thresholds.buy_in: 'True' is not an amount: "),
        ("buyin = 5", "thresholds: 'buyin' is no key here; did you mean buy_in?"),
        ("fill = 0", "thresholds.fill: "),
    ],
)
def test_thresholds_are_amounts_by_their_act(thresholds: str, problem: str) -> None:
    [found] = problems(f"{SMALL}\n[thresholds]\n{thresholds}\n")

    assert found.startswith(problem)


def test_demonstration_money_has_no_thresholds_of_its_own() -> None:
    plan = read_house(SMALL, "h.toml")

    assert plan.house.thresholds == Thresholds()


def test_real_money_has_no_virtual_wheel_and_no_automatic_dealer() -> None:
    text = edited(SMALL, '"demonstration"', '"real"') + "automatic_dealer = true\n"

    found = problems(text)

    assert found == [
        "tables[0].wheel: a virtual wheel is no document's wheel: no real money",
        "tables[0].automatic_dealer: an automatic dealer deals for no real money",
    ]


def test_names_differ_by_more_than_capitals() -> None:
    staff = '[[staff]]\nname = "Ann"\nduties = ["cashier"]\n'
    text = SMALL + edited(TABLE, "table 1", "TABLE 1") + staff + staff

    assert problems(text) == [
        "tables[1].name: 'TABLE 1' is taken already",
        "staff[1].name: 'Ann' is taken already",
    ]


def test_the_number_of_tables_and_staff_is_bounded() -> None:
    tables = [edited(TABLE, "table 1", f"table {n}") for n in range(201)]
    staff = [f'[[staff]]\nname = "P{n}"\nduties = ["cashier"]\n' for n in range(1001)]

    assert problems(HOUSE + "".join(tables)) == [
        "tables: must be a list of length <= 200"
    ]
    assert problems(SMALL + "".join(staff)) == [
        "staff: must be a list of length <= 1000"
    ]


def test_a_fault_of_each_part_is_told_at_once() -> None:
    text = f"{SMALL}seats = 0\n[[staff]]\nname = 1\n".replace("SGD", "sgd")

    found = problems(text)

    assert [each.partition(": ")[0] for each in found] == [
        "house.currency",
        "tables[0].seats",
        "staff[0].name",
    ]


def test_a_file_without_a_house_or_a_table_is_none() -> None:
    assert problems("") == ["the file: it lacks `house`"]
    assert problems(HOUSE) == ["the file: it lacks `tables`"]
    assert problems("house = {}\ntables = [1]") == [
        "house: it lacks `name`",
        "tables[0]: must be a table, not a whole number",
    ]
    assert problems(f"{SMALL}\n[hose]\n") == [
        "the file: 'hose' is no key here; did you mean house?"
    ]


def test_a_table_without_limits_is_none() -> None:
    found = problems(edited(SMALL, 'limits = { "*" = [5, 1000] }', ""))

    assert found == [
        "tables[0].limits: there are no limits: give each wager type its own, or the"
        ' rest theirs by "*"'
    ]


def test_every_wager_type_may_have_limits_of_its_own() -> None:
    text = edited(HOUSE + TABLE, "rws-triple-zero", "mbs-fast-action-v2")
    kinds = ("straight_up", "bonus_win", "super_bonus_win", "scatter_bonus")
    own = ", ".join(f"{kind} = [0, 0.5]" for kind in kinds)

    [table] = read_house(edited(text, '"*" = [5, 1000]', own), "h.toml").tables

    assert table.limits == tuple(f"{kind} 0.00 0.50" for kind in kinds)
    assert table.lights is Lights.DEALER


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[house]\nname = \n", "at line 2, column 8"),
        ("[house]\n[house]\n", "at line 2, column 7"),
        ("[house]\n\nname = 'a'\nname = 'b'\n", "at line 4, column 11"),
        ("[house]\n\nname = [1,\n2", "at end of document"),
        ("a = 1\n\x00", "at line 2, column 1"),
        ("a = 1\n\ud800 = 2", "at line 2, column 1"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(text: str, place: str) -> None:
    [found] = problems(text)

    assert found.startswith("this is no TOML: ")
    assert found.endswith(f" ({place})")


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

    [fault] = found
    assert len(fault) < 300


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    odd, long = tmp_path / "odd.toml", tmp_path / "long.toml"
    odd.write_bytes(b"# fine\n\xff\n")
    long.write_bytes("é".encode() * 2 * MOST_CHARACTERS + b"\xff")

    for path, words in [
        (tmp_path / "none.toml", "none.toml: the file can't be read: No such file"),
        (tmp_path, "the file can't be read: Is a directory"),
        (Path("a\0b"), "the file can't be read"),
        (odd, "odd.toml: line 2 is not UTF-8 text"),
        (long, "long.toml: a house file has at most 500000 characters"),
    ]:
        with pytest.raises(HouseFileError, match=re.escape(words)):
            read_house_file(path)


@pytest.mark.parametrize(
    "video", ["/wheel.mp4", "https://video.example:8443/t1/live.webm?quality=high"]
)
def test_a_real_wheel_may_have_a_video(video: str) -> None:
    text = edited(SMALL, '"virtual"', f'"sensor"\nvideo = "{video}"')

    [table] = read_house(text, "h.toml").tables

    assert table.video == video


def test_the_rules_file_is_looked_for_beside_the_house_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f'\ufeff{SMALL}rules_file = "rules.pdf"\r\n', "utf-8")
    plan = read_house_file(path)

    with open_store(str(tmp_path / "house.db")) as store:
        with pytest.raises(NotDone, match=r"rules\.pdf can't be read: No such file"):
            prepare(store, now_ms, plan, tmp_path)
        assert not has_house(store)
        (tmp_path / "rules.pdf").touch()
        prepare(store, now_ms, plan, tmp_path)
        assert has_house(store)


def test_the_rules_file_lies_below_the_folder_of_the_house_file(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "rules.pdf").touch()
    (tmp_path / "secret").touch()
    (folder / "link.pdf").symlink_to(tmp_path / "secret")
    (folder / "rules" / "out").symlink_to(tmp_path)
    (folder / "inside.pdf").symlink_to(folder / "rules" / "rules.pdf")

    numbers = count()

    def begin(name: str) -> None:
        plan = read_house(f'{SMALL}rules_file = "{name}"', "h.toml")
        with open_store(f"{tmp_path}/{next(numbers)}.db") as store:
            prepare(store, now_ms, plan, folder)

    for name in ("rules/rules.pdf", "./rules/rules.pdf", "inside.pdf"):
        begin(name)
    outside = (
        *("../secret", "rules/../../secret", "rules/../rules/rules.pdf"),
        *("link.pdf", "rules/out/secret", f"{tmp_path}/secret", "/proc/self/environ"),
    )
    for name in outside:
        with pytest.raises(NotDone, match="not below the folder of the house file"):
            begin(name)


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
        for each in error.faults:
            assert re.match(r"h\.toml: \S", each), each
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
